"""Every one-shot command answers for the tree as it is: after each of many edits as after a first bake of it."""

from __future__ import annotations

import io
import os
import random
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.client import autostart
from assetdb.store.files import DATABASE_NAME, INDEX_NAME
from assetdb_formats.atomic import replace_file
from tests.assetdb.unity_project import guid, make_project, write
from tests.needs import needs_change_times, needs_fork, needs_links
from tests.system.bake.test_incremental import Editor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    Answer = tuple[int, bytes, str]


def ask(project: Path, *words: str, out_dir: Path | None = None) -> Answer:
    """Run a command in this process and return its exit code and output."""
    out, error = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    options = ["--project", str(project)] + (["--out-dir", str(out_dir)] if out_dir else [])
    with redirect_stdout(out), redirect_stderr(error):
        code = main([*words, *options])
    out.flush()
    return code, out.buffer.getvalue(), error.getvalue()


def guids_of(project: Path) -> dict[str, list[Path]]:
    """Return the GUID that each meta says first, with the metas that say it."""
    found: dict[str, list[Path]] = {}
    for meta in sorted((project / "Assets").rglob("*.meta")):
        if meta.is_file():
            for line in meta.read_bytes().splitlines():
                if line.startswith(b"guid: "):
                    found.setdefault(line[6:].decode("ascii", "replace").strip(), []).append(meta)
                    break
    return found


def questions(project: Path, chooser: random.Random, remembered: list[str]) -> Iterable[tuple[str, ...]]:
    """Yield twenty questions over all commands, about what is there, what was there, and what never was."""
    guids = sorted(one for one in guids_of(project) if len(one) == 32)
    files = sorted(path for path in (project / "Assets").rglob("*") if path.is_file())
    remembered += [one for one in guids if one not in remembered]
    some = [chooser.choice(remembered) if remembered else "a" * 32 for _ in range(6)]
    some += [chooser.choice(guids) if guids else "b" * 32 for _ in range(4)]
    name = chooser.choice(("Foo", "Bar", "Grass", "A", "walk"))
    path = str(chooser.choice(files).relative_to(project)) if files else "Assets/None"
    yield ("name", some[0])
    yield ("name", "--json", some[6])
    yield ("name", f"{{fileID: 11500000, guid: {some[1]}, type: 3}}")
    yield ("name", f"{some[7]}:-7")
    yield ("name", path)
    yield ("guid", path)
    yield ("guid", name)
    yield ("path", some[2])
    yield ("path", some[8])
    yield ("path", "f" * 32)
    yield ("find", name)
    yield ("find", "--json", "*a*")
    yield ("deps", some[3])
    yield ("deps", "--deep", "--json", some[9])
    yield ("usages", some[4])
    yield ("usages", "--objects", chooser.choice(("a" * 32, "b" * 32)))
    yield ("usages", "--json", name)
    yield ("unused",)
    yield ("coverage", "--json", "--workers", "1")
    text = [path for path in files if path.suffix in (".prefab", ".asset", ".mat")]
    yield ("annotate", str(chooser.choice(text)) if text else str(files[0]) if files else path)


def outlived(words: tuple[str, ...], project: Path) -> bool:
    """Whether a question is about a GUID that several files have: a second one that took it may go unseen."""
    return any(
        len(metas) > 1 and (one in " ".join(words) or any(str(meta)[:-5].endswith(words[-1]) for meta in metas))
        for one, metas in guids_of(project).items()
    )


def compare(tmp_path: Path, seed: int, steps: int) -> tuple[int, int]:
    """Return how many answers were compared, and how many of them differ where they may."""
    project = tmp_path / "Project"
    editor = Editor(project, seed)
    chooser = random.Random(seed)
    remembered: list[str] = []
    compared = excused = 0
    for step in range(steps):
        editor.step()
        if chooser.random() < 0.5:  # else the edit falls into the tick of the last look
            time.sleep(0.03)
        cold_folder = tmp_path / f"cold-{step}"  # a new one: on Windows a database that this process has mapped stays
        ask(project, "bake", "--quiet", "--keep-going", out_dir=cold_folder)
        asked = list(questions(project, chooser, remembered))
        chooser.shuffle(asked)
        for words in asked:
            warm = ask(project, *words, out_dir=tmp_path / "warm")
            cold = ask(project, *words, "--no-refresh", out_dir=cold_folder)
            expected = cold[0], cold[1], cold[2].removeprefix("assetdb: as of the last bake\n")
            said = warm[2].partition("no database yet")[2].partition("\n")[2] if step == 0 and not compared else warm[2]
            if (*warm[:2], said) != expected:
                assert outlived(words, project), (step, words, warm, expected)
                excused += 1
            compared += 1
    return compared, excused


