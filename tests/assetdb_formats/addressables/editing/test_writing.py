"""Catalogs written in a flavour, with the hash that belongs to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.editing.writing import (
    FLAVOUR_NAMES,
    WrittenFile,
    encode_catalog,
    flavour_named,
    hash_method_of,
    hash_path_of,
    write_catalog,
    write_file,
)
from assetdb_formats.addressables.errors import UnknownFlavourError, UnwritableError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.opening import open_catalog
from tests.assetdb_formats.addressables.builder import make_content, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.addressables.flavour import Flavour


def content_in(flavour: Flavour) -> Content:
    content = make_content()
    content.flavour = flavour
    return content


CONTENT = make_content()
BINARY = content_in(next(iter(BINARY_FLAVOURS.values())))
JSON = content_in(next(iter(JSON_FLAVOURS.values())))


def test_flavours_by_their_names() -> None:
    for name in FLAVOUR_NAMES:
        kind, _, version = name.partition("-")
        assert flavour_named(name, CONTENT) is {"json": JSON_FLAVOURS, "binary": BINARY_FLAVOURS}[kind][version]
    assert flavour_named("json", JSON) is JSON.flavour
    assert flavour_named("json", BINARY) is JSON_FLAVOURS["1.28"]
    assert flavour_named("binary", BINARY) is BINARY.flavour
    assert flavour_named("binary", JSON) is BINARY_FLAVOURS["2.0.8"]


@pytest.mark.parametrize(
    ("name", "hint"), [("jsno", "did you mean 'json'"), ("json-9.9", ""), ("json-2.0.8", ""), ("xxxxxxxx", "")]
)
def test_a_flavour_that_is_not_there(name: str, hint: str) -> None:
    with pytest.raises(UnknownFlavourError, match=hint or "there is no flavour") as caught:
        flavour_named(name, CONTENT)
    assert ("did you mean" in str(caught.value)) >= bool(hint)
    assert set(caught.value.known) == {"json", "binary", *FLAVOUR_NAMES}


def test_the_flavour_of_the_content_is_the_default() -> None:
    for content in (JSON, BINARY):
        assert encode_catalog(content)[0] == write(content, content.flavour)
        assert encode_catalog(JSON, content.flavour)[0] == write(JSON, content.flavour)


def test_content_that_has_no_form_names_the_file() -> None:
    circle = Content(BINARY.flavour, [Entry(["e", "b"], "E", "p", dependencies=["b"])])  # it would load itself
    with pytest.raises(UnwritableError) as caught:
        encode_catalog(circle, path="a/catalog.bin")
    assert caught.value.path == "a/catalog.bin"


@pytest.mark.parametrize("method", ["md5", "spooky", "none"])
def test_a_catalog_is_written_with_its_hash(tmp_path: Path, method: str) -> None:
    data = write(CONTENT, JSON.flavour)
    path = tmp_path / "catalog.json"
    written = write_catalog(str(path), data, hash_method=method)
    beside = tmp_path / "catalog.hash"
    assert hash_path_of(str(path)) == str(beside)
    assert path.read_bytes() == data
    assert written[0] == WrittenFile(str(path), len(data), "")
    if method == "none":
        assert (len(written), beside.exists()) == (1, False)
    else:
        digits = content_hash(data, method=method)
        assert written[1:] == [WrittenFile(str(beside), 32, digits)]
        assert beside.read_text() == digits
    assert hash_method_of(open_catalog(str(path))) == method
    if method != "none":
        beside.write_text(f" {digits.upper()}\n")
        assert hash_method_of(open_catalog(str(path))) == method


def test_a_hash_of_another_catalog_counts_as_the_usual_one(tmp_path: Path) -> None:
    write_catalog(str(tmp_path / "catalog.json"), write(CONTENT, JSON.flavour), hash_method="md5")
    (tmp_path / "catalog.hash").write_text("0" * 32)
    assert hash_method_of(open_catalog(str(tmp_path / "catalog.json"))) == "spooky"


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(UnwritableError, match="no such folder") as caught:
        write_file(str(tmp_path / "absent" / "catalog.json"), b"")
    assert caught.value.path == str(tmp_path / "absent")
    with pytest.raises(UnwritableError, match="is a folder") as caught:
        write_file(str(tmp_path), b"")
    assert caught.value.path == str(tmp_path)
    with pytest.raises(UnwritableError, match="where the hash of a catalog belongs"):
        write_catalog(str(tmp_path / "catalog.hash"), b"")
    assert list(tmp_path.iterdir()) == []
