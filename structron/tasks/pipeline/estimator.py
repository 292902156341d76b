"""Pipeline: from raw text, or words, to tags, lemmas and trees, by one model file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from structron.engine.processors import useful_threads
from structron.engine.rows import NO_ROWS
from structron.errors import DataError, SettingError
from structron.fit.parameters import ModelFile, Parameters, Threads, not_fitted, parameters
from structron.fit.preference import ACCURACY, BALANCE, SPEED
from structron.io import Sentence
from structron.model import Model
from structron.progress import has_listener, report_progress
from structron.search import parse_search
from structron.settings import setting, settings_of
from structron.tasks.pipeline.columns import of_words, sentences_of, sentences_or_words, stripped
from structron.tasks.pipeline.document import AnalysedSentence, Document
from structron.tasks.pipeline.results.asking import Asking
from structron.tasks.pipeline.results.correcting import Correctable
from structron.tasks.pipeline.results.formats import AnalysedText
from structron.tasks.pipeline.settings import FIRST_WORDS, SETTINGS, Settings
from structron.tasks.pipeline.stages import Stages, garbage_collection_paused
from structron.tasks.pipeline.task import STAGES, PipelineTask, rows_of

if TYPE_CHECKING:
    from structron.explaining import Explanation
    from structron.fit import Checkpoint, Epoch
    from structron.fit.schedules.schedule import Stage as OnStage
    from structron.io.formats.raw_text import Paragraph
    from structron.metrics.conll18 import Share
    from structron.metrics.spans import Score
    from structron.tasks.pipeline.names.data import Given
    from structron.tasks.segmentation.estimator import Segmenter

STARTS = ("text", "words", "tags")
"""What may be given: raw text; words; or words with their tags, which are then not predicted."""

BATCH = 64  # texts that are analysed together


@parameters
class Pipeline(Asking, Correctable, ModelFile, Parameters, Threads):
    """Segments, tags, lemmatizes and parses: ``nlp = Pipeline().fit(train, dev)``, then ``nlp("A text.")``.

    The stages are learned one after the other from a treebank, each from what those before it predict. All of
    them are parts of one model file.

    Examples
    --------
    >>> from structron.io import read
    >>> nlp = Pipeline(prefer="speed").fit(read("train.conllu"))  # doctest: +SKIP
    >>> doc = nlp("Time flies.")  # doctest: +SKIP
    >>> [(word.form, word.upos, word.lemma, word.head) for word in doc.words]  # doctest: +SKIP
    [('Time', 'NOUN', 'time', 2), ('flies', 'VERB', 'fly', 0), ('.', 'PUNCT', '.', 2)]
    """

    kind = "pipeline"

    stages: Sequence[str] = setting(
        default=STAGES,
        help="The stages to train, such as upos,feats,lemma; other columns are taken as they come",
        metavar="NAMES",
    )
    prefer: str = setting(
        default=BALANCE,
        help="What matters most",
        metavar="WHAT",
        choices=tuple(SETTINGS),
        tried=(SPEED, ACCURACY),
        was="settings",
        old_words={"fast": SPEED, "accurate": ACCURACY},
    )
    clusters: str = setting(
        default="none",
        help="Word clusters for taggers and parser, instead of those made from text",
        metavar="FILE",
        file=True,
    )
    names: Given = setting(
        default="none",
        help="Labelled names, for a stage that finds them: columns, CoNLL-U with NER= in MISC, or JSON with "
        "offsets; commas between files",
        metavar="FILES",
        none="none",
    )
    gazetteers: str | Sequence[str | Path] = setting(
        default="none",
        help="Lists of names for the stage that finds them, one name a line; commas between files",
        metavar="FILES",
        none="none",
        files=True,
    )
    text: str | Sequence[str | Path] = setting(
        default="none",
        help="Unlabelled text: abbreviations for the segmenter, word clusters for taggers and parser; "
        "commas between files",
        metavar="FILES",
        files=True,
    )
    partial: bool = setting(
        default=False,
        help="Tags, lemmas, heads and relations that are _ are not known: learn from the others",
        flags="--partial/--whole",
    )
    folds: int = setting(default=5, help="Number of parts for jackknifing", metavar="N", low=2, high=1000)
    seed: int = setting(default=0, help="Random seed of all stages", metavar="N", low=0)

    @property
    def model_(self) -> Model[PipelineTask]:
        """Return what was learned, with the stages as its parts."""
        return self._learned().model

    @property
    def stages_(self) -> tuple[str, ...]:
        """The stages that there are."""
        return tuple(name for stage in self.model_.task.stages for name in stage.fills)

    @property
    def history_(self) -> list[Epoch]:
        """The epochs of the parser; nothing without one."""
        from structron.fit import Epoch

        part = self.model_.parts.get("parser")
        told = part.about.get("epochs", []) if part is not None else []
        return [Epoch.from_record(record) for record in told]

    def _learned(self) -> Stages:
        if self._fitted is None:
            raise not_fitted("this Pipeline has learned nothing yet; call fit or load first")
        useful_threads(self.threads)
        self._fitted.keep_to(self.entries)
        return self._fitted

    # -------------------------------------------------------------------------------------------- learning

    def fit(
        self,
        X: Iterable[Sentence],
        y: None = None,
        dev: Iterable[Sentence] | None = None,
        *,
        on_stage: OnStage | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
        checkpoint: Checkpoint | str | Path | None = None,
        resume: bool = False,
    ) -> Self:
        """Learn all stages from CoNLL-U sentences; with `dev` each keeps its best epoch.

        Parameters
        ----------
        on_stage
            Called from time to time with the stage under way, how much of it is done, and how much there is.
        on_epoch
            Called after every epoch of the parser.
        checkpoint
            A file that every finished part of the work is written to; stages that take long have a file of
            their own beside it.
        resume
            Continue from that file: the model will be the same as without the interruption.
        """
        from structron.tasks.pipeline.fitting.checkpoint import PipelineCheckpoint, origin_of
        from structron.tasks.pipeline.fitting.learner import Learner, prepared
        from structron.tasks.pipeline.names.data import names_of

        wanted, settings = self.check()
        if on_stage is None and has_listener():
            on_stage = report_progress
        names = names_of(self.names)
        sentences, held_out = sentences_of(X), None if dev is None else sentences_of(dev, "dev")
        stages, train, other = prepared(
            sentences, held_out, wanted, self.folds, jointly=settings.jointly, partial=self.partial
        )
        origin = origin_of(self, wanted, sentences, held_out, names)
        learner = Learner(
            settings,
            self.folds,
            self.seed,
            self.threads,
            train,
            other,
            PipelineCheckpoint.of(checkpoint, origin, resume),
            os.fspath(self.clusters),
            self.text,
            on_stage,
            on_epoch,
            names,
            self.gazetteers,
        )
        parts = learner.learned(stages)
        task = PipelineTask(tuple(stages))
        about = self._about(sentences, origin)
        self._fitted = Stages(Model(task, NO_ROWS, parse_search("greedy"), about, parts), "the model")
        return self

    def _about(self, sentences: Sequence[Sentence], origin: Mapping[str, object]) -> dict[str, Any]:
        """Return the record of the training for the model file."""
        return {
            "settings": FIRST_WORDS[self.preferred],
            "folds": self.folds,
            "seed": self.seed,
            "trained_on": {"sentences": len(sentences), "tokens": sum(map(len, sentences))},
            "signature": {
                name.replace(" ", "_"): value for name, value in origin.items() if value is not None
            },
        }

    @property
    def preferred(self) -> str:
        """Return the checked preference: accuracy, balance or speed."""
        return str(settings_of(Pipeline)["prefer"].checked(self.prefer))

    @property
    def parser_epochs(self) -> int:
        """Return how many epochs the parser will have."""
        from structron.registry import recipe_of

        epochs = SETTINGS[self.preferred].parser.get("epochs", recipe_of("parsing").epochs)
        assert isinstance(epochs, int), "settings are ours"
        return epochs

    def check(self) -> tuple[list[str], Settings]:
        """The stages in their order, and the settings; what is not possible is refused."""
        from structron.tasks.pipeline.fitting.checkpoint import clusters_checksum

        if isinstance(self.stages, str) or not set(self.stages) <= set(STAGES) or not self.stages:
            raise SettingError(f"stages {self.stages!r} are not possible; give some of {', '.join(STAGES)}")
        known = settings_of(Pipeline)
        for name in ("folds", "seed", "clusters", "text", "gazetteers"):
            known[name].checked(getattr(self, name))
        clusters_checksum(self.clusters)  # a file that cannot be read is told before anything is done
        has_names = not (isinstance(self.names, str) and self.names == "none")
        wanted = [name for name in STAGES if name in self.stages and (has_names or name != "names")]
        return wanted, SETTINGS[self.preferred]

    # ------------------------------------------------------------------------------------------ predicting

    def __call__(self, text: str | Sequence[str]) -> Document:
        """Analyse a text, or one sentence that is a list of words."""
        with garbage_collection_paused():
            (document,) = self._documents(self._learned(), [text], self.threads)
        return document

    def pipe(self, texts: Iterable[str | Sequence[str]], threads: int | None = None) -> Iterator[Document]:
        """Analyse texts one after the other, some at a time: what comes out is never held back for long.

        An error names the text by its number; those before it have come out.
        """
        if isinstance(texts, (str, bytes)):
            raise DataError("texts is a single text; give a list of texts, or call the pipeline with it")
        if not isinstance(texts, Iterable) or isinstance(texts, Mapping):
            raise DataError(f"texts is of type {type(texts).__name__}; give a list of texts")
        return self._piped(self._learned(), iter(texts), self.threads if threads is None else threads)

    def _piped(
        self, fitted: Stages, texts: Iterator[str | Sequence[str]], threads: int
    ) -> Iterator[Document]:
        before = 0
        while batch := list(islice(texts, BATCH)):
            try:
                with garbage_collection_paused():
                    documents = self._documents(fitted, batch, threads)
            except DataError:
                documents = None  # to find the one, all are tried again by themselves
            yield from self._one_by_one(fitted, batch, threads, before) if documents is None else documents
            before += len(batch)
            report_progress("analysing texts", before, 0)

    def _one_by_one(
        self, fitted: Stages, batch: Sequence[str | Sequence[str]], threads: int, before: int
    ) -> Iterator[Document]:
        for number, text in enumerate(batch, before + 1):
            try:
                yield from self._documents(fitted, [text], threads)
            except DataError as error:
                raise DataError(f"text {number}: {error}") from None

    @staticmethod
    def _documents(fitted: Stages, batch: Sequence[str | Sequence[str]], threads: int) -> list[Document]:
        cuts = iter(fitted.analysed([text for text in batch if isinstance(text, str)], threads))
        words = [of_words(text) for text in batch if not isinstance(text, str)]
        given = iter(fitted.annotated(words, "words", threads))
        made = []
        for text in batch:
            if isinstance(text, str):
                found, own = next(cuts)
                made.append(Document([AnalysedSentence(None, found, i) for i in own], text))
            else:
                made.append(Document.of_rows([next(given)]))
        return made

    def predict(self, X: Iterable[Sentence | Sequence[str]], start: str = "words") -> list[Sentence]:
        """CoNLL-U sentences, or lists of words, with all columns that stages fill.

        Parameters
        ----------
        start
            ``words``: tags, lemmas and trees are predicted; ``tags``: UPOS, XPOS and FEATS are there already.
        """
        if start not in STARTS[1:]:
            raise SettingError(f"start {start!r} is not possible; use words or tags")
        return self._learned().annotated(sentences_or_words(X), start, self.threads)

    def explain(self, x: str | Sentence | Sequence[str]) -> dict[str, Explanation]:
        """Why each stage, by its name, decides as it does for a text, or for one sentence of words."""
        from structron.tasks.pipeline.explaining import explained_stages

        if isinstance(x, Sentence):
            x = x.words()
        if not isinstance(x, str):
            of_words(x)  # refuses what is none
        return explained_stages(self._learned(), x)

    def segment(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """The sentences and words of texts, with nothing else."""
        return self._learned().segmented(texts, self.threads)

    @property
    def segmenter(self) -> Segmenter | None:
        """Return the segmenter of the pipeline, if it has one."""
        return self._learned().segmenter

    def analysed_paragraphs(self, pieces: Sequence[Paragraph]) -> AnalysedText:
        """Analyse paragraphs as they are read from a file; offsets and numbers of sentences go on."""
        return AnalysedText(self._learned().analysed_paragraphs(pieces, self.threads), pieces)

    def evaluate(self, X: Iterable[Sentence], start: str = "text") -> dict[str, Share]:
        """The table of CoNLL 2018 for gold sentences, from their raw text, their words or their tags.

        Without a parser it has the rows of what there are stages for.
        """
        from structron.metrics.conll18 import conll18

        if start not in STARTS:
            raise SettingError(f"start {start!r} is not possible; use {', '.join(STARTS)}")
        gold = sentences_of(X)
        if other := next((sentence for sentence in gold if sentence.format.name != "conllu"), None):
            raise DataError(
                f"{other.place}: a pipeline is scored on CoNLL-U, and this is not; give a treebank"
            )
        return conll18(gold, self.analysed(gold, start), rows_of(self.stages_))

    def evaluate_names(self, X: Given, start: str = "text") -> Score:
        """Return precision, recall and F1 of names, by the characters that they cover.

        `X` is as in `names`; labelled texts are cut by the pipeline, whatever the start.
        """
        from structron.tasks.pipeline.names.data import names_of
        from structron.tasks.pipeline.names.measures import score_of_names

        if start not in STARTS:
            raise SettingError(f"start {start!r} is not possible; use {', '.join(STARTS)}")
        if "names" not in self.stages_:
            raise SettingError("this pipeline finds no names; train one with names")
        return score_of_names(self, names_of(X), start)

    def analysed(self, gold: Sequence[Sentence], start: str) -> list[Sentence]:
        """Analyse gold sentences anew from `start`: text, words or tags."""
        fitted = self._learned()
        if start == "text":
            return fitted.resegmented(gold, self.threads)
        return fitted.annotated([stripped(sentence, start) for sentence in gold], start, self.threads)

    def score(self, X: Iterable[Sentence], y: None = None) -> float:
        """LAS from words; without a parser the last row of the table, or of one with all tags AllTags."""
        shares = self.evaluate(X, "words")
        usual = [name for name in ("LAS", "AllTags") if name in shares]
        return shares[usual[0] if usual else list(shares)[-1]].f1

    @classmethod
    def of_model(cls, model: Model[PipelineTask], where: str) -> Self:
        """A pipeline around a finished model."""
        about = model.about
        made: dict[str, Any] = {name: about[name] for name in ("folds", "seed") if name in about}
        words = {word: name for name, word in FIRST_WORDS.items()}
        made |= (
            {"prefer": words.get(str(about["settings"]), about["settings"])} if "settings" in about else {}
        )
        own = cls(stages=tuple(name for stage in model.task.stages for name in stage.fills), **made)
        own._fitted = Stages(model, where)
        return own
