"""The tree of a project, by its settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.scan.known.cache import EMPTY
from assetdb.scan.walking.tree import TreeReader
from assetdb.settings.effective import Settings
from tests.assetdb.unity_project import guid, write
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.scan.workers import ScanResult


def settings(root: Path, *exclude: str, follow_links: bool = False) -> Settings:
    found = Settings(str(root), str(root / "out"), "", strict_names=False, check_stat="default", exclude=exclude)
    return found._replace(follow_links=follow_links)


def names(found: ScanResult) -> dict[str, list[str]]:
    return {os.fsdecode(path): os.fsdecode(row.files).split("/")[::2] for path, row in found.directories.items()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "Assets/a.txt", 1, "a")
    write(tmp_path, "Assets/Gen/b.txt", 2, "b")
    write(tmp_path, "Packages/com.acme.own/c.txt", 3, "c")
    return tmp_path


def test_the_asset_roots_are_scanned_without_what_is_excluded(root: Path) -> None:
    whole = names(TreeReader(settings(root)).scan({}, EMPTY, workers=1))
    assert set(whole) == {"Assets", "Assets/Gen", "Packages", "Packages/com.acme.own"}
    assert (whole["Assets"], whole["Assets/Gen"]) == (["a.txt"], ["b.txt"])
    assert set(names(TreeReader(settings(root, "Gen/")).scan({}, EMPTY, workers=1))) == set(whole) - {"Assets/Gen"}
    assert names(TreeReader(settings(root, "*.txt")).scan({}, EMPTY, workers=1))["Assets"] == [""]


def test_a_pattern_that_is_none_is_an_error(root: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"^assetdb\.toml: exclude: "):
        TreeReader(settings(root, "!"))


def test_of_a_package_the_folder_itself_is_scanned(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "com.acme.own", "version": "1.0.0"}')
    write(tmp_path, "Runtime/a.txt", 1, "a")
    found = TreeReader(settings(tmp_path)).scan({}, EMPTY, workers=1)
    assert names(found)["Packages/com.acme.own/Runtime"] == ["a.txt"]


@needs_links
def test_links_are_followed_if_the_settings_say_so(root: Path) -> None:
    write(root.parent / f"{root.name}-outside", "o.txt", 4, "o")
    (root / "Assets/Link").symlink_to(root.parent / f"{root.name}-outside")
    for follow in (False, True):
        found = TreeReader(settings(root, follow_links=follow)).scan({}, EMPTY, workers=1)
        assert (b"Assets/Link" in found.directories) is follow
        again = TreeReader(settings(root, follow_links=follow)).rescan(found.directories, EMPTY, [b"Assets"])
        assert again.directories.keys() == found.directories.keys()


def test_a_second_look_reads_what_is_dirty(root: Path) -> None:
    tree = TreeReader(settings(root))
    known = tree.scan({}, EMPTY, workers=1).directories
    write(root, "Assets/Gen/d.txt", 5, "d")
    write(root, "Packages/com.acme.own/e.txt", 6, "e")
    found = tree.rescan(known, EMPTY, [b"Assets/Gen"])
    assert names(found)["Assets/Gen"] == ["b.txt", "d.txt"]
    assert found.directories[b"Packages/com.acme.own"] is known[b"Packages/com.acme.own"]
    assert bytes.fromhex(guid(5)) in found.directories[b"Assets/Gen"].guids


def test_a_scan_ends_in_the_folder_where_it_began(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.parent)
    found = TreeReader(settings(root), may_change_directory=True).scan({}, EMPTY, workers=1)
    assert os.path.samefile(os.getcwd(), root.parent)
    assert found.files_read == 3  # the metas
