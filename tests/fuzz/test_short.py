"""A short run of `make fuzz` on the usual engine: the worst that comes of any file is an error in words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from structron.io.model_file import archive
from structron.registry import learned, specs
from tests.fuzz import subjects, unfinished

KINDS = learned()
MORE_KINDS = {spec.kind: spec.help for spec in specs() if not spec.settings}

ROOT = Path(__file__).parents[2]
COUNT = 5000


def test_every_kind_of_model_and_checkpoint_is_mutated(tmp_path: Path) -> None:
    models = subjects.models(tmp_path).values()
    assert {subject.kind for subject in models} == {**KINDS, **MORE_KINDS}.keys()
    systems = {archive.read_archive_bytes(subject.data)[0].get("system") for subject in models}
    assert {"hiero", "graph", "joint", "words", "swap"} <= systems
    assert {name.split()[0] for name in unfinished.checkpoints(tmp_path)} == {
        "tagger", "parser", "graph", "transducer", "segmenter", "classifier", "translator", "hiero",
        "semantics", "lemmatizer", "pipeline",
    }  # fmt: skip


@pytest.mark.parametrize("campaign", ["models", "corpora"])
def test_a_mutated_file_is_refused_in_words_or_works(campaign: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", campaign, "--count", str(COUNT), "--seed", "1"]
    done = subprocess.run([*command, "--folder", str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    findings = tmp_path / "findings.jsonl"
    assert not findings.exists(), findings.read_text()[:3000]
    assert done.returncode == 0, done.stderr[-2000:]
    outcomes = json.loads((tmp_path / "state.json").read_text())["outcomes"]
    refused = sum(count for outcome, count in outcomes.items() if "refused" in outcome)
    # Mutations that are always refused, or never, would try nothing.
    assert COUNT / 4 < refused < COUNT * 0.95, outcomes
