"""The description in a model file: the parts whose shape readers rely on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from structron.errors import ModelError, SettingError
from structron.io.files.format import Format

_COUNTS = ("epoch", "examples", "tokens", "errors", "updates", "invalid", "early_stopped")

# Shapes: a type or a union of types; a list of things alike; a mapping that has at least these keys.
EPOCH: dict[str, Any] = dict.fromkeys(_COUNTS, int) | {"dev_score": int | float | None, "best": bool}
ABOUT: dict[str, Any] = {
    "recipe": dict,
    "signature": dict,
    "trained_on": {"sentences": int, "tokens": int},
    "epochs": [EPOCH],
    "interrupted": int | None,
    "format": {"name": str, "separator": str, "columns": [str]},
    "target": str | int | None,
    "columns": [str],
    "chosen": {"templates": str, "cut": int},
    "settled": dict,  # what auto meant
    "trials": [{"settings": dict, "examples": int, "score": int | float | None}],
    "crossing": {"trees": int, "crossing": int},
    "roots": str,
    "script": {"source": str, "target": str, "text": bool},
    "unreachable": int,
    "unaligned": int,
    "unanswered": int,
    "empty": int,
    "indicator": bool,
    "data": str,  # of a model that is handed on: what it was learned from, by whom
    "licence": str,
    "confidence": {"parts": [int | float], "whole": [int | float]},
}


def check_about(about: Mapping[str, Any]) -> None:
    """Refuse a description of the wrong shape; unknown entries are allowed."""
    for name, shape in ABOUT.items():
        if name in about and not has_shape(about[name], shape):
            raise ModelError(f"it does not say how it was made: its {name} is not as structron writes it")
    try:
        if found := about.get("format"):
            Format(found["name"], found["separator"], tuple(found["columns"]))
    except SettingError as error:
        raise ModelError(f"its format is not valid: {error}") from None
    try:
        json.dumps(about, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ModelError("its description holds half of a surrogate pair") from None


def has_shape(value: Any, shape: Any) -> bool:
    """Return True if a value from JSON has this shape."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(has_shape(item, shape[0]) for item in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            key in value and has_shape(value[key], inner) for key, inner in shape.items()
        )
    # To Python true is a number.
    return isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
