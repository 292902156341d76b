"""Every view looks as it did: stored pictures, small and grey, at three widths in both themes.

``PICTURES=1 make test-browser`` stores them anew, after somebody has looked at what changed. They are of
Debian's chromium and its usual fonts; other fonts move lines, and then they are to be stored anew, too.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image

from tests.browser.pages import NEEDS_CHROMIUM, go
from tests.serve.conftest import Served

pytestmark = NEEDS_CHROMIUM

STORED = Path(__file__).parent / "pictures"
SCALE, BLOCK = 4, 24  # how much smaller, and the side of a block of the small picture
MEAN, WORST, LONGER = 1.5, 12.0, 0.01  # of 255 grey levels on average, in the worst block; of the height
CHART = "the old man saw the light with her dog ."
TREE = '[[3,3,4,0,6,4,9,9,4,4],["det","amod","nsubj","root","det","obj","case","nmod:poss","obl","punct"]]'
STACKS = "heute hat der alte mann das buch gefunden ."
RIGHT = '"today the old man has found the book ."'
VIEWS = {
    "beam": ("view=beam", ".why h2"),
    "chart": (f"view=beam&model=chart&text={quote(CHART)}&gold={quote(TREE)}&step=24", "svg.chartcells"),
    "stacks": (f"view=beam&model=translator&text={quote(STACKS)}&gold={quote(RIGHT)}&step=6", ".why h2"),
    "perceptron": ("view=lesson&n=1", "svg.plane"),
    "greedy": ("view=lesson&n=3", "svg.tree"),
    "training": ("view=train", "fieldset"),
}
SIZES = [
    {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "reduced_motion": "reduce"}
    for width in (1440, 800, 390)
    for scheme in ("light", "dark")
]


def small(page: Any) -> Image.Image:
    """The whole page, small and grey."""
    shown = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("L")
    return shown.resize((shown.width // SCALE, shown.height // SCALE), Image.Resampling.BOX)


def difference(now: Image.Image, then: Image.Image) -> tuple[float, float]:
    """How far two pictures are apart on average, and in the block where it is most."""
    height = min(now.height, then.height)
    a, b = (np.asarray(each, dtype=np.float64)[:height] for each in (now, then))
    apart = np.abs(a - b)
    rows, columns = (max(1, size // BLOCK) for size in apart.shape)
    blocks = [
        part.mean() for row in np.array_split(apart, rows) for part in np.array_split(row, columns, axis=1)
    ]
    return float(apart.mean()), float(max(blocks))


@pytest.mark.parametrize(
    "page", SIZES, indirect=True, ids=lambda size: f"{size['viewport']['width']}-{size['color_scheme']}"
)
def test_every_view_looks_as_it_did(page: Any, served: Served, request: pytest.FixtureRequest) -> None:
    size = request.node.callspec.id
    STORED.mkdir(exist_ok=True)
    changed = []
    for view, (state, ready) in VIEWS.items():
        go(page, served, state)
        page.reload()
        page.wait_for_selector(ready)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(400)  # what waits until nobody steps any more has come
        place, now = STORED / f"{view}-{size}.png", small(page)
        if os.environ.get("PICTURES"):
            now.quantize(32).save(place, optimize=True)
            continue
        then = Image.open(place).convert("L")
        mean, worst = difference(now, then)
        is_same = abs(now.height - then.height) <= LONGER * then.height and now.width == then.width
        if not is_same or mean > MEAN or worst > WORST:
            changed.append(f"{view}: {now.size} and {then.size}, {mean:.1f} apart, {worst:.1f} in a block")
    assert not changed, (changed, "look at them; PICTURES=1 make test-browser stores them anew")


def test_a_card_that_is_gone_would_be_seen(page: Any, served: Served) -> None:
    go(page, served, "view=lesson&n=1")
    page.wait_for_selector("svg.plane")
    before = small(page)
    page.evaluate("document.querySelector('.todo').style.visibility = 'hidden'")
    mean, worst = difference(small(page), before)
    assert mean > MEAN or worst > WORST
