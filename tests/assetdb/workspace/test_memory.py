"""What a workspace holds between two refreshes, and when its cache pays."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.errors import ConfigurationError
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known import cache
from assetdb.scan.known.packed import PackedDirectories
from assetdb.settings.effective import Settings
from assetdb.system.identity import DEFAULT, RACY, identity
from assetdb.workspace import memory
from assetdb.workspace.memory import CacheRecord, Held, Options, Rules, cache_here, completed, import_next, read_rules
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


def rules_with(*, has_seen: bool) -> Any:  # noqa: ANN401 - nothing else is asked of them
    """Return rules with written identities of files, or without."""
    output = SimpleNamespace(has_seen=lambda configuration: has_seen and configuration == 7, cache="the cache")
    return SimpleNamespace(output=output, configuration=7, settings=SimpleNamespace(root="/nowhere"))


@pytest.mark.parametrize(
    ("again", "settled", "early", "has_seen", "state"),
    [
        (0, 0, False, True, (True, False, False)),  # is it written; does it pay; do the identities
        (cache.MANY, 9, False, True, (True, False, False)),
        (cache.MANY + 1, 0, False, True, (False, True, True)),
        (0, 1, True, True, (False, True, True)),
        (0, 0, True, True, (True, False, False)),
        (1, 0, True, True, (True, False, False)),
        (0, 0, False, False, (False, False, True)),
    ],
)
def test_a_confirmed_cache_is_written_again_where_that_saves_reading(
    again: int, settled: int, state: tuple[bool, bool, bool], *, early: bool, has_seen: bool
) -> None:
    directories = by_path(DirectoryFacts(b"Assets", pair_count=1))
    known: Any = SimpleNamespace(directories=directories, files_to_reread=lambda _: (again, settled))
    found: Any = SimpleNamespace(directories=dict(directories), is_as_known=False)
    record = CacheRecord()
    record.go_on(known, found, rules_with(has_seen=has_seen), early=early)
    assert (record.is_written, record.pays, record.seen_pays) == state


def test_a_cache_of_other_directories_is_not_written_yet() -> None:
    directories = by_path(DirectoryFacts(b"Assets", pair_count=1), DirectoryFacts(b"Assets/A"))
    known: Any = SimpleNamespace(directories=directories, files_to_reread=lambda _: (0, 0))
    changed = {**directories, b"Assets/A": DirectoryFacts(b"Assets/A", 5)}
    record = CacheRecord()
    for now, is_as_known, is_written in ((changed, False, False), (directories, False, True), (changed, True, True)):
        found: Any = SimpleNamespace(directories=now, is_as_known=is_as_known)
        record.go_on(known, found, rules_with(has_seen=True), early=False)
        assert record.is_written is is_written
    known.files_to_reread = lambda _: (cache.MANY + 1, 1)  # which a scan that found the known did not look at
    record.go_on(known, found, rules_with(has_seen=True), early=True)
    assert (record.is_written, record.pays) == (True, False)


@pytest.mark.parametrize(
    ("is_written", "count", "folder", "parsed", "is_empty", "problems", "is_shared"),
    [
        (True, 100, True, 3, False, [], True),  # more than one file in fifty was parsed
        (True, 100, True, 2, False, [], False),
        (True, 100, True, 0, True, [], True),  # nobody shared anything yet
        (True, 100, True, 0, True, [("place", "cannot be read")], False),
        (True, 100, True, 3, True, [("place", "cannot be read")], True),
        (False, 100, True, 100, True, [], False),
        (True, 0, True, 100, True, [], False),
        (True, 100, False, 100, True, [], False),
    ],
)
def test_a_written_cache_is_shared_where_it_has_news(
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_written: bool,
    count: int,
    folder: bool,
    parsed: int,
    is_empty: bool,
    problems: list[tuple[str, str]],
    is_shared: bool,
) -> None:
    published: list[str] = []
    shared = SimpleNamespace(is_empty=is_empty, problems=problems, publish=published.append)
    monkeypatch.setattr(memory, "has_shared_folder", lambda: folder)
    monkeypatch.setattr("assetdb.store.shared_facts.shared_facts", lambda root: shared if root == "/nowhere" else None)
    record = CacheRecord()
    record.is_written, record.parsed = is_written, parsed
    record.share(rules_with(has_seen=True), count)
    assert published == (["the cache"] if is_shared else [])
    is_asked = is_written and count > 0 and folder
    assert record.parsed == (0 if is_asked else parsed)
    assert record.shared_problems == (problems if is_asked else [])


@pytest.mark.parametrize(
    ("keep", "first", "modules"),
    [
        (False, False, ["next"]),
        (True, False, ["next", "kept"]),
        (False, True, ["next", "first"]),
        (True, True, ["next", "kept", "first"]),
    ],
)
def test_modules_are_imported_before_they_are_needed(
    monkeypatch: pytest.MonkeyPatch, modules: list[str], *, keep: bool, first: bool
) -> None:
    imported: list[str] = []
    for name, word in (("NEXT", "next"), ("NEXT_KEPT", "kept"), ("NEXT_FIRST", "first")):
        monkeypatch.setattr(memory, name, (word,))
    monkeypatch.setattr(memory, "import_module", imported.append)
    import_next(keep=keep, first=first)
    assert imported == modules
