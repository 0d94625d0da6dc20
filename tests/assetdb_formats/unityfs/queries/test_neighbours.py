"""Bundles by the files in them, where references of others lead, and which could not be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.inputs import file_input, find_inputs
from assetdb_formats.unityfs.bundle import open_bundle
from assetdb_formats.unityfs.queries.neighbours import BundleSet, file_name, same_file
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from pathlib import Path

P = builder.Packer()


def text(name: bytes) -> bytes:
    return builder.serialized_file([builder.Thing(7, 49, P.string(name) + P.string(b"x"))], builder.KINDS[2:])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.bundle").write_bytes(builder.archive([("CAB-a", text(b"in a")), ("CAB-a.resS", b"r")]))
    stored = builder.archive([("CAB-a", text(b"in b")), ("CAB-b", text(b"b"))], compression=0)
    (tmp_path / "b.bundle").write_bytes(stored)
    (tmp_path / "level0").write_bytes(text(b"bare"))
    (tmp_path / "other.txt").write_bytes(b"neither")
    return tmp_path


def bundles(folder: Path) -> BundleSet:
    return BundleSet(find_inputs(str(folder), lambda _: True))


def test_a_file_belongs_to_the_first_bundle_that_has_it(folder: Path) -> None:
    steps: list[tuple[int, int]] = []
    inputs = list(find_inputs(str(folder), lambda _: True))
    found = BundleSet(inputs, progress=lambda done, of: steps.append((done, of)))
    assert [item.member for item in found.inputs] == ["a.bundle", "b.bundle", "level0"]
    assert [item.member for item in found.bundles] == ["a.bundle", "b.bundle"]
    holders = {name: found.holder(name) for name in ("cab-A", "CAB-B", "CAB-a.resS", "LEVEL0", "CAB-c", "other.txt")}
    assert {name: item and item.member for name, item in holders.items()} == {
        "cab-A": "a.bundle",
        "CAB-B": "b.bundle",
        "CAB-a.resS": "a.bundle",
        "LEVEL0": "level0",
        "CAB-c": None,
        "other.txt": None,
    }
    assert steps == [(number, 4) for number in range(4)]
    assert [item.member for item in found.others(inputs[0])] == ["b.bundle", "level0"]


def _fail() -> None:
    raise OSError(5, "Input/output error")


def test_what_cannot_be_read_is_noted_with_its_file(folder: Path) -> None:
    (folder / "bad.bundle").write_bytes(b"UnityFS\0" + bytes(40))
    inputs = [file_input(str(folder / name)) for name in ("bad.bundle", "absent", "level0")]
    found = BundleSet(inputs)
    assert [item.member for item in found.inputs] == ["level0"]
    damaged, absent = found.unreadable
    assert isinstance(damaged, FormatError)
    assert damaged.path == str(folder / "bad.bundle")
    assert isinstance(absent, FileNotFoundError)
    assert absent.filename == str(folder / "absent")
    with found.collecting(inputs[2]):
        _fail()
    nameless = found.unreadable[-1]
    assert isinstance(nameless, OSError)
    assert nameless.filename == str(folder / "level0")


def source(folder: Path, *externals: str) -> None:
    script = builder.things()[0]
    data = builder.serialized_file(
        [script],
        builder.KINDS[:1],
        externals=tuple(map(builder.External, externals)),
        references=builder.REFERENCES,
    )
    (folder / "from.bundle").write_bytes(builder.archive([("CAB-from", data)]))


def test_references_lead_to_objects_in_bundles_and_bare_files(folder: Path) -> None:
    source(folder, "archive:/CAB-B/CAB-B", "level0", "archive:/CAB-c/CAB-c", "archive:/x/CAB-a.resS")
    with bundles(folder) as found, open_bundle(folder / "from.bundle") as bundle:
        (script,) = bundle.objects()
        targets = [found.follow(script, PPtr(number, 7)) for number in (1, 2, 3, 4, 5, 0)]
        first, bare, missing, resource, beyond, own = targets
        assert missing is beyond is own is None
        for target, name in ((first, "b"), (bare, "bare")):
            assert target is not None
            assert target.object is not None
            assert (target.object.name, target.path_id) == (name, 7)
        assert first is not None
        assert (first.bundle.member, first.file) == ("b.bundle", "CAB-B")
        assert resource is not None
        assert (resource.object, resource.file) == (None, "CAB-a.resS")
        absent = found.follow(script, PPtr(1, 8))
        assert absent is not None
        assert (absent.object, absent.path_id) == (None, 8)
        again = first
        del first, bare, target, targets, resource, absent
        with found:  # its end closes what was opened until then; what is followed later is opened anew
            pass
        assert again.object is not None
        with pytest.raises(ValueError, match="closed file"):
            again.object.value()
        anew = found.follow(script, PPtr(1, 7))
        assert anew is not None
        assert anew.object is not None
        assert anew.object.name == "b"


def test_damage_that_shows_only_in_a_reference_names_the_bundle(folder: Path) -> None:
    source(folder, "archive:/CAB-d/CAB-d")
    (folder / "d.bundle").write_bytes(builder.archive([("CAB-d", text(b"d")[:-1])]))
    with bundles(folder) as found, open_bundle(folder / "from.bundle") as bundle:
        (script,) = bundle.objects()
        with pytest.raises(FormatError, match="declares") as caught:
            found.follow(script, PPtr(1, 7))
        assert caught.value.path == str(folder / "d.bundle")


def test_inputs_are_one_file_by_name_or_by_identity(folder: Path) -> None:
    one = file_input(str(folder / "a.bundle"))
    os.link(folder / "a.bundle", folder / "hard.bundle")
    assert same_file(one, one)
    assert same_file(one, file_input(str(folder / "hard.bundle")))
    assert not same_file(one, file_input(str(folder / "b.bundle")))
    in_memory = one._replace(name="a.zip/a.bundle", container=_NoFolder())  # type: ignore[arg-type]
    assert not same_file(one, in_memory)
    assert not same_file(in_memory, one)
    assert file_name(one._replace(member="Data\\x/level0")) == "level0"


class _NoFolder:
    """A container whose members have no path, as an archive's."""
