"""Estimators are corrected: right afterwards, nothing kept is lost, and the bytes of before come back."""

from __future__ import annotations

import numpy as np
import pytest

from structron import Classifier, Parser, Segmenter, Tagger, Transducer, load
from structron.engine.changes import changed
from structron.engine.rows import rows_of
from structron.errors import DataError, ModelError, SettingError
from structron.fit.correcting.kept import Kept
from structron.model import Model
from structron.reference import Weights
from structron.reference.sequence.correction import ALIKE, CONTRADICTION, ILLEGAL, UNSETTLED, correct
from structron.synthetic import generate_treebank

TREES = generate_treebank(60, np.random.default_rng(3))
WORDS, TAGS = [list(t.words) for t in TREES], [list(t.tags) for t in TREES]
PLAIN = {"templates": ["w[0]", "t[-1]", "lower[-1] w[0]"], "search": "exact", "epochs": 3}


def tagger(**options) -> Tagger:
    return Tagger(**({"epochs": 3} | options)).fit(WORDS, TAGS)


def wrong_of(own, number=3):
    """Sentences with other tags than the model's: nouns are verbs."""
    swap = {"NN": "VB", "VB": "NN"}
    labels = own.labels_
    found = []
    for words, tags in zip(WORDS, own.predict(WORDS)):
        first = swap.get(tags[0], tags[0])
        other = [first if first in labels else labels[0], *tags[1:]]
        if other != tags and words not in [x for x, _ in found]:
            found.append((words, other))
    return [x for x, _ in found[:number]], [y for _, y in found[:number]]


def test_corrections_hold_and_can_be_taken_back():
    own = tagger()
    xs, ys = wrong_of(own, 1)
    before = own.to_bytes()
    found = own.correct(xs, ys)
    assert own.predict(xs) == ys and found.hold == len(xs) and not found.were_right
    assert own.to_bytes() != before and len(own.model_.changes) == 1
    own.undo()
    assert own.to_bytes() == before
    with pytest.raises(SettingError, match="no correction to take back"):
        own.undo()


def test_a_saved_model_holds_its_changes_beside_its_weights(tmp_path):
    own = tagger()
    before = own.to_bytes()
    xs, ys = wrong_of(own, 2)
    own.correct(xs[:1], ys[:1])
    own.correct(xs[1:], ys[1:])
    own.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.predict(WORDS) == own.predict(WORDS)
    assert [each.about["examples"] for each in again.model_.changes] == [1, 1]
    assert again.to_bytes() == (tmp_path / "m").read_bytes()
    again.undo()
    again.undo()
    assert again.to_bytes() == before


def test_what_is_kept_stays_right_and_what_moves_is_told():
    own = tagger()
    keep = own.keeping(WORDS, TAGS)
    before = own.predict(WORDS)
    right = [i for i, (a, b) in enumerate(zip(before, TAGS)) if a == b]
    xs = [["zebras", *WORDS[0][1:]]]
    ys = [[next(label for label in own.labels_ if label != own.predict(xs)[0][0]), *own.predict(xs)[0][1:]]]
    found = own.correct(xs, ys, keep)
    after = own.predict(WORDS)
    assert found.hold == 1 and own.predict(xs) == ys
    assert all(after[i] == TAGS[i] for i in right) and found.broken == 0
    assert found.kept == len(WORDS) and found.kept_right == len(right)
    assert [each.number for each in found.moved] == [i for i in range(len(WORDS)) if before[i] != after[i]]
    # What was corrected is kept as well, and what is prepared is what the model predicts now.
    assert len(keep) == len(WORDS) + 1 and keep.found[:-1] == after and keep.model is own.model_


def test_the_least_sure_first_is_as_good_as_all_at_once(monkeypatch):
    import structron.fit.correcting.kept as module

    xs = [["zebras", "ran", *WORDS[0][2:]]]
    found = []
    for many in (10, 10_000):
        monkeypatch.setattr(module, "MANY", many)
        own = tagger()
        ys = [[own.labels_[-1], *own.predict(xs)[0][1:]]]
        keep = own.keeping(WORDS, TAGS)
        assert bool(keep.unsure) == (many == 10)
        own.correct(xs, ys, keep)
        assert keep.found[:-1] == own.predict(WORDS)
        found.append(own.predict(xs) == ys and keep.right)
    assert found[0] == found[1]


