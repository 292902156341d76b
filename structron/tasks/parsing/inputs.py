"""Inputs of a parser: words with tags and trees, from Python lists or from files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, TypeGuard

from structron.errors import DataError
from structron.fit.data.inputs import check_label, check_ordered, is_array
from structron.io import Sentence
from structron.io.values.trees import (
    NO_LABEL,
    Tree,
    find_fault,
    find_known_fault,
    known_tree,
    tree_columns,
    tree_of,
)
from structron.records import dataclass
from structron.tasks.parsing.transitions.task import token_width

# The columns of CoNLL-U in the order of `structron.tasks.parsing.features.templates.COLUMNS`.
CONLLU_COLUMNS = ("form", "upos", "xpos", "feats", "lemma")
TOKENS = "give each sentence as words, as (words, tags), or as a list of (word, tag) tuples"

EMPTY = "_"  # an empty value in CoNLL-U

Token = tuple[str, ...]


@dataclass(frozen=True)
class Sentences:
    """Sentences for a parser.

    Attributes
    ----------
    tokens
        Each token is a tuple of columns: the word, then tags and further columns.
    names
        Names of the columns in use; tokens may have more.
    sources
        The sentences as they were read from files, if they were.
    """

    tokens: list[list[Token]]
    names: tuple[str, ...]
    sources: list[Sentence] | None = None

    def place(self, sentence: int, word: int | None = None) -> str:
        """Name the place of a sentence (from 0) or of one of its words, for messages."""
        if self.sources is not None:
            source = self.sources[sentence]
            return source.place if word is None else source.place_of(word)
        return f"sentence {sentence + 1}" + ("" if word is None else f", word {word + 1}")

    def words(self) -> list[list[str]]:
        """Return the first column."""
        return [[token[0] for token in tokens] for tokens in self.tokens]

    def column(self, index: int) -> list[list[str]]:
        """Return one column of every sentence."""
        return [[token[index] for token in tokens] for tokens in self.tokens]

    def share(self, index: int) -> float:
        """Return the share of words with a value in this column."""
        filled = [token[index] != EMPTY for tokens in self.tokens for token in tokens if index < len(token)]
        return sum(filled) / len(filled) if filled else 0.0

    def is_empty(self, index: int) -> bool:
        """Return True if no word has a value in a column."""
        return any(self.tokens) and all(token[index] == EMPTY for tokens in self.tokens for token in tokens)

    def narrowed(self, columns: int) -> Sentences:
        """Keep the first columns; refuse sentences that have fewer."""
        for i, tokens in enumerate(self.tokens):
            if tokens and len(tokens[0]) < columns:
                raise DataError(
                    f"{self.place(i)}: the templates read {columns} columns of each word but there "
                    f"{'is' if len(tokens[0]) == 1 else 'are'} {len(tokens[0])} ({' '.join(self.names)}); "
                    "give words with tags, or train with a tagger"
                )
        return replace(self, names=self.names[:columns])

    def with_columns(
        self, columns: Mapping[str, Sequence[Sequence[str]]], names: tuple[str, ...]
    ) -> Sentences:
        """Replace all columns but the words; columns in `names` that are not given stay empty."""
        words = self.words()
        empty = [[EMPTY] * len(sentence) for sentence in words]
        shown = [words, *(columns.get(name, empty) for name in names[1:])]
        tokens = [list(zip(*(column[i] for column in shown), strict=True)) for i in range(len(words))]
        return replace(self, tokens=tokens, names=names)


def read_sentences(X: Iterable[object], columns: Sequence[str | int] | None = None) -> Sentences:
    """Read words with their further columns.

    Parameters
    ----------
    X
        `Sentence` objects; or pairs (words, tags), with further lists if templates read more; or lists of
        tuples (word, tag, ...); or lists of words.
    columns
        For `Sentence` objects: which columns, the words first.
    """
    if isinstance(X, str | bytes):
        raise DataError(f"X is a single string; {TOKENS}")
    check_ordered(X, "X")
    try:
        items = list(X)
    except TypeError:
        raise DataError(f"X is of type {type(X).__name__}; {TOKENS}") from None
    if any(isinstance(item, Sentence) for item in items):
        return _from_files(items, columns)
    tokens = [_tokens(item, i + 1) for i, item in enumerate(items)]
    widths = {len(sentence[0]): i for i, sentence in enumerate(tokens) if sentence}
    if len(widths) > 1:
        few = widths[min(widths)]
        raise DataError(
            f"sentence {few + 1}: {min(widths)} columns where others have {max(widths)}; {TOKENS}"
        )
    width = next(iter(widths), 1)
    return Sentences(tokens, ("form", "tag", *map(str, range(2, width)))[:width])


def _tokens(item: Any, number: int) -> list[Token]:
    """Return one sentence as tuples of columns; lists and arrays are columns, tuples in a list are tokens."""
    if token_width(item):  # the usual case, checked by the engine
        tokens: list[Token] = item
        return tokens
    if not hasattr(item, "__iter__") or isinstance(item, str | bytes | dict):
        raise DataError(f"sentence {number} is of type {type(item).__name__}; {TOKENS}")
    pair = isinstance(item, tuple)
    item = [part.tolist() if is_array(part) else part for part in item]
    if not item:
        return []
    if all(isinstance(part, str) for part in item):
        return [(word,) for word in item]
    if pair and all(isinstance(part, tuple) for part in item):
        raise DataError(
            f"sentence {number} is a tuple of tuples, which may be columns or words; give lists as columns "
            "(words, tags), or a list of (word, tag) tuples"
        )
    if all(isinstance(part, list) for part in item):
        lengths = {len(part) for part in item}
        if len(lengths) > 1:
            sizes = " and ".join(str(len(part)) for part in item)
            raise DataError(f"sentence {number}: columns of {sizes} values; give one tag for each word")
        rows = list(zip(*item))
    else:
        rows = list(item)
    for at, row in enumerate(rows, 1):
        if not isinstance(row, tuple) or not row or not all(isinstance(text, str) for text in row):
            raise DataError(f"sentence {number}, word {at}: {row!r} is not a (word, tag); {TOKENS}")
        if len(row) != len(rows[0]):
            widths = f"{len(row)} columns where the first has {len(rows[0])}"
            raise DataError(f"sentence {number}, word {at}: {widths}; {TOKENS}")
    return rows


def _from_files(items: Sequence[object], columns: Sequence[str | int] | None) -> Sentences:
    tokens: list[list[Token]] = []
    sources: list[Sentence] = []
    names: tuple[str, ...] = ()
    for item in items:
        if not isinstance(item, Sentence):
            raise DataError("X mixes sentences from files with lists; give one kind")
        sources.append(item)
        shown = list(columns) if columns is not None else shown_columns(item)
        values = [item.column(name) for name in shown]
        tokens.append(list(zip(*values)))
        named = tuple(str(name) for name in shown)
        if not names or len(named) < len(names):
            names = named
    return Sentences(tokens, names or ("form",), sources)


def shown_columns(sentence: Sentence) -> list[str | int]:
    """Return the columns of a sentence that templates may read, the words first."""
    if sentence.format.name == "conllu":
        return list(CONLLU_COLUMNS)
    tag = tree_columns(sentence.format).tag
    return ["form"] if tag is None else ["form", sentence.names[tag]]


def read_trees(
    sentences: Sentences,
    y: Iterable[object] | None,
    *,
    labelled: bool,
    one_root: bool = False,
    partial: bool = False,
) -> list[Tree]:
    """Read gold trees and check that each is a tree with one head for each word.

    Parameters
    ----------
    y
        Pairs (heads, relations), or heads alone where parsing is unlabelled; None to take them from the
        sentences themselves if they came from files.
    partial
        True if heads and relations may be None, in files ``_``: nobody knows them.
    """
    if y is None:
        if sentences.sources is None:
            raise DataError("y is missing; give the heads and relations of each sentence")
        read = known_tree if partial else tree_of
        trees = [Tree(*read(source, one_root=one_root, labelled=labelled)) for source in sentences.sources]  # type: ignore[arg-type]
    else:
        check_ordered(y, "y")
        try:
            given = list(y)
        except TypeError:
            raise DataError(f"y is of type {type(y).__name__}; give (heads, relations) each") from None
        if len(given) != len(sentences.tokens):
            raise DataError(f"{len(sentences.tokens)} sentences but {len(given)} trees; give one each")
        trees = [read_tree(sentences, i, tree, one_root, partial) for i, tree in enumerate(given)]
    if not labelled:
        return [Tree(tree.heads, [NO_LABEL] * len(tree.heads)) for tree in trees]
    return trees


def read_tree(sentences: Sentences, i: int, tree: object, one_root: bool, partial: bool = False) -> Tree:
    """Read one tree, checked; with `partial`, None stands for what nobody knows."""
    place, count = sentences.place(i), len(sentences.tokens[i])
    if not _is_list(tree):
        raise DataError(f"{place}: its tree is of type {type(tree).__name__}; give (heads, relations)")
    parts = list(tree)
    alone = bool(parts) and all(isinstance(part, Integral) or (partial and part is None) for part in parts)
    heads, labels = (parts, [NO_LABEL] * len(parts)) if alone or not parts else _pair(place, parts)
    if not len(heads) == len(labels) == count:
        raise DataError(
            f"{place}: {count} words but {len(heads)} heads and {len(labels)} relations; give one each"
        )
    found: Any = Tree([], [])
    for word, (head, label) in enumerate(zip(heads, labels)):
        unknown = partial and head is None
        if not unknown and (not isinstance(head, Integral) or isinstance(head, bool)):
            raise DataError(f"{sentences.place(i, word)}: head {head!r} is not an int; count words from 1")
        if label is not None or not partial:
            check_label(label, f"{sentences.place(i, word)}: relation")
        found.heads.append(None if unknown else int(head))  # type: ignore[call-overload]
        found.labels.append(None if label is None else str(label))
    find = find_known_fault if partial else find_fault
    if count and (fault := find(found.heads, one_root=one_root)):
        raise DataError(f"{sentences.place(i, fault.word)}: {fault.what}; fix it or leave it out")
    return found  # type: ignore[no-any-return]


def _pair(place: str, parts: list[object]) -> tuple[list[object], list[object]]:
    heads, labels = parts if len(parts) == 2 else (None, None)
    if not _is_list(heads) or not _is_list(labels):
        raise DataError(f"{place}: its tree is not a pair of lists; give (heads, relations)")
    return list(heads), list(labels)


def _is_list(value: object) -> TypeGuard[Iterable[object]]:
    """Return True for a list, a tuple or an array, but not for a text."""
    return (isinstance(value, Sequence) and not isinstance(value, str)) or is_array(value)
