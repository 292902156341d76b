"""Progress bars in notebooks and scripts, by tqdm or rich, whichever is there.

>>> with progress_bar():  # doctest: +SKIP
...     tagger.fit(X, y)
...     documents = list(nlp.pipe(texts))
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from structron.errors import SettingError
from structron.progress import progress_to

__all__ = ["progress_bar"]

LIBRARIES = ("tqdm", "rich")
DELAY = 0.5  # seconds before a bar appears


@contextlib.contextmanager
def progress_bar(library: str | None = None) -> Iterator[None]:
    """Show a bar for whatever takes long in this block: reading, training, predicting.

    Parameters
    ----------
    library
        ``tqdm`` or ``rich``; None for tqdm where it is installed, otherwise rich. Both know notebooks.
    """
    known = [name for name in LIBRARIES if find_spec(name) is not None]
    wanted = (known or ["none"])[0] if library is None else library
    if wanted not in known:
        shown = " or ".join(known) or "install tqdm or rich"
        raise SettingError(f"progress by {wanted!r} is not possible here; use {shown}")
    shower = _Tqdm() if wanted == "tqdm" else _Rich()
    try:
        with progress_to(shower.heard):
            yield
    finally:
        shower.close()


class _Tqdm:
    """One bar of tqdm after the other."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        self.make = tqdm
        self.bar: Any = None
        self.name = ""

    def heard(self, name: str, done: int, total: int) -> None:
        """Show progress; other work gets another bar."""
        if self.bar is None or name != self.name or done < self.bar.n:
            self.close()
            self.name, self.bar = name, self.make(desc=name, total=total or None, delay=DELAY)
        self.bar.total = total or None
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        """End the bar."""
        if self.bar is not None:
            self.bar.close()
        self.bar = None


class _Rich:
    """Lines of one display of rich."""

    def __init__(self) -> None:
        from rich.progress import Progress

        self.progress = Progress()
        self.task: Any = None
        self.name, self.done = "", 0

    def heard(self, name: str, done: int, total: int) -> None:
        """Show progress; other work gets another line."""
        if self.task is None:
            self.progress.start()
        if self.task is None or name != self.name or done < self.done:
            self.task = self.progress.add_task(name, total=total or None)
        self.name, self.done = name, done
        self.progress.update(self.task, completed=done, total=total or None)

    def close(self) -> None:
        """End the display."""
        if self.task is not None:
            self.progress.stop()
