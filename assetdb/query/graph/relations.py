"""References with names, for commands and the daemon."""

from __future__ import annotations

from itertools import chain

from assetdb.query.completeness import of_assets, of_whole, unread_fields
from assetdb.query.graph.references import FOUND_BY_NAME, SETTINGS_FOLDER, AssetGraph, Site, settings_sites, sites
from assetdb.query.selecting.selector import NO_GUID, is_guid
from assetdb.settings.project import asset_file
from assetdb.settings.user import refused_link
from assetdb.unity.engine.classes import class_name
from assetdb.unity.kinds import SCRIPT_MAIN, extension_of, main_type
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Final

    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset
    from assetdb.store.indexes.supplement import Duplicate, Unread
    from assetdb.unity.yaml.property_path import Place

_BUILT_IN: Final = "0000000000000000"


class AssetInfo(NamedTuple):
    """An asset, or anything with a GUID; ``path`` is ``""`` if absent."""

    guid: str
    name: str
    type: str
    path: str
    package: str = ""

    @property
    def row(self) -> tuple[str, str, str]:
        """Path (or package, or reason), type and GUID as text."""
        mark = f"  {self.package}" if self.package else ""
        return self.path or f"({self.name or 'not in the project'})", self.type, self.guid + mark


def describe(guid: str, project: Snapshot) -> AssetInfo:
    """Return path and type of a GUID."""
    assets = project.assets
    asset = assets.by_guid(guid)
    if asset is not None:
        return describe_asset(asset, project)
    folder = assets.folder(guid)
    if folder is not None:
        return AssetInfo(guid, folder.rpartition("/")[2], "folder", folder)
    if guid.startswith(_BUILT_IN):
        from assetdb.unity.engine.builtin import TITLES, built_in_file  # noqa: PLC0415 - only for what is built in

        digit = built_in_file(bytes.fromhex(guid))
        if digit:
            return AssetInfo(guid, TITLES[digit], "built-in", "")
    encoded = project.encoded.by_prefix(guid) if project.has_encoded else None
    if encoded is not None:
        found = describe_asset(encoded.asset, project)
        return found._replace(guid=guid, type=f"{found.type}, by prefix")
    asset = project.packages.by_guid(guid) if project.has_packages else None
    if asset is not None:
        return describe_asset(asset, project)._replace(package=_label_of(asset.path, project))
    location = project.resolver.locate(guid)
    if location is None:
        return AssetInfo(guid, "", project.resolver.name(guid, None).reason, "")
    if location.folder and location.package:
        return AssetInfo(
            guid, location.path.rpartition("/")[2], "folder", location.path, _label_of(location.path, project)
        )
    kind = "package" if location.file else "package, not here"
    return AssetInfo(guid, location.path.rpartition("/")[2], kind, location.path)


def _label_of(path: str, project: Snapshot) -> str:
    """Return a path's package (``com.acme.tools@1.2.3``), ``""`` for the project's own."""
    row = project.packages.row_of(path)
    return row.label if row is not None else ""


def describe_asset(asset: Asset, project: Snapshot) -> AssetInfo:
    """Return path and type of an asset, even without its GUID's entry."""
    return AssetInfo(asset.guid, asset.name, _type_of(asset, project), asset.path)


def _type_of(asset: Asset, project: Snapshot) -> str:
    """Return the type of an asset, as the resolver names it."""
    script = project.assets.by_guid(asset.script) if asset.script else None
    if not asset.script:
        return main_type(asset.class_id, asset.path)
    if script is not None and extension_of(script.path) != "dll":
        return script.name
    # Only the file says which script of a DLL or of the engine it is; other scripts are in packages.
    resolver = project.resolver
    is_alone = project.without_entry(asset.path) is None
    return (resolver.name(asset.guid, None) if is_alone else resolver.name_of_duplicate(asset, asset.guid, None)).type


