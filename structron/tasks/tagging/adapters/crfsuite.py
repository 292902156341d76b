"""CRFsuite: its models as a `Tagger`, which gives the same labels.

`load` reads the file that CRFsuite, python-crfsuite and sklearn-crfsuite write, and `load_dump` the text that
``crfsuite dump`` and `pycrfsuite.Tagger.dump` print, where weights have six digits. Neither needs CRFsuite.
The tagger takes what `pycrfsuite.Tagger.tag` takes: for each token a dict, or a list of str.

A first-order CRF chooses the sequence with the largest sum of weights, of attributes and of transitions: this
is an exact search with one template on the previous label. `predict_marginals` and `log_likelihood` give its
probabilities. Where two sequences have the same sum, as happens if no attribute of a token is known, the
other one may come out.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from structron._core import combine, hash_bytes
from structron.engine.rows import rows_of
from structron.errors import ModelError
from structron.features.keys import READY, combine_tags
from structron.labelling.task import TaggingTask
from structron.labelling.templates import parse
from structron.model import Model
from structron.search import Exact
from structron.tasks.tagging.estimator import Tagger
from structron.tasks.tagging.settings import TaggingRecipe

AFTER = "t[-1]"
ADVICE = "give a model that CRFsuite wrote"
_HEADER = struct.Struct("<4sI4s9I")  # magic, size, type, version, three counts, five offsets
_FEATURES = struct.Struct("<4sII")
_FEATURE = struct.Struct("<IIId")
_TABLE = struct.Struct(
    "<4sIIIII"
)  # a constant quark database: magic, size, flag, byte order, places, their offset
_RECORD = struct.Struct("<II")
_BYTE_ORDER = 0x62445371
_LINE = re.compile(r"\((\d+)\) (.*): ([+-]?[0-9.]+(?:e[+-]?\d+)?)", re.DOTALL)
_NAMED = re.compile(r" *(\d+): (.*)", re.DOTALL)


class Weights(NamedTuple):
    """A first-order CRF: labels in the order of their numbers, and its weights by name and label number."""

    labels: list[str]
    attributes: dict[str, dict[int, float]]
    transitions: dict[int, dict[int, float]]


def load(path: str | Path) -> Tagger:
    """Read a model's file as a tagger."""
    return tagger_of(read_model(path), str(path))


def load_dump(lines: Iterable[str], where: str = "the dump") -> Tagger:
    """Read a dump, its lines or the open file, as a tagger."""
    return tagger_of(read_dump(lines, where), where)


def tagger_of(weights: Weights, where: str = "the model") -> Tagger:
    """Return a tagger with these weights."""
    template = parse(AFTER)
    task = TaggingTask(tuple(weights.labels), (AFTER,), ready=True)
    cells = {combine(READY, hash_bytes(name.encode())): own for name, own in weights.attributes.items()}
    for before, own in weights.transitions.items():
        cells[combine_tags(template.base, template.tags, before, 0)] = own
    recipe = TaggingRecipe(templates=(AFTER,), order=1, search="exact", constraints="none")
    about: dict[str, object] = {
        "recipe": recipe.record(),
        "epochs": [],
        "target": None,
        "data": "a model of CRFsuite",
    }
    return Tagger.of_model(Model(task, rows_of(cells), Exact(), about), where)


# ------------------------------------------------------------------------------------------------- the file


