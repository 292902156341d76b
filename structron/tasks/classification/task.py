"""Classification of texts, words, named numbers or the rows of an array.

Every input becomes a bag of features by their keys; `structron.tasks.classification.features` defines them
and their values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, array_of, is_text, narrowed, texts, typed
from structron.errors import ModelError, SettingError
from structron.features.keys import fold
from structron.tasks.classification.features import (
    INTERCEPT,
    TF,
    TextTemplate,
    Weighting,
    counted,
    parse_all,
    parse_weighting,
    words_of,
)
from structron.tasks.classification.frequencies import Frequencies
from structron.tasks.classification.space import ClassificationSpace, LabelOracle
from structron.tasks.classification.voting.mistakes import Mistakes

# Keys of features, and their values before weighting.
Bag = tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]
MOST_LABELS = 65_000
LARGEST = 1e15  # the bound of an intercept, as of any value


@dataclass(frozen=True)
class ClassificationTask:
    """Labels for an input.

    Parameters
    ----------
    labels
        All labels, in the order of their numbers.
    templates
        Templates of a text's features, see `structron.tasks.classification.features`.
    weighting
        The weighting of features.
    lowered
        Treat upper and lower case alike.
    intercept
        The value of an additional feature that all inputs share; 0 for none.
    many
        Allow any number of labels for an input, not exactly one.
    bits
        With b bits all features share 2^b rows (the hashing trick), which bounds memory; 0 avoids collisions.
    frequencies
        The features in use, and how many training texts have each.
    voted
        Record every weight vector of the training.
    mistakes
        The record from which these vectors are rebuilt; without it one weight vector decides.
    """

    kind: ClassVar[str] = "classification"
    searches: ClassVar[tuple[str, ...]] = ("exact", "beam")
    dense: ClassVar[int] = 0

    labels: tuple[str, ...]
    templates: tuple[str, ...] = ()
    weighting: str = "count"
    lowered: bool = True
    intercept: float = 1.0
    many: bool = False
    bits: int = 0
    frequencies: Frequencies = field(default_factory=Frequencies.none)
    voted: bool = False
    mistakes: Mistakes | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if not self.labels:
            raise SettingError("there are no labels; give at least one labelled example")
        if len(self.labels) > MOST_LABELS:
            raise SettingError(f"{len(self.labels)} labels are too many; at most {MOST_LABELS} are possible")
        strange = next((label for label in self.labels if not is_text(label)), None)
        if strange is not None:
            raise SettingError(f"label {strange!r} is not text; give a str")
        if not 0 <= self.intercept <= LARGEST:
            raise SettingError(
                f"intercept = {self.intercept} is not possible; give a number from 0 to {LARGEST:g}"
            )
        if len(set(self.labels)) < len(self.labels):
            raise SettingError("a label is there twice; leave one out")
        _ = self.parsed, self.parsed_weighting

    def __getstate__(self) -> dict[str, Any]:
        # The engine's objects are rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def parsed(self) -> list[TextTemplate]:
        """Return the parsed templates."""
        return parse_all(self.templates)

    @cached_property
    def parsed_weighting(self) -> Weighting:
        """Return the parsed weighting."""
        return parse_weighting(self.weighting)

    @cached_property
    def vectorizer(self) -> _core.Vectorizer:
        """Return the engine's converter of inputs to vectors."""
        weighting = self.parsed_weighting
        return _core.Vectorizer(
            [(t.base, t.unit == "char", t.length) for t in self.parsed],
            self.lowered, TF.index(weighting.tf), weighting.idf, weighting.l2, self.intercept, self.bits,
            *self.frequencies,
        )  # fmt: skip

    @cached_property
    def ballot(self) -> _core.Ballot | None:
        """Return the recorder of weight vectors if they vote."""
        return _core.Ballot() if self.voted else None

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return self.kind

    @property
    def is_binary(self) -> bool:
        """Return True if the sign of one sum decides."""
        return len(self.labels) == 2 and not self.many

    @property
    def weight_columns(self) -> int:
        """Return one column for each label, or a single one for two labels."""
        return 1 if self.is_binary else len(self.labels)

    def with_labels(self, labels: Sequence[str]) -> tuple[ClassificationTask, range]:
        """Return the task with more labels, and which column each of its columns becomes."""
        if self.is_binary:
            raise SettingError(
                "a model of two labels has one weight for both, so a third has no place; train it again "
                "with all labels"
            )
        return replace(self, labels=(*self.labels, *labels)), range(self.weight_columns)

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return no weights, since learning starts from zero."""
        return {}

    def corpus(self, weights: _core.Weights) -> _core.ClassificationCorpus:
        """Create an empty corpus."""
        return _core.ClassificationCorpus(self.vectorizer, weights, list(self.labels), self.many)

    def live(
        self, corpus: _core.ClassificationCorpus, weights: _core.Weights, choices: Choices
    ) -> _core.Trainer:
        """Create the engine's trainer on a packed corpus."""
        return _core.classification_trainer(corpus, weights, *choices.arguments, self.ballot)

    def frozen(self, rows: Rows, kind: str = "beam") -> _core.ClassificationPredictor:
        """Create the engine's classifier with these weights, or with these misclassified examples."""
        if self.mistakes is not None:
            examples, *mistakes = self.mistakes
            return _core.voted_predictor(
                self.vectorizer, list(self.labels), self.many, rows, examples, tuple(mistakes)
            )
        return _core.classification_predictor(self.vectorizer, list(self.labels), self.many, rows)

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        return {
            "labels": list(self.labels),
            "templates": list(self.templates),
            "weighting": self.weighting,
            "lowered": self.lowered,
            "intercept": self.intercept,
            "many": self.many,
            "bits": self.bits,
            "documents": self.frequencies.documents,
            "voted": self.voted,
            "mistaken": 0 if self.mistakes is None else self.mistakes.examples,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the frequencies and the mistakes, if there are any."""
        mistakes = {} if self.mistakes is None else self.mistakes.arrays()
        if not self.frequencies.documents:
            return mistakes
        return mistakes | {
            "features.keys": self.frequencies.keys,
            "features.times": narrowed(self.frequencies.times, np.uint8, np.uint16),
        }

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Restore the task from a model file."""
        frequencies, documents = Frequencies.none(), typed(header, "documents", int)
        if documents:
            if not 0 < documents < 2**32:
                raise ModelError("its number of documents is out of range")
            frequencies = Frequencies(
                array_of(arrays, "features.keys", np.uint64),
                array_of(arrays, "features.times", np.uint32, np.uint16, np.uint8),
                documents,
            )
        return cls(
            tuple(texts(header, "labels")),
            tuple(texts(header, "templates")),
            typed(header, "weighting", str),
            typed(header, "lowered", bool),
            _intercept_of(header),
            typed(header, "many", bool),
            typed(header, "bits", int),
            frequencies,
            typed({"voted": False} | dict(header), "voted", bool),
            Mistakes.restore(header, arrays),
        )

    def values(self, x: str | Sequence[str] | Bag | _core.CountedBag, scale: float = 1.0) -> dict[int, float]:
        """Return the features of one input by key, as the definition sees them."""
        if isinstance(x, _core.CountedBag):
            x = x.arrays()
        if isinstance(x, tuple) and len(x) == 2 and not isinstance(x[0], str):
            raw = zip((int(key) for key in x[0]), (float(value) for value in x[1]))
            pairs = [(key, value) for key, value in raw]
        else:
            words = words_of(x, self.lowered) if isinstance(x, str) else [str(word) for word in x]
            pairs = [(key, 1.0) for template in self.parsed for key in template.keys(words)]
        counts = counted((fold(key, self.bits), value) for key, value in pairs)
        found = self.parsed_weighting.values(counts, self.frequencies.table(), self.frequencies.documents)
        if self.intercept:
            key = fold(INTERCEPT, self.bits)
            found[key] = found.get(key, 0.0) + self.intercept  # a folded key may share a row
        return {key: scale * value for key, value in found.items()}

    def space(
        self, x: str | Sequence[str] | Bag | _core.CountedBag, scale: float = 1.0
    ) -> ClassificationSpace:
        """Return the search space of one input, with all its values multiplied by `scale`."""
        return ClassificationSpace(self.values(x, scale), len(self.labels), self.many)

    def oracle(self, labels: Sequence[str]) -> LabelOracle:
        """Return the oracle for the gold labels of one input."""
        if self.many:
            return LabelOracle([int(label in labels) for label in self.labels])
        (label,) = labels
        return LabelOracle([self.labels.index(label)])


def _intercept_of(header: Mapping[str, Any]) -> float:
    """Return the value of the intercept; in older files true means 1 and false none."""
    value = header["intercept"]
    if not isinstance(value, bool | int | float) or not 0 <= value <= LARGEST:
        raise ModelError("its intercept should be a number")
    return float(value)
