from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assetdb.cli import main
from assetdb.unity.importers.managed_dll import script_file_id
from tests.assetdb.unity.importers.dll_writer import TypeRow, dll
from tests.assetdb.unity.yaml.test_annotation import without_comments
from tests.assetdb.unity_project import guid, make_project, write
from tests.needs import needs_change_times, needs_git_that_starts_python


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "project")
    monkeypatch.chdir(root)
    assert main(["bake", "--quiet"]) == 0
    return root


@pytest.mark.parametrize(
    ("query", "line"),
    [
        (f"{guid(1)}:400", "Player.prefab / Body / Head #1 (GameObject)  Assets/Prefabs/Player.prefab"),
        (f"{{fileID: 300, guid: {guid(1)}, type: 3}}", "Player.prefab / Body (Health)  Assets/Prefabs/Player.prefab"),
        (f'"fileID": 300, "guid": "{guid(1)}"', "Player.prefab / Body (Health)  Assets/Prefabs/Player.prefab"),
        (guid(1).upper(), "Player.prefab  Prefab  Assets/Prefabs/Player.prefab"),
        ("Assets/Prefabs/Player.prefab", "Player.prefab  Prefab  Assets/Prefabs/Player.prefab"),
        ("Prefabs/Player.prefab", "Player.prefab  Prefab  Assets/Prefabs/Player.prefab"),
        ("Player", "Player.prefab  Prefab  Assets/Prefabs/Player.prefab"),
        ("tiles_second", "tiles.png / tiles_second (Sprite)  Assets/Art/tiles.png"),
        ("Assets/Art", "Art  Folder  Assets/Art"),
    ],
)
def test_every_form_of_a_query(project: Path, capsys: pytest.CaptureFixture[str], query: str, line: str) -> None:
    assert main(["name", query]) == 0
    assert capsys.readouterr().out == f"{line}\n"


