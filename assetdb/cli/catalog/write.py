"""convert, edit and extract: what writes a file."""

from __future__ import annotations

import json as json_module
import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from assetdb.cli.catalog.each import Reading, one_catalog
from assetdb.cli.terminal import fail, json_line, print_json_lines, printable
from assetdb.errors import UsageError
from formats.addressables.content import content_of
from formats.addressables.edit import Edits, apply_edits, entry_from_plain
from formats.addressables.errors import EditError
from formats.addressables.extract import bounded, bounded_plain, extract_plain, extract_text
from formats.addressables.flavour import JsonFlavour
from formats.addressables.model import Problem
from formats.addressables.writing import (
    encode_catalog,
    flavour_named,
    hash_method_of,
    write_catalog,
    write_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from formats.addressables.content import Entry
    from formats.addressables.flavour import Flavour
    from formats.addressables.opening import OpenCatalog


class Target(NamedTuple):
    """Where a command writes: to a file, into a folder under the catalog's own name, or over the catalog."""

    output: str | None = None
    folder: str | None = None
    in_place: bool = False

    @property
    def is_one(self) -> bool:
        """Whether exactly one place was named."""
        return [self.output is not None, self.folder is not None, self.in_place].count(True) == 1

    def path(self, name: str, suffix: str) -> str:
        """Return the path to write what comes from a file to; a folder that is not there is made."""
        if self.folder is None:
            return self.output or name
        os.makedirs(self.folder, exist_ok=True)
        stem = os.path.splitext(os.path.basename(name))[0]
        return os.path.join(self.folder, f"{stem}{suffix}")


def _suffix(flavour: Flavour) -> str:
    return ".json" if isinstance(flavour, JsonFlavour) else ".bin"


def _write(opened: OpenCatalog, path: str, data: bytes, losses: Iterable[Problem], hash_file: str) -> int:
    """Write a catalog and, where it belongs, its hash; say what was lost."""
    method = hash_method_of(opened) if hash_file == "auto" else hash_file
    written = write_catalog(path, data, hash_method=method)
    for problem in losses:
        print(f"assetdb: lost: {printable(str(problem))}", file=sys.stderr)
    for file in written:
        print(f"{printable(file.path)}: {file.digits or f'{file.size:,} bytes'}")
    return 0


def run_convert(catalog: str, reading: Reading, *, format: str, target: Target, hash_file: str) -> int:  # noqa: A002 - the option's name
    """Write a catalog in another flavour."""
    if not target.is_one:
        return fail("say where to write: -o FILE or --to FOLDER")
    opened = one_catalog(catalog, reading)
    content = content_of(opened.catalog)
    flavour = flavour_named(format, content)
    data, losses = encode_catalog(content, flavour, path=opened.name)
    return _write(opened, target.path(opened.name, _suffix(flavour)), data, [*content.losses, *losses], hash_file)


def _entry(text: str) -> Entry:
    """Return the entry of an ``--add``. Raises UsageError."""
    try:
        return entry_from_plain(json_module.loads(text))
    except EditError as error:
        raise UsageError(f"--add: {error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--add: is not JSON: {error}") from None


def run_edit(
    catalog: str, reading: Reading, *, edits: Edits, add: list[str], target: Target, hash_file: str, quiet: bool
) -> int:
    """Change a catalog."""
    opened = one_catalog(catalog, reading)
    if not target.is_one:
        return fail("say where to write: -o FILE, --to FOLDER or --in-place")
    if target.in_place and not os.path.isfile(opened.name):
        return fail(f"{opened.name} is inside an archive; write to a file with -o")
    if target.in_place and opened.in_bundle:
        return fail(f"{opened.name} is a bundle that holds the catalog; write to a file with -o")
    if edits.only is not None and edits.crc is None:
        return fail("--only goes with --crc")
    content = content_of(opened.catalog)
    if encode_catalog(content, path=opened.name)[0] != opened.catalog.data:
        losses = [Problem("layout", "the file was not written by Unity's packages; its tables are laid out anew")]
    else:
        losses = []
    counts = apply_edits(content, edits._replace(add=tuple(map(_entry, add))))
    for what, count in counts:
        if not quiet:
            print(f"{printable(what)}: {count} changed", file=sys.stderr)
    if not counts:
        return fail("say what to change: --crc, --prefix, --host, --rename, --remove or --add")
    if not all(count for _, count in counts):
        what = f"assetdb: {opened.name}: nothing is written: a change that was asked for has nothing to change"
        print(printable(what), file=sys.stderr)
        return 1
    data, lost = encode_catalog(content, path=opened.name)
    return _write(opened, target.path(opened.name, _suffix(content.flavour)), data, [*losses, *lost], hash_file)


def run_extract(catalog: str, reading: Reading, *, target: Target, json: bool) -> int:
    """Write all of a catalog, as the text of Unity's own extract or as JSON Lines."""
    if target.output is not None and target.folder is not None:
        return fail("say where to write: -o FILE or --to FOLDER")
    opened = one_catalog(catalog, reading)
    tables = opened.catalog
    if target.output is None and target.folder is None:
        if json:
            print_json_lines(bounded_plain(tables, extract_plain(tables)))
            return 0
        for line in bounded(tables, extract_text(tables)):
            print("\t" * (len(line) - len(line.lstrip("\t"))) + printable(line.lstrip("\t")))
        return 0
    lines = bounded(tables, extract_text(tables))
    if json:
        lines = map(json_line, bounded_plain(tables, extract_plain(tables)))
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    write_file(target.path(opened.name, ".jsonl" if json else ".txt"), data)
    return 0
