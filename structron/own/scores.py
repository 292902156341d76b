"""Scores of one's own under the engine's searches: arrays in, best outputs, losses and gradients out.

Whatever makes the scores, a neural network or a table, is trained by what a violation says of them. The
engine's side is ``core/tasks/scores/``; `structron.reference.sequence.scored` is the definition for labels,
`structron.tasks.parsing.transitions.scored` for transitions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.engine.choices import engine_search
from structron.engine.outside import Chooser
from structron.errors import DataError, SettingError, StructronError
from structron.search import Search, parse_search
from structron.updates import Update, parse_update

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.uint32]
Scores = Floats | Sequence[Floats]
TASKS = ("labels", "trees", "transitions")
SYSTEMS = {
    "arc-eager": (1, 2),
    "arc-hybrid": (2, 1),
}  # the engine's number, and how many actions have no relation


class Loss(NamedTuple):
    """A loss and its gradients.

    Attributes
    ----------
    losses
        For each input the score of guess less that of gold, margin and all, in the bin that the update method
        chose; 0 where it found nothing to fix. Their sum is the loss.
    gradient
        The derivative of the sum with respect to the scores, in the form of these.
    transitions
        The same with respect to the transitions; None if there are none.
    errors
        How many inputs have an output that is not gold.
    """

    losses: npt.NDArray[np.float64]
    gradient: Any
    transitions: Floats | None
    errors: int


def structured_loss(
    scores: Scores,
    gold: Sequence[Any],
    *,
    task: str = "labels",
    search: str | Search | None = None,
    update: str | Update | Callable[[Any], Any] = "max_violation",
    margin: float = 1.0,
    transitions: Floats | None = None,
    system: str = "arc-hybrid",
    threads: int = 1,
) -> Loss:
    """Search with the scores of a batch, and return the loss and its gradient.

    Parameters
    ----------
    scores
        For ``labels`` an array of positions by labels for each input; for ``trees`` one of heads (the root
        first) by words by relations; for ``transitions`` one of states by actions: by the word on top of the
        stack, by the word in front of the buffer (0 is none), by actions (`transition_actions`).
    gold
        For ``labels`` the labels of each input, by number; otherwise a pair of heads and relations.
    search
        For ``labels`` ``exact`` or a beam, for ``trees`` ``forest``, the best without crossing arcs, or
        ``mst``. Left out, it is the exact one. For ``transitions`` ``greedy`` or a beam; without, ``beam:8``.
    update
        An update method by name, or a function of one's own.
    margin
        Every wrong label or arc scores so much more in search: with exact search the loss is the structured
        hinge.
    transitions
        For ``labels``: the score of each label after each other, and, as the last row, at the start.
    system
        For ``transitions``: ``arc-hybrid`` or ``arc-eager``. Gold is the derivation of the static oracle.
    threads
        How many search at a time; the result does not depend on it.

    Examples
    --------
    >>> scores = [np.array([[0.0, 2.0], [1.0, 0.5]])]
    >>> found = structured_loss(scores, [[0, 0]], update="standard")
    >>> found.losses.tolist(), found.gradient[0].tolist()
    ([3.5], [[-1.0, 1.0], [-1.0, 1.0]])
    """
    how, method = _search(search, task), parse_update(update)
    batch = _Batch.of(scores, task, transitions, system)
    if method.name == "laso":
        raise SettingError("laso changes scores while it searches, and these are given; use max_violation")
    losses, gradient, after, errors = _searched(batch, gold, task, how, method, margin, threads, system)
    shaped = None if transitions is None else after.reshape(np.shape(transitions))
    return Loss(losses, batch.like_scores(gradient), shaped, errors)


def best_outputs(
    scores: Scores,
    *,
    task: str = "labels",
    search: str | Search | None = None,
    transitions: Floats | None = None,
    system: str = "arc-hybrid",
) -> list[Any]:
    """Return the best output for each input: labels by number, or a pair of heads and relations.

    Examples
    --------
    >>> best_outputs([np.array([[0.0, 2.0], [1.0, 0.5]])])[0].tolist()
    [1, 0]
    """
    how = _search(search, task)
    batch = _Batch.of(scores, task, transitions, system)
    if task == "trees":
        heads, relations = _core.scored_trees(batch.flat, batch.offsets, batch.labels, how.kind == "mst")
        return list(zip(batch.split(heads), batch.split(relations)))
    if task == "transitions":
        heads, relations = _core.scored_transitions(
            batch.flat, batch.offsets, *batch.relations_of(system), engine_search(how)
        )
        return list(zip(batch.split(heads), batch.split(relations)))
    return batch.split(
        _core.scored_tags(batch.flat, batch.offsets, batch.after, batch.labels, engine_search(how))
    )


def transition_actions(relations: int, system: str = "arc-hybrid") -> list[tuple[str, int]]:
    """Return the actions of a system in their order, each with its relation; -1 where it has none.

    The last word on the stack is attached to the root by ``root``, and all derivations of a sentence are
    equally long.

    Examples
    --------
    >>> transition_actions(1)
    [('shift', -1), ('left', 0), ('right', 0), ('root', 0)]
    """
    bare = ("shift", "reduce")[: SYSTEMS[_system(system)][1]]
    return [(kind, -1) for kind in bare] + [
        (kind, r) for kind in ("left", "right", "root") for r in range(relations)
    ]


def transition_steps(
    gold: Sequence[Any], relations: int, *, system: str = "arc-hybrid"
) -> list[npt.NDArray[np.uint32]]:
    """Return gold's derivation of each tree: a row of top, front and action for each step.

    A local classifier learns from these, and their scores are those of a table of `structured_loss`.

    Examples
    --------
    >>> transition_steps([([2, 0], [0, 0])], 1)[0].tolist()
    [[0, 1, 0], [1, 2, 1], [0, 2, 0], [2, 0, 3]]
    """
    number = SYSTEMS[_system(system)][0]
    lengths = [len(heads) for heads, _ in gold]
    words = np.cumsum([0, *lengths], dtype=np.uint64)
    batch = _Batch(np.zeros(0, np.float32), words, relations, np.zeros(0, np.float32), [])
    try:
        steps = _core.transition_steps(words, relations, number, *batch.gold_trees(gold))
    except ValueError as error:
        raise DataError(f"gold: {error}; lift arcs that cross, and give one word to the root") from None
    rows = steps.reshape(-1, 3)
    ends = (2 * words.astype(np.int64)).tolist()
    return [rows[a:b] for a, b in pairwise(ends)]


def _searched(
    batch: _Batch,
    gold: Sequence[Any],
    task: str,
    how: Search,
    method: Update,
    margin: float,
    threads: int,
    system: str,
) -> tuple[npt.NDArray[np.float64], Floats, Floats, int]:
    """Return losses, both gradients and errors, as the engine finds them."""
    ask = None if method.own is None else Chooser(method.own, method.name)
    try:
        if task == "trees":
            return _core.scored_trees_loss(
                batch.flat, batch.offsets, batch.labels, *batch.gold_trees(gold), margin, how.kind == "mst",
                method.code, ask, threads,
            )  # fmt: skip
        if task == "transitions":
            return _core.scored_transitions_loss(
                batch.flat, batch.offsets, *batch.relations_of(system), *batch.gold_trees(gold), margin,
                engine_search(how), method.code, ask, threads,
            )  # fmt: skip
        return _core.scored_tags_loss(
            batch.flat, batch.offsets, batch.after, batch.labels, batch.gold_labels(gold), margin,
            engine_search(how), method.code, ask, threads,
        )  # fmt: skip
    except StructronError:
        raise
    except _core.ChoiceRefused as error:
        raise SettingError(str(error)) from None
    except ValueError as error:
        raise DataError(f"scores: {error}; compare gold with their shapes") from None


def _search(search: str | Search | None, task: str) -> Search:
    """Return the search; refuse one that the task does not have."""
    if task not in TASKS:
        raise SettingError(f"task {task!r} has no scores of one's own; use {', '.join(TASKS)}")
    how = parse_search(search or {"labels": "exact", "trees": "forest", "transitions": "beam:8"}[task])
    fits = {
        "labels": how.kind == "beam",
        "trees": how.kind in ("forest", "mst") and how.is_exact,
        "transitions": how.kind == "beam" and not how.is_exact,
    }[task]
    if not fits:
        known = {
            "labels": "exact, greedy or a beam",
            "trees": "forest or mst",
            "transitions": "greedy or a beam",
        }
        name = how if how.kind != "own" else type(how).__name__
        raise SettingError(f"search {name}: {task} are not searched so; use {known[task]}")
    return how


def _system(name: str) -> str:
    if name not in SYSTEMS:
        raise SettingError(
            f"system {name!r} has no scores of one's own: its states are more than two words; use "
            + " or ".join(SYSTEMS)
        )
    return name


# What scores of an input are, of how many dimensions, and how many rows they have more than columns.
_FORMS = {
    "labels": ("positions by labels", 2, 0),
    "trees": ("heads by words by relations", 3, 1),
    "transitions": ("tops by fronts by actions", 3, 0),
}


@dataclass(frozen=True)
class _Batch:
    """Many inputs as one array."""

    flat: Floats
    offsets: npt.NDArray[np.uint64]  # in positions, for trees in words
    labels: int
    after: Floats
    shapes: list[tuple[int, ...]]

    @classmethod
    def of(cls, scores: Scores, task: str, transitions: Floats | None, system: str) -> _Batch:
        arrays = [np.asarray(each, np.float32) for each in scores]
        form, dims, more = _FORMS.get(task, _FORMS["labels"])
        for place, each in enumerate(arrays):
            if each.ndim != dims or each.shape[-1] != arrays[0].shape[-1]:
                raise DataError(
                    f"input {place + 1}: scores of shape {each.shape}; give {form}, as many for all"
                )
            if dims == 3 and each.shape[0] != each.shape[1] + more:
                wanted = "one head more than words" if more else "as many tops as fronts, one more than words"
                raise DataError(f"input {place + 1}: scores of shape {each.shape}; give {wanted}")
            if not np.isfinite(each).all():
                raise DataError(f"input {place + 1}: a score is not finite; look for a division by zero")
        labels = arrays[0].shape[-1] if arrays else 1
        lengths = [each.shape[-2] - (task == "transitions") for each in arrays]
        flat = np.concatenate([each.ravel() for each in arrays]) if arrays else np.zeros(0, np.float32)
        after = np.zeros(0, np.float32) if transitions is None else np.asarray(transitions, np.float32)
        if transitions is not None and (task != "labels" or after.shape != (labels + 1, labels)):
            raise DataError(
                f"transitions of shape {after.shape} do not fit {labels} labels; give a row for each label, "
                "and one for the start"
            )
        offsets = np.cumsum([0, *lengths], dtype=np.uint64)
        return cls(
            flat, offsets, labels, np.ascontiguousarray(after).ravel(), [each.shape for each in arrays]
        )

    def split(self, flat: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        """Cut what stands for each position, or word, into inputs."""
        ends = self.offsets.tolist()
        return [flat[a:b] for a, b in pairwise(ends)]

    def like_scores(self, flat: Floats) -> Any:
        """Return an array for each input, in the form of its scores."""
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in self.shapes)]).tolist()
        return [flat[a:b].reshape(shape) for a, b, shape in zip(ends, ends[1:], self.shapes)]

    def relations_of(self, system: str) -> tuple[int, int]:
        """Return how many relations the actions of a system have, and its number."""
        number, bare = SYSTEMS[_system(system)]
        relations, left = divmod(self.labels - bare, 3)
        if left or relations < 1:
            raise DataError(
                f"scores of {self.labels} actions do not fit {system}; give {bare} and three for each "
                "relation, in the order of transition_actions"
            )
        return relations, number

    def gold_labels(self, gold: Sequence[Any]) -> Numbers:
        """Return the labels of all inputs."""
        return self._joined(gold, "labels")

    def gold_trees(self, gold: Sequence[Any]) -> tuple[Numbers, Numbers]:
        """Return the heads and the relations of all inputs."""
        return (
            self._joined([heads for heads, _ in gold], "heads"),
            self._joined([relations for _, relations in gold], "relations"),
        )

    def _joined(self, gold: Sequence[Any], what: str) -> Numbers:
        lengths = np.diff(self.offsets.astype(np.int64)).tolist()
        if len(gold) != len(lengths):
            raise DataError(f"scores for {len(lengths)} inputs and gold for {len(gold)}; give as many")
        arrays = [np.asarray(each, np.int64) for each in gold]
        for place, (each, length) in enumerate(zip(arrays, lengths)):
            if each.shape != (length,) or (each < 0).any():
                raise DataError(
                    f"input {place + 1}: its {what} are not {length} numbers from 0 on; compare them"
                )
        return np.concatenate(arrays).astype(np.uint32) if arrays else np.zeros(0, np.uint32)
