"""Import budgets, measured on the installed script: what a command loads is in every one of its answers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.workspace import memory
from scripts.fixture import copy_fixture
from scripts.programs import repository
from tests.architecture.imports import OURS, PYTHONPATH, tree

if TYPE_CHECKING:
    from pathlib import Path

BY_GUID = "4da1de0e3f88a2099ed539d1638f3eb8:-42"
HEAVY = {
    "argparse",
    "asyncio",
    "blake3",
    "dataclasses",
    "hashlib",
    "inspect",
    "msgspec",
    "multiprocessing",
    "pathlib",
    "rich",
}
HEAVY |= {"structlog", "subprocess", "tempfile", "tomllib", "typer", "watchdog", "xxhash", "yaml"}
LIGHT = HEAVY | {"array", "contextlib", "json", "shutil", "typing", "zlib"}
BUDGETS = (
    (("name", BY_GUID), 40, LIGHT),
    (("path", BY_GUID), 40, LIGHT),
    (("guid", "Assets/Documents/Settings.asset"), 38, LIGHT),
    (("annotate", "Assets/Prefabs/Variant.prefab"), 46, HEAVY),
    (
        ("merge", *["Assets/Prefabs/Variant.prefab"] * 3, "--output", "merged", "--marker-size", "7"),
        41,
        HEAVY | {"json"},
    ),
    (("bake", "--quiet", "--keep-going"), 63, HEAVY | {"json"}),
    (("find", "Red"), 76, HEAVY | {"json"}),
    (("deps", "Assets/Prefabs/Variant.prefab"), 79, HEAVY | {"json"}),
    (("usages", "Base.prefab"), 79, HEAVY | {"json"}),
    (
        ("usages", "be5188a979094ebfdf7a05839dfc7ad9", "--no-refresh"),
        50,
        HEAVY | {"json"},
    ),  # Python 3.13 itself loads re
    # Unchanged, so that it prints its last output; hashlib loads OpenSSL.
    (("check", "--quiet", "--exit-zero"), 84, HEAVY | {"hashlib", "json", "typing"}),
    (("--version",), 4, LIGHT - {"contextlib"}),
)
"""A command, how many modules of ours with code it may load, and modules that it may not.

