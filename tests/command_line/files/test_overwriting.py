"""No command writes over what it reads, by whatever path."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def work(folder, models, tmp_path):
    for name, source in (("in.txt", folder / "dev.txt"), ("m.model", models["slash"])):
        (tmp_path / name).write_bytes(source.read_bytes())
    (tmp_path / "p.tsv").write_text("phone\tF OW N\nhone\tHH OW N\n")
    os.link(tmp_path / "m.model", tmp_path / "same.model")
    (tmp_path / "link.txt").symlink_to("in.txt")
    return tmp_path


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("predict {m.model} {in.txt} -o {m.model}", "-o would overwrite MODEL"),
        ("predict {m.model} {in.txt} -o {same.model}", "-o would overwrite MODEL"),
        ("predict {m.model} {in.txt} -o {in.txt}", "-o would overwrite INPUT"),
        ("predict {m.model} {link.txt} -o {in.txt}", "-o would overwrite INPUT"),
        ("predict {m.model} {p.tsv} {in.txt} -o {.}/", "-o would overwrite INPUT"),
        ("align {p.tsv} -o {p.tsv}", "-o would overwrite PAIRS"),
        ("align {p.tsv} --inventory {p.tsv}", "--inventory would overwrite PAIRS"),
        ("align {p.tsv} -o {new} --inventory {new}", "-o and --inventory are the same file"),
        ("align {p.tsv} --inventory -", "-o and --inventory are the same file"),
        ("show {m.model} words --svg {m.model}", "--svg would overwrite MODEL"),
        ("show {m.model} --input {in.txt} --svg {in.txt}", "--svg would overwrite --input"),
        ("audit tagging {plot.svg} --plot {plot.png}", "--plot would overwrite DATA"),
        ("audit tagging {in.txt} --plot -", "name a file"),
    ],
)
def test_an_output_that_is_an_input_is_refused(run, work, args, said):
    (work / "plot.svg").write_bytes((work / "in.txt").read_bytes())
    before = {path.name: path.read_bytes() for path in work.iterdir()}
    parts = [
        str(work / part[1:].split("}")[0]) + part.partition("}")[2] if part[0] == "{" else part
        for part in args.split()
    ]
    done = run(*parts, check=1)
    assert said in done.stderr and done.stderr.count("\n") == 1 and not done.stdout
    assert {path.name: path.read_bytes() for path in work.iterdir()} == before
