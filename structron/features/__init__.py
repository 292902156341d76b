"""Features as data: templates, the atoms they are made of, and presets."""

from structron.features.tagging.presets import PRESETS
from structron.features.tagging.templates import Template, columns_read, keys_at, order_of, parse, parse_all

__all__ = ["PRESETS", "Template", "columns_read", "keys_at", "order_of", "parse", "parse_all"]
