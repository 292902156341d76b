"""Files of names: read and written, with every fault told by its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from structron.errors import DataError
from structron.io.formats.names import read_names, write_names
from structron.io.values.terms import parse_term


def test_what_is_written_is_read(tmp_path: Path) -> None:
    names = [(("new", "york"), parse_term("stateid('new york')")), (("us",), parse_term("countryid(usa)"))]
    write_names(names, tmp_path / "names.gz")
    assert list(read_names(tmp_path / "names.gz")) == names
    assert gzip.decompress((tmp_path / "names.gz").read_bytes()) == (
        b"new york\tstateid('new york')\nus\tcountryid(usa)\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"us\ta\n\nnew york\n", "names.tsv:3: no tab where words TAB constant is needed; fix the line"),
        (b" \ta\n", "names.tsv:1: a name without words; fix the line"),
        (b"us\tf(a\n", "names.tsv:1: constant column 4: the bracket of column 2 is not closed"),
        (b"us\t\xff\n", "names.tsv:1: byte 0xff at position 4 is not UTF-8"),
    ],
)
def test_faults_are_told_by_their_line(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "names.tsv"
    path.write_bytes(text)
    with pytest.raises(DataError) as caught:
        list(read_names(path))
    assert message in str(caught.value)


def test_a_name_that_breaks_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    with pytest.raises(DataError, match="give words without blanks"):
        write_names([(("new york",), parse_term("a"))], path)
    assert not path.exists()
