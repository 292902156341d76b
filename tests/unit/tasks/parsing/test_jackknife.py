"""Jackknifing: no sentence is tagged by a tagger that has seen its tags."""

import pytest

from structron import DataError, Parser, Tagger, Transducer
from structron.io.files.step_cache import StepCache, caching_in
from structron.tasks.parsing.fitting.jackknife import jackknife
from tests.unit.estimators.corpora import treebank


def test_every_part_is_tagged_by_the_others() -> None:
    X, Y = treebank(9)
    seen: list[set[int]] = []

    class Watched(Tagger):
        def fit(self, X_, Y_, *more, **options):  # type: ignore[no-untyped-def]
            seen.append({X.index(x) for x in X_})
            return super().fit(X_, Y_, *more, **options)

    told: list[tuple[str, int, int]] = []
    found, whole = jackknife(lambda: Watched(epochs=2), X, Y, 3, lambda *stage: told.append(stage), "upos")
    assert seen == [{1, 2, 4, 5, 7, 8}, {0, 2, 3, 5, 6, 8}, {0, 1, 3, 4, 6, 7}, set(range(9))]
    assert [len(tags) for tags in found] == [len(x) for x in X]
    assert whole.predict(X) == Tagger(epochs=2).fit(X, Y).predict(X)
    folds = [(f"upos, fold {n} of 3", done, 12) for n in (1, 2, 3) for done in (6, 12)]
    assert told == [*folds, ("upos, all data", 9, 18), ("upos, all data", 18, 18)]


def test_fewer_sentences_than_parts_are_refused() -> None:
    with pytest.raises(DataError, match="3 sentences cannot be put into 5 parts"):
        jackknife(Tagger, *treebank(3), 5)


def test_stages_before_the_epochs_are_told() -> None:
    told: list[tuple[str, int, int]] = []
    trees = ([(["dogs", "bark"], ["N", "V"])] * 4, [([2, 0], ["nsubj", "root"])] * 4)
    Parser(epochs=1, tagger="jackknife:2").fit(*trees, on_stage=lambda *stage: told.append(stage))
    tags = ["tag, fold 1 of 2", "tag, fold 2 of 2", "tag, all data"]
    assert list(dict.fromkeys(name for name, _, _ in told)) == [f"tagger {name}" for name in tags]
    told.clear()
    Transducer(epochs=1).fit(["ab", "ba"], ["x y", "y x"], on_stage=lambda *stage: told.append(stage))
    assert told[:2] == [("alignment", 1, 20), ("alignment", 2, 20)]


class Counted(Tagger):
    """Counts how often one is trained, and is interrupted in the third training."""

    trained = 0
    interrupts = True

    def fit(self, *args: object, **options: object) -> Tagger:  # type: ignore[override]
        Counted.trained += 1
        if Counted.trained == 3 and Counted.interrupts:
            raise KeyboardInterrupt
        return super().fit(*args, **options)  # type: ignore[arg-type]


def test_folds_that_are_done_are_not_done_again(tmp_path):
    X, Y = treebank(20)
    Counted.trained, Counted.interrupts = 0, False
    whole = jackknife(lambda: Counted(epochs=2), X, Y, 3)
    assert Counted.trained == 4
    Counted.trained, Counted.interrupts = 0, True
    with caching_in(StepCache(tmp_path / "d", resume=False)), pytest.raises(KeyboardInterrupt):
        jackknife(lambda: Counted(epochs=2), X, Y, 3)
    Counted.trained, Counted.interrupts = 0, False
    with caching_in(StepCache(tmp_path / "d", resume=True)):
        again = jackknife(lambda: Counted(epochs=2), X, Y, 3)
    assert Counted.trained == 2  # the third fold, and all data
    with caching_in(StepCache(tmp_path / "d", resume=True)):
        last = jackknife(lambda: Counted(epochs=2, threads=2), X, Y, 3)
        other = jackknife(lambda: Counted(epochs=1), X, Y, 3)
    assert Counted.trained == 6  # nothing; and all of other settings
    for tags, tagger in (again, last):
        assert tags == whole[0] and tagger.model_.to_bytes() == whole[1].model_.to_bytes()
    assert other[1].model_.to_bytes() != whole[1].model_.to_bytes()
