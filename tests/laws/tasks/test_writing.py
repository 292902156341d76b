"""Raw text and tokens: one is made of the other and back, whatever the text."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from structron.tasks.translation.words.tokenisation import (
    AFTER,
    BEFORE,
    BLANK,
    JOINER,
    detokenise,
    detokenised,
    tokenise,
    tokenised,
)
from structron.tasks.translation.words.truecasing import Truecaser

TEXTS = st.text(
    st.one_of(
        st.sampled_from(" 'a’B.,1中あก\"-:&é\u0301/!?（」ß\u00a0\u200b"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=30,
).filter(lambda text: JOINER not in text and BLANK not in text)


@given(TEXTS, st.sampled_from([BEFORE, AFTER]))
@example("The U.S. isn't “3,5” km-long … l'homme (e.g. J. Smith's) http://a.b/c?d.", AFTER)
@example("我用Python编程。 你好 ประเทศ ไทย", BEFORE)
def test_tokens_give_back_the_text_with_single_blanks(text: str, apostrophes: str) -> None:
    tokens, places = tokenised(text, apostrophes)
    assert tokens == tokenise(text, apostrophes)
    found, again = detokenised(tokens)
    assert found == detokenise(tokens) == " ".join(text.split())
    assert again == places
    assert all(token and not any(map(str.isspace, token)) for token in tokens)


@given(st.lists(TEXTS, max_size=8))
def test_the_case_of_sentences_that_begin_high_comes_back(texts: list[str]) -> None:
    sentences = [tokenise(text[:1].upper() + text[1:]) for text in texts]
    caser = Truecaser.of(sentences)
    for tokens in sentences:
        low = caser.lowered(tokens)
        assert len(low) == len(tokens)
        assert [each.casefold() for each in low] == [each.casefold() for each in tokens]
        assert caser.lowered(low) == low or not caser.capitals


@given(TEXTS)
def test_words_between_blanks_stay_what_they_are(text: str) -> None:
    plain = " ".join("".join(c for c in word if c.isascii() and c.isalnum()) for word in text.split())
    assert tokenise(plain) == plain.split()
