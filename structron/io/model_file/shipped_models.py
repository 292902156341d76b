"""Models that come with structron, found by their names."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from structron.errors import ModelError, StructronWarning
from structron.io.model_file.header import check_path

FOLDER = Path(__file__).resolve().parents[2] / "models"
ENDING = ".model"


def shipped() -> dict[str, Path]:
    """Return the files by their names."""
    return dict(sorted((path.name.removesuffix(ENDING), path) for path in FOLDER.glob(f"*{ENDING}")))


def is_shipped(place: str | os.PathLike[str]) -> bool:
    """Return True if the name means a model that comes with structron, and no file has that name."""
    return isinstance(place, str) and place in shipped() and not _is_file(place)


def located(place: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the file of that name, or else the model of that name that comes with structron.

    A name without a folder that is neither is refused with a list of what there is.
    """
    check_path(place, "load")
    if not isinstance(place, str) or os.sep in place or (os.altsep and os.altsep in place):
        return place
    known = shipped()
    if _is_file(place):
        if place in known:
            warnings.warn(
                f"{place}: the file in this folder is taken, not the model of that name that comes with "
                f"structron; write ./{place} to say so, or rename it",
                StructronWarning,
                stacklevel=3,
            )
        return place
    if place in known:
        return known[place]
    if known and not Path(place).exists():
        raise ModelError(
            f"{place}: there is no such file; check the name, train a model first, or take one that comes "
            f"with structron: {', '.join(known)}"
        )
    return place


def _is_file(place: str) -> bool:
    """Return True if there is something to read; a folder of that name does not count."""
    try:
        return Path(place).exists() and not Path(place).is_dir()
    except (OSError, ValueError):
        return False
