"""The meaning of a question: GUIDs, paths, names, printed answers, and those that come near."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import UsageError
from assetdb.query.selecting.selector import (
    Subject,
    Unmatched,
    as_utf_8,
    find_sorted,
    find_subject,
    guid_of_file,
    is_guid,
    name_matcher_of,
    name_of,
    name_or_texture,
    read_subject,
)
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import guid, make_project, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

PLAYER = "Assets/Prefabs/Player.prefab"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("selector") / "Game")
    copy = root / "Assets" / "Copy.prefab"
    shutil.copy(root / PLAYER, copy)
    write_meta(root, "Assets/Copy.prefab", 1, "PrefabImporter:\n  userData: \n")  # with the GUID of Player.prefab
    write(root, "Assets/plain.png", 70, b"\x89PNG", "TextureImporter:\n  spriteMode: 0\n  textureType: 0\n")
    write_meta(root, "Assets/Prefabs", 50, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    return root


@pytest.fixture(scope="module")
def project(root: Path) -> Iterator[Snapshot]:
    found = open_project(str(root), str(root / "Library" / "assetdb"))
    yield found
    found.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (guid(1), (guid(1), None)),
        (guid(1).upper(), (guid(1), None)),
        (f"{guid(1)}:-5", (guid(1), -5)),
        (f"{{fileID: 7, guid: {guid(1)}, type: 3}}", (guid(1), 7)),
        (f'"guid":"{guid(1)}"', (guid(1), None)),
        (f"guid: {guid(1)}", (guid(1), None)),
        (f"project://database/Assets/guide/fileIDs.uss?fileID=7&amp;guid={guid(1)}&amp;type=3#guide", (guid(1), 7)),
        (f"{{fileID: 7, guid: {guid(1)}0, type: 3}}", None),
        (f"{{fileID: {1 << 63}, guid: {guid(1)}, type: 3}}", None),
        (f"{{fileID: -{'9' * 5000}, guid: {guid(1)}, type: 3}}", None),
        (f"{{fileID: {-(1 << 63)}, guid: {guid(1)}, type: 3}}", (guid(1), -(1 << 63))),
        (f"{guid(1)}0", None),
        (guid(1)[:-1], None),
        ("Player", None),
    ],
)
def test_references_as_they_are_printed(text: str, expected: tuple[str, int | None] | None) -> None:
    found = read_subject(text)
    assert (found and (found.guid, found.file_id)) == expected
    assert is_guid(text) == (len(text) == 32 and expected is not None)


@pytest.mark.parametrize(
    ("text", "number", "file_id"),
    [
        (PLAYER, 1, None),
        (f"{PLAYER}.meta", 1, None),
        ("Prefabs/Player.prefab", 1, None),
        ("Player.prefab", 1, None),
        ("Player", 1, None),
        ("LEVEL", 2, None),
        ("tiles.png", 4, None),
        ("tiles_first", 4, 555),
        ("TILES_SECOND", 4, -666),
        (f"{PLAYER}:400", 1, 400),
        (f"{PLAYER}:4", 1, 100),  # of the object around that line
        ("Level.prefab / Hero / Body / Sword (GameObject)", 2, 500),
        ("Assets/Art", 10, None),
        ("  Level  ", 2, None),
    ],
)
def test_texts_that_mean_one_thing(project: Snapshot, text: str, number: int, file_id: int | None) -> None:
    found = find_subject(text, project)
    assert isinstance(found, Subject), found
    assert (found.guid, found.file_id) == (guid(number), file_id)


def test_paths_begin_at_the_project_or_at_the_working_directory(project: Snapshot, root: Path) -> None:
    for text, cwd in (
        ("Level.prefab", root / "Assets" / "Prefabs"),
        (str(root / "Assets/Prefabs/Level.prefab"), root.parent),
    ):
        found = find_subject(text, project, str(cwd))
        assert isinstance(found, Subject)
        assert (found.guid, found.path) == (guid(2), "")


def test_a_file_that_shares_its_guid_is_told_by_its_path(project: Snapshot, root: Path) -> None:
    own = project.assets.by_guid(guid(1))
    assert own is not None
    loser = ({PLAYER, "Assets/Copy.prefab"} - {own.path}).pop()
    for path in (PLAYER, "Assets/Copy.prefab"):
        subject = find_subject(path, project)
        assert isinstance(subject, Subject)
        assert (subject.guid, subject.path) == (guid(1), loser if path == loser else "")
        assert name_of(subject, project).path == path
    gone = root / "Assets" / "Fresh.mat"
    write_meta(root, "Assets/Fresh.mat", 90, "NativeFormatImporter:\n  userData: \n")  # since the last look
    found = find_subject("Assets/Fresh.mat", project)
    gone.with_name("Fresh.mat.meta").unlink()
    assert isinstance(found, Subject)
    assert (found.guid, found.path) == (guid(90), "")


@pytest.mark.parametrize("folders", [False, True])
def test_folders_without_a_guid_are_meant_where_they_may_be(project: Snapshot, *, folders: bool) -> None:
    found = find_subject("Assets/Scripts", project, folders=folders)
    assert isinstance(found, Subject) == folders
    with_guid = find_subject("Assets/Prefabs", project, folders=folders)
    assert isinstance(with_guid, Subject)
    assert with_guid.guid == guid(50)


def test_texts_that_mean_nothing_have_suggestions(project: Snapshot) -> None:
    found = find_subject("Levl.prefab", project)
    assert isinstance(found, Unmatched)
    assert not found.ambiguous
    assert "Assets/Prefabs/Level.prefab" in found.candidates
    assert find_subject("Levl.prefab", project, suggest=False) == Unmatched("Levl.prefab", (), ambiguous=False)
    assert find_subject(" ", project) == Unmatched("", (), ambiguous=False)
    level = find_subject("Level", project)
    assert isinstance(level, Subject)
    assert name_of(level, project).path == "Assets/Prefabs/Level.prefab"


@pytest.mark.parametrize("text", ["tool.cs", "TOOL", "com.acme.tools/tool.cs", "tool.cs:1"])
def test_assets_of_packages_are_found_in_any_case(project: Snapshot, text: str) -> None:
    found = find_subject(text, project)
    assert isinstance(found, Subject)
    assert name_of(found, project).path == "Packages/com.acme.tools/Tool.cs"


def test_matches_are_in_the_order_of_paths(project: Snapshot) -> None:
    found = find_sorted("a", project)
    assert [match.path for match in found] == sorted(match.path for match in found)
    assert find_sorted("a", project, at_once=2) == found
    assert {match.file_id for match in find_sorted("tiles", project)} == {None, 555, -666}
    assert next(match.file_id for match in find_sorted("tiles", project)) is None
    assert {match.type for match in find_sorted("*", project, ["sprite"])} == {"Sprite"}
    assert [match.path for match in find_sorted("*.CS", project)] == [
        "Assets/Scripts/Health.cs",
        "Packages/com.acme.tools/Tool.cs",
    ]
    assert [match.path for match in find_sorted("data", project, ["health"])] == ["Assets/data.asset"]


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("ay", "PLAYER", True),
        ("layer*", "Player", False),
        ("p?ayer", "Player", True),
        ("[op]layer", "Player", True),
        ("[!op]layer", "Player", False),
        ("[]]", "]", True),
        ("[!]]", "]", False),
        ("[[]", "[", True),
        ("É", "é", True),
    ],
)
def test_patterns(pattern: str, name: str, *, expected: bool) -> None:
    assert bool(name_matcher_of(pattern)(name)) == expected


@pytest.mark.parametrize(("pattern", "place"), [("a[b", 2), ("[a][", 4), ("[!]", 1), ("[]", 1)])
def test_brackets_that_are_not_closed_are_told_of(pattern: str, place: int) -> None:
    with pytest.raises(UsageError, match=f"the \\[ at character {place} is not closed"):
        name_matcher_of(pattern)


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        (f"guid: {guid(1).upper()}\n", guid(1)),
        (f"guid:{guid(1)}", guid(1)),
        (f"\ufeffguid: {guid(1)}\r\n", guid(1)),
        # Other writers sort the keys: what a model refers to stands before its own GUID.
        (f"M:\n  externalObjects:\n  - second: {{fileID: 1, guid: {guid(2)}, type: 2}}\nguid: {guid(1)}\n", guid(1)),
        (f"M:\n  userData: guid: {guid(2)}\nfileFormatVersion: 2\nguid: {guid(1)}\n", guid(1)),
        ("guid: 12\n", ""),
        ("guid:", ""),
        ("", ""),
    ],
)
def test_the_guid_of_a_file(tmp_path: Path, meta: str, expected: str) -> None:
    (tmp_path / "a.mat.meta").write_bytes(meta.encode())
    assert guid_of_file(str(tmp_path / "a.mat")) == expected
    assert guid_of_file(str(tmp_path / "a.mat.meta")) == expected
    assert guid_of_file(str(tmp_path / "b.mat")) == ""


def test_what_means_nothing_says_why() -> None:
    few = Unmatched("a", ("Assets/a.png", "Assets/b/a.png"), ambiguous=True)
    assert few.why == "'a' is ambiguous (2 matches):\n  Assets/a.png\n  Assets/b/a.png"
    twenty = Unmatched("a", tuple(f"A{number}" for number in range(20)), ambiguous=True)
    assert twenty.why.endswith("\n  A19")
    many = twenty._replace(candidates=(*twenty.candidates, "A20", "A21"))
    assert many.why == twenty.why.replace("(20", "(22") + "\n  and 2 more"
    none = Unmatched("a", (), ambiguous=False)
    assert none.why == "no asset named 'a'"
    assert none._replace(candidates=("b", "c")).why == "no asset named 'a'; did you mean 'b' or 'c'?"
    nothing = dict.fromkeys(("guid", "file_id", "name", "path", "type"))
    assert few.fields() == {**nothing, "reason": "ambiguous", "candidates": list(few.candidates)}
    assert none.fields() == {**nothing, "reason": "not-found", "candidates": []}


def test_a_folder_that_shares_its_guid_is_named_by_its_path(project: Snapshot) -> None:
    found = name_of(Subject(guid(1), None, folder="Assets/Prefabs"), project)
    assert (found.guid, found.name, found.path, found.type, found.reason) == (
        *(guid(1), "Prefabs", "Assets/Prefabs", "Folder", ""),
    )


@pytest.mark.parametrize(
    ("number", "file_id", "name"),
    [
        (70, 21300000, "plain.png"),  # as Unity refers to the one sprite that a texture can be
        (70, 555, ""),
        (4, 555, "tiles.png / tiles_first (Sprite)"),
        (4, 999, ""),
        (1, 21300000, ""),
        (77, 21300000, ""),
    ],
)
def test_an_absent_sprite_is_its_texture(project: Snapshot, number: int, file_id: int, name: str) -> None:
    found = name_or_texture(Subject(guid(number), file_id), project)
    assert found.name == name
    assert bool(found.reason) is not bool(name)


@pytest.mark.parametrize(
    ("text", "number", "file_id"),
    [
        (f"{PLAYER}.meta:2", 1, None),  # a line of a meta is of the whole asset
        (f"{PLAYER}: 400", 1, 400),
        ("Level.prefab:500", 2, 500),
        ("tiles.png:555", 4, 555),
    ],
)
def test_places_of_answers_mean_their_object(project: Snapshot, text: str, number: int, file_id: int | None) -> None:
    found = find_subject(text, project)
    assert isinstance(found, Subject), found
    assert (found.guid, found.file_id) == (guid(number), file_id)


@pytest.mark.parametrize("text", [":5", "Nobody:5", "Nobody / Body (GameObject)", " / a", "(GameObject)"])
def test_places_of_nothing_mean_nothing(project: Snapshot, text: str) -> None:
    assert isinstance(find_subject(text, project, suggest=False), Unmatched)


def test_half_of_a_surrogate_pair_is_replaced() -> None:
    assert as_utf_8("a\udcff") == "a\udcff"  # of a file's name
    assert as_utf_8("a\ud800") == "a?"
    assert as_utf_8("\u00e4") == "\u00e4"
