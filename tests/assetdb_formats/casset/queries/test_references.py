"""Every reference of an object, with the path of its value."""

from __future__ import annotations

from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.model import StructValue, is_array
from assetdb_formats.casset.queries.references import Use, bundle_references, object_references, path_text, walk
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import OTHER, OWN, TRANSIENT, uuid


def test_references_are_found_in_arrays_maps_structs_and_delegates() -> None:
    entry = read_bundle(builder.all_types()).objects[1]
    there = uuid(77), OTHER
    assert list(object_references(entry)) == [
        Use(entry, "objects[1]", *there),
        Use(entry, "reference", *there),
        Use(entry, "delegate", *there, "OnClick"),
        Use(entry, "event[0]", *there, "F"),
        Use(entry, "map[0]", *there),
        Use(entry, "map[1]", bytes(16), bytes(16)),
        Use(entry, "inner.target", *there),
        Use(entry, "inners[1].target", *there),
    ]


def test_those_of_a_bundle_are_those_of_its_objects_in_order() -> None:
    bundle = read_bundle(builder.all_types())
    uses = list(bundle_references(bundle))
    assert [(use.field, use.object, use.bundle) for use in uses if use.source is bundle.objects[0]] == [
        ("attachedObjects[0]", uuid(1), OWN),
        ("outer", TRANSIENT, TRANSIENT),
    ]
    assert uses[2:] == list(object_references(bundle.objects[1]))


def test_format_2_has_arrays_whose_elements_have_types_of_their_own() -> None:
    entry = read_bundle(builder.bundle2()).objects[1]
    assert [(use.field, use.object, use.bundle) for use in object_references(entry)] == [
        ("target", b"OLDOBJCT", b"OLDBUNDL")
    ]
    walked = dict(walk(entry))
    assert walked["list", 0] == "a"
    assert walked["list", 1] == 4
    assert walked["map", "x"] == 0.5
    assert walked["matrix", 15] == 15.0


def test_a_walk_yields_each_leaf_once() -> None:
    entry = read_bundle(builder.all_types()).objects[1]
    walked = list(walk(entry))
    assert not any(isinstance(value, StructValue) or is_array(value) for _, value in walked)
    plain = [field.name for field, value in zip(entry.layout.fields, entry.values, strict=True)
             if not isinstance(value, StructValue) and not is_array(value)]  # fmt: skip
    assert [steps for steps, _ in walked if len(steps) == 1] == [(name,) for name in plain]
    assert len({steps for steps, _ in walked}) == len(walked)


def test_paths_for_people() -> None:
    assert path_text(()) == ""
    assert path_text(("inners", 0, "obj")) == "inners[0].obj"
