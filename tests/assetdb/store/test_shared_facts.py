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
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import open_project
from assetdb.scan.content_id import content_id
from assetdb.scan.known import cache
from assetdb.store import shared_facts
from assetdb.store.files import DATABASE_NAME, INDEX_NAME, MEMO_NAME
from assetdb.store.shared_facts import SharedFacts
from assetdb_formats.atomic import temporary_of
from tests.assetdb.checks.healthy import make_healthy, put
from tests.needs import needs_links, needs_modes

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


def newest(facts: SharedFacts) -> str:
    pack = facts.newest(cache.FILE_NAME, str)
    assert pack
    return pack


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
    assert baked(clone(two, tmp_path / "three" / "Game")).files_read == 0
    assert baked(clone(one, tmp_path / "four" / "Game")).files_read == 0  # of an older one, for the newest is of no use


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
        pack = newest(facts)
        os.utime(pack, (number + 1, 1000 + number))
        kept.append(pack)
    assert [os.path.exists(pack) for pack in kept] == [False, True, True]


def test_of_one_project_the_newest_four_stay(tmp_path: Path, store: Path) -> None:
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    path = tmp_path / "asset-db.cache"
    for number in range(6):
        path.write_bytes(bytes([number]))
        assert facts.publish(str(path))
        os.utime(newest(facts), (1000 + number, 1000 + number))
    assert len(packs(store)) == 4
    with open(newest(facts), "rb") as file:
        assert file.read() == bytes([5])


def test_temporary_files_of_killed_processes_go(tmp_path: Path, store: Path) -> None:
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    path = tmp_path / "asset-db.cache"
    path.write_bytes(b"some")
    assert facts.publish(str(path))
    names = [f".{number}.{'0' * 32}.asset-d.temporary" for number in (1, 2)]  # as replace_file names them
    left, being_written = (os.path.join(facts.folder, name) for name in names)
    assert os.path.basename(temporary_of(os.path.join(facts.folder, "0" * 32 + ".asset-db.cache"), 1)) == names[0]
    for name in (left, being_written):
        with open(name, "wb"):
            pass
    os.utime(left, (0, 0))
    path.write_bytes(b"more")
    assert facts.publish(str(path))
    assert not os.path.exists(left)
    assert os.path.exists(being_written)


STRANGE = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "stranger",
    [
        "notes.txt",
        "photos/",
        f"photos/{STRANGE}",
        "work/old.temporary",
        STRANGE,
        f"{STRANGE}/picture.png",
        f"{STRANGE}/{STRANGE}",
        f"{STRANGE}/{STRANGE}.jpg",
        f"{STRANGE}/sub/",
    ],
)
def test_where_something_else_is_nothing_is_written_or_removed(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, stranger: str
) -> None:
    monkeypatch.setattr(shared_facts, "LARGEST", 0)
    path = store / stranger
    path.parent.mkdir(parents=True)
    if stranger.endswith("/"):
        path.mkdir()
    else:
        path.write_bytes(b"somebody's")
    os.utime(path, (0, 0))
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    own = tmp_path / "asset-db.cache"
    own.write_bytes(b"some")
    before = sorted(store.rglob("*"))
    assert not facts.publish(str(own))
    assert sorted(store.rglob("*")) == before
    shown = stranger.split("/", maxsplit=1)[0] if not stranger.startswith(f"{STRANGE}/") else stranger.rstrip("/")
    ((where, said),) = facts.problems
    assert where == str(store)
    assert said.startswith(f"holds {shown}, which is not assetdb's: nothing is shared (")


def test_a_bake_says_that_the_folder_is_refused(tmp_path: Path, store: Path) -> None:
    store.mkdir()
    (store / "notes.txt").write_text("somebody's")
    result = baked(make_healthy(tmp_path / "one" / "Game"))
    assert [(found.code, found.path) for found in result.diagnostics] == [("facts-not-shared", str(store))]
    assert os.listdir(store) == ["notes.txt"]


@needs_links
def test_a_link_in_the_place_of_a_project_is_not_followed(tmp_path: Path, store: Path) -> None:
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    store.mkdir()
    os.symlink(elsewhere, facts.folder)
    own = tmp_path / "asset-db.cache"
    own.write_bytes(b"some")
    assert not facts.publish(str(own))
    assert not os.listdir(elsewhere)


@needs_links
def test_what_a_link_in_the_place_of_a_project_leads_to_is_not_removed(tmp_path: Path, store: Path) -> None:
    """A file that bears a pack's name there is not damaged: it is none of ours."""
    one = make_healthy(tmp_path / "one" / "Game")
    baked(one)
    (folder,) = store.iterdir()
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    kept = sorted(elsewhere.iterdir())
    for path in kept:
        path.write_bytes(b"precious")
    found = baked(clone(one, tmp_path / "two" / "Game"))
    assert sorted(elsewhere.iterdir()) == kept
    assert [path.read_bytes() for path in kept] == [b"precious"] * len(kept)
    assert any(row.code == "facts-not-shared" for row in found.diagnostics)


