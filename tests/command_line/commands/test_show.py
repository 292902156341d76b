"""`show` says what is in the beam, where gold falls off, and where each method would update."""

from __future__ import annotations

import click
import numpy as np

from structron.cli.draw.beams import Drawing, choices
from structron.reference import Item, Trace


def falling() -> Trace:
    """Two steps in a beam of two, gold falls off on the second, and would win on the third."""
    beams = [
        [Item(None, 3.0, 1, -1, -1, False, 3.0), Item(None, 2.0, 0, -1, -1, True, 2.0)],
        [Item(None, 6.0, 1, 0, 0, False, 3.0), Item(None, 5.0, 0, 0, 0, False, 2.0)],
        [Item(None, 7.0, 1, 0, 1, False, 1.0), Item(None, 6.5, 1, 1, 1, False, 1.5)],
    ]
    golds = [
        [Item(None, 2.0, 0, -1, -1, True, 2.0)],
        [Item(None, 4.0, 0, 0, 0, True, 2.0)],
        [Item(None, 9.0, 0, 0, 1, True, 5.0)],
    ]
    return Trace(None, None, beams, golds, np.array([True, False, False]))  # type: ignore[arg-type]


def test_each_method_with_its_row_and_its_verdict():
    found = {choice.method: (choice.row, choice.excess, choice.valid) for choice in choices(falling())}
    assert found == {
        "standard": (2, -2.0, False),
        "early": (1, 2.0, True),
        "hybrid": (1, 2.0, True),
        "latest": (1, 2.0, True),
        "max-violation": (1, 2.0, True),
    }


def test_gold_is_seen_in_the_beam_then_falling_then_winning():
    drawing = Drawing(falling(), ["one", "two", "three"], ["A", "B"], ["A", "A", "A"])
    steps = [click.unstyle(line) for line in drawing.steps()]
    assert steps[0] == "step 1  one"
    assert steps[2].split() == ["2", "●", "2.00", "A", "gold,", "1.00", "behind", "the", "best"]
    assert "step 2  two  ◀ early, hybrid, latest, max-violation" in steps
    assert any(
        "4.00  A A   gold falls off the beam: excess +2.00, 1.00 below the last" in line for line in steps
    )
    assert any("9.00  A A A   gold, off the beam, would now win by 2.00" in line for line in steps)
    overview = [click.unstyle(line) for line in drawing.overview()]
    assert "gold falls off  ◀ early" in overview[2] and "standard (invalid)" in overview[3]
    summary = [click.unstyle(line) for line in drawing.summary()]
    assert "invalid" in summary[1] and summary[2].endswith("valid") and "+2.00" in summary[2]


def test_words_with_tags_a_file_and_gold_give_the_same_picture(run, folder, models):
    line = (folder / "dev.txt").read_text().splitlines()[2]
    words = " ".join(token.rpartition("/")[0] for token in line.split())
    tags = " ".join(token.rpartition("/")[2] for token in line.split())
    tagged = run("show", models["slash"], line, "--search", "beam:2").stdout
    assert tagged == run("show", models["slash"], words, "--gold", tags, "--search", "beam:2").stdout
    from_file = run(
        "show", models["slash"], "--input", folder / "dev.txt", "--sentence", 3, "--search", "beam:2"
    )
    assert tagged == from_file.stdout
    assert tagged.count("\nstep ") == len(line.split()) + 1  # the overview's head as well
    for method in ("standard", "early", "hybrid", "latest", "max-violation"):
        assert f"\n{method} " in tagged
    assert "\x1b" not in tagged


def test_without_gold_there_is_the_beam_alone(run, models):
    page = run("show", models["slash"], "the dog ran .", "--top", 2).stdout
    assert "step 4  ." in page and "gold" not in page and "… and 2 more" in page
    assert (
        run("show", models["slash"], "the/DT dog/NN ran/VBD ./.", "--no-steps").stdout.count("\nstep ") == 1
    )


def test_a_model_with_columns_is_shown_from_a_file(run, folder, models):
    page = run(
        "show", models["chunks"], "--input", folder / "chunks.txt", "--sentence", 2, "--search", "exact"
    ).stdout
    assert page.startswith("words  she")
    assert "B-NP" in page and "gold is best" in page
