"""Unity's numbers of build targets, as a SerializedFile has them."""

from __future__ import annotations

from typing import Final

# The names of UnityEditor.BuildTarget; those that are no more have the name they had last.
_NAMES: Final = {
    -2: "none (a file of a project)",
    1: "DashboardWidget",
    2: "macOS",
    3: "macOS (PowerPC)",
    4: "macOS (Intel)",
    5: "Windows",
    6: "WebPlayer",
    7: "WebPlayerStreamed",
    8: "Wii",
    9: "iOS",
    10: "PS3",
    11: "Xbox 360",
    13: "Android",
    14: "Broadcom",
    15: "GLES emulator",
    16: "NaCl",
    17: "Linux (32 bit)",
    18: "Flash",
    19: "Windows (64 bit)",
    20: "WebGL",
    21: "Windows Store",
    24: "Linux",
    25: "Linux (universal)",
    26: "Windows Phone 8",
    27: "macOS (64 bit)",
    28: "BlackBerry",
    29: "Tizen",
    30: "PS Vita",
    31: "PS4",
    32: "PSM",
    33: "Xbox One",
    34: "Samsung TV",
    35: "Nintendo 3DS",
    36: "Wii U",
    37: "tvOS",
    38: "Switch",
    39: "Lumin",
    40: "Stadia",
    41: "CloudRendering",
    42: "Xbox Series",
    43: "Xbox One (GameCore)",
    44: "PS5",
    45: "Embedded Linux",
    46: "QNX",
    47: "visionOS",
}


def platform_name(number: int) -> str:
    """Return the name of a build target, or its number."""
    return _NAMES.get(number, str(number))
