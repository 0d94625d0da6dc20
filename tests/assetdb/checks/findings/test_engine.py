"""Findings of rules are kept until anything that they rest on changes."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings import engine
from assetdb.checks.findings.engine import Selection, check_project, rule_findings
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import CONFLICT_MARKERS, RULES, Rule
from assetdb.errors import FileError
from assetdb.memo import file
from assetdb.memo.contents import Contents
from assetdb.memo.file import MemoFile
from assetdb.memo.inputs import IDENTITY
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.files import MEMO_NAME
from assetdb.system.identity import RACY
from assetdb.unity.settings.editor_version import VERSION_FILE
from assetdb.version import VERSION
from assetdb_formats.processes import can_fork
from tests.architecture.imports import CHECKOUT
from tests.assetdb.checks.healthy import (
    GROUP_SCRIPT,
    NATIVE,
    SCRIPT,
    guid_of,
    make_healthy,
    material,
    put,
    put_settings,
)
from tests.assetdb.unity_project import HEAD, SETTLED, component, game_object, guid, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.checks.findings.engine import Report
    from assetdb.query.snapshots.snapshot import Snapshot

SETTINGS_RULES = [rule for rule in RULES if rule.module in ("project_settings", "text_assets")]  # read all settings
GAME = "Assets/Scripts/Game.asmdef"


class Looks:
    """How often rules looked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.codes: list[str] = []
        find = Rule.find

        def counted(rule: Rule, project: object) -> Iterator[Finding]:
            self.codes.append(rule.code)
            return find(rule, project)  # type: ignore[arg-type]

        monkeypatch.setattr(Rule, "find", counted)

    def of(self, root: Path, folder: Path) -> tuple[list[Finding], int]:
        """Return the findings of all rules, and how many of them had to look."""
        self.codes.clear()
        project = open_project(str(root), str(folder))
        try:
            found = list(rule_findings(memo_of(project).inputs(project), RULES))
            memo_of(project).write()
        finally:
            project.close()
        return found, len(self.codes)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    # What has just been written counts as changing; here all of it has.
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))
    return Looks(monkeypatch)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = make_healthy(tmp_path / "Game", 1)
    put(root, "Assets/More/Resources/Icons/Coin.jpg", b"x", "TextureImporter:\n  userData: \n")
    return root


def test_nothing_is_looked_for_twice(project: Path, tmp_path: Path, looks: Looks) -> None:
    first = looks.of(project, tmp_path / "out")
    assert [row.code for row in first[0]] == ["resources-duplicate"] * 2
    assert first[1] == len(RULES)
    assert looks.of(project, tmp_path / "out") == (first[0], 0)
    put_settings(project, mode=0)
    found, count = looks.of(project, tmp_path / "out")
    assert [row.code for row in found] == ["resources-duplicate"] * 2 + ["serialization-mode"]
    assert count == 1 + len(SETTINGS_RULES)  # and the rule that reads this file; the one beside it has the same bytes
    assert looks.of(project, tmp_path / "out")[1] == 0


def test_no_two_rules_share_the_key_of_their_findings() -> None:
    assert len({rule.key for rule in RULES}) == len(RULES)


def test_the_docs_name_what_a_folder_of_assets_leaves_open() -> None:
    text = (CHECKOUT / "docs/check.md").read_text("utf-8")
    named = text.partition("These codes are not judged")[2].partition("`unused`")[0]
    assert re.findall("`([a-z-]+)`", named) == sorted({rule.code for rule in RULES if rule.of_whole})


@pytest.mark.parametrize(("version", "expected"), [("2019.2.21f1", []), ("2019.3.0f1", ["broken-asset"])])
def test_what_newer_editors_alone_refuse_is_told_of_their_projects(
    project: Path, tmp_path: Path, version: str, expected: list[str]
) -> None:
    (project / VERSION_FILE).write_text(f"m_EditorVersion: {version}\n")
    put(project, "Assets/Art/Odd.mat", material("Odd"), "NativeFormatImporter:\n  list:\n  -\n")
    opened = open_project(str(project), str(tmp_path / "out"))
    found = check_project(opened, Selection(select=("broken-asset",))).findings
    opened.close()
    assert [row.code for row in found] == expected


def test_a_file_that_a_rule_reads_is_another(project: Path, tmp_path: Path, looks: Looks) -> None:
    looks.of(project, tmp_path / "out")
    text = (project / GAME).read_text()
    (project / GAME).write_text(text.replace('""', '"Game.Dato"'))
    found, count = looks.of(project, tmp_path / "out")
    assert "asmdef-reference" in {row.code for row in found}
    modules = ("csharp.code", "csharp.literals", "csharp.managed")
    of_assemblies = [rule for rule in RULES if rule.module in modules and rule.code != CONFLICT_MARKERS]
    assert count == len([rule for rule in RULES if rule.code.startswith("asmdef-")]) + len(of_assemblies)
    (project / GAME).write_text(text)
    assert "asmdef-reference" not in {row.code for row in looks.of(project, tmp_path / "out")[0]}


