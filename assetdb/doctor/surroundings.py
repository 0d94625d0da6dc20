"""Examination of git, editors, and causes of slowness."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Final

from assetdb.daemon.observers.paths import read_mounts, remote_kind
from assetdb.doctor.item import ERROR, OK, WARNING, Item
from assetdb.doctor.merging import examine_merges
from assetdb.errors import HistoryError, ScanError
from assetdb.history.configuration.setup import MISSING, set_up
from assetdb.history.git.repository import Repository
from assetdb.packages.external import locate_packages
from assetdb.store.files import DATABASE_NAME
from assetdb.system.identity import DEFAULT
from assetdb.version import VERSION, described_version, is_native_left_out, native_module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.settings.effective import Settings

_UNITY_PACKAGE: Final = "com.assetdb.unity"
_EXTENSION: Final = "assetdb.assetdb-"
_EXTENSIONS: Final = (
    *(("VS Code", f".vscode{end}/extensions") for end in ("", "-insiders", "-server", "-remote")),
    *(("VSCodium", ".vscode-oss/extensions"), ("Cursor", ".cursor/extensions")),
    *(("code-server", ".local/share/code-server/extensions"), ("Windsurf", ".windsurf/extensions")),
)


def examine_installation() -> Iterator[Item]:
    """Yield the lines about the installed program."""
    python = ".".join(map(str, sys.version_info[:3]))
    message = f"{described_version()}, Python {python}, {sys.platform}"
    if native_module() is not None:
        yield Item("version", OK, message)
    else:
        advice = "install the wheel of this platform (docs/platforms.md): a first bake is slower without"
        if is_native_left_out():
            advice = "unset ASSETDB_NATIVE: a first bake is slower without"
        yield Item("version", WARNING, f"{message}: new folders are read without the native module", advice)
    program = shutil.which("assetdb")
    if program:
        yield Item("command", OK, program)
    else:
        advice = "add its folder to PATH: the hook, git diff and editors start it by that name"
        yield Item("command", WARNING, "assetdb is not on PATH", advice)


# --- git


def examine_git(settings: Settings) -> Iterator[Item]:
    """Yield the lines about git and the settings of `git-setup`."""
    try:
        repository = Repository(settings.root)
        yield _history(repository)
        yield _ignored(repository, settings.folder)
        for step in set_up(settings.root, write=False):
            setting = f"{step.path}: {step.what}"
            if step.state == MISSING:
                why = f": {step.why}" if step.why else ""
                yield Item("git", WARNING, f"{setting} is not set{why}", "run `assetdb git-setup`")
            elif step.why:
                advice = "run `assetdb git-setup --help` for what it changes"
                yield Item("git", WARNING, f"{setting}: {step.why}", advice)
            else:
                yield Item("git", OK, f"{setting} is set")
        yield from examine_merges(repository)
    except (HistoryError, OSError) as error:
        advice = "with a repository and git on PATH, checks know what was deleted and diffs show names"
        yield Item("git", WARNING, str(error), advice)


def _history(repository: Repository) -> Item:
    if repository.is_shallow():
        advice = "run `git fetch --unshallow`"
        return Item("git", WARNING, "the clone is shallow: files that were deleted before are not known", advice)
    return Item("git", OK, f"repository {repository.top}")


def _ignored(repository: Repository, folder: str) -> Item:
    """Examine whether git ignores the output folder."""
    path = os.path.join(folder, DATABASE_NAME)
    top = os.path.realpath(repository.top)
    inside = os.path.realpath(path).startswith(os.path.join(top, ""))
    if not inside or not os.path.isdir(folder):
        return Item("git", OK, "the output folder is not in the repository" if not inside else "no output folder yet")
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(repository.root))
    if repository.output("ls-files", "-z", "--", relative):
        return Item("git", ERROR, f"{relative} is committed", f"run `git rm -r --cached {os.path.dirname(relative)}`")
    if repository.output("check-ignore", "--", relative, accept=(0, 1)):
        return Item("git", OK, "the output folder is ignored")
    # A rule cannot lead out of the folder of its file, as an output folder beside the project would need.
    own, file = repository.root, ".gitignore"
    if relative.startswith(os.pardir):
        own, file = top, os.path.join(top, file)
    rule = os.path.relpath(os.path.dirname(os.path.realpath(path)), os.path.realpath(own)).replace(os.sep, "/")
    return Item("git", WARNING, f"git does not ignore {relative}", f"add /{rule}/ to {file}")


# --- editors


def examine_editors(root: str, home: str) -> Iterator[Item]:
    """Yield the lines about editors of a user and of a project."""
    if root:
        yield _unity_package(root)
    found = False
    for name, folder in _EXTENSIONS:
        versions = _extension_versions(os.path.join(home, folder))
        if not versions:
            continue
        found = True
        newest = versions[-1]
        if newest == VERSION:
            yield Item("editors", OK, f"{name}: extension {newest}")
        else:
            advice = f"install the extension of {VERSION} (docs/editors.md)"
            yield Item("editors", WARNING, f"{name}: extension {newest}, this is assetdb {VERSION}", advice)
    if not found:
        yield Item("editors", OK, "no extension for VS Code is installed; other editors start `assetdb lsp`")


def _unity_package(root: str) -> Item:
    try:
        packages = locate_packages(root).packages
    except ScanError as error:
        return Item("editors", ERROR, f"Packages: {error}", "try again")
    for row in packages:
        if row.package.name == _UNITY_PACKAGE:
            if row.folder:
                return Item("editors", OK, f"Unity: {_UNITY_PACKAGE} in {row.folder}")
            advice = "open the project in Unity, or correct its line of Packages/manifest.json"
            return Item("editors", WARNING, f"Unity: the project names {_UNITY_PACKAGE}, which is not here", advice)
    return Item("editors", OK, f"Unity: the project does not use {_UNITY_PACKAGE}")


def _extension_versions(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    versions = [name.removeprefix(_EXTENSION).partition("-")[0] for name in names if name.startswith(_EXTENSION)]
    return sorted(versions, key=lambda version: [part.rjust(8) for part in version.split(".")])


# --- speed


def examine_speed(settings: Settings) -> Iterator[Item]:
    """Yield the lines about the time that following a project takes."""
    kind = remote_kind(read_mounts(), os.fsencode(settings.root))
    if kind:
        advice = "keep the project on a disk of this machine"
        yield Item("speed", WARNING, f"the project is on {kind}, where changes are found by scanning all files", advice)
    if settings.check_stat != DEFAULT:
        yield Item("speed", OK, f"check-stat is {settings.check_stat!r}: files are compared by that alone")
    if settings.follow_links:
        advice = "leave follow-links off, unless assets are behind such links"
        yield Item("speed", WARNING, "links out of the project are followed, and scanned each time", advice)
