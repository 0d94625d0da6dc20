"""What could leave a live project half-way: other settings, failures in the middle, caches that outlive their file."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.session import Session
from assetdb.errors import ConfigurationError
from assetdb.resolve.resolver import Resolver
from assetdb.state.edges import GraphUpdate
from assetdb.state.live_state import LiveState
from assetdb.store import cache_record as record
from assetdb.store.output import Output
from tests.system.bake.test_incremental import FILES
from tests.system.bake.test_old_times import OLD, make_old
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from assetdb.diagnostics import Diagnostic
    from assetdb.workspace.updates import Pair

ABSENT = "aa" * 16


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    for folder in ("Assets", "Packages", "ProjectSettings"):
        (root / folder).mkdir(parents=True)
    add(root, "Assets/A#b.png", "x", "TextureImporter")
    add(root, "Assets/Sub/Plain.mat", "x")
    return root


@pytest.fixture
def live(project: Path, tmp_path: Path) -> Iterator[Session]:
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    assert live.save(cache=True)
    yield live
    live.close()


def alone(diagnostics: Iterable[Diagnostic]) -> str:
    return " ".join(found.code for found in diagnostics if "/Alone." in found.path)


def assert_cold(live: Session, project: Path, tmp_path: Path) -> None:
    assert live.save(cache=True)
    for name in (*FILES, "asset-db.cache"):
        (tmp_path / "cold" / name).unlink(missing_ok=True)
    cold = assetdb.bake(project, tmp_path / "cold", keep_going=True)
    for name in FILES:
        assert (Path(live.folder) / name).read_bytes() == (tmp_path / "cold" / name).read_bytes(), name
    assert live.diagnostics == cold.diagnostics


def test_characters_to_be_scrubbed_come_and_go(live: Session, project: Path, tmp_path: Path) -> None:
    for text in ('scrub-characters = "#"\n', 'scrub-characters = "al"\n', ""):
        (project / "assetdb.toml").write_text(text, encoding="utf-8")
        assert {change.kind for change in live.reconcile().changes} == {"renamed"}
        assert_cold(live, project, tmp_path)


def test_a_pattern_that_is_none_is_told_every_time(live: Session, project: Path, tmp_path: Path) -> None:
    (project / "assetdb.toml").write_text('exclude = ["!"]\nscrub-characters = "#"\n', encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="is not a valid pattern"):
            live.reconcile()
    (project / "assetdb.toml").unlink()
    live.reconcile()
    assert_cold(live, project, tmp_path)


@pytest.mark.parametrize("edited", [False, True])
def test_an_update_comes_while_the_cache_is_made(
    live: Session, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, edited: bool
) -> None:
    """A daemon goes on meanwhile."""
    make_old(project)
    live.reconcile()
    begin = record.begin

    def begin_and_edit(*values: object, **options: object) -> bool:
        begun = begin(*values, **options)  # type: ignore[arg-type]  # what it was given
        if edited:
            monkeypatch.undo()
            add(project, "Assets/New.mat", "x")
            thread = threading.Thread(target=live.update, args=([b"Assets"],))
            thread.start()
            thread.join()
        return begun

    monkeypatch.setattr(record, "begin", begin_and_edit)
    assert live.save_cache() == (not edited)
    monkeypatch.undo()
    add(project, "Assets/Sub/Other.mat", "x")
    live.update([b"Assets/Sub"])
    assert_cold(live, project, tmp_path)
    again = Session(str(project), live.folder)
    again.start()
    assert_cold(again, project, tmp_path)
    again.close()


@pytest.mark.parametrize("step", ["updated", "__init__"])
def test_a_failure_in_the_middle_of_an_update(
    live: Session, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    live.prepare()
    if step == "__init__":
        live._workspace._state = None
    before = live.opened
    add(project, "Assets/New.mat", "x")
    with monkeypatch.context() as patched:
        patched.setattr(GraphUpdate, step, fail)
        with pytest.raises(MemoryError):
            live.update([b"Assets"])
    assert live.opened is before
    assert live.save(cache=True)  # as a daemon does on its way out
    again = Session(str(project), live.folder)
    again.start()
    assert_cold(again, project, tmp_path)
    again.close()
    live.update([b"Assets"])
    assert_cold(live, project, tmp_path)


def test_a_failure_while_other_settings_are_taken(
    live: Session, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BlockingIOError

    (project / "assetdb.toml").write_text('exclude = ["Sub/"]\n', encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr("assetdb.scan.walking.tree.scan", fail)
        with pytest.raises(BlockingIOError):
            live.reconcile()
    live.reconcile()
    assert_cold(live, project, tmp_path)


def test_a_bake_while_the_files_are_read(
    live: Session, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert live.save(cache=True)
    make_old(project)
    assetdb.bake(project, live.folder)
    identities = Output.identities
    asked: list[bool] = []

    def and_then_bake(output: Output) -> tuple[int, int, int, int]:
        found = identities(output)
        asked.append(True)
        if len(asked) == 1:
            os.replace(tmp_path / "other" / FILES[0], output.database)
            os.replace(tmp_path / "other" / FILES[1], Path(output.folder) / FILES[1])
        return found

    assetdb.bake(project, tmp_path / "other", scrub_characters="#")
    again = Session(str(project), live.folder)
    monkeypatch.setattr(Output, "identities", and_then_bake)
    again.start()
    assert_cold(again, project, tmp_path)
    again.close()


def test_what_was_read_of_a_file_is_forgotten_with_it(project: Path, tmp_path: Path) -> None:
    source, variant = "Assets/Source/S.prefab", "Assets/V.prefab"
    add(project, source, HEAD + "--- !u!1 &100\nGameObject:\n  m_Name: Deep\n", "PrefabImporter")
    add(
        project,
        variant,
        f"{HEAD}--- !u!1 &300 stripped\nGameObject:\n"
        f"  m_CorrespondingSourceObject: {{fileID: 100, guid: {guid_of(source)}, type: 3}}\n"
        "  m_PrefabInstance: {fileID: 301}\n"
        f"--- !u!1001 &301\nPrefabInstance:\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid_of(source)}}}\n",
        "PrefabImporter",
    )
    make_old(project)
    assetdb.bake(project, tmp_path / "live")
    live = Session(str(project), str(tmp_path / "live"))
    live.start()  # from the cache, its facts not yet read
    assert live.opened.resolver.name(guid_of(variant), 300).name == "V.prefab / Deep (GameObject)"
    for name in (source, f"{source}.meta"):
        (project / name).unlink()
    live.update([b"Assets/Source"])
    fresh = Resolver(str(project), live.opened.database)
    assert live.opened.resolver.name(guid_of(variant), 300) == fresh.name(guid_of(variant), 300)
    live.close()


def test_packages_that_come_after_everything_was_looked_at_again(project: Path, tmp_path: Path) -> None:
    make_old(project)
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    assert live.opened.resolver.name(ABSENT, None).reason == "missing-asset"
    live.reconcile()  # finds nothing new
    package = tmp_path / "package"
    package.mkdir()
    (package / "package.json").write_text('{"name": "com.example.one", "version": "1.0.0"}', encoding="utf-8")
    (package / "T.png").write_bytes(b"x")
    (package / "T.png.meta").write_text(f"fileFormatVersion: 2\nguid: {ABSENT}\n", encoding="utf-8")
    manifest = project / "Packages" / "manifest.json"
    manifest.write_text('{"dependencies": {"com.example.one": "file:../../package"}}', encoding="utf-8")
    assert live.opened.resolver.name(ABSENT, None).name == "T.png [com.example.one]"
    (package / "T.png").rename(package / "U.png")  # no list says so
    (package / "T.png.meta").rename(package / "U.png.meta")
    live.reconcile()
    assert live.opened.resolver.name(ABSENT, None).name == "U.png [com.example.one]"
    live.close()


def test_a_meta_that_stands_alone_is_edited_in_place(project: Path, tmp_path: Path) -> None:
    meta = project / "Assets" / "Alone.fbx.meta"
    text = (
        "fileFormatVersion: 2\nguid: {}\nModelImporter:\n"
        "  internalIDToNameTable:\n  - first:\n      74: 7400000\n    second: {}\n"
    )
    meta.write_text(text.format("1" * 32, "Walk"), encoding="utf-8")
    make_old(project)
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    assert live.opened.resolver.name("2" * 32, 7400000).name == ""
    for number, name, old in (("1", "Walk", ""), ("1", "Jump", ""), ("2", "Jump", "1"), ("3", "Run", "2")):
        meta.write_text(text.format(number * 32, name), encoding="utf-8")
        os.utime(meta, (OLD, OLD + ord(number) * 10 + ord(name[0])))
        live.update([b"Assets"])
        assert live.opened.resolver.name(number * 32, 7400000).name == f"Alone.fbx / {name} (AnimationClip)"
        if old:
            assert live.opened.resolver.name(old * 32, 7400000).name == ""
    meta.write_text(f"fileFormatVersion: 2\nguid: {'3' * 32}\nfolderAsset: yes\nDefaultImporter:\n", encoding="utf-8")
    live.update([b"Assets"])
    assert alone(live.diagnostics) == "missing-directory"
    assert_cold(live, project, tmp_path)
    live.close()


def test_a_bake_after_a_meta_that_stands_alone_was_edited_in_place(project: Path, tmp_path: Path) -> None:
    meta = project / "Assets" / "Alone.meta"
    head = f"fileFormatVersion: 2\nguid: {'1' * 32}\n"
    meta.write_text(head, encoding="utf-8")
    make_old(project)
    assert alone(assetdb.bake(project, tmp_path / "live").diagnostics) == "orphan-meta"
    meta.write_text(f"{head}folderAsset: yes\nDefaultImporter:\n", encoding="utf-8")
    assert alone(assetdb.bake(project, tmp_path / "live").diagnostics) == "missing-directory"
    os.utime(meta, (OLD + 1, OLD + 1))
    assert alone(assetdb.bake(project, tmp_path / "live").diagnostics) == "missing-directory"


@pytest.mark.parametrize("ending", [MemoryError, KeyboardInterrupt])
def test_a_cache_that_is_given_up_leaves_nothing(
    live: Session, project: Path, monkeypatch: pytest.MonkeyPatch, ending: type[BaseException]
) -> None:
    begin_seen = Output.begin_seen

    def fail(output: Output, parts: list[bytes]) -> None:
        begin_seen(output, parts)
        raise ending

    add(project, "Assets/New.mat", "x")
    live.update([b"Assets"])
    assert live.save()
    monkeypatch.setattr(Output, "begin_seen", fail)
    with pytest.raises(ending):
        live.save_cache()
    assert unfinished(live.folder) == []
    monkeypatch.undo()
    assert live.save_cache()


def test_a_cache_that_is_given_up_leaves_nothing_where_the_files_were(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings name another folder while it is made."""
    live = Session(str(project))
    live.start()
    assert live.save()
    before = live.folder

    begin = record.begin

    def begin_and_move(*values: object, **options: object) -> bool:
        begun = begin(*values, **options)  # type: ignore[arg-type]  # what it was given
        monkeypatch.undo()
        (project / "assetdb.toml").write_text('out-dir = "Elsewhere"\n', encoding="utf-8")
        live.reconcile()
        return begun

    monkeypatch.setattr(record, "begin", begin_and_move)
    assert live.save_cache() is False
    assert live.folder != before
    assert unfinished(before) == []
    assert_cold(live, project, tmp_path)
    live.close()


def test_questions_go_on_while_an_update_is_made(
    live: Session, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are answered of what was known before, and go on of that when the update is there."""
    before = live.opened
    begun, go_on = threading.Event(), threading.Event()
    update = LiveState.update

    def slow(state: LiveState, changed: Collection[Pair]) -> set[bytes]:
        begun.set()
        assert go_on.wait(30)
        return update(state, changed)

    live.prepare()
    monkeypatch.setattr(LiveState, "update", slow)
    add(project, "Assets/New.mat", "x")
    with ThreadPoolExecutor(1) as threads:
        updating = threads.submit(live.update, [b"Assets"])
        assert begun.wait(30)
        assert live.opened is before
        assert live.asset_count == len(live.opened.database) == 2
        go_on.set()
        updating.result()
    assert live.opened is not before
    assert (len(before.database), len(live.opened.database)) == (2, 3)
    assert before.resolver.name(guid_of("Assets/Sub/Plain.mat"), None).name == "Plain.mat"
    assert_cold(live, project, tmp_path)


def unfinished(folder: str) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".temporary")]
