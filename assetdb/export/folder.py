"""The folder that projects are exported into.

``TABLE/project=NAME/revision=REVISION/TABLE.parquet`` is what Hive, Spark and DuckDB call a partition. Names of
projects are untrusted: special characters of paths are escaped as ``%2F``, which these programs decode.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import FileError, UsageError
from assetdb.export.tables import SCHEMA, encodable
from assetdb.store.lock import FileLock
from assetdb.system.reading import read_small
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MANIFEST: Final = "_assetdb.json"
"""Its name begins like those that Spark and Hive ignore."""
_OWNERS: Final = "_projects"
_STAGING: Final = ".exporting-"
_LOCK: Final = ".exporting.lock"
_WAIT: Final = 600.0  # seconds
_STALE: Final = 86_400  # seconds after which a killed run's temporary folder is removed
_LARGEST: Final = 1 << 16
_ESCAPED: Final = frozenset("\"#%'*/:=?\\{}[]^<>|\x7f")
_MOST_BYTES: Final = 200  # longest name, so that no file system refuses the folder


class Partition(NamedTuple):
    """A project at a revision."""

    project: str
    revision: str

    @property
    def path(self) -> str:
        """Its folder below a table's."""
        return os.path.join(f"project={escaped(self.project)}", f"revision={escaped(self.revision)}")


def escaped(text: str) -> str:
    """Return a partition's value. Raises UsageError if empty or too long."""
    made = "".join(
        f"%{ord(character):02X}" if character in _ESCAPED or character < " " else character
        for character in encodable(text)
    )
    if made.endswith((".", " ")):  # Windows drops these
        made = f"{made[:-1]}%{ord(made[-1]):02X}"
    if not made or len(made.encode()) > _MOST_BYTES:
        raise UsageError(f"{text!r} is not a valid name for a project: give one with --name")
    return made


def open_folder(folder: str, shape: str) -> None:
    """Make a folder of exports, or check that it is one.

    Raises:
        UsageError: it is no folder, or holds something else, or exports in another format or of another schema.
        FileError: its manifest is no regular file.
        OSError: it cannot be made or read.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        what = "a link that leads nowhere" if os.path.islink(folder) else "no folder, nor can one be made there"
        raise UsageError(f"{folder} is {what}: name another folder") from error
    with _alone(folder):
        _open_manifest(folder, shape)


def _open_manifest(folder: str, shape: str) -> None:
    path = os.path.join(folder, MANIFEST)
    try:
        manifest = json.loads(read_small(path, _LARGEST))
        schema, other = manifest["schema"], manifest["format"]
    except FileNotFoundError:
        if any(not name.startswith(".") for name in os.listdir(folder)):
            raise UsageError(f"{folder} contains something other than exports: name a new folder") from None
        replace_file(path, [json.dumps({"schema": SCHEMA, "format": shape}).encode() + b"\n"])
        return
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileError(f"{path}: is damaged ({error}): export into a new folder") from error
    if schema != SCHEMA:
        raise UsageError(f"{folder} holds exports of schema {schema}, this assetdb writes {SCHEMA}: name a new folder")
    if other != shape:
        raise UsageError(f"{folder} holds exports as {other}: give --format {other}, or name another folder")


def claim(folder: str, project: str, product_guid: str) -> None:
    """Record the product of a name in a folder.

    Raises:
        UsageError: it belongs to another one, whose rows would be replaced.
        OSError: it cannot be recorded.
    """
    owners = os.path.join(folder, _OWNERS)
    path = os.path.join(owners, f"project={escaped(project)}")
    with _alone(folder):
        try:
            known = read_small(path, _LARGEST).decode("ascii", "replace").strip()
        except FileNotFoundError:
            known = ""
        if known and product_guid and known != product_guid:
            raise UsageError(
                f"{folder} has another project called {project} (product GUID {known}, this one's is {product_guid}):"
                " name this one with --name"
            )
        if product_guid and not known:
            os.makedirs(owners, exist_ok=True)
            replace_file(path, [product_guid.encode("ascii")])


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Keep other exports out meanwhile. Raises LockedError or OSError."""
    path = os.path.join(folder, _LOCK)
    try:
        with FileLock(path, _WAIT, role="export"):
            try:
                yield
            finally:
                with suppress(OSError):  # of Windows, where an open file cannot be removed
                    os.unlink(path)
    finally:
        if sys.platform == "win32":
            with suppress(OSError):  # another export has it by now
                os.unlink(path)


@contextmanager
def staging(folder: str) -> Iterator[str]:
    """Yield a temporary folder in a folder of exports.

    Those that killed runs left there are removed a day later.
    """
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with suppress(OSError):
            if name.startswith(_STAGING) and time.time() - os.lstat(path).st_mtime > _STALE:
                shutil.rmtree(path)
    with tempfile.TemporaryDirectory(prefix=_STAGING, dir=folder) as place:
        yield place


def put_in_place(folder: str, partition: Partition, staged: dict[str, str], tables: Iterable[str]) -> None:
    """Replace the files of a partition, one rename each.

    The last table, which completes a partition, has none meanwhile. Tables without a staged file have none afterwards.

    Raises:
        LockedError: another export did so for too long.
        OSError: a file cannot be put in place.
    """
    *others, completing = tables
    with _alone(folder):
        for table, file in (
            (completing, None),
            *((table, staged.get(table)) for table in (*others, completing)),
        ):
            place = os.path.join(folder, table, partition.path)
            if file is not None:
                os.makedirs(place, exist_ok=True)
                os.replace(file, os.path.join(place, f"{table}.{file.rpartition('.')[2]}"))
            else:
                with suppress(FileNotFoundError, NotADirectoryError):
                    shutil.rmtree(place)
