"""New metas, with random GUIDs and the keys that Unity writes."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.codes import MISSING
from assetdb.checks.mending.writing.safe_files import reached
from assetdb.errors import MendingError
from assetdb.settings.project import META, asset_file, folded
from assetdb.system.reading import read_file
from assetdb.unity.kinds import extension_of, kind_of
from assetdb.unity.metas.writer import Context, has_sprites_by_default, layout_of, meta_bytes
from assetdb.unity.settings.editor_version import VERSION_FILE, unity_version
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from assetdb.checks.mending.draft import Draft
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.metas.writer import Layout

_SAMPLES: Final = 32  # metas of an extension that are looked at for the newest layout
_EDITOR_FILE: Final = "ProjectSettings/EditorSettings.asset"
_BY_ITS_DOCUMENTS: Final = "asset"


class MetaMaker:
    """Drafts metas in the format that the project's other metas have."""

    def __init__(self, draft: Draft, project: Snapshot) -> None:
        """Take the plan in the making, and the project."""
        self._draft = draft
        self._project = project
        self._samples: dict[str, list[str]] | None = None
        self._names: dict[str, dict[str | bytes, str]] = {}
        self._layouts: dict[str, tuple[tuple[str, Layout], ...]] = {}
        root = project.root
        version = read_file(os.path.join(root, *VERSION_FILE.split("/")))
        editor = read_file(os.path.join(root, *_EDITOR_FILE.split("/")))
        self._context = Context(unity_version(version or b""), has_sprites_by_default(editor or b""))

    def make(self, path: str, former: bytes | None = None, what: str = "gets a meta with a new GUID") -> bool:
        """Draft the meta of a path; return False if only proposed.

        Args:
            path: of the file or folder.
            former: the meta that it had; by default a new one is made.
            what: the message of the fix.
        """
        meta = path + META
        try:
            with reached(self._draft.root, path) as place:
                status = place.status()
            if status is None:
                self._draft.propose(MISSING, path, "no longer exists")
                return False
            if self._draft.read(meta) is not None:
                return False
            other = self._in_other_case(meta)
            if other:
                self._draft.propose(MISSING, path, f"its meta is called {other}: rename it to {meta}")
                return False
            self._draft.write(meta, self._content(path, status, former))
        except (MendingError, OSError) as error:
            self._draft.propose(MISSING, path, words_of(error))
            return False
        self._draft.mend(MISSING, path, what)
        return True

    def _in_other_case(self, meta: str) -> str:
        """Return the meta with this name in another case or normal form."""
        folder, _, name = meta.rpartition("/")
        if folder not in self._names:
            names = os.listdir(os.fsencode(asset_file(self._draft.root, folder)))
            self._names[folder] = {
                folded(other): os.fsdecode(other) for other in names if other.endswith(META.encode())
            }
        other = self._names[folder].get(folded(os.fsencode(name)), "")
        return f"{folder}/{other}" if other else ""

    def _content(self, path: str, status: os.stat_result, former: bytes | None) -> bytes:
        folder = stat.S_ISDIR(status.st_mode)
        if not folder and not stat.S_ISREG(status.st_mode):
            raise MendingError(f"{path}: is {'a link' if stat.S_ISLNK(status.st_mode) else 'no file'}")
        if former is not None:
            return former
        extension = extension_of(path)
        context = self._context if folder else self._context._replace(layouts=self._layouts_of(extension))
        data = b""
        if extension == _BY_ITS_DOCUMENTS and not folder:
            data = self._draft.read(path) or b""
        return meta_bytes(self._draft.new_guid(), path.rpartition("/")[2], context, data=data, folder=folder)

    def _layouts_of(self, extension: str) -> tuple[tuple[str, Layout], ...]:
        """Return the layouts of the project's metas of an extension's kind."""
        if extension not in self._layouts:
            kind = kind_of(extension)
            alike = (
                [extension] if not kind.class_id else [e for e in self._own() if kind_of(e) == kind or e == extension]
            )
            found = []
            for ending in alike:
                paths = self._own().get(ending, [])
                for path in paths[:: max(1, -(-len(paths) // _SAMPLES))]:
                    layout = layout_of(read_file(asset_file(self._draft.root, path) + META) or b"")
                    if layout is not None:
                        found.append((ending, layout))
            self._layouts[extension] = tuple(found)
        return self._layouts[extension]

    def _own(self) -> dict[str, list[str]]:
        if self._samples is None:
            self._samples = {}
            for asset in self._project.database:
                self._samples.setdefault(extension_of(asset.path), []).append(asset.path)
        return self._samples
