"""Explain the output of a model for one input.

The best derivation is taken from the engine; the features of each of its decisions are extracted again in
plain Python, with names, and their weights looked up. Nothing is stored for it in the model's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from structron.errors import SettingError
from structron.explaining.explanation import Decision, Explanation, WeightTable, decided
from structron.explaining.graphs import explain_tree
from structron.explaining.names import Namer, ParseNames, SymbolNames, TagNames, TextNames, ready_names
from structron.features.tagging.templates import order_of
from structron.model import Model
from structron.tasks.classification import ClassificationTask
from structron.tasks.parsing import GraphParsingTask, ParsingTask
from structron.tasks.parsing.graph.frozen import FrozenGraph
from structron.tasks.segmentation import SegmentationTask
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.dictionary import Dictionary
from structron.tasks.tagging.space import TaggingSpace
from structron.tasks.task import engine_search
from structron.tasks.transduction import TransductionTask


def explain(model: Model[Any], x: Any) -> Explanation:
    """Why a model predicts what it does for one input, given as the engine takes it."""
    task, table = model.task, WeightTable(model.rows)
    if isinstance(task, GraphParsingTask):
        tree, score = built_tree(model, x)
        return Explanation(_tree_text(tree), score, tuple(explain_tree(task, x, tree, table)))
    namer = namer_of(task, x, model.about)
    trace = model.trace(x, None)
    best_path = trace.best(trace.final)
    return Explanation(
        _output(task, best_path.actions),
        float(best_path.score),
        tuple(_decisions(namer, best_path.actions, table)),
    )


def namer_of(task: Any, x: Any, about: Mapping[str, Any] | None = None) -> Namer:
    """What tells the features of an input by name; a task that has none is refused."""
    if isinstance(task, TaggingTask):
        if task.ready:
            blanks = [("",)] * len(x)
            ready = [ready_names(token) for token in x]
            return TagNames(task.space(blanks), blanks, task.parsed, task.tags, task.bits, ready)
        space = task.space(x)
        return TagNames(space, space.tokens, task.parsed, task.tags, task.bits)
    if isinstance(task, SegmentationTask):
        tokens = [columns for _, _, columns in task.units(x)]
        shape = order_of(task.parsed), task.rules, Dictionary.empty()
        space = TaggingSpace(tokens, len(task.labels), task.parsed, *shape, task.bits)
        return TagNames(space, tokens, task.parsed, task.labels, task.bits)
    if isinstance(task, ParsingTask):
        if task.experts:
            raise SettingError(
                "several parsers have a say in this output, and explain is of one; train one without combine"
            )
        return ParseNames(task, x)
    if isinstance(task, TransductionTask):
        return SymbolNames(task, list(x))
    if isinstance(task, ClassificationTask):
        width = (about or {}).get("width")
        return TextNames(task, x, width if isinstance(width, int) else 0)
    raise SettingError(f"explain is not for {task.kind}, whose features have no names yet; use show")


def _decisions(namer: Namer, actions: tuple[int, ...], table: WeightTable) -> list[Decision]:
    found, state = [], namer.space.initial()
    for action in actions:
        others = (
            (namer.label(state, other), table.weigh(namer.features(state, other)))
            for other in namer.space.actions(state)
            if other != action
        )
        own = namer.label(state, action), table.weigh(namer.features(state, action))
        found.append(decided(namer.about(state), own, others))
        state = namer.space.advance(state, action)
    return found


def _output(task: Any, actions: tuple[int, ...]) -> str:
    if isinstance(task, TaggingTask):
        return " ".join(task.labels_of(actions))
    if isinstance(task, SegmentationTask):
        return " ".join(task.labels[action] for action in actions)
    if isinstance(task, TransductionTask):
        return " ".join(task.emitted(actions))
    if isinstance(task, ClassificationTask):
        if task.many:
            return " ".join(label for label, given in zip(task.labels, actions) if given)
        return task.labels[actions[0]]
    return " ".join(task.transitions[action] for action in actions)


def built_tree(model: Model[GraphParsingTask], x: Any) -> tuple[Any, float]:
    """The best tree as it was built, with its score."""
    return cast(FrozenGraph, model.engine).built(x, engine_search(model.search))


def _tree_text(tree: Any) -> str:
    return " ".join(f"{head}:{label}" for head, label in zip(*tree))
