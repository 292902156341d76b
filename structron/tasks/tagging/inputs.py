"""Inputs of a tagger: words, columns, ready features, and sentences from files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from structron.errors import DataError
from structron.fit.data.examples import with_names
from structron.fit.data.inputs import check_label, check_ordered, is_array
from structron.io import Sentence
from structron.io.files.sentence import missing
from structron.records import dataclass

if TYPE_CHECKING:
    from structron.labelling.restriction import Known

Tokens = Sequence[Any]  # of words, of tuples of columns, or of features of any shape


@dataclass(frozen=True)
class Inputs:
    """Sentences as the engine takes them.

    Attributes
    ----------
    tokens
        Each token is a str, a tuple of columns, or ready features.
    ready
        True if tokens are ready features, each a dict, a list or a set of str.
    columns
        The number of columns of every token.
    sources
        The sentences as they were read from files, for messages with file and line.
    streams
        True if they stay in their files; then `sources` has one without words that shows their format.
    """

    tokens: list[Tokens]
    ready: bool
    columns: int
    sources: list[Sentence] | None
    streams: bool = False

    def place(self, sentence: int, token: int | None = None) -> str:
        """Name the place of a sentence (from 0) or of one of its tokens, for messages."""
        if self.sources is not None:
            source = self.sources[sentence]
            return source.place if token is None else source.place_of(token)
        return f"sentence {sentence + 1}" + ("" if token is None else f", token {token + 1}")

    def check(self, *, ready: bool, columns: int) -> None:
        """Refuse inputs that a model trained on the other kind, or on more columns, cannot read."""
        if not self.streams and not any(map(len, self.tokens)):
            return
        if self.ready != ready:
            wanted = "ready features (dicts or lists of str)" if ready else "words"
            raise DataError(f"{self.place(0)}: this model was trained on {wanted}; give it the same")
        if self.columns < columns:
            raise DataError(
                f"{self.place(0)}: the templates read {columns} columns but tokens have {self.columns}; "
                "give (word, column, ...)"
            )

    def in_order(self) -> Inputs:
        """Sort sets of features, whose own order changes from one process to the next."""
        if not self.ready:
            return self
        ordered: list[Tokens] = []
        for i, tokens in enumerate(self.tokens):
            try:
                ordered.append([_in_order(token) for token in tokens])
            except RecursionError:
                raise DataError(f"{self.place(i)}: features are nested too deep; flatten them") from None
        return replace(self, tokens=ordered)


def read_inputs(X: Iterable[object], target: str | int | None = None) -> Inputs:
    """Read sentences; the first token shows what they consist of.

    Parameters
    ----------
    X
        Sentences: lists of str, lists of tuples of str (word, then further columns), lists of dicts or of
        lists of str (ready features), or `Sentence` objects.
    target
        For `Sentence` objects, the column to predict, which templates never see.
    """
    if isinstance(X, str | bytes):
        raise DataError("X is a single string; give a list of sentences, each a list of words")
    items = _listed(X, "X", "give a list of sentences, each a list of words")
    kinds = set(map(type, items))
    if any(issubclass(kind, Sentence) for kind in kinds):
        return _from_sentences(items, target)
    # Lists of lists, the usual case, need no check of each sentence.
    tokens: list[Tokens] = list(items) if kinds <= {list} else []
    for number, sentence in enumerate(() if tokens else items, 1):
        if isinstance(sentence, str | bytes):
            raise DataError(f"sentence {number} is a string; split it into a list of words")
        if isinstance(sentence, dict):
            raise DataError(f"sentence {number} is a dict; give a list with one dict for each token")
        tokens.append(_listed(sentence, f"sentence {number}", "give a list of tokens"))
    first = next((token for sentence in tokens for token in sentence), "")
    ready = isinstance(first, dict | list | set | frozenset)
    columns = len(first) if isinstance(first, tuple) else 1
    return Inputs(tokens, ready, columns, None)


def _listed(values: Any, name: str, advice: str) -> Tokens:
    if isinstance(values, list | tuple):
        return values
    check_ordered(values, name)
    if is_array(values) and values.ndim:
        return list(values.tolist())  # texts become str, not numpy's own type
    try:
        return list(values)
    except TypeError:
        raise DataError(f"{name} is of type {type(values).__name__}; {advice}") from None


def _from_sentences(items: Sequence[object], target: str | int | None) -> Inputs:
    tokens: list[Tokens] = []
    sentences: list[Sentence] = []
    width = 0
    for item in items:
        if not isinstance(item, Sentence):
            raise DataError("X mixes sentences from files with lists; give one kind")
        sentences.append(item)
        names = shown_columns(item, target)
        width = len(names) if not tokens else min(width, len(names))
        columns = [item.column(name) for name in names]
        tokens.append(columns[0] if len(columns) == 1 else list(zip(*columns)))
    return Inputs(tokens, False, max(width, 1), sentences)


def shown_columns(sentence: Sentence, target: str | int | None) -> list[str]:
    """Return the columns that templates may read: all but the target; in CoNLL-U the words alone."""
    if sentence.format.name != "columns":
        return ["form"]
    hidden = sentence.format.find(sentence.format.target or "label" if target is None else target)
    form = sentence.format.find("form")
    return ["form", *(name for i, name in enumerate(sentence.names) if i not in (form, hidden))]


def read_labels(
    inputs: Inputs, y: Iterable[object] | None, target: str | int | None = None, *, partial: bool = False
) -> list[list[Any]]:
    """Read gold labels, as many as tokens; sentences from files bring their own.

    With `partial` a label may be None (in files ``_``) or a set of labels.
    """
    if y is None:
        if inputs.sources is None:
            raise DataError("y is missing; give the labels of each sentence")
        if partial:
            return [known_labels(sentence, target) for sentence in inputs.sources]
        return [_column(sentence, target) for sentence in inputs.sources]
    if isinstance(y, str | bytes):
        raise DataError("y is a single string; give a list of lists of labels")
    advice = "give a list of labels"
    labels: list[list[Any]] = []
    for i, tags in enumerate(_listed(with_names(y), "y", "give a list of lists of labels")):
        if isinstance(tags, str | bytes):
            raise DataError(f"y of sentence {i + 1} is a string; {advice}")
        labels.append(list(_listed(tags, f"y of sentence {i + 1}", advice)))
    if len(labels) != len(inputs.tokens):
        raise DataError(
            f"{len(inputs.tokens)} sentences but {len(labels)} lists of labels; give one list each"
        )
    known: set[str] = set()  # labels that were checked
    for i, (tokens, tags) in enumerate(zip(inputs.tokens, labels)):
        if len(tokens) != len(tags):
            raise DataError(
                f"{inputs.place(i)}: {len(tokens)} tokens but {len(tags)} labels; give one label each"
            )
        if partial:
            labels[i] = tags = [as_known(tag, f"{inputs.place(i, at)}: label") for at, tag in enumerate(tags)]
        elif not all(isinstance(tag, str) for tag in tags) or not known.issuperset(tags):
            for at, tag in enumerate(tags):
                check_label(tag, f"{inputs.place(i, at)}: label")
            known.update(tags)
    return labels


def as_known(label: object, name: str) -> Known:
    """Return a label in its stored form: a name, several in order, or None if it is unknown."""
    if label is None:
        return None
    if isinstance(label, set | frozenset | tuple | list):
        for each in label:
            check_label(each, name)
        if not label:
            raise DataError(f"{name} is an empty set; give None where nothing is known")
        each, *others = sorted(set(label))
        return (each, *others) if others else str(each)
    check_label(label, name)
    return str(label)


def known_labels(sentence: Sentence, target: str | int | None) -> list[str | None]:
    """Return the labels of a sentence; None where its column is empty or has ``_``."""
    return sentence.values(_target(sentence, target))


def _target(sentence: Sentence, target: str | int | None) -> str | int:
    name = sentence.format.target if target is None else target
    if name is None:
        raise DataError(f"{sentence.place}: there are no labels in this format; use one that has them")
    return name


def _column(sentence: Sentence, target: str | int | None) -> list[str]:
    name = _target(sentence, target)
    labels = sentence.column(name)
    if error := missing(sentence, name):
        raise error
    return labels


def word_of(token: object) -> str:
    """Return the first column of a token of words."""
    word = token[0] if isinstance(token, tuple | list) and token else token
    if not isinstance(word, str):
        raise TypeError(f"a token must be a str, or a tuple of str, not {type(word).__name__}")
    word.encode()  # refuse half of a surrogate pair here, where its sentence is known
    return word


def _in_order(feature: object) -> object:
    if isinstance(feature, set | frozenset):
        return sorted(feature, key=repr)
    if isinstance(feature, dict) and any(isinstance(v, dict | set | frozenset) for v in feature.values()):
        return {name: _in_order(value) for name, value in feature.items()}
    return feature
