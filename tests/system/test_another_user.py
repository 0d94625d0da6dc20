"""Commands as a user who may not read or write everything: root may, and would see none of this.

Where the tests run as root, commands run by ``setpriv`` as nobody, or, where nobody may not read the interpreter, as a
root whom permissions bind.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.baking import bake
from tests.architecture.imports import PYTHONPATH
from tests.assetdb.unity_project import make_project
from tests.system.bake.test_old_times import material, write

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = 65534
pytestmark = pytest.mark.long


@cache
def without_rights() -> tuple[tuple[str, ...], int, str]:
    """Return the words that run a command as somebody whom permissions bind, that user, and why there is none."""
    if not hasattr(os, "geteuid"):
        return (), 0, "no users as POSIX has them"
    if os.geteuid() != 0:
        return (), os.geteuid(), ""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return (), 0, "the tests run as root, and there is no setpriv (util-linux)"
    reason = ""
    for user, words in (
        (NOBODY, (setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")),
        (0, (setpriv, "--bounding-set=-dac_override,-dac_read_search")),
    ):
        tried = [*words, sys.executable, "-c", "import assetdb"]
        done = subprocess.run(
            tried, capture_output=True, text=True, check=False, cwd="/", env={"PYTHONPATH": PYTHONPATH}
        )
        if done.returncode == 0:
            return words, user, ""
        reason = reason or f"nobody may not read the checkout: {done.stderr.strip()[-200:]}"
    return (), 0, reason


@pytest.fixture(autouse=True)
def _needs_another_user() -> None:
    _, _, reason = without_rights()
    if reason:
        pytest.skip(reason)


class Place:
    """A project in a folder that the other user can enter, and what that user says of it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "Project"
        self.home = folder / "home"
        self.home.mkdir()
        make_project(self.root)
        self.give(folder)

    @staticmethod
    def give(folder: Path) -> None:
        """Let everything below a folder belong to the other user."""
        if os.geteuid() == 0:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, without_rights()[1], without_rights()[1], follow_symlinks=False)

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **variables,
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.home),
            "PYTHONPATH": PYTHONPATH,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [*without_rights()[0], sys.executable, "-m", "assetdb", *words, "--project", str(self.root)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.root, env=environment, timeout=120
        )
        assert "Traceback" not in done.stderr
        return done

    def codes(self, *words: str) -> dict[str, str]:
        """Return the code of what is said of each path."""
        done = self.run("check", "--json", *words)
        found = map(json.loads, done.stdout.splitlines())
        return {item["path"]: item["code"] for item in found}


@pytest.fixture
def place() -> Iterator[Place]:
    with tempfile.TemporaryDirectory(prefix="assetdb-user-") as name:  # pytest's own folders are of its user alone
        folder = Path(name)
        folder.chmod(0o755)
        yield Place(folder)
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o700)


def test_a_file_that_may_not_be_read_is_one_file(place: Place) -> None:
    write(place.root / "Assets" / "Secret.mat", 70, material("Secret"))
    write(place.root / "Assets" / "Open.mat", 71, material("Open"))
    place.give(place.root / "Assets")
    (place.root / "Assets" / "Secret.mat").chmod(0)
    assert place.run("bake", "--keep-going").returncode in (0, 1)
    assert place.codes()["Assets/Secret.mat"] == "unreadable"
    assert place.run("name", f"{71:032x}").returncode == 0
    (place.root / "Assets" / "Secret.mat").chmod(0o600)
    assert "Assets/Secret.mat" not in place.codes()


@pytest.mark.parametrize("mode", [0, 0o444, 0o111])
def test_a_folder_that_may_not_be_read_is_one_folder(place: Place, mode: int) -> None:
    write(place.root / "Assets" / "Closed" / "In.mat", 72, material("In"))
    place.give(place.root / "Assets")
    (place.root / "Assets" / "Closed").chmod(mode)
    for command in ("bake", "find", "check", "unused"):
        words = (command, "*") if command == "find" else (command,)
        assert place.run(*words).returncode in (0, 1, 2)
    assert "unreadable" in place.codes().values()
    (place.root / "Assets" / "Closed").chmod(0o700)
    assert "unreadable" not in place.codes().values()


