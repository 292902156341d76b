"""What must not change by accident: models, outputs and the surface, each as a few bytes to hash.

A fingerprint of a model leaves out what names the machine and the version; all else in the file counts.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
from click.testing import CliRunner

import structron
from structron import Classifier, Parser, Pipeline, Segmenter, SemanticParser, Tagger, Transducer, Translator
from structron.reference.sequence.trace import Trace
from structron.synthetic import generate_spellings, generate_treebank
from tests.pipelines import treebank

Data = tuple[Any, ...]
NUMBER = 40  # examples that a model learns from


@cache
def _trees() -> list[Any]:
    return generate_treebank(NUMBER, np.random.default_rng(7))


def _tagged() -> Data:
    return [list(tree.words) for tree in _trees()], [list(tree.tags) for tree in _trees()]


def _parsed() -> Data:
    return (
        [(list(tree.words), list(tree.tags)) for tree in _trees()],
        [(list(tree.heads), list(tree.labels)) for tree in _trees()],
    )


def _spelled() -> Data:
    pairs = generate_spellings(NUMBER, np.random.default_rng(7))
    return [pair.source for pair in pairs], [pair.targets[0] for pair in pairs]


def _bitext() -> Data:
    words = {"a": "x", "b": "y", "c": "z w", "d": "v"}
    rng = np.random.default_rng(7)
    sources = [" ".join(rng.choice(list(words), rng.integers(2, 6))) for _ in range(NUMBER)]
    return sources, [" ".join(words[word] for word in source.split()[::-1]) for source in sources]


def _cut() -> Data:
    sentences = [[[*tree.words, "."]] for tree in _trees()]
    return [f"{' '.join(tree.words)}." for tree in _trees()], sentences


def _cut_and_tagged() -> Data:
    return _cut()[0], [[[*zip(tree.words, tree.tags), (".", "PUNCT")]] for tree in _trees()]


def _questions() -> Data:
    things, kinds = ["river", "state", "city"], ["big", "small", "old"]
    rng = np.random.default_rng(7)
    asked, forms = [], []
    for _ in range(NUMBER):
        thing, kind = rng.choice(things), rng.choice(kinds)
        verb = rng.choice(["show", "count"])
        asked.append(f"please {verb} every {kind} {thing}")
        forms.append(f"{verb}({kind}({thing}))")
    return asked, forms


GRAMMAR = "\n".join(
    ["Q -> show(T)", "Q -> count(T)", *(f"T -> {w}(T)" for w in ("big", "small", "old"))]
    + [f"T -> {w}" for w in ("river", "state", "city")]
)


def _texts() -> Data:
    return [" ".join(tree.words) for tree in _trees()], [tree.labels[0] for tree in _trees()]


def _vectors() -> Data:
    values = np.random.default_rng(7).integers(-4, 5, (NUMBER, 6)).astype(float)
    return values, np.where(values.sum(1) > 0, "more", "less")


TASKS: dict[str, tuple[Callable[..., Any], Callable[[], Data]]] = {
    "tagging": (Tagger, _tagged),
    "parsing": (partial(Parser, templates="lean_tags"), _parsed),
    "graph": (partial(Parser, system="graph", templates="graph_fast_tags"), _parsed),
    "transduction": (partial(Transducer, templates="fast"), _spelled),
    "phrases": (partial(Translator, templates="rules"), _bitext),
    "hiero": (partial(Translator, templates="rules", system="hiero"), _bitext),
    "segmentation": (Segmenter, _cut),
    "joint": (partial(Segmenter, system="joint"), _cut_and_tagged),
    "semantics": (partial(SemanticParser, GRAMMAR), _questions),
    "classification": (Classifier, _texts),
    "vectors": (Classifier, _vectors),
}
SEARCHES = {
    "tagging": ["exact", "greedy", "beam:4", "beam:4+merge"],
    "parsing": ["dp:4", "greedy", "beam:4"],
    "graph": ["forest", "forest:4"],
    "transduction": ["greedy", "beam:4"],
    "phrases": ["beam:8+merge"],
    "hiero": ["forest:4"],
    "segmentation": ["beam:4"],
    "joint": ["beam:4"],
    "semantics": ["forest:4"],
    "classification": ["exact"],
    "vectors": ["exact"],
}
SCHEDULES: dict[str, dict[str, Any]] = {
    "batch": {"batch": 4, "threads": 2},
    "shards": {"shards": 2, "threads": 2},
}
UPDATES = ("standard", "early", "latest", "hybrid", "laso")
LEARNERS = ("perceptron", "mira", "mira:3", "swvp")
MOST = ("tagging", "beam:4")  # what all updates and learners are tried on


@cache
def fitted(task: str, search: str, *more: tuple[str, Any]) -> Any:
    """A small model of a task; made once."""
    make, data = TASKS[task]
    return make(search=search, epochs=2, seed=3).set_params(**dict(more)).fit(*data())


def model_bytes(estimator: Any) -> bytes:
    """What stands in a model's file, but for the names of machine and version and what depends on them."""
    data = estimator.to_bytes() if hasattr(estimator, "to_bytes") else estimator.model_.to_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    own = json.loads(header.pop("__metadata__")["structron"])

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            named = {"machine", "version"} if "machine" in value else set()
            return {name: plain(each) for name, each in value.items() if name not in named}
        return [plain(each) for each in value] if isinstance(value, list) else value

    return json.dumps([header, plain(own)], sort_keys=True).encode() + data[8 + size :]


