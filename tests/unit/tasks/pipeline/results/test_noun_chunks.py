"""Noun chunks: what belongs to a noun, and what does not, in trees written by hand."""

from __future__ import annotations

import pytest

from structron.io import Format, Sentence
from structron.tasks.pipeline.document import AnalysedSentence, Document


def sentence(*words: str) -> AnalysedSentence:
    """A sentence of words like ``form/UPOS/head/deprel``."""
    rows = []
    for i, word in enumerate(words, 1):
        form, upos, head, label = word.rsplit("/", 3)
        rows.append([str(i), form, "_", upos, "_", "_", head, label, "_", "_"])
    return AnalysedSentence(Sentence(rows, Format("conllu")))


def chunks(*words: str) -> list[str]:
    return [chunk.text for chunk in sentence(*words).noun_chunks]


def test_what_stands_before_a_noun_belongs_to_it_and_a_preposition_does_not() -> None:
    assert chunks(
        "the/DET/3/det", "old/ADJ/3/amod", "man/NOUN/4/nsubj", "sat/VERB/0/root", "in/ADP/7/case",
        "his/PRON/7/nmod:poss", "chair/NOUN/4/obl", "./PUNCT/4/punct",
    ) == ["the old man", "his chair"]  # fmt: skip


def test_a_name_is_one_chunk_and_an_owner_is_part_of_what_is_owned() -> None:
    found = sentence(
        "John/PROPN/3/nsubj", "Smith/PROPN/1/flat", "saw/VERB/0/root", "the/DET/5/det",
        "king/NOUN/8/nmod:poss",
        "'s/PART/5/case", "big/ADJ/8/amod", "dog/NOUN/3/obj",
    ).noun_chunks  # fmt: skip
    assert [chunk.text for chunk in found] == ["John Smith", "the king 's big dog"]
    assert [chunk.root.form for chunk in found] == ["John", "dog"] and len(found[1]) == 5


def test_a_predicate_noun_leaves_its_subject_and_copula_outside() -> None:
    assert chunks(
        "He/PRON/5/nsubj", "is/AUX/5/cop", "not/PART/5/advmod", "a/DET/5/det", "man/NOUN/0/root",
        "who/PRON/7/nsubj", "runs/VERB/5/acl:relcl",
    ) == ["He", "a man", "who"]  # fmt: skip


def test_a_comma_between_adjectives_is_inside_and_one_before_them_is_not() -> None:
    assert chunks(
        "so/ADV/7/advmod", ",/PUNCT/7/punct", "big/ADJ/5/amod", ",/PUNCT/5/punct", "cats/NOUN/7/nsubj",
        "quickly/ADV/7/advmod", "ran/VERB/0/root",
    ) == ["big , cats"]  # fmt: skip


def test_without_a_tree_there_are_none_and_a_warning_says_why() -> None:
    rows = [["1", "dog", "_", "NOUN", "_", "_", "_", "_", "_", "_"]]
    with pytest.warns(UserWarning, match="there are no trees and so no noun chunks"):
        assert Document.of_rows([Sentence(rows, Format("conllu"))]).noun_chunks == []


def test_documents_and_sentences_are_sequences() -> None:
    one, two = sentence("a/DET/2/det", "dog/NOUN/0/root"), sentence("it/PRON/0/root")
    document = Document([one, two])
    assert document[0] is one and document[-1] is two and len(document) == 2 and list(document) == [one, two]
    assert isinstance(document[:1], Document) and document[1:].sentences == [two]
    assert one[1].form == "dog" and [word.form for word in one[:]] == ["a", "dog"]
    with pytest.raises(IndexError):
        document[2]
