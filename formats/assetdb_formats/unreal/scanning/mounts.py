"""Mount points: from files to package names.

``Content/A/B.uasset`` of a project is ``/Game/A/B``, of a plugin ``/Plugin/A/B``.
"""

from __future__ import annotations

import os
from typing import Final, NamedTuple

EXTENSIONS: Final = (".uasset", ".umap")
EXTERNAL_FOLDERS: Final = ("/__ExternalActors__/", "/__ExternalObjects__/")


class ContentRoot(NamedTuple):
    """A folder with packages named by path, below ``mount``."""

    folder: str
    mount: str


def content_root(folder: str) -> ContentRoot:
    """Find the content root of ``folder`` (absolute), and its mount.

    The nearest folder named ``Content`` beside a .uplugin or .uproject counts, or else the nearest one: a project may
    have a folder of this name in its content. Where there is none, ``folder`` itself is mounted as ``/Game``.
    """
    parts = folder.replace(os.sep, "/").split("/")
    places = [place for place in range(len(parts) - 1, 0, -1) if parts[place] == "Content"]
    for place in places:
        if stated := _stated_mount("/".join(parts[:place]) or "/"):
            return ContentRoot("/".join(parts[: place + 1]), stated)
    if not places:
        return ContentRoot(folder, "/Game")
    nearest = places[0]
    return ContentRoot("/".join(parts[: nearest + 1]), _mount_by_path("/".join(parts[:nearest]) or "/"))


def _stated_mount(owner: str) -> str:
    """Return the mount that a .uplugin or .uproject states, or ""."""
    try:
        names = os.listdir(owner)
    except OSError:
        names = []
    for name in sorted(names):
        stem, extension = os.path.splitext(name)
        if extension.lower() == ".uplugin":
            return f"/{stem}"
        if extension.lower() == ".uproject":
            return "/Game"
    return ""


def _mount_by_path(owner: str) -> str:
    """Return the mount of a Content folder by the folders above."""
    parent, name = os.path.split(owner)
    if name == "Engine":
        return "/Engine"
    # Plugins lie in Plugins/, or in one more folder of it, such as Plugins/Runtime/.
    if "Plugins" in {os.path.basename(parent), os.path.basename(os.path.dirname(parent))}:
        return f"/{name}"
    return "/Game"


def learned_mount(own_name: str, relative: str) -> str:
    """Return the mount that a package's own name implies, or ""."""
    if own_name.lower().endswith(f"/{relative.lower()}") and len(own_name) > len(relative) + 1:
        return own_name[: -len(relative) - 1]
    return ""


def external_owner(name: str) -> str:
    """Return the map of an external actor or object, or "".

    ``/Game/__ExternalActors__/Maps/Town/A/BC/DEF`` is an actor of ``/Game/Maps/Town``: three parts are its hash.
    """
    for folder in EXTERNAL_FOLDERS:
        mount, found, rest = name.partition(folder)
        if found:
            parts = rest.split("/")
            return "/".join([mount, *parts[:-3]]) if len(parts) > 3 else ""
    return ""