def test_a_dry_run_changes_nothing():
    own = tagger()
    xs, ys = wrong_of(own, 1)
    before = own.to_bytes()
    found = own.correct(xs, ys, dry_run=True)
    assert found.hold == 1 and found.change.cells and own.to_bytes() == before


def test_the_engine_finds_the_change_of_the_definition():
    own = tagger(**PLAIN)
    xs, ys = wrong_of(own, 3)
    task, rows = own.model_.task, own.model_.rows
    weights = Weights({(k, c): w for k, c, w in zip(*(a.tolist() for a in rows.cells()))})
    examples = [(task.space([(w,) for w in x]), task.oracle(y)) for x, y in zip(xs, ys)]
    expected = correct(examples, [], weights, search="exact", margin=1.0)
    found = own.correct(xs, ys, margin=1.0)
    cells = zip(found.change.keys.tolist(), found.change.columns.tolist(), found.change.weights.tolist())
    got = {(k, c): v for k, c, v in cells if abs(v) > 1e-4}
    assert got == pytest.approx({n: v for n, v in expected.change.items() if abs(v) > 1e-4}, abs=1e-2)
    assert (found.rounds, found.constraints) == (expected.rounds, len(expected.constraints))


def test_reasons_are_named():
    own = tagger(templates=["bias"], search="greedy")
    # Two words that no template tells apart.
    (only,) = own.correct([["zebras", "zebras"]], [own.labels_[:2]]).outcomes
    assert only.reason in (ALIKE, CONTRADICTION)
    own = tagger()
    other = [next(label for label in own.labels_ if label != tag) for tag in TAGS[0]]
    assert own.correct([WORDS[0], WORDS[0]], [other, TAGS[0]]).hold == 1
    own = tagger()
    found = own.correct([WORDS[0]], [other], keep=(WORDS, TAGS))
    if own.predict([WORDS[0]]) == [TAGS[0]]:
        assert found.outcomes[0].reason == CONTRADICTION and "kept" in found.outcomes[0].detail
    found = own.correct([WORDS[0], WORDS[1]], [TAGS[0], ["unheard"] * len(WORDS[1])])
    assert [each.reason for each in found.outcomes] == ["", ILLEGAL]
    assert "unheard" in found.outcomes[1].detail


def test_what_a_dictionary_forbids_cannot_hold():
    own = tagger(dictionary=2)
    (tag,) = own.predict([WORDS[0][:1]])[0]
    other = next(label for label in own.labels_ if label != tag)
    found = own.correct([WORDS[0][:1]], [[other]])
    assert (found.outcomes[0].reason, found.change.cells) == (ILLEGAL, 0)


@pytest.mark.parametrize(
    "X, y, options, said",
    [
        ([], [], {}, "nothing to correct"),
        ([["a"]], [["unheard"]], {}, "was not there before"),
        ([["a"]], None, {}, "labels|y is missing"),
        ([["a"]], [["DT"], ["DT"]], {}, "1"),
        ([["a"]], [["DT"]], {"margin": 0}, "margin = 0 is not possible"),
        (
            [["a"]],
            [["DT"]],
            {"margin": 1e9},
            "margin = 1000000000.0 is not possible; give a number above 0 and below a",
        ),
        ([["a"]], [["DT"]], {"margin": float("nan")}, "margin = nan is not possible"),
        ([["a"]], [["DT"]], {"keep": [["a"]]}, "labels|y is missing"),
    ],
)
def test_wrong_calls_are_refused_in_one_sentence(X, y, options, said):
    own = tagger()
    with pytest.raises((DataError, SettingError), match=said):
        own.correct(X, y, **options)


