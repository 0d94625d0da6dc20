"""What ``docs/watch.md`` shows of the protocol is what a live daemon says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unityfs.identity import NATIVE, archive_name, object_path_id
from scripts.fixture import copy_fixture
from tests.architecture.imports import CHECKOUT
from tests.assetdb.builds.making import Material, bundle
from tests.needs import needs_unix_sockets
from tests.system.watch.daemons import Project, short_folder, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = "/home/ann/Game"  # where the project of the guide is
VARYING = {"pid", "started", "version", "watch"}
WORKING = {"jsonrpc": "2.0", "method": "working", "params": {}}
MAIN = "import sys; from assetdb.cli import main; sys.exit(main(sys.argv[1:]))"
ANYTHING = "\u2026"


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Project]:
    root = tmp_path / "Game"
    copy_fixture(root)
    write_build(root / "Builds" / "Linux")
    found = Project(root, short_folder())
    yield found
    found.end()


def write_build(folder: Path) -> None:
    """Write the build that the guide asks about: a bundle with a material of the project."""
    folder.mkdir(parents=True)
    red = object_path_id("c6f94db53433f931df0f976fe2f1be9a", NATIVE, 2100000)
    own = Material(red, "Red", ((0, 0),), "assets/art/red.mat")
    (folder / "art.bundle").write_bytes(bundle(archive_name("art"), "art", [own]))


def transcripts() -> list[str]:
    """Return the lines of all transcripts; ``shutdown`` comes last, wherever the guide has it."""
    text = (CHECKOUT / "docs" / "watch.md").read_text("utf-8")
    blocks = [block.splitlines() for block in re.findall(r"```text\n(.*?)\n```", text, re.DOTALL)]
    assert len(blocks) >= 14
    blocks.sort(key=lambda block: '"shutdown"' in block[0])
    return [line for block in blocks for line in block]


def same(shown: object, said: object) -> bool:
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict) and isinstance(said, dict):
        return shown.keys() == said.keys() and all(key in VARYING or same(shown[key], said[key]) for key in shown)
    if isinstance(shown, list) and isinstance(said, list):
        return len(shown) == len(said) and all(map(same, shown, said))
    return shown == said


@needs_unix_sockets  # the guide shows a daemon that has one, which wants no token
@pytest.mark.parametrize("quiet", [None, 0.0], ids=["after-a-pause", "at-once"])
def test_every_transcript_is_what_a_daemon_says(game: Project, quiet: float | None) -> None:
    """Also one that waits for nothing more to follow, so that each event is an update where that can be."""
    if quiet is None:
        game.start()
    else:
        code = f"from assetdb.daemon.reconciling import schedule; schedule.QUIET = schedule.LONGEST = {quiet}; {MAIN}"
        daemon = game.begin("watch", "--idle-timeout", "900", program=[sys.executable, "-c", code])
        wait_for(lambda: game.status_path.exists() and game.pid == daemon.pid)
    asked = 0
    with game.connect() as peer, peer.makefile("rb") as answers:
        for line in transcripts():
            if line.startswith("$ "):
                subprocess.run(line[2:], shell=True, cwd=game.root, check=True)  # noqa: S602 - of our own guide
            elif line.startswith("→ "):
                peer.sendall(line[2:].replace(HOME, str(game.root)).encode() + b"\n")
                asked += 1
            else:
                shown = json.loads(line.removeprefix("← "))
                said = WORKING
                while said == WORKING:  # what takes long says so in between
                    said = json.loads(answers.readline().decode().replace(str(game.root), HOME))
                assert same(shown, said), f"watch.md:\n{json.dumps(shown)}\nthe daemon:\n{json.dumps(said)}"
    assert asked >= 16
