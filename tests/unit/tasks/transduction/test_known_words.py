"""Known words: what they tell about others, that it is learned, and that files keep it."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from structron import Transducer, _core
from structron.errors import ModelError, SettingError
from structron.tasks.transduction import TransductionTask
from structron.tasks.transduction.features import ALIKE, parse
from structron.tasks.transduction.words.known_words import Hint, KnownWords


def cut(word: str, sounds: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Pieces, as in `cut("p+h o n e", "F OW N _")`."""
    return [
        (tuple(source.split("+")), () if target == "_" else (target,))
        for source, target in zip(word.split(), sounds.split())
    ]


PHONE = cut("p+h o n e", "F OW N _")
KNOWN = KnownWords.of([cut("p+h o n y", "F OW N IY"), PHONE, cut("s t o n e", "S T OW N _")])


def test_the_word_with_the_longest_beginning_and_the_longest_end_are_asked() -> None:
    hints = KNOWN.hints("phones")
    assert [begin and begin.piece for begin, _ in hints] == [PHONE[0], None, *PHONE[1:], None]
    assert hints[0][0] == Hint(PHONE[0], 3, ("s",), whole=True)
    assert hints[4][0] == Hint(PHONE[3], 0, ("s",), whole=True)
    assert not any(end for _, end in hints)
    ends = [end for _, end in KNOWN.hints("cone")]
    assert ends == [None, *(Hint(piece, n, ("c",), whole=False) for n, piece in enumerate(PHONE[1:]))]


def test_it_is_told_which_words_are_alike() -> None:
    begin, end = KNOWN.alike("phones")
    assert begin is not None and ("".join(begin.word), begin.shared) == ("phone", 5)
    assert end is None and KNOWN.alike("ph") == (None, None)


def test_of_several_the_shortest_is_taken_and_then_the_first() -> None:
    first, second = cut("a b c x", "A _ C X"), cut("a b c y", "A B C Y")
    known = KnownWords.of([cut("a b c d e", "A B C D E"), second, first])
    assert known.hints("abcz")[1][0] == Hint(first[1], 1, ("z",), whole=False)


def test_a_word_tells_nothing_about_itself_and_a_pair_must_be_in_common() -> None:
    assert KnownWords.of([PHONE]).hints("phone") == [(None, None)] * 5
    assert [begin and begin.piece for begin, _ in KNOWN.hints("phone")][:4] == [PHONE[0], None, *PHONE[1:3]]
    other = KnownWords.of([cut("b e a+t", "B IY T")]).hints("bead")
    assert [begin is not None for begin, _ in other] == [True, True, False, False]
    assert KNOWN.hints("ph") == [(None, None)] * 2 and KNOWN.hints("") == []


def test_a_long_rest_is_not_told() -> None:
    hints = KNOWN.hints("phonetics")
    assert hints[0][0] is not None and hints[0][0].rest is None and hints[0][0].whole


def stems(count: int) -> dict[str, str]:
    """Words whose vowels are read in one of two ways, and nothing but knowing them tells in which."""
    draw = np.random.default_rng(1)
    found: dict[str, str] = {}
    while len(found) < count:
        word = "".join(draw.choice(list("bdfgklmnprst"), 4))
        word = f"{word[0]}a{word[1:3]}o{word[3]}"
        found.setdefault(word, " ".join(c + str(draw.integers(2)) if c in "ao" else c for c in word))
    return found


def test_what_cannot_be_known_from_letters_is_read_as_in_the_stem() -> None:
    known = list(stems(400).items())
    plural = [(f"{word}z", f"{sounds} z") for word, sounds in known]
    train, test = known + plural[:200], plural[200:]
    right = {
        more: Transducer(templates=["s[-1] s[0] s[1]", *templates], combine="none", epochs=5)
        .fit(*map(list, zip(*train)))
        .score(*map(list, zip(*test)))
        for more, templates in (("alike", ALIKE), ("letters", []))
    }
    assert right["alike"] > 0.95 and right["letters"] < 0.6


@pytest.fixture(scope="module")
def learned() -> Transducer:
    known = stems(60)
    return Transducer(templates=["s[0]", "emit t[-1]", *ALIKE], epochs=2, combine="none").fit(
        list(known), list(known.values())
    )


def test_a_file_keeps_them(learned: Transducer, tmp_path: Path) -> None:
    known = learned.model_.task.known_words
    assert known is not None and len(known.lengths) == 60
    words = [f"{word}s" for word in stems(80)]
    learned.save(tmp_path / "model")
    again = Transducer.load(tmp_path / "model")
    assert again.model_.task == learned.model_.task
    assert hash(again.model_.task.known_words) == hash(known)
    assert again.predict_kbest(words, 3) == learned.predict_kbest(words, 3)
    task = learned.model_.task
    assert pickle.loads(pickle.dumps(task)) == task


@pytest.mark.parametrize(
    ("name", "value"),
    [("known.numbers", 60_000), ("known.lengths", 9), ("known.by_end", 60), ("known.source.lengths", 0)],
)
def test_arrays_that_do_not_fit_are_refused(learned: Transducer, name: str, value: int) -> None:
    task = learned.model_.task
    arrays = {each: np.array(values) for each, values in task.arrays().items()}
    arrays[name] = np.full(len(arrays[name]), value, np.uint16)
    with pytest.raises(ModelError):
        TransductionTask.restore(task.header(), arrays)


def test_pieces_that_no_aligner_makes_are_refused(learned: Transducer) -> None:
    # Few of them, named often, would be more than memory holds.
    known = KnownWords.of([[(tuple("abcdefghijklmnop"), ("x",))]])
    with pytest.raises(ModelError, match="known words"):
        KnownWords.restore(known.arrays())
    with pytest.raises(ValueError, match="too many"):
        _core.KnownWords(*known.packed)


def test_they_are_kept_only_where_templates_ask_for_them(learned: Transducer) -> None:
    known = stems(60)
    words, sounds = list(known), list(known.values())
    assert Transducer(templates="fast", epochs=1).fit(words, sounds).model_.task.known_words is None
    # Pieces that are given were cut of no words that are known.
    pieces = [(pair.source, pair.target) for pair in learned.model_.task.pairs]
    given = Transducer(templates=["s[0]", *ALIKE], combine="none").partial_fit(words, sounds, pairs=pieces)
    assert given.model_.task.known_words is None
    assert len(given.predict(words)) == len(words)


@pytest.mark.parametrize("text", ["begin t[-1]", "end_rest again", "begin tv[-1]", "begin[0]", "begin_most"])
def test_templates_that_are_not_possible_are_refused(text: str) -> None:
    with pytest.raises(SettingError, match="template"):
        parse(text)
