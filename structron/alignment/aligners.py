"""Finished aligners: what was learned from pairs or from parallel text, in a file, and used on new ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from structron.alignment.bitext import BitextAligner, Links, best_links, engine_of
from structron.alignment.pairs import Aligner, Alignment, aligned_by
from structron.alignment.pairs import engine_of as engine_of_pairs
from structron.alignment.vocabulary import Vocabulary
from structron.engine.rows import array_of, texts, typed
from structron.errors import ModelError, SettingError
from structron.io.model_file.archive import read_archive, write_archive
from structron.reference.text.alignment import Piece

LEAST = 1e-12  # the probability of two words that were never linked, and of a piece that was never seen
WORDS, PIECES = "word alignment", "alignment"
_TABLES = ("lexical", "null", "jumps")


@dataclass(frozen=True)
class WordLinker:
    """Finished word alignment of two languages: links the words of new sentences without learning.

    Attributes
    ----------
    aligner
        The settings that it was learned with.
    vocabularies
        The words of either side.
    tables
        By name and side: the probability of each pair of words, of each word without a partner, and of jumps.

    Examples
    --------
    >>> sources, targets = [["das", "haus"], ["das", "buch"]], [["the", "house"], ["the", "book"]]
    >>> links, linker = WordLinker.learned(BitextAligner(), sources, targets)
    >>> list(linker.align([["buch", "das"]], [["book", "the"]]))
    [[(0, 0), (1, 1)]]
    """

    aligner: BitextAligner
    vocabularies: tuple[Vocabulary, Vocabulary]
    tables: dict[str, npt.NDArray[Any]]

    @classmethod
    def learned(
        cls,
        aligner: BitextAligner,
        sources: Sequence[Sequence[str]],
        targets: Sequence[Sequence[str]],
        progress: Any = None,
    ) -> tuple[Links, WordLinker]:
        """Learn from sentences; return their links and what was learned."""
        vocabularies = Vocabulary.of(sources), Vocabulary.of(targets)
        numbered = vocabularies[0].number(sources), vocabularies[1].number(targets)
        engine = aligner.learned(*numbered, (len(vocabularies[0]), len(vocabularies[1])), progress)
        tables = {f"{name}.{side}": getattr(engine, name)(side) for side in (0, 1) for name in _TABLES}
        pairs = engine.pairs()
        order = np.argsort(pairs)
        tables |= {f"lexical.{side}": tables[f"lexical.{side}"][order] for side in (0, 1)}
        tables["pairs"] = pairs[order]
        return best_links(engine, *numbered, aligner.symmetrise), cls(aligner, vocabularies, tables)

    def align(self, sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> Links:
        """Link the words of sentences; words that were never seen go by their place alone."""
        numbered = self.vocabularies[0].number(sources), self.vocabularies[1].number(targets)
        if len(numbered[0]) != len(numbered[1]):
            raise SettingError(
                f"{len(sources):,} sources and {len(targets):,} targets; give a target for each source"
            )
        sizes = len(self.vocabularies[0]), len(self.vocabularies[1])
        engine = engine_of(self.aligner, *numbered, sizes)
        pairs = engine.pairs()
        for side in (0, 1):
            jumps = _of_length(self.tables[f"jumps.{side}"], len(engine.jumps(side)))
            lexical = self._lexical(pairs, side, sizes[side])
            null = self.tables[f"null.{side}"].copy()
            null[0] = 1.0 / sizes[side]  # unknown words
            engine.restore(side, lexical, null, jumps, 1)
        return best_links(engine, *numbered, self.aligner.symmetrise)

    def _lexical(self, pairs: npt.NDArray[np.uint64], side: int, words: int) -> npt.NDArray[np.float64]:
        known, values = self.tables["pairs"], self.tables[f"lexical.{side}"]
        found = np.full(len(pairs), LEAST)
        if len(known):
            at = np.minimum(np.searchsorted(known, pairs), len(known) - 1)
            found = np.where(known[at] == pairs, values[at], LEAST)
        unknown = ((pairs >> np.uint64(32)) == 0) | ((pairs & np.uint64(0xFFFFFFFF)) == 0)
        found[unknown] = 1.0 / words
        return found

    def save(self, path: str | Path) -> None:
        """Write one file."""
        header: dict[str, Any] = {"kind": WORDS, "settings": _settings(self.aligner)}
        header["words"] = [list(each.words) for each in self.vocabularies]
        write_archive(path, header, self.tables)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read one; nothing in it is trusted."""
        header, arrays = _read(path, WORDS)
        try:
            both = typed(header, "words", list)
            words = [tuple(texts({"words": each}, "words")) for each in both]
            if len(words) != 2:
                raise ModelError("it has not the words of two languages")
            tables = {
                f"{name}.{side}": array_of(arrays, f"{name}.{side}", np.float64)
                for side in (0, 1)
                for name in _TABLES
            }
            tables["pairs"] = array_of(arrays, "pairs", np.uint64)
            for side in (0, 1):
                if len(tables[f"lexical.{side}"]) != len(tables["pairs"]):
                    raise ModelError("its tables differ in length")
                if len(tables[f"null.{side}"]) != len(words[side]) or len(tables[f"jumps.{side}"]) % 2 == 0:
                    raise ModelError("its tables do not fit its words")
            if not all(np.isfinite(each).all() and (each >= 0).all() for each in tables.values()):
                raise ModelError("a probability is not a number from 0")
            aligner = BitextAligner(**_known(BitextAligner, header))
        except (KeyError, TypeError, ModelError, SettingError) as error:
            raise ModelError(f"{path}: the aligner cannot be used ({error}); learn it again") from None
        return cls(aligner, (Vocabulary(words[0]), Vocabulary(words[1])), tables)


