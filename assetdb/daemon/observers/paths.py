"""The paths to watch: directories, settings, output and link targets."""

from __future__ import annotations

import os

from assetdb.settings.project import ASSET_ROOTS, CONFIGURATION_NAME, is_hidden, is_set_aside
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType
    from typing import Final, Protocol
else:
    Protocol = object  # typing takes 4 ms of a start

ROOTS: Final = tuple(os.fsencode(name) for name in ASSET_ROOTS)
CONFIGURATION: Final = os.fsencode(CONFIGURATION_NAME)

_MOST_HOPS: Final = 40  # of links, as the kernel counts
# File systems that other machines may write to without events here. FUSE is used by sshfs, rclone and the shared
# folders of virtual machines; overlay and local ones (ntfs-3g is "fuseblk") do report.
_REMOTE: Final = frozenset(
    (
        *("9p", "afs", "ceph", "cifs", "coda", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2"),
        *("fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "fuse.vmhgfs-fuse"),
        *("prl_fs", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs"),
    )
)


class KnownDirectory(Protocol):
    """The facts of a directory that watching needs."""

    @property
    def children(self) -> bytes:
        """Names of the directories in it, separated by slashes."""


class WatchedPaths(NamedTuple):
    """The paths of one project.

    Attributes:
        root: the project, absolute.
        folder: the output, absolute.
        known: returns the known directories.
    """

    root: bytes
    folder: bytes
    known: Callable[[], Mapping[bytes, KnownDirectory]] = dict

    def remote_file_system(self) -> str:
        """Return the project's file system if remote (without events), or ``""``."""
        return remote_kind(read_mounts(), self.root)

    def relative(self, path: bytes) -> bytes | None:
        """Return :func:`watched` of an absolute path, None outside the project."""
        return watched(path[len(self.root) + 1 :]) if path.startswith(self.root + b"/") else None


def watched(inside: bytes) -> bytes | None:
    """Return a path in the project if below ``Assets`` or ``Packages``.

    For files set aside for removal, which are findings of their folder, the folder.
    """
    parts = inside.split(b"/")
    if len(parts) > 1 and is_set_aside(parts[-1]):
        inside = inside.rpartition(b"/")[0]
        parts.pop()
    if parts[0] not in ROOTS or any(not part or is_hidden(part) for part in parts):
        return None
    return inside


def named(root: str, name: str, flavour: ModuleType = os.path) -> bytes:
    """Return a given path relative to the project, with slashes.

    It is ``.`` for the project itself, begins with ``..`` outside, and is empty on another drive. Editors of Windows
    write its letter in either case.

    Args:
        root: the project, absolute.
        name: absolute, or in the project.
        flavour: the paths of a system.
    """
    try:
        inside: str = flavour.relpath(flavour.join(root, name), root)
    except ValueError:
        return b""
    return os.fsencode(inside.replace(flavour.sep, "/"))


def read_mounts() -> bytes:
    """Return the kernel's list of mounts, if it has one."""
    try:
        with open("/proc/self/mountinfo", "rb") as file:
            return file.read()
    except OSError:
        return b""


def mounts(mountinfo: bytes) -> Iterator[tuple[bytes, str, bytes]]:
    """Yield mount point, kind and line of each file system."""
    for line in mountinfo.splitlines():
        fields = line.split(b" ")
        try:
            kind = fields[fields.index(b"-") + 1].decode("ascii", "replace")
            place = fields[4]
            if b"\\" in place:  # a space is \040; the codec is a module that takes 0.4 ms to import
                place = place.decode("unicode_escape").encode("latin-1")
        except (ValueError, IndexError):
            continue
        yield place, kind, line


def remote_kind(mountinfo: bytes, root: bytes) -> str:
    """Return a remote file system around or below ``root``, or ``""``."""
    holder, kind = b"", ""
    for place, found, _ in mounts(mountinfo):
        inside = place.rstrip(b"/")
        if inside.startswith(root + b"/") and found in _REMOTE:
            return found
        if (root + b"/").startswith(inside + b"/") and len(place) >= len(holder):
            holder, kind = place, found
    return kind if kind in _REMOTE else ""


def relevant_mounts(mountinfo: bytes, root: bytes) -> bytes:
    """Return the mount lines around and inside a project."""
    return b"\n".join(
        line
        for place, _, line in mounts(mountinfo)
        if (place.rstrip(b"/") + b"/").startswith(root + b"/") or (root + b"/").startswith(place.rstrip(b"/") + b"/")
    )


def resolution_steps(path: bytes, read_link: Callable[[bytes], bytes | None]) -> Iterator[tuple[bytes, bytes]]:
    """Yield each directory and name that resolves a path.

    Args:
        path: absolute.
        read_link: returns the target of a link, None for other paths.
    """
    pending = path.split(b"/")[::-1]
    here = b"/"
    hops = 0
    while pending:
        name = pending.pop()
        if name in (b"", b"."):
            continue
        if name == b"..":
            here = os.path.dirname(here)
            continue
        yield here, name
        target = read_link(os.path.join(here, name))
        if target is None:
            here = os.path.join(here, name)
            continue
        hops += 1
        if hops > _MOST_HOPS:
            return
        pending += target.split(b"/")[::-1]
        if target.startswith(b"/"):
            here = b"/"


def read_link(path: bytes) -> bytes | None:
    """Return the target of a link, None for anything else."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return None
