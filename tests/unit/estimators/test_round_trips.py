"""Whatever the settings, a model that was saved, copied or trained again says what the fitted one says.

The cases are made from the settings themselves: one that is new and has no value below fails the first test.
"""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.base import clone

import structron
from structron import Beam, DPBeam, Exact, Forest, Greedy, ModelError, Parser, Tagger, Transducer
from structron.fit.estimator import Estimator
from structron.io import Format, Pair, Sentence, Tree, with_tree
from structron.io.model_file.archive import read_archive, write_archive
from structron.labelling.presets import PRESETS
from structron.learners import Mira, Perceptron
from structron.synthetic import generate_spellings, generate_treebank
from structron.tasks.parsing.features.graph_presets import GRAPH_PRESETS
from structron.tasks.parsing.features.presets import PARSING_PRESETS
from structron.tasks.transduction.features import PRESETS as TRANSDUCTION_PRESETS
from structron.updates import UPDATES
from tests.unit.estimators.corpora import runs

Settings = dict[str, Any]


class Data(NamedTuple):
    """What to learn from, and what to be asked about."""

    X: list[Any]
    y: list[Any] | None
    asked: list[Any]


@dataclass(frozen=True)
class With:
    """A value that needs other settings, or other data, beside it."""

    value: Any
    others: Settings = field(default_factory=dict)
    data: str = ""


# ------------------------------------------------------------------------------------------------- settings

SHARED: dict[str, list[Any]] = {
    "search": ["greedy", "beam:2", "beam:3+merge", "beam:3+within=5", Beam(2), Greedy()],
    "update": [*UPDATES, With("auto", {"search": "greedy"}), UPDATES["early"]],
    "learner": [
        *[
            "perceptron",
            "perceptron:plain",
            "perceptron:margin=2",
            "mira",
            "mira:3",
            "mira:2,C=0.1",
            "pa:C=0.5",
        ],
        *[Perceptron(margin=1), Mira(k=2)],
    ],
    "epochs": [1],
    "seed": [5],
    "shuffle": [False],
    "cut": [0, 2],
    "bits": [8],
    "min_weight": [0.5],
    "half": [True, False],
    "skip_correct": [True],
    "batch": [3],
    "shards": [2],
    "mixing": [With("errors", {"shards": 2})],
    "memory": [3],
    "threads": [2],
}
# What settings that are auto may mean, and trials of what is left open.
OPEN: dict[str, list[Any]] = {
    "prefer": ["accuracy", "balance", "speed"],
    "trials": [0, "auto", With(1, {"templates": "auto"})],
}
# One place for all workers: the names of cases are the same in each.
LISTS = Path(tempfile.gettempdir(), "structron-word-lists")
LISTS.mkdir(exist_ok=True)
(LISTS / "clusters.txt").write_text("00\tthe\t3\n01\tdog\t2\n1\tcat\t2\n")
(LISTS / "animals.txt").write_text("dog\ncat\n")
(LISTS / "entries.tsv").write_text("dog\tNN\ncat\tNN\n")
(LISTS / "raw.txt").write_text("the dog saw a cat . a cat ran .\n" * 20)

