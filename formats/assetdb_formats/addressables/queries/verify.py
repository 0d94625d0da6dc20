"""Verification of a catalog: hashes, tables, bundles, build layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.addressables.editing.content import dependency_sets
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.hashes import content_hash, fold_hashes, key_hash
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.tagged import is_bundle_options, read_tagged
from assetdb_formats.addressables.model import Problem, key_text
from assetdb_formats.addressables.queries.query import keys_by_location
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.companions.layout import BuildLayout
    from assetdb_formats.addressables.model import BundleOptions
    from assetdb_formats.processes import Progress

_KEPT = 1000
_LONG = 16


class Check(NamedTuple):
    """One thing that was proved or not.

    ``compared`` is how many facts were compared, ``wrong`` how many problems there are; ``problems`` holds the first
    thousand of them.
    """

    name: str
    compared: int
    problems: tuple[Problem, ...]
    note: str = ""
    wrong: int = 0

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.wrong


class _Findings(list[Problem]):
    """The first problems, and the number of all (hostile files have many)."""

    total = 0

    def append(self, problem: Problem) -> None:
        self.total += 1
        if len(self) < _KEPT:
            super().append(problem)

    def add(self, code: str, message: str, field: str, offset: int | None = None, part: str = "file") -> None:
        self.append(Problem(code, message, field, offset, part))

    def check(self, name: str, compared: int, note: str = "") -> Check:
        return Check(name, compared, tuple(self), note, self.total)


class BundleFile(NamedTuple):
    """A bundle file: its size, and a function for its CRC-32.

    The CRC is of the decoded blocks. The function raises FormatError or OSError.
    """

    size: int
    crc: Callable[[], int]


def verify_catalog(
    catalog: Catalog,
    *,
    hash_text: str | None = None,
    layout: BuildLayout | None = None,
    bundle_file: Callable[[str], BundleFile | None] | None = None,
    lone_is_fine: bool = False,
    progress: Progress = None,
) -> list[Check]:
    """Check everything that can be checked without the game.

    ``hash_text`` is the content of the ``.hash`` file, ``layout`` the build layout of the same build, ``bundle_file``
    finds a bundle by its internal id, None where it is not there, and raises KeyError for one that is not a local file.
    With ``lone_is_fine`` it is nothing wrong that none of the local ones is there. ``progress`` is called with the
    bytes of bundles whose CRC was taken and the bytes of all bundles: what takes the time.
    Raises AddressablesError only where a strict catalog's objects do not decode.
    """
    checks = [_tables(catalog), _keys(catalog)]
    if isinstance(catalog, JsonCatalog):
        checks.append(_layout_of_tables(catalog))
        checks.append(_dependency_hashes(catalog))
        checks.append(_sets(catalog))
    checks.append(_objects(catalog))
    if hash_text is not None:
        checks.append(_hash(catalog, hash_text))
    if layout is not None:
        checks.append(_against_layout(catalog, layout))
    if bundle_file is not None:
        checks.append(_files(catalog, bundle_file, progress, lone_is_fine=lone_is_fine))
    return checks


def _tables(catalog: Catalog) -> Check:
    """Everything decodes, and every location has a key."""
    problems = _Findings()
    for problem in catalog.problems:
        problems.append(problem)
    keys = keys_by_location(catalog)
    needed: dict[int, frozenset[int]] = {}  # of long lists, which locations share
    for index, places in enumerate(keys):
        if not places:
            name = catalog.internal_id(index)
            problems.add("keyless", f"no key names {name!r}", f"locations[{index}]")
        primary = catalog.primary_key(index)
        if primary is not None and places and primary not in {key_text(catalog.keys[at]) for at in places}:
            problems.add("primary-key", f"its primary key {primary!r} is not one of its keys", f"locations[{index}]")
        if _needs_itself(catalog, index, needed):
            problems.add("cycle", f"{primary!r} depends on itself", f"locations[{index}]")
    return problems.check("tables", len(catalog.keys) + catalog.location_count)


def _needs_itself(catalog: Catalog, index: int, known: dict[int, frozenset[int]]) -> bool:
    """Whether a location is among its dependencies."""
    place = catalog.dependency_place(index)
    found = known.get(place)
    if found is None:
        needed = catalog.dependencies(index)
        if len(needed) < _LONG:
            return index in needed
        found = known[place] = frozenset(needed)
    return index in found


def _keys(catalog: Catalog) -> Check:
    problems = _Findings()
    index = catalog.key_index
    for at, key in enumerate(catalog.keys):
        if index[key] != at:
            problems.add("duplicate-key", f"duplicate key {key_text(key)!r}", f"keys[{at}]")
        if not catalog.key_locations(at):
            problems.add("dangling-key", f"{key_text(key)!r} names nothing", f"keys[{at}]")
    return problems.check("keys", len(catalog.keys))


def _layout_of_tables(catalog: JsonCatalog) -> Check:
    """Check that keys are contiguous, and as many as the buckets."""
    name = catalog.blob_name("KeyData")
    problems = _Findings()
    blob = catalog.key_data()
    stored = int.from_bytes(blob[:4], "little", signed=True)
    if stored != len(catalog.keys):
        problems.add("count", f"counts {stored} keys for {len(catalog.keys)} buckets", name, 0, name)
    expected = 4
    for at in range(len(catalog.keys)):
        offset = catalog.key_offset(at)
        if offset != expected:
            problems.add(
                "layout", f"begins at {offset}, the one before ends at {expected}", f"{name}[{at}]", offset, name
            )
        try:
            expected = read_tagged(blob, offset, f"{name}[{at}]")[1]
        except AddressablesError:
            break  # noted when the keys were read
    return problems.check("key table", len(catalog.keys))


def _dependency_hashes(catalog: JsonCatalog) -> Check:
    """Check that each entry's dependency hash is its key's fold."""
    if catalog.width < 5:
        return Check("dependency hashes", 0, (), "rows of 4 columns have none")
    problems = _Findings()
    memo: dict[int, tuple[int, ...]] = {-1: (0, 17)}
    compared = 0
    for index in range(catalog.location_count):
        row = catalog.row(index)
        allowed = memo.get(row[2])
        if allowed is None:
            number = key_hash(catalog.keys[row[2]])
            allowed = () if number is None else (fold_hashes((number,)), fold_hashes((number,), 17))
            memo[row[2]] = allowed
        if not allowed:
            continue
        compared += 1
        if row[3] not in allowed:
            message = f"is {row[3]}, the key {key_text(catalog.dependency_key(index))!r} gives {allowed[0]}"
            problems.add(
                "dependency-hash", message, f"entries[{index}].dependencyHash", 4 + (index * catalog.width + 3) * 4
            )
    return problems.check("dependency hashes", compared)


def _sets(catalog: JsonCatalog) -> Check:
    good, bad, seed = dependency_sets(catalog)
    if not catalog.has_types:
        note = f"{len(good):,} of them; how they are hashed is not known before 1.1" if good else ""
        return Check("dependency sets", 0, (), note)
    problems = _Findings()
    for at in bad:
        problems.add("dependency-set", f"{key_text(catalog.keys[at])} is not the hash of what it names", f"keys[{at}]")
    return problems.check("dependency sets", len(good) + len(bad), f"seed {seed}" if seed else "")


def _objects(catalog: Catalog) -> Check:
    problems = _Findings()
    before = len(catalog.problems)
    count = 0
    for index in range(catalog.location_count):
        data = catalog.location_data(index)
        count += data is not None
        if is_bundle_options(data) and catalog.bundle(index) is None:
            problems.add("bundle-options", "are not the JSON that they should be", f"locations[{index}].data")
    for problem in catalog.problems[before:]:
        problems.append(problem)
    return problems.check("objects", count)


def _hash(catalog: Catalog, text: str) -> Check:
    wanted = text.strip().lower()
    found = {method: content_hash(catalog.data, method=method) for method in ("spooky", "md5")}
    for method, digits in found.items():
        if digits == wanted:
            return Check("hash file", 1, (), "SpookyHash V2" if method == "spooky" else "MD5")
    message = f"is {wanted}; the catalog's is {found['spooky']} (SpookyHash V2) or {found['md5']} (MD5)"
    return Check("hash file", 1, (Problem("hash", message, ".hash"),), "", 1)


def _against_layout(catalog: Catalog, layout: BuildLayout) -> Check:
    problems = _Findings()
    compared = 0
    if layout.build_hash is not None:
        compared += 1
        if layout.build_hash != catalog.build_result_hash:
            message = f"is {catalog.build_result_hash}, the layout's {layout.build_hash}"
            problems.add("build-hash", message, "m_BuildResultHash")
    by_path = {catalog.internal_id(index): options for index, options in catalog.bundles().items()}
    for bundle in layout.bundles:
        if bundle.load_path is None:
            continue
        compared += 1
        options = by_path.get(bundle.load_path)
        if options is None:
            problems.add("layout-bundle", f"{bundle.load_path} is not in the catalog", "bundles")
            continue
        size = bundle.size if catalog.kind == "json" else bundle.size & 0xFFFFFFFF
        crc = bundle.crc if options.crc else 0  # zero is "do not check", whatever the build computed
        pairs = (("size", size, options.size), ("CRC", crc, options.crc), ("hash", bundle.hash, options.hash))
        for what, wanted, found in pairs:
            if wanted is not None and wanted != found:
                problems.add("layout-bundle", f"{bundle.name}: {what} is {found}, the layout's {wanted}", "bundles")
    for asset in layout.assets:
        compared += 1
        named = catalog.locate(asset.address) or catalog.locate(asset.guid)
        ids = {catalog.internal_id(index) for index in named}
        if not named:
            problems.add("layout-asset", f"{asset.address} is not in the catalog", "keys")
        elif asset.internal_id is not None and asset.internal_id not in ids:
            message = f"{asset.address} loads {sorted(ids)}, the layout's internal id is {asset.internal_id}"
            problems.add("layout-asset", message, "keys")
    return problems.check("build layout", compared)


def _files(
    catalog: Catalog,
    bundle_file: Callable[[str], BundleFile | None],
    progress: Progress,
    *,
    lone_is_fine: bool,
) -> Check:
    """Check the size and, where the catalog has it, CRC-32 of bundles."""
    problems = _Findings()
    remote = 0
    files: list[tuple[int, str, BundleOptions, BundleFile | None]] = []
    for index, options in catalog.bundles().items():
        internal_id = catalog.internal_id(index)
        try:
            files.append((index, internal_id, options, bundle_file(internal_id)))
        except KeyError:
            remote += 1
    elsewhere = f"{remote:,} others are not local files" if remote else ""
    if lone_is_fine and files and all(file is None for *_, file in files):
        # Catalogs are handed around without their bundles: a repository, a download, a copy for a look.
        note = f"not here, none of {len(files):,}"
        return Check("bundle files", 0, (), f"{note}; {elsewhere}" if elsewhere else note)
    read, total = 0, sum(file.size for _, _, options, file in files if file is not None and options.crc)
    for index, internal_id, options, file in files:
        field = f"locations[{index}]"
        if file is None:
            problems.add("missing-bundle", f"{internal_id} is not there", field)
            continue
        if options.size and (file.size if catalog.kind == "json" else file.size & 0xFFFFFFFF) != options.size:
            problems.add("bundle-size", f"{internal_id} has {file.size} bytes, in the catalog {options.size}", field)
        if options.crc:
            if progress is not None:
                progress(read, total)
            read += file.size
            try:
                crc = file.crc()
            except FormatError as error:
                problems.add("bundle-damaged", f"{internal_id}: {error}", field)
                continue
            if crc != options.crc:
                message = f"{internal_id} has the CRC {crc:08x}, in the catalog {options.crc:08x}"
                problems.add("bundle-crc", message, field)
    return problems.check("bundle files", len(files), elsewhere)
