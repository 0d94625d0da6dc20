"""The hooks of ``.pre-commit-hooks.yaml`` under real pre-commit and prek, offline; and the action's own rules."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.architecture.imports import CHECKOUT, PYTHONPATH
from tests.assetdb.builds import making
from tests.assetdb.history.git_project import IDENTITY, commit, git, make_repository
from tests.assetdb.unity_project import guid
from tests.needs import needs_scripts

HOOKS: list[dict[str, Any]] = yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((CHECKOUT / "action.yml").read_text("utf-8"))


def runner(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not here: pip install {name}")
    return found


def local_configuration(*more: str) -> str:
    """Return a configuration that runs our hooks from this checkout, with nothing to install."""
    hooks = []
    for hook in HOOKS:
        program, *words = shlex.split(hook["entry"])
        assert program == "assetdb"
        entry = shlex.join([sys.executable, "-m", "assetdb", *words, *more])
        hooks.append({**hook, "entry": entry, "language": "system"})
    return yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]})


def commit_with_hooks(root: Path) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ) | IDENTITY | {"PYTHONPATH": PYTHONPATH}
    words = ["git", "-C", str(root), "commit", "-m", "change"]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "inside"), [("pre-commit", "Game"), ("prek", "")])
def test_a_commit_that_breaks_something_is_refused(name: str, inside: str, tmp_path: Path) -> None:
    program = runner(name)
    repository = tmp_path / "repository"
    root = make_repository(repository, inside)
    words = ("--project", inside) if inside else ()
    (repository / ".pre-commit-config.yaml").write_text(local_configuration(*words))
    commit(repository)
    environment = (
        dict(os.environ) | IDENTITY | {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PREK_HOME": str(tmp_path / "prek")}
    )
    subprocess.run([program, "install"], cwd=repository, env=environment, capture_output=True, check=True)

    (root / "Assets/Scripts/Health.cs").unlink()
    (root / "Assets/Scripts/Health.cs.meta").unlink()
    (root / "Assets/Scripts").rmdir()
    git(repository, "add", "-A")
    refused = commit_with_hooks(root)
    said = refused.stdout + refused.stderr
    assert refused.returncode == 1, said
    assert "missing-script" in said
    assert "Assets/Prefabs/Tower.prefab" in said
    assert "Assets/gone.mat" not in said  # old debt

    git(repository, "reset", "-q", "--hard")
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace("Tower", "Castle"))
    git(repository, "add", "-A")
    tower.write_text(tower.read_text().replace(guid(3), guid(78)))  # is not staged
    taken = commit_with_hooks(root)
    assert taken.returncode == 0, taken.stdout + taken.stderr


@pytest.mark.parametrize("name", ["pre-commit", "prek"])
def test_a_checkout_sets_up_names_in_diffs(name: str, tmp_path: Path) -> None:
    program = runner(name)
    root = make_repository(tmp_path / "repository")
    (root / ".pre-commit-config.yaml").write_text(local_configuration())
    commit(root)
    environment = (
        dict(os.environ) | IDENTITY | {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PREK_HOME": str(tmp_path / "prek")}
    )
    environment["PYTHONPATH"] = PYTHONPATH
    words = ["run", "--hook-stage", "manual", "assetdb-git-setup"]
    done = subprocess.run([program, *words], cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert "annotate --textconv" in git(root, "config", "diff.unity.textconv"), done.stdout + done.stderr


@pytest.mark.parametrize("name", ["pre-commit", "prek"])
def test_the_manifest_is_one(name: str) -> None:
    words = {"pre-commit": ["validate-manifest"], "prek": ["validate-manifest"]}[name]
    done = subprocess.run(
        [runner(name), *words, str(CHECKOUT / ".pre-commit-hooks.yaml")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [hook["id"] for hook in HOOKS] == ["assetdb-check", "assetdb-git-setup"]


def test_the_action_is_one() -> None:
    program = runner("check-jsonschema")
    words = ["--builtin-schema", "vendor.github-actions", str(CHECKOUT / "action.yml")]
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_input_of_the_action_becomes_part_of_a_script() -> None:
    steps = ACTION["runs"]["steps"]
    scripts = [step["run"] for step in steps if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]
    given = set(re.findall(r"inputs\.([\w-]+)", str([step.get("env") for step in steps])))
    assert given == set(ACTION["inputs"])


def script_of(step: str) -> str:
    (script,) = [row["run"] for row in ACTION["runs"]["steps"] if row.get("id") == step]
    assert isinstance(script, str)
    return script


def action_environment(folder: Path, project: str) -> dict[str, str]:
    program = folder / "bin" / "assetdb"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m assetdb "$@"\n')
    program.chmod(0o755)
    defaults = {name.upper().replace("-", "_"): str(row.get("default", "")) for name, row in ACTION["inputs"].items()}
    environment = dict(os.environ) | defaults | {"PYTHONPATH": PYTHONPATH, "ASSETDB": str(program)}
    return environment | {"PROJECT": project, "SINCE": "HEAD"}


@needs_scripts
def test_the_script_of_the_action_compares_a_build_with_its_budgets(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository", "Game; echo $HOME")
    small, large = (
        making.bundle("CAB-" + "a" * 32, "t", [making.Texture(7, "b", bytes(size))]) for size in (9, 90_000)
    )
    for name, data in (("old", small), ("new", large)):
        (tmp_path / "repository" / name).mkdir()
        (tmp_path / "repository" / name / "t.bundle").write_bytes(data)
    (root / "assetdb.toml").write_text('[budget.bundle]\n"*" = "+0 %"\n')
    summary = tmp_path / "summary.md"
    environment = action_environment(tmp_path, root.name) | {"GITHUB_STEP_SUMMARY": str(summary)}

    def run(**changed: str) -> subprocess.CompletedProcess[str]:
        words = ["bash", "-c", script_of("build")]
        place = tmp_path / "repository"
        return subprocess.run(words, cwd=place, env=environment | changed, capture_output=True, text=True, check=False)

    done = run(BUILD="new", AGAINST="old")
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.startswith("::error file=assetdb.toml,title=budget::budget.bundle.'*'")
    assert "### assetdb build check: 1 of 1 limits is exceeded" in summary.read_text("utf-8")
    assert run(BUILD="old", AGAINST="old").returncode == 0
    assert run(BUILD="new").returncode == 2


@needs_scripts
def test_the_script_of_the_action_checks_what_it_is_told(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository", "Game; echo $HOME")
    (root / "Assets/Scripts/Health.cs").unlink()
    (root / "Assets/Scripts/Health.cs.meta").unlink()
    script = script_of("check")
    environment = action_environment(tmp_path, root.name)

    def run(**changed: str) -> subprocess.CompletedProcess[str]:
        words = ["bash", "-c", script]
        place = tmp_path / "repository"
        return subprocess.run(words, cwd=place, env=environment | changed, capture_output=True, text=True, check=False)

    done = run()
    assert done.returncode == 1, done.stdout + done.stderr
    assert "::error file=Game; echo $HOME/Assets/Prefabs/Tower.prefab" in done.stdout
    git(tmp_path / "repository", "checkout", "-q", ".")
    assert run().returncode == 0
    assert run(SINCE="").returncode == 1


@needs_scripts
def test_the_summary_of_the_action_and_its_outputs(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository", "Game")
    (root / "Assets/Scripts/Health.cs").unlink()
    (root / "Assets/Scripts/Health.cs.meta").unlink()
    shown, outputs = tmp_path / "shown.md", tmp_path / "outputs"
    environment = action_environment(tmp_path, root.name) | {
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(shown),
        "GITHUB_OUTPUT": str(outputs),
    }
    words = ["bash", "-c", script_of("summary")]
    subprocess.run(words, cwd=tmp_path / "repository", env=environment, check=True)
    summary = tmp_path / "assetdb-summary.md"
    assert shown.read_text("utf-8") == summary.read_text("utf-8")
    assert "`missing-script` `Game/Assets/" in summary.read_text("utf-8")
    errors, warnings, notes, gaps, path = outputs.read_text("utf-8").splitlines()
    assert int(errors.removeprefix("errors=")) > 0
    assert (warnings, notes, gaps, path) == ("warnings=0", "notes=0", "not-judged=0", f"summary={summary}")
    assert "assets: 1 removed; references: " in summary.read_text("utf-8").partition("### assetdb diff")[2]
    subprocess.run(words, cwd=tmp_path / "repository", env=environment | {"SINCE": ""}, check=True)
    assert "### assetdb diff" not in summary.read_text("utf-8")  # no revision to compare with


@needs_scripts
@pytest.mark.parametrize("how", [{"SINCE": "HEAD~1"}, {"SINCE": "", "MERGE": "HEAD~1"}, {"SINCE": "no-such-revision"}])
def test_the_summary_has_a_second_part_about_objects(tmp_path: Path, how: dict[str, str]) -> None:
    root = make_repository(tmp_path / "repository", "Game")
    level = root / "Assets/Prefabs/Level.prefab"
    level.write_text(level.read_text().replace("m_Name: Level", "m_Name: Castle"))
    commit(tmp_path / "repository")
    environment = action_environment(tmp_path, root.name) | {
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "shown.md"),
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        **how,
    }
    words = ["bash", "-c", script_of("summary")]
    done = subprocess.run(
        words, cwd=tmp_path / "repository", env=environment, capture_output=True, text=True, check=False
    )
    if how.get("SINCE") == "no-such-revision":
        assert done.returncode != 0  # as the check itself
        return
    assert done.returncode == 0, done.stderr
    first, second = (tmp_path / "assetdb-summary.md").read_text("utf-8").split("### assetdb diff")
    assert first.startswith("<!-- assetdb check: errors=0 warnings=0 ")
    assert "assets: 1 changed" in second
    assert "reached by 1 scene: Assets/Main.unity" in second
    assert "m_Name  Level -> Castle" in second


@needs_scripts
@pytest.mark.parametrize(
    ("known", "errors", "asked"),
    [
        ("", 2, "api --silent --method POST repos/ann/game/issues/7/comments --field body=@"),
        ("", 0, None),
        ("", 0, "api --silent --method POST repos/ann/game/issues/7/comments --field body=@"),
        ("31\n32", 0, "api --silent --method PATCH repos/ann/game/issues/comments/31 --field body=@"),
        ("refused", 2, None),
    ],
)
def test_the_action_keeps_one_comment(tmp_path: Path, known: str, errors: int, asked: str | None) -> None:
    program = tmp_path / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\necho "$@" >> "$TOLD"\nif [ "$KNOWN" = refused ]; then exit 1; fi\n'
        'case "$*" in *--paginate*) printf "%s" "$KNOWN";; esac\n'
    )
    program.chmod(0o755)
    summary, told = tmp_path / "summary.md", tmp_path / "told"
    changed = (
        "\n### assetdb diff\n\nassets: 1 changed\n" if asked is not None and not errors else "\nNothing differs.\n"
    )
    summary.write_text(f"<!-- assetdb check: errors={errors} warnings=0 not-judged=0 -->\n{changed}")
    if known == "31\n32":  # more than a comment may have
        summary.write_text(summary.read_text() + f"### assetdb diff\n{'x' * 66_000}\n")
    environment = dict(os.environ) | {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "REPOSITORY": "ann/game",
        "NUMBER": "7",
        "SUMMARY": str(summary),
        "KNOWN": known,
        "TOLD": str(told),
    }
    words = ["bash", "-c", script_of("comment")]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    calls = told.read_text("utf-8").splitlines()
    assert calls[0].startswith("api --paginate repos/ann/game/issues/7/comments --jq ")
    is_short = known == "31\n32"
    assert calls[1:] == ([] if asked is None else [f"{asked}{summary}{'.short' * is_short}"])
    if is_short:
        short = Path(f"{summary}.short").read_text()
        assert short.startswith("<!-- assetdb check: ")
        assert "x" * 9 not in short
    assert ("::notice" in done.stdout) == (known == "refused")
