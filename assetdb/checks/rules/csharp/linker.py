"""``link.xml``: code that a build keeps though nothing uses it.

The file is read by expat alone, without entities: what a document type may declare is not judged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.parsers import expat

from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import Sources
from assetdb.checks.rules import LINKER_FILE
from assetdb.checks.rules.csharp.assemblies import DEFINITION, LIBRARY, KnownAssemblies, paths_of, read_assembly
from assetdb.checks.rules.csharp.managed import DeclaredTypes
from assetdb.memo.facts import Extraction
from assetdb.unity.kinds import is_lfs_pointer
from assetdb.unity.referring.persistent_calls import ReferencedType
from assetdb.unity.yaml.text_asset import conflict_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from assetdb.memo.view import View
    from assetdb.store.entry import Asset

_NAME: Final = "/link.xml"
_ROOT: Final = "linker"
_ASSEMBLY: Final = "assembly"
_TYPE: Final = "type"
_LARGEST: Final = 1 << 20
_NAMES: Final = ("fullname", "name")
_CONDITIONS: Final = ("ignoreIfMissing", "ignoreIfUnreferenced", "feature")
_LONGEST: Final = 200
_OF_TYPES: Final = 2  # elements above a type
_PATTERN: Final = ("*", "?")
_SIMPLE: Final = re.compile(r"[\w.+/`]+")  # no pattern, and no name with its assembly
# Beginnings of the names of assemblies that Unity makes, or brings with one of its profiles of .NET.
_OF_UNITY: Final = (
    *("unity", "system", "mscorlib", "netstandard", "mono.", "microsoft.", "i18n", "nunit", "windows", "winrtlegacy"),
    *("assembly-csharp", "assembly-unityscript", "assembly-boo", "boo.", "accessibility", "commons.xml", "cscompmgd"),
    *("custommarshalers", "ibm.data", "icsharpcode.", "novell.", "opensystem", "peapi", "rabbitmq", "smdiagnostics"),
    *("webmatrix", "presentation", "reachframework", "uiautomation", "il2cpp", "__generated"),
)
_DELEGATE: Final = rb"\bdelegate\b[^;{}]{1,400}?\b%b\s*[<(]"


class _Row(NamedTuple):
    """A type or assembly that is kept, or a fault.

    Attributes:
        line: counted from 1.
        fault: the message, or ``""``.
        assembly: of the type.
        type: its full name, ``""`` for the assembly as one that must be there.
    """

    line: int
    fault: str
    assembly: str = ""
    type: str = ""


class _Unjudged(Exception):  # noqa: N818 - no error of the file
    """The file has a document type."""


class _Reader:
    """The elements of one file as they begin and end."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.rows: list[_Row] = []
        self._parser = parser
        self._depth = 0
        self._assembly = ""
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse

    def _refuse(self, *_declared: object) -> None:
        raise _Unjudged

    def _begin(self, element: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        name = next((attributes[each] for each in _NAMES if each in attributes), "").strip()
        self._depth += 1
        if self._depth == 1 and element != _ROOT:
            self.rows.append(_Row(line, f"begins with the element {element[:_LONGEST]!r}, not {_ROOT!r}"))
            self._depth = _OF_TYPES + 1  # nothing in it is judged
        elif self._depth == 2 and element == _ASSEMBLY:
            self._assembly = "" if any(each in attributes for each in _CONDITIONS) else name.partition(",")[0]
            self._take(line, element, name)
            if self._assembly:
                self.rows.append(_Row(line, "", self._assembly))
        elif self._depth == _OF_TYPES + 1 and element == _TYPE:
            self._take(line, element, name)
            if self._assembly and name and "feature" not in attributes:
                self.rows.append(_Row(line, "", self._assembly, name))

    def _take(self, line: int, element: str, name: str) -> None:
        if not name:
            self.rows.append(_Row(line, f"has an element {element!r} without a name"))

    def _end(self, _element: str) -> None:
        self._depth -= 1


def read_linker_file(data: bytes) -> tuple[_Row, ...]:
    """Return the types that a file keeps, and its faults."""
    if not data.strip() or len(data) > _LARGEST or is_lfs_pointer(data) or conflict_line(data):
        return ()  # an empty file may be elsewhere; of the others another rule tells
    parser = expat.ParserCreate()
    reader = _Reader(parser)
    try:
        parser.Parse(data, True)  # noqa: FBT003 - it takes no keyword
    except (_Unjudged, LookupError, ValueError, Warning):  # the others for an encoding that Python lacks, or is to lose
        return ()
    except expat.ExpatError as error:
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]:
            return ()
        return (_Row(error.lineno, f"is not XML: {expat.ErrorString(error.code)}"),)
    return tuple(reader.rows)


