"""spaCy: `structron`, `structron_tagger`, `structron_parser` and `structron_ner`, components of a pipeline.

spaCy finds them by their names once structron is installed (entry points), so that
``nlp.add_pipe("structron_ner")`` needs no import. They learn in `nlp.update`, batch by batch, predict in
batches without Python's lock, and go into `nlp.to_disk` and `nlp.to_bytes` as the file that `save` makes.
Each is in the folder of its task; `Component` is the base of those that learn.
"""

from typing import TYPE_CHECKING

from structron.adapters.spacy_component import Component as Component  # says what to install without spaCy
from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.tasks.parsing.adapters.spacy import (
        ParserComponent as ParserComponent,
        make_parser as make_parser,
    )
    from structron.tasks.pipeline.adapters.spacy import (
        PipelineComponent as PipelineComponent,
        make_pipeline as make_pipeline,
    )
    from structron.tasks.tagging.adapters.spacy import (
        NerComponent as NerComponent,
        TaggerComponent as TaggerComponent,
        make_ner as make_ner,
        make_tagger as make_tagger,
    )

on_first_use(__name__)
