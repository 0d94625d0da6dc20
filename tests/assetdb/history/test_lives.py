"""The lives of all assets from one pass, beside the life of each that git is asked for."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb.history import lives
from assetdb.history.git.repository import Repository
from assetdb.history.life import life_of
from assetdb.history.lives import Lives, lives_of
from tests.assetdb.history.git_project import commit, git, make_repository, meta_of
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

Row = tuple[str, str, str, str, str]


def assets_of(root: Path) -> list[tuple[str, str]]:
    found = []
    for meta in sorted((root / "Assets").rglob("*.meta")):
        path = meta.with_suffix("")
        if path.is_file():
            text = meta.read_text().partition("guid: ")[2]
            found.append((text[:32], path.relative_to(root).as_posix()))
    return found


def rows_of(found: Lives, number: int) -> list[Row]:
    rows = []
    for row in found.changes[number]:
        of = found.commits[row.commit] if row.commit >= 0 else lives.Commit("", "", "", "not committed")
        rows.append((of.short, of.author, of.subject, row.change, row.old_path))
    return rows


def agree(root: Path) -> int:
    assets = assets_of(root)
    repository = Repository(str(root))
    found = lives_of(repository, assets)
    for number, (identity, path) in enumerate(assets):
        expected = [
            (event.short, event.author, event.subject, event.change, event.old_path)
            for event in life_of(repository, identity, path)
        ]
        assert rows_of(found, number) == expected[: lives.MOST_CHANGES], path
        assert found.counts[number] == len(expected)
    return sum(found.counts)


def move(root: Path, old: str, new: str) -> None:
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    for one, other in ((root / old, root / new), (meta_of(root / old), meta_of(root / new))):
        one.rename(other)


def step(root: Path, choice: random.Random, number: int) -> None:
    _, path = choice.choice(assets_of(root))
    file = root / path
    kind = choice.choice(("edit", "edit", "move", "move", "guid", "delete", "add", "replace"))
    if kind == "edit":
        file.write_bytes(file.read_bytes() + b"\n")
    elif kind == "move":
        move(root, path, f"Assets/At{choice.randrange(4)}/{number}-{file.name[-20:]}")
    elif kind == "guid":
        meta = meta_of(file)
        text = meta.read_text()
        own = text.partition("guid: ")[2][:32]
        meta.write_text(text.replace(own, guid(1000 + number)))
    elif kind == "delete" and len(assets_of(root)) > 4:
        file.unlink()
        meta_of(file).unlink()
    elif kind == "replace":  # another asset takes the place of one that moved away
        move(root, path, f"Assets/Away/{number}-{file.name[-20:]}")
        write(root, path, 2000 + number, HEAD + game_object(100, "New", 0))
    else:
        write(root, f"Assets/Added/{number}.prefab", 3000 + number, HEAD + game_object(100, "Added", 0))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("inside", ["", "Games/Ours"])
def test_every_life_is_the_one_git_is_asked_for(tmp_path: Path, seed: int, inside: str) -> None:
    root = make_repository(tmp_path / "R", inside)
    choice = random.Random(seed)
    for number in range(12):
        for each in range(choice.randrange(1, 4)):
            step(root, choice, 10 * number + each)
        commit(root, f"commit {number}")
    assert agree(root) > len(assets_of(root))
    move(root, assets_of(root)[0][1], "Assets/NotCommitted/moved.prefab")
    agree(root)


def test_a_subject_and_names_of_any_characters(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "R")
    write(root, "Assets/\u202e</script>'.prefab", 77, HEAD + game_object(100, "New", 0))
    commit(root, "</script><!-- \u2028 \x1f \x01 'quoted'\n\nbody")
    agree(root)


def test_the_newest_changes_are_kept_and_all_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lives, "MOST_CHANGES", 2)
    root = make_repository(tmp_path / "R")
    for number in range(3):
        (root / "Assets/Prefabs/Tower.prefab").write_bytes(b"x" * (number + 1))
        commit(root, f"edit {number}")
    found = lives_of(Repository(str(root)), [(guid(20), "Assets/Prefabs/Tower.prefab")])
    assert [found.commits[row.commit].subject for row in found.changes[0]] == ["edit 2", "edit 1"]
    assert found.counts == (4,)
    assert not found.is_cut
    cut = lives_of(Repository(str(root)), [(guid(20), "Assets/Prefabs/Tower.prefab")], most=3)
    assert cut.is_cut
    assert cut.counts == (3,)


def test_a_repository_without_a_commit_and_a_shallow_one(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "R")
    commit(root, "second")
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "shallow")
    assert lives_of(Repository(str(tmp_path / "shallow")), []).is_cut
    (tmp_path / "new" / "Assets").mkdir(parents=True)
    git(tmp_path / "new", "init", "-q")
    assert lives_of(Repository(str(tmp_path / "new")), [("0" * 32, "Assets/a.mat")]) == ((), ((),), (0,), False)


def test_without_the_guids_of_metas_the_same_blob_tells_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lives, "_MOST_METAS", 0)
    root = make_repository(tmp_path / "R")
    move(root, "Assets/Prefabs/Tower.prefab", "Assets/Forts/Tower.prefab")
    commit(root, "move")
    agree(root)
