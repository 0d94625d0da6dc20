"""A binary asset as Unity writes it with Force Text.

The fileIDs are PathIDs; properties and their order follow the type tree in the file; references get GUID and type
from its table of externals. So whatever reads text assets reads binary ones, too. Two things differ from Unity's own
text: ``serializedVersion`` is left out, and all maps are lists of pairs.

The length of the text is bounded by the file's length: a type tree that lies could repeat a long name for every byte.
"""

from __future__ import annotations

import re
from io import BytesIO
from struct import Struct
from typing import TYPE_CHECKING, Final

from assetdb_formats.unityfs.archives.directory import Node
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.serialized_files.loaded import DecodedData, LoadedFile
from assetdb_formats.unityfs.serialized_files.tree_values import Kind, PPtr

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.unityfs.serialized_files.serialized import External
    from assetdb_formats.unityfs.serialized_files.tree_values import Value, ValuePlan

_HEAD: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
_MOST: Final = 40
"""Bytes of text for each byte of the file; the most in 341 real assets is 5.7, in lighting data."""
_ALLOWED: Final = 1 << 20
_MOST_VALUES: Final = 1_000_000
"""Of one object; the most in real assets is 180,000, of a terrain."""
# Not with a bracket in front, which begins or ends a list: Unity writes '[DOTween]' in quotes, too. Without quotes
# "> Boss" begins a text of several lines, and is no YAML.
_PLAIN: Final = re.compile(r"(?![\[\]>])[A-Za-z0-9_./\[\]()<>+]+(?:[ -]+[A-Za-z0-9_./\[\]()<>+]+)*", re.ASCII)
_ESCAPED: Final = re.compile(r'[\\"\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')
_SHORT_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_FLOW: Final = frozenset(
    (("x", "y"), ("x", "y", "z"), ("x", "y", "z", "w"), ("r", "g", "b", "a"), ("x", "y", "width", "height"))
)
_BUILT_IN: Final = {
    "library/unity default resources": "0000000000000000e000000000000000",
    "resources/unity_builtin_extra": "0000000000000000f000000000000000",
    "library/unity editor resources": "0000000000000000d000000000000000",
}
_NO_GUID: Final = "0" * 32
_FLOATS: Final = Struct("<f")
_GUID_NUMBERS: Final = 4
_HASH_BYTES: Final = 16
_SINGLE: Final = "f"
_DOUBLE: Final = "d"


def yaml_form(data: bytes) -> bytes:
    """Return a SerializedFile of a project as Unity's YAML.

    Raises:
        UnsupportedError: it is of a newer version, or a type of it has no type tree (in what an engine builds).
        UnityFSError: it is none, or damaged.
    """
    source = DecodedData(BytesIO(data), None, len(data))
    loaded = LoadedFile(source, Node(0, len(data), 0, ""))
    if loaded.facts.header.file_size != len(data):
        raise UnityFSError(f"declares {loaded.facts.header.file_size} bytes of {len(data)}", field="header.file_size")
    writer = _Writer(loaded.facts.externals, _ALLOWED + _MOST * len(data))
    for entry in loaded.facts.objects:
        kind = loaded.facts.types[entry.type_index] if entry.type_index >= 0 else None
        plan = loaded.plan(entry) if kind is not None and kind.tree is not None else None
        if plan is None:
            raise UnsupportedError(f"object {entry.path_id} of class {entry.class_id} has no type tree", field="types")
        stripped = " stripped" if kind is not None and kind.stripped else ""
        writer.line(f"--- !u!{entry.class_id} &{entry.path_id}{stripped}")
        writer.object(plan, loaded.value(entry, most=_MOST_VALUES))
    return writer.text()


