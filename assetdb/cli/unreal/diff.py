"""``assetdb unreal diff`` of packages, folders or containers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.terminal import print_json
from assetdb.cli.unreal.options import SearchOptions, refuse_given, refuse_scan
from assetdb.cli.unreal.reporting import as_json, open_folder, print_changes, say_damaged, unpacking
from assetdb.errors import UsageError
from assetdb_formats.unreal.comparison import compare_databases, compare_package_files
from assetdb_formats.unreal.containers.locations import is_container

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument


@unpacking("old", "new")
def diff(
    options: SearchOptions,
    old: Annotated[str, Argument(metavar="OLD", help="A package, a folder or a container.")],
    new: Annotated[str, Argument(metavar="NEW", help="The other one, of the same kind.")],
) -> int:
    """Print differences; 1 if there are any."""
    if is_container(old) != is_container(new) or os.path.isdir(old) != os.path.isdir(new):
        raise UsageError(f"{old} and {new} are not the same kind of thing")
    if is_container(old):
        from assetdb.cli.unreal.containers import packages  # noqa: PLC0415 - folders of packages do without

        refuse_scan(options)
        if not os.path.isdir(old) and old.lower().endswith(".pak") != new.lower().endswith(".pak"):
            raise UsageError(f"{old} and {new} name their contents differently, and cannot be compared")
        return packages.difference(old, new, options)
    unreadable = 0
    refuse_given({"--cache": options.cache, "--key": options.key}, "a comparison of packages or folders of them")
    if os.path.isdir(old):
        folders = [open_folder(options, path) for path in (old, new)]  # one cache cannot serve two
        unreadable = max(code for _, code in folders)
        for scanned, _ in folders:
            say_damaged(scanned.database)
        found = compare_databases(folders[0][0].database, folders[1][0].database)
    else:
        found = compare_package_files(old, new, options.assumed)
    if options.json:
        print_json(as_json(found))
    for name, changes in found.items() if not options.json else ():
        print(name)
        print_changes(changes, "  ")
    return unreadable or int(bool(found))