TAGGER: dict[str, list[Any]] = (
    SHARED
    | OPEN
    | {
        "block": [0, 2],
        "clusters": ["none", str(LISTS / "clusters.txt")],
        "text": ["none", str(LISTS / "raw.txt")],
        "partial": [True],
        "gazetteers": ["none", str(LISTS / "animals.txt")],
        "search": [*SHARED["search"], "exact", Exact()],
        "learner": [*SHARED["learner"], "swvp", "swvp:full,wmr,aggressive", "swvp:windows=2,optimal"],
        "templates": [
            *("pos", "ner", With("chunk", data="columns"), With("ready", data="ready"), ["w[0]", "t[-1]"]),
            *("characters", With("ner_pos", data="columns")),
            *(With("auto", data=each) for each in ("columns", "ready", "spans", "files", "numbers")),
        ],
        "order": [0, 1, "auto"],
        "constraints": [With(each, data="spans") for each in ("bio", "none", None)]
        + [With(each, data=each) for each in ("iob1", "bioes")],
        "dictionary": [1, 2, None],
        "dictionary_file": ["none", str(LISTS / "entries.tsv")],
        "hidden": [2, With(3, {"constraints": "bio"}, "spans"), With(2, {"dictionary": 1})],
        "target": [With("xpos", data="files")],
    }
)
PARSER: dict[str, list[Any]] = (
    SHARED
    | OPEN
    | {
        "clusters": ["none", str(LISTS / "clusters.txt")],
        "text": ["none", str(LISTS / "raw.txt")],
        "partial": [True],
        "search": [*SHARED["search"], "dp:2", DPBeam(3)],
        "cut": [0, 2, "auto"],
        "templates": [
            *PARSING_PRESETS,
            ["s0.w", "s0.t q0.t", "s1.t s0.t d(s1,s0)"],
            *(With("auto", data=each) for each in ("tags", "files", "crossing")),
        ],
        "system": [
            *("arc-eager", "arc-hybrid", With("swap", data="crossing")),
            With("graph", {"search": "auto", "learner": "auto", "templates": "auto"}),
        ],
        "oracle": [With("dynamic", {"system": each}) for each in ("arc-eager", "arc-hybrid")],
        "pruner": ["none", None],  # more of it with system graph
        "combine": [
            *("auto", "none", None, "graph:0.5+backward"),
            With("arcs+backward", {"system": "arc-eager", "templates": "auto"}),
            With("arcs+backward", {"tagger": "jackknife:2", "templates": "fast"}, "files"),
            With("backward", {"labelled": False, "bits": 12}),
            With("arcs", data="crossing"),
            With("arcs", {"roots": "many"}, "roots"),
        ],
        "labelled": [False],
        "crossing": [With(each, data="crossing") for each in ("pseudo", "lift", "leave-out")]
        + [With("refuse", data="tags")],
        # Every set that reads several columns has as many taggers, whose order must come back.
        "tagger": [With("jackknife:2", {"templates": each, "cut": 2}, "files") for each in PARSING_PRESETS]
        + [With("jackknife:2", {}, each) for each in ("files", "tags")]
        + [With("jackknife:2", {"columns": ["form", "xpos", "upos", "lemma", "feats"]}, "files")],
        "roots": [With("many", data="roots")],
        "columns": [
            With(["form", "xpos"], data="files"),
            With(["form", "lemma", "upos"], {"templates": "fast_tags"}, "files"),
        ],
    }
)
# The same estimator with another task behind it.
GRAPH: dict[str, list[Any]] = SHARED | {
    "search": ["forest", "forest:1", "forest:3", Forest(2), "auto"],
    "update": [*(name for name in UPDATES if name != "laso"), "auto"],
    "learner": [*SHARED["learner"], "swvp", "swvp:full,wmr,aggressive", "swvp:windows=2,optimal", "auto"],
    "cut": [0, 2, "auto"],
    "templates": [
        *(With(each, data="files") for each in GRAPH_PRESETS),
        ["h.w m.t", "h.t s.t m.t", "h.t m.t c.t", "bias d"],
        *(With("auto", data=each) for each in ("tags", "files", "crossing")),
    ],
    "pruner": ["none", "heads:2", "heads:3+ratio=0.2", With("heads:2", {"tagger": "jackknife:2"}, "files")],
    "labelled": [False],
    "crossing": PARSER["crossing"],
    "tagger": [With("jackknife:2", {"templates": each}, "files") for each in ("graph", "graph_fast", "auto")],
    "roots": PARSER["roots"],
    "columns": [
        With(["form", "xpos"], data="files"),
        With(["form", "lemma", "upos"], {"templates": "graph_fast_tags"}, "files"),
    ],
}
TRANSDUCER: dict[str, list[Any]] = (
    SHARED
    | OPEN
    | {
        "search": [*SHARED["search"], "exact", Exact()],
        "templates": [*TRANSDUCTION_PRESETS, ["s[0]", "s[-1] s[0]", "emit t[-1]"]],
        "longest_source": [1, 3],
        "longest_target": [1, 3],
        "deletions": [With(False, {"unreachable": "nearest"})],
        "both": [True],
        "maximise": ["target_given_source", "source_given_target"],
        "min_count": [2, "auto"],
        "restart_every": [1, "auto"],
        "min_weight": [0.5, "auto"],
        "unreachable": [With("nearest", {"min_count": 2})],
        "combine": ["opposite", "opposite:0.5", "rich", "rich+opposite:2", "none"],
        "direction": ["backward", "forward", With("backward", {"unreachable": "nearest", "min_count": 2})],
        "source_symbols": ["characters", "decomposed", With("blanks", data="blanks")],
        "target_symbols": ["blanks", With("characters", data="characters"), With("auto", data="symbols")],
    }
)
ALL: dict[type[Estimator], dict[str, list[Any]]] = {Tagger: TAGGER, Parser: PARSER, Transducer: TRANSDUCER}
QUICK: dict[type[Estimator], Settings] = {
    Tagger: {"epochs": 2},
    Parser: {"epochs": 2, "search": "beam:2", "templates": "fast_tags", "cut": 0},
    Transducer: {"epochs": 2, "search": "beam:3", "templates": "fast"},
}
BY_GRAPH = {"epochs": 2, "system": "graph", "search": "forest:2", "templates": "graph_fast_tags", "cut": 0}
USUAL = {Tagger: "words", Parser: "columns", Transducer: "texts"}


