"""The status file of a daemon and the user's runtime folder, neither of which is trusted."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.files.status_file import (
    PROTOCOL,
    Status,
    find_status,
    is_own,
    is_private,
    may_be_port,
    read_status,
    runtime_folder,
)
from assetdb.version import VERSION
from tests.needs import needs_links, needs_modes

if TYPE_CHECKING:
    from pathlib import Path

NAME = "asset-db.watch.json"
FIELDS: dict[str, object] = {
    "pid": 7,
    "start": "123",
    "socket": "/run/a.sock",
    "port": 0,
    "token": "",
    "version": VERSION,
    "protocol": PROTOCOL,
    "root": "/project",
    "started": 5,
}


def write(folder: Path, data: object) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return str(folder)


def test_a_status_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = read_status(write(tmp_path, FIELDS))
    assert found is not None
    assert found.fields() == FIELDS
    assert Status(FIELDS).root == "/project"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"null",
        *[{key: value for key, value in FIELDS.items() if key != name} for name in FIELDS],
        *[{**FIELDS, name: None} for name in FIELDS],
        {**FIELDS, "pid": "7"},
        {**FIELDS, "root": 7},
    ],
)
def test_a_file_that_is_no_status_is_none(tmp_path: Path, data: object) -> None:
    assert read_status(write(tmp_path, data)) is None


@pytest.mark.parametrize(("size", "is_read"), [(1 << 16, True), ((1 << 16) + 1, False)])
def test_a_status_has_a_bounded_length(tmp_path: Path, size: int, *, is_read: bool) -> None:
    data = json.dumps(FIELDS).encode()
    assert (read_status(write(tmp_path, data + b" " * (size - len(data)))) is not None) == is_read


def test_an_absent_file_and_a_folder_are_none(tmp_path: Path) -> None:
    assert read_status(str(tmp_path)) is None
    (tmp_path / NAME).mkdir()
    assert read_status(str(tmp_path)) is None


@pytest.mark.parametrize(
    ("changed", "is_found"), [({}, True), ({"version": "0.0"}, False), ({"protocol": PROTOCOL + 1}, False)]
)
def test_only_a_daemon_of_this_version_is_found(tmp_path: Path, changed: dict[str, object], *, is_found: bool) -> None:
    folder = write(tmp_path / "out", {**FIELDS, **changed})
    assert (find_status(str(tmp_path), folder) is not None) == is_found


def test_a_project_with_wrong_settings_has_none(tmp_path: Path) -> None:
    (tmp_path / "assetdb.toml").write_text("out-dir = 5\n")
    assert find_status(str(tmp_path), None) is None


@needs_links
@needs_modes
def test_the_runtime_folder_is_the_systems_or_below_the_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, own = "/tmp", f"assetdb-{os.getuid()}"  # noqa: S108 - a name, nothing is written
    monkeypatch.setenv("TMPDIR", "")
    for given in ("", "relative", "/none/at/all"):
        monkeypatch.setenv("XDG_RUNTIME_DIR", given)
        assert runtime_folder() == f"{short}/{own}"
    monkeypatch.setenv("XDG_RUNTIME_DIR", short)
    assert runtime_folder() == f"{short}/assetdb"
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")
    for given, used in (
        ("/var/x", "/var/x"),
        ("relative", short),
        ("/" + "x" * 59, "/" + "x" * 59),
        ("/" + "x" * 60, short),
    ):
        monkeypatch.setenv("TMPDIR", given)
        assert runtime_folder() == f"{used}/{own}"


@needs_links
@needs_modes
@pytest.mark.parametrize(("length", "is_used"), [(60, True), (61, False)])
def test_a_runtime_folder_with_too_long_a_name_for_a_socket_is_not_used(
    monkeypatch: pytest.MonkeyPatch, length: int, *, is_used: bool
) -> None:
    given = "/" + "x" * (length - 1)
    monkeypatch.setattr(os.path, "isdir", lambda path: path == given)
    monkeypatch.setenv("XDG_RUNTIME_DIR", given)
    assert runtime_folder().startswith(given) == is_used


@needs_links
@needs_modes
def test_a_private_folder_is_one_of_the_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "assetdb"
    assert not is_private(str(folder))
    folder.mkdir(mode=0o700)
    assert is_private(str(folder))
    folder.chmod(0o750)
    assert not is_private(str(folder))
    folder.chmod(0o700)
    (tmp_path / "link").symlink_to(folder)
    assert not is_private(str(tmp_path / "link"))
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "file").chmod(0o700)
    assert not is_private(str(tmp_path / "file"))


@needs_links
@needs_modes
@pytest.mark.parametrize(
    ("name", "is_known"),
    [("assetdb", True), ("run", True), ("assetdb-1000", True), ("other", False), ("assetdb1", False)],
)
def test_a_path_of_a_status_must_be_in_a_folder_of_ours(tmp_path: Path, name: str, *, is_known: bool) -> None:
    (tmp_path / name).mkdir(mode=0o700)
    assert is_own(str(tmp_path / name / "a.sock")) == is_known
    (tmp_path / name).chmod(0o755)
    assert not is_own(str(tmp_path / name / "a.sock"))


@needs_links
@needs_modes
def test_a_relative_path_is_nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "assetdb").mkdir(mode=0o700)
    monkeypatch.chdir(tmp_path)
    assert not is_own("assetdb/a.sock")


@needs_links
@needs_modes
def test_a_port_is_for_windows_and_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSETDB_WATCH_LOOPBACK", raising=False)
    assert not may_be_port()
    monkeypatch.setenv("ASSETDB_WATCH_LOOPBACK", "1")
    assert may_be_port()
