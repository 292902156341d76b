"""The tasks: what each problem is.

`KINDS` is the one table of them. All else about a task is found by its word: `TASK` in
`structron.tasks.<kind>`, `RECIPE` in `structron.fit.<kind>`, `ESTIMATOR` in
`structron.registry.<kind>` and `FACE` in `structron.cli.<kind>`. None is imported before it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structron.task import Task

# By the word on the command line and in model files: what it does, in one line.
KINDS = {
    "tagging": "Label every word of a sentence: parts of speech, chunks, names.",
    "parsing": "Give every word of a sentence its head and its relation.",
    "transduction": "Rewrite words symbol by symbol: letters as sounds.",
    "translation": "Translate sentences phrase by phrase, from parallel text alone.",
    "segmentation": "Find the sentences, tokens and words of raw text.",
    "semantics": "Find the form of a question in a language of meaning, which a program can answer.",
    "classification": "Give a text, or any bag of features, one label of several, or any number of them.",
}

# Kinds of models that are made with or of those of the tasks; they have a task and an estimator by their word
# too, but settings and commands of their own.
MORE_KINDS = {
    "lemmatisation": "Give every word of a sentence its lemma, from form and tags.",
    "pipeline": "From text, or words, to tags, lemmas and trees: several models in one file.",
}


def task_of(kind: str) -> type[Task]:
    """The class of a task, by a word of `KINDS` or `MORE_KINDS`."""
    task: type[Task] = import_module(f"structron.tasks.{kind}").TASK
    return task
