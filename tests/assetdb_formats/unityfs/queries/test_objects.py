"""Objects by PathID, container path and name, in that order."""

from __future__ import annotations

from io import BytesIO

from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.queries.objects import ObjectInfo, describe, find_object, lookup, search
from tests.assetdb_formats.unityfs import builder

P = builder.Packer()


def text(path_id: int, name: bytes) -> builder.Thing:
    return builder.Thing(path_id, 49, P.string(name) + P.string(b"x"))


def opened() -> Bundle:
    """Two files: one of a bundle, and one with the same PathIDs, and names that look like others' keys."""
    more = [text(10, b"Basket"), text(11, b"10"), text(12, b"assets/notes.txt"), text(13, b"")]
    second = builder.serialized_file(more, builder.KINDS[2:])
    return Bundle(BytesIO(builder.archive([("CAB-a", builder.whole_file()), ("CAB-b", second)])))


def ids(word: str) -> tuple[str, list[str]]:
    found = lookup(opened(), word)
    return found.by, [item.id for item in found.objects]


def test_a_path_id_comes_before_a_path_and_that_before_a_name() -> None:
    assert ids("10") == ("PathID", ["CAB-a:10", "CAB-b:10"])
    assert ids("CAB-b:10") == ("PathID", ["CAB-b:10"])
    assert ids("-20") == ("PathID", ["CAB-a:-20"])
    assert ids("assets/notes.txt") == ids("ASSETS/Notes.txt") == ("container path", ["CAB-a:10"])
    assert ids("Basket") == ("name", ["CAB-a:-20", "CAB-b:10"])
    assert ids("basket") == ids("CAB-c:10") == ids("x:10") == ("", [])


def test_what_is_not_found_comes_with_all_names() -> None:
    found = lookup(opened(), "Baskte")
    assert (found.by, found.objects) == ("", ())
    assert found.names == {
        "Basket",
        "basket.bundle",
        "notes",
        "10",
        "assets/notes.txt",
        "assets/basket.asset",
    }
    assert lookup(opened(), "notes").names == frozenset()


def test_a_single_object_is_neither_several_nor_a_file() -> None:
    bundle = opened()
    for word, expected in (
        ("notes", "CAB-a:10"),
        ("CAB-b:11", "CAB-b:11"),
        ("Basket", None),
        ("CAB-a", None),
        ("?", None),
    ):
        item = find_object(bundle, word)
        assert (None if item is None else item.id) == expected
    bare = Bundle(BytesIO(builder.serialized_file([text(1, b"")], builder.KINDS[2:])))
    assert bare.nodes[0].path == ""
    unnamed = find_object(bare, "")  # an empty word is no name of a file
    assert unnamed is not None
    assert unnamed.path_id == 1


def test_a_description_has_the_facts_of_an_object() -> None:
    item = lookup(opened(), "notes").objects[0]
    info = describe(item)
    assert info == ObjectInfo("CAB-a", 10, "TextAsset", 49, "notes", item.entry.size, ("assets/notes.txt",))
    assert info.id == "CAB-a:10"


def test_a_search_looks_at_names_and_paths_of_some_classes() -> None:
    assert [info.id for info in search(opened(), "notes".__eq__)] == ["CAB-a:10"]
    assert [info.id for info in search(opened(), lambda name: name.startswith("assets/"))] == [
        "CAB-a:-20",
        "CAB-a:10",
        "CAB-b:12",
    ]
    assert [info.id for info in search(opened(), lambda name: name.startswith("assets/"), ["textasset"])] == [
        "CAB-a:10",
        "CAB-b:12",
    ]
    assert [info.id for info in search(opened(), lambda _: True, ["142"])] == ["CAB-a:1"]
