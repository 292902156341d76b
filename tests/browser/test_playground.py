"""The playground in the system's chromium: every view, by mouse and by keyboard, narrow, dark and offline.

With SCREENSHOTS=FOLDER, pictures of the views are left there; `make test-browser SCREENSHOTS=docs/playground`
makes those of the documentation.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.browser.pages import NEEDS_CHROMIUM, PATIENCE, TOKEN, go, keep, playwright
from tests.serve.conftest import Served

pytestmark = NEEDS_CHROMIUM


def test_it_opens_alive_and_gold_falls_off(page: Any, served: Served) -> None:
    go(page, served, "")
    text = page.get_by_label("Sentence", exact=True)
    playwright.expect(text).to_have_value("The horse raced past the barn fell.")
    shown = page.locator("svg.tree path.arc:not(.head):not(.gold)")
    page.wait_for_selector("svg.lattice .column.now")
    early = shown.count()
    playwright.expect(page.locator(".falls")).to_contain_text("Gold falls off the beam")
    playwright.expect(page.locator("output.count")).to_have_text("16 of 16")
    assert shown.count() == 8 > early
    assert page.locator("svg.tree .arc.wrong").count() and page.locator("svg.tree .arc.gold").count()
    assert page.locator("svg.lattice .plate.lost").count()
    # Figure 3 is of this sentence: gold falls off on the ninth step; max-violation is on the eleventh.
    playwright.expect(page.locator("table.methods tbody tr")).to_have_count(5)
    last = page.locator("table.methods tbody tr").last
    playwright.expect(last).to_contain_text("max-violation11 (horse raced | fell)")
    assert page.locator(".figure3 .falltext").count() == 1 and page.locator(".figure3 .mark").count() == 3
    assert page.title() == "The beam · structron"
    keep(page, "sentence")


def test_a_sentence_is_parsed_as_it_is_typed_and_shared_by_its_address(page: Any, served: Served) -> None:
    go(page, served, "view=sentence&model=parser")  # a link of an earlier version
    page.wait_for_selector("svg.tree")
    page.get_by_label("Sentence", exact=True).fill("the old man saw the light .")
    desc = page.locator("svg.tree desc")
    playwright.expect(desc).to_contain_text("the depends on man as det")
    assert "token" not in page.url and "text=the+old+man" in page.url
    why = page.locator("section.why")
    page.get_by_role("button", name="Step back").click()
    playwright.expect(why).to_contain_text(re.compile(r"Why, on step \d+"))
    playwright.expect(why.locator("tbody tr").first).to_contain_text(re.compile(r"the (top of|next|second)"))
    assert why.locator("tbody tr").count() <= 10 and why.locator(".bar").count() >= 5
    keep(page, "why")
    page.get_by_label("Model").first.select_option("tagger")
    page.get_by_role("button", name="First step").click()
    playwright.expect(why).to_contain_text(re.compile(r"the: DT rather than .*, by [\d.]+"))
    playwright.expect(why).to_contain_text("the next word is “old”")
    page.get_by_label("Model").first.select_option("sounds")
    page.get_by_label("Sentence", exact=True).fill("phone")
    playwright.expect(page.get_by_label("The right output")).to_have_value(re.compile(r"^F [A-Z ]+$"))
    page.get_by_label("Sentence", exact=True).fill("")
    playwright.expect(page.locator(".stage")).to_have_text("Type something.")
    # More words than a film takes are still parsed; more than the server takes are refused.
    page.get_by_label("Model").first.select_option("en")
    page.get_by_label("Sentence", exact=True).fill("a " * 70)
    playwright.expect(page.get_by_role("alert")).to_contain_text("a film has 1 to 60 words")
    playwright.expect(desc).to_have_count(1)
    page.get_by_label("Sentence", exact=True).fill("a " * 300)
    playwright.expect(page.get_by_role("alert")).to_contain_text("words")
    # A long text does not become an address.
    page.get_by_label("Sentence", exact=True).fill("word " * 20_000)
    playwright.expect(page.locator("#said")).to_contain_text("too long for a link")
    assert len(page.url) < 200


def test_the_beam_is_stepped_by_keyboard_and_gold_is_chosen(page: Any, served: Served) -> None:
    go(page, served, "view=beam&model=tagger&text=light+,+water+and+saw+fell+.&step=0")
    count = page.locator("output.count")
    playwright.expect(count).to_have_text("1 of 7")
    page.get_by_role("button", name="Step forward").focus()
    page.keyboard.press("ArrowRight")
    playwright.expect(count).to_have_text("2 of 7")
    page.keyboard.press("End")
    playwright.expect(count).to_have_text("7 of 7")
    page.get_by_role("button", name="Step back").click()
    playwright.expect(count).to_have_text("6 of 7")
    page.wait_for_url("**step=5*")
    page.keyboard.press("ArrowDown")  # the second item
    page.get_by_text("The beam as a table").click()
    playwright.expect(page.locator("table.beam tr.chosen")).to_contain_text("2")
    page.get_by_role("button", name="Take the guess for gold").click()
    playwright.expect(page.locator("table.methods tbody tr").first).to_contain_text("none")
    page.get_by_label("Gold tag of water").select_option("NN")
    playwright.expect(page.locator("table.methods tbody tr").first).not_to_contain_text("none")
    page.get_by_label("Search").select_option("greedy")
    playwright.expect(page.locator("svg.lattice .column.now .plate")).to_have_count(2)  # and gold that fell
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    playwright.expect(page.get_by_label("Gold tag of water")).to_have_value("NN")
    page.get_by_role("button", name="No gold").click()
    playwright.expect(page.locator("table.methods")).to_have_count(0)


def test_words_to_sounds_are_a_film_too(page: Any, served: Served) -> None:
    go(page, served, "view=beam&model=sounds&text=knighting&step=0")
    page.wait_for_selector("svg.lattice")
    playwright.expect(page.get_by_label("The right output")).to_have_value("N AY T IH NG")
    page.get_by_role("button", name="Take the guess for gold").click()
    playwright.expect(page.locator("table.methods tbody tr").first).to_contain_text("none")
    page.get_by_label("The right output").fill("N AY IH NG")
    page.get_by_label("The right output").blur()
    playwright.expect(page.locator("table.methods tbody tr").first).not_to_contain_text("none")
    page.get_by_role("button", name="Last step").click()
    keep(page, "sounds")
    page.get_by_label("The right output").fill("NO SUCH SOUND")
    page.get_by_label("The right output").blur()
    playwright.expect(page.get_by_role("alert")).to_contain_text("no derivation yields the reference")
    page.get_by_label("Model").first.select_option("tagger")  # gold of another task is forgotten
    playwright.expect(page.get_by_label("Gold tag of light")).to_be_visible()


def drag(page: Any, child: int, head: int) -> None:
    """Draw an arc from a word to its head; leave the button pressed half-way, where the line is seen."""
    boxes = [page.locator(f"rect[data-word='{word}']").bounding_box() for word in (child, head)]
    (x, y), (to, _) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to) / 2, y - 20)
    page.mouse.move(to, y)


def test_arcs_are_dragged_right(page: Any, served: Served) -> None:
    go(page, served, "view=beam&model=parser&text=the+old+man+saw+the+light+.&step=13")
    page.wait_for_selector("rect.handle")
    drag(page, 1, 2)
    line = page.locator("svg path.drag")
    assert line.evaluate("each => getComputedStyle(each).fill") == "none"  # it was a black half-moon
    page.mouse.up()
    page.wait_for_selector("table.methods")
    assert json.loads(page.evaluate("new URLSearchParams(location.hash).get('gold')"))[0][0] == 2
    assert page.locator("svg.tree path.arc.wrong:not(.head)").count() == 1
    assert page.locator("svg.tree path.arc.gold:not(.head)").count() == 1
    keep(page, "arcs")
    page.get_by_text("Set heads and relations right from lists").click()
    page.get_by_label("Head of the").first.select_option("3 man")
    playwright.expect(page.locator("svg.tree .arc.wrong")).to_have_count(0)
    # Gold that crosses arcs is lifted, and the page says so.
    drag(page, 2, 6)
    page.mouse.up()
    playwright.expect(page.get_by_role("alert")).to_contain_text("Gold has crossing arcs")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the tree as SVG").click()
    held = download.value.path().read_text()
    assert (
        held.startswith("<svg")
        and "man" in held
        and 'stroke="rgb(' in held
        and "class=" not in held
        and "style=" not in held
    )
    wide, high = (round(2 * float(part)) for part in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', held)[0])
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the tree as PNG").click()
    png = download.value.path().read_bytes()
    assert png[:4] == b"\x89PNG" and abs(int.from_bytes(png[16:20], "big") - wide) <= 2
    assert abs(int.from_bytes(png[20:24], "big") - high) <= 2


def test_arabic_and_hebrew_run_from_right_to_left(page: Any, served: Served) -> None:
    go(page, served, "view=beam&model=en&step=99&text=")
    text, words = page.get_by_label("Sentence", exact=True), page.locator("svg.tree .wordtext:not(.rootword)")
    for said in (["ילדה", "קוראת", "ספר"], ["قرأ", "الولد", "الكتاب"]):
        text.fill(" ".join(said))
        playwright.expect(words).to_have_text(said)
        places = [box["x"] for box in (words.nth(i).bounding_box() for i in range(3))]
        assert places == sorted(places, reverse=True)
        assert text.evaluate("each => getComputedStyle(each).direction") == "rtl"


def test_who_is_on_a_control_stays_there_when_the_view_is_drawn_anew(page: Any, served: Served) -> None:
    go(page, served, "view=beam&model=parser&text=the+old+man+saw+the+light+.&step=3")
    lists = page.get_by_text("Set heads and relations right from lists")
    lists.focus()
    page.keyboard.press("Enter")
    second = page.get_by_label("Head of the").nth(1)  # there are two of the name
    second.focus()
    page.keyboard.press("4")  # another head, "saw": everything is drawn anew
    page.wait_for_selector("table.methods")
    playwright.expect(second).to_be_focused()
    page.keyboard.press("Tab")
    playwright.expect(page.get_by_label("Relation of the").nth(1)).to_be_focused()
    none = page.get_by_role("button", name="No gold")
    none.focus()
    page.keyboard.press("Enter")
    playwright.expect(none).to_be_disabled()
    assert page.evaluate("document.activeElement.closest('.stage') !== null")  # beside it
    page.get_by_role("button", name="Step forward").focus()
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_role("button", name="Step forward")).to_be_focused()
    # A lesson that is turned to from the end of another is read from its beginning.
    go(page, served, "view=lesson&n=1")
    page.get_by_role("link", name=re.compile("→$")).focus()
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_role("heading", level=1)).to_contain_text("The best path")
    playwright.expect(page.get_by_role("main")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_labels_with_blanks_and_markup_survive_a_link(page: Any, served: Served) -> None:
    gold = json.dumps(["N N", "<b>x</b>"])
    go(page, served, "view=beam&model=tagger&text=" + "%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+saw")
    page.wait_for_selector("svg.lattice")
    assert page.locator("main img").count() == 0
    found = page.evaluate(
        """async (text) => { const { read, written } = await import("/static/beam/gold.js");
        return written(read(text, "tags")); }""",
        gold,
    )
    assert json.loads(found) == json.loads(gold)


def test_methods_learn_side_by_side_and_the_model_is_downloaded(page: Any, served: Served) -> None:
    go(page, served, "view=train&sentences=60&epochs=3&task=parsing&values=standard,max_violation")
    page.get_by_role("button", name="Start", exact=True).click()
    rows = page.locator("#runs tbody tr")
    playwright.expect(rows).to_have_count(2)
    for row in range(2):
        playwright.expect(rows.nth(row)).to_contain_text("done")
    assert "max-violation" in (page.locator("#curves svg desc").first.text_content() or "")
    assert page.locator("#curves svg .cross").count()  # the standard update was invalid somewhere
    assert page.locator("#curves svg text").first.bounding_box()["height"] >= 12
    assert page.title() == "Training · structron"
    with page.expect_download() as download:
        rows.nth(0).get_by_role("button", name="Download the model").click()
    assert download.value.path().read_bytes()[8:9] == b"{"
    keep(page, "training")
    # The link has all that was chosen, and no token.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("latest").check()
    page.get_by_role("button", name="Copy a link to these settings").click()
    playwright.expect(page.locator("#said")).to_have_text("The link is in the clipboard.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url and "token" not in link
    other = page.context.new_page()
    go(other, served, link.partition("#")[2])
    playwright.expect(other.get_by_label("latest")).to_be_checked()
    playwright.expect(other.get_by_label("Sentences")).to_have_value("60")
    other.close()
    rows.nth(0).get_by_role("link", name="see its beam").click()
    page.wait_for_selector("svg.lattice")


def test_a_training_is_paused_stepped_and_ends_with_its_view(page: Any, served: Served) -> None:
    go(page, served, "view=train&sentences=2000&epochs=100&task=tagging&values=early")
    page.get_by_role("button", name="Start", exact=True).click()
    row = page.locator("#runs tbody tr")
    # On a busy machine the page may show an epoch before it has shown how many examples there are.
    playwright.expect(row).to_contain_text(re.compile("examples|epoch"))
    page.get_by_role("button", name="Pause").click()
    playwright.expect(row).to_contain_text("paused before")
    first = row.locator("q").text_content()
    page.get_by_role("button", name="Step one example").click()
    playwright.expect(row.locator("q")).not_to_have_text(first or "")
    with page.expect_popup() as popup:
        row.get_by_role("link", name="see its beam").click()
    popup.value.close()
    page.get_by_role("button", name="Go on").click()
    playwright.expect(row).to_contain_text("epoch 1")
    page.get_by_role("link", name="The beam").click()
    page.wait_for_selector("svg.tree")
    # Nothing runs on: places are free for the next who comes.
    page.wait_for_function(
        """async (token) => !(await (await fetch("/play/lessons",
        { headers: { Authorization: "Bearer " + token } })).json()).lessons.length""",
        arg=TOKEN,
        polling=200,
    )


def test_a_file_that_cannot_be_learned_from_is_told_and_nothing_else_is_learned(
    page: Any, served: Served
) -> None:
    go(page, served, "view=train&task=tagging&values=early")
    field, said = page.get_by_label("Your own file"), page.locator("#said")
    start, told = page.get_by_role("button", name="Start", exact=True), page.locator("main > .note")
    for name, held, message in (
        ("latin.txt", b"\xe9t\xe9/NN\n", "latin.txt is not UTF-8"),
        ("empty.txt", b" \n", "empty.txt is empty"),
        ("big.txt", b"a/N\n" * 300_000, "The file is larger than 900 kB"),
    ):
        field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": held})
        playwright.expect(said).to_contain_text(message)
        assert field.input_value() == ""
        start.click()
        playwright.expect(told).to_contain_text("Nothing is learned until you choose")
    assert page.locator("#runs").count() == 0
    page.get_by_role("button", name="Made-up data instead").click()
    for name, value in (("Sentences", ""), ("Sentences", "-3"), ("Epochs", "100000")):
        page.get_by_label(name, exact=True).fill(value)
        start.click()
        playwright.expect(page.locator("#runs")).to_contain_text(f"{name.lower()}: give a whole number")
        page.get_by_label(name, exact=True).fill("20")
    for name, held in (("x.bin", bytes(range(128))), ("x.txt", b"no data")):
        field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": held})
        playwright.expect(said).to_contain_text(f"{name} will be learned from")
        start.click()
        playwright.expect(page.locator("#runs")).to_contain_text("give CoNLL-U, columns or word/tag lines")


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_motion_is_off_where_the_system_or_somebody_says_so(page: Any, served: Served) -> None:
    go(page, served, "view=beam")
    playwright.expect(page.locator("output.count")).to_have_text("16 of 16")  # at once
    assert page.evaluate("document.getAnimations().length") == 0
    page.get_by_role("button", name="Motion").click()
    assert page.evaluate("document.documentElement.dataset.motion") == "on"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.motion") == "on"


def test_a_server_that_is_gone_is_told_and_nothing_seems_to_go_on(browser: Any) -> None:
    """On a page of its own: what a browser cannot reach it tells on its console, too."""
    own = Served("--playground")
    opened = browser.new_page()
    opened.set_default_timeout(PATIENCE)
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    go(opened, own, "view=train&sentences=2000&epochs=100")
    opened.get_by_role("button", name="Start", exact=True).click()
    told = opened.locator("#runs tbody tr")
    playwright.expect(told.nth(1)).to_contain_text("epoch")
    own.kill()
    for run in range(2):
        playwright.expect(told.nth(run)).to_contain_text("the server does not answer; is it still running?")
    playwright.expect(opened.get_by_role("button", name="Start", exact=True)).to_be_enabled()
    opened.get_by_role("link", name="The beam").click()
    playwright.expect(opened.get_by_role("alert")).to_contain_text("the server does not answer")
    opened.close()
    assert not faults
