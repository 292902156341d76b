"""The playground in the system's chromium: every view, by mouse and by keyboard, narrow, dark and offline.

With SCREENSHOTS=FOLDER, pictures of the views are left there; `make test-browser SCREENSHOTS=docs/playground`
makes those of the documentation.
"""

from __future__ import annotations

import io
import os
import re
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
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no chromium on this machine; install it to run these"
)
TOKEN = "a token & more"


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
    assert not faults and not elsewhere


def is_fault(message: Any) -> bool:
    """What the console says in red; but that a request was refused, the page tells itself."""
    return message.type == "error" and "the server responded with a status of 4" not in message.text


def go(page: Any, served: Served, state: str) -> None:
    page.goto(f"http://127.0.0.1:{served.port}/#token={TOKEN.replace(' ', '+').replace('&', '%26')}&{state}")


def keep(page: Any, name: str) -> None:
    """A small picture of the page, if somebody wants it."""
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        return
    from PIL import Image  # matplotlib brings it

    shown = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    shown.convert("RGB").quantize(48).save(Path(folder) / f"{name}.png", optimize=True)


def test_a_sentence_is_shown_as_it_is_typed_and_shared_by_its_address(page: Any, served: Served) -> None:
    go(page, served, "view=sentence&model=parser")
    page.wait_for_selector("#found svg")
    page.get_by_label("Sentence").fill("the old man saw the light .")
    playwright.expect(page.locator("#found svg desc")).to_contain_text("the depends on man as det")
    assert page.locator("#found .word").all_inner_texts()[0].split() == ["the", "DT"]
    keep(page, "sentence")
    assert "token" not in page.url and "text=the+old+man" in page.url
    why = page.locator(".why")
    page.locator("#found .word").nth(3).hover()
    playwright.expect(why).to_contain_text("saw")
    playwright.expect(why.locator("li").first).to_contain_text(re.compile(r"\w=.* -?\d"))
    keep(page, "why")
    page.get_by_label("Model").select_option("tagger")
    page.locator("#found .word").nth(4).focus()  # the second "the"
    playwright.expect(why).to_contain_text(re.compile(r"the: DT and not .*, by [\d.]+"))
    playwright.expect(why).to_contain_text("lower[-1]=saw")
    page.get_by_label("Model").select_option("sounds")
    page.get_by_label("Sentence").fill("phone")
    # Of this word, and not of the sentence before.
    playwright.expect(page.locator(".output")).to_have_text(re.compile(r"^F [A-Z ]+$"))
    page.locator(".output strong").hover()
    playwright.expect(why).to_contain_text(re.compile(r"s\[-?\d\]="))
    page.get_by_label("Sentence").fill("")
    playwright.expect(page.locator("#found")).to_have_text("Type something.")
    page.get_by_label("Model").select_option("tagger")
    page.get_by_label("Sentence").fill("a " * 300)
    playwright.expect(page.get_by_role("alert")).to_contain_text("300 words where 256 are allowed")


def test_the_beam_is_a_film_and_gold_is_clicked_right(page: Any, served: Served) -> None:
    go(page, served, "view=film&model=tagger")
    page.wait_for_selector("table.methods")
    heading = page.get_by_role("heading", level=2)
    playwright.expect(heading.nth(1)).to_contain_text("Step 1 of 7: light")
    page.get_by_role("button", name="Step forward").focus()
    page.keyboard.press("ArrowRight")
    playwright.expect(heading.nth(1)).to_contain_text("Step 2 of 7")
    page.get_by_role("button", name="Last step").press("Enter")
    playwright.expect(heading.nth(1)).to_contain_text("Step 7 of 7")
    page.get_by_role("button", name="Step back").click()
    playwright.expect(heading.nth(1)).to_contain_text("Step 6 of 7")
    keep(page, "film")
    assert "step=5" in page.url
    page.get_by_role("button", name="Take the guess for gold").click()
    playwright.expect(page.locator("table.methods tbody tr").first).to_contain_text("none")
    page.get_by_label("Gold tag of water").select_option("NN")
    playwright.expect(page.locator("table.methods tbody tr").first).not_to_contain_text("none")
    page.get_by_label("Search").select_option("greedy")
    playwright.expect(page.locator("table.beam tbody tr")).to_have_count(
        2
    )  # the one item, and gold that fell
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    playwright.expect(page.get_by_label("Gold tag of water")).to_have_value("NN")
    page.get_by_role("button", name="No gold").click()
    playwright.expect(page.locator("table.methods")).to_have_count(0)


