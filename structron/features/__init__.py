"""Features as data: templates, the atoms they are made of, and presets."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.labelling.presets import PRESETS
    from structron.labelling.templates import Template, columns_read, keys_at, order_of, parse, parse_all
else:
    on_first_use(
        __name__,
        {
            "structron.labelling.presets": ("PRESETS",),
            "structron.labelling.templates": (
                "Template",
                "columns_read",
                "keys_at",
                "order_of",
                "parse",
                "parse_all",
            ),
        },
    )

__all__ = ["PRESETS", "Template", "columns_read", "keys_at", "order_of", "parse", "parse_all"]
