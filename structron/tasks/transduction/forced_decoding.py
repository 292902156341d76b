"""Gold without derivations: all derivations that yield a reference, or the nearest reachable output."""

from __future__ import annotations

from collections.abc import Sequence

from structron.tasks.transduction.space import Symbols, TransductionSpace, TransductionState


class ForcedDecoding:
    """Gold: the derivations that yield one of the references (Yu, Huang, Mi & Zhao 2013).

    Attributes
    ----------
    reachable
        True if there is such a derivation.
    """

    def __init__(self, space: TransductionSpace, references: Sequence[Symbols]) -> None:
        self.space = space
        self.references = [tuple(reference) for reference in references]
        # For each reference the points (source consumed, reference emitted) that some gold derivation passes.
        self._passed = [self._points(reference) for reference in self.references]
        self.reachable = any(self._passed)

    def _points(self, reference: tuple[str, ...]) -> set[tuple[int, int]]:
        end = (len(self.space.source), len(reference))
        forth = {(0, 0)}
        arcs: list[tuple[tuple[int, int], tuple[int, int]]] = []
        for position in range(len(self.space.source)):
            pieces = [self.space.piece(position, action) for action in self.space.actions_at(position)]
            for point in sorted(p for p in forth if p[0] == position):
                for source, target in pieces:
                    if reference[point[1] : point[1] + len(target)] == target:
                        after = (position + len(source), point[1] + len(target))
                        forth.add(after)
                        arcs.append((point, after))
        back = {end} & forth
        for point, after in reversed(arcs):
            if after in back:
                back.add(point)
        return back

    def allows(self, state: TransductionState, action: int) -> bool:
        """Return True if the output stays a prefix of a reference that can still be completed."""
        after = self.space.advance(state, action)
        return any(
            reference[: len(after.output)] == after.output and (after.position, len(after.output)) in passed
            for reference, passed in zip(self.references, self._passed)
        )

    def right(self, state: TransductionState, action: int) -> bool:
        """Return True if some gold derivation takes this action at this place, whatever the path before."""
        source, target = self.space.piece(state.position, action)
        return any(
            (state.position, at) in passed
            and reference[at : at + len(target)] == target
            and (state.position + len(source), at + len(target)) in passed
            for reference, passed in zip(self.references, self._passed)
            for at in range(len(reference) + 1)
        )

    def merge_key(self, state: TransductionState) -> tuple[str, ...]:
        """Return the part of gold's state that the key lacks: the position in the reference."""
        return state.output


def gold_of(
    space: TransductionSpace, references: Sequence[Symbols], unreachable: str = "skip"
) -> ForcedDecoding | None:
    """Return gold for training, or None to skip the pair.

    Gold are the derivations of a reference, else of the nearest output. References are given as they are
    written; the other functions here take them in the order of reading.
    """
    references = [space.task.turned(reference) for reference in references]
    gold = ForcedDecoding(space, references)
    if gold.reachable:
        return gold
    if unreachable == "skip" or not references:
        return None
    nearest, _ = min((nearest_output(space, each) for each in references), key=lambda found: found[1])
    return ForcedDecoding(space, [nearest])


def edit_distance(a: Symbols, b: Symbols) -> int:
    """Count the symbols that must be inserted, deleted or replaced."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


def nearest_output(space: TransductionSpace, reference: Symbols) -> tuple[list[str], int]:
    """Find the output of some derivation that is nearest to the reference, and its edit distance.

    This is a shortest path over the points (source consumed, reference passed). Ties go to the first: by
    position, then by action, then in the order of `_passed`.
    """
    n, m = len(space.source), len(reference)
    far = 8 * n + m + 1  # no pair emits more than eight symbols
    cost = [[far] * (m + 1) for _ in range(n + 1)]
    back: dict[tuple[int, int], tuple[int, int, int | None]] = {}
    cost[0][0] = 0
    for i in range(n + 1):
        for j in range(m):
            if cost[i][j] + 1 < cost[i][j + 1]:
                cost[i][j + 1] = cost[i][j] + 1
                back[i, j + 1] = (i, j, None)
        for action in space.actions_at(i):
            source, target = space.piece(i, action)
            for j, (price, origin) in enumerate(_passed(cost[i], target, reference)):
                if price < cost[i + len(source)][j]:
                    cost[i + len(source)][j] = price
                    back[i + len(source), j] = (i, origin, action)
    actions: list[int] = []
    i, j = n, m
    while (i, j) != (0, 0):
        i, j, taken = back[i, j]
        actions += [] if taken is None else [taken]
    return space.task.turned(space.task.emitted(reversed(actions))), cost[n][m]


def _passed(row: Sequence[int], target: Symbols, reference: Symbols) -> list[tuple[int, int]]:
    """Return for each place of the reference the cost of reaching it after `target`, and where that began.

    These are Levenshtein's steps, one emitted symbol at a time. Ties prefer a replacement, then an extra
    symbol, then a missing one.
    """
    now = [(price, j) for j, price in enumerate(row)]
    for symbol in target:
        after: list[tuple[int, int]] = []
        for j, (price, origin) in enumerate(now):
            best = (price + 1, origin)
            if j > 0:
                same = (now[j - 1][0] + (symbol != reference[j - 1]), now[j - 1][1])
                best = same if same[0] <= best[0] else best
                fewer = (after[j - 1][0] + 1, after[j - 1][1])
                best = fewer if fewer[0] < best[0] else best
            after.append(best)
        now = after
    return now
