"""Real catalogs against what two independent readers said of them."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.addressables.binary.writer import encode_binary
from assetdb_formats.addressables.companions.content_state import read_content_state
from assetdb_formats.addressables.companions.layout import read_layout
from assetdb_formats.addressables.companions.settings import read_settings
from assetdb_formats.addressables.editing.content import Content, content_of
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS, Flavour, JsonFlavour
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.tagged import bundle_json, bundle_options
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.addressables.model import BUNDLE_FIELDS, Hash128
from assetdb_formats.addressables.queries.diff import diff_catalogs
from assetdb_formats.addressables.queries.provenance import provenance_of
from assetdb_formats.addressables.queries.verify import verify_catalog
from assetdb_formats.addressables.reading import read_catalog, text_of_bundle
from assetdb_formats.unityfs.bundle import content_crc32

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog

pytestmark = pytest.mark.corpus("addressables")


def real_catalogs(corpus: Path) -> list[Path]:
    data = corpus / "addressables" / "data"
    found = [
        path
        for path in sorted(data.glob("*/*catalog*"))
        if path.suffix in (".json", ".bin") and path.parent.name != "derived"
    ]
    assert len(found) == 68
    return found


@cache
def read(path: Path) -> Catalog:
    return read_catalog(path.read_bytes())


def encode(content: Content, flavour: Flavour) -> bytes:
    return (encode_json(content, flavour) if isinstance(flavour, JsonFlavour) else encode_binary(content, flavour))[0]


def plain(key: object) -> object:
    return ["hash128", key.digits] if isinstance(key, Hash128) else key


def as_oracle(catalog: Catalog) -> list[Any]:
    resources = []
    for at, key in enumerate(catalog.keys):
        rows = []
        for index in catalog.key_locations(at):
            location = catalog.location(index)
            options = catalog.bundle(index)
            needed = (
                plain(location.dependency_key)
                if catalog.kind == "json"
                else [catalog.primary_key(other) for other in location.dependencies]
            )
            rows.append(
                [
                    location.internal_id,
                    location.provider,
                    str(location.primary_key),
                    location.type.name if location.type else None,
                    needed,
                    {name: getattr(options, field) for name, field in BUNDLE_FIELDS.items()} if options else None,
                ]
            )
        resources.append([plain(key), rows])
    return resources


@pytest.mark.long
def test_every_catalog_is_as_its_oracle_says(corpus: Path) -> None:
    oracles = sorted((corpus / "addressables" / "oracle").glob("*.oracle.json.gz"))
    assert len(oracles) == 78
    for path in oracles:
        oracle = json.loads(gzip.decompress(path.read_bytes()))
        name = path.name.removesuffix(".oracle.json.gz").replace("__", "/")
        catalog = read(corpus / "addressables" / "data" / name)
        assert catalog.locator_id == oracle["locator_id"], name
        assert (catalog.build_result_hash or None) == (oracle["build_hash"] or None), name
        assert (len(catalog.keys), catalog.location_count) == (oracle["nkeys"], oracle["nlocations"]), name
        assert as_oracle(catalog) == oracle["resources"], name
        assert list(catalog.locations()) == [catalog.location(at) for at in range(catalog.location_count)], name


@pytest.mark.long
def test_every_catalog_is_written_again_byte_for_byte(corpus: Path) -> None:
    derived = corpus / "addressables" / "data" / "derived"
    files = [*real_catalogs(corpus), *sorted(derived.glob("*.json")), *sorted(derived.glob("*.bin"))]
    assert len(files) == 81
    for path in files:
        content = content_of(read(path))
        assert encode(content, content.flavour) == path.read_bytes(), path.name


def without_who_is_who(content: Content) -> tuple[object, ...]:
    """Everything but which of several equal entries a key means, as they share a place in a binary catalog.

    The key table stays in its order and each list of entries in its own.
    """
    entries = [
        (entry.keys[0], entry.internal_id, entry.provider, entry.type, tuple(entry.dependencies), entry.data)
        for entry in content.entries
    ]
    keys = [(key, [entries[number] for number in named]) for key, named in content.key_table().items()]
    header = content.locator_id, content.build_result_hash, content.instance_provider, content.scene_provider
    return (*header, content.resource_providers, content.other_fields.keys(), keys, Counter(entries))


@pytest.mark.long
def test_conversion_there_and_back(corpus: Path) -> None:
    merged = 0
    for path in real_catalogs(corpus):
        content = content_of(read(path))
        if not isinstance(content.flavour, JsonFlavour):
            there = encode(content, JSON_FLAVOURS["1.28"])
            assert encode(content_of(read_catalog(there)), content.flavour) == path.read_bytes(), path.name
            continue
        there, losses = encode_binary(content, BINARY_FLAVOURS["2.0.8"])
        assert {loss.code for loss in losses} <= {"redirect", "merged"}
        back = encode(content_of(read_catalog(there)), content.flavour)
        for entry in content.entries:  # what is said to be lost: the default of redirect limits
            options = bundle_options(entry.data)
            if options is not None and options.redirect_limit < 0:
                entry.data = bundle_json(options._replace(redirect_limit=32))
        if any(loss.code == "merged" for loss in losses):
            assert without_who_is_who(content_of(read_catalog(back))) == without_who_is_who(content), path.name
            merged += 1
        else:
            assert back == encode(content, content.flavour), path.name
    assert merged == 6


@pytest.mark.long
def test_nothing_is_wrong_with_real_catalogs(corpus: Path) -> None:
    compared: dict[str, int] = {}
    for path in real_catalogs(corpus):
        for check in verify_catalog(read(path)):
            assert check.passed, f"{path.name}: {check}"
            compared[check.name] = compared.get(check.name, 0) + check.compared
        assert provenance_of(read(path)).contradiction is None, path.name
    assert compared["dependency hashes"] > 60_000
    assert compared["dependency sets"] > 1_000


@pytest.mark.long
def test_hash_files_are_reproduced(corpus: Path) -> None:
    data = corpus / "addressables" / "data"
    wanted = {path.read_text().strip() for path in data.glob("*/*.hash")}
    assert len(wanted) == 65
    contents = [path.read_bytes() for path in real_catalogs(corpus)]
    contents += [text_of_bundle(path.read_bytes()) for path in catalog_bundles(corpus)]
    found = {content_hash(content, method=method) for content in contents for method in ("spooky", "md5")}
    assert found >= wanted


def catalog_bundles(corpus: Path) -> list[Path]:
    found = sorted((corpus / "addressables" / "data").glob("*/*catalog*.bundle"))
    assert len(found) == 18
    return found


def test_catalog_bundles_open_and_match_a_hash_beside_them(corpus: Path) -> None:
    for path in catalog_bundles(corpus):
        data = path.read_bytes()
        catalog = read_catalog(data)
        assert catalog.location_count > 0
        beside = {other.read_text().strip() for other in path.parent.glob("*.hash")}
        text = text_of_bundle(data)
        assert {content_hash(text, method=method) for method in ("spooky", "md5")} & beside, path.name


@pytest.mark.corpus("addressables", "unityfs")
def test_bundles_have_the_crc_that_their_catalog_says(corpus: Path) -> None:
    bundles = {
        path.name.split("_", 1)[1]: path for path in (corpus / "unityfs" / "Wwise-Addressables").glob("*.bundle")
    }
    compared = 0
    for path in (corpus / "addressables" / "data").glob("*/*.json"):
        if "wwise" not in path.as_posix().lower() or "catalog" not in path.name:
            continue
        catalog = read(path)
        for index, options in catalog.bundles().items():
            place = bundles.get(catalog.internal_id(index).replace("\\", "/").rpartition("/")[2])
            if place is not None:
                assert content_crc32(place.read_bytes()) == options.crc
                compared += 1
    assert compared >= 2


@pytest.mark.long
def test_build_layouts_agree_with_their_catalogs(corpus: Path) -> None:
    folder = corpus / "addressables" / "data" / "pinpoint"
    layouts = [read_layout(path.read_bytes()) for path in sorted(folder.glob("*buildlayout*"))]
    assert len(layouts) == 20
    catalogs = [read(path) for path in real_catalogs(corpus) if path.parent == folder]
    agreeing = bundles = assets = 0
    for catalog in catalogs:
        for layout in layouts:
            check = next(one for one in verify_catalog(catalog, layout=layout) if one.name == "build layout")
            if layout.build_hash is not None and check.passed:
                agreeing += 1
                bundles += len(layout.bundles)
                assets += len(layout.assets)
    assert (agreeing, bundles, assets) == (4, 33, 36)


def test_settings_of_every_version(corpus: Path) -> None:
    files = sorted((corpus / "addressables" / "data").glob("*/*settings.json"))
    found = [read_settings(path.read_bytes()) for path in files]
    assert len(found) == 33
    assert all(settings.version and settings.catalogs for settings in found)


def test_content_states(corpus: Path) -> None:
    files = sorted((corpus / "addressables" / "data").glob("*/*content_state.bin"))
    states = [read_content_state(path.read_bytes()) for path in files]
    assert [(len(state.assets), len(state.bundles)) for state in states] == [(9, 5), (3, 1682), (0, 1), (3, 1683)]
    for state in states:
        assert all(len(asset.guid) == 32 and len(asset.hash) == 32 for asset in state.assets)
        assert all(bundle.options["m_Hash"] in bundle.file for bundle in state.bundles)


def test_a_series_of_builds_is_compared(corpus: Path) -> None:
    builds = [read(path) for path in real_catalogs(corpus) if path.parent.name == "memorium"]
    for before, after in pairwise(builds):
        there, back = diff_catalogs(before, after), diff_catalogs(after, before)
        assert (there.keys_added, there.keys_removed) == (back.keys_removed, back.keys_added)
        assert (
            there.is_empty == (there.build_hash[0] == there.build_hash[1] and not there.assets_changed) or there.bundles
        )
    assert diff_catalogs(builds[0], builds[0]).is_empty


def test_json_and_binary_of_one_catalog_do_not_differ(corpus: Path) -> None:
    for path in real_catalogs(corpus)[::7]:
        catalog = read(path)
        flavour = BINARY_FLAVOURS["4.0"] if isinstance(catalog, JsonCatalog) else JSON_FLAVOURS["1.28"]
        if isinstance(catalog, JsonCatalog) and catalog.width < 7:
            continue
        assert diff_catalogs(catalog, read_catalog(encode(content_of(catalog), flavour))).is_empty, path.name


PEER = """
import json, sys
import addressablestools

