"""What a change brought, and what is kept of revisions."""

from __future__ import annotations

import os
import re
import time
import zlib
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.changes import introduced
from assetdb.checks.changes.introduced import check_since, check_staged
from assetdb.checks.changes.race_check import STAMP_SIZE
from assetdb.checks.findings import engine
from assetdb.checks.findings.baseline import Baseline
from assetdb.checks.findings.engine import Report, Selection, check_project
from assetdb.checks.request import Question, answer
from assetdb.errors import HistoryError
from assetdb.history.git.questions import Held
from assetdb.history.git.repository import Repository
from assetdb.history.lost_guids import find_uncommitted
from assetdb.memo.file import MemoFile
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.files import MEMO_NAME
from assetdb.version import VERSION
from tests.assetdb.history.git_project import commit, git, make_repository, meta_of, script
from tests.assetdb.unity_project import HEAD, SETTLED, game_object, guid, write, write_meta
from tests.needs import hide_git, needs_links

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot

DEFAULT = Selection()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the other sides that are checked, and not read from what is kept."""
    counted: list[int] = []
    real = introduced.open_entries

    def counting(*words: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
        counted.append(len(words))
        return real(*words, **options)

    monkeypatch.setattr(introduced, "open_entries", counting)
    return counted


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the sides that are checked at all."""
    counted: list[int] = []
    real = introduced.check_project

    def counting(project: Snapshot, selection: Selection, **options: Any) -> Report:  # noqa: ANN401 - handed on
        counted.append(1)
        return real(project, selection, **options)

    monkeypatch.setattr(introduced, "check_project", counting)
    return counted


def old(root: Path) -> None:
    """Let all files be older than any look at them: what is younger may change and be told from nothing."""
    before = time.time() - 100
    for folder, _, names in os.walk(root):
        if ".git" not in folder and "Library" not in folder:
            for name in names:
                os.utime(os.path.join(folder, name), (before, before))
    time.sleep(0.1)


def since(root: Path, revision: str = "HEAD", selection: Selection = DEFAULT) -> list[tuple[str, str]]:
    time.sleep(SETTLED)
    project = open_project(str(root))
    try:
        return shown(check_since(project, revision, selection))
    finally:
        project.close()


def staged(root: Path, selection: Selection = DEFAULT) -> list[tuple[str, str]]:
    time.sleep(SETTLED)
    project = open_project(str(root))
    try:
        return shown(check_staged(project, selection))
    finally:
        project.close()


def shown(report: Report) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in report.findings]


def delete(path: Path) -> None:
    path.unlink()
    meta_of(path).unlink()


BROKEN = [
    ("missing-script", "Assets/Deep/Down/Here/well.prefab"),
    ("missing-script", "Assets/Main.unity"),
    ("missing-script", "Assets/Prefabs/Player.prefab"),
    ("missing-script", "Assets/Prefabs/Tower.prefab"),
    ("missing-script", "Assets/data.asset"),
]


def test_what_a_deletion_breaks_is_brought(root: Path) -> None:
    assert since(root) == []
    delete(root / "Assets/Scripts/Health.cs")
    (root / "Assets/Scripts").rmdir()
    assert since(root) == BROKEN
    assert staged(root) == []
    git(root, "add", "-A")
    assert staged(root) == BROKEN
    git(root, "commit", "-q", "-m", "broken")
    assert since(root) == staged(root) == []
    assert since(root, "HEAD~1") == BROKEN


def test_what_the_change_took_away_is_told_without_the_history(root: Path) -> None:
    script_file = root / "Assets/Scripts/Health.cs"
    own = re.search("guid: (.{32})", meta_of(script_file).read_text())
    assert own is not None
    delete(script_file)
    held = {own[1]: Held("Assets/Scripts/Health.cs", "")}
    project = open_project(str(root))
    try:
        assert check_since(project, "HEAD", DEFAULT).held == held == find_uncommitted(str(root))
        git(root, "add", "-A")
        assert check_staged(project, DEFAULT).held == held
        write(root, "Assets/other.prefab", 97, HEAD + game_object(100, "Other"))
        git(root, "reset", "-q")
        git(root, "add", "Assets/other.prefab")
        git(root, "commit", "-q", "-m", "something else")
        assert check_since(project, "HEAD~1", DEFAULT).held == held  # the last commit has it yet
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "broken")
        assert check_since(project, "HEAD~2", DEFAULT).held == {}  # which commit took it away, the history tells
    finally:
        project.close()


