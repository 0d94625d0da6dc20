"""The table of file extensions, one row each.

A row has the class of the main object, the content of the file, the fileID of the main object, and the code that names
its objects. Files of other extensions are Unity's if they begin as its YAML does (:func:`is_yaml_head`), as
of ``.wlt`` (window layouts) and ``WindowLayout.private.0``.
"""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

# Kinds of file content.
DOCUMENTS: Final = "documents"
"""Unity's own YAML, whose documents are the asset's objects."""
SOURCE: Final = "source"
"""Unity's own YAML, from which an importer makes other objects."""
ASSEMBLY: Final = "assembly"
"""JSON of assembly definitions, ``"GUID:..."``."""
GRAPH: Final = "graph"
"""JSON of shader graphs."""
URLS: Final = "urls"
"""UI documents, which name assets by URLs."""
OTHER: Final = "other"
"""Nothing that refers to assets by GUID."""

HEAD_BYTES: Final = 64
"""As much of a file as :func:`is_yaml_head` needs."""
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"
"""Start of a Git LFS pointer, the placeholder of a file that was not fetched."""
LFS_POINTER_SIZES: Final = range(120, 160)
"""Bytes of a Git LFS pointer: 125 and the digits of the size; 2,000 scripts of unitystation are smaller than 1,024."""
DOCUMENT_HEAD: Final = b"--- !u!"
"""How each document of a text asset begins."""
TEXT_HEAD_BYTES: Final = 4096
"""Length of a prefix that identifies a file without documents, and its line ends."""
WHOLE_HEADS: Final = (b"%YAML", BYTE_ORDER_MARK + b"%YAML")
"""How a text begins that Unity reads; texts of tools that begin with an object have names, too."""
_YAML_HEADS: Final = (*WHOLE_HEADS, DOCUMENT_HEAD, BYTE_ORDER_MARK + DOCUMENT_HEAD)

# Class, content, fileID of the main object ("=": its class's; "-": given by the file or its meta), namer of the
# objects, extensions. For the class "-", the main document or the importer gives the class. The classes 1011, 1153 and
# 1374 are the crate's (see assetdb.unity.engine.classes). The fileIDs of scripted importers are hashes of identifiers
# (assetdb.unity.importers.scripted), as numbers so that nothing needs to be hashed.
_TABLE: Final = """
1001 documents = embedded prefab
1032 documents = documents unity
91 documents = embedded controller
221 documents = documents overridecontroller
21 documents = documents mat
74 documents = embedded anim
134 documents = documents physicmaterial
62 documents = documents physicsmaterial2d
1011 documents = documents mask
687078895 documents = rows spriteatlas spriteatlasv2
- documents 11400000 rows asset
- documents 11400000 embedded playable
- documents 11400000 documents signal guiskin scenetemplate brush
- documents 11400000 documents colors curves curvesnormalized gradients
- documents 11400000 documents particlecurves particlecurvessigned particledoublecurves particledoublecurvessigned
- documents 24100000 embedded mixer
- documents 8400000 documents rendertexture
- documents 8900000 documents cubemap
- documents 4300000 documents mesh
- documents 12100000 documents flare
- documents 12800000 documents fontsettings
- documents 13400000 documents physicsmaterial
- documents 20000000 documents shadervariants
- documents 111300000 documents giparams
- documents 8574412962073106934 documents terrainlayer
- documents 4890085278179872738 documents lighting
- documents 2655988077585873504 documents preset
2058629509 source = documents vfx
994735403 source = documents vfxoperator
994735404 source = documents vfxblock
114 source 7108339969198208228 scripted spritelib
1153 assembly = - asmdef
1374 assembly = - asmref
48 graph -6465566751694194690 scripted shadergraph
114 graph -5475051401550479605 scripted shadersubgraph
114 urls 9197481963319205126 scripted uxml
114 urls 7433441132597879392 scripted uss
114 urls -4733365628477956816 scripted tss
114 other -944628639613478452 scripted inputactions
1 other 100100000 model fbx obj dae 3ds dxf blend max ma mb c4d jas lxo skp
1 other 100100000 - st spm vrm
1 other - scripted glb gltf
28 other = texture png jpg jpeg tga psd tif tiff bmp exr hdr gif iff pict
28 other = texture psb pct pic dds astc pvr ktx
48 other = - shader
72 other = - compute
109 other = - cginc hlsl glslinc
825902497 other = - raytrace
115 other = - cs
128 other = font ttf otf ttc dfont
83 other = - wav mp3 ogg aif aiff flac mod it s3m xm
329 other = - mp4 mov m4v mpg mpeg webm ogv vp8 asf avi wmv dv
49 other = - txt json xml csv yaml html htm bytes md fnt rst
1029 other = dll dll
1029 other = - so dylib a lib aar jar winmd bundle jslib jspre jsplib c cc cpp h m mm rsp
2083778819 other = - po
- other - scripted nn onnx
- other - - bin zip pdf aseprite ase js svg raw
"""


