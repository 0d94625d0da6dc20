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
from formats.addressables.edit import (
    add_entry,
    entry_from_plain,
    remove_key,
    rename_key,
    replace_host,
    replace_prefix,
    set_crc,
)
from formats.addressables.errors import EditError, UnwritableError
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
    from collections.abc import Iterable, Iterator

    from formats.addressables.content import Content
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

    def path(self, opened: OpenCatalog, suffix: str) -> str:
        """Return the path to write to; a folder that is not there is made."""
        if self.folder is None:
            return self.output or opened.name
        os.makedirs(self.folder, exist_ok=True)
        name = os.path.basename(opened.input.member) if opened.input is not None else "catalog"
        return os.path.join(self.folder, f"{os.path.splitext(name)[0]}{suffix}")


def _encoded(opened: OpenCatalog, content: Content, flavour: Flavour) -> tuple[bytes, list[Problem]]:
    try:
        return encode_catalog(content, flavour)
    except UnwritableError as error:
        raise error.at(opened.name) from None


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
    data, losses = _encoded(opened, content, flavour)
    return _write(opened, target.path(opened, _suffix(flavour)), data, [*content.losses, *losses], hash_file)


class Edits(NamedTuple):
    """The changes that a command line asks for, in the order in which they are made."""

    crc: int | None = None
    only: str | None = None
    prefix: tuple[tuple[str, str], ...] = ()
    host: tuple[tuple[str, str], ...] = ()
    rename: tuple[tuple[str, str], ...] = ()
    remove: tuple[str, ...] = ()
    add: tuple[str, ...] = ()

    def apply(self, content: Content) -> Iterator[tuple[str, int]]:
        """Change a catalog; yield each change and in how many places it was made."""
        if self.crc is not None:
            yield f"CRC {self.crc}", set_crc(content, self.crc, key=self.only)
        for old, new in self.prefix:
            yield f"prefix {old}", replace_prefix(content, old, new)
        for old, new in self.host:
            yield f"host {old}", replace_host(content, old, new)
        for old, new in self.rename:
            yield f"key {old}", rename_key(content, old, new)
        for key in self.remove:
            yield f"key {key}", remove_key(content, key)
        for text in self.add:
            try:
                entry = entry_from_plain(json_module.loads(text))
            except EditError as error:
                raise UsageError(f"--add: {error}") from None
            except (ValueError, RecursionError) as error:
                raise UsageError(f"--add: is not JSON: {error}") from None
            add_entry(content, entry)
            yield "entry", 1


def run_edit(catalog: str, reading: Reading, *, edits: Edits, target: Target, hash_file: str, quiet: bool) -> int:
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
    if _encoded(opened, content, content.flavour)[0] != opened.catalog.data:
        losses = [Problem("layout", "the file was not written by Unity's packages; its tables are laid out anew")]
    else:
        losses = []
    counts = list(edits.apply(content))
    for what, count in counts:
        if not quiet:
            print(f"{printable(what)}: {count} changed", file=sys.stderr)
    if not counts:
        return fail("say what to change: --crc, --prefix, --host, --rename, --remove or --add")
    if not all(count for _, count in counts):
        what = f"assetdb: {opened.name}: nothing is written: a change that was asked for has nothing to change"
        print(printable(what), file=sys.stderr)
        return 1
    data, lost = _encoded(opened, content, content.flavour)
    return _write(opened, target.path(opened, _suffix(content.flavour)), data, [*losses, *lost], hash_file)


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
    write_file(target.path(opened, ".jsonl" if json else ".txt"), data)
    return 0
