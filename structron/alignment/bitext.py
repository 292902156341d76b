"""Word alignment of parallel text, by the engine.

The definitions are `structron.alignment.word_alignment` and
`structron.alignment.symmetrisation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.alignment.symmetrisation import METHODS, Link
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.engine.processors import useful_threads
from structron.errors import SettingError
from structron.io.files.step_cache import CachedStep, cached_step

MOST_THREADS = 1024


@dataclass(frozen=True)
class Links:
    """Word links of pairs of sentences, sorted; those of pair i are at ``offsets[i]:offsets[i + 1]``."""

    offsets: npt.NDArray[np.uint64]
    source: npt.NDArray[np.uint32]
    target: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> list[Link]:
        begin, end = int(self.offsets[i]), int(self.offsets[i + 1])
        return list(zip(self.source[begin:end].tolist(), self.target[begin:end].tolist()))

    def __iter__(self) -> Iterator[list[Link]]:
        return (self[i] for i in range(len(self)))

    @classmethod
    def of(cls, pairs: Iterable[Iterable[Link]]) -> Links:
        """Convert links to arrays."""
        kept = [sorted(set(links)) for links in pairs]
        offsets = np.zeros(len(kept) + 1, np.uint64)
        np.cumsum([len(links) for links in kept], out=offsets[1:])
        flat = np.array([link for links in kept for link in links], np.uint32).reshape(-1, 2)
        return cls(offsets, np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1]))

    @property
    def arrays(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return the arrays that the engine takes."""
        return self.offsets, self.source, self.target


def symmetrised(forth: Links, back: Links, method: str = METHODS[-1]) -> Links:
    """Merge the links of two directions."""
    if method not in METHODS:
        raise SettingError(f"cannot symmetrise by {method!r}; choose {', '.join(METHODS)}")
    return Links(*_core.symmetrise(forth.arrays, back.arrays, METHODS.index(method)))


@dataclass(frozen=True)
class BitextAligner:
    """The settings of word alignment in parallel text.

    Parameters
    ----------
    model1, hmm
        Iterations of EM with Model 1, then with the hidden Markov model.
    null
        The share of words that correspond to nothing.
    uniform
        The share of jumps that go anywhere in the sentence.
    agree
        Whether a link counts as much as both directions expect it (Liang, Taskar & Klein 2006).
    symmetrise
        How the two directions become one alignment: ``intersection``, ``union`` or ``grow-diag-final-and``.
    threads
        The result is the same for any number of them.

    Examples
    --------
    >>> sources = ["das haus", "das buch", "ein buch"]
    >>> targets = ["the house", "the book", "a book"]
    >>> links = BitextAligner().align([s.split() for s in sources], [t.split() for t in targets])
    >>> list(links)
    [[(0, 0), (1, 1)], [(0, 0), (1, 1)], [(0, 0), (1, 1)]]
    """

    model1: int = 3
    hmm: int = 5
    null: float = 0.05
    uniform: float = 0.1
    agree: bool = True
    symmetrise: str = METHODS[-1]
    threads: int = 1

    def __post_init__(self) -> None:
        if self.model1 < 0 or self.hmm < 0:
            raise SettingError(f"{self.model1} and {self.hmm} iterations; choose 0 or more")
        if not (0 < self.null < 1 and 0 < self.uniform < 1):
            raise SettingError(f"shares of {self.null} and {self.uniform}; choose between 0 and 1")
        if self.symmetrise not in METHODS:
            raise SettingError(f"cannot symmetrise by {self.symmetrise!r}; choose {', '.join(METHODS)}")
        if not 1 <= self.threads <= MOST_THREADS:
            raise SettingError(f"{self.threads} threads; choose 1 to {MOST_THREADS}")
        useful_threads(self.threads)

    def align(
        self,
        sources: Sequence[Sequence[str]],
        targets: Sequence[Sequence[str]],
        progress: Callable[[int, int], None] | None = None,
    ) -> Links:
        """Align sentences of words; report the iterations done and in all to `progress`."""
        vocabularies = Vocabulary.of(sources), Vocabulary.of(targets)
        texts = vocabularies[0].number(sources), vocabularies[1].number(targets)
        return self.align_numbered(*texts, (len(vocabularies[0]), len(vocabularies[1])), progress)

    def align_numbered(
        self,
        sources: Numbered,
        targets: Numbered,
        words: tuple[int, int],
        progress: Callable[[int, int], None] | None = None,
    ) -> Links:
        """Align sentences of numbers that are below `words`, one limit for each side."""
        engine = self.learned(sources, targets, words, progress)
        return best_links(engine, sources, targets, self.symmetrise)

    def learned(
        self,
        sources: Numbered,
        targets: Numbered,
        words: tuple[int, int],
        progress: Callable[[int, int], None] | None = None,
    ) -> _core.WordAligner:
        """Return the engine's aligner after all iterations."""
        if len(sources) != len(targets):
            raise SettingError(
                f"{len(sources):,} sources and {len(targets):,} targets; give a target for each source"
            )
        engine = engine_of(self, sources, targets, words)
        total = self.model1 + self.hmm
        settings = {
            name: value for name, value in asdict(self).items() if name not in ("threads", "symmetrise")
        }
        texts = (sources.words, sources.offsets, targets.words, targets.offsets)
        kept = cached_step("alignment", settings, words, *texts)
        _resume(engine, kept)
        try:
            while engine.steps < total:
                engine.step(engine.steps >= self.model1)
                if progress is not None:
                    progress(engine.steps, total)
                if kept.is_due:
                    _keep(engine, kept)
        except KeyboardInterrupt:
            _keep(engine, kept)
            raise
        return engine


