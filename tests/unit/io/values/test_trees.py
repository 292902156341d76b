"""Trees: every fault is told with its line, and a predicted tree changes nothing else in the file."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io import Format, Report, Sentence, read, write
from structron.io.values.trees import Tree, find_fault, tree_columns, tree_of, with_tree

SPANISH = """\
# text = vámonos al mar
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\t_\tMood=Imp\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_
2.1\tnada\tnada\tPRON\t_\t_\t_\t_\t1:dep\tCopyOf=2
3-4\tal\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl\t_

"""


def sentences(text: str, **options: object) -> list[Sentence]:
    return list(read(io.BytesIO(text.encode()), **options))  # type: ignore[arg-type]


def written(sentence: Sentence) -> str:
    out = io.StringIO()
    write([sentence], out)
    return out.getvalue()


def conllu(*heads: str, labels: str = "") -> str:
    """A sentence of as many words, with these heads and relations dep or those given."""
    named = labels.split() or ["dep"] * len(heads)
    lines = [
        f"{i}\tw{i}\t_\tX\t_\t_\t{h}\t{label}\t_\t_" for i, (h, label) in enumerate(zip(heads, named), 1)
    ]
    return "# a comment\n" + "\n".join(lines) + "\n\n"


def test_heads_and_relations_are_read_past_ranges_and_empty_nodes() -> None:
    tree = tree_of(sentences(SPANISH, format="conllu")[0])
    assert tree == Tree([0, 1, 5, 5, 1], ["root", "obj", "case", "det", "obl"])
    assert tree.roots() == [1]


def test_a_new_tree_leaves_everything_else_as_it_was() -> None:
    sentence = sentences(SPANISH, format="conllu")[0]
    changed = with_tree(sentence, ([2, 0, 4, 2, 4], ["a", "root", "c", "d", "e:f"]))
    expected = (
        SPANISH.replace("\t0\troot\t0", "\t2\ta\t0")
        .replace("\t1\tobj\t1", "\t0\troot\t1")
        .replace("\t5\tcase\t5", "\t4\tc\t5")
        .replace("\t5\tdet\t5", "\t2\td\t5")
        .replace("\t1\tobl\t1", "\t4\te:f\t1")
    )
    assert written(changed) == expected
    assert written(with_tree(sentence, tree_of(sentence))) == SPANISH
    assert written(sentence) == SPANISH


@pytest.mark.parametrize(
    ("heads", "said"),
    [
        ("2 _", "(stream):3: word 2 (w2) has no head; fix the line or pass --skip-bad"),
        ("2 0|1", "(stream):3: head '0|1' of word 2 (w2) is not a whole number; fix"),
        ("-1 0", "(stream):2: head -1 of word 1 (w1) is less than 0; fix"),
        ("٢ 0", "(stream):2: head '٢' of word 1 (w1) is not a whole number; fix"),
        (
            "12345678901 0",
            "(stream):2: head 12345678901 of word 1 (w1) is beyond the sentence, which has 2 words",
        ),
        ("2 0 7", "(stream):4: word 3 has head 7 but the sentence has 3 words; fix"),
        ("9", "(stream):2: word 1 has head 9 but the sentence has 1 word; fix"),
        ("2 0 3", "(stream):4: word 3 is its own head; fix"),
        ("2 3 1", "(stream):1: no word has head 0, so there is no root; fix"),
        ("0 0", "(stream):3: words 1 and 2 both have head 0, but a tree has one root; fix"),
        ("0 3 4 2", "(stream):3: words 2, 3 and 4 form a cycle; fix"),
        ("3 0 1", "(stream):2: words 1 and 3 form a cycle; fix"),
    ],
)
def test_what_is_no_tree_is_told_with_its_line(heads: str, said: str) -> None:
    with pytest.raises(DataError) as error:
        tree_of(sentences(conllu(*heads.split()), format="conllu")[0])
    assert str(error.value).startswith(said)


def test_a_second_line_for_a_word_would_give_it_two_heads() -> None:
    text = (
        conllu("0", "1")
        + "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t0\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n"
    )
    with pytest.raises(DataError, match=r"\(stream\):7: id 2 a second time, .*two heads"):
        sentences(text, format="conllu")
    report = Report()
    assert len(sentences(text, format="conllu", skip_bad=True, report=report)) == 1
    assert report.bad == 1


def test_several_roots_where_they_are_allowed() -> None:
    sentence = sentences(conllu("0", "0"), format="conllu")[0]
    assert tree_of(sentence, one_root=False).heads == [0, 0]


def test_relations_are_all_there_or_none() -> None:
    bare = sentences(conllu("0", "1", labels="_ _"), format="conllu")[0]
    assert tree_of(bare).labels == ["_", "_"]
    with pytest.raises(DataError, match=r"\(stream\):3: word 2 \(w2\) has no relation where others have one"):
        tree_of(sentences(conllu("0", "1", labels="root _"), format="conllu")[0])


def test_columns_of_word_tag_head_are_read_and_written() -> None:
    text = "Pierre\tNNP\t2\nVinken\tNNP\t0\n\n"
    sentence = sentences(text, format="columns")[0]
    assert tree_of(sentence) == Tree([2, 0], ["_", "_"])
    assert written(with_tree(sentence, ([0, 1], ["_", "_"]))) == "Pierre\tNNP\t0\nVinken\tNNP\t1\n\n"
    assert written(with_tree(sentence, ([0, 1], ["r", "d"]))) == "Pierre\tNNP\t0\tr\nVinken\tNNP\t1\td\n\n"


def test_words_and_tags_alone_get_the_columns_of_a_tree() -> None:
    tagged = sentences("Pierre\tNNP\nVinken\tNNP\n\n", format="columns")[0]
    with pytest.raises(DataError, match=r"\(stream\):1: there are no heads in its columns \(form, label\)"):
        tree_of(tagged)
    assert written(with_tree(tagged, ([2, 0], ["x", "y"]))) == "Pierre\tNNP\t2\tx\nVinken\tNNP\t0\ty\n\n"
    line = sentences("Pierre/NNP Vinken/NNP\n", format="slash")[0]
    assert written(with_tree(line, ([2, 0], ["x", "y"]))) == (
        "1\tPierre\t_\tNNP\t_\t_\t2\tx\t_\t_\n2\tVinken\t_\tNNP\t_\t_\t0\ty\t_\t_\n\n"
    )


def test_columns_may_be_named_in_any_order() -> None:
    format = Format("columns", columns=("deprel", "head", "form", "pos"))
    assert tree_columns(format) == (3, 1, 0)
    sentence = Sentence([["d", "2", "a", "X"], ["r", "0", "b", "Y"]], format)
    assert tree_of(sentence) == Tree([2, 0], ["d", "r"])


heads_of_any_kind = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.integers(-1, n + 1), min_size=n, max_size=n)
)


@given(heads_of_any_kind)
def test_no_fault_means_that_every_word_reaches_the_one_root(heads: list[int]) -> None:
    def reaches_root(word: int) -> bool:
        for _ in heads:
            if word == 0:
                return True
            word = heads[word - 1] if 0 < word <= len(heads) else -1
            if word < 0:
                return False
        return word == 0

    in_range = all(0 <= head <= len(heads) for head in heads)
    tree = in_range and heads.count(0) == 1 and all(map(reaches_root, range(1, len(heads) + 1)))
    assert (find_fault(heads) is None) == tree


def test_without_labels_relations_may_be_there_for_some_words_alone() -> None:
    (sentence,) = sentences(conllu("2", "0", labels="_ root"), format="conllu")
    assert tree_of(sentence, labelled=False) == Tree([2, 0], ["_", "_"])
    with pytest.raises(DataError, match="has no relation where others have one"):
        tree_of(sentence)
