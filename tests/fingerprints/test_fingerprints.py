"""Models, outputs, help and signatures stay what they were, byte for byte, unless a change means it."""

from __future__ import annotations

import json

import pytest

from tests.fingerprints.record import RECORDED, fingerprint
from tests.fingerprints.subjects import subjects

SUBJECTS = subjects()
KNOWN = json.loads(RECORDED.read_text())


def test_everything_recorded_is_still_made() -> None:
    assert set(KNOWN) == set(SUBJECTS)


@pytest.mark.parametrize("name", SUBJECTS)
def test_nothing_has_changed(name: str) -> None:
    assert fingerprint(SUBJECTS[name]()) == KNOWN[name], "python -m tests.fingerprints records what was meant"
