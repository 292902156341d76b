"""Features as data: templates, the atoms they are made of, and presets."""

from typing import TYPE_CHECKING

from structron.first_use import on_first_use

if TYPE_CHECKING:
    from structron.features.tagging.presets import PRESETS
    from structron.features.tagging.templates import (
        Template,
        columns_read,
        keys_at,
        order_of,
        parse,
        parse_all,
    )
else:
    on_first_use(
        __name__,
        {
            "tagging.presets": ("PRESETS",),
            "tagging.templates": ("Template", "columns_read", "keys_at", "order_of", "parse", "parse_all"),
        },
    )

__all__ = ["PRESETS", "Template", "columns_read", "keys_at", "order_of", "parse", "parse_all"]
