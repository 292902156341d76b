"""Labelled texts: tables as others write them, columns by name or number, and all of it back again."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import DataError, SettingError
from structron.io import Report
from structron.io.formats.documents import read_documents


def read(text: str, format: str, **options: Any) -> list[tuple[Any, Any]]:
    found = read_documents(io.BytesIO(text.encode()), format=format, **options)
    return [(each.labels, each.content) for each in found]


def back(text: str, format: str, labels: list[str], **options: Any) -> str:
    found = read_documents(io.BytesIO(text.encode()), format=format, bare=True, **options)
    return "".join(each.answered([label], False) for each, label in zip(found, labels, strict=True))


CELLS = st.text(st.sampled_from('ab,;"\n é\t|'), max_size=6)


ROWS = st.lists(st.tuples(CELLS, st.sampled_from(["x", "y;z", 'q"r']), CELLS), min_size=1, max_size=4)


@given(ROWS, st.sampled_from(",;\t|"), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_tables_are_read_as_pythons_own_writer_writes_them(rows: Any, separator: str, quoting: Any) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator="\n")
    writer.writerows([("other", "label", "text"), *rows])
    wanted = [((label,), text) for _, label, text in rows]
    assert read(out.getvalue(), "csv") == wanted
    if separator == "\t":
        assert read(out.getvalue(), "tsv") == wanted
    assert back(out.getvalue(), "csv", [label for _, label, _ in rows]) == out.getvalue()


def test_pandas_is_understood() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"text": ['a "b"\nc', "d;e", "f"], "label": ["x", "y", "x y"], "n": [1, 2.5, None]}
    )
    for sep in ",;\t":
        for index in (True, False):
            text = frame.to_csv(sep=sep, index=index)
            assert [content for _, content in read(text, "csv")] == list(frame["text"])
            assert back(text, "csv", list(frame["label"])) == text
    assert read(frame.to_csv(header=False, index=False), "csv", columns=["text", "label", "n"])[1] == (
        ("y",),
        "d;e",
    )


def test_columns_are_found_by_name_or_number() -> None:
    table = "topic|subject\nx|a b\n"
    assert read(table, "csv", columns={"text": "subject", "label": "topic"}) == [(("x",), "a b")]
    assert read("a b;x\nc;y\n", "csv", columns={"text": 0, "label": 1}) == [(("x",), "a b"), (("y",), "c")]
    assert read("n\ta b\tx\n", "tsv", columns={"text": -2, "label": -1}) == [(("x",), "a b")]
    assert read("a b\tx\n", "tsv", columns=["text", "label"]) == [(("x",), "a b")]
    assert read("label\ttext\nx\ta\n", "tsv") == [(("x",), "a")]
    assert read("x\ttext\n", "tsv", bare=True) == [(("x",), "text")], "a text, and no header"
    rows = '{"body": "a", "topic": 3, "n": 1}\n{"body": "b", "topic": ["x"]}\n'
    named = {"text": "body", "label": "topic"}
    assert read(rows, "jsonl", columns=named) == [(("3",), "a"), (("x",), "b")]
    assert back(rows, "jsonl", ["4", "y"], columns=named) == rows.replace("3", "4").replace("x", "y")
    for columns, message in (
        ({"text": "subject", "label": 1}, "both by name or both by number"),
        ({"form": 0}, "documents have no column form; name text and label"),
        ({"label": 1}, "no column is called text"),
        ({"text": 5, "label": 0}, "1: 2 columns, and --columns asks for another; count them from 0"),
    ):
        with pytest.raises((SettingError, DataError), match=message):
            read(table, "csv", columns=columns)
    with pytest.raises(SettingError, match="svmlight numbers its columns itself"):
        read("1 2:3\n", "svmlight", columns=named)
    with pytest.raises(SettingError, match="members of an object have names"):
        read(rows, "jsonl", columns=["text", "label"])


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("csv", 'label,text\nx,"a" b\n', "2: there is text after the closing quote of a field"),
        ("csv", 'label,text\nx,"a\nb\n', "2: a quote is opened but not closed"),
        ("csv", "label,text,text\nx,a,b\n", "1: two columns have one name"),
        ("csv", "label,text\n,a\n", "2: there is no label; fix"),
        ("tsv", " \ta\n", "1: there is no label; fix"),
        ("jsonl", '{"text": "a", "label": " "}\n', "1: there is no label; fix"),
        ("jsonl", '{"text": "a", "labels": "x"}\n', '1: "labels" is not a list of texts'),
    ],
)
def test_what_is_wrong_is_told_by_its_line(format: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=f"^\\(stream\\):{message}"):
        read(text, format)
    if "two columns" not in message:  # which is about the whole file
        report = Report()
        assert read(text, format, skip_bad=True, report=report) == [] and report.bad == 1


def test_a_long_text_is_one_field() -> None:
    text = "word\n" * 100_000
    assert read(f'label,text\nx,"{text}"\ny,b\n', "csv") == [(("x",), text), (("y",), "b")]


def test_objects_come_back_as_they_were_written() -> None:
    for line in ('{"text":"a","n":[1,2]}', '{"text": "\\u00e9", "n": null}', '{"text": "é", "label": "x"}'):
        out = back(line + "\n", "jsonl", ["y"])
        assert json.loads(out) == json.loads(line) | {"label": "y"}
        assert out.startswith(line.partition(', "label"')[0].removesuffix("}"))


@pytest.mark.parametrize("text", ["", "\n", " \n\n"])
@pytest.mark.parametrize("format", ["csv", "tsv"])
@pytest.mark.parametrize("columns", [None, {"text": "text", "label": "label"}])
def test_a_table_without_lines_has_no_rows(text: str, format: str, columns: Any) -> None:
    assert read(text, format, columns=columns) == []
    assert list(read_documents(io.BytesIO(text.encode()), format=format, columns=columns, bare=True)) == []
