"""What a database depends on besides the project's files: where it is, and how names are made."""

from __future__ import annotations

import os

from assetdb.configuration import read_configuration
from assetdb.project import DEFAULT_FOLDER, find_project
from assetdb.records import NamedTuple
from assetdb.scan.identity import DEFAULT
from assetdb.version import VERSION

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

OUT_DIR: Final = DEFAULT_FOLDER


class Settings(NamedTuple):
    """All that two bakes must share for one to go on from the other's cache.

    Attributes:
        root: the project, absolute.
        folder: where the files go, absolute.
        scrub_characters: replaced by ``_`` in names.
        strict_names: whether names that folders cannot tell apart are an error.
        check_stat: what of a file's record tells whether it changed, one of
            :data:`assetdb.configuration.CHECK_STAT`.
        exclude: patterns of paths that are left out.
    """

    root: str
    folder: str
    scrub_characters: str
    strict_names: bool
    check_stat: str
    exclude: tuple[str, ...]

    def packed(self) -> bytes:
        """Return them as they stand in the cache."""
        parts = (self.scrub_characters, str(self.strict_names), self.check_stat, *self.exclude)
        return os.fsencode("\0".join((VERSION, self.root, *parts)))

    def sanitizer(self, own: Callable[[str], str | None] | None = None) -> Callable[[str], str | None] | None:
        """Return what rewrites a name, or leaves it by returning None; None where nothing does.

        ``own`` is given what the characters to be scrubbed have left.
        """
        if not self.scrub_characters:
            return own
        table = {ord(character): "_" for character in self.scrub_characters}

        def rewrite(name: str) -> str | None:
            scrubbed = name.translate(table)
            final = (own(scrubbed) if own is not None else None) or scrubbed
            return final if final != name else None

        return rewrite


def read_settings(
    project: str | os.PathLike[str] | None = None,
    out_dir: str | os.PathLike[str] | None = None,
    *,
    scrub_characters: str = "",
    strict_names: bool = False,
    check_stat: str = "",
) -> Settings:
    """Find a project, read its ``assetdb.toml``, and let what is given here go before it.

    Raises:
        ProjectError: there is no project.
        ConfigurationError: ``assetdb.toml`` is wrong.
    """
    root = find_project(os.fspath(project) if project is not None else None)
    configuration = read_configuration(root)
    folder = os.path.abspath(out_dir) if out_dir else os.path.join(root, configuration.out_dir or OUT_DIR)
    scrub = scrub_characters or configuration.scrub_characters
    compared = check_stat or configuration.check_stat or DEFAULT
    return Settings(root, folder, scrub, strict_names, compared, configuration.exclude)


def same_facts(one: bytes, other: bytes) -> bool:
    """Whether two packed settings agree in what facts depend on: all but out-dir and how names are made."""
    return _facts_part(one) == _facts_part(other)


def _facts_part(packed: bytes) -> list[bytes]:
    parts = packed.split(b"\0")
    return parts[:2] + parts[4:]
