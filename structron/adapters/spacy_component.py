"""The base of the components of `structron.adapters.spacy`: learning, predicting, files and bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from structron.errors import SettingError, warn
from structron.fit.estimator import AnyEstimator
from structron.fit.online import Online

try:
    import srsly
    from spacy import util
    from spacy.attrs import POS, TAG
    from spacy.language import Language
    from spacy.pipeline import Pipe
    from spacy.scorer import Scorer
    from spacy.tokens import Doc
    from spacy.training import Example, validate_examples, validate_get_examples
    from spacy.vocab import Vocab
except ImportError as error:
    raise ImportError("structron.adapters.spacy needs spaCy; pip install 'structron[spacy]'") from error

Pair = tuple[Any, Any]  # one sentence as the estimator takes it, and its gold
Examples = Callable[[], Iterable[Example]]

ATTRIBUTES = {"tag": TAG, "pos": POS}


class Annotator(Pipe):  # type: ignore[misc]
    """A component that annotates several documents in one call, and gives errors to spaCy's handler."""

    name: str

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document."""
        error_handler = self.get_error_handler()
        try:
            self.annotate([doc])
        except Exception as error:
            error_handler(self.name, self, [doc], error)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate a stream of documents."""
        error_handler = self.get_error_handler()
        for docs in util.minibatch(stream, size=batch_size):
            try:
                self.annotate(docs)
            except Exception as error:
                error_handler(self.name, self, docs, error)
            yield from docs

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Set the annotations of these documents."""
        raise NotImplementedError


class Component(Annotator):
    """The base of those that learn: an estimator that learns from examples and writes into documents.

    Sentences are those of the document, where it has any; otherwise all of it is one.

    Parameters
    ----------
    settings
        Parameters of the estimator.

    Attributes
    ----------
    estimator
        With all that has been learned; it may be fitted, loaded or replaced.
    """

    estimator_type: ClassVar[type[AnyEstimator]]
    model = None  # where spaCy looks for a network that its optimizer would step

    def __init__(self, vocab: Vocab, name: str, settings: dict[str, Any]) -> None:
        self.vocab, self.name, self.settings = vocab, name, dict(settings)
        self._estimator = self.estimator_type(**self.settings)
        self._labels: tuple[str, ...] = ()
        self._online: Online | None = None
        self._was_given_data = False  # by `initialize` or a file; then there may be nothing to learn

    @property
    def estimator(self) -> Any:
        """The estimator; batches that were learned from are in its model."""
        if self._online is not None:
            self._online.publish()
        return self._estimator

    @estimator.setter
    def estimator(self, estimator: Any) -> None:
        if not isinstance(estimator, self.estimator_type):
            raise SettingError(f"{self.name}: this is no {self.estimator_type.__name__}; give one")
        self._estimator, self._online = estimator, None
        self._labels = tuple(estimator.labels_) if hasattr(estimator, "model_") else ()
        for label in self._written(self._labels):
            self.vocab.strings.add(label)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that can be predicted."""
        return self._labels

    @property
    def label_data(self) -> list[str]:
        """The labels, which `initialize` takes instead of looking through all examples."""
        return list(self._labels)

    @property
    def is_trainable(self) -> bool:
        """Return True: it learns in `update`."""
        return True

    # ------------------------------------------------------------------------------ what each says for itself

    def _pairs(self, example: Example) -> Iterator[Pair]:
        """Yield the sentences of an example that have their gold whole."""
        raise NotImplementedError

    def _seen(self, doc: Doc, start: int, end: int) -> Any:
        """Return a sentence of a document, as the estimator takes it."""
        raise NotImplementedError

    def _write(self, doc: Doc, found: Sequence[tuple[int, Any]]) -> None:
        """Set annotations: for every sentence where it begins and what was predicted."""
        raise NotImplementedError

    def _gold_labels(self, gold: Any) -> Iterable[str]:
        return list(gold)

    def _written(self, labels: Iterable[str]) -> Iterable[str]:
        """Return the strings that documents will hold."""
        return labels

    # -------------------------------------------------------------------------------------------- learning

    def initialize(
        self,
        get_examples: Examples,
        *,
        nlp: Language | None = None,
        labels: list[str] | None = None,
        model: str | None = None,
    ) -> None:
        """Forget what was learned and collect the labels, or begin with a model.

        Parameters
        ----------
        labels
            All labels; then the examples are not looked through.
        model
            A file that structron wrote.
        """
        validate_get_examples(get_examples, f"{type(self).__name__}.initialize")
        self._was_given_data = True
        if model is not None:
            self.estimator = self.estimator_type.load(model)
            return
        self.estimator = self.estimator_type(**self.settings)
        if labels is None:
            pairs = (pair for example in get_examples() for pair in self._pairs(example))
            labels = sorted({label for _, gold in pairs for label in self._gold_labels(gold)})
        self._labels = tuple(labels)
        for label in self._written(labels):
            self.vocab.strings.add(label)

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Any = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Make one pass over a batch, with an update for each wrong sentence; the loss is their number.

        `drop` and `sgd` are for networks. The model is made when it is first needed, not after each batch.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, f"{type(self).__name__}.update")
        pairs = [pair for example in examples for pair in self._pairs(example)]
        if not pairs:
            warn(f"{self.name}: no sentence of this batch has all of its gold; nothing was learned from it")
            return losses
        if not self._labels:
            self._labels = tuple(sorted({label for _, gold in pairs for label in self._gold_labels(gold)}))
        if self._online is None:
            self._online = self._estimator.online(self._labels)
        epoch = self._online.learn([x for x, _ in pairs], [y for _, y in pairs])
        losses[self.name] += float(epoch.errors)
        return losses

    # ------------------------------------------------------------------------------------------ predicting

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Predict all sentences of these documents in one call, and set the annotations."""
        if self._was_given_data and not hasattr(self.estimator, "model_"):
            warn(f"{self.name}: it has learned from no sentence and sets nothing; give gold, or leave it out")
            return
        places = [(doc, start, end) for doc in docs for start, end in sentences_of(doc)]
        found = self.estimator.predict([self._seen(*place) for place in places])
        by_doc: dict[int, list[tuple[int, Any]]] = {}
        for (doc, start, _), output in zip(places, found):
            by_doc.setdefault(id(doc), []).append((start, output))
        for doc in docs:
            self._write(doc, by_doc.get(id(doc), []))

    # ------------------------------------------------------------------------------------ files and bytes

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the labels and the bytes of the model's file."""
        parts = {"cfg": lambda: srsly.json_dumps({"labels": self.label_data})}
        if hasattr(self.estimator, "model_"):
            parts["model"] = self.estimator.to_bytes
        data: bytes = util.to_bytes(parts, exclude)
        return data

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> Component:
        """Read what `to_bytes` gave; nothing in it is executed."""
        read: dict[str, Any] = {}
        util.from_bytes(
            data, {"cfg": lambda b: read.update(cfg=b), "model": lambda b: read.update(model=b)}, exclude
        )
        return self._restored(srsly.json_loads(read.get("cfg", "{}")), read.get("model"))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write a folder with the labels and the model's file."""
        parts = {"cfg": lambda place: srsly.write_json(place, {"labels": self.label_data})}
        if hasattr(self.estimator, "model_"):
            parts["model"] = self.estimator.save
        util.to_disk(path, parts, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> Component:
        """Read what `to_disk` wrote; nothing in it is executed."""
        folder, skipped = Path(path), set(exclude)
        cfg = srsly.read_json(folder / "cfg") if "cfg" not in skipped else {}
        model = folder / "model"
        held = model.read_bytes() if "model" not in skipped and model.exists() else None
        return self._restored(cfg, held)

    def _restored(self, cfg: Any, model: bytes | None) -> Component:
        self._was_given_data = True
        if model is None:
            self.estimator = self.estimator_type(**self.settings)
        else:
            self.estimator = self.estimator_type.from_bytes(model, f"the model of {self.name}")
        labels = cfg.get("labels", []) if isinstance(cfg, dict) else []
        self._labels = self._labels or tuple(map(str, labels))
        return self


def sentences_of(doc: Doc) -> list[tuple[int, int]]:
    """Return where the sentences of a document begin and end; without any, all of it is one."""
    if doc.has_annotation("SENT_START"):
        return [(sent.start, sent.end) for sent in doc.sents]
    return [(0, len(doc))] if len(doc) else []


def gold_sentences(example: Example) -> list[tuple[int, int]]:
    """Return the sentences of an example: those that components have set, else those of gold."""
    doc = example.predicted
    if doc.has_annotation("SENT_START") or not example.reference.has_annotation("SENT_START"):
        return sentences_of(doc)
    starts = example.get_aligned_sent_starts()
    begins = [i for i, is_start in enumerate(starts) if i == 0 or is_start == 1]
    return list(zip(begins, [*begins[1:], len(doc)]))


def tree_scores(examples: Iterable[Example]) -> dict[str, Any]:
    """Return spaCy's figures for trees and sentences."""
    listed = list(examples)
    sents: dict[str, Any] = Scorer.score_spans(
        listed,
        "sents",
        getter=lambda doc, _: doc.sents,
        has_annotation=lambda doc: doc.has_annotation("SENT_START"),
    )
    sents.pop("sents_per_type", None)
    deps: dict[str, Any] = Scorer.score_deps(
        listed, "dep", getter=lambda token, _: token.dep_, ignore_labels=("p", "punct")
    )
    return sents | deps
