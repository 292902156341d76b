"""The record of fingerprints, and the kind of machine that made it."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from pathlib import Path

RECORDED = Path(__file__).with_name("recorded.json")
MACHINE = "recorded on"


def fingerprint(data: bytes) -> str:
    """Return sixteen hex digits that tell contents apart."""
    return hashlib.sha256(data).hexdigest()[:16]


def known() -> tuple[str, dict[str, str]]:
    """Return the kind of machine that recorded the fingerprints, and these by name."""
    found: dict[str, str] = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    return found.pop(MACHINE, "unknown"), found


def record(found: Mapping[str, str]) -> None:
    """Write fingerprints that this machine has made."""
    RECORDED.write_text(json.dumps({MACHINE: platform.machine(), **found}, indent=1) + "\n")
