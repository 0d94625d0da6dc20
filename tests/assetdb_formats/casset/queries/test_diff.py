"""Two bundles side by side: what differs, and in which object."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from assetdb_formats.casset.editing.edit import set_value
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.model import Blob, Delegate, Reference
from assetdb_formats.casset.queries.diff import diff_bundles
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    OTHER,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    uuid,
)

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Bundle, Value

THING = schema_entry(0, "/Code/T::Thing", [("other", b"\x17")])
NULL = bytes(16)


def things(*objects: tuple[int, str, bytes], own: int = 9, name: str = "B") -> Bundle:
    """A bundle of things: number, path, and the reference that each holds."""
    rows = [object3(number, 1, path, path, target, is_asset=1) for number, path, target in objects]
    own_id = uuid(own)
    return read_bundle(bundle3([BUNDLE_TYPE, THING], [bundle_object(own_id), *rows], own=own_id, name=name))


def changed(old: Bundle, new: Bundle) -> list[tuple[bool, bool, list[str]]]:
    """Return of each object that differs in which bundle it is, and the fields."""
    rows = diff_bundles(old, new).objects
    return [(row.old is not None, row.new is not None, [value.field for value in row.values]) for row in rows]


def test_equal_bundles_do_not_differ() -> None:
    for data in builder.every_format().values():
        assert not diff_bundles(read_bundle(data), read_bundle(data))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("u8", 7),
        ("f32", -0.0),
        ("yes", False),
        ("string", "other"),
        ("vec3", (1.0, 2.0, 4.0)),
        ("strings", ("a",)),
        ("blob", Blob(2, b"\0BIN")),
        ("reference", None),
        ("null", Reference(uuid(1), uuid(2))),
        ("delegate", Delegate(uuid(77), OTHER, "Other")),
        ("inner.number", 8),
        ("inners[1].number", 8),
    ],
)
def test_a_value_that_differs_is_told_with_both(field: str, value: object) -> None:
    old = read_bundle(builder.all_types())
    found = diff_bundles(old, set_value(old, uuid(1), field, cast("Value", value)))
    assert found
    assert not found.header
    (row,) = found.objects
    (told,) = row.values
    assert row.old == row.new
    assert told.old is not None
    assert told.new is not None
    assert (told.field, told.new.value) == (field, value)
    assert told.old.value != value


def test_not_a_number_is_itself_and_zero_has_a_sign() -> None:
    old = read_bundle(builder.all_types())
    nan, zero, minus = (set_value(old, uuid(1), "f64", value) for value in (float("nan"), 0.0, -0.0))
    assert not diff_bundles(nan, nan)
    assert diff_bundles(zero, minus)


def test_objects_of_one_bundle_alone_are_told() -> None:
    one, two = (1, "A", NULL), (2, "B", NULL)
    assert changed(things(one, two), things(one)) == [(True, False, [])]
    assert changed(things(one), things(one, two)) == [(False, True, [])]
    assert changed(things(one), things(two)) == [(True, False, []), (False, True, [])]


def test_objects_are_paired_by_uuid_and_then_by_path() -> None:
    assert changed(things((1, "A", NULL)), things((1, "Moved", NULL))) == [(True, True, [])]
    copy = things((11, "A", uuid(12) + uuid(19)), (12, "B", NULL), own=19)
    original = things((1, "A", uuid(2) + uuid(9)), (2, "B", NULL))
    bundle = (True, True, ["uuid"])
    assert changed(original, copy) == [bundle]  # a reference to what is paired is the same
    elsewhere = things((11, "A", uuid(13) + uuid(19)), (12, "B", NULL), own=19)
    assert changed(original, elsewhere) == [bundle, (True, True, ["other"])]


def test_headers_that_differ_are_told() -> None:
    found = diff_bundles(things(name="Old"), things(name="New"))
    assert [(row.what, row.old, row.new) for row in found.header] == [("name", "Old", "New")]
    told = {row.what: (row.old, row.new) for row in diff_bundles(things(), read_bundle(builder.all_types())).header}
    assert told["type /Code/T::Thing"][1] is None
    assert told["type /Code/T::Thing"][0] is not None


def test_progress_is_told_of_each_pair() -> None:
    told: list[tuple[int, int]] = []
    bundle = things((1, "A", NULL), (2, "B", NULL))
    diff_bundles(bundle, bundle, progress=lambda done, whole: told.append((done, whole)))
    assert told == [(0, 3), (1, 3), (2, 3)]
