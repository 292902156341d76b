"""What pipelines answer besides the best analysis, and the formats of results."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import structron
from structron import Pipeline, SettingError
from structron.io import read
from structron.io.formats.raw_text import Document as Text
from structron.io.formats.raw_text import Paragraph
from structron.metrics import score_of
from structron.tasks.pipeline.results.formats import FORMATS, formatted
from structron.tasks.pipeline.results.judging import judged
from tests.pipelines import treebank

TRAIN, DEV = treebank(60), treebank(12, seed=2)


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    stages = ("segmenter", "upos", "xpos", "feats", "lemma", "parser")
    return Pipeline(prefer="speed", folds=2, stages=stages).fit(TRAIN, dev=DEV)


@pytest.mark.parametrize("start", ["text", "words"])
def test_the_score_of_each_stage_is_the_row_of_the_table(nlp: Pipeline, start: str) -> None:
    table = nlp.evaluate(DEV, start)
    found = judged(DEV, nlp.analysed(DEV, start), nlp.stages_, from_text=start == "text")
    rows = {"upos": "UPOS", "xpos": "XPOS", "lemma": "Lemmas", "parser": "LAS"}
    for stage, row in rows.items():
        assert score_of(found[stage]) == pytest.approx(table[row].f1), stage
    assert ("segmenter" in found) == (start == "text")


def test_a_sentence_that_was_cut_otherwise_has_heads_elsewhere() -> None:
    gold = DEV[:2]
    joined = read_back(
        "".join(["\t".join([str(i), *row[1:6], "0" if i == 1 else "1", *row[7:]]) + "\n"
                 for i, row in enumerate((row for each in gold for row in each.tokens), 1)]) + "\n"
    )  # fmt: skip
    found = judged([bare(each) for each in gold], joined, ("upos", "parser"), from_text=True)
    assert all(each.is_right for each in found["upos"])
    assert all(head == -1 for _, head in found["parser"][1].heads) and not found["segmenter"][1].is_right


def bare(sentence: Any) -> Any:
    """A sentence without its multiword tokens and empty nodes."""
    return type(sentence)(sentence.tokens, sentence.format)


def read_back(text: str) -> list[Any]:
    import io

    return list(read(io.BytesIO(text.encode()), format="conllu"))


def test_the_best_reading_is_the_prediction_and_later_stages_follow(nlp: Pipeline) -> None:
    predicted = nlp.predict(DEV)
    for sentence, best in zip(predicted, nlp.predict_kbest(DEV, 3)):
        scores = [score for _, score in best]
        assert scores == sorted(scores, reverse=True) and 1 <= len(best) <= 3
        assert len({tuple(map(tuple, each.rows)) for each, _ in best}) == len(best)
        assert [each.column("upos") for each, _ in best] == [sentence.column("upos")] * len(best)
    by_tags = nlp.predict_kbest(DEV, 2, stage="xpos")
    assert all(a.column("xpos") != b.column("xpos") or a.column("upos") != b.column("upos")
               or a.column("feats") != b.column("feats") for (a, _), (b, _) in by_tags)  # fmt: skip
    again = nlp.predict([a for (a, _), _ in by_tags], "tags")
    assert [each.column("head") for each in again] == [a.column("head") for (a, _), _ in by_tags]
    with pytest.raises(SettingError, match="stage segmenter has no other readings; choose one of upos"):
        nlp.predict_kbest(DEV, 2, stage="segmenter")


def test_confidence_needs_a_calibration_and_is_kept_in_the_file(nlp: Pipeline, tmp_path: Any) -> None:
    with pytest.raises(SettingError, match="never calibrated"):
        nlp.predict_confidence(DEV)
    nlp.save(tmp_path / "m")
    sure = Pipeline.load(tmp_path / "m").calibrate(DEV)
    sure.save(tmp_path / "sure")
    found = structron.load(tmp_path / "sure").predict_confidence(DEV)
    assert found == sure.predict_confidence(DEV)
    for sentence, by_stage in zip(DEV, found):
        assert set(by_stage) == {"upos+xpos+feats", "parser"}
        assert all(len(each.parts) == len(sentence) for each in by_stage.values())
        assert all(0 <= part <= 1 for each in by_stage.values() for part in each.parts)
    assert sure.predict(DEV)[0].rows == nlp.predict(DEV)[0].rows


def test_the_strongest_features_are_those_of_each_stage(nlp: Pipeline) -> None:
    found = nlp.strongest(DEV, 3)
    assert set(found) == {"upos+xpos+feats", "parser"} and all(len(each) == 3 for each in found.values())
    assert not any("\t" in each.label for own in found.values() for each in own)
    label = found["parser"][0].label
    assert set(nlp.strongest(DEV, 3, label)) == {"parser"}
    with pytest.raises(SettingError, match="no weights for 'nonsense'"):
        nlp.strongest(DEV, 3, "nonsense")


def paragraphs(text: str) -> Iterator[Paragraph]:
    document = Text()
    for at, part in ((0, text), (len(text), text)):
        yield Paragraph(part, at, document, "the text")


def test_every_format_has_all_sentences_with_offsets_of_the_whole_text(nlp: Pipeline) -> None:
    text = "the dog saw . the man ran .\n\n"
    results = {name: "".join(
        each if isinstance(each, str) else each.found.conllu()
        for each in formatted([nlp.analysed_paragraphs(list(paragraphs(text)))], name)
    ) for name in FORMATS}  # fmt: skip
    count = results["conllu"].count("# sent_id")
    assert results["text"].count("\n") == results["html"].count("<svg") == count
    lines = [json.loads(line) for line in results["json"].splitlines()]
    assert [line["start"] for line in lines] == [0, len(text)] and [line["text"] for line in lines] == [
        text
    ] * 2
    assert sum(len(line["sentences"]) for line in lines) == count
    for token in (token for line in lines for each in line["sentences"] for token in each["tokens"]):
        assert (text + text)[token["start"] : token["end"]] == token["text"]


def test_noun_chunks_have_their_place_in_the_text(nlp: Pipeline) -> None:
    text = "the old  dog saw the man ."
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for chunk in nlp(text).noun_chunks:
            assert " ".join(text[chunk.start : chunk.end].split()) == chunk.text
