"""One bake: scan the project, write the files, report the outcome."""

from __future__ import annotations

import errno
import os
import time

from assetdb.diagnostics import NOT_SHARED, Diagnostic
from assetdb.errors import BakeError
from assetdb.settings.effective import read_settings
from assetdb.settings.project import find_project
from assetdb.workspace.workspace import MANY_ASSETS, Options, Workspace
from assetdb_formats.processes import Uncollected
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.workspace.contested import ContestedName
    from assetdb.workspace.workspace import Listing, Update

_LOCK_TIMEOUT: Final = 120.0


class Timing(NamedTuple):
    """Seconds that each part of a bake took."""

    walk: float
    read: float
    names: float
    write: float


class BakeResult(NamedTuple):
    """The result of a bake.

    Attributes:
        project: absolute path.
        database: absolute path of the ``asset-db.bin``.
        asset_count: how many entries it has.
        files_read: how many metas and assets had to be opened.
        written: whether the database was replaced (with ``check``: would have been).
        unchanged: whether nothing at all had changed, so that nothing was written.
        diagnostics: everything found, in a stable order.
        timing: where the time went.
        difference: with ``check``, the lines that a replacement would change.
        contested: with ``verbose_collisions``, contested names and their claimants.
        unsaved: for a question, database and index where the files are outdated and cannot be written, else None.
    """

    project: str
    database: str
    asset_count: int
    files_read: int
    written: bool
    unchanged: bool
    diagnostics: tuple[Diagnostic, ...]
    timing: Timing
    difference: tuple[str, ...] = ()
    contested: tuple[ContestedName, ...] = ()
    unsaved: tuple[bytes, bytes] | None = None


class _Job(NamedTuple):
    """The parameters of a bake that are not for reading.

    Attributes:
        continue_on_error: whether the rest is baked where the database would be ambiguous.
        check: whether nothing is written.
        question: whether it is for a question; then shared names are no error.
        on_warning: called with every diagnostic.
        on_listing: called with the directories found.
    """

    continue_on_error: bool
    check: bool
    question: bool = False
    on_warning: Callable[[Diagnostic], None] | None = None
    on_listing: Callable[[Listing], None] | None = None


def look(
    project: str,
    out_dir: str | None = None,
    *,
    may_change_directory: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
    on_listing: Callable[[Listing], None] | None = None,
) -> BakeResult:
    """Bring a project's database up to date for a question.

    Assets that share a GUID are no error here. Names follow the options of the last bake. If the files cannot be
    written (a read-only disk, or another program has them open), the result has what they should contain.
    ``on_listing`` is called with the directories found, while no other process can replace the files: whoever opens
    them later may find files of another version. :func:`bake` describes the other parameters.

    Raises:
        AssetdbError, OSError: as :func:`bake`.
    """
    options = Options(as_before=True, early_cache=True, may_change_directory=may_change_directory)

    def prepared(*, check: bool) -> tuple[Workspace, _Job]:
        workspace = Workspace(
            os.path.abspath(project),
            lambda: read_settings(project, out_dir),
            options._replace(read_only=check),
            on_progress=on_progress,
        )
        return workspace, _Job(continue_on_error=True, check=check, question=True, on_listing=on_listing)

    with Uncollected(is_last=True):
        try:
            return _run(*prepared(check=False), on_wait)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            return _run(*prepared(check=True), on_wait)


