"""The VS Code extension: what it says of Unity's files is what assetdb says; its own tests, linters and package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from assetdb.lsp.projects import DEEPEST
from assetdb.unity.kinds import DOCUMENTS, SOURCE, extensions_with, main_file_id
from assetdb.version import VERSION

CHECKOUT = Path(__file__).resolve().parents[2]
EXTENSION = CHECKOUT / "editor" / "vscode"
_LIMIT = 600.0  # seconds that anything may take before a test takes it for hung
_MOST_BYTES = 1_000_000
_OWN = {
    "package.json",
    "package.nls.json",
    "readme.md",
    "changelog.md",
    "LICENSE.txt",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "icon.png",
    "language-configuration.json",
    "syntaxes/unity-yaml.tmLanguage.json",
    "dist/extension.js",
    "dist/ThirdPartyNotices.txt",
}


def manifest() -> dict[str, Any]:
    """Return the extension's ``package.json``."""
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return found


def source(path: str) -> str:
    """Return a text of the extension."""
    return (EXTENSION / path).read_text("utf-8")


@pytest.fixture(scope="module")
def npm() -> str:
    """Return npm, or skip the test where it or the packages are not here."""
    program = shutil.which("npm")
    if program is None or shutil.which("node") is None:
        pytest.skip("no node and npm: https://nodejs.org, version 20 or later")
    if not (EXTENSION / "node_modules" / ".package-lock.json").exists():
        pytest.skip("the packages of the VS Code extension are not here: npm ci in editor/vscode")
    return program


def run(npm: str, *words: str, **variables: str) -> str:
    """Run a script of the extension's; return what it prints."""
    return printed([npm, "run", "--silent", *words], variables)


def node_test(npm: str, *names: str, **variables: str) -> str:
    """Run some of the tests in a folder of their own, as others may run beside them; return what node prints."""
    folder = f"build/tests-{'-'.join(names)}"
    run(npm, "build", "tests", folder)
    return printed(["node", "--test", *(f"{folder}/{name}.test.js" for name in names)], variables)


