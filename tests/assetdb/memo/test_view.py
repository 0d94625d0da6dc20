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
    PACKAGES,
    REFERENCES,
    SCRIPTS,
    TOPS,
    UNSEEN,
    Inputs,
)
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from assetdb.system.identity import RACY, Identities
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
