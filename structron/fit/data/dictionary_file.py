"""A dictionary that a model is trained with: its entries win over gold, and in all that is predicted."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from structron.errors import ModelError, StructronError, warn
from structron.fit.data.entries import Entries
from structron.model import Model

NAME = "entries"  # in the description of a model
_read: WeakKeyDictionary[Model[Any], Entries] = WeakKeyDictionary()


def entries_of_recipe(recipe: Any) -> Entries:
    """Return the entries of the file that a recipe names."""
    return Entries.read(recipe.dictionary_file)


def entries_of_model(model: Model[Any]) -> Entries | None:
    """Return the entries that a model was trained with; None if there are none."""
    record = model.about.get(NAME)
    if record is None:
        return None
    found = _read.get(model)
    if found is None:
        try:
            found = Entries.of_record(record)
        except (StructronError, TypeError, ValueError):
            raise ModelError("the model's dictionary is not as structron writes it; train it again") from None
        _read[model] = found
    return found


def warn_of_replaced(count: int, parts: str) -> None:
    """Warn if entries have won over gold."""
    if count:
        said = f"{count:,} {parts} of the training data {'is' if count == 1 else 'are'}"
        warn(f"{said} otherwise in the dictionary, which wins")
