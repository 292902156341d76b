"""Template sets by name, made on first use: most programs need only one, or only the names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

Maker = Callable[[], list[str]]


class Made(Mapping[str, list[str]]):
    """Template lists by name, each made on first use."""

    def __init__(self, makers: Mapping[str, Maker]) -> None:
        self.makers = dict(makers)
        self._made: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> list[str]:
        if name not in self._made:
            self._made[name] = self.makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.makers

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)

    def __or__(self, other: Made) -> Made:
        return Made(self.makers | other.makers)
