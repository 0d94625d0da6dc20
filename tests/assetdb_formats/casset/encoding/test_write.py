from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.casset.editing.edit import parse_path, rename, retarget, set_value, value_at
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle, encode_pieces
from assetdb_formats.casset.files import load, save
from assetdb_formats.casset.model import Blob, Delegate, Format, Reference, StructValue
from assetdb_formats.casset.queries.references import bundle_references
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import BUNDLE_TYPE, OTHER, OWN, bundle3, bundle_object, object3, u32, uuid, z

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.casset.model import Value

FORMATS = builder.every_format()


@pytest.mark.parametrize("name", FORMATS)
def test_what_was_read_is_written_back_byte_for_byte(name: str) -> None:
    assert encode_bundle(read_bundle(FORMATS[name])) == FORMATS[name]


def test_what_is_not_understood_is_written_back_too() -> None:
    odd = builder.schema_entry(0, "/Odd", [("name", b"\x0c"), ("odd", b"\x2a")]) + b"what follows"
    strange = builder.schema_entry(7, "/Strange", None) + b"more"
    objects = [bundle_object(), object3(1, 1, "O", "O", z("O") + b"???"), object3(2, 0, "B", "B", b"short")]
    data = bundle3([BUNDLE_TYPE, odd, strange], objects, header_extra=b"\1\2", gap=b"\3", checksum=9)
    bundle = read_bundle(data)
    assert len(bundle.problems) == 5
    assert encode_bundle(bundle) == data


def test_a_blob_is_passed_through_as_the_view_it_is() -> None:
    bundle = read_bundle(builder.all_types())
    blob = bundle.objects[1].value("blob")
    assert isinstance(blob, Blob)
    assert any(piece is blob.data for piece in encode_pieces(bundle))


def test_rename_an_object_moves_what_is_in_it() -> None:
    objects = [bundle_object()]
    for number, path in enumerate(("A", "A.B", "A.B.C", "AB")):
        name = path.rpartition(".")[2]
        objects.append(object3(number, 0, path, name, z(name) + uuid(number) + u32(0) + bytes(16)))
    bundle = rename(read_bundle(bundle3([BUNDLE_TYPE], objects)), uuid(1), "Renamed")
    again = read_bundle(encode_bundle(bundle))
    assert again.problems == ()
    assert [entry.path for entry in again.objects] == ["", "A", "A.Renamed", "A.Renamed.C", "AB"]
    assert (again.objects[2].name, again.objects[2].value("name")) == ("Renamed", "Renamed")
    with pytest.raises(ValueError, match="dot"):
        rename(bundle, uuid(1), "A.B")
    with pytest.raises(KeyError):
        rename(bundle, uuid(99), "X")


@pytest.mark.parametrize(
    ("path", "value"), [("childAssets", ("a", "")), ("childAssets", ("a", "[]")), ("uuid", "none"), ("name", "a\nb: c")]
)
def test_text_bundles_refuse_values_that_cannot_be_read_back(path: str, value: Value) -> None:
    bundle = read_bundle(builder.text(lists=True))
    with pytest.raises(FormatError):
        encode_bundle(set_value(bundle, bundle.objects[0].uuid, path, value))


@pytest.mark.parametrize("name", [name for name in FORMATS if not name.startswith("text")])
def test_rename_the_bundle(name: str) -> None:
    bundle = read_bundle(FORMATS[name])
    again = read_bundle(encode_bundle(rename(bundle, bundle.uuid, "/Game/New.Name")))
    assert again.problems == ()
    assert again.name == again.objects[0].name == again.objects[0].value("name") == "/Game/New.Name"
    assert again.objects[1] == bundle.objects[1]._replace(offset=again.objects[1].offset)


@pytest.mark.parametrize("lists", [False, True])
def test_rename_in_text(*, lists: bool) -> None:
    bundle = read_bundle(builder.text(lists=lists))
    renamed = rename(bundle, bundle.uuid, "New")
    again = read_bundle(encode_bundle(renamed))
    assert again == renamed._replace(objects=again.objects)
    assert again.objects[0].name == "New"
    assert again.name == ("New" if lists else "Cracks 10")


def test_retarget_every_reference_and_the_dependencies_follow() -> None:
    bundle = read_bundle(builder.all_types())
    old, new = Reference(uuid(77), OTHER), Reference(uuid(5), uuid(6))
    before = [use for use in bundle_references(bundle) if use.bundle == OTHER]
    again = read_bundle(encode_bundle(retarget(bundle, old, new)))
    assert again.problems == ()
    after = [use for use in bundle_references(again) if (use.object, use.bundle) == new]
    assert [(use.field, use.function) for use in after] == [(use.field, use.function) for use in before]
    assert len(after) == 7
    assert again.dependencies == (uuid(6),)
    assert again.objects[1].value("delegate") == Delegate(uuid(5), uuid(6), "OnClick")
    with pytest.raises(KeyError):
        retarget(again, old, new)


def test_retarget_within_the_bundle_declares_nothing() -> None:
    bundle = read_bundle(builder.all_types())
    again = retarget(bundle, Reference(uuid(77), OTHER), Reference(uuid(1), OWN))
    assert again.dependencies == ()


