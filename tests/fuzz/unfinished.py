"""Checkpoints of every task and schedule: what interrupted trainings leave, to be mutated."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
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
from structron.fit import Checkpoint
from structron.fit.schedules import mixing
from tests.fuzz import subjects
from tests.fuzz.texts import GRAMMAR, SOURCE, TARGET, corpus

SCHEDULES: dict[str, dict[str, Any]] = {"serial": {}, "batch": {"batch": 2}, "shards": {"shards": 2}}
Make = Callable[..., Any]


@dataclass(frozen=True)
class Unfinished:
    """Training that was interrupted: its checkpoint, and how to go on from it."""

    data: bytes
    resume: Callable[[str], object]


def checkpoints(folder: Path, only: Sequence[str] = ()) -> dict[str, Unfinished]:
    """Checkpoints from within an epoch, or a round, and from its end; `only` as `subjects.models` has it."""
    found = {}
    path = folder / "subject.checkpoint"
    for name, (make, data) in _tasks(folder).items():
        if only and not name.startswith(tuple(only)):
            continue
        alone = name in ("lemmatizer", "pipeline")  # they have no schedules
        for schedule, settings in {"serial": {}}.items() if alone else SCHEDULES.items():
            fit = partial(_fit, make, settings, data)
            seen = _left_by_stages(fit, path) if name == "pipeline" else _left_by_epochs(fit, path, alone)
            for when, left in seen.items():
                found[f"{name} {schedule} {when}"] = Unfinished(left, partial(_resume, fit))
    return found


def _fit(make: Make, settings: dict[str, Any], data: tuple[Any, ...], **how: Any) -> object:
    return make(epochs=3, **settings).fit(*data, **how)


def _resume(fit: Make, place: str) -> object:
    return fit(checkpoint=Checkpoint(place, 1e5), resume=True)


def _tasks(folder: Path) -> dict[str, tuple[Make, tuple[Any, ...]]]:
    """By name, what makes an estimator and what it learns from."""
    translation = SOURCE.splitlines(), TARGET.splitlines()
    few = subjects.FEW | {"templates": "rules"}
    return {
        "tagger": (lambda **kw: Tagger(templates=subjects.TAG_TEMPLATES, **kw), (corpus(folder, "slash"),)),
        "parser": (
            lambda **kw: Parser(templates=subjects.PARSE_TEMPLATES, **kw),
            (corpus(folder, "conllu"),),
        ),
        "graph": (
            lambda **kw: Parser(system="graph", templates=subjects.PART_TEMPLATES, **kw),
            (corpus(folder, "conllu"),),
        ),
        "transducer": (
            lambda **kw: Transducer(templates=subjects.PAIR_TEMPLATES, **kw),
            (corpus(folder, "tsv"),),
        ),
        "segmenter": (lambda **kw: Segmenter(dictionary=1, **kw), (corpus(folder, "conllu"),)),
        "segmenter joint": (lambda **kw: Segmenter(system="joint", **kw), (corpus(folder, "conllu"),)),
        "classifier": (Classifier, (corpus(folder, "documents"),)),
        "translator": (lambda **kw: Translator(**few, **kw), translation),
        "hiero": (lambda **kw: Translator(system="hiero", **few, **kw), translation),
        "semantics": (lambda **kw: SemanticParser(GRAMMAR, **kw), (corpus(folder, "questions"),)),
        "lemmatizer": (lambda **kw: Lemmatizer(min_count=1, **kw), (corpus(folder, "conllu"),)),
        "pipeline": (
            lambda epochs: Pipeline(stages=("upos", "lemma", "parser"), prefer="speed", folds=2),
            (corpus(folder, "conllu"),),
        ),
    }


def _left_by_epochs(fit: Make, path: Path, bare: bool) -> dict[str, bytes]:
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
    more = {} if bare else {"on_epoch": after}
    try:
        fit(checkpoint=Checkpoint(path, 1e-9), progress=within, **more)
    finally:
        mixing._is_over = over
    return seen


def _left_by_stages(fit: Make, path: Path) -> dict[str, bytes]:
    """What a pipeline keeps, with few and with most of its stages."""
    seen: list[bytes] = []

    def within(*told: Any) -> None:
        if path.exists() and (data := path.read_bytes()) not in seen:
            seen.append(data)

    fit(checkpoint=Checkpoint(path, 1e5), on_stage=within)
    return {"early": seen[0], "late": seen[-1]}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for name, unfinished in checkpoints(Path(scratch)).items():
            print(f"{len(unfinished.data):8}  checkpoint of {name}")
