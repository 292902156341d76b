"""What a parser sees of a sentence: the columns that its templates read, given or predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from structron.errors import ModelError
from structron.model import Model
from structron.task import Task
from structron.tasks.parsing.inputs import Sentences
from structron.tasks.parsing.trees.task import TreeTask

TAGGER = "tagger."  # with the name of a column: the part of a model that predicts it


@dataclass(frozen=True)
class View:
    """Columns in their order, and who fills them.

    Attributes
    ----------
    names
        What the columns are called that templates read, from the first to the last; the words come first.
    taggers
        By name of a column, the model that predicts it. Where there are any, what a sentence brings besides
        its words is never looked at, and a column without a tagger is empty.
    """

    names: tuple[str, ...]
    taggers: Mapping[str, Model[Task]] = field(default_factory=dict)

    @classmethod
    def of_model(cls, model: Model[TreeTask], where: str) -> View:
        """The view of a parser from a file.

        The order of the columns is that of the list in the file: parts of a model have names and no order.
        """
        listed = model.about.get("columns")
        if not isinstance(listed, list) or not listed or not all(isinstance(name, str) for name in listed):
            raise ModelError(f"{where}: the model does not name its columns; train it again")
        names = tuple(listed[: model.task.columns])
        taggers = {
            name: model.parts[f"{TAGGER}{name}"] for name in names[1:] if f"{TAGGER}{name}" in model.parts
        }
        if len(taggers) < len(model.parts) or len(names) < model.task.columns:
            raise ModelError(f"{where}: the model's columns and taggers do not fit together; train it again")
        return cls(names, taggers)

    @property
    def parts(self) -> dict[str, Model[Task]]:
        """The taggers as parts of a model."""
        return {f"{TAGGER}{name}": model for name, model in self.taggers.items()}

    def of(self, sentences: Sentences, threads: int = 1) -> Sentences:
        """The columns that the templates read; those that taggers predict are always predicted."""
        if not self.taggers:
            return sentences.narrowed(len(self.names))
        words, predicted = sentences.words(), {}
        for name, tagger in self.taggers.items():
            tagger.threads = threads
            predicted[name] = tagger.predict(words, place=sentences.place)
        return sentences.with_columns(predicted, self.names)

    def predicted(self, seen: Sentences) -> dict[str, list[list[str]]]:
        """By name, the columns of these sentences that taggers have predicted."""
        return {name: seen.column(i) for i, name in enumerate(self.names) if name in self.taggers}
