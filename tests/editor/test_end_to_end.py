"""An editor with the package in it, played by a program, beside a real daemon."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb_formats.unityfs.identity import IMPORTED, archive_name, object_path_id
from tests.assetdb.builds.making import Texture, bundle
from tests.assetdb.unity_project import guid, write
from tests.editor.player import Player
from tests.long_cases import long_after
from tests.system.watch.daemons import Project, make, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.editor.mono import Build

SCRIPT = Path(sys.executable).parent / "assetdb"
PREFAB = "Assets/Prefabs/Player.prefab"
LOST = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Return a project without a daemon; what it has at the end is ended."""
    found = make(tmp_path)
    yield found
    found.end()


BOTH_WAYS = pytest.mark.parametrize(
    "variable", long_after(1, ["", "ASSETDB_WATCH_LOOPBACK"]), ids=["socket", "loopback"]
)
"""How the daemon listens here, and how on Windows."""


def assert_comes_to_rest_as_a_cold_bake(project: Project) -> None:
    """The daemon, which nobody asks for it, writes the database that a bake makes of the same files."""
    cold = project.root.parent / "cold"
    assert project.run("bake", "--quiet", "--out-dir", str(cold)).returncode == 0
    expected = (cold / "asset-db.bin").read_bytes()
    wait_for(lambda: (project.folder / "asset-db.bin").read_bytes() == expected)


@pytest.mark.long
@BOTH_WAYS
def test_a_thousand_changes_and_a_daemon_that_is_killed(build: Build, project: Project, variable: str) -> None:
    project.environment |= {variable: "1"} if variable else {}
    daemon = project.start()
    with Player(build, project) as editor:
        told = [editor.do("burst", changes=300, at_once=50)["told"]]
        idle = editor.do("idle")
        assert idle["idle"] is True
        first = idle["accepted"]
        assert isinstance(first, int)
        assert 0 < first <= int(str(told[0])), "what comes twice in a burst is told once"

        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
        told.append(editor.do("burst", changes=300, at_once=25)["told"])
        assert editor.do("idle") == {"idle": True, "accepted": first}, "nobody was there, and nothing was said"
        assert editor.do("state", wanted="off")["short"] == "assetdb: off"

        project.start()
        state = editor.do("state", wanted="problems")
        assert "assetdb 0." in str(state["long"])
        told.append(editor.do("burst", changes=400, at_once=100)["told"])
        idle = editor.do("idle")
        assert int(str(idle["accepted"])) > first
        assert sum(int(str(count)) for count in told) >= 1000
    assert len(list((project.root / "Assets" / "Played").rglob("*.asset"))) > 100
    assert_comes_to_rest_as_a_cold_bake(project)


@BOTH_WAYS
def test_questions(build: Build, project: Project, variable: str) -> None:
    project.environment |= {variable: "1"} if variable else {}
    project.start()
    write(
        project.root,
        "Assets/Broken.asset",
        90,
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Broken\n"
        f"  gone: {{fileID: 5, guid: {guid(1)}, type: 3}}\n  lost: {{fileID: 2800000, guid: {LOST}, type: 3}}\n",
        "NativeFormatImporter:\n  userData: \n",
    )
    with assetdb_client(project) as client:
        client.sync()
        usages = client.usages(guid(1), objects=True)
        build_of_it = write_build(project.root / "Builds" / "Linux")
        traced = client.trace([guid(1)], [build_of_it])
    assert isinstance(usages["usages"], list)
    assert isinstance(usages["objects"], list)
    assert usages["objects"]
    with Player(build, project) as editor:
        found = editor.do("ask", item="Assets/Find usages (assetdb)", window="Usages", path=PREFAB, executable="")
        assert found["answered"] is True
        labels = found["labels"]
        assert isinstance(labels, list)
        for usage in usages["usages"]:
            assert usage["path"] in labels
        for item in usages["objects"]:
            assert any(item["property"] in label or item["override"] in label for label in labels)
            assert f"line {item['line']}" in str(found["details"])

        assert PREFAB in editor.do("search", typed="player t:prefab")["paths"]  # type: ignore[operator]
        users = sorted(str(usage["path"]) for usage in usages["usages"])
        # Below the users, a note says that the broken file was not read.
        assert sorted(editor.do("search", typed=f"ref:{PREFAB}")["paths"]) == ["", *users]  # type: ignore[call-overload]
        assert editor.do("search", typed="ref:Assets/Nothing.mat")["labels"] == ["Assets/Nothing.mat: not-found"]
        editor.do("state", wanted="problems")
        deleted = editor.do("delete", path=PREFAB)
        assert all(user in str(deleted["asked"]) for user in users)
        assert deleted["result"] == "FailedDelete"
        unused = editor.do("delete", path="Assets/Broken.asset")
        assert (unused["asked"], unused["result"]) == ([], "DidNotDelete")

        if SCRIPT.exists():
            missing = editor.do(
                "ask",
                item="Assets/Missing references (assetdb)",
                window="Missing References",
                path="Assets/Broken.asset",
                executable=str(SCRIPT),
            )
            assert missing["labels"] == [
                "Assets/Broken.asset",
                "Broken.asset",
                f"gone: {PREFAB} &5",
                f"lost: {LOST}",
            ], missing
            assert "nothing has this GUID" in str(missing["details"])

        asking = {"item": "Assets/Why is this in the build (assetdb)", "window": "Why in the Build", "path": PREFAB}
        trace = editor.do("ask", **asking, executable="")
        assert "Name the folders of your builds" in str(trace["message"])
        trace = editor.do("ask", **asking, executable="", builds=" Builds/Linux ;")
        assert isinstance(traced["rows"], list)
        (part,) = traced["rows"][0]["parts"]
        (item,) = part["objects"]
        assert item["certainty"] == "exact"
        assert trace["labels"] == [
            "player.bundle",
            f"loaded by {PREFAB.lower()}",
            "Player",
            f"Player #{item['path_id']}",
        ], trace
        trace = editor.do("ask", **asking, executable="", builds="Builds/Nowhere")
        assert "Nowhere" in str(trace["message"])


