"""What is mutated: a small model of every kind. `tests.fuzz.unfinished` has their checkpoints."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from structron import (
    Classifier,
    Lemmatizer,
    Parser,
    Pipeline,
    Segmenter,
    SemanticParser,
    Tagger,
    Transducer,
    Translator,
)
from tests.fuzz.texts import CLUSTERS, GRAMMAR, NAMES, SOURCE, TARGET, corpus

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
    "transducer nearest": (
        "counted",
        {"templates": PAIR_TEMPLATES, "unreachable": "nearest", "min_count": 2},
    ),
    "transducer bits": ("tsv", {"templates": PAIR_TEMPLATES, "bits": 6, "search": "greedy", "both": True}),
    "transducer exact": ("cmudict", {"templates": PAIR_TEMPLATES[:3], "search": "exact"}),
    "transducer combined": ("tsv", {"combine": "rich+opposite"}),
}
SEGMENTERS: dict[str, tuple[str, dict[str, Any]]] = {
    "segmenter": ("conllu", {"dictionary": 1, "inner": 1}),
    "segmenter characters": ("text", {"units": "characters", "search": "beam:2"}),
    "segmenter joint": ("conllu", {"system": "joint", "search": "beam:2", "bits": 8}),
    "segmenter words": ("text", {"system": "words", "search": "beam:3"}),
}
CLASSIFIERS: dict[str, tuple[str, dict[str, Any]]] = {
    "classifier": ("documents", {}),
    "classifier of characters": ("csv", {"templates": "mixed", "weighting": "log+idf+l2", "half": True}),
    "classifier of many": ("documents", {"multilabel": True, "learner": "mira"}),
    "classifier voted": ("documents", {"voted": True, "learner": "perceptron"}),
    "classifier of numbers": ("svmlight", {"intercept": "yes"}),
    "classifier bits": ("csv", {"bits": 6, "templates": ["word(1)", "char(3)"]}),
}
FEW = {
    "tuning": 1,
    "min_count": 1,
    "folds": 2,
    "retuning": 1,
    "list_size": 10,
}  # rounds, of what takes longest
TRANSLATORS: dict[str, dict[str, Any]] = {
    "translator": {},
    "translator compounds": {"compounds": "split", "forms": False, "search": "beam:3+merge+by_class"},
    "translator bits": {"bits": 6, "templates": "rules", "search": "greedy", "distortion_limit": 2},
    "hiero": {"system": "hiero"},
    "hiero exact": {"system": "hiero", "search": "forest", "templates": "rules", "order": 2},
}
SEMANTICS: dict[str, dict[str, Any]] = {
    "semantics": {"grammar": GRAMMAR},
    "semantics names": {"names": [line.split("\t") for line in NAMES.splitlines()]},
    "semantics bits": {
        "bits": 6,
        "search": "forest:2",
        "chain": 1,
        "templates": ["p w", "p bare", "p order"],
    },
}
PIPELINES: dict[str, dict[str, Any]] = {
    "pipeline": {"prefer": "speed"},
    "pipeline of words": {"stages": ("upos", "lemma", "parser"), "settings": "balance"},
}
READY = [[{"w": "a", "n": 0.5}, {"w": "b", "s": ["x", "y"]}], [{"w": "a", "q": True, "d": {"e": 2.0}}]]
PLAIN = [["a", "dog", "barks"], ["cats", "sleep"]]
BAGS = [{"a": 1.0, "b": 0.5}, {"b": 2.0}, {"a": 0.25, "c": 1.0}]


@dataclass(frozen=True)
class Subject:
    """The bytes of a model's file, and what it predicts for.

    Attributes
    ----------
    text
        One of the texts, read as the commands do it.
    inputs
        What its estimator takes where no command reads it.
    """

    kind: str
    data: bytes
    text: str | None = None
    inputs: Sequence[Any] = ()


def models(folder: Path, only: Sequence[str] = ()) -> dict[str, Subject]:
    """A model of every kind, by name; with `only` those whose names begin with one of these."""
    found: dict[str, Subject] = {}
    path = folder / "subject.model"

    def keep(name: str, made: Any, *data: Any, text: str | None = None, inputs: Sequence[Any] = ()) -> None:
        if only and not name.startswith(tuple(only)):
            return
        if not isinstance(made, Pipeline):
            made.set_params(epochs=2)
        made.fit(*data).save(path)
        found[name] = Subject(made.kind, path.read_bytes(), text, inputs)

    for table, estimator in ((TAGGERS, Tagger), (TRANSDUCERS, Transducer), (SEGMENTERS, Segmenter)):
        for name, (format, settings) in table.items():
            keep(name, estimator(**settings), corpus(folder, format), text=format)
    for name, (format, settings) in CLASSIFIERS.items():
        keep(name, Classifier(**settings), corpus(folder, format), text=format)
    for name, settings in PARSERS.items():
        keep(name, Parser(**settings), corpus(folder, "conllu"), text="conllu")
    for name, settings in TRANSLATORS.items():
        keep(name, Translator(**FEW | settings), SOURCE.splitlines(), TARGET.splitlines(), text="source")
    for name, settings in SEMANTICS.items():
        keep(name, SemanticParser(**settings), corpus(folder, "questions"), text="questions")
    trees = corpus(folder, "conllu")
    for name, settings in PIPELINES.items():
        keep(name, Pipeline(folds=2, **settings), trees, text="conllu" if "words" in name else "raw")
    (folder / "clusters").write_text(CLUSTERS)
    seen = {"clusters": str(folder / "clusters"), "templates": [*TAG_TEMPLATES[:3], "cluster(2)[0]"]}
    keep("tagger clusters", Tagger(**seen), corpus(folder, "slash"), text="slash")
    keep("tagger ready", Tagger(templates=["bias", "t[-1]"]), READY, [["X", "Y"], ["X"]], inputs=READY)
    tags = [["DT", "NN", "VBZ"], ["NNS", "VBP"]]
    keep("tagger lists", Tagger(templates=TAG_TEMPLATES[:4]), PLAIN, tags, inputs=PLAIN)
    pairs = [["a", "b"], ["b"]], [["x", "y"], ["y"]]
    keep("transducer lists", Transducer(templates=PAIR_TEMPLATES), *pairs, inputs=[["a", "b"], ["c"]])
    keep("classifier of bags", Classifier(weighting="binary+idf"), BAGS, ["x", "y", "x"], inputs=BAGS)
    keep("lemmatizer", Lemmatizer(min_count=1), trees, inputs=trees)
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for name, made in models(Path(scratch)).items():
            print(f"{len(made.data):8}  {made.kind:14} {name}")
