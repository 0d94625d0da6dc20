"""Keys and defaults of importers in metas, by version.

A line of a table is a line of the meta; ``~`` means no value, ``@2019.1-2022.1`` the versions of Unity that write it
(both ends included, either may be absent), ``#name`` a value that depends on the asset or the version. Taken from
98,358 real metas of Unity 2017.4 to 6000.5.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from assetdb.unity.settings.editor_version import NEWEST, OLDEST, Version

_ROW: Final = re.compile(
    r"(?P<indent> *(?:- )?)(?P<key>[^:@#]+):(?: (?P<value>[^@]*?))?(?: @(?P<first>[\d.]*)-(?P<last>[\d.]*))?"
)

_EXTERNAL: Final = "externalObjects: {} @2017.3-\n"
_TAIL: Final = "userData: ~\nassetBundleName: ~ @5.0-\nassetBundleVariant: ~ @5.1-\n"

_TEXTURE: Final = """
fileIDToRecycleName: {} @-2018.4
internalIDToNameTable: [] @2019.1-
externalObjects: {} @2017.3-
serializedVersion: #TextureImporter
mipmaps:
  mipMapMode: 0
  enableMipMap: #mipmaps
  sRGBTexture: 1
  linearTexture: 0
  fadeOut: 0
  borderMipMap: 0
  mipMapsPreserveCoverage: 0 @2017.1-
  alphaTestReferenceValue: 0.5 @2017.1-
  mipMapFadeDistanceStart: 1
  mipMapFadeDistanceEnd: 3
bumpmap:
  convertToNormalMap: 0
  externalNormalMap: 0
  heightScale: 0.25
  normalMapFilter: 0
  flipGreenChannel: 0 @2022.2-
isReadable: 0
streamingMipmaps: 0 @2018.2-
streamingMipmapsPriority: 0 @2018.2-
vTOnly: 0 @2020.1-
ignoreMasterTextureLimit: 0 @2021.2-2022.1
ignoreMipmapLimit: 0 @2022.2-
grayScaleToAlpha: 0
generateCubemap: 6
cubemapConvolution: 0
seamlessCubemap: 0
textureFormat: 1
maxTextureSize: 2048
textureSettings:
  serializedVersion: 2 @2017.1-
  filterMode: 1
  aniso: 1
  mipBias: 0
  wrapU: #wrap @2017.1-
  wrapV: #wrap @2017.1-
  wrapW: 0 @2017.1-
  wrapMode: 0 @-2016.9
nPOTScale: #scale
lightmap: 0
compressionQuality: 50
spriteMode: #sprite
spriteExtrude: 1
spriteMeshType: 1
alignment: 0
spritePivot: {x: 0.5, y: 0.5}
spriteBorder: {x: 0, y: 0, z: 0, w: 0} @-2018.1
spritePixelsToUnits: 100
spriteBorder: {x: 0, y: 0, z: 0, w: 0} @2018.2-
spriteGenerateFallbackPhysicsShape: 1 @2018.2-
alphaUsage: 1
alphaIsTransparency: #transparency
spriteTessellationDetail: -1
textureType: #texture
textureShape: 1
singleChannelComponent: 0 @2018.2-
flipbookRows: 1 @2020.2-
flipbookColumns: 1 @2020.2-
maxTextureSizeSet: 0
compressionQualitySet: 0
textureFormatSet: 0
ignorePngGamma: 0 @2020.1-
applyGammaDecoding: 0 @2019.4-
swizzle: 50462976 @2022.2-
cookieLightType: 0 @2022.1-
platformSettings:
- serializedVersion: #TexturePlatform @2018.1-
  buildTarget: DefaultTexturePlatform
  maxTextureSize: 2048
  resizeAlgorithm: 0 @2017.2-
  textureFormat: -1
  textureCompression: 1
  compressionQuality: 50
  crunchedCompression: 0
  allowsAlphaSplitting: 0
  overridden: 0
  ignorePlatformSupport: 0 @2023.1-
  androidETC2FallbackOverride: 0 @2017.3-
  forceMaximumCompressionQuality_BC6H_BC7: 0 @2019.1-
spriteSheet:
  serializedVersion: 2
  sprites: []
  outline: []
  customData: ~ @6000.0-
  physicsShape: [] @2017.1-
  bones: [] @2018.1-
  spriteID: ~ @2018.1-
  internalID: 0 @2019.1-
  vertices: [] @2018.1-
  indices: ~ @2018.1-
  edges: [] @2018.1-
  weights: [] @2018.1-
  secondaryTextures: [] @2019.1-
  spriteCustomMetadata: @6000.0-
    entries: [] @6000.0-
  nameFileIdTable: {} @2021.2-
