"""What was in the file: sentences, read and written one at a time, in the formats of the field."""

from typing import TYPE_CHECKING

from structron.first_use import on_first_use

if TYPE_CHECKING:
    from structron.data.columns import Names
    from structron.data.encoding import Encoding
    from structron.data.files import Place
    from structron.data.format import Format
    from structron.data.notation import Notation
    from structron.data.pairs import Pair, gather, read_pairs, write_pairs
    from structron.data.questions import Question, read_questions, write_questions
    from structron.data.reading import Report, read
    from structron.data.sentence import Sentence
    from structron.data.terms import Term, parse_term
    from structron.data.training_files import Files
    from structron.data.trees import Tree, tree_of, with_tree
    from structron.data.writing import convert, write
else:
    on_first_use(
        __name__,
        {
            "columns": ("Names",),
            "encoding": ("Encoding",),
            "files": ("Place",),
            "format": ("Format",),
            "notation": ("Notation",),
            "pairs": ("Pair", "gather", "read_pairs", "write_pairs"),
            "questions": ("Question", "read_questions", "write_questions"),
            "reading": ("Report", "read"),
            "sentence": ("Sentence",),
            "terms": ("Term", "parse_term"),
            "training_files": ("Files",),
            "trees": ("Tree", "tree_of", "with_tree"),
            "writing": ("convert", "write"),
        },
    )

__all__ = [
    "Encoding",
    "Files",
    "Format",
    "Names",
    "Notation",
    "Pair",
    "Place",
    "Question",
    "Report",
    "Sentence",
    "Term",
    "Tree",
    "convert",
    "gather",
    "parse_term",
    "read",
    "read_pairs",
    "read_questions",
    "tree_of",
    "with_tree",
    "write",
    "write_pairs",
    "write_questions",
]
