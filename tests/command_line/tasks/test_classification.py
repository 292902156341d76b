"""train, predict, evaluate, show, info and audit on labelled texts."""

from __future__ import annotations

import json

import pytest

LINES = "spam\tcheap pills now\nham\tmeeting at noon\nspam\tcheap offer now\nham\tnotes of the meeting\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory, run):
    folder = tmp_path_factory.mktemp("texts")
    (folder / "train.tsv").write_text(LINES)
    done = run("train", "classification", folder / "train.tsv", "-o", folder / "model", "--epochs", 3)
    assert "4 documents" in done.stderr and "2 labels" in done.stderr
    return folder / "model"


def test_a_text_goes_in_and_its_label_comes_out(run, model):
    done = run("predict", model, stdin="cheap pills\nthe meeting\n")
    assert done.stdout == "spam\tcheap pills\nham\tthe meeting\n"
    best = [
        line.split("\t") for line in run("predict", model, "--kbest", 2, stdin="cheap\n").stdout.splitlines()
    ]
    assert [(row[0], row[2]) for row in best] == [("1", "spam"), ("2", "ham")]


def test_labels_are_scored_and_shown(run, model):
    figures = json.loads(run("evaluate", model, model.parent / "train.tsv", "--json").stdout)
    assert figures["accuracy"] == figures["micro_f1"] == figures["macro_f1"] == 1.0
    shown = run("show", model, "cheap meeting", "--gold", "ham").stdout
    assert "spam" in shown and "gold" in shown and "cheap +" in shown
    assert "classification of texts, 2 labels" in run("info", model).stdout


def test_a_line_without_a_label_is_told(run, tmp_path):
    (tmp_path / "bad.tsv").write_text("spam\tcheap\nno label\n")
    done = run("train", "classification", tmp_path / "bad.tsv", "-o", tmp_path / "m", check=1)
    assert "bad.tsv:2: one column where label TAB text is needed" in done.stderr


def test_theorems_are_checked(run, model):
    done = run("audit", "classification", model.parent / "train.tsv", "--learner", "perceptron")
    assert "Every update fixed a violation" in done.stdout


def test_weight_vectors_vote(run, model):
    voted = model.parent / "voted"
    done = run("train", "classification", model.parent / "train.tsv", "-o", voted, "--epochs", 3, "--voted")
    assert "votes are kept in memory until training ends; there is no checkpoint" in done.stderr
    assert run("predict", voted, stdin="cheap pills\n").stdout == "spam\tcheap pills\n"
    assert "12.000  guess" in run("show", voted, "cheap pills").stdout
    assert "weight vector" in run("info", voted).stdout


def test_a_pipe_says_its_format(run, model):
    rows = '{"text": "cheap pills"}\n{"text": "the meeting"}\n'
    done = run("predict", model, "--format", "jsonl", stdin=rows)
    assert done.stdout == (
        '{"text": "cheap pills", "label": "spam"}\n{"text": "the meeting", "label": "ham"}\n'
    )
    tagging = ("train", "tagging", model.parent / "train.tsv", "--format", "csv", "-o", "m")
    refused = run(*tagging, check=1).stderr
    assert "unknown format 'csv'; choose one of conllu" in refused


def test_info_fits_the_terminal_and_says_what_was_changed(run, model, tmp_path):
    (tmp_path / "numbers.svm").write_text("1 1:30 2:1\n-1 1:-29 2:1\n")
    own = ("--templates", "characters", "--epochs", 1)
    run("train", "classification", model.parent / "train.tsv", "-o", tmp_path / "texts", *own)
    run("train", "classification", tmp_path / "numbers.svm", "-o", tmp_path / "numbers")
    said = run("info", tmp_path / "texts").stdout
    assert "changed     epochs 1, templates characters" in said and "intercept   a" not in said
    assert max(map(len, said.splitlines()[1:])) <= 80
    # As large as the inputs are long, as a power of two.
    assert "intercept   a feature that is 32 for every input" in run("info", tmp_path / "numbers").stdout


def test_an_input_of_another_kind_is_refused_by_file_and_line(run, model, tmp_path):
    (tmp_path / "numbers.svm").write_text("spam 1:0.5 2:1\n")
    for command in ("predict", "evaluate"):
        done = run(command, model, tmp_path / "numbers.svm", check=1)
        assert f"{tmp_path}/numbers.svm:1: this model was trained on texts, and X has named" in done.stderr


def test_a_blank_line_among_numbers_has_no_numbers(run, tmp_path):
    (tmp_path / "train.svm").write_text("a 1:1\nb 2:1\n\na 1:2\n")
    run("train", "classification", tmp_path / "train.svm", "-o", tmp_path / "m", "--epochs", 2)
    (tmp_path / "new.svm").write_text("1:3\n\n2:1\n")
    done = run("predict", tmp_path / "m", tmp_path / "new.svm")
    assert done.stdout == "a 1:3\n\nb 2:1\n"


