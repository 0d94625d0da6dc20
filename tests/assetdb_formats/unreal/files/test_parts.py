"""Parts of a package: where its header, exports, bulk data, payloads and data resources lie."""

from __future__ import annotations

from struct import pack
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.files.parts import Part, PartFiles, package_parts
from assetdb_formats.unreal.packages.payloads import DataResource, Payload, Trailer

if TYPE_CHECKING:
    from pathlib import Path

TAG = b"\xc1\x83\x2a\x9e"
HEADER = 100


class Exports(list[SimpleNamespace]):
    def record(self, number: int) -> SimpleNamespace:
        return self[number]


def package(
    size: int,
    *,
    exports: tuple[tuple[int, int], ...] = ((HEADER, 50),),
    bulk: int = 0,
    toc: int = 0,
    cooked: bool = False,
    **more: object,
) -> Any:  # noqa: ANN401 - as much of a package as its parts depend on
    """A package whose file ends with the tag."""
    rows = Exports(SimpleNamespace(serial_offset=start, serial_size=length) for start, length in exports)
    summary = SimpleNamespace(total_header_size=HEADER, bulk_data_offset=bulk, payload_toc_offset=toc, cooked=cooked)
    source = BytesSource(bytes(size - len(TAG)) + TAG)
    return SimpleNamespace(
        **{"summary": summary, "source": source, "exports": rows, "trailer": None, "data_resources": (), **more}
    )


def places(parts: list[Part]) -> list[tuple[str, str, int, int]]:
    return [(part.kind, part.file, part.offset, part.size) for part in parts]


def test_a_package_in_one_file_is_header_exports_and_bulk_data_before_the_tag() -> None:
    found = package_parts(package(200, bulk=150), {})
    assert places(found) == [("header", "", 0, 100), ("exports", "", 100, 50), ("bulk data", "", 150, 46)]
    assert [part.note for part in found] == ["", "1 exports", "with what was appended to it"]
    assert package_parts(package(200, bulk=150, cooked=True), {})[-1].note == ""


def test_exports_end_where_the_last_with_bytes_does_or_the_file() -> None:
    rows = ((120, 30), (HEADER, 20), (900, 0))
    assert places(package_parts(package(200, exports=rows), {}))[1:] == [("exports", "", 100, 50)]
    assert places(package_parts(package(200, exports=((100, 500),)), {}))[1:] == [("exports", "", 100, 100)]
    assert places(package_parts(package(200, exports=()), {})) == [("header", "", 0, 100)]
    assert places(package_parts(package(60, exports=()), {})) == [("header", "", 0, 60)]


def test_bulk_data_begins_behind_the_header_and_before_the_tag() -> None:
    for bulk, size in ((99, None), (100, 96), (195, 1), (196, None), (197, None)):
        found = [
            part.size for part in package_parts(package(200, exports=(), bulk=bulk), {}) if part.kind == "bulk data"
        ]
        assert found == ([] if size is None else [size]), bulk


def test_the_payload_table_of_early_access_lies_before_the_bulk_data() -> None:
    found = package_parts(package(200, bulk=158, toc=150), {})
    assert places(found)[2:] == [("payload table", "", 150, 8), ("bulk data", "", 158, 38)]
    for toc in (HEADER, 158):  # not between header and bulk data
        assert "payload table" not in [part.kind for part in package_parts(package(200, bulk=158, toc=toc), {})]


def test_exports_and_bulk_data_of_a_split_package_are_in_the_uexp() -> None:
    beside = {".uexp": BytesSource(bytes(96) + TAG), ".ubulk": BytesSource(bytes(7))}
    found = package_parts(package(100, bulk=160, cooked=True), beside)
    assert places(found) == [
        ("header", "", 0, 100),
        ("exports", ".uexp", 0, 50),
        ("bulk data", ".uexp", 60, 36),
        ("file", ".ubulk", 0, 7),
    ]


def test_payloads_of_a_trailer_lie_behind_its_table() -> None:
    rows = [Payload(b"\x01" * 20, 4, 6, 9, 0, 0, "local"), Payload(b"\x02" * 20, 0, 3, 3, 0, 0, "referenced")]
    trailer = Trailer(1, rows, 180, 10, 190)
    found = package_parts(package(200, bulk=150, toc=160, trailer=trailer), {})
    assert found[2:] == [
        Part("bulk data", "bulk data", "", 150, 10, "with what was appended to it"),
        Part("trailer", "trailer", "", 160, 30, "version 1"),
        Part("payload", "01" * 20, "", 184, 6, "local, 9 bytes when decompressed"),
        Part("payload", "02" * 20, "", 0, 3, "referenced, 3 bytes when decompressed", here=False),
    ]
    for offset in (-1, 5):
        damaged = trailer._replace(payloads=[rows[0]._replace(offset=offset)])
        with pytest.raises(UnrealError, match=rf"6 bytes at {offset} of 10") as error:
            package_parts(package(200, toc=160, trailer=damaged), {})
        assert error.value.field == "trailer.payloads"


