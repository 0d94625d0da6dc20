"""Unity's class numbers, with names and main fileIDs.

The numbers and names are from Unity's manual, page "YAML Class ID Reference", of versions 3.5 to 6000.x,
with classes that only real files show (``--- !u!176606843`` begins a document ``PhysicsCoreProjectSettings2D``).
Where a class was renamed, the table has the name that assets of most versions carry and ``_FORMER_NAMES`` the others.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

# ``number:Name``. Text and not a dict, because it loads in a third of the space and reads as a table.
_RUNTIME: Final = """
0:Object 1:GameObject 2:Component 3:LevelGameManager 4:Transform 5:TimeManager 6:GlobalGameManager 8:Behaviour
9:GameManager 11:AudioManager 12:ParticleAnimator 13:InputManager 15:EllipsoidParticleEmitter 17:Pipeline
18:EditorExtension 19:Physics2DSettings 20:Camera 21:Material 23:MeshRenderer 25:Renderer 26:ParticleRenderer
27:Texture 28:Texture2D 29:OcclusionCullingSettings 30:GraphicsSettings 33:MeshFilter 41:OcclusionPortal 43:Mesh
45:Skybox 47:QualitySettings 48:Shader 49:TextAsset 50:Rigidbody2D 51:Physics2DManager 53:Collider2D
54:Rigidbody 55:PhysicsManager 56:Collider 57:Joint 58:CircleCollider2D 59:HingeJoint 60:PolygonCollider2D
61:BoxCollider2D 62:PhysicsMaterial2D 64:MeshCollider 65:BoxCollider 66:CompositeCollider2D 68:EdgeCollider2D
70:CapsuleCollider2D 72:ComputeShader 74:AnimationClip 75:ConstantForce 76:WorldParticleCollider 78:TagManager
81:AudioListener 82:AudioSource 83:AudioClip 84:RenderTexture 86:CustomRenderTexture 87:MeshParticleEmitter
88:ParticleEmitter 89:Cubemap 90:Avatar 91:AnimatorController 92:GUILayer 93:RuntimeAnimatorController
94:ShaderNameRegistry 95:Animator 96:TrailRenderer 98:DelayedCallManager 102:TextMesh 104:RenderSettings
108:Light 109:ShaderInclude 110:BaseAnimationTrack 111:Animation 114:MonoBehaviour 115:MonoScript
116:MonoManager 117:Texture3D 118:NewAnimationTrack 119:Projector 120:LineRenderer 121:Flare 122:Halo
123:LensFlare 124:FlareLayer 125:HaloLayer 126:NavMeshProjectSettings 127:HaloManager 128:Font
129:PlayerSettings 130:NamedObject 131:GUITexture 132:GUIText 133:GUIElement 134:PhysicMaterial
135:SphereCollider 136:CapsuleCollider 137:SkinnedMeshRenderer 138:FixedJoint 140:RaycastCollider
141:BuildSettings 142:AssetBundle 143:CharacterController 144:CharacterJoint 145:SpringJoint 146:WheelCollider
147:ResourceManager 148:NetworkView 149:NetworkManager 150:PreloadData 152:MovieTexture 153:ConfigurableJoint
154:TerrainCollider 155:MasterServerInterface 156:TerrainData 157:LightmapSettings 158:WebCamTexture
159:EditorSettings 160:InteractiveCloth 161:ClothRenderer 162:EditorUserSettings 163:SkinnedCloth
164:AudioReverbFilter 165:AudioHighPassFilter 166:AudioChorusFilter 167:AudioReverbZone 168:AudioEchoFilter
169:AudioLowPassFilter 170:AudioDistortionFilter 171:SparseTexture 180:AudioBehaviour 181:AudioFilter
182:WindZone 183:Cloth 184:SubstanceArchive 185:ProceduralMaterial 186:ProceduralTexture 187:Texture2DArray
188:CubemapArray 191:OffMeshLink 192:OcclusionArea 193:Tree 194:NavMeshObsolete 195:NavMeshAgent
196:NavMeshSettings 197:LightProbesLegacy 198:ParticleSystem 199:ParticleSystemRenderer
200:ShaderVariantCollection 205:LODGroup 206:BlendTree 207:Motion 208:NavMeshObstacle 210:SortingGroup
212:SpriteRenderer 213:Sprite 214:CachedSpriteAtlas 215:ReflectionProbe 216:ReflectionProbes 218:Terrain
220:LightProbeGroup 221:AnimatorOverrideController 222:CanvasRenderer 223:Canvas 224:RectTransform
225:CanvasGroup 226:BillboardAsset 227:BillboardRenderer 228:SpeedTreeWindAsset 229:AnchoredJoint2D 230:Joint2D
231:SpringJoint2D 232:DistanceJoint2D 233:HingeJoint2D 234:SliderJoint2D 235:WheelJoint2D
236:ClusterInputManager 237:BaseVideoTexture 238:NavMeshData 240:AudioMixer 241:AudioMixerController
243:AudioMixerGroupController 244:AudioMixerEffectController 245:AudioMixerSnapshotController
246:PhysicsUpdateBehaviour2D 247:ConstantForce2D 248:Effector2D 249:AreaEffector2D 250:PointEffector2D
251:PlatformEffector2D 252:SurfaceEffector2D 253:BuoyancyEffector2D 254:RelativeJoint2D 255:FixedJoint2D
256:FrictionJoint2D 257:TargetJoint2D 258:LightProbes 259:LightProbeProxyVolume 271:SampleClip
272:AudioMixerSnapshot 273:AudioMixerGroup 290:AssetBundleManifest 292:UnityAdsManager
300:RuntimeInitializeOnLoadManager 301:CloudWebServicesManager 303:UnityAnalyticsManager 304:CrashReportManager
305:PerformanceReportingManager 310:UnityConnectSettings 319:AvatarMask 320:PlayableDirector 328:VideoPlayer
329:VideoClip 330:ParticleSystemForceField 331:SpriteMask 362:WorldAnchor 363:OcclusionCullingData
"""
_EDITOR: Final = """
1001:Prefab 1002:EditorExtensionImpl 1003:AssetImporter 1004:AssetDatabaseV1 1005:Mesh3DSImporter
1006:TextureImporter 1007:ShaderImporter 1008:ComputeShaderImporter 1020:AudioImporter 1026:HierarchyState
1027:GUIDSerializer 1028:AssetMetaData 1029:DefaultAsset 1030:DefaultImporter 1031:TextScriptImporter
1032:SceneAsset 1034:NativeFormatImporter 1035:MonoImporter 1037:AssetServerCache 1038:LibraryAssetImporter
1040:ModelImporter 1041:FBXImporter 1042:TrueTypeFontImporter 1044:MovieImporter 1045:EditorBuildSettings
1046:DDSImporter 1048:InspectorExpandedState 1049:AnnotationManager 1050:PluginImporter
1051:EditorUserBuildSettings 1052:PVRImporter 1053:ASTCImporter 1054:KTXImporter 1055:IHVImageFormatImporter
1101:AnimatorStateTransition 1102:AnimatorState 1105:HumanTemplate 1107:AnimatorStateMachine
1108:PreviewAnimationClip 1109:AnimatorTransition 1110:SpeedTreeImporter 1111:AnimatorTransitionBase
1112:SubstanceImporter 1113:LightmapParameters 1120:LightingDataAsset 1124:SketchUpImporter 1125:BuildReport
1126:PackedAssets 1127:VideoClipImporter
"""
# Classes made since 2017 have a hash of their name for a number.
_HASHED: Final = """
19719996:TilemapCollider2D 41386430:ImportLog 55640938:GraphicsStateCollection 73398921:VFXRenderer
156049354:Grid 156483287:ScenesUsingAssets 171741748:ArticulationBody 176606843:PhysicsCoreProjectSettings2D
181963792:Preset 285090594:IConstraint 294290339:AssemblyDefinitionReferenceImporter 355983997:AudioResource
369655926:AssetImportInProgressProxy 382020655:PluginBuildInfo 387306366:MemorySettings
403037116:BuildMetaDataImporter 403037117:BuildInstructionImporter 426301858:EditorProjectAccess
468431735:PrefabImporter 483693784:TilemapRenderer 612988286:SpriteAtlasAsset 638013454:SpriteAtlasDatabase
641289076:AudioBuildInfo 644342135:CachedSpriteAtlasRuntimeData 655991488:MultiplayerManager
662584278:AssemblyDefinitionReferenceAsset 668709126:BuiltAssetBundleInfoSet 687078895:SpriteAtlas
747330370:RayTracingShaderImporter 780535461:BuildArchiveImporter 815301076:PreviewImporter
825902497:RayTracingShader 850595691:LightingSettings 877146078:PlatformModuleSetup
890905787:VersionControlSettings 893571522:CustomCollider2D 895512359:AimConstraint 937362698:VFXManager
947337230:RoslynAnalyzerConfigAsset 954905827:RuleSetFileAsset 994735392:VisualEffectSubgraph
994735403:VisualEffectSubgraphOperator 994735404:VisualEffectSubgraphBlock 1027052791:LocalizationImporter
1114811875:ReferencesArtifactGenerator 1152215463:AssemblyDefinitionAsset 1154873562:SceneVisibilityState
1183024399:LookAtConstraint 1210832254:SpriteAtlasImporter 1233149941:AudioContainerElement
1268269756:GameObjectRecorder 1307931743:AudioRandomContainer 1325145578:LightingDataAssetParent
1386491679:PresetManager 1403656975:StreamingManager 1480428607:LowerResBlitTexture 1521398425:VideoBuildInfo
1541671625:C4DImporter 1542919678:StreamingController 1557264870:ShaderContainer
1597193336:RoslynAdditionalFileAsset 1642787288:RoslynAdditionalFileImporter 1652712579:MultiplayerRolesData
1660057539:SceneRoots 1731078267:BrokenPrefabAsset 1736697216:AndroidAssetPackImporter
1740304944:VulkanDeviceFilterLists 1742807556:GridLayout 1766753193:AssemblyDefinitionImporter
1773428102:ParentConstraint 1777034230:RuleSetFileImporter 1818360608:PositionConstraint
1818360609:RotationConstraint 1818360610:ScaleConstraint 1839735485:Tilemap 1896753125:PackageManifest
1896753126:PackageManifestImporter 1903396204:RoslynAnalyzerConfigImporter 1931382933:UIRenderer
1953259897:TerrainLayer 1971053207:SpriteShapeRenderer 2058629509:VisualEffectAsset
2058629510:VisualEffectImporter 2058629511:VisualEffectResource 2059678085:VisualEffectObject
2083052967:VisualEffect 2083778819:LocalizationAsset 2089858483:ScriptedImporter
2103361453:ShaderIncludeImporter
"""

# The numbers that the Rust crate unity-assetdb 0.2.0 stores for these three types instead of Unity's (319, 1152215463
# and 662584278), and so does this database: AvatarMask had 1011 up to Unity 2017, the other two are the crate's own.
AVATAR_MASK: Final = 1011
ASSEMBLY_DEFINITION: Final = 1153
ASSEMBLY_DEFINITION_REFERENCE: Final = 1374
_CRATE: Final = {
    AVATAR_MASK: "AvatarMask",
    ASSEMBLY_DEFINITION: "AssemblyDefinitionAsset",
    ASSEMBLY_DEFINITION_REFERENCE: "AssemblyDefinitionReferenceAsset",
}

# 1001 is Prefab up to 2018.2 and PrefabInstance afterwards, when the asset itself became class 1001480554. As the type
# of an asset, which is looked up most often, it is a prefab.
_PREFAB_ASSET: Final = 1001480554
_FORMER_NAMES: Final = {
    "AssetImporterLog": 41386430,
    "CGProgram": 109,
    "LightmapSnapshot": 1120,
    "NavMeshAreas": 126,
    "NavMeshLayers": 126,
    "PhysicsMaterial": 134,  # Unity 6
    "PrefabInstance": 1001,
    "RenderManager": 30,
    "Scene": 29,
    "SceneSettings": 29,
    "ScriptMapper": 94,
    "SubstanceArchiveImporter": 1112,
}


# Filled on first use, without functools.cache, which a one-shot command does not import otherwise.
_NAMES: Final[dict[int, str]] = {}
_NUMBERS: Final[dict[str, int]] = {}


def _names() -> dict[int, str]:
    if _NAMES:
        return _NAMES
    names = {
        int(number): name
        for text in (_RUNTIME, _EDITOR, _HASHED)
        for number, _, name in (item.partition(":") for item in text.split())
    }
    names[_PREFAB_ASSET] = "Prefab"
    names.update(_CRATE)
    _NAMES.update(names)
    return _NAMES


def _numbers() -> dict[str, int]:
    if _NUMBERS:
        return _NUMBERS
    # Where two numbers share a name, the last one stays, which is the crate's: databases hold it.
    numbers = {name: number for number, name in _names().items() if number != _PREFAB_ASSET}
    for name, number in _FORMER_NAMES.items():
        numbers.setdefault(name, number)
    _NUMBERS.update(numbers)
    return _NUMBERS


def class_name(number: int) -> str:
    """Return the name of a class (``"Sprite"`` for 213), or ``""``.

    In a text asset the number is in the header of an object (``--- !u!213 &21300000``). It means one class in every
    version of Unity.

    >>> class_name(1), class_name(213), class_name(-1)
    ('GameObject', 'Sprite', '')
    """
    return _names().get(number, "")


def class_number(name: str) -> int | None:
    """Return the class number that databases use for a name, or None."""
    return _numbers().get(name)


# --- fileID of the main object ------------------------------------------------------------------------------------

# Up to this class number ``number * 100000`` is a positive int32; for the later, hashed numbers the fileID is a linear
# function of the number, found from anchors and references of real files, and exact for all of them: Preset
# 2655988077585873504, SpriteAtlas 4343727234628468602, LightingSettings 4890085278179872738, AssemblyDefinitionAsset
# 5897886265953266890, TerrainLayer 8574412962073106934, VisualEffectAsset 8926484042661614526 and the import log
# 2186277476908879412.
_LAST_SMALL: Final = 0x7FFFFFFF // 100_000
_HASHED_FACTOR: Final = 3341296166
_HASHED_START: Final = 2047993157025452032

_CANONICAL_OF: Final = {
    AVATAR_MASK: 319,  # written with its later number: {fileID: 31900000, ...}
    ASSEMBLY_DEFINITION: 1152215463,
    ASSEMBLY_DEFINITION_REFERENCE: 662584278,
    1032: 1029,  # a scene is a DefaultAsset when it is referred to: {fileID: 102900000, ...}
}


def unity_number(class_number: int) -> int:
    """Return the number that Unity has for a class number of databases.

    Unity's AssemblyDefinitionAsset is 1152215463 in 176 of 176 of its own rows, where databases have 1153.
    """
    return _CANONICAL_OF[class_number] if class_number in _CRATE else class_number


def canonical_file_id(class_number: int) -> int:
    """Return the usual fileID of a main object: 2100000 for Material.

    Objects of models and scripted importers have hashed ids: see ``assetdb.unity.kinds.main_file_id``.
    """
    number = _CANONICAL_OF.get(class_number, class_number)
    if number <= _LAST_SMALL:
        return number * 100_000
    file_id = (_HASHED_START + number * _HASHED_FACTOR) & 0xFFFFFFFFFFFFFFFF
    return file_id - (file_id >> 63 << 64)