def test_guid_and_path(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guid", "Player", "tiles_second"]) == 0
    assert capsys.readouterr().out == f"{guid(1)}\n{guid(4)}:-666\n"
    assert main(["path", guid(1), f"{guid(1)}:12345"]) == 0
    assert capsys.readouterr().out == "Assets/Prefabs/Player.prefab\n" * 2


def test_misses_say_why(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["name", f"{guid(1)}:12345"]) == 1
    assert "dangling in Assets/Prefabs/Player.prefab" in capsys.readouterr().err
    assert main(["name", "Plaier.prefab"]) == 1
    assert "did you mean 'Assets/Prefabs/Player.prefab' or" in capsys.readouterr().err
    assert main(["guid", "nothing-like-it-at-all"]) == 1
    assert capsys.readouterr().err == "assetdb: no asset named 'nothing-like-it-at-all'\n"


def test_json_lines_and_stdin(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{guid(1)}:400\n\nPlaier\n"))
    assert main(["name", "-"]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found[0] == {
        "query": f"{guid(1)}:400",
        "guid": guid(1),
        "file_id": 400,
        "name": "Player.prefab / Body / Head #1 (GameObject)",
        "path": "Assets/Prefabs/Player.prefab",
        "type": "GameObject",
        "reason": "",
    }
    assert (found[1]["reason"], found[1]["candidates"]) == ("not-found", ["Assets/Prefabs/Player.prefab"])
    assert main(["path", "--json", "Player"]) == 0
    assert json.loads(capsys.readouterr().out)["path"] == "Assets/Prefabs/Player.prefab"


def test_find(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "TILES"]) == 0
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == [guid(4), f"{guid(4)}:555", f"{guid(4)}:-666"]
    for words in (("*",), ()):
        assert main(["find", *words, "--type", "health", "--json"]) == 0
        assert [json.loads(line)["path"] for line in capsys.readouterr().out.splitlines()] == ["Assets/data.asset"]
    assert main(["find", "tiless.png"]) == 1
    assert "did you mean 'Assets/Art/tiles.png'?" in capsys.readouterr().err


def test_misses_of_find_say_whether_it_is_the_type(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "*", "--type", "Sprit"]) == 1
    assert capsys.readouterr().err == "assetdb: nothing has the type 'Sprit'; did you mean 'Sprite'?\n"
    assert main(["find", "xyzzy", "--type", "sprite"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first == "assetdb: nothing of type sprite is called 'xyzzy'"
    assert "could not be read, and may have objects of this name" in second


def test_a_part_of_a_name_and_an_unknown_guid(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["name", "lay"]) == 1
    assert "did you mean 'Assets/Prefabs/Player.prefab'?" in capsys.readouterr().err
    assert main(["name", guid(9999)]) == 1
    assert capsys.readouterr().err.rstrip().endswith("it was deleted, or never committed")


def test_coverage(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == 14
    assert found["share"] == round(100 * 11 / 12, 3)
    assert found["reasons"] == {"dangling": 1}
    assert main(["coverage"]) == 0
    assert "91.67 %" in capsys.readouterr().out


def test_the_first_command_bakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_project(tmp_path)
    assert main(["name", "--project", str(root), f"{guid(1)}:400"]) == 0
    assert "no database yet" in capsys.readouterr().err
    assert (root / "Library" / "assetdb" / "asset-db.bin").is_file()


def test_without_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["name", "Player"]) == 2
    assert "no Unity project" in capsys.readouterr().err


def settle(root: Path) -> None:
    """Let a question find that what was written a moment before the bake has not changed since."""
    time.sleep(0.05)
    assert main(["find", "*", "--project", str(root)]) == 0


@needs_change_times  # without them, no answer is proved without a scan
def test_a_one_shot_name_imports_little(project: Path) -> None:
    code = (
        "import sys; before = set(sys.modules); from assetdb.cli import main; code = main(sys.argv[1:]);"
        "print(*sorted(set(sys.modules) - before)); sys.exit(code)"
    )
    arguments = [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"]
    settle(project)
    done = subprocess.run(
        [*arguments, "name", f"{guid(1)}:300"], check=True, capture_output=True, text=True, cwd=project
    )
    name, modules = done.stdout.splitlines()
    assert name == "Player.prefab / Body (Health)  Assets/Prefabs/Player.prefab"
    heavy = {
        "argparse",
        "json",
        "msgspec",
        "re",
        "typing",
        "contextlib",
        "struct",
        "assetdb.store.schema",
        "assetdb_formats.binary",
    }
    heavy |= {
        "array",
        "assetdb.store.indexes.graph",
        "assetdb.store.indexes.supplement",
        "assetdb.baking",
        "assetdb.settings.configuration",
    }
    assert not heavy.intersection(modules.split())


def test_a_one_shot_name_of_a_part_of_a_model_or_dll_imports_little(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    write(root, "Assets/Plugin.dll", 20, dll([TypeRow("Acme", "Walker", 1)]), "PluginImporter:\n  userData: \n")
    assert main(["bake", "--quiet", "--project", str(root)]) == 0
    settle(root)
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; before = set(sys.modules); from assetdb.cli import main;"
        "code = main(sys.argv[1:]); print(*sorted(set(sys.modules) - before)); sys.exit(code)"
    )
    names = {
        f"{guid(6)}:4300000": "boat.fbx / ",
        f"{guid(20)}:{script_file_id('Acme', 'Walker')}": "Plugin.dll / Acme.",
    }
    for query, beginning in names.items():
        done = subprocess.run(
            [sys.executable, "-I", "-c", code, "name", query], check=True, capture_output=True, text=True, cwd=root
        )
        name, modules = done.stdout.splitlines()
        assert name.startswith(beginning)
        heavy = {
            "argparse",
            "json",
            "re",
            "typing",
            "contextlib",
            "hashlib",
            "assetdb.store.schema",
        }
        assert not heavy.intersection(modules.split())


@pytest.mark.parametrize("words", [("usages",), ("usages", "--deep"), ("deps",), ("deps", "--deep")])
def test_one_shot_usages_and_deps_import_little(project: Path, words: tuple[str, ...]) -> None:
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; before = set(sys.modules); from assetdb.cli import main;"
        "code = main(sys.argv[1:]); print(*sorted(set(sys.modules) - before)); sys.exit(code)"
    )
    query = guid(1) if "usages" in words else guid(2)
    settle(project)
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, *words, query], check=True, capture_output=True, text=True, cwd=project
    )
    *lines, modules = done.stdout.splitlines()
    assert lines
    heavy = {"argparse", "json", "msgspec", "re", "typing"}
    ours = {
        "assetdb.store.schema",
        "assetdb.resolve.resolver",
        "assetdb.unity.engine.builtin",
        "assetdb_formats.binary",
    }
    assert not (heavy | ours).intersection(modules.split())


def test_annotate(project: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    scene = project / "Assets" / "Main.unity"
    assert main(["annotate", str(scene)]) == 0
    text = capfdbinary.readouterr().out
    assert f"player: {{fileID: 100, guid: {guid(1)}, type: 3}} # Player.prefab (GameObject)\n".encode() in text
    assert b"local: {fileID: 11} # Camera (Transform)\n" in text
    assert b"# Player.prefab: dangling\n" in text
    assert without_comments(text) == scene.read_bytes()


def test_an_override_of_what_is_gone_has_one_reason_everywhere(
    project: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    gone = f"{{fileID: 98765, guid: {guid(1)}, type: 3}}"
    scene = project / "Assets" / "Main.unity"
    scene.write_text(
        "--- !u!1001 &77\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n"
        f"    - target: {gone}\n      propertyPath: m_Name\n      value: x\n      objectReference: {gone}\n"
    )
    capfdbinary.readouterr()
    assert main(["annotate", str(scene)]) == 0
    lines = capfdbinary.readouterr().out.splitlines()
    assert lines[4].endswith(b"} # Player.prefab: stale-override")
    assert lines[7].endswith(b"} # Player.prefab: dangling")
    assert main(["coverage", "--json"]) == 0
    assert b'"stale-override": 1' in capfdbinary.readouterr().out
    for query, reason in ((f"- target: {gone}", b"stale-override"), (gone, b"dangling")):
        assert main(["name", query]) == 1
        assert reason in capfdbinary.readouterr().err


def test_textconv_prints_what_it_cannot_annotate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.prefab").write_bytes(b"anything\r\n")
    assert main(["annotate", "--textconv", "x.prefab"]) == 0
    assert capfdbinary.readouterr().out == b"anything\r\n"
    assert main(["annotate", "x.prefab"]) == 2


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_annotate_reads_so_much_and_no_more(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("assetdb.client.command.LARGEST_FILE", 4096)
    assert main(["annotate", "--project", str(project), "/dev/zero"]) == 2
    assert b"/dev/zero: has more than 4,096 bytes" in capfdbinary.readouterr().err
    scene = project / "Assets" / "Main.unity"
    monkeypatch.setattr("assetdb.cli.history.annotate.LARGEST_ASSET", scene.stat().st_size)
    assert main(["annotate", str(scene)]) == 0
    monkeypatch.setattr("assetdb.cli.history.annotate.LARGEST_ASSET", scene.stat().st_size - 1)
    assert main(["annotate", str(scene)]) == 2
    capfdbinary.readouterr()
    assert main(["annotate", "--textconv", str(scene)]) == 0  # a failing textconv ends a whole `git log -p`
    assert capfdbinary.readouterr().out == scene.read_bytes()


@needs_git_that_starts_python
def test_git_shows_names(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> str:
        settings = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false"]
        return subprocess.run(
            ["git", *settings, *words], check=True, capture_output=True, text=True, cwd=project
        ).stdout

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    git("init", "-q")
    git("config", "diff.unity.textconv", f"'{sys.executable}' -m assetdb annotate --textconv --")
    (project / ".gitattributes").write_text("*.prefab diff=unity\n*.unity diff=unity\n")
    odd = project / "-o --json.prefab"  # git names a file of the working tree as it is
    odd.write_bytes((project / "Assets" / "Main.unity").read_bytes())
    git("add", "Assets", ".gitattributes", "--", odd.name)
    git("commit", "-qm", "first")
    odd.write_bytes(odd.read_bytes().replace(b"player: {fileID: 100,", b"player: {fileID: 300,"))
    assert "# Player.prefab / Body (Health)" in git("diff", "--", odd.name)
    git("checkout", "-q", "--", odd.name)
    scene = project / "Assets" / "Main.unity"
    scene.write_bytes(scene.read_bytes().replace(b"player: {fileID: 100,", b"player: {fileID: 300,"))
    difference = git("diff")
    assert f"-  player: {{fileID: 100, guid: {guid(1)}, type: 3}} # Player.prefab (GameObject)" in difference
    assert f"+  player: {{fileID: 300, guid: {guid(1)}, type: 3}} # Player.prefab / Body (Health)" in difference
    git("commit", "-qam", "second")
    assert "# Player.prefab / Body (Health)" in git("log", "-p", "-1")
