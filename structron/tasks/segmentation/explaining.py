"""Explanations of segmenters: unit by unit, or by words, character by character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from structron.explaining.account import Account, Derived
from structron.explaining.explanation import Named
from structron.explaining.names import EDGE, NONE
from structron.features.keys import fold
from structron.labelling.explaining import TagNames
from structron.model import Model
from structron.tasks.segmentation.features.words import LOCAL, WordTemplate
from structron.tasks.segmentation.words.space import APPEND, WordState
from structron.tasks.segmentation.words.task import WordTask


def account(model: Model[Any], x: Any) -> Account:
    """Explain the tokens of a text."""
    task = model.task
    if isinstance(task, WordTask):
        return Derived(model, x, CharacterNames(task, x))
    tokens = [columns for _, _, columns in task.units(x)]

    def labels_of(actions: Any) -> list[str]:
        return [task.labels[action] for action in actions]

    names = TagNames(task.space(x), tokens, task.parsed, task.labels, task.bits, labels_of)
    return Derived(model, x, names)


class CharacterNames:
    """A text whose characters begin words or go on with them."""

    def __init__(self, task: WordTask, text: str) -> None:
        self.task, self.text = task, text
        self.space = task.space(text)
        self.cut = [text[begin:end] for begin, end, _ in task.units(text)]

    def features(self, state: WordState, action: int) -> Iterator[Named]:
        """Yield templates with what they see of characters, words and tags."""
        weighed = self.space.columns(state, action)
        for template, columns in self.space._templates:
            column = next((c for c in weighed if c in columns), None)
            if column is None:
                continue
            key = template.key(lambda name, offset: self.space._value(state, name, offset))
            if key:
                yield Named(self._name(template, state), fold(key, self.task.bits), column, 1.0)

    def _name(self, template: WordTemplate, state: WordState) -> str:
        parts = []
        for text in template.text.split():
            name, bracket, rest = text.partition("[")
            seen = "" if not bracket or text == "t[0]" else self._seen(state, name, int(rest[:-1]))
            parts.append(f"{text}={seen}" if seen else text)
        return " ".join(parts)

    def _seen(self, state: WordState, name: str, offset: int) -> str:
        at = state.position + offset
        if name in LOCAL:
            inside = 0 <= at < len(self.cut)
            value = self.space._value(state, name, offset)
            return (self.cut[at] if inside else EDGE) if name == "c" else str(value) if inside else EDGE
        if name == "t":
            tag = state.t1 if offset == -1 else state.t2
            return self.task.tags[tag] if tag < len(self.task.tags) else EDGE
        begin, end = (state.begin, state.position) if offset == -1 else (state.before, state.begin)
        if end == 0:
            return EDGE
        word = self.cut[begin:end]
        shown = {"w": "".join(word), "first": word[0], "last": word[-1]} if word else {}
        return shown.get(name, str(self.space._value(state, name, offset)) if word else NONE)

    def about(self, state: WordState) -> str:
        """Return the word so far, and the character that comes."""
        word = "".join(self.cut[state.begin : state.position])
        return f"{word}|{self.cut[state.position] if state.position < len(self.cut) else ''}"

    def label(self, state: WordState, action: int) -> str:
        """Return the action on the character."""
        n = len(self.task.tags)
        if action == APPEND:
            return "go on"
        if action == n + 1:
            return "end"
        what = "word" if action <= n else "sentence"
        tag = self.task.tags[action - 1 if action <= n else action - n - 2]
        return f"{what} {tag}" if tag else what

    def columns(self) -> Sequence[str]:
        """Return the tags of words that begin and that go on, and one column for all of them."""
        tags = self.task.tags
        begin = [f"begin {tag}".strip() for tag in tags]
        return [*begin, "end", *(f"go on {tag}".strip() for tag in tags), "begin any", "go on", "sentence"]

    def output(self, actions: Sequence[int]) -> str:
        """Return the words, with their tags."""
        words: list[str] = []
        tags: list[str] = []
        n = len(self.task.tags)
        for character, action in zip(self.cut, actions):
            if action == APPEND and words:
                words[-1] += character
                continue
            words.append(character)
            tags.append(self.task.tags[action - 1 if action <= n else action - n - 2])
        return " ".join(f"{word}/{tag}" if tag else word for word, tag in zip(words, tags))
