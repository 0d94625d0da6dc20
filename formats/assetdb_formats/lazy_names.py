"""Public names of a package, imported on first use.

A package states them twice: for type checkers and editors as imports that re-export (``import Name as Name``), and for
the interpreter by module.

>>> from assetdb_formats import addressables
>>> names, attribute, _ = lazy_names("assetdb_formats.addressables", {}, {"catalog": ("Catalog",)})
>>> names, attribute("Catalog") is addressables.Catalog
(['Catalog'], True)
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy_names(
    package: str,
    namespace: dict[str, object],
    homes: Mapping[str, Sequence[str]],
    other_names: Mapping[str, str] | None = None,
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return a package's ``__all__``, ``__getattr__`` and ``__dir__``.

    Args:
        package: its name.
        namespace: its globals, which keep what was imported.
        homes: public names by their module within the package.
        other_names: public names that have another one in their module, as ``open``, which would hide Python's there.
    """
    renamed = other_names or {}
    places = {name: home for home, names in homes.items() for name in names}
    public = sorted(places)

    def load(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - a package's modules are looked up here, too

        value: object = getattr(import_module(f"{package}.{places[name]}"), renamed.get(name, name))
        namespace[name] = value
        return value

    return public, load, lambda: list(public)
