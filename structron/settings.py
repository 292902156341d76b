"""A setting is a field that is written once: the constructor, the recipe, flags, help and docs come from it.

A class of settings is a keyword-only dataclass. Two kinds of classes inherit its fields: a recipe, which adds
what settings mean together, and an estimator, whose constructor takes them as they come.
"""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, field, fields, replace
from functools import wraps
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeVar, dataclass_transform, get_args

from structron.errors import SettingError
from structron.records import LateConstructor, constructor, dataclass, filling

T = TypeVar("T")
AUTO = "auto"


@dataclass(frozen=True)
class About:
    """Everything about a setting besides its name, type and default.

    Attributes
    ----------
    help
        One sentence.
    more
        What the sentence leaves out: further values, and what ``auto`` means.
    metavar
        What stands for a value in the help of a command.
    choices
        The words it may be, where these are all.
    flags
        For a setting that is true or false: the flag that sets it and the one that unsets it. For another:
        what the command line calls it, where that is not its name. None: it is not on the command line.
    low, high
        The smallest and the largest number it may be.
    above
        Whether it must be greater than `low`.
    none
        What None stands for, where it is allowed.
    file
        Whether it names a file, or is ``none``.
    files
        Whether it names files, in a list or a text with commas, or is ``none``.
    as_text
        Whether the command line takes it as it is written, also where it is a number.
    young
        Whether there were models before it: files and hashes leave it out where it has its default.
    was
        What it was called before, which works for one more release; files and hashes keep that name.
    old_flag, old_words
        What the command line called it before, where that is not `was`; and what words were called before.
    basic
        Whether most people need to know it: `--help` shows it, and `--help-all` shows the others.
    tried
        The values that `tune` tries besides the default, where it is not clear which is best.
    """

    help: str = ""
    more: str = ""
    metavar: str = "VALUE"
    choices: tuple[str, ...] = ()
    flags: str | None = ""
    low: float | None = None
    high: float | None = None
    above: bool = False
    none: str | int | None = None
    file: bool = False
    files: bool = False
    as_text: bool = False
    young: bool = False
    was: str = ""
    old_flag: str = ""
    old_words: Mapping[str, str] | None = None
    basic: bool = False
    tried: tuple[Any, ...] | None = None

    @property
    def brief(self) -> str:
        """Return the help with the possible values."""
        if not self.choices:
            return self.help
        return f"{self.help}: {', '.join(self.choices[:-1])} or {self.choices[-1]}"

    @property
    def sentence(self) -> str:
        """Return the help with the details that the short form leaves out."""
        return f"{self.brief}; {self.more}" if self.more else self.brief


class Setting(NamedTuple):
    """One setting of a recipe or of an estimator."""

    name: str
    kind: Any  # its type
    default: Any
    about: About

    @property
    def is_flag(self) -> bool:
        """Return True if it is true, false, or left open."""
        return self.kind in (bool, bool | None)

    @property
    def may_be_auto(self) -> bool:
        """Return True if ``auto`` is a value."""
        return bool(self.default == AUTO) or AUTO in self.about.choices

    def checked(self, value: Any) -> Any:
        """Return the value in its plain form; refuse it where it is not possible."""
        about = self.about
        if value is None and about.none is not None:
            value = about.none
        if self.may_be_auto and isinstance(value, str) and value == AUTO:
            return value
        if about.choices:
            return _word(self, value)
        if self.kind is bool:
            if not isinstance(value, bool):
                raise SettingError(f"{self.name} = {value!r} is not possible; give true or false")
        elif self.is_flag:
            if not (value is None or isinstance(value, bool)):
                raise SettingError(f"{self.name} = {value!r} is not possible; give true, false or None")
        elif about.low is not None:
            return _number(self, value)
        elif about.files and isinstance(value, list | tuple):
            return tuple(_file(self, each) for each in value) or "none"
        elif about.file or about.files:
            return _file(self, value)
        return value


