"""What the imports and classes of a zen package are called.

An import of the engine's own code is named from the script objects. One of another package names that package
(5.3 and later) and its object by hash: the object is found among the exports the caller knows, or is the
package's main object, its class or default object, which are named after the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.unreal.city_hash import object_path_hash, package_id
from formats.unreal.iostore import object_index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from formats.unreal.iostore.script_objects import ScriptObjects
    from formats.unreal.iostore.zen_package import ZenPackage


def object_name(
    index: int,
    package: ZenPackage,
    scripts: ScriptObjects | None = None,
    exports: Mapping[tuple[int, int], str] | None = None,
    imported: Sequence[str] | None = None,
) -> str | None:
    """Return the path of the object that an FPackageObjectIndex of ``package`` refers to.

    Args:
        index: an import, or the class, outer, super or template of an export.
        package: the package that stores it.
        scripts: the script objects of the same build.
        exports: (package id, public export hash) -> path below the package, of packages already read.
        imported: names of the packages that it imports, in the order of its store entry: needed up to 5.2, where
            the package itself does not have them. (Engine 4 imports by `legacy_import_hashes` alone.)

    Returns:
        ``/Script/Engine.Actor``, ``/Game/Maps/Arena.Arena``; ``""`` for none; None where nothing names it.
        Where only the package is known, ``/Game/Maps/Arena.`` and the hash in hexadecimal.
    """
    kind = object_index.kind(index)
    if kind == object_index.NONE:
        return ""
    if kind == object_index.SCRIPT:
        return scripts.path(index) if scripts is not None else None
    if kind == object_index.EXPORT:
        number = object_index.value(index)
        return f"{package.name}.{package.export_path(number)}" if number < len(package.exports) else None
    reference = object_index.package_import(index)
    names = package.imported_names if imported is None else imported
    if reference.package >= len(names) or reference.hash_index >= len(package.imported_hashes):
        return None
    name = names[reference.package]
    public_hash = package.imported_hashes[reference.hash_index]
    found = (exports or {}).get((package_id(name), public_hash)) or _main_object(name, public_hash)
    return f"{name}.{found or f'{public_hash:016x}'}"


def import_names(
    package: ZenPackage, scripts: ScriptObjects | None = None, exports: Mapping[tuple[int, int], str] | None = None
) -> list[str | None]:
    """Return `object_name` of every import, in stored order."""
    return [object_name(index, package, scripts, exports) for index in package.imports]


def public_exports(package: ZenPackage) -> dict[tuple[int, int], str]:
    """Return (package id, public export hash) -> path of the exports that other packages can import."""
    identity = package_id(package.name)
    return {
        (identity, export.public_hash): package.export_path(number)
        for number, export in enumerate(package.exports)
        if export.public_hash
    }


def legacy_import_hashes(package: ZenPackage) -> dict[int, str]:
    """Return FPackageObjectIndex -> full path of an engine 4 package's exports, as its importers store them."""
    paths = (f"{package.name}.{package.export_path(number)}" for number in range(len(package.exports)))
    return {object_index.PACKAGE << 62 | object_path_hash(path): path for path in paths}


def _main_object(package_name: str, public_hash: int) -> str | None:
    last = package_name.rpartition("/")[2]
    return next((name for name in (last, f"{last}_C", f"Default__{last}_C") if package_id(name) == public_hash), None)
