"""What is lost is reported whatever packages are absent, and what cannot be judged is one line."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.findings.unjudged import absent_packages, unjudged_references
from assetdb.cli import main
from assetdb.packages.listing import HOST, NO_PACKAGES, PackageList, PackageRow
from assetdb.packages.named_assemblies import named_assemblies
from assetdb.query.graph.verdicts import MISSING, OUTSIDE
from assetdb.resolve.resolver import MISSING_ASSET, PACKAGE_NOT_PRESENT
from tests.assetdb.checks.healthy import ADDRESSABLES, NATIVE, SCRIPT, guid_of, make_healthy, put, script_of, scriptable
from tests.assetdb.history.repositories import commit, git, remove
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT_PATH = "Assets/Scripts/Door.cs"
USER = "Assets/Data/Door.asset"
UNKNOWN = f'{{"dependencies": {{{ADDRESSABLES}, "com.acme.secret": "1.0.0"}}}}'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a script that one asset uses, and a package that nobody knows."""
    root = make_healthy(tmp_path / "Game")
    put(root, SCRIPT_PATH, "using UnityEngine; public class Door : ScriptableObject {}", SCRIPT)
    put(root, USER, scriptable(SCRIPT_PATH, "Door"), NATIVE)
    (root / "Packages").mkdir(exist_ok=True)
    (root / "Packages" / "manifest.json").write_text(UNKNOWN)
    return root


def check(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[tuple[str, str, str]]]:
    code = main(["check", "--project", str(root), "--json", *words])
    rows = map(json.loads, capsys.readouterr().out.splitlines())
    found = [(row["code"], row["path"], row["message"]) for row in rows if "message" in row]
    return code, [row for row in found if row[0] != "package-mismatch"]  # no lock file has the unknown packages


