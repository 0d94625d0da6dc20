"""A SerializedFile in a bundle: names, values and bytes of its objects, and the bounds on what is read at once."""

from __future__ import annotations

from io import BytesIO
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unityfs.archives.directory import Node
from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.serialized_files import loaded
from assetdb_formats.unityfs.serialized_files.loaded import AssetBundle, ContainerEntry, DecodedData, LoadedFile, within
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr
from assetdb_formats.unityfs.types.typetree import parse_lines
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.unityfs.serialized_files.tree_values import Value

P = builder.Packer()
FRUIT = builder.Kind(7, ("Fruit Base", " string m_Name", *builder.within(1, builder.STRING), " int weight"))
ENTRY = builder.Thing(5, 7, P.string(b"elm") + P("i", 3))


def load(data: bytes, class_names: Callable[[int], str | None] | None = None) -> LoadedFile:
    (file,) = Bundle(BytesIO(data), class_names=class_names).files()
    return file


def in_archive(data: bytes) -> LoadedFile:
    return load(builder.archive([("CAB-a", data)], compression=0))


def test_a_class_is_named_by_its_tree_else_by_the_caller_else_by_its_number() -> None:
    with_tree = builder.serialized_file([ENTRY], [FRUIT])
    without = builder.serialized_file([ENTRY], [FRUIT], trees=False)
    names = {7: "Apple"}.get
    for data, class_names, expected in (
        (with_tree, names, "Fruit"),
        (without, names, "Apple"),
        (without, {8: "Pear"}.get, "7"),
        (without, None, "7"),
    ):
        file = load(data, class_names)
        assert file.class_name(file.facts.objects[0]) == expected


def test_a_tree_can_be_learned_and_forgotten_where_there_is_none() -> None:
    file = load(builder.serialized_file([ENTRY], [FRUIT], trees=False))
    (entry,) = file.facts.objects
    assert (file.name(entry), file.checked_value(entry), file.is_skimmed_whole(entry)) == ("", (b"", 0), False)
    tree = tuple(parse_lines(("Fruit Base", " string m_Name", "  Array Array!", "   int size", "   char data")))
    file.learn(0, tree)
    assert (file.name(entry), file.class_name(entry), file.is_skimmed_whole(entry)) == ("elm", "Fruit", True)
    assert file.checked_value(entry) == ({"m_Name": "elm"}, 4)
    with pytest.raises(UnityFSError, match="4 bytes are left"):  # objects of a learned tree end where it does
        file.skim(entry)
    file.forget(0)
    assert (file.name(entry), file.class_name(entry), file.is_skimmed_whole(entry)) == ("", "7", False)
    # One of a class with a built-in layout is read by that again, which need not reach its end.
    text = load(builder.serialized_file([ENTRY._replace(class_id=49)], builder.KINDS[2:], trees=False))
    (entry,) = text.facts.objects
    text.learn(0, tree)
    assert text.checked_value(entry) == ({"m_Name": "elm"}, 4)
    text.forget(0)
    assert text.checked_value(entry) == (b"", 0)
    known = load(builder.serialized_file([ENTRY], [FRUIT]))
    with pytest.raises(UnityFSError, match="the file has a type tree") as caught:
        known.learn(0, tree)
    assert caught.value.field == "types[0]"


def test_a_damaged_tree_is_placed_in_the_file_whoever_reads_it() -> None:
    data = bytearray(builder.serialized_file([ENTRY], [FRUIT]))
    place = data.index(P("II", 6, len(b"Fruit\0weight\0")))  # the number of nodes and the bytes of their names
    data[place + 8 + 2] = 1  # the class itself on level 1
    for call in (LoadedFile.plan, LoadedFile.skim, LoadedFile.name, LoadedFile.value):
        file = in_archive(bytes(data))
        with pytest.raises(UnityFSError, match="a tree without a root") as caught:
            call(file, file.facts.objects[0])
        assert (caught.value.offset, caught.value.field) == (place, "CAB-a.types[0].tree")


def test_an_object_is_read_up_to_the_largest_size_given() -> None:
    file = in_archive(builder.serialized_file([ENTRY], [FRUIT]))
    (entry,) = file.facts.objects
    assert file.read(entry, largest=12) == ENTRY.data == b"".join(file.pieces(entry))
    assert file.value(entry, largest=12) == {"m_Name": "elm", "weight": 3}
    for call in (file.read, file.value):
        with pytest.raises(UnityFSError, match="has 12 bytes; 11 are read at once") as caught:
            call(entry, largest=11)
        assert (caught.value.offset, caught.value.field) == (entry.offset, "CAB-a.object 5")


