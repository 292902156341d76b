"""`structron audit`: a table and sentences on standard output, a picture where one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]

EXACT = ("--search", "exact", "--update", "standard", "--order", 1, "--sample", 3, "--limit", 500)


def test_a_table_and_what_it_says(run: Run, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "proof.png"
    learner = "swvp:single,wm,aggressive"
    done = run("audit", "tagging", folder / "train.conllu", *EXACT, "--learner", learner, "--plot", picture)
    lines = done.stdout.splitlines()
    assert lines[0] == "search exact, update standard, learner swvp:single,wm,aggressive,beta=1"
    assert lines[2].split() == ["all", "outputs", "mixed", "assignments", "updates", "made"]
    assert any(line.startswith("bound on updates") for line in lines)
    assert "Every update fixed a violation: condition (2) holds." in lines
    assert picture.is_file() and picture.with_suffix(".svg").is_file()


def test_invalid_updates_are_told(run: Run, folder: Path) -> None:
    greedy = ("--search", "greedy", "--update", "standard", "--learner", "perceptron", "--passes", 4)
    done = run("audit", "tagging", folder / "train.conllu", *greedy, "--sample", 40, "--limit", 1)
    assert "fixed no violation" in done.stdout
    assert "There are too many all prefixes to list" in done.stdout


def test_what_cannot_be_is_refused_in_one_sentence(run: Run, folder: Path) -> None:
    data = folder / "train.conllu"
    for options, said in (
        (("--learner", "swvp:beta=0"), "beta 0.0 is not possible"),
        (("--update", "never"), "update 'never' is not known"),
        (("--search", "beam:0"), "beam"),
    ):
        done = run("audit", "tagging", data, *options, check=1)
        assert said in done.stderr and done.stderr.count("\n") == 1 and not done.stdout


def test_one_bound_from_two_labels_to_hidden_derivations(run: Run) -> None:
    lines = run("audit", "--line").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line[42:].split() for line in lines[1:5]]
    assert [line.split()[0] for line in lines[1:5]] == ["binary", "multiclass", "structured", "latent"]
    outputs = [int(row[0]) for row in rows]
    assert outputs == sorted(set(outputs)), "ever more outputs"
    for _, updates, radius, margin, bound in rows:
        assert (
            0 < int(updates) <= float(bound) == pytest.approx((float(radius) / float(margin)) ** 2, rel=0.02)
        )


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("samples")
    trees = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    trees += "1\tsee\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\tdogs\t_\tNOUN\t_\t_\t1\tobj\t_\t_\n\n"
    pairs = "phone\tF OW N\nhone\tHH OW N\ntone\tT OW N\nx\tZ Z Z Z Z Z Z\n"
    (folder / "trees.conllu").write_text(trees)
    (folder / "pairs.tsv").write_text(pairs)
    return dict.fromkeys(("tagging", "parsing"), folder / "trees.conllu") | {
        "transduction": folder / "pairs.tsv"
    }


@pytest.mark.parametrize(
    ("task", "options"),
    [("tagging", ()), ("parsing", ()), ("parsing", ("--system", "graph")), ("transduction", ())],
)
def test_every_task_is_audited_with_its_own_defaults(
    run: Run, samples: dict[str, Path], task: str, options: tuple[str, ...]
) -> None:
    done = run("audit", task, samples[task], "--passes", 3, *options)
    assert "bound on updates" in done.stdout and "Every update fixed a violation" in done.stdout
