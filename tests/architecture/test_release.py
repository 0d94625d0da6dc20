"""What a release needs is declared once and agrees: versions, changelog, addresses, wheels, forms."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.bench.all import MARKS
from tests.architecture.imports import CHECKOUT

PYPROJECT: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
GITHUB = CHECKOUT / ".github"


def load_notes() -> Any:  # noqa: ANN401 - a script is no package
    location = importlib.util.spec_from_file_location("release_notes", CHECKOUT / "scripts/release/notes.py")
    assert location is not None
    assert location.loader is not None
    module = importlib.util.module_from_spec(location)
    location.loader.exec_module(module)
    return module


def copy_of_manifests(folder: Path, changelog: str) -> Path:
    for name in ("assetdb/version.py", *load_notes().MANIFESTS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, folder / name)
    (folder / "CHANGELOG.md").write_text(changelog)
    return folder


def test_all_parts_of_a_release_have_one_version() -> None:
    assert len(set(load_notes().versions(CHECKOUT).values())) == 1


def test_the_published_figures_are_of_this_version() -> None:
    page = (CHECKOUT / "docs/performance.md").read_text("utf-8")
    _, begin, rest = page.partition(MARKS[0])
    figures, end, _ = rest.partition(MARKS[1])
    assert begin
    assert end
    assert figures.strip().startswith(f"assetdb {load_notes().versions(CHECKOUT)['assetdb/version.py']} (pure Python)")


def test_notes_have_the_section_of_their_version_and_how_to_install_it(tmp_path: Path) -> None:
    changelog = "# Changelog\n\n## Unreleased\n- later\n\n## 0.1.0 - 2026-11-23\n### Added\n- first\n\n"
    changelog += "## 0.0.9 - 2025-01-01\n- old\n"
    text = load_notes().notes(copy_of_manifests(tmp_path, changelog), "v0.1.0", "https://forge.example/some/tool/")
    assert text.endswith("### Added\n- first\n")
    assert "https://forge.example/some/tool.git?path=/editor/com.assetdb.unity#v0.1.0" in text
    assert "--repo some/tool" in text


def test_a_tag_without_a_dated_section_or_with_another_version_is_refused(tmp_path: Path) -> None:
    checkout = copy_of_manifests(tmp_path, "# Changelog\n\n## Unreleased\n- all\n\n## 0.1.0\n- undated\n")
    manifest = checkout / "editor/vscode/package.json"
    manifest.write_text(manifest.read_text().replace('"version": "0.1.0"', '"version": "0.2.0"'))
    with pytest.raises(ValueError, match=r"vscode/package\.json: the version is 0\.2\.0") as caught:
        load_notes().notes(checkout, "v0.1.0", "https://forge.example/some/tool")
    assert "## 0.1.0 - YYYY-MM-DD" in str(caught.value)
    assert "com.assetdb.unity" not in str(caught.value)


def test_addresses_are_those_of_the_repository_that_publishes(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not here: only builds need it")
    from hatch_build import AddressHook  # noqa: PLC0415 - only where hatchling is

    hook = AddressHook(str(CHECKOUT), {})
    monkeypatch.delenv("ASSETDB_REPOSITORY", raising=False)
    metadata: dict[str, Any] = {"version": "1.2.3"}
    hook.update(metadata)
    assert metadata == {"version": "1.2.3"}
    monkeypatch.setenv("ASSETDB_REPOSITORY", "https://forge.example/some/tool/")
    hook.update(metadata)
    assert metadata["urls"]["Source"] == "https://forge.example/some/tool"
    assert metadata["urls"]["Changelog"] == "https://forge.example/some/tool/blob/v1.2.3/CHANGELOG.md"
    assert (CHECKOUT / metadata["urls"]["Documentation"].partition("/blob/v1.2.3/")[2]).is_file()
    monkeypatch.setenv("ASSETDB_REPOSITORY", "git@forge.example:some/tool.git")
    with pytest.raises(ValueError, match="ASSETDB_REPOSITORY"):
        hook.update(metadata)


def test_native_wheels_are_tried_with_every_version_that_is_said_to_work() -> None:
    said = [row.rpartition(" ")[2] for row in PYPROJECT["project"]["classifiers"] if "Python :: 3." in row]
    built = PYPROJECT["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{version.replace('.', '')}-*" for version in said]


def test_the_dry_run_builds_what_a_release_does_and_only_a_tag_publishes() -> None:
    called = "./.github/workflows/artifacts.yml"
    names = ("ci.yml", "artifacts.yml", "release.yml")
    files = {name: yaml.safe_load((GITHUB / "workflows" / name).read_text("utf-8")) for name in names}
    for name in ("ci.yml", "release.yml"):
        assert called in [job.get("uses") for job in files[name]["jobs"].values()]
    assert files["release.yml"][True] == {"push": {"tags": ["v[0-9]*"]}}  # YAML 1.1 reads the key "on" as true
    writing = [
        (name, job)
        for name, workflow in files.items()
        for job, row in workflow["jobs"].items()
        if "write" in row.get("permissions", {}).values()
    ]
    assert writing == [("release.yml", "publish")]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("vendor.github-issue-forms", "ISSUE_TEMPLATE/bug.yml"),
        ("vendor.github-issue-forms", "ISSUE_TEMPLATE/feature.yml"),
        ("vendor.github-issue-config", "ISSUE_TEMPLATE/config.yml"),
        ("vendor.github-workflows", "workflows/artifacts.yml"),
        ("vendor.github-workflows", "workflows/ci.yml"),
        ("vendor.github-workflows", "workflows/release.yml"),
    ],
)
def test_forms_and_workflows_follow_their_schemas(schema: str, path: str) -> None:
    beside = Path(sys.executable).with_name("check-jsonschema")
    program = str(beside) if beside.exists() else shutil.which("check-jsonschema")
    if program is None:
        pytest.skip("check-jsonschema is not here: pip install check-jsonschema")
    words = [program, "--builtin-schema", schema, str(GITHUB / path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
