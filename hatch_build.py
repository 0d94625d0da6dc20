"""Hooks of the build: add the native module, the package for Unity's editor and the project's addresses.

With ``ASSETDB_NATIVE=1`` cargo builds the native module: one wheel for all versions of Python. If the variable names a
file, that is the module, built for Windows (``scripts/windows/native``).
``pip install`` from a checkout stays pure and needs no compiler. ``ASSETDB_REPOSITORY`` is the address of the
repository that publishes: the release workflow sets it, so a fork names itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_NATIVE = "ASSETDB_NATIVE"
_OF_WINDOWS = "_native.pyd"
_REPOSITORY = "ASSETDB_REPOSITORY"
_OF_UNITY_PACKAGE = ("package.json", "README.md", "CHANGELOG.md", "LICENSE.md", "Editor")  # not its tests


class AddressHook(MetadataHookInterface):
    """Adds ``[project.urls]`` where the environment names the repository."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses to the metadata; pages are those of the tag of this version.

        Raises:
            ValueError: the environment names something other than an ``https`` address.
        """
        address = os.environ.get(_REPOSITORY, "").rstrip("/")
        if not address:
            return
        if not address.startswith("https://"):
            raise ValueError(f"{_REPOSITORY} is {address!r}: set it to the https address of the repository")
        files = f"{address}/blob/v{metadata['version']}"
        metadata["urls"] = {
            "Homepage": address,
            "Documentation": f"{files}/docs/index.md",
            "Changelog": f"{files}/CHANGELOG.md",
            "Issues": f"{address}/issues",
            "Source": address,
        }


class ContentHook(BuildHookInterface[Any]):
    """Adds what is in no folder of the package, and builds the native module if the environment asks for it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the package for Unity's editor; with the native module, the wheel is one for this platform."""
        if version == "editable":
            return
        package = Path(self.root, "editor/com.assetdb.unity")
        shipped = (path for path in package.iterdir() if path.name.removesuffix(".meta") in _OF_UNITY_PACKAGE)
        build_data["force_include"].update({str(path): f"assetdb/unity_package/{path.name}" for path in shipped})
        if os.environ.get(_NATIVE, "") in ("", "0"):
            return
        build_data["pure_python"] = False
        if os.environ[_NATIVE].endswith(_OF_WINDOWS):
            build_data["tag"] = "cp311-abi3-win_amd64"
            build_data["force_include"][os.environ[_NATIVE]] = f"assetdb/{_OF_WINDOWS}"
            return
        build_data["tag"] = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        build_data["force_include"][str(_built(Path(self.root)))] = "assetdb/_native.abi3.so"


def _built(root: Path) -> Path:
    """Build the native module of the checkout at ``root`` and return it.

    Raises:
        OSError: this is Windows, or there is no cargo.
        CalledProcessError: cargo cannot build it.
    """
    if os.name == "nt":
        raise OSError("the native module for Windows is built on Linux: ASSETDB_NATIVE names it, or is not set")
    target = Path(os.environ.get("CARGO_TARGET_DIR") or root / "build" / "native")
    command = ["cargo", "build", "--release", "--locked", "--manifest-path", str(root / "native" / "Cargo.toml")]
    subprocess.run(command, check=True, env={**os.environ, "CARGO_TARGET_DIR": str(target)})
    return target / "release" / ("lib_native.dylib" if sys.platform == "darwin" else "lib_native.so")
