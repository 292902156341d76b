"""Names of packages that are imported on first use."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    ".".join(path.parent.relative_to(ROOT).parts): path
    for path in sorted((ROOT / "structron").rglob("__init__.py"))
    if "on_first_use(" in path.read_text(encoding="utf-8")
}


def test_most_packages_are_so() -> None:
    assert {"structron", "structron.io", "structron.fit", "structron.metrics"} <= PACKAGES.keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_offers_what_the_type_checker_reads(package: str) -> None:
    tree = ast.parse(PACKAGES[package].read_text(encoding="utf-8"))
    (choice,) = (node for node in tree.body if isinstance(node, ast.If))
    read = {}
    for each in choice.body:
        if isinstance(each, ast.ImportFrom):
            for alias in each.names:
                assert alias.asname == alias.name, "import a name that is offered as itself"
                read[alias.name] = each.module
    module = import_module(package)
    assert vars(module)["_modules"] == read
    assert set(module.__all__) == read.keys() | vars(module)["_made"].keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_each_name_is_that_of_its_file(package: str) -> None:
    module = import_module(package)
    for name, place in vars(module)["_modules"].items():
        assert getattr(module, name) is getattr(import_module(place), name)
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError, match=f"^module '{package}' has no attribute 'nothing'$"):
        module.nothing  # noqa: B018


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_name_that_is_also_a_file_is_the_name_whatever_was_imported_before() -> None:
    asked = "from structron.metrics import accuracy; print(accuracy.__name__, accuracy([['a']], [['a']]))"
    assert run(asked) == "accuracy 1.0"
    assert run("import structron.metrics.accuracy; " + asked) == "accuracy 1.0"
    assert run("from structron.metrics.accuracy import confusions; " + asked) == "accuracy 1.0"


def test_a_file_is_there_as_if_it_had_been_imported_with_its_package() -> None:
    assert run("import structron; print(structron.errors.__name__, structron.search.Greedy())") == (
        "structron.errors greedy"
    )


def test_only_the_file_of_a_name_is_imported() -> None:
    code = "import sys; from structron.io import Sentence; print('structron.io.formats.pairs' in sys.modules)"
    assert run(code) == "False"


def test_a_name_that_is_also_a_folder_is_the_name_and_importing_the_folder_warns_of_nothing() -> None:
    asked = "from structron.reference import forest; print(type(forest).__name__)"
    checked = (
        "import warnings; warnings.simplefilter('error'); import structron.reference.forest.hypergraph; "
    )
    assert run(asked) == "function"
    assert run(checked + asked) == "function"
