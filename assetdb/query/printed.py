"""Queries in printed form: ``Main.unity / Canvas / Popup (Image)``, ``Main.unity:666``."""

from __future__ import annotations

from assetdb.resolve.instances import Imported
from assetdb.system.reading import read_file
from assetdb.unity.objects import PREFAB_INSTANCE, TextObjects
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from assetdb.resolve.resolver import Resolver
    from assetdb.unity.objects import TextObject

_MASK: Final = (1 << 63) - 1
_MOST_OBJECTS: Final = 10_000  # that are named to find one: a second
_MOST_INSTANCES: Final = 100_000
_DEEPEST: Final = 16  # prefabs in prefabs; 9 levels are seen in real projects
_BETWEEN: Final = " / "


class Called(NamedTuple):
    """An object: its fileID, and its name as it is printed."""

    file_id: int
    name: str


def asset_part(text: str) -> str:
    """Return the part of a printed name that names the asset.

    ``""`` where the text cannot be a printed name.
    """
    head, between, _ = text.partition(_BETWEEN)
    if not between:
        head, between, _ = text.rpartition(" (")
    if head.endswith("]"):  # Tool.cs [com.acme.tools]
        head = head.rpartition(" [")[0] or head
    return head if between else ""


def objects_called(resolver: Resolver, guid: str, text: str) -> list[Called]:
    """Return the objects of an asset with a printed name.

    Without a type the GameObject is meant, if there is one.

    Args:
        resolver: of the project.
        guid: of the asset.
        text: the printed name, whatever stands for the asset in it.
    """
    wanted = text[len(asset_part(text)) :].casefold()
    if wanted.startswith(" ["):
        wanted = wanted.partition("]")[2]
    label = resolver.name(guid, None).name
    stem = label.partition(" [")[0].rpartition(".")[0].casefold()
    # A root that is called as its file is not said twice, but people may say it.
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

    That is the object of that fileID, else the one on that line.

    None is the asset as a whole, where a line is in none of its objects.
    """
    content = resolver.content(guid)
    if not isinstance(content, TextObjects) or number in content.objects:
        return number
    location = resolver.locate(guid)
    data = read_file(location.file) if location is not None else None
    if not data or not 0 < number <= data.count(b"\n") + 1:
        return number
    from assetdb.unity.documents import documents  # noqa: PLC0415 - only for a line

    data = data.replace(b"\r\n", b"\n")
    lines = data.split(b"\n")
    end = sum(map(len, lines[:number])) + number - 1
    # The line that begins an object ends where its document starts, and is that object's.
    here = next((found for found in reversed(documents(data)) if found.start <= end), None)
    return here.file_id if here is not None else None


def _candidates(resolver: Resolver, guid: str, text: str) -> Iterator[int]:
    """Yield the fileIDs of objects with a name in a text.

    Objects that nested prefabs bring are among them.

    Nothing here is recursive: a prefab that nests itself is as deep as any other.
    """
    left = _MOST_OBJECTS
    nested: list[tuple[str, tuple[int, ...]]] = [(guid, ())]
    known: dict[str, list[int]] = {}
    met: set[int] = set()
    for source, instances in nested:
        content = resolver.content(source)
        if isinstance(content, str):
            continue
        named = known.get(source)
        if named is None:
            named = known[source] = list(_named_so(content, text))
        for file_id in named:
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
            nested += [(inner, (*instances, instance)) for instance, inner in content.instances]


def _named_so(content: TextObjects | Imported, text: str) -> Iterator[int]:
    """Yield the fileIDs of objects of one file named in a text.

    The name is theirs or that of their GameObject.
    """
    if isinstance(content, Imported):
        for file_id, imported in content.objects.items():
            if imported.path.rpartition("/")[2].casefold() in text:
                yield file_id
        return
    way = text.partition("\n")[0]
    for file_id, item in content.objects.items():
        # What has no name is not called by one: BoatAttack's level_Island brings 832 instances, 2 ms each to be named.
        if not item.name and not item.game_object and not _may_be_called(item, way):
            continue
        owner = content.objects.get(item.game_object) if item.game_object else None
        # What is stripped comes with the prefab that it stands for.
        if not item.stripped and (owner if owner is not None and not owner.stripped else item).name.casefold() in text:
            yield file_id
    for instance, _ in content.instances:
        for there, name in content.objects[instance].overridden_names().items():
            if name.casefold() in text:
                yield (there ^ instance) & _MASK


def _may_be_called(item: TextObject, way: str) -> bool:
    """Whether an object without a name may be printed as a text.

    It is an object on no other one.
    """
    if item.class_id != PREFAB_INSTANCE:
        return _BETWEEN not in way  # Main.unity (RenderSettings)
    if not way.endswith("(prefabinstance)"):
        return False
    name = next(iter(item.overridden_names().values()), "")
    return name.casefold() in way
