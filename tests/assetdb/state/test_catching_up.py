"""After an edit of little a bake leaves what a bake of everything leaves, and builds nothing of all."""

from __future__ import annotations

import functools
import os
import random
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.scan.known.cache import DamagedCacheError, Facts
from assetdb.settings.effective import read_settings
from assetdb.state.project_state import ProjectState
from assetdb.store.output import Output
from assetdb.workspace.workspace import Options, Workspace
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("asset-db.bin", "asset-db.index")
COUNT = 40
PREFABS = 20
HEAD_OF_SEEN = 80  # it has the identities of database and index


class Project:
    """Prefabs that refer to each other, to folders, to textures and to what is not there."""

    def __init__(self, root: Path, settings: str = "") -> None:
        self.root = root / "project"
        self.out = root / "out"
        self.fresh = root / "fresh"
        self.clock = time.time_ns() - 10**12
        (self.root / "ProjectSettings").mkdir(parents=True)
        (self.root / "assetdb.toml").write_text(settings)
        for number in range(1, COUNT):
            path = f"Assets/{number % 4}/{number}." + ("prefab" if number <= PREFABS else "png")
            write(self.root, path, number, self.text([number + 1, number + 2]) if number <= PREFABS else b"")
        for folder in range(4):
            meta = self.root / f"Assets/{folder}.meta"
            meta.write_text(f"fileFormatVersion: 2\nguid: {guid(COUNT + folder)}\nfolderAsset: yes\n", newline="\n")
        self.grow_old()
        self.bake()

    def text(self, targets: list[int], name: str = "Thing", *, loose: list[int] | None = None) -> str:
        refers = "".join(f"  - {{fileID: 100, guid: {guid(target)}, type: 3}}\n" for target in targets)
        candidates = "".join(f"  key{target}: {guid(target)}\n" for target in loose or [])
        return f"{HEAD}--- !u!1 &100\nGameObject:\n  m_Name: {name}\n  m_Many:\n{refers}{candidates}"

    def write(self, number: int, text: str) -> None:
        path = self.root / f"Assets/{number % 4}/{number}.prefab"
        path.write_text(text, newline="\n")
        self.grow_old()

    def grow_old(self) -> None:
        """Give every file a time of its own that is long ago, so that the next bake trusts what it reads."""
        for path in [*self.root.rglob("*"), self.root]:
            self.clock += 10**6
            os.utime(path, ns=(self.clock, self.clock))

    def bake(self) -> assetdb.BakeResult:
        return assetdb.bake(self.root, self.out, keep_going=True)

    def is_as_anew(self) -> bool:
        assetdb.bake(self.root, self.fresh, keep_going=True)
        same = all((self.out / name).read_bytes() == (self.fresh / name).read_bytes() for name in FILES)
        for path in self.fresh.iterdir():
            path.unlink()
        return same


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def trusted(tmp_path: Path) -> Project:
    """Files that are trusted by times that are long ago, so that an edit is written to the log."""
    return Project(tmp_path, 'check-stat = "minimal"\n')


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Each cache of which the facts of all directories are read from here on."""
    found: list[object] = []
    load = Facts.load

    def noted(facts: Facts) -> None:
        found.append(facts)
        load(facts)

    monkeypatch.setattr(Facts, "load", noted)
    return found


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Each state that is built from here on."""
    found: list[object] = []
    build = ProjectState.__init__

    def noted(state: ProjectState, *arguments: object) -> None:
        found.append(arguments)
        build(state, *arguments)  # type: ignore[arg-type]  # those of the function itself

    monkeypatch.setattr(ProjectState, "__init__", noted)
    return found


def test_random_references(project: Project, built: list[object]) -> None:
    chance = random.Random(1)
    everything = range(1, COUNT + 4 + 10)  # of which the last are nowhere
    for _ in range(25):
        for number in chance.sample(range(1, PREFABS), chance.randrange(1, 4)):
            some = chance.sample(everything, chance.randrange(6))
            project.write(number, project.text(some, loose=chance.sample(everything, chance.randrange(4))))
        before = len(built)
        project.bake()
        assert len(built) == before
        assert project.is_as_anew()
        assert project.bake().unchanged


