"""Data model of a catalog, independent of its format.

Everything here is a plain fact without behaviour. They are named tuples rather than msgspec structs
because a one-shot query on the largest real catalog takes 40 ms in all and importing msgspec takes 18.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Hash128(NamedTuple):
    """A 128-bit hash or GUID as Unity prints it: 32 hexadecimal digits."""

    digits: str

    def __str__(self) -> str:
        return self.digits


class Number(NamedTuple):
    """A number of another type than Int32.

    ``kind`` is UInt16, UInt32, Int64 or Boolean; an Int32 is a plain ``int``.
    """

    value: int
    kind: str

    def __str__(self) -> str:
        return str(bool(self.value)) if self.kind == "Boolean" else str(self.value)


class TypeName(NamedTuple):
    """A .NET type: the full name of its assembly, and its class.

    The assembly is None in version 3 binaries for the core library.
    """

    assembly: str | None
    name: str

    def __str__(self) -> str:
        return self.name


class JsonObject(NamedTuple):
    """An object as Unity's JSON text, of a type the catalog names."""

    type: TypeName
    text: str

    def __str__(self) -> str:
        return self.text


class Opaque(NamedTuple):
    """An object of an unknown type: its offset, and nothing more.

    The byte offset is of a binary catalog, or None where the object was null.
    """

    type: TypeName
    offset: int | None

    def __str__(self) -> str:
        return self.type.name


class LoadRequestOptions(NamedTuple):
    """ProviderLoadRequestOptions of a hash or catalog file (binary, since 2.9)."""

    ignore_failures: bool
    timeout: int  # seconds without data, 0 = none
    cache_path: str | None = None


class DirectoryAsset(NamedTuple):
    """Ids in a content directory in place of a bundle (4.0).

    They are fields of ContentDirectoryAssetData; -1 means that the location is not of that sort.
    """

    asset_id: int
    scene_id: int
    sub_ids: tuple[int, ...] = ()
    load_path: str | None = None


class BundleOptions(NamedTuple):
    """Identity and download options of a bundle (AssetBundleRequestOptions).

    ``size`` is the bundle file in bytes (a binary catalog keeps only its low 32 bits), ``crc`` 0 means not checked,
    ``timeout`` seconds without data (0 = none), ``redirect_limit`` -1 the engine's default.
    ``shape`` is the fields that a JSON catalog had, in their order; empty for a binary one, which has them all. Missing
    ones have the defaults.
    """

    hash: str = ""
    crc: int = 0
    timeout: int = 0
    chunked_transfer: bool = False
    redirect_limit: int = -1
    retry_count: int = 0
    bundle_name: str | None = ""
    asset_load_mode: int = 0
    size: int = 0
    use_crc_for_cached: bool = False
    use_web_request_for_local: bool = False
    clear_other_versions: bool = False
    shape: tuple[str, ...] = ()
    type: TypeName | None = None


class ProviderData(NamedTuple):
    """ObjectInitializationData: a provider that the game makes when it starts."""

    id: str | None
    type: TypeName | None
    data: str | None


Key: TypeAlias = "str | int | Hash128 | Number | TypeName | JsonObject | Opaque | None"
Data: TypeAlias = "Key | BundleOptions | LoadRequestOptions | DirectoryAsset"


class Location(NamedTuple):
    """A loadable item: an asset as one type, a scene, or bundle.

    Also a file in Resources. ``number`` is its index in the catalog's location table. ``dependencies`` are indices of
    other locations, in loading order. ``dependency_key`` is stored instead by a JSON catalog (None: none).
    ``dependency_hash`` is as stored; 0 in every binary catalog. ``type`` and ``primary_key`` are None before 1.1.
    """

    number: int
    primary_key: str | None
    internal_id: str
    provider: str
    type: TypeName | None
    dependency_key: Key
    dependency_hash: int
    dependencies: tuple[int, ...]
    data: Data


class Problem(NamedTuple):
    """Something that a salvaging read or a verification found.

    ``code`` is stable. ``offset`` is a byte offset in ``part`` (``file`` or the name of the encoded field), or None.
    """

    code: str
    message: str
    field: str = ""
    offset: int | None = None
    part: str = "file"

    def __str__(self) -> str:
        if self.offset is None and not self.field:
            return f"{self.code}: {self.message}"
        at = "" if self.offset is None else f" at offset {self.offset}"
        return f"{self.code}: {self.field or self.part}{at}: {self.message}"


# Field of the JSON object, field of BundleOptions: in the order of 1.17 and later.
BUNDLE_FIELDS: dict[str, str] = {
    "m_Hash": "hash",
    "m_Crc": "crc",
    "m_Timeout": "timeout",
    "m_ChunkedTransfer": "chunked_transfer",
    "m_RedirectLimit": "redirect_limit",
    "m_RetryCount": "retry_count",
    "m_BundleName": "bundle_name",
    "m_AssetLoadMode": "asset_load_mode",
    "m_BundleSize": "size",
    "m_UseCrcForCachedBundles": "use_crc_for_cached",
    "m_UseUWRForLocalBundles": "use_web_request_for_local",
    "m_ClearOtherCachedVersionsWhenLoaded": "clear_other_versions",
}
BUNDLE_OPTIONS_CLASS = "UnityEngine.ResourceManagement.ResourceProviders.AssetBundleRequestOptions"
RESOURCE_MANAGER_ASSEMBLY = "Unity.ResourceManager, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null"


def full_type(kind: TypeName, core_assembly: str) -> TypeName:
    """Return a type with its assembly's full name.

    Every file has it but a version 3 binary. A simple name has no version; the assemblies of
    Unity and of a project are all 0.0.0.0.
    """
    assembly = kind.assembly
    if assembly is None:
        return TypeName(core_assembly, kind.name)
    if assembly and "," not in assembly:
        return TypeName(f"{assembly}, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null", kind.name)
    return kind


def key_text(key: Key) -> str:
    """Return a key as text, as Unity's ``ToString`` does."""
    return "" if key is None else str(key)


def key_to_plain(key: Key) -> object:
    """Return a key as plain JSON values.

    Text and Int32 are kept; any other has its kind beside it.
    """
    if key is None or isinstance(key, str | int):
        return key
    if isinstance(key, Hash128):
        return {"hash128": key.digits}
    if isinstance(key, Number):
        return {key.kind.lower(): bool(key.value) if key.kind == "Boolean" else key.value}
    if isinstance(key, TypeName):
        return {"type": list(key)}
    if isinstance(key, JsonObject):
        return {"type": list(key.type), "json": key.text}
    return {"type": list(key.type), "offset": key.offset}