# The script classes of main objects of scripted importers that the database has as class 114.
_SCRIPTED_TYPES: Final = {
    "inputactions": "InputActionAsset",
    "shadersubgraph": "SubGraphAsset",
    "spritelib": "SpriteLibraryAsset",
    "tss": "ThemeStyleSheet",
    "uss": "StyleSheet",
    "uxml": "VisualTreeAsset",
}
_MONO_BEHAVIOUR: Final = 114


class Kind(NamedTuple):
    """The facts of an extension.

    Attributes:
        class_id: of the main object, 0 if a document or an importer gives it.
        content: ``DOCUMENTS``, ``SOURCE``, ``ASSEMBLY``, ``GRAPH``, ``URLS`` or ``OTHER``.
        main: fileID of the main object as in the table: a number, ``=`` or ``-``.
        namer: importer that names the objects: ``model``, ``texture``, ``font``, ``dll``, ``scripted`` or ``-``; or for
            objects named by the file's documents ``documents``, ``rows`` if all but the main one are sub-assets in the
            database, and ``embedded`` if these sub-assets also take no part in the pool of names, as they are addressed
            through their parent.
    """

    class_id: int
    content: str
    main: str
    namer: str


_UNKNOWN: Final = Kind(0, "", "-", "-")
"""Of an extension without a row."""


def _rows() -> dict[str, Kind]:
    rows: dict[str, Kind] = {}
    for line in _TABLE.split("\n"):
        words = line.split(" ")
        if len(words) > 1:
            kind = Kind(0 if words[0] == "-" else int(words[0]), words[1], words[2], words[3])
            for extension in words[4:]:
                rows[extension] = kind
    return rows


_BY_EXTENSION: Final = _rows()


def kind_of(extension: str) -> Kind:
    """Return the row of an extension (lower case, no dot).

    What Unity makes of a file depends on its extension alone. An extension without a row has class 0 and no names.

    >>> kind_of("png")
    Kind(class_id=28, content='other', main='=', namer='texture')
    >>> kind_of("prefab").content, kind_of("cs").class_id, kind_of("unknown").class_id
    ('documents', 115, 0)
    """
    return _BY_EXTENSION.get(extension, _UNKNOWN)


def extensions_named_by(namer: str) -> frozenset[str]:
    """Return the extensions with a namer."""
    return frozenset(extension for extension, kind in _BY_EXTENSION.items() if kind.namer == namer)


def extension_of(path: str) -> str:
    """Return the extension of a path in lower case, without the dot.

    Only the last part of a path has one, and what follows its last dot counts, as in Unity.

    >>> extension_of("Assets/Level.1/Tree.PREFAB"), extension_of("Assets/archive.tar.gz"), extension_of("A.b/LICENSE")
    ('prefab', 'gz', '')
    """
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def is_imported(extension: str) -> bool:
    """Whether an extension (lower case, no dot) is imported."""
    return extension in _BY_EXTENSION


def kind_without_documents(data: bytes) -> str:
    """Return ``empty``, ``lfs``, ``binary`` or ``text``."""
    head = data[:TEXT_HEAD_BYTES]
    if not head.strip(b"\0 \t\r\n"):
        return "empty"
    if is_lfs_pointer(head):
        return "lfs"
    return "binary" if b"\0" in head else "text"


def is_lfs_pointer(head: bytes) -> bool:
    """Whether a file with this head is a Git LFS pointer."""
    return head.startswith((LFS_POINTER, BYTE_ORDER_MARK + LFS_POINTER))


def is_yaml_head(head: bytes) -> bool:
    """Whether a file with this head is Unity's YAML."""
    return head.startswith(_YAML_HEADS)


