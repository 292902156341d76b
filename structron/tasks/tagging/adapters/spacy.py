"""spaCy: components that tag words or find names by a `Tagger`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from structron.adapters.spacy_component import ATTRIBUTES, Component, Pair, gold_sentences
from structron.errors import SettingError
from structron.metrics.spans import spans as spans_of
from structron.tasks.tagging.estimator import Tagger

try:
    from spacy.language import Language
    from spacy.scorer import Scorer, get_ner_prf
    from spacy.tokens import Doc, Span
    from spacy.training import Example, biluo_to_iob
    from spacy.vocab import Vocab
except ImportError as error:
    raise ImportError("structron.adapters.spacy needs spaCy; pip install 'structron[spacy]'") from error


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
    "structron_ner",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config={"settings": {}},
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
)
def make_ner(nlp: Language, name: str, settings: dict[str, Any]) -> NerComponent:
    """Make a component for names; settings are the parameters of `structron.Tagger`."""
    return NerComponent(nlp.vocab, name, settings)
