"""FileIDs that importers make by hashing names.

``int64(xxh64("Type:<Class>-><identifier><n>"))``, seed 0, where ``n`` counts objects of the same class and identifier.
The model importer, all scripted importers and sprite sheets make ids like that; each has its own identifiers. An id has
64 bits, so a guessed identifier whose hash matches an id is right: even objects that are not in the file get names.
"""

from __future__ import annotations

from _collections_abc import Mapping  # collections itself takes 2 ms
from itertools import islice

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, ItemsView, Iterator, ValuesView
    from typing import Final, Self

# Of all nodes, scenes and actions of one asset together: the characters of their paths (a chain of 100,000 nested nodes
# has 5 GB of them) and a charge for the dozen entries that each gets. It is enough for 50,000 paths of 80 characters.
_BUDGET: Final = 1 << 24
_NODE_COST: Final = 256

COMPONENTS: Final = (
    "Transform",
    "MeshFilter",
    "MeshRenderer",
    "SkinnedMeshRenderer",
    "Animator",
    "Animation",
    "Camera",
    "Light",
    "LODGroup",
    "MeshCollider",
)
"""The components that importers add to GameObjects."""


class ImportedObject(NamedTuple):
    """An object that an importer makes of a file.

    Attributes:
        class_name: ``GameObject``, ``Transform``, ``Mesh``, ...
        path: for GameObjects and components the names from below the root, joined by ``/``; for other objects their
            name. ``""`` is the root, or the main object.
        certain: whether the file, or a table of its meta, has the object; False if only its id is evidence.
    """

    class_name: str
    path: str
    certain: bool


def hashed_id(class_name: str, identifier: str, number: int = 0) -> int:
    """Return the fileID of an object: ``hashed_id("Sprite", "tiles_0")``.

    Args:
        class_name: Unity's name of the class, ``MonoBehaviour`` for every ScriptableObject.
        identifier: the name or path that the importer hashes for the object.
        number: how many objects of the same class and identifier precede it.
    """
    from xxhash import xxh64_intdigest  # noqa: PLC0415 - only hashing needs it

    value = xxh64_intdigest(f"Type:{class_name}->{identifier}{number}".encode())
    return value - (value >> 63 << 64)


class LaterObjects(Mapping[int, ImportedObject]):
    """Objects that are known, and guesses made on demand.

    They are made once an object is looked for that is not known.
    A model of 60 bones has 200 objects that are certain, and ten guesses for each bone; nearly all references are to
    the former. The guesses are the last to be iterated over, too.

    Attributes:
        held: how many objects these may become.
    """

    __slots__ = ("_known", "_later", "held")

    def __init__(
        self, known: dict[int, ImportedObject], later: Callable[[], dict[int, ImportedObject]], most: int
    ) -> None:
        """Take the objects that are known, and a function for all.

        Args:
            known: by fileID.
            later: returns these and, behind them, others. Several threads may call it at once.
            most: number of the others, at most.
        """
        self._known = known
        self._later: Callable[[], dict[int, ImportedObject]] | None = later
        self.held = len(known) + most

    def _whole(self) -> dict[int, ImportedObject]:
        later = self._later
        if later is not None:
            self._known = later()  # before the next line, for other threads
            self._later = None
        return self._known

    def __getitem__(self, file_id: int) -> ImportedObject:
        found = self._known.get(file_id)
        return found if found is not None else self._whole()[file_id]

    def __contains__(self, file_id: object) -> bool:
        return file_id in self._known or file_id in self._whole()

    def __iter__(self) -> Iterator[int]:
        known = self._known
        yield from known
        yield from islice(self._whole(), len(known), None)

    def __len__(self) -> int:
        return len(self._whole())

    def items(self) -> ItemsView[int, ImportedObject]:
        """Return all, guesses included."""
        return self._whole().items()

    def values(self) -> ValuesView[ImportedObject]:
        """Return all, guesses included."""
        return self._whole().values()


class HashedNames:
    """A table of objects by fileID; of equal ids the first.

    Certain entries are counted: the second of a class and identifier gets the next number.
    """

    def __init__(self) -> None:
        from xxhash import xxh64_intdigest  # noqa: PLC0415 - as above

        self.found: dict[int, ImportedObject] = {}
        self._budget = _BUDGET
        self._counts: dict[str, int] = {}
        self._digest: Callable[[bytes], int] = xxh64_intdigest

    def copied(self) -> Self:
        """Return a copy for further objects that are not certain."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), found=dict(self.found))
        return made

    def add(self, class_name: str, identifier: str, path: str, *, certain: bool) -> None:
        """Add an object by the importer's ``identifier``, shown as ``path``."""
        key = f"Type:{class_name}->{identifier}"
        number = 0
        if certain:
            number = self._counts.get(key, 0)
            self._counts[key] = number + 1
        value = self._digest(f"{key}{number}".encode())
        self.found.setdefault(value - (value >> 63 << 64), ImportedObject(class_name, path, certain))

    def spend(self, path: str) -> bool:
        """Deduct a path from the budget; return False if it is exceeded."""
        self._budget -= len(path) + _NODE_COST
        return self._budget >= 0
