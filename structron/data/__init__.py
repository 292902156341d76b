"""What was in the file: sentences, read and written one at a time, in the formats of the field."""

from structron.data.columns import Names
from structron.data.files import Place
from structron.data.format import Format
from structron.data.reading import Report, read
from structron.data.sentence import Sentence
from structron.data.trees import Tree, tree_of, with_tree
from structron.data.writing import convert, write

__all__ = [
    "Format",
    "Names",
    "Place",
    "Report",
    "Sentence",
    "Tree",
    "convert",
    "read",
    "tree_of",
    "with_tree",
    "write",
]
