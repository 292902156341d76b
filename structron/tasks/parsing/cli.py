"""Parsing on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron.cli.files.sentences import with_rank
from structron.cli.task_cli import CommonCLI
from structron.cli.terminal.counting import counted, counted_names
from structron.errors import DataError
from structron.io import Report, Sentence, Tree, read, tree_of, with_tree, write
from structron.io.values.trees import NO_LABEL
from structron.tasks.parsing import reading as own
from structron.tasks.parsing.estimator import Parser
from structron.tasks.parsing.features.sets import ALL_PRESETS

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.task_cli import Plain, Reading
    from structron.cli.terminal.request import Show
    from structron.metrics import Judgement
    from structron.model import Model
    from structron.tasks.parsing.trees.task import TreeTask

CHOSEN = ("templates", "cut", "search", "learner")  # what may have been auto


class ParsingCLI(CommonCLI):
    """The commands of parsing."""

    items, parts = "sentences", "tokens"
    formats: tuple[str, ...] = ("conllu", "columns")
    presets = ALL_PRESETS
    estimator = Parser
    # Trees that are only compared may have any number of roots.
    when_compared: dict[str, Any] = {"roots": "many"}  # noqa: RUF012

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Sentence]:
        """Read the sentences of a file; with --skip-bad, those whose heads make a tree.

        Otherwise trees are read where they are learned from, before anything is learned.
        """
        sentences = read(place, columns=reading.columns, **reading.options(report))
        if not reading.skip_bad or settings.get("partial"):
            return list(sentences)
        found = []
        for sentence in sentences:
            try:
                tree_of(sentence, one_root=settings["roots"] != "many", labelled=settings["labelled"])
            except DataError as error:
                report.add(str(error))
            else:
                found.append(sentence)
        return found

    def size(self, estimator: Parser) -> str:
        """Return the number of relations, and the taggers."""
        taggers = list(estimator.view_.taggers)
        tags = f", tags {' and '.join(taggers)}" if taggers else ""
        return counted(len(estimator.labels_), "relations") + tags

    def read(self, estimator: Parser, stream: Stream, reading: Reading, report: Report) -> Iterator[Sentence]:
        """Return the sentences of a stream; with --skip-bad, those without a whole tree are left out."""
        return own.read_for(estimator, stream, reading, report)

    def predicted(
        self, estimator: Parser, items: Sequence[Sentence], kbest: int | None
    ) -> Iterator[Sentence]:
        """Yield the sentences with their trees, and with tags where the model has a tagger."""
        if kbest is None:
            trees, tags = estimator.predict_with_tags(items)
            for i, (sentence, tree) in enumerate(zip(items, trees)):
                yield with_tree(own.with_tags(sentence, tags, i), tree)
            return
        best, tags = estimator.predict_kbest_with_tags(items, kbest)
        for i, (sentence, found) in enumerate(zip(items, best)):
            for rank, (tree, score) in enumerate(found, 1):
                yield with_rank(with_tree(own.with_tags(sentence, tags, i), tree), rank, score)

    def write(self, items: Iterable[Sentence], file: Any) -> None:
        """Write sentences as they were read; lines of words as CoNLL-U."""
        write(items, file)

    def measure(self, estimator: Parser, items: list[Sentence], confused: int) -> Plain:
        """Return attachment scores."""
        from structron.tasks.parsing.measures import measure

        return measure(estimator, items, confused)

    def compare(
        self, guess: list[Sentence], gold: list[Sentence], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Compare trees that were predicted before with gold."""
        from structron.cli.files.line_up import check_lined_up
        from structron.tasks.parsing.measures import figures_of

        check_lined_up(guess, gold)
        said, right = ([tree_of(one, one_root=False) for one in each] for each in (guess, gold))
        return figures_of(gold, right, said, confused)

    def judged(self, estimator: Parser, items: list[Sentence]) -> list[Judgement]:
        """Return gold beside what the model predicts, word by word."""
        return _judged(items, [own.own_tree(estimator, item) for item in items], estimator.predict(items))

    def judged_before(
        self, guess: list[Sentence], gold: list[Sentence], settings: Mapping[str, Any]
    ) -> list[Judgement]:
        """Return gold beside trees that were predicted before."""
        from structron.cli.files.line_up import check_lined_up

        check_lined_up(guess, gold)
        said, right = ([tree_of(one, one_root=False) for one in each] for each in (guess, gold))
        return _judged(gold, right, said)

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures as lines of text."""
        from structron.tasks.parsing.measures import measured

        return measured(figures)

    def show(self, estimator: Parser, request: Show) -> Iterable[str]:
        """Return the tree, and the beam step by step or the chart."""
        from structron.tasks.parsing.showing import show

        return show(estimator, request)

    def about(self, model: Model[TreeTask]) -> Plain:
        """Return relations, templates, system, experts and taggers."""
        from structron.cli.commands.info import about_clusters, about_experts

        task = model.task
        return {
            "labels": list(task.labels),
            "templates": list(task.templates),
            "system": task.system,
            "single_root": task.single_root,
            **_size(task),
            "columns": model.about.get("columns"),
            "chosen": model.about.get("chosen"),
            "crossing": model.about.get("crossing"),
            "pruner": _pruner(task, model.about.get("pruned")),
            "clusters": about_clusters(task.clusters),
            "experts": about_experts(getattr(task, "experts", ())),  # a graph has none
            "taggers": {
                name.removeprefix("tagger."): {
                    "labels": part.task.weight_columns,
                    "weights": len(part.rows.weights),
                }
                for name, part in model.parts.items()
            },
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        from structron.cli.commands.info import named_clusters, named_experts, named_templates, settings_line

        roots = "one root" if about["single_root"] else "any number of roots"
        size = f"of order {about['order']}" if "order" in about else f"{about['transitions']} transitions"
        system = f"{about['system']}, {size}, {roots}"
        pairs = {
            "task": f"parsing, {system}, {counted(len(about['templates']), 'templates')}",
            "relations": _relations(about["labels"]),
        }
        if about["chosen"]:
            named = [name for name in CHOSEN if name in about["chosen"]]
            pairs["auto chose"] = settings_line({name: about["chosen"][name] for name in named})
        pairs["templates"] = named_templates(about["templates"], ALL_PRESETS)
        if about["columns"]:
            pairs["columns"] = " ".join(about["columns"])
        if about["pruner"]:
            pairs["pruner"] = _pruner_line(about["pruner"])
        if about["clusters"]:
            pairs["clusters"] = named_clusters(about["clusters"])
        if about["experts"]:
            pairs["experts"] = named_experts(about["experts"])
        if about["taggers"]:
            pairs["taggers"] = ", ".join(
                f"{name} ({counted(tagger['labels'], 'tags')}, {counted(tagger['weights'], 'weights')})"
                for name, tagger in about["taggers"].items()
            )
        if about["crossing"]:
            pairs["crossing"] = "arcs cross in {crossing:,} of {trees:,} training trees".format(
                **about["crossing"]
            )
        return pairs


def _size(task: TreeTask) -> dict[str, int]:
    """Return how many transitions there are, or how many arcs the templates see at once."""
    from structron.tasks.parsing.graph.task import GraphParsingTask
    from structron.tasks.parsing.transitions.task import ParsingTask

    if isinstance(task, GraphParsingTask):
        return {"order": task.order}
    return {"transitions": task.actions} if isinstance(task, ParsingTask) else {}


def _pruner(task: TreeTask, pruned: object) -> Plain | None:
    """Count the arcs that the parser considers, and the share of gold among them; None if all."""
    from structron.tasks.parsing.graph.task import GraphParsingTask

    if not isinstance(task, GraphParsingTask) or task.pruner is None:
        return None
    counts = ("arcs", "gold", "words")
    is_told = isinstance(pruned, dict) and all(isinstance(pruned.get(name), int) for name in counts)
    return {"kind": "log-linear", **task.pruner.pruning._asdict(), "left": pruned if is_told else None}


def _pruner_line(pruner: Plain) -> str:
    from structron.tasks.parsing.measures import left_of

    limits = (
        "{kind}, at most {heads} heads for each word and none less probable than {ratio:g} times the best"
    )
    left, said = pruner["left"], limits.format(**pruner)
    if left is None:
        return said
    data = "the development set" if left.get("on") == "dev" else "its training data"
    return f"{said}; leaves {left_of(left, data)}"


def _judged(sentences: list[Sentence], gold: list[Tree], guess: list[Tree]) -> list[Judgement]:
    from structron.metrics import judge_tree

    return [
        judge_tree(sentence.place, sentence.words(), right, said)
        for sentence, right, said in zip(sentences, gold, guess)
    ]


def _relations(labels: list[str]) -> str:
    return "none, heads alone" if labels == [NO_LABEL] else counted_names(labels)


CLI = ParsingCLI()
