"""Parallel text on its way to a phrase table: numbers, links, and what a pair has supplied itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from structron.errors import DataError
from structron.estimators.translation.lines import Words
from structron.tasks.task import Supplied
from structron.tasks.translation.alignment import BitextAligner, Links
from structron.tasks.translation.estimation import estimate_ngrams
from structron.tasks.translation.hiero.table import RuleTable
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.phrases import PhraseTable
from structron.tasks.translation.task import TranslationTask
from structron.tasks.translation.vocabulary import Numbered, Vocabulary
from structron.training.schedule import Stage
from structron.training.translation import TranslationRecipe


@dataclass(frozen=True)
class Bitext:
    """Aligned pairs; a source with several references is in as many of them.

    Attributes
    ----------
    owner
        For each pair the example it is from.
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
        """Align sources with all their references; pairs of which one side is empty are left out."""
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
        """The same without the pairs of some examples; links and vocabularies stay as they are."""
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
        """Both sides as numbers."""
        return self.vocabularies[0].number(self.sources), self.vocabularies[1].number(self.targets)

    def task(self, recipe: TranslationRecipe, stage: Stage | None) -> TranslationTask | HieroTask:
        """A task with the phrases or rules and the language model of these pairs."""
        report: Stage = stage or (lambda name, done, total: None)
        sources, targets = self.numbered
        is_hiero = recipe.system == "hiero"
        report("rules" if is_hiero else "phrases", 0, 1)
        table: PhraseTable | RuleTable
        if is_hiero:
            table, _, _ = recipe.rule_extractor.extract(sources, targets, self.links, self.vocabularies)
        else:
            table = recipe.extractor.extract(sources, targets, self.links, self.vocabularies).table
        report("rules" if is_hiero else "phrases", 1, 1)
        if not len(table):
            raise DataError(
                f"none of {len(self.sources):,} pairs has a phrase pair to extract; check that the lines of "
                "both sides are translations of each other"
            )
        report("language model", 0, 1)
        ngrams = estimate_ngrams(targets, self.vocabularies[1], recipe.order)
        report("language model", 1, 1)
        if isinstance(table, RuleTable):
            return HieroTask(
                table,
                ngrams,
                recipe.template_texts,
                recipe.span_limit,
                recipe.scale,
                recipe.frozen_dense,
                recipe.bits,
                recipe.unreachable,
                least=recipe.least,
                limits=recipe.rule_extractor.limits,
            )
        return TranslationTask(
            table,
            ngrams,
            recipe.template_texts,
            recipe.distortion_limit,
            recipe.scale,
            recipe.frozen_dense,
            recipe.bits,
            recipe.unreachable,
            least=recipe.least,
        )

    def linked(self, ys: Sequence[Sequence[Words]]) -> list[Supplied]:
        """The references of all examples with their links, so that each can be left out of the counts."""
        found = [Supplied(y) for y in ys]
        for example, pairs in self._by_example():
            by_reference = iter(pairs)
            links = []
            for y in ys[example]:  # empty ones are in no pair
                listed = self.links[next(by_reference)] if y else ()
                ends = np.array(list(listed), np.uint32).reshape(-1, 2)
                links.append((np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])))
            found[example].more = (links,)
        return found

    def supplied(
        self, recipe: TranslationRecipe, table: PhraseTable | RuleTable, ys: Sequence[Sequence[Words]]
    ) -> list[Supplied]:
        """The references of all examples, each with what the table would be without it (leave one out)."""
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
                # Several references are taken out together: as one pair, with a word between them that
                # nobody knows and that is linked, so that no phrase of the table goes across it.
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
        """Examples with their pairs, which stand together."""
        starts = np.flatnonzero(np.diff(self.owner, prepend=-1))
        ends = [*starts[1:].tolist(), len(self.owner)]
        for begin, end in zip(starts.tolist(), ends):
            yield int(self.owner[begin]), list(range(begin, end))
