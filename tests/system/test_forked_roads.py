"""No forked process outlives what it was forked for, holds a lock, or lets anybody wait: at any stage of any road."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import assetdb
from assetdb.store.files import LOCK_NAME
from assetdb.store.lock import FileLock
from tests.assetdb_formats.unreal.package_writer import Writer
from tests.needs import needs_fork
from tests.system.bake.test_incremental import synthetic_project

CHECKOUT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
FOLDERS, ASSETS = 40, 10
PACKAGES = 400
STAGES = ("before", "writing", "after")
pytestmark = needs_fork


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthetic_project(tmp_path_factory.mktemp("forked"), FOLDERS, ASSETS)


@pytest.fixture(scope="module")
def expected(project: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("expected")
    assetdb.bake(project, out, workers=1)
    return (out / "asset-db.bin").read_bytes()


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages") / "Content"
    writer = Writer(-8, 522, 1009)
    writer.exports = [(0, 0, "Main", b"", True)]
    writer.assets = [("Main", "/Script/Engine.Blueprint", {})]
    data = writer.data()
    for number in range(PACKAGES):
        path = folder / f"Folder{number % 10}" / f"Package{number}.uasset"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder.parent


def is_there(pid: int) -> bool:
    """Whether a process is there and no zombie: a container's first process may never wait for those."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if sys.platform == "linux":
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except FileNotFoundError:
            return False
    return True


def expect_gone(pids: list[int]) -> None:
    until = time.monotonic() + PATIENCE
    while any(map(is_there, pids)):
        assert time.monotonic() < until, "a child outlives its parent"
        time.sleep(0.01)


