"""The template set that ``auto`` takes: by what the columns of a treebank hold."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from structron import Parser, StructronWarning
from structron.data import read
from structron.features.parsing.choice import ColumnFigures, suited_cut, suited_preset
from structron.features.parsing.presets import PARSING_PRESETS
from structron.features.parsing.sets import ALL_PRESETS, columns_seen
from structron.training import ParsingRecipe

# Words, columns, UPOS, XPOS, shares of FEATS, Case and lemmas, as counted in the training sets.
TREEBANKS = {
    "English-EWT": (ColumnFigures(204_577, 5, 17, 49, 0.68, 0.07, 1.0), "rich"),
    "Italian-ParTUT": (ColumnFigures(48_934, 5, 15, 34, 0.63, 0.0, 1.0), "rich"),
    "Czech-CLTT": (ColumnFigures(13_894, 5, 15, 304, 0.68, 0.60, 1.0), "rich_case"),
    "Turkish-IMST": (ColumnFigures(37_522, 5, 14, 42, 0.61, 0.43, 1.0), "rich_case"),
    "Greek-GDT": (ColumnFigures(42_326, 5, 16, 16, 0.68, 0.54, 1.0), "rich_case"),
    "Hungarian-Szeged": (ColumnFigures(20_166, 5, 16, 0, 0.73, 0.48, 1.0), "rich_case"),
    "French-Sequoia": (ColumnFigures(50_502, 5, 16, 0, 0.65, 0.0, 1.0), "rich_case"),
    "Chinese-GSD": (ColumnFigures(98_608, 5, 15, 42, 0.08, 0.05, 0.0), "rich_forms"),
    "Vietnamese-VTB": (ColumnFigures(20_215, 5, 17, 36, 0.0, 0.0, 1.0), "rich_forms"),
    "Indonesian-GSD": (ColumnFigures(97_531, 5, 16, 0, 0.04, 0.0, 0.0), "rich_tags"),
    "words and tags": (ColumnFigures(10_000, 2, 45, 0, 0.0, 0.0, 0.0), "rich_tags"),
    "nothing": (ColumnFigures(0, 0, 0, 0, 0.0, 0.0, 0.0), "rich_tags"),
}


@pytest.mark.parametrize("treebank", TREEBANKS)
def test_the_set_suits_the_columns(treebank: str) -> None:
    figures, preset = TREEBANKS[treebank]
    assert suited_preset(figures, "arc-standard") == preset
    assert suited_preset(figures, "arc-eager") == "zhang_nivre"
    recipe = ParsingRecipe().suited(figures)
    assert recipe.templates == preset and recipe.cut == (4 if figures.words >= 30_000 else 0)
    named = ParsingRecipe(templates="fast", cut=3, search="beam:4", learner="mira")
    assert named.suited(figures) == named
    graph = preset.replace("rich", "graph")
    assert suited_preset(figures, "graph") == graph == ParsingRecipe(system="graph").suited(figures).templates


@pytest.mark.parametrize("system", ["arc-standard", "graph"])
def test_what_is_chosen_never_reads_an_empty_column(system: str) -> None:
    for tags, fine, features, case, lemmas in (
        (tags, fine, features, case, lemmas)
        for tags in (1, 17)
        for fine in (0, 17, 50, 900)
        for features in (0.0, 0.1, 0.7)
        for case in (0.0, 0.1, 0.5)
        for lemmas in (0.0, 1.0)
        if case <= features
    ):
        figures = ColumnFigures(9000, 5, tags, fine, features, case, lemmas)
        used = columns_seen(ALL_PRESETS[suited_preset(figures, system)], system)
        filled = {0, 1, *(index for index, there in ((2, fine), (3, features), (4, lemmas)) if there)}
        assert used <= filled, figures


def test_what_the_columns_hold_is_counted() -> None:
    sentences = [
        [("Dogs", "N", "NNS", "Case=Nom|Number=Plur", "dog"), ("bark", "V", "VBP", "_", "bark")],
        [],
        [("He", "P", "PRP", "Number=Sing|Case=Nom", "_"), ("barks", "V", "VBZ", "Degree=UpperCase=1", "_")],
    ]
    assert ColumnFigures.of(sentences) == ColumnFigures(4, 5, 3, 4, 0.75, 0.5, 0.5)
    assert ColumnFigures.of([[("a",)]]) == ColumnFigures(1, 1, 0, 0, 0.0, 0.0, 0.0)
    assert ColumnFigures.of([]) == TREEBANKS["nothing"][0]
    assert suited_cut(ColumnFigures.of(sentences), "graph") == 0


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
        ({"feats": ("Case=Nom", "VerbForm=Fin")}, "rich_case"),
        ({"feats": ("_", "_")}, "rich_tags"),  # here XPOS has no more values than UPOS
        ({"feats": ("_", "_"), "lemma": False, "xpos": False}, "rich_tags"),
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
        "search": "beam:8",
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


def test_only_columns_that_are_read_get_a_tagger(tmp_path: Path) -> None:
    data = list(read(write(tmp_path / "t.conllu", ("Case=Nom", "VerbForm=Fin"))))
    parser = Parser(epochs=2, tagger="jackknife:2").fit(data)
    assert parser.chosen_["templates"] == "rich_case"
    assert list(parser.view_.taggers) == ["upos", "feats", "lemma"]
    parser.save(tmp_path / "m")
    assert Parser.load(tmp_path / "m").tokens(data) == parser.tokens(data)
    assert parser.tokens(data)[0][0] == ("Dogs", "N", "_", "Case=Nom", "dog")
