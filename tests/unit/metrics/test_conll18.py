"""The table of CoNLL 2018: the official script gives the same, whatever was cut how."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io import Sentence, read, write
from structron.metrics.conll18 import ROWS, conll18, table_of

RELATIONS = ["nsubj", "obj", "nsubj:pass", "aux", "case", "det", "punct", "conj", "cc"]
FEATS = ["_", "Number=Sing", "Case=Nom|Number=Plur", "Own=Yes", "Own=Yes|Tense=Past"]


def analysis(text: str, draw: random.Random) -> str:
    """Some CoNLL-U of a text: cut anywhere, with multiword tokens, and a tree for each sentence."""
    lines, at = [], 0
    while at < len(text):
        rows, count = [], 0
        end = min(len(text), at + draw.randint(1, 9))
        while at < end:
            size = min(draw.randint(1, 3), end - at)
            form = text[at : at + size]
            at += size
            inner = draw.choice([1, 1, 2, 3])
            if inner > 1:
                rows.append([f"{count + 1}-{count + inner}", form, *["_"] * 8])
            for _ in range(inner):
                count += 1
                word = form if inner == 1 else draw.choice(["a", "B", "b", form])
                rows.append([str(count), word, draw.choice("abc_"), draw.choice("NV"), draw.choice("nv")])
                rows[-1] += [draw.choice(FEATS), "", "", "_", "_"]
            if draw.random() < 0.1:
                rows.append([f"{count}.1", "empty", *["_"] * 8])
        words = [row for row in rows if row[0].isdecimal()]
        order = draw.sample(range(1, count + 1), count)  # each hangs on one before it: never a cycle
        for i, word in enumerate(order):
            words[word - 1][6] = str(draw.choice(order[:i])) if i else "0"
            words[word - 1][7] = draw.choice(RELATIONS) if i else "root"
        lines += ["\t".join(row) for row in rows] + [""]
    return "\n".join(lines) + "\n"


def sentences(text: str) -> list[Sentence]:
    return list(read(io.StringIO(text), format="conllu"))


def official(gold: str, system: str) -> dict[str, tuple[object, ...]]:
    udeval = pytest.importorskip("udtools.udeval")
    found = udeval.evaluate(*(udeval.load_conllu(io.StringIO(text), "text", {}) for text in (gold, system)))
    return {
        name: (
            found[name].precision,
            found[name].recall,
            found[name].f1,
            found[name].aligned_accuracy or None,
        )
        for name in ROWS
    }


def ours(gold: str, system: str) -> dict[str, tuple[object, ...]]:
    return {
        name: (share.precision, share.recall, share.f1, share.aligned_accuracy or None)
        for name, share in conll18(sentences(gold), sentences(system)).items()
    }


@given(st.text("abAB", min_size=1, max_size=60), st.integers(0, 2**32))
def test_the_official_script_gives_the_same_for_any_two_analyses(text: str, seed: int) -> None:
    draw = random.Random(seed)
    gold, system = analysis(text, draw), analysis(text, draw)
    assert ours(gold, system) == official(gold, system)
    assert set(list(zip(*ours(gold, gold).values()))[2]) <= {0.0, 1.0}, "0: there is no word of content"


ROW = "{}\t{}\t{}\tX\t_\t_\t{}\t{}\t_\t_\n"


def made(*rows: tuple[object, ...]) -> list[Sentence]:
    return sentences("".join(ROW.format(*row) for row in rows) + "\n")


def test_texts_that_differ_are_refused_with_where() -> None:
    gold = made((1, "one", "one", 0, "root"), (2, "two", "two", 1, "obj"))
    other = made((1, "one", "one", 0, "root"), (2, "tow", "two", 1, "obj"))
    with pytest.raises(DataError, match=r":2: the text goes on with 'ow' where gold \(.*:2\) has 'wo'; comp"):
        conll18(gold, other)
    with pytest.raises(DataError, match=r"goes on with 'the end' where gold .* has 'two'"):
        conll18(gold, gold[:0] + made((1, "one", "one", 0, "root")))
    with pytest.raises(DataError, match="the beginning: the text goes on with 'the end'"):
        conll18(gold, [])


def test_what_is_no_tree_is_refused() -> None:
    gold = made((1, "one", "one", 0, "root"), (2, "two", "two", 1, "obj"))
    with pytest.raises(DataError, match="words 1 and 2 both have head 0"):
        conll18(gold, made((1, "one", "one", 0, "root"), (2, "two", "two", 0, "root")))
    with pytest.raises(DataError, match="words 1 and 2 form a cycle"):
        conll18(
            gold, made((1, "on", "one", 2, "dep"), (2, "et", "two", 1, "dep"), (3, "wo", "two", 0, "root"))
        )
    with pytest.raises(DataError, match="nothing but blanks"):
        conll18(gold, made((1, "\u00a0", "one", 0, "root")))


def test_a_blank_inside_a_word_is_no_character_and_an_unknown_lemma_is_right() -> None:
    gold = made((1, "10\u00a0000", "_", 0, "root"))
    shares = conll18(gold, made((1, "10000", "ten", 0, "root")))
    assert all(share.f1 == 1.0 for share in shares.values())
    assert table_of(shares)[1].split() == ["Tokens", "100.00", "100.00", "100.00"]
    assert table_of(shares)[-1].split() == ["BLEX", *["100.00"] * 4]


def test_what_is_written_is_what_was_scored() -> None:
    text = analysis("abcabcabc", random.Random(3))
    out = io.StringIO()
    write(sentences(text), out)
    assert set(ours(text, out.getvalue())["Words"][:3]) == {1.0}
