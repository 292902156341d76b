"""Dependency trees: read from sentences with every error reported by file and line, and written back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from structron.errors import DataError
from structron.io.files.format import Format
from structron.io.files.sentence import FIX, Sentence

NO_LABEL = "_"
"""The label of every word in a tree without labels."""

_TAG_NAMES = ("tag", "pos", "upos", "xpos")
_LABEL_NAMES = ("deprel", "relation", "label")


class Tree(NamedTuple):
    """Each word's head and its relation to it; words count from 1, and 0 is the root, as in CoNLL-U.

    Examples
    --------
    >>> Tree([2, 0], ["nsubj", "root"]).roots()
    [2]
    """

    heads: list[int]
    labels: list[str]

    def roots(self) -> list[int]:
        """Return the words whose head is 0."""
        return [word for word, head in enumerate(self.heads, 1) if head == 0]


PartialTree = tuple[Sequence[int | None], Sequence[str | None]]
"""A tree of which not all is known: None where nobody knows."""


class Fault(NamedTuple):
    """An error in a tree: the word to blame (from 0; None: the whole sentence), and a message."""

    word: int | None
    what: str


class TreeColumns(NamedTuple):
    """The columns that hold tag, head and relation; None for a column that the format lacks."""

    tag: int | None
    head: int | None
    label: int | None


def tree_columns(format: Format) -> TreeColumns:
    """Find the columns of a tree: by name, or in unnamed columns by order: word, tag, head, relation.

    Examples
    --------
    >>> tree_columns(Format("conllu"))
    TreeColumns(tag=3, head=6, label=7)
    >>> tree_columns(Format("columns", columns=("form", "1", "label")))
    TreeColumns(tag=1, head=2, label=None)
    """
    if format.name == "conllu":
        return TreeColumns(3, 6, 7)
    width = len(format.columns)
    if format.name != "columns":
        return TreeColumns(1 if width > 1 else None, None, None)
    if "head" in format.columns:
        places = {name: i for i, name in enumerate(format.columns)}
        tag = next((places[name] for name in _TAG_NAMES if name in places), None)
        label = next((places[name] for name in _LABEL_NAMES if name in places), None)
        return TreeColumns(tag, places["head"], label)
    return TreeColumns(*(i if i < width else None for i in (1, 2, 3)))


def tree_of(sentence: Sentence, *, one_root: bool = True, labelled: bool = True) -> Tree:
    """Return the tree of a sentence from a file, or raise a DataError that names the line.

    Parameters
    ----------
    one_root
        Whether a second word with head 0 is a fault, as in Universal Dependencies.
    labelled
        Whether relations are read; without, they need not be there, and all are ``_``.
    """
    columns = tree_columns(sentence.format)
    if columns.head is None:
        raise DataError(
            f"{sentence.place}: there are no heads in its columns ({', '.join(sentence.names)}); "
            "give CoNLL-U, or columns with word, tag, head"
        )
    texts = sentence.column(columns.head)
    for word, text in enumerate(texts):
        # Ten digits are beyond every sentence, and thousands of them would take long to read.
        if not text.isdecimal() or not text.isascii() or len(text) > 10:
            raise DataError(f"{sentence.place_of(word)}: {_bad_head(word, text, sentence)}; {FIX}")
    heads = list(map(int, texts))
    if fault := find_fault(heads, one_root=one_root):
        place = sentence.place if fault.word is None else sentence.place_of(fault.word)
        raise DataError(f"{place}: {fault.what}; {FIX}")
    return Tree(heads, _labels(sentence, columns.label if labelled else None))


def known_tree(sentence: Sentence, *, one_root: bool = True, labelled: bool = True) -> PartialTree:
    """Return the known part of a sentence's tree: None for heads and relations that are empty or ``_``."""
    columns = tree_columns(sentence.format)
    if columns.head is None:
        raise DataError(
            f"{sentence.place}: there are no heads in its columns ({', '.join(sentence.names)}); "
            "give CoNLL-U, or columns with word, tag, head"
        )
    heads: list[int | None] = []
    for word, text in enumerate(sentence.values(columns.head)):
        if text is not None and (not text.isdecimal() or not text.isascii() or len(text) > 10):
            raise DataError(f"{sentence.place_of(word)}: {_bad_head(word, text, sentence)}; {FIX}")
        heads.append(None if text is None else int(text))
    if fault := find_known_fault(heads, one_root=one_root):
        place = sentence.place if fault.word is None else sentence.place_of(fault.word)
        raise DataError(f"{place}: {fault.what}; {FIX}")
    if not labelled or columns.label is None:
        return heads, [NO_LABEL] * len(heads)
    return heads, sentence.values(columns.label)


