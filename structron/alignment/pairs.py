"""Alignment of pairs: sequences are cut into matching pieces, learned from the pairs alone by EM.

The definition is `structron.reference.text.alignment`; this is the engine's way of doing it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.errors import SettingError
from structron.io.files.step_cache import CachedStep, cached_step
from structron.reference.text.alignment import MAXIMISE, Piece

ALIGNED, IMPOSSIBLE, TOO_LONG = 0, 1, 2


@dataclass(frozen=True)
class Aligner:
    """The settings of alignment in pairs (Jiampojamarn, Kondrak & Sherif 2007).

    Parameters
    ----------
    source, target
        The most symbols of a piece on either side; a piece has at least one source symbol.
    deletions
        Whether a source symbol may stand for nothing.
    both
        Whether both sides of a piece may have several symbols.
    maximise
        The total that a piece's weight is a share of: ``joint`` (all pieces), ``target_given_source`` or
        ``source_given_target``.
    iterations, tolerance
        EM ends after this many iterations, or when one gains less than this per pair.

    Examples
    --------
    >>> pairs = [("phone", "F OW N"), ("hen", "HH EH N"), ("pen", "P EH N"), ("one", "W AH N")]
    >>> found = Aligner().align([(word, sounds.split()) for word, sounds in pairs])
    >>> found.pieces(0)
    [(('p', 'h'), ('F',)), (('o',), ('OW',)), (('n', 'e'), ('N',))]
    """

    source: int = 2
    target: int = 2
    deletions: bool = True
    both: bool = False
    maximise: str = "joint"
    iterations: int = 20
    tolerance: float = 1e-3

    def __post_init__(self) -> None:
        if not (1 <= self.source <= 15 and 1 <= self.target <= 15):
            raise SettingError(
                f"pieces of up to {self.source}:{self.target} symbols; choose 1 to 15 on either side"
            )
        if self.maximise not in MAXIMISE:
            raise SettingError(f"cannot maximise {self.maximise!r}; choose {', '.join(MAXIMISE)}")
        if self.iterations < 1:
            raise SettingError(f"{self.iterations} iterations; EM needs at least one")

    def align(
        self,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
        progress: Callable[[int, int], None] | None = None,
    ) -> Alignment:
        """Learn the pieces' weights from pairs and find the best alignment of each.

        Parameters
        ----------
        progress
            Called after each iteration with its number and the most there will be.
        """
        texts = list(pairs)
        engine, spellings = engine_of(self, texts)
        kept = cached_step("alignment", repr(self), [(list(x), list(y)) for x, y in texts])
        likelihoods = _resumed(engine, kept)
        expected = math.nan
        try:
            while not self._is_over(likelihoods, len(texts)):
                expected = engine.expect()
                engine.maximise()
                likelihoods.append(expected)
                if progress is not None:
                    progress(len(likelihoods), self.iterations)
                if kept.is_due:
                    _keep(engine, kept, likelihoods)
        except KeyboardInterrupt:
            # An interrupt may come after the engine's step and before it is recorded here.
            _keep(engine, kept, [*likelihoods, expected][: engine.steps])
            raise
        return aligned_by(engine, texts, spellings, likelihoods)

    def _is_over(self, likelihoods: Sequence[float], pairs: int) -> bool:
        # The first weights are not probabilities, so that the first gain says nothing.
        settled = len(likelihoods) > 2 and likelihoods[-1] - likelihoods[-2] < self.tolerance * pairs
        return settled or len(likelihoods) >= self.iterations


def aligned_by(
    engine: _core.Aligner,
    texts: list[tuple[Sequence[str], Sequence[str]]],
    spellings: list[Piece],
    likelihoods: list[float],
) -> Alignment:
    """Return the best alignments that an engine finds with its weights."""
    offsets, best = engine.best()
    weights = engine.weights()
    counts = np.bincount(best, minlength=len(weights))
    return Alignment(
        texts, engine.alignable(), likelihoods, spellings, offsets, best, counts, engine.counts(), weights
    )


def _keep(engine: _core.Aligner, kept: CachedStep, likelihoods: Sequence[float]) -> None:
    """Keep what the iterations with these likelihoods have found out."""
    if likelihoods:
        kept.keep(
            {"likelihoods": list(likelihoods)}, {"weights": engine.weights(), "counts": engine.counts()}
        )


def _resumed(engine: _core.Aligner, kept: CachedStep) -> list[float]:
    """Restore the iterations that were made before, and return their likelihoods."""
    if not kept.header:
        return []
    try:
        likelihoods = [float(each) for each in kept.header["likelihoods"]]
        engine.restore(kept.arrays["weights"], kept.arrays["counts"], len(likelihoods))
        return likelihoods
    except (KeyError, TypeError, ValueError) as error:
        raise kept.refused(error) from None


def engine_of(
    aligner: Aligner, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> tuple[_core.Aligner, list[Piece]]:
    """Return the engine's aligner of these pairs, untrained, and all its pieces; number 0 is none."""
    sources, targets = _numbered([x for x, _ in pairs]), _numbered([y for _, y in pairs])
    engine = _core.Aligner(
        sources.flat,
        sources.offsets,
        targets.flat,
        targets.offsets,
        aligner.source,
        aligner.target,
        aligner.deletions,
        aligner.both,
        MAXIMISE.index(aligner.maximise),
    )
    columns = [column.tolist() for column in engine.pieces()]
    x, y = ([numbers.names[s] for s in numbers.flat.tolist()] for numbers in (sources, targets))
    return engine, [(tuple(x[i : i + k]), tuple(y[j : j + n])) for i, k, j, n in zip(*columns)]


