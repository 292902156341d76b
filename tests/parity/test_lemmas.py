"""The lemmas of known words: the engine finds what its definition finds, or leaves the word to it."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from structron import _core
from structron.tasks.lemmatisation import Known, LemmatisationTask
from structron.tasks.lemmatisation.scripts import parsed

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
    engine = _core.KnownLemmas(keys, numbers, [*map(parsed, scripts)])
    words = [("Dogs", "NOUN"), ("Dogs", "VERB"), ("é", "NOUN"), ("ü", "NOUN")]
    assert engine.lemmas(words, 1) == ["dog", None, ..., None]
