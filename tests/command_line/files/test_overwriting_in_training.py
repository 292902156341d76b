"""Training overwrites none of its inputs, by whatever path it is told to."""

from __future__ import annotations

import os

import pytest

from structron.cli import main

FILES = ("t.conllu", "d.conllu", "r.toml", "features.txt")


@pytest.fixture
def place(folder, tmp_path, monkeypatch):
    """A folder of inputs, in which the command is run."""
    (tmp_path / "t.conllu").write_bytes((folder / "train.conllu").read_bytes())
    (tmp_path / "d.conllu").write_bytes((folder / "dev.conllu").read_bytes())
    (tmp_path / "r.toml").write_text("epochs = 1\n")
    (tmp_path / "features.txt").write_text("w[0]\n")
    (tmp_path / "link").symlink_to("t.conllu")
    os.link(tmp_path / "t.conllu", tmp_path / "hard")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("t.conllu -o t.conllu", "t.conllu: -o would overwrite TRAIN"),
        ("t.conllu -o ./t.conllu", "-o would overwrite TRAIN"),
        ("{place}/t.conllu -o t.conllu", "-o would overwrite TRAIN"),
        ("t.conllu -o link", "link: -o would overwrite TRAIN"),
        ("link -o t.conllu", "-o would overwrite TRAIN"),
        ("t.conllu -o hard", "-o would overwrite TRAIN"),
        ("t.conllu --dev d.conllu -o d.conllu", "-o would overwrite --dev"),
        ("t.conllu --recipe r.toml -o r.toml", "-o would overwrite --recipe"),
        ("t.conllu --templates features.txt -o features.txt", "-o would overwrite --templates"),
        ("t.conllu -o m --plot m", "-o and --plot are the same file"),
        ("t.conllu -o m.svg --plot m.png", "-o and --plot are the same file"),
        ("t.conllu -o m --plot t.conllu", "--plot would overwrite TRAIN"),
        ("m.checkpoint -o m", "the checkpoint would overwrite TRAIN"),
        ("t.conllu --dev m.interrupted -o m", "an interrupted model would overwrite --dev"),
        ("t.conllu -o -", "-o -: a model cannot go to standard output; name a file"),
        ("t.conllu -o /dev/null", "/dev/null: this is a device or a pipe"),
        ("t.conllu -o m --plot none/p.png", "none/p.png: its folder does not exist"),
    ],
)
def test_an_output_that_is_an_input_is_refused(args, said, place, capsys):
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    assert main(["train", "tagging", *args.format(place=place).split()]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line and line.startswith("structron: ") and "; " in line
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def test_a_model_may_be_trained_again_and_stand_beside_its_data(place, capsys):
    for _ in range(2):
        assert (
            main(["train", "tagging", "t.conllu", "--dev", "t.conllu", "--recipe", "r.toml", "-o", "t"]) == 0
        )
    assert "model saved: t" in capsys.readouterr().err
