"""Assembly definitions that name an assembly or a DLL which nothing has.

Only names are checked here; ``GUID:`` with 32 digits is an ordinary reference. The contents of packages that are not on
this machine come from the table of public packages; if a package is neither here nor known, nothing is reported. Nor
for an assembly that may be left out: one whose ``versionDefines`` ask for a package that the project does not have, or
whose ``defineConstraints`` may keep it from being compiled (Mirror's and DOTween's modules).
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import ASMDEF_REFERENCE
from assetdb.packages.public.table import public_packages
from assetdb.settings.project import ASSET_ROOTS
from assetdb.unity.yaml.objects import is_guid
from assetdb.unity.yaml.scalars import key_span, scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.memo.view import View
    from assetdb.packages.public.table import PublicPackages

DEFINITION: Final = ".asmdef"
REFERENCE: Final = ".asmref"
EDITOR: Final = "Editor"
_NOT_IN_PLAYERS: Final = ("UNITY_EDITOR", "UNITY_INCLUDE_TESTS")
LIBRARY: Final = ".dll"
BY_GUID: Final = "guid:"
_OF_THE_EDITOR: Final = ("unityengine.", "unityeditor.")
_OF_THE_ENGINE: Final = "UNITY_"
_SETTINGS: Final = "ProjectSettings/ProjectSettings.asset"
# Lists of DLLs that NuGetForUnity restores, and where; it advises to keep the DLLs out of git.
_RESTORED: Final = (
    ("Assets/packages.config", "Assets/Packages"),
    ("Packages/nuget-packages/packages.config", "Packages/nuget-packages/InstalledPackages"),
)
_SYMBOLS_KEY: Final = b"\n  scriptingDefineSymbols:"
_SYMBOLS_COLUMN: Final = 4
_LARGEST: Final = 1 << 20
_MOST_SHOWN: Final = 200


class Assembly(NamedTuple):
    """An assembly definition, or a reference to one.

    Attributes:
        name: ``""`` for a reference, or if absent.
        references: names of assemblies, and ``GUID:...``.
        libraries: names of DLLs that it refers to by itself.
        constraints: symbols that must be defined, or not (``!``), optionally joined by ``||``.
        wanted: packages whose version it tests, each with the symbol that is defined if the package exists.
        platforms: the only ones that it is for, or none.
        excluded: platforms that it is not for.
        versions: expressions of versions in its tests, by package.
        tests: whether it holds tests, which no player has.
    """

    name: str
    references: tuple[str, ...]
    libraries: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    wanted: tuple[tuple[str, str], ...] = ()
    platforms: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    tests: bool = False

    @property
    def is_of_editor(self) -> bool:
        """Whether no player has it."""
        needed = any(term in _NOT_IN_PLAYERS for term in self.constraints)
        return self.platforms == (EDITOR,) or needed or self.tests


def read_assembly(data: bytes) -> Assembly | None:
    """Return a valid ``.asmdef`` or ``.asmref``, or None."""
    try:
        found = json.loads(data[:_LARGEST].decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    referred = found.get("reference")
    libraries = _texts(found.get("precompiledReferences")) if found.get("overrideReferences") is True else ()
    rows = found.get("versionDefines")
    defines = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return Assembly(
        _text(found.get("name")),
        (referred,) if isinstance(referred, str) and referred else _texts(found.get("references")),
        libraries,
        _texts(found.get("defineConstraints")),
        tuple((_text(row.get("name")), _text(row.get("define"))) for row in defines),
        _texts(found.get("includePlatforms")),
        _texts(found.get("excludePlatforms")),
        tuple((_text(row.get("name")), _text(row.get("expression"))) for row in defines),
        "TestAssemblies" in _texts(found.get("optionalUnityReferences")),
    )


def assembly_of(rows: list[Any] | None) -> Assembly | None:
    """Return an assembly of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    if rows is None:
        return None
    name, references, libraries, constraints, wanted, platforms, excluded, versions, tests = rows
    return Assembly(
        name,
        tuple(references),
        tuple(libraries),
        tuple(constraints),
        tuple((package, symbol) for package, symbol in wanted),
        tuple(platforms),
        tuple(excluded),
        tuple((package, text) for package, text in versions),
        tests,
    )


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
    return tuple(text for text in value if isinstance(text, str) and text) if isinstance(value, list) else ()


class KnownAssemblies:
    """Assemblies and DLLs of a project and its packages, by casefolded name."""

    def __init__(self, project: View, assemblies: Iterable[Assembly]) -> None:
        self._project = project
        self._unsure = project.tops != ASSET_ROOTS or project.packages.list.missing or _lacks_restored(project)
        self._complete = project.packages.list.is_closed
        self.packages = {row.name for row in project.packages.list.rows} | {
            asset.path.split("/")[1]
            for asset in project.database.containing(b"package.json")
            if asset.path.startswith("Packages/") and asset.path.endswith("/package.json")
        }
        self._assemblies = {assembly.name.casefold() for assembly in assemblies}
        self._libraries = {path.rpartition("/")[2].casefold() for path, _guid in paths_of(project, LIBRARY)}
        self._assemblies.update(name.removesuffix(LIBRARY) for name in self._libraries)
        view = project.packages
        for asset in view.ending(DEFINITION):
            found = read_assembly(project.read(view.file_of(asset.path)) or b"")
            name = found.name if found else asset.path.rpartition("/")[2][: -len(DEFINITION)]
            self._assemblies.add(name.casefold())
        self._libraries.update(asset.path.rpartition("/")[2].casefold() for asset in view.ending(LIBRARY))

    def lacks(self, name: str, extension: str) -> str:
        """Return why an assembly or DLL certainly is absent, or ``""``."""
        wanted = name.casefold()
        if wanted.startswith(BY_GUID):
            return "its GUID is not 32 hexadecimal digits"
        if wanted in (self._assemblies if extension == DEFINITION else self._libraries):
            return ""
        packages = _names_in(public_packages())[extension].get(wanted, ())
        if packages and (extension == DEFINITION or not self._unsure):  # any package may have a copy of a DLL
            lacking = self._complete and self.packages.isdisjoint(packages)
            return f"it is in {' or '.join(packages)}, which the project does not have" if lacking else ""
        if packages:
            return ""
        if self._unsure or wanted.startswith(_OF_THE_EDITOR):
            return ""
        return "nothing has that name"