def extensions_with(*contents: str) -> frozenset[str]:
    """Return the extensions of files with some contents."""
    return frozenset([extension for extension, kind in _BY_EXTENSION.items() if kind.content in contents])


# --- importers ----------------------------------------------------------------------------------------------------

# By class, the usual importer of its files first.
_IMPORTERS: Final = {
    1: "ModelImporter FBXImporter Mesh3DSImporter SketchUpImporter C4DImporter SpeedTreeImporter",
    28: "TextureImporter IHVImageFormatImporter DDSImporter PVRImporter ASTCImporter KTXImporter",
    48: "ShaderImporter",
    49: "TextScriptImporter",
    72: "ComputeShaderImporter",
    83: "AudioImporter",
    109: "ShaderIncludeImporter",
    115: "MonoImporter",
    128: "TrueTypeFontImporter",
    152: "MovieImporter",
    184: "SubstanceImporter",
    329: "VideoClipImporter",
    1001: "PrefabImporter",
    1029: "PluginImporter DefaultImporter AndroidAssetPackImporter",
    1153: "AssemblyDefinitionImporter",
    1374: "AssemblyDefinitionReferenceImporter",
    687078895: "SpriteAtlasImporter",
    825902497: "RayTracingShaderImporter",
    947337230: "RoslynAnalyzerConfigImporter",
    954905827: "RuleSetFileImporter",
    1597193336: "RoslynAdditionalFileImporter",
    1896753125: "PackageManifestImporter",
    2058629509: "VisualEffectImporter",
    2083778819: "LocalizationImporter",
}
_BY_IMPORTER: Final = {importer: number for number, names in _IMPORTERS.items() for importer in names.split()}
_YAML_IMPORTERS: Final = ("NativeFormatImporter", "PrefabImporter")
# Importers of extensions for which Unity takes no other one: "fbx" has its class's, "mat" the one named here. In 72,000
# metas of public projects one is another: Bone.cs of com.unity.2d.animation was a text once.
_ALWAYS: Final = (
    "png jpg jpeg tga tif tiff bmp psd exr hdr fbx obj 3ds blend cs ttf otf wav mp3 ogg aif aiff prefab shader"
    " asmdef asmref"
)
_ALWAYS_NATIVE: Final = "mat anim controller overridecontroller"
# Any file may have the first; the second has no settings that could be lost.
_ANY_FILE: Final = ("ScriptedImporter", "DefaultImporter")


def scripted_type(extension: str) -> str:
    """Return the script class of a scripted importer's main object, or ``""``."""
    return _SCRIPTED_TYPES.get(extension, "")


def main_type(class_id: int, path: str) -> str:
    """Return the type of a main object without a known script.

    It is the name of its class, or the script class that a scripted importer gives it, or the number of a class that
    is not known.
    """
    if class_id == _MONO_BEHAVIOUR and (scripted := scripted_type(extension_of(path))):
        return scripted
    from assetdb.unity.engine.classes import class_name  # noqa: PLC0415 - a bake names no classes

    return class_name(class_id) or str(class_id)


def content_of(extension: str, importer: str) -> str:
    """Return the content of files by extension and importer.

    Args:
        extension: in lower case, without the dot.
        importer: the key in the meta, ``""`` if it has none.
    """
    return kind_of(extension).content or (DOCUMENTS if importer in _YAML_IMPORTERS else "")


def type_of_extension(extension: str) -> int | None:
    """Return the class of an extension's main object, or None.

    Args:
        extension: without the dot, in any case (``"PNG"``). None for ``asset``, ``playable``, ``mixer`` and other
            containers, whose main document has the class, and for files whose class depends on the importer.
    """
    return kind_of(extension.lower()).class_id or None


def type_of_importer(name: str) -> int | None:
    """Return the class of an importer's main object, or None.

    Args:
        name: the key in the meta (``"TextureImporter"``). None for ``NativeFormatImporter`` (the class is the
            main document's) and ``ScriptedImporter`` (it depends on the script).
    """
    return _BY_IMPORTER.get(name)


def _importers_by_extension() -> dict[str, tuple[str, ...]]:
    found = {each: (*_IMPORTERS[kind_of(each).class_id].split(), *_ANY_FILE) for each in _ALWAYS.split()}
    found["prefab"] = (*_YAML_IMPORTERS, *_ANY_FILE)  # the first until Unity 2018.2
    return {**found, **dict.fromkeys(_ALWAYS_NATIVE.split(), (_YAML_IMPORTERS[0], *_ANY_FILE)), "unity": _ANY_FILE}


