"""The smallest package of docs/extending.md: its three files, as they are printed, learn."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from structron import ModelError
from structron.reference import check_oracle, check_space

GUIDE = Path(__file__).parents[3] / "docs" / "extending.md"
LINES = ["yes , i came", "yes , she came", "i came", "she saw it", "well , i saw it", "well , yes"] * 4


def test_the_files_of_the_guide_are_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = re.findall(r"```py\n# (commas/\w+\.py)\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert [name for name, _ in files] == ["commas/__init__.py", "commas/task.py", "commas/estimator.py"]
    for name, text in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        made = importlib.import_module("commas.estimator")
        lines = [made.CLI.parse(line.replace(" ,", ","), "here") for line in LINES]
        inputs, outputs = [line.text for line in lines], [line.output for line in lines]
        task = made.CommaTask()
        check_space(task.space(inputs[0]))
        check_oracle(task.space(inputs[0]), task.oracle(inputs[0], outputs[0]))
        commas = made.Commas(epochs=5).fit(inputs, outputs)
        assert commas.predict(["yes i saw it", "she came"]) == ["yes, i saw it", "she came"]
        commas.save(tmp_path / "commas.model")
        with pytest.raises(ModelError, match="commas"):  # the entry point is missing, as the guide says
            made.Commas.load(tmp_path / "commas.model")
        spec = importlib.import_module("commas").SPEC
        assert spec.kind == "commas" and spec.task == "commas.task:CommaTask"
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "commas"]:
            del sys.modules[name]
