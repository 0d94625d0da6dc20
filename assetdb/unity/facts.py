"""Facts of an asset and of its meta.

They need no ``typing``, which takes 3 ms to import.
"""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final, TypeAlias


class References(NamedTuple):
    """Distinct GUIDs, 32 lower-case digits each.

    Attributes:
        certain: they have the form of a reference: one that the project does not have is in a package, or lost.
        candidates: scalars that are references only if the project has such a GUID; others are hashes and ids.
    """

    certain: frozenset[bytes]
    candidates: frozenset[bytes]


class Occurrence(NamedTuple):
    """One reference; ``file_id`` is None where it names a whole asset."""

    offset: int
    guid: bytes
    file_id: int | None


NO_GUIDS: Final[frozenset[bytes]] = frozenset()
NO_REFERENCES: Final = References(NO_GUIDS, NO_GUIDS)


# One row of a table of sub-assets: fileID, class (0 if it is not in the table), name in UTF-8. A plain tuple, because
# unitystation has 130,000 of them and a named one takes ten times as long to make.
SubAsset: TypeAlias = tuple[int, int, bytes]


class ImporterFacts(NamedTuple):
    """The facts of a meta besides its GUID.

    The four tables are slices of the file, ``b""`` if a table is absent or empty; :mod:`assetdb.unity.metas.meta`
    decodes them. ``texture_type`` and ``sprite_mode`` are -1 if the importer has none; ``main_object``, the fileID of
    the main object, is 0 if the meta does not give it; ``texture_class`` is the class of a texture that is not flat, as
    a cubemap's 89, else 0.
    """

    importer: str = ""
    folder: bool = False
    texture_type: int = -1
    sprite_mode: int = -1
    sprites: bytes = b""
    internal_ids: bytes = b""
    recycle_names: bytes = b""
    name_file_ids: bytes = b""
    labels: tuple[str, ...] = ()
    asset_bundle_name: str = ""
    asset_bundle_variant: str = ""
    user_data: str = ""
    conflict: bool = False
    references: References = NO_REFERENCES
    main_object: int = 0
    texture_class: int = 0
