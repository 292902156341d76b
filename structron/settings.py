"""A setting is declared once, where its default stands: help, flags and estimators follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, get_type_hints


@dataclass(frozen=True)
class About:
    """What is said of a setting.

    Attributes
    ----------
    help
        One line.
    metavar
        What stands for a value.
    choices
        The words it may be, where these are all.
    flags
        For a setting that is true or false: the flag that sets it and the one that unsets it. For another:
        what the command line calls it, where that is not its name.
    """

    help: str = ""
    metavar: str = "VALUE"
    choices: tuple[str, ...] = ()
    flags: str = ""


class Setting(NamedTuple):
    """One setting of a recipe or of an estimator."""

    name: str
    kind: Any  # its type
    default: Any
    about: About


def setting(
    default: Any,
    help: str,
    metavar: str = "VALUE",
    *,
    choices: tuple[str, ...] = (),
    flags: str = "",
) -> Any:
    """A field of a dataclass of settings; see `About`."""
    return field(default=default, metadata={"about": About(help, metavar, choices, flags)})


def settings_of(kind: type[Any]) -> dict[str, Setting]:
    """All settings of a dataclass, by name; one that only has another default is described where it began."""
    hints = get_type_hints(kind)
    return {
        each.name: Setting(each.name, hints[each.name], each.default, _about(kind, each.name))
        for each in fields(kind)
    }


def _about(kind: type[Any], name: str) -> About:
    for owner in kind.__mro__:
        own = vars(owner).get("__dataclass_fields__", {}).get(name)
        if own is not None and "about" in own.metadata:
            about: About = own.metadata["about"]
            return about
    return About()