def test_csv_without_a_line_of_names_is_refused_also_with_skip_bad(run, model, tmp_path):
    (tmp_path / "new.csv").write_text("spam,cheap pills\nham,noon\n")
    done = run("predict", model, tmp_path / "new.csv", "--skip-bad", check=1)
    assert done.stdout == "" and "new.csv:1: the first line names no columns label and text" in done.stderr
    assert "Traceback" not in done.stderr


TABLE = (
    'id;subject;topic;"note"\n1;"cheap; ""pills""\nnow";spam;"a"\n2;meeting at noon;ham;\n'
    "3;cheap offer now;spam;b\n4;notes of the meeting;ham;c\n"
)


def test_tables_go_in_and_come_out_as_they_are(run, model, tmp_path):
    """As pandas writes them: other separators, quoted line ends, columns by their names."""
    (tmp_path / "t.csv").write_text(TABLE)
    named = ("--columns", "text=subject,label=topic")
    run("train", "classification", tmp_path / "t.csv", "-o", tmp_path / "m", "--epochs", 5, *named)
    assert run("predict", tmp_path / "m", tmp_path / "t.csv", *named).stdout == TABLE
    figures = json.loads(run("evaluate", tmp_path / "m", tmp_path / "t.csv", *named, "--json").stdout)
    assert figures["accuracy"] == 1.0 and figures["documents"] == 4
    # The wrong labels are replaced; where there are none, they get a column at the end.
    (tmp_path / "u.csv").write_text(TABLE.replace("spam", "?").replace("ham", "?"))
    assert run("predict", tmp_path / "m", tmp_path / "u.csv", *named).stdout == TABLE
    (tmp_path / "v.csv").write_text('n,text\n1,"cheap, cheap"\n\n2,the meeting\n')
    out = run("predict", tmp_path / "m", tmp_path / "v.csv").stdout
    assert out == 'n,text,label\n1,"cheap, cheap",spam\n\n2,the meeting,ham\n'
    assert run("predict", tmp_path / "m", tmp_path / "t.csv", check=1).stderr.endswith(
        "t.csv:1: the first line names no columns label and text; write label,text, or say which they are "
        "with --columns text=NAME,label=NAME\n"
    )
    wrong = ("--columns", "text=subjekt,label=topic")
    done = run("train", "classification", tmp_path / "t.csv", "-o", tmp_path / "no", *wrong, check=1)
    assert done.stderr.endswith(
        "t.csv:1: no column is called 'subjekt'; the first line names id, subject, topic, note\n"
    )
    done = run("predict", tmp_path / "m", tmp_path / "v.csv", "--columns", "text=a,label=b", check=1)
    assert done.stderr.endswith("v.csv:1: no column is called 'a'; the first line names n, text\n")
    # What was predicted can be scored later, and shown.
    run("predict", tmp_path / "m", tmp_path / "u.csv", "-o", tmp_path / "p.csv", *named)
    assert "accuracy    100.00 %" in run("evaluate", tmp_path / "p.csv", tmp_path / "t.csv", "--task",
                                         "classification", *named).stdout  # fmt: skip
    assert "spam" in run("show", tmp_path / "m", "--input", tmp_path / "t.csv", *named).stdout


def test_confidence_stands_where_the_format_has_room(run, model, tmp_path):
    (tmp_path / "t.csv").write_text("label,text\n" + LINES.replace("\t", ","))
    given = ("--dev", tmp_path / "t.csv", "--calibrate", "--epochs", 3)
    run("train", "classification", tmp_path / "t.csv", "-o", tmp_path / "m", *given)
    lines = run("predict", tmp_path / "m", tmp_path / "t.csv", "--confidence").stdout.splitlines()
    assert lines[0] == "label,text,confidence" and lines[1].startswith("spam,cheap pills now,0.")
    out = run(
        "predict", tmp_path / "m", "--confidence", "--format", "jsonl", stdin='{"text":"cheap"}\n'
    ).stdout
    assert out.startswith('{"text":"cheap","label":"spam","confidence":0.')
    assert run("predict", tmp_path / "m", "--confidence", stdin="cheap\n").stdout.startswith(
        "spam\tcheap\t0."
    )


def test_numbers_come_back_with_their_columns(run, tmp_path):
    text = "1 1:30 2:1 # one\n-1 1:-29 2:1\n"
    (tmp_path / "n.svm").write_text(text)
    run("train", "classification", tmp_path / "n.svm", "-o", tmp_path / "m")
    assert run("predict", tmp_path / "m", tmp_path / "n.svm").stdout == text
    (tmp_path / "u.svm").write_text("1:30 2:1 # one\n?  1:-29 2:1\n")
    assert run("predict", tmp_path / "m", tmp_path / "u.svm").stdout == text


def test_names_of_a_header_are_for_documents(run, model):
    rows = "a\tX\nb\tY\n\n"
    named = ("--format", "columns", "--columns", "form=0,label=tag", "-o", "m")
    refused = run("train", "tagging", "-", *named, stdin=rows, check=1).stderr
    assert "column label=tag: these columns have no header; write label=0" in refused
