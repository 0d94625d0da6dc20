"""`assetdb unreal chunks`, `extract` and `verify`, and what the other commands call for containers."""

from __future__ import annotations

import base64
import json
import os
import sys
import tracemalloc
from pathlib import Path

import pytest

from assetdb.cli import main
from assetdb_formats.codecs.city_hash import object_path_hash, package_id
from assetdb_formats.unreal.containers.locations import containers_in
from assetdb_formats.unreal.errors import MissingExtraError
from assetdb_formats.unreal.iostore.toc import Toc
from tests.assetdb_formats.unreal.containers.making import PACKAGES, build, save, zen_size
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import (
    KEY,
    Files,
    Written,
    chunk_id,
    name_batch,
    script_rows,
    write_container,
)
from tests.assetdb_formats.unreal.scanning.test_database import package


@pytest.fixture
def game(tmp_path: Path) -> str:
    return save(tmp_path / "Paks", "game", build())


def test_chunks(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "chunks", game]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["offset", "length", "type", "flags", "id", "path"]
    assert any(line.endswith("../../../Game/Content/Maps/Arena.umap") for line in lines)
    assert main(["unreal", "chunks", game, "--type", "containerheader", "--json"]) == 0
    (chunk,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (chunk["container"], chunk["type"]) == (game, "ContainerHeader")
    assert main(["unreal", "chunks", game, "--type", "BulkData"]) == 1


def test_chunks_with_their_blocks(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "chunks", game, "--blocks", "--json"]) == 0
    numbers = []
    for chunk in map(json.loads, capsys.readouterr().out.splitlines()):
        assert chunk["flags"] == ["compressed"]
        assert sum(block["size"] for block in chunk["blocks"]) == chunk["length"]
        assert {block["method"] for block in chunk["blocks"]} == {"Zlib"}
        numbers += [block["number"] for block in chunk["blocks"]]
    toc = Toc(Path(game).read_bytes())
    assert sorted(numbers) == list(range(toc.header.block_count))
    assert {toc.block(number).partition for number in numbers} == {0, 1}
    assert main(["unreal", "chunks", game, "--blocks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(toc) + toc.header.block_count
    assert any("partition 1" in line and "stored, Zlib" in line for line in lines)


def test_chunks_that_share_all_their_blocks_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chunks = [Written(bytes([n]) * 11 + b"\2", b"x" * 4000) for n in range(1, 9)]
    files = write_container(8, chunks)
    data = bytearray(files.toc)
    places = 144 + 12 * len(chunks)
    for number in range(len(chunks)):  # each chunk is all blocks
        data[places + 10 * number : places + 10 * number + 10] = bytes(5) + (32 * 1024).to_bytes(5, "big")
    path = save(tmp_path, "shared", files._replace(toc=bytes(data)))
    assert main(["unreal", "chunks", path]) == 0
    assert main(["unreal", "chunks", path, "--blocks"]) == 2
    assert "share their blocks" in capsys.readouterr().err


def test_info_says_what_the_header_says(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "info", game, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["header_size"] == 144
    assert found["encryption_key_guid"] == "0" * 32
    assert found["flags"] == ["COMPRESSED", "INDEXED"]
    assert found["partition_size"] == 256
    assert found["entry_sizes"] == {"chunk_id": 12, "offset_and_length": 10, "block": 12, "method_name": 32, "meta": 24}
    assert found["perfect_hash_seeds"] == 1


def test_without_its_data_a_container_lists_what_its_table_says(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("game.ucas", "game_s1.ucas"):
        os.unlink(os.path.join(os.path.dirname(game), name))
    assert main(["unreal", "ls", game]) == 0
    captured = capsys.readouterr()
    assert captured.out.split() == sorted(PACKAGES)
    assert "what its packages import is not known" in captured.err
    assert main(["unreal", "ls", game, "--json"]) == 0
    assert [row["imports"] for row in map(json.loads, capsys.readouterr().out.splitlines())] == [None, None]
    assert main(["unreal", "deps", "Arena", "--in", game]) == 2
    assert "the imports of " in capsys.readouterr().err


def test_a_table_of_contents_is_read_only_as_far_as_its_header_counts(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(game, "r+b") as file:
        file.truncate(900 << 20)  # sparse
    tracemalloc.start()
    assert main(["unreal", "ls", game]) == 2
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32 << 20
    assert "tables that it counts take at most" in capsys.readouterr().err


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
    document = json.loads(capsys.readouterr().out)
    assert sum(document["unread"].values()) >= 1


def test_verify_without_blake3_says_that_nothing_was_compared(
    game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "blake3", None)
    assert main(["unreal", "verify", game]) == 1
    shown = capsys.readouterr().out
    assert "no hash was compared" in shown
    assert "right" not in shown
    assert "unread: 3 chunks: its hash is BLAKE3, which is not installed here: pip install blake3" in shown


def test_encrypted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, "secret", build(encryption=1))
    assert main(["unreal", "chunks", path]) == 0
    captured = capsys.readouterr()
    assert "a key is needed: --key (key GUID " in captured.err
    assert "Arena" not in captured.out
    assert main(["unreal", "verify", path]) == 1
    assert main(["unreal", "verify", path, "--key", KEY.hex()]) == 0
    key_file = tmp_path / "key.txt"
    key_file.write_text(base64.b64encode(KEY).decode() + "\n")
    assert main(["unreal", "verify", path, "--key", f"@{key_file}"]) == 0
    assert main(["unreal", "verify", path, "--key", "short"]) == 2


@pytest.mark.parametrize(
    "words",
    [
        *(["unreal", name] for name in ("info", "chunks", "ls", "verify")),
        *(["unreal", name, "Arena", "--in"] for name in ("deps", "usages")),
        *(["build", name] for name in ("info", "ls", "size", "verify")),
        ["unreal", "extract", "--all", "--to", "out"],
        ["unreal", "extract", "--all", "--legacy", "--to", "out"],
    ],
    ids=" ".join,
)
def test_a_command_names_its_option_where_the_library_names_its_parameter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = save(tmp_path, "secret", build(encryption=1))
    for shape in ([], ["--json"]):
        main([*words, path, *shape])
        captured = capsys.readouterr()
        said = captured.out + captured.err
        assert "a key is needed: --key (key GUID " in said
        assert "parameter" not in said


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
    assert main(["unreal", "info", str(path)]) == 0
    assert "files            2" in capsys.readouterr().out


def test_info(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "info", game, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == 8
    assert document["types"] == {"ContainerHeader": 1, "ExportBundleData": 2}
    assert document["named_packages"] == 2
    assert main(["unreal", "info", game]) == 0
    assert "1 ContainerHeader, 2 ExportBundleData" in capsys.readouterr().out


def test_packages_dependencies_usages(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.path.dirname(game)
    assert main(["unreal", "ls", folder]) == 0
    assert capsys.readouterr().out.split() == ["/Game/Maps/Arena", "/Game/Meshes/Rock"]
    assert main(["unreal", "deps", "/Game/Maps/Arena", "--in", game]) == 0
    assert capsys.readouterr().out == "/Game/Meshes/Rock\n"
    assert main(["unreal", "deps", "/Game/Maps/Arena", "--in", game, "--json", "--deep"]) == 0
    found = json.loads(capsys.readouterr().out)["dependencies"]
    assert [(each["name"], each["missing"]) for each in found] == [
        ("/Game/Meshes/Rock", False),
        ("/Engine/Default", True),
    ]
    assert main(["unreal", "usages", "/game/meshes/rock", "--in", game]) == 0
    assert capsys.readouterr().out == "/Game/Maps/Arena\n"
    assert main(["unreal", "usages", "/Game/Meshes/Rok", "--in", game]) == 1
    assert "did you mean /Game/Meshes/Rock?" in capsys.readouterr().err


def test_difference(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "diff", game, game]) == 0
    other = save(tmp_path / "new", "game", build(rock=b"another"))
    assert main(["unreal", "diff", game, other]) == 1
    assert capsys.readouterr().out == "~ ../../../Game/Content/Meshes/Rock.uasset\n"


def test_a_file_that_a_patch_deletes_is_not_extracted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was written as the game that is patched has it, where a replaced one was not."""
    paks = tmp_path / "Paks"
    paks.mkdir()
    (paks / "game.pak").write_bytes(write_pak(8, [("Maps/a", b"a"), ("Maps/b", b"b"), ("c", b"c")]))
    patched = [("Maps/a", b""), ("Maps/b", b"B"), ("d", b"")]
    (paks / "game_0_P.pak").write_bytes(write_pak(8, patched, deleted={"Maps/a", "d"}))
    assert main(["unreal", "extract", str(paks), "--to", str(tmp_path / "out"), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)["written"]
    assert sorted((row["path"], row["size"]) for row in written) == [("../../../Maps/b", 1), ("../../../c", 1)]
    found = {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert found == {"b": b"B", "c": b"c"}


def test_a_hostile_name_in_a_container_is_said_and_the_rest_is_extracted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / "Paks", "bad", build(rock_path="../../../../../evil"))
    assert main(["unreal", "extract", path, "--to", str(tmp_path / "out")]) == 2
    captured = capsys.readouterr()
    assert "evil" in captured.err
    assert [each.name for each in tmp_path.rglob("*") if each.is_file() and each.suffix == ".umap"] == ["Arena.umap"]
    assert not list(tmp_path.parent.glob("evil*"))


def overlapping_container(folder: Path, *, blocks: bool) -> str:
    """Save 40 chunks of 5,120 bytes that are all the same blocks, or blocks that are all the same bytes."""
    chunks = [
        Written(chunk_id(number + 1, "BulkData", 8), bytes([number]) * 5120, f"{number}.ubulk") for number in range(40)
    ]
    files = write_container(8, chunks)
    toc = Toc(files.toc)
    data = bytearray(files.toc)
    if blocks:
        for block in range(toc.header.block_count):
            data[toc.blocks_offset + 12 * block : toc.blocks_offset + 12 * block + 5] = bytes(5)
        return save(folder, "game", Files(bytes(data), [files.partitions[0][:1024]], files.chunks))
    for chunk in range(40):
        place = toc.places_offset + 10 * chunk
        data[place : place + 10] = (0).to_bytes(5, "big") + (40 * 5120).to_bytes(5, "big")
    return save(folder, "game", Files(bytes(data), files.partitions, files.chunks))


@pytest.mark.parametrize("kind", ["blocks", "chunks", "pak"])
def test_what_overlaps_does_not_grow_with_the_square_of_the_file(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind == "pak":
        path = str(tmp_path / "game.pak")
        files = [(f"Game/{number}.ubulk", bytes(50_000)) for number in range(200)]
        with open(path, "wb") as file:
            file.write(write_pak(11, files, overlapping=True))
    else:
        path = overlapping_container(tmp_path, blocks=kind == "blocks")
    target = tmp_path / "out"
    code, _, err = cli(capsys, "extract", path, "--to", str(target), "--json")
    assert code == 2
    assert "files not extracted: " in err
    assert "overlaps" in err
    assert len(err.splitlines()) == 1
    stored = sum(each.stat().st_size for each in tmp_path.iterdir() if each.suffix in {".ucas", ".pak"})
    assert sum(each.stat().st_size for each in target.rglob("*") if each.is_file()) <= 4 * stored
    code, out, _ = cli(capsys, "verify", path)
    assert code == 1
    assert out.count("  overlap: ") == 1
    assert len(out.splitlines()) < 60
    code, out, _ = cli(capsys, "extract", path, "--to", str(target / "one"), "--only", "7.ubulk")
    assert (code, out.split()[0]) == (0, "1") if kind != "blocks" else (2, "0")


def test_what_many_files_lack_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: object) -> bytes:
        raise MissingExtraError("compressed with Oodle: install assetdb[oodle]", field="compression_method")

    monkeypatch.setattr("assetdb_formats.unreal.iostore.container.decompress", missing)
    path = save(tmp_path / "Paks", "game", build())
    code, out, err = cli(capsys, "extract", path, "--to", str(tmp_path / "out"))
    assert (code, out) == (2, "0 files written, 0 bytes\n")
    assert err == f"assetdb: error: 2 files not extracted: {path}: compressed with Oodle: install assetdb[oodle]\n"
    code, out, _ = cli(capsys, "extract", path, "--to", str(tmp_path / "out"), "--json")
    assert list(json.loads(out)["unread"].values()) == [2]


def cli(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["unreal", *words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def build_folder(game: str) -> str:
    """A folder with an IoStore container and a .pak whose package needs one of the container's."""
    folder = os.path.dirname(game)
    files = [
        ("Game/Content/Mods/Tree.uasset", package(("/Game/Meshes/Rock", "/Script/Engine"), ("/Game/Maps/Arena",))),
        ("Game/Content/Mods/Torn.uasset", package()[:100]),
        ("Game/Config/a.ini", b"text"),
    ]
    with open(os.path.join(folder, "mod.pak"), "wb") as file:
        file.write(write_pak(11, files, method="Zlib"))
    return folder


def test_a_folder_of_containers_is_one_graph_with_its_paks(
    build_folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = cli(capsys, "ls", build_folder)
    assert code == 0
    assert out.split() == ["/Game/Maps/Arena", "/Game/Meshes/Rock", "/Game/Mods/Torn", "/Game/Mods/Tree"]
    assert "mod.pak" in err  # the torn package is there by its name, and said
    code, out, _ = cli(capsys, "usages", "Rock", "--in", build_folder)
    assert (code, out.split()) == (0, ["/Game/Maps/Arena", "/Game/Mods/Tree"])
    code, out, _ = cli(capsys, "deps", "Mods/Tree", "--in", build_folder, "--json")
    document = json.loads(out)
    assert code == 0
    assert [each["name"] for each in document["dependencies"]] == ["/Game/Meshes/Rock"]
    assert document["soft"] == ["/Game/Maps/Arena"]
    code, out, _ = cli(capsys, "ls", "--missing", build_folder)
    assert (code, out.splitlines()) == (1, ["/Engine/Default", "  needed by /Game/Meshes/Rock"])
    code, out, _ = cli(capsys, "info", build_folder, "--json")
    assert [each["format"] for each in map(json.loads, out.splitlines())] == ["IoStore container", "pak"]
    assert cli(capsys, "ls", os.path.join(build_folder, "mod.pak"))[1].split() == ["/Game/Mods/Torn", "/Game/Mods/Tree"]
    assert cli(capsys, "info", os.path.join(build_folder, "game.ucas"))[0] == 0


def test_who_is_meant_in_containers(build_folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = cli(capsys, "deps", "Rok", "--in", build_folder)
    assert (code, "did you mean /Game/Meshes/Rock?" in err) == (1, True)
    identity = f"{package_id('/Game/Maps/Arena'):016x}"
    assert cli(capsys, "deps", identity, "--in", build_folder)[:2] == (0, "/Game/Meshes/Rock\n")
    assert cli(capsys, "deps", "/Game/Maps/Arena.Arena", "--in", build_folder)[0] == 0
    assert cli(capsys, "usages", "Arena", "--in", build_folder)[0] == 1


def test_what_is_not_in_containers_is_said(
    build_folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toc, out = os.path.join(build_folder, "game.utoc"), str(tmp_path / "out")
    for words, said in {
        ("chunks", toc, "--type", "bulkdata"): "there is no chunk of type bulkdata here",
        ("chunks", toc, "--type", "BulkDate"): "there is no type BulkDate of chunks; did you mean 'BulkData'?",
        ("extract", toc, "--to", out, "--only", "*.x"): "no chunk or file here is like *.x",
        ("usages", "Arena", "--in", toc): "no package here needs /Game/Maps/Arena",
    }.items():
        code, _, err = cli(capsys, *words)
        assert (code, err) == (1, f"assetdb: {said}\n"), words


def test_containers_without_a_missing_package_are_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.pak").write_bytes(write_pak(11, [("Game/Content/A.uasset", package())]))
    assert cli(capsys, "ls", "--missing", str(tmp_path)) == (0, "", "")


@pytest.mark.parametrize("words", [("info",), ("info", "--json"), ("chunks",), ("ls",), ("verify",)])
def test_a_broken_container_is_named_once(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("bad.utoc", "bad.pak"):
        path = tmp_path / name
        path.write_bytes(b"nothing " * 40)
        code, out, err = cli(capsys, *words, str(path))
        assert (code, out) == (2, "")
        assert err.count(str(path)) == 1
        assert len(err.splitlines()) == 1


def test_a_broken_file_in_a_pak_names_the_pak_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.pak"
    data = bytearray(write_pak(11, [("Game/A.uasset", bytes(3000))], method="Zlib"))
    data[180:190] = b"\xff" * 10
    path.write_bytes(data)
    for words in (("extract", str(path), "--to", str(tmp_path / "out")), ("ls", str(path))):
        err = cli(capsys, *words)[2]
        assert err.splitlines()[0].count(str(path)) == 1, err


def test_classes_and_sizes_of_packages_in_containers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "Paks", "game", build())
    assert cli(capsys, "ls", path, "--classes", "--json")[0] == 0  # without script objects
    code, out, err = cli(capsys, "ls", path, "--class", "Actor")
    assert (code, out) == (2, "")
    assert "the class of 2 packages is not known" in err
    scripts = ["/Script/Engine", "/Script/Engine.Actor"]
    names, rows = script_rows(scripts)
    # what the writer of packages gives every export as its class
    rows = rows.replace((1 << 62 | object_path_hash(scripts[1])).to_bytes(8, "little"), (1 << 62).to_bytes(8, "little"))
    chunk = Written(bytes(11) + b"\5", name_batch(names) + rows)
    save(tmp_path / "Paks", "global", write_container(8, [chunk], indexed=False))
    for where in (path, str(tmp_path / "Paks")):
        code, out, err = cli(capsys, "ls", where, "--class", "actor", "--json")
        found = list(map(json.loads, out.splitlines()))
        assert (code, err) == (0, "")
        assert [(row["name"], row["class"]) for row in found] == [(name, "Actor") for name in sorted(PACKAGES)]
        sizes = {zen_size(row["name"]) for row in found}
        assert {row["size"] for row in found} == sizes
    assert [line.split()[1] for line in cli(capsys, "ls", path, "--classes")[1].splitlines()] == ["Actor", "Actor"]
    code, _, err = cli(capsys, "ls", path, "--class", "Acter")
    assert (code, "did you mean 'Actor'" in err) == (1, True)


def test_what_containers_cannot_answer_is_refused(build_folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("ls", "--damaged"), ("ls", "--cycles"), ("info", "--properties")):
        code, _, err = cli(capsys, *words, build_folder)
        assert (code, "is not for containers" in err) == (2, True), words
    for command in ("tags", "thumbs", "unused"):
        code, _, err = cli(capsys, command, build_folder)
        assert (code, "reads folders of packages" in err) == (2, True), command
    assert cli(capsys, "deps", "Rock", "--kind", "soft", "--in", build_folder)[0] == 2
    pak, toc = os.path.join(build_folder, "mod.pak"), os.path.join(build_folder, "game.utoc")
    assert cli(capsys, "diff", pak, toc)[0] == 2


def test_packages_beside_containers_make_a_folder_one_of_packages(
    build_folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(os.path.join(build_folder, "Loose.uasset"), "wb") as file:
        file.write(package())
    assert "/Game/Loose" in cli(capsys, "ls", build_folder)[1]
    (shown,) = map(json.loads, cli(capsys, "info", build_folder, "--json")[1].splitlines())
    assert shown["path"].endswith("Loose.uasset")


def test_folders_of_containers_differ_by_content(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = os.path.dirname(game)
    new = tmp_path / "new"
    save(new, "renamed", build(rock=b"another"))
    code, out, _ = cli(capsys, "diff", old, str(new))
    assert (code, out) == (1, "~ ../../../Game/Content/Meshes/Rock.uasset\n")
    (new / "bad.utoc").write_bytes(b"no TOC" * 40)
    code, _, err = cli(capsys, "diff", old, str(new))
    assert (code, "bad.utoc" in err) == (2, True)


def test_paks_that_store_the_same_in_two_ways_are_equal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [("Game/a.ini", b"text" * 100), ("Game/b.ini", b"b")]
    (tmp_path / "zlib.pak").write_bytes(write_pak(11, files, method="Zlib"))
    (tmp_path / "none.pak").write_bytes(write_pak(11, files, method="None"))
    (tmp_path / "else.pak").write_bytes(write_pak(8, [("Game/a.ini", b"tent" * 100), files[1]], method="Zlib"))
    zlib, none, other = (str(tmp_path / f"{name}.pak") for name in ("zlib", "none", "else"))
    assert cli(capsys, "diff", zlib, none) == (0, "", "")
    assert cli(capsys, "diff", none, other)[:2] == (1, "~ ../../../Game/a.ini\n")


def test_find_and_types_in_containers(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(capsys, "find", "rock", "--in", game) == (0, "/Game/Meshes/Rock\n", "")
    assert cli(capsys, "find", "maps/*", "--in", os.path.dirname(game))[1] == "/Game/Maps/Arena\n"
    code, _, err = cli(capsys, "find", "Rok", "--in", game)
    assert (code, err) == (1, "assetdb: no package is named like 'Rok'; did you mean 'Rock'?\n")
    out = str(tmp_path / "out")
    assert cli(capsys, "extract", game, "--to", out, "--type", "containerheader", "--all")[1].startswith("1 files")
    code, _, err = cli(capsys, "extract", game, "--to", out, "--type", "BulkDate")
    assert (code, "did you mean 'BulkData'" in err) == (1, True)


def test_several_places_are_one_build(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mod.pak").write_bytes(write_pak(11, [("Game/Content/Mod.uasset", package(("/Game/Meshes/Rock",)))]))
    mod = str(tmp_path / "mod.pak")
    assert cli(capsys, "usages", "Rock", "--in", game, "--in", mod)[1].split() == ["/Game/Maps/Arena", "/Game/Mod"]
    (tmp_path / "Loose.uasset").write_bytes(package())
    code, _, err = cli(capsys, "usages", "Rock", "--in", game, "--in", str(tmp_path))
    assert (code, "name either containers or folders" in err) == (2, True)


def test_a_pattern_of_many_stars_takes_no_time(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = cli(capsys, "extract", game, "--to", str(tmp_path / "out"), "--only", "*a" * 40 + "!")
    assert code == 1


def test_a_damaged_directory_index_does_not_hide_other_containers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`chunks`, `extract`, `diff` and `info` ended with it, and nothing was listed of any container."""
    folder = tmp_path / "Paks"
    save(folder, "a", build())
    save(folder, "b", build())
    path = folder / "a.utoc"
    data = path.read_bytes()
    at = data.index(b"../../../") - 4
    path.write_bytes(data[:at] + b"\xff\xff\xff\x7f" + data[at + 4 :])
    for words, shown in (
        (("chunks", folder), "Maps/Arena.umap"),
        (("info", folder), str(folder / "b.utoc")),
        (("extract", folder, "--to", tmp_path / "out"), "2 files written"),
        (("diff", folder, folder), ""),
    ):
        code, out, err = cli(capsys, *map(str, words))
        assert (code, shown in out) == (2, True), words
        assert err.startswith(f"assetdb: error: {path}: offset "), words
