"""What each task takes and gives as JSON: sentences, trees, strings, as one would write them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.io.values.trees import NO_LABEL
from structron.serve.limits import Limits
from structron.serve.refusals import TOO_LARGE, UNFIT, Refused

Json = Any


class Form:
    """A task whose inputs and outputs are as they are in Python, which is the usual case.

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
        """The input that a value of JSON stands for, checked."""
        if isinstance(value, list):
            return texts(value, where, self.takes)
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse an input that is too long."""
        within(len(x), limits.longest, where, "symbols")

    def answers(self, estimator: Any, xs: Sequence[Any], limits: Limits) -> list[Json]:
        """What the model says of each input."""
        found = [self.shown(estimator, x, y) for x, y in zip(xs, estimator.predict(xs))]
        forget(estimator)
        return found

    def kbest(self, estimator: Any, xs: Sequence[Any], k: int) -> list[Json]:
        """The `k` best for each input, with their scores."""
        found = [
            [{"output": self.shown(estimator, x, y), "score": score} for y, score in best]
            for x, best in zip(xs, estimator.predict_kbest(xs, k))
        ]
        forget(estimator)
        return found

    def warning(self, estimator: Any, xs: Sequence[Any]) -> dict[str, Json]:
        """Return what an answer says besides outputs: a warning of what the model has never seen."""
        said = estimator.unseen_of(xs) if xs and hasattr(estimator, "unseen_of") else None
        return {} if said is None else {"warning": said}

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """An output as JSON."""
        return y


class Sentence(Form):
    """A task that looks at the words of one sentence."""

    takes = "a sentence: a text with blanks between words, a list of words, or of [word, tag, ...]"
    example: Json = "Time flies ."

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a sentence that is too long."""
        within(len(x), limits.longest, where, "words")

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Words, or tuples of a word and its further columns."""
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


class Tagging(Sentence):
    """Words to tags."""

    gives = '{"words": [...], "tags": [...]}'

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Words, or whatever ready features the model was trained on."""
        if not estimator.model_.task.ready:
            return super().read(estimator, value, where)
        if not isinstance(value, list) or not all(isinstance(token, list | dict) for token in value):
            raise Refused(
                UNFIT, f"{where}: this model takes ready features; give a list with a dict for each token"
            )
        for token in value:
            check_nested(token, where)
        return value

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """Tags beside their words."""
        return {"tags": y} if estimator.model_.task.ready else {"words": words_of(x), "tags": y}


class Lemmatisation(Sentence):
    """Words with their tags to lemmas."""

    gives = '{"words": [...], "lemmas": [...]}'
    has_kbest = False

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """Lemmas beside their words."""
        return {"words": words_of(x), "lemmas": y}


class Parsing(Sentence):
    """Words, with tags or without, to trees."""

    gives = '{"words": [...], "tags": [...], "heads": [...], "relations": [...]}; 0 is the root'

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Tuples; what has too few columns is refused here, where its place is known."""
        tokens = super().read(estimator, value, where)
        found = [(token,) if isinstance(token, str) else token for token in tokens]
        needed = 1 if estimator.view_.taggers else estimator.model_.task.columns
        if found and len(found[0]) < needed:
            raise Refused(
                UNFIT,
                f"{where}: the model has no tagger and reads {needed} columns of each word; "
                "give [word, tag, ...] for each",
            )
        return found

    def answers(self, estimator: Any, xs: Sequence[Any], limits: Limits) -> list[Json]:
        """Trees, with the tags that the model's own taggers give."""
        trees, columns = estimator.predict_with_tags(xs)
        return [self._tree(x, tree, columns, i) for i, (x, tree) in enumerate(zip(xs, trees))]

    def kbest(self, estimator: Any, xs: Sequence[Any], k: int) -> list[Json]:
        """The same for several trees."""
        found, columns = estimator.predict_kbest_with_tags(xs, k)
        return [
            [{"output": self._tree(x, tree, columns, i), "score": score} for tree, score in best]
            for i, (x, best) in enumerate(zip(xs, found))
        ]

    def _tree(self, x: Any, tree: Any, columns: dict[str, Any], i: int) -> Json:
        # Of several columns the coarse one is what people mean by tags.
        name = next((each for each in ("upos", "tag", *columns) if each in columns), None)
        tags = columns[name][i] if name else [token[1] for token in x if len(token) > 1]
        labelled = any(label != NO_LABEL for label in tree.labels)
        return {
            "words": words_of(x),
            **({"tags": list(tags)} if tags else {}),
            "heads": list(tree.heads),
            **({"relations": list(tree.labels)} if labelled or not x else {}),
        }


