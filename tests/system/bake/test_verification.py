"""``bake --verify`` finds bits that rotted in every file, changes that were lost, and nothing where all is well."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.query.snapshots.verification import verify
from assetdb.scan.known import cache
from assetdb.store.output import Output
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("asset-db.bin", "asset-db.index", "asset-db.cache", "asset-db.seen")


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    root = make_project(tmp_path)
    assert main(["bake", "--quiet", "--project", str(root)]) == 0
    capsys.readouterr()
    return root


def written(project: Path) -> list[tuple[int, int, int]]:
    """What tells of a file that was written; its time of access tells of a reader, as a verification is."""
    states = [(project / "Library" / "assetdb" / name).stat() for name in FILES]
    return [(status.st_ino, status.st_size, status.st_ctime_ns) for status in states]


def test_all_is_well(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = written(project)
    assert main(["bake", "--verify", "--project", str(project)]) == 0
    assert "matches the tree" in capsys.readouterr().out
    assert main(["bake", "--verify", "--json", "--project", str(project)]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    assert written(project) == before


@pytest.mark.parametrize("name", FILES)
def test_every_bit_counts(project: Path, name: str) -> None:
    path = project / "Library" / "assetdb" / name
    whole = path.read_bytes()
    status = path.stat()
    step = max(1, len(whole) // 60)
    for place in [*range(0, len(whole), step), len(whole) - 1]:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        findings = verify(project).findings
        assert any(str(path) in finding for finding in findings), place
    path.write_bytes(whole[:-1])
    assert verify(project).findings
    path.write_bytes(whole)
    assert not [finding for finding in verify(project).findings if "checksum" in finding]


def test_what_is_not_there_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in FILES:
        (project / "Library" / "assetdb" / name).unlink()
    assert main(["bake", "--verify", "--project", str(project)]) == 1
    said = capsys.readouterr().out
    assert said.count("is not there") == 2
    assert main(["bake", "--verify", "--project", str(project), "--out-dir", str(project / "none")]) == 1
    assert not (project / "none").exists()


def test_a_change_of_the_tree_is_shown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Assets" / "New.txt").write_text("x")
    (project / "Assets" / "New.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {'e' * 32}\n")
    assert main(["bake", "--verify", "--project", str(project)]) == 1
    assert "+ " + "e" * 32 in capsys.readouterr().out


def test_a_lie_of_the_cache_is_found(project: Path) -> None:
    """As where a file system gives a changed file the record that it had."""
    time.sleep(0.05)
    assert main(["find", "*", "--project", str(project)]) == 0
    output = Output(str(project / "Library" / "assetdb"))
    known = output.read_cache()
    whole = [known.complete(directory) for directory in known.directories.values()]
    changed = [directory._replace(details=b"", bodies=directory.bodies[::-1]) for directory in whole]
    output.write_cache(cache.encode(known.settings, output.identities(), known.asset_count, known.problems, changed))
    assert assetdb.bake(project).unchanged
    assert any("although its times have not changed" in finding for finding in verify(project).findings)
