"""A real browser: these are collected only where `make test-browser` asks for them."""

from __future__ import annotations

import os

if os.environ.get("STRUCTRON_BROWSER"):
    from tests.browser.pages import browser, page, served

    __all__ = ["browser", "page", "served"]

collect_ignore_glob = [] if os.environ.get("STRUCTRON_BROWSER") else ["test_*.py"]