def test_git_knew_the_script(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(project, "init", "-q")
    (project / ".gitignore").write_text("Library\n")
    commit(project, "one")
    assert check(project, capsys) == (0, [])
    remove(project, SCRIPT_PATH)
    said = f"no script has the GUID {guid_of(SCRIPT_PATH)}: was {SCRIPT_PATH}"
    assert check(project, capsys) == (1, [("missing-script", USER, f"{said} and its deletion is not committed")])
    deleted = commit(project, "two")
    assert check(project, capsys) == (1, [("missing-script", USER, f"{said} until {deleted}")])
    assert check(project, capsys) == (1, [("missing-script", USER, f"{said} until {deleted}")])


def test_without_git_it_is_one_warning(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    remove(project, SCRIPT_PATH)
    said = "1 reference to 1 GUID cannot be judged: 1 package is not on this machine (com.acme.secret)"
    expected = [("absent-packages", "Packages/manifest.json", said)]
    assert check(project, capsys) == (0, expected)
    assert check(project, capsys, "--strict") == (1, expected)
    assert main(["check", "--project", str(project), "--packages"]) == 0
    assert capsys.readouterr().out == "com.acme.secret@1.0.0  required by Packages/manifest.json\n"
    git(project, "init", "-q")  # a history that never had it
    commit(project, "one")
    assert check(project, capsys) == (0, expected)


@pytest.mark.parametrize("text", [UNKNOWN[:-8], f"<<<<<<< ours\n{UNKNOWN}\n=======\n{{}}\n>>>>>>> theirs\n", "[]", ""])
def test_a_manifest_in_a_merge_makes_no_reference_wrong(
    project: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    remove(project, SCRIPT_PATH)
    (project / "Packages/packages-lock.json").unlink()
    (project / "Packages/manifest.json").write_text(text)
    code, found = check(project, capsys)
    assert code == 1
    assert {row[0] for row in found} == {"package-manifest", "absent-packages"}
    said = "2 references to 2 GUIDs cannot be judged: Packages/manifest.json cannot be read"
    assert ("absent-packages", "Packages/manifest.json", said) in found
    (project / "Packages/manifest.json").write_text(f'{{"dependencies": {{{ADDRESSABLES}}}}}')
    assert [row[0] for row in check(project, capsys)[1]] == ["missing-script"]


@pytest.mark.parametrize(
    ("assembly", "found_code"),
    [("Assembly-CSharp", "missing-script"), ("Game.Core", "missing-script"), ("Acme", "absent-packages")],
)
def test_the_file_itself_names_the_assembly(
    project: Path, capsys: pytest.CaptureFixture[str], assembly: str, found_code: str
) -> None:
    put(project, "Assets/Core/Game.Core.asmdef", '{"name": "Game.Core"}', "AssemblyDefinitionImporter:\n  userData: \n")
    body = f"  m_Name: Door\n  m_EditorClassIdentifier: {assembly}::Door\n"
    put(project, USER, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script_of(guid_of(SCRIPT_PATH))}{body}", NATIVE)
    remove(project, SCRIPT_PATH)
    _, found = check(project, capsys)
    assert [row[0] for row in found] == [found_code]


@pytest.mark.parametrize("package", ["com.unity.ide.rider", "com.unity.toolchain.linux", "com.unity.burst"])
def test_packages_that_hold_nothing_to_refer_to(
    project: Path, capsys: pytest.CaptureFixture[str], package: str
) -> None:
    (project / "Packages" / "manifest.json").write_text(UNKNOWN.replace("com.acme.secret", package))
    remove(project, SCRIPT_PATH)
    _, found = check(project, capsys)
    assert [row[:2] for row in found] == [("missing-script", USER)]


def test_an_assembly_of_a_package_that_holds_code_is_not_judged(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    burst = '"com.unity.burst": "99.0.0"'
    (project / "Packages" / "manifest.json").write_text(UNKNOWN.replace('"com.acme.secret": "1.0.0"', burst))
    definition = '{"name": "Game.Core", "references": ["GUID:2665a8d13d1b3f18800f46e25672ffff"]}'
    put(project, "Assets/Core/Game.Core.asmdef", definition, "AssemblyDefinitionImporter:\n  userData: \n")
    _, found = check(project, capsys)
    assert [row[0] for row in found] == ["absent-packages"]


@pytest.mark.parametrize(("version", "code"), [("14.0.11", "missing-script"), ("17.5.0", "absent-packages")])
def test_the_table_has_packages_of_the_editor_up_to_a_version(
    project: Path, capsys: pytest.CaptureFixture[str], version: str, code: str
) -> None:
    pipeline = f'"com.unity.render-pipelines.universal": "{version}"'
    listed = UNKNOWN.replace('"com.acme.secret": "1.0.0"', pipeline)
    (project / "Packages" / "manifest.json").write_text(listed)
    remove(project, SCRIPT_PATH)
    _, found = check(project, capsys)
    assert [row[0] for row in found] == [code]


class Rows(dict[str, Any]):
    """The problems of files, as they are kept."""

    def rows(self, path: str) -> Any:  # noqa: ANN401 - rows or none
        return self[path]


def problem(guid: str, kind: str = OUTSIDE, reason: str = PACKAGE_NOT_PRESENT, unlisted: int = 0) -> tuple[Any, ...]:
    return (unlisted, 3, 114, 11400000, "", "", 11500000, "", "", "", guid, 11500000, kind, reason)


def of_project(packages: PackageList, *, is_shallow: bool = False) -> Any:  # noqa: ANN401 - nothing else is asked of it
    return SimpleNamespace(
        packages=SimpleNamespace(list=packages), losses=SimpleNamespace(is_shallow=is_shallow), root="/nowhere"
    )


def without(*names: str) -> tuple[PackageRow, ...]:
    return tuple(PackageRow(name, "1.0.0", "", immutable=True) for name in names)


ONE_OF_EACH = "1 reference to 1 GUID cannot be judged: "
MANIFEST, LOCK = "Packages/manifest.json", "Packages/packages-lock.json"


@pytest.mark.parametrize(
    ("packages", "path", "why"),
    [
        (NO_PACKAGES, MANIFEST, f"{MANIFEST} does not tell the packages"),
        (
            NO_PACKAGES._replace(rows=without("com.acme.a")),
            MANIFEST,
            "1 package is not on this machine (com.acme.a)",
        ),
        (
            NO_PACKAGES._replace(rows=without(*(f"com.x.{name}" for name in "abcde"))),
            MANIFEST,
            "5 packages are not on this machine (com.x.a, com.x.b, com.x.c, com.x.d, com.x.e)",
        ),
        (
            NO_PACKAGES._replace(rows=without(*(f"com.x.{name}" for name in "abcdef")), unknown=("com.acme.a",)),
            MANIFEST,
            "6 packages are not on this machine (com.x.a, com.x.b, com.x.c, com.x.d, com.x.e and 1 more)",
        ),
        (
            NO_PACKAGES._replace(unknown=(HOST,)),
            "Assets",
            "this is a folder of assets, and the project that it is a part of is not here",
        ),
        (
            NO_PACKAGES._replace(unknown=("com.acme.a",)),
            MANIFEST,
            f"what com.acme.a requires is not known without {LOCK}",
        ),
        (NO_PACKAGES._replace(unknown=(MANIFEST, "com.acme.a")), MANIFEST, f"{MANIFEST} cannot be read"),
        (
            NO_PACKAGES._replace(unknown=("com.acme.a", "com.acme.b")),
            MANIFEST,
            f"what com.acme.a, com.acme.b require is not known without {LOCK}",
        ),
        (
            NO_PACKAGES._replace(unknown=tuple("abcdef")),
            MANIFEST,
            f"what a, b, c, d, e and 1 more require is not known without {LOCK}",
        ),
    ],
)
def test_why_a_reference_cannot_be_judged(packages: PackageList, path: str, why: str) -> None:
    (found,) = unjudged_references(of_project(packages), Rows(file=[problem("1" * 32)]))  # type: ignore[arg-type]
    assert (found.code, found.path, found.message) == ("absent-packages", path, ONE_OF_EACH + why)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({}, ""),
        ({"a": None}, ""),
        ({"a": [problem("1" * 32, MISSING, MISSING_ASSET)]}, ""),
        ({"a": [problem("1" * 32, "dangling")]}, ""),  # its file is here
        ({"a": [problem("1" * 32)], "b": [problem("1" * 32)]}, "2 references to 1 GUID"),
        ({"a": [problem("1" * 32), problem("2" * 32)]}, "2 references to 2 GUIDs"),
        ({"a": [problem("1" * 32, unlisted=1)]}, "1 reference to 1 GUID"),
        ({"a": [problem("1" * 32, unlisted=5), problem("2" * 32)]}, "6 references to 2 GUIDs"),
        ({"a": [problem("1" * 32), problem("2" * 32, MISSING, MISSING_ASSET)]}, "1 reference to 1 GUID"),
    ],
)
def test_unjudged_references_are_counted_once_each(rows: dict[str, Any], said: str) -> None:
    found = unjudged_references(of_project(NO_PACKAGES), Rows(rows))  # type: ignore[arg-type]
    assert [row.message.partition(" cannot")[0] for row in found] == ([said] if said else [])


@pytest.mark.parametrize("is_shallow", [False, True])
def test_a_shallow_clone_is_told_of(*, is_shallow: bool) -> None:
    project = of_project(NO_PACKAGES, is_shallow=is_shallow)
    (found,) = unjudged_references(project, Rows(file=[problem("1" * 32)]))  # type: ignore[arg-type]
    said = "; this clone is shallow, so git's history tells of no file that was deleted before"
    assert found.message.endswith(said) is is_shallow


def test_absent_packages_come_by_name_with_who_requires_them(tmp_path: Path) -> None:
    (tmp_path / "Packages").mkdir()
    (tmp_path / MANIFEST).write_text('{"dependencies": {"com.acme.b": "1.0.0"}}')
    locked = '{"dependencies": {"com.acme.b": {"dependencies": {"com.acme.a": "1.0.0"}}, "com.acme.a": {}}}'
    (tmp_path / LOCK).write_text(locked)
    project = of_project(NO_PACKAGES._replace(rows=without("com.acme.b", "com.acme.a", "com.acme.c")))
    project.root = str(tmp_path)
    assert [tuple(row) for row in absent_packages(project)] == [
        ("com.acme.a", "1.0.0", ("com.acme.b",)),
        ("com.acme.b", "1.0.0", (MANIFEST,)),
        ("com.acme.c", "1.0.0", ()),
    ]
    assert absent_packages(of_project(NO_PACKAGES)) == []


INSTANCE = f"{HEAD}--- !u!1001 &7\nPrefabInstance:\n  m_Modification:\n"
GONE = f"{{fileID: 999, guid: {guid_of('Assets/Prefabs/Enemy0.prefab')}, type: 3}}"
DIRECTOR = f"{HEAD}--- !u!320 &6\nPlayableDirector:\n  m_GameObject: {{fileID: 0}}\n"
STRIPPED = f"{HEAD}--- !u!4 &5 stripped\nTransform:\n  m_CorrespondingSourceObject: {GONE}\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{INSTANCE}    m_RemovedComponents:\n    - {GONE}\n", "stale-override"),
        (f"{INSTANCE}    m_RemovedGameObjects:\n    - {GONE}\n", "stale-override"),
        (f"{INSTANCE}    m_AddedComponents:\n    - targetCorrespondingSourceObject: {GONE}\n", "stale-override"),
        (STRIPPED, "stale-override"),
        (f"{STRIPPED}--- !u!114 &6\nMonoBehaviour:\n  m_GameObject: {{fileID: 5}}\n", "dangling"),
        (f"{HEAD}--- !u!114 &6\nMonoBehaviour:\n  target: {GONE}\n", "dangling"),
        (f"{DIRECTOR}  m_SceneBindings:\n  - key: {GONE}\n", "stale-override"),
    ],
)
def test_what_unity_skips_is_no_error(project: Path, capsys: pytest.CaptureFixture[str], text: str, code: str) -> None:
    put(project, "Assets/Scenes/Odd.unity", text)
    _, found = check(project, capsys)
    assert [row[0] for row in found] == [code]


