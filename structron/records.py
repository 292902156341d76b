"""Frozen dataclasses that cost little to declare: their methods are compiled when they are first called.

Python compiles six functions for each frozen dataclass. A command imports dozens of them and uses few, and
this was a third of its time. ``from structron.records import dataclass`` stands for the import from
`dataclasses`. The classes are the same; those that are not frozen are Python's own.

See docs/decisions/0036.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

KNOWN = {"frozen", "eq", "repr", "kw_only"}  # what is done here; all else is done by Python
OFTEN = 100  # to compile a constructor takes as long as more calls of one that is not

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind=None, /, **how):
        """Declare a dataclass; see `dataclasses.dataclass`."""

        def made(kind):
            frozen = how.get("frozen", False) and how.keys() <= KNOWN
            return _late(kind, **how) if frozen and _can_be_late(kind) else dataclasses.dataclass(**how)(kind)

        return made if kind is None else made(kind)


class LateConstructor:
    """A constructor that is compiled when somebody looks at it or uses it often.

    Parameters
    ----------
    kind
        The class, whose ``__init__`` this is.
    compiled
        Returns its constructor, which then takes this place.
    fill
        Does the same for an object and its arguments, slowly; without it the first use compiles.
    """

    def __init__(
        self,
        kind: type[Any],
        compiled: Callable[[type[Any]], Callable[..., None]],
        fill: Callable[..., None] | None = None,
    ) -> None:
        self.kind, self.compiled = kind, compiled
        self.fill, self.left = fill, OFTEN

    def __get__(self, made: object, kind: object = None) -> Any:
        self.left -= 1
        if made is not None and self.fill is not None and self.left >= 0:
            return partial(self.fill, made)
        init: Any = self.compiled(self.kind)
        self.kind.__init__ = init
        return init if made is None else init.__get__(made)


class LateText:
    """A docstring that is put together when somebody reads it."""

    def __init__(self, made: Callable[[], str]) -> None:
        self.made = made

    def __get__(self, _: object, kind: object = None) -> str:
        return self.made()


def constructor(kind: type[Any]) -> Callable[..., None]:
    """Return the constructor that the fields of a frozen dataclass ask for, as Python compiles it."""
    fields = dataclasses.fields(kind)
    about: dict[str, Any] = {each.name: each for each in fields}
    about |= {"__annotations__": {each.name: each.type for each in fields}, "__doc__": kind.__name__}
    about |= {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    if hasattr(kind, "__post_init__"):
        about["__post_init__"] = None  # only that there is one
    twin: type[Any] = type(kind.__name__, (), about)
    made: Callable[..., None] = dataclasses.dataclass(frozen=True, eq=False, repr=False)(twin).__init__
    return made


def filling(kind: type[Any]) -> Callable[..., None]:
    """Return a function that fills a frozen dataclass as its compiled constructor would."""
    fields: tuple[Any, ...] = dataclasses.fields(kind)
    by_place = [each.name for each in fields if each.init and not each.kw_only]
    by_name = {each.name for each in fields if each.init}
    finish = getattr(kind, "__post_init__", None)
    put, missing = object.__setattr__, dataclasses.MISSING

    def fill(made: object, /, *args: Any, **values: Any) -> None:
        given = dict(zip(by_place, args))
        known = len(args) <= len(by_place) and values.keys() <= by_name and given.keys().isdisjoint(values)
        given |= values
        for each in fields if known else ():
            if each.name in given:
                put(made, each.name, given[each.name])
            elif each.default_factory is not missing:
                put(made, each.name, each.default_factory())
            elif each.init and each.default is not missing:
                put(made, each.name, each.default)
            elif each.init:
                known = False
                break
        if not known:  # Python's own words about it
            kind.__init__(made, *args, **values)
        elif finish is not None:
            made.__post_init__()  # type: ignore[attr-defined]

    return fill


def _can_be_late(kind: type[Any]) -> bool:
    """Return False for classes that only Python declares right: below another dataclass, or with InitVar."""
    inherits = any(hasattr(base, "__dataclass_fields__") for base in kind.__mro__[1:])
    return not inherits and "InitVar" not in str(vars(kind).get("__annotations__"))


def _late(
    kind: type[Any], *, frozen: bool, eq: bool = True, repr: bool = True, kw_only: bool = False
) -> type[Any]:
    own = dict(vars(kind))
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(kind)
    made.__dataclass_params__.frozen = True
    fields = dataclasses.fields(made)
    new: dict[str, Any] = _refusing_changes(made, {each.name for each in fields})
    new["__init__"] = LateConstructor(made, constructor, filling(made))
    if repr:
        new["__repr__"] = _shown([each.name for each in fields if each.repr])
    if eq:
        new["__eq__"] = _equal([each.name for each in fields if each.compare])
        # A class with __eq__ of its own and no __hash__ has None there.
        if own.get("__hash__") is None:
            own.pop("__hash__", None)
            said = [each.name for each in fields if (each.compare if each.hash is None else each.hash)]
            new["__hash__"] = _hashed(said)
    for name, value in new.items():
        if name not in own:
            setattr(made, name, value)
    return made  # type: ignore[no-any-return]


def _refusing_changes(kind: type[Any], names: set[str]) -> dict[str, Any]:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads some attributes of an object as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda each: tuple(getattr(each, name) for name in names)


def _shown(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({said})"

    return __repr__


def _equal(names: list[str]) -> Callable[[Any, Any], Any]:
    values = _values(names)

    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return __eq__


def _hashed(names: list[str]) -> Callable[[Any], int]:
    values = _values(names)

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__
