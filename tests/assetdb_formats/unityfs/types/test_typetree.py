"""Type trees of every version: their nodes, their strings, and what is refused with its place."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.reader import BigEndianReader, UnityReader
from assetdb_formats.unityfs.types.typetree import COMMON_STRINGS, TreeNode, parse_lines, read_tree, skip_tree

STRINGS = b"Fruit\0weight\0"
COMMON = 0x80000000
BASE, INT = COMMON | 55, COMMON | 222


def node(level: int, type_place: int, name_place: int, *, size: int = 4, flags: int = 0) -> tuple[int, ...]:
    return (1, level, 0, type_place, name_place, size, 0, flags)


def blob(*nodes: tuple[int, ...], order: str = "<", version: int = 22, strings: bytes = STRINGS) -> bytes:
    rows = b"".join(pack(order + "hBBIIiii", *each) + bytes(8 if version >= 19 else 0) for each in nodes)
    head = b"mhtt" + bytes(4) if version >= 23 else b""
    return head + pack(order + "II", len(nodes), len(strings)) + rows + strings


ROOT = node(0, 0, BASE, size=-1)
FIELD = node(1, INT, 6, flags=0x4000)
EXPECTED = (TreeNode(0, "Fruit", "Base", -1, aligned=False), TreeNode(1, "int", "weight", 4, aligned=True))


def test_places_of_common_strings_are_those_of_unity() -> None:
    # As every public table of them has it.
    known = {0: "AABB", 5: "AnimationClip", 49: "Array", 55: "Base", 222: "int", 427: "m_Name", 1161: "Hash128"}
    assert {place: COMMON_STRINGS[place] for place in known} == known


def test_a_tree_is_read_in_both_byte_orders_and_all_widths() -> None:
    for version in (10, 12, 18, 19, 22, 23):
        for order, kind in (("<", UnityReader), (">", BigEndianReader)):
            data = blob(ROOT, FIELD, order=order, version=version)
            assert read_tree(data, version, big_endian=order == ">", base=0) == EXPECTED
            if version < 23:  # whose types say how long their trees are
                reader = kind(data + b"more")
                skip_tree(reader, version, "types[0]")
                assert reader.left == 4
                with pytest.raises(UnityFSError, match="needs") as caught:
                    skip_tree(kind(data[:-1]), version, "types[0]")
                assert caught.value.field == "types[0]"


def old_node(type_name: bytes, name: bytes, children: int, order: str = "<", flags: int = 0) -> bytes:
    return type_name + b"\0" + name + b"\0" + pack(order + "iiiiii", 4, 0, 0, 1, flags, children)


def test_an_old_tree_is_read_node_by_node() -> None:
    for version in (5, 9, 11):
        for order, kind in (("<", UnityReader), (">", BigEndianReader)):
            data = old_node(b"Fruit", b"Base", 2, order) + old_node(b"Pair", b"p", 1, order)
            data += old_node(b"int", b"x", 0, order, 0x4000) + old_node(b"int", b"y", 0, order, 0x8000)
            found = read_tree(data, version, big_endian=order == ">", base=0)
            assert [(each.level, each.name, each.aligned) for each in found] == [
                (0, "Base", False),
                (1, "p", False),
                (2, "x", True),
                (1, "y", False),
            ]
            reader = kind(data + b"more")
            skip_tree(reader, version, "types[0]")
            assert reader.left == 4


def test_an_old_tree_has_at_most_255_levels_and_nodes_that_fit() -> None:
    deep = old_node(b"D", b"d", 1) * 255 + old_node(b"int", b"x", 0)
    assert read_tree(deep, 9, big_endian=False, base=0)[-1].level == 255
    with pytest.raises(UnityFSError, match="a type tree deeper than 255 levels") as caught:
        read_tree(old_node(b"D", b"d", 1) + deep, 9, big_endian=False, base=0)
    assert caught.value.field == "tree"
    # A node has 26 bytes at the least: two empty strings and six numbers.
    read_tree(old_node(b"", b"", 1) + old_node(b"", b"", 0), 9, big_endian=False, base=0)
    with pytest.raises(UnityFSError, match="counts 2 items of 26 bytes, 51 bytes are left"):
        read_tree(old_node(b"", b"", 2) + bytes(51), 9, big_endian=False, base=0)


def test_levels_go_down_one_by_one() -> None:
    deeper = node(2, INT, 6)
    for fine in ((ROOT, FIELD, deeper, FIELD), (ROOT, FIELD, FIELD)):
        assert len(read_tree(blob(*fine), 22, big_endian=False, base=0)) == len(fine)
    for nodes, what, field in (
        ((ROOT, deeper), "level 2 after level 0", "tree.nodes[1]"),
        ((ROOT, FIELD, node(3, INT, 6)), "level 3 after level 1", "tree.nodes[2]"),
        ((ROOT, FIELD, ROOT), "level 0 after level 1", "tree.nodes[2]"),
        ((FIELD,), "a tree without a root", "tree"),
        ((), "a tree without a root", "tree"),
    ):
        with pytest.raises(UnityFSError) as caught:
            read_tree(blob(*nodes), 22, big_endian=False, base=50)
        assert (caught.value.what, caught.value.offset, caught.value.field) == (what, 50, field)


def test_damaged_trees_are_placed_in_the_file() -> None:
    whole = blob(ROOT, FIELD)
    for data, version, what, offset, field in (
        (whole + b"xyz", 22, "3 bytes are left over", 50 + len(whole), "tree"),
        (b"mhtx" + bytes(4) + whole, 23, "the type tree does not begin with 'mhtt'", 50, "tree.magic"),
        (blob(node(0, 13, BASE)), 22, "a name at 13 of 13 bytes of strings", 50, "tree.strings"),
        (blob(ROOT, strings=b"Fruit"), 22, "a name at 0 of 5 bytes of strings", 50, "tree.strings"),
        (whole[:-1], 22, f"needs {len(STRINGS)} bytes, {len(STRINGS) - 1} are left", 50 + 8 + 64, "tree.strings"),
    ):
        with pytest.raises(UnityFSError) as caught:
            read_tree(data, version, big_endian=False, base=50)
        assert (caught.value.what, caught.value.offset, caught.value.field) == (what, offset, field)


def test_a_string_of_a_later_unity_is_its_number() -> None:
    (root,) = read_tree(blob(node(0, COMMON | 54, COMMON | 99_999)), 22, big_endian=False, base=0)
    assert (root.type_name, root.name) == ("#54", "#99999")
    (root,) = read_tree(blob(node(0, 1, 12), strings=b"F\xff\0" + bytes(10)), 22, big_endian=False, base=0)
    assert (root.type_name, root.name) == ("\udcff", "")


def test_names_in_each_other_have_four_times_the_strings_and_64_k_at_most() -> None:
    strings = b"a" * 65_536 + b"\0"
    # Five names of all of it but 0 to 4 characters, and one of the 14 that are left of 4 * 65,537 + 65,536.
    places = [0, 1, 2, 3, 4, 65_522]
    fitting = [node(min(number, 1), place, place) for number, place in enumerate(places)]
    assert len(read_tree(blob(*fitting, strings=strings), 22, big_endian=False, base=0)) == 6
    beyond = [*fitting, node(1, 65_535, 65_535)]
    with pytest.raises(UnityFSError, match="names overlap without end") as caught:
        read_tree(blob(*beyond, strings=strings), 22, big_endian=False, base=50)
    assert (caught.value.offset, caught.value.field) == (50, "tree.strings")


def test_lines_of_a_layout_are_nodes() -> None:
    lines = ("Pair<int> pair", " unsigned int x!", "  float y")
    assert list(parse_lines(lines, 3)) == [
        TreeNode(3, "Pair<int>", "pair", -1, aligned=False),
        TreeNode(4, "unsigned int", "x", -1, aligned=True),
        TreeNode(5, "float", "y", -1, aligned=False),
    ]