def read_model(path: str | Path) -> Weights:
    """Read labels and weights of a model's file; trust no number in it."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: the file cannot be read ({error.strerror}); check its name") from None
    try:
        return _parsed(data)
    except (struct.error, IndexError, UnicodeDecodeError, ValueError) as error:
        raise ModelError(f"{path}: no model of CRFsuite, or a damaged one ({error}); {ADVICE}") from None


def _parsed(data: bytes) -> Weights:
    magic, size, kind, version, *_, features, labels, attributes, _, _ = _HEADER.unpack_from(data)
    if magic != b"lCRF" or kind != b"FOMC":
        raise ValueError("it does not begin as one of a first-order CRF")
    if version != 100 or size > len(data):
        raise ValueError(f"version {version}, {len(data)} bytes of {size}")
    names, words = list(_names(data, labels)), list(_names(data, attributes))
    if len(set(names)) < len(names):
        raise ValueError("a label is given twice")
    found = Weights(names, {}, {})
    magic, _, count = _FEATURES.unpack_from(data, features)
    start = features + _FEATURES.size
    if magic != b"FEAT" or start + count * _FEATURE.size > len(data):
        raise ValueError("its features do not fit into the file")
    for which, source, label, weight in _FEATURE.iter_unpack(data[start : start + count * _FEATURE.size]):
        if label >= len(names) or which > 1 or source >= (len(words), len(names))[which]:
            raise ValueError("a feature is of no label or attribute")
        _add(found, words[source] if which == 0 else source, label, weight)
    return found


def _names(data: bytes, at: int) -> Iterator[str]:
    """Return the strings of a quark database in the order of their numbers."""
    magic, size, _, order, count, places = _TABLE.unpack_from(data, at)
    if magic != b"CQDB" or order != _BYTE_ORDER or places + 4 * count > size or at + size > len(data):
        raise ValueError("a list of names does not fit into the file")
    for place in struct.unpack_from(f"<{count}I", data, at + places):
        _, length = _RECORD.unpack_from(data, at + place)
        begin = at + place + _RECORD.size
        if begin + length > len(data) or not length:
            raise ValueError("a name does not fit into the file")
        yield data[begin : begin + length - 1].decode("utf-8")  # its last byte ends a C string


def _add(found: Weights, source: str | int, label: int, weight: float) -> None:
    if not abs(weight) <= 1e30:  # NaN compares as False
        raise ValueError("a weight is out of range")
    if isinstance(source, str):
        found.attributes.setdefault(source, {})[label] = weight
    else:
        found.transitions.setdefault(source, {})[label] = weight


# ------------------------------------------------------------------------------------------------- the dump


def read_dump(lines: Iterable[str], where: str = "the dump") -> Weights:
    """Read labels and weights of a dump; name a line that cannot be read."""
    found = Weights([], {}, {})
    numbers: dict[str, int] = {}
    section = ""
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if text.endswith(" = {"):
            section = text.removesuffix(" = {")
        elif text.strip() in ("", "}"):
            section = "" if text.strip() else section
        elif section == "LABELS":
            match = _NAMED.fullmatch(text)
            if match is None or int(match[1]) != len(numbers) or match[2] in numbers:
                raise ModelError(f"{where}:{number}: no label can be read here; {ADVICE}")
            numbers[match[2]] = len(numbers)
        elif section in ("TRANSITIONS", "STATE_FEATURES"):
            _read_weight(found, numbers, text, section, f"{where}:{number}")
    if not numbers:
        raise ModelError(f"{where}: there are no labels in it; {ADVICE}")
    found.labels.extend(numbers)
    return found


def _read_weight(found: Weights, numbers: dict[str, int], text: str, section: str, place: str) -> None:
    match = _LINE.fullmatch(text.lstrip())
    # An attribute may hold an arrow of its own: the last one counts.
    source, arrow, label = ("", "", "") if match is None else match[2].rpartition(" --> ")
    if match is None or not arrow or label not in numbers:
        raise ModelError(f"{place}: no weight can be read here; {ADVICE}")
    if section == "TRANSITIONS" and source not in numbers:
        raise ModelError(f"{place}: {source!r} is not a label; {ADVICE}")
    try:
        own = numbers[source] if section == "TRANSITIONS" else source
        _add(found, own, numbers[label], float(match[3]))
    except ValueError as error:
        raise ModelError(f"{place}: {error}; {ADVICE}") from None
