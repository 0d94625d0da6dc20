from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks import daemon_report
from assetdb.checks.daemon_report import cached_report, difference, is_awaited
from assetdb.checks.findings import engine
from assetdb.checks.findings.engine import Report, check_project
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.selection import Selection
from assetdb.checks.verdicts.state import State
from assetdb.daemon.session import Session
from assetdb.query.snapshots.snapshot import REPORTS, open_project
from assetdb.settings.project import JOURNAL_NAME
from tests.assetdb.system.test_jobs import PATIENCE, wait_for
from tests.assetdb.unity_project import HEAD, SETTLED, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot


def test_a_report_stands_until_something_is_another(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    first = cached_report(session.opened)
    assert first == check_project(session.opened, Selection())
    assert cached_report(session.opened) is first
    some = cached_report(session.opened, ["dangling"])
    assert {finding.code for finding in some.findings} == {"dangling"}
    assert cached_report(session.opened, [], ["dangling"]).findings != first.findings
    settings = root / "ProjectSettings" / "EditorSettings.asset"
    settings.write_text("%YAML 1.1\n--- !u!159 &1\nEditorSettings:\n  m_SerializationMode: 0\n")
    serialized = cached_report(session.opened)
    assert "serialization-mode" in {finding.code for finding in serialized.findings}
    (root / "Assets" / "Main.unity").write_text("%YAML 1.1\n")
    session.reconcile()
    assert len(cached_report(session.opened).findings) < len(serialized.findings)
    (root / "assetdb.toml").write_text('[check]\nselect = ["lfs-pointer"]\n')
    assert {finding.code for finding in cached_report(session.opened).findings} == {"lfs-pointer"}
    session.close()


def test_a_report_is_made_anew_where_a_file_that_nobody_watches_went(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Project")
    journal = root / JOURNAL_NAME
    journal.write_text("{}")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    assert "left-behind" in {finding.code for finding in cached_report(session.opened).findings}
    journal.unlink()
    assert "left-behind" not in {finding.code for finding in cached_report(session.opened).findings}
    session.close()


@pytest.mark.parametrize("folder", ["", "Deep/"])
def test_a_folder_of_packages_that_is_none_any_more(tmp_path: Path, folder: str) -> None:
    """Unity imports no meta in it, so one without its asset tells nothing of a GUID."""
    root = make_project(tmp_path / "Project")
    (root / "Packages" / "manifest.json").parent.mkdir(exist_ok=True)
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {}}')
    name = f"Packages/com.acme.tools/{folder}T.prefab"
    write(root, "Packages/com.acme.tools/package.json", 70, '{"name": "com.acme.tools", "version": "1.0.0"}')
    write(root, name, 71, "%YAML 1.1\n--- !u!1 &100\nGameObject:\n  m_Name: T\n")
    reference = f"  x: {{fileID: 100, guid: {guid(71)}, type: 3}}\n"
    write(root, "Assets/User.asset", 72, f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n{reference}")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()

    def of_user(report: Report) -> set[tuple[str, str]]:
        return {(each.code, each.message) for each in report.findings if each.path == "Assets/User.asset"}

    def told() -> set[str]:
        found = of_user(cached_report(session.opened))
        fresh = open_project(str(root), str(tmp_path / f"fresh{next(numbers)}"))
        try:
            assert found == of_user(check_project(fresh, Selection()))
        finally:
            fresh.close()
        return {code for code, _ in found}

    numbers = count()
    assert told() == set()
    place = root / "Packages" / "com.acme.tools"
    for gone, codes in ((root / name, {"target-absent"}), (place / "package.json", {"missing-asset"})):
        data = gone.read_bytes()
        gone.unlink()
        session.update([b"Packages/com.acme.tools", b"Packages/com.acme.tools/Deep"])
        assert told() == codes
    gone.write_bytes(data)
    session.update([b"Packages/com.acme.tools"])
    assert told() == {"target-absent"}
    session.close()


def test_one_report_answers_all_that_wait_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the newest of their snapshots, so that whoever has an older one hears of nothing that was undone."""
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    made: list[Snapshot] = []
    reports: list[tuple[int, Report]] = []
    go_on = threading.Event()

    def counted(project: Snapshot, selection: Selection) -> Report:
        made.append(project)
        assert go_on.wait(PATIENCE)
        return check_project(project, selection)

    monkeypatch.setattr(daemon_report, "check_project", counted)
    snapshots = [session.opened]
    with ThreadPoolExecutor(4) as threads:

        def ask(number: int) -> Future[None]:
            project = session.opened
            return threads.submit(lambda: reports.append((number, cached_report(project))))

        asked = [ask(0)]
        wait_for(lambda: bool(made))
        for number in range(1, 4):
            (root / "Assets" / f"Gone{number}.png.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\n")
            session.update([b"Assets"])
            snapshots.append(session.opened)
            asked.append(ask(number))
        kept = session.memory[REPORTS]
        wait_for(lambda: len(kept.questions) == 4)  # type: ignore[attr-defined]  # the reports
        assert is_awaited(session.memory)
        go_on.set()
        for one in asked:
            one.result(PATIENCE)
    assert not is_awaited(session.memory)
    assert made == [snapshots[0], snapshots[3]]
    reports.sort(key=lambda item: item[0])
    assert {id(report) for _, report in reports[1:]} == {id(reports[1][1])}
    assert reports[1][1] == check_project(session.opened, Selection())
    assert reports[1][1].findings != reports[0][1].findings
    session.close()


def test_a_request_for_other_codes_waits_for_one_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is answered with those for all codes, from their snapshot: nothing is judged for an older one again."""
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    made: list[tuple[Snapshot, tuple[str, ...]]] = []
    go_on = threading.Event()

    def counted(project: Snapshot, selection: Selection) -> Report:
        made.append((project, tuple(sorted(selection.select))))
        assert go_on.wait(PATIENCE)
        return check_project(project, selection)

    monkeypatch.setattr(daemon_report, "check_project", counted)
    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(cached_report, session.opened)]
        wait_for(lambda: bool(made))
        asked.append(threads.submit(cached_report, session.opened, ["dangling"]))
        kept = session.memory[REPORTS]
        wait_for(lambda: len(kept.questions) == 2)  # type: ignore[attr-defined]  # the reports
        (root / "Assets" / "Gone.png.meta").write_text(f"fileFormatVersion: 2\nguid: {7:032x}\n")
        session.update([b"Assets"])
        asked.append(threads.submit(cached_report, session.opened))
        wait_for(lambda: len(kept.questions) == 3)  # type: ignore[attr-defined]  # the reports
        go_on.set()
        _, some, every = (one.result(PATIENCE) for one in asked)
    assert [project.number for project, _ in made[1:]] == [session.opened.number] * 2
    assert some == check_project(session.opened, Selection(select=("dangling",)))
    assert every == check_project(session.opened, Selection())
    session.close()


def test_a_failure_for_other_codes_is_told_to_who_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    go_on = threading.Event()

    def failing(project: Snapshot, selection: Selection) -> Report:
        assert go_on.wait(PATIENCE)
        if selection.select:
            raise OSError("the disk went away")
        return check_project(project, selection)

    monkeypatch.setattr(daemon_report, "check_project", failing)
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(cached_report, session.opened)
        wait_for(lambda: is_awaited(session.memory))
        failed = threads.submit(cached_report, session.opened, ["dangling"])
        kept = session.memory[REPORTS]
        wait_for(lambda: len(kept.questions) == 2)  # type: ignore[attr-defined]  # the reports
        second = threads.submit(cached_report, session.opened)
        go_on.set()
        assert first.result(PATIENCE) == second.result(PATIENCE)
        assert isinstance(failed.exception(PATIENCE), OSError)
    session.close()


def test_a_report_that_fails_is_made_by_the_next_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_project(tmp_path / "Project")
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    answers: list[object] = []
    failed: list[bool] = []

    def failing(project: Snapshot, selection: Selection) -> Report:
        if not failed:
            failed.append(True)
            wait_for(lambda: len(session.memory[REPORTS].questions) == 2)  # type: ignore[attr-defined]  # the reports
            raise OSError("the disk went away")
        return check_project(project, selection)

    monkeypatch.setattr(daemon_report, "check_project", failing)

    def work() -> None:
        try:
            answers.append(cached_report(session.opened))
        except OSError as error:
            answers.append(error)

    with ThreadPoolExecutor(2) as threads:
        for one in [threads.submit(work) for _ in range(2)]:
            one.result(PATIENCE)
    assert len(answers) == 2
    assert [one for one in answers if not isinstance(one, OSError)] == [check_project(session.opened, Selection())]
    session.close()


def test_a_difference_counts_findings_that_are_alike() -> None:
    one, other = (Finding("dangling", "warning", path, "") for path in ("Assets/a", "Assets/b"))
    assert difference([one, one], [one, other]) == ([other], [one])
    assert difference([], [one, one]) == ([one, one], [])


def test_a_report_judges_once_though_text_without_a_meta_changes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_project(tmp_path / "Project")
    loose = root / "Assets/Loose.prefab"
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    counted, judged = count(1), list[State]()
    ask, follow = engine.rule_findings, State.follow

    def edited(*given: Any) -> Iterator[Finding]:  # noqa: ANN401 - as it was called
        yield from ask(*given)
        loose.write_text(f"{HEAD}{game_object(5, 'A')}  x{next(counted)}: {{fileID: 100, guid: {guid(77)}, type: 3}}\n")

    monkeypatch.setattr(engine, "rule_findings", edited)
    monkeypatch.setattr(
        State, "follow", lambda state, *given, **named: judged.append(state) or follow(state, *given, **named)
    )
    loose.write_text(HEAD)
    for number in (1, 2):
        session.reconcile()
        found = [finding for finding in cached_report(session.opened).findings if finding.path == "Assets/Loose.prefab"]
        assert "missing-asset" in {finding.code for finding in found}
        assert len(judged) == number
    session.close()


def test_text_without_a_meta_is_read_again_though_the_scan_saw_nothing_else(tmp_path: Path) -> None:
    """A file that is replaced is an event of its folder, whose names and metas are as they were."""
    root = make_project(tmp_path / "Project")
    loose = root / "Assets/Loose.prefab"
    loose.write_text(HEAD + game_object(5, "A"))
    time.sleep(SETTLED)
    session = Session(str(root), str(tmp_path / "out"))
    session.start()

    def codes() -> set[str]:
        return {finding.code for finding in cached_report(session.opened).findings if finding.path.endswith(loose.name)}

    before = session.opened.number
    assert codes() == {"missing-meta"}
    loose.write_text(f"{HEAD}{game_object(5, 'A')}  x: {{fileID: 100, guid: {guid(77)}, type: 3}}\n")
    session.update([b"Assets"])
    assert session.opened.number == before
    assert codes() == {"missing-meta", "missing-asset"}
    session.close()
