"""The setting that names raw text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from structron.fit.recipe import Settings
from structron.settings import setting, settings


@settings
class TextSettings(Settings):
    """The setting of tasks that also learn from unlabelled text."""

    text: str | Sequence[str | Path] | None = setting(
        default="none",
        help="Unlabelled text to learn from as well",
        more="separate files with commas; the results are cached beside the text",
        metavar="FILES",
        none="none",
        young=True,
        files=True,
        basic=True,
    )

    @property
    def text_files(self) -> tuple[str, ...]:
        """The files of raw text."""
        return files_of(self.text)


@settings
class ClusterSettings(TextSettings):
    """The settings of tasks whose templates see clusters of words: made from text, or given."""

    clusters: str | Path | None = setting(
        default="none",
        help="Word clusters for templates, from structron cluster, instead of those made from text",
        metavar="FILE",
        none="none",
        file=True,
        young=True,
    )

    @property
    def has_clusters(self) -> bool:
        """Return whether words have clusters."""
        return self.clusters != "none" or bool(self.text_files)


def files_of(text: str | Path | Sequence[str | Path] | None) -> tuple[str, ...]:
    """Return the files that a setting of raw text names."""
    if text is None or text == "none":
        return ()
    if isinstance(text, list | tuple):
        return tuple(map(str, text))
    return tuple(filter(None, str(text).split(",")))
