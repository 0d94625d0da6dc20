"""The one way from a project's tree to its files: refreshed, saved, kept, or left as it was."""

from __future__ import annotations

import errno
import os
import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError, ProjectError
from assetdb.scan.known import cache_log
from assetdb.scan.known.cache import FILE_NAME, LOG_NAME
from assetdb.scan.known.file_identities import FILE_NAME as SEEN_NAME
from assetdb.settings.effective import read_settings
from assetdb.store.database import open_database
from assetdb.store.files import DATABASE_NAME, INDEX_NAME
from assetdb.store.output import Output
from assetdb.workspace.workspace import OUTPUT_FILES, Options, Workspace
from tests.assetdb.unity_project import SETTLED, guid, write
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

KEPT = Options(keep=True, workers=1)
ONCE = Options(workers=1)
HEAD_SIZE = 80  # of the file identities: it has the times of database and index


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("Assets", "ProjectSettings"):
        (tmp_path / "P" / name).mkdir(parents=True)
    write(tmp_path / "P", "Assets/a.txt", 1, b"a")
    write(tmp_path / "P", "Assets/F/b.txt", 2, b"b")
    return tmp_path / "P"


@contextmanager
def opened(
    root: Path, options: Options = KEPT, sanitize: Callable[[str], str | None] | None = None, out: str = ""
) -> Iterator[Workspace]:
    made = Workspace(
        str(root), lambda: read_settings(str(root), out or str(root / "Library")), options, sanitize=sanitize
    )
    try:
        yield made
    finally:
        made.close()


def saved(workspace: Workspace) -> tuple[bool, list[str]]:
    """Save a workspace; return whether the database changed, and its paths."""
    workspace.output.make_folder()
    changed = workspace.save()
    with open_database(workspace.output.database) as database:
        return changed, sorted(asset.path for asset in database)


def test_a_refresh_finds_the_assets_and_a_save_writes_them(root: Path) -> None:
    with opened(root, ONCE) as workspace:
        assert (workspace.asset_count, workspace.is_saved, dict(workspace.directories())) == (0, False, {})
        found = workspace.refresh()
        assert (workspace.asset_count, found.files_read, found.unchanged, found.changes) == (2, 2, False, ())
        assert (workspace.root, workspace.folder) == (str(root), str(root / "Library"))
        assert saved(workspace) == (True, ["Assets/F/b.txt", "Assets/a.txt"])
        assert workspace.is_saved
        assert saved(workspace)[0] is False
    assert {DATABASE_NAME.encode(), INDEX_NAME.encode()} == OUTPUT_FILES


def test_a_second_workspace_goes_on_from_the_files(root: Path) -> None:
    with opened(root, ONCE) as first:
        first.refresh()
        saved(first)
        contents = first.contents()
    for options in (ONCE, KEPT, Options(use_cache=False, workers=1)):
        with opened(root, options) as second:
            assert bool(second.directories()) is True
            found = second.refresh()
            assert found.unchanged is options.use_cache
            assert (second.asset_count, second.contents(), second.shared_names()) == (2, contents, [])


def test_a_kept_workspace_tells_what_changed(root: Path) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        write(root, "Assets/F/c.txt", 3, b"c")
        (root / "Assets/a.txt").unlink()
        (root / "Assets/a.txt.meta").rename(root / "Assets/d.txt.meta")
        (root / "Assets/d.txt").write_bytes(b"")
        found = workspace.refresh([b"Assets", b"Assets/F"])
        assert [(change.kind, change.path, change.old_path) for change in found.changes] == [
            ("renamed", "Assets/d.txt", "Assets/a.txt"),
            ("added", "Assets/F/c.txt", ""),
        ]
        assert {guid(1), guid(3)} <= found.replaced
        assert found.any_replaced
        assert workspace.database.by_guid(guid(3)) is not None
        assert workspace.is_prepared
        (root / "Assets/F/c.txt.meta").unlink()
        gone = workspace.refresh([b"Assets/F"])
        assert [row.code for row in gone.diagnostics_added] == ["missing-meta"]
        assert [change.kind for change in gone.changes] == ["removed"]
        assert "Assets/F/c.txt" in {row.path for row in workspace.problems}
        assert workspace.diagnostics == sorted(workspace.problems)


def test_only_what_is_dirty_is_looked_at(root: Path) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        write(root, "Assets/F/c.txt", 3, b"c")
        write(root, "Assets/d.txt", 4, b"d")
        assert len(workspace.refresh([b"Assets/F"]).changes) == 1
        assert len(workspace.refresh([b"Other"]).changes) == 0
        assert [change.path for change in workspace.refresh().changes] == ["Assets/d.txt"]


