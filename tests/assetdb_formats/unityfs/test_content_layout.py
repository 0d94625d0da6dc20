"""Layouts and manifests of content directories, in the shapes of Unity 6.6 and 6.7."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.content_layout import (
    Artifact,
    ContentScene,
    Loadable,
    content_hash,
    read_content_layout,
    read_content_manifest,
)

if TYPE_CHECKING:
    from collections.abc import Callable

BUILT_IN = "Library/unity default resources"
A, B = "a" * 32, "b" * 32


def layout(version: int = 2, **changes: object) -> dict[str, Any]:
    """Return a layout of two files, the second of which refers to Unity's own and to the first."""
    named = [{"ID": BUILT_IN}, {"ID": f"{'1' * 32}.cfid", "ContentHash": A}, {"ID": "2.cfid", "ContentHash": B}]
    if version == 3:
        named = [{"StableId": BUILT_IN}, {"StableId": "1" * 32}, {"StableId": "2"}]
        for place, row in enumerate(named):
            row["ArtifactIndex"] = place - 1  # type: ignore[assignment]
    sources: list[list[str]] = [[], ["Assets/Green.png"], ["Assets/Main.unity"]]
    needs: list[list[int]] = [[], [], [0, 1]]
    files = [
        {"Index": place, **row, "SourceAssets": sources[place], "SerializedFileDependencies": needs[place]}
        for place, row in enumerate(named)
    ]
    rows = [
        {"Index": 0, "ContentHash": A, "Category": "contentfile", "Size": 10, "ArtifactReferences": [2]},
        {"Index": 1, "ContentHash": B, "Category": "contentfile", "Size": 20},
        {"Index": 2, "ContentHash": "c" * 32, "Category": "texture", "Size": 30},
    ]
    found = {
        "Version": version,
        "BuildManifestHash": "d" * 32,
        "SerializedFiles": files,
        "LoadableObjectIds": [
            {"GUID": "F" * 32, "AssetPath": "Assets/Green.png", "LFID": 2800000, "SerializedFile": 1, "OutputLFID": -7},
            {"GUID": "F" * 32, "AssetPath": "Assets/Dropped.shader", "LFID": 1, "SerializedFile": -1},
            {"AssetPath": "Assets/Nameless.png", "SerializedFile": 1},
        ],
        "LoadableSceneIds": [{"GUID": "e" * 32, "Path": "Assets/Main.unity", "SerializedFile": 2}],
        "BinaryArtifacts": rows,
    }
    return found | changes


def manifest(version: int = 1) -> dict[str, Any]:
    key, end = ("ID", ".cfid") if version == 1 else ("StableId", "")
    files = [
        {"Index": 0, key: BUILT_IN, "IsBuiltIn": True, "SerializedFileDependencies": []},
        {"Index": 1, key: "1" * 32 + end, "SerializedFileDependencies": [], "ContentHash": A},
        {"Index": 2, key: "2" * 32 + end, "SerializedFileDependencies": [0, 1], "ContentHash": B},
    ]
    scenes = [{"GUID": "e" * 32, "Path": "Assets/Main.unity", "SerializedFile": 2}]
    info = {"BuildName": "ContentDirectory", "BuiltWithTypeTrees": True}
    return {"Version": version, "BuildInfo": info, "LoadableScenes": scenes, "SerializedFiles": files}


@pytest.mark.parametrize("version", [2, 3])
def test_both_versions_say_the_same(version: int) -> None:
    found = read_content_layout(json.dumps(layout(version)).encode())
    assert (found.version, found.manifest_hash) == (version, "d" * 32)
    assert [row.content_hash for row in found.files] == ["", A, B]
    assert [row.needs for row in found.files] == [(), (), ("", A)]
    assert found.files[2].sources == ("Assets/Main.unity",)
    assert found.scenes == (ContentScene("Assets/Main.unity", B, "e" * 32),)
    assert found.loadables == (Loadable("f" * 32, "Assets/Green.png", 2800000, A, -7),)
    assert found.artifacts[2] == Artifact("c" * 32, "texture", 30)


@pytest.mark.parametrize("version", [1, 2])
def test_manifests_name_files_and_references(version: int) -> None:
    found = read_content_manifest(json.dumps(manifest(version)).encode())
    assert [row.needs for row in found.files] == [(), (), ("", A)]
    assert (found.scenes[0].content_hash, found.artifacts) == (B, ())


def test_a_size_beyond_53_bits_is_exact() -> None:
    rows = [{"ContentHash": A, "Category": "video", "Size": (1 << 63) + 1}]
    found = read_content_layout(json.dumps(layout(BinaryArtifacts=rows)).encode())
    assert found.artifacts[0].size == (1 << 63) + 1


@pytest.mark.parametrize(
    ("read", "changes", "said"),
    [
        (read_content_layout, {"Version": 4}, "version 4 of a content layout: versions 2 and 3 are read"),
        (read_content_layout, {"Version": "2"}, "Version: is str, not int"),
        (read_content_layout, {"Version": True}, "is bool, not int"),
        (read_content_manifest, {"Version": 9}, "version 9 of a content manifest: versions 1 and 2 are read"),
        (read_content_layout, {"SerializedFiles": [3]}, "SerializedFiles[0]: is int, not an object"),
        (read_content_layout, {"SerializedFiles": [{"SerializedFileDependencies": [7]}]}, "7 is no number of 1"),
        (read_content_layout, {"SerializedFiles": [{"SerializedFileDependencies": [-1]}]}, "-1 is no number of 1"),
        (read_content_layout, {"SerializedFiles": [{"ArtifactIndex": 9}]}, "9 is no number of 3 entries"),
        (read_content_layout, {"SerializedFiles": [{"SourceAssets": [1]}]}, "is not a list of text"),
        (read_content_layout, {"LoadableSceneIds": [{"SerializedFile": 1 << 70}]}, "is no number of 3 entries"),
        (read_content_layout, {"BinaryArtifacts": [{"Size": -1}]}, "-1 bytes"),
        (read_content_layout, {"LoadableSceneIds": [{"GUID": "x" * 99}]}, "LoadableSceneIds[0].GUID"),
        (read_content_layout, {"LoadableObjectIds": [{"GUID": "e" * 32, "SerializedFile": 3}]}, "is no number of 3"),
        (
            read_content_layout,
            {"LoadableObjectIds": [{"GUID": "e" * 32, "SerializedFile": 1, "OutputLFID": "7"}]},
            "LoadableObjectIds[0].OutputLFID: is str, not int",
        ),
    ],
)
def test_damage_is_named_with_its_place(read: Callable[[bytes], object], changes: dict[str, object], said: str) -> None:
    with pytest.raises(FormatError) as error:
        read(json.dumps(layout(**changes)).encode())
    assert said in str(error.value)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"Version": 2', b"\xff", b"[" * 100_000])
def test_what_is_no_object_is_a_typed_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        read_content_layout(data)


def test_names_are_xxh3_with_its_bytes_reversed() -> None:
    """The published values are 99aa06d3014798d86001c324468d497f of nothing, a96faf705af16834e6c632b61e964e1f of "a"."""
    assert content_hash([]) == "7f498d4624c30160d8984701d306aa99"
    assert content_hash([b"a"]) == "1f4e961eb632c6e63468f15a70af6fa9"
    assert content_hash([b"content ", b"", b"directory"]) == content_hash([b"content directory"])
