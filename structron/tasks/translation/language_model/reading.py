"""Language models that a training is given: ARPA files, or those of finished translators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from structron.errors import ModelError
from structron.io.formats.arpa import read_arpa
from structron.io.model_file.header import is_model_file
from structron.io.values.ngrams import NGrams
from structron.model import Model


def read_language_model(place: str | Path) -> NGrams:
    """Read an n-gram model in ARPA format, or take the one of a translator."""
    if not _is_model(place):
        return read_arpa(place)
    model: Model[Any] = Model.load(place)
    if model.task.kind != "translation":
        raise ModelError(
            f"{place}: a model for {model.task.kind} has no language model; give one for translation"
        )
    found: NGrams = model.task.language_model
    return found


def _is_model(place: str | Path) -> bool:
    try:
        with Path(place).open("rb") as file:
            return is_model_file(file.read(10))
    except OSError:
        return False  # the reader of text says what is wrong