def _rows_of(rows: list[Any]) -> tuple[_Row, ...]:
    """Return rows of their JSON.

    Raises:
        ValueError, TypeError: they are of another form.
    """
    return tuple(_Row(int(line), str(fault), str(assembly), str(name)) for line, fault, assembly, name in rows)


_LINKER: Final = Extraction("linker files", "2", read_linker_file, _rows_of)


def find_faults(project: View) -> Iterator[Finding]:
    """Yield faults of linker files, and types that nothing declares."""
    files = [asset for asset in project.database.ending(_NAME) if asset.path.startswith("Assets/")]
    read = [(asset, project.facts(asset.path, _LINKER)) for asset in files]
    for asset, rows in read:
        for row in rows:
            if row.fault:
                yield Finding.of(LINKER_FILE, asset.path, row.fault, row.line, asset=asset.guid)
    yield from _lost_assemblies(project, read)
    if any(row.type for _, rows in read for row in rows):
        known = DeclaredTypes(project, Sources(project))
        for asset, rows in read:
            for row in rows:
                space, _, name = row.type.replace("+", "/").rpartition(".")
                meant = ReferencedType(0, name, space, row.assembly)
                if row.type and _SIMPLE.fullmatch(row.type) and known.lack(meant) and not _is_delegate(project, name):
                    said = f"keeps the type {row.type[:_LONGEST]}, which no script of {row.assembly} declares"
                    yield Finding.of(LINKER_FILE, asset.path, said, row.line, asset=asset.guid, target=row.type)


def _lost_assemblies(project: View, read: list[tuple[Asset, tuple[_Row, ...]]]) -> Iterator[Finding]:
    """Yield assemblies that nothing of a project has.

    Unity 2021 and later, and Unity 5, build nothing then (MixedRealityToolkit-Unity, issue 9936; Firebase-Unity, issue
    127).
    """
    rows = [(asset, row) for asset, found in read for row in found if row.assembly and not row.type]
    wanted = [
        (asset, row)
        for asset, row in rows
        if not row.assembly.casefold().startswith(_OF_UNITY) and not any(each in row.assembly for each in _PATTERN)
    ]
    if not wanted:
        return
    definitions = [read_assembly(project.read(path) or b"") for path, _guid in paths_of(project, DEFINITION)]
    known = KnownAssemblies(project, filter(None, definitions))
    for asset, row in wanted if None not in definitions else ():
        why = known.lacks(row.assembly, DEFINITION)
        if why and known.lacks(f"{row.assembly}{LIBRARY}", LIBRARY):
            said = f"keeps the assembly {row.assembly[:_LONGEST]}: {why}, and a build fails without ignoreIfMissing"
            yield Finding.of(LINKER_FILE, asset.path, said, row.line, asset=asset.guid, target=row.assembly)


def _is_delegate(project: View, name: str) -> bool:
    """Whether a script declares a delegate, which no marks have."""
    type_name = name.rpartition("/")[2].partition("`")[0].encode()
    declared = re.compile(_DELEGATE % re.escape(type_name))
    return any(type_name in data and declared.search(data) for data in map(project.read, project.scripts) if data)
