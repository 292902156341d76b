"""The files a command reads and writes: no output may be one of its inputs, or another output."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from structron.errors import SettingError

PICTURES = (".png", ".svg")
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
    """Return the files that a picture is written to; refuse a name that no file can have."""
    if plot is None:
        return ()
    if plot == "-":
        raise SettingError("--plot makes two files, which standard output cannot hold; name a file")
    check_output("--plot", plot)
    return (plot, *(str(Path(plot).with_suffix(s)) for s in PICTURES))


def check_places(output: str, plot: str | None) -> None:
    """Refuse outputs that cannot be written, now rather than after an hour."""
    check_output("-o", output)
    if Path(output).exists() and not Path(output).is_file():
        raise SettingError(f"{output}: this is a device or a pipe; a model needs a file")
    check_picture(plot)


def check_picture(plot: str | None) -> None:
    """Refuse a picture that cannot be drawn or written."""
    if pictures(plot):
        check_output("--plot", plot, PICTURES)
        from structron.cli.draw.plots import check_matplotlib

        check_matplotlib("--plot")


def check_output(option: str, place: str | None, suffixes: tuple[str, ...] = ()) -> None:
    """Refuse a file that cannot be written, before the work is done; ``-`` and None are always possible.

    Parameters
    ----------
    option
        What the user calls it.
    suffixes
        How its name may end, where what is written has a format of its own; or it has no suffix.
    """
    if place is None or place == "-":
        return
    path = Path(place)
    if not place:
        raise SettingError(f"{option}: the name of the file is empty; name a file")
    if path.is_dir() or place.endswith(os.sep) or not path.name:
        raise SettingError(f"{place}: this is a folder; name a file for {option}")
    if not path.absolute().parent.is_dir():
        raise SettingError(f"{place}: its folder does not exist; create it first")
    is_device = path.exists() and not path.is_file()
    if suffixes and path.suffix.lower() not in ("", *suffixes) and not is_device:
        written = " and ".join(each[1:].upper() for each in suffixes)
        raise SettingError(
            f"{place}: {option} writes {written}, not {path.suffix[1:] or path.suffix}; "
            f"name a file such as {path.stem}{suffixes[0]}"
        )


def _flat(places: Mapping[str, Places]) -> Iterator[tuple[str, str]]:
    for name, given in places.items():
        for place in (given,) if isinstance(given, str) else given or ():
            yield name, place


def _identity(place: str, stream: int) -> object:
    """Return the identity of a file, whether it exists or not; None for streams that may be shared."""
    try:
        # A link leads to its file, and a hard link is the same file.
        found = os.fstat(stream) if place == "-" else os.stat(place)  # noqa: PTH116
    except (OSError, ValueError):
        return None if place == "-" else os.path.realpath(place)
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
