"""Version numbers of packages, by release and by name.

A package carries up to three numbers: the *legacy* one (-2 to -9, the shape of the first fields), the UE4 file
version (214 to 522) and, from legacy -8 on, the UE5 file version (1000 to 1018). Cooked packages are often
*unversioned*: all zero, and the reader has to be given them. The table was measured on files that also carry their
engine's own name; 4.26 is 521 or 522 in released files, not 519. For 4.1, 4.3 and 4.7 no file has been seen: their
numbers come from UE Viewer's table, which the files of 4.2, 4.4, 4.5 and 4.6 agree with (4.2 but for a preview).
"""

from __future__ import annotations

from typing import Final, NamedTuple

OLDEST_LEGACY: Final = -9
NEWEST_UE4: Final = 522
NEWEST_UE5: Final = 1018


class PackageVersion(NamedTuple):
    """The file versions that the format depends on; UE4 has no ``ue5``."""

    ue4: int
    ue5: int = 0

    def __str__(self) -> str:
        return f"{self.ue4}/{self.ue5}" if self.ue5 else str(self.ue4)


RELEASES: Final[dict[str, PackageVersion]] = {
    "4.0": PackageVersion(342),
    "4.1": PackageVersion(352),
    "4.2": PackageVersion(367),
    "4.3": PackageVersion(382),
    "4.4": PackageVersion(385),
    "4.5": PackageVersion(401),
    "4.6": PackageVersion(413),
    "4.7": PackageVersion(434),
    "4.8": PackageVersion(451),
    "4.9": PackageVersion(482),
    "4.10": PackageVersion(482),
    "4.11": PackageVersion(498),
    "4.12": PackageVersion(504),
    "4.13": PackageVersion(505),
    "4.14": PackageVersion(508),
    "4.15": PackageVersion(510),
    "4.16": PackageVersion(513),
    "4.17": PackageVersion(513),
    "4.18": PackageVersion(514),
    "4.19": PackageVersion(516),
    "4.20": PackageVersion(516),
    "4.21": PackageVersion(517),
    "4.22": PackageVersion(517),
    "4.23": PackageVersion(517),
    "4.24": PackageVersion(518),
    "4.25": PackageVersion(518),
    "4.26": PackageVersion(522),
    "4.27": PackageVersion(522),
    "5.0": PackageVersion(522, 1004),
    "5.1": PackageVersion(522, 1008),
    "5.2": PackageVersion(522, 1009),
    "5.3": PackageVersion(522, 1009),
    "5.4": PackageVersion(522, 1012),
    "5.5": PackageVersion(522, 1013),
    "5.6": PackageVersion(522, 1017),
    "5.7": PackageVersion(522, 1018),
}


# What was written on the way to a release, by previews and early builds that call themselves by its name.
_BEFORE: Final[dict[PackageVersion, str]] = {
    PackageVersion(228): "4.0",
    PackageVersion(363): "4.2",
    PackageVersion(397): "4.5",
    PackageVersion(519): "4.26",
    PackageVersion(521): "4.26",
    PackageVersion(522, 1002): "5.0",
    PackageVersion(522, 1003): "5.0",
    PackageVersion(522, 1007): "5.1",
    PackageVersion(522, 1011): "5.4",
}


def releases_of(version: PackageVersion) -> str:
    """Name the releases that write ``version``, such as ``"5.2 to 5.3"``.

    A preview is ``"5.0 (early)"``; an unknown version is its numbers.
    """
    found = [name for name, numbers in RELEASES.items() if numbers == version]
    if not found:
        early = _BEFORE.get(version)
        return f"{early} (early)" if early else str(version)
    return found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}"


def parse_version(text: str) -> PackageVersion:
    """Parse a version as people write it.

    It is a release (``5.3``, ``UE4.27``) or file versions (``522/1009``, ``517``).

    Raises:
        ValueError: it is neither.
    """
    plain = text.strip().upper().removeprefix("UE").lstrip("_").replace("_", ".")
    if plain in RELEASES:
        return RELEASES[plain]
    first, _, second = plain.partition("/")
    if first.isdecimal() and (second.isdecimal() or not second) and len(plain) < 16:
        version = PackageVersion(int(first), int(second or 0))
        if 214 <= version.ue4 <= NEWEST_UE4 and (version.ue5 == 0 or 1000 <= version.ue5 <= NEWEST_UE5):
            return version
    raise ValueError(f"{text!r} is neither a release (4.0 to 5.7) nor file versions (such as 522/1009)")
