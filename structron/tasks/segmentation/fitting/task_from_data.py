"""The task of segmentation data: units, labels, known tokens and rules; and the scores of outputs."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from structron import _core
from structron.errors import DataError
from structron.metrics.segmentation import SegmentationScore, span_score
from structron.segments.boundaries import SENTENCE, Boundary, Token, boundaries
from structron.segments.passages import Passage
from structron.segments.solid import CLUSTER, kinds_kept
from structron.segments.units import CLASSES, Unit, class_of, cut_by, plain_cutter
from structron.tasks.segmentation.fitting.habits_from_text import habits_of_files
from structron.tasks.segmentation.fitting.stretches import stretches
from structron.tasks.segmentation.sentences import AnyTask
from structron.tasks.segmentation.settings import SegmentationRecipe, templates_for
from structron.tasks.segmentation.task import SegmentationTask
from structron.tasks.segmentation.units.habits import Habits
from structron.tasks.segmentation.units.known_tokens import KnownTokens
from structron.tasks.segmentation.units.multiword import MultiwordRules
from structron.tasks.segmentation.white_space import holds_white
from structron.tasks.segmentation.words.task import WordTask

# Runs of letters are cut if training data begin a token at more than this share of their inner places.
OFTEN = 0.05
# Labels that must exist if labels mark ends, or some texts would have no valid labels.
WHOLE = ("J", "JE", "S", "SE", "T", "TE")


def make_task(
    recipe: SegmentationRecipe, given: Sequence[Passage], announced: Sequence[str] = ()
) -> SegmentationTask:
    """Create the task for passages with their tokens; `announced` are labels that will come later."""
    if not given:
        raise DataError("there is nothing to learn from; give at least one sentence")
    whole = [one for one in given if not one.is_partial]
    alone = {"runs": (), "characters": CLASSES}.get(recipe.units)
    if alone is None:
        alone = split_classes(whole)
    ends = recipe.ends == "yes" or (recipe.ends == "auto" and bool(alone))
    letters, others, digits = (name in alone for name in CLASSES)
    cutter = plain_cutter((letters, others, digits))
    pieces = [cut_by(cutter, one.text) for one in whole]
    times: Counter[Boundary] = Counter()
    for one, units in zip(whole, pieces):
        times.update(boundaries(units, one.tokens, ends))
    kept = {str(label) for label, n in times.items() if not label.inner or n >= recipe.inner}
    kept |= {str(Boundary.parse(label)) for label in announced}
    kept |= set(WHOLE) if ends else {"J", "S", "T"} if len(whole) < len(given) else set()
    known = KnownTokens.empty()
    if recipe.dictionary:
        every = [*pieces, *(cut_by(cutter, one.text) for one in given if one.is_partial)]
        told = sorted(given, key=lambda one: one.is_partial)  # in the order of `every`
        known = KnownTokens.observed((_by_stretch if alone else _tokens)(told, every))
    multiword = MultiwordRules.learned(_multiword(given), _plain(given))
    habits = habits_of_files(recipe.text_files) if recipe.text_files and not alone else Habits.empty()
    templates = templates_for(recipe, alone, bool(len(known.keys)), bool(len(habits.keys)))
    seen = array("Q")
    if alone:
        forms = {one.text[begin:end] for one in given for begin, end, _ in one.tokens}
        seen = array("Q", sorted(map(seen_key, forms)))
    labels, least = tuple(sorted(kept)), max(recipe.dictionary, 1)
    by_text = bool(alone)
    spaces = any(holds_white(units, _begins(one)) for one, units in zip(whole, pieces)) or _white(given)
    solid = kinds_kept([(one.text, units, one.tokens) for one, units in zip(whole, pieces)])
    if letters or digits:
        solid &= CLUSTER  # the others are made of runs
    return SegmentationTask(
        labels, templates, alone, known, multiword, recipe.bits, seen, least, by_text, spaces, solid, habits
    )


def _begins(one: Passage) -> Iterator[int]:
    return (begin for begin, _, _ in one.tokens)


def has_spaces(given: Sequence[Passage], cutter: _core.UnitCutter) -> bool:
    """Return True if a token of the passages contains white space."""
    whole = (one for one in given if not one.is_partial)
    return any(holds_white(cut_by(cutter, one.text), _begins(one)) for one in whole) or _white(given)


def _white(given: Iterable[Passage]) -> bool:
    """Return True if a token of those that are known in part contains white space."""
    some = (one for one in given if one.is_partial)
    return any(char.isspace() for one in some for begin, end, _ in one.tokens for char in one.text[begin:end])


def seen_key(form: str) -> int:
    """Return the key by which a training token is recognised."""
    return _core.hash_bytes(form.encode("utf-8", "surrogatepass"))


def refitted(task: AnyTask, given: Sequence[Passage]) -> AnyTask:
    """Adapt the task of earlier batches to a new one: white space in tokens, and multiword tokens.

    Rules for multiword tokens are learned only if there were none before.
    """
    if not task.spaces and has_spaces(given, task.cutter):
        task = replace(task, spaces=True)
    if isinstance(task, WordTask) or task.multiword.forms:
        return task
    return replace(task, multiword=MultiwordRules.learned(_multiword(given), _plain(given)))


def split_classes(given: Iterable[Passage]) -> tuple[str, ...]:
    """Return the classes of characters in whose runs tokens regularly begin."""
    places, begun = Counter[str](), Counter[str]()
    for one in given:
        begins = {begin for begin, _, _ in one.tokens}
        before = ""
        for i, char in enumerate(one.text):
            now = class_of(char)
            if now == before and now in CLASSES:
                places[now] += 1
                begun[now] += i in begins
            before = now
    return tuple(name for name in CLASSES if begun[name] > OFTEN * places[name])


def _tokens(given: Sequence[Passage], pieces: Sequence[Sequence[Unit]]) -> Iterator[tuple[str, list[Unit]]]:
    """Yield each token's units; tokens that begin or end inside of a unit are left out."""
    for one, units in zip(given, pieces):
        at = 0
        for begin, end, _ in one.tokens:
            while at < len(units) and units[at].begin < begin:
                at += 1
            first = at
            while at < len(units) and units[at].end <= end:
                at += 1
            if at > first and units[first].begin == begin and units[at - 1].end == end:
                yield one.text, list(units[first:at])


