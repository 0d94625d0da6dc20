"""What the kernel's events mean, told without a kernel."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assetdb.daemon.observers import inotify_calls
from assetdb.daemon.observers.events import CONFIGURATION, OUTPUT, EventDigest, WatchedDirectory, digest
from assetdb.daemon.observers.paths import WatchedPaths, relevant_mounts, remote_kind, resolution_steps
from assetdb.daemon.reconciling.schedule import LONGEST, QUIET, Schedule
from assetdb.daemon.suspend import ClockMonitor, Reading, clock_jump
from assetdb.workspace.workspace import OUTPUT_FILES
from tests.needs import needs_posix_paths

if TYPE_CHECKING:
    from collections.abc import Mapping

WATCHES: Mapping[int, WatchedDirectory] = {
    1: WatchedDirectory(names={b"Assets": frozenset({b"Assets"}), b"assetdb.toml": frozenset({CONFIGURATION})}),
    2: WatchedDirectory(path=b"Assets"),
    3: WatchedDirectory(path=b"Assets/One", names={b"real.asset": frozenset({b"Assets/Two/link.asset"})}),
    4: WatchedDirectory(output=True),
    6: WatchedDirectory(path=b"Assets/Out", output=True),
    5: WatchedDirectory(names={b"assetdb": frozenset({OUTPUT})}),
}
FOLDER = inotify_calls.IN_ISDIR


def event(number: int, mask: int, name: bytes = b"") -> bytes:
    padded = name + bytes(-len(name) % 16) if name else b""
    return struct.pack("=iIII", number, mask, 0, len(padded)) + padded


def digest_of(*buffers: bytes) -> EventDigest:
    found_events = EventDigest()
    count = digest(b"".join(buffers), WATCHES, OUTPUT_FILES, found_events)
    assert count == len(buffers)
    return found_events


def facts(found_events: EventDigest) -> dict[str, object]:
    return {name: value for name, value in vars(found_events).items() if value}


def test_a_write_names_the_file() -> None:
    for mask in (inotify_calls.IN_MODIFY, inotify_calls.IN_CLOSE_WRITE, inotify_calls.IN_ATTRIB):
        assert facts(digest_of(event(2, mask, b"a.png"))) == {"named": {b"Assets/a.png"}}
    own = facts(digest_of(event(2, inotify_calls.IN_ATTRIB | FOLDER)))
    assert own == {"dirty": {b"Assets"}, "touched": {b"Assets"}}
    assert facts(digest_of(event(2, inotify_calls.IN_ATTRIB | FOLDER, b"One"))) == {
        "dirty": {b"Assets"},
        "touched": {b"Assets/One"},
    }


@pytest.mark.parametrize(
    "mask", [inotify_calls.IN_CREATE, inotify_calls.IN_DELETE, inotify_calls.IN_MOVED_FROM, inotify_calls.IN_MOVED_TO]
)
def test_names_that_come_and_go(mask: int) -> None:
    names = {b"Assets/a.png"}
    assert facts(digest_of(event(2, mask, b"a.png"))) == {"named": names, "names": names}
    assert facts(digest_of(event(3, mask | FOLDER, b"Sub"))) == {
        "dirty": {b"Assets/One"},
        "rewatch": {b"Assets/One/Sub"},
    }


@pytest.mark.parametrize("name", [b".git", b"Samples~", b".a.asset.swp"])
def test_hidden_names_are_nothing(name: bytes) -> None:
    assert not facts(
        digest_of(event(2, inotify_calls.IN_CREATE, name), event(3, inotify_calls.IN_CREATE | FOLDER, name))
    )


def test_what_is_set_aside_is_a_finding_of_its_directory() -> None:
    name = b".Red.mat.5e1f0c7b.assetdb-removed"
    assert facts(digest_of(event(2, inotify_calls.IN_DELETE, name))) == {"dirty": {b"Assets"}}
    paths = WatchedPaths(b"/game", b"/game/Library/assetdb")
    assert paths.relative(b"/game/Assets/Art/" + name) == b"Assets/Art"
    assert paths.relative(b"/game/Assets/.git/" + name) is None
    assert paths.relative(b"/game/" + name) is None


def test_a_directory_that_goes_is_suspect_and_its_parent_dirty() -> None:
    for mask in (inotify_calls.IN_DELETE_SELF, inotify_calls.IN_MOVE_SELF):
        assert facts(digest_of(event(3, mask))) == {
            "dirty": {b"Assets"},
            "rewatch": {b"Assets/One"},
            "retargeted": {b"Assets/Two/link.asset"},
        }
    assert digest_of(event(2, inotify_calls.IN_IGNORED)).lost == {2}
    assert digest_of(event(2, inotify_calls.IN_IGNORED)).rewatch == {b"Assets"}


def test_what_asks_for_a_rescan() -> None:
    assert "overflow" in digest_of(event(-1, inotify_calls.IN_Q_OVERFLOW)).rescan_reason
    assert "unmount" in digest_of(event(2, inotify_calls.IN_UNMOUNT)).rescan_reason
    assert not facts(digest_of(event(77, inotify_calls.IN_IGNORED), event(77, inotify_calls.IN_DELETE_SELF)))


def test_names_that_something_depends_on() -> None:
    assert facts(digest_of(event(1, inotify_calls.IN_MOVED_FROM | FOLDER, b"Assets"))) == {"retargeted": {b"Assets"}}
    assert facts(digest_of(event(1, inotify_calls.IN_CLOSE_WRITE, b"assetdb.toml"))) == {"retargeted": {CONFIGURATION}}
    assert not facts(digest_of(event(1, inotify_calls.IN_CREATE, b"Other.csproj")))
    found = facts(digest_of(event(3, inotify_calls.IN_MODIFY, b"real.asset")))
    named = {b"Assets/One/real.asset"}
    assert found == {"named": named, "retargeted": {b"Assets/Two/link.asset"}}
    assert facts(digest_of(event(5, inotify_calls.IN_DELETE | FOLDER, b"assetdb"))) == {"retargeted": {OUTPUT}}


def test_the_output() -> None:
    cookie = b".assetdb-cookie-12-3"
    for number in (4, 6):  # the second one is in Assets, as ASSETDB_OUT_DIR allows
        assert facts(digest_of(event(number, inotify_calls.IN_CREATE, cookie))) == {"cookies": {cookie}}
    assert digest_of(event(6, inotify_calls.IN_CLOSE_WRITE, b"asset-db.bin")).output_touched
    assert not facts(digest_of(event(4, inotify_calls.IN_DELETE, cookie)))
    assert facts(digest_of(event(4, inotify_calls.IN_DELETE, b"asset-db.bin"))) == {"output_touched": True}
    assert not facts(digest_of(event(4, inotify_calls.IN_CREATE, b".77.asset-db.bin.temporary")))
    assert not facts(digest_of(event(4, inotify_calls.IN_CLOSE_WRITE, b"asset-db.watch.log")))
    assert facts(digest_of(event(4, inotify_calls.IN_DELETE_SELF))) == {"output_touched": True, "retargeted": {OUTPUT}}


@given(
    some.lists(
        some.tuples(
            some.integers(-1, 6),
            some.integers(0, 2**32 - 1),
            some.binary(max_size=20).map(lambda name: name.replace(b"\0", b"").replace(b"/", b"")),
        )
    )
)
def test_any_events_at_all(found: list[tuple[int, int, bytes]]) -> None:
    found_events = digest_of(*(event(*one) for one in found))
    assert all(
        path and not path.startswith(b"/") for path in found_events.dirty | found_events.rewatch | found_events.names
    )
    overflowed = any(number not in WATCHES and mask & inotify_calls.IN_Q_OVERFLOW for number, mask, _ in found)
    assert not overflowed or found_events.rescan_reason


@needs_posix_paths
def test_steps_of_a_link() -> None:
    links = {b"/p/link": b"way/x/../file", b"/p/way": b"/data/real", b"/data/real/file": b"last"}
    assert list(resolution_steps(b"/p/link", links.get)) == [
        *((b"/", b"p"), (b"/p", b"link"), (b"/p", b"way"), (b"/", b"data"), (b"/data", b"real")),
        *((b"/data/real", b"x"), (b"/data/real", b"file"), (b"/data/real", b"last")),
    ]
    assert len(list(resolution_steps(b"/a/b", {b"/a/b": b"b"}.get))) < 50


MOUNTS = rb"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /srv/my\040share rw - nfs4 server:/x rw
31 22 0:41 / /srv/game/Assets/Shared rw - cifs //server/x rw
32 22 0:42 / /other rw - tmpfs none rw
not a line
"""


