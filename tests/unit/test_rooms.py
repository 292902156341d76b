"""The rules of the house: small folders, short files and functions, docstrings that say the thing first.

`rooms_open.txt` lists what does not follow them yet. The list may only shrink: an entry that is no longer
needed fails the test, too. ``python tests/unit/test_rooms.py`` takes such entries out, and adds none.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
OPEN = Path(__file__).with_name("rooms_open.txt")
MOST_FILES, MOST_LINES, MOST_LINES_OF_A_FUNCTION = 15, 400, 60
SOURCES = {".py", ".hpp", ".cpp", ".js", ".css", ".html"}
OPENINGS = re.compile(r"(What|The same|Whether|How|Of|Those|So|Who)\b")
# A function in C++ begins with a line that closes its parameters, or what a constructor initialises, and
# ends with a brace that is indented like the first line of all this.
BEGIN = re.compile(r"^( *)(?!.*\b(?:if|for|while|switch|catch|namespace|requires)\b ?[({]?).*\).*\{$")
CLOSED = re.compile(r"[;{}]$|^ *(public|private|protected):$|^ *(//|#)")


def sources() -> list[Path]:
    """All files of source below the three rooms."""
    return [
        path
        for room in ("structron", "core", "bind")
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in SOURCES
    ]


def crowded() -> Iterator[str]:
    """Folders with too many files side by side."""
    files = [path.parent for path in [*sources(), *(ROOT / "tests").rglob("*.py")]]
    for folder in sorted(set(files)):
        if files.count(folder) > MOST_FILES:
            yield f"folder {folder.relative_to(ROOT)}"


@lru_cache(1)
def described(path: Path) -> list[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The module, the classes and the functions of one file."""
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    found: list[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef] = []
    while todo:  # expressions, most of a file, hold no statements
        node = todo.pop()
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(node)
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo += [each for each in getattr(node, name, ()) if not isinstance(each, (ast.Expr, ast.Assign))]
    return found


def long_functions(path: Path) -> Iterator[str]:
    """Functions of one file that do not fit on a screen."""
    if path.suffix == ".py":
        for node in described(path):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert node.end_lineno is not None
                if node.end_lineno - node.lineno >= MOST_LINES_OF_A_FUNCTION:
                    yield node.name
    elif path.suffix in (".hpp", ".cpp"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for at, line in enumerate(lines):
            if BEGIN.match(line):
                first = at
                is_part = line.lstrip().startswith("[")  # a function without a name, as an argument
                while (
                    not is_part
                    and first > 0
                    and lines[first - 1].strip()
                    and not CLOSED.search(lines[first - 1])
                ):
                    first -= 1
                indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
                end = next((i for i in range(at, len(lines)) if lines[i].startswith(f"{indent}}}")), at)
                if end - at >= MOST_LINES_OF_A_FUNCTION:
                    yield "in C++"  # its name may stand anywhere before the brace


def inverted(path: Path) -> Iterator[str]:
    """Whatever in a file has a docstring that begins with neither a verb nor a noun."""
    for node in described(path):
        if OPENINGS.match(ast.get_docstring(node) or ""):
            yield getattr(node, "name", path.stem)


def against_the_rules() -> set[str]:
    """Everything that does not follow the rules, as lines of the list."""
    found = set(crowded())
    for path in sources():
        place = str(path.relative_to(ROOT))
        if len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES:
            found.add(f"file {place}")
        found.update(f"function {place} {name}" for name in long_functions(path))
        if path.suffix == ".py" and any(inverted(path)):
            found.add(f"docstrings {place}")
    return found


def listed() -> set[str]:
    """The entries of the list."""
    return set(OPEN.read_text(encoding="utf-8").splitlines())


def test_whatever_is_not_listed_follows_the_rules() -> None:
    found = against_the_rules()
    fresh, done = sorted(found - listed()), sorted(listed() - found)
    assert not fresh, "split or reword, and do not add to the list:\n" + "\n".join(fresh)
    assert not done, "delete these lines from tests/unit/rooms_open.txt:\n" + "\n".join(done)


if __name__ == "__main__":
    shorter = sorted(listed() & against_the_rules())
    OPEN.write_text("".join(f"{line}\n" for line in shorter), encoding="utf-8")
    sys.stdout.write(f"{len(shorter)} entries are left\n")
