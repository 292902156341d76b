"""The translator: what comes in, what comes out, and what it says of bad data."""

from __future__ import annotations

import itertools
import json
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from structron.errors import DataError, ModelError, SettingError
from structron.fit.cluster.payload import pack
from structron.io.model_file.archive import read_archive, write_archive
from structron.metrics.bleu import SIZE, References, bleu
from structron.model import Model
from structron.reference.sequence.trace import Trace
from structron.registry import estimator_of
from structron.tasks.translation import Translator
from structron.tasks.translation.decoding.space import DENSE
from structron.tasks.translation.fitting.bitext import Bitext
from structron.tasks.translation.fitting.plans import halves
from structron.tasks.translation.fitting.tuning import START
from structron.tasks.translation.phrases.extraction import count_phrases
from structron.tasks.translation.phrases.leave_one_out import without
from structron.tasks.translation.settings import TranslationRecipe
from structron.tasks.translation.words.links import words_and_links

DETERMINERS = {"das": "the", "ein": "a"}
NOUNS = {"haus": "house", "buch": "book", "pferd": "horse", "kind": "child"}
ADJECTIVES = {"alt": "old", "neu": "new", "rot": "red"}
# The verb comes last in one language and after the subject in the other.
PAIRS = [
    pair
    for d, n, a in itertools.product(DETERMINERS, NOUNS, ADJECTIVES)
    for pair in (
        (f"{d} {n} ist {a}", f"{DETERMINERS[d]} {NOUNS[n]} is {ADJECTIVES[a]}"),
        (f"heute {d} {n} {a} singt", f"today {DETERMINERS[d]} {NOUNS[n]} sings {ADJECTIVES[a]}"),
    )
]
SOURCES, TARGETS = [x for x, _ in PAIRS], [y for _, y in PAIRS]
TRAIN, DEV = slice(0, 38), slice(38, None)
DEV_PAIR = SOURCES[DEV], TARGETS[DEV]


@pytest.fixture(scope="module")
def fitted() -> Translator:
    return Translator(tuning=3).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR)


def words(texts: list[str]) -> list[list[str]]:
    return [text.split() for text in texts]


def test_its_settings_are_those_of_its_recipe() -> None:
    assert estimator_of("translation") is Translator
    assert Translator().recipe == TranslationRecipe()
    assert str(Translator.from_recipe(TranslationRecipe())) == "Translator()"


def test_it_translates_what_it_has_not_seen(fitted: Translator) -> None:
    assert fitted.predict(SOURCES[DEV]) == TARGETS[DEV]
    assert fitted.score(*DEV_PAIR) == 1.0
    assert fitted.labels_ == sorted({word for target in TARGETS[TRAIN] for word in target.split()})


def test_texts_are_answered_by_texts_and_words_by_words(fitted: Translator) -> None:
    assert fitted.predict([SOURCES[0], SOURCES[1].split()]) == [TARGETS[0], TARGETS[1].split()]
    array = fitted.predict(np.array(SOURCES[:2]))
    assert isinstance(array, np.ndarray) and array.tolist() == TARGETS[:2]
    other = Translator(tuning=3).fit(
        words(SOURCES[TRAIN]), words(TARGETS[TRAIN]), dev=(words(SOURCES[DEV]), words(TARGETS[DEV]))
    )
    assert other.model_.task.tuned == fitted.model_.task.tuned
    assert other.predict(SOURCES) == fitted.predict(SOURCES)


def test_an_empty_line_is_answered_by_an_empty_line(fitted: Translator) -> None:
    assert fitted.predict(["", SOURCES[0], "  ", []]) == ["", TARGETS[0], "", []]
    assert fitted.predict_kbest([""], 3)[0][0][0] == ""
    assert fitted.predict([]) == []


def test_the_best_come_first_and_no_text_twice(fitted: Translator) -> None:
    for best, first in zip(fitted.predict_kbest(SOURCES[:4], 5), fitted.predict(SOURCES[:4])):
        assert best[0][0] == first
        assert len({text for text, _ in best}) == len(best) > 1
        assert [score for _, score in best] == sorted((score for _, score in best), reverse=True)


def test_words_never_seen_are_copied_and_counted(fitted: Translator) -> None:
    translator = pickle.loads(pickle.dumps(fitted))
    translator.unseen_.clear()
    assert translator.unseen is None
    assert "xylophon" in translator.predict(["das xylophon ist alt"])[0].split()
    assert translator.unseen_ == {"xylophon": 1}
    assert translator.unseen == (
        "1 word of the input is in no phrase of the model and copied: 'xylophon' (1)"
    )
    translator.unseen_.clear()
    assert translator.predict(["x" * 1000]) == ["x" * 1000]
    assert translator.unseen is not None and translator.unseen.endswith(f" '{'x' * 39}…' (1)")


