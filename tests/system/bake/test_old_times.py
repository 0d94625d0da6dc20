"""A change that leaves an old time is a change: ``rsync -a``, ``cp -p``, archives, folders that change places."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import time
from array import array
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.session import Session
from assetdb.errors import ConfigurationError
from assetdb.settings.effective import read_settings
from assetdb.store.dump import difference
from assetdb.system import identity
from assetdb.system.identity import CHECK_STAT, RACY, Identities
from tests.needs import needs_change_times, needs_links

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = ("asset-db.bin", "asset-db.index")
OLD = 1_420_070_400  # the first of January 2015, a whole second as archives have it
TICK = 0.05  # seconds after which a file's time is trusted


def write(path: Path, guid: int, content: str = "") -> None:
    """Write an asset and its meta, whose sizes do not depend on the GUID."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    importer = "TextureImporter" if path.suffix == ".png" else "NativeFormatImporter"
    meta = f"fileFormatVersion: 2\nguid: {guid:032x}\n{importer}:\n"
    path.with_name(path.name + ".meta").write_text(meta, encoding="utf-8")


def material(name: str) -> str:
    return f"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n"


def make_old(folder: Path) -> None:
    """Give everything below a folder, and itself, one time."""
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            os.utime(os.path.join(place, name), (OLD, OLD))
        os.utime(place, (OLD, OLD))


def make_project(folder: Path) -> Path:
    (folder / "ProjectSettings").mkdir(parents=True)
    write(folder / "Assets" / "One.mat", 1, material("One"))
    write(folder / "Assets" / "Two.mat", 2, material("Two"))
    write(folder / "Assets" / "A" / "Thing.mat", 3, material("Thing"))
    write(folder / "Assets" / "B" / "Thing.mat", 4, material("Thing"))
    write(folder / "Assets" / "A" / "Deep" / "Low.png", 5)
    write(folder / "Assets" / "B" / "Deep" / "Low.png", 6)
    (folder / "Assets" / "D").mkdir()
    make_old(folder / "Assets")
    return folder


def exchange(one: Path, other: Path) -> None:
    aside = one.parent.parent.parent / "aside"
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def new_asset_in_an_old_folder(assets: Path) -> None:
    write(assets / "D" / "a.txt", 7)


def edit_in_place(assets: Path) -> None:
    write(assets / "One.mat", 8, material("Won"))


def replace_by_a_new_file(assets: Path) -> None:
    write(assets / "new", 9, material("Owe"))
    make_old(assets)
    (assets / "new").replace(assets / "One.mat")
    (assets / "new.meta").replace(assets / "One.mat.meta")


def metas_change_places(assets: Path) -> None:
    exchange(assets / "One.mat.meta", assets / "Two.mat.meta")


def folders_change_places(assets: Path) -> None:
    exchange(assets / "A", assets / "B")


def copy_with_its_time(assets: Path) -> None:
    shutil.copy2(assets / "One.mat.meta", assets / "Two.mat.meta")
    (assets / "One.mat.meta").unlink()
    (assets / "One.mat").unlink()


def unpack_an_archive(assets: Path) -> None:
    aside = assets.parent / "aside"
    write(aside / "One.mat", 10, material("Wan"))
    write(aside / "D" / "New.mat", 11, material("New"))
    make_old(aside)
    with tarfile.open(assets.parent / "a.tar", "w") as archive:
        archive.add(aside, ".")
    with tarfile.open(assets.parent / "a.tar") as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # as of Python 3.11.4
        archive.extractall(assets, **safely)  # noqa: S202 - packed above


def rsync(assets: Path) -> None:
    if shutil.which("rsync") is None:
        pytest.skip("rsync is not on PATH")
    source = assets.parent / "source"
    shutil.copytree(assets, source)
    write(source / "One.mat", 12, material("Ohne"))
    write(source / "D" / "New.mat", 13, material("New"))
    shutil.rmtree(source / "B" / "Deep")
    make_old(source)
    subprocess.run(["rsync", "-a", "--delete", "--checksum", f"{source}/", f"{assets}/"], check=True)


ATTACKS = (
    *(new_asset_in_an_old_folder, edit_in_place, replace_by_a_new_file, metas_change_places, folders_change_places),
    *(copy_with_its_time, unpack_an_archive, rsync),
)
# After these a file or folder has size, time and number as before: its change time alone tells.
IN_PLACE = (new_asset_in_an_old_folder, edit_in_place, copy_with_its_time, unpack_an_archive)


def by_bake(project: Path, out: Path, attack: Callable[[], None]) -> None:
    assetdb.bake(project, out, keep_going=True)
    assert assetdb.bake(project, out, keep_going=True).files_read == 0  # all times are trusted
    attack()
    assetdb.bake(project, out, keep_going=True)


def by_restart(project: Path, out: Path, attack: Callable[[], None]) -> None:
    live = Session(str(project), str(out))
    live.start()
    live.save(cache=True)
    live.close()
    attack()
    again = Session(str(project), str(out))
    again.start()
    again.save()
    again.close()


def by_reconcile(project: Path, out: Path, attack: Callable[[], None]) -> None:
    live = Session(str(project), str(out))
    live.start()
    attack()
    live.reconcile()
    live.save()
    live.close()


