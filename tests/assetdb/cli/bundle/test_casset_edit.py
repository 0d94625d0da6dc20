"""``assetdb bundle edit``: what was asked for changes, and no other byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb_formats.casset.editing.edit import value_at
from assetdb_formats.casset.files import load
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import Blob, Delegate, Reference
from assetdb_formats.casset.queries.references import bundle_references
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import OTHER, OWN, uuid
from tests.assetdb_formats.unityfs.builder import every_kind

if TYPE_CHECKING:
    from pathlib import Path


A_TARGET = {"object": uuid_text(uuid(5)), "bundle": uuid_text(uuid(6))}


@pytest.fixture
def path(tmp_path: Path) -> str:
    place = tmp_path / "All.casset"
    place.write_bytes(builder.all_types())
    return str(place)


def edit(path: str, *words: str) -> int:
    return main(["bundle", "edit", path, *words])


def changed_bytes(old: bytes, new: bytes) -> list[int]:
    assert len(old) == len(new)
    return [at for at, (before, after) in enumerate(zip(old, new, strict=True)) if before != after]


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("u8", "7", 7),
        ("s64", "-9", -9),
        ("f32", "0.25", 0.25),
        ("f64", '"-inf"', float("-inf")),
        ("yes", "false", False),
        ("string", "plain text", "plain text"),
        ("string", '"quoted \\u00fc"', "quoted ü"),
        ("vec3", "[1, 2, 3.5]", (1.0, 2.0, 3.5)),
        ("vec3[1]", "8", 8.0),
        ("strings", '["x", "y"]', ("x", "y")),
        ("strings[0]", "z", "z"),
        ("inner.number", "5", 5),
        ("inners[1].number", "6", 6),
        ("reference", "null", None),
        ("opaque", "00ff", b"\0\xff"),
        ("id", uuid_text(uuid(77)), uuid(77)),
        ("reference", json.dumps(A_TARGET), Reference(uuid(5), uuid(6))),
    ],
)
def test_set_a_value_of_every_type(path: str, tmp_path: Path, field: str, text: str, value: object) -> None:
    names = {known.name for known in load(path).objects[1].layout.fields}
    assert field.partition(".")[0].partition("[")[0] in names
    out = str(tmp_path / "out.casset")
    assert edit(path, "--set", "All", field, text, "-o", out) == 0
    entry = load(out).objects[1]
    from assetdb_formats.casset.editing.edit import parse_path  # noqa: PLC0415 - beside its use

    assert value_at(entry, parse_path(field)) == value
    assert load(path).objects[1] != entry
    assert (tmp_path / "All.casset").read_bytes() == builder.all_types()


def test_nothing_else_changes(path: str, tmp_path: Path) -> None:
    before = (tmp_path / "All.casset").read_bytes()
    assert edit(path, "--set", "All", "u8", "7", "--in-place") == 0
    after = (tmp_path / "All.casset").read_bytes()
    assert len(changed_bytes(before, after)) == 1
    first = load(path).objects[1].value("u8")
    assert first == 7


def test_permissions_stay(path: str, tmp_path: Path) -> None:
    (tmp_path / "All.casset").chmod(0o600)
    before = (tmp_path / "All.casset").stat().st_mode
    assert edit(path, "--set", "All", "u8", "7", "--in-place") == 0
    assert (tmp_path / "All.casset").stat().st_mode == before


def test_rename_and_retarget(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    used = next(use for use in bundle_references(load(path)) if use.bundle == OTHER)
    source = f"{uuid_text(used.object)}@{uuid_text(OTHER)}"
    itself = builder.bundle_object(uuid(300), "O")
    (tmp_path / "Other.casset").write_bytes(builder.bundle3([builder.BUNDLE_TYPE], [itself], own=uuid(300), name="O"))
    other = str(tmp_path / "Other.casset")
    assert edit(path, "--rename", "All", "Everything", "--retarget", source, other, "--in-place", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert len(said["changes"]) == 2
    bundle = load(path)
    assert bundle.problems == ()
    assert [entry.path for entry in bundle.objects] == ["", "Everything"]
    assert uuid(300) in bundle.dependencies
    found = {(use.object, use.bundle) for use in bundle_references(bundle)}
    assert (used.object, OTHER) not in found
    assert (uuid(300), uuid(300)) in found
    assert edit(path, "--retarget", f"{other}#(O)", "none", "--in-place") == 2  # an object map has no empty places
    assert edit(path, "--retarget", f"{other}#(O)", "Everything", "--in-place") == 0
    assert (uuid(300), uuid(300)) not in {(use.object, use.bundle) for use in bundle_references(load(path))}


def test_a_blob_comes_from_a_file_and_keeps_its_flags(path: str, tmp_path: Path) -> None:
    old = load(path).objects[1].value("blob")
    (tmp_path / "new.bin").write_bytes(b"new bytes")
    assert edit(path, "--set", "All", "blob", f"@{tmp_path / 'new.bin'}", "--in-place") == 0
    new = load(path).objects[1].value("blob")
    assert isinstance(old, Blob)
    assert isinstance(new, Blob)
    assert (bytes(new.data), new.flags) == (b"new bytes", old.flags)


def test_a_delegate_is_set_with_its_function(path: str) -> None:
    plain = {"object": uuid_text(uuid(1)), "bundle": uuid_text(OWN), "function": "Go"}
    assert edit(path, "--set", "All", "delegate", json.dumps(plain), "--in-place") == 0
    assert load(path).objects[1].value("delegate") == Delegate(uuid(1), OWN, "Go")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--set", "All", "u8", "256"), 2, "All.casset: objects[1].u8: 256 is not a value of type u8"),
        (("--set", "All", "u8", "true"), 2, "All.casset: u8 is a u8; that is no value of it"),
        (("--set", "All", "u8", "{"), 2, "All.casset: u8: '{' is not JSON"),
        (("--set", "All", "vec3", "[1]"), 2, "All.casset: vec3 is a vec3: 3 numbers"),
        (("--set", "All", "inner", "{}"), 2, "name a value in it"),
        (("--set", "All", "blob", "@/dev/zero"), 2, "/dev/zero: is a device, not a file"),
        (("--set", "All", "absent", "1"), 1, "All.casset: All has no value 'absent'"),
        (("--set", "Al", "u8", "1"), 1, "All.casset: no object named 'Al'; did you mean 'All'?"),
        (("--rename", "All", "A.B"), 2, "All.casset: 'A.B' contains a dot"),
        (("--retarget", "All", "none"), 1, "All.casset: nothing refers to All"),
        ((), 2, "say what to change"),
    ],
)
def test_what_cannot_be_changed_is_said_and_nothing_written(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: str
) -> None:
    if words[:2] == ("--retarget", "All"):  # a bundle where nothing refers to it
        (tmp_path / "All.casset").write_bytes(
            builder.bundle3([builder.BUNDLE_TYPE], [builder.bundle_object(), builder.object3(
                1, 0, "All", "All", builder.z("All") + uuid(1) + builder.u32(0) + bytes(16))]))  # fmt: skip
    before = (tmp_path / "All.casset").read_bytes()
    assert edit(path, *words, "--in-place") == code
    assert said in capsys.readouterr().err
    assert (tmp_path / "All.casset").read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["All.casset"]


def test_format_2_loses_the_crc_of_what_changed(tmp_path: Path) -> None:
    place = tmp_path / "Old.casset"
    place.write_bytes(builder.bundle2())
    assert edit(str(place), "--set", "Thing", "flag", "false", "--in-place") == 0
    bundle = load(str(place))
    assert bundle.problems == ()
    assert bundle.objects[1].value("flag") is False
    assert [any(entry.extra[-4:]) for entry in bundle.objects] == [True, False]


def test_a_place_to_write_and_a_casset_are_needed(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edit(path, "--set", "All", "u8", "1") == 2
    assert edit(path, "--set", "All", "u8", "1", "--in-place", "-o", "x") == 2
    (tmp_path / "a.bundle").write_bytes(every_kind()["LZ4HC"])
    assert edit(str(tmp_path / "a.bundle"), "--rename", "a", "b", "--in-place") == 2
    assert "a.bundle: Unity's bundles are read, not written" in capsys.readouterr().err


@pytest.mark.corpus("casset")
def test_bundles_that_the_engine_wrote_are_edited_and_edited_back(corpus: Path, tmp_path: Path) -> None:
    files = sorted((corpus / "casset" / "engine_written").rglob("*.casset"))
    edited = 0
    for file in files:
        data = file.read_bytes()
        place = tmp_path / "copy.casset"
        place.write_bytes(data)
        bundle = load(str(file))
        for entry in bundle.objects[1:]:
            name = entry.path.rpartition(".")[2]
            assert edit(str(place), "--rename", uuid_text(entry.uuid), "Xx_renamed", "--in-place") == 0
            assert edit(str(place), "--rename", uuid_text(entry.uuid), name, "--in-place") == 0
            assert place.read_bytes() == data or entry.name != name, (file.name, entry.path)
            edited += 1
    assert edited > 20
