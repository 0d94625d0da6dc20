"""Settings of a model's meta that decide its objects and their names."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

LEGACY: Final = 1
GENERIC: Final = 2
HUMANOID: Final = 3


class ModelSettings(NamedTuple):
    """The settings of a ``ModelImporter`` that decide names.

    See ``read_settings``.

    Attributes:
        generation: ``fileIdsGeneration``: 0, 1 or 2.
        preserve_hierarchy: whether a single root node is kept.
        extra_root: ``hasExtraRoot``: a single root node is kept, too.
        animation_type: 0 none, 1 legacy, 2 generic, 3 humanoid, or None if it is not in the meta.
        no_avatar: whether the model gets neither an Avatar nor an Animator: it has none (``avatarSetup: 0``), or copies
            another's (``copyAvatar: 1``).
        animations: ``importAnimation``: takes become clips.
        optimized: ``optimizeGameObjects``: nodes without a mesh are removed.
        colliders: ``addColliders``: every mesh gets a MeshCollider.
        cameras: ``importCameras``; Unity imports none before it has the setting (2017.1).
        lights: ``importLights``; the same holds for it.
        has_materials: ``importMaterials`` or ``materialImportMode``.
        embedded: ``materialLocation: 1``: materials that are not mapped to others are the model's own.
        material_name: ``materialName``, by what a material is found: 0 the name of its texture, 1 its own, 3 the
            model's and its own.
        material_search: ``materialSearch``, where: 0 in the folder ``Materials`` beside the model, 1 in ``Materials``
            of all folders above too, 2 anywhere.
        clips: names of ``clipAnimations``.
        takes: of the clips.
        materials: names of materials that are mapped to others.
        skeleton: (name, parent name) of ``humanDescription.skeleton``; the parent is ``""`` in older metas.
        exposed: ``extraExposedTransformPaths``.
    """

    generation: int = 0
    preserve_hierarchy: bool = False
    extra_root: bool = False
    animation_type: int | None = None
    no_avatar: bool = False
    animations: bool = True
    optimized: bool = False
    colliders: bool = False
    cameras: bool = False
    lights: bool = False
    has_materials: bool = True
    embedded: bool = False
    material_name: int = 0
    material_search: int = 1
    clips: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    skeleton: tuple[tuple[str, str], ...] = ()
    exposed: tuple[str, ...] = ()


_NUMBERS: Final = (
    *(b"fileIdsGeneration", b"preserveHierarchy", b"hasExtraRoot", b"animationType", b"copyAvatar", b"avatarSetup"),
    *(b"importAnimation", b"optimizeGameObjects", b"addColliders", b"importCameras", b"importLights"),
    *(b"importMaterials", b"materialImportMode", b"materialLocation", b"materialName", b"materialSearch"),
)
_MOST_DIGITS: Final = 9
_DEEPEST: Final = 200  # spaces before a key
_MATERIAL: Final = b"type: UnityEngine:Material"


def read_settings(meta: bytes) -> ModelSettings:
    """Return the settings in the meta of a model, with defaults."""
    if b"\r" in meta:
        meta = meta.replace(b"\r\n", b"\n")
    numbers = {key: _number(meta, key) for key in _NUMBERS}
    clips, bones, mapped = (_block(meta, key) for key in (b"clipAnimations", b"skeleton", b"externalObjects"))
    skeleton: list[tuple[str, str]] = []
    orphan = False  # the last bone has no parent yet
    for start, indent, text in _lines(bones):
        if indent and text.startswith(b"- name:"):
            skeleton.append((_scalar(bones, start + 7, indent + 2), ""))
            orphan = True
        elif indent and text.startswith(b"parentName:") and orphan:
            skeleton[-1] = skeleton[-1][0], _scalar(bones, start + 11, indent)
            orphan = False
    materials = []
    before, last = b"", b""
    for start, indent, text in _lines(mapped):
        if indent and text.startswith(b"name:") and last.startswith(b"assembly: ") and before == _MATERIAL:
            materials.append(_scalar(mapped, start + 5, indent))
        before, last = last, text if indent else b""
    exposed = _block(meta, b"extraExposedTransformPaths")
    return ModelSettings(
        numbers[b"fileIdsGeneration"] or 0,
        bool(numbers[b"preserveHierarchy"]),
        bool(numbers[b"hasExtraRoot"]),
        numbers[b"animationType"],
        bool(numbers[b"copyAvatar"]) or numbers[b"avatarSetup"] in (0, 2),
        numbers[b"importAnimation"] != 0,
        bool(numbers[b"optimizeGameObjects"]),
        bool(numbers[b"addColliders"]),
        bool(numbers[b"importCameras"]),
        bool(numbers[b"importLights"]),
        0 not in (numbers[b"importMaterials"], numbers[b"materialImportMode"]),
        numbers[b"materialLocation"] == 1,
        numbers[b"materialName"] or 0,
        1 if numbers[b"materialSearch"] is None else numbers[b"materialSearch"],
        _clip_values(clips, b"name:"),
        _clip_values(clips, b"takeName:"),
        tuple(dict.fromkeys(materials)),
        tuple(skeleton),
        tuple(
            dict.fromkeys(
                _scalar(exposed, start + 2, indent)
                for start, indent, text in _lines(exposed)
                if indent and text.startswith(b"- ")
            )
        ),
    )


def _number(meta: bytes, key: bytes) -> int | None:
    """Return the last number after ``key:`` at the start of a line."""
    end = len(meta)
    while (found := meta.rfind(b" " + key + b":", 0, end)) >= 0:
        end = found
        if _indent(meta, found):
            line_end = meta.find(b"\n", found)
            digits = meta[found + len(key) + 2 : line_end if line_end >= 0 else len(meta)].lstrip(b" ")
            if digits.isdigit() and len(digits) <= _MOST_DIGITS:
                return int(digits)
    return None


def _indent(meta: bytes, space: int) -> int:
    """Return a line's indentation, 0 if text precedes the space.

    Only ``_DEEPEST`` bytes are examined: a line of a megabyte may hold a key a hundred thousand times.
    """
    head = meta[max(0, space - _DEEPEST) : space + 1]
    before = head.rstrip(b" ")
    return len(head) - len(before) if before.endswith(b"\n") else 0


def _clip_values(clips: bytes, key: bytes) -> tuple[str, ...]:
    """Return the values of a key of clips, not of their curves."""
    heads = (b"      " + key, b"    - " + key)
    found = (
        _scalar(clips, start + text.find(b":") + 1, 6)
        for start, indent, text in _lines(clips)
        if clips.startswith(heads, start - indent)
    )
    return tuple(dict.fromkeys(found))


def _scalar(block: bytes, start: int, indent: int) -> str:
    """Return the scalar at a position, quickly if it is plain text."""
    end = block.find(b"\n", start)
    text = block[start : end if end >= 0 else len(block)].strip(b" \t\r")
    deeper = end >= 0 and block.startswith(b" " * (indent + 1), end + 1)
    blank = end >= 0 and block[end + 1 : end + 2] in (b"\n", b"\t")
    if not text.isascii() or text[:1] in (b'"', b"'") or deeper or blank:
        from assetdb.unity.yaml.scalars import scalar_at  # noqa: PLC0415 - few names are anything but plain

        return scalar_at(block, start, indent)
    return text.decode("ascii")


def _lines(block: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield start, indentation and text of all later lines."""
    start = block.find(b"\n") + 1
    while 0 < start <= len(block):
        end = block.find(b"\n", start)
        line = block[start : end if end >= 0 else len(block)]
        text = line.lstrip(b" ")
        indent = len(line) - len(text)
        yield start + indent, indent, text
        start = end + 1


def _block(meta: bytes, key: bytes) -> bytes:
    """Return the lines below ``key:`` that belong to it."""
    found = -1
    while (found := meta.find(b" " + key + b":", found + 1)) >= 0:
        depth = _indent(meta, found)
        line_end = meta.find(b"\n", found) if depth else -1
        if line_end >= 0 and not meta[found + len(key) + 2 : line_end].strip(b" \t"):
            break
    else:
        return b""
    for start, indent, text in _lines(meta[line_end:]):
        if indent <= depth and not text.startswith(b"-"):
            return meta[line_end : line_end + start - indent - 1]
    return meta[line_end:]