@dataclass(frozen=True)
class _Numbers:
    """Sequences of symbols as numbers, in one array."""

    names: list[str]
    flat: npt.NDArray[np.uint32]
    offsets: npt.NDArray[np.uint64]


def _numbered(texts: list[Sequence[str]]) -> _Numbers:
    numbers: dict[str, int] = {}
    flat = np.fromiter(
        (numbers.setdefault(symbol, len(numbers)) for symbol in chain.from_iterable(texts)), dtype=np.uint32
    )
    offsets = np.zeros(len(texts) + 1, dtype=np.uint64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    return _Numbers(list(numbers), flat, offsets)


@dataclass(frozen=True)
class Alignment:
    """The best alignment of each pair, and statistics of the training."""

    pairs: list[tuple[Sequence[str], Sequence[str]]]
    status: npt.NDArray[np.uint8]
    likelihoods: list[float]
    _spellings: list[Piece]
    _offsets: npt.NDArray[np.uint64]
    _best: npt.NDArray[np.uint32]
    _counts: npt.NDArray[np.int64]
    _expected: npt.NDArray[np.float64]
    _weights: npt.NDArray[np.float64]

    def weights(self) -> dict[Piece, float]:
        """Return the weight of each piece that EM has found; those of no weight are left out."""
        return {piece: w for piece, w in zip(self._spellings, self._weights.tolist()) if w > 0.0 and piece[0]}

    def __len__(self) -> int:
        return len(self.pairs)

    def pieces(self, i: int) -> list[Piece] | None:
        """Return the pieces of pair `i` in order; None if it cannot be aligned."""
        if self.status[i] != ALIGNED:
            return None
        return [self._spellings[p] for p in self._best[self._offsets[i] : self._offsets[i + 1]].tolist()]

    @property
    def impossible(self) -> int:
        """Count the pairs without alignment: their target is too long for their source."""
        return int((self.status == IMPOSSIBLE).sum())

    @property
    def too_long(self) -> int:
        """Count the pairs left out because they have too many symbols (some 700 on both sides)."""
        return int((self.status == TOO_LONG).sum())

    def left_out(self) -> str | None:
        """Return one line about the pairs that were not aligned; None if all were."""
        parts = []
        if self.impossible:
            pairs = "pair has" if self.impossible == 1 else "pairs have"
            parts.append(f"{self.impossible:,} {pairs} no alignment (too many target symbols)")
        if self.too_long:
            pairs = "pair is" if self.too_long == 1 else "pairs are"
            parts.append(f"{self.too_long:,} {pairs} too long to be aligned")
        return "; ".join(parts) or None

    def inventory(self, least: int = 1) -> dict[Piece, int]:
        """Return the pieces of the best alignments with their counts, most frequent first.

        Parameters
        ----------
        least
            Leave out pieces that occur fewer times. Every source symbol keeps one piece of its own whatever
            its count: the most frequent, else the one EM expected most, else its deletion.
        """
        found: dict[Piece, int] = {}
        covered: set[str] = set()
        for p in np.lexsort((-self._expected, -self._counts)).tolist():  # ties keep the order of first sight
            piece, count = self._spellings[p], int(self._counts[p])
            alone = len(piece[0]) == 1 and piece[0][0] not in covered
            if alone:
                covered.add(piece[0][0])
            if alone or count >= max(least, 1):
                found[piece] = count
        for symbol in dict.fromkeys(chain.from_iterable(x for x, _ in self.pairs)):
            if symbol not in covered:
                found[(symbol,), ()] = 0
        return found
