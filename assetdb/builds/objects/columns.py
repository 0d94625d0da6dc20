"""Facts of built textures, meshes, sounds, shaders, fonts and clips, as columns.

They are read from the objects' own values, by type trees, or in players without them by the extra ``layouts``. Nothing
is decoded: a length is the one that the object states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.builds.parts.reading import open_part
from assetdb.unity.textures.formats import TEXTURE_FORMATS
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.errors import UnityFSError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assetdb.builds.build import Build

TEXTURE: Final = "Texture2D"
MESH: Final = "Mesh"
AUDIO: Final = "AudioClip"
SHADER: Final = "Shader"
FONT: Final = "Font"
CLIP: Final = "AnimationClip"

_LARGEST = 256 << 20  # a test lowers it
# UnityEngine.AudioCompressionFormat, from Unity 5.0 on
AUDIO_FORMATS: Final = ("PCM", "Vorbis", "ADPCM", "MP3", "VAG", "HEVAG", "XMA", "AAC", "GCADPCM", "ATRAC9")
_LOAD_TYPES: Final = ("DecompressOnLoad", "CompressedInMemory", "Streaming")
_PROGRAMS: Final = ("progVertex", "progFragment", "progGeometry", "progHull", "progDomain", "progRayTracing")
_KEYWORDS: Final = ("m_KeywordIndices", "m_GlobalKeywordIndices", "m_LocalKeywordIndices")

Fact = int | float | str | bool | None


class ObjectFacts(NamedTuple):
    """The columns of an object, or the reason for none."""

    number: int
    columns: dict[str, Fact]
    problem: str = ""


def facts_of(build: Build, numbers: Iterable[int]) -> Iterator[ObjectFacts]:
    """Yield the columns of objects, in the order of their files."""
    by_part: dict[int, list[int]] = {}
    for number in numbers:
        if build.class_name(build.class_ids[number]) in COLUMNS:
            by_part.setdefault(build.part_of(number), []).append(number)
        else:
            yield ObjectFacts(number, {})
    for part, own in by_part.items():
        try:
            yield from _of_part(build, part, own)
        except (FormatError, OSError) as error:
            yield from (ObjectFacts(number, {}, str(error)) for number in own)


def _of_part(build: Build, part: int, numbers: list[int]) -> Iterator[ObjectFacts]:
    """Yield the columns of objects of one part.

    Raises:
        FormatError: it is damaged.
        OSError: it cannot be read.
    """
    found = []
    with open_part(build.parts[part].input) as bundle:
        nodes = sorted(bundle.nodes)
        for number in numbers:
            file = build.files[build.file_of(number)]
            loaded = bundle.file(nodes[file.number - build.files_of_part(part)[0]])
            if len(loaded.facts.objects) != file.facts.objects:
                raise UnityFSError("has changed since it was read", path=build.parts[part].name)
            read = COLUMNS[build.class_name(build.class_ids[number])]
            try:
                value = loaded.value(loaded.facts.objects[number - file.first], largest=_LARGEST)
                found.append(ObjectFacts(number, read(value) if isinstance(value, dict) else {}))
            except UnityFSError as error:
                found.append(ObjectFacts(number, {}, error.what))
    yield from found


def _texture(value: dict[str, Any]) -> dict[str, Fact]:
    number = _int(value, "m_TextureFormat")
    mips = value.get("m_MipCount")
    return {
        "width": _int(value, "m_Width"),
        "height": _int(value, "m_Height"),
        "format": TEXTURE_FORMATS.get(number, str(number)) if number is not None else None,
        "mips": mips if mips is not None else _full_mips(value),
        "readable": _flag(value, "m_IsReadable"),
    }


def _full_mips(value: dict[str, Any]) -> int | None:
    """Return the levels of a texture of Unity 5.1: all, or one."""
    if "m_MipMap" not in value:
        return None
    return max(_int(value, "m_Width") or 1, _int(value, "m_Height") or 1).bit_length() if value["m_MipMap"] else 1


def _mesh(value: dict[str, Any]) -> dict[str, Fact]:
    meshes = value.get("m_SubMeshes") or []
    return {
        "vertices": _int(value, "m_VertexData", "m_VertexCount"),
        "indices": sum(_int(part, "indexCount") or 0 for part in meshes),
        "submeshes": len(meshes),
        "readable": _flag(value, "m_IsReadable"),
    }


def _audio(value: dict[str, Any]) -> dict[str, Fact]:
    return {
        "length": _rounded(value.get("m_Length")),
        "channels": _int(value, "m_Channels"),
        "frequency": _int(value, "m_Frequency"),
        "load_type": _word(_LOAD_TYPES, _int(value, "m_LoadType")),
        "compression": _word(AUDIO_FORMATS, _int(value, "m_CompressionFormat")),
    }


def _shader(value: dict[str, Any]) -> dict[str, Fact]:
    """Return passes, keywords and variants as they are stored.

    A variant is a program of one stage; from Unity 2021.3.10 on variants are in lists of their own.
    """
    parsed = value.get("m_ParsedForm")
    if not isinstance(parsed, dict):
        return {"passes": None, "keywords": None, "variants": None}
    passes = [one for sub in parsed.get("m_SubShaders") or [] for one in sub.get("m_Passes") or []]
    keywords = set(parsed.get("m_KeywordNames") or ())
    variants = 0
    for one in passes:
        programs = list(_programs(one))
        variants += len(programs)
        used = {index for program in programs for field in _KEYWORDS for index in program.get(field) or ()}
        names = {row["second"]: row["first"] for row in one.get("m_NameIndices") or ()}
        if "m_KeywordNames" not in parsed:
            keywords.update(names[index] for index in used if index in names)
    return {"passes": len(passes), "keywords": len(keywords), "variants": variants}


def _programs(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the programs of a pass."""
    for name in _PROGRAMS:
        stage = one.get(name) or {}
        yield from stage.get("m_SubPrograms") or ()
        for group in stage.get("m_PlayerSubPrograms") or ():
            yield from group


