"""Attachment scores of a parser on a treebank."""

from __future__ import annotations

from structron.cli.draw.confusions import confused_lines
from structron.cli.task_cli import Plain
from structron.fit.data.signature import checksum
from structron.fit.data.unknown_labels import warn_of_unknown
from structron.io import Sentence, Tree
from structron.io.values.trees import NO_LABEL, tree_columns
from structron.metrics import accuracy, attachment, confusions
from structron.tasks.parsing.estimator import Parser
from structron.tasks.parsing.reading import own_tree


def measure(parser: Parser, sentences: list[Sentence], confused: int) -> Plain:
    """Return all figures, as plain data."""
    gold = [own_tree(parser, sentence) for sentence in sentences]
    warn_of_unknown(*parser.model_.task.unknown_relations(gold))
    trees, tags = parser.predict_with_tags(sentences)
    figures = figures_of(sentences, gold, trees, confused)
    if tags:
        figures["tags"] = {
            name: accuracy([sentence.column(name) for sentence in sentences], guess)
            for name, guess in tags.items()
            if all(sentence.format.find(name) is not None for sentence in sentences)
        }
    if (pruned := parser.pruned(sentences, gold)) is not None:
        figures["pruner"] = pruned._asdict()
    figures["evaluated_on"] = checksum([sentence.words() for sentence in sentences], [t.heads for t in gold])
    return figures


def figures_of(sentences: list[Sentence], gold: list[Tree], trees: list[Tree], confused: int) -> Plain:
    """Return the figures of gold and guessed trees of the same sentences."""
    gold_tags = _gold_tags(sentences)
    all_words = attachment(gold, trees)
    figures: Plain = {
        "sentences": len(gold),
        "tokens": all_words.words,
        "uas": all_words.uas,
        "las": all_words.las,
        "clas": all_words.clas,
        "sentence_accuracy": all_words.exact / all_words.sentences,
        "labelled": any(label != NO_LABEL for tree in gold for label in tree.labels),
        "relations": {
            name: {"attached": r.attached, "right": r.right, "f1": r.f1, "gold": r.gold, "guess": r.guess}
            for name, r in all_words.relations.items()
        },
    }
    fewer = attachment(gold, trees, punctuation=False, tags=gold_tags)
    figures["without_punctuation"] = {"tokens": fewer.words, "uas": fewer.uas, "las": fewer.las}
    if confused:
        pairs = confusions([tree.labels for tree in gold], [tree.labels for tree in trees])
        figures["confusions"] = [found._asdict() for found in pairs[:confused]]
    return figures


def _gold_tags(sentences: list[Sentence]) -> list[list[str]]:
    found = []
    for sentence in sentences:
        column = tree_columns(sentence.format).tag
        found.append([""] * len(sentence) if column is None else sentence.column(column))
    return found


def measured(figures: Plain) -> list[str]:
    """Return the figures for people, line by line."""
    words, sentences = figures["tokens"], figures["sentences"]
    fewer = figures["without_punctuation"]
    lines = [f"UAS   {100 * figures['uas']:6.2f}   of {words:,} words, punctuation too"]
    if figures["labelled"]:
        lines += [
            f"LAS   {100 * figures['las']:6.2f}   relations without their subtypes, as in CoNLL 2018",
            f"CLAS  {100 * figures['clas']:6.2f}   content words alone",
        ]
    lines.append(f"whole {100 * figures['sentence_accuracy']:6.2f}   of {sentences:,} sentences")
    labelled = f" and LAS {100 * fewer['las']:.2f}" if figures["labelled"] else ""
    lines.append(f"without punctuation: UAS {100 * fewer['uas']:.2f}{labelled} of {fewer['tokens']:,} words")
    if pruned := figures.get("pruner"):
        lines.append(f"the pruner leaves {left_of(pruned)}")
    for name, share in figures.get("tags", {}).items():
        lines.append(f"{name} by the model's tagger: {100 * share:.2f} %")
    if figures["labelled"]:
        lines += ["", *_relations(figures["relations"])]
    return [*lines, *confused_lines(figures.get("confusions", []))]


def left_of(pruned: Plain, data: str = "") -> str:
    """Return how much of gold a pruner leaves, and how much in all."""
    kept, heads = (pruned[name] / max(1, pruned["words"]) for name in ("gold", "arcs"))
    return f"{100 * kept:.2f} % of the gold arcs{data and f' of {data}'}, and {heads:.1f} heads for each word"


def _relations(relations: Plain) -> list[str]:
    width = max(len(name) for name in ["relation", *relations])
    lines = [f"{'relation':{width}}  attached       F1    gold   guess"]
    for name, r in sorted(relations.items(), key=lambda pair: (-pair[1]["gold"], pair[0])):
        attached = f"{100 * r['attached'] / r['gold']:8.2f}" if r["gold"] else " " * 8
        lines.append(f"{name:{width}}  {attached} {100 * r['f1']:8.2f} {r['gold']:7,} {r['guess']:7,}")
    return lines
