"""Addressables catalogs of a build, joined with its bundles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.parts.facts import ARCHIVE, CATALOG, LAYOUT, STATE
from assetdb.builds.parts.finding import reason
from assetdb.builds.parts.naming import Nearest
from assetdb_formats.addressables.companions.finding import open_content_state, open_layout
from assetdb_formats.addressables.editing.content import unstored_primary_keys
from assetdb_formats.addressables.model import key_text
from assetdb_formats.addressables.opening import open_input
from assetdb_formats.addressables.queries.query import keys_by_location, labels_of
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from assetdb.builds.build import Build
    from assetdb_formats.addressables.companions.content_state import ContentState
    from assetdb_formats.addressables.companions.layout import BuildLayout
    from assetdb_formats.addressables.opening import OpenCatalog

_GUID: Final = re.compile(r"[0-9a-f]{32}")
# "Pack Together" and its kin: group, what is packed, and from some naming modes on the hash.
_GROUP: Final = re.compile(
    r"(?P<group>.+?)_(?:assets|scenes|unitybuiltinshaders|unitybuiltinassets|monoscripts)(?:_|\.|$)"
)
_HASHED: Final = re.compile(r"[_-]?[0-9a-f]{32}(?=\.|$)")


class CatalogBundle(NamedTuple):
    """A bundle in a catalog; ``size`` and ``crc`` may be 0.

    Attributes:
        catalog: place of the catalog among :attr:`Catalogs.opened`.
        name: of the bundle in the build.
        crc: of the decoded data.
        part: index of its part of the build, or None.
        group: from the build layout, else from the beginning of the bundle's name, or ``""``.
        is_group_known: whether the group is from a build layout.
    """

    catalog: int
    location: int
    internal_id: str
    name: str
    size: int
    crc: int
    part: int | None
    group: str
    is_group_known: bool
    labels: tuple[str, ...]


class CatalogAsset(NamedTuple):
    """An asset of a catalog.

    Attributes:
        catalog: place of the catalog among :attr:`Catalogs.opened`.
        internal_id: for loading: in most builds the path of the asset.
        address: its primary key.
        guid: its GUID, or ``""`` if the catalog has none.
        bundle: number of its bundle in :attr:`Catalogs.bundles`, or None.
        needs: places of all bundles that it needs.
    """

    catalog: int
    location: int
    internal_id: str
    address: str
    guid: str
    labels: tuple[str, ...]
    type: str
    bundle: int | None
    needs: tuple[int, ...]


class Catalogs(NamedTuple):
    """The catalogs of a build, joined with the files beside them."""

    opened: tuple[OpenCatalog, ...]
    bundles: tuple[CatalogBundle, ...]
    assets: tuple[CatalogAsset, ...]
    layouts: tuple[BuildLayout, ...]
    states: tuple[ContentState, ...]
    problems: tuple[str, ...]


def read_catalogs(build: Build) -> Catalogs:
    """Read catalogs, build layouts and content states, noting unreadable ones."""
    opened: list[OpenCatalog] = []
    places: list[str] = []
    layouts: list[BuildLayout] = []
    states: list[ContentState] = []
    problems: list[str] = []
    for part in build.parts:
        try:
            if part.kind == CATALOG:
                opened.append(open_input(part.input))
                places.append(part.name)
            elif part.kind == LAYOUT:
                layouts.append(open_layout(part.input))
            elif part.kind == STATE:
                states.append(open_content_state(part.input))
        except FormatError as error:
            # The error may be of a file beside the catalog: "settings.json beside aa/catalog.json".
            own = part.input.name in error.path
            problems.append(str(error.at(error.path.replace(part.input.name, part.name) if own else part.name)))
        except OSError as error:
            problems.append(reason(part.name, error))
    groups = {
        _plain_name(name): bundle.group or ""
        for layout in layouts
        for bundle in layout.bundles
        for name in (bundle.name, bundle.internal_name or "")
        if name
    }
    named: dict[str, list[int]] = {}
    for number, known in enumerate(build.facts):
        if known.kind == ARCHIVE:
            named.setdefault(_last(build.parts[number].name), []).append(number)
    parts = Nearest(named, lambda number: build.parts[number].name)
    bundles: list[CatalogBundle] = []
    assets: list[CatalogAsset] = []
    for number, (catalog, place) in enumerate(zip(opened, places, strict=True)):
        try:
            found = _join(number, catalog, groups, (parts, place), len(bundles))
            bundles += found[0]
            assets += found[1]
        except FormatError as error:
            problems.append(str(error.at(catalog.name)))
    return Catalogs(tuple(opened), tuple(bundles), tuple(assets), tuple(layouts), tuple(states), tuple(problems))


def _join(
    number: int,
    opened: OpenCatalog,
    groups: dict[str, str],
    parts: tuple[Nearest, str],
    first: int,
) -> tuple[list[CatalogBundle], list[CatalogAsset]]:
    """Return all bundles and assets of a catalog, or raise.

    Args:
        number: of the catalog.
        opened: it.
        groups: of the bundles that build layouts name.
        parts: of the build, by the last part of their names, and the place of the catalog among them.
        first: place of its first bundle among the bundles of all catalogs.

    Raises:
        FormatError: it is damaged.
    """
    bundles: list[CatalogBundle] = []
    assets: list[CatalogAsset] = []
    catalog = opened.catalog
    options = catalog.bundles()
    keys = keys_by_location(catalog)
    labels = labels_of(catalog)
    # Before 1.1 no primary key is stored, and a label of an earlier asset is before the address in the table.
    first_of = unstored_primary_keys(catalog)
    places = {location: first + place for place, location in enumerate(options)}
    needed: dict[int, tuple[int, ...]] = {}  # by the place of the list, which many assets share
    of_bundle: dict[int, dict[str, None]] = {}
    for location in range(catalog.location_count):
        if location in options:
            continue
        place = catalog.dependency_place(location)
        if place not in needed:
            needed[place] = tuple(places[other] for other in catalog.dependencies(location) if other in places)
        needs = needed[place]
        own = [catalog.keys[at] for at in keys[location]]
        named = tuple(key_text(catalog.keys[at]) for at in keys[location] if at in labels)
        primary = catalog.primary_key(location)
        if location in first_of:
            primary = key_text(first_of[location])
        guid = next((key for key in own if isinstance(key, str) and _GUID.fullmatch(key) and key != primary), "")
        if not guid and primary is not None and _GUID.fullmatch(primary):
            guid = primary
        assets.append(
            CatalogAsset(
                number,
                location,
                catalog.internal_id(location),
                primary or (key_text(own[0]) if own else ""),
                guid,
                named,
                str(catalog.type(location) or ""),
                needs[0] if needs else None,
                needs,
            )
        )
        if needs:
            of_bundle.setdefault(needs[0], {}).update(dict.fromkeys(named))
    for location, facts in options.items():
        internal_id = catalog.internal_id(location)
        name = facts.bundle_name or catalog.primary_key(location) or ""
        last = _last(internal_id.partition("?")[0])
        known = next((groups[key] for key in map(_plain_name, (internal_id, name)) if key in groups), None)
        found = parts[0].find(last, parts[1])
        bundles.append(
            CatalogBundle(
                number,
                location,
                internal_id,
                name,
                facts.size,
                facts.crc,
                found[0] if found else None,
                known if known is not None else group_of_name(last),
                known is not None,
                tuple(of_bundle.get(places[location], ())),
            )
        )
    return bundles, assets


def group_of_name(name: str) -> str:
    """Return the group that a bundle's name begins with, or ``""``."""
    match = _GROUP.match(_last(name))
    return match["group"] if match else ""


def without_hash(name: str) -> str:
    """Return a bundle's name without content hash, as builds share it."""
    return _HASHED.sub("", name)


def _last(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2].casefold()


def _plain_name(name: str) -> str:
    return without_hash(_last(name))
