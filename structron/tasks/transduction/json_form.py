"""The JSON form of transduction."""

from __future__ import annotations

from structron.serve.json_forms import Form


class Transduction(Form):
    """A word to another, symbol by symbol."""

    takes = "a word: a text, or a list of symbols"
    gives = "a text if the model learned from texts, else a list of symbols"


FORM = Transduction()
