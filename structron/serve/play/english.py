"""Real English for lessons: ten chapters of a novel, analysed by the model that comes with structron.

The text is the beginning of *Pride and Prejudice* (Jane Austen, 1813), which is in the public domain. What
the model `en` says of a sentence is right here: a small parser is to learn what a larger one does.
"""

from __future__ import annotations

import functools
import io
import threading
from pathlib import Path

from structron.io import Sentence, read
from structron.loading import load

TEXT = Path(__file__).with_name("english.txt")
LEAST, MOST = 5, 60  # words: exclamations teach little, and a film has no more
_one_at_a_time = threading.Lock()  # the trainings of a lesson begin together


def sentences(most: int) -> list[Sentence]:
    """Return the first sentences of the text, with tags and trees."""
    with _one_at_a_time:
        return list(_analysed()[:most])


@functools.cache
def _analysed() -> tuple[Sentence, ...]:
    paragraphs = TEXT.read_text("utf-8").splitlines()
    found = (read(io.StringIO(each.to_conllu())) for each in load("en").pipe(paragraphs))
    return tuple(sentence for each in found for sentence in each if LEAST <= len(sentence) <= MOST)
