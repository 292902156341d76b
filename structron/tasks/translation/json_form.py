"""The JSON form of translation."""

from __future__ import annotations

from structron.serve.json_forms import Json, Line


class Translation(Line):
    """A sentence to a sentence."""

    gives = "a text for a text, a list of words for a list"
    example: Json = "das haus ist klein"


FORM = Translation()
