"""The grammar of templates: what is read, what is refused in one sentence, what presets hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.features import PRESETS, columns_read, keys_at, order_of, parse, parse_all
from structron.features.atoms import AFFIXES, ASPECTS

OFFSETS = st.integers(-32, 32)
ATOMS = st.one_of(
    st.builds("{}[{}]".format, st.sampled_from([x for x in ASPECTS if x not in AFFIXES]), OFFSETS),
    st.builds("{}({})[{}]".format, st.sampled_from(AFFIXES), st.integers(1, 64), OFFSETS),
    st.builds("col({})[{}]".format, st.integers(0, 255), OFFSETS),
    st.sampled_from(["bias", "p[0]", "t[-1]", "t[-2]", "w[+1]"]),
)


@given(st.lists(ATOMS, min_size=1, max_size=5), st.sampled_from([" ", "  ", "\t", " \n "]))
def test_blanks_between_atoms_do_not_matter(atoms: list[str], blank: str) -> None:
    once = parse(blank + blank.join(atoms) + blank)
    assert once.text == " ".join(atoms)
    assert parse(once.text) == once


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a template is empty"),
        ("  ", "a template is empty"),
        ("w", "cannot read 'w'"),
        ("w[]", "cannot read"),
        ("w[0", "cannot read"),
        ("w[0]w[1]", "cannot read"),
        ("w[1.5]", "cannot read"),
        ("W[0]", "cannot read"),
        ("w[٣]", "cannot read"),
        ("suffix(٣)[0]", "cannot read"),
        ("w[0]; import os", "cannot read 'w.0.;'"),
        ("word[0]", "there is no 'word'; the atoms are w, lower"),
        ("w[33]", "offset 33 is too far"),
        ("w[-33]", "offset -33 is too far"),
        ("w[" + "9" * 5000 + "]", "cannot read"),
        ("suffix[0]", "suffix needs a length from 1 to 64"),
        ("suffix(0)[0]", "suffix needs a length from 1 to 64"),
        ("prefix(65)[0]", "prefix needs a length from 1 to 64"),
        ("prefix(" + "9" * 5000 + ")[0]", "cannot read"),
        ("suffix(-1)[0]", "cannot read"),
        ("w(3)[0]", "w takes no number in brackets"),
        ("p(3)[0]", "p takes no number in brackets"),
        ("word(3)[0]", "there is no 'word'"),
        ("col[0]", "col needs the number of a column, as in col.2..0."),
        ("col(256)[0]", "column 256 is too far; stay within 0 to 255"),
        ("col(4000000000)[0]", "cannot read|too far"),
        ("t[0]", "tags are known at -1 and -2 only"),
        ("t[1]", "tags are known at -1 and -2 only"),
        ("t[-3]", "tags are known at -1 and -2 only"),
        ("t(1)[-1]", "t takes no number in brackets"),
        ("bias[0]", "there is no 'bias'"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(SettingError, match=said) as caught:
        parse(text)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("what", [None, 3, b"w[0]", ["w[0]"]])
def test_a_template_is_text(what: object) -> None:
    with pytest.raises(SettingError, match="is not text"):
        parse(what)  # type: ignore[arg-type]


def test_the_same_template_twice_is_refused() -> None:
    with pytest.raises(SettingError, match="given twice"):
        parse_all(["w[0]", "t[-1]", " w[0]"])


def test_presets_can_be_read_and_look_no_further_than_they_should() -> None:
    columns = {"pos": 1, "chunk": 2, "ner": 1, "ner_pos": 2, "characters": 1, "ready": 1}
    for name, texts in PRESETS.items():
        templates = parse_all(texts)
        assert [t.text for t in templates] == texts
        assert columns_read(templates) == columns[name]
        assert order_of(templates) == 2
        assert all(abs(a.offset) <= 2 for t in templates for a in t.atoms)


def test_order_and_columns_of_templates() -> None:
    assert order_of([]) == order_of(parse_all(["w[0]"])) == 0
    assert order_of(parse_all(["w[0]", "t[-1]"])) == 1
    assert order_of(parse_all(["t[-2]"])) == 2
    assert columns_read([]) == 1
    assert columns_read(parse_all(["col(4)[0]", "p[1]"])) == 5


@given(st.lists(st.text(max_size=5), min_size=1, max_size=4), st.integers(0, 3), st.integers(0, 5))
def test_keys_are_64_bits_whatever_the_words(words: list[str], t1: int, t2: int) -> None:
    words = [w.encode("utf-8", "ignore").decode() for w in words]
    tokens = [(w, w[:1]) for w in words]
    for name in PRESETS:
        for i in range(len(words)):
            assert all(0 < key < 2**64 for key in keys_at(parse_all(PRESETS[name]), tokens, i, t1, t2))
