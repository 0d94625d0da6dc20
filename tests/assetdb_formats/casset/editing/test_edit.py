"""Edits of bundles of every format, read back from the bytes that are written of them."""

from __future__ import annotations

import re
import time

import pytest

from assetdb_formats.casset.editing.edit import field_at, parse_path, rename, retarget, set_value, value_at
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle
from assetdb_formats.casset.errors import CassetError, EditError, NotInBundleError
from assetdb_formats.casset.model import Bundle, Delegate, FieldType, Reference
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import OTHER, OWN, REFERENCE, uuid

ALL = uuid(1)
T = FieldType


def edited(bundle: Bundle) -> Bundle:
    return read_bundle(encode_bundle(bundle))


def tree(*paths: str) -> Bundle:
    """A bundle with an object for each path, numbered from 1, of a type that keeps no name of its own."""
    types = [builder.BUNDLE_TYPE, builder.schema_entry(0, "/Code/T.T::Node", [("value", b"\x03")])]
    objects = [
        builder.object3(number, 1, path, path.rpartition(".")[2], builder.u32(number))
        for number, path in enumerate(paths, start=1)
    ]
    return read_bundle(builder.bundle3(types, [builder.bundle_object(), *objects]))


@pytest.mark.parametrize(
    ("number", "name", "after"),
    [
        (1, "X", ["", "X", "X.B", "X.B.C", "AB", "Q.A.B"]),
        (2, "X", ["", "A", "A.X", "A.X.C", "AB", "Q.A.B"]),
        (5, "X", ["", "A", "A.B", "A.B.C", "AB", "Q.A.X"]),
    ],
)
def test_a_renamed_object_takes_along_all_below_it_and_nothing_beside_it(
    number: int, name: str, after: list[str]
) -> None:
    bundle = edited(rename(tree("A", "A.B", "A.B.C", "AB", "Q.A.B"), uuid(number), name))
    assert [entry.path for entry in bundle.objects] == after
    assert [entry.name for entry in bundle.objects] == ["Bundle", *(path.rpartition(".")[2] for path in after[1:])]
    assert bundle.name == "Bundle"


@pytest.mark.parametrize(
    ("name", "what"), [("B", "there is an object 'B' already"), ("C", "object 'C.x' already"), ("", "an empty name")]
)
def test_a_name_that_gives_a_path_of_another_object_is_refused(name: str, what: str) -> None:
    """The bundle then had two objects of one path, or a second one that was the bundle."""
    with pytest.raises(EditError, match=what):
        rename(tree("A", "A.x", "B", "C.x"), uuid(1), name)
    before = tree("A", "A.x", "B")
    assert rename(before, uuid(1), "A").objects == before.objects


def test_many_references_of_one_array_are_retargeted_at_once() -> None:
    types = [builder.BUNDLE_TYPE, builder.schema_entry(0, "/Code/T.T::Many", [("all", b"\x13")])]
    target = uuid(9) + OWN
    many = builder.object3(1, 1, "A", "A", builder.u32(30_000) + target * 30_000)
    bundle = read_bundle(builder.bundle3(types, [builder.bundle_object(), many]))
    start = time.process_time()
    new = Reference(uuid(8), OWN)
    found = retarget(bundle, Reference(uuid(9), OWN), new).objects[1].value("all")
    assert time.process_time() - start < 5  # it took 14 s
    assert isinstance(found, tuple)
    assert len(found) == 30_000
    assert set(found) == {new}


def test_the_bundle_is_renamed_in_its_header_and_its_object() -> None:
    before = tree("A", "A.B")
    bundle = edited(rename(before, OWN, "New.1"))  # it has no path, so a dot splits nothing
    assert (bundle.name, bundle.objects[0].name, bundle.objects[0].value("name")) == ("New.1", "New.1", "New.1")
    assert bundle.objects[0].path == ""
    assert [entry.path for entry in bundle.objects[1:]] == ["A", "A.B"]


