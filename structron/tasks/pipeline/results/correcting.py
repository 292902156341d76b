"""Corrections of a pipeline: each stage that was wrong, on what the stages before it predict then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from structron.engine.rows import NO_ROWS
from structron.errors import DataError, SettingError
from structron.model import Model
from structron.registry import estimator_of
from structron.search import parse_search
from structron.tasks.pipeline.columns import join_labels, sentences_of
from structron.tasks.pipeline.names.entities import has_names, labels_of

if TYPE_CHECKING:
    from structron.fit.correcting.correction import Correction
    from structron.io import Sentence
    from structron.tasks.pipeline.stages import Stages
    from structron.tasks.pipeline.task import Stage

STEP = "step"  # in a change's description: which correction of the pipeline it belongs to


class Correctable:
    """Correct the stages; what was learned is no parameter, and so it is kept here."""

    _fitted: Stages | None = None

    if TYPE_CHECKING:
        threads: int

        def _learned(self) -> Stages: ...

    def correct(
        self,
        X: Iterable[Sentence],
        y: None = None,
        keep: Iterable[Sentence] | None = None,
        *,
        margin: float | None = None,
        dry_run: bool = False,
        new_labels: bool = False,
    ) -> dict[str, Correction]:
        """Make the smallest changes after which the stages that were wrong about X are right.

        Words are given. Each stage is corrected on what the stages before it predict by then; lemmas are not
        corrected, nor is where words and sentences begin. Columns that X leaves empty ask for nothing.

        Returns
        -------
        By the name of the stage, what became of the sentences that it had wrong, and which of those that are
        kept changed (see `structron.fit.estimator.Estimator.correct`). Stages that stay have none.

        Parameters
        ----------
        X
            The sentences as they should be, with their columns filled.
        keep
            What a stage has right in these stays right.
        margin, dry_run, new_labels
            As for any estimator.
        """
        from structron.tasks.pipeline.names.data import as_sentences

        segmenter = self._learned().segmenter
        sentences = sentences_of(as_sentences(_listed(X), segmenter))
        kept = sentences_of(as_sentences(_listed(keep), segmenter), "keep")
        if not sentences:
            raise DataError("there is nothing to correct; give at least one sentence")
        step = 1 + max((_step(part) for part in self._learned().model.parts.values()), default=0)
        correcting = _Correcting(self._learned(), sentences, kept, margin, self.threads, new_labels)
        found = correcting.run(step)
        if not found:
            raise DataError("no stage of this pipeline fills the columns that are filled here; fill others")
        if not dry_run:
            self._take(correcting.parts)
        return {name: each for name, each in found.items() if each is not None}

    def undo(self) -> dict[str, Any]:
        """Take the last correction back, in all stages that it changed; return what it said of itself."""

        parts = dict(self._learned().model.parts)
        step = max(map(_step, parts.values()), default=0)
        if not step:
            raise SettingError("there is no correction to take back; the model is as training left it")
        said: dict[str, Any] = {}
        for name, part in parts.items():
            if _step(part) == step:
                said = (said or dict(part.changes[-1].about)) | {"stages": [*said.get("stages", ()), name]}
                parts[name] = part.with_changes(part.changes[:-1])
        self._take(parts)
        return said

    def _take(self, parts: dict[str, Model[Any]]) -> None:
        from structron.tasks.pipeline.stages import Stages

        model = self._learned().model
        made = Model(model.task, NO_ROWS, parse_search("greedy"), model.about, parts)
        self._fitted = Stages(made, "the corrected model")


def _listed(given: Any) -> list[Any]:
    """Return a list of sentences, or of texts with names; refuse what is none."""
    if given is None:
        return []
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise DataError(f"X is of type {type(given).__name__}; give sentences, as structron.io.read has them")
    return list(given)


def _step(part: Model[Any]) -> int:
    """Return the number of the last correction that changed a stage; 0 if none has."""
    return int(part.changes[-1].about.get(STEP, 0)) if part.changes else 0


class _Correcting:
    """The stages one after the other, for sentences to be corrected and sentences that are kept."""

    def __init__(
        self,
        stages: Stages,
        sentences: Sequence[Sentence],
        kept: Sequence[Sentence],
        margin: float | None,
        threads: int,
        new_labels: bool,
    ) -> None:
        from structron.tasks.pipeline.stages import _LazyColumns

        self.new_labels = new_labels
        self.stages, self.margin, self.threads = stages, margin, threads
        self.parts: dict[str, Model[Any]] = dict(stages.model.parts)
        self.sentences, self.kept, self.has_names = sentences, kept, has_names(sentences)
        self.columns, self.kept_columns = _LazyColumns(sentences), _LazyColumns(kept)
        self.kept_before = _LazyColumns(kept)  # what the pipeline as it is predicts

    def run(self, step: int) -> dict[str, Correction | None]:
        """Return the result of each stage for which some sentence has gold."""
        found: dict[str, Correction | None] = {}
        moved = False
        for stage in self.stages.model.task.stages:
            if stage.name in ("segmenter", "lemma"):
                self._lemmatize(stage)
                continue
            gold = [_gold(stage, sentence) for sentence in self.sentences]
            if stage.name == "names" and not self.has_names:
                gold = [None] * len(gold)
            if any(each is not None for each in gold):
                found[stage.name] = self._correct(stage, gold, moved, step)
                moved = moved or found[stage.name] is not None
            self._fill(stage)
        return found

    def _correct(self, stage: Stage, gold: Sequence[Any], moved: bool, step: int) -> Correction | None:
        """Correct one stage where it is wrong, or where what it sees has changed."""
        from structron.fit.correcting.correcting import Correcting, check_margin, wanted
        from structron.fit.correcting.estimating import with_new_labels
        from structron.fit.correcting.kept import Kept

        kind = {"parser": "parsing"}.get(stage.name, "tagging")
        before = self.parts[stage.name]
        before.threads = self.threads
        own = estimator_of(kind).of_model(before, f"the {stage.name}")
        is_right = partial(own.problem.is_right, before.task)
        xs, guess = self.columns.zipped(stage.sees), before.predict(self.columns.tokens(stage.sees))
        wrong = [i for i, y in enumerate(gold) if y is not None and not is_right(y, guess[i])]
        if not wrong and not moved:
            return None
        ys = [_gold(stage, sentence) for sentence in self.kept]
        if stage.name == "names" and not has_names(self.kept):
            ys = [None] * len(ys)
        sure = [i for i, y in enumerate(ys) if y is not None]
        seen, now = self.kept_before.tokens(stage.sees), self.kept_columns.zipped(stage.sees)
        known = before.predict([seen[i] for i in sure]) if sure else []
        rights = [is_right(ys[i], each) for i, each in zip(sure, known)]
        # Sentences that this stage has right stay right while others are corrected.
        own_right = [i for i, y in enumerate(gold) if y is not None and i not in set(wrong)]
        kept = Kept(
            [*(now[i] for i in sure), *(xs[i] for i in own_right)],
            [*(ys[i] for i in sure), *(gold[i] for i in own_right)],
            [*(self.kept[i].place for i in sure), *(self.sentences[i].place for i in own_right)],
            [*known, *(guess[i] for i in own_right)],
            [*rights, *(True for _ in own_right)],
            Model(before.task, before.rows, before.search),
        )
        fixes, answers = [xs[i] for i in wrong], [gold[i] for i in wrong]
        wide, labels = with_new_labels(own, fixes, answers) if self.new_labels else (own, ())
        examples = wanted(wide, fixes, answers)
        examples.places = [self.sentences[i].place for i in wrong]
        search = Correcting(wide, examples, kept, check_margin(self.margin, own.recipe), self.threads)
        found, _ = search.run()
        found = replace(found, new_labels=tuple(labels))
        if found.change.cells:
            change = found.change._replace(about=found.record() | {STEP: step})
            self.parts[stage.name] = before.with_changes([*before.changes, change])
            found = replace(found, change=change)
        return found if wrong or found.change.cells or found.moved else None

    def _fill(self, stage: Stage) -> None:
        """Let a stage fill its columns, as it is and as it was."""
        from structron.tasks.pipeline.columns import split_labels

        if stage.name in ("parser", "names"):
            return
        for columns, part in (
            (self.columns, self.parts[stage.name]),
            (self.kept_columns, self.parts[stage.name]),
            (self.kept_before, self.stages.model.parts[stage.name]),
        ):
            if len(columns):
                part.threads = self.threads
                columns.filled |= split_labels(stage, part.predict(columns.tokens(stage.sees)))

    def _lemmatize(self, stage: Stage) -> None:
        if stage.name != "lemma":
            return
        for columns in (self.columns, self.kept_columns, self.kept_before):
            if len(columns):
                columns.filled["lemma"] = self.stages._lemmas(columns, stage.sees)


def _gold(stage: Stage, sentence: Sentence) -> Any:
    """Return the gold output of a stage for a sentence; None if it is not given."""
    if stage.name == "names":
        return labels_of(sentence)
    if stage.name == "parser":
        from structron.io.values.trees import tree_of

        return None if any(row[6] == "_" for row in sentence.tokens) else tree_of(sentence)
    columns = {name: [sentence.column(name)] for name in stage.fills}
    # No features are written as no tag is, but no file leaves all features out and has tags.
    empty = [name for name, (values,) in columns.items() if set(values) == {"_"} and name != "feats"]
    if empty or ("feats" in columns and set(sentence.column("upos")) == {"_"}):
        return None
    return join_labels(stage, columns)[0]
