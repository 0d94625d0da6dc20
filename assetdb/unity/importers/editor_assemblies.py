"""DLLs of the editor up to Unity 2018, with their scripts.

Their GUIDs are fixed, and their files are part of the editor, so references to them (every button of a project of that
time) lead out of the project. Scripts have the ids of classes in a DLL (``assetdb.unity.importers.managed_dll``): Image
is -765806418.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_UI: Final = "UnityEngine.UI.dll"
_TIMELINE: Final = "UnityEngine.Timeline.dll"
ASSEMBLIES: Final = {
    "f70555f144d8491a825f0804e09c671c": _UI,  # 5.x to 2018
    "f5f67c52d1564df4a8936ccd202a3bd8": _UI,  # 4.6 and early 5.x
    "6a10b2909283487f913b00d94cd3faf5": _TIMELINE,  # 2017 and 2018
}
"""GUID of each DLL."""
_TYPES: Final = {
    _TIMELINE: {
        "UnityEngine.Timeline": (
            "ActivationPlayableAsset ActivationTrack AnimationPlayableAsset AnimationTrack AudioPlayableAsset"
            " AudioTrack ControlPlayableAsset ControlTrack GroupTrack PlayableTrack TimelineAsset"
        ),
    },
    _UI: {
        "UnityEngine.EventSystems": (
            "EventSystem EventTrigger Physics2DRaycaster PhysicsRaycaster StandaloneInputModule TouchInputModule"
        ),
        "UnityEngine.UI": (
            "AspectRatioFitter Button CanvasScaler ContentSizeFitter Dropdown GraphicRaycaster GridLayoutGroup"
            " HorizontalLayoutGroup Image InputField LayoutElement Mask Outline PositionAsUV1 RawImage RectMask2D"
            " ScrollRect Scrollbar Selectable Shadow Slider Text Toggle ToggleGroup VerticalLayoutGroup"
        ),
    },
}


def types_of(assembly: str) -> list[tuple[str, str]]:
    """Return namespace and name of the scripts of a DLL of :data:`ASSEMBLIES`."""
    return [(namespace, name) for namespace, names in _TYPES[assembly].items() for name in names.split()]
