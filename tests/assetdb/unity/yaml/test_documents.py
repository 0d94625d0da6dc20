from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.unity.facts import SubAsset
from assetdb.unity.kinds import LFS_POINTER
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.text_asset import name_of_document, read_text_asset
from scripts.make_fixture import (
    SCRIPT_OF_ITEMS,
    YAML_HEAD,
    asset,
    document,
    game_object,
    guid_of,
    instance,
    named,
    scriptable,
)

SCRIPT = guid_of(SCRIPT_OF_ITEMS).encode()


class Found(NamedTuple):
    kind: str
    class_id: int = 0
    script: bytes = b""
    sub_assets: tuple[SubAsset, ...] = ()


def read(text: str | bytes, *, rows: bool = True, prefab: bool = False) -> Found:
    data = text.encode() if isinstance(text, str) else text
    kind, class_id, script, sub_assets = read_text_asset(data, rows=rows, prefab=prefab)
    return Found(kind, class_id, script, tuple(sub_assets))


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_scriptable_object_has_the_type_of_its_script(*, wrapped: bool) -> None:
    found = read(asset(scriptable(SCRIPT_OF_ITEMS, "Item", wrapped=wrapped)))
    assert found == Found("yaml", 114, SCRIPT)


def test_the_guid_of_a_script_in_upper_case() -> None:
    text = asset(scriptable(SCRIPT_OF_ITEMS, "Item")).replace(SCRIPT.decode(), SCRIPT.decode().upper())
    assert read(text).script == SCRIPT


def test_the_script_of_another_document_is_not_the_types() -> None:
    text = asset(document(114, 1, "MonoBehaviour", "m_Name: first"), scriptable(SCRIPT_OF_ITEMS, "second", 2))
    assert read(text).script == b""
    assert read(asset(named(21, 1, "Material", "first"), scriptable(SCRIPT_OF_ITEMS, "second", 2))).script == b""


@pytest.mark.parametrize("change", [lambda t: t.replace("\n", "\r\n"), lambda t: t[len(YAML_HEAD) :], str.rstrip])
def test_the_same_asset_in_other_clothes(change: "object") -> None:
    text = asset(scriptable(SCRIPT_OF_ITEMS, "Item"), named(74, -7, "AnimationClip", "Idle"))
    text = text.replace("  m_Value: 1\n", "")  # so that the last line is a name
    assert callable(change)
    assert read(change(text)) == Found("yaml", 114, SCRIPT, ((-7, 74, b"Idle"),))


@pytest.mark.parametrize("file_id", [-1, 2**53 + 1, 2**63 - 1, -(2**63), 0])
def test_anchors(file_id: int) -> None:
    text = asset(named(21, file_id, "Material", "A"), named(74, file_id, "AnimationClip", "B"))
    assert read(text) == Found("yaml", 21, b"", ((file_id, 74, b"B"),))


def test_anchors_beyond_int64_are_no_rows() -> None:
    assert read(asset(named(21, 1, "Material", "A"), named(74, 2**63, "AnimationClip", "B"))).sub_assets == ()
    assert read(asset(named(21, 1, "Material", "A"), named(2**32, 5, "Odd", "B"))).sub_assets == ()


def test_rows_only_where_they_are_asked_for() -> None:
    text = asset(named(21, 1, "Material", "A"), named(74, 2, "AnimationClip", "B"))
    assert read(text, rows=False) == Found("yaml", 21)


def test_game_objects_and_transforms_are_no_rows() -> None:
    transform = document(224, 5, "RectTransform", "m_Name: odd")
    text = asset(scriptable(SCRIPT_OF_ITEMS, "A"), game_object(100, "B"), transform, named(74, 9, "AnimationClip", "C"))
    assert read(text).sub_assets == ((9, 74, b"C"),)


def test_components_are_no_rows_of_a_prefab_and_rows_elsewhere() -> None:
    text = asset(game_object(100, "Root"), scriptable(SCRIPT_OF_ITEMS, "Part", 7), named(74, 9, "AnimationClip", "C"))
    assert read(text, prefab=True).sub_assets == ((9, 74, b"C"),)
    assert read(text).sub_assets == ((7, 114, b"Part"), (9, 74, b"C"))


