"""The Unity package, compiled by mono against the stubs of Unity's API; what Unity itself would do with the asmdefs."""

from __future__ import annotations

import glob
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "editor" / "com.assetdb.unity"
LANGUAGE = "7.2"  # the newest that Debian's mcs takes; Unity 2021.3 takes 9
EDITOR = "UNITY_2021_3_OR_NEWER"
LATER_EDITORS = {
    "2022.3": f"{EDITOR};UNITY_2022_3_OR_NEWER",
    "6000.0": f"{EDITOR};UNITY_2022_3_OR_NEWER;UNITY_6000_0_OR_NEWER",
    # The main toolbar can be extended from there on.
    "6000.3": f"{EDITOR};UNITY_2022_3_OR_NEWER;UNITY_6000_0_OR_NEWER;UNITY_6000_3_OR_NEWER",
}
_LIMIT = 300.0  # seconds that anything may take before a test takes it for hung
_NUNIT = (
    "/usr/lib/mono/gac/nunit.framework/*/nunit.framework.dll",
    "/usr/lib/cli/nunit.framework*/nunit.framework.dll",
)


class Build(NamedTuple):
    """Where the compiled assemblies are."""

    folder: Path

    def run(self, *command: str, timeout: float = _LIMIT) -> subprocess.CompletedProcess[str]:
        """Run a program beside the assemblies."""
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=timeout, check=False)


def skip_without(*programs: str) -> None:
    """Skip the test, with the reason, where a program of mono's is not installed."""
    if sys.platform == "win32":
        pytest.skip("the package is compiled where mono is; on Windows Unity does it")
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"no {program}: apt-get install mono-mcs mono-runtime nunit-console libnunit-cil-dev")


def nunit() -> str:
    """Return the path of NUnit 2.6, or skip the test."""
    for pattern in _NUNIT:
        found = sorted(glob.glob(pattern))
        if found:
            return found[-1]
    pytest.skip("no NUnit: apt-get install nunit-console libnunit-cil-dev")


def compile_assembly(
    folder: Path,
    name: str,
    sources: Path,
    *,
    references: tuple[str, ...] = (),
    defines: str = "",
    target: str = "library",
) -> None:
    """Compile a folder of sources; a warning is an error."""
    command = [
        "mcs",
        f"-langversion:{LANGUAGE}",
        "-warn:4",
        "-warnaserror",
        f"-target:{target}",
        f"-lib:{folder}",
        f"-out:{folder / name}",
        *(f"-r:{reference}" for reference in references),
        *([f"-define:{defines}"] if defines else []),
        *map(str, sorted(sources.glob("*.cs"))),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout + done.stderr, done.stdout + done.stderr


def compile_package(folder: Path, defines: str) -> Build:
    """Compile stubs and package: each assembly sees the ones that its asmdef names, and only the last sees Unity."""
    protocol, connection, unity = "AssetDb.Protocol.dll", "AssetDb.Connection.dll", "UnityStubs.dll"
    compile_assembly(folder, unity, PACKAGE / "Tests~" / "Stubs", defines=defines)
    compile_assembly(folder, protocol, PACKAGE / "Editor" / "Protocol")
    compile_assembly(folder, connection, PACKAGE / "Editor" / "Connection", references=(protocol,))
    compile_assembly(
        folder,
        "AssetDb.Editor.dll",
        PACKAGE / "Editor" / "Integration",
        references=(protocol, connection, unity),
        defines=defines,
    )
    return Build(folder)


def add_player(build: Build) -> None:
    """Compile the program that plays the editor."""
    references = ("AssetDb.Protocol.dll", "AssetDb.Connection.dll", "UnityStubs.dll")
    compile_assembly(
        build.folder, "EditorPlayer.exe", PACKAGE / "Tests~" / "EndToEnd", references=references, target="exe"
    )


def add_unit_tests(build: Build) -> None:
    """Compile the unit tests, with NUnit beside them."""
    framework = nunit()
    shutil.copy(framework, build.folder)
    references = ("AssetDb.Protocol.dll", "AssetDb.Connection.dll", "UnityStubs.dll", "AssetDb.Editor.dll", framework)
    compile_assembly(build.folder, "AssetDb.Tests.dll", PACKAGE / "Tests~" / "Unit", references=references)


def compile_tests_for_unity(build: Build) -> None:
    """Compile the tests that only Unity's own Test Runner can run, against the stubs: their calls are spelled right."""
    framework = nunit()
    references = ("AssetDb.Protocol.dll", "AssetDb.Connection.dll", "UnityStubs.dll", "AssetDb.Editor.dll", framework)
    compile_assembly(build.folder, "AssetDb.UnityTests.dll", PACKAGE / "Tests" / "Editor", references=references)


def shared_build(shared: Path) -> Build:
    """Return the package and the player, compiled once for all processes of a test run."""
    import fcntl  # noqa: PLC0415 - not on Windows, where mono is not looked for

    folder = shared / "unity-package"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            add_player(compile_package(folder, EDITOR))
            (folder / "done").touch()
    return Build(folder)
