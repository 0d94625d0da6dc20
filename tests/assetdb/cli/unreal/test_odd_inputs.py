"""What is no sound file: pipes, devices, sparse files of gigabytes, files that may not be read, wrong mappings."""

from __future__ import annotations

import errno
import os
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb_formats.unreal.files import package_file
from tests.assetdb_formats.unreal.package_writer import COOKED, UNVERSIONED_PROPERTIES, full
from tests.assetdb_formats.unreal.scanning.test_database import package
from tests.needs import needs_pipes

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = ("info", "tags", "thumbs", "parts", "diff")


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["unreal", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def one(command: str, path: Path) -> tuple[object, ...]:
    return (command, path, path) if command == "diff" else (command, path)


@pytest.mark.parametrize("command", COMMANDS)
def test_five_sparse_gigabytes_take_no_memory(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Big.uasset"
    path.write_bytes(full(-8, 522, 1009).data())
    os.truncate(path, 5 << 30)
    zeros = tmp_path / "Zeros.uasset"
    zeros.touch()
    os.truncate(zeros, 5 << 30)
    tracemalloc.start()
    try:
        run(capsys, *one(command, path))
        code, _, err = run(capsys, *one(command, zeros))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (code, "not with the package tag" in err) == (2, True)
    assert peak < 32 << 20


def test_a_header_of_gigabytes_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(full(-9, 522, 1018).data())
    size = package_file.header_size(bytes(data))
    place = data.index(size.to_bytes(4, "little"))
    data[place : place + 4] = (2**31 - 1).to_bytes(4, "little")
    path = tmp_path / "Big.uasset"
    path.write_bytes(data)
    os.truncate(path, 5 << 30)
    code, _, err = run(capsys, "info", path)
    assert code == 2
    assert f"{path}: offset 4 (0x4): total_header_size: a header of 2147483647 bytes" in err
    code, out, _ = run(capsys, "ls", "--damaged", tmp_path)
    assert (code, "a header of 2147483647 bytes" in out) == (1, True)


@needs_pipes
def test_pipes_and_devices_are_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "Pipe.uasset"
    os.mkfifo(pipe)
    device = tmp_path / "Device.uasset"
    device.symlink_to("/dev/zero")
    for path, what in ((pipe, "is a pipe, not a file"), (device, "is a device, not a file")):
        for command in COMMANDS:
            code, out, err = run(capsys, *one(command, path))
            assert (code, out) == (2, ""), (command, path)
            assert f"{path}: {what}" in err
    sound = tmp_path / "Sound.uasset"
    sound.write_bytes(package())
    (tmp_path / "A.utoc").symlink_to(pipe)
    (tmp_path / "A.pak").symlink_to("/dev/zero")
    for words in (
        ("info", "--properties", "--usmap", pipe, sound),
        ("ls", tmp_path),
        ("ls", "--damaged", tmp_path),
        ("deps", "Sound", "--in", tmp_path),
        ("usages", "Sound", "--in", tmp_path),
        ("unused", tmp_path),
        ("tags", tmp_path),
        ("ls", tmp_path, "--cache", pipe),
        ("info", tmp_path / "A.utoc"),
        ("info", tmp_path / "A.pak"),
        ("info", tmp_path / "A.pak", "--key", f"@{pipe}"),
    ):
        code, _, err = run(capsys, *words)
        assert code == 2, words
        assert "not a file" in err, words


def test_a_pipe_beside_a_package_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if sys.platform == "win32":
        pytest.skip("no pipes with names there")
    (tmp_path / "A.uasset").write_bytes(package())
    os.mkfifo(tmp_path / "A.uexp")
    for words in (("info", "--properties"), ("parts",)):
        code, _, err = run(capsys, *words, tmp_path / "A.uasset")
        assert (code, f"{tmp_path / 'A.uexp'}: is a pipe" in err) == (2, True)


def test_what_may_not_be_read_is_an_error_and_no_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("A", "B", "C", "Sound"):
        (tmp_path / f"{name}.uasset").write_bytes(package())
    opened = package_file.open_descriptor

    def refuse(path: str, **more: Any) -> int:  # noqa: ANN401 - handed on
        if path.endswith(("A.uasset", "B.uasset", "C.uasset")):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return opened(path, **more)

    monkeypatch.setattr(package_file, "open_descriptor", refuse)
    cache = tmp_path / "cache"
    for words in (("ls",), ("ls", "--damaged"), ("unused",), ("ls", "--cache", str(cache)), ("tags",)):
        code, out, err = run(capsys, *words, tmp_path)
        assert code == 2, words
        assert "damaged" not in out
        (said,) = [line for line in err.splitlines() if "Permission denied" in line]
        assert said.startswith(f"assetdb: error: {tmp_path}")
        assert said.endswith(".uasset: Permission denied (and 2 more)")
    code, _, err = run(capsys, "deps", "Sound", "--in", tmp_path)
    assert (code, "Permission denied (and 2 more)" in err) == (2, True)
    code, _, err = run(capsys, "info", tmp_path / "A.uasset")
    assert (code, err) == (2, f"assetdb: error: {tmp_path / 'A.uasset'}: Permission denied\n")
    monkeypatch.undo()
    assert run(capsys, "ls", tmp_path, "--cache", cache)[0] == 0  # not remembered: permissions change no time


def test_a_link_to_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if sys.platform == "win32":
        pytest.skip("links need a right there")
    (tmp_path / "Sound.uasset").write_bytes(package())
    (tmp_path / "A.uasset").symlink_to(tmp_path / "nowhere")
    code, _, err = run(capsys, "ls", tmp_path)
    assert (code, err) == (0, f"assetdb: {tmp_path / 'A.uasset'}: No such file or directory\n")


def test_every_error_names_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Thing.uasset"
    usmap = tmp_path / "Game.usmap"
    path.write_bytes(full(-8, 522, 1008, COOKED | UNVERSIONED_PROPERTIES, unversioned=True, resources=[]).data())
    usmap.write_bytes(b"no mappings")
    code, _, err = run(capsys, "info", "--properties", path)
    assert (code, f"assetdb: error: {path}: properties: " in err) == (2, True)
    code, _, err = run(capsys, "info", "--properties", "--usmap", usmap, path)
    assert (code, f"assetdb: error: {usmap}: " in err) == (2, True)


def test_damage_is_said_with_its_file_and_once_for_each_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = full(-8, 522, 1009).data()
    sound = tmp_path / "Sound.uasset"
    sound.write_bytes(data)
    for number in range(5):
        (tmp_path / f"Newer{number}.uasset").write_bytes(data[:16] + b"\xff\x7f\0\0" + data[20:])
    cut = tmp_path / "Cut.uasset"
    cut.write_bytes(data[:900])
    for command in ("tags", "thumbs"):
        code, _, err = run(capsys, command, tmp_path)
        lines = err.splitlines()
        assert code == 2
        assert [line for line in lines if "is newer" in line and "(and 4 more)" in line], command
        assert len(lines) <= 3
        assert all(f"assetdb: error: {tmp_path}" in line for line in lines)
        code, _, err = run(capsys, command, "-v", tmp_path)
        assert (code, err.count("is newer"), "more)" in err) == (2, 5, False)
    code, _, err = run(capsys, "diff", sound, cut)
    assert (code, err.startswith(f"assetdb: error: {cut}: ")) == (2, True)


def test_info_and_ls_agree_on_what_is_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scan reads no thumbnails and no trailer: `ls --damaged` does."""
    data = full(-8, 522, 1009).data()
    for name, changed in (
        ("Trailer", data[:-20] + b"\xff" * 8 + data[-12:]),
        ("Cut", data[: len(data) * 2 // 3]),
        ("Whole", data),
    ):
        (tmp_path / f"{name}.uasset").write_bytes(changed)
    code, out, _ = run(capsys, "ls", "--damaged", tmp_path)
    assert code == 1
    listed = {line.split()[0] for line in out.splitlines()}
    judged = {f"/Game/{path.stem}" for path in tmp_path.iterdir() if run(capsys, "info", path)[0] != 0}
    assert listed == judged == {"/Game/Trailer", "/Game/Cut"}


def test_mappings_of_another_game_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.assetdb_formats.unreal.test_hostile import usmap_bytes  # noqa: PLC0415 - the one writer of mappings

    path = tmp_path / "Thing.uasset"
    writer = full(-8, 522, 1008, COOKED | UNVERSIONED_PROPERTIES, unversioned=True, resources=[])
    path.write_bytes(writer.data())
    (tmp_path / "Other.usmap").write_bytes(usmap_bytes())
    code, out, _ = run(capsys, "info", "--properties", "--usmap", tmp_path / "Other.usmap", path)
    assert code == 1
    assert "note: the mappings are another game's, or of another version of it: 2 of 2 exports end early" in out