@pytest.mark.parametrize("estimator", ALL)
def test_every_setting_has_a_case(estimator: type[Estimator]) -> None:
    assert set(ALL[estimator]) == set(estimator().get_params())
    assert set(ALL[estimator]) >= {each.name for each in fields(estimator.recipe_type)}
    assert {*PRESETS} <= {*map(str, TAGGER["templates"])} | {
        each.value for each in TAGGER["templates"] if isinstance(each, With)
    }


def cases() -> list[Any]:
    found = []
    every = [(estimator, estimator.__name__, QUICK[estimator], ALL[estimator]) for estimator in ALL]
    for estimator, title, quick, settings in [*every, (Parser, "Graph", BY_GRAPH, GRAPH)]:
        for name, values in settings.items():
            for value in values:
                told = value if isinstance(value, With) else With(value)
                given = quick | told.others | {name: told.value}
                label = f"{title}-{name}-{told.value}-{told.data}-{[*told.others.values()]}"
                found.append(pytest.param(estimator, given, told.data or USUAL[estimator], id=label))
    return found


# ------------------------------------------------------------------------------------------------- data

TREES = generate_treebank(16, np.random.default_rng(7))
WORDS, TAGS = [[*t.words] for t in TREES], [[*t.tags] for t in TREES]
GOLD = [Tree([*t.heads], [*t.labels]) for t in TREES]
SPELLINGS = generate_spellings(20, np.random.default_rng(3))
LEARNED = 12
CROSSED = Tree([2, 4, 4, 0, 6, 2], ["det", "nsubj", "aux", "root", "case", "nmod"])


def rows(words: list[str], tags: list[str]) -> list[tuple[str, ...]]:
    """Five columns that differ, so that two of them cannot be taken for each other unnoticed."""
    return [
        (word, tag[:1], tag, f"Case={tag[-1]}|VerbForm={tag[:2]}", word[:3].lower())
        for word, tag in zip(words, tags)
    ]


def files() -> list[Sentence]:
    found = []
    for words, tags, tree in zip(WORDS, TAGS, GOLD):
        sentence = Sentence.of(words, [tag[:1] for tag in tags], Format("conllu"))
        for name, index in (("xpos", 2), ("feats", 3), ("lemma", 4)):
            sentence = sentence.with_column(name, [row[index] for row in rows(words, tags)])
        found.append(with_tree(sentence, tree))
    return found


def tagging_data(name: str) -> Data:
    X: list[Any] = list(WORDS)
    y: list[Any] | None = list(TAGS)
    if name in ("columns", "spans", "bioes", "iob1"):
        X, y = [list(zip(*each)) for each in zip(WORDS, TAGS)], list(runs(TAGS))
    if name in ("bioes", "iob1"):
        first = {"bioes": "S", "iob1": "I"}[name]
        y = [["O" if label == "O" else first + label[1:] for label in labels] for labels in runs(TAGS)]
    if name == "ready":
        X = [[{"w": word, "end": word[-2:], "size": len(word) / 7} for word in words] for words in WORDS]
    if name == "numbers":
        X = [[[f"w={word}", word[-1:]] for word in words] for words in WORDS]
    if name == "files":
        X, y = list(files()), None
    return Data(X[:LEARNED], None if y is None else y[:LEARNED], X)


def parsing_data(name: str) -> Data:
    X: list[Any] = [rows(words, tags) for words, tags in zip(WORDS, TAGS)]
    y: list[Any] | None = list(GOLD)
    if name == "tags":
        X = list(zip(WORDS, TAGS))
    if name == "files":
        X, y = list(files()), None
    if name == "crossing":
        X.insert(
            0, rows(["a", "hearing", "is", "scheduled", "on", "it"], ["DT", "NN", "VB", "VB", "IN", "PR"])
        )
        y = [CROSSED, *GOLD]
    if name == "roots":
        X.insert(0, rows(["yes", "no"], ["UH", "UH"]))
        y = [([0, 0], ["root", "root"]), *GOLD]
    return Data(X[:LEARNED], None if y is None else y[:LEARNED], X)


def transduction_data(name: str) -> Data:
    X: list[Any] = [pair.source for pair in SPELLINGS]
    y: list[Any] | None = [pair.targets[0] for pair in SPELLINGS]
    if name == "characters":
        y = [pair.targets[0].replace(" ", "").lower() for pair in SPELLINGS]
    if name == "blanks":
        X = [" ".join(pair.source) for pair in SPELLINGS]
    if name == "symbols":
        X, y = [[*pair.source] for pair in SPELLINGS], [pair.targets[0].split() for pair in SPELLINGS]
    if name == "files":
        X, y = [Pair(pair.source, pair.targets) for pair in SPELLINGS], None
    return Data(X[:LEARNED], None if y is None else y[:LEARNED], X)