@pytest.mark.parametrize("seed", [100, 101])
def test_answers_are_those_after_a_first_bake(tmp_path: Path, seed: int) -> None:
    compared, excused = compare(tmp_path, seed, 12)
    assert compared == 240
    assert excused <= 5


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_after_every_step_answers_are_those_after_a_first_bake(tmp_path: Path, seed: int) -> None:
    compared, excused = compare(tmp_path, seed, 100)
    assert compared == 2000
    assert excused <= 40


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = make_project(tmp_path / "project")
    assert ask(root, "bake", "--quiet")[0] == 0
    time.sleep(0.05)
    assert ask(root, "find", "*")[0] == 0  # what was written a moment before the bake is trusted from here on
    return root


def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count the looks at the tree."""
    from assetdb import baking  # noqa: PLC0415 - to be replaced

    made: list[str] = []
    real = baking.look

    def counted(root: str, *words: object, **options: object) -> object:
        made.append(root)
        return real(root, *words, **options)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(baking, "look", counted)
    return made


@needs_change_times
def test_what_is_proved_needs_no_look_and_what_is_not_there_does(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = looks(monkeypatch)
    for words in (("name", f"{guid(1)}:300"), ("name", "Assets/Prefabs/Player.prefab"), ("path", guid(1))):
        assert ask(project, *words)[0] == 0
        assert made == []
    for words in (("path", "c" * 32), ("find", "Player"), ("usages", guid(1)), ("deps", guid(2)), ("name", "Player")):
        ask(project, *words)
        assert len(made) == 1, words
        made.clear()


@pytest.mark.parametrize(
    "change",
    [
        *("moved", "deleted", "rewritten", "meta", "configuration", "touched"),
        pytest.param("link", marks=needs_links),
        pytest.param("folder-link", marks=needs_links),
    ],
)
def test_a_file_that_is_shown_is_looked_at(project: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    player = project / "Assets" / "Prefabs" / "Player.prefab"
    meta = player.with_name("Player.prefab.meta")
    made = looks(monkeypatch)
    if change == "moved":
        player.rename(player.with_name("Other.prefab"))
        meta.rename(player.with_name("Other.prefab.meta"))
    elif change == "deleted":
        player.unlink()
    elif change == "rewritten":  # as rsync -a does: another content of the same size and time
        status = player.stat()
        other = player.with_name("new")
        other.write_bytes(player.read_bytes().replace(b"Body", b"Head"))
        os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
        other.replace(player)
    elif change == "meta":
        meta.write_text(f"fileFormatVersion: 2\nguid: {'d' * 32}\n")
    elif change == "link":
        player.rename(project / "kept")
        player.symlink_to(project / "kept")
    elif change == "folder-link":
        player.parent.rename(project / "Kept")
        player.parent.symlink_to(project / "Kept")
    elif change == "configuration":
        (project / "assetdb.toml").write_text('exclude = ["Player*"]\n')
    else:
        os.utime(player)
    code, out, _ = ask(project, "path", guid(1))
    assert made
    cold = ask(project, "path", guid(1), out_dir=project / "cold")
    assert (code, out) == cold[:2]


def test_without_a_look_it_is_said_that_the_answer_is_old(project: Path) -> None:
    (project / "Assets" / "New.txt").write_text("x")
    (project / "Assets" / "New.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {'e' * 32}\n")
    code, out, error = ask(project, "path", "--no-refresh", "e" * 32)
    assert (code, out) == (1, b"")
    assert error.startswith("assetdb: as of the last bake\n")
    assert ask(project, "path", "e" * 32) == (0, b"Assets/New.txt\n", "")


def test_names_stay_as_the_bake_was_told_to_make_them(project: Path) -> None:
    assert ask(project, "bake", "--quiet", "--scrub-chars", "l")[0] == 0
    before = (project / "Library" / "assetdb" / "asset-db.bin").read_bytes()
    (project / "Assets" / "New.txt").write_text("x")
    (project / "Assets" / "New.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {'e' * 32}\n")
    assert b"P_ayer" in before
    ask(project, "find", "New")
    after = (project / "Library" / "assetdb" / "asset-db.bin").read_bytes()
    assert b"P_ayer" in after
    assert after != before
    assert ask(project, "bake", "--quiet")[0] == 0
    assert b"P_ayer" not in (project / "Library" / "assetdb" / "asset-db.bin").read_bytes()


def test_lines_of_stdin_are_answered_for_the_tree_of_their_time(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assetdb.query.snapshots.snapshot._FRESH_FOR", 0.0)

    def lines() -> Iterable[str]:
        yield f"{guid(1)}\n"
        prefabs = project / "Assets" / "Prefabs"
        for name in ("Player.prefab", "Player.prefab.meta"):
            (prefabs / name).rename(prefabs / name.replace("Player", "Moved"))
        yield f"{guid(1)}\n"

    for command in ("path", "usages"):
        (project / "Assets" / "Prefabs").mkdir(exist_ok=True)
        monkeypatch.setattr(sys, "stdin", lines())
        answers = ask(project, command, "-")[1].decode().splitlines()
        assert "Player.prefab" in answers[0]
        assert "Moved.prefab" in answers[1]
        for name in ("Moved.prefab", "Moved.prefab.meta"):
            path = project / "Assets" / "Prefabs" / name
            path.rename(path.with_name(name.replace("Moved", "Player")))


# --- a missing or foreign index


@pytest.mark.parametrize("what", ["missing", "foreign", "cut", "empty", "other-database"])
@pytest.mark.parametrize("flag", [(), ("--no-refresh",)])
def test_an_index_that_is_not_its_databases_is_made_anew(
    project: Path, tmp_path: Path, what: str, flag: tuple[str, ...]
) -> None:
    folder = project / "Library" / "assetdb"
    prefabs = "ab" * 16
    (project / "Assets" / "Prefabs.meta").write_text(f"fileFormatVersion: 2\nguid: {prefabs}\nfolderAsset: yes\n")
    assert ask(project, "bake", "--quiet")[0] == 0
    expected = ask(project, "path", prefabs)
    assert expected == (0, b"Assets/Prefabs\n", "")
    index = folder / "asset-db.index"
    if what == "missing":
        index.unlink()
    elif what == "cut":
        replace_file(str(index), [index.read_bytes()[:100]])  # mapped by this process: Windows writes to none in place
    elif what == "empty":
        replace_file(str(index), [b""])
    else:
        other = make_project(tmp_path / "other")
        write(other, "Assets/Another.txt", 4711, b"x", "")
        assert ask(other, "bake", "--quiet")[0] == 0
        name = "asset-db.index" if what == "foreign" else "asset-db.bin"
        replace_file(str(folder / name), [(other / "Library" / "assetdb" / name).read_bytes()])
    for words in (("path", prefabs), ("usages", guid(1)), ("deps", guid(2))):
        if what == "other-database" and flag:
            continue  # that of another project has no such folder, and is asked for as it is
        expected = ask(project, *words, out_dir=tmp_path / "cold")
        code, out, _ = ask(project, *words, *flag)
        assert (code, out) == expected[:2]


def test_files_that_another_bake_is_about_to_replace_stay(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between its database and its index, which it replaces one after the other, they do not belong together."""
    from assetdb import baking  # noqa: PLC0415 - to be replaced

    folder = project / "Library" / "assetdb"
    real, whole = baking.look, (folder / "asset-db.index").read_bytes()
    removed: list[str] = []
    calls: list[str] = []

    def halfway(root: str, *words: object, **options: object) -> object:
        found = real(root, *words, **options)  # type: ignore[arg-type]  # as it was called
        replace_file(str(folder / "asset-db.index"), [whole if calls else whole[:90]])
        calls.append(root)
        return found

    def unlink(path: str, **_: object) -> None:
        if os.path.basename(path) in (DATABASE_NAME, INDEX_NAME):  # what is left of a cache may go
            removed.append(path)

    monkeypatch.setattr(baking, "look", halfway)
    with monkeypatch.context() as patched:
        patched.setattr("assetdb.query.snapshots.verified_assets.os.unlink", unlink)
        code, out, _ = ask(project, "find", "Player")
    assert (code, removed) == (0, [])
    assert b"Player.prefab" in out


