"""Packages outside the project are in the graph, marked as such, and never in the project's own database."""

from __future__ import annotations

import errno
import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.daemon.session import Session
from assetdb.packages import database as package_database
from assetdb.packages import external
from assetdb.packages.database import refresh
from assetdb.packages.external import LIMITS, Bound, find_packages
from assetdb.packages.listing import are_same
from assetdb.packages.search import find_in_packages
from assetdb.packages.view import PackageView
from assetdb.scan.changes import Changes
from assetdb.scan.reader import DirectoryReader
from assetdb.store.files import PACKAGES_FOLDER
from scripts.make_packages import build, guid_of, material, write_asset
from tests.needs import needs_links, needs_pipes
from tests.system.bake.test_old_times import make_old

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "Packages/com.example.package000/Runtime/Part000/Material00000.mat"
LAST = "Packages/com.example.package002/Runtime/Part000/Material00003.mat"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project of 12 materials in three packages, with a fourth package of ``file:``."""
    root = tmp_path / "Project"
    build(str(root), 12, 3)
    manifest = root / "Packages" / "manifest.json"
    found = json.loads(manifest.read_text())
    found["dependencies"]["com.example.local"] = "file:../../Local"
    manifest.write_text(json.dumps(found))
    local = tmp_path / "Local"
    write_asset(str(local / "Here.mat"), "Packages/com.example.local/Here.mat", material("Here", "Assets/Own.mat"))
    return root


def ask(project: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    main([*words, "--json", "--project", str(project)])
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def rows(found: dict[str, object], key: str) -> dict[str, str]:
    items = found[key]
    assert isinstance(items, list)
    return {item["path"]: item["package"] for item in items}


def test_packages_refer_and_are_referred_to(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = assetdb.bake(project)
    with assetdb.open_database(result.database) as database:
        assert [asset.path for asset in database] == ["Assets/Own.mat"]
    assert rows(ask(project, capsys, "deps", "Assets/Own.mat"), "dependencies") == {
        LAST: "com.example.package002@1.0.0"
    }
    assert rows(ask(project, capsys, "usages", "Assets/Own.mat"), "usages") == {
        FIRST: "com.example.package000@1.0.0",
        "Packages/com.example.local/Here.mat": "com.example.local@file:../../Local",
    }
    assert rows(ask(project, capsys, "usages", LAST), "usages") == {"Assets/Own.mat": ""}
    assert rows(ask(project, capsys, "deps", FIRST), "dependencies") == {"Assets/Own.mat": ""}
    deep = rows(ask(project, capsys, "deps", "Packages/com.example.local/Here.mat", "--deep"), "dependencies")
    assert len(deep) == 13  # over the project into the packages and back
    places = ask(project, capsys, "usages", "Assets/Own.mat", "--objects")["objects"]
    assert isinstance(places, list)
    assert {(item["path"], item["line"]) for item in places} == {(FIRST, 7), ("Packages/com.example.local/Here.mat", 7)}


def test_what_a_package_uses_is_not_unused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_asset(str(project / "Assets" / "Lone.mat"), "Assets/Lone.mat", material("Lone"))
    assetdb.bake(project)
    report = ask(project, capsys, "unused")
    assert [row["path"] for row in report["unused"]] == ["Assets/Lone.mat"]  # type: ignore[attr-defined] # a list
    assert [row["reason"] for row in report["kept"]] == ["used by a package"]  # type: ignore[attr-defined] # the same


def test_text_is_marked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deps", "Assets/Own.mat", "--project", str(project)]) == 0
    assert capsys.readouterr().out.split() == [LAST, "Material", guid_of(LAST), "com.example.package002@1.0.0"]


def test_guid_path_find_and_name_know_their_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--project", str(project)]
    for words, expected in (
        (["guid", "Here.mat"], guid_of("Packages/com.example.local/Here.mat")),
        (["path", guid_of(FIRST)], FIRST),
        (["find", "Here"], "Packages/com.example.local/Here.mat"),
        (["name", f"{guid_of(FIRST)}:2100000"], "[com.example.package000]"),
    ):
        assert main([*words, *where]) == 0, words
        assert expected in capsys.readouterr().out, words


def test_a_guid_of_both_is_said(project: Path) -> None:
    copied = project / "Assets" / "Copied.mat"
    write_asset(str(copied), LAST, material("Copied"))
    for _ in range(2):  # and a bake that changes nothing says it, too
        found = [item for item in assetdb.bake(project).diagnostics if item.code == "guid-in-package"]
        assert [(item.path, item.message.partition(";")[0]) for item in found] == [
            ("Assets/Copied.mat", f"has the GUID {guid_of(LAST)} of {LAST}")
        ]
    copied.unlink()
    (project / "Assets" / "Copied.mat.meta").unlink()
    assert not [item for item in assetdb.bake(project).diagnostics if item.code == "guid-in-package"]


def test_a_folder_of_the_cache_that_was_edited_by_hand_is_read_again(project: Path) -> None:
    def path_of(number: int) -> str:
        assetdb.bake(project)
        view = PackageView(str(project / "Library" / "assetdb"))
        try:
            found = view.by_guid(f"{number:032x}")
            return found.path if found is not None else ""
        finally:
            view.close()

    def put(file: Path, number: int) -> None:
        file.write_text(material("New"))
        file.with_name(f"{file.name}.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\n")

    place = next((project / "Library" / "PackageCache").glob("com.example.package000@*"))
    assert not path_of(1)
    put(place / "New.mat", 1)
    assert path_of(1) == "Packages/com.example.package000/New.mat"
    (place / "New.mat").rename(place / "Other.mat")
    (place / "New.mat.meta").rename(place / "Other.mat.meta")
    assert path_of(1) == "Packages/com.example.package000/Other.mat"
    deep = place / "Runtime" / "Part000" / "Material00000.mat"
    assert path_of(int(guid_of(FIRST), 16)) == FIRST
    put(deep, 2)  # no time of the package's own folder changes
    os.utime(place)
    assert path_of(2) == FIRST
    assert not path_of(int(guid_of(FIRST), 16))
    assert_as_cold(project)


def test_the_cache_is_read_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = project / "Packages" / "manifest.json"
    found = json.loads(manifest.read_text())
    del found["dependencies"]["com.example.local"]
    manifest.write_text(json.dumps(found))
    read: list[bytes] = []
    original = DirectoryReader.read

    def spy(self: DirectoryReader, path: bytes, known: object) -> object:
        read.append(path)
        return original(self, path, known)  # type: ignore[arg-type] # as it was given

    assetdb.bake(project)
    monkeypatch.setattr(DirectoryReader, "read", spy)
    assetdb.bake(project)
    assert not [path for path in read if path.startswith(b"Packages/com.example")]
    cache = project / "Library" / "PackageCache"
    shutil.copytree(cache / "com.example.package001@1.0.0", cache / "com.example.package001@2.0.0")
    shutil.rmtree(cache / "com.example.package001@1.0.0")
    (cache / "com.example.package001@2.0.0" / "package.json").write_text('{"version": "2.0.0"}')
    for name in ("manifest.json", "packages-lock.json"):
        path = project / "Packages" / name
        text = path.read_text().replace('"com.example.package001": "1.0.0"', '"com.example.package001": "2.0.0"')
        path.write_text(
            text.replace('"com.example.package001": {"version": "1.', '"com.example.package001": {"version": "2.')
        )
    assetdb.bake(project)
    assert {path.split(b"/")[1] for path in read if path.startswith(b"Packages/com")} == {b"com.example.package001"}
    monkeypatch.undo()
    assert_as_cold(project)


def assert_as_cold(project: Path) -> None:
    """Compare the packages' files with those of a first bake."""
    cold = project.parent / "cold"
    shutil.rmtree(cold, ignore_errors=True)
    assetdb.bake(project, cold, keep_going=True)
    for name in ("asset-db.bin", "asset-db.index"):
        for folder in ("", PACKAGES_FOLDER):
            warm = project / "Library" / "assetdb" / folder / name
            assert warm.read_bytes() == (cold / folder / name).read_bytes(), (folder, name)


