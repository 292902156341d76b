"""Pipelines: stages that learn from each other's predictions, in one file, resumed without a trace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import structron
from structron import DataError, ModelError, Pipeline, SettingError
from structron.io import Sentence
from structron.model import Model
from structron.tasks.pipeline import Stage
from structron.tasks.pipeline.fitting.checkpoint import PipelineCheckpoint
from structron.tasks.pipeline.fitting.learner import Learner
from structron.tasks.pipeline.fitting.treebank import Treebank
from structron.tasks.pipeline.settings import SEES, SETTINGS
from tests.pipelines import treebank

STAGES = ("upos", "xpos", "feats", "lemma", "parser")
TRAIN, DEV = treebank(60), treebank(12, seed=2)


def made(**settings: Any) -> Pipeline:
    return Pipeline(**{"prefer": "speed", "folds": 2, "stages": STAGES} | settings)


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return made().fit(TRAIN, dev=DEV)


def test_all_columns_are_predicted_and_all_else_stays(nlp: Pipeline) -> None:
    shares = nlp.evaluate(DEV, "words")
    assert shares["Words"].f1 == 1.0
    assert (
        all(shares[name].f1 > 0.5 for name in ("UPOS", "XPOS", "UFeats", "Lemmas")) and shares["UAS"].f1 > 0.4
    )
    for gold, said in zip(DEV, nlp.analysed(DEV, "words")):
        assert said.words() == gold.words() and said.comments == gold.comments
        assert [row[0] for row in said.rows] == [row[0] for row in gold.rows]
        assert "_" not in said.column("lemma") and set(said.column("deps")) == {"_"}
    assert nlp.score(DEV) == shares["LAS"].f1


def test_without_a_parser_the_table_has_the_rows_that_apply() -> None:
    tags = made(stages=("upos", "xpos", "feats")).fit(TRAIN)
    shares = tags.evaluate(DEV, "words")
    assert list(shares) == ["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags"]
    assert tags.score(DEV) == shares["AllTags"].f1 > 0.5
    gold, said = ([s.column("upos") for s in part] for part in (DEV, tags.analysed(DEV, "words")))
    right = sum(a == b for pair in zip(gold, said) for a, b in zip(*pair))
    assert shares["UPOS"].right == right and shares["UPOS"].gold == sum(map(len, gold))
    lemmas = made(stages=("upos", "lemma")).fit(TRAIN)
    assert list(lemmas.evaluate(DEV, "words"))[3:] == ["UPOS", "Lemmas"]
    assert lemmas.score(DEV) == lemmas.evaluate(DEV, "words")["Lemmas"].f1


def test_given_tags_are_kept_and_gold_never_helps(nlp: Pipeline) -> None:
    shares = nlp.evaluate(DEV, "tags")
    assert shares["AllTags"].f1 == 1.0
    lying = [sentence.with_column("upos", ["X"] * len(sentence)) for sentence in DEV]
    assert [s.column("upos") for s in nlp.analysed(lying, "words")] == [
        s.column("upos") for s in nlp.analysed(DEV, "words")
    ]
    assert {tag for s in nlp.predict(lying, "tags") for tag in s.column("upos")} == {"X"}


def test_a_file_gives_the_same(nlp: Pipeline, tmp_path: Path) -> None:
    nlp.save(tmp_path / "m")
    for loaded in (Pipeline.load(tmp_path / "m"), structron.load(tmp_path / "m")):
        assert loaded.predict(DEV) == nlp.predict(DEV) and loaded.stages_ == STAGES
        assert loaded.get_params() == nlp.get_params() and len(loaded.history_) == 8
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    with pytest.raises(ModelError, match="a model for pipeline, not for tagging"):
        structron.Tagger.load(tmp_path / "m")


@pytest.mark.parametrize("at", ["1/3 upos+xpos+feats, fold 2 of 2", "2/3 lemma, all data", "3/3 parser"])
def test_an_interrupted_training_continues_to_the_same_bytes(nlp: Pipeline, at: str, tmp_path: Path) -> None:
    names: list[str] = []

    def stop(name: str, done: int, total: int) -> None:
        names.append(name)
        if name == at and done == total // 2:
            raise KeyboardInterrupt

    file = tmp_path / "m.checkpoint"
    with pytest.raises(KeyboardInterrupt):
        made().fit(TRAIN, dev=DEV, on_stage=stop, checkpoint=file)
    seen = set(names)
    names.clear()
    again = made().fit(
        TRAIN, dev=DEV, on_stage=lambda name, *_: names.append(name), checkpoint=file, resume=True
    )
    assert seen & set(names) == {at}, "what was finished is not done again"
    nlp.save(tmp_path / "straight")
    again.save(tmp_path / "resumed")
    assert (tmp_path / "straight").read_bytes() == (tmp_path / "resumed").read_bytes()
    with pytest.raises(SettingError, match=r"made with other seed; use the same, or start again"):
        made(seed=1).fit(TRAIN, dev=DEV, checkpoint=file, resume=True)
    file.write_bytes((tmp_path / "straight").read_bytes())
    with pytest.raises(ModelError, match="not a checkpoint of a pipeline"):
        made().fit(TRAIN, dev=DEV, checkpoint=file, resume=True)


def test_later_stages_learn_from_predictions_of_models_that_did_not_see_the_sentence() -> None:
    # A word of one sentence alone: only who has learned from that sentence can know its tag.
    secret = [
        s.with_column("upos", ["SECRET", *s.column("upos")[1:]]) if i == 7 else s for i, s in enumerate(TRAIN)
    ]
    rows = [[*row[:1], "xyzzy", *row[2:]] if i == 0 else row for i, row in enumerate(secret[7].tokens)]
    secret[7] = Sentence(rows, secret[7].format)
    data = Treebank.of(secret, trees=False)
    learner = Learner(SETTINGS["speed"], 2, 0, 1, data, None, PipelineCheckpoint(None, {}, resume=False))
    model = learner.tagger(Stage("upos", SEES["upos"]))
    assert model.predict([["xyzzy", *secret[7].words()[1:]]])[0][0] == "SECRET"
    assert data.predicted["upos"][7][0] != "SECRET"


def test_stages_may_be_left_out_and_empty_columns_are(tmp_path: Path) -> None:
    bare = [sentence.with_column("xpos", ["_"] * len(sentence)) for sentence in TRAIN]
    tagger = made(stages=("upos", "xpos", "feats", "lemma"), prefer="balance").fit(bare)
    assert tagger.stages_ == ("upos", "feats", "lemma")
    (said,) = tagger.predict([["dogs", "bark"]])
    assert said.column("head") == ["_", "_"] and said.column("xpos") == ["_", "_"]
    parser = made(stages=("parser",)).fit(TRAIN)
    assert parser.predict(DEV)[0].column("upos") == DEV[0].column("upos")
    assert tagger(["dogs", "bark"]).sentences[0].to_svg().startswith("<svg")


def test_a_document_is_plain_objects(nlp: Pipeline) -> None:
    words = DEV[1].words()
    doc = nlp(words)
    (sentence,) = doc.sentences
    assert [word.form for word in doc.words] == words and [word.id for word in sentence] == [
        *range(1, len(words) + 1)
    ]
    assert sum(word.head == 0 for word in sentence) == 1 and sentence.text == " ".join(words)
    told = json.loads(doc.to_json())
    assert told["sentences"][0]["words"][0]["form"] == words[0] and told["text"] is None
    assert (
        doc._repr_html_().count("<svg") == 1 and repr(doc) == f"<Document: 1 sentences, {len(words)} words>"
    )
    found = list(nlp.pipe([words, DEV[2].words()] * 40, threads=2))
    assert len(found) == 80 and found[0].to_conllu() == found[78].to_conllu() == doc.to_conllu()


def test_words_of_a_multiword_token_share_its_place(nlp: Pipeline) -> None:
    from structron.tasks.pipeline import Document

    rows = [
        ["1-2", "du", *["_"] * 7, "TokenRange=4:6"],
        ["1", "de", *["_"] * 8],
        ["2", "le", *["_"] * 8],
        ["3", "pain", *["_"] * 7, "SpaceAfter=No|TokenRange=7:11"],
    ]
    (sentence,) = Document.of_rows(nlp.predict([Sentence(rows, DEV[0].format)]), "the du pain").sentences
    assert [(t.text, t.first, t.beyond) for t in sentence.tokens] == [("du", 1, 3), ("pain", 3, 4)]
    assert [(w.form, w.start, w.end) for w in sentence.words] == [("de", 4, 6), ("le", 4, 6), ("pain", 7, 11)]
    assert (sentence.start, sentence.end) == (4, 11)


def test_what_is_not_possible_is_refused(nlp: Pipeline) -> None:
    for settings, said in (
        ({"stages": ("upos", "weather")}, "stages .* are not possible; give some of segmenter"),
        ({"stages": "upos"}, "are not possible"),
        ({"prefer": "slow"}, "prefer = 'slow' is not known; use one of speed"),
        ({"folds": 1}, "folds = 1 is not possible"),
        ({"clusters": 3}, "clusters = 3 is not possible; name a file, or give none"),
    ):
        with pytest.raises(SettingError, match=said):
            made(**settings).fit(TRAIN)
    with pytest.raises(DataError, match=r"nix\.txt: no such file"):
        made(clusters="nix.txt").check()
    with pytest.raises(DataError, match="1 sentences cannot be put into 2 parts"):
        made().fit(TRAIN[:1])
    with pytest.raises(DataError, match="all columns of these stages are empty"):
        made(stages=("xpos",)).fit([s.with_column("xpos", ["_"] * len(s)) for s in TRAIN])
    with pytest.raises(DataError, match="the development set is empty"):
        made().fit(TRAIN, dev=[])
    with pytest.raises(DataError, match="its format is columns; give CoNLL-U"):
        made().fit([Sentence.of(["a"], ["b"])] * 4)
    for wrong, said in (
        ("train.conllu", "X is of type str; give sentences, as structron.io.read"),
        (3, "X is of type int"),
        ([*TRAIN, ["dogs", "bark"]], f"X, sentence {len(TRAIN) + 1}, is of type list"),
    ):
        with pytest.raises(DataError, match=said):
            made().fit(wrong)
        with pytest.raises(DataError, match=said.replace("X", "dev", 1)):
            made().fit(TRAIN, dev=wrong)
        with pytest.raises(DataError, match=said):
            nlp.evaluate(wrong)
    with pytest.raises(SettingError, match="has learned nothing yet"):
        made().predict(DEV)
    with pytest.raises(SettingError, match="start 'lemmas' is not possible"):
        nlp.evaluate(DEV, "lemmas")
    with pytest.raises(DataError, match="a sentence as a list of words that are not empty"):
        nlp([""])
    with pytest.raises(DataError, match="X is a single string"):
        nlp.predict("text")
    assert nlp.predict([]) == []


def test_parts_that_do_not_fit_are_refused(nlp: Pipeline) -> None:
    header, arrays = nlp.model_.stored()
    for wrong in (
        {"stages": [["upos", ["form", "lemma"]]]},
        {"stages": [["parser", ["form"]], ["upos", ["form"]]]},
        {"stages": [["weather", []]]},
        {"stages": [["upos+lemma", ["form"]]]},
        {"stages": [3]},
    ):
        with pytest.raises(ModelError):
            Pipeline.of_model(Model.restored(header | wrong, arrays), "m")
    parts, tags = dict(header["parts"]), "upos+xpos+feats"
    parts[tags], parts["lemma"] = parts["lemma"], parts[tags]
    names = {tags: "lemma", "lemma": tags}
    swapped = {}
    for name, values in arrays.items():
        part, slash, array = name.partition("/")
        swapped[f"{names.get(part, part)}{slash}{array}"] = values
    with pytest.raises(ModelError, match=r"its upos.* is a model for lemmatisation"):
        Pipeline.of_model(Model.restored(header | {"parts": parts}, swapped), "m")
    del parts["parser"]
    with pytest.raises(ModelError, match="the stages and the parts of the model differ"):
        Pipeline.of_model(Model.restored(header | {"parts": parts}, swapped), "m")


def test_clusters_are_seen_by_all_stages_that_can_and_kept_once(tmp_path: Path) -> None:
    words = sorted({word for sentence in TRAIN for word in sentence.column("form")})
    file, many = tmp_path / "clusters.txt", [f"word{i}" for i in range(2000)]
    file.write_text("".join(f"{i % 8:03b}\t{word}\t1\n" for i, word in enumerate([*words, *many])))
    nlp = made(prefer="balance", clusters=file).fit(TRAIN)
    seeing = [name for name, part in nlp.model_.parts.items() if "cluster" in str(part.task.templates)]
    assert seeing == ["upos", "xpos", "feats", "parser"]
    header, arrays = nlp.model_.stored()
    assert [name for name in arrays if name.endswith("clusters.words")] == ["feats/clusters.words"]
    nlp.save(tmp_path / "m")
    loaded = Pipeline.load(tmp_path / "m")
    assert [s.rows for s in loaded.predict(DEV)] == [s.rows for s in nlp.predict(DEV)]
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    for wrong in ({"xpos/clusters.words": "feats/weather"}, {"xpos/clusters.words": 3}, 3):
        with pytest.raises(ModelError):
            Model.restored(header | {"same": wrong}, arrays)
    with pytest.raises(ModelError, match="word clusters are missing"):
        Model.restored({name: value for name, value in header.items() if name != "same"}, arrays)


RAW = treebank(60, seed=3)


@pytest.fixture(scope="module")
def raw() -> Pipeline:
    return made(stages=("segmenter", "upos", "lemma", "parser")).fit(RAW)


def test_raw_text_becomes_sentences_and_words_with_their_places(raw: Pipeline) -> None:
    shares = raw.evaluate(RAW)
    assert shares["Tokens"].f1 > 0.8 and shares["Words"].f1 > 0.7 and shares["UPOS"].f1 > 0.5
    text = " ".join(sentence.comments[0].removeprefix("# text = ") for sentence in RAW[:6])
    doc = raw(text)
    assert doc.text == text
    for token in (token for sentence in doc for token in sentence.tokens):
        assert text[token.start : token.end] == token.text
    assert "".join(t.text for s in doc for t in s.tokens) == text.replace(" ", "")
    assert [len(each) for each in raw.pipe([text, "", text])] == [len(doc), 0, len(doc)]


@given(st.text(max_size=60))
def test_of_any_text_no_character_is_lost(raw: Pipeline, text: str) -> None:
    try:
        doc = raw(text)
    except DataError:
        assert any("\ud800" <= c <= "\udfff" for c in text)
        return
    places = [(token.start, token.end) for sentence in doc for token in sentence.tokens]
    left, at = "", 0
    for start, end in places:
        assert at <= start < end
        left, at = left + text[at:start], end
    assert not (left + text[at:]).strip(), "between tokens there is nothing but white space"
    assert all(word.lemma and word.upos for word in doc.words)
    assert all(sum(word.head == 0 for word in sentence) == 1 for sentence in doc)


@pytest.mark.parametrize(
    "text", ["", " \n\t ", "x", "a" * 3000, "\x00\x07\x1b", "\u200fשלום עולם", "日本語。" * 9]
)
def test_odd_texts_have_an_answer(raw: Pipeline, text: str) -> None:
    doc = raw(text)
    assert "".join(token.text for sentence in doc for token in sentence.tokens) == "".join(text.split())
    assert doc.to_conllu() is not None and json.loads(doc.to_json())["text"] == text
