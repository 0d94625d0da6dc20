"""Two versions of assetdb on one output folder: each gives its own right answers, whatever the other left there."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
from typing import TYPE_CHECKING, Final

import pytest

from tests.architecture.imports import CHECKOUT
from tests.architecture.test_format_numbers import ROWS
from tests.assetdb.unity_project import guid, make_project, write
from tests.needs import require_git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

VERSION: Final = "assetdb.version"
NUMBERS: Final = {f"{module}.{name}": (module, name) for _, module, name in ROWS}
QUESTIONS: Final = (
    ("check", "--json", "--exit-zero"),
    ("find", "*", "--json"),
    ("usages", "Assets/Prefabs/Player.prefab", "--json"),
)


def program(folder: Path) -> Path:
    """Copy assetdb as it is installed, without compiled modules."""
    for package in (CHECKOUT / "assetdb", CHECKOUT / "formats" / "assetdb_formats"):
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    return folder


def raise_number(program: Path, module: str, name: str) -> None:
    """Have a format, or the version, another number in a copy of assetdb."""
    path = program / f"{module.replace('.', '/')}.py"
    number = re.compile(rf'^({name}(?:: Final)? = "?\d+)', re.MULTILINE)
    text, count = number.subn(r"\g<1>9", path.read_text())  # 13 becomes 139, "0.1.0" is "09.1.0"
    assert count == 1
    path.write_text(text)


@pytest.fixture(scope="module")
def this(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return program(tmp_path_factory.mktemp("this") / "program")


@pytest.fixture(
    scope="module", params=["version", "everything", *(pytest.param(key, marks=pytest.mark.long) for key in NUMBERS)]
)
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version with one raised number, or with all of them."""
    made = program(tmp_path_factory.mktemp("other") / "program")
    for key, (module, name) in NUMBERS.items():
        if request.param in (key, "everything"):
            raise_number(made, module, name)
    if request.param in ("version", "everything"):
        raise_number(made, VERSION, "VERSION")
    return made


EARLIER: Final = "a4cc60dbd1ee7353b6df7c8236f608a7762bc9f9"
"""A commit with other numbers of memo and packages, other content ids and other rows of nearly everything."""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """assetdb as it was at an earlier commit, released as another version."""
    require_git()
    made = tmp_path_factory.mktemp("earlier")
    command = ["git", "archive", EARLIER, "assetdb", "formats/assetdb_formats"]
    archive = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip("a shallow clone lacks the commit")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(made, filter="data")
    (made / "formats" / "assetdb_formats").rename(made / "assetdb_formats")
    raise_number(made, VERSION, "VERSION")
    return made


def words(*command: str) -> list[str]:
    return [sys.executable, "-c", "import sys; from assetdb.cli import main; sys.exit(main())", *command]


def environment(version: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(version)}


def said(version: Path, root: Path, folder: Path) -> list[str]:
    """What a version answers to everything."""
    answers = []
    for question in QUESTIONS:
        done = subprocess.run(
            [*words(*question), "--project", str(root), "--out-dir", str(folder)],
            env=environment(version),
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        answers.append(done.stdout)
    assert all(answers)
    return answers


def edit(root: Path, number: int) -> None:
    body = f"MonoBehaviour:\n  m_Name: New{number}\n  a: {{fileID: 5, guid: {'e' * 32}}}\n"
    text = f"%YAML 1.1\n--- !u!114 &11400000\n{body}"
    write(root, f"Assets/New{number}.asset", 0x900 + number, text)


@pytest.mark.parametrize("is_this_first", [True, False])
def test_each_version_answers_as_if_it_were_alone(
    tmp_path: Path, this: Path, other: Path, *, is_this_first: bool
) -> None:
    root, folder = make_project(tmp_path / "Project"), tmp_path / "out"
    versions = (this, other) if is_this_first else (other, this)
    for number, version in enumerate((*versions, *versions)):
        assert said(version, root, folder) == said(version, root, tmp_path / f"alone{number}")
        edit(root, number)
        shutil.rmtree(tmp_path / f"alone{number}")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Callable[[Path, Path, Path], None]]:
    """Start daemons, and end them."""
    running: list[tuple[subprocess.Popen[bytes], Path, Path, Path]] = []

    def start(version: Path, root: Path, folder: Path) -> None:
        line = [*words("watch"), "--project", str(root), "--out-dir", str(folder)]
        with (tmp_path / "daemon.log").open("wb") as log:
            process = subprocess.Popen(line, env=environment(version), cwd=root, stdout=log, stderr=log)
        running.append((process, version, root, folder))
        while b" ready " not in (tmp_path / "daemon.log").read_bytes():
            assert process.poll() is None, (tmp_path / "daemon.log").read_text()

    yield start
    for process, version, root, folder in running:  # Windows has no signal that asks a process to end
        line = [*words("stop"), "--project", str(root), "--out-dir", str(folder)]
        # In the checkout, which comes before PYTHONPATH, it would be this version that asks.
        done = subprocess.run(line, env=environment(version), cwd=root, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert process.wait(60) == 0


@pytest.mark.parametrize("is_daemon_this", [True, False])
def test_a_version_answers_beside_a_daemon_of_another(
    tmp_path: Path,
    this: Path,
    other: Path,
    watched: Callable[[Path, Path, Path], None],
    *,
    is_daemon_this: bool,
) -> None:
    root, folder = make_project(tmp_path / "Project"), tmp_path / "out"
    theirs, own = (this, other) if is_daemon_this else (other, this)
    watched(theirs, root, folder)
    for number, version in enumerate((own, theirs, own)):
        edit(root, number)
        assert said(version, root, folder) == said(version, root, tmp_path / f"alone{number}")
        assert guid(0x900 + number) in said(version, root, folder)[1]


def add_package(root: Path) -> None:
    """Add a package that is read from the PackageCache: its files are in a folder of each version."""
    package = root / "Library" / "PackageCache" / "com.acme.tools@1.2.3"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "com.acme.tools", "version": "1.2.3"}')
    (root / "Packages").mkdir(exist_ok=True)
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {"com.acme.tools": "1.2.3"}}')
    (package / "Tool.asset").write_text("%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Tool\n")
    (package / "Tool.asset.meta").write_text(f"fileFormatVersion: 2\nguid: {'e' * 32}\n")


@pytest.mark.long
@pytest.mark.parametrize("is_daemon_this", [True, False])
def test_an_earlier_commit_and_this_one_share_a_folder(
    tmp_path: Path,
    this: Path,
    earlier: Path,
    watched: Callable[[Path, Path, Path], None],
    *,
    is_daemon_this: bool,
) -> None:
    root, folder = make_project(tmp_path / "Project"), tmp_path / "out"
    add_package(root)
    theirs, own = (this, earlier) if is_daemon_this else (earlier, this)
    said(own, root, folder)
    watched(theirs, root, folder)
    chooser = random.Random(46)
    for number in range(12):
        edit(root, number)
        version = chooser.choice((own, own, theirs))
        assert said(version, root, folder) == said(version, root, tmp_path / f"alone{number}"), number
        shutil.rmtree(tmp_path / f"alone{number}")