def printed(command: list[str], variables: dict[str, str]) -> str:
    """Run a command in the extension's folder, which it is to do well; return what it prints."""
    done = subprocess.run(
        command,
        cwd=EXTENSION,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- what both sides say ------------------------------------------------------------------------------------------


def test_the_language_has_the_extensions_that_assetdb_reads_as_documents() -> None:
    languages = manifest()["contributes"]["languages"]
    said = [
        extension for language in languages if language["id"] == "unity-yaml" for extension in language["extensions"]
    ]
    assert len(said) == len(set(said))
    assert {extension.lower().removeprefix(".") for extension in said} == {"meta", *extensions_with(DOCUMENTS, SOURCE)}


def test_main_objects_by_importer_are_those_of_assetdb() -> None:
    said = json.loads(source("src/project/importers.json"))
    assert said
    assert said == {importer: str(main_file_id("", importer)) for importer in said}


def test_the_assetdb_that_is_needed_is_not_newer_than_this_one() -> None:
    found = re.search(r'MINIMUM_VERSION = "([\d.]+)"', source("src/server/version.ts"))
    assert found
    needed, own = (tuple(map(int, version.split(".")[:3])) for version in (found[1], VERSION))
    assert needed <= own
    assert f"({found[1]})" in source("README.md")


def test_the_python_that_is_needed_is_assetdbs() -> None:
    found = re.search(r"OLDEST_PYTHON: readonly \[number, number\] = \[(\d+), (\d+)\]", source("src/server/pythons.ts"))
    assert found
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == f">={found[1]}.{found[2]}"


@pytest.mark.parametrize("name", ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"])
def test_the_licence_is_the_projects(name: str) -> None:
    assert (EXTENSION / name).read_bytes() == (CHECKOUT / name).read_bytes()


def test_the_lock_says_what_is_installed_and_not_from_where() -> None:
    packages = json.loads(source("package-lock.json"))["packages"]
    assert len(packages) > 100
    assert all("resolved" not in package for package in packages.values())
    assert all("integrity" in package for name, package in packages.items() if name)


def test_what_people_read_stands_in_one_file_that_can_be_translated() -> None:
    words = json.loads(source("package.nls.json"))
    used = re.findall(r'"%([\w.]+)%"', source("package.json"))
    assert sorted(used) == sorted(words), "each is used once"
    assert all(isinstance(text, str) and text for text in words.values())
    contributes = manifest()["contributes"]
    shown = [command["title"] for command in contributes["commands"]]
    shown += [item["markdownDescription"] for item in contributes["configuration"]["properties"].values()]
    assert all(text.startswith("%") for text in shown)


def test_projects_are_looked_for_as_deep_as_the_server_looks() -> None:
    found = re.search(r"DEEPEST = (\d+);", source("src/project/roots.ts"))
    assert found
    assert int(found[1]) == DEEPEST
    events = [event for event in manifest()["activationEvents"] if event.startswith("workspaceContains:")]
    assert [event.count("*/") for event in events] == list(range(DEEPEST + 1))


def test_the_readme_names_commands_and_settings_and_scripts_that_are_there() -> None:
    contributed = manifest()["contributes"]
    readme = source("README.md")
    words = json.loads(source("package.nls.json"))
    for setting in contributed["configuration"]["properties"]:
        assert f"`{setting}`" in readme
    hidden = {"assetdb.clearUsages", "assetdb.showMenu"}
    for command in contributed["commands"]:
        assert command["command"] in hidden or words[command["title"].strip("%")] in readme, command["title"]
    assert set(re.findall(r"^npm run ([\w:]+)", readme, re.MULTILINE)) <= set(manifest()["scripts"])
    assert f"## {manifest()['version']}\n" in source("CHANGELOG.md")


# --- its own tests ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_types_hold(npm: str) -> None:
    run(npm, "types")


@pytest.mark.long
def test_the_linter_finds_nothing(npm: str) -> None:
    run(npm, "lint")


def test_the_grammar_colours_its_fixtures(npm: str) -> None:
    printed = run(npm, "test:grammar")
    assert printed.count("run successfuly") == len(list((EXTENSION / "tests" / "grammar").iterdir()))


@pytest.mark.long
def test_the_owndoes_what_its_tests_say(npm: str) -> None:
    printed = run(npm, "test", ASSETDB_PROGRAM="")
    assert re.search(r"^# pass [1-9]\d", printed, re.MULTILINE), printed


@pytest.mark.long
def test_client_and_owndrive_the_real_server(npm: str) -> None:
    program = shutil.which("assetdb", path=str(Path(sys.executable).parent))
    assert program, "the environment of these tests has the command"
    asked = subprocess.run([program, "lsp", "--help"], capture_output=True, text=True, timeout=_LIMIT, check=False)
    if asked.returncode != 0:
        pytest.skip(f"no language server: {asked.stderr.strip()}")
    printed = node_test(npm, "protocol", "live", ASSETDB_PROGRAM=program)
    assert re.search(r"^# pass [1-9]\d$", printed, re.MULTILINE), printed
    assert "# skipped 0\n" in printed, printed


@pytest.mark.long
def test_a_real_python_makes_the_environment(npm: str) -> None:
    printed = node_test(npm, "environment", ASSETDB_TEST_PYTHON=sys.executable)
    assert "# skipped 0\n" in printed, printed


# --- the package --------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_package_holds_what_it_needs_and_runs(npm: str, tmp_path: Path) -> None:
    """It is built, unpacked, and activated in the stand-in for the editor."""
    run(npm, "package")
    package = EXTENSION / "build" / "assetdb.vsix"
    assert package.stat().st_size < _MOST_BYTES
    with zipfile.ZipFile(package) as archive:
        assert sum(entry.file_size for entry in archive.infolist()) < _MOST_BYTES
        names = {name.removeprefix("extension/") for name in archive.namelist() if name.startswith("extension/")}
        assert names == _OWN
        assert set(archive.namelist()) - {f"extension/{name}" for name in names} == {
            "extension.vsixmanifest",
            "[Content_Types].xml",
        }
        bundle = archive.read("extension/dist/extension.js").decode()
        assert str(CHECKOUT) not in bundle
        assert "sourceMappingURL" not in bundle
        notices = archive.read("extension/dist/ThirdPartyNotices.txt").decode()
        assert "vscode-languageclient" in notices
        archive.extractall(tmp_path)
    stub = tmp_path / "node_modules" / "vscode" / "index.js"
    esbuild = EXTENSION / "node_modules" / "esbuild" / "bin" / "esbuild"
    subprocess.run(
        [
            "node",
            esbuild,
            "tests/stub/vscode.ts",
            "--bundle",
            "--platform=node",
            f"--outfile={stub}",
            "--log-level=error",
        ],
        cwd=EXTENSION,
        capture_output=True,
        timeout=_LIMIT,
        check=True,
    )
    script = """
        const { Uri, editor } = require("vscode");
        const extension = require("./dist/extension.js");
        const own = { packageJSON: {} };
        const context = { extension: own, globalStorageUri: Uri.file(process.argv[1]), subscriptions: [] };
        extension.activate(context).then(async () => {
          console.log(JSON.stringify([...editor.commands.keys()]));
          await extension.deactivate();
          for (const item of context.subscriptions) item.dispose();
        });
    """
    done = subprocess.run(
        ["node", "-e", script, str(tmp_path / "storage")],
        cwd=tmp_path / "extension",
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    contributed = {command["command"] for command in manifest()["contributes"]["commands"]}
    assert set(json.loads(done.stdout)) == {*contributed, "assetdb.showUsages"}
