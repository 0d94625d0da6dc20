"""Values of single objects, beside what a YAML library makes of whole documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from assetdb.contents.overrides import Override, Reference, overrides_of, property_path, removed_by
from assetdb.contents.values import Scalar, Value, read_values
from assetdb.unity.yaml.objects import TextObject, TextObjects
from assetdb_formats.binary import FormatError
from scripts.fixture import fixture_files
from tests.assetdb.unity_project import guid
from tests.libyaml import UnityReader

if TYPE_CHECKING:
    from pathlib import Path

_read = UnityReader(yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)


def flattened(value: Any, path: str = "") -> dict[str, Any]:  # noqa: ANN401 - YAML
    """Return the leaves that PyYAML reads, references as (fileID, GUID)."""
    if isinstance(value, dict) and "fileID" in value and value.keys() <= {"fileID", "guid", "type"}:
        return {path: (int(value["fileID"]), value.get("guid", "").lower())}
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if rows is None:
        return {path: value}
    found: dict[str, Any] = {}
    for key, inner in rows:
        step = f"{path}[{key}]" if isinstance(value, list) else f"{path}.{key}" if path else key
        found.update(flattened(inner, step))
    return found or {path: None}


def plain(row: Value) -> Any:  # noqa: ANN401 - as above
    return row.value.text if isinstance(row.value, Scalar) else None if row.value is None else tuple(row.value)


def _is_refused(body: bytes) -> bool:
    """Whether it cannot be read here either; what YAML alone refuses has its rules in the tests of nodes."""
    try:
        read_values(body)
    except FormatError:
        return True
    return False


def compare(data: bytes) -> int:
    """Compare every document of a file that PyYAML reads; return how many leaves were equal."""
    count = 0
    for item in TextObjects(data).objects.values():
        try:
            whole = _read(item.body.decode("utf-8", "replace"))
        except yaml.YAMLError:
            count += int(_is_refused(item.body))
            continue
        if isinstance(whole, dict):
            found = read_values(item.body)
            (expected,) = whole.values()
            assert {row.path: plain(row) for row in found.rows} == flattened(expected or {}), item.file_id
            assert found.class_name == next(iter(whole))
            count += len(found.rows)
    return count


def test_the_values_of_all_objects_of_the_fixture_are_as_pyyaml_reads_them() -> None:
    files = [path for path in fixture_files() if path.read_bytes()[:5] == b"%YAML"]
    assert sum(compare(path.read_bytes()) for path in files) > 100


def test_a_vector_is_a_group_and_a_reference_one_value() -> None:
    body = b"\nX:\n  p: {x: 1, y: '2'}\n  r: {fileID: -5, guid: 00000000000000000000000000000ABC, type: 3}\n  e: []\n"
    assert read_values(body).rows == [
        Value("p.x", Scalar("1"), "p"),
        Value("p.y", Scalar("2", quoted=True), "p"),
        Value("r", Reference(-5, "00000000000000000000000000000abc")),
        Value("e", None),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"\nX:\n<<<<<<< HEAD\n  a: 1\n=======\n  a: 2\n>>>>>>> theirs\n",
        b"\nX:\n  a: " + b"[" * 1000 + b"\n",
        b"\nX:\n  a: 'never closed\n",
        b"\ntext",
        b"\nX:\n  {a: 1}: 2\n",
    ],
)
def test_a_damaged_document_is_a_typed_error(body: bytes) -> None:
    with pytest.raises(FormatError):
        read_values(body)


def test_keys_that_come_more_than_once_all_count() -> None:
    entries = "".join(f"    data:\n      first:\n        name: _{n}\n      second: {n}\n" for n in "AB")
    found = read_values(f"\nMaterial:\n  m_Floats:\n{entries}  one:\n    data: 5\n  m_Name: a\n  m_Name: b\n".encode())
    assert [(row.path, plain(row)) for row in found.rows] == [
        ("m_Floats.data[0].first.name", "_A"),
        ("m_Floats.data[0].second", "A"),
        ("m_Floats.data[1].first.name", "_B"),
        ("m_Floats.data[1].second", "B"),
        ("one.data", "5"),
        ("m_Name[0]", "a"),
        ("m_Name[1]", "b"),
    ]
    assert found.repeated == ("m_Name",)


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        ("t: Take #3", [("t", "Take #3")]),
        ("t: strategy and \n    interest", [("t", "strategy and  interest")]),
        ("a: &b 1\n  c: *b", [("a", "&b 1"), ("c", "*b")]),
        ("m:\n    : A;B\n    1: C", [("m.''", "A;B"), ("m.1", "C")]),
        ("t: a: b", [("t", "a: b")]),
        ("l:\n  - a #1\n  - - {x: 1}", [("l[0]", "a #1"), ("l[1][0].x", "1")]),
        ("r: {a: {b: 1}, c: 2, c: 3}", [("r.a.b", "1"), ("r.c[0]", "2"), ("r.c[1]", "3")]),
        ("v: {x: 1, x: 2}", [("v.x[0]", "1"), ("v.x[1]", "2")]),
        ("o: {fileID: -9223372036854775808}", [("o", (-(1 << 63), ""))]),
        (f"o: {{fileID: {'9' * 21}}}", [("o.fileID", "9" * 21)]),
        (f"o: {{fileID: {'9' * 5000}}}", [("o.fileID", "9" * 5000)]),  # more digits than Python reads
        ("o: {fileID: -}", [("o.fileID", "-")]),
    ],
)
def test_values_are_as_unity_has_them(written: str, rows: list[tuple[str, Any]]) -> None:
    found = read_values(f"\nX:\n  {written}\n".encode())
    assert [(row.path, plain(row)) for row in found.rows] == rows


def test_a_document_of_76_000_references_is_cut_off() -> None:
    found = read_values(b"\nX:\n  l:\n" + b"  - {fileID: 1}\n" * 76_000)
    assert found.truncated
    assert 1000 < len(found.rows) < 76_000


def test_overrides_are_read_whatever_wraps_them() -> None:
    body = (
        f"\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n"
        f"    - target: {{fileID: 5, guid: {guid(1)},\n        type: 3}}\n"
        "      propertyPath: m_Materials.Array.data[2]\n"
        f"      value: \n      objectReference: {{fileID: 2100000, guid: {guid(2)},\n        type: 2}}\n"
        f"    - target: {{fileID: -6, guid: {guid(1)}, type: 3}}\n      propertyPath: 'list.Array.size'\n"
        "      value: 'it''s'\n      objectReference: {fileID: 0}\n"
        f"    - target: {{fileID: 7, guid: {guid(1)}, type: 3}}\n      propertyPath: text\n"
        "      value: one\n        two\n      objectReference: {fileID: 0}\n"
        f"    m_RemovedComponents:\n    - {{fileID: 8, guid: {guid(1)}, type: 3}}\n    m_AddedComponents: []\n"
    )
    item = TextObject(1001, 1, stripped=False, body=body.encode())
    assert list(overrides_of(item)) == [
        Override(5, "m_Materials[2]", "", Reference(2100000, guid(2))),
        Override(-6, "list.size", "it's", Reference(0, "")),
        Override(7, "text", "one two", Reference(0, "")),
    ]
    assert removed_by(item) == {8}


@pytest.mark.parametrize(
    ("unity", "ours"),
    [("a.Array.data[0].b.Array.data[12].c", "a[0].b[12].c"), ("a.Array.size", "a.size"), ("m_Name", "m_Name")],
)
def test_property_paths_are_as_documents_have_them(unity: str, ours: str) -> None:
    assert property_path(unity) == ours


@pytest.mark.corpus("unity/BoatAttack")
def test_the_values_of_a_projects_objects_are_as_pyyaml_reads_them(corpus: Path) -> None:
    root = corpus / "unity" / "BoatAttack" / "Assets"
    files = sorted(path for kind in ("*.prefab", "*.mat", "*.asset") for path in root.rglob(kind))
    texts = (path.read_bytes() for path in files[::6] if path.stat().st_size < 100_000)
    assert sum(compare(data) for data in texts if data.startswith(b"%YAML")) > 5000
