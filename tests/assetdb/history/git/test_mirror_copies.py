"""Where a disk makes no links, a mirror has copies of what a question reads."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.git import mirror as module
from assetdb.history.git.entries import Entry
from assetdb.history.git.mirror import Mirror
from assetdb.history.git.repository import Repository
from tests.assetdb.history.git_project import commit, git
from tests.needs import ignores_case, needs_links

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


LINK = os.symlink


def refuse(*_: object) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))  # as Linux' exFAT does


@pytest.fixture(autouse=True)
def _no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_make_link", refuse)
    monkeypatch.setattr(os, "symlink", refuse)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    for path, data in {
        "Assets/a.txt": b"a",
        "Assets/Deep/b.txt": b"b",
        "Assets/Sub/.git": b"gitdir: ../../.git/modules/Sub",
        "Packages/manifest.json": b"{}",
        "ProjectSettings/A.asset": b"s",
        "Library/PackageCache/p@1/package.json": b"{}",
        "Temp/t": b"t",
        "assetdb.toml": b"",
        "build.zip": bytes((1 << 20) + 1),
    }.items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_bytes(data)
    git(made, "init", "-q")
    (made / "Assets/Sub/.git").rename(made / "set_aside")  # git would ask it for a submodule
    commit(made)
    (made / "set_aside").rename(made / "Assets/Sub/.git")
    return made


def blob(root: Path, data: bytes, mode: int = 0o100644) -> Entry:
    """Add a blob to the repository."""
    (root / ".git/given").write_bytes(data)
    return Entry(mode, git(root, "hash-object", "-w", "--no-filters", ".git/given").strip())


def mirror(root: Path, top: Path, entries: Mapping[str, Entry | None], **options: int) -> Mirror:
    given = {path.encode(): entry for path, entry in entries.items()}
    return Mirror(Repository(str(root)), str(top), given, **options)  # type: ignore[arg-type]  # flags and a number


def shown(top: Path) -> dict[str, bytes]:
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


def test_what_a_question_reads_is_copied_and_nothing_of_git_and_unity(root: Path, tmp_path: Path) -> None:
    made = mirror(root, tmp_path / "top", {"Assets/Deep/b.txt": blob(root, b"other")})
    assert shown(tmp_path / "top") == {
        "Assets/a.txt": b"a",
        "Assets/Deep/b.txt": b"other",
        "Packages/manifest.json": b"{}",
        "ProjectSettings/A.asset": b"s",
        "assetdb.toml": b"",
    }
    assert made.is_copied
    assert sorted(made.folders) == [b"Assets", b"Assets/Deep", b"Assets/Sub", b"Packages", b"ProjectSettings"]
    own, copy = (os.stat(folder / "Assets/a.txt") for folder in (root, tmp_path / "top"))
    assert own.st_mtime_ns // 1000 == copy.st_mtime_ns // 1000
    made.remove()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Game"]


def test_copies_of_read_only_files_are_removed(root: Path, tmp_path: Path) -> None:
    (root / "Assets/a.txt").chmod(0o444)
    made = mirror(root, tmp_path / "top", {"Assets/Deep/b.txt": None})
    assert os.access(tmp_path / "top/Assets/a.txt", os.W_OK)
    made.remove()
    assert not (tmp_path / "top").exists()
    (root / "Assets/a.txt").chmod(0o644)


def test_a_package_is_copied_whole_but_for_git(tmp_path: Path) -> None:
    package = tmp_path / "Package"
    (package / "Library").mkdir(parents=True)  # an asset's folder there
    (package / "package.json").write_text('{"name": "com.acme.tools"}')
    (package / "Library/a.txt").write_bytes(b"a")
    (package / "b.txt").write_bytes(b"b")
    git(package, "init", "-q")
    commit(package)
    mirror(package, tmp_path / "top", {"b.txt": None})
    assert sorted(shown(tmp_path / "top")) == ["Library/a.txt", "package.json"]


def test_too_much_to_copy_is_an_error_that_says_what_to_do(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "Assets/a.txt").write_bytes(bytes(5000))
    used = 3 * 4096 + 5000  # small files count as what they take on a disk
    monkeypatch.setattr(module, "_MOST_COPIED", used - 1)
    with pytest.raises(HistoryError, match=r"can have none to this project, and more than .* set (TMP|TMPDIR) to a"):
        mirror(root, tmp_path / "top", {"Assets/Deep/b.txt": blob(root, b"x")})
    monkeypatch.setattr(module, "_MOST_COPIED", used)
    mirror(root, tmp_path / "other", {"Assets/Deep/b.txt": blob(root, b"x")}).remove()
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        mirror(root, tmp_path / "third", {"Assets/Deep/b.txt": blob(root, b"x")}, most_bytes=4096)


def test_a_link_of_git_is_a_file_with_its_target_as_in_a_checkout(root: Path, tmp_path: Path) -> None:
    mirror(root, tmp_path / "top", {"Assets/link.txt": blob(root, b"a.txt", 0o120000)})
    assert shown(tmp_path / "top")["Assets/link.txt"] == b"a.txt"


def test_a_submodule_is_copied(root: Path, tmp_path: Path) -> None:
    mirror(root, tmp_path / "top", {"Assets/Deep": Entry(0o160000, "1" * 40)})
    assert shown(tmp_path / "top")["Assets/Deep/b.txt"] == b"b"


def test_a_file_that_the_repository_lacks_is_an_error(root: Path, tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="has not all files of this revision"):
        mirror(root, tmp_path / "top", {"Assets/a.txt": Entry(0o100644, "1" * 40)})


@needs_links
def test_a_link_of_the_disk_is_never_entered(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as allowed:
        allowed.setattr(os, "symlink", LINK)
        (root / "Assets/loop").symlink_to(root / "Assets")
    mirror(root, tmp_path / "top", {"Assets/Deep/b.txt": None})
    assert shown(tmp_path / "top")["Assets/loop"] == os.fsencode(root / "Assets")


def test_where_names_are_found_in_any_case_the_spelling_of_git_replaces_the_one_of_the_disk(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IN_ANY_CASE", True)
    top = tmp_path / "top"
    mirror(root, top, {"Assets/A.txt": blob(root, b"other"), "Assets/DEEP/B.txt": blob(root, b"new")})
    found = [path.relative_to(top).as_posix() for path in top.rglob("*.txt")]
    assert sorted(found) == ["Assets/A.txt", "Assets/DEEP/B.txt"]


def test_two_names_that_the_disk_takes_for_one_are_an_error(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not ignores_case(tmp_path):
        opened = os.open

        def in_any_case(path: str | bytes, *words: int, **options: int) -> int:
            return opened(os.fsencode(path).replace(b"TWO.txt", b"Two.txt"), *words, **options)

        monkeypatch.setattr(os, "open", in_any_case)
    with pytest.raises(HistoryError, match=r"has Assets/(Two|TWO)\.txt in two spellings"):
        mirror(root, tmp_path / "top", {f"Assets/{name}.txt": blob(root, name.encode()) for name in ("Two", "TWO")})
