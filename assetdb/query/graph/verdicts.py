"""The verdict on each reference of a file: named, or the reason.

``coverage`` counts verdicts, checks list them.

>>> from assetdb.query.snapshots.snapshot import open_project
>>> project = open_project("fixtures/unity_project")
>>> with open("fixtures/unity_project/Assets/Prefabs/Variant.prefab", "rb") as file:
...     data = file.read()
>>> for guid, file_id, override, candidate, offset in references(data, "prefab"):
...     verdict = judge(project.resolver, guid.decode(), file_id, override=override, candidate=candidate)
...     print(len(data[:offset].splitlines()), file_id, verdict.kind)
10 1000 named
15 100100000 named
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.resolve.resolver import (
    ENCODED_GUID,
    IMPORTER_UNKNOWN,
    LFS_POINTER,
    MISSING_ASSET,
    PACKAGE_LEFTOVER,
    PACKAGE_NOT_PRESENT,
    TARGET_ABSENT,
)
from assetdb.resolve.sizes import TOO_LARGE, UNREADABLE
from assetdb.unity.engine.builtin import built_in_file
from assetdb.unity.kinds import DOCUMENTS, HEAD_BYTES, SOURCE, TEXT_HEAD_BYTES, extension_of, is_yaml_head, kind_of
from assetdb.unity.referring.other_forms import other_references
from assetdb.unity.referring.texts import without_texts
from assetdb.unity.yaml.objects import OVERRIDE_TARGET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.packages.location import Location
    from assetdb.resolve.resolver import Name, Resolver
    from assetdb.unity.yaml.property_path import Place

NAMED: Final = "named"
"""The project or the engine has the target, and it has a name."""
UNNAMED: Final = "unnamed"
"""The project has the asset, but there is no name for the object, for the reason given."""
APART: Final = "apart"
"""The asset is absent, empty, unreadable, binary, a Git LFS pointer, or one of several with encoded GUIDs that fit."""
IN_PACKAGE: Final = "package"
"""In a package outside the project that is on this machine."""
ABSENT: Final = "absent"
"""In a known public package that is not on this machine."""
MISSING: Final = "missing"
"""Nothing has the GUID, and all packages of the project are here or known."""
OUTSIDE: Final = "outside"
"""Nothing here or known has the GUID, but a package of the project is neither here nor known."""
BROKEN: Final = "broken"
"""A fault in the structure of a file, or of a property whose target is of another kind; the reason is its code."""
NO_REFERENCE: Final = "none"
"""A scalar that looks like a GUID but is no asset's."""

YAML: Final = "yaml"
"""Unity's YAML: ``{fileID: ..., guid: ...}``, beside other forms."""
OTHER_FORM: Final = "other"

_YAML: Final = ("", DOCUMENTS, SOURCE)
_REFERENCE: Final = re.compile(rb"\{fileID:\s{1,99}(-?\d{1,20}),\s{1,99}guid:\s{1,99}([0-9a-fA-F]{32})(?=[,}\s])")
_NO_GUID: Final = b"0" * 32
_UNSEEN: Final = (ENCODED_GUID, UNREADABLE)
"""Reasons for a GUID that an asset of the project may have."""
_APART: Final = frozenset((LFS_POINTER, TARGET_ABSENT, IMPORTER_UNKNOWN, TOO_LARGE, UNREADABLE))


class Verdict(NamedTuple):
    """The verdict on a reference.

    Attributes:
        kind: one of the words above.
        reason: why there is no name (a code of ``assetdb.diagnostics.codes.REASONS``); else ``""``.
        name: its name, if needed to judge it.
    """

    kind: str
    reason: str = ""
    name: Name | None = None


