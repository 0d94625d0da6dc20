from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assetdb.unity.kinds import ASSEMBLY, GRAPH, URLS, extensions_with
from assetdb.unity.referring.other_forms import OtherReference, other_references

if TYPE_CHECKING:
    from pathlib import Path

G = "0123456789abcdef0123456789ABCDEF"
H = "fedcba98765432100123456789abcdef"
GUID = bytes.fromhex(G)
OTHER = bytes.fromhex(H)


def found(text: str, extension: str) -> list[tuple[bytes, int | None, str, bool]]:
    data = text.encode()
    references = other_references(data, extension)
    for reference in references:
        assert bytes.fromhex(data[reference.offset : reference.offset + 32].decode()) == reference.guid
    return [(item.guid, item.file_id, item.key, item.candidate) for item in references]


@pytest.mark.parametrize("extension", ["asmdef", "ASMREF"])
def test_assemblies(extension: str) -> None:
    text = json.dumps({"references": [f"GUID:{G}", "Named.Assembly", f"guid:{H}"], "name": "x"}, indent=4)
    assert found(text, extension) == [(GUID, None, "", False), (OTHER, None, "", False)]


def nested(value: object, depth: int, indent: int | None = None) -> str:
    text = json.dumps(value, indent=indent)
    for _ in range(depth):
        text = json.dumps({"m_SerializedValue": text}, indent=indent)
    return text


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("indent", [None, 4])
def test_graphs_with_json_in_json(depth: int, indent: int | None) -> None:
    value = {"texture": {"fileID": -2800000, "guid": G, "type": 3}}
    assert found(nested(value, depth, indent), "shadergraph") == [(GUID, -2800000, "", False)]


def test_graphs_with_plain_guids_and_their_own_ids() -> None:
    text = json.dumps({"m_ObjectId": G, "m_FunctionSource": H, "m_Hash": "1234", "m_Zero": "0" * 32}, indent=4)
    assert found(text, "shadersubgraph") == [(OTHER, None, "m_FunctionSource", True)]


def test_visual_effects() -> None:
    text = f"""\
%YAML 1.1
--- !u!114 &1
MonoBehaviour:
  m_Script: {{fileID: 11500000, guid: {H}, type: 3}}
  m_SerializableObject: '{{"obj":{{"fileID":10202,"guid":"{G}","type":0}}}}'
  m_Escaped: "{{\\"obj\\":{{\\"fileID\\":7,\\"guid\\":\\"{H}\\",\\"type\\":2}}}}"
"""
    assert found(text, "vfx") == [(GUID, 10202, "", False), (OTHER, 7, "", False)]


def test_urls() -> None:
    style = f"a {{ src: url('project://database/Assets/a%20b.png?fileID=2800000&guid={G}&type=3#a b'); }}"
    assert found(style, "uss") == [(GUID, 2800000, "", False)]
    markup = f'<Style src="project://database/Assets/a.uss?fileID=-74334&amp;guid={H}&amp;type=3#a" />'
    assert found(markup, "uxml") == [(OTHER, -74334, "", False)]
    assert found(f'@import url("x.uss?fileID=1&guid={G}0");', "tss") == []


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_scalars_of_yaml(newline: str) -> None:
    text = f"""\
MonoBehaviour:
  m_SerializeEntries:
  - m_GUID: {G}
    m_Address: Assets/a.prefab
  reference:
    m_AssetGUID: {H}
    m_SubObjectName:
  m_TableCollectionName: GUID:{G}
  guids:
  - {H}
  m_Empty: {"0" * 32}
  m_Longer: {G}00
  wrapped: {{fileID: 11500000, guid: {G},
    type: 3}}
  m_Modifications:
  - target: {{fileID: 1, guid: {G}, type: 3}}
    propertyPath: weapon.m_AssetGUID
    value: {H}
    objectReference: {{fileID: 0}}
""".replace("\n", newline)
    assert found(text, "prefab") == [
        (GUID, None, "m_GUID", True),
        (OTHER, None, "m_AssetGUID", True),
        (GUID, None, "m_TableCollectionName", False),
        (OTHER, None, "", True),
        (OTHER, None, "weapon.m_AssetGUID", True),
    ]


def test_a_scalar_at_the_start_and_no_key() -> None:
    assert found(f": {G}\n", "asset") == [(GUID, None, "", True)]
    assert found(f"a: {G}\n", "asset") == [(GUID, None, "a", True)]


