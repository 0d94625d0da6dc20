"""Documents of a text asset that its main object reaches.

Unity loads the others and shows them nowhere: a state that no state machine has, a component that no GameObject lists.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    Document = tuple[int, int, bool, int, int]

_SCENE: Final = frozenset((29, 104, 157, 196, 1660057539))  # settings of a scene, all of whose objects are loaded
TRANSFORMS: Final = (4, 224)
"""Classes of Transform and RectTransform."""
INSTANCE: Final = 1001
"""Class of PrefabInstance."""
_PREFAB: Final = 100100000  # up to 2018.2: names the root
_MAIN: Final = 100000  # times the class: the fileID of a main object
_LOCAL: Final = re.compile(rb"\{fileID: (-?[1-9]\d{0,19})\}")
_NO_FATHER: Final = re.compile(rb"\n  m_Father: \{fileID: 0\}")
_NOT_PLACED: Final = re.compile(rb"\n    m_TransformParent: \{fileID: 0\}")
_OF_STAND_IN: Final = re.compile(
    rb"\n  (?:m_GameObject|m_Father|m_PrefabInstance|m_PrefabInternal): \{fileID: (-?[1-9]\d{0,19})\}"
)


def reached_documents(data: bytes, documents: Sequence[Document]) -> set[int]:
    """Return the fileIDs of documents that the main object reaches.

    Of a scene these are all.

    Args:
        data: the whole file.
        documents: as :func:`assetdb.unity.yaml.documents.cut` returns them.
    """
    everything = {file_id for _, file_id, *_ in documents}
    if any(class_id in _SCENE for class_id, *_ in documents):
        return everything
    waiting = list(_main_objects(data, documents))
    if not waiting:
        return everything
    references: dict[int, list[int]] = {}
    stand_ins = {file_id for class_id, file_id, stripped, *_ in documents if stripped or class_id == INSTANCE}
    for _, file_id, _, start, end in documents:
        references.setdefault(file_id, []).extend(int(match) for match in _LOCAL.findall(data, start, end))
        for match in _OF_STAND_IN.findall(data, start, end):  # which cannot list what is added to it
            if int(match) in stand_ins:
                references.setdefault(int(match), []).append(file_id)
    found: set[int] = set()
    while waiting:
        file_id = waiting.pop()
        if file_id not in found:
            found.add(file_id)
            waiting += references.get(file_id, ())
    return found & everything


def _main_objects(data: bytes, documents: Sequence[Document]) -> Iterator[int]:
    """Yield the fileIDs of roots and main objects, none if unknown."""
    if any(class_id == INSTANCE and file_id == _PREFAB for class_id, file_id, *_ in documents):
        yield _PREFAB
        return
    for class_id, file_id, stripped, start, end in documents:
        if class_id in TRANSFORMS:
            is_main = not stripped and _NO_FATHER.search(data, start, end) is not None
        elif class_id == INSTANCE:
            is_main = _NOT_PLACED.search(data, start, end) is not None
        else:
            is_main = file_id == class_id * _MAIN
        if is_main:
            yield file_id
