"""The target of an edited reference, in this bundle or another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.casset.errors import CassetError, NotInBundleError
from assetdb_formats.casset.files import load
from assetdb_formats.casset.identity import SUFFIX, uuid_from_text
from assetdb_formats.casset.model import Reference
from assetdb_formats.casset.queries.objects import find_object

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Bundle


def find_target(bundle: Bundle, text: str, path: str = "") -> Reference:
    """Return the object that a text names: ``UUID@BUNDLE-UUID``, ``FILE[#OBJECT]``, or one of the bundle itself.

    A file without an object stands for its primary object. ``path`` is the bundle's, for errors.

    Raises:
        NotInBundleError: the bundle, or the file, has no such object.
        CassetError: the file is damaged.
        OSError: it cannot be opened.
    """
    first, at, second = text.partition("@")
    if at:
        try:
            return Reference(uuid_from_text(first), uuid_from_text(second))
        except CassetError:
            pass  # a name with an @
    file, _, inner = text.partition(f"{SUFFIX}#") if f"{SUFFIX}#" in text else (text.removesuffix(SUFFIX), "", "")
    if text.endswith(SUFFIX) or f"{SUFFIX}#" in text:
        place = file + SUFFIX
        other = load(place)
        entry = find_object(other, inner, place) if inner else other.primary
        if entry is None:
            raise NotInBundleError("the bundle has no object", path=place)
        return Reference(entry.uuid, other.uuid)
    return Reference(find_object(bundle, text, path).uuid, bundle.uuid)
