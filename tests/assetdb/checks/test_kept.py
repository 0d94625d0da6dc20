"""What rules found is kept, and found again as soon as anything that they rest on is another."""

from __future__ import annotations

import inspect
import json
import os
import time
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from assetdb.checks import kept
from assetdb.checks.kept import rule_findings
from assetdb.checks.lineage import VERSION_FILE
from assetdb.checks.rules import RULES, Rule
from assetdb.checks.watched import ABSENT
from assetdb.query.snapshot import open_project
from assetdb.store.files import RULES_NAME
from tests.assetdb.checks.healthy import GROUP_SCRIPT, NATIVE, guid_of, make_healthy, material, put, put_settings
from tests.assetdb.unity_project import HEAD, component, game_object, guid, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.checks.finding import Finding

SETTINGS_RULES = [rule for rule in RULES if rule.module == "project_settings"]  # each reads all of ProjectSettings
SCRIPT_RULES = [rule for rule in RULES if rule.module == "scripts"]
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
            found = list(rule_findings(project, RULES, project.diagnostics()))
        finally:
            project.close()
        return found, len(self.codes)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    # What has just been written counts as changing; here all of it has.
    monkeypatch.setattr(kept.time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))
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
    assert count == 2 + len(SETTINGS_RULES)  # and both rules that read this file or the one beside it
    assert looks.of(project, tmp_path / "out")[1] == 0


def test_a_file_that_a_rule_reads_is_another(project: Path, tmp_path: Path, looks: Looks) -> None:
    looks.of(project, tmp_path / "out")
    text = (project / GAME).read_text()
    (project / GAME).write_text(text.replace('"Game.Data"', '"Game.Dato"'))
    found, count = looks.of(project, tmp_path / "out")
    assert "asmdef-reference" in {row.code for row in found}
    assert count == len([rule for rule in RULES if rule.code.startswith("asmdef-")])
    (project / GAME).write_text(text)
    assert "asmdef-reference" not in {row.code for row in looks.of(project, tmp_path / "out")[0]}


def test_an_asset_more_is_seen_by_all(project: Path, tmp_path: Path, looks: Looks) -> None:
    looks.of(project, tmp_path / "out")
    put(project, "Assets/Art/New.mat", material("New"), NATIVE)
    assert looks.of(project, tmp_path / "out")[1] == len(RULES)
    (project / "Assets/Data/Item0.asset").unlink()  # its meta stays: an entry of a group has no asset
    found, _count = looks.of(project, tmp_path / "out")
    assert [row.code for row in found][:1] == ["addressables-entry"]
    assert GROUP_SCRIPT not in {row.target for row in found}


def test_what_may_still_be_changing_is_not_kept(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks(monkeypatch)
    soon = time.time() + 1000  # as young as the look, for the clock of a server may be ahead
    for name in ("EditorSettings.asset", "VersionControlSettings.asset"):
        os.utime(project / "ProjectSettings" / name, (soon, soon))
    looks.of(project, tmp_path / "out")
    for _ in range(2):
        looks.of(project, tmp_path / "out")
        assert {"hidden-metas", "serialization-mode"} <= set(looks.codes)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "\0", '{"stamp": "x", "rules": 3}', "[" * 10_000],
)
def test_a_damaged_file_is_none(project: Path, tmp_path: Path, looks: Looks, text: str) -> None:
    first = looks.of(project, tmp_path / "out")[0]
    (tmp_path / "out" / RULES_NAME).write_text(text)
    assert looks.of(project, tmp_path / "out") == (first, len(RULES))


def test_damaged_rules_are_looked_for_again(project: Path, tmp_path: Path, looks: Looks) -> None:
    first = looks.of(project, tmp_path / "out")[0]
    path = tmp_path / "out" / RULES_NAME
    head, _, rest = path.read_text().partition("\n")
    document = json.loads(head)
    for damage in ({"files": 3}, {"files": [[1]], "findings": []}, {"files": [["\0", 1]], "findings": []}, 7, []):
        damaged = {**document, "rules": {**document["rules"], "resources-duplicate": damage}}
        path.write_text(f"{json.dumps(damaged)}\n{rest}")
        assert looks.of(project, tmp_path / "out") == (first, 1)


@pytest.fixture
def many(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "_MANY", 2)
    return project


def test_of_many_files_the_tree_tells_whether_they_are_others(
    many: Path, tmp_path: Path, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks.of(many, tmp_path / "out")
    rules = json.loads((tmp_path / "out" / RULES_NAME).read_text().partition("\n")[0])["rules"]
    assert rules["script-class"]["files"][0][0] == VERSION_FILE
    assert len(rules["script-class"]["files"]) == 1
    with monkeypatch.context() as patched:  # and no file of it is asked for
        patched.setattr(kept, "identity_of", lambda _root, path, _of: {VERSION_FILE: ABSENT}[path])
        project = open_project(str(many), str(tmp_path / "out"))
        assert list(rule_findings(project, SCRIPT_RULES, project.diagnostics())) == []
        project.close()
    (many / "Assets/Scripts/Health.cs").write_text("class Health {}\n")
    found, count = looks.of(many, tmp_path / "out")
    assert "script-class" in {row.code for row in found}
    assert count == len([row for row in rules.values() if "tree" in row])
    assert looks.of(many, tmp_path / "out") == (found, 0)
    (many / VERSION_FILE).write_text("m_EditorVersion: 2019.4.1f1\n")
    assert looks.of(many, tmp_path / "out")[1] == 3 + len(SETTINGS_RULES)  # the rules that go by the version


def test_another_file_of_the_tree_leaves_many_as_they_are(many: Path, tmp_path: Path, looks: Looks) -> None:
    first = looks.of(many, tmp_path / "out")
    (many / "Assets/Art/Paint0.mat").write_text(material("Other"))  # no rule has read it
    assert looks.of(many, tmp_path / "out") == (first[0], 0)
    assert looks.of(many, tmp_path / "out") == (first[0], 0)
    (many / "Assets/Scripts/Health.cs").write_text("class Health {}\n")
    assert "script-class" in {row.code for row in looks.of(many, tmp_path / "out")[0]}


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


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_that_looks_at_references_names_their_digest(rule: Rule) -> None:
    module = import_module(f"assetdb.checks.rules.{rule.module}")
    text = inspect.getsource(module)
    assert bool(rule.edges) == ("database.graph" in text or "AssetGraph(" in text)


def test_a_damaged_list_of_many_files_is_none(many: Path, tmp_path: Path, looks: Looks) -> None:
    first = looks.of(many, tmp_path / "out")
    path = tmp_path / "out" / RULES_NAME
    head, _, rest = path.read_text().partition("\n")
    for damaged in ("", "{}", "[" * 10_000, rest[:-2]):
        path.write_text(f"{head}\n{damaged}")
        found, count = looks.of(many, tmp_path / "out")
        assert found == first[0]
        assert count > 0


def test_where_nothing_can_be_written_all_is_found(
    project: Path, tmp_path: Path, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_words: object) -> None:
        raise PermissionError

    monkeypatch.setattr(kept, "replace_file", fail)
    first = looks.of(project, tmp_path / "out")
    assert looks.of(project, tmp_path / "out") == first


def test_a_rival_that_shares_another_guid_now_is_another(tmp_path: Path, looks: Looks) -> None:
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
