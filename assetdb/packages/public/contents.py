"""The kinds of files that an absent package may have."""

from __future__ import annotations

from functools import lru_cache

from assetdb.packages.public.releases import is_known
from assetdb.packages.public.table import public_packages
from assetdb.unity.kinds import SCRIPT_MAIN

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

ASSETS: Final = "assets"
"""Any file of a project may refer to the package's files."""
CODE: Final = "code"
"""Only references to scripts and assemblies may lead to the package's files."""
ASSEMBLIES: Final = "assemblies"
"""Only assembly definitions may refer to the package's files: it contains code for other code."""
_ORDER: Final = ("", ASSEMBLIES, CODE, ASSETS)
# Parts of the engine that a manifest lists like packages, and programs for the editor and for builds.
_NOTHING: Final = (
    *("com.unity.modules.", "com.unity.ide.", "com.unity.toolchain.", "com.unity.sysroot", "com.unity.sdk."),
    *("com.unity.collab-proxy", "com.unity.package-manager-ui", "com.unity.feature.", "com.unity.ext.nunit"),
    *("com.unity.nuget.", "com.unity.quicksearch", "com.unity.package-validation-suite", "com.unity.upm."),
    *("com.unity.multiplayer.center", "com.unity.services.cloud-build", "com.unity.connect.share"),
)
_LIBRARIES: Final = (
    *("com.unity.test-framework", "com.unity.testtools.codecoverage", "com.unity.performance.profile-analyzer"),
    *("com.unity.burst", "com.unity.mathematics", "com.unity.collections", "com.unity.jobs"),
    *("com.unity.editorcoroutines", "com.unity.settings-manager", "com.unity.searcher", "com.unity.memoryprofiler"),
    *("com.unity.scriptablebuildpipeline", "com.unity.2d.sprite", "com.unity.2d.common", "com.unity.profiling.core"),
    *("com.unity.render-pipelines.universal-config", "com.unity.render-pipelines.high-definition-config"),
    *("com.unity.mobile.android-logcat", "com.unity.serialization", "com.unity.properties", "com.unity.logging"),
)
# In no table; they consist of C# and libraries.
_ONLY_CODE: Final = (
    *("com.google.external-dependency-manager", "com.google.firebase.", "com.dbrizov.naughtyattributes"),
    *("com.darrentsung.dtcompiletimetracker", "com.xeleh.enhancer"),
)
# Imported objects are numbered by class: 2100000 is a file's material, 21300002 the second sprite of a texture.
_PER_CLASS: Final = 100_000
_NUMBERED: Final = 5_000
_INT32: Final = 1 << 31
_MOST_KEPT: Final = 1024


def is_program(package: str) -> bool:
    """Whether a package is part of the engine, or a program."""
    return package.startswith(_NOTHING)


@lru_cache(maxsize=_MOST_KEPT)  # asked again for each absent GUID: a fifth of the first check of unitystation
def may_hold(package: str, version: str = "") -> str:
    """Return the kind of unknown files that an absent package may have.

    ``""`` for one whose version is known with all its files, or lies between such versions. A newer one than is known,
    a fork and a private package may have more.
    """
    if is_program(package):
        return ""
    table = public_packages()
    if is_known(table.releases(package), version):
        return ""
    if package in _LIBRARIES:
        return ASSEMBLIES
    _, only_code = table.packages().get(package, (0, False))
    return CODE if only_code or package.startswith(_ONLY_CODE) else ASSETS


def most_of(held: Iterable[str]) -> str:
    """Return the possible unknown files of several packages."""
    return max(held, key=_ORDER.index, default="")


def can_be_of(held: str, file_id: int | None) -> bool:
    """Whether a reference may lead to files of a kind.

    Args:
        held: the kind of the files.
        file_id: the object that is referred to; None for a reference to a file as a whole, which only assembly
            definitions have.
    """
    if not held or file_id is None:
        return bool(held)
    if held == CODE:
        # Scripts have the id of a file's main script, those in a DLL a hash of 32 bits of their name.
        is_numbered = file_id > 0 and file_id % _PER_CLASS < _NUMBERED and file_id != SCRIPT_MAIN
        return -_INT32 <= file_id < _INT32 and not is_numbered
    return held == ASSETS
