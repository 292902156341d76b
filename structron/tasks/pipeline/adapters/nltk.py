"""NLTK: a whole pipeline as tokenizer, tagger and parser in one object, as NLTK has CoreNLP's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from structron.adapters.nltk_graphs import graph_of_rows
from structron.errors import SettingError
from structron.tasks.pipeline.document import Document
from structron.tasks.pipeline.estimator import Pipeline

try:
    from nltk.parse.api import ParserI
    from nltk.parse.dependencygraph import DependencyGraph
    from nltk.tag.api import TaggerI
    from nltk.tokenize.api import TokenizerI
except ImportError as error:
    raise ImportError("structron.adapters.nltk needs NLTK; pip install 'structron[nltk]'") from error

if TYPE_CHECKING:
    from structron.tasks.pipeline.results.tokens import Word

TAGSETS = ("xpos", "universal")
Tagged = list[tuple[str, str]]


class StructronPipeline(ParserI, TokenizerI, TaggerI):  # type: ignore[misc]
    """A pipeline with NLTK's methods: ``tokenize``, ``tag``, ``parse`` and what NLTK makes of them.

    Parameters
    ----------
    pipeline
        A `Pipeline`, a model's file, or the name of a model that comes with structron.
    tagset
        ``xpos``, the tags of the treebank, which for English are the Penn Treebank's as in `nltk.pos_tag`; or
        ``universal``.

    Examples
    --------
    >>> nlp = StructronPipeline("en")
    >>> nlp.sent_tokenize("I saw her duck. It flew.")
    ['I saw her duck.', 'It flew.']
    >>> nlp.tag(nlp.tokenize("It flew."))
    [('It', 'PRP'), ('flew', 'VBD'), ('.', '.')]
    """

    def __init__(self, pipeline: Pipeline | str | Path = "en", tagset: str = "xpos") -> None:
        if tagset not in TAGSETS:
            raise SettingError(f"tagset {tagset!r} is not possible; use one of {', '.join(TAGSETS)}")
        self.pipeline = pipeline if isinstance(pipeline, Pipeline) else Pipeline.load(pipeline)
        self.tagset = tagset

    # ---------------------------------------------------------------------------------------- from raw text

    def sent_tokenize(self, text: str) -> list[str]:
        """Return the sentences as they stand in the text."""
        return [text[start:end] for start, end in self.sent_span_tokenize(text)]

    def sent_span_tokenize(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where sentences begin and end."""
        for sentence in self._cut(text):
            assert sentence.start is not None and sentence.end is not None
            yield sentence.start, sentence.end

    def tokenize(self, s: str) -> list[str]:
        """Return the words of a text; ``don't`` is two."""
        return [word.form for sentence in self._cut(s) for word in sentence.words]

    word_tokenize = tokenize

    def span_tokenize(self, s: str) -> Iterator[tuple[int, int]]:
        """Yield where words begin and end; words that are not spelled there have their token's place."""
        for sentence in self._cut(s):
            words = sentence.words
            for token in sentence.tokens:
                assert token.start is not None and token.end is not None
                own = [word.form for word in words[token.first - 1 : token.beyond - 1]]
                begin = token.start
                for form in own:
                    is_spelled = "".join(own) == s[token.start : token.end]
                    yield (begin, begin + len(form)) if is_spelled else (token.start, token.end)
                    begin += len(form)

    def raw_tag_sents(self, texts: Iterable[str]) -> Iterator[list[Tagged]]:
        """Yield for each text its sentences of (word, tag)."""
        for document in self.pipeline.pipe(texts):
            yield [self._tagged(sentence.words) for sentence in document]

    def raw_parse(self, text: str) -> Iterator[DependencyGraph]:
        """Yield the graph of each sentence of a text."""
        return map(_graph, (sentence.words for sentence in self.pipeline(text)))

    def raw_parse_sents(self, texts: Iterable[str]) -> Iterator[Iterator[DependencyGraph]]:
        """Yield for each text the graphs of its sentences."""
        for document in self.pipeline.pipe(texts):
            yield map(_graph, [sentence.words for sentence in document])

    # ------------------------------------------------------------------------------------------- from words

    def tag(self, tokens: Sequence[str]) -> Tagged:
        """Return the words of a sentence with their tags."""
        return self.tag_sents([tokens])[0]

    pos_tag = tag

    def tag_sents(self, sentences: Iterable[Sequence[str]]) -> list[list[tuple[str, str]]]:
        """Tag many sentences, which is quicker than one by one."""
        return [self._tagged(words) for words in self._analysed(sentences)]

    def parse(self, sent: Sequence[str]) -> Iterator[DependencyGraph]:
        """Yield the graph of a sentence of words."""
        return next(self.parse_sents([sent]))

    def parse_sents(self, sents: Iterable[Sequence[str]]) -> Iterator[Iterator[DependencyGraph]]:
        """Parse many sentences, which is quicker than one by one."""
        return iter([iter([_graph(words)] if words else []) for words in self._analysed(sents)])

    def _cut(self, text: str) -> Document:
        return Document.of_rows(self.pipeline.segment([text])[0], text)

    def _analysed(self, sentences: Iterable[Sequence[str]]) -> list[list[Word]]:
        """Return the words of sentences with all columns; a sentence without words stays one."""
        listed = [list(words) for words in sentences]
        found = self.pipeline.pipe([words for words in listed if words])
        return [next(found).words if words else [] for words in listed]

    def _tagged(self, words: Sequence[Word]) -> Tagged:
        if self.tagset == "universal":
            return [(word.form, word.upos) for word in words]
        return [(word.form, word.xpos) for word in words]


def _graph(words: Sequence[Word]) -> DependencyGraph:
    """Return the tree of a sentence as NLTK has it."""
    return graph_of_rows(
        (word.id, word.form, word.lemma, word.upos, word.xpos, word.feats, word.head, word.deprel)
        for word in words
    )
