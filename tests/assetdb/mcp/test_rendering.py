"""Rows of answers as short lines, each with the GUID or fileID to ask again."""

from __future__ import annotations

from typing import Any

import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.checks.reports.grouping import Group
from assetdb.diagnostics.codes import CODES
from assetdb.diagnostics.pages import PAGES
from assetdb.mcp import rendering

GUID = "g" * 32


@pytest.mark.parametrize(("count", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (1234, "1,234 files")])
def test_a_count_has_its_noun(count: int, text: str) -> None:
    assert rendering.counted(count, "file") == text


def test_a_title_is_path_or_name_type_and_guid() -> None:
    row = {"path": "Assets/a.mat", "name": "a", "type": "Material", "guid": GUID}
    assert rendering.title(row) == f"Assets/a.mat (Material) {GUID}"
    assert rendering.title({**row, "path": "", "type": ""}) == f"a {GUID}"


def test_a_found_object_has_its_file_id_and_name_and_an_asset_neither() -> None:
    row = {"path": "Assets/a.prefab", "type": "Light", "guid": GUID, "name": "Lamp", "file_id": None}
    assert rendering.found_row(row) == f"Assets/a.prefab  Light  {GUID}"
    assert rendering.found_row({**row, "file_id": 0}) == f"Assets/a.prefab  Light  {GUID}:0  Lamp"


def test_an_asset_that_is_not_in_the_project_has_its_name_or_is_told_so() -> None:
    row = {"path": "Assets/a.mat", "name": "a", "type": "Material", "guid": GUID, "package": "p"}
    assert rendering.info_row(row) == f"Assets/a.mat  Material  {GUID}  p"
    assert rendering.info_row({**row, "path": "", "package": ""}) == f"(a)  Material  {GUID}"
    assert (
        rendering.info_row({**row, "path": "", "name": "", "type": "", "package": ""})
        == f"(not in the project)  {GUID}"
    )


PLACE = {
    "path": "Assets/a.unity",
    "line": 7,
    "hierarchy": "Hall / Lamp",
    "object_name": "Lamp",
    "class": "Light",
    "object_id": 5,
    "property": "m_Cookie",
    "override": "",
}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "Assets/a.unity:7  Hall / Lamp (Light &5)  m_Cookie"),
        ({"hierarchy": ""}, "Assets/a.unity:7  Lamp (Light &5)  m_Cookie"),
        ({"hierarchy": "", "object_name": "", "class": ""}, "Assets/a.unity:7  m_Cookie"),
        ({"override": "m_X"}, "Assets/a.unity:7  Hall / Lamp (Light &5)  m_Cookie = m_X"),
    ],
)
def test_a_place_has_line_object_and_property(changed: dict[str, object], text: str) -> None:
    assert rendering.place_row({**PLACE, **changed}) == text


def test_a_way_has_its_reason_and_a_line_for_each_step() -> None:
    step = {"place": None, "path": "Assets/a.unity", "guid": GUID, "places": 1}
    way = {"reason": "scene", "steps": [step, {**step, "place": PLACE, "places": 3}]}
    place = rendering.place_row(PLACE)
    assert rendering.way_rows(way) == ["scene:", f"Assets/a.unity  {GUID}", f"{place}  {GUID}  and 2 more"]
    assert rendering.way_rows({"reason": "", "steps": []}) == []


def test_an_overview_has_what_is_missing_and_the_last_check() -> None:
    used = {"path": "Assets/a.mat", "type": "Material", "guid": GUID, "users": 2}
    row: dict[str, Any] = {
        "absent": [],
        "unread": 0,
        "check": None,
        "unity": "",
        "packages": 1,
        "assets": 2,
        "folders": 1,
        "bytes": 3000,
        "references": 1,
        "types": [{"type": "Material", "assets": 1, "bytes": 1000}],
        "used": [used],
    }
    assert rendering.overview_rows(row) == [
        "Unity of an unknown version",
        "1 package outside the project",
        "2 assets in 1 folder, 3,000 bytes",
        "1 reference",
        "last check: never",
        "types, the largest first:",
        "  Material  1 asset  1,000 bytes",
        "most used:",
        f"  Assets/a.mat  Material  {GUID}  2 users",
    ]
    check = {"errors": 1, "warnings": 0, "notes": 2, "codes": {"dangling": 1, "x": 2000}}
    found = rendering.overview_rows({**row, "absent": ["p", "q"], "unread": 1, "unity": "2022.3", "check": check})
    assert found[:5] == [
        "Unity 2022.3",
        "1 package outside the project, of which are not on this machine: p, q",
        "2 assets in 1 folder, 3,000 bytes, 1 file could not be read",
        "1 reference",
        "last check: 1 error, 0 warnings, 2 notes, 1 dangling, 2,000 x",
    ]


