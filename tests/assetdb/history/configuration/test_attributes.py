"""The line of ``.gitattributes`` that hides changes is named, and ``git-setup --attributes`` overrules it."""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.history.configuration.attributes import deciding_line, states
from assetdb.history.configuration.setup import ADDED, LEFT, REMOVED, THERE, set_up, take_away
from assetdb.history.git.repository import Repository
from tests.architecture.imports import PYTHONPATH
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.needs import needs_scripts

if TYPE_CHECKING:
    from pathlib import Path

LFS = "filter=lfs diff=lfs merge=lfs -text"


def attributes_step(root: Path, *, attributes: bool = False) -> tuple[str, str]:
    step = list(set_up(str(root), hook=False, attributes=attributes))[1]
    return step.state, step.why


def shown(root: Path, name: str) -> str:
    return states(Repository(str(root)), [f"Assets/{name}"])[0]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (".gitattributes", "*.png binary\n*.prefab binary\n", (".gitattributes", 2, "*.prefab binary")),
        (".gitattributes", f"*.prefab {LFS}\r\n* text=auto\r\n", (".gitattributes", 1, f"*.prefab {LFS}")),
        (".gitattributes", "*.prefab -diff\n*.prefab merge=mine\n", (".gitattributes", 1, "*.prefab -diff")),
        (".gitattributes", "*.prefab binary diff\n*.prefab binary\n", (".gitattributes", 2, "*.prefab binary")),
        (
            ".gitattributes",
            "[attr]big binary -text\n# *.prefab binary\n*.prefab big\n",
            (".gitattributes", 3, "*.prefab big"),
        ),
        (".gitattributes", '"*.prefab" binary\nAssets/ binary\n', (".gitattributes", 1, '"*.prefab" binary')),
        (".gitattributes", "/Game/Assets/** binary\n", (".gitattributes", 1, "/Game/Assets/** binary")),
        ("Game/.gitattributes", "/Assets/*.prefab binary\n", ("Game/.gitattributes", 1, "/Assets/*.prefab binary")),
        ("Game/Assets/.gitattributes", "* -diff\n", ("Game/Assets/.gitattributes", 1, "* -diff")),
        (".git/info/attributes", "*.pre[f]ab binary\n", (".git/info/attributes", 1, "*.pre[f]ab binary")),
    ],
)
def test_the_line_that_decides_is_found(tmp_path: Path, file: str, text: str, expected: tuple[str, int, str]) -> None:
    root = make_repository(tmp_path, "Game")
    (tmp_path / ".gitattributes").write_text("* binary\n")
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_bytes(text.encode())
    repository = Repository(str(root))
    (state,) = states(repository, ["Assets/x.prefab"])
    found = deciding_line(repository, "Assets/x.prefab", state)
    assert found is not None
    assert (os.path.relpath(found.path, tmp_path).replace(os.sep, "/"), found.number, found.text) == expected


@pytest.mark.parametrize(
    ("name", "macro"),
    [
        (".git/info/attributes", "[attr]hidden -diff\n"),
        (".gitattributes", "[attr]hidden\t-diff\n"),
        (".gitattributes", "  [attr]hidden -diff\n[attr]\n"),
    ],
)
def test_macros_are_found_as_git_finds_them(tmp_path: Path, name: str, macro: str) -> None:
    root = make_repository(tmp_path)
    (tmp_path / name).write_text(macro)
    with (tmp_path / ".gitattributes").open("a") as file:
        file.write("*.prefab hidden\n")
    repository = Repository(str(root))
    (state,) = states(repository, ["Assets/x.prefab"])
    found = deciding_line(repository, "Assets/x.prefab", state)
    assert (state, found is not None and found.text) == ("unset", "*.prefab hidden")


