"""What packages before 1.16.8 wrote otherwise: keys of dependency sets, primary keys, m_Keys, bundles without hash."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb_formats.addressables.editing.content import content_of
from assetdb_formats.addressables.editing.edit import change_bundles, rename_key, replace_prefix
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS, Flavour, JsonFlavour
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.addressables.model import key_text
from assetdb_formats.addressables.queries.diff import diff_catalogs
from assetdb_formats.addressables.queries.verify import verify_catalog
from assetdb_formats.addressables.reading import read_catalog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb_formats.addressables.editing.content import Content

    Encode = Callable[[Content, Flavour], bytes]

OLD = ("0.1", "0.5", "0.6", "0.7")


@pytest.fixture(params=OLD)
def old(request: pytest.FixtureRequest, content: Content, encode: Encode) -> bytes:
    """A catalog of 0.x whose sets of dependencies have numbers that no formula gives."""
    flavour = JSON_FLAVOURS[request.param]
    rename_key(content, "Prefabs/영웅/Held ü.prefab", "Prefabs/Held.prefab")  # binary packages lost letters
    replace_prefix(content, "Assets/Prefabs/영웅/Held ü.prefab", "Assets/Prefabs/Held.prefab")
    read = content_of(read_catalog(encode(content, flavour)))
    assert len(read.set_numbers) == 3
    read.set_numbers = {names: 117477111 + at for at, names in enumerate(read.set_numbers)}
    return encode(read, flavour)


def test_sets_before_1_1_are_not_judged_and_keep_their_numbers(old: bytes, encode: Encode) -> None:
    catalog = read_catalog(old)
    checks = verify_catalog(catalog)
    assert all(check.passed for check in checks)
    assert [check.note for check in checks if check.name == "dependency sets"] == [
        "3 of them; how they are hashed is not known before 1.1"
    ]
    content = content_of(catalog)
    assert content.losses == []
    assert encode(content, content.flavour) == old


@pytest.mark.parametrize(
    "name", [*(f"json {name}" for name in JSON_FLAVOURS), *(f"binary {n}" for n in BINARY_FLAVOURS)]
)
def test_an_old_catalog_and_the_same_build_in_another_format_do_not_differ(
    old: bytes, encode: Encode, name: str
) -> None:
    kind, _, version = name.partition(" ")
    flavour: Flavour = JSON_FLAVOURS[version] if kind == "json" else BINARY_FLAVOURS[version]
    before = read_catalog(old)
    after = read_catalog(encode(content_of(before), flavour))
    assert diff_catalogs(before, after).is_empty
    assert diff_catalogs(after, before).is_empty
    assert all(check.passed for check in verify_catalog(after))


def test_a_label_of_an_earlier_asset_does_not_become_the_primary_key(content: Content, encode: Encode) -> None:
    # "preload" is in the table before the keys of Hero, its second asset.
    catalog = read_catalog(encode(content, JSON_FLAVOURS["0.6"]))
    hero = next(entry for entry in content_of(catalog).entries if entry.internal_id == "Assets/Prefabs/Hero.prefab")
    assert hero.keys[0] == "Prefabs/Hero.prefab"


def test_a_real_change_still_shows_between_an_old_catalog_and_a_new_one(old: bytes, encode: Encode) -> None:
    changed = content_of(read_catalog(old))
    change_bundles(changed, lambda _, options: options._replace(hash="f" * 32, size=options.size + 1))
    result = diff_catalogs(read_catalog(old), read_catalog(encode(changed, BINARY_FLAVOURS["2.0.8"])))
    assert len(result.bundles) == 4
    assert result.download == 10_004


def test_a_bundle_without_hash_is_one_with_a_hash_of_zeros(content: Content, encode: Encode) -> None:
    change_bundles(content, lambda _, options: options._replace(hash=""))
    without = read_catalog(encode(content, JSON_FLAVOURS["1.28"]))
    change_bundles(content, lambda _, options: options._replace(hash="0" * 32))
    for flavour in (JSON_FLAVOURS["1.28"], BINARY_FLAVOURS["4.0"]):
        result = diff_catalogs(without, read_catalog(encode(content, flavour)))
        assert result.is_empty
        assert result.download == 0


def test_m_keys_lists_every_key_and_rows_count_keys(content: Content, encode: Encode) -> None:
    content.entries[-1].keys.append(3)  # a scene index
    data = encode(content, JSON_FLAVOURS["1.1"])
    catalog = read_catalog(data)
    assert isinstance(catalog, JsonCatalog)
    fields = json.loads(data)
    assert fields["m_Keys"] == list(map(key_text, catalog.keys))
    assert "3" in fields["m_Keys"]
    assert [catalog.keys[catalog.row(at)[5]] for at in range(catalog.location_count)] == [
        catalog.primary_key(at) for at in range(catalog.location_count)
    ]
    assert encode(content_of(catalog), JSON_FLAVOURS["1.1"]) == data
    assert list(catalog.locations()) == [catalog.location(at) for at in range(catalog.location_count)]


def test_m_keys_that_are_not_the_keys_are_what_rows_count(content: Content, encode: Encode) -> None:
    fields = json.loads(encode(content, JSON_FLAVOURS["1.1"]))
    fields["m_Keys"][0] = "changed by hand"
    catalog = read_catalog(json.dumps(fields, separators=(",", ":")).encode())
    assert catalog.primary_key(0) == "changed by hand"
    assert next(iter(catalog.locations())).primary_key == "changed by hand"


def test_a_catalog_alone_is_not_wrong(tmp_path: Path, json_bytes: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "catalog.json").write_bytes(json_bytes)
    assert main(["catalog", "verify", str(tmp_path)]) == 0
    assert "not here, none of 4" in capsys.readouterr().out
    assert main(["catalog", "verify", str(tmp_path), "--bundles", str(tmp_path)]) == 1  # they were said to be there
    assert capsys.readouterr().err.count("missing-bundle") == 4
    (tmp_path / "Windows").mkdir()
    options = next(iter(read_catalog(json_bytes).bundles().values()))
    (tmp_path / "Windows" / f"{options.bundle_name}_all_{options.hash}.bundle").write_bytes(bytes(options.size))
    assert main(["catalog", "verify", str(tmp_path)]) == 1  # a part of a build
    assert capsys.readouterr().err.count("missing-bundle") == 3


@pytest.mark.corpus("builds")
def test_catalogs_that_were_found_and_called_wrong(corpus: Path, encode: Encode) -> None:
    files = sorted((corpus / "builds" / "found" / "addressables").iterdir())
    assert [path.stat().st_size for path in files] == [10236, 37880, 85953, 4989]
    for path in files:
        data = path.read_bytes()
        catalog = read_catalog(data)
        content = content_of(catalog)
        assert all(check.passed for check in verify_catalog(catalog)), path.name
        assert isinstance(content.flavour, JsonFlavour)
        assert (encode_json(content, content.flavour)[0], content.losses) == (data, []), path.name
        for flavour in (*JSON_FLAVOURS.values(), *BINARY_FLAVOURS.values()):
            other = read_catalog(encode(content_of(catalog), flavour))
            assert diff_catalogs(catalog, other).is_empty, (path.name, flavour.name)
            assert diff_catalogs(other, catalog).is_empty, (path.name, flavour.name)


@pytest.mark.corpus("addressables")
def test_real_catalogs_of_0_x_do_not_differ_from_themselves_in_another_format(corpus: Path, encode: Encode) -> None:
    files = sorted((corpus / "addressables" / "data" / "cteam-0.4").glob("*catalog*.json"))
    assert len(files) == 4
    for path in files:
        catalog = read_catalog(path.read_bytes())
        for flavour in (*JSON_FLAVOURS.values(), *BINARY_FLAVOURS.values()):
            other = read_catalog(encode(content_of(catalog), flavour))
            assert diff_catalogs(catalog, other).is_empty, (path.name, flavour.name)
            assert diff_catalogs(other, catalog).is_empty, (path.name, flavour.name)
