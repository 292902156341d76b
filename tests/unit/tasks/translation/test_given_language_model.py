"""Language models that a translator is given: in ARPA format, or another translator's."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron import Tagger
from structron.alignment.vocabulary import Vocabulary
from structron.errors import DataError, ModelError
from structron.io.formats.arpa import write_arpa
from structron.tasks.translation import Translator
from structron.tasks.translation.language_model.estimation import estimate_ngrams
from tests.unit.tasks.translation.test_translator import DEV_PAIR, SOURCES, TARGETS, TRAIN


@pytest.fixture(scope="module")
def fitted() -> Translator:
    return Translator(tuning=3).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR)


def test_a_translator_lends_its_language_model(fitted: Translator, tmp_path: Path) -> None:
    place = tmp_path / "other.model"
    fitted.save(place)
    few = SOURCES[TRAIN][:20], TARGETS[TRAIN][:20]
    for system in ("phrases", "hiero"):
        made = Translator(tuning=0, system=system, language_model=place).fit(*few)
        lent, own = made.model_.task.language_model, fitted.model_.task.language_model
        assert lent.vocabulary == own.vocabulary and lent.sizes.tolist() == own.sizes.tolist()
        assert made.predict(few[0][:1])
    Tagger(epochs=1).fit([["a"]], [["X"]]).save(place)
    with pytest.raises(ModelError, match="a model for tagging has no language model"):
        Translator(language_model=place).fit(*few)
    with pytest.raises(DataError, match=r"none.model: no such file"):
        Translator(language_model=tmp_path / "none.model").fit(*few)


def test_a_language_model_may_come_from_a_file(fitted: Translator, tmp_path: Path) -> None:
    place = tmp_path / "lm.arpa"
    write_arpa(fitted.model_.task.language_model, place)
    other = Translator(tuning=3, language_model=place).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR)
    assert other.model_.task.tuned == fitted.model_.task.tuned, "it is the same model"
    other.save(tmp_path / "m")
    assert Translator.load(tmp_path / "m").language_model == str(place)
    vocabulary = Vocabulary.of(text := [["the", "old"]])
    write_arpa(estimate_ngrams(vocabulary.number(text), vocabulary, 2), place)
    again = Translator(tuning=0, language_model=place).fit(SOURCES, TARGETS)
    assert again.model_.task.language_model.order == 2
    place.write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0\0")
    with pytest.raises(DataError, match=r"lm.arpa: a binary file of KenLM; give the ARPA file"):
        again.fit(SOURCES, TARGETS)