mipmapLimitGroupName: ~ @2022.2-
spritePackingTag: ~ @-2022.1
pSDRemoveMatte: 0 @2018.3-
pSDShowRemoveMatteOption: 0 @2018.3-2022.1
"""

_MODEL: Final = """
serializedVersion: #ModelImporter
fileIDToRecycleName: {} @-2018.4
internalIDToNameTable: [] @2019.1-
externalObjects: {} @2017.3-
materials:
  materialImportMode: 2 @2019.3-
  importMaterials: 1 @-2019.2
  materialName: 0
  materialSearch: 1
  materialLocation: 1 @2017.3-
animations:
  legacyGenerateAnimations: 4
  bakeSimulation: 0
  resampleCurves: 1
  optimizeGameObjects: 0
  removeConstantScaleCurves: 0 @2021.3-
  motionNodeName: ~
  rigImportErrors: ~ @2017.1-2022.1
  rigImportWarnings: ~ @2017.1-2022.1
  animationImportErrors: ~
  animationImportWarnings: ~
  animationRetargetingWarnings: ~
  animationDoRetargetingWarnings: 0
  importAnimatedCustomProperties: 0 @2017.2-
  importConstraints: 0 @2018.1-
  animationCompression: 1
  animationRotationError: 0.5
  animationPositionError: 0.5
  animationScaleError: 0.5
  animationWrapMode: 0
  extraExposedTransformPaths: []
  extraUserProperties: [] @2017.2-
  clipAnimations: []
  isReadable: #readable
meshes:
  lODScreenPercentages: []
  globalScale: 1
  meshCompression: 0
  addColliders: 0
  useSRGBMaterialColor: 1 @2018.4-
  sortHierarchyByName: 1 @2019.2-
  importPhysicalCameras: 1 @2022.3-
  importVisibility: 1
  importBlendShapes: 1
  importCameras: 1
  importLights: 1
  nodeNameCollisionStrategy: 1 @2021.3-
  fileIdsGeneration: 2 @2020.1-
  swapUVChannels: 0
  generateSecondaryUV: 0
  useFileUnits: 1
  optimizeMeshForGPU: 1 @-2018.4
  keepQuads: 0
  weldVertices: 1
  bakeAxisConversion: 0 @2020.1-
  preserveHierarchy: 0
  skinWeightsMode: 0 @2019.1-
  maxBonesPerVertex: 4 @2019.1-
  minBoneWeight: 0.001 @2019.1-
  optimizeBones: 1 @2021.2-
  generateMeshLods: 0 @6000.2-
  meshLodGenerationFlags: 0 @6000.2-
  maximumMeshLod: -1 @6000.2-
  meshOptimizationFlags: -1 @2019.1-
  indexFormat: 0 @2017.3-
  secondaryUVAngleDistortion: 8
  secondaryUVAreaDistortion: 15.000001
  secondaryUVHardAngle: 88
  secondaryUVMarginMethod: 1 @2020.1-
  secondaryUVMinLightmapResolution: 40 @2020.1-
  secondaryUVMinObjectScale: 1 @2020.1-
  secondaryUVPackMargin: 4
  useFileScale: 1
  strictVertexDataChecks: 0 @2022.1-
  previousCalculatedGlobalScale: 1 @2018.3-2018.4
  hasPreviousCalculatedGlobalScale: 0 @2018.3-2018.4
tangentSpace:
  normalSmoothAngle: 60
  normalImportMode: 0
  tangentImportMode: 3
  normalCalculationMode: 4
  legacyComputeAllNormalsFromSmoothingGroupsWhenMeshHasBlendShapes: 0 @2018.4-
  blendShapeNormalImportMode: 1 @2018.4-
  normalSmoothingSource: 0 @2018.4-
referencedClips: [] @2019.1-
importAnimation: 1
copyAvatar: 0 @-2019.1
humanDescription:
  serializedVersion: #HumanDescription
  human: []
  skeleton: []
  armTwist: 0.5
  foreArmTwist: 0.5
  upperLegTwist: 0.5
  legTwist: 0.5
  armStretch: 0.05
  legStretch: 0.05
  feetSpacing: 0
  globalScale: 1 @2019.1-
  rootMotionBoneName: ~
  rootMotionBoneRotation: {x: 0, y: 0, z: 0, w: 1} @-2018.3
  hasTranslationDoF: 0
  hasExtraRoot: 0
  skeletonHasParents: 1
