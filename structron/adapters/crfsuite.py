"""CRFsuite: its models, from their files or dumps, with the same labels."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.tasks.tagging.adapters.crfsuite import (
        Weights as Weights,
    )
    from structron.tasks.tagging.adapters.crfsuite import (
        load as load,
    )
    from structron.tasks.tagging.adapters.crfsuite import (
        load_dump as load_dump,
    )
    from structron.tasks.tagging.adapters.crfsuite import (
        read_dump as read_dump,
    )
    from structron.tasks.tagging.adapters.crfsuite import (
        read_model as read_model,
    )
    from structron.tasks.tagging.adapters.crfsuite import (
        tagger_of as tagger_of,
    )

on_first_use(__name__)
