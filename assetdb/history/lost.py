"""What git knows of GUIDs that nothing has any more: one walk through the history for all of them."""

from __future__ import annotations

import subprocess
from threading import Timer
from typing import TYPE_CHECKING, Final

from assetdb.history.git import Held, command, environment
from assetdb.project import ASSET_ROOTS, asset_roots

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_TIMEOUT: Final = 5.0  # seconds; the newest commits are walked first, and what was found until then counts
_MOST_OUTPUT: Final = 1 << 28  # bytes
_MOST_IN_PATTERN: Final = 200  # of more GUIDs git shows every meta that came or went, and they are picked out here
_LONGEST_LINE: Final = 1 << 16
_META: Final = ".meta"
_COMMIT: Final = b"\0"
_DIGITS: Final = 32
_WORDS: Final = (
    *("log", "-p", "-U0", "--no-renames", "--diff-filter=ADM", "--format=%x00%h", "--relative", "--no-color"),
    *("--no-textconv", "--no-ext-diff", "--no-show-signature", "--src-prefix=a/", "--dst-prefix=b/", "--text"),
)


def last_holders(root: str, guids: Collection[str], timeout: float = _TIMEOUT) -> dict[str, Held]:
    """Return which file last had each of some GUIDs, as far as git says so in time.

    The commit is the one that took the GUID away: it deleted the meta, or gave it another; ``""`` where that is not
    committed.

    Args:
        root: the project.
        guids: 32 lower-case hex digits each.
        timeout: seconds for all of them.
    """
    wanted = {guid for guid in guids if len(guid) == _DIGITS and set(guid) <= set("0123456789abcdef")}
    if not wanted:
        return {}
    pattern = f"({'|'.join(sorted(wanted))})" if len(wanted) <= _MOST_IN_PATTERN else ""
    roots = asset_roots(root)
    places = [f":(glob){name}/**/*.meta" for name in roots] if roots == ASSET_ROOTS else [":(glob)**/*.meta"]
    above = "" if roots == ASSET_ROOTS else f"{roots[0]}/"  # the repository is a package
    words = (*_WORDS, f"-G^guid: {pattern}", "--", *places)
    found: dict[str, Held] = {}
    for commit, gone, come in _commits(_lines(root, words, timeout)):
        for guid in wanted & (gone.keys() | come.keys()):
            path = above + (come.get(guid) or gone[guid]).removesuffix(_META)
            found[guid] = Held(path, "" if guid in come else commit)
        wanted.difference_update(found)
        if not wanted:
            break
    return found


def _commits(lines: Iterable[bytes]) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """Yield each commit, with the GUIDs that it took from a file and those that it gave to one, and the file.

    One that was cut off in the middle is not told: of a file that moved only the half may be there.
    """
    commit, path = "", ""
    gone: dict[str, str] = {}
    come: dict[str, str] = {}
    for line in lines:
        if line.startswith(_COMMIT):
            if commit:
                yield commit, gone, come
            commit, gone, come = line[1:].decode("ascii", "replace").strip(), {}, {}
        elif line.startswith((b"--- a/", b"+++ b/")):
            path = line[6:].decode("utf-8", "surrogateescape").rstrip("\t\r\n")
        elif line.startswith((b"-guid: ", b"+guid: ")):
            guid = line[7 : 7 + _DIGITS].decode("ascii", "replace").lower()
            (gone if line.startswith(b"-") else come)[guid] = path


def _lines(root: str, words: tuple[str, ...], timeout: float) -> Iterator[bytes]:
    """Yield what git prints, as far as it comes in time; nothing where there is no git."""
    try:
        process = subprocess.Popen(
            command(root, ("-c", "core.quotePath=false", *words)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
    except (OSError, ValueError):
        return
    timer = Timer(timeout, process.kill)
    timer.start()
    assert process.stdout is not None  # noqa: S101 - for the type checker
    try:
        left = _MOST_OUTPUT
        while left > 0:
            line = process.stdout.readline(_LONGEST_LINE)
            if not line:
                if process.wait() == 0:
                    yield _COMMIT  # the last one is whole
                return
            left -= len(line)
            yield line
    finally:
        timer.cancel()
        process.kill()
        process.stdout.close()
        process.wait()
