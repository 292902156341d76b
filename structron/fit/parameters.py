"""The interface of estimators: parameters as scikit-learn has them, without scikit-learn, and model files."""

from __future__ import annotations

import inspect
import re
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, Self, TypeVar, dataclass_transform
from weakref import WeakKeyDictionary

from structron.errors import ModelError, SettingError
from structron.records import LateConstructor, LateText, filling
from structron.settings import about_of, setting, settings, taking_old_names, with_new_names

if TYPE_CHECKING:
    from pathlib import Path

    from structron.model import Model

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(setting, field))
def parameters(kind: type[T]) -> type[T]:
    """Give an estimator the constructor that its settings ask for, and list these in its docstring.

    The constructor keeps what it is given, untouched: it is checked when a recipe is made.
    """
    made = dataclass(init=False, frozen=True, kw_only=True, eq=False, repr=False)(kind)
    for name in ("__setattr__", "__delattr__"):  # unlike recipes, estimators can be changed
        setattr(made, name, getattr(object, name))
    made.__init__ = LateConstructor(made, taking_old_names, filling(made))  # type: ignore[assignment]
    text = kind.__doc__ or ""
    made.__doc__ = LateText(lambda: described(made, text))  # type: ignore[assignment]
    return made


def described(kind: type[Any], text: str) -> str:
    """Return a class's docstring with lists of its settings and of what it learns, before examples."""
    parameters = {
        each.name: f"{about_of(kind, each.name).sentence} (default: {each.default!r})."
        for each in fields(kind)
        if each.init
    }
    learned = {
        name: str(getattr(kind, name).__doc__).partition("\n")[0].removeprefix("Return ")
        for name in dir(kind)
        if re.fullmatch(r"[a-z]\w*_", name) and isinstance(getattr(kind, name), property)
    }
    before, title, rest = inspect.cleandoc(text).partition("Examples\n------")
    lines = [before.rstrip(), "", *_listed("Parameters", parameters), *_listed("Attributes", learned)]
    return "\n".join([*lines, f"{title}{rest}"]).rstrip() + "\n"


def _listed(title: str, said: Mapping[str, str]) -> list[str]:
    """Return a section of a docstring."""
    from textwrap import fill  # for whoever reads it

    rows = list[str]()
    for name, text in said.items():
        text = text[:1].upper() + text[1:]
        rows += [name, fill(text, 100, initial_indent="    ", subsequent_indent="    ")]
    return [title, "-" * len(title), *rows, ""] if rows else []


@settings
class Threads:
    """The parameter that every estimator has besides the settings of its task."""

    threads: int = setting(
        default=1,
        help="Number of threads; the result does not depend on it",
        metavar="N",
        flags=None,
        low=1,
    )


class NotFitted(SettingError, AttributeError):
    """Something that only `fit` or `load` gives; also an AttributeError, so that `hasattr` says no."""


def not_fitted(message: str) -> NotFitted:
    """An error to raise; where scikit-learn is in use, one that it knows as its own NotFittedError."""
    if "sklearn" not in sys.modules:
        return NotFitted(message)
    from sklearn.exceptions import NotFittedError

    kind = type("NotFitted", (NotFitted, NotFittedError), {"__module__": __name__})
    found: NotFitted = kind(message)
    return found


class Parameters:
    """`get_params`, `set_params`, `repr` and tags, so that `clone`, grid search and pipelines work."""

    __setattr__ = object.__setattr__  # settings cannot be changed, estimators can
    __delattr__ = object.__delattr__

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments, by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Change some of them."""
        for name, value in with_new_names(type(self), params, warn=True).items():
            if name not in self._names():
                known = ", ".join(self._names())
                raise SettingError(
                    f"{type(self).__name__} has no parameter {name!r}; the parameters are {known}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = {name: p.default for name, p in inspect.signature(type(self).__init__).parameters.items()}
        said = [
            f"{name}={value!r}" for name, value in self.get_params().items() if str(value) != str(usual[name])
        ]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn asks, so it can be imported.
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(two_d_array=False, one_d_array=True, string=True),
            no_validation=True,
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


class ModelFile:
    """`save` and `load` of an estimator: its model is one file."""

    kind: ClassVar[str]

    @property
    def model_(self) -> Model[Any]:
        """Return the model; refuse if nothing has been learned."""
        raise NotImplementedError

    def save(self, path: str | Path) -> None:
        """Write the model to one file."""
        self.model_.save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model; nothing is left on disk, and nothing in the file is executed."""
        from structron.model import Model

        return cls.of_model(cls._of_kind(Model.load(path), str(path)), str(path))

    @classmethod
    def of_model(cls, model: Any, where: str) -> Self:
        """Return an estimator around a finished model; `where` is its name in messages."""
        raise NotImplementedError

    @classmethod
    def _of_kind(cls, model: Model[Any], where: str) -> Model[Any]:
        """Refuse a model of another task."""
        if model.task.kind != cls.kind:
            raise ModelError(
                f"{where}: a model for {model.task.kind}, not for {cls.kind}; load it with structron.load"
            )
        return model


OwnerT = TypeVar("OwnerT")
Arguments = ParamSpec("Arguments")
ResultT = TypeVar("ResultT")

# Outside the objects, which are copied, pickled and inspected by scikit-learn.
_LOCKS: WeakKeyDictionary[object, threading.RLock] = WeakKeyDictionary()
_LOCK_OF_LOCKS = threading.Lock()


def exclusive(
    method: Callable[Concatenate[OwnerT, Arguments], ResultT],
) -> Callable[Concatenate[OwnerT, Arguments], ResultT]:
    """A method that changes its object: of all such methods of one object, one runs at a time."""

    @wraps(method)
    def locked(self: OwnerT, /, *args: Arguments.args, **options: Arguments.kwargs) -> ResultT:
        with _LOCK_OF_LOCKS:
            lock = _LOCKS.setdefault(self, threading.RLock())
        with lock:
            return method(self, *args, **options)

    return locked
