"""Use a wheel as a team would, in an empty environment, and print the transcript.

    python scripts/release/transcript.py WHEEL [--project DIR] [--python PROGRAM] [--pipx PROGRAM] [--expected FILE]

Installs the wheel (by pipx, or by pip in a virtual environment), bakes a copy of a Unity project, checks it, sets up
the git hook, makes a commit that the hook refuses and one that it accepts, and asks the language server, by itself and
from Neovim where that is installed. Every program has an environment with a new home and none of the caller's
variables; only the installation has those of pip and of the network. Ends at the first answer that is not right.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]
FIXTURE: Final = CHECKOUT / "fixtures" / "unity_project"
SHOWN_LINES: Final = 12
TIME_LIMIT: Final = 120.0  # seconds of one program; an installation of all dependencies takes 10
_OF_INSTALLATION: Final = re.compile(r"(?i)PIP_.*|UV_.*|.*_proxy|SSL_CERT_.*|REQUESTS_CA_BUNDLE")
_OF_WINDOWS: Final = ("SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP")
_REFERENCE: Final = re.compile(r"\{fileID: -?\d+, guid: (?P<guid>[0-9a-f]{32})")
_NEOVIM: Final = """
local function wait(condition) assert(vim.wait(60000, condition, 20), 'no answer within a minute') end
local number = vim.lsp.start_client({ cmd = { vim.env.COMMAND, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, number)
wait(function() local client = vim.lsp.get_client_by_id(number); return client and client.initialized end)
vim.fn.cursor(tonumber(vim.env.LINE) + 1, tonumber(vim.env.COLUMN) + 1)
vim.lsp.buf.hover()
wait(function() return #vim.api.nvim_list_wins() > 1 end)
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    print(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, false)[1])
  end
end
vim.cmd('qall!')
"""


class UnexpectedAnswerError(Exception):
    """An answer that is not what the transcript is to show."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference in a text asset to another asset of the project; line and column count from 0."""

    file: Path
    line: int
    column: int
    target: Path


class Session:
    """Programs that run in one empty environment, with their transcript."""

    def __init__(self, folder: Path) -> None:
        """Make the home folder below a folder that is there."""
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        self.programs = self.home / ".local" / "bin"
        git = shutil.which("git")
        if git is None:
            raise UnexpectedAnswerError("git is not installed")
        path = [str(self.programs), str(Path(git).parent), *(["/usr/bin", "/bin"] if os.name == "posix" else [])]
        self.environment = {name: os.environ[name] for name in _OF_WINDOWS if name in os.environ}
        self.environment |= {"HOME": str(self.home), "USERPROFILE": str(self.home), "PATH": os.pathsep.join(path)}
        self.environment |= {"LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}

    def run(
        self,
        *words: str,
        where: Path | None = None,
        codes: tuple[int, ...] = (0,),
        more: dict[str, str] | None = None,
        shown: int = SHOWN_LINES,
    ) -> str:
        """Run a program, print its first lines and return all of them, of both streams.

        Raises:
            UnexpectedAnswerError: its exit code is not one of these.
        """
        command = [shutil.which(words[0], path=self.environment["PATH"]) or words[0], *words[1:]]
        done = subprocess.run(
            command,
            cwd=where or self.folder,
            env=self.environment | (more or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=TIME_LIMIT,
            check=False,
        )
        show("$ " + " ".join(Path(word).name if Path(word).is_absolute() else word for word in words))
        lines = done.stdout.splitlines()
        for line in lines[:shown]:
            show("  " + line.replace(str(self.folder), ""))
        if len(lines) > shown:
            show(f"  ... {len(lines) - shown} more lines")
        if done.returncode not in codes:
            raise UnexpectedAnswerError(f"exit code {done.returncode}, not {codes}:\n{done.stdout}")
        return done.stdout


def show(line: str) -> None:
    """Print a line of the transcript at once, so that one that ends early shows how far it came."""
    print(line, flush=True)


def install(session: Session, wheel: Path, python: str, pipx: str | None) -> None:
    """Install a wheel for an interpreter, and check that nothing but the installed files is imported."""
    network = {name: value for name, value in os.environ.items() if _OF_INSTALLATION.fullmatch(name)}
    if pipx:
        session.run(pipx, "install", "--python", python, str(wheel), more=network)
        [owner] = session.home.glob("**/venvs/assetdb")
    else:
        owner = session.home / "assetdb"
        session.run(python, "-m", "venv", str(owner))
        session.programs.parent.mkdir(parents=True)
        scripts = owner / ("Scripts" if os.name == "nt" else "bin")
        session.run(str(scripts / "python"), "-m", "pip", "install", "-q", str(wheel), more=network)
        session.programs.mkdir()
        for program in scripts.glob("assetdb*"):
            (session.programs / program.name).symlink_to(program)
    interpreter = owner / ("Scripts" if os.name == "nt" else "bin") / "python"
    source = "import sys, assetdb, assetdb_formats as formats; print(sys.version, assetdb.__file__, formats.__file__)"
    imported = session.run(str(interpreter), "-c", source)
    if imported.count(str(owner)) != 2:
        raise UnexpectedAnswerError(f"imported from outside of {owner}: {imported}")
    session.run("assetdb", "--version")


def guid_of(meta: Path) -> str:
    """Return the GUID that a meta states, empty if it states none."""
    found = re.search(r"^guid: ([0-9a-f]{32})\s*$", meta.read_text("utf-8", "replace"), re.MULTILINE)
    return found[1] if found else ""


def commit(session: Session, project: Path) -> None:
    """Make a commit that breaks the project, which the hook refuses, and the corrected one, which it accepts."""
    findings = session.run("assetdb", "check", "--json", where=project, codes=(0, 1), shown=0)
    broken = {json.loads(line)["path"] for line in findings.splitlines() if line.startswith("{")}
    names = (path.relative_to(project) for path in sorted(project.glob("Assets/**/*.mat")))
    material = next(name for name in names if name.as_posix() not in broken and guid_of(project / f"{name}.meta"))
    copy = material.with_name("Copied by hand.mat")
    for suffix in ("", ".meta"):
        shutil.copy(project / f"{material}{suffix}", project / f"{copy}{suffix}")
    session.run("git", "add", "--all", where=project)
    refused = session.run("git", "commit", "-q", "-m", "Copy a material with its meta", where=project, codes=(1,))
    if "duplicate-guid" not in refused or str(copy.name) not in refused:
        raise UnexpectedAnswerError(f"the hook gives no reason: {refused}")
    meta = project / f"{copy}.meta"
    meta.write_text(meta.read_text("utf-8").replace(guid_of(meta), uuid.uuid4().hex), "utf-8", newline="\n")
    session.run("git", "add", "--all", where=project)
    session.run("git", "commit", "-q", "-m", "Copy a material", where=project)
    session.run("git", "log", "--oneline", where=project)


def first_reference(project: Path) -> Reference:
    """Find the first reference of a prefab or scene to a text asset of the same project."""
    metas = [path for path in sorted(project.glob("Assets/**/*.meta")) if path.is_file()]
    targets = {guid_of(meta): meta.with_suffix("") for meta in metas}
    for file in sorted((*project.glob("Assets/**/*.prefab"), *project.glob("Assets/**/*.unity"))):
        for number, line in enumerate(file.read_text("utf-8", "replace").splitlines()):
            found = _REFERENCE.search(line)
            target = targets.get(found["guid"]) if found else None
            if found and target and target.suffix in {".prefab", ".mat", ".asset"} and target.is_file():
                return Reference(file, number, found.start("guid"), target)
    raise UnexpectedAnswerError(f"{project} has no prefab or scene that refers to another asset")


class LanguageServer:
    """A language server that is asked over its standard streams."""

    def __init__(self, session: Session, project: Path) -> None:
        """Start it for a project."""
        program = shutil.which("assetdb", path=session.environment["PATH"]) or "assetdb"
        self.process = subprocess.Popen(
            [program, "lsp"], cwd=project, env=session.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        if self.process.stdin is None or self.process.stdout is None:
            raise UnexpectedAnswerError("the language server has no streams")
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.timer = threading.Timer(TIME_LIMIT, self.process.kill)
        self.timer.start()
        self.requests = 0

    def send(self, **message: object) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.stdin.flush()

    def ask(self, method: str, params: dict[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
        """Send a request and return its result; requests of the server are answered with null."""
        self.requests += 1
        self.send(id=self.requests, method=method, params=params)
        while True:
            message = self.receive()
            if "method" not in message and message.get("id") == self.requests:
                if "error" in message:
                    raise UnexpectedAnswerError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message and "id" in message:
                self.send(id=message["id"], result=None)

    def receive(self) -> dict[str, Any]:
        """Return the next message.

        Raises:
            UnexpectedAnswerError: the server has ended.
        """
        length = 0
        while (line := self.stdout.readline()) not in {b"\r\n", b""}:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise UnexpectedAnswerError("the language server has ended")
        message: dict[str, Any] = json.loads(self.stdout.read(length))
        return message

    def stop(self) -> int:
        """Ask it to end, and return its exit code."""
        self.ask("shutdown")
        self.send(method="exit")
        code = self.process.wait(TIME_LIMIT)
        self.timer.cancel()
        return code


def ask_language_server(session: Session, project: Path) -> None:
    """Ask for hover and definition at the first reference, over standard streams and from Neovim."""
    reference = first_reference(project)
    where = {
        "textDocument": {"uri": reference.file.as_uri()},
        "position": {"line": reference.line, "character": reference.column},
    }
    place = f"{reference.file.relative_to(project).as_posix()}:{reference.line + 1}:{reference.column + 1}"
    show("$ assetdb lsp")
    server = LanguageServer(session, project)
    started = server.ask("initialize", {"processId": None, "rootUri": project.as_uri(), "capabilities": {}})
    show(f"  initialize: {started['serverInfo']}")
    server.send(method="initialized", params={})
    text = reference.file.read_text("utf-8")
    opened = {"uri": reference.file.as_uri(), "languageId": "unity", "version": 1, "text": text}
    server.send(method="textDocument/didOpen", params={"textDocument": opened})
    hover = json.dumps(server.ask("textDocument/hover", where), ensure_ascii=False)
    show(f"  hover at {place}: {hover}")
    definition = json.dumps(server.ask("textDocument/definition", where))
    show(f"  definition: {definition}")
    code = server.stop()
    if reference.target.stem not in hover or reference.target.as_uri() not in definition or code:
        raise UnexpectedAnswerError(f"not {reference.target}, or not ended as asked ({code})")
    if shutil.which("nvim", path=session.environment["PATH"]):
        script = session.folder / "hover.lua"
        script.write_text(_NEOVIM, "utf-8")
        at = {"LINE": str(reference.line), "COLUMN": str(reference.column), "COMMAND": "assetdb"}
        words = ("nvim", "--headless", "--clean", "-n", str(reference.file), "-S", str(script), "-c", "cquit!")
        if reference.target.stem not in session.run(*words, where=project, more=at):
            raise UnexpectedAnswerError(f"Neovim does not show {reference.target}")


def transcribe(session: Session, source: Path, expected: Path | None) -> None:
    """Print the transcript of what an installed assetdb does with a copy of a project.

    Args:
        session: where it is installed.
        source: the project.
        expected: the database that a bake of the project writes, None if that is not known.

    Raises:
        UnexpectedAnswerError: a program does not answer as it should.
    """
    project = session.folder / "project"
    shutil.copytree(source, project, symlinks=True, ignore=shutil.ignore_patterns("Library", ".git"))
    session.run("assetdb", "bake", "--keep-going", where=project, shown=4)
    written = project / "Library" / "assetdb" / "asset-db.bin"
    if expected and written.read_bytes() != expected.read_bytes():
        raise UnexpectedAnswerError(f"the database is not that of {expected}")
    session.run("assetdb", "check", "--statistics", where=project, codes=(0, 1))
    for name, value in (("user.name", "Ann"), ("user.email", "ann@example.com"), ("core.autocrlf", "false")):
        session.run("git", "config", "--global", name, value)
    session.run("git", "init", "-q", where=project)
    session.run("git", "add", "--all", where=project)
    session.run("git", "commit", "-q", "-m", "The project as it is", where=project)
    session.run("assetdb", "git-setup", where=project)
    commit(session, project)
    ask_language_server(session, project)


def main() -> int:
    """Print the transcript of the wheel that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument(
        "--project", type=Path, default=FIXTURE, help="the Unity project to copy (default: the fixture)"
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter to install for (default: this one)")
    parser.add_argument("--pipx", default=shutil.which("pipx"), help="the pipx to install with (default: that on PATH)")
    parser.add_argument("--expected", type=Path, help="the database that the bake is to write")
    given = parser.parse_args()
    source = "import sys; print(sys.executable)"  # what a shim on PATH starts depends on the environment
    if not shutil.which(given.python):
        parser.error(f"{given.python} is not installed")
    found = subprocess.run([given.python, "-c", source], capture_output=True, text=True, check=False)
    if found.returncode:
        parser.error(f"{given.python} is no interpreter: {found.stderr.strip()}")
    with tempfile.TemporaryDirectory(prefix="assetdb-transcript-") as name:
        try:
            session = Session(Path(name).resolve())
            install(session, given.wheel.resolve(), found.stdout.strip(), given.pipx)
            transcribe(session, given.project.resolve(), given.expected)
        except (UnexpectedAnswerError, subprocess.TimeoutExpired, OSError) as error:
            print(f"not as it should be: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
