"""The user's own settings, and the one reader of small files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError, FileError
from assetdb.settings.user import UserSettings, read_user_settings, refused_link, user_cache_folder
from assetdb.system.reading import read_file, read_small
from tests.needs import needs_links, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("ASSETDB_AUTO_WATCH", raising=False)
    (tmp_path / "assetdb").mkdir()
    return tmp_path / "assetdb" / "config.toml"


def fields(settings: UserSettings) -> tuple[object, ...]:
    return tuple(getattr(settings, name) for name in settings.__slots__)


def test_without_a_file_all_is_off(config: Path) -> None:
    assert fields(read_user_settings()) == (False, "", "", False, 1800.0)


def test_the_file_says_and_the_environment_goes_before_it(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('auto-watch = true\nidle-timeout = 60\nfollow-links = true\ncheck-stat = "minimal"\n')
    assert fields(read_user_settings()) == (True, "minimal", "", True, 60.0)
    monkeypatch.setenv("ASSETDB_AUTO_WATCH", "0")
    assert not read_user_settings().auto_watch
    config.unlink()
    monkeypatch.setenv("ASSETDB_AUTO_WATCH", "1")
    assert read_user_settings().auto_watch


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("auto-wacth = true", "did you mean 'auto-watch'"),
        ("auto_watch = true", "did you mean 'auto-watch'"),
        ("auto-watch = 1", "auto-watch is 1: it must be true or false"),
        ("idle-timeout = true", "idle-timeout is True: it must be a number of seconds above 0"),
        ("idle-timeout = 0", "above 0"),
        ("idle-timeout = nan", "above 0"),
        ('check-stat = "no"', 'check-stat is \'no\': it must be "default" or "minimal"'),
        ("check-stat = [1]", "it must be"),
        ('facts-cache = "facts"', "facts-cache is 'facts': it must be an absolute path"),
        ("facts-cache = true", "facts-cache is True: it must be an absolute path"),
        ("auto-watch", "config.toml: "),
        ("# of mine\nx = " + "[" * 50_000, "config.toml: its values are nested too deeply (line 2)"),
        ("a = [1]\nx = " + "{a = " * 50_000, "config.toml: its values are nested too deeply (line 2)"),
        ("idle-timeout = " + "1" * 5000, "config.toml: "),
        ("idle-timeout = 0x" + "f" * 5000, "config.toml: a number has more than 64 bits"),
    ],
)
def test_what_is_wrong_is_said_with_the_file_and_what_may_stand_there(config: Path, text: str, message: str) -> None:
    config.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        read_user_settings()
    assert message in str(caught.value)
    assert str(config) in str(caught.value)


def test_the_environment_is_checked_too(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSETDB_AUTO_WATCH", "maybe")
    with pytest.raises(ConfigurationError, match="ASSETDB_AUTO_WATCH is 'maybe'"):
        read_user_settings()
    monkeypatch.delenv("ASSETDB_AUTO_WATCH")
    monkeypatch.setenv("ASSETDB_FACTS", "facts")
    with pytest.raises(ConfigurationError, match="ASSETDB_FACTS is 'facts': it must be an absolute path"):
        read_user_settings()


def test_the_environment_names_another_folder_of_facts_or_none(
    config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config.write_text(f"facts-cache = '{tmp_path}'\n")
    assert read_user_settings().facts_cache == str(tmp_path)
    monkeypatch.setenv("ASSETDB_FACTS", str(tmp_path / "other"))
    assert read_user_settings().facts_cache == str(tmp_path / "other")
    monkeypatch.setenv("ASSETDB_FACTS", "")
    assert not read_user_settings().facts_cache


@needs_pipes
def test_a_pipe_or_a_device_as_settings_is_an_error_at_once(config: Path) -> None:
    os.mkfifo(config)
    with pytest.raises(ConfigurationError, match="not a regular file"):
        read_user_settings()
    config.unlink()
    config.symlink_to("/dev/zero")
    with pytest.raises(ConfigurationError, match="is a link into /dev/ or /proc/ or /sys/, not to a regular file"):
        read_user_settings()


def test_folders_that_are_not_absolute_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert os.path.isabs(user_cache_folder())
    assert "relative" not in user_cache_folder()


@needs_links
def test_links_out_of_a_project_are_refused_unless_they_are_followed(config: Path, tmp_path: Path) -> None:
    root, away = tmp_path / "Project", tmp_path / "Away"
    for folder in (root / "Own", away / "Assets"):
        folder.mkdir(parents=True)
        (folder / "file.txt").write_text("x")
    (away / "file.txt").write_text("x")
    (root / "Assets").symlink_to(away / "Assets")  # as in a clone of a project
    for name, target in (("Own/out.txt", away / "file.txt"), ("Own/Out", away), ("Own/In", root / "Own")):
        (root / name).symlink_to(target)

    def refused(path: str, *, folders: bool = True) -> str:
        return refused_link(str(root / path), str(root), folders=folders)

    assert refused("Own/out.txt") == refused("Own/out.txt", folders=False) == str(away / "file.txt")
    assert (refused("Own/Out/file.txt"), refused("Own/Out/file.txt", folders=False)) == (str(away / "file.txt"), "")
    assert [refused(path) for path in ("Own/file.txt", "Own/In/file.txt", "Assets/file.txt")] == ["", "", ""]
    config.write_text("follow-links = true\n")
    assert [refused(path) for path in ("Own/out.txt", "Own/Out/file.txt")] == ["", ""]


def test_small_files_are_read_whole_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"abc")
    assert read_small(str(path), 3) == b"abc"
    with pytest.raises(FileError, match="larger than 2 bytes"):
        read_small(str(path), 2)
    with pytest.raises((FileError, PermissionError)):  # Windows does not open a folder at all
        read_small(str(tmp_path), 2)
    with pytest.raises(FileNotFoundError):
        read_small(str(tmp_path / "absent"), 2)
    assert read_file(str(tmp_path)) is None
    assert read_file("a\0b") is None
