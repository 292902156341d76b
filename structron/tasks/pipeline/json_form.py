"""Pipelines on the server: their JSON form, and films of their parser on what comes before it."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from structron.io import read
from structron.registry import estimator_of
from structron.search import Search
from structron.serve.json_forms import Json, Text, text, texts, within
from structron.serve.limits import Limits
from structron.serve.play.task_play import Correcting, Play, play_of, with_search
from structron.serve.refusals import UNFIT, Refused
from structron.serve.registry import Loaded
from structron.tasks.pipeline.stages import Stages

PARSER = "parser"


class Pipeline(Text):
    """Raw text, or words, to everything."""

    takes = "a text, or one sentence as a list of words"
    gives = (
        '{"text", "sentences": [{"text", "start", "end", "tokens": [...], "words": [...], '
        '"entities": [...]}, ...]}'
    )
    has_kbest = False

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return a text or words."""
        if isinstance(value, list):
            return texts(value, where, self.takes)
        if "segmenter" not in estimator.stages_:
            raise Refused(
                UNFIT, f"{where}: the pipeline does not cut text; give one sentence as a list of words"
            )
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a text or a sentence that is too long."""
        if isinstance(x, str):
            return super().check(x, where, limits)
        return within(len(x), limits.longest, where, "words")

    def answers(self, estimator: Any, xs: Sequence[Any], limits: Limits) -> list[Json]:
        """Return documents as plain data; sentences that are found may be too long for the parser."""
        raw = [x for x in xs if isinstance(x, str)]
        for sentences in estimator.segment(raw) if raw else ():
            for one in sentences:
                within(len(one), limits.longest, "a sentence of the text", "words")
        return [document.to_dict() for document in estimator.pipe(xs)]


FORM = Pipeline()


class Analysis(Play):
    """The tree of one sentence of a text."""

    editor = "tree"

    def __init__(self) -> None:
        self._parsers: WeakKeyDictionary[Any, Loaded] = WeakKeyDictionary()

    def has_films(self, estimator: Any) -> bool:
        """Return True if there is one parser, whose search leaves a trace."""
        part = estimator.model_.parts.get(PARSER)
        return part is not None and not part.task.experts

    def one_of(self, model: Loaded, x: Any, which: Json) -> tuple[Any, Json]:
        """Return one sentence as the parser sees it, and all sentences as words."""
        stages = Stages(model.estimator.model_, model.name)
        (stage,) = (each for each in stages.model.task.stages if each.name == PARSER)
        sentences = stages.seen(x).zipped(stage.sees) if x else []
        which = 0 if which is None else which
        if type(which) is not int or not 0 <= which < max(1, len(sentences)):
            raise Refused(UNFIT, f"sentence: give a whole number from 0 to {max(1, len(sentences)) - 1}")
        said = [[token[0] for token in sentence] for sentence in sentences]
        return sentences[which] if sentences else [], {"sentences": said, "sentence": which}

    def words(self, model: Loaded, x: Any) -> list[str]:
        """Return the words."""
        return [token[0] for token in x]

    def teaches(self, estimator: Any) -> bool:
        """Return True if there is a parser to correct."""
        return self.has_films(estimator)

    def checked(self, model: Loaded, x: Any, given: Json) -> Any:
        """Return the tree, as the parser takes it."""
        parser = self._parser(model)
        return play_of(parser.kind).checked(parser, x, given)

    def lesson(self, model: Loaded, x: Any, gold: Any, others: list[str]) -> Correcting:
        """Return the sentence with its tree, and sentences of other texts with those that they have now."""
        kept = [one for document in model.estimator.pipe(others) for one in document.sentences]
        trees = [([word.head for word in one.words], [word.deprel for word in one.words]) for one in kept]
        words = [[word.form for word in one.words] for one in kept]
        keep = [_sentence(*each) for each in zip(words, trees)] or None
        return Correcting([_sentence(self.words(model, x), gold)], None, keep, words)

    def searching(self, model: Loaded, search: Search) -> Loaded:
        """Return the pipeline whose parser has another search."""
        own = model.estimator.model_
        made = with_search(own, own.search)
        made.parts = own.parts | {PARSER: with_search(own.parts[PARSER], search)}
        estimator = type(model.estimator).of_model(made, model.name)
        estimator.threads = 1
        return dataclasses.replace(model, estimator=estimator)

    def film(self, model: Loaded, x: Any, given: Json) -> Json:
        """Return the film of the parser."""
        parser = self._parser(model)
        found = play_of(parser.kind).film(parser, x, given)
        return {"search": str(parser.estimator.model_.search)} | found

    def _parser(self, model: Loaded) -> Loaded:
        """Return the parser by itself, made once."""
        if model.estimator not in self._parsers:
            part = model.estimator.model_.parts[PARSER]
            alone = estimator_of(part.task.kind).of_model(part, model.name)
            alone.threads = 1
            self._parsers[model.estimator] = dataclasses.replace(model, estimator=alone)
        return self._parsers[model.estimator]


def _sentence(words: Sequence[str], tree: Any) -> Any:
    """Return words with nothing but their tree, which is all that is corrected."""
    lines = [
        f"{i}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_"
        for i, (word, head, label) in enumerate(zip(words, *tree), 1)
    ]
    return next(read(io.StringIO("\n".join(lines) + "\n\n"), format="conllu"))


PLAY = Analysis()
