"""What files look for by name is kept for the next process, and read again where it may differ."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from assetdb.query.graph import named
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.sought import KeptNames, Sought
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.files import NAMES_NAME
from assetdb.system.identity import RACY
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from pathlib import Path

RED, CARS = 1, range(2, 6)
WANTED = Sought((("Red", "car-Red"), ("Blue",)), 2, "Toon/Glow")


def settled() -> None:
    """Wait until a change would leave another time (the clock of files steps every 1 to 10 ms)."""
    time.sleep(0.06)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    settings = "ModelImporter:\n  materials:\n    materialName: 1\n    materialSearch: 1\n"
    for number in CARS:
        write(tmp_path, f"Assets/car{number}.fbx", number, model(7400, (Node("A", "Mesh", (), ("Red",)),)), settings)
    text = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n"
    write(tmp_path, "Assets/Materials/Red.mat", RED, text, "NativeFormatImporter:\n  userData: \n")
    (tmp_path / "ProjectSettings").mkdir()
    settled()
    return tmp_path


def asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """Return the users of the material by a process of its own, and the models that it read."""
    read: list[str] = []
    reader = named._read

    def counted(path: str, *rest: object) -> Sought:
        read.append(path)
        return reader(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(named, "_read", counted)
    project = open_project(str(root))
    try:
        return sorted(AssetGraph(project).usages(guid(RED))), sorted(read)
    finally:
        project.close()
        monkeypatch.undo()


def test_a_second_process_reads_only_what_changed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = sorted(map(guid, CARS))
    assert asked(root, monkeypatch) == (everybody, [f"Assets/car{number}.fbx" for number in CARS])
    assert asked(root, monkeypatch) == (everybody, [])
    (root / "Assets/car3.fbx").write_bytes(model(7400, (Node("A", "Mesh", (), ("Blue",)),)))
    meta = root / "Assets/car4.fbx.meta"
    meta.write_text(meta.read_text().replace("materialName: 1", "materialName: 2"))
    settled()
    left = sorted(map(guid, (2, 5)))
    assert asked(root, monkeypatch) == (left, ["Assets/car3.fbx", "Assets/car4.fbx"])
    assert asked(root, monkeypatch) == (left, [])
    (root / "Library/assetdb" / NAMES_NAME).unlink()
    assert asked(root, monkeypatch) == (left, [f"Assets/car{number}.fbx" for number in CARS])  # as from nothing


@pytest.mark.parametrize("damage", [b"", b"\x93", b"\x93\x01\xa1x\x80", b"\xc1" * 99, b"{}"])
def test_a_damaged_file_counts_as_absent(root: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes) -> None:
    everybody = sorted(map(guid, CARS))
    asked(root, monkeypatch)
    (root / "Library/assetdb" / NAMES_NAME).write_bytes(damage)
    assert asked(root, monkeypatch) == (everybody, [f"Assets/car{number}.fbx" for number in CARS])


def test_rows_are_kept_by_both_identities_and_without_what_is_gone(tmp_path: Path) -> None:
    kept = KeptNames(str(tmp_path))
    kept.put("Assets/a.fbx", 1, 2, WANTED)
    kept.put("Assets/b.fbx", 3, RACY, WANTED)
    kept.put("Assets/gone.fbx", 5, 6, WANTED)
    kept.write(lambda: {"Assets/a.fbx", "Assets/b.fbx"})
    again = KeptNames(str(tmp_path))
    assert again.get("Assets/a.fbx", 1, 2) == WANTED
    assert [again.get("Assets/a.fbx", 1, 3), again.get("Assets/a.fbx", 2, 2)] == [None, None]
    assert again.get("Assets/b.fbx", 3, RACY) is None
    assert again.get("Assets/gone.fbx", 5, 6) is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    kept = KeptNames(str(tmp_path / "gone"))
    kept.put("Assets/a.fbx", 1, 2, WANTED)
    kept.write(lambda: {"Assets/a.fbx"})
    assert kept.get("Assets/a.fbx", 1, 2) == WANTED


def test_what_is_there_is_not_asked_for_where_nothing_is_new(tmp_path: Path) -> None:
    def there() -> set[str]:
        raise AssertionError("a search of the whole database")

    kept = KeptNames(str(tmp_path))
    kept.write(there)
    kept.put("Assets/a.fbx", 1, RACY, WANTED)
    kept.write(there)
