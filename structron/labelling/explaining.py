"""Explanations of tags: the words and previous tags that the templates read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from structron.explaining.account import Account, Derived
from structron.explaining.explanation import Named
from structron.explaining.names import EDGE, ready_names, seen_of
from structron.features.keys import combine_tags, fold, named_key
from structron.labelling.space import TagState
from structron.labelling.task import TaggingTask
from structron.labelling.templates import Template
from structron.model import Model


def account(model: Model[TaggingTask], x: Any) -> Account:
    """Explain the tags of a sentence."""
    return Derived(model, x, namer_of(model.task, x))


def namer_of(task: TaggingTask, x: Any) -> TagNames:
    """Return the features of a sentence by name."""
    if task.ready:
        blanks = [("",)] * len(x)
        ready = [ready_names(token) for token in x]
        return TagNames(task.space(blanks), blanks, task.parsed, task.tags, task.bits, task.labels_of, ready)
    space = task.space(x)
    return TagNames(space, space.tokens, task.parsed, task.tags, task.bits, task.labels_of)


class TagNames:
    """The features of a sentence, or of the units of a text: words with columns, or ready features."""

    def __init__(
        self,
        space: Any,
        tokens: Sequence[Sequence[str]],
        templates: Sequence[Template],
        tags: Sequence[str],
        bits: int,
        labels_of: Callable[[Iterable[int]], Sequence[str]],
        ready: Sequence[Mapping[str, float]] | None = None,
    ) -> None:
        self.space, self.tokens, self.templates, self.tags, self.bits = space, tokens, templates, tags, bits
        self.ready, self.labels_of = ready, labels_of
        self._last: tuple[TagState, list[Named]] | None = None

    def features(self, state: TagState, action: int) -> Iterator[Named]:
        """Yield the templates that fire, and ready features."""
        if self._last is None or self._last[0] is not state:  # every action of a state has the same
            self._last = (state, list(self._fired(state, 0)))
        return (each._replace(column=action) for each in self._last[1])

    def _fired(self, state: TagState, action: int) -> Iterator[Named]:
        i = state.position
        for name, value in self.ready[i].items() if self.ready is not None else ():
            yield Named(name, fold(named_key(name), self.bits), action, value)
        for template in self.templates:
            key = template.key(self.tokens, i)
            if key:
                whole = fold(combine_tags(key, template.tags, state.t1, state.t2), self.bits)
                yield Named(self._name(template, state), whole, action, 1.0)

    def _name(self, template: Template, state: TagState) -> str:
        atoms, parts = iter(template.atoms), []
        for text in template.text.split():
            if text == "bias":
                parts.append(text)
            elif text in ("t[-1]", "t[-2]"):
                parts.append(f"{text}={self._tag(state.t1 if text == 't[-1]' else state.t2)}")
            else:
                atom = next(atoms)
                j = state.position + atom.offset
                inside = 0 <= j < len(self.tokens)
                word = self.tokens[j][atom.column] if inside else ""
                seen = seen_of(atom.aspect, atom.length, word, template.clusters) if inside else EDGE
                parts.append(f"{text}={seen}")
        return " ".join(parts)

    def _tag(self, tag: int) -> str:
        return self.tags[tag] if tag < len(self.tags) else EDGE

    def about(self, state: TagState) -> str:
        """Return the word."""
        word = f"token {state.position + 1}" if self.ready is not None else self.tokens[state.position][0]
        return word.strip() or word

    def label(self, state: TagState, action: int) -> str:
        """Return the tag."""
        return self.tags[action]

    def columns(self) -> Sequence[str]:
        """Return the tags."""
        return self.tags

    def output(self, actions: Sequence[int]) -> str:
        """Return the labels that the tags stand for."""
        return " ".join(self.labels_of(actions))