def test_an_asset_more_is_seen_by_all_that_look_at_assets(project: Path, tmp_path: Path, looks: Looks) -> None:
    looks.of(project, tmp_path / "out")
    put(project, "Assets/Art/New.mat", material("New"), NATIVE)
    looks.of(project, tmp_path / "out")
    assert "resources-duplicate" in looks.codes
    assert not {"serialization-mode", "hidden-metas", "left-behind", "package-manifest"}.intersection(looks.codes)
    (project / "Assets/Data/Item0.asset").unlink()  # its meta stays: an entry of a group has no asset
    found, _count = looks.of(project, tmp_path / "out")
    assert [row.code for row in found][:1] == ["addressables-entry"]
    assert GROUP_SCRIPT not in {row.target for row in found}


def test_what_may_still_be_changing_is_read_again(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = Looks(monkeypatch)
    soon = time.time() + 1000  # as young as the look, for the clock of a server may be ahead
    paths = [project / "ProjectSettings" / name for name in ("EditorSettings.asset", "VersionControlSettings.asset")]
    for is_changed in (True, False, True, False):
        for path in paths:
            path.write_bytes(path.read_bytes() + b"\n" * is_changed)
            os.utime(path, (soon, soon))
        looks.of(project, tmp_path / "out")
        assert ({"hidden-metas", "serialization-mode"} <= set(looks.codes)) == is_changed


@pytest.mark.parametrize("text", ["", "{}", "\0", "[" * 10_000])
def test_a_damaged_file_is_none(project: Path, tmp_path: Path, looks: Looks, text: str) -> None:
    first = looks.of(project, tmp_path / "out")[0]
    (tmp_path / "out" / MEMO_NAME).write_text(text)
    assert looks.of(project, tmp_path / "out") == (first, len(RULES))


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("damage", [b"", b"[]", b"7", b"[" * 10_000, b'["1", "", "", [[1]]]', b'["1", "", "", 3]'])
def test_a_damaged_entry_is_looked_for_again(
    project: Path, tmp_path: Path, looks: Looks, damage: bytes, number: int
) -> None:
    first = looks.of(project, tmp_path / "out")[0]
    kept = MemoFile(str(tmp_path / "out" / MEMO_NAME), VERSION)
    (key,) = [rule.key for rule in RULES if rule.code == "resources-duplicate"]
    parts = [kept.part(key, part) or b"" for part in range(3)]
    parts[number] = damage
    kept.put(key, parts)
    assert kept.write()
    found, count = looks.of(project, tmp_path / "out")
    assert found == first
    assert count == (number != 1)  # the tree is the same, so nobody asks for the files


def test_files_of_an_unchanged_tree_are_not_asked_for(
    project: Path, tmp_path: Path, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks.of(project, tmp_path / "out")
    with monkeypatch.context() as patched:
        asked: list[str] = []
        look = Contents.look

        def looked(contents: Contents, project: Snapshot, path: str, *others: object) -> tuple[int, bytes | None]:
            asked.append(path)
            return look(contents, project, path, *others)  # type: ignore[arg-type] # as they came

        patched.setattr(Contents, "look", looked)
        assert looks.of(project, tmp_path / "out")[1] == 0
    assert VERSION_FILE in asked
    assert not [path for path in asked if path.startswith("Assets/") and path.endswith(".cs")]
    (project / "Assets/Scripts/Health.cs").write_text("class Health {}\n")
    found, _count = looks.of(project, tmp_path / "out")
    assert "script-class" in {row.code for row in found}
    assert "script-class" in looks.codes
    assert looks.of(project, tmp_path / "out") == (found, 0)
    (project / VERSION_FILE).write_text("m_EditorVersion: 2019.4.1f1\n")
    looks.of(project, tmp_path / "out")
    assert {"script-class", "missing-method", "stale-field"} <= set(looks.codes)


def test_a_file_that_no_rule_has_read_leaves_all_as_they_are(project: Path, tmp_path: Path, looks: Looks) -> None:
    first = looks.of(project, tmp_path / "out")
    (project / "Assets/Art/tiles.png").write_bytes(b"other")  # no rule reads pictures
    assert looks.of(project, tmp_path / "out") == (first[0], 0)
    assert looks.of(project, tmp_path / "out") == (first[0], 0)
    (project / "Assets/Scripts/Health.cs").write_text("class Health {}\n")
    assert "script-class" in {row.code for row in looks.of(project, tmp_path / "out")[0]}


def test_the_first_class_of_a_script_without_users_asks_no_rule_on_events(
    project: Path, tmp_path: Path, looks: Looks
) -> None:
    put(project, "Assets/Scripts/Later.cs", "// nothing yet\n", SCRIPT)
    assert looks.of(project, tmp_path / "out")[1]
    (project / "Assets/Scripts/Later.cs").write_text("using UnityEngine;\nclass Later : MonoBehaviour {}\n")
    looks.of(project, tmp_path / "out")
    assert looks.codes
    assert not {"missing-method", "stale-field"}.intersection(looks.codes)


def test_a_reference_that_no_read_file_had_is_seen(project: Path, tmp_path: Path, looks: Looks) -> None:
    """A scene that never used a script was not read by the rule that blames the script."""
    (project / "Assets/Scripts/Health.cs").write_text("class Health {}\n")
    found, _count = looks.of(project, tmp_path / "out")
    (before,) = [row.message for row in found if row.code == "script-class"]
    assert looks.of(project, tmp_path / "out")[1] == 0
    script = f"  m_Script: {{fileID: 11500000, guid: {guid_of('Assets/Scripts/Health.cs')}, type: 3}}\n"
    paint = project / "Assets/Art/Paint0.mat"
    paint.write_text(f"{paint.read_text()}{component(114, 77, 100, 'MonoBehaviour', script)}")
    found, _count = looks.of(project, tmp_path / "out")
    (after,) = [row.message for row in found if row.code == "script-class"]
    assert after != before
    assert looks.of(project, tmp_path / "out")[1] == 0


def test_a_prefab_that_comes_to_nest_one_that_nests_it_is_seen(tmp_path: Path, looks: Looks) -> None:
    root = make_healthy(tmp_path / "Game", 1)
    nested = (
        "--- !u!1001 &{}\nPrefabInstance:\n  m_Modification:\n    m_Modifications: []\n"
        "  m_SourcePrefab: {{fileID: 100100000, guid: {}, type: 3}}\n"
    )
    for name, other in (("A", "B"), ("B", "")):
        text = HEAD + game_object(100, name) + (nested.format(9, guid_of(f"Assets/{other}.prefab")) if other else "")
        put(root, f"Assets/{name}.prefab", text, "PrefabImporter:\n  userData: \n")
    assert "recursive-prefab" not in {row.code for row in looks.of(root, tmp_path / "out")[0]}
    second = root / "Assets/B.prefab"
    second.write_text(second.read_text() + nested.format(9, guid_of("Assets/A.prefab")))
    assert "recursive-prefab" in {row.code for row in looks.of(root, tmp_path / "out")[0]}


def test_where_nothing_can_be_written_all_is_found(
    project: Path, tmp_path: Path, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_words: object) -> None:
        raise PermissionError

    monkeypatch.setattr(file, "replace_file", fail)
    first = looks.of(project, tmp_path / "out")
    assert looks.of(project, tmp_path / "out") == first


def test_a_duplicate_that_shares_another_guid_now_is_another(tmp_path: Path, looks: Looks) -> None:
    """The database is the same: it has neither of the two that came after."""
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    typed = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"
    for number, name in enumerate("abc", 500):
        write(root, f"Assets/{name}.txt", number, name)
    meta = "fileFormatVersion: 2\nguid: {}\nDefaultImporter:\n"
    (root / "Assets/a.txt.meta").write_text(meta.format(typed))
    (root / "Assets/c.txt.meta").write_text(meta.format(guid(501)))
    assert [row.path for row in looks.of(root, tmp_path / "out")[0]] == ["Assets/a.txt.meta"]
    (root / "Assets/c.txt.meta").write_text(meta.format(typed))
    assert [row.path for row in looks.of(root, tmp_path / "out")[0]] == ["Assets/a.txt.meta", "Assets/c.txt.meta"]


def test_a_meta_that_one_of_unitys_readers_refuses_is_broken_by_the_version(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game", 1)
    put(root, "Assets/Art/Rows.bytes", "x", "DefaultImporter:\n  list:\n  -\n  last: 1\n")
    version = root / "ProjectSettings/ProjectVersion.txt"
    for editor, lines in (("2022.3.1f1", [5]), ("2019.2.21f1", []), ("2019.3.0f6", [5])):
        version.write_text(f"m_EditorVersion: {editor}\n")
        project = open_project(str(root), str(tmp_path / "out"))
        found = [row for row in check_project(project, Selection()).findings if row.path.endswith("Rows.bytes.meta")]
        project.close()
        assert [(row.code, row.line) for row in found] == [("broken-asset", line) for line in lines]


@pytest.fixture
def several(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with findings of rules and of references, whose first check is for two processes."""
    monkeypatch.setattr(engine, "_FEW", 0)
    put_settings(project, mode=0)
    (project / "Assets/Scripts/Health.cs").write_text("class Health {}\n")
    lost = "  m_Target: {fileID: 11500000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
    paint = project / "Assets/Art/Paint0.mat"
    paint.write_text(f"{paint.read_text()}{component(114, 77, 100, 'MonoBehaviour', lost)}")
    time.sleep(SETTLED)
    return project


def checked(root: Path, folder: Path, workers: int) -> Report:
    opened = open_project(str(root), str(folder))
    try:
        return check_project(opened, Selection(), workers=workers)
    finally:
        opened.close()


@pytest.mark.skipif(not can_fork(), reason="nothing forks here")
def test_rules_of_a_first_check_are_derived_beside_its_references(
    several: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = Looks(monkeypatch)
    one = checked(several, tmp_path / "one", 1)
    rules = [rule for rule in RULES if rule.code in one.codes]
    assert looks.codes == [rule.code for rule in rules]
    assert {"missing-asset", "script-class", "resources-duplicate", "serialization-mode"} <= set(one.statistics)
    looks.codes.clear()
    assert checked(several, tmp_path / "two", 2) == one
    assert not looks.codes
    kept = [MemoFile(str(tmp_path / name / MEMO_NAME), VERSION).entries() for name in ("one", "two")]
    assert kept[0].keys() == kept[1].keys()
    assert {rule.key for rule in rules} <= kept[0].keys()
    for rule in rules:
        assert kept[0][rule.key] == kept[1][rule.key]
    assert checked(several, tmp_path / "two", 2) == one
    assert not looks.codes


@pytest.mark.skipif(not can_fork(), reason="nothing forks here")
def test_rules_of_files_that_may_still_be_changing_are_derived_once(
    several: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []

    def find(rule: Rule, project: View) -> Iterator[Finding]:
        looked.append(rule.code)
        project.note(IDENTITY, VERSION_FILE, RACY)
        yield Finding.of(rule.code, VERSION_FILE, "found")

    monkeypatch.setattr(Rule, "find", lambda rule, project: list(find(rule, project)))
    first = checked(several, tmp_path / "out", 2)
    assert not looked
    assert [row.code for row in first.findings if row.message == "found"]
    assert checked(several, tmp_path / "out", 2) == first
    assert looked == [rule.code for rule in RULES if rule.code in first.codes]


@pytest.mark.skipif(not can_fork(), reason="nothing forks here")
def test_a_rule_that_fails_in_a_process_of_its_own_fails_as_in_this(
    several: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(rule: Rule, project: object) -> Iterator[Finding]:
        raise FileError("Assets/Art: cannot be listed now")

    monkeypatch.setattr(Rule, "find", fail)
    with pytest.raises(FileError, match="cannot be listed now"):
        checked(several, tmp_path / "two", 2)


@pytest.mark.skipif(not can_fork(), reason="nothing forks here")
def test_what_git_did_not_tell_another_process_is_asked_by_this(
    several: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(_: Rule, project: View) -> list[Finding]:
        project._project.losses.has_answered = False  # as if git were gone
        return []

    monkeypatch.setattr(Rule, "find", find)
    opened = open_project(str(several), str(tmp_path / "two"))
    check_project(opened, Selection(), workers=2)
    assert not opened.losses.has_answered
    opened.close()


def test_a_traceback_shows_the_rule_within_five_frames(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Downwards from the loop over all rules, and upwards from whatever of the view has failed."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    for name in {name for name in vars(View) if not name.startswith("_")} - {"tops", "note", "inherit"}:
        monkeypatch.setattr(View, name, property(fail) if isinstance(vars(View)[name], property) else fail)
    hidden, buried = [], []
    opened = open_project(str(project), str(project.parent / "out"))
    for rule in RULES:
        with pytest.raises(RuntimeError, match="boom") as caught:
            list(rule_findings(memo_of(opened).inputs(opened), [rule]))
        names = [str(entry.frame.f_globals["__name__"]) for entry in caught.traceback]
        names = names[names.index("assetdb.checks.findings.engine") :]
        hidden += [] if f"assetdb.checks.rules.{rule.module}" in names[:5] else [(rule.code, names)]
        buried += [] if any(name.startswith("assetdb.checks.rules.") for name in names[-5:]) else [(rule.code, names)]
    opened.close()
    assert not hidden
    assert not buried
