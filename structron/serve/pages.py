"""Pages and their files, all from the package: nothing is fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import FastAPI, Response

from structron.serve.refusals import UNKNOWN, Refused

TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


@cache
def static() -> dict[str, bytes]:
    """Return all files by name; a request can name one of these, and no other place."""
    return dict(_under(files("structron.serve") / "static", ""))


def _under(folder: Traversable, before: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _under(each, f"{before}{each.name}/")
        elif each.name.rpartition(".")[2] in TYPES:
            yield before + each.name, each.read_bytes()


def page(name: str) -> Response:
    """Return one of the files."""
    found = static().get(name)
    if found is None:
        raise Refused(UNKNOWN, "there is no such file; see /docs")
    return Response(found, media_type=TYPES[name.rpartition(".")[2]], headers={"cache-control": "no-cache"})


def add_pages(app: FastAPI) -> None:
    """Add the description for people, and the files of all pages."""

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return page("docs.html")

    @app.get("/static/{name:path}", include_in_schema=False)
    async def file(name: str) -> Response:
        return page(name)
