"""What a model has never seen is told to the client that sent it, and to no log."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

from structron import Transducer, Translator
from tests.serve.conftest import Served

PAIRS = (["ab", "ba", "aab"] * 2, ["x y", "y x", "x x y"] * 2)


def test_the_client_is_warned_and_the_log_says_nothing(start: Callable[..., Served], tmp_path: Path) -> None:
    Transducer(epochs=1, search="beam:2").fit(*PAIRS).save(tmp_path / "sounds.model")
    lines = [" ".join(each) for each in PAIRS[0]], PAIRS[1]
    Translator(epochs=1, tuning=0).fit(*lines).save(tmp_path / "words.model")
    served = start(tmp_path / "sounds.model", tmp_path / "words.model")
    answer = served.predict({"model": "sounds", "inputs": ["ab", "aqb", "q"]}).body
    assert len(answer["outputs"]) == 3
    assert answer["warning"].startswith("2 symbols of the input were never seen in training and are passed")
    assert "'q' (2)" in answer["warning"]
    assert "'q' (1)" in served.predict({"model": "sounds", "input": "q", "kbest": 2}).body["warning"]
    assert "'blorp' (1)" in served.predict({"model": "words", "input": "a blorp"}).body["warning"]
    # What others have sent is not told again.
    for model, known in (("sounds", "ab"), ("words", "a b")):
        assert "warning" not in served.predict({"model": model, "input": known}).body
    sent = b'"ab"\n"q"\n'
    ways = {"Content_Type": "application/x-ndjson"}
    said = served.ask("POST", "/predict/stream?model=sounds", sent, **ways).body.splitlines()
    assert ["warning" in json.loads(line) for line in said] == [False, True]
    served.signal(signal.SIGTERM)
    code, rest = served.end()
    assert code == 0 and "q" not in rest and "blorp" not in rest, rest