def test_what_the_users_own_configuration_hides_is_in_no_line(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    (tmp_path / "own").write_text("*.prefab binary\n")
    git(root, "config", "core.attributesFile", str(tmp_path / "own"))
    repository = Repository(str(root))
    assert states(repository, ["Assets/x.prefab", "Assets/x.unity"]) == ["unset", "unspecified"]
    assert deciding_line(repository, "Assets/x.prefab", "unset") is None
    assert "your own git configuration" in attributes_step(root)[1]
    assert attributes_step(root, attributes=True) == (ADDED, "")
    assert shown(root, "x.prefab") == "unity"


def test_lines_that_hide_changes_are_named_and_overruled_when_asked(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    before = f"*.prefab binary\n*.unity {LFS}\n*.mat diff=mine\n*.png binary\n".encode()
    (root / ".gitattributes").write_bytes(before)
    state, why = attributes_step(root)
    assert state == ADDED  # of the other extensions
    assert (
        f".gitattributes:1 `*.prefab binary`, .gitattributes:2 `*.unity {LFS}`: end these lines with diff=unity" in why
    )
    assert "git-setup --attributes" in why
    assert "*.mat (mine)" in why
    assert (shown(root, "x.prefab"), shown(root, "x.unity"), shown(root, "x.asset")) == ("unset", "lfs", "unity")
    state, why = attributes_step(root)
    assert (state, "*.prefab binary" in why) == (LEFT, True)

    state, why = attributes_step(root, attributes=True)
    assert (state, why) == (ADDED, "git shows *.mat (mine) with another diff driver: left unchanged")
    assert [shown(root, f"x.{name}") for name in ("prefab", "unity", "mat", "png")] == [
        "unity",
        "unity",
        "mine",
        "unset",
    ]
    told = git(root, "check-attr", "filter", "merge", "text", "--", "Assets/x.unity").splitlines()
    assert [line.rpartition(" ")[2] for line in told] == ["lfs", "lfs", "unset"]
    made = (root / ".gitattributes").read_bytes()
    assert attributes_step(root, attributes=True)[0] == LEFT  # *.mat
    assert attributes_step(root)[0] == LEFT
    assert (root / ".gitattributes").read_bytes() == made
    assert REMOVED in [step.state for step in take_away(str(root))]
    assert (root / ".gitattributes").read_bytes() == before


def test_our_lines_move_below_those_that_came_later(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    assert attributes_step(root) == (ADDED, "")
    path = root / ".gitattributes"
    path.write_bytes(path.read_bytes() + b"*.prefab binary\n")
    assert "*.prefab binary" in attributes_step(root)[1]
    assert attributes_step(root, attributes=True) == (ADDED, "")
    assert shown(root, "x.prefab") == "unity"
    assert attributes_step(root, attributes=True) == (THERE, "")
    list(take_away(str(root)))
    assert path.read_bytes() == b"*.prefab binary\n"


def test_a_file_nearer_to_the_assets_is_left_and_named(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / "Assets" / ".gitattributes").write_text("*.prefab binary\n")
    for _ in range(2):
        _, why = attributes_step(root, attributes=True)
        assert why.endswith("Assets/.gitattributes:1 `*.prefab binary`: end these lines with diff=unity")
    (root / "Assets" / ".gitattributes").write_text("*.prefab binary diff=unity\n")  # as it was told
    assert attributes_step(root, attributes=True) == (THERE, "")
    assert shown(root, "x.prefab") == "unity"


@needs_scripts
def test_git_shows_names_behind_pointers_of_git_lfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "assetdb"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(PYTHONPATH)} exec {shlex.quote(sys.executable)} -m assetdb "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    root = make_repository(tmp_path / "repository", "Game")
    (root / ".gitattributes").write_text(f"*.prefab {LFS}\n")
    tower = root / "Assets/Prefabs/Tower.prefab"
    text = tower.read_bytes()

    def store(data: bytes, *, here: bool = True) -> None:
        digest = hashlib.sha256(data).hexdigest()
        if here:
            place = tmp_path / "repository/.git/lfs/objects" / digest[:2] / digest[2:4] / digest
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        tower.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(data)}\n")
        commit(tmp_path / "repository")

    store(text)
    store(text.replace(b"Tower", b"Castle"))
    list(set_up(str(root), hook=False, attributes=True))
    commit(tmp_path / "repository")
    said = git(root, "log", "-p", "--format=", "-2", "--", "Assets/Prefabs/Tower.prefab")
    assert "-  m_Name: Tower\n" in said
    assert "+  - component: {fileID: 300} # Castle (Health)\n+  m_Name: Castle\n" in said
    assert "git-lfs" not in said
    store(text.replace(b"Tower", b"Ruin"), here=False)
    said = git(root, "show", "--format=")
    assert "-  m_Name: Castle" in said
    assert "+oid sha256:" in said  # which is all there is of it