def _told(value: Any) -> bytes:
    """Any output as text: floats to six digits, arrays as lists."""
    if isinstance(value, Trace):
        value = [value.best_score, value.gold_score, value.gold_in_beam]

    def plain(each: Any) -> Any:
        if isinstance(each, float | np.floating):
            return f"{each:.6g}"
        if isinstance(each, np.ndarray):
            return plain(each.tolist())
        return [plain(one) for one in each] if isinstance(each, list | tuple) else str(each)

    return json.dumps(plain(value), ensure_ascii=False).encode()


def _models() -> Iterator[tuple[str, Callable[[], bytes]]]:
    for task, searches in SEARCHES.items():
        for search in searches:
            yield f"model {task} {search}", lambda t=task, s=search: model_bytes(fitted(t, s))
        for name, settings in SCHEDULES.items():
            first, more = searches[-1], tuple(settings.items())
            yield f"model {task} {name}", lambda t=task, s=first, m=more: model_bytes(fitted(t, s, *m))
    for update in UPDATES:
        yield f"model tagging {update}", lambda u=update: model_bytes(fitted(*MOST, ("update", u)))
    for learner in LEARNERS:
        yield f"model tagging {learner}", lambda e=learner: model_bytes(fitted(*MOST, ("learner", e)))
    yield "model pipeline", lambda: model_bytes(_pipeline())


@cache
def _pipeline() -> Pipeline:
    return Pipeline(prefer="speed", folds=2).fit(treebank(30))


def _outputs() -> Iterator[tuple[str, Callable[[], bytes]]]:
    for task, searches in SEARCHES.items():
        X = TASKS[task][1]()[0][:10]
        last = searches[-1]
        yield f"predictions {task}", lambda t=task, s=last, x=X: _told(fitted(t, s).predict(x))
        yield f"k-best {task}", lambda t=task, s=last, x=X: _told(fitted(t, s).predict_kbest(x, 4))
    X, y = _tagged()
    yield "trace tagging", lambda: _told(fitted("tagging", "beam:4").trace(X[0], y[0]))
    trees, gold = _parsed()
    yield "trace parsing", lambda: _told(fitted("parsing", "beam:4").trace(trees[0], gold[0]))
    yield "text of a pipeline", lambda: _pipeline()("dogs saw the cat. cats bark.").to_conllu().encode()


def _commands(group: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(group, click.Group):
        with click.Context(group) as ctx:
            for name in group.list_commands(ctx):
                inner = group.get_command(ctx, name)
                assert inner is not None
                yield from _commands(inner, (*path, name))


def _help(path: tuple[str, ...]) -> bytes:
    from structron.cli.app import app

    answer = CliRunner().invoke(app, [*path, "--help"], prog_name="structron", terminal_width=80)
    assert answer.exit_code == 0, answer.output
    return " ".join(answer.output.split()).encode()  # where lines break is up to click


def _surface() -> Iterator[tuple[str, Callable[[], bytes]]]:
    from structron.cli.app import app

    for path in _commands(app):
        yield " ".join(["help", *path]), partial(_help, path)
    for task in ("tagging", "parsing", "transduction", "translation", "segmentation", "semantics"):
        yield f"help train {task}", partial(_help, ("train", task))
    yield "help train classification", partial(_help, ("train", "classification"))
    yield "help train pipeline", partial(_help, ("train", "pipeline"))
    for name in structron.__all__:
        value = getattr(structron, name)
        if inspect.isclass(value) and not issubclass(value, Exception):
            yield f"signature {name}", partial(_signature, value)
    yield "openapi", _openapi
    for task, searches in SEARCHES.items():
        yield f"info {task}", partial(_info, task, searches[-1])


def _info(task: str, search: str) -> bytes:
    """Ask ``structron info --json`` about a model."""
    from structron.cli.app import app

    with TemporaryDirectory() as folder:
        place = f"{folder}/a.model"
        fitted(task, search).save(place)
        answer = CliRunner().invoke(app, ["info", place, "--json"], standalone_mode=False)
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    for name in ("model", "bytes", "signature"):
        told.pop(name)
    return json.dumps(told, sort_keys=True).encode()


def _signature(own: type) -> bytes:
    lines = [f"{own.__name__}{inspect.signature(own)}"]
    for name, value in sorted(vars(own).items()):
        if not name.startswith("_") and callable(getattr(own, name, None)):
            lines.append(f"{name}{inspect.signature(getattr(own, name))}" if callable(value) else name)
    return "\n".join(lines).encode()


def _openapi() -> bytes:
    """Ask the server's routes for what they say of themselves."""
    from structron.serve.app import Service, make_app
    from structron.serve.batching import Batcher
    from structron.serve.limits import Limits
    from structron.serve.metrics import Metrics
    from structron.serve.registry import ModelRegistry

    limits, metrics = Limits(), Metrics()
    told = make_app(Service(ModelRegistry(), limits, metrics, Batcher(limits, metrics), print)).openapi()
    told["info"].pop("version")
    return json.dumps(told, sort_keys=True).encode()


def subjects() -> dict[str, Callable[[], bytes]]:
    """All that has a fingerprint, by name."""
    return dict([*_models(), *_outputs(), *_surface()])
