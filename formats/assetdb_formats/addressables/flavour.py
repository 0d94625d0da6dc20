"""Flavours: the choices of a catalog's writer, by package version."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from assetdb_formats.addressables.model import BUNDLE_FIELDS


class JsonFlavour(NamedTuple):
    """A way to write JSON.

    Attributes:
        name: the first package version that wrote so.
        fields: the names of the fields of the file, in their order.
        width: columns of an entry: 4 to package 0.6, 5 in 0.7 and 0.8, 7 since 1.1.3.
        compact: whether internal ids are split into prefix and rest ("optimizeCatalogSize", 1.16.8 to 1.21.2).
        text_sets: whether the key of a dependency set is its hash as decimal text (1.21.3) or as an Int32.
        seed: of the hash of dependencies: 0, or 17 since 1.28 and 2.8.
        bundle_fields: the fields of a bundle's options, for bundles that come from a binary catalog.
        bom: whether the file begins with a byte order mark (no package writes one, some tools do).
    """

    name: str
    fields: tuple[str, ...]
    width: int = 7
    compact: bool = False
    text_sets: bool = True
    seed: int = 0
    bom: bool = False
    bundle_fields: tuple[str, ...] = tuple(BUNDLE_FIELDS)


class BinaryFlavour(NamedTuple):
    """A way to write binary.

    Attributes:
        name: the first package version that wrote so.
        header_size: 28, or 32 with the hash of the build result.
        reversed_chains: whether a string chain begins with the last part.
        tail_first: whether the parts of a chain are written from its end (3.1), which moves them in the file.
        unicode_from: the first character that makes a string UTF-16: 256, or 128 since 2.9. Below it, letters of
            128 and more became question marks.
        simple_types: whether assemblies are simple names and the core library null (4.0).
        split_keys: whether text keys are split at their separator; before 1.28 they were not, only the separator noted.
    """

    name: str
    version: int
    header_size: int
    reversed_chains: bool = True
    tail_first: bool = False
    unicode_from: int = 256
    simple_types: bool = False
    split_keys: bool = True


Flavour: TypeAlias = "JsonFlavour | BinaryFlavour"

OLD_TABLES: Final = (
    "m_providerIds",
    "m_internalIds",
    "m_keyDataString",
    "m_bucketDataString",
    "m_entryDataString",
    "m_extraDataString",
)
TABLES: Final = (
    "m_ProviderIds",
    "m_InternalIds",
    "m_KeyDataString",
    "m_BucketDataString",
    "m_EntryDataString",
    "m_ExtraDataString",
)
"""Fields with the encoded tables, in the order of :data:`OLD_TABLES`, their names in 0.x."""
_PROVIDERS: Final = ("m_InstanceProviderData", "m_SceneProviderData", "m_ResourceProviderData")
_MODERN: Final = ("m_LocatorId", *_PROVIDERS, *TABLES)
_WITH_BUILD_HASH: Final = ("m_LocatorId", "m_BuildResultHash", *_MODERN[1:], "m_resourceTypes", "m_InternalIdPrefixes")
_EIGHT: Final = (
    "m_Hash",
    "m_Crc",
    "m_Timeout",
    "m_ChunkedTransfer",
    "m_RedirectLimit",
    "m_RetryCount",
    "m_BundleName",
    "m_BundleSize",
)

JSON_FLAVOURS: Final[dict[str, JsonFlavour]] = {
    flavour.name: flavour
    for flavour in (
        JsonFlavour("0.1", OLD_TABLES, width=4, text_sets=False, bundle_fields=_EIGHT),
        JsonFlavour("0.5", TABLES, width=4, text_sets=False, bundle_fields=_EIGHT),
        JsonFlavour("0.6", (*_PROVIDERS, *TABLES), width=4, text_sets=False, bundle_fields=_EIGHT),
        JsonFlavour("0.7", (*_PROVIDERS, *TABLES), width=5, text_sets=False, bundle_fields=_EIGHT),
        JsonFlavour("1.1", (*_MODERN, "m_Keys", "m_resourceTypes"), text_sets=False, bundle_fields=_EIGHT),
        JsonFlavour("1.16.8", (*_MODERN, "m_resourceTypes", "m_InternalIdPrefixes"), text_sets=False),
        JsonFlavour("1.21.1", _WITH_BUILD_HASH, text_sets=False),
        JsonFlavour("1.21.3", _WITH_BUILD_HASH),
        JsonFlavour("1.28", _WITH_BUILD_HASH, seed=17),
    )
}
BINARY_FLAVOURS: Final[dict[str, BinaryFlavour]] = {
    flavour.name: flavour
    for flavour in (
        BinaryFlavour("1.21.3", 1, 28, reversed_chains=False, split_keys=False),
        BinaryFlavour("1.21.20", 1, 32, reversed_chains=False, split_keys=False),
        BinaryFlavour("1.28", 1, 32),
        BinaryFlavour("2.0.3", 2, 28),
        BinaryFlavour("2.0.8", 2, 32),
        BinaryFlavour("2.9", 2, 32, unicode_from=128),
        BinaryFlavour("3.1", 2, 32, unicode_from=128, tail_first=True),
        BinaryFlavour("4.0", 3, 32, unicode_from=128, tail_first=True, simple_types=True),
    )
}
