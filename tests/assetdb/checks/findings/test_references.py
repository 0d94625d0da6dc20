"""Findings of references: the code, the message with the former target, object, property and anchor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.references import (
    code_of,
    code_of_missing,
    findings_of,
    message_of_missing,
    name_in,
    names_in,
    reference_findings,
)
from assetdb.packages.listing import NO_PACKAGES
from assetdb.query.graph.verdicts import APART, BROKEN, MISSING, UNNAMED, JudgedReference, Verdict
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.resolver import Name
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot

SCENE, PLAYER = "Assets/Main.unity", "Assets/Prefabs/Player.prefab"
NOBODY = "8f57b4a070f7b43bbb3925467e6752ab"
OWN = guid(8)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    folder = tmp_path_factory.mktemp("game")
    opened = open_project(str(make_project(folder / "Game")), str(folder / "out"))
    yield opened
    opened.close()


def reference(kind: str, reason: str, **fields: object) -> JudgedReference:
    """Return a reference from the scene's script to an object of the prefab."""
    row = JudgedReference(
        *(SCENE, 12, 114, 20, "Camera", guid(3), 11500000, "gone", "", guid(1), 12345, Verdict(kind, reason)),
    )
    return row._replace(**fields)  # type: ignore[arg-type]  # of any of them


def finding(project: Snapshot, row: JudgedReference, own: str = OWN) -> Finding:
    (found,) = findings_of(project, [row], own)
    return found


@pytest.mark.parametrize(
    ("path", "prop", "reason", "code"),
    [
        ("Assets/a.prefab", "m_Script", "missing-asset", "missing-script"),
        ("Assets/a.prefab", "m_Script", "target-absent", "missing-script"),
        ("Assets/a.prefab", "m_Script", "dangling", "dangling"),
        ("Assets/a.prefab", "m_Mesh", "missing-asset", "missing-asset"),
        ("Assets/a.prefab", "m_Mesh", "target-absent", "target-absent"),
        ("Assets/a.asmdef", "", "missing-asset", "asmdef-reference"),
        ("Assets/A.ASMREF", "", "missing-asset", "asmdef-reference"),
        ("Assets/asmref", "", "missing-asset", "missing-asset"),
    ],
)
def test_a_code_is_the_reason_or_the_kind_of_what_is_missing(path: str, prop: str, reason: str, code: str) -> None:
    assert code_of(reference(MISSING, reason, path=path, property=prop)) == code
    if reason == "missing-asset":
        assert code_of_missing(path, prop) == code


def test_a_missing_target_is_named_by_its_kind() -> None:
    assert message_of_missing("missing-script", NOBODY, NO_PACKAGES) == f"no script has the GUID {NOBODY}"
    assert message_of_missing("asmdef-reference", NOBODY, NO_PACKAGES) == f"no assembly has the GUID {NOBODY}"
    assert message_of_missing("missing-asset", NOBODY, NO_PACKAGES) == f"no asset has the GUID {NOBODY}"


@pytest.mark.parametrize(
    ("row", "code", "message"),
    [
        (
            reference(UNNAMED, "dangling"),
            "dangling",
            f"refers to object 12345 of {PLAYER}: the asset exists, the object does not (any more)",
        ),
        (
            reference(APART, "lfs-pointer", file_id=None),
            "lfs-pointer",
            f"refers to {PLAYER}: the file is a Git LFS pointer",  # without the remedy behind the colon
        ),
        (
            reference(UNNAMED, "stale-override"),
            "stale-override",
            f"overrides object 12345 of {PLAYER}, which no longer exists",
        ),
        (
            reference(MISSING, "missing-asset", guid=NOBODY),
            "missing-asset",
            f"no asset has the GUID {NOBODY}",
        ),
        (
            reference(MISSING, "missing-asset"),
            "missing-asset",
            f"refers to object 12345 of {PLAYER}: an asset that it nests is missing",
        ),
        (
            reference(MISSING, "missing-asset", guid=NOBODY, property="m_Script"),
            "missing-script",
            f"no script has the GUID {NOBODY}",
        ),
        (
            reference(APART, "target-absent", property="m_Script"),
            "missing-script",
            f"its script {PLAYER} is not there, its meta is",
        ),
        (
            reference(MISSING, "package-not-present", guid=NOBODY),
            "package-not-present",
            f"refers to object 12345 of {NOBODY}: it is, or may be, in a package that is not on this machine",
        ),
        (reference(BROKEN, "recursive-prefab"), "recursive-prefab", "contains itself"),
    ],
)
def test_a_message_has_the_object_and_the_path_of_its_target(
    project: Snapshot, row: JudgedReference, code: str, message: str
) -> None:
    found = finding(project, row)
    assert (found.code, found.message) == (code, message)
    assert (found.path, found.line, found.asset, found.anchor) == (SCENE, 12, OWN, 20)


def test_an_unnamed_object_of_the_engine_is_of_its_file_or_of_its_guid(project: Snapshot) -> None:
    library = "0000000000000000e000000000000000"
    name = Name(library, 7, "", "Library/unity default resources", "", "built-in-unnamed")
    named = reference(UNNAMED, "built-in-unnamed", guid=library, file_id=7)
    known = named._replace(verdict=Verdict(UNNAMED, "built-in-unnamed", name))
    assert finding(project, known).message == "refers to object 7 of Library/unity default resources"
    row = named._replace(guid=guid(1))
    assert finding(project, row).message == f"refers to object 7 of {PLAYER}"


