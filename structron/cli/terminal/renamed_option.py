"""Options with an old name, which works for one more release and is not listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from warnings import warn

import click
from click.core import ParameterSource

from structron.errors import SettingError


class RenamedOption(click.Option):
    """An option that also has an old name, whose use warns and gives the new one."""

    def __init__(self, *args: Any, old_name: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.old_name = old_name

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser know both names."""
        super().add_to_parser(parser, ctx)
        if self.is_flag:
            parser.add_option(self, [self.old_name], self._old, action="store_const", const=True)
        else:
            parser.add_option(self, [self.old_name], self._old, nargs=self.nargs)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """Return the value of either name; warn of the old one."""
        if self._old in opts:
            new = next(each for each in self.opts if each.startswith("--"))
            if self.name in opts:
                raise SettingError(f"{self.old_name} is what {new} was called before; leave it out")
            warn(
                f"{self.old_name} is now {new}; the old name goes with release 0.4",
                DeprecationWarning,
                stacklevel=1,
            )
            opts = {str(self.name): opts[self._old], **opts}
        return super().consume_value(ctx, opts)

    @property
    def _old(self) -> str:
        return f"{self.name} by its old name"
