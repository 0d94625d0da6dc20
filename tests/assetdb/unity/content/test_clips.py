"""Events of animation clips are read with their names and places."""

from __future__ import annotations

import json
import time

import pytest

from assetdb.unity.content.clips import ClipEvent, animated_paths, animated_paths_of, clip_events, clip_events_of

EVENT = b"  - time: 0\n    functionName: %s\n    data: \n    messageOptions: %d\n"


def test_events_that_need_a_receiver() -> None:
    data = b"  m_Events:\n" + EVENT % (b"'Step''s'", 0) + EVENT % (b"Land", 1) + EVENT % (b"", 0)
    found = clip_events(data)
    assert [event.function for event in found] == ["Step's", ""]
    assert all(data.startswith(b"functionName:", event.offset) for event in found)
    assert clip_events_of(json.loads(json.dumps(found))) == found


def test_options_of_the_next_event_are_not_those_of_this_one() -> None:
    data = b"  - time: 0\n    functionName: Step\n" + EVENT % (b"Land", 1)
    assert [event.function for event in clip_events(data)] == ["Step"]


@pytest.mark.parametrize("indent", [b"", b"    "])
def test_thousands_of_keys_in_one_object_are_read_at_once(indent: bytes) -> None:
    data = b"  - time: 0\n" * bool(indent) + (indent + b"functionName: A\n") * 100_000
    start = time.process_time()
    assert len(clip_events(data)) == 100_000
    assert time.process_time() - start < 20  # it was minutes


@pytest.mark.parametrize("data", [b"", b"\0" * 99, b"functionName", b"functionName:", b"  functionName:\xff\xfe"])
def test_any_bytes_have_events_or_none(data: bytes) -> None:
    assert all(isinstance(event, ClipEvent) for event in clip_events(data))


def test_a_key_is_one_only_at_the_beginning_of_its_line() -> None:
    data = b"functionName: A\n- functionName: B\nx functionName: C functionName: D\n   functionName: E\n"
    assert [event.function for event in clip_events(data)] == ["A", "E"]
    assert clip_events(b"x" + b"functionName:" * 300_000) == ()


def curve(*paths: str, name: str = "m_FloatCurves") -> str:
    """Return a list of curves, as Unity writes each."""
    rows = "".join(f"  - curve:\n      m_Curve: []\n    attribute: m_Enabled\n    path: {path}\n" for path in paths)
    return f"  {name}:\n{rows}" if paths else f"  {name}: []\n"


def clip(*parts: str, class_id: int = 74) -> str:
    return f"--- !u!{class_id} &7400000\nAnimationClip:\n  m_Name: Walk\n{''.join(parts)}"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((curve("Body/Head", "", "Body"),), {"Body/Head": False, "Body": False}),
        ((curve("Body"), curve("Arm", name="m_EditorCurves")), {"Body": False}),  # as the editor draws them
        ((curve("Body", name="m_RotationCurves"), curve("Arm")), {"Body": True, "Arm": True}),
        ((curve(name="m_RotationCurves"), curve("Arm")), {"Arm": False}),
        ((curve("'Body: 1'", "Body"),), {"Body: 1": False, "Body": False}),
        ((curve(),), {}),
    ],
)
def test_paths_of_curves_are_told_once_each(parts: tuple[str, ...], expected: dict[str, bool]) -> None:
    data = clip(*parts).encode()
    found = animated_paths(data)
    assert {row.path: row.is_copied for row in found} == expected
    assert all(data.startswith(b"path:", row.offset) for row in found)
    assert animated_paths_of(json.loads(json.dumps(found))) == found


def test_a_path_that_is_certain_in_one_clip_counts() -> None:
    certain, copied = clip(curve("Body")), clip(curve("Body", name="m_RotationCurves"))
    first = certain.index("path:")
    for data, offset in ((certain + copied, first), (copied + certain, len(copied) + first), (certain * 2, first)):
        (row,) = animated_paths(data.encode())
        assert (row.is_copied, row.offset) == (False, offset)
    (row,) = animated_paths((copied * 2).encode())
    assert (row.is_copied, row.offset) == (True, copied.index("path:"))
    assert animated_paths(clip(curve("Body"), class_id=91).encode()) == ()
