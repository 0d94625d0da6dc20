"""Events of animation clips are read with their names and places."""

from __future__ import annotations

import json

import pytest

from assetdb.unity.content.clips import ClipEvent, clip_events, clip_events_of

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


@pytest.mark.parametrize("data", [b"", b"\0" * 99, b"functionName", b"functionName:", b"  functionName:\xff\xfe"])
def test_any_bytes_have_events_or_none(data: bytes) -> None:
    assert all(isinstance(event, ClipEvent) for event in clip_events(data))


def test_a_key_is_one_only_at_the_beginning_of_its_line() -> None:
    data = b"functionName: A\n- functionName: B\nx functionName: C functionName: D\n   functionName: E\n"
    assert [event.function for event in clip_events(data)] == ["A", "E"]
    assert clip_events(b"x" + b"functionName:" * 300_000) == ()
