"""Names of assemblies: of a definition, and of what assets say about scripts."""

from __future__ import annotations

import pytest

from assetdb.packages.named_assemblies import definition_name, is_default


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (b'{"name": "Acme.Core"}', b"Acme.Core"),
        (b'{"versionDefines": [{"name": "com.unity.ugui", "define": "UI"}], "name": "Acme.UI"}', b"Acme.UI"),
        (b'\xef\xbb\xbf{"name": "Acme.Core"}', b"Acme.Core"),
        (b'{"name": "Acme\\u002eCore"}', b"Acme.Core"),
        (b'{"name": "Acme.Core", "references": ["Other",],}', b"Acme.Core"),
        (b'{"versionDefines": [{"name": "com.unity.ugui"}]}', b""),
        (b'{"name": 3}', b""),
        (b'["name"]', b""),
        (b"", b""),
        (b'"name": "half', b""),
        (b"[" * 100_000, b""),
        (b'{"name": "\\ud800"}', b"\xed\xa0\x80"),
    ],
)
def test_a_definition_says_its_own_name(text: bytes, name: bytes) -> None:
    assert definition_name(text) == name


def test_a_definition_that_is_too_large_has_no_name() -> None:
    assert definition_name(b'{"name": "Acme"}' + b" " * (1 << 20)) == b""


def test_assemblies_without_a_definition_are_the_usual_ones() -> None:
    assert is_default(b"Assembly-CSharp")
    assert is_default(b"Assembly-CSharp-Editor-firstpass")
    assert not is_default(b"Assembly-CSharpish")