def best_links(engine: _core.WordAligner, sources: Numbered, targets: Numbered, symmetrise: str) -> Links:
    """Return the best links of both directions as one alignment."""
    forth, back = directed(engine.best(1), targets), directed(engine.best(0), sources)
    return symmetrised(forth, Links(back.offsets, back.target, back.source), symmetrise)


_TABLES = ("lexical", "null", "jumps")


def _keep(engine: _core.WordAligner, kept: CachedStep) -> None:
    """Keep what the iterations so far have found out."""
    if engine.steps:
        arrays = {f"{name}.{side}": getattr(engine, name)(side) for side in (0, 1) for name in _TABLES}
        kept.keep({"steps": engine.steps}, arrays)


def _resume(engine: _core.WordAligner, kept: CachedStep) -> None:
    """Restore the iterations that were made before."""
    if not kept.header:
        return
    try:
        for side in (0, 1):
            lexical, null, jumps = (kept.arrays[f"{name}.{side}"] for name in _TABLES)
            engine.restore(side, lexical, null, jumps, int(kept.header["steps"]))
    except (KeyError, TypeError, ValueError) as error:
        raise kept.refused(error) from None


def engine_of(
    aligner: BitextAligner, sources: Numbered, targets: Numbered, words: tuple[int, int]
) -> _core.WordAligner:
    """Return the engine's aligner, before the first step."""
    return _core.WordAligner(
        sources.words,
        sources.offsets,
        targets.words,
        targets.offsets,
        *words,
        aligner.null,
        aligner.uniform,
        aligner.agree,
        aligner.threads,
    )


def directed(best: npt.NDArray[np.uint32], observed: Numbered) -> Links:
    """Return links from positions of the hidden sentence, counted from 1, to those of the observed one."""
    lengths = np.diff(observed.offsets).astype(np.int64)
    begins = np.repeat(observed.offsets[:-1].astype(np.int64), lengths)
    linked = best > 0
    position = (np.arange(len(best)) - begins)[linked].astype(np.uint32)
    before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(linked, dtype=np.uint64)])
    return Links(before[observed.offsets], best[linked] - np.uint32(1), position)