def test_a_huge_object_is_held_to_the_size_of_the_file() -> None:
    stored = b"\x1f\0\x01\0" + b"\xff" * 65_000 + b"\0" + b"\x50" + bytes(5)  # zeros: 255 for each byte
    block = 1 + 19 + 255 * 65_000 + 5
    head = builder.serialized_file([ENTRY], [FRUIT])
    whole = bytearray(head)
    row = whole.index(P("qqIi", 5, 0, 12, 0))
    whole[row + 16 : row + 20] = P("I", 3 * block)
    whole[24:32] = (len(head) + 3 * block).to_bytes(8, "big")
    info = bytes(16) + (4).to_bytes(4, "big") + pack(">IIH", len(head), len(head), 0)
    info += pack(">IIH", block, len(stored), 3) * 3
    info += pack(">I", 1) + pack(">qqI", 0, len(head) + 3 * block, 4) + b"CAB-a\0"
    file = load(builder.assemble(info, bytes(whole) + stored * 3, compression=0))
    (entry,) = file.facts.objects
    assert entry.size == 3 * block
    with pytest.raises(UnityFSError, match=f"object 5: {3 * block} bytes in a file of"):
        file.read(entry)


def test_values_and_the_bytes_behind_them_are_told_apart() -> None:
    longer = ENTRY._replace(data=ENTRY.data + b"!!")
    file = load(builder.serialized_file([longer], [FRUIT]))
    (entry,) = file.facts.objects
    assert file.checked_value(entry) == ({"m_Name": "elm", "weight": 3}, 2)
    shorter = in_archive(builder.serialized_file([ENTRY._replace(data=ENTRY.data[:-1])], [FRUIT]))
    (entry,) = shorter.facts.objects
    for call in (shorter.value, shorter.checked_value):
        with pytest.raises(UnityFSError, match="needs 4 bytes, 3 are left") as caught:
            call(entry)
        assert (caught.value.offset, caught.value.field) == (entry.offset + 8, "CAB-a.object 5.Base.weight")


def test_a_name_behind_a_thousand_bytes_is_read_with_the_whole_object() -> None:
    lines = (
        "Thing Base",
        *(" vector before", "  Array Array", "   int size", "   int data"),
        " string m_Name",
        *builder.within(1, builder.STRING),
    )
    for count in (251, 252, 400):  # 1,024 bytes end with the name's count, in the middle of it, and before it
        data = P("i", count) + bytes(4 * count) + P.string(b"far")
        file = in_archive(builder.serialized_file([builder.Thing(1, 7, data)], [builder.Kind(7, lines)]))
        assert file.name(file.facts.objects[0]) == "far"
    cut = in_archive(builder.serialized_file([builder.Thing(1, 7, data[:-5])], [builder.Kind(7, lines)]))
    with pytest.raises(UnityFSError) as caught:
        cut.name(cut.facts.objects[0])
    assert caught.value.field == "CAB-a.object 1.Base.m_Name"
    short = in_archive(builder.serialized_file([builder.Thing(1, 7, P("ii", 0, 9))], [builder.Kind(7, lines)]))
    with pytest.raises(UnityFSError, match="counts 9 items") as caught:
        short.name(short.facts.objects[0])
    assert caught.value.field == "CAB-a.object 1.Base.m_Name"


def test_the_name_of_a_shader_is_in_its_form() -> None:
    form = (" SerializedShader m_ParsedForm", "  int passes", "  string m_Name", *builder.within(2, builder.STRING))
    lines = ("Shader Base", " string m_Name", *builder.within(1, builder.STRING), *form)
    for class_id, expected in ((48, "Hidden/Glow"), (7, "")):
        thing = builder.Thing(1, class_id, P.string(b"") + P("i", 3) + P.string(b"Hidden/Glow"))
        file = load(builder.serialized_file([thing], [builder.Kind(class_id, lines)]))
        assert file.name(file.facts.objects[0]) == expected
    old = builder.Thing(1, 48, P.string(b"Glow") + P("i", 3) + P.string(b"other"))
    file = load(builder.serialized_file([old], [builder.Kind(48, lines)]))
    assert file.name(file.facts.objects[0]) == "Glow"


