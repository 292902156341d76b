"""Adding a task touches four shared files; all else is found by the task's word."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import structron
from structron.registry import face_of
from structron.registry import estimator_of
from structron.registry import KINDS, MORE_KINDS, task_of
from structron.registry import recipe_of

ROOT = Path(structron.__file__).parent

# The shared files that a new task is entered in, of those in the package.
SHARED = {"__init__.py", "_core.pyi", "tasks/__init__.py"}

# Files that name a task although they are not its own, and why they may.
MAY_NAME = {
    "adapters/crfsuite.py": "a model of others as one of a task",
    "adapters/huggingface.py": "an example in a docstring",
    "adapters/nltk.py": "interfaces of others, each for one task",
    "adapters/nltk_perceptron.py": "a model of others as one of a task",
    "adapters/pandas.py": "which tasks give each token something",
    "adapters/spacy.py": "components of others, each for one task",
    "cli/align.py": "a command of one task",
    "cli/app.py": "an example in the help",
    "cli/audit.py": "help: which search is for which task",
    "cli/bitext.py": "a command of one task",
    "cli/demonstration.py": "the demo has a page for each",
    "cli/line.py": "four tasks against one bound",
    "cli/evaluate.py": "help: how each task is scored",
    "cli/explain.py": "help: how words are given to which task",
    "cli/streams.py": "help: which search is for which task",
    "cli/train.py": "an example in a comment",
    "data/bitext.py": "lines that are translations of each other",
    "data/format.py": "what the columns of a format are for",
    "data/parallel.py": "lines that are translations of each other",
    "data/training_files.py": "an example in a docstring",
    "estimators/__init__.py": "an example in a comment",
    "features/__init__.py": "the features of tagging are the package's own",
    "metrics/error_rate.py": "whose error rates these are",
    "model.py": "an example in a docstring",
    "reference/class_bins.py": "an example in a docstring",
    "search.py": "which search is for which task",
    "serve/forms.py": "what each task takes and gives as JSON, side by side",
    "serve/patience.py": "the parser of HTTP, which another library calls so",
    "serve/play/shipped.py": "small models of three tasks",
    "theory/audit.py": "an example in a docstring",
    "training/__init__.py": "an example in a comment",
    "training/combinations.py": "a table of what each task goes with",
    "training/recipe.py": "which search is for which task",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_four_tables_agree(kind: str) -> None:
    task, recipe, estimator, face = task_of(kind), recipe_of(kind), estimator_of(kind), face_of(kind)
    assert task.kind == recipe.task == estimator.kind == kind
    assert estimator.recipe_type is recipe
    assert face.estimator is estimator
    assert getattr(structron, estimator.__name__) is estimator
    assert estimator.__name__ in structron.__all__
    assert KINDS[kind].endswith(".") and "\n" not in KINDS[kind]


def test_the_names_of_recipes_and_estimators_are_where_they_were() -> None:
    from structron import registry as estimators, fit as training

    for kind in KINDS:
        assert getattr(training, recipe_of(kind).__name__) is recipe_of(kind)
        assert getattr(estimators, estimator_of(kind).__name__) is estimator_of(kind)
        assert recipe_of(kind).__name__ in dir(training) and estimator_of(kind).__name__ in dir(estimators)
    with pytest.raises(AttributeError, match=r"'structron\.training' has no attribute 'NoRecipe'"):
        training.NoRecipe  # noqa: B018
    with pytest.raises(AttributeError, match=r"'structron\.estimators' has no attribute 'Taggr'"):
        estimators.Taggr  # noqa: B018


def test_the_table_loads_nothing() -> None:
    code = (
        "import sys; from structron.tasks import KINDS; from structron.cli import app; "
        "sys.exit(any(name in sys.modules for name in ['numpy', 'structron._core', 'structron.model']))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_other_file_names_a_task() -> None:
    names = {word for kind in KINDS for word in (kind, estimator_of(kind).__name__, task_of(kind).__name__)}
    names |= {recipe_of(kind).__name__ for kind in KINDS}
    word = re.compile(rf"\b(?:{'|'.join(sorted(names))})s?\b", re.IGNORECASE)
    found = set()
    for path in ROOT.rglob("*.py*"):
        place = path.relative_to(ROOT)
        own = any(part.partition(".")[0] in {**KINDS, **MORE_KINDS} for part in place.parts)
        if path.suffix in (".py", ".pyi") and not own and word.search(path.read_text(encoding="utf-8")):
            found.add(place.as_posix())
    assert found - SHARED - set(MAY_NAME) == set()
    assert set(MAY_NAME) - found == set(), "no longer needed"


def test_the_checklist_lists_the_shared_files() -> None:
    page = (ROOT.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    task = page.partition("### A task")[2].partition("### ")[0]
    for name in (*(f"structron/{name}" for name in SHARED), "bind/module.cpp"):
        assert f"`{name}`" in task, name
