"""Edits of a catalog's content; each returns the places changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.addressables.editing.content import Entry
from assetdb_formats.addressables.errors import EditError
from assetdb_formats.addressables.flavour import JsonFlavour
from assetdb_formats.addressables.json.tagged import bundle_json, bundle_options
from assetdb_formats.addressables.model import BUNDLE_FIELDS, BundleOptions, TypeName, key_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb_formats.addressables.editing.content import Content
    from assetdb_formats.addressables.model import Key

_FIELDS: Final = frozenset({"keys", "internal_id", "provider", "type", "assembly", "dependencies", "bundle"})
_OPTION_DEFAULTS: Final = BundleOptions("0" * 32, use_crc_for_cached=True)
# Unity parses each field as a number of its own type; a binary catalog would keep the low bits of others.
_OPTION_RANGES: Final = {
    "crc": range(1 << 32),
    "timeout": range(1 << 31),
    "redirect_limit": range(-1, 1 << 31),
    "retry_count": range(1 << 31),
    "asset_load_mode": range(2),
    "size": range(1 << 63),
}
_HASH: Final = re.compile("(?:[0-9a-fA-F]{32})?")


class Edits(NamedTuple):
    """Changes to a catalog, in the order in which they are made.

    ``crc`` is set for all bundles, or for the one with the key or name ``only``; ``prefix``, ``host`` and ``rename``
    are pairs of old and new.
    """

    crc: int | None = None
    only: str | None = None
    prefix: tuple[tuple[str, str], ...] = ()
    host: tuple[tuple[str, str], ...] = ()
    rename: tuple[tuple[str, str], ...] = ()
    remove: tuple[str, ...] = ()
    add: tuple[Entry, ...] = ()


class EditResult(NamedTuple):
    """A change that was made, in a few words, and its count."""

    change: str
    places: int


def apply_edits(content: Content, edits: Edits) -> list[EditResult]:
    """Change a catalog; return each change and count. Raises EditError."""
    made = []
    if edits.crc is not None:
        made.append(EditResult(f"CRC {edits.crc}", set_crc(content, edits.crc, key=edits.only)))
    made += [EditResult(f"prefix {old}", replace_prefix(content, old, new)) for old, new in edits.prefix]
    made += [EditResult(f"host {old}", replace_host(content, old, new)) for old, new in edits.host]
    made += [EditResult(f"key {old}", rename_key(content, old, new)) for old, new in edits.rename]
    made += [EditResult(f"key {key}", remove_key(content, key)) for key in edits.remove]
    for entry in edits.add:
        add_entry(content, entry)
        made.append(EditResult("entry", 1))
    return made


def change_bundles(content: Content, change: Callable[[Entry, BundleOptions], BundleOptions]) -> int:
    """Replace the options of every bundle by ``change`` of them."""
    count = 0
    for entry in content.entries:
        options = bundle_options(entry.data)
        if options is None:
            continue
        changed = change(entry, options)
        if changed != options:
            entry.data = changed if isinstance(entry.data, BundleOptions) else bundle_json(changed)
            count += 1
    return count


def set_crc(content: Content, crc: int, *, key: str | None = None) -> int:
    """Set the CRC of all bundles, or of a key's or name's.

    One bundle is given by a key or its name.

    Raises EditError for a number that is no CRC-32.
    """
    if not 0 <= crc < 1 << 32:
        raise EditError(f"a CRC is 0 to {(1 << 32) - 1}")

    def change(entry: Entry, options: BundleOptions) -> BundleOptions:
        if key is None or key == options.bundle_name or key in map(key_text, entry.keys):
            written = options.shape  # the fields of a JSON object, which an edited file may have without the CRC
            shape = (*written, "m_Crc") if written and "m_Crc" not in written else written
            return options._replace(crc=crc, shape=shape)
        return options

    return change_bundles(content, change)


def replace_prefix(content: Content, old: str, new: str) -> int:
    """Replace a prefix of internal ids: host, path or token."""
    count = 0
    for entry in content.entries:
        if entry.internal_id.startswith(old) and old != new:
            entry.internal_id = new + entry.internal_id[len(old) :]
            count += 1
    return count


def replace_host(content: Content, old: str, new: str) -> int:
    """Replace the host (with its port) of URLs; scheme and path stay."""
    count = 0
    for entry in content.entries:
        scheme, found, rest = entry.internal_id.partition("://")
        host, slash, path = rest.partition("/")
        if found and host == old and host != new:
            entry.internal_id = f"{scheme}://{new}{slash}{path}"
            count += 1
    return count


def rename_key(content: Content, old: str, new: str) -> int:
    """Rename a key everywhere. Raises EditError if the new one exists."""
    if any(key_text(key) == new for entry in content.entries for key in entry.keys):
        raise EditError(f"{new!r} is a key already")

    def renamed(keys: Sequence[Key]) -> list[Key]:
        return [new if key_text(key) == old else key for key in keys]

    count = 0
    for entry in content.entries:
        keys, dependencies = renamed(entry.keys), renamed(entry.dependencies)
        count += keys != entry.keys
        entry.keys, entry.dependencies = keys, dependencies
    content.key_order = renamed(content.key_order)
    content.key_lists = {new if key_text(key) == old else key: listed for key, listed in content.key_lists.items()}
    return count


def remove_key(content: Content, key: str) -> int:
    """Remove a key's entries, and the key from all dependencies."""
    gone = {id(entry) for entry in content.entries if key in map(key_text, entry.keys)}
    removed = [entry for entry in content.entries if id(entry) in gone]
    content.entries = [entry for entry in content.entries if id(entry) not in gone]
    left = {other for entry in content.entries for other in entry.keys}
    lost = {other for entry in removed for other in entry.keys} - left
    for entry in content.entries:
        if any(other in lost for other in entry.dependencies):
            entry.dependencies = [other for other in entry.dependencies if other not in lost]
    return len(removed)


