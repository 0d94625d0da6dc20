"""One-time setup of git: named diffs, and hooks that check.

The user's own settings are kept: an existing setting, attribute or hook is left and reported. Removal restores the
files byte for byte.
"""

from __future__ import annotations

import os
import shlex
import stat
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError
from assetdb.history.configuration import merge_driver
from assetdb.history.configuration.attributes import LARGEST, NAME, UNSET, UNSPECIFIED, Line, deciding_line, states
from assetdb.history.configuration.blocks import block_lines, with_block, without_block
from assetdb.history.git.repository import Repository
from assetdb.settings.project import is_part
from assetdb.system.reading import read_small
from assetdb.unity.kinds import DOCUMENTS, extensions_with
from assetdb_formats.atomic import replace_file, rewrite_file
from assetdb_formats.files import relative_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

DRIVER: Final = "unity"
_KEY: Final = f"diff.{DRIVER}.textconv"
_MARK: Final = b"# Written by `assetdb git-setup`; `assetdb git-setup --remove` takes it away.\n"
_LOCKED: Final = "assetdb git-setup "
_COMMAND_LINE: Final = "command"
_HIDING: Final = (UNSET, "lfs")
"""Values of ``diff`` that hide changes of a text: ``binary`` unsets it, ``git lfs track`` writes its own."""
_SAMPLE: Final = "Assets/x."
"""Prefix of a path for asking git about an extension; the file need not exist."""
_MERGE: Final = f" {merge_driver.ATTRIBUTE}={merge_driver.DRIVER}"
_OF_ALL: Final = ("global", "system", "unknown")

ADDED: Final = "added"
MISSING: Final = "missing"
THERE: Final = "is there"
REMOVED: Final = "removed"
LEFT: Final = "left"


class Hook(NamedTuple):
    """A hook of git that runs a check.

    Attributes:
        name: of its file.
        unchecked: the subject of the message where assetdb is not on PATH.
        command: of the check; its exit code is the hook's.
    """

    name: str
    unchecked: str
    command: str


COMMIT: Final = Hook("pre-commit", "what is staged", "assetdb check --staged")
MERGE: Final = Hook("post-merge", "the merge", "assetdb check --since ORIG_HEAD --exit-zero")
"""Only reports: git runs it after the merge."""
_HOOKS: Final = (COMMIT, MERGE)


class Step(NamedTuple):
    """One thing that was done, or not.

    Attributes:
        state: one of the words above.
        path: the file, relative to the folder of the repository where it is in that.
        what: the setting, attribute or hook.
        why: ``""``, or why it was left and what to do.
    """

    state: str
    path: str
    what: str
    why: str = ""


def set_up(
    root: str,
    *,
    hook: bool = True,
    merge_hook: bool = False,
    attributes: bool = False,
    merge: bool = False,
    tool: str = "",
    write: bool = True,
) -> Iterator[Step]:
    """Set up named git diffs, merges by object, and hooks that check.

    Yields each step when it is done, so that completed steps are known after an error.

    Args:
        root: the project, absolute.
        hook: whether commits are checked.
        merge_hook: whether merges are.
        attributes: whether git is to show names also where its attributes hide changes (``binary``, Git LFS).
        merge: whether git is to merge by object.
        tool: a program that merges first, ``""`` for none.
        write: whether to change anything; otherwise missing parts are steps in the state :data:`MISSING`.

    Raises:
        HistoryError: there is no repository, or another process changes its configuration.
        OSError: a file cannot be written.
    """
    repository = Repository(root)
    yield _add_textconv(repository, write=write)
    yield _add_attributes(repository, overrule=attributes, write=write)
    if merge:
        yield _add_driver(repository, tool, write=write)
        yield _add_merge_attributes(repository, write=write)
    if hook:
        yield _add_hook(repository, COMMIT, write=write)
    if merge_hook:
        yield _add_hook(repository, MERGE, write=write)


def take_away(root: str) -> Iterator[Step]:
    """Undo that, and yield each step when it is done.

    Raises:
        HistoryError: there is no repository, or another process changes its configuration.
        OSError: a file cannot be written.
    """
    repository = Repository(root)
    attributes = os.path.join(root, NAME)
    for path, lock, names in (
        (_config(repository), True, {f'[diff "{DRIVER}"]': _KEY, f'[merge "{merge_driver.DRIVER}"]': merge_driver.KEY}),
        (attributes, False, {f" diff={DRIVER}": f"diff={DRIVER}", _MERGE: _MERGE.strip()}),
    ):
        lines = os.fsdecode(b"\n".join(block_lines(_read(path) or b"")))
        if _without_lines(path, lock=lock):
            for mark, what in names.items():
                if mark in lines:
                    yield Step(REMOVED, _shown(repository, path), what)
    for folder, _ in _hook_folders(repository):
        for hook in _HOOKS:
            yield from _without_hook(repository, hook, folder)


