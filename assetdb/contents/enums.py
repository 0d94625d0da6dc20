"""Names of the values of enums in Unity's own classes.

From Unity's C# reference source (github.com/Unity-Technologies/UnityCsReference), in the order of their numbers.
"""

from __future__ import annotations

from typing import Final

_SHADOWS: Final = "Off On TwoSided ShadowsOnly"
_PROBES: Final = "Off BlendProbes UseProxyVolume - CustomProvided"
_REFLECTIONS: Final = "Off BlendProbes BlendProbesAndSkybox Simple"
_MOTION: Final = "Camera Object ForceNoMotion"
_TABLE: Final = f"""
Light m_Type Spot Directional Point Area Disc
Light m_Shadows.m_Type None Hard Soft
Light m_RenderMode Auto ForcePixel ForceVertex
Light m_Lightmapping - Mixed Baked - Realtime
Camera m_projectionMatrixMode Explicit Implicit PhysicalPropertiesBased
Camera m_ClearFlags - Skybox Color Depth Nothing
Camera m_TargetEye None Left Right Both
MeshRenderer m_CastShadows {_SHADOWS}
MeshRenderer m_LightProbeUsage {_PROBES}
MeshRenderer m_ReflectionProbeUsage {_REFLECTIONS}
MeshRenderer m_MotionVectors {_MOTION}
SkinnedMeshRenderer m_CastShadows {_SHADOWS}
SkinnedMeshRenderer m_LightProbeUsage {_PROBES}
SkinnedMeshRenderer m_ReflectionProbeUsage {_REFLECTIONS}
SkinnedMeshRenderer m_MotionVectors {_MOTION}
SpriteRenderer m_DrawMode Simple Sliced Tiled
SpriteRenderer m_SpriteTileMode Continuous Adaptive
SpriteRenderer m_MaskInteraction None VisibleInsideMask VisibleOutsideMask
Canvas m_RenderMode ScreenSpaceOverlay ScreenSpaceCamera WorldSpace
Rigidbody m_Interpolate None Interpolate Extrapolate
Rigidbody m_CollisionDetection Discrete Continuous ContinuousDynamic ContinuousSpeculative
Rigidbody2D m_BodyType Dynamic Kinematic Static
Rigidbody2D m_Interpolate None Interpolate Extrapolate
Rigidbody2D m_SleepingMode NeverSleep StartAwake StartAsleep
Rigidbody2D m_CollisionDetection Discrete Continuous
CapsuleCollider m_Direction X Y Z
CapsuleCollider2D m_Direction Vertical Horizontal
AudioSource rolloffMode Logarithmic Linear Custom
Animator m_CullingMode AlwaysAnimate CullUpdateTransforms CullCompletely
Animator m_UpdateMode Normal Fixed UnscaledTime
Animation m_CullingType AlwaysAnimate BasedOnRenderers
ReflectionProbe m_Mode Baked Realtime Custom
LODGroup m_FadeMode None CrossFade SpeedTree
LineRenderer m_CastShadows {_SHADOWS}
TrailRenderer m_CastShadows {_SHADOWS}
ParticleSystemRenderer m_CastShadows {_SHADOWS}
ParticleSystemRenderer m_RenderMode Billboard Stretch HorizontalBillboard VerticalBillboard Mesh None
"""
_NONE: Final = "-"


_ROWS: Final = map(str.split, _TABLE.strip().splitlines())
_NAMES: Final = {(name, path): tuple(values) for name, path, *values in _ROWS}


def enum_name(class_name: str, path: str, value: str) -> str:
    """Return the name of an enum's value, ``""`` if it is unknown."""
    names = _NAMES.get((class_name, path), ())
    number = int(value) if value.isdecimal() and len(value) < 3 else len(names)
    name = names[number] if number < len(names) else _NONE
    return "" if name == _NONE else name
