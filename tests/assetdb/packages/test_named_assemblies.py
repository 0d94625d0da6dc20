"""Names of assemblies: of a definition, and of what assets say about scripts."""

from __future__ import annotations

import pytest

from assetdb.packages.named_assemblies import definition_name, is_default, named_assemblies


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


SCRIPT, OTHER = b"1" * 32, b"2" * 32


def behaviour(script: bytes, name: str, *, identifier: str = "", anchor: int = 30) -> bytes:
    """Return a component as Unity 6 writes it."""
    return (
        f"--- !u!114 &{anchor}\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {script.decode()}, type: 3}}\n"
        f"  m_Name: {name}\n  m_EditorClassIdentifier: {identifier}\n"
    ).encode()


def call(target: int, type_name: str) -> bytes:
    """Return a persistent call of a UnityEvent."""
    return f"      - m_Target: {{fileID: {target}}}\n        m_TargetAssemblyTypeName: {type_name}\n".encode()


CALLER = behaviour(OTHER, "", anchor=10)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (behaviour(SCRIPT, "", identifier="Acme.Core::Door"), [b"Acme.Core"]),
        (behaviour(SCRIPT, "").replace(b"  m_Name: \n", b"").replace(b"fier: ", b"fier: A::B"), [b"A"]),
        (behaviour(SCRIPT, "x", identifier="Acme.Core::Door").replace(b"\n", b"\r\n"), [b"Acme.Core"]),
        (behaviour(OTHER, "", identifier="Acme.Core::Door"), []),
        (behaviour(SCRIPT, ""), []),  # Unity before 6.1 left it empty
        (CALLER + call(30, "Acme.Door, Acme.Core") + behaviour(SCRIPT, ""), [b"Acme.Core"]),
        (CALLER + call(30, "Acme.Door,\n          Acme.Core") + behaviour(SCRIPT, ""), [b"Acme.Core"]),  # a long line
        (CALLER + call(30, "Acme.Door, Acme.Core") + behaviour(OTHER, ""), []),
        (CALLER + call(31, "Acme.Door, Acme.Core") + behaviour(SCRIPT, ""), []),  # it calls another object
        (CALLER + call(30, "Acme.Door, Acme.Core") + behaviour(SCRIPT, "").replace(b"!u!114", b"!u!1"), []),
        (CALLER + b"  m_TargetAssemblyTypeName: \n" + behaviour(SCRIPT, ""), []),  # an event without calls
    ],
)
def test_components_and_calls_name_the_assembly_of_a_script(text: bytes, names: list[bytes]) -> None:
    assert list(named_assemblies([b"", text], SCRIPT)) == names
