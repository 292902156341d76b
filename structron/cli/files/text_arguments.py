"""Arguments that may be a text itself or the name of a file, and which of the two was taken."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from structron.errors import SettingError

_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
_OF_DATA = re.compile(
    r"\.(txt|text|conllu?|conllx|tsv|csv|jsonl?|dict|svm|model|toml|gz|bz2|xz|zst)$", re.IGNORECASE
)


def takes_text(place: str) -> bool:
    """Return whether an argument is a text itself: no file has this name, and no file is meant.

    Where it might as well be a text, say which was taken.
    """
    if not place:
        raise SettingError("there is no text; give some between quotes, the name of a file, or - for a pipe")
    if place == "-":
        return False
    path = Path(place)
    try:
        exists, is_folder = path.exists(), path.is_dir()
    except (OSError, ValueError):  # too long for a name
        return True
    if means_file(place):
        return False
    if exists and not is_folder:
        click.echo(f"{place}: read as the file of this name; for the text itself, pipe it", err=True)
    return is_folder or not exists


def means_file(place: str) -> bool:
    """Return whether an argument looks like the name of a file: by its suffix, or a folder that exists."""
    if any(map(str.isspace, place)):
        return _OF_DATA.search(place) is not None
    if place.startswith(("/", "./", "../", "~", ".\\")) or _SUFFIX.search(place):
        return True
    return os.sep in place and Path(place).parent.is_dir()


def told(text: str) -> str:
    """Return a text from the command line; where it is also the name of a file, say what it was taken for."""
    try:
        is_file = Path(text).is_file()
    except (OSError, ValueError):
        is_file = False
    if is_file:
        click.echo(f"{text}: taken as text, not as the file of this name; for that, use --input", err=True)
    return text
