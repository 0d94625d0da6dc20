"""Places of bytes in text assets: line, object and property."""

from __future__ import annotations

import random
import re
import time

import pytest

from assetdb.unity.yaml import property_path
from assetdb.unity.yaml.property_path import Objects, Place, places

GUID = "0123456789abcdef0123456789ABCDEF"
HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
OBJECT = f"""--- !u!1 &5
GameObject:
  m_Name: Lamp
--- !u!114 &6
MonoBehaviour:
  m_GameObject: {{fileID: 5}}
  m_Script: {{fileID: 11500000, guid: {GUID}, type: 3}}
"""


def path(body: str) -> tuple[str, str]:
    """Return property path and override of the ``X`` in a document's body."""
    data = f"--- !u!114 &6\nMonoBehaviour:\n{body}"
    (found,) = places(data.encode(), [data.encode().index(b"X")])
    return found.path, found.override


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("  a: X\n", "a"),
        ("  a:\n    b: X\n", "a.b"),
        ("  a:\n    b: 1\n  c: X\n", "c"),
        ("  a:\n  - X\n", "a[0]"),
        ("  a:\n  - 1\n  - X\n", "a[1]"),
        ("  a:\n  - b: 1\n    c: X\n", "a[0].c"),
        ("  a:\n  - b: 1\n  - b: X\n", "a[1].b"),
        ("  a:\n  - - X\n", "a[0][0]"),
        ("  a:\n  -\n    b: X\n", "a[0].b"),
        ("  a:\n  - 1\n  b:\n  - X\n", "b[0]"),
        ("  a: {b: 1,\n    c: X}\n", "a.c"),
        ('  "a b": X\n', "a b"),
        ("  a:\r\n    b: X\r\n", "a.b"),
        ("  \xe4: X\n", "\xe4"),
        ("  a:\n\n    b: X\n", "a.b"),
        ("  a: 1\n    b: X\n", "a"),  # a deeper line is part of the text
        ("  a: 'one\n\n    m_Name: no\n\n    - X'\n", "a"),
        ("  a: 'one\n\n    m_Name: no\n\n'\n  b: X\n", "b"),
        ("  a:\n  - one\n    b: two\n  - X\n", "a[1]"),
        ("  4:3: X\n", "4:3"),
        ("  m:\n    : X\n", "m.''"),
        ("  'm_Metrics[0]': X\n", "m_Metrics[0]"),
        ("  m:\n    data:\n      a: X\n  n: 1\n", "m.data.a"),
        ("  m:\n    data:\n      a: X\n    data:\n      a: 1\n", "m.data[0].a"),
        ("  m:\n    data:\n      data:\n        a: 1\n      data:\n        b: X\n    data:\n", "m.data[0].data[1].b"),
        ("  m:\n    data:\n      a: X\n  n:\n    data:\n      a: 1\n", "m.data.a"),
    ],
)
def test_the_keys_and_items_that_lead_to_a_byte(body: str, expected: str) -> None:
    assert path(body) == (expected, "")


def test_the_first_byte_of_a_line_is_of_that_line() -> None:
    data = b"--- !u!114 &6\nMonoBehaviour:\n a: 1\n b:\n  - 2\n c: 3\n"
    starts = [at + 1 for at, byte in enumerate(data) if byte == 10][:-1]
    assert [found.path for found in places(data, starts)] == ["", "a", "b", "b[0]", "c"]
    assert [found.path for found in places(data, [start + 1 for start in starts])] == ["", "a", "b", "b[0]", "c"]
    ends = [start - 1 for start in starts[1:]]
    assert [found.path for found in places(data, ends)] == ["", "a", "b", "b[0]"]
    assert [(found.line, found.path) for found in places(data, [len(data) - 2, len(data) + 1])] == [(6, "c"), (7, "")]


def test_an_override_is_told_with_its_property() -> None:
    row = (
        f"  m_Modifications:\n  - target: {{fileID: 1, guid: {GUID}, type: 3}}\n    propertyPath: m_Size.x\n    value: "
    )
    assert path(f"{row}X\n") == ("m_Modifications[0].value", "m_Size.x")
    quoted = row.replace("m_Size.x", "'m_Sizes.Array.data[0]'")  # as Unity 6 writes it
    assert path(f"{quoted}X\n") == ("m_Modifications[0].value", "m_Sizes.Array.data[0]")
    assert path(f"{row}1\n    objectReference: {{fileID: X}}\n")[1] == "m_Size.x"
    assert path(f"{row}1\n  - target: X\n") == ("m_Modifications[1].target", "")
    assert path(f"{row}1\n  m_Other: X\n") == ("m_Other", "")


