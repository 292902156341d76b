"""The page without a server: the engine in WebAssembly is the engine, and recordings are played."""

from __future__ import annotations

import functools
import importlib.util
import json
import struct
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron.engine.rows import Rows
from structron.model import Model
from structron.reference import METHODS
from structron.search import parse_search
from structron.serve.play.beams import SHOWN
from structron.tasks.parsing.features.presets import PARSING_PRESETS
from structron.tasks.parsing.transitions.task import ParsingTask
from tests.browser.pages import NEEDS_CHROMIUM, PATIENCE, playwright

pytestmark = NEEDS_CHROMIUM
WEB = Path(__file__).parents[2] / "web"
SENTENCES = ("The horse raced past the barn fell.", "She didn't know what he'd said, did she?", "Go!")


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, as `make docs` makes it."""
    spec = importlib.util.spec_from_file_location("site_of_web", WEB / "site.py")
    assert spec is not None and spec.loader is not None
    site = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(site)
    folder = tmp_path_factory.mktemp("web") / "live"
    site.main(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def opened(browser: Any, live: str) -> Iterator[Any]:
    """A page that asks for nothing from elsewhere, and whose scripts do not fail."""
    page, faults = browser.new_page(viewport={"width": 1000, "height": 800}, reduced_motion="reduce"), []
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "request", lambda asked: None if asked.url.startswith((live, "blob:")) else faults.append(asked.url)
    )
    yield page
    page.close()
    assert not faults


def native() -> Model[Any]:
    """The page's model for the engine as it is installed, from the file that the page reads."""
    about, data = (
        json.loads((WEB / "built" / "parser.json").read_text("utf-8")),
        (WEB / "built" / "parser.bin").read_bytes(),
    )
    _, _, _, single, _, actions = struct.unpack_from("<6I", data)
    at = 24 + 8 * actions
    (templates,) = struct.unpack_from("<I", data, at)
    at += 4
    for _ in range(templates):
        at += 12 + 48 * struct.unpack_from("<I", data, at + 8)[0]
    rows, cells, scale = struct.unpack_from("<2If", data, at)
    at += 12
    parts = []
    for kind, count in (("<u8", rows), (np.uint8, rows), (np.uint8, cells), (np.int8, cells)):
        parts.append(np.frombuffer(data, kind, count, at))
        at += parts[-1].nbytes
    assert at == len(data)
    keys, lengths, columns, steps = parts
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint32)
    weights = np.float32(scale) * steps.astype(np.float32)
    task = ParsingTask(
        tuple(about["labels"]),
        tuple(about["actions"]),
        tuple(PARSING_PRESETS["fast_tags"]),
        single_root=bool(single),
    )
    return Model(
        task,
        Rows(keys.astype(np.uint64), offsets, columns.astype(np.uint32), weights),
        parse_search("beam:8"),
    )


FILM = """async ([input, gold, search]) => {
    const { post, get } = await import("./static/server.js");
    await get("/play/state");
    return post("/play/film", { model: "english", input, gold, search });
}"""


def test_webassembly_finds_what_the_engine_finds(opened: Any, live: str) -> None:
    opened.goto(live)
    opened.wait_for_selector("svg.lattice")
    model = native()
    for search in ("greedy", "beam:2", "beam:16"):
        for text in SENTENCES:
            free = opened.evaluate(FILM, [text, None, search])
            tokens = list(zip(free["words"], free["tags"]))
            turned = {
                "heads": [0, *([1] * (len(tokens) - 1))],
                "relations": ["root", *(["dep"] * (len(tokens) - 1))],
            }
            for gold in (None, turned):
                found = opened.evaluate(FILM, [text, gold, search])
                trace = model.trace(tokens, gold and (gold["heads"], gold["relations"]), parse_search(search))
                assert [[item["score"] for item in step["items"]] for step in found["steps"]] == [
                    [item.score for item in row][:16] for row in trace.beams
                ]
                names = model.task.transitions
                for step in range(len(trace.beams)):
                    path = [names[action] for action in trace.path(step, 0).actions]
                    assert found["steps"][step]["items"][0]["path"] == path
                if gold:
                    assert [step["goldScore"] for step in found["steps"]] == trace.gold_score.tolist()
                    assert [step["inBeam"] for step in found["steps"]] == trace.gold_in_beam.tolist()
                    assert [each["step"] for each in found["methods"]] == [
                        METHODS[name](trace) for name in SHOWN
                    ]
    free = opened.evaluate(FILM, [SENTENCES[1], None, "beam:8"])
    ((heads, labels),) = model.predict([list(zip(free["words"], free["tags"]))])
    assert free["words"] == ["She", "did", "n't", "know", "what", "he", "'d", "said", ",", "did", "she", "?"]
    assert (free["guess"]["heads"], free["guess"]["relations"]) == (list(heads), list(labels))


def test_it_opens_alive_and_parses_what_is_typed(opened: Any, live: str) -> None:
    opened.goto(live)
    playwright.expect(opened.locator("table.methods")).to_contain_text("invalid: gold already scores more")
    assert not opened.get_by_role("link", name="Training").is_visible()
    opened.get_by_label("Sentence", exact=True).fill("The old man the boats.")
    playwright.expect(opened.locator("svg.tree desc")).to_contain_text("boats")
    opened.get_by_text("Set heads and relations right from lists").click()
    opened.get_by_label("Head of old").select_option("3 man")
    opened.get_by_label("Head of man").select_option("2 old")
    playwright.expect(opened.get_by_role("alert")).to_contain_text("go round in a circle")
    opened.get_by_label("Sentence", exact=True).fill("word " * 61)
    playwright.expect(opened.get_by_role("alert")).to_contain_text("a film has 1 to 60 words")


def test_lessons_play_what_was_recorded(opened: Any, live: str) -> None:
    opened.goto(f"{live}#view=lesson&n=4")
    opened.get_by_role("button", name="Start the three").click()
    playwright.expect(opened.locator(".told")).to_contain_text("updates were invalid")
    opened.get_by_label("Search").select_option("beam:16")
    opened.get_by_role("button", name="Start the three").click()
    playwright.expect(opened.get_by_role("alert")).to_contain_text("This page has no server")
    opened.goto(f"{live}#view=lesson&n=5")
    opened.reload()
    opened.get_by_role("button", name="Start", exact=True).click()
    playwright.expect(opened.locator("#exhibit")).to_contain_text("invalid")
    opened.goto(f"{live}#view=lesson&n=6")
    opened.reload()
    playwright.expect(opened.locator(".told")).to_contain_text("still lead to the right sounds")
    opened.goto(f"{live}#view=lesson&n=3")
    opened.reload()
    playwright.expect(opened.locator(".told")).to_contain_text("Greedy search lost a tree")
