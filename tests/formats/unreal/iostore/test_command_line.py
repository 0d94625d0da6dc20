"""`assetdb unreal chunks`, `extract` and `verify`, and what the other commands call for containers."""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.unreal.containers import (
    containers_in,
    difference,
    info,
    list_dependencies,
    list_packages,
    list_usages,
    parse_key,
)
from assetdb.cli.unreal.extraction import TargetFolder, UnsafeNameError, relative_name
from assetdb.errors import UsageError
from formats.unreal.city_hash import package_id
from tests.formats.unreal.iostore.pak_writer import write_pak
from tests.formats.unreal.iostore.writer import (
    KEY,
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    write_container,
    zen_package,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.formats.unreal.iostore.writer import Files

PACKAGES = {"/Game/Maps/Arena": ["/Game/Meshes/Rock"], "/Game/Meshes/Rock": ["/Engine/Default"]}


def build(
    version: int = 8, *, encryption: int = 0, rock: bytes = b"rock data", rock_path: str = "Meshes/Rock.uasset"
) -> Files:
    paths = {"/Game/Maps/Arena": "Maps/Arena.umap", "/Game/Meshes/Rock": rock_path}
    chunks = [
        Written(
            chunk_id(package_id(name), "ExportBundleData", version),
            zen_package(2, name, [("X", rock if "Rock" in name else b"map")], [], imports),
            paths[name],
        )
        for name, imports in PACKAGES.items()
    ]
    header = container_header(5, [StoredPackage(name, imports) for name, imports in PACKAGES.items()])
    chunks.append(Written(chunk_id(0x1234, "ContainerHeader", version), header))
    return write_container(version, chunks, encryption=encryption, method="Zlib", partition_size=256)


def save(folder: Path, name: str, files: Files) -> str:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.utoc").write_bytes(files.toc)
    for number, data in enumerate(files.partitions):
        (folder / (f"{name}_s{number}.ucas" if number else f"{name}.ucas")).write_bytes(data)
    return str(folder / f"{name}.utoc")


@pytest.fixture
def game(tmp_path: Path) -> str:
    return save(tmp_path / "Paks", "game", build())


def test_chunks(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "chunks", game]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["offset", "length", "type", "id", "path"]
    assert any(line.endswith("../../../Game/Content/Maps/Arena.umap") for line in lines)
    assert main(["unreal", "chunks", game, "--type", "containerheader", "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert [chunk["type"] for chunk in document["chunks"]] == ["ContainerHeader"]
    assert main(["unreal", "chunks", game, "--type", "BulkData"]) == 1


def test_extract(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out"
    assert main(["unreal", "extract", game, "--to", str(target)]) == 0
    assert "2 files written" in capsys.readouterr().out
    assert (target / "Game/Content/Maps/Arena.umap").read_bytes().endswith(b"map")
    assert main(["unreal", "extract", game, "--to", str(target / "one"), "--only", "*.umap"]) == 0
    assert [path.name for path in (target / "one").rglob("*") if path.is_file()] == ["Arena.umap"]
    assert main(["unreal", "extract", game, "--to", str(target / "all"), "--all", "--json"]) == 0
    document = json.loads(capsys.readouterr().out.split("\n", 1)[1])
    assert len(document["written"]) == 3
    assert main(["unreal", "extract", game, "--to", str(target / "none"), "--only", "nothing"]) == 1


def test_verify(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "verify", game]) == 0
    assert "3 of 3 hashes right, 2 packages read" in capsys.readouterr().out
    path = game.replace(".utoc", ".ucas")
    with open(path, "r+b") as file:
        file.seek(30)
        file.write(b"\xff\xff\xff")
    assert main(["unreal", "verify", game]) == 1
    found = capsys.readouterr().out
    assert "  data: " in found or "  hash: " in found
    os.unlink(path)
    assert main(["unreal", "verify", game, "--json"]) == 1
    (document,) = json.loads(capsys.readouterr().out)
    assert sum(document["unread"].values()) >= 1


def test_encrypted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, "secret", build(encryption=1))
    assert main(["unreal", "chunks", path]) == 0
    captured = capsys.readouterr()
    assert "a key is needed" in captured.err
    assert "Arena" not in captured.out
    assert main(["unreal", "verify", path]) == 1
    assert main(["unreal", "verify", path, "--key", KEY.hex()]) == 0
    key_file = tmp_path / "key.txt"
    key_file.write_text(base64.b64encode(KEY).decode() + "\n")
    assert main(["unreal", "verify", path, "--key", f"@{key_file}"]) == 0
    assert main(["unreal", "verify", path, "--key", "short"]) == 2


def test_keys() -> None:
    assert parse_key(None) is None
    assert parse_key("0x" + KEY.hex().upper()) == KEY
    assert parse_key(base64.b64encode(KEY).decode()) == KEY
    assert parse_key("CUE4ParseFixtureAESKey0123456789") == b"CUE4ParseFixtureAESKey0123456789"
    with pytest.raises(UsageError):
        parse_key("abc")


def test_a_folder_is_all_its_containers_and_a_bad_one_is_named(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "Paks"
    (folder / "old.pak").write_bytes(write_pak(11, [("Game/Content/a.ini", b"text")], method="Zlib"))
    assert main(["unreal", "verify", str(folder)]) == 0
    assert capsys.readouterr().out.count("hashes right") == 2
    (folder / "bad.utoc").write_bytes(b"no TOC" * 40)
    assert containers_in(str(folder)) == [str(folder / name) for name in ("bad.utoc", "game.utoc", "old.pak")]
    assert main(["unreal", "verify", str(folder)]) == 2
    captured = capsys.readouterr()
    assert captured.out.count("hashes right") == 2
    assert "bad.utoc" in captured.err
    assert main(["unreal", "chunks", str(tmp_path / "empty")]) == 2
    assert main(["unreal", "chunks", str(tmp_path / "none.utoc")]) == 2
    assert game


def test_pak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.pak"
    path.write_bytes(write_pak(11, [("Game/a.ini", b"text"), ("Game/b.ini", b"x" * 2000)], method="Zlib"))
    assert main(["unreal", "chunks", str(path)]) == 0
    assert "../../../Game/a.ini" in capsys.readouterr().out
    assert main(["unreal", "extract", str(path), "--to", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out/Game/b.ini").read_bytes() == b"x" * 2000
    assert info(str(path), key=None, as_json=False) == 0
    assert "files            2" in capsys.readouterr().out


def test_info(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert info(game, key=None, as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == 8
    assert document["types"] == {"ContainerHeader": 1, "ExportBundleData": 2}
    assert document["named_packages"] == 2
    assert info(game, key=None, as_json=False) == 0
    assert "1 ContainerHeader, 2 ExportBundleData" in capsys.readouterr().out


def test_packages_dependencies_usages(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.path.dirname(game)
    assert list_packages(folder, key=None, as_json=False) == 0
    assert capsys.readouterr().out.split() == ["/Game/Maps/Arena", "/Game/Meshes/Rock"]
    assert list_dependencies(game, "/Game/Maps/Arena", key=None, as_json=False) == 0
    assert capsys.readouterr().out == "/Game/Meshes/Rock\n"
    assert list_dependencies(game, "/Game/Maps/Arena", key=None, as_json=True, deep=True) == 0
    found = json.loads(capsys.readouterr().out)["dependencies"]
    assert [(each["name"], each["missing"]) for each in found] == [
        ("/Game/Meshes/Rock", False),
        ("/Engine/Default", True),
    ]
    assert list_usages(game, "/game/meshes/rock", key=None, as_json=False) == 0
    assert capsys.readouterr().out == "/Game/Maps/Arena\n"
    assert list_usages(game, "/Game/Meshes/Rok", key=None, as_json=False) == 1
    assert "did you mean /Game/Meshes/Rock?" in capsys.readouterr().err


def test_difference(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert difference(game, game, key=None, as_json=False) == 0
    other = save(tmp_path / "new", "game", build(rock=b"another"))
    assert difference(game, other, key=None, as_json=False) == 1
    assert capsys.readouterr().out == "~ ../../../Game/Content/Meshes/Rock.uasset\n"


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../../../Game/../../outside",
        "a/../../b",
        "C:/Windows/x",
        "a\\..\\b",
        "nul",
        "a/CON.txt",
        "a/b\0c",
        "a//b",
        "a/./b",
        "trailing./x",
        "trailing /x",
        "..",
        "",
        "a/\u202eb",
        "x" * 300,
    ],
)
def test_names_that_would_leave_their_folder_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsafeNameError):
        relative_name(name)
    target = tmp_path / "target"
    with pytest.raises(UnsafeNameError):
        TargetFolder(str(target)).write(name, [b"x"])
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_case_collisions_are_refused(tmp_path: Path) -> None:
    target = TargetFolder(str(tmp_path))
    target.write("Maps/Arena.umap", [b"1"])
    target.write("Maps/Arena.umap", [b"2"])  # a patch over what it patches
    for name in ("Maps/arena.umap", "maps/Other.umap", "MAPS/Arena.umap/x"):
        with pytest.raises(UnsafeNameError, match="only in case"):
            target.write(name, [b"x"])
    assert (tmp_path / "Maps/Arena.umap").read_bytes() == b"2"


def test_case_collisions_of_letters_that_fold_to_several(tmp_path: Path) -> None:
    target = TargetFolder(str(tmp_path))
    target.write("Straße/a/b", [b"1"])
    with pytest.raises(UnsafeNameError, match="only in case"):
        target.write("STRASSE/a/b", [b"x"])


def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "Game").symlink_to(outside)
    with pytest.raises(UnsafeNameError, match="link"):
        TargetFolder(str(tmp_path / "target")).write("Game/x", [b"x"])
    assert list(outside.iterdir()) == []


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    def pieces() -> list[bytes]:
        raise OSError(28, "No space left on device")

    class Pieces:
        def __iter__(self) -> object:
            return iter(pieces())

    with pytest.raises(OSError, match="No space"):
        TargetFolder(str(tmp_path)).write("a/b", Pieces())  # type: ignore[arg-type]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_hostile_name_in_a_container_is_said_and_the_rest_is_extracted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "Paks", "bad", build(rock_path="../../../../../evil"))
    assert main(["unreal", "extract", path, "--to", str(tmp_path / "out")]) == 2
    captured = capsys.readouterr()
    assert "evil" in captured.err
    assert [each.name for each in tmp_path.rglob("*") if each.is_file() and each.suffix == ".umap"] == ["Arena.umap"]
    assert not list(tmp_path.parent.glob("evil*"))
