"""The lemmas of known words: the engine finds what its definition finds, or leaves the word to it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from structron import _core
from structron.tasks.lemmatisation import Known, LemmatisationTask
from structron.tasks.lemmatisation.scripts import parse_script

FORMS = st.text("abAB.é中ß", min_size=1, max_size=4)
WORDS = st.tuples(FORMS, st.sampled_from("NV"), st.sampled_from(["_", "x=y"]))
SCRIPTS = ("l0+|1+", "c0+|0+", "u1+b|0+", "k0+a|1+é", "=be", "=", "c0+é|1+", "l2+|2+", "none at all")


@given(
    st.lists(st.tuples(WORDS, st.sampled_from(SCRIPTS)), max_size=12),
    st.lists(WORDS, max_size=12),
    st.integers(0, 2),
)
@example([(("Ab", "N", "_"), "=")], [("Ab", "N", "_"), ("Ab", "N", "x=y"), ("é", "V", "_")], 0)
def test_known_lemmas_are_equal(
    seen: list[tuple[tuple[str, ...], str]], others: list[tuple[str, ...]], least: int
) -> None:
    task = LemmatisationTask(("",), ("bias",), known=Known.observed(seen, least), least_tags=least)
    words = [word for word, _ in seen] + others
    assert task.known_lemmas(words) == [task.known_lemma(word) for word in words]


def test_ascii_is_answered_by_the_engine() -> None:
    keys, numbers, scripts = Known.observed([(("Dogs", "NOUN"), "l0+|1+"), (("é", "NOUN"), "k0+|0+")])
    engine = _core.KnownLemmas(keys, numbers, [*map(parse_script, scripts)])
    words = [("Dogs", "NOUN"), ("Dogs", "VERB"), ("é", "NOUN"), ("ü", "NOUN")]
    assert engine.lemmas(words, 1) == ["dog", None, ..., None]


@given(
    st.lists(st.lists(st.tuples(FORMS, st.sampled_from("NV"))), max_size=6), st.integers(0, 3), st.booleans()
)
def test_what_is_remembered_is_what_was_found(
    sentences: list[list[tuple[str, str]]], most: int, columns: bool
) -> None:
    memory, asked = _core.LemmaMemory(most), []

    def find(words: list[tuple[str, ...]]) -> list[str]:
        asked.append(words)
        return ["/".join(word) for word in words]

    xs = [_core.TokenColumns(tuple(map(list, zip(*x)))) if columns and x else x for x in sentences]
    expected = [["/".join(word) for word in x] for x in sentences]
    for _ in range(3):
        assert memory.lemmas(xs, 2, find) == expected
    assert all(len(set(words)) == len(words) for words in asked)
    distinct = {word for x in sentences for word in x}
    assert len(asked) == (0 if not distinct else 1 if len(distinct) <= most else 3)


def test_an_error_leaves_the_memory_as_it_was() -> None:
    memory = _core.LemmaMemory(9)

    def fails(words: list[tuple[str, ...]]) -> list[str]:
        raise KeyError(words[0])

    for wrong, error in ((fails, KeyError), (lambda words: [], ValueError)):
        with pytest.raises(error):
            memory.lemmas([[("a", "N")]], 2, wrong)
    assert memory.lemmas([[("a", "N")]], 2, lambda words: ["b"]) == [["b"]]
