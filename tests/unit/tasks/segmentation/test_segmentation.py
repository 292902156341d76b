"""Units, labels, known tokens and the rules that split multiword tokens."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron import SettingError
from structron.segments.boundaries import Boundary, boundaries, known_as, rules, tokens_of
from structron.segments.units import cut
from structron.tasks.segmentation import MultiwordRules, SegmentationTask
from structron.tasks.segmentation.units.known_tokens import KnownTokens, look_up


def pieces(text: str, *alone: str) -> list[str]:
    return [text[begin:end] for begin, end, _ in cut(text, alone)]


def test_a_run_of_one_class_is_one_unit_and_every_mark_is_its_own() -> None:
    assert pieces("Don't pay $3.50 (now)!!") == [
        "Don", "'", "t", "pay", "$", "3", ".", "50", "(", "now", ")", "!", "!",
    ]  # fmt: skip
    assert pieces("1998年に東京で") == ["1998", "年に東京で"]
    assert pieces("1998年に東京で", "other") == ["1998", "年", "に", "東", "京", "で"]
    assert pieces("cafe\u0301s") == ["cafe\u0301s"], "an accent goes with its letter"


@st.composite
def segmented(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, int]]]:
    """A text, with tokens that cover all of it but the white space between them."""
    text = "".join(draw(st.lists(st.sampled_from(["ab", "c", "1", ".", " ", "中国", "\n"]), max_size=15)))
    tokens: list[tuple[int, int, int]] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        end = at + draw(st.integers(1, 4))
        form = text[at:end].rstrip()
        flags = 1 if not tokens else draw(st.integers(0, 3))
        tokens.append((at, at + len(form), flags))
        at += len(form)
    return text, tokens


@given(segmented(), st.booleans())
def test_labels_say_all_about_tokens_but_what_begins_inside_a_unit(
    given_: tuple[str, list[tuple[int, int, int]]], ends: bool
) -> None:
    text, tokens = given_
    units = cut(text)
    labels = boundaries(units, tokens, ends)
    assert [Boundary.parse(str(label)) for label in labels] == labels
    firsts = {unit.begin for unit in units}
    expected = [(b, e, flags if b in firsts else 0) for b, e, flags in tokens]
    assert tokens_of(units, labels) == expected


@given(segmented(), st.data())
def test_any_labels_leave_no_unit_out(
    given_: tuple[str, list[tuple[int, int, int]]], data: st.DataObject
) -> None:
    units = cut(given_[0])
    label = st.sampled_from(["J", "T", "S", "TM", "T:1", "J:9", "S:2,1"])
    labels = [Boundary.parse(data.draw(label)) for _ in units]
    tokens = tokens_of(units, labels)
    covered = [unit for unit in units if any(b <= unit.begin < e for b, e, _ in tokens)]
    assert covered == units and all(a[1] <= b[0] for a, b in itertools.pairwise(tokens))
    assert all(b < e for b, e, _ in tokens) and (not tokens or tokens[0][2] & 1)


def test_with_ends_only_whole_tokens_are_legal() -> None:
    labels = [Boundary.parse(label) for label in ("J", "JE", "T", "TE")]
    after, end = rules(labels)
    assert after is not None and end is not None
    assert [list(after[i : i + 4]) for i in range(0, 20, 4)] == [
        [1, 1, 0, 0],
        [0, 0, 1, 1],
        [1, 1, 0, 0],
        [0, 0, 1, 1],
        [0, 0, 1, 1],
    ]
    assert list(end) == [0, 1, 0, 1]
    with pytest.raises(SettingError, match="labels that say what ends need J, JE, T and TE; add them"):
        SegmentationTask(("T", "TE"), ("w[0]",))


def test_what_a_model_has_no_label_for_becomes_the_nearest() -> None:
    known = [Boundary.parse(label) for label in ("J", "S", "T", "TM")]
    for label, nearest in (("T:3", "T"), ("TM:1", "TM"), ("SM", "S"), ("S:1", "S")):
        assert str(known_as(Boundary.parse(label), known)) == nearest
    with pytest.raises(SettingError, match="label 'X' marks no boundary; write it like J, T, S, TM or T:2"):
        Boundary.parse("X")


def test_known_tokens_are_told_by_the_units_they_cover() -> None:
    seen = [(form, cut(form)) for form in ("U.S.", "U.S.", "e.g.", "10 000", "10 000")]
    known = KnownTokens.observed(seen)
    text = "U.S. e.g. 10 000"
    assert look_up(known, text, cut(text))[4:8] == ["400", "001", "001", "040"]
    assert look_up(known.seen(2), text, cut(text)) == [
        "400", "001", "001", "040", "000", "000", "000", "000", "200", "020",
    ]  # fmt: skip


ITALIAN = [("farlo", ["fare", "lo"]), ("dirlo", ["dire", "lo"]), ("del", ["di", "il"]), ("DEL", ["DI", "IL"])]


def test_multiword_tokens_are_split_as_seen_else_by_affix() -> None:
    learned = MultiwordRules.learned([*ITALIAN, ("don't", ["do", "n't"]), ("isn't", ["is", "n't"])])
    assert learned.split("del") == ("di", "il")
    assert learned.split("Del") == ("Di", "il"), "the case of the token is that of its words"
    assert learned.split("DEL") == ("DI", "IL")
    assert learned.split("Cantarlo") == ("Cantare", "lo")
    assert learned.split("WASN'T") == ("WAS", "N'T"), "plain pieces keep their own case"
    assert learned.split("xyz") == ("xyz",), "no rule, no words"
    prefixed = MultiwordRules.learned([("wkatab", ["w", "katab"]), ("wbayt", ["w", "bayt"])])
    assert prefixed.split("wnas") == ("w", "nas")
    assert MultiwordRules.restore(learned.arrays()) == learned


def test_a_token_teaches_the_rules_that_it_shares_with_others() -> None:
    learned = MultiwordRules.learned([("month's", ["month", "'s"]), ("dog's", ["dog", "'s"])])
    assert learned.split("monthly's") == ("monthly", "'s"), "not month, ly's"
    alone = MultiwordRules.learned([("wkatab", ["w", "katab"])])
    assert alone.split("wkalb") == ("w", "kalb"), "one that shares none teaches all of its own"


def test_tokens_that_never_were_one_word_are_certain() -> None:
    several = [("gotta", ["got", "ta"])] * 2 + [("id", ["i", "d"])] * 2 + [("dunno", ["du", "n", "no"])]
    learned = MultiwordRules.learned(several, ["Id", "card"])
    assert learned.certain == {"gotta", "Gotta", "GOTTA"}, "id is a word as well, and dunno was seen once"
    assert MultiwordRules.restore(learned.arrays()) == learned
    older = {name: values for name, values in learned.arrays().items() if "certain" not in name}
    assert not MultiwordRules.restore(older).certain


def test_templates_on_known_tokens_need_some() -> None:
    with pytest.raises(SettingError, match="a template reads a column that units do not have"):
        SegmentationTask(("S", "T"), ("w[0]", "p[0]"))