@pytest.mark.parametrize("name", ["3.0 sized", "2.0"])
def test_retarget_in_the_older_formats(name: str) -> None:
    bundle = read_bundle(FORMATS[name])
    field, old, new = {
        "2.0": ("target", Reference(b"OLDOBJCT", b"OLDBUNDL"), Reference(b"NEWOBJCT", b"NEWBUNDL")),
        "3.0 sized": ("inner.target", builder.REFERENCE, Reference(uuid(5), uuid(6))),
    }[name]
    again = read_bundle(encode_bundle(retarget(bundle, old, new)))
    assert again.problems == ()
    assert value_at(again.objects[1], parse_path(field)) == new
    none = read_bundle(encode_bundle(retarget(bundle, old, None)))
    assert none.problems == ()
    assert value_at(none.objects[1], parse_path(field)) is None


def test_format_2_has_no_room_for_longer_uuids() -> None:
    bundle = read_bundle(FORMATS["2.0"])
    longer = retarget(bundle, Reference(b"OLDOBJCT", b"OLDBUNDL"), Reference(uuid(5), uuid(6)))
    with pytest.raises(FormatError, match=r"objects\[0\].target: format 2.0 has UUIDs of 64 bits"):
        encode_bundle(longer)


EDITS: list[tuple[str, object]] = [
    ("u8", 0),
    ("s64", -(1 << 63)),
    ("f64", 0.1),
    ("yes", False),
    ("string", "longer than it was: \u00fc"),
    ("vec3", (7.0, 8.0, 9.0)),
    ("strings[1]", "not empty"),
    ("strings", ()),
    ("numbers", tuple(range(1000))),
    ("inner.number", 8),
    ("inners[1].target", None),
    ("blob", Blob(3, b"other bytes")),
    ("reference", None),
    ("null", Reference(uuid(1), uuid(2))),
    ("event[1]", Delegate(uuid(1), uuid(2), "G")),
    ("map[0]", Reference(uuid(1), uuid(2))),
    ("id", uuid(3)),
    ("opaque", b""),
]


@pytest.mark.parametrize(("path", "value"), EDITS)
def test_a_changed_value_reads_back_and_nothing_else_is_changed(path: str, value: object) -> None:
    bundle = read_bundle(builder.all_types())
    edited = set_value(bundle, uuid(1), path, cast("Value", value))
    again = read_bundle(encode_bundle(edited))
    assert again.problems == ()
    assert value_at(again.objects[1], parse_path(path)) == value
    restored = set_value(again, uuid(1), path, value_at(bundle.objects[1], parse_path(path)))
    assert encode_bundle(restored) == builder.all_types()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("u8", 256),
        ("u8", -1),
        ("u8", "5"),
        ("yes", 1),
        ("string", "a\0b"),
        ("string", "lone \ud800"),
        ("string", 5),
        ("vec3", (1.0, 2.0)),
        ("vec3", 1.0),
        ("id", b"short"),
        ("reference", Reference(bytes(16), OTHER)),
        ("reference", Reference(b"12345678", OTHER)),
        ("reference", (uuid(1), uuid(2))),
        ("map[0]", None),
        ("objects", Reference(uuid(1), uuid(2))),
        ("inner", None),
        ("inner", StructValue(read_bundle(builder.all_types()).schema[0], ())),
        ("inners[0].number", 1 << 31),
        ("opaque", bytes(70000)),
        ("blob", b"bytes"),
        ("void", 1),
    ],
)
def test_a_value_that_its_type_cannot_hold_is_refused_with_its_path(path: str, value: object) -> None:
    edited = set_value(read_bundle(builder.all_types()), uuid(1), path, cast("Value", value))
    with pytest.raises(FormatError) as caught:
        encode_bundle(edited)
    assert caught.value.field == f"objects[1].{'map' if path == 'map[0]' else path}"


@pytest.mark.parametrize(
    "path", ["", "absent", "u8.x", "strings[9]", "strings.x", "[0]", "inner[0]", "a..b", "a[", f"strings[{'9' * 5000}]"]
)
def test_a_path_that_leads_nowhere_is_a_key_error(path: str) -> None:
    bundle = read_bundle(builder.all_types())
    with pytest.raises(KeyError):
        set_value(bundle, uuid(1), path, 0)
    with pytest.raises(KeyError):
        value_at(bundle.objects[1], parse_path(path))


def test_a_broken_object_is_not_edited() -> None:
    bundle = read_bundle(bundle3([BUNDLE_TYPE], [bundle_object(), object3(1, 0, "A", "A", z("A"))]))
    with pytest.raises(ValueError, match="not edited"):
        set_value(bundle, uuid(1), "name", "B")


def test_values_for_fields_that_are_not_there_are_refused() -> None:
    bundle = read_bundle(builder.all_types())
    entry = bundle.objects[1]
    for changed in (entry._replace(values=entry.values[:-1]), entry._replace(schema=0), entry._replace(schema=-1)):
        with pytest.raises(FormatError, match=r"objects\[1\]"):
            encode_bundle(bundle._replace(objects=(bundle.objects[0], changed)))


def test_a_bundle_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "A.casset"
    path.write_bytes(builder.all_types())
    bundle = load(str(path))
    save(rename(bundle, OWN, "Saved"), str(path))
    assert load(str(path)).name == "Saved"
    with pytest.raises(FormatError):
        save(set_value(bundle, uuid(1), "u8", 999), str(path))
    assert load(str(path)).name == "Saved"
    assert [entry.name for entry in tmp_path.iterdir()] == ["A.casset"]
    assert load(str(path)).format is Format.BUNDLE_3
