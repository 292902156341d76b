"""predict, score, save and load, once for every task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, overload

from structron import fit as training
from structron.errors import DataError, ModelError, SettingError
from structron.fit.data.examples import Examples, as_given, keeping
from structron.fit.data.inputs import listed
from structron.fit.parameters import ModelFile, Parameters, Threads, not_fitted
from structron.fit.problem import FindingsT, Fitted, OutputT, Problem, RecipeT, SourceT
from structron.model import PIECE, Model, TaskT, fault
from structron.progress import in_pieces
from structron.settings import settings_of, with_new_names

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from structron.explaining import Account, Explanation, Strong
    from structron.fit import Epoch, Learning, Recipe
    from structron.fit.confidence import Confidence, Margins
    from structron.fit.data.entries import Entries
    from structron.metrics import Judgement

# What is known of each output, see `Predictor.predict`.
Given: TypeAlias = "str | Entries | Iterable[object] | None"
K = 32  # outputs that the predicted one is compared with
_FILES = "_files"  # in a pickle: the model and its training


class Predictor(ModelFile, Parameters, Threads, Generic[TaskT, RecipeT, SourceT, FindingsT, OutputT]):
    """The half of an estimator that uses what was learned.

    It is generic as its `Problem` is. Its number of threads is not part of the recipe, since no result
    depends on it; it may be set at any time.
    """

    streams: ClassVar[bool] = False  # whether it can learn from files that are packed on disk
    recipe_type: type[RecipeT]
    problem_type: ClassVar[type[Problem[Any, Any, Any, Any, Any]]]

    entries: Entries | None = None  # a dictionary for all that is predicted where nothing else is given
    _fitted: Fitted[TaskT, FindingsT] | None = None

    @property
    def problem(self) -> Problem[TaskT, RecipeT, SourceT, FindingsT, OutputT]:
        """Return what its task says of data, with the parameters as they are now."""
        problem: Problem[TaskT, RecipeT, SourceT, FindingsT, OutputT] = self.problem_type.of(self)
        return problem

    # ------------------------------------------------------------------------------------- what was learned

    @property
    def model_(self) -> Model[TaskT]:
        """The best model so far."""
        return self._learned().model

    @property
    def history_(self) -> list[Epoch]:
        """The epochs that are over; those of a loaded model have no times."""
        return self._learned().history

    @property
    def labels_(self) -> list[str]:
        """All that can be predicted for one part of an input."""
        return self.problem.labels(self._learned().model.task)

    @property
    def learning_(self) -> Learning[TaskT]:
        """The weights as training left them."""
        learning = self._learned().learning
        if learning is None:
            raise not_fitted("a loaded model has no weights of a training; call fit or partial_fit first")
        return learning

    def _learned(self) -> Fitted[TaskT, FindingsT]:
        """Return the model; ask once in every method, since another thread may replace it."""
        fitted = self._fitted
        if fitted is None:
            raise not_fitted(f"this {type(self).__name__} has learned nothing yet; call fit or load first")
        return fitted

    def _ready(self) -> Fitted[TaskT, FindingsT]:
        """Return the same, to predict with as many threads as are set."""
        fitted = self._learned()
        self._check_threads()
        fitted.model.threads = self.threads
        return fitted

    # ------------------------------------------------------------------------------------------ predicting

    @overload
    def predict(  # type: ignore[overload-overlap]
        self, X: npt.NDArray[Any], given: Given = None
    ) -> npt.NDArray[np.object_]: ...
    @overload
    def predict(self, X: Iterable[object], given: Given = None) -> list[OutputT]: ...
    def predict(self, X: Iterable[object], given: Given = None) -> list[OutputT] | npt.NDArray[np.object_]:
        """The best output for every input that the search finds: a list, or for an array an array.

        Parameters
        ----------
        given
            What is known of each output and has to stay, such as a list with a label or None for each token;
            for sentences from files, names of columns with a comma between them; or the `Entries` of a
            dictionary.
        """
        fitted, problem = self._ready(), self.problem
        inputs = self._inputs(X, given, fitted)
        found = fitted.model.predict(inputs.xs, place=inputs.place)
        return as_given(X, [problem.output(each, i, inputs, fitted.findings) for i, each in enumerate(found)])

    def _inputs(
        self, X: Iterable[object], given: Given, fitted: Fitted[TaskT, FindingsT]
    ) -> Examples[SourceT]:
        """Return inputs as the engine takes them, with what is given of their outputs."""
        given = self._entries(fitted) if given is None else given
        if isinstance(given, str):
            X, given = keeping(X, given), None
        inputs = self.problem.inputs(X, fitted)
        if given is None:
            return inputs
        from structron.fit.data.entries import Entries

        if isinstance(given, Entries):
            given = self._of_entries(inputs, given, fitted)
        parts = listed(given, "given", "give a list with what is known of each output")
        if len(parts) != len(inputs.xs):
            raise DataError(f"{len(inputs.xs)} inputs but {len(parts)} given; give one each, or None")
        return self.problem.restricted(inputs, parts, fitted)

    def _entries(self, fitted: Fitted[TaskT, FindingsT]) -> Entries | None:
        """Return the dictionary that wins where nothing else is given: the user's, or the model's own."""
        if self.entries is not None or "entries" not in fitted.model.about:
            return self.entries
        from structron.fit.data.dictionary_file import entries_of_model

        return entries_of_model(fitted.model)

    def _kept(self, examples: Examples[SourceT], fitted: Fitted[TaskT, FindingsT]) -> Examples[SourceT]:
        """Return test examples in which the dictionary wins."""
        entries = self._entries(fitted)
        if entries is None:
            return examples
        return self.problem.restricted(examples, self._of_entries(examples, entries, fitted), fitted)

    def _of_entries(
        self, inputs: Examples[SourceT], entries: Entries, fitted: Fitted[TaskT, FindingsT]
    ) -> Sequence[Any]:
        """Return the parts of outputs that a dictionary decides; weighted entries only where they win."""
        from structron.fit.data.entries import settled

        problem = self.problem

        def scores(parts: Sequence[Any], numbers: Sequence[int]) -> list[float]:
            return problem.best_scores(problem.restricted(inputs, parts, fitted), numbers, fitted)

        return settled(entries, lambda some: problem.from_entries(inputs, some, fitted), scores)

    def kept_inputs(self, X: Iterable[object], entries: Entries) -> Sequence[Any]:
        """Return inputs as the model takes them, with what the entries of a dictionary give of outputs."""
        return self._inputs(X, entries, self._ready()).xs

    def predict_kbest(
        self, X: Iterable[object], k: int, given: Given = None
    ) -> list[list[tuple[OutputT, float]]]:
        """The `k` best different outputs for every input with their scores, best first.

        Of all outputs if the search is exact, otherwise of those in the last beam (so at most its width), or
        of those that are left in a chart.
        """
        fitted = self._ready()
        return self._kbest(self._inputs(X, given, fitted), k, fitted)

    def _kbest(
        self, inputs: Examples[SourceT], k: int, fitted: Fitted[TaskT, FindingsT]
    ) -> list[list[tuple[OutputT, float]]]:
        found, problem = fitted.model.kbest(inputs.xs, k, place=inputs.place), self.problem
        return [
            [(problem.output(each, i, inputs, fitted.findings), score) for each, score in best]
            for i, best in enumerate(found)
        ]

    def score(self, X: Iterable[object], y: Iterable[object] | None = None) -> float:
        """Return how good the predictions for X are, by the task's own measure."""
        examples, found, fitted = self._answered(X, y)
        return self.problem.score(fitted.model.task)(examples.ys, found)

    def _answered(
        self, X: Iterable[object], y: Iterable[object] | None
    ) -> tuple[Examples[SourceT], list[Any], Fitted[TaskT, FindingsT]]:
        """Test examples, what the engine finds for them, and with what it does."""
        fitted, problem = self._ready(), self.problem
        examples = problem.seen(problem.read(X, y, fitted.findings), fitted.findings)
        problem.check(fitted.model.task, examples)
        examples = self._kept(examples, fitted)
        return examples, fitted.model.predict(examples.xs, place=examples.place), fitted

    def margins(self, X: Iterable[object], k: int = K, given: Given = None) -> list[Margins]:
        """Return how far the best output for every input is ahead of others, among `k`."""
        fitted = self._ready()
        return [margins for _, margins in self._rivals(self._inputs(X, given, fitted), fitted, k)]

    def predict_confidence(self, X: Iterable[object], given: Given = None) -> list[Confidence]:
        """Return how likely the output for every input is right, and each of its parts; `calibrate` first."""
        from structron.fit.confidence import Calibration

        calibration = Calibration.of_model(self._learned().model.about)
        return [calibration.confidence(each) for each in self.margins(X, given=given)]

    def calibrate(self, X: Iterable[object], y: Iterable[object] | None = None) -> Self:
        """Learn from held-out data what margins mean; it is kept in the model and in its file."""
        from structron.fit.confidence import calibrated

        fitted, problem = self._ready(), self.problem
        model = fitted.model
        examples = problem.seen(problem.read(X, y, fitted.findings), fitted.findings)
        found = self._rivals(self._kept(examples, fitted), fitted)
        judged = problem.judge(examples, [output for output, _ in found], fitted)
        calibration = calibrated([margins for _, margins in found], judged)
        model.about = model.about | {"confidence": calibration.record()}
        return self

    def _rivals(
        self, inputs: Examples[SourceT], fitted: Fitted[TaskT, FindingsT], k: int = K
    ) -> list[tuple[Any, Margins]]:
        """Return the engine's output for every input, with its margins over others."""
        from structron.fit.confidence import margins_of
        from structron.search import widened

        model, decisions = fitted.model, self.problem.decisions
        search = widened(model.search, k)
        guess = model.predict(inputs.xs, place=inputs.place)
        best = model.kbest(inputs.xs, k, search, inputs.place)
        found: list[tuple[Any, Margins]] = []
        for pairs in in_pieces("comparing outputs", list(zip(guess, best)), PIECE):
            for own, each in pairs:
                others = [(decisions(one), score) for one, score in each]
                found.append((own, margins_of(decisions(own), others)))
        return found

    def explain(self, x: object) -> Explanation:
        """Why it predicts what it does for one input: each decision's features by name, with weights."""
        from structron.explaining import explained

        try:
            return explained(self.account(x), self.model_.rows)
        except UnicodeEncodeError as error:
            raise DataError(f"the input: {fault(error)}; fix it") from None

    def account(self, x: object) -> Account:
        """Explain the output for one input: decisions, features and actions by name."""
        fitted = self._ready()
        inputs = self.problem.inputs([x], fitted)
        if len(inputs.xs) != 1:
            raise DataError(f"there are {len(inputs.xs)} parts to explain; give one that is not empty")
        from structron.explaining import account_of

        return account_of(fitted.model, inputs.xs[0])

    def strongest(self, X: Iterable[object], top: int = 20, label: str | None = None) -> list[Strong]:
        """The features with the largest weights by name, of those that fire in the outputs for X.

        X is looked at in its order until half a million features have fired.
        """
        fitted = self._ready()
        from structron.explaining import strongest

        return strongest(fitted.model, self.problem.inputs(X, fitted).xs, top, label)

    def judge(self, X: Iterable[object], y: Iterable[object] | None = None) -> list[Judgement]:
        """Gold beside guess for every input, decision by decision: what `structron.metrics.report` takes."""
        return self.problem.judge(*self._answered(X, y))

    # -------------------------------------------------------------------------------------------- one file

    def to_bytes(self) -> bytes:
        """The bytes of that file."""
        return self._learned().model.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes, where: str = "the model") -> Self:
        """Read the bytes of a model's file; `where` is what messages call them."""
        return cls.of_model(cls._of_kind(Model.from_bytes(data, where), where), where)

    def __getstate__(self) -> dict[str, Any]:
        # A pickle holds parameters and bytes of files; the estimator is its only class of structron.
        from structron.fit.pickling import to_files

        kept = {} if self._fitted is None else {_FILES: to_files(self._fitted)}
        return {name: value for name, value in vars(self).items() if name != "_fitted"} | kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        from structron.fit.pickling import training_of

        files = state.pop(_FILES, None)
        vars(self).update(with_new_names(type(self), state))
        if files is not None:
            where = f"the pickled {type(self).__name__}"
            model = self._of_kind(Model.from_bytes(files[0], where), where)
            history, learning = training_of(files[1], self.recipe_type, where)
            findings = self.problem_type.restore(model, where).findings
            self._fitted = Fitted(model, history, findings, learning)

    @classmethod
    def of_model(cls, model: Model[TaskT], where: str) -> Self:
        """An estimator around a finished model."""
        settings = model.about.get("recipe")
        if not isinstance(settings, dict):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        restored = cls.problem_type.restore(model, where)
        try:
            estimator = cls.from_recipe(cls.recipe_type.from_mapping(settings, where), **restored.parameters)
        except SettingError:
            # Another version made it, with settings unknown here; it can still predict.
            known: dict[str, Any] = {"search": model.search, **restored.known, **restored.parameters}
            estimator = cls(**known)
        history = [training.Epoch.from_record(record) for record in model.about.get("epochs", [])]
        estimator._fitted = Fitted(model, history, restored.findings)
        return estimator

    def _check_threads(self) -> None:
        self.threads = settings_of(Threads)["threads"].checked(self.threads)
        if self.threads > 1:  # one thread needs no module that counts processors
            from structron.engine.processors import useful_threads

            useful_threads(self.threads)

    @classmethod
    def from_recipe(cls, recipe: Recipe, **extra: Any) -> Self:
        """An estimator with the settings of a recipe."""
        return cls(**recipe.as_dict(), **extra)