A package that holds a docstring alone takes less than 0.1 ms.
"""


@pytest.fixture(scope="module")
def script() -> str:
    found = shutil.which("assetdb", path=sysconfig.get_path("scripts"))
    if found is None:
        pytest.skip("assetdb is not installed in this environment")
    return found


def run(script: str, project: Path, *words: str) -> list[str]:
    """Run a command line and return the modules that it loaded.

    Without the native module: where its threads import, too, the interpreter does not tell all imports.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ASSETDB_")}
    done = subprocess.run(
        [script, *words],
        cwd=project,
        env=kept | {"ASSETDB_NATIVE": "0", "PYTHONPROFILEIMPORTTIME": "1", "XDG_RUNTIME_DIR": str(project.parent)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return [line.rpartition("|")[2].strip() for line in lines]


@pytest.fixture(scope="module")
def project(script: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("budgets") / "Game"
    copy_fixture(root)
    run(script, root, "bake", "--quiet", "--keep-going")
    time.sleep(0.05)  # what was written a moment before a bake is read once more
    run(script, root, "find", "*")
    run(script, root, "check", "--quiet", "--exit-zero")
    return root


@pytest.mark.parametrize(("words", "most", "never"), BUDGETS, ids=[words[0] for words, _, _ in BUDGETS])
def test_a_command_loads_no_more_than_its_budget(
    script: str, project: Path, words: tuple[str, ...], most: int, never: set[str]
) -> None:
    loaded = run(script, project, *words)
    ours = [name for name in loaded if name.partition(".")[0] in OURS and len(tree(name).body) > 1]
    assert "assetdb.cli" in ours
    assert len(ours) <= most, ours
    assert not never & {name.partition(".")[0] for name in loaded}


def test_a_bake_weighs_its_diagnostics_lightly(script: str, tmp_path: Path) -> None:
    """An unchanged one, as of most projects: few have assets that share a GUID, whose advice takes more."""
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    (root / "Assets").mkdir()
    (root / "Assets" / "Lacking.txt").write_bytes(b"")  # without a meta
    run(script, root, "bake", "--quiet", "--keep-going")
    time.sleep(0.05)  # what was written a moment before a bake is read once more
    run(script, root, "bake", "--quiet", "--keep-going")
    loaded = run(script, root, "bake", "--keep-going")
    ours = [name for name in loaded if name.partition(".")[0] in OURS and len(tree(name).body) > 1]
    assert "assetdb.checks.findings.selection" in ours  # so it had a diagnostic to weigh
    assert len(ours) <= 85, ours
    assert not (HEAVY | {"json", "typing"}) & {name.partition(".")[0] for name in loaded}


def test_a_comparison_without_differences_loads_no_reader_of_values(script: str, tmp_path: Path) -> None:
    root = tmp_path / "Game"
    copy_fixture(root)
    shutil.rmtree(root / "Library", ignore_errors=True)
    repository(root)
    run(script, root, "diff")
    loaded = set(run(script, root, "diff", "HEAD"))
    assert {"assetdb.query.differences", "subprocess"} <= loaded  # git is asked
    assert not {"typer", "html", "inspect", "msgspec", "assetdb.query.inspecting"} & loaded
    ours = [name for name in loaded if name.partition(".")[0] in OURS and len(tree(name).body) > 1]
    assert len(ours) <= 140, sorted(ours)


def test_a_first_check_of_a_project_opens_no_package_around_it(script: str, tmp_path: Path) -> None:
    copy_fixture(tmp_path / "Game")
    loaded = set(run(script, tmp_path / "Game", "check", "--quiet", "--exit-zero"))
    assert "assetdb.checks.verdicts.judging" in loaded
    assert "assetdb.query.snapshots.package_view" not in loaded


def test_what_is_imported_while_others_read_follows_in_any_case(script: str, project: Path, tmp_path: Path) -> None:
    first = run(script, project, "bake", "--quiet", "--keep-going", "--workers", "1", "--out-dir", str(tmp_path))
    assert {*memory.NEXT, *memory.NEXT_FIRST} <= set(first)
    no_op = run(script, project, "bake", "--quiet", "--keep-going", "--workers", "1", "--out-dir", str(tmp_path))
    assert set(memory.NEXT) <= set(no_op)


def test_what_follows_the_scan_of_a_first_bake_has_no_patterns_and_hashes_nothing() -> None:
    words = "import sys; from assetdb.workspace import memory; memory.import_next(keep=False, first=True)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"{words}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
    )
    loaded = set(done.stdout.split())
    assert "assetdb.packages.external" in loaded
    assert not loaded & {"blake3", "re"}


def test_a_bake_that_changes_nothing_does_without_arrays() -> None:
    words = "import sys, assetdb.cli.bake, assetdb.scan.processes; print(*sys.modules)"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path += {PYTHONPATH.split(os.pathsep)!r}; {words}",
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "assetdb.workspace.workspace" in loaded
    assert not {"array", "collections", "re", "typing", "assetdb.scan.changes"} & loaded  # arrays bring collections


def test_an_assistant_is_answered_before_what_answers_about_projects_is_imported(script: str, project: Path) -> None:
    """The handshake and the list of tools; with ``msgspec`` alone a server would start half as quickly."""
    hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'
    done = subprocess.run(
        [script, "mcp"],
        input=f'{hello}\n{{"jsonrpc":"2.0","id":2,"method":"tools/list"}}\n',
        cwd=project,
        env=os.environ | {"PYTHONPROFILEIMPORTTIME": "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.count('"result"') == 2
    loaded = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    ours = [name for name in loaded if name.partition(".")[0] in OURS]
    assert "assetdb.mcp.server" in ours
    assert len(ours) <= 25, ours
    found = {name.partition(".")[0] for name in loaded[loaded.index("assetdb") :]}
    assert not {*LIGHT, "re", "socket", "threading"} & found, found


def test_a_daemon_is_ready_before_what_only_answers_is_imported() -> None:
    words = (
        "import sys, assetdb.cli.serving.watch, assetdb.cli.serving.daemon_process;"
        "import assetdb.daemon.reconciling.reconciler;"
        "import assetdb.scan.walking.links, assetdb.daemon.observers.inotify; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", words],
        env={"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "assetdb.workspace.workspace" in loaded
    assert not {"typer", "msgspec", "json", "subprocess", "secrets", "typing", "re"} & loaded
    later_ours = ("assetdb.daemon.rpc", "assetdb.client.api", "assetdb.query", "assetdb.resolve", "assetdb.scan.asset")
    assert not [name for name in loaded if name.startswith(later_ours)]
