"""Values of one object with names: ``get``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.contents.enums import enum_name
from assetdb.contents.hierarchy import Hierarchy
from assetdb.contents.inspection import ImportedPlace, find_document, inspect
from assetdb.contents.overrides import Reference
from assetdb.errors import FileError
from assetdb.query.graph.relations import folder_of
from assetdb.query.listing import has_hierarchy, why_unreadable
from assetdb.resolve.instances import ObjectInfo
from assetdb.resolve.resolver import NOTHING
from assetdb.system.reading import read_head
from assetdb.unity.kinds import HEAD_BYTES, WHOLE_HEADS, extension_of
from assetdb.unity.settings.editor_version import VERSION_FILE, reads_by_libyaml
from assetdb.unity.yaml.judging.refusals import judge_of
from assetdb.unity.yaml.nodes import UnreadableError
from assetdb.unity.yaml.objects import NO_GUID, TextObject, TextObjects
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from assetdb.contents.inspection import DocumentPlace, Property
    from assetdb.contents.values import Scalar
    from assetdb.packages.location import Location
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver

HIDDEN: Final = frozenset(
    (
        *("m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabParentObject", "m_PrefabInternal"),
        *("m_PrefabInstance", "m_PrefabAsset", "serializedVersion", "m_EditorHideFlags", "m_EditorClassIdentifier"),
    )
)
"""Properties that the Inspector does not show."""


class ValueText(NamedTuple):
    """A value, for people and programs.

    Attributes:
        text: as written; of a reference the name of the object, of an empty list or mapping ``""``.
        name: of an enum's value, else ``""``.
        guid: of the object that is referred to, or ``""``.
        file_id: of the object that is referred to; None if the value is not a reference.
        reason: why a reference has no name, else ``""``.
        quoted: whether it is in quotes, and so certainly text.
        place: path of the object that is referred to, where another one that it is compared with has its name.
    """

    text: str
    name: str = ""
    guid: str = ""
    file_id: int | None = None
    reason: str = ""
    quoted: bool = False
    place: str = ""


class SettingRow(NamedTuple):
    """A value that a file sets, by a PrefabInstance in it."""

    path: str
    guid: str
    instance: int
    value: ValueText


class PropertyRow(NamedTuple):
    """A value of an object; see :class:`assetdb.contents.inspection.Property`."""

    path: str
    value: ValueText | None
    group: str
    base: ValueText | None
    settings: tuple[SettingRow, ...]


class ObjectValues(NamedTuple):
    """An object with its values.

    Attributes:
        guid: of the requested asset.
        file_id: of the object in it.
        name: as ``assetdb name`` prints it.
        type: its class, or the name of its script.
        source: GUID of the asset with its document.
        source_path: path of that asset.
        source_id: its fileID there.
        properties: in the order of the document.
        truncated: whether the document has more.
        repeated: paths of keys that the document has more than once; which of them Unity takes is not known.
        imported: whether an importer makes the object, so that files have overrides alone.
    """

    guid: str
    file_id: int
    name: str
    type: str
    source: str
    source_path: str
    source_id: int
    properties: list[PropertyRow]
    truncated: bool
    repeated: tuple[str, ...]
    imported: bool = False


def values_of(subject: Subject, project: Snapshot, *, overrides: bool = False) -> ObjectValues:
    """Return the values of an object.

    Of an asset it is the main object, of a prefab the root GameObject. With ``overrides`` only overridden values.

    Raises:
        FileError: it has no readable document; the message gives the reason.
    """
    folder = folder_of(subject, project)
    if folder:
        raise FileError(f"{folder}: is a folder: `assetdb ls` lists what is in it")
    resolver = project.resolver
    guid = project.key_at(subject.path, subject.guid)
    hierarchy = Hierarchy(resolver.bounded_content, guid)
    file_id = subject.file_id if subject.file_id is not None else _main_object(hierarchy, resolver, guid)
    place = find_document(hierarchy.open, guid, file_id)
    if isinstance(place, str):
        raise FileError(_why_absent(resolver, guid, file_id, place))
    if isinstance(place, ImportedPlace) and place.frame.outer is None:
        raise FileError(_why_imported(resolver, guid))
    try:
        if not isinstance(place, ImportedPlace):
            _raise_headless(resolver.locate(place.frame.guid))
            _raise_refusal(place.item, libyaml=reads_by_libyaml(project.read(VERSION_FILE) or b""))
        found = inspect(place)
    except FormatError as error:
        location = resolver.locate(place.frame.guid)
        path = location.path if location is not None else place.frame.guid
        number = place.file_id if isinstance(place, ImportedPlace) else place.item.file_id
        advice = "; `assetdb check` says where the file is damaged" if isinstance(error, UnreadableError) else ""
        raise FileError(f"{path}: object {number}: {error}{advice}") from error
    namer = ValueNamer(resolver, guid, found.class_name)
    name = resolver.name(guid, file_id)
    source = resolver.locate(found.guid)
    beside = project.without_entry(subject.path) if subject.path else None
    shown = beside.asset.guid if beside is not None else subject.guid
    return ObjectValues(
        shown,
        file_id,
        name.name or f"{name.path}:{file_id}",
        _type_of(place, resolver) or found.class_name,
        shown if found.guid == guid else found.guid,
        source.path if source is not None else "",
        found.source_id,
        [row for row in map(namer.row, found.properties) if row.settings or not overrides],
        found.truncated,
        found.repeated,
        isinstance(place, ImportedPlace),
    )


def _raise_headless(location: Location | None) -> None:
    """Raise that a text does not begin with ``%YAML``, as `check` does.

    Raises:
        FormatError: Unity does not read it.
    """
    head = read_head(location.file, HEAD_BYTES) if location is not None and location.file else None
    if head and not head.startswith(WHOLE_HEADS) and not head.count(0, 1):  # a binary file has some
        raise FormatError("is in a file that does not begin with %YAML, so that Unity cannot read it")


def _raise_refusal(item: TextObject, *, libyaml: bool) -> None:
    """Raise the faults that `check` reports of an object.

    Raises:
        UnreadableError: Unity does not read it.
    """
    for refusal in judge_of(libyaml=libyaml).of_object(item.class_id, item.body):
        if refusal.is_certain:
            raise UnreadableError.of(refusal.reason, item.body, refusal.offset)


def _type_of(place: DocumentPlace | ImportedPlace, resolver: Resolver) -> str:
    if isinstance(place, ImportedPlace):
        return place.class_name
    return resolver.type_of_object(ObjectInfo(place.item.class_id, "", "", (), place.item.script))


def _main_object(hierarchy: Hierarchy, resolver: Resolver, guid: str) -> int:
    """Return the fileID of an asset's main object.

    Raises:
        FileError: there is none.
    """
    location = resolver.locate(guid)
    content = resolver.bounded_content(guid)
    if isinstance(content, str):
        raise FileError(why_unreadable(resolver, guid, content))
    path = location.path if location is not None else guid
    if has_hierarchy(path):
        root = next(hierarchy.nodes(depth=1), None)
        if root is not None and root.file_id and extension_of(path) != "unity":
            return root.file_id
        raise FileError(f"{path}: has no main object: `assetdb ls` lists the objects that can be shown")
    if isinstance(content, TextObjects):
        for file_id in content.objects:
            if not resolver.name(guid, file_id).name.endswith(")"):  # the asset itself has no type after its name
                return file_id
        main = content.main
        if main is not None:
            return main.file_id
    raise FileError(_why_imported(resolver, guid))


def _why_imported(resolver: Resolver, guid: str) -> str:
    location = resolver.locate(guid)
    path = location.path if location is not None else guid
    return f"{path}: its importer makes the objects, and no file has their values: see {path}.meta for its settings"


def _why_absent(resolver: Resolver, guid: str, file_id: int, reason: str) -> str:
    location = resolver.locate(guid)
    path = location.path if location is not None else guid
    if reason == "dangling":
        return f"{path}: has no object {file_id}: `assetdb ls` lists those it has"
    content = resolver.bounded_content(guid)
    if isinstance(content, str):
        return why_unreadable(resolver, guid, content)
    return f"{path}: object {file_id} is of a prefab or model that cannot be opened ({reason})"


def value_fields(found: ObjectValues) -> dict[str, Any]:
    """Return an object with its values for JSON."""
    return {
        **found._asdict(),
        "properties": [
            {
                "path": row.path,
                "group": row.group,
                "value": plain_value(row.value),
                "base": plain_value(row.base),
                "overrides": [{**step._asdict(), "value": plain_value(step.value)} for step in row.settings],
            }
            for row in found.properties
        ],
    }


def described_value(value: ValueText) -> str:
    """Return a value for people, or why a reference has no name."""
    if value.reason:
        return f"{value.text or value.guid}:{value.file_id} ({value.reason})"
    if value.place:
        return f"{value.text} in {value.place}"
    return f"{value.name} ({value.text})" if value.name else value.text


def plain_value(value: ValueText | None) -> object:
    """Return a value for JSON: number, text, or object (reference, enum)."""
    if value is None:
        return None
    if value.file_id is not None:
        return {"guid": value.guid, "file_id": value.file_id, "name": value.text, "reason": value.reason}
    if value.name:
        return {"value": int(value.text), "name": value.name}
    if not value.quoted:
        digits = value.text.removeprefix("-")
        if digits.isdecimal() and len(digits) < 20 and (digits == "0" or not digits.startswith("0")):
            return int(value.text) if value.text != "-0" else -0.0  # an integer has no sign there
        whole, _, fraction = digits.partition(".")
        if whole.isdecimal() and fraction.isdecimal() and len(digits) < 40:
            return float(value.text)
    return value.text


class ValueNamer:
    """Names the values of one object."""

    def __init__(self, resolver: Resolver, guid: str, class_name: str) -> None:
        """Take the GUID of the file, and the object's class."""
        self._resolver = resolver
        self._guid = guid
        self._class_name = class_name

    def row(self, item: Property) -> PropertyRow:
        """Return a property with names."""
        return PropertyRow(
            item.path,
            self._text(item.path, item.value),
            item.group,
            self._text(item.path, item.base),
            tuple(
                SettingRow(self._path(step.guid), step.guid, step.instance, self.shown(item.path, step.value))
                for step in item.settings
            ),
        )

    def placed(self, value: ValueText) -> ValueText:
        """Return a value of a reference with the path of its object."""
        path = self._path(value.guid or self._guid)
        return value._replace(place=f"{path}:{value.file_id}")

    def _path(self, guid: str) -> str:
        location = self._resolver.locate(guid)
        return location.path if location is not None else guid

    def _text(self, path: str, value: Scalar | Reference | None) -> ValueText | None:
        return None if value is None else self.shown(path, value)

    def shown(self, path: str, value: Scalar | Reference) -> ValueText:
        """Return a value with the name of its reference or enum."""
        if not isinstance(value, Reference):
            return ValueText(value.text, enum_name(self._class_name, path, value.text), quoted=value.quoted)
        if not value.file_id or value.guid == NO_GUID:
            return ValueText(NOTHING, "", value.guid if value.file_id else "", value.file_id)
        guid = value.guid or self._guid
        name = self._resolver.name(guid, value.file_id)
        shown = name.name or name.path or value.guid
        return ValueText(shown, "", value.guid, value.file_id, name.reason)
