"""After a clone with a restored output folder nothing is parsed, judged or derived again."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import assetdb
from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.selection import Selection
from assetdb.checks.rules import Rule
from assetdb.checks.verdicts.state import State
from assetdb.memo import contents
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.metas.meta import MetaReader
from tests.assetdb.checks.healthy import HEAD, guid_of, make_healthy, put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MODEL = "Assets/Art/Tree.fbx"
TOOL = "Tool.mat"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count metas that are read, references that are judged, and rules that look."""
    found: Counter[str] = Counter()

    def counted(kind: type, name: str, count: Callable[..., int]) -> None:
        call = getattr(kind, name)

        def counting(*words: Any, **options: Any) -> Any:  # noqa: ANN401
            found[kind.__name__] += count(*words)
            return call(*words, **options)

        monkeypatch.setattr(kind, name, counting)

    counted(MetaReader, "read", lambda *_: 1)
    counted(State, "_judge", lambda _state, _project, fallen, *_: len(fallen))
    counted(Rule, "find", lambda *_: 1)
    # What has just been written counts as changing; here all of it is old.
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a model, a text file without a meta, and packages of both kinds."""
    root = make_healthy(tmp_path / "one" / "Game")
    put(root, MODEL, b"no model", "ModelImporter:\n  externalObjects: {}\n")
    put(root, "Assets/Data/Uses.asset", scriptable(guid_of(MODEL), guid_of(TOOL), guid_of("Shared.mat")))
    (root / "Assets/Data/Loose.asset").write_text(scriptable(guid_of(MODEL)))
    cached = root / "Library/PackageCache/com.acme.tools@1.0.0"
    put(cached, TOOL, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Tool\n")
    (cached / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    put(root / "Shared", "Shared.mat", f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Shared\n")
    (root / "Shared/package.json").write_text('{"name": "com.acme.shared", "version": "1.0.0"}')
    manifest = root / "Packages/manifest.json"
    found = json.loads(manifest.read_text())
    found["dependencies"] |= {"com.acme.tools": "1.0.0", "com.acme.shared": "file:../Shared"}
    manifest.write_text(json.dumps(found))
    return root


def scriptable(*guids: str) -> str:
    rows = "".join(f"  x{number}: {{fileID: 2100000, guid: {guid}, type: 2}}\n" for number, guid in enumerate(guids))
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Uses\n{rows}"


def clone(root: Path, other: Path) -> Path:
    """Copy a project with its output folder; all times are new."""
    return shutil.copytree(root, other, copy_function=shutil.copyfile)


def checked(root: Path) -> list[str]:
    project = open_project(str(root))
    try:
        return [str(finding) for finding in check_project(project, Selection(select=("all",))).findings]
    finally:
        project.close()


@pytest.mark.usefixtures("without_native")  # which has a MetaReader only for odd metas
def test_a_clone_with_the_output_folder(project: Path, tmp_path: Path, work: Counter[str]) -> None:
    found = checked(project)
    assert all(work[name] > 0 for name in ("MetaReader", "State", "Rule"))
    before = project
    for number in range(2):
        other = clone(before, tmp_path / f"clone {number}" / "Game")
        work.clear()
        assert assetdb.bake(other, keep_going=True).files_read == 0
        assert checked(other) == found
        assert not +work, number
        assert checked(other) == found
        assert not +work, number
        before = other


@pytest.mark.parametrize("path", [MODEL, "Shared/Shared.mat", "Assets/Data/Loose.asset", "Assets/Data/Uses.asset"])
def test_what_a_clone_has_otherwise_is_judged_again(
    project: Path, tmp_path: Path, work: Counter[str], path: str
) -> None:
    checked(project)
    other = clone(project, tmp_path / "clone" / "Game")
    data = (other / path).read_bytes()
    (other / path).write_bytes(data.replace(b"2100000", b"2100001") if b"2100000" in data else b"another model")
    work.clear()
    found = checked(other)
    assert work["State"] > 0 or path.startswith("Shared")
    shutil.rmtree(other / "Library/assetdb")
    assert checked(other) == found


def test_of_a_large_file_the_identity_tells(
    project: Path, tmp_path: Path, work: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "LARGEST", 4)
    found = checked(project)
    other = clone(project, tmp_path / "clone" / "Game")
    work.clear()
    assert checked(other) == found
    assert work["State"] > 0
    work.clear()
    assert checked(other) == found
    assert not +work


def test_other_times_alone_change_nothing(project: Path, work: Counter[str]) -> None:
    found = checked(project)
    for top in ("Assets", "Shared", "ProjectSettings", "Packages"):
        for path in [*(project / top).rglob("*"), project / top]:
            os.utime(path, (1_600_000_000, 1_600_000_000))
    work.clear()
    assert checked(project) == found
    assert not +work
