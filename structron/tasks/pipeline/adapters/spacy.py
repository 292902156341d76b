"""spaCy: a whole pipeline as one component, `structron`, which fills a `Doc`.

``nlp.add_pipe("structron", config={"model": "en"})`` also replaces the tokenizer, so that tokens and
sentences are those that the model has learned; with ``tokens="spacy"`` the tokenizer stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from structron.adapters.spacy_component import Annotator, sentences_of, tree_scores
from structron.errors import ModelError, SettingError
from structron.model import Model
from structron.tasks.pipeline.document import Document
from structron.tasks.pipeline.estimator import Pipeline
from structron.tasks.pipeline.results.tokens import Word

try:
    from spacy import util
    from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, TAG
    from spacy.language import Language
    from spacy.scorer import Scorer, get_ner_prf
    from spacy.tokens import Doc, Span, Token
    from spacy.training import Example
    from spacy.vocab import Vocab
except ImportError as error:
    raise ImportError("structron.adapters.spacy needs spaCy; pip install 'structron[spacy]'") from error

if TYPE_CHECKING:
    from structron.tasks.pipeline.document import AnalysedSentence

OURS, THEIRS = "structron", "spacy"
SEVERAL = "structron_words"  # in user_data: the words of tokens that are not spelled like them
SPACE_TAG, ROOT = "_SP", "ROOT"
ATTRIBUTES = {"xpos": TAG, "upos": POS, "lemma": LEMMA, "feats": MORPH}  # by stage
NAME_OF = {TAG: "tag", POS: "pos", LEMMA: "lemma", MORPH: "morph"}


class PipelineComponent(Annotator):
    """Sets what the stages of a pipeline predict: tags, lemmas, morphology, trees and names.

    Parameters
    ----------
    model
        A file, or the name of a model that comes with structron; it is read when it is first needed.
    tokens
        ``structron``: tokens and sentences are the model's; ``spacy``: tokens are those of the tokenizer, and
        sentences those of components before, or the model's.
    threads
        How many threads predict.
    """

    def __init__(self, vocab: Vocab, name: str, model: str, tokens: str = OURS, threads: int = 1) -> None:
        if tokens not in (OURS, THEIRS):
            raise SettingError(f"{name}: tokens {tokens!r} is not possible; use {OURS} or {THEIRS}")
        self.vocab, self.name, self.place, self.threads = vocab, name, model, threads
        self._pipeline: Pipeline | None = None

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline; it may be replaced by another one."""
        if self._pipeline is None:
            self.pipeline = Pipeline.load(self.place)
        assert self._pipeline is not None
        return self._pipeline

    @pipeline.setter
    def pipeline(self, pipeline: Pipeline) -> None:
        if not isinstance(pipeline, Pipeline):
            raise SettingError(f"{self.name}: this is no Pipeline; give one")
        pipeline.threads = self.threads
        self._pipeline = pipeline

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Let the stages run over the sentences of these documents in one call, and set what they find."""
        cut = [_Tokens.of(doc, self.pipeline) for doc in docs]
        found = self.pipeline.pipe([words for tokens in cut for words in tokens.words])
        for doc, tokens in zip(docs, cut):
            # A sentence of white space has no words, and was not asked for.
            analysed = [next(found).sentences[0] for _ in tokens.words]
            _fill(doc, tokens, analysed, self.pipeline.stages_)
            if "names" in self.pipeline.stages_:
                _set_names(doc, tokens, analysed)

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's figures for what the stages predict."""
        listed, stages = list(examples), set(self.pipeline.stages_)
        scores: dict[str, Any] = {}
        for stage, attribute in ATTRIBUTES.items():
            if stage in stages:
                scores |= Scorer.score_token_attr(listed, NAME_OF[attribute], getter=_number)
        if "parser" in stages:
            scores |= tree_scores(listed)
        if "names" in stages:
            scores |= get_ner_prf(listed)
        return scores

    # ------------------------------------------------------------------------------------ files and bytes

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the bytes of the model's file."""
        data: bytes = util.to_bytes({"model": self.pipeline.model_.to_bytes}, exclude)
        return data

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> PipelineComponent:
        """Read what `to_bytes` gave; nothing in it is executed."""
        util.from_bytes(data, {"model": self._restore}, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write a folder with the model's file."""
        util.to_disk(path, {"model": self.pipeline.save}, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> PipelineComponent:
        """Read what `to_disk` wrote; nothing in it is executed."""
        util.from_disk(path, {"model": lambda place: self._restore(place.read_bytes())}, exclude)
        return self

    def _restore(self, data: bytes) -> None:
        where = f"the model of {self.name}"
        model = Model.from_bytes(data, where)
        if model.task.kind != Pipeline.kind:
            raise ModelError(f"{where}: a model for {model.task.kind}, not a pipeline; save it again")
        self.pipeline = Pipeline.of_model(model, where)


class PipelineTokenizer:
    """Cuts text into the tokens and sentences of a component's model; the component saves the model."""

    def __init__(self, component: PipelineComponent) -> None:
        self.component = component

    def __call__(self, text: str) -> Doc:
        """Cut one text; a token of several words is as many tokens if they are its characters."""
        pipeline, draft, end = self.component.pipeline, _Draft(), 0
        for sentence in Document.of_rows(pipeline.segment([text])[0], text):
            words = [word.form for word in sentence.words]
            first = True
            for token in sentence.tokens:
                assert token.start is not None and token.end is not None
                draft.space(text[end : token.start])
                end, form = token.end, text[token.start : token.end]
                own = words[token.first - 1 : token.beyond - 1]
                if len(own) > 1 and "".join(own) != form:
                    draft.several[len(draft.words)] = own
                for word in own if len(own) > 1 and "".join(own) == form else [form]:
                    draft.put(word, first)
                    first = False
        draft.space(text[end:])
        return draft.doc(self.component.vocab)

    def to_bytes(self, **_: Any) -> bytes:
        """Return nothing: the model is the component's."""
        return b""

    def from_bytes(self, data: bytes, **_: Any) -> PipelineTokenizer:
        """Read nothing."""
        return self

    def to_disk(self, path: str | Path, **_: Any) -> None:
        """Write nothing."""

    def from_disk(self, path: str | Path, **_: Any) -> PipelineTokenizer:
        """Read nothing."""
        return self


class _Draft:
    """The tokens of a document in the making, which together are its text."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.spaces: list[bool] = []
        self.starts: list[bool] = []
        self.several: dict[int, list[str]] = {}

    def put(self, word: str, starts: bool) -> None:
        """Add a token."""
        self.words.append(word)
        self.spaces.append(False)
        self.starts.append(starts)

    def space(self, space: str) -> None:
        """Add white space: a blank belongs to the token before, all else is a token, as in spaCy."""
        if self.words and space.startswith(" "):
            self.spaces[-1], space = True, space[1:]
        if space:
            self.put(space, not self.words)

    def doc(self, vocab: Vocab) -> Doc:
        """Return the document."""
        if len(self.starts) > 1 and self.words[0].isspace():
            self.starts[1] = False  # what it begins with belongs to the first sentence
        starts: Any = self.starts or None
        doc = Doc(vocab, words=self.words, spaces=self.spaces, sent_starts=starts)
        if self.several:
            doc.user_data[SEVERAL] = self.several
        return doc


@dataclass(frozen=True)
class _Tokens:
    """The sentences of a document that have words, and the tokens that the words are of.

    Attributes
    ----------
    words, owners
        Of each sentence: its words, and the token that each belongs to.
    spans
        Where its tokens begin and end.
    """

    words: list[list[str]]
    owners: list[list[int]]
    spans: list[tuple[int, int]]

    @classmethod
    def of(cls, doc: Doc, pipeline: Pipeline) -> _Tokens:
        """Return the words of a document, which gets sentences if it has none."""
        if len(doc) and not doc.has_annotation("SENT_START"):
            _set_sentences(doc, pipeline)
        several = doc.user_data.pop(SEVERAL, {})
        found = cls([], [], [])
        for start, end in sentences_of(doc):
            tokens = [token for token in doc[start:end] if not token.is_space]
            own = [(several.get(token.i) or [" ".join(token.text.split())], token.i) for token in tokens]
            if own:
                found.words.append([word for words, _ in own for word in words])
                found.owners.append([i for words, i in own for _ in words])
                found.spans.append((start, end))
        return found


def _set_sentences(doc: Doc, pipeline: Pipeline) -> None:
    """Let sentences begin where the model begins them; without a segmenter there is one."""
    begins = [0]
    if "segmenter" in pipeline.model_.parts:
        cut = Document.of_rows(pipeline.segment([doc.text])[0], doc.text)
        begins += [sentence.start for sentence in list(cut)[1:] if sentence.start is not None]
    ends = np.array([token.idx + len(token) for token in doc])
    first = set(np.searchsorted(ends, begins, side="right").tolist())
    for i, token in enumerate(doc):
        token.is_sent_start = i == 0 or i in first


def _fill(doc: Doc, tokens: _Tokens, found: Sequence[AnalysedSentence], stages: Collection[str]) -> None:
    """Set the columns that stages fill; of a token of several words those of the word that governs it."""
    add = doc.vocab.strings.add
    filled = {stage: attribute for stage, attribute in ATTRIBUTES.items() if stage in stages}
    has_tree = "parser" in stages
    # White space is what it is in spaCy's own pipelines.
    white = Word(1, "", "", "SPACE", SPACE_TAG, "_", 0, ROOT)
    words, heads = [white] * len(doc), list(range(len(doc)))
    for sentence, owners, (start, end) in zip(found, tokens.owners, tokens.spans):
        for word, owner in zip(sentence.words, owners):
            if words[owner] is not white:
                continue
            head = owners[word.head - 1] if word.head else owner
            if head != owner or not word.head:
                words[owner], heads[owner] = word, head
        for i in set(range(start, end)).difference(owners):
            words[i], heads[i] = replace(white, deprel="dep"), i - 1 if i > start else owners[0]
    columns = [
        np.array([add(_value(word, stage, token)) for word, token in zip(words, doc)], np.uint64)
        for stage in filled
    ]
    attributes = list(filled.values())
    if has_tree:
        offsets = np.array(heads, np.int64) - np.arange(len(doc))
        labels = [add(ROOT if word.deprel == "root" else word.deprel) for word in words]
        columns += [offsets.astype(np.uint64), np.array(labels, np.uint64)]
        attributes += [HEAD, DEP]
    if len(doc) and attributes:
        doc.from_array(attributes, np.stack(columns, axis=1))


def _set_names(doc: Doc, tokens: _Tokens, found: Sequence[AnalysedSentence]) -> None:
    """Set the names; of several in one token the longest stays."""
    spans = [
        Span(doc, owners[entity.first - 1], owners[entity.beyond - 2] + 1, label=entity.label)
        for sentence, owners in zip(found, tokens.owners)
        for entity in sentence.entities
    ]
    doc.set_ents(util.filter_spans(spans), default="outside")


def _value(word: Word, stage: str, token: Token) -> str:
    value: str = getattr(word, stage)
    if stage == "lemma":
        return value or str(token.text)
    return "" if value == "_" else value


def _number(token: Token, name: str) -> int:
    """Return the number that spaCy has for a value, as its scorer asks."""
    number: int = token.morph.key if name == "morph" else getattr(token, name)
    return number


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