@pytest.mark.parametrize(("sheet", "codes"), [('@import url("unity-theme://default");', []), ("", ["dangling"])])
def test_objects_of_the_default_theme_are_not_missed(
    project: Path, capsys: pytest.CaptureFixture[str], sheet: str, codes: list[str]
) -> None:
    theme = "Assets/UI/Default.tss"
    put(project, theme, f"{sheet}\n", "ScriptedImporter:\n  userData: \n")
    font = f"{{fileID: 2230732570650464555, guid: {guid_of(theme)}, type: 3}}"
    put(project, "Assets/Data/Label.asset", scriptable("Assets/Scripts/Item.cs", "Label", f"  font: {font}\n"), NATIVE)
    _, found = check(project, capsys)
    assert [row[0] for row in found] == codes


def test_a_call_names_the_assembly_of_its_target() -> None:
    guid = b"0123456789abcdef0123456789abcdff"
    data = (
        b"%YAML 1.1\n--- !u!114 &11\nMonoBehaviour:\n  m_OnClick:\n    m_PersistentCalls:\n      m_Calls:\n"
        b"      - m_Target: {fileID: 22}\n        m_TargetAssemblyTypeName: Door, Assembly-CSharp\n"
        b"--- !u!114 &222\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: " + b"9" * 32 + b", type: 3}\n"
        b"--- !u!114 &22\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: " + guid + b", type: 3}\n"
    )
    assert list(named_assemblies([data], guid)) == [b"Assembly-CSharp"]
    assert list(named_assemblies([data], b"9" * 32)) == []