def test_local_packages_are_looked_at_like_the_project(project: Path, tmp_path: Path) -> None:
    assetdb.bake(project)
    local = tmp_path / "Local"
    write_asset(str(local / "Deep" / "New.mat"), "Packages/com.example.local/Deep/New.mat", material("New", FIRST))
    assetdb.bake(project)
    assert_as_cold(project)
    (local / "Here.mat").unlink()
    (local / "Here.mat.meta").unlink()
    assetdb.bake(project)
    assert_as_cold(project)
    shutil.rmtree(local)
    assetdb.bake(project)
    assert_as_cold(project)


def test_a_package_that_leads_out_is_bounded_and_said(project: Path, tmp_path: Path) -> None:
    for number in range(9):
        write_asset(str(tmp_path / "Local" / str(number) / "A.mat"), f"L{number}", material("A"))
    folder = project / "Library" / "assetdb"
    assetdb.bake(project)
    (project / "Library" / "assetdb" / PACKAGES_FOLDER / "packages.list").unlink()
    found = refresh(str(project), str(folder), limits=LIMITS._replace(files=3))
    assert [item.code for item in found.problems] == ["package-too-large"]
    assert refresh(str(project), str(folder), limits=LIMITS._replace(files=3)).problems == found.problems
    assert not refresh(str(project), str(folder)).problems