def find_known_fault(heads: Sequence[int | None], *, one_root: bool = True) -> Fault | None:
    """Return the reason why no tree has these heads, as far as they are known, or None."""
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    if one_root and len(roots) > 1:
        return Fault(
            roots[1] - 1, f"words {roots[0]} and {roots[1]} both have head 0, but a tree has one root"
        )
    if not heads:
        return None
    return find_fault([head or 0 for head in heads], one_root=False if None in heads else one_root)


def _bad_head(word: int, text: str, sentence: Sentence) -> str:
    form = sentence.words()[word]
    if text in ("", "_"):
        return f"word {word + 1} ({form}) has no head"
    shown = text if len(text) <= 40 else text[:40] + "…"
    number = text.removeprefix("-")
    if not number.isdecimal() or not number.isascii():
        return f"head {shown!r} of word {word + 1} ({form}) is not a whole number"
    bound = (
        "less than 0" if text.startswith("-") else f"beyond the sentence, which has {_words(len(sentence))}"
    )
    return f"head {shown} of word {word + 1} ({form}) is {bound}"


def _labels(sentence: Sentence, column: int | None) -> list[str]:
    """Return the relations; a file without any is unlabelled."""
    if column is None:
        return [NO_LABEL] * len(sentence)
    labels = sentence.column(column)
    if NO_LABEL not in labels and "" not in labels:
        return labels
    if all(label in ("", NO_LABEL) for label in labels):
        return [NO_LABEL] * len(labels)
    word = next(i for i, label in enumerate(labels) if label in ("", NO_LABEL))
    form = sentence.words()[word]
    raise DataError(
        f"{sentence.place_of(word)}: word {word + 1} ({form}) has no relation where others have one; {FIX}"
    )


def find_fault(heads: Sequence[int], *, one_root: bool = True) -> Fault | None:
    """Return the reason why these heads are not a tree, or None if they are one.

    Examples
    --------
    >>> find_fault([2, 0, 2]) is None
    True
    >>> find_fault([2, 1, 0])
    Fault(word=0, what='words 1 and 2 form a cycle')
    """
    count = len(heads)
    root = -1
    for word, head in enumerate(heads):
        if not 0 <= head <= count:
            return Fault(word, f"word {word + 1} has head {head} but the sentence has {_words(count)}")
        if head == word + 1:
            return Fault(word, f"word {word + 1} is its own head")
        if head == 0:
            if root >= 0 and one_root:
                return Fault(
                    word, f"words {root + 1} and {word + 1} both have head 0, but a tree has one root"
                )
            root = word
    if root < 0:
        return Fault(None, "no word has head 0, so there is no root")
    return _cycle(heads)


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"


def _cycle(heads: Sequence[int]) -> Fault | None:
    """Return the first cycle; each walk stops where an earlier one has been."""
    walk = [0] * (len(heads) + 1)
    walk[0] = -1
    for start in range(1, len(heads) + 1):
        word = start
        while not walk[word]:
            walk[word] = start
            word = heads[word - 1]
        if walk[word] == start:
            round_trip = [word]
            while heads[round_trip[-1] - 1] != word:
                round_trip.append(heads[round_trip[-1] - 1])
            cycle = sorted(round_trip)
            named = (
                ", ".join(map(str, cycle[:-1])) if len(cycle) <= 8 else ", ".join(map(str, cycle[:7])) + ", …"
            )
            return Fault(cycle[0] - 1, f"words {named} and {cycle[-1]} form a cycle")
    return None


def with_tree(sentence: Sentence, tree: tuple[Sequence[int], Sequence[str]]) -> Sentence:
    """Return a copy with these heads and relations. Lines of words become CoNLL-U."""
    heads, labels = tree
    if sentence.format.name in ("slash", "text"):
        sentence = as_conllu(sentence)
    columns = tree_columns(sentence.format)
    written = sentence.with_column("head" if columns.head is None else columns.head, list(map(str, heads)))
    if columns.label is None and all(label == NO_LABEL for label in labels):
        return written  # a file without relations, and none were predicted
    return written.with_column("deprel" if columns.label is None else columns.label, labels)


def as_conllu(sentence: Sentence) -> Sentence:
    """Convert the words and tags of a line to ten columns; text before the words becomes a comment."""
    columns = tree_columns(sentence.format)
    tags = None if columns.tag is None else sentence.column(columns.tag)
    made = Sentence.of(sentence.words(), tags, Format("conllu"))
    made.comments = [f"# {field}" for field in sentence.comments]
    made.file, made.line = sentence.file, sentence.line
    return made
