"""Whatever happens during a bake, the last good file stays and the next bake is right."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.baking import look
from assetdb.scan.known import cache
from assetdb.store.database import open_bytes
from assetdb.store.output import Output
from assetdb.store.schema import read_entries
from assetdb_formats.atomic import replace_file
from tests.needs import needs_fork, needs_limits
from tests.system.bake.test_incremental import synthetic_project

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DATABASE = "asset-db.bin"
KEPT = (DATABASE, "asset-db.index", "asset-db.cache")


def material(project: Path, name: str, guid: str) -> None:
    folder = project / "Assets"
    (folder / f"{name}.mat").write_text("--- !u!21 &2100000\nMaterial:\n", encoding="utf-8")
    (folder / f"{name}.mat.meta").write_text(
        f"fileFormatVersion: 2\nguid: {guid}\nNativeFormatImporter:\n", encoding="utf-8"
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    (root / "Assets").mkdir(parents=True)
    (root / "ProjectSettings").mkdir()
    material(root, "One", "1" * 32)
    material(root, "Two", "2" * 32)
    return root


def expect_right(project: Path, out: Path, cold: Path) -> None:
    assetdb.bake(project, out)
    assetdb.bake(project, cold)
    assert (out / DATABASE).read_bytes() == (cold / DATABASE).read_bytes()
    assert not list(out.glob("*.temporary")) + list(out.glob(".*.temporary"))


@pytest.mark.long
def test_killed_at_any_moment(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 30, 40)
    out = tmp_path / "out"
    chooser = random.Random(3)
    command = [sys.executable, "-m", "assetdb", "bake", "--project", str(project), "--out-dir", str(out), "--quiet"]
    started = time.monotonic()
    subprocess.run(command, check=True)
    usual = time.monotonic() - started
    for round_number in range(30):
        asset = project / "Assets" / "Group0" / "Folder0" / f"New{round_number}.mat"
        asset.write_text("--- !u!21 &2100000\nMaterial:\n", encoding="utf-8")
        asset.with_name(asset.name + ".meta").write_text(
            f"fileFormatVersion: 2\nguid: {chooser.getrandbits(128):032x}\nNativeFormatImporter:\n", encoding="utf-8"
        )
        if round_number % 3 == 0:
            (out / "asset-db.cache").unlink(missing_ok=True)  # a cold bake, which forks
        process = subprocess.Popen(command, start_new_session=True)
        time.sleep(chooser.uniform(0, usual * 1.2))
        os.killpg(process.pid, signal.SIGKILL)  # its own session: the processes it forked too
        process.wait()
        assert sum(1 for _ in read_entries((out / DATABASE).read_bytes())) >= 1200
    expect_right(project, out, tmp_path / "cold")


@needs_fork
def test_a_killed_helper_is_made_up_for(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 60, 40)
    script = (
        "import os, select, sys, assetdb\n"
        "from assetdb.scan import processes\n"
        "step = processes._WorkQueue.work\n"
        "def work(self, worker, children):\n"
        "    if children is None:\n"
        "        select.select([self._take], [], [])\n"
        "        worker.stack.append(self._take.recv(1 << 17))\n"
        "        worker.step()\n"
        "        os.kill(os.getpid(), 9)\n"
        "    return step(self, worker, children)\n"
        "processes._WorkQueue.work = work\n"
        "print(assetdb.bake(sys.argv[1], sys.argv[2], workers=2).asset_count)\n"
    )
    command = [sys.executable, "-c", script, str(project), str(tmp_path / "out")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "2400\n"
    expect_right(project, tmp_path / "out", tmp_path / "cold")


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_full_disk(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: int) -> None:
    out = tmp_path / "out"
    assetdb.bake(project, out)
    before = (out / DATABASE).read_bytes()
    material(project, "Three", "3" * 32)
    replace = os.replace
    calls = 0

    def full(source: str, target: str) -> None:
        nonlocal calls
        calls += 1
        if calls == stage:
            raise OSError(errno.ENOSPC, "No space left on device", target)
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr("assetdb_formats.atomic.os.replace", full)
        if stage < 3:  # of the database, and of its index
            with pytest.raises(OSError, match="No space left") as caught:
                assetdb.bake(project, out)
            assert "-> None" not in str(caught.value)
        else:
            assert [found.code for found in assetdb.bake(project, out).diagnostics] == ["cache-not-written"]
            assert not (out / "asset-db.cache").exists()  # one of the database before would only take room
    after = (out / DATABASE).read_bytes()
    assert (after == before) == (stage == 1)
    with assetdb.open_database(out / DATABASE) as database:
        assert len(database) == (2 if stage == 1 else 3)
        assert database.by_guid("1" * 32) is not None
    expect_right(project, out, tmp_path / "cold")


@needs_limits
@pytest.mark.parametrize("many", [1, 1 << 30])
def test_a_cache_that_finds_no_room_is_done_without(tmp_path: Path, many: int) -> None:
    """It is larger than the database, and may be written before: that is written all the same."""
    project = synthetic_project(tmp_path, 30, 40)
    out = tmp_path / "out"
    sizes = {name: (out / name).stat().st_size for name in KEPT} if assetdb.bake(project, out) else {}
    assert sizes["asset-db.cache"] > sizes["asset-db.index"] + 4096
    for name in KEPT:
        (out / name).unlink()
    limit = max(sizes[DATABASE], sizes["asset-db.index"]) + 1024
    script = (
        "import resource, sys, assetdb\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        f"for found in assetdb.bake(sys.argv[1], sys.argv[2], workers=2, many_assets={many}).diagnostics:\n"
        "    if found.code != 'missing-meta': print(found.code, found.path, found.message)\n"
    )
    command = [sys.executable, "-c", script, str(project), str(out)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    said = "cannot be written (File too large): the next bake may read everything again"
    assert done.stdout == f"cache-not-written {out / 'asset-db.cache'} {said}\n"
    assert {name for name in os.listdir(out) if "cache" in name or "seen" in name} == set()
    expect_right(project, out, tmp_path / "cold")


def test_a_cache_that_is_not_finished_gives_its_room_to_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = Output(str(tmp_path))
    output.begin_cache([b"a large one"])

    def full(path: str, pieces: Sequence[bytes]) -> int:
        if any(name.endswith(".temporary") for name in os.listdir(tmp_path)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        return replace_file(path, pieces)

    monkeypatch.setattr("assetdb.store.output.replace_file", full)
    assert output.write([b"database"], [b"index"])
    assert sorted(os.listdir(tmp_path)) == [DATABASE, "asset-db.index"]
    assert output.finish_cache() is False


def test_read_only_folder(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(assetdb.ProjectError, match="cannot be made"):
        assetdb.bake(project, tmp_path / "file" / "out")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "out")

    out = tmp_path / "out"
    assetdb.bake(project, out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    material(project, "Three", "3" * 32)
    with monkeypatch.context() as patch:  # root may write everywhere, so the refusal is made
        patch.setattr("assetdb.store.output.replace_file", refuse)
        with pytest.raises(PermissionError):
            assetdb.bake(project, out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_a_question_is_not_answered_from_references_that_are_old(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is right and its index is not, where a file refers to another than before."""
    out = tmp_path / "out"
    refers = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n  m_Shader: {fileID: 1, guid: "
    asset = project / "Assets" / "One.mat"
    asset.write_text(f"{refers}{'a' * 32}, type: 3}}\n", encoding="utf-8")
    assetdb.bake(project, out)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "out")

    monkeypatch.setattr("assetdb.store.output.replace_file", refuse)
    time.sleep(0.05)
    assert not look(str(project), str(out)).written
    asset.write_text(f"{refers}{'b' * 32}, type: 3}}\n", encoding="utf-8")
    found = look(str(project), str(out))
    assert found.written  # would be, if it could
    assert found.unsaved is not None
    assert found.unsaved[0] == (out / "asset-db.bin").read_bytes()
    with open_bytes("asset-db.bin", *found.unsaved) as database:
        assert database.graph.node(int("b" * 32, 16)) is not None
        assert database.graph.node(int("a" * 32, 16)) is None


