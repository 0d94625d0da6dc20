"""``AddressableAssetsData``: settings, groups, entries, schemas, profiles.

Each such asset is one MonoBehaviour in YAML. Up to package 0.4, names of fields begin in lower case
(``m_serializeEntries``, ``m_guid``; a group's name is ``m_name``, besides the object's own ``m_Name``), from 0.5 on in
upper case (``m_SerializeEntries``, ``m_GUID``, ``m_GroupName``); both are read. In the first releases the settings
contain the groups themselves, in ``m_groups``, without assets and without schemas.

The fields are those in the package's own sources and in 82 groups of public projects.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.nodes import whole_mapping
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

# Scripts of the package com.unity.addressables, equal in every version.
GROUP_SCRIPT: Final = "bbb281ee3bf0b054c82ac2347e9e782c"
SETTINGS_SCRIPT: Final = "468a46d0ae32c3544b7d98094e6448a9"
COLLECTION_SCRIPT: Final = "948f5bac7ffcefe4e8dbcf04b503e79b"
_BUNDLED: Final = "e5d17a21594effb4e9591490b009e7aa"
_UPDATE: Final = "5834b5087d578d24c926ce20cd31e6d6"
_PLAYER: Final = "b1487f5d688e4f94f828f879d599dbdc"

SCENE_LIST: Final = "EditorSceneList"
"""In place of a GUID: the scenes of the build settings."""
RESOURCES: Final = "Resources"
"""In place of a GUID: everything in folders of this name."""

TOGETHER: Final = "together"
SEPARATELY: Final = "separately"
BY_LABEL: Final = "by label"
_PACKING: Final = (TOGETHER, SEPARATELY, BY_LABEL)
_COMPRESSION: Final = ("none", "LZ4", "LZMA")
_NAMING: Final = ("append hash", "no hash", "only hash", "file name hash")

LARGEST: Final = 1 << 26
"""Bytes; a larger asset is refused. A group of 2,207 entries has 330,000."""
_MOST_NODES: Final = 4_000_000
_MOST_STEPS: Final = 64  # nested variables of a profile; one that contains itself has no end
_LONGEST_VALUE: Final = 1 << 14
_EXCLUDED: Final = frozenset(("cs", "js", "boo", "exe", "dll", "meta", "preset", "asmdef"))
_GUID: Final = re.compile(r"[0-9a-fA-F]{32}")
_PACKAGE_PARTS: Final = 3  # Packages/<name>/<path>


class Entry(NamedTuple):
    """An entry of a group.

    An asset, a folder, or one of the two lists of the player's contents.

    Attributes:
        guid: 32 hex digits in lower case, or :data:`SCENE_LIST` or :data:`RESOURCES`.
        address: for loading.
        labels: in the order of the file.
        read_only: whether the editor prevents changes.
    """

    guid: str
    address: str
    labels: tuple[str, ...]
    read_only: bool


class Group(NamedTuple):
    """An Addressables group.

    ``guid`` is the group's own, which is in the names of its bundles, not its asset's; ``schemas`` are GUIDs of
    assets.
    """

    name: str
    guid: str
    read_only: bool
    entries: tuple[Entry, ...]
    schemas: tuple[str, ...]


class BundledSchema(NamedTuple):
    """The options for building a group into bundles.

    Attributes:
        included: whether a build includes it.
        packing: :data:`TOGETHER`, :data:`SEPARATELY` or :data:`BY_LABEL`.
        compression: ``none``, ``LZ4`` or ``LZMA``.
        naming: how file names include the hash.
        build_path: id of a variable of the profiles, or a path; so is ``load_path``.
        addresses: whether the catalog has them as keys; so are ``guids`` and ``labels``.
    """

    included: bool
    packing: str
    compression: str
    naming: str
    build_path: str
    load_path: str
    addresses: bool
    guids: bool
    labels: bool


class PlayerSchema(NamedTuple):
    """A group's lists of assets in the player itself."""

    scenes: bool
    resources: bool


class UpdateSchema(NamedTuple):
    """Whether content updates leave a group unchanged."""

    static: bool


class OtherSchema(NamedTuple):
    """A schema that a project or another package defines, by its script."""

    script: str


Schema = BundledSchema | PlayerSchema | UpdateSchema | OtherSchema


class Profile(NamedTuple):
    """A profile: values of variables by id, and the parent profile's id."""

    id: str
    name: str
    parent: str
    values: dict[str, str]


