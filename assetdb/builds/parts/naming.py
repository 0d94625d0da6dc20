"""Resolution of a file name to the nearest part of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_RESOURCES: Final = "Resources"
_DEEPEST: Final = 16  # leading folders that are compared: a path in an archive may have thousands
_BY_NAME: Final = ("", ".cf", ".ress", ".resource", ".blob")
BY_HASH: Final = "cah:/"
"""Before the hash by which files of content directories are named, without an extension."""
OWN_FILES: Final = frozenset(("unity_default_resources", "unity_builtin_extra", "unity_editor_resources"))
"""Names, folded, of the files that Unity brings with every player."""


class FileNames:
    """The files of a build by folded name, seen from parts."""

    def __init__(self, files: Iterable[tuple[str, int]], places: Sequence[str], players: Iterable[int]) -> None:
        """Take files with their parts, parts' names, and parts with players."""
        found: dict[str, list[int]] = {}
        self._part_of: list[int] = []
        self._own: dict[tuple[str, int], int] = {}
        self._places = places
        for number, (path, part) in enumerate(files):
            name = folded(path)
            found.setdefault(name, []).append(number)
            self._part_of.append(part)
            self._own.setdefault((name, part), number)
        self.by_name = {name: tuple(numbers) for name, numbers in found.items()}
        self._nearest = Nearest(self.by_name, lambda file: places[self._part_of[file]])
        self._player_folders = {folder_of(places[part]) for part in players}

    def meant(self, path: str, part: int) -> Sequence[int]:
        """Return the files that a part means by a name (``archive:/CAB-.../CAB-...``, ``sharedassets0.assets``).

        Of several of that name (a bundle in two versions, two players) its own, else those nearest to it; references
        lead to the first.
        """
        name = self._stored(path)
        own = self._own.get((name, part))
        if own is not None:
            return (own,)
        found = self._nearest.find(name, self._places[part])
        if len(self._player_folders) <= 1:
            return found
        return [number for number in found if self._may_mean(part, self._part_of[number])]

    def _stored(self, path: str) -> str:
        """Return the folded name of a file, also one named by hash."""
        name = folded(path)
        if not path.startswith(BY_HASH):
            return name
        return next((name + extension for extension in _BY_NAME if name + extension in self.by_name), name)

    def _may_mean(self, part: int, other: int) -> bool:
        """Whether a part may mean another: one of its own player's.

        Files in a separate folder may belong to a player beside it, like asset packs of an AAB.
        """
        own, folder, players = folder_of(self._places[part]), folder_of(self._places[other]), self._player_folders
        if own == folder or folder not in players:
            return True
        return own not in players and own.partition("/")[0] == folder.partition("/")[0]


def folder_of(place: str) -> str:
    """Return a part's folder; for ``Resources`` of a player, the player's."""
    folder = place.rpartition("/")[0]
    above, _, last = folder.rpartition("/")
    return above if last == _RESOURCES else folder


def folded(path: str) -> str:
    """Return a file's last component, in lower case with underscores."""
    return path.replace("\\", "/").rpartition("/")[2].casefold().replace(" ", "_")


class Nearest:
    """Choice of the files that share the most folders with another."""

    def __init__(self, named: Mapping[str, Sequence[int]], place_of: Callable[[int], str]) -> None:
        self._named = named
        self._near: dict[tuple[str, str], list[int]] = {}
        for name, numbers in named.items():
            for number in numbers if len(numbers) > 1 else ():
                for folder in _folders(place_of(number)):
                    self._near.setdefault((name, folder), []).append(number)

    def find(self, name: str, path: str) -> Sequence[int]:
        """Return the nearest files of a name; several if equally near."""
        known = self._named.get(name, ())
        if len(known) > 1:
            return next((near for folder in _folders(path) if (near := self._near.get((name, folder)))), known)
        return known


def _folders(path: str) -> Iterator[str]:
    """Yield the folders above a path, the innermost first."""
    words = path.split("/")[:-1][:_DEEPEST]
    return ("/".join(words[:count]) for count in range(len(words), 0, -1))
