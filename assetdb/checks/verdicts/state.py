"""The state of all verdicts, updated from tree to tree.

A verdict belongs to a key, which names an asset; it depends on that asset and on the prefabs and models that it nests,
directly or indirectly. If the asset behind a GUID changes, the keys of that GUID are judged again, and the keys of all
assets that nest it; files that merely refer to it are not read again. In a first check everything is new.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from assetdb.checks.rules import RECURSIVE_PREFAB
from assetdb.checks.verdicts.deciding import CURRENT, NOTHING_KNOWN, NOWHERE, PLAIN, Known, decide
from assetdb.checks.verdicts.extracting import source_key
from assetdb.checks.verdicts.former import FormerContents
from assetdb.checks.verdicts.locating import place_problems
from assetdb.checks.verdicts.reading import narrowed, read_files
from assetdb.checks.verdicts.tree import (
    NEVER,
    Difference,
    Row,
    contents,
    difference,
    rows_of,
    stamp_of,
    with_changed,
    with_replaced,
)
from assetdb.memo.contents import ABSENT, packed_contents
from assetdb.memo.tree import extension_of, identity_on_disk
from assetdb.query.graph.verdicts import APART, BROKEN
from assetdb.resolve.sizes import UNREADABLE
from assetdb.settings.effective import read_settings
from assetdb.settings.project import own_path
from assetdb.system.identity import RACY
from assetdb.unity.kinds import kind_of
from assetdb.unity.settings.editor_version import VERSION_FILE, reads_by_libyaml
from assetdb.unity.settings.tags import TAGS_FILE, read_tags
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Self

    from assetdb.checks.verdicts.deciding import Outcome
    from assetdb.checks.verdicts.locating import Located, Problem
    from assetdb.checks.verdicts.processing import Processing
    from assetdb.checks.verdicts.reading import FileReferences, ReadFacts
    from assetdb.memo.tree import Tree
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.unity.settings.tags import Tags

Outside: TypeAlias = tuple[str, str, tuple[bytes, ...]]
"""An asset of a package that a prefab nests: its file, its stamp, and the GUIDs that it nests itself."""
_GUID: Final = 16
# So many files are read, or keys judged, while the problems of one (large) file are located: 20 ms and more.
_READ_WHILE_PLACED: Final = 20
_JUDGED_WHILE_PLACED: Final = 100
_GUID_DIGITS: Final = 32
_IDENTITY_BITS: Final = 63
"""The identity of a large file, which counts in place of its content, has as many bits; a content id has 127."""
_NO_REFERENCES: Final = b"", b""
_UNSEEN: Final = APART, UNREADABLE
"""Verdict on a GUID that a file which was not read may have."""


class State:
    """All verdicts of a project, as of one tree.

    Attributes:
        rows: the directories.
        hides_guids: whether files that were not read may have GUIDs that nothing else has.
        history: stamp of git's history, ``""`` if no reference depends on it.
        loose: text files without a meta, each with its content.
        alone: GUIDs (32 digits) of orphaned metas, each with the path of its asset; and those that the first digits of
            encoded ones fit, each with path and content.
        outside: assets of packages that prefabs of the project nest, by GUID.
        keys: of all references, by number; no file may have some of them any more.
        outcomes: all different verdicts.
        codes: number of the verdict on each key.
        files: references of each text file.
        nested: GUIDs that a file nests.
        problems: by file.
        occurrences: how often each key occurs in the project.
        totals: how many references have each verdict, by its number; None if they are not counted yet.
        work: the cost of the last :meth:`follow`, in files in which problems are located.
        is_torn: whether files changed during the last :meth:`follow`, so that what was found is of no one tree.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self.rows: dict[bytes, Row] = {}
        self.hides_guids = False
        self.history = ""
        self.loose: dict[bytes, int] = {}
        self.alone: dict[bytes, str] = {}
        self.outside: dict[bytes, Outside] = {}
        self.keys: list[bytes] = []
        self.outcomes: list[Outcome] = []
        self.codes = array("H")
        self.files: dict[bytes, FileReferences] = {}
        self.nested: dict[bytes, tuple[bytes, ...]] = {}
        self.problems: dict[bytes, list[Problem]] = {}
        self.occurrences = array("q")
        self.work = 0
        self.is_torn = False
        self._guids = _Guids()
        self._numbers: dict[bytes, int] | None = None
        self._by_guid: dict[bytes, list[int]] | None = None
        self.totals: list[int] | None = None
        self._is_followed = False
        self._located: dict[bytes, Located | None] = {}  # of files that were placed again without a change
        self._directories: dict[bytes, DirectoryFacts] = {}  # that the rows are of
        self._former = FormerContents()

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many references have each verdict, in their places.

        A problem counts where it is, as its place may turn a dangling reference into a stale override (2 of 99 of
        BoatAttack).
        """
        rows = zip(self.outcomes, self.by_code(), strict=True)
        found = {outcome: count for outcome, count in rows if count and outcome[0] in PLAIN}
        problems = Counter(row[-2:] for placed in self.problems.values() for row in placed)
        for placed in self.problems.values():
            for row in reversed(placed):
                if not row[0]:  # rows that count what is not listed are the last
                    break
                problems[row[-2:]] += row[0] - 1
        return {**found, **problems}

    def follow(
        self,
        project: Snapshot,
        tree: Tree,
        processing: Processing,
        *,
        content: Callable[[str], int],
        is_current: bool = True,
        only: Mapping[bytes, Collection[bytes] | None] | None = None,
    ) -> Self:
        """Bring everything up to date with a tree; return this.

        After a failure this must not be used.

        Args:
            project: resolves the references.
            tree: as it is now.
            processing: how many processes work, and on how much.
            content: returns the content id of a file that no scan has read.
            is_current: whether the project's database matches that tree.
            only: the files to read, each with the GUIDs (32 digits) whose references count, None for all; None: all of
                the tree.

        Raises:
            ScanError: the project cannot be read now.
            DamagedCacheError: the cached facts are damaged.
        """
        libyaml = reads_by_libyaml(project.read(VERSION_FILE) or b"")
        tags = read_tags(project.read(TAGS_FILE) or b"")
        directories = tree.directories
        rows = rows_of(tree.listing, self.rows, self._directories, content)
        is_first = not self.rows
        changes = self._changes(project, rows, tree, content)
        self._guids.follow(rows, changes.folders)
        read = changes.read if only is None else [path for path in changes.read if path in only]
        self._keep_former(changes)
        known_facts = self._former.facts  # a state has one way to read: other tags, and another one is made
        found = read_files(project.root, sorted(read), processing, libyaml=libyaml, tags=tags, former=known_facts)
        found = found if only is None else narrowed(found, only)
        self.rows, self._directories = rows, directories
        self.is_torn = False
        self._mark_changed(found.contents)
        first_new = len(self.keys)
        read_again = {*found.files, *found.former}
        doubted = self._doubted(project, [*changes.removed, *read_again])
        self._take(changes.removed, found)
        affected = self._affected(project, changes.guids | doubted, content)
        fallen = self._fallen(affected, first_new)
        known = NOTHING_KNOWN
        if is_current:
            # What part of a tree says of a GUID, another part may say, too.
            known = _known(rows, found.anchors, self.alone) if is_first and only is None else CURRENT
        turned = self._judge(project, fallen, first_new, known, processing)
        placed = self._place(project, turned, affected, read_again, processing, libyaml=libyaml, tags=tags)
        self._mark_replaced(project)
        self.work = placed + len(read) // _READ_WHILE_PLACED + len(fallen) // _JUDGED_WHILE_PLACED
        if len(self.keys) > first_new:
            self._forget_unused()
        self._is_followed = True
        return self

    # --- what changed

    def _doubted(self, project: Snapshot, others: Iterable[bytes]) -> set[bytes]:
        """Return absent GUIDs that git, changed or unread files may know.

        Args:
            project: resolves the references.
            others: files that are gone, or were read again.
        """
        # A .meta that goes between listing and reading: where all was judged anew, a check took eight times as long.
        hid, self.hides_guids = self.hides_guids, project.resolver.hides_guids
        knew, self.history = self.history, project.losses.stamp if project.packages.list.missing else ""
        numbers: Iterable[int] = ()
        if hid != self.hides_guids or (self.history and knew != self.history):
            numbers = range(len(self.codes))
        elif self.history:
            numbers = {number for path in others for number, _ in _pairs(self.files.get(path, _NO_REFERENCES))}
        is_absent = bytes(outcome[0] in NOWHERE or outcome == _UNSEEN for outcome in self.outcomes)
        return {self.keys[number][:_GUID_DIGITS] for number in numbers if is_absent[self.codes[number]]}

    def _fallen(self, affected: set[bytes], first_new: int) -> list[int]:
        """Return the numbers of keys without a certain verdict."""
        keys = self.keys
        if not self._is_followed:  # a command asks once, which is faster without an index
            fallen = [number for number, key in enumerate(keys[:first_new]) if key[:_GUID_DIGITS] in affected]
            return [*fallen, *range(first_new, len(keys))]
        start, by_guid = (0, {}) if self._by_guid is None else (first_new, self._by_guid)
        for number in range(start, len(keys)):
            by_guid.setdefault(keys[number][:_GUID_DIGITS], []).append(number)
        self._by_guid = by_guid
        known = {number for guid in affected for number in by_guid.get(guid, ()) if number < first_new}
        return [*sorted(known), *range(first_new, len(keys))]

    def _changes(
        self, project: Snapshot, rows: Mapping[bytes, Row], tree: Tree, content: Callable[[str], int]
    ) -> Difference:
        """Return the changes, GUIDs as 32 digits."""
        changes = difference(self.rows, rows)
        guids = {guid.hex().encode() for guid in changes.guids}
        loose = {path: content(os.fsdecode(path)) for path in tree.loose}
        # A folder that is closed for a moment hides what is in it, and may be open when that is read.
        loose = {path: found if found != ABSENT else RACY for path, found in loose.items()}
        read = changes.read + [path for path, found in loose.items() if found == RACY or found != self.loose.get(path)]
        removed = changes.removed + [path for path in self.loose.keys() - loose.keys() if path not in read]
        self.loose = loose
        # As the resolver found them, however long ago: a meta that went since then is judged as one that is there, and
        # from what the disk has now the next tree would not differ.
        encoded = project.encoded.locations(project.root) if project.has_encoded else {}
        alone = {
            guid.encode(): f"{place.path} {content(place.path) if place.path else ''}"
            if encoded.get(guid) == place
            else place.path
            for guid, place in project.resolver.strays().items()
        }
        guids.update(guid for guid, _ in alone.items() ^ self.alone.items())
        self.alone = alone
        for guid, (file, stamp, _) in list(self.outside.items()):
            if stamp == NEVER or stamp != stamp_of(file, content):
                guids.add(guid)
                del self.outside[guid]
        return changes._replace(guids=guids, read=read, removed=removed)

    def _affected(self, project: Snapshot, changed: set[bytes], content: Callable[[str], int]) -> set[bytes]:
        """Return the changed GUIDs (32 digits) and those that nest them."""
        users: dict[bytes, list[bytes]] = {}
        places = self._guids
        nesting = set()
        for path, nested in self.nested.items():
            guid = places.of(path)
            nesting.add(guid)
            for inner in nested:
                users.setdefault(inner, []).append(guid)
        for guid, (_, _, nested) in self._follow_outside(project, users.keys() - nesting, content).items():
            for inner in nested:
                users.setdefault(inner, []).append(guid)
        affected = set(changed)
        waiting = list(changed)
        while waiting:
            for user in users.get(waiting.pop(), ()):
                if user not in affected:
                    affected.add(user)
                    waiting.append(user)
        return affected

    def _follow_outside(
        self, project: Snapshot, inner: Iterable[bytes], content_of: Callable[[str], int]
    ) -> dict[bytes, Outside]:
        """Return facts of nested assets of packages, each examined once."""
        if not project.has_packages:
            return {}
        database = project.database
        waiting = [guid for guid in inner if guid not in self.outside and guid.decode() not in database]
        while waiting:
            guid = waiting.pop()
            location = project.packages.locate(guid.decode())
            if location is None or not location.file or guid in self.outside:
                continue
            file = own_path(project.root, location.file)  # a clone has another root
            stamp = stamp_of(file, content_of)
            content = project.resolver.content(guid.decode())
            nested = _nested_in(content) if isinstance(content, TextObjects) else ()
            self.outside[guid] = file, stamp, nested
            waiting += nested
        return self.outside

    # --- taking it in

    def _forget_unused(self) -> None:
        """Forget keys that no file has, once they are the majority."""
        counts = self.occurrences
        used = [number for number, count in enumerate(counts) if count]
        if 2 * len(used) >= len(self.keys):
            return
        numbers = array("I", bytes(4 * len(self.keys)))
        for new, old in enumerate(used):
            numbers[old] = new
        self.keys = [self.keys[number] for number in used]
        self.codes = array("H", [self.codes[number] for number in used])
        self.occurrences = array("q", [counts[number] for number in used])
        self._numbers = self._by_guid = None
        self._former.forget()
        self.files = {
            path: (array("I", map(numbers.__getitem__, array("I", packed))).tobytes(), times)
            for path, (packed, times) in self.files.items()
        }

    def _keep_former(self, changes: Difference) -> None:
        """Keep facts of contents that changed or went; one may be moved."""
        for path, stamp in changes.stamps.items():
            references, extension = self.files.get(path), extension_of(path)
            # What was no text when it was read may have been text when it was scanned: only its head was looked at.
            if references is not None and (references != _NO_REFERENCES or kind_of(extension).content):
                self._former.keep((stamp, extension), (*references, self.nested.get(path, ())))

    def _take(self, removed: Iterable[bytes], found: ReadFacts) -> None:
        """Take facts of files that were read, and drop absent ones."""
        counts, codes, totals = self.occurrences, self.codes, self.by_code()
        judged = len(codes)
        for path in (*removed, *found.files, *found.former):
            for number, count in _pairs(self.files.pop(path, _NO_REFERENCES)):
                counts[number] -= count
                totals[codes[number]] -= count
            self.nested.pop(path, None)
            self._located.pop(path, None)
        for path in removed:
            self.problems.pop(path, None)
        numbers = self._numbers_of(found.keys)
        renumbered = []
        for key in found.keys:
            number = numbers.setdefault(key, len(self.keys))
            if number == len(self.keys):
                self.keys.append(key)
                counts.append(0)
            renumbered.append(number)
        for path, (packed, times) in found.files.items():
            self.files[path] = array("I", map(renumbered.__getitem__, array("I", packed))).tobytes(), times
        self.nested.update(found.nested)
        for path, (keys, times, nested) in found.former.items():
            self.files[path] = keys, times
            if nested:
                self.nested[path] = nested
        for path in (*found.files, *found.former):
            for number, count in _pairs(self.files[path]):
                counts[number] += count
                if number < judged:
                    totals[codes[number]] += count

    def _numbers_of(self, keys: Iterable[bytes]) -> dict[bytes, int]:
        """Return the numbers of some keys, and maybe of others."""
        if self._numbers is None:
            if not self._is_followed and self.keys:  # a command asks once, which is faster without all numbers
                wanted = frozenset(keys)
                return {key: number for number, key in enumerate(self.keys) if key in wanted}
            self._numbers = {key: number for number, key in enumerate(self.keys)}
        return self._numbers

    def by_code(self) -> list[int]:
        """Return how many references have each verdict, by its number."""
        totals = self.totals
        if totals is None:
            totals = self.totals = [0] * len(self.outcomes)
            usual = max(Counter(self.codes).items(), key=itemgetter(1), default=(0, 0))[0]  # nearly all are named
            for number in [number for number, code in enumerate(self.codes) if code != usual]:
                totals[self.codes[number]] += self.occurrences[number]
            if totals:
                totals[usual] = sum(self.occurrences) - sum(totals)
        return totals

    def _judge(
        self, project: Snapshot, fallen: list[int], first_new: int, known: Known, processing: Processing
    ) -> set[int]:
        """Judge keys; return those with a new, changed or solved problem."""
        verdicts = decide(project, [self.keys[number] for number in fallen], known, processing)
        codes = {outcome: code for code, outcome in enumerate(self.outcomes)}
        self.codes.frombytes(bytes(self.codes.itemsize * (len(self.keys) - len(self.codes))))
        totals = self.by_code()
        turned = set()
        for number in fallen:
            outcome = verdicts[self.keys[number]]
            code = codes.setdefault(outcome, len(codes))
            if code == len(self.outcomes):
                self.outcomes.append(outcome)
                totals.append(0)
            is_new = number >= first_new
            totals[code] += self.occurrences[number]
            if not is_new:
                totals[self.codes[number]] -= self.occurrences[number]
            before = ("", "") if is_new else self.outcomes[self.codes[number]]
            if outcome != before and (outcome[0] not in PLAIN or (not is_new and before[0] not in PLAIN)):
                turned.add(number)
            self.codes[number] = code
        return turned

    def _place(
        self,
        project: Snapshot,
        turned: set[int],
        affected: set[bytes],
        read: set[bytes],
        processing: Processing,
        *,
        libyaml: bool,
        tags: Tags | None,
    ) -> int:
        """Locate the problems of changed files; return how many these are.

        Files that were read, have a key with another problem, or nest an affected asset.
        """
        outcomes, codes, keys = self.outcomes, self.codes, self.keys
        is_problem = bytes(outcome[0] not in PLAIN for outcome in outcomes)
        places = self._guids
        work = []
        others = read.union(path for path in self.problems if places.of(path) in affected)
        few = [(path, self.files[path]) for path in sorted(others) if path in self.files]
        for path, references in self.files.items() if turned else few:
            key_numbers = array("I", references[0])
            if path not in others and turned.isdisjoint(key_numbers):
                continue
            problems = {keys[number]: outcomes[codes[number]] for number in key_numbers if is_problem[codes[number]]}
            own_guid = places.of(path)
            if own_guid in self.nested.get(path, ()):
                problems[source_key(own_guid)] = BROKEN, RECURSIVE_PREFAB
            self.problems.pop(path, None)
            if problems:
                work.append((path, places.of(path).decode(), problems))
        # Scenes that nest what is edited: a tenth of a second each, for places that stay as they are.
        known = {path: self._located.get(path) for path, *_ in work if path not in read}
        placed = place_problems(project, work, processing, libyaml=libyaml, tags=tags, known=known)
        self._located.update(known)
        self.problems.update((path, rows) for path, rows in placed.problems.items() if rows)
        # One that git replaced between both readings had no problems, also when its content came back.
        self._mark_changed(placed.contents)
        return len(work)

    def _mark_changed(self, contents: Mapping[bytes, bytes]) -> None:
        """Have files read again that changed since their scan.

        Args:
            contents: by path, of the bytes that were read after it.
        """
        marked = with_changed(self.rows, contents)
        self.is_torn = self.is_torn or marked != self.rows
        self.rows = marked
        for path in self.loose.keys() & contents.keys():
            known = self.loose[path]
            is_content = known.bit_length() > _IDENTITY_BITS
            if (is_content and packed_contents([known]) != contents[path]) or (known == RACY and contents[path]):
                self.loose[path] = RACY
                self.is_torn = True

    def _mark_replaced(self, project: Snapshot) -> None:
        """Have targets examined again that were replaced since their scan.

        A target that was something else when it was examined, and whose content came back, would keep the verdicts on
        references to it: random races found it once in 1,560 checks.
        """
        located = map(project.resolver.locate, tuple(project.resolver.examined))  # other threads add to it
        paths = [os.fsencode(place.path) for place in located if place is not None and not place.package]
        if not paths:
            return
        compared = read_settings(project.root, project.folder).check_stat
        marked = with_replaced(self.rows, paths, partial(identity_on_disk, project.root, check_stat=compared))
        self.is_torn = self.is_torn or marked != self.rows
        self.rows = marked


class _Guids:
    """GUIDs (32 digits) of files by path, found directory by directory."""

    def __init__(self) -> None:
        self._rows: Mapping[bytes, Row] = {}
        self._known: dict[bytes, dict[bytes, int]] = {}  # the place of each name in its directory

    def follow(self, rows: Mapping[bytes, Row], changed: Iterable[bytes]) -> None:
        """Take new directories, some of them changed."""
        self._rows = rows
        for folder in changed:
            self._known.pop(folder, None)

    def of(self, path: bytes) -> bytes:
        """Return the GUID of a text file, or ``b""``."""
        folder, _, name = path.rpartition(b"/")
        row = self._rows.get(folder)
        if row is None:
            return b""
        known = self._known.get(folder)
        if known is None:  # all names: to select text files took 100 ms after an edit
            names = row.files.split(b"/")[: 2 * row.pair_count : 2]
            known = self._known[folder] = {name: place * _GUID for place, name in enumerate(names)}
        start = known.get(name)
        return row.guids[start : start + _GUID].hex().encode() if start is not None else b""


def _known(rows: Mapping[bytes, Row], anchors: Mapping[bytes, bytes], alone: Iterable[bytes]) -> Known:
    """Return facts that save reading files again, after reading all."""
    places: dict[bytes, bytes] = {}
    folders: set[bytes] = set()
    several: set[bytes] = set(alone)
    for path, row in rows.items():
        names = row.files.split(b"/")
        for number, (guid, _) in enumerate(contents(path, row)):
            digits = guid.hex().encode()
            if digits in places:
                several.add(digits)
            if number * _GUID < len(row.guids):
                places[digits] = path + b"/" + names[2 * number]
            else:
                places[digits] = path
                folders.add(digits)
    for digits in several:
        places.pop(digits, None)
    return Known(places, frozenset(folders), anchors, database_is_current=True)


def _nested_in(content: TextObjects) -> tuple[bytes, ...]:
    """Return the source GUIDs of objects of a file."""
    found = {source for _, source in content.instances}
    found.update(item.source.guid for item in content.objects.values() if item.stripped)
    return tuple(sorted(guid.encode() for guid in found if len(guid) == _GUID_DIGITS))


def _pairs(references: FileReferences) -> Iterable[tuple[int, int]]:
    return zip(array("I", references[0]), array("I", references[1]), strict=True)
