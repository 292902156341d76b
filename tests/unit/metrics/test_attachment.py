"""Attachment scores: every word counts once, by the rules of the CoNLL 2018 shared task."""

import io
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io import Format, Sentence, with_tree, write
from structron.metrics import attachment
from structron.synthetic import generate_treebank

GOLD = ([2, 3, 0, 3, 3], ["det", "nsubj:pass", "root", "obl", "punct"])


def test_a_perfect_guess() -> None:
    score = attachment([GOLD], [GOLD])
    assert (score.uas, score.las, score.clas) == (1.0, 1.0, 1.0)
    assert (score.words, score.sentences, score.exact) == (5, 1, 1)


def test_subtypes_are_left_out_of_las_unless_asked_for() -> None:
    guess = (GOLD[0], ["det", "nsubj", "root", "obl:arg", "punct"])
    assert attachment([GOLD], [guess]).las == 1.0
    assert attachment([GOLD], [guess], subtypes=True).las == 3 / 5
    assert "nsubj:pass" in attachment([GOLD], [guess], subtypes=True).relations


def test_clas_is_the_f1_of_content_words_which_gold_and_guess_may_see_differently() -> None:
    # Content words: nsubj, root, obl in gold; amod, nsubj, root in the guess; nsubj and root are right.
    guess = (GOLD[0], ["amod", "nsubj", "root", "case", "punct"])
    assert attachment([GOLD], [guess]).clas == 2 * 2 / (3 + 3)
    # One content word fewer in the guess.
    guess = (GOLD[0], ["det", "nsubj", "root", "case", "punct"])
    assert attachment([GOLD], [guess]).clas == 2 * 2 / (3 + 2)


def test_heads_and_relations_are_counted_apart() -> None:
    guess = ([2, 3, 0, 2, 2], ["det", "obj", "root", "obl", "punct"])
    score = attachment([GOLD], [guess])
    assert (score.uas, score.las) == (3 / 5, 2 / 5)
    assert score.relations["nsubj"] == (1, 0, 1, 0)
    assert score.relations["obj"] == (0, 1, 0, 0)
    assert score.relations["punct"] == (1, 1, 0, 0)
    assert score.relations["det"].f1 == 1.0
    assert score.exact == 0
    assert [line.split()[0] for line in score.table().splitlines()][:3] == ["relation", "det", "nsubj"]


def test_punctuation_counts_unless_left_out_by_relation_or_gold_tag() -> None:
    guess = ([2, 3, 0, 3, 1], GOLD[1])
    assert attachment([GOLD], [guess]).uas == 4 / 5
    assert attachment([GOLD], [guess], punctuation=False).uas == 1.0
    bare = (GOLD[0], ["_"] * 5)
    penn = [["DT", "NN", "VB", "NN", "."]]
    assert attachment([bare], [(guess[0], ["_"] * 5)], punctuation=False).words == 5
    left = attachment([bare], [(guess[0], ["_"] * 5)], punctuation=False, tags=penn)
    assert (left.words, left.uas) == (4, 1.0)


def test_only_the_same_words_can_be_scored() -> None:
    with pytest.raises(DataError, match="1 gold trees but 0 guessed"):
        attachment([GOLD], [])
    with pytest.raises(DataError, match="sentence 1: 5 gold heads but 1 guessed"):
        attachment([GOLD], [([0], ["root"])])
    with pytest.raises(DataError, match="nothing to score"):
        attachment([], [])


relations = st.sampled_from(["nsubj", "nsubj:pass", "det", "punct", "root", "conj", "dobj"])
trees = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(0, n), min_size=n, max_size=n), st.lists(relations, min_size=n, max_size=n)]
        * 2
    )
)


@given(st.lists(trees, min_size=1, max_size=5))
def test_labels_can_only_cost(pairs: list[tuple[list[int], list[str], list[int], list[str]]]) -> None:
    gold, guess = [(a, b) for a, b, _, _ in pairs], [(c, d) for _, _, c, d in pairs]
    score = attachment(gold, guess)
    assert score.las <= score.uas <= 1.0
    assert attachment(gold, guess, subtypes=True).las <= score.las
    assert sum(r.gold for r in score.relations.values()) == score.words
    assert sum(r.right for r in score.relations.values()) == score.arcs


def test_the_official_script_gives_the_same_to_the_last_digit() -> None:
    """On every shared treebank: benchmarks/official_scores.py."""
    udeval = pytest.importorskip("udtools.udeval")
    draw = random.Random(7)
    gold, guess, texts = [], [], [io.StringIO(), io.StringIO()]
    for tree in generate_treebank(60, np.random.default_rng(4)):
        heads, labels = list(tree.heads), list(tree.labels)
        root = heads.index(0) + 1
        for i, head in enumerate(heads):
            if head and draw.random() < 0.3:
                heads[i] = root  # never a cycle
            if head and draw.random() < 0.3:
                labels[i] = draw.choice(["case", "obl:arg", "punct", "conj", "dobj"])
        gold.append((tree.heads, tree.labels))
        guess.append((heads, labels))
        sentence = Sentence.of(tree.words, tree.tags, Format("conllu"))
        for text, arcs in zip(texts, (gold[-1], guess[-1])):
            write([with_tree(sentence, arcs)], text)
    loaded = [udeval.load_conllu(io.StringIO(text.getvalue()), "text", {}) for text in texts]
    official = udeval.evaluate(*loaded)
    ours = attachment(gold, guess)
    assert 0.4 < ours.las < ours.uas < 0.9
    assert (ours.uas, ours.las, ours.clas) == tuple(official[name].f1 for name in ("UAS", "LAS", "CLAS"))
