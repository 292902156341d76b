"""A pipeline passes on what is given: each stage keeps to its own columns."""

from __future__ import annotations

import pytest

import structron
from structron import Pipeline
from structron.errors import DataError
from structron.fit.data.entries import Entries
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


@pytest.fixture
def en() -> Pipeline:
    return structron.load("en")


def test_other_readings_and_margins_keep_to_what_is_given(en: Pipeline) -> None:
    given = sentence("VERB", "4").keeping(("upos", "head"))
    free = sentence("_", "_")
    (best,) = en.predict_kbest([given], 4)
    assert len(best) > 1
    for found, _ in best:
        assert found.column("upos")[3] == "VERB" and found.column("head")[0] == "4"
    (best,) = en.predict_kbest([given], 3, stage="upos")
    for found, _ in best:  # a later stage keeps its own column as well
        assert found.column("upos")[3] == "VERB" and found.column("head")[0] == "4"
    assert en.predict_kbest([free.keeping(("upos", "head"))], 3) == en.predict_kbest([free], 3)
    upos = next(name for name in en.margins([free]) if "upos" in name)
    assert en.margins([given])[upos][0].parts[3] != en.margins([free])[upos][0].parts[3]


def test_names_in_misc_are_given(en: Pipeline) -> None:
    rows = [
        [str(i), word, *["_"] * 8] for i, word in enumerate(["We", "met", "Blue", "Sky", "in", "Paris"], 1)
    ]
    for given in ("ORG", "PER"):
        rows[2][9], rows[3][9] = f"NER=B-{given}", f"SpaceAfter=No|NER=I-{given}"
        (found,) = en.predict([Sentence(rows, Format("conllu")).keeping(("misc",))])
        assert found.column("misc")[2:4] == [f"NER=B-{given}", f"SpaceAfter=No|NER=I-{given}"]
        assert "I-" not in found.column("misc")[4] and "LOC" in found.column("misc")[5]
    rows[2][9] = "NER=B-XYZ"
    with pytest.raises(DataError, match="given name 'B-XYZ' is not one of the model's"):
        en.predict([Sentence(rows, Format("conllu")).keeping(("misc",))])


def test_entries_of_a_dictionary_go_to_the_stages_that_have_their_labels(en: Pipeline) -> None:
    text = "I saw her duck in the dog-like Blue Sky."
    plain = en(text)
    entries = {"duck": "VERB", "Blue Sky": "ORG", "her": "PRP", "dog-like": ()}
    en.entries = Entries(entries)
    found = en(text)
    words = {word.form: word for word in found.words}
    assert words["duck"].upos == "VERB" and words["her"].xpos == "PRP" and "dog-like" in words
    assert [(each.label, each.text) for each in found.entities] == [("ORG", "Blue Sky")]
    assert [each.upos for each in found.words][:3] == [each.upos for each in plain.words][:3]
    for best, _ in en.predict_kbest([["I", "saw", "her", "duck"]], 3, stage="upos")[0]:
        assert best.column("upos")[3] == "VERB"
    en.entries = Entries({"duck": "VERB"}, weight=0)
    assert str(en(text)) == str(plain)
    en.entries = None
    assert str(en(text)) == str(plain)
    for wrong, said in (
        (Entries({"duck": "VREB"}), "dictionary entry 'duck': no stage has the label 'VREB'"),
        (Entries({"duck": ["VERB", "PERS"]}), "no stage has the label 'PERS'"),
    ):
        en.entries = wrong
        with pytest.raises(DataError, match=said):
            en(text)
