"""Facts are kept, and those of a page after any change are the facts that a copy of the project has."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.review import report
from tests.assetdb.checks.healthy import guid_of, item, make_healthy, material, put
from tests.assetdb.history.git_project import commit, git
from tests.needs import needs_links
from tests.report_page import read_page

if TYPE_CHECKING:
    from collections.abc import Callable

SETTLED = 0.05
CACHED = "Library/PackageCache/com.unity.addressables@1.21.19"
COIN = "Assets/Resources/Icons/coin.png"
SCENES = (
    "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n"
    f"  - enabled: 1\n    path: Assets/Scenes/Level0.unity\n    guid: {guid_of('Assets/Scenes/Level0.unity')}\n"
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with each page whose facts are made."""
    found: list[int] = []
    new = report.project_facts

    def counted(*args: object, **options: object) -> object:
        found.append(1)
        return new(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(report, "project_facts", counted)
    return found


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = make_healthy(tmp_path / "Game", 1)
    cached(found, "com.unity.addressables", "1.21.19")
    cached(found, "com.acme.box", "1.0.0", "Box")
    git(found, "init", "-q")
    (found / ".gitignore").write_text("Library\n*.html\n")
    commit(found, "First")
    git(found, "config", "index.version", "2")
    monkeypatch.chdir(found)
    time.sleep(SETTLED)
    return found


def cached(root: Path, name: str, version: str, folder: str = "") -> None:
    """Write a package with one asset."""
    place = root / (folder or f"Library/PackageCache/{name}@{version}")
    place.mkdir(parents=True)
    (place / "package.json").write_text(json.dumps({"name": name, "version": version}))
    (place / "Box.mat").write_text(material("Box"))
    (place / "Box.mat.meta").write_text(f"fileFormatVersion: 2\nguid: {guid_of(f'{name} Box')}\n")


def page(root: Path, *options: str) -> str:
    assert main(["report", "-q", "-o", str(root / "page.html"), "--project", str(root), *options]) == 0
    return json.dumps(read_page(root / "page.html").facts, sort_keys=True)


def fresh(root: Path, tmp_path: Path) -> str:
    """Return the facts of a copy, of which nothing is known."""
    copy = tmp_path / "copy" / root.name
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns("assetdb"))
    return page(copy)


def test_a_page_is_written_again_from_kept_facts(root: Path, made: list[int]) -> None:
    first = page(root)
    assert [page(root), page(root, "--show", COIN)] == [first, first]
    assert f'data-start="{guid_of(COIN)}"' in (root / "page.html").read_text()
    assert len(made) == 1


def replaced(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))


def moved(root: Path) -> None:
    for end in ("", ".meta"):
        (root / f"Assets/Art/Paint0.mat{end}").rename(root / f"Assets/Data/Paint0.mat{end}")


def require(root: Path, name: str, version: str, source: str) -> None:
    locked = {"version": version, "source": source, "dependencies": {}}
    for file, row in (("manifest.json", version), ("packages-lock.json", locked)):
        path = root / "Packages" / file
        found = json.loads(path.read_text())
        found["dependencies"][name] = row
        path.write_text(json.dumps(found))


