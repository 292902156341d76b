"""Analyses in tables: the words of a row, and the names in it, as lists of records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any

from structron.fit.data.columns import NUMBER, TEXT, Lists, Many, Shape, Values
from structron.io.values.labels import spans
from structron.tasks.pipeline.analysis import Analysis
from structron.tasks.pipeline.columns import of_words
from structron.tasks.pipeline.document import AnalysedSentence
from structron.tasks.pipeline.stages import Stages, garbage_collection_paused

COLUMNS_OF_STAGES = ("lemma", "upos", "xpos", "feats")  # as a word has them


class Words:
    """The columns of a document: ``words`` with their tags and heads, and ``names``.

    A word has the fields of `Word`, those of stages that there are, and the number of its sentence, from 1.
    A name has those of `Entity`. Rows of words have no places in a text.
    """

    def shape(self, estimator: Any, raw: bool) -> Shape:
        """Return the fields that the stages of a pipeline fill."""
        stages = estimator.stages_
        word: dict[str, Shape] = {"sentence": NUMBER, "id": NUMBER, "form": TEXT}
        word |= {name: TEXT for name in COLUMNS_OF_STAGES if name in stages}
        if "parser" in stages:
            word |= {"head": NUMBER, "deprel": TEXT}
        place: dict[str, Shape] = {"start": NUMBER, "end": NUMBER} if raw else {}
        found: dict[str, Shape] = {"words": Many(word | place)}
        if "names" in stages:
            name = {
                "label": TEXT,
                "text": TEXT,
                **place,
                "sentence": NUMBER,
                "first": NUMBER,
                "beyond": NUMBER,
            }
            found["names"] = Many(name)
        return found

    def values(self, estimator: Any, rows: Sequence[Any]) -> Values:
        """Return the words and names of texts, or of sentences of words."""
        stages = estimator._learned()
        raw = not rows or isinstance(rows[0], str)
        with garbage_collection_paused():
            found = _cut(stages, rows, estimator.threads) if raw else _given(stages, rows, estimator.threads)
            made: dict[str, Values] = {"words": found.words()}
            if found.names is not None:
                made["names"] = found.named()
        return made


@dataclass(frozen=True)
class _Found:
    """The sentences of rows, with what stages have filled.

    Attributes
    ----------
    sentences
        How many each row has.
    forms
        The words of each sentence.
    columns
        The fields that stages fill, a list for each sentence.
    analysis
        What was found in texts; None for words.
    """

    sentences: Sequence[int]
    forms: Sequence[Sequence[str]]
    columns: dict[str, Any]
    names: Sequence[Sequence[str]] | None
    analysis: Analysis | None

    def words(self) -> Lists:
        """Return the words of all rows."""
        lengths = [*map(len, self.forms)]
        numbers = chain.from_iterable(range(1, count + 1) for count in self.sentences)
        fields: dict[str, Values] = {
            "sentence": [*chain.from_iterable([number] * n for number, n in zip(numbers, lengths))],
            "id": [*chain.from_iterable(range(1, n + 1) for n in lengths)],
            "form": [*chain.from_iterable(self.forms)],
        }
        fields |= {name: [*chain.from_iterable(values)] for name, values in self.columns.items()}
        if self.analysis is not None:
            places = [segment.word_places for segment in self.analysis.segments]
            fields["start"] = [*chain.from_iterable(begins for begins, _ in places)]
            fields["end"] = [*chain.from_iterable(ends for _, ends in places)]
        return Lists([sum(lengths[a:b]) for a, b in self._bounds()], fields)

    def named(self) -> Lists:
        """Return the names of all rows."""
        counts, fields = [], dict[str, list[Any]]()
        keys = ["label", "text", "start", "end", "sentence", "first", "beyond"]
        keys = [key for key in keys if self.analysis is not None or key not in ("start", "end")]
        fields = {key: [] for key in keys}
        for begin, end in self._bounds():
            before = len(fields["label"])
            for i in range(begin, end):
                for record in self._names_of(i):
                    for key in keys:
                        fields[key].append(i - begin + 1 if key == "sentence" else record[key])
            counts.append(len(fields["label"]) - before)
        return Lists(counts, {**fields})

    def _names_of(self, i: int) -> Iterator[dict[str, Any]]:
        """Yield the names of one sentence."""
        assert self.names is not None
        labels = self.names[i]
        if labels.count("O") == len(labels):
            return
        segment = None if self.analysis is None else self.analysis.segments[i]
        if segment is not None and segment.has_multiword:  # its words have places of their own
            for name in AnalysedSentence(None, self.analysis, i).entities:
                yield {key: getattr(name, key) for key in name.__slots__}
            return
        for span in spans(labels):
            found = {"label": span.kind, "first": span.start + 1, "beyond": span.end + 1}
            if segment is None:
                yield found | {"text": " ".join(self.forms[i][span.start : span.end])}
                continue
            begins, ends = segment.word_places
            start, end = begins[span.start], ends[span.end - 1]
            text = segment.text[start - segment.start : end - segment.start]
            yield found | {"text": text, "start": start, "end": end}

    def _bounds(self) -> Iterator[tuple[int, int]]:
        """Yield the first sentence of each row and the first of the next one."""
        return pairwise([0, *accumulate(self.sentences)])


def _cut(stages: Stages, texts: Sequence[str], threads: int) -> _Found:
    """Analyse texts."""
    cut = stages.analysed(texts, threads)
    found = cut[0][0]
    lemma, upos, xpos, feats, heads, labels = found.columns
    filled = {
        "lemma": lemma, "upos": upos, "xpos": xpos, "feats": feats, "head": heads, "deprel": labels,
    }  # fmt: skip
    columns = {name: values for name, values in filled.items() if values is not None}
    return _Found(
        [len(own) for _, own in cut],
        [segment.words for segment in found.segments],
        columns,
        found.names,
        found,
    )


def _given(stages: Stages, rows: Sequence[Sequence[str]], threads: int) -> _Found:
    """Analyse sentences of words."""
    forms = [of_words(words).words() for words in rows]
    filled, trees = stages.annotated_words(forms, threads)
    columns: dict[str, Any] = {name: filled[name] for name in COLUMNS_OF_STAGES if name in filled}
    if trees is not None:
        columns |= {"head": [tree[0] for tree in trees], "deprel": [tree[1] for tree in trees]}
    return _Found([1] * len(forms), forms, columns, filled.get("names"), None)


COLUMNS = Words()
