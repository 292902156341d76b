"""Gold without derivations: all that yield a reference, or else the nearest output that can be reached."""

from __future__ import annotations

from collections.abc import Sequence

from structron.tasks.transduction.task import Symbols, TransductionSpace, TransductionState


class ForcedDecoding:
    """Gold: the derivations that yield one of the references (Yu, Huang, Mi & Zhao 2013).

    Attributes
    ----------
    reachable
        Whether there is such a derivation at all.
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
        """Whether the output stays a prefix of a reference that can still be completed."""
        after = self.space.advance(state, action)
        return any(
            reference[: len(after.output)] == after.output and (after.position, len(after.output)) in passed
            for reference, passed in zip(self.references, self._passed)
        )

    def right(self, state: TransductionState, action: int) -> bool:
        """Whether some gold derivation takes this action at this place, wherever this path has been."""
        source, target = self.space.piece(state.position, action)
        return any(
            (state.position, at) in passed
            and reference[at : at + len(target)] == target
            and (state.position + len(source), at + len(target)) in passed
            for reference, passed in zip(self.references, self._passed)
            for at in range(len(reference) + 1)
        )

    def merge_key(self, state: TransductionState) -> tuple[str, ...]:
        """What gold's future depends on beside the state's own key: how far the reference is."""
        return state.output


def gold_of(
    space: TransductionSpace, references: Sequence[Symbols], unreachable: str = "skip"
) -> ForcedDecoding | None:
    """Gold as training sees it: what yields a reference, else the nearest output, or None to leave it out.

    References are given as they are written; the others here take them in the order of reading.
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
    """How many symbols must be put in, left out or changed."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


def nearest_output(space: TransductionSpace, reference: Symbols) -> tuple[list[str], int]:
    """The output of some derivation that is nearest to the reference, and its edit distance.

    A shortest path over the points (source consumed, reference passed). Of equals the first is taken: by
    position, then by action, then as `_passed` says.
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
    """For each place of the reference the price of being there after `target`, and where that began.

    Levenshtein's steps, one emitted symbol at a time. Of equals: a symbol for a symbol, one too many, one too
    few.
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
