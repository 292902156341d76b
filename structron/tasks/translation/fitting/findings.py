"""The findings of a translator about its data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from structron.errors import ModelError
from structron.io.values.ngrams import SPECIAL, NGrams
from structron.model import Model
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.fitting.bitext import Bitext
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.words.source_words import UNCHANGED, SourceWords
from structron.tasks.translation.writing import WORDS, Writing


@dataclass(frozen=True)
class Findings:
    """The findings of a translator about its data.

    Attributes
    ----------
    words, targets
        The source and target words of phrases, or of the data before there are phrases.
    empty, unreachable
        The numbers of pairs with an empty side, which are left out, and of examples without a derivation.
    tuning
        BLEU (0 to 1) and length ratio of the outputs at the beginning of each tuning round.
    bitext
        The aligned pairs, while they are needed.
    ngrams
        A language model from elsewhere, while it is needed.
    unseen
        Source words that no phrase has, counted as they come to be translated.
    source_words
        The preparation of source words before they are looked up.
    writing
        How raw text becomes words, and words text.
    """

    words: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    empty: int = 0
    unreachable: int = 0
    tuning: tuple[tuple[float, float], ...] = ()
    bitext: Bitext | None = None
    unseen: Counter[str] = field(default_factory=Counter)
    source_words: SourceWords = UNCHANGED
    ngrams: NGrams | None = None
    writing: Writing = WORDS


def known_words(task: TranslationTask | HieroTask) -> tuple[frozenset[str], frozenset[str]]:
    """Return the source and target words of phrases; some training words are in no phrase."""
    table, special = task.phrases, frozenset(SPECIAL)
    sides = (table.source_vocabulary, table.source_words), (table.target_vocabulary, table.target_words)
    source, target = (frozenset(names[word] for word in np.unique(words).tolist()) for names, words in sides)
    return source - special, target - special


def findings_of(model: Model[TranslationTask | HieroTask], where: str) -> Findings:
    """Return the findings recorded in a model."""
    empty, unreachable = model.about.get("empty", 0), model.about.get("unreachable", 0)
    try:
        tuning = tuple((float(each), float(ratio)) for each, ratio in model.about.get("tuning", ()))
    except (TypeError, ValueError):
        raise ModelError(f"{where}: the model does not say how it was made; train it again") from None
    task = model.task
    known = task.source_words
    found = Findings(*known_words(task), empty, unreachable, tuning, source_words=known)
    return replace(found, writing=task.writing)
