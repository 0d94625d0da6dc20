"""The printing module of each kind of bundle, imported when needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from assetdb.cli.bundle.inputs import BundleFile


def printer_of(file: BundleFile) -> ModuleType:
    """Return the module for a bundle's kind.

    ``casset`` and ``unityfs`` have the same functions.
    """
    return import_module(f"assetdb.cli.bundle.{file.kind}")
