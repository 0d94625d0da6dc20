"""Blobs of a repository, and blobs that a partial clone lacks.

A repository may lack some: a clone with ``--filter`` has only blobs of the checked-out commit. Git would fetch each one
individually, or fail if not allowed; so it is run on a repository without remotes that shares the objects.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from assetdb.errors import HistoryError
from assetdb.history.git.process import MOST_MESSAGE, Blob, GitPlace, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

    from assetdb.history.git.process import Failure
    from assetdb.history.git.repository import Repository

_TIMEOUT: Final = 600.0
_LONGEST_FETCH: Final = 1800.0  # seconds; a gigabyte over a slow line
_PROTOCOLS: Final = "file:git:http:https:ssh"
_SSH: Final = "core.sshcommand"
_PROGRAMS: Final = r"^(core\.sshcommand|credential\.(.*\.)?helper)$"
_OF_USER: Final = ("system", "global")
# An empty helper clears the list of them, to which the user's own are added again.
_OPTIONS: Final = (
    *("-c", "fetch.negotiationAlgorithm=noop", "-c", "core.gitProxy=none", "-c", "core.askPass="),
    *("-c", "credential.helper="),
)
_FETCH: Final = (
    *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"),
    *("--recurse-submodules=no", "--filter=blob:none", "--stdin"),
    *("--upload-pack=git-upload-pack", "--end-of-options"),
)
_SHA256: Final = "[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectFormat = sha256\n"


def read_blobs(repository: Repository, oids: Sequence[str]) -> Iterator[Blob | None]:
    """Yield blobs in order; each is read, or left, before the next.

    None for those that the repository lacks and cannot fetch.

    Raises:
        HistoryError: git fails, or an object is not a blob.
    """
    if not oids:
        return
    fetch_absent(repository, oids)
    with _listed(repository, oids, ("cat-file", "--batch", "--buffer")) as (output, fail):
        for oid in oids:
            line = output.readline(MOST_MESSAGE)
            words = line.split()
            if words[1:] == [b"missing"]:
                yield None
                continue
            if len(words) != 3 or words[1] != b"blob" or not words[2].isdigit():
                raise fail(f"{oid} is not a file" if line else f"ends before object {oid}; git fsck says why")
            blob = Blob(output, int(words[2]))
            yield blob
            blob.skip()
            if output.read(1) != b"\n":
                raise fail("ends within a file")


def sizes_of(repository: Repository, oids: Sequence[str]) -> list[int | None]:
    """Return the sizes of objects in bytes, None for absent ones.

    Raises:
        HistoryError: git fails.
    """
    if not oids:
        return []
    with _listed(repository, oids, ("cat-file", "--batch-check=%(objectsize)")) as (output, _):
        lines = [output.readline(MOST_MESSAGE).strip() for _ in oids]
    return [int(line) if line.isdigit() else None for line in lines]


def read_all_blobs(repository: Repository, oids: Sequence[str]) -> Iterator[Blob]:
    """Yield blobs in order, all of which are needed.

    Raises:
        HistoryError: the repository lacks one.
    """
    for oid, blob in zip(oids, read_blobs(repository, oids), strict=True):
        if blob is None:
            raise HistoryError(
                f"the repository has no object {oid}: a clone with --filter leaves some out; git fetch --refetch brings"
                " them, and git fsck says what is damaged"
            )
        yield blob


def fetch_absent(repository: Repository, oids: Sequence[str]) -> None:
    """Fetch blobs that a partial clone lacks, if allowed.

    Raises:
        HistoryError: git fails: no network, no rights, or the server sends no single objects.
    """
    if oids and repository.promisors and repository.fetches:
        _fetch(repository, _absent(repository, oids))


def how_to_fetch(*, is_tried: bool) -> str:
    """Return advice on files that a clone lacks.

    Args:
        is_tried: whether git was allowed to fetch them: then it has no remote that promised them.
    """
    if is_tried:
        return "git has no remote to fetch them from: add the one it was cloned from, then run git fetch --refetch"
    return "--fetch lets git fetch them"


def _absent(repository: Repository, oids: Sequence[str]) -> list[str]:
    """Return the objects that a clone lacks."""
    with _listed(repository, oids, ("cat-file", "--batch-check=%(objecttype)")) as (output, _):
        return [oid for oid in oids if output.readline(MOST_MESSAGE).endswith(b" missing\n")]


def _fetch(repository: Repository, oids: Sequence[str]) -> None:
    """Let git fetch objects in one batch.

    They are added to the repository; no branch, tag or other file of it changes.

    Raises:
        HistoryError: git fails: no network, no rights, or the server sends no single objects.
    """
    if not oids:
        return
    own = _programs_of_user(repository)
    surroundings = {
        "GIT_ALLOW_PROTOCOL": os.environ.get("GIT_ALLOW_PROTOCOL", _PROTOCOLS),
        "GIT_SSH_COMMAND": dict(own).get(_SSH, "ssh"),
    }
    helpers = [word for name, value in own if name != _SSH for word in ("-c", f"{name}={value}")]
    place = GitPlace(repository.root, (*_OPTIONS, *helpers), surroundings)
    with _names(oids) as names, running(place, (*_FETCH, repository.promisors[0]), names, _LONGEST_FETCH):
        pass


def _programs_of_user(repository: Repository) -> list[tuple[str, str]]:
    """Return programs that the user's own settings name for a fetch.

    Programs that the repository's settings name are not run: they came with it, in an archive or on a shared disk.
    """
    words = ("config", "-z", "--show-scope", "--get-regexp", _PROGRAMS)
    fields = os.fsdecode(repository.output(*words, accept=(0, 1))).split("\0")[:-1]
    rows = [(scope, *row.partition("\n")[::2]) for scope, row in zip(fields[::2], fields[1::2], strict=True)]
    return [(name, value) for scope, name, value in rows if scope in _OF_USER and "=" not in name]


@contextmanager
def _listed(repository: Repository, oids: Sequence[str], words: Sequence[str]) -> Iterator[tuple[IO[bytes], Failure]]:
    """Run a git command with names of local objects as input."""
    with _names(oids) as names, tempfile.TemporaryDirectory(prefix="assetdb-") as place:
        more = {}
        if repository.promisors:
            more = {"GIT_DIR": _without_remotes(place, repository.digits), "GIT_OBJECT_DIRECTORY": repository.objects}
        with repository.running(words, names, _TIMEOUT, more=more) as found:
            yield found


@contextmanager
def _names(oids: Sequence[str]) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as names:
        names.write("".join(f"{oid}\n" for oid in oids).encode("ascii"))
        names.seek(0)
        yield names


def _without_remotes(place: str, digits: int) -> str:
    """Make a folder into a bare repository without remotes."""
    for name in ("objects", "refs"):
        os.mkdir(os.path.join(place, name))
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("config", _SHA256 if digits == 64 else "")):
        with open(os.path.join(place, name), "w", encoding="ascii") as file:
            file.write(text)
    return place
