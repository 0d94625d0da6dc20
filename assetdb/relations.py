"""Who refers to whom, with names: what the commands print and the daemon answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.graph import SETTINGS_FOLDER, AssetGraph, Site, settings_sites, sites
from assetdb.unity.builtin import TITLES, built_in_file
from assetdb.unity.classes import class_name

if TYPE_CHECKING:
    from assetdb.database import Database
    from assetdb.opening import Opened
    from assetdb.query import Subject


class Described(NamedTuple):
    """An asset, or whatever else a GUID is; ``path`` is ``""`` where it has none on this machine."""

    guid: str
    name: str
    type: str
    path: str

    @property
    def row(self) -> tuple[str, str, str]:
        """Path (or what stands for it), type and GUID, as people see it."""
        return self.path or f"({self.name or 'not in the project'})", self.type, self.guid


def describe(guid: str, project: Opened) -> Described:
    """Return what is known of a GUID."""
    database = project.database
    asset = database.by_guid(guid)
    if asset is not None:
        script = database.by_guid(asset.script) if asset.script else None
        kind = script.name if script is not None else class_name(asset.class_id) or str(asset.class_id)
        return Described(guid, asset.name, kind, asset.path)
    folder = database.folder(guid)
    if folder is not None:
        return Described(guid, folder.rpartition("/")[2], "folder", folder)
    digit = built_in_file(bytes.fromhex(guid))
    if digit:
        return Described(guid, TITLES[digit], "built-in", "")
    location = project.resolver.locate(guid)
    if location is None:
        return Described(guid, "", "", "")
    return Described(guid, location.path.rpartition("/")[2], "package", location.path)


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
        places = [place for file in files for place in sites(project.root, file.path, (subject.guid,))]
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
    return files, places


def class_text(place: Site, database: Database) -> str:
    """Return the class of the object that refers, or the name of its script."""
    script = database.by_guid(place.script) if place.script else None
    return script.name if script is not None else class_name(place.class_id) or str(place.class_id)


def place_fields(place: Site, database: Database) -> dict[str, object]:
    """Return a place for JSON."""
    return {**place._asdict(), "class": class_text(place, database) if place.class_id else ""}
