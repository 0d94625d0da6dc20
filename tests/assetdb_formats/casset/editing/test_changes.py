"""Changes as a user words them, and the line about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.casset.editing.changes import Change, Rename, Retarget, SetValue, change_bundle
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.errors import CassetError, EditError, NotInBundleError
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import Blob, Reference, Value
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import OTHER, OWN, REFERENCE, uuid

if TYPE_CHECKING:
    from pathlib import Path

OLD = f"{uuid_text(REFERENCE.object)}@{uuid_text(REFERENCE.bundle)}"
BUNDLE = read_bundle(builder.all_types())


def value_after(change: Change, name: str) -> Value:
    return change_bundle(BUNDLE, [change]).bundle.objects[1].value(name)


def test_changes_are_made_in_order_and_each_says_its_own() -> None:
    changed = change_bundle(BUNDLE, [Rename("All", "New"), SetValue("New", "u8", "7"), Retarget(OLD, "none")])
    assert changed.said == ("All: is now New", "New: u8 is now 7", f"{OLD}: references lead to none")
    entry = changed.bundle.objects[1]
    assert (entry.path, entry.value("u8"), entry.value("reference")) == ("New", 7, None)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("u8", "7", 7),
        ("yes", "false", False),
        ("f32", "2", 2.0),
        ("vec2", "[3, 4]", (3.0, 4.0)),
        ("string", "plain text", "plain text"),
        ("string", "7", "7"),
        ("string", '"a\\nb"', "a\nb"),
        ("id", uuid_text(OWN), OWN),
        ("id", f'"{uuid_text(OWN)}"', OWN),
        ("opaque", "00ff", b"\0\xff"),
        ("opaque", '"00ff"', b"\0\xff"),
        ("reference", "null", None),
    ],
)
def test_values_are_json_or_plain_text(field: str, text: str, value: Value) -> None:
    assert value_after(SetValue("All", field, text), field) == value


def test_the_bytes_of_a_blob_are_those_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\1\2\3")
    assert value_after(SetValue("All", "blob", f"@{tmp_path / 'x.bin'}"), "blob") == Blob(
        1, b"\1\2\3"
    )  # its flags stay
    with pytest.raises(OSError, match=r"absent\.bin"):
        change_bundle(BUNDLE, [SetValue("All", "blob", f"@{tmp_path / 'absent.bin'}")])
    assert value_after(SetValue("All", "string", "@home"), "string") == "@home"


def files(folder: Path) -> dict[str, str]:
    (folder / "Other.casset").write_bytes(
        builder.bundle3(
            [builder.BUNDLE_TYPE, builder.schema_entry(0, "/Code/T.T::E", [])],
            [
                builder.object3(10, 1, "In.side", "side", b"", is_asset=1),
                builder.object3(11, 1, "First", "First", b""),
                builder.object3(12, 1, "Asset", "Asset", b"", is_asset=1),
            ],
            own=uuid(50),
        )
    )
    return {"file": str(folder / "Other.casset"), "stem": str(folder / "Other")}


@pytest.mark.parametrize(
    ("new", "reference"),
    [
        (f"{uuid_text(uuid(3))}@{uuid_text(uuid(4))}", Reference(uuid(3), uuid(4))),
        ("All", Reference(uuid(1), OWN)),
        ("(Bundle)", Reference(OWN, OWN)),
        ("{file}", Reference(uuid(12), uuid(50))),  # the first asset that is no part of another
        ("{file}#First", Reference(uuid(11), uuid(50))),
        ("{file}#In.side", Reference(uuid(10), uuid(50))),
        ("{file}#", Reference(uuid(12), uuid(50))),
    ],
)
def test_references_lead_to_an_object_of_any_file(tmp_path: Path, new: str, reference: Reference) -> None:
    assert value_after(Retarget(OLD, new.format(**files(tmp_path))), "reference") == reference


def test_a_file_in_capitals_is_a_target(tmp_path: Path) -> None:
    files(tmp_path)
    path = (tmp_path / "Other.casset").rename(tmp_path / "SHOUT.CASSET")
    for word, number in ((f"{path}", 12), (f"{path}#First", 11)):
        assert value_after(Retarget(OLD, word), "reference") == Reference(uuid(number), uuid(50))


def test_a_name_may_hold_an_at_sign() -> None:
    named = change_bundle(BUNDLE, [Rename("All", "a@b"), Retarget(OLD, "a@b")]).bundle
    assert named.objects[1].value("reference") == Reference(uuid(1), OWN)


@pytest.mark.parametrize(
    ("change", "kind", "why"),
    [
        (Rename("absent", "X"), NotInBundleError, "no object named 'absent'"),
        (SetValue("absent", "u8", "1"), NotInBundleError, "no object named 'absent'"),
        (SetValue("All", "absent", "1"), NotInBundleError, "All has no value 'absent'"),
        (SetValue("All", "a[", "1"), NotInBundleError, r"All has no value 'a\['"),
        (SetValue("All", "u8", "1x"), EditError, "u8: '1x' is not JSON"),
        (SetValue("All", "u8", "[" * 100_000), EditError, r"u8: '\[{60}' is not JSON"),
        (SetValue("All", "inner.number", '"x"'), EditError, r"inner\.number"),
        (Retarget("1@2", "none"), NotInBundleError, "nothing refers to 1@2"),
        (Retarget("absent", "none"), NotInBundleError, "no object named 'absent'"),
        (Retarget(OLD, "Other"), NotInBundleError, "no object named 'Other'"),
        (Retarget(OLD, "{stem}"), NotInBundleError, "no object named"),  # without the suffix it is no file
        (Retarget(OLD, "{file}#absent"), NotInBundleError, "no object named 'absent'"),
    ],
)
def test_changes_that_cannot_be_made(tmp_path: Path, change: Change, kind: type[CassetError], why: str) -> None:
    places = files(tmp_path)
    if isinstance(change, Retarget):
        change = change._replace(new=change.new.format(**places))
    with pytest.raises(kind, match=why) as caught:
        change_bundle(BUNDLE, [change], "A.casset")
    if kind is NotInBundleError:
        assert caught.value.path == (places["file"] if "#" in str(change) else "A.casset")


def test_a_bundle_without_objects_is_no_target(tmp_path: Path) -> None:
    path = tmp_path / "Empty.casset"
    path.write_bytes(builder.bundle3([builder.BUNDLE_TYPE], [], dependencies=(OTHER,)))
    with pytest.raises(NotInBundleError, match="the bundle has no object") as caught:
        change_bundle(BUNDLE, [Retarget(OLD, str(path))])
    assert caught.value.path == str(path)
