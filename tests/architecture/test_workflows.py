"""The workflows are what GitHub takes, and test what the project says it runs on."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib

import pytest
import yaml

from tests.architecture.imports import CHECKOUT

WORKFLOWS = CHECKOUT / ".github" / "workflows"


def test_actionlint_finds_nothing() -> None:
    program = shutil.which("actionlint", path=os.pathsep.join((os.environ.get("PATH", ""), str(CHECKOUT / "build"))))
    if program is None:
        pytest.skip("actionlint is not here: go install github.com/rhysd/actionlint/cmd/actionlint@latest")
    found = sorted(str(path) for path in WORKFLOWS.glob("*.yml"))
    assert len(found) >= 2
    done = subprocess.run([program, *found], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_tests_that_the_readme_leaves_out_are_run_by_the_checks() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text("utf-8")
    assert 'bash -c "$command"' in script  # the README's
    assert "-m pytest -q -n auto -m long --durations=40\n" in script


def test_every_version_that_is_said_to_work_is_tested_on_every_system() -> None:
    matrix = yaml.safe_load((WORKFLOWS / "ci.yml").read_text("utf-8"))["jobs"]["tests"]["strategy"]["matrix"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "windows", "macos"]
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    said = {word.rpartition(" ")[2] for word in project["classifiers"] if word.startswith("Programming Language")}
    assert set(matrix["python"]) >= said
    assert f">={matrix['python'][0]}" == project["requires-python"]
