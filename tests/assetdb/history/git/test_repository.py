"""Git is asked safely, whatever a repository says of itself."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.errors import HistoryError
from assetdb.history.git import repository as module
from assetdb.history.git.entries import Entry
from assetdb.history.git.objects import read_blobs
from assetdb.history.git.repository import Repository
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git, make_repository, open_side, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write
from tests.needs import needs_any_name, needs_git, needs_scripts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


def codes(root: Path, revision: str = "HEAD") -> list[tuple[str, str]]:
    project = open_project(str(root))
    try:
        with open_side(project, revision) as other:
            return [(f.code, f.path) for f in check_project(other, Selection()).findings]
    finally:
        project.close()


def edit_tower(root: Path) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))


@needs_scripts
@needs_any_name
@pytest.mark.parametrize("driver", ["evil", "e=vil", "filter.e.vil=", "E vil"])
def test_nothing_that_a_repository_names_is_run(root: Path, tmp_path: Path, driver: str) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {mark}\ncat\n")
    program.chmod(0o755)
    (root / ".gitattributes").write_text(f"* filter={driver} diff=evil merge=evil\n")
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"):
        (hooks / name).write_text(program.read_text())
        (hooks / name).chmod(0o755)
    for key in (
        *("core.fsmonitor", f"filter.{driver}.clean", f"filter.{driver}.smudge", f"filter.{driver}.process"),
        "diff.evil.textconv",
        *("diff.evil.command", "diff.external", "core.pager", "core.editor", "core.sshCommand", "core.askPass"),
        *("merge.evil.driver", "remote.origin.uploadpack", "core.alternateRefsCommand", "uploadpack.packObjectsHook"),
    ):
        git(root, "config", key, str(program))
    git(root, "config", f"filter.{driver}.required", "true")
    git(root, "config", "remote.origin.url", "ext::" + str(program))
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "extensions.partialClone", "origin")
    edit_tower(root)
    os.utime(root / ".git" / "index", (1, 1))  # all files are younger: git compares what they would be committed as
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") not in codes(root)
    codes(root, "")
    Repository(str(root)).index_tree()
    assert not mark.exists(), mark.read_text()


@needs_scripts
def test_a_file_monitor_is_not_believed(root: Path, tmp_path: Path) -> None:
    """``core.fsmonitor`` is on in many repositories of Windows, and the index says of which files git looks at none."""
    program = tmp_path / "nothing changed"
    program.write_text("#!/bin/sh\nprintf 'token\\0'\n")
    program.chmod(0o755)
    git(root, "config", "core.fsmonitor", f"'{program}'")
    git(root, "config", "core.fsmonitorHookVersion", "2")
    git(root, "update-index", "--fsmonitor")
    git(root, "status", "--porcelain")
    assert b"FSMN" in (root / ".git/index").read_bytes()
    edit_tower(root)
    assert "Tower" not in git(root, "status", "--porcelain")
    assert Repository(str(root)).index_against_disk().keys() == {b"Assets/Prefabs/Tower.prefab"}
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") not in codes(root)


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_does_not_look_at_is_compared_all_the_same(root: Path, mark: str) -> None:
    repository = Repository(str(root))
    assert repository.index_against_disk() == {}
    path = "Assets/Prefabs/Tower.prefab"
    git(root, "update-index", mark, path)
    assert Repository(str(root)).index_against_disk() == {}
    edit_tower(root)
    found = Repository(str(root)).index_against_disk()
    assert found == {path.encode(): repository.index()[path.encode()]}
    assert ("missing-script", path) not in codes(root)
    assert ("missing-script", path) not in codes(root, "")
    (root / path).unlink()
    assert Repository(str(root)).index_against_disk().keys() == {path.encode()}


def test_surroundings_of_another_repository_are_not_ours(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other")
    edit_tower(root)
    commit(root)
    for name, value in (("GIT_DIR", ".git"), ("GIT_WORK_TREE", "."), ("GIT_INDEX_FILE", ".git/index")):
        monkeypatch.setenv(name, str(other / value))
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") in codes(root)
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") in codes(root, "")


def test_a_work_tree_of_its_own_folder(root: Path, tmp_path: Path) -> None:
    edit_tower(root)
    commit(root)
    git(root, "worktree", "add", "-q", str(tmp_path / "beside"), "HEAD~1")
    beside = tmp_path / "beside"
    shutil.copytree(root / "Library" / "PackageCache", beside / "Library" / "PackageCache")
    edit_tower(beside)
    git(beside, "add", "-A")
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") not in codes(beside)
    assert ("missing-script", "Assets/Prefabs/Tower.prefab") in codes(beside, "")
    assert Repository(str(beside)).index_tree() == git(beside, "rev-parse", "main^{tree}").strip()


def test_longer_hashes(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q", "--object-format=sha256")
    write(root, "Assets/Main.prefab", 1, HEAD + game_object(100, "Main", 0, script(78)))
    (root / "ProjectSettings").mkdir()
    assert ("missing-script", "Assets/Main.prefab") not in codes(root)  # nothing is committed yet
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.10f1\n")
    (root / ".gitignore").write_text("/Library/\n")
    commit(root)
    (root / "Assets/Main.prefab").unlink()
    assert ("missing-script", "Assets/Main.prefab") in codes(root)


def test_a_shallow_clone_says_what_to_do(root: Path, tmp_path: Path) -> None:
    edit_tower(root)
    commit(root)
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", str(tmp_path / "shallow"))
    with pytest.raises(HistoryError, match="--unshallow"):
        codes(tmp_path / "shallow", "HEAD~1")
    assert codes(tmp_path / "shallow", "HEAD")


@needs_scripts
@needs_any_name
def test_names_that_are_odd(root: Path) -> None:
    names = ["a\nb", 'quote"', "tab\t", " space ", "émile", "-dash", "#hash", "back\\slash", ":(glob)x", "*"]
    for number, name in enumerate(names, 200):
        write(root, f"Assets/{name}.prefab", number, HEAD + game_object(100, "x", 0, script(78)))
    raw = os.fsencode(root) + b"/Assets/\xff.prefab"
    Path(os.fsdecode(raw)).write_text(HEAD)
    commit(root)
    before = codes(root)
    for path in (root / "Assets").glob("*.prefab*"):
        path.unlink()
    assert codes(root) == before
    commit(root)
    assert codes(root, "HEAD~1") == before


def tree_of(root: Path, rows: list[tuple[bytes, bytes, str]]) -> str:
    """Write a tree as nobody's git writes it."""
    data = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in rows)
    place = root / ".git" / "raw"
    place.write_bytes(data)
    return git(root, "hash-object", "-t", "tree", "-w", "--literally", str(place)).strip()


