"""What is mutated: small corpora in every format, and on them a small model and checkpoint of every kind."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from structron import Parser, Segmenter, Tagger, Transducer
from structron.data import read, read_pairs
from structron.training import Checkpoint, mixing

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
}

TAG_TEMPLATES = ["w[0]", "lower[0]", "suffix(3)[0]", "w[-1] w[1]", "shape[0]", "t[-1]", "t[-2] t[-1]"]
PARSE_TEMPLATES = ["s0.w", "s0.t q0.t", "s1.t s0.t", "s0.lc.t s0.t", "s1.w s0.w", "q0.w q1.t"]
PART_TEMPLATES = ["h.w m.t d", "h.t m.w", "h.t s.t m.t", "h.t m.t c.t dir", "h.t between.t m.t", "bias d"]
PAIR_TEMPLATES = ["s[0]", "s[-1] s[0] s[1]", "emit t[-1]", "size", "s[0] a[-1]", "emit t[-2] t[-1]"]

TAGGERS: dict[str, tuple[str, dict[str, Any]]] = {
    "tagger": ("slash", {"templates": TAG_TEMPLATES}),
    "tagger exact": ("slash", {"templates": TAG_TEMPLATES, "search": "exact", "half": True}),
    "tagger greedy": ("conllu", {"templates": TAG_TEMPLATES[:3], "search": "greedy"}),
    "tagger merging": ("blanks", {"templates": TAG_TEMPLATES, "search": "beam:3+merge+within=9"}),
    "tagger spans": ("columns", {"templates": [*TAG_TEMPLATES, "p[0]"], "constraints": "bio"}),
    "tagger dictionary": ("slash", {"templates": TAG_TEMPLATES[:6], "dictionary": 1}),
    "tagger hidden": ("slash", {"templates": TAG_TEMPLATES, "hidden": 2, "dictionary": 1}),
    "tagger hidden spans": ("columns", {"templates": TAG_TEMPLATES, "hidden": 3, "constraints": "bio"}),
    "tagger bits": ("slash", {"templates": TAG_TEMPLATES, "bits": 5}),
    "tagger mira": ("slash", {"templates": TAG_TEMPLATES[:4], "learner": "mira:3"}),
    "tagger preset": ("conllu", {"cut": 1, "batch": 2}),
}
PARSERS: dict[str, dict[str, Any]] = {
    "parser": {},
    "parser arc-eager": {"system": "arc-eager", "oracle": "dynamic", "templates": PARSE_TEMPLATES},
    "parser arc-hybrid": {"system": "arc-hybrid", "templates": PARSE_TEMPLATES, "half": False},
    "parser swap": {"system": "swap", "templates": PARSE_TEMPLATES},
    "parser dp": {"search": "dp:4", "templates": PARSE_TEMPLATES},
    "parser greedy": {"search": "greedy", "templates": PARSE_TEMPLATES, "crossing": "lift"},
    "parser taggers": {"tagger": "jackknife:2", "templates": ["s0.w", "s0.t q0.x", "s1.t s0.x"]},
    "parser unlabelled": {"labelled": False, "templates": PARSE_TEMPLATES, "roots": "many"},
    "parser bits": {"bits": 6, "templates": PARSE_TEMPLATES},
    "parser combined": {"templates": PARSE_TEMPLATES, "combine": "graph+eager+backward"},
    "parser graph": {"system": "graph", "templates": PART_TEMPLATES},
    "parser graph exact": {"system": "graph", "search": "forest", "templates": PART_TEMPLATES, "bits": 6},
    "parser graph of order 1": {"system": "graph", "templates": PART_TEMPLATES[:2], "roots": "many"},
}
TRANSDUCERS: dict[str, tuple[str, dict[str, Any]]] = {
    "transducer": ("tsv", {"templates": PAIR_TEMPLATES}),
    "transducer preset": ("cmudict", {}),
    "transducer alike": ("cmudict", {"templates": [*PAIR_TEMPLATES, "begin begin_agree", "end end_rest"]}),
    "transducer nearest": ("counted", {"templates": PAIR_TEMPLATES, "unreachable": "nearest", "least": 2}),
    "transducer bits": ("tsv", {"templates": PAIR_TEMPLATES, "bits": 6, "search": "greedy", "both": True}),
    "transducer exact": ("cmudict", {"templates": PAIR_TEMPLATES[:3], "search": "exact"}),
}
SCHEDULES: dict[str, dict[str, Any]] = {"serial": {}, "batch": {"batch": 2}, "shards": {"shards": 2}}

READY = [[{"w": "a", "n": 0.5}, {"w": "b", "s": ["x", "y"]}], [{"w": "a", "q": True, "d": {"e": 2.0}}]]
PLAIN = [["a", "dog", "barks"], ["cats", "sleep"]]


@dataclass(frozen=True)
class Unfinished:
    """Training that was interrupted: its checkpoint, and how to go on from it."""

    data: bytes
    resume: Callable[[str], object]


def models(folder: Path) -> dict[str, bytes]:
    """A model file of every kind, by name."""
    found: dict[str, bytes] = {}
    path = folder / "subject.model"

    def keep(name: str, estimator: Any, *data: Any) -> None:
        estimator.set_params(epochs=2).fit(*data).save(path)
        found[name] = path.read_bytes()

    for name, (format, settings) in TAGGERS.items():
        keep(name, Tagger(**settings), corpus(folder, format))
    keep("tagger ready", Tagger(templates=["bias", "t[-1]"]), READY, [["X", "Y"], ["X"]])
    keep("tagger lists", Tagger(templates=TAG_TEMPLATES[:4]), PLAIN, [["DT", "NN", "VBZ"], ["NNS", "VBP"]])
    for name, settings in PARSERS.items():
        keep(name, Parser(**settings), corpus(folder, "conllu"))
    for name, (format, settings) in TRANSDUCERS.items():
        keep(name, Transducer(**settings), corpus(folder, format))
    keep("segmenter", Segmenter(dictionary=1, inner=1), corpus(folder, "conllu"))
    keep("segmenter characters", Segmenter(units="characters", search="beam:2"), corpus(folder, "text"))
    keep("segmenter joint", Segmenter(system="joint", search="beam:2", bits=8), corpus(folder, "conllu"))
    keep("transducer lists", Transducer(templates=PAIR_TEMPLATES), [["a", "b"], ["b"]], [["x", "y"], ["y"]])
    return found


def corpus(folder: Path, format: str) -> list[Any]:
    """What stands in one of the texts."""
    text, suffix = TEXTS[format]
    path = folder / f"subject{suffix}"
    path.write_text(text)
    if format in ("tsv", "counted", "cmudict"):
        return list(read_pairs(path, format=format))
    return list(read(path, format="columns" if format == "blanks" else format))


def checkpoints(folder: Path) -> dict[str, Unfinished]:
    """Checkpoints of every task and schedule: from within an epoch, or a round, and from its end."""
    tasks: dict[str, Callable[..., Any]] = {
        "tagger": lambda **kw: Tagger(templates=TAG_TEMPLATES, **kw),
        "parser": lambda **kw: Parser(templates=PARSE_TEMPLATES, **kw),
        "graph": lambda **kw: Parser(system="graph", templates=PART_TEMPLATES, **kw),
        "transducer": lambda **kw: Transducer(templates=PAIR_TEMPLATES, **kw),
    }
    data = {"tagger": "slash", "parser": "conllu", "graph": "conllu", "transducer": "tsv"}
    found = {}
    for task, make in tasks.items():
        examples = corpus(folder, data[task])
        for schedule, settings in SCHEDULES.items():

            def resume(
                place: str, make: Any = make, settings: Any = settings, examples: Any = examples
            ) -> object:
                again = make(epochs=3, **settings)
                return again.fit(examples, checkpoint=Checkpoint(place, 1e5), resume=True)

            seen = _written(make(epochs=3, **settings), examples, folder / "subject.checkpoint")
            for when in ("within", "after"):
                found[f"{task} {schedule} {when}"] = Unfinished(seen[when], resume)
    return found


def _written(estimator: Any, examples: Any, path: Path) -> dict[str, bytes]:
    """The checkpoints of the second epoch: one from within, one from its end."""
    seen: dict[str, bytes] = {}

    def within(epoch: int, done: int, size: int) -> None:
        if epoch == 2 and path.exists():
            seen.setdefault("within", path.read_bytes())

    def after(epoch: Any) -> None:
        if epoch.epoch == 2:
            seen["after"] = path.read_bytes()

    over = mixing._is_over
    asked = iter([False] * 4)  # so that a round is looked at before it is over
    mixing._is_over = lambda future: next(asked, None) is None and over(future)
    try:
        estimator.fit(examples, checkpoint=Checkpoint(path, 1e-9), progress=within, on_epoch=after)
    finally:
        mixing._is_over = over
    return seen


def texts() -> dict[str, tuple[bytes, str]]:
    """The bytes of a corpus in every format, plain and packed, with the usual end of its name."""
    found = {name: (text.encode(), suffix) for name, (text, suffix) in TEXTS.items()}
    return found | {f"{n}.gz": (gzip.compress(data, mtime=0), f"{s}.gz") for n, (data, s) in found.items()}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for name, made in models(Path(scratch)).items():
            print(f"{len(made):8}  {name}")
        for name, unfinished in checkpoints(Path(scratch)).items():
            print(f"{len(unfinished.data):8}  checkpoint of {name}")
