"""Two bundles compared: the whole, their objects, the values of one."""

from __future__ import annotations

from io import BytesIO

from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.queries.diff import (
    HeaderChange,
    ObjectChange,
    ValueChange,
    header_changes,
    object_changes,
    value_changes,
)
from tests.assetdb_formats.unityfs import builder

P = builder.Packer()


def text(path_id: int, name: bytes, content: bytes = b"x") -> builder.Thing:
    return builder.Thing(path_id, 49, P.string(name) + P.string(content))


def bundle(*things: builder.Thing, name: str = "CAB-a", trees: bool = True, more: bool = False) -> Bundle:
    data = builder.serialized_file(list(things), builder.KINDS[2:], trees=trees)
    second = [("CAB-z", builder.serialized_file([text(9, b"z")], builder.KINDS[2:]))] if more else []
    return Bundle(BytesIO(builder.archive([(name, data), *second, ("a.res", b"")], compression=0)))


def test_objects_are_added_removed_and_changed() -> None:
    old = bundle(text(1, b"gone"), text(2, b"same"), text(3, b"elm"), text(4, b"elm"))
    new = bundle(text(2, b"same"), text(3, b"oak"), text(4, b"elm", b"longer"), text(5, b"new"))
    steps: list[tuple[int, int]] = []
    found = list(object_changes(old, new, progress=lambda done, of: steps.append((done, of))))
    assert found == [
        ObjectChange("-", "CAB-a:1", "TextAsset", "gone"),
        ObjectChange("~", "CAB-a:3", "TextAsset", "oak", (ValueChange("m_Name", "elm", "oak"),)),
        ObjectChange("~", "CAB-a:4", "TextAsset", "elm", (ValueChange("m_Script", "x", "longer"),)),
        ObjectChange("+", "CAB-a:5", "TextAsset", "new"),
    ]
    assert steps == [(number, 5) for number in range(5)]
    assert list(object_changes(old, old)) == []


def test_a_file_of_another_name_is_the_same_where_each_bundle_has_one() -> None:
    one, other = bundle(text(1, b"elm")), bundle(text(1, b"elm"), name="CAB-b")
    assert list(object_changes(one, other)) == []
    several = bundle(text(1, b"elm"), name="CAB-b", more=True)
    assert [(change.change, change.object) for change in object_changes(one, several)] == [
        ("-", "CAB-a:1"),
        ("+", "CAB-b:1"),
        ("+", "CAB-z:9"),
    ]


def test_values_are_compared_field_by_field() -> None:
    p = builder.Packer()

    def numbers(*found: int) -> Bundle:
        kind = builder.Kind(
            7, ("Pairs Base", " vector all", "  Array Array", "   int size", "   Pair data", "    int x")
        )
        return Bundle(
            BytesIO(builder.serialized_file([builder.Thing(1, 7, p(f"i{len(found)}i", len(found), *found))], [kind]))
        )

    (old,), (new,) = numbers(1, 2).objects(), numbers(1, 3, 4).objects()
    assert value_changes(old, new) == (ValueChange("all[1].x", 2, 3), ValueChange("all[2].x", None, 4))
    assert value_changes(new, old) == (ValueChange("all[1].x", 3, 2), ValueChange("all[2].x", 4, None))
    (without,) = Bundle(
        BytesIO(builder.serialized_file([builder.Thing(1, 7, b"")], [builder.Kind(7, ("P Base",))], trees=False))
    ).objects()
    assert value_changes(old, without) == value_changes(without, old) == ()


def test_headers_differ_in_format_version_compression_files_and_contents() -> None:
    inner = builder.whole_file()
    old = Bundle(BytesIO(builder.archive([("CAB-a", inner)], compression=0)))
    assert header_changes(old, old) == ()
    new = Bundle(BytesIO(builder.archive([("CAB-b", inner)], number=7, unity_version="2020.3.1f1")))
    assert header_changes(old, new) == (
        HeaderChange("format", "UnityFS 8", "UnityFS 7"),
        HeaderChange("unity_version", "2022.3.1f1", "2020.3.1f1"),
        HeaderChange("compression", ("stored",), ("LZ4HC",)),
        HeaderChange("files", ("CAB-a",), ("CAB-b",)),
    )
    bare = Bundle(BytesIO(builder.serialized_file([], [])))
    changes = {change.what: change.new for change in header_changes(old, bare)}
    assert changes == {
        "format": "SerializedFile",
        "unity_version": "",
        "compression": (),
        "files": ("",),
        "externals": (),
        "dependencies": (),
        "container": (),
    }
    before = {change.what: change.old for change in header_changes(old, bare)}
    assert (before["dependencies"], before["container"]) == (("other",), ("assets/notes.txt", "assets/basket.asset"))
