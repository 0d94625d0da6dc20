"""Which references of a merge may lead nowhere, though they lead somewhere on both sides."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes import introduced
from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.merges import merge as merging
from assetdb.checks.merges.contested import Side, contested, may_be_narrow
from assetdb.checks.merges.merge import check_merge
from assetdb.checks.rules import RULES, Rule
from assetdb.history.git.merging import merged
from assetdb.history.git.repository import Repository
from assetdb.history.lost_guids import holders
from assetdb.memo.inputs import OF_FILES
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.revisions import open_entries
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git, make_repository, meta_of
from tests.assetdb.unity_project import HEAD, SETTLED, game_object, guid, write
from tests.needs import needs_cases

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding

OTHER = "Assets/Prefabs/Other.prefab"
USER = "Assets/Prefabs/User.prefab"
LIST = "Assets/List.asset"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project on ``main`` in which a list refers to two prefabs."""
    root = make_repository(tmp_path / "repository")
    write(root, OTHER, 70, HEAD + game_object(100, "Other", 0))
    write(root, USER, 71, HEAD + game_object(100, "User", 0))
    write(root, LIST, 72, listing(70, 71))
    commit(root)
    git(root, "branch", "feature")
    return root


def listing(*numbers: int) -> str:
    """Return an asset that refers to some prefabs."""
    rows = "".join(f"  - {{fileID: 100, guid: {guid(number)}, type: 3}}\n" for number in numbers)
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  items:\n{rows}"


def remove(root: Path, path: str) -> None:
    """Delete an asset with its meta."""
    (root / path).unlink()
    meta_of(root / path).unlink()


def asked(root: Path) -> tuple[dict[str, frozenset[str] | None], bool]:
    """Return the contested references of a merge of ``feature``, and whether they decide."""
    project = open_project(str(root))
    repository = Repository(project.root)
    try:
        with merged(repository, *repository.sides("main...feature")) as made:
            inner = made.repository
            differing = [inner.differences(side, made.result) for side in repository.sides("main...feature")]
            sides = [Side(entries, holders(inner, entries, project.root)) for entries in differing]
            with open_entries(project, inner, inner.revision_against_disk(made.result), stand_ins=True) as other:
                return contested(other, sides).files, may_be_narrow(project, sides)
    finally:
        project.close()


def test_two_removed_targets_of_an_unchanged_file_break_nothing_new(root: Path) -> None:
    remove(root, OTHER)
    commit(root)
    git(root, "checkout", "-q", "feature")
    remove(root, USER)
    commit(root)
    assert asked(root) == ({}, True)


def test_a_new_reference_to_what_the_other_side_removed(root: Path) -> None:
    remove(root, OTHER)
    commit(root)
    git(root, "checkout", "-q", "feature")
    (root / LIST).write_text(listing(71, 70, 70))
    commit(root)
    assert asked(root) == ({LIST: frozenset([guid(70)])}, True)


def test_an_asset_that_is_gone_while_its_meta_stays(root: Path) -> None:
    (root / OTHER).unlink()
    commit(root)
    git(root, "checkout", "-q", "feature")
    (root / LIST).write_text(listing(71, 70, 70))
    commit(root)
    assert asked(root) == ({LIST: frozenset([guid(70)])}, True)


def test_a_moved_file_is_asked_under_both_paths(root: Path) -> None:
    git(root, "mv", LIST, "Assets/Moved.asset")
    git(root, "mv", f"{LIST}.meta", "Assets/Moved.asset.meta")
    commit(root)
    git(root, "checkout", "-q", "feature")
    remove(root, OTHER)
    commit(root)
    lost = frozenset([guid(70)])
    assert asked(root) == ({LIST: lost, "Assets/Moved.asset": lost}, True)
    project = open_project(str(root))
    try:
        assert check_merge(project, "main", Selection()).findings == ()
    finally:
        project.close()


def test_all_references_of_a_file_that_both_sides_changed(root: Path) -> None:
    (root / LIST).write_text(listing(70, 71).replace("items:", "count: 1\n  items:"))
    commit(root)
    git(root, "checkout", "-q", "feature")
    (root / LIST).write_text(listing(70, 71, 70))
    commit(root)
    found, _ = asked(root)
    assert found == {LIST: None}


def test_a_file_without_a_meta_counts_by_its_text(root: Path) -> None:
    (root / "Assets/Loose.asset").write_text(listing(70))
    commit(root)
    git(root, "checkout", "-q", "feature")
    remove(root, OTHER)
    commit(root)
    found, _ = asked(root)
    assert found == {"Assets/Loose.asset": frozenset([guid(70)])}


