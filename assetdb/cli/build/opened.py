"""Opening a build for a command: with a bar, and what could not be read on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.builds.opening import open_build
from assetdb.cli.arguments import worker_count
from assetdb.cli.bundle.each import grouped
from assetdb.cli.terminal import Progress, fail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.build import Build, BuildObject
    from assetdb.cli.build.options import Reading

HERE: Final = (".",)


def opened(paths: Sequence[str], options: Reading, *, contents: bool = True) -> Build:
    """Open a build. Raises AssetdbError, FormatError or OSError."""
    progress = Progress("files")
    try:
        return open_build(
            paths,
            contents=contents,
            remember=not options.no_cache,
            workers=None if options.workers is None else worker_count(options.workers),
            progress=progress,
        )
    finally:
        progress.close()


def say_problems(build: Build) -> int:
    """Say on stderr what of a build could not be read; return 2 if there was something."""
    for line in grouped(build.problems):
        fail(line)
    return 2 if build.problems else 0


def plain(text: str) -> str:
    """Return text without the lone surrogates that stand for bytes that are not UTF-8: JSON has none."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


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