def test_words_to_sounds_are_a_film_too(page: Any, served: Served) -> None:
    go(page, served, "view=film&model=sounds&text=knighting")
    page.wait_for_selector("table.beam")
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
    playwright.expect(page.get_by_text("Click the tags right")).to_be_visible()


def test_arcs_are_dragged_right(page: Any, served: Served) -> None:
    go(page, served, "view=film&model=parser&text=the+old+man+saw+the+light+.")
    page.wait_for_selector("rect.handle")
    boxes = [page.locator(f"rect[data-word='{word}']").bounding_box() for word in (1, 2)]
    (x, y), (to, _) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to) / 2, y - 20)
    page.mouse.move(to, y)
    page.mouse.up()
    page.wait_for_selector("table.methods")
    assert "gold=2%3Adet" in page.url
    assert page.locator("path.arc.wrong").count() == 1
    keep(page, "arcs")
    page.get_by_text("Heads and relations as lists").click()
    page.get_by_label("Head of the").first.select_option("3 man")
    playwright.expect(page.locator("path.arc.wrong")).to_have_count(0)


def test_two_settings_learn_side_by_side_and_the_model_is_downloaded(page: Any, served: Served) -> None:
    go(page, served, "view=train&sentences=60&epochs=3&a.search=greedy&b.search=beam:4")
    page.wait_for_selector("#curves svg")
    page.get_by_role("button", name="Start both").click()
    for side in ("a", "b"):
        playwright.expect(page.locator(f"fieldset.{side}")).to_contain_text(
            "The model is lesson-", timeout=60_000
        )
    assert page.locator("#curves svg desc").first.text_content().count("setting") == 2
    with page.expect_download() as download:
        page.locator("fieldset.a").get_by_role("button", name="Download the model").click()
    assert download.value.path().read_bytes()[8:9] == b"{"
    # The link has all that was chosen, and no token.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("fieldset.b").get_by_label("Update").select_option("early")
    page.get_by_role("button", name="Copy a link to these settings").click()
    playwright.expect(page.locator("#said")).to_have_text("The link is in the clipboard.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url and "token" not in link
    other = page.context.new_page()
    go(other, served, link.partition("#")[2])
    playwright.expect(other.locator("fieldset.b").get_by_label("Update")).to_have_value("early")
    playwright.expect(other.get_by_label("Sentences")).to_have_value("60")
    other.close()
    page.get_by_role("button", name="Start the exhibit").click()
    playwright.expect(page.locator("#exhibit tbody tr")).to_have_count(8, timeout=60_000)
    playwright.expect(page.locator("#exhibit tbody tr").last).to_contain_text("invalid")
    keep(page, "training")
    page.get_by_label("Exhibit").get_by_role("button", name="Stop").click()
    page.get_by_label("Exhibit").get_by_label("Update").select_option("early")
    page.get_by_label("Exhibit").get_by_label("Example").select_option("time")
    page.get_by_role("button", name="Start the exhibit").click()
    playwright.expect(page.get_by_label("Exhibit")).to_contain_text(
        "It has converged after 2 updates", timeout=60_000
    )
    page.locator("fieldset.a").get_by_role("link", name="see its beam").click()
    page.wait_for_selector("table.beam")
    # Another task, a training that is stopped, and a file of one's own that is none.
    go(page, served, "view=train&sentences=30&epochs=1&task=transduction")
    page.wait_for_selector("#curves svg")
    page.locator("fieldset.a").get_by_role("button", name="Start", exact=True).click()
    playwright.expect(page.locator("fieldset.a")).to_contain_text("The model is lesson-", timeout=60_000)
    go(page, served, "view=train&sentences=2000&epochs=100")
    page.wait_for_selector("#curves svg")
    page.locator("fieldset.a").get_by_role("button", name="Start", exact=True).click()
    page.locator("fieldset.a").get_by_role("button", name="Stop").click()
    playwright.expect(page.locator("fieldset.a")).to_contain_text("Stopped.", timeout=60_000)
    files = page.locator("input[type=file]")
    files.set_input_files({"name": "big.txt", "mimeType": "text/plain", "buffer": b"a/N\n" * 300_000})
    playwright.expect(page.locator("#said")).to_contain_text("The file is larger than 900 kB")
    page.locator("fieldset.b").get_by_role("button", name="Start", exact=True).click()
    playwright.expect(page.locator("fieldset.b")).to_contain_text("Nothing is learned until you choose")
    page.get_by_role("button", name="Made-up data instead").click()
    for name, value in (("Sentences", ""), ("Sentences", "-3"), ("Epochs", "100000")):
        page.get_by_label(name, exact=True).fill(value)
        page.locator("fieldset.b").get_by_role("button", name="Start", exact=True).click()
        playwright.expect(page.locator("fieldset.b")).to_contain_text(f"{name.lower()}: give a whole number")
        page.get_by_label(name, exact=True).fill("20")
    files.set_input_files({"name": "x.bin", "mimeType": "text/plain", "buffer": bytes(range(128))})
    page.locator("fieldset.b").get_by_role("button", name="Start", exact=True).click()
    playwright.expect(page.locator("fieldset.b")).to_contain_text("give CoNLL-U, columns or word/tag lines")
    files.set_input_files({"name": "x.txt", "mimeType": "text/plain", "buffer": b"no data"})
    playwright.expect(page.locator("#said")).to_contain_text("x.txt will be learned from")
    page.locator("fieldset.b").get_by_role("button", name="Start", exact=True).click()
    playwright.expect(page.locator("fieldset.b")).to_contain_text("give CoNLL-U, columns or word/tag lines")


NARROW = {"viewport": {"width": 360, "height": 700}, "color_scheme": "dark"}


@pytest.mark.parametrize("page", [NARROW], indirect=True)
def test_narrow_dark_and_named_for_screen_readers(page: Any, served: Served) -> None:
    for view, ready in (("sentence", "#found svg"), ("film", "table.beam"), ("train", "#curves svg")):
        go(page, served, f"view={view}")
        page.reload()
        page.wait_for_selector(ready)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)"
        unnamed = page.evaluate(
            """[...document.querySelectorAll('main input, main select, main textarea, main button')]
            .filter((each) => !each.labels?.length && !each.ariaLabel && !each.textContent.trim()).length"""
        )
        assert unnamed == 0 and page.locator("main h1").count() == 1
        assert page.locator("nav a[aria-current=page]").count() == 1
        assert page.locator("main svg[role=img] > title").count() == page.locator("main svg").count()
        if view == "film":
            keep(page, "narrow")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.goto(f"http://127.0.0.1:{served.port}/docs")
    page.get_by_role("heading", name="POST /predict", exact=True).wait_for()
    keep(page, "http")
    page.get_by_role("link", name="The playground").click()
    page.wait_for_url(f"http://127.0.0.1:{served.port}/**")
    playwright.expect(page.get_by_role("link", name="A sentence")).to_be_visible()