class Settings(NamedTuple):
    """The settings of a project's Addressables.

    Attributes:
        groups: GUIDs of the groups' assets, in the order of the settings.
        own_groups: the groups that are in the settings themselves, in the first releases.
        default_group: the group's own GUID; new entries are added to it, and shared bundles have its name.
        labels: all that are known.
        profiles: in the order of the file.
        variables: the name of each variable of the profiles by its id.
        active_profile: its id.
    """

    groups: tuple[str, ...]
    own_groups: tuple[Group, ...]
    default_group: str
    labels: tuple[str, ...]
    profiles: tuple[Profile, ...]
    variables: dict[str, str]
    active_profile: str

    def profile(self, word: str = "") -> Profile | None:
        """Return a profile by name or id (default: active), or None."""
        for profile in self.profiles:
            if word in (profile.name, profile.id) if word else profile.id == self.active_profile:
                return profile
        return None if word or not self.profiles else self.profiles[0]


def read_settings(data: bytes) -> Settings:
    """Read an AddressableAssetSettings.

    Raises:
        FormatError: it is invalid or too large.
    """
    body = _body(data)
    profiles = _mapping(_field(body, "ProfileSettings"))
    return Settings(
        tuple(filter(None, (_guid_of(item) for item in _items(_field(body, "GroupAssets"))))),
        tuple(_group(_mapping(item)) for item in _items(_field(body, "groups"))),
        _text(_field(body, "DefaultGroup")).lower(),
        _texts(_field(_mapping(_field(body, "LabelTable")), "LabelNames")),
        tuple(map(_profile, _items(_field(profiles, "Profiles")))),
        {
            _text(_field(_mapping(item), "Id")): _text(_field(_mapping(item), "Name"))
            for item in _items(_field(profiles, "ProfileEntryNames"))
        },
        _text(_field(body, "ActiveProfileId")),
    )


def settings_of_default_object(data: bytes) -> str:
    """Return the GUID of the settings of a DefaultObject, or ``""``.

    Raises:
        FormatError: it is invalid or too large.
    """
    return _checked(_text(_field(_body(data), "AddressableAssetSettingsGuid")))


def read_group(data: bytes) -> Group:
    """Read an AddressableAssetGroup.

    Raises:
        FormatError: it is invalid or too large.
    """
    body = _body(data)
    if _field(body, "SerializeEntries") is None:
        raise FormatError("is not a group: it has no m_SerializeEntries")
    return _group(body)


def read_collection(data: bytes) -> tuple[Entry, ...]:
    """Read an AddressableAssetEntryCollection.

    A group may refer to it instead of having its entries.

    Raises:
        FormatError: it is invalid or too large.
    """
    return tuple(map(_entry, _items(_field(_body(data), "SerializeEntries"))))


def read_schema(data: bytes) -> Schema:
    """Read a schema of a group.

    Raises:
        FormatError: it is invalid or too large.
    """
    body = _body(data)
    script = _guid_of(body.get("m_Script"))
    if script == _UPDATE:
        return UpdateSchema(_flag(_field(body, "StaticContent"), missing=False))
    if script == _PLAYER:
        return PlayerSchema(
            _flag(_field(body, "IncludeBuildSettingsScenes"), missing=True),
            _flag(_field(body, "IncludeResourcesFolders"), missing=True),
        )
    if script != _BUNDLED:
        return OtherSchema(script)
    return BundledSchema(
        _flag(_field(body, "IncludeInBuild"), missing=True),
        _choice(_field(body, "BundleMode"), _PACKING),
        _choice(_field(body, "Compression"), _COMPRESSION, 1),
        _choice(_field(body, "BundleNaming"), _NAMING),
        _text(_field(_mapping(_field(body, "BuildPath")), "Id")),
        _text(_field(_mapping(_field(body, "LoadPath")), "Id")),
        _flag(_field(body, "IncludeAddressInCatalog"), missing=True),
        _flag(_field(body, "IncludeGUIDInCatalog"), missing=True),
        _flag(_field(body, "IncludeLabelsInCatalog"), missing=True),
    )


def evaluate(path: str, settings: Settings, profile: Profile | None) -> str:
    """Return a schema's path with the variables of a profile.

    Values that only the editor or the running game has (``[UnityEditor...]``, ``{UnityEngine...}``) are kept as they
    are, and so is ``[BuildTarget]`` if its value is such a name. A custom path, which is no variable, may contain some.
    """
    names = {name: variable for variable, name in settings.variables.items()}
    text = _value(path, settings, profile) if path in settings.variables else path
    start = text.find("[")
    for _ in range(_MOST_STEPS):
        end = text.find("]", start)
        if start < 0 or end < 0 or len(text) > _LONGEST_VALUE:
            break
        variable = names.get(text[start + 1 : end])
        value = _value(variable, settings, profile) if variable is not None else ""
        if value and not value.startswith("[UnityEditor."):
            text = text[:start] + value + text[end + 1 :]
        else:
            start += 1
        start = text.find("[", start)
    return text