def write_build(folder: Path) -> Path:
    """Write a build that holds an object of the prefab."""
    folder.mkdir(parents=True)
    own = Texture(object_path_id(guid(1), IMPORTED, 100), "Player", b"0123", PREFAB.lower())
    (folder / "player.bundle").write_bytes(bundle(archive_name("player"), "player", [own]))
    return folder


def test_a_missing_reference_has_the_name_that_git_knows(build: Build, project: Project) -> None:
    if not SCRIPT.exists():
        pytest.skip("no assetdb script beside the interpreter")
    write(project.root, "Assets/Old.png", 91, b"png")
    text = f"%YAML 1.1\n--- !u!114 &1\nMonoBehaviour:\n  icon: {{fileID: 2800000, guid: {guid(91)}, type: 3}}\n"
    write(project.root, "Assets/User.asset", 92, text, "NativeFormatImporter:\n  userData: \n")
    for line in (
        "init -q",
        "add -A",
        "-c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m first",
        "rm -q Assets/Old.png Assets/Old.png.meta",
        "-c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m second",
    ):
        begun = project.begin(*line.split(), program=["git"])
        assert begun.wait(60) == 0, begun.communicate()
    project.start()
    with Player(build, project) as editor:
        missing = editor.do(
            "ask",
            item="Assets/Missing references (assetdb)",
            window="Missing References",
            path="Assets/User.asset",
            executable=str(SCRIPT),
        )
    assert missing["labels"] == ["Assets/User.asset", "User.asset", "icon: Assets/Old.png"], missing
    assert "had this GUID until commit" in str(missing["details"])


def test_the_daemon_is_started_from_the_editor(build: Build, project: Project) -> None:
    if not SCRIPT.exists():
        pytest.skip("no assetdb script beside the interpreter")
    project.environment["PATH"] = f"{SCRIPT.parent}{os.pathsep}{project.environment['PATH']}"
    with Player(build, project) as editor:
        assert editor.do("state", wanted="off")["short"] == "assetdb: off"
        assert editor.do("daemon", method="StartDaemon") == {"done": True}
        assert editor.do("state", wanted="problems")["problem"] == ""
        wait_for(project.status_path.exists)
        assert editor.do("daemon", method="StopDaemon") == {"done": True}
        assert editor.do("state", wanted="off")["short"] == "assetdb: off"


REFERENCE = re.compile(
    r"^--- !u![0-9]+ &(-?[0-9]+)|\{fileID:\s*(-?[0-9]+)(?:,\s*guid:\s*([0-9a-fA-F]{32}))?", re.MULTILINE
)


def references_of(text: str) -> list[str]:
    """Return object, fileID, GUID and line of each reference, read in another way than the package does."""
    found, owner, line, counted = [], "0", 1, 0
    for match in REFERENCE.finditer(text):
        if match[1] is not None:
            owner = match[1]
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        guid = (match[3] or "").lower()
        if int(match[2]):
            found.append(f"{owner} {int(match[2])} {'' if set(guid) == {'0'} else guid} {line}")
    return found


@pytest.mark.corpus("unity/BoatAttack")
def test_every_reference_of_real_files_is_read(build: Build, project: Project, corpus: Path) -> None:
    root = corpus / "unity" / "BoatAttack"
    paths = [
        path for path in sorted(root.glob("Assets/**/*")) if path.suffix in (".prefab", ".unity", ".mat", ".asset")
    ]
    texts = {path: path.read_bytes() for path in paths if path.is_file()}
    total = 0
    with Player(build, project) as editor:
        for path, data in texts.items():
            if not data.startswith(b"%YAML"):
                continue
            expected = references_of(data.decode("utf-8").replace("\r\n", "\n"))
            assert editor.do("scan", path=str(path))["references"] == expected, path
            total += len(expected)
    assert total > 5000


def assetdb_client(project: Project) -> assetdb.Client:
    """Connect to the project's daemon in the way that its environment says."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ASSETDB_WATCH_LOOPBACK", "XDG_RUNTIME_DIR"):
            if name in project.environment:
                patch.setenv(name, project.environment[name])
        return assetdb.Client.connect(project.root)
