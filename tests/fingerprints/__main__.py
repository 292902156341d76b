"""Record all fingerprints again: ``python -m tests.fingerprints``, after a change that was meant."""

from __future__ import annotations

import json

from tests.fingerprints.record import RECORDED, fingerprint
from tests.fingerprints.subjects import subjects

if __name__ == "__main__":
    found = {name: fingerprint(make()) for name, make in subjects().items()}
    before = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    for name in sorted({*found, *before}):
        if found.get(name) != before.get(name):
            print(f"{name}: {before.get(name, 'new')} -> {found.get(name, 'gone')}")
    RECORDED.write_text(json.dumps(found, indent=1) + "\n")
