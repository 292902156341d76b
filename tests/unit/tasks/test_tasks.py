"""A task is a folder: whatever is not its own finds it by its declaration, and names it nowhere."""

from __future__ import annotations

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
    "adapters/crfsuite.py": "a model of others as one of a task",
    "adapters/huggingface.py": "an example in a docstring",
    "adapters/nltk.py": "interfaces of others, each for one task",
    "adapters/nltk_perceptron.py": "a model of others as one of a task",
    "adapters/pandas.py": "which tasks give each token something",
    "adapters/spacy.py": "components of others, each for one task",
    "metrics/error_rate.py": "whose error rates these are",
    "renames_table.py": "old names of modules",
}
# Rooms whose texts for people say which option is for which task, or which stand above the tasks.
ROOMS = ("alignment/", "cli/", "demo/", "io/", "labelling/", "reference/", "segments/", "theory/")
TEXTS = {
    "fit/combinations.py",
    "fit/recipe.py",
    "fit/estimator.py",
    "features/__init__.py",
    "model.py",
    "search.py",
    "serve/timeouts.py",
    "task.py",
}


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


def test_no_other_file_needs_to_name_a_task() -> None:
    names = {word for kind in KINDS for word in (estimator_of(kind).__name__, task_of(kind).__name__)}
    names |= {recipe_of(kind).__name__ for kind in KINDS}
    word = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    found = set()
    for path in ROOT.rglob("*.py*"):
        place = path.relative_to(ROOT).as_posix()
        if path.suffix not in (".py", ".pyi") or place.startswith(("tasks/", *ROOMS)):
            continue
        if word.search(path.read_text(encoding="utf-8")):
            found.add(place)
    assert found - SHARED - set(MAY_NAME) - TEXTS == set()
