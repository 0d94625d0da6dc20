"""The life of an asset, beside all trees of a history read one by one."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.history.git.repository import Repository
from assetdb.history.life import ADDED, CHANGED, DELETED, MOVED, NEW_GUID, former_guid, former_paths, life_of
from tests.assetdb.history.git_project import commit, edit, git, make_repository, meta_of
from tests.assetdb.unity_project import guid
from tests.long_cases import long_after
from tests.needs import ignores_case

if TYPE_CHECKING:
    from pathlib import Path

TOWER = "Assets/Prefabs/Tower.prefab"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


def move(root: Path, old: str, new: str) -> None:
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    for one, other in ((root / old, root / new), (meta_of(root / old), meta_of(root / new))):
        one.rename(other)


def life(root: Path, number: int, path: str) -> list[tuple[str, str, str, str]]:
    events = life_of(Repository(str(root)), guid(number), path)
    return [(event.subject, event.change, event.path, event.old_path) for event in events]


@pytest.mark.parametrize("setting", ["log.showRoot=false", "i18n.logOutputEncoding=latin1"])
def test_settings_of_logs_change_no_life(root: Path, setting: str) -> None:
    (root / TOWER).write_text((root / TOWER).read_text().replace("Tower", "Schloss"))
    commit(root, "Schloß")
    git(root, "config", *setting.split("="))
    assert life(root, 20, TOWER) == [("Schloß", CHANGED, TOWER, ""), ("the project", ADDED, TOWER, "")]


def test_moves_edits_and_a_new_guid(root: Path) -> None:
    (root / TOWER).write_text((root / TOWER).read_text().replace("Tower", "Keep"))
    commit(root, "edit")
    move(root, TOWER, "Assets/Forts/Tower.prefab")
    commit(root, "move")
    move(root, "Assets/Forts/Tower.prefab", "Assets/Forts/Keep.prefab")
    commit(root, "rename")
    meta = meta_of(root / "Assets/Forts/Keep.prefab")
    meta.write_text(meta.read_text().replace(guid(20), guid(90)))
    commit(root, "guid")
    assert life(root, 90, "Assets/Forts/Keep.prefab") == [
        ("guid", NEW_GUID, "Assets/Forts/Keep.prefab", ""),
        ("rename", MOVED, "Assets/Forts/Keep.prefab", "Assets/Forts/Tower.prefab"),
        ("move", MOVED, "Assets/Forts/Tower.prefab", TOWER),
        ("edit", CHANGED, TOWER, ""),
        ("the project", ADDED, TOWER, ""),
    ]
    move(root, "Assets/Forts/Keep.prefab", "Assets/Last.prefab")
    assert life(root, 90, "Assets/Last.prefab")[0] == (
        *("not committed", MOVED),
        *("Assets/Last.prefab", "Assets/Forts/Keep.prefab"),
    )


def test_a_meta_in_another_case_is_followed_with_its_asset(root: Path) -> None:
    if ignores_case(root):
        pytest.skip("a meta is found in any case here")
    meta_of(root / TOWER).rename(root / "Assets/Prefabs/TOWER.prefab.meta")  # as BoatAttack's AIcontroller.cs.meta
    commit(root, "case")
    (root / TOWER).write_text((root / TOWER).read_text().replace("Tower", "Keep"))
    commit(root, "edit")
    meta = root / "Assets/Prefabs/TOWER.prefab.meta"
    meta.write_text(meta.read_text().replace(guid(20), guid(90)))
    commit(root, "guid")
    (root / TOWER).rename(root / "Assets/Tower.prefab")
    meta.rename(root / "Assets/TOWER.prefab.meta")
    expected = [
        ("guid", NEW_GUID, TOWER, ""),
        ("edit", CHANGED, TOWER, ""),
        ("case", CHANGED, TOWER, ""),
        ("the project", ADDED, TOWER, ""),
    ]
    moved = (MOVED, "Assets/Tower.prefab", TOWER)
    assert life(root, 90, "Assets/Tower.prefab") == [("not committed", *moved), *expected]
    commit(root, "move")
    assert life(root, 90, "Assets/Tower.prefab") == [("move", *moved), *expected]
    assert former_guid(Repository(str(root)), "Assets/Tower.prefab") == guid(90)


def test_an_asset_that_was_renamed_in_case_beside_its_meta_was_moved(root: Path) -> None:
    if ignores_case(root):
        pytest.skip("git sees no rename here")
    new = "Assets/Prefabs/TOWER.prefab"
    (root / TOWER).rename(root / new)
    commit(root, "case")
    assert life(root, 20, new) == [("case", MOVED, new, TOWER), ("the project", ADDED, TOWER, "")]


def test_what_was_deleted_and_came_back(root: Path) -> None:
    text, meta = (root / TOWER).read_bytes(), meta_of(root / TOWER).read_bytes()
    (root / TOWER).unlink()
    meta_of(root / TOWER).unlink()
    commit(root, "delete")
    assert former_guid(Repository(str(root)), TOWER) == guid(20)
    (root / TOWER).write_bytes(text)
    meta_of(root / TOWER).write_bytes(meta)
    commit(root, "restore")
    assert [row[:2] for row in life(root, 20, TOWER)] == [
        ("restore", ADDED),
        ("delete", DELETED),
        ("the project", ADDED),
    ]


def test_a_folder_has_its_own_life(root: Path) -> None:
    meta_of(root / "Assets/Deep").write_text(
        f"fileFormatVersion: 2\nguid: {guid(95)}\nfolderAsset: yes\nDefaultImporter:\n  userData: \n"
    )
    commit(root, "meta")
    (root / "Assets/Deep/Down/Here/well.prefab").write_text("changed")
    commit(root, "inside")
    assert [row[:2] for row in life(root, 95, "Assets/Deep")] == [("meta", ADDED)]


@pytest.mark.parametrize("seed", long_after(1, range(8)))
def test_random_histories(root: Path, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(12):
        for _ in range(chance.randrange(1, 3)):
            edit(root, chance)
        commit(root, f"commit {number}")
    trees = git(root, "log", "--format=%H", "--reverse").split()
    places: list[dict[str, str]] = []
    for tree in trees:
        names = git(root, "ls-tree", "-r", "--name-only", "-z", tree).split("\0")
        metas = [name for name in names if name.endswith(".meta")]
        found = {}
        for name in metas:
            match = re.search(r"^guid: (\w{32})", git(root, "show", f"{tree}:{name}"), re.MULTILINE)
            if match is not None:
                found[name.removesuffix(".meta")] = match[1]
        places.append(found)
    shared = {
        value for found in places for value in found.values() if list(found.values()).count(value) > 1
    }  # of a copy nobody says which one lives on
    for path, own in places[-1].items():
        if own in shared:
            continue
        events = list(life_of(Repository(str(root)), own, path))
        here, current = path, own
        expected = []
        for before, after, tree in zip(reversed([{}, *places[:-1]]), reversed(places), reversed(trees), strict=True):
            if after.get(here) != current or before.get(here) == current:
                continue
            sources = [name for name, value in before.items() if value == current]
            if here in before:
                expected.append((tree, NEW_GUID, here))
                current = before[here]
            elif sources:
                expected.append((tree, MOVED, here))
                here = sources[0]
            else:
                expected.append((tree, ADDED, here))
                break
            if current in shared:
                break
        told = [(event.commit, event.change, event.path) for event in events]
        told = [row for row in told if row[1] in (ADDED, MOVED, NEW_GUID)]
        assert told[: len(expected)] == expected


def test_the_command_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    move(root, TOWER, "Assets/Keep.prefab")
    commit(root, "a move \x1b[31m")
    (root / "Assets/Keep.prefab").write_text("changed")
    commit(root, "an edit")
    words = ["--project", str(root)]
    assert main(["history", "Keep.prefab", *words]) == 0
    out = capsys.readouterr().out
    assert [line.split()[3] for line in out.splitlines()] == ["moved", "added"]
    assert f"{TOWER} -> Assets/Keep.prefab" in out
    assert "\x1b" not in out
    assert main(["history", guid(20), "--all", "--limit", "1", "--json", *words]) == 0
    assert '"change": "changed"' in capsys.readouterr().out
    for path in (root / "Assets/Keep.prefab", meta_of(root / "Assets/Keep.prefab")):
        path.unlink()
    commit(root, "a deletion")
    for query in ("Assets/Keep.prefab", guid(20)):
        assert main(["history", query, *words]) == 0
        assert capsys.readouterr().out.split()[3] == "deleted"
    for query in ("f" * 32, "Assets/Never.prefab", "../../outside"):
        assert main(["history", query, *words]) == 1
        assert capsys.readouterr().err.startswith("assetdb: ")


def test_names_of_what_is_gone(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = "Assets/Odd [1]*.prefab"
    move(root, TOWER, odd)
    commit(root, "a move")
    words = ["--project", str(root)]
    for query in ("Tower", "Tower.prefab", TOWER):  # it lives on elsewhere
        assert main(["history", query, *words]) == 0
        assert [line.split()[3] for line in capsys.readouterr().out.splitlines()] == ["moved", "added"]
    for path in (root / odd, meta_of(root / odd)):
        path.unlink()
    commit(root, "a deletion")
    for query in ("Odd [1]*", "Odd [1]*.prefab", "Tower"):
        assert main(["history", query, *words]) == 0
        assert [line.split()[3] for line in capsys.readouterr().out.splitlines()] == ["deleted", "moved", "added"]
    repository = Repository(str(root))
    assert former_paths(repository, "Odd [1]*") == (odd,)
    for name in ("*", "Odd*", "odd [1]*", "Odd", "", "../Tower", "Tow\\er", "T\0"):
        assert former_paths(repository, name) == ()


def test_a_name_that_several_had(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = ("Assets/One/Keep.prefab", "Assets/Two/Keep.prefab")
    for place, number in zip(places, (91, 92), strict=True):
        (root / place).parent.mkdir(parents=True)
        (root / place).write_bytes((root / TOWER).read_bytes())
        meta_of(root / place).write_text(meta_of(root / TOWER).read_text().replace(guid(20), guid(number)))
    commit(root, "two")
    for place in places:
        (root / place).unlink()
        meta_of(root / place).unlink()
    commit(root, "none")
    assert main(["history", "Keep", "--project", str(root)]) == 1
    said = capsys.readouterr().err
    assert "ambiguous (2 matches)" in said
    assert all(place in said for place in places)


def test_without_a_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_repository(tmp_path / "repository")
    (root / ".git").rename(root / "not.git")
    assert main(["history", TOWER, "--project", str(root)]) == 2
    assert "git" in capsys.readouterr().err


def test_a_project_whose_folder_was_renamed(tmp_path: Path) -> None:
    root = make_repository(tmp_path, "Old")
    new = root.rename(tmp_path / "New")
    commit(tmp_path, "rename")
    assert life(new, 20, TOWER) == [
        ("rename", MOVED, TOWER, f"Old/{TOWER}"),
        ("the project", ADDED, f"Old/{TOWER}", ""),
    ]
    move(new, TOWER, "Assets/Last.prefab")
    assert life(new, 20, "Assets/Last.prefab")[0] == ("not committed", MOVED, "Assets/Last.prefab", TOWER)
    assert former_guid(Repository(str(new)), TOWER) == guid(20)


def test_before_the_first_commit_there_is_no_life(root: Path) -> None:
    git(root, "checkout", "-q", "--orphan", "another")
    assert not life(root, 20, TOWER)
    assert former_guid(Repository(str(root)), TOWER) == ""
    assert former_paths(Repository(str(root)), "Tower") == ()