def test_mounts_of_other_machines() -> None:
    assert remote_kind(MOUNTS, b"/srv/my share/Project") == "nfs4"
    assert remote_kind(MOUNTS, b"/srv/my sharebutlocal") == ""
    assert remote_kind(MOUNTS, b"/srv/game") == "cifs"
    assert remote_kind(MOUNTS, b"/other/game") == ""
    assert remote_kind(b"", b"/x") == ""
    assert relevant_mounts(MOUNTS, b"/srv/game").count(b"\n") == 1
    assert relevant_mounts(MOUNTS, b"/other/x") != relevant_mounts(MOUNTS, b"/elsewhere/x")


def test_paths_that_an_editor_may_name() -> None:
    paths = WatchedPaths(b"/p", b"/p/Library/assetdb")
    assert paths.relative(b"/p/Assets/a/b.png") == b"Assets/a/b.png"
    for path in (b"/p/Library/x", b"/p/Assets/.git/x", b"/p/Assets/Samples~/x", b"/q/Assets/x", b"/p", b"/p/Assets//x"):
        assert paths.relative(path) is None


# --- when


def test_one_edit_and_a_storm() -> None:
    schedule = Schedule()
    assert schedule.update_at(10.0, 10.001, rescan=False) == 10.001 + QUIET
    assert schedule.update_at(10.0, 10.5, rescan=False) == 10.0 + LONGEST
    schedule.updated(11.0, 11.2)  # that cost 0.2 s: what follows closely is a storm
    assert schedule.update_at(11.2, 11.25, rescan=False) == pytest.approx(11.4)  # half of the time is for others
    assert schedule.update_at(11.0, 11.9, rescan=False) == pytest.approx(11.4)
    schedule.updated(12.0, 18.0)
    assert schedule.update_at(18.0, 18.0, rescan=False) == pytest.approx(18.3)
    assert schedule.update_at(20.0, 20.0, rescan=False) == 20.0 + QUIET  # what comes later is not
    assert schedule.update_at(20.0, 20.0, rescan=True) > 20.0 + QUIET


