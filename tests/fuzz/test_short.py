"""A short run of `make fuzz` on the usual engine: the worst that comes of any file is an error in words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COUNT = 2500


@pytest.mark.parametrize("campaign", ["models", "corpora"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_mutated_file_is_refused_in_words_or_works(campaign: str, seed: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", campaign, "--count", str(COUNT), "--seed", str(seed)]
    done = subprocess.run([*command, "--folder", str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    findings = tmp_path / "findings.jsonl"
    assert not findings.exists(), findings.read_text()[:3000]
    assert done.returncode == 0, done.stderr[-2000:]
    outcomes = json.loads((tmp_path / "state.json").read_text())["outcomes"]
    refused = sum(count for outcome, count in outcomes.items() if "refused" in outcome)
    # Mutations that are always refused, or never, would try nothing.
    assert COUNT / 4 < refused < COUNT * 0.95, outcomes
