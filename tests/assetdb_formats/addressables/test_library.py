"""``assetdb_formats.addressables`` as a program uses it."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from assetdb_formats import addressables
from assetdb_formats.addressables import errors
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS
from assetdb_formats.binary import FormatError
from tests.assetdb_formats.addressables.builder import make_build, make_content, write

CHECKOUT = Path(__file__).resolve().parents[3]
AA = "Game_Data/StreamingAssets/aa"


@pytest.fixture
def build(tmp_path: Path, json_bytes: bytes) -> Path:
    make_build(tmp_path, json_bytes)
    return tmp_path


def zipped(build: Path, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((build / AA).rglob("*")):
            if file.is_file():
                archive.write(file, f"assets/aa/{file.relative_to(build / AA).as_posix()}")
    return path


def test_the_exported_names() -> None:
    names = dir(addressables)
    assert len(set(names)) == len(names)
    assert {name for name, value in vars(errors).items() if isinstance(value, type)
            and issubclass(value, addressables.AddressablesError)} <= set(names)  # fmt: skip
    for name in names:
        assert getattr(addressables, name) is not None
    assert addressables.open.__name__ == "open_catalog"
    for missing in ("nothing", "open_catalog"):
        with pytest.raises(AttributeError, match=f"no attribute '{missing}'"):
            getattr(addressables, missing)


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, assetdb_formats.addressables\n"
    code += "print(*sorted(n for n in sys.modules if n.startswith('assetdb_formats')))"
    found = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=CHECKOUT / "formats", capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["assetdb_formats", "assetdb_formats.addressables", "assetdb_formats.lazy_names"]


def test_a_path_of_a_file_a_folder_an_archive_bytes_and_a_stream_open_alike(
    build: Path, tmp_path: Path, json_bytes: bytes
) -> None:
    file, archive = build / AA / "catalog.json", zipped(build, tmp_path / "game.apk")
    names = {}
    for source in (file, str(file), build, archive):
        opened = addressables.open(source)
        names[str(source)] = opened.name
        assert opened.settings is not None
        assert opened.settings.version == "2.8.0"
        assert opened.hash_text == addressables.content_hash(json_bytes)
        assert opened.catalog.path == opened.name
        finder = addressables.bundle_finder(opened)
        found = finder(opened.catalog.internal_id(1))
        assert found is not None
        assert found.size == 2000
        assert finder(opened.catalog.internal_id(1).replace("Windows", "..")) is None
    assert names == {str(file): str(file), str(build): str(file), str(archive): f"{archive}/assets/aa/catalog.json"}
    with file.open("rb") as stream:
        for given in (json_bytes, bytearray(json_bytes), memoryview(json_bytes), BytesIO(json_bytes), stream):
            opened = addressables.open(given)
            assert opened.name == (str(file) if given is stream else "")
            assert (opened.settings, opened.hash_text, opened.beside("settings.json")) == (None, None, None)
            assert opened.catalog.location_count == 12


def test_every_error_is_one_of_the_tree(build: Path, tmp_path: Path) -> None:
    base = addressables.AddressablesError
    assert issubclass(base, FormatError)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(addressables.CatalogNotFoundError, match="holds no catalog"):
        addressables.open(empty)
    with pytest.raises(addressables.CompanionNotFoundError, match="holds no build layout"):
        addressables.find_layouts(str(build))
    (build / "aa").mkdir()
    (build / "aa" / "catalog.bin").write_bytes(write(make_content(), BINARY_FLAVOURS["4.0"]))
    with pytest.raises(addressables.AmbiguousCatalogError, match="holds 2 catalogs") as caught:
        addressables.open(build)
    assert caught.value.candidates == (f"{AA}/catalog.json", "aa/catalog.bin")
    broken = tmp_path / "broken.zip"
    broken.write_bytes(zipped(build, tmp_path / "a.zip").read_bytes()[:-40])
    named = tmp_path / "catalog_named.json"
    named.write_bytes(b"{")
    for source in (broken, named, b"", b"UnityFS\0", gzip.compress(b"x"), BytesIO(b"[")):
        with pytest.raises(base) as error:
            addressables.open(source)
        if isinstance(source, Path):
            assert str(error.value).startswith(f"{source}: ")
    (build / "aa" / "settings.json").write_text("[]")
    with pytest.raises(base, match=r"settings\.json beside"):
        addressables.open(build / "aa")
    with pytest.raises(FileNotFoundError):
        addressables.open(tmp_path / "absent")
    opened = addressables.open(build / AA)
    with pytest.raises(addressables.PatternError):
        addressables.search(opened.catalog, text="(", regular=True)
    content = addressables.content_of(opened.catalog)
    with pytest.raises(addressables.UnknownFlavourError, match=r"did you mean 'json-1\.28'") as unknown:
        addressables.flavour_named("json-1.29", content)
    assert "binary-4.0" in unknown.value.known
    with pytest.raises(addressables.EditError):
        addressables.apply_edits(content, addressables.Edits(crc=-1))
    content.entries[0].keys = []
    with pytest.raises(addressables.UnwritableError, match="has no key"):
        addressables.encode_catalog(content)
    with pytest.raises(addressables.UnwritableError, match="no such folder"):
        addressables.write_catalog(str(tmp_path / "no" / "catalog.json"), b"{}")


def test_a_catalog_is_changed_and_written_with_its_hash(build: Path, tmp_path: Path) -> None:
    opened = addressables.open(build)
    content = addressables.content_of(opened.catalog)
    edits = addressables.Edits(crc=0, rename=(("a", "z"),), host=(("x", "y"),))
    assert [tuple(one) for one in addressables.apply_edits(content, edits)] == [
        ("CRC 0", 4), ("host x", 0), ("key a", 1)]  # fmt: skip
    data, losses = addressables.encode_catalog(content, addressables.flavour_named("binary", content))
    assert [loss.code for loss in losses] == ["letters"]
    written = addressables.write_catalog(str(tmp_path / "catalog.bin"), data, hash_method="spooky")
    assert [Path(file.path).name for file in written] == ["catalog.bin", "catalog.hash"]
    again = addressables.open(tmp_path / "catalog.bin")
    assert again.catalog.locate("z")
    assert again.hash_text == written[1].digits == addressables.content_hash(data)


def test_the_lists_and_the_summary_are_facts(build: Path) -> None:
    opened = addressables.open(build)
    summary = addressables.summary_of(opened)
    assert (summary.format, summary.bundles, summary.bundle_bytes) == ("JSON, 7 columns", 4, 10_000)
    assert summary.build_target == "StandaloneWindows64"
    assert [one.assets for one in addressables.list_bundles(opened.catalog)] == [4, 0, 2, 0]
    labels = {one.label: one.assets for one in addressables.list_labels(opened.catalog)}
    assert labels == {"icons": 2, "preload": 2}
    hero = addressables.locations_named(opened.catalog, "Prefabs/Hero.prefab")
    assert [one.class_name for one in addressables.list_locations(opened.catalog, hero)] == ["GameObject"]
    needs = addressables.needs_of(opened.catalog, hero)
    assert (needs.locations, sorted(needs.bundles), needs.size) == ((2, 0), [0, 2], 4000)
    assert addressables.needs_of(opened.catalog, hero, direct=True) == needs
