"""A pipeline passes on what is given: each stage keeps to its own columns."""

from __future__ import annotations

import pytest

import structron
from structron.errors import DataError
from structron.io import Sentence
from structron.io.files.format import Format


def sentence(upos: str, head: str) -> Sentence:
    words = ["I", "saw", "her", "duck"]
    rows = [[str(i), word, *["_"] * 8] for i, word in enumerate(words, 1)]
    rows[3][3], rows[0][6] = upos, head
    return Sentence(rows, Format("conllu"))


def test_stages_keep_their_columns() -> None:
    pipeline = structron.load("en")
    (free,) = pipeline.predict([sentence("_", "_")])
    for upos in ("VERB", "NOUN"):
        (found,) = pipeline.predict([sentence(upos, "4").keeping(("upos", "head"))])
        assert found.column("upos")[3] == upos and found.column("head")[0] == "4"
    assert pipeline.predict([sentence("_", "_").keeping(("upos",))]) == [free]
    with pytest.raises(DataError, match="no label of the model has the given upos XX; leave it out"):
        pipeline.predict([sentence("XX", "_").keeping(("upos",))])
    with pytest.raises(DataError, match="given lemma is not what a stage fills; give"):
        pipeline.predict([sentence("_", "_").keeping(("lemma",))])
    with pytest.raises(DataError, match="is its own head"):
        pipeline.predict([sentence("_", "1").keeping(("head",))])
