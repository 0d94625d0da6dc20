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


def test_the_older_log_comes_first_and_no_log_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_project(tmp_path / "Game")
    folder = root / "Library" / "assetdb"
    folder.mkdir(parents=True)
    assert main(["log", "--project", str(root)]) == 1
    assert "has no log: run `assetdb watch`" in capsys.readouterr().err
    (folder / "asset-db.watch.log.old").write_bytes(b"first\r\n\x1b[31msecond\n")
    assert main(["log", "--project", str(root)]) == 0
    assert capsys.readouterr() == ("first\n\\x1b[31msecond\n", "")
    (folder / "asset-db.watch.log").write_bytes(b"third\nwithout an end")
    assert main(["log", "--project", str(root), "--follow"]) == 0  # nobody writes it
    assert capsys.readouterr() == ("first\n\\x1b[31msecond\nthird\nwithout an end\n", "")


def test_lines_that_are_written_while_it_is_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_project(tmp_path / "Game")
    log = root / "Library" / "assetdb" / "asset-db.watch.log"
    log.parent.mkdir(parents=True)
    log.write_bytes(b"first\n")
    steps = iter(("more", "nothing", "other"))

    def looks(_: str) -> bool:
        step = next(steps, "end")
        if step == "more":
            with log.open("ab") as file:
                file.write(b"second\n")
        elif step == "other" and os.name != "nt":  # where an open file keeps its name
            log.rename(log.with_name("old"))
            log.write_bytes(b"third\n")
        return step != "end"

    monkeypatch.setattr("assetdb.cli.serving.log.is_held", looks)
    monkeypatch.setattr("assetdb.cli.serving.log.time.sleep", lambda _: None)
    assert main(["log", "--project", str(root), "-f"]) == 0
    assert capsys.readouterr().out == "first\nsecond\n" + ("" if os.name == "nt" else "third\n")
