"""The effective settings of a database."""

from __future__ import annotations

import os

from assetdb.errors import ProjectError
from assetdb.settings.configuration import read_configuration
from assetdb.settings.output_folder import OUT_DIR_VARIABLE, output_folder, outside
from assetdb.settings.project import find_project
from assetdb.settings.user import read_user_settings
from assetdb.system.identity import DEFAULT
from assetdb.version import VERSION
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_GIVEN: Final = "\1"


class Settings(NamedTuple):
    """The settings that two bakes must share to share a cache.

    Attributes:
        root: the project, absolute.
        folder: where the files go, absolute.
        scrub_characters: replaced by ``_`` in names.
        strict_names: whether names that folders do not distinguish are an error.
        check_stat: fields that detect changes of files, one of
            :data:`assetdb.system.identity.CHECK_STAT`.
        exclude: patterns of paths that are left out.
        given: whether the characters are an argument of one bake, not from ``assetdb.toml``.
        follow_links: whether links that lead out of the project are followed.
    """

    root: str
    folder: str
    scrub_characters: str
    strict_names: bool
    check_stat: str
    exclude: tuple[str, ...]
    given: bool = False
    follow_links: bool = False

    def packed(self) -> bytes:
        """Return the settings in the form of the cache."""
        version = f"{VERSION} following links" if self.follow_links else VERSION
        parts = (
            (_GIVEN if self.given else "") + self.scrub_characters,
            str(self.strict_names),
            self.check_stat,
            *self.exclude,
        )
        return os.fsencode("\0".join((version, self.root, *parts)))

    def named_as(self, packed: bytes) -> Settings:
        """Return settings with the naming rules that an earlier caller gave."""
        parts = os.fsdecode(packed).split("\0")
        if len(parts) < 4 or self.given:
            return self
        found = self._replace(strict_names=parts[3] == str(True))
        if parts[2].startswith(_GIVEN):
            found = found._replace(scrub_characters=parts[2].removeprefix(_GIVEN), given=True)
        return found

    def sanitizer(self, own: Callable[[str], str | None] | None = None) -> Callable[[str], str | None] | None:
        """Return a function that rewrites names, or None.

        It returns None for unchanged names. ``own``: called with the name after scrubbing.
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
    follow_links: bool = False,
) -> Settings:
    """Find a project and read its settings; arguments override ``assetdb.toml``.

    Raises:
        ProjectError: there is no project.
        ConfigurationError: ``assetdb.toml`` is wrong, or names a folder that it may not.
    """
    root = find_project(os.fspath(project) if project is not None else None)
    configuration = read_configuration(root)
    folder = output_folder(root, os.fspath(out_dir) if out_dir else None).path
    scrub = scrub_characters or configuration.scrub_characters
    own = read_user_settings()
    compared = check_stat or own.check_stat or configuration.check_stat or DEFAULT
    given = bool(scrub_characters)
    follow = follow_links or own.follow_links
    return Settings(root, folder, scrub, strict_names, compared, configuration.exclude, given, follow)


def refuse_another_project(settings: Settings, packed: bytes) -> None:
    """Refuse to overwrite the files of another project.

    ``packed`` are the settings that made the files. A folder inside the project always belongs to it: a project is
    moved and copied with it.

    Raises:
        ProjectError: another project exists, with its files in this folder.
    """
    if packed.count(b"\0"):
        refuse_folder_of(os.fsdecode(packed.split(b"\0")[1]), settings)


def refuse_folder_of(other: str, settings: Settings) -> None:
    """Refuse an output folder of the project at ``other``.

    Raises:
        ProjectError: that is another project.
    """
    if other == settings.root or not outside(settings.root, "", settings.folder):
        return
    try:
        find_project(other)
        same = os.path.samefile(other, settings.root)
    except (ProjectError, OSError, ValueError):
        return  # it no longer exists there
    if not same:
        raise ProjectError(
            f"{settings.folder} holds the database of {other}: name another folder for the database of {settings.root}"
            f" (--out-dir or {OUT_DIR_VARIABLE})"
        )


def same_facts(one: bytes, other: bytes) -> bool:
    """Whether packed settings give equal facts; ``out-dir`` and naming rules may differ."""
    return same_root(one, other) and same_facts_elsewhere(one, other)


def same_root(one: bytes, other: bytes) -> bool:
    """Whether two packed settings are of the same project."""
    return one.split(b"\0")[1:2] == other.split(b"\0")[1:2]


def with_root_of(packed: bytes, other: bytes) -> bytes:
    """Return packed settings with the project of other ones."""
    parts = packed.split(b"\0")
    return b"\0".join([*parts[:1], *other.split(b"\0")[1:2], *parts[2:]])


def same_facts_elsewhere(one: bytes, other: bytes) -> bool:
    """Whether two packed settings give the same facts, in any folder."""
    return _facts_part(one) == _facts_part(other)


def _facts_part(packed: bytes) -> list[bytes]:
    parts = packed.split(b"\0")
    return parts[:1] + parts[4:]
