"""Scores of one's own under the engine's searches: arrays in, best outputs, losses and gradients out.

Whatever makes the scores, a neural network or a table, is trained by what a violation says of them. The
engine's side is ``core/tasks/scores/``; `structron.reference.sequence.scored` is the definition.
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
TASKS = ("labels", "trees")


class Loss(NamedTuple):
    """What is lost, and how to lose less.

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
    threads: int = 1,
) -> Loss:
    """Search with the scores of a batch, and return the loss and its gradient.

    Parameters
    ----------
    scores
        For ``labels`` an array of positions by labels for each input; for ``trees`` one of heads (the root
        first) by words by relations.
    gold
        For ``labels`` the labels of each input, by number; for ``trees`` a pair of heads and relations.
    search
        For ``labels`` ``exact`` or a beam, for ``trees`` ``forest``, the best without crossing arcs, or
        ``mst``. Left out, it is the exact one.
    update
        An update method by name, or a function of one's own.
    margin
        Every wrong label or arc scores so much more in search: with exact search the loss is the structured
        hinge.
    transitions
        For ``labels``: the score of each label after each other, and, as the last row, at the start.
    threads
        How many search at a time; the result does not depend on it.

    Examples
    --------
    >>> scores = [np.array([[0.0, 2.0], [1.0, 0.5]])]
    >>> found = structured_loss(scores, [[0, 0]], update="standard")
    >>> found.losses.tolist(), found.gradient[0].tolist()
    ([3.5], [[-1.0, 1.0], [-1.0, 1.0]])
    """
    batch = _Batch.of(scores, task, transitions)
    how, method = _search(search, task), parse_update(update)
    if method.name == "laso":
        raise SettingError("laso changes scores while it searches, and these are given; use max_violation")
    losses, gradient, after, errors = _searched(batch, gold, task, how, method, margin, threads)
    shaped = None if transitions is None else after.reshape(np.shape(transitions))
    return Loss(losses, batch.like_scores(gradient), shaped, errors)


def best_outputs(
    scores: Scores,
    *,
    task: str = "labels",
    search: str | Search | None = None,
    transitions: Floats | None = None,
) -> list[Any]:
    """Return the best output for each input: labels by number; for ``trees`` a pair of heads and relations.

    Examples
    --------
    >>> best_outputs([np.array([[0.0, 2.0], [1.0, 0.5]])])[0].tolist()
    [1, 0]
    """
    batch, how = _Batch.of(scores, task, transitions), _search(search, task)
    if task == "trees":
        heads, relations = _core.scored_trees(batch.flat, batch.offsets, batch.labels, how.kind == "mst")
        return list(zip(batch.split(heads), batch.split(relations)))
    return batch.split(
        _core.scored_tags(batch.flat, batch.offsets, batch.after, batch.labels, engine_search(how))
    )


def _searched(
    batch: _Batch, gold: Sequence[Any], task: str, how: Search, method: Update, margin: float, threads: int
) -> tuple[npt.NDArray[np.float64], Floats, Floats, int]:
    """Return losses, both gradients and errors, as the engine finds them."""
    ask = None if method.own is None else Chooser(method.own, method.name)
    try:
        if task == "trees":
            return _core.scored_trees_loss(
                batch.flat, batch.offsets, batch.labels, *batch.gold_trees(gold), margin, how.kind == "mst",
                method.code, ask, threads,
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
        raise SettingError(f"task {task!r} has no scores of one's own; use {' or '.join(TASKS)}")
    how = parse_search(search or ("forest" if task == "trees" else "exact"))
    fits = how.kind == "beam" if task == "labels" else how.kind in ("forest", "mst") and how.is_exact
    if not fits:
        known = "exact, greedy or a beam" if task == "labels" else "forest or mst"
        raise SettingError(f"search {how}: {task} are not searched so; use {known}")
    return how


@dataclass(frozen=True)
class _Batch:
    """Many inputs as one array."""

    flat: Floats
    offsets: npt.NDArray[np.uint64]  # in positions, for trees in words
    labels: int
    after: Floats
    shapes: list[tuple[int, ...]]

    @classmethod
    def of(cls, scores: Scores, task: str, transitions: Floats | None) -> _Batch:
        arrays = [np.asarray(each, np.float32) for each in scores]
        dims = 3 if task == "trees" else 2
        for place, each in enumerate(arrays):
            if each.ndim != dims or each.shape[-1] != arrays[0].shape[-1]:
                wanted = "heads by words by relations" if dims == 3 else "positions by labels"
                raise DataError(
                    f"input {place + 1}: scores of shape {each.shape}; give {wanted}, as many for all"
                )
            if dims == 3 and each.shape[0] != each.shape[1] + 1:
                raise DataError(
                    f"input {place + 1}: scores of shape {each.shape}; give one head more than words"
                )
            if not np.isfinite(each).all():
                raise DataError(f"input {place + 1}: a score is not finite; look for a division by zero")
        labels = arrays[0].shape[-1] if arrays else 1
        lengths = [each.shape[-2] for each in arrays]
        flat = np.concatenate([each.ravel() for each in arrays]) if arrays else np.zeros(0, np.float32)
        after = np.zeros(0, np.float32) if transitions is None else np.asarray(transitions, np.float32)
        if transitions is not None and (task == "trees" or after.shape != (labels + 1, labels)):
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
