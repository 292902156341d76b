"""A stage for names: entities with their places, in files and JSON; data as annotation tools write them."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from structron import DataError, ModelError, Pipeline, SettingError
from structron.io import Format, Sentence, read, write
from structron.io.formats.conllu import render
from structron.io.values.misc import attribute, with_attribute
from structron.model import Model
from structron.tasks.pipeline import Stage
from structron.tasks.pipeline.document import AnalysedSentence, Document
from structron.tasks.pipeline.names.data import names_of
from structron.tasks.pipeline.names.entities import labels_of
from structron.tasks.pipeline.names.measures import characters
from tests.pipelines import treebank

TRAIN = treebank(60)
NAMES = sorted({word for sentence in TRAIN for word in sentence.words() if len(word) > 3})[::3]


def labelled(sentence: Sentence) -> Sentence:
    words = sentence.words()
    return Sentence.of(words, ["B-LOC" if word in NAMES else "O" for word in words])


def text_of(sentences: list[Sentence]) -> str:
    return " ".join(sentence.comments[0].removeprefix("# text = ") for sentence in sentences)


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline(prefer="speed", folds=2, names=[labelled(s) for s in TRAIN]).fit(TRAIN)


def test_entities_have_their_places_in_text_file_and_json(nlp: Pipeline, tmp_path: Path) -> None:
    text = f"  {text_of(TRAIN[:9])}\n\n{text_of(TRAIN[9:20])} "
    document = nlp(text)
    entities = document.entities
    assert len(entities) > 10 and {each.label for each in entities} == {"LOC"}
    for sentence in document:
        for each in sentence.entities:
            assert each.text == text[slice(each.start, each.end)]
            words = sentence.words[each.first - 1 : each.beyond - 1]
            assert "".join(word.form for word in words) == each.text.replace(" ", "")
    found = document.to_dict()["sentences"]
    assert [each["text"] for one in found for each in one["entities"]] == [e.text for e in entities]
    assert set(found[0]["entities"][0]) == {"label", "text", "start", "end", "first", "beyond"}
    # Rows built on demand and lines written at once are the same file, from which names are read back.
    assert document.to_conllu() == "".join(render(one.rows) for one in nlp(text))
    place = tmp_path / "out.conllu"
    place.write_text(document.to_conllu(), encoding="utf-8")
    again = Document.of_rows(read(place), text)
    assert again.entities == entities


def test_words_of_a_token_have_places_of_their_own_where_they_are_its_characters() -> None:
    rows = [
        ["1-2", "Rome's", *"_______", "SpaceAfter=No|TokenRange=3:9"],
        ["1", "Rome", *"_______", "NER=B-LOC"],
        ["2", "'s", *"________"],
        ["3-4", "du", *"_______", "TokenRange=9:11"],
        ["3", "de", *"_______", "NER=B-PER"],
        ["4", "le", *"_______", "NER=I-PER"],
        ["5", "Roi", *"_______", "NER=I-PER|TokenRange=12:15"],
    ]
    sentence = AnalysedSentence(Sentence(rows, Format("conllu")))
    rome, king = sentence.entities
    assert (rome.text, rome.start, rome.end, rome.first, rome.beyond) == ("Rome", 3, 7, 1, 2)
    assert (king.text, king.start, king.end) == ("du Roi", 9, 15)
    assert {tuple(span) for span in characters([sentence.rows])} == {(0, 4, "LOC"), (6, 11, "PER")}
    rows[1][9] = "NER=LOC"
    with pytest.raises(DataError, match="NER=LOC marks no span; write B-PER"):
        AnalysedSentence(Sentence(rows, Format("conllu"))).entities  # noqa: B018


def test_names_are_found_in_given_words_and_replace_those_that_were_there(nlp: Pipeline) -> None:
    gold = [sentence.with_column("misc", ["NER=B-OLD|Gloss=x"] * len(sentence)) for sentence in TRAIN[:5]]
    for start in ("words", "tags"):
        for sentence, said in zip(gold, nlp.predict(gold, start)):
            assert "B-OLD" not in render(said) and set(said.column("misc")) <= {
                "Gloss=x",
                "Gloss=x|NER=B-LOC",
            }
            right = [word in NAMES for word in sentence.words()]
            assert sum(a == (b != "O") for a, b in zip(right, labels_of(said))) > 0.7 * len(right)


def test_names_are_scored_by_characters_from_every_start(nlp: Pipeline) -> None:
    gold = [labelled(sentence) for sentence in TRAIN]
    by_words = nlp.evaluate_names(gold, "words")
    assert by_words.f1 > 0.8 and list(by_words.per_type) == ["LOC"]
    assert nlp.evaluate_names(gold, "text").f1 > 0.5
    with pytest.raises(SettingError, match="start 'trees' is not possible"):
        nlp.evaluate_names(gold, "trees")
    plain = Pipeline(prefer="speed", folds=2, stages=("upos",)).fit(TRAIN)
    with pytest.raises(SettingError, match="this pipeline finds no names; train one with names"):
        plain.evaluate_names(gold)
    assert plain(TRAIN[0].words()).entities == []


def test_a_saved_pipeline_finds_the_same_names_and_one_without_names_is_as_before(
    nlp: Pipeline, tmp_path: Path
) -> None:
    nlp.save(tmp_path / "a.model")
    again, text = Pipeline.load(tmp_path / "a.model"), text_of(TRAIN[:9])
    assert again.stages_ == nlp.stages_ and again.stages_[-1] == "names"
    assert again(text).to_dict() == nlp(text).to_dict()
    assert len(str(again.model_.about["signature"]["names"])) == 12
    without = Pipeline(prefer="speed", folds=2).fit(TRAIN)
    assert without.stages_ == nlp.stages_[:-1] and "names" not in without.model_.about["signature"]
    assert without.model_.about["signature"]["stages"] == " ".join(without.stages_)
    assert nlp.model_.parts["parser"].to_bytes() == without.model_.parts["parser"].to_bytes()


def test_labels_that_mark_no_spans_are_refused_in_a_model_file(nlp: Pipeline) -> None:
    header, arrays = nlp.model_.stored()
    labels = header["parts"]["names"]["labels"]
    header["parts"]["names"]["labels"] = ["B-a|b" if label == "B-LOC" else label for label in labels]
    model = Model.restored(header, arrays)
    with pytest.raises(ModelError, match="a label of its names marks no span"):
        Pipeline.of_model(model, "x.model")  # type: ignore[arg-type]


def test_a_stage_for_names_sees_words_alone_where_no_stage_tags() -> None:
    bare = Pipeline(prefer="speed", folds=2, stages=("parser", "names"), names=[labelled(s) for s in TRAIN])
    assert bare.fit(TRAIN).model_.task.stages[-1] == Stage("names", ("form",))
    with pytest.raises(DataError, match="names stand in texts here, and the pipeline has no segmenter"):
        Pipeline(stages=("upos", "names"), names=names_of([_text("a b", [])])).fit(TRAIN)


def _text(text: str, spans: list[Any], line: int = 1) -> Any:
    from structron.io.values.annotated_text import annotated_text

    return annotated_text({"text": text, "spans": spans}, f"x.jsonl:{line}")


# ---------------------------------------------------------------------------------------------------- data

SHAPES = {
    "prodigy": {"text": "In Rome.", "spans": [{"start": 3, "end": 7, "label": "LOC", "token_start": 1}]},
    "doccano": {"id": 1, "text": "In Rome.", "label": [[3, 7, "LOC"]]},
    "doccano 2": {"text": "In Rome.", "entities": [{"start_offset": 3, "end_offset": 7, "label": "LOC"}]},
    "spacy": ["In Rome.", {"entities": [[3, 7, "LOC"]]}],
    "label studio": {
        "data": {"text": "In Rome."},
        "annotations": [{"result": [{"value": {"start": 3, "end": 7, "text": "Rome", "labels": ["LOC"]}}]}],
    },
    "label studio, short": {"text": "In Rome.", "label": [{"start": 3, "end": 7, "labels": ["LOC"]}]},
    "with blanks": {"text": "In Rome.", "spans": [[2, 7, "LOC"]]},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_texts_with_offsets_are_read_in_the_shapes_of_annotation_tools(shape: str, tmp_path: Path) -> None:
    one = json.dumps(SHAPES[shape])
    for number, content in enumerate((one, f"{one}\n\n{one}\n", json.dumps([SHAPES[shape]] * 2, indent=1))):
        place = tmp_path / f"{number}.jsonl"
        place.write_text(content, encoding="utf-8")
        found: list[Any] = names_of(place)
        assert len(found) == (1 if number == 0 else 2)
        assert all((item.text, item.spans) == ("In Rome.", ((3, 7, "LOC"),)) for item in found)


@pytest.mark.parametrize(
    "line, message",
    [
        ("{", r"x.jsonl:2: this is not JSON"),
        ('{"spans": []}', r'x.jsonl:2: there is no "text"'),
        ('{"text": "a"}', r"x.jsonl:2: there are no spans"),
        ('{"text": "a", "spans": [[0, 2, "X"]]}', r"x.jsonl:2: span 0:2 is not in the text of 1 characters"),
        ('{"text": "a", "spans": [[0, true, "X"]]}', r"x.jsonl:2: span .* has no start and end"),
        ('{"text": "a", "spans": [[0, 1, "a b"]]}', r"x.jsonl:2: label 'a b' of span 0:1 is not possible"),
        ('{"text": "abc", "spans": [[0, 2, "X"], [1, 3, "X"]]}', r"x.jsonl:2: spans 'ab' and 'bc' overlap"),
        (
            '{"text": "abc", "spans": [{"start": 0, "end": 1, "label": "X", "text": "b"}]}',
            r"x.jsonl:2: span 0:1 should be 'b' but is 'a'; count characters",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line: str, message: str, tmp_path: Path) -> None:
    place = tmp_path / "x.jsonl"
    place.write_text(f'{{"text": "a", "spans": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(DataError, match=message):
        names_of(place)


def test_what_an_annotator_has_rejected_is_left_out() -> None:
    from structron.io.values.annotated_text import annotated_text

    assert annotated_text({"text": "a", "spans": [], "answer": "reject"}, "x") is None


COLUMNS = {
    "a.conll": "EU NNP B-NP I-ORG\nin IN B-PP O\nBonn NNP B-NP I-LOC\n\n",  # IOB1, after CoNLL-2003
    "a.tsv": "EU\tS-ORG\nin\tO\nBonn\tS-LOC\n\n",
    "a.iob2": "# id = 1\n1\tEU\tB-ORG\t-\tme\n2\tin\tO\t-\t-\n3\tBonn\tB-LOC\t-\t-\n\n",  # Universal NER
    "a.conllu": "1\tEU\t_\t_\t_\t_\t_\t_\t_\tNER=B-ORG\n2\tin\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\tBonn\t_\t_\t_\t_\t_\t_\t_\tGloss=x|NER=B-LOC\n\n",
}


@pytest.mark.parametrize("name", COLUMNS)
def test_names_are_read_from_columns_of_any_scheme(name: str, tmp_path: Path) -> None:
    place = tmp_path / name
    place.write_text(COLUMNS[name] * 3, encoding="utf-8")
    found: list[Any] = names_of(str(place))
    assert [sentence.words() for sentence in found] == [["EU", "in", "Bonn"]] * 3
    assert [labels_of(sentence) for sentence in found] == [["B-ORG", "O", "B-LOC"]] * 3


def test_columns_without_spans_and_other_data_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.conll"
    place.write_text("EU NNP\nin IN\n\n" * 3, encoding="utf-8")
    with pytest.raises(DataError, match="no column marks spans; 'NNP' in the last one"):
        names_of(str(place))
    with pytest.raises(DataError, match="names are of type int"):
        names_of(3)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="names has an item of type int"):
        names_of([3])  # type: ignore[list-item]


def test_spans_that_do_not_fit_words_are_named_and_their_sentence_teaches_nothing(tmp_path: Path) -> None:
    sentences = [sentence for sentence in TRAIN if len(sentence.rows) == len(sentence.tokens)]
    given = []
    for i, sentence in enumerate(sentences):
        text = text_of([sentence])
        words, at = [], 0
        for word in sentence.words():
            begin = text.index(word, at)
            at = begin + len(word)
            if word in NAMES:
                # Two spans are a character short.
                words.append([begin, at - (i in (3, 5) and begin < 20), "LOC"])
        given.append(_text(text, words, i))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        nlp = Pipeline(prefer="speed", folds=2, names=given).fit(TRAIN)
    said = [str(each.message) for each in told if "begins or ends inside a word" in str(each.message)]
    assert said and all(message.endswith("its sentence is left out") for message in said)
    assert all("x.jsonl:" in message for message in said)
    assert nlp.evaluate_names(given).f1 > 0.5
    shifted = [_text(item.text, [[s.start, s.end - 1, "LOC"] for s in item.spans]) for item in given]
    with pytest.raises(DataError, match="check the offsets"):
        Pipeline(prefer="speed", folds=2, names=shifted).fit(TRAIN)


def test_attributes_of_misc() -> None:
    assert attribute("A=1|NER=B-X", "NER") == "B-X" and attribute("ANER=B-X", "NER") is None
    assert with_attribute("_", "NER", "B-X") == "NER=B-X" and with_attribute("NER=B-X", "NER", None) == "_"
    assert with_attribute("A=1|NER=B-X|B=2", "NER", "I-X") == "A=1|B=2|NER=I-X"


def test_written_names_are_read_again(nlp: Pipeline, tmp_path: Path) -> None:
    said = nlp.predict([sentence.words() for sentence in TRAIN])
    write(said, tmp_path / "said.conllu")
    again: list[Any] = names_of(tmp_path / "said.conllu")
    assert [labels_of(sentence) for sentence in again] == [labels_of(sentence) for sentence in said]


def test_names_have_readings_and_confidences_and_the_usual_readings_are_those_of_the_parser(
    nlp: Pipeline,
) -> None:
    words = [sentence.words() for sentence in TRAIN[:3]]
    usual = nlp.predict_kbest(words, 3)
    assert len({tuple(s.column("head")) for s, _ in usual[0]}) == len(usual[0])
    of_names = nlp.predict_kbest(words, 3, stage="names")
    assert len({tuple(labels_of(s)) for s, _ in of_names[0]}) == len(of_names[0]) > 1
    again = Pipeline.of_model(Model.from_bytes(nlp.model_.to_bytes()), "x")
    again.calibrate(TRAIN)
    assert "names" not in again.predict_confidence(words)[0]
    gold = [s.with_column("misc", labels_of_misc(s)) for s in TRAIN]
    sure = again.calibrate(gold).predict_confidence(words)
    assert len(sure[0]["names"].parts) == len(words[0])


def labels_of_misc(sentence: Sentence) -> list[str]:
    return ["NER=B-LOC" if word in NAMES else "_" for word in sentence.words()]
