"""Dangling references that Unity skips, by place."""

from __future__ import annotations

import pytest

from assetdb.checks.verdicts import placing
from assetdb.checks.verdicts.placing import UNNOTICED, PlacedReasons, used_stand_ins
from assetdb.resolve.imported import SPRITE_MODE
from assetdb.resolve.instances import DANGLING
from assetdb.resolve.resolver import LFS_POINTER, STALE_OVERRIDE
from assetdb.unity.yaml.property_path import Place

STRIPPED = b"--- !u!4 &5 stripped\nTransform:\n  m_CorrespondingSourceObject: {fileID: 1}\n"
HANGING = b"--- !u!114 &7 stripped\nMonoBehaviour:\n  m_GameObject: {fileID: 5}\n"
LISTING = b"--- !u!114 &8\nMonoBehaviour:\n  target: {fileID: 7}\n"
STAND_INS = b"".join(b"--- !u!114 &%d stripped\nM:\n  a: {fileID: 5}\n" % number for number in range(10, 40))


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        ("m_Material", b"", DANGLING),
        ("m_SceneBindings[12].key", b"", STALE_OVERRIDE),
        ("m_SceneBindings[12].value", b"", DANGLING),
        ("m_Modification.m_RemovedComponents[0]", b"", STALE_OVERRIDE),
        ("m_Modification.m_AddedGameObjects[3].targetCorrespondingSourceObject", b"", STALE_OVERRIDE),
        ("m_Modification.m_AddedGameObjects[3].addedObject", b"", DANGLING),
        ("m_CorrespondingSourceObject", STRIPPED, STALE_OVERRIDE),
        ("m_CorrespondingSourceObject", STRIPPED + b"--- !u!4 &6\nTransform:\n  m_Father: {fileID: 5}\n", DANGLING),
        ("m_CorrespondingSourceObject", b"\n" + STRIPPED + HANGING, STALE_OVERRIDE),
        ("m_CorrespondingSourceObject", b"\n" + HANGING + STRIPPED + LISTING, DANGLING),
        ("m_CorrespondingSourceObject", b"\n" + STRIPPED + STAND_INS, STALE_OVERRIDE),
        ("m_CorrespondingSourceObject", b"--- !u!4 &5\n  m_Father: {fileID: 5}\n", STALE_OVERRIDE),
        ("m_PrefabParentObject", b"", STALE_OVERRIDE),
    ],
)
def test_a_dangling_reference_that_unity_skips_is_a_stale_override(path: str, data: bytes, expected: str) -> None:
    place = Place(1, 4, 5, "", "", path, "")
    assert PlacedReasons(data).of(place, DANGLING) == expected
    assert PlacedReasons(data).of(place, LFS_POINTER) == LFS_POINTER


@pytest.mark.parametrize("reason", [DANGLING, SPRITE_MODE])
@pytest.mark.parametrize(
    ("class_id", "path", "mode", "is_unnoticed"),
    [
        (198, "UVModule.sprites[3].sprite", 0, True),
        (198, "UVModule.sprites[3].sprite", 1, False),
        (198, "ShapeModule.m_Sprite", 0, False),
        (114, "UVModule.sprites[3].sprite", 0, False),
    ],
)
def test_a_lost_sprite_of_particles_in_a_grid_is_unnoticed(
    reason: str,
    class_id: int,
    path: str,
    mode: int,
    is_unnoticed: bool,  # noqa: FBT001 - a row
) -> None:
    data = b"--- !u!%d &5\nParticleSystem:\n  UVModule:\n    enabled: 1\n    mode: %d\n" % (class_id, mode)
    reasons = PlacedReasons(data)
    assert reasons.of(Place(1, class_id, 5, "", "", path, ""), reason) == (UNNOTICED if is_unnoticed else reason)
    assert reasons.of(Place(1, class_id, 6, "", "", path, ""), reason) == reason
    assert reasons.of(Place(1, class_id, 5, "", "", path, ""), LFS_POINTER) == LFS_POINTER


def test_stand_ins_that_refer_to_one_another_in_a_ring_are_not_used() -> None:
    ring = b"--- !u!4 &1 stripped\nT:\n  a: {fileID: 2}\n--- !u!4 &2 stripped\nT:\n  a: {fileID: 1}\n"
    assert used_stand_ins(ring) == frozenset()
    assert used_stand_ins(ring + b"--- !u!4 &3\nT:\n  a: {fileID: 2}\n") == {1, 2}


def test_the_file_is_searched_once_for_all_stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """20,000 sources took 35 s while the file was searched for each."""
    searches: list[bytes] = []

    def counted(data: bytes) -> frozenset[int]:
        searches.append(data)
        return used_stand_ins(data)

    monkeypatch.setattr(placing, "used_stand_ins", counted)
    stand_in = b"--- !u!4 &%d stripped\nTransform:\n  m_CorrespondingSourceObject: {fileID: 1}\n"
    user = b"--- !u!114 &%d\nMonoBehaviour:\n  a: {fileID: %d}\n"
    data = b"".join(
        [stand_in % number for number in range(50)] + [user % (50 + number, number) for number in range(50)]
    )
    reasons = PlacedReasons(data)
    sources = [Place(1, 4, number, "", "", "m_CorrespondingSourceObject", "") for number in range(50)]
    assert {reasons.of(place, DANGLING) for place in sources} == {DANGLING}
    assert searches == [data]
