"""The example of a task in a package of its own, installed as pip does it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import structron

EXAMPLE = Path(__file__).parents[1] / "examples" / "truecasing"


def install(folder: Path) -> None:
    """Install the example into ``site`` of a folder; nothing is downloaded."""
    # Of a copy: setuptools builds where the source lies.
    shutil.copytree(EXAMPLE, folder / "source")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder / "site")]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(folder / "source")], check=True)


def environment(folder: Path | None) -> dict[str, str]:
    """Return the variables with which Python finds what was installed there, and structron."""
    places = [Path(structron.__file__).parents[1], *([] if folder is None else [folder / "site"])]
    return {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": os.pathsep.join(map(str, places))}
