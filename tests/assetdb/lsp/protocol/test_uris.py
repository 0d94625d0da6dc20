from __future__ import annotations

import os

import pytest

from assetdb.lsp.protocol.uris import path_of, uri_of

WINDOWS = os.name == "nt"


@pytest.mark.skipif(WINDOWS, reason="paths of other systems")
@pytest.mark.parametrize("path", ["/a b/Ünïcode #1?%20.prefab", "/x/[a]&(b)=c;d@e!", "/\udcff\udcfe"])
def test_a_path_comes_back(path: str) -> None:
    uri = uri_of(path)
    assert uri.startswith("file:///")
    assert uri.isascii()
    assert not set(uri) & set(" #?[]")
    assert path_of(uri) == path


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "", "http://a/b", "file://", "git:/a", "file:///a%00b"])
def test_what_is_no_file_has_no_path(uri: str) -> None:
    assert path_of(uri) == ""


def test_a_path_that_no_system_opens_is_none() -> None:
    """Each folder above is looked at: those of 10 MB would take hours, in the thread that reads messages."""
    assert path_of(f"file:///{'a/' * 1000}x.prefab")
    assert path_of(f"file:///{'a/' * 50_000}x.prefab") == ""


@pytest.mark.skipif(WINDOWS, reason="paths of other systems")
def test_the_forms_of_other_clients_are_read() -> None:
    assert path_of("file:///a/%C3%BC%20x.prefab") == "/a/ü x.prefab"
    assert path_of("FILE:///a/../b//c") == "/b/c"
    assert path_of("file:///a?query#part") == "/a"


@pytest.mark.skipif(not WINDOWS, reason="paths of Windows")
def test_drives_and_shares() -> None:
    assert path_of("file:///c%3A/a/b") == r"c:\a\b"
    assert path_of(uri_of(r"c:\a b")) == r"c:\a b"
    assert path_of("file://host/share/x") == r"\\host\share\x"