def _without_hook(repository: Repository, hook: Hook, folder: str) -> Iterator[Step]:
    path = os.path.join(folder, hook.name)
    data = _read(path)
    if data is None or _MARK not in data:
        return
    shown, outside = _shown(repository, path), _outside(repository, folder)
    if outside:
        yield Step(LEFT, shown, hook.name, f"{outside}: remove it there by hand")
    elif data != _hook_text(repository, hook):
        yield Step(LEFT, shown, hook.name, "it was changed since: remove assetdb's part by hand")
    else:
        os.unlink(path)
        yield Step(REMOVED, shown, hook.name)


# --- names in diffs


def _config(repository: Repository) -> str:
    return os.path.join(repository.folder, "config")


def _textconv(repository: Repository) -> str:
    """Return the command that git runs in the work tree."""
    folder = repository.prefix.rstrip("/") or ("." if is_part(repository.root) else "")
    project = f" --project {shlex.quote(folder)}" if folder else ""
    return f"assetdb annotate --textconv{project} --"


def _add_textconv(repository: Repository, *, write: bool) -> Step:
    path, command = _config(repository), _textconv(repository)
    known = os.fsdecode(repository.output("config", "--get", _KEY, accept=(0, 1))).removesuffix("\n")
    shown = _shown(repository, path)
    if known:
        why = "" if known == command else f"it is {known!r}: left unchanged"
        return Step(LEFT if why else THERE, shown, _KEY, why)
    if "\n" in command:
        return Step(LEFT, shown, _KEY, "the name of the project's folder contains a line break")
    if not write:
        return Step(MISSING, shown, _KEY)
    value = command.replace("\\", "\\\\").replace('"', '\\"')
    _add_section(path, [f'[diff "{DRIVER}"]', f'\ttextconv = "{value}"'])
    return Step(ADDED, shown, _KEY)


def _add_attributes(repository: Repository, *, overrule: bool, write: bool) -> Step:
    """Set our diff driver for extensions without another one.

    With ``overrule`` also if another one hides it.
    """
    path = os.path.join(repository.root, NAME)
    shown = _shown(repository, path)
    what = f"diff={DRIVER}"
    if os.path.islink(path):
        return Step(LEFT, shown, what, "it is a link: add the lines to the file that it leads to")
    found = _states(repository)
    wanted = (UNSPECIFIED, *_HIDING) if overrule else (UNSPECIFIED,)
    missing = [extension for extension, state in found.items() if state in wanted]
    before = _read(path)
    if missing and write:
        lines = [f"*.{extension} {what}".encode() for extension in missing]

        def change(data: bytes | None) -> bytes:
            lines_of_all = sorted({*block_lines(data or b""), *lines})
            if overrule and data is not None:  # of two lines the last counts
                data = without_block(data)
            return with_block(data, lines_of_all)

        _changed(path, change, lock=False)
        if overrule:
            found = _states(repository)
    others = {extension: state for extension, state in found.items() if state not in (UNSPECIFIED, DRIVER)}
    why = _why_otherwise(repository, others, overrule=overrule)
    if missing and not write:
        return Step(MISSING, shown, what, why)
    return Step(ADDED if _read(path) != before else LEFT if why else THERE, shown, what, why)


def _states(repository: Repository) -> dict[str, str]:
    """Return git's attribute ``diff`` of each extension that can be annotated."""
    extensions = _as_spelt(repository, extensions_with(DOCUMENTS))
    return dict(zip(extensions, states(repository, [_SAMPLE + extension for extension in extensions]), strict=True))


def _as_spelt(repository: Repository, extensions: Iterable[str]) -> list[str]:
    """Return extensions, and those that files have in another case.

    For Unity ``Hall.UNITY`` is a scene, and for git ``*.unity`` is another pattern.
    """
    known = set(extensions)
    names = os.fsdecode(repository.output("ls-files", "-z")).split("\0")
    found = {name.rpartition(".")[2] for name in names}
    return sorted(known.union(extension for extension in found if extension.isascii() and extension.lower() in known))