_IMPORTERS_OF: Final = _importers_by_extension()


def is_of_other_files(extension: str, importer: str) -> bool:
    """Whether an importer never imports files of an extension.

    Args:
        extension: in lower case, without the dot.
        importer: the key in the meta, ``""`` if it has none.
    """
    return importer not in ("", *_IMPORTERS_OF.get(extension, (importer,)))


def usual_importer(class_id: int) -> str:
    """Return the importer of most files of a class, or ``""``."""
    return _IMPORTERS.get(class_id, "").partition(" ")[0]


LEFT_ALONE: Final = (b"assets/streamingassets/", b"assets/plugins/android/assets/", b"assets/webgltemplates/")
PLUGIN_FOLDER: Final = b".plugin/"
_FOLDERS_AS_FILES: Final = (PLUGIN_FOLDER, b".androidlib/", b".bundle/", b".framework/", b".xcframework/", b".app/")


def is_left_alone(path: bytes) -> bool:
    """Whether a file is in a folder that Unity does not import.

    The meta may name an importer nevertheless, which then counts: daggerfall-unity's NameGen.txt in StreamingAssets has
    the importer of texts.
    """
    lower = path.lower()
    return lower.startswith(LEFT_ALONE) or PLUGIN_FOLDER in lower


STREAMED: Final = "Assets/StreamingAssets/"
_TEXT: Final = 49


def is_streamed(path: str, class_id: int) -> bool:
    """Whether Unity copies an asset and makes no objects of it.

    A prefab there is broken, as people report (UniVRM, issue 1537), and no text can be loaded (ink-unity-integration,
    issue 23). Nothing is said of a text whose meta has the importer of texts.
    """
    return path.startswith(STREAMED) and class_id != _TEXT


def is_inside_plugin(path: bytes) -> bool:
    """Whether a file is in a folder that is a plug-in."""
    lower = path.lower()
    return any(end in lower for end in _FOLDERS_AS_FILES)


FONTS: Final = frozenset(("ttf", "otf", "ttc"))
"""Extensions of fonts that name their family."""

SPRITE: Final = 213
UNNAMED: Final = (1, 4, 224)
"""GameObject, Transform, RectTransform: classes whose documents are never sub-assets."""
# Components have no m_Name, so in a prefab the search may skip the most frequent documents: GameObject, Transform,
# MonoBehaviour, RectTransform, PrefabInstance, then the most common components.
UNNAMED_IN_PREFABS: Final = (
    *(1, 4, 114, 224, 1001, 222, 23, 33, 212, 65, 61, 82, 95, 225, 136, 64, 220, 205, 54, 223, 108, 199, 198, 135),
    *(215, 137, 120, 50, 102, 143, 20, 58, 81, 60, 208, 210, 138, 124, 195, 111),
)
PARTS: Final = frozenset((21, 28, 43, 258))
"""Material, Texture2D, Mesh, LightProbes: main objects only of a ``.asset`` without others of its name."""

# --- fileID of the main object ------------------------------------------------------------------------------------

SCENE_MAIN: Final = 102900000
"""The main object of scenes, and of files that the DefaultImporter takes."""

SCRIPT_MAIN: Final = 11500000
"""A script of its own file; in a DLL each script has a fileID of its own."""

ASSET_MAIN: Final = 11400000
"""The main object of an asset that is a ScriptableObject."""

PLUGIN_MAIN: Final = -1121539586
"""The main object of whatever the PluginImporter imports: 80 of 80 of Unity's own rows, from .dll to .mm."""

SPRITE_MAIN: Final = 21300000
"""The sprite of a texture with one."""

PREFAB_MAIN: Final = 100100000
"""The main object of prefabs and models; since 2018.3 no prefab has a document of this fileID."""

# Of extensions whose files in StreamingAssets and plug-ins have the default importer: TextAsset, DefaultAsset.
_LEFT_TO_DEFAULT: Final = (49, 1029)


