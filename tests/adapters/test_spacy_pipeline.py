"""A whole pipeline as a component of spaCy: its documents are ours, from raw text, files and bytes."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import structron
from structron import ModelError, SettingError

spacy = pytest.importorskip("spacy", reason="spaCy is not installed; make test-adapters installs it")

from spacy.tokens import Doc  # noqa: E402
from spacy.training import Example  # noqa: E402

from structron.tasks.pipeline.adapters.spacy import SEVERAL, PipelineTokenizer  # noqa: E402

TEXTS = (
    "I don't know.  They saw\tJohn's dog.\n\nIt ran!",
    "", " ", "\n\n", "a", " a\n", "one\u00a0two", "👨‍👩‍👧 is\r\nhere", "Hi \n\n",
)  # fmt: skip


def made(**config: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("structron", config=config)
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Any:
    return made(model="en")


def test_documents_say_what_the_pipeline_says(nlp: Any) -> None:
    pipeline = structron.load("en")
    for text, doc in zip(TEXTS, nlp.pipe(TEXTS)):
        assert doc.text == text
        tokens = [token for token in doc if not token.is_space]
        ours = pipeline(text)
        assert [sent.text.strip() for sent in doc.sents if sent.text.strip()] == [
            s.text.strip() for s in ours
        ] or ("\u00a0" in text or "\r" in text or "\t" in text)
        words = ours.words
        assert [t.text for t in tokens] == [word.form for word in words]
        assert [(t.tag_, t.pos_, t.lemma_) for t in tokens] == [(w.xpos, w.upos, w.lemma) for w in words]
        assert [str(t.morph) or "_" for t in tokens] == [word.feats for word in words]
        assert [t.dep_.replace("ROOT", "root") for t in tokens] == [word.deprel for word in words]
        places = {token.i: n for n, token in enumerate(tokens)}
        firsts = [n - word.id + 1 for n, word in enumerate(words)]
        heads = [
            first + word.head - 1 if word.head else n for n, (first, word) in enumerate(zip(firsts, words))
        ]
        assert [places[token.head.i] for token in tokens] == heads
        assert all(token.pos_ == "SPACE" and token.tag_ == "_SP" for token in doc if token.is_space)


def test_names_are_those_of_the_pipeline(nlp: Any) -> None:
    pipeline = structron.load("en")
    for text in ("", "It ran.", "\n Angela Merkel\n\tlives  in Berlin. Enron didn't pay Dr. Smith's wife."):
        found = [(ent.label_, ent.text, ent.start_char, ent.end_char) for ent in nlp(text).ents]
        assert found == [(each.label, each.text, each.start, each.end) for each in pipeline(text).entities]
    assert "Berlin" in [ent.text for ent in made(tokens="spacy")(text).ents]


def test_disk_bytes_and_pickles_give_the_same(nlp: Any, tmp_path: Path) -> None:
    wanted = [doc.to_json() for doc in nlp.pipe(TEXTS)]
    nlp.to_disk(tmp_path / "nlp")
    loaded = spacy.load(tmp_path / "nlp")
    for again in (loaded, made(model="nowhere.model").from_bytes(nlp.to_bytes())):
        assert [doc.to_json() for doc in again.pipe(TEXTS, batch_size=2)] == wanted
        assert isinstance(again.tokenizer, PipelineTokenizer)
    assert [doc.to_json() for doc in nlp.pipe(TEXTS, n_process=2)] == wanted
    assert pickle.loads(pickle.dumps(nlp))(TEXTS[0]).to_json() == wanted[0]


def test_tokens_and_sentences_of_others_stay() -> None:
    nlp = made(tokens="spacy")
    plain = spacy.blank("en")
    for text in TEXTS:
        doc = nlp(text)
        assert [token.text for token in doc] == [token.text for token in plain(text)]
        assert all(token.dep_ and token.tag_ for token in doc)
    assert [sent.text for sent in nlp("It ran. They flew.").sents] == ["It ran.", "They flew."]
    doc = Doc(nlp.vocab, words=["It", "ran", "They", "flew"], sent_starts=[True, False, False, False])
    assert [sent.text for sent in nlp(doc).sents] == ["It ran They flew"]


def test_the_word_that_governs_stands_for_a_token_of_several(nlp: Any) -> None:
    doc = Doc(nlp.vocab, words=["It", "cannot", "here"], sent_starts=[True, False, False])
    doc.user_data[SEVERAL] = {1: ["can", "not"]}
    nlp.get_pipe("structron")(doc)
    assert len(doc) == 3
    assert SEVERAL not in doc.user_data


def test_it_is_evaluated_and_wrong_settings_are_told(nlp: Any, tmp_path: Path) -> None:
    text = "I don't know. It ran!"
    examples = [Example(nlp.make_doc(text), nlp(text))]
    scores = nlp.evaluate(examples)
    assert all(scores[name] == 1 for name in ("tag_acc", "pos_acc", "morph_acc", "lemma_acc", "dep_las"))
    with pytest.raises(SettingError, match="tokens 'nltk' is not possible; use structron or spacy"):
        made(tokens="nltk")
    with pytest.raises(ModelError, match="nowhere: there is no such file"):
        made(model="nowhere")("It ran.")
    with pytest.raises(ModelError, match="transduction, not for pipeline"):
        made(model="en-g2p")("It ran.")
    with pytest.raises(SettingError, match="this is no Pipeline"):
        nlp.get_pipe("structron").pipeline = "en"
