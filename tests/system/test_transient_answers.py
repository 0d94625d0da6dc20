"""What the system cannot tell just now is no answer: whoever asks is told, and nothing is taken for absent."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.coverage import measure
from assetdb.daemon.session import Session
from assetdb.errors import ScanError
from assetdb.packages import database as package_database
from assetdb.packages.external import locate_packages
from assetdb.packages.listing import read_list, stamps_of
from assetdb.packages.search import find_in_packages
from assetdb.query.graph.references import settings_files
from assetdb.query.graph.unused import lacking
from assetdb.query.selecting.selector import guid_of_file
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import package_name
from assetdb.store.files import PACKAGES_FOLDER
from tests.needs import needs_links, needs_pipes
from tests.system.bake.test_old_times import make_project
from tests.system.bake.test_transient_errors import Faults

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GUID = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = make_project(tmp_path / "Project")
    (root / "ProjectSettings" / "TagManager.asset").write_text("%YAML 1.1\n")
    (root / "Packages" / "E").mkdir(parents=True)
    (root / "Packages" / "E" / "package.json").write_text('{"name": "e"}')
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {"d": "file:../../D"}}')
    (tmp_path / "D").mkdir()
    (tmp_path / "D" / "package.json").write_text('{"name": "d"}')
    (tmp_path / "D" / "X.cs").write_text("")
    (tmp_path / "D" / "X.cs.meta").write_text(f"guid: {GUID}\n")
    (root / "Library" / "PackageCache" / "c@1").mkdir(parents=True)
    open_project(str(root)).refresh()
    return root


def _lacking(root: str) -> object:
    opened = open_project(root, refresh=False)
    return lacking(root, opened.database)


QUESTIONS: dict[str, tuple[str, bytes, Callable[[str], object]]] = {
    "the list of settings": ("listdir", b"ProjectSettings", lambda root: list(settings_files(root))),
    "a settings file": ("open", b"TagManager", _lacking),
    "the GUID of a file": ("open", b"One.mat.meta", lambda root: guid_of_file(f"{root}/Assets/One.mat")),
    "the manifest": ("open", b"manifest.json", locate_packages),
    "the folders of Packages": ("listdir", b"Packages", locate_packages),
    "the folders of the cache": ("listdir", b"PackageCache", locate_packages),
    "whether a package is embedded": ("stat", b"E/package.json", locate_packages),
    "whether a package is there": ("stat", b"D", find_in_packages),
    "what tells of the manifest": ("stat", b"manifest.json", lambda root: stamps_of(root, "default")),
    "what tells of the cache": ("listdir", b"PackageCache", lambda root: stamps_of(root, "default")),
    "the list of packages": ("open", b"packages.list", lambda root: read_list(f"{root}/Library/assetdb")),
    "whether it is a package": ("open", b"package.json", lambda root: package_name(f"{root}/../D")),
}


OF_ONE_FILE = ("a settings file", "the GUID of a file")  # of which errors of its content stay with it


@pytest.mark.parametrize(
    ("question", "number"),
    [
        (question, number)
        for question in QUESTIONS
        for number in (errno.EMFILE, errno.EIO, errno.ESTALE)
        if question not in OF_ONE_FILE or number != errno.EIO
    ],
)
def test_a_question_fails(project: Path, monkeypatch: pytest.MonkeyPatch, question: str, number: int) -> None:
    call, part, ask = QUESTIONS[question]
    expected = ask(str(project))
    assert expected or question == "a settings file"  # none is lacking
    with monkeypatch.context() as patch:
        faults = Faults(patch, call, number, part)
        faults.armed = True
        with pytest.raises(ScanError, match="cannot be read just now"):
            ask(str(project))
        assert faults.met
    assert ask(str(project)) == expected


def test_a_reference_is_not_uncounted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_project(str(project))
    Faults(monkeypatch, "open", errno.EMFILE, b"One.mat").armed = True
    with pytest.raises(ScanError, match="One"):
        measure(opened)


def test_packages_are_not_written_down_without_their_problems(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project / "Library" / "assetdb"
    (folder / PACKAGES_FOLDER / "packages.list").unlink()
    with monkeypatch.context() as patch:
        Faults(patch, "open", errno.EMFILE, b"assetdb/asset-db.bin").armed = True
        with pytest.raises((ScanError, OSError)):
            package_database.refresh(str(project), str(folder))
    assert not (folder / PACKAGES_FOLDER / "packages.list").exists()
    assert package_database.refresh(str(project), str(folder)).rows


@needs_links
@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE])
def test_a_link_is_not_taken_for_another(project: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    (project / "Shared").mkdir()
    (project / "Assets" / "Link").symlink_to(project / "Shared")
    faults = Faults(monkeypatch, "lstat", number, b"Shared")
    faults.armed = True
    with pytest.raises(ScanError, match="Link"):
        open_project(str(project)).refresh()
    assert faults.met


@needs_links
def test_one_bad_link_hides_no_package(project: Path) -> None:
    cache = project / "Library" / "PackageCache"
    (cache / "bad@1").symlink_to("bad@1")
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {"c": "1"}}')
    (cache / "c@1" / "package.json").write_text('{"name": "c", "version": "1"}')
    assert [item.package.name for item in locate_packages(str(project))[0] if item.folder] == ["E", "c"]


@needs_pipes
def test_a_pipe_among_the_settings_is_unreadable(project: Path) -> None:
    os.mkfifo(project / "ProjectSettings" / "Pipe.asset")
    assert [(item.path, item.code) for item in _lacking(str(project))] == [  # type: ignore[attr-defined]
        ("ProjectSettings/Pipe.asset", "unreadable")
    ]


def test_a_live_project_keeps_its_packages(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = Session(str(project))
    live.start()
    for call, part in (("listdir", b"PackageCache"), ("stat", b"manifest.json"), ("open", b"manifest.json")):
        (project / "Packages" / "manifest.json").write_text(
            '{"dependencies": {"d": "file:../../D" }}' + " " * len(part)
        )
        with monkeypatch.context() as patch:
            Faults(patch, call, errno.EMFILE, part).armed = True
            assert live.opened.packages.by_guid(GUID) is not None
            assert not live.refresh_packages()
        assert live.opened.packages.by_guid(GUID) is not None
    live.close()
