"""Features as data: templates, the atoms they are made of, and presets."""

from structron.features.presets import PRESETS
from structron.features.templates import Template, columns_read, keys_at, order_of, parse, parse_all

__all__ = ["PRESETS", "Template", "columns_read", "keys_at", "order_of", "parse", "parse_all"]
