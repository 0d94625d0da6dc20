"""Type trees that are in an archive beside the bundle: there, absent, incomplete, damaged and forged."""

from __future__ import annotations

import zipfile
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.verification import verify
from assetdb.cli import main
from assetdb_formats.inputs import find_inputs
from assetdb_formats.unityfs.bundle import open_bundle, open_input
from assetdb_formats.unityfs.extracted_trees import TREES_NAME
from assetdb_formats.unityfs.queries.verify import verify_bundle
from tests.assetdb.builds import making
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import Thing

if TYPE_CHECKING:
    from pathlib import Path

CAB = "CAB-" + "a" * 32
OAK = making.text("oak") + pack("<iq", 0, 0) + pack("<i", 1) + pack("<iq", 0, 7)
BARK = making.text("bark") + pack("<iQI", 8, 0, 0) + making.text("")
THINGS = [Thing(5, making.MATERIAL, OAK), Thing(7, making.TEXTURE, BARK)]
NEED = f"need their type trees of {TREES_NAME}, which is not there or lacks them"


def bundles(folder: Path) -> dict[str, bytes]:
    """Write a bundle whose type trees are elsewhere, and return these by their hash."""
    trees: dict[str, bytes] = {}
    own = builder.serialized_file(THINGS, making.KINDS[:2], version=23, unity_version="6000.5.0f1", extracted=trees)
    folder.mkdir()
    (folder / "oak.bundle").write_bytes(builder.archive([(CAB, own)]))
    assert len(trees) == 2
    return trees


def store(folder: Path, trees: dict[str, bytes]) -> None:
    (folder / TREES_NAME).write_bytes(builder.archive([*trees.items()]))


def test_values_are_read_with_the_trees_beside_the_bundle(tmp_path: Path) -> None:
    folder = tmp_path / "aa"
    store(folder, bundles(folder))
    with open_bundle(folder / "oak.bundle") as bundle:
        oak, bark = bundle.objects()
        assert oak.value()["m_Name"] == "oak"
        assert [tuple(pointer) for _, pointer in oak.references()] == [(0, 7)]
        assert (bark.class_name, bark.name, bark.value()["m_Width"]) == ("Texture2D", "bark", 8)
        found = verify_bundle(bundle)
    assert (found.findings, found.unread, found.without_trees) == ((), 0, 0)
    build = open_build(folder, remember=False)
    assert [build.name(number) for number in range(len(build))] == ["oak", "bark"]
    assert not verify(build).unread


def test_a_bundle_in_an_archive_finds_them_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "aa"
    store(folder, bundles(folder))
    with zipfile.ZipFile(tmp_path / "game.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"assets/aa/{path.name}")
    (found,) = find_inputs(str(tmp_path / "game.zip"), lambda name: name.endswith(".bundle"))
    with open_input(found) as bundle:
        assert [item.value()["m_Name"] for item in bundle.objects()] == ["oak", "bark"]


@pytest.mark.parametrize("kind", ["absent", "empty", "no archive", "cut", "forged", "half"])
def test_without_them_it_is_said_how_many_objects_need_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    folder = tmp_path / "aa"
    trees = bundles(folder)
    stored = builder.archive([*trees.items()])
    half = dict([*trees.items()][:1])
    contents = {
        "empty": b"",
        "no archive": b"x" * 100,
        "cut": stored[: len(stored) - 20],
        "forged": builder.archive([(name, b"mhtt" + bytes(40)) for name in trees]),
        "half": builder.archive([*half.items()]),
    }
    if kind in contents:
        (folder / TREES_NAME).write_bytes(contents[kind])
    count = 1 if kind == "half" else 2
    with open_bundle(folder / "oak.bundle") as bundle:
        assert [item.path_id for item in bundle.objects()] == [5, 7]
        assert verify_bundle(bundle).without_trees == count
    assert main(["bundle", "verify", str(folder / "oak.bundle")]) == 0
    assert f"{count} {NEED}" in "".join(capsys.readouterr())
    build = open_build(folder, remember=False)
    assert any(f"values of {count} objects need" in line for line in verify(build).unread)


def test_trees_that_came_later_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "aa"
    trees = bundles(folder)
    assert verify(open_build(folder)).unread
    store(folder, trees)
    assert not verify(open_build(folder)).unread
