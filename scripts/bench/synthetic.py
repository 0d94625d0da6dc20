"""A project of any size that costs what real ones do: the same mix, sizes, references and shared names at every size.

    python -m scripts.bench.synthetic FOLDER --assets 60k [--processes 2]

Modelled on unitystation (59,891 assets in 3,273 folders): of 1,000 assets 445 ScriptableObjects, 360 textures, one in
five a sheet of sprites, 90 prefabs, 50 scripts, the rest materials, sounds, animations, tables and a scene. Metas are
as long as Unity's, text assets have its medians and tails (a ScriptableObject 0.6 kB and two references, a prefab 5 kB
and 23), half of what is referred to lies near, the rest is what everybody uses, and one name in seven is another's,
too. Binary files are empty, as nothing reads them. 60,000 assets take 0.5 GB on the disk.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import random
from pathlib import Path
from typing import Final

from scripts.arguments import Given, script

ASSETS_PER_FOLDER: Final = 18
_FOLDERS_PER_PART: Final = 40
_NAMES_PER_ASSET: Final = 6  # so many are to be had: one name in seven is there twice
_SHARES: Final = {
    ".asset": 445,
    ".png": 360,
    ".prefab": 90,
    ".cs": 50,
    ".mat": 24,
    ".ogg": 16,
    ".anim": 8,
    ".json": 6,
    ".unity": 1,
}
_WORDS: Final = (
    *("Iron", "Steel", "Wood", "Glass", "Plasma", "Red", "Blue", "Dark", "Light", "Heavy", "Small", "Large", "Old"),
    *("Broken", "Hidden", "Frozen", "Burning", "Ancient", "Royal", "Wild", "Door", "Wall", "Floor", "Lamp", "Table"),
    *("Chair", "Sword", "Shield", "Helmet", "Engine", "Pipe", "Cable", "Crate", "Button", "Panel", "Window", "Tree"),
)
_HEAD: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
_META: Final = "fileFormatVersion: 2\nguid: %s\n"
_TAIL: Final = "  externalObjects: {}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
_IMPORTERS: Final = {
    "": "folderAsset: yes\nDefaultImporter:\n" + _TAIL,
    ".asset": f"NativeFormatImporter:\n  mainObjectFileID: 11400000\n{_TAIL}",
    ".mat": f"NativeFormatImporter:\n  mainObjectFileID: 2100000\n{_TAIL}",
    ".anim": f"NativeFormatImporter:\n  mainObjectFileID: 7400000\n{_TAIL}",
    ".prefab": f"PrefabImporter:\n{_TAIL}",
    ".unity": f"DefaultImporter:\n{_TAIL}",
    ".json": f"TextScriptImporter:\n{_TAIL}",
    ".cs": "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n"
    "  executionOrder: 0\n  icon: {instanceID: 0}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n",
    ".ogg": "AudioImporter:\n  externalObjects: {}\n  serializedVersion: 6\n  defaultSettings:\n    loadType: 0\n"
    "    sampleRateSetting: 0\n    sampleRateOverride: 44100\n    compressionFormat: 1\n    quality: 1\n"
    "    conversionMode: 0\n  platformSettingOverrides: {}\n  forceToMono: 0\n  normalize: 1\n  preloadAudioData: 1\n"
    "  loadInBackground: 0\n  ambisonic: 0\n  3D: 1\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n",
}
_PLATFORM: Final = (
    "  - serializedVersion: 3\n    buildTarget: %s\n    maxTextureSize: 2048\n    resizeAlgorithm: 0\n"
    "    textureFormat: -1\n    textureCompression: 0\n    compressionQuality: 50\n    crunchedCompression: 0\n"
    "    allowsAlphaSplitting: 0\n    overridden: 0\n    androidETC2FallbackOverride: 0\n"
    "    forceMaximumCompressionQuality_BC6H_BC7: 0\n"
)
_TEXTURE: Final = (
    "TextureImporter:\n  internalIDToNameTable:%s\n  externalObjects: {}\n  serializedVersion: 11\n  mipmaps:\n"
    "    mipMapMode: 0\n    enableMipMap: 0\n    sRGBTexture: 1\n    linearTexture: 0\n    fadeOut: 0\n"
    "    borderMipMap: 0\n  isReadable: 0\n  grayScaleToAlpha: 0\n  generateCubemap: 6\n  textureSettings:\n"
    "    serializedVersion: 2\n    filterMode: 0\n    aniso: 1\n    wrapU: 1\n    wrapV: 1\n    wrapW: 0\n"
    "  nPOTScale: 0\n  lightmap: 0\n  compressionQuality: 50\n  spriteMode: %d\n  spriteExtrude: 1\n"
    "  spriteMeshType: 1\n  alignment: 0\n  spritePivot: {x: 0.5, y: 0.5}\n  spritePixelsToUnits: 32\n"
    "  spriteBorder: {x: 0, y: 0, z: 0, w: 0}\n  alphaIsTransparency: 1\n  textureType: 8\n  textureShape: 1\n"
    "  platformSettings:\n%s  spriteSheet:\n    serializedVersion: 2\n    sprites:%s\n    outline: []\n"
    "    physicsShape: []\n    bones: []\n    spriteID: 5e97eb03825dee720800000000000000\n    internalID: 0\n"
    "    vertices: []\n    indices: \n    edges: []\n    weights: []\n    secondaryTextures: []\n"
    "  spritePackingTag: \n  pSDRemoveMatte: 0\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
)
_PLATFORMS: Final = "".join(_PLATFORM % name for name in ("DefaultTexturePlatform", "Standalone", "WebGL"))
_SPRITE: Final = (
    "    - serializedVersion: 2\n      name: %s_%d\n      rect:\n        serializedVersion: 2\n        x: %d\n"
    "        y: 0\n        width: 32\n        height: 32\n      alignment: 0\n      pivot: {x: 0.5, y: 0.5}\n"
    "      border: {x: 0, y: 0, z: 0, w: 0}\n      outline: []\n      physicsShape: []\n      tessellationDetail: 0\n"
    "      bones: []\n      spriteID: %032x\n      internalID: %d\n      vertices: []\n      indices: \n"
    "      edges: []\n      weights: []\n"
)
_BEHAVIOUR: Final = (
    "--- !u!114 &%d\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n"
    "  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n  m_GameObject: {fileID: %d}\n  m_Enabled: 1\n"
    "  m_EditorHideFlags: 0\n  m_Script: {fileID: 11500000, guid: %s, type: 3}\n  m_Name: %s\n"
    "  m_EditorClassIdentifier: \n"
)
_FIELDS: Final = "  initialName: \n  initialDescription: \n  amount: 1\n  isEnabled: 1\n"
_OBJECT: Final = (
    "--- !u!1 &%d\nGameObject:\n  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n"
    "  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n  serializedVersion: 6\n  m_Component:\n"
    "  - component: {fileID: %d}\n  - component: {fileID: %d}\n  m_Layer: 0\n  m_Name: %s\n  m_TagString: Untagged\n"
    "  m_IsActive: 1\n--- !u!4 &%d\nTransform:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: %d}\n"
    "  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n  m_LocalPosition: {x: %d, y: 0, z: 0}\n"
    "  m_LocalScale: {x: 1, y: 1, z: 1}\n  m_Children: []\n  m_Father: {fileID: 0}\n  m_RootOrder: 0\n"
)
_INSTANCE: Final = (
    "--- !u!1001 &%d\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n  m_Modification:\n"
    "    m_TransformParent: {fileID: 0}\n    m_Modifications:\n%s    m_RemovedComponents: []\n"
    "  m_SourcePrefab: {fileID: 100100000, guid: %s, type: 3}\n"
)
_MODIFICATION: Final = (
    "    - target: {fileID: %d, guid: %s, type: 3}\n      propertyPath: m_Field%d\n      value: %d\n"
    "      objectReference: {fileID: 0}\n"
)
_MATERIAL: Final = (
    "--- !u!21 &2100000\nMaterial:\n  serializedVersion: 6\n  m_Name: %s\n"
    "  m_Shader: {fileID: 46, guid: 0000000000000000f000000000000000, type: 0}\n  m_SavedProperties:\n"
    "    serializedVersion: 3\n    m_TexEnvs:\n    - _MainTex:\n"
    "        m_Texture: {fileID: 2800000, guid: %s, type: 3}\n        m_Scale: {x: 1, y: 1}\n"
    "        m_Offset: {x: 0, y: 0}\n    m_Floats:\n    - _Cutoff: 0.5\n    - _Glossiness: 0.5\n    m_Colors:\n"
    "    - _Color: {r: 1, g: 1, b: 1, a: 1}\n"
)
_CURVE: Final = "    - time: %d\n      value: {fileID: 21300000, guid: %s, type: 3}\n"
_FILE_IDS: Final = {".asset": 11400000, ".png": 21300000, ".prefab": 1000, ".mat": 2100000, ".anim": 7400000}


def count_of(text: str) -> int:
    """Parse a number as ``60k``, ``1m`` or ``60000``."""
    factor = {"k": 1_000, "m": 1_000_000}.get(text[-1:].lower(), 1)
    return int(float(text[:-1] if factor > 1 else text) * factor)


class Plan:
    """Which assets there are: for each its extension, GUID and stem; near numbers lie near each other."""

    def __init__(self, assets: int) -> None:
        chooser = random.Random(assets)
        self.kinds = chooser.choices(list(_SHARES), list(_SHARES.values()), k=assets)
        self.guids = [hashlib.md5(b"%d/%d" % (assets, number)).hexdigest() for number in range(assets)]  # noqa: S324 - a name
        self.stems = []
        width = len(_WORDS)
        for _ in range(assets):
            number, first = divmod(chooser.randrange(assets * _NAMES_PER_ASSET), width)
            number, second = divmod(number, width)
            self.stems.append(f"{_WORDS[first]}{_WORDS[second]}{number or ''}")
        self.of_kind: dict[str, list[int]] = {}
        for number, kind in enumerate(self.kinds):
            self.of_kind.setdefault(kind, []).append(number)

    def folder(self, number: int) -> str:
        """Return the path of a folder by its number."""
        part = number // _FOLDERS_PER_PART
        return f"Assets/Area{part // 50}/{_WORDS[part % len(_WORDS)]}{part}/{_WORDS[number % len(_WORDS)]}{number}"

    @property
    def folders(self) -> int:
        """How many folders hold assets."""
        return -(-len(self.kinds) // ASSETS_PER_FOLDER)


class Writer:
    """Writes some of a plan's folders."""

    def __init__(self, root: Path, plan: Plan) -> None:
        self._root = root
        self._plan = plan
        self._chooser = random.Random()

    def write(self, folders: range) -> None:
        """Write folders by their numbers, the same bytes in any process."""
        plan = self._plan
        for folder in folders:
            self._chooser.seed(folder)
            path = self._root / plan.folder(folder)
            path.mkdir(parents=True)
            taken = set()
            first = folder * ASSETS_PER_FOLDER
            for number in range(first, min(first + ASSETS_PER_FOLDER, len(plan.kinds))):
                kind, stem = plan.kinds[number], plan.stems[number]
                if (kind, stem) in taken:
                    stem += "Copy"
                taken.add((kind, stem))
                place = f"{path}/{stem}{kind}"
                importer = self._texture(stem) if kind == ".png" else _IMPORTERS[kind]
                _write(place, self._content(kind, stem, number))
                _write(f"{place}.meta", _META % plan.guids[number] + importer)

    def _texture(self, stem: str) -> str:
        if self._chooser.random() >= 0.2:
            return _TEXTURE % (" []", 1, _PLATFORMS, " []")
        table, sprites = [""], [""]
        for number in range(2 + int(self._chooser.expovariate(0.1))):
            identity = self._chooser.getrandbits(62)
            table.append(f"  - first:\n      213: {identity}\n    second: {stem}_{number}")
            sprites.append(_SPRITE % (stem, number, number * 32, self._chooser.getrandbits(128), identity))
        return _TEXTURE % ("\n".join(table), 2, _PLATFORMS, "\n" + "".join(sprites)[:-1])

    def _content(self, kind: str, stem: str, number: int) -> str:
        if kind == ".asset":
            return _HEAD + self._behaviour(11400000, 0, stem, number, int(self._chooser.lognormvariate(0.6, 1.35)))
        if kind == ".prefab":
            return _HEAD + self._objects(stem, number, 1 + int(self._chooser.lognormvariate(1.1, 0.7)))
        if kind == ".unity":
            return _HEAD + self._objects(stem, number, 60 + int(self._chooser.lognormvariate(4.5, 1.2)))
        if kind == ".mat":
            return _HEAD + _MATERIAL % (stem, self._guid(".png", number))
        if kind == ".anim":
            keys = "".join(_CURVE % (time, self._guid(".png", number)) for time in range(26))
            return f"{_HEAD}--- !u!74 &7400000\nAnimationClip:\n  m_Name: {stem}\n  m_PPtrCurves:\n  - curve:\n{keys}"
        return ""

    def _objects(self, stem: str, number: int, count: int) -> str:
        parts = []
        for each in range(count):
            own = 1000 + each * 10
            if each % 3 == 2:
                source = self._guid(".prefab", number)
                changes = 4 + int(self._chooser.expovariate(0.1))
                parts.append(
                    _INSTANCE
                    % (
                        own,
                        "".join(_MODIFICATION % (1000 + (i % 4) * 10, source, i, i) for i in range(changes)),
                        source,
                    )
                )
                continue
            parts.append(_OBJECT % (own, own + 1, own + 2, stem if not each else f"Part{each}", own + 1, own, each))
            parts.append(self._behaviour(own + 2, own, "", number, 1 + int(self._chooser.expovariate(0.4))))
        return "".join(parts)

    def _behaviour(self, own: int, game_object: int, name: str, number: int, references: int) -> str:
        lines = [_BEHAVIOUR % (own, game_object, self._guid(".cs", number), name), _FIELDS]
        for each in range(references):
            kind = self._chooser.choice((".png", ".asset", ".asset", ".prefab", ".mat"))
            lines.append(f"  field{each}: {{fileID: {_FILE_IDS[kind]}, guid: {self._guid(kind, number)}, type: 3}}\n")
        return "".join(lines)

    def _guid(self, kind: str, number: int) -> str:
        """Return the GUID of an asset of a kind: one nearby, or one that many refer to."""
        choices = self._plan.of_kind[kind]
        if kind != ".cs" and self._chooser.random() < 0.5:
            nearby = int(number / len(self._plan.kinds) * len(choices)) + self._chooser.randrange(-20, 20)
            return self._plan.guids[choices[nearby % len(choices)]]
        return self._plan.guids[choices[int(len(choices) * self._chooser.random() ** 3)]]


