"""AudioListeners and EventSystems that are certainly in use."""

from __future__ import annotations

import pytest

from assetdb.unity.content.singletons import EVENT_SYSTEM, LISTENER, Singletons, read_singletons, singletons_of
from tests.assetdb.unity_project import HEAD, guid, instance, stripped

UGUI = "{fileID: 11500000, guid: 76c392e42b5098c458856cdf6ecaaaa1, type: 3}"
LIBRARY = "{fileID: -619905303, guid: f70555f144d8491a825f0804e09c671c, type: 3}"
RAYCASTER = "{fileID: 1301386320, guid: f70555f144d8491a825f0804e09c671c, type: 3}"


def placed(number: int, name: str, father: int = 0, active: int = 1) -> str:
    return (
        f"--- !u!1 &{number}\nGameObject:\n  m_Name: {name}\n  m_IsActive: {active}\n"
        f"--- !u!4 &{number + 1}\nTransform:\n  m_GameObject: {{fileID: {number}}}\n  m_Father: {{fileID: {father}}}\n"
    )


def listener(owner: int, enabled: int = 1) -> str:
    return f"--- !u!81 &{owner + 2}\nAudioListener:\n  m_GameObject: {{fileID: {owner}}}\n  m_Enabled: {enabled}\n"


def system(owner: int, script: str) -> str:
    return (
        f"--- !u!114 &{owner + 3}\nMonoBehaviour:\n  m_GameObject: {{fileID: {owner}}}\n  m_Enabled: 1\n"
        f"  m_Script: {script}\n"
    )


def own(text: str) -> list[tuple[str, str]]:
    return [(row.kind, row.owner) for row in read_singletons((HEAD + text).encode()).own]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (placed(10, "'Main: Camera'") + listener(10), [(LISTENER, "Main: Camera")]),
        (placed(10, "Own") + system(10, UGUI), [(EVENT_SYSTEM, "Own")]),
        (placed(10, "Own") + system(10, LIBRARY), [(EVENT_SYSTEM, "Own")]),
        (placed(10, "Own") + system(10, RAYCASTER), []),
        (placed(10, "Own") + listener(10, enabled=0), []),
        (placed(10, "Own", active=0) + listener(10), []),
        (placed(10, "Top") + placed(20, "Own", 11) + listener(20), [(LISTENER, "Own")]),
        (placed(10, "Top", active=0) + placed(20, "Own", 11) + listener(20), []),
        (placed(20, "Own", 99) + listener(20), []),  # its parent is not in the file
        (placed(10, "Top", 21) + placed(20, "Own", 11) + listener(20), []),  # a circle
        (listener(10), []),
        ("--- !u!1 &10\nGameObject:\n  m_IsActive: 1\n" + listener(10), []),  # no Transform
        (placed(10, "Top") + listener(10) + placed(20, "") + listener(20), [(LISTENER, "Top"), (LISTENER, "")]),
    ],
)
def test_only_enabled_components_of_active_objects_are_in_use(text: str, found: list[tuple[str, str]]) -> None:
    assert own(text) == found
    assert own(text.replace("\n", "\r\n")) == found


def test_listeners_below_each_other_are_looked_at_once() -> None:
    text = placed(10, "Top") + "".join(placed(10 * n, f"N{n}", 10 * n - 9) for n in range(2, 4001))
    found = own(text + "".join(listener(10 * n) for n in range(1, 4001)))
    assert len(found) == 4000  # once took 14 s: each looked at all above it


def test_what_is_below_an_instance_is_not_certain() -> None:
    text = instance(5, 7) + stripped(4, 6, "Transform", 7, 8, 5) + placed(20, "Own", 6) + listener(20)
    assert own(text) == []


def test_prefabs_at_the_root_are_told_as_they_are() -> None:
    text = HEAD + instance(5, 7, names={9: "Renamed"})
    assert [source for source, _ in read_singletons(text.encode()).instances] == [guid(7)]
    for changed in (
        text.replace("propertyPath: m_Name", "propertyPath: m_IsActive"),
        text.replace("propertyPath: m_Name", "propertyPath: m_Enabled"),
        text.replace("m_RemovedComponents: []", "m_RemovedComponents:\n    - {fileID: 9}"),
        text.replace("m_TransformParent: {fileID: 0}", "m_TransformParent: {fileID: 3}"),
    ):
        assert changed != text
        assert read_singletons(changed.encode()).instances == ()


def test_singletons_come_back_from_json() -> None:
    found = read_singletons((HEAD + placed(10, "Own") + listener(10) + instance(5, 7)).encode())
    assert found.own[0].offset > 0
    assert singletons_of([[list(row) for row in found.own], [list(row) for row in found.instances]]) == found
    with pytest.raises(ValueError, match="unpack"):
        singletons_of([[]])


@pytest.mark.parametrize("data", [b"", b"--- !u!81 &", HEAD.encode(), b"\n--- !u!81 &1\nm_SourcePrefab" * 3])
def test_damage_has_none(data: bytes) -> None:
    assert read_singletons(data) == Singletons((), ())


def test_a_deep_hierarchy_takes_no_recursion() -> None:
    rows = [placed(10 * number, "Own", 10 * number - 9 if number > 1 else 0) for number in range(1, 5000)]
    assert own("".join(rows) + listener(49990)) == [(LISTENER, "Own")]
