"""The metas that git has of files: by path, by rename, in stashes and in the past."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.former_metas import FormerMetas
from tests.assetdb.history.git_project import commit, git
from tests.needs import ignores_case

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "".join(f"line {number} of a file that is long enough to be known again\n" for number in range(30))


def asset(root: Path, path: str, number: int, text: str = TEXT) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"{path}\n{text}")
    target.with_name(f"{target.name}.meta").write_text(meta(number))


def meta(number: int) -> str:
    return f"fileFormatVersion: 2\nguid: {number:032x}\n"


@pytest.fixture(params=["", "Game"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A project at the top of a repository, and one in a folder of it."""
    root = tmp_path / request.param
    asset(root, "Assets/a.mat", 1)
    asset(root, "Assets/Set/b ü.mat", 2)
    asset(root, "Assets/Set/c.mat", 3)
    (root / "Assets/Set.meta").write_text(meta(9))
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    return root


def found(root: Path, *paths: str) -> list[tuple[str, str, int]]:
    """Return path, place and GUID of the first meta that git has for each path."""
    rows = FormerMetas(str(root)).of(paths)
    first = [rows[path][0] for path in paths if rows[path]]
    return [(former.path, former.where, int(former.data.split()[-1], 16)) for former in first]


def test_the_index_and_head_have_the_meta_of_a_path(root: Path) -> None:
    (root / "Assets/a.mat.meta").unlink()
    assert found(root, "Assets/a.mat", "Assets/never.mat") == [("Assets/a.mat", "the index", 1)]
    git(root, "rm", "-q", "--cached", "Assets/a.mat.meta")
    assert found(root, "Assets/a.mat") == [("Assets/a.mat", "HEAD", 1)]


def test_a_meta_in_another_case_is_of_its_asset(root: Path) -> None:
    if ignores_case(root):
        pytest.skip("a meta is found in any case here")
    for path, other in (("Assets/a.mat", "Assets/A.mat"), ("Assets/Set", "Assets/SET")):
        (root / f"{path}.meta").rename(root / f"{other}.meta")
    commit(root)
    there = FormerMetas(str(root))
    assert there.at("Assets/a.mat") == there.at("Assets/Set") == []  # metas on the disk are of the files that have them
    (root / "Assets/A.mat.meta").unlink()
    (root / "Assets/SET.meta").unlink()
    assert found(root, "Assets/a.mat", "Assets/Set") == [
        ("Assets/a.mat", "the index", 1),
        ("Assets/Set", "the index", 9),
    ]


def test_both_are_told_where_they_differ(root: Path) -> None:
    (root / "Assets/a.mat.meta").write_text(meta(7))
    git(root, "add", "-A")
    rows = FormerMetas(str(root)).at("Assets/a.mat")
    assert [(row.where, row.data.decode()) for row in rows] == [("the index", meta(7)), ("HEAD", meta(1))]
    assert [row.data.decode() for row in FormerMetas(str(root)).changed()] == [meta(1)]


@pytest.mark.parametrize("more", ["", "changed\n"])
def test_a_file_that_was_moved_is_known_again(root: Path, more: str) -> None:
    (root / "Assets/Set/b ü.mat.meta").unlink()
    (root / "Assets/Set/b ü.mat").rename(root / "Assets/new.mat")
    (root / "Assets/new.mat").write_text((root / "Assets/new.mat").read_text() + more)
    (root / "Assets/other.mat").write_text("something else\n" * 30)
    assert found(root, "Assets/new.mat", "Assets/other.mat") == [("Assets/Set/b ü.mat", "the index", 2)]


def test_of_two_copies_the_nearer_one_is_the_file_that_was_moved(root: Path) -> None:
    data = (root / "Assets/Set/c.mat").read_bytes()
    (root / "Assets/Set/c.mat").unlink()
    (root / "Assets/A").mkdir()
    for path in ("Assets/A/x.mat", "Assets/Set/y.mat"):
        (root / path).write_bytes(data)
    rows = FormerMetas(str(root)).of(["Assets/A/x.mat", "Assets/Set/y.mat"])
    assert [row.path for row in rows["Assets/Set/y.mat"]] == ["Assets/Set/c.mat"]
    assert rows["Assets/A/x.mat"] == []