def test_a_target_is_a_guid_with_the_object_if_there_is_one(project: Snapshot) -> None:
    assert finding(project, reference(UNNAMED, "dangling")).target == f"{guid(1)}:12345"
    assert finding(project, reference(UNNAMED, "dangling", file_id=0)).target == f"{guid(1)}:0"
    assert finding(project, reference(UNNAMED, "dangling", file_id=None)).target == guid(1)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({}, "Camera (Health)"),
        ({"script": ""}, "Camera (MonoBehaviour)"),
        ({"script": NOBODY}, "Camera (MonoBehaviour)"),
        ({"script": "", "class_id": 0}, "Camera"),
        ({"hierarchy": ""}, "Health &20"),
        ({"hierarchy": "", "script": "", "class_id": 1}, "GameObject &20"),
        ({"hierarchy": "", "script": "", "class_id": 0}, ""),
    ],
)
def test_the_object_has_its_place_with_its_script_or_class(
    project: Snapshot, fields: dict[str, object], place: str
) -> None:
    assert finding(project, reference(UNNAMED, "dangling", **fields)).object_path == place


@pytest.mark.parametrize(
    ("prop", "override", "text"), [("p", "", "p"), ("p", "m_Mesh", "p = m_Mesh"), ("", "m_Mesh", "m_Mesh")]
)
def test_a_property_has_what_it_overrides(project: Snapshot, prop: str, override: str, text: str) -> None:
    found = finding(project, reference(UNNAMED, "dangling", property=prop, override=override))
    assert found.property_path == text


@pytest.mark.parametrize(
    ("reason", "fields", "message"),
    [
        ("broken-asset", {"line": 1}, "the file is not readable"),
        ("doubtful-text", {"detail": "has a tab"}, "Unity may not read the file: this line has a tab"),
        ("broken-asset", {"detail": "has no key"}, "Unity cannot read the file: this line has no key"),
        ("duplicate-object", {}, "a second object has the fileID 7: Unity loads one of the two"),
        ("missing-object", {}, "refers to object 7, which the file does not have"),
        ("broken-hierarchy", {"property": "m_Father"}, "its parent 7 does not list it as a child"),
        ("broken-hierarchy", {"property": "m_Children[0]"}, "its child 7 has another parent"),
        ("broken-hierarchy", {"property": "m_Component[0]"}, "its component 7 belongs to another object"),
        ("broken-hierarchy", {"property": "m_GameObject"}, "its object 7 does not list it as a component"),
        ("broken-hierarchy", {"property": "other"}, "object 7 does not list it"),
        ("broken-hierarchy", {"file_id": 20}, "is its own ancestor: its parents form a loop"),
    ],
)
def test_a_fault_of_structure_has_its_message(
    project: Snapshot, reason: str, fields: dict[str, object], message: str
) -> None:
    row = reference(BROKEN, reason, **{"guid": "", "file_id": 7, **fields})
    found = finding(project, row)
    assert (found.code, found.message, found.line) == (reason, message, row.line)
    assert (found.property_path, found.asset) == (row.property, OWN)
    assert found.target == f"{OWN}:{row.file_id}"
    assert found.object_path == ("" if reason in ("broken-asset", "doubtful-text") else "Camera (Health)")
    assert found.anchor == (7 if reason == "duplicate-object" else 20)


@pytest.mark.parametrize(("file_id", "own"), [(None, OWN), (0, OWN), (7, "")])
def test_a_fault_without_an_object_or_a_guid_of_the_file_has_no_target(
    project: Snapshot, file_id: int | None, own: str
) -> None:
    assert finding(project, reference(BROKEN, "missing-object", guid="", file_id=file_id), own).target == ""


def test_a_guid_in_a_message_has_the_path_of_its_asset_if_anything_has_it(project: Snapshot) -> None:
    assert name_in(project, guid(1)) == PLAYER
    assert name_in(project, guid(12)) == "Packages/com.acme.tools/Tool.cs"
    assert name_in(project, NOBODY) == ""


def test_the_names_in_messages_are_those_of_scripts_and_of_targets_that_are_there(project: Snapshot) -> None:
    script = (guid(3), "Assets/Scripts/Health.cs")
    rows = {
        reference(UNNAMED, "dangling"): [script, (guid(1), PLAYER)],
        reference(UNNAMED, "dangling", script=""): [(guid(1), PLAYER)],
        reference(MISSING, "missing-asset", guid=NOBODY): [script, (f"package of {NOBODY}", "")],
        reference(MISSING, "package-not-present", guid=NOBODY): [script],
        reference(MISSING, "missing-asset"): [script, (guid(1), PLAYER)],
        reference(BROKEN, "missing-object", guid=""): [script],
    }
    for row, names in rows.items():
        assert list(names_in(project, [row])) == names


def test_wanted_problems_are_found_by_path_and_each_with_the_guid_of_its_file(project: Snapshot) -> None:
    lost = reference(MISSING, "missing-asset", guid=NOBODY)
    problems = {
        SCENE: [lost, lost._replace(guid="0" * 31 + "1")],
        "Assets/Art/lost.mat": [lost._replace(path="Assets/Art/lost.mat")],
        PLAYER: [lost._replace(path=PLAYER, guid="0" * 31 + "1")],
    }
    found = list(reference_findings(project, problems, lambda row: row.guid == NOBODY))
    assert [(row.path, row.asset) for row in found] == [("Assets/Art/lost.mat", guid(7)), (SCENE, guid(8))]
