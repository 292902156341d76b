"""The header of a model file: JSON of a fixed form, in which every number is checked."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from typing import Any, NoReturn

from structron.errors import ModelError

FilePath = str | os.PathLike[str]
Take = Callable[[int], memoryview]  # gives so many bytes, from where the last call ended

BEGIN = b'{"__metadata__":{"sha256":"'
DIGEST_AT = 8 + len(BEGIN)
DIGEST_END = DIGEST_AT + 64
LONGEST_HEADER = 100_000_000  # the safetensors library refuses longer ones

# Stored little-endian whatever the machine. Names as in the safetensors format, with the bytes of an item.
ITEM_SIZES = {
    "BOOL": 1,
    **{f"{kind}{8 * size}": size for kind in "IU" for size in (1, 2, 4, 8)},
    **{f"F{8 * size}": size for size in (2, 4, 8)},
}


def is_model_file(head: bytes) -> bool:
    """Return True if a file with these first bytes is a model: the length of a header, then the header."""
    return b"\0" in head[:8] and head[8:9] == b"{"


def check_path(path: object, what: str) -> None:
    """Refuse whatever is not the name of a file, before anything is done; `what` begins the message."""
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        kind = "None" if path is None else f"something of type {type(path).__name__}"
        raise ModelError(f"{what}: {kind} is not a path; give the name of a model's file, such as en.model")
    if not os.fspath(path):
        raise ModelError(f"{what}: the name of the file is empty; give the name of a model's file")


def damaged(path: FilePath, what: str) -> NoReturn:
    """Refuse a damaged file."""
    raise ModelError(f"{path}: the model file is damaged ({what}); copy it again or train the model again")


def cut_short(path: FilePath, size: int, promised: int) -> NoReturn:
    """Refuse a file that is too short."""
    raise ModelError(
        f"{path}: the file is cut short ({size} bytes of at least {promised}); "
        "copy it again or train the model again"
    )


def first_line(error: BaseException) -> str:
    """Return the first line of a message, cut to fit into a sentence."""
    return str(error).split("\n")[0][:120]


def parse_header(path: FilePath, size: int, take: Take) -> tuple[memoryview, dict[str, Any]]:
    """Return all that comes before the data, and the safetensors header in it."""
    if size < 8:
        raise ModelError(
            f"{path}: the file is cut short or no model at all ({size} bytes); "
            "copy it again or give a file that structron wrote"
        )
    begin = take(min(size, 9)).tobytes()
    length = int.from_bytes(begin[:8], "little")
    if length > LONGEST_HEADER or length < 2 or begin[8:] not in (b"", b"{"):
        raise ModelError(f"{path}: this is not a safetensors file; give a model that structron wrote")
    if 8 + length > size:
        cut_short(path, size, 8 + length)
    head = memoryview(begin + take(length - 1).tobytes())
    try:
        entries = _loads(head[8:].tobytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        damaged(path, f"its header is not valid JSON: {first_line(error)}")
    if not isinstance(entries, dict):
        damaged(path, "its header is not a JSON object")
    return head, entries


def metadata_of(path: FilePath, data: memoryview, entries: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Take structron's part out of `entries`; return it parsed, and its version."""
    metadata = entries.pop("__metadata__", None)
    if not isinstance(metadata, dict) or "structron" not in metadata:
        raise ModelError(
            f"{path}: a safetensors file, but not one made by structron; give a model that structron wrote"
        )
    quoted = data[DIGEST_AT - 1 : DIGEST_END + 1].tobytes()
    expected = json.dumps(metadata.get("sha256")).encode("ascii")
    in_place = data[8:DIGEST_AT].tobytes() == BEGIN and quoted == expected
    if not in_place or metadata.keys() != {"sha256", "structron"}:
        raise ModelError(
            f"{path}: the metadata are not as structron lays them out: another program rewrote this file; "
            "use the original or train the model again"
        )
    try:
        inner = _loads(metadata["structron"])
        version = inner["format"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        damaged(path, f"its description cannot be read: {first_line(error)}")
    if not isinstance(inner, dict) or type(version) is not int or version < 1:
        damaged(path, "its description has no format version")
    return inner, version


def span(path: FilePath, name: str, entry: Any) -> tuple[int, int]:
    """Check one array's entry; return where its bytes begin and end."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        damaged(path, f"the entry of array {name!r} has the wrong shape")
    code, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(code, str) or code not in ITEM_SIZES:
        damaged(path, f"array {name!r} has the unknown type {str(code)[:40]!r}")
    if not _are_lengths(shape) or len(shape) > 32:
        damaged(path, f"array {name!r} has an impossible shape")
    if not _are_lengths(offsets) or len(offsets) != 2:
        damaged(path, f"array {name!r} has impossible offsets")
    begin, end = offsets
    if begin + math.prod(shape) * ITEM_SIZES[code] != end:
        damaged(path, f"the shape and the offsets of array {name!r} disagree")
    return begin, end


def _are_lengths(values: Any) -> bool:
    # `type`, because True is an int; the bound keeps hostile products small.
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 2**63 for value in values)


def _loads(text: str) -> Any:
    """Parse JSON strictly: no double keys, no NaN, no number that overflows."""
    return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return result


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number overflows")
    return value