def test_links_lead_from_each_word_to_where_it_comes_from(fitted: Translator) -> None:
    given = [SOURCES[1], "das xylophon ist alt", ["ein", "buch"], ""]
    outputs, links = fitted.predict_with_alignment(given)
    assert outputs == fitted.predict(given) == [TARGETS[1], "the xylophon is old", ["a", "book"], ""]
    assert links[0] == [(0, 0), (1, 1), (2, 2), (3, 4), (4, 3)], "the verb comes earlier"
    assert links[1:] == [[(i, i) for i in range(4)], [(0, 0), (1, 1)], []]
    table = fitted.model_.task.phrases
    bare = replace(table, link_offsets=np.zeros_like(table.link_offsets), links=table.links[:0])
    number = next(i for i, option in enumerate(table.each()) if len(option.source) == len(option.target) == 2)
    words_found, every = words_and_links(bare, ["a", "b", "c"], [(2, 3, None), (0, 2, number)])
    assert len(words_found) == 3 and every == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 0)], (
        "phrases without links"
    )


def test_a_reference_that_is_empty_beside_others_is_none(fitted: Translator) -> None:
    dev = SOURCES[DEV], [[text, ""] for text in TARGETS[DEV]]
    assert Translator(tuning=3).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=dev).tuning_ == fitted.tuning_
    assert fitted.score(*dev) == 1.0 > fitted.score(SOURCES[DEV], [""] * len(SOURCES[DEV]))


