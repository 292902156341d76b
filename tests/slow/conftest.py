"""Hours of tests: they are collected only where `make test-kill` says how many kills are wanted."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("STRUCTRON_KILLS") else ["test_*.py"]