def test_it_is_missing_also_where_a_package_is_not_here(root: Path) -> None:
    """In CI no package is: nothing else would be told of a script that the change took away."""
    manifest = root / "Packages" / "manifest.json"
    manifest.write_text('{"dependencies": {"com.stranger.things": "1.0.0", "com.acme.tools": "1.0.0"}}')
    commit(root)
    delete(root / "Assets/Scripts/Health.cs")
    (root / "Assets/Scripts").rmdir()
    write(root, "Assets/new.prefab", 90, HEAD + game_object(100, "New", 0, script(78)))
    unknown = ("unknown-guid", "Assets/new.prefab")  # or it is in that package
    assert since(root) == sorted([*BROKEN, unknown], key=lambda row: row[1])
    assert since(root, selection=Selection(ignore=("unknown-guid",))) == BROKEN
    all_codes = since(root, selection=Selection(select=("all",)))
    assert ("unknown-guid", "Assets/new.prefab") in all_codes
    assert ("package-not-present", "Assets/new.prefab") not in all_codes
    assert ("missing-script", "Assets/Main.unity") in all_codes
    assert since(root, selection=Selection(select=("missing-asset",))) == []


def test_a_path_limits_what_is_reported_and_not_what_is_compared(root: Path) -> None:
    old = root / "Assets/Main.unity"
    (root / "Assets/Scenes").mkdir()
    write_meta(root, "Assets/Scenes", 96, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    meta_of(old).rename(meta_of(root / "Assets/Scenes/Main.unity"))
    old.rename(root / "Assets/Scenes/Main.unity")
    assert since(root, selection=Selection(("Assets/Scenes",))) == []
    scene = root / "Assets/Scenes/Main.unity"
    scene.write_text(scene.read_text().replace(guid(2), guid(79)))
    assert set(since(root, selection=Selection(("Assets/Scenes",)))) == {("unknown-guid", "Assets/Scenes/Main.unity")}
    assert since(root, selection=Selection(("Assets/Art",))) == []
    ignores = Selection(per_path_ignores=(("Assets/Scenes/**", ("unknown-guid",)),))
    assert ("unknown-guid", "Assets/Scenes/Main.unity") not in since(root, selection=ignores)


def invent(root: Path, number: int = 78) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(number)))


def only_finding(root: Path) -> Finding:
    with closing(open_project(str(root))) as project:
        (finding,) = check_since(project, "HEAD", DEFAULT).findings
    return finding


def test_a_guid_that_a_change_makes_up_is_an_error(root: Path) -> None:
    invent(root)
    finding = only_finding(root)
    assert (finding.code, finding.severity) == ("unknown-guid", "error")
    assert finding.message.endswith(f"no asset, package or commit here has the GUID {guid(78)}")


def test_a_guid_that_an_absent_package_may_have_is_a_warning(root: Path) -> None:
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {"com.stranger.things": "1.0.0"}}')
    commit(root)
    invent(root)
    finding = only_finding(root)
    assert (finding.code, finding.severity) == ("unknown-guid", "warning")
    assert finding.message.endswith("; packages that are not on this machine may (com.stranger.things)")


def test_a_guid_that_an_earlier_commit_may_have_is_a_warning(root: Path, tmp_path: Path) -> None:
    (root / "Packages" / "manifest.json").write_text("{}")
    (root / "Assets" / "more.txt").write_text("a second commit")
    write_meta(root, "Assets/more.txt", 95, "TextScriptImporter:\n  userData: \n")
    commit(root)
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "shallow")
    invent(tmp_path / "shallow")
    finding = only_finding(tmp_path / "shallow")
    assert (finding.code, finding.severity) == ("unknown-guid", "warning")
    assert finding.message.endswith("; this clone is shallow, so earlier commits may")


def test_what_is_not_staged_is_not_made_up(root: Path) -> None:
    """The commit breaks the reference, for it lacks the script; the GUID is a true one."""
    write(root, "Assets/Scripts/New.cs", 78, "class New {}")
    invent(root)
    git(root, "add", "Assets/Prefabs/Tower.prefab")
    assert staged(root) == [("not-committed", "Assets/Prefabs/Tower.prefab")]


def test_a_baseline_knows_a_guid_that_the_change_made_up(root: Path) -> None:
    invent(root)
    with closing(open_project(str(root))) as project:
        known = Counter(finding.identity() for finding in check_project(project, DEFAULT).findings)
        found = answer(project, Question(DEFAULT, since="HEAD", known=Baseline(known, None)))
    assert (found.report.findings, found.known) == ((), 1)


