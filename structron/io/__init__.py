"""Input and output: sentences and other data, read and written one at a time, in the formats of the field."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.io.files.encoding import Encoding as Encoding
    from structron.io.files.format import Format as Format
    from structron.io.files.reading import Report as Report, read as read
    from structron.io.files.sentence import Sentence as Sentence
    from structron.io.files.streams import Place as Place
    from structron.io.files.training_files import Files as Files
    from structron.io.files.writing import convert as convert, write as write
    from structron.io.formats.columns import Names as Names
    from structron.io.formats.pairs import (
        Pair as Pair,
        gather as gather,
        read_pairs as read_pairs,
        write_pairs as write_pairs,
    )
    from structron.io.formats.questions import (
        Question as Question,
        read_questions as read_questions,
        write_questions as write_questions,
    )
    from structron.io.values.notation import Notation as Notation
    from structron.io.values.terms import Term as Term, parse_term as parse_term
    from structron.io.values.trees import Tree as Tree, tree_of as tree_of, with_tree as with_tree

on_first_use(__name__)
