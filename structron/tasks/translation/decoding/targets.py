"""Targets of training: the references, or an output that the search itself finds.

Most references cannot be reached, and those that can are often odd. *Hope* is the output with a high score
and a high BLEU (Chiang, Marton & Resnik 2008), *local* the one with the highest BLEU of the k best (Liang,
Bouchard-Côté, Klein & Taskar 2006). Either is chosen whenever an example comes up, and then all derivations
that yield it are gold. The engine's twin is `core/tasks/translation/targets.hpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from structron.errors import SettingError
from structron.reference.checks.hooks import SEARCH
from structron.reference.learners.weights import Weights
from structron.reference.sequence.search import SearchName, beam, width_and_merge
from structron.reference.sequence.trace import Path
from structron.tasks.translation.decoding.forced_decoding import CAP, ForcedDecoding
from structron.tasks.translation.decoding.sentence_bleu import SentenceBleu
from structron.tasks.translation.decoding.space import TranslationSpace, TranslationState
from structron.tasks.translation.phrases.options import Words

AIMS = ("reference", "hope", "local")
AMONG = 30


class Target:
    """Gold: the derivations of an output that is chosen among the best, with the current weights.

    Parameters
    ----------
    aim
        ``hope`` or ``local``.
    among
        The number of outputs to choose from.
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
        self._bleu = space.bleu = SentenceBleu(references)
        self._gold: ForcedDecoding | None = None

    def aim(self, weights: Weights, search: SearchName) -> None:
        """Choose an output; ties go to the best score."""
        width, _ = width_and_merge(search)
        within = SEARCH.of(search, "within")
        trace = beam(self.space, weights, width, True, within=within, arcs=True)
        paths = trace.outputs(self._among, self._output)
        best = max(paths, key=self._worth)
        self._gold = ForcedDecoding(self.space, [self._output(best.actions)], cap=self._cap)

    @property
    def gold(self) -> ForcedDecoding:
        """Return the derivations of the chosen output."""
        if self._gold is None:
            raise SettingError("a target is chosen with weights; call aim first")
        return self._gold

    def allows(self, state: TranslationState, action: int) -> bool:
        """Return True if the output stays the beginning of the chosen one."""
        return self.gold.allows(state, action)

    def right(self, state: TranslationState, action: int) -> bool:
        """Return True if some gold derivation uses this option."""
        return self.gold.right(state, action)

    def merge_key(self, state: TranslationState) -> tuple[str, ...]:
        """Return how far the output is."""
        return self.gold.merge_key(state)

    def _worth(self, path: Path) -> float:
        gain = self._bleu.gain(self._output(path.actions))
        return gain + path.score if self._by_score else gain

    def _output(self, actions: Sequence[int]) -> tuple[str, ...]:
        return tuple(word for action in actions for word in self.space.options[action].target)