def commit_of(root: Path, tree: str) -> str:
    return git(root, "commit-tree", "-m", "evil", tree).strip()


@pytest.mark.parametrize("name", [b"..", b".", b"", b".git", b".GIT"])
def test_names_that_lead_elsewhere_are_refused(root: Path, tmp_path: Path, name: bytes) -> None:
    blob = git(root, "hash-object", "-w", str(root / "Assets/Main.unity")).strip()
    evil = tree_of(root, [(b"100644", b"evil.prefab", blob)])
    assets = tree_of(root, [(b"40000", name, evil)])
    settings = git(root, "rev-parse", "HEAD:ProjectSettings").strip()
    top = commit_of(root, tree_of(root, [(b"40000", b"Assets", assets), (b"40000", b"ProjectSettings", settings)]))
    with pytest.raises(HistoryError):
        codes(root, top)
    assert not list(tmp_path.rglob("evil.prefab"))


def test_a_link_that_is_a_folder_too_leads_nowhere(root: Path, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    place = root / ".git" / "link"
    place.write_bytes(os.fsencode(tmp_path / "target"))
    link = git(root, "hash-object", "-w", str(place)).strip()
    blob = git(root, "hash-object", "-w", str(root / "Assets/Main.unity")).strip()
    inner = tree_of(root, [(b"100644", b"evil.prefab", blob)])
    assets = tree_of(root, [(b"120000", b"a", link), (b"40000", b"a", inner)])
    settings = git(root, "rev-parse", "HEAD:ProjectSettings").strip()
    top = commit_of(root, tree_of(root, [(b"40000", b"Assets", assets), (b"40000", b"ProjectSettings", settings)]))
    with pytest.raises(HistoryError, match="also a file"):
        codes(root, top)
    assert list((tmp_path / "target").iterdir()) == []


@needs_scripts
def test_git_that_does_not_end_or_says_too_much(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Repository(str(root))
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexec sleep 600\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(HistoryError, match="takes longer"):
        found.output("status", timeout=0.2)
    fake.write_text("#!/bin/sh\nexec yes\n")
    monkeypatch.setattr(module, "_MOST_OUTPUT", 100_000)
    with pytest.raises(HistoryError, match="prints more"):
        found.output("status")
    fake.write_text("#!/bin/sh\necho fatal: detected dubious ownership >&2\nexit 128\n")
    with pytest.raises(HistoryError, match="dubious ownership"):
        Repository(str(root))


def test_the_index_and_a_tree_are_read(root: Path) -> None:
    found = Repository(str(root))
    index = found.index()
    assert index == found.tree(git(root, "rev-parse", "HEAD^{tree}").strip())
    oid = git(root, "rev-parse", "HEAD:Assets/Main.unity").strip()
    assert index[b"Assets/Main.unity"] == Entry(0o100644, oid)
    (blob,) = read_blobs(found, [oid])
    assert blob is not None
    assert blob.size == (root / "Assets/Main.unity").stat().st_size
    assert found.index_tree() == git(root, "rev-parse", "HEAD^{tree}").strip()


def test_files_that_git_lacks_are_listed_once_for_fewer_folders(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".gitignore").write_text("*.log\n")
    for name in ("Assets/a.txt", "Assets/a.log", "AssetsOld/b.txt", "ProjectSettings/c.txt", "ProjectSettings/c.log"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("")
    wide, narrow = ("Assets", "AssetsOld", "ProjectSettings"), ("Assets",)
    alone = Repository(str(root))
    expected = sorted(alone.untracked(narrow)), sorted(alone.ignored(narrow))
    assert expected == ([b"Assets/a.txt"], [b"Assets/a.log"])
    repository = Repository(str(root))
    assert sorted(repository.ignored(wide)) == [b"Assets/a.log", b"ProjectSettings/c.log"]
    monkeypatch.setattr(repository, "output", None)
    assert (sorted(repository.untracked(narrow)), sorted(repository.ignored(narrow))) == expected


def test_nothing_is_added_to_a_repository(root: Path) -> None:
    edit_tower(root)
    git(root, "add", "-A")
    objects = sorted(str(path) for path in (root / ".git").rglob("*"))
    repository = Repository(str(root))
    tree = repository.index_tree()
    assert tree
    assert sorted(str(path) for path in (root / ".git").rglob("*")) == objects
    commit(root)
    assert git(root, "rev-parse", "HEAD^{tree}").strip() == tree


def test_a_work_tree_elsewhere_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    git(root, "config", "core.worktree", str(tmp_path / "elsewhere"))
    with pytest.raises(HistoryError, match=r"is not in the work tree of git here, .*elsewhere"):
        Repository(str(root))
    git(root, "config", "core.worktree", "../..")  # which holds the project
    with pytest.raises(HistoryError, match=r"is not in the work tree of git here"):
        Repository(str(root))
    git(root, "config", "core.worktree", str(root))
    assert Repository(str(root)).top == str(root)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
@pytest.mark.parametrize("rules", [".gitignore", "Assets/.gitignore", "Assets/New/.gitignore", ".git/info/exclude"])
def test_rules_that_are_a_pipe_are_refused(root: Path, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TIMEOUT", 5.0)  # so long git would wait
    (root / "Assets/New").mkdir()
    (root / "Assets/New/a.txt").write_text("")
    place = root / rules
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    with pytest.raises(HistoryError, match=f"{rules} is not a regular file, and git would wait for it"):
        codes(root)
    place.unlink()
    (root / "Assets/Prefabs/.gitignore").mkdir()  # git takes no notice of it
    assert ("missing-meta", "Assets/New/a.txt") not in codes(root)


@needs_git
def test_a_folder_outside_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(HistoryError, match=r"is not in a git repository \(run git init to create one\)$"):
        Repository(str(tmp_path))


@pytest.mark.parametrize("inside", ["", "a/Game"])
def test_line_ends_that_git_converts_are_no_difference(tmp_path: Path, inside: str) -> None:
    root = make_repository(tmp_path / "repository", inside)
    path = root / "Assets/Prefabs/Tower.prefab"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert list(differing(root)) == [b"Assets/Prefabs/Tower.prefab"]
    (root / ".gitattributes").write_text("*.prefab text eol=crlf filter=evil\n")
    git(root, "config", "filter.evil.clean", f"touch {tmp_path / 'run'}; cat")
    assert list(differing(root)) == [b".gitattributes"]
    path.write_bytes(path.read_bytes() + b"\r\n")
    assert set(differing(root)) == {b".gitattributes", b"Assets/Prefabs/Tower.prefab"}
    assert not (tmp_path / "run").exists()


def differing(root: Path) -> dict[bytes, object]:
    repository = Repository(str(root))
    return dict(repository.revision_against_disk(repository.head(), tops=(".",)))


def test_a_repository_whose_objects_are_gone_says_so(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(root), str(tmp_path / "clone"))
    (root / ".git" / "objects").rename(tmp_path / "objects")
    with pytest.raises(HistoryError, match="lacks the commit of HEAD: git fsck"):
        Repository(str(tmp_path / "clone")).head()


def test_a_folder_that_had_another_name_is_compared_by_its_files(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    make_repository(repository, "Former")
    git(repository, "mv", "Former", "Game")
    edit_tower(repository / "Game")
    git(repository, "add", "-A")
    found = Repository(str(repository / "Game"))
    head = found.head()
    assert head.prefix == "Former/"
    oid = git(repository, "rev-parse", "HEAD:Former/Assets/Prefabs/Tower.prefab").strip()
    tower: dict[bytes, Entry | None] = {b"Assets/Prefabs/Tower.prefab": Entry(0o100644, oid)}
    assert found.revision_against_index(head) == tower
    assert found.staged(head) == (tower, "")


def test_a_revision_without_the_project_has_none_of_its_files(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main")
    (repository / "README").write_text("a game")
    commit(repository)
    make_repository(repository, "Game")
    found = Repository(str(repository / "Game"))
    before = found.revision("HEAD~1")
    assert before.tree == ""
    assert found.staged(before) == (dict.fromkeys(found.index()), "")
