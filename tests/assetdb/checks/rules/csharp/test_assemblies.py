"""Assembly definitions that name what is not there, and those that only seem to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.rules.csharp.assemblies import assembly_of, read_assembly
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import guid_of, make_healthy, put
from tests.assetdb.checks.test_every_code import package

if TYPE_CHECKING:
    from pathlib import Path

ASSEMBLY = "AssemblyDefinitionImporter:\n  userData: \n"
MORE = "Assets/More/More.asmdef"
NOWHERE = "8f57b4a070f7b43bbb3925467e6752ab"
LOCK = {"dependencies": {"com.unity.timeline": {"version": "1.6.4", "depth": 0, "source": "registry"}}}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_healthy(tmp_path / "Game", 1)


def found_in(root: Path, folder: Path) -> list[tuple[int, str, str]]:
    project = open_project(str(root), str(folder))
    try:
        report = check_project(project, Selection(select=("asmdef-reference",)))
    finally:
        project.close()
    return [(row.line, row.property_path, row.message) for row in report.findings]


def define(root: Path, path: str = MORE, **fields: object) -> None:
    put(root, path, json.dumps({"name": "More", **fields}, indent=4), ASSEMBLY)


def lock(root: Path, document: dict[str, dict[str, object]] = LOCK) -> None:
    (root / "Packages/packages-lock.json").write_text(json.dumps(document))
    requested = {"dependencies": dict.fromkeys(document["dependencies"], "1.0.0")}
    (root / "Packages/manifest.json").write_text(json.dumps(requested))


NOTHING = "nothing has that name"
HAS_NOT = "it is in com.unity.timeline, which the project does not have"


@pytest.mark.parametrize(
    ("fields", "lacking"),
    [
        ({"references": ["Game.Data", "game", "Unity.Timeline"]}, []),
        ({"references": ["Gone", "Gone", "Game"]}, ["names the assembly 'Gone': " + NOTHING]),
        ({"references": ["UnityEngine.Odd", "UnityEditor.Odd"]}, []),  # the editor's own
        (
            {"references": ["UnityEngine.UI"]},
            ["names the assembly 'UnityEngine.UI': it is in com.unity.ugui, which the project does not have"],
        ),
        ({"references": [f"GUID:{guid_of('Assets/Scripts/Game.asmdef')}"]}, []),
        ({"references": [f"GUID:{NOWHERE}"]}, [f"no assembly has the GUID {NOWHERE}"]),
        ({"references": ["Gone"], "defineConstraints": ["HAS_GONE"]}, []),
        ({"references": ["Gone"], "defineConstraints": ["!HAS_GONE"]}, ["names the assembly 'Gone': " + NOTHING]),
        (
            {"references": ["Gone"], "defineConstraints": ["X || UNITY_EDITOR"]},
            ["names the assembly 'Gone': " + NOTHING],
        ),
        ({"references": ["Gone"], "defineConstraints": ["SET_BY_PROJECT"]}, ["names the assembly 'Gone': " + NOTHING]),
        ({"references": ["Gone"], "defineConstraints": ["!SET_BY_PROJECT"]}, []),
        ({"references": ["Gone"], "defineConstraints": ["NO"]}, []),  # a row of another setting
        ({"references": ["Gone"], "versionDefines": [{"name": "com.acme.absent", "define": "X"}]}, []),
        (
            {"references": ["Gone"], "versionDefines": [{"name": "com.unity.timeline", "define": "X"}]},
            ["names the assembly 'Gone': " + NOTHING],
        ),
        (
            {
                "references": ["Gone"],
                "versionDefines": [{"name": "com.unity.timeline", "define": "X"}],
                "defineConstraints": ["X"],
            },
            ["names the assembly 'Gone': " + NOTHING],
        ),
        ({"precompiledReferences": ["Gone.dll"]}, []),  # counts only where it says so
        (
            {"overrideReferences": True, "precompiledReferences": ["Gone.dll", "here.DLL", "Old.DLL", ""]},
            ["names the DLL 'Gone.dll': " + NOTHING],
        ),
        ({"references": "Gone"}, []),
        ({"references": [3, None, ""], "versionDefines": [3], "defineConstraints": {}}, []),
    ],
)
def test_names_that_are_not_there(project: Path, tmp_path: Path, fields: dict[str, object], lacking: list[str]) -> None:
    lock(project)
    put(project, "Assets/Plugins/Here.dll", b"x", "PluginImporter:\n  userData: \n")
    put(project, "Assets/Plugins/Old.DLL", b"x", "PluginImporter:\n  userData: \n")
    (project / "ProjectSettings/ProjectSettings.asset").write_text(
        "PlayerSettings:\n  scriptingDefineSymbols:\n    Standalone: SET_BY_PROJECT;OTHER\n  other: 1\n    No: NO\n"
    )
    define(project, **fields)
    found = found_in(project, tmp_path / "out")
    assert [message for _line, _key, message in found] == lacking
    for line, key, message in found:
        assert line > 1
        assert key == ("precompiledReferences" if "DLL" in message else key)


def test_the_line_is_the_reference_and_not_a_namespace_called_so(project: Path, tmp_path: Path) -> None:
    lock(project)
    define(project, rootNamespace="Größe", name="Größe.Own", references=["Größe"])
    ((line, _key, message),) = found_in(project, tmp_path / "out")
    assert (line, message) == (5, "names the assembly 'Größe': " + NOTHING)


@pytest.mark.parametrize("platform", ["Standalone", "1", "", "Windows Store Apps"])
def test_symbols_are_those_of_any_platform(project: Path, tmp_path: Path, platform: str) -> None:
    lock(project)
    settings = project / "ProjectSettings/ProjectSettings.asset"
    define(project, references=["Gone"], defineConstraints=["SET"])
    settings.write_text(f"PlayerSettings:\n  scriptingDefineSymbols:\n    {platform}: A;SET\n  other: 1\n")
    assert [message for _l, _k, message in found_in(project, tmp_path / "out")] == [
        "names the assembly 'Gone': " + NOTHING
    ]
    settings.write_text("PlayerSettings:\n  scriptingDefineSymbols:\n  other: SET\n")
    assert found_in(project, tmp_path / "out") == []


def test_a_known_package_that_the_project_does_not_have(project: Path, tmp_path: Path) -> None:
    define(project, references=["Unity.Timeline"])
    assert [message for _l, _k, message in found_in(project, tmp_path / "out")] == [
        f"names the assembly 'Unity.Timeline': {HAS_NOT}"
    ]
    (project / "Packages/packages-lock.json").unlink()  # then nobody knows what a private package brings
    (project / "Packages/manifest.json").write_text('{"dependencies": {"com.acme.secret": "1.0.0"}}')
    assert found_in(project, tmp_path / "out") == []


def test_where_a_package_is_neither_here_nor_known_nothing_is_said(project: Path, tmp_path: Path) -> None:
    define(project, references=["Gone"])
    lock(project, {"dependencies": {"com.acme.secret": {"version": "1.0.0", "depth": 0, "source": "registry"}}})
    assert found_in(project, tmp_path / "out") == []


def test_assemblies_of_packages_that_are_here(project: Path, tmp_path: Path) -> None:
    package(project, NOWHERE)
    folder = project / "Library/PackageCache/com.acme.tools@1.0.0"
    (folder / "Odd File.asmdef").write_text('\ufeff{"name": "Acme.Tools"}', "utf-8")
    (folder / "Odd File.asmdef.meta").write_text(f"guid: {guid_of('odd')}\n{ASSEMBLY}")
    define(project, references=["Acme.Tools", "Acme.Tool"])
    assert [message for _l, _k, message in found_in(project, tmp_path / "out")] == [
        "names the assembly 'Acme.Tool': " + NOTHING
    ]


def test_references_to_assemblies(project: Path, tmp_path: Path) -> None:
    importer = "AssemblyDefinitionReferenceImporter:\n  userData: \n"
    put(project, "Assets/Own/Own.asmref", '{"reference": "Game"}', importer)
    assert found_in(project, tmp_path / "out") == []
    put(project, "Assets/Own/Own.asmref", '{\n  "reference": "Gone"\n}', importer)
    put(project, "Assets/Data/Other.asmref", f'{{"reference": "GUID:{NOWHERE}"}}', importer)
    assert found_in(project, tmp_path / "out") == [
        (1, "", f"no assembly has the GUID {NOWHERE}"),
        (2, "reference", "names the assembly 'Gone': " + NOTHING),
    ]


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"name": {}}'])
def test_what_is_no_definition_is_not_judged(data: bytes) -> None:
    found = read_assembly(data)
    assert found is None or (found.name, found.references) == ("", ())


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {
            "references": ["A", f"GUID:{NOWHERE}"],
            "precompiledReferences": ["a.dll"],
            "defineConstraints": ["X", "!Y"],
            "includePlatforms": ["Editor"],
            "excludePlatforms": ["iOS"],
            "versionDefines": [{"name": "com.acme", "expression": "1.0", "define": "ACME"}],
            "optionalUnityReferences": ["TestAssemblies"],
        },
    ],
)
def test_an_assembly_that_is_kept_is_the_one_that_was_read(fields: dict[str, object]) -> None:
    read = read_assembly(json.dumps({"name": "More", **fields}).encode())
    assert read is not None
    again = assembly_of(json.loads(json.dumps(read)))
    assert again == read
    assert [type(each) for each in again or ()] == [type(each) for each in read]
    assert assembly_of(None) is None
    assert read_assembly(b"[]") is None


def test_assemblies_and_dlls_of_packages_are_there(project: Path, tmp_path: Path) -> None:
    package(project, "ab" * 16)
    folder = project / "Library/PackageCache/com.acme.tools@1.0.0"
    for name, text, importer in (
        ("Odd.asmdef", '{"name": "Acme.Tools"}', ASSEMBLY),
        ("Acme.dll", "", "PluginImporter:\n  userData: \n"),
        ("Native.DLL", "", "PluginImporter:\n  userData: \n"),
    ):
        (folder / name).write_text(text)
        (folder / f"{name}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid_of(name)}\n{importer}")
    define(
        project,
        references=["acme.tools", "Odd"],
        overrideReferences=True,
        precompiledReferences=["ACME.dll", "Native.dll", "Odd.dll"],
    )
    assert [message for _line, _key, message in found_in(project, tmp_path / "out")] == [
        f"names the assembly 'Odd': {NOTHING}",
        f"names the DLL 'Odd.dll': {NOTHING}",
    ]
