"""Annotation tools: what is written is read again, labels and spans are each other, and misfits are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron import DataError, Pipeline, SettingError
from structron.io.annotations import (
    TOOLS,
    AnnotatedText,
    LabelledSpan,
    json_of,
    labels_of_spans,
    read_annotated,
    read_brat,
    spans_of_labels,
    write_annotated,
    write_brat,
)
from structron.io.values.labels import SCHEMES, illegal, spans

TEXT = AnnotatedText("Änne 😀 saw\nNew York.", (LabelledSpan(0, 4, "PER"), LabelledSpan(11, 19, "LOC")))
KINDS = ("B-PER", "I-PER", "B-LOC", "I-LOC", "E-PER", "S-LOC", "O")


@pytest.mark.parametrize("tool", ["prodigy", "doccano"])
def test_what_is_written_for_a_tool_is_read_again(tool: str, tmp_path: Path) -> None:
    place = tmp_path / "texts.jsonl"
    texts = [TEXT, AnnotatedText("nothing", ())]
    write_annotated(texts, place, tool)
    found = list(read_annotated(place))
    assert [(each.text, each.spans) for each in found] == [(each.text, each.spans) for each in texts]
    assert len(place.read_text().splitlines()) == 2


def test_label_studio_gets_a_list_of_predictions_and_its_annotations_are_read(tmp_path: Path) -> None:
    place = tmp_path / "tasks.json"
    write_annotated([TEXT, TEXT], place, "label-studio")
    tasks = json.loads(place.read_text())
    assert [task["data"]["text"] for task in tasks] == [TEXT.text] * 2
    (prediction,) = tasks[0]["predictions"]
    value = {"start": 11, "end": 19, "text": "New York", "labels": ["LOC"]}
    assert prediction["result"][1] == {
        "from_name": "label", "to_name": "text", "type": "labels", "value": value,
    }  # fmt: skip
    accepted = [{"data": task["data"], "annotations": task["predictions"]} for task in tasks]
    place.write_text(json.dumps(accepted))
    assert [each.spans for each in read_annotated(place)] == [TEXT.spans] * 2


def test_prodigy_gets_tokens() -> None:
    places = [(0, 4), (5, 6), (7, 10), (11, 14), (15, 19), (19, 20)]
    found = json_of(TEXT, "prodigy", places)
    assert [token["text"] for token in found["tokens"]] == ["Änne", "😀", "saw", "New", "York", "."]
    assert [token["ws"] for token in found["tokens"]] == [True, True, True, True, False, False]
    assert (found["spans"][1]["token_start"], found["spans"][1]["token_end"]) == (3, 4)


def test_brat(tmp_path: Path) -> None:
    place = tmp_path / "a.ann"
    write_brat(TEXT, place)
    assert place.read_text().splitlines()[0] == "T1\tPER 0 4\tÄnne"
    assert (tmp_path / "a.txt").read_text() == TEXT.text
    place.write_text(place.read_text() + "R1\tlives Arg1:T1 Arg2:T2\n#1\tNote T1\tsure\n")
    found = read_brat(place)
    assert (found.text, found.spans) == (TEXT.text, TEXT.spans)
    over = AnnotatedText("New\nYork", (LabelledSpan(0, 8, "LOC"),))
    write_brat(over, place)
    assert read_brat(place).spans == over.spans


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("T1\tPER 0 4;5 6\tx\n", r"a.ann:1: span 0 4;5 6 has several pieces; mark it as one"),
        ("\nT1\tPER zero 4\tx\n", r"a.ann:2: .* is not T1 TAB LABEL START END TAB TEXT; "),
        ("T1 PER 0 4\n", r"a.ann:1: 'T1 PER 0 4' is not T1 TAB"),
        ("T1\tPER 0 4\tAnna\n", r"a.ann:1: span 0:4 should be 'Anna' but is 'Änne'; count characters"),
        ("T1\tPER 0 99\tÄnne\n", r"a.ann: span 0:99 is not in the text of 20 characters"),
        ("T1\tPER 0 4\tÄnne\nT2\tPER 2 4\tne\n", r"a.ann: spans 'Änne' and 'ne' overlap"),
    ],
)
def test_what_is_wrong_in_brats_files_is_told_with_its_line(lines: str, said: str, tmp_path: Path) -> None:
    write_brat(TEXT, tmp_path / "a.ann")
    (tmp_path / "a.ann").write_text(lines)
    with pytest.raises(DataError, match=said):
        read_brat(tmp_path / "a.ann")


def test_other_things_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "b.ann").write_text("")
    with pytest.raises(DataError, match=r"the text .*b.txt is missing; put it beside"):
        read_brat(tmp_path / "b.ann")
    with pytest.raises(DataError, match=r"c.txt: brat's annotations are in a file x.ann"):
        write_brat(TEXT, tmp_path / "c.txt")
    for call in (lambda: json_of(TEXT, "brat"), lambda: write_annotated([], tmp_path / "d", "brat")):
        with pytest.raises(SettingError, match="there is no tool 'brat'; choose one of prodigy, doccano"):
            call()
    with pytest.raises(DataError, match="2 words have 1 labels; give one for each"):
        spans_of_labels("a b", [(0, 1), (2, 3)], ["O"])


@given(st.lists(st.sampled_from(KINDS), max_size=8), st.sampled_from(SCHEMES))
def test_labels_are_spans_and_each_label_out_of_place_is_named(labels: list[str], scheme: str) -> None:
    words = [f"w{i}" for i in range(len(labels))]
    places = [(3 * i, 3 * i + 2) for i in range(len(labels))]
    found, wrong = spans_of_labels(" ".join(words), places, labels, scheme=scheme)
    assert (illegal(labels, scheme) is None) == (not wrong)
    assert [(span.start // 3, (span.end + 1) // 3, span.label) for span in found.spans] == spans(labels)
    again, misfits = labels_of_spans(found, places)
    assert not misfits and illegal(again, "bio") is None and spans(again) == spans(labels)


def test_mismatches_are_named() -> None:
    places = [(0, 4), (5, 8), (9, 13)]
    _, wrong = spans_of_labels("Anna saw Rome", places, ["I-PER", "O", "I-LOC"], place="x:7")
    assert wrong == ["x:7: word 1 'Anna' has I-PER at the beginning", "x:7: word 3 'Rome' has I-LOC after O"]
    _, wrong = spans_of_labels("Anna saw Rome", places, ["O", "O", "B-LOC"], scheme="bioes")
    assert wrong == ["(memory): B-LOC of the last word begins a span that does not end"]
    text = AnnotatedText(
        "Anna saw Rome", (LabelledSpan(0, 2, "A"), LabelledSpan(2, 8, "B"), LabelledSpan(8, 9, "C"))
    )
    labels, wrong = labels_of_spans(text, places)
    assert labels == ["O"] * 3
    assert [one.partition(": ")[2] for one in wrong] == [
        "span 0:2 'An' begins or ends inside a word, of 'Anna'",
        "span 2:8 'na saw' begins or ends inside a word, of 'Anna saw'",
        "span 8:9 ' ' has no word in it",
    ]


def test_a_document_goes_to_every_tool() -> None:
    nlp = Pipeline.load("en")
    text = "Yesterday Angela Merkel went to Berlin."
    found = nlp(text).annotated()
    assert found.text == text and [text[s:e] for s, e, _ in found.spans] == ["Angela Merkel", "Berlin"]
    words = nlp(text.rstrip(".").split()).annotated()
    assert words.text == text.rstrip(".") and words.spans == found.spans
    assert all(json_of(found, tool) for tool in TOOLS)
