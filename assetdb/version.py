"""The version, in a module that costs nothing to import."""

from __future__ import annotations

import os
import sys

VERSION = "0.1.0"
_NATIVE = "assetdb._native"
_SWITCH = "ASSETDB_NATIVE"
_NATIVE_FILE = os.path.join(os.path.dirname(__file__), "_native.pyd" if os.name == "nt" else "_native.abi3.so")

TYPE_CHECKING = False

if TYPE_CHECKING:
    from types import ModuleType


def native_module() -> ModuleType | None:
    """Return the native module, None where Python reads all."""
    if not _has_native():
        return None
    try:
        module: ModuleType = __import__(_NATIVE, fromlist=("VERSION",))
    except ImportError:
        return None
    return module if module.VERSION == VERSION else None


def described_version() -> str:
    """Return the version as printed: native, or pure Python and why."""
    if is_native_left_out():
        return f"assetdb {VERSION} (pure Python; {_SWITCH} leaves the native module out)"
    return f"assetdb {VERSION} ({_described_native() if _has_native() else 'pure Python'})"


def is_native_left_out() -> bool:
    """Whether the environment leaves out a native module."""
    return os.environ.get(_SWITCH) == "0"


def _has_native() -> bool:
    """Whether there is one of any version that is not left out."""
    return not is_native_left_out() and (_NATIVE in sys.modules or os.path.exists(_NATIVE_FILE))


def _described_native() -> str:
    try:
        module = __import__(_NATIVE, fromlist=("VERSION",))
    except ImportError as error:
        return f"pure Python; the native module cannot be loaded: {error}"
    if module.VERSION != VERSION:
        return f"pure Python; the native module is of {module.VERSION} and is not used"
    return "native"
