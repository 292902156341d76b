"""The components of a spaCy pipeline, in spaCy itself; `make test-adapters` installs it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import DataError, Parser, SettingError, StructronWarning, Tagger
from structron.synthetic import generate_treebank
from tests.unit.estimators.corpora import runs

spacy = pytest.importorskip("spacy", reason="spaCy is not installed; make test-adapters installs it")

from spacy import displacy  # noqa: E402
from spacy.tokens import Doc  # noqa: E402
from spacy.training import Example, iob_to_biluo  # noqa: E402
from spacy.util import minibatch  # noqa: E402

TREES = generate_treebank(90, np.random.default_rng(5))
FACTORIES = ("structron_tagger", "structron_parser", "structron_ner")
SETTINGS = {"structron_parser": {"search": "beam:4"}}


def examples(nlp: Any, n: slice, sentences: int = 1) -> list[Any]:
    """Trees with tags and runs of nouns as names; several sentences make a document."""
    made = []
    for group in minibatch(TREES[n], size=sentences):
        words, tags, heads, deps, ents, starts = [], [], [], [], [], []
        for tree in group:
            start = len(words)
            words += tree.words
            tags += tree.tags
            heads += [start + (i if head == 0 else head - 1) for i, head in enumerate(tree.heads)]
            deps += tree.labels
            ents += iob_to_biluo(runs([tree.tags])[0])
            starts += [i == 0 for i in range(len(tree.words))]
        gold = {
            "words": words,
            "tags": tags,
            "heads": heads,
            "deps": deps,
            "entities": ents,
            "sent_starts": starts,
        }
        made.append(Example.from_dict(Doc(nlp.vocab, words=words), gold))
    return made


def pipeline(names: Iterable[str] = FACTORIES) -> Any:
    nlp = spacy.blank("en")
    for name in names:
        nlp.add_pipe(name, config={"settings": SETTINGS.get(name, {})})
    return nlp


def trained(nlp: Any, data: list[Any], rounds: int = 4) -> list[dict[str, float]]:
    nlp.initialize(lambda: data)
    told = []
    for _ in range(rounds):
        losses: dict[str, float] = {}
        for batch in minibatch(data, size=16):
            nlp.update(batch, losses=losses)
        told.append(losses)
    return told


@pytest.fixture(scope="module")
def nlp() -> Any:
    made = pipeline()
    made.losses = trained(made, examples(made, slice(0, 70)))
    return made


def annotations(doc: Any) -> list[Any]:
    words = [(t.text, t.tag_, t.head.i, t.dep_, t.is_sent_start) for t in doc]
    return [words, [(e.start, e.end, e.label_) for e in doc.ents]]


def test_it_learns_by_updates_and_is_evaluated(nlp: Any) -> None:
    assert set(nlp.losses[0]) == set(FACTORIES)
    assert all(nlp.losses[-1][name] < nlp.losses[0][name] for name in FACTORIES)
    scores = nlp.evaluate(examples(nlp, slice(70, 90)))
    assert scores["tag_acc"] > 0.65 and scores["dep_las"] > 0.4 and scores["ents_f"] > 0.5
    assert scores["dep_uas"] >= scores["dep_las"] and scores["sents_f"] > 0.9
    assert set(scores["ents_per_type"]) == {"NP", "VP"}
    # What it says is what the estimator says.
    sentence = [TREES[80].words]
    doc = nlp(Doc(nlp.vocab, words=sentence[0]))
    tags = nlp.get_pipe("structron_tagger").estimator.predict(sentence)
    assert [[token.tag_ for token in doc]] == tags
    (tree,) = nlp.get_pipe("structron_parser").estimator.predict([list(zip(sentence[0], tags[0]))])
    assert [0 if t.head == t else t.head.i + 1 for t in doc] == tree.heads
    assert [t.dep_ for t in doc] == tree.labels


def test_disk_and_bytes_give_the_same_pipeline(nlp: Any, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "nlp")
    docs = [Doc(nlp.vocab, words=tree.words) for tree in TREES[70:]]
    wanted = [annotations(doc) for doc in nlp.pipe(docs)]
    for again in (spacy.load(tmp_path / "nlp"), pipeline().from_bytes(nlp.to_bytes())):
        docs = [Doc(again.vocab, words=tree.words) for tree in TREES[70:]]
        assert [annotations(doc) for doc in again.pipe(docs, batch_size=7)] == wanted
        assert again.pipe_labels == nlp.pipe_labels
        again.update(examples(again, slice(0, 4)))  # goes on learning
    saved = tmp_path / "nlp" / "structron_tagger" / "model"
    assert Tagger.load(saved).predict([TREES[0].words]) == [
        [t.tag_ for t in nlp(Doc(nlp.vocab, TREES[0].words))]
    ]
    saved.write_bytes(saved.read_bytes()[:-1] + b"?")
    with pytest.raises(Exception, match="the model of structron_tagger: the model file is damaged"):
        spacy.load(tmp_path / "nlp")
    empty = pipeline().to_bytes()
    assert not hasattr(pipeline().from_bytes(empty).get_pipe("structron_ner").estimator, "model_")


def test_displacy_draws_it(nlp: Any) -> None:
    doc = nlp(Doc(nlp.vocab, words=TREES[71].words))
    drawn = displacy.render(doc, style="dep")
    assert drawn.count("displacy-arrow") >= len(doc) - 1
    assert 'class="entity"' in displacy.render(doc, style="ent") or not doc.ents
    assert any(displacy.parse_deps(doc)["arcs"])


def test_documents_of_several_sentences() -> None:
    nlp = pipeline()
    trained(nlp, examples(nlp, slice(0, 60), sentences=3), rounds=2)
    assert nlp.get_pipe("structron_parser").estimator.history_[-1].examples == 120
    doc = Doc(nlp.vocab, words=TREES[70].words + TREES[71].words)
    border = len(TREES[70].words)
    for token in doc:
        token.is_sent_start = token.i in (0, border)
    nlp(doc)
    assert [sent.start for sent in doc.sents] == [0, border]
    assert all((token.head.i < border) == (token.i < border) for token in doc)
    assert annotations(nlp(Doc(nlp.vocab, words=[]))) == [[], []]


def test_a_model_of_structron_is_taken_as_it_is(tmp_path: Path) -> None:
    X = [list(zip(tree.words, tree.tags)) for tree in TREES]
    Parser(epochs=2).fit(X, [(tree.heads, tree.labels) for tree in TREES]).save(tmp_path / "m")
    nlp = spacy.blank("en")
    nlp.add_pipe("structron_parser", config={"tags": "tag"})
    nlp.config["initialize"]["components"]["structron_parser"] = {"model": str(tmp_path / "m")}
    nlp.initialize()
    doc = nlp(Doc(nlp.vocab, words=TREES[0].words, tags=TREES[0].tags))
    assert [t.dep_ for t in doc] == Parser.load(tmp_path / "m").predict(X[:1])[0].labels
    tagger = nlp.add_pipe("structron_tagger", config={"attribute": "pos"})
    tagger.estimator = Tagger(epochs=1).fit([["dogs", "bark"]], [["NOUN", "VERB"]])
    assert [t.pos_ for t in nlp(Doc(nlp.vocab, words=["dogs", "bark"]))] == ["NOUN", "VERB"]
    with pytest.raises(SettingError, match="structron_tagger: this is no Tagger; give one"):
        tagger.estimator = Parser()


def test_what_cannot_be_is_said() -> None:
    nlp = spacy.blank("en")
    with pytest.raises(Exception, match="attribute 'lemma' is not possible; use tag or pos"):
        nlp.add_pipe("structron_tagger", config={"attribute": "lemma"})
    with pytest.raises(Exception, match="tags 'morph' is not possible; use tag, pos or none"):
        nlp.add_pipe("structron_parser", config={"tags": "morph"})
    component = nlp.add_pipe("structron_tagger")
    with pytest.raises(SettingError, match="has learned nothing yet"):
        nlp("Not yet.")
    bare = Example.from_dict(nlp.make_doc("no gold"), {})
    with pytest.warns(StructronWarning, match="no sentence of this batch has all of its gold"):
        component.update([bare])
    nlp.initialize(lambda: [Example.from_dict(nlp.make_doc("a b"), {"tags": ["A", "B"]})])
    with pytest.raises(DataError, match="label 'C'"):
        for tag in "BC":
            component.update([Example.from_dict(nlp.make_doc("a b"), {"tags": ["A", tag]})])


def test_data_without_names_end_in_a_warning(tmp_path: Path) -> None:
    nlp = pipeline(("structron_tagger", "structron_ner"))
    words = ["Anna", "ran"]
    data = [Example.from_dict(Doc(nlp.vocab, words=words), {"tags": ["N", "V"]})]
    nlp.initialize(lambda: data)
    with pytest.warns(StructronWarning, match="structron_ner: no sentence of this batch has all of its gold"):
        nlp.update(data)
    with pytest.warns(
        StructronWarning, match="structron_ner: it has learned from no sentence and sets nothing"
    ):
        assert nlp.evaluate(data)["tag_acc"] == 1
    nlp.to_disk(tmp_path / "nlp")
    with pytest.warns(StructronWarning, match="sets nothing"):
        doc = spacy.load(tmp_path / "nlp")(Doc(nlp.vocab, words=words))
    assert [token.tag_ for token in doc] == ["N", "V"] and not doc.ents
