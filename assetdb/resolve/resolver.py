"""The resolver: from ``{fileID, guid}`` to a name.

The database maps GUIDs to assets; the object of a fileID is read from the current file on demand: from its documents,
from the tables of its meta, from the model, DLL or glTF itself. So names are correct even if the database is stale.
"""

from __future__ import annotations

import os
from _weakref import ref  # weakref itself takes 1 ms of an answer of 22

from assetdb.packages.location import EDITOR, Location
from assetdb.resolve.instances import DANGLING, Imported, Instances, ObjectInfo
from assetdb.settings.project import asset_file, files_of
from assetdb.system.cancelling import check_cancelled
from assetdb.system.reading import LARGEST_ASSET, attempt, read_file, read_small
from assetdb.unity.kinds import (
    ASSEMBLY,
    ASSET_MAIN,
    DOCUMENTS,
    GRAPH,
    OTHER,
    PLUGIN_MAIN,
    PREFAB_MAIN,
    SCENE_MAIN,
    SCRIPT_MAIN,
    SOURCE,
    URLS,
    extension_of,
    is_streamed,
    kind_of,
    main_file_id,
    main_type,
)
from assetdb.unity.yaml.objects import NO_GUID, PREFAB_INSTANCE, TextObjects, is_guid
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Final, Protocol, Self

    from assetdb.packages.listing import PackageList
    from assetdb.resolve.instances import Content
    from assetdb.store.entry import Asset, GuidLookup

    class ClosableAssets(GuidLookup, Protocol):
        """Lookup of assets: ``Database``, or ``assetdb.query.snapshots.verified_assets``."""

        def close(self) -> None: ...


STALE_OVERRIDE: Final = "stale-override"
LFS_POINTER: Final = "lfs-pointer"
TARGET_ABSENT: Final = "target-absent"
MISSING_ASSET: Final = "missing-asset"
ENCODED_GUID: Final = "encoded-guid"
PACKAGE_NOT_PRESENT: Final = "package-not-present"
PACKAGE_LEFTOVER: Final = "package-leftover"
IMPORTER_UNKNOWN: Final = "importer-unknown"
WRONG_TYPE: Final = "wrong-type"
BUILT_IN_UNNAMED: Final = "built-in-unnamed"
INVALID_GUID: Final = "invalid-guid"
NOTHING: Final = "None"
"""The name of no asset."""
_NOT_HERE: Final = "not here"
_BY_PREFIX: Final = " (by prefix)"
_PLUGIN: Final = 1029
_DEFAULT_THEME: Final = b"unity-theme://"

# Files of some kinds have no documents, so they are not opened.
_NO_DOCUMENTS: Final = (OTHER, ASSEMBLY, GRAPH, URLS)
_GUID_DIGITS: Final = 32
_MOST_OBJECTS: Final = 400_000  # cached documents and imported objects; a large scene has 100,000
_FIRST_OBJECT: Final = 100000
_BUILT_IN: Final = "0000000000000000"
_IMPORT_LOGS: Final = (2186277476908879412, -3356979960328723310)  # the second in Unity 2019.2 and 2020.3
_LOG_TYPE: Final = ("AssetImporterLog", "")
ENGINE: Final = "0000000000000000e000000000000000"  # of scripts of the engine and the editor


class Name(NamedTuple):
    """The meaning of a reference.

    Attributes:
        guid: 32 hex digits, lower case.
        file_id: the object, or None for the asset as a whole.
        name: the asset and the path to the object in it, or ``""`` with a ``reason``.
        path: of the asset, relative to the project, with ``/``; ``Packages/<name>/...`` in a package, the title of the
            file for built-in objects, ``""`` if the GUID is unknown.
        type: Unity's class, or the name of the script that is the type; ``""`` if unknown.
        reason: ``""``, or one of :data:`assetdb.diagnostics.codes.REASONS`.
    """

    guid: str
    file_id: int | None
    name: str
    path: str
    type: str
    reason: str


