"""The log of a daemon, as a clone may have it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import make_project
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path


@needs_links
@pytest.mark.parametrize("name", ["asset-db.watch.log", "asset-db.watch.log.old"])
def test_a_log_that_is_a_link_is_not_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    root = make_project(tmp_path / "Game")
    folder = root / "Library" / "assetdb"
    folder.mkdir(parents=True)
    (tmp_path / "secret").write_text("a key\n")
    (folder / name).symlink_to(tmp_path / "secret")
    assert main(["log", "--project", str(root)]) == 2
    shown = capsys.readouterr()
    assert "a key" not in shown.out + shown.err
    assert "is a link" in shown.err
    (folder / name).unlink()
    (folder / name).write_text("a line\n")
    assert main(["log", "--project", str(root)]) == 0
    assert capsys.readouterr().out == "a line\n"


@needs_links
def test_a_log_that_becomes_a_link_between_two_looks_is_not_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_project(tmp_path / "Game")
    log = root / "Library" / "assetdb" / "asset-db.watch.log"
    log.parent.mkdir(parents=True)
    (tmp_path / "secret").write_text("a key\n")
    log.symlink_to(tmp_path / "secret")
    if hasattr(os, "O_NOFOLLOW"):
        monkeypatch.setattr("os.path.islink", lambda _: False)  # as it was when somebody asked
    assert main(["log", "--project", str(root)]) == 2
    shown = capsys.readouterr()
    assert "a key" not in shown.out + shown.err
    assert "is a link" in shown.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
def test_a_log_that_is_a_pipe_ends_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_project(tmp_path / "Game")
    folder = root / "Library" / "assetdb"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "asset-db.watch.log")
    assert main(["log", "--project", str(root)]) == 2
    assert "is not a regular file" in capsys.readouterr().err
