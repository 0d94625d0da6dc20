"""Names of imports and classes of a zen package.

An import of the engine's own code is named from the script objects. One of another package names that package
(5.3 and later) and its object by hash: the object is found among the exports the caller knows, or is the
package's main object, its class or default object, which are named after the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.codecs.city_hash import object_path_hash, package_id
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.zen import object_index
from assetdb_formats.unreal.zen.package import ZenForm, ZenPackage

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from assetdb_formats.unreal.zen.script_objects import ScriptObjects

_FREE: Final = 1 << 20  # characters of names that a small package may have
_PER_BYTE: Final = 16  # of the header: 399 real packages have less than one
# Characters of the paths that are tried to name one package's imports: 2 s. A real Blueprint with 522 names needs
# 31,000 paths.
_MOST_GUESSED: Final = 4_000_000


class Naming:
    """The names of the objects that one package refers to.

    Attributes:
        package: the package.
        scripts: the engine's and the game's own objects.
        exports: (package id, public export hash) -> path below the package, of packages already read.
        imported: names of the packages that it imports, in the order of its store entry: needed up to 5.2, where
            the package itself does not have them.
        paths: index -> path of objects of other packages, as engine 4 refers to them: see `legacy_import_hashes` and
            `paths_from_names`.
        hashed: indices that were asked for and have a hash in place of the object's name.
    """

    def __init__(
        self,
        package: ZenPackage,
        scripts: ScriptObjects | None = None,
        exports: Mapping[tuple[int, int], str] | None = None,
        imported: tuple[str, ...] | None = None,
        paths: Mapping[int, str] | None = None,
    ) -> None:
        self.package = package
        self.scripts = scripts
        self.exports = exports or {}
        self.imported = package.imported_names if imported is None else imported
        self.paths = paths or {}
        self.hashed: set[int] = set()
        self._names: dict[int, str | None] = {}
        self._identities: dict[str, tuple[int, dict[int, str]]] = {}
        self._left = _FREE + _PER_BYTE * package.header_size

    def name(self, index: int) -> str | None:
        """Return the path of the object at an FPackageObjectIndex.

        Returns:
            ``/Script/Engine.Actor``, ``/Game/Maps/Arena.Arena``; ``""`` for none; None where nothing names it.
            Where only the package is known, ``/Game/Maps/Arena.`` and the hash in hexadecimal.

        Raises:
            UnrealError: the names expand to far more than the package.
        """
        if index not in self._names:
            path = self._path(index)
            self._left -= len(path or "")
            if self._left < 0:
                raise UnrealError("the names of objects expand to far more than the package", field="imports")
            self._names[index] = path
        return self._names[index]

    def _path(self, index: int) -> str | None:
        kind = object_index.kind(index)
        if kind == object_index.NONE:
            return ""
        if kind == object_index.SCRIPT:
            found = self.scripts.path(index) if self.scripts is not None else None
            return found or self.paths.get(index)
        package = self.package
        if kind == object_index.EXPORT:
            number = object_index.value(index)
            return f"{package.name}.{package.export_path(number)}" if number < len(package.exports) else None
        if package.form is ZenForm.ENGINE_4:
            return self.paths.get(index)
        reference = object_index.package_import(index)
        if reference.package >= len(self.imported) or reference.hash_index >= len(package.imported_hashes):
            return None
        name = self.imported[reference.package]
        public_hash = package.imported_hashes[reference.hash_index]
        identity, main_objects = self._identity(name)
        inner = self.exports.get((identity, public_hash)) or main_objects.get(public_hash)
        if not inner:
            self.hashed.add(index)
        return f"{name}.{inner or f'{public_hash:016x}'}"

    def _identity(self, package_name: str) -> tuple[int, dict[int, str]]:
        """Return the id of a package, and its main objects by hash."""
        found = self._identities.get(package_name)
        if found is None:
            main_objects = {package_id(name): name for name in _main_names(package_name)}
            found = self._identities[package_name] = package_id(package_name), main_objects
        return found


def public_exports(package: ZenPackage) -> dict[tuple[int, int], str]:
    """Return importable exports' paths by (package id, public export hash)."""
    identity = package_id(package.name)
    return {
        (identity, export.public_hash): package.export_path(number)
        for number, export in enumerate(package.exports)
        if export.public_hash
    }


def legacy_import_hashes(package: ZenPackage) -> dict[int, str]:
    """Return an engine 4 package's export paths by FPackageObjectIndex."""
    paths = (f"{package.name}.{package.export_path(number)}" for number in range(len(package.exports)))
    return {object_index.PACKAGE << 62 | object_path_hash(path): path for path in paths}


def paths_from_names(
    package: ZenPackage, scripts: ScriptObjects | None = None, known: Container[int] = ()
) -> dict[int, str]:
    """Return import paths that a package's own names make up.

    The keys are FPackageObjectIndex; each path is proved by its hash. A package of engine 4 keeps the names of its
    imports; later ones do not. Indices in ``scripts`` or ``known`` are left out.
    """
    if package.form is not ZenForm.ENGINE_4:
        return {}
    search = _Search(
        index
        for index in package.imports
        if (object_index.kind(index) == object_index.PACKAGE and index not in known)
        or (object_index.kind(index) == object_index.SCRIPT and not (scripts and scripts.path(index)))
    )
    roots = [name for name in package.names.names if name.startswith("/")]
    others = [name for name in package.names.names if not name.startswith("/")]
    native = [root for root in roots if root.startswith("/Script/")]
    search.attempt((root, "") for root in native)
    search.attempt((root, name) for root in roots for name in _main_names(root))  # of other packages, nearly all
    search.attempt((root, name) for root in native for name in others)
    named = {path.partition(".")[0] for path in search.found.values()}
    waited = set(package.graph)
    odd = [root for root in roots if root not in named and package_id(root) in waited]
    search.attempt((root, name) for root in odd for name in others)
    for kind in (object_index.SCRIPT, object_index.PACKAGE):  # functions, components
        outers = [path for index, path in search.found.items() if object_index.kind(index) == kind]
        if search.wants(kind):
            search.attempt((outer, name) for outer in outers for name in others)
    return search.found


class _Search:
    """Looks for the paths behind hashes, within a bound of guesses."""

    def __init__(self, wanted: Iterable[int]) -> None:
        self.found: dict[int, str] = {}
        self._wanted = set(wanted)
        self._left = _MOST_GUESSED

    def wants(self, kind: int) -> bool:
        """Whether there are indices of a kind left."""
        return any(object_index.kind(index) == kind for index in self._wanted)

    def attempt(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Try the path of each (outer, name)."""
        wanted = self._wanted
        for outer, name in pairs if wanted else ():
            if self._left < 0 or not wanted:
                return
            path = f"{outer}{':' if '.' in outer else '.'}{name}" if name else outer
            self._left -= len(path)
            path_hash = object_path_hash(path)
            for kind in (object_index.SCRIPT, object_index.PACKAGE):
                index = kind << 62 | path_hash
                if index in wanted:
                    wanted.discard(index)
                    self.found[index] = path


def _main_names(package_name: str) -> list[str]:
    """Return the possible names of a package's main objects."""
    last = package_name.rpartition("/")[2]
    return [last, f"{last}_C", f"Default__{last}_C"]