def test_a_damaged_shader_has_no_name_and_ends_no_list() -> None:
    form = (" SerializedShader m_ParsedForm", "  string m_Name", *builder.within(2, builder.STRING))
    lines = ("Shader Base", " string m_Name", *builder.within(1, builder.STRING), *form)
    cut = builder.Thing(1, 48, P.string(b"") + P("i", 1 << 20))
    whole = builder.Thing(2, 48, P.string(b"") + P.string(b"Hidden/Glow"))
    file = load(builder.serialized_file([cut, whole], [builder.Kind(48, lines)]))
    assert [file.name(entry) for entry in file.facts.objects] == ["", "Hidden/Glow"]
    with pytest.raises(UnityFSError):
        file.skim(file.facts.objects[0])


def test_a_long_name_is_skimmed_whole() -> None:
    for length in (1000, 1021, 3000):
        data = P.string(b"x" * length) + P.string(b"y" * 2000)
        file = load(builder.serialized_file([builder.Thing(1, 49, data)], builder.KINDS[2:]))
        (entry,) = file.facts.objects
        assert file.skim(entry).name == file.name(entry) == "x" * length
        assert file.skim(entry, data=P.string(b"given") + bytes(2000)).name == "given"


def test_what_is_skimmed_whole_is_of_a_known_layout() -> None:
    with_trees = load(builder.whole_file())
    assert all(map(with_trees.is_skimmed_whole, with_trees.facts.objects))
    script, bundle, text = (without := load(builder.whole_file(trees=False))).facts.objects
    assert [without.is_skimmed_whole(entry) for entry in (script, bundle, text)] == [False, True, True]
    assert without.skim(text).name == without.name(text) == "notes"
    assert without.skim(bundle).pointers == [(0, 10), (1, 4242), (0, 10), (0, -20)]
    # The fields of its script are not seen, nor an object of a class that nobody knows.
    assert without.skim(script).pointers == [(1, 4242)]
    unknown = load(builder.serialized_file([ENTRY], [FRUIT], trees=False))
    assert unknown.skim(unknown.facts.objects[0]) == ("", [], [], [])
    with_references = with_trees.skim(with_trees.facts.objects[0])
    assert (with_references.name, with_references.pointers) == ("Basket", [(1, 4242), (0, 10)])


def test_only_a_text_asset_has_text() -> None:
    file = in_archive(builder.whole_file())
    script, _, text = file.facts.objects
    assert file.text(text) == "Füße\n".encode() * 40
    with pytest.raises(UnityFSError, match="is not a TextAsset") as caught:
        file.text(script)
    assert caught.value.field == "CAB-a.object -20"
    other = in_archive(builder.serialized_file([ENTRY._replace(class_id=49)], [FRUIT._replace(class_id=49)]))
    with pytest.raises(UnityFSError, match="the TextAsset has no m_Script"):
        other.text(other.facts.objects[0])


def asset_bundle(*, extra: bytes = b"", cut: int = 0, version: int = 22, big_endian: bool = False) -> LoadedFile:
    (thing,) = (thing for thing in builder.things(builder.Packer(">" if big_endian else "<")) if thing.class_id == 142)
    data = thing.data + extra
    kept = [thing._replace(data=data[: len(data) - cut])]
    return load(builder.serialized_file(kept, builder.KINDS[1:2], version=version, big_endian=big_endian))


def test_an_asset_bundle_is_read_the_same_by_its_layout_and_by_its_tree() -> None:
    expected = AssetBundle(
        name="basket.bundle",
        bundle_name="basket.bundle",
        container=(
            ContainerEntry("assets/notes.txt", PPtr(0, 10), 0, 1),
            ContainerEntry("assets/basket.asset", PPtr(0, -20), 0, 2),
        ),
        preload=(PPtr(0, 10), PPtr(1, 4242)),
        dependencies=("other",),
        scenes=False,
    )
    assert asset_bundle().asset_bundle() == expected
    assert asset_bundle(extra=bytes(8)).asset_bundle() == expected
    assert asset_bundle(big_endian=True).asset_bundle() == expected
    assert load(builder.serialized_file([ENTRY], [FRUIT])).asset_bundle() is None
    assert load(builder.serialized_file([], builder.KINDS[1:2])).asset_bundle() is None


def test_an_asset_bundle_may_have_no_assets() -> None:
    data = P.string(b"empty") + P("ii", 0, 0) + bytes(24) + P.string(b"empty") + P("i", 0) + bytes(4)
    found = load(builder.serialized_file([builder.Thing(1, 142, data)], builder.KINDS[1:2])).asset_bundle()
    assert found == AssetBundle("empty", "empty", (), (), (), scenes=False)


