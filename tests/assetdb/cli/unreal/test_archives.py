"""`assetdb unreal` on zip archives: what is in them is answered for, and nothing of them is left or let out."""

from __future__ import annotations

import io
import json
import os
import stat
import tempfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb_formats.inputs import InputError, InputLimits
from assetdb_formats.unreal.files.archives import UnpackedArchive
from tests.assetdb_formats.unreal.containers.making import build
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.package_writer import full
from tests.assetdb_formats.unreal.scanning.test_database import package, project

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["project"]


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["unreal", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where archives are unpacked to."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_zipped_project_answers_as_the_project(
    project: Path, tmp_path: Path, temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {str(path.relative_to(project)): path.read_bytes() for path in project.rglob("*") if path.is_file()}
    archive = tmp_path / "Game.zip"
    archive.write_bytes(zipped({**files, "notes.txt": b"not taken"}))
    for words in (("ls",), ("ls", "--damaged"), ("ls", "--missing", "--json"), ("unused", "--json"), ("ls", "--json")):
        assert run(capsys, *words, archive) == run(capsys, *words, project), words
    for words in (("deps", "/Game/Mesh"), ("usages", "Icon"), ("find", "tex*", "--class", "Texture2D")):
        assert run(capsys, *words, "--in", archive) == run(capsys, *words, "--in", project), words
    assert run(capsys, "diff", archive, project)[:2] == (0, "")
    code, _, err = run(capsys, "ls", archive, "--cache", tmp_path / "cache")
    assert (code, "not of an archive" in err) == (2, True)
    for command in ("tags", "thumbs", "parts", "info"):
        code, out, err = run(capsys, command, archive, "--json")
        assert code == run(capsys, command, project, "--json")[0], command
        assert str(temporary) not in out + err
    rows = map(json.loads, run(capsys, "info", archive, "--json")[1].splitlines())
    inside = archive / "Content"
    assert str(inside / "Mesh.uasset") in [row["path"] for row in rows]
    assert f"assetdb: error: {inside / 'Broken.uasset'}: " in run(capsys, "tags", archive)[2]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("nested", [False, True])
def test_containers_of_an_apk(
    nested: bool,  # noqa: FBT001 - a parameter of the test
    tmp_path: Path,
    temporary: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = build()
    paks = {"Game/Content/Paks/game.utoc": files.toc, "Game/Content/Paks/mod.pak": write_pak(11, [("a.ini", b"text")])}
    for number, data in enumerate(files.partitions):
        paks[f"Game/Content/Paks/game{f'_s{number}' if number else ''}.ucas"] = data
    inner = (
        {"assets/main.obb.png": zipped(paks, zipfile.ZIP_STORED)}
        if nested
        else {f"assets/{k}": v for k, v in paks.items()}
    )
    apk = tmp_path / "game.apk"
    apk.write_bytes(zipped({"classes.dex": b"x", **inner}, zipfile.ZIP_STORED))
    assert run(capsys, "ls", apk)[:2] == (0, "/Game/Maps/Arena\n/Game/Meshes/Rock\n")
    code, out, _ = run(capsys, "verify", apk, "--json")
    reports = list(map(json.loads, out.splitlines()))
    assert (code, sum(report["hashed"] for report in reports)) == (0, 4)
    assert all(report["container"].startswith(f"{apk}{os.sep}") for report in reports)
    assert run(capsys, "info", "Arena", "--in", apk, "--json")[0] == 0
    assert run(capsys, "extract", apk, "--to", tmp_path / "out")[0] == 0
    assert (tmp_path / "out/Game/Content/Maps/Arena.umap").is_file()
    assert list(temporary.iterdir()) == []


def test_names_that_lead_out_and_links_are_left_out(
    tmp_path: Path, temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = zipfile.ZipInfo("Link.uasset")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        for name in (
            "../Out.uasset",
            "/Out.uasset",
            "a/../../Out.uasset",
            "C:/Out.uasset",
            "CON.uasset",
            "Good.uasset",
        ):
            archive.writestr(name, package())
    path = tmp_path / "evil.zip"
    path.write_bytes(stream.getvalue())
    code, out, err = run(capsys, "ls", path)
    assert [line.split()[0] for line in out.splitlines()] == ["/Game/Good"]
    assert (code, f"assetdb: error: {path}/CON.uasset: " in err) == (2, True)
    assert [each.name for each in tmp_path.rglob("*") if "Out" in each.name] == []
    assert list(temporary.iterdir()) == []


def test_a_bomb_is_refused_and_leaves_nothing(
    tmp_path: Path, temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bomb.zip"
    path.write_bytes(zipped({f"{number}.uasset": bytes(1 << 20) for number in range(64)}))
    limits = InputLimits(ratio=20, freely=1 << 20)
    with pytest.raises(InputError, match="over 20 times its size"):
        UnpackedArchive(str(path), limits=limits)
    assert list(temporary.iterdir()) == []
    (tmp_path / "cut.zip").write_bytes(path.read_bytes()[:-30])
    code, _, err = run(capsys, "ls", tmp_path / "cut.zip")
    assert (code, str(tmp_path / "cut.zip") in err, str(temporary) in err) == (2, True, False)
    assert list(temporary.iterdir()) == []


def test_a_damaged_member_is_said_and_the_rest_is_answered(
    tmp_path: Path, temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(zipped({"Bad.uasset": full(-8, 522, 1009).data(), "Good.uasset": package()}, zipfile.ZIP_DEFLATED))
    data[60:70] = b"\xff" * 10
    path = tmp_path / "some.zip"
    path.write_bytes(data)
    code, out, err = run(capsys, "ls", path)
    assert (code, out.split()[0]) == (2, "/Game/Good")
    assert f"{path}: Bad.uasset: " in err
    assert list(temporary.iterdir()) == []


def test_an_archive_without_packages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.zip"
    path.write_bytes(zipped({"readme.txt": b"nothing"}))
    assert run(capsys, "ls", path) == (1, "", f"assetdb: {path}: there is no package here\n")
    assert run(capsys, "chunks", path) == (2, "", f"assetdb: error: {path}: no .utoc or .pak here\n")
