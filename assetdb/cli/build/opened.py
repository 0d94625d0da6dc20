"""Opening of a build for a command, with a progress bar."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from assetdb.builds.engines.detection import CRYSTAL, UNITY, UNREAL, engine_of
from assetdb.builds.opening import open_build
from assetdb.cli.arguments import worker_count
from assetdb.cli.bundle.each import grouped, grouped_by_reason
from assetdb.cli.terminal import Progress, fail, plain
from assetdb.errors import UsageError
from assetdb.settings.project import project_above
from assetdb_formats.inputs import is_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.builds.build import Build, BuildObject
    from assetdb.builds.engines.inventory import Inventory
    from assetdb.cli.build.options import AnyEngineOptions, BuildOptions
    from assetdb_formats.unreal.problems import Problem

HERE: Final = (".",)
_INSTEAD: Final = {  # engine -> command -> its replacement
    UNREAL: {
        "get": "assetdb unreal info PACKAGE --in {}",
        "deps": "assetdb unreal deps PACKAGE --in {}",
        "usages": "assetdb unreal usages PACKAGE --in {}",
        "diff": "assetdb unreal diff {} OTHER",
    },
    CRYSTAL: {
        "get": "assetdb bundle get OBJECT --in {}",
        "deps": "assetdb bundle deps BUNDLE --in {}",
        "usages": "assetdb bundle usages BUNDLE --in {}",
        "diff": "assetdb bundle diff BUNDLE OTHER",
    },
}


def refuse_other_engines(paths: Sequence[str], command: str) -> None:
    """Refuse a build of another engine with UsageError, naming its command.

    Raises FormatError or OSError if a path cannot be read.
    """
    engine = engine_of(paths)
    if engine != UNITY:
        instead = _INSTEAD.get(engine, {}).get(command)
        advice = f"use `{instead.format(paths[0])}`" if instead else f"`build {command}` reads builds of Unity"
        raise UsageError(f"{', '.join(paths)}: is a build of {engine}: {advice}")


@contextmanager
def opening(paths: Sequence[str], options: AnyEngineOptions, *, contents: bool = True) -> Iterator[Build | Inventory]:
    """Open a build of any engine; archives are unpacked until the end.

    Raises:
        UsageError: nothing there is of a build, or files of two engines are.
        FormatError: a named file is damaged.
        OSError: a path cannot be read.
    """
    engine = engine_of(paths)
    if engine == UNITY:
        if options.key is not None:
            raise UsageError("--key is for containers of Unreal Engine")
        yield opened(paths, options, contents=contents)
        return
    if engine == CRYSTAL:
        packed = next((path for path in paths if os.path.isfile(path) and is_archive(path)), None)
        if packed is not None:
            raise UsageError(
                f"{packed}: is an archive of .casset bundles: `assetdb bundle` reads it, or unpack it first"
            )
        from assetdb.builds.engines.casset import read_casset  # noqa: PLC0415 - of one engine's builds

        with Progress("files") as progress:
            bundles = read_casset(paths, contents=contents, progress=progress)
        yield bundles
        return
    from assetdb.builds.engines.unreal import read_unreal  # noqa: PLC0415 - the same
    from assetdb.cli.unreal.archives import displayed, unpacked  # noqa: PLC0415 - the same

    refused: list[Problem] = []
    with unpacked(paths, refused) as places:
        with Progress("files") as progress:
            found = read_unreal(places, key=secret_of(options.key), contents=contents, progress=progress)
        problems = (*map(str, refused), *map(displayed, found.problems))
        yield found._replace(paths=tuple(paths), problems=problems, unread=tuple(map(displayed, found.unread)))


def secret_of(key: str | None) -> bytes | None:
    """Return the bytes of ``--key``; raise UsageError for a bad one."""
    if key is None:
        return None
    from assetdb.cli.unreal import options  # noqa: PLC0415 - few builds are encrypted

    return options.secret_of(key)


def opened(paths: Sequence[str], options: BuildOptions, *, contents: bool = True) -> Build:
    """Open a build; raises AssetdbError, FormatError or OSError."""
    with Progress("files") as progress:
        return open_build(
            paths,
            contents=contents,
            remember=not options.no_cache,
            workers=None if options.workers is None else worker_count(options.workers),
            progress=progress,
            project=project_above(os.path.join(os.getcwd(), "x")) or "",
        )


def say_problems(build: Build | Inventory) -> int:
    """Print the unreadable parts of a build; return 2 if any."""
    for line in grouped(grouped_by_reason(build.problems)):
        fail(line)
    return 2 if build.problems else 0


def object_facts(build: Build, found: BuildObject) -> dict[str, Any]:
    """Return an object for JSON."""
    script = found.script
    return {
        "file": plain(build.files[found.file].name),
        "path_id": found.path_id,
        "class": found.class_name,
        "class_id": found.class_id,
        "name": plain(found.name),
        "title": plain(build.title(found.number)),
        "script": None if script is None else plain(script.full_name),
        "assembly": None if script is None else plain(script.assembly),
        "size": found.size,
        "streamed": found.streamed,
        "container": [*map(plain, found.container)],
    }


def class_text(found: BuildObject) -> str:
    """Return the class of an object for people: of a script's, both."""
    if found.script is None or found.class_name == "MonoScript":
        return found.class_name
    return f"{found.class_name} ({found.script.full_name})"
