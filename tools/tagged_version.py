"""The version of structron, for its build: from the last tag of git, else from CHANGELOG.md.

At a tag ``v0.2.0`` it is ``0.2.0``; five commits later ``0.3.0.dev5+g1a2b3c4``, since the next release is the
next minor one. A source archive says in PKG-INFO what it was packed from. A copy without tags is what its
change log says: the last release, or ``0.3.0.dev0`` if something is listed under Unreleased.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)-(\d+)-(g[0-9a-f]+)")
RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\]", re.MULTILINE)
UNRELEASED = re.compile(r"^## \[Unreleased\]\n+(?!## )\S", re.MULTILINE)


def dynamic_metadata(field: str, settings: dict[str, object] | None = None) -> str:
    """Return the version, as scikit-build-core asks for it."""
    if field != "version" or settings:
        raise RuntimeError("tagged_version gives the version, and has no settings")
    return packed(ROOT) or tagged(ROOT) or logged(ROOT)


def packed(root: Path) -> str | None:
    """Return what a source archive was packed from."""
    about = root / "PKG-INFO"
    if not about.is_file():
        return None
    found = re.search(r"^Version: (\S+)$", about.read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1) if found else None


def tagged(root: Path) -> str | None:
    """Return the last tag and how far this commit is from it; nothing where there are no tags or no git."""
    if not (root / ".git").exists():  # a copy inside another repository is not that repository's version
        return None
    command = ["git", "-C", str(root), "describe", "--tags", "--long", "--match", "v[0-9]*"]
    try:
        described = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    found = TAG.fullmatch(described.stdout.strip())
    if found is None:
        return None
    major, minor, patch, commits, commit = found.groups()
    if commits == "0":
        return f"{major}.{minor}.{patch}"
    return f"{following(f'{major}.{minor}.{patch}')}.dev{commits}+{commit}"


def logged(root: Path) -> str:
    """Return the newest release in the change log, or what leads to the next if there are changes since."""
    changed = UNRELEASED.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    return f"{following(released(root))}.dev0" if changed else released(root)


def following(release: str) -> str:
    """Return the release after this one: the next minor version."""
    major, minor, _ = release.split(".")
    return f"{major}.{int(minor) + 1}.0"


def released(root: Path) -> str:
    """Return the newest release in the change log."""
    found = RELEASE.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if found is None:
        raise RuntimeError(
            f"{root / 'CHANGELOG.md'}: no release in it; add a heading like '## [0.2.0] - 2026-11-17'"
        )
    return found.group(1)