def resource(flags: int, offset: int = 5, size: int = 10, raw: int = 10, outer: int = 0) -> DataResource:
    return DataResource(0, 0, offset, 0, size, raw, outer, flags)


@pytest.mark.parametrize(
    ("flags", "file", "offset"),
    [
        *((0, "", 5), (0x1, "", 155), (0x40, "", 105), (0x41, "", 105)),
        *((0x100, ".ubulk", 5), (0x900, ".uptnl", 5), (0x1100, ".m.ubulk", 5), (0x1900, ".uptnl", 5)),
    ],
)
def test_flags_say_where_a_data_resource_lies(flags: int, file: str, offset: int) -> None:
    beside = {end: BytesSource(bytes(15)) for end in (".ubulk", ".uptnl", ".m.ubulk")}
    found = package_parts(package(200, bulk=150, data_resources=(resource(flags),)), beside)
    (part,) = [part for part in found if part.kind == "data resource"]
    assert part == Part("data resource", "resource 0", file, offset, 10)


def test_a_data_resource_of_a_split_package_counts_from_the_uexp() -> None:
    beside = {".uexp": BytesSource(bytes(100))}
    rows = (resource(0), resource(0x1), resource(0x40, outer=1))
    found = package_parts(package(100, bulk=150, data_resources=rows), beside)
    assert [(part.file, part.offset, part.note) for part in found if part.kind == "data resource"] == [
        *((".uexp", 5, ""), (".uexp", 55, ""), (".uexp", 5, "of export 1")),
    ]


def test_notes_of_a_data_resource_say_what_it_takes_to_read_it() -> None:
    rows = (
        *(resource(2, raw=2000), resource(0x200), resource(0x100), resource(0x100, size=0, raw=0)),
        *(resource(0, offset=190), resource(0, offset=191), resource(0, offset=-1), resource(0, size=-1)),
    )
    found = package_parts(package(200, data_resources=rows), {})
    assert [(part.note, part.here) for part in found if part.kind == "data resource"] == [
        ("compressed, 2,000 bytes when decompressed", True),
        ("compressed", True),
        ("in the .ubulk, which is not here", False),
        ("not in its file", False),
        ("", True),
        ("not in its file", False),
        ("not in its file", False),
        ("10 bytes when decompressed, not in its file", False),
    ]
    assert [part.size for part in found if part.kind == "data resource"] == [10, 10, 10, 0, 10, 10, 10, 0]
    assert [part.offset for part in found if part.kind == "data resource"] == [5, 5, 5, 5, 190, 191, 0, 5]


@pytest.mark.parametrize("magic", [True, False])
def test_payloads_beside_a_package_lie_behind_their_own_table(magic: bool) -> None:  # noqa: FBT001 - of the table
    row = pack("<20sqQQHHB", bytes(range(20)), 0, 4, 4, 0, 0, 0)
    data = pack("<QiIQi", 0xD1C43B2E80A5F697 if magic else 7, 2, 28 + len(row), 4, 1) + row + b"data"
    data += pack("<QQI", 0x29BFCA045138DE76, len(data) + 20, 0x9E2A83C1)
    found = package_parts(package(200, bulk=150), {".upayload": BytesSource(data)})
    beside = [(part.kind, part.offset, part.size) for part in found if part.file == ".upayload"]
    assert beside[0] == ("file", 0, len(data))
    assert beside[1:] == ([("trailer", 0, len(data)), ("payload", 28 + len(row), 4)] if magic else [])


def test_an_inline_data_resource_is_of_an_export_that_is_there() -> None:
    with pytest.raises(UnrealError, match="is of export 2 of 1") as error:
        package_parts(package(200, data_resources=(resource(0x40, outer=2),)), {})
    assert error.value.field == "data_resources[0]"


def test_the_bytes_of_a_part_come_from_its_file_a_megabyte_at_a_time(tmp_path: Path) -> None:
    side = bytes(range(256)) * 4097
    (tmp_path / "a.ubulk").write_bytes(side)
    found = PartFiles(str(tmp_path / "a.uasset"), package(200, bulk=150))
    by_kind = {part.kind: part for part in found.parts}
    assert list(by_kind) == ["header", "exports", "bulk data", "file"]
    assert [len(piece) for piece in found.pieces(by_kind["file"])] == [1 << 20, 256]
    assert b"".join(found.pieces(by_kind["file"]._replace(offset=5, size=7))) == side[5:12]
    assert list(found.pieces(by_kind["exports"]._replace(offset=190, size=10))) == [bytes(6) + TAG]
    with pytest.raises(UnrealError):
        list(found.pieces(by_kind["exports"]._replace(offset=191, size=10)))


def test_a_damaged_table_is_an_error_with_the_package(tmp_path: Path) -> None:
    with pytest.raises(UnrealError) as error:
        PartFiles(str(tmp_path / "a.uasset"), package(200, data_resources=(resource(0x40, outer=2),)))
    assert error.value.path == str(tmp_path / "a.uasset")
