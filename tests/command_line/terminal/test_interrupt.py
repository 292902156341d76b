"""Ctrl-C, a polite kill and a lost terminal leave the best model so far, and no older model is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from structron import Tagger
from tests.kills import make_data


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_training_leaves_a_model(number, start, run, folder, training, tmp_path):
    model = tmp_path / "m"
    process = start(*training, "-o", model, "--epochs", 1000000)
    try:
        for line in process.stderr:
            if line.startswith(b"epoch 3/"):
                break
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130 and out == b""
    assert b"interrupted in epoch" in err and b"model saved:" in err and b"Traceback" not in err
    assert b"m.checkpoint: run the same command with --resume to continue" in err
    model = tmp_path / "m.interrupted"
    found = json.loads(run("info", model, "--json").stdout)
    assert found["interrupted"] == len(found["epochs"]) + 1 >= 4
    assert json.loads(run("evaluate", model, folder / "dev.txt", "--json").stdout)["accuracy"] > 0.5
    assert {path.name for path in tmp_path.iterdir()} == {"m.interrupted", "m.checkpoint"}


def interrupted(start, number, *args):
    """What a training says that is interrupted after its third epoch."""
    process = start(*args)
    try:
        for line in process.stderr:
            if line.startswith(b"epoch 3/"):
                break
        process.send_signal(number)
        return process.communicate(timeout=60)[1].decode()
    finally:
        process.kill()
        process.wait()


def test_an_older_model_stays_and_resuming_ends_as_if_nothing_had_happened(start, run, training, tmp_path):
    whole, model = tmp_path / "whole", tmp_path / "m"
    run(*training, "-o", whole, "--epochs", 30)
    model.write_bytes(b"an older model")
    interrupted(start, signal.SIGINT, *training, "-o", model, "--epochs", 1_000_000)
    assert model.read_bytes() == b"an older model"
    assert {path.name for path in tmp_path.iterdir()} == {"whole", "m", "m.checkpoint", "m.interrupted"}
    refused = run(*training, "-o", model, "--epochs", 30, check=1).stderr
    assert refused == (
        f"structron: {model}.checkpoint: a training of this model can be resumed; "
        "give --resume to continue it, or --restart to start again\n"
    )
    done = json.loads(run("info", tmp_path / "m.interrupted", "--json").stdout)["epochs"][-1]["epoch"]
    run(*training, "-o", whole, "--epochs", max(30, done + 2))
    run(*training, "-o", model, "--epochs", max(30, done + 2), "--resume")
    assert model.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"whole", "m"}


def test_restart_starts_again(run, training, tmp_path):
    model = tmp_path / "m"
    run(*training, "-o", model, "--epochs", 2, "--keep-checkpoint")
    assert (tmp_path / "m.checkpoint").exists()
    said = run(*training, "-o", model, "--epochs", 1, "--restart").stderr
    assert "epoch 1/1" in said and not (tmp_path / "m.checkpoint").exists()
    said = run(*training, "-o", model, "--resume", "--restart", check=1).stderr
    assert "--resume and --restart exclude each other" in said
    said = run(*training, "-o", model, "--resume", "--checkpoint", 0, check=1).stderr
    assert "--resume and --checkpoint 0 exclude each other" in said


def test_a_finished_training_is_extended(run, training, tmp_path):
    whole, model = tmp_path / "whole", tmp_path / "m"
    run(*training, "-o", whole, "--epochs", 4)
    run(*training, "-o", model, "--epochs", 2, "--keep-checkpoint")
    said = run(*training, "-o", model, "--epochs", 4, "--seed", 5, "--resume", check=1).stderr.splitlines()[
        -1
    ]
    assert said.endswith(
        "seed is 5, the checkpoint was made with 0; use the same, or start again (--restart)"
    )
    said = run(*training, "-o", model, "--epochs", 4, "--resume").stderr
    assert "epoch 3/4" in said and "epoch 2/4" not in said
    assert model.read_bytes() == whole.read_bytes()


def test_no_checkpoint_is_written_if_none_is_wanted(start, training, tmp_path):
    said = interrupted(
        start, signal.SIGTERM, *training, "-o", tmp_path / "m", "--epochs", 1_000_000, "--checkpoint", 0
    )
    assert "--resume" not in said
    assert {path.name for path in tmp_path.iterdir()} == {"m.interrupted"}


def test_a_hangup_that_is_ignored_stays_ignored(folder, training, tmp_path):
    command = [sys.executable, "-m", "structron", *map(str, training), "-o", str(tmp_path / "m")]
    process = subprocess.Popen(
        ["nohup", *command, "--epochs", "40"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    for line in process.stderr:
        if line.startswith(b"epoch 3/"):
            process.send_signal(signal.SIGHUP)
            break
    process.communicate(timeout=60)
    assert process.returncode == 0 and (tmp_path / "m").exists()


def test_an_interrupt_inside_the_first_epoch_leaves_what_was_learned():
    def stop(epoch: int, done: int, total: int) -> None:
        raise KeyboardInterrupt

    tagger = Tagger()
    with pytest.raises(KeyboardInterrupt):
        tagger.fit([["a", "b"]] * 5, [["X", "Y"]] * 5, progress=stop)
    assert tagger.predict([["a", "b"]]) == [["X", "Y"]]
    assert tagger.model_.about["epochs"] == []


def test_folds_that_were_finished_before_an_interrupt_are_not_trained_again(start, run, tmp_path):
    make_data(tmp_path, 300)
    command = ["train", "parsing", tmp_path / "train.conllu", "--epochs", 2, "--search", "greedy"]
    command += ["--tagger", "jackknife:12"]
    whole, model = tmp_path / "whole", tmp_path / "m"
    run(*command, "-o", whole)
    process = start(*command, "-o", model)
    drafts = tmp_path / "m.checkpoint.drafts"
    try:
        while not drafts.exists():
            assert process.poll() is None, process.communicate()
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[1].decode()
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130 and "m.checkpoint: run the same command with --resume" in said
    assert "a training of this model can be resumed" in run(*command, "-o", model, check=1).stderr
    written = drafts.stat().st_mtime_ns
    run(*command, "-o", model, "--resume", "--keep-checkpoint")
    assert drafts.stat().st_mtime_ns > written
    assert model.read_bytes() == whole.read_bytes()
    run(*command, "-o", model, "--restart")
    assert model.read_bytes() == whole.read_bytes() and not drafts.exists()
