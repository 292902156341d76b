"""Files that appear whole or not at all, and one writer at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from structron.errors import DataError, ModelError
from structron.io.files.atomic_write import WriteLock, atomic_write, remove_parts, write_atomically


def test_a_file_is_as_it_was_after_any_error(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_atomically(path, "old")
    for error in (KeyboardInterrupt, OSError, MemoryError):
        with pytest.raises(error), atomic_write(path) as stream:
            stream.write(b"new" * 100_000)
            raise error
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_errors_name_the_file_and_the_reason(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", "")
    with pytest.raises(DataError, match=r"file/x: cannot be written, not a directory; check the folder"):
        write_atomically(tmp_path / "file" / "x", "")
    with (
        pytest.raises(ModelError, match=r"none/x: cannot be written, no such file"),
        atomic_write(tmp_path / "none" / "x", ModelError),
    ):
        pass
    with pytest.raises(DataError, match=r"^/dev/full: cannot be written, no space left on device; choose"):
        write_atomically("/dev/full", "text")


def test_what_is_wrong_elsewhere_is_not_taken_for_a_fault_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "x"):
        (tmp_path / "none").read_bytes()


@pytest.mark.parametrize("name", ["m", "m[1]*?", "m" * 200, "名" * 80])
def test_what_a_kill_left_behind_is_removed_and_nothing_else(tmp_path: Path, name: str) -> None:
    path, other = tmp_path / name, tmp_path / f"{name}2"
    names = []
    for place in (path, other):
        with atomic_write(place):
            (beside,) = [each for each in tmp_path.iterdir() if each.suffix == ".part"]
        names.append(beside)
    for beside in names:
        beside.write_text("half")
    remove_parts(path)
    assert not names[0].exists() and names[1].exists() and path.exists() and other.exists()


HOLDER = """
import sys
from structron.io.files.atomic_write import WriteLock
with WriteLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_writer_at_a_time_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with pytest.raises(DataError, match="m: another process is writing this file; wait for it"):
        WriteLock(path)
    with WriteLock(tmp_path / "other"):
        pass
    holder.kill()
    holder.communicate()
    for _ in range(2):
        with WriteLock(path):
            assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []
