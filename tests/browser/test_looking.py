"""What only somebody who looks would see: whether pictures, words and numbers tell of the same thing."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.pages import NEEDS_CHROMIUM, TOKEN, check_layout, check_page, go, playwright
from tests.serve.conftest import Served

pytestmark = NEEDS_CHROMIUM
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}
IN_VIEW = """() => {
    const box = document.querySelector(".scroll.lattice").getBoundingClientRect();
    const now = document.querySelector("svg.lattice .column.now .plate").getBoundingClientRect();
    return now.left >= box.left && now.right <= box.right;
}"""
PARAGRAPH = "The old man the boats. The horse raced past the barn fell. " * 27  # 351 tokens


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_the_step_that_is_shown_is_in_view(page: Any, served: Served) -> None:
    for state in ("view=beam", "view=lesson&n=6"):
        go(page, served, state)
        page.reload()
        page.wait_for_selector("svg.lattice .column.now")
        for _ in range(50):
            if page.evaluate(IN_VIEW):
                break
            page.wait_for_timeout(100)
        assert page.evaluate(IN_VIEW), state


def test_gold_stands_under_what_is_wrong_and_nothing_else(page: Any, served: Served) -> None:
    """The search on the page is wider than the model's own, which finds another tree."""
    go(page, served, "view=beam&step=15")
    page.reload()
    page.wait_for_selector("table.methods")
    wrong = page.locator("svg.tree .arc.wrong.label").all_text_contents()
    gold = page.locator("svg.tree .arc.gold.label").all_text_contents()
    assert sorted(wrong) == ["acl", "nsubj", "punct", "root"] and sorted(gold) == sorted(wrong)
    # Reasons speak of what the picture shows.
    why = page.locator("section.why")
    for step in range(2, 16):
        page.get_by_role("slider", name="Step").fill(str(step))
        way = page.locator("svg.lattice .plate.way")
        playwright.expect(why).to_contain_text(f"Why, on step {step + 1 if step < 15 else 7}?")
        if step < 15:
            assert way.count() and why.locator(".won").first.text_content()
    page.get_by_role("button", name="Take the guess for gold").click()
    playwright.expect(page.locator("table.methods tbody tr").first).to_contain_text("none")
    playwright.expect(page.locator("main")).to_contain_text("there is nothing to learn here")


def test_reasons_are_of_the_letters_of_their_step(page: Any, served: Served) -> None:
    go(page, served, "view=beam&model=en-g2p&text=knighting&step=7")
    why = page.locator(
        "section.why"
    )  # the first piece takes two letters, so that there are eight for nine steps
    playwright.expect(why.locator(".duel")).to_have_text(re.compile("^n g: n → NG rather than"))
    playwright.expect(why).to_contain_text("this letter is “n”")
    playwright.expect(why).not_to_contain_text(re.compile("word (before|is)|size=|undefined"))
    playwright.expect(page.locator(".told")).to_contain_text("“n” becomes “NG”.")


def test_slides_enlarge_pictures_and_cut_nothing_off(page: Any, served: Served) -> None:
    page.goto(f"http://127.0.0.1:{served.port}/?present#token={quote(TOKEN)}&view=beam&step=15")
    page.wait_for_selector("table.methods")
    sizes = page.evaluate(
        """() => [".tree .wordtext", ".lattice .does", ".chart .small"].map((name) => {
        const each = document.querySelector(name), svg = each.ownerSVGElement;
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        return parseFloat(getComputedStyle(each).fontSize) * scale;
    })"""
    )
    assert min(sizes) >= 17, sizes
    check_layout(page, "slides")
    out = page.evaluate(
        """() => [...document.querySelectorAll(".figure3 text")].filter((each) => {
        const box = each.getBoundingClientRect(), svg = each.ownerSVGElement.getBoundingClientRect();
        return box.left < svg.left - 1 || box.right > svg.right + 1;
    }).map((each) => each.textContent)"""
    )
    assert not out


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_training_fits_a_phone_when_it_is_over(page: Any, served: Served) -> None:
    go(page, served, "view=train&sentences=40&epochs=2&task=parsing&values=standard,early")
    page.wait_for_selector("#curves svg")  # frames, before anything is learned
    check_layout(page, "frames")
    page.get_by_role("button", name="Start", exact=True).click()
    rows = page.locator("#runs tbody tr")
    for row in range(2):
        playwright.expect(rows.nth(row)).to_contain_text("done")
    playwright.expect(page.locator(".weights svg")).to_have_count(2)
    check_page(page, "training")
    ticks = page.locator("#curves svg").first.locator("text[text-anchor=middle]").all_text_contents()
    assert [each for each in ticks if each != "epoch"] == ["1", "2"]


FILMS = {
    "tags": "model=tagger",
    "sounds": "model=en-g2p",
    "chart": "model=chart&text=the+old+man+saw+the+light+.",
    "stacks": "model=translator&text=heute+hat+der+mann+das+buch+gefunden+.",
}


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce", "color_scheme": "dark"}], indirect=True)
def test_axe_finds_nothing_in_films_of_other_tasks(page: Any, served: Served) -> None:
    for name, state in FILMS.items():
        go(page, served, f"view=beam&{state}")
        page.reload()
        page.wait_for_selector("svg.lattice")
        page.get_by_role("button", name="Take the guess for gold").click()
        page.wait_for_selector("table.methods")
        page.wait_for_load_state("networkidle")
        check_page(page, name)


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_an_exhibit_fits_a_phone_while_it_runs(page: Any, served: Served) -> None:
    go(page, served, "view=lesson&n=5")
    playwright.expect(page.locator(".told")).to_contain_text("fruit flies fly .")  # before anybody starts it
    page.get_by_role("button", name="Start", exact=True).click()
    playwright.expect(page.locator("#exhibit tbody tr")).to_have_count(8)
    page.get_by_role("button", name="Stop", exact=True).click()
    check_layout(page, "lesson 5")


def tab_to(page: Any, name: str) -> None:
    """Press Tab until what is called so has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if name == page.evaluate(NAME):
            return
    raise AssertionError(f"Tab does not lead to {name}")


NAME = """() => {
    const each = document.activeElement;
    return each.ariaLabel ?? (each.labels?.[0] ? each.labels[0].firstChild.textContent : each.textContent);
}"""


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_a_lesson_is_held_with_the_keyboard_alone(page: Any, served: Served) -> None:
    go(page, served, "view=beam")
    page.wait_for_selector("table.methods")
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    tab_to(page, "Sentence")
    page.keyboard.press("Control+A")
    page.keyboard.type("light , water and saw fell .")
    tab_to(page, "Model")
    page.keyboard.type("tagger")
    tab_to(page, "Gold tag of water")
    page.keyboard.type("JJ")
    playwright.expect(page.locator("table.methods")).to_be_visible()
    tab_to(page, "Teach it this")
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".taught")).to_contain_text("It has learned that")
    tab_to(page, "First step")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    playwright.expect(page.locator("output.count")).to_have_text("2 of 7")
    tab_to(page, "Lessons")
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_role("heading", level=1)).to_contain_text("A perceptron learns")
    tab_to(page, "Step")
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".told")).to_contain_text("Update 1")
    page.keyboard.press("PageDown")
    playwright.expect(page.get_by_role("heading", level=1)).to_contain_text("The best path")


def test_three_hundred_words_have_their_sentences_to_choose_from(page: Any, served: Served) -> None:
    go(page, served, f"view=beam&step=99&text={quote(PARAGRAPH)}")
    sentences = page.get_by_role("group", name="Sentences").get_by_role("button")
    playwright.expect(sentences).to_have_count(54)
    check_layout(page, "a paragraph")
    sentences.nth(1).click()
    playwright.expect(page.locator("svg.tree desc")).to_contain_text("horse")
    assert page.get_by_label("Sentence", exact=True).bounding_box()["height"] < 250
    page.get_by_label("Sentence", exact=True).fill("word " * 299)  # and one sentence of as many
    playwright.expect(page.get_by_role("alert")).to_contain_text("299 words where 256 are allowed")
    page.get_by_label("Sentence", exact=True).fill("word " * 200)
    playwright.expect(page.get_by_role("alert")).to_contain_text("a film has 1 to 60 words")
    playwright.expect(page.locator("svg.tree .wordtext")).to_have_count(200)
    check_layout(page, "two hundred words")


def test_an_address_that_somebody_has_garbled_is_no_end(page: Any, served: Served) -> None:
    text = "text=The+horse+fell."
    for state in (
        f"view=beam&{text}&step=3.5",
        f"view=beam&{text}&step=-5",
        f"view=beam&{text}&gold=5",
        f"view=beam&{text}&gold=[[1],[2]]",
        f"view=beam&{text}&gold={{}}",
        f"view=beam&model=tagger&{text}&gold=[null]",
        "view=train&compare=x&values=%3Cimg%3E&task=x",
        "view=__proto__&n=x",
    ):
        go(page, served, state)
        page.reload()
        page.wait_for_selector("main h1")
        page.wait_for_load_state("networkidle")
        if "view=beam" in state:  # drawn, or told in a sentence, and the page goes on
            assert page.locator("svg.lattice").count() or page.get_by_role("alert").text_content(), state
            page.get_by_label("Sentence", exact=True).fill("It fell.")
            page.wait_for_selector("svg.lattice")