def _font(value: dict[str, Any]) -> dict[str, Fact]:
    data, names = value.get("m_FontData"), value.get("m_FontNames") or []
    return {
        "names": ", ".join(map(str, names)),
        "font_size": _rounded(value.get("m_FontSize")),
        "characters": len(value.get("m_CharacterRects") or ()),
        "data": len(data) if isinstance(data, bytes | list) else None,
    }


def _clip(value: dict[str, Any]) -> dict[str, Fact]:
    muscle = value.get("m_MuscleClip") or {}
    start, stop = muscle.get("m_StartTime"), muscle.get("m_StopTime")
    return {
        "length": _rounded(stop - start) if isinstance(start, float) and isinstance(stop, float) else None,
        "frame_rate": _rounded(value.get("m_SampleRate")),
        "legacy": _flag(value, "m_Legacy"),
        "events": len(value.get("m_Events") or ()),
    }


COLUMNS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Fact]]]] = {
    TEXTURE: _texture,
    MESH: _mesh,
    AUDIO: _audio,
    SHADER: _shader,
    FONT: _font,
    CLIP: _clip,
}
"""By class the function that gives the columns; of an empty object it gives their names."""


def column_names(classes: Iterable[str]) -> list[str]:
    """Return the columns of some classes, each once."""
    return list(dict.fromkeys(name for kind in classes if kind in COLUMNS for name in COLUMNS[kind]({})))


def _int(value: dict[str, Any], *way: str) -> int | None:
    found: Any = value
    for name in way:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, int) else None


def _flag(value: dict[str, Any], name: str) -> bool | None:
    return bool(value[name]) if name in value else None


def _word(words: tuple[str, ...], number: int | None) -> str | None:
    if number is None:
        return None
    return words[number] if 0 <= number < len(words) else str(number)


def _rounded(number: object) -> float | None:
    """Return a number with the digits of a float."""
    return float(f"{number:.6g}") if isinstance(number, int | float) else None
