"""`Play`: what the playground asks of a task besides what the server does.

A task says it by the object `play` of its `TaskSpec`. One that says nothing has films all
the same, if its models leave traces: the names of actions are those of its explanations.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from structron import registry
from structron.errors import DataError, StructronError
from structron.io import Sentence
from structron.model import Model
from structron.reference.sequence.trace import Trace
from structron.search import Search
from structron.serve.json_forms import Json, kind_of, text
from structron.serve.limits import Limits
from structron.serve.play.beams import beams
from structron.serve.refusals import CONFLICT, UNFIT, Refused
from structron.serve.registry import Loaded

Examples = tuple[list[Any], list[Any] | None]
ReadT = TypeVar("ReadT")
KEPT = 60  # examples that stay as they are while one is corrected


class Correcting(NamedTuple):
    """The arguments of `correct`, and the words of the kept examples."""

    xs: list[Any]
    ys: list[Any] | None
    keep: Any
    said: list[list[str]]


class Play:
    """The usual task in the playground: gold is its output as a text, and there are no lessons.

    Attributes
    ----------
    editor
        How the page lets people set an output right: ``tags``, ``tree`` or ``output``, which is a text.
    formats
        What an uploaded file may be, for people; empty where there are no lessons.
    settings
        Those of a lesson, besides what people choose.
    english
        Settings of a lesson on real English; None where the task has none.
    small_models
        Models that come with the playground: name, how many made-up examples each learns from, and settings.
    """

    editor = "output"
    formats = ""
    settings: Mapping[str, Any] = {}
    english: Mapping[str, Any] | None = None
    small_models: Sequence[tuple[str, int, Mapping[str, Any]]] = ()

    def gold(self, model: Loaded, x: Any, value: Json) -> Any:
        """Parse and check gold from JSON, for `trace`."""
        return text(value, "gold", "the right output as a text").strip()

    def guess(self, model: Loaded, x: Any) -> Json:
        """Return the prediction in the shape of gold."""
        (found,) = model.form.answers(model.estimator, [x], Limits())
        return " ".join(map(str, found)) if isinstance(found, list) else str(found)

    def words(self, model: Loaded, x: Any) -> list[str]:
        """Return the input as words to show."""
        return x.split() if isinstance(x, str) else list(map(str, x))

    def searching(self, model: Loaded, search: Search) -> Loaded:
        """Return the model as it is with another search: its film, its output and its reasons are those."""
        own = model.estimator
        made = type(own).of_model(with_search(own.model_, search), model.name)
        made.threads = 1
        return dataclasses.replace(model, estimator=made)

    def has_films(self, estimator: Any) -> bool:
        """Return True if the search of a model leaves a trace."""
        return hasattr(estimator, "trace")

    def one_of(self, model: Loaded, x: Any, which: Json) -> tuple[Any, Json]:
        """Return the part of the input that the film shows, and how the page asks for another."""
        return x, {}

    def shown(self, x: Any, y: Any) -> dict[str, Any]:
        """Return an example of a lesson as the page would ask for its film."""
        said = x if isinstance(x, str) else " ".join(map(str, x))
        return {"text": said, "gold": y if isinstance(y, str) else None}

    def teaches(self, estimator: Any) -> bool:
        """Return True if such a model is corrected on the page."""
        return False

    def checked(self, model: Loaded, x: Any, given: Json) -> Any:
        """Return the gold output as the model learns it; refuse if there is none."""
        if given is None:
            raise Refused(UNFIT, "gold: there is none; say what is right")
        return self.gold(model, x, given)

    def lesson(self, model: Loaded, x: Any, gold: Any, others: list[str]) -> Correcting:
        """Return what `correct` takes for one input, and what is to stay as it is.

        These are made-up examples, or, where a task cannot make any up, the texts that the page gives.
        """
        X, y = self.examples(KEPT, 0)
        return Correcting([x], [gold], (X, y), [self.words(model, each) for each in X])

    def film(self, model: Loaded, x: Any, given: Json) -> Json:
        """Return the beams and the fate of gold."""
        gold = None if given is None else self.gold(model, x, given)
        trace = model.estimator.trace(x, gold)
        if not isinstance(trace, Trace):
            raise Refused(CONFLICT, f"model: {model.kind} leaves a chart of parts, and films are of beams")
        shown = {"words": self.words(model, x), "guess": self.guess(model, x), "gold": given}
        namer = getattr(model.estimator.account(x), "namer", None)
        return shown | beams(trace, namer, gold is not None)

    def examples(self, count: int, seed: int) -> Examples:
        """Generate examples as `fit` takes them."""
        raise NotImplementedError

    def analysed(self, sentences: Sequence[Sentence]) -> Examples:
        """Return examples of real English, from what the English model says of it."""
        raise NotImplementedError

    def read(self, given: str, most: int) -> Examples:
        """Return the first examples of an uploaded file."""
        raise NotImplementedError

    def first(self, found: Callable[[Any], Iterable[ReadT]], given: str, most: int) -> list[ReadT]:
        """Return at most `most` examples; report errors without options of the command line."""
        kept: list[ReadT] = []
        try:
            for each in found(io.StringIO(given)):
                kept.append(each)
                if len(kept) == most:
                    break
        except StructronError as error:
            what = str(error).partition(";")[0].replace("(stream)", "the file")
            raise DataError(f"{what}; {self.formats}") from None
        if not kept:
            raise DataError(f"the file has no examples; {self.formats}")
        return kept


def with_search(model: Model[Any], search: Search) -> Model[Any]:
    """Return a model that predicts with another search; weights and engines are the same ones."""
    made: Model[Any] = object.__new__(Model)
    vars(made).update(vars(model), search=search)
    return made


def play_of(kind: str) -> Play:
    """Return the task's entry in the playground."""
    spec = registry.spec_of(kind)
    play: Play = spec.load("play") if spec.play else Play()
    return play


def learned() -> tuple[str, ...]:
    """Return the tasks that have lessons."""
    return tuple(spec.kind for spec in registry.specs() if spec.play and play_of(spec.kind).formats)


def listed(value: Json, what: str) -> list[Any]:
    """Return a list; refuse any other value."""
    if not isinstance(value, list):
        raise Refused(UNFIT, f"gold: {kind_of(value)} is not possible here; give {what}")
    return value
