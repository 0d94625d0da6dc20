"""Two bundles compared as a whole, and the values of two objects."""

from __future__ import annotations

from io import BytesIO
from math import nan

from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.queries.diff import (
    HeaderChange,
    ValueChange,
    header_changes,
    value_changes,
)
from tests.assetdb_formats.unityfs import builder


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
    assert value_changes(old, new, lambda _left, _right: True) == value_changes(old, new)
    (without,) = Bundle(
        BytesIO(builder.serialized_file([builder.Thing(1, 7, b"")], [builder.Kind(7, ("P Base",))], trees=False))
    ).objects()
    assert value_changes(old, without) == value_changes(without, old) == ()


def test_nan_is_no_change_and_a_minus_is_one() -> None:
    p = builder.Packer()

    def floats(one: float, *array: float) -> Bundle:
        lines = ("Curve Base", " float one", " vector all", "  Array Array", "   int size", "   float data")
        thing = builder.Thing(1, 7, p(f"fi{len(array)}f", one, len(array), *array))
        return Bundle(BytesIO(builder.serialized_file([thing], [builder.Kind(7, lines)])))

    (old,), (new,) = floats(nan, 0.0, nan).objects(), floats(nan, 0.0, nan).objects()
    assert value_changes(old, new) == ()
    (old,), (new,) = floats(0.0, 0.0).objects(), floats(-0.0, -0.0).objects()
    assert [change.field for change in value_changes(old, new)] == ["one", "all"]


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
