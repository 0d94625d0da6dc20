"""The table of objects in Unity's two built-in resource files.

The names and ids are those in players and editors of Unity 4 to 6000.x; shaders have the name that ``Shader.Find``
takes. Scripts (``m_Script: {fileID: 19102, guid: 0000000000000000e000000000000000}`` of a UIDocument) are named by the
``m_EditorClassIdentifier`` of the same document, or by the fields that only they have. One row is ``fileID name``, then
`` | `` before each former name; for a row without a name only the class is known, from the fields that refer to it.

The module is large and rarely needed, so ``assetdb.unity.engine.builtin`` imports it for the first lookup.
"""

from __future__ import annotations

from typing import Final

# ruff: noqa: E501 - a row is a line, however many names it has

# (class, file) -> rows. The file is the digit of its GUID that is not zero: ``e`` is "unity default resources", ``f``
# is "unity_builtin_extra".
ROWS: Final[dict[tuple[str, str], str]] = {
    ("Mesh", "e"): """
10200 pSphere1
10202 Cube
10203 pCylinder1
10204 pPlane1
10205 polySurface2
10206 Cylinder
10207 Sphere
10208 Capsule
10209 Plane
10210 Quad
10211 Icosphere
10212 icosahedron
10213 pyramid
""",
    ("Material", "e"): """
10100 Font Material
10754 Sprites-Default
10758 Sprites-Mask
""",
    ("Material", "f"): """
10301 Default-Particle
10302 Default-Diffuse
10303 Default-Material
10304 Default-Skybox
10306 Default-Line
10308 Default-ParticleSystem
10650 Default-Terrain-Diffuse
10651 Default-Terrain-Specular
10652 Default-Terrain-Standard
10754 Sprites-Default
10756 FrameDebuggerRenderTargetDisplay
10758 Sprites-Mask
15302 SpatialMappingOcclusion
15303 SpatialMappingWireframe
""",
    ("Shader", "e"): """
60 Shadow-ScreenBlur
61 Camera-DepthTexture
62 Camera-DepthNormalTexture
63 Internal-PrePassLighting
64 Internal-PrePassCollectShadows
65 Internal-CombineDepthNormals
66 Internal-BlitCopy
67 Shadow-ScreenBlurRotated
68 Hidden/InternalClear | Internal-Clear
69 Hidden/Internal-Colored | Internal-Colored | Internal-DeferredShading
70 Internal-SplashShadowCaster
71 Internal-SplashShadowBlur
72 Internal-SplashShadowReceiver
73 Internal-SplashShadowReceiverSimple
74 Internal-DeferredReflections
100 Decal
103 Skybox-Cubed
106 Skybox-Procedural
10101 GUI/Text Shader | Font
10620 Specular-FirstPass
10621 Specular-AddPass
10622 Specular-Base
10623 Standard-FirstPass
10624 Standard-AddPass
10625 Standard-Base
10755 Hidden/FrameDebuggerRenderTargetDisplay | Unlit-Color
10767 UI-Lit-Refraction
10768 UI-Lit-RefractionDetail
14000 SpeedTree
14001 SpeedTreeBillboard
15100 TextureUV
15102 UV1sAsPositions
15103 VertexColors
15104 CubeBlur
15105 CubeCopy
15106 CubeBlend
""",
    ("Shader", "f"): """
1 Legacy Shaders/Diffuse Fast | Normal-DiffuseFast
2 Legacy Shaders/Bumped Diffuse | Normal-Bumped
3 Legacy Shaders/Specular | Normal-Glossy
4 Legacy Shaders/Bumped Specular | Normal-BumpSpec
5 Legacy Shaders/Diffuse Detail | Normal-DiffuseDetail
6 Legacy Shaders/VertexLit | Normal-VertexLit
7 Legacy Shaders/Diffuse | LegacyDiffuse | Normal-Diffuse
8 Legacy Shaders/Parallax Diffuse | Normal-Parallax
9 Legacy Shaders/Parallax Specular | Normal-ParallaxSpec
10 Legacy Shaders/Self-Illumin/Diffuse | Illumin-Diffuse
11 Legacy Shaders/Self-Illumin/Bumped Diffuse | Illumin-Bumped
12 Legacy Shaders/Self-Illumin/Specular | Illumin-Glossy
13 Legacy Shaders/Self-Illumin/Bumped Specular | Illumin-BumpSpec
14 Legacy Shaders/Self-Illumin/VertexLit | Illumin-VertexLit
15 Legacy Shaders/Self-Illumin/Parallax Diffuse | Illumin-Parallax
16 Legacy Shaders/Self-Illumin/Parallax Specular | Illumin-ParallaxSpec
17 Hidden/InternalErrorShader | Internal-ErrorShader
19 Hidden/Internal-StencilWrite
20 Legacy Shaders/Reflective/Diffuse | Reflect-Diffuse
21 Legacy Shaders/Reflective/Bumped Diffuse | Reflect-Bumped
22 Legacy Shaders/Reflective/Specular | Reflect-Glossy
23 Legacy Shaders/Reflective/Bumped Specular | Reflect-BumpSpec
24 Legacy Shaders/Reflective/VertexLit | Reflect-VertexLit
25 Legacy Shaders/Reflective/Bumped Unlit | Reflect-BumpNolight
26 Legacy Shaders/Reflective/Bumped VertexLit | Reflect-BumpVertexLit
27 Legacy Shaders/Reflective/Parallax Diffuse | Reflect-Parallax
28 Legacy Shaders/Reflective/Parallax Specular | Reflect-ParallaxSpec
30 Legacy Shaders/Transparent/Diffuse | Alpha-Diffuse
31 Legacy Shaders/Transparent/Bumped Diffuse | Alpha-Bumped
32 Legacy Shaders/Transparent/Specular | Alpha-Glossy
33 Legacy Shaders/Transparent/Bumped Specular | Alpha-BumpSpec
34 Legacy Shaders/Transparent/VertexLit | Alpha-VertexLit
35 Legacy Shaders/Transparent/Parallax Diffuse | Alpha-Parallax
36 Legacy Shaders/Transparent/Parallax Specular | Alpha-ParallaxSpec
40 Legacy Shaders/Lightmapped/VertexLit | Lightmap-VertexLit
41 Legacy Shaders/Lightmapped/Diffuse | Lightmap-Diffuse
42 Legacy Shaders/Lightmapped/Bumped Diffuse | Lightmap-Bumped
43 Legacy Shaders/Lightmapped/Specular | Lightmap-Glossy
44 Legacy Shaders/Lightmapped/Bumped Specular | Lightmap-BumpSpec
45 Standard (Specular setup) | StandardSpecular
46 Standard | Shader
47 Autodesk Interactive | Standard (Roughness setup)
50 Legacy Shaders/Transparent/Cutout/VertexLit | AlphaTest-VertexLit
51 Legacy Shaders/Transparent/Cutout/Diffuse | AlphaTest-Diffuse
52 Legacy Shaders/Transparent/Cutout/Bumped Diffuse | AlphaTest-Bumped
53 Legacy Shaders/Transparent/Cutout/Specular | AlphaTest-Glossy
54 Legacy Shaders/Transparent/Cutout/Bumped Specular | AlphaTest-BumpSpec
62 Hidden/Internal-DepthNormalsTexture
63 Hidden/Internal-PrePassLighting
64 Hidden/Internal-ScreenSpaceShadows
65 Hidden/Internal-CombineDepthNormals
66 Hidden/BlitCopy
67 Hidden/BlitCopyDepth
68 Hidden/ConvertTexture
69 Hidden/Internal-DeferredShading
74 Hidden/Internal-DeferredReflections
75 Hidden/Internal-MotionVectors
100 Legacy Shaders/Decal
101 FX/Flare | Flare
102 Hidden/Internal-Flare | Internal-Flare
103 Skybox/Cubemap | skybox cubed
104 Skybox/6 Sided | Skybox
105 Hidden/Internal-Halo | Internal-Halo
106 Skybox/Procedural
107 Hidden/BlitCopyWithDepth
108 Skybox/Panoramic
109 Hidden/BlitToDepth
110 Hidden/BlitToDepth_MSAA
111 Hidden/BlitCopyHDRTonemap
112 Hidden/BlitCopyHDRTonemappedToHDRTonemap
113 Hidden/Internal-DebugPattern
114 Hidden/BlitCopyHDRTonemappedToSDR
200 Legacy Shaders/Particles/Additive | Particles/Additive | Particle Add
201 Legacy Shaders/Particles/~Additive-Multiply | Particles/~Additive-Multiply | Particle AddMultiply
202 Legacy Shaders/Particles/Additive (Soft) | Particles/Additive (Soft) | Particle AddSmooth
203 Legacy Shaders/Particles/Alpha Blended | Particles/Alpha Blended | Particle Alpha Blend
205 Legacy Shaders/Particles/Multiply | Particles/Multiply | Particle Multiply
206 Legacy Shaders/Particles/Multiply (Double) | Particles/Multiply (Double) | Particle MultiplyDouble
207 Legacy Shaders/Particles/Alpha Blended Premultiply | Particles/Alpha Blended Premultiply | Particle Premultiply Blend
208 Legacy Shaders/Particles/VertexLit Blended | Particles/VertexLit Blended | Particle VertexLit Blended
209 Legacy Shaders/Particles/Anim Alpha Blended | Particles/Anim Alpha Blended
210 Particles/Standard Surface
211 Particles/Standard Unlit
9000 Hidden/Internal-GUITextureClip | Internal-GUITextureClip
9001 Hidden/Internal-GUITextureClipText | Internal-GUITextureClipText
9002 Hidden/Internal-GUITexture | Internal-GUITexture
9003 Hidden/Internal-GUITextureBlit | Internal-GUITextureBlit
9004 Hidden/Internal-GUIRoundedRect
9005 Hidden/Internal-UIRDefault
9006 Hidden/Internal-UIRAtlasBlitCopy
9007 Hidden/Internal-GUIRoundedRectWithColorPerBorder
9100 Hidden/Internal-UIRDefault
9101 Hidden/Internal-UIRAtlasBlitCopy
9102 Hidden/Internal-UIRDefaultWorld
9103
10490 Hidden/Nature/Terrain/Utilities
10500 Hidden/TerrainEngine/Details/Vertexlit | VertexLit
10501 Hidden/TerrainEngine/Details/WavingDoublePass | WavingGrass
10502 TerrainBillboardWavingDoublePass | WavingGrassBillboard
10503 Hidden/TerrainEngine/Splatmap/Diffuse-AddPass | AddPass
10504 Hidden/TerrainEngine/Splatmap/Diffuse-Base
10505 Nature/Terrain/Diffuse | FirstPass
10506 Hidden/TerrainEngine/Splatmap/Diffuse-BaseGen
10507 Hidden/TerrainEngine/BillboardTree | BillboardTree
10508 Hidden/Nature/Tree Soft Occlusion Bark Rendertex | TreeSoftOcclusionBarkRendertex
10509 Nature/Tree Soft Occlusion Bark | TreeSoftOcclusionBark
10510 Hidden/Nature/Tree Soft Occlusion Leaves Rendertex | TreeSoftOcclusionLeavesRendertex
10511 Nature/Tree Soft Occlusion Leaves | TreeSoftOcclusionLeaves
10512 Legacy Shaders/Transparent/Cutout/Soft Edge Unlit | AlphaTest-SoftEdgeUnlit
10513 Hidden/TerrainEngine/CameraFacingBillboardTree
10600 Nature/Tree Creator Bark | TreeCreatorBark
10601 Nature/Tree Creator Leaves | TreeCreatorLeaves
10602 Hidden/Nature/Tree Creator Bark Rendertex | TreeCreatorBarkRendertex
10603 Hidden/Nature/Tree Creator Leaves Rendertex | TreeCreatorLeavesRendertex
10604 Hidden/Nature/Tree Creator Bark Optimized | TreeCreatorBarkOptimized
10605 Hidden/Nature/Tree Creator Leaves Optimized | TreeCreatorLeavesOptimized
10606 Nature/Tree Creator Leaves Fast | TreeCreatorLeavesFast
10607 Hidden/Nature/Tree Creator Leaves Fast Optimized | TreeCreatorLeavesFastOptimized
10608 Hidden/Nature/Tree Creator Albedo Rendertex
10609 Hidden/Nature/Tree Creator Normal Rendertex
10620 Nature/Terrain/Specular | TerrBumpFirstPass
10621 Hidden/TerrainEngine/Splatmap/Specular-AddPass | TerrBumpAddPass
10622 Hidden/TerrainEngine/Splatmap/Specular-Base
10623 Nature/Terrain/Standard
10624 Hidden/TerrainEngine/Splatmap/Standard-AddPass
10625 Hidden/TerrainEngine/Splatmap/Standard-Base
10626 Hidden/TerrainEngine/Splatmap/Standard-BaseGen
10700 Mobile/Skybox | Mobile-Skybox
10701 Mobile/VertexLit | Mobile-VertexLit
10703 Mobile/Diffuse | Mobile-Diffuse
10704 Mobile/Bumped Diffuse | Mobile-Bumped
10705 Mobile/Bumped Specular | Mobile-BumpSpec
10706 Mobile/Bumped Specular (1 Directional Realtime Light) | Mobile/Bumped Specular (1 Directional Light) | Mobile-BumpSpec-1DirectionalLight
10707 Mobile/VertexLit (Only Directional Lights) | Mobile-VertexLit-OnlyDirectionalLights
10708 Mobile/Unlit (Supports Lightmap) | Mobile-Lightmap-Unlit
10720 Mobile/Particles/Additive | Mobile-Particle-Add
10721 Mobile/Particles/Alpha Blended | Mobile-Particle-Alpha
10722 Mobile/Particles/VertexLit Blended | Mobile-Particle-Alpha-VertexLit
10723 Mobile/Particles/Multiply | Mobile-Particle-Multiply
10750 Unlit/Transparent | Unlit-Alpha
10751 Unlit/Transparent Cutout | Unlit-AlphaTest
10752 Unlit/Texture | Unlit-Normal
10753 Sprites/Default | SpriteDefault | Sprites-Default
10755 Unlit/Color
10757 Sprites/Mask
10760 UI/Unlit/Transparent | UI-Unlit-Transparent
10761 UI/Unlit/Detail | UI-Unlit-Detail
10762 UI/Unlit/Text | UI-Unlit-Text
10763 UI/Unlit/Text Detail | UI-Unlit-TextDetail
10764 UI/Lit/Transparent | UI-Lit-Transparent
10765 UI/Lit/Bumped | UI-Lit-Bumped
10766 UI/Lit/Detail | UI-Lit-Detail
10767 UI/Lit/Refraction | UI-Lit-Refraction(ProOnly)
10768 UI/Lit/Refraction Detail | UI-Lit-RefractionDetail(ProOnly)
10770 UI/Default | UIDefault | UI-Default
10782 UI/Default Font | UI-DefaultFont
10783 UI/DefaultETC1
10784 Hidden/UI/CompositeOverdraw
10785 Hidden/UI/Overdraw
10800 Sprites/Diffuse | Sprites-Diffuse
14000 Nature/SpeedTree
14001 Nature/SpeedTree Billboard
14002 Nature/SpeedTree8
15100 Hidden/GIDebug/TextureUV
15101 Hidden/GIDebug/ShowLightMask
15102 Hidden/GIDebug/UV1sAsPositions
15103 Hidden/GIDebug/VertexColors
15104 Hidden/CubeBlur | CubeBlur
15105 Hidden/CubeCopy | CubeCopy
15106 Hidden/CubeBlend | CubeBlend
15300 VR/SpatialMapping/Occlusion
15301 VR/SpatialMapping/Wireframe
15304 Hidden/VR/BlitTexArraySlice | Hidden/VR/BlitCopyFromTexArray
15305 Hidden/VR/Internal-VRDistortion
15306 Hidden/VR/BlitTexArraySliceToDepth
15307 Hidden/VR/BlitTexArraySliceToDepth_MSAA
15308 Hidden/Internal-ODSWorldTexture
15309 Hidden/Internal-CubemapToEquirect
15310 Hidden/VR/ClippingMask
15311 Hidden/VR/VideoBackground
15312 Hidden/VR/BlitFromTex2DToTexArraySlice
15313 Hidden/VR/BlitCopyHDRTonemapTexArraySlice
15314 Hidden/VR/BlitCopyHDRTonemappedToHDRTonemapTexArraySlice
15315 Hidden/VR/BlitCopyHDRTonemappedToSDRTexArraySlice
15401 AR/TangoARRender
16000 Hidden/VideoComposite | Hidden/VideoDecode
16001 Hidden/VideoDecode | Hidden/VideoDecodeOSX
16002 Hidden/VideoDecodeOSX | Hidden/VideoDecodeAndroid
16003 Hidden/VideoDecodeAndroid
16004 Hidden/VideoDecodeML
17000 Hidden/Compositing
18000 Hidden/TerrainEngine/PaintHeight
18001 Hidden/TerrainEngine/HeightBlitCopy
18002 Hidden/TerrainEngine/GenerateNormalmap
18003 Hidden/TerrainEngine/TerrainLayerUtils
18004 Hidden/TerrainEngine/BrushPreview
18005 Hidden/TerrainEngine/CrossBlendNeighbors
19010 Hidden/TextCore/Distance Field
19011 Hidden/TextCore/Distance Field SSD
19012 Hidden/TextCore/Sprite
20300 Hidden/UIR/GaussianBlur
20301 Hidden/UIR/ColorEffect
""",
    ("Texture2D", "e"): """
10001 Soft
10103 Font Texture
10400 UnityWatermark-small
10401 EscToExit_back
10402 EscToExit_Text
10403 UnitySplash-cube | UnitySplash
10405 UnitySplash3 | UnitySplash-free
10406 UnityWatermark-trial-big | UnitySplashBack
10407 UnityWatermark-trial
10408 UnityWatermark-beta
10409 UnityWatermark-edu
10410 UnityWatermark-dev
10411 WarningSign
10412 UnityWatermark-DebugFlashPlayer
10413 UnityWatermark-proto
10414 UnityWatermarkPlugin-beta
10415 UnitySplashVRLogo
10416 UnitySplashVRPoweredBy
11001 box
11002 button active
11003 button hover
11004 button on hover
11005 button on
11006 button
11007 horizontal scrollbar thumb
11008 horizontal scrollbar
11009 horizontalslider
11010 slider thumb active
11011 slider thumb
11012 slidert humb hover
11013 toggle active
11014 toggle hover
11015 toggle on hover
11016 toggle on
11017 toggle on active
11018 toggle
11019 vertical scrollbar thumb
11020 vertical scrollbar
11021 verticalslider
11022 window on
11023 window
11024 textfield
11025 textfield on
11026 textfield hover
15000 UnitySplash-HolographicTrackingLoss
""",
    ("Texture2D", "f"): """
10300 Default-Particle
10305 Default-Checker
10307 Default-ParticleSystem
10309 Default-Checker-Gray
10900 Checkmark
10904 UISprite
10906 Background
10910 InputFieldBackground
10912 Knob
10914 DropdownArrow
10916 UIMask
""",
    ("Sprite", "e"): """
10404 UnitySplash-cube | UnitySplash2 | UnitySplash-text
""",
    ("Sprite", "f"): """
10901 Checkmark
10905 UISprite
10907 Background
10911 InputFieldBackground
10913 Knob
10915 DropdownArrow
10917 UIMask
""",
    ("Font", "e"): """
10102 Arial
""",
    ("LightmapParameters", "f"): """
15200 Default-HighResolution
15201 Default-LowResolution
15203 Default-VeryLowResolution
15204 Default-Medium
""",
    ("LightingDataAsset", "f"): """
20201
""",
    ("MonoBehaviour", "e"): """
11000 GameSkin
""",
    ("MonoScript", "e"): """
12001 GUISkin
12385 StyleSheetImporter
12388 ThemeStyleSheetImporter
12395 GridPalette
13312 Tile
13804 UIElementsViewImporter
13964 PackageManagerProjectSettings
15003 BuildProfile
15023 MultiplayerRolesSettings
19001 FontAsset
19002 SpriteAsset
19101 PanelSettings
19102 UIDocument
19103 PanelTextSettings
19106 PanelInputConfiguration
19301 PhysicsCoreSettings2D
""",
}
