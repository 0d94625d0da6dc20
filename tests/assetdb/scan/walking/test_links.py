"""Links to directories: what is behind them is read once, and other links are told."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import decode
from assetdb.errors import ScanError
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.walking.limits import Limits
from assetdb.scan.walking.links import through_links
from assetdb.scan.workers import scan
from assetdb.system.mirrors import announce, forget
from tests.assetdb.unity_project import write
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_links
OUTSIDE = Limits(outside=True)


def link(root: Path, path: str, target: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(target, target_is_directory=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Project"
    write(made, "Assets/Own/a.txt", 1, "a")
    write(made, "Shared/Deep/s.txt", 2, "s")
    write(tmp_path, "Outside/o.txt", 3, "o")
    write(tmp_path, "Outside/Sub/p.txt", 4, "p")
    return made


def scanned(root: Path, limits: Limits = OUTSIDE) -> tuple[list[str], dict[str, str]]:
    """Return the paths of directories, and the messages of links."""
    reader = DirectoryReader(os.fsencode(root), since_ns=0, may_change_directory=False)
    found = scan([b"Assets", b"Packages"], {}, reader, workers=1, limits=limits).directories
    said = [row for directory in found.values() for row in decode(directory.listing_diagnostics)]
    return sorted(map(os.fsdecode, found)), {row.path: row.message for row in said if row.code == "linked-directory"}


def test_a_folder_beside_the_assets_has_the_path_of_its_link(root: Path) -> None:
    link(root, "Assets/Link", "../Shared")
    assert scanned(root, Limits()) == (["Assets", "Assets/Link", "Assets/Link/Deep", "Assets/Own"], {})


def test_of_two_links_to_one_directory_the_first_by_path_counts(root: Path) -> None:
    link(root, "Assets/Own/Link", "../../Shared")
    link(root, "Assets/B", "../Shared")
    paths, said = scanned(root)
    assert paths == ["Assets", "Assets/B", "Assets/B/Deep", "Assets/Own"]
    assert said == {"Assets/Own/Link": "leads to the same directory as Assets/B"}


def test_a_directory_below_a_followed_one_is_not_read_twice(root: Path) -> None:
    link(root, "Assets/A", "../Shared/Deep")
    link(root, "Assets/B", "../Shared")
    paths, said = scanned(root)
    assert paths == ["Assets", "Assets/A", "Assets/B", "Assets/Own"]
    assert said == {}


def test_links_behind_links_are_followed(root: Path) -> None:
    write(root, "More/m.txt", 9, "m")
    link(root, "Shared/Deep/Next", "../../More")
    link(root, "Assets/Link", "../Shared")
    assert scanned(root)[0] == [*("Assets", "Assets/Link", "Assets/Link/Deep", "Assets/Link/Deep/Next", "Assets/Own")]


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("Own", "leads to Assets/Own, which the project has under that path"),
        (".", "leads to Assets, which the project has under that path"),
        ("..", "leads to a folder that contains the project"),
        ("../..", "leads to a folder that contains the project"),
        ("/", "leads to a folder that contains the project"),
    ],
)
def test_a_link_to_what_the_project_has_is_not_followed(root: Path, target: str, why: str) -> None:
    link(root, "Assets/Link", target)
    assert scanned(root) == (["Assets", "Assets/Own"], {"Assets/Link": why})


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="Linux has it")
def test_a_link_into_the_system_is_not_followed(root: Path) -> None:
    link(root, "Assets/Link", "/proc/self")
    assert scanned(root)[1] == {"Assets/Link": "leads into /proc, /sys or /dev, which contain no files of a project"}


def test_a_hidden_folder_of_the_project_has_no_path_of_its_own(root: Path) -> None:
    write(root, "Assets/Own/Samples~/In/x.txt", 8, "x")
    link(root, "Assets/Link", "Own/Samples~")
    link(root, "Assets/More", "Own/Samples~/In")
    paths, said = scanned(root)
    assert paths == ["Assets", "Assets/Link", "Assets/Link/In", "Assets/Own"]
    assert said == {"Assets/More": "leads to the same directory as Assets/Link/In"}


def test_out_of_the_project_only_if_allowed(root: Path) -> None:
    link(root, "Assets/Link", "../../Outside")
    paths, said = scanned(root, Limits())
    assert paths == ["Assets", "Assets/Own"]
    why = f"leads out of the project, to {root.parent}/Outside: that is followed with --follow-links, or with"
    assert said == {"Assets/Link": f"{why} follow-links = true in the user's own settings"}
    assert scanned(root) == (["Assets", "Assets/Link", "Assets/Link/Sub", "Assets/Own"], {})


@pytest.mark.parametrize(
    ("files", "read", "refused"),
    [
        (0, ["Assets/A"], {"Assets/A": 1, "Assets/B": 1}),
        (1, ["Assets/A", "Assets/A/Sub"], {"Assets/B": 2}),
        (2, ["Assets/A", "Assets/A/Sub", "Assets/B"], {}),
    ],
)
def test_as_many_assets_as_allowed_are_read_outside(
    root: Path, files: int, read: list[str], refused: dict[str, int]
) -> None:
    write(root.parent, "Other/q.txt", 5, "q")
    link(root, "Assets/A", "../../Outside")
    link(root, "Assets/B", "../../Other")
    found, said = scanned(root, Limits(outside=True, files=files))
    assert found == ["Assets", *read, "Assets/Own"]
    assert said == {
        path: f"leads out of the project, to more assets than are read ({count})" for path, count in refused.items()
    }


def test_assets_inside_the_project_do_not_count(root: Path) -> None:
    link(root, "Assets/A", "../Shared")
    link(root, "Assets/B", "../../Outside")
    found, said = scanned(root, Limits(outside=True, files=1))
    assert (found[1:5], said) == (["Assets/A", "Assets/A/Deep", "Assets/B", "Assets/B/Sub"], {})


def test_links_of_a_mirror_lead_where_those_of_its_tree_do(root: Path) -> None:
    link(root, "Assets/Link", "../Shared")
    link(root, "Assets/Own/Same", f"{root}/Assets/Link")
    mirror = root.parent / "mirror" / "Project"
    (mirror / "Assets").mkdir(parents=True)
    (mirror / "Assets/Own").symlink_to(root / "Assets/Own", target_is_directory=True)
    (mirror / "Assets/Link").symlink_to("../Shared", target_is_directory=True)
    (mirror / "Shared").symlink_to(root / "Shared", target_is_directory=True)
    announce(str(mirror), str(root))
    try:
        found, said = scanned(mirror)
    finally:
        forget(str(mirror))
    assert (found, said) == scanned(root)
    assert said == {"Assets/Own/Same": "leads to the same directory as Assets/Link"}


def test_a_link_that_cannot_be_followed_now_is_an_error(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link(root, "Assets/Link", "../Shared")
    follow = os.path.realpath

    def fail(path: bytes, *, strict: bool = False) -> bytes:
        if strict:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return follow(path)

    monkeypatch.setattr(os.path, "realpath", fail)
    with pytest.raises(ScanError, match="cannot be read just now"):
        scanned(root)


def test_no_more_is_read_outside_when_the_time_is_over(root: Path) -> None:
    link(root, "Assets/A", "../../Outside")
    link(root, "Assets/B", "../Shared")
    found, said = scanned(root, Limits(outside=True, seconds=-1.0))
    assert found == ["Assets", "Assets/B", "Assets/B/Deep", "Assets/Own"]
    assert said == {"Assets/A": "leads out of the project, to more assets than are read (0)"}


def test_a_link_that_led_elsewhere_is_told_of_no_longer(root: Path) -> None:
    link(root, "Assets/Link", "Own")
    reader = DirectoryReader(os.fsencode(root), since_ns=0, may_change_directory=False)
    found = scan([b"Assets"], {}, reader, workers=1).directories
    (root / "Assets/Link").unlink()
    link(root, "Assets/Link", "../Shared")
    again = scan([b"Assets"], found, reader, workers=1).directories
    codes = [[row.code for row in decode(rows[b"Assets"].listing_diagnostics)] for rows in (found, again)]
    assert codes == [["linked-directory", "missing-meta"], ["missing-meta"]]
    assert b"Assets/Link/Deep" in again


def facts(path: bytes, **fields: bytes) -> DirectoryFacts:
    return DirectoryFacts(path, **fields)  # type: ignore[arg-type]  # all but one are bytes


def test_directories_that_no_event_tells_of() -> None:
    directories = {
        row.path: row
        for row in (
            facts(b"Assets", links=b"Link/Other", children=b"Own"),
            facts(b"Assets/Own"),
            facts(b"Assets/Link"),
            facts(b"Assets/Link/Deep"),
            facts(b"Assets/Linked"),
            facts(b"Assets/Own/Broken", file_diagnostics=b"unreadable\x1fx\x1f0\x1fy"),
            facts(b"Assets/Own/Said", file_diagnostics=b"not-yaml\x1fx\x1f0\x1fy"),
        )
    }
    assert through_links(directories) == {b"Assets", b"Assets/Link", b"Assets/Link/Deep", b"Assets/Own/Broken"}
    del directories[b"Assets/Link"]  # the link is not followed
    assert through_links(directories) == {b"Assets/Own/Broken"}
    assert through_links({}) == set()
