"""convert, edit and extract: what writes a file."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from assetdb.cli.catalog.show import opened_from
from assetdb.cli.terminal import fail, printable
from assetdb.errors import UsageError
from formats.addressables.binary_writer import encode_binary
from formats.addressables.content import Content, Entry, content_of
from formats.addressables.edit import add_entry, remove_key, rename_key, replace_host, replace_prefix, set_crc
from formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS, Flavour, JsonFlavour
from formats.addressables.hashes import content_hash
from formats.addressables.json_writer import encode_json
from formats.addressables.model import BundleOptions, Problem, TypeName
from formats.addressables.query import bounded, extract_text, keys_by_location, location_to_plain
from formats.atomic import rewrite_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from assetdb.cli.catalog.sources import Opened
    from formats.addressables.catalog import Catalog

_OPTION_DEFAULTS = BundleOptions("0" * 32, 0, 0, chunked_transfer=False, redirect_limit=-1, retry_count=0,
    bundle_name="", asset_load_mode=0, size=0, use_crc_for_cached=True, use_web_request_for_local=False,
    clear_other_versions=False)  # fmt: skip


def encode(content: Content, flavour: Flavour, path: str) -> tuple[bytes, list[Problem]]:
    """Write the catalog of the file ``path``. Raises UsageError for what the flavour has no form for."""
    try:
        if isinstance(flavour, JsonFlavour):
            return encode_json(content, flavour)
        return encode_binary(content, flavour)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


def flavour_named(name: str, content: Content) -> Flavour:
    """Return the flavour of a ``--to``. ``json`` and ``binary`` alone are the original's or the newest."""
    if name == "json":
        return content.flavour if isinstance(content.flavour, JsonFlavour) else JSON_FLAVOURS["1.28"]
    if name == "binary":
        return BINARY_FLAVOURS["2.0.8"] if isinstance(content.flavour, JsonFlavour) else content.flavour
    kind, _, version = name.partition("-")
    known: dict[str, Any] = JSON_FLAVOURS if kind == "json" else BINARY_FLAVOURS if kind == "binary" else {}
    if version in known:
        flavour: Flavour = known[version]
        return flavour
    names = [*(f"json-{one}" for one in JSON_FLAVOURS), *(f"binary-{one}" for one in BINARY_FLAVOURS)]
    from difflib import get_close_matches  # noqa: PLC0415 - only on this error

    close = get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise UsageError(f"there is no flavour {name!r}{hint} (json, binary, {', '.join(names)})")