def test_references_alone_need_no_other_facts(trusted: Project, built: list[object], loaded: list[object]) -> None:
    project = trusted
    built.clear()
    loaded.clear()
    project.write(3, project.text([30, COUNT + 9], loose=[COUNT + 1, 9]))
    assert project.bake().files_read
    assert (built, loaded) == ([], [])
    assert project.is_as_anew()
    loaded.clear()
    assert project.bake().unchanged
    project.write(3, project.text([30, COUNT + 9], loose=[COUNT + 1, 9, COUNT + 8]))  # the last is nowhere
    before = (project.out / "asset-db.index").stat()
    assert not project.bake().unchanged
    assert (project.out / "asset-db.index").stat() == before
    assert loaded == []
    assert project.is_as_anew()
    assert project.bake().unchanged


@pytest.mark.parametrize("seed", range(3))
def test_edits_of_any_kind(trusted: Project, loaded: list[object], seed: int) -> None:
    project = trusted
    chance = random.Random(seed)
    everything = range(1, COUNT + 4 + 10)
    alone = 0
    for step in range(25):
        others = False
        for number in chance.sample(range(1, PREFABS), chance.randrange(1, 4)):
            some = chance.sample(everything, chance.randrange(6))
            path = project.root / f"Assets/{number % 4}/{number}.prefab"
            match chance.randrange(20):
                case 0 if step > 12:
                    path.unlink(missing_ok=True)
                    others = True
                case 1 if step > 12:  # after a removal or a renaming it shares a GUID
                    write(project.root, f"Assets/{chance.randrange(4)}/{number}.prefab", number, project.text(some))
                    others = True
                case 2 if path.exists():
                    path.rename(path.with_name(f"{number}a.prefab"))
                    path.with_name(f"{path.name}.meta").rename(path.with_name(f"{number}a.prefab.meta"))
                    others = True
                case _ if path.exists():
                    project.write(number, project.text(some, loose=chance.sample(everything, chance.randrange(4))))
        project.grow_old()
        loaded.clear()
        result = project.bake()
        alone += not (loaded or others or result.unchanged)
        anew = assetdb.bake(project.root, project.fresh, keep_going=True)
        assert result.diagnostics == anew.diagnostics, step
        assert result.asset_count == anew.asset_count
        for name in FILES:
            assert (project.out / name).read_bytes() == (project.fresh / name).read_bytes(), (step, name)
        seen = [(folder / "asset-db.seen").read_bytes()[HEAD_OF_SEEN:-16] for folder in (project.out, project.fresh)]
        assert seen[0] == seen[1], step
        assert project.bake().unchanged
        for path in project.fresh.iterdir():
            path.unlink()
    assert alone > 5


