"""Containers where an extra is not installed."""

from __future__ import annotations

from importlib import import_module

import pytest

from assetdb_formats import extras
from assetdb_formats.unreal.errors import MissingExtraError
from assetdb_formats.unreal.iostore.container import Container
from assetdb_formats.unreal.iostore.toc import Toc
from tests.assetdb_formats.unreal.iostore.writer import KEY, Files, Written, chunk_id, write_container


def opened(files: Files, key: bytes | None = None) -> Container:
    return Container(Toc(files.toc), files.read, key=key, toc_size=len(files.toc))


def without(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an optional library be absent."""

    def absent(name: str) -> object:
        if name.partition(".")[0] == module:
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(extras, "import_module", absent)


def test_without_aes_what_is_not_encrypted_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = Written(chunk_id(1, "BulkData", 8), b"secret" * 9, "a.bin")
    container = opened(write_container(8, [chunk], encryption=1), KEY)
    without("cryptography", monkeypatch)
    assert container.toc.lengths[0] == 54
    for read in (container.directory_index, lambda: container.read_chunk(0)):
        with pytest.raises(MissingExtraError, match=r"encrypted with AES: pip install 'assetdb\[aes\]'"):
            read()