def add_entry(content: Content, entry: Entry) -> None:
    """Append an entry.

    Several dependencies become the primary keys of what they name: a set of them is hashed by these.

    Raises:
        EditError: it has no key, an unknown dependency, or a value for which the catalog's bundles have no field.
    """
    if not entry.keys:
        raise EditError("an entry needs a key")
    if isinstance(entry.data, BundleOptions) and isinstance(content.flavour, JsonFlavour):
        # Unity reads none but the fields of its own version: the value would be left out without a word.
        for name, field in BUNDLE_FIELDS.items():
            is_set = getattr(entry.data, field) != getattr(_OPTION_DEFAULTS, field)
            if is_set and name not in content.flavour.bundle_fields:
                raise EditError(f"bundle.{field}: the bundles of this catalog have no {name}")
    primaries: dict[Key, list[Key]] = {}
    for other in content.entries:
        for key in other.keys:
            primaries.setdefault(key, []).append(other.keys[0])
    missing = [key for key in entry.dependencies if key not in primaries]
    if missing:
        raise EditError(f"the dependency {key_text(missing[0])!r} is not a key of the catalog")
    if len(entry.dependencies) > 1:
        named = (primary for key in entry.dependencies for primary in primaries[key])
        entry.dependencies = list(dict.fromkeys(named))
    content.entries.append(entry)


def entry_from_plain(fields: object) -> Entry:
    """Return the entry that a JSON object describes.

    ``keys`` (text, the primary one first), ``internal_id`` and ``provider`` must be there; ``type`` and ``assembly``,
    ``dependencies`` (keys) and ``bundle`` (the fields of ``BundleOptions``) may. Raises EditError.
    """
    if not isinstance(fields, dict):
        raise EditError("is not a JSON object")
    unknown = sorted(map(str, fields.keys() - _FIELDS))
    if unknown:
        raise EditError(f"there is no field {unknown[0]!r} ({', '.join(sorted(_FIELDS))})")
    keys, dependencies = fields.get("keys"), fields.get("dependencies", [])
    for name, value in (("keys", keys), ("dependencies", dependencies)):
        if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
            raise EditError(f"{name} is a list of text")
    for name in ("internal_id", "provider"):
        if not isinstance(fields.get(name), str):
            raise EditError(f"{name} is text and must be there")
    kind = None
    if fields.get("type") is not None:
        assembly = fields.get("assembly", "Assembly-CSharp")
        if not isinstance(fields["type"], str) or not isinstance(assembly, str):
            raise EditError("type and assembly are text")
        kind = TypeName(assembly, fields["type"])
    data = None
    if fields.get("bundle") is not None:
        data = _options_from_plain(fields["bundle"])
    once = list(dict.fromkeys(keys or ()))
    return Entry(once, fields["internal_id"], fields["provider"], kind, list(dependencies), data)


def _options_from_plain(fields: object) -> BundleOptions:
    allowed = set(BundleOptions._fields) - {"shape", "type"}
    if not isinstance(fields, dict) or not fields.keys() <= allowed:
        raise EditError(f"bundle is an object with {', '.join(sorted(allowed))}")
    for name, value in fields.items():
        wanted = type(getattr(_OPTION_DEFAULTS, name))
        if type(value) is not wanted:
            raise EditError(f"bundle.{name} is not {wanted.__name__}")
        if name in _OPTION_RANGES and value not in _OPTION_RANGES[name]:
            numbers = _OPTION_RANGES[name]
            raise EditError(f"bundle.{name} is {numbers.start} to {numbers.stop - 1}")
    if not _HASH.fullmatch(fields.get("hash", "")):
        raise EditError("bundle.hash is 32 hexadecimal digits, or empty")
    return _OPTION_DEFAULTS._replace(**fields)