@needs_links
def test_a_link_in_the_place_of_a_pack_is_no_pack(tmp_path: Path, store: Path) -> None:
    """Its bytes may change after they were compared with its name, and it is not ours to remove."""
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"some")
    os.makedirs(facts.folder)
    link = os.path.join(facts.folder, f"{content_id(b'some').hex()}.{cache.FILE_NAME}")
    os.symlink(elsewhere, link)
    assert facts.is_empty
    assert facts.newest(cache.FILE_NAME, lambda path: path) is None
    assert os.path.islink(link)
    assert facts.problems == []


def test_what_systems_leave_does_not_matter_and_stays(tmp_path: Path, store: Path) -> None:
    (store / "lost+found").mkdir(parents=True)
    (store / ".DS_Store").write_bytes(b"x")
    facts = SharedFacts(str(tmp_path / "Game"), str(store))
    os.mkdir(facts.folder)
    for name in (".nfs0001", ".7.x.temporary"):
        (store / facts.folder / name).write_bytes(b"x")
        os.utime(store / facts.folder / name, (0, 0))
    own = tmp_path / "asset-db.cache"
    own.write_bytes(b"some")
    assert facts.publish(str(own))
    assert len(os.listdir(facts.folder)) == 3
    assert sorted(os.listdir(store))[1:] == sorted([os.path.basename(facts.folder), "lost+found"])


def test_packs_of_the_form_before_are_counted_and_go(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_facts, "LARGEST", 4)
    old = store / "0123456789abcdef" / f"{STRANGE}.asset-db.memo"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"old")
    os.utime(old, (0, 0))
    own = tmp_path / "asset-db.cache"
    own.write_bytes(b"some")
    assert SharedFacts(str(tmp_path / "Game"), str(store)).publish(str(own))
    assert not old.exists()


def test_versions_with_other_formats_have_folders_of_their_own(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def folder() -> str:
        return SharedFacts(str(tmp_path / "Game"), str(store)).folder

    before = folder()
    assert before == folder()
    for module, name in ((cache, "VERSION"), (shared_facts, "MEMO_FORMAT"), (shared_facts, "VERSION")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, "another")
            assert folder() != before


@needs_modes
@pytest.mark.parametrize(("mode", "folders", "files"), [(0o2775, 0o2775, 0o664), (0o777, 0o777, 0o666), (0o755, 0, 0)])
def test_where_several_may_write_all_of_them_may_write_what_is_made(
    tmp_path: Path, store: Path, mode: int, folders: int, files: int
) -> None:
    store.mkdir()
    store.chmod(mode)
    before = os.umask(0o077)
    try:
        facts = SharedFacts(str(tmp_path / "Game"), str(store))
        own = tmp_path / "asset-db.cache"
        own.write_bytes(b"some")
        assert facts.publish(str(own))
    finally:
        os.umask(before)
    assert os.stat(facts.folder).st_mode & 0o7777 == (folders or 0o700)
    assert os.stat(newest(facts)).st_mode & 0o7777 == (files or 0o600)


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
        raise OSError(errno.EROFS, "Read-only file system")

    store.unlink()
    baked(clone(one, tmp_path / "two" / "Game"))
    monkeypatch.setattr(shared_facts, "replace_file", refuse)  # as a folder that CI alone fills
    for name in ("utime", "unlink"):
        call = getattr(os, name)
        monkeypatch.setattr(
            os,
            name,
            lambda path, *a, _call=call, **k: (refuse if str(path).startswith(str(store)) else _call)(path, *a, **k),
        )
    result = baked(clone(one, tmp_path / "three" / "Game"))
    assert (result.files_read, result.diagnostics) == (0, ())
    four = clone(one, tmp_path / "four" / "Game")
    put(four, "Assets/Data/New.asset", b"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: New\n")
    result = baked(four)
    assert (result.files_read, result.diagnostics) == (2, ())
    pack = packs(store)[0]
    pack.write_bytes(b"")
    result = baked(clone(one, tmp_path / "five" / "Game"))
    assert [(found.path, found.message) for found in result.diagnostics] == [(str(pack), "is damaged: it was ignored")]


def test_no_project_names_the_folder(tmp_path: Path) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    (one / "assetdb.toml").write_text(f"facts-cache = '{tmp_path}'\n")
    with pytest.raises(assetdb.ConfigurationError, match="facts-cache"):
        baked(one)


def test_whoever_has_facts_fills_a_folder_without_any(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    monkeypatch.delenv("ASSETDB_FACTS")
    found = checked(one)
    monkeypatch.setenv("ASSETDB_FACTS", str(store))
    assert checked(one) == found
    assert [len(packs(store)), len(packs(store, MEMO_NAME))] == [1, 1]


def test_a_check_says_what_is_damaged(tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = make_healthy(tmp_path / "one" / "Game")
    main(["check", "--project", str(one)])
    said = capsys.readouterr()
    assert "facts-not-shared" not in said.err
    made = [*packs(store), *packs(store, MEMO_NAME)]
    for pack in made:
        pack.write_bytes(b"")
    main(["check", "--project", str(clone(one, tmp_path / "two" / "Game"))])
    again = capsys.readouterr()
    assert again.out == said.out
    for pack in made:
        assert again.err.count(f"assetdb: {pack}: facts-not-shared: is damaged: it was ignored and removed\n") == 1
