"""Containers of both kinds behind one interface."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.unreal.closing import Closing
from assetdb_formats.unreal.containers.locations import GLOBAL, containers_in, global_container
from assetdb_formats.unreal.containers.pak import OpenPak, open_pak
from assetdb_formats.unreal.errors import MissingKeyError, UnrealError, text_within
from assetdb_formats.unreal.iostore.build import Build
from assetdb_formats.unreal.iostore.container import OpenContainer, open_container
from assetdb_formats.unreal.problems import Problem, problem_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def open_any_container(path: str, key: bytes | None = None) -> OpenContainer | OpenPak:
    """Open a .utoc or .pak; reading too much is an OverlapError."""
    opened = open_pak(path, key=key) if path.lower().endswith(".pak") else open_container(path, key=key)
    opened.limit_reading()
    return opened


def each_container(
    paths: Sequence[str], key: bytes | None, problems: list[Problem]
) -> Iterator[OpenContainer | OpenPak]:
    """Open and close containers in turn; failures go into ``problems``."""
    for path in paths:
        try:
            opened = open_any_container(path, key)
        except UnrealError as error:
            problems.append(problem_of(error, path))
            continue
        except OSError as error:  # a pipe, a permission that is not there
            if len(paths) == 1:
                raise
            problems.append(problem_of(error, path))
            continue
        with opened:
            yield opened


class ChunkPaths(NamedTuple):
    """The file names of a container's chunks, or None for each.

    ``locked`` says why an encrypted index gives no names.
    """

    paths: list[str | None]
    mount_point: str
    locked: str = ""


def chunk_paths(container: OpenContainer | OpenPak) -> ChunkPaths:
    """Return the file names of a container's chunks."""
    if isinstance(container, OpenPak):
        return ChunkPaths([], container.mount_point)
    try:
        index = container.directory_index()
    except MissingKeyError as error:
        return ChunkPaths([None] * len(container.toc), "", text_within(error, container.path))
    except UnrealError as error:
        raise error.at(container.path) from None
    if index is None:
        return ChunkPaths([None] * len(container.toc), "")
    return ChunkPaths(index.by_chunk(len(container.toc)), index.mount_point)


def known_paths(container: OpenContainer | OpenPak, problems: list[Problem]) -> ChunkPaths:
    """Return the file names of chunks; a damaged index goes into ``problems``."""
    try:
        return chunk_paths(container)
    except UnrealError as error:
        problems.append(problem_of(error, container.path))
        return ChunkPaths([None] * (0 if isinstance(container, OpenPak) else len(container.toc)), "")


class OpenBuild(Build, Closing):
    """A build with its containers open: a context manager that closes them.

    Attributes:
        problems: for each container that could not be read why; it is left out, where there are others.
    """

    def __init__(self, *paths: str, key: bytes | None = None) -> None:
        """Open the IoStore containers of a build.

        A build is the containers at ``paths``, with the ``global.utoc`` beside them or one folder up.

        Raises:
            UnrealError: there is none, or the single one cannot be read.
            OSError: the single one cannot be read, or one that is named is not there.
        """
        super().__init__()
        self.problems: list[Problem] = []
        self._stack = ExitStack()
        found = [each for each in containers_in(*paths) if not each.lower().endswith(".pak")]
        if not found:
            raise UnrealError("no .utoc here", path=", ".join(paths))
        alone = found[0] if len(found) == 1 and not any(map(os.path.isdir, paths)) else ""
        if not any(os.path.basename(each).lower() == GLOBAL for each in found) and (
            scripts := next(filter(None, map(global_container, paths)), "")
        ):
            found.insert(0, scripts)
        try:
            for each in found:
                self._open(each, key, is_alone=each == alone, is_named=each in paths)
        except BaseException:
            self.close()
            raise

    def _open(self, path: str, key: bytes | None, *, is_alone: bool, is_named: bool) -> None:
        try:
            opened = open_any_container(path, key)
            self._stack.callback(opened.close)
            if isinstance(opened, OpenContainer):
                self.add(path, opened)
        except UnrealError as error:
            if is_alone:
                raise (error if error.path else error.at(path)) from None
            self.problems.append(problem_of(error, path))
        except OSError as error:  # a pipe, a permission that is not there
            if is_alone or (is_named and isinstance(error, FileNotFoundError)):
                raise
            self.problems.append(problem_of(error, path))

    def close(self) -> None:
        """Close the containers."""
        self._stack.close()
