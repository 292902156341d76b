"""Models by name. A reload replaces a model; requests that have the old one are answered by it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from structron.errors import SettingError, StructronError
from structron.loading import load
from structron.registry import spec_of
from structron.serve.json_forms import Form
from structron.serve.refusals import UNKNOWN, Refused

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, eq=False)
class Loaded:
    """One model, ready to answer.

    Attributes
    ----------
    version
        How often the name was loaded, from 1.
    """

    name: str
    estimator: Any
    version: int = 1

    @property
    def kind(self) -> str:
        """The word of its task."""
        return str(self.estimator.model_.task.kind)

    @property
    def form(self) -> Form:
        """The JSON form of its task."""
        form: Form = spec_of(self.kind).load("json_form")
        return form

    def about(self) -> dict[str, Any]:
        """Return its entry in `GET /models`, without its path."""
        model = self.estimator.model_
        labels = getattr(self.estimator, "labels_", None)
        return {
            "name": self.name,
            "task": self.kind,
            "version": self.version,
            "search": str(model.search),
            "features": len(model.rows.keys),
            "weights": len(model.rows.weights),
            "labels": labels[:200] if labels is not None and self.form.has_labels else None,
            "takes": self.form.takes,
            "gives": self.form.gives,
            "example": self.form.example,
            "kbest": self.form.has_kbest,
            "trained_on": model.about.get("trained_on"),
            "signature": model.about.get("signature"),
        }


@dataclass
class ModelRegistry:
    """The models that are served.

    Attributes
    ----------
    places
        Where those lie that came from files.
    """

    places: Mapping[str, str] = field(default_factory=dict)
    models: dict[str, Loaded] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, given: Iterable[str]) -> ModelRegistry:
        """Load models from paths or ``name=path``; a path gives its name up to the first dot."""
        places: dict[str, str] = {}
        for name, place in map(named, given):
            if name in places:
                raise SettingError(f"{place}: a model {name!r} is there already; name it as in b={place}")
            places[name] = place
        registry = cls(places)
        for name in places:
            registry.load(name)
        return registry

    def add(self, name: str, estimator: Any) -> None:
        """Add a model that came from no file."""
        self.models = self.models | {name: Loaded(name, estimator)}

    def remove(self, name: str) -> None:
        """Take a model away; who has it keeps it."""
        self.models = {each: model for each, model in self.models.items() if each != name}

    def load(self, name: str) -> Loaded:
        """Read a model from its file, again if it was there; if that fails the old one stays."""
        estimator = load(self.places[name])
        if not spec_of(estimator.model_.task.kind).json_form:
            raise SettingError(f"{self.places[name]}: a model of a task that cannot be served; leave it out")
        estimator.threads = 1  # batches run beside each other, each in one thread
        with self._lock:
            before = self.models.get(name)
            loaded = Loaded(name, estimator, before.version + 1 if before else 1)
            self.models = self.models | {name: loaded}  # a new table: readers need no lock
        del before
        _give_memory_back()
        return loaded

    def reload(self) -> Iterator[tuple[str, StructronError | None]]:
        """Read all files again, and say of each what went wrong, if something did."""
        for name in self.places:
            try:
                self.load(name)
            except StructronError as error:
                yield name, error
            else:
                yield name, None

    def find(self, name: object) -> Loaded:
        """Return a model by its name, or the only one for None."""
        models = self.models
        if name is None:
            if len(models) == 1:
                return next(iter(models.values()))
            raise Refused(UNKNOWN, f"model: which one is not said; give one of {_listed(models)}")
        if not isinstance(name, str) or name not in models:
            raise Refused(
                UNKNOWN, f"model: there is none called {str(name)[:64]!r}; give one of {_listed(models)}"
            )
        return models[name]


def _give_memory_back() -> None:
    """Return to the system what malloc keeps of models that are gone, where it can be asked for that (glibc).

    What it keeps is in pieces between other things: a server that reloads its models again and again would
    need more each time.
    """
    import ctypes

    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, TypeError, AttributeError):
        return


def _listed(models: Mapping[str, Loaded]) -> str:
    return ", ".join(models) or "none, since no model is loaded"


def named(given: str) -> tuple[str, str]:
    """Split ``name=path``; a path alone gives its name, and so does a model that comes with structron."""
    name, equals, place = given.partition("=")
    if not equals or not NAME.fullmatch(name):
        name, place = re.sub(r"[^A-Za-z0-9_-]", "-", Path(given).name.partition(".")[0]), given
        if not NAME.fullmatch(name):
            raise SettingError(f"{given}: no name can be made of this; write it as in name={given}")
    return name, place
