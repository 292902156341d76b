"""The JSON forms of tasks: inputs and outputs as one would write them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.serve.limits import Limits
from structron.serve.refusals import TOO_LARGE, UNFIT, Refused

Json = Any


class Form:
    """The form of a task whose inputs and outputs are JSON already, which is the usual case.

    Attributes
    ----------
    takes, gives
        For people: what an input and an output look like.
    example
        An input.
    """

    takes = "a text"
    gives = "a text"
    example: Json = "phone"
    has_kbest = True
    has_labels = True  # that one may want to see a list of

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return the input that a value of JSON stands for, checked."""
        if isinstance(value, list):
            return texts(value, where, self.takes)
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse an input that is too long."""
        within(len(x), limits.longest, where, "symbols")

    def answers(self, estimator: Any, xs: Sequence[Any], limits: Limits) -> list[Json]:
        """Return the model's output for each input."""
        found = [self.shown(estimator, x, y) for x, y in zip(xs, estimator.predict(xs))]
        forget(estimator)
        return found

    def kbest(self, estimator: Any, xs: Sequence[Any], k: int) -> list[Json]:
        """Return the `k` best for each input, with their scores."""
        found = [
            [{"output": self.shown(estimator, x, y), "score": score} for y, score in best]
            for x, best in zip(xs, estimator.predict_kbest(xs, k))
        ]
        forget(estimator)
        return found

    def warning(self, estimator: Any, xs: Sequence[Any]) -> dict[str, Json]:
        """Return the warnings of an answer: inputs that the model has never seen."""
        said = estimator.unseen_of(xs) if xs and hasattr(estimator, "unseen_of") else None
        return {} if said is None else {"warning": said}

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """Return an output as JSON."""
        return y


class Sentence(Form):
    """The form of a task whose input is the words of a sentence."""

    takes = "a sentence: a text with blanks between words, a list of words, or of [word, tag, ...]"
    example: Json = "Time flies ."

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a sentence that is too long."""
        within(len(x), limits.longest, where, "words")

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return words, or tuples of a word and its further columns."""
        if isinstance(value, str):
            return text(value, where, self.takes).split()
        if isinstance(value, dict):
            value = columns(value, where, self.takes)
        if not isinstance(value, list):
            raise unfit(value, where, self.takes)
        if value and all(isinstance(token, list) for token in value):
            tokens = [tuple(texts(token, f"{where}[{i}]", self.takes)) for i, token in enumerate(value)]
            if not tokens[0] or len({len(token) for token in tokens}) > 1:
                raise Refused(UNFIT, f"{where}: words have different numbers of columns; give all the same")
            return tokens
        return texts(value, where, self.takes)


class Line(Sentence):
    """The form of a task that turns a sentence, or a question, into a text."""

    takes = "a sentence: a text with blanks between words, or a list of words"

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return the input as it was given: what comes out is of the same kind."""
        return Form.read(self, estimator, value, where)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a sentence that is too long."""
        within(len(x.split() if isinstance(x, str) else x), limits.longest, where, "words")


class Text(Form):
    """The form of a task whose input is a text."""

    example: Json = "Time flies. It does."

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return the text, checked."""
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a text that is too long."""
        within(len(x.split()), limits.text, where, "words")


def words_of(tokens: Sequence[Any]) -> list[str]:
    """Return the first column."""
    return [token if isinstance(token, str) else token[0] for token in tokens]


def forget(estimator: Any) -> None:
    """Clear the counts of unseen symbols, which would grow for ever in a server."""
    unseen = getattr(estimator, "unseen_", None)
    if unseen is not None:
        unseen.clear()


# ------------------------------------------------------------------------------------------------ checking


def unfit(value: Json, where: str, takes: str) -> Refused:
    """Return the refusal of a value of the wrong type."""
    return Refused(UNFIT, f"{where}: {kind_of(value)} is not possible here; give {takes}")


def kind_of(value: Json) -> str:
    """Return the JSON name of a value's type."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def text(value: Json, where: str, takes: str) -> str:
    """Return a text; refuse other types and halves of characters."""
    if not isinstance(value, str):
        raise unfit(value, where, takes)
    if not _is_whole(value):
        raise Refused(UNFIT, f"{where}: half of a surrogate pair is not a character; fix it")
    return value


def texts(values: list[Json], where: str, takes: str) -> list[str]:
    """Return a list of texts; refuse empty ones."""
    for i, value in enumerate(values):
        if not text(value, f"{where}[{i}]", takes):
            raise Refused(UNFIT, f"{where}[{i}]: the text is empty; leave it out")
    return values


def columns(value: dict[str, Json], where: str, takes: str) -> list[Json]:
    """Return ``{"words": [...], "tags": [...]}`` word by word."""
    if not {"words"} <= set(value) <= {"words", "tags"} or not all(
        isinstance(each, list) for each in value.values()
    ):
        raise Refused(UNFIT, f'{where}: an object has "words" and "tags", two lists; give {takes}')
    if len({len(each) for each in value.values()}) > 1:
        raise Refused(UNFIT, f"{where}: there is not one tag for each word; give as many")
    return [list(token) for token in zip(*(value[name] for name in ("words", "tags") if name in value))]


def check_nested(value: Json, where: str) -> None:
    """Refuse halves of characters in features of any shape."""
    if isinstance(value, str):
        text(value, where, "")
    elif isinstance(value, list):
        for each in value:
            check_nested(each, where)
    elif isinstance(value, dict):
        for name, each in value.items():
            text(name, where, "")
            check_nested(each, where)


def within(size: int, most: int, where: str, what: str) -> None:
    """Refuse what is too long."""
    if size > most:
        raise Refused(TOO_LARGE, f"{where}: {size:,} {what} where {most:,} are allowed; cut it into pieces")


def _is_whole(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
