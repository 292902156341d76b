"""Which mistake is fixed."""

from structron.violations.prefix import UPDATES, Update, parse_update

__all__ = ["UPDATES", "Update", "parse_update"]