@pytest.mark.parametrize(
    ("lists", "name"),
    [(False, "Cracks 10"), (True, "New")],  # assetName is the bundle's own name
)
def test_an_asset_of_the_text_format_is_the_bundle(lists: bool, name: str) -> None:  # noqa: FBT001 - of the builder
    before = read_bundle(builder.text("\n", lists=lists))
    bundle = edited(rename(before, before.uuid, "New"))
    assert (bundle.name, bundle.objects[0].name, bundle.objects[0].path) == (name, "New", "New")
    with pytest.raises(EditError, match="contains a dot"):
        rename(before, before.uuid, "a.b")


def test_names_that_would_be_paths_and_objects_that_are_not_there() -> None:
    bundle = tree("A")
    with pytest.raises(EditError, match=r"'a\.b' contains a dot"):
        rename(bundle, uuid(1), "a.b")
    for missing in (lambda: rename(bundle, uuid(9), "X"), lambda: set_value(bundle, uuid(9), "value", 1)):
        with pytest.raises(NotInBundleError, match=f"no object {uuid(9).hex()}"):
            missing()


PLACES = ("objects[1]", "reference", "delegate", "event[0]", "map[0]", "inner.target", "inners[1].target")
NEW = Reference(uuid(5), uuid(6))


@pytest.mark.parametrize("new", [NEW, Reference(ALL, OWN), None])
def test_all_references_to_an_object_lead_elsewhere(new: Reference | None) -> None:
    before = read_bundle(builder.all_types())
    bundle = retarget(before, REFERENCE, new)
    if new is None:
        with pytest.raises(CassetError, match=r"objects\[1\]\.map: "):  # which has no empty places
            encode_bundle(bundle)
    else:
        bundle = edited(bundle)
    entry = bundle.objects[1]
    functions = {"delegate": "OnClick", "event[0]": "F"}
    expected: dict[str, object] = {
        place: new if new is None or place not in functions else Delegate(*new, functions[place]) for place in PLACES
    }
    assert {place: value_at(entry, parse_path(place)) for place in PLACES} == expected
    others = [field.name for field in entry.layout.fields if field.name not in re.split(r"[\W]", " ".join(PLACES))]
    assert [entry.value(name) for name in others] == [before.objects[1].value(name) for name in others]
    assert bundle.dependencies == ((NEW.bundle,) if new is NEW else ())


def test_a_dependency_stays_while_something_else_needs_it_and_is_there_once() -> None:
    before = read_bundle(builder.all_types())
    kept = set_value(before, ALL, "null", Reference(uuid(78), OTHER))
    assert retarget(kept, REFERENCE, None).dependencies == (OTHER, OTHER)
    assert retarget(before, REFERENCE, Reference(uuid(78), OTHER)).dependencies == (OTHER, OTHER)
    assert retarget(kept, REFERENCE, Reference(uuid(3), uuid(4))).dependencies == (OTHER, OTHER, uuid(4))


def test_the_dependencies_of_format_2_are_paths() -> None:
    before = read_bundle(builder.bundle2())
    old = Reference(b"OLDOBJCT", b"OLDBUNDL")
    bundle = edited(retarget(before, old, Reference(b"NEWOBJCT", b"NEWBUNDL")))
    assert [entry.value("target") for entry in bundle.objects] == [Reference(b"NEWOBJCT", b"NEWBUNDL")] * 2
    assert bundle.dependencies == ("/Game/Other",)


def test_nothing_refers_to_it() -> None:
    bundle = read_bundle(builder.all_types())
    with pytest.raises(NotInBundleError, match="nothing refers to object"):
        retarget(bundle, Reference(REFERENCE.object, OWN), None)


