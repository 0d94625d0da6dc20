"""Persistent calls of UnityEvents, and scripts of components."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT: Final = re.compile(rb"\n  m_Script: \{fileID: 11500000, guid: ([0-9a-f]{32})")
_METHOD: Final = b"m_MethodName: "
_CALL: Final = re.compile(
    rb"- m_Target: \{fileID: (-?\d{1,19})(?:,\s{1,99}guid: ([0-9a-f]{32}),\s{1,99}type: \d)?\}\r?\n"
    rb"(?: {1,99}m_TargetAssemblyTypeName:[^\n]*\n(?: {1,99}(?!m_)[^\n]*\n){0,4})?"
    rb" {1,99}(m_MethodName: )([^\r\n]*)"
)
_MODE: Final = re.compile(rb"\n *m_Mode: (\d)\r?\n")
_NEAR: Final = 200
_REGISTRY: Final = b"    RefIds:"
_MANAGED: Final = re.compile(
    rb"\n      type: \{class: ([^,{}\n]{1,400}),\s{1,99}ns: ([^,{}\n]{0,400}),\s{1,99}asm: ([^,{}\n]{1,400})\}"
)
# Overrides of such fields name the assembly first; a type in the global namespace has no dot.
_OVERRIDE: Final = re.compile(
    rb"\n *propertyPath: '?managedReferences\[-?\d{1,20}\]'?\r?\n *value: ([^\s'\"]{1,400}) ([^\s'\"]{1,800})\r?\n"
)
_OVERRIDDEN: Final = b"managedReferences["
_STATE: Final = re.compile(rb"\n *m_CallState: (\d)")
_REACH: Final = 4000  # bytes between a method's name and the call's state: its arguments, one of them a text
_OFF: Final = b"0"
_MONO_BEHAVIOUR: Final = 114


class PersistentCall(NamedTuple):
    """One call that a UnityEvent makes.

    Attributes:
        offset: of the method's name, in bytes.
        method: its name: ``Open``, ``set_enabled``.
        script: GUID of the target's script, 32 digits, if it is a component of the same file, else ``""``.
        asset: GUID of the target's asset, if it is another file, else ``""``.
        target: fileID of the target.
        mode: how it passes an argument: none (1), an object, a number, a fraction, a text, a flag; -1 for unknown.
    """

    offset: int
    method: str
    script: str
    asset: str
    target: int
    mode: int = -1


class ReferencedType(NamedTuple):
    """The type of an object behind a ``[SerializeReference]`` field.

    Attributes:
        offset: of the class's name, in bytes.
        name: with the types around it: ``Outer/Inner``.
        namespace: ``A.B``, or ``""``.
        assembly: its name.
    """

    offset: int
    name: str
    namespace: str
    assembly: str


class ScriptUses(NamedTuple):
    """The uses of scripts in a text asset.

    Attributes:
        scripts: GUIDs of the scripts of its components and assets, 32 digits each, in order.
        calls: of UnityEvents, in the order of the file, without disabled ones.
        managed: types of objects behind ``[SerializeReference]`` fields.
    """

    scripts: tuple[str, ...]
    calls: tuple[PersistentCall, ...]
    managed: tuple[ReferencedType, ...] = ()


def script_uses(data: bytes) -> ScriptUses:
    """Return the uses of scripts in any text asset."""
    scripts = tuple(sorted({guid.decode() for guid in SCRIPT.findall(data)}))
    found = [match for match in _CALL.finditer(data) if _is_on(data, match.end())] if _METHOD in data else []
    wanted = {int(match[1]) for match in found if match[2] is None}
    owners: dict[int, str] = {}
    for item in documents(data) if wanted else ():
        if item.file_id in wanted and item.class_id == _MONO_BEHAVIOUR:
            script = SCRIPT.search(data, item.start, item.end)
            owners[item.file_id] = script[1].decode() if script else ""
    calls = (
        PersistentCall(
            match.start(3),
            scalar_at(match[4], 0, 0),
            owners.get(int(match[1]), "") if match[2] is None else "",
            match[2].decode() if match[2] is not None else "",
            int(match[1]),
            _mode(data, match.end()),
        )
        for match in found
    )
    return ScriptUses(scripts, tuple(call for call in calls if call.method), tuple(_managed(data)))


def _managed(data: bytes) -> Iterator[ReferencedType]:
    for match in _MANAGED.finditer(data) if _REGISTRY in data else ():
        yield ReferencedType(match.start(1), *(part.decode("utf-8", "replace").strip(" '") for part in match.groups()))
    for match in _OVERRIDE.finditer(data) if _OVERRIDDEN in data else ():
        namespace, _, name = match[2].decode("utf-8", "replace").rpartition(".")
        yield ReferencedType(match.start(1), name, namespace, match[1].decode("utf-8", "replace"))


def _mode(data: bytes, start: int) -> int:
    found = _MODE.search(data, start, start + _NEAR)
    return int(found[1]) if found else -1


def script_uses_of(rows: list[Any]) -> ScriptUses:
    """Return uses of scripts of their JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    scripts, calls, managed = rows
    return ScriptUses(
        tuple(scripts), tuple(PersistentCall(*call) for call in calls), tuple(ReferencedType(*row) for row in managed)
    )


def _is_on(data: bytes, start: int) -> bool:
    state = _STATE.search(data, start, start + _REACH)
    return state is not None and state[1] != _OFF
