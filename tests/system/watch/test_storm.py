"""Real directories, real events: whatever happens to a project, at rest its files are those of a cold bake."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

from assetdb.daemon.observers import inotify_calls
from assetdb.errors import DatabaseError
from assetdb.store.database import open_database
from tests.long_cases import long_after
from tests.needs import is_wine, needs_links
from tests.system.graph.project import add, add_folder, data_asset, guid_of, reference, write_project
from tests.system.watch.loop import Loop, assert_as_cold
from tests.system.watch.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).resolve().parents[3]

needs_inotify = pytest.mark.skipif(not inotify_calls.available(), reason="no inotify on this system")
needs_windows = pytest.mark.skipif(sys.platform != "win32", reason="no ReadDirectoryChangesW on this system")
BACKENDS = [
    pytest.param("inotify", marks=needs_inotify),
    pytest.param("windows", marks=needs_windows),
    "watchdog",
    "polling",
]

# Its thread dies of a second watch on one directory, too. The native observers of macOS and Windows are recursive.
WATCHDOG_ON_LINUX = "watchdog's reader of inotify loses what is created right after a mkdir"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "Project")


class Watched:
    """A project that is being watched."""

    def __init__(self, project: Path, scratch: Path, backend: str, *, in_threads: bool = False) -> None:
        self.project = project
        self.folder = project / "Library" / "assetdb"
        self.scratch = scratch
        self.loop = Loop(project, backend=backend, in_threads=in_threads)

    def check(self) -> None:
        self.loop.sync()
        assert_as_cold(self.project, self.folder, self.scratch / "cold")

    def paths(self) -> set[str]:
        return {asset.path for asset in self.loop.session.opened.database}


@pytest.fixture(params=BACKENDS)
def watched(request: pytest.FixtureRequest, project: Path, tmp_path: Path) -> Iterator[Watched]:
    if request.param == "watchdog":
        pytest.importorskip("watchdog")
    watched = Watched(project, tmp_path, request.param)
    with watched.loop:
        watched.check()
        yield watched
        assert watched.loop.reconciler.status()["backend"] == request.param
        assert not [name for name in os.listdir(watched.folder) if name.startswith(".") and name != ".gitignore"]


@pytest.fixture(params=[False, True])
def by_inotify(request: pytest.FixtureRequest, project: Path, tmp_path: Path) -> Iterator[Watched]:
    """Watch in one thread, and in several."""
    if not inotify_calls.available():
        pytest.skip("no inotify on this system")
    watched = Watched(project, tmp_path, "inotify", in_threads=request.param)
    with watched.loop:
        watched.check()
        yield watched


def save_atomically(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.swp")
    beside.write_text(text)
    beside.replace(path)


def test_an_edit_of_an_asset_and_of_a_meta(watched: Watched) -> None:
    target = add(watched.project, "Assets/New.asset", data_asset("New"))
    watched.check()
    assert "Assets/New.asset" in watched.paths()
    target.write_text(data_asset("Other", reference("Assets/Cube.prefab")))
    watched.check()
    meta = target.with_name("New.asset.meta")
    meta.write_text(meta.read_text().replace(guid_of("Assets/New.asset"), "f" * 32))
    watched.check()
    assert watched.loop.session.opened.database.by_guid("f" * 32) is not None


def test_an_atomic_save(watched: Watched) -> None:
    target = add(watched.project, "Assets/Saved.asset", data_asset("Saved"))
    watched.check()
    for number in range(3):
        save_atomically(target, data_asset(f"Saved{number}"))
        watched.check()


def test_folders_move_into_the_project_and_out_and_within(watched: Watched) -> None:
    outside = watched.scratch / "Outside"
    for number in range(4):
        add(outside, f"Assets/Moved/Below{number}/Deep/Thing.asset", data_asset("Thing"))
    (outside / "Assets" / "Moved").rename(watched.project / "Assets" / "Moved")
    watched.check()
    assert "Assets/Moved/Below3/Deep/Thing.asset" in watched.paths()
    inside = watched.project / "Assets" / "Moved"
    inside.rename(watched.project / "Assets" / "Again")
    watched.check()
    assert "Assets/Again/Below3/Deep/Thing.asset" in watched.paths()
    if is_wine():
        pytest.skip("Wine loses changes in a folder that was moved, or names the former one")
    # What happens in a folder after it moved is seen under its new name, at any depth.
    add(watched.project, "Assets/Again/Below0/Deep/Late.asset", data_asset("Late"))
    watched.check()
    assert "Assets/Again/Below0/Deep/Late.asset" in watched.paths()
    (watched.project / "Assets" / "Again").rename(outside / "Gone")
    add(outside, "Gone/Below1/Deep/Unseen.asset", data_asset("Unseen"))
    watched.check()
    assert not any("Below" in path for path in watched.paths())


def test_a_folder_takes_the_place_of_another(watched: Watched) -> None:
    for name in ("One", "Two"):
        add(watched.project, f"Assets/{name}/Below/{name}.asset", data_asset(name))
    watched.check()
    assets = watched.project / "Assets"
    (assets / "One").rename(assets / "Three")
    (assets / "Two").rename(assets / "One")
    (assets / "Three").rename(assets / "Two")
    watched.check()
    add(watched.project, "Assets/One/Below/Late.asset", data_asset("Late"))
    add(watched.project, "Assets/Two/Below/Late2.asset", data_asset("Late2"))
    watched.check()
    assert {"Assets/One/Below/Late.asset", "Assets/Two/Below/Late2.asset"} <= watched.paths()


def test_files_right_after_a_mkdir(watched: Watched) -> None:
    if watched.loop.reconciler.status()["backend"] == "watchdog":
        pytest.skip(WATCHDOG_ON_LINUX)
    for number in range(40):
        add(watched.project, f"Assets/Made{number}/a/b/c/d/Thing{number}.asset", data_asset("Thing"))
    watched.check()
    assert sum("Made" in path for path in watched.paths()) == 40
    for number in range(40):
        shutil.rmtree(watched.project / "Assets" / f"Made{number}")
        add(watched.project, f"Assets/Made{number}/a/b/Other{number}.asset", data_asset("Other"))
    watched.check()
    for number in range(40):
        add(watched.project, f"Assets/Made{number}/a/b/Late.asset{number}.asset", data_asset("Late"))
    watched.check()


def test_a_rename_that_changes_only_case(watched: Watched) -> None:
    add(watched.project, "Assets/Case/Thing.asset", data_asset("Thing"))
    watched.check()
    folder = watched.project / "Assets" / "Case"
    (folder / "Thing.asset").rename(folder / "thing.asset")
    watched.check()
    (folder / "Thing.asset.meta").rename(folder / "thing.asset.meta")
    watched.check()
    folder.rename(folder.with_name("case"))
    if "case" not in os.listdir(folder.parent):
        pytest.skip("this disk does not change the case of a folder's name")
    watched.check()
    assert "Assets/case/thing.asset" in watched.paths()


def test_assets_is_deleted_and_made_again(watched: Watched) -> None:
    assets = watched.project / "Assets"
    if watched.loop.reconciler.status()["backend"] != "watchdog":
        kept = watched.scratch / "Kept"
        shutil.move(assets, kept)
        watched.loop.run(0.2)
        shutil.move(kept, assets)
        watched.check()
    shutil.rmtree(assets)
    add(watched.project, "Assets/Fresh/Thing.asset", data_asset("Fresh"))
    watched.check()
    add(watched.project, "Assets/Fresh/Late.asset", data_asset("Late"))
    watched.check()
    assert watched.paths() >= {"Assets/Fresh/Thing.asset", "Assets/Fresh/Late.asset"}


def test_hidden_names_cause_no_update(by_inotify: Watched) -> None:
    add(by_inotify.project, "Assets/Samples~/Thing.asset", data_asset("Thing"))
    by_inotify.check()
    before = by_inotify.loop.reconciler.status()["updates"]
    (by_inotify.project / "Assets" / ".swap").write_text("x")
    add(by_inotify.project, "Assets/Samples~/Other.asset", data_asset("Other"))
    (by_inotify.project / "Assets" / "Thing.asset~").write_text("x")
    by_inotify.check()
    assert by_inotify.loop.reconciler.status()["updates"] == before
    (by_inotify.project / "Assets" / "Samples~").rename(by_inotify.project / "Assets" / "Samples")
    by_inotify.check()
    assert "Assets/Samples/Thing.asset" in by_inotify.paths()


def test_the_files_are_written_again_when_somebody_removes_them(watched: Watched) -> None:
    for name in ("asset-db.bin", "asset-db.index"):
        (watched.folder / name).unlink()
        watched.check()
        (watched.folder / name).write_bytes(b"not ours")
        watched.check()
    shutil.rmtree(watched.project / "Library")
    watched.check()
    add(watched.project, "Assets/New.asset", data_asset("New"))
    watched.check()


@pytest.mark.long
def test_removed_files_come_back_by_themselves(by_inotify: Watched) -> None:
    (by_inotify.folder / "asset-db.bin").unlink()
    by_inotify.loop.run(0.3)
    assert (by_inotify.folder / "asset-db.bin").is_file()
    (by_inotify.project / "Library").rename(by_inotify.project / "Library.old")
    for _ in range(20):  # of a second each, on a loaded machine
        by_inotify.loop.run(1.0)
        if (by_inotify.folder / "asset-db.bin").is_file():
            break
    assert (by_inotify.folder / "asset-db.bin").is_file()
    shutil.rmtree(by_inotify.project / "Library.old")
    by_inotify.check()


def test_an_edit_is_written_without_anybody_asking(by_inotify: Watched) -> None:
    add(by_inotify.project, "Assets/New.asset", data_asset("New"))
    end = time.monotonic() + 30
    while b"New.asset" not in (by_inotify.folder / "asset-db.bin").read_bytes():
        assert time.monotonic() < end
        by_inotify.loop.step(0.1)
    by_inotify.loop.run(0.5)
    assert by_inotify.loop.reconciler.status()["saved"]


def test_at_rest_there_is_no_timer_but_the_cache(by_inotify: Watched) -> None:
    by_inotify.loop.run(0.5)
    assert (by_inotify.loop.reconciler.next_deadline() or 0) > 5
    by_inotify.loop.reconciler.save_cache()
    by_inotify.loop.run(0.1)
    assert by_inotify.loop.reconciler.next_deadline() is None


def test_an_editor_says_what_it_wrote(watched: Watched) -> None:
    target = add(watched.project, "Assets/Said/New.asset", data_asset("New"))
    watched.loop.reconciler.changed(["Assets/Said/New.asset", str(target), "../elsewhere", "/etc/passwd", "Library/x"])
    end = time.monotonic() + 30
    while "Assets/Said/New.asset" not in watched.paths():
        assert time.monotonic() < end
        watched.loop.step(0.1)
    watched.check()


def test_settings_change(watched: Watched) -> None:
    add(watched.project, "Assets/Skip/New.asset", data_asset("New"))
    watched.check()
    (watched.project / "assetdb.toml").write_text('exclude = ["Assets/Skip/"]\n')
    watched.check()
    assert "Assets/Skip/New.asset" not in watched.paths()
    (watched.project / "assetdb.toml").write_text("nonsense = [\n")
    watched.loop.sync()
    assert watched.loop.reconciler.status()["problem"]
    (watched.project / "assetdb.toml").write_text('out-dir = "Build"\n')
    watched.loop.sync()
    watched.loop.sync()
    watched.folder = watched.project / "Build"
    watched.check()
    add(watched.project, "Assets/Skip/Late.asset", data_asset("Late"))
    watched.check()


@needs_inotify
def test_a_folder_that_may_be_read_again(by_inotify: Watched, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = inotify_calls.add_watch
    folder = by_inotify.project / "Assets" / "Closed"

    def forbidden(instance: int, path: bytes, mask: int) -> int:
        if path == os.fsencode(folder) and folder.stat().st_mode & 0o777 == 0:
            raise PermissionError(13, "Permission denied", path)
        return real(instance, path, mask)

    monkeypatch.setattr(inotify_calls, "add_watch", forbidden)  # root may read everything
    (tmp_path / "Closed").mkdir()
    (tmp_path / "Closed").chmod(0)
    (tmp_path / "Closed").rename(folder)
    by_inotify.check()
    folder.chmod(0o755)
    by_inotify.check()
    add(by_inotify.project, "Assets/Closed/New.asset", data_asset("New"))
    by_inotify.check()
    assert "Assets/Closed/New.asset" in by_inotify.paths()


# --- links


def test_a_link_to_a_file(by_inotify: Watched) -> None:
    outside = by_inotify.scratch / "Outside"
    (outside / "real").mkdir(parents=True)
    (outside / "real" / "Thing.asset").write_text(data_asset("First"))
    (outside / "way").symlink_to("real")
    add(by_inotify.project, "Assets/Linked.asset")
    link = by_inotify.project / "Assets" / "Linked.asset"
    link.unlink()
    link.symlink_to(outside / "way" / "Thing.asset")
    by_inotify.check()
    (outside / "real" / "Thing.asset").write_text(data_asset("A longer name", reference("Assets/Cube.prefab")))
    by_inotify.check()
    save_atomically(outside / "real" / "Thing.asset", data_asset("Third"))
    by_inotify.check()
    (outside / "other").mkdir()
    (outside / "other" / "Thing.asset").write_text(data_asset("The other", reference("Assets/Cube.prefab")))
    (outside / "way").unlink()
    (outside / "way").symlink_to("other")
    by_inotify.check()
    (outside / "other").rename(outside / "gone")
    by_inotify.check()
    (outside / "gone").rename(outside / "other")
    by_inotify.check()
    (outside / "other" / "Thing.asset").write_text(data_asset("After all"))
    by_inotify.check()


@needs_inotify
def test_a_link_that_the_cache_knew(project: Path, tmp_path: Path) -> None:
    target = tmp_path / "Thing.asset"
    target.write_text(data_asset("First"))
    add(project, "Assets/Linked.asset")
    (project / "Assets" / "Linked.asset").unlink()
    (project / "Assets" / "Linked.asset").symlink_to(target)
    for number in range(3):
        watched = Watched(project, tmp_path, "inotify")
        with watched.loop:
            watched.loop.run(0.3)
            assert watched.loop.reconciler.status()["links"]
            target.write_text(data_asset(f"Number {number}", *[reference("Assets/Cube.prefab")] * number))
            watched.check()


def test_links_to_folders_are_not_followed_but_what_they_are_matters(by_inotify: Watched) -> None:
    outside = by_inotify.scratch / "Outside"
    add(outside, "Assets/Thing.asset", data_asset("Thing"))
    add_folder(by_inotify.project, "Assets/Link")
    (by_inotify.project / "Assets" / "Link").rmdir()
    (by_inotify.project / "Assets" / "Link").symlink_to(outside / "Assets")
    os.utime(by_inotify.project / "Assets", (1_000_000_000, 1_000_000_000))  # so old that its time is believed
    by_inotify.check()
    (outside / "Assets").rename(outside / "Gone")
    by_inotify.check()
    (outside / "Assets").write_text("a file now")
    by_inotify.check()


@needs_links
def test_assets_may_be_a_link(tmp_path: Path) -> None:
    original = write_project(tmp_path / "Original")
    clone = tmp_path / "Clone"
    clone.mkdir()
    for name in ("Assets", "Packages", "ProjectSettings"):
        (clone / name).symlink_to(original / name)
    watched = Watched(clone, tmp_path, "inotify" if inotify_calls.available() else "")
    with watched.loop:
        watched.check()
        add(original, "Assets/Below/New.asset", data_asset("New"))
        watched.check()
        assert "Assets/Below/New.asset" in watched.paths()
        other = write_project(tmp_path / "Other")
        add(other, "Assets/Other.asset", data_asset("Other"))
        (clone / "Assets").unlink()
        (clone / "Assets").symlink_to(other / "Assets")
        watched.check()
        add(other, "Assets/Late.asset", data_asset("Late"))
        watched.check()
        assert {"Assets/Other.asset", "Assets/Late.asset"} <= watched.paths()


# --- storms


class Reader:
    """A thread that opens the database all the time: every file that it finds must be whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._end = threading.Event()
        self.opened = 0
        self.failure = ""
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.is_set():
            try:
                with open_database(self._path) as database:
                    assert sum(1 for _ in database) == len(database)
            except FileNotFoundError:
                pass
            except (DatabaseError, AssertionError) as error:
                self.failure = repr(error)
                return
            self.opened += 1
            self._end.wait(0.005)


