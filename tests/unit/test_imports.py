"""No two files of the package import each other, directly or in a circle."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_circles_between_files() -> None:
    names: dict[str, Path] = {}
    for path in (ROOT / "structron").rglob("*.py"):
        dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        names[dotted.removesuffix(".__init__")] = path
    graph = {name: imported(path, set(names)) - {name} for name, path in names.items()}
    assert graph["structron.model"]  # the search finds something
    list(TopologicalSorter(graph).static_order())  # CycleError names a circle


def imported(path: Path, known: set[str]) -> set[str]:
    """What a file imports when it is loaded; what only the type checker sees counts too."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        statements = node.body if isinstance(node, ast.If) else [node]
        for each in statements:
            if isinstance(each, ast.ImportFrom) and (each.module or "").startswith("structron."):
                for alias in each.names:
                    full = f"{each.module}.{alias.name}"
                    found.add(full if full in known else str(each.module))
    return found
