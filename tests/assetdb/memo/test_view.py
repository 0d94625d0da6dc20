"""A view of a project notes each input that a function looked at, and distrusts what changed meanwhile."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.memo.contents import ABSENT, Contents, content_of_bytes
from assetdb.memo.facts import Extraction, FileFacts
from assetdb.memo.inputs import (
    ALONE,
    ASSETS,
    CONTENT,
    EXISTENCE,
    HISTORY,
    IDENTITY,
    MARKS,
    PACKAGES,
    REFERENCES,
    SCRIPTS,
    TOPS,
    UNSEEN,
    UNTRACKED,
    USERS,
    Inputs,
)
from assetdb.memo.marks import USINGS
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from assetdb.system.identity import RACY, Identities
from tests.assetdb.history.repositories import git
from tests.assetdb.unity_project import guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

DATA = "Assets/Scripts/Health.cs"
TEXT = b"class Health {}\n"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    opened = open_project(str(make_project(tmp_path)))
    yield opened
    opened.close()


def viewed(project: Snapshot, facts: FileFacts | None = None) -> View:
    inputs = Inputs(project, None, {}, Contents(lambda: None), 0, facts)
    inputs.identities = Identities(time.time_ns() + 10_000_000_000)
    return View(inputs)


def test_an_input_is_noted_at_its_first_access(project: Snapshot) -> None:
    view = viewed(project)
    assert view.noted == {}
    assert view.tops == ("Assets", "Packages")
    assert view.noted == {(TOPS, ""): "Assets/Packages"}
    view.note(TOPS, "", "later")
    view.note("kind", "argument", 5)
    assert view.noted == {(TOPS, ""): "Assets/Packages", ("kind", "argument"): 5}
    view.inherit({("kind", "argument"): 6, ("other", ""): 7})
    assert (view.noted["kind", "argument"], view.noted["other", ""]) == (RACY, 7)  # it changed meanwhile
    view.inherit({("other", ""): 7})
    assert view.noted["other", ""] == 7


def test_database_graph_and_packages_are_inputs(project: Snapshot) -> None:
    view = viewed(project)
    assert view.database is project.database
    assert set(view.noted) == {(ASSETS, "")}
    assert view.graph(SCRIPTS) is project.database.graph
    assert set(view.noted) == {(ASSETS, ""), (REFERENCES, SCRIPTS)}
    assert view.packages is project.packages
    assert (PACKAGES, "") in view.noted


def test_an_answer_that_several_need_is_derived_once_and_each_rests_on_its_inputs(project: Snapshot) -> None:
    asked = []

    def text(view: View) -> bytes | None:
        asked.append(view)
        return view.read(DATA)

    one = viewed(project)
    other = View(one._inputs)
    assert [view.shared(text) for view in (one, other, other)] == [TEXT] * 3
    assert one.noted == other.noted == {(CONTENT, DATA): content_of_bytes(TEXT)}
    assert len(asked) == 1


def test_a_file_that_is_read_is_noted_by_its_content(project: Snapshot) -> None:
    view = viewed(project)
    assert view.read(DATA) == view.read(str(Path(project.root, DATA))) == TEXT
    assert view.read("Assets/none") is None
    assert view.noted == {(CONTENT, DATA): content_of_bytes(TEXT), (CONTENT, "Assets/none"): ABSENT}


def test_a_file_that_changed_since_it_was_noted_is_never_the_same(project: Snapshot) -> None:
    view = viewed(project)
    view.read(DATA)
    Path(project.root, DATA).write_bytes(b"other")
    assert view.read(DATA) == b"other"
    assert view.noted == {(CONTENT, DATA): RACY}


def test_names_in_a_folder_are_noted(project: Snapshot) -> None:
    view = viewed(project)
    assert view.names_in("Assets/Scripts") == ["Health.cs", "Health.cs.meta"]
    assert view.names_in("Assets/none") == []
    assert view.noted[CONTENT, "Assets/none"] == ABSENT
    kept = view.noted[CONTENT, "Assets/Scripts"]
    assert view.names_in("Assets/Scripts") == ["Health.cs", "Health.cs.meta"]
    assert view.noted[CONTENT, "Assets/Scripts"] == kept != RACY
    Path(project.root, "Assets/Scripts/New.cs").write_bytes(b"")
    assert "New.cs" in view.names_in("Assets/Scripts")
    assert view.noted[CONTENT, "Assets/Scripts"] == RACY


def test_whether_a_file_is_there_is_noted(project: Snapshot) -> None:
    view = viewed(project)
    assert view.exists(DATA)
    assert not view.exists(str(Path(project.root, "Assets/none")))
    assert view.noted == {(EXISTENCE, DATA): 1, (EXISTENCE, "Assets/none"): 0}


def test_facts_of_a_file_are_extracted_once_for_a_content(project: Snapshot) -> None:
    calls = []

    def length(data: bytes) -> int:
        calls.append(data)
        return len(data)

    known = FileFacts(lambda _: None)
    lengths = Extraction("length", "1", length, int)
    assert [viewed(project, known).facts(DATA, lengths) for _ in range(3)] == [len(TEXT)] * 3
    assert calls == [TEXT]
    upper = Extraction("upper", "1", lambda data: data.upper().decode(), str)
    assert viewed(project, known).facts(DATA, upper) == TEXT.upper().decode()
    Path(project.root, DATA).write_bytes(b"longer than before")
    assert viewed(project, known).facts(DATA, lengths) == 18
    assert viewed(project, known).facts("Assets/none", lengths) == 0
    view = viewed(project, known)
    view.read(DATA)
    Path(project.root, DATA).write_bytes(b"changed")
    assert view.facts(DATA, lengths) == 18  # as it was noted


def test_the_head_of_a_file_is_noted_by_its_identity(project: Snapshot) -> None:
    view = viewed(project)
    assert view.head(DATA, 5) == b"class"
    assert view.head("Assets/none", 5) == b""
    assert set(view.noted) == {(IDENTITY, DATA), (IDENTITY, "Assets/none")}
    assert view.noted[IDENTITY, "Assets/none"] == ABSENT
    before = view.noted[IDENTITY, DATA]
    Path(project.root, DATA).write_bytes(b"class Other {}\n")
    later = viewed(project)
    assert later.head(DATA, 100) == b"class Other {}\n"
    assert later.noted[IDENTITY, DATA] != before


def test_a_resolver_notes_the_files_of_a_name(project: Snapshot) -> None:
    view = viewed(project)
    assert view.resolver is view.resolver
    assert set(view.noted) == {(ASSETS, ""), (ALONE, ""), (UNSEEN, ""), (PACKAGES, "")}
    assert view.resolver.name(guid(1), 201).name == "Player.prefab / Body (Transform)"
    path = "Assets/Prefabs/Player.prefab"
    assert {(CONTENT, path), (CONTENT, f"{path}.meta")} <= set(view.noted)
    view.resolver.name(guid(4), 555)
    image = "Assets/Art/tiles.png"
    assert {(EXISTENCE, image), (CONTENT, f"{image}.meta")} <= set(view.noted)
    assert (CONTENT, image) not in view.noted  # its meta has the names
    assert view.resolver.name(guid(77), 1).reason == "missing-asset"


def test_history_is_an_input_of_names_if_a_package_is_absent(project: Snapshot) -> None:
    manifest = Path(project.root, "Packages/manifest.json")
    manifest.write_text('{"dependencies": {"com.acme.tools": "1.0.0", "com.acme.absent": "1.0.0"}}')
    again = open_project(project.root)
    again.refresh()
    view = viewed(again)
    assert view.resolver.name(guid(77), 1).reason == "package-not-present"
    assert (HISTORY, "") in view.noted
    again.close()


def test_a_script_is_named_without_its_bytes(project: Snapshot) -> None:
    view = viewed(project)
    assert view.resolver.locate(guid(3)) is not None
    assert (EXISTENCE, DATA) in view.noted
    assert (CONTENT, DATA) not in view.noted
    write(Path(project.root), "Assets/Scripts/Other.cs", 90, b"")
    assert view.resolver.locate(guid(90)) is None


FOLDERS = {
    "Assets": ["Art", "Main.unity", "data.asset"],
    "Assets/Art": ["boat.fbx", "icon.png", "lost.mat", "tiles.png"],
    "Assets/Prefabs": ["Level.prefab", "Player.prefab"],
    "Assets/Scripts": ["Health.cs"],
}


@pytest.mark.parametrize("is_listed", [False, True])
def test_folders_are_told_with_the_names_that_have_a_guid(project: Snapshot, is_listed: bool) -> None:  # noqa: FBT001 - a row
    listing = memo_of(project).inputs(project).listing if is_listed else None
    assert (listing is not None) is is_listed
    view = View(Inputs(project, listing, {}, Contents(lambda: None), 0))
    assert {folder: sorted(names) for folder, names in view.folders()} == FOLDERS
    assert set(view.noted) == {(ASSETS, "")}


def test_users_of_assets_are_noted_by_the_assets(project: Snapshot) -> None:
    view = viewed(project)
    assert view.users([]) == {}
    assert view.noted == {}
    found = view.users([guid(3), guid(77), guid(123)])
    assert {each: sorted(users) for each, users in found.items()} == {
        guid(3): [guid(1), guid(8), guid(9)],
        guid(77): [guid(8)],
    }
    assert set(view.noted) == {(USERS, " ".join((guid(3), guid(77), guid(123))))}


SCRIPTS_OF_TYPES = {
    "Assets/A.cs": "using System;\nnamespace Acme { class Door : Base {} }\n",
    "Assets/B.cs": "class Door : Other {}\nclass Window {}\n",
    "Assets/C.cs": "",
    "Assets/D.cs": "\n",
}


@pytest.fixture
def scripted(project: Snapshot) -> Iterator[Snapshot]:
    for number, (path, text) in enumerate(SCRIPTS_OF_TYPES.items(), 60):
        write(Path(project.root), path, number, text, "MonoImporter:\n")
    opened = open_project(project.root)
    opened.refresh()
    yield opened
    opened.close()


def test_scripts_are_told_by_what_they_declare(scripted: Snapshot) -> None:
    view = viewed(scripted)
    assert view.scripts == {DATA: guid(3)} | {path: guid(60 + place) for place, path in enumerate(SCRIPTS_OF_TYPES)}
    assert set(view.noted) == {(ASSETS, "")}
    assert view.mentions("Door") == [("Assets/A.cs", "Base"), ("Assets/B.cs", "Other")]
    assert view.mentions("Nobody") == []
    assert set(view.noted) == {(ASSETS, ""), (MARKS, "type Door"), (MARKS, "type Nobody")}
    assert view.twins == {"Door": ["Assets/A.cs", "Assets/B.cs"]}
    other = viewed(scripted)
    assert other.marked(USINGS) == {"Assets/A.cs": ("System",)}
    assert set(other.noted) == {(ASSETS, ""), (MARKS, "usings")}


def test_empty_scripts_are_noted_one_by_one_unless_they_are_many(scripted: Snapshot) -> None:
    paths = list(SCRIPTS_OF_TYPES)
    empty = [path for path in paths if not SCRIPTS_OF_TYPES[path].strip()]
    for most, found, noted in (
        (2, empty, {(MARKS, "empty")}),
        (1, None, {(MARKS, f"empty {path}") for path in empty}),
        (0, None, {(MARKS, f"empty {empty[0]}")}),  # enough to prove it
    ):
        view = viewed(scripted)
        assert view.empty_among(paths, most) == found
        assert set(view.noted) == {(ASSETS, ""), *noted}
    assert viewed(scripted).empty_among(paths[:2], 0) == []


def test_what_git_has_is_noted_until_the_repository_changes(project: Snapshot) -> None:
    root = Path(project.root)
    (root / ".gitignore").write_text("/Library/\n*.tmp\n")
    git(root, "init", "-q")
    git(root, "add", "Assets/Scripts")
    opened = open_project(project.root)
    view = viewed(opened)
    assert not view.untracked.failure
    assert set(view.noted) == {(ASSETS, ""), (UNTRACKED, ""), (CONTENT, "assetdb.toml")}
    other = viewed(opened)
    assert view.repository_prefix == ""
    assert other.ignore_rules(["Assets/a.tmp", "Assets/a.cs"]).keys() == {"Assets/a.tmp"}
    assert set(other.noted) == {(UNTRACKED, "")}
    again = viewed(opened)
    assert again.storage is again.storage
    assert set(again.noted) == {(UNTRACKED, "")}
    opened.close()


def test_an_answer_of_git_that_failed_is_asked_again(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    git(Path(project.root), "init", "-q")
    monkeypatch.setenv("PATH", "")
    view = viewed(project)
    failure = view.untracked.failure
    assert failure
    assert view.noted[UNTRACKED, failure] == RACY


def test_the_rules_of_a_team_rest_on_the_settings(project: Snapshot) -> None:
    view = viewed(project)
    assert view.team_rules == ()
    assert view.noted == {(CONTENT, "assetdb.toml"): ABSENT}
    Path(project.root, "assetdb.toml").write_text('[[rule]]\npaths = "Assets/"\nmipmaps = true\n')
    assert [rule.paths for rule in viewed(project).team_rules] == [("Assets/",)]


def test_the_size_of_a_file_is_noted_by_its_identity(project: Snapshot) -> None:
    view = viewed(project)
    assert view.size(str(Path(project.root, DATA))) == len(TEXT)
    assert view.size("Assets/none") == 0
    assert set(view.noted) == {(IDENTITY, DATA), (IDENTITY, "Assets/none")}


def test_a_view_that_records_nothing_answers_without_inputs(project: Snapshot) -> None:
    inputs = viewed(project)._inputs
    view = View(inputs, records=False)
    assert view.tops == ("Assets", "Packages")
    assert view.part("key", "1", lambda view: view.tops, (repr_of, tuple)) == view.tops
    view.inherit({("kind", ""): 1})
    assert view.noted == {}


def repr_of(names: tuple[str, ...]) -> bytes:
    return "/".join(names).encode()


def test_a_part_brings_its_inputs_whoever_keeps_it(project: Snapshot) -> None:
    view = viewed(project)
    codec = (repr_of, lambda data: tuple(data.decode().split("/")))
    assert view.part("key", "1", lambda view: view.tops, codec) == ("Assets", "Packages")
    assert view.noted == {(TOPS, ""): "Assets/Packages"}
    given = []

    def derive(*rest: object) -> tuple[object, dict[tuple[str, str], int]]:
        given.append(rest[1:3])
        return "kept", {("kind", ""): 1}

    kept = View(Inputs(project, None, {}, Contents(lambda: None), 0, derive=derive))  # type: ignore[arg-type]
    assert kept.part("key", "2", lambda _: "new", (str.encode, bytes.decode)) == "kept"
    assert (kept.noted, given) == ({("kind", ""): 1}, [("key", "2")])
