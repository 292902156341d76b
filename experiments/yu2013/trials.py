"""One trial: sparse features learned from tuned dense weights, or how many references can be reached."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from record import signature_of

from structron.fit import Learning, Serial, epochs
from structron.metrics.bleu import bleu, corpus_bleu
from structron.metrics.bootstrap import paired_bootstrap
from structron.model import Model
from structron.task import Supplied
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.fitting.retuning import retuned
from structron.tasks.translation.settings import TranslationRecipe
from yu2013.captions import (
    Pairs,
    captions_checksum,
    counts_of,
    folded,
    left_out,
    load_captions,
    started,
    tables,
    tuned,
)

LEARNER = "perceptron:step=0.02"
SENTENCES, EPOCHS = 800, 1
FOLDS = 5


@dataclass(frozen=True)
class Trial:
    """Everything that decides the numbers of a trial, but for the data themselves.

    Attributes
    ----------
    what
        ``train``, or ``reach``: then only `limit`, `least` and `folds` matter.
    part
        Which training pairs are learned from: a ``block`` of them, another for each seed, or the ``longest``
        fifth of a block five times as large.
    limit, least
        The distortion limit, and how often a phrase pair must be seen to be in the table.
    folds
        Into how many parts the training data are split, so that each is learned with tables made without it;
        0 leaves one pair out of the phrases' counts, and -1 nothing.
    batch
        How many pairs are decoded with the same weights; their violations make one change (Zhao & Huang).
    """

    what: str = "train"
    aim: str = "reference"
    update: str = "max_violation"
    width: int = 10
    outlook: bool = True
    part: str = "block"
    frozen: bool = True
    by_class: bool = False
    folds: int = FOLDS
    learner: str = LEARNER
    templates: str = "context"
    limit: int = 6
    least: int = 2
    sentences: int = SENTENCES
    epochs: int = EPOCHS
    seed: int = 0
    quick: bool = False
    batch: int = 1

    def checksum(self) -> str:
        return captions_checksum(self.quick)

    def measure(self) -> dict[str, Any]:
        return _reach(self) if self.what == "reach" else _train(self)

    def line(self, entry: dict[str, Any]) -> str:
        if self.what == "reach":
            return f"limit {self.limit} least {self.least} folds {self.folds}: {entry['reachable']:.1f} %"
        return (
            f"{self.aim} {self.update} {self.width} {self.part} seed {self.seed}: held {entry['held']:.2f} "
            f"(start {entry['start']:.2f}), {entry['cpu']:.0f} CPU s"
        )

    @property
    def recipe(self) -> TranslationRecipe:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        return TranslationRecipe(
            search=f"beam:{self.width}+merge" + "+by_class" * self.by_class,
            update=self.update,
            learner=self.learner,
            templates=self.templates,
            epochs=self.epochs,
            seed=self.seed,
            batch=self.batch,
            update_towards=self.aim,
            candidates=30,
            folds=max(self.folds, 0),
            retuning=2,
            list_size=30,
            distortion_limit=self.limit,
            min_count=self.least,
            frozen_dense=self.frozen,
            scale=0.1,
            unreachable="skip",
        )

    def places(self) -> list[int]:
        """Return the training pairs that it learns from: neighbours, never an even stride."""
        every = load_captions(self.quick).train
        size = self.sentences * (5 if self.part == "longest" else 1)
        first = self.seed * size % max(1, len(every) - size + 1)
        block = list(range(first, min(first + size, len(every))))
        if self.part == "longest":
            block = sorted(sorted(block, key=lambda i: -len(every[i][0]))[: len(block) // 5])
        return block


def _supplied(trial: Trial, task: TranslationTask) -> tuple[TranslationTask, list[Any]]:
    """Return the task with what else it learns with, and the references with what their tables are."""
    train = load_captions(trial.quick).train
    ys: list[Any] = [Supplied(y) for _, y in train]
    if trial.folds > 0:
        made, numbers = folded(trial.folds, trial.quick)
        task = replace(task, folds=made)
        for y, number in zip(ys, numbers):
            y.more = (None, number)
    elif trial.folds == 0:
        ys = left_out(trial.least, trial.quick)
    return task, ys


def _with_features(base: TranslationTask, trial: Trial) -> TranslationTask:
    """Return a tuned task with the templates and the target of a trial."""
    recipe = trial.recipe
    return replace(
        base,
        outlook=trial.outlook,
        templates=recipe.template_texts,
        scale=recipe.scale,
        frozen_dense=recipe.frozen_dense,
        unreachable=recipe.unreachable,
        aim=recipe.update_towards,
        among=recipe.candidates,
    )


def _train(trial: Trial) -> dict[str, Any]:
    """Learn from the start's dense weights, retune after every epoch on one half, report the other half."""
    recipe, captions = trial.recipe, load_captions(trial.quick)
    base = tuned(trial.quick)
    before, start_tuning = started(trial.width, trial.outlook, trial.quick)
    began = time.process_time()
    task = _with_features(base, trial)
    task, ys = _supplied(trial, task)
    places = trial.places()
    learning = Learning.start(task, recipe)
    corpus = learning.pack([captions.train[i][0] for i in places], [ys[i] for i in places])
    schedule = Serial(learning, corpus)
    models: list[Model[TranslationTask]] = []
    raw: list[float] = []
    notes: list[dict[str, float]] = []
    spoken: list[float] = []
    place = task.dense_names.index("language_model")

    def finish(model: Model[TranslationTask]) -> tuple[Model[TranslationTask], dict[str, float]]:
        raw.append(_bleu(model, captions.tuning))
        spoken.append(float(model.rows.dense[place]) * task.scale)
        return retuned(model, captions.tuning, recipe)

    history = []
    for epoch, model in epochs(learning, schedule, lambda m: _bleu(m, captions.tuning), finish=finish):
        history.append(epoch)
        models.append(model)
        notes.append(dict(epoch.notes))
    best = max(range(len(models)), key=lambda i: history[i].dev_score or 0.0)
    found = counts_of(models[best], captions.held)
    against = paired_bootstrap(found, before, corpus_bleu, np.random.default_rng(0))
    return {
        "run": asdict(trial),
        "signature": signature_of(recipe.hash(), trial.checksum(), trial.seed),
        "reachable": round(100 * (1 - schedule.packed.unreachable / max(1, len(places))), 2),
        "examples": schedule.packed.sentences,
        "start": round(bleu(before.sum(0)), 4),
        "start_tuning": round(start_tuning, 4),
        "raw": [round(value, 4) for value in raw],
        "dev": [round(epoch.dev_score or 0.0, 4) for epoch in history],
        "best_epoch": best + 1,
        "held": round(bleu(found.sum(0)), 4),
        "difference": [round(v, 4) for v in (against.difference, against.low, against.high, against.p)],
        "language_model": [round(value, 4) for value in (base.tuned[place], *spoken)],
        "notes": [{name: round(value, 4) for name, value in each.items()} for each in notes],
        "errors": [epoch.errors for epoch in history],
        "updates": [epoch.updates for epoch in history],
        "invalid": [epoch.invalid for epoch in history],
        "features": len(models[best].rows.weights),
        "learning_cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
        "cpu": round(time.process_time() - began, 3),
    }


def _bleu(model: Model[TranslationTask], part: Pairs) -> float:
    return bleu(counts_of(model, part).sum(0))


def _reach(trial: Trial) -> dict[str, Any]:
    """Return how many of the pairs have a derivation, whole and of a beginning."""
    captions, recipe = load_captions(trial.quick), trial.recipe
    began = time.process_time()
    base = TranslationTask(
        *tables(trial.least, trial.quick),
        distortion_limit=trial.limit,
        least=trial.least,
        unreachable="prefix",
    )
    task, ys = _supplied(trial, base)
    places = trial.places()
    learning = Learning.start(task, recipe)
    corpus = task.corpus(learning.weights)
    for i in places:
        corpus.add(captions.train[i][0], ys[i], *ys[i].more)
    return {
        "run": asdict(trial),
        "signature": signature_of(recipe.hash(), trial.checksum(), trial.seed),
        "reachable": round(100 * (1 - corpus.unreachable / len(places)), 2),
        "with_prefixes": round(100 * corpus.sentences / len(places), 2),
        "phrases": len(task.phrases),
        "cpu": round(time.process_time() - began, 3),
    }
