"""Whether a build is of a project, by the product GUID."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from assetdb.system.reading import read_file

if TYPE_CHECKING:
    from assetdb.builds.build import Build

_SETTINGS: Final = "ProjectSettings/ProjectSettings.asset"
_PRODUCT: Final = re.compile(rb"^  productGUID:[ \t]*([0-9a-fA-F]{32})[ \t\r]*$", re.MULTILINE)
_NONE: Final = "0" * 32


def product_guid(root: str) -> str:
    """Return a project's product GUID, or ``""`` (binary settings)."""
    found = _PRODUCT.search(read_file(os.path.join(root, *_SETTINGS.split("/"))) or b"")
    guid = found[1].decode().lower() if found is not None else ""
    return "" if guid == _NONE else guid


def is_built_of(build: Build, root: str) -> bool | None:
    """Whether build and project share a product GUID; None if unknown."""
    from assetdb.builds.query.summary import product_guids  # noqa: PLC0415 - who asks for a project's own does without

    own, players = product_guid(root), product_guids(build)
    return own in players if own and players else None
