"""Who refers to whom, with names: what the commands print and the daemon answers."""

from __future__ import annotations

from assetdb.graph import SETTINGS_FOLDER, AssetGraph, Site, settings_sites, sites
from assetdb.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.opening import Opened
    from assetdb.query import Subject

_BUILT_IN: Final = "0000000000000000"


class Described(NamedTuple):
    """An asset, or whatever else a GUID is; ``path`` is ``""`` where it has none on this machine."""

    guid: str
    name: str
    type: str
    path: str
    package: str = ""

    @property
    def row(self) -> tuple[str, str, str]:
        """Path (or what stands for it), type and GUID, as people see it."""
        mark = f"  {self.package}" if self.package else ""
        return self.path or f"({self.name or 'not in the project'})", self.type, self.guid + mark


def describe(guid: str, project: Opened) -> Described:
    """Return what is known of a GUID."""
    assets = project.assets
    asset = assets.by_guid(guid)
    if asset is not None:
        script = assets.by_guid(asset.script) if asset.script else None
        return Described(guid, asset.name, script.name if script is not None else type_text(asset.class_id), asset.path)
    folder = assets.folder(guid)
    if folder is not None:
        return Described(guid, folder.rpartition("/")[2], "folder", folder)
    if guid.startswith(_BUILT_IN):
        from assetdb.unity.builtin import TITLES, built_in_file  # noqa: PLC0415 - only for what is built in

        digit = built_in_file(bytes.fromhex(guid))
        if digit:
            return Described(guid, TITLES[digit], "built-in", "")
    asset = project.packages.by_guid(guid) if project.has_packages else None
    if asset is not None:
        script = (assets.by_guid(asset.script) or project.packages.by_guid(asset.script)) if asset.script else None
        kind = script.name if script is not None else type_text(asset.class_id)
        return Described(guid, asset.name, kind, asset.path, _label_of(asset.path, project))
    location = project.resolver.locate(guid)
    if location is None:
        return Described(guid, "", "", "")
    if location.folder and location.package:
        return Described(
            guid, location.path.rpartition("/")[2], "folder", location.path, _label_of(location.path, project)
        )
    kind = "package" if location.file else "package, not here"
    return Described(guid, location.path.rpartition("/")[2], kind, location.path)


def _label_of(path: str, project: Opened) -> str:
    """Return the package (``com.acme.tools@1.2.3``) that a path is in, ``""`` for one of the project itself."""
    row = project.packages.row_of(path)
    return row.label if row is not None else ""


def type_text(class_id: int) -> str:
    """Return the name of a class, or its number where nobody has named it."""
    from assetdb.unity.classes import class_name  # noqa: PLC0415 - a table that few answers do without, but some do

    return class_name(class_id) or str(class_id)


def dependencies_of(subject: Subject, project: Opened, graph: AssetGraph, *, deep: bool) -> list[Described]:
    """Return what an asset refers to."""
    return [describe(guid, project) for guid in graph.dependencies(subject.guid, deep=deep)]


def usages_of(
    subject: Subject, project: Opened, graph: AssetGraph, *, deep: bool, objects: bool
) -> tuple[list[Described], list[Site]]:
    """Return the files that refer and, where they had to be read, the places."""
    files = [describe(guid, project) for guid in graph.usages(subject.guid)]
    places: list[Site] = []
    if objects or subject.file_id is not None:
        places = [place for file in files for place in _sites_of(file, subject.guid, project)]
    places += settings_sites(project.root, (subject.guid,))
    if subject.file_id is not None:
        places = [place for place in places if place.file_id == subject.file_id]
        holding = {place.path.removesuffix(".meta") for place in places}
        files = [file for file in files if file.path in holding]
    if deep:
        near = {file.guid for file in files}
        further = {guid for file in files for guid in graph.usages(file.guid, deep=True)}
        files += [describe(guid, project) for guid in sorted(further - near - {subject.guid})]
    settings = sorted({place.path for place in places if place.path.startswith(f"{SETTINGS_FOLDER}/")})
    files += [Described("", path.rpartition("/")[2].rpartition(".")[0], "project settings", path) for path in settings]
    guids = {file.path: file.guid for file in files}
    return files, [_placed(place, guids.get(place.path, ""), project) for place in places]


def _placed(place: Site, guid: str, project: Opened) -> Site:
    """Return a place with the whole way to its object, of which the file alone tells no more than the last name.

    That name is missing where the object was added to one of a nested prefab: the file has only a stripped document.
    """
    if not guid or not place.object_id:
        return place
    hierarchy = project.resolver.hierarchy(guid, place.object_id)
    if not hierarchy:
        return place
    return place._replace(hierarchy=hierarchy, object_name=place.object_name or hierarchy.rpartition(" / ")[2])


def _sites_of(file: Described, guid: str, project: Opened) -> list[Site]:
    place = project.packages.file_of(file.path) if file.package else ""
    return sites(project.root, file.path, (guid,), place)


def class_text(place: Site, project: Opened) -> str:
    """Return the class of the object that refers, or the name of its script."""
    script = project.assets.by_guid(place.script) if place.script else None
    if script is None and place.script and project.has_packages:
        script = project.packages.by_guid(place.script)
    return script.name if script is not None else type_text(place.class_id)


def place_fields(place: Site, project: Opened) -> dict[str, object]:
    """Return a place for JSON."""
    return {**place._asdict(), "class": class_text(place, project) if place.class_id else ""}
