"""The main object of an asset with several.

Unity's word of 27 projects: the object that the meta or the extension names, unless it is a part that other assets
embed (two LightingData.asset of Unity 2018 and 2019 have the LightProbes 25800000 in their metas, and are 112000002);
then the object with the asset's own name that is no such part.
"""

from __future__ import annotations

from assetdb.unity.engine.classes import canonical_file_id
from assetdb.unity.kinds import PARTS

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def find_main(
    classes: Mapping[int, int], name_of: Callable[[int], str], stem: str, declared: tuple[int, ...] = ()
) -> int:
    """Return the fileID of the main object.

    Args:
        classes: of the objects, by fileID, in the order of the file; at least one.
        name_of: returns the name of one.
        stem: the file's name without extension.
        declared: fileIDs by meta and extension, the likeliest first.
    """
    likely = next((file_id for file_id in declared if file_id in classes), None)
    if likely is not None and classes[likely] not in PARTS:
        return likely
    others = [file_id for file_id, number in classes.items() if number not in PARTS]
    named = next((file_id for file_id in others if name_of(file_id) == stem), None)
    if named is not None:
        return named
    if likely is None:
        likely = next((file_id for file_id in others if canonical_file_id(classes[file_id]) == file_id), None)
    return likely if likely is not None else next(iter(classes))