def test_assets_and_objects_without_a_hierarchy_have_a_line_each() -> None:
    row = {"path": "Assets/a.mat", "type": "Material", "bytes": 0, "guid": GUID}
    assert rendering.asset_row(row) == f"Assets/a.mat  Material  0  {GUID}"
    assert rendering.part_row({"name": "", "type": "Mesh", "file_id": 5}) == "-  Mesh  &5"


OBJECT: dict[str, Any] = {
    "name": "Lamp",
    "file_id": 5,
    "depth": 0,
    "active": True,
    "added": False,
    "removed": False,
    "overridden": 0,
    "reason": "",
    "places": False,
    "source_path": "Assets/a.prefab",
    "source": "100",
    "components": [],
}
COMPONENT = {"type": "Light", "file_id": 7, "added": False, "removed": False, "overridden": 0}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "Lamp  &5"),
        ({"depth": 2}, "    Lamp  &5"),
        ({"source_path": "Assets/In/b.prefab"}, "Lamp  &5  [b.prefab]"),
        ({"source_path": ""}, "Lamp  &5  [100]"),
        ({"places": True}, "Lamp  &5  [from Assets/a.prefab 100]"),
        (
            {"active": False, "added": True, "removed": True, "overridden": 3, "reason": "dangling"},
            "Lamp  &5  inactive, added, removed, 3 overridden, dangling",
        ),
        (
            {
                "components": [
                    COMPONENT,
                    {**COMPONENT, "added": True},
                    {**COMPONENT, "removed": True, "added": True},
                    {**COMPONENT, "overridden": 1},
                ]
            },
            "Lamp  &5  Light &7, +Light &7, -Light &7, Light* &7",
        ),
    ],
)
def test_an_object_has_its_components_source_and_notes(changed: dict[str, object], text: str) -> None:
    assert rendering.object_row({**OBJECT, **changed}, "Assets/a.prefab") == text


def value(path: str, value: object, group: str = "", *overrides: str) -> dict[str, object]:
    return {
        "path": path,
        "value": value,
        "group": group,
        "overrides": [{"path": each, "value": 0} for each in overrides],
    }


def test_values_have_a_line_each_and_a_vector_has_one() -> None:
    rows = [
        value("m_Name", "Lamp"),
        value("p.x", 1, "p"),
        value("p.y", 2, "p", "Assets/a.unity"),
        value("q.x", 3, "q"),
        value("m_On", 0, "", "Assets/in.prefab", "Assets/out.unity"),
    ]
    assert rendering.value_rows({"properties": rows}) == [
        "m_Name = Lamp",
        "p = (x: 1, y: 2)  (overridden by Assets/a.unity)",
        "q = (x: 3)",
        "m_On = 0  (overridden by Assets/out.unity)",
    ]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (None, "-"),
        (0, "0"),
        ("", ""),
        ({"value": 1, "name": "Soft"}, "Soft (1)"),
        ({"guid": "", "file_id": 0, "name": ""}, "None"),
        ({"guid": "", "file_id": 0, "name": "this"}, "this"),
        ({"guid": "", "file_id": 5, "name": "Lamp", "reason": ""}, "Lamp &5"),
        ({"guid": GUID, "file_id": 5, "name": "", "reason": "dangling"}, f"{GUID}:5 (dangling)"),
    ],
)
def test_a_value_is_text_an_enumeration_or_a_reference(given: object, text: str) -> None:
    (line,) = rendering.value_rows({"properties": [value("x", given)]})
    assert line == f"x = {text}"


