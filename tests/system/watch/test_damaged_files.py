"""A daemon that starts on files that rotted: it makes them anew, as a bake does, and never ends for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.assetdb.unity_project import guid
from tests.long_cases import long_after
from tests.system.watch.daemons import Project, project, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["project"]

FILES = ("asset-db.bin", "asset-db.index")


def flipped(at: float) -> Callable[[bytearray], None]:
    def flip(data: bytearray) -> None:
        data[int(at * (len(data) - 1))] ^= 0x40

    return flip


def zeros(data: bytearray) -> None:
    data[:] = bytes(len(data))


def zeros_in_front(data: bytearray) -> None:
    data[: len(data) // 2] = bytes(len(data) // 2)


def another_version(data: bytearray) -> None:
    data[8] += 1


def cut(data: bytearray) -> None:
    del data[len(data) // 2 :]


DAMAGES = {
    "first bit": flipped(0.0),
    "a bit of the sizes": lambda data: data.__setitem__(40, data[40] ^ 0x40),
    "a bit in the middle": flipped(0.5),
    "last bit": flipped(1.0),
    "zeros": zeros,
    "zeros in front": zeros_in_front,
    "another version": another_version,
    "cut": cut,
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", long_after(1, DAMAGES))
def test_files_that_rotted_are_made_anew(project: Project, name: str, damage: str) -> None:
    (project.root / "assetdb.toml").write_text('check-stat = "minimal"\n')  # times and size are all that is compared
    for _ in range(2):
        assert project.run("bake", "--keep-going").returncode == 0
    sound = [(project.folder / file).read_bytes() for file in FILES]
    path = project.folder / name
    status, data = path.stat(), bytearray(path.read_bytes())
    DAMAGES[damage](data)
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    project.start()
    new = project.root / "Assets" / "New.txt"  # what opens all the same is found out at the first edit
    new.write_text("x")
    new.with_name("New.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(777)}\nTextScriptImporter:\n")
    assert b"Assets/New.txt" in project.run("name", guid(777)).stdout
    new.unlink()
    new.with_name("New.txt.meta").unlink()
    assert project.run("bake").returncode == 0
    assert b"Assets/Prefabs/Player.prefab" in project.run("name", "Player").stdout
    wait_for(lambda: [(project.folder / file).read_bytes() for file in FILES] == sound)
    assert project.run("stop").returncode == 0
