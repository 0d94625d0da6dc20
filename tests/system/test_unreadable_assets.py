"""An asset that may not be read is in the project: its meta has the GUID, and nothing says that it was deleted."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.system.shared_opening import open_shared
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

CLOSED = {
    "Closed.mat": (f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Closed\n", 2100000),
    "Closed.prefab": (HEAD + game_object(10, "Closed"), 10),
    "Closed.asset": (f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Closed\n", 11400000),
    "Closed.unity": (HEAD + game_object(20, "Root"), 20),
}
GONE = 90


@pytest.fixture
def denied() -> set[str]:
    """The names of the files that may not be read, whoever asks: root may read whatever the modes are."""
    return set(CLOSED)


@pytest.fixture
def project(tmp_path: Path, denied: set[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose user refers to assets that may not be read, and to one that is gone."""
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    rows = []
    for number, (name, (text, file_id)) in enumerate(CLOSED.items(), 1):
        write(root, f"Assets/{name}", number, text)
        rows.append(f"  f{number}: {{fileID: {file_id}, guid: {guid(number)}, type: 2}}\n")
    rows.append(f"  gone: {{fileID: 2100000, guid: {guid(GONE)}, type: 2}}\n")
    write(root, "Assets/User.asset", 50, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: U\n{''.join(rows)}")
    monkeypatch.chdir(root)
    monkeypatch.setenv("ASSETDB_NATIVE", "0")  # it opens files in its own way
    real = open_shared

    def refusing(path: Any, flags: int, *more: Any, **named: Any) -> int:  # noqa: ANN401 - as os.open
        if os.path.basename(os.fsdecode(path)) in denied:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, flags, *more, **named)

    for module in ("scan.changes", "scan.fast_path", "scan.known.content", "system.reading"):
        monkeypatch.setattr(f"assetdb.{module}.open_shared", refusing)
    return root


def found(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    main(["check", "--json"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_its_users_have_no_missing_asset(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    for _ in range(2):  # the second check uses what the first has kept
        rows = found(capsys)
        own = {row["path"] for row in rows if row["code"] == "unreadable" and not row["line"]}
        assert own == {f"Assets/{name}" for name in CLOSED}
        of_user = [(row["code"], row["target"][:32]) for row in rows if row["path"] == "Assets/User.asset"]
        assert sorted(of_user) == sorted(
            [*(("unreadable", guid(number)) for number in range(1, len(CLOSED) + 1)), ("missing-asset", guid(GONE))]
        )


@pytest.mark.parametrize("number", range(1, len(CLOSED) + 1))
def test_its_guid_has_a_path(project: Path, capsys: pytest.CaptureFixture[str], number: int) -> None:
    name, (_, file_id) = list(CLOSED.items())[number - 1]
    assert main(["name", guid(number)]) == 0
    assert f"Assets/{name}" in capsys.readouterr().out
    assert main(["usages", f"Assets/{name}"]) == 0
    assert "Assets/User.asset" in capsys.readouterr().out
    assert main(["name", f"{guid(number)}:{file_id + 1}"]) == 1
    said = capsys.readouterr().err
    assert f"unreadable in Assets/{name}" in said, project
    assert "deleted" not in said


def test_what_may_be_read_again_is_read(project: Path, denied: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert {row["code"] for row in found(capsys)} == {"unreadable", "missing-asset"}
    denied.clear()
    assert [(row["path"], row["code"]) for row in found(capsys)] == [("Assets/User.asset", "missing-asset")], project
