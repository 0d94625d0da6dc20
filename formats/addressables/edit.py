"""Changes to a catalog before it is written again. Each returns how many places it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.addressables.model import BundleOptions, key_text
from formats.addressables.tagged import bundle_json, bundle_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formats.addressables.content import Content, Entry
    from formats.addressables.model import Key


def change_bundles(content: Content, change: Callable[[Entry, BundleOptions], BundleOptions]) -> int:
    """Replace the options of every bundle by what ``change`` makes of them."""
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
    """Set the CRC of all bundles, or of the one with a key or bundle name; 0 turns the check off."""

    def change(entry: Entry, options: BundleOptions) -> BundleOptions:
        if key is None or key == options.bundle_name or key in map(key_text, entry.keys):
            return options._replace(crc=crc)
        return options

    return change_bundles(content, change)


def replace_prefix(content: Content, old: str, new: str) -> int:
    """Replace the beginning of internal ids: a host, a path, a token such as ``{...RuntimePath}``."""
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
    """Give a key another name wherever it is used, as a key and as a dependency.

    Raises ValueError where the new name is a key already: two assets would become one list.
    """
    if any(key_text(key) == new for entry in content.entries for key in entry.keys):
        raise ValueError(f"{new!r} is a key already")

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
    """Remove the entries that have a key, and that key from everything that depends on it."""
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
    """Add an entry at the end. Raises ValueError without a key or where a dependency is not a key of the catalog."""
    if not entry.keys:
        raise ValueError("an entry needs a key")
    known = {key for other in content.entries for key in other.keys}
    missing = [key for key in entry.dependencies if key not in known]
    if missing:
        raise ValueError(f"nothing has the key {key_text(missing[0])!r} that is depended on")
    content.entries.append(entry)
