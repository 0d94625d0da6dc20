"""One bake: what it writes, what it refuses, and what it tells."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.baking import bake, look
from assetdb.errors import BakeError, ProjectError
from assetdb.store.database import open_bytes, open_database
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from assetdb.diagnostics import Diagnostic

TEXT = "TextScriptImporter:\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "P"
    for name in ("Assets", "ProjectSettings"):
        (made / name).mkdir(parents=True)
    write(made, "Assets/F/a.txt", 1, b"a", TEXT)
    write(made, "Assets/F/b.txt", 2, b"b", TEXT)
    return made


def test_a_bake_writes_once_what_changed(root: Path) -> None:
    first = bake(root)
    assert (first.project, first.database) == (str(root), str(root / "Library/assetdb/asset-db.bin"))
    assert (first.asset_count, first.files_read, first.written, first.unchanged) == (2, 2, True, False)
    assert all(seconds >= 0 for seconds in first.timing)
    second = bake(root)
    assert (second.asset_count, second.files_read, second.written, second.unchanged) == (
        2,
        second.files_read,
        False,
        True,
    )
    assert (second.difference, second.contested) == ((), ())


def test_a_check_writes_nothing_and_tells_the_difference(root: Path) -> None:
    found = bake(root, check=True)
    assert found.written
    assert f'+ {guid(1)} TextAsset(49) "a" "Assets/F/a.txt"' in found.difference
    assert not (root / "Library").exists()
    bake(root)
    same = bake(root, check=True)
    assert (same.written, same.difference) == (False, ())


def test_assets_that_share_a_guid_are_refused_unless_told_otherwise(root: Path) -> None:
    write(root, "Assets/F/c.txt", 1, b"c", TEXT)
    user = f"{HEAD}--- !u!114 &1\nM:\n  x: {{fileID: 4900000, guid: {guid(1)}, type: 3}}\n"
    write(root, "Assets/u.asset", 9, user, "NativeFormatImporter:\n")
    with pytest.raises(BakeError) as error:
        bake(root)
    assert str(error.value) == "2 problems would make the database ambiguous (--keep-going bakes the rest)"
    assert {(found.code, found.path) for found in error.value.diagnostics} >= {
        *(("duplicate-guid", "Assets/F/a.txt"), ("duplicate-guid", "Assets/F/c.txt"))
    }
    assert error.value.root == str(root)
    assert error.value.referrers is not None
    assert error.value.referrers(guid(1)) == ["Assets/u.asset"]
    assert bake(root, keep_going=True).asset_count == 3
    assert look(str(root)).asset_count == 3


def test_strict_names_refuse_what_only_file_names_tell_apart(root: Path) -> None:
    write(root, "Assets/F/a.json", 3, b"c", TEXT)
    with pytest.raises(BakeError) as error:
        bake(root, strict_names=True)
    assert str(error.value) == "1 names that folders cannot tell apart"
    assert [found.path for found in error.value.diagnostics] == ["Assets/F/a.json", "Assets/F/a.txt"]
    assert bake(root).asset_count == 3
    assert look(str(root)).asset_count == 3


def test_contested_names_are_told_if_asked(root: Path) -> None:
    write(root, "Assets/G/a.txt", 3, b"c", TEXT)
    (contested,) = bake(root, verbose_collisions=True).contested
    assert [claimant.name for claimant in contested.claimants] == ["a^F", "a^G"]
    write(root, "Assets/H/a.txt", 4, b"c", TEXT)
    assert bake(root, verbose_collisions=True, check=True).contested == ()


def test_names_are_scrubbed_then_sanitized(root: Path) -> None:
    write(root, "Assets/x#y.txt", 3, b"c", TEXT)
    result = bake(root, scrub_characters="#", sanitize=lambda name: "new" if name == "x_y" else None)
    (told,) = [found for found in result.diagnostics if found.code == "sanitized-name"]
    assert told.message == "'x#y' becomes 'new'"


def test_every_diagnostic_is_given_to_the_caller(root: Path) -> None:
    (root / "Assets/lone.txt").write_text("x")
    told: list[Diagnostic] = []
    result = bake(root, on_warning=told.append)
    assert tuple(told) == result.diagnostics
    assert "missing-meta" in {found.code for found in told}
    assert list(told) == sorted(told)


def test_a_look_gives_its_directories(root: Path) -> None:
    found: list[object] = []
    look(str(root), on_listing=lambda listing: found.append(sorted(listing.directories)))
    assert found == [[b"Assets", b"Assets/F"]]


def test_a_look_keeps_the_naming_rules_of_the_last_bake(root: Path) -> None:
    write(root, "Assets/x#y.txt", 3, b"c", TEXT)
    before = bake(root, scrub_characters="#")
    assert look(str(root)).unchanged
    assert bake(root).written
    assert before.asset_count == 3


def test_files_that_cannot_be_written_may_still_be_right(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assetdb.store.output import Output  # noqa: PLC0415 - what is replaced

    bake(root)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(Output, "locked", refuse)
    assert look(str(root)).asset_count == 2
    write(root, "Assets/c.txt", 3, b"c", TEXT)
    found = look(str(root))
    assert found.unsaved is not None
    monkeypatch.undo()
    assert Path(found.database).read_bytes() != found.unsaved[0]
    assert look(str(root)).unsaved is None
    assert Path(found.database).read_bytes() == found.unsaved[0]

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Output, "locked", fail)
    with pytest.raises(OSError, match=os.strerror(28)):
        look(str(root))


def test_a_database_that_is_open_is_replaced(root: Path) -> None:
    """An assistant's server, the Python API or another command may have it mapped, at any time."""
    bake(root)
    folder = root / "Library/assetdb"
    files = sorted(os.listdir(folder))
    with open_database(folder / "asset-db.bin") as opened:
        for number in (3, 4):
            write(root, f"Assets/{number}.txt", number, b"c", TEXT)
            assert bake(root).written
            assert look(str(root)).unchanged
        assert opened.by_guid(guid(3)) is None
        with open_database(folder / "asset-db.bin") as newer:
            assert newer.by_guid(guid(4)) is not None
    write(root, "Assets/5.txt", 5, b"c", TEXT)
    bake(root)
    assert sorted(os.listdir(folder)) == files


@pytest.mark.skipif(os.name != "nt", reason="other systems replace a file that is open")
def test_a_question_is_answered_while_a_program_holds_the_database(root: Path) -> None:
    result = bake(root)
    write(root, "Assets/c.txt", 3, b"c", TEXT)
    with open(result.database, "rb") as held:
        before = held.read()
        found = look(str(root))
        assert found.unsaved is not None
        with open_bytes(result.database, *found.unsaved) as database:
            assert database.by_guid(guid(3)) is not None
        with pytest.raises(PermissionError):
            bake(root)
    assert Path(result.database).read_bytes() == before
    assert look(str(root)).unsaved is None
    assert Path(result.database).read_bytes() != before


def test_a_folder_that_is_no_project_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProjectError, match="is not a Unity project"):
        bake(tmp_path)
    monkeypatch.chdir(Path(tmp_path.anchor))
    with pytest.raises(ProjectError, match="no Unity project in"):
        bake()
