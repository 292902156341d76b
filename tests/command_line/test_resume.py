"""Training that is killed goes on and ends with the same bytes."""

from __future__ import annotations

import random
import signal
import subprocess

import pytest


def options(folder, model, *more):
    files = (folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", model)
    return ("train", "tagging", *files, "--epochs", 40, "--seed", 3, "--checkpoint", 1e-6, *more)


@pytest.mark.parametrize("schedule", [(), ("--batch", 8, "--threads", 2), ("--shards", 3, "--threads", 2)])
def test_a_training_killed_at_random_moments_ends_with_the_same_bytes(start, run, folder, tmp_path, schedule):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run(*options(folder, whole, *schedule))
    chance = random.Random(7)
    deaths = 0
    for _ in range(12):
        process = start(*options(folder, killed, "--resume", *schedule))
        try:
            # Wait for the first sign of learning: before that there is nothing to lose.
            for line in process.stderr:
                if line.startswith(b"epoch"):
                    break
            process.wait(timeout=chance.uniform(0.0, 0.25))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            deaths += 1
        process.communicate()
        if process.returncode == 0:
            break
    else:
        run(*options(folder, killed, "--resume", *schedule))
    assert deaths >= 1
    assert killed.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"whole", "killed"}


def test_without_a_checkpoint_training_starts_and_says_so(run, folder, tmp_path):
    model = tmp_path / "m"
    said = run(*options(folder, model, "--resume", "--epochs", 1)).stderr
    assert "m.checkpoint: there is no checkpoint; starting from the beginning" in said and model.exists()