lastHumanDescriptionAvatarSource: {instanceID: 0}
autoGenerateAvatarMappingIfUnspecified: 1 @2019.3-
animationType: 2
humanoidOversampling: 1
avatarSetup: 0 @2019.2-
addHumanoidExtraRootOnlyWhenUsingAvatar: 1 @2020.2-
importBlendShapeDeformPercent: 1 @2022.1-
remapMaterialsIfMaterialImportModeIsNone: 0 @2021.3-
additionalBone: 0
"""

_AUDIO: Final = """
externalObjects: {} @2017.3-
serializedVersion: #AudioImporter
defaultSettings:
  serializedVersion: 2 @2022.2-
  loadType: 0
  sampleRateSetting: 0
  sampleRateOverride: 44100
  compressionFormat: 1
  quality: 1
  conversionMode: 0
  preloadAudioData: 0 @2022.2-
platformSettingOverrides: {}
forceToMono: 0
normalize: 1
preloadAudioData: 1 @-2022.1
loadInBackground: 0
ambisonic: 0 @2017.2-
3D: 1
"""

_PLUGIN: Final = """
externalObjects: {} @2017.3-
serializedVersion: #PluginImporter
iconMap: {}
executionOrder: {}
defineConstraints: [] @2018.4-
isPreloaded: 0
isOverridable: 0
isExplicitlyReferenced: 0 @2018.4-
validateReferences: 1 @2019.1-
platformData: #platforms
"""

_FONT: Final = """
externalObjects: {} @2017.3-
serializedVersion: 4
fontSize: 16
forceTextureCase: -2
characterSpacing: 0
characterPadding: 1
includeFontData: 1
fontName: #font @-2020.2
fontNames:
- #font
fallbackFontReferences: []
customCharacters: ~
fontRenderingMode: 0
ascentCalculationMode: 1
useLegacyBoundsCalculation: 0 @2017.4-
shouldRoundAdvanceValue: 1 @2018.3-
"""

_VIDEO: Final = """
externalObjects: {} @2017.3-
serializedVersion: 2
frameRange: 0
startFrame: -1
endFrame: -1
colorSpace: 0
deinterlace: 0
encodeAlpha: 0
flipVertical: 0
flipHorizontal: 0
importAudio: 1
targetSettings: {}
"""

_IMAGE: Final = """
externalObjects: {} @2017.3-
textureSettings:
  serializedVersion: 2 @2017.1-
  filterMode: 1
  aniso: 1
  mipBias: 0
  wrapU: 0
  wrapV: 0
  wrapW: 0
isReadable: 0
sRGBTexture: 1
streamingMipmaps: 0 @2018.2-
streamingMipmapsPriority: 0 @2018.2-
ignoreMipmapLimit: 0 @2022.2-
mipmapLimitGroupName: ~ @2022.2-
"""

_ATLAS: Final = """
externalObjects: {}
textureSettings:
  serializedVersion: 2
  anisoLevel: 1
  compressionQuality: 50
  maxTextureSize: 2048
  textureCompression: 0
  filterMode: 1
  generateMipMaps: 0
  readable: 0
  crunchedCompression: 0
  sRGB: 1
platformSettings: []
packingSettings:
  serializedVersion: 2
  padding: 4
  blockOffset: 1
  allowAlphaSplitting: 0
  enableRotation: 1
  enableTightPacking: 1
  enableAlphaDilation: 0
secondaryTextureSettings: {}
variantMultiplier: 1
bindAsDefault: 1
"""

_EFFECT: Final = """
externalObjects: {}
serializedVersion: #VisualEffectImporter @6000.0-
template: @6000.0-
  name: ~ @6000.0-
  category: ~ @6000.0-
  description: ~ @6000.0-
  icon: {instanceID: 0} @6000.0-
  thumbnail: {instanceID: 0} @6000.0-
