"""Pictures come as PNG and SVG, and the demo leaves all that it promises."""

from __future__ import annotations


def is_png(path):
    return path.read_bytes().startswith(b"\x89PNG")


def test_training_curves_are_drawn_with_and_without_a_dev_set(run, folder, tmp_path):
    args = [
        "train",
        "tagging",
        folder / "train.txt",
        "-o",
        tmp_path / "m",
        "--epochs",
        2,
        "--search",
        "greedy",
    ]
    done = run(*args, "--update", "standard", "--dev", folder / "dev.txt", "--plot", tmp_path / "with.png")
    assert "with.png and" in done.stderr
    run(*args, "--plot", tmp_path / "without.svg")
    for name in ("with", "without"):
        assert is_png(tmp_path / f"{name}.png")
        svg = (tmp_path / f"{name}.svg").read_text()
        assert "invalid" in svg and ("score on the development set" in svg) == (name == "with")


def test_the_demo_leaves_corpus_models_and_figures(run, tmp_path):
    out = tmp_path / "out"
    done = run("demo", "--quick", "--sentence", "Birds can fly.", "--output", out)
    assert done.stdout.startswith("From raw text to trees\nBirds can fly.\n") and "nsubj" in done.stdout[:300]
    for name in ("figure3.png", "figure4.png"):
        assert is_png(out / name) and (out / name).with_suffix(".svg").stat().st_size > 1000
    for update in ("standard", "early", "max-violation"):
        assert done.stdout.count(f"{update} ") >= 4
    for what in ("gold falls off the beam", "Bayes limit", "invalid", "Try next", "(invalid)"):
        assert what in done.stdout
    assert run("evaluate", out / "model.safetensors", out / "test.conllu").stdout.startswith("accuracy")
    shown = next(line for line in done.stdout.splitlines() if " show " in line)
    assert "after-one-epoch.safetensors" in shown
    assert "\x1b" not in done.stdout
