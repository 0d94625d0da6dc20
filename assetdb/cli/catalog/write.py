"""``assetdb catalog convert``, ``edit`` and ``extract``."""

from __future__ import annotations

import json as json_module
import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from assetdb.cli.catalog.answers import one_catalog
from assetdb.cli.catalog.options import (  # noqa: TC001 - typer looks them up
    CatalogJsonOptions,
    CatalogOptions,
    HashFile,
    OneCatalog,
    Output,
    ToFolder,
)
from assetdb.cli.terminal import fail, json_line, print_json_lines, printable, say
from assetdb.errors import UsageError
from assetdb_formats.addressables.editing.content import content_of
from assetdb_formats.addressables.editing.edit import Edits, apply_edits, entry_from_plain
from assetdb_formats.addressables.editing.writing import (
    FLAVOUR_NAMES,
    encode_catalog,
    flavour_named,
    hash_method_of,
    write_catalog,
    write_file,
)
from assetdb_formats.addressables.errors import EditError
from assetdb_formats.addressables.flavour import JsonFlavour
from assetdb_formats.addressables.model import Problem
from assetdb_formats.addressables.queries.extract import bounded, bounded_plain, extract_plain, extract_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.cli.options import Annotated, Option
    from assetdb_formats.addressables.editing.content import Entry
    from assetdb_formats.addressables.flavour import Flavour
    from assetdb_formats.addressables.opening import OpenCatalog


class Target(NamedTuple):
    """The file or folder to write to, or the catalog itself."""

    output: str | None = None
    folder: str | None = None
    in_place: bool = False

    @property
    def is_one(self) -> bool:
        """Whether exactly one place was named."""
        return [self.output is not None, self.folder is not None, self.in_place].count(True) == 1

    def path(self, name: str, suffix: str) -> str:
        """Return the path of the output for a file; make its folder."""
        if self.folder is None:
            return self.output or name
        os.makedirs(self.folder, exist_ok=True)
        stem = os.path.splitext(os.path.basename(name))[0]
        return os.path.join(self.folder, f"{stem}{suffix}")


def _suffix(flavour: Flavour) -> str:
    return ".json" if isinstance(flavour, JsonFlavour) else ".bin"


def _write(opened: OpenCatalog, path: str, data: bytes, losses: Iterable[Problem], hash_file: str) -> int:
    """Write a catalog and its hash; print the losses."""
    method = hash_method_of(opened) if hash_file == "auto" else hash_file
    written = write_catalog(path, data, hash_method=method)
    for problem in losses:
        say(f"lost: {problem!s}")
    for file in written:
        print(f"{printable(file.path)}: {file.digits or f'{file.size:,} bytes'}")
    return 0


def convert(
    options: CatalogOptions,
    catalog: OneCatalog,
    flavour: Annotated[
        str | None, Option("--format", metavar="FLAVOUR", help=f"json, binary, or one of {', '.join(FLAVOUR_NAMES)}.")
    ] = None,
    output: Output = None,
    to: ToFolder = None,
    hash_file: HashFile = "auto",
) -> int:
    """Write a catalog in another flavour."""
    if flavour is None and to in ("json", "binary", *FLAVOUR_NAMES) and not os.path.isdir(to):
        raise UsageError(f"catalog convert: --to is a folder; write --format {to}")
    if flavour is None:
        raise UsageError("catalog convert: say which flavour: --format json, binary, or one as package versions wrote")
    target = Target(output, to)
    if not target.is_one:
        raise UsageError("catalog convert: say where to write: -o FILE or --to DIR")
    opened = one_catalog(catalog, options)
    content = content_of(opened.catalog)
    chosen = flavour_named(flavour, content)
    data, losses = encode_catalog(content, chosen, path=opened.name)
    return _write(opened, target.path(opened.name, _suffix(chosen)), data, [*content.losses, *losses], hash_file)


def _entry(text: str) -> Entry:
    """Return the entry of an ``--add``; raise UsageError for bad JSON."""
    try:
        return entry_from_plain(json_module.loads(text))
    except EditError as error:
        raise UsageError(f"--add: {error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--add: is not JSON: {error}") from None


