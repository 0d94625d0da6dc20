"""``assetdb unreal info`` and ``find`` on localized texts."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, TypeVar

from assetdb.cli.terminal import not_found, print_json, print_json_lines, print_long_table, printable, table
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError
from assetdb_formats.files import read_file
from assetdb_formats.unreal.localization import read_cultures, read_localized_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from assetdb_formats.unreal.localization import LocalizedText
    from assetdb_formats.unreal.properties.decoded import TextKey

LARGEST: Final = 256 << 20
"""Bytes of a file that is read."""
_TEXTS: Final = ".locres"
_CULTURES: Final = ".locmeta"
_PACKAGE: Final = re.compile(r" *\[[^\[\]]*\]\Z")
_Content = TypeVar("_Content")


def is_localization(path: str) -> bool:
    """Whether a file has localized texts, or says which cultures have."""
    return path.lower().endswith((_TEXTS, _CULTURES))


def print_localization(path: str, *, as_json: bool) -> int:
    """Print the texts of a file, or its cultures; 0."""
    if path.lower().endswith(_CULTURES):
        return _print_cultures(path, as_json=as_json)
    found = _read(path, read_localized_texts)
    if as_json:
        facts = {"version": found.version, "namespaces": found.namespaces}
        print_json({"path": path, **facts, "texts": [*map(_facts, found.texts)]})
        return 0
    print(printable(path))
    rows = (
        ("version", found.version),
        ("namespaces", f"{len(found.namespaces):,}"),
        ("texts", f"{len(found.texts):,}"),
    )
    print(table((f"  {name}", value) for name, value in rows))
    if found.texts:
        print("texts")
        _print_texts(found.texts)
    return 0


def find_texts(path: str, pattern: str, matches: Callable[[str], bool], *, as_json: bool) -> int:
    """Print texts by namespace, key or text; 1 if there is none."""
    if path.lower().endswith(_CULTURES):
        raise UsageError(f"{path}: has cultures and no texts: these are in the {_TEXTS} of each culture")
    texts = _read(path, read_localized_texts).texts
    found = [row for row in texts if any(map(matches, (row.namespace, row.key, row.text)))]
    if not found:
        return not_found(
            f"no namespace, key or text matches {pattern!r} in {path}", pattern, {row.key for row in texts}
        )
    if as_json:
        print_json_lines(map(_facts, found))
    else:
        _print_texts(found)
    return 0


class Translations:
    """Strings of localized texts by their keys.

    From a ``.locres``; a ``.locmeta`` stands for its native culture.
    """

    def __init__(self, path: str) -> None:
        """Read a file. Raises FormatError or OSError."""
        if path.lower().endswith(_CULTURES):
            own = _read(path, read_cultures).native_texts.replace("\\", "/")
            if not own.lower().endswith(_TEXTS) or own.startswith("/") or ".." in own.split("/"):
                raise UsageError(f"{path}: names no {_TEXTS} beside it for its native culture: name one")
            path = os.path.join(os.path.dirname(path), *own.split("/"))
        elif not path.lower().endswith(_TEXTS):
            raise UsageError(f"--texts {path}: is no {_TEXTS} or {_CULTURES}")
        self.path = path
        self._texts = {(row.namespace, row.key): row.text for row in _read(path, read_localized_texts).texts}

    def facts(self, text: TextKey) -> dict[str, Any]:
        """Return a text for ``--json``; None if the file lacks it."""
        return {**text._asdict(), "text": self._find(text)}

    def row(self, text: TextKey) -> tuple[str, ...]:
        """Return the cells of a text."""
        found = self._find(text)
        shown = f"(not in {os.path.basename(self.path)})" if found is None else found
        return f"  {text.namespace}", text.key, text.source, shown

    def _find(self, text: TextKey) -> str | None:
        # Packages of the editor have their own id in the namespace: "Menu [FE054871...]"; no .locres has it.
        plain = _PACKAGE.sub("", text.namespace)
        return self._texts.get((text.namespace, text.key), self._texts.get((plain, text.key)))


def _read(path: str, reader: Callable[[bytes], _Content]) -> _Content:
    try:
        return reader(read_file(path, largest=LARGEST))
    except FormatError as error:
        raise error.at(path) from None


def _print_texts(texts: Iterable[LocalizedText]) -> None:
    print_long_table((f"  {row.namespace}", row.key, row.text) for row in texts)


def _facts(row: LocalizedText) -> dict[str, Any]:
    return row._asdict()


def _print_cultures(path: str, *, as_json: bool) -> int:
    found = _read(path, read_cultures)
    if as_json:
        print_json({"path": path, **found._asdict()})
        return 0
    print(printable(path))
    rows = [("version", found.version), ("native culture", found.native), ("its texts", found.native_texts)]
    if found.compiled is not None:
        rows.append(("cultures", ", ".join(found.compiled)))
    print(table((f"  {name}", value) for name, value in rows))
    return 0
