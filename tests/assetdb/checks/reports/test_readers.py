"""Reports of the command, read by the programs and schemas of others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assetdb.cli import main
from scripts.fixture import copy_fixture


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The fixture, which has one case of everything that goes wrong."""
    root = tmp_path / "Game"
    copy_fixture(root)
    monkeypatch.chdir(root)
    return root


def report(shape: str, tmp_path: Path) -> Path:
    path = tmp_path / f"report.{shape}"
    assert main(["check", "--select", "all", "--format", shape, "--output", str(path), "-q"]) == 1
    return path


def named(variable: str, what: str) -> str:
    path = os.environ.get(variable, "")
    if not path:
        pytest.skip(f"{variable} does not name {what}")
    return path


def test_sarif_reads_back(project: Path, tmp_path: Path) -> None:
    program = named("ASSETDB_SARIF_TOOLS", "the command of sarif-tools")
    path = report("sarif", tmp_path)
    done = subprocess.run([program, "summary", str(path)], capture_output=True, text=True, check=True)
    assert main(["check", "--select", "all", "--statistics", "--json", "--output", str(tmp_path / "counts"), "-q"]) == 1
    counts = [json.loads(line) for line in (tmp_path / "counts").read_text().splitlines()]
    assert len(counts) > 10
    for severity in ("error", "warning"):
        total = sum(row["count"] for row in counts if row["severity"] == severity)
        assert f"{severity}: {total}" in done.stdout
    for row in counts:
        assert f" - {row['code']}" in done.stdout


def test_sarif_is_valid(project: Path, tmp_path: Path) -> None:
    schema = named("ASSETDB_SARIF_SCHEMA", "the schema of SARIF 2.1.0")
    pytest.importorskip("check_jsonschema")
    path = report("sarif", tmp_path)
    words = ["check-jsonschema", "--regex-variant", "nonunicode", "--schemafile", schema, str(path)]
    done = subprocess.run(
        [str(Path(sys.executable).parent / words[0]), *words[1:]], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_junit_is_valid(project: Path, tmp_path: Path) -> None:
    schema = named("ASSETDB_JUNIT_SCHEMA", "pytest's junit-10.xsd")
    xmlschema = pytest.importorskip("xmlschema")
    xmlschema.XMLSchema(schema).validate(str(report("junit", tmp_path)))