def test_all_that_leads_out_is_bounded_together(project: Path, tmp_path: Path) -> None:
    manifest = project / "Packages" / "manifest.json"
    found = json.loads(manifest.read_text())
    for number in range(5):
        name = f"com.example.more{number}"
        write_asset(str(tmp_path / name / "A.mat"), name, material("A"))
        found["dependencies"][name] = f"file:../../{name}"
    manifest.write_text(json.dumps(found))
    limits = LIMITS._replace(files=6)  # two names each: an asset and its meta
    folder = project / "Library" / "assetdb"
    assetdb.bake(project)
    (folder / PACKAGES_FOLDER / "packages.list").unlink()
    cut = [item.path for item in refresh(str(project), str(folder), limits=limits).problems]
    bound = Bound(limits)
    find_in_packages(str(project), bound)
    assert [f"Packages/{row.name}" for row in bound.cut] == cut
    assert len(cut) == 3


def test_both_ways_find_the_same_assets(project: Path) -> None:
    assetdb.bake(project)
    searched, packages = find_in_packages(str(project))
    view = PackageView(str(project / "Library" / "assetdb"))
    assert view.database is not None
    guids = [asset.guid for asset in view.database]
    assert {guid: view.locate(guid) for guid in guids} == {guid: searched[guid] for guid in guids}
    assert packages.missing == view.list.missing
    view.close()


def test_without_packages_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "ProjectSettings").mkdir()
    write_asset(str(tmp_path / "Assets" / "A.mat"), "A", material("A"))
    assetdb.bake(tmp_path)
    assert not (tmp_path / "Library" / "assetdb" / PACKAGES_FOLDER).exists()


@pytest.mark.parametrize("damage", ["asset-db.bin", "asset-db.index", "asset-db.cache", "packages.list"])
def test_damaged_files_are_made_again(project: Path, damage: str) -> None:
    assetdb.bake(project)
    path = project / "Library" / "assetdb" / PACKAGES_FOLDER / damage
    path.write_bytes(path.read_bytes()[:-40] + os.urandom(40))
    (project / "Packages" / "manifest.json").touch()
    assetdb.bake(project)
    assert_as_cold(project)


@pytest.mark.parametrize("count", ["", "x", "1" * 5000])
def test_a_list_with_a_wrong_count_is_made_again(project: Path, count: str) -> None:
    assetdb.bake(project)
    path = project / "Library" / "assetdb" / PACKAGES_FOLDER / "packages.list"
    lines = path.read_text().split("\n")
    path.write_text("\n".join([*lines[:3], count, *lines[4:]]))
    assetdb.bake(project)
    assert_as_cold(project)


def test_a_live_project_keeps_them_current(project: Path, tmp_path: Path) -> None:
    live = Session(str(project))
    live.start()
    assert live.save()
    assert live.has_local_packages
    new = "Packages/com.example.local/New.mat"
    assert live.opened.packages.by_guid(guid_of(new)) is None
    write_asset(str(tmp_path / "Local" / "New.mat"), new, material("New", LAST))
    live.refresh_packages()
    asset = live.opened.packages.by_guid(guid_of(new))
    assert asset is not None
    assert asset.path == new
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {}}')
    (project / "Packages" / "packages-lock.json").write_text('{"dependencies": {}}')
    assert live.opened.packages.by_guid(guid_of(FIRST)) is None
    live.close()
    assert package_database.read_list(str(project / "Library" / "assetdb")).rows == ()


def test_the_first_question_is_answered_from_packages_as_they_are_then(project: Path) -> None:
    assetdb.bake(project)
    live = Session(str(project))
    live.start()
    assert live.save()
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {}}')
    (project / "Packages" / "packages-lock.json").write_text('{"dependencies": {}}')
    assert live.opened.packages.by_guid(guid_of(FIRST)) is None
    live.close()


