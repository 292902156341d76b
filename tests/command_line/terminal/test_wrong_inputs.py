"""Whatever is wrong with an input, there is one sentence and an exit code; never a traceback."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

TREE = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
FILES = {
    "empty": b"",
    "blank": b"\n \n\n",
    "nul": b"a\0b c\n\0\0\n",
    "binary": bytes(range(256)) * 20,
    "cut.gz": gzip.compress(TREE.encode() * 500)[:-20],
    "damaged.gz": b"\x1f\x8b" + bytes(range(100)),
    "word": b"x" * 100_000 + b"\n",
    "returns": b"a b\rc d\r",
    "half": b"a\xed\xa0\x80b c\n",
    "comments.conllu": b"# only\n\n",
    "ragged.tsv": b"a\tb\nc\n\n",
    "negative.conllu": TREE.replace("\t2\t", "\t-1\t").encode(),
    "targetless.tsv": b"a\t\nb\tB\n",
    "wide": "the dog\n".encode("utf-16"),
    "fine.conllu": TREE.encode(),
}


@pytest.fixture(scope="module")
def wrong(run, models, tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("wrong")
    found = {"folder": folder, "missing": folder / "no" / "such", "null": Path("/dev/null")}
    for name, content in FILES.items():
        found[name] = folder / name
        found[name].write_bytes(content)
    found["tags"] = models["slash"]
    found["cut.model"] = folder / "cut.model"
    found["cut.model"].write_bytes(models["slash"].read_bytes()[:3000])
    (folder / "pairs.tsv").write_text("hot\tHH AA T\ntop\tT AA P\n")
    for task, data in (("parsing", "fine.conllu"), ("transduction", "pairs.tsv")):
        found[task] = folder / f"{task}.model"
        run("train", task, folder / data, "-o", found[task], "--epochs", 1)
    return found


BAD_DATA = [name for name in FILES if name not in ("fine.conllu", "word", "returns", "negative.conllu")]
CASES = [
    *(f"evaluate @{model} @{name}" for model in ("tags", "parsing", "transduction") for name in BAD_DATA[:7]),
    *(f"evaluate @{name} @fine.conllu --task {task}" for task in ("tagging", "parsing") for name in BAD_DATA),
    *(f"{command} @{name}" for command in ("align", "info") for name in [*BAD_DATA[:7], "folder", "missing"]),
    *(
        f"predict @{name} @fine.conllu"
        for name in ("empty", "binary", "cut.model", "folder", "missing", "null")
    ),
    *(
        f"predict @tags @{name}"
        for name in ("nul", "binary", "cut.gz", "damaged.gz", "half", "wide", "returns")
    ),
    *(f"show @{model} --input @empty" for model in ("tags", "parsing", "transduction")),
    *(f"audit {task} @{name}" for task in ("tagging", "transduction") for name in ("empty", "nul", "folder")),
    *(f"predict @tags @fine.conllu --encoding {name}" for name in ("idna", "hex", "undefined", "nix")),
    *("predict @parsing @fine.conllu --search exact", "predict @tags @fine.conllu --search dp:8"),
    *("predict @tags @fine.conllu -o @missing", "predict @tags @fine.conllu -o /dev/full"),
    *("align @folder/pairs.tsv -o @missing", "show @parsing dogs/NOUN --svg @folder"),
    *("show @parsing dogs/NOUN --gold 9:x", "show @parsing dogs/NOUN --gold x", "show @tags a --gold X"),
    *("audit parsing @fine.conllu --search exact", "audit parsing @fine.conllu --learner swvp"),
    *(f"explain @tags --input @{name}" for name in ("nul", "binary", "half", "folder", "missing")),
    *(f"explain @{name} dogs" for name in ("empty", "binary", "cut.model", "folder", "missing")),
    *(
        "explain @tags dogs --search zzz",
        "explain @tags dogs --search beam:0",
        "explain en dogs --search dp:8",
    ),
    *(f"info @tags --corpus @{name}" for name in ("empty", "binary", "half", "folder", "missing")),
    *(f"select @tags @{name}" for name in ("empty", "nul", "binary", "half", "folder", "missing", "cut.gz")),
    *("select @tags @fine.conllu -o @missing", "select @cut.model @fine.conllu"),
    *(
        f"calibrate @tags @{name} -o @folder/c.model"
        for name in ("empty", "nul", "binary", "half", "missing")
    ),
    *("calibrate en @fine.conllu -o @folder/c.model", "calibrate @tags @fine.conllu -o @missing"),
    *("calibrate @tags @fine.conllu -o @tags", "calibrate @tags @fine.conllu -o @folder/c --plot @missing"),
    *(
        f"{command} tagging @{name} --dev @fine.conllu"
        for command in ("tune", "curve")
        for name in ("empty", "nul", "binary", "half", "folder", "missing", "comments.conllu")
    ),
    *(
        f"{command} tagging @fine.conllu --folds 2 {more}"
        for command in ("tune", "curve")
        for more in ("--set zzz=1", "--set epochs", "--set epochs=x", "--plot @missing", "--dev @fine.conllu")
    ),
    *(
        f"evaluate @tags @fine.conllu {more}"
        for more in ("--errors @missing", "--errors @folder", "--errors @tags", "--errors @fine.conllu")
    ),
    *("evaluate @tags @fine.conllu --plot @missing", "evaluate @tags @fine.conllu --plot @folder"),
    *(
        "evaluate @tags @fine.conllu --csv --json",
        "evaluate @tags @empty --csv",
    ),
    *(
        f"evaluate @tags @fine.conllu --against @{name}"
        for name in ("missing", "empty", "binary", "cut.model")
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_told_in_one_sentence(in_process, wrong, case):
    names = sorted(wrong, key=len, reverse=True)
    parts = []
    for part in case.split():
        name = next((name for name in names if part.startswith(f"@{name}")), None)
        parts.append(part if name is None else f"{wrong[name]}{part[len(name) + 1 :]}")
    code, said = in_process(*parts)
    told = [line for line in said.splitlines() if line.startswith("structron")]
    assert code == 1 and len(told) == 1 and "; " in told[0], (code, said)
    assert "Traceback" not in said


def test_a_way_out_is_offered_where_it_is_one(in_process, wrong):
    for command, is_one in (("predict", True), ("select", True), ("explain --input", False)):
        name, *more = command.split()
        code, said = in_process(name, str(wrong["tags"]), *more, str(wrong["half"]))
        assert code == 1 and "not UTF-8; " in said and ("--skip-bad" in said) == is_one


@pytest.fixture
def in_process(capfd, monkeypatch):
    """The command in this process: there are many cases, and each would wait for its own to start."""
    from structron.cli import main

    def call(*args: str) -> tuple[int, str]:
        code = main(list(args))
        return code, capfd.readouterr().err

    return call
