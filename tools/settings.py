"""The page docs/settings.md: every setting of every task, as its field declares it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from structron.cli.terminal.settings import declared, flags_of
from structron.fit.recipe import Settings
from structron.registry import learned, trained
from structron.settings import Setting, settings_of
from structron.tasks.lemmatisation.estimator import Lemmatizer
from structron.tasks.pipeline.estimator import Pipeline

PAGE = Path(__file__).resolve().parents[1] / "docs" / "settings.md"
BEGINNING = """\
# All settings

A setting has one name in Python, in a recipe and on the command line. `python tools/settings.py` writes this
page from the fields that declare the settings; a test compares the two. [Which settings?](guides/settings.md)
says what to change and when.
"""
USUAL = settings_of(Settings)  # of every task, with the usual defaults
HEAD = "| setting | option | default | values | what it is |\n|---|---|---|---|---|"


def page() -> str:
    """Return the whole page."""
    parts = [BEGINNING, section("Every task", table(USUAL.values()))]
    for task, (shared, own) in ((task, declared(task)) for task in learned()):
        changed = [
            f"`{name}` is `{each.default}`"
            for name, each in shared.items()
            if each.default != USUAL[name].default
        ]
        said = f"Other defaults than above: {', '.join(changed)}.\n\n" if changed else ""
        parts.append(f"## {task.capitalize()}\n\n{trained()[task]}\n\n{said}{table(own.values())}\n")
    parts.append(section("Pipeline", table(settings_of(Pipeline).values())))
    parts.append(section("Lemmatizer, from Python", table(settings_of(Lemmatizer).values())))
    return "\n".join(parts)


def section(title: str, text: str) -> str:
    """Return a section of the page."""
    return f"## {title}\n\n{text}\n"


def table(settings: Iterable[Setting]) -> str:
    """Return a row for each setting."""
    return "\n".join([HEAD, *map(row, settings)])


def row(setting: Setting) -> str:
    """Return the row of a setting."""
    option = "" if setting.about.flags is None else f"`{flags_of(setting).replace('/', '` / `')}`"
    said = (setting.name, option, f"`{setting.default!r}`", values(setting), setting.about.brief)
    name, *cells = (each.replace("|", "\\|") for each in said)
    return f"| `{name}` | {' | '.join(cells)} |"


def values(setting: Setting) -> str:
    """Return what values a setting may have."""
    about = setting.about
    auto = ", or auto" if setting.may_be_auto and not about.choices else ""
    if about.choices:
        return "a word"
    if about.low is None:
        return "true or false" if setting.kind is bool else "text"
    low = f"above {about.low}" if about.above else f"from {about.low}"
    return f"{low}{'' if about.high is None else f' to {about.high}'}{auto}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
