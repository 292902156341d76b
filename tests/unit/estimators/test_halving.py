"""Search for settings, cross-validation and learning curves, in Python and on the command line."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from structron import Classifier, DataError, SettingError, Tagger
from structron.cli.app import main
from structron.fit import logged
from structron.fit.trials.halving import Data, Trial, best_of, curve, draw_settings, halve, race, rungs
from structron.io import Format, Sentence, write
from structron.io.files.atomic_write import write_atomically
from structron.registry import recipe_of
from structron.settings import settings_of
from structron.synthetic import generate_treebank

TREES = generate_treebank(150, np.random.default_rng(5))
WORDS = [list(t.words) for t in TREES]
TAGS = [list(t.tags) for t in TREES]


def test_what_is_drawn_is_different_and_begins_with_the_usual() -> None:
    space = {"a": [1, 2, 3], "b": ["x", "y"]}
    for budget in (1, 4, 6, 50):
        found = draw_settings(space, budget, np.random.default_rng(0))
        assert found[0] == {"a": 1, "b": "x"} and len(found) == min(budget, 6)
        assert len({repr(each) for each in found}) == len(found)
    many = draw_settings({str(i): list(range(9)) for i in range(9)}, 20, np.random.default_rng(0))
    assert len({repr(each) for each in many}) == 20
    assert draw_settings({}, 3, np.random.default_rng(0)) == [{}]


def test_the_rungs_end_with_one_setting_and_all_data() -> None:
    assert rungs(20, 9000) == [(20, 333), (7, 1000), (3, 3000), (1, 9000)]
    assert rungs(1, 50) == [(1, 50)] and rungs(4, 40, 2) == [(4, 30), (2, 30), (1, 40)]
    for settings in range(1, 30):
        found = rungs(settings, 500)
        assert found[0][0] == settings and found[-1] == (1, 500)


def test_the_best_goes_on_and_nothing_is_tried_twice() -> None:
    asked: list[tuple[int, int]] = []

    class Guess:
        history_ = ()

        def __init__(self, value: int) -> None:
            self.value = value

        def fit(self, X: list[Any], y: Any = None, dev: Any = None) -> Guess:
            asked.append((self.value, len(X)))
            return self

        def score(self, X: Any, y: Any = None) -> float:
            return self.value / 10

    def make(settings: Any) -> Any:
        if settings["v"] == 5:
            raise SettingError("v = 5 is not possible; give another")
        return lambda: Guess(settings["v"])

    data = Data(list(range(300)), dev=[1])
    trials = halve(make, data, {"v": [1, 2, 3, 4, 5, 9]}, 6)
    assert best_of(trials) == Trial({"v": 9}, 300, 0.9) and asked[-1] == (9, 300)
    assert [each.said for each in trials if each.score is None] == ["v = 5 is not possible; give another"]
    asked.clear()
    again = halve(make, data, {"v": [1, 2, 3, 4, 5, 9]}, 6, known=trials)
    assert again == trials and not asked
    with pytest.raises(SettingError, match="no setting could be tried: v = 5 is not possible"):
        best_of(halve(make, data, {"v": [5]}, 1))


class Late:
    """An estimator whose score depends on how much it learned from; the usual one is best of much."""

    history_ = ()
    asked: ClassVar[list[tuple[str, int]]] = []

    def __init__(self, name: str) -> None:
        self.name = name

    def fit(self, X: list[Any], y: Any = None, dev: Any = None) -> Late:
        self.asked.append((self.name, len(X)))
        self.seen = len(X)
        return self

    def score(self, X: Any, y: Any = None) -> float:
        if self.name == "usual":
            return 0.1 if self.seen < 900 else 0.9
        return 0.5 + int(self.name[-1]) / 100


def late(settings: Any) -> Any:
    if settings["v"] == "broken":
        raise SettingError("v = broken is not possible; give another")
    return lambda: Late(settings["v"])


OTHER_NAMES = [f"other{i}" for i in range(8)]


def test_the_usual_settings_are_tried_on_all_data_whatever_they_scored_before() -> None:
    Late.asked.clear()
    told: list[tuple[int, int]] = []
    data = Data(list(range(900)), dev=[1])
    trials = halve(
        late, data, {"v": ["usual", *OTHER_NAMES]}, 9, on_trial=lambda _, n, total: told.append((n, total))
    )
    assert best_of(trials) == Trial({"v": "usual"}, 900, 0.9)
    assert Late.asked[-2:] == [("usual", 900), ("other7", 900)]
    assert ("usual", 300) not in Late.asked, "between the first and the last rung it is as all others"
    assert told[-1] == (14, 14) and len(trials) == 14
    # What was refused once is not asked again, and a usual setting that wins all the way is tried once.
    assert [each.said for each in halve(late, data, {"v": ["broken", "other1"]}, 2)].count("") == 2
    Late.asked.clear()
    halve(late, Data(list(range(1800)), dev=[1]), {"v": ["other7", "other1", "other2"]}, 3)
    assert Late.asked[3:] == [("other7", 1800)]


def test_of_equal_scores_on_all_data_the_usual_settings_win() -> None:
    data = Data(list(range(90)), dev=[1])
    trials = halve(lambda each: lambda: Late("other1"), data, {"v": [1, 2, 3]}, 3)
    assert best_of(trials).settings == {"v": 1}


def test_trials_before_a_training_end_with_the_usual_settings_and_cost_no_more() -> None:
    Late.asked.clear()
    settings = [{"v": name} for name in ["usual", *OTHER_NAMES]]
    trials = race(late, Data(list(range(2700)), dev=[1]), settings, rungs_left=2)
    assert [each.settings["v"] for each in trials[9:]] == ["usual", "other7", "other6"]
    assert best_of(trials).settings == {"v": "usual"}
    assert sum(n for _, n in Late.asked) <= 2 * 2700


def test_folds_are_scored_by_what_the_others_taught() -> None:
    labels = ["ab"[len(x) > 8] for x in WORDS]
    texts = [" ".join(x) for x in WORDS]
    data = Data(texts[:60], labels[:60], folds=3)
    make = lambda: Classifier(epochs=1)  # noqa: E731
    found = data.score(make, 60, np.random.default_rng(0))
    order = np.array_split(np.random.default_rng(0).permutation(60), 3)
    scores = []
    for own in order:
        rest = [i for part in order if part is not own for i in part]
        scores.append(
            make()
            .fit([texts[i] for i in rest], [labels[i] for i in rest])
            .score([texts[i] for i in own], [labels[i] for i in own])
        )
    assert found == pytest.approx(np.mean(scores))


def test_a_curve_grows_by_doubling_up_to_all() -> None:
    data = Data(WORDS[:80], TAGS[:80], dev=(WORDS[80:110], TAGS[80:110]))
    found = curve(lambda: Tagger(epochs=1, order=0), data, 3)
    assert [each.examples for each in found] == [20, 40, 80]
    whole = Tagger(epochs=1, order=0).fit(WORDS[:80], TAGS[:80], dev=(WORDS[80:110], TAGS[80:110]))
    assert found[-1].score == whole.history_[-1].dev_score
    assert (found[0].score or 0) < (found[-1].score or 0)


def test_what_cannot_be_is_refused() -> None:
    for bad, said in (
        (lambda: Data([1, 2]), "score on development data, or on at least 2 folds"),
        (lambda: Data([1, 2], dev=[1], folds=3), "score on development data, or on at least 2 folds"),
        (lambda: draw_settings({"a": []}, 2, np.random.default_rng(0)), "no values to try for a"),
        (lambda: draw_settings({}, 0, np.random.default_rng(0)), "budget = 0 is not possible"),
        (lambda: rungs(3, 3, 1), "eta = 1 is not possible"),
        (lambda: curve(Tagger, Data([1, 2], dev=[1]), 1), "points = 1 is not possible"),
    ):
        with pytest.raises(SettingError, match=said):
            bad()
    with pytest.raises(DataError, match="2 examples are too few; give at least 5"):
        Data([1, 2], folds=5)


def test_epochs_are_logged_by_one_hook() -> None:
    seen: list[tuple[str, float, int]] = []
    log = logged(lambda name, value, step: seen.append((name, value, step)), "run/")
    tagger = Tagger(epochs=2, order=0).fit(
        WORDS[:20], TAGS[:20], dev=(WORDS[20:30], TAGS[20:30]), on_epoch=log
    )
    own = {(name, step): value for name, value, step in seen}
    for epoch in tagger.history_:
        assert own["run/dev_score", epoch.epoch] == epoch.dev_score
        assert own["run/updates", epoch.epoch] == epoch.updates
    assert {step for _, step in own} == {1, 2}


# ------------------------------------------------------------------------------------------- the command line


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune")
    made = [Sentence.of(words, tags, Format("slash")) for words, tags in zip(WORDS, TAGS)]
    write(made[:100], folder / "train.txt")
    write(made[100:], folder / "dev.txt")
    return folder


def run(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    found = main(list(map(str, args)))
    out, err = capsys.readouterr()
    assert found == code, (out, err)
    return out, err


def test_the_printed_command_repeats_the_best(world, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = tmp_path / "trials.json"
    args = ["tune", "tagging", world / "train.txt", "--dev", world / "dev.txt", "--budget", 4, "-o", record]
    args += [
        "--set",
        "order=1|0",
        "--set",
        "templates=pos|ner",
        "--set",
        "epochs=2",
        "--set",
        "half=true|false",
    ]
    out, err = run(capsys, *args)
    command = next(line for line in out.splitlines() if line.startswith("structron train"))
    best = float(re.findall(r"^ *([0-9.]+) +100  ", out, re.MULTILINE)[0])
    assert err.count(" examples: ") == 7 and max(map(len, out.splitlines()[:-1])) <= 80
    run(capsys, *shlex.split(command)[1:], "--calibrate")
    found = Tagger.load(tmp_path / "best.model")
    assert 100 * max(e.dev_score for e in found.history_) == pytest.approx(best, abs=0.006)
    assert found.predict_confidence([["the", "dog"]])
    # Half of the record is enough to go on, and the end is the same.
    whole = json.loads(record.read_text())
    record.write_text(json.dumps(whole | {"trials": whole["trials"][:3]}))
    again, _ = run(capsys, *args, "--resume")
    assert again == out and json.loads(record.read_text()) == whole
    assert "there are trials already; give --resume" in run(capsys, *args, code=1)[1]
    said = run(capsys, *args, "--resume", "--seed", 1, code=1)[1]
    assert "it was made with other data or settings; choose another name" in said
    record.write_text('{"made": 1, "trials": [{"settings": 3}]}')
    assert "this is not a record of tune; choose another name" in run(capsys, *args, "--resume", code=1)[1]


def test_what_was_tried_before_a_kill_is_not_tried_again(world, tmp_path, capsys, monkeypatch) -> None:
    def args(name: str) -> list[object]:
        files = [world / "train.txt", "--dev", world / "dev.txt"]
        return ["tune", "tagging", *files, "--budget", 4, "--set", "epochs=3", "-o", tmp_path / name]

    whole, _ = run(capsys, *args("whole.json"))
    killed = subprocess.Popen(
        [sys.executable, "-m", "structron", *map(str, args("killed.json"))], stderr=subprocess.PIPE, text=True
    )
    assert killed.stderr is not None
    next(line for line in killed.stderr if line.startswith("2 of "))
    killed.kill()  # SIGKILL, in the middle of the third
    assert killed.wait() == -signal.SIGKILL
    before = json.loads((tmp_path / "killed.json").read_text())["trials"]
    assert 2 <= len(before) < 7
    # Whenever it is killed again, nothing is lost: the record only grows.
    written: list[int] = []

    def write(place: str, text: str) -> None:
        written.append(len(json.loads(text)["trials"]))
        write_atomically(place, text)

    monkeypatch.setattr("structron.io.files.atomic_write.write_atomically", write)
    again, err = run(capsys, *args("killed.json"), "--resume")
    assert written == list(range(len(before) + 1, 8)) and err.count("(known)") == len(before)
    assert again == whole
    assert json.loads((tmp_path / "killed.json").read_text())["trials"][: len(before)] == before
    assert [each.name for each in tmp_path.iterdir() if each.suffix != ".json"] == []


OTHERS: dict[str, tuple[str, str]] = {
    "parsing": (
        "train.conllu",
        "1\tdogs\t_\tN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tV\t_\t_\t0\troot\t_\t_\n\n" * 6,
    ),
    "transduction": ("train.tsv", "phone\tF OW N\nknight\tN AY T\ntip\tT IH P\n" * 3),
    "classification": ("train.tsv", "x\tgood\ny\tbad thing\nx\tgood thing\n" * 3),
    "segmentation": (
        "train.conllu",
        "1\tGo\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t.\t_\t_\t_\t_\t1\tx\t_\t_\n\n" * 6,
    ),
    "semantics": ("train.tsv", "capital of texas\tanswer(capital(id(texas)))\nutah\tanswer(id(utah))\n" * 4),
}


@pytest.mark.parametrize("task", OTHERS)
def test_every_task_says_what_is_worth_trying(task, tmp_path, capsys) -> None:
    name, text = OTHERS[task]
    (tmp_path / name).write_text(text)
    file, fixed = tmp_path / name, ["--set", "epochs=1"]
    out, err = run(capsys, "tune", task, file, "--dev", file, "--budget", 3, *fixed)
    assert err.count(" examples: ") == 4 and f"structron train {task}" in out and "refused" not in out, (
        out,
        err,
    )
    out, _ = run(capsys, "curve", task, file, "--dev", file, "--points", 2, *fixed)
    assert len(out.splitlines()) == 3
    # Each value is one that the recipe takes.
    recipe = recipe_of(task)
    tried = {name: each.about.tried for name, each in settings_of(recipe).items() if each.about.tried}
    assert "learner" in tried
    for setting, values in tried.items():
        for value in values:
            assert getattr(recipe(**{setting: value}), setting) == value


def test_pipelines_have_curves_and_are_tuned_by_what_matters_most(tmp_path, capsys) -> None:
    rows = "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\t{0}s\t{0}\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n"
    train = tmp_path / "train.conllu"
    train.write_text("".join(map(rows.format, ("dog", "cat", "man", "cow") * 10)))
    given = [train, "--dev", train, "--set", "stages=upos,parser", "--set", "folds=2"]
    out, err = run(capsys, "curve", "pipeline", *given, "--points", 2, "--set", "prefer=speed")
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [["20", "100.00"], ["40", "100.00"]], out
    assert "2 of 2: 100.00" in err
    out, err = run(capsys, "tune", "pipeline", *given, "--budget", 3)
    assert err.count(" examples: 100.00") == 4 and "refused" not in out
    best = shlex.split(out.splitlines()[-1])
    assert best[:3] == ["structron", "train", "pipeline"]
    assert best[best.index("--stages") + 1] == "upos,parser" and best[best.index("--prefer") + 1] == "balance"


def test_a_curve_on_the_command_line(world, capsys) -> None:
    args = ["curve", "tagging", world / "train.txt", "--folds", 2, "--points", 2]
    out, _ = run(capsys, *args, "--set", "epochs=1", "--set", "order=0")
    assert [line.split()[0] for line in out.splitlines()] == ["sentences", "50", "100"]


def test_bad_input_is_told(world, tmp_path, capsys) -> None:
    train, dev = world / "train.txt", world / "dev.txt"
    for args, code, said in (
        (["tune", "tagging", train], 1, "give --dev DEV to score on, or --folds K"),
        (["tune", "nothing", train, "--dev", dev], 2, "there is no task 'nothing'"),
        (["tune", "translation", train, "--dev", dev], 1, "1 was given; give SRC TGT"),
        (["tune", "pipeline", train, "--dev", dev, "--recipe", "r"], 1, "--recipe is not for a pipeline"),
        (["tune", "pipeline", train, "--dev", dev, "--set", "nope=1"], 1, "there is no option --nope"),
        (["tune", "tagging", "-", "--dev", dev], 1, "which standard input cannot be; name files"),
        (["tune", "tagging", train, "--dev", dev, "--set", "order"], 1, "write NAME=VALUE, such as epochs=5"),
        (
            ["tune", "tagging", train, "--dev", dev, "--set", "epochs=x"],
            1,
            "--set epochs=x is not a number; give one",
        ),
        (["tune", "tagging", train, "--dev", dev, "--set", "half=x"], 1, "write true or false"),
        (["tune", "tagging", train, "--dev", dev, "--set", "nope=1"], 1, "there is no option --nope"),
        (["tune", "tagging", train, "--dev", dev, "--set", "system=graph"], 1, "is an option of parsing"),
        (["tune", "tagging", train, "--dev", dev, "--resume"], 1, "--resume goes on from a file; name it"),
        (
            ["tune", "tagging", tmp_path / "none", "--dev", dev],
            1,
            "no such file or directory; check the path",
        ),
        (
            ["tune", "tagging", train, "--dev", dev, "-o", tmp_path / "a" / "b"],
            1,
            "its folder does not exist",
        ),
        (["curve", "tagging", train, "--dev", dev, "--set", "order=1|2"], 1, "a curve has one value of each"),
        (["train", "tagging", train, "-o", tmp_path / "m", "--calibrate"], 1, "give --dev"),
    ):
        assert said in run(capsys, *args, code=code)[1]
