"""The folder of facts that clones and work trees share."""

from __future__ import annotations

import errno
import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.selection import Selection
from assetdb.checks.verdicts.state import State
from assetdb.query.snapshots.snapshot import open_project
from assetdb.scan.known import cache
from assetdb.store import shared_facts
from assetdb.store.files import DATABASE_NAME, INDEX_NAME, MEMO_NAME
from assetdb.store.shared_facts import SharedFacts
from tests.assetdb.checks.healthy import make_healthy, put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.baking import BakeResult

DANGLING = (
    "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n"
    "  x: {fileID: 7, guid: 12345678123456781234567812345678, type: 2}\n"
)
PRODUCT = "PlayerSettings:\n  productGUID: {}\n"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSETDB_FACTS", str(tmp_path / "facts"))
    # What has just been written counts as changing; here all of it is old.
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))
    return tmp_path / "facts"


def clone(root: Path, other: Path) -> Path:
    """Copy a project; all times are new, and no output folder is there."""
    return shutil.copytree(root, other, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("Library"))


def baked(root: Path) -> BakeResult:
    return assetdb.bake(root, keep_going=True)


def files_of(root: Path) -> list[bytes]:
    return [(root / "Library" / "assetdb" / name).read_bytes() for name in (DATABASE_NAME, INDEX_NAME)]


def packs(store: Path, name: str = cache.FILE_NAME) -> list[Path]:
    return sorted(store.glob(f"*/*.{name}"))


def checked(root: Path) -> list[str]:
    project = open_project(str(root))
    try:
        return [str(finding) for finding in check_project(project, Selection(select=("all",))).findings]
    finally:
        project.close()


def test_a_clone_parses_nothing_that_another_has_parsed(tmp_path: Path, store: Path) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    first = baked(one)
    assert first.files_read > 0
    assert len(packs(store)) == 1
    two = clone(one, tmp_path / "two" / "Game")
    second = baked(two)
    assert (second.files_read, second.asset_count) == (0, first.asset_count)
    assert files_of(two) == files_of(one)
    assert len(packs(store)) == 1  # nothing was parsed that is not there
    assert [found.code for found in second.diagnostics if found.code == "facts-not-shared"] == []