def test_saves() -> None:
    schedule = Schedule()
    assert schedule.save_at(10.0, 10.0, busy=False) < 10.03
    schedule.saved(10.0, 10.05)
    assert schedule.save_at(10.06, 10.06, busy=False) < 10.2
    assert schedule.save_at(10.06, 10.06, busy=True) >= 11.05
    assert schedule.save_at(50.0, 50.0, busy=False) < 50.03
    assert (
        schedule.save_at(52.0, 50.0, busy=False) == schedule.save_at(52.0, 50.0, busy=True) <= 51.1
    )  # changes without end
    assert schedule.poll_at(10.0, 0.001) == 10.5
    assert schedule.poll_at(10.0, 0.5) == 15.0
    assert schedule.poll_at(10.0, 100.0) == 70.0


def test_clocks() -> None:
    start = Reading(100.0, 500.0, 1e9)
    assert not clock_jump(start, Reading(160.0, 560.0, 1e9 + 60.02))
    assert not clock_jump(start, Reading(100.0 + 86400, 500.0 + 86400, 1e9 + 86400 + 40))  # NTP, all day
    assert "suspended" in clock_jump(start, Reading(101.0, 900.0, 1e9 + 400))
    assert "set" in clock_jump(start, Reading(101.0, 501.0, 1e9 - 3600))
    assert "set" in clock_jump(start, Reading(101.0, 501.0, 1e9 + 5))
    readings = [start, Reading(101.0, 900.0, 1e9 + 400), Reading(102.0, 901.0, 1e9 + 401)]
    clocks = ClockMonitor(iter(readings).__next__)
    assert clocks.jump()
    assert not clocks.jump()
