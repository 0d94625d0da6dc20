"""Git's own word on the sizes and rules of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.history.tracking.storage import LARGEST, NOTHING, find_storage, find_uncovered
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


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"ab" * 32 + b"\nsize 5\n"


def lfs_repository(folder: Path) -> Path:
    """A repository with pointers inside and outside of the folder of a rule, committed."""
    root = make_repository(folder)
    (root / "Art").mkdir()
    (root / ".gitattributes").write_text("Art/** filter=lfs -text\n*.psd filter=lfs -text\n")
    for name in ("Art/a.png", "Art/b.png", "c.psd", "plain.png"):
        (root / name).write_bytes(POINTER)
    (root / "text.png").write_bytes(b"x" * len(POINTER))
    git(root, *NO_FILTER, "add", "-A")
    git(root, *NO_FILTER, "commit", "-q", "-m", "all")
    return root


NO_FILTER = ("-c", "filter.lfs.clean=cat", "-c", "filter.lfs.smudge=cat", "-c", "filter.lfs.required=false")


def test_a_pointer_moved_out_of_the_folder_of_its_rule_is_found(tmp_path: Path) -> None:
    root = lfs_repository(tmp_path / "repository")
    git(root, *NO_FILTER, "mv", "Art/a.png", "moved.png")
    assert find_uncovered(str(root), [b"Art/a.png", b"moved.png"]) == ["moved.png"]
    assert find_uncovered(str(root), [b"Art/b.png", b"c.psd", b"text.png", b"absent"]) == []
    assert find_uncovered(str(root), [b"plain.png"]) == ["plain.png"]  # it is of the change, whoever put it there
    assert find_uncovered(str(root), []) == []
    many = [b"%d.png" % number for number in range(101)]  # too many for a command line
    assert find_uncovered(str(root), [*many, b"moved.png"]) == ["moved.png"]
    assert find_uncovered(str(root), [*many[:99], b"moved.png"]) == ["moved.png"]


def test_rules_that_went_leave_the_pointers_that_they_had(tmp_path: Path) -> None:
    root = lfs_repository(tmp_path / "repository")
    (root / ".gitattributes").write_text("*.psd filter=lfs -text\n")
    git(root, *NO_FILTER, "add", ".gitattributes")
    assert find_uncovered(str(root), [b".gitattributes"]) == ["Art/a.png", "Art/b.png"]  # plain.png never had one
    assert find_uncovered(str(root), [b"Art/a.png"]) == ["Art/a.png"]


def test_paths_are_those_of_the_database(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository", "Game")
    (root / "Assets").mkdir(exist_ok=True)
    (root / "Assets" / "a.png").write_bytes(POINTER)
    git(root, "add", "-A")
    assert find_uncovered(str(root), [b"Assets/a.png"]) == ["Assets/a.png"]
    assert find_uncovered(str(tmp_path), [b"Assets/a.png"]) == []  # no repository
