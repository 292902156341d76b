"""The options after a learner's name: words and numbers between commas, each given once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from structron.errors import SettingError

_NUMBER = re.compile(r"-?[0-9.]+(?:e[+-]?[0-9]+)?")


class Options:
    """The options of one name; they are taken out one by one, and `end` refuses the rest.

    Parameters
    ----------
    text
        Such as ``5,C=0.1,plain``; None if there was no colon.
    """

    def __init__(self, text: str | None) -> None:
        self._left = [] if text is None else [each.strip() for each in text.split(",")]
        if "" in self._left:
            raise SettingError("an option is empty; write them between single commas, or give none")

    def flag(self, word: str) -> bool:
        """Return True if a word is given."""
        return self.word([word], "") == word

    def word(self, known: Sequence[str], default: str) -> str:
        """Return the one of some words that is given."""
        found = [each for each in self._left if each in known]
        if len(found) > 1:
            raise SettingError(f"{found[0]} and {found[1]} exclude each other; give one of them")
        self._left = [each for each in self._left if each not in known]
        return found[0] if found else default

    def number(self, name: str, default: float) -> float:
        """Return the number after ``name=``."""
        text = self.after(name)
        if text is None:
            return default
        try:
            if _NUMBER.fullmatch(text):
                return float(text)
        except ValueError:
            pass
        raise SettingError(f"{name}={text} is not a number; write {name}=2 or {name}=0.5")

    def after(self, name: str) -> str | None:
        """Return the text after ``name=``, if any."""
        found = [each for each in self._left if each.startswith(f"{name}=")]
        if len(found) > 1:
            raise SettingError(f"{name} is given twice; give it once")
        self._left = [each for each in self._left if each not in found]
        return found[0].removeprefix(f"{name}=") if found else None

    def whole(self, default: int) -> int:
        """Return a whole number without a name."""
        found = [each for each in self._left if each.isdecimal()]
        if len(found) > 1:
            raise SettingError(f"{found[0]} and {found[1]} exclude each other; give one of them")
        self._left = [each for each in self._left if each not in found]
        return int(found[0][:9]) if found else default

    def end(self, known: str) -> None:
        """Refuse options that were not used."""
        if self._left:
            raise SettingError(f"there is no option {self._left[0]!r}; use {known}")


def is_number(value: Any) -> bool:
    """Return True for numbers; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def written(value: float) -> str:
    """Write a number in the shortest form that reads back as the same."""
    return repr(int(value)) if value == int(value) else repr(float(value))
