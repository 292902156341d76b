"""Language models and phrase tables as arrays of a model file; everything that is read is checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from structron.engine.rows import Arrays, array_of, narrowed
from structron.engine.texts import pack_texts, unpack_texts
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.phrases.table import ARRAYS, REORDERING, SCORES, PhraseTable

Stored = dict[str, npt.NDArray[Any]]

_NARROW = (np.uint8, np.uint16)
_NGRAMS: dict[str, type] = {
    "sizes": np.uint64,
    "words": np.uint32,
    "first": np.uint32,
    "logprob": np.float32,
    "backoff": np.float32,
}
_KINDS: dict[str, type] = {"scores": np.float32, "reordering": np.float32, "links": np.uint8}
_WIDTHS = {"scores": len(SCORES), "reordering": len(REORDERING), "links": 2}


def pack_ngrams(name: str, ngrams: NGrams) -> Stored:
    """Return arrays ``name.vocabulary.*``, ``name.words`` and so on, in as few bytes as possible."""
    arrays = pack_texts(f"{name}.vocabulary", ngrams.vocabulary)
    return arrays | {f"{name}.{part}": narrow(getattr(ngrams, part)) for part in _NGRAMS}


def unpack_ngrams(arrays: Arrays, name: str) -> NGrams:
    """Restore what `pack_ngrams` has packed."""
    vocabulary = tuple(unpack_texts(arrays, f"{name}.vocabulary"))
    parts: Stored = {part: wide(arrays, f"{name}.{part}", kind) for part, kind in _NGRAMS.items()}
    return NGrams(vocabulary, **parts)


def pack_phrases(name: str, table: PhraseTable) -> Stored:
    """Return flat arrays ``name.source_words`` and so on; numbers take as few bytes as possible."""
    vocabularies = pack_texts(f"{name}.source_vocabulary", table.source_vocabulary)
    vocabularies |= pack_texts(f"{name}.target_vocabulary", table.target_vocabulary)
    return vocabularies | {
        f"{name}.{part}": narrow(array.reshape(-1)) for part, array in table.arrays.items()
    }


def unpack_phrases(arrays: Arrays, name: str) -> PhraseTable:
    """Restore what `pack_phrases` has packed."""
    sides = [tuple(unpack_texts(arrays, f"{name}.{side}_vocabulary")) for side in ("source", "target")]
    parts: dict[str, Any] = {}
    for part in ARRAYS:
        flat = wide(arrays, f"{name}.{part}", _KINDS.get(part, np.uint32))
        width = _WIDTHS.get(part)
        # An array without whole rows stays flat, and the table refuses it.
        parts[part] = flat.reshape(-1, width) if width and len(flat) % width == 0 else flat
    return PhraseTable(sides[0], sides[1], **parts)


def narrow(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Store numbers in as few bytes as possible."""
    return array if array.dtype.kind == "f" else narrowed(array, *_NARROW)


def wide(arrays: Arrays, name: str, kind: type) -> npt.NDArray[Any]:
    """Return an array of a model file, whatever its stored type."""
    return array_of(arrays, name, kind, *(() if kind is np.float32 else _NARROW))
