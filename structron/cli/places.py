"""Where a command reads and where it writes: no output may be one of its inputs, or another output."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from structron.errors import SettingError

Places = str | tuple[str, ...] | None  # a path, ``-`` for a standard stream, or several; None if not given


def refuse_overlap(outputs: Mapping[str, Places], inputs: Mapping[str, Places]) -> None:
    """Refuse outputs that would overwrite an input or each other, by whatever path they are reached.

    Parameters
    ----------
    outputs, inputs
        Places by what the user calls them, such as ``-o`` or ``MODEL``. ``-`` is standard output, or standard
        input; a file that one of them is redirected to counts too. Devices and pipes may be shared, and so
        may several places under one name.
    """
    read = [(name, place, _identity(place, 0)) for name, place in _flat(inputs)]
    written: list[tuple[str, str, object]] = []
    for name, place in _flat(outputs):
        own = _identity(place, 1)
        for other, _, theirs in read:
            if own is not None and own == theirs:
                raise SettingError(f"{place}: {name} would overwrite {other}; choose another file for {name}")
        for other, elsewhere, theirs in written:
            same = place == elsewhere == "-" or (own is not None and own == theirs)
            if same and name != other:
                raise SettingError(f"{place}: {other} and {name} are the same file; choose another for one")
        written.append((name, place, own))


def pictures(plot: str | None) -> tuple[str, ...]:
    """The files that a picture is written to."""
    return () if plot is None else (plot, *(str(Path(plot).with_suffix(s)) for s in (".png", ".svg")))


def check_places(output: str, plot: str | None) -> None:
    """Whether all can be written: better asked now than after an hour."""
    place = Path(output)
    if place.is_dir():
        raise SettingError(f"{output}: this is a folder; name a file")
    if place.exists() and not place.is_file():
        raise SettingError(f"{output}: this is a device or a pipe; a model needs a file")
    _check_folder(output)
    check_picture(plot)


def check_picture(plot: str | None) -> None:
    """Whether a picture can be drawn, and written."""
    if plot is None:
        return
    if Path(plot).is_dir():
        raise SettingError(f"{plot}: this is a folder; name a file for --plot")
    _check_folder(plot)
    from structron.cli.plots import check_matplotlib

    check_matplotlib("--plot")


def _check_folder(place: str) -> None:
    if not Path(place).absolute().parent.is_dir():
        raise SettingError(f"{place}: its folder does not exist; create it first")


def _flat(places: Mapping[str, Places]) -> Iterator[tuple[str, str]]:
    for name, given in places.items():
        for place in (given,) if isinstance(given, str) else given or ():
            yield name, place


def _identity(place: str, stream: int) -> object:
    """What distinguishes a file from all others, whether it exists or not; None for what may be shared."""
    try:
        # A link leads to its file, and a hard link is the same file.
        found = os.fstat(stream) if place == "-" else os.stat(place)  # noqa: PTH116
    except (OSError, ValueError):
        return None if place == "-" else os.path.realpath(place)
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