DATA = {Tagger: tagging_data, Parser: parsing_data, Transducer: transduction_data}

# ------------------------------------------------------------------------------------------------- the law


def answers(model: Any, data: Data) -> dict[str, Any]:
    """All that a model can be asked."""
    k = 1 if model.model_.search.kind == "dp" else 3
    found = {
        "predict": model.predict(data.asked),
        "kbest": model.predict_kbest(data.asked, k),
        "score": model.score(data.X, data.y),
        "epochs": [epoch.record() for epoch in model.history_],
    }
    if isinstance(model, Parser):
        found |= {"tags": model.predict_with_tags(data.asked)[1], "tokens": model.tokens(data.asked)}
        found |= {"chosen": model.chosen_, "crossing": model.crossing_}
    return found


@pytest.mark.filterwarnings("ignore::structron.errors.StructronWarning")
@pytest.mark.parametrize(("estimator", "settings", "name"), cases())
def test_a_model_says_the_same_wherever_it_went(
    estimator: Any, settings: Settings, name: str, tmp_path: Path
) -> None:
    data = DATA[estimator](name)
    fitted = estimator(**settings).fit(data.X, data.y)
    said = answers(fitted, data)
    fitted.save(tmp_path / "one.model")
    loaded = estimator.load(tmp_path / "one.model")
    assert answers(loaded, data) == said
    assert type(structron.load(tmp_path / "one.model")) is estimator
    assert loaded.set_params(threads=fitted.threads).recipe == fitted.recipe
    loaded.save(tmp_path / "two.model")
    assert (tmp_path / "two.model").read_bytes() == (tmp_path / "one.model").read_bytes()
    assert answers(pickle.loads(pickle.dumps(loaded)), data) == said
    assert answers(copy.deepcopy(fitted), data) == said
    again = clone(fitted).fit(data.X, data.y)
    again.save(tmp_path / "three.model")
    assert (tmp_path / "three.model").read_bytes() == (tmp_path / "one.model").read_bytes()


ASK = """
import json, sys, structron
from tests.unit.estimators.test_round_trips import DATA, answers
model = structron.load(sys.argv[1])
print(json.dumps(answers(model, DATA[type(model)](sys.argv[2]))))
"""


@pytest.mark.parametrize(
    ("estimator", "settings", "name"),
    [
        (Parser, {"tagger": "jackknife:2", "templates": "rich"}, "files"),
        (Parser, BY_GRAPH | {"templates": "graph"}, "files"),
        (Tagger, {"hidden": 2, "constraints": "bio", "dictionary": 1}, "spans"),
        (Tagger, {"bits": 10}, "ready"),
        (Transducer, {"half": True}, "texts"),
    ],
)
def test_another_process_says_the_same(estimator: Any, settings: Settings, name: str, tmp_path: Path) -> None:
    data = DATA[estimator](name)
    fitted = estimator(**QUICK[estimator] | settings).fit(data.X, data.y)
    fitted.save(tmp_path / "m.model")
    asked = [sys.executable, "-c", ASK, str(tmp_path / "m.model"), name]
    told = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    assert json.loads(told.stdout) == json.loads(json.dumps(answers(fitted, data)))


def jackknifed() -> tuple[Any, Data]:
    data = parsing_data("files")
    settings = QUICK[Parser] | {"tagger": "jackknife:2", "templates": "rich"}
    return Parser(**settings).fit(data.X, data.y), data


def test_a_file_of_an_older_version_has_its_taggers_in_the_right_order(tmp_path: Path) -> None:
    fitted, data = jackknifed()
    fitted.save(tmp_path / "m.model")
    header, arrays = read_archive(tmp_path / "m.model")
    del header["about"]["chosen"]  # it did not say this; its columns it did
    write_archive(tmp_path / "m.model", header, dict(arrays))
    loaded = Parser.load(tmp_path / "m.model")
    assert list(loaded.view_.taggers) == ["upos", "xpos", "feats", "lemma"]
    assert loaded.predict(data.asked) == fitted.predict(data.asked)
    assert loaded.chosen_ == {}


@pytest.mark.parametrize(
    "columns", [None, [], ["form", 3], ["form"], ["form", "upos", "feats", "lemma", "xxx"], 7]
)
def test_a_file_whose_columns_and_taggers_do_not_fit_is_refused(columns: Any, tmp_path: Path) -> None:
    fitted, _ = jackknifed()
    fitted.model_.about["columns"] = columns
    fitted.save(tmp_path / "m.model")
    with pytest.raises(ModelError, match=r"m\.model: the model.* columns.*; train it again"):
        Parser.load(tmp_path / "m.model")
