"""Queries in printed form: ``Main.unity / Canvas / Popup (Image)``, ``Main.unity:666``."""

from __future__ import annotations

from assetdb.resolve.instances import Imported
from assetdb.resolve.sizes import TOO_LARGE
from assetdb.system.reading import attempt, open_regular
from assetdb.unity.kinds import DOCUMENT_HEAD
from assetdb.unity.yaml.documents import NEXT_DOCUMENT, cut
from assetdb.unity.yaml.objects import PREFAB_INSTANCE, TextObjects
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from assetdb.resolve.resolver import Resolver
    from assetdb.unity.yaml.objects import TextObject

_BLOCK: Final = 4 << 20
_MASK: Final = (1 << 63) - 1
_MOST_OBJECTS: Final = 10_000  # objects named in one search: a second
_MOST_INSTANCES: Final = 100_000
_MOST_RENAMED: Final = 100  # objects that one instance gives a name of the text
_DEEPEST: Final = 16  # nesting of prefabs; real projects have 9 levels
_BETWEEN: Final = " / "


class Called(NamedTuple):
    """An object: its fileID, and its name as it is printed."""

    file_id: int
    name: str


def asset_part(text: str) -> str:
    """Return the asset's part of a printed name, ``""`` for other text."""
    head, between, _ = text.partition(_BETWEEN)
    if not between:
        head, between, _ = text.rpartition(" (")
    if head.endswith("]"):  # Tool.cs [com.acme.tools]
        head = head.rpartition(" [")[0] or head
    return head if between else ""


def objects_called(resolver: Resolver, guid: str, text: str) -> list[Called]:
    """Return objects with a printed name; without type, GameObjects if any.

    Args:
        resolver: of the project.
        guid: of the asset.
        text: the printed name, in any form for the asset.
    """
    wanted = text[len(asset_part(text)) :].casefold()
    if wanted.startswith(" ["):
        wanted = wanted.partition("]")[2]
    label = resolver.name(guid, None).name
    stem = label.partition(" [")[0].rpartition(".")[0].casefold()
    # A root with its file's name is not repeated, but may be typed.
    shorter = wanted[len(_BETWEEN) + len(stem) :] if wanted.startswith(_BETWEEN + stem) else wanted
    found: dict[str, list[tuple[bool, Called]]] = {}
    for file_id in _candidates(resolver, guid, f"{wanted}\n{stem}"):
        name = resolver.name(guid, file_id)
        way = name.name[len(label) :].casefold()
        called = name.type == "GameObject", Called(file_id, name.name)
        found.setdefault(way, []).append(called)
        if way.endswith(")"):
            found.setdefault(way.rpartition(" (")[0], []).append(called)
    rows = found.get(wanted) or found.get(shorter) or []
    return [called for is_game_object, called in rows if is_game_object] or [called for _, called in rows]


def object_at(resolver: Resolver, guid: str, number: int) -> int | None:
    """Return the fileID that ``PATH:number`` means.

    The object with that fileID, else the one on that line. None is the asset as a whole, if the line is in no object.
    """
    location = resolver.locate(guid)
    if location is None or not location.file:
        return number
    content = resolver.bounded_content(guid)
    if content != TOO_LARGE and (not isinstance(content, TextObjects) or number in content.objects):
        return number
    return attempt(_object_at, location.file, number)


def _object_at(path: str, number: int) -> int | None:
    """Return the fileID that a number in a file means."""
    here: int | None = number
    above: int | None = None
    lines = 0
    rest = b"\n"
    with open(open_regular(path), "rb") as file:
        while block := file.read(_BLOCK):
            data, _, tail = (rest + block).rpartition(b"\n")
            data += b"\n"
            rest = b"\n" + tail[:_BLOCK]  # the line that begins an object is short
            if _begins(data, number):
                return number
            count = data.count(b"\n") - 1
            if lines < number <= lines + count:
                # The first line of an object ends where its document starts, and belongs to it.
                following = data.split(b"\n", number - lines + 1)[-1]
                here = above = _last_object(data[: len(data) - len(following)], above)
            above = _last_object(data, above)
            lines += count
    if number == lines + 1:  # the last line, without a line end
        here = above
    return here if above is not None else number


def _begins(data: bytes, number: int) -> bool:
    """Whether an object of a fileID begins in some lines."""
    anchor = b" &%d" % number
    place = data.find(anchor)
    while place >= 0:
        line = data.rfind(b"\n", 0, place) + 1
        if data.startswith(DOCUMENT_HEAD, line) and _object_in(data[line : data.find(b"\n", place)]) == number:
            return True
        place = data.find(anchor, place + 1)
    return False


