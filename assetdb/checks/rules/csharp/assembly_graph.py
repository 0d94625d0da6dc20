"""Assembly definitions that are invalid, duplicate or in a cycle.

Unity compiles nothing then.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import listed
from assetdb.checks.cycles import cycles
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import ASMDEF_CYCLE, ASMDEF_DUPLICATE, ASMDEF_INVALID
from assetdb.checks.rules.csharp.assemblies import BY_GUID, DEFINITION, REFERENCE, Assembly, read_assembly
from assetdb.unity.kinds import is_lfs_pointer
from assetdb.unity.yaml.text_asset import conflict_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb.memo.view import View

_MOST_SHOWN: Final = 8
_LONGEST: Final = 60
# 1.2.3-preview.1, [1.0,2.0), (,3.1], [2.1]; also of the engine: 2021.3.0f1
_VERSION: Final = r"\d{1,9}(?:\.\d{1,9}){0,3}[\w.+-]{0,60}"
_EXPRESSION: Final = re.compile(rf"{_VERSION}|[\[(] *(?:{_VERSION})? *(?:, *(?:{_VERSION})? *)?[\])]")


class _Definition(NamedTuple):
    """An assembly definition of the project."""

    path: str
    guid: str
    name: str
    references: tuple[str, ...]


def find_invalid(project: View) -> Iterator[Finding]:
    """Yield assembly files that are no valid JSON."""
    for extension in (DEFINITION, REFERENCE):
        for asset in project.database.ending(extension):
            data = project.read(asset.path)
            if not data or is_lfs_pointer(data) or conflict_line(data):  # each has its own code
                continue
            found = read_assembly(data)
            why = "is not JSON" if found is None else _fault(found) if extension == DEFINITION else ""
            if not why and found is not None and _may_repeat(found.references):
                why = _repeated(found.references, project)
            if why:
                message = f"{why}: Unity compiles no script below it"
                yield Finding.of(ASMDEF_INVALID, asset.path, message, asset=asset.guid)


def _fault(assembly: Assembly) -> str:
    """Return why Unity refuses a definition, or ``""``."""
    if not assembly.name:
        return "has no name"
    if assembly.platforms and assembly.excluded:
        return f"includes {assembly.platforms[0]} and excludes {assembly.excluded[0]}, of which only one may be"
    wrong = [text for _, text in assembly.versions if text and not _EXPRESSION.fullmatch(text.strip())]
    return f"tests a version by {wrong[0][:_LONGEST]!r}, which is no version and no range of them" if wrong else ""


def _may_repeat(references: tuple[str, ...]) -> bool:
    """Whether references may name one assembly twice, by their forms alone."""
    guids = [text for text in references if text.casefold().startswith(BY_GUID)]
    is_mixed = 0 < len(guids) < len(references)
    return is_mixed or len({*map(str.casefold, references)}) < len(references)


def _repeated(references: tuple[str, ...], project: View) -> str:
    """Return which assembly is referred to twice, or ``""``.

    Unity turns GUIDs into names, and compares these as they are written. It writes such definitions itself
    (VRCQuestTools, issue 17).
    """
    names = {definition.guid: definition.name for definition in _definitions(project)}
    seen: set[str] = set()
    for text in references:
        guid = text.casefold()
        known = names.get(guid.removeprefix(BY_GUID), guid) if guid.startswith(BY_GUID) else text
        if known and known in seen:
            return f"refers to {known} twice"
        seen.add(known)
    return ""


def find_duplicates(project: View) -> Iterator[Finding]:
    """Yield definitions that share their name, or the folder with another file."""
    yield from _of_one_folder(project)
    by_name: dict[str, list[_Definition]] = defaultdict(list)
    for definition in _definitions(project):
        by_name[definition.name.casefold()].append(definition)
    for several in by_name.values():
        for definition in several if len(several) > 1 else ():
            others = ", ".join(sorted(other.path for other in several if other is not definition)[:_MOST_SHOWN])
            message = f"another assembly is called {definition.name}, too: {others}"
            yield Finding.of(ASMDEF_DUPLICATE, definition.path, message, asset=definition.guid)


def _of_one_folder(project: View) -> Iterator[Finding]:
    """Yield definitions, and references to one, that share a folder.

    Unity compiles nothing then: "Folder contains multiple assembly definition files".
    """
    by_folder: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for extension in (DEFINITION, REFERENCE):
        for asset in project.database.ending(extension):
            by_folder[posixpath.dirname(asset.path)].append((asset.path, asset.guid))
    for several in by_folder.values():
        for path, guid in several if len(several) > 1 else ():
            others = listed(sorted(posixpath.basename(other) for other, _ in several if other != path), _MOST_SHOWN)
            message = f"its folder has another file that says its assembly: {others}"
            yield Finding.of(ASMDEF_DUPLICATE, path, message, asset=guid)


def find_cycles(project: View) -> Iterator[Finding]:
    """Yield definitions in a cycle of references."""
    definitions = list(_definitions(project))
    by_name = {definition.name.casefold(): definition.guid for definition in definitions}
    known = {definition.guid: definition for definition in definitions}
    outgoing = {
        definition.guid: [guid for guid in _targets(definition, by_name) if guid in known] for definition in definitions
    }
    for group in cycles(outgoing):
        names = sorted(known[guid].name for guid in group)
        shown = listed(names, _MOST_SHOWN)
        for guid in sorted(group, key=lambda guid: known[guid].path):
            message = f"assemblies refer to each other in a circle: {shown}"
            yield Finding.of(ASMDEF_CYCLE, known[guid].path, message, asset=guid)


def _definitions(project: View) -> Iterator[_Definition]:
    """Yield the definitions of a project that can be read."""
    for asset in project.database.ending(DEFINITION):
        found = read_assembly(project.read(asset.path) or b"")
        if found is not None and found.name:
            yield _Definition(asset.path, asset.guid, found.name, found.references)


def _targets(definition: _Definition, by_name: Mapping[str, str]) -> Iterator[str]:
    """Yield the GUIDs of the definitions that one refers to."""
    for reference in definition.references:
        text = reference.casefold()
        yield text.removeprefix(BY_GUID) if text.startswith(BY_GUID) else by_name.get(text, "")
