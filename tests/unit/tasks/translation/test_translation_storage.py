"""Language models and phrase tables come out of a model file as they went in, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron.alignment.bitext import BitextAligner
from structron.alignment.vocabulary import Vocabulary
from structron.errors import ModelError
from structron.io.model_file.archive import read_archive, write_archive
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.language_model.estimation import engine_of, language_model_of
from structron.tasks.translation.phrases.table import ARRAYS, PhraseExtractor, PhraseTable
from structron.tasks.translation.storage import pack_ngrams, pack_phrases, unpack_ngrams, unpack_phrases

SOURCES = [text.split() for text in ("das haus", "das buch", "ein buch", "ein ö\0\u00a0haus")]
TARGETS = [text.split() for text in ("the house", "the book", "a book", "a house")]


@pytest.fixture(scope="module")
def model() -> NGrams:
    return language_model_of(TARGETS, 3)


@pytest.fixture(scope="module")
def table() -> PhraseTable:
    links = BitextAligner().align(SOURCES, TARGETS)
    vocabularies = Vocabulary.of(SOURCES), Vocabulary.of(TARGETS)
    numbered = vocabularies[0].number(SOURCES), vocabularies[1].number(TARGETS)
    return PhraseExtractor(least=1).extract(*numbered, links, vocabularies).table


def test_what_is_stored_comes_back(model: NGrams, table: PhraseTable, tmp_path: Path) -> None:
    write_archive(tmp_path / "m", {}, pack_ngrams("lm", model) | pack_phrases("phrases", table))
    _, arrays = read_archive(tmp_path / "m")
    again, phrases = unpack_ngrams(arrays, "lm"), unpack_phrases(arrays, "phrases")
    assert again.vocabulary == model.vocabulary and list(again.each()) == list(model.each())
    assert list(phrases.each()) == list(table.each())
    assert (phrases.source_vocabulary, phrases.target_vocabulary) == (
        table.source_vocabulary,
        table.target_vocabulary,
    )
    for name in ARRAYS:
        assert getattr(phrases, name).dtype == getattr(table, name).dtype
    assert engine_of(again).begin() == engine_of(model).begin()


def test_arrays_that_are_missing_or_wrong_are_refused(model: NGrams, table: PhraseTable) -> None:
    for arrays, unpack in (
        (pack_ngrams("x", model), unpack_ngrams),
        (pack_phrases("x", table), unpack_phrases),
    ):
        for name, array in arrays.items():
            wrongs: list[Any] = [None, array[:-1], array.astype(np.complex64), array.reshape(1, -1)]
            for wrong in wrongs:
                changed = {k: v for k, v in {**arrays, name: wrong}.items() if v is not None}
                with pytest.raises(ModelError):
                    unpack(changed, "x")


def test_a_model_that_is_no_tree_is_refused(model: NGrams) -> None:
    first = model.first.copy()
    first[4] = 10**6
    with pytest.raises(ModelError, match=r"its language model is damaged \(.*\); train or fetch it again"):
        engine_of(replace(model, first=first))
