"""The names a user finds in the package."""

import ast
import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import structron
from structron import ModelError, Parser, Tagger, Transducer
from tests.unit.estimators.corpora import treebank


def test_its_version_is_that_of_the_package() -> None:
    assert structron.__version__ == importlib.metadata.version("structron")


def test_dir_shows_the_public_names_and_each_is_there() -> None:
    assert dir(structron) == sorted(structron.__all__)
    assert {"Parser", "Tagger", "Transducer", "load", "Beam", "__version__"} <= set(dir(structron))
    assert all(getattr(structron, name) is not None for name in dir(structron))
    with pytest.raises(AttributeError, match="has no attribute 'Taggr'"):
        structron.Taggr  # noqa: B018


def test_importing_it_does_not_wait_for_numpy() -> None:
    code = "import sys, structron; dir(structron); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_load_gives_the_estimator_that_was_saved(tmp_path: Path) -> None:
    X, y = treebank(6)
    trees = ([(["dogs", "bark"], ["N", "V"])], [([2, 0], ["nsubj", "root"])])
    made = {
        "tagger": Tagger(epochs=2).fit(X, y),
        "parser": Parser(epochs=2).fit(*trees),
        "transducer": Transducer(epochs=2).fit(["ab", "ba"], ["A B", "B A"]),
    }
    for name, fitted in made.items():
        fitted.save(tmp_path / name)
        loaded = structron.load(tmp_path / name)
        assert type(loaded) is type(fitted)
        assert [e.record() for e in loaded.history_] == [e.record() for e in fitted.history_]
        assert len(loaded.history_) == 2 and loaded.history_[0].seconds == 0.0
    with pytest.raises(ModelError, match="nothing"):
        structron.load(tmp_path / "nothing")


def test_a_history_may_tell_more_but_not_less(tmp_path: Path) -> None:
    tagger = Tagger(epochs=1).fit(*treebank(6))
    (record,) = tagger.model_.about["epochs"]
    tagger.model_.about["epochs"] = [record | {"told by a later version": 1}]
    tagger.save(tmp_path / "m")
    (epoch,) = Tagger.load(tmp_path / "m").history_
    assert epoch.record() == record
    for told in ([{"epoch": 1}], 7, [[]], None):
        tagger.model_.about["epochs"] = told
        tagger.save(tmp_path / "m")
        with pytest.raises(ModelError, match="its epochs is not as structron writes it"):
            Tagger.load(tmp_path / "m")


def test_the_reference_has_every_module_with_public_names() -> None:
    """`docs/conf.py` lists them; it is read and not imported, as Sphinx may not be there."""
    root = Path(structron.__file__).parents[1]
    conf = ast.parse((root / "docs" / "conf.py").read_text(encoding="utf-8"))
    told = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in conf.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if node.targets[0].id in ("PARTS", "ADAPTERS")
    }

    def offering(files: Iterable[Path]) -> set[Path]:
        return {
            each
            for each in files
            if re.search(r"^(__all__ = |on_first_use\()", each.read_text(encoding="utf-8"), re.MULTILINE)
        }

    package = root / "structron"
    parts = {each.parent.name for each in offering(package.glob("*/__init__.py"))}
    assert set(told["PARTS"]) == parts - {"cli"}  # whose commands have pages of their own
    assert set(told["ADAPTERS"]) == {each.stem for each in offering((package / "adapters").glob("*.py"))}
