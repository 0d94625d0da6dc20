"""Documents of a text asset that mean the whole asset."""

from __future__ import annotations

from assetdb.system.reading import read_file
from assetdb.unity.kinds import ASSET_MAIN, PARTS, extension_of, main_file_id

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.packages.location import Location
    from assetdb.unity.yaml.objects import TextObjects

_KEY: Final = b"\n  mainObjectFileID:"


def main_documents(content: TextObjects, location: Location) -> frozenset[int]:
    """Return the fileIDs of an asset's main objects, usually one.

    It is the one with the canonical fileID of its class, else the first of the file. The first is not enough: font
    assets begin with their texture, controllers with a blend tree. Of several with canonical ids (a material, and the
    MonoBehaviour that is the font), it is the one that meta or extension declares.
    """
    from assetdb.unity.engine.classes import canonical_file_id  # noqa: PLC0415 - a name in a prefab does without

    extension = extension_of(location.path)
    if extension == "asset" and any(item.class_id in PARTS for item in content.objects.values()):
        return frozenset((_main_of_asset(content, location),))
    canonical = frozenset(
        number for number, item in content.objects.items() if canonical_file_id(item.class_id) == number
    )
    if not canonical:
        return frozenset((content.main.file_id,) if content.main is not None else ())
    if len(canonical) == 1:
        return canonical
    main = _main_of_meta(location.file) or main_file_id(extension)
    return frozenset((main,)) if main in canonical else canonical


def _main_of_asset(content: TextObjects, location: Location) -> int:
    """Return the fileID of the main object of a ``.asset`` with parts."""
    from assetdb.unity.main_object import find_main  # noqa: PLC0415 - few assets have parts

    objects = content.objects
    declared = tuple(filter(None, (_main_of_meta(location.file), ASSET_MAIN)))
    classes = {file_id: item.class_id for file_id, item in objects.items()}
    stem = location.path.rpartition("/")[2].rpartition(".")[0]
    return find_main(classes, lambda file_id: objects[file_id].name, stem, declared)


def _main_of_meta(file: str) -> int | None:
    """Return the main object's fileID from the meta, or None."""
    meta = read_file(f"{file}.meta") or b""
    start = meta.find(_KEY)
    digits = meta[start + len(_KEY) : start + 64].split(b"\n")[0].strip() if start >= 0 else b""
    return int(digits) if digits.removeprefix(b"-").isdigit() else None