@pytest.mark.parametrize("end", ["asset-db.index", "asset-db.edits", "asset-db.seen"])
def test_an_end_before_any_of_the_files(trusted: Project, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    project = trusted
    project.write(3, project.text([30]))
    project.bake()
    project.write(4, project.text([30]))
    with monkeypatch.context() as patch:
        name = {"asset-db.index": "write_index", "asset-db.edits": "append", "asset-db.seen": "finish_seen"}[end]
        patch.setattr(Output, name, killed)
        with pytest.raises(KeyboardInterrupt):
            project.bake()
    project.write(5, project.text([30]))
    project.bake()
    assert project.is_as_anew()
    assert project.bake().unchanged


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_damaged_cache_is_no_end_of_an_edit(trusted: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project = trusted
    project.write(3, project.text([30]))
    project.bake()
    monkeypatch.setattr("assetdb.scan.known.cache_log.MOST_RECORDS", 1)  # so that the cache is written whole
    project.write(3, project.text([31]))

    met = []

    def damaged(_: object) -> None:
        met.append(1)
        raise DamagedCacheError

    with monkeypatch.context() as patch:
        patch.setattr(Facts, "load", damaged)
        project.bake()
    assert met
    project.bake()
    assert project.is_as_anew()
    assert project.bake().unchanged


def test_another_database_is_no_end_of_an_edit(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(3, project.text([30]))
    write_index = Output.write_index

    def replaced(output: Output, *arguments: object) -> tuple[int, int, int, int]:
        (project.out / "asset-db.bin").write_bytes(b"of another program")
        return write_index(output, *arguments)  # type: ignore[arg-type]  # those of the function itself

    with monkeypatch.context() as patch:
        patch.setattr(Output, "write_index", replaced)
        project.bake()
    project.bake()
    assert project.is_as_anew()


def test_many_files_at_once(project: Project, built: list[object]) -> None:
    for number in range(1, PREFABS):
        project.write(number, project.text([number, COUNT + 1, COUNT + 9]))
    project.bake()
    assert built == []
    assert project.is_as_anew()


def test_check_says_nothing_of_references(project: Project, built: list[object]) -> None:
    project.write(3, project.text([30]))
    before = {name: (project.out / name).read_bytes() for name in FILES}
    assert not assetdb.bake(project.root, project.out, check=True).written
    assert built == []
    assert before == {name: (project.out / name).read_bytes() for name in FILES}


@pytest.mark.parametrize("change", ["a name", "an asset more", "an asset less", "strict names", "a duplicate"])
def test_more_than_references(project: Project, built: list[object], change: str) -> None:
    if change == "a duplicate":
        write(project.root, "Assets/1/duplicate.prefab", 3, project.text([7]))
        project.bake()
        built.clear()
    project.write(3, project.text([30], name="Other" if change == "a name" else "Thing"))
    if change == "a name":
        (project.root / "Assets/3/3.prefab").rename(project.root / "Assets/3/other.prefab")
        (project.root / "Assets/3/3.prefab.meta").rename(project.root / "Assets/3/other.prefab.meta")
    elif change == "an asset more":
        write(project.root, "Assets/1/new.prefab", 90, project.text([3]))
    elif change == "an asset less":
        (project.root / "Assets/3/7.prefab").unlink()
    assetdb.bake(project.root, project.out, keep_going=True, strict_names=change == "strict names")
    assert len(built) == (change == "strict names")  # other settings than those of the files
    assert project.is_as_anew()


@pytest.mark.parametrize("most", [-1.0, 1.0])
def test_whichever_way_it_goes(
    project: Project, built: list[object], monkeypatch: pytest.MonkeyPatch, most: float
) -> None:
    monkeypatch.setattr("assetdb.baking.Options", functools.partial(Options, most_changed=most))
    project.write(3, project.text([30]))
    (project.root / "Assets/3/7.prefab").unlink()
    project.bake()
    assert len(built) == (most < 0)
    assert project.is_as_anew()


@pytest.mark.parametrize("name", [*FILES, "asset-db.seen"])
def test_what_rotted_is_not_carried_on(tmp_path: Path, built: list[object], name: str) -> None:
    """A bit that is another, in a file whose size and time are what they were."""
    project = Project(tmp_path, 'check-stat = "minimal"\n')
    built.clear()
    project.write(3, project.text([30]))
    path = project.out / name
    status = path.stat()
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    project.bake()
    assert len(built) == 1
    assert project.is_as_anew()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("at", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("prepared", [False, True])
def test_who_stays_follows_edits_of_what_rotted(tmp_path: Path, name: str, at: float, *, prepared: bool) -> None:
    project = Project(tmp_path, 'check-stat = "minimal"\n')
    project.bake()
    path = project.out / name
    status = path.stat()
    data = bytearray(path.read_bytes())
    place = int(len(data) * at)
    data[place : place + 16] = b"\xff" * 16
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    workspace = Workspace(
        str(project.root), lambda: read_settings(str(project.root), str(project.out)), Options(keep=True)
    )
    workspace.refresh()
    if prepared:
        workspace.prepare()
    project.write(3, project.text([30], name="Other"))
    (project.root / "Assets/3/7.prefab").unlink()
    project.grow_old()
    update = workspace.refresh([b"Assets/3"])
    assert [(change.kind, change.path) for change in update.changes] == [("removed", "Assets/3/7.prefab")]
    workspace.save()
    workspace.close()
    assert project.is_as_anew()
