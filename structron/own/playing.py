"""A task of one's own in the playground."""

from __future__ import annotations

from structron.serve.play.task_play import Examples, Play


class OwnPlay(Play):
    """Gold is typed as a text. A subclass with `examples` and `formats` also has lessons."""

    formats = "give lines of an input, a tab and its output"

    def read(self, given: str, most: int) -> Examples:
        """Return the first examples of an uploaded file."""
        pairs = self.first(lambda lines: (line.rstrip("\n").split("\t") for line in lines), given, most)
        good = [pair for pair in pairs if len(pair) == 2]
        return [pair[0] for pair in good], [pair[1] for pair in good]
