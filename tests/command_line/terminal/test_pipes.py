"""Standard output is pure, pipes are answered at once, and a reader who leaves early causes no noise."""

from __future__ import annotations

import subprocess
import threading

import pytest


def answered(process: subprocess.Popen[bytes], question: str, lines: int) -> list[str]:
    """What comes back while standard input is still open."""
    process.stdin.write(question.encode())
    process.stdin.flush()
    found: list[str] = []

    def listen() -> None:
        found.extend(process.stdout.readline().decode() for _ in range(lines))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    listener.join(timeout=60)
    if len(found) < lines:
        process.kill()
        pytest.fail("no answer while the pipe is open")
    return found


@pytest.mark.parametrize(
    ("model", "format_name", "question", "lines"),
    [
        ("slash", "text", "the dog ran .\n", 1),
        ("slash", None, "the dog ran .\n", 1),
        ("slash", "slash", "the/x dog/x ran/x ./x\n", 1),
        ("conllu", None, "the dog ran .\n", 1),
        ("conllu", "conllu", "1\tdogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n\n", 2),
        ("columns", "columns", "dogs\nran\n\n", 3),
    ],
)
def test_a_co_process_gets_each_answer_before_it_asks_again(
    model, format_name, question, lines, start, models
):
    args = ["--format", format_name] if format_name else []
    process = start("predict", models[model], *args)
    try:
        first = answered(process, question, lines)
        assert "".join(first).strip()
        assert answered(process, question, lines) == first
        process.stdin.close()
        assert process.stdout.read() == b"" and process.wait(60) == 0
    finally:
        _end(process)


def test_a_pipeline_answers_a_paragraph_before_the_next_one_comes(start):
    process = start("predict", "en")
    try:
        first = answered(process, "Dogs bark.\n\n", 8)
        assert "# text = Dogs bark.\n" in first and first[-2].startswith("3\t.") and first[-1] == "\n"
        second = answered(process, "Cats sleep.\n\n", 7)
        assert "# sent_id = 2\n" in second and "TokenRange=12:16" in second[3]
        process.stdin.close()
        assert process.stdout.read() == b"" and process.wait(60) == 0
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    process.wait()


def test_training_says_nothing_on_standard_output(run, training, tmp_path):
    done = run(*training, "-o", tmp_path / "m", "--epochs", 2)
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert "train.txt: 150 sentences, " in lines[0]
    assert [line.split(":")[0] for line in lines if line.startswith("epoch ")] == ["epoch 1/2", "epoch 2/2"]
    assert "invalid" in done.stderr and "best" in done.stderr and "model saved:" in done.stderr
    assert "\x1b" not in done.stderr


def test_training_data_may_come_from_a_pipe(run, folder, models, tmp_path):
    model = tmp_path / "m"
    text = (folder / "train.conllu").read_text()
    run("train", "tagging", "-", "-o", model, "--epochs", 3, "--order", 1, "--format", "conllu", stdin=text)
    assert model.read_bytes() == models["conllu"].read_bytes()


def test_a_reader_who_leaves_is_no_error(start, folder, models, tmp_path):
    long = tmp_path / "long.txt"
    long.write_text((folder / "train.txt").read_text() * 100)
    process = start("predict", models["slash"], long)
    try:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
    finally:
        _end(process)


def test_an_output_file_is_whole_or_as_it_was(run, folder, models, tmp_path):
    out, bad = tmp_path / "out.txt", tmp_path / "bad.tsv"
    out.write_text("before")
    bad.write_text((folder / "dev.tsv").read_text() * 30 + "a\tb\tc\n\n")
    run("predict", models["columns"], bad, "-o", out, check=1)
    assert out.read_text() == "before" and sorted(p.name for p in tmp_path.iterdir()) == [
        "bad.tsv",
        "out.txt",
    ]
