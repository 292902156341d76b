"""`prefer`, ``auto`` and trials: what is chosen where nobody has said it, and that what was said stays."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Classifier, Parser, Segmenter, SettingError, Tagger, Transducer
from structron.cli.app import main
from structron.fit.trials.trials import FEWEST, choose, one_at_a_time
from structron.synthetic import generate_treebank
from structron.tasks.parsing.settings import ParsingRecipe
from structron.tasks.segmentation.settings import SegmentationRecipe
from structron.tasks.tagging.settings import TaggingRecipe
from structron.tasks.transduction.settings import TransductionRecipe
from structron.tasks.translation.settings import TranslationRecipe

TREES = generate_treebank(150, np.random.default_rng(3))
WORDS = [list(t.words) for t in TREES]
TAGS = [list(t.tags) for t in TREES]
# Words of characters, as B, M, E and S mark them.
RNG = np.random.default_rng(7)
LEXICON = ["ab", "cde", "f", "ghij", "ka", "b"]
TEXTS = [[LEXICON[i] for i in RNG.integers(len(LEXICON), size=6)] for _ in range(80)]
CHARACTERS = [list("".join(text)) for text in TEXTS]
MARKS = [[c for w in text for c in ("S" if len(w) == 1 else f"B{'M' * (len(w) - 2)}E")] for text in TEXTS]


def settled(estimator: Any) -> dict[str, Any]:
    return dict(estimator.model_.about["settled"])


def test_a_tagger_for_speed_searches_greedily_and_looks_back_once() -> None:
    found = {
        p: settled(Tagger(prefer=p, epochs=1).fit(WORDS, TAGS)) for p in ("accuracy", "balance", "speed")
    }
    assert {p: each["search"] for p, each in found.items()} == {
        "accuracy": "beam:8",
        "balance": "beam:4+within=40",
        "speed": "greedy",
    }
    assert [each["order"] for each in found.values()] == [2, 2, 1]


def test_segmenters_and_translators_search_as_widely_as_is_preferred() -> None:
    for kind, system in ((SegmentationRecipe, "words"), (TranslationRecipe, "phrases")):
        narrow, usual, wide = (
            kind(prefer=p, system=system).search_choice.width for p in ("speed", "balance", "accuracy")
        )
        assert narrow < usual < wide
        assert kind().hash() == kind(prefer="balance").hash() != kind(prefer="speed").hash()
        assert str(kind(prefer="speed", search="beam:7").search_choice) == "beam:7"
        with pytest.raises(SettingError, match="prefer = 'size' is not known"):
            kind(prefer="size")
    for prefer, of_characters in (("speed", "greedy"), ("balance", "beam:4"), ("accuracy", "beam:16")):
        own = Segmenter(prefer=prefer, epochs=1, units="characters").fit(
            ["ab", "ba"], [[["a", "b"]], [["ba"]]]
        )
        assert str(own.model_.search) == of_characters


def test_what_is_set_by_name_stays() -> None:
    tagger = Tagger(prefer="speed", search="beam:3", order=2, templates="ner", epochs=1).fit(WORDS, TAGS)
    assert "settled" not in tagger.model_.about and str(tagger.model_.search) == "beam:3"
    X, y = [(list(t.words), list(t.tags)) for t in TREES], [(t.heads, t.labels) for t in TREES]
    parser = Parser(prefer="speed", search="beam:2", epochs=1).fit(X, y)
    assert parser.chosen_["search"] == "beam:2" and parser.chosen_["templates"] == "fast_tags"
    accurate = Parser(prefer="accuracy", combine="none", epochs=1).fit(X, y)
    assert not accurate.model_.task.experts and Parser(prefer="accuracy").recipe.experts


def test_few_words_keep_all_pieces_also_for_speed() -> None:
    few, many = (TransductionRecipe(prefer="speed").suited(n) for n in (5_000, 100_000))
    assert (few.min_count, few.cut, few.min_weight, few.templates) == (1, 0, 0.0, "fast")
    assert (many.min_count, many.cut, many.min_weight, many.templates) == (10, 3, 1.5, "fast_alike")
    named = TransductionRecipe(prefer="speed", min_count=2, min_weight=0.5).suited(100_000)
    assert (named.min_count, named.cut, named.min_weight) == (2, 3, 0.5)


@pytest.mark.parametrize("recipe", [TaggingRecipe(), ParsingRecipe(), TransductionRecipe()])
def test_auto_that_means_one_thing_has_the_hash_of_that_thing(recipe: Any) -> None:
    assert recipe.hash() == recipe.but(**recipe.balanced).hash() != recipe.but(prefer="speed").hash()
    assert all(getattr(recipe, name) == "auto" != value for name, value in recipe.balanced.items())


def test_characters_that_are_made_of_others_are_taken_apart() -> None:
    letters = [chr(0xAC00 + 588 * first + 28 * second) for first in range(19) for second in range(10)]
    sounds = [f"c{i // 10} v{i % 10}" for i in range(190)]
    transducer = Transducer(epochs=1).fit(letters, sounds)
    assert transducer.script_.notation.source_way == "decomposed"
    named = Transducer(epochs=1, source_symbols="characters").fit(letters, sounds)
    assert named.script_.notation.source_way == "characters"
    accents = Transducer(epochs=1).fit(["né", "ne"], ["n e", "n @"])
    assert accents.script_.notation.source_way == "decomposed"
    for sources in (["no", "ne"], ["\u304b", "\u304c"]):  # か and が: kana are not taken apart
        plain = Transducer(epochs=1).fit(sources, ["n o", "n @"])
        assert plain.script_.notation.source_way == "characters"


@pytest.mark.parametrize("kind", [TaggingRecipe, ParsingRecipe, TransductionRecipe])
def test_what_cannot_be_preferred_is_refused(kind: Any) -> None:
    with pytest.raises(
        SettingError, match=r"prefer = 'size' is not known; use one of accuracy, balance, speed"
    ):
        kind(prefer="size")
    for trials in (-1, 5, "many"):
        with pytest.raises(SettingError, match=r"trials = .* give a whole number from 0 to 4, or auto"):
            kind(trials=trials)


def test_characters_with_b_m_e_s_are_spans_that_are_always_legal() -> None:
    tagger = Tagger(epochs=4).fit(CHARACTERS[:60], MARKS[:60])
    assert settled(tagger)["templates"] == "characters" and tagger.model_.task.scheme == "bioes"
    assert tagger.score(CHARACTERS[60:], MARKS[60:]) > 0.9, "the F1 of words"
    for marks in tagger.predict([list("zzq"), list("mez"), ["q"], list("bbbbb")]):
        text = "".join(marks)
        assert text.replace("S", "").replace("BE", "").count("M") == len(
            text.replace("S", "").replace("B", "").replace("E", "")
        )
        words = text.replace("S", "|").replace("B", "|B").replace("E", "E|").split("|")
        assert all(not w or (w[0] == "B" and w[-1] == "E" and set(w[1:-1]) <= {"M"}) for w in words), text


def test_names_with_a_second_column_are_not_chunks() -> None:
    X = [[("Ann", "N"), ("went", "V"), ("home", "N"), (".", ".")]] * 5
    tagger = Tagger(epochs=1).fit(X, [["B-PER", "O", "O", "O"]] * 5)
    assert settled(tagger)["templates"] == "ner_pos"
    tagger = Tagger(epochs=1).fit(X, [["B-NP", "B-VP", "B-NP", "O"]] * 5)
    assert settled(tagger)["templates"] == "chunk"


def test_what_is_tried_begins_with_the_usual_and_changes_one_thing_at_a_time() -> None:
    found = one_at_a_time({"a": [1, 2, 3], "b": ["x", "y"]}, 9)
    assert found == [{"a": 1, "b": "x"}, {"a": 2, "b": "x"}, {"a": 3, "b": "x"}, {"a": 1, "b": "y"}]
    assert one_at_a_time({"a": [1, 2, 3]}, 2) == [{"a": 1}, {"a": 2}]


class Counted:
    """Learns nothing; its score is its setting, and what it was given is counted."""

    seen: list[tuple[int, int]] = []  # noqa: RUF012 - all of them write to it
    history_ = ()

    def __init__(self, a: int) -> None:
        self.a = a

    def fit(self, X: list[Any], y: Any = None, dev: Any = None) -> Counted:
        Counted.seen.append((self.a, len(X)))
        return self

    def score(self, X: Any, y: Any = None) -> float:
        return self.a / 10


@pytest.mark.parametrize("trainings", [1, 2, 3])
def test_trials_cost_no_more_than_they_may(trainings: int) -> None:
    Counted.seen.clear()
    X = list(range(2700))
    chosen = choose(lambda each: Counted(**each), {"a": list(range(30))}, X, None, [1], trainings, 0)
    assert chosen is not None
    assert chosen.settings["a"] == 3**trainings - 1, "the best of those that were tried"
    assert sum(n for _, n in Counted.seen) <= trainings * len(X)
    Counted.seen.clear()
    choose(lambda each: Counted(**each), {"a": [1, 2]}, X, None, None, trainings, 0)
    assert max(n for _, n in Counted.seen) <= len(X) * 9 // 10 // 3, "a tenth is held out"


def test_there_are_no_trials_where_nothing_is_open_or_little_is_known() -> None:
    assert choose(lambda each: Counted(**each), {"a": [1]}, list(range(900)), None, [1], 1, 0) is None
    assert (
        choose(lambda each: Counted(**each), {"a": [1, 2]}, list(range(FEWEST - 1)), None, [1], 1, 0) is None
    )


@pytest.mark.parametrize("dev", [None, (CHARACTERS[60:], MARKS[60:])])
def test_trials_choose_are_told_and_repeat(dev: Any, tmp_path: Path) -> None:
    X, y = CHARACTERS, MARKS
    made = [Tagger(trials=1, epochs=2).fit(X, y, dev=dev) for _ in range(2)]
    about = made[0].model_.about
    assert made[0].to_bytes() == made[1].to_bytes()
    assert len(about["trials"]) == 3 and all(0 <= t["score"] <= 1 for t in about["trials"])
    best = max(about["trials"], key=lambda each: each["score"])
    assert {name: settled(made[0])[name] for name in best["settings"]} == best["settings"]
    assert set(best["settings"]) == {"templates", "order"}, "the search is not a matter of trials"
    again = Tagger(epochs=2, **settled(made[0])).fit(X, y, dev=dev)
    assert again.predict(X) == made[0].predict(X)
    made[0].save(tmp_path / "m")
    assert Tagger.load(tmp_path / "m").model_.about["trials"] == about["trials"]


def test_trials_are_for_accuracy_with_development_data_unless_asked_for() -> None:
    dev = CHARACTERS[60:], MARKS[60:]
    tried = [
        "trials" in Tagger(prefer=prefer, epochs=1).fit(CHARACTERS, MARKS, dev=held).model_.about
        for prefer, held in (("accuracy", dev), ("accuracy", None), ("balance", dev), ("speed", dev))
    ]
    assert tried == [True, False, False, False]
    with pytest.raises(SettingError, match="trials need all data in memory"):
        Tagger(trials=1).fit(["x.txt"], stream="folder")


def test_parsers_and_transducers_are_tried_too() -> None:
    X, y = [(list(t.words), list(t.tags)) for t in TREES], [(t.heads, t.labels) for t in TREES]
    parser = Parser(trials=1, epochs=1).fit(X, y)
    tried = [each["settings"] for each in parser.model_.about["trials"]]
    assert tried[0] == {"templates": "lean_tags", "cut": 0} and {"templates": "lean_tags", "cut": 2} in tried
    accurate = Parser(prefer="accuracy", epochs=1).fit(X, y, dev=(X[:20], y[:20]))
    assert len(accurate.model_.about["trials"]) == 2 and len(accurate.model_.task.experts) == 4
    assert accurate.chosen_["combine"].startswith("graph")
    sources = [f"{'ab' * (i % 5 + 1)}{i % 7}" for i in range(120)]
    transducer = Transducer(trials=1, epochs=1).fit(sources, [s.upper() for s in sources])
    assert len(transducer.model_.about["trials"]) == 3


def test_the_command_that_repeats_is_printed_and_repeats(tmp_path: Path, capsys: Any) -> None:
    train = tmp_path / "t.txt"
    sentences = ("\n".join(f"{c} {mark}" for c, mark in zip(*each)) for each in zip(CHARACTERS, MARKS))
    train.write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
    model = tmp_path / "m"
    args = ["train", "tagging", str(train), "-o", str(model), "--prefer", "speed", "--epochs", "2"]
    assert main([*args, "--format", "columns"]) == 0
    said = capsys.readouterr().err
    (line,) = (each for each in said.splitlines() if "the same again: " in each)
    words = shlex.split(line.partition("the same again: ")[2])
    assert "--prefer" not in words and words[words.index("--search") + 1] == "greedy"
    assert main(["info", str(model)]) == 0
    assert "auto meant  order 1, search greedy, templates characters" in capsys.readouterr().out
    words[words.index("-o") + 1] = str(tmp_path / "again")
    assert main(words[1:]) == 0
    one, two = (Tagger.load(path) for path in (model, tmp_path / "again"))
    assert one.predict(CHARACTERS) == two.predict(CHARACTERS)


def test_the_command_that_repeats_reads_the_same_columns(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("id,body,topic\n1,é a,x\n2,b\n3,c d,y\n4,d,y\n", encoding="latin-1")
    args = ["train", "classification", "t.csv", "-o", "m", "--columns", "text=body,label=topic"]
    assert main([*args, "--encoding", "latin-1", "--skip-bad"]) == 0
    said = capsys.readouterr().err
    words = shlex.split(said.partition("the same again: ")[2].partition("\n")[0])
    words[words.index("-o") + 1] = "again"
    assert main(words[1:]) == 0
    one, two = (Classifier.load(path).model_.about for path in ("m", "again"))
    assert one["signature"]["data"] == two["signature"]["data"] and one["epochs"] == two["epochs"]
