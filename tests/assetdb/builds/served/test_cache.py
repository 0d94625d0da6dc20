"""Builds that stand: read once, again where they are others, forgotten in turn, cancelled while they are read."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import opening
from assetdb.builds.served import cache
from assetdb.builds.served.answers import group_answers, trace_answers
from assetdb.builds.served.cache import cached_build, cached_plan, cached_tracer
from assetdb.cli import main
from assetdb.errors import DaemonError, UsageError
from assetdb.memo.memo import Memo, memo_of
from assetdb.query.snapshots.snapshot import TRACED, open_project
from assetdb.system import cancelling
from assetdb.system.jobs import Cancelled
from assetdb_formats import inputs
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from tests.assetdb.builds.making import Texture, bundle
from tests.assetdb.builds.projects import add_group, add_settings
from tests.assetdb.builds.trace.test_tracer import PIXELS, TEX, write_bundles, write_project
from tests.assetdb_formats.addressables.builder import make_content, write
from tests.system.graph.project import guid_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot


@pytest.fixture(autouse=True)
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the time of a file's record, which no test can set, for one of long ago."""
    later = time.time_ns() + 10_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: later)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "Project")


@pytest.fixture
def project(root: Path) -> Iterator[Snapshot]:
    with_all = open_project(str(root))
    with_all.refresh()
    yield with_all
    with_all.close()


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return write_bundles(tmp_path / "Build")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the paths that are opened of a build, one after the other."""
    found: list[str] = []
    real = inputs.open_file

    def open_file(path: str) -> object:
        found.append(os.path.basename(path))
        return real(path)

    monkeypatch.setattr(inputs, "open_file", open_file)
    return found


def kept_builds(project: Snapshot) -> list[str]:
    return [key.removeprefix("build: ") for key in memo_of(project).held("build: ")]


def test_the_second_question_reads_nothing(project: Snapshot, build: Path, opened: list[str]) -> None:
    first = trace_answers([str(build)], project, [TEX, "others.bundle"])
    assert {"things.bundle", "others.bundle"} <= set(opened)
    opened.clear()
    assert trace_answers([str(build)], project, [TEX, "others.bundle"]) == first
    assert trace_answers([str(build)], project, ["things.bundle"])["rows"]
    assert opened == []


def test_answers_are_those_of_the_command(
    root: Path, project: Snapshot, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = ("missing", "unshipped", "implicit", "duplicates", "mixed")
    queries = [TEX, "others.bundle", guid_of(TEX), "Nothing like it", "things.bundle#1"]
    found = trace_answers([str(build)], project, queries, lists, str(root))
    main(
        [
            "trace",
            *queries,
            "--in",
            str(build),
            "--project",
            str(root),
            "--json",
            "-q",
            *(f"--{name}" for name in lists),
        ]
    )
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert json.loads(json.dumps(found["rows"])) == printed
    assert len(printed) > 10
    assert found["problems"] == []
    assert found["complete"] is True


def test_what_changed_is_read_again(project: Snapshot, build: Path, opened: list[str]) -> None:
    paths = [str(build)]
    before = cached_build(paths, project)
    opened.clear()
    (build / "others.bundle").write_bytes(bundle("CAB-" + "1" * 32, "others", [Texture(5, "New", PIXELS)]))
    (found,) = trace_answers(paths, project, ["others.bundle#5"])["rows"]
    assert found["name"] == "New"
    assert cached_build(paths, project) is not before
    assert len(cached_build(paths, project).build) == len(before.build) - 3
    (build / "more.bundle").write_bytes(bundle("CAB-" + "2" * 32, "more", [Texture(5, "More", PIXELS)]))
    assert trace_answers(paths, project, ["more.bundle#5"])["rows"]
    (build / "more.bundle").unlink()
    assert "reason" in trace_answers(paths, project, ["more.bundle#5"])["rows"][0]


@pytest.mark.parametrize("name", ["settings.json", "catalog.hash"])
def test_what_is_read_beside_a_catalog_that_was_named_alone_counts(
    project: Snapshot, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "aa" / "catalog.json"
    path.parent.mkdir()
    path.write_bytes(write(make_content(), JSON_FLAVOURS["1.28"]))
    before = cached_build([str(path)], project)
    assert cached_build([str(path)], project) is before
    (path.parent / "unrelated.json").write_text("{")
    assert cached_build([str(path)], project) is before
    for text in ("{}", "{", None):  # there, another, gone again
        path.with_name(name).unlink() if text is None else path.with_name(name).write_text(text)
        found = cached_build([str(path)], project)
        assert found is not before
        assert cached_build([str(path)], project) is found
        (catalog,) = found.catalogs.opened or (None,)
        if catalog is None:  # damaged settings are a damaged catalog
            assert (name, text) == ("settings.json", "{")
        else:
            assert (catalog.settings is not None) == (name == "settings.json" and text is not None)
            assert catalog.hash_text == (text if name == "catalog.hash" else None)
        before = found


def test_what_is_just_being_written_is_not_trusted(
    project: Snapshot, build: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = os.stat(build / "others.bundle").st_mtime_ns
    monkeypatch.setattr(time, "time_ns", lambda: written + 1)
    cached_build([str(build)], project)
    opened.clear()
    cached_build([str(build)], project)
    assert opened != []
    assert kept_builds(project) == []


def test_a_build_that_is_written_while_it_is_read_is_read_again(
    project: Snapshot, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = cache.open_build
    times = 0

    def open_build(*words: object, **more: object) -> object:
        nonlocal times
        times += 1
        found = real(*words, **more)  # type: ignore[arg-type]
        if times <= changes:
            (build / f"late{times}.bundle").write_bytes(bundle("CAB-" + "3" * 32, "late", [Texture(7, "L", PIXELS)]))
        return found

    monkeypatch.setattr(cache, "open_build", open_build)
    changes = 1
    assert len(cached_build([str(build)], project).build.parts) == 3
    assert times == 2
    assert kept_builds(project) == [str(build)]
    times, changes = 0, 9  # it does not end
    cached_build([str(build)], project)
    assert times == 0  # it has not begun, either
    (build / "late1.bundle").unlink()
    cached_build([str(build)], project)
    assert times == 3
    assert kept_builds(project) == []


def test_builds_go_to_make_room(project: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [write_bundles(tmp_path / f"Build{number}") for number in range(cache.MOST_BUILDS + 1)]
    for folder in folders:
        cached_tracer([str(folder)], project)
    assert kept_builds(project) == [str(folder) for folder in folders[1:]]
    cached_tracer([str(folders[1])], project)
    assert kept_builds(project)[-1] == str(folders[1])
    one = len(cached_build([str(folders[1])], project).build)
    monkeypatch.setattr(cache, "MOST_REMEMBERED", 2 * one)
    cached_tracer([str(folders[0])], project)
    assert kept_builds(project) == [str(folders[1]), str(folders[0])]
    monkeypatch.setattr(cache, "MOST_REMEMBERED", one - 1)
    cached_tracer([str(folders[2])], project)
    assert kept_builds(project) == []
    cached_tracer([str(folders[2])], project)
    traced = project.memory[TRACED]
    assert isinstance(traced, Memo)
    assert traced.held("tracer: ") == {}


def test_a_build_may_have_so_many_objects(project: Snapshot, build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(cached_build([str(build)], project).build)
    project.memory.clear()
    monkeypatch.setattr(cache, "MOST_OBJECTS", count - 1)
    with pytest.raises(UsageError, match=f"more than {count - 1} objects"):  # those of the remembered index
        trace_answers([str(build)], project, [TEX])
    monkeypatch.setattr(opening, "load_index", lambda _: {})
    with pytest.raises(UsageError, match="objects"):
        trace_answers([str(build)], project, [TEX])
    monkeypatch.setattr(cache, "MOST_OBJECTS", count)
    assert trace_answers([str(build)], project, [TEX])["rows"]


def test_a_path_of_the_process_is_refused(project: Snapshot) -> None:
    for path in ("/dev/stdin", "/proc/self/fd/0"):
        with pytest.raises(DaemonError, match="every process"):
            cached_tracer([path], project)


def test_another_snapshot_traces_anew_and_reads_nothing(root: Path, build: Path, opened: list[str]) -> None:
    first = open_project(str(root))
    first.refresh()
    tracer = cached_tracer([str(build)], first)
    assert cached_tracer([str(build)], first) is tracer
    opened.clear()
    later = open_project(str(root))
    later.memory = first.memory
    later.refresh()
    other = cached_tracer([str(build)], later)
    assert other is not tracer
    assert other.build is tracer.build
    assert other.catalogs is tracer.catalogs
    assert opened == []
    first.close()
    later.close()


def test_reading_can_be_cancelled_anywhere_and_forks_nothing(
    project: Snapshot, build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = trace_answers([str(build)], project, [TEX, "others.bundle"], ["implicit"])
    project.memory.clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(opening, "_ALONE", 0)  # from the first byte on several processes would share the work
    monkeypatch.setattr(opening, "can_fork", lambda: True)
    monkeypatch.setattr(opening, "_read_together", lambda *_, **__: pytest.fail("forks"))
    left = total = 1 << 30

    def check() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Cancelled

    monkeypatch.setattr(cancelling, "_check", check)
    assert trace_answers([str(build)], project, [TEX, "others.bundle"], ["implicit"]) == expected
    checks = total - left
    assert checks > 5
    project.memory.clear()
    cancelled = 0
    for most in range(checks):  # whoever asked goes away, at any of these places
        left = most
        try:
            trace_answers([str(build)], project, [TEX, "others.bundle"], ["implicit"])
        except Cancelled:
            cancelled += 1
        left = total
        assert trace_answers([str(build)], project, [TEX, "others.bundle"], ["implicit"]) == expected
        project.memory.clear()
    assert cancelled > 5


def test_several_threads_ask_at_once(project: Snapshot, build: Path) -> None:
    expected = trace_answers([str(build)], project, [TEX, "others.bundle"], ["implicit"])
    project.memory.clear()
    with ThreadPoolExecutor(8) as threads:
        asked = [
            threads.submit(trace_answers, [str(build)], project, [TEX, "others.bundle"], ["implicit"])
            for _ in range(32)
        ]
        assert all(found.result() == expected for found in asked)


def test_groups_are_those_of_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_settings(root, "First", "Second")
    add_group(root, "First", (TEX, "tex", ("a",)))
    add_group(root, "Second", ("Assets/Only.png", "only", ()), ("f" * 32, "gone", ()))
    project = open_project(str(root))
    project.refresh()
    for words, more in (
        ((), {}),
        (("First",), {}),
        (("--duplicates",), {"duplicates": True}),
        (("--entries",), {"entries": True}),
    ):
        found = group_answers(project, [word for word in words if word == "First"], **more)
        main(["groups", *words, "--project", str(root), "--json", "-q"])
        printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert json.loads(json.dumps(found["rows"])) == printed
        assert found["problems"] == [f"Second: gone: its asset is gone ({'f' * 32})"]
    assert group_answers(project)["rows"]
    for words, error in ((("Third",), "no group"), ((), 'no profile "Nobody\'s"; theirs: ')):
        with pytest.raises(UsageError, match=error):
            group_answers(project, words, profile="" if words else "Nobody's")
    with pytest.raises(UsageError, match="exclude"):
        group_answers(project, duplicates=True, entries=True)
    project.close()


def test_a_plan_stands_until_the_settings_beside_the_tree_are_others(root: Path, build: Path) -> None:
    add_settings(root, "First")
    add_group(root, "First", (TEX, "tex", ()))
    project = open_project(str(root))
    project.refresh()
    plan = cached_plan(project)
    assert plan is not None
    assert cached_plan(project) is plan
    tracer = cached_tracer([str(build)], project)
    assert cached_tracer([str(build)], project) is tracer
    settings = "EditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n    path: Assets/Tex.png\n"
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(f"%YAML 1.1\n--- !u!1045 &1\n{settings}")
    later = cached_plan(project)
    assert later is not plan
    assert cached_tracer([str(build)], project) is not tracer
    project.close()


def test_a_project_without_groups_says_so(project: Snapshot) -> None:
    assert group_answers(project) == {"settings": "", "rows": [], "problems": []}
