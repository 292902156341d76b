"""The demo's acts in order: corpus, table, figures, one sentence's beam, and others."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import click
import numpy as np

from structron.cli.draw import plots
from structron.cli.draw.beams import choices
from structron.cli.terminal import progress
from structron.cli.terminal.counting import size
from structron.demo.chains import chains
from structron.demo.comparison import SEARCHES, Result, print_results
from structron.demo.one_bound import show_line
from structron.demo.pronunciation import pronunciation
from structron.errors import DataError
from structron.io import Format, Sentence, write
from structron.metrics import accuracy
from structron.progress import progress_to
from structron.synthetic import Tree, generate_treebank
from structron.tasks.tagging import Tagger
from structron.tasks.tagging.showing import page

SEED = 0
UPDATES = ("standard", "early", "max_violation")
OWN = "the woman saw that her old watch can light the round house ."
# Searches and updates with which to look for a sentence that shows how the methods differ.
PARTIAL = (
    ("beam:2", "standard"),
    ("beam:3", "standard"),
    ("beam:3", "max_violation"),
    ("beam:4", "standard"),
)


@dataclass(frozen=True)
class Size:
    """The size of a demo: sentences, epochs, and hidden Markov chains."""

    train: int
    dev: int
    test: int
    epochs: int
    seeds: int
    chains: int


FULL = Size(2000, 500, 4000, 10, 3, 500)
TINY = Size(150, 40, 200, 2, 1, 50)


class Demonstration:
    """The acts of `structron demo`.

    Parameters
    ----------
    folder
        Where corpus, models and figures go.
    size
        How much of everything.
    """

    def __init__(self, folder: Path, size: Size) -> None:
        self.folder, self.size = folder, size
        rng = np.random.default_rng(SEED)
        parts = ((name, getattr(size, name)) for name in ("train", "dev", "test"))
        self.trees = {name: generate_treebank(count, rng) for name, count in parts}
        self.saved: list[tuple[str, str]] = []
        self.console = progress.console(sys.stdout)

    def run(self) -> None:
        """Run the whole demo."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                f"{self.folder}: {(error.strerror or str(error)).lower()}; choose another folder"
            ) from None
        self.corpus()
        results, best = self.compare()
        words = sum(map(len, self.trees["test"]))
        print_results(results, words, self.size.seeds, self.console)
        self.second_order()
        self.own_sentence(best)
        self.falling_off()
        self.figure_4(results)
        self.title("How near to the best possible?")
        chains(self.size.chains, SEED)
        self.title("One algorithm, one bound: from two labels to hidden derivations")
        show_line()
        self.title("Letters to sounds")
        pronunciation(self.folder, self.size.train, min(self.size.epochs, 5), SEED)
        self.saved.append(("words-train.tsv, words-test.tsv", "invented words and their sounds"))
        self.saved.append(("words.safetensors", "a model that pronounces them"))
        self.farewell()

    def corpus(self) -> None:
        """Write the treebank."""
        self.title("A small ambiguous treebank")
        for name, trees in self.trees.items():
            path = self.folder / f"{name}.conllu"
            write([_sentence(tree, f"{name}-{i}") for i, tree in enumerate(trees, 1)], path)
        self.saved.append(("train.conllu, dev.conllu, test.conllu", "the corpus, with tags and trees"))
        words = Counter(word for tree in self.trees["train"] for word in tree.words)
        tags = {tag for tree in self.trees["train"] for tag in tree.tags}
        readings: dict[str, set[str]] = {}
        for tree in self.trees["train"]:
            for word, tag in zip(tree.words, tree.tags):
                readings.setdefault(word, set()).add(tag)
        several = sum(n for word, n in words.items() if len(readings[word]) > 1) / words.total()
        click.echo(
            f"{len(self.trees['train']):,} sentences to learn from, {len(self.trees['test']):,} to test on, "
            f"{len(tags)} tags; {100 * several:.0f} % of the words in running text have several tags."
        )
        click.echo(
            "Whole chains of words are nouns in one sentence and verbs in the next, and only what comes after"
        )
        click.echo(
            "the chain tells. A search that keeps few candidates has often dropped the right one by then."
        )

    def compare(self) -> tuple[list[Result], Tagger]:
        """Train every update method with every search; max-violation at beam 4 is kept."""
        self.title("Three ways to update, four ways to search")
        click.echo(
            f"The averaged perceptron, first order, {self.size.epochs} epochs, {self.size.seeds} runs each. "
            "An update is invalid if gold already scores\nmore than the guess it is moved away from "
            "(Huang, Fayong & Guo 2012); only standard updates can be."
        )
        results = [Result(search, update) for search in SEARCHES for update in UPDATES]
        kept = self.train(results, order=1)
        kept.save(self.folder / "model.safetensors")
        self.saved.append(("model.safetensors", "a max-violation model at beam 4"))
        return results, kept

    def train(self, results: Sequence[Result], order: int) -> Tagger:
        """Fill in the results; return the last max-violation model at beam 4."""
        X, y = self.pair("test")
        kept: Tagger | None = None
        for result in self.watched(results):
            for seed in range(SEED, SEED + self.size.seeds):
                tagger = Tagger(
                    search=result.search,
                    update=result.update,
                    learner="perceptron",  # as in the paper, without a margin
                    order=order,
                    epochs=self.size.epochs,
                    seed=seed,
                )
                began = time.perf_counter()
                tagger.fit(*self.pair("train"), dev=self.pair("dev"))
                seconds = time.perf_counter() - began
                result.add(tagger, accuracy(y, tagger.predict(X)), seconds)
                if (result.search, result.update) == ("beam:4", "max_violation"):
                    kept = tagger
        assert kept is not None
        return kept

    def second_order(self) -> None:
        """Compare the same beams with two previous tags: which method wins depends on the features too."""
        results = [Result(search, update) for search in SEARCHES[:-1] for update in UPDATES]
        self.train(results, order=2)
        click.echo("\nWhich update is best depends on the features as well. The same with two previous tags")
        click.echo("(accuracy, share of invalid updates):\n")
        head = "".join(f"{update.replace('_', '-'):>18}" for update in UPDATES)
        click.echo(click.style(f"{'':6}{head}", bold=True))
        for search in SEARCHES[:-1]:
            cells = [
                f"{100 * result.accuracy:8.2f} ({100 * result.invalid_share:.1f} %)"
                for result in results
                if result.search == search
            ]
            click.echo(f"{search:6}" + "".join(f"{cell:>18}" for cell in cells))

    def watched(self, results: Sequence[Result]) -> Iterator[Result]:
        """Yield the rows to fill, and show progress."""
        with progress.watching() as watcher:
            for done, result in enumerate(results):
                name = f"{result.update.replace('_', '-')} with {result.search}"
                watcher.stage(f"training {name}", done, len(results))
                with progress_to(None):  # a row is one piece of work
                    yield result

    def own_sentence(self, tagger: Tagger) -> None:
        """Tag a sentence that the generator did not make."""
        self.title("A sentence of our own")
        words = OWN.split()
        tags = tagger.predict([words])[0]
        click.echo(" ".join(f"{word}/{tag}" for word, tag in zip(words, tags)))

    def falling_off(self) -> None:
        """Show one sentence on which the standard update is invalid: its beam, and Figure 3."""
        self.title("Gold falls off the beam")
        found = self.example()
        if found is None:
            click.echo("After one epoch no test sentence has an invalid standard update: nothing to show.")
            return
        self.tree, tagger = found
        words, tags = list(self.tree.words), list(self.tree.tags)
        path = self.folder / "after-one-epoch.safetensors"
        tagger.save(path)
        how = f"{tagger.search}, after one epoch of {str(tagger.update).replace('_', '-')} updates"
        self.saved.append((path.name, f"a model on its way: {how}"))
        click.echo(f"A test sentence on which the standard update would be invalid ({how}):")
        click.echo()
        for line in page(tagger, words, tags):
            click.echo(line, color=False if os.environ.get("NO_COLOR") else None)
        if plots.has_matplotlib():
            plots.update_points(
                tagger.trace(words, tags), words, self.folder / "figure3.png", f"words tagged ({how})"
            )
            self.saved.append(("figure3.png, figure3.svg", "Figure 3 of Huang et al. for this sentence"))

    def example(self) -> tuple[Tree, Tagger] | None:
        """Return the sentence that shows best how the methods differ, with familiar words and of fair
        length."""
        best: tuple[tuple[int, ...], Tree, Tagger] | None = None
        for search, update in PARTIAL:
            tagger = Tagger(
                search=search, update=update, learner="perceptron", order=1, epochs=1, seed=SEED
            ).fit(*self.pair("train"))
            for tree, guess in zip(self.trees["test"], tagger.predict(self.pair("test")[0])):
                # Only where the guess is wrong there is a standard update, and tracing takes long.
                if not 7 <= len(tree) <= 13 or guess == list(tree.tags):
                    continue
                rows = {choice.method: choice for choice in choices(tagger.trace(tree.words, tree.tags))}
                if rows["standard"].row is None or rows["standard"].valid:
                    continue
                points = {rows[name].row for name in ("early", "max-violation", "latest", "standard")}
                strange = sum(self.counts[word] < 10 for word in tree.words)
                worth = (len(points), -strange, -abs(len(tree) - 10))
                if best is None or worth > best[0]:
                    best = (worth, tree, tagger)
        return best[1:] if best is not None else None

    def figure_4(self, results: Sequence[Result]) -> None:
        """Draw accuracy against beam width."""
        if not plots.has_matplotlib():
            click.echo("The figures need matplotlib: pip install matplotlib", err=True)
            return
        scores = {
            update: {result.search: result.accuracies for result in results if result.update == update}
            for update in UPDATES
        }
        plots.accuracy_by_width(
            scores, self.folder / "figure4.png", f"(synthetic treebank, first order, {self.size.seeds} runs)"
        )
        self.saved.append(("figure4.png, figure4.svg", "Figure 4: accuracy against beam width"))

    def farewell(self) -> None:
        """Say where everything is, and what to try next."""
        self.title(f"Saved in {self.folder}{os.sep}")
        for names, what in self.saved:
            sizes = "" if "," in names else f" ({size((self.folder / names).stat().st_size)})"
            click.echo(f"{names:38}  {what}{sizes}")
        self.title("Try next")
        here, command = self.folder, _command()
        tree = getattr(self, "tree", self.trees["test"][0])
        tagged = " ".join(f"{word}/{tag}" for word, tag in zip(tree.words, tree.tags))
        for line in (
            f"{command} show {here}/after-one-epoch.safetensors '{tagged}' --search beam:4",
            f"echo '{OWN}' | {command} predict {here}/model.safetensors",
            f"{command} evaluate {here}/model.safetensors {here}/test.conllu --confusions 5",
            f"{command} train tagging {here}/train.conllu --dev {here}/dev.conllu -o {here}/my.model "
            f"--plot {here}/curves.png",
            f"{command} info {here}/model.safetensors",
        ):
            click.echo(line)

    @cached_property
    def counts(self) -> Counter[str]:
        """The counts of the words of the training data."""
        return Counter(word for tree in self.trees["train"] for word in tree.words)

    def pair(self, name: str) -> tuple[list[list[str]], list[list[str]]]:
        """Return words and tags of one part of the corpus."""
        return [list(tree.words) for tree in self.trees[name]], [list(tree.tags) for tree in self.trees[name]]

    def title(self, text: str) -> None:
        """Print a heading."""
        click.echo()
        click.echo(click.style(text, bold=True, fg="blue"))


def _sentence(tree: Tree, name: str) -> Sentence:
    rows = [
        [str(i), word, "_", tag, tag, "_", str(head), label, "_", "_"]
        for i, (word, tag, head, label) in enumerate(zip(tree.words, tree.tags, tree.heads, tree.labels), 1)
    ]
    return Sentence(
        rows, Format("conllu"), comments=[f"# sent_id = {name}", f"# text = {' '.join(tree.words)}"]
    )


def _command() -> str:
    """Return how structron is called here: by its name if that is found, otherwise by its path."""
    beside = Path(sys.executable).parent / "structron"
    found = shutil.which("structron")
    if found is not None or not beside.exists():
        return "structron"
    near = os.path.relpath(beside)
    return str(beside) if near.startswith("..") else near
