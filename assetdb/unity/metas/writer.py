"""The meta that Unity would write for a file or folder.

The keys are as in the newest meta of the project with the same importer, if there is one (never the values, which
are user settings); otherwise as the version in ``ProjectVersion.txt`` writes them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.kinds import ASSET_MAIN, DOCUMENTS, extension_of, kind_of, main_file_id, usual_importer
from assetdb.unity.metas.layouts import MOVED, number_of, rows_of
from assetdb.unity.settings.editor_version import NEWEST, OLDEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.unity.metas.layouts import Row
    from assetdb.unity.settings.editor_version import Version

_IMPORTER: Final = re.compile(rb"^([A-Z]\w*Importer):[ \t]*\r?$", re.MULTILINE)
_KEY: Final = re.compile(rb"^( *)(- )?([^\s:#{\[-][^:\r\n]{0,99}):(?: ([^\r\n]*?))? ?\r?$", re.MULTILINE)
_NUMBER: Final = re.compile(rb"^  serializedVersion: (\d{1,9})\r?$", re.MULTILINE)
_SCRIPT: Final = re.compile(rb"^  script: ([^\r\n]*?) ?\r?$", re.MULTILINE)
_DOCUMENT: Final = re.compile(rb"^--- !u!(\d{1,10}) &(-?\d{1,19})", re.MULTILINE)
_SPRITES: Final = re.compile(rb"^  m_DefaultBehaviorMode: 1\r?$", re.MULTILINE)
_ITEM_KEYS: Final = frozenset(
    (
        *("sprites", "internalIDToNameTable", "externalObjects", "fileIDToRecycleName", "clipAnimations"),
        *("nameFileIdTable", "human", "skeleton"),
    )
)
_SCRIPTS: Final = {
    "uxml": "{fileID: 13804, guid: 0000000000000000e000000000000000, type: 0}",
    "uss": "{fileID: 12385, guid: 0000000000000000e000000000000000, type: 0}",
    "tss": "{fileID: 12388, guid: 0000000000000000e000000000000000, type: 0}",
    "shadergraph": "{fileID: 11500000, guid: 625f186215c104763be7675aa2d941aa, type: 3}",
    "shadersubgraph": "{fileID: 11500000, guid: 60072b568d64c40a485e0fc55012dc9f, type: 3}",
    "inputactions": "{fileID: 11500000, guid: 8404be70184654265930450def6a9037, type: 3}",
}
"""The scripts of scripted importers of Unity and its packages, by extension."""
_TEXT: Final = 49
_IMAGES: Final = frozenset(("dds", "astc", "pvr", "ktx"))
_FOLDERS: Final = {
    "androidlib": "PluginImporter",
    "bundle": "PluginImporter",
    "androidpack": "AndroidAssetPackImporter",
}
_PREFABS_SINCE: Final = (2018, 3)
_INCLUDES_SINCE: Final = (2020, 2)
_PLATFORMS_AS_MAP: Final = 3
_PLATFORM: Final = "platformSettings/"
_MANAGED_LIST: Final = """
  - first:
      Any:{space}
    second:
      enabled: 1
      settings: {{}}
  - first:
      Editor: Editor
    second:
      enabled: 0
      settings:
        DefaultValueInitialized: true"""
_MANAGED_MAP: Final = """
    Any:
      enabled: 1
      settings: {}
    Editor:
      enabled: 0
      settings:
        DefaultValueInitialized: true"""


class Layout(NamedTuple):
    """The keys of a meta.

    Attributes:
        importer: ``TextureImporter``.
        number: its ``serializedVersion``, 0 if it has none.
        keys: each after the keys of the blocks around it, in order: ``mipmaps/enableMipMap``.
        script: of a scripted importer, as in the meta.
    """

    importer: str
    number: int
    keys: tuple[str, ...]
    script: str = ""


class Context(NamedTuple):
    """The facts of a project that decide a meta.

    Attributes:
        version: of Unity, year and number: ``(2022, 3)``.
        sprites: whether pictures are sprites by default (2D).
        layouts: of some of its metas, by extension.
    """

    version: Version = NEWEST
    sprites: bool = False
    layouts: tuple[tuple[str, Layout], ...] = ()


def has_sprites_by_default(text: bytes) -> bool:
    """Whether an ``EditorSettings.asset`` is of a 2D project."""
    return _SPRITES.search(text) is not None


def layout_of(meta: bytes) -> Layout | None:
    """Return the keys of a meta, None without importer or in conflict."""
    found = _IMPORTER.search(meta)
    if found is None or b"<<<<<<<" in meta:
        return None
    keys = ordered_keys(meta)
    settings = meta[found.end() :]
    version = _NUMBER.search(settings)
    own = _SCRIPT.search(settings)
    return Layout(
        found[1].decode(),
        int(version[1]) if version else 0,
        tuple(keys),
        own[1].decode("utf-8", "replace") if own else "",
    )


def ordered_keys(meta: bytes) -> list[str]:
    """Return an importer's key paths in order, without table rows."""
    found = _IMPORTER.search(meta)
    if found is None:
        return []
    keys: list[str] = []
    above: list[tuple[int, str]] = []
    for match in _KEY.finditer(meta, found.end()):
        depth = len(match[1]) - 2
        if depth < 0:
            break
        depth += 2 if match[2] else 0
        while above and above[-1][0] >= depth:
            above.pop()
        key = match[3].decode("utf-8", "replace")
        if any(name in _ITEM_KEYS for _, name in above):
            continue
        above.append((depth, key))
        keys.append("/".join([name for _, name in above]))
    return list(dict.fromkeys(keys))


