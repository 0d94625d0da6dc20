"""Every command prints the same bytes and ends with the same code, with a daemon and without."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.assetdb.builds.projects import add_group, add_settings
from tests.assetdb.builds.trace.test_tracer import write_bundles
from tests.assetdb.unity_project import guid
from tests.needs import needs_terminals
from tests.system.watch.daemons import Project, make, result, words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PREFAB = "Assets/Prefabs/Player.prefab"
# The command line, and whether the daemon answers it (else the files do, beside it).
LINES = [
    (f"name {guid(1)}:400", True),
    (f"name --json {guid(1)} {guid(1)}:12345 Player tiles_second", True),
    (f"name {guid(1)}:12345 Player {guid(3)} Plaier {guid(2)}", True),
    ("name '{fileID: 300, guid: " + guid(1) + ", type: 3}'", True),
    (f"name {PREFAB} ./{PREFAB} Prefabs/Player.prefab Assets/Art Assets/Art/", True),
    (f"name --project . {guid(1)}", True),
    (f"name --project=. {guid(1)}", False),
    (f"name --out-dir Library/assetdb {guid(1)}", True),
    (f"name --project nowhere {guid(1)}", False),
    ("name", False),
    ("name --help", False),
    ("name --xyzzy Player", False),
    ("name ''", True),
    ("name \U0001f600 umlaut-\u00e4", True),
    ("name a\udcff", False),
    ("guid Player tiles_second nothing-like-it", True),
    ("guid --json Plaier", True),
    (f"path {guid(1)} {guid(1)}:12345 {guid(99)}", True),
    ("find TILES", True),
    ("find TILES --color always", True),
    ("name Player --color never", True),
    ("find '*' --type health --json", True),
    ("find tiless.png", True),
    ("find --type Nothing a", True),
    ("find", False),
    (f"deps {PREFAB}", True),
    (f"deps --deep --json {PREFAB} Plaier", True),
    (f"deps {guid(99)} {guid(4)}", True),
    (f"usages {guid(1)} {guid(3)}", True),
    (f"usages --objects {guid(1)}", True),
    (f"usages --json --objects --deep {guid(1)}:100 {guid(99)}", True),
    ("annotate Assets/Main.unity", True),
    ("annotate --textconv Assets/Main.unity", True),
    ("annotate Assets/Art/tiles.png", True),
    ("annotate nowhere.unity", False),
    ("annotate --textconv nowhere.unity", False),
    ("trace Player --in Build", True),
    ("trace things.bundle --in Build --json", True),
    ("trace Player Plaier others.bundle#72 --in ./Build/ --in Build/things.bundle", True),
    ("trace --missing --unshipped --implicit --duplicates --mixed --in Build", True),
    ("trace -- - --in", False),
    ("trace - --in Build", True),
    ("trace Player --in nowhere", False),
    ("trace Player", False),
    ("trace --in Build", False),
    ("groups", True),
    ("groups --json", True),
    ("groups First --entries", True),
    ("groups --duplicates Firsd", True),
    ("groups --profile=Nobody", False),
    ("coverage", False),
    ("coverage --json", False),
    ("unused", False),
    ("unused --why", False),
    ("bake", False),
    ("bake --quiet", False),
    ("bake --check", False),
]
STDIN = [
    ("name -", f"{guid(1)}:400\n\nPlaier\r\n{guid(1)}".encode()),
    ("name -", b""),
    ("name -", b"\xff\xfe\n"),
    (f"name {guid(1)} -", f"{guid(2)}\n".encode()),
    ("deps --deep -", f"{guid(1)}\n{guid(2)}\n".encode()),
    ("usages - --objects", f"{guid(1)}\n{guid(3)}\n".encode()),
    ("path --json -", b"Player\nx\n"),
    ("annotate -", f"x: {{fileID: 100, guid: {guid(1)}, type: 3}} \xff\r\n".encode("latin-1")),
    ("annotate -", b"x: 1\n" * 1_000_000),
]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, dict[tuple[object, ...], object]]]:
    """Run everything without a daemon, then start one."""
    found = make(tmp_path_factory.mktemp("both"))
    folder = found.root / "Assets" / "Prefabs"
    write_bundles(found.root / "Build")
    add_settings(found.root, "First")
    add_group(found.root, "First", (guid(1), "player", ("label",)), ("f" * 32, "gone", ()))
    assert found.run("bake", "--quiet").returncode == 0
    alone: dict[tuple[object, ...], object] = {}
    for line, _ in LINES:
        alone[line, b""] = outcome(found, line)
    for line, stdin in STDIN:
        alone[line, stdin] = outcome(found, line, stdin)
    alone["below"] = outcome(found, "name Player.prefab Level.prefab.meta", cwd=folder)  # type: ignore[index]
    found.start()
    yield found, alone
    found.end()


def outcome(project: Project, line: str, stdin: bytes = b"", cwd: Path | None = None) -> tuple[int, bytes, bytes]:
    done = project.run(*shlex.split(line), stdin=stdin, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def asked(project: Project) -> int:
    with project.connect() as peer:
        status = result(peer, "status")
    assert isinstance(status, dict)
    requests = status["requests"]
    assert isinstance(requests, int)
    return requests


@pytest.mark.parametrize(("line", "served"), LINES)
def test_words(both: tuple[Project, dict[tuple[object, ...], object]], line: str, *, served: bool) -> None:
    project, alone = both
    own = -asked(project) + (before := asked(project))  # with a greeting, where the system guards no socket
    assert outcome(project, line) == alone[line, b""]
    if served:
        assert asked(project) == before + 2 * own, "the daemon was asked"


@pytest.mark.parametrize(("line", "stdin"), STDIN, ids=lambda value: value if isinstance(value, str) else "stdin")
def test_stdin(both: tuple[Project, dict[tuple[object, ...], object]], line: str, stdin: bytes) -> None:
    project, alone = both
    assert outcome(project, line, stdin) == alone[line, stdin]


def test_from_a_folder_below(both: tuple[Project, dict[object, object]]) -> None:
    project, alone = both
    folder = project.root / "Assets" / "Prefabs"
    assert outcome(project, "name Player.prefab Level.prefab.meta", cwd=folder) == alone["below"]


def test_lines_are_answered_as_they_come(both: tuple[Project, object]) -> None:
    project, _ = both
    asking = project.begin("name", "-")
    assert asking.stdin is not None
    assert asking.stdout is not None
    for query in (guid(1), "Plaier", guid(2)):
        asking.stdin.write(f"{query}\n".encode())
        asking.stdin.flush()
        assert json.loads(asking.stdout.readline())["query"] == query
    asking.stdin.close()
    assert asking.wait(30) == 1


@needs_terminals
def test_order_of_both_streams_is_kept(both: tuple[Project, object]) -> None:
    """On a terminal, where stdout is written line by line, misses stand where they belong."""
    project, _ = both
    texts = []
    status = project.status_path.read_bytes()
    for unbuffered, hidden in (("", False), ("", True), ("1", False), ("1", True)):
        if hidden:
            project.status_path.unlink()
        ours, theirs = os.openpty()
        done = subprocess.run(
            words("name", guid(1), "Plaier", guid(2), "Plaier"),
            cwd=project.root,
            env=project.environment | {"PYTHONUNBUFFERED": unbuffered},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            check=False,
        )
        os.close(theirs)
        assert done.returncode == 1
        text = b""
        with contextlib.suppress(OSError):  # EIO: all has been read, and nobody has the other end
            while part := os.read(ours, 1 << 16):
                text += part
        drawn = rb"(?:\rreading[^\r]*)+\r\x1b\[K"  # on a loaded machine, where an answer takes half a second
        texts.append(re.sub(drawn, b"", text).splitlines())
        os.close(ours)
        project.status_path.write_bytes(status)
    begun = [line.split()[0] for line in texts[0] if not line.startswith(b" ")]  # a suggestion takes two lines or more
    assert begun == [b"Player.prefab", b"assetdb:", b"Level.prefab", b"assetdb:"]
    assert texts[1:] == [texts[0]] * 3


@needs_terminals
@pytest.mark.parametrize("line", ["find a", "name Player", f"usages {guid(1)}", "find a --color never"])
def test_a_terminal_has_its_width_and_colours(both: tuple[Project, object], line: str) -> None:
    project, _ = both
    texts = []
    status = project.status_path.read_bytes()
    for hidden in (False, True):
        if hidden:
            project.status_path.unlink()
        ours, theirs = os.openpty()
        subprocess.run(
            words(*shlex.split(line)),
            cwd=project.root,
            env={name: value for name, value in project.environment.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
            | {"TERM": "xterm", "COLUMNS": "50"},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):  # EIO: all has been read, and nobody has the other end
            while part := os.read(ours, 1 << 16):
                text += part
        texts.append(text)
        os.close(ours)
        project.status_path.write_bytes(status)
    assert texts[0] == texts[1]
    assert (b"\x1b[36m" in texts[0]) == ("never" not in line)
    if line.startswith("find"):
        assert max(len(re.sub(rb"\x1b\[[0-9;]*m", b"", row)) for row in texts[0].splitlines()) <= 50


@pytest.mark.parametrize("encoding", ["ascii:replace", "latin-1", "utf-16", "ascii", "cp037"])
def test_other_encodings(both: tuple[Project, object], encoding: str) -> None:
    project, _ = both
    found = []
    status = project.status_path.read_bytes()
    for hidden in (False, True):
        if hidden:
            project.status_path.unlink()
        done = project.run("name", "--json", "\u00e4\u20ac", guid(1), more={"PYTHONIOENCODING": encoding})
        found.append((done.returncode, done.stdout, done.stderr if b"Traceback" not in done.stderr else b"..."))
        project.status_path.write_bytes(status)
    assert found[0] == found[1]


def test_a_reader_that_has_enough(both: tuple[Project, object]) -> None:
    project, _ = both
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        words("find", "*"),
        cwd=project.root,
        env=project.environment,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