@pytest.mark.parametrize("seed", range(60))
def test_damaged_cache(project: Path, tmp_path: Path, seed: int) -> None:
    out = tmp_path / "out"
    assetdb.bake(project, out)
    path = out / "asset-db.cache"
    data = bytearray(path.read_bytes())
    chooser = random.Random(seed)
    match seed % 4:
        case 0:
            del data[chooser.randrange(len(data)) :]
        case 1:
            data[chooser.randrange(len(data))] ^= 1 << chooser.randrange(8)
        case 2:
            data = bytearray(chooser.randbytes(chooser.randrange(2000)))
        case _:
            data += chooser.randbytes(5)
    path.write_bytes(data)
    material(project, "One", "4" * 32)
    expect_right(project, out, tmp_path / "cold")


def test_swapped_cache(project: Path, tmp_path: Path) -> None:
    other = synthetic_project(tmp_path, 2, 3)
    assetdb.bake(other, tmp_path / "other")
    out = tmp_path / "out"
    assetdb.bake(project, out)
    (out / "asset-db.cache").write_bytes((tmp_path / "other" / "asset-db.cache").read_bytes())
    expect_right(project, out, tmp_path / "cold")


@pytest.mark.parametrize("name", KEPT)
def test_a_file_that_was_removed_comes_back(project: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    assetdb.bake(project, out)
    before = {kept: (out / kept).read_bytes() for kept in KEPT[:2]}
    (out / name).unlink()
    assetdb.bake(project, out)
    assert {kept: (out / kept).read_bytes() for kept in KEPT[:2]} == before


def test_a_cache_of_another_version_is_empty() -> None:
    assert cache.decode(b"") is cache.EMPTY
    assert cache.decode(b"UADKNOWN" + bytes(200)) is cache.EMPTY


def test_five_bakes_at_once(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 20, 30)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "assetdb", "bake", "--project", str(project), "--out-dir", str(out), "--quiet"]
    processes = [subprocess.Popen(command) for _ in range(5)]
    assert [process.wait(60) for process in processes] == [0] * 5
    expect_right(project, out, tmp_path / "cold")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_file(project: Path, tmp_path: Path) -> None:
    assets = project / "Assets"
    os.mkfifo(assets / "Pipe.asset")
    (assets / "Pipe.asset.meta").write_text(
        f"fileFormatVersion: 2\nguid: {'5' * 32}\nNativeFormatImporter:\n", encoding="utf-8"
    )
    (assets / "Loop").symlink_to(assets / "Loop")
    (assets / "Round").symlink_to(assets)
    result = assetdb.bake(project, tmp_path / "out")
    assert [(found.code, found.path) for found in result.diagnostics] == [
        ("linked-directory", "Assets/Round"),
        ("missing-meta", "Assets/Loop"),
        ("not-a-file", "Assets/Pipe.asset"),
    ]
    assert result.asset_count == 2


@pytest.mark.usefixtures("without_native")
def test_a_file_that_vanishes_while_it_is_read(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def vanish(path: bytes) -> object:
        entries = scandir(path)
        kept = list(entries)
        entries.close()
        (project / "Assets" / "One.mat").unlink(missing_ok=True)

        class Listed:
            def __enter__(self) -> list[os.DirEntry[bytes]]:
                return kept

            def __exit__(self, *_: object) -> None:
                """Nothing is open."""

        return Listed()

    with monkeypatch.context() as patch:
        patch.setattr("assetdb.scan.reader.os.scandir", vanish)
        result = assetdb.bake(project, tmp_path / "out")
    assert [(found.code, found.path) for found in result.diagnostics] == [("unreadable", "Assets/One.mat")]
    expect_right(project, tmp_path / "out", tmp_path / "cold")
