"""An answer is derived again exactly when something that its function looked at has changed."""

from __future__ import annotations

import json
import os
import random
import shutil
import time
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.memo.facts import Extraction
from assetdb.memo.file import MemoFile, columns, split_columns
from assetdb.memo.inputs import (
    ALONE,
    ASSETS,
    CONTENT,
    EXISTENCE,
    HISTORY,
    IDENTITY,
    PACKAGES,
    PREFABS,
    READ,
    REFERENCES,
    SCRIPTS,
    TOPS,
    TREE,
    UNSEEN,
)
from assetdb.memo.memo import Codec, Memo, memo_of
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.store.files import MEMO_NAME
from assetdb.system.identity import RACY
from assetdb.version import VERSION
from tests.assetdb.unity_project import HEAD, SETTLED, component, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.memo.view import View

CODEC: Codec[Any] = Codec(lambda answer: json.dumps(answer).encode(), json.loads)
SCENE = "Assets/Main.unity"
SETTINGS = "ProjectSettings/EditorSettings.asset"


class Project:
    """A project whose memo is asked one question after the other, each as a command of its own."""

    def __init__(self, root: Path, out: Path) -> None:
        self.root = root
        self.out = out
        self.calls = 0

    def ask(self, look: Callable[[View], object], key: str = "key", version: str = "1") -> Any:  # noqa: ANN401
        """Return what a function makes of the project, by a memo that is written afterwards."""
        time.sleep(0.05)  # what was written before is old enough to be told from what it becomes

        def counted(view: View) -> Any:  # noqa: ANN401
            self.calls += 1
            return look(view)

        project = open_project(str(self.root), str(self.out))
        try:
            memo = memo_of(project)
            found = memo.derive(memo.inputs(project), key, version, counted, CODEC)
            assert memo.write()
        finally:
            project.close()
        return found

    def is_kept(self, look: Callable[[View], object]) -> bool:
        before = self.calls
        self.ask(look)
        return self.calls == before

    def noted(self) -> set[tuple[str, str]]:
        return set(Memo(str(self.out)).noted("key", "1"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = make_project(tmp_path / "Game")
    (root / "ProjectSettings").mkdir(exist_ok=True)
    (root / SETTINGS).write_text("%YAML 1.1\n")
    return Project(root, tmp_path / "out")


def size_of(path: str) -> Callable[[View], object]:
    return lambda view: [len(view.read(path) or b"")]


def test_an_answer_is_derived_once(project: Project) -> None:
    first = project.ask(size_of(SCENE))
    assert project.ask(size_of(SCENE)) == first
    assert project.calls == 1
    assert project.noted() == {(CONTENT, SCENE)}


@pytest.mark.parametrize("path", [SCENE, SETTINGS, "Assets/Nothing.txt", "Nothing.txt"])
def test_a_file_that_was_read_changes_comes_or_goes(project: Project, path: str) -> None:
    file = project.root / path
    for edit in (lambda: file.write_text("other"), file.unlink, lambda: file.write_text("again")):
        project.ask(size_of(path))
        assert project.is_kept(size_of(path))
        edit()
        assert not project.is_kept(size_of(path))


def test_a_file_that_was_not_read_changes_nothing(project: Project) -> None:
    project.ask(size_of(SETTINGS))
    (project.root / SCENE).write_text("other")
    (project.root / "Assets/New.txt").write_text("new")
    assert project.is_kept(size_of(SETTINGS))


def test_another_version_of_the_function_derives_anew(project: Project) -> None:
    project.ask(size_of(SCENE))
    project.ask(size_of(SCENE), version="2")
    assert project.calls == 2


def test_each_key_has_its_own_answer(project: Project) -> None:
    assert project.ask(lambda _view: [1], "one") == [1]
    assert project.ask(lambda _view: [2], "two") == [2]
    assert project.ask(lambda _view: [3], "one") == [1]


def add_asset(root: Path) -> None:
    write(root, "Assets/More.mat", 900, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: More\n")


def add_meta(root: Path) -> None:
    (root / "Assets/Gone.asset.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(901)}\n")


def add_manifest(root: Path) -> None:
    (root / "Packages").mkdir(exist_ok=True)
    (root / "Packages/manifest.json").write_text('{"dependencies": {"com.example.new": "1.0.0"}}')


def refer_to_script(root: Path) -> None:
    write(root, "Assets/Code.cs", 902, "class Code {}\n")
    script = f"  m_Script: {{fileID: 11500000, guid: {guid(902)}, type: 3}}\n"
    write(
        root, "Assets/User.prefab", 903, HEAD + game_object(1, "User") + component(114, 2, 1, "MonoBehaviour", script)
    )


LENGTH = Extraction("length", "1", len, int)
TEXT = Extraction("text", "1", bytes.decode, str)
LOOKS: tuple[tuple[str, Callable[[View], object], Callable[[Path], object], set[str]], ...] = (
    ("assets", lambda view: len(view.database.guids()), add_asset, {ASSETS}),
    ("packages", lambda view: len(view.packages.list.rows), add_manifest, {PACKAGES}),
    ("scripts", lambda view: view.graph(SCRIPTS).node(1), refer_to_script, {ASSETS, REFERENCES}),
    ("prefabs", lambda view: view.graph(PREFABS).node(1), refer_to_script, {ASSETS, REFERENCES}),
    (
        "names",
        lambda view: view.names_in("ProjectSettings"),
        lambda root: (root / "ProjectSettings/A").touch(),
        {CONTENT},
    ),
    ("existence", lambda view: view.exists("A"), lambda root: (root / "A").touch(), {EXISTENCE}),
    ("head", lambda view: len(view.head(SCENE, 5)), lambda root: (root / SCENE).write_text("x"), {IDENTITY}),
    ("facts", lambda view: view.facts(SCENE, LENGTH), lambda root: (root / SCENE).write_text("x"), {CONTENT}),
    (
        "lone metas",
        lambda view: view.resolver.absence(guid(901), 100100000),
        add_meta,
        {ASSETS, ALONE, UNSEEN, PACKAGES},
    ),
)


@pytest.mark.parametrize(("look", "edit", "kinds"), [row[1:] for row in LOOKS], ids=[row[0] for row in LOOKS])
def test_whatever_is_looked_at_is_noted(
    project: Project, look: Callable[[View], object], edit: Callable[[Path], object], kinds: set[str]
) -> None:
    project.ask(lambda view: [look(view)])
    assert {kind for kind, _ in project.noted()} == kinds
    assert project.is_kept(lambda view: [look(view)])
    edit(project.root)
    assert not project.is_kept(lambda view: [look(view)])


def test_a_name_rests_on_every_prefab_of_the_chain(project: Project) -> None:
    """The name of an object in an instance is in the file that the instance comes from."""

    def name(view: View) -> list[str]:
        return [view.resolver.name(guid(1), 100).name]

    path = next(path for path in (project.root / "Assets").rglob("*.meta") if guid(1) in path.read_text())
    project.ask(name)
    target = path.with_suffix("").relative_to(project.root).as_posix()
    assert {(CONTENT, target), (CONTENT, f"{target}.meta")} <= project.noted()
    (project.root / target).write_text((project.root / target).read_text() + "\n")
    assert not project.is_kept(name)


def test_another_kind_of_project_is_noted(project: Project) -> None:
    project.ask(lambda view: list(view.tops))
    assert project.noted() == {(TOPS, "")}
    (project.root / "package.json").write_text('{"name": "com.example.game"}')
    (project.root / "ProjectSettings").rename(project.root / "Settings")
    (project.root / "Assets").rename(project.root / "Runtime")
    assert project.ask(lambda view: list(view.tops)) == ["Packages/com.example.game"]


def test_a_clone_is_as_what_it_was_cloned_from(project: Project, tmp_path: Path) -> None:
    def look(view: View) -> list[object]:
        found = [len(view.read(path) or b"") for path in (SCENE, SETTINGS, str(view.resolver.root) + "/" + SETTINGS)]
        return [*found, view.names_in("ProjectSettings"), view.exists("A"), view.facts(SETTINGS, LENGTH)]

    project.ask(look)
    for number in range(2):
        place = tmp_path / f"clone {number}"
        shutil.copytree(project.root, place / "Game", copy_function=shutil.copyfile)
        shutil.copytree(project.out, place / "out", copy_function=shutil.copyfile)
        project.root, project.out = place / "Game", place / "out"
        assert project.is_kept(look)
        assert project.is_kept(look)
        (project.root / SETTINGS).write_text(f"other {number}")
        assert not project.is_kept(look)


def test_history_is_noted_where_a_package_is_absent(project: Project) -> None:
    add_manifest(project.root)
    project.ask(lambda view: [view.resolver.absence(guid(999), 100100000)])
    assert (HISTORY, "") in project.noted()


def test_the_whole_tree_is_one_input(project: Project) -> None:
    def look(view: View) -> list[int]:
        view.note(TREE)
        return [1]

    project.ask(look)
    assert project.is_kept(look)
    (project.root / SCENE).write_text("other")
    assert not project.is_kept(look)


def test_a_file_as_young_as_the_look_is_read_again(project: Project) -> None:
    soon = time.time() + 1000
    for text, is_kept in (("first", False), ("first", True), ("other", False), ("other", True)):
        (project.root / SETTINGS).write_text(text)
        os.utime(project.root / SETTINGS, (soon, soon))
        assert project.is_kept(size_of(SETTINGS)) == is_kept


def test_an_answer_rests_on_what_it_was_derived_from(project: Project) -> None:
    def outer(view: View) -> list[int]:
        with_project = open_project(str(project.root), str(project.out))
        memo = memo_of(with_project)
        memo.derive(memo.inputs(with_project), "inner", "1", size_of(SETTINGS), CODEC)
        view.inherit(memo.noted("inner", "1"))
        with_project.close()
        return [1]

    project.ask(outer)
    assert project.noted() == {(CONTENT, SETTINGS)}
    (project.root / SETTINGS).write_text("other")
    assert not project.is_kept(outer)


def test_a_file_that_changes_between_look_and_read_is_read_again(project: Project) -> None:
    """And is put back afterwards, as by a checkout: the answer is not of what was looked at."""
    path = project.root / SETTINGS
    first = path.read_text()

    def look(view: View) -> list[str]:
        view.note(CONTENT, SETTINGS)
        if project.calls == 1:
            path.write_text("other")
        return [(view.read(SETTINGS) or b"").decode(), view.facts(SETTINGS, TEXT)]

    assert project.ask(look) == ["other", "other"]
    path.write_text(first)
    assert project.ask(look) == [first, first]


def test_an_answer_of_no_one_tree_serves_its_own_scan_alone(project: Project) -> None:
    """A storm of edits had one check judge all twice, and what was scanned may come back for the next one."""
    time.sleep(0.05)
    calls = []

    def look(view: View) -> str:
        calls.append(view)
        view.note(READ, "", RACY)
        return "torn"

    for expected in (1, 2):
        opened = open_project(str(project.root), str(project.out))
        memo = memo_of(opened)
        for _ in range(3):
            assert memo.derive(memo.inputs(opened), "key", "1", look, CODEC) == "torn"
        assert len(calls) == expected
        assert memo.write()
        opened.close()


def test_a_folder_that_changes_between_look_and_read_is_read_again(project: Project) -> None:
    added = project.root / "Assets/added.txt"

    def look(view: View) -> list[str]:
        view.note(CONTENT, "Assets")
        if project.calls == 1:
            added.write_text("")
        return view.names_in("Assets")

    assert added.name in project.ask(look)
    added.unlink()
    assert added.name not in project.ask(look)


def test_a_folder_is_another_than_a_file_with_its_names(project: Project) -> None:
    path = project.root / "Assets/folder"
    path.mkdir()
    (path / "name").write_text("")

    def look(view: View) -> list[str]:
        return view.names_in("Assets/folder")

    assert project.ask(look) == ["name"]
    shutil.rmtree(path)
    path.write_text("name")
    assert project.ask(look) == []


def test_a_function_that_fails_leaves_what_was_known(project: Project) -> None:
    project.ask(size_of(SCENE))
    (project.root / SCENE).write_text("other")

    def fail(_view: View) -> object:
        raise ValueError("no answer")

    with pytest.raises(ValueError, match="no answer"):
        project.ask(fail)
    assert project.ask(size_of(SCENE)) == [5]


def test_the_latest_answer_is_known_after_a_change(project: Project) -> None:
    first = project.ask(size_of(SCENE))
    (project.root / SCENE).write_text("other")
    memo = Memo(str(project.out))
    assert memo.latest("key", "1", CODEC) == first
    assert memo.latest("key", "2", CODEC) is None
    assert json.loads(memo.kept("key") or b"") == first


def test_a_digest_is_of_a_right_answer_alone(project: Project) -> None:
    def digest() -> str:
        opened = open_project(str(project.root), str(project.out))
        memo = memo_of(opened)
        found = memo.digest(memo.inputs(opened), "key", "1")
        opened.close()
        return found

    assert digest() == ""
    project.ask(lambda view: [len(view.read(SCENE) or b"") > 0])
    first = digest()
    assert first
    (project.root / SCENE).write_text("other")
    assert digest() == ""
    project.ask(lambda view: [len(view.read(SCENE) or b"") > 0])
    assert digest() == first  # the same answer, of another file
    (project.root / SCENE).write_text("")
    project.ask(lambda view: [len(view.read(SCENE) or b"") > 0])
    assert digest() not in ("", first)


def test_what_has_no_codec_is_for_this_process_alone(project: Project) -> None:
    opened = open_project(str(project.root), str(project.out))
    memo = memo_of(opened)
    time.sleep(0.05)
    found = memo.derive(memo.inputs(opened), "key", "1", lambda view: [view.read(SCENE)])
    assert memo.derive(memo.inputs(opened), "key", "1", lambda view: [view.read(SCENE)]) is found
    memo.write()
    opened.close()
    assert Memo(str(project.out)).kept("key") is None


def test_a_newer_snapshot_of_the_same_tree_derives_nothing(project: Project) -> None:
    time.sleep(0.05)
    memory: dict[str, object] = {}
    answers = []
    for _ in range(3):
        opened = open_project(str(project.root), str(project.out))
        snapshot = Snapshot(
            str(project.root),
            str(project.out / "asset-db.bin"),
            opened.database,
            listing=opened.listing,
            diagnostics=opened.diagnostics,
            memory=memory,
        )
        memo = memo_of(snapshot)
        answers.append(memo.derive(memo.inputs(snapshot), "key", "1", size_of(SCENE)))
        opened.close()
    assert answers[1] is answers[0]
    assert answers[2] is answers[0]


@pytest.mark.long
def test_random_edits_give_what_a_fresh_memo_gives(project: Project, tmp_path: Path) -> None:
    chosen = random.Random(7)
    names = [f"Assets/f{number}.txt" for number in range(4)]

    def look(view: View) -> object:
        return [[len(view.read(name) or b"") for name in names[:2]], len(view.database.guids()), view.exists(names[2])]

    for _ in range(25):
        number = chosen.randrange(4)
        file = project.root / names[number]
        if file.exists() and chosen.random() < 0.4:
            file.unlink()
        else:
            write(project.root, names[number], 950 + number, "x" * chosen.randrange(9))
        fresh = Project(project.root, tmp_path / "fresh")
        found = project.ask(look)
        assert found == fresh.ask(look)
        for left in (tmp_path / "fresh").glob("asset-db.memo"):
            left.unlink()
    assert project.calls < 25


@pytest.mark.parametrize(
    "rows",
    [
        ["nothing", "", "number", "1"],
        ["existence", "", "number", "x"],
        ["existence", "", "list", "1"],
        ["existence", ""],
    ],
)
def test_inputs_that_a_damaged_file_invents_are_none(project: Project, rows: list[str]) -> None:
    first = project.ask(size_of(SCENE))
    file = MemoFile(str(project.out / MEMO_NAME), VERSION)
    head = split_columns(file.part("key", 0) or b"")
    parts = [columns([*head[:3], *map(str.encode, rows)]), *(file.part("key", number) or b"" for number in (1, 2))]
    file.put("key", parts)
    assert file.write()
    assert project.ask(size_of(SCENE)) == first
    assert project.calls == 2


def test_nothing_is_written_while_more_follows(tmp_path: Path) -> None:
    memo = Memo(str(tmp_path))
    memo.is_held = True
    memo.put("a", b"1")
    assert memo.write()
    memo.write_if_due()
    assert Memo(str(tmp_path)).get("a") is None
    memo.is_held = False
    memo.write_if_due()
    assert Memo(str(tmp_path)).get("a") == b"1"


def test_answers_of_another_process_are_current_and_ours_stay(project: Project) -> None:
    def look(view: View) -> object:
        project.calls += 1
        return [view.read(SETTINGS) is not None, project.calls]

    time.sleep(SETTLED)
    opened = open_project(str(project.root), str(project.out))
    try:
        ours, theirs = Memo(str(project.out)), Memo(str(project.out))
        found = theirs.derive(theirs.inputs(opened), "theirs", "1", look, CODEC)
        theirs.derive(theirs.inputs(opened), "both", "1", look, CODEC)
        own = ours.derive(ours.inputs(opened), "both", "1", look, CODEC)
        assert not ours.is_known("theirs", "1")
        ours.take(theirs.handed())
        assert ours.is_known("theirs", "1")
        assert not ours.is_known("theirs", "2")
        assert ours.derive(ours.inputs(opened), "theirs", "1", look, CODEC) == found
        assert ours.derive(ours.inputs(opened), "both", "1", look, CODEC) == own
        assert project.calls == 3
        assert ours.write()
        again = Memo(str(project.out))
        assert again.derive(again.inputs(opened), "theirs", "1", look, CODEC) == found
        assert again.derive(again.inputs(opened), "both", "1", look, CODEC) == own
        assert project.calls == 3
    finally:
        opened.close()


def test_edits_go_with_the_answers_of_their_question(project: Project) -> None:
    """They have the project as it was, which a daemon would keep until the next question."""
    project.ask(size_of(SCENE))
    time.sleep(SETTLED)
    found = open_project(str(project.root), str(project.out))
    try:
        found.refresh()
        memo = memo_of(found)
        memo.put_tree(memo.inputs(found))
        edits = weakref.ref(known := memo.edits(memo.inputs(found)))
        assert known is not None
        assert memo.edits(memo.inputs(found)) is known
        del known
        memo.forget([])
        assert edits() is None
    finally:
        found.close()


def test_answers_are_shared_between_clones(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the user has a folder of shared facts; whoever changed a file derives the answer for it."""
    monkeypatch.setenv("ASSETDB_FACTS", str(tmp_path / "facts"))
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))  # nothing is young
    settings = project.root / "ProjectSettings/ProjectSettings.asset"
    settings.write_text(f"%YAML 1.1\nPlayerSettings:\n  productGUID: {guid(500)}\n")
    look = size_of(SCENE)
    first = project.ask(look)
    for name in ("same", "edited"):
        shutil.copytree(project.root, tmp_path / name, copy_function=shutil.copyfile)
        other = Project(tmp_path / name, tmp_path / f"out of {name}")
        if name == "edited":
            (other.root / SCENE).write_text(HEAD + game_object(1, "Longer than before"))
        assert (other.ask(look) == first, other.calls) == ((True, 0) if name == "same" else (False, 1))
