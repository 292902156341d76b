"""A full disk, a read-only folder, another training: nothing is lost, and nothing half-written stays."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "structron"]
ROOM = 20_000  # bytes of a file at most, where the disk is full


def limited(*args: object) -> subprocess.CompletedProcess[str]:
    """The command on a disk where no file can grow beyond a little."""
    return subprocess.run(
        [*COMMAND, *map(str, args)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM)),
        capture_output=True,
        text=True,
        timeout=120,
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_full_disk_leaves_the_old_model_and_says_which_file_it_was(training, tmp_path):
    model = tmp_path / "m"
    model.write_bytes(b"an older model")
    done = limited(*training, "-o", model, "--epochs", 3)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    warning = f"{model}.checkpoint: cannot be written, file too large; training continues, but cannot be "
    assert [line for line in lines if "checkpoint" in line] == [f"{warning}resumed from here"]
    assert "epoch 3/3" in lines[-2]
    assert lines[-1] == f"structron: {model}: cannot be written, file too large; choose another place"
    assert model.read_bytes() == b"an older model" and names(tmp_path) == {"m"}


def test_a_full_disk_leaves_no_empty_picture(run, training, folder, tmp_path):
    """A picture is whole or not there, and so is what `predict` and `show` write."""
    model, picture = tmp_path / "m", tmp_path / "p.png"
    picture.write_bytes(b"an older picture")
    small = ["train", "tagging", folder / "chunks.txt", "--columns", "form,pos,label", "--templates"]
    (tmp_path / "w.txt").write_text("w[0]\n")
    done = limited(*small, tmp_path / "w.txt", "-o", model, "--epochs", 1, "--plot", picture)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"structron: {picture}: cannot be written, file too large; choose another place"
    )
    assert picture.read_bytes() == b"an older picture" and names(tmp_path) == {"m", "p.png", "w.txt"}
    long = tmp_path / "long.txt"
    long.write_text("the old man ran\n" * 5000)
    done = limited("predict", model, long, "--format", "text", "-o", tmp_path / "out")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1


def test_a_saved_checkpoint_outlives_a_model_that_found_no_room(run, training, tmp_path):
    whole, model = tmp_path / "whole", tmp_path / "m"
    run(*training, "-o", whole, "--epochs", 2)
    run(*training, "-o", model, "--epochs", 2, "--keep-checkpoint")
    model.unlink()
    done = limited(*training, "-o", model, "--epochs", 2, "--resume")
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == (
        f"structron: {model}: cannot be written, file too large; make room, then run the same command with "
        "--resume"
    )
    run(*training, "-o", model, "--epochs", 2, "--resume")
    assert model.read_bytes() == whole.read_bytes() and names(tmp_path) == {"whole", "m"}


@pytest.fixture
def small_disk(tmp_path):
    """A real disk of 64 kB, where the system lets us make one."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", place], capture_output=True)
    if made.returncode:
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_real_full_disk(run, training, small_disk):
    done = run(*training, "-o", small_disk / "m", "--epochs", 2, check=1)
    assert "m.checkpoint: cannot be written, no space left on device; training continues" in done.stderr
    assert done.stderr.splitlines()[-1].endswith(
        "m: cannot be written, no space left on device; choose another place"
    )
    assert names(small_disk) == set()


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(run, training, small_disk):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    done = run(*training, "-o", small_disk / "m", check=1)
    (line,) = done.stderr.splitlines()
    assert line.endswith("m: cannot be written, read-only file system; check the folder")


@pytest.mark.parametrize("place", ["/proc/m", "{folder}/train.txt/m", "/no/such/folder/m"])
def test_places_that_are_no_folders_are_refused_before_any_work(place, run, folder, training):
    done = run(*training, "-o", place.format(folder=folder), check=1)
    (line,) = done.stderr.splitlines()
    assert "cannot be written, " in line or "its folder does not exist" in line


def begun(*args: object) -> subprocess.Popen[bytes]:
    """A training that has ended its first epoch."""
    process = subprocess.Popen([*COMMAND, *map(str, args)], stderr=subprocess.PIPE)
    for line in process.stderr:
        if line.startswith(b"epoch"):
            return process
    pytest.fail("training ended before its first epoch")


def test_of_two_trainings_of_one_model_the_second_is_refused(run, training, tmp_path):
    model = tmp_path / "m"
    first = begun(*training, "-o", model, "--epochs", 1_000_000)
    try:
        for more in ((), ("--resume",), ("--restart",)):
            done = run(*training, "-o", model, *more, check=1)
            (line,) = done.stderr.splitlines()
            assert line == (
                f"structron: {model}: another process is writing this file; wait for it, or choose another "
                "name"
            )
    finally:
        first.kill()
        first.communicate()
    # Whoever was killed holds nothing.
    run(*training, "-o", model, "--restart", "--epochs", 1)
    assert names(tmp_path) == {"m"}


def test_data_that_vanish_while_they_are_learned_from_are_not_missed(folder, tmp_path):
    data, model = tmp_path / "t.txt", tmp_path / "m"
    data.write_bytes((folder / "train.txt").read_bytes())
    process = begun("train", "tagging", data, "-o", model, "--epochs", 30)
    data.unlink()
    process.communicate(timeout=60)
    assert process.returncode == 0 and names(tmp_path) == {"m"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_leave_no_half_written_output(number, start, models, tmp_path):
    process = start("predict", models["slash"], "-o", tmp_path / "out")
    try:
        process.stdin.write(b"the dog ran .\n")
        process.stdin.flush()
        while not names(tmp_path):
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, number)
        assert process.wait(60) == 130
        assert process.stderr.read().strip() == b"structron: interrupted"
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        process.wait()
    assert names(tmp_path) == set()


def test_an_interrupt_in_a_string_that_is_executed_ends_with_130(tmp_path):
    (tmp_path / "command.py").write_text(
        "import sys\n"
        "from structron.cli import app, main\n"
        "app.app.main = lambda *args, **options: exec('raise KeyboardInterrupt')\n"
        "sys.exit(main([]))\n"
    )
    done = subprocess.run([sys.executable, "-m", "command"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"structron: interrupted\n")


def test_threads_without_work_for_them_are_told(run, training, tmp_path):
    said = run(*training, "-o", tmp_path / "m", "--epochs", 1, "--threads", 2).stderr.splitlines()
    assert said[0] == (
        "--threads 2: learning from one example at a time uses one thread; "
        "add --batch 16 or --shards 4 to use more"
    )
    said = run(*training, "-o", tmp_path / "m", "--epochs", 1, "--threads", 2, "--batch", 8).stderr
    assert "--threads" not in said
