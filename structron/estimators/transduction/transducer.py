"""Transducer: pronunciation, transliteration and other monotone rewriting, in scikit-learn's shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from structron.data import Notation
from structron.errors import DataError, ModelError, SettingError, warn
from structron.estimators.estimator import Estimator, Metric
from structron.estimators.examples import Examples, as_given
from structron.estimators.locking import exclusive
from structron.estimators.transduction.pairs import read_sources, read_targets
from structron.estimators.transduction.unseen import count_unseen, unseen_symbols
from structron.estimators.unknown import warn_of_unknown
from structron.learners import Learner
from structron.metrics import error_rate
from structron.model import Model
from structron.reference.trace import Trace
from structron.reference.training import Example
from structron.search import Search, parse_search
from structron.tasks.transduction import TransductionTask
from structron.tasks.transduction.forced_decoding import gold_of
from structron.training import Stage, TransductionRecipe
from structron.violations import Update

Output = str | list[str]


@dataclass(frozen=True)
class Script:
    """How sources and targets are written, and whether outputs are given as text or as lists of symbols."""

    notation: Notation
    text: bool


class Transducer(Estimator):
    """Rewrites a sequence of symbols piece by piece: letters as sounds, names in another script.

    ``Transducer().fit(X, y)`` is the good choice; parameters are explained in
    `structron.training.TransductionRecipe`. Nobody says which letters make which sounds: an aligner finds the
    pieces, and every derivation that yields a reference is gold.

    X is a list of sources, each a str or a list of symbols; y has for each one target or a list of several
    that are as good. Where targets are texts, a list of str is several targets; where they are symbols, a
    list of str is one target and a list of lists several. Targets are texts if one item of y is a str, or if
    a str in a list holds a blank; dev and test data are read as the training data were. X may also be a list
    of `Pair` as they are read from files, without y.

    Parameters
    ----------
    templates, search, update, learner, epochs, seed, shuffle
        How it learns.
    longest_source, longest_target, deletions, both, maximise, least
        How pairs are aligned, and which pieces are kept.
    unreachable
        What becomes of pairs that no derivation yields: ``skip`` or ``nearest``.
    source_symbols, target_symbols
        How texts become symbols: ``characters``, ``blanks``, ``decomposed``; ``auto``.
    cut, bits, negligible, half, skip_correct
        What is left out, or shares a row.
    batch, shards, mixing
        How many examples are decoded before an update, and into how many shards the data are split.
    threads
        How many threads work; what comes out does not depend on it.

    Attributes
    ----------
    history_ : list of Epoch
    model_ : Model
    pairs_ : int
        Pieces in the inventory.
    unreachable_ : int
        Examples of the last `fit` or `partial_fit` that no derivation yields.
    unaligned_ : int
        Pairs of source and target that the aligner could not align.
    unseen_ : Counter
        Source symbols that were to be predicted from and that no piece has; they give no output.

    Examples
    --------
    >>> words = ["phone", "photo", "hone", "tone", "top", "hot"]
    >>> sounds = ["F OW N", "F OW T OW", "HH OW N", "T OW N", "T AA P", "HH AA T"]
    >>> Transducer(epochs=5).fit(words, sounds).predict(["phone"])
    ['F OW N']
    """

    kind = "transduction"
    recipe_type = TransductionRecipe

    def __init__(
        self,
        *,
        templates: str | Sequence[str] = "auto",
        search: str | Search = "beam:8",
        update: str | Update = "max_violation",
        learner: str | Learner = "perceptron:margin=20",
        epochs: int = 15,
        seed: int = 0,
        shuffle: bool = True,
        longest_source: int = 2,
        longest_target: int = 2,
        deletions: bool = True,
        both: bool = False,
        maximise: str = "joint",
        least: int = 1,
        unreachable: str = "skip",
        source_symbols: str = "auto",
        target_symbols: str = "auto",
        cut: int = 0,
        bits: int = 0,
        negligible: float = 0.0,
        half: bool = False,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        threads: int = 1,
    ) -> None:
        self.templates = templates
        self.search = search
        self.update = update
        self.learner = learner
        self.epochs = epochs
        self.seed = seed
        self.shuffle = shuffle
        self.longest_source = longest_source
        self.longest_target = longest_target
        self.deletions = deletions
        self.both = both
        self.maximise = maximise
        self.least = least
        self.unreachable = unreachable
        self.source_symbols = source_symbols
        self.target_symbols = target_symbols
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.threads = threads

    @exclusive
    def partial_fit(
        self,
        X: Iterable[Any],
        y: Iterable[Any] | None = None,
        *,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]] | None = None,
    ) -> Self:
        """One pass over one batch; call it again with the next.

        Parameters
        ----------
        pairs
            On the first call, all pieces there will ever be, such as the inventory of an `Alignment`; without
            it they are those of the first batch.
        """
        return self._batch(X, y, lambda recipe, first: self._task(recipe, first, pairs=pairs))

    @overload
    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.object_]: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, X: Iterable[Any]) -> list[Output]: ...
    def predict(self, X: Iterable[Any]) -> list[Output] | npt.NDArray[np.object_]:
        """The best output of every source: texts if it learned from texts, else lists of symbols.

        A list, or for an array an array of objects.
        """
        inputs = self._inputs(X)
        found = self._fitted().predict(inputs.xs, place=inputs.place)
        given: list[Output] | npt.NDArray[np.object_] = as_given(X, [self._written(each) for each in found])
        return given

    def predict_kbest(self, X: Iterable[Any], k: int) -> list[list[tuple[Output, float]]]:
        """The `k` best different outputs of every source with their scores, best first.

        Of all derivations if the search is exact, otherwise of those in the last beam (so at most its width).
        """
        inputs = self._inputs(X)
        found = self._fitted().kbest(inputs.xs, k, place=inputs.place)
        return [[(self._written(symbols), score) for symbols, score in one] for one in found]

    def trace(self, source: Any, gold: Any = None, search: str | Search | None = None) -> Trace:
        """What the search leaves behind on one source; with gold, one reference or more, where it falls."""
        symbols = self._inputs([source]).xs[0]
        references = None
        if gold is not None:
            references = read_targets([gold], None, 1, self.script_.text).symbols(self.script_.notation)[0]
        return self._fitted().trace(symbols, references, None if search is None else parse_search(search))

    def _spaces(
        self, recipe: TransductionRecipe, task: TransductionTask, examples: Examples
    ) -> list[Example]:
        """Those without a derivation are treated as `unreachable` says."""
        spaces = [task.space(x) for x in examples.xs]
        gold = [gold_of(space, y, recipe.unreachable) for space, y in zip(spaces, examples.ys)]
        return [(space, oracle) for space, oracle in zip(spaces, gold) if oracle is not None]

    def _written(self, symbols: list[str]) -> Output:
        return self.script_.notation.target(symbols) if self.script_.text else symbols

    def _inputs(self, X: Iterable[Any]) -> Examples:
        self._fitted()
        sources = read_sources(X)
        symbols = sources.symbols(self.script_.notation)
        unseen = count_unseen(symbols, self._symbols)
        self.unseen_ += unseen
        if said := unseen_symbols(unseen, self._symbols):
            warn(said)
        return Examples(symbols, (), sources.place)

    @property
    def unseen(self) -> str | None:
        """What `unseen_` has, in one sentence; None if it is empty."""
        return unseen_symbols(self.unseen_, self._symbols)

    def _check(self, task: TransductionTask, examples: Examples) -> None:
        known = {symbol for pair in task.pairs for symbol in pair.target}
        references = (reference for references in examples.ys for reference in references)
        warn_of_unknown(references, known, "target symbols", "them")

    def _examples(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> Examples:
        sources = read_sources(X)
        known: Script | None = getattr(self, "script_", None)
        targets = read_targets(y, sources.pairs, len(sources.items), None if known is None else known.text)
        script = known or Script(
            Notation.told_by(targets.texts, _way(self.source_symbols), _way(self.target_symbols)),
            targets.text,
        )
        self.script_: Script = script  # what is read next is written alike
        # One example for each source, with all its references: they are gold together.
        gathered: dict[tuple[str, ...], tuple[int, dict[tuple[str, ...], None]]] = {}
        references = targets.symbols(script.notation)
        for i, symbols in enumerate(sources.symbols(script.notation)):
            found = gathered.setdefault(symbols, (i, {}))[1]
            found |= dict.fromkeys(references[i])
        first = [i for i, _ in gathered.values()]
        return Examples(
            list(gathered), [list(r) for _, r in gathered.values()], lambda i: sources.place(first[i]), script
        )

    def _task(
        self,
        recipe: TransductionRecipe,
        examples: Examples,
        stage: Stage | None = None,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]] | None = None,
    ) -> TransductionTask:
        self.unaligned_ = 0
        if pairs is None:
            aligned = recipe.aligner.align(
                [(source, target) for source, targets in zip(examples.xs, examples.ys) for target in targets],
                None if stage is None else partial(stage, "alignment"),
            )
            self.unaligned_ = aligned.impossible + aligned.too_long
            pairs = aligned.inventory(recipe.least)
        inventory = list(pairs)
        if not inventory:
            raise DataError("there is nothing to learn from; give at least one source that is not empty")
        return TransductionTask.of(
            inventory, recipe.template_texts, bits=recipe.bits, unreachable=recipe.unreachable
        )

    def _packed(self, corpus: Any) -> None:
        self.unreachable_ = corpus.unreachable
        if not corpus.sentences:
            raise DataError(
                f"none of {self.unreachable_} sources has a derivation of its target, and {self.unaligned_} "
                "pairs could not be aligned; allow longer pieces, or give shorter pairs"
            )

    def _metric(self, task: TransductionTask) -> Metric:
        return lambda gold, guess: error_rate(gold, guess).word_accuracy

    def _adopt(self, task: TransductionTask) -> None:
        self.pairs_ = len(task.pairs)
        self._symbols = frozenset(symbol for pair in task.pairs for symbol in pair.source)
        self.unseen_: Counter[str] = Counter()

    def _extra(self, examples: Examples) -> dict[str, Any]:
        notation = self.script_.notation
        return {
            "script": {
                "source": notation.source_way,
                "target": notation.target_way,
                "text": self.script_.text,
            },
            "unreachable": self.unreachable_,
            "unaligned": self.unaligned_,
        }

    @classmethod
    def of_model(cls, model: Model, where: str) -> Self:
        """A transducer around a finished model."""
        estimator = super().of_model(model, where)
        try:
            told = model.about["script"]
            estimator.script_ = Script(Notation(told["source"], told["target"]), bool(told["text"]))
        except (KeyError, TypeError, SettingError):
            raise ModelError(f"{where}: the model does not say how it was made; train it again") from None
        estimator.unreachable_ = model.about.get("unreachable", 0)
        estimator.unaligned_ = model.about.get("unaligned", 0)
        return estimator


def _way(setting: str) -> str | None:
    return None if setting == "auto" else setting
