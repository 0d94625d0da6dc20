"""Archives are unpacked for as long as they are open, and only as far as is wanted."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.inputs import InputError, InputLimits
from assetdb_formats.unreal.files.archives import UnpackedArchive

if TYPE_CHECKING:
    from collections.abc import Mapping


def zipped(members: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def write(folder: Path, members: Mapping[str, bytes]) -> str:
    path = folder / "game.zip"
    path.write_bytes(zipped(members))
    return str(path)


def files_of(unpacked: UnpackedArchive) -> dict[str, bytes]:
    folder = Path(unpacked.folder)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_the_files_of_unreal_are_unpacked_while_it_is_open(tmp_path: Path, temporary: Path) -> None:
    wanted = {
        name: name.encode()
        for name in ("A.uasset", "b/B.UMAP", "b/B.uexp", "c.ubulk", "d.utoc", "d.ucas", "e.pak", "f.ini", "g.uproject")
    }
    seen: list[tuple[int, int]] = []
    path = write(tmp_path, {**wanted, "notes.txt": b"x", "lib.so": b"x"})
    with UnpackedArchive(path, lambda *counts: seen.append(counts)) as unpacked:
        assert files_of(unpacked) == wanted
        assert (unpacked.path, unpacked.problems) == (path, [])
        assert Path(unpacked.folder).parent == temporary.resolve()
    assert seen == [(number, len(wanted)) for number in range(len(wanted))]
    assert list(temporary.iterdir()) == []


def test_an_archive_in_an_archive_is_unpacked_and_removed_but_none_in_that(tmp_path: Path, temporary: Path) -> None:
    inner = zipped({"deep/A.uasset": b"a", "assets/more.obb": zipped({"C.uasset": b"c"})})
    members = {"assets/main.obb": inner, "assets/x.OBB.png": zipped({"B.uasset": b"b"}), "no.obb": b"not an archive"}
    with UnpackedArchive(write(tmp_path, members)) as unpacked:
        assert files_of(unpacked) == {"deep/A.uasset": b"a", "B.uasset": b"b"}
    assert list(temporary.iterdir()) == []


def test_a_damaged_archive_in_an_archive_is_named_by_its_place(tmp_path: Path, temporary: Path) -> None:
    inner = zipped({"A.uasset": b"a" * 100})
    path = write(tmp_path, {"main.obb": inner[:-30]})
    with pytest.raises(InputError) as caught:
        UnpackedArchive(path)
    assert caught.value.path == f"{path}/main.obb"
    assert list(temporary.iterdir()) == []


def test_a_damaged_member_is_a_problem_and_the_rest_is_there(tmp_path: Path) -> None:
    path = tmp_path / "game.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Bad.uasset", bytes(range(256)))
        archive.writestr("Good.uasset", b"good")
    data = bytearray(path.read_bytes())
    data[60:70] = b"\xff" * 10
    path.write_bytes(data)
    with UnpackedArchive(str(path)) as unpacked:
        assert files_of(unpacked) == {"Good.uasset": b"good"}
        (problem,) = unpacked.problems
        assert str(problem).startswith(f"{path}: Bad.uasset: ")


def test_names_that_lead_out_are_problems_or_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, {"../Out.uasset": b"x", "/Out.uasset": b"x", "CON.uasset": b"x", "Good.uasset": b"y"})
    with UnpackedArchive(path) as unpacked:
        assert files_of(unpacked) == {"Good.uasset": b"y"}
        assert f"{path}/CON.uasset" in [problem.path for problem in unpacked.problems]
    assert not list(tmp_path.rglob("Out.uasset"))


@pytest.mark.parametrize(("free", "fits"), [(299, False), (300, True)])
def test_there_is_room_for_what_is_unpacked(
    tmp_path: Path,
    temporary: Path,
    monkeypatch: pytest.MonkeyPatch,
    free: int,
    fits: bool,  # noqa: FBT001 - of the table
) -> None:
    path = write(tmp_path, {"A.uasset": bytes(100), "B.uasset": bytes(200), "notes.txt": bytes(5000)})
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free))
    if fits:
        with UnpackedArchive(path) as unpacked:
            assert len(files_of(unpacked)) == 2
        return
    with pytest.raises(InputError, match=r"unpacks to 300 bytes, and there is room for 299") as caught:
        UnpackedArchive(path)
    assert caught.value.path == path
    assert list(temporary.iterdir()) == []


def test_a_bomb_is_refused_and_leaves_nothing(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.uasset", bytes(1 << 18))
    with pytest.raises(InputError, match="over 20 times its size"):
        UnpackedArchive(str(path), limits=InputLimits(ratio=20, freely=1 << 16))
    assert os.listdir(temporary) == []
