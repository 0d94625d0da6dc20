"""Source bytes of assets: of every kind of row, on every surface."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.query.graph.relations import AssetInfo
from assetdb.query.sizes import size_of, sizes_of
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "P")
    write(root, "Assets/Art/big.png", 60, b"\x89PNG" + bytes(9996))
    monkeypatch.chdir(root)
    return root


def bytes_on_disk(root: Path, path: str) -> int:
    """Of a file of the project, or of the one package that is outside of it."""
    place = root / path
    return len((place if place.exists() else next(root.rglob(place.name))).read_bytes())


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    main([*words, "--quiet"])
    return capsys.readouterr().out.splitlines()


def test_a_file_counts_once_a_folder_and_what_is_not_here_do_not(root: Path) -> None:
    paths = ["Assets/Art/big.png", "Assets/Art/big.png", "Assets/Art", "Assets/gone.png", "UnityEngine.UI.dll", ""]
    project = open_project(str(root))
    try:
        rows = [AssetInfo("", "", "", path) for path in paths]
        assert sizes_of(project, rows) == {"Assets/Art/big.png": 10_000}
        assert [size_of(project, path) for path in paths] == [10_000, 10_000, 0, 0, 0, 0]
        (root / "Assets/Art/big.png").write_bytes(b"x")  # nothing is kept
        assert size_of(project, "Assets/Art/big.png") == 1
    finally:
        project.close()


def test_matches_have_the_bytes_of_their_files(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in asked(capsys, "find", "*", "--size", "--json")]
    assert len(rows) > 5
    assert {row["path"]: row["bytes"] for row in rows} == {
        path: bytes_on_disk(root, path) for path in {row["path"] for row in rows}
    }
    assert "bytes" not in json.loads(asked(capsys, "find", "big", "--json")[0])
    assert asked(capsys, "find", "big", "--size")[0].split() == [
        *(guid(60), "Texture2D", "big", "Assets/Art/big.png", "10,000")
    ]
    # The sprites of a texture are in its file, which counts once.
    found = asked(capsys, "find", "tiles", "--size")
    assert (len(found), found[-1]) == (4, "1 file, 4 bytes")
    assert main(["find", "big", "--size", "--in", "Assets/Main.unity"]) == 2


@pytest.mark.parametrize("command", ["deps", "usages"])
@pytest.mark.parametrize("deep", [(), ("--deep",)])
def test_references_have_bytes_and_their_sum(
    root: Path, capsys: pytest.CaptureFixture[str], command: str, deep: tuple[str, ...]
) -> None:
    subject = "Assets/Main.unity" if command == "deps" else guid(3)
    key = "dependencies" if command == "deps" else "usages"
    answer = json.loads(asked(capsys, command, subject, "--size", "--json", *deep)[0])
    known = {
        row["path"]: bytes_on_disk(root, row["path"]) if os.path.isfile(root / (row["path"] or ".")) else None
        for row in answer[key]
    }
    assert {row["path"]: row["bytes"] for row in answer[key]} == known
    total = sum(size for size in known.values() if size)
    assert answer["bytes"] == total > 0
    lines = asked(capsys, command, subject, "--size", *deep)
    assert lines[-1].endswith(f"{total:,} bytes")
    assert len(lines) == len(answer[key]) + 1
    refused = [["deps", subject, "--to", guid(3), "--size"], ["usages", subject, "--objects", "--size"]]
    assert [main(words) for words in refused] == [2, 2]


def test_a_list_ends_with_its_sum(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [path.name for path in (root / "Assets/Art").iterdir() if path.suffix != ".meta"]
    assert asked(capsys, "ls", "Assets/Art", "--size")[-1] == (
        f"{sum(bytes_on_disk(root, f'Assets/Art/{name}') for name in names):,} bytes"
    )
    size = bytes_on_disk(root, "Assets/Prefabs/Player.prefab")
    assert asked(capsys, "ls", "Player.prefab", "--size")[-1] == f"1 file, {size:,} bytes"


def test_unused_assets_have_bytes_and_roots_what_they_keep_alone(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(root, "Assets/Resources/Root.prefab", 61, (root / "Assets/Prefabs/Level.prefab").read_bytes())
    (root / "Assets/Main.unity").unlink()
    (root / "Assets/Main.unity.meta").unlink()
    answer = json.loads(asked(capsys, "unused", "--size", "--json", "--incomplete")[0])
    rows = [*answer["unused"], *answer["kept"]]
    assert {row["path"]: row["bytes"] for row in rows} == {
        row["path"]: bytes_on_disk(root, row["path"]) for row in rows
    }
    alone = {row["root"]: row for row in answer["alone"]}
    kept = ("Assets/Resources/Root.prefab", "Assets/Prefabs/Player.prefab")
    assert alone["Assets/Resources/Root.prefab"] == {
        "root": "Assets/Resources/Root.prefab",
        "reason": "Resources",
        "assets": 2,
        "bytes": sum(bytes_on_disk(root, path) for path in kept),
    }
    lines = asked(capsys, "unused", "--size", "--incomplete")
    (total,) = (line for line in lines if line.startswith("unused: "))
    sums = [sum(row["bytes"] for row in answer[key]) for key in ("unused", "kept")]
    assert total == f"unused: {sums[0]:,} bytes; used: {sums[1]:,} bytes"
    assert lines[-1].split()[:2] == ["Assets/Resources/Root.prefab", "Resources"]