def test_a_refresh_can_be_undone(root: Path) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        mark = workspace.mark()
        write(root, "Assets/c.txt", 3, b"c")
        workspace.refresh()
        assert workspace.asset_count == 3
        workspace.restore(mark)
        assert (workspace.asset_count, workspace.is_prepared) == (2, False)
        assert [change.path for change in workspace.refresh().changes] == ["Assets/c.txt"]


def test_a_database_is_there_after_a_refresh_of_a_kept_workspace(root: Path) -> None:
    with opened(root) as workspace:
        with pytest.raises(RuntimeError, match="not refreshed yet, or not kept"):
            _ = workspace.database
        workspace.refresh()
        assert len(list(workspace.database)) == 2
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        with pytest.raises(RuntimeError, match="not refreshed yet, or not kept"):
            _ = workspace.database


def test_new_settings_are_read_with_a_full_look(root: Path) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        (root / "assetdb.toml").write_text('exclude = ["F/"]\n')
        workspace.refresh([b"Assets"])
        assert workspace.asset_count == 2
        workspace.refresh()
        assert (workspace.asset_count, workspace.settings.exclude) == (1, ("F/",))
        assert not workspace.listing().is_whole
        (root / "assetdb.toml").write_text("exclude = 5\n")
        with pytest.raises(ConfigurationError):
            workspace.refresh()
        assert workspace.asset_count == 1


def test_names_are_rewritten_before_the_rule(root: Path) -> None:
    with opened(root, KEPT, lambda name: "same" if name in ("a", "b") else None) as workspace:
        workspace.refresh()
        assert {asset.name for asset in workspace.database} == {"same^Assets", "same^F"}
        assert [problem.code for problem in workspace.problems if problem.code == "sanitized-name"] == [
            "sanitized-name"
        ] * 2


def test_the_folder_of_another_project_is_refused(root: Path, tmp_path: Path) -> None:
    with opened(root, ONCE, out=str(tmp_path / "out")) as workspace:
        workspace.refresh()
        saved(workspace)
    other = tmp_path / "Other"
    for name in ("Assets", "ProjectSettings"):
        (other / name).mkdir(parents=True)
    with (
        opened(other, ONCE, out=str(tmp_path / "out")) as workspace,
        pytest.raises(ProjectError, match="another folder"),
    ):
        workspace.refresh()
    with opened(other, Options(read_only=True, workers=1), out=str(tmp_path / "out")) as workspace:
        workspace.refresh()
        assert workspace.asset_count == 0


def test_a_difference_is_told_without_writing(root: Path) -> None:
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        saved(workspace)
        assert workspace.difference(of_index=True) == (False, ())
        write(root, "Assets/c.txt", 3, b"c")
        workspace.refresh()
        changed, lines = workspace.difference(of_index=False)
        assert changed
        assert [line for line in lines if "c.txt" in line] == [f'+ {guid(3)} TextAsset(49) "c" "Assets/c.txt"']
        assert saved(workspace)[0]


def test_another_workspace_takes_the_last_refresh_over(root: Path) -> None:
    with opened(root, ONCE) as first:
        first.refresh()
        listing = first.listing()
        assert listing.held is not None
        with opened(root, ONCE) as second:
            assert second.take(listing)
            assert (second.asset_count, second.contents()) == (2, first.contents())
            assert not second.take(listing._replace(held=None))
    with opened(root) as kept:
        kept.refresh()
        assert kept.listing().held is None