def describe_subject(subject: Subject, project: Snapshot) -> AssetInfo:
    """Return path and type of the asset or folder of a query."""
    if subject.folder:
        guid = subject.guid if subject.guid != NO_GUID else ""
        return AssetInfo(guid, subject.folder.rpartition("/")[2], "folder", subject.folder)
    duplicate = project.without_entry(subject.path) if subject.path else None
    return describe_asset(duplicate.asset, project) if duplicate is not None else describe(subject.guid, project)


def folder_of(subject: Subject, project: Snapshot) -> str:
    """Return the path of a query's folder, ``""`` for an asset."""
    folder = _own_folder(subject, project)
    if folder is None:
        return ""
    if folder:
        return folder
    location = project.resolver.locate(subject.guid)
    return location.path if location is not None and location.folder and location.package else ""


def _own_folder(subject: Subject, project: Snapshot) -> str | None:
    """Return a query's own folder, ``""`` without; None for an asset."""
    if subject.folder:
        return subject.folder
    if subject.path or project.assets.by_guid(subject.guid) is not None:
        return None
    return project.assets.folder(subject.guid) or ""


def sharing(subject: Subject, project: Snapshot) -> list[str]:
    """Return the paths of all assets with one GUID, if several."""
    if subject.folder:
        return sorted({subject.folder, describe(subject.guid, project).path} - {""}) if subject.guid != NO_GUID else []
    duplicates = [duplicate.asset.path for duplicate in project.duplicates if duplicate.asset.guid == subject.guid]
    return sorted([describe(subject.guid, project).path, *duplicates]) if duplicates else []


def is_known(found: AssetInfo, graph: AssetGraph) -> bool:
    """Whether a GUID is an asset's, or something refers to it."""
    return found.type not in ("", "missing-asset", "package-not-present") or graph.knows(found.guid)


def type_text(class_id: int) -> str:
    """Return the name of a class, or its number if unknown."""
    return class_name(class_id) or str(class_id)


def dependencies_of(subject: Subject, project: Snapshot, graph: AssetGraph, *, deep: bool) -> list[AssetInfo]:
    """Return the assets that an asset, or a folder's assets, refer to.

    References within the folder are left out.

    If several assets share a GUID on the way, it is unknown which is meant: the references of each count.
    """
    duplicate = project.without_entry(subject.path) if subject.path else None
    content = content_of(subject, project)
    within = set(content.values())
    if duplicate is not None:
        found = set(duplicate.targets)
    else:
        starts = _with_entries(content, project)
        starts = starts if subject.folder else {*starts, subject.guid}
        found = {target for guid in starts for target in graph.dependencies(guid)}
        beside = [item.targets for item in project.duplicates if item.asset.path in content]
        found = found.union(*beside).difference(within)
    if deep:
        found |= graph.closure(found)
        found -= within
        left = [(own_guid(item, project), item) for item in project.duplicates]
        while met := [item for guid, item in left if guid in found]:
            left = [(guid, item) for guid, item in left if guid not in found]
            targets = {guid for duplicate in met for guid in duplicate.targets} - found
            found |= targets | graph.closure(targets)
        found.discard(subject.guid)
    return [describe(guid, project) for guid in sorted(found)]


def content_of(subject: Subject, project: Snapshot) -> dict[str, str]:
    """Return paths of assets in a query's folder, if any, with GUIDs.

    The GUID of an asset with an encoded one is what others call it, :data:`NO_GUID` if that is uncertain.
    """
    folder = _own_folder(subject, project)
    if not folder:
        return {}
    above = f"{folder}/"
    duplicates = [(item.asset.path, own_guid(item, project)) for item in project.duplicates]
    # The bytes are searched: decoding a million assets of other folders took 5 s. A path that is not UTF-8 is displayed
    # with different bytes.
    found = project.database if "\ufffd" in above else project.database.containing(above.encode("utf-8", "replace"))
    rows = chain(duplicates, ((asset.path, asset.guid) for asset in found))
    return {path: guid for path, guid in rows if path.startswith(above)}


def _with_entries(content: Mapping[str, str], project: Snapshot) -> set[str]:
    """Return the GUIDs of assets with an entry, among assets by path."""
    beside = {item.asset.path for item in project.duplicates}
    return {guid for path, guid in content.items() if path not in beside}


