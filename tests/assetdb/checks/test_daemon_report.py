from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks import daemon_report
from assetdb.checks.daemon_report import difference, standing_report
from assetdb.checks.findings.engine import Report, check_project
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.selection import Selection
from assetdb.daemon.rpc.jobs import Job, JobThreads
from assetdb.daemon.session import Session
from assetdb.system import pausing
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from assetdb.query.snapshots.snapshot import Snapshot


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


def test_one_report_answers_all_that_wait_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the newest of their snapshots, so that whoever has an older one hears of nothing that was undone."""
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    made: list[Snapshot] = []
    reports: list[tuple[int, Report]] = []

    def counted(project: Snapshot, selection: Selection) -> Report:
        made.append(project)
        return check_project(project, selection)

    monkeypatch.setattr(daemon_report, "check_project", counted)
    threads = JobThreads(lambda: None)
    jobs = []
    snapshots = []

    def ask(number: int) -> None:
        project = session.opened
        snapshots.append(project)

        def work() -> None:
            with project.database.held():
                reports.append((number, standing_report(project)))

        jobs.append(Job(threads, work))
        jobs[-1].step(-1.0)  # until it pauses, or waits

    ask(0)
    for number in range(1, 4):
        (root / "Assets" / f"Gone{number}.png.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\n")
        session.update([b"Assets"])
        ask(number)
    while not all(job.done for job in jobs):
        for job in jobs:
            if not job.done and job.can_go_on:
                job.step(60.0)
    threads.close()
    assert made == [snapshots[0], snapshots[3]]
    assert reports[0][0] == 0
    assert {id(report) for _, report in reports[1:]} == {id(reports[1][1])}
    assert reports[1][1] == check_project(session.opened, Selection())
    assert reports[1][1].findings != reports[0][1].findings
    session.close()


def test_a_report_that_fails_is_made_by_the_next_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    answers: list[object] = []

    def failing(project: Snapshot, selection: Selection) -> Report:
        pausing.pause_here()
        if not answers:
            raise OSError("the disk went away")
        return check_project(project, selection)

    monkeypatch.setattr(daemon_report, "check_project", failing)
    threads = JobThreads(lambda: None)

    def work() -> None:
        try:
            answers.append(standing_report(session.opened))
        except OSError as error:
            answers.append(error)

    jobs = [Job(threads, work) for _ in range(2)]
    while not all(job.done for job in jobs):
        for job in jobs:
            if not job.done and job.can_go_on:
                job.step(-1.0)
    threads.close()
    assert isinstance(answers[0], OSError)
    assert answers[1:] == [check_project(session.opened, Selection())]
    session.close()


def test_a_difference_counts_findings_that_are_alike() -> None:
    one, other = (Finding("dangling", "warning", path, "") for path in ("Assets/a", "Assets/b"))
    assert difference([one, one], [one, other]) == ([other], [one])
    assert difference([], [one, one]) == ([one, one], [])
