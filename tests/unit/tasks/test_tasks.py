"""A task is a folder: whatever is not its own finds it by its declaration, and names it nowhere."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import structron
from structron import SettingError, registry
from structron.registry import cli_of, estimator_of, learned, recipe_of, spec_of, specs, task_of
from structron.task import TaskSpec

KINDS = learned()
ROOT = Path(structron.__file__).parent

# The shared files that a new task with an engine part of its own is entered in, of those in the package.
SHARED = {"__init__.py", "_core.pyi"}

# Files that name a task although they are not its own, and why they may.
MAY_NAME = {
    "labelling/explaining.py": "labels of sequences, which several tasks are made of",
    "labelling/task.py": "labels of sequences, which several tasks are made of",
    "renames_table.py": "old names of modules",
    "theory/audit.py": "an example in a docstring",
}
# Rooms above the tasks, which show some of them.
ROOMS = ("demo/",)


@pytest.mark.parametrize("spec", list(specs()), ids=lambda spec: spec.kind)
def test_every_part_of_a_declaration_is_there(spec: TaskSpec) -> None:
    for part in fields(spec):
        if part.name not in ("kind", "help", "rank") and getattr(spec, part.name):
            assert spec.load(part.name) is not None
    assert spec_of(spec.kind) is spec
    assert task_of(spec.kind).kind == estimator_of(spec.kind).kind == spec.kind
    assert spec.help.endswith(".") and "\n" not in spec.help


@pytest.mark.parametrize("kind", KINDS)
def test_the_parts_agree(kind: str) -> None:
    recipe, estimator, cli = recipe_of(kind), estimator_of(kind), cli_of(kind)
    assert recipe.task == kind and estimator.recipe_type is recipe and cli.estimator is estimator
    assert getattr(structron, estimator.__name__) is estimator
    assert estimator.__name__ in structron.__all__


def test_what_is_not_there_is_refused_in_a_sentence() -> None:
    with pytest.raises(SettingError, match="there is no task 'taging'; the tasks are tagging, parsing"):
        spec_of("taging")
    with pytest.raises(SettingError, match="lemmatisation has no settings"):
        recipe_of("lemmatisation")
    assert registry.has("tagging") and not registry.has("no such task")


def test_declarations_load_nothing() -> None:
    code = (
        "import sys; from structron import registry; list(registry.specs()); from structron.cli import app; "
        "sys.exit(any(name in sys.modules for name in ['numpy', 'structron._core', 'structron.model']))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def files_outside_of_tasks() -> dict[str, str]:
    """Return the text of each file that is not a task's own, by its place."""
    found = {path.relative_to(ROOT).as_posix(): path for path in ROOT.rglob("*.py*")}
    return {
        place: path.read_text(encoding="utf-8")
        for place, path in found.items()
        if path.suffix in (".py", ".pyi") and not place.startswith(("tasks/", *ROOMS))
    }


def naming_a_task() -> set[str]:
    """Return the files that name the estimator, the task or the recipe of a task."""
    names = {word for kind in KINDS for word in (estimator_of(kind).__name__, task_of(kind).__name__)}
    names |= {recipe_of(kind).__name__ for kind in KINDS}
    word = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    return {place for place, text in files_outside_of_tasks().items() if word.search(text)}


def asking_for_a_task() -> set[str]:
    """Return the files with the word of a task as a constant."""
    kinds = {spec.kind for spec in specs()}
    return {
        place
        for place, text in files_outside_of_tasks().items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and node.value in kinds
    }


def test_no_other_file_names_a_task_and_every_exception_is_needed() -> None:
    assert (naming_a_task() | asking_for_a_task()) - SHARED == set(MAY_NAME)