def test_a_file_that_cannot_be_learned_from_is_told_at_once(page: Any, served: Served) -> None:
    go(page, served, "view=train")
    field, said = page.get_by_label("Your own file"), page.locator("#said")
    for name, held, told in (
        ("latin.txt", b"\xe9t\xe9/NN\n", "latin.txt is not UTF-8"),
        ("empty.txt", b" \n", "empty.txt is empty"),
    ):
        field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": held})
        playwright.expect(said).to_contain_text(told)
        assert field.input_value() == ""


def test_a_server_that_is_gone_is_told_and_nothing_seems_to_go_on(browser: Any) -> None:
    """On a page of its own: what a browser cannot reach it tells on its console, too."""
    own = Served("--playground")
    opened = browser.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    go(opened, own, "view=train&sentences=2000&epochs=100")
    opened.get_by_role("button", name="Start both").click()
    told = opened.locator("fieldset .note")
    playwright.expect(told.nth(1)).to_contain_text("Epoch", timeout=30_000)
    own.kill()
    for side in range(2):
        playwright.expect(told.nth(side)).to_have_text("the server does not answer; is it still running?")
        playwright.expect(opened.get_by_role("button", name="Start", exact=True).nth(side)).to_be_enabled()
    opened.get_by_role("link", name="A sentence").click()
    playwright.expect(opened.get_by_role("alert")).to_contain_text("the server does not answer")
    opened.close()
    assert not faults