CHANGES: dict[str, Callable[[Path], object]] = {
    "size": lambda root: (root / COIN).write_bytes(b"\x89PNG of another size"),
    "same contents": lambda root: (root / COIN).write_bytes(b"\x89PNH"),
    "new asset": lambda root: put(root, "Assets/New.txt", "new"),
    "removed asset": lambda root: [(root / f"{COIN}{end}").unlink() for end in ("", ".meta")],
    "guid": lambda root: replaced(root, f"{COIN}.meta", guid_of(COIN), guid_of("another")),
    "reference": lambda root: replaced(root, item(0), guid_of("Assets/Art/tiles.png"), guid_of(COIN)),
    "bundle": lambda root: replaced(
        root, "Assets/Art/tiles.png.meta", "Importer:\n", "Importer:\n  assetBundleName: icons\n"
    ),
    "scenes": lambda root: (root / "ProjectSettings/EditorBuildSettings.asset").write_text(SCENES),
    "editor": lambda root: (root / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 6000.0.1f1\n"),
    "settings file": lambda root: (root / "ProjectSettings/Tool.json").write_text(""),
    "settings": lambda root: (root / "assetdb.toml").write_text('[check]\nignore = ["missing-meta"]\n'),
    "required package": lambda root: require(root, "com.acme.tools", "1.0.0", "registry"),
    "embedded package": lambda root: cached(root, "com.acme.box", "1.0.0", "Packages/com.acme.box"),
    "local package": lambda root: require(root, "com.acme.box", "file:../Box", "local"),
    "absent package": lambda root: shutil.rmtree(root / CACHED),
    "package's manifest": lambda root: (root / CACHED / "package.json").unlink(),
    "commit": lambda root: ((root / COIN).write_bytes(b"\x89PNH"), commit(root, "Second")),
    "other commit": lambda root: git(root, "commit", "-q", "--amend", "-m", "Other"),
    "abbreviation": lambda root: git(root, "config", "core.abbrev", "12"),
    "move": moved,
    "no repository": lambda root: (root / ".git").rename(root.with_name("gone.git")),  # what git wrote is read-only
}


@pytest.mark.parametrize("name", CHANGES)
def test_after_a_change_the_facts_are_those_of_a_copy(root: Path, tmp_path: Path, made: list[int], name: str) -> None:
    before = page(root)
    assert (page(root), len(made)) == (before, 1)
    CHANGES[name](root)
    time.sleep(SETTLED)
    after = page(root)
    if name not in ("settings", "settings file", "package's manifest"):
        assert after != before
    assert len(made) == 2
    assert after == fresh(root, tmp_path)


@needs_links
def test_the_file_behind_a_link_is_an_input(root: Path, tmp_path: Path, made: list[int]) -> None:
    (root / "Art").mkdir()
    (root / "Art/behind.bin").write_bytes(b"behind")
    put(root, "Assets/same.bin", b"behind")
    put(root, "Assets/link.bin", b"")
    (root / "Assets/link.bin").unlink()
    (root / "Assets/link.bin").symlink_to("../Art/behind.bin")
    time.sleep(SETTLED)
    before = page(root)
    assert (page(root), len(made)) == (before, 1)
    (root / "Art/behind.bin").write_bytes(b"beyond")
    time.sleep(SETTLED)
    after = page(root)
    assert after != before
    assert after == fresh(root, tmp_path)


def test_facts_with_a_local_package_are_made_anew(root: Path, made: list[int]) -> None:
    require(root, "com.acme.box", "file:../Box", "local")
    time.sleep(SETTLED)
    assert page(root) == page(root)
    assert len(made) == 2


@pytest.mark.parametrize("option", [["--since", "HEAD"], ["--imported", "Android"], ["--no-refresh"]])
def test_facts_of_one_run_are_not_kept(root: Path, made: list[int], option: list[str]) -> None:
    page(root)
    page(root, *option)
    page(root, *option)
    assert len(made) == 3


def test_facts_with_objects_are_others(root: Path) -> None:
    assert page(root) != page(root, "--objects")
    assert page(root, "--objects") == page(root, "--objects")


READ = """
import sys
found = set()
sys.addaudithook(lambda event, args: found.add(str(args[0])) if event in ("open", "os.listdir", "os.scandir") else None)
from assetdb.cli import main
assert main(["report", "-q", "-o", "-"]) == 0
sys.stderr.write("\\n".join(found))
"""


def test_all_that_is_read_is_an_input(root: Path) -> None:
    """No place is read that neither a scan, nor the inputs, nor the state have."""
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(SCENES)
    shutil.rmtree(root / "Box")
    commit(root)
    done = subprocess.run([sys.executable, "-c", READ], cwd=root, capture_output=True, check=True)
    inside = {
        path.relative_to(root).as_posix()
        for line in done.stderr.decode().split("\n")
        if (path := Path(root, line)).is_relative_to(root) and path.exists()
    }
    assert {"ProjectSettings", "ProjectSettings/EditorBuildSettings.asset", "Packages/manifest.json"} < inside
    known = ("Assets", "Library/assetdb", "Library/PackageCache", ".git")
    others = {path for path in inside if not any(f"{path}/".startswith(f"{place}/") for place in known)}
    direct = {path for path in others if path.rpartition("/")[0] in ("ProjectSettings", "Packages")}
    assert others - direct <= {".", "Library", "ProjectSettings", "Packages", "assetdb.toml", ".gitignore"}