@pytest.mark.parametrize("road", [by_bake, by_restart, by_reconcile])
@pytest.mark.parametrize(
    "attack", [pytest.param(attack, marks=needs_change_times if attack in IN_PLACE else ()) for attack in ATTACKS]
)
def test_a_change_with_an_old_time_is_seen(
    tmp_path: Path, attack: Callable[[Path], None], road: Callable[[Path, Path, Callable[[], None]], None]
) -> None:
    project = make_project(tmp_path / "Project")
    time.sleep(TICK)

    def change() -> None:
        attack(project / "Assets")
        make_old(project / "Assets")

    road(project, tmp_path / "warm", change)
    assetdb.bake(project, tmp_path / "cold", keep_going=True)
    for name in FILES:
        one, other = ((tmp_path / folder / name).read_bytes() for folder in ("warm", "cold"))
        assert one == other, (name, difference(one, other) if name == FILES[0] else "")


def test_a_file_written_just_now_is_not_trusted_however_old_it_says_it_is(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    os.utime(file, (OLD, OLD))
    now = time.time_ns()
    status = file.stat()
    assert Identities(now, "minimal").of(status) == identity.identity(status, "minimal") != RACY
    if os.name != "nt":
        assert Identities(now).of(status) == RACY
        assert Identities(now).raw(status) == identity.identity(status) != RACY
    later = now + 3_000_000_000
    assert Identities(later).of(status) == identity.identity(status)
    for names in ([b"file"], [b"file", b"gone"]):
        packed = array("q", Identities(later).packed(os.fsencode(tmp_path) + b"/", names))
        assert packed[0] == identity.identity(status)
        assert RACY not in packed


@needs_links
def test_what_was_too_new_to_be_trusted_and_is_gone_is_not_as_it_was(tmp_path: Path) -> None:
    project = make_project(tmp_path / "Project")
    write(tmp_path / "outside" / "Linked.mat", 20, material("Linked"))
    for name in ("Linked.mat", "Linked.mat.meta"):
        (project / "Assets" / name).symlink_to(tmp_path / "outside" / name)
    assert assetdb.bake(project, tmp_path / "warm").asset_count == 7
    shutil.rmtree(tmp_path / "outside")
    assert assetdb.bake(project, tmp_path / "warm").asset_count == 6


def test_a_time_to_come_is_trusted_only_where_no_clock_can_be_so_wrong(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    now = time.time_ns() + 3_000_000_000
    for ahead, trusted in ((-30, True), (0, False), (3600, False), (7 * 86400, True)):
        at = now + ahead * 1_000_000_000 + 1
        os.utime(file, ns=(at, at))
        assert (Identities(now).of(file.stat()) != RACY) is trusted, ahead
    whole = (now // 1_000_000_000 - 1) * 1_000_000_000  # a file system that keeps seconds only
    os.utime(file, ns=(whole, whole))
    assert Identities(now).of(file.stat()) == RACY
    assert Identities(now + 2_000_000_000).of(file.stat()) != RACY


def test_each_part_of_a_record_counts_and_minimal_leaves_two_out() -> None:
    names = ("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")

    def status(**changed: int) -> os.stat_result:
        found = type("Status", (), {name: changed.get(name, 1000) for name in names})()
        assert isinstance(found, object)
        return found  # type: ignore[return-value]

    for name in names:
        for check_stat in CHECK_STAT:
            seen = identity.identity(status(), check_stat) != identity.identity(status(**{name: 1001}), check_stat)
            windows = os.name == "nt" and name == "st_ctime_ns"
            assert seen is (not windows and (check_stat == "default" or name in ("st_mtime_ns", "st_size"))), name


def test_the_setting_is_read_checked_and_kept_apart(tmp_path: Path) -> None:
    project = make_project(tmp_path / "Project")
    out = tmp_path / "out"
    time.sleep(TICK)
    assert read_settings(project, out).check_stat == "default"
    first = assetdb.bake(project, out)
    (project / "assetdb.toml").write_text('check-stat = "minimal"\n', encoding="utf-8")
    assert read_settings(project, out).check_stat == "minimal"
    assert read_settings(project, out, check_stat="default").check_stat == "default"
    assert assetdb.bake(project, out).files_read == first.files_read  # what the others stored tells it nothing
    edit_in_place(project / "Assets")
    make_old(project / "Assets")
    assert assetdb.bake(project, out).unchanged  # what it gives up
    (project / "assetdb.toml").write_text('check-stat = "size"\n', encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"check-stat: 'size' is not one of default, minimal"):
        read_settings(project, out)


@needs_change_times
def test_another_database_in_the_place_of_ours_is_not_taken_for_it(tmp_path: Path) -> None:
    project = make_project(tmp_path / "Project")
    out = tmp_path / "out"
    time.sleep(TICK)
    assetdb.bake(project, out)
    database = out / "asset-db.bin"
    good, status = database.read_bytes(), database.stat()
    database.write_bytes(bytes([*good[:-1], good[-1] ^ 1]))
    os.utime(database, ns=(status.st_mtime_ns, status.st_mtime_ns))
    assetdb.bake(project, out)
    assert database.read_bytes() == good