def test_a_changed_object_of_format_2_has_no_checksum_and_the_others_keep_theirs() -> None:
    before = read_bundle(builder.bundle2())
    bundle = set_value(before, b"OLDOBJCT", "name", "Other")
    assert bundle.objects[0] == before.objects[0]
    assert bundle.objects[1].extra == before.objects[1].extra[:-4] + bytes(4)
    assert before.objects[1].extra[-4:] != bytes(4)
    assert edited(bundle).objects[1].value("name") == "Other"


@pytest.mark.parametrize(
    ("path", "value", "kind"),
    [
        ("u8", 7, T.U8),
        ("vec2[1]", 9.0, T.F32),
        ("vec3i[2]", 9, T.S32),
        ("strings[2]", "x", T.STRING),
        ("vectors[0][1]", 9.0, T.F32),
        ("inner.number", 3, T.S32),
        ("inners[1].number", 3, T.S32),
        ("inners[0].target", REFERENCE, T.REFERENCE),
        ("event[1]", Delegate(uuid(1), OWN, "G"), T.DELEGATE),
        ("map[1]", REFERENCE, T.REFERENCE),
    ],
)
def test_one_value_is_changed(path: str, value: object, kind: int) -> None:
    before = read_bundle(builder.all_types())
    bundle = edited(set_value(before, ALL, path, value))  # type: ignore[arg-type]  # of the table
    steps = parse_path(path)
    assert value_at(bundle.objects[1], steps) == value
    field = field_at(before.objects[1], steps)
    assert (field.name, field.type) == (path, kind)
    old = value_at(before.objects[1], steps)
    assert edited(set_value(bundle, ALL, path, old)).objects == before.objects  # nothing else was


def test_a_value_of_a_typed_array_of_format_2() -> None:
    before = read_bundle(builder.bundle2())
    bundle = edited(set_value(before, b"OLDOBJCT", "list[1]", 5))
    assert field_at(before.objects[1], ("list", 1)).type == T.U32
    assert field_at(before.objects[1], ("matrix", 3)).type == T.F32
    assert value_at(bundle.objects[1], ("list", 1)) == 5
    assert value_at(bundle.objects[1], ("list", 0)) == "a"


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("a", ("a",)), ("a.b", ("a", "b")), ("a[0]", ("a", 0)), ("a[12][3].b c", ("a", 12, 3, "b c")),
        ("a[999999999]", ("a", 999999999)), ("", ()),
    ],
)  # fmt: skip
def test_paths(path: str, steps: tuple[str | int, ...]) -> None:
    assert parse_path(path) == steps


@pytest.mark.parametrize("path", ["a[", "a]", "a..b", "a[x]", "a[-1]", "a[1000000000]", "."])
def test_texts_that_are_no_paths(path: str) -> None:
    with pytest.raises(NotInBundleError, match="is not a path of a value"):
        parse_path(path)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "an empty path"), ("absent", "no value at 'absent'"), ("strings[3]", "no value at 3"),
        ("strings.a", "no value at 'a'"), ("inner[0]", "no value at 0"), ("u8[0]", "int has no parts"),
        ("reference.object", "Reference has no parts"),
    ],
)  # fmt: skip
def test_values_that_are_not_there(path: str, why: str) -> None:
    bundle = read_bundle(builder.all_types())
    with pytest.raises(NotInBundleError, match=why):
        set_value(bundle, ALL, path, 1)


def test_an_object_that_was_not_read_to_its_end_is_not_edited() -> None:
    before = tree("A", "A.B")
    objects = (*before.objects[:2], before.objects[2]._replace(raw=b"?"))
    broken = before._replace(objects=objects)
    for edit in (
        lambda: set_value(broken, uuid(2), "value", 1),
        lambda: rename(broken, uuid(2), "X"),
        lambda: rename(broken, uuid(1), "X"),  # its path would change
    ):
        with pytest.raises(EditError, match=r"'A.B' could not be read to its end"):
            edit()
    assert rename(broken, OWN, "X").objects[1:] == objects[1:]