def user(root: Path, *numbers: int) -> None:
    """Write an asset that refers to materials."""
    rows = "".join(f"  f{number}: {{fileID: 2100000, guid: {number:032x}, type: 2}}\n" for number in numbers)
    write(root / "Assets" / "User.asset", 80, f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: U\n{rows}")


@pytest.mark.parametrize("hidden", ["folder", "listed folder", "entered folder", "meta", "loop of metas"])
def test_nothing_is_missing_that_may_be_where_nobody_can_see(place: Place, hidden: str) -> None:
    assets = place.root / "Assets"
    write(assets / "Closed" / "In.mat", 72, material("In"))
    user(place.root, 72, 99)
    place.give(assets)
    meta = assets / "Closed" / "In.mat.meta"
    if hidden == "loop of metas":
        meta.unlink()
        meta.symlink_to(meta.name)
    elif hidden == "meta":
        meta.chmod(0)
    else:
        (assets / "Closed").chmod({"folder": 0, "listed folder": 0o444, "entered folder": 0o111}[hidden])
    for _ in range(2):  # the second check uses what the first has kept
        codes = place.codes()
        assert codes["Assets/User.asset"] == "unreadable"
        assert not any(path.startswith("Assets/Closed/") and code != "unreadable" for path, code in codes.items())
    said = place.run("name", f"{99:032x}").stderr
    assert "unreadable" in said
    assert "deleted" not in said
    assert place.run("unused").returncode == 2
    (assets / "Closed").chmod(0o700)
    if meta.is_symlink():
        meta.unlink()
        write(assets / "Closed" / "In.mat", 72, material("In"))
        place.give(assets)
    meta.chmod(0o600)
    found = map(json.loads, place.run("check", "--json").stdout.splitlines())
    assert [(row["code"], row["target"][:32]) for row in found if row["path"] == "Assets/User.asset"] == [
        ("missing-asset", f"{99:032x}")
    ]


def test_nothing_is_removed_that_unseen_files_may_use(place: Place) -> None:
    assets = place.root / "Assets"
    write(assets / "Closed" / "In.mat", 72, material("In"))
    write(assets / "Lonely.mat", 73, material("Lonely"))
    place.give(assets)
    (assets / "Closed").chmod(0)
    done = place.run("rm", "Assets/Lonely.mat")
    assert done.returncode == 1
    assert "a file or folder that cannot be read may refer to it: Assets/Closed, so nothing was removed" in done.stderr
    assert place.run("rm", "--dry-run", "Assets/Lonely.mat").returncode == 1
    for words in (("Assets/Closed",), ("--force", "Assets/Closed")):
        done = place.run("rm", *words)
        assert (done.returncode, "cannot be listed" in done.stderr) == (2, True)
    place.run("check", "--fix")
    assert (assets / "Lonely.mat").exists()
    assert place.run("rm", "--force", "Assets/Lonely.mat").returncode == 0
    (assets / "Closed").chmod(0o700)
    assert sorted(path.name for path in (assets / "Closed").iterdir()) == ["In.mat", "In.mat.meta"]


def test_a_meta_that_is_a_folder_is_said_to_be_one(place: Place) -> None:
    meta = place.root / "Assets" / "In.mat.meta"
    write(place.root / "Assets" / "In.mat", 72, material("In"))
    meta.unlink()
    meta.mkdir()
    user(place.root, 72)
    place.give(place.root / "Assets")
    found = list(map(json.loads, place.run("check", "--json").stdout.splitlines()))
    assert [row["message"] for row in found if row["path"] == "Assets/In.mat.meta"] == ["is a folder"]
    assert not [row for row in found if row["path"] == "Assets/In.mat"]
    # No file has the GUID: nothing is hidden.
    assert [row["code"] for row in found if row["path"] == "Assets/User.asset"] == ["missing-asset"]


def test_a_project_that_may_not_be_written_is_read(place: Place) -> None:
    for path in (place.root, *place.root.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(str(path) for path in place.root.rglob("*"))
    first = place.run("find", "Player")
    assert "Player" in first.stdout
    assert "cannot be written" in first.stderr, "what it writes instead is in the user's cache"
    assert place.run("name", "Player").returncode == 0
    assert place.run("check").returncode in (0, 1)
    assert place.run("bake", "--keep-going").returncode in (0, 1)
    assert place.run("status").returncode == 1
    assert sorted(str(path) for path in place.root.rglob("*")) == before


def test_a_lock_of_another_user_is_said(place: Place) -> None:
    assert place.run("bake", "--keep-going").returncode in (0, 1)
    lock = place.root / "Library" / "assetdb" / "asset-db.lock"
    lock.chmod(0)
    if os.geteuid() == 0:
        os.chown(lock, 0, 0)
    (place.root / "Assets" / "Other.txt").write_text("new")
    done = place.run("bake", "--keep-going")
    assert done.returncode == 2
    assert "asset-db.lock" in done.stderr
    lock.chmod(0o600)


def test_facts_that_another_user_closed_are_said_and_shared_ones_used(
    place: Place, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root writes as two users")
    facts = place.root.parent / "facts"
    monkeypatch.setenv("ASSETDB_FACTS", str(facts))
    for mode, said in ((0o1777, True), (0o777, False)):
        shutil.rmtree(facts, ignore_errors=True)
        facts.mkdir()
        facts.chmod(0o755 if said else mode)  # as a folder that was opened for others after its first use
        other = tmp_path_factory.mktemp("other") / "Project"
        shutil.copytree(place.root, other, ignore=shutil.ignore_patterns("Library"))
        bake(other, keep_going=True)
        facts.chmod(mode)
        for pack in facts.glob("*/*") if said else ():
            pack.chmod(0o600)
        shutil.rmtree(place.root / "Library", ignore_errors=True)
        done = place.run("bake", "--keep-going", ASSETDB_FACTS=str(facts))
        assert done.returncode in (0, 1)
        assert ("facts-not-shared: may not be read: another user wrote it" in done.stderr) is said
        assert ("facts-not-shared: may not be written: another user made it" in done.stderr) is said


def test_what_may_not_be_changed_is_not_moved(place: Place) -> None:
    source = next(path for path in (place.root / "Assets").rglob("*.prefab") if path.is_file())
    place.run("bake", "--keep-going")
    source.parent.chmod(0o555)
    contents = {
        path: path.read_bytes() for path in place.root.rglob("*") if path.is_file() and "Library" not in str(path)
    }
    done = place.run("mv", str(source), str(place.root / "Assets" / "Moved.prefab"))
    assert done.returncode == 2
    assert {path: path.read_bytes() for path in contents} == contents
    source.parent.chmod(0o755)
