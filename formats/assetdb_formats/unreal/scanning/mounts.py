"""Mount points: from files to package names.

``Content/A/B.uasset`` of a project is ``/Game/A/B``, of a plugin ``/Plugin/A/B``.
"""

from __future__ import annotations

import os
from typing import Final, NamedTuple

EXTENSIONS: Final = (".uasset", ".umap")
EXTERNAL_FOLDERS: Final = ("/__ExternalActors__/", "/__ExternalObjects__/")


class ContentRoot(NamedTuple):
    """A folder whose packages are named after where they are in it; ``mount`` is such as ``/Game``."""

    folder: str
    mount: str


def content_root(folder: str) -> ContentRoot:
    """Find the content root that ``folder`` (absolute) is in, and how it is mounted.

    The nearest folder named ``Content`` counts; where there is none, ``folder`` itself is mounted as ``/Game``.
    """
    parts = folder.replace(os.sep, "/").split("/")
    for place in range(len(parts) - 1, 0, -1):
        if parts[place] == "Content":
            root = "/".join(parts[: place + 1])
            return ContentRoot(root, _mount_of("/".join(parts[:place]) or "/"))
    return ContentRoot(folder, "/Game")


def _mount_of(owner: str) -> str:
    """Say how the Content folder of ``owner`` is mounted: by its .uplugin, else by its name and place."""
    try:
        names = os.listdir(owner)
    except OSError:
        names = []
    for name in sorted(names):
        stem, extension = os.path.splitext(name)
        if extension == ".uplugin":
            return f"/{stem}"
        if extension == ".uproject":
            return "/Game"
    parent, name = os.path.split(owner)
    if name == "Engine":
        return "/Engine"
    # Plugins lie in Plugins/, or in one more folder of it, such as Plugins/Runtime/.
    if "Plugins" in {os.path.basename(parent), os.path.basename(os.path.dirname(parent))}:
        return f"/{name}"
    return "/Game"


def learned_mount(own_name: str, relative: str) -> str:
    """Return the mount that a package's own name reveals; "" where it does not end in its place (it was moved)."""
    if own_name.lower().endswith(f"/{relative.lower()}") and len(own_name) > len(relative) + 1:
        return own_name[: -len(relative) - 1]
    return ""


def external_owner(name: str) -> str:
    """Return the map whose actor (or object) the package holds; "" for any other package.

    ``/Game/__ExternalActors__/Maps/Town/A/BC/DEF`` is an actor of ``/Game/Maps/Town``: three parts are its hash.
    """
    for folder in EXTERNAL_FOLDERS:
        mount, found, rest = name.partition(folder)
        if found:
            parts = rest.split("/")
            return "/".join([mount, *parts[:-3]]) if len(parts) > 3 else ""
    return ""