def test_nothing_to_find() -> None:
    for extension in ("asmdef", "uss", "shadergraph", "prefab", ""):
        assert other_references(b"", extension) == []


def test_numbers_beyond_int64_are_no_file_ids() -> None:
    assert found(f'{{"fileID":9999999999999999999,"guid":"{G}"}}', "vfx") == []


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["m_GUID", "m_AssetGUID", "x"]), st.binary(min_size=16, max_size=16)), max_size=8
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_scalar_is_found_where_it_is(rows: list[tuple[str, bytes]], newline: str) -> None:
    text = newline.join(["Root:", *(f"  {key}: {guid.hex()}" for key, guid in rows), "  end: 0", ""])
    expected = [(guid, None, key, True) for key, guid in rows if guid != b"\0" * 16]
    assert found(text, "asset") == expected


@pytest.mark.parametrize("extension", ["asmdef", "uss", "shadergraph", "vfx"])
def test_hostile_bytes_take_no_time(extension: str) -> None:
    runs = (b'fileID\\"', b"\\", b'fileID":1,\\n', b"?fileID=1&", b'"a": "', b": 0123", b"\\n", b'"fileID": 1 ,\n ')
    for run in runs:
        other_references(run * (400_000 // len(run)), extension)
        other_references(b'fileID":1,' + run * (400_000 // len(run)) + b'"guid":"', extension)


def test_mutations() -> None:
    source = random.Random(4)
    base = (
        nested({"texture": {"fileID": 1, "guid": G}}, 2) + f'\n  m_GUID: {H}\n?fileID=2&amp;guid={G}&\n"GUID:{G}"'
    ).encode()
    for _ in range(2000):
        changed = bytearray(base)
        for _ in range(3):
            changed[source.randrange(len(changed))] = source.randrange(256)
        for extension in ("asmdef", "uss", "shadergraph", "vfx"):
            for reference in other_references(bytes(changed), extension):
                assert len(reference.guid) == 16


OTHERS = extensions_with(ASSEMBLY, GRAPH, URLS)


def _brute_force(data: bytes) -> set[int]:
    """Every run of exactly 32 hexadecimal digits between other characters, but for flow references."""
    flow = {match.start(1) for match in re.finditer(rb"fileID: -?\d+, guid: ([0-9a-fA-F]{32})", data)}
    return {
        match.start()
        for match in re.finditer(rb"(?<![0-9a-zA-Z])[0-9a-fA-F]{32}(?![0-9a-zA-Z])", data)
        if match.start() not in flow
    }


@pytest.mark.long
@pytest.mark.corpus(
    "unity/unity-explorer", "unity/EntityComponentSystemSamples", "unity/Mirror", "unity/FPSSample",
    "unity/BoatAttack", "unity/Pinpoint",
)  # fmt: skip
def test_brute_force_finds_no_reference_more(corpus: Path) -> None:
    """Look for every known GUID at every place of every text asset; ours must be the same places."""
    counts: dict[str, int] = {}
    for project in ("unity-explorer", "EntityComponentSystemSamples", "Mirror", "FPSSample", "BoatAttack", "Pinpoint"):
        files = [path for path in (corpus / "unity" / project).rglob("*") if path.is_file() and not path.is_symlink()]
        known = set()
        for path in files:
            if path.suffix == ".meta":
                guid = re.search(rb"guid: ?([0-9a-fA-F]{32})", path.read_bytes())
                if guid is not None:
                    known.add(bytes.fromhex(guid[1].decode()))
        for path in files:
            extension = path.suffix[1:].lower()
            data = path.read_bytes()
            yaml = data.startswith(b"%YAML") and extension != "meta"
            if not yaml and extension not in OTHERS:
                continue
            expected = {at for at in _brute_force(data) if bytes.fromhex(data[at : at + 32].decode()) in known}
            references = [item for item in other_references(data, extension) if item.guid in known]
            assert {item.offset for item in references} == expected, path
            assert len(references) == len(expected)
            kind = extension if not yaml else "vfx" if extension == "vfx" else "yaml"
            counts[kind] = counts.get(kind, 0) + len(expected)
    assert counts["asmdef"] > 500
    assert counts["shadergraph"] > 150
    assert counts["vfx"] > 40
    assert counts["uxml"] > 40
    assert counts["uss"] > 10
    assert counts["yaml"] > 500


def test_the_record() -> None:
    assert other_references(f'"GUID:{G}"'.encode(), "asmdef") == [OtherReference(GUID, None, 6, "", candidate=False)]
