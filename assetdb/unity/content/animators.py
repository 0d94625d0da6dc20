"""Animator controllers: parameters, states, and the conditions and targets of transitions.

Unity leaves states and transitions in the file that nothing uses any more; only those that the controller reaches
count.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.scalars import scalar_at

_CONTROLLER, _MACHINE, _STATE = 91, 1107, 1102
_TRANSITIONS: Final = (1101, 1109)
_NO_STATE: Final = re.compile(rb"\n  (m_DstState): \{fileID: 0\}")
# Unity 4 has no m_DstStateMachine, and marks nothing as an exit.
_NOWHERE: Final = tuple(
    re.compile(rb"\n  %b\r?(?:\n|\Z)" % line)
    for line in (rb"m_DstStateMachine: \{fileID: 0\}", rb"m_IsExit: 0", rb"m_Mute: 0")
)
_PARAMETER: Final = re.compile(rb"^  - m_Name:", re.MULTILINE)
_PARAMETERS: Final = re.compile(rb"\n  m_AnimatorParameters:[ \t]*\r?\n")
# Mode 5 is the exit time of Unity 4, without a parameter (Character.controller of Platformer2D).
_CONDITION: Final = re.compile(rb"^  - m_ConditionMode: (?!5\b)\d+\s+(m_ConditionEvent):", re.MULTILINE)
_LOCAL: Final = re.compile(rb"\{fileID: (-?[1-9]\d{0,18})\}")
# Of Unity 4 m_States and m_Motions, a list (Flame.controller of Platformer2D).
_CHILDREN: Final = re.compile(rb"\n  m_(?:Child)?States:[ \t]*\r?\n  - ")
_NO_DEFAULT: Final = re.compile(rb"\n  (m_DefaultState): \{fileID: 0\}")
_NO_MOTION: Final = re.compile(
    rb"\n  (m_Motion): \{fileID: 0\}|\n  (m_Motions):(?: \[\]|[ \t]*\r?\n  - \{fileID: 0\}(?!\r?\n  - ))"
)
_END: Final = re.compile(rb"^  m_(?!Name)\w+:", re.MULTILINE)
_NAME: Final = re.compile(rb"\n  m_Name:")
_COLUMN: Final = 4
_COLUMN_OF_OBJECT: Final = 2


class Animator(NamedTuple):
    """An animator controller.

    Attributes:
        parameters: names.
        conditions: parameters that reached transitions test, each with its place.
        without_default: places of reached state machines with states and no default state.
        without_motion: places of reached states without a motion.
        states: names of the reached states.
        without_target: places of reached transitions that lead to no state and are neither an exit nor muted.
    """

    parameters: tuple[str, ...]
    conditions: tuple[tuple[str, int], ...]
    without_default: tuple[int, ...]
    without_motion: tuple[int, ...]
    states: tuple[str, ...] = ()
    without_target: tuple[int, ...] = ()


NO_ANIMATOR: Final = Animator((), (), (), ())


def read_animator(data: bytes) -> Animator:
    """Return the controller of any file, maybe an empty one."""
    objects = {item.file_id: item for item in documents(data) if not item.stripped}
    start = next((item for item in objects.values() if item.class_id == _CONTROLLER), None)
    if start is None:
        return NO_ANIMATOR
    conditions: list[tuple[str, int]] = []
    without_default, without_motion, without_target = [], [], []
    states: list[str] = []
    seen, waiting = {start.file_id}, [start.file_id]
    while waiting:
        item = objects[waiting.pop()]
        for match in _LOCAL.finditer(data, item.start, item.end):
            other = int(match[1])
            if other in objects and other not in seen:
                seen.add(other)
                waiting.append(other)
        if item.class_id in _TRANSITIONS:
            found = _CONDITION.finditer(data, item.start, item.end)
            conditions += [(scalar_at(data, match.end(), _COLUMN), match.start(1)) for match in found]
            if all(line.search(data, item.start, item.end) for line in _NOWHERE):
                without_target += _place(data, _NO_STATE, item.start, item.end)
        elif item.class_id == _MACHINE:
            if _CHILDREN.search(data, item.start, item.end):
                without_default += _place(data, _NO_DEFAULT, item.start, item.end)
        elif item.class_id == _STATE:
            without_motion += _place(data, _NO_MOTION, item.start, item.end)
            name = _NAME.search(data, item.start, item.end)
            states += [scalar_at(data, name.end(), _COLUMN_OF_OBJECT)] if name is not None else []
    return Animator(
        tuple(_parameters(data, start.start, start.end)),
        tuple(sorted(conditions, key=lambda row: row[1])),
        tuple(sorted(without_default)),
        tuple(sorted(without_motion)),
        tuple(sorted(set(states))),
        tuple(sorted(without_target)),
    )


def animator_of(rows: list[Any]) -> Animator:
    """Return a controller of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    parameters, conditions, without_default, without_motion, states, without_target = rows
    places = tuple((name, place) for name, place in conditions)
    found = without_default, without_motion, states, without_target
    return Animator(tuple(parameters), places, *map(tuple, found))


def _place(data: bytes, line: re.Pattern[bytes], start: int, end: int) -> list[int]:
    found = line.search(data, start, end)
    return [found.start(found.lastindex or 0)] if found is not None else []


def _parameters(data: bytes, start: int, end: int) -> list[str]:
    first = _PARAMETERS.search(data, start, end)
    if first is None:
        return []
    last = _END.search(data, first.end(), end)
    stop = last.start() if last is not None else end
    return [scalar_at(data, match.end(), _COLUMN) for match in _PARAMETER.finditer(data, first.end(), stop)]
