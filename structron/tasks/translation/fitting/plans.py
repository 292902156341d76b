"""Plans of translation before training: tables, tuned weights, and halves of a development set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from structron.fit.checkpoints.checkpoints import Preparation
from structron.fit.data.examples import Examples
from structron.fit.problem import Context, Plan
from structron.fit.schedules.schedule import Stage
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.fitting.bitext import Bitext
from structron.tasks.translation.fitting.findings import Findings, known_words
from structron.tasks.translation.fitting.tuning import start, tuned_on
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.inputs import Lines
from structron.tasks.translation.settings import TranslationRecipe
from structron.tasks.translation.words.source_words import SourceWords

# Without a development set, tuning uses a tenth of the training data, at most MOST pairs. With fewer than
# FEWEST pairs weights would be tuned to noise, so they stay unchanged.
SHARE, MOST, FEWEST = 10, 500, 10

AnyTask = TranslationTask | HieroTask
TranslationPlan = Plan[AnyTask, TranslationRecipe, Lines, Findings]
TranslationContext = Context[TranslationRecipe, Lines]


def seen(examples: Examples[Lines], source_words: SourceWords) -> Examples[Lines]:
    """Return examples with their sources as the tables know them."""
    return replace(examples, xs=[source_words.seen(x) for x in examples.xs])


def aligned(
    plan: TranslationPlan, ngrams: NGrams | None, threads: int, stage: Stage | None
) -> TranslationPlan:
    """Return the plan with all pairs aligned; `ngrams` is a language model from elsewhere."""
    recipe, given = plan.recipe, plan.examples
    source_words = SourceWords.of(given.xs, recipe.compounds, recipe.forms)
    given = seen(given, source_words)
    bitext = Bitext.of(given.xs, given.ys, threads, stage)
    empty = sum(map(len, given.ys)) - len(bitext.sources)
    findings = Findings(
        empty=empty, bitext=bitext, ngrams=ngrams, source_words=source_words, writing=given.source.writing
    )
    return replace(plan, examples=given, findings=findings)


def with_tables(plan: TranslationPlan, context: TranslationContext) -> TranslationPlan:
    """Return the plan with tables of all pairs and weights before tuning."""
    findings, recipe = plan.findings, plan.recipe
    assert findings.bitext is not None
    task = findings.bitext.task(recipe, context.stage, findings.ngrams)
    task = replace(
        task, tuned=start(task.dense_names), source_words=findings.source_words, writing=findings.writing
    )
    words, targets = known_words(task)
    if not recipe.learns:
        recipe = recipe.but(epochs=0)
    return replace(plan, recipe=recipe, task=task, findings=replace(findings, words=words, targets=targets))


def in_folds(plan: TranslationPlan, context: TranslationContext) -> TranslationPlan:
    """Return the plan with examples to learn from, none of which sees tables that it is in itself."""
    recipe, task, given, bitext = plan.recipe, plan.task, plan.examples, plan.findings.bitext
    assert bitext is not None
    if isinstance(task, TranslationTask) and len(given.ys) >= FEWEST * recipe.folds > 0:
        folds, ys = bitext.jackknifed(recipe, given.ys, context.stage, plan.findings.ngrams)
        return replace(plan, task=replace(task, folds=folds), examples=replace(given, ys=ys))
    return replace(plan, examples=replace(given, ys=bitext.supplied(recipe, task.phrases, given.ys)))


def tuned_plan(
    plan: TranslationPlan,
    held_out: Examples[Lines] | None,
    ngrams: NGrams | None,
    threads: int,
    stage: Stage | None,
    preparation: Preparation,
) -> TranslationPlan:
    """Return the plan with tuned dense weights, from held-out examples or a part of the training data."""
    bitext = plan.findings.bitext
    findings = replace(plan.findings, bitext=None, ngrams=None)
    recipe, task, tuner = plan.recipe, plan.task, plan.recipe.tuner
    if tuner is None:
        return replace(plan, findings=findings)
    if held_out is None:
        if bitext is None:
            return plan
        owners = np.unique(bitext.owner)
        count = min(len(owners) // SHARE, MOST)
        if count < FEWEST:
            return replace(plan, findings=findings)
        chosen = np.random.default_rng(recipe.seed).permutation(owners)[:count].tolist()
        # Tuning sees tables without these pairs; afterwards they are made of all pairs.
        known = bitext.without(chosen).task(recipe, stage, ngrams)
        sentences = [(plan.examples.xs[i], plan.examples.ys[i]) for i in chosen]
    else:
        tuning, _ = halves(recipe, held_out)
        known, sentences = task, list(zip(tuning.xs, tuning.ys))
    found = tuned_on(replace(known, templates=()), sentences, recipe, tuner, preparation, threads, stage)
    rounds = tuple((each / 100, ratio) for each, ratio in found.rounds)
    return replace(plan, task=replace(task, tuned=found.weights), findings=replace(findings, tuning=rounds))


def settled_plan(
    plan: TranslationPlan, held_out: Examples[Lines], threads: int, stage: Stage | None
) -> TranslationPlan:
    """Return the plan with the dense weights of a training that learns nothing else: tuned on both halves."""
    if halves(plan.recipe, held_out)[0] is held_out:
        return plan
    dense = replace(plan, recipe=plan.recipe.but(epochs=0))
    found = tuned_plan(dense, held_out, None, threads, stage, Preparation())
    return replace(found, recipe=plan.recipe)


def halves(recipe: TranslationRecipe, held_out: Examples[Lines]) -> tuple[Examples[Lines], Examples[Lines]]:
    """Return one half of the development data for tuning, and one for choosing an epoch.

    Dense weights fit the data they were tuned on, where the start would look better than any epoch.
    """
    half = len(held_out.xs) // 2
    if not recipe.learns or half < FEWEST:
        return held_out, held_out
    second = replace(
        held_out,
        xs=held_out.xs[half:],
        ys=held_out.ys[half:],
        place=lambda i: held_out.place(half + i),
    )
    return replace(held_out, xs=held_out.xs[:half], ys=held_out.ys[:half]), second
