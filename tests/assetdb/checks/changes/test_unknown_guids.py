"""GUIDs that a change invented, and how sure that is."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.checks.changes.unknown_guids import absent_guids, with_unknown_guids
from assetdb.checks.findings.finding import Finding
from assetdb.checks.verdicts.judging import judge_project
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.query.snapshots.snapshot import Snapshot

ONE, TWO = guid(77), guid(78)
SCENE, NEW = "Assets/Main.unity", "Assets/New.asset"
LOST = Finding("missing-asset", "error", SCENE, "no asset has it", 27, target=f"{ONE}:12345")
SCRIPT = Finding("missing-script", "error", NEW, "no script has it", target=f"{TWO}:11500000")
OTHER = Finding("dangling", "error", SCENE, "refers to nothing", target=f"{ONE}:5")
KNOWN = Finding("missing-asset", "error", SCENE, "no asset has it", target=f"{guid(79)}:5")


class Losses(SimpleNamespace):
    """The history of a project, complete unless stated otherwise."""

    is_shallow, is_complete = False, True
    had: frozenset[str] = frozenset()

    def held(self, text: str) -> object:
        return "a file" if text in self.had else None


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "Game")
    text = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {TWO}, type: 3}}\n"
    write(root, NEW, 40, text)
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


@pytest.fixture
def judged(project: Snapshot) -> JudgedProject:
    return judge_project(project)


def with_losses(project: Snapshot, losses: Losses, absent: tuple[str, ...] = ()) -> Snapshot:
    """Return a project with another history, and packages that are not on this machine."""
    rows = tuple(SimpleNamespace(name=name) for name in absent)
    packages = SimpleNamespace(list=SimpleNamespace(absent=rows))
    return cast("Snapshot", SimpleNamespace(losses=losses, packages=packages, database=project.database))


def test_the_absent_guids_are_those_that_nothing_has(judged: JudgedProject) -> None:
    assert absent_guids(judged) == {ONE, TWO}  # neither dangling objects nor pointers


def test_findings_of_new_guids_become_unknown_behind_the_others(project: Snapshot, judged: JudgedProject) -> None:
    found = with_unknown_guids(with_losses(project, Losses()), judged, [LOST, OTHER, SCRIPT, KNOWN], ())
    said = "no asset, package or commit here has the GUID "
    assert found == [
        OTHER,
        KNOWN,
        LOST._replace(code="unknown-guid", message=said + ONE),
        SCRIPT._replace(code="unknown-guid", message=said + TWO),
    ]


def test_thousands_of_new_guids_are_told_at_once(project: Snapshot, judged: JudgedProject) -> None:
    rows = [LOST._replace(line=line) for line in range(60_000)]
    start = time.process_time()
    found = with_unknown_guids(with_losses(project, Losses()), judged, rows, {TWO})
    assert [row.line for row in found] == [*range(60_000)]
    assert time.process_time() - start < 20  # it was minutes


def test_guids_that_were_known_or_are_in_the_history_are_no_inventions(
    project: Snapshot, judged: JudgedProject
) -> None:
    rows = [LOST, SCRIPT]
    assert with_unknown_guids(with_losses(project, Losses()), judged, rows, {ONE, TWO}) == rows
    history = with_losses(project, Losses(had=frozenset({ONE, TWO})))
    assert with_unknown_guids(history, judged, rows, ()) == rows
    found = with_unknown_guids(with_losses(project, Losses(had=frozenset({ONE}))), judged, rows, ())
    assert [row.code for row in found] == ["missing-asset", "unknown-guid"]


@pytest.mark.parametrize(
    ("losses", "absent", "end"),
    [
        (Losses(), ("com.acme.a", "com.acme.b"), ""),  # the verdict is that these packages cannot have it
        (Losses(is_shallow=True, is_complete=False), (), "; this clone is shallow, so earlier commits may"),
        (Losses(is_complete=False), (), "; not all commits could be searched in time"),
        (Losses(), (), ""),
    ],
)
def test_what_is_uncertain_is_a_warning_with_the_reason(
    project: Snapshot, judged: JudgedProject, losses: Losses, absent: tuple[str, ...], end: str
) -> None:
    (found,) = with_unknown_guids(with_losses(project, losses, absent), judged, [LOST], {TWO})
    assert found.severity == ("warning" if end else "error")
    assert found.message == f"no asset, package or commit here has the GUID {ONE}{end}"


def test_a_target_that_may_be_in_an_absent_package_is_found_by_its_reference(
    tmp_path: Path,
) -> None:
    """A finding of that code is replaced, because a selection may not have it."""
    root = make_project(tmp_path / "Game")
    manifest = '{"dependencies": {"com.acme.tools": "1.0.0", "com.acme.absent": "1.0.0"}}'
    (root / "Packages/manifest.json").write_text(manifest)
    lock = '{"dependencies": {"com.acme.absent": {"version": "1.0.0", "depth": 0, "source": "registry"}}}'
    (root / "Packages/packages-lock.json").write_text(lock)
    project = open_project(str(root), str(tmp_path / "out"))
    try:
        judged = judge_project(project)
        assert absent_guids(judged) == {ONE}
        off = Finding("package-not-present", "warning", SCENE, "it may be in a package", target=f"{ONE}:12345")
        (found,) = with_unknown_guids(project, judged, [off], ())
        assert (found.code, found.severity, found.path, found.line) == ("unknown-guid", "warning", SCENE, 28)
        assert found.target == f"{ONE}:12345"
        assert found.message.endswith("; packages that are not on this machine may (com.acme.absent)")
    finally:
        project.close()
