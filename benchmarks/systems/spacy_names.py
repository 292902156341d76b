"""spaCy's `ner` from scratch on lists of words with labels B, I and O: `learn` is a system of names.py.

The component is what ``blank("en").add_pipe("ner")`` makes, without word vectors, which are learned from
other text. The epoch is chosen on dev where there is a dev part.
"""

from __future__ import annotations

import os
import random
import time
from typing import Any

from systems import require

from structron.io.values.labels import spans
from structron.metrics import span_f1

EPOCHS = int(os.environ.get("SPACY_EPOCHS", "10"))
Labelled = tuple[list[list[str]], list[list[str]]]


def learn(
    train: Labelled, dev: Labelled | None, words: list[list[str]]
) -> tuple[list[list[str]], float, float]:
    """Return labels of `words`, and CPU seconds of training and of labelling."""
    spacy = require("spacy", "spacy")
    from spacy.training import Example

    begin = time.process_time()
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("ner")
    examples = [Example.from_dict(_doc(nlp, x), {"entities": _letters(y)}) for x, y in zip(*train)]
    optimizer = nlp.initialize(lambda: examples)
    chance = random.Random(0)
    best, kept = -1.0, None
    for _ in range(EPOCHS):
        chance.shuffle(examples)
        for batch in spacy.util.minibatch(examples, spacy.util.compounding(8.0, 64.0, 1.001)):
            nlp.update(batch, sgd=optimizer, drop=0.1)
        if dev is not None:
            reached = span_f1(dev[1], _labelled(nlp, dev[0])).f1
            if reached > best:
                best, kept = reached, nlp.to_bytes(exclude=["tokenizer"])
    if kept is not None:
        nlp.from_bytes(kept, exclude=["tokenizer"])
    spent = time.process_time() - begin
    begin = time.process_time()
    found = _labelled(nlp, words)
    return found, spent, time.process_time() - begin


def _doc(nlp: Any, words: list[str]) -> Any:
    from spacy.tokens import Doc

    return Doc(nlp.vocab, words=words)


def _letters(labels: list[str]) -> list[str]:
    """Return labels as spaCy takes them, B, I, L, U and O."""
    found = ["O"] * len(labels)
    for first, end, kind in spans(labels):
        inner = [f"I-{kind}"] * (end - first - 2)
        found[first:end] = [f"U-{kind}"] if end == first + 1 else [f"B-{kind}", *inner, f"L-{kind}"]
    return found


def _labelled(nlp: Any, words: list[list[str]]) -> list[list[str]]:
    docs = nlp.pipe(_doc(nlp, x) for x in words)
    return [[f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else "O" for t in doc] for doc in docs]
