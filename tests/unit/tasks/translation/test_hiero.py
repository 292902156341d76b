"""Translator(system="hiero"): what comes in, what comes out, its files, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest

from structron import _core
from structron.engine.weights import empty_weights
from structron.errors import DataError, ModelError, SettingError
from structron.model import Model
from structron.search import parse_search
from structron.tasks.translation import Translator
from structron.tasks.translation.fitting.bitext import Bitext
from structron.tasks.translation.hiero.forced_decoding import HieroGold
from structron.tasks.translation.hiero.matching import SentenceRules
from structron.tasks.translation.hiero.rules import LeaveOneOut
from structron.tasks.translation.hiero.space import HieroSpace
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.rule_drawing import page
from tests.unit.tasks.translation.test_translator import DEV, DEV_PAIR, SOURCES, TARGETS, TRAIN

# Every other noun phrase could also be said in another way.
ALSO = [y.replace("the", "that").replace("house", "home") for y in TARGETS]
LEARNS = {"templates": "edges", "learner": "perceptron", "epochs": 2, "frozen_dense": False, "tuning": 0}


@pytest.fixture(scope="module")
def fitted() -> Translator:
    return Translator(system="hiero", tuning=3).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR)


def test_it_translates_what_it_has_not_seen(fitted: Translator) -> None:
    assert fitted.predict(SOURCES[DEV]) == TARGETS[DEV]
    assert fitted.predict(["", ["heute"], "das klavier singt"])[:2] == ["", ["today"]]
    assert fitted.unseen_["klavier"] > 0


def test_the_verb_moves_over_a_gap(fitted: Translator) -> None:
    task = fitted.model_.task
    assert isinstance(task, HieroTask)
    moved = [task.plain(rule) for rule in task.rules.each() if 2 in rule.source]
    assert any(rule.gaps == [1, 0] for rule in moved) or any(rule.source[-1] == "singt" for rule in moved)


def test_links_lead_through_gaps(fitted: Translator) -> None:
    given = [*SOURCES, "das xylophon ist alt", ["ein", "buch"], ""]
    outputs, links = fitted.predict_with_alignment(given)
    assert outputs == fitted.predict(given)
    for output, each in zip(TARGETS, links):
        crossed = [(3, 4), (4, 3)] if output.startswith("today") else [(3, 3)]
        assert each == [(0, 0), (1, 1), (2, 2), *crossed]
    assert links[-3:] == [[(i, i) for i in range(4)], [(0, 0), (1, 1)], []]


def test_lists_are_sorted_and_without_repeats() -> None:
    fitted = Translator(system="hiero", tuning=0).fit(SOURCES * 2, TARGETS + ALSO)
    (found,) = fitted.predict_kbest(SOURCES[:1], 4)
    outputs, scores = [output for output, _ in found], [score for _, score in found]
    assert len(set(outputs)) == len(outputs) == 4
    assert scores == sorted(scores, reverse=True)
    assert outputs[0] == fitted.predict(SOURCES[:1])[0]


def test_a_new_process_says_the_same(fitted: Translator, tmp_path: Path) -> None:
    fitted.save(tmp_path / "m")
    code = (
        "import json, sys; from structron import Translator; "
        "print(json.dumps(Translator.load(sys.argv[1]).predict(json.loads(sys.argv[2]))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "m"), json.dumps(SOURCES)],
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == fitted.predict(SOURCES)


def test_a_damaged_file_is_refused(fitted: Translator) -> None:
    header, arrays = fitted.model_.stored()
    for name in ("rules.target_words", "rules.first_option", "rules.links"):
        broken = dict(arrays) | {name: arrays[name][:-1]}
        with pytest.raises(ModelError, match=r"fit together|outside"):
            Model.restored(header, broken)
    with pytest.raises(ModelError, match="limits"):
        Model.restored(header | {"limits": [1]}, arrays)


def test_it_learns_from_the_bitext_itself() -> None:
    # The singing are at home, whatever is more usual.
    wanted = [also if "singt" in x else y for x, y, also in zip(SOURCES, TARGETS, ALSO)]
    learned = Translator(system="hiero", **LEARNS).fit(SOURCES, wanted, dev=(SOURCES, wanted))
    assert learned.history_[0].updates > 0
    assert sum(epoch.invalid for epoch in learned.history_) == 0
    assert learned.score(SOURCES, wanted) == 1.0
    found = [
        Translator(system="hiero", batch=4, threads=threads, **LEARNS).fit(SOURCES, wanted).model_.rows
        for threads in (1, 2)
    ]
    assert all(np.array_equal(x, y) for x, y in zip(*found))


def test_each_pair_is_left_out_of_its_own_rules() -> None:
    """The engine reaches what the definition reaches with the counts of the others alone."""
    recipe = Translator(system="hiero", **LEARNS).recipe
    xs, ys = [tuple(x.split()) for x in SOURCES], [[tuple(y.split())] for y in TARGETS]
    bitext = Bitext.of(xs, ys, 1, None)
    task = bitext.task(recipe, None)
    assert isinstance(task, HieroTask)
    rules = list(task.rules.each())
    sources, targets = bitext.numbered
    for i in (0, 7, 40):
        corpus = task.corpus(empty_weights(task))
        supplied = bitext.supplied(recipe, task.rules, ys)[i]
        corpus.add(xs[i], list(supplied), *supplied.more)
        counts = LeaveOneOut([(sources[i], targets[i], list(bitext.links[i]))], task.limits)
        left = {}
        for rule in rules:
            plain, rest = task.plain(rule), counts.left(rule)
            if rest is not None:
                left[plain.source, plain.target] = rest
        found = SentenceRules(task.table, xs[i], task.span_limit, left, task.least)
        gold = HieroGold(HieroSpace(task.scoring, found), ys[i], True)
        assert (corpus.sentences, corpus.unreachable) == (int(gold.words > 0), int(not gold.reachable))


def test_show_draws_trees_and_where_gold_falls_out(fitted: Translator) -> None:
    source, target = SOURCES[0].split(), TARGETS[0].split()
    text = click.unstyle("\n".join(page(fitted.model_, source, [target])))
    assert f"guess  {TARGETS[0]}" in text and f"gold  {TARGETS[0]}" in text
    assert "→" in text and "max-violation" in text and "beginning [0,4)" in text
    text = click.unstyle("\n".join(page(fitted.model_, source, [["nothing"]], steps=False)))
    assert "no derivation yields the reference; gold gets as far as 0 of 4 words" in text


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SettingError, match=r"t\[-1\].*leave it out"):
        Translator(system="hiero", templates=["rule", "t[-1]"]).fit(SOURCES, TARGETS)
    with pytest.raises(SettingError, match="forest"):
        Translator(system="hiero", search="beam:8").fit(SOURCES, TARGETS)
    with pytest.raises(SettingError, match="chart"):
        Translator(search="forest:8").fit(SOURCES, TARGETS)
    with pytest.raises(SettingError, match="system"):
        Translator(system="syntax").fit(SOURCES, TARGETS)
    with pytest.raises(SettingError, match="laso"):
        Translator(system="hiero", update="laso").fit(SOURCES, TARGETS)
    with pytest.raises(DataError, match="none of 1 sources"):
        Translator(system="hiero", unreachable="skip", min_count=1, **LEARNS).fit(["a b c"], ["x"])


def test_exact_search_that_would_take_hours_is_refused(fitted: Translator) -> None:
    ambiguous, exact = [SOURCES[1].split()], parse_search("forest")
    expected = fitted.model_.predict(ambiguous, search=exact)
    usual = _core.limit_combinations(0)
    try:
        with pytest.raises(SettingError, match=r"combinations for one input; use one .* forest:30"):
            fitted.model_.predict(ambiguous, search=exact)
        assert fitted.predict(SOURCES[1:2]) == TARGETS[1:2]  # a few items of each node are no work
    finally:
        _core.limit_combinations(usual)
    assert usual == 1e9
    assert fitted.model_.predict(ambiguous, search=exact) == expected