def test_every_kind_of_task_is_corrected():
    trees = [(list(t.heads), list(t.labels)) for t in TREES]
    tagged = [list(zip(t.words, t.tags)) for t in TREES]
    for system in ("arc-standard", "arc-eager"):
        own = Parser(system=system, epochs=2).fit(tagged[:30], trees[:30])
        bad = [i for i, found in enumerate(own.predict(tagged)) if tuple(map(list, found)) != trees[i]][:3]
        xs, ys = [tagged[i] for i in bad], [trees[i] for i in bad]
        found = own.correct(xs, ys, keep=(tagged[:30], trees[:30]))
        assert found.hold == len(bad) and found.broken == 0
        assert [tuple(map(list, tree)) for tree in own.predict(xs)] == ys
    words, sounds = ["phone", "photo", "hone", "tone"], ["F OW N", "F OW T OW", "HH OW N", "T OW N"]
    own = Transducer(epochs=5).fit(words, sounds)
    assert own.correct(["pone"], ["F OW N"], keep=(words, sounds)).hold == 1
    assert own.predict(["pone", *words]) == ["F OW N", *sounds]
    texts, labels = ["good film", "bad film", "great plot", "awful plot"], ["pos", "neg", "pos", "neg"]
    own = Classifier(epochs=5).fit(texts, labels)
    assert own.correct(["good but awful"], ["pos"], keep=(texts, labels)).hold == 1
    assert own.predict(["good but awful", *texts]) == ["pos", *labels]
    raw = ["Dr. No ran. He fell.", "It is 5 p.m. now. Go."]
    first = [["Dr.", "No", "ran", "."], ["He", "fell", "."]]
    gold = [first, [["It", "is", "5", "p.m.", "now", "."], ["Go", "."]]]
    own = Segmenter(epochs=4).fit(raw, gold)
    found = own.correct(["Mr. X ran."], [[["Mr", ".", "X", "ran", "."]]])
    assert found.hold == 1 and [str(w) for s in own.predict(["Mr. X ran."])[0] for w in s.words] == [
        "Mr", ".", "X", "ran", ".",
    ]  # fmt: skip


def test_tokens_of_a_text_are_told_as_lists():
    raw, gold = ["It is late. Go!", "It is 5 p.m. now."], [
        [["It", "is", "late", "."], ["Go", "!"]],
        [["It", "is", "5", "p.m.", "now", "."]],
    ]  # fmt: skip
    own = Segmenter(epochs=4).fit(raw, gold)
    (found,) = own.correct(["Go at 5 p.m. now."], [[["Go", "at", "5", "p.m", ".", "now", "."]]]).outcomes
    assert found.holds and found.after == [["Go", "at", "5", "p.m", ".", "now", "."]]
    assert isinstance(found.before, list) and found.before != found.after
    words = Segmenter(system="joint", epochs=4).fit(["我们在"], [[[("我们", "PN"), ("在", "P")]]])
    assert words.correct(["我们在"], [[[("我们", "PN"), ("在", "P")]]]).outcomes[0].after == [
        [("我们", "PN"), ("在", "P")]
    ]


def test_corrections_that_are_not_reached_are_given_up_and_what_is_kept_stays_right(monkeypatch):
    import structron.fit.correcting.correcting as module

    found = {}
    for rounds in (1, 2, 300):
        monkeypatch.setattr(module, "ROUNDS", rounds)
        own = tagger()
        xs, _ = wrong_of(own, 5)
        # All tags are others, which takes more than one round.
        ys = [[own.labels_[own.labels_.index(tag) - 1] for tag in tags] for tags in own.predict(xs)]
        others = [(x, y) for x, y in zip(WORDS, TAGS) if x not in xs]
        keep = own.keeping([x for x, _ in others], [y for _, y in others])
        right = [i for i, is_right in enumerate(keep.right) if is_right]
        said = own.correct(xs, ys, keep)
        after = own.predict([x for x, _ in others])
        assert said.broken == 0 and all(after[i] == others[i][1] for i in right)
        assert [each.holds for each in said.outcomes] == [a == b for a, b in zip(own.predict(xs), ys)]
        found[rounds] = [each.reason for each in said.outcomes]
    assert UNSETTLED in found[1] and UNSETTLED not in found[300]


def test_where_others_outvote_the_model_corrections_yield_to_what_is_kept(monkeypatch):
    """The engine has right what is kept, and the model as a whole has not: no constraint says why."""
    own = tagger()
    keep = own.keeping(WORDS, TAGS)
    xs, ys = [["zebras", *WORDS[0][1:]]], [[own.labels_[-1], *TAGS[0][1:]]]
    if own.predict(xs) == ys:
        ys[0][0] = own.labels_[0]
    real = Kept.broken_by

    def broken_by(self, model, is_right, known):
        broken, kept = real(self, model, is_right, known)
        return (broken or [keep.right.index(True)]) if model is not self.model else broken, kept

    monkeypatch.setattr(Kept, "broken_by", broken_by)
    found = own.correct(xs, ys, keep)
    assert (found.hold, found.change.cells) == (0, 0)
    assert found.outcomes[0].reason == CONTRADICTION
    assert "it contradicts kept sentence 1" in str(found.outcomes[0])