def test_the_target_of_an_override_is_told_with_the_property_behind_it() -> None:
    for written in ("m_A", "'m_A'"):
        row = f"  - target: {{fileID: 1, guid: {GUID}, type: 3}}\n    propertyPath: {written}\n"
        data = f"--- !u!1001 &6\nP:\n  m:\n{row}"
        (found,) = places(data.encode(), [data.index(GUID)])
        assert (found.path, found.override) == ("m[0].target", "m_A")


def test_a_place_has_line_object_name_and_script() -> None:
    data = (HEAD + OBJECT + "  x: Y\n").encode()
    found = places(data, [data.index(b"Lamp"), data.index(GUID.encode()), data.index(b"Y\n", 150)])
    lamp = Place(5, 1, 5, "Lamp", "", "m_Name", "")
    script = Place(9, 114, 6, "Lamp", GUID.lower(), "m_Script", "")
    assert found == [lamp, script, script._replace(line=10, path="x")]


def test_files_without_documents_have_lines_and_paths() -> None:
    data = b"fileFormatVersion: 2\nTextureImporter:\n  icon: X\n"
    assert places(data, [data.index(b"X")]) == [Place(3, 0, 0, "", "", "icon", "")]
    assert places(b"", []) == places(data, []) == []


def test_a_byte_in_the_header_of_a_document_has_no_property() -> None:
    data = OBJECT.encode()
    (found,) = places(data, [data.index(b"!u!114")])
    assert (found.path, found.override) == ("", "")


def test_a_path_is_cut_at_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(property_path, "_PATH_LIMIT", 5)
    assert path("  abc:\n    d: X\n") == ("abc.d", "")
    assert path("  abc:\n    de: X\n") == ("abc.d\u2026", "")


def test_documents_are_described_by_name_and_script() -> None:
    objects = Objects((HEAD + OBJECT).encode())
    assert [document.file_id for document in objects.documents] == [5, 6]
    assert [objects.described(number)[:2] for number in (1, 0, 1)] == [
        ("Lamp", GUID.lower()),
        ("Lamp", ""),
        ("Lamp", GUID.lower()),
    ]


ROW = "    - target: {fileID: %d, guid: 0123456789abcdef0123456789abcdef,%stype: 3}\n      propertyPath: %s\n"
ROW += "      value: %s\n      objectReference: {fileID: 0}\n"
USUAL = [ROW % (row, " " if row % 2 else "\n        ", f"m_A.Array.data[{row}]", row) for row in range(4)]
ODD = ("      more: 1\n", "    -\n", "    other: 1\n", ROW % (9, " ", "'a", "b'"), "\n", "  propertyPath: b\n")


@pytest.mark.parametrize("odd", ["", *ODD])
def test_rows_of_overrides_are_passed_without_a_change_of_any_place(monkeypatch: pytest.MonkeyPatch, odd: str) -> None:
    head = f"--- !u!1001 &5\nPrefabInstance:\n{odd}  m_Modification:\n    m_Modifications:\n"
    data = "".join((head, *USUAL, odd, *USUAL, odd, "    m_RemovedComponents: []\n")).encode()
    offsets = range(0, len(data) + 1, 3)
    found = [places(data, [offset]) for offset in offsets]
    monkeypatch.setattr(property_path, "_TARGET", b"never")
    assert found == [places(data, [offset]) for offset in offsets]
    assert odd or {row[0].path for row in found} >= {f"m_Modification.m_Modifications[{row}].value" for row in range(8)}


def test_a_script_of_a_dll_has_its_number_there() -> None:
    data = b"--- !u!114 &6\nMonoBehaviour:\n  m_Script: {fileID: 1392445389, guid: %b, type: 3}\n" % GUID.encode()

    assert places(data, [data.index(b"guid")])[0].script_id == 1392445389
    assert Objects(data).described(0) == ("", GUID.lower(), 1392445389)


LINES = (
    *(
        "  a: 1",
        "  b: two words",
        "  c:",
        "  d: {x: 1, y: 2}",
        "  data: 1",
        "  propertyPath: m_Name",
        "  e: 'text",
        "  f: |",
    ),
    *(
        "    a: 1",
        "    b:",
        "    - c: 1",
        "      d: {fileID: 1}",
        "      e: 2",
        "  - f: 3",
        "  - g",
        "g'",
        "    data: 4",
    ),
    *(
        "    propertyPath: x",
        "  h: {x: 1,",
        "    y: 2}",
        "",
        "  i: 5\r",
        "  j: a: b",
        "Other:",
        "   k: 6",
        "  l: plain",
    ),
)


