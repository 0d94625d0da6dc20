"""Objects whose header says another class, and components without their GameObject."""

from __future__ import annotations

import pytest

from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.judging.headers import Headers
from tests.assetdb.unity_project import HEAD
from tests.memory import most_memory

OWNER = "  m_GameObject: {fileID: 5}\n"


def told(header: str, lines: str) -> str:
    """Return what is wrong with an object."""
    data = f"{HEAD}--- {header}\n{lines}".encode()
    (document,) = cut(data)
    headers = Headers()
    found = headers.fault(data, document)
    assert headers.fault(data, document) == found
    return found


@pytest.mark.parametrize(
    ("header", "lines", "expected"),
    [
        (
            "!u!224 &1",
            f"MonoBehaviour:\n{OWNER}",
            "begins a MonoBehaviour, and the header of the object says RectTransform",
        ),
        (
            "!u!4 &1 stripped",
            "GameObject:\n  m_Name: a\n",
            "begins a GameObject, and the header of the object says Transform",
        ),
        ("!u!4 &1", "Transform:\n  m_Father: {fileID: 0}\n", "begins a component that has no m_GameObject line"),
        ("!u!114 &1", "", "is behind a header without an object"),
        ("!u!1 &1 stripped", "\n \n", "is behind a header without an object"),
        ("!u!1839735485 &1", "Tilemap:\n  m_Enabled: 1\n", "begins a component that has no m_GameObject line"),
    ],
)
def test_an_object_that_its_header_contradicts_is_told(header: str, lines: str, expected: str) -> None:
    assert told(header, lines) == expected


@pytest.mark.parametrize(
    ("header", "lines"),
    [
        ("!u!4 &1", f"Transform:\n{OWNER}"),
        ("!u!21 &1", "a text without a key\n"),  # which another rule tells
        ("!u!4 &1", f"Transform:\n  long: {'a' * 3000}\n{OWNER}"),
        ("!u!4 &1 stripped", "Transform:\n  m_PrefabInstance: {fileID: 5}\n"),
        ("!u!114 &1", "MonoBehaviour:\n  m_Name: an asset\n"),
        ("!u!1001 &1", "Prefab:\n  a: b\n"),  # up to 2018.2
        ("!u!1001 &1", "PrefabInstance:\n  a: b\n"),
        ("!u!29 &1", "SceneSettings:\n  a: b\n"),  # daggerfall-unity
        ("!u!124 &1", f"Behaviour:\n{OWNER}"),  # a FlareLayer of daggerfall-unity
        ("!u!23 &1", f"Renderer:\n{OWNER}"),  # VRGame
        ("!u!1101 &1", "Transition:\n  a: b\n"),  # Platformer2D
        ("!u!319 &1", "AvatarMask:\n  a: b\n"),
        ("!u!987654321 &1", "GameObject:\n  a: b\n"),  # a class that is not known
        ("!u!1 &1", "SomethingNew:\n  a: b\n"),
    ],
)
def test_what_versions_of_unity_write_is_not_told(header: str, lines: str) -> None:
    assert told(header, lines) == ""


def test_headers_without_a_class_take_no_memory() -> None:
    """300,000 of them took over 9 GB, as each had the rest of the file for its class."""
    data = HEAD.encode() + b"".join(b"--- !u!114 &%d\n" % number for number in range(1, 2001))
    documents = list(cut(data))
    headers = Headers()
    assert most_memory(lambda: [headers.fault(data, document) for document in documents]) < 1 << 20