def test_a_chain_goes_from_the_inside_out() -> None:
    row = {**value("x", 2, "", "Assets/in.prefab", "Assets/out.unity"), "base": 1}
    found = {"source_path": "Assets/base.prefab", "properties": [row, {**row, "base": None}]}
    chain = "Assets/in.prefab: 0 -> Assets/out.unity: 0"
    assert rendering.chain_rows(found) == [f"x = Assets/base.prefab: 1 -> {chain}", f"x = {chain}"]


@pytest.mark.parametrize(
    ("query", "changed", "reason", "text"),
    [
        (GUID, {}, "", f"{GUID}  Lamp  Light  Assets/a.prefab"),
        ("Lamp", {"file_id": 0}, "", f"Lamp -> {GUID}:0  Lamp  Light  Assets/a.prefab"),
        ("Lamp", {"guid": None}, "unknown", "Lamp  Lamp  Light  Assets/a.prefab  (unknown)"),
        (GUID, {"name": "Lamp (Light)"}, "", f"{GUID}  Lamp (Light)  Assets/a.prefab"),
    ],
)
def test_a_name_has_its_query_and_guid(query: str, changed: dict[str, object], reason: str, text: str) -> None:
    row = {"guid": GUID, "file_id": None, "name": "Lamp", "type": "Light", "path": "Assets/a.prefab", **changed}
    assert rendering.named_row(query, row, reason) == text


def test_a_finding_has_place_code_object_message_and_whether_it_is_fixed() -> None:
    found = Finding("dangling", "error", "Assets/a.unity", "refers to nothing", 7, "Lamp", "m_X", fixable=True)
    text = "error dangling  Lamp: m_X  refers to nothing  [check --fix fixes it]"
    assert rendering.group_row(Group((found,), is_instance=False)) == f"Assets/a.unity:7  {text}"
    bare = found._replace(line=0, object_path="", property_path="", fixable=False)
    assert rendering.group_row(Group((bare,), is_instance=False)) == "Assets/a.unity  error dangling  refers to nothing"
    both = rendering.group_row(Group((bare, bare), is_instance=False))
    assert both == "Assets/a.unity  error dangling  refers to nothing (2 like this in this file)"


def test_a_value_and_a_call_have_place_object_and_property() -> None:
    row = {"path": "Assets/a.unity", "line": 7, "guid": GUID, "file_id": 3, "name": "Canvas / Play", "type": "Button"}
    value = {**row, "property": "m_MethodName", "value": "OnPlay"}
    place = "Assets/a.unity:7  Canvas / Play"
    assert rendering.property_row(value) == f"{place} (Button)  {GUID}:3  m_MethodName = OnPlay"
    assert rendering.property_row({**value, "type": "", "file_id": 0}).startswith(f"Assets/a.unity:7  {GUID}  m_")
    call = {"path": "Assets/a.unity", "line": 7, "hierarchy": "Canvas / Play", "property": "m_X", "method": "OnPlay"}
    assert rendering.caller_row({**call, "kind": "event"}) == f"{place}  m_X  calls OnPlay"
    assert rendering.caller_row({**call, "kind": "override"}) == f"{place}  m_X  calls OnPlay  override"


def test_an_unused_asset_has_what_packs_it_and_fields_have_no_empty_values() -> None:
    row = {"path": "Assets/a.png", "type": "Texture2D", "guid": GUID, "packed_by": "Assets/a.spriteatlas"}
    assert rendering.unused_row(row).endswith(f"{GUID}  packed by Assets/a.spriteatlas")
    assert rendering.unused_row({**row, "packed_by": ""}).endswith(GUID)
    fields = {"a": 0, "b": "", "c": None, "d": [], "e": {}, "f": [1, "x"], "g": {"h": 1}, "i": False}
    assert rendering.fields_row(fields) == 'a=0  f=[1,"x"]  g={"h":1}  i=False'


