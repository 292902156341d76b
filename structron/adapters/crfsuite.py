"""CRFsuite: its models, from their files or dumps, with the same labels."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.tasks.tagging.adapters.crfsuite import (
        Weights as Weights,
        load as load,
        load_dump as load_dump,
        read_dump as read_dump,
        read_model as read_model,
        tagger_of as tagger_of,
    )

on_first_use(__name__)
