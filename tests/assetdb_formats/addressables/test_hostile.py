from __future__ import annotations

import gc
import json
import struct
import subprocess
import sys
import time
import tracemalloc
from array import array
from base64 import b64decode, b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from assetdb_formats.addressables.binary.reader import MAGIC
from assetdb_formats.addressables.binary.writer import encode_binary
from assetdb_formats.addressables.editing.content import Content, Entry, content_of
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.queries.query import closure_of, needs_of, users_of
from assetdb_formats.addressables.queries.verify import verify_catalog
from assetdb_formats.addressables.reading import read_catalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.flavour import Flavour
    from assetdb_formats.addressables.model import Problem

CHECKOUT = Path(__file__).resolve().parents[3]
NULL = 0xFFFFFFFF
Read = TypeVar("Read")
MEMORY = 64 << 20  # bytes beside the input


def tables(json_bytes: bytes, change: Callable[[dict[str, object]], None]) -> bytes:
    fields = json.loads(json_bytes)
    change(fields)
    return json.dumps(fields).encode()


@pytest.mark.parametrize("size", [0, 1, 4, 20, 27, 28, 31, 35, 40, 100, 1000])
def test_a_cut_binary_is_a_typed_error(binary_bytes: bytes, size: int) -> None:
    with pytest.raises(AddressablesError) as caught:
        list(read_catalog(binary_bytes[:size]).locations())
    assert caught.value.what


