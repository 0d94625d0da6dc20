"""The log: whatever becomes of its file or of the terminal, it ends no daemon and writes nowhere else."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from assetdb.daemon.files.log import Log, open_log
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    journal = Log(str(path))
    journal("before")

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("assetdb.daemon.files.log.os.write", full)
        journal("meanwhile")
    journal("after")
    journal.close()
    assert [line.split()[1] for line in path.read_text().splitlines()] == ["before", "after"]


def test_a_closed_terminal(tmp_path: Path) -> None:
    shown: list[str] = []

    def show(line: str) -> None:
        shown.append(line)
        raise BrokenPipeError

    path = tmp_path / "log"
    journal = Log(str(path), shown=show)
    journal("one")
    journal("two")
    journal.close()
    assert len(shown) == 1
    assert len(path.read_text().splitlines()) == 2


def test_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Log(str(tmp_path / "none" / "log"))
    journal("one")
    journal("two")
    journal.close()
    assert capsys.readouterr().err.count("\n") == 1


@needs_links
def test_a_link_in_its_place_is_replaced(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.write_text("mine\n")
    for path in (tmp_path / "first", tmp_path / "second"):
        path.symlink_to(profile)
    journal = Log(str(tmp_path / "first"))
    journal("line", path="Assets/$(true).png")
    journal.close()
    os.close(open_log(str(tmp_path / "second")))
    assert profile.read_text() == "mine\n"
    assert "$(true)" in (tmp_path / "first").read_text()
    assert not (tmp_path / "second").is_symlink()


def test_a_hard_link_in_its_place_is_replaced(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.write_text("mine\n")
    os.link(profile, tmp_path / "log")
    journal = Log(str(tmp_path / "log"))
    journal("line")
    journal.close()
    assert profile.read_text() == "mine\n"
    assert "line" in (tmp_path / "log").read_text()
