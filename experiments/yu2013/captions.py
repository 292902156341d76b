"""Captions in two languages, and the system with tuned dense weights that training starts from."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt
from corpora import find
from record import checksum_of

from structron.fit.checkpoints.checkpoints import Preparation
from structron.fit.learning import Learning
from structron.metrics.bleu import References, bleu
from structron.model import Model
from structron.task import Supplied
from structron.tasks.translation.decoding.task import Tables, TranslationTask
from structron.tasks.translation.fitting.bitext import Bitext
from structron.tasks.translation.fitting.tuning import tuned_on
from structron.tasks.translation.settings import TranslationRecipe

Words = list[str]
Pairs = list[tuple[Words, list[Words]]]
FOLDER = "mt/multi30k"
QUICK = 3_000  # pairs
TUNING, HELD = 250, 500  # sentences of the dev part


@dataclass(frozen=True)
class Captions:
    """Pairs to learn from, and the dev part: the beginning to tune on, the rest to report."""

    train: Pairs
    tuning: Pairs
    held: Pairs


@cache
def load_captions(quick: bool = False) -> Captions:
    """Return German and English, lower-cased tokens; quick runs read little of each."""
    train, dev = _read("train"), _read("val")
    if quick:
        train, dev = train[:QUICK], dev[:300]
    return Captions(train, dev[:TUNING], dev[TUNING : TUNING + HELD])


def _read(part: str) -> Pairs:
    sides = []
    for language in ("de", "en"):
        with gzip.open(find(f"{FOLDER}/{part}.lc.norm.tok.{language}.gz"), "rt", encoding="utf-8") as lines:
            sides.append([line.split() for line in lines])
    return [(x, [y]) for x, y in zip(*sides) if x and y]


@cache
def captions_checksum(quick: bool = False) -> str:
    """Return twelve hex digits of all parts."""
    made = load_captions(quick)
    return checksum_of(
        ([x for x, _ in part], [y for _, y in part]) for part in (made.train, made.tuning, made.held)
    )


@cache
def bitext(quick: bool) -> Bitext:
    """Return all training pairs, aligned."""
    train = load_captions(quick).train
    return Bitext.of([x for x, _ in train], [y for _, y in train], 1, None)


@cache
def tables(least: int, quick: bool) -> Tables:
    """Return phrases and language model of all training pairs."""
    return bitext(quick).tables(TranslationRecipe(min_count=least), None)


@cache
def folded(folds: int, quick: bool) -> tuple[tuple[Tables, ...], list[int]]:
    """Return tables made without a part of the pairs each, and for each pair the number of its tables."""
    ys = [y for _, y in load_captions(quick).train]
    made, supplied = bitext(quick).jackknifed(TranslationRecipe(folds=folds), ys, None)
    return made, [each.more[1] for each in supplied]


@cache
def left_out(least: int, quick: bool) -> list[Supplied]:
    """Return the references of all pairs, each with what the table would be without it."""
    ys = [y for _, y in load_captions(quick).train]
    return bitext(quick).supplied(TranslationRecipe(min_count=least), tables(least, quick).phrases, ys)


@cache
def tuned(quick: bool) -> TranslationTask:
    """Return a task without sparse features, its dense weights tuned with a beam of ten."""
    recipe = TranslationRecipe(search="beam:10+merge", tuning=2 if quick else 5, list_size=50)
    assert recipe.tuner is not None
    task = TranslationTask(*tables(recipe.min_count, quick), least=recipe.min_count)
    found = tuned_on(task, load_captions(quick).tuning, recipe, recipe.tuner, Preparation())
    return replace(task, tuned=found.weights)


@cache
def started(width: int, outlook: bool, quick: bool) -> tuple[npt.NDArray[np.float64], float]:
    """Return BLEU's counts of each held-out sentence and BLEU where it was tuned, without sparse features."""
    task = replace(tuned(quick), outlook=outlook)
    model = Learning.start(task, TranslationRecipe(search=f"beam:{width}+merge")).model()
    made = load_captions(quick)
    return counts_of(model, made.held), bleu(counts_of(model, made.tuning).sum(0))


def counts_of(model: Model[TranslationTask], part: Pairs) -> npt.NDArray[np.float64]:
    """Return what BLEU counts of a model's outputs, a row for each sentence."""
    outputs = model.predict([x for x, _ in part])
    return np.array([References(y).counts(output) for (_, y), output in zip(part, outputs)])