def setting(
    *,
    default: Any,
    help: str = "",
    more: str = "",
    metavar: str = "VALUE",
    kw_only: bool = True,
    choices: tuple[str, ...] = (),
    flags: str | None = "",
    low: float | None = None,
    high: float | None = None,
    above: bool = False,
    none: str | int | None = None,
    file: bool = False,
    files: bool = False,
    as_text: bool = False,
    young: bool = False,
    was: str = "",
    old_flag: str = "",
    old_words: Mapping[str, str] | None = None,
    basic: bool = False,
    tried: tuple[Any, ...] | None = None,
) -> Any:
    """Declare a field of a class of settings, see `About`; declared again, it keeps what is left out."""
    about = About(
        help, more, metavar, choices, flags, low, high, above, none, file, files, as_text, young, was,
        old_flag, old_words, basic, tried,
    )  # fmt: skip
    return field(default=default, kw_only=kw_only, metadata={"about": about})


def templates_setting(
    presets: Iterable[str], default: str = "auto", tried: tuple[str, ...] | None = None
) -> Any:
    """Declare the templates of a task."""
    return setting(
        default=default,
        help="Features: a preset, or a file with one template a line",
        more=f"the presets are {', '.join(dict.fromkeys(presets))}",
        metavar="PRESET|FILE",
        basic=True,
        tried=tried,
    )


def dictionary_file_setting() -> Any:
    """Declare the file of a dictionary that a model is trained with."""
    return setting(
        default="none",
        help="Entries that win over the labels of the data, and in all that the model predicts",
        more="the file is that of predict --dictionary",
        metavar="FILE",
        none="none",
        file=True,
        young=True,
    )


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(setting, field))
def settings(kind: type[T]) -> type[T]:
    """Make the annotated fields of a class its settings, in a constructor that takes them by name.

    Its objects cannot be changed.
    """
    made = dataclass(init=False, frozen=True, kw_only=True, eq=False, repr=False)(kind)
    made.__init__ = LateConstructor(made, taking_old_names, filling(made))  # type: ignore[assignment]
    return made


def old_names(kind: type[Any]) -> dict[str, str]:
    """Return the old names of settings, each with the new name."""
    found = dict[str, str]()
    for owner in kind.__mro__:
        for name, each in vars(owner).get("__dataclass_fields__", {}).items():
            about = each.metadata.get("about")
            if about is not None and about.was and each.init:
                found.setdefault(about.was, name)
    return found


