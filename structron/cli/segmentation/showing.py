"""Where a text is cut, and what the search thought of each place."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from structron.cli.beams import Drawing
from structron.cli.face import Show
from structron.data import Sentence, read
from structron.errors import DataError, SettingError
from structron.estimators.segmentation.treebank import passages

if TYPE_CHECKING:
    from structron.estimators.segmentation import Segmenter

SHOWN_BLANK = "␣"
WIDTH = "beam:4"  # of a greedy model, so that there is something beside the best


def show(segmenter: Segmenter, request: Show) -> Iterable[str]:
    """What `show` prints for what it was asked."""
    if request.svg is not None:
        raise SettingError("there is no picture of a text; leave --svg out")
    gold: list[list[str]] | None = None
    if request.place is not None:
        text, gold = _from_file(request)
    else:
        text = (request.text or "").strip()
        if request.gold is not None:
            gold = [sentence.split() for sentence in request.gold.split("|")]
    if not text:
        raise SettingError("there is no text; give some between quotes")
    return page(segmenter, text, gold, steps=request.steps, top=request.top)


def page(
    segmenter: Segmenter,
    text: str,
    gold: Sequence[Sequence[str]] | None,
    *,
    steps: bool = True,
    top: int = 8,
) -> Iterator[str]:
    """All that `show` prints, line by line."""
    for i, sentence in enumerate(segmenter.predict(text), 1):
        yield f"{i:3}  {' '.join(_shown(token.text, token.words) for token in sentence.tokens)}"
    task = segmenter.model_.task
    units = task.units(text)
    search = WIDTH if segmenter.model_.search.width == 1 else None
    trace = segmenter.trace(text, gold, search)
    labels = None
    if gold is not None:
        labels = [task.labels[action] for action in trace.gold(trace.final).actions]
    yield f"search {search or segmenter.model_.search}"
    yield ""
    words = [columns[0].replace(" ", SHOWN_BLANK) for _, _, columns in units]
    yield from Drawing(trace, words, list(task.labels), labels, top).whole(steps)


def _shown(form: str, words: Sequence[str]) -> str:
    return form if len(words) == 1 else f"{form}({'+'.join(words)})"


def _from_file(request: Show) -> tuple[str, list[list[str]]]:
    reading = request.reading
    place = request.place or "-"
    found: Iterator[Sentence] = read(
        place, format=reading.format, columns=reading.columns, encoding=reading.encoding
    )
    one = next(itertools.islice(found, request.number - 1, None), None)
    if one is None:
        raise DataError(f"{place}: there is no sentence {request.number}; check the file")
    (passage,) = passages([one])
    return passage.text, [[passage.text[begin:end] for begin, end, _ in passage.tokens]]