def test_who_shares_a_guid_since_is_said(project: Path) -> None:
    (project / "Assets" / "Prefabs" / "Player.prefab").touch()
    meta = (project / "Assets" / "Prefabs" / "Player.prefab.meta").read_bytes()
    (project / "Assets" / "Zebra.prefab").write_bytes(b"")
    (project / "Assets" / "Zebra.prefab.meta").write_bytes(meta)
    code, _, err = ask(project, "name", guid(1))
    assert code == 0
    assert "Assets/Prefabs/Player.prefab shares its GUID with Assets/Zebra.prefab" in err


# --- what a user may settle


@needs_fork
def test_a_daemon_is_started_only_where_the_user_wants_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    def spawn(program: str, words: list[str], *_: object, **__: object) -> int:
        assert program == sys.executable
        started.append(words)
        return 0

    monkeypatch.setattr(autostart.os, "posix_spawn", spawn)
    monkeypatch.delenv("CI", raising=False)
    ask(project, "path", guid(1))
    assert started == []
    monkeypatch.setenv("ASSETDB_AUTO_WATCH", "1")
    ask(project, "path", guid(1))
    assert started[0][1] == "-P"  # nothing of the working directory is run
    assert "--idle-timeout 1800" in " ".join(started[0])
    assert str(project) in started[0]
    monkeypatch.setenv("CI", "true")
    ask(project, "path", guid(1))
    monkeypatch.setenv("CI", "")
    ask(project, "path", "--no-refresh", guid(1))
    assert len(started) == 1
