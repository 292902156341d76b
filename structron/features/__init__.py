"""Features as data: templates, the atoms they are made of, and presets."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.labelling.presets import PRESETS as PRESETS
    from structron.labelling.templates import (
        Template as Template,
        columns_read as columns_read,
        keys_at as keys_at,
        order_of as order_of,
        parse as parse,
        parse_all as parse_all,
    )

on_first_use(__name__)