class Resolver:
    """Names references of one project.

    >>> from assetdb.query.snapshots.snapshot import open_project
    >>> resolver = open_project("fixtures/unity_project").resolver
    >>> resolver.name("864eb4c93ac1f6e40d118fd26989f203", 1002).name
    'Base.prefab (MonoBehaviour)'

    Files are read on demand and dropped when too many objects are cached. Several threads may use it at once: they
    compute identical values, so a race only repeats work.

    Attributes:
        examined: GUIDs of assets whose files were read, which may have been others for a moment.
    """

    def __init__(
        self,
        root: str,
        database: ClosableAssets | None,
        *,
        elsewhere: Callable[[], tuple[dict[str, Location], PackageList]] | None = None,
        packages: Callable[[str], Location | None] | None = None,
        lost: Callable[[str], bool] | None = None,
        hides_guids: Callable[[], bool] | None = None,
        most_objects: int = _MOST_OBJECTS,
    ) -> None:
        """Take the root and the database; without it, metas are searched.

        ``elsewhere`` locates assets outside the database, like ``assetdb.packages.search``; ``packages`` locates
        those in baked packages; ``lost`` returns whether the project itself once had a missing GUID; ``hides_guids``
        whether a meta or folder that could not be read may have it; ``most_objects`` bounds the cached objects.
        """
        self.root = root
        self._database = database
        self._find_elsewhere = elsewhere
        self._find_package = packages
        self._is_lost = lost
        self._hides_guids = hides_guids
        self._most_objects = most_objects
        self._locations: dict[str, Location | None] = {}
        self._others: dict[str, Location] | None = None
        self._required: PackageList | None = None
        self._is_hiding: bool | None = None
        self._missing: str | None = None
        self._files: Callable[[str], str] | None = None
        self._contents: dict[str, Content] = {}
        self._mains: dict[str, tuple[TextObjects, frozenset[int]]] = {}
        self._given: dict[str, Content] = {}
        self._held = 0
        self.examined: set[str] = set()
        itself = ref(self)  # no reference cycle: the cache is freed with its last reference

        def content(guid: str) -> Content:
            found = itself()
            return found.content(guid) if found is not None else DANGLING

        self._instances = Instances(content)
        self._script_names: dict[tuple[int, str], str] = {}
        self._hidden: dict[str, bool] = {}

    def renewed(self, database: ClosableAssets | None, changed: Collection[str] | None) -> Self:
        """Return a resolver for a newer database, with files already read.

        Files of the GUIDs in ``changed`` are read again; if None, all.
        """
        made = type(self)(
            self.root,
            database,
            elsewhere=self._find_elsewhere,
            packages=self._find_package,
            lost=self._is_lost,
            hides_guids=self._hides_guids,
            most_objects=self._most_objects,
        )
        if changed is not None:
            # Reasons are cheap, and may depend on an orphaned meta or on a folder's.
            made._contents = {  # noqa: SLF001 - it is one of the same kind
                guid: found
                for guid, found in dict(self._contents).items()  # other threads may still use the old one
                if guid not in changed and not isinstance(found, str) and len(guid) == _GUID_DIGITS
            }
            made._held = self._held  # noqa: SLF001 - the same
        return made

    def rest_on(
        self,
        *,
        packages: Callable[[str], Location | None],
        lost: Callable[[str], bool],
        hides_guids: Callable[[], bool],
    ) -> None:
        """Answer from other packages, losses and unread files, before the first question."""
        self._find_package, self._is_lost, self._hides_guids = packages, lost, hides_guids

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            self._database.close()

    # --- names

    def name(self, guid: str, file_id: int | None, *, override: bool = False) -> Name:
        """Return the name of a reference, or the reason for none.

        Args:
            guid: 32 hex digits.
            file_id: the object, or None for the asset as a whole.
            override: the reference is the target of an override of a prefab instance; a missing object is then no
                error: Unity skips it.
        """
        guid = guid.lower() if is_guid(guid) else guid
        if guid == NO_GUID:
            return Name(guid, file_id, NOTHING, "", "", "")
        if guid.startswith(_BUILT_IN) and is_guid(guid):
            from assetdb.unity.engine.builtin import built_in_file  # noqa: PLC0415 - only for what is built in

            file = built_in_file(bytes.fromhex(guid))
            if file:
                return _built_in(guid, file, file_id)
        location = self.locate(guid)
        if location is None:
            return Name(guid, file_id, "", "", "", self.absence(guid, file_id))
        label = location.path.rpartition("/")[2] + (_BY_PREFIX if location.by_prefix else "")
        if location.package:
            is_here = location.file or location.package == EDITOR
            label += f" [{location.package}{'' if is_here else f': {location.standing or _NOT_HERE}'}]"
        if file_id is None or location.folder:
            return Name(guid, file_id, label, location.path, self._type_of(location, guid), "")
        if file_id in _IMPORT_LOGS:  # in no file; some metas call it ImportLogs
            return Name(guid, file_id, f"{label} / Import Logs (AssetImporterLog)", location.path, *_LOG_TYPE)
        if is_streamed(location.path, location.class_id):
            reason = "" if file_id == SCENE_MAIN else STALE_OVERRIDE if override else DANGLING
            return Name(guid, file_id, "" if reason else label, location.path, "" if reason else "DefaultAsset", reason)
        if kind_of(extension_of(location.path)).content in _NO_DOCUMENTS:
            if self._is_main(guid, location, file_id):
                return Name(guid, file_id, label, location.path, self._type_of(location, guid), "")
            sprite = "" if guid in self._contents else _sprite(location, file_id)
            if sprite:
                self.examined.add(guid)
                return Name(guid, file_id, f"{label} / {sprite} (Sprite)", location.path, "Sprite", "")
        answer = self._instances.describe(guid, file_id)
        if isinstance(answer, str):
            if self._is_main(guid, location, file_id):
                return Name(guid, file_id, label, location.path, self._type_of(location, guid), "")
            reason = STALE_OVERRIDE if override and answer == DANGLING else answer
            return Name(guid, file_id, "", location.path, "", reason)
        if self._is_hidden(guid):
            return Name(guid, file_id, f"{label} / {file_id}", location.path, "", "")
        is_cubemap = answer.certain and answer.class_name == "Cubemap"  # of a texture that is one
        main = is_cubemap or self._is_main(guid, location, file_id)
        kind = self.type_of_object(answer) or (self._type_of(location, guid) if main else "")
        # The root of a prefab or model is the asset itself; a scene may have others besides the one with its name.
        root = "" if extension_of(location.path) == "unity" else _stem(location.path)
        return Name(guid, file_id, label if main else _label(label, root, answer, kind), location.path, kind, "")

    def name_of_duplicate(self, asset: Asset, guid: str, file_id: int | None) -> Name:
        """Return the name of an asset without an entry of its own."""
        return self.name(self.key_of_duplicate(asset), file_id)._replace(guid=guid)

    def key_of_duplicate(self, asset: Asset) -> str:
        """Return a key in place of the GUID that an asset shares."""
        own = f"duplicate {asset.path.encode('utf-8', 'replace').hex()}"
        file = asset_file(self.root, asset.path)
        self._locations[own] = Location(asset.path, file, asset.class_id, asset.script)
        return own

    def local_name(self, guid: str, file_id: int) -> str | None:
        """Return an object's name within its file: ``Body / Head (MeshRenderer)``."""
        answer = self._instances.describe(guid, file_id)
        if isinstance(answer, str) or self._is_hidden(guid):
            return None
        return _label("", "", answer, self.type_of_object(answer))

    def hierarchy(self, guid: str, file_id: int) -> str:
        """Return an object's hierarchy as ``Body / Head``, or ``""``."""
        answer = self._instances.describe(guid, file_id)
        return "" if isinstance(answer, str) or self._is_hidden(guid) else _label("", "", answer, "")

    def _is_hidden(self, guid: str) -> bool:
        """Whether an asset is a link out of the project.

        Names are content of the file behind it, and not shown; whether an object is there is told nevertheless.
        """
        known = self._hidden.get(guid)
        if known is None:
            location = self.locate(guid)
            known = location is not None and bool(location.file) and os.path.islink(location.file)
            if known and location is not None:
                from assetdb.resolve.sizes import LINK_OUT, refusal  # noqa: PLC0415 - few assets are links

                known = refusal(location, self.root) == LINK_OUT
            self._hidden[guid] = known
        return known

    def add_content(self, guid: str, objects: TextObjects, file: str = "") -> None:
        """Register the objects of a file outside the project under a GUID.

        No asset may have that GUID. With ``file``, their path, objects are named by it.
        """
        self._given[guid] = objects
        if file:
            self._locations[guid] = Location(file, file)

    def drop_content(self, guid: str) -> None:
        """Unregister the bytes of a GUID."""
        self._given.pop(guid, None)

    # --- types

    def _type_of(self, location: Location, guid: str) -> str:
        if location.script and self.is_library(location.script):
            content = self.content(guid)
            main = content.objects.get(ASSET_MAIN) or content.main if isinstance(content, TextObjects) else None
            return (self.script_name(main.script[1], main.script[0]) if main is not None else "") or "MonoBehaviour"
        if location.script:
            return self.script_name(location.script) or "MonoBehaviour"
        if location.class_id:
            return main_type(location.class_id, location.path)
        return "Folder" if location.folder else ""

    def is_library(self, guid: str) -> bool:
        """Whether a script is one of the engine or of a DLL."""
        located = None if guid == ENGINE else self.locate(guid)
        return guid == ENGINE or (located is not None and extension_of(located.path) == "dll")

    def type_of_object(self, found: ObjectInfo) -> str:
        """Return the name of an object's class or script, ``""`` if unknown."""
        if found.script[1]:
            return self.script_name(found.script[1], found.script[0]) or "MonoBehaviour"
        if found.class_id == PREFAB_INSTANCE:
            return "PrefabInstance"
        return found.class_name or (main_type(found.class_id, "") if found.class_id else "")

    def script_name(self, guid: str, file_id: int = SCRIPT_MAIN) -> str:
        """Return the class of a script, ``""`` if unknown.

        ``file_id`` is a class of a DLL, or means the script file, which is named as its class.
        """
        key = file_id, guid
        known = self._script_names.get(key)
        if known is None:
            known = ""
            if guid == ENGINE:
                from assetdb.unity.engine.builtin import engine_script  # noqa: PLC0415 - only for what is built in

                known = engine_script(file_id)
            elif len(guid) == 32:
                if file_id != SCRIPT_MAIN:
                    found = self._instances.describe(guid, file_id) if self.locate(guid) is not None else ""
                    known = found.name.rpartition(".")[2] if isinstance(found, ObjectInfo) else ""
                elif (location := self.locate(guid)) is not None:
                    known = location.path.rpartition("/")[2].rpartition(".")[0]
            self._script_names[key] = known
        return known

    # --- locations of assets

    def locate(self, guid: str) -> Location | None:
        """Return a GUID's location in database, package or a lone meta."""
        if guid in self._locations:
            return self._locations[guid]
        if not is_guid(guid):
            return None
        found: Location | None = None
        if self._database is not None:
            asset = self._database.by_guid(guid)
            if asset is not None:
                found = Location(asset.path, self._file_of(asset.path), asset.class_id, asset.script)
            elif (folder := self._database.folder(guid)) is not None:
                found = Location(folder, self._file_of(folder), folder=True)
        if found is None and self._find_package is not None:
            found = self._find_package(guid)
        if found is None:
            found = self._elsewhere().get(guid)
            if found is None:
                from assetdb.packages.belonging import expected_location  # noqa: PLC0415 - only for unknown GUIDs

                found = expected_location(guid, self._packages())
            if found is not None and found.by_prefix and not found.path:
                found = None
        self._locations[guid] = found
        return found

    def _file_of(self, path: str) -> str:
        """Return a path's file, without another look at the project's form."""
        self._files = self._files or files_of(self.root)
        return self._files(path)

    def absence(self, guid: str, file_id: int | None) -> str:
        """Return the reason for an unknown GUID: lost, unread or in packages.

        Args:
            guid: one that nothing on this machine has (:meth:`locate`).
            file_id: the object, or None for the asset as a whole, as assembly definitions refer.
        """
        if not is_guid(guid):
            return INVALID_GUID
        if guid in self._elsewhere():  # without a location
            return ENCODED_GUID
        if self.hides_guids:
            from assetdb.resolve.sizes import UNREADABLE  # noqa: PLC0415 - only where files are unreadable

            return UNREADABLE
        if self._missing is None:  # once: a file may refer to 400,000 GUIDs that nothing has
            self._missing = self._packages().missing
        if not self._missing:
            return MISSING_ASSET
        from assetdb.packages.public.contents import can_be_of  # noqa: PLC0415 - a name in the project does without

        is_lost = not can_be_of(self._missing, file_id) or (self._is_lost is not None and self._is_lost(guid))
        return MISSING_ASSET if is_lost else PACKAGE_NOT_PRESENT

    @property
    def hides_guids(self) -> bool:
        """Whether unread files may have a GUID that nothing else has."""
        if self._is_hiding is None:
            self._is_hiding = self._hides_guids is not None and self._hides_guids()
        return self._is_hiding

    def _packages(self) -> PackageList:
        """Return the packages that the project requires."""
        self._elsewhere()
        if self._required is None:
            from assetdb.packages.listing import NO_PACKAGES  # noqa: PLC0415 - the search of others tells of them

            return NO_PACKAGES
        return self._required

    def strays(self) -> dict[str, Location]:
        """Return locations of lone metas and encoded GUIDs, by GUID."""
        return {guid: location for guid, location in self._elsewhere().items() if not location.package}

    def in_tree(self, guid: str) -> bool:
        """Whether the project has an asset, or a meta, with this GUID."""
        return (found := self.locate(guid)) is not None and not found.package

    def _elsewhere(self) -> dict[str, Location]:
        """Return packages and metas without assets, searched once."""
        if self._others is None:
            if self._find_elsewhere is not None:
                others, self._required = self._find_elsewhere()
            else:
                from assetdb.packages.search import find_elsewhere  # noqa: PLC0415 - only what is not in the database

                others, self._required = find_elsewhere(self.root, everything=self._database is None)
            self._others = others  # last, for other threads
        return self._others

    # --- contents of assets

    def _is_main(self, guid: str, location: Location, file_id: int) -> bool:
        """Whether a fileID means the asset as a whole."""
        extension = extension_of(location.path)
        if extension == "prefab" or file_id == PREFAB_MAIN:
            return file_id == PREFAB_MAIN and (
                kind_of(extension).content in _NO_DOCUMENTS or self.content(guid) != LFS_POINTER
            )
        if extension == "unity":
            return file_id == SCENE_MAIN
        content = self.content(guid) if location.file and kind_of(extension).content not in _NO_DOCUMENTS else None
        if isinstance(content, str):
            return False  # the file should be text and is not
        if isinstance(content, TextObjects):
            if kind_of(extension).content == SOURCE and file_id == main_file_id(extension):
                return True  # the importer makes the main object of a .vfx or .spriteLib: it has no document
            known = self._mains.get(guid)
            if known is None or known[0] is not content:
                from assetdb.resolve.main_documents import main_documents  # noqa: PLC0415 - for names of objects

                known = self._mains[guid] = content, main_documents(content, location)
            return file_id in known[1]
        if location.class_id in {ASSET_MAIN: (0, 114, _PLUGIN), PLUGIN_MAIN: (_PLUGIN,)}.get(file_id, ()):
            return True
        if file_id == _FIRST_OBJECT and location.class_id == 1 and location.file:
            from assetdb.resolve.imported import first_is_root  # noqa: PLC0415 - models of old projects only

            return first_is_root(location.file)
        from assetdb.unity.engine import classes  # noqa: PLC0415 - most references to prefabs do without

        if location.class_id and file_id == classes.canonical_file_id(location.class_id):
            return True
        return file_id == main_file_id(extension)

    def content(self, guid: str) -> Content:
        """Return the content of an asset, or the reason for its absence."""
        known = self._contents.get(guid) or self._given.get(guid)
        if known is not None:
            return known
        location = self.locate(guid)
        if location is None:
            found: Content = self.absence(guid, PREFAB_MAIN)
        elif location.folder:
            found = DANGLING
        elif not location.file:
            found = _absent_content(location)
        else:
            check_cancelled()
            self.examined.add(guid)
            found = self._read_content(location)
        if self._held > self._most_objects:
            self._contents.clear()
            self._mains.clear()
            self._held = 0
        if not isinstance(found, str):
            self._held += 1 + (found.held if isinstance(found, Imported) else len(found.objects))
        self._contents[guid] = found
        return found

    def bounded_content(self, guid: str) -> Content:
        """Return the content of an asset to show, unless refused.

        Refused is a file that is too large, and a link out of the project.
        """
        from assetdb.resolve.sizes import refusal  # noqa: PLC0415 - naming does without

        location = self.locate(guid) if guid not in self._given else None
        reason = refusal(location, self.root) if location is not None else ""
        return reason or self.content(guid)

    def _read_content(self, location: Location) -> Content:
        extension = extension_of(location.path)
        kind = kind_of(extension)
        if kind.content not in _NO_DOCUMENTS:
            data = attempt(read_small, location.file, LARGEST_ASSET)
            if kind.content == DOCUMENTS and data is None:
                from assetdb.resolve.sizes import why_unread  # noqa: PLC0415 - only where something is wrong

                return why_unread(location.file)
            objects = TextObjects(data or b"")
            if objects.kind == "yaml":
                return objects
            if kind.content == DOCUMENTS:
                return _NOT_YAML[objects.kind]
        from assetdb.resolve.imported import imported_objects  # noqa: PLC0415 - text assets do without

        found = imported_objects(location.file, extension)
        # Objects of Unity's own theme: EntityComponentSystemSamples has its font, 2230732570650464555.
        if extension == "tss" and _DEFAULT_THEME in (read_file(location.file) or b""):
            return found._replace(missing=IMPORTER_UNKNOWN)
        return found


