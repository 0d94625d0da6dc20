"""Catalogs for the tests of this folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS, Flavour, JsonFlavour
from tests.assetdb_formats.addressables.builder import make_bundle, make_content, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.editing.content import Content, Entry


@pytest.fixture
def content() -> Content:
    return make_content()


@pytest.fixture
def bundle_entry() -> Callable[..., Entry]:
    return make_bundle


@pytest.fixture
def encode() -> Callable[[Content, Flavour], bytes]:
    return write


@pytest.fixture
def json_bytes() -> bytes:
    return write(make_content(), JSON_FLAVOURS["1.28"])


@pytest.fixture
def binary_bytes() -> bytes:
    return write(make_content(), BINARY_FLAVOURS["4.0"])


@pytest.fixture(params=[*JSON_FLAVOURS.values(), *BINARY_FLAVOURS.values()], ids=lambda flavour: (
    f"{'json' if isinstance(flavour, JsonFlavour) else 'binary'}-{flavour.name}"
))  # fmt: skip
def flavour(request: pytest.FixtureRequest) -> Flavour:
    found: Flavour = request.param
    return found
