"""Transducer: pronunciation, transliteration and other monotone rewriting, in scikit-learn's shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Self

from structron.errors import SettingError
from structron.fit.data.examples import either
from structron.fit.estimator import Estimator
from structron.fit.parameters import exclusive, parameters
from structron.search import Search, parse_search
from structron.tasks.transduction.inputs import read_sources, read_targets
from structron.tasks.transduction.problem import Findings, Output, Script, TransductionProblem
from structron.tasks.transduction.settings import TransductionRecipe, TransductionSettings
from structron.tasks.transduction.task import TransductionTask
from structron.tasks.transduction.words.unseen_symbols import count_unseen, unseen_symbols

if TYPE_CHECKING:
    from structron.reference.sequence.trace import Trace


@parameters
class Transducer(
    Estimator[TransductionTask, TransductionRecipe, Script, Findings, Output], TransductionSettings
):
    """Rewrites a sequence of symbols piece by piece: letters as sounds, names in another script.

    ``Transducer().fit(X, y)`` is the good choice; parameters are explained in
    `structron.fit.TransductionRecipe`. Which letters make which sounds is not given: an aligner finds
    the pieces, and every derivation that yields a reference is gold.

    X is a list of sources, each a str or a list of symbols; y has for each one target or a list of several
    that are as good. Where targets are texts, a list of str is several targets; where they are symbols, a
    list of str is one target and a list of lists several. Targets are texts if one item of y is a str, or if
    a str in a list holds a blank; dev and test data are read as the training data were. X may also be a list
    of `Pair` as they are read from files, without y. Labels are target symbols.

    Examples
    --------
    >>> words = ["phone", "photo", "hone", "tone", "top", "hot"]
    >>> sounds = ["F OW N", "F OW T OW", "HH OW N", "T OW N", "T AA P", "HH AA T"]
    >>> Transducer(epochs=5).fit(words, sounds).predict(["phone"])
    ['F OW N']
    """

    kind = "transduction"
    recipe_type = TransductionRecipe
    problem_type = TransductionProblem

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def pairs_(self) -> int:
        """Pieces in the inventory."""
        return len(self._learned().model.task.pairs)

    @property
    def script_(self) -> Script:
        """Return how sources and targets are written."""
        return self._learned().findings.script

    @property
    def unaligned_(self) -> int:
        """Pairs of source and target that the aligner could not align."""
        return self._learned().findings.unaligned

    @property
    def unreachable_(self) -> int:
        """Examples of the last `fit` or `partial_fit` that no derivation yields."""
        return self._learned().findings.unreachable

    @property
    def unseen_(self) -> Counter[str]:
        """Source symbols that no piece has, and how often they came up in prediction; they give no output."""
        return self._learned().findings.unseen

    @property
    def unseen(self) -> str | None:
        """Describe `unseen_` in one sentence; None if it is empty."""
        findings = self._learned().findings
        return unseen_symbols(findings.unseen, findings.symbols)

    def unseen_of(self, X: Iterable[object]) -> str | None:
        """Return a message about the symbols of these sources that no piece has; None if there are none."""
        findings = self._learned().findings
        symbols = read_sources(X).symbols(findings.script.notation)
        return unseen_symbols(count_unseen(symbols, findings.symbols), findings.symbols)

    # -------------------------------------------------------------------------------------------- learning

    @exclusive
    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Sequence[str] | None = None,
        *,
        labels: Sequence[str] | None = None,
        new_labels: bool = False,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]] | None = None,
    ) -> Self:
        """Learn from one batch in one pass; call it again with the next.

        Parameters
        ----------
        classes, labels
            On the first call, all target symbols that will ever come: refused if no piece yields one of them.
        new_labels
            Refused: what pieces yield is settled by the first batch.
        pairs
            On the first call, all pieces there will ever be, such as the inventory of an `Alignment`; without
            it they are those of the first batch.
        """
        self._refuse_batches()
        problem = TransductionProblem(self.source_symbols, self.target_symbols, self.threads, pairs, True)
        return self._batch(X, y, either(classes, labels), problem, new_labels)

    def _refuse_batches(self) -> None:
        if self.recipe.experts and self._fitted is None:
            raise SettingError("partial_fit trains no experts; fit first, or set combine to none")

    # ------------------------------------------------------------------------------------------ predicting

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """Return the trace of the search on one source; with gold references, where it falls off."""
        fitted = self._ready()
        script = fitted.findings.script
        (symbols,) = self.problem.inputs([x], fitted).xs
        references = None
        if gold is not None:
            (references,) = read_targets([gold], None, 1, script.text).symbols(script.notation)
        return fitted.model.trace(symbols, references, None if search is None else parse_search(search))
