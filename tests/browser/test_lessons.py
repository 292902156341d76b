"""The lessons, slides, and every view at three widths in both themes, as axe-core sees them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.pages import NEEDS_CHROMIUM, TOKEN, check_page, go, keep, playwright
from tests.serve.conftest import Served

pytestmark = NEEDS_CHROMIUM

LESSONS = [
    (1, "A perceptron learns", ["Step"] * 4, "Every point is on its side after 4 updates"),
    (2, "The best path", ["Fill all"], "noun verb prep noun"),
    (3, "Greedy search", [], "Greedy search lost a tree"),
    (4, "The standard update", ["Start the three"], "updates were invalid"),
    (5, "Fix violations", ["Start"], "Figure 1 of Huang"),
    (6, "Gold without", ["Last step"], "3 of 8 items still lead to the right sounds"),
]


@pytest.mark.parametrize(("n", "title", "clicks", "told"), LESSONS)
def test_a_lesson_is_shown_and_does_what_it_says(
    page: Any, served: Served, n: int, title: str, clicks: list[str], told: str
) -> None:
    go(page, served, f"view=lesson&n={n}")
    playwright.expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    for click in clicks:
        page.get_by_role("button", name=click, exact=True).click()
    playwright.expect(page.locator(".told")).to_contain_text(told)
    assert page.locator(".todo li").count() == 3 and page.title().startswith(f"{n}. {title}")
    if n == 5:
        playwright.expect(page.locator("#exhibit")).to_contain_text("invalid")
        page.get_by_label("Example").select_option("time")
        page.get_by_label("Update").first.select_option("early")
        page.get_by_role("button", name="Start", exact=True).click()
        playwright.expect(page.locator(".told")).to_contain_text("It has converged after 2 updates")
    if n == 4:  # real English: standard falls behind by far, and half of its updates fix nothing
        said = page.locator(".told").text_content() or ""
        standard, best = (float(number) for number in re.findall(r"at ([\d.]+) %", said))
        invalid, updates = (int(number) for number in re.findall(r"(\d+) (?:of|standard)", said))
        assert standard + 5 < best and invalid > 0.4 * updates, said
        keep(page, "standard")
    if n == 1:
        keep(page, "lesson")
        page.keyboard.press("PageDown")
        playwright.expect(page.get_by_role("heading", level=1)).to_contain_text("The best path")


def test_slides_have_large_type_and_nothing_around_it(page: Any, served: Served) -> None:
    page.goto(f"http://127.0.0.1:{served.port}/?present#token={quote(TOKEN)}&view=lesson&n=2")
    playwright.expect(page.get_by_role("heading", level=1)).to_contain_text("The best path")
    assert "present" in page.url and not page.locator("header").is_visible()
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.prose')).fontSize)") >= 22
    page.keyboard.press("f")
    playwright.expect(page.locator("header")).to_be_visible()


VIEWS = {"beam": "svg.tree", "train": "h1"} | {f"lesson&n={n}": ".todo" for n in range(1, 7)}
SIZES = [
    {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    for width in (1440, 800, 390)
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize("page", SIZES, indirect=True, ids=lambda size: f"{size['viewport']['width']}")
def test_every_view_fits_and_axe_finds_nothing(page: Any, served: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    for view, ready in VIEWS.items():
        go(page, served, f"view={view}")
        page.reload()
        page.wait_for_selector(ready)
        page.wait_for_load_state("networkidle")
        check_page(page, view)
        if view == "beam" and page.viewport_size["width"] == 390:
            keep(page, "narrow")  # the dark one stays
    page.keyboard.press("Tab")
    page.goto(f"http://127.0.0.1:{served.port}/docs")
    page.get_by_role("heading", name="POST /predict", exact=True).wait_for()
    page.get_by_role("button", name="Send to POST /predict").click()
    playwright.expect(page.get_by_label("Answer")).to_contain_text('"task": "pipeline"')
    check_page(page, "docs")
    keep(page, "http")
    page.get_by_role("link", name="Training").click()
    page.wait_for_url(f"http://127.0.0.1:{served.port}/**")
    playwright.expect(page.get_by_role("heading", name="Train in front of the class")).to_be_visible()
