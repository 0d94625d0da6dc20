"""The identities of the files behind each row, kept with checksums."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, NoReturn
from zlib import crc32

import pytest

from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known.file_identities import (
    ABSENT,
    Made,
    Seen,
    belongs,
    checksum_of,
    configuration_identity,
    encode,
    patched,
    read_checksums,
    rows,
    with_checksums,
)
from assetdb.system.identity import CHECK_STAT, DEFAULT, MINIMAL, RACY, identity
from tests.assetdb.unity_project import write
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

MADE = Made(11, -22, 33, DEFAULT)


def packed(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, sys.byteorder, signed=True) for number in numbers)


ROWS = (1, 2, packed(1, 2, 3, 4))
DATA = b"".join(encode(MADE, ROWS, 77))


def test_the_checksums_are_the_index_and_its_identity() -> None:
    assert read_checksums(DATA) == (-22, 77)
    assert len(DATA) == 80 + 16 + 2 * 8 + 16
    assert checksum_of(b"some bytes") == crc32(b"some bytes")


def test_any_damage_leaves_no_checksums() -> None:
    assert read_checksums(b"") is None
    for place in range(len(DATA)):
        assert read_checksums(DATA[:place]) is None
        assert read_checksums(DATA[:place] + bytes([DATA[place] ^ 1]) + DATA[place + 1 :]) is None
    assert read_checksums(DATA + b"\0") is None


def test_a_file_belongs_to_what_it_was_made_of(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    assert not belongs(str(path), MADE)
    path.write_bytes(DATA)
    assert belongs(str(path), MADE)
    for other in (Made(12, -22, 33, DEFAULT), Made(11, 0, 33, DEFAULT), Made(11, -22, 0, DEFAULT)):
        assert not belongs(str(path), other)
    assert not belongs(str(path), Made(11, -22, 33, MINIMAL))
    path.write_bytes(DATA[:-1])
    assert not belongs(str(path), MADE)
    assert not belongs(str(tmp_path), MADE)


def directory(path: bytes, files: bytes, numbers: tuple[int, ...], guids: bytes, **more: bytes) -> DirectoryFacts:
    count = sum(not name.endswith(b".meta") for name in files.split(b"/"))
    return DirectoryFacts(
        path,
        files=files,
        identities=packed(*numbers),
        guids=guids,
        pair_count=count,
        **more,  # type: ignore[arg-type]
    )


def test_rows_have_their_files_by_place_and_folders_by_guid() -> None:
    one = directory(
        *(b"Assets", b"a/a.meta/b/b.meta/F.meta/K.meta/G.meta", (1, 2, 3, 4, 5, 10, 6), b"a" * 16),
        folders=b"F/K/G/H",
        folder_guids=b"F" * 16 + b"K" * 16 + b"G" * 16 + b"H" * 16,
    )
    two = directory(b"Assets/F", b"c/c.meta", (7, 8), b"c" * 16)
    other = directory(b"P", b"G.meta", (9,), b"", folders=b"G", folder_guids=b"G" * 16)
    asked = [b"F" * 16, b"K" * 16, b"G" * 16, b"H" * 16, b"x" * 16]
    found = rows([1, 0, -1], asked, [one, two, other])
    never = RACY
    assert found == (
        *(3, 5),
        packed(7, 8, 1, 2, never, never, 5, 10, never, never, never),  # G is twice, H's meta is not compared
    )


class Places:
    """The rows of a database with three assets and two folders."""

    def __init__(self, assets: str = "abc", folders: str = "FG") -> None:
        self.count, self.folder_count = len(assets), len(folders)
        self._assets, self._folders = [each.encode() * 16 for each in assets], [each.encode() * 16 for each in folders]

    def row(self, high: int, low: int) -> int:
        guid = high.to_bytes(8, "big") + low.to_bytes(8, "big")
        return self._assets.index(guid) if guid in self._assets else -1

    def folder_row(self, guid: int) -> int:
        packed_guid = guid.to_bytes(16, "big")
        return self._folders.index(packed_guid) if packed_guid in self._folders else -1


BEFORE = directory(
    *(b"Assets", b"a/a.meta/b/b.meta/F.meta/G.meta/H.meta", (1, 2, 3, 4, 5, 6, 7), b"a" * 16 + b"b" * 16),
    folders=b"F/G",
    folder_guids=b"F" * 16 + b"G" * 16,
)
BESIDE = directory(b"Assets/F", b"c/c.meta", (8, RACY), b"c" * 16)


def seen_of(*directories: DirectoryFacts, places: tuple[int, ...] = (0, 1, 2), made: Made = MADE) -> bytes:
    return b"".join(encode(made, rows(places, [b"F" * 16, b"G" * 16], directories), 77))


def checksum_of_rows(data: bytes) -> int:
    return checksum_of(data[80:-16])


@pytest.mark.parametrize("changed", range(7))
def test_an_edit_gives_what_all_rows_would(changed: int) -> None:
    before = seen_of(BEFORE, BESIDE)
    now = [1, 2, 3, 4, 5, 6, 7]
    now[changed] = 99
    after = BEFORE._replace(identities=packed(*now))
    settled = BESIDE._replace(identities=packed(8, 100))
    later = MADE._replace(database=12)
    found = patched(before, later, checksum_of_rows(before), [(BEFORE, after), (BESIDE, settled)], Places())
    assert found is not None
    wanted = seen_of(after, settled, made=later)
    assert b"".join(with_checksums(found[0], 77)) == wanted
    assert found[1] == checksum_of_rows(wanted)


def test_an_edit_of_other_or_outdated_rows_needs_all() -> None:
    before = seen_of(BEFORE, BESIDE)
    checksum = checksum_of_rows(before)
    edit = [(BEFORE, BEFORE._replace(identities=packed(9, 2, 3, 4, 5, 6, 7)))]
    assert patched(before, MADE, checksum, edit, Places()) is not None
    assert patched(before, MADE, checksum + 1, edit, Places()) is None
    assert patched(before[:-1], MADE, checksum, edit, Places()) is None
    assert patched(b"", MADE, checksum, edit, Places()) is None
    assert patched(before, MADE._replace(check_stat=MINIMAL), checksum, edit, Places()) is None
    for others in (Places("abcd"), Places("bcx"), Places("abc", "F")):
        assert patched(before, MADE, checksum, edit, others) is None
    twice = seen_of(BEFORE, BESIDE, places=(-1, 1, 2))  # several assets have this GUID
    assert patched(twice, MADE, checksum_of_rows(twice), edit, Places()) is None


@pytest.mark.parametrize("number", [0, 65_535, 65_536, 65_537])
def test_any_number_of_rows_is_written(number: int) -> None:
    one = directory(b"Assets", b"a/a.meta", (1, 2), b"a" * 16)
    assert rows([0] * number, [], [one]) == (number, 0, packed(1, 2) * number)


def refuse(path: object) -> NoReturn:
    raise OSError(errno.EIO, "refused", path)


def test_settings_have_an_identity_even_if_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "assetdb.toml"
    assert configuration_identity(str(path), DEFAULT) == ABSENT
    path.write_text("")
    assert configuration_identity(str(path), DEFAULT) == identity(path.stat(), DEFAULT)
    assert configuration_identity(str(path / "inside"), DEFAULT) == ABSENT
    monkeypatch.setattr(os, "stat", refuse)
    assert configuration_identity(str(path), DEFAULT) == RACY


def seen(root: Path, check_stat: str = DEFAULT, *, racy: bool = False) -> Seen:
    """Make what was seen of a project with one asset and one folder, as they are now."""
    names = ("Assets/F/a.txt", "Assets/F/a.txt.meta", "Assets/F.meta")
    known = [RACY if racy else identity((root / name).stat(), check_stat) for name in names]
    database, index = (root / "asset-db.bin").stat(), (root / "asset-db.index").stat()
    toml = str(root / "assetdb.toml")
    made = Made(
        *(identity(database, check_stat), identity(index, check_stat)),
        *(configuration_identity(toml, check_stat), check_stat),
    )
    return Seen(b"".join(encode(made, (1, 1, packed(*known)), 0)), str(root), toml, database, index)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "Assets/F/a.txt", 1, "a")
    (tmp_path / "Assets/F.meta").write_text("guid: x\n")
    for name in ("asset-db.bin", "asset-db.index"):
        (tmp_path / name).write_text(name)
    return tmp_path


@pytest.mark.parametrize("check_stat", CHECK_STAT)
def test_unchanged_files_are_the_same(root: Path, check_stat: str) -> None:
    found = seen(root, check_stat)
    assert found.counts == (1, 1)
    assert found.same_asset(0, "Assets/F/a.txt")
    assert found.same_folder(0, "Assets/F")


@pytest.mark.parametrize("name", ["Assets/F/a.txt", "Assets/F/a.txt.meta"])
def test_a_changed_or_removed_file_is_not_the_same(root: Path, name: str) -> None:
    found = seen(root)
    (root / name).write_text("longer than before, and with other times")
    assert not found.same_asset(0, "Assets/F/a.txt")
    assert found.same_folder(0, "Assets/F")
    (root / name).unlink()
    assert not found.same_asset(0, "Assets/F/a.txt")
    (root / name).mkdir()
    assert not found.same_asset(0, "Assets/F/a.txt")


def test_the_meta_of_a_folder_is_compared(root: Path) -> None:
    found = seen(root)
    (root / "Assets/F.meta").write_text("changed")
    assert not found.same_folder(0, "Assets/F")
    assert found.same_asset(0, "Assets/F/a.txt")


def test_untrusted_files_are_never_the_same(root: Path) -> None:
    found = seen(root, racy=True)
    assert not found.same_asset(0, "Assets/F/a.txt")
    assert not found.same_folder(0, "Assets/F")
    assert not seen(root).same_asset(0, "Assets/F/\0.txt")


@needs_links
def test_a_file_behind_a_link_is_not_the_same(root: Path) -> None:
    found = seen(root)
    (root / "Assets/F").rename(root / "G")
    (root / "Assets/F").symlink_to(root / "G", target_is_directory=True)
    assert not found.same_asset(0, "Assets/F/a.txt")
    assert not found.same_folder(0, "Assets/F")


@needs_links
def test_the_folder_of_all_assets_may_be_a_link(root: Path) -> None:
    found = seen(root)
    (root / "Assets").rename(root / "Elsewhere")
    (root / "Assets").symlink_to(root / "Elsewhere", target_is_directory=True)
    assert found.same_asset(0, "Assets/F/a.txt")
    assert found.same_folder(0, "Assets/F")


def test_what_was_seen_of_another_database_is_refused(root: Path) -> None:
    seen(root)
    toml, database, index = str(root / "assetdb.toml"), (root / "asset-db.bin").stat(), (root / "asset-db.index").stat()
    made = Made(identity(database), identity(index), ABSENT, DEFAULT)
    data = b"".join(encode(made, ROWS, 0))
    assert Seen(data, str(root), toml, database, index).counts == (1, 2)
    for broken in (data[:-1], data + b"\0", b"X" + data[1:], b""):
        with pytest.raises(ValueError, match="the identities belong to another database"):
            Seen(broken, str(root), toml, database, index)
    with pytest.raises(ValueError, match="the identities belong to another database"):
        Seen(data, str(root), toml, index, database)
    (root / "assetdb.toml").write_text("")
    with pytest.raises(ValueError, match="the identities belong to another database"):
        Seen(data, str(root), toml, database, index)


def test_settings_that_cannot_be_told_are_not_trusted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml, database, index = str(root / "assetdb.toml"), (root / "asset-db.bin").stat(), (root / "asset-db.index").stat()
    data = b"".join(encode(Made(identity(database), identity(index), RACY, DEFAULT), ROWS, 0))
    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(ValueError, match="the settings may have changed"):
        Seen(data, str(root), toml, database, index)
