"""A mirror shows another side of a project: links to what is equal, files where it differs, nothing outside."""

from __future__ import annotations

import errno
import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.git import mirror as module
from assetdb.history.git.entries import Entry
from assetdb.history.git.mirror import Mirror
from assetdb.history.git.repository import Repository
from assetdb.system.mirrors import forget
from tests.assetdb.history.git_project import commit, git
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

pytestmark = needs_links
CONTENT = b"the content"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:%b\nsize %d\n" % (
    hashlib.sha256(CONTENT).hexdigest().encode(),
    len(CONTENT),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    for path, data in {
        "Assets/a.txt": b"a",
        "Assets/Deep/b.txt": b"b",
        "Assets/Deep/Down/c.txt": b"c",
        "Packages/manifest.json": b"{}",
        "ProjectSettings/A.asset": b"s",
    }.items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_bytes(data)
    git(made, "init", "-q")
    commit(made)
    return made


@pytest.fixture
def top(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "mirror"
    if (tmp_path / "mirror").exists():
        forget(str(tmp_path / "mirror"))


def blob(root: Path, data: bytes, mode: int = 0o100644) -> Entry:
    """Add a blob to the repository."""
    (root / ".git/given").write_bytes(data)
    return Entry(mode, git(root, "hash-object", "-w", ".git/given").strip())


def mirror(root: Path, top: Path, entries: Mapping[str, Entry | None], **options: bool) -> Mirror:
    given = {path.encode(): entry for path, entry in entries.items()}
    return Mirror(Repository(str(root)), str(top), given, **options)  # type: ignore[arg-type]  # flags alone


def shown(top: Path) -> dict[str, str]:
    """Return each link with its target, and the text of each file; folders that are links are not entered."""
    found = {}
    for folder, folders, names in os.walk(top):
        for name in (*names, *folders):
            path = os.path.join(folder, name)
            if os.path.islink(path):
                found[os.path.relpath(path, top)] = f"-> {os.readlink(path)}"
            elif name in names:
                with open(path, encoding="utf-8") as file:
                    found[os.path.relpath(path, top)] = file.read()
    return found


def test_what_is_equal_is_a_link_and_what_differs_a_file(root: Path, top: Path) -> None:
    entries = {
        "Assets/Deep/b.txt": blob(root, b"other"),
        "Assets/New/d.txt": blob(root, b"new"),
        "Assets/a.txt": None,
    }
    made = mirror(root, top, entries)
    links = ("Assets/Deep/Down", "Packages", "ProjectSettings", ".git")
    assert shown(top) == {
        **{path: f"-> {root}/{path}" for path in links},
        "Assets/Deep/b.txt": "other",
        "Assets/New/d.txt": "new",
    }
    assert sorted(made.folders) == [b"Assets", b"Assets/Deep", b"Assets/New"]
    assert made.absent == []


def test_a_folder_of_which_all_is_gone_is_gone_and_the_project_stays_one(root: Path, top: Path) -> None:
    gone = (
        "Assets/a.txt",
        "Assets/Deep/b.txt",
        "Assets/Deep/Down/c.txt",
        "ProjectSettings/A.asset",
        "Packages/manifest.json",
    )
    mirror(root, top, dict.fromkeys(gone))
    assert shown(top) == {".git": f"-> {root}/.git"}
    assert sorted(os.listdir(top)) == [".git", "Assets", "ProjectSettings"]


def test_a_package_stays_a_package_of_its_name(tmp_path: Path, top: Path) -> None:
    package = tmp_path / "Package"
    package.mkdir()
    (package / "package.json").write_text('{"name": "com.acme.tools"}')
    git(package, "init", "-q")
    commit(package)
    mirror(package, top, {"package.json": None})
    assert shown(top) == {name: f"-> {package}/{name}" for name in (".git", "package.json")}


def test_folders_behind_links_of_the_project_are_real(root: Path, top: Path) -> None:
    (root / "Assets/Link").symlink_to("Deep")
    made = Mirror(Repository(str(root)), str(top), {}, [b"Assets/Link"])
    assert made.folders == [b"Assets"]
    assert shown(top)["Assets/Link"] == f"-> {top}/Assets/Deep"


@pytest.mark.parametrize(
    ("target", "link"),
    [
        (b"../Deep/b.txt", "{top}/Assets/Deep/b.txt"),  # of the mirror
        (b"/etc/hosts", "/etc/hosts"),
        (b"../../../elsewhere", "{above}/elsewhere"),
        (b"../../.git/config", "{top}/.git/config"),
        (b"", ""),
        (b"a\0b", ""),
    ],
)
@pytest.mark.parametrize("stand_ins", [False, True])
def test_a_link_of_the_other_side_leads_into_the_mirror_or_is_left_out(
    root: Path, top: Path, target: bytes, link: str, *, stand_ins: bool
) -> None:
    entries = {"Assets/New/link": blob(root, target, 0o120000), "Assets/New/a": blob(root, b"a")}
    made = mirror(root, top, entries, stand_ins=stand_ins)
    found = shown(top).get("Assets/New/link", "")
    leads_out = bool(link) and link != "{top}/Assets/Deep/b.txt"
    assert made.outside == ([b"Assets/New/link"] if leads_out and not stand_ins else [])
    is_there = link and (stand_ins or not leads_out)  # what stands in for content is the same on both sides
    assert found == (f"-> {link.format(top=top, above=root.parent)}" if is_there else "")


@pytest.mark.parametrize(("length", "is_link"), [(4096, True), (4097, False)])
def test_a_link_of_more_than_a_path_is_left_out(
    root: Path, top: Path, monkeypatch: pytest.MonkeyPatch, length: int, *, is_link: bool
) -> None:
    monkeypatch.setattr(os, "symlink", lambda source, target: links.append((len(source), os.path.basename(target))))
    links: list[tuple[int, bytes]] = []
    mirror(root, top, {"Assets/link": blob(root, b"/" + b"a" * (length - 1), 0o120000)}, stand_ins=True)
    assert ((length, b"link") in links) == is_link


def test_a_submodule_is_the_one_on_the_disk_or_nothing(root: Path, top: Path) -> None:
    entry = Entry(0o160000, "1" * 40)
    mirror(root, top, {"Assets/Deep": entry, "Assets/Away": entry})
    assert shown(top)["Assets/Deep"] == f"-> {root}/Assets/Deep"
    assert "Assets/Away" not in shown(top)


def test_a_blob_that_the_repository_lacks_is_a_link_that_leads_nowhere(root: Path, top: Path) -> None:
    made = mirror(root, top, {"Assets/a.txt": Entry(0o100644, "1" * 40)})
    assert made.absent == [b"Assets/a.txt"]
    assert shown(top)["Assets/a.txt"] == "-> a.txt"


# --- Git LFS


@pytest.mark.parametrize(
    ("own", "stand_ins", "is_link"),
    [
        (CONTENT, False, True),  # the content of the pointer
        (b"other", False, False),
        (b"other", True, True),
        (POINTER, False, False),
    ],
)
def test_a_pointer_is_the_file_on_the_disk_if_that_is_its_content(
    root: Path, top: Path, own: bytes, *, stand_ins: bool, is_link: bool
) -> None:
    (root / "Assets/a.txt").write_bytes(own)
    mirror(root, top, {"Assets/a.txt": blob(root, POINTER)}, stand_ins=stand_ins)
    assert shown(top)["Assets/a.txt"] == (f"-> {root}/Assets/a.txt" if is_link else POINTER.decode())


def test_the_content_of_a_pointer_that_git_lfs_keeps_is_linked(root: Path, top: Path) -> None:
    digits = hashlib.sha256(CONTENT).hexdigest()
    place = root / ".git/lfs/objects" / digits[:2] / digits[2:4] / digits
    place.parent.mkdir(parents=True)
    place.write_bytes(CONTENT)
    mirror(root, top, {"Assets/new.txt": blob(root, POINTER)})
    assert shown(top)["Assets/new.txt"] == f"-> {place}"


@pytest.mark.parametrize(("stand_ins", "is_link"), [(False, False), (True, True)])
def test_a_pointer_on_the_disk_stands_in_for_content_where_that_is_asked(
    root: Path, top: Path, *, stand_ins: bool, is_link: bool
) -> None:
    (root / "Assets/a.txt").write_bytes(POINTER)
    (root / "Assets/Deep/b.txt").write_bytes(POINTER + b" " * (1025 - len(POINTER)))  # too long for one
    entries = {path: blob(root, CONTENT) for path in ("Assets/a.txt", "Assets/Deep/b.txt", "Assets/new.txt")}
    mirror(root, top, entries, stand_ins=stand_ins)
    assert shown(top)["Assets/a.txt"] == (f"-> {root}/Assets/a.txt" if is_link else CONTENT.decode())
    assert shown(top)["Assets/Deep/b.txt"] == shown(top)["Assets/new.txt"] == CONTENT.decode()


def test_a_link_on_the_disk_is_no_content(root: Path, top: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(CONTENT)
    (root / "Assets/a.txt").unlink()
    (root / "Assets/a.txt").symlink_to(tmp_path / "outside")
    mirror(root, top, {"Assets/a.txt": blob(root, POINTER)}, stand_ins=True)
    assert shown(top)["Assets/a.txt"] == POINTER.decode()


# --- hostile trees


@pytest.mark.parametrize(
    "path",
    ["../out", "Assets/../../out", "Assets//a", "/out", "Assets/.git/config", "Assets/.GIT", "a\0b", "a/" * 512 + "a"],
)
def test_a_name_that_leads_elsewhere_is_an_error_and_without_an_entry_nothing(root: Path, top: Path, path: str) -> None:
    with pytest.raises(HistoryError, match="which is not valid: run git fsck"):
        mirror(root, top, {path: blob(root, b"x")})
    assert not (root.parent / "out").exists()
    mirror(root, top, {path: None})
    assert shown(top)["Assets"] == f"-> {root}/Assets"


def test_the_deepest_path_is_written(root: Path, top: Path) -> None:
    path = "d/" * 511 + "f"
    mirror(root, top, {path: blob(root, b"x")})
    assert (top / path).read_bytes() == b"x"


def test_a_file_that_is_also_a_folder_is_an_error(root: Path, top: Path) -> None:
    entries = {"Assets/x": blob(root, b"x"), "Assets/x/y": blob(root, b"y")}
    for order in (entries, dict(reversed(entries.items()))):
        with pytest.raises(HistoryError, match="in a folder that is also a file: run git fsck"):
            mirror(root, top, order)


def test_a_file_in_place_of_a_folder_is_shown(root: Path, top: Path) -> None:
    mirror(root, top, {"Assets/Deep": blob(root, b"x"), "Assets/Deep/b.txt": None, "Assets/Deep/Down/c.txt": None})
    assert shown(top)["Assets/Deep"] == "x"


def test_sides_that_differ_in_too_much_are_an_error(root: Path, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"Assets/x": blob(root, b"x" * 5), "Assets/y": blob(root, b"y" * 5)}
    monkeypatch.setattr(module, "_MOST_BYTES", 9)
    with pytest.raises(HistoryError, match="the two sides differ in more than 9 bytes: name a nearer revision"):
        mirror(root, top, entries)
    monkeypatch.setattr(module, "_MOST_BYTES", 10)
    mirror(root, top.with_name("other"), entries).remove()


def test_a_bound_on_written_bytes_counts_as_a_full_disk(root: Path, top: Path) -> None:
    entries = {"Assets/x": blob(root, b"x" * 5)}
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        mirror(root, top, entries, most_bytes=4)
    mirror(root, top.with_name("other"), entries, most_bytes=5).remove()


# --- the end


def test_a_mirror_is_removed_without_what_its_links_lead_to(root: Path, top: Path) -> None:
    before = sorted(root.rglob("*"))
    made = mirror(root, top, {"Assets/Deep/b.txt": blob(root, b"other")})
    made.remove()
    assert not top.exists()
    assert [path for path in sorted(root.rglob("*")) if ".git" not in path.parts] == [
        path for path in before if ".git" not in path.parts
    ]
