"""Locks: who holds them is known, what no lock may be is refused, and where the system has none a file serves."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.files import lock as daemon_lock
from assetdb.errors import LockedError, ProjectError
from assetdb.store import lock as lock_module
from assetdb.store.files import LOCK_NAME
from assetdb.store.lock import FileLock, holder_of, is_held
from assetdb.store.lock_owner import Holder, process_start, this_host, this_process, unpack
from tests.assetdb.store.lock_holder import without_locks
from tests.needs import needs_links, needs_pipes, needs_removable_files
from tests.system.bake.test_faults import material

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0
NO_LOCKS = [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "asset-db.lock")


@pytest.fixture
def unlockable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_module, "flock", lock_module.flock)  # to be put back
    without_locks(errno.ENOLCK)


@contextlib.contextmanager
def held(path: str, number: int = 0) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold a lock."""
    command = [sys.executable, "-m", "tests.assetdb.store.lock_holder", path, str(number)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            yield other
        finally:
            other.kill()


def take(path: str) -> str:
    """Take a lock that is free, and return why it is not the system's."""
    with FileLock(path, 0.0) as lock:
        assert lock.is_current()
        return lock.problem


# --- who holds it


@pytest.mark.parametrize("number", [0, errno.ENOLCK])
def test_who_waits_is_told_for_whom(path: str, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(lock_module, "flock", lock_module.flock)
    if number:
        without_locks(number)
    said: list[str] = []
    with held(path, number) as other:
        assert is_held(path)

        def let_go(words: str) -> None:
            said.append(words)
            assert other.stdin is not None
            other.stdin.close()

        began = time.monotonic()
        with FileLock(path, PATIENCE, on_wait=let_go):
            assert time.monotonic() - began >= 1.0
        assert said == [f"a test (pid {other.pid})"]
        assert other.wait(PATIENCE) == 0
    assert not is_held(path)
    assert bool(take(path)) == bool(number)


@pytest.mark.parametrize("number", [0, errno.ENOLCK])
def test_who_gives_up_is_told_for_whom(path: str, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(lock_module, "flock", lock_module.flock)
    if number:
        without_locks(number)
    with held(path, number) as other:
        for timeout in (0.0, 0.1):
            with pytest.raises(LockedError, match=rf"held by a test \(pid {other.pid}\)"), FileLock(path, timeout):
                pass


def test_what_is_stale_misleads_nobody(path: str) -> None:
    file = Path(path)
    with FileLock(path, 0.0, role="bake"):
        own = file.read_bytes()
        assert str(holder_of(path)) == f"a bake (pid {os.getpid()})"
    assert holder_of(path) is None
    holder = unpack(own[1:])
    assert holder is not None
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        for stale in (
            holder._replace(pid=ended.pid),
            holder._replace(pid=bystander.pid),  # which started at another time
            holder._replace(start="another boot 1"),
        ):
            file.write_bytes(b"\n" + stale.packed())
            with open(path, "rb") as opened:  # held by one that does not say so
                assert lock_module.flock(opened.fileno())
                with pytest.raises(LockedError, match="held by another process"), FileLock(path, 0.0):
                    pass
        assert take(path) == ""
    finally:
        bystander.communicate()


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"bake\t1\ts\th\tn",
        b"bake\t1\ts\th\n",
        b"bake\t-1\ts\th\tn\n",
        b"bake\t\xd9\xa3\ts\th\tn\n",
        b"bake\t99999999999999999999\ts\th\tn\n",
        b"bake\x1b[31m\t1\ts\th\tn\n",
        "ba\u202eke\t1\ts\th\tn\n".encode(),
        b"bake\t1\ts\th\tn\nmore",
        bytes(10_000),
    ],
)
def test_what_no_holder_wrote(path: str, packed: bytes) -> None:
    assert unpack(packed) is None
    Path(path).write_bytes(b"\n" + packed)
    assert holder_of(path) is None
    assert take(path) == ""


def test_a_zombie_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    holder = Holder("bake", child.pid, process_start(child.pid), this_host(), "")
    assert child.stdout is not None
    assert child.stdout.read() == b""
    until = time.monotonic() + PATIENCE
    while sys.platform == "linux" and process_start(child.pid):  # it ends, and nobody has waited for it
        assert time.monotonic() < until
        time.sleep(0.01)
    assert sys.platform != "linux" or holder.is_gone()
    child.communicate()
    assert holder.is_gone()


@needs_removable_files
def test_a_lock_file_that_is_removed_while_it_is_waited_for(path: str) -> None:
    with held(path) as other:
        waiting = threading.Event()
        taken = threading.Event()

        def wait() -> None:
            with FileLock(path, PATIENCE, on_wait=lambda _: waiting.set()) as lock:
                if lock.is_current():
                    taken.set()

        thread = threading.Thread(target=wait)
        thread.start()
        assert waiting.wait(PATIENCE)
        os.unlink(path)  # `rm -rf Library`
        thread.join(PATIENCE)
        assert taken.is_set()
        assert other.poll() is None


# --- what no lock may be


@pytest.mark.parametrize("name", ["asset-db.lock", "asset-db.lock.exclusive"])
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("link", marks=needs_links),
        pytest.param("dangling", marks=needs_links),
        pytest.param("pipe", marks=needs_pipes),
        "folder",
    ],
)
def test_what_no_lock_may_be(tmp_path: Path, unlockable: None, name: str, kind: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("kept")
    place = tmp_path / name
    match kind:
        case "link":
            place.symlink_to(precious)
        case "dangling":
            place.symlink_to(tmp_path / "nothing")
        case "pipe":
            os.mkfifo(place)
        case _:
            place.mkdir()
    path = str(tmp_path / "asset-db.lock")
    with pytest.raises(ProjectError, match="remove it"), FileLock(path, 0.0):
        pass
    assert not is_held(path)
    assert precious.read_text() == "kept"
    assert not (tmp_path / "nothing").exists()


@needs_links
def test_a_link_is_no_lock_of_the_systems(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "asset-db.lock").symlink_to("precious")
    with pytest.raises(
        ProjectError, match=r"asset-db\.lock is a symbolic link, which a lock file must not be: remove it"
    ):
        take(str(tmp_path / "asset-db.lock"))
    (tmp_path / daemon_lock.LOCK_NAME).symlink_to("precious")
    with pytest.raises(ProjectError, match="remove it"), daemon_lock.acquire_daemon_lock(str(tmp_path)):
        pass
    assert not daemon_lock.is_held(str(tmp_path))
    assert (tmp_path / "precious").read_text() == "kept"


@needs_removable_files
def test_a_hard_link_to_another_file_is_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("a thousand words")
    for name in ("asset-db.lock", daemon_lock.LOCK_NAME):
        os.link(precious, tmp_path / name)
    assert take(str(tmp_path / "asset-db.lock")) == ""
    with daemon_lock.acquire_daemon_lock(str(tmp_path)):
        assert daemon_lock.is_held(str(tmp_path))
    assert precious.read_text() == "a thousand words"
    assert (tmp_path / "asset-db.lock").stat().st_nlink == 1


def test_a_lock_that_is_held_stays_one_when_a_backup_links_it(path: str, tmp_path: Path) -> None:
    """`cp -al` links all files of a folder, a lock that is held among them."""
    with held(path):
        os.link(path, tmp_path / "backup")
        with pytest.raises(LockedError, match="is held by"), FileLock(path, 0.0):
            pass
        assert os.path.samefile(path, tmp_path / "backup")


# --- where the system has none


@pytest.mark.parametrize("number", NO_LOCKS)
def test_a_file_serves(path: str, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(lock_module, "flock", lock_module.flock)
    without_locks(number)
    assert take(path) == "no locks here"
    assert not Path(f"{path}.exclusive").exists()


def test_another_error_is_one(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_module, "flock", lock_module.flock)
    without_locks(errno.EIO)
    with pytest.raises(OSError, match="no locks here"):
        take(path)


def test_two_processes_without_locks(path: str, unlockable: None) -> None:
    with held(path, errno.ENOSYS) as other:
        assert is_held(path)
        with pytest.raises(LockedError), FileLock(path, 0.0):
            pass
        other.kill()
        other.wait()
    assert Path(f"{path}.exclusive").exists()  # stale
    assert not is_held(path)
    assert take(path) == "no locks here"
    assert sorted(os.listdir(os.path.dirname(path))) == ["asset-db.lock"]


def test_a_file_of_another_computer_is_not_stale(path: str, unlockable: None) -> None:
    there = this_process("bake", whole=True)._replace(host="elsewhere pid:[1]", pid=1 << 30)
    Path(f"{path}.exclusive").write_bytes(there.packed())
    assert is_held(path)
    refusal = rf"a bake \(pid {1 << 30} on elsewhere\); if that is gone, remove .*\.exclusive"
    with pytest.raises(LockedError, match=refusal), FileLock(path, 0.0):
        pass


def test_a_file_that_nobody_finished(path: str, unlockable: None) -> None:
    exclusive = Path(f"{path}.exclusive")
    exclusive.touch()
    assert is_held(path)
    with pytest.raises(LockedError), FileLock(path, 0.0):
        pass  # its maker may be about to write
    os.utime(exclusive, (time.time() - 1000,) * 2)
    assert not is_held(path)
    assert take(path) != ""
    exclusive.write_text("of a version to come")
    os.utime(exclusive, (time.time() - 1000,) * 2)
    with pytest.raises(LockedError, match=r"remove .*\.exclusive"), FileLock(path, 0.0):
        pass


def stale_file(path: Path, nonce: str) -> None:
    ended = this_process("bake", whole=True)._replace(start="another boot 1", nonce=nonce)
    path.write_bytes(ended.packed())


def test_killed_takeovers(path: str, unlockable: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stale_file(Path(f"{path}.exclusive"), "0")
    for _ in range(3):  # killed while they hold their guards
        with monkeypatch.context() as patch:
            patch.setattr(os, "unlink", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
            patch.setattr(lock_module, "_remove_own", lambda *_: None)
            with pytest.raises(KeyboardInterrupt):
                take(path)
        for guard in Path(path).parent.glob("*.exclusive.*"):
            if b"another boot" not in guard.read_bytes():
                stale_file(guard, guard.name)
    assert list(Path(path).parent.glob("*.exclusive.*"))
    assert take(path) != ""
    assert sorted(os.listdir(os.path.dirname(path))) == ["asset-db.lock"]


def test_a_takeover_that_comes_late(path: str, unlockable: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sees a stale file, and before it can do anything another has taken it over and holds the lock."""
    exclusive = Path(f"{path}.exclusive")
    stale_file(exclusive, "0")
    first = FileLock(path, 0.0)
    look = lock_module._stale_mark
    marks: list[bytes] = []

    def late(found: str) -> bytes:
        mark = look(found)
        if not marks:
            marks.append(mark)
            first.__enter__()
        return mark

    with monkeypatch.context() as patch:
        patch.setattr(lock_module, "_stale_mark", late)
        with pytest.raises(LockedError), FileLock(path, 0.0):
            pass
    assert marks != [b""]
    assert first.is_current()
    first.__exit__()
    assert not exclusive.exists()


@needs_removable_files  # which others read at that moment
@pytest.mark.parametrize("numbers", [(errno.ENOLCK,) * 4, (0, 0, errno.ENOLCK, errno.ENOSYS)])
def test_many_race_for_a_stale_one(path: str, tmp_path: Path, numbers: tuple[int, ...]) -> None:
    """Also where some processes meet a system that has locks, and some do not."""
    counter = tmp_path / "count"
    counter.write_text("0")
    stale_file(Path(f"{path}.exclusive"), "0")
    command = [sys.executable, "-m", "tests.assetdb.store.lock_holder", path]
    others = [
        subprocess.Popen([*command, str(number), "count", str(counter), "25"], cwd=CHECKOUT) for number in numbers
    ]
    try:
        assert [other.wait(PATIENCE) for other in others] == [0] * len(others)
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert counter.read_text() == str(25 * len(numbers))


# --- bakes and daemons


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    (root / "Assets").mkdir(parents=True)
    (root / "ProjectSettings").mkdir()
    material(root, "One", "1" * 32)
    return root


def test_a_bake_without_locks_says_so_once(project: Path, tmp_path: Path, unlockable: None) -> None:
    out = tmp_path / "out"
    result = assetdb.bake(project, out)
    assert [(found.code, found.path) for found in result.diagnostics] == [("no-file-locks", str(out / LOCK_NAME))]
    assert assetdb.bake(project, out).unchanged
    with held(str(out / LOCK_NAME), errno.ENOLCK), assetdb.open_database(result.database) as database:
        assert len(database) == 1  # who reads needs no lock


def test_a_bake_says_for_whom_it_waits(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assetdb.bake(project, out)
    with held(str(out / LOCK_NAME)) as other:
        command = [sys.executable, "-m", "assetdb", "bake", "--project", str(project), "--out-dir", str(out)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as waiting:
            assert waiting.stderr is not None
            assert waiting.stderr.readline() == f"assetdb: waiting for a test (pid {other.pid})\n"
            other.kill()
            assert waiting.wait(PATIENCE) == 0


@needs_removable_files
def test_a_daemons_lock_without_locks(tmp_path: Path, unlockable: None) -> None:
    folder = str(tmp_path / "out")
    with daemon_lock.acquire_daemon_lock(folder) as hold:
        assert hold.problem
        assert hold.renew(folder)
        assert daemon_lock.is_held(folder)
        with (
            pytest.raises(LockedError, match="already running"),
            daemon_lock.acquire_daemon_lock(folder),
        ):
            pass
        for name in os.listdir(folder):  # `rm -rf Library`
            os.unlink(os.path.join(folder, name))
        assert not daemon_lock.is_held(folder)
        assert hold.renew(folder)
        assert daemon_lock.is_held(folder)
    assert not daemon_lock.is_held(folder)


@needs_removable_files
def test_a_daemon_has_one_descriptor_however_often_its_lock_is_removed(tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    with daemon_lock.acquire_daemon_lock(folder) as hold:
        before = len(os.listdir("/dev/fd"))
        for _ in range(5):
            os.unlink(daemon_lock.lock_path(folder))
            assert hold.renew(folder)
        assert len(os.listdir("/dev/fd")) == before
        assert daemon_lock.is_held(folder)
    assert not daemon_lock.is_held(folder)
