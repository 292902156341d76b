"""A treebank that the stages of a pipeline learn from, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structron.errors import DataError
from structron.io import Sentence
from structron.io.files.sentence import missing
from structron.io.values.trees import PartialTree, Tree, known_tree, tree_of
from structron.tasks.pipeline.columns import Column, Columns, join_labels, zip_columns

if TYPE_CHECKING:
    from structron.tasks.pipeline.task import Stage

COLUMNS = ("form", "upos", "xpos", "feats", "lemma")


@dataclass
class Treebank:
    """The columns of sentences, gold and as predicted by stages, and the trees.

    Attributes
    ----------
    partial
        Whether values, heads and relations that are ``_`` are not known.
    """

    sentences: Sequence[Sentence]
    gold: Columns
    trees: list[Tree] | list[PartialTree]
    predicted: Columns
    partial: bool = False

    @classmethod
    def of(cls, sentences: Sequence[Sentence], *, trees: bool, partial: bool = False) -> Treebank:
        """Read all columns; with `trees` every sentence must have one, of which not all may be known."""
        for sentence in sentences:
            if sentence.format.name != "conllu":
                raise DataError(f"{sentence.place}: its format is {sentence.format.name}; give CoNLL-U")
        gold = {name: [sentence.column(name) for sentence in sentences] for name in COLUMNS}
        read: Any = known_tree if partial else tree_of
        arcs = [read(sentence) for sentence in sentences] if trees else []
        return cls(sentences, gold, arcs, {"form": gold["form"]}, partial)

    def check(self, stages: Sequence[Stage]) -> None:
        """Refuse words without a tag, if tags are learned and may not be missing."""
        if self.partial or all("upos" not in stage.fills for stage in stages):
            return
        for sentence in self.sentences:
            if error := missing(sentence, "upos"):
                raise error

    def take(self, names: Sequence[str]) -> None:
        """Use these columns as given."""
        self.predicted |= {name: self.gold[name] for name in names}

    def seen(self, names: Sequence[str]) -> list[list[Any]]:
        """Return the words as a stage sees them: texts, or tuples of columns."""
        return zip_columns(self.predicted, names)

    def gold_seen(self, names: Sequence[str]) -> list[list[Any]]:
        """Return the same with gold values, and predictions where gold is not known."""
        columns = {name: self.gold[name] for name in names}
        for name in {*names} - {"form"} if self.partial else ():
            both = zip(self._known(name), self.predicted[name])
            columns[name] = [[guess if own is None else own for own, guess in zip(*each)] for each in both]
        return zip_columns(columns, names)

    def labels(self, stage: Stage) -> list[list[Any]]:
        """Return the gold labels of a stage: values of its column, or of several columns at once.

        A label is None, not known, if one of its values is.
        """
        joined = join_labels(stage, self.gold)
        if not self.partial:
            return joined
        known = [self._known(name) for name in stage.fills]
        return [
            [None if None in values else label for label, *values in zip(*each)]
            for each in zip(joined, *known)
        ]

    def _known(self, name: str) -> list[list[Any]]:
        """Return the values of a column; None where they are not known.

        FEATS may be empty, so they are not known where the word has no tag, in a treebank that has tags.
        """
        told_by = "upos" if name == "feats" and not is_empty(self.gold["upos"]) else name
        if told_by == "feats":
            return self.gold[name]
        return [
            [None if tag in ("_", "") else value for value, tag in zip(*each)]
            for each in zip(self.gold[name], self.gold[told_by])
        ]


def is_empty(column: Column) -> bool:
    """Return True if a treebank has no value in a column."""
    return not any(value not in ("_", "") for values in column for value in values)
