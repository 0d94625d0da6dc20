"""Settings that keep others from working with a project."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.settings import (
    EDITOR_SETTINGS,
    VERSION_CONTROL_SETTINGS,
    find_hidden_metas,
    find_ignored_metas,
    find_serialization_mode,
)
from tests.assetdb.checks.healthy import put
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.history.git_project import git

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "%YAML 1.1\n--- !u!159 &1\nEditorSettings:\n"


def project(**files: str | None) -> SimpleNamespace:
    names = {"editor": EDITOR_SETTINGS, "control": VERSION_CONTROL_SETTINGS}
    data = {names[key]: text.encode() if text is not None else None for key, text in files.items()}
    return SimpleNamespace(read=data.get)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (None, []),
        ("", []),
        (HEAD, []),
        (HEAD + "  m_SerializationMode: 2\n", []),
        (HEAD + "  m_SerializationMode: 0\r\n", [(4, "the mode is Mixed")]),
        (HEAD + "  m_SerializationMode: 1\n", [(4, "the mode is Force Binary")]),
        (HEAD + "  m_SerializationMode: 7\n", []),
        ("\0\0\1binary", [(0, "the settings themselves are binary")]),
    ],
)
def test_the_mode_of_assets(text: str | None, messages: list[tuple[int, str]]) -> None:
    found = list(find_serialization_mode(project(editor=text)))
    assert [(row.line, row.message.partition(":")[0]) for row in found] == messages


OLD = HEAD + "  m_ExternalVersionControlSupport: {}\n"
NEW = HEAD + "  m_Mode: {}\n"


@pytest.mark.parametrize(
    ("editor", "control", "paths"),
    [
        (OLD.format("Hidden Meta Files"), None, [EDITOR_SETTINGS]),
        (OLD.format("Visible Meta Files"), None, []),
        (OLD.format("Disabled"), None, [EDITOR_SETTINGS]),
        (OLD.format("Perforce"), None, []),
        (HEAD, NEW.format("Hidden Meta Files"), [VERSION_CONTROL_SETTINGS]),
        # Mirror has both: the newer file is what Unity reads.
        (OLD.format("Hidden Meta Files"), NEW.format("Visible Meta Files"), []),
        (OLD.format("Hidden Meta Files"), HEAD, [EDITOR_SETTINGS]),
        (None, None, []),
    ],
)
def test_metas_that_are_hidden(editor: str | None, control: str | None, paths: list[str]) -> None:
    found = list(find_hidden_metas(project(editor=editor, control=control)))
    assert [row.path for row in found] == paths
    assert all(row.line == 4 for row in found)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("Library/\n*.meta\n", 2),
        ("*.meta\n!*.asset.meta\n", 0),
        ("*.tmp.meta\n", 0),
        ("*.prefab.meta\n", 0),
        ("*.asset.meta\n", 0),
        ("/Assets/*.meta\n", 0),  # of folders
        ("/[Aa]ssets/**/*.meta\n", 1),
        ("Assets/\n", 0),  # somebody keeps the whole project out of this repository
        ("", 0),
    ],
)
def test_a_rule_of_git_that_hides_new_metas(tmp_path: Path, rules: str, line: int) -> None:
    root = tmp_path / "Game"
    put(root, "Assets/Sound/Door.txt", "x")
    git(root, "init", "-q")
    git(root, "add", "-A")
    (root / ".gitignore").write_text(rules)
    found = [(row.code, row.path, row.line) for row in found_by(find_ignored_metas, root)]
    assert found == [("hidden-metas", ".gitignore", line)] * bool(line)


def test_a_project_without_git_hides_no_metas(tmp_path: Path) -> None:
    (tmp_path / "Game").mkdir()
    (tmp_path / "Game/.gitignore").write_text("*.meta\n")
    assert found_by(find_ignored_metas, tmp_path / "Game") == []


def test_a_rule_above_the_project_is_told_at_the_project(tmp_path: Path) -> None:
    root = tmp_path / "All/Game"
    put(root, "Assets/Sound/Door.txt", "x")
    git(tmp_path / "All", "init", "-q")
    (tmp_path / "All/.gitignore").write_text("\n*.meta\n")
    (row,) = found_by(find_ignored_metas, root)
    assert (row.path, row.line) == ("Assets", 0)
    assert ".gitignore:2 `*.meta`" in row.message
    (tmp_path / "All/.gitignore").write_text("\n")
    (root / ".gitignore").write_text("*.meta\n")
    (row,) = found_by(find_ignored_metas, root)
    assert (row.path, row.line) == (".gitignore", 1)
