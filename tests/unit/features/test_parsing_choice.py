"""The template set that ``auto`` takes: by what the columns of a treebank hold."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from structron import Parser, StructronWarning
from structron.fit.preference import PREFERENCES
from structron.io import Format, Sentence, Tree, read
from structron.tasks.parsing.features.choice import ColumnFigures, suited_cut, suited_preset
from structron.tasks.parsing.features.column_information import Bits
from structron.tasks.parsing.features.presets import PARSING_PRESETS
from structron.tasks.parsing.features.sets import ALL_PRESETS, columns_seen
from structron.tasks.parsing.settings import ParsingRecipe

# Words, bits by UPOS, XPOS and Case, shares of FEATS, lemmas and own lemmas, as counted in the training sets.
TREEBANKS = {
    "English-EWT": (ColumnFigures(204_577, Bits(0.910, 0.779, 0.837), 49, 0.68, 1.0, 0.24), "rich"),
    "English-GUM": (ColumnFigures(177_410, Bits(0.971, 0.848, 0.894), 46, 0.68, 1.0, 0.24), "rich"),
    "Italian-ParTUT": (ColumnFigures(48_934, Bits(0.734, 0.635, 0.689), 34, 0.63, 1.0, 0.37), "rich"),
    "Czech-CLTT": (
        ColumnFigures(13_894, Bits(0.816, 0.581, 0.589), 304, 0.68, 1.0, 0.48),
        "rich_case",
    ),
    "Turkish-IMST": (
        ColumnFigures(37_522, Bits(1.432, 1.396, 1.152), 41, 0.61, 1.0, 0.47),
        "rich_case",
    ),
    "Greek-GDT": (ColumnFigures(42_326, Bits(0.737, 0.737, 0.565), 16, 0.68, 1.0, 0.58), "rich_case"),
    "Hungarian-Szeged": (
        ColumnFigures(20_166, Bits(1.102, 1.102, 0.794), 0, 0.73, 1.0, 0.35),
        "rich_case",
    ),
    "French-Sequoia": (
        ColumnFigures(50_502, Bits(0.756, 0.756, 0.705), 0, 0.65, 1.0, 0.38),
        "rich_case",
    ),
    "Basque-BDT": (ColumnFigures(72_974, Bits(1.115, 1.115, 0.809), 0, 0.62, 1.0, 0.51), "rich_case"),
    "Chinese-GSD": (
        ColumnFigures(98_608, Bits(1.112, 0.919, 1.056), 42, 0.08, 0.0, 0.0),
        "rich_forms",
    ),
    "Vietnamese-VTB": (
        ColumnFigures(20_215, Bits(1.646, 1.621, 1.646), 36, 0.0, 1.0, 0.03),
        "rich_forms",
    ),
    "Indonesian-GSD": (
        ColumnFigures(97_531, Bits(1.070, 1.070, 1.070), 0, 0.04, 0.0, 0.0),
        "rich_tags",
    ),
    "Arabic-PADT": (
        ColumnFigures(28_263, Bits(1.109, 0.910, 0.972), 207, 0.75, 0.0, 0.0),
        "rich_case_forms",
    ),
    "Japanese-GSD": (
        ColumnFigures(12_287, Bits(0.728, 0.699, 0.728), 100, 0.004, 1.0, 0.20),
        "rich_lemmas",
    ),
    "German-GSD": (
        ColumnFigures(12_480, Bits(1.016, 0.876, 0.788), 49, 0.66, 1.0, 0.49),
        "rich_case",
    ),
    "morphemes": (ColumnFigures(90_000, Bits(1.2, 0.9, 1.2), 900, 0.0, 1.0, 0.6), "rich_lemmas"),
    "cases, no lemmas": (
        ColumnFigures(90_000, Bits(1.2, 1.2, 0.9), 0, 0.7, 0.0, 0.0),
        "rich_case_forms",
    ),
    "words and tags": (ColumnFigures(10_000, Bits(1.2, 1.2, 1.2)), "rich_tags"),
    "nothing": (ColumnFigures(0, Bits(0.0, 0.0, 0.0)), "rich_tags"),
}


@pytest.mark.parametrize("treebank", TREEBANKS)
def test_the_set_suits_the_columns(treebank: str) -> None:
    figures, preset = TREEBANKS[treebank]
    assert suited_preset(figures, "arc-standard") == preset
    assert suited_preset(figures, "arc-eager") == "zhang_nivre"
    recipe = ParsingRecipe().suited(figures)
    assert recipe.templates == preset.replace("rich", "lean")
    assert recipe.cut == (4 if figures.words >= 30_000 else 0)
    named = ParsingRecipe(templates="fast", cut=3, search="beam:4", learner="mira", combine="none")
    assert named.suited(figures) == named
    graph = preset.replace("rich", "graph")
    assert suited_preset(figures, "graph") == graph == ParsingRecipe(system="graph").suited(figures).templates


@pytest.mark.parametrize("system", ["arc-standard", "graph"])
@pytest.mark.parametrize("prefer", PREFERENCES)
def test_what_is_chosen_never_reads_an_empty_column(system: str, prefer: str) -> None:
    for fine, case, features, lemmas in itertools.product((1.0, 0.5), (1.0, 0.7), (0.0, 0.1), (0.0, 1.0)):
        if case < 1.0 and not features:
            continue
        figures = ColumnFigures(9000, Bits(1.0, fine, case), 50, features, lemmas, lemmas / 2)
        templates = ParsingRecipe(system=system, prefer=prefer).suited(figures).templates
        used = columns_seen(ALL_PRESETS[templates], system)
        filled = {0, 1, *(at for at, there in ((2, fine < 1), (3, features), (4, lemmas)) if there)}
        assert used <= filled, figures


def test_what_the_columns_hold_is_counted() -> None:
    sentences = [
        [("Dogs", "N", "NNS", "Case=Nom|Number=Plur", "dog"), ("bark", "V", "VBP", "_", "bark")],
        [],
        [("He", "P", "PRP", "Number=Sing|Case=Nom", "_"), ("barks", "V", "VBZ", "Degree=UpperCase=1", "_")],
    ]
    trees = [Tree([2, 0], ["nsubj", "root"]), Tree([], []), Tree([2, 0], ["nsubj", "root"])]
    found = ColumnFigures.of(sentences, trees)
    assert found[2:] == (4, 0.75, 0.5, 0.25) and found.words == 4
    assert (
        found.bits.tags == found.bits.case < found.bits.fine
    )  # XPOS here has new values for what is the same
    assert ColumnFigures.of([[("a",)]], [Tree([0], ["root"])]).bits == Bits(0.0, 0.0, 0.0)
    assert ColumnFigures.of([], []) == TREEBANKS["nothing"][0]
    assert suited_cut(found, "graph") == 0


def treebank_of(columns: Callable[[str], tuple[str, str]]) -> list[Sentence]:
    """Sentences whose second word is a subject or an object, which one of the columns tells."""
    found = []
    for i in range(60):
        relation = ("nsubj", "obj", "iobj")[i % 3]
        fine, feats = columns(relation)
        rows = [
            ["1", f"v{i % 7}", f"v{i % 7}", "VERB", "V", "_", "0", "root", "_", "_"],
            ["2", f"n{i % 11}s", f"n{i % 11}", "NOUN", fine, feats, "1", relation, "_", "_"],
        ]
        found.append(Sentence(rows, Format("conllu")))
    return found


def test_a_column_is_read_because_it_tells_the_relations() -> None:
    """XPOS of morphemes without FEATS was not looked at; FEATS that are always the same were."""
    morphemes = treebank_of(lambda relation: (f"n+j{relation[0]}+{relation}", "_"))
    cases = treebank_of(lambda relation: ("_", f"Case={relation.title()}"))
    idle = treebank_of(lambda relation: (f"n+{relation}", "Number=Sing"))
    chosen = [Parser(epochs=2).fit(data).chosen_["templates"] for data in (morphemes, cases, idle)]
    assert chosen == ["lean_lemmas", "lean_case", "lean"]


ROWS = [("Dogs", "dog", "N", "NNS"), ("bark", "bark", "V", "VBP")]


def write(path: Path, feats: tuple[str, str], lemma: bool = True, xpos: bool = True) -> Path:
    lines = []
    for i, (form, base, tag, fine) in enumerate(ROWS):
        columns = [form, base if lemma else "_", tag, fine if xpos else "_", feats[i]]
        lines.append("\t".join([str(i + 1), *columns, "20"[i], ("nsubj", "root")[i], "_", "_"]))
    path.write_text(("\n".join(lines) + "\n\n") * 3, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("columns", "preset"),
    [
        ({"feats": ("Case=Nom", "VerbForm=Fin")}, "lean_case"),
        ({"feats": ("_", "_")}, "lean_tags"),  # here XPOS has no more values than UPOS
        ({"feats": ("_", "_"), "lemma": False, "xpos": False}, "lean_tags"),
    ],
)
def test_a_bare_parser_looks_at_the_file(columns: dict[str, Any], preset: str, tmp_path: Path) -> None:
    data = list(read(write(tmp_path / "t.conllu", **columns)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser = Parser(epochs=2).fit(data)
    assert parser.chosen_ == {
        "templates": preset,
        "cut": 0,
        "search": "beam:8+within=200",
        "learner": "perceptron:margin=30",
    }
    assert list(parser.model_.task.templates) == PARSING_PRESETS[preset]
    assert parser.templates == "auto" == parser.model_.about["recipe"]["templates"]


def test_a_set_that_reads_an_empty_column_warns_and_needs_no_tagger_for_it(tmp_path: Path) -> None:
    data = list(read(write(tmp_path / "t.conllu", ("_", "_"), lemma=False)))
    said = (
        "templates rich read feats and lemma, but that is empty in all training data; choose others, or auto"
    )
    with pytest.warns(StructronWarning, match=said):
        parser = Parser(epochs=2, templates="rich", tagger="jackknife:2").fit(data)
    assert list(parser.view_.taggers) == ["upos", "xpos"] == list(parser.predict_with_tags(data)[1])


def in_capitals(data: list[Sentence], column: str) -> list[Sentence]:
    """The same, with one column written in another way."""
    return [s.with_column(column, [value.upper() for value in s.column(column)]) for s in data]


def test_a_development_set_that_is_tagged_in_another_way_is_warned_of(recwarn: Any) -> None:
    data = treebank_of(lambda relation: (relation, f"Case={relation}"))
    dev = in_capitals(data, "xpos")
    for templates in ("rich_tags", "rich_forms"):
        Parser(epochs=1, templates=templates).fit(data, dev=data)
    for templates in ("rich_tags", "rich_case"):  # which do not read them
        Parser(epochs=1, templates=templates).fit(data, dev=dev)
    assert not [each for each in recwarn if "development set" in str(each.message)]
    said = (
        "50 % of xpos in the development set, such as NSUBJ, OBJ, IOBJ, are in no training data; write both"
    )
    with pytest.warns(StructronWarning, match=said):
        assert (
            Parser(epochs=1, templates="rich_forms").fit(data, dev=dev).chosen_["templates"] == "rich_forms"
        )


@pytest.mark.parametrize("system", ["arc-standard", "graph"])
@pytest.mark.parametrize(
    ("column", "columns", "said", "chosen"),
    [
        ("xpos", ("{}", "_"), "50 % of xpos in the development set, such as NSUBJ, OBJ, IOBJ, are in no "
         "training data, so auto does not take templates {}_lemmas, which read it; write both", "tags"),
        ("feats", ("_", "Case={}|Number=Sing"), "50 % of feats in the development set, such as CASE=NSUBJ.*, "
         "are in no training data, so auto does not take templates {}_case, which read it; write", "tags"),
        ("xpos", ("{}", "Case={}"), None, "case"),  # auto does not read XPOS there
    ],
)  # fmt: skip
def test_auto_reads_no_column_that_the_development_set_has_in_another_way(
    system: str, column: str, columns: tuple[str, str], said: str | None, chosen: str, recwarn: Any
) -> None:
    family = "graph" if system == "graph" else "lean"
    data = treebank_of(lambda relation: (columns[0].format(relation), columns[1].format(relation)))
    dev = in_capitals(data, column)
    parser = Parser(epochs=1, system=system).fit(data, dev=dev)
    own = [str(each.message) for each in recwarn if "development set" in str(each.message)]
    assert [bool(re.match(said.format(family), each)) for each in own] == [True] if said else not own
    assert parser.chosen_["templates"] == f"{family}_{chosen}" == parser.model_.about["settled"]["templates"]
    assert ("dev" in parser.model_.about["signature"]) == bool(said)
    named = Parser(epochs=1, system=system, templates=f"{family}_{chosen}").fit(data, dev=dev)
    assert parser.predict(dev) == named.predict(dev) and parser.score(dev) == named.score(dev)


def test_auto_reads_no_column_that_only_the_training_data_have() -> None:
    data = treebank_of(lambda relation: (relation, "_"))
    dev = [s.with_column("lemma", ["_"] * 2) for s in data]
    said = "lemma is empty in the development set but not in training data, so auto does not take templates"
    with pytest.warns(StructronWarning, match=said):
        assert Parser(epochs=1).fit(data, dev=dev).chosen_["templates"] == "lean_forms"


def test_a_parser_that_tags_for_itself_does_not_look_at_the_tags_of_its_development_set(recwarn: Any) -> None:
    data = treebank_of(lambda relation: (relation, "_"))
    parser = Parser(epochs=1, tagger="jackknife:2").fit(data, dev=in_capitals(data, "xpos"))
    assert parser.chosen_["templates"] == "lean_lemmas" and "dev" not in parser.model_.about["signature"]
    assert not [each for each in recwarn if "development set" in str(each.message)]


def test_cases_from_a_column_that_few_words_have_are_warned_of() -> None:
    data = treebank_of(lambda relation: (relation, "_"))
    rare = Sentence([["1", "x", "x", "X", "X", "Case=Nom", "0", "root", "_", "_"]], Format("conllu"))
    said = "templates rich_case read cases from feats, which 0.8 % of words have; choose others, or auto"
    with pytest.warns(StructronWarning, match=said):
        Parser(epochs=1, templates="rich_case").fit([*data, rare])


def test_only_columns_that_are_read_get_a_tagger(tmp_path: Path) -> None:
    data = list(read(write(tmp_path / "t.conllu", ("Case=Nom", "VerbForm=Fin"))))
    parser = Parser(epochs=2, tagger="jackknife:2").fit(data)
    assert parser.chosen_["templates"] == "lean_case"
    assert list(parser.view_.taggers) == ["upos", "feats", "lemma"]
    parser.save(tmp_path / "m")
    assert Parser.load(tmp_path / "m").tokens(data) == parser.tokens(data)
    assert parser.tokens(data)[0][0] == ("Dogs", "N", "_", "Case=Nom", "dog")
