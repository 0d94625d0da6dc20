"""Files that are too large cost one diagnostic each, and neither memory nor time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.errors import ScanError
from assetdb.scan.reader import DirectoryReader
from tests.system.bake.test_old_times import make_project

if TYPE_CHECKING:
    from pathlib import Path

GIGABYTE = 1_000_000_000

BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))
from assetdb.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "Project")


def extend(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


@pytest.mark.skipif(sys.platform != "linux", reason="files without blocks, and limits of memory")
def test_huge_files_are_said_and_the_rest_is_baked_in_little_memory(project: Path, tmp_path: Path) -> None:
    assets = project / "Assets"
    extend(assets / "One.mat.meta", 2 * GIGABYTE)
    extend(assets / "Two.mat", 3 * GIGABYTE)
    picture = assets / "A" / "Deep" / "Low.png"
    picture.with_name("Low.png.meta").write_text(f"fileFormatVersion: 2\nguid: {5:032x}\nTextureImporter:\n")
    extend(picture, 3 * GIGABYTE)  # its bytes are nobody's business
    (assets / "D.meta").write_text("fileFormatVersion: 2\nguid: " + "d" * 32)
    extend(assets / "D.meta", 2 * GIGABYTE)
    (assets / "Alone.mat.meta").write_text("fileFormatVersion: 2\nguid: " + "e" * 32)
    extend(assets / "Alone.mat.meta", 2 * GIGABYTE)
    command = [sys.executable, "-c", BOUNDED, "bake", "--project", str(project), "--out-dir", str(tmp_path / "out")]
    done = subprocess.run([*command, "--workers", "1"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    large = [line for line in done.stderr.splitlines() if "too-large" in line]
    assert len(large) == 3, done.stderr
    result = assetdb.bake(project, tmp_path / "out")
    assert result.unchanged
    assert [(each.path, each.message) for each in result.diagnostics if each.code == "too-large"] == [
        ("Assets/D.meta", "has 2,000,000,000 bytes: its GUID is not read"),
        ("Assets/One.mat.meta", "has 2,000,000,000 bytes: its GUID is not read"),
        ("Assets/Two.mat", "has 3,000,000,000 bytes: its objects and references are not read"),
    ]
    assert [each.code for each in result.diagnostics if "Alone" in each.path] == ["orphan-meta"]
    with assetdb.open_database(tmp_path / "out" / "asset-db.bin") as database:
        two = database.by_guid(f"{2:032x}")
        assert two is not None
        assert two.class_id == 21  # by its extension
        assert database.by_guid(f"{1:032x}") is None
    extend(assets / "Two.mat", 60)
    assert not [e for e in assetdb.bake(project, tmp_path / "out").diagnostics if e.path == "Assets/Two.mat"]


def read_all(project: Path, **bounds: int) -> list[str]:
    reader = DirectoryReader(os.fsencode(project), since_ns=time.time_ns(), may_change_directory=False, **bounds)
    directory = reader.read(b"Assets", None)
    assert directory is not None
    return sorted(line.split("\x1f")[0] for line in directory.file_diagnostics.decode().split("\n") if line)


def test_the_bounds_are_parameters_and_exact(project: Path) -> None:
    meta = (project / "Assets" / "One.mat.meta").stat().st_size
    asset = (project / "Assets" / "One.mat").stat().st_size
    assert read_all(project, largest_meta=meta, largest_asset=asset) == []
    assert read_all(project, largest_meta=meta - 1, largest_asset=asset) == ["too-large"] * 2
    assert read_all(project, largest_meta=meta, largest_asset=asset - 1) == ["too-large"] * 2


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end_or_its_bound(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, endless = os.read, []

    def grow(descriptor: int, count: int) -> bytes:
        endless.append(count)
        return real(descriptor, 1) or (b"x" if len(endless) < 100_000 else b"")

    monkeypatch.setattr(os, "read", grow)
    assert read_all(project, largest_meta=200, largest_asset=200) == ["unreadable"] * 2
    assert len(endless) < 1000


def test_a_file_that_comes_in_pieces_is_read_to_its_end(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.read
    monkeypatch.setattr(os, "read", lambda descriptor, count: real(descriptor, min(count, 7)))
    assert read_all(project) == []


@pytest.mark.usefixtures("without_native")
def test_no_memory_is_no_fact_either(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, count: int) -> bytes:
        raise MemoryError

    monkeypatch.setattr(os, "read", refuse)
    with pytest.raises(ScanError, match=r"Assets.* cannot be read just now: .*memory"):
        assetdb.bake(project, tmp_path / "out", workers=1)
