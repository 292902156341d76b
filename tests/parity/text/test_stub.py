"""The engine's stub names what the engine has, no more and no less."""

from __future__ import annotations

import ast
from pathlib import Path

import structron
from structron import _core


def test_stub_and_engine_name_the_same() -> None:
    tree = ast.parse((Path(structron.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
    written: dict[str, set[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            written[node.name] = set()
        elif isinstance(node, ast.ClassDef):
            members = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            members |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}  # type: ignore[union-attr]
            written[node.name] = members - {"__init__"}
    found = {
        name: {m for m in vars(value) if not m.startswith("_")} if isinstance(value, type) else set()
        for name, value in vars(_core).items()
        if not name.startswith("_")
    }
    assert written == found