class _Writer:
    """The text, line by line, up to its bound."""

    def __init__(self, externals: tuple[External, ...], most: int) -> None:
        self._guids = [_guid_of(external) for external in externals]
        self._lines = [_HEAD[:-1]]
        self._left = most

    def text(self) -> bytes:
        return ("\n".join(self._lines) + "\n").encode("utf-8", "replace")

    def line(self, text: str) -> None:
        """Add a line.

        Raises:
            UnityFSError: the text grows out of proportion.
        """
        self._left -= len(text) + 1
        if self._left < 0:
            raise UnityFSError("its values are out of all proportion to its size", field="types")
        self._lines.append(text)

    def object(self, plan: ValuePlan, value: Value) -> None:
        """Add the lines of an object."""
        if not isinstance(value, dict):
            raise UnityFSError(f"{plan.type_name} has no fields", field="types")
        self.line(f"{_key(plan.type_name)}:")
        # Lines to come, in reverse: the text before the value, its indent, the value and its plan.
        waiting: list[tuple[str, str, Value, ValuePlan | None]] = []
        _add_fields(waiting, "  ", "  ", value, plan)
        while waiting:
            before, indent, item, part = waiting.pop()
            short = self._short(item, part)
            if short is not None:
                self.line(f"{before} {short}")
            elif isinstance(item, dict):
                if before.endswith("-"):  # the first field of an element is behind its dash
                    _add_fields(waiting, f"{before} ", f"{indent}  ", item, part)
                else:
                    self.line(before)
                    _add_fields(waiting, f"{indent}  ", f"{indent}  ", item, part)
            elif isinstance(item, list):
                element = part.children[0] if part is not None and part.kind is Kind.LIST else None
                start = f"{indent}-"
                if before.endswith("-"):  # as "- - {x: 0, y: 1}" in the paths of a collider
                    start, indent = f"{before} -", f"{indent}  "
                else:
                    self.line(before)
                dashes = [start, *[f"{indent}-"] * (len(item) - 1)]
                rows = zip(reversed(dashes), reversed(item), strict=True)
                waiting += [(dash, indent, _pair(child), element) for dash, child in rows]

    def _short(self, value: Value, plan: ValuePlan | None) -> str | None:
        """Return a value that has no lines of its own, else None."""
        if isinstance(value, PPtr):
            return self._reference(value)
        if isinstance(value, str):
            return _scalar(value)
        if isinstance(value, bytes):
            return value.hex()
        if isinstance(value, int | float):
            return _number(value, plan.code if plan is not None else _DOUBLE)
        if not value:
            return "{}" if isinstance(value, dict) else "[]"
        if isinstance(value, dict):
            if plan is not None and plan.type_name in _DIGITS:
                return _DIGITS[plan.type_name](value)
            if tuple(value) in _FLOW and all(isinstance(child, int | float) for child in value.values()):
                parts = zip(value.items(), plan.children if plan is not None else (None,) * len(value), strict=False)
                words = (f"{key}: {self._short(child, part)}" for (key, child), part in parts)
                return "{" + ", ".join(words) + "}"
        elif plan is not None and plan.kind is Kind.NUMBERS and plan.code not in (_SINGLE, _DOUBLE):
            return Struct(f"<{len(value)}{plan.code}").pack(*value).hex()
        return None

    def _reference(self, pointer: PPtr) -> str:
        if not pointer.path_id:
            return "{fileID: 0}"
        if not pointer.file_id:
            return f"{{fileID: {pointer.path_id}}}"
        if not 0 < pointer.file_id <= len(self._guids):
            raise UnityFSError(f"refers to file {pointer.file_id} of {len(self._guids)}", field="externals")
        guid, kind = self._guids[pointer.file_id - 1]
        return f"{{fileID: {pointer.path_id}, guid: {guid}, type: {kind}}}"


def _add_fields(
    waiting: list[tuple[str, str, Value, ValuePlan | None]],
    first: str,
    indent: str,
    value: dict[str, Value],
    plan: ValuePlan | None,
) -> None:
    """Add the fields of a mapping, the first one behind ``first``."""
    plans = {child.name: child for child in plan.children} if plan is not None else {}
    if plan is not None and len(plan.children) == 2 and "second" in plans:  # a pair with its key in place of the name
        first_plan, second_plan = plan.children
        plans.setdefault(next(iter(value)), plans["second"])
        plans["first"], plans["second"] = first_plan, second_plan
    rows = [(f"{_key(key)}:", child, plans.get(key)) for key, child in value.items()]
    for number in range(len(rows) - 1, -1, -1):
        key, child, part = rows[number]
        waiting.append((f"{indent if number else first}{key}", indent, child, part))


def _pair(value: Value) -> Value:
    """Return a pair of a map as ``- 4: {fileID: 400000}``."""
    if isinstance(value, dict) and tuple(value) == ("first", "second"):
        key = value["first"]
        if isinstance(key, str | int) and key != "":
            return {str(key): value["second"]}
    return value


def _guid_of(external: External) -> tuple[str, int]:
    built_in = _BUILT_IN.get(external.path.lower()) if external.guid == _NO_GUID else None
    return built_in or external.guid, external.kind


def _guid(value: dict[str, Value]) -> str | None:
    """Return the digits of a GUID, low half-bytes first."""
    numbers = [child for child in value.values() if isinstance(child, int)]
    return "".join(f"{number:08x}"[::-1] for number in numbers) if len(numbers) == _GUID_NUMBERS else None


def _hash(value: dict[str, Value]) -> str | None:
    numbers = [child for child in value.values() if isinstance(child, int)]
    return "".join(f"{number:02x}" for number in numbers) if len(numbers) == _HASH_BYTES else None


_DIGITS: Final[dict[str, Callable[[dict[str, Value]], str | None]]] = {"GUID": _guid, "Hash128": _hash}
"""Classes that are written as one row of digits."""


def _key(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else _quoted(text)


def _scalar(text: str) -> str:
    return text if not text or _PLAIN.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _SHORT_ESCAPES.get(character) or f"\\u{ord(character):04x}"


def _number(value: float, code: str) -> str:
    """Return the shortest text of a number in its precision."""
    if isinstance(value, int):
        return str(int(value))
    if code == _SINGLE:
        for digits in (6, 7, 8):
            text = f"{value:.{digits}g}"
            if _FLOATS.unpack(_FLOATS.pack(float(text)))[0] == value:
                return text
        return f"{value:.9g}"
    return repr(value).removesuffix(".0")
