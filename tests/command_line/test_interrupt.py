"""Ctrl-C and a polite kill leave the best model so far."""

from __future__ import annotations

import json
import signal

import pytest

from structron import Tagger


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
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
    found = json.loads(run("info", model, "--json").stdout)
    assert found["interrupted"] == len(found["epochs"]) + 1 >= 4
    assert json.loads(run("evaluate", model, folder / "dev.txt", "--json").stdout)["accuracy"] > 0.5
    assert {path.name for path in tmp_path.iterdir()} == {"m", "m.checkpoint"}


def test_an_interrupt_inside_the_first_epoch_leaves_what_was_learned():
    def stop(epoch: int, done: int, total: int) -> None:
        raise KeyboardInterrupt

    tagger = Tagger()
    with pytest.raises(KeyboardInterrupt):
        tagger.fit([["a", "b"]] * 5, [["X", "Y"]] * 5, progress=stop)
    assert tagger.predict([["a", "b"]]) == [["X", "Y"]]
    assert tagger.model_.about["epochs"] == []