def walk(road: str, stage: str, fault: str, folder: Path, out: Path) -> tuple[int, list[str], list[int]]:
    """Go one road; return how it ended, what it said at the end, and the processes that it forked."""
    command = [sys.executable, "-m", "tests.system.forked_roads", road, stage, fault, str(folder), str(out)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said, error = process.communicate(timeout=PATIENCE)  # which ends when nobody holds the pipes any more
        finally:
            process.kill()
    assert "Error" not in error, error
    lines = said.splitlines()
    forked = [int(line) for line in lines[:1]]
    return process.returncode, lines[1:], forked


def expect_usual(road: str, folder: Path, out: Path, expected: bytes) -> None:
    """Expect the lock to be free, and the next one to be right."""
    if road == "unreal":
        return
    with FileLock(str(out / LOCK_NAME), 0.0):
        pass
    assetdb.bake(folder, out)
    assert (out / "asset-db.bin").read_bytes() == expected


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("road", ["graph", "scan", "unreal"])
@pytest.mark.parametrize("fault", ["raise", "interrupt", "kill", "term"])
@pytest.mark.usefixtures("without_native")
def test_a_fault_of_the_parent(
    road: str, stage: str, fault: str, project: Path, packages: Path, expected: bytes, tmp_path: Path
) -> None:
    folder = packages if road == "unreal" else project
    code, said, forked = walk(road, stage, fault, folder, tmp_path / "out")
    assert len(forked) == 1
    expect_gone(forked)
    match fault:
        case "raise":
            assert (code, said) == (0, ["raised", "no children"])
        case "interrupt":
            assert (code, said) == (0, ["interrupted", "no children"])
        case "kill":
            assert (code, said) == (-signal.SIGKILL, [])
        case "term":
            assert (code, said) == (-signal.SIGTERM, [])
    expect_usual(road, folder, tmp_path / "out", expected)


@pytest.mark.parametrize("stage", ["before", "writing"])
@pytest.mark.parametrize("road", ["graph", "scan", "unreal"])
@pytest.mark.parametrize("fault", ["child-raise", "child-kill"])
@pytest.mark.usefixtures("without_native")
def test_a_fault_of_the_child(
    road: str, stage: str, fault: str, project: Path, packages: Path, expected: bytes, tmp_path: Path
) -> None:
    folder = packages if road == "unreal" else project
    code, said, forked = walk(road, stage, fault, folder, tmp_path / "out")
    expect_gone(forked)
    assert (code, said) == (0, [str(PACKAGES if road == "unreal" else FOLDERS * ASSETS), "no children"])
    if road != "unreal":
        assert (tmp_path / "out" / "asset-db.bin").read_bytes() == expected
    expect_usual(road, folder, tmp_path / "out", expected)


def test_no_descriptors_or_processes_to_be_had(project: Path, expected: bytes, tmp_path: Path) -> None:
    script = (
        "import errno, os, sys, assetdb\n"
        "from assetdb.scan import processes\n"
        "def refuse(*_):\n"
        "    raise OSError(errno.EMFILE, 'none to be had')\n"
        "setattr(*{'fork': (os, 'fork'), 'board': (processes._WorkQueue, '__init__')}[sys.argv[3]], refuse)\n"
        "assetdb.bake(sys.argv[1], sys.argv[2], workers=3, many_assets=1)\n"
    )
    for lacking in ("fork", "board"):
        command = [sys.executable, "-c", script, str(project), str(tmp_path / lacking), lacking]
        subprocess.run(command, cwd=CHECKOUT, timeout=PATIENCE, check=True)
        assert (tmp_path / lacking / "asset-db.bin").read_bytes() == expected


# --- a bake that fails while the graph is made beside it


def referring(project: Path, references: int) -> None:
    """Let every asset refer to others, so that the graph is longer than a pipe holds."""
    metas = sorted(project.rglob("*.mat.meta"))
    guids = [path.read_text("utf-8").split()[3] for path in metas]
    for number, path in enumerate(metas):
        chosen = [guids[(number * 7 + step * 13) % len(guids)] for step in range(references)]
        lines = [f"  m_R: {{fileID: 2100000, guid: {guid}, type: 2}}\n" for guid in chosen]
        path.with_suffix("").write_text("%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n" + "".join(lines), "utf-8")


def expect_a_failing_bake_to_end(project: Path, command: list[str], out: Path) -> None:
    """Expect exit code 2 of a bake with a duplicate GUID, and the next one to be right."""
    first, second = sorted(project.rglob("*.mat.meta"))[:2]
    before = second.read_text("utf-8")
    second.write_text(first.read_text("utf-8"), "utf-8")
    whole = [*command, "bake", "--project", str(project), "--out-dir", str(out), "--workers", "2"]
    done = subprocess.run(whole, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert "duplicate-guid" in done.stderr
    with FileLock(str(out / LOCK_NAME), 0.0):
        pass
    assert not (out / "asset-db.bin").exists()
    second.write_text(before, "utf-8")
    done = subprocess.run(whole, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0
    cold = out.with_name("cold")
    assetdb.bake(project, cold, workers=1)
    for name in ("asset-db.bin", "asset-db.index"):
        assert (out / name).read_bytes() == (cold / name).read_bytes()


def test_a_failing_bake_ends(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 20, 20)
    referring(project, 120)
    script = (
        "import functools, sys\n"
        "from assetdb.cli import bake as command, main\n"
        "from assetdb_formats.forking import ForkedProcess\n"
        "start = ForkedProcess.start\n"
        "def forked(work, *more):\n"
        "    if work.__qualname__.startswith('Background.'):\n"
        "        assert sum(map(len, work())) > 1 << 16\n"
        "    return start(work, *more)\n"
        "ForkedProcess.start = forked\n"
        "command.bake_project = functools.partial(command.bake_project, many_assets=1)\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    expect_a_failing_bake_to_end(project, [sys.executable, "-c", script], tmp_path / "out")


@pytest.mark.long
def test_a_failing_bake_of_many_assets_ends(tmp_path: Path) -> None:
    """As users have it: from 10,000 assets on the graph is made in a process of its own."""
    project = synthetic_project(tmp_path, 100, 101)
    referring(project, 3)
    expect_a_failing_bake_to_end(project, [sys.executable, "-m", "assetdb"], tmp_path / "out")


def test_strict_names_end_too(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 20, 20)
    referring(project, 120)
    folder = project / "Assets" / "Twice"
    for name, guid in (("Same.txt", "a" * 32), ("Same.json", "b" * 32)):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("", "utf-8")
        (folder / f"{name}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\nTextScriptImporter:\n", "utf-8")
    script = (
        "import sys, assetdb\n"
        "try:\n"
        "    assetdb.bake(sys.argv[1], sys.argv[2], strict_names=True, workers=2, many_assets=1)\n"
        "except assetdb.BakeError as error:\n"
        "    print(error)\n"
    )
    command = [sys.executable, "-c", script, str(project), str(tmp_path / "out")]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stderr == ""
    assert "names that folders cannot tell apart" in done.stdout
    with FileLock(str(tmp_path / "out" / LOCK_NAME), 0.0):
        pass
