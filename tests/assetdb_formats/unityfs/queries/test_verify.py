"""What is wrong with a bundle that can be read."""

from __future__ import annotations

from io import BytesIO
from struct import pack
from zlib import crc32

from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.queries.verify import Verification, verify_bundle
from tests.assetdb_formats.unityfs import builder

P = builder.Packer()
LINK = builder.Kind(7, ("Link Base", " PPtr<Link> to", *builder.within(1, builder.POINTER)))


def text(path_id: int) -> builder.Thing:
    return builder.Thing(path_id, 49, P.string(b"name") + P.string(b"text"))


def findings(data: bytes) -> list[str]:
    return list(verify_bundle(Bundle(BytesIO(data))).findings)


def archive(data: bytes, *nodes: tuple[int, int, int, bytes]) -> bytes:
    info = bytes(16) + pack(">I", 1) + pack(">IIH", len(data), len(data), 0) + pack(">I", len(nodes))
    info += b"".join(pack(">qqI", *numbers) + name + b"\0" for *numbers, name in nodes)
    return builder.assemble(info, data, compression=0)


def test_a_sound_bundle_has_no_findings_and_a_checksum() -> None:
    inner = builder.serialized_file([text(1)], builder.KINDS[2:])
    data = builder.archive([("CAB-a", inner), ("a.res", b"12345")])
    assert verify_bundle(Bundle(BytesIO(data))) == Verification((), crc32(inner + b"12345"), 0)
    assert verify_bundle(Bundle(BytesIO(inner))) == Verification((), crc32(inner), 0)


def test_bytes_that_belong_to_nothing_are_counted() -> None:
    inner = builder.serialized_file([text(1)], builder.KINDS[2:])
    assert findings(builder.archive([("CAB-a", inner)]) + b"behind") == ["6 bytes follow the bundle"]
    info = bytes(16) + pack(">I", 1) + pack(">IIH", 5, 5, 0) + pack(">I", 1) + pack(">qqI", 0, 5, 0) + b"a\0"
    gap = builder.assemble(info, b"12345???", compression=0)
    assert findings(gap) == ["3 bytes after the last block belong to none"]


def test_files_lie_one_after_another_with_at_most_15_zeros_between() -> None:
    data = b"x" * 10 + bytes(20) + b"y" * 10
    assert findings(archive(data[:25], (0, 10, 0, b"a"))) == []
    assert findings(archive(data[:26], (0, 10, 0, b"a"))) == ["16 decoded bytes at 10 belong to no file"]
    assert findings(archive(data, (15, 25, 0, b"b"), (0, 10, 0, b"a"))) == []
    assert findings(archive(data, (0, 10, 0, b"a"), (30, 9, 0, b"b"))) == [
        "20 decoded bytes at 10 belong to no file",
        "1 decoded bytes at 39 belong to no file",
    ]
    # The end of the first is the end of both.
    assert findings(archive(data, (0, 35, 0, b"a"), (30, 2, 0, b"b"), (35, 5, 0, b"c"))) == [
        "file b overlaps the file before it"
    ]


def test_a_serialized_file_is_compared_with_its_directory_and_its_table() -> None:
    inner = builder.serialized_file([text(1), text(1)], builder.KINDS[2:])
    assert findings(inner) == ["two objects have PathID 1"]
    longer = builder.archive([("CAB-a", inner + b"..")])
    assert findings(longer) == [
        f"CAB-a: declares {len(inner)} bytes, the directory {len(inner) + 2}",
        "CAB-a: two objects have PathID 1",
    ]
    two = bytearray(builder.serialized_file([text(1), text(2)], builder.KINDS[2:]))
    row = two.index(pack("<qqIi", 2, 16, 16, 0))
    two[row + 8 : row + 16] = pack("<q", 8)
    assert "object 2 overlaps the one before it" in findings(bytes(two))


def test_an_object_ends_where_its_tree_does_and_refers_to_what_is_there() -> None:
    def link(path_id: int, file_id: int, to: int, rest: bytes = b"") -> builder.Thing:
        return builder.Thing(path_id, 7, P("iq", file_id, to) + rest)

    things = [
        link(1, 0, 2),
        link(2, 0, 0),
        link(3, 0, 9),
        link(4, 1, 9),
        link(5, 2, 9),
        link(6, -1, 9),
        link(7, 0, 1, b"?"),
    ]
    data = builder.serialized_file(things, [LINK], externals=(builder.External("x"),))
    assert findings(data) == [
        "object 3 (Link): to is 9, which is not there",
        "object 5: to is in external 2 of 1",
        "object 6: to is in external -1 of 1",
        "object 7 (Link): 1 bytes are left over",
    ]
    cut = builder.serialized_file([builder.Thing(1, 7, b"\0")], [LINK])
    (finding,) = findings(cut)
    assert finding.endswith("object 1.Base.to: needs 12 bytes, 1 are left")


def test_assets_of_the_container_are_objects_of_the_file() -> None:
    whole = builder.things()
    assert (
        findings(
            builder.serialized_file(whole, builder.KINDS, externals=builder.EXTERNALS, references=builder.REFERENCES)
        )
        == []
    )
    without = builder.serialized_file(
        whole[:2], builder.KINDS, externals=builder.EXTERNALS, references=builder.REFERENCES
    )
    assert findings(without) == [
        "container: assets/notes.txt is object 10, which is not there",
        "object -20 (MonoBehaviour): references.RefIds[0].data.tree is 10, which is not there",
        "object 1 (AssetBundle): m_PreloadTable[0] is 10, which is not there",
        "object 1 (AssetBundle): m_Container[0].second.asset is 10, which is not there",
    ]


def test_of_one_file_fifty_findings_are_shown() -> None:
    for count, more in ((50, []), (51, ["CAB-a: and more"])):
        things = [builder.Thing(number, 7, P("iq", 0, 999)) for number in range(1, count + 1)]
        found = findings(builder.archive([("CAB-a", builder.serialized_file(things, [LINK]))]))
        assert (len(found), found[50:]) == (50 + len(more), more)


def test_values_without_type_trees_are_counted_as_unread() -> None:
    things = [builder.Thing(number, 49, bytes(8)) for number in (1, 2)]
    data = builder.serialized_file(things, [builder.Kind(49, ())], trees=False)
    assert verify_bundle(Bundle(BytesIO(data))) == Verification((), crc32(data), 2)
