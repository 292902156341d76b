"""Every view looks as it did: stored pictures, small and grey, at three widths in both themes.

``PICTURES=1 make test-browser`` stores them anew, after somebody has looked at what changed. Every machine
has fonts of its own, and these move lines: here the page has those that come with matplotlib.
What holds with any fonts is asked before: nothing leaves its place, and no words stand on others.
"""

from __future__ import annotations

import base64
import io
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import matplotlib
import numpy as np
import pytest
from PIL import Image

from tests.browser.pages import NEEDS_CHROMIUM, check_layout, go
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
    | {"bypass_csp": True}
    for width in (1440, 800, 390)
    for scheme in ("light", "dark")
]


FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
FAMILIES = (("sans", "DejaVuSans"), ("serif", "DejaVuSerif"), ("mono", "DejaVuSansMono"))
STYLES = (
    ("", "normal", "normal"),
    ("-Bold", "bold", "normal"),
    ("-Oblique", "normal", "italic"),
    ("-Italic", "normal", "italic"),
)
SAME = """
body, input, select, textarea, button, svg text { font-family: test-sans !important; }
h1, h2, h3, .lead, .brand, .prose, .prose *, .told, .told *, .duel, .duel *, q {
    font-family: test-serif !important;
}
pre, code { font-family: test-mono !important; }
"""


def faces() -> str:
    """The fonts as rules of a style sheet."""
    return "".join(
        f"@font-face {{ font-family: test-{family}; font-weight: {weight}; font-style: {style};"
        f" src: url(data:font/ttf;base64,{base64.b64encode(file.read_bytes()).decode()}); }}\n"
        for family, name in FAMILIES
        for ending, weight, style in STYLES
        if (file := FONTS / f"{name}{ending}.ttf").exists()
    )


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


def look(page: Any, served: Served, view: str) -> None:
    """Show a view, and wait until all of it has come."""
    state, ready = VIEWS[view]
    go(page, served, state)
    page.reload()
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)  # what waits until nobody steps any more has come


@pytest.mark.parametrize(
    "page", SIZES, indirect=True, ids=lambda size: f"{size['viewport']['width']}-{size['color_scheme']}"
)
def test_every_view_looks_as_it_did(page: Any, served: Served, request: pytest.FixtureRequest) -> None:
    size = request.node.callspec.id
    STORED.mkdir(exist_ok=True)
    changed, rules = [], faces() + SAME
    for view in VIEWS:
        look(page, served, view)
        check_layout(page, f"{view}, {size}")
        page.add_style_tag(content=rules)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(400)
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
