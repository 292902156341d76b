"""Translation from raw sentences to raw sentences, beside words between blanks.

The data are Multi30k, German to English, made raw by sacremoses' detokenizers and a capital at the beginning
(the corpus has no other case). Three ways: raw sentences; the same with blanks alone for borders of words, as
a user without a tokenizer has them; and the tokenized corpus, whose outputs are made raw in the same way. All
are scored by sacreBLEU's defaults against the raw references.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
from collections.abc import Callable
from pathlib import Path

import sacrebleu
from sacremoses import MosesDetokenizer

from structron import Translator

DATA = Path(os.environ.get("STRUCTRON_DATA", "../shared/data")) / "mt" / "multi30k"


def lines(part: str, language: str) -> list[str]:
    """Return the sentences of a part."""
    with gzip.open(DATA / f"{part}.lc.norm.tok.{language}.gz", "rt", encoding="utf-8") as file:
        return [" ".join(line.split()) for line in file]


def raw_by(language: str) -> Callable[[str], str]:
    """Return what makes a sentence raw."""
    tool = MosesDetokenizer(lang=language)

    def raw(text: str) -> str:
        made = str(tool.detokenize(text.split(), unescape=True))
        return made[:1].upper() + made[1:]

    return raw


def main() -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=29_000, help="pairs of the training part")
    parser.add_argument("--test", default="val", help="the part that is translated")
    options = parser.parse_args()
    chosen = random.Random(0).sample(range(29_000), options.pairs)
    german, english = (lines("train", each) for each in ("de", "en"))
    sources, targets = [german[i] for i in chosen], [english[i] for i in chosen]
    tests = lines(options.test, "de")
    raw_german, raw_english = raw_by("de"), raw_by("en")
    references = [raw_english(each) for each in lines(options.test, "en")]
    raw = [raw_german(each) for each in sources], [raw_english(each) for each in targets]
    raw_tests = [raw_german(each) for each in tests]

    def told(name: str, outputs: list[str]) -> None:
        bleu = sacrebleu.corpus_bleu(outputs, [references])
        print(f"{name:34} {bleu.score:6.2f}", flush=True)

    for name, pretokenized in (("raw sentences", None), ("raw sentences, blanks alone", True)):
        found = Translator(pretokenized=pretokenized).fit(*raw).predict(raw_tests)
        told(name, [str(each) for each in found])
    found = Translator().fit(sources, targets).predict(tests)
    told("tokenized, outputs made raw", [raw_english(str(each)) for each in found])


if __name__ == "__main__":
    main()
