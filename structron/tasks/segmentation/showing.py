"""A text with its cuts, and the search at each place."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from structron.cli.draw.beams import Drawing
from structron.cli.terminal.request import Show
from structron.errors import DataError, SettingError
from structron.io import Sentence, read
from structron.segments.passages import passages
from structron.tasks.segmentation.words.task import WordTask

if TYPE_CHECKING:
    from structron.tasks.segmentation.estimator import Segmenter

SHOWN_BLANK = "␣"
Gold = Sequence[Sequence[str | tuple[str, str]]]  # the tokens of sentences
OVER = "■"  # the text is over
WIDTH = "beam:4"  # of a greedy model, so that there is something beside the best


def show(segmenter: Segmenter, request: Show) -> Iterable[str]:
    """Yield the lines that `show` prints."""
    if request.svg is not None:
        raise SettingError("there is no picture of a text; leave --svg out")
    gold: list[list[str | tuple[str, str]]] | None = None
    task = segmenter.model_.task
    tags = segmenter.tags if isinstance(task, WordTask) and task.labels else None
    if request.place is not None:
        text, gold = _from_file(request, tags)
    else:
        text = (request.text or "").strip()
        if request.gold is not None:
            gold = [_gold(sentence.split(), tags) for sentence in request.gold.split("|")]
    if not text:
        raise SettingError("there is no text; give some between quotes")
    return page(segmenter, text, gold, steps=request.steps, top=request.top)


def _gold(words: Sequence[str], tags: str | None) -> list[str | tuple[str, str]]:
    """Parse the right words; where a model tags, with their tags after a slash."""
    if tags is None:
        return list(words)
    pairs = [(form, tag) for form, _, tag in (word.rpartition("/") for word in words)]
    if not all(form and tag for form, tag in pairs):
        raise SettingError("a word of --gold has no tag; write each like word/tag")
    return list(pairs)


def page(
    segmenter: Segmenter,
    text: str,
    gold: Gold | None,
    *,
    steps: bool = True,
    top: int = 8,
) -> Iterator[str]:
    """Yield all that `show` prints, line by line."""
    for i, sentence in enumerate(segmenter.predict(text), 1):
        shown = (_shown(token.text, token.words, token.tag) for token in sentence.tokens)
        yield f"{i:3}  {' '.join(shown)}"
    pieces = segmenter.paragraphs(text)
    for piece, own in zip(pieces, _gold_of(pieces, gold)) if len(pieces) > 1 else [(text, gold)]:
        yield from _searched(segmenter, piece, own, steps, top)


def _gold_of(pieces: Sequence[str], gold: Gold | None) -> Iterator[Gold | None]:
    """Yield the tokens of each piece; one that goes over its end is left to it, and refused there."""
    tokens = [token for sentence in gold or () for token in sentence]
    for piece in pieces:
        left, own = len("".join(piece.split())), []
        while tokens and left > 0:
            own.append(tokens.pop(0))
            left -= len("".join((own[-1] if isinstance(own[-1], str) else own[-1][0]).split()))
        yield None if gold is None else [own]


def _searched(segmenter: Segmenter, text: str, gold: Gold | None, steps: bool, top: int) -> Iterator[str]:
    """Yield the beam over each piece that is searched by itself."""
    task = segmenter.model_.task
    units = task.units(text)
    names = action_names(task) if isinstance(task, WordTask) else list(task.labels)
    search = WIDTH if segmenter.model_.search.width == 1 else None
    trace = segmenter.trace(text, gold, search)
    labels = None
    if gold is not None:
        labels = [names[action] for action in trace.gold(trace.final).actions]
    yield f"search {search or segmenter.model_.search}"
    yield ""
    words = [columns[0].replace(" ", SHOWN_BLANK) for _, _, columns in units]
    unit = "word"
    if isinstance(task, WordTask):
        words.append(OVER)
        unit = "character"
    yield from Drawing(trace, words, names, labels, top, unit=unit).whole(steps)


def action_names(task: WordTask) -> list[str]:
    """Return the name of an action: continue a word, begin one, end the text, begin a sentence."""
    tags = task.labels or ("begin",)
    return ["+", *tags, OVER, *(f"|{tag}" for tag in tags)]


def _shown(form: str, words: Sequence[str], tag: str) -> str:
    text = form if len(words) == 1 else f"{form}({'+'.join(words)})"
    return f"{text}/{tag}" if tag else text


def _from_file(request: Show, tags: str | None) -> tuple[str, list[list[str | tuple[str, str]]]]:
    reading = request.reading
    place = request.place or "-"
    found: Iterator[Sentence] = read(
        place, format=reading.format, columns=reading.columns, encoding=reading.encoding
    )
    one = next(itertools.islice(found, request.number - 1, None), None)
    if one is None:
        raise DataError(f"{place}: there is no sentence {request.number}; check the file")
    (passage,) = passages([one], tags=tags)
    forms = [passage.text[begin:end] for begin, end, _ in passage.tokens]
    return passage.text, [list(zip(forms, passage.tags)) if tags is not None else list(forms)]
