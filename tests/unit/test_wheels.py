"""How wheels are built: ``tools/wheels.py``. Nothing is compiled here; `make wheels` does that."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def wheels() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wheels", ROOT / "tools" / "wheels.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_wheel_is_not_compiled_where_make_setup_compiles(
    wheels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []

    def call(*arguments: object, **_: object) -> None:
        called.append([str(each) for each in arguments])
        for folder in ("raw", "repaired"):
            (tmp_path / "scratch" / folder).mkdir(parents=True, exist_ok=True)
            (tmp_path / "scratch" / folder / "structron.whl").touch()

    monkeypatch.setattr(wheels, "call", call)
    monkeypatch.setattr(wheels, "environment", lambda python, place: place / "bin" / "python")
    made = wheels.wheel(tmp_path / "tools", tmp_path / "python", tmp_path / "scratch", tmp_path / "dist")
    assert made == tmp_path / "dist" / "structron.whl" and made.exists()
    (build,) = [each for each in called if "build" in each and "--wheel" in each]
    assert f"--config-setting=build-dir={tmp_path / 'scratch' / 'cmake'}" in build


def test_interpreters_that_do_not_run_or_are_too_old_are_passed_over(
    wheels: ModuleType, tmp_path: Path
) -> None:
    said = {"old": "Python 3.10.13", "new": "Python 3.12.1", "newer": "Python 3.12.9", "other": "nothing"}
    for name, words in said.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho {words}\n")
        (tmp_path / name).chmod(0o755)
    found = wheels.versions_of([str(tmp_path / name) for name in (*said, "missing")])
    assert found == {(3, 12): tmp_path / "new"}


def test_wheels_for_other_systems_are_those_that_are_built_here() -> None:
    """The configuration of cibuildwheel names the same Pythons as `tools/wheels.py`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    told = project["tool"]["cibuildwheel"]
    assert told["build"][:2] == ["cp311-*", "cp312-*"]
    assert project["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    assert {"x86_64", "aarch64"} <= set(told["linux"]["archs"]) and {"macos", "windows"} <= set(told)


def test_big_endian_machines_are_refused_before_anything_is_compiled() -> None:
    """CMake says so in a sentence; the engine's own check holds where CMake does not know."""
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert cmake.index('STREQUAL "BIG_ENDIAN"') < cmake.index("nanobind_add_module(")
    assert "std::endian::native == std::endian::little" in (ROOT / "core/util/hash.hpp").read_text()