def test_a_file_of_a_package_that_could_not_be_read_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pointer = "Packages/com.example.package000/Runtime/Part000/Material00001.mat"
    below = pointer.removeprefix("Packages/com.example.package000/")
    (project / "Library/PackageCache/com.example.package000@1.0.0" / below).write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n"
    )
    local = project.parent / "Local"
    write_asset(str(local / "Empty.mat"), "Packages/com.example.local/Empty.mat", "")
    assert ask(project, capsys, "usages", FIRST)["unread_files"] == 2
    assert ask(project, capsys, "deps", pointer)["unread_files"] == 1
    assert main(["usages", FIRST, "--project", str(project)]) == 1
    assert f"(LFS pointers: 1, empty files: 1): Packages/com.example.local/Empty.mat, {pointer}" in (
        capsys.readouterr().err.replace("empty files: 1, LFS pointers: 1", "LFS pointers: 1, empty files: 1")
    )
    assert main(["deps", pointer, "--project", str(project)]) == 1
    assert "is a Git LFS pointer" in capsys.readouterr().err
    (local / "Empty.mat").write_text(material("Empty"))
    assert ask(project, capsys, "usages", FIRST)["unread_files"] == 1


def test_what_a_save_reads_of_packages_is_answered(project: Path, tmp_path: Path) -> None:
    live = Session(str(project))
    live.start()
    new = "Packages/com.example.local/New.mat"
    write_asset(str(project / "Assets" / "More.mat"), "Assets/More.mat", material("More"))
    live.update({b"Assets"})
    assert live.opened.packages.by_guid(guid_of(new)) is None  # it opens the files as they are
    write_asset(str(tmp_path / "Local" / "New.mat"), new, material("New", LAST))
    assert live.save()
    assert live.opened.packages.by_guid(guid_of(new)) is not None
    assert not live.refresh_packages()
    write_asset(str(project / "Assets" / "Most.mat"), "Assets/Most.mat", material("Most"))
    live.update({b"Assets"})
    held = live.opened
    assert live.save()
    assert live.opened is held  # files of the project alone: what was read for answers stays
    live.close()


@pytest.mark.long
def test_a_package_that_cannot_be_read_just_now_loses_no_update(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Session(str(project))
    live.start()
    new = "Packages/com.example.local/New.mat"
    write_asset(str(project / "Assets" / "More.mat"), "Assets/More.mat", material("More"))
    write_asset(str(tmp_path / "Local" / "New.mat"), new, material("New", LAST))
    real = os.open

    def refuse(path: str | bytes, *rest: int, **more: int) -> int:
        if os.fsencode(path).endswith(b"Local/New.mat"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *rest, **more)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refuse)
        assert [change.path for change in live.reconcile().changes] == ["Assets/More.mat"]
        assert not live.refresh_packages()
        assert live.opened.packages.by_guid(guid_of(FIRST)) is not None
    assert live.refresh_packages()
    assert live.opened.packages.by_guid(guid_of(new)) is not None
    live.close()


@needs_links
@needs_pipes
def test_nothing_is_written_or_removed_through_a_link(project: Path, tmp_path: Path) -> None:
    """The output folder may be a stranger's, with all that is in it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "asset-db.bin").write_bytes(b"somebody's")
    folder = project / "Library" / "assetdb"
    folder.mkdir(exist_ok=True)
    (folder / PACKAGES_FOLDER).symlink_to(elsewhere)
    assetdb.bake(project)
    assert_as_cold(project)
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / PACKAGES_FOLDER).symlink_to(elsewhere)
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {}}')
    (project / "Packages" / "packages-lock.json").write_text('{"dependencies": {}}')
    assetdb.bake(project)
    assert os.listdir(elsewhere) == ["asset-db.bin"]
    assert (elsewhere / "asset-db.bin").read_bytes() == b"somebody's"


def test_files_are_compared_as_the_project_has_it_and_leftovers_removed(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network file system may give other inodes after each mount."""
    (project / "assetdb.toml").write_text('check-stat = "minimal"\n')
    make_old(tmp_path / "Local")
    assetdb.bake(project)
    folder = project / "Library" / "assetdb" / PACKAGES_FOLDER
    (folder / ".packages.list.temporary").write_bytes(b"half")
    for path in (*folder.iterdir(), tmp_path / "Local" / "Here.mat"):
        other = path.with_name("other")
        shutil.copy2(path, other)
        other.replace(path)
    make_old(tmp_path / "Local")
    read: list[bytes] = []
    original = Changes.read

    def spy(self: Changes, path: bytes, *rest: object) -> object:
        read.append(path)
        return original(self, path, *rest)  # type: ignore[arg-type] # as it was given

    monkeypatch.setattr(Changes, "read", spy)
    assetdb.bake(project)
    assert not [path for path in read if path.startswith(b"Packages/com.example")]
    assert not (folder / ".packages.list.temporary").exists()