def edit(
    options: CatalogOptions,
    catalog: OneCatalog,
    crc: Annotated[
        int | None, Option("--crc", min=0, metavar="N", help="Set the CRC of bundles; 0 turns the check off.")
    ] = None,
    only: Annotated[
        str | None, Option("--only", metavar="KEY", help="With --crc: the one bundle with this key or name.")
    ] = None,
    prefix: Annotated[
        list[tuple[str, str]] | None,
        Option("--prefix", metavar="OLD NEW", help="Replace the beginning of internal ids; may be repeated."),
    ] = None,
    host: Annotated[
        list[tuple[str, str]] | None,
        Option("--host", metavar="OLD NEW", help="Replace the host of URLs; may be repeated."),
    ] = None,
    rename: Annotated[
        list[tuple[str, str]] | None,
        Option("--rename", metavar="OLD NEW", help="Give a key another name; may be repeated."),
    ] = None,
    remove: Annotated[
        list[str] | None, Option("--remove", metavar="KEY", help="Remove entries with this key; may be repeated.")
    ] = None,
    add: Annotated[
        list[str] | None,
        Option(
            "--add",
            metavar="JSON",
            help="Add an entry: keys, internal_id, provider, and optionally type, assembly, dependencies, bundle.",
        ),
    ] = None,
    output: Output = None,
    to: ToFolder = None,
    in_place: Annotated[bool, Option("--in-place", help="Replace the file itself.")] = False,
    hash_file: HashFile = "auto",
) -> int:
    """Change a catalog."""
    target = Target(output, to, in_place)
    if not target.is_one:
        raise UsageError("catalog edit: say where to write: -o FILE, --to DIR or --in-place")
    if only is not None and crc is None:
        raise UsageError("catalog edit: --only goes with --crc")
    edits = Edits(
        crc,
        only,
        tuple(prefix or ()),
        tuple(host or ()),
        tuple(rename or ()),
        tuple(remove or ()),
        tuple(map(_entry, add or ())),
    )
    if edits == Edits(only=only):
        raise UsageError("catalog edit: say what to change: --crc, --prefix, --host, --rename, --remove or --add")
    opened = one_catalog(catalog, options)
    if in_place and not os.path.isfile(opened.name):
        return fail(f"{opened.name} is inside an archive; write to a file with -o")
    if in_place and opened.in_bundle:
        return fail(f"{opened.name} is a bundle that holds the catalog; write to a file with -o")
    content = content_of(opened.catalog)
    if encode_catalog(content, path=opened.name)[0] != opened.catalog.data:
        losses = [Problem("layout", "the file was not written by Unity's packages; its tables are laid out anew")]
    else:
        losses = []
    counts = apply_edits(content, edits)
    for what, count in counts:
        if not options.quiet:
            print(f"{printable(what)}: {count} changed", file=sys.stderr)
    if not all(count for _, count in counts):
        what = f"assetdb: {opened.name}: nothing is written: one of the changes matches nothing"
        print(printable(what), file=sys.stderr)
        return 1
    data, lost = encode_catalog(content, path=opened.name)
    return _write(opened, target.path(opened.name, _suffix(content.flavour)), data, [*losses, *lost], hash_file)


def extract(options: CatalogJsonOptions, catalog: OneCatalog, output: Output = None, to: ToFolder = None) -> int:
    """Write all of a catalog, as Unity's extract text or JSON Lines."""
    target = Target(output, to)
    if output is not None and to is not None:
        raise UsageError("catalog extract: say where to write: -o FILE or --to DIR")
    opened = one_catalog(catalog, options)
    tables = opened.catalog
    if output is None and to is None:
        if options.json:
            print_json_lines(bounded_plain(tables, extract_plain(tables)))
            return 0
        for line in bounded(tables, extract_text(tables)):
            print("\t" * (len(line) - len(line.lstrip("\t"))) + printable(line.lstrip("\t")))
        return 0
    lines = bounded(tables, extract_text(tables))
    if options.json:
        lines = map(json_line, bounded_plain(tables, extract_plain(tables)))
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    write_file(target.path(opened.name, ".jsonl" if options.json else ".txt"), data)
    return 0
