"""White space in tokens: only where the training data had it, in files of today and of before."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from structron import Pipeline, Segmenter, load
from structron.io import read
from structron.tasks.segmentation import SegmentationTask, WordTask

TEXTS = ["It costs 10 000 dollars. Go on!", "We have 20 000 and 30 000 of them.", "Go! 10 000 men go on."]
WHOLE = [
    [["It", "costs", "10 000", "dollars", "."], ["Go", "on", "!"]],
    [["We", "have", "20 000", "and", "30 000", "of", "them", "."]],
    [["Go", "!"], ["10 000", "men", "go", "on", "."]],
]
APART = [[[word for token in sentence for word in token.split()] for sentence in text] for text in WHOLE]
WAYS = [
    {},
    {"ends": "yes"},
    {"units": "characters"},
    {"units": "characters", "ends": "no"},
    {"system": "words"},
    {"system": "joint"},
    {"search": "beam:4", "learner": "mira", "dictionary": 0},
]
# Marks that were never seen beside line ends, and the numbers of above.
NEW = "10 000 - _not_\n> 30 000 ...\n--\n\t*\u00a0*\u2028_ 10\n000 men"


def tagged(gold: list[Any], way: dict[str, str]) -> list[Any]:
    if way.get("system") != "joint":
        return gold
    return [[[(token, "X") for token in sentence] for sentence in text] for text in gold]


def learned(gold: list[Any], way: dict[str, str], **more: Any) -> Segmenter:
    settings: Any = {"epochs": 4, **way, **more}
    return Segmenter(**settings).fit(TEXTS * 3, tagged(gold, way) * 3)


def held(segmenter: Segmenter, text: str = NEW) -> list[str]:
    """The tokens with white space, of the best and of the three best ways to cut a text."""
    best = [segmenter.predict(text), *(way for way, _ in segmenter.predict_kbest([text], 3)[0])]
    tokens = [token for way in best for sentence in way for token in sentence.tokens]
    assert all(text[token.start : token.end] == token.text for token in tokens)
    return [token.text for token in tokens if any(map(str.isspace, token.text))]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_token_holds_none_unless_one_did_in_training(way: dict[str, str], tmp_path: Path) -> None:
    without, having = learned(APART, way), learned(WHOLE, way)
    assert not without.model_.task.spaces and having.model_.task.spaces
    assert held(without) == [] and held(having)
    for segmenter in (without, having):
        segmenter.save(tmp_path / "m")
        again = Segmenter.load(tmp_path / "m")
        assert again.model_.task.spaces == segmenter.model_.task.spaces
        assert again.predict(NEW) == segmenter.predict(NEW)
        assert "".join(load(tmp_path / "m").explain("10 000 _\n>").output.split())


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_file_that_does_not_say_so_shows_it_by_its_weights(
    way: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without, having = learned(APART, way), learned(WHOLE, way)
    for task in (SegmentationTask, WordTask):
        own = task.header
        monkeypatch.setattr(
            task, "header", lambda self, own=own: {k: v for k, v in own(self).items() if k != "spaces"}
        )
    without.save(tmp_path / "without")
    having.save(tmp_path / "having")
    assert not Segmenter.load(tmp_path / "without").model_.task.spaces
    assert Segmenter.load(tmp_path / "having").model_.task.spaces
    assert Segmenter.load(tmp_path / "having").predict(NEW) == having.predict(NEW)


def test_of_shared_weights_nothing_is_concluded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = SegmentationTask.header
    monkeypatch.setattr(
        SegmentationTask, "header", lambda self: {k: v for k, v in own(self).items() if k != "spaces"}
    )
    learned(WHOLE, {}, bits=12).save(tmp_path / "m")
    assert not Segmenter.load(tmp_path / "m").model_.task.spaces


@pytest.mark.parametrize("system", ["labels", "words"])
def test_a_later_batch_may_bring_it(system: str) -> None:
    segmenter = Segmenter(system=system)
    for _ in range(4):
        segmenter.partial_fit(TEXTS, APART, classes=["J"] if system == "labels" else None)
    assert not segmenter.model_.task.spaces
    for _ in range(8):
        segmenter.partial_fit(TEXTS, WHOLE)
    assert segmenter.model_.task.spaces and "10 000" in held(segmenter, TEXTS[0])


def test_gold_with_white_space_is_cut_where_a_model_knows_none() -> None:
    segmenter = learned(APART, {"ends": "yes"})
    trace = segmenter.trace(TEXTS[0], WHOLE[0])
    assert trace.gold(trace.final).actions == segmenter.trace(TEXTS[0], APART[0]).gold(trace.final).actions


ROWS = """1	10 000	10 000	NUM	_	_	2	nummod	_	_
2	men	man	NOUN	_	_	3	nsubj	_	_
3	go	go	VERB	_	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	_	_	3	punct	_	_

1-2	de le	_	_	_	_	_	_	_	_
1	de	de	ADP	_	_	3	case	_	_
2	le	le	DET	_	_	3	det	_	_
3	men	man	NOUN	_	_	0	root	_	_

"""


def test_a_pipeline_puts_one_blank_before_any_stage_sees_it() -> None:
    nlp = Pipeline(prefer="speed", folds=2).fit(list(read(io.StringIO(ROWS * 8), format="conllu")))
    text = "10\n000 men go. de\t le men\n\n10 \u00a0000 men go."
    doc = nlp(text)
    forms = [(word.form, word.lemma) for word in doc.words]
    assert forms[:2] == [("10 000", "10 000"), ("men", "man")] and forms[4:6] == [("de", "de"), ("le", "le")]
    assert forms[7] == ("10 000", "10 000")
    tokens = [token for sentence in doc for token in sentence.tokens]
    assert [token.text for token in tokens if any(map(str.isspace, token.text))] == [
        "10\n000", "de\t le", "10 \u00a0000",
    ]  # fmt: skip
    assert all(text[token.start : token.end] == token.text for token in tokens)
    back = list(read(io.StringIO(doc.to_conllu()), format="conllu"))
    assert [(s.comments, s.rows) for s in back] == [(s.rows.comments, s.rows.rows) for s in doc]
