"""Containers of both kinds, opened in turn: failures of one are problems of the others' question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.containers import opening
from assetdb_formats.unreal.containers.opening import (
    ChunkPaths,
    OpenBuild,
    chunk_paths,
    each_container,
    open_any_container,
)
from assetdb_formats.unreal.containers.pak import OpenPak
from assetdb_formats.unreal.errors import OverlapError, UnrealError
from assetdb_formats.unreal.iostore.container import OpenContainer
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import Written, chunk_id, write_container

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.unreal.problems import Problem

FILES = [("Game/a.ini", b"text" * 100)]


def utoc(folder: Path, name: str, *, indexed: bool = True, encryption: int = 0) -> str:
    chunks = [
        Written(chunk_id(1, "BulkData", 8), b"one", "A.ubulk"),
        Written(chunk_id(2, "BulkData", 8), b"two"),
        Written(chunk_id(3, "BulkData", 8), b"three", "B.ubulk"),
    ]
    written = write_container(8, chunks, indexed=indexed, encryption=encryption)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.utoc").write_bytes(written.toc)
    (folder / f"{name}.ucas").write_bytes(written.partitions[0])
    return str(folder / f"{name}.utoc")


def pak(folder: Path, name: str) -> str:
    path = folder / name
    path.write_bytes(write_pak(11, FILES))
    return str(path)


@pytest.mark.parametrize("name", ["a.pak", "A.PAK"])
def test_a_pak_is_told_by_its_extension(tmp_path: Path, name: str) -> None:
    with open_any_container(pak(tmp_path, name)) as opened:
        assert isinstance(opened, OpenPak)
    with open_any_container(utoc(tmp_path, "a")) as container:
        assert isinstance(container, OpenContainer)


def test_reading_a_container_over_and_over_is_an_overlap(tmp_path: Path) -> None:
    with open_any_container(pak(tmp_path, "a.pak")) as opened:
        assert isinstance(opened, OpenPak)
        with pytest.raises(OverlapError):
            list(map(opened.read_file, opened.entries * 50))


def test_containers_that_cannot_be_opened_are_problems_and_the_others_are_read(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.pak"
    damaged.write_bytes(b"nothing")
    missing = str(tmp_path / "missing.pak")
    sound = [pak(tmp_path, "a.pak"), utoc(tmp_path, "b")]
    problems: list[Problem] = []
    paths = [str(damaged), sound[0], missing, sound[1]]
    assert [opened.path for opened in each_container(paths, None, problems)] == sound
    assert [(each.path, each.reason) for each in problems] == [
        (str(damaged), problems[0].reason),
        (missing, "No such file or directory"),
    ]
    assert "no footer" in problems[0].reason


def test_a_single_container_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    problems: list[Problem] = []
    with pytest.raises(FileNotFoundError):
        list(each_container([str(tmp_path / "missing.pak")], None, problems))
    damaged = tmp_path / "damaged.pak"
    damaged.write_bytes(b"nothing")
    assert list(each_container([str(damaged)], None, problems)) == []
    assert [each.path for each in problems] == [str(damaged)]


def test_each_container_is_closed_before_the_next(tmp_path: Path) -> None:
    opened = list(each_container([pak(tmp_path, "a.pak"), pak(tmp_path, "b.pak")], None, []))
    assert [each._file.closed for each in opened if isinstance(each, OpenPak)] == [True, True]


def test_chunks_have_the_names_that_the_index_gives(tmp_path: Path) -> None:
    with open_any_container(utoc(tmp_path, "named")) as opened:
        assert isinstance(opened, OpenContainer)
        found = chunk_paths(opened)
        assert (found.mount_point, found.locked) == ("../../../Game/Content/", "")
        names = {opened.toc.identity(number): name for number, name in enumerate(found.paths)}
        assert names == {1: "A.ubulk", 2: None, 3: "B.ubulk"}
    with open_any_container(utoc(tmp_path, "plain", indexed=False)) as opened:
        assert chunk_paths(opened) == ChunkPaths([None] * 3, "", "")
    with open_any_container(pak(tmp_path, "a.pak")) as opened:
        assert chunk_paths(opened) == ChunkPaths([], "../../../", "")


def test_an_encrypted_index_names_nothing_and_says_why(tmp_path: Path) -> None:
    path = utoc(tmp_path, "secret", encryption=1)
    with open_any_container(path) as opened:
        found = chunk_paths(opened)
    assert found.paths == [None] * 3
    assert "a key is needed" in found.locked
    assert path not in found.locked


def test_a_damaged_index_is_an_error_with_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(_self: OpenContainer) -> None:
        raise UnrealError("is damaged")

    monkeypatch.setattr(OpenContainer, "directory_index", damaged)
    path = utoc(tmp_path, "a")
    with open_any_container(path) as opened, pytest.raises(UnrealError, match="is damaged") as caught:
        chunk_paths(opened)
    assert caught.value.path == path


def test_a_build_without_containers_is_an_error(tmp_path: Path) -> None:
    pak(tmp_path, "a.pak")
    with pytest.raises(UnrealError, match=r"no \.utoc here") as caught:
        OpenBuild(str(tmp_path), str(tmp_path / "b"))
    assert caught.value.path == f"{tmp_path}, {tmp_path / 'b'}"


def test_the_only_container_of_a_build_must_be_sound(tmp_path: Path) -> None:
    path = tmp_path / "a.utoc"
    path.write_bytes(b"nothing")
    with pytest.raises(UnrealError) as caught:
        OpenBuild(str(path))
    assert caught.value.path == str(path)
    with OpenBuild(str(tmp_path)) as build:  # of a folder it is one of those that are there
        assert [each.path for each in build.problems] == [str(path)]
    other = utoc(tmp_path, "b")
    with OpenBuild(str(path), other) as build:
        assert [each.path for each in build.problems] == [str(path)]


def test_a_container_that_cannot_be_opened_leaves_the_others_of_its_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, sound = utoc(tmp_path, "a"), utoc(tmp_path, "b")
    original = open_any_container

    def refusing(path: str, key: bytes | None = None) -> OpenContainer | OpenPak:
        if path == closed:
            raise PermissionError(13, "Permission denied", path)
        return original(path, key)

    monkeypatch.setattr(opening, "open_any_container", refusing)
    for paths in ((str(tmp_path),), (closed, sound)):
        with OpenBuild(*paths) as build:
            assert [each.path for each in build.problems] == [closed]
    with pytest.raises(PermissionError):
        OpenBuild(closed)


@pytest.mark.parametrize("place", ["Paks", "Paks/Mods"])
def test_the_container_of_script_objects_is_found_beside_or_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    paks = tmp_path / "Paks"
    scripts = utoc(paks, "global")
    path = utoc(tmp_path / place, "game")
    seen: list[str] = []
    original = open_any_container

    def noting(path: str, key: bytes | None = None) -> OpenContainer | OpenPak:
        seen.append(path)
        return original(path, key)

    monkeypatch.setattr(opening, "open_any_container", noting)
    with OpenBuild(path):
        assert seen == [scripts, path]
    seen.clear()
    with OpenBuild(str(paks)):
        assert sorted(seen) == sorted([scripts, path])
    seen.clear()
    with OpenBuild(scripts):
        assert seen == [scripts]


def test_closing_a_build_closes_its_containers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    original = OpenContainer.close

    def noting(self: OpenContainer) -> None:
        closed.append(self.path)
        original(self)

    monkeypatch.setattr(OpenContainer, "close", noting)
    paths = [utoc(tmp_path, name) for name in "ab"]
    with OpenBuild(str(tmp_path)):
        assert closed == []
    assert sorted(closed) == paths
    closed.clear()
    with pytest.raises(FileNotFoundError):
        OpenBuild(*paths, str(tmp_path / "missing.utoc"))
    assert sorted(closed) == paths