def is_remote(load_path: str) -> bool | None:
    """Whether players download assets; None if code decides."""
    scheme, separator, _ = load_path.partition("://")
    if separator and "{" not in scheme and "/" not in scheme:
        return scheme.lower().partition(":")[0] not in ("file", "jar")  # ``jar:file:///data/app/base.apk!/assets``
    return None if "{" in load_path and "{UnityEngine." not in load_path else False


def may_be_entry(path: str, settings_folder: str = "") -> bool:
    """Whether a folder entry includes an asset or folder below it.

    Args:
        path: relative to the project, with ``/``.
        settings_folder: the folder of the settings; no path with this prefix is an entry, as in Unity.
    """
    lower = path.lower()
    if not lower.startswith("assets"):
        parts = lower.split("/")
        if len(parts) < _PACKAGE_PARTS or parts[0] != "packages" or parts[2] == "package.json":
            return False
    if path == "Assets" or lower.endswith("/editor") or "/editor/" in lower:
        return False
    name = path.rpartition("/")[2]
    if "." in name and name.rpartition(".")[2] in _EXCLUDED:
        return False
    return not (settings_folder and path.startswith(settings_folder))


# --- fields -------------------------------------------------------------------------------------------------------


def _body(data: bytes) -> Mapping[str, object]:
    """Return the fields of the asset's main object.

    Raises:
        FormatError: it has none.
    """
    for document in documents(data):
        raw = data[document.start : document.end]
        if b"\n  m_Script:" not in raw:
            continue
        if len(raw) > LARGEST:
            raise FormatError(f"has {len(raw):,} bytes, at most {LARGEST:,} are read")
        return _mapping(next(iter(whole_mapping(raw, most=_MOST_NODES).values()), None))
    raise FormatError("is not an asset of Addressables: it has no object with a script")


def _field(body: Mapping[str, object], name: str) -> object:
    """Return a field by its name without ``m_``, of either era."""
    found = body.get(f"m_{name}")
    return found if found is not None else body.get(f"m_{name[:1].lower()}{name[1:]}")


def _group(body: Mapping[str, object]) -> Group:
    name = body.get("m_GroupName", body.get("m_name", body.get("m_Name")))
    schemas = _items(_field(_mapping(_field(body, "SchemaSet")), "Schemas"))
    return Group(
        _text(name),
        _own_guid(body).lower(),
        _flag(_field(body, "ReadOnly"), missing=False),
        tuple(map(_entry, _items(_field(body, "SerializeEntries")))),
        tuple(filter(None, map(_guid_of, schemas))),
    )


def _entry(item: object) -> Entry:
    body = _mapping(item)
    guid = _own_guid(body)
    return Entry(
        guid if guid in (SCENE_LIST, RESOURCES) else guid.lower(),
        _text(_field(body, "Address")),
        _texts(_field(body, "SerializedLabels")),
        _flag(_field(body, "ReadOnly"), missing=False),
    )


def _profile(item: object) -> Profile:
    body = _mapping(item)
    values = (_mapping(value) for value in _items(_field(body, "Values")))
    return Profile(
        _text(_field(body, "Id")),
        _text(_field(body, "ProfileName")),
        _text(_field(body, "InheritedParent")),
        {_text(_field(value, "Id")): _text(_field(value, "Value")) for value in values},
    )


def _value(variable: str, settings: Settings, profile: Profile | None) -> str:
    """Return a profile's own or inherited value of a variable."""
    by_id = {other.id: other for other in reversed(settings.profiles)}
    for _ in settings.profiles:
        if profile is None:
            break
        if variable in profile.values:
            return profile.values[variable]
        profile = by_id.get(profile.parent)
    return ""


def _own_guid(body: Mapping[str, object]) -> str:
    return _text(body.get("m_GUID", body.get("m_guid")))


def _guid_of(reference: object) -> str:
    """Return the GUID of ``{fileID: ..., guid: ..., type: ...}``, or ``""``."""
    return _checked(_text(_mapping(reference).get("guid")))


def _checked(text: str) -> str:
    """Return a GUID in lower case, ``""`` if it is none."""
    return text.lower() if _GUID.fullmatch(text) else ""


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> Iterator[object]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from value


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in _items(value) if isinstance(item, str))


def _flag(value: object, *, missing: bool) -> bool:
    return missing if value is None or value == "" else value != "0"


def _choice(value: object, names: tuple[str, ...], missing: int = 0) -> str:
    text = _text(value)
    number = int(text) if text.isdecimal() and text.isascii() and len(text) < 9 else missing
    return names[number] if number < len(names) else names[missing]
