"""``structron align --bitext``: links of parallel text, learned or taken from others."""

from __future__ import annotations

import numpy as np
import pytest

GERMAN = {
    "haus": "house",
    "buch": "book",
    "mann": "man",
    "hund": "dog",
    "ein": "a",
    "das": "the",
    "rot": "red",
}


@pytest.fixture(scope="module")
def bitext(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bitext")
    random = np.random.default_rng(3)
    sources = [list(random.choice(list(GERMAN), random.integers(2, 6), replace=False)) for _ in range(80)]
    sources[5] = []
    (folder / "de").write_text("".join(" ".join(s) + "\n" for s in sources))
    # Neighbours change places now and then, so that order alone says too little.
    targets = [[GERMAN[w] for w in s] for s in sources]
    for target in targets[::4]:
        target[:2] = reversed(target[:2])
    (folder / "en").write_text("".join(" ".join(t) + "\n" for t in targets))
    gold = [[(i, t.index(GERMAN[w])) for i, w in enumerate(s)] for s, t in zip(sources, targets)]
    return folder, gold


def test_links_are_found_whatever_the_threads(run, bitext, tmp_path):
    folder, gold = bitext
    done = run("align", "--bitext", folder / "de", folder / "en", "-o", tmp_path / "links")
    lines = (tmp_path / "links").read_text().splitlines()
    found = [[tuple(map(int, link.split("-"))) for link in line.split()] for line in lines]
    assert len(found) == len(gold) and lines[5] == ""
    assert all(set(a) <= set(b) for a, b in zip(found, gold))
    assert sum(map(len, found)) > 0.9 * sum(map(len, gold))
    assert "80 pairs" in done.stderr and "1 pair with an empty side" in done.stderr
    again = run("align", "--bitext", folder / "de", folder / "en", "--threads", 3).stdout
    assert again.splitlines() == lines
    fewer = run("align", "--bitext", folder / "de", folder / "en", "--symmetrise", "intersection").stdout
    assert len(fewer.split()) <= len(again.split())


def test_long_sentences_are_passed_by_and_counted(run, tmp_path):
    (tmp_path / "s").write_text("a b\n" * 3 + "a " * 501 + "\n")
    (tmp_path / "t").write_text("x y\n" * 3 + "x\n")
    done = run("align", "--bitext", tmp_path / "s", tmp_path / "t")
    assert done.stdout == "0-0 1-1\n" * 3 + "\n"
    assert "4 pairs, 6 links; 1 pair of more than 500 words passed by" in done.stderr


def test_links_of_others_are_symmetrised(run, tmp_path):
    (tmp_path / "s").write_text("a b\n\n")
    (tmp_path / "t").write_text("x y\nz\n")
    (tmp_path / "forth").write_text("0-0 1-1\n\n")
    (tmp_path / "back").write_text("0-0 1-0\n\n")
    args = (
        "align",
        "--bitext",
        tmp_path / "s",
        tmp_path / "t",
        "--links",
        tmp_path / "forth",
        tmp_path / "back",
    )
    assert run(*args, "--symmetrise", "union").stdout == "0-0 1-0 1-1\n\n"
    assert run(*args, "--symmetrise", "intersection").stdout == "0-0\n\n"
    (tmp_path / "back").write_text("0-2\n\n")
    assert "back:1: the link 0-2 is outside of a pair of 2 and 2 words" in run(*args, check=1).stderr


def test_what_is_wrong_is_one_sentence(run, bitext, tmp_path):
    folder, _ = bitext
    (tmp_path / "short").write_text("x\n")
    told = run("align", "--bitext", folder / "de", tmp_path / "short", check=1).stderr
    assert "de: it has 80 lines and" in told and "short has 1; give two files" in told
    told = run("align", "--bitext", tmp_path / "short", tmp_path / "none", check=1).stderr
    assert "none:" in told and "Traceback" not in told
    (tmp_path / "empty").write_text("\n")
    told = run("align", "--bitext", tmp_path / "short", tmp_path / "empty", check=1).stderr
    assert "there are no sentences to align" in told
    assert (
        "--min-count means nothing together with --bitext"
        in run("align", "--bitext", folder / "de", folder / "en", "--min-count", 2, check=2).stderr
    )
    assert "--threads means nothing without --bitext" in run("align", "x.tsv", "--threads", 2, check=2).stderr
    assert "Missing argument 'PAIRS|-', or --bitext SRC TGT" in run("align", check=2).stderr
    told = run("align", "--bitext", folder / "de", folder / "en", "-o", folder / "en", check=1).stderr
    assert "would overwrite --bitext" in told
