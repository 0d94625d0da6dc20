"""Headers and metadata of SerializedFiles, field by field, and each limit at and one beyond."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unityfs.bundle import open_bundle
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.serialized_files.serialized import (
    External,
    Header,
    ObjectEntry,
    ScriptReference,
    SerializedFile,
    is_serialized_file,
    read_header,
    read_metadata,
)
from tests.assetdb_formats.unityfs import builder

NUMBER = builder.Kind(7, ("Number Base", " int x"))
FOUR = bytes(4)


def old_head(metadata: int, size: int, version: int, data: int, order: int = 0) -> bytes:
    return pack(">IIIIB3x", metadata, size, version, data, order)


def new_head(metadata: int, size: int, data: int, version: int = 22) -> bytes:
    return pack(">IIIIB3xIqqq", 0, 0, version, 0, 0, metadata, size, data, 0)


def read(data: bytes) -> SerializedFile:
    header = read_header(data)
    return read_metadata(data[header.metadata_offset :][: header.metadata_size], header)


def test_a_header_gives_sizes_offsets_and_byte_order() -> None:
    assert read_header(old_head(10, 100, 8, 16)) == Header(8, 90, 10, 100, 16, big_endian=True)
    assert read_header(old_head(12, 64, 9, 32, 1)) == Header(9, 20, 12, 64, 32, big_endian=True)
    assert read_header(old_head(12, 64, 21, 40)) == Header(21, 20, 12, 64, 40, big_endian=False)
    assert read_header(new_head(12, 1 << 40, 60)) == Header(22, 48, 12, 1 << 40, 60, big_endian=False)


def test_metadata_lie_between_the_header_and_the_data_or_behind_both() -> None:
    for fits, refused in (
        (old_head(84, 100, 8, 16), old_head(85, 100, 8, 16)),  # metadata at the end begin behind the header
        (old_head(10, 100, 5, 90), old_head(10, 100, 5, 91)),  # and behind the data
        (old_head(1, 100, 8, 16), old_head(0, 100, 8, 16)),
        (old_head(12, 64, 9, 32), old_head(13, 64, 9, 32)),
        (old_head(12, 64, 21, 64), old_head(12, 64, 21, 65)),
        (new_head(12, 60, 60), new_head(13, 60, 60)),
        (new_head(12, 60, 60, 23), new_head(12, 60, 61, 23)),
    ):
        assert read_header(fits).data_offset <= read_header(fits).file_size
        with pytest.raises(UnityFSError, match=r"bytes of metadata, data from \d+ on") as caught:
            read_header(refused)
        assert (caught.value.offset, caught.value.field) == (0, "header")


def test_versions_5_to_23_are_read() -> None:
    assert read_header(old_head(4, 100, 5, 20)).version == 5
    for version in (4, 24):
        with pytest.raises(UnsupportedError, match=rf"version {version}.*: versions 5 to 23 are read") as caught:
            read_header(old_head(4, 100, version, 20))
        assert (caught.value.offset, caught.value.field) == (8, "header.version")
    with pytest.raises(UnityFSError, match="byte order 2 is neither 0 nor 1") as order:
        read_header(old_head(12, 64, 21, 32, 2))
    assert (order.value.offset, order.value.field) == (16, "header.big_endian")


def test_a_newer_version_is_a_serialized_file_that_is_not_read() -> None:
    """Versions 24 to 26 are of Unity 6.7; no file of them was seen, and the header is that of version 22."""
    data = builder.whole_file()
    for version, release in ((24, r"24 \(Unity 6\.7\)"), (26, r"26 \(Unity 6\.7\)"), (30, "30")):
        newer = data[:8] + pack(">I", version) + data[12:]
        assert is_serialized_file(newer[:48], len(newer))
        with pytest.raises(UnsupportedError, match=rf"version {release}: versions 5 to 23 are read"):
            list(open_bundle(newer).files())
        assert not is_serialized_file(newer[:48], len(newer) + 1)
        assert not is_serialized_file(newer[:40], len(newer))
    for other in (b"x" + data[1:8] + pack(">I", 26) + data[12:], data[:8] + pack(">I", 1 << 20) + data[12:]):
        assert not is_serialized_file(other[:48], len(other))


def test_a_file_is_one_by_its_declared_size() -> None:
    assert is_serialized_file(new_head(12, 60, 60), 60)
    assert not is_serialized_file(new_head(12, 60, 60), 61)
    assert not is_serialized_file(b"PK\3\4" + bytes(60), 64)


def by_hand(*, trees: bool = False) -> bytes:
    """Return metadata of version 22 with one of everything, beginning at byte 48."""
    script = pack("<iBh", 114, 1, 3) + b"s" * 16 + b"l" * 16
    plain = pack("<iBh", 49, 0, -1) + b"L" * 16
    reference = pack("<iBh", -1, 0, 0) + b"r" * 16 + b"R" * 16
    if trees:
        tree = pack("<II", 1, 0) + pack("<hBBIIiii8x", 1, 0, 0, 0x80000000 | 55, 0x80000000 | 55, 4, 0, 0)
        script += tree + pack("<iii", 2, 5, 6)
        plain += tree + pack("<i", 0)
        reference += tree + b"Apple\0Fruit\0Assembly-CSharp\0"
    meta = b"2022.3.1f1\0" + pack("<iB", 13, trees) + pack("<i", 2) + script + plain + pack("<i", 1)
    meta += bytes(-len(meta) % 4) + pack("<qqIi", -9, 16, 8, 1)
    meta += pack("<i", 1) + pack("<iq", 2, 77)
    meta += pack("<i", 1) + b"\0" + bytes(range(16)) + pack("<i", 3) + b"a\\b/CAB-1\0"
    return meta + pack("<i", 1) + reference + b"note\0"


@pytest.mark.parametrize("trees", [False, True])
def test_metadata_are_read_in_their_order(*, trees: bool) -> None:
    meta = by_hand(trees=trees)
    header = Header(22, 48, len(meta), 1000, 900, big_endian=False)
    facts = read_metadata(meta + b"!?", header)
    assert (facts.unity_version, facts.platform, facts.has_type_trees) == ("2022.3.1f1", 13, trees)
    assert (facts.user_information, facts.left_over) == ("note", 2)
    script, plain = facts.types
    assert script[:5] == (114, True, 3, b"s" * 16, b"l" * 16)
    assert plain[:5] == (49, False, -1, b"", b"L" * 16)
    (reference,) = facts.reference_types
    assert reference[:5] == (-1, False, 0, b"r" * 16, b"R" * 16)
    assert list(facts.objects) == [ObjectEntry(-9, 49, 1, 916, 8)]
    assert facts.script_references == (ScriptReference(2, 77),)
    assert facts.externals == (External("a\\b/CAB-1", "00102030405060708090a0b0c0d0e0f0", 3),)
    assert facts.externals[0].name == "CAB-1"
    if not trees:
        assert (script.tree, script.dependencies, reference.managed_name) == (None, (), ("", "", ""))
        assert facts.tree(script) is None
        return
    assert (script.dependencies, plain.dependencies, reference.dependencies) == ((5, 6), (), ())
    assert (script.managed_name, reference.managed_name) == (("", "", ""), ("Fruit", "Apple", "Assembly-CSharp"))
    tree = facts.tree(plain)
    assert tree is not None
    assert (len(tree), tree[0].type_name, tree[0].size) == (1, "Base", 4)


def test_a_damaged_tree_is_placed_in_the_file() -> None:
    meta = by_hand(trees=True)
    place = meta.index(pack("<II", 1, 0))
    broken = meta[: place + 10] + b"\1" + meta[place + 11 :]  # the class itself on level 1
    facts = read_metadata(broken, Header(22, 48, len(broken), 1000, 900, big_endian=False))
    with pytest.raises(UnityFSError, match="a tree without a root") as caught:
        facts.tree(facts.types[0])
    assert caught.value.offset == 48 + place


def test_a_file_may_have_no_objects() -> None:
    for version in (5, 6, 7, 8, 9, 11, 13, 14, 15, 16, 17, 20, 22):
        facts = read(builder.serialized_file([], [], version=version, externals=(builder.External("x"),)))
        assert (len(facts.objects), list(facts.objects), facts.left_over) == (0, [], 0)
        assert facts.objects.columns() == ((), (), (), (), ())
        assert facts.objects.find(0) is facts.objects.first_of_class(7) is None
        assert facts.unity_version == ("2022.3.1f1" if version >= 7 else "")
        assert facts.platform == (19 if version >= 8 else 0)
        assert [external.path for external in facts.externals] == ["x"]
        assert facts.script_references == ((ScriptReference(0, 77),) if version >= 11 else ())


def test_path_ids_have_64_bits_where_the_file_says_so() -> None:
    for version in (7, 13, 14, 15, 16, 22):
        things = [builder.Thing(1 << 40, 7, FOUR), builder.Thing(-3, 7, FOUR)]
        facts = read(builder.serialized_file(things, [NUMBER], version=version))
        assert [entry.path_id for entry in facts.objects] == [1 << 40, -3]
        if version < 14:
            facts = read(builder.serialized_file(things[1:], [NUMBER], version=version, wide=False))
            assert [(entry.path_id, entry.class_id, entry.size) for entry in facts.objects] == [(-3, 7, 4)]
            assert facts.objects.find(1 << 40) is None


def test_an_object_table_is_a_sequence() -> None:
    things = [builder.Thing(number, 7, FOUR) for number in (5, 6, 7)]
    table = read(builder.serialized_file(things, [NUMBER])).objects
    assert [table[number].path_id for number in (0, 2, -1, -3)] == [5, 7, 7, 5]
    assert [entry.path_id for entry in table[1:]] == [6, 7]
    assert [entry.path_id for entry in table[::-2]] == [7, 5]
    for number in (3, -4):
        with pytest.raises(IndexError):
            table[number]


def test_a_path_id_is_found_in_its_column_only() -> None:
    # The first row holds the bytes of the second's PathID in its offset and size, and across its own columns.
    things = [builder.Thing(1 << 8, 7, FOUR), builder.Thing(1, 7, FOUR), builder.Thing(0, 7, FOUR)]
    for version in (15, 17, 22):
        table = read(builder.serialized_file(things, [NUMBER], version=version)).objects
        assert [table.find(number) for number in (256, 1, 0, 2)] == [table[0], table[1], table[2], None]


def test_before_version_16_the_first_type_of_a_class_is_an_objects() -> None:
    for version, index in ((15, 0), (16, 1)):  # the builder counts rows of version 16 by the last
        file = read(builder.serialized_file([builder.Thing(1, 7, FOUR)], [NUMBER, NUMBER], version=version))
        assert [(entry.class_id, entry.type_index) for entry in file.objects] == [(7, index)]
    script = builder.serialized_file([builder.Thing(1, 114, FOUR)], [builder.KINDS[0]], version=15)
    assert [(entry.class_id, entry.type_index) for entry in read(script).objects] == [(114, 0)]
    untyped = builder.serialized_file([builder.Thing(1, 7, FOUR)], [NUMBER], version=15).replace(
        pack("<i", 1) + pack("<i", 7), pack("<i", 1) + pack("<i", 8)
    )
    assert [(entry.class_id, entry.type_index) for entry in read(untyped).objects] == [(7, -1)]


def row(*values: int, version: int = 22, kinds: int = 1, largest: int = 100) -> SerializedFile:
    """Read the metadata of a file with rows of the object table, each of PathID, offset, size and type."""
    layout = "<qqIi" if version >= 22 else "<qIIi"
    kind = pack("<iBh", 7, 0, -1) + bytes(16)
    meta = b"2022.3.1f1\0" + pack("<iB", 19, 0) + pack("<i", kinds) + kind * kinds + pack("<i", len(values) // 4)
    meta += bytes(-len(meta) % 4) + b"".join(pack(layout, *values[at : at + 4]) for at in range(0, len(values), 4))
    meta += pack("<iii", 0, 0, 0) + b"\0"
    return read_metadata(meta, Header(version, 48, len(meta), 500 + largest, 500, big_endian=False))


def test_an_object_lies_in_the_data_and_has_a_type() -> None:
    assert [entry.size for entry in row(1, 0, 100, 0).objects] == [100]
    assert [entry.type_index for entry in row(1, 100, 0, 1, kinds=2).objects] == [1]
    for wrong in ((1, 0, 101, 0), (1, 100, 1, 0), (1, -1, 1, 0), (1, 0, 1, 1), (1, 0, 1, -1)):
        with pytest.raises(UnityFSError, match="100 bytes are there") as caught:
            row(9, 0, 1, 0, *wrong)
        # version, platform, flag, types, one type, objects: 47 bytes and a zero; then the row of 24 before it
        assert (caught.value.offset, caught.value.field) == (48 + 48 + 24, "objects[1]")


def test_objects_may_have_twice_the_data_together_and_not_a_byte_more() -> None:
    twice = (1, 0, 100, 0, 2, 0, 100, 0)
    assert len(row(*twice).objects) == 2
    assert len(row(*twice, 3, 0, 0, 0).objects) == 3
    with pytest.raises(UnityFSError, match="together they have 201 bytes of 100") as caught:
        row(*twice, 3, 0, 0, 0, 4, 0, 1, 0)
    assert (caught.value.offset, caught.value.field) == (48 + 48 + 3 * 24, "objects[3]")


def test_rows_and_script_references_are_aligned_from_version_14_on() -> None:
    for version, zeros in ((14, b"\0"), (13, b"")):
        path_id = pack("<q", 77) if version == 14 else pack("<i", 77)
        meta = b"5.0.0f1\0" + pack("<iB", 19, 0) + pack("<i", 0) + (pack("<i", 0) if version < 14 else b"")
        meta += pack("<i", 0) + pack("<ii", 2, 5) + bytes(-(len(meta) + 12) % 4 if zeros else 0) + path_id
        meta += pack("<i", 6) + bytes(-(len(meta) + 4) % 4 if zeros else 0) + path_id + pack("<i", 0) + b"\0"
        facts = read_metadata(meta, Header(version, 20, len(meta), 500, 500, big_endian=False))
        assert (facts.script_references, facts.left_over) == ((ScriptReference(5, 77), ScriptReference(6, 77)), 0)


def test_metadata_behind_the_data_begin_with_their_byte_order() -> None:
    data = builder.serialized_file([builder.Thing(1, 7, FOUR)], [NUMBER], version=8)
    header = read_header(data)
    metadata = data[header.metadata_offset :]
    assert not read_metadata(metadata, header).header.big_endian
    for damaged in (b"", b"\2" + metadata[1:]):
        with pytest.raises(UnityFSError, match="do not begin with their byte order") as caught:
            read_metadata(damaged, header)
        assert (caught.value.offset, caught.value.field) == (header.metadata_offset, "metadata")
