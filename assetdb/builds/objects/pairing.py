"""The objects of one build that another has, too.

PathIDs of bundles are hashes of assets and name an object in every build. In players and scenes they are running
numbers: one script that goes shifts all that follow (979 of 2,187 pairs by number in two players of one project were
different objects). So objects without hashed PathIDs are paired by what they are called, by their content, and by the
references that lead to them from objects that are paired already.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import GAME_OBJECT, TRANSFORMS
from assetdb.builds.objects.content import contents
from assetdb.builds.objects.hierarchy import built_paths
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from assetdb.builds.build import Build

    _Keys = tuple[Callable[[int], Hashable], Callable[[int], Hashable]]
    _Choice = Callable[[list[int], list[int]], Iterable[tuple[int, int]]]

HASHED: Final = 1 << 32
"""The absolute value from which on a PathID is a hash; in scenes and players PathIDs count from 1."""
ALONE: Final = -1
"""Instead of the number of an object that the other build lacks."""


class PartPair(NamedTuple):
    """A part in two builds, and whether its bytes are the same."""

    before: int
    after: int
    is_same: bool


class Pairs:
    """The pairs of objects.

    Attributes:
        after: the object of the second build, or :data:`ALONE`, of each of the first.
        before: the object of the first build of each of the second.
    """

    def __init__(self, before: int, after: int) -> None:
        """Take the numbers of objects."""
        self.after = array("q", [ALONE]) * before
        self.before = array("q", [ALONE]) * after

    def add(self, before: int, after: int) -> None:
        """Pair two objects."""
        self.after[before] = after
        self.before[after] = before


def pair_objects(before: Build, after: Build, parts: Sequence[PartPair]) -> Pairs:
    """Return the pairs among the objects of paired parts."""
    pairs = Pairs(len(before), len(after))
    differing = []
    for part in parts:
        old, new = before.objects_of_part(part.before), after.objects_of_part(part.after)
        if part.is_same:
            for number, other in zip(old, new, strict=True):
                pairs.add(number, other)
        else:
            differing.append((old, new))
            _pair_hashed(before, after, old, new, pairs)
    _Pairing(before, after, pairs, differing, are_related=_are_related(before, after)).run()
    return pairs


def _are_related(before: Build, after: Build) -> bool:
    """Whether no player says that the projects are two."""
    products = [{player.guid for player in build.players.values() if player.guid} for build in (before, after)]
    return not all(products) or bool(products[0] & products[1])


def _pair_hashed(before: Build, after: Build, old: range, new: range, pairs: Pairs) -> None:
    known = {
        (before.path_ids[number], before.class_ids[number]): number
        for number in old
        if abs(before.path_ids[number]) >= HASHED
    }
    for number in new:
        found = known.pop((after.path_ids[number], after.class_ids[number]), None)
        if found is not None:
            pairs.add(found, number)


class _Side:
    """One build with names, contents and neighbours of its objects."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self._paths: dict[int, dict[int, tuple[str, ...]]] = {}
        self._contents: dict[int, bytes] = {}
        self._labels: dict[int, Hashable] = {}

    def name(self, number: int) -> Hashable:
        """Return class, name or script, containers and path of an object."""
        build = self.build
        file = build.file_of(number)
        if file not in self._paths:
            self._paths[file] = built_paths(build, build.files[file])
            part = build.files_of_part(build.files[file].part)
            # The file in a bundle is called by the hash of the bundle's name, which another build may have changed.
            is_alone = sum(build.files[own].facts.objects > 0 for own in part) == 1
            self._labels[file] = "" if is_alone else build.scenes[file] or build.files[file].facts.name
        script = build.script(number)
        path = self._paths[file].get(number, ())
        containers = build.containers.get(number, ())
        return self._labels[file], build.class_ids[number], build.name(number), script, containers, path

    def title(self, number: int) -> Hashable:
        """Return class and title of an object; None without a title."""
        title = self.build.title(number)
        return (self.build.class_ids[number], title) if title else None

    def role(self, number: int, user: int) -> Hashable:
        """Return the class, name and script of a neighbour."""
        class_id = self.build.class_ids[number]
        # A Transform is one of several children by its GameObject's name, and that GameObject's own whatever the name.
        is_child = class_id in TRANSFORMS and self.build.class_ids[user] != GAME_OBJECT
        place = self.build.title(number) if is_child else self.build.name(number)
        return class_id, place, self.build.script(number)

    def is_scripted(self, number: int) -> bool:
        """Whether an object is a MonoBehaviour, also one without a script."""
        return self.build.class_ids[number] == MONO_BEHAVIOUR

    def renamed(self, number: int) -> Hashable:
        """Return a key that stays under another name, or None."""
        class_id = self.build.class_ids[number]
        if class_id in TRANSFORMS:
            owner = self.build.game_object(number)
            return (class_id, self._contents[owner]) if owner in self._contents else None
        return class_id if self.build.name(number) and class_id != GAME_OBJECT else None

    def content(self, numbers: Iterable[int]) -> dict[int, bytes]:
        """Return the contents of objects without names and references."""
        wanted = set(numbers)
        missing = {number for number in wanted if number not in self._contents}
        found = contents(self.build, missing, token=_nothing, is_named=False) if missing else {}
        for number in missing:  # what has references that nobody knows is equal to others by accident
            known = found.get(number)
            self._contents[number] = known.digest if known is not None and known.is_whole else b""
        return {number: self._contents[number] for number in wanted}

    def targets(self, number: int) -> list[int]:
        starts = self.build.reference_starts
        return [self.build.targets[place] for place in range(starts[number], starts[number + 1])]