def test_a_cut_binary_is_salvaged_as_far_as_it_goes(binary_bytes: bytes) -> None:
    catalog = read_catalog(binary_bytes[: len(binary_bytes) * 3 // 4], salvage=True)
    found = list(catalog.locations())
    assert found
    assert catalog.problems
    assert all(problem.field and problem.offset is not None for problem in catalog.problems)
    assert len(catalog.keys) == len(read_catalog(binary_bytes).keys)


@pytest.mark.parametrize(("at", "number", "field"), [
    (0, 1, "header.magic"), (4, 9, "header.version"), (8, 0, "header.keysOffset"), (8, NULL, "header.keysOffset"),
    (12, 0x3FFFFFF0, "header.idOffset"), (16, 0x7FFFFFF0, "header.instanceProvider"),
    (24, 0x7FFFFFF0, "header.initObjectsArray"), (32, NULL, "keys"),
])  # fmt: skip
def test_a_wrong_header_says_its_field_and_offset(binary_bytes: bytes, at: int, number: int, field: str) -> None:
    data = binary_bytes[:at] + struct.pack("<I", number) + binary_bytes[at + 4 :]
    with pytest.raises(AddressablesError) as caught:
        read_catalog(data)
    assert caught.value.field == field
    assert caught.value.offset is not None


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{", b'{"a":', b"[" * 200_000, b'{"a":1e999}', b"\xff\xfe{}", b"{}x"]
)
def test_what_is_no_catalog_is_a_typed_error(data: bytes) -> None:
    for salvage in (False, True):
        try:
            catalog = read_catalog(data, salvage=salvage)
        except AddressablesError:
            continue
        assert salvage
        assert catalog.problems


def test_salvage_keeps_what_a_wrong_number_does_not_touch(json_bytes: bytes) -> None:
    whole = read_catalog(json_bytes)
    fields = json.loads(json_bytes)
    rows = bytearray(b64decode(fields["m_EntryDataString"]))
    struct.pack_into("<i", rows, 4 + 28 * 2, 9999)
    fields["m_EntryDataString"] = b64encode(rows).decode()
    data = json.dumps(fields).encode()
    strict = read_catalog(data)
    with pytest.raises(AddressablesError) as caught:
        strict.location(2)
    assert caught.value.offset == 4 + 28 * 2
    assert caught.value.field == "m_EntryDataString[2].internalId"
    salvaged = read_catalog(data, salvage=True)
    rest = [location for location in salvaged.locations() if location.number != 2]
    assert rest == [location for location in whole.locations() if location.number != 2]
    assert salvaged.location(2).internal_id == ""
    assert [problem.code for problem in salvaged.problems] == ["index"]


def test_a_missing_or_mistyped_field_is_named(json_bytes: bytes) -> None:
    for name in ("m_InternalIds", "m_KeyDataString", "m_BucketDataString", "m_EntryDataString", "m_ProviderIds"):
        with pytest.raises(AddressablesError) as caught:
            list(read_catalog(tables(json_bytes, lambda fields, name=name: fields.pop(name))).locations())  # type: ignore[misc]
        assert caught.value.field == name
        with pytest.raises(AddressablesError) as caught:
            list(read_catalog(tables(json_bytes, lambda fields, name=name: fields.update({name: 5}))).locations())  # type: ignore[misc]
        assert caught.value.field == name


def chain_catalog(count: int, *, circle: bool = False) -> bytes:
    """A binary catalog with one key and a chain of dependencies, each location needing the next."""
    out = bytearray(struct.pack("<7I", MAGIC, 2, 32, NULL, NULL, NULL, NULL))
    out += struct.pack("<III", 8, 0, 0)
    first = len(out) + 8 * count
    for number in range(count):
        following = first + 28 * (number + 1)
        if number == count - 1:
            following = first if circle else 0
        out += struct.pack("<II", 4 if following else 0, following)
    for number in range(count):
        out += struct.pack("<4Ii2I", NULL, NULL, NULL, 40 + 8 * number + 4, 0, NULL, NULL)
    value = len(out)
    out += struct.pack("<I", first - first % 1)
    struct.pack_into("<II", out, 32, NULL, value + 4)
    out[value:] = struct.pack("<II", 4, first)
    return bytes(out)


@pytest.mark.long
def test_what_a_long_chain_says_stays_in_proportion() -> None:
    data = chain_catalog(20_000)
    catalog = read_catalog(data)
    tracemalloc.start()
    content = content_of(catalog)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(content.entries) == 20_000
    assert peak < 20 * len(data)  # of 3.6 MB that is the 64 MB that any input may take


@pytest.mark.long
@pytest.mark.parametrize("circle", [False, True])
def test_a_chain_of_100_000_dependencies_is_walked_without_recursion(circle: bool) -> None:  # noqa: FBT001 - parametrized
    catalog = read_catalog(chain_catalog(100_000, circle=circle))
    assert catalog.location_count == 100_000
    assert len(closure_of(catalog, [0]).locations) == 100_000
    assert len(users_of(catalog, [99_999])) == 99_999
    assert sum(1 for _ in catalog.locations()) == 100_000
    assert len(next(check for check in verify_catalog(catalog) if check.name == "tables").problems) == 1000


def within_memory(read: Callable[[], Read], most: int = MEMORY) -> Read:
    """Return what ``read`` returns; no more bytes may be held at once than a hostile file may take."""
    gc.collect()
    tracemalloc.start()
    try:
        found = read()
        assert tracemalloc.get_traced_memory()[1] <= most
        return found
    finally:
        tracemalloc.stop()


# A quarter of the 100,000 locations that may take 64 MB, in a quarter of it: counting memory takes ten times as long.
QUARTER = 25_000


@pytest.mark.long
def test_a_circle_of_dependencies_is_taken_apart_in_64_megabytes_for_100_000() -> None:
    data = chain_catalog(QUARTER, circle=True)
    content = within_memory(lambda: content_of(read_catalog(data)), MEMORY // 4)
    assert len(content.entries) == QUARTER
    with pytest.raises(ValueError, match="depends on itself"):
        encode_binary(content, BINARY_FLAVOURS["2.0.8"])


@pytest.mark.long
@pytest.mark.parametrize("flavour", [JSON_FLAVOURS["1.28"], BINARY_FLAVOURS["2.0.8"]], ids=["json", "binary"])
def test_a_chain_of_keys_is_taken_apart_in_64_megabytes_for_100_000(
    flavour: Flavour, encode: Callable[[Content, Flavour], bytes]
) -> None:
    entries = [Entry([f"k{number}"], f"k{number}", "p", None, [f"k{number + 1}"]) for number in range(QUARTER)]
    entries[-1].dependencies = []
    data = encode(Content(flavour, entries), flavour)
    del entries
    content = within_memory(lambda: content_of(read_catalog(data)), MEMORY // 4)
    assert len(content.entries) == QUARTER
    assert encode(content, flavour) == data


def test_a_location_that_needs_itself_is_found_and_said(json_bytes: bytes) -> None:
    catalog = read_catalog(chain_catalog(1, circle=True))
    assert closure_of(catalog, [0]).locations == (0,)
    assert "cycle" in {problem.code for check in verify_catalog(catalog) for problem in check.problems}


def string_bomb(links: int) -> bytes:
    """A binary catalog whose one name is a chain that doubles its text... as far as chains can: each tail anew."""
    out = bytearray(struct.pack("<7I", MAGIC, 2, 32, 0, NULL, NULL, NULL) + struct.pack("<I", 8 * links))
    nodes = 32 + 8 * links
    text = nodes + 8 * links + 4
    for _ in range(links):
        out += struct.pack("<II", 0, 0)
    for number in range(links):
        out += struct.pack("<II", text, nodes + 8 * (number - 1) if number else NULL)
    out += struct.pack("<I", 1000) + b"x" * 1000
    value = len(out)
    # System.String by its name, and for each link one key whose text is the chain up to there.
    out += struct.pack("<I", 13) + b"System.String"
    kind = len(out)
    out += struct.pack("<II", NULL, value + 4)
    struct.pack_into("<I", out, 12, NULL)
    for number in range(links):
        at = len(out)
        out += struct.pack("<IHxxII", 0x40000000 | nodes + 8 * number, ord("/"), kind, at)
        struct.pack_into("<II", out, 32 + 8 * number, at + 8, NULL)
    return bytes(out)


def test_text_that_grows_out_of_proportion_is_refused() -> None:
    assert len(read_catalog(string_bomb(10)).keys[-1]) == 10 * 1001 - 1  # type: ignore[arg-type]
    data = string_bomb(4000)  # 100 KB that expand to 8 GB
    with pytest.raises(AddressablesError, match="expand to"):
        read_catalog(data)
    assert len(read_catalog(data, salvage=True).problems) > 1000


def overlapping(column: str, length: int) -> bytes:
    """A catalog with a length every four bytes, each reaching over the lengths that follow."""
    count = 10_000
    out = bytearray(struct.pack("<7I", MAGIC, 2, 32, NULL, NULL, NULL, NULL) + struct.pack("<I", 8 * count))
    out += bytes(8 * count)
    name = len(out) + 4
    out += struct.pack("<I", 13) + b"System.String"
    kind = len(out)
    out += struct.pack("<II", NULL, name)
    texts = len(out) + 4
    out += struct.pack("<I", length) * (count + length // 4)
    for number in range(count):
        ids = {"key": NULL, "primary": NULL, "internal": NULL, column: texts + 4 * number}
        key = len(out) + 8
        out += struct.pack("<IHxxII", ids["key"], 0, kind, len(out))
        out += struct.pack("<II", 4, len(out) + 8)
        struct.pack_into("<II", out, 32 + 8 * number, key, len(out) - 4)
        out += struct.pack("<4Ii2I", ids["primary"], ids["internal"], NULL, NULL, 0, NULL, NULL)
    return bytes(out)


@pytest.mark.parametrize("column", ["key", "primary", "internal"])
def test_strings_that_overlap_do_not_spell_out_the_square_of_the_file(column: str) -> None:
    data = overlapping(column, 0x6060)  # a length that is ASCII text itself
    with pytest.raises(AddressablesError, match="expand to"):
        within_memory(lambda: list(read_catalog(data).locations()))
    with pytest.raises(AddressablesError, match="expand to"):
        content_of(read_catalog(data))


def test_a_catalog_that_has_spelled_out_too_much_is_not_decoded_on() -> None:
    catalog = read_catalog(overlapping("internal", 0x60E0), salvage=True)  # no ASCII
    started = time.process_time()
    assert len(list(catalog.locations())) == 10_000
    assert time.process_time() - started < 5  # 19 s where each string is decoded before it is counted


def repeated(json_bytes: bytes, count: int, change: Callable[[dict[str, Any], array[int]], None]) -> bytes:
    """A JSON catalog whose last entry is there ``count`` times more; ``change`` is given the fields and the rows."""
    fields = json.loads(json_bytes)
    rows = array("i", b64decode(fields["m_EntryDataString"]))
    rows[0] += count
    rows.extend(rows[-7:] * count)
    change(fields, rows)
    fields["m_EntryDataString"] = b64encode(rows.tobytes()).decode()
    return json.dumps(fields).encode()


def test_objects_of_a_json_catalog_that_overlap_are_refused(json_bytes: bytes) -> None:
    count, length = 10_000, 0x6060

    def overlap(fields: dict[str, Any], rows: array[int]) -> None:
        fields["m_ExtraDataString"] = b64encode(struct.pack("<BI", 0, length) * (count + length // 5)).decode()
        rows[5::7] = array("i", (-1,)) * rows[0]
        rows[-7 * count + 4 :: 7] = array("i", range(0, 5 * count, 5))

    data = repeated(json_bytes, count, overlap)
    with pytest.raises(AddressablesError, match="overlap"):
        within_memory(lambda: list(read_catalog(data).locations())[-count:])
    assert "data" in {problem.code for problem in salvaged(data)}


def test_a_prefix_that_all_internal_ids_share_is_not_multiplied(json_bytes: bytes) -> None:
    count = 10_000

    def share(fields: dict[str, Any], rows: array[int]) -> None:
        known = len(fields["m_InternalIds"])
        fields["m_InternalIdPrefixes"] = ["x" * 500_000]
        fields["m_InternalIds"] += [f"0#{number}" for number in range(count)]
        rows[-7 * count :: 7] = array("i", range(known, known + count))

    data = repeated(json_bytes, count, share)
    with pytest.raises(AddressablesError, match="prefixes expand to"):
        read_catalog(data)
    assert [problem.code for problem in salvaged(data)] == ["prefix"]


def salvaged(data: bytes) -> list[Problem]:
    def read() -> list[Problem]:
        catalog = read_catalog(data, salvage=True)
        assert len(list(catalog.locations())) == catalog.location_count
        return catalog.problems

    return within_memory(read)


def test_keys_that_share_everything_are_read_but_not_multiplied() -> None:
    count = 20_000
    out = bytearray(struct.pack("<7I", MAGIC, 2, 32, NULL, NULL, NULL, NULL) + struct.pack("<I", 8 * count))
    array = 32 + 8 * count + 28 + 4
    out += struct.pack("<II", NULL, array) * count
    location = len(out)
    out += struct.pack("<4Ii2I", NULL, NULL, NULL, NULL, 0, NULL, NULL)
    out += struct.pack("<I", 4 * count) + struct.pack("<I", location) * count
    catalog = read_catalog(bytes(out))
    assert len(catalog.key_locations(count - 1)) == count
    with pytest.raises(AddressablesError, match="far more"):
        content_of(catalog)


@pytest.mark.parametrize("form", ["binary", "json"])
def test_a_list_of_dependencies_that_all_locations_share_is_gone_through_once(form: str, json_bytes: bytes) -> None:
    count = 20_000
    if form == "binary":
        out = bytearray(
            struct.pack("<10I", MAGIC, 2, 32, NULL, NULL, NULL, NULL, 8, NULL, 44) + struct.pack("<I", 4 * count)
        )
        out += struct.pack(f"<{count}I", *range(44 + 4 * count, 44 + 32 * count, 28))
        catalog = read_catalog(bytes(out + struct.pack("<4Ii2I", NULL, NULL, NULL, 44, 0, NULL, NULL) * count))
    else:

        def share(fields: dict[str, Any], rows: array[int]) -> None:
            buckets = array("i", (1, 4, rows[0], *range(rows[0])))
            fields["m_KeyDataString"] = b64encode(struct.pack("<IBi", 1, 4, 7)).decode()
            fields["m_BucketDataString"] = b64encode(buckets.tobytes()).decode()
            rows[3::7] = rows[6::7] = array("i", (0,)) * rows[0]  # the key of dependencies, and the own one

        catalog = read_catalog(repeated(json_bytes, count, share))
    count = catalog.location_count
    assert len(catalog.dependencies(count - 1)) == count
    began = time.process_time()
    assert len(closure_of(catalog, [0]).locations) == count
    assert len(users_of(catalog, [0])) == count - 1
    assert len(needs_of(catalog, range(count), direct=True).locations) == count
    check = next(check for check in verify_catalog(catalog) if check.name == "tables")
    assert check.wrong >= count
    assert time.process_time() - began < 8


@pytest.mark.long
@pytest.mark.corpus("addressables")
def test_20_000_mutations_of_real_files(corpus: Path) -> None:
    command = [sys.executable, "-m", "scripts.fuzz.catalog", str(corpus / "addressables" / "data")]
    done = subprocess.run(
        [*command, "--count", "20000", "--largest", "35000"], capture_output=True, text=True, check=False, cwd=CHECKOUT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20,000 cases" in done.stdout


def taken_apart(data: bytes, *, salvage: bool) -> AddressablesError | None:
    """Do everything to a file that needs nothing beside it; return the error that it ends with."""
    try:
        catalog = read_catalog(data, salvage=salvage)
        count = sum(1 for _ in catalog.locations())
        closure_of(catalog, range(min(count, 3)))
        verify_catalog(catalog)
        content_of(catalog)
    except AddressablesError as error:
        return error
    return None


@pytest.mark.long
@pytest.mark.corpus("addressables")
def test_malformed_files_of_the_corpus(corpus: Path) -> None:
    files = sorted((corpus / "addressables" / "data" / "derived" / "malformed").iterdir())
    assert len(files) > 20
    for path in files:
        data = path.read_bytes()
        if len(data) > LARGE:
            assert grown_by(path) <= MEMORY, path.name
            continue
        found = within_memory(lambda data=data: taken_apart(data, salvage=False))  # type: ignore[misc]
        if found is not None:  # else a salvaging read does the same
            assert found.what, path.name
            found = within_memory(lambda data=data: taken_apart(data, salvage=True))  # type: ignore[misc]
            assert found is None or found.what, path.name


# Bytes of a file from which on a process of its own tells what it takes: of a chain of 100,000 to count each allocation
# took 23 s of processor time, to read it 2, and both say 52 MB.
LARGE = 1 << 20
READ_AND_SAY = """
import sys
from pathlib import Path
from scripts.bench.measuring import field_of
from tests.assetdb_formats.addressables.test_hostile import taken_apart
data, status = Path(sys.argv[1]).read_bytes(), "/proc/self/status"
before = field_of(status, "VmRSS")
found = taken_apart(data, salvage=False)
if found is not None:
    found = taken_apart(data, salvage=True)
assert found is None or found.what
print(1024 * (field_of(status, "VmHWM") - before))
"""


def grown_by(path: Path) -> int:
    """Return the bytes by which a process grows that does everything to a file."""
    command = [sys.executable, "-c", READ_AND_SAY, str(path)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, cwd=CHECKOUT).stdout)
