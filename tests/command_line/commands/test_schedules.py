"""Batches, shards, threads and clusters on the command line."""

from __future__ import annotations

import importlib.util

import pytest


def train(run, folder, model, *more):
    files = (folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", model)
    return run("train", "tagging", *files, "--epochs", 3, *more)


@pytest.mark.parametrize("schedule", [("--batch", 8), ("--shards", 3, "--mixing", "errors")], ids=str)
def test_threads_change_no_byte_of_a_model_or_an_output(run, folder, tmp_path, schedule):
    one, two = tmp_path / "one", tmp_path / "two"
    train(run, folder, one, *schedule)
    said = train(run, folder, two, *schedule, "--threads", 2).stderr
    assert one.read_bytes() == two.read_bytes()
    assert "waited" in said
    out = [tmp_path / name for name in ("a", "b")]
    run("predict", one, folder / "dev.conllu", "-o", out[0])
    run("predict", one, folder / "dev.conllu", "-o", out[1], "--threads", 3)
    assert out[0].read_bytes() == out[1].read_bytes()
    figures = [run("evaluate", one, folder / "dev.conllu", "--json", "--threads", n).stdout for n in (1, 2)]
    assert figures[0] == figures[1]


def test_what_cannot_be_is_refused_before_the_data_are_read(run, folder, tmp_path):
    def said(*more):
        return train(lambda *a: run(*a, check=1), folder, tmp_path / "m", *more).stderr

    assert "--workers is for a cluster" in said("--workers", 2)
    assert "a cluster trains in batches or on shards" in said("--cluster", "auto")
    assert "4 workers for 2 shards" in said("--cluster", "auto", "--workers", 4, "--shards", 2)
    assert "cannot wait for a batch" in said("--update", "laso", "--batch", 2)
    assert "mixing = 'all' is not known" in said("--shards", 2, "--mixing", "all")
    if importlib.util.find_spec("ray") is None:
        assert "Ray is not installed; pip install" in said("--cluster", "auto", "--batch", 8)


def test_several_files_are_one_corpus_and_errors_say_which(run, folder, tmp_path):
    lines = (folder / "train.conllu").read_text().split("\n\n")
    for name, part in (("a", lines[:70]), ("b", lines[70:])):
        (tmp_path / "parts").mkdir(exist_ok=True)
        (tmp_path / "parts" / f"{name}.conllu").write_text("\n\n".join(part) + "\n\n")

    def made(name, *places, **more):
        return run("train", "tagging", *places, "-o", tmp_path / name, "--epochs", 2, **more).stderr

    made("one", folder / "train.conllu")
    said = made("many", tmp_path / "parts")
    assert "a.conllu and " in said and "(2 files): 150 sentences" in said
    made("pattern", tmp_path / "parts" / "*.conllu")
    assert len({(tmp_path / name).read_bytes() for name in ("one", "many", "pattern")}) == 1
    with (tmp_path / "parts" / "b.conllu").open("a") as file:
        file.write("1\tbroken\n\n")
    at = len((tmp_path / "parts" / "b.conllu").read_text().splitlines()) - 1
    assert f"b.conllu:{at}: " in made("bad", tmp_path / "parts", check=1)
    said = made("mixed", tmp_path / "parts" / "a.conllu", folder / "train.tsv", check=1)
    assert "train.tsv:1: this file is columns (form label), and" in said


def test_a_stream_is_told_and_gives_the_bytes_of_memory(run, folder, tmp_path):
    one, two, shards = tmp_path / "one", tmp_path / "two", tmp_path / "shards"
    train(run, folder, one, "--block", 40, "--bits", 12)
    said = train(run, folder, two, "--block", 40, "--bits", 12, "--stream", shards).stderr
    assert one.read_bytes() == two.read_bytes()
    assert "train.conllu: 150 sentences, " in said
    again = train(run, folder, two, "--block", 50, "--bits", 12, "--stream", shards).stderr
    assert "these shards are of other data, templates or settings; packing new ones" in again
    files = (folder / "train.conllu", "-o", tmp_path / "m", "--stream", shards)
    assert (
        "--stream: parsing is learned from data in memory" in run("train", "parsing", *files, check=1).stderr
    )
    said = run("train", "tagging", "-", "-o", tmp_path / "m", "--stream", shards, check=1).stderr
    assert "standard input comes once; give files" in said
