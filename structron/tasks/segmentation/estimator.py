"""Segmenter: sentences and words from raw text, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast, overload

from structron.errors import DataError
from structron.fit.data.entries import Entries
from structron.fit.data.examples import Examples, as_given
from structron.fit.data.inputs import listed
from structron.fit.estimator import Estimator
from structron.fit.parameters import parameters
from structron.fit.predictor import Given
from structron.io.formats.raw_text import paragraphs
from structron.search import Search, parse_search
from structron.segments.passages import aligned
from structron.tasks.segmentation.problem import Read, SegmentationProblem, Segmented, text_of
from structron.tasks.segmentation.sentences import AnyTask, sentences_of
from structron.tasks.segmentation.settings import SegmentationRecipe, SegmentationSettings
from structron.tasks.segmentation.words.clauses import text_of as bare_text
from structron.tasks.segmentation.words.task import WordTask

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from structron.explaining import Explanation
    from structron.reference.sequence.trace import Trace


@parameters
class Segmenter(Estimator[AnyTask, SegmentationRecipe, Read, None, Segmented], SegmentationSettings):
    """Finds sentences, tokens and words in raw text.

    ``Segmenter().fit(sentences)`` is the good choice; parameters are explained in
    `structron.fit.SegmentationRecipe`. Sentences come from a treebank in CoNLL-U (``SpaceAfter=No``,
    multiword tokens and ``# newpar`` say what the text was), or from files with words between blanks, where
    the text had none. X may also be texts, with y a list of sentences for each, each a list of tokens. Of a
    text of which only some tokens are known, y is a list of pairs (begin, end) of characters.

    `predict` takes a text, and gives its sentences, or a list of texts, and gives a list of such lists. An
    empty line always ends a sentence. No character is lost: a text is its tokens and the white space between.

    For scripts without blanks ``Segmenter(system="words")`` searches over words, and
    ``Segmenter(system="joint")`` also gives them tags: files have them, or tokens in y are pairs of form and
    tag; ``sentence.tags`` has what is found.

    Labels are those of units of text, see `structron.segments.boundaries`; with system joint the tags of
    words, with system words none. `partial_fit` takes labels that come after the first batch.

    Examples
    --------
    >>> texts = ["It's late. Go!", "Stop! It's late."]
    >>> gold = [[["It", "'s", "late", "."], ["Go", "!"]], [["Stop", "!"], ["It", "'s", "late", "."]]]
    >>> [sentence.words for sentence in Segmenter(epochs=5).fit(texts, gold).predict("It's late. Stop!")]
    [['It', "'s", 'late', '.'], ['Stop', '!']]
    """

    kind = "segmentation"
    recipe_type = SegmentationRecipe
    problem_type = SegmentationProblem

    # ------------------------------------------------------------------------------------------ predicting

    @overload  # type: ignore[override]
    def predict(self, X: str, given: Given = None) -> Segmented: ...  # type: ignore[overload-overlap]
    @overload
    def predict(  # type: ignore[overload-overlap]
        self, X: npt.NDArray[Any], given: Given = None
    ) -> npt.NDArray[np.object_]: ...
    @overload
    def predict(self, X: Iterable[object], given: Given = None) -> list[Segmented]: ...
    def predict(self, X: Any, given: Given = None) -> Any:
        """The sentences of a text, or of each of several texts.

        Parameters
        ----------
        given
            Tokens that have to be there: for a text pairs (begin, end) of characters; for each of several
            texts a list of such pairs, or None.
        """
        fitted = self._ready()
        inputs = self._with_given(X, given, fitted)
        found = fitted.model.predict(inputs.xs, place=inputs.place)
        begins, answers, first = inputs.source.begins, [], 0
        for text, count in zip(inputs.source.texts, inputs.source.counts):
            own = slice(first, first + count)
            answers.append(sentences_of(fitted.model.task, text, begins[own], found[own]))
            first += count
        return answers[0] if isinstance(X, str) else as_given(X, answers)

    def _with_given(self, X: Any, given: Given, fitted: Any) -> Examples[Read]:
        """Return paragraphs as the engine takes them, with the tokens given."""
        inputs = self.problem.inputs([X] if isinstance(X, str) else X, fitted)
        given = self._entries(fitted) if given is None else given
        if given is None:
            return inputs
        if isinstance(given, Entries):
            return self.problem.restricted(inputs, self._of_entries(inputs, given, fitted), fitted)
        if isinstance(given, str):
            from structron.tasks.segmentation.units.given import PAIRS

            raise DataError(f"given names columns, which a text does not have; {PAIRS}")
        parts = [given] if isinstance(X, str) else listed(given, "given", "give a list for each text")
        if len(parts) != len(inputs.source.counts):
            raise DataError(
                f"{len(inputs.source.counts)} texts but {len(parts)} given; give one each, or None"
            )
        return self.problem.restricted(inputs, parts, fitted)

    def predict_kbest(
        self, X: Iterable[object], k: int, given: Given = None
    ) -> list[list[tuple[Segmented, float]]]:
        """The `k` best ways to cut each text that the search finds, with their scores, best first."""
        fitted = self._ready()
        inputs = self._with_given(X, given, fitted)
        found = iter(fitted.model.kbest(inputs.xs, k, place=inputs.place))
        begins = iter(inputs.source.begins)
        answers = []
        for text, count in zip(inputs.source.texts, inputs.source.counts):
            best: list[tuple[Segmented, float]] = [([], 0.0)]
            for _ in range(count):
                begin = next(begins)
                ways = [
                    (sentences_of(fitted.model.task, text, [begin], [spans]), score)
                    for spans, score in next(found)
                ]
                both = [(before + now, a + b) for before, a in best for now, b in ways]
                best = sorted(both, key=lambda each: -each[1])[:k]
            answers.append(best)
        return answers

    def paragraphs(self, text: str) -> list[str]:
        """Split a text into the parts that are searched separately: paragraphs, or their clauses."""
        fitted = self._ready()
        task, found = fitted.model.task, self.problem.inputs([text], fitted).xs
        if isinstance(task, WordTask):
            pieces = (bare_text(piece) for one in found for piece in task.pieces(one))
            return [piece for piece in pieces if not piece.isspace()]
        return list(found)

    def explain(self, x: object) -> Explanation:
        """Why it predicts what it does for one text; where its clauses are searched, one after the other."""
        from structron.explaining import joined

        text = text_of(x, 0)
        pieces = self.paragraphs(text)
        if len(paragraphs(text)) != 1 or len(pieces) == 1:
            return super().explain(text)
        return joined(map(super().explain, pieces))

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """Return the trace of the search on one text without empty lines; with gold, where it falls off."""
        fitted = self._ready()
        text = text_of(x, 0)
        tokens = None
        if gold is not None:
            tagged = isinstance(fitted.model.task, WordTask) and bool(fitted.model.task.labels)
            found = aligned(text, cast(Any, gold), "the text", tagged)
            tokens = [token for one in found for token in one.gold]
        return fitted.model.trace(text, tokens, None if search is None else parse_search(search))
