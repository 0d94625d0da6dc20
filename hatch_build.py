"""Hooks of the build: compile the hot modules, and add the package for Unity's editor and the project's addresses.

With ``ASSETDB_COMPILE=1`` mypyc compiles modules of the wheel; their sources stay in it, for tracebacks and readers.
With ``ASSETDB_NATIVE=1`` cargo builds the native module, on Linux and macOS: one wheel for all versions of Python.
``pip install`` from a checkout stays pure and needs no compiler. ``ASSETDB_REPOSITORY`` is the address of the
repository that publishes: the release workflow sets it, so a fork names itself.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_SWITCH = "ASSETDB_COMPILE"
_NATIVE = "ASSETDB_NATIVE"
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


class CompileHook(BuildHookInterface[Any]):
    """Compiles modules and builds the native one, if the environment asks for it."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what the build needs beyond hatchling: the compiler, and the types of what the sources import."""
        return [*self.config["compile-requires"], *self.metadata.core.dependencies] if _is_asked_for(_SWITCH) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the package for Unity's editor, and what is made for this platform: then the wheel is one for it."""
        if version == "editable":
            return
        package = Path(self.root, "editor/com.assetdb.unity")
        shipped = (path for path in package.iterdir() if path.name.removesuffix(".meta") in _OF_UNITY_PACKAGE)
        build_data["force_include"].update({str(path): f"assetdb/unity_package/{path.name}" for path in shipped})
        if _is_asked_for(_NATIVE):
            built = _built(Path(self.root))
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
            build_data["force_include"][str(built)] = "assetdb/_native.abi3.so"
        if _is_asked_for(_SWITCH):
            self._compile(build_data)

    def _compile(self, build_data: dict[str, Any]) -> None:
        place = Path(self.root, "build", "compiled")
        shutil.rmtree(place, ignore_errors=True)
        for package in ("assetdb", "formats/assetdb_formats"):
            sources = Path(self.root, package)
            shutil.copytree(sources, place / sources.name, ignore=shutil.ignore_patterns("__pycache__"))
        made = _compiled(place, self.config["modules"])
        build_data["pure_python"] = False
        build_data["infer_tag"] = True  # of this interpreter, also where the native module would fit others
        build_data.pop("tag", None)
        build_data["force_include"].update({str(path): path.relative_to(place / "made").as_posix() for path in made})


def _is_asked_for(switch: str) -> bool:
    return os.environ.get(switch, "") not in ("", "0")


def _built(root: Path) -> Path:
    """Build the native module of the checkout at ``root`` and return it.

    Raises:
        OSError: this system has none, or no cargo.
        CalledProcessError: cargo cannot build it.
    """
    if os.name == "nt":
        raise OSError("the native module reads folders as POSIX has them: build without ASSETDB_NATIVE here")
    target = Path(os.environ.get("CARGO_TARGET_DIR") or root / "build" / "native")
    command = ["cargo", "build", "--release", "--locked", "--manifest-path", str(root / "native" / "Cargo.toml")]
    subprocess.run(command, check=True, env={**os.environ, "CARGO_TARGET_DIR": str(target)})
    return target / "release" / ("lib_native.dylib" if sys.platform == "darwin" else "lib_native.so")


def _compiled(place: Path, modules: list[str]) -> list[Path]:
    """Compile modules of the sources copied to ``place`` and return the extensions."""
    from mypyc.build import mypycify  # noqa: PLC0415 - only where it was asked for
    from setuptools import Distribution  # noqa: PLC0415 - the same

    # What extras bring is not installed here: it is not compiled, and its types are checked by `mypy`.
    options = ["--config-file=", "--ignore-missing-imports", "--disable-error-code=import-untyped"]
    with contextlib.chdir(place):
        extensions = mypycify([*options, *modules], opt_level="3", group_name="assetdb")
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        assert command is not None  # noqa: S101 - for the type checker
        command.ensure_finalized()
        command.build_lib = str(place / "made")
        command.build_temp = str(place / "objects")
        command.run()
        return [Path(path).resolve() for path in command.get_outputs()]
