"""What a workspace holds between two refreshes, and when its cache pays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known import cache
from assetdb.scan.known.packed import PackedDirectories
from assetdb.settings.effective import Settings
from assetdb.system.identity import DEFAULT, RACY, identity
from assetdb.workspace.memory import CacheRecord, Held, Options, Rules, cache_here, completed, read_rules
from assetdb_formats.processes import can_fork
from tests.assetdb.state.directories import by_path

if TYPE_CHECKING:
    from pathlib import Path


def settings(root: Path, name: str = "P", exclude: tuple[str, ...] = ()) -> Settings:
    return Settings(str(root / name), str(root / "out"), "", strict_names=False, check_stat=DEFAULT, exclude=exclude)


def rules(root: Path, name: str = "P", exclude: tuple[str, ...] = ()) -> Rules:
    return Rules(settings(root, name, exclude), 0, None, Options())


def loaded(packed: bytes) -> cache.Cache:
    data = b"".join(cache.encode(packed, (0, 0, 0, 0), 1, b"", [DirectoryFacts(b"Assets", 5)]))
    return cache.decode(data)


@pytest.mark.parametrize(("given", "most"), [(1, 1), (3, 3), (64, 64), (65, 64), (1000, 64)])
def test_as_many_processes_as_given_within_bounds(given: int, most: int) -> None:
    assert Options(workers=given).processes == most
    assert 1 <= Options().processes <= 8


@pytest.mark.parametrize(
    ("options", "changed", "too_many"),
    [
        (Options(), 500, False),
        (Options(), 501, True),
        (Options(keep=True), 16_000, False),
        (Options(keep=True), 16_001, True),
        (Options(keep=True, most_changed=0), 0, False),
        (Options(keep=True, most_changed=0), 1, True),
        (Options(most_changed=2), 32_000, False),
    ],
)
def test_a_share_of_changes_makes_rebuilding_quicker(options: Options, changed: int, too_many: bool) -> None:  # noqa: FBT001 - a row
    assert options.are_too_many(changed, 8_000) is too_many


def test_only_a_kept_workspace_asks_of_links() -> None:
    linked = by_path(DirectoryFacts(b"Assets", links=b"L"), DirectoryFacts(b"Assets/L"))
    assert Options().linked(linked) == set()
    assert Options(keep=True).linked(linked) == {b"Assets", b"Assets/L"}


def test_a_cache_holds_for_the_settings_that_it_was_made_with(tmp_path: Path) -> None:
    here = rules(tmp_path)
    own = loaded(here.settings.packed())
    assert cache_here(own, here) is own
    assert cache_here(loaded(settings(tmp_path, exclude=("x",)).packed()), here) is cache.EMPTY
    elsewhere = loaded(settings(tmp_path, "Other").packed())
    moved = cache_here(elsewhere, here)
    assert moved.settings == here.settings.packed()
    assert moved.directories.keys() == elsewhere.directories.keys()
    again = cache_here(own, here, is_own=False)
    assert (again.settings, again.directories.keys()) == (own.settings, own.directories.keys())
    assert again.directories[b"Assets"].identity == RACY != own.directories[b"Assets"].identity


def test_settings_are_read_behind_the_identity_of_their_file(tmp_path: Path) -> None:
    root = tmp_path / "P"
    root.mkdir()
    absent = read_rules(str(root), lambda: settings(tmp_path), None, Options())
    assert (absent.configuration, absent.sanitize) == (0, None)
    (root / "assetdb.toml").write_text("")
    young = read_rules(str(root), lambda: settings(tmp_path), None, Options())
    assert young.configuration == RACY
    os.utime(root / "assetdb.toml", (1, 1))
    minimal = settings(tmp_path)._replace(check_stat="minimal")
    old = read_rules(str(root), lambda: minimal, lambda name: name, Options())
    assert old.configuration == identity((root / "assetdb.toml").stat(), "minimal")
    assert old.sanitize is not None
    with pytest.raises(ConfigurationError):
        read_rules(str(root), lambda: settings(tmp_path, exclude=("!",)), None, Options())


def test_a_listing_is_whole_without_exclusions(tmp_path: Path) -> None:
    directories = by_path(DirectoryFacts(b"Assets"))
    for exclude in ((), ("x",)):
        held = Held(rules(tmp_path, exclude=exclude), cache.EMPTY, directories, set(), [])
        listing = held.listing()
        assert (listing.is_whole, listing.directories, listing.held) == (not exclude, directories, None)
        assert held.complete_directories() == list(directories.values())


def test_contents_are_sound_if_made_here(tmp_path: Path) -> None:
    held = Held(rules(tmp_path), cache.EMPTY, {}, set(), [], contents=(b"a", b"b"), is_sound=True)
    assert held.sound_contents() == (b"a", b"b")
    assert held._replace(is_sound=False).sound_contents() is None
    assert held._replace(is_sound=False, files=(1, 2, 3, 4)).sound_contents() is None


@pytest.mark.parametrize(
    ("options", "packed"),
    [
        (Options(workers=2, many_assets=3), True),
        (Options(workers=2, many_assets=4), False),
        (Options(workers=1, many_assets=3), False),
        (Options(workers=2, many_assets=3, keep=True), False),
    ],
)
def test_many_directories_are_packed_for_another_process(options: Options, packed: bool) -> None:  # noqa: FBT001 - a row
    directories = by_path(DirectoryFacts(b"Assets", pair_count=1), DirectoryFacts(b"Assets/A", pair_count=2))
    found = completed(directories, cache.EMPTY, options)
    assert isinstance(found, PackedDirectories) is (packed and can_fork())
    assert packed or found == directories


def test_a_cache_is_written_until_facts_change() -> None:
    record = CacheRecord()
    assert (record.is_written, record.pays, record.seen_pays, record.parsed) == (False, True, True, 0)
    assert record.problem is None
    assert record.shared_problems == []
    record.is_written = True
    record.stay(same=True)
    assert (record.is_written, record.pays, record.seen_pays) == (True, False, False)
    record.stay(same=False)
    assert (record.is_written, record.pays, record.seen_pays) == (False, True, True)
    record.stay(same=True)
    assert not record.is_written
    record.is_written = True
    record.outdate()
    assert (record.is_written, record.pays, record.seen_pays) == (False, True, True)
