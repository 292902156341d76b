"""What training aims at: the references, or one of the outputs that the search itself finds.

Most references cannot be reached, and those that can are often odd. *Hope* is the output that scores well and
has a high BLEU (Chiang, Marton & Resnik 2008), *local* the one with the highest BLEU of the k best (Liang,
Bouchard-Côté, Klein & Taskar 2006). Either is chosen anew whenever an example comes up, and then all
derivations that yield it are gold. The engine's twin is `core/tasks/translation/targets.hpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structron.errors import SettingError
from structron.metrics.bleu import References, smoothed
from structron.reference.hooks import SEARCH
from structron.reference.search import SearchName, beam, width_and_merge
from structron.reference.weights import Weights
from structron.tasks.translation.forced_decoding import CAP, ForcedDecoding
from structron.tasks.translation.options import Words
from structron.tasks.translation.space import TranslationSpace, TranslationState

AIMS = ("reference", "hope", "local")
AMONG = 30


class Target:
    """Gold: the derivations of an output that is chosen among the best, with the weights at hand.

    Parameters
    ----------
    aim
        ``hope`` or ``local``.
    among
        Of how many outputs it is one.
    """

    exhaustive = True

    def __init__(
        self,
        space: TranslationSpace,
        references: Sequence[Words],
        aim: str = "hope",
        among: int = AMONG,
        cap: int = CAP,
    ) -> None:
        if aim not in AIMS[1:]:
            raise SettingError(f"aim {aim!r} is not known; use one of {', '.join(AIMS[1:])}")
        self.space, self.references = space, references
        self._by_score, self._among, self._cap = aim == "hope", among, cap
        self._counted = References(references)
        self._gold: ForcedDecoding | None = None

    def aim(self, weights: Weights, search: SearchName) -> None:
        """Choose; of equals the one that scores best."""
        width, _ = width_and_merge(search)
        within = SEARCH.of(search, "within")
        trace = beam(self.space, weights, width, True, within=within, arcs=True)
        paths = trace.outputs(self._among, self._output)
        counts = np.array([self._counted.counts(self._output(path.actions)) for path in paths])
        # By the length of the reference, so that a word is worth about as much in every sentence.
        worth = smoothed(counts) * counts[:, -1]
        if self._by_score:
            worth = worth + np.array([path.score for path in paths])
        self._gold = ForcedDecoding(
            self.space, [self._output(paths[int(np.argmax(worth))].actions)], cap=self._cap
        )

    @property
    def gold(self) -> ForcedDecoding:
        """The derivations of what was chosen."""
        if self._gold is None:
            raise SettingError("a target is chosen with weights; call aim first")
        return self._gold

    def allows(self, state: TranslationState, action: int) -> bool:
        """Whether the output stays the beginning of what was chosen."""
        return self.gold.allows(state, action)

    def right(self, state: TranslationState, action: int) -> bool:
        """Whether some gold derivation uses this option."""
        return self.gold.right(state, action)

    def merge_key(self, state: TranslationState) -> tuple[str, ...]:
        """How far the output is."""
        return self.gold.merge_key(state)

    def _output(self, actions: Sequence[int]) -> tuple[str, ...]:
        return tuple(word for action in actions for word in self.space.options[action].target)