def bake(
    project: str | os.PathLike[str] | None = None,
    out_dir: str | os.PathLike[str] | None = None,
    *,
    keep_going: bool = False,
    strict_names: bool = False,
    scrub_characters: str = "",
    follow_links: bool = False,
    check: bool = False,
    workers: int | None = None,
    may_change_directory: bool = False,
    sanitize: Callable[[str], str | None] | None = None,
    on_warning: Callable[[Diagnostic], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
    many_assets: int = MANY_ASSETS,
    verbose_collisions: bool = False,
) -> BakeResult:
    """Bring a project's database up to date, printing nothing.

    Args:
        project: the project's root; by default the working directory or the nearest parent that is one.
        out_dir: where the files go, by default as in ``assetdb.toml``, else ``Library/assetdb``.
        keep_going: bake the rest if assets share a GUID, instead of failing.
        strict_names: fail if directories do not distinguish the claimants of a name.
        scrub_characters: replaced by ``_`` in every name.
        follow_links: also follow links that lead out of the project.
        check: write nothing, and return the changes that would be made.
        workers: how many processes may read at once; by default one a processor, at most 8.
        may_change_directory: whether the bake may ``chdir`` while it runs (5 % faster; back at the end).
        sanitize: called with every name before the rule is applied; returns a new one, or None to keep it.
        on_warning: called with every diagnostic.
        on_progress: called periodically with the assets done and found so far.
        on_wait: called with the holder of the lock after a second of waiting.
        many_assets: number of assets from which another process makes the graph and the cache, if there may be two.
        verbose_collisions: also return contested names and their claimants (not of changes that ``check`` found).

    Raises:
        ProjectError: there is no project, the output folder cannot be made or is another project's, or its lock file
            is not a regular file.
        ConfigurationError: ``assetdb.toml`` is wrong.
        BakeError: the database would be ambiguous (and ``keep_going`` is off), or ``strict_names`` forbids a name.
        LockedError: another bake of the same files does not end.
        OSError: the files cannot be written; the last good ones are kept.
    """
    options = Options(
        read_only=check, workers=workers, may_change_directory=may_change_directory, many_assets=many_assets
    )
    root = find_project(os.fspath(project) if project is not None else None)
    workspace = Workspace(
        root,
        lambda: read_settings(
            root, out_dir, scrub_characters=scrub_characters, strict_names=strict_names, follow_links=follow_links
        ),
        options,
        sanitize=sanitize,
        on_progress=on_progress,
    )
    result = _run(workspace, _Job(continue_on_error=keep_going, check=check, on_warning=on_warning), on_wait)
    if verbose_collisions and not (check and result.written):
        from assetdb.workspace.contested import contested_in  # noqa: PLC0415 - only with that option

        result = result._replace(contested=contested_in(result.database))
    return result


def _run(workspace: Workspace, job: _Job, on_wait: Callable[[str], None] | None) -> BakeResult:
    try:
        if job.check:
            return _bake(workspace, job, [])
        workspace.output.make_folder()
        with workspace.output.locked(_LOCK_TIMEOUT, on_wait) as lock:
            notices = []
            if lock.problem:
                message = f"the system cannot lock it ({lock.problem}): a file beside it keeps bakes apart"
                notices.append(Diagnostic("no-file-locks", lock.path, 0, message))
            return _bake(workspace, job, notices)
    finally:
        workspace.close()


def _bake(workspace: Workspace, job: _Job, notices: list[Diagnostic]) -> BakeResult:
    """Bring everything up to date under the lock; ``notices`` are this run's."""
    started = time.perf_counter()
    update = workspace.refresh()
    _refuse_ambiguous(workspace, job)
    _refuse_shared_names(workspace, job)
    named = time.perf_counter()
    written = False
    difference: tuple[str, ...] = ()
    unsaved = None
    if not job.check:
        written = workspace.save()
        if workspace.record.problem is not None:
            from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

            reason = words_of(workspace.record.problem)
            message = f"cannot be written ({reason}): the next bake may read everything again"
            notices.append(Diagnostic("cache-not-written", workspace.output.cache, 0, message))
        notices += [Diagnostic(NOT_SHARED, path, 0, message) for path, message in workspace.record.shared_problems]
    elif not update.unchanged:  # questions need the references as well
        written, difference = workspace.difference(of_index=job.question)
        if written and job.question:
            unsaved = workspace.contents()
    timing = _timing(update, started, named)
    if not job.check:
        workspace.read_packages()
    diagnostics = tuple(sorted([*workspace.diagnostics, *notices]))
    if job.on_listing is not None:
        job.on_listing(workspace.listing())
    if job.on_warning is not None:
        for diagnostic in diagnostics:
            job.on_warning(diagnostic)
    return BakeResult(
        workspace.root,
        workspace.output.database,
        workspace.asset_count,
        update.files_read,
        written,
        update.unchanged,
        diagnostics,
        timing,
        difference,
        unsaved=unsaved,
    )


def _refuse_ambiguous(workspace: Workspace, job: _Job) -> None:
    if job.continue_on_error:
        return
    problems = workspace.problems
    fatal = [problem for problem in problems if problem.fatal]
    if fatal:
        from assetdb.workspace.updates import referrers  # noqa: PLC0415 - only where a bake fails

        raise BakeError(
            f"{len(fatal)} problem{'s' if len(fatal) > 1 else ''} would make the database ambiguous"
            " (--keep-going bakes the rest)",
            sorted(problems),
            workspace.root,
            lambda guid: referrers(workspace.complete_directories(), bytes.fromhex(guid)),
        )


def _refuse_shared_names(workspace: Workspace, job: _Job) -> None:
    """With ``strict_names``, fail where only the file name can tell claimants apart."""
    if not workspace.settings.strict_names or job.question:
        return
    shared = workspace.shared_names()
    if shared:
        problems = sorted(problem for problems in shared for problem in problems)
        raise BakeError(f"{len(shared)} names that folders cannot tell apart", problems)


def _timing(update: Update, started: float, named: float) -> Timing:
    walk = min(update.walk_seconds, update.scan_seconds)
    names = named - started - update.scan_seconds
    return Timing(walk, update.scan_seconds - walk, names, time.perf_counter() - named)
