"""The version, in a module that costs nothing to import."""

from __future__ import annotations

import os
import sys

VERSION = "0.1.0"
_NATIVE = "assetdb._native"
_NATIVE_FILE = os.path.join(os.path.dirname(__file__), "_native.abi3.so")

TYPE_CHECKING = False

if TYPE_CHECKING:
    from types import ModuleType


def native_module() -> ModuleType | None:
    """Return the native module if it is there and of this version."""
    if not _has_native():
        return None
    try:
        module: ModuleType = __import__(_NATIVE, fromlist=("VERSION",))
    except ImportError:
        return None
    return module if module.VERSION == VERSION else None


def described_version() -> str:
    """Return the version as printed: compiled, native or pure."""
    from importlib.util import find_spec  # noqa: PLC0415 - every cache asks for the version alone

    spec = find_spec("assetdb.scan.asset")  # the first of those that mypyc compiles
    compiled = spec is not None and is_compiled(str(spec.origin))
    native = _described_native() if _has_native() else ""
    return f"assetdb {VERSION} ({'compiled' if compiled else 'pure Python'}{native})"


def _has_native() -> bool:
    """Whether there is a native module, of whatever version."""
    return _NATIVE in sys.modules or os.path.exists(_NATIVE_FILE)


def _described_native() -> str:
    try:
        module = __import__(_NATIVE, fromlist=("VERSION",))
    except ImportError as error:
        return f"; the native module cannot be loaded: {error}"
    if module.VERSION != VERSION:
        return f"; the native module is of {module.VERSION} and is not used"
    return ", with the native module"


def is_compiled(file: str) -> bool:
    """Whether a module's ``__file__`` is an extension that mypyc made of it."""
    return not file.endswith((".py", ".pyc"))