def usages_of(
    subject: Subject, project: Snapshot, graph: AssetGraph, *, deep: bool, objects: bool
) -> tuple[list[AssetInfo], list[Site]]:
    """Return referring files outside the folder, with places where they were read."""
    content = content_of(subject, project)
    within = set(content.values()) - {NO_GUID}
    itself = () if subject.guid == NO_GUID else (subject.guid,)
    targets = {*itself, *within}
    direct = {user for guid in targets for user in graph.usages(guid)}.difference(_with_entries(content, project))
    owners = [describe(guid, project) for guid in sorted(direct)]
    duplicates = [duplicate for duplicate in project.duplicates if duplicate.asset.path not in content]
    near = [duplicate for duplicate in duplicates if not targets.isdisjoint(duplicate.targets)]
    files = owners + [describe_asset(duplicate.asset, project) for duplicate in near]
    places: list[Site] = []
    if objects or subject.file_id is not None:
        # A file that shares its GUID has references of its own, which the graph does not have.
        referred = [graph.dependencies(file.guid) if within else () for file in owners]
        for file, needed in zip(files, chain(referred, (duplicate.targets for duplicate in near)), strict=True):
            places += [place for _, place in sites_of(file, (*itself, *within.intersection(needed)), project)]
    places += [place for _, place in settings_sites(project.root, targets)]
    if subject.file_id is not None:
        places = [place for place in places if place.file_id == subject.file_id]
        holding = {place.path.removesuffix(".meta") for place in places}
        files = [file for file in files if file.path in holding]
    if deep:
        known = direct | graph.closure({*direct, *(own_guid(item, project) for item in near)}, incoming=True)
        left = [
            duplicate
            for duplicate in duplicates
            if targets.isdisjoint(duplicate.targets) and duplicate.asset.path != subject.path
        ]
        while met_duplicates := [duplicate for duplicate in left if not known.isdisjoint(duplicate.targets)]:
            left = [duplicate for duplicate in left if known.isdisjoint(duplicate.targets)]
            files += [describe_asset(duplicate.asset, project) for duplicate in met_duplicates]
            known |= graph.closure({own_guid(duplicate, project) for duplicate in met_duplicates}, incoming=True)
        files += [describe(guid, project) for guid in sorted(known.difference(direct, targets))]
    settings = sorted({place.path for place in places if place.path.startswith(f"{SETTINGS_FOLDER}/")})
    files += [AssetInfo("", path.rpartition("/")[2].rpartition(".")[0], "project settings", path) for path in settings]
    guids = {file.path: file.guid for file in files}
    guids.update((duplicate.asset.path, project.resolver.key_of_duplicate(duplicate.asset)) for duplicate in near)
    return files, [with_hierarchy(place, guids.get(place.path, ""), project) for place in places]


def own_guid(asset: Duplicate, project: Snapshot) -> str:
    """Return the GUID that others use for such an asset."""
    return (project.encoded.guid_of(asset) or NO_GUID) if asset.prefix else asset.asset.guid


def with_hierarchy(place: Site, guid: str, project: Snapshot) -> Site:
    """Return a place with the full path of its object.

    The file alone has only the last name, and not even that if the object was added to one of a nested prefab: the file
    then has only a stripped document.
    """
    if not guid or not place.object_id:
        return place
    hierarchy = project.resolver.hierarchy(guid, place.object_id)
    if not hierarchy:
        return place
    return place._replace(hierarchy=hierarchy, object_name=place.object_name or hierarchy.rpartition(" / ")[2])


def sites_of(file: AssetInfo, guids: Iterable[str], project: Snapshot) -> list[tuple[str, Site]]:
    """Return some GUIDs that an asset refers to, with the places.

    Places in a link out of the project have no names of objects and properties: those are content.
    """
    place = project.packages.file_of(file.path) if file.package else ""
    wanted = list(guids)
    found = sites(project.root, file.path, wanted, place)
    if not file.package and found and refused_link(asset_file(project.root, file.path), project.root):
        found = [(guid, site._replace(object_name="", property="", override="")) for guid, site in found]
    left = set(wanted).difference(guid for guid, _ in found) if is_guid(file.guid) and not file.package else ()
    for guid in AssetGraph(project).found_by_name(file.guid) if left else ():
        if guid in left:
            found.append((guid, Site(file.path, 0, 0, 0, "", "", FOUND_BY_NAME, "", None)))
    return found


