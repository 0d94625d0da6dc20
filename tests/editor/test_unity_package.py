"""The package as Unity's package manager takes it, and as a compiler and NUnit see it."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

import assetdb
from tests.editor.mono import (
    LATER_EDITORS,
    PACKAGE,
    Build,
    add_unit_tests,
    compile_package,
    compile_tests_for_unity,
    skip_without,
)

if TYPE_CHECKING:
    from pathlib import Path

GUID = re.compile(r"^guid: ([0-9a-f]{32})$", re.MULTILINE)
ASSEMBLIES = {
    "Protocol": ("AssetDb.Protocol", [], True),
    "Connection": ("AssetDb.Connection", ["AssetDb.Protocol"], True),
    "Integration": ("AssetDb.Editor", ["AssetDb.Protocol", "AssetDb.Connection"], False),
}


def imported() -> list[Path]:
    """Return what Unity imports: all files and folders but those whose name ends in a tilde."""
    found = [
        path for path in PACKAGE.rglob("*") if not any(part.endswith("~") for part in path.relative_to(PACKAGE).parts)
    ]
    return [path for path in found if path.suffix != ".meta"]


def test_the_manifest() -> None:
    manifest = json.loads((PACKAGE / "package.json").read_text("utf-8"))
    assert manifest["name"] == PACKAGE.name
    assert manifest["unity"] == "2021.3"
    assert "dependencies" not in manifest
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    assert f"## {manifest['version']}" in (PACKAGE / "CHANGELOG.md").read_text("utf-8")


def test_everything_has_a_meta_and_a_guid_of_its_own() -> None:
    guids = set()
    paths = imported()
    for path in paths:
        meta = path.with_name(path.name + ".meta")
        match = GUID.search(meta.read_text("utf-8"))
        assert match is not None, meta
        guids.add(match[1])
        assert len(set(match[1])) > 6, f"{meta}: no random GUID"
    assert len(guids) == len(paths)
    assert {path.with_name(path.name + ".meta") for path in paths} == {
        path for path in PACKAGE.rglob("*.meta") if "Tests~" not in path.parts
    }


@pytest.mark.parametrize("folder", ASSEMBLIES)
def test_the_assemblies_are_the_editors_and_see_what_is_below_them(folder: str) -> None:
    name, references, is_without_unity = ASSEMBLIES[folder]
    definition = json.loads((PACKAGE / "Editor" / folder / f"{name}.asmdef").read_text("utf-8"))
    assert definition["name"] == name
    assert definition["includePlatforms"] == ["Editor"]
    assert definition["references"] == references
    assert definition["noEngineReferences"] is is_without_unity
    assert definition["precompiledReferences"] == []


def test_assetdb_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "Packages" / PACKAGE.name)
    for folder in ("Assets", "ProjectSettings"):
        (tmp_path / folder).mkdir()
    result = assetdb.bake(tmp_path)
    assert result.diagnostics == ()
    with assetdb.open_database(result.database) as database:
        assert {asset.path for asset in database} == {
            f"Packages/{path.relative_to(PACKAGE.parent).as_posix()}" for path in imported() if path.is_file()
        }


@pytest.mark.parametrize("folder", ["Protocol", "Connection"])
def test_what_is_below_the_editor_does_not_name_unity(folder: str) -> None:
    for path in (PACKAGE / "Editor" / folder).glob("*.cs"):
        assert "UnityEngine" not in path.read_text("utf-8"), path
        assert "UnityEditor" not in path.read_text("utf-8"), path


def test_modules_have_a_size_that_can_be_read() -> None:
    for path in PACKAGE.rglob("*.cs"):
        assert path.read_bytes().count(b"\n") <= 600, path
        assert not path.read_bytes().startswith(b"\xef\xbb\xbf"), path


@pytest.mark.long
@pytest.mark.parametrize("version", LATER_EDITORS)
def test_it_compiles_for_later_editors(tmp_path: Path, version: str) -> None:
    """For 2021.3 too: the other tests need that."""
    skip_without("mcs")
    compile_package(tmp_path, LATER_EDITORS[version])
    has_toolbar = b"MainToolbarStatus" in (tmp_path / "AssetDb.Editor.dll").read_bytes()
    assert has_toolbar == (version == "6000.3")


def test_for_older_editors_nothing_of_newer_ones_is_compiled(build: Build) -> None:
    assert b"MainToolbarStatus" not in (build.folder / "AssetDb.Editor.dll").read_bytes()


def test_the_tests_for_unity_are_found_and_compile(build: Build) -> None:
    compile_tests_for_unity(build)
    folder = PACKAGE / "Tests" / "Editor"
    definition = json.loads((folder / "AssetDb.UnityTests.asmdef").read_text("utf-8"))
    assert definition["includePlatforms"] == ["Editor"]
    assert definition["defineConstraints"] == ["UNITY_INCLUDE_TESTS"]
    assert definition["precompiledReferences"] == ["nunit.framework.dll"]
    assert definition["overrideReferences"] is True
    named = set(re.findall(r"\[Test\]\s+public void (\w+)", "".join(path.read_text() for path in folder.glob("*.cs"))))
    page = (PACKAGE / "Documentation~" / "tests-in-unity.md").read_text("utf-8")
    assert named == set(re.findall(r"`([A-Z]\w+)`", page.partition("## Report")[0]))
    assert '"testables": ["com.assetdb.unity"]' in page


@pytest.mark.long
def test_the_unit_tests(build: Build) -> None:
    skip_without("nunit-console")
    add_unit_tests(build)
    done = build.run("nunit-console", "-nologo", "-noshadow", "-nodots", "-xml=results.xml", "AssetDb.Tests.dll")
    assert done.returncode == 0, done.stdout + done.stderr
    results = ET.parse(build.folder / "results.xml").getroot()  # noqa: S314 - NUnit's own, written a moment ago
    assert int(results.attrib["total"]) >= 150
    for kind in ("errors", "failures", "not-run", "inconclusive", "ignored", "skipped", "invalid"):
        assert results.attrib[kind] == "0", done.stdout
