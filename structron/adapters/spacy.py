"""spaCy: `structron`, `structron_tagger`, `structron_parser` and `structron_ner`, components of a pipeline.

spaCy finds them by their names once structron is installed (entry points), so that
``nlp.add_pipe("structron_ner")`` needs no import. They learn in `nlp.update`, batch by batch, predict in
batches without Python's lock, and go into `nlp.to_disk` and `nlp.to_bytes` as the file that `save` makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from structron.adapters.spacy_component import Component, Pair, gold_sentences, tree_scores
from structron.adapters.spacy_pipeline import OURS, PipelineComponent, PipelineTokenizer
from structron.errors import SettingError
from structron.io.values.trees import Tree, find_fault
from structron.metrics.spans import spans as spans_of
from structron.tasks.parsing import Parser
from structron.tasks.tagging import Tagger

try:
    from spacy.attrs import DEP, HEAD, POS, TAG
    from spacy.language import Language
    from spacy.scorer import Scorer, get_ner_prf
    from spacy.tokens import Doc, Span
    from spacy.training import Example, biluo_to_iob
    from spacy.vocab import Vocab
except ImportError as error:
    raise ImportError("structron.adapters.spacy needs spaCy; pip install 'structron[spacy]'") from error

__all__ = [
    "NerComponent",
    "ParserComponent",
    "PipelineComponent",
    "TaggerComponent",
    "make_ner",
    "make_parser",
    "make_pipeline",
    "make_tagger",
]

ATTRIBUTES = {"tag": TAG, "pos": POS}


class TaggerComponent(Component):
    """Sets `token.tag_`, or `token.pos_`.

    Parameters
    ----------
    attribute
        ``tag`` or ``pos``: what is learned and set.
    """

    estimator_type = Tagger

    def __init__(self, vocab: Vocab, name: str, settings: dict[str, Any], attribute: str) -> None:
        super().__init__(vocab, name, {"constraints": None} | settings)
        if attribute not in ATTRIBUTES:
            raise SettingError(f"{name}: attribute {attribute!r} is not possible; use tag or pos")
        self.attribute = attribute

    def _seen(self, doc: Doc, start: int, end: int) -> list[str]:
        return [token.text for token in doc[start:end]]

    def _pairs(self, example: Example) -> Iterator[Pair]:
        tags = example.get_aligned(self.attribute.upper(), as_string=True)
        for start, end in gold_sentences(example):
            if all(tags[start:end]):
                yield self._seen(example.predicted, start, end), tags[start:end]

    def _write(self, doc: Doc, found: Sequence[tuple[int, list[str]]]) -> None:
        add = self.vocab.strings.add
        tags = [add(tag) for _, own in found for tag in own]
        if tags:
            doc.from_array([ATTRIBUTES[self.attribute]], np.array(tags, np.uint64))

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's `tag_acc` or `pos_acc`."""
        scores: dict[str, Any] = Scorer.score_token_attr(examples, self.attribute)
        return scores


class ParserComponent(Component):
    """Sets `token.head` and `token.dep_`, and with them sentences.

    Parameters
    ----------
    tags
        ``tag`` or ``pos``: what it reads besides words, from components before it, or while it learns from
        gold where a document has none; ``none`` for words alone.
    """

    estimator_type = Parser

    def __init__(self, vocab: Vocab, name: str, settings: dict[str, Any], tags: str) -> None:
        super().__init__(vocab, name, settings)
        if tags not in (*ATTRIBUTES, "none"):
            raise SettingError(f"{name}: tags {tags!r} is not possible; use tag, pos or none")
        self.tags = tags

    def _seen(self, doc: Doc, start: int, end: int) -> list[Any]:
        span = doc[start:end]
        if self.tags == "none":
            return [(token.text,) for token in span]
        if self.tags == "tag":
            return [(token.text, token.tag_) for token in span]
        return [(token.text, token.pos_) for token in span]

    def _pairs(self, example: Example) -> Iterator[Pair]:
        doc = example.predicted
        heads, relations = example.get_aligned_parse(projectivize=False)
        gold_tags = None
        if self.tags != "none" and not doc.has_annotation(self.tags.upper()):
            gold_tags = example.get_aligned(self.tags.upper(), as_string=True)
        for start, end in gold_sentences(example):
            own = heads[start:end]
            if None in own or not all(relations[start:end]):
                continue
            tree = [0 if head == at else head - start + 1 for at, head in enumerate(own, start)]
            if find_fault(tree) is not None:
                continue
            tokens = self._seen(doc, start, end)
            if gold_tags is not None:
                tokens = [(token[0], tag or "") for token, tag in zip(tokens, gold_tags[start:end])]
            yield tokens, Tree(tree, relations[start:end])

    def _gold_labels(self, gold: Tree) -> Iterable[str]:
        return gold.labels

    def _write(self, doc: Doc, found: Sequence[tuple[int, Tree]]) -> None:
        add = self.vocab.strings.add
        rows = [
            (head - word if head else 0, add(label))
            for _, tree in found
            for word, (head, label) in enumerate(zip(tree.heads, tree.labels), 1)
        ]
        if rows:
            heads, labels = zip(*rows)
            columns = [np.array(heads, np.int64).astype(np.uint64), np.array(labels, np.uint64)]
            doc.from_array([HEAD, DEP], np.stack(columns, axis=1))

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's `dep_uas` and `dep_las`, and `sents_f`."""
        return tree_scores(examples)