def _by_stretch(
    given: Sequence[Passage], pieces: Sequence[Sequence[Unit]]
) -> Iterator[tuple[str, list[Unit]]]:
    """Yield each token's units, once for each stretch of the data that has it."""
    for part in stretches(len(given)):
        found: dict[str, tuple[str, list[Unit]]] = {}
        for text, units in _tokens(given[part], pieces[part]):
            found.setdefault(text[units[0].begin : units[-1].end], (text, units))
        yield from found.values()


def _multiword(given: Iterable[Passage]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for one in given:
        for number, words in one.words.items():
            begin, end, _ = one.tokens[number]
            yield one.text[begin:end], words


def _plain(given: Iterable[Passage]) -> Iterator[str]:
    """Yield the tokens with one word."""
    for one in given:
        for number, (begin, end, _) in enumerate(one.tokens):
            if number not in one.words:
                yield one.text[begin:end]


def mean_f1(gold: Sequence[Any], guess: Sequence[Any]) -> float:
    """Return the mean F1 of tokens and sentences, over gold tokens and the model's arrays of each text."""
    tokens, sentences = scores(gold, guess)
    return (tokens.f1 + sentences.f1) / 2


def scores(gold: Sequence[Any], guess: Sequence[Any]) -> tuple[SegmentationScore, SegmentationScore]:
    """Return the scores of tokens and of sentences."""
    tokens = sentences = SegmentationScore()
    for ours, (begins, ends, flags) in zip(gold, guess):
        theirs = list(zip(begins.tolist(), ends.tolist(), flags.tolist()))
        tokens += span_score([t[:2] for t in ours], [t[:2] for t in theirs])
        sentences += span_score(sentence_spans(ours), sentence_spans(theirs))
    return tokens, sentences


def sentence_spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Return begin and end of each sentence."""
    firsts = [i for i, token in enumerate(tokens) if token[2] & SENTENCE or i == 0]
    return [(tokens[a][0], tokens[b - 1][1]) for a, b in zip(firsts, [*firsts[1:], len(tokens)])]
