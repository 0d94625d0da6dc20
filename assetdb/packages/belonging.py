"""The public package of an absent GUID.

Of several packages with a GUID, a required one is meant: URP's materials have the GUIDs that LWRP gave them.
"""

from __future__ import annotations

from assetdb.packages.location import EDITOR, Location
from assetdb.packages.public.releases import version_key
from assetdb.packages.public.table import public_packages
from assetdb.unity.kinds import extension_of, type_of_extension
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.packages.listing import PackageList
    from assetdb.packages.public.table import PublicFile

ELSEWHERE: Final = ""
"""In a required package that is not on this machine."""
OTHER_VERSION: Final = "not in this version"
"""In other versions of a required package."""
LACKING: Final = "not in it"
"""Not in a required package as it is on this machine, but in others of its versions."""
TO_IMPORT: Final = "not imported"
"""A copy in ``Assets/`` of what a required package offers: samples, TMP Essential Resources."""
NOT_REQUIRED: Final = "not required"
"""In a package that the project does not require."""
UNDECIDED: Final = "not here"
"""In a package of which nobody knows whether the project requires it."""
LOST: Final = frozenset((OTHER_VERSION, LACKING, NOT_REQUIRED))
"""Where a file of a package certainly is not there."""

# Unity itself keeps them when the package goes, and says nothing of them: of 167 references of public projects to
# packages that they do not require 123 were such.
_LEFTOVERS: Final = frozenset(
    [
        "AssetVersion.cs",
        "AdditionalLightData.cs",
        "AdditionalCameraData.cs",
        "HDAdditionalLightData.cs",
        "HDAdditionalCameraData.cs",
        "UniversalAdditionalLightData.cs",
        "UniversalAdditionalCameraData.cs",
        "LWRPAdditionalLightData.cs",
        "LWRPAdditionalCameraData.cs",
        "EntitiesClientSettings.cs",
        "RuntimeResources.asset",
        "VFXRuntimeResources.asset",
    ]
)
# Readme.cs and its editor: in Unity's project templates, and from there in a few packages and samples.
_TEMPLATES: Final = frozenset(("fcf7219bab7fe46a1ad266029b2fee19", "476cc7d7cd9874016adc216baab94a0a"))
_EFFECTS: Final = "com.unity.visualeffectgraph", (".compute", ".shader")  # in ProjectSettings/VFXManager.asset


class Belonging(NamedTuple):
    """The file of an absent GUID.

    Attributes:
        standing: :data:`ELSEWHERE` or another of the words above.
        file: of a public package.
        version: of the package in the project, ``""`` if that does not require it.
        others: other packages of which the same is true.
    """

    standing: str
    file: PublicFile
    version: str
    others: tuple[str, ...]

    @property
    def is_leftover(self) -> bool:
        """Whether Unity leaves such references behind, and nobody minds them."""
        package, endings = _EFFECTS
        is_effect = self.file.package == package and self.file.path.endswith(endings)
        return is_effect or self.file.path.rpartition("/")[2] in _LEFTOVERS


def belonging(guid: str, packages: PackageList) -> Belonging | None:
    """Return the package's file that a GUID without an asset means.

    Args:
        guid: 32 hex digits.
        packages: that the project requires.

    Returns:
        None if no public package has the GUID.
    """
    files = public_packages().find(guid) if guid not in _TEMPLATES else ()
    if not files:
        return None
    versions = packages.versions
    imported = [file for file in files if not file.is_installed]
    own = [file for file in imported if file.package in versions]
    here = packages.here
    absent = [file for file in own if file.package not in here]
    exact = {row.name for row in packages.rows if row.exact}
    fitting = [file for file in absent if _is_in(file, versions[file.package], exact=file.package in exact)]
    # Where another package may ask for newer versions, those that are listed are still the likely ones.
    fitting = [file for file in fitting if _is_in(file, versions[file.package], exact=True)] or fitting
    if fitting:
        return _belonging(ELSEWHERE, fitting, versions[fitting[0].package])
    found = [
        file
        for file in files
        if file.is_installed
        and file.package in versions
        and _is_in(file, versions[file.package], exact=file.package in exact)
    ]
    if len({file.package for file in found}) == 1:  # of several packages none is meant more than the other
        return _belonging(TO_IMPORT, found, versions[found[0].package])
    others = [file for file in imported if file.package not in versions]
    if others:
        return _belonging(NOT_REQUIRED if packages.is_closed else UNDECIDED, others, "")
    if own:
        return _belonging(OTHER_VERSION if absent else LACKING, absent or own, versions[(absent or own)[0].package])
    return None


def public_path(guid: str, packages: PackageList) -> str:
    """Return the path in an absent public package, or ``""``."""
    found = belonging(guid, packages)
    may_be = found is not None and found.standing in (ELSEWHERE, UNDECIDED)
    return f"Packages/{found.file.package}/{found.file.path}" if found is not None and may_be else ""


def _belonging(standing: str, chosen: list[PublicFile], version: str) -> Belonging:
    file = chosen[0]
    others = dict.fromkeys(other.package for other in chosen if other.package != file.package)
    return Belonging(standing, file, version, tuple(others))


def _is_in(file: PublicFile, version: str, *, exact: bool) -> bool:
    """Whether a version of a package may have a file.

    Only a version of which all files are known certainly lacks one.
    """
    releases = public_packages().releases(file.package)
    is_known = any(release.version == version and release.is_complete for release in releases)
    if not is_known or not exact or not file.first:
        return True
    return version_key(file.first) <= version_key(version) <= version_key(file.last)


def explained(found: Belonging) -> str:
    """Return which package has the file, and why it is not there."""
    file = found.file
    package = file.package
    if found.standing == NOT_REQUIRED:
        one_of = " or ".join((package, *found.others))
        return f"{_name(file)} of {one_of}, which Packages/manifest.json does not require (any more)"
    if found.standing == OTHER_VERSION:
        side = "any more" if version_key(file.last) < version_key(found.version) else "yet"
        has = f"it has {file.first}" if file.first == file.last else f"{file.first} to {file.last} have it"
        return f"{_name(file)} is not in {package} {found.version} {side}: {has}"
    if found.standing == LACKING:
        return f"{_name(file)} is not in {package} as it is on this machine"
    if found.standing == TO_IMPORT:
        return f"{_name(file)} is of {_offer(file)}, which {package} offers: import it again"
    return f"{_name(file)} of {package}"


def _name(file: PublicFile) -> str:
    return file.path.rpartition("/")[2]


def _offer(file: PublicFile) -> str:
    """Return the name of a sample or of an asset package."""
    bundle, _, path = file.path.partition(".unitypackage:")
    if path:
        return bundle.rpartition("/")[2]
    parts = file.path.split("/")
    place = next((number for number, part in enumerate(parts) if part.endswith("~")), 0)
    return f"the sample {parts[place + 1]}" if place + 1 < len(parts) else parts[-1]


def expected_location(guid: str, packages: PackageList) -> Location | None:
    """Return the location in an absent public package or old editor."""
    from assetdb.unity.importers.editor_assemblies import ASSEMBLIES  # noqa: PLC0415 - only for unknown GUIDs

    assembly = ASSEMBLIES.get(guid)
    if assembly is not None:
        return Location(assembly, "", type_of_extension(extension_of(assembly)) or 0, package=EDITOR)
    found = belonging(guid, packages)
    if found is None:
        return None
    file = found.file
    number = type_of_extension(extension_of(file.path)) or 0
    path = f"Packages/{file.package}/{file.path}"
    return Location(path, "", number, package=file.package, standing=found.standing, leftover=found.is_leftover)
