"""Archives as folders: unpacked while a command runs."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import Progress
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.containers.locations import is_archive
from assetdb_formats.unreal.errors import KEY_NEEDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb_formats.unreal.problems import Problem

_KEY_OPTION_NEEDED: Final = "is encrypted; a key is needed: --key"
_UNPACKED: Final[dict[str, str]] = {}
"""Temporary folder -> the archive whose files are in it, as it was typed."""


def displayed(text: str) -> str:
    """Return a message with the names of archives.

    In place of the folders they were unpacked to, and with the option that gives a key.
    """
    text = text.replace(KEY_NEEDED, _KEY_OPTION_NEEDED)
    for folder, archive in _UNPACKED.items():
        text = text.replace(folder, archive)
    return text


@contextmanager
def unpacked(paths: Sequence[str], problems: list[Problem]) -> Iterator[list[str]]:
    """Yield paths, with a folder in the place of each archive.

    Until the block ends.

    ``problems`` takes members that could not be unpacked.
    """
    with ExitStack() as stack:
        places = []
        for path in paths:
            if not is_archive(path):
                places.append(path)
                continue
            from assetdb_formats.unreal.files.archives import UnpackedArchive  # noqa: PLC0415 - few paths lead to archives

            progress = Progress("unpacking")
            stack.callback(progress.close)
            archive = stack.enter_context(UnpackedArchive(path, progress))
            progress.close()
            _UNPACKED[archive.folder] = path
            stack.callback(_UNPACKED.pop, archive.folder)
            problems += archive.problems
            places.append(archive.folder)
        try:
            yield places
        except FormatError as error:
            what, path = displayed(error.what), displayed(error.path)
            if (what, path) == (error.what, error.path):
                raise
            shown = error.at(path)
            shown.what = what
            raise shown from None
        except UsageError as error:
            raise UsageError(displayed(str(error))) from None
        except OSError as error:
            if isinstance(error.filename, str):
                error.filename = displayed(error.filename)
            raise
