"""The command line: parse, call, print."""

from structron.cli.app import main

__all__ = ["main"]
