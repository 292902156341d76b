"""The model file: what goes in comes out; no damaged or hostile file gets through or brings Python down."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors import SafetensorError, safe_open

from structron.errors import ModelError
from structron.io.model_file import archive
from structron.io.model_file.archive import read_archive, write_archive

HEADER = {"task": "tagging", "labels": ["DT", "NN", "naïve", 'a"b\\'], "seed": 0, "rate": 0.5, "none": None}
ARRAYS = {
    "weights": np.linspace(-1, 1, 37, dtype=np.float32),
    "keys": np.arange(9, dtype=np.uint64) << np.uint64(55),
    "names": np.frombuffer(b"the\0dog\0", dtype=np.uint8),
    "table": np.arange(12, dtype=np.int16).reshape(3, 4),
    "flags": np.array([True, False, True]),
    "half": np.array(0.5, dtype=np.float16),
    "empty": np.zeros((0, 5), dtype=np.int32),
}
DTYPES = ["?", "i1", "u1", "<i2", ">i2", "<u2", "<f2", "<i4", "<u4", "<f4", ">f4", "<i8", "<u8", "<f8", ">f8"]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.safetensors"
    write_archive(path, HEADER, ARRAYS)
    return path


def refuse(path: Path, match: str) -> str:
    with pytest.raises(ModelError, match=match) as caught:
        read_archive(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "; " in message and "\n" not in message
    return message


def equal(left: np.ndarray, right: np.ndarray) -> bool:
    return left.shape == right.shape and left.tobytes() == right.astype(left.dtype).tobytes()


# ------------------------------------------------------------------------------------------ the good case


def test_what_is_written_is_read_back_and_read_only(model: Path) -> None:
    header, arrays = read_archive(model)
    assert header == HEADER
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype and equal(arrays[name], array), name
        assert not arrays[name].flags.writeable and arrays[name].flags.aligned
        assert not arrays[name].flags.owndata


@pytest.mark.parametrize("verify", [True, False])
def test_what_was_read_does_not_follow_its_file(model: Path, verify: bool) -> None:
    _, arrays = read_archive(model, verify=verify)
    size = model.stat().st_size
    with model.open("r+b") as file:
        file.write(bytes(size))
    assert all(equal(arrays[name], array) for name, array in ARRAYS.items())
    os.truncate(model, 0)  # reading a mapping would end the process here
    assert all(equal(arrays[name], array) for name, array in ARRAYS.items())


@pytest.mark.parametrize("verify", [True, False])
def test_a_file_that_is_cut_while_it_is_read_is_refused(
    model: Path, monkeypatch: pytest.MonkeyPatch, verify: bool
) -> None:
    whole = os.fstat

    def cut_after(descriptor: int) -> os.stat_result:
        found = whole(descriptor)
        if os.path.samestat(found, model.stat()):
            os.truncate(model, found.st_size - 1)
        return found

    monkeypatch.setattr(archive.os, "fstat", cut_after)
    with pytest.raises(ModelError, match="became shorter while it was read"):
        read_archive(model, verify=verify)


def test_what_nobody_keeps_of_a_file_is_freed(tmp_path: Path) -> None:
    write_archive(tmp_path / "m", {}, {"kept": np.arange(9), "long": np.arange(1_000_000)})
    _, arrays = read_archive(tmp_path / "m")
    kept = arrays.pop("kept")
    tracemalloc.start()
    try:
        _, again = read_archive(tmp_path / "m")
        small = again["kept"]
        del again
        assert tracemalloc.get_traced_memory()[0] < 1_000_000 and equal(small, kept)
    finally:
        tracemalloc.stop()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
some_arrays = st.dictionaries(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda name: name != "__metadata__"),
    st.sampled_from(DTYPES).flatmap(
        lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
    ),
    max_size=4,
)


@settings(max_examples=40, deadline=None)
@given(header=st.dictionaries(st.text(), json_values, max_size=3), arrays=some_arrays)
def test_any_header_and_arrays_survive_here_and_in_the_safetensors_library(
    tmp_path_factory: pytest.TempPathFactory, header: dict, arrays: dict
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.safetensors"
    write_archive(path, header, arrays)
    found_header, found = read_archive(path)
    library = safetensors.numpy.load_file(path)
    assert found_header == header
    assert found.keys() == arrays.keys() == library.keys()
    for name, array in arrays.items():
        assert equal(found[name], array) and equal(library[name], array)


def test_the_safetensors_library_reads_names_shapes_and_metadata(model: Path) -> None:
    with safe_open(model, framework="numpy") as opened:
        assert set(opened.keys()) == set(ARRAYS)
        metadata = opened.metadata()
        assert json.loads(metadata["structron"]) == {"format": archive.FORMAT, "header": HEADER}
        content = model.read_bytes().replace(metadata["sha256"].encode(), b"0" * 64)
        assert hashlib.sha256(content).hexdigest() == metadata["sha256"]
        assert opened.get_slice("table").get_shape() == [3, 4]


def test_the_same_contents_give_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    for name, turn in (("a", 1), ("b", -1)):
        order = slice(None, None, turn)
        write_archive(tmp_path / name, dict([*HEADER.items()][order]), dict([*ARRAYS.items()][order]))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_strided_foreign_endian_and_lone_surrogate_inputs_are_stored_plainly(tmp_path: Path) -> None:
    path = tmp_path / "m"
    table = np.arange(24, dtype=">i4").reshape(4, 6)[::2, ::-2]
    write_archive(path, {"label": "\ud800"}, {"t": table, "f": np.asfortranarray(table)})
    header, arrays = read_archive(path)
    assert header == {"label": "\ud800"}
    assert arrays["t"].tolist() == arrays["f"].tolist() == table.tolist()
    assert safetensors.numpy.load_file(path)["t"].tolist() == table.tolist()


# ------------------------------------------------------------------------------------------ damage


def test_every_truncation_is_refused(model: Path) -> None:
    whole = model.read_bytes()
    for length in range(len(whole) - 1, -1, -1):
        os.truncate(model, length)
        refuse(model, "empty" if length == 0 else "cut short")


def test_every_flipped_bit_is_refused(model: Path) -> None:
    whole = model.read_bytes()
    with model.open("r+b", buffering=0) as file:
        for place, byte in enumerate(whole):
            for bit in range(8):
                os.pwrite(file.fileno(), bytes([byte ^ 1 << bit]), place)
                with pytest.raises(ModelError):
                    read_archive(model)
            os.pwrite(file.fileno(), bytes([byte]), place)
    assert read_archive(model)[0] == HEADER


def test_random_damage_and_additions_are_refused(model: Path) -> None:
    rng = np.random.default_rng(0)
    whole = model.read_bytes()
    for _ in range(500):
        damaged = bytearray(whole)
        begin = int(rng.integers(len(whole)))
        length = int(rng.integers(1, 40))
        damaged[begin : begin + length] = rng.bytes(int(rng.choice([0, length, length, rng.integers(60)])))
        if damaged != whole:
            model.write_bytes(damaged)
            refuse(model, ".")
    model.write_bytes(whole + b"\0")
    refuse(model, "damaged .*follow")


def test_damaged_contents_are_told_by_the_digest(model: Path) -> None:
    whole = bytearray(model.read_bytes())
    whole[-1] ^= 1
    model.write_bytes(whole)
    refuse(model, "damaged .*digest.*; copy it again")


# ------------------------------------------------------------------------------------------ other files


def test_what_is_not_a_model_file_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "m"
    refuse(path, "no such file; check the name")
    refuse(path / "below", "no such file")
    refuse(tmp_path, "a directory; name the model file")
    path.write_bytes(b"")
    refuse(path, "empty; ")
    path.write_bytes(b"hi\n")
    refuse(path, "no model at all .3 bytes.; ")
    path.write_text("this is plain text, in a file of some length\n")
    refuse(path, "not a safetensors file; ")
    path.write_bytes(b"\x80\x04\x95 and so on: a pickle")
    refuse(path, "not a safetensors file; ")
    safetensors.numpy.save_file(ARRAYS, path)
    refuse(path, "not one made by structron; ")
    safetensors.numpy.save_file(ARRAYS, path, metadata={"format": "pt"})
    refuse(path, "not one made by structron; ")


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refuse(tmp_path / "pipe", "a device or a pipe")
    with pytest.raises(ModelError, match="a device or a pipe"):
        write_archive(tmp_path / "pipe", {}, {})


def test_a_model_rewritten_by_the_safetensors_library_is_told_so(model: Path) -> None:
    with safe_open(model, framework="numpy") as opened:
        metadata = opened.metadata()
    safetensors.numpy.save_file(safetensors.numpy.load_file(model), model, metadata={**metadata, "more": "x"})
    refuse(model, "another program rewrote")


def test_a_newer_format_says_upgrade_but_a_flipped_version_says_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m"
    monkeypatch.setattr(archive, "FORMAT", 7)
    write_archive(path, HEADER, ARRAYS)
    monkeypatch.undo()
    refuse(path, "newer structron .file format 7, .* up to 1.; upgrade")
    write_archive(path, HEADER, ARRAYS)
    path.write_bytes(path.read_bytes().replace(b'\\"format\\":1', b'\\"format\\":9'))
    refuse(path, "damaged .*digest")


# ------------------------------------------------------------------------------------------ hostile headers

INNER = json.dumps({"format": 1, "header": {}})
DATA = bytes(range(48))


def forge(
    path: Path, rest: str | bytes, data: bytes = DATA, inner: str = INNER, length: int | None = None
) -> None:
    """Write a file with a valid beginning and a valid digest, so that only the structure can betray it."""
    rest = rest.encode() if isinstance(rest, str) else rest
    begin = b'{"__metadata__":{"sha256":"'
    text = begin + b"0" * 64 + b'","structron":' + json.dumps(inner).encode() + b"}" + rest + b"}"
    text += b" " * (-len(text) % 8)
    whole = (len(text) if length is None else length).to_bytes(8, "little") + text + data
    digest = hashlib.sha256(whole).hexdigest().encode()
    path.write_bytes(whole[: 8 + len(begin)] + digest + whole[8 + len(begin) + 64 :])


def entry(name: str, dtype: object, shape: object, offsets: object) -> str:
    return f",{json.dumps(name)}:" + json.dumps({"dtype": dtype, "shape": shape, "data_offsets": offsets})


WHOLE = entry("x", "U8", [48], [0, 48])
TAIL = entry("z", "U8", [4], [44, 48])

HOSTILE = {
    "huge shape": (entry("x", "F32", [2**62, 2**62], [0, 48]), "disagree"),
    "huge offsets": (entry("x", "U8", [2**60], [0, 2**60]), "cut short"),
    "beyond 64 bits": (entry("x", "U8", [2**64], [0, 2**64]), "impossible shape"),
    "digits without end": (',"x":{"shape":[' + "9" * 5000 + "]}", "not valid JSON"),
    "empty but vast": (entry("a", "U8", [0, 2**62, 2**62], [0, 0]) + WHOLE, "impossible shape"),
    "too many dimensions": (entry("x", "U8", [1] * 99 + [48], [0, 48]), "impossible shape"),
    "negative shape": (entry("x", "U8", [-48], [0, -48]), "impossible shape"),
    "twice negative": (entry("x", "U8", [-6, -8], [0, 48]), "impossible shape"),
    "negative offset": (entry("x", "U8", [48], [-8, 40]), "impossible offsets"),
    "backwards": (entry("x", "U8", [48], [48, 0]), "disagree"),
    "overlap": (entry("x", "U8", [48], [0, 48]) + entry("y", "U8", [8], [40, 48]), "begins at 40 where 48"),
    "the same bytes twice": (WHOLE + entry("y", "U8", [48], [0, 48]), "begins at 0 where 48"),
    "a gap": (entry("x", "U8", [8], [0, 8]) + entry("y", "U8", [32], [16, 48]), "begins at 16 where 8"),
    "a late beginning": (entry("x", "U8", [40], [8, 48]), "begins at 8 where 0"),
    "bytes left over": (entry("x", "U8", [40], [0, 40]), "8 bytes follow"),
    "no array at all": ("", "48 bytes follow"),
    "shape against offsets": (entry("x", "F32", [11], [0, 48]), "disagree"),
    "unaligned": (entry("x", "U8", [4], [0, 4]) + entry("y", "U64", [5], [4, 44]) + TAIL, "not aligned"),
    "unknown type": (entry("x", "O", [6], [0, 48]), "unknown type"),
    "bfloat": (entry("x", "BF16", [24], [0, 48]), "unknown type"),
    "type not text": (entry("x", 3, [48], [0, 48]), "unknown type"),
    "type a list": (entry("x", ["U8"], [48], [0, 48]), "unknown type"),
    "floats for lengths": (entry("x", "U8", [48.0], [0, 48]), "impossible shape"),
    "true for one": (entry("x", "U8", [48, True], [0, 48]), "impossible shape"),
    "shape no list": (entry("x", "U8", 48, [0, 48]), "impossible shape"),
    "three offsets": (entry("x", "U8", [48], [0, 48, 48]), "impossible offsets"),
    "null offsets": (entry("x", "U8", [48], None), "impossible offsets"),
    "entry no object": (',"x":[1,2]', "wrong shape"),
    "field missing": (',"x":{"dtype":"U8","shape":[48]}', "wrong shape"),
    "field too many": (WHOLE[:-1] + ',"code":"import os"}', "wrong shape"),
    "name twice": (WHOLE + WHOLE, "stands twice"),
    "field twice": (WHOLE[:-1] + ',"dtype":"U8"}', "stands twice"),
    "metadata twice": (WHOLE + ',"__metadata__":{}', "stands twice"),
    "deep": (',"x":' + "[" * 200_000, "not valid JSON"),
    "deep and closed": (',"x":' + "[" * 200_000 + "]" * 200_000, "not valid JSON"),
    "NaN": (',"x":{"dtype":"U8","shape":[NaN],"data_offsets":[0,48]}', "NaN is not"),
    "infinity": (',"x":{"dtype":"U8","shape":[48],"data_offsets":[0,-Infinity]}', "Infinity is not"),
    "overflow": (',"x":{"dtype":"U8","shape":[48],"data_offsets":[0,1e999]}', "overflows"),
    "not UTF-8": (b',"\xff\xfe":{}', "not valid JSON"),
    "broken JSON": (',"x"', "not valid JSON"),
    "after the end": (WHOLE + "}{", "not valid JSON"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_header_with_a_valid_digest_is_refused(tmp_path: Path, case: str) -> None:
    rest, match = HOSTILE[case]
    forge(tmp_path / "m", rest)
    refuse(tmp_path / "m", match)


def test_the_forger_of_these_tests_can_write_good_files(tmp_path: Path) -> None:
    forge(tmp_path / "m", WHOLE)
    header, arrays = read_archive(tmp_path / "m")
    assert header == {} and arrays["x"].tobytes() == DATA


@pytest.mark.parametrize("length", [0, 1, 2**31, 2**63, 2**64 - 1, 100_000_001])
def test_a_header_length_out_of_all_bounds_is_refused_without_reading_it(tmp_path: Path, length: int) -> None:
    forge(tmp_path / "m", WHOLE, length=length)
    refuse(tmp_path / "m", "not a safetensors file")


def test_a_header_longer_than_the_file_is_cut_short(tmp_path: Path) -> None:
    forge(tmp_path / "m", WHOLE, length=99_999_999)
    refuse(tmp_path / "m", "cut short")


@pytest.mark.parametrize(
    ("inner", "match"),
    [
        ("", "cannot be read"),
        ("[]", "cannot be read"),
        ("7", "cannot be read"),
        ("{}", "cannot be read"),
        ("[" * 200_000, "cannot be read"),
        ('{"format":1,"header":{"a":NaN}}', "cannot be read"),
        ('{"format":1,"format":1,"header":{}}', "cannot be read"),
        ('{"format":true,"header":{}}', "no format version"),
        ('{"format":"1","header":{}}', "no format version"),
        ('{"format":0,"header":{}}', "no format version"),
        ('{"format":1}', "wrong shape"),
        ('{"format":1,"header":[]}', "wrong shape"),
        ('{"format":1,"header":{},"hook":"os.system"}', "wrong shape"),
    ],
)
def test_a_hostile_description_is_refused(tmp_path: Path, inner: str, match: str) -> None:
    forge(tmp_path / "m", WHOLE, inner=inner)
    refuse(tmp_path / "m", match)


@pytest.mark.parametrize(
    "metadata", ["[]", "null", '{"structron":3}', '{"sha256":7,"structron":"{}"}', '"x"']
)
def test_hostile_metadata_is_refused(tmp_path: Path, metadata: str) -> None:
    text = f'{{"__metadata__":{metadata}{WHOLE}}}'.encode()
    (tmp_path / "m").write_bytes(len(text).to_bytes(8, "little") + text + DATA)
    refuse(tmp_path / "m", "not one made by structron|another program")


numbers = st.integers(-4, 60) | st.sampled_from([2**31, 2**32, 2**63, 2**64, -(2**63)])
hostile_entries = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from(["U8", "U8", "I16", "F32", "F64", "BOOL", "F8"]),
        "shape": st.lists(numbers, max_size=3),
        "data_offsets": st.tuples(numbers, numbers),
    }
)


@settings(max_examples=150, deadline=None)
@given(st.lists(hostile_entries, max_size=3), st.binary(max_size=24))
def test_whatever_is_accepted_the_safetensors_library_accepts_with_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, entries: list[dict], data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "hostile.safetensors"
    forge(path, "".join(f',"{number}":{json.dumps(e)}' for number, e in enumerate(entries)), data=data)
    try:
        _, arrays = read_archive(path)
    except ModelError:
        return
    library = safetensors.numpy.load_file(path)
    assert sum(array.nbytes for array in arrays.values()) == len(data)
    assert all(equal(arrays[name], library[name]) for name in library) and arrays.keys() == library.keys()


def test_the_safetensors_library_agrees_that_overlap_is_an_error(tmp_path: Path) -> None:
    forge(tmp_path / "m", HOSTILE["overlap"][0])
    with pytest.raises(SafetensorError):
        safetensors.numpy.load_file(tmp_path / "m")


# ------------------------------------------------------------------------------------------ writing


def refuse_to_write(path: Path, header: dict, arrays: dict, match: str) -> None:
    with pytest.raises(ModelError, match=match) as caught:
        write_archive(path, header, arrays)
    assert str(caught.value).startswith(f"{path}: ") and "; " in str(caught.value)


def test_what_cannot_be_written_is_said_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "m"
    refuse_to_write(tmp_path / "none" / "m", {}, {}, "no directory .*none; make it")
    refuse_to_write(tmp_path, {}, {}, "this is a directory")
    refuse_to_write(path, {"x": float("nan")}, {}, "does not fit into JSON")
    refuse_to_write(path, {"x": {1, 2}}, {}, "does not fit into JSON")
    refuse_to_write(path, {}, {"x": np.array([object()])}, "'x' has type object")
    refuse_to_write(path, {}, {"x": np.zeros(2, dtype=complex)}, "'x' has type complex128")
    for name in ("", "__metadata__", "\ud800"):
        refuse_to_write(path, {}, {name: np.zeros(1)}, "cannot name an array")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_replace_leaves_the_old_file_whole_and_no_other(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = model.read_bytes()
    for error, raised in (
        (OSError(28, "No space left on device"), ModelError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ):

        def fail(self: Path, target: Path, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(Path, "replace", fail)
        with pytest.raises(raised, match="no space left" if raised is ModelError else None):
            write_archive(model, {"new": 1}, {})
    assert model.read_bytes() == before
    assert list(model.parent.iterdir()) == [model]


WRITER = """
import sys, numpy as np
from structron.io.model_file.archive import write_archive
arrays = {"x": np.ones(4_000_000, dtype=np.float32)}
print("ready", flush=True)
while True:
    write_archive(sys.argv[1], {"version": "new"}, arrays)