class Translation(Sentence):
    """A sentence to a sentence."""

    takes = "a sentence: a text with blanks between words, or a list of words"
    gives = "a text for a text, a list of words for a list"
    example: Json = "das haus ist klein"

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """As it was given: what comes out is of the same kind."""
        return Form.read(self, estimator, value, where)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a sentence that is too long."""
        within(len(x.split() if isinstance(x, str) else x), limits.longest, where, "words")


class Semantics(Translation):
    """A question to its form."""

    has_labels = False  # productions
    gives = "a text, the form; null if there is none"
    example: Json = "what is the capital of utah"

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """As it was given, unless its chart would be too large."""
        x = super().read(estimator, value, where)
        if wrong := estimator.too_large(x):
            raise Refused(TOO_LARGE, f"{where}: {wrong}; cut it into pieces")
        return x


class Transduction(Form):
    """A word to another, symbol by symbol."""

    takes = "a word: a text, or a list of symbols"
    gives = "a text if the model learned from texts, else a list of symbols"


class Text(Form):
    """A task that looks at a whole text."""

    example: Json = "Time flies. It does."

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """The text."""
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a text that is too long."""
        within(len(x.split()), limits.text, where, "words")


class Classification(Text):
    """A text or a bag of features to labels."""

    takes = "a text, or an object of features with their numbers"
    gives = "a label, or a list of labels"

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """A text, or features by name."""
        if isinstance(value, dict):
            check_nested(value, where)
            return value
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a text or an object that is too long."""
        within(len(x.split() if isinstance(x, str) else x), limits.text, where, "words")


class Segmentation(Text):
    """Raw text to sentences and tokens."""

    gives = '{"sentences": [{"text", "start", "end", "words": [...], "tokens": [...]}, ...]}'

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """Sentences with their places in the text."""
        return {
            "sentences": [
                {
                    "text": one.text,
                    "start": one.start,
                    "end": one.end,
                    "words": one.words,
                    "tokens": [t._asdict() | {"words": list(t.words)} for t in one.tokens],
                }
                for one in y
            ]
        }


class Pipeline(Text):
    """Raw text, or words, to everything."""

    takes = "a text, or one sentence as a list of words"
    gives = '{"text", "sentences": [{"text", "start", "end", "tokens": [...], "words": [...]}, ...]}'
    has_kbest = False

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """A text or words."""
        if isinstance(value, list):
            return texts(value, where, self.takes)
        if "segmenter" not in estimator.stages_:
            raise Refused(
                UNFIT, f"{where}: the pipeline does not cut text; give one sentence as a list of words"
            )
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a text or a sentence that is too long."""
        if isinstance(x, str):
            return super().check(x, where, limits)
        return within(len(x), limits.longest, where, "words")

    def answers(self, estimator: Any, xs: Sequence[Any], limits: Limits) -> list[Json]:
        """Documents as plain data; the sentences that are found may be too long for the parser."""
        raw = [x for x in xs if isinstance(x, str)]
        for sentences in estimator.segment(raw) if raw else ():
            for one in sentences:
                within(len(one), limits.longest, "a sentence of the text", "words")
        return [document.to_dict() for document in estimator.pipe(xs)]


FORMS: dict[str, Form] = {
    "tagging": Tagging(),
    "parsing": Parsing(),
    "transduction": Transduction(),
    "translation": Translation(),
    "segmentation": Segmentation(),
    "semantics": Semantics(),
    "classification": Classification(),
    "lemmatisation": Lemmatisation(),
    "pipeline": Pipeline(),
}


def words_of(tokens: Sequence[Any]) -> list[str]:
    """The first column."""
    return [token if isinstance(token, str) else token[0] for token in tokens]


def forget(estimator: Any) -> None:
    """Some models count what they have never seen; a server would count for ever."""
    unseen = getattr(estimator, "unseen_", None)
    if unseen is not None:
        unseen.clear()


# ------------------------------------------------------------------------------------------------ checking


def unfit(value: Json, where: str, takes: str) -> Refused:
    """A value of the wrong type."""
    return Refused(UNFIT, f"{where}: {kind_of(value)} is not possible here; give {takes}")


def kind_of(value: Json) -> str:
    """What JSON calls it."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def text(value: Json, where: str, takes: str) -> str:
    """A text without halves of characters."""
    if not isinstance(value, str):
        raise unfit(value, where, takes)
    if not _is_whole(value):
        raise Refused(UNFIT, f"{where}: half of a surrogate pair is not a character; fix it")
    return value


def texts(values: list[Json], where: str, takes: str) -> list[str]:
    """A list of texts that are not empty."""
    for i, value in enumerate(values):
        if not text(value, f"{where}[{i}]", takes):
            raise Refused(UNFIT, f"{where}[{i}]: the text is empty; leave it out")
    return values


def columns(value: dict[str, Json], where: str, takes: str) -> list[Json]:
    """``{"words": [...], "tags": [...]}`` word by word."""
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