def test_a_scene_bundle_says_so() -> None:
    (thing,) = (thing for thing in builder.things() if thing.class_id == 142)
    scenes = thing._replace(data=thing.data[:-4] + b"\1\0\0\0")
    for big_endian in (False, True):
        data = scenes.data
        if big_endian:
            swapped = next(thing for thing in builder.things(builder.Packer(">")) if thing.class_id == 142)
            data = swapped.data[:-4] + b"\1\0\0\0"
        found = load(
            builder.serialized_file([scenes._replace(data=data)], builder.KINDS[1:2], big_endian=big_endian)
        ).asset_bundle()
        assert found is not None
        assert found.scenes is True


def test_a_cut_asset_bundle_is_an_error_in_its_file() -> None:
    for cut in (4, 40, 100, 250):
        with pytest.raises(UnityFSError) as caught:
            asset_bundle(cut=cut).asset_bundle()
        assert caught.value.field.startswith("object 1.")
        assert caught.value.offset is not None


def test_the_data_of_a_small_file_are_held_to_its_size() -> None:
    data = DecodedData(BytesIO(b"x" * 10), None, 10)
    data.plausible(0, "metadata", most=0)
    allowed = (64 << 10) + 200 * 10
    data.plausible(allowed, "metadata", most=1 << 20)
    data.plausible(1000, "metadata", most=1000)
    with pytest.raises(UnityFSError) as caught:
        data.plausible(allowed + 1, "metadata", most=1 << 20)
    assert str(caught.value) == f"metadata: {allowed + 1} bytes in a file of 10; {allowed} are allowed"
    with pytest.raises(UnityFSError, match="1001 bytes in a file of 10; 1000 are allowed"):
        data.plausible(1001, "metadata", most=1000)


def test_bytes_come_in_pieces_of_128_kb() -> None:
    content = bytes(range(256)) * 1025  # 256 KB and 256 bytes
    data = DecodedData(BytesIO(content), None, len(content))
    pieces = list(data.pieces(1, len(content) - 1))
    assert [len(piece) for piece in pieces] == [128 << 10, 128 << 10, 255]
    assert b"".join(pieces) == content[1:]
    assert list(data.pieces(5, 0)) == []
    with pytest.raises(UnityFSError, match="needs 2 bytes, 1 are left"):
        data.read(len(content) - 1, 2, "data")


def test_a_file_has_at_most_the_bytes_of_its_directory() -> None:
    data = builder.serialized_file([ENTRY], [FRUIT])
    assert len(in_archive(data + b"more").facts.objects) == 1
    with pytest.raises(UnityFSError, match=f"declares {len(data)} bytes, the directory {len(data) - 1}") as caught:
        in_archive(data[:-1])
    assert (caught.value.offset, caught.value.field) == (0, "CAB-a.header.file_size")


def test_an_error_keeps_its_kind_and_place_in_the_file() -> None:
    node = Node(0, 1, 4, "CAB-a")
    error = within(UnsupportedError("no", offset=3, field="x"), node, "object 1")
    assert (type(error), error.what, error.offset, error.field) == (UnsupportedError, "no", 3, "CAB-a.object 1.x")
    assert within(UnityFSError("no"), node._replace(path="")).field == ""


def test_an_asset_bundle_value_without_an_asset_is_refused() -> None:
    good: dict[str, Value] = {"first": "a", "second": {"asset": PPtr(0, 1), "preloadIndex": 2, "preloadSize": 3}}
    found = loaded._asset_bundle({"m_Container": [good], "m_PreloadTable": [PPtr(0, 1), 5], "m_Dependencies": [1, "d"]})
    assert found == AssetBundle("", "", (ContainerEntry("a", PPtr(0, 1), 2, 3),), (PPtr(0, 1),), ("d",), scenes=False)
    assert loaded._asset_bundle(7) == AssetBundle("", "", (), (), (), scenes=False)
    wrong: list[Value] = [5, {**good, "first": 1}, {"first": "a"}, {"first": "a", "second": {"asset": 1}}]
    for pair in wrong:
        with pytest.raises(UnityFSError, match="an entry is not a path with an asset") as caught:
            loaded._asset_bundle({"m_Container": [pair]})
        assert caught.value.field == "AssetBundle.m_Container"
