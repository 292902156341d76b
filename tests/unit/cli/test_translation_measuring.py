"""Figures of translations: those of sacreBLEU, with its signature, and two outputs against each other."""

from __future__ import annotations

import pytest

from structron.cli.task_cli import Reading
from structron.errors import DataError, SettingError
from structron.io.formats.parallel_text import Segment
from structron.tasks.translation.measures import difference, figures_of, measured, texts_of
from structron.tasks.translation.reading import check, line_of

GOLD = [["a dog runs in the park .", "the dog runs ."], ["two men sit here .", "two men are sitting ."]]
GUESS = ["a dog runs in park .", "two men sit ."]


def test_figures_and_signatures_are_those_of_sacrebleu() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    found = figures_of(GOLD, GUESS)
    streams = [list(each) for each in zip(*GOLD)]
    for name, metric in (("bleu", sacrebleu.BLEU(tokenize="none")), ("chrf", sacrebleu.CHRF())):
        assert found[name] == pytest.approx(metric.corpus_score(GUESS, streams).score)
        said = str(metric.get_signature()).partition("|version")[0]
        assert found[f"{name}_signature"] == said
    assert found["sentences"] == 2 and found["words"] == 10


def test_figures_for_people() -> None:
    figures = figures_of(GOLD, GUESS)
    lines = measured(figures)
    assert lines[0].startswith("BLEU  ") and "nrefs:2" in lines[0] and "tok:none" in lines[0]
    assert lines[2].startswith("2 sentences, 10 words, ")
    figures |= difference(GOLD, GUESS, [each[0] for each in GOLD]) | {"against": "other.txt"}
    *_, title, bleu, chrf = measured(figures)
    assert title == "against other.txt, by 1,000 samples (seed 12345):"
    assert "- 100.00 = -" in bleu and "p = " in bleu and chrf.startswith("chrF")


def test_equal_outputs_do_not_differ() -> None:
    found = difference(GOLD, GUESS, GUESS)["difference"]
    assert found["bleu"]["difference"] == 0.0 and found["bleu"]["p"] == found["chrf"]["p"] == 1.0


def test_what_has_no_meaning_is_refused(tmp_path) -> None:
    with pytest.raises(SettingError, match="translations have no labels to confuse; leave --confusions out"):
        figures_of(GOLD, GUESS, 3)
    with pytest.raises(SettingError, match="text has no columns to name; leave --columns out"):
        check(Reading(columns=["form"]))
    with pytest.raises(SettingError, match="translations are text and not conllu; leave --format out"):
        check(Reading("conllu"))
    one = Segment((("a",),), "x", 1)
    with pytest.raises(DataError, match="x: it has 1 lines and x has 2; compare translations of the same"):
        texts_of([one], [one, one])
    (tmp_path / "a").write_text("x\n")
    with pytest.raises(DataError, match="a: there is no line 2, since it has 1; check the file"):
        line_of((str(tmp_path / "a"),), 2, Reading())
