"""Public names of a package, imported on first use.

>>> __getattr__, __dir__ = lazy_names(__name__, globals(), {"catalog": ("Catalog",)}, ["Catalog"])  # doctest: +SKIP
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy_names(
    package: str,
    namespace: dict[str, object],
    homes: Mapping[str, Sequence[str]],
    public: Sequence[str],
    other_names: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return a package's ``__getattr__`` and ``__dir__``.

    Args:
        package: its name.
        namespace: its globals, which keep what was imported.
        homes: by module within the package the names that live there.
        public: the package's ``__all__``.
        other_names: those public names that the module has under another one: its own would hide Python's ``open``.
    """
    renamed = other_names or {}

    def load(name: str) -> object:
        wanted = renamed.get(name, name)
        for home, names in homes.items():
            if wanted in names and name in public:
                from importlib import import_module  # noqa: PLC0415 - a package's modules are looked up here, too

                value: object = getattr(import_module(f"{package}.{home}"), wanted)
                namespace[name] = value
                return value
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load, lambda: list(public)