useAsTemplate: 0 @6000.1-
"""

_SHADER: Final = """
externalObjects: {} @2017.3-
defaultTextures: []
nonModifiableTextures: [] @2018.1-
preprocessorOverride: 0 @2020.2-2021.3
"""

_SCRIPTED: Final = """
fileIDToRecycleName: {} @-2018.4
internalIDToNameTable: [] @2019.1-
externalObjects: {}
serializedVersion: 2 @2019.1-
userData: ~
assetBundleName: ~ @5.0-
assetBundleVariant: ~ @5.1-
script: #script
disableValidation: 0 @2021.1-
"""

_SIMPLE: Final = (
    *("DefaultImporter", "PrefabImporter", "TextScriptImporter", "AssemblyDefinitionImporter"),
    *("AssemblyDefinitionReferenceImporter", "ShaderIncludeImporter", "PackageManifestImporter"),
    *("AndroidAssetPackImporter", "RoslynAnalyzerConfigImporter", "LocalizationImporter"),
)
_TABLES: Final = {
    **dict.fromkeys(_SIMPLE, _EXTERNAL + _TAIL),
    "NativeFormatImporter": f"{_EXTERNAL}mainObjectFileID: #main @2017.1-\n{_TAIL}",
    "MonoImporter": f"{_EXTERNAL}serializedVersion: 2\ndefaultReferences: []\nexecutionOrder: 0\n"
    f"icon: {{instanceID: 0}}\n{_TAIL}",
    "ComputeShaderImporter": f"{_EXTERNAL}currentAPIMask: 4 @-2020.1\npreprocessorOverride: 0 @2020.2-2021.3\n{_TAIL}",
    "RayTracingShaderImporter": _EXTERNAL + _TAIL,
    "ShaderImporter": _SHADER + _TAIL,
    "TextureImporter": _TEXTURE + _TAIL,
    "ModelImporter": _MODEL + _TAIL,
    "AudioImporter": _AUDIO + _TAIL,
    "PluginImporter": _PLUGIN + _TAIL,
    "TrueTypeFontImporter": _FONT + _TAIL,
    "VideoClipImporter": _VIDEO + _TAIL,
    "IHVImageFormatImporter": _IMAGE + _TAIL,
    "SpriteAtlasImporter": _ATLAS + _TAIL,
    "VisualEffectImporter": _EFFECT + _TAIL,
    "ScriptedImporter": _SCRIPTED,
}

NUMBERS: Final[dict[str, tuple[tuple[Version, int], ...]]] = {
    "TextureImporter": (
        *(((0, 0), 2), ((5, 5), 4), ((2018, 1), 5), ((2018, 2), 6), ((2018, 3), 7), ((2018, 4), 9)),
        *(((2019, 1), 10), ((2019, 4), 11), ((2022, 1), 12), ((2022, 3), 13)),
    ),
    "TexturePlatform": (((0, 0), 2), ((2019, 1), 3), ((6000, 0), 4)),
    "ModelImporter": (
        *(((0, 0), 19), ((2017, 3), 22), ((2018, 3), 23), ((2019, 1), 25), ((2019, 2), 27), ((2019, 3), 19300)),
        *(((2020, 1), 20101), ((2020, 2), 20200), ((2021, 2), 21200), ((2021, 3), 21300), ((2022, 1), 22102)),
        *(((2022, 2), 22200), ((6000, 2), 24200)),
    ),
    "HumanDescription": (((0, 0), 2), ((2019, 1), 3)),
    "AudioImporter": (((0, 0), 6), ((2022, 2), 7)),
    "PluginImporter": (((0, 0), 1), ((2017, 1), 2), ((6000, 0), 3)),
    "VisualEffectImporter": (((0, 0), 1), ((6000, 1), 2)),
}
"""``serializedVersion`` of each importer, by version of Unity."""


MOVED: Final = {"spriteBorder": "spritePixelsToUnits"}
"""Keys that older versions write before another key, and newer ones after it: they have a row for each place."""


class Row(NamedTuple):
    """One line that an importer may write.

    Attributes:
        path: its key after the keys of the blocks around it: ``mipmaps/enableMipMap``.
        indent: prefix of the key, after the importer's own two spaces; ``- `` begins an item of a list.
        key: as Unity writes it; ``""`` for an item without one.
        value: None for the head of a block, ``~`` for an empty value, ``#name`` for one that depends on the asset.
        first: the oldest version that writes it.
        last: the newest.
    """

    path: str
    indent: str
    key: str
    value: str | None
    first: Version
    last: Version


@cache
def rows_of(importer: str) -> tuple[Row, ...]:
    """Return the lines that an importer may write, in order."""
    rows = []
    above: list[tuple[int, str]] = []
    for line in _TABLES.get(importer, "").split("\n"):
        if not line:
            continue
        found = _ROW.fullmatch(line)
        if found is None:  # an item that is a value
            rows.append(Row("", "- ", "", line.removeprefix("- "), OLDEST, NEWEST))
            continue
        depth = len(found["indent"])
        while above and above[-1][0] >= depth:
            above.pop()
        path = "/".join([*(key for _, key in above), found["key"]])
        above.append((depth, found["key"]))
        first, last = _version(found["first"], OLDEST), _version(found["last"], NEWEST)
        rows.append(Row(path, found["indent"], found["key"], found["value"], first, last))
    return tuple(rows)


def number_of(name: str, version: Version) -> int:
    """Return the ``serializedVersion`` of a version of Unity, 0 for none."""
    return max((number for since, number in NUMBERS.get(name, ()) if since <= version), default=0)


def _version(text: str | None, otherwise: Version) -> Version:
    year, _, minor = (text or "").partition(".")
    return (int(year), int(minor)) if year else otherwise