def storm(watched: Watched, seed: int, operations: int) -> None:
    """Let two processes do random things to a project while it is watched, then compare."""
    command = [
        sys.executable,
        "-m",
        "tests.system.watch.writer",
        str(watched.project),
        str(watched.scratch / "outside"),
    ]
    with Reader(watched.folder / "asset-db.bin") as reader:
        writers = [
            subprocess.Popen([*command, str(seed * 2 + number), str(operations)], cwd=CHECKOUT) for number in range(2)
        ]
        while any(writer.poll() is None for writer in writers):
            watched.loop.step(0.05)
        assert [writer.returncode for writer in writers] == [0, 0]
        watched.check()
    assert not reader.failure
    assert reader.opened
    assert not watched.loop.reconciler.status()["problem"]


@pytest.mark.parametrize("seed", long_after(1, range(3)))
def test_two_writers(by_inotify: Watched, seed: int) -> None:
    storm(by_inotify, seed, 1000)
    by_inotify.loop.run(0.3)  # nothing follows
    by_inotify.check()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 11))
def test_two_writers_for_long(by_inotify: Watched, seed: int) -> None:
    storm(by_inotify, seed, 4000)


def test_two_writers_and_nothing_that_tells(project: Path, tmp_path: Path) -> None:
    watched = Watched(project, tmp_path, "polling")
    with watched.loop:
        storm(watched, 99, 500)