def test_the_commonest_components_of_prefabs_are_skipped_by_whole_numbers() -> None:
    # 1 and 114 are skipped; 11, 1142 and 1001480554 begin with the same digits.
    rows = [named(cls, cls, "Thing", f"n{cls}") for cls in (11, 1142, 2240, 1001480554, 74)]
    text = asset(game_object(100, "Root"), *rows)
    assert [row[1] for row in read(text, prefab=True).sub_assets] == [11, 1142, 2240, 1001480554, 74]


def test_a_name_in_a_nested_map_is_not_the_documents() -> None:
    nested = document(2083052967, 8, "VisualEffect", "m_PropertySheet:", "  m_Float:", "    m_Name: Rate")
    assert read(asset(named(21, 1, "Material", "A"), nested)).sub_assets == ()


def test_the_name_of_the_next_document_is_not_this_ones() -> None:
    nameless = document(74, 8, "AnimationClip", "m_Length: 1")
    text = asset(named(21, 1, "Material", "A"), nameless, named(74, 9, "AnimationClip", "Next"))
    assert read(text).sub_assets == ((9, 74, b"Next"),)
    empty = named(74, 8, "AnimationClip", "")
    text = asset(named(21, 1, "Material", "A"), empty, named(74, 9, "AnimationClip", "Next"))
    assert read(text).sub_assets == ((9, 74, b"Next"),)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("'Material #75'", "Material #75"),
        ("'It''s'", "It's"),
        ('"Trade\\u2122"', "Trade™"),
        ("'Cactus '", "Cactus "),
        ("a long name that Unity\n    wraps", "a long name that Unity wraps"),
        ("Grün", "Grün"),
        ("plain (1)", "plain (1)"),
        ("trailing   ", "trailing"),
        ("a: b", "a: b"),
    ],
)
def test_names_are_decoded(written: str, name: str) -> None:
    text = asset(named(21, 1, "Material", "A"), named(74, 2, "AnimationClip", written))
    assert read(text).sub_assets == ((2, 74, name.encode()),)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b" \r\n\t\0", "empty"),
        (LFS_POINTER + b"v1\noid sha256:00\nsize 1\n", "lfs"),
        (b"\xef\xbb\xbf" + LFS_POINTER + b"v1\n", "lfs"),
        (b'{ "a": 1 }\n', "text"),
        (YAML_HEAD.encode(), "text"),
        (b"\0\0\x15\x35", "binary"),
        (bytes(range(256)), "binary"),
    ],
)
def test_what_is_not_yaml(data: bytes, kind: str) -> None:
    assert read(data) == Found(kind)


def test_documents() -> None:
    base = "Assets/Prefabs/Base.prefab"
    text = asset(instance(7, base), document(4, -8, "Transform", "m_PrefabInstance: {fileID: 7}", stripped=True))
    data = text.encode()
    found = documents(data)
    assert [(item.class_id, item.file_id, item.stripped) for item in found] == [(1001, 7, False), (4, -8, True)]
    assert data[found[0].start : found[0].end].startswith(b"\nPrefabInstance:\n")
    assert data[found[1].start : found[1].end] == b"\nTransform:\n  m_PrefabInstance: {fileID: 7}\n"
    headless = data[len(YAML_HEAD) :]
    assert [headless[d.start : d.end] for d in documents(headless)] == [data[d.start : d.end] for d in found]


def test_a_line_of_a_megabyte() -> None:
    text = asset(document(43, 1, "Mesh", "_typelessdata: " + "0" * (1 << 20)), named(74, 2, "AnimationClip", "B"))
    assert read(text).sub_assets == ((2, 74, b"B"),)


@given(st.binary(max_size=200), st.booleans(), st.booleans())
def test_every_input_has_an_answer(data: bytes, rows: bool, prefab: bool) -> None:  # noqa: FBT001 - made by hypothesis
    for sample in (data, b"--- !u!114 &1\n" + data, b"--- !u!21 &1\n--- !u!74 &2\n  m_Name: " + data):
        found = read(sample, rows=rows, prefab=prefab)
        assert found.kind in ("yaml", "lfs", "binary", "empty", "text")
        for _, _, name in found.sub_assets:
            name.decode()
        for item in documents(sample):
            name_of_document(sample, item.start, item.end)