def test_a_code_is_explained_with_its_meaning_if_it_is_of_references() -> None:
    found = rendering.rule_lines("dangling")
    page = PAGES["dangling"]
    assert found[0] == "dangling (error)"
    assert f"For a reference, it means: {CODES['dangling'].meaning}." in found
    assert found[-1] == f"How to fix it: {page.mend}".split("\n")[-1]
    assert not any(line.startswith("For a reference") for line in rendering.rule_lines("missing-meta"))


def test_doubts_follow_an_answer() -> None:
    assert rendering.doubts({}) == ""
    found = rendering.doubts({"unread_files": 1200, "shares_guid_with": ["a", "b"]})
    assert found == "; 1,200 files could not be read, so there may be more; shares its GUID with a, b"


def test_overrides_of_an_instance_are_one_line_and_other_places_one_each() -> None:
    place = {"path": "Assets/a.unity", "hierarchy": "Door", "object_name": "", "class": "Prefab", "property": "m_X"}
    rows = [
        {**place, "line": number, "object_id": instance, "override": override}
        for number, (instance, override) in enumerate(
            ((7, "m_A"), (8, "m_A"), (7, ""), (7, "m_B"), (7, ""), (7, "m_C")), 1
        )
    ]
    found = [rendering.places_row(group) for group in rendering.by_instance(rows)]
    assert found == [
        "Assets/a.unity:1  Door (Prefab &7)  m_X = m_A  and 2 more overrides",
        "Assets/a.unity:2  Door (Prefab &8)  m_X = m_A",
        "Assets/a.unity:3  Door (Prefab &7)  m_X",
        "Assets/a.unity:5  Door (Prefab &7)  m_X",
    ]


def test_objects_of_a_file_share_its_path_and_guid() -> None:
    row = {"path": "Assets/a.prefab", "type": "Button", "guid": GUID, "name": "Menu / Play", "file_id": 7}
    other = {**row, "name": "Menu / Quit", "file_id": -8}
    assert rendering.objects_row([row]) == f"Assets/a.prefab  {GUID}  1 object: Menu / Play (Button &7)"
    both = "Menu / Play (Button &7), Menu / Quit (Button &-8)"
    assert rendering.objects_row([row, other]) == f"Assets/a.prefab  {GUID}  2 objects: {both}"


def test_an_asset_in_a_build_has_lines_for_parts_and_objects() -> None:
    built = {
        "file": "sharedassets0.assets",
        "path_id": 16,
        "class": "Texture2D",
        "name": "Saw",
        "script": None,
        "size": 156,
        "streamed": 46208,
        "certainty": "unique",
        "by": "class and name",
    }
    part = {
        "part": "sharedassets0.assets",
        "size": 46364,
        "why": "scene",
        "root": "Assets/a.unity",
        "way": ["Saw", "Saw_0"],
        "objects": [built, {**built, "path_id": 17, "streamed": 0}],
    }
    row = {"query": "Assets/saw.png", "guid": GUID, "path": "Assets/saw.png", "group": "", "parts": [part]}
    assert rendering.traced_rows(row) == [
        f"Assets/saw.png  guid={GUID}",
        "  sharedassets0.assets  46,364 bytes  2 objects  scene Assets/a.unity: Saw > Saw_0",
        "    Texture2D  Saw  sharedassets0.assets#16  156 bytes  and 46,208 streamed  unique by class and name",
        "    Texture2D  Saw  sharedassets0.assets#17  156 bytes  unique by class and name",
    ]
    alone = {**part, "why": "none", "root": "", "way": [], "objects": []}
    assert rendering.traced_rows({**row, "query": "saw", "parts": [alone]}) == [
        f"Assets/saw.png  query=saw  guid={GUID}",
        "  sharedassets0.assets  46,364 bytes  0 objects  nothing that loads it was read",
    ]
    assert rendering.traced_rows({**row, "parts": []}) == [f"Assets/saw.png  guid={GUID}  in no part of the build"]
    assert rendering.traced_rows({"file": "level0", "path_id": 3}) == ["file=level0  path_id=3"]
