from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.engine import check_project
from assetdb.checks.finding import Finding
from assetdb.checks.selection import Selection
from assetdb.checks.standing import difference, standing_report
from assetdb.daemon.session import Session
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path


def test_a_report_stands_until_something_is_another(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    first = standing_report(session.opened)
    assert first == check_project(session.opened, Selection())
    assert standing_report(session.opened) is first
    some = standing_report(session.opened, ["dangling"])
    assert {finding.code for finding in some.findings} == {"dangling"}
    assert standing_report(session.opened, [], ["dangling"]).findings != first.findings
    settings = root / "ProjectSettings" / "EditorSettings.asset"
    settings.write_text("%YAML 1.1\n--- !u!159 &1\nEditorSettings:\n  m_SerializationMode: 0\n")
    serialized = standing_report(session.opened)
    assert "serialization-mode" in {finding.code for finding in serialized.findings}
    (root / "Assets" / "Main.unity").write_text("%YAML 1.1\n")
    session.reconcile()
    assert len(standing_report(session.opened).findings) < len(serialized.findings)
    (root / "assetdb.toml").write_text('[check]\nselect = ["lfs-pointer"]\n')
    assert {finding.code for finding in standing_report(session.opened).findings} == {"lfs-pointer"}
    session.close()


def test_a_difference_counts_findings_that_are_alike() -> None:
    one, other = (Finding("dangling", "warning", path, "") for path in ("Assets/a", "Assets/b"))
    assert difference([one, one], [one, other]) == ([other], [one])
    assert difference([], [one, one]) == ([one, one], [])
