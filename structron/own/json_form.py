"""The JSON form of a task of one's own."""

from __future__ import annotations

from structron.serve.json_forms import Form, Json


class OwnForm(Form):
    """A text in, a text out; a subclass says what they look like.

    Attributes
    ----------
    takes, gives, example
        What an input and an output look like, for people, and an input.
    """

    takes = "a text"
    gives = "a text"
    example: Json = "some words"
    has_labels = False
