"""The assembly of each script: a definition's, or one of Unity's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.rules.csharp.assemblies import BY_GUID, DEFINITION, REFERENCE, Assembly, assembly_of, read_assembly
from assetdb.memo.facts import Extraction
from assetdb.settings.project import ASSET_ROOTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.memo.view import View

_ASSEMBLY: Final = Extraction("assembly definitions", "1", read_assembly, assembly_of)
_EDITOR_FOLDER: Final = "/editor/"
_NOT_COMPILED: Final = ("Assets/StreamingAssets/", "Assets/WebGLTemplates/")
_FIRST: Final = ("Assets/Plugins/", "Assets/Standard Assets/", "Assets/Pro Standard Assets/")
_OWN: Final = "Assembly-CSharp"


class Unit(NamedTuple):
    """One assembly.

    Attributes:
        name: as ``Assembly-CSharp``.
        path: of its definition, ``""`` for one of Unity's own.
        is_of_editor: whether no player has it.
        is_certain: whether every player has it; not with constraints, or for some platforms alone.
        references: casefolded names of assemblies that it refers to; of Unity's own none, which see all.
    """

    name: str
    path: str
    is_of_editor: bool
    is_certain: bool
    references: frozenset[str]


def units_of(project: View) -> dict[str, Unit]:
    """Return the assembly of each script of the project, by path."""
    return project.shared(_units)


def _units(project: View) -> dict[str, Unit]:
    """Return assemblies by path; scripts of packages need a definition.

    Scripts below a definition that cannot be read are in none: in the one above it, a single broken definition in
    Sunny made twenty scripts of an editor call the editor from a player.
    """
    definitions: dict[str, Unit | None] = {}
    by_name: dict[str, Unit] = {}
    read: list[tuple[str, str, Assembly]] = []
    for extension in (DEFINITION, REFERENCE):
        for asset in project.database.ending(extension):
            found = project.facts(asset.path, _ASSEMBLY)
            if found is not None and (found.name or extension == REFERENCE):
                read.append((asset.path, asset.guid, found))
            else:
                definitions[asset.path.rpartition("/")[0]] = None
    names = {guid: found.name.casefold() for _, guid, found in read if found.name}
    for path, guid, found in read:
        if path.lower().endswith(DEFINITION):
            unit = _unit(path, found, names)
            by_name[found.name.casefold()] = by_name[f"{BY_GUID}{guid}"] = unit
            definitions[path.rpartition("/")[0]] = unit
    for path, _guid, found in read:
        if (
            path.lower().endswith(REFERENCE)
            and found.references
            and (target := by_name.get(found.references[0].casefold()))
        ):
            definitions[path.rpartition("/")[0]] = target
    units = ((path, _of(path, definitions)) for path in project.scripts)
    return {path: unit for path, unit in units if unit is not None}


def _unit(path: str, assembly: Assembly, names: dict[str, str]) -> Unit:
    references = (reference.casefold() for reference in assembly.references)
    return Unit(
        assembly.name,
        path,
        assembly.is_of_editor,
        not (assembly.constraints or assembly.platforms or assembly.excluded),
        frozenset(names.get(name.removeprefix(BY_GUID), name) for name in references),
    )


def _of(path: str, definitions: Mapping[str, Unit | None]) -> Unit | None:
    folder = path.rpartition("/")[0]
    while folder:
        if folder in definitions:
            return definitions[folder]
        folder = folder.rpartition("/")[0]
    if not path.startswith(f"{ASSET_ROOTS[0]}/") or path.startswith(_NOT_COMPILED):
        return None
    is_of_editor = _EDITOR_FOLDER in path.casefold()
    name = f"{_OWN}{'-Editor' if is_of_editor else ''}{'-firstpass' if path.startswith(_FIRST) else ''}"
    return Unit(name, "", is_of_editor, not is_of_editor, frozenset())
