"""The columns that a parser's templates read, given or predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from structron.errors import ModelError
from structron.model import Model
from structron.records import dataclass
from structron.task import Task
from structron.tasks.parsing.inputs import Sentences
from structron.tasks.parsing.trees.task import TreeTask

TAGGER = "tagger."  # with the name of a column: the part of a model that predicts it


@dataclass(frozen=True)
class View:
    """The columns in order, and the taggers that fill them.

    Attributes
    ----------
    names
        Names of the columns that templates read, in order; the words come first.
    taggers
        For each predicted column, its model. If there are any, the columns of a sentence other than its words
        are ignored, and a column without a tagger is empty.
    """

    names: tuple[str, ...]
    taggers: Mapping[str, Model[Task]] = field(default_factory=dict)

    @classmethod
    def of_model(cls, model: Model[TreeTask], where: str) -> View:
        """Read the view of a parser from its model.

        The order of the columns comes from the list in the file, since parts of a model have no order.
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
        """Return the taggers as parts of a model."""
        return {f"{TAGGER}{name}": model for name, model in self.taggers.items()}

    def of(self, sentences: Sentences, threads: int = 1) -> Sentences:
        """Return the columns that the templates read; columns with taggers are always predicted."""
        if not self.taggers:
            return sentences.narrowed(len(self.names))
        words, predicted = sentences.words(), {}
        for name, tagger in self.taggers.items():
            tagger.threads = threads
            predicted[name] = tagger.predict(words, place=sentences.place)
        return sentences.with_columns(predicted, self.names)

    def predicted(self, seen: Sentences) -> dict[str, list[list[str]]]:
        """Return the columns of these sentences that taggers have predicted, by name."""
        return {name: seen.column(i) for i, name in enumerate(self.names) if name in self.taggers}
