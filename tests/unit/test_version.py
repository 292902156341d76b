"""Where the version of a build comes from: ``tools/tagged_version.py``."""

import importlib.util
import re
import subprocess
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from structron import load

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def versions() -> ModuleType:
    """The provider, loaded as the build does, by its path."""
    spec = importlib.util.spec_from_file_location("tagged_version", ROOT / "tools" / "tagged_version.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(place: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "tag.gpgsign=no", "-c", "commit.gpgsign=no"]
    subprocess.run(["git", "-C", place, *who, *arguments], check=True, capture_output=True)


def test_a_tag_is_the_version_and_later_commits_lead_to_the_next(
    tmp_path: Path, versions: ModuleType
) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "--allow-empty", "-m", "one")
    assert versions.tagged(tmp_path) is None  # no tag yet
    git(tmp_path, "tag", "v0.9.3")
    git(tmp_path, "tag", "nightly")  # not a version
    assert versions.tagged(tmp_path) == "0.9.3"
    git(tmp_path, "commit", "--allow-empty", "-m", "two")
    later = versions.tagged(tmp_path)
    assert later.startswith("0.10.0.dev1+g") and len(later) > len("0.10.0.dev1+g")


def test_a_copy_inside_a_repository_does_not_take_its_version(tmp_path: Path, versions: ModuleType) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "--allow-empty", "-m", "one")
    git(tmp_path, "tag", "v7.0.0")
    inner = tmp_path / "vendored"
    inner.mkdir()
    assert versions.tagged(inner) is None


def test_a_source_archive_knows_what_it_was_packed_from(tmp_path: Path, versions: ModuleType) -> None:
    assert versions.packed(tmp_path) is None
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.2\nName: structron\nVersion: 0.2.1.dev3+gabc\n")
    assert versions.packed(tmp_path) == "0.2.1.dev3+gabc"


def test_without_history_it_is_the_newest_release_in_the_log(tmp_path: Path, versions: ModuleType) -> None:
    log = tmp_path / "CHANGELOG.md"
    log.write_text("# Changelog\n\n## [Unreleased]\n\n## [0.3.0] - 2027-01-01\n\n## [0.2.0] - 2026-11-17\n")
    assert versions.released(tmp_path) == versions.logged(tmp_path) == "0.3.0"
    log.write_text("# Changelog\n")
    with pytest.raises(RuntimeError, match="no release in it"):
        versions.released(tmp_path)


def test_without_history_changes_since_the_newest_release_lead_to_the_next(
    tmp_path: Path, versions: ModuleType
) -> None:
    log = tmp_path / "CHANGELOG.md"
    log.write_text("# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.2.1] - 2026-11-17\n")
    assert versions.logged(tmp_path) == "0.3.0.dev0" and versions.released(tmp_path) == "0.2.1"


def test_version_models_and_documents_tell_one_story(versions: ModuleType) -> None:
    """Neither the models in the box nor what documents show was made by another release."""
    release = versions.released(ROOT)
    allowed = {release, versions.following(release)}
    here = metadata.version("structron")
    assert here.partition(".dev")[0] in allowed, "run make setup: the installed version is an old one"
    for name in ("en", "en-g2p"):
        signature = load(name).model_.about["signature"]
        assert _number(signature["version"]) <= _number(here), (
            f"{name} was made by a later version; run make setup"
        )
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        shown = set(re.findall(r"\bversion (\d+\.\d+\.\d+)\b", page.read_text(encoding="utf-8")))
        assert shown <= allowed, f"{page.name} shows an old version"


def _number(version: str) -> list[int]:
    return [int(part) for part in version.partition(".dev")[0].split(".")]


def test_the_citation_names_the_newest_release(versions: ModuleType) -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {versions.released(ROOT)}\n" in cited


def test_the_last_tag_and_the_newest_release_are_one(versions: ModuleType) -> None:
    tagged = versions.tagged(ROOT)
    if tagged is None:
        pytest.skip("this copy has no tags of git")
    release = versions.released(ROOT)
    assert tagged == release or tagged.startswith(f"{versions.following(release)}.dev")
