"""Parallel text on its way to a phrase table: numbers, links, and the contributions of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from structron.alignment.bitext import BitextAligner, Links
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.errors import DataError
from structron.fit.schedules.schedule import Stage
from structron.io.values.ngrams import NGrams
from structron.task import Supplied
from structron.tasks.translation.decoding.task import Tables, TranslationTask
from structron.tasks.translation.hiero.table import RuleTable
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.inputs import Words
from structron.tasks.translation.language_model.estimation import estimate_ngrams
from structron.tasks.translation.phrases.table import PhraseTable
from structron.tasks.translation.settings import TranslationRecipe


@dataclass(frozen=True)
class Bitext:
    """Aligned pairs; a source with several references occurs in several pairs.

    Attributes
    ----------
    owner
        The example of each pair.
    """

    sources: list[Words]
    targets: list[Words]
    owner: npt.NDArray[np.int64]
    vocabularies: tuple[Vocabulary, Vocabulary]
    links: Links

    @classmethod
    def of(
        cls, xs: Sequence[Words], ys: Sequence[Sequence[Words]], threads: int, stage: Stage | None
    ) -> Bitext:
        """Align sources with all their references; pairs with an empty side are left out."""
        pairs = [(i, x, y) for i, (x, each) in enumerate(zip(xs, ys)) for y in each if x and y]
        if not pairs:
            raise DataError("there is nothing to learn from; give pairs of sentences that are not empty")
        sources, targets = [x for _, x, _ in pairs], [y for _, _, y in pairs]
        vocabularies = Vocabulary.of(sources), Vocabulary.of(targets)
        links = BitextAligner(threads=threads).align_numbered(
            vocabularies[0].number(sources),
            vocabularies[1].number(targets),
            (len(vocabularies[0]), len(vocabularies[1])),
            None if stage is None else partial(stage, "alignment"),
        )
        return cls(sources, targets, np.array([i for i, _, _ in pairs]), vocabularies, links)

    def without(self, examples: Sequence[int]) -> Bitext:
        """Leave out the pairs of some examples; links and vocabularies stay the same."""
        kept = np.flatnonzero(~np.isin(self.owner, examples)).tolist()
        return Bitext(
            [self.sources[i] for i in kept],
            [self.targets[i] for i in kept],
            self.owner[kept],
            self.vocabularies,
            Links.of(self.links[i] for i in kept),
        )

    @property
    def numbered(self) -> tuple[Numbered, Numbered]:
        """Return both sides as numbers."""
        return self.vocabularies[0].number(self.sources), self.vocabularies[1].number(self.targets)

    def task(
        self, recipe: TranslationRecipe, stage: Stage | None, ngrams: NGrams | None = None
    ) -> TranslationTask | HieroTask:
        """Create a task with the phrases or rules of these pairs, and their language model or another one."""
        if recipe.system == "hiero":
            return HieroTask(
                self._rules(recipe, stage),
                self._ngrams(recipe, stage, ngrams),
                recipe.template_texts,
                recipe.span_limit,
                recipe.scale,
                recipe.frozen_dense,
                recipe.bits,
                recipe.unreachable,
                least=recipe.min_count,
                limits=recipe.rule_extractor.limits,
            )
        return TranslationTask(
            *self.tables(recipe, stage, ngrams),
            recipe.template_texts,
            recipe.distortion_limit,
            recipe.scale,
            recipe.frozen_dense,
            recipe.bits,
            recipe.unreachable,
            least=recipe.min_count,
            aim=recipe.update_towards,
            among=recipe.candidates,
        )

    def tables(self, recipe: TranslationRecipe, stage: Stage | None, ngrams: NGrams | None = None) -> Tables:
        """Return the phrases of these pairs, and their language model or another one."""
        sources, targets = self.numbered
        with reported(stage, "phrases"):
            table = recipe.extractor.extract(sources, targets, self.links, self.vocabularies).table
        self._check_size(table)
        return Tables(table, self._ngrams(recipe, stage, ngrams))

    def _rules(self, recipe: TranslationRecipe, stage: Stage | None) -> RuleTable:
        sources, targets = self.numbered
        with reported(stage, "rules"):
            table, _, _ = recipe.rule_extractor.extract(sources, targets, self.links, self.vocabularies)
        self._check_size(table)
        return table

    def _check_size(self, table: PhraseTable | RuleTable) -> None:
        if not len(table):
            raise DataError(
                f"none of {len(self.sources):,} pairs has a phrase pair to extract; check that the lines of "
                "both sides are translations of each other"
            )

    def _ngrams(self, recipe: TranslationRecipe, stage: Stage | None, known: NGrams | None) -> NGrams:
        """Return the language model of these pairs, unless another one is known."""
        if known is not None:
            return known
        with reported(stage, "language model"):
            return estimate_ngrams(self.numbered[1], self.vocabularies[1], recipe.order)

    def jackknifed(
        self,
        recipe: TranslationRecipe,
        ys: Sequence[Sequence[Words]],
        stage: Stage | None,
        ngrams: NGrams | None = None,
    ) -> tuple[tuple[Tables, ...], list[Supplied]]:
        """Build tables without one part of the examples each; give references the number of their table.

        Table 0 is that of all pairs.
        """
        parts = np.array_split(np.random.default_rng(recipe.seed).permutation(len(ys)), recipe.folds)
        found = [Supplied(y) for y in ys]
        tables = []
        for number, part in enumerate(parts):
            if stage is not None:
                stage("folds", number, recipe.folds)
            tables.append(self.without(part.tolist()).tables(recipe, None, ngrams))
            for example in part.tolist():
                found[example].more = (None, number + 1)
        return tuple(tables), found

    def linked(self, ys: Sequence[Sequence[Words]]) -> list[Supplied]:
        """Return the references of all examples with their links, for leaving each out of the counts."""
        found = [Supplied(y) for y in ys]
        for example, pairs in self._by_example():
            by_reference = iter(pairs)
            links = []
            for y in ys[example]:  # empty references are in no pair
                listed = self.links[next(by_reference)] if y else ()
                ends = np.array(list(listed), np.uint32).reshape(-1, 2)
                links.append((np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])))
            found[example].more = (links,)
        return found

    def supplied(
        self, recipe: TranslationRecipe, table: PhraseTable | RuleTable, ys: Sequence[Sequence[Words]]
    ) -> list[Supplied]:
        """Return all references, each with the table's changes without it (leave one out)."""
        if isinstance(table, RuleTable):
            return self.linked(ys)
        counts = recipe.extractor.leave_one_out(table)
        sources, targets = self.numbered
        found = [Supplied(y) for y in ys]
        for example, pairs in self._by_example():
            source: list[int] = []
            target: list[int] = []
            links: list[tuple[int, int]] = []
            for pair in pairs:
                # Several references are removed together, as one pair with an unknown, linked word between
                # them, so that no phrase of the table spans two of them.
                if source:
                    links.append((len(source), len(target)))
                    source.append(0)
                    target.append(0)
                links += [(i + len(source), j + len(target)) for i, j in self.links[pair]]
                source += sources[pair]
                target += targets[pair]
            ends = np.array(links, np.uint32).reshape(-1, 2)
            left = counts.without(
                np.array(source, np.uint32),
                np.array(target, np.uint32),
                np.ascontiguousarray(ends[:, 0]),
                np.ascontiguousarray(ends[:, 1]),
            )
            found[example].more = (left,)
        return found

    def _by_example(self) -> Iterator[tuple[int, list[int]]]:
        """Yield examples with their pairs, which are adjacent."""
        starts = np.flatnonzero(np.diff(self.owner, prepend=-1))
        ends = [*starts[1:].tolist(), len(self.owner)]
        for begin, end in zip(starts.tolist(), ends):
            yield int(self.owner[begin]), list(range(begin, end))


@contextmanager
def reported(stage: Stage | None, name: str) -> Iterator[None]:
    """Report the begin and the end of a step."""
    if stage is not None:
        stage(name, 0, 1)
    yield
    if stage is not None:
        stage(name, 1, 1)
