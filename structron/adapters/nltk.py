"""NLTK: taggers as `nltk.TaggerI`, parsers as `nltk.ParserI`, pipelines as both from raw text.

They wrap an estimator, which stays what it is (`tagger`, `parser`), and add the methods that NLTK's own have:
whatever takes one of NLTK's takes these. Each is in the folder of its task.
"""

from typing import TYPE_CHECKING

from structron.adapters.nltk_graphs import graph_of_rows as graph_of_rows  # says what to install without NLTK
from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.tasks.parsing.adapters.nltk import (
        StructronParser as StructronParser,
        graph_of as graph_of,
        tree_of_graph as tree_of_graph,
    )
    from structron.tasks.pipeline.adapters.nltk import StructronPipeline as StructronPipeline
    from structron.tasks.tagging.adapters.nltk import StructronTagger as StructronTagger

on_first_use(__name__)
