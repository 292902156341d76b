"""Training of the stages one after the other, each on predictions of those before it.

A stage that reads predictions must learn from predictions, with their mistakes. So every tagger and the
lemmatizer are jackknifed: a model trained on the other parts predicts each part of the training data, and the
next stages learn from that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structron.engine.rows import without_small
from structron.errors import DataError
from structron.fit.raw_text.clusters import reading_text
from structron.fit.raw_text.cutting import Cut
from structron.fit.raw_text.settings import files_of
from structron.fit.schedules.hooks import stage_of
from structron.io import Sentence
from structron.labelling.presets import CLUSTERED
from structron.model import Model
from structron.registry import estimator_of
from structron.search import parse_search
from structron.tasks.pipeline.columns import Column, split_labels
from structron.tasks.pipeline.fitting.checkpoint import PipelineCheckpoint
from structron.tasks.pipeline.fitting.treebank import COLUMNS, Treebank, is_empty
from structron.tasks.pipeline.names.data import Item, as_sentences
from structron.tasks.pipeline.names.entities import labels_of
from structron.tasks.pipeline.settings import FEATS_TEMPLATES, SEES, TAGS, Settings
from structron.tasks.pipeline.stages import Stages
from structron.tasks.pipeline.task import Stage

if TYPE_CHECKING:
    from structron.fit import Epoch
    from structron.fit.schedules.schedule import Stage as OnStage
    from structron.tasks.lemmatisation import Lemmatizer
    from structron.tasks.tagging import Tagger

LARGE = 30_000  # words of a treebank that does not need small weights
LONGEST = 400  # words of the longest sentence to train parsers on


@dataclass
class Learner:
    """Trains the stages of a pipeline.

    Attributes
    ----------
    train, dev
        The data; each stage adds its predictions to `predicted`.
    kept
        The finished stages, which are not repeated.
    clusters
        A file of word clusters for taggers and the parser, instead of those of the text.
    text
        Files of raw text: abbreviations for the segmenter, clusters of words for the others.
    on_stage, on_epoch
        Called with the progress.
    """

    settings: Settings
    folds: int
    seed: int
    threads: int
    train: Treebank
    dev: Treebank | None
    kept: PipelineCheckpoint
    clusters: str = "none"
    text: str | Sequence[str | Path] = "none"
    on_stage: OnStage | None = None
    on_epoch: Callable[[Epoch], None] | None = None
    names: Sequence[Item] = ()
    gazetteers: str | Sequence[object] = "none"
    prefix: str = ""

    def learned(self, stages: Sequence[Stage]) -> dict[str, Model[Any]]:
        """Learn all stages in their order, and return their models by name."""
        with ExitStack() as own:
            return self._learned(stages, own)

    def _learned(self, stages: Sequence[Stage], own: ExitStack) -> dict[str, Model[Any]]:
        parts: dict[str, Model[Any]] = {}
        for number, stage in enumerate(stages, 1):
            self.prefix = f"{number}/{len(stages)} "
            if stage.fills[0] in TAGS:
                model = self.tagger(stage)
            elif stage.name == "segmenter":
                model = self.segmenter(stage)
            elif stage.name == "lemma":
                model = self.lemmatizer(stage)
            elif stage.name == "names":
                model = self.kept.model("names", partial(self._namer, stage, stages, parts))
            else:
                model = self.parser(stage)
            parts[stage.name] = self.finished(stage, model)
            if number == 1:  # names that do not fit are told before the long stages
                self.names = as_sentences(self.names, segmenter := _segmenter_of(parts))
                if segmenter is not None:  # which cuts the words of raw text, too
                    made_from = segmenter.model_.about.get("signature")
                    own.enter_context(reading_text(self.threads, Cut.by(segmenter.predict, made_from)))
        return parts

    @property
    def _seen_of_words(self) -> dict[str, Any]:
        """Return where taggers and the parser have clusters of words from."""
        return {"text": self.text} if self.clusters == "none" else {"clusters": self.clusters}

    def _namer(self, stage: Stage, stages: Sequence[Stage], parts: Mapping[str, Model[Any]]) -> Model[Any]:
        """Train a tagger for names on sentences of their own, whose tags the pipeline predicts.

        It learns again with the sentences of the treebank, as it has labelled them: names in treebanks are
        those of texts like those to come. (English: F1 is a point higher, see benchmarks/results/names.md.)
        """
        labels = [labels_of(sentence) for sentence in self.names if isinstance(sentence, Sentence)]
        words = [sentence.words() for sentence in self.names if isinstance(sentence, Sentence)]
        xs = Stages.filling(stage.sees, stages, parts).columns(words, self.threads).zipped(stage.sees)
        settings = dict(self.settings.tagger) | self._seen_of_words | {"gazetteers": self.gazetteers}
        tagger = estimator_of("tagging")(
            **settings | {"constraints": "bio"}, seed=self.seed, threads=self.threads
        )
        tagger.fit(xs, labels, progress=stage_of(self.on_stage, f"{self.prefix}names", tagger.epochs))
        known = set(map(tuple, words))
        more = [
            x
            for x, own in zip(self.train.seen(stage.sees), self.train.gold["form"])
            if tuple(own) not in known
        ]
        told = stage_of(self.on_stage, f"{self.prefix}names, again", tagger.epochs)
        model: Model[Any] = tagger.fit([*xs, *more], [*labels, *tagger.predict(more)], progress=told).model_
        return model

    def segmenter(self, stage: Stage) -> Model[Any]:
        """Train a segmenter; the next stages learn from gold words, which have tags and trees."""
        return self.kept.model(stage.name, lambda: self._segmenter(stage))

    def _segmenter(self, stage: Stage) -> Model[Any]:
        segmenter = estimator_of("segmentation")(
            seed=self.seed, threads=self.threads, half=True, text=self.text
        )
        model: Model[Any] = segmenter.fit(
            self.train.sentences,
            dev=None if self.dev is None else self.dev.sentences,
            progress=stage_of(self.on_stage, f"{self.prefix}{stage.name}", segmenter.epochs),
            checkpoint=self.kept.inner(stage.name),
            resume=self.kept.resume,
        ).model_
        return model

    def tagger(self, stage: Stage) -> Model[Any]:
        """Train a tagger for one column, and add its predictions to the data."""

        def make() -> Tagger:
            tagging: type[Tagger] = estimator_of("tagging")
            settings = self._tagger_settings(stage)
            return tagging(**settings, partial=self.train.partial, seed=self.seed, threads=self.threads)

        def learn(inside: Sequence[int] | None, name: str) -> Tagger:
            tagger, xs = make(), self.train.seen(stage.sees)
            ys = self.train.labels(stage)
            dev = None
            if inside is not None:
                xs, ys = [xs[i] for i in inside], [ys[i] for i in inside]
            elif self.dev is not None:
                dev = self.dev.seen(stage.sees), self.dev.labels(stage)
            return tagger.fit(xs, ys, dev=dev, progress=stage_of(self.on_stage, name, tagger.epochs))

        def said(outside: Sequence[int], tagger: Tagger) -> Column:
            xs = self.train.seen(stage.sees)
            return tagger.predict([xs[i] for i in outside])

        model = self._jackknifed(stage, learn, said, lambda tagger: tagger.model_)
        if self.dev is not None:
            model.threads = self.threads
            self.dev.predicted |= split_labels(stage, model.predict(self.dev.seen(stage.sees)))
            model.release()
        return model

    def lemmatizer(self, stage: Stage) -> Model[Any]:
        """Train a lemmatizer on gold tags, since wrong tags teach wrong lemmas.

        (EWT, dev part, predicted tags: 97.29 % right; 97.05 when trained on predicted tags, 97.19 on both.)
        """

        def learn(inside: Sequence[int] | None, name: str) -> Lemmatizer:
            every = range(len(self.train.sentences)) if inside is None else inside
            lemmatisation: type[Lemmatizer] = estimator_of("lemmatisation")
            own = lemmatisation(seed=self.seed, columns=stage.sees, partial=self.train.partial)
            gold, labels = self.train.gold_seen(stage.sees), self.train.labels(stage)
            words, lemmas = [gold[i] for i in every], [labels[i] for i in every]
            dev = None
            if inside is None and self.dev is not None:
                dev = self.dev.seen(stage.sees), self.dev.gold["lemma"]
            return own.fit(words, lemmas, dev, progress=stage_of(self.on_stage, name, own.epochs))

        def said(outside: Sequence[int], own: Lemmatizer) -> Column:
            xs = self.train.seen(stage.sees)
            return own.lemmas([xs[i] for i in outside])

        model = self._jackknifed(stage, learn, said, lambda own: own.model_)
        if self.dev is not None:
            own: Lemmatizer = estimator_of("lemmatisation").of_model(model, "the model")
            self.dev.predicted["lemma"] = own.lemmas(self.dev.seen(stage.sees))
        return model

    def _jackknifed(
        self,
        stage: Stage,
        learn: Callable[[Sequence[int] | None, str], Any],
        predict: Callable[[Sequence[int], Any], Column],
        model_of: Callable[[Any], Model[Any]],
    ) -> Model[Any]:
        """Predict each part with a model of the others; then train on all parts."""
        count, name = len(self.train.sentences), stage.name
        found: dict[int, list[str]] = {}
        for fold in range(self.folds):
            outside = range(fold, count, self.folds)
            inside = [i for i in range(count) if i % self.folds != fold]
            title = f"{self.prefix}{name}, fold {fold + 1} of {self.folds}"
            column = self.kept.column(
                f"{name}.{fold}", partial(self._fold, learn, predict, outside, inside, title)
            )
            found |= dict(zip(outside, column))
        self.train.predicted |= split_labels(stage, [found[i] for i in range(count)])
        return self.kept.model(name, lambda: model_of(learn(None, f"{self.prefix}{name}, all data")))

    @staticmethod
    def _fold(
        learn: Callable[[Sequence[int] | None, str], Any],
        predict: Callable[[Sequence[int], Any], Column],
        outside: Sequence[int],
        inside: Sequence[int],
        title: str,
    ) -> Column:
        return predict(outside, learn(inside, title))

    def parser(self, stage: Stage) -> Model[Any]:
        """Train a parser on words with predicted columns."""
        return self.kept.model("parser", lambda: self._parser(stage))

    def _parser(self, stage: Stage) -> Model[Any]:
        xs, trees = self.train.seen(stage.sees), self.train.trees
        kept = [i for i, x in enumerate(xs) if 0 < len(x) <= LONGEST]
        xs, trees = [xs[i] for i in kept], [trees[i] for i in kept]
        parser = estimator_of("parsing")(
            **self._parser_settings(xs, trees),
            partial=self.train.partial,
            seed=self.seed,
            threads=self.threads,
        )
        model: Model[Any] = parser.fit(
            xs,
            trees,
            dev=None if self.dev is None else (self.dev.seen(stage.sees), self.dev.trees),
            progress=stage_of(self.on_stage, f"{self.prefix}parser", parser.recipe.epochs),
            on_stage=self.on_stage,
            on_epoch=self.on_epoch,
            checkpoint=self.kept.inner("parser"),
            resume=self.kept.resume,
        ).model_
        return model

    def finished(self, stage: Stage, model: Model[Any]) -> Model[Any]:
        """Return a stage for the file: without small weights, unless the treebank is small.

        Later stages learned from the predictions of the full model; that makes no difference.
        """
        least = self.settings.negligible.get(stage.fills[-1], 0.0)
        words = sum(map(len, self.train.gold["form"]))
        rows = without_small(model.rows, least) if words >= LARGE else model.rows
        search = self.settings.search if stage.name == "parser" else None
        found = model.search if search is None else parse_search(search)
        return Model(model.task, rows, found, model.about, model.parts)

    def _tagger_settings(self, stage: Stage) -> dict[str, Any]:
        clustered = CLUSTERED if self.clusters != "none" or files_of(self.text) else []
        templates = {} if stage.sees == ("form",) else {"templates": [*FEATS_TEMPLATES, *clustered]}
        return dict(self.settings.tagger) | templates | self._seen_of_words

    def _parser_settings(self, xs: Sequence[Any], trees: Sequence[Any]) -> dict[str, Any]:
        parser: Any = estimator_of("parsing")
        suited, cuts = parser.suited_to(xs, trees, "fast" if self.settings.cheap else "")
        settings = {"templates": suited} | self._seen_of_words | dict(self.settings.parser)
        if not cuts:  # a small treebank keeps all features
            settings["cut"] = 0
        return settings


def _segmenter_of(parts: Mapping[str, Model[Any]]) -> Any:
    model = parts.get("segmenter")
    return None if model is None else estimator_of("segmentation").of_model(model, "the model")


def sees(name: str, present: Collection[str]) -> tuple[str, ...]:
    """Return the columns that a stage sees; names have data of their own, without columns to be taken."""
    known = ("form", *present)
    return tuple(column for column in SEES[name] if name != "names" or column in known)


def stages_for(wanted: Sequence[str], train: Treebank, *, jointly: bool = False) -> list[Stage]:
    """Return the stages for which a treebank has data; a column that no stage fills is used as given.

    With `jointly` one tagger predicts all tags of a word at once.
    """
    columns = (*TAGS, "lemma")
    present = [name for name in wanted if name not in columns or not is_empty(train.gold[name])]
    tags = [name for name in present if name in TAGS]
    if not jointly or len(tags) < 2:
        return [Stage(name, sees(name, present)) for name in present]
    both = Stage("+".join(tags), ("form",))
    others = [Stage(name, sees(name, present)) for name in present if name not in tags]
    at = sum(stage.name == "segmenter" for stage in others)
    return [*others[:at], both, *others[at:]]


def prepared(
    sentences: Sequence[Sentence],
    held_out: Sequence[Sentence] | None,
    wanted: Sequence[str],
    folds: int,
    *,
    jointly: bool,
    partial: bool = False,
) -> tuple[list[Stage], Treebank, Treebank | None]:
    """Return the stages that the data have columns for, and the data; refuse what is too little.

    With `partial` not all of the training data is known.
    """
    if len(sentences) < folds:
        raise DataError(f"{len(sentences)} sentences cannot be put into {folds} parts; give more")
    if held_out is not None and not held_out:
        raise DataError("the development set is empty; leave dev out or give sentences")
    has_parser = "parser" in wanted
    train = Treebank.of(sentences, trees=has_parser, partial=partial)
    other = None if held_out is None else Treebank.of(held_out, trees=has_parser)
    chosen = stages_for(wanted, train, jointly=jointly)
    if not chosen:
        raise DataError("there is nothing to learn from; all columns of these stages are empty")
    for treebank in (train, other):
        if treebank is not None:
            treebank.check(chosen)
            treebank.take([name for name in COLUMNS if all(name not in s.fills for s in chosen)])
    return chosen, train, other
