"""Facts of what ships: by small objects, damaged ones, and beside UnityPy on real players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds import open_build
from assetdb.builds.objects.columns import COLUMNS, column_names, facts_of
from assetdb.unity.textures.formats import TEXTURE_FORMATS
from tests.assetdb.builds import making

if TYPE_CHECKING:
    from pathlib import Path


def of(kind: str, **value: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of any type
    return {name: fact for name, fact in COLUMNS[kind](value).items() if fact is not None}


def test_textures() -> None:
    value = {"m_Width": 64, "m_Height": 32, "m_TextureFormat": 12, "m_MipCount": 7, "m_IsReadable": False}
    assert of("Texture2D", **value) == {"width": 64, "height": 32, "format": "DXT5", "mips": 7, "readable": False}
    # Unity 5.1 says only whether there are mips: 64, 32, 16, 8, 4, 2, 1.
    old = {"m_Width": 64, "m_Height": 32, "m_TextureFormat": 999, "m_MipMap": True}
    assert of("Texture2D", **old) == {"width": 64, "height": 32, "format": "999", "mips": 7}
    assert of("Texture2D", **{**old, "m_MipMap": False})["mips"] == 1
    for width, height, mips in ((1, 1, 1), (2, 1, 2), (3, 64, 7), (64, 65, 7), (127, 1, 7), (128, 1, 8), (0, 0, 1)):
        assert of("Texture2D", m_Width=width, m_Height=height, m_MipMap=True)["mips"] == mips, (width, height)
    assert of("Texture2D", m_MipMap=True) == {"mips": 1}


def test_meshes_sounds_fonts_and_clips() -> None:
    parts = [{"indexCount": 30, "vertexCount": 9}, {"indexCount": 12, "vertexCount": 4}]
    assert of("Mesh", m_SubMeshes=parts, m_VertexData={"m_VertexCount": 13}, m_IsReadable=True) == {
        "vertices": 13,
        "indices": 42,
        "submeshes": 2,
        "readable": True,
    }
    sound = {"m_Length": 0.10000000149011612, "m_Channels": 2, "m_Frequency": 44100}
    assert of("AudioClip", **sound, m_LoadType=2, m_CompressionFormat=1) == {
        "length": 0.1,
        "channels": 2,
        "frequency": 44100,
        "load_type": "Streaming",
        "compression": "Vorbis",
    }
    first = {"load_type": "DecompressOnLoad", "compression": "PCM"}
    assert of("AudioClip", m_LoadType=0, m_CompressionFormat=0) == first
    assert of("AudioClip", m_LoadType=7, m_CompressionFormat=-1) == {"load_type": "7", "compression": "-1"}
    named = [of("AudioClip", m_LoadType=number)["load_type"] for number in range(5)]
    assert named == ["DecompressOnLoad", "CompressedInMemory", "Streaming", "3", "4"]
    font = {"m_FontNames": ["Roboto", "Arial"], "m_FontSize": 16.0, "m_CharacterRects": [{}, {}], "m_FontData": b"abc"}
    assert of("Font", **font) == {"names": "Roboto, Arial", "font_size": 16.0, "characters": 2, "data": 3}
    clip = {"m_MuscleClip": {"m_StartTime": 0.5, "m_StopTime": 2.0}, "m_SampleRate": 24.0, "m_Legacy": True}
    assert of("AnimationClip", **clip, m_Events=[{}]) == {
        "length": 1.5,
        "frame_rate": 24.0,
        "legacy": True,
        "events": 1,
    }


def test_shaders_count_programs_of_all_stages_and_the_keywords_that_they_use() -> None:
    names = [{"first": word, "second": number} for number, word in enumerate(("_MainTex", "FOG", "SHADOWS"))]
    old_pass = {
        "m_NameIndices": names,
        "progVertex": {"m_SubPrograms": [{"m_KeywordIndices": [1]}, {"m_KeywordIndices": [1, 2]}]},
        "progFragment": {"m_SubPrograms": [{"m_GlobalKeywordIndices": [2], "m_LocalKeywordIndices": [1]}]},
    }
    parsed = {"m_SubShaders": [{"m_Passes": [old_pass]}, {"m_Passes": [{"progVertex": {}}]}]}
    assert of("Shader", m_ParsedForm=parsed) == {"passes": 2, "keywords": 2, "variants": 3}
    new_pass = {"progVertex": {"m_SubPrograms": [], "m_PlayerSubPrograms": [[{}, {}], [{}]]}}
    parsed = {"m_SubShaders": [{"m_Passes": [new_pass]}], "m_KeywordNames": ["FOG", "SHADOWS", "FOG"]}
    assert of("Shader", m_ParsedForm=parsed) == {"passes": 1, "keywords": 2, "variants": 3}
    assert of("Shader", m_Script="Shader {}") == {}  # before Unity 5.5


def test_the_names_of_columns() -> None:
    assert column_names(["Mesh", "Texture2D", "GameObject"]) == [
        *("vertices", "indices", "submeshes", "readable", "width", "height", "format", "mips")
    ]
    assert all(COLUMNS[kind]({}).keys() for kind in COLUMNS)


def test_what_cannot_be_read_has_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("UnityPy", reason="the textures of a player have their layouts from the extra `layouts`")
    build = open_build(making.player(tmp_path / "Game_Data"), remember=False)
    textures = [number for number in range(len(build)) if build.class_name(build.class_ids[number]) == "Texture2D"]
    monkeypatch.setattr("assetdb.builds.objects.columns._LARGEST", 1)
    rows = list(facts_of(build, textures))
    assert len(rows) == len(textures) > 1
    assert {row.columns == {} and "are read at once" in row.problem for row in rows} == {True}


@pytest.mark.corpus("builds", "players", "buildreports")
@pytest.mark.parametrize(
    "place",
    [
        "Urbanize/Build_Data",
        "pixel-adventure/Build/My project_Data",
        "Pong/Build/Pong_Data",
        "Arkanoid/xd/Arkanoid_Data",
    ],
)
def test_columns_of_real_players_are_those_that_unitypy_reads(corpus: Path, place: str) -> None:
    unitypy = pytest.importorskip("UnityPy", reason="UnityPy is of the extra oracle")
    build = open_build(corpus / "builds" / place, remember=False)
    kinds = ("Texture2D", "AudioClip", "Mesh")
    numbers = [number for number in range(len(build)) if build.class_name(build.class_ids[number]) in kinds]
    ours = {}
    for row in facts_of(build, numbers):
        assert row.problem == ""
        file = build.files[build.file_of(row.number)].name.rpartition("/")[2]
        ours[file, build.path_ids[row.number]] = row.columns
    compared = 0
    for path in {build.parts[build.part_of(number)].name for number in numbers}:
        for item in unitypy.load(str(corpus / "builds" / place / path)).objects:
            found = ours.get((item.assets_file.name.rpartition("/")[2], item.path_id))
            if found is None or item.type.name not in kinds:
                continue
            data = item.parse_as_object()
            if item.type.name == "Texture2D":
                theirs = (data.m_Width, data.m_Height, data.m_MipCount, bool(data.m_IsReadable))
                assert tuple(found[name] for name in ("width", "height", "mips", "readable")) == theirs
                assert TEXTURE_FORMATS.get(data.m_TextureFormat) == found["format"]
            elif item.type.name == "AudioClip":
                assert (found["channels"], found["frequency"]) == (data.m_Channels, data.m_Frequency)
                assert found["length"] == pytest.approx(data.m_Length, rel=1e-5)
            else:
                assert found["vertices"] == data.m_VertexData.m_VertexCount
                assert found["indices"] == sum(part.indexCount for part in data.m_SubMeshes)
            compared += 1
    assert compared == len(ours) > 2