class NerComponent(Component):
    """Sets `doc.ents`."""

    estimator_type = Tagger

    def __init__(self, vocab: Vocab, name: str, settings: dict[str, Any]) -> None:
        super().__init__(vocab, name, {"constraints": "bio", "templates": "ner"} | settings)

    def _seen(self, doc: Doc, start: int, end: int) -> list[str]:
        return [token.text for token in doc[start:end]]

    def _pairs(self, example: Example) -> Iterator[Pair]:
        aligned = example.get_aligned_ner()
        for start, end in gold_sentences(example):
            tags = aligned[start:end]
            if all(tag is not None and tag != "-" for tag in tags):
                yield self._seen(example.predicted, start, end), biluo_to_iob(tags)

    def _gold_labels(self, gold: Sequence[str]) -> Iterable[str]:
        kinds = {tag[2:] for tag in gold if tag != "O"}
        return ["O", *(f"{mark}-{kind}" for kind in kinds for mark in "BI")]

    def _written(self, labels: Iterable[str]) -> Iterable[str]:
        return {label[2:] for label in labels if label != "O"}

    def _write(self, doc: Doc, found: Sequence[tuple[int, list[str]]]) -> None:
        spans = [
            Span(doc, start + span.start, start + span.end, label=span.kind)
            for start, tags in found
            for span in spans_of(tags)
        ]
        doc.set_ents(spans, default="outside")

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's `ents_p`, `ents_r` and `ents_f`, and by type."""
        scores: dict[str, Any] = get_ner_prf(examples)
        return scores


@Language.factory(  # type: ignore[untyped-decorator]
    "structron_tagger",
    assigns=["token.tag"],
    default_config={"settings": {}, "attribute": "tag"},
    default_score_weights={"tag_acc": 1.0, "pos_acc": 0.0},
)
def make_tagger(nlp: Language, name: str, settings: dict[str, Any], attribute: str) -> TaggerComponent:
    """Make a tagger; settings are the parameters of `structron.Tagger`."""
    return TaggerComponent(nlp.vocab, name, settings, attribute)


@Language.factory(  # type: ignore[untyped-decorator]
    "structron_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={"settings": {}, "tags": "tag"},
    default_score_weights={"dep_uas": 0.5, "dep_las": 0.5, "sents_f": 0.0},
)
def make_parser(nlp: Language, name: str, settings: dict[str, Any], tags: str) -> ParserComponent:
    """Make a parser; settings are the parameters of `structron.Parser`."""
    return ParserComponent(nlp.vocab, name, settings, tags)


@Language.factory(  # type: ignore[untyped-decorator]
    "structron_ner",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config={"settings": {}},
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
)
def make_ner(nlp: Language, name: str, settings: dict[str, Any]) -> NerComponent:
    """Make a component for names; settings are the parameters of `structron.Tagger`."""
    return NerComponent(nlp.vocab, name, settings)


@Language.factory(  # type: ignore[untyped-decorator]
    "structron",
    assigns=[
        "token.tag",
        "token.pos",
        "token.lemma",
        "token.morph",
        "token.dep",
        "token.head",
        "doc.sents",
        "doc.ents",
    ],
    default_config={"model": "en", "tokens": "structron", "threads": 1},
    default_score_weights={"tag_acc": 0.5, "pos_acc": 0.0, "lemma_acc": 0.0, "dep_uas": 0.0, "dep_las": 0.5},
)
def make_pipeline(nlp: Language, name: str, model: str, tokens: str, threads: int) -> PipelineComponent:
    """Make a whole pipeline; unless tokens are spaCy's, it becomes the tokenizer as well."""
    component = PipelineComponent(nlp.vocab, name, model, tokens, threads)
    if tokens == OURS:
        nlp.tokenizer = PipelineTokenizer(component)
    return component
