"""The figures of translations: BLEU and chrF as sacreBLEU has them, and how two outputs differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np

from structron.cli.task_cli import Plain
from structron.errors import DataError, SettingError
from structron.io.formats.parallel_text import Segment, present
from structron.metrics import bleu, paired_bootstrap
from structron.metrics.bleu import characters, corpus_bleu, words_13a
from structron.metrics.bootstrap import SAMPLES, Counts
from structron.metrics.chrf import chrf, chrf_counts
from structron.metrics.reports import Grade
from structron.tasks.translation.words.tokenisation import is_without_blanks, looks_raw

SEED = 12345  # sacreBLEU's own
BLEU_SIGNATURE = "nrefs:{}|case:mixed|eff:no|tok:{}|smooth:exp"
CHRF_SIGNATURE = "nrefs:{}|case:mixed|eff:yes|nc:6|nw:0|space:no"
CUTS: dict[str, Callable[[str], list[str]]] = {"none": str.split, "13a": words_13a, "char": characters}
METRICS = {"bleu": corpus_bleu, "chrf": chrf}


def figures_of(gold: Sequence[Sequence[str]], guess: Sequence[str], confused: int = 0) -> Plain:
    """Return the figures of outputs; `gold` has the references of each."""
    if confused:
        raise SettingError("translations have no labels to confuse; leave --confusions out")
    found = counts_of(gold, guess)
    total = found["bleu"].sum(axis=0)
    references = max(map(len, gold))
    return {
        "sentences": len(guess),
        "words": int(total[-2]),
        **{name: float(score(found[name].sum(axis=0))) for name, score in METRICS.items()},
        "length_ratio": float(total[-2] / total[-1]) if total[-1] else 0.0,
        "bleu_signature": BLEU_SIGNATURE.format(references, cut_of(gold)),
        "chrf_signature": CHRF_SIGNATURE.format(references),
    }


def cut_of(gold: Sequence[Sequence[str]]) -> str:
    """Return how texts are cut into words, as sacreBLEU calls it; words stay as they are."""
    texts = [text for each in gold for text in each]
    if not looks_raw(texts):
        return "none"
    return "char" if is_without_blanks(texts) else "13a"


def counts_of(gold: Sequence[Sequence[str]], guess: Sequence[str]) -> dict[str, Counts]:
    """Return, for each metric, what it counts of each output."""
    cut = CUTS[cut_of(gold)]
    words = [
        bleu.References([cut(text) for text in texts]).counts(cut(output))
        for texts, output in zip(gold, guess, strict=True)
    ]
    letters = [chrf_counts(texts, output) for texts, output in zip(gold, guess, strict=True)]
    return {"bleu": np.array(words), "chrf": np.array(letters)}


def difference(gold: Sequence[Sequence[str]], guess: Sequence[str], other: Sequence[str]) -> Plain:
    """Return, for each metric, the other output's figure, and whether the two differ by more than chance."""
    ours, theirs = counts_of(gold, guess), counts_of(gold, other)
    found: Plain = {"samples": SAMPLES, "seed": SEED}
    for name, score in METRICS.items():
        test = paired_bootstrap(ours[name], theirs[name], score, np.random.default_rng(SEED))
        found[name] = {"other": float(score(theirs[name].sum(axis=0))), **asdict(test)}
    return {"difference": found}


def graded(
    places: Sequence[str], sources: Sequence[str], gold: Sequence[Sequence[str]], guess: Sequence[object]
) -> list[Grade]:
    """Return translations with chrF by sentence; the figure of all of them is not its mean."""
    outputs = [str(output) for output in guess]
    scores = chrf(np.array([chrf_counts(*pair) for pair in zip(gold, outputs, strict=True)])) / 100
    return [
        Grade(place, source, tuple(texts), output, float(score), "chrF")
        for place, source, texts, output, score in zip(places, sources, gold, outputs, scores)
    ]


def texts_of(guess: Sequence[Segment], gold: Sequence[Segment]) -> tuple[list[list[str]], list[str]]:
    """Return references and outputs as texts; refuse files with different numbers of lines."""
    if len(guess) != len(gold):
        raise DataError(
            f"{guess[0].file}: it has {len(guess):,} lines and {gold[0].file} has {len(gold):,}; "
            "compare translations of the same sentences"
        )
    return [list(map(text_of, present(each.sides))) for each in gold], [
        text_of(each.sides[0]) for each in guess
    ]


def text_of(words: Sequence[str]) -> str:
    """Join words with blanks."""
    return " ".join(words)


def measured(figures: Plain) -> list[str]:
    """Return the figures as lines of text."""
    lines = [
        f"BLEU  {figures['bleu']:6.2f}   {figures['bleu_signature']}",
        f"chrF  {figures['chrf']:6.2f}   {figures['chrf_signature']}",
        f"{figures['sentences']:,} sentences, {figures['words']:,} words, "
        f"{figures['length_ratio']:.3f} of the references' length",
    ]
    if "difference" not in figures:
        return lines
    found = figures["difference"]
    lines += ["", f"against {figures['against']}, by {found['samples']:,} samples (seed {found['seed']}):"]
    for name, shown in (("bleu", "BLEU"), ("chrf", "chrF")):
        each = found[name]
        lines.append(
            f"{shown}  {figures[name]:6.2f} - {each['other']:.2f} = {each['difference']:+.2f} "
            f"[{each['low']:+.2f}, {each['high']:+.2f}]   p = {each['p']:.4f}"
        )
    return lines
