"""Findings of references, with object, property and former target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.checks.findings.codes import MISSING_SCRIPT
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.guid_owners import guids_of
from assetdb.checks.rules import ASMDEF_REFERENCE, RECURSIVE_PREFAB
from assetdb.diagnostics.codes import DECLARED_CODES, REASONS, STRUCTURE_CODES
from assetdb.packages.belonging import ELSEWHERE, UNDECIDED, belonging, explained
from assetdb.resolve.instances import DANGLING
from assetdb.resolve.resolver import (
    BUILT_IN_UNNAMED,
    MISSING_ASSET,
    PACKAGE_LEFTOVER,
    PACKAGE_NOT_PRESENT,
    STALE_OVERRIDE,
    TARGET_ABSENT,
)
from assetdb.resolve.sizes import UNREADABLE
from assetdb.unity.engine.classes import class_name
from assetdb.unity.kinds import SCRIPT_MAIN, STREAMED
from assetdb.unity.referring.guid_shapes import UNREADABLE as UNREADABLE_GUID
from assetdb.unity.yaml.structure import (
    BROKEN_ASSET,
    DOUBTFUL_TEXT,
    DUPLICATE_OBJECT,
    INVALID_GUID,
    MISSING_OBJECT,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from assetdb.packages.listing import PackageList
    from assetdb.query.graph.verdicts import JudgedReference
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver

_COPIED: Final = "Unity copies the files of that folder as they are, and makes no objects of them"
_OF_TEXT: Final = (BROKEN_ASSET, DOUBTFUL_TEXT)
_FAULTS: Final = (*STRUCTURE_CODES, *DECLARED_CODES)
_SCRIPT: Final = "m_Script"
_ABSENT: Final = (MISSING_ASSET, PACKAGE_LEFTOVER)
"""Reasons of references to a GUID that nothing has."""
_UNSEEN: Final = "a .meta or folder that cannot be read may have it"
_OF_PACKAGE: Final = "package of "
_CLASS: Final = ":"  # between a DLL's GUID and the fileID of a class
_WHAT: Final = {MISSING_SCRIPT: "script", ASMDEF_REFERENCE: "assembly"}
_DISAGREEMENTS: Final = {
    "m_Father": "its parent {} does not list it as a child",
    "m_Children": "its child {} has another parent",
    "m_Component": "its component {} belongs to another object",
    "m_GameObject": "its object {} does not list it as a component",
}
_ASSEMBLIES: Final = (".asmdef", ".asmref")


def code_of(reference: JudgedReference) -> str:
    """Return the code of a reference: the reason, or the missing kind."""
    return code_of_reason(reference.verdict.reason, reference.path, reference.property)


def code_of_reason(reason: str, path: str, prop: str) -> str:
    """Return the code of a reason, by referring file and property."""
    if reason == TARGET_ABSENT and prop == _SCRIPT:
        return MISSING_SCRIPT
    return code_of_missing(path, prop) if reason == MISSING_ASSET else reason


def code_of_missing(path: str, prop: str) -> str:
    """Return the code of a missing target, by referring file and property."""
    if prop == _SCRIPT:
        return MISSING_SCRIPT
    return ASMDEF_REFERENCE if path.lower().endswith(_ASSEMBLIES) else MISSING_ASSET


def message_of_absent_script(where: str) -> str:
    """Return the message of a script that left its meta behind."""
    return f"its script {where} is not there, its meta is"


def message_of_missing(code: str, guid: str, packages: PackageList) -> str:
    """Return the message of a missing target."""
    message = f"no {_WHAT.get(code, 'asset')} has the GUID {guid}"
    belongs = _belonging_of(guid, packages)
    return f"{message}: {belongs}" if belongs else message


def _belonging_of(guid: str, packages: PackageList) -> str:
    """Return the public package of a missing GUID, or ``""``."""
    found = belonging(guid, packages)
    return explained(found) if found is not None and found.standing not in (ELSEWHERE, UNDECIDED) else ""


def message_of_text(code: str, told: str) -> str:
    """Return the message of a line that Unity refuses, or may refuse.

    Args:
        code: ``broken-asset`` or ``doubtful-text``.
        told: what the line has that Unity refuses; ``""`` for the file as a whole.
    """
    if not told:
        return "the file is not readable"
    return f"Unity {'cannot' if code == BROKEN_ASSET else 'may not'} read the file: this line {told}"


def message_of_invalid(text: str) -> str:
    """Return the message of a GUID that Unity cannot read."""
    return UNREADABLE_GUID.format(text)


def reference_findings(
    project: Snapshot,
    problems: Mapping[str, Iterable[JudgedReference]],
    is_wanted: Callable[[JudgedReference], bool],
) -> Iterator[Finding]:
    """Yield findings of the problems, given by file, that are wanted."""
    rows = {path: chosen for path, found in sorted(problems.items()) if (chosen := list(filter(is_wanted, found)))}
    guids = guids_of(project, rows)
    for path, references in rows.items():
        yield from findings_of(project, references, guids.get(path, ""))


def findings_of(project: Snapshot, references: Iterable[JudgedReference], own_guid: str) -> Iterator[Finding]:
    """Yield findings of a file; they depend on references and :func:`names_in` alone."""
    resolver = project.resolver
    for reference in references:
        code = code_of(reference)
        if reference.unlisted:
            message = f"{counted(reference.unlisted, 'more finding')} of the kind in this file"
            yield Finding.of(code, reference.path, message, reference.line, asset=own_guid)
            continue
        if code in _FAULTS and not reference.guid:  # a script may also be missing by its GUID
            yield fault_finding(reference, resolver, own_guid)
            continue
        yield finding_at(code, reference, _message(code, reference, project), resolver, own_guid)


def finding_at(code: str, reference: JudgedReference, message: str, resolver: Resolver, own_guid: str) -> Finding:
    """Return the finding at a reference of the asset with a GUID."""
    target = reference.guid if reference.file_id is None else f"{reference.guid}:{reference.file_id}"
    place, prop = _object(reference, resolver), _property(reference)
    return Finding.of(code, reference.path, message, reference.line, place, prop, own_guid, reference.object_id, target)


def fault_finding(reference: JudgedReference, resolver: Resolver, own_guid: str) -> Finding:
    """Return the finding of a fault in the structure of a file."""
    code = reference.verdict.reason
    meant = reference.file_id or 0
    prop = reference.property
    if code in _OF_TEXT:
        message = message_of_text(code, reference.detail)
    elif code == DUPLICATE_OBJECT:
        message = f"a second object has the fileID {meant}: Unity loads one of the two"
    elif code == INVALID_GUID:
        message = message_of_invalid(reference.detail)
    elif reference.detail:
        message = reference.detail
    elif code == MISSING_OBJECT:
        message = f"refers to object {meant}, which the file does not have"
    elif meant == reference.object_id:
        message = "is its own ancestor: its parents form a loop"
    else:
        listed = next((text for name, text in _DISAGREEMENTS.items() if name in prop), "object {} does not list it")
        message = listed.format(meant)
    target = f"{own_guid}:{meant}" if meant and own_guid and code != INVALID_GUID else ""
    object_path = _object(reference, resolver) if code not in _OF_TEXT else ""
    anchor = meant if code == DUPLICATE_OBJECT else reference.object_id
    return Finding.of(code, reference.path, message, reference.line, object_path, prop, own_guid, anchor, target)


def names_in(project: Snapshot, references: Iterable[JudgedReference]) -> Iterator[tuple[str, str]]:
    """Yield the GUIDs with paths in messages: targets, and scripts of objects."""
    for reference in references:
        if reference.script:
            yield reference.script, name_in(project, reference.script)
            if reference.script_id != SCRIPT_MAIN:
                key = f"{reference.script}{_CLASS}{reference.script_id}"
                yield key, name_in(project, key)
        if reference.unlisted:
            continue
        if _is_located(reference, project):
            yield reference.guid, name_in(project, reference.guid)
        elif reference.verdict.reason in _ABSENT:
            yield f"{_OF_PACKAGE}{reference.guid}", name_in(project, f"{_OF_PACKAGE}{reference.guid}")


def name_in(project: Snapshot, guid: str) -> str:
    """Return the name of a GUID in messages.

    After :data:`_OF_PACKAGE` it is what they say of the package of a missing one; of a class of a DLL
    (:func:`library_of`) it is the class.
    """
    library, is_class, file_id = guid.partition(_CLASS)
    if is_class:
        return project.resolver.script_name(library, int(file_id))
    if guid.startswith(_OF_PACKAGE):
        return _belonging_of(guid.removeprefix(_OF_PACKAGE), project.packages.list)
    asset = project.database.by_guid(guid)
    if asset is not None:  # most belong to the project, and then need no location
        return asset.path
    location = project.resolver.locate(guid)
    return location.path if location is not None else ""


def library_of(key: str) -> str:
    """Return the DLL (GUID) of a class in :func:`names_in`, or ``""``."""
    library, is_class, _ = key.partition(_CLASS)
    return library if is_class else ""


def _is_located(reference: JudgedReference, project: Snapshot) -> bool:
    """Whether the message names the path of a target.

    For a missing asset only if the project has the GUID, so that something nested in the target is missing: otherwise
    nothing has it, and to search the orphaned metas takes a walk of the tree.
    """
    reason = reference.verdict.reason
    if reason in _FAULTS:
        return False
    return reason not in (*_ABSENT, PACKAGE_NOT_PRESENT) or project.database.by_guid(reference.guid) is not None


def _object(reference: JudgedReference, resolver: Resolver) -> str:
    script = reference.script, reference.script_id
    return object_text(reference.hierarchy, reference.object_id, reference.class_id, script, resolver)


def object_text(way: str, object_id: int, class_id: int, script: tuple[str, int], resolver: Resolver) -> str:
    """Return an object as findings name it.

    Args:
        way: its names from the root of the file, or ``""``.
        object_id: its fileID.
        class_id: Unity's class number, 0 in a file without objects.
        script: GUID of a MonoBehaviour's script, or ``""``, and fileID in its file. Of a DLL that cannot be read, the
            file's name is the object's kind.
        resolver: names the script.
    """
    guid, script_id = script
    named = (resolver.script_name(guid, script_id) or resolver.script_name(guid)) if guid else ""
    kind = named or (class_name(class_id) or "" if class_id else "")
    if not way:
        return f"{kind} &{object_id}" if kind else ""
    return f"{way} ({kind})" if kind else way


def _property(reference: JudgedReference) -> str:
    if not reference.override:
        return reference.property
    return f"{reference.property} = {reference.override}" if reference.property else reference.override


def _message(code: str, reference: JudgedReference, project: Snapshot) -> str:
    """Return the message, with the target's name if it has one."""
    is_located = _is_located(reference, project)
    if reference.verdict.reason in _ABSENT and not is_located:
        return message_of_missing(
            MISSING_SCRIPT if reference.property == _SCRIPT else code, reference.guid, project.packages.list
        )
    name = name_in(project, reference.guid) if is_located else ""
    if reference.verdict.reason == UNREADABLE and not name:
        return f"nothing that can be read has the GUID {reference.guid}: {_UNSEEN}"
    where = name or reference.guid
    if code == RECURSIVE_PREFAB:
        return "contains itself"
    if code == MISSING_SCRIPT and reference.verdict.reason != MISSING_ASSET:
        return message_of_absent_script(where)
    object_id = "" if reference.file_id is None else f"object {reference.file_id} of "
    if reference.verdict.reason == MISSING_ASSET:
        return f"refers to {object_id}{where}: an asset that it nests is missing"
    if code == STALE_OVERRIDE:
        return f"overrides {object_id}{where}, which no longer exists"
    if code == BUILT_IN_UNNAMED:
        built_in = reference.verdict.name
        return f"refers to {object_id}{built_in.path if built_in is not None else where}"
    why = _COPIED if code == DANGLING and where.startswith(STREAMED) else REASONS[code].partition(":")[0]
    return f"refers to {object_id}{where}: {why}"