@dataclass(frozen=True)
class PieceAligner:
    """A finished aligner of pairs: cuts new pairs into the pieces that it knows, without learning.

    Attributes
    ----------
    aligner
        The settings that it was learned with.
    weights
        The weight of each piece.

    Examples
    --------
    >>> pairs = [("phone", "F OW N"), ("hen", "HH EH N"), ("pen", "P EH N"), ("one", "W AH N")]
    >>> found, finished = PieceAligner.learned(Aligner(), [(x, y.split()) for x, y in pairs])
    >>> finished.align([("phone", ["F", "OW", "N"])]).pieces(0) == found.pieces(0)
    True
    """

    aligner: Aligner
    weights: dict[Piece, float]

    @classmethod
    def learned(
        cls, aligner: Aligner, pairs: Sequence[tuple[Sequence[str], Sequence[str]]], progress: Any = None
    ) -> tuple[Alignment, PieceAligner]:
        """Learn from pairs; return their alignment and what was learned."""
        found = aligner.align(pairs, progress)
        return found, cls(aligner, found.weights())

    def align(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Alignment:
        """Cut pairs into pieces; one that was never seen is taken where there is no other way."""
        given = list(pairs)
        engine, spellings = engine_of_pairs(self.aligner, given)
        weights = np.array([self.weights.get(piece, LEAST) for piece in spellings])
        engine.restore(weights, np.zeros(len(weights)), 1)
        return aligned_by(engine, given, spellings, [])

    def save(self, path: str | Path) -> None:
        """Write one file."""
        pieces = [[list(source), list(target)] for source, target in self.weights]
        header = {"kind": PIECES, "settings": _settings(self.aligner), "pieces": pieces}
        write_archive(path, header, {"weights": np.array(list(self.weights.values()), np.float64)})

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read one; nothing in it is trusted."""
        header, arrays = _read(path, PIECES)
        try:
            listed = typed(header, "pieces", list)
            sides = [tuple(tuple(texts({"side": side}, "side")) for side in piece) for piece in listed]
            weights = array_of(arrays, "weights", np.float64)
            if len(sides) != len(weights) or not all(len(piece) == 2 for piece in sides):
                raise ModelError("its pieces and weights do not fit together")
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise ModelError("a weight is not a number from 0")
            aligner = Aligner(**_known(Aligner, header))
        except (KeyError, TypeError, ModelError, SettingError) as error:
            raise ModelError(f"{path}: the aligner cannot be used ({error}); learn it again") from None
        return cls(aligner, {(x, y): w for (x, y), w in zip(sides, weights.tolist())})


def _settings(aligner: Aligner | BitextAligner) -> dict[str, Any]:
    return {name: value for name, value in asdict(aligner).items() if name != "threads"}


def _known(kind: type[Any], header: dict[str, Any]) -> dict[str, Any]:
    known = {each.name for each in fields(kind)} - {"threads"}
    settings = typed(header, "settings", dict)
    return {name: value for name, value in settings.items() if name in known}


def _read(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    header, arrays = read_archive(path)
    if header.get("kind") != kind:
        said = "a file that `structron align --save` wrote of the same kind of data"
        raise ModelError(f"{path}: a model of kind {header.get('kind')!r}, and no {kind}; give {said}")
    return header, arrays


def _of_length(jumps: npt.NDArray[np.float64], length: int) -> npt.NDArray[np.float64]:
    """Return weights of jumps for sentences of another length; those never made weigh as little as any."""
    if len(jumps) == 0:
        return np.ones(length)
    found = np.full(length, jumps.min())
    middle, own = length // 2, len(jumps) // 2
    reach = min(middle, own)
    found[middle - reach : middle + reach + 1] = jumps[own - reach : own + reach + 1]
    return found