def test_only_what_changed_is_parsed_and_the_database_is_that_of_a_first_bake(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    baked(one)
    two = clone(one, tmp_path / "two" / "Game")
    put(two, "Assets/Data/New.asset", b"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: New\n")
    assert baked(two).files_read == 2
    monkeypatch.delenv("ASSETDB_FACTS")
    shutil.copytree(two, tmp_path / "three" / "Game", ignore=shutil.ignore_patterns("Library"))
    assert baked(tmp_path / "three" / "Game").files_read > 2
    assert files_of(tmp_path / "three" / "Game") == files_of(two)


def test_what_was_judged_is_shared_too(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = []
    follow = State.follow

    def followed(state: State, *words: object, **options: object) -> State:
        found = follow(state, *words, **options)  # type: ignore[arg-type]
        work.append(found.work)
        return found

    monkeypatch.setattr(State, "follow", followed)
    one = make_healthy(tmp_path / "one" / "Game")
    put(one, "Assets/Data/Dangling.asset", DANGLING)
    found = checked(one)
    assert any("missing-asset" in text for text in found)
    assert len(packs(store, MEMO_NAME)) == 1
    assert checked(clone(one, tmp_path / "two" / "Game")) == found
    assert [number > 0 for number in work] == [True, False]
    assert len(packs(store, MEMO_NAME)) == 1


def damaged(data: bytes) -> Iterator[bytes]:
    """Yield a pack cut and changed in many places."""
    yield b""
    for part in (1, 8, 40, len(data) // 2, len(data) - 1):
        yield data[:part]
        yield data[:part] + bytes([data[part] ^ 1]) + data[part + 1 :]
    yield data + b"\0"


def test_a_damaged_pack_is_removed_and_said_once(tmp_path: Path, store: Path) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    expected = baked(one).asset_count
    whole = packs(store)[0].read_bytes()
    for number, data in enumerate(damaged(whole)):
        pack = packs(store)[0]
        pack.write_bytes(data)
        two = clone(one, tmp_path / str(number) / "Game")
        result = baked(two)
        said = [(found.path, found.message) for found in result.diagnostics if found.code == "facts-not-shared"]
        assert said == [(str(pack), "is damaged: it was ignored and removed")]
        assert result.asset_count == expected
        assert files_of(two) == files_of(one)
        assert len(packs(store)) == 1  # it had to parse all, and published that
        again = baked(clone(one, tmp_path / f"{number}-again" / "Game"))
        assert (again.files_read, [found.code for found in again.diagnostics]) == (0, [])


def test_projects_do_not_take_each_others_facts(tmp_path: Path, store: Path) -> None:
    games = []
    for number in (1, 2):
        game = make_healthy(tmp_path / str(number) / "Game")
        (game / "ProjectSettings" / "ProjectSettings.asset").write_text(PRODUCT.format(str(number) * 32))
        baked(game)
        games.append(game)
    assert len({pack.parent for pack in packs(store)}) == 2
    for number, game in enumerate(games):  # the folder's name tells nothing then
        assert baked(clone(game, tmp_path / "elsewhere" / f"Other{number}")).files_read == 0
    assert len(packs(store)) == 2


def test_facts_of_other_settings_are_not_taken(tmp_path: Path, store: Path) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    baked(one)
    two = clone(one, tmp_path / "two" / "Game")
    (two / "assetdb.toml").write_text('exclude = ["Assets/Data/**"]\n')
    assert baked(two).files_read > 0
    assert baked(clone(two, tmp_path / "three" / "Game")).files_read == 0  # the newest is of these settings


def test_names_are_made_by_the_rule_of_each_clone(tmp_path: Path, store: Path) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    assetdb.bake(one, keep_going=True, scrub_characters="aeiou")
    two = clone(one, tmp_path / "two" / "Game")
    assert baked(two).files_read == 0
    assert files_of(two) != files_of(one)
    (two / "Library" / "assetdb" / cache.FILE_NAME).unlink()
    taken = files_of(two)
    baked(two)
    assert files_of(two) == taken


def test_the_packs_used_longest_ago_go(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_facts, "LARGEST", 250)
    kept = []
    for number in range(3):
        facts = SharedFacts(str(tmp_path / f"Game{number}"), str(store))
        path = tmp_path / "asset-db.cache"
        path.write_bytes(bytes([number]) * 100)
        assert facts.publish(str(path))
        pack = facts.newest("asset-db.cache")
        os.utime(pack, (number + 1, 1000 + number))
        kept.append(pack)
    assert [os.path.exists(pack) for pack in kept] == [False, True, True]


def test_of_one_project_the_newest_four_stay(tmp_path: Path, store: Path) -> None:
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    path = tmp_path / "asset-db.cache"
    for number in range(6):
        path.write_bytes(bytes([number]))
        assert facts.publish(str(path))
        os.utime(facts.newest("asset-db.cache"), (1000 + number, 1000 + number))
    assert len(packs(store)) == 4
    with open(facts.newest("asset-db.cache"), "rb") as file:
        assert file.read() == bytes([5])


def test_temporary_files_of_killed_processes_go(tmp_path: Path, store: Path) -> None:
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    path = tmp_path / "asset-db.cache"
    path.write_bytes(b"some")
    assert facts.publish(str(path))
    left, being_written = (os.path.join(facts.folder, f".{number}.x.temporary") for number in (1, 2))
    for name in (left, being_written):
        with open(name, "wb"):
            pass
    os.utime(left, (0, 0))
    path.write_bytes(b"more")
    assert facts.publish(str(path))
    assert not os.path.exists(left)
    assert os.path.exists(being_written)


def test_a_folder_that_cannot_be_written_changes_no_answer(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write_text("a file")
    one = make_healthy(tmp_path / "one" / "Game")
    result = baked(one)
    assert [found.code for found in result.diagnostics] == ["facts-not-shared"]
    assert "cannot be written: " in result.diagnostics[0].message
    assert files_of(one)

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    store.unlink()
    monkeypatch.setattr(shared_facts, "replace_file", refuse)  # as a folder that CI alone fills
    assert [found.code for found in baked(clone(one, tmp_path / "two" / "Game")).diagnostics] == []


def test_no_project_names_the_folder(tmp_path: Path) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    (one / "assetdb.toml").write_text(f"facts-cache = '{tmp_path}'\n")
    with pytest.raises(assetdb.ConfigurationError, match="facts-cache"):
        baked(one)
