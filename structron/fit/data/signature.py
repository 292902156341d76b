"""Signatures: checksums of the data, and what a model file records about its training."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from structron._core import CountedBag
from structron.fit.data.examples import Examples
from structron.fit.problem import Plan, Problem
from structron.fit.recipe import Recipe
from structron.settings import by_first_names
from structron.task import Task

_WORD_LISTS = ("clusters", "gazetteers", "habits")  # what of a task comes from files besides the data


def checksum(xs: Iterable[Sequence[object]], ys: Iterable[Sequence[object]]) -> str:
    """Twelve hex digits of the data, so that a number can say what it was measured on."""
    found = Checksum()
    for x, y in zip(xs, ys):
        found.add(x, y)
    return str(found)


def checksum_of(examples: Examples[object]) -> str:
    """Return the checksum that examples bring along, or else that of what is in them."""
    return examples.checksum or checksum(examples.xs, examples.ys)


class Checksum:
    """A checksum of data that come one by one."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, x: Any, y: Sequence[object]) -> None:
        """One more example."""
        if isinstance(x, CountedBag):
            self._digest.update(f"{x.digest()} {y}\n".encode("utf-8", "surrogatepass"))
            return
        if isinstance(x, tuple) and all(hasattr(part, "tobytes") for part in x):
            for part in x:  # arrays, whose words would leave out most of them
                self._digest.update(part.tobytes())
            x = ()
        shown = x if isinstance(x, str) else list(x)
        self._digest.update(repr((shown, list(y))).encode("utf-8", "surrogatepass"))

    def __str__(self) -> str:
        return self._digest.hexdigest()[:12]


def signature_of(recipe: Recipe, examples: Examples[object], task: Task) -> dict[str, object]:
    """Return the signature of a result: recipe, data, word lists if any, seed, version and machine."""
    # Most tasks have none, and their arrays may be large.
    lists = [each for name in _WORD_LISTS if (each := getattr(task, name, None))]
    digest = hashlib.sha256(b"".join(a.tobytes() for each in lists for a in each.arrays().values()))
    return {
        "recipe": recipe.hash(),
        "data": checksum_of(examples),
        **({"word_lists": digest.hexdigest()[:12]} if lists else {}),
        "seed": recipe.seed,
        "version": version("structron"),
        "machine": platform.machine(),
    }


def origin_of(
    settings: Mapping[str, object], signature: Mapping[str, object], held_out: Examples[object] | None
) -> dict[str, object]:
    """All that must be the same for another training to continue from a checkpoint of this one."""
    # No byte depends on the number of threads.
    own = {name: value for name, value in settings.items() if name != "threads"}
    return {
        "settings": json.loads(json.dumps(own, default=str)),
        "training data": signature["data"],
        **({"clusters or gazetteers": signature["word_lists"]} if "word_lists" in signature else {}),
        "development data": None if held_out is None else checksum_of(held_out),
        "version of structron": signature["version"],
        "processors": signature["machine"],
    }


def made_from(
    problem: Problem[Any, Any, Any, Any, Any],
    recipe: Recipe,
    plan: Plan[Any, Any, Any, Any],
    signature: Mapping[str, object],
) -> dict[str, Any]:
    """Return the signature of a model."""
    settled = settled_of(recipe, plan.recipe)
    return {
        "recipe": recipe.record(),
        "signature": dict(signature),
        **({"settled": by_first_names(type(recipe), settled)} if settled else {}),
        "trained_on": plan.examples.size,
        **problem.describe(plan.examples, plan.findings),
    }


def settled_of(recipe: Recipe, suited: Recipe) -> dict[str, object]:
    """Return the settings that ``auto`` stood for, as the data decided them."""
    return {
        name: getattr(suited, name)
        for name in recipe.suits
        if getattr(recipe, name) == "auto" != getattr(suited, name)
    }