def write_file(path: str, data: bytes) -> None:
    """Replace a file as a whole, its permissions kept. Raises UsageError for a place where none can be, or OSError."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise UsageError(f"{folder}: there is no such folder")
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder; name a file in it")
    rewrite_file(path, [data])


def _write(arguments: argparse.Namespace, opened: Opened, path: str, data: bytes, losses: Iterable[Problem]) -> int:
    """Write a catalog and, where it belongs, its hash; say what was lost."""
    beside = f"{os.path.splitext(path)[0]}.hash"
    if beside == path:
        raise UsageError(f"{path}: is where the hash of a catalog belongs; name the catalog")
    write_file(path, data)
    for problem in losses:
        print(f"assetdb: lost: {printable(str(problem))}", file=sys.stderr)
    print(f"{printable(path)}: {len(data):,} bytes")
    method = arguments.hash_file
    if method == "auto":
        method = "none"
        if opened.hash_text is not None:
            wanted = opened.hash_text.strip().lower()
            is_md5 = content_hash(opened.catalog.data, method="md5") == wanted
            method = "md5" if is_md5 else "spooky"
    if method != "none":
        digits = content_hash(data, method=method)
        write_file(beside, digits.encode("ascii"))
        print(f"{printable(beside)}: {digits}")
    return 0


def run_convert(arguments: argparse.Namespace) -> int:
    """Write a catalog in another flavour."""
    if arguments.output is None:
        return fail("say where to write: -o FILE")
    opened = opened_from(arguments)
    content = content_of(opened.catalog)
    data, losses = encode(content, flavour_named(arguments.to, content), opened.source.name)
    return _write(arguments, opened, arguments.output, data, [*content.losses, *losses])


def run_edit(arguments: argparse.Namespace) -> int:
    """Change a catalog."""
    opened = opened_from(arguments)
    if arguments.in_place == (arguments.output is not None):
        return fail("say where to write: -o FILE or --in-place")
    path = arguments.output or opened.source.name
    if arguments.in_place and not os.path.isfile(path):
        return fail(f"{path} is inside an archive; write to a file with -o")
    if arguments.only is not None and arguments.crc is None:
        return fail("--only goes with --crc")
    content = content_of(opened.catalog)
    if encode(content, content.flavour, opened.source.name)[0] != opened.catalog.data:
        losses = [Problem("layout", "the file was not written by Unity's packages; its tables are laid out anew")]
    else:
        losses = []
    counts = list(_changes(arguments, content))
    for what, count in counts:
        if not arguments.quiet:
            print(f"{printable(what)}: {count} changed", file=sys.stderr)
    if not counts:
        return fail("say what to change: --crc, --prefix, --host, --rename, --remove or --add")
    if not all(count for _, count in counts):
        what = f"assetdb: {opened.source.name}: nothing is written: a change that was asked for has nothing to change"
        print(printable(what), file=sys.stderr)
        return 1
    data, lost = encode(content, content.flavour, opened.source.name)
    return _write(arguments, opened, path, data, [*losses, *lost])


def _changes(arguments: argparse.Namespace, content: Content) -> Iterator[tuple[str, int]]:
    try:
        if arguments.crc is not None:
            if not 0 <= arguments.crc < 1 << 32:
                raise UsageError(f"a CRC is 0 to {(1 << 32) - 1}")
            yield f"CRC {arguments.crc}", set_crc(content, arguments.crc, key=arguments.only)
        for old, new in arguments.prefix:
            yield f"prefix {old}", replace_prefix(content, old, new)
        for old, new in arguments.host:
            yield f"host {old}", replace_host(content, old, new)
        for old, new in arguments.rename:
            yield f"key {old}", rename_key(content, old, new)
        for key in arguments.remove:
            yield f"key {key}", remove_key(content, key)
        for text in arguments.add:
            add_entry(content, _entry(text))
            yield "entry", 1
    except ValueError as error:
        raise UsageError(str(error)) from None


def _entry(text: str) -> Entry:
    """Return the entry that a JSON object describes. Raises UsageError."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--add: is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise UsageError("--add: is not a JSON object")
    allowed = {"keys", "internal_id", "provider", "type", "assembly", "dependencies", "bundle"}
    unknown = sorted(fields.keys() - allowed)
    if unknown:
        raise UsageError(f"--add: there is no field {unknown[0]!r} ({', '.join(sorted(allowed))})")
    keys, dependencies = fields.get("keys"), fields.get("dependencies", [])
    for name, value in (("keys", keys), ("dependencies", dependencies)):
        if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
            raise UsageError(f"--add: {name} is a list of text")
    for name in ("internal_id", "provider"):
        if not isinstance(fields.get(name), str):
            raise UsageError(f"--add: {name} is text and must be there")
    kind = None
    if fields.get("type") is not None:
        assembly = fields.get("assembly", "Assembly-CSharp")
        if not isinstance(fields["type"], str) or not isinstance(assembly, str):
            raise UsageError("--add: type and assembly are text")
        kind = TypeName(assembly, fields["type"])
    data = None
    if fields.get("bundle") is not None:
        data = _options(fields["bundle"])
    return Entry(list(keys or ()), fields["internal_id"], fields["provider"], kind, list(dependencies), data)


def _options(fields: object) -> BundleOptions:
    allowed = set(BundleOptions._fields) - {"shape", "type"}
    if not isinstance(fields, dict) or not fields.keys() <= allowed:
        raise UsageError(f"--add: bundle is an object with {', '.join(sorted(allowed))}")
    for name, value in fields.items():
        if type(value) is not type(getattr(_OPTION_DEFAULTS, name)):
            raise UsageError(f"--add: bundle.{name} is not {type(getattr(_OPTION_DEFAULTS, name)).__name__}")
    return _OPTION_DEFAULTS._replace(**fields)


def run_extract(arguments: argparse.Namespace) -> int:
    """Write all of a catalog as text."""
    catalog = opened_from(arguments).catalog
    lines = bounded(catalog, extract_text(catalog) if arguments.format == "text" else _json_lines(catalog))
    if arguments.output is None:
        for line in lines:
            print("\t" * (len(line) - len(line.lstrip("\t"))) + printable(line.lstrip("\t")))
        return 0
    text = "".join(f"{line}\n" for line in lines)
    write_file(arguments.output, text.encode("utf-8", "backslashreplace"))
    return 0


def _json_lines(catalog: Catalog) -> Iterator[str]:
    keys = keys_by_location(catalog)
    for location in catalog.locations():
        yield json.dumps(location_to_plain(catalog, location, keys[location.number]), ensure_ascii=True)
