"""show of translations: phrases of guess and gold, the stacks, and where the reference falls off."""

from __future__ import annotations

import click
import pytest

from structron import _core
from structron.alignment.bitext import BitextAligner
from structron.alignment.vocabulary import Vocabulary
from structron.engine.rows import Rows
from structron.model import Model
from structron.search import Beam, Search
from structron.tasks.translation.decoding.space import DENSE
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.language_model.estimation import estimate_ngrams
from structron.tasks.translation.phrases.table import PhraseExtractor
from structron.tasks.translation.showing import page

BITEXT = [
    ("das haus ist klein", "the house is small"),
    ("das haus ist gross", "the house is big"),
    ("das buch ist klein", "the book is small"),
    ("ein buch", "a book"),
    ("ist das haus klein", "is the house small"),
]


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    sources, targets = [x.split() for x, _ in BITEXT], [y.split() for _, y in BITEXT]
    vocabularies = Vocabulary.of(sources), Vocabulary.of(targets)
    texts = vocabularies[0].number(sources), vocabularies[1].number(targets)
    links = BitextAligner().align_numbered(*texts, (len(vocabularies[0]), len(vocabularies[1])))
    table = PhraseExtractor(least=1).extract(*texts, links, vocabularies).table
    return TranslationTask(table, estimate_ngrams(texts[1], vocabularies[1], 3))


def model(task: TranslationTask, search: Search, **weights: float) -> Model[TranslationTask]:
    learned = _core.Weights(1, 0, len(DENSE))
    for name, value in weights.items():
        learned.add(_core.Weights.DENSE, DENSE.index(name), value)
    return Model(task, Rows(*learned.pack(False)), search)


def shown(found: Model[TranslationTask], source: str, *references: str, steps: bool = True) -> str:
    lines = page(found, source.split(), [text.split() for text in references], steps=steps)
    return click.unstyle("\n".join(lines))


def test_guess_and_gold_stand_phrase_by_phrase(task: TranslationTask) -> None:
    found = model(task, Beam(10, merge=True), phrase=0.5, language_model=1.0, distortion=1.0)
    out = shown(found, "ein blorp", "a blorp")
    assert "guess   1:ein   2:blorp\n        a       blorp (copied)\n" in out
    assert "gold    1:ein   2:blorp\n" in out
    assert "step 1  1 word\n" in out and "step 2  2 words" in out
    assert "▪·  a" in out and "▪▪  a | blorp   gold" in out
    assert "falls off" not in out and "max-violation" in out


def test_where_the_reference_falls_off_is_told(task: TranslationTask) -> None:
    """With a weight that likes no words to be right, gold falls out of a stack of one."""
    found = model(task, Beam(1, merge=True), phrase=-1.0, language_model=-1.0)
    out = shown(found, "das buch ist klein", "the book is small")
    assert "✗" in out and out.count("gold falls off the stack: excess ") == 1
    assert "gold falls off" in shown(found, "das buch ist klein", "the book is small", steps=False)


def test_a_reference_that_no_phrases_yield(task: TranslationTask) -> None:
    found = model(task, Beam(4, merge=True), phrase=0.5, language_model=1.0)
    out = shown(found, "ein haus", "a castle")
    assert "no phrases yield the reference; its beginning is reached over the first 1 word of 2" in out
    assert "no phrases yield the beginning of the reference" in shown(found, "ein haus", "castle")
    assert "max-violation" not in out and "guess" in out


def test_without_a_reference_there_is_no_word_of_gold(task: TranslationTask) -> None:
    found = model(task, Beam(4, merge=True), phrase=0.5, language_model=1.0)
    assert "gold" not in shown(found, "ein haus")
