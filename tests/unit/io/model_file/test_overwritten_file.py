"""A model that was loaded stays what it was, whether its file is overwritten in place or cut short.

Each case runs in a process of its own, since reading a mapping beyond the end of its file would end it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from structron import Classifier, Parser, Tagger, Transducer, Translator
from structron.io import read

TREE = """\
1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tbarks\tbark\tVERB\t_\t_\t0\troot\t_\t_

"""
SOURCE, TARGET = ["a b c", "b c d", "c d a"] * 4, ["A B C", "B C D", "C D A"] * 4
# By kind: input and output of two models, so that one file can be written over the other.
LEARNED = {
    "tagger": (Tagger, [["the", "dog"], ["a", "cat", "ran"]], [["D", "N"], ["D", "N", "V"]]),
    "transducer": (Transducer, ["ab", "ba", "abba"], ["x y", "y x", "x y y x"]),
    "classifier": (Classifier, ["a good film", "a bad film", "good", "bad"], ["+", "-", "+", "-"]),
    "translator": (Translator, SOURCE, TARGET),
}

CHILD = """
import copy, multiprocessing, pickle, sys
import structron
from structron.search import parse_search

def used(estimator):
    return repr(estimator.predict(eval(sys.argv[3]))), estimator.to_bytes()

if __name__ == "__main__":
    path, other = sys.argv[1:3]
    expected, whole = used(structron.load(path)), open(path, "rb").read()
    assert expected[1] == whole
    loaded, unused = structron.load(path), structron.load(path)
    with open(path, "r+b") as file:  # as `cp` and `rsync --inplace` do it
        if other == "CUT":
            file.truncate(100)
        else:
            file.write(open(other, "rb").read())
            file.truncate()
    assert used(loaded) == expected
    unused.model_.release()  # tables of the engine are made again from what was loaded
    if "exact" in sys.argv[4:]:
        unused.model_.search = parse_search("exact")
        unused.predict(eval(sys.argv[3]))
        unused.model_.search = loaded.model_.search
    assert used(unused) == expected
    assert used(pickle.loads(pickle.dumps(unused))) == expected
    assert used(copy.deepcopy(unused)) == expected
    unused.save(path + ".saved")
    assert open(path + ".saved", "rb").read() == whole
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(used, [unused]) == [expected]
    print("unchanged")
"""


def made(folder: Path, kind: str) -> tuple[Path, Path, list[object]]:
    """Two models of a kind in files, and inputs for them."""
    first, second = folder / "first.model", folder / "second.model"
    if kind == "parser":
        (folder / "tree.conllu").write_text(TREE)
        trees = list(read(folder / "tree.conllu"))
        Parser(epochs=1).fit(trees).save(first)
        Parser(epochs=3, seed=5).fit(trees * 2).save(second)
        return first, second, [[("the", "DET", "_", "_", "the")]]
    estimator, xs, ys = LEARNED[kind]
    estimator(epochs=1).fit(xs, ys).save(first)
    estimator(epochs=3, seed=5).fit(xs[::-1] * 2, ys[::-1] * 2).save(second)
    return first, second, xs


@pytest.mark.parametrize("change", ["overwritten", "cut"])
@pytest.mark.parametrize("kind", [*LEARNED, "parser"])
def test_a_loaded_model_does_not_follow_its_file(tmp_path: Path, kind: str, change: str) -> None:
    first, second, xs = made(tmp_path, kind)
    (tmp_path / "child.py").write_text(CHILD)
    other = str(second) if change == "overwritten" else change.upper()
    more = ["exact"] if kind in ("tagger", "transducer") else []
    command = [sys.executable, str(tmp_path / "child.py"), str(first), other, repr(xs), *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "unchanged\n"), done.stderr[-2000:]