def _write(path: str, text: str) -> None:
    with open(path, "wb", buffering=0) as file:
        if text:
            file.write(text.encode())


_WRITERS: list[Writer] = []  # inherited by the processes that a pool forks: the plan of a million is not sent


def _write_some(folders: range) -> None:
    _WRITERS[0].write(folders)


def generate(root: Path, assets: int, processes: int = 2) -> Plan:
    """Write a project of so many assets, and return what is in it."""
    plan = Plan(assets)
    (root / "ProjectSettings").mkdir(parents=True)
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.10f1\n")
    _WRITERS[:] = [Writer(root, plan)]
    step = 200
    shares = [range(first, min(first + step, plan.folders)) for first in range(0, plan.folders, step)]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for _ in pool.imap_unordered(_write_some, shares):
            pass
    folders = {parent for number in range(plan.folders) for parent in Path(plan.folder(number)).parents}
    folders |= {Path(plan.folder(number)) for number in range(plan.folders)}
    for folder in folders - {Path("."), Path("Assets")}:
        guid = hashlib.md5(folder.as_posix().encode()).hexdigest()  # noqa: S324 - a name
        (root / f"{folder}.meta").write_text(_META % guid + _IMPORTERS[""])
    _WRITERS.clear()
    return plan


@script(__doc__, "folder", assets="60k", processes=2)
def main(given: Given) -> None:
    """Run from the command line."""
    generate(given.folder, count_of(given.assets), given.processes)
