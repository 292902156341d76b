"""Record all fingerprints again: ``python -m tests.fingerprints``, after a change that was meant."""

from __future__ import annotations

from tests.fingerprints.record import fingerprint, known, record
from tests.fingerprints.subjects import subjects

if __name__ == "__main__":
    found = {name: fingerprint(make()) for name, make in subjects().items()}
    _, before = known()
    for name in sorted({*found, *before}):
        if found.get(name) != before.get(name):
            print(f"{name}: {before.get(name, 'new')} -> {found.get(name, 'gone')}")
    record(found)
