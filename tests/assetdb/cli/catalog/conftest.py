"""A build with a catalog, for the tests of the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import pytest

from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from assetdb_formats.addressables.reading import read_catalog
from tests.assetdb_formats.addressables.builder import make_build, make_content, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb_formats.addressables.editing.content import Content
    from assetdb_formats.addressables.flavour import Flavour


@pytest.fixture
def content() -> Content:
    return make_content()


@pytest.fixture
def encode() -> Callable[[Content, Flavour], bytes]:
    return write


@pytest.fixture
def json_bytes() -> bytes:
    return write(make_content(), JSON_FLAVOURS["1.28"])


@pytest.fixture
def build(tmp_path: Path, json_bytes: bytes) -> Path:
    """A build folder: catalog, hash, settings, four bundles."""
    make_build(tmp_path, json_bytes)
    return tmp_path


@pytest.fixture
def right_checksums(json_bytes: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundles of ``build`` are zeros; give each the checksum that its catalog says."""
    known = {options.size: options.crc for options in read_catalog(json_bytes).bundles().values()}

    def checksum(stream: BinaryIO) -> int:
        with stream:
            return known.get(len(stream.read()), 0)

    monkeypatch.setattr("assetdb_formats.addressables.companions.bundle_files._content_crc", checksum)
