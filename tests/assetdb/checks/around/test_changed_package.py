"""A change is judged in the package that a project's folder is, too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.checks.healthy import FOLDER, NATIVE, SCRIPT, guid_of, make_healthy, put, put_meta, scriptable
from tests.assetdb.history.git_project import commit, git
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_links
BAG = "using UnityEngine;\npublic class Bag : ScriptableObject { public int count; }\n"
BROKEN = ("missing-script", "Runtime/Bad.asset")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_healthy(tmp_path / "both", 1)
    put(root, "package.json", json.dumps({"name": "com.acme.both"}))
    put(root, "Runtime/Bag.cs", BAG, SCRIPT)
    put(root, "Runtime/Bag.asset", scriptable("Runtime/Bag.cs", "Bag", "  count: 7\n"), NATIVE)
    put_meta(root, "Runtime", FOLDER)
    (root / ".gitignore").write_text("Library/\n")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(root)
    return root


def found(capsys: pytest.CaptureFixture[str], *words: str) -> list[tuple[str, str]]:
    capsys.readouterr()
    main(["check", "--json", *words])
    return [(row["code"], row["path"]) for row in map(json.loads, capsys.readouterr().out.splitlines())]


def break_one(root: Path) -> None:
    put(root, "Runtime/Bad.asset", scriptable("nowhere", "Bad"), NATIVE)


def test_what_a_change_breaks_there_is_found_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_one(root)
    assert found(capsys, "--since", "HEAD") == [BROKEN]
    assert found(capsys, "--staged") == []
    git(root, "add", "-A")
    assert found(capsys, "--staged") == [BROKEN]
    commit(root)
    assert found(capsys, "--since", "HEAD") == found(capsys, "--staged") == []
    (root / "Runtime/Bag.asset").write_text("")  # on the disk alone
    git(root, "rm", "-q", "--cached", "Runtime/Bag.cs", "Runtime/Bag.cs.meta")
    assert ("missing-script", "Runtime/Bag.asset") in found(capsys, "--staged")


def test_a_merge_breaks_what_is_whole_on_both_sides(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(root, "checkout", "-q", "-b", "other")
    put(root, "Runtime/More.asset", scriptable("Runtime/Bag.cs", "More"), NATIVE)
    commit(root)
    git(root, "checkout", "-q", "main")
    for name in ("Bag.cs", "Bag.cs.meta", "Bag.asset", "Bag.asset.meta"):
        (root / "Runtime" / name).unlink()
    commit(root)
    assert found(capsys, "--merge", "other") == [("missing-script", "Runtime/More.asset")]


def test_values_of_its_scripts_are_not_lost(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "Runtime/Bag.cs").write_text(BAG.replace("count", "number"))
    for words in (["--since", "HEAD"], ["--staged"]):
        assert found(capsys, *words) == [("lost-value", "Runtime/Bag.cs")]
        main(["check", *words])
        assert "in Runtime/Bag.asset would be lost; add [FormerlySerializedAs" in capsys.readouterr().out
        git(root, "add", "-A")


def test_a_folder_that_becomes_a_package_is_new_as_a_whole(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_one(root)
    git(root, "rm", "-q", "--cached", "package.json.meta")
    git(root, "commit", "-q", "-m", "no package yet")
    git(root, "add", "-A")
    commit(root)
    assert found(capsys, "--since", "HEAD~1") == [BROKEN]
    assert guid_of("nowhere") not in (root / "Runtime/Bag.asset").read_text()
