"""Files side by side: lines stay together, and what is wrong is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron.errors import DataError
from structron.io import Report
from structron.io.formats.parallel_text import Segment, read_parallel, read_segments


def written(folder: Path, **texts: bytes) -> list[Path]:
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    return [folder / name for name in texts]


def test_lines_stay_together_and_empty_ones_have_no_words(tmp_path: Path) -> None:
    places = written(tmp_path, a=b"ein Hund\n\nja", b=b"a  dog\r\nno\r\n\r\n")
    found = read_parallel(places)
    assert [each.sides for each in found] == [(("ein", "Hund"), ("a", "dog")), ((), ("no",)), (("ja",), ())]
    assert list(map(len, found)) == [2, 0, 1]
    assert found[2].place == f"{places[0]}:3"


def test_unequal_numbers_of_lines_are_told_with_both(tmp_path: Path) -> None:
    a, b, c = written(tmp_path, a=b"x\ny\n", b=b"x\ny\n", c=b"x\n")
    with pytest.raises(DataError) as error:
        read_parallel([a, b, c])
    assert str(error.value) == (
        f"{a}: it has 2 lines and {c} has 1; give files that are translations of each other line by line"
    )


def test_bad_lines_are_told_or_left_out_of_all_files(tmp_path: Path) -> None:
    a, b = written(tmp_path, a=b"x\ny\nz\n", b=b"1\n\xff\n\0\n")
    with pytest.raises(DataError, match=r"b:2: byte 0xff at position 1 is not UTF-8; name the file's --enc"):
        read_parallel([a, b])
    with pytest.raises(DataError, match="b:3: there is a NUL character, which is not text; fix it"):
        read_parallel([a, b], encoding="latin-1")
    report = Report()
    assert read_parallel([a, b], skip_bad=True, report=report) == [Segment((("x",), ("1",)), str(a), 1)]
    assert report.bad == 2 and "b:2" in report.messages[0]
    # Of one file nothing is left out, so that a translation stays in step with its source.
    assert [each.sides for each in read_segments(b, skip_bad=True, report=report)] == [
        (("1",),),
        ((),),
        ((),),
    ]
    assert report.bad == 4
    with pytest.raises(DataError, match="b:2"):
        list(read_segments(b))