@needs_links
@needs_pipes
def test_a_list_that_is_a_pipe_is_none(project: Path) -> None:
    folder = project / "Library" / "assetdb" / PACKAGES_FOLDER
    folder.mkdir(parents=True)
    os.mkfifo(folder / "packages.list")
    assetdb.bake(project)
    assert_as_cold(project)


def test_a_project_that_was_removed_does_not_come_back(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between what was read of its lists and what is written, all of it may go."""
    stamps_of = package_database.stamps_of

    def removed(root: str, check_stat: str) -> str:
        found = stamps_of(root, check_stat)
        monkeypatch.setattr(external, "find_packages", lambda _: before)
        shutil.rmtree(root)
        return found

    before = find_packages(str(project))
    monkeypatch.setattr(package_database, "stamps_of", removed)
    with pytest.raises(assetdb.ProjectError, match="cannot be made"):
        refresh(str(project), str(project / "Library" / "assetdb"))
    assert not project.exists()


@pytest.mark.parametrize("check_stat", ["default", "minimal"])
def test_inodes_that_change_by_themselves(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check_stat: str
) -> None:
    """As on network file systems, for which ``check-stat = "minimal"`` is: then nothing is read again for it."""
    (project / "assetdb.toml").write_text(f'check-stat = "{check_stat}"\n')
    (tmp_path / "D").mkdir()
    (tmp_path / "D" / "package.json").write_text('{"name": "d"}')
    (tmp_path / "D" / "X.mat").write_text("")
    (tmp_path / "D" / "X.mat.meta").write_text(f"guid: {'ab' * 16}\n")
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {"d": "file:../../D"}}')
    for path in (*project.rglob("*"), *(tmp_path / "D").rglob("*"), tmp_path / "D"):
        os.utime(path, ns=(10**18, 10**18))
    assetdb.bake(project, keep_going=True)
    folder = str(project / "Library" / "assetdb")
    known = package_database.read_list(folder)
    assert "d" in [row.name for row in known.rows]
    assert are_same(str(project), known.stamps)
    # Another file with the same times and sizes: another inode and ctime.
    for path in (project / "Packages" / "manifest.json", tmp_path / "D" / "X.mat.meta"):
        status = path.stat()
        other = path.with_name("other")
        other.write_bytes(path.read_bytes().replace(b"ab" * 16, b"cd" * 16))
        above = path.parent.stat()
        other.replace(path)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        os.utime(path.parent, ns=(above.st_atime_ns, 10**18))
    assert are_same(str(project), known.stamps) is (check_stat == "minimal")
    package_database.refresh(str(project), folder, check_stat=check_stat)
    view = PackageView(folder)
    read_again = check_stat == "default"
    assert (view.locate("cd" * 16) is not None, view.locate("ab" * 16) is not None) == (read_again, not read_again)


def test_what_was_not_read_of_packages_is_said_where_something_may_be_in_it(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = project / "Packages" / "manifest.json"
    found = json.loads(manifest.read_text())
    found["dependencies"] |= {f"com.example.around{number}": "file:../.." for number in range(5)}
    manifest.write_text(json.dumps(found))
    monkeypatch.chdir(project)
    unknown = "ab" * 16
    (project / "Assets" / "User.mat").write_text(material("User", "x").replace(guid_of("x"), unknown))
    (project / "Assets" / "User.mat.meta").write_text(f"guid: {'cd' * 16}\n")
    for words in (["name", unknown], ["usages", "ef" * 16], ["deps", "Assets/User.mat"], ["coverage"]):
        main(words)
        said = capsys.readouterr().err.splitlines()
        cut = [line for line in said if "package-too-large" in line]
        assert len(cut) == 3, (words, said)
        assert cut[0].startswith("assetdb: Packages/com.example.around0: package-too-large: is ")
        assert said[-1] == "assetdb: and 2 more packages (--verbose lists all)"
        main([*words, "-v"])
        assert capsys.readouterr().err.count("package-too-large") == 5
        main([*words, "-q"])
        assert "package-too-large" not in capsys.readouterr().err
    main(["name", "Assets/Own.mat"])
    assert not capsys.readouterr().err