def test_a_revision_is_checked_once(root: Path, opened: list[int]) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))
    first = since(root)
    assert first == [("unknown-guid", "Assets/Prefabs/Tower.prefab")]
    assert len(opened) == 1
    assert since(root) == first
    assert len(opened) == 1
    of_scripts = since(root, selection=Selection(select=("missing-script",)))  # another question
    assert of_scripts == [("missing-script", "Assets/Prefabs/Tower.prefab")]
    assert len(opened) == 2


def test_both_sides_are_compared_once(root: Path, checked: list[int]) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))
    delete(root / "Assets/Scripts/Health.cs")
    old(root)
    expected = since(root)
    since(root)
    checked.clear()
    assert since(root) == expected
    assert since(root, selection=Selection(("Assets/Prefabs",))) == expected[-3:-1]
    assert checked == []
    tower.write_text(tower.read_text().replace(guid(78), guid(3)))
    old(root)
    assert since(root) == BROKEN
    assert checked
    git(root, "add", "-A")
    assert staged(root) == BROKEN
    checked.clear()
    assert staged(root) == BROKEN
    assert checked == []
    git(root, "reset", "-q", "Assets/Scripts")
    assert staged(root) == []
    delete(root / "Assets/Art/icon.png")
    git(root, "rm", "-q", "--cached", "Assets/Prefabs/Tower.prefab")
    assert BROKEN[3] not in staged(root)
    settings = root / "ProjectSettings/EditorSettings.asset"
    settings.write_text("%YAML 1.1\n--- !u!159 &1\nEditorSettings:\n  m_SerializationMode: 0\n")
    assert ("serialization-mode", "ProjectSettings/EditorSettings.asset") in since(root)


def test_after_a_commit_its_findings_are_known(root: Path, opened: list[int]) -> None:
    for number in range(3):
        write(root, f"Assets/n{number}.prefab", 90 + number, HEAD + game_object(100, "New", 0, script(72 + number)))
        git(root, "add", "-A")
        assert staged(root) == [("unknown-guid", f"Assets/n{number}.prefab")]
        git(root, "commit", "-q", "-m", "more")
    assert len(opened) == 4  # the index three times, and the first commit


def test_what_is_kept_falls_with_what_it_rests_on(root: Path, opened: list[int]) -> None:
    (root / ".gitignore").write_text("/Library/\n*.ignored\n*.ignored.meta\n/Assets/Paid/\n/Assets/Paid.meta\n")
    write(root, "Assets/Paid/Thing.cs", 99, "class Thing {}\n", "MonoImporter:\n  userData: \n")
    write(root, "Assets/user.prefab", 98, HEAD + game_object(100, "User", 0, script(99)))
    commit(root)
    delete(root / "Assets/Art/icon.png")
    assert since(root) == []
    assert len(opened) == 1
    delete(root / "Assets/Paid/Thing.cs")  # on no side any more
    assert since(root) == []
    assert len(opened) == 2


