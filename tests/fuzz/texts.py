"""What is mutated, and what models are made of: small corpora in every format."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from structron.io import read, read_pairs, read_questions
from structron.io.formats.documents import read_documents

CONLLU = """\
# sent_id = 1
# text = She saw it.
1\tShe\tshe\tPRON\tPRP\tCase=Nom|Number=Sing\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
3-4\tit.\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\tit\tit\tPRON\tPRP\tCase=Acc\t2\tobj\t_\t_
3.1\tgone\tgo\tVERB\t_\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\thearing\thearing\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_
3\tcame\tcome\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
4\tup\tup\tADP\tRP\t_\t3\tcompound:prt\t_\t_
5\ton\ton\tADP\tIN\t_\t6\tcase\t_\t_
6\tit\tit\tPRON\tPRP\tCase=Acc\t2\tnmod\t_\t_

1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_

"""
COLUMNS = """\
the\tDT\tB-NP
old\tJJ\tI-NP
man\tNN\tI-NP
saw\tVBD\tB-VP
her\tPRP\tB-NP
.\t.\tO

she\tPRP\tB-NP
ran\tVBD\tB-VP
.\t.\tO

"""
SLASH = "The/DT dog/NN saw/VBD 1/2/CD cats/NNS ./.\nCats/NNS bark/VBP ./.\nShe/PRP ran/VBD\n"
TEXT = "The dog saw 1/2 cats .\nCats bark .\n\nShe ran\n"
TSV = "phone\tF OW N\nphoto\tF OW T OW\ttone\nhone\tHH OW N\ntop\tT AA P\nhot\tHH AA T\n"
COUNTED = "phone\tfon\t3\nphoto\tfoto\t2\nhone\thon\t1\ntop\ttop\t12\n"
CMUDICT = ";;; a comment\nPHONE  F OW1 N\nPHOTO  F OW1 T OW2 # sic\nTOP(1)  T AA1 P\nHOT  HH AA1 T\n"
ALIGNED = "p|h}F o}OW n}N e}_\nh}HH o}AA t}T\n\\_}\\s a\\|}\\\\ \\}}b\n"

RAW = "She saw it. A hearing came\nup on it!\n\nDogs bark... cannot  stop.\n"
DOCUMENTS = "good\ta fine film\nbad\ta poor film\ngood,long\tfine and long\nbad\tpoor\ngood\tfine\n"
CSV = 'label,text\ngood,"a fine, long film"\nbad,poor\ngood,fine\nbad,"a ""poor"" film"\n'
JSONL = """\
{"label": "good", "text": "a fine film"}
{"labels": ["bad", "long"], "text": "poor"}
{"text": "fine \\u00e9", "label": "good"}
"""
SVMLIGHT = "good 1:0.5 3:1\nbad 2:1 3:-2e-1 # poor\ngood 1:1\nbad 2:0.25\n"
QUESTIONS = """\
which shirts are there\tnames(shirts)
how many hats are there\tcount(hats)
which red hats are there\tnames(red(hats))
how many red shirts are there\tcount(red(shirts))
which hats and shirts are there\tnames(both(hats,shirts))
where is high rome\tnames(city('rome'))
"""
GRAMMAR = (
    "Q -> count(T)\nQ -> names(T)\nT -> red(T)\nT -> both(T,T)\nT -> hats\nT -> shirts\nT -> city('rome')\n"
)
NAMES = "hats\thats\nred hats\thats\nhigh rome\tcity('rome')\n"
SOURCE = "the old house\nthe house is old\na house\nan old man\nthe old man is old\na man\n" * 2
TARGET = "das alte haus\ndas haus ist alt\nein haus\nein alter mann\nder alte mann ist alt\nein mann\n" * 2
CLUSTERS = "00\tthe\t9\n00\ta\t3\n01\tdog\t2\n10\tsaw\t2\n110\tshe\t1\n"
ARPA = """\
\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.3
-0.7\t</s>
-0.5\thaus\t-0.2

\\2-grams:
-0.4\t<s> haus
-0.3\thaus </s>

\\end\\
"""

TEXTS = {
    "conllu": (CONLLU, ".conllu"),
    "columns": (COLUMNS, ".tsv"),
    "blanks": (COLUMNS.replace("\t", " "), ".iob"),
    "slash": (SLASH, ".txt"),
    "text": (TEXT, ".txt"),
    "tsv": (TSV, ".tsv"),
    "counted": (COUNTED, ".tsv"),
    "cmudict": (CMUDICT, ".dict"),
    "aligned": (ALIGNED, ".txt"),
    "raw": (RAW, ".txt"),
    "documents": (DOCUMENTS, ".tsv"),
    "csv": (CSV, ".csv"),
    "jsonl": (JSONL, ".jsonl"),
    "svmlight": (SVMLIGHT, ".svm"),
    "questions": (QUESTIONS, ".tsv"),
    "source": (SOURCE, ".src"),
    "target": (TARGET, ".tgt"),
    "links": ("0-0 1-1 2-2\n\n0-1 1-0 3-3\n", ".links"),
    "grammar": (GRAMMAR, ".grammar"),
    "names": (NAMES, ".names"),
    "clusters": (CLUSTERS, ".clusters"),
    "arpa": (ARPA, ".arpa"),
}


def corpus(folder: Path, format: str) -> list[Any]:
    """What stands in one of the texts."""
    text, suffix = TEXTS[format]
    path = folder / f"subject{suffix}"
    path.write_text(text)
    if format in ("tsv", "counted", "cmudict"):
        return list(read_pairs(path, format=format))
    if format in ("documents", "csv", "jsonl", "svmlight"):
        return list(read_documents(path))
    if format == "questions":
        return list(read_questions(path))
    return list(read(path, format="columns" if format == "blanks" else format))


def texts() -> dict[str, tuple[bytes, str]]:
    """The bytes of a corpus in every format, plain and packed, with the usual end of its name."""
    found = {name: (text.encode(), suffix) for name, (text, suffix) in TEXTS.items()}
    return found | {f"{n}.gz": (gzip.compress(data, mtime=0), f"{s}.gz") for n, (data, s) in found.items()}
