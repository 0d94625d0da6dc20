"""Names for open documents, from the text in the editor.

The engine locates assets; their contents are read and cached here, and read again when the file changes.
"""

from __future__ import annotations

import os
import time
from itertools import count
from typing import TYPE_CHECKING, Final

from assetdb.lsp.documents.outline import OpenObjects
from assetdb.packages.listing import NO_PACKAGES
from assetdb.query.annotate import is_unknown, name_to_show
from assetdb.resolve.resolver import Name, Resolver
from assetdb.unity.engine.builtin import built_in_file
from assetdb.unity.yaml.annotation import named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Self

    from assetdb.client.engine import Engine
    from assetdb.lsp.documents.line_references import LineReference
    from assetdb.lsp.documents.text import Text
    from assetdb.packages.location import Location
    from assetdb.resolve.instances import Content

    Stamp = tuple[tuple[int, int, int] | None, ...]

_FRESH_FOR: Final = 0.2  # seconds for which read files count as unchanged
_LOCATED_FOR: Final = 5.0  # seconds for which locations of assets count as unchanged without a daemon
_MOST_OBJECTS: Final = 200_000  # cached objects of files: 60 MB
_NUMBERS: Final = count()


class _WatchedResolver(Resolver):
    """A resolver that knows which files its answers come from."""

    stamps: dict[str, tuple[str, Stamp]]

    def content(self, guid: str) -> Content:
        """Return an asset's content; record its files' identities from before reading."""
        if guid not in self.stamps:
            location = self.locate(guid) if len(guid) == 32 else None
            if location is not None and location.file and not location.folder:
                self.stamps[guid] = location.file, _stamp(location.file)
        return super().content(guid)

    def renewed(self, database: None, changed: Collection[str] | None) -> Self:  # type: ignore[override]  # it has none
        """Return a resolver that keeps unchanged files."""
        made = super().renewed(database, changed)
        made.stamps = {
            guid: stamp for guid, stamp in self.stamps.items() if changed is not None and guid not in changed
        }
        return made

    def changed(self) -> set[str]:
        """Return the GUIDs of assets with changed files."""
        return {guid for guid, (file, stamp) in self.stamps.items() if _stamp(file) != stamp}


class Names:
    """Names of one project, for one thread."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._known: dict[str, Location | None] = {}
        self._text: Text | None = None
        self._own = ""
        self._looked = self._located = time.monotonic()
        self._resolver = _WatchedResolver(
            engine.root,
            None,
            elsewhere=lambda: ({}, NO_PACKAGES._replace(unknown=("",) if engine.missing else ())),
            packages=self._locate,
            hides_guids=lambda: engine.hides_guids,
            most_objects=_MOST_OBJECTS,
        )
        self._resolver.stamps = {}

    @property
    def resolver(self) -> Resolver:
        """The resolver, replaced by :meth:`refresh`."""
        return self._resolver

    def refresh(self, *, moved: bool = False) -> None:
        """Forget changed files, and with ``moved`` locations."""
        now = time.monotonic()
        if not moved and now - self._looked < _FRESH_FOR:
            return
        self._looked = now
        if not self.engine.has_daemon and now - self._located > _LOCATED_FOR:
            moved = True
            self.engine.expire_old()
        changed = self._resolver.changed()
        if changed or moved:
            self._located = now
            self._known.clear()
            self._resolver = self._resolver.renewed(None, changed)
            self._text = None

    def prefetch(self, references: Iterable[LineReference]) -> None:
        """Ask where the assets of references are, all at once."""
        self.prefetch_guids({found.guid for found in references if found.guid})

    def prefetch_guids(self, guids: Collection[str]) -> None:
        """Ask where the assets of GUIDs are, all at once."""
        wanted = set(guids) - self._known.keys()
        unknown = [guid for guid in wanted if not built_in_file(bytes.fromhex(guid))]
        if unknown:
            self._known.update(zip(unknown, self.engine.locate(unknown), strict=True))

    def shown(self, text: Text, references: list[LineReference]) -> Iterator[tuple[LineReference, str]]:
        """Yield references with the text that ``assetdb annotate`` adds to each."""
        self.prefetch(references)
        own = self.own(text)
        resolver = self._resolver

        def name_of(guid: bytes, file_id: int | None, override: bool) -> str | None:  # noqa: FBT001 - a callback
            if file_id is None and is_unknown(guid, resolver):
                return None
            return name_to_show(resolver.name(guid.hex(), file_id, override=override))

        rows = (
            (number, bytes.fromhex(found.guid) if found.guid else None, found.file_id, found.override)
            for number, found in enumerate(references)
        )
        for number, name in named(rows, name_of, lambda file_id: resolver.local_name(own, file_id)):
            yield references[number], name

    def name(self, text: Text, reference: LineReference) -> Name | None:
        """Return a reference's name or reason, None if it is probably none."""
        if not reference.guid:
            found = self._resolver.local_name(self.own(text), reference.file_id or 0)
            reason = "" if found else "dangling"
            return Name("", reference.file_id, found or "", "", "", reason)
        self.prefetch([reference])
        if reference.file_id is None and is_unknown(bytes.fromhex(reference.guid), self._resolver):
            return None
        return self._resolver.name(reference.guid, reference.file_id, override=reference.override)

    def own(self, text: Text) -> str:
        """Return the stand-in for the GUID of this version of a text."""
        if self._text is not text:
            if self._own:
                self._resolver.drop_content(self._own)
            self._text = text
            self._own = f"open {next(_NUMBERS)}"
            self._resolver.add_content(self._own, OpenObjects(text))
        return self._own

    def locate(self, guid: str) -> Location | None:
        """Return where the asset of a GUID is."""
        return self._resolver.locate(guid)

    def _locate(self, guid: str) -> Location | None:
        if guid not in self._known:
            self._known[guid] = self.engine.locate([guid])[0]
        return self._known[guid]


def _stamp(file: str) -> Stamp:
    return tuple(map(_stamp_of, (file, f"{file}.meta")))


def _stamp_of(file: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