def _absent_content(location: Location) -> Content:
    """Return the known content of an asset of an absent package."""
    if location.package != EDITOR:
        from assetdb.packages.belonging import LOST  # noqa: PLC0415 - only for files of absent packages

        return MISSING_ASSET if location.standing in LOST else PACKAGE_NOT_PRESENT
    from assetdb.resolve.imported import editor_objects  # noqa: PLC0415 - projects of Unity 2018 and before only

    return editor_objects(location.path)


def _built_in(guid: str, file: str, file_id: int | None) -> Name:
    from assetdb.unity.engine.builtin import TITLES, built_in  # noqa: PLC0415 - only for what is built in

    title = TITLES[file]
    if file_id is None:
        return Name(guid, None, title, title, "", "")
    found = built_in(bytes.fromhex(guid), file_id)
    if found is None or not found.name:
        kind = found.class_name if found is not None else ""
        if file == "d" or kind:
            # The editor's own icons and skins are not listed, and of some objects only the class is known.
            return Name(guid, file_id, f"{title} / {file_id}", title, kind, "")
        return Name(guid, file_id, "", title, kind, BUILT_IN_UNNAMED)
    return Name(guid, file_id, f"{title} / {found.name} ({found.class_name})", title, found.class_name, "")


def _sprite(location: Location, file_id: int) -> str:
    """Return the name of a sprite on the fast path, or ``""``."""
    if kind_of(extension_of(location.path)).namer != "texture":
        return ""
    from assetdb.unity.metas.meta import sprite_name  # noqa: PLC0415 - only for textures

    return sprite_name(read_file(f"{location.file}.meta") or b"", _stem(location.path), file_id)


_NOT_YAML: Final = {"lfs": LFS_POINTER, "empty": TARGET_ABSENT, "binary": IMPORTER_UNKNOWN, "text": IMPORTER_UNKNOWN}


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _label(asset: str, root: str, found: ObjectInfo, kind: str) -> str:
    """Return asset, hierarchy and type as text, without a root named ``root``."""
    names = [name for _, name in found.chain]
    if names and asset and names[0] == root:
        del names[0]
    if found.name:
        names.append(found.name)
    path = " / ".join(filter(None, (asset, *names)))
    return f"{path} ({kind})" if kind else path


__all__ = ["Imported", "Location", "Name", "Resolver"]
