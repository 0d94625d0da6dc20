"""Objects that contradict the header of their document.

No message of Unity is known: the judgement is our own. In 190,996 files of real projects no object has such a header.
"""

from __future__ import annotations

from assetdb.unity.engine.classes import class_name, class_number

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

OTHER_CLASS: Final = "begins a {}, and the header of the object says {}"
NO_OBJECT: Final = "is behind a header without an object"
NO_GAME_OBJECT: Final = "begins a component that has no m_GameObject line"

# Classes of components of which every object has the line. MonoBehaviours are left out: an asset may be one.
_NUMBERS: Final = """
4 12 15 20 23 26 33 50 54 58 59 60 61 64 65 66 68 70 81 82 92 95 96 102 108 111 120 124 135 136 137 138 143 144 145
153 154 164 182 192 195 198 199 205 208 210 212 215 218 220 222 223 224 225 227 231 232 233 234 235 247 249 250 251
252 253 254 255 256 257 259 320 328 331 19719996 73398921 156049354 171741748 483693784 893571522 1818360608 1839735485
2083052967
"""
_COMPONENTS: Final = frozenset(map(int, _NUMBERS.split()))
# Classes without objects of their own: older versions write the base of a class (``Behaviour:`` for a FlareLayer).
_BASES: Final = frozenset((0, 2, 3, 6, 8, 9, 18, 25, 27, 53, 56, 57, 130))
_GAME_OBJECT: Final = b"\n  m_GameObject:"
_REACH: Final = 2048
_LONGEST_NAME: Final = 80


class Headers:
    """Compares objects with their headers, and remembers classes."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bytes], str] = {}

    def fault(self, data: bytes, document: tuple[int, int, bool, int, int]) -> str:
        """Return the contradiction of an object, or ``""``.

        Args:
            data: the whole file.
            document: a row of :func:`assetdb.unity.yaml.documents.cut`.
        """
        class_id, _, stripped, start, end = document
        colon = data.find(b":", start, min(end, start + _LONGEST_NAME))
        if colon < 0 and not data[start:end].strip():
            return NO_OBJECT
        key = class_id, data[start + 1 : max(colon, 0)]  # without a colon it begins nothing
        told = self._known.get(key)
        if told is None:
            told = _of_class(*key)
            if len(self._known) < _REACH:
                self._known[key] = told
        if told or stripped or class_id not in _COMPONENTS:
            return told
        near = data.find(_GAME_OBJECT, start, min(end, start + _REACH))
        return "" if near >= 0 or data.find(_GAME_OBJECT, start, end) >= 0 else NO_GAME_OBJECT


def _of_class(class_id: int, written: bytes) -> str:
    """Return the contradiction of a class and its number, or ``""``."""
    name = written.decode("ascii", "replace")
    number = class_number(name)
    said = class_name(class_id)
    if not said or name == said or number is None or number == class_id or number in _BASES:
        return ""
    return OTHER_CLASS.format(name, said)
