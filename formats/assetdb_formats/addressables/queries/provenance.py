"""Provenance of a catalog: possible packages, and the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.addressables.binary.reader import BinaryCatalog
from assetdb_formats.addressables.editing.content import binary_flavour, dependency_sets, json_era
from assetdb_formats.addressables.json.reader import JsonCatalog

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.companions.settings import Settings

_JSON_RANGES: Final = {
    "0.1": ("0.1", "0.4"),
    "0.5": ("0.5", "0.5"),
    "0.6": ("0.6", "0.6.8"),
    "0.7": ("0.7.4", "0.8.6"),
    "1.1": ("1.1.3", "1.16.7"),
    "1.16.8": ("1.16.8", "1.21.0"),
    "1.21.1": ("1.21.1", "4.x"),
}
_BINARY_RANGES: Final = {
    "1.21.3": ("1.21.3", "1.21.19"),
    "1.21.20": ("1.21.20", "1.27"),
    "1.28": ("1.28.0", "1.29.0"),
    "2.0.3": ("2.0.3", "2.0.6"),
    "2.0.8": ("2.0.8", "3.0"),
    "2.9": ("2.9.0", "3.0"),
    "3.1": ("3.1.0", "3.1.0"),
    "4.0": ("4.0.0", "4.x"),
}


class Provenance(NamedTuple):
    """Where a catalog came from.

    ``version`` is certain, from settings.json, or None; ``first`` and ``last`` are the packages that the file's own
    shape allows, with ``evidence`` why. ``contradiction`` is where the two disagree. ``lost`` lists what the
    writer destroyed and no reader can bring back.
    """

    version: str | None
    first: str
    last: str
    evidence: tuple[str, ...]
    contradiction: str | None
    lost: tuple[str, ...]


def provenance_of(catalog: Catalog, settings: Settings | None = None) -> Provenance:
    """Infer the packages that can have written a catalog, and the losses."""
    if isinstance(catalog, BinaryCatalog):
        first, last, evidence, lost = _binary(catalog)
    elif isinstance(catalog, JsonCatalog):
        first, last, evidence = _json(catalog)
        lost = []
    else:
        raise TypeError(type(catalog).__name__)
    version = settings.version if settings is not None else None
    contradiction = None
    if _number(first, 0) > _number(last):
        contradiction = "no package writes this mixture of fields"
    elif version is not None and not _number(first, 0) <= _number(version, 0) <= _number(last):
        contradiction = f"settings.json is of {version}, the file's shape of {first} to {last}"
    return Provenance(version, first, last, tuple(evidence), contradiction, tuple(lost))


def _number(version: str, missing: int = 1 << 30) -> tuple[int, ...]:
    """Return a version for comparison; without a patch number, the last."""
    parts = version.partition("-")[0].split(".")
    numbers = [int(part) if part.isdecimal() and part.isascii() and len(part) < 9 else 1 << 30 for part in parts]
    return (*numbers, *([missing] * (3 - len(numbers))))


def _json(catalog: JsonCatalog) -> tuple[str, str, list[str]]:
    first, last = _JSON_RANGES[json_era(catalog)]
    evidence = [f"entries have {catalog.width} columns"]
    fields = catalog.fields
    if catalog.lower_case:
        evidence.append("field names begin with a lower-case letter")
    if catalog.key_texts is not None:
        evidence.append("it has m_Keys")
    if "m_BuildResultHash" in fields:
        evidence.append("it has m_BuildResultHash")
    elif "m_InternalIdPrefixes" in fields:
        evidence.append("it has m_InternalIdPrefixes but no m_BuildResultHash")
    if catalog.prefixes:
        last = "1.21.2"
        evidence.append("internal ids are split into prefix and rest")
    bundles = next((options for index in range(catalog.location_count) if (options := catalog.bundle(index))), None)
    if bundles is not None:
        count = len(bundles.shape)
        evidence.append(f"bundle options have {count} fields")
        if count == 9:
            first, last = "1.16", "1.16.19"
        elif count == 12 and _number(first) < _number("1.17"):
            first = "1.17"
    sets, _, seed = dependency_sets(catalog)
    if sets:
        if isinstance(catalog.keys[next(iter(sets))], str):
            evidence.append("keys of dependency sets are text")
            first = max(first, "1.21.3", key=_number)
            if seed:
                evidence.append("their hash begins at 17")
                first = "1.28.0"
        else:
            evidence.append("keys of dependency sets are Int32")
            last = min(last, "1.21.2", key=_number)
    return first, last, evidence


def _binary(catalog: BinaryCatalog) -> tuple[str, str, list[str], list[str]]:
    flavour = binary_flavour(catalog)
    first, last = _BINARY_RANGES.get(flavour.name, ("1.21.3", "4.x"))
    evidence = [
        f"version {catalog.version} of the format",
        f"a header of {catalog.header_size} bytes",
        f"string chains begin with the {'last' if catalog.reversed_chains else 'first'} part",
    ]
    if flavour.tail_first:
        evidence.append("the parts of chains are written from their end")
    elif flavour.unicode_from == 128:
        evidence.append("letters of 128 to 255 are stored as UTF-16")
    lost = []
    if flavour.unicode_from == 256:
        suspects = sum(
            "?" in catalog.internal_id(index).rpartition("/")[2] and "://" not in catalog.internal_id(index)
            for index in range(catalog.location_count)
        )
        if suspects:
            lost.append(f"{suspects} file names have a question mark where a letter of 128 to 255 was")
        lost.append("dependency hashes and the default of redirect limits are not in the format")
    return first, last, evidence, lost