@pytest.mark.parametrize("seed", range(40))
def test_properties_that_are_passed_over_change_no_path(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = random.Random(seed)
    lines = [chooser.choice(LINES if chooser.random() < 0.5 else LINES[:4]) for _ in range(200)]
    data = ("--- !u!114 &6\nMonoBehaviour:\n" + "\n".join(lines) + "\n").encode()
    offsets = sorted(chooser.sample(range(len(data)), 30))
    found = places(data, offsets)
    monkeypatch.setattr(property_path, "_PROPERTIES", re.compile(rb"(?!)"))
    assert found == places(data, offsets)


REFERENCE = "{fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3}"
WRAPPED = REFERENCE.replace(", type", ",\n    type")
OVERRIDE = ROW % (1, " ", "m_A.x", 2)
REFERRING = (
    f"  m_Script: {REFERENCE}",
    f"  m_Wrapped: {WRAPPED}",
    f"  data: {REFERENCE}",
    f"  m_List:\n  - {REFERENCE}\n  - {WRAPPED}\n  - {{fileID: 0}}\n  - {REFERENCE}",
    f"  m_Windows:\r\n  - {REFERENCE}\r\n  - {REFERENCE}\r",
    f"  data:\n  - {REFERENCE}\n  - {REFERENCE}",
    f"  m_Mixed:\n  - {REFERENCE}\n  - a: 1\n  - {REFERENCE}\n  - {REFERENCE}",
    f"  m_Deep:\n  - a: {REFERENCE}\n    b:\n    - {REFERENCE}",
    f"  - {REFERENCE}",
    f"  m_Text: 'one\n  m_Key: {REFERENCE}'",
    f'  m_Text:  "one\n  m_Key: {REFERENCE}"',
    f"  m_Plain: one\n    m_Key: {REFERENCE}",
    OVERRIDE.removesuffix("\n"),
    OVERRIDE.replace("{fileID: 0}", REFERENCE).removesuffix("\n"),
)
MODIFIED = (
    "--- !u!1001 &5\nPrefabInstance:\n  serializedVersion: 2\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n"
)
MODIFIED += "    m_Modifications:\n"


@pytest.mark.parametrize("seed", range(60))
def test_usual_references_have_the_places_that_the_lines_before_them_say(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chooser = random.Random(seed)
    texts = []
    for head in ("--- !u!114 &6\nMonoBehaviour:\n", MODIFIED, "--- !u!1 &7\nGameObject: x\n", "--- !u!114 &8\n"):
        some = (*REFERRING, *chooser.sample(LINES, seed % 5))
        rows = [OVERRIDE if chooser.random() < 0.8 else OVERRIDE.replace("{fileID: 0}", REFERENCE) for _ in range(9)]
        texts += (head, *(rows if head is MODIFIED else ()), *(f"{chooser.choice(some)}\n" for _ in range(30)))
    data = "".join(texts).encode()
    offsets = [match.start(1) for match in re.finditer(rb"guid: ([0-9a-f]{32})", data)]
    found = places(data, offsets)
    monkeypatch.setattr(property_path._Usual, "place", lambda *_: None)
    assert found == places(data, offsets)


def test_no_line_is_read_for_usual_references(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(property_path, "_Lines", None)
    rows = OVERRIDE.replace("{fileID: 0}", REFERENCE) * 3
    own = "".join(f"{text}\n" for text in REFERRING[:2])
    listed = f"{REFERRING[3]}\n"
    other = f"--- !u!114 &6\nMonoBehaviour:\n{own}{listed}  m_End: 0\n"
    data = f"{MODIFIED}{rows}  m_SourcePrefab: {REFERENCE}\n{other}".encode()
    offsets = [match.start(1) for match in re.finditer(rb"guid: ([0-9a-f]{32})", data)]
    row = "m_Modification.m_Modifications"
    assert [(place.path, place.override) for place in places(data, offsets)] == [
        *((f"{row}[{number}].{key}", "m_A.x") for number in range(3) for key in ("target", "objectReference")),
        ("m_SourcePrefab", ""),
        ("m_Script", ""),
        ("m_Wrapped", ""),
        *((f"m_List[{number}]", "") for number in (0, 1, 3)),
    ]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("".join(f"  m_L{number}:\n  - {REFERENCE}\n" for number in range(100_000)), "m_L99999[0]"),
        (f"  m_Flow: [{', '.join([REFERENCE] * 200_000)}]\n", "m_Flow"),
    ],
    ids=["lists", "line"],
)
def test_places_of_many_references_take_no_time_by_the_square(text: str, last: str) -> None:
    data = f"--- !u!114 &6\nMonoBehaviour:\n{text}".encode()
    started = time.process_time()
    found = places(data, [match.start(1) for match in re.finditer(rb"guid: ([0-9a-f]{32})", data)])
    assert found[-1].path == last
    assert time.process_time() - started < 30
