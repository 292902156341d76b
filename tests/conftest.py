"""`make test` tries every property on the same examples each time; `make fuzz` on new ones."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True)
settings.register_profile("fuzz", print_blob=True)
settings.load_profile("fuzz" if os.environ.get("STRUCTRON_FUZZ") else "same")