def options(data):
    if not isinstance(data, addressablestools.AssetBundleRequestOptions):
        return None
    common = data.common_info
    return [data.hash, data.crc, data.bundle_name, data.bundle_size, common.timeout, common.redirect_limit,
        common.retry_count, common.asset_load_mode.value, common.chunked_transfer, common.use_crc_for_cached_bundle,
        common.use_unity_web_request_for_local_bundles, common.clear_other_cached_versions_when_loaded]

def row(location):
    key, needed, kind = location.dependency_key, location.dependencies, location.type
    return [location.internal_id, location.provider_id, location.primary_key,
        [kind.assembly_name, kind.class_name] if kind else None, None if key is None else str(key),
        location.dependency_hash_code,
        None if needed is None else [[other.internal_id, other.primary_key] for other in needed],
        options(location.data)]

for path in sys.stdin.read().split():
    raw = open(path, "rb").read()
    try:
        found = addressablestools.parse(raw.decode("utf-8") if raw[:1] == b"{" else raw)
    except Exception:
        print(json.dumps([path, None]))
        continue
    print(json.dumps([path, [[str(key), [row(location) for location in locations]]
        for key, locations in found.resources.items()]]))
"""


def as_peer(catalog: Catalog) -> list[Any]:
    """A catalog as the script above prints it: JSON catalogs store a dependency key, binary ones the dependencies."""

    def options(index: int) -> list[object] | None:
        found = catalog.bundle(index)
        if found is None:
            return None
        return [
            found.hash, found.crc, found.bundle_name, found.size, found.timeout, found.redirect_limit,
            found.retry_count, found.asset_load_mode, found.chunked_transfer, found.use_crc_for_cached,
            found.use_web_request_for_local, found.clear_other_versions,
        ]  # fmt: skip

    def row(index: int) -> list[object]:
        location = catalog.location(index)
        key = location.dependency_key
        needed = [[catalog.internal_id(other), catalog.primary_key(other)] for other in location.dependencies]
        return [
            location.internal_id, location.provider, location.primary_key,
            list(location.type) if location.type else None, None if key is None else str(key),
            location.dependency_hash, needed if catalog.kind == "binary" else None, options(index),
        ]  # fmt: skip

    rows = list(map(row, range(catalog.location_count)))
    return [[str(key), [rows[index] for index in catalog.key_locations(at)]] for at, key in enumerate(catalog.keys)]


@pytest.mark.long
def test_addressablestools_reads_the_same(corpus: Path) -> None:
    """The PyPI package needs Python 3.12; ASSETDB_ADDRESSABLESTOOLS names an interpreter that has it."""
    python = os.environ.get("ASSETDB_ADDRESSABLESTOOLS", sys.executable)
    try:
        probe = subprocess.run([python, "-c", "import addressablestools"], capture_output=True, check=False)
    except OSError as error:
        pytest.skip(f"ASSETDB_ADDRESSABLESTOOLS: {error}")
    if probe.returncode:
        pytest.skip(f"{python} has no addressablestools (pip install addressablestools, Python 3.12)")
    files = real_catalogs(corpus)
    done = subprocess.run(
        [python, "-c", PEER], input="\n".join(map(str, files)), capture_output=True, text=True, check=True
    )
    compared = bundles = needed = 0
    for line in done.stdout.splitlines():
        path, theirs = json.loads(line)
        if theirs is None:
            continue
        catalog = read(Path(path))
        assert as_peer(catalog) == theirs, path
        compared += 1
        bundles += sum(options is not None for _, rows in theirs for *_, options in rows)
        needed += sum(bool(row[4] or row[6]) for _, rows in theirs for row in rows)
    assert compared >= 60
    assert bundles > 5_000
    assert needed > 50_000
