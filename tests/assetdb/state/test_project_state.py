"""One state, whatever the way to it: built of all directories, or updated by them in any split and order."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.scan.asset import encode_rows
from assetdb.scan.content_id import content_id
from assetdb.scan.directory import DirectoryFacts, utf8
from assetdb.scan.fast_path import Columns
from assetdb.scan.known import file_identities
from assetdb.scan.known.file_identities import rows
from assetdb.scan.known.packed import PackedDirectories
from assetdb.state import edges
from assetdb.state.live_state import LiveState
from assetdb.state.project_state import ProjectState
from assetdb.store import cache_record
from assetdb.store.cache_record import Saved, encode_cache, encode_seen, folders_of, rows_of
from assetdb.store.indexes.reader import Index
from assetdb.store.schema import read_entries
from assetdb.system.identity import DEFAULT
from assetdb_formats.codecs.bincode import string

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.state.columns import Sanitize
    from assetdb.store.indexes.graph import Edges, GraphWork, Ordered

NAMES = (b"Foo", b"Bar", b"Foo^Sub", b"Foo^A", b"A", b"a\xc3\xa9", b"F#o")
TYPES = (b"28", b"21", b"213", b"aa" * 16, b"bb" * 16, b"%032x" % 7)
FOLDERS = (b"Assets", b"Assets/A", b"Assets/Sub", b"Assets/A/Sub", b"Assets/B\xff/A", b"Packages/x")
GUIDS = tuple(number.to_bytes(16, "big") for number in (1, 250, 251, 1 << 63, 1 << 64, 1 << 127, *range(300, 360)))


class Tree:
    """Directories of a project that never was: few GUIDs and names, so that they collide."""

    def __init__(self, seed: int, guids: tuple[bytes, ...]) -> None:
        self.random = random.Random(seed)
        self.guids = guids
        self.directories: dict[bytes, DirectoryFacts] = {}

    def guid(self) -> bytes:
        return self.random.choice(self.guids)

    def packed(self, most: int) -> bytes:
        return b"".join(sorted({self.guid() for _ in range(self.random.randrange(most + 1))}))

    def directory(self, path: bytes) -> DirectoryFacts:
        """Return a directory with anything in it."""
        chosen = self.random
        names = sorted({b"%b.%b" % (chosen.choice(NAMES), chosen.choice((b"a", b"b"))) for _ in range(4)})
        columns = Columns()
        for name in names[: chosen.randrange(5)]:
            kind, stem = chosen.choice(TYPES), name.partition(b".")[0]
            subs = sorted({(chosen.randrange(-9, 9), 213, chosen.choice(NAMES)) for _ in range(chosen.randrange(3))})
            body = string(stem) + encode_rows(list(subs)) + string(utf8(path) + b"/" + name)
            sub_keys = tuple(b"213:" + sub for _, _, sub in subs) if chosen.random() < 0.8 else ()
            links = self.packed(4), self.packed(2) if chosen.random() < 0.3 else b""
            columns.add((self.guid().hex().encode(), kind + b":" + stem, body, sub_keys, b"", *links))
        folders = sorted({chosen.choice((b"A", b"Sub", b"C")) for _ in range(chosen.randrange(3))})
        unread = [Diagnostic("lfs-pointer", f"{utf8(path).decode()}/x.asset", 0, "")] * (chosen.random() < 0.1)
        return DirectoryFacts(
            path,
            chosen.getrandbits(60),
            b"",
            b"",
            b"/".join(part for name in names[: len(columns.guids)] for part in (name, name + b".meta")),
            b"",
            b"",
            *columns.packed(),
            b"".join(self.guid() for _ in folders),
            b"/".join(folders),
            b"",
            encode(unread),
            len(columns.guids),
        )

    def step(self, most: int) -> list[tuple[DirectoryFacts | None, DirectoryFacts | None]]:
        """Change some directories; return them as they were and as they are."""
        changes = []
        for path in self.random.sample(FOLDERS, self.random.randrange(1, most + 1)):
            old = self.directories.pop(path, None)
            new = self.directory(path) if self.random.random() < 0.8 else None
            if new is not None:
                self.directories[path] = new
            if old is not None or new is not None:
                changes.append((old, new))
        return changes


def sanitize(name: str) -> str | None:
    return name.replace("#", "_") if "#" in name else None


def outcome(state: ProjectState | LiveState) -> tuple[object, ...]:
    return (
        state.database,
        state.index(),
        state.problems,
        state.shared_names(),
    )


def built(tree: Tree, rewrite: Sanitize | None) -> ProjectState:
    return ProjectState([tree.directories[path] for path in sorted(tree.directories)], rewrite)


class Beside:
    """Does at once what a process of its own would."""

    def __init__(self) -> None:
        self.started = 0

    def start(self, work: GraphWork, places: Sequence[int] | None, problems: list[Diagnostic]) -> None:
        self.started += 1
        self.problems = problems
        self._ordered = work.find_order()
        self._edges = work.encode(self._ordered)
        self.places = self._ordered[0] if places is None else places

    def ordered(self) -> Ordered:
        return self._ordered

    def edges(self) -> Edges:
        return self._edges


@pytest.mark.parametrize("seed", range(40))
def test_packed_directories_make_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(seed, GUIDS if seed % 3 else GUIDS[:12])
    tree.step(len(FOLDERS))
    chosen = random.Random(seed)
    for path, directory in tree.directories.items():
        count = 2 * directory.pair_count + len(directory.folders.split(b"/"))
        metas = b"".join(b"/%b.meta" % name for name in directory.folders.split(b"/"))
        identities = chosen.randbytes(8 * count)
        tree.directories[path] = directory._replace(files=directory.files + metas, identities=identities)
    loose = [tree.directories[path] for path in sorted(tree.directories)]
    packed = PackedDirectories({directory.path: directory for directory in loose}, lambda directory: directory)
    rewrite = sanitize if seed % 2 else None
    beside = Beside()
    state = ProjectState(packed, rewrite, beside)
    assert outcome(state) == outcome(built(tree, rewrite))
    saved = Saved((1, 2, 3, 4), b"index", len(state.guids), b"", b"settings", DEFAULT, 5)
    own = rows_of(loose)
    expected = encode_seen(saved, own)
    assert encode_seen(saved, rows_of(packed)) == expected
    for at_once in (1, 1000):
        monkeypatch.setattr(file_identities, "_AT_ONCE", at_once)
        monkeypatch.setattr(cache_record, "_AT_ONCE", at_once)
        assert encode_seen(saved, rows(beside.places, folders_of(packed), packed)) == expected
        assert encode_seen(saved, rows_of(packed)) == expected
    assert b"".join(encode_cache(saved, packed, own)) == b"".join(encode_cache(saved, loose, own))


def live(tree: Tree | None, rewrite: Sanitize | None, few: int) -> LiveState:
    """Return a state that goes on from one that is built."""
    state = built(tree, rewrite) if tree is not None else ProjectState((), rewrite)
    directories = tree.directories.values() if tree is not None else ()
    found = LiveState(directories, (state.database, state.index()), rewrite)
    found.search.few = few
    return found


def follow(seed: int, steps: int) -> None:
    """Go steps with states that take every way there is, and compare each with one that is built afresh."""
    rewrite = sanitize if seed % 2 else None
    tree = Tree(seed, GUIDS if seed % 3 else GUIDS[:12])  # with twelve, nearly all are there twice
    states = [live(None, rewrite, few) for few in (4, 0, 1 << 20)]
    for number in range(steps):
        before = {entry.guid: entry for entry in read_entries(states[0].database)}
        changes = tree.step(3)
        expected = outcome(built(tree, rewrite))
        for state in states:
            touched = state.update(changes)
            assert outcome(state) == expected, (seed, number)
            after = {entry.guid: entry for entry in read_entries(state.database)}
            assert {bytes.fromhex(guid) for guid, _ in before.items() ^ after.items()} <= touched
        assert Index(memoryview(states[0].index())).digest == content_id(states[0].database)
        if number % 10 == 0:
            parts = [(None, directory) for directory in tree.directories.values()]
            tree.random.shuffle(parts)
            whole = live(None, rewrite, 4)
            whole.update(parts)
            assert outcome(whole) == expected, (seed, number)
            split = live(None, rewrite, 4)
            while parts:
                size = tree.random.randrange(1, 4)
                split.update(parts[:size])
                del parts[:size]
            assert outcome(split) == expected, (seed, number)
            states[2] = split if number % 20 else whole  # and on from there
            states[1] = live(tree, rewrite, 0)  # and from the files
            assert outcome(states[1]) == expected, (seed, number)


@pytest.mark.parametrize("seed", range(6))
def test_built_and_updated_are_the_same(seed: int) -> None:
    follow(seed, 40)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_built_and_updated_are_the_same_for_a_thousand_steps(seed: int) -> None:
    follow(seed, 1000)


@pytest.mark.parametrize("most_rows", [-1000.0, 1000.0])
def test_whichever_way_the_graph_goes(monkeypatch: pytest.MonkeyPatch, most_rows: float) -> None:
    monkeypatch.setattr(edges, "_MOST_ROWS", most_rows)
    monkeypatch.setattr(edges, "_MOST_STEPS", 1)
    monkeypatch.setattr(edges, "_MOST_MOVED", 0)
    follow(3, 60)


def test_a_graph_that_is_encoded_elsewhere() -> None:
    tree = Tree(4, GUIDS)
    tree.step(6)
    alone = built(tree, None)
    beside = Beside()
    state = ProjectState(tree.directories.values(), None, beside)
    assert len(set(beside.places)) == len(beside.places) - max(0, list(beside.places).count(-1) - 1)
    assert beside.problems == alone.problems
    assert outcome(state) == outcome(alone)


@pytest.mark.parametrize("shared", [False, True])
def test_it_is_started_again_where_assets_share_a_guid(*, shared: bool) -> None:
    tree = Tree(6, GUIDS[:12])
    tree.step(len(FOLDERS))
    if shared:
        directories = list(tree.directories.values())
    else:
        directories = [directory for directory in tree.directories.values() if directory.guids][:1]
    beside = Beside()
    state = ProjectState(directories, None, beside)
    assert beside.started == 1 + bool(state.problems)
    assert bool(state.problems) == shared
    assert outcome(state) == outcome(ProjectState(directories))