def class_text(place: Site | Place, project: Snapshot) -> str:
    """Return the class, or script, of an object that refers."""
    return component_text(place.class_id, place.script, place.script_id, project)


def component_text(class_id: int, script_guid: str, script_id: int, project: Snapshot) -> str:
    """Return the name of a class, or of a known script.

    ``script_id`` is a class of a DLL; of one that cannot be read, the DLL's name is returned.
    """
    if not script_guid:
        return type_text(class_id)
    if script_id != SCRIPT_MAIN and (found := project.resolver.script_name(script_guid, script_id)):
        return found
    script = project.assets.by_guid(script_guid)
    if script is None and project.has_packages:
        script = project.packages.by_guid(script_guid)
    return (script.name if script is not None else project.resolver.script_name(script_guid)) or type_text(class_id)


def place_fields(place: Site, project: Snapshot) -> dict[str, object]:
    """Return a place for JSON."""
    fields = place._asdict()
    del fields["script_id"]  # the class tells it
    return {**fields, "class": class_text(place, project) if place.class_id else ""}


def unread_among(subject: Subject, found: Iterable[AssetInfo], project: Snapshot) -> list[Unread]:
    """Return unreadable files among an asset and those it refers to."""
    if not project.unread:
        return []
    itself = describe_subject(subject, project)
    is_folder = subject.folder or (itself.path and project.assets.folder(subject.guid))
    paths = {itself.path, *(item.path for item in found)}
    return of_assets(paths, itself.path if is_folder else "", project)


def dependency_fields(
    query: str, subject: Subject, project: Snapshot, found: Sequence[AssetInfo], *, deep: bool, sized: bool = False
) -> dict[str, object]:
    """Return an asset's dependencies for JSON, with ``sized`` their bytes."""
    return {
        "query": query,
        **describe_subject(subject, project)._asdict(),
        "deep": deep,
        **_rows("dependencies", found, project, sized=sized),
        **_doubts(subject, project, unread_among(subject, found if deep else (), project)),
    }


def usage_fields(
    query: str,
    subject: Subject,
    project: Snapshot,
    files: Sequence[AssetInfo],
    places: Iterable[Site] | None,
    *,
    deep: bool,
    sized: bool = False,
) -> dict[str, object]:
    """Return an asset's users for JSON, with ``places`` the objects too."""
    fields: dict[str, object] = {"query": query, **describe_subject(subject, project)._asdict()}
    fields |= {"file_id": subject.file_id, "deep": deep, **_rows("usages", files, project, sized=sized)}
    if places is not None:
        fields["objects"] = [place_fields(place, project) for place in places]
    return fields | _doubts(subject, project, of_whole(project))


def _rows(key: str, found: Sequence[AssetInfo], project: Snapshot, *, sized: bool) -> dict[str, object]:
    """Return assets for JSON, with ``sized`` their bytes and the sum."""
    if not sized:
        return {key: [item._asdict() for item in found]}
    from assetdb.query.sizes import sizes_of  # noqa: PLC0415 - few ask for sizes

    sizes = sizes_of(project, found)
    rows = [{**item._asdict(), "bytes": sizes.get(item.path)} for item in found]
    return {key: rows, "bytes": sum(sizes.values())}


def _doubts(subject: Subject, project: Snapshot, unread: Collection[Unread]) -> dict[str, object]:
    """Return the reasons for an incomplete answer, if any."""
    fields = unread_fields(unread)
    shared = sharing(subject, project)
    if shared:
        own = describe_subject(subject, project).path
        fields["shares_guid_with"] = [path for path in shared if path != own]
    return fields
