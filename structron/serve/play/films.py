"""Films: the search of a model of any task that leaves a trace."""

from __future__ import annotations

from structron.errors import StructronError
from structron.search import parse_search
from structron.serve.json_forms import Json
from structron.serve.limits import Limits
from structron.serve.play.task_play import play_of
from structron.serve.refusals import CONFLICT, TOO_LARGE, UNFIT, Refused
from structron.serve.registry import Loaded, ModelRegistry
from structron.serve.requests import fields_of, read

FIELDS = ("model", "input", "gold", "search", "sentence")
LONGEST, WIDEST = 60, 64  # words, items that are searched


def film(value: Json, registry: ModelRegistry, limits: Limits) -> Json:
    """Return the film that ``POST /play/film`` asks for."""
    value = fields_of(value, FIELDS)
    model = registry.find(value.get("model"))
    if editor_of(model) is None:
        raise Refused(CONFLICT, f"model: {model.kind} leaves no trace to make a film of; name another")
    x = read(model, value.get("input"), "input", limits)
    play, model = play_of(model.kind), searched(model, value.get("search"))
    x, which = play.one_of(model, x, value.get("sentence"))
    if not 1 <= len(play.words(model, x)) <= LONGEST:
        raise Refused(TOO_LARGE, f"input: a film has 1 to {LONGEST} words; give as many")
    found = play.film(model, x, value.get("gold"))
    return (
        {"search": str(model.estimator.model_.search)}
        | found
        | {"task": model.kind, "editor": play.editor}
        | which
    )


def editor_of(model: Loaded) -> str | None:
    """Return how gold is given on the page; None if the model has no films."""
    play = play_of(model.kind)
    return play.editor if play.has_films(model.estimator) else None


def searched(model: Loaded, name: Json) -> Loaded:
    """Return the model with the search that a request names; as it is if the request names none."""
    if name is None:
        return model
    try:
        found = parse_search(name) if isinstance(name, str) else None
    except StructronError as error:
        raise Refused(UNFIT, str(error)) from None
    if found is None or (found.width or 1) > WIDEST:
        raise Refused(UNFIT, f"search: give one such as beam:4, of at most {WIDEST} items")
    return play_of(model.kind).searching(model, found)
