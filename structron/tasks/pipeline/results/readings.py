"""Other readings of a stage, how sure it is, and its strongest features.

Each stage is asked by itself, about sentences that the pipeline has analysed: it sees in them what it saw
when they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from structron import _core
from structron.errors import SettingError
from structron.fit.confidence import Confidence, Margins
from structron.io import Sentence
from structron.registry import estimator_of
from structron.search import widened
from structron.tasks.pipeline.columns import BETWEEN, join_labels, split_labels, zip_columns
from structron.tasks.pipeline.names.entities import has_names, labels_of
from structron.tasks.pipeline.names.measures import is_treebank
from structron.tasks.pipeline.results.given import MISC, TREE

if TYPE_CHECKING:
    from structron.explaining import Strong
    from structron.tasks.pipeline.stages import Stages
    from structron.tasks.pipeline.task import Stage

Sure = dict[str, Confidence]  # by stage


def asked(stages: Stages, question: str) -> Iterator[tuple[Stage, Any]]:
    """Yield the stages whose estimators have a method of this name, with these estimators."""
    for stage in stages.model.task.stages:
        part = stages.model.parts[stage.name]
        kind = estimator_of(part.task.kind)
        if stage.sees and hasattr(kind, question):
            yield stage, kind.of_model(part, f"the {stage.name}")


def seen(stage: Stage, sentences: Sequence[Sentence]) -> list[list[Any]]:
    """Return analysed sentences as the input of a stage."""
    return zip_columns({name: [each.column(name) for each in sentences] for name in stage.sees}, stage.sees)


def _gold(stage: Stage, sentences: Sequence[Sentence]) -> list[Any]:
    """Return the gold outputs of a stage."""
    from structron.io import tree_of

    if stage.name == "parser":
        return [tree_of(each) for each in sentences]
    if stage.name == "names":
        return [labels_of(each) for each in sentences]
    return join_labels(stage, {name: [each.column(name) for each in sentences] for name in stage.fills})


def calibrate(stages: Stages, gold: Sequence[Sentence], found: Sequence[Sentence]) -> list[str]:
    """Let the stages learn from held-out sentences what their margins mean; return their names.

    Gold may lack names, or may be names alone.
    """
    names = []
    named, is_whole = has_names(gold), any(map(is_treebank, gold))
    for stage, estimator in asked(stages, "calibrate"):
        if not (named if stage.name == "names" else is_whole or not named):
            continue
        estimator.calibrate(seen(stage, found), _gold(stage, gold))
        names.append(stage.name)
    if not names:
        raise SettingError("no stage of this pipeline has margins; calibrate one with a tagger or a parser")
    return names


def given_parts(
    stages: Stages, stage: Stage, sentences: Sequence[Sentence], given: Sequence[Sentence]
) -> list[Any] | None:
    """Return what is given of a stage's outputs for analysed sentences; None if nothing is.

    Parameters
    ----------
    given
        The sentences as they came, with the columns that are given.
    """
    xs = seen(stage, sentences)
    kept = stages.kept(stage, xs, lambda: xs, given)
    parts = [x.parts if isinstance(x, _core.Restricted) else None for x in kept]
    return parts if any(each is not None for each in parts) else None


def margins(
    stages: Stages, sentences: Sequence[Sentence], given: Sequence[Sentence]
) -> dict[str, list[Margins]]:
    """Return, for each stage, how far its answer is ahead of others in analysed sentences."""
    return {
        stage.name: each.margins(seen(stage, sentences), given=given_parts(stages, stage, sentences, given))
        for stage, each in asked(stages, "margins")
    }


def confidences(
    stages: Stages, sentences: Sequence[Sentence], given: Sequence[Sentence], start: str
) -> list[Sure]:
    """Return, for each analysed sentence, how sure the stages are that were calibrated."""
    found: list[Sure] = [{} for _ in sentences]
    some = any("confidence" in part.about for part in stages.model.parts.values())
    for stage, estimator in asked(stages, "predict_confidence"):
        if start == "tags" and stage.name not in ("lemma", "parser", "names"):
            continue
        if some and "confidence" not in stages.model.parts[stage.name].about:
            continue  # gold had nothing to calibrate it on
        parts = given_parts(stages, stage, sentences, given)
        for sure, own in zip(found, estimator.predict_confidence(seen(stage, sentences), given=parts)):
            sure[stage.name] = own
    return found


def with_confidence(sentence: Sentence, sure: Sure) -> Sentence:
    """Write confidences to MISC, one for each stage, and those of the whole sentence to a comment."""
    names = {stage: "+".join(part.capitalize() for part in stage.split("+")) for stage in sure}
    notes = []
    for i, old in enumerate(sentence.column("misc")):
        own = [f"Conf{names[stage]}={each.parts[i]:.4f}" for stage, each in sure.items()]
        notes.append("|".join([*([] if old in ("_", "") else [old]), *own]))
    noted = sentence.with_column("misc", notes)
    whole = "|".join(f"Conf{names[stage]}={each.whole:.4f}" for stage, each in sure.items())
    noted.comments = [*noted.comments, f"# confidence = {whole}"]
    return noted


def readings(
    stages: Stages,
    sentences: Sequence[Sentence],
    given: Sequence[Sentence],
    k: int,
    name: str | None,
    threads: int,
) -> list[list[tuple[Sentence, float]]]:
    """Return the k best readings of one stage for analysed sentences; the stages after it follow each."""
    ranked = [stage for stage, _ in asked(stages, "predict_kbest")]
    by_name = {each: stage for stage in ranked for each in (stage.name, *stage.fills)}
    if not ranked or (name is not None and name not in by_name):
        wanted = name or ", ".join(stages.model.parts)
        raise SettingError(
            f"stage {wanted} has no other readings; choose one of {', '.join(by_name) or 'none'}"
        )
    usual = [stage for stage in ranked if stage.name != "names"] or ranked
    stage = usual[-1] if name is None else by_name[name]
    part = stages.model.parts[stage.name]
    part.threads = threads
    xs = seen(stage, sentences)
    best = part.kbest(stages.kept(stage, xs, lambda: xs, given), k, widened(part.search, k))
    if any(each.given for each in given):
        later = stages.model.task.stages[stages.model.task.stages.index(stage) + 1 :]
        sentences = [still_given(*pair, later) for pair in zip(sentences, given)]
    flat = [sentence for sentence, found in zip(sentences, best) for _ in found]
    outputs = [output for found in best for output, _ in found]
    if stage.name == "parser":
        filled = stages.filled(flat, {}, [(list(heads), list(labels)) for heads, labels in outputs])
    else:
        tagged = stages.filled(flat, split_labels(stage, outputs), None)
        tagged = [each.keeping(before.given) for each, before in zip(tagged, flat)]
        filled = stages.annotated(tagged, stage.name, threads)
    rest = iter(filled)
    return [[(next(rest), score) for _, score in found] for found in best]


def still_given(found: Sentence, given: Sentence, later: Iterable[Stage]) -> Sentence:
    """Return an analysed sentence as later stages have to see it: with what is given of their columns."""
    more = {"parser": TREE, "names": (MISC,)}
    columns = [name for stage in later for name in (*stage.fills, *more.get(stage.name, ()))]
    own = tuple(name for name in given.given if name in columns)
    for name in own:
        found = found.with_column(name, given.column(name))
    return found.keeping(own)


def strongest(
    stages: Stages, sentences: Sequence[Sentence], top: int, label: str | None
) -> dict[str, list[Strong]]:
    """Return the strongest features of each stage that fire in analysed sentences."""
    found = {}
    unknown: SettingError | None = None
    for stage, estimator in asked(stages, "strongest"):
        own = label and label.replace(" ", BETWEEN) if len(stage.fills) > 1 else label
        try:
            strong = estimator.strongest(seen(stage, sentences), top, own)
        except SettingError as error:  # a label of another stage
            unknown = SettingError(str(error).replace("\\t", " ").replace(BETWEEN, " "))
            continue
        found[stage.name] = [each._replace(label=each.label.replace(BETWEEN, " ")) for each in strong]
    if unknown is not None and not found:
        raise unknown
    return found