def _only_ones(old: list[int], new: list[int]) -> Iterable[tuple[int, int]]:
    return ((old[0], new[0]),) if len(old) == len(new) == 1 else ()


def _nothing(_file: int, _file_id: int, _path_id: int) -> bytes:
    return b""


class _Pairing:
    """The stages of pairing, the surest first."""

    def __init__(
        self,
        before: Build,
        after: Build,
        pairs: Pairs,
        parts: Sequence[tuple[range, range]],
        *,
        are_related: bool,
    ) -> None:
        self.sides = _Side(before), _Side(after)
        self.pairs = pairs
        self.parts = parts
        self.inside = [{own for part in parts for own in part[side]} for side in (0, 1)]
        self.are_related = are_related
        self.waiting: list[tuple[int, int]] = []

    def run(self) -> None:
        for old, _ in self.parts:
            self.waiting += [(number, self.pairs.after[number]) for number in old if self.pairs.after[number] != ALONE]
        names = self.sides[0].name, self.sides[1].name
        titles = self.sides[0].title, self.sides[1].title
        if not self.are_related:  # only what is called and written alike
            self._each(names, self._of_one_content)
            return
        self._each(names, _only_ones)
        self._follow()
        self._each(names, self._only_ones_of_a_content)
        self._follow()
        self._each(names, self._in_order)
        self._follow()
        self._each(titles, self._only_ones_of_a_content)
        self._each(titles, self._in_order)
        self._follow()
        self._each(self._renamed(), self._only_ones_of_a_content)
        self._follow()
        self._moved(titles)

    def _renamed(self) -> _Keys:
        """Return the keys of assets and of Transforms.

        Other components say too little: a default collider is equal to any other.
        """
        for side, numbers in enumerate(zip(*map(self._left, self.parts), strict=True)):
            build = self.sides[side].build
            left = [number for some in numbers for number in some]
            self.sides[side].content([number for number in left if build.class_ids[number] == GAME_OBJECT])
        return self.sides[0].renamed, self.sides[1].renamed

    def _left(self, part: tuple[range, range]) -> tuple[list[int], list[int]]:
        """Return the objects of a part that are not paired yet."""
        after, before = self.pairs.after, self.pairs.before
        left = [number for number in part[0] if after[number] == ALONE]
        return left, [number for number in part[1] if before[number] == ALONE]

    def _each(self, keys: _Keys, choose: _Choice) -> None:
        """Pair objects of one key in each part."""
        self._among([self._left(part) for part in self.parts], keys, choose)

    def _among(self, places: Iterable[tuple[list[int], list[int]]], keys: _Keys, choose: _Choice) -> None:
        """Pair objects of one key in each place."""
        groups: dict[Hashable, tuple[list[int], list[int]]] = {}
        for place, both in enumerate(places):
            for side, numbers in enumerate(both):
                for number in numbers:
                    key = keys[side](number)
                    if key is not None:
                        groups.setdefault((place, key), ([], []))[side].append(number)
        shared = [group for group in groups.values() if all(group)]
        if choose is not _only_ones:  # all at once: each reading opens the parts anew
            for side in (0, 1):
                self.sides[side].content(number for group in shared for number in group[side])
        for olds, news in shared:
            for left, right in choose(olds, news):
                self._pair(left, right)

    def _pair(self, old: int, new: int) -> None:
        self.pairs.add(old, new)
        self.waiting.append((old, new))

    def _contents(self, old: list[int], new: list[int]) -> Iterable[tuple[list[int], list[int]]]:
        """Return the objects of each content."""
        groups: dict[bytes, tuple[list[int], list[int]]] = {}
        for place, numbers in enumerate((old, new)):
            known = self.sides[place].content(numbers)
            for number in numbers:
                if known[number]:
                    groups.setdefault(known[number], ([], []))[place].append(number)
        return groups.values()

    def _only_ones_of_a_content(self, old: list[int], new: list[int]) -> Iterable[tuple[int, int]]:
        return [(olds[0], news[0]) for olds, news in self._contents(old, new) if len(olds) == len(news) == 1]

    def _of_one_content(self, old: list[int], new: list[int]) -> Iterable[tuple[int, int]]:
        return [pair for olds, news in self._contents(old, new) for pair in zip(olds, news, strict=False)]

    def _in_order(self, old: list[int], new: list[int]) -> Iterable[tuple[int, int]]:
        """Return pairs of equal content in order, then the rest in order."""
        found = list(self._of_one_content(old, new))
        taken = {number for number, _ in found}, {number for _, number in found}
        rest = ([number for number in numbers if number not in taken[side]] for side, numbers in enumerate((old, new)))
        return [*found, *zip(*rest, strict=False)]

    def _follow(self) -> None:
        """Pair the neighbours of paired objects."""
        first, second = self.sides
        while self.waiting:
            old, new = self.waiting.pop()
            left, right = first.targets(old), second.targets(new)
            groups: dict[Hashable, tuple[list[int], list[int]]] = {}
            for side, (user, targets) in enumerate(((old, left), (new, right))):
                paired = (self.pairs.after, self.pairs.before)[side]
                for target in dict.fromkeys(targets):
                    if target >= 0 and paired[target] == ALONE and target in self.inside[side]:
                        key = self.sides[side].role(target, user)
                        groups.setdefault(key, ([], []))[side].append(target)
            for lefts, rights in groups.values():
                for pair in _only_ones(lefts, rights):
                    self._pair(*pair)
            self._without_script(old, left, right)
            old_owner, new_owner = first.build.game_object(old), second.build.game_object(new)
            if old_owner is not None and new_owner is not None and self._are_alone(old_owner, new_owner):
                self._pair(old_owner, new_owner)  # a renamed GameObject has the components of before

    def _without_script(self, owner: int, old: Iterable[int], new: Iterable[int]) -> None:
        """Pair a single left component that lost or got its script."""
        first, second = self.sides
        if first.build.class_ids[owner] != GAME_OBJECT:
            return
        lefts = [
            number for number in old if number >= 0 and self.pairs.after[number] == ALONE and first.is_scripted(number)
        ]
        rights = [
            number
            for number in new
            if number >= 0 and self.pairs.before[number] == ALONE and second.is_scripted(number)
        ]
        for pair in _only_ones(lefts, rights):
            if first.build.script(pair[0]) is None or second.build.script(pair[1]) is None:
                self._pair(*pair)

    def _are_alone(self, old: int, new: int) -> bool:
        return self.pairs.after[old] == ALONE and self.pairs.before[new] == ALONE

    def _moved(self, titles: _Keys) -> None:
        """Pair objects that went to another part unchanged."""
        left = [self._left(part) for part in self.parts]
        old = [number for numbers, _ in left for number in numbers]
        new = [number for _, numbers in left for number in numbers]
        self._among([(old, new)], titles, self._only_ones_of_a_content)
        self._follow()
