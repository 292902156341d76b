"""Models, outputs, help and signatures stay what they were, byte for byte, unless a change means it."""

from __future__ import annotations

import platform

import pytest

from tests.fingerprints.record import fingerprint, known
from tests.fingerprints.subjects import subjects

SUBJECTS = subjects()
RECORDED_ON, KNOWN = known()


def test_everything_recorded_is_still_made() -> None:
    assert set(KNOWN) == set(SUBJECTS)


@pytest.mark.parametrize("name", SUBJECTS)
def test_nothing_has_changed(name: str) -> None:
    assert fingerprint(SUBJECTS[name]()) == KNOWN[name], (
        f"recorded on {RECORDED_ON}, made on {platform.machine()}; "
        "python -m tests.fingerprints records what was meant"
    )