def test_edits_during_the_first_bake(project: Path, tmp_path: Path) -> None:
    writer = Writer(project, tmp_path / "outside", 5)
    for _ in range(300):
        writer.step()
    command = [sys.executable, "-m", "tests.system.watch.writer", str(project), str(tmp_path / "outside"), "7", "1500"]
    process = subprocess.Popen(command, cwd=CHECKOUT)
    watched = Watched(project, tmp_path, "inotify" if inotify_calls.available() else "")
    with watched.loop:
        while process.poll() is None:
            watched.loop.step(0.05)
        assert process.returncode == 0
        watched.check()


# --- rescans


@pytest.mark.long
@needs_inotify
def test_a_real_overflow(by_inotify: Watched) -> None:
    limit = inotify_calls.limit("max_queued_events")
    if not 0 < limit <= 1 << 17:
        pytest.skip(f"fs.inotify.max_queued_events = {limit} is too large to be filled here")
    observer = by_inotify.loop.reconciler.watch.observer
    reader = observer._reader  # type: ignore[attr-defined]
    reader.stop()
    folder = by_inotify.project / "Assets"
    for number in range(limit // 3 + 10):  # created, written, closed: three events that do not merge
        (folder / f"n{number}.txt").write_text("x")
    add(by_inotify.project, "Assets/Lost/Below/New.asset", data_asset("New"))
    for number in range(limit // 3 + 10):
        (folder / f"n{number}.txt").unlink()
    observer.listen()
    by_inotify.check()
    assert by_inotify.loop.reconciler.status()["rescan_reason"] == "the kernel's queue of events overflowed"
    assert "Assets/Lost/Below/New.asset" in by_inotify.paths()
    add(by_inotify.project, "Assets/Lost/Below/Late.asset", data_asset("Late"))
    by_inotify.check()
    assert "Assets/Lost/Below/Late.asset" in by_inotify.paths()


@needs_inotify
def test_lost_events_and_an_overflow_in_their_place(by_inotify: Watched) -> None:
    observer = by_inotify.loop.reconciler.watch.observer
    reader = observer._reader  # type: ignore[attr-defined]
    overflow = b"\xff\xff\xff\xff\x00\x40\x00\x00" + bytes(8)
    chooser = random.Random(3)
    writer = Writer(by_inotify.project, by_inotify.scratch / "outside", 11)
    for _ in range(15):
        reader._buffers.append(overflow)
        for _ in range(chooser.randrange(30)):
            writer.step()
        reader._buffers.clear()  # some of what happened
        reader._size = 0
        reader._buffers.append(overflow)
        reader._size = len(overflow)
        by_inotify.check()


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may mount")
@needs_inotify
def test_mounts(by_inotify: Watched) -> None:
    add(by_inotify.project, "Assets/Disk/Thing.asset", data_asset("Thing"))
    by_inotify.check()
    place = by_inotify.project / "Assets" / "Disk"
    try:
        subprocess.run(["mount", "-t", "tmpfs", "none", str(place)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"cannot mount here: {error}")
    try:
        add(by_inotify.project, "Assets/Disk/Other.asset", data_asset("Other"))
        by_inotify.loop.run(0.3)
        by_inotify.check()
        assert "Assets/Disk/Other.asset" in by_inotify.paths()
        add(by_inotify.project, "Assets/Disk/Third.asset", data_asset("Third"))
        by_inotify.check()
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True, capture_output=True)
    by_inotify.loop.run(0.3)
    by_inotify.check()
    assert "Assets/Disk/Thing.asset" in by_inotify.paths()


@needs_inotify
def test_directories_that_the_cache_does_not_know_are_watched_too(project: Path, tmp_path: Path) -> None:
    watched = Watched(project, tmp_path, "inotify")
    with watched.loop:
        watched.check()
    add(project, "Assets/While/Nobody/Watched.asset", data_asset("Watched"))
    add_folder(project, "Assets/While/Target")
    (project / "Assets" / "Linked").symlink_to(project / "Assets" / "While" / "Target")
    watched = Watched(project, tmp_path, "inotify")
    reconciler, session = watched.loop.reconciler, watched.loop.session
    start = session.start

    def meddled() -> object:
        update = start()
        # Between the scan, which found the folder, and the watch on it: no event tells of these.
        add(project, "Assets/While/Nobody/Between.asset", data_asset("Between"))
        add(project, "Assets/While/Nobody/Deeper/Between.asset", data_asset("Between"))
        return update

    session.start = meddled  # type: ignore[method-assign]
    with watched.loop:
        assert reconciler.status()["backend"] == "inotify"
        watched.check()
        assert {"Assets/While/Nobody/Between.asset", "Assets/While/Nobody/Deeper/Between.asset"} <= watched.paths()
        add(project, "Assets/While/Nobody/Deeper/Late.asset", data_asset("Late"))
        watched.check()
        assert "Assets/While/Nobody/Deeper/Late.asset" in watched.paths()


@pytest.mark.long
@needs_inotify
def test_limits_too_small(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = inotify_calls.add_watch
    allowed = [3]

    def limited(instance: int, path: bytes, mask: int) -> int:
        if not allowed[0]:
            raise inotify_calls.error_of(28, os.fsdecode(path))
        allowed[0] -= 1
        return real(instance, path, mask)

    monkeypatch.setattr(inotify_calls, "add_watch", limited)
    monkeypatch.setattr("assetdb.daemon.reconciling.watch._REWATCH", 0.05)
    watched = Watched(project, tmp_path, "")
    with watched.loop:
        assert "fs.inotify.max_user_watches = " in watched.loop.logged[0]
        status = watched.loop.reconciler.status()
        assert status["backend"] == "polling"
        assert "fs.inotify.max_user_watches = " in str(status["not_watched"])
        assert "sysctl fs.inotify.max_user_watches=524288 raises it" in str(status["not_watched"])
        add(project, "Assets/New.asset", data_asset("New"))
        watched.check()
        allowed[0] = 1000  # somebody raised it
        end = time.monotonic() + 30
        while watched.loop.reconciler.status()["backend"] != "inotify":
            assert time.monotonic() < end
            watched.loop.step(0.5)
        add(project, "Assets/Newer.asset", data_asset("Newer"))
        watched.check()
    allowed[0] = 1000
    watched = Watched(project, tmp_path, "")
    with watched.loop:
        assert watched.loop.reconciler.status()["backend"] == "inotify"
        assert "not_watched" not in watched.loop.reconciler.status()
        allowed[0] = 0
        add(project, "Assets/One/Two/New.asset", data_asset("New"))
        watched.check()
        assert watched.loop.reconciler.status()["backend"] == "polling"
        assert "fs.inotify.max_user_watches = " in str(watched.loop.reconciler.status()["not_watched"])
        add(project, "Assets/One/Two/Late.asset", data_asset("Late"))
        end = time.monotonic() + 30
        while "Assets/One/Two/Late.asset" not in watched.paths():
            assert time.monotonic() < end
            watched.loop.step(0.5)


@pytest.mark.long
@needs_inotify
def test_the_project_moves_away_and_comes_back(by_inotify: Watched) -> None:
    away = by_inotify.project.with_name("Away")
    by_inotify.project.rename(away)
    add(away, "Assets/New.asset", data_asset("New"))
    by_inotify.loop.run(0.3)
    away.rename(by_inotify.project)
    by_inotify.loop.run(0.3)
    by_inotify.check()
    assert "Assets/New.asset" in by_inotify.paths()
    add(by_inotify.project, "Assets/Late.asset", data_asset("Late"))
    by_inotify.check()