def test_what_is_kept_falls_with_the_version_of_a_rule(
    root: Path, opened: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    delete(root / "Assets/Art/icon.png")
    since(root)
    since(root)
    assert len(opened) == 1
    newer = tuple(rule._replace(version=f"{rule.version}+") for rule in engine.RULES)
    monkeypatch.setattr(engine, "RULES", newer)  # else what such a rule finds on both sides would be new
    since(root)
    assert len(opened) == 2


def test_a_repository_that_git_ignores_may_become_another_at_any_time(root: Path, opened: list[int]) -> None:
    (root / ".gitignore").write_text("/Library/\n/Assets/Paid/\n/Assets/Paid.meta\n")
    write(root, "Assets/Paid/Thing.cs", 99, "class Thing {}\n", "MonoImporter:\n  userData: \n")
    write(root, "Assets/user.prefab", 98, HEAD + game_object(100, "User", 0, script(99)))
    commit(root)
    git(root / "Assets/Paid", "init", "-q")
    assert since(root) == []
    delete(root / "Assets/Paid/Thing.cs")  # on no side any more
    assert since(root) == []
    assert len(opened) == 2


@pytest.mark.parametrize("ask", [since, staged])
def test_nothing_is_kept_where_the_disk_became_another_meanwhile(
    root: Path, ask: Callable[[Path], list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of the other side is what the disk has: an editor that saves while it is checked would be taken for it."""
    tower, player = root / "Assets/Prefabs/Tower.prefab", root / "Assets/Prefabs/Player.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))
    git(root, "add", "-A")
    real = introduced.open_entries

    def saving(*words: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
        player.write_text(player.read_text().replace(guid(3), guid(76)))
        return real(*words, **options)

    with monkeypatch.context() as patched:
        patched.setattr(introduced, "open_entries", saving)
        ask(root)
    git(root, "add", "-A")
    broken = [("unknown-guid", "Assets/Prefabs/Player.prefab"), ("unknown-guid", "Assets/Prefabs/Tower.prefab")]
    assert since(root) == broken
    git(root, "commit", "-q", "-m", "broken")
    assert since(root, "HEAD~1") == broken


def test_nothing_is_kept_of_what_was_taken_back_before_git_looked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bake saw the file as it was before, git as it is in the index: both of git's looks would agree."""
    tower, player = root / "Assets/Prefabs/Tower.prefab", root / "Assets/Prefabs/Player.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))
    git(root, "add", "-A")
    right = player.read_text()
    player.write_text(right.replace(guid(3), guid(77)))
    old(root)
    since(root)  # now its verdicts are known, and it is not read again
    real = Repository.index_against_disk

    def taking_back(repository: Repository, **words: Any) -> Any:  # noqa: ANN401 - as it is called
        player.write_text(right)
        return real(repository, **words)

    with monkeypatch.context() as patched:
        patched.setattr(Repository, "index_against_disk", taking_back)
        staged(root)
    assert staged(root) == [("unknown-guid", "Assets/Prefabs/Tower.prefab")]
    git(root, "commit", "-q", "-m", "broken")
    assert since(root) == []


def test_nothing_is_kept_where_the_index_became_another_meanwhile(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tower, player = root / "Assets/Prefabs/Tower.prefab", root / "Assets/Prefabs/Player.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))
    git(root, "add", "-A")
    player.write_text(player.read_text().replace(guid(3), guid(77)))
    real = introduced.open_entries

    def adding(*words: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
        git(root, "add", "-A")
        return real(*words, **options)

    with monkeypatch.context() as patched:
        patched.setattr(introduced, "open_entries", adding)
        staged(root)
    assert [path for _, path in staged(root)] == ["Assets/Prefabs/Player.prefab", "Assets/Prefabs/Tower.prefab"]
    git(root, "commit", "-q", "-m", "broken")
    assert since(root) == []
    assert [path for _, path in since(root, "HEAD~1")] == [
        "Assets/Prefabs/Player.prefab",
        "Assets/Prefabs/Tower.prefab",
    ]


def test_of_what_a_baseline_has_one_more_is_new(root: Path) -> None:
    """The older side is subtracted, and the baseline has the same findings: neither may count twice."""
    rows = "".join(f"  - {{fileID: 2100000, guid: {guid(number)}, type: 2}}\n" for number in (78, 78))
    data = root / "Assets/data.asset"
    data.write_text(f"{data.read_text()}  lost:\n{rows}")
    commit(root)
    project = open_project(str(root))
    known = Counter(finding.identity() for finding in check_project(project, DEFAULT).findings)
    assert max(known.values()) == 2
    data.write_text(f"{data.read_text()}  - {{fileID: 2100000, guid: {guid(78)}, type: 2}}\n")
    project.close()
    for staged_too in (False, True):
        project = open_project(str(root))
        asked = Question(DEFAULT, staged=staged_too, since=None if staged_too else "HEAD", known=Baseline(known, None))
        found = answer(project, asked)
        project.close()
        assert (shown(found.report), found.known) == ([("missing-asset", "Assets/data.asset")], 0)
        git(root, "add", "-A")


def kept_of(file: MemoFile) -> list[str]:
    return [key for key in file.keys() if key.startswith(introduced.PREFIX)]  # noqa: SIM118 - it is no dictionary


@pytest.mark.parametrize("stamp", [b"", bytes(STAMP_SIZE), b"1" * STAMP_SIZE])
@pytest.mark.parametrize("damage", [b"", b"\0", zlib.compress(b"[[1]]"), zlib.compress(b'{"a": 1}')])
def test_what_is_kept_may_be_damaged(root: Path, damage: bytes, stamp: bytes) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))
    first = since(root)
    file = MemoFile(str(root / "Library/assetdb" / MEMO_NAME), VERSION)
    (key,) = kept_of(file)[:1]
    file.put(key, [stamp + damage])
    assert file.write()
    assert since(root) == first


def test_so_many_are_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(introduced, "_MOST_KEPT", 2)
    for number in range(4):
        write(root, "Assets/n.prefab", 90, HEAD + game_object(100, f"N{number}", 0, script(78)))
        commit(root)
        delete(root / "Assets/n.prefab")
        since(root)
    assert len(kept_of(MemoFile(str(root / "Library/assetdb" / MEMO_NAME), VERSION))) == 2


def test_an_index_in_conflict_is_judged_as_it_is_on_the_disk(root: Path) -> None:
    tower = root / "Assets/Prefabs/Tower.prefab"
    git(root, "checkout", "-q", "-b", "other")
    tower.write_text(tower.read_text().replace("m_Name: Tower", "m_Name: Castle"))
    commit(root)
    git(root, "checkout", "-q", "main")
    tower.write_text(tower.read_text().replace("m_Name: Tower", "m_Name: House"))
    commit(root)
    with pytest.raises(Exception, match="merge"):
        git(root, "merge", "other")
    found = since(root)
    assert found == [("conflict-markers", "Assets/Prefabs/Tower.prefab")]
    (root / "Assets" / "other.txt").write_text("x")
    git(root, "add", "Assets/other.txt")
    assert ("missing-meta", "Assets/other.txt") in staged(root)


@needs_links
def test_what_may_be_mended_is_the_same_on_both_sides(root: Path) -> None:
    """What is staged is a link in the mirror, and a link has no meta made for it."""
    (root / "Assets" / "Prefabs" / "other.txt").write_text("x")
    (root / "Assets" / "Prefabs" / "link.txt").symlink_to("other.txt")
    git(root, "add", "-A")
    (root / "Assets" / "Prefabs" / "not staged.txt").write_text("x")
    with closing(open_project(str(root))) as project:
        reports = check_staged(project, DEFAULT), check_since(project, "HEAD", DEFAULT)
    on_index, on_disk = ({row.path: row.fixable for row in report.findings} for report in reports)
    assert on_index == {"Assets/Prefabs/link.txt": False, "Assets/Prefabs/other.txt": True}
    assert on_disk == {**on_index, "Assets/Prefabs/not staged.txt": True}


def test_without_git_it_is_said(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    since(root)
    hide_git(monkeypatch, str(tmp_path))
    with pytest.raises(HistoryError, match="git is not here"):
        since(root)


def test_without_a_repository_it_is_said(root: Path) -> None:
    (root / ".git").rename(root / "no")
    with pytest.raises(HistoryError, match="git init"):
        staged(root)


def test_an_uncommitted_change_in_a_submodule_is_a_change(root: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q", "-b", "main")
    write(inner, "thing.prefab", 95, HEAD + game_object(100, "Thing", 0, script(3)))
    commit(inner)
    write_meta(root, "Assets/Sub", 96, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "Assets/Sub")
    commit(root)
    thing = root / "Assets" / "Sub" / "thing.prefab"
    thing.write_text(thing.read_text().replace(guid(3), guid(78)))
    expected = [("unknown-guid", "Assets/Sub/thing.prefab")]
    assert since(root) == expected
    assert staged(root) == []
    commit(thing.parent)
    assert since(root) == expected
    git(root, "add", "-A")
    assert staged(root) == expected
    commit(root)
    assert (since(root, "HEAD~1"), since(root)) == (expected, [])


@pytest.mark.parametrize("check", [since, staged])
def test_the_disk_is_compared_once_for_the_change_and_for_what_is_not_in_git(
    root: Path, monkeypatch: pytest.MonkeyPatch, check: Callable[[Path], list[tuple[str, str]]]
) -> None:
    """To compare 123,000 files twice was an eighth of a check of unitystation's index."""
    check(root)  # the older side is known from here on
    write(root, "Assets/Used.prefab", 60, HEAD + game_object(1, "Used"))
    uses = f"{HEAD}{game_object(1, 'Uses')}  x: {{fileID: 1, guid: {guid(60)}, type: 3}}\n"
    write(root, "Assets/Uses.prefab", 61, uses)
    git(root, "add", "Assets/Uses.prefab", "Assets/Uses.prefab.meta")
    asked: list[str] = []
    output = Repository.output

    def noted(repository: Repository, *words: str, **options: object) -> bytes:
        asked.append(" ".join(words[:2]))
        return output(repository, *words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Repository, "output", noted)
    assert check(root) == [("not-committed", "Assets/Uses.prefab")]
    assert asked.count("ls-files -o") == 1