def _lacks_restored(project: View) -> bool:
    """Whether DLLs of NuGet are yet to be restored."""
    return any(project.exists(listed) and not project.exists(folder) for listed, folder in _RESTORED)


@lru_cache(maxsize=1)
def _names_in(table: PublicPackages) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the packages of each assembly and DLL, by extension."""
    public: dict[str, dict[str, tuple[str, ...]]] = {DEFINITION: {}, LIBRARY: {}}
    for file in table.assemblies(DEFINITION, LIBRARY):
        name = file.path.rpartition("/")[2].casefold()
        found = public[name[-len(DEFINITION) :] if name.endswith(DEFINITION) else LIBRARY]
        name = name.removesuffix(DEFINITION)
        found[name] = tuple(dict.fromkeys((*found.get(name, ()), file.package)))
    return public


def find_references(project: View) -> Iterator[Finding]:
    """Yield names of absent assemblies and DLLs."""
    definitions: dict[str, tuple[Assembly, bytes, str]] = {}
    for extension in (DEFINITION, REFERENCE):
        for path, guid in paths_of(project, extension):
            data = project.read(path) or b""
            assembly = read_assembly(data)
            if assembly is not None:
                definitions[path] = assembly, data, guid
    if not any(_has_names(assembly) for assembly, _data, _guid in definitions.values()):
        return
    known = KnownAssemblies(project, (assembly for assembly, _data, _guid in definitions.values()))
    symbols = _symbols(project.read(_SETTINGS) or b"")
    for path, (assembly, data, guid) in sorted(definitions.items()):
        if not (_has_names(assembly) and _is_compiled(assembly, known.packages, symbols)):
            continue
        for name, extension in _named(assembly):
            why = known.lacks(name, extension)
            if why:
                yield _finding(path, guid, data, name, extension, why)


def _finding(path: str, guid: str, data: bytes, name: str, extension: str, why: str) -> Finding:
    what = "the assembly" if extension == DEFINITION else "the DLL"
    key = "reference" if path.lower().endswith(REFERENCE) else "references" if extension == DEFINITION else ""
    prop = key or "precompiledReferences"
    written = (json.dumps(name), json.dumps(name, ensure_ascii=False))
    start = max(data.find(f'"{prop}"'.encode()), 0)  # rootNamespace is mostly called as an assembly, and before it
    place = max(data.find(text.encode("utf-8", "surrogatepass"), start) for text in written)
    line = data.count(b"\n", 0, place) + 1 if place >= 0 else 0
    said = f"names {what} {name[:_MOST_SHOWN]!r}: {why}"
    return Finding.of(ASMDEF_REFERENCE, path, said, line, property_path=prop, asset=guid, target=name)


def _named(assembly: Assembly) -> Iterator[tuple[str, str]]:
    """Yield each name that an assembly refers to, and its extension."""
    for name in dict.fromkeys(assembly.references):
        if not name.casefold().startswith(BY_GUID) or not is_guid(name[len(BY_GUID) :]):
            yield name, DEFINITION
    for name in dict.fromkeys(assembly.libraries):
        yield name, LIBRARY


def _has_names(assembly: Assembly) -> bool:
    return any(True for _ in _named(assembly))


def _is_compiled(assembly: Assembly, packages: Iterable[str], symbols: frozenset[str]) -> bool:
    """Whether an assembly certainly compiles with all references."""
    here = frozenset(packages)
    defined = symbols | {symbol for package, symbol in assembly.wanted if package in here}
    if any("." in package and package not in here for package, _symbol in assembly.wanted):
        return False
    return all(
        any(_holds(term.strip(), defined) for term in constraint.split("||")) for constraint in assembly.constraints
    )


def _holds(term: str, defined: frozenset[str]) -> bool:
    if term.startswith("!"):
        return term[1:].strip() not in defined
    return term in defined or term.startswith(_OF_THE_ENGINE)


def _symbols(settings: bytes) -> frozenset[str]:
    """Return the symbols that a project defines for any platform."""
    start = settings.find(_SYMBOLS_KEY)
    if start < 0:
        return frozenset()
    end = re.compile(rb"^  \w", re.MULTILINE).search(settings, start + len(_SYMBOLS_KEY))
    lines = settings[start : end.start() if end else len(settings)].split(b"\n")[2:]
    values = ((line, key_span(line, _SYMBOLS_COLUMN, len(line))[1]) for line in lines)  # the platform may be empty
    texts = (scalar_at(line, behind, _SYMBOLS_COLUMN) for line, behind in values if behind >= 0)
    return frozenset(chain.from_iterable(text.split(";") for text in texts)) - {""}


def paths_of(project: View, extension: str) -> list[tuple[str, str]]:
    """Return path and GUID of the project's files with an extension."""
    database = project.database
    alone = database.ending(extension)
    assets = chain(alone, (duplicate.asset for duplicate in database.duplicates))
    return sorted((asset.path, asset.guid) for asset in assets if asset.path.lower().endswith(extension))