def importer_of(name: str, context: Context, *, folder: bool = False) -> str:
    """Return the importer of a file or folder, ``""`` if unknown."""
    extension = extension_of(name)
    if folder:
        return _FOLDERS.get(extension, "DefaultImporter")
    if name == "package.json":
        return "PackageManifestImporter"
    own = {layout.importer for ending, layout in context.layouts if ending == extension}
    kind = kind_of(extension)
    if extension in _SCRIPTS:
        return "ScriptedImporter"
    if kind.class_id == _TEXT and own == {"DefaultImporter"}:  # the extensions of text assets depend on the version
        return "DefaultImporter"
    if kind.namer == "scripted" or extension == "psb":
        return "ScriptedImporter" if "ScriptedImporter" in own else ""
    if extension == "rsp" or (not kind.content and len(own) != 1):
        return "DefaultImporter"
    if not kind.content:
        return own.pop()
    if kind.class_id == 1001 and context.version < _PREFABS_SINCE:
        return "NativeFormatImporter"
    if kind.class_id == 109 and context.version < _INCLUDES_SINCE:
        return "ShaderImporter"
    if kind.class_id == 1:
        return "ModelImporter" if kind.namer == "model" else ""
    if extension == "spriteatlasv2":
        return "SpriteAtlasImporter"
    if extension in _IMAGES:
        return "IHVImageFormatImporter"
    if kind.content == DOCUMENTS and kind.class_id not in (1001, 1032):  # neither prefabs nor scenes
        return "NativeFormatImporter"
    return usual_importer(kind.class_id) or "DefaultImporter"


def meta_bytes(guid: str, name: str, context: Context, *, data: bytes = b"", folder: bool = False) -> bytes:
    """Return the meta of a file or folder that has none.

    Args:
        guid: 32 hex digits.
        name: of the file or folder.
        context: of its project.
        data: the file, if it is text, for the main object of an asset.
        folder: whether it is a folder.
    """
    head = f"fileFormatVersion: 2\nguid: {guid}\n"
    importer = importer_of(name, context, folder=folder)
    extension = extension_of(name)
    layouts = [
        layout
        for ending, layout in context.layouts
        if layout.importer == importer and (ending == extension or extension not in _SCRIPTS)
    ]
    sample = newest(layouts, importer, context.version)
    values = _values(importer, extension, name, context, sample, data)
    rows = [row for row in rows_of(importer) if _is_written(row, context.version, sample)]
    if not rows or (importer == "ScriptedImporter" and not values["#script"]):
        return head.encode()  # Unity adds the rest
    lines = [*(("folderAsset: yes",) if folder else ()), f"{importer}:", *(_line(row, values) for row in rows)]
    return f"{head}{chr(10).join(lines)}\n".encode()