"""


def test_a_writer_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "m"
    write_archive(path, {"version": "old"}, {"x": np.zeros(5)})
    interrupted = 0
    for attempt in range(4):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        try:
            assert writer.stdout.readline() == "ready\n"
            # Wait until bytes are on their way, so that the kill falls into a write.
            while writer.poll() is None and not any(size(part) for part in parts(tmp_path)):
                time.sleep(0.001)
            time.sleep(0.003 * attempt)
        finally:
            os.kill(writer.pid, signal.SIGKILL)
            writer.stdout.close()
        assert writer.wait() == -signal.SIGKILL
        header, arrays = read_archive(path)
        assert (header["version"], arrays["x"].size) in {("old", 5), ("new", 4_000_000)}
        for part in parts(tmp_path):
            interrupted += 1
            part.unlink()
    assert interrupted, "no kill fell into a write: the test does not test anything"


def parts(directory: Path) -> list[Path]:
    return [path for path in directory.iterdir() if path.suffix == ".part"]


def size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # renamed since it was listed
        return 0


def test_a_model_that_was_read_outlives_its_replacement(model: Path) -> None:
    _, arrays = read_archive(model)
    write_archive(model, {}, {"weights": arrays["weights"] + 1})
    assert equal(arrays["weights"], ARRAYS["weights"])
    assert equal(read_archive(model)[1]["weights"], ARRAYS["weights"] + 1)


def test_a_symbolic_link_stays_a_link(model: Path) -> None:
    link = model.with_name("link")
    link.symlink_to(model)
    write_archive(link, {"through": "link"}, {})
    assert link.is_symlink() and read_archive(model)[0] == {"through": "link"}
