"""The system's chromium, the playground that it shows, and small pictures of it."""

from __future__ import annotations

import importlib.resources
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.conftest import Served

playwright = pytest.importorskip(
    "playwright.sync_api", reason="needs playwright; make test-browser installs it"
)
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
NEEDS_CHROMIUM = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no chromium on this machine; install it to run these"
)
TOKEN = "a token & more"
PATIENCE = 120_000  # milliseconds: a machine may be busy with other things
playwright.expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """The playground with the small models that it makes itself."""
    own = Served("--playground", "--token", TOKEN)
    yield own
    own.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, served: Served, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A fresh page that asks nobody but the server, and whose scripts do not fail."""
    options = {"viewport": {"width": 1000, "height": 760}} | getattr(request, "param", {})
    context = browser.new_context(**options, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    opened, faults, elsewhere = context.new_page(), [], []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda message: faults.append(message.text) if is_fault(message) else None)
    opened.on(
        "request",
        lambda asked: (
            None
            if f"127.0.0.1:{served.port}" in asked.url or asked.url.startswith("blob:")
            else elsewhere.append(asked.url)
        ),
    )
    yield opened
    context.close()
    assert not faults and not elsewhere, (faults, elsewhere)


def is_fault(message: Any) -> bool:
    """What the console says in red; but that a request was refused, the page tells itself."""
    return message.type == "error" and "the server responded with a status of 4" not in message.text


def go(page: Any, served: Served, state: str) -> None:
    page.goto(f"http://127.0.0.1:{served.port}/#token={TOKEN.replace(' ', '+').replace('&', '%26')}&{state}")


def check_layout(page: Any, view: str) -> None:
    """Nothing leaves the window or its card, and no words or controls stand on others, with any fonts."""
    faults = page.evaluate(Path(__file__).with_name("layout.js").read_text("utf-8").partition("\n")[2])
    assert not faults, (view, faults)


def check_page(page: Any, view: str) -> None:
    """All in its place, one heading, and nothing that axe-core finds."""
    check_layout(page, view)
    assert page.locator("main h1").count() == 1
    page.evaluate(importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text())
    found = page.evaluate(
        """axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
        [id, nodes.slice(0, 3).map((each) => each.html.slice(0, 150) + each.failureSummary)]))"""
    )
    assert found == [], (view, found)


def keep(page: Any, name: str) -> None:
    """A small picture of the page, if somebody wants it."""
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        return
    from PIL import Image  # matplotlib brings it

    shown = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    shown.convert("RGB").quantize(96).save(Path(folder) / f"{name}.png", optimize=True)