def test_what_is_swapped_is_told_of(fitted: Translator) -> None:
    said = "sources and targets seem to be swapped, since .*; give sources first, then targets"
    with pytest.raises(DataError, match=said):
        Translator().fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=(TARGETS[DEV], SOURCES[DEV]))
    with pytest.raises(DataError, match=said):
        fitted.score(TARGETS, SOURCES)
    assert fitted.score(["blorp"], ["blorp"]) == 0, "unknown words are no proof"


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tuning begins so far off that it takes four rounds; after the second nothing is left to gain."""
    monkeypatch.setitem(START, "language_model", -0.5)


@pytest.mark.usefixtures("far")
def test_tuning_that_is_interrupted_goes_on(tmp_path: Path) -> None:
    made: dict[str, Translator] = {}
    for name in ("whole", "part"):
        translator = Translator(tuning=5)
        stops = 2 if name == "part" else None

        def stage(what: str, done: int, total: int, stops: int | None = stops) -> None:
            if what.startswith("tuning") and done == stops:
                raise KeyboardInterrupt

        settings: dict[str, Any] = {"dev": DEV_PAIR, "checkpoint": tmp_path / name}
        if stops is not None:
            with pytest.raises(KeyboardInterrupt):
                translator.fit(SOURCES[TRAIN], TARGETS[TRAIN], on_stage=stage, **settings)
            settings |= {"resume": True}
        made[name] = translator.fit(SOURCES[TRAIN], TARGETS[TRAIN], **settings)
    assert made["part"].tuning_ == made["whole"].tuning_ and len(made["part"].tuning_) == 4
    assert made["part"].model_.task.tuned == made["whole"].model_.task.tuned
    told: list[str] = []
    made["part"].fit(
        SOURCES[TRAIN], TARGETS[TRAIN], on_stage=lambda *stage: told.append(stage[0]), **settings
    )
    assert not any(name.startswith("tuning") for name in told), "all rounds are known"
    header, _ = read_archive(tmp_path / "part")
    for rounds in (3, [[1.0, 1.0]], [[1.0, 1.0, [0.0]]], [[1.0, "x", [0.0] * 15]]):
        write_archive(tmp_path / "part", {**header, "prepared": {"tuning": rounds}}, {})
        with pytest.raises(ModelError, match=r"cannot be used \(its rounds of tuning are not numbers\)"):
            made["part"].fit(SOURCES[TRAIN], TARGETS[TRAIN], **settings)
    write_archive(tmp_path / "part", {**header, "prepared": 3}, {})
    with pytest.raises(ModelError, match="nonsense of what came before the first epoch"):
        made["part"].fit(SOURCES[TRAIN], TARGETS[TRAIN], **settings)


def test_a_training_is_resumed_though_no_epoch_was_better_than_its_start(
    tmp_path: Path,
) -> None:
    settings: dict[str, Any] = {"templates": "rules", "epochs": 1, "tuning": 1}
    given: dict[str, Any] = {"dev": DEV_PAIR, "checkpoint": tmp_path / "c"}
    first = Translator(**settings).fit(SOURCES[TRAIN], TARGETS[TRAIN], **given)
    assert [epoch.best for epoch in first.history_] == [False]
    again = Translator(**settings).fit(SOURCES[TRAIN], TARGETS[TRAIN], **given, resume=True)
    assert again.predict_kbest(SOURCES, 2) == first.predict_kbest(SOURCES, 2) and len(again.history_) == 1


@pytest.mark.usefixtures("far")
def test_where_no_epoch_is_better_the_dense_weights_are_those_of_all_development_data() -> None:
    dev = SOURCES[14:], TARGETS[14:]  # enough for two halves
    learned = Translator(templates="rules", epochs=1, tuning=2).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=dev)
    dense = Translator(tuning=2).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=dev)
    assert [epoch.best for epoch in learned.history_] == [False]
    assert learned.model_.task.tuned == dense.model_.task.tuned != tuple(START[n] for n in DENSE)
    assert learned.tuning_ == dense.tuning_ == list(map(tuple, learned.model_.about["tuning"]))
    assert learned.predict(SOURCES) == dense.predict(SOURCES)


def test_score_is_bleu_with_all_references(fitted: Translator) -> None:
    guess = fitted.predict(SOURCES[:4])
    references = [[f"no {TARGETS[0]}", TARGETS[1]], *([text] for text in TARGETS[1:4])]
    counts = sum(
        (References([r.split() for r in each]).counts(g.split()) for each, g in zip(references, guess)),
        np.zeros(SIZE),
    )
    assert 0 < fitted.score(SOURCES[:4], references) == bleu(counts) / 100 < 1
    as_words = [[text.split() for text in each] for each in references]
    assert fitted.score(SOURCES[:4], as_words) == fitted.score(SOURCES[:4], references)


@pytest.mark.usefixtures("far")
def test_stages_are_told_in_their_order() -> None:
    told: list[tuple[str, int, int]] = []
    Translator(tuning=2).fit(
        SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR, on_stage=lambda *stage: told.append(stage)
    )
    *before, first, second = dict.fromkeys(name for name, _, _ in told)
    assert before == ["alignment", "phrases", "language model", "tuning"]
    assert told[-3:] == [("tuning", 0, 2), (first, 1, 2), (second, 2, 2)]
    assert 0 <= float(first.removeprefix("tuning, BLEU ")) < float(second.removeprefix("tuning, BLEU "))


@pytest.mark.usefixtures("far")
def test_tuning_keeps_the_weights_of_the_best_round_and_ends_when_there_is_none() -> None:
    translator = Translator(tuning=9).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR)
    scores = [score for score, _ in translator.tuning_]
    assert len(scores) == 4 and scores[0] < scores[1] < scores[2] == translator.score(*DEV_PAIR) == 1
    assert Translator(tuning=2).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR).tuning_[-1][0] == scores[1]
    assert Translator(tuning=0).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR).tuning_ == []


def test_without_a_development_set_a_part_of_the_training_data_is_tuned_on() -> None:
    many = PAIRS * 3
    sources, targets = [x for x, _ in many], [y for _, y in many]
    translator = Translator(tuning=3).fit(sources, targets)
    assert len(translator.tuning_) == 2, "the start is right already"
    again = Translator(tuning=0).fit(sources, targets)
    assert translator.phrases_ == again.phrases_, "the table is of all pairs in the end"
    assert Translator(tuning=2).fit(sources[:99], targets[:99]).tuning_ == [], "too few to tune on"


def test_sparse_features_are_learned_if_asked_for(fitted: Translator) -> None:
    assert fitted.history_ == [] and not len(fitted.model_.rows.keys)
    # A word with two translations makes mistakes to learn from.
    sources = [*SOURCES[TRAIN], *(f"das schloss ist {a}" for a in ADJECTIVES), "ein schloss ist alt"]
    targets = [*TARGETS[TRAIN], "the lock is old", "the lock is new", "the castle is red", "a castle is old"]
    settings: dict[str, Any] = {"templates": "rules", "epochs": 2, "tuning": 0, "learner": "perceptron"}
    translator = Translator(**settings).fit(sources, targets, dev=DEV_PAIR)
    assert [epoch.epoch for epoch in translator.history_] == [1, 2]
    assert len(translator.model_.rows.keys) > 0 < translator.history_[0].updates
    assert translator.history_[-1].dev_score is not None
    dense = Translator(templates="dense", frozen_dense=False, epochs=1, tuning=0).fit(SOURCES, TARGETS)
    assert len(dense.history_) == 1, "free dense weights are learned too"


@pytest.mark.parametrize("aim", ["reference", "hope", "local"])
def test_what_is_learned_is_retuned_and_drifts_are_told(fitted: Translator, aim: str) -> None:
    settings: dict[str, Any] = {"templates": "rules", "epochs": 2, "folds": 2, "tuning": 3, "retuning": 2}
    translator = Translator(**settings, update_towards=aim, learner="perceptron:step=0.1")
    translator.fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR)
    for epoch in translator.history_:
        assert set(epoch.notes) == {"length ratio", "language model", "words", "sparse"}
        assert epoch.notes["length ratio"] > 0
    # No epoch is kept that is not better than the tuned start, and that is what is left if none is.
    start = fitted.score(*DEV_PAIR)
    assert translator.score(*DEV_PAIR) >= start
    for epoch in translator.history_:
        assert not epoch.best or (epoch.dev_score or 0) > start
    record = translator.model_.about["epochs"][0]
    assert record["notes"] == translator.history_[0].notes


def test_a_training_that_is_resumed_gives_the_same_model(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "templates": "context",
        "folds": 2,
        "tuning": 2,
        "retuning": 2,
        "update_towards": "hope",
    }
    data = SOURCES[TRAIN], TARGETS[TRAIN], DEV_PAIR
    whole = Translator(**settings, epochs=2).fit(*data)
    file = tmp_path / "checkpoint"
    Translator(**settings, epochs=1).fit(*data, checkpoint=file)
    resumed = Translator(**settings, epochs=2).fit(*data, checkpoint=file, resume=True)
    assert [each.record() for each in resumed.history_] == [each.record() for each in whole.history_]
    for found, expected in zip(resumed.model_.rows, whole.model_.rows):
        np.testing.assert_array_equal(found, expected)


def test_epochs_are_chosen_by_sentences_that_nothing_was_tuned_on() -> None:
    recipe = TranslationRecipe(templates="rules")
    held_out = Translator().problem.read(
        [f"satz {i}" for i in range(30)], [f"sentence {i}" for i in range(30)]
    )
    tuning, choosing = halves(recipe, held_out)
    assert [*tuning.xs, *choosing.xs] == held_out.xs and [*tuning.ys, *choosing.ys] == held_out.ys
    assert len(tuning.xs) == 15
    assert choosing.place(0) == held_out.place(15)
    assert halves(TranslationRecipe(), held_out) == (held_out, held_out), "nothing is chosen"


def test_a_fold_is_learned_with_tables_made_without_it() -> None:
    xs = [tuple(x.split()) for x in SOURCES]
    ys = [[tuple(y.split())] for y in TARGETS]
    bitext, recipe = Bitext.of(xs, ys, 1, None), TranslationRecipe(folds=3, min_count=1)
    folds, supplied = bitext.jackknifed(recipe, ys, None)
    assert [list(each) for each in supplied] == ys
    numbers = [each.more[1] for each in supplied]
    assert sorted(set(numbers)) == [1, 2, 3]
    for number, tables in enumerate(folds, 1):
        kept = bitext.without([i for i, each in enumerate(numbers) if each == number])
        expected = kept.task(recipe, None)
        assert list(tables.phrases.each()) == list(expected.phrases.each())
        assert len(kept.sources) < len(xs)


def test_examples_come_with_what_the_table_is_without_them() -> None:
    xs = [tuple(x.split()) for x in SOURCES[:8]]
    # The third has two references, and both have supplied its phrases.
    ys = [[tuple(y.split())] for y in TARGETS[:8]]
    ys[2].append(("that", *ys[2][0][1:]))
    recipe = TranslationRecipe(min_count=1)
    bitext = Bitext.of(xs, ys, 1, None)
    table = bitext.task(recipe, None).phrases
    supplied = bitext.supplied(recipe, table, ys)
    assert [list(each) for each in supplied] == ys
    options = list(table.each())
    sources, targets = bitext.numbered
    for i in (0, 1, 3):
        pair = bitext.owner.tolist().index(i)
        wanted = without(options, sources[pair], targets[pair], bitext.links[pair], recipe.longest)
        numbers, counts, forth, back = supplied[i].more[0]
        found = list(zip(numbers.tolist(), counts.tolist(), forth.tolist(), back.tolist()))
        assert found == [tuple(vars(each).values()) for each in wanted]
    # Of two together: what a table of the others counts.
    others = bitext.without([2])
    kept = count_phrases(list(zip(*others.numbered, others.links)), recipe.longest)
    numbers, counts, *_ = supplied[2].more[0]
    for number, count in zip(numbers.tolist(), counts.tolist()):
        option = options[number]
        assert count == kept[option.source, option.target].count
    with pytest.raises(SettingError, match="cannot be sent to other machines; train without a cluster"):
        pack(supplied)


def test_a_saved_one_translates_alike_in_a_new_process(fitted: Translator, tmp_path: Path) -> None:
    fitted.save(tmp_path / "m")
    loaded = Translator.load(tmp_path / "m")
    assert str(loaded) == str(fitted) and loaded.tuning_ == fitted.tuning_
    assert loaded.labels_ == fitted.labels_ and not hasattr(loaded, "learning_")
    code = (
        "import json, sys\n"
        "from structron.tasks.translation import Translator\n"
        "print(json.dumps(Translator.load(sys.argv[1]).predict_kbest(json.loads(sys.argv[2]), 3)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "m"), json.dumps(SOURCES[DEV])],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert json.loads(said) == json.loads(json.dumps(fitted.predict_kbest(SOURCES[DEV], 3)))


def test_a_file_that_says_nonsense_of_tuning_is_refused(fitted: Translator) -> None:
    about = fitted.model_.about | {"tuning": [[1]]}
    model = Model(fitted.model_.task, fitted.model_.rows, fitted.model_.search, about)
    with pytest.raises(ModelError, match="m: the model does not say how it was made; train it again"):
        Translator.of_model(model, "m")


def test_clones_know_nothing_and_pickles_all(fitted: Translator) -> None:
    assert not hasattr(clone(fitted), "model_") and clone(fitted).tuning == 3
    assert pickle.loads(pickle.dumps(fitted)).predict(SOURCES) == fitted.predict(SOURCES)


def test_threads_change_nothing(fitted: Translator) -> None:
    other = Translator(tuning=3, threads=2).fit(SOURCES[TRAIN], TARGETS[TRAIN], dev=DEV_PAIR)
    assert other.model_.task.tuned == fitted.model_.task.tuned
    assert other.predict_kbest(SOURCES, 3) == fitted.predict_kbest(SOURCES, 3)


def test_what_search_leaves_can_be_looked_at(fitted: Translator) -> None:
    assert isinstance(fitted.trace(SOURCES[0], TARGETS[0]), Trace)
    assert len(fitted.spaces(SOURCES[:2], TARGETS[:2])) == 2


def test_pairs_with_an_empty_side_are_left_out_and_counted() -> None:
    translator = Translator(tuning=0).fit([*SOURCES, "", "das"], [*TARGETS, "the", ""])
    assert translator.empty_ == 2
    assert translator.predict(SOURCES) == Translator(tuning=0).fit(SOURCES, TARGETS).predict(SOURCES)
    with pytest.raises(DataError, match="nothing to learn from; give pairs of sentences that are not empty"):
        Translator().fit(["", ""], ["a", ""])
    with pytest.raises(DataError, match="nothing to learn from"):
        Translator().fit([], [])


def test_nothing_reachable_is_one_sentence() -> None:
    settings: dict[str, Any] = {"templates": "rules", "unreachable": "skip", "tuning": 0, "longest": 1}
    with pytest.raises(DataError, match="none of 2 sources has a derivation of its target; use templates"):
        Translator(**settings).fit(["a b c", "d e f"], ["x", "y z u v w q r s t p"])


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        (["a", "b"], ["x"], "2 sources but 1 targets; give a target for each source"),
        ("a b", ["x"], "X is a single string"),
        (["a"], "x", "y is a single string"),
        (["a"], None, "y is missing; give the translation of each source"),
        ([["a", ""]], [["x"]], "source 1: word '' is not text"),
        (["a", 3], ["x", "y"], "source 2 is of type int; give a source as a str or a list of words"),
        (["a", "b"], ["x", []], "y of source 2: there is no reference; give at least one"),
        (["a\ud800"], ["x"], "source 1: .* holds half of a surrogate pair"),
        ([b"a"], ["x"], "source 1 is bytes; decode them first"),
    ],
)
def test_bad_data_are_one_sentence(X: Any, y: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        Translator().fit(X, y)


def test_an_empty_development_set_is_refused() -> None:
    with pytest.raises(DataError, match="the development set is empty"):
        Translator().fit(SOURCES, TARGETS, dev=([], []))


def test_batches_are_refused() -> None:
    with pytest.raises(SettingError, match="cannot learn batch by batch; call fit"):
        Translator().partial_fit(SOURCES, TARGETS)
