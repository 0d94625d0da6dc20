"""A file whose content cannot be read is one file: all others are there, and it keeps what was known of it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.session import Session
from assetdb.query.graph.unused import lacking
from assetdb.system import failures
from tests.needs import may_have_links, needs_links, path_of
from tests.system.bake.test_old_times import make_project, material, write
from tests.system.bake.test_transient_errors import Faults

if TYPE_CHECKING:
    from pathlib import Path

needs_made_up_files = pytest.mark.skipif(
    not may_have_links() or not os.path.exists("/proc/self/mem"), reason="no links to files that a kernel makes up"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(failures, "PATIENCE", 0.2)
    monkeypatch.setattr(failures, "_failing", {})
    return make_project(tmp_path / "Project")


def baked(project: Path, out: Path) -> tuple[set[str], dict[str, tuple[str, str]]]:
    result = assetdb.bake(project, out, keep_going=True, workers=1)
    with assetdb.open_database(out / "asset-db.bin") as database:
        paths = {asset.path for asset in database}
    said = [found for found in result.diagnostics if found.code != "missing-meta"]
    return paths, {found.path: (found.code, found.message) for found in said}


@pytest.mark.parametrize("number", sorted(failures.CONTENT))
@pytest.mark.parametrize(("call", "name"), [("read", "One.mat"), ("open", "One.mat"), ("read", "One.mat.meta")])
def test_it_keeps_its_entry_and_is_said(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, name: str, number: int
) -> None:
    out = tmp_path / "out"
    before, said = baked(project, out)
    assert (len(before), said) == (6, {})
    (project / "Assets" / name).touch()
    with monkeypatch.context() as patch:
        faults = Faults(patch, call, number, os.fsencode(name), at_end=True)
        faults.armed = True
        expected = (before, {f"Assets/{name}": ("unreadable", f"cannot be read: {os.strerror(number)}")})
        assert baked(project, out) == expected
        first = faults.met
        assert baked(project, out) == expected
        assert first > 1 >= faults.met - first  # tried for a while, and once where it was so before
    assert baked(project, out) == (before, {})


@pytest.mark.usefixtures("without_native")
def test_one_that_was_never_read_has_no_entry(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Faults(monkeypatch, "read", errno.EIO, b"One.mat").armed = True
    paths, said = baked(project, tmp_path / "out")
    assert len(paths) == 5
    assert [code for code, _ in said.values()] == ["unreadable"]


def test_one_with_another_guid_by_now_has_the_entry_of_its_meta(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    baked(project, out)
    write(project / "Assets" / "One.mat", 77, material("One"))
    Faults(monkeypatch, "read", errno.EIO, b"One.mat").armed = True  # of the asset and its meta: nothing is known
    assert "Assets/One.mat" in baked(project, out)[0]
    monkeypatch.undo()
    monkeypatch.setattr(failures, "PATIENCE", 0.2)
    Faults(monkeypatch, "open", errno.EIO, b"One.mat", at_end=True).armed = True
    assert "Assets/One.mat" in baked(project, out)[0]  # it is there, and whoever refers to it is not broken
    with assetdb.open_database(out / "asset-db.bin") as database:
        found = database.by_guid(f"{77:032x}")
    assert found is not None
    assert (found.path, found.sub_assets) == ("Assets/One.mat", ())


def test_an_error_that_passes_is_none(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, failed = os.read, []

    def read(descriptor: int, size: int) -> bytes:
        if not failed and path_of(descriptor).endswith("One.mat"):
            failed.append(descriptor)
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(descriptor, size)

    baked(project, tmp_path / "out")
    (project / "Assets" / "One.mat").touch()
    monkeypatch.setattr(os, "read", read)
    paths, said = baked(project, tmp_path / "out")
    assert failed
    assert (len(paths), said) == (6, {})


@pytest.mark.usefixtures("without_native")
def test_many_are_not_waited_for_one_by_one(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        write(project / "Assets" / "Bad" / f"Bad{number}.mat", 100 + number, material("Bad"))
    Faults(monkeypatch, "read", errno.EIO, b"/Bad").armed = True
    began = time.monotonic()
    paths, said = baked(project, tmp_path / "out")
    assert time.monotonic() - began < 40 * 0.2
    assert (len(paths), len(said)) == (6, 40)


def test_the_meta_of_a_folder_keeps_its_guid(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meta = project / "Assets" / "A.meta"
    meta.write_text(f"fileFormatVersion: 2\nguid: {50:032x}\nfolderAsset: yes\n")
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    meta.touch()
    Faults(monkeypatch, "read", errno.EIO, b"A.meta").armed = True
    live.update([b"Assets/A.meta"])
    assert live.opened.database.folder(f"{50:032x}") == "Assets/A"
    live.close()


def test_a_live_project_looks_again(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    (project / "Assets" / "One.mat").touch()
    with monkeypatch.context() as patch:
        Faults(patch, "read", errno.EIO, b"One.mat").armed = True
        update = live.update([b"Assets/One.mat"])
        assert [found.code for found in update.diagnostics_added] == ["unreadable"]
        assert len(live.opened.database) == 6
        assert live.through_links() == {b"Assets"}  # no event tells that a disk works again
    update = live.update(live.through_links())
    assert [found.code for found in update.diagnostics_removed] == ["unreadable"]
    assert live.through_links() == set()
    live.close()


# --- links to what the kernel makes up

LINKED = ("/proc/self/mem", "/proc/version", "/sys/kernel/notes", "/dev/zero", "/dev/tty")


@needs_made_up_files
@pytest.mark.parametrize("target", LINKED)
@pytest.mark.parametrize("name", ["Linked.mat", "Linked.png", "Linked.unknown", "Linked.mat.meta"])
def test_a_link_into_the_system_is_no_file(project: Path, tmp_path: Path, target: str, name: str) -> None:
    write(project / "Assets" / name.removesuffix(".meta"), 60, material("Linked"))
    (project / "Assets" / name).unlink()
    (project / "Assets" / name).symlink_to(target)
    began = time.monotonic()
    for _ in range(2):
        paths, said = baked(project, tmp_path / "out")
        assert len(paths) == 6
        assert {path: code for path, (code, _) in said.items()} == {f"Assets/{name}": "not-a-file"}
    assert time.monotonic() - began < 2  # nobody waits for what is no file


@needs_made_up_files
def test_a_link_to_such_a_link_or_folder_is_none_either(project: Path, tmp_path: Path) -> None:
    for name, target in (("Near.mat", "Far"), ("Far", "/proc/self/exe"), ("Through.mat", "Folder/version")):
        write(project / "Assets" / name, 60 + len(name))
        (project / "Assets" / name).unlink()
        (project / "Assets" / name).symlink_to(target)
    (project / "Assets" / "Folder").symlink_to("/proc")
    paths, said = baked(project, tmp_path / "out")
    assert len(paths) == 6
    assert {path: code for path, (code, _) in said.items()} == {
        "Assets/Near.mat": "not-a-file",
        "Assets/Far": "not-a-file",
        "Assets/Through.mat": "not-a-file",
        "Assets/Folder": "linked-directory",
    }


@needs_links
def test_a_link_to_a_file_stays_one(project: Path, tmp_path: Path) -> None:
    (project / "Assets" / "A" / "Thing.mat").rename(tmp_path / "Elsewhere.mat")
    (project / "Assets" / "A" / "Thing.mat").symlink_to(tmp_path / "Elsewhere.mat")
    (project / "Assets" / "B" / "Deep" / "Low.png").unlink()
    (project / "Assets" / "B" / "Deep" / "Low.png").symlink_to("../../A/Deep/Low.png")
    assert [len(found) for found in baked(project, tmp_path / "out")] == [6, 0]


@needs_made_up_files
def test_settings_that_lead_there_cannot_be_read(project: Path) -> None:
    (project / "ProjectSettings" / "Foo.asset").symlink_to("/proc/self/mem")
    (project / "ProjectSettings" / "Bar.asset").symlink_to("/dev/zero")
    with assetdb.open_database(assetdb.bake(project).database) as database:
        unread = lacking(str(project), database)
    assert [item.path for item in unread] == ["ProjectSettings/Bar.asset", "ProjectSettings/Foo.asset"]


@needs_made_up_files
@pytest.mark.parametrize(
    "command",
    ["bake", "check", "name 00000000000000000000000000000001", "usages Assets/One.mat", "find One", "deps One"],
)
def test_no_command_fails_for_such_a_link(project: Path, command: str) -> None:
    (project / "Assets" / "Mem.asset").symlink_to("/proc/self/mem")
    (project / "Assets" / "Mem.asset.meta").write_text(f"guid: {99:032x}\n")
    words = [sys.executable, "-m", "assetdb", *command.split(), "--project", str(project)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    assert "just now" not in done.stderr
