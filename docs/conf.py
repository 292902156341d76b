"""The documentation as a site: `make docs`.

Pages about experiments and benchmarks live beside their code, and are copied here while the site is built.
Links to files that are no pages lead to the copies of those files.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import GenericAlias
from typing import Any

from sphinx.ext.autodoc.mock import mock

HERE = Path(__file__).parent
ROOT = HERE.parent
COPIED, NAMES = HERE / "copied", HERE / "names"

project = "structron"
author = "The structron authors"
project_copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = "structron"
html_show_sphinx = False
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True  # properties have docstrings of their own
# The second: types are named like fields of several classes.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

# What `reference.md` lists: these modules' public names.
PARTS = (
    "explaining",
    "features",
    "fit",
    "io",
    "learners",
    "metrics",
    "own",
    "reference",
    "synthetic",
    "theory",
)
ADAPTERS = (
    "arrow", "crfsuite", "duckdb", "hub", "huggingface", "nltk", "nltk_perceptron", "pandas", "polars",
    "progress", "spacy",
)  # fmt: skip
MODULES = (
    "structron",
    *(f"structron.{part}" for part in PARTS),
    *(f"structron.adapters.{name}" for name in ADAPTERS),
)
# Adapters are described without the libraries that are not installed.
LIBRARIES = ("duckdb", "huggingface_hub", "nltk", "pandas", "polars", "pyarrow", "spacy", "srsly")
autodoc_mock_imports = [name for name in LIBRARIES if find_spec(name) is None]
LINK = re.compile(r"(!?\[[^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")


def public(module: Any) -> list[str]:
    """Return the names that a module offers: what `__all__` says."""
    return [name for name in module.__all__ if not name.startswith("_")]


def described(path: str, name: str, value: Any) -> list[str]:
    """Return what the page of a module says of one name."""
    if isinstance(value, GenericAlias):
        return [f"**{name}**: `{value}`"]
    if isinstance(value, type):
        members = ["   :members:", "   :inherited-members: Exception,dict,tuple"]
        return ["```{eval-rst}", f".. autoclass:: {path}.{name}", *members, "```"]
    if callable(value):
        return ["```{eval-rst}", f".. autofunction:: {path}.{name}", "```"]
    # A table or a number: the docstring it has is that of its type.
    told = ", ".join(f"`{each}`" for each in value) if isinstance(value, Iterable) else f"{value!r}"
    return [f"**{name}**: {told}"]


def write_names() -> None:
    """Write a page for each module of `MODULES`."""
    shutil.rmtree(NAMES, ignore_errors=True)
    NAMES.mkdir()
    for path in MODULES:
        with mock(autodoc_mock_imports):
            module = import_module(path)
        lines = [f"# {path}", "", (module.__doc__ or "").strip().splitlines()[0], ""]
        for name in public(module):
            lines += [*described(path, name, getattr(module, name)), ""]
        (NAMES / f"{path}.md").write_text("\n".join(lines), encoding="utf-8")


def copy_pages() -> None:
    """Copy READMEs of experiments and benchmarks, and measured tables, to `copied/`."""
    shutil.rmtree(COPIED, ignore_errors=True)
    pages = [*ROOT.glob("experiments/**/README.md"), *ROOT.glob("benchmarks/**/*.md")]
    for page in [*pages, ROOT / "CONTRIBUTING.md"]:
        target = COPIED / page.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")


def relink(_: Any, docname: str, source: list[str]) -> None:
    """Turn relative links of the repository into links to pages and files of the site."""
    here = HERE / f"{docname}.md"
    origin = ROOT / here.relative_to(COPIED) if here.is_relative_to(COPIED) else here

    def led(match: re.Match[str]) -> str:
        target = (origin.parent / match[2]).resolve()
        text, anchor = match[1], match[3] or ""
        if target.is_dir() and (target / "README.md").is_file():
            target = target / "README.md"
        if target.suffix == ".md" and target.is_relative_to(HERE):
            return f"{text}](/{target.relative_to(HERE)}{anchor})"
        copied = COPIED / target.relative_to(ROOT) if target.is_relative_to(ROOT) else target
        if copied.is_file() and copied.suffix == ".md":
            return f"{text}](/{copied.relative_to(HERE)}{anchor})"
        if target.is_file():
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, copied)
            place = f"/{copied.relative_to(HERE)}"
            return f"{text}]({place if text.startswith(chr(33)) else 'path:' + place})"
        if target.exists():  # a folder of code has no page
            return text.removeprefix("[")
        return match[0]

    source[0] = LINK.sub(led, source[0])
    if docname == "decisions/README":  # a plain list of links where it is read in the repository
        source[0] += "\n```{toctree}\n:glob:\n:hidden:\n0*\nmeasurements/*\n```\n"


def setup(app: Any) -> None:
    write_names()
    copy_pages()
    app.connect("source-read", relink)