def test_a_change_that_does_not_fit_is_refused(tmp_path):
    rows = rows_of({3: {0: 1.0}, 9: {1: 2.0}})
    keys, columns = np.array([3, 5], np.uint64), np.array([1, 0], np.uint32)
    from structron.engine.changes import Change

    both = changed(rows, [Change(keys, columns, np.array([0.5, 4.0], np.float32), {})])
    assert [np.asarray(a).tolist() for a in both[:4]] == [
        [3, 5, 9], [0, 2, 3, 4], [0, 1, 0, 1], [1.0, 0.5, 4.0, 2.0],
    ]  # fmt: skip
    with pytest.raises(ValueError, match="out of order"):
        changed(rows, [Change(keys[::-1].copy(), columns, np.ones(2, np.float32), {})])
    own = tagger()
    xs, ys = wrong_of(own, 1)
    own.correct(xs, ys)
    header, arrays = own.model_.stored()
    arrays = {name: np.asarray(values) for name, values in arrays.items()}
    for name, values, said in [
        ("change.0.keys", arrays["change.0.keys"][::-1].copy(), "does not fit"),
        ("change.0.columns", arrays["change.0.columns"][1:].copy(), "differ in length"),
        ("change.0.columns", arrays["change.0.columns"] + np.uint32(10_000), "not there|cannot be used"),
        ("change.0.weights", arrays["change.0.weights"] * np.float32("nan"), "out of range"),
        ("change.0.weights", arrays["change.0.weights"].astype(np.float64), "wrong kind"),
    ]:
        with pytest.raises((ModelError, ValueError), match=said):
            Model.restored(header, arrays | {name: values})
    with pytest.raises(ModelError, match="tables"):
        Model.restored(header | {"changes": ["x"]}, arrays)


def test_learning_goes_on_from_what_was_corrected():
    own = tagger()
    xs, ys = wrong_of(own, 1)
    own.correct(xs, ys)
    own.partial_fit(xs, ys)
    assert not own.model_.changes and own.predict(xs) == ys


def test_prepared_data_follow_another_model():
    own = tagger()
    keep = own.keeping(WORDS, TAGS)
    assert isinstance(keep, Kept)
    own.partial_fit(WORDS[:5], TAGS[:5])
    xs, ys = wrong_of(own, 1)
    found = own.correct(xs, ys, keep, dry_run=True)
    assert found.kept_right == sum(a == b for a, b in zip(own.predict(WORDS), TAGS))


def test_a_memory_of_hard_examples_is_kept():
    plain, own = tagger(), tagger(memory=10)
    assert plain.model_.about.get("memory") is None and "memory" not in plain.recipe.record()
    again = Tagger.from_bytes(own.to_bytes())
    assert again.to_bytes() == own.to_bytes() and again.predict(WORDS) == plain.predict(WORDS)
    remembered = [(list(x), y) for x, y in again.model_.about["memory"]]
    assert len(remembered) == 10 and all((x, y) in list(zip(WORDS, TAGS)) for x, y in remembered)
    leads = {tuple(x): k[0][1] - k[1][1] for x, k in zip(WORDS, own.predict_kbest(WORDS, 2))}
    rest = [x for x, y in zip(WORDS, TAGS) if [x, y] not in again.model_.about["memory"]]
    assert max(leads[tuple(x)] for x, _ in remembered) <= min(
        leads[tuple(x)] for x in rest if own.predict([x]) == [TAGS[WORDS.index(x)]]
    )
    xs, ys = wrong_of(again, 1)
    found = again.correct(xs, ys)
    assert found.kept == found.kept_right == 10
    xs = [x for x, _ in remembered if x not in xs]
    assert again.predict(xs) == [TAGS[WORDS.index(x)] for x in xs]
    with pytest.raises(SettingError, match="set memory to 0"):
        Classifier(memory=2).fit(np.eye(2), ["a", "b"])
    again.model_.about["memory"] = [["x"]]
    with pytest.raises(ModelError, match="memory is not as structron writes it"):
        again.correct(xs[:1], [TAGS[0][: len(xs[0])]])