def test_a_mirror_reads_what_differs(root: Path, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror" / "P"
    for path in ("Assets/F", "ProjectSettings"):
        (mirror / path).mkdir(parents=True)
    write(mirror, "Assets/F/new.txt", 7, b"n")
    with opened(root) as workspace:
        workspace.refresh()
        made = workspace.mirrored(str(mirror), str(tmp_path / "files"), [b"Assets/F"])
        assert sorted(asset.path for asset in made.database) == ["Assets/F/new.txt", "Assets/a.txt"]
        assert sorted(asset.path for asset in workspace.database) == ["Assets/F/b.txt", "Assets/a.txt"]
        made.close()


def test_a_cache_is_finished_if_the_files_are_still_those(root: Path) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        assert workspace.begin_cache() is None  # not saved yet
        saved(workspace)
        path = os.path.join(workspace.folder, FILE_NAME)
        os.unlink(path)
        begun = workspace.begin_cache()
        assert begun is not None
        assert workspace.finish_cache(begun)
        assert os.path.isfile(path)
        begun = workspace.begin_cache()
        write(root, "Assets/c.txt", 3, b"c")
        workspace.refresh()
        assert begun is not None
        assert not workspace.finish_cache(begun)


def test_identities_that_are_gone_are_written_again(root: Path) -> None:
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        saved(workspace)
    path = root / "Library" / SEEN_NAME
    path.unlink()
    with opened(root, ONCE) as workspace:
        assert workspace.refresh().unchanged
        assert (workspace.record.pays, workspace.record.seen_pays) == (False, True)
        saved(workspace)
        assert path.is_file()
        assert workspace.record.is_written
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        assert not workspace.record.seen_pays


def test_an_edit_while_nobody_looked_is_caught_up_with(root: Path) -> None:
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        saved(workspace)
    write(root, "Assets/c.txt", 3, b"c")
    with opened(root, Options(workers=1, most_changed=1.0)) as workspace:
        workspace.refresh()
        caught = workspace.contents()
        assert workspace.asset_count == 3
    with opened(root, Options(workers=1, most_changed=0.0)) as workspace:
        workspace.refresh()
        assert workspace.contents() == caught


def files_of(root: Path) -> dict[str, bytes]:
    names = (DATABASE_NAME, INDEX_NAME, FILE_NAME, SEEN_NAME, LOG_NAME)
    return {name: (root / "Library" / name).read_bytes() for name in names if (root / "Library" / name).is_file()}


def edited(root: Path, text: bytes) -> dict[str, bytes]:
    """Change an asset, save what a workspace finds, and return the files."""
    (root / "Assets/F/b.txt").write_bytes(text)
    time.sleep(SETTLED)
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        saved(workspace)
        assert workspace.record.is_written
    return files_of(root)


@pytest.fixture
def settled(root: Path) -> Path:
    time.sleep(SETTLED)
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        saved(workspace)
    return root


def test_an_edit_writes_its_directory_beside_the_cache(settled: Path) -> None:
    before = files_of(settled)
    one, two = edited(settled, b"other"), edited(settled, b"another")
    assert LOG_NAME not in before
    assert len(one[LOG_NAME]) < len(two[LOG_NAME])
    assert two[LOG_NAME].startswith(one[LOG_NAME])
    assert {name for name in before if before[name] != two[name]} == {SEEN_NAME}
    (settled / "Library" / FILE_NAME).unlink()
    whole = edited(settled, b"another")
    with opened(settled, ONCE) as workspace:
        assert workspace.refresh().unchanged
    assert LOG_NAME not in whole


def test_an_edit_of_a_reference_writes_its_directory_beside_the_cache(settled: Path) -> None:
    write(settled, "Assets/F/m.mat", 3, b"%YAML 1.1\n--- !u!21 &1\nMaterial:\n  a: 1\n")
    edited(settled, b"b")
    before = files_of(settled)
    text = f"%YAML 1.1\n--- !u!21 &1\nMaterial:\n  a: {{fileID: 1, guid: {guid(1)}, type: 2}}\n"
    (settled / "Assets/F/m.mat").write_text(text)
    after = edited(settled, b"b")
    assert after[FILE_NAME] == before[FILE_NAME]
    assert after[INDEX_NAME] != before[INDEX_NAME]
    assert len(after[LOG_NAME]) > len(before.get(LOG_NAME, b""))
    with opened(settled, Options(workers=1, use_cache=False)) as workspace:
        workspace.refresh()
        assert workspace.contents() == (after[DATABASE_NAME], after[INDEX_NAME])


@pytest.mark.parametrize("lost", [SEEN_NAME, FILE_NAME, LOG_NAME])
def test_an_edit_after_a_lost_or_an_older_file_is_right(
    settled: Path, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(settled, "Assets/F/c.mat", 3, material(1), "NativeFormatImporter:\n")
    before = edited(settled, b"one")
    edited(settled, b"of the log")
    before[LOG_NAME] = files_of(settled)[LOG_NAME]
    (settled / "Assets/F/c.mat").write_text(material(2))
    with monkeypatch.context() as patch:
        if lost == FILE_NAME:
            patch.setattr(cache_log, "MOST_RECORDS", 0)  # so that it is written
        assert edited(settled, b"two")[lost] != before[lost]
    (settled / "Library" / lost).write_bytes(before[lost])  # as if it had not been written
    after = edited(settled, b"three")
    with opened(settled, ONCE) as workspace:
        assert workspace.refresh().unchanged
    for name in (FILE_NAME, LOG_NAME, SEEN_NAME):
        (settled / "Library" / name).unlink(missing_ok=True)
    with opened(settled, ONCE) as workspace:
        workspace.refresh()
        saved(workspace)
    assert files_of(settled)[SEEN_NAME][HEAD_SIZE:-16] == after[SEEN_NAME][HEAD_SIZE:-16]


def test_many_edits_are_one_cache_again(settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_log, "MOST_RECORDS", 2)
    before = edited(settled, b"1")
    assert edited(settled, b"2")[FILE_NAME] == before[FILE_NAME]
    after = edited(settled, b"3")
    assert after[FILE_NAME] != before[FILE_NAME]
    assert LOG_NAME not in after


def test_a_log_of_any_size_is_read_as_far_as_it_is_ours(settled: Path) -> None:
    edited(settled, b"one")
    with (settled / "Library" / LOG_NAME).open("r+b") as file:
        file.truncate(1 << 42)  # more than there is memory
    with opened(settled, ONCE) as workspace:
        assert workspace.refresh().unchanged


def refused(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_where_no_log_can_be_written_the_cache_is(settled: Path) -> None:
    (settled / "Library" / LOG_NAME).mkdir()
    before = files_of(settled)
    assert edited(settled, b"one")[FILE_NAME] != before[FILE_NAME]
    with opened(settled, ONCE) as workspace:
        assert workspace.refresh().unchanged


@needs_links
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_log_that_is_a_link_is_not_written_through(
    settled: Path, tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    before = edited(settled, b"one")
    log, outside = settled / "Library" / LOG_NAME, tmp_path / "outside"
    log.rename(outside)
    link(outside, log)
    after = edited(settled, b"two")
    assert outside.read_bytes() == before[LOG_NAME]
    assert LOG_NAME not in after
    assert after[FILE_NAME] != before[FILE_NAME]
    with opened(settled, ONCE) as workspace:
        assert workspace.refresh().unchanged


def test_a_full_disk_leaves_the_edits_before(settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = edited(settled, b"one")
    monkeypatch.setattr(Output, "append", refused)
    monkeypatch.setattr(Output, "begin_cache", refused)
    (settled / "Assets/F/b.txt").write_bytes(b"two")
    time.sleep(SETTLED)
    with opened(settled, ONCE) as workspace:
        assert workspace.refresh().unchanged
        saved(workspace)
        assert workspace.record.problem is not None
    monkeypatch.undo()
    assert files_of(settled)[LOG_NAME] == before[LOG_NAME]
    assert len(edited(settled, b"two")[LOG_NAME]) > len(before[LOG_NAME])


def test_a_full_disk_leaves_edits_that_changed_the_database(settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(settled, "Assets/F/c.mat", 3, material(1), "NativeFormatImporter:\n")
    edited(settled, b"one")
    (settled / "Assets/F/c.mat").write_text(material(2))
    before = edited(settled, b"two")
    assert LOG_NAME in before
    monkeypatch.setattr(Output, "append", refused)
    monkeypatch.setattr(Output, "begin_cache", refused)
    (settled / "Assets/F/b.txt").write_bytes(b"three")
    time.sleep(SETTLED)
    with opened(settled, ONCE) as workspace:
        workspace.refresh()
        saved(workspace)
        assert workspace.record.problem is not None
    after = files_of(settled)
    assert {name: after.get(name) for name in before} == before


def material(number: int) -> str:
    reference = f"  m_Shader: {{fileID: 4800000, guid: {number:032x}, type: 3}}\n"
    return f"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n  m_Name: c\n{reference}"


def test_packages_are_read_when_their_list_changed(root: Path) -> None:
    (root / "Packages").mkdir()
    manifest = root / "Packages" / "manifest.json"
    manifest.write_text('{"dependencies": {}}')
    cached = root / "Library" / "PackageCache" / "com.acme.tools@1.0.0"
    write(cached, "Tool.cs", 12, "class Tool {}\n", "MonoImporter:\n")
    (cached / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    with opened(root) as workspace:
        workspace.refresh()
        saved(workspace)
        workspace.read_packages()
        assert workspace.has_same_packages()
        time.sleep(0.01)
        manifest.write_text('{"dependencies": {"com.acme.tools": "1.0.0"}}')
        assert not workspace.has_same_packages()
        assert workspace.read_packages()
        assert [row.name for row in workspace.packages.rows] == ["com.acme.tools"]
        assert workspace.has_same_packages()
        assert not workspace.read_packages()


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSETDB_FACTS", str(tmp_path / "facts"))
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))  # all files are old
    return tmp_path / "facts"


def test_facts_are_shared_with_another_clone(root: Path, facts: Path, tmp_path: Path) -> None:
    with opened(root, ONCE) as workspace:
        assert workspace.refresh().files_read == 2
        saved(workspace)
    (pack,) = facts.glob(f"*/*.{FILE_NAME}")
    other = shutil.copytree(root, tmp_path / "Q" / "P", ignore=shutil.ignore_patterns("Library"))
    with opened(other, ONCE) as workspace:
        assert workspace.refresh().files_read == 0  # the times are as they were
        saved(workspace)
    assert list(facts.glob(f"*/*.{FILE_NAME}")) == [pack]  # it has no news
