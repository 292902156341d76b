"""``structron show``: the beam for one sentence, step by step."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.cli import inputs
from structron.errors import DataError, SettingError

if TYPE_CHECKING:
    from structron.data import Names
    from structron.estimators import Tagger


@click.command(short_help="Show the beam for one sentence, step by step.")
@click.argument("model", type=click.Path())
@click.argument("words", metavar='["SOME WORDS"]', required=False)
@click.option("--gold", metavar='"TAGS"', help="The gold tags; words may also come as word/tag.")
@click.option("--input", "input_place", metavar="FILE", help="Take a gold sentence from a file.")
@click.option("--sentence", type=click.IntRange(min=1), default=1, metavar="N", help="Which one of it  [1]")
@inputs.search_option
@click.option("--steps/--no-steps", default=True, help="Every step's beam, or the overview alone.")
@click.option("--top", type=click.IntRange(min=1), default=8, metavar="N", help="Items shown of a beam  [8]")
@inputs.format_option
@inputs.columns_option
def show(
    model: str,
    words: str | None,
    gold: str | None,
    input_place: str | None,
    sentence: int,
    search: str | None,
    steps: bool,
    top: int,
    format_name: str | None,
    columns: Names | None,
) -> None:
    """Show how MODEL tags one sentence: what is in the beam at each step, with scores.

    With gold tags one sees gold fall off the beam, and on which step each update method would fix it.
    """
    if (words is None) == (input_place is None):
        raise click.UsageError("give the words of a sentence, or --input FILE")
    tagger = inputs.load_tagger(model, search)
    if input_place is not None:
        tokens, tags = _from_file(tagger, input_place, sentence, format_name, columns)
    else:
        assert words is not None
        tokens, tags = _from_words(words)
        inputs.check_columns(tagger, "words", 1)
    if gold is not None:
        tags = gold.split()
    if tags is not None:
        _check_gold(tagger, tokens, tags)
    for line in page(tagger, tokens, tags, steps=steps, top=top):
        click.echo(line, color=False if os.environ.get("NO_COLOR") else None)


def page(
    tagger: Tagger, tokens: Sequence[Any], gold: Sequence[str] | None, *, steps: bool = True, top: int = 8
) -> Iterable[str]:
    """All that `show` prints, line by line."""
    from structron.cli.beams import Drawing

    words = [token if isinstance(token, str) else token[0] for token in tokens]
    trace = tagger.trace(tokens, gold)
    guess = [tagger.labels_[action] for action in trace.best(trace.final).actions]
    yield from _pairs(words, guess, gold)
    yield f"search {tagger.model_.search}"
    yield ""
    drawing = Drawing(trace, words, tagger.labels_, gold, top)
    if steps:
        yield from drawing.steps()
    if gold is not None:
        yield from drawing.overview()
        yield ""
        yield from drawing.summary()


def _pairs(words: Sequence[str], guess: Sequence[str], gold: Sequence[str] | None) -> Iterable[str]:
    """Words, guess and gold, one under the other, folded to the terminal's width."""
    rows = [("words", words), ("guess", guess), *([("gold", gold)] if gold is not None else [])]
    widths = [max(len(row[i]) for _, row in rows) for i in range(len(words))]
    room = shutil.get_terminal_size((100, 24)).columns - 7
    first = 0
    while first < len(words):
        last = first + 1
        while last < len(words) and sum(widths[first : last + 1]) + last - first <= room:
            last += 1
        for name, row in rows:
            cells = []
            for i in range(first, last):
                wrong = gold is not None and name == "guess" and row[i] != gold[i]
                padded = f"{row[i]:{widths[i]}}"
                cells.append(click.style(padded, fg="red", bold=True) if wrong else padded)
            yield f"{name:6} {' '.join(cells)}".rstrip()
        yield ""
        first = last


def _from_words(text: str) -> tuple[list[str], list[str] | None]:
    """Words, with their tags if all come as word/tag."""
    tokens = text.split()
    if not tokens:
        raise SettingError("there are no words; give some between quotes")
    pairs = [token.rpartition("/") for token in tokens]
    if all(word and tag for word, _, tag in pairs):
        return [word for word, _, _ in pairs], [tag for _, _, tag in pairs]
    return tokens, None


def _from_file(
    tagger: Tagger, place: str, number: int, format_name: str | None, columns: Names | None
) -> tuple[Sequence[Any], list[str] | None]:
    """Sentence `number` of a file, with its tags if it has some."""
    from structron.data.sentence import missing
    from structron.estimators.inputs import read_inputs

    with inputs.opened(place) as (_, stream):
        sentences = inputs.read_for(tagger, stream, format_name, columns)
        found = next(itertools.islice(sentences, number - 1, None), None)
    if found is None:
        raise DataError(f"{place}: there is no sentence {number}; choose an earlier one")
    column = inputs.target_column(tagger, found)
    labelled = found.format.find(column) is not None and missing(found, column) is None
    tokens = read_inputs([found], tagger.target).tokens[0]
    return tokens, found.column(column) if labelled else None


def _check_gold(tagger: Tagger, tokens: Sequence[Any], tags: Sequence[str]) -> None:
    if len(tokens) != len(tags):
        raise SettingError(f"{len(tokens)} words but {len(tags)} gold tags; give one each")
    for tag in tags:
        if tag not in tagger.labels_:
            known = ", ".join(tagger.labels_[:40]) + (", …" if len(tagger.labels_) > 40 else "")
            raise SettingError(f"the model has no label {tag!r}; its labels are {known}")
