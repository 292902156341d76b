"""Pipelines in the playground: the film is of the parser, on what the stages before it have found."""

from __future__ import annotations

import dataclasses
from typing import Any
from weakref import WeakKeyDictionary

from structron.registry import estimator_of
from structron.serve.json_forms import Json
from structron.serve.play.task_play import Play, play_of
from structron.serve.refusals import UNFIT, Refused
from structron.serve.registry import Loaded
from structron.tasks.pipeline.stages import Stages

PARSER = "parser"


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

    def film(self, model: Loaded, x: Any, given: Json, search: Any) -> Json:
        """Return the film of the parser."""
        parser = self._parser(model)
        found = play_of(parser.kind).film(parser, x, given, search)
        return {"search": str(search or parser.estimator.model_.search)} | found

    def _parser(self, model: Loaded) -> Loaded:
        """Return the parser by itself, made once."""
        if model.estimator not in self._parsers:
            part = model.estimator.model_.parts[PARSER]
            alone = estimator_of(part.task.kind).of_model(part, model.name)
            alone.threads = 1
            self._parsers[model.estimator] = dataclasses.replace(model, estimator=alone)
        return self._parsers[model.estimator]


PLAY = Analysis()