def _why_otherwise(repository: Repository, others: Mapping[str, str], *, overrule: bool) -> str:
    """Return the lines that set other drivers, with advice, or ``""``."""
    hidden: dict[Line | None, list[str]] = {}
    own = []
    for extension, state in others.items():
        if state in _HIDING:
            hidden.setdefault(deciding_line(repository, _SAMPLE + extension, state), []).append(extension)
        else:
            own.append(f"*.{extension} ({state})")
    said = [f"git shows {', '.join(own)} with another diff driver: left unchanged"] if own else []
    if hidden:
        rows = [
            f"{_shown(repository, line.path)}:{line.number} `{line.text}`" if line else "your own git configuration"
            for line in sorted(hidden, key=lambda line: line or ("", 0, ""))
        ]
        extensions = ", ".join(f"*.{extension}" for found in hidden.values() for extension in found)
        todo = f"end these lines with diff={DRIVER}"
        todo += "" if overrule else ", or run `assetdb git-setup --attributes`, which adds lines below them"
        said.append(f"git hides the changes of {extensions}: {', '.join(rows)}: {todo}")
    return "; ".join(said)


# --- merges


def _add_section(path: str, lines: list[str]) -> None:
    """Add lines to ours in git's configuration."""
    encoded = [os.fsencode(line) for line in lines]
    _changed(path, lambda data: with_block(data, [*block_lines(data or b""), *encoded]), lock=True)


def _add_driver(repository: Repository, tool: str, *, write: bool) -> Step:
    """Add the merge drivers, unless the configuration has one of that name."""
    path = _config(repository)
    shown = _shown(repository, path)
    lines = merge_driver.sections(repository, tool)
    known = os.fsdecode(repository.output("config", "--get", merge_driver.KEY, accept=(0, 1))).removesuffix("\n")
    if known:
        options = merge_driver.options_of(known)
        is_wanted = options is not None and (not tool or merge_driver.tool_option(tool) in options)
        again = ": run `assetdb git-setup --remove` first" if options is not None else ": left unchanged"
        why = "" if is_wanted else f"it is {known!r}{again}"
        return Step(LEFT if why else THERE, shown, merge_driver.KEY, why)
    if not write:
        return Step(MISSING, shown, merge_driver.KEY)
    _add_section(path, lines)
    return Step(ADDED, shown, merge_driver.KEY)


def _add_merge_attributes(repository: Repository, *, write: bool) -> Step:
    """Set our merge drivers for extensions without another one."""
    path = os.path.join(repository.root, NAME)
    shown, what = _shown(repository, path), _MERGE.strip()
    if os.path.islink(path):
        return Step(LEFT, shown, what, "it is a link: add the lines to the file that it leads to")
    found = _merge_states(repository)
    wanted = {UNSPECIFIED: merge_driver.DRIVER, merge_driver.LFS: merge_driver.LFS_DRIVER}
    lines = [
        f"*.{name} {merge_driver.ATTRIBUTE}={wanted[state]}".encode()
        for name, state in found.items()
        if state in wanted
    ]
    if lines and write:
        _changed(path, lambda data: with_block(data, sorted({*block_lines(data or b""), *lines})), lock=False)
        found = _merge_states(repository)
    elif lines:
        found = {name: wanted.get(state, state) for name, state in found.items()}
    own = (merge_driver.DRIVER, merge_driver.LFS_DRIVER)
    others = ", ".join(f"*.{name} ({state})" for name, state in found.items() if state not in (*own, UNSPECIFIED))
    why = f"git merges {others} in another way: left unchanged" if others else ""
    if lines:
        return Step(ADDED if write else MISSING, shown, what, why)
    return Step(LEFT if why else THERE, shown, what, why)


def _merge_states(repository: Repository) -> dict[str, str]:
    names = _as_spelt(repository, merge_driver.extensions())
    paths = [_SAMPLE + name for name in names]
    return dict(zip(names, states(repository, paths, merge_driver.ATTRIBUTE), strict=True))


# --- hooks


def _hook_text(repository: Repository, hook: Hook) -> bytes:
    folder = repository.prefix.rstrip("/") or ("." if is_part(repository.root) else "")
    project = f" --project {shlex.quote(folder)}" if folder else ""
    return (
        b"#!/bin/sh\n"
        + _MARK
        + b"if ! command -v assetdb >/dev/null 2>&1; then\n"
        + f'    echo "assetdb is not on PATH: {hook.unchecked} was not checked" >&2\n'.encode()
        + b"    exit 0\nfi\n"
        + os.fsencode(f"exec {hook.command}{project}\n")
    )