def main_file_id(extension: str, importer: str = "") -> int | None:
    """Return the fileID of an asset's main object, or None.

    For a model it is the id under which scenes instantiate it as a prefab (``m_SourcePrefab: {fileID: 100100000``);
    the ids of its root object depend on ``fileIdsGeneration``, see ``assetdb.unity.importers.model``.
    """
    if importer == "PluginImporter":
        return PLUGIN_MAIN
    extension = extension.lower()
    kind = kind_of(extension)
    if importer == "DefaultImporter" and kind.class_id in _LEFT_TO_DEFAULT:
        return SCENE_MAIN
    if kind.namer == "scripted" and kind.main != "-" and importer in ("", "ScriptedImporter"):
        return int(kind.main)
    number = kind.class_id or None
    if number is None and kind.main not in "=-":
        return int(kind.main)
    if number is None or importer == "PackageManifestImporter":
        number = type_of_importer(importer)
    if number is None or (number == 1 and importer == "ScriptedImporter"):
        return None  # glTF: by the name of its scene, see assetdb.unity.importers.scripted
    if number == 1:
        return PREFAB_MAIN
    from assetdb.unity.engine.classes import canonical_file_id  # noqa: PLC0415 - a table that most names do without

    return canonical_file_id(number)


# --- how files are read ---------------------------------------------------------------------------------------------

DEFAULT_ASSET: Final = 1029
_NAV_MESH_OF_UNITY_4: Final = 194  # NavMeshObsolete, which later versions show as DefaultAsset
_READ_ME: Final = (b"md", "DefaultImporter")  # until Unity 5.6
CONTAINER: Final = b"asset"
"""The extension whose main object is told by its name if the first is a part (:mod:`assetdb.unity.main_object`)."""

# Prefabs and scenes, whatever their first document: their main object is a GameObject, or has no document.
_TYPED_BY_EXTENSION: Final = (b"prefab", b"unity")


def split_name(name: bytes) -> tuple[bytes, bytes]:
    """Split a file name into stem and lower-case extension without the dot."""
    stem, _, extension = name.rpartition(b".")
    return (stem, extension.lower()) if stem else (name, b"")


class Plan(NamedTuple):
    """How assets of an extension and an importer are read.

    Attributes:
        read: whether their bytes are needed.
        look: whether the head decides if the rest is needed.
        typed: whether the bytes determine the type; else they only contain references.
        rows: whether documents other than the main one are sub-assets.
        embedded: whether these stay out of the pool of names.
        by_extension: whether the extension determines the type, whatever script the first document has.
        main: fileID of the main object by extension, 0 if unknown.
    """

    read: bool
    look: bool
    typed: bool
    rows: bool
    embedded: bool
    by_extension: bool
    main: int


def plan_of(extension: bytes, importer: str) -> Plan:
    """Return how assets of an extension and an importer are read."""
    text = extension.decode("utf-8", "replace")
    content = content_of(text, importer)
    namer = kind_of(text).namer
    typed = content == DOCUMENTS
    by_extension = extension in _TYPED_BY_EXTENSION
    return Plan(
        content not in ("", OTHER),
        not content,
        typed,
        namer in ("rows", "embedded"),
        namer == "embedded",
        by_extension,
        (main_file_id(text) or 0) if typed and not by_extension else 0,
    )


# By extension and importer; a project has some hundred pairs.
_MISFITS: dict[tuple[bytes, str], bool] = {}


def is_misfit(extension: bytes, importer: str) -> bool:
    """Whether an importer never imports files of an extension (in lower case)."""
    kind = extension, importer
    found = _MISFITS.get(kind)
    if found is None:
        found = _MISFITS[kind] = is_of_other_files(extension.decode("utf-8", "replace"), importer)
    return found


# Results of type_key; a project has some hundred kinds of assets.
_TYPE_KEYS: dict[tuple[bytes, int, str], bytes] = {}


def type_key(extension: bytes, class_id: int, importer: str) -> bytes:
    """Return the type of a scriptless asset: by extension, class, then importer."""
    source = extension, class_id, importer
    key = _TYPE_KEYS.get(source)
    if key is None:
        number = type_of_extension(extension.decode("utf-8", "replace"))
        if source[::2] == _READ_ME:
            number = DEFAULT_ASSET
        if number is None and 0 < class_id < 2**32:
            number = class_id
        if number == _NAV_MESH_OF_UNITY_4:
            number = DEFAULT_ASSET
        if number is None:
            number = type_of_importer(importer)
        key = _TYPE_KEYS[source] = b"%d" % (DEFAULT_ASSET if number is None else number)
    return key
