"""Input and output: sentences and other data, read and written one at a time, in the formats of the field."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.io.files.encoding import Encoding
    from structron.io.files.format import Format
    from structron.io.files.reading import Report, read
    from structron.io.files.sentence import Sentence
    from structron.io.files.streams import Place
    from structron.io.files.training_files import Files
    from structron.io.files.writing import convert, write
    from structron.io.formats.columns import Names
    from structron.io.formats.pairs import Pair, gather, read_pairs, write_pairs
    from structron.io.formats.questions import Question, read_questions, write_questions
    from structron.io.values.notation import Notation
    from structron.io.values.terms import Term, parse_term
    from structron.io.values.trees import Tree, tree_of, with_tree
else:
    on_first_use(
        __name__,
        {
            "formats.columns": ("Names",),
            "files.encoding": ("Encoding",),
            "files.streams": ("Place",),
            "files.format": ("Format",),
            "values.notation": ("Notation",),
            "formats.pairs": ("Pair", "gather", "read_pairs", "write_pairs"),
            "formats.questions": ("Question", "read_questions", "write_questions"),
            "files.reading": ("Report", "read"),
            "files.sentence": ("Sentence",),
            "values.terms": ("Term", "parse_term"),
            "files.training_files": ("Files",),
            "values.trees": ("Tree", "tree_of", "with_tree"),
            "files.writing": ("convert", "write"),
        },
    )

__all__ = [
    "Encoding", "Files", "Format", "Names", "Notation", "Pair", "Place", "Question", "Report", "Sentence",
    "Term", "Tree", "convert", "gather", "parse_term", "read", "read_pairs", "read_questions", "tree_of",
    "with_tree", "write", "write_pairs", "write_questions",
]  # fmt: skip