def _object_in(line: bytes) -> int | None:
    return next((file_id for _, file_id, _, _, _ in cut(line)), None)


def _last_object(data: bytes, before: int | None) -> int | None:
    """Return the last object that begins in some lines, else ``before``."""
    place = data.rfind(NEXT_DOCUMENT)
    while place >= 0:
        found = _object_in(data[place + 1 : data.find(b"\n", place + 1)])
        if found is not None:
            return found
        place = data.rfind(NEXT_DOCUMENT, 0, place)
    return before


def _candidates(resolver: Resolver, guid: str, text: str) -> Iterator[int]:
    """Yield fileIDs of objects, nested ones too, named in a text."""
    left = _MOST_OBJECTS
    nested: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = [(guid, (), ())]
    known: dict[str, _Named] = {}
    met: set[int] = set()
    for source, instances, renamed in nested:
        content = resolver.bounded_content(source)
        if isinstance(content, str):
            continue
        named = known.get(source)
        if named is None:
            named = known[source] = _Named(content, text)
        for file_id in (*named.here, *named.on(renamed)):
            number = file_id
            for instance in reversed(instances):
                number = (number ^ instance) & _MASK
            if number not in met:
                left -= 1
                if left < 0:
                    return
                met.add(number)
                yield number
        if isinstance(content, TextObjects) and len(instances) < _DEEPEST and len(nested) < _MOST_INSTANCES:
            for instance, inner in content.instances:
                below = [(number ^ instance) & _MASK for number in renamed]  # of a prefab that this one nests
                within = (*named.renamed.get(instance, ()), *below)[:_MOST_RENAMED]
                nested.append((inner, (*instances, instance), within))


class _Named:
    """The objects of one file that a text may name.

    Attributes:
        here: fileIDs of objects named, or on one named, so.
        renamed: by instances, fileIDs in their sources of what they name so.
    """

    def __init__(self, content: TextObjects | Imported, text: str) -> None:
        self._content = content
        self._groups: dict[int, list[int]] | None = None
        self.renamed: dict[int, list[int]] = {}
        if isinstance(content, TextObjects):
            for instance, _ in content.instances:
                for there, name in content.objects[instance].overridden_names().items():
                    if name.casefold() in text:
                        self.renamed.setdefault(instance, []).append(there)
        targets = [(there ^ instance) & _MASK for instance, row in self.renamed.items() for there in row]
        self.here = [*_named_so(content, text), *targets]

    def on(self, owners: tuple[int, ...]) -> Iterator[int]:
        """Yield fileIDs of the components of some GameObjects here."""
        if owners and self._groups is None:
            self._groups = _components(self._content)
        for owner in owners:
            yield from (self._groups or {}).get(owner, ())


def _components(content: TextObjects | Imported) -> dict[int, list[int]]:
    """Return the components of one file's objects, by their owners."""
    found: dict[int, list[int]] = {}
    if isinstance(content, Imported):
        by_path: dict[str, list[int]] = {}
        for file_id, imported in content.objects.items():
            found[file_id] = by_path.setdefault(imported.path, [])
            found[file_id].append(file_id)
        return found
    for file_id, item in content.objects.items():
        if item.game_object:
            found.setdefault(item.game_object, []).append(file_id)
    return found


def _named_so(content: TextObjects | Imported, text: str) -> Iterator[int]:
    """Yield fileIDs of one file's objects named, or on one named, so."""
    if isinstance(content, Imported):
        for file_id, imported in content.objects.items():
            if imported.path.rpartition("/")[2].casefold() in text:
                yield file_id
        return
    way = text.partition("\n")[0]
    for file_id, item in content.objects.items():
        # Objects without a name cannot match: BoatAttack's level_Island has 832 instances, 2 ms each to name.
        if not item.name and not item.game_object and not _may_be_called(item, way):
            continue
        owner = content.objects.get(item.game_object) if item.game_object else None
        # Stripped objects come with their prefab.
        if not item.stripped and (owner if owner is not None and not owner.stripped else item).name.casefold() in text:
            yield file_id


def _may_be_called(item: TextObject, way: str) -> bool:
    """Whether a nameless, ownerless object may be printed as a text."""
    if item.class_id != PREFAB_INSTANCE:
        return _BETWEEN not in way  # Main.unity (RenderSettings)
    if not way.endswith("(prefabinstance)"):
        return False
    name = next(iter(item.overridden_names().values()), "")
    return name.casefold() in way
