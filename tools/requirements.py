"""What structron and its extras need of others, a line each: `python tools/requirements.py plot test`"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path


def requirements(extras: list[str], project: dict) -> list[str]:
    """Return the requirements of the project and of `extras`; its own extras are followed."""
    found = list(project["dependencies"])
    waiting, seen = list(extras), set()
    while waiting:
        extra = waiting.pop(0)
        if extra in seen:
            continue
        seen.add(extra)
        for requirement in project["optional-dependencies"][extra]:
            own = re.fullmatch(rf"{project['name']}\[(.+)\]", requirement)
            if own:
                waiting.extend(own.group(1).split(","))
            else:
                found.append(requirement)
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    pyproject = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    print("\n".join(requirements(sys.argv[1:], pyproject["project"])))
