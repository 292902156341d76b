"""Answers of a pipeline besides its best analysis; each comes from the estimator of a stage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Self

from structron.tasks.pipeline.columns import sentences_of, sentences_or_words

if TYPE_CHECKING:
    from structron.explaining import Strong
    from structron.fit.confidence import Confidence, Margins
    from structron.fit.data.entries import Entries
    from structron.io import Sentence
    from structron.tasks.pipeline.stages import Stages


class Asking:
    """Answer the questions; what was learned is no parameter, and so it is kept here."""

    _fitted: Stages | None = None
    entries: Entries | None = None  # a dictionary, which wins in all that is predicted

    if TYPE_CHECKING:
        threads: int

        def _learned(self) -> Stages: ...
        def predict(self, X: Iterable[Sentence | Sequence[str]], start: str = "words") -> list[Sentence]: ...
        def analysed(self, gold: Sequence[Sentence], start: str) -> list[Sentence]: ...

    def predict_kbest(
        self, X: Iterable[Sentence | Sequence[str]], k: int, start: str = "words", stage: str | None = None
    ) -> list[list[tuple[Sentence, float]]]:
        """Return the `k` best readings of one stage for each sentence with scores; later stages follow each.

        Parameters
        ----------
        stage
            Its name; otherwise the last that has several readings, which is the parser if there is one.
        """
        from structron.tasks.pipeline.results.readings import readings

        given = sentences_or_words(X)
        return readings(self._learned(), self.predict(given, start), given, k, stage, self.threads)

    def predict_confidence(
        self, X: Iterable[Sentence | Sequence[str]], start: str = "words"
    ) -> list[dict[str, Confidence]]:
        """Return how likely each stage is right, by its name, for each sentence; `calibrate` first."""
        from structron.tasks.pipeline.results.readings import confidences

        given = sentences_or_words(X)
        return confidences(self._learned(), self.predict(given, start), given, start)

    def margins(
        self, X: Iterable[Sentence | Sequence[str]], start: str = "words"
    ) -> dict[str, list[Margins]]:
        """Return how far each stage's best answer, by its name, is ahead of others for each sentence."""
        from structron.tasks.pipeline.results.readings import margins

        given = sentences_or_words(X)
        return margins(self._learned(), self.predict(given, start), given)

    def calibrate(self, X: Iterable[Sentence]) -> Self:
        """Learn from held-out gold sentences what the margins of the stages mean; it is kept in the model."""
        from structron.tasks.pipeline.results.readings import calibrate

        gold = sentences_of(X)
        calibrate(self._learned(), gold, self.analysed(gold, "words"))
        return self

    def strongest(
        self, X: Iterable[Sentence | Sequence[str]], top: int = 20, label: str | None = None
    ) -> dict[str, list[Strong]]:
        """Return the features with the largest weights of each stage, of those that fire in sentences."""
        from structron.tasks.pipeline.results.readings import strongest

        return strongest(self._learned(), self.predict(X), top, label)
