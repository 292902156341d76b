"""spaCy: a component that parses by a `Parser`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from structron.adapters.spacy_component import ATTRIBUTES, Component, Pair, gold_sentences, tree_scores
from structron.errors import SettingError
from structron.io.values.trees import Tree, find_fault
from structron.tasks.parsing.estimator import Parser

try:
    from spacy.attrs import DEP, HEAD
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.vocab import Vocab
except ImportError as error:
    raise ImportError("structron.adapters.spacy needs spaCy; pip install 'structron[spacy]'") from error


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


@Language.factory(  # type: ignore[untyped-decorator]
    "structron_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={"settings": {}, "tags": "tag"},
    default_score_weights={"dep_uas": 0.5, "dep_las": 0.5, "sents_f": 0.0},
)
def make_parser(nlp: Language, name: str, settings: dict[str, Any], tags: str) -> ParserComponent:
    """Make a parser; settings are the parameters of `structron.Parser`."""
    return ParserComponent(nlp.vocab, name, settings, tags)
