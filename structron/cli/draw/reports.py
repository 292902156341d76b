"""The reports of `evaluate`: by label, for known words, by length, and how two outputs differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron.cli.draw.confusions import confused_lines
from structron.cli.draw.trees import cells, fit, pad
from structron.cli.files.places import check_output, check_picture
from structron.cli.task_cli import Judging, Plain, Reading
from structron.errors import SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI, Judged
    from structron.metrics import Judgement, LabelScore, Report

SAMPLES = 1000
SHOWN = 10  # labels of the matrix: as many as fit into 80 columns
LABELS = 40  # of the table: those of lemmas and forms have no end
NAME = 20  # columns of a label in a table


@dataclass(frozen=True)
class Wanted:
    """The parts of a report that the user asks for.

    Attributes
    ----------
    report, csv
        The tables, for people or between commas.
    plot, errors
        Files for the heat map and for the page of errors.
    train
        The training data, by which words are known or not.
    against, differences
        Another model or output, and how many of the sentences where they differ are shown.
    confusions
        How many of the most frequent mistakes are listed.
    """

    report: bool = False
    csv: bool = False
    plot: str | None = None
    errors: str | None = None
    train: str | None = None
    against: str | None = None
    differences: int = 5
    confusions: int = 0

    @property
    def any(self) -> bool:
        """Return whether examples must be judged one by one."""
        return any((self.report, self.csv, self.plot, self.errors, self.train, self.against, self.confusions))

    def besides(self, figures: Plain, confusions: int) -> Wanted:
        """Return the missing figures: not all tasks count confusions by themselves."""
        return self if "confusions" in figures else replace(self, confusions=confusions)

    def check(self, as_json: bool) -> None:
        """Refuse what cannot be done before anything is read."""
        if self.csv and as_json:
            raise SettingError("--csv and --json are two ways to write; give one of them")
        check_picture(self.plot)
        check_output("--errors", self.errors, (".html", ".htm"))


def judging(task: Any) -> Judging:
    """Return a task whose outputs can be judged; refuse any other."""
    if not isinstance(task, Judging):
        raise SettingError(
            f"reports and pages of errors are not for {task.estimator.kind}, whose outputs are not labels; "
            "leave --report, --csv, --plot, --errors, --train and --against out"
        )
    return task


def reported(
    judged: Judged,
    second: Judged | None,
    figures: Plain,
    known: tuple[Container[str] | None, str],
    wanted: Wanted,
) -> Plain:
    """Return the requested reports, by stage if there are several; write the files."""
    if isinstance(judged, list):
        other = list(second.values())[-1] if isinstance(second, dict) else second
        return _reported(judged, other, figures, known, wanted)
    pages: list[str] = []
    tables: list[str] = []
    by_stage: Plain = {}
    for name, own in judged.items():
        other = second.get(name) if isinstance(second, dict) else second
        if wanted.against is not None and other is None:
            continue
        found = _reported(own, other, figures, known, replace(wanted, plot=None, errors=None))
        head, *rows = found.pop("csv", "\n").splitlines(keepends=True)
        tables += ([f"stage,{head}"] if not tables else []) + [f"{name},{row}" for row in rows]
        if page := found.pop("page"):
            pages += ["", click.style(f"== {name}", bold=True), *page]
        by_stage[name] = found
    files = Wanted(plot=wanted.plot, errors=wanted.errors)
    if files.any:
        extended(
            [_of_stage(each, name) for name, own in judged.items() for each in own], figures, *known, files
        )
    return {"stages": by_stage, "page": pages} | ({"csv": "".join(tables)} if wanted.csv else {})


def _of_stage(each: Judgement, name: str) -> Judgement:
    """Return a judgement whose place and labels say which stage they are of."""
    gold, guess = (
        tuple(label and f"{name} {label}" for label in labels) for labels in (each.gold, each.guess)
    )
    return replace(each, place=f"{each.place}, {name}", gold=gold, guess=guess)


def _reported(
    judged: Sequence[Judgement],
    second: Sequence[Judgement] | None,
    figures: Plain,
    known: tuple[Container[str] | None, str],
    wanted: Wanted,
) -> Plain:
    found: Plain = {}
    if second is not None and wanted.against is not None:
        found = compared(judged, second, wanted.against, wanted.differences)
    return found | extended(judged, figures | found, *known, wanted)


def known_words(
    task: AnyTaskCLI, place: str, reading: Reading, settings: Mapping[str, Any]
) -> tuple[Container[str], str]:
    """Return the words of the training data, and where they come from."""
    from structron.io import Report as Left

    if task.items != "sentences":
        raise SettingError(f"--train counts known words of sentences, not of {task.items}; leave it out")
    found = task.labelled(place, reading, Left(), settings)
    return {word for item in found for word in item.words()}, f"is in {place}"


def extended(
    judged: Sequence[Judgement], figures: Plain, known: Container[str] | None, source: str, wanted: Wanted
) -> Plain:
    """Return the requested reports as data and as text; write the files."""
    from structron.io.files.atomic_write import write_atomically
    from structron.metrics import report, score_of

    found = report(judged, known)
    more: Plain = {"report": found.as_dict()} if wanted.report or wanted.train else {}
    if wanted.csv:
        more["csv"] = found.csv()
    if wanted.plot is not None:
        from structron.cli.draw.heat_map import draw_matrix

        draw_matrix(found, Path(wanted.plot))
    if wanted.errors is not None:
        from structron.cli.draw.error_page import error_page

        title = f"Mistakes in {Path(str(figures.get('gold', 'gold'))).name}"
        write_atomically(wanted.errors, error_page(judged, title, score_of(judged)))
    page: list[str] = []
    if wanted.confusions:
        decisions = (each for one in judged for each in zip(one.gold, one.guess, one.right))
        wrong = Counter((gold, guess) for gold, guess, right in decisions if not right)
        most = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[: wanted.confusions]
        more["confusions"] = [{"gold": a, "guess": b, "times": times} for (a, b), times in most]
        page += confused_lines(more["confusions"])
    page += difference_lines(figures) if wanted.against is not None else []
    if "report" in more:
        page += report_lines(found, source)
    return more | {"page": page}


def compared(first: Sequence[Judgement], second: Sequence[Judgement], other: str, most: int) -> Plain:
    """Compare two outputs: scores, whether they differ by more than chance, and examples where they do."""
    from structron.metrics import difference, score_of

    _check_alike(first, second, other)
    test = difference(first, second, SAMPLES)
    apart = [(a, b) for a, b in zip(first, second) if (a.guess, a.heads) != (b.guess, b.heads)]
    # Those first where one of the two is much better.
    apart.sort(key=lambda pair: -abs(sum(pair[0].right) - sum(pair[1].right)))
    return {
        "against": other,
        "difference": {
            "measure": first[0].measure,
            "first": score_of(first),
            "other": score_of(second),
            **asdict(test),
            "samples": SAMPLES,
            "differ": len(apart),
            "better": sum(sum(a.right) > sum(b.right) for a, b in apart),
            "worse": sum(sum(a.right) < sum(b.right) for a, b in apart),
            "examples": [_apart(a, b) for a, b in apart[:most]],
        },
    }


def _check_alike(first: Sequence[Judgement], second: Sequence[Judgement], other: str) -> None:
    """Refuse models of two columns: each would be judged by its own, and their difference say nothing."""
    for a, b in zip(first, second):
        is_tagged = a.measure == b.measure == "accuracy" and len(a.words) == len(a.gold) == len(b.gold)
        for word, one, two in zip(a.words, a.gold, b.gold) if is_tagged else ():
            if one != two:
                raise SettingError(
                    f"{other}: it predicts something else, for which {word!r} is {two} and not {one}; "
                    "compare models of the same labels"
                )


def _apart(a: Judgement, b: Judgement) -> Plain:
    """Return one example that two outputs see differently, decision by decision."""
    text = {"place": a.place, "text": a.text}
    if len(a.words) != len(a.gold) or a.gold != b.gold:
        return text | {"first": _joined(a.guess), "other": _joined(b.guess), "gold": _joined(a.gold)}
    found = []
    for i, word in enumerate(a.words):
        labels = [a.gold[i], a.guess[i], b.guess[i]]
        if a.heads:
            heads = (a.heads[i][0], a.heads[i][1], b.heads[i][1])
            labels = [f"{label}({head})" for label, head in zip(labels, heads)]
        if labels[1] != labels[2]:
            found.append(dict(zip(("word", "gold", "first", "other"), [word, *labels])))
    return text | {"decisions": found}


def _joined(labels: Sequence[str]) -> str:
    return " ".join(filter(None, labels))


# ------------------------------------------------------------------------------------------------ for people


def report_lines(found: Report, source: str | None) -> list[str]:
    """Return the tables, at most 80 columns wide; `source` says which words are known."""
    width = min(NAME, max(cells(label) for label in ["label", *found.labels]))
    lines = ["", click.style(f"{'label':{width}}  precision   recall       F1  support  guessed", bold=True)]
    order = sorted(found.labels.items(), key=lambda pair: (-pair[1].support, pair[0]))
    lines += [f"{pad(label, width)}  {_shares(each)}" for label, each in order[:LABELS]]
    if rest := order[LABELS:]:
        lines.append(f"and {len(rest):,} rarer labels, which --csv lists")
    lines.append(f"{'macro F1':{width}}  {' ' * 18}{100 * found.macro_f1:8.2f}")
    if found.known:
        lines += ["", click.style(f"{'words':10} {'count':>9}  right %", bold=True)]
        lines += [
            f"{each.name:10} {each.items:9,} {100 * each.score:8.2f}"
            if each.items
            else f"{each.name:10} {0:9}"
            for each in found.known
        ]
        lines.append(f"known: {source}")
    lines += ["", click.style(f"{'length':10} {'examples':>9}  {found.measure}", bold=True)]
    lines += [f"{each.name:10} {each.items:9,} {100 * each.score:8.2f}" for each in found.lengths]
    if found.distances:
        lines += [
            "",
            click.style(f"{'head':6}  precision   recall       F1  support  guessed", bold=True),
            *(f"{name:6}  {_shares(each)}" for name, each in found.distances.items()),
            "head: how many words away it is",
        ]
    return [*lines, *matrix_lines(found)]


def matrix_lines(found: Report) -> list[str]:
    """Return the confusion matrix of the labels with most mistakes: a row for each gold label."""
    shown = found.confused()[:SHOWN]
    width, cell = min(12, max(len("other"), *map(cells, shown))), 6
    rest = len(found.labels) > len(shown)
    names = [*shown, *(["other"] if rest else [])]
    if any("" in pair for pair in found.cells):
        names.append("–")  # a symbol that was left out, or put in

    def column(label: str) -> str:
        return label if label in shown else "other" if label else "–"

    table: dict[tuple[str, str], int] = {}
    for (gold, guess), count in found.cells.items():
        pair = (column(gold), column(guess))
        table[pair] = table.get(pair, 0) + count
    head = " ".join(pad(" " * (cell - 1 - cells(name)) + name, cell - 1) for name in names)
    lines = ["", click.style(f"{'gold':{width}} {head}", bold=True)]
    for gold in names:
        counts = [table.get((gold, guess), 0) for guess in names]
        row = " ".join(f"{_count(count)!s:>5}" for count in counts)
        lines.append(f"{pad(gold, width)} {row}")
    return [*lines, "a row for each gold label, a column for each guess"]


def difference_lines(figures: Plain) -> list[str]:
    """Return two scores, whether they differ by more than chance, and where."""
    found = figures["difference"]
    low, high = 100 * found["low"], 100 * found["high"]
    lines = [
        "",
        f"against {figures['against']}, by {found['samples']:,} paired samples of examples:",
        f"{found['measure']}  {100 * found['first']:.2f} - {100 * found['other']:.2f} = "
        f"{100 * found['difference']:+.2f} [{low:+.2f}, {high:+.2f}]   p = {found['p']:.4f}",
        f"{found['differ']:,} outputs differ: {found['better']:,} are better, {found['worse']:,} are worse",
    ]
    for each in found["examples"]:
        lines += ["", click.style(fit(f"{each['place']}  {each['text']}", 78), bold=True)]
        rows = [("gold", "this", "other", "")]
        if "decisions" in each:
            rows += [(d["gold"], d["first"], d["other"], d["word"]) for d in each["decisions"]]
        else:
            rows.append((each["gold"], each["first"], each["other"], ""))
        widths = [min(NAME, max(cells(row[i]) for row in rows)) for i in range(3)]
        lines += [
            "  " + "  ".join([*(pad(row[i], w) for i, w in enumerate(widths)), row[3]]).rstrip()
            for row in rows
        ]
    return lines


def _shares(each: LabelScore) -> str:
    shares = f"{100 * each.precision:9.2f} {100 * each.recall:8.2f} {100 * each.f1:8.2f}"
    return f"{shares} {each.support:8,} {each.guessed:8,}"


def _count(count: int) -> str:
    return "." if not count else str(count) if count < 100_000 else f"{count // 1000}k"
