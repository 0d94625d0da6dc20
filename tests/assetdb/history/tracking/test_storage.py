"""Git's own word on the sizes and rules of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.history.tracking.storage import LARGEST, NOTHING, find_storage
from tests.assetdb.history.git_project import git, make_repository
from tests.assetdb.unity_project import write
from tests.needs import needs_any_name

if TYPE_CHECKING:
    from pathlib import Path


@needs_any_name
def test_names_with_spaces_and_other_letters_have_their_sizes(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository", "Game")
    forged = "b\n  ctime: 1\n  mtime: 1\n  dev: 1\n  uid: 1\n  size: 130\tflags: 0\nc"
    small = [f"Assets/{name}.txt" for name in ("a b", "日本", "tab\tin", "line\nend", f"130 {forged}")]
    for number, path in enumerate(small):
        write(root, path, 500 + number, "x" * 130)
    write(root, "Assets/other.txt", 510, "x" * 119)
    write(root, f"Assets/119 {forged}.txt", 511, "x" * 119)
    (tmp_path / "repository" / "outside.txt").write_text("x" * 130)
    git(root, "add", "-A", ".")
    found = find_storage(str(root))
    assert sorted(path for path in found.small if path.startswith("Assets/")) == sorted(small)
    assert found.plain == found.large == {}


def test_files_of_usual_sizes_and_line_ends_in_names_are_passed(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    found = {"first\nname.txt": 120, "c\n  size: 130\tflags: 0\n.txt": 159}
    for name, size in {**found, "a.txt": 119, "b.txt": 160, "d.txt": 12, "e.txt": 1300}.items():
        try:
            (root / name).write_bytes(b"x" * size)
        except OSError:  # names that Windows refuses
            found.pop(name)
    git(root, "add", "-A")
    assert {path for path in find_storage(str(root)).small if path.endswith(".txt")} >= set(found)
    assert not {"a.txt", "b.txt", "d.txt", "e.txt"}.intersection(find_storage(str(root)).small)


def test_the_limit_is_beyond_100_mb(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    for name, size in (("at.bin", LARGEST), ("beyond.bin", LARGEST + 1)):
        with (root / name).open("wb") as file:
            file.truncate(size)
    git(root, "add", "-A")
    assert find_storage(str(root)).large == {"beyond.bin": 100_000_001}


def test_without_a_repository_there_is_nothing(tmp_path: Path) -> None:
    assert find_storage(str(tmp_path)) == NOTHING


def test_contents_as_small_as_a_pointer_are_contents(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"ab" * 32 + b"\nsize 5\n"
    long = pointer.replace(b"\noid", b"\next-0-foo sha256:" + b"cd" * 32 + b"\noid")  # with an extension of Git LFS
    files = {"tiny": b"x", "small": b"x" * 300, "large": b"x" * 5000, "empty": b"", "pointer": pointer, "long": long}
    (root / ".gitattributes").write_text("*.art filter=lfs diff=lfs merge=lfs -text\n")
    for name, content in files.items():
        (root / f"{name}.art").write_bytes(content)
    git(root, "-c", "filter.lfs.clean=cat", "-c", "filter.lfs.required=false", "add", "-A")
    assert find_storage(str(root)).plain == {"large.art": 5000, "small.art": 300, "tiny.art": 1}