class JudgedReference(NamedTuple):
    """One reference of a file, with its place and verdict.

    Attributes:
        path: the file, relative to the project.
        line: 1-based.
        class_id: of the object that refers; 0 in files without objects.
        object_id: fileID of the object that refers; 0 in files without objects.
        hierarchy: the names from the root of the file down to that object, `` / `` between them; or its own name.
        script: GUID of the script of a MonoBehaviour, or ``""``.
        script_id: fileID of that script in its file: a class of a DLL, as Unity's UI was until 2018.
        property: path of the property that refers.
        override: the property of a prefab that an instance overrides there, or ``""``.
        guid: what is referred to, 32 lower-case hex digits.
        file_id: the object there, or None if the form names the asset as a whole.
        verdict: of the reference.
        detail: of a fault, for its message; else ``""``.
        unlisted: how many references of the file with the verdict this stands for, of which the GUID is ``""``; 0 for a
            reference of its own.
    """

    path: str
    line: int
    class_id: int
    object_id: int
    hierarchy: str
    script: str
    script_id: int
    property: str
    override: str
    guid: str
    file_id: int | None
    verdict: Verdict
    detail: str = ""
    unlisted: int = 0

    @classmethod
    def at(
        cls, path: str, place: Place, way: str, guid: str, file_id: int | None, verdict: Verdict, detail: str = ""
    ) -> JudgedReference:
        """Return a reference at a place in a file.

        Args:
            path: the file, relative to the project.
            place: in the file.
            way: the names from the root of the file down to the object, or ``""``: then the object's own name.
            guid: what is referred to, 32 lower-case hex digits.
            file_id: the object there, or None if the form names the asset as a whole.
            verdict: of the reference.
            detail: of a fault, for its message.
        """
        return cls(
            path=path,
            line=place.line,
            class_id=place.class_id,
            object_id=place.file_id,
            hierarchy=way or place.name,
            script=place.script,
            script_id=place.script_id,
            property=place.path,
            override=place.override,
            guid=guid,
            file_id=file_id,
            verdict=verdict,
            detail=detail,
        )


def references(data: bytes, extension: str) -> Iterator[tuple[bytes, int | None, bool, bool, int]]:
    """Yield the references of a file.

    Each has GUID in hex, fileID, whether it is an override's target, whether it is a candidate, and its offset.

    A candidate is a reference only where the project has an asset of that GUID; see ``other_references``. The offset
    leads to the GUID's first digit; occurrences of each form come in the order of the file.
    """
    form = form_of(data, extension)
    if not form:
        return
    if form == YAML:
        data = without_texts(data)
        for match in _REFERENCE.finditer(data):
            if match[2] != _NO_GUID and match[1] != b"0":
                start = match.start()
                target = data.endswith(OVERRIDE_TARGET, 0, start) if start else False
                yield match[2].lower(), int(match[1]), target, False, match.start(2)
    for other in other_references(data, extension):
        yield other.guid.hex().encode(), other.file_id, False, other.candidate, other.offset


def form_of(data: bytes, extension: str) -> str:
    """Return :data:`YAML`, :data:`OTHER_FORM`, or ``""`` without references."""
    content = kind_of(extension).content
    if content not in _YAML:
        return OTHER_FORM
    if b"\0" in data[:TEXT_HEAD_BYTES] or not (content or is_yaml_head(data[:HEAD_BYTES])):
        return ""
    return YAML


def judge(
    resolver: Resolver, guid: str, file_id: int | None, *, override: bool = False, candidate: bool = False
) -> Verdict:
    """Return the verdict on a reference.

    Args:
        resolver: of the project.
        guid: 32 lower-case hex digits.
        file_id: the object, or None if the form names the asset as a whole.
        override: whether it is the target of an override, which may be stale.
        candidate: whether it is a reference only where something has that GUID.
    """
    if not built_in_file(bytes.fromhex(guid)):
        location = resolver.locate(guid)
        if location is None:
            if candidate:
                return Verdict(NO_REFERENCE)
            reason = resolver.absence(guid, file_id)
            if reason in _UNSEEN:
                return Verdict(APART, reason)
            return Verdict(MISSING if reason == MISSING_ASSET else OUTSIDE, reason)
        if location.package:
            if location.standing:
                return Verdict(NO_REFERENCE) if candidate else _of_public_package(resolver, guid, file_id, location)
            return Verdict(IN_PACKAGE if location.file else ABSENT)
        if location.absent:
            return Verdict(NO_REFERENCE) if candidate else Verdict(APART, TARGET_ABSENT)
        # Other kinds always have some name, so 25,000 metas of textures need not be read.
        if file_id is not None and _content(location) == DOCUMENTS:
            content = resolver.content(guid)
            if isinstance(content, str) and content in _APART:
                return Verdict(APART, content)
    name = resolver.name(guid, file_id, override=override)
    return Verdict(UNNAMED if name.reason else NAMED, name.reason, name)


def _of_public_package(resolver: Resolver, guid: str, file_id: int | None, location: Location) -> Verdict:
    """Return the verdict on a public package's file that is absent."""
    from assetdb.packages.belonging import LOST, TO_IMPORT  # noqa: PLC0415 - only for files of absent packages

    if location.standing in LOST:
        return Verdict(MISSING, PACKAGE_LEFTOVER if location.leftover else MISSING_ASSET)
    # Any package may have a copy of what another one offers.
    reason = resolver.absence(guid, file_id) if location.standing == TO_IMPORT else PACKAGE_NOT_PRESENT
    return Verdict(MISSING if reason == MISSING_ASSET else OUTSIDE, reason)


def _content(location: Location) -> str:
    return kind_of(extension_of(location.path)).content