@pytest.mark.parametrize("metas", ["deleted", "moved"])
def test_a_folder_is_known_by_what_is_in_it(root: Path, metas: str) -> None:
    (root / "Assets/Set").rename(root / "Assets/Moved")
    (root / "Assets/Set.meta").unlink()
    for path in (root / "Assets/Moved").glob("*.meta") if metas == "deleted" else ():
        path.unlink()
    assert found(root, "Assets/Moved", *(["Assets/Moved/c.mat"] if metas == "deleted" else [])) == [
        ("Assets/Set", "the index", 9),
        *([("Assets/Set/c.mat", "the index", 3)] if metas == "deleted" else []),
    ]


def test_a_file_of_git_lfs_is_known_by_its_pointer(root: Path) -> None:
    content = b"\x89PNG real"
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(content).hexdigest()}\nsize 9\n"
    (root / "Assets/p.png").write_text(pointer)
    (root / "Assets/p.png.meta").write_text(meta(20))
    commit(root)
    (root / "Assets/p.png").unlink()
    (root / "Assets/p.png.meta").unlink()
    (root / "Assets/q.png").write_bytes(content)
    assert found(root, "Assets/q.png") == [("Assets/p.png", "the index", 20)]


def test_one_name_alone_is_told_as_such(root: Path) -> None:
    for path in ("Assets/a.mat", "Assets/a.mat.meta"):
        (root / path).unlink()
    (root / "Assets/Set/a.mat").write_text("nothing of it\n")
    (row,) = FormerMetas(str(root)).of(["Assets/Set/a.mat"])["Assets/Set/a.mat"]
    assert (row.path, row.likeness) == ("Assets/a.mat", 0)


@pytest.mark.parametrize("tracked", [True, False])
def test_a_stash_is_looked_through(root: Path, tracked: bool) -> None:  # noqa: FBT001
    asset(root, "Assets/s.mat", 30)
    if tracked:
        git(root, "add", "-A")
    git(root, "stash", "-q", "-u")
    (root / "Assets/s.mat").write_text("again")
    assert found(root, "Assets/s.mat") == [("Assets/s.mat", "stash@{0}", 30)]


def test_the_past_is_looked_through(root: Path) -> None:
    (root / "Assets/a.mat.meta").unlink()
    gone = commit(root)
    git(root, "mv", "Assets/Set/c.mat", "Assets/d.mat")
    (root / "Assets/Set/c.mat.meta").unlink()
    moved = commit(root)
    assert found(root, "Assets/a.mat", "Assets/d.mat") == [
        ("Assets/a.mat", gone[:10], 1),
        ("Assets/Set/c.mat", moved[:10], 3),
    ]


def test_a_submodule_has_its_own(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    asset(other, "x.mat", 40)
    git(other, "init", "-q", "-b", "main")
    commit(other)
    git(root, "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(other), "Assets/Sub")
    (root / "Assets/Sub/x.mat.meta").unlink()
    assert found(root, "Assets/Sub/x.mat") == [("Assets/Sub/x.mat", "the index", 40)]


def test_a_new_repository_is_empty_and_none_is_an_error(tmp_path: Path, root: Path) -> None:
    assert not FormerMetas(str(root)).is_empty
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "-q")
    assert FormerMetas(str(tmp_path / "new")).is_empty
    assert FormerMetas(str(tmp_path / "new")).of(["Assets/a.mat"]) == {"Assets/a.mat": []}


def test_git_that_fails_is_an_error_and_not_an_answer(root: Path) -> None:
    (root / "Assets/a.mat.meta").unlink()
    former = FormerMetas(str(root))
    for path in (root, root.parent):
        for name in (path / ".git/objects").glob("??") if (path / ".git").is_dir() else ():
            for blob in name.iterdir():
                blob.unlink()
    with pytest.raises(HistoryError):
        former.of(["Assets/a.mat"])


def test_the_past_is_looked_through_for_more_files_than_a_command_line_has(root: Path) -> None:
    paths = [f"Assets/{'long' * 50}/{number:04}.mat" for number in range(101)]
    for number, path in enumerate(paths):
        asset(root, path, 100 + number, "")
    commit(root)
    for path in (*paths, "Assets/a.mat"):
        (root / f"{path}.meta").unlink()
    gone = commit(root)
    asked: list[tuple[str, ...]] = []
    there = FormerMetas(str(root))
    output = there._repository.output
    there._repository.output = lambda *words, **more: asked.append(words) or output(*words, **more)  # type: ignore[method-assign]
    rows = there.of(paths)
    assert {path: rows[path][0].where for path in paths} == dict.fromkeys(paths, gone[:10])
    assert rows[paths[7]][0].data == meta(107).encode()
    assert max(sum(map(len, words)) for words in asked) < 2000
