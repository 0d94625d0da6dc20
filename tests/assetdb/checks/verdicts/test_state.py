"""The state of all verdicts: after every edit the same as from nothing, and what lies behind it."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from assetdb.checks.verdicts.deciding import decide
from assetdb.checks.verdicts.judging import scan_tree
from assetdb.checks.verdicts.processing import ALONE, Processing
from assetdb.checks.verdicts.reading import read_one
from assetdb.checks.verdicts.state import State
from assetdb.memo.contents import ABSENT
from assetdb.memo.memo import Memo
from assetdb.memo.tree import Tree
from assetdb.query.snapshots.snapshot import open_project
from assetdb.scan.reader import LARGEST_META
from tests.assetdb.unity_project import HEAD, SETTLED, game_object, guid, instance, make_project, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.verdicts.deciding import Outcome
    from assetdb.checks.verdicts.locating import Problem
    from assetdb.packages.location import Location
    from assetdb.query.snapshots.snapshot import Snapshot

SCENE, PLAYER = b"Assets/Main.unity", b"Assets/Prefabs/Player.prefab"
PREFAB = "PrefabImporter:\n  userData: \n"
AT_FIRST = {("named", ""): 11, ("unnamed", "dangling"): 1, ("apart", "lfs-pointer"): 1, ("missing", "missing-asset"): 1}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "Game")


@contextmanager
def opened(root: Path) -> Iterator[Snapshot]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        yield project
    finally:
        project.close()


def follow(root: Path, state: State, processing: Processing = ALONE) -> State:
    """Bring a state up to date with the project on disk."""
    with opened(root) as project:
        project.refresh()
        listing = project.listing() or scan_tree(project)[0]
        inputs = Memo().inputs(project, listing)
        return state.follow(project, Tree(listing), processing, content=inputs.content_of)


def reasons(state: State) -> dict[bytes, list[tuple[int, str, str]]]:
    """Return line, GUID and reason of each problem, by file."""
    return {path: [(row[1], row[10], row[13]) for row in rows] for path, rows in sorted(state.problems.items())}


def shown(state: State) -> dict[tuple[str, str], int]:
    """Return the counts of verdicts that are of references."""
    return {outcome: count for outcome, count in state.counts.items() if outcome[0] != "none"}


def agrees_with_nothing(root: Path, state: State) -> None:
    """Compare a state with one from nothing."""
    anew = follow(root, State())
    assert state.counts == anew.counts
    assert state.problems == anew.problems
    assert state.nested == anew.nested
    assert state.files.keys() == anew.files.keys()
    assert sum(state.occurrences) == sum(anew.occurrences) == sum(state.by_code())


def test_nothing_is_known_at_first() -> None:
    assert State().counts == {}
    assert State().by_code() == []


def test_all_references_are_judged_counted_and_located(root: Path) -> None:
    state = follow(root, State())
    assert shown(state) == AT_FIRST
    assert reasons(state) == {
        SCENE: [(27, guid(1), "dangling"), (28, guid(77), "missing-asset"), (30, guid(7), "lfs-pointer")]
    }
    assert state.nested == {SCENE: (guid(2).encode(),), b"Assets/Prefabs/Level.prefab": (guid(1).encode(),)}
    assert sum(state.occurrences) == sum(state.counts.values())
    assert len(state.codes) == len(state.keys) == len(state.occurrences)
    assert state.history == ""  # all packages are here
    assert state.alone == {guid(11).encode(): "Assets/gone.mat"}


def test_a_state_that_nothing_changed_is_the_same(root: Path) -> None:
    state = follow(root, State())
    before = state.counts, dict(state.problems), list(state.keys)
    assert follow(root, state) is state
    assert (state.counts, state.problems, state.keys) == before


def test_a_changed_prefab_changes_the_verdicts_of_what_refers_to_it_and_nests_it(root: Path) -> None:
    time.sleep(SETTLED)
    state = follow(root, State())
    player = root / PLAYER.decode()
    text = player.read_text()
    write(root, PLAYER.decode(), 1, text.replace("&300", "&301").replace("fileID: 300", "fileID: 301"), PREFAB)
    follow(root, state)
    agrees_with_nothing(root, state)
    lost = [row for row in reasons(state)[SCENE] if row[2] == "dangling"]
    assert [row[1] for row in lost] == [guid(2), guid(1)]  # the object within the nested prefab is another, too
    write(root, PLAYER.decode(), 1, text, PREFAB)
    follow(root, state)
    assert shown(state) == AT_FIRST
    agrees_with_nothing(root, state)


def test_an_asset_that_appears_solves_the_problems_of_its_guid(root: Path) -> None:
    state = follow(root, State())
    write(root, "Assets/New.prefab", 77, HEAD + game_object(12345, "New"), PREFAB)
    follow(root, state)
    agrees_with_nothing(root, state)
    assert ("missing", "missing-asset") not in state.counts
    assert state.counts["named", ""] == AT_FIRST["named", ""] + 1


def test_a_removed_file_takes_its_references_and_problems_with_it(root: Path) -> None:
    state = follow(root, State())
    for name in ("Main.unity", "Main.unity.meta"):
        (root / "Assets" / name).unlink()
    follow(root, state)
    assert SCENE not in state.files
    assert SCENE not in state.nested
    assert state.problems == {}
    agrees_with_nothing(root, state)


def test_keys_that_no_file_has_are_forgotten_once_they_are_the_majority(root: Path) -> None:
    state = follow(root, State())
    every = len(state.keys)
    for name in ("Main.unity", "Main.unity.meta"):
        (root / "Assets" / name).unlink()
    follow(root, state)  # those of the scene stay where no key is new
    assert len(state.keys) == every
    used = sum(1 for count in state.occurrences if count)
    assert 2 * used < every
    write(root, "Assets/New.prefab", 40, HEAD + instance(5, 78), PREFAB)
    follow(root, state)
    assert all(state.occurrences)
    assert used < len(state.keys) < every
    agrees_with_nothing(root, state)


def test_a_prefab_that_nests_itself_is_a_problem_of_its_own(root: Path) -> None:
    state = follow(root, State())
    write(root, "Assets/Self.prefab", 40, HEAD + instance(5, 40), PREFAB)
    follow(root, state)
    assert "recursive-prefab" in {row[2] for row in reasons(state)[b"Assets/Self.prefab"]}
    agrees_with_nothing(root, state)


def test_a_text_asset_without_a_meta_is_read_and_read_again(root: Path) -> None:
    loose = root / "Assets/loose.prefab"
    loose.write_text(f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n  a: {{fileID: 1, guid: {guid(78)}, type: 3}}\n")
    state = follow(root, State())
    path = b"Assets/loose.prefab"
    assert list(state.loose) == [path]
    assert [row[1:] for row in reasons(state)[path]] == [(guid(78), "missing-asset")]
    loose.write_text(loose.read_text().replace(guid(78), guid(79)))
    follow(root, state)
    assert [row[1] for row in reasons(state)[path]] == [guid(79)]
    agrees_with_nothing(root, state)
    loose.unlink()
    follow(root, state)
    assert path not in state.files
    assert path not in state.problems
    agrees_with_nothing(root, state)


def test_a_meta_without_an_asset_makes_its_target_absent_until_it_is_gone(root: Path) -> None:
    write_meta(root, "Assets/away.prefab", 77, PREFAB)
    state = follow(root, State())
    assert state.counts["apart", "target-absent"] == 1
    (root / "Assets/away.prefab.meta").unlink()
    follow(root, state)
    assert shown(state) == AT_FIRST
    agrees_with_nothing(root, state)


def test_a_guid_that_two_assets_share_is_judged_by_its_owner(root: Path) -> None:
    write(root, "Assets/Twin.prefab", 1, HEAD + game_object(5, "Twin"), PREFAB)
    state = follow(root, State())
    agrees_with_nothing(root, state)
    (root / PLAYER.decode()).unlink()
    (root / f"{PLAYER.decode()}.meta").unlink()
    follow(root, state)
    agrees_with_nothing(root, state)
    assert state.counts["unnamed", "dangling"] > AT_FIRST["unnamed", "dangling"]


def places(state: State, path: bytes) -> list[Problem]:
    return state.problems.get(path, [])


def test_the_problems_of_an_unchanged_file_are_kept_as_they_are(root: Path) -> None:
    state = follow(root, State())
    before = places(state, SCENE)
    write(root, "Assets/Other.prefab", 41, HEAD + game_object(5, "Other"), PREFAB)
    follow(root, state)
    assert places(state, SCENE) == before
    assert state.work < 100


def test_a_scene_is_read_once_for_the_places_of_its_problems_while_what_it_nests_is_edited(root: Path) -> None:
    time.sleep(SETTLED)
    state = follow(root, State())
    player = root / PLAYER.decode()
    text = player.read_text()
    with patch("assetdb.checks.verdicts.locating.read_one", side_effect=read_one) as reading:
        for number in range(5):
            write(root, PLAYER.decode(), 1, text + "\n" * (number + 1), PREFAB)
            follow(root, state)
    assert [call.args[1] for call in reading.call_args_list].count(SCENE) == 1
    agrees_with_nothing(root, state)
    scene = root / SCENE.decode()
    scene.write_text(scene.read_text().replace("--- !u!", "\n--- !u!", 1))  # all lines are other ones
    before = places(state, SCENE)
    follow(root, state)
    assert [row[1] for row in places(state, SCENE)] == [row[1] + 1 for row in before]
    agrees_with_nothing(root, state)


def test_a_lone_meta_that_goes_while_a_resolver_knows_it_is_judged_again(root: Path) -> None:
    """The siege found it in a daemon: ``target-absent`` for good, where a process of its own says ``missing-asset``."""
    scene = root / SCENE.decode()
    scene.write_text(scene.read_text().replace(guid(77), guid(11)))
    meta = root / "Assets/gone.mat.meta"
    state = State()
    for change, reason in (
        (meta.unlink, "missing-asset"),
        (lambda: write_meta(root, "Assets/gone.mat", 11, "NativeFormatImporter:\n  userData: \n"), "target-absent"),
    ):
        with opened(root) as project:
            project.refresh()
            listing = project.listing() or scan_tree(project)[0]
            tree = Tree(listing)
            project.resolver.locate(guid(11))
            change()
            state.follow(project, tree, ALONE, content=Memo().inputs(project, listing).content_of)
        follow(root, state)
        agrees_with_nothing(root, state)
        assert reason in [found for _, target, found in reasons(state)[SCENE] if target == guid(11)]


def test_a_file_that_git_replaces_while_its_problems_are_located_is_read_again(root: Path) -> None:
    """The siege found it: a file was gone for a moment, and its content came back."""
    time.sleep(SETTLED)
    state = State()
    with patch("assetdb.checks.verdicts.locating.read_one", return_value=None):
        follow(root, state)
    assert state.is_torn
    assert SCENE not in state.problems
    follow(root, state)
    assert not state.is_torn
    assert SCENE in state.problems
    agrees_with_nothing(root, state)


@pytest.mark.parametrize("where", ["reading", "locating"])
@pytest.mark.parametrize("has_meta", [False, True])
@pytest.mark.parametrize("name", ["Loose.prefab", "Loose", "Loose.odd"])
def test_a_file_that_is_gone_or_closed_for_a_moment_is_read_again(
    root: Path,
    name: str,
    has_meta: bool,  # noqa: FBT001 - a row
    where: str,
) -> None:
    """The siege found it: a file without an extension had no findings, and its content came back."""
    path = f"Assets/{name}"
    (root / path).write_text(f"{HEAD}{game_object(5, 'A')}  x: {{fileID: 100, guid: {guid(77)}, type: 3}}\n")
    if has_meta:
        write_meta(root, path, 60, "DefaultImporter:\n  userData: \n")
    time.sleep(SETTLED)
    state = State()

    def read(root: str, relative: bytes, *, place: str = "") -> bytes | None:
        return None if relative == path.encode() else read_one(root, relative, place=place)

    with patch(f"assetdb.checks.verdicts.{where}.read_one", side_effect=read):
        follow(root, state)
    assert state.is_torn
    follow(root, state)
    assert not state.is_torn
    assert [row[2] for row in reasons(state)[path.encode()]] == ["missing-asset"]
    agrees_with_nothing(root, state)


@pytest.mark.parametrize("has_meta", [False, True])
def test_a_file_that_is_no_text_for_a_moment_is_read_again(root: Path, has_meta: bool) -> None:  # noqa: FBT001 - a row
    path = "Assets/Loose.odd"
    text = f"{HEAD}{game_object(5, 'A')}  x: {{fileID: 100, guid: {guid(77)}, type: 3}}\n"
    (root / path).write_text(text)
    if has_meta:
        write_meta(root, path, 60, "DefaultImporter:\n  userData: \n")
    time.sleep(SETTLED)
    state = State()

    def read(root: str, relative: bytes, *, place: str = "") -> bytes | None:
        if relative == path.encode():
            Path(root, path).write_bytes(b"\1no text")
        return read_one(root, relative, place=place)

    with patch("assetdb.checks.verdicts.reading.read_one", side_effect=read):
        follow(root, state)
    assert state.is_torn
    (root / path).write_text(text)
    time.sleep(SETTLED)
    follow(root, state)
    assert not state.is_torn
    assert [row[2] for row in reasons(state)[path.encode()]] == ["missing-asset"]
    agrees_with_nothing(root, state)


def test_a_file_without_text_is_no_file_that_changed(root: Path) -> None:
    (root / "Assets/Notes.odd").write_bytes(b"\1no text")
    (root / "Assets/Empty.odd").touch()
    time.sleep(SETTLED)
    assert not follow(root, State()).is_torn


def test_a_file_in_a_folder_that_was_closed_when_it_was_looked_at_is_read_again(root: Path) -> None:
    path = b"Assets/Loose.prefab"
    (root / path.decode()).write_text(f"{HEAD}  x: {{fileID: 100, guid: {guid(77)}, type: 3}}\n")
    state = State()
    for data, is_torn in (((root / path.decode()).read_bytes(), True), (None, False)):
        with (
            opened(root) as project,
            patch("assetdb.checks.verdicts.reading.read_one", return_value=data),
            patch("assetdb.checks.verdicts.locating.read_one", return_value=data),
        ):
            project.refresh()
            listing = project.listing() or scan_tree(project)[0]
            state.follow(project, Tree(listing), ALONE, content=lambda _: ABSENT)
        assert (path in state.problems) == is_torn
        assert state.is_torn >= is_torn


def test_a_meta_that_cannot_be_read_has_absent_targets_judged_again_and_nothing_else(root: Path) -> None:
    """In a storm a .meta often goes between listing and reading: each time all of FPSSample was judged anew."""
    time.sleep(SETTLED)
    state = follow(root, State())
    write(root, "Assets/Hidden.png", 78, "", "TextureImporter:\n")
    os.truncate(root / "Assets/Hidden.png.meta", LARGEST_META + 1)
    for outcome in (("apart", "unreadable"), ("missing", "missing-asset")):
        with patch("assetdb.checks.verdicts.state.decide", side_effect=decide) as deciding:
            follow(root, state)
        assert {key[:32] for call in deciding.call_args_list for key in call.args[1]} == {guid(77).encode()}
        assert shown(state)[outcome] == 1
        agrees_with_nothing(root, state)
        write_meta(root, "Assets/Hidden.png", 78, "TextureImporter:\n")


@pytest.mark.parametrize("processing", [ALONE, Processing(2, files=0, keys=0, placed=0)])
@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("name", ["Player.prefab", "Level.prefab", "Level.prefab.meta"])
def test_a_target_that_is_something_else_for_a_moment_is_examined_again(
    root: Path,
    name: str,
    is_first: bool,  # noqa: FBT001 - a row
    processing: Processing,
) -> None:
    """Random races found it: a target was empty when a check examined it, and its content came back."""
    state = State()
    target = root / "Assets/Prefabs" / name
    if not is_first:
        follow(root, state)
        target.write_text(target.read_text() + "\n")
    time.sleep(SETTLED)
    content = target.read_bytes()

    def decided(project: Snapshot, *given: Any) -> dict[bytes, Outcome]:  # noqa: ANN401 - as decide has them
        target.write_bytes(b"")
        try:
            return decide(project, *given)
        finally:
            time.sleep(SETTLED)
            target.write_bytes(content)

    with patch("assetdb.checks.verdicts.state.decide", side_effect=decided):
        follow(root, state, processing)
    assert state.is_torn
    time.sleep(SETTLED)
    follow(root, state)
    assert not state.is_torn
    agrees_with_nothing(root, state)


def test_targets_that_stayed_are_not_torn(root: Path) -> None:
    (root / "assetdb.toml").write_text('check-stat = "minimal"\n')
    time.sleep(SETTLED)
    assert not follow(root, State()).is_torn


def test_names_may_be_asked_while_targets_are_compared_with_their_scan(root: Path) -> None:
    """A daemon's other questions examine assets of the snapshot meanwhile: the set that was walked grew."""
    time.sleep(SETTLED)
    with opened(root) as project:
        project.refresh()
        listing = project.listing() or scan_tree(project)[0]
        resolver = project.resolver
        locate = resolver.locate

        def located(of: str) -> Location | None:
            resolver.examined.add(guid(100 + len(resolver.examined)))
            return locate(of)

        with patch.object(resolver, "locate", side_effect=located):
            state = State().follow(project, Tree(listing), ALONE, content=Memo().inputs(project, listing).content_of)
    assert not state.is_torn