def by_first_names(kind: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by the names that settings had first."""
    first = {new: old for old, new in old_names(kind).items()}
    return {first.get(name, name): value for name, value in given.items()}


def with_new_names(kind: type[Any], given: Mapping[str, Any], *, warn: bool = False) -> dict[str, Any]:
    """Return values by the names of today."""
    known, found = old_names(kind), dict[str, Any]()
    for name, value in given.items():
        if name not in known:
            found[name] = value
            continue
        if known[name] in given:
            raise SettingError(f"{name} is now {known[name]}; give one of them")
        if warn:
            message = f"{name} is now {known[name]}; the old name goes with release 0.4"
            warnings.warn(message, DeprecationWarning, stacklevel=4)
        found[known[name]] = value
    return found


def taking_old_names(kind: type[Any]) -> Callable[..., None]:
    """Return a constructor that takes settings also by what they were called before, with a warning."""
    known, made = old_names(kind), constructor(kind)
    if not known:
        return made

    @wraps(made)
    def init(self: Any, *values: Any, **given: Any) -> None:
        if not known.keys().isdisjoint(given):
            given = with_new_names(kind, given, warn=True)
        made(self, *values, **given)

    return init


def settings_of(kind: type[Any]) -> dict[str, Setting]:
    """Return the settings of a class; one that only has another default is described where it began."""
    if kind not in _KNOWN:
        _KNOWN[kind] = {
            each.name: Setting(each.name, _kind(kind, each.name), each.default, about_of(kind, each.name))
            for each in fields(kind)
            if each.init and each.default is not MISSING
        }
    return dict(_KNOWN[kind])


_KNOWN: dict[type[Any], dict[str, Setting]] = {}  # asked for with every recipe


def about_of(kind: type[Any], name: str) -> About:
    """Return the declaration of a setting; a subclass overrides what differs."""
    found: About | None = None
    last: About | None = None
    for owner in kind.__mro__:
        own = vars(owner).get("__dataclass_fields__", {}).get(name)
        about = None if own is None else own.metadata.get("about")
        if about is not None and about is not last:  # most classes inherit it as it is
            found, last = about if found is None else _over(found, about), about
    return About() if found is None else found


def _over(own: About, base: About) -> About:
    """Return `own` with what it leaves out taken from `base`; help and `more` go together."""
    said: dict[str, Any] = {"more": ""} if own.help else {}
    said |= {name: value for name, value in vars(own).items() if value != getattr(_NOTHING, name)}
    return replace(base, **said)


_NOTHING = About()


def _kind(kind: type[Any], name: str) -> Any:
    """Return the type that a field is declared with."""
    for owner in kind.__mro__:
        told = inspect.get_annotations(owner).get(name)
        if told is not None and name in vars(owner).get("__dataclass_fields__", {}):
            if not isinstance(told, str):
                return told
            try:
                return eval(told, vars(sys.modules[owner.__module__]))
            except NameError:  # a type that only checkers import
                return object
    return object


def _word(setting: Setting, value: Any) -> str:
    """Return one of the words that a setting may be, with hyphens or underscores."""
    choices, old = setting.about.choices, setting.about.old_words or {}
    if isinstance(value, str):
        if value in old:
            message = f"{setting.name} {value} is now {old[value]}; the old word goes with release 0.4"
            warnings.warn(message, DeprecationWarning, stacklevel=5)
            return old[value]
        for word in (value, value.replace("_", "-")):
            if word in choices:
                return word
    raise SettingError(f"{setting.name} = {value!r} is not known; use one of {', '.join(choices)}")


def _number(setting: Setting, value: Any) -> int | float:
    """Return a number within its bounds."""
    about, name = setting.about, setting.name
    whole = float not in (setting.kind, *get_args(setting.kind))
    # Accept numpy's numbers, which grid searches make.
    good = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    low, high = about.low, about.high
    assert low is not None
    if good and (low < value if about.above else low <= value) and value <= _most(high) and value == value:
        return int(value) if whole else float(value)
    kind = "whole number" if whole else "number"
    bound = (
        f"above {low}"
        if about.above
        else f"from {low}"
        if not whole or high is not None
        else f"at least {low}"
    )
    bound += "" if high is None else f" to {high}"
    word = ", or auto" if setting.may_be_auto else ""
    raise SettingError(f"{name} = {value!r} is not possible; give a {kind} {bound}{word}")


def _most(high: float | None) -> float:
    return sys.float_info.max if high is None else high


def _file(setting: Setting, value: Any) -> str:
    """Return the name of a file, or ``none``."""
    if not isinstance(value, str | os.PathLike) or not str(value):
        raise SettingError(f"{setting.name} = {value!r} is not possible; name a file, or give none")
    return str(os.fspath(value))


OWN = "own:"


class Piece(str):
    """The name of a piece, such as ``own:ideas.second_violation``; a file keeps the name alone.

    Attributes
    ----------
    piece
        What has the name.
    """

    piece: Any

    def __new__(cls, name: str, piece: Any = None) -> Piece:
        made = super().__new__(cls, name)
        made.piece = piece
        return made

    @classmethod
    def of(cls, piece: Any) -> Piece:
        """Name a function, or an object by its class."""
        named = piece if hasattr(piece, "__qualname__") else type(piece)
        return cls(f"{OWN}{named.__module__}.{named.__qualname__}", piece)


def is_piece(name: object) -> bool:
    """Return whether a setting names a piece of one's own."""
    return isinstance(name, str) and name.startswith(OWN)


def piece_of(name: str) -> Any:
    """Return the piece that a name has with it; None where a file has the name alone."""
    return name.piece if isinstance(name, Piece) else None
