"""Results of a trace: ties, shipped objects and contradictions.

The certainty of a tie:

- ``exact``: the PathID is the hash of GUID, type and fileID, or the GUID is in a catalog, a player's list of prefabs or
  Unity's report of the build;
- ``scene``: the player has a list of its scenes, by path;
- ``unique``: only one object of the project has the class and name, and for a script the namespace;
- ``candidates``: several have, or only a file has the name; or the scene at the level's position in the project's build
  settings, if the player has no list of scenes;
- ``built in``: the object is Unity's own; ``none``: there is no such object in the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from assetdb.builds.trace.sources import Source

EXACT: Final = "exact"
SCENE: Final = "scene"
UNIQUE: Final = "unique"
CANDIDATES: Final = "candidates"
BUILT_IN: Final = "built in"
NONE: Final = "none"
CERTAINTIES: Final = (EXACT, SCENE, UNIQUE, CANDIDATES, BUILT_IN, NONE)
REPORT: Final = "build report"
"""What ties an object to the asset that Unity's own report names."""
TIED: Final = (EXACT, SCENE, UNIQUE)
"""Certainties with exactly one source."""


class Traced(NamedTuple):
    """An object of a build and its source.

    Attributes:
        certainty: one of :data:`CERTAINTIES`.
        by: what ties it: ``PathID``, ``container path``, ``catalog``, ``list of prefabs``, ``scene``, ``class and
            name``, ...
        sources: one, several candidates, or none.
    """

    number: int
    certainty: str
    by: str
    sources: tuple[Source, ...]


class Shipped(NamedTuple):
    """An asset in one part of a build.

    Attributes:
        objects: its objects there, with how each is tied.
        size: bytes of them, streamed data included.
        why: kind of the reason that they are there, as :class:`assetdb.builds.query.reasons.Reason` has it.
        root: container path or scene that the way begins with.
        way: names of the objects from there to this one.
    """

    part: int
    objects: tuple[Traced, ...]
    size: int
    why: str
    root: str
    way: tuple[str, ...]


class LaidOut(NamedTuple):
    """An asset that a build layout lists as pulled in."""

    guid: str
    path: str
    bundle: str
    size: int
    used_by: tuple[str, ...]


class Stated(NamedTuple):
    """An asset in a content state: bundle, its size, CRC, group GUID."""

    guid: str
    bundle: str
    size: int
    crc: int
    group: str


class MissingKey(NamedTuple):
    """A GUID of a build that the project lacks.

    Of a catalog, a player or a group; ``explained`` names its owner, if known.
    """

    guid: str
    address: str
    internal_id: str
    explained: str


class Mixed(NamedTuple):
    """Content that players have, and that needs some that they must download."""

    asset: str
    bundle: str
    needs: str
