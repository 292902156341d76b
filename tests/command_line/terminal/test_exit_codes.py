"""0 fine, 1 refused with one sentence, 2 usage; never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["train", "weather", "x", "-o", "y"], 2, "there is no task 'weather'; the tasks are: tagging"),
        (["train", "tagging", "x"], 2, "--output"),
        (["train", "tagging", "{train}", "-o", "y", "--epochs", "many"], 2, "--epochs"),
        (["train", "tagging", "{train}", "-o", "y", "--columns", "form=a"], 2, "form=0,pos=1,label=2"),
        (["nonsense"], 2, "No such command 'nonsense'"),
        (["show", "{model}"], 2, "--input FILE"),
        (["predict"], 2, "MODEL"),
        (
            ["train", "tagging", "missing.txt", "-o", "{folder}/y"],
            1,
            "missing.txt: no such file or directory; check",
        ),
        (["train", "tagging", "{train}", "-o", "/no/such/folder/m"], 1, "its folder does not exist"),
        (["train", "tagging", "{train}", "-o", "{folder}"], 1, "this is a folder"),
        (
            ["train", "tagging", "{train}", "-o", "{folder}/y", "--search", "beem:4"],
            1,
            "use exact, greedy, beam:8",
        ),
        (
            ["train", "tagging", "{train}", "-o", "{folder}/y", "--update", "soon"],
            1,
            "use one of standard, early",
        ),
        (
            ["train", "tagging", "{train}", "-o", "{folder}/y", "--learner", "mira:0"],
            1,
            "0 guesses is not possible",
        ),
        (
            ["train", "tagging", "{train}", "-o", "{folder}/y", "--learner", "swvp:beta=0"],
            1,
            "beta 0.0 is not possible",
        ),
        (
            ["train", "tagging", "{train}", "-o", "{folder}/y", "--epochs", "0"],
            1,
            "epochs = 0 is not possible",
        ),
        (["train", "tagging", "{train}", "-o", "{folder}/y", "--templates", "zz"], 1, "neither a preset"),
        (["train", "tagging", "{train}", "-o", "{folder}/y", "--recipe", "no.toml"], 1, "no such recipe"),
        (["train", "tagging", "{train}", "-o", "{folder}/y", "--target", "lemma"], 1, "no column 'lemma'"),
        (["predict", "missing.model", "{train}"], 1, "missing.model"),
        (["predict", "{train}", "{train}"], 1, "train.txt"),
        (["predict", "{model}", "missing.txt"], 1, "missing.txt: no such file or directory"),
        (["predict", "{model}", "{folder}"], 1, "is a directory"),
        (["predict", "{model}", "{train}", "-o", "/no/such/folder/out"], 1, "cannot be written"),
        (["predict", "{chunks}", "{train}", "--format", "text"], 1, "train.txt:1: the model reads 2 columns"),
        (
            ["show", "{chunks}", "a b"],
            1,
            "words: the model reads 2 columns of each token but there is 1; give",
        ),
        (["show", "{model}", "a b", "--gold", "X"], 1, "2 words but 1 gold tags"),
        (
            ["show", "{model}", "--svg"],
            2,
            "structron show: Option '--svg' requires an argument; see structron",
        ),
        (
            ["serve", "{model}", "--port", "x"],
            2,
            "structron serve: Invalid value for '--port': 'x' is not a wh",
        ),
        (["show", "{model}", "a/NN b/NONE"], 1, "the model has no label 'NONE'"),
        (["show", "{model}", "--input", "{train}", "--sentence", "9999"], 1, "there is no sentence 9999"),
    ],
)
def test_refusals_are_one_sentence(args, code, said, run, folder, models):
    places = {
        "train": folder / "train.txt",
        "folder": folder,
        "model": models["slash"],
        "chunks": models["chunks"],
    }
    done = run(*(arg.format(**places) for arg in args), check=code)
    assert done.stdout == ""
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("structron")


@pytest.mark.parametrize("args", [["--help"], ["train", "--help"]])
def test_help_waits_for_nothing_heavy(args):
    check = (
        f"import sys; from structron.cli import main; code = main({args}); "
        "heavy = {'numpy', 'rich', 'matplotlib', 'safetensors', 'structron._core'} & set(sys.modules); "
        "sys.exit(f'loaded {heavy}' if heavy else code)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    for command in (
        ("tagging", "parsing") if len(args) > 1 else ("train", "predict", "evaluate", "show", "info")
    ):
        assert command in done.stdout


@pytest.mark.parametrize("module", ["structron", "structron.cli"])
def test_modules_run_as_commands(module):
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and done.stdout.startswith("structron ")


def test_without_matplotlib_a_plot_is_refused_before_any_work(folder, tmp_path):
    # A finder that knows no matplotlib stands in for a machine without it.
    check = (
        "import importlib.util, sys; find = importlib.util.find_spec; "
        "importlib.util.find_spec = lambda name, *a: None if name == 'matplotlib' else find(name, *a); "
        "from structron.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    args = [
        "train",
        "tagging",
        str(folder / "train.txt"),
        "-o",
        str(tmp_path / "m"),
        "--plot",
        str(tmp_path / "p.png"),
    ]
    done = subprocess.run([sys.executable, "-c", check, *args], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "pip install matplotlib" in done.stderr and not (tmp_path / "m").exists()
