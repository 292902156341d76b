"""What a class does with the beam: teach it, look at charts and stacks, scrub, and share a server."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from tests.browser.pages import NEEDS_CHROMIUM, go, keep, playwright
from tests.serve.conftest import Served

pytestmark = NEEDS_CHROMIUM

LONG = "The committee that the old president of the small company had asked to look into the many complaints"
LONG += (
    " of its workers said on Monday that it would not publish what it had found before the end of the year ."
)
MOVED = """async () => {
    const slider = document.querySelector(".player input"), counts = [];
    for (let at = 1; at <= +slider.max; at++) {
        const watch = new MutationObserver(() => {});
        watch.observe(document.querySelector(".stage"), { subtree: true, childList: true, attributes: true });
        slider.value = at;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        counts.push(watch.takeRecords().length);
        watch.disconnect();
        await new Promise(requestAnimationFrame);
    }
    return [Math.max(...counts), document.querySelectorAll(".plate").length];
}"""


def test_a_step_changes_little_however_long_the_sentence(page: Any, served: Served) -> None:
    """A beam of 16 on 40 words has 1290 plates; benchmarks/playground.py says what a step costs."""
    go(page, served, f"view=beam&model=en&search=beam:16&step=0&text={quote(LONG)}")
    page.wait_for_selector("svg.lattice")
    page.get_by_role("button", name="Take the guess for gold").click()
    page.wait_for_selector("table.methods")
    page.get_by_role("button", name="First step").click()
    most, plates = page.evaluate(MOVED)
    assert most < 400 and plates < 600
    with page.expect_download() as download:  # what is saved is the whole lattice all the same
        page.get_by_role("button", name="Save the lattice as SVG").click()
    assert download.value.path().read_text().count("<rect") > 1200
    playwright.expect(page.locator("svg.lattice .plate").first).to_be_attached()


def test_a_model_is_taught_and_the_way_back_leads_to_the_old_one(page: Any, served: Served) -> None:
    go(page, served, "view=beam&model=tagger&text=light+,+water+and+saw+fell+.&step=99")
    choice = page.get_by_label("Gold tag of water")
    assert page.get_by_role("button", name="Teach it this").count() == 0  # there is nothing to teach
    choice.select_option("JJ")
    page.get_by_role("button", name="Teach it this").click()
    taught = page.locator(".taught")
    playwright.expect(taught).to_contain_text("It has learned that")
    playwright.expect(taught).to_contain_text(re.compile(r"other sentences"))
    playwright.expect(page.get_by_label("Model").first).to_have_value(re.compile("tagger-corrected-"))
    playwright.expect(page.locator("table.methods tbody tr").first).to_contain_text("none")
    keep(page, "taught")
    taught.get_by_role("button", name="Back to tagger").click()
    playwright.expect(page.get_by_label("Model").first).to_have_value("tagger")
    playwright.expect(page.locator("table.methods tbody tr").first).not_to_contain_text("none")


def test_a_chart_and_stacks_are_drawn_and_stepped(page: Any, served: Served) -> None:
    go(page, served, f"view=beam&model=chart&text={quote('the old man saw the light with her dog .')}&step=0")
    page.wait_for_selector("svg.chartcells")
    playwright.expect(page.locator(".told")).to_contain_text("The arc from")
    page.get_by_role("button", name="Take the guess for gold").click()
    playwright.expect(page.locator("svg.chartcells .join.gold").first).to_be_attached()
    page.get_by_role("button", name="First step").click()
    dead = page.locator("svg.chartcells .cell.dead")
    playwright.expect(dead).not_to_have_count(0)
    page.get_by_role("button", name="Last step").click()
    playwright.expect(dead).to_have_count(0)
    keep(page, "chart")
    german = "heute hat der alte mann das buch gefunden ."
    go(page, served, f"view=beam&model=translator&text={quote(german)}&step=2")
    page.reload()
    playwright.expect(page.locator("svg.lattice .column.now")).to_contain_text("3 words")
    playwright.expect(page.locator(".told")).to_contain_text("is translated as")
    page.get_by_role("button", name="Take the guess for gold").click()
    playwright.expect(page.locator("table.methods")).to_be_visible()
    keep(page, "stacks")


def test_trainings_of_others_are_seen_and_not_stopped(page: Any, served: Served) -> None:
    go(page, served, "view=train&sentences=2000&epochs=100&task=tagging&values=early")
    page.get_by_role("button", name="Start", exact=True).click()
    row = page.locator("#runs tbody tr")
    playwright.expect(row).to_contain_text("epoch")
    playwright.expect(page.locator(".weights")).to_be_visible(timeout=30_000)
    assert page.locator(".weights option").count() > 5
    playwright.expect(page.locator(".weights svg.chart desc").first).to_contain_text("last")
    playwright.expect(page.locator("#curves svg title", has_text="R²/δ²")).to_have_count(1)
    other = page.context.new_page()
    go(other, served, "view=train")
    playwright.expect(other.locator("details", has_text="1 other training on this server")).to_be_visible()
    assert other.get_by_role("button", name=re.compile("Stop training")).count() == 0
    other.close()
    playwright.expect(row).not_to_contain_text("stopped")
    page.get_by_role("button", name="Stop", exact=True).click()
    playwright.expect(row).to_contain_text("stopped")