def test_what_nests_a_changed_prefab_is_changed(root: Path) -> None:
    nests = f"--- !u!1 &200 stripped\nGameObject:\n  m_CorrespondingSourceObject: {{fileID: 100, guid: {guid(70)}}}\n"
    (root / USER).write_text(HEAD + nests)
    commit(root)
    git(root, "checkout", "-q", "feature")
    git(root, "reset", "-q", "--hard", "main")
    (root / OTHER).write_text(HEAD + game_object(101, "Other", 0))
    commit(root)
    git(root, "checkout", "-q", "main")
    (root / LIST).write_text(listing(71, 71))
    commit(root)
    assert asked(root) == ({LIST: frozenset([guid(71)])}, True)


@pytest.mark.parametrize("path", ["Packages/manifest.json", "ProjectSettings/TagManager.asset"])
def test_what_decides_all_references_needs_all(root: Path, path: str) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text("{}")
    commit(root)
    git(root, "checkout", "-q", "feature")
    (root / "Assets/more.txt").write_text("more")
    commit(root)
    assert not asked(root)[1]


def test_a_first_question_judges_few_references(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove(root, OTHER)
    commit(root)
    git(root, "checkout", "-q", "feature")
    (root / LIST).write_text(listing(71, 70, 70))
    commit(root)
    git(root, "checkout", "-q", "main")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("all references were judged")

    monkeypatch.setattr(introduced, "judge_project", refuse)
    monkeypatch.setattr(merging, "judge_project", refuse)
    project = open_project(str(root))
    try:
        report = check_merge(project, "feature", Selection())
    finally:
        project.close()
    assert {(row.code, row.path) for row in report.findings} == {("missing-asset", LIST)}


def test_a_merge_that_is_one_side_is_not_judged(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(root, "checkout", "-q", "feature")
    remove(root, OTHER)
    commit(root)
    git(root, "checkout", "-q", "main")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("judged")

    monkeypatch.setattr(introduced, "check_project", refuse)
    project = open_project(str(root))
    try:
        assert check_merge(project, "feature", Selection()).findings == ()
        assert check_merge(project, "feature...main", Selection()).findings == ()
    finally:
        project.close()


NESTING = "--- !u!1001 &300\nPrefabInstance:\n  m_SourcePrefab: {{fileID: 100100000, guid: {}, type: 3}}\n"
HALVES = {
    "unportable-name": ({"Assets/Thing.png": ""}, {"Assets/thing.png": ""}),
    "resources-duplicate": ({"Assets/Resources/a.json": "{}"}, {"Assets/More/Resources/a.json": "{}"}),
    "resources-duplicate below such a folder": (
        {"Assets/Resources/Resources/a.json": "{}"},
        {"Assets/Resources/a.json": "{}"},
    ),
    "asmdef-duplicate": ({"Assets/A/One.asmdef": '{"name": "Own"}'}, {"Assets/B/Two.asmdef": '{"name": "own"}'}),
    "asmdef-cycle": (
        {"Assets/A/A.asmdef": '{"name": "A", "references": ["B"]}'},
        {"Assets/B/B.asmdef": '{"name": "B", "references": ["A"]}'},
    ),
    "recursive-prefab": (
        {OTHER: HEAD + game_object(100, "Other", 0) + NESTING.format(guid(71))},
        {USER: HEAD + game_object(100, "User", 0) + NESTING.format(guid(70))},
    ),
    "conflict-markers": ({"Assets/both.json": '{"a": 1}\n'}, {"Assets/both.json": '{"a": 2}\n'}),
}
"""What two sides bring, and together has a finding that neither has."""


@pytest.mark.parametrize(
    "code", [pytest.param(code, marks=needs_cases if code == "unportable-name" else ()) for code in HALVES]
)
def test_what_each_side_brings_a_half_of(root: Path, code: str) -> None:
    for number, (branch, files) in enumerate(zip(("main", "feature"), HALVES[code], strict=True)):
        git(root, "checkout", "-q", branch)
        for place, (path, text) in enumerate(files.items()):
            if (root / path).exists():
                (root / path).write_text(text)
            else:
                write(root, path, 90 + (0 if "both" in path else 10 * number) + place, text)
        commit(root)
    git(root, "checkout", "-q", "main")
    project = open_project(str(root))
    try:
        for merge in ("feature", "feature...main"):
            assert code.partition(" ")[0] in {row.code for row in check_merge(project, merge, Selection()).findings}
        assert code.partition(" ")[0] not in {row.code for row in check_project(project, Selection()).findings}
    finally:
        project.close()


OF_SOME_FILES = [rule for rule in RULES if rule.files]


def asks(root: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the rules of some files that a merge of ``feature`` asks."""
    time.sleep(SETTLED)  # those of the disk are known then
    asked: set[str] = set()
    find = Rule.find

    def noting(rule: Rule, view: View) -> list[Finding]:
        asked.add(rule.key)
        return find(rule, view)

    project = open_project(str(root))
    try:
        check_project(project, Selection())
        with monkeypatch.context() as patched:
            patched.setattr(Rule, "find", noting)
            check_merge(project, "feature", Selection())
    finally:
        project.close()
    return asked & {rule.key for rule in OF_SOME_FILES}


def test_a_rule_needs_files_of_both_sides(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "Assets/A/One.asmdef", 90, '{"name": "Own"}')
    commit(root)
    git(root, "checkout", "-q", "feature")
    (root / LIST).write_text(listing(71, 70, 70))
    commit(root)
    git(root, "checkout", "-q", "main")
    assert asks(root, monkeypatch) == set()
    git(root, "checkout", "-q", "feature")
    write(root, "Assets/Other.json", 91, "{}")
    commit(root)
    git(root, "checkout", "-q", "main")
    assert asks(root, monkeypatch) == {"findings of repository.portability.find_names"}


def test_a_rule_on_single_files_needs_one_that_both_sides_changed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "Assets/One.json", 90, "1\n\n\n\n2\n")
    write(root, "Assets/Other.json", 91, "1\n")
    commit(root)
    git(root, "checkout", "-q", "feature")
    git(root, "merge", "-q", "--ff-only", "main")
    (root / "Assets/Other.json").write_text("2\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    (root / "Assets/One.json").write_text("1\n\n\n\n3\n")
    commit(root)
    assert asks(root, monkeypatch) == set()
    git(root, "checkout", "-q", "feature")
    (root / "Assets/One.json").write_text("0\n\n\n\n2\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    assert asks(root, monkeypatch) == {"findings of content.conflicts.find_conflicts"}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/assets/resources/ui/icon.png", "ui/icon"),
        ("/assets/resources/ui/icon.png.meta", "ui/icon"),
        ("/assets/a/resources/b/resources/icon.v2.asset", "icon.v2"),
        ("/assets/resources/icon", "icon"),
        ("/assets/resources/resources/icon.png", "icon"),
        ("/assets/resources/resources/resources/ui/icon.png", "ui/icon"),
    ],
)
def test_names_by_which_resources_are_loaded(path: str, name: str) -> None:
    pattern = next(rule.files for rule in RULES if rule.module == "resources")
    assert [match[1] for match in re.finditer(pattern, path, re.MULTILINE)] == [name]


def test_a_question_derives_no_rule_of_the_disk_that_the_merge_does_not_ask(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "Assets/One.asset", 90, HEAD)
    commit(root)
    git(root, "checkout", "-q", "feature")
    (root / LIST).write_text(listing(71, 70, 70))
    commit(root)
    git(root, "checkout", "-q", "main")
    asked: list[str] = []
    find = Rule.find
    monkeypatch.setattr(Rule, "find", lambda rule, view: asked.append(rule.key) or find(rule, view))
    project = open_project(str(root))
    try:
        check_merge(project, "feature", Selection())
    finally:
        project.close()
    assert asked
    assert {*asked} & {rule.key for rule in OF_SOME_FILES} == set()


def test_a_guid_with_another_file_on_each_side_needs_all_rules(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "Assets/One.asset", 90, HEAD)
    commit(root)
    git(root, "checkout", "-q", "feature")
    write(root, "Assets/Other.asset", 90, HEAD)
    commit(root)
    git(root, "checkout", "-q", "main")
    of_settings = {rule.key for rule in OF_SOME_FILES if rule.module == "project_settings"}  # which no side changed
    assert asks(root, monkeypatch) == {rule.key for rule in OF_SOME_FILES} - of_settings


SETTINGS = ("ProjectSettings/ProjectVersion.txt", "assetdb.toml")
"""Files that decide everything: where one side changes the first, all is asked; of the second, today's counts."""
FOLDERS = ("ProjectSettings", "Packages")
"""Folders that are listed: the files in them decide."""


@pytest.mark.parametrize("rule", OF_SOME_FILES, ids=lambda rule: rule.key)
def test_a_rule_reads_the_files_alone_that_it_is_said_to_depend_on(root: Path, rule: Rule) -> None:
    for files in (file for halves in HALVES.values() for file in halves):
        for number, (path, text) in enumerate(files.items()):
            write(root, path, 150 + number + 2 * len(path), text)
    project = open_project(str(root))
    try:
        view = View(memo_of(project).inputs(project))
        rule.find(view)
        read = {path for kind, path in view.noted if kind in OF_FILES and not os.path.isabs(path)}
        assert {
            path for path in read - {*SETTINGS, *FOLDERS} if not re.search(rule.files, f"/{path}".casefold())
        } == set()
    finally:
        project.close()
