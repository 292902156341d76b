"""Requests: from the bytes of a body to checked inputs of a model."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn

from structron.serve.json_forms import Json, kind_of
from structron.serve.limits import Limits
from structron.serve.refusals import BAD, CONFLICT, MEDIA, TOO_LARGE, UNFIT, Refused
from structron.serve.registry import Loaded, ModelRegistry

FIELDS = ("model", "task", "input", "inputs", "kbest")


@dataclass(frozen=True)
class Asked:
    """Inputs for a model.

    Attributes
    ----------
    kbest
        How many outputs of each; None for the best alone.
    single
        Whether one input was given by itself, and not a list of them.
    """

    model: Loaded
    inputs: list[Any]
    kbest: int | None
    single: bool

    def body(self, answers: list[Json]) -> Json:
        """Return the answer to it."""
        said = {"output": answers[0]} if self.single else {"outputs": answers}
        warning = self.model.form.warning(self.model.estimator, self.inputs)
        about = {"model": self.model.name, "version": self.model.version, "task": self.model.kind}
        return about | said | warning


def check_type(content_type: str | None, wanted: str) -> None:
    """Refuse a body that does not say that it is JSON: a page of another origin could send it unasked."""
    kind, _, rest = (content_type or "").partition(";")
    if kind.strip().lower() != wanted:
        raise Refused(MEDIA, f"Content-Type: {kind.strip()[:80]!r} is not taken here; send {wanted}")
    for part in rest.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset" and value.strip(' "').lower() not in ("utf-8", "utf8"):
            raise Refused(MEDIA, f"Content-Type: charset {value.strip()[:40]} is not taken; send UTF-8")


def parsed(body: bytes, where: str = "body") -> Json:
    """Parse strict JSON in UTF-8."""
    if not body.strip():
        raise Refused(BAD, f"{where}: it is empty; send JSON")
    try:
        said = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(
            BAD, f"{where}: byte {error.start + 1} (0x{body[error.start]:02x}) is not UTF-8; send UTF-8"
        ) from None
    try:
        return json.loads(said, parse_constant=_constant, parse_float=_float)
    except RecursionError:
        raise Refused(BAD, f"{where}: it is nested too deep; flatten it") from None
    except json.JSONDecodeError as error:
        raise Refused(
            BAD, f"{where}: not JSON ({error.msg.lower()} at character {error.pos + 1}); send JSON"
        ) from None
    except ValueError as error:
        raise Refused(BAD, f"{where}: {error}; send JSON") from None


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is out of range")
    return value


def asked(value: Json, registry: ModelRegistry, limits: Limits) -> Asked:
    """Parse the body of ``POST /predict``."""
    value = fields_of(value, FIELDS)
    model = registry.find(value.get("model"))
    check_task(model, value.get("task"))
    if ("input" in value) == ("inputs" in value):
        raise Refused(UNFIT, "body: give input, or inputs for several")
    single = "input" in value
    given = [value["input"]] if single else value["inputs"]
    if not isinstance(given, list):
        raise Refused(UNFIT, f"inputs: {kind_of(given)} is not possible here; give a list of inputs")
    if len(given) > limits.inputs:
        raise Refused(
            TOO_LARGE, f"inputs: {len(given):,} where {limits.inputs:,} are allowed; send several requests"
        )
    names = ["input"] if single else [f"inputs[{i}]" for i in range(len(given))]
    inputs = [read(model, one, name, limits) for one, name in zip(given, names)]
    return Asked(model, inputs, check_kbest(model, value.get("kbest"), limits), single)


def fields_of(value: Json, known: tuple[str, ...], where: str = "body") -> dict[str, Json]:
    """Return an object; refuse unknown fields."""
    if not isinstance(value, dict):
        raise Refused(UNFIT, f"{where}: {kind_of(value)} is not possible here; give an object")
    if more := next((name for name in value if name not in known), None):
        raise Refused(UNFIT, f"{where}: there is no field {more[:64]!r}; the fields are {', '.join(known)}")
    return value


def read(model: Loaded, value: Json, where: str, limits: Limits) -> Any:
    """Return one input, checked."""
    x = model.form.read(model.estimator, value, where)
    model.form.check(x, where, limits)
    return x


def check_task(model: Loaded, task: Json) -> None:
    """Refuse a model of another task than the client thinks."""
    if task is not None and task != model.kind:
        raise Refused(
            CONFLICT,
            f"task: model {model.name!r} is for {model.kind}, not for {str(task)[:64]!r}; name another",
        )


def check_kbest(model: Loaded, kbest: Json, limits: Limits) -> int | None:
    """Return how many outputs are wanted; refuse what is not possible."""
    if kbest is None:
        return None
    if type(kbest) is not int or not 1 <= kbest <= limits.kbest:
        raise Refused(UNFIT, f"kbest: give a whole number from 1 to {limits.kbest}")
    if not model.form.has_kbest:
        raise Refused(UNFIT, f"kbest: {model.kind} has one output alone; leave it out")
    return kbest
