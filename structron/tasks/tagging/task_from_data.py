"""The task of tagging data: its labels, rules and dictionary; and the scores of outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from structron.errors import DataError, SettingError
from structron.fit.data.word_lists import gazetteers_of
from structron.fit.raw_text.clusters import clusters_for
from structron.fit.streaming.examples import StreamedExamples
from structron.io.values.labels import (
    allowed_transitions,
    illegal,
    is_bio,
    is_span_label,
    may_follow,
    scheme,
    scheme_of_steps,
)
from structron.labelling.dictionary import Dictionary
from structron.labelling.restriction import Known, is_partial, names_in, open_tags
from structron.labelling.task import TaggingTask
from structron.metrics import accuracy, span_f1
from structron.model import fault
from structron.tasks.tagging.inputs import Inputs, word_of
from structron.tasks.tagging.settings import TaggingRecipe, templates_for
from structron.tasks.tagging.survey import Survey, is_letter, out_of_place
from structron.tasks.tagging.template_choice import TokenFigures

Labels = Sequence[Sequence[str]]
KnownLabels = Sequence[Sequence[Known]]


def make_task(
    recipe: TaggingRecipe, inputs: Inputs, labels: KnownLabels, announced: Sequence[str] | None = None
) -> TaggingTask:
    """The task of labelled sentences; `announced` are labels that will come later."""
    if recipe.templates == "auto":
        recipe = recipe.suited(figures_of(inputs, labels))
    found = sorted({tag for tags in labels for tag in names_in(tags)} | set(announced or ()))
    if is_bio(found) and any(map(is_partial, labels)):
        found = sorted({*found, "O"})  # what is not known may be outside of all spans

    def check(rules: str) -> None:
        check_rules(inputs, labels, rules, found)

    def dictionary(known: Sequence[str]) -> Dictionary:
        return Dictionary.observed(words_with_tags(inputs, labels), known, recipe.dictionary or 0)

    def words() -> Iterator[str]:
        return (word_of(token) for tokens in inputs.tokens for token in tokens)

    return _task_of(recipe, inputs, found, lambda: scheme_known(labels), check, dictionary, words)


def scheme_known(labels: KnownLabels) -> str | None:
    """Return the scheme of label sequences; of labels that are not known, neighbours say nothing."""
    whole = [tags for tags in labels if not is_partial(tags)]
    if len(whole) == len(labels):
        return scheme(labels)  # type: ignore[arg-type]
    steps: set[tuple[str | None, str | None]] = set()
    for tags in labels:
        edged: list[Known] = ["", *tags, ""]
        steps |= {
            (a or None, b or None) for a, b in pairwise(edged) if isinstance(a, str) and isinstance(b, str)
        }
        steps |= {(None, name) for name in names_in(tags) if name[:1] != "I"}
    return scheme_of_steps(steps)


def figures_of(inputs: Inputs, labels: KnownLabels) -> TokenFigures:
    """Return the statistics that decide which settings suit the data."""
    known = {tag for tags in labels for tag in names_in(tags)}
    spans = is_bio(known)
    if not spans or inputs.ready:
        return TokenFigures(inputs.ready, inputs.columns, spans, labels=len(known))
    count = sum(tag is not None for tags in labels for tag in tags) or 1
    outside = sum(tag == "O" for tags in labels for tag in tags)
    letters = sum(is_letter(token) for tokens in inputs.tokens for token in tokens)
    return TokenFigures(False, inputs.columns, spans, 1 - outside / count, letters / count, len(known))


def surveyed_figures(survey: Survey) -> TokenFigures:
    """Return the same of sentences that stay in their files."""
    labels, count = survey.labels, survey.tokens or 1
    found = TokenFigures(False, survey.columns, is_bio(labels), labels=len(labels))
    if not found.spans:
        return found
    return found._replace(covered=1 - survey.outside / count, letters=survey.letters / count)


def surveyed_task(recipe: TaggingRecipe, examples: StreamedExamples[Inputs]) -> TaggingTask:
    """Return the same of sentences that stay in their files."""
    survey: Survey = examples.survey
    steps = [(before, label) for before, label in survey.steps]

    def check(rules: str) -> None:
        if not all(may_follow(*step, rules) for step in steps):
            place = out_of_place(examples.files, rules)
            raise DataError(f"{place}; fix it, or set constraints to none")

    def dictionary(known: Sequence[str]) -> Dictionary:
        raise NotImplementedError("refused by `check_streams`")

    found = sorted(survey.labels)

    def words() -> Iterator[str]:
        return (word for sentence in examples.files for word in sentence.words())

    return _task_of(recipe, examples.source, found, lambda: scheme_of_steps(steps), check, dictionary, words)


def _task_of(
    recipe: TaggingRecipe,
    inputs: Inputs,
    found: list[str],
    scheme_found: Callable[[], str | None],
    check: Callable[[str], None],
    dictionary_of: Callable[[Sequence[str]], Dictionary],
    words: Callable[[], Iterable[str]],
) -> TaggingTask:
    """The task of labels, sorted, and of what `inputs` are; the rest is asked for where it matters."""
    if not found:
        raise DataError("there is nothing to learn from; give at least one labelled token")
    templates = templates_for(recipe, ready=inputs.ready)
    rules: str | None = None
    if recipe.constraints == "auto":
        rules = scheme_found() if is_bio(found) else None
    elif recipe.constraints != "none":
        rules = str(recipe.constraints)
        strange = next((label for label in found if not is_span_label(label)), None)
        if strange is not None:
            raise DataError(f"label {strange!r} marks no span; set constraints to none instead of {rules}")
        check(rules)
    if rules is not None and TaggingTask.dead_end(found, rules):
        # Without O no legal sequence fits some sentences, such as one word where all spans are longer.
        found = sorted({*found, "O"})
    dictionary = Dictionary.empty()
    if recipe.dictionary:
        if inputs.ready:
            raise SettingError("a tag dictionary needs words, not ready features; set dictionary to 0")
        dictionary = dictionary_of(found)
    if inputs.ready and (recipe.has_clusters or recipe.gazetteer_files):
        raise SettingError(
            "clusters, text and gazetteers need words, not ready features; set all of them to none"
        )
    clusters = clusters_for(recipe, templates, words)
    gazetteers = gazetteers_of(recipe.gazetteer_files, recipe.gazetteer_names)
    shape = rules, dictionary, recipe.bits, recipe.hidden, clusters, gazetteers
    task = TaggingTask(tuple(found), templates, inputs.ready, *shape)
    inputs.check(ready=task.ready, columns=task.columns)
    return task


def widened(task: TaggingTask, inputs: Inputs, labels: KnownLabels) -> TaggingTask:
    """The task of an earlier batch as it stands after one more; what does not fit into it is refused."""
    inputs.check(ready=task.ready, columns=task.columns)
    unknown = sorted({tag for sentence in labels for tag in names_in(sentence)} - set(task.labels))
    if unknown:
        raise DataError(
            f"label {unknown[0]!r} was not there before; ask for new_labels (--new-labels), or pass classes= "
            "with all labels on the first call"
        )
    if task.scheme is not None:
        check_rules(inputs, labels, task.scheme, task.labels)
    if not len(task.dictionary.keys):
        return task
    return replace(task, dictionary=task.dictionary.widened(words_with_tags(inputs, labels), task.labels))


def new_labels(task: TaggingTask, labels: KnownLabels, *, whole: bool = False) -> list[str]:
    """Return the labels that a task does not have; where they mark spans, all that its scheme needs.

    With `whole` the labels that the task has are completed, too.
    """
    known = set(task.labels)
    named = {tag for sentence in labels for tag in names_in(sentence)}
    found = sorted(named if whole else named - known)
    if task.scheme is None or not found:
        return [label for label in found if label not in known]
    letters = "BIES" if task.scheme == "bioes" else "BI"
    types = dict.fromkeys(label[1:] for label in found if is_span_label(label) and label != "O")
    complete = [letter + kind for kind in types for letter in letters]
    return [label for label in dict.fromkeys([*complete, *found]) if label not in known]


def check_rules(inputs: Inputs, labels: KnownLabels, rules: str, known: Sequence[str] = ()) -> None:
    """Refuse gold that search could never reach; `known` are all labels."""
    for i, tags in enumerate(labels):
        if is_partial(tags):
            if open_tags(tags, known, rules_of(known, rules)) is None:
                raise DataError(
                    f"{inputs.place(i)}: no sequence of labels in {rules} agrees with those known; fix them, "
                    "or set constraints to none"
                )
            continue
        at = illegal(tags, rules)  # type: ignore[arg-type]
        if at is not None:
            place = inputs.place(i, min(at, len(tags) - 1))
            what = f"label {tags[at]!r} is" if at < len(tags) else "the end is"
            raise DataError(f"{place}: {what} out of place in {rules}; fix it, or set constraints to none")


def rules_of(labels: Sequence[str], scheme: str) -> tuple[bytes, bytes]:
    """Return rules as the search reads them."""
    start, after, end = allowed_transitions(labels, scheme)
    return b"".join(map(bytes, [*after, start])), bytes(end)


def words_with_tags(inputs: Inputs, labels: KnownLabels) -> Iterator[tuple[str, str]]:
    """Every token's word with its gold tag, where that is known."""
    for i, (tokens, tags) in enumerate(zip(inputs.tokens, labels)):
        try:
            for token, tag in zip(tokens, tags):
                if isinstance(tag, str):
                    yield word_of(token), tag
        except (ValueError, TypeError) as error:
            raise DataError(f"{inputs.place(i)}: {fault(error)}; fix it or leave it out") from None


def metric_of(task: TaggingTask) -> Callable[[Labels, Labels], float]:
    """Return how a task's output is scored: span F1 where the labels mark spans, accuracy otherwise."""
    if is_bio(task.labels):
        return lambda gold, guess: span_f1(gold, guess).f1
    return accuracy
