"""What an audit tells, in figures, words and pictures; also of a task of the user's own."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import pytest

from structron import Parser, Tagger, Transducer, theory
from structron.errors import SettingError, StructronError
from structron.reference import Example, train
from structron.reference.learners.learners import Perceptron
from structron.reference.learners.weights import Weights
from structron.tasks.tagging import TaggingTask
from structron.theory import (
    Differences,
    RecordingLearner,
    audit,
    confusion_set,
    draw,
    findings,
    output_margins,
    table,
    weights_of,
)
from structron.updates import UPDATES

ROOT = Path(__file__).resolve().parents[3]
TASK = TaggingTask(("D", "N", "V"), ("w[0]", "t[-1]"))
DATA = [
    (["the", "fly"], ["D", "N"]),
    (["flies", "fly"], ["N", "V"]),
    (["fly", "the", "flies"], ["V", "D", "N"]),
]


def examples() -> list[Example]:
    return [(TASK.space(words), TASK.oracle(tags)) for words, tags in DATA]


def test_watching_changes_nothing() -> None:
    weights = Weights()
    watched = RecordingLearner(Perceptron(), weights)
    for _ in train(examples(), search="exact", update="standard", learner=watched, epochs=5, weights=weights):
        pass
    plain = list(train(examples(), search="exact", update="standard", epochs=5))
    assert weights == plain[-1].weights
    assert len(watched.updates) == sum(epoch.updates for epoch in plain)
    assert watched.updates[-1].norm == pytest.approx(weights.norm())


def test_the_table_has_a_column_a_set_and_the_words_agree_with_it() -> None:
    found = audit(examples(), learner="swvp:single,wm,aggressive")
    rows = table(found)
    assert rows[0] == ["", "all outputs", "mixed assignments", "updates made"]
    assert {len(row) for row in rows} == {4}
    assert rows[1][0] == "pairs" and rows[1][1] == str(8 + 8 + 26)
    said = " ".join(findings(found))
    assert f"{len(found.updates)} updates in {len(found.epochs)} passes over 3 examples" in said
    assert "condition (2) holds" in said and "The bounds are kept" in said


@pytest.mark.parametrize("learner", ["perceptron", "swvp:single,wm,aggressive", "mira"])
@pytest.mark.parametrize(("search", "update"), [("forest", "standard"), ("forest:1", "max_violation")])
def test_a_chart_is_audited_as_a_beam_is(search: str, update: str, learner: str) -> None:
    X = [(["a", "b", "c"], ["X", "Y", "X"]), (["b", "a"], ["Y", "X"]), (["c", "b"], ["X", "Y"])]
    y = [([2, 0, 2], ["r", "d", "d"]), ([0, 1], ["r", "d"]), ([2, 0], ["r", "d"])]
    parser = Parser(system="graph", templates=["h.w m.t d", "m.w", "h.t s.t m.t"])
    spaces = parser.spaces(X, y)
    found = audit(spaces, search=search, update=update, learner=learner, epochs=30)
    assert found.converged and not found.invalid and found.updates
    listed = found.sets[0].differences
    # Seven trees of three words without crossing arcs have one root, and so do two of two words.
    assert listed is not None
    if update == "standard":
        assert (listed.examples == 0).sum() == 7 * 2**3 - 1
        assert (listed.examples == 1).sum() == 2 * 2**2 - 1
    assert found.kept is (None if learner == "mira" else True)
    margins = output_margins(spaces, found.weights)
    # Where gold and another tree score alike, search may have found gold.
    assert search != "forest" or all(margin >= -1e-9 for margin in margins)
    if found.sets[0].name == "all outputs":
        assert min(margins) == pytest.approx(found.sets[0].margin)


def test_too_many_outputs_are_not_listed_but_single_positions_are() -> None:
    found = audit(examples(), learner="swvp:single,wm,aggressive", limit=20)
    outputs, parts, made = found.sets
    assert outputs.differences is None and made.differences is not None
    assert parts.differences is not None and len(parts.differences) == 14
    assert "There are too many all outputs to list" in " ".join(findings(found))
    assert table(found)[2][1] == "–"


def test_gammas_that_are_no_shares_are_told() -> None:
    printed = audit(examples(), learner="swvp:single,wmr,balanced,printed")
    mira = audit(examples(), learner="mira")
    for found in (printed, mira):
        assert found.without_shares and not found.meets_conditions and found.kept is None
        assert "condition (1) fails" in " ".join(findings(found))
    assert not mira.invalid, "MIRA moves only where gold is ahead by less than the loss"


def test_a_learner_of_ones_own_and_a_task_of_ones_own_are_audited() -> None:
    spec = importlib.util.spec_from_file_location("own_task", ROOT / "examples" / "own_task.py")
    assert spec is not None and spec.loader is not None
    own = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(own)
    texts = own.texts(random.Random(0), 2)
    found = audit(
        [(text, text) for text in texts], search="beam:2", update="early", learner=Perceptron(), limit=10
    )
    assert found.converged and not found.invalid
    assert found.sets[0].differences is None
    assert len(found.updates) <= found.sets[-1].bound * (1 + 1e-9)


def test_the_margin_of_a_trained_tagger_is_that_of_listing_all_its_outputs() -> None:
    words, tags = [list(each) for each in zip(*DATA)]
    tagger = Tagger(templates=["w[0]", "t[-1]"], order=1, search="exact", learner="perceptron", epochs=4)
    tagger.fit(words, tags)
    weights, spaces = weights_of(tagger.model_), tagger.spaces(words, tags)
    for example, margin in zip(spaces, output_margins(spaces, weights)):
        listed = confusion_set(*example)
        assert listed is not None
        assert margin == pytest.approx(Differences(listed).margin(weights))
    ahead = [margin > 0 for margin in output_margins(spaces, weights)]
    assert [guess == gold for guess, gold in zip(tagger.predict(words), tags)] == ahead


def test_the_picture_is_the_same_whenever_it_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = audit(examples())
    first = [path.read_bytes() for path in draw(found, tmp_path / "a.png")]
    assert first[0].startswith(b"\x89PNG") and b"<svg" in first[1]
    assert [path.read_bytes() for path in draw(found, tmp_path / "b.png")] == first


PHRASES = [(["the", "fly"], ["D", "N"]), (["fly", "flies"], ["V", "N"])]
TREES = [([2, 0], ["det", "root"]), ([0, 1], ["root", "obj"])]
SMALL = ["s0.w", "s0.t q0.t"]
SPACES = {
    "tagging": lambda: examples(),
    "hidden": lambda: Tagger(templates=["w[0]"], order=1, hidden=2).spaces(*zip(*DATA)),
    "arc-standard": lambda: Parser(templates=SMALL).spaces(PHRASES, TREES),
    "arc-hybrid": lambda: Parser(templates=SMALL, system="arc-hybrid", oracle="dynamic").spaces(
        PHRASES, TREES
    ),
    "swap": lambda: Parser(templates=SMALL, system="swap").spaces(PHRASES, TREES),
    "transduction": lambda: Transducer().spaces(["hot", "top"], ["HH AA T", "T AA P"]),
}
LEARNERS = ("perceptron", "perceptron:margin=2", "mira", "mira:3,C=0.1", "swvp:single,wm,aggressive", "swvp")


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("task", SPACES)
def test_every_choice_is_audited_or_refused_in_one_sentence(task: str, update: str) -> None:
    spaces = SPACES[task]()
    for search in ("exact", "greedy", "beam:2+merge", "beam:2+within=5", "dp:2"):
        for learner in LEARNERS:
            try:
                found = audit(spaces, search=search, update=update, learner=learner, epochs=1, limit=20)
                assert len(table(found)) == 9 and findings(found)
            except StructronError as refused:
                assert "; " in str(refused) and "\n" not in str(refused)
                # A refusal needs a reason: mixing without positions, stacks that are none, k best from one.
                no_stack = search.startswith("dp") and task not in ("arc-standard",)
                no_mixing = learner.startswith("swvp") and task not in ("tagging", "hidden")
                assert no_stack or no_mixing or (search, update, learner[:6]) == ("exact", "laso", "mira:3")


def test_sources_without_a_derivation_are_left_out_or_aim_at_the_nearest() -> None:
    words, sounds = ["ab", "ab", "c"], ["A B", "A B A B A B A B", "C"]
    alone = Transducer(longest_target=1).spaces([*words, "d"], [*sounds, "D D D D D"])
    assert len(alone) == 2  # both references of "ab" are one example, and the other of them can be reached
    nearest = Transducer(longest_target=1, unreachable="nearest").spaces(
        [*words, "d"], [*sounds, "D D D D D"]
    )
    assert len(nearest) == 3


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"epochs": 0}, "audit: 0 epochs and a limit of 2000 are not possible; give at least 1 of each"),
        ({"limit": 0}, "audit: 100 epochs and a limit of 0 are not possible; give at least 1 of each"),
        ({"update": "sometimes"}, "update 'sometimes' is not known"),
        ({"learner": "swvp:beta=0"}, "beta 0.0 is not possible"),
    ],
)
def test_bad_settings_are_refused_in_one_sentence(choices: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError) as told:
        audit(examples(), **choices)  # type: ignore[arg-type]
    assert message in str(told.value) and "\n" not in str(told.value)


def test_no_examples_are_refused() -> None:
    with pytest.raises(SettingError, match="audit: there are no examples; give at least one"):
        audit([])


def test_old_names_work_and_warn() -> None:
    with pytest.warns(DeprecationWarning, match="structron.theory.Judged is now UpdateRecord"):
        assert theory.Judged is theory.UpdateRecord  # type: ignore[attr-defined]