def _hook_folders(repository: Repository) -> list[tuple[str, bool]]:
    """Return git's hook folder, and whether all repositories share it."""
    words = ("config", "-z", "--show-scope", "--path", "--get-all", "core.hooksPath")
    fields = repository.output(*words, accept=(0, 1)).split(b"\0")
    rows = zip(fields[::2], fields[1::2], strict=False)
    settings = [(scope, path) for scope, path in rows if scope != _COMMAND_LINE.encode()]
    if not settings:
        return [(os.path.join(repository.folder, "hooks"), False)]
    scope, path = settings[-1]
    return [(os.path.join(repository.top, os.fsdecode(path)), scope.decode() in _OF_ALL)]


def _add_hook(repository: Repository, hook: Hook, *, write: bool) -> Step:
    ((folder, of_all),) = _hook_folders(repository)
    path = os.path.join(folder, hook.name)
    shown = _shown(repository, path)
    line = (
        _hook_text(repository, hook).decode("utf-8", "replace").rstrip("\n").rpartition("\n")[2].removeprefix("exec ")
    )
    data = _read(path)
    if data == _hook_text(repository, hook):
        return Step(THERE, shown, hook.name)
    if data is not None or os.path.lexists(path):
        return Step(LEFT, shown, hook.name, f"there is a hook: add the line `{line}` to it")
    if of_all:
        why = f"core.hooksPath applies to all your repositories: add `{line}` there, or use pre-commit"
        return Step(LEFT, shown, hook.name, why)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        return Step(LEFT, shown, hook.name, "core.hooksPath is not a folder: git runs no hooks here")
    outside = _outside(repository, folder)
    if outside:
        return Step(LEFT, shown, hook.name, f"{outside}: add the line `{line}` there, or use pre-commit")
    if not write:
        return Step(MISSING, shown, hook.name)
    os.makedirs(folder, exist_ok=True)
    replace_file(path, [_hook_text(repository, hook)], mode=0o755)  # git runs only executable hooks
    return Step(ADDED, shown, hook.name)


def _outside(repository: Repository, folder: str) -> str:
    """Return why the hook folder is not the repository's, or ``""``.

    A cloned repository may contain a linked folder, or its configuration may name any.
    """
    real = os.path.join(os.path.realpath(folder), "")
    if any(real.startswith(os.path.join(os.path.realpath(own), "")) for own in (repository.top, repository.folder)):
        return ""
    how = "is a link" if os.path.islink(folder) else "of core.hooksPath"
    return f"the folder {how}, and leads out of the repository, to {os.path.realpath(folder)}"


# --- files


def _shown(repository: Repository, path: str) -> str:
    relative = relative_path(path, repository.top)
    is_outside = relative.startswith(os.pardir) or os.path.isabs(relative)
    return path if is_outside else relative.replace(os.sep, "/")


def _read(path: str) -> bytes | None:
    try:
        return read_small(path, LARGEST)
    except FileNotFoundError:
        return None


def _without_lines(path: str, *, lock: bool = False) -> bool:
    """Take our lines out of a file; return whether there were any."""
    data = _read(path)
    if data is None or os.path.islink(path) or without_block(data) == data:
        return False
    _changed(path, lambda data: without_block(data) if data is not None else None, lock=lock)
    return True


def _lock(held: str) -> None:
    """Create the lock file that git takes for its configuration.

    It is a dangling link, created atomically, whose target names the process that holds it. (On Windows few users may
    create links; there it is an empty file.)

    Raises:
        HistoryError: another process has it.
    """
    for is_second in (False, True):
        try:
            if sys.platform == "win32":
                os.close(os.open(held, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            else:
                os.symlink(f"{_LOCKED}{os.getpid()}", held)
        except FileExistsError as error:
            if is_second or not _is_abandoned(held):
                said = "another git process is changing the configuration, or was killed: try again, or remove it"
                raise HistoryError(f"{held} is there: {said}") from error
            os.unlink(held)
        else:
            return


def _is_abandoned(held: str) -> bool:
    """Whether a lock file is ours, of a process that is gone."""
    if os.name == "nt" or not os.path.islink(held):
        return False
    said = os.readlink(held)
    digits = said.removeprefix(_LOCKED)
    if digits == said or not digits.isdecimal():
        return False
    try:
        os.kill(int(digits), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # another user's
        return False
    return False


def _changed(path: str, change: Callable[[bytes | None], bytes | None], *, lock: bool) -> None:
    """Replace a file by a change's result, with git's lock if asked."""
    held = f"{path}.lock"
    if lock:
        _lock(held)
    try:
        made = change(_read(path))
        if made is not None:
            rewrite_file(path, [made])
        elif stat.S_ISREG(os.lstat(path).st_mode):
            os.unlink(path)
    finally:
        if lock:
            os.unlink(held)