def newest(layouts: Iterable[Layout], importer: str, version: Version) -> Layout | None:
    """Return the newest layout that a version can write, or None."""
    always = {row.path for row in rows_of(importer) if (row.first, row.last) == (OLDEST, NEWEST) and _is_own(row)}
    limit = number_of(importer, version) or 1 << 31
    known = [layout for layout in layouts if layout.number <= limit and always.issubset(layout.keys)]
    return max(known, key=lambda layout: (layout.number, len(layout.keys)), default=None)


def _is_own(row: Row) -> bool:
    """Whether a line is the importer's own, not a list item's."""
    return bool(row.path) and not row.path.startswith(_PLATFORM)


def _is_written(row: Row, version: Version, sample: Layout | None) -> bool:
    if sample is None or not row.path:
        return row.first <= version <= row.last
    if row.path.startswith(_PLATFORM) and f"{_PLATFORM}buildTarget" not in sample.keys:  # its list is empty
        return row.first <= version <= row.last
    if row.path in MOVED and row.path in sample.keys and MOVED[row.path] in sample.keys:
        return (sample.keys.index(row.path) < sample.keys.index(MOVED[row.path])) == (row.last != NEWEST)
    return row.path in sample.keys


def _values(
    importer: str, extension: str, name: str, context: Context, sample: Layout | None, data: bytes
) -> dict[str, str]:
    version = context.version
    number = sample.number if sample is not None and sample.number else number_of(importer, version)
    flat = context.sprites
    stem = name.rpartition(".")[0] or name
    return {
        "#main": str(_main_object(extension, data)),
        "#script": (sample.script if sample is not None else "") or _SCRIPTS.get(extension, ""),
        "#font": _scalar(stem),
        "#mipmaps": "0" if flat else "1",
        "#wrap": "1" if flat else "0",
        "#scale": "0" if flat else "1",
        "#sprite": "1" if flat else "0",
        "#transparency": "1" if flat else "0",
        "#texture": "8" if flat else "0",
        "#readable": "1" if version < (2019, 3) else "0",
        "#platforms": _platforms(extension, number),
        f"#{importer}": str(number),
        "#TexturePlatform": str(number_of("TexturePlatform", version)),
        "#HumanDescription": str(number_of("HumanDescription", version)),
    }


def _platforms(extension: str, number: int) -> str:
    if extension != "dll":
        return "[]" if number < _PLATFORMS_AS_MAP else "{}"  # Unity decides by folder and kind, on import
    return _MANAGED_LIST.format(space=" ") if number < _PLATFORMS_AS_MAP else _MANAGED_MAP


def _main_object(extension: str, data: bytes) -> int:
    number = main_file_id(extension)
    if extension != "asset" and number is not None:
        return number
    first = None
    for match in _DOCUMENT.finditer(data):
        if int(match[2]) == ASSET_MAIN:
            return ASSET_MAIN
        first = first if first is not None else int(match[2])
    return first if first is not None else number or ASSET_MAIN


def _line(row: Row, values: dict[str, str]) -> str:
    value = row.value
    if value is not None and value.startswith("#"):
        value = values[value]
    if not row.key:
        return f"  {row.indent}{value}"
    if value is None or value.startswith("\n"):
        return f"  {row.indent}{row.key}:{value or ''}"
    return f"  {row.indent}{row.key}: {'' if value == '~' else value}"


def _scalar(text: str) -> str:
    """Return a name as a YAML scalar, quoted where necessary."""
    if re.fullmatch(r"[A-Za-z_][\w .()+-]*[\w)]|[A-Za-z_]", text):
        return text
    return "'" + text.replace("'", "''") + "'"
