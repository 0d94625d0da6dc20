"""``assetdb diff``."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from assetdb.checks.changes.differences import as_json, as_markdown, as_text
from assetdb.cli.arguments import SnapshotOptions
from assetdb.cli.asking import opened
from assetdb.cli.history.revision import say_absent
from assetdb.cli.terminal import print_indented, print_json_lines
from assetdb.errors import UsageError
from assetdb.query.compared_files import NO_FILE, ComparedFiles
from assetdb.query.differences import Comparison, compared_projects, compared_revisions, within
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import asset_file, project_above
from assetdb_formats.files import relative_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Literal

_LARGEST_COMMENT: Final = 40_000  # beside a check's report in one comment on GitHub, of at most 65,536 characters


class DiffOptions(SnapshotOptions):
    """The options of ``assetdb diff``."""

    json: bool = False
    fetch: bool = False
    inside: list[str] | None = None
    format: Literal["text", "json", "markdown"] = "text"
    exit_code: bool = False


def diff(options: DiffOptions, sides: list[str] | None = None) -> int:
    """Show changes: assets, objects, values, references."""
    if options.json and options.format == "markdown":
        raise UsageError("diff: --json and --format markdown cannot be combined")
    with _compared(options, sides or []) as found:
        if options.json or options.format == "json":
            print_json_lines(as_json(found))
        elif options.format == "markdown":
            print(as_markdown(found, _LARGEST_COMMENT))
        else:
            for line in as_text(found, every=options.verbose):
                print_indented(line)
        if found.absent and not options.quiet:
            say_absent(found.absent, is_sure=True, is_whole=options.verbose, is_fetched=options.fetch)
        return 1 if options.exit_code and found.assets else 0


def _is_file(path: str) -> bool:
    return path in NO_FILE or (os.path.exists(path) and not os.path.isdir(path))


def _within(found: Comparison, options: DiffOptions) -> Comparison:
    return within(found, [_place(word, found, options.cwd) for word in options.inside or ()])


def _place(word: str, compared: Comparison, cwd: str) -> str:
    """Return a path relative to the project; raise UsageError if absent."""
    here = relative_path(os.path.abspath(os.path.join(cwd, word)), compared.new.root)
    for path in (here, os.path.normpath(word)):
        roots = (compared.old.root, compared.new.root)
        if path.startswith(os.pardir) or os.path.isabs(path):  # out of the project
            continue
        if any(os.path.lexists(asset_file(root, path)) for root in roots):
            return path.replace(os.sep, "/")
    raise UsageError(f"diff: --in {word}: neither side has a file or folder of this name")


@contextmanager
def _compared(options: DiffOptions, words: Sequence[str]) -> Iterator[Comparison | ComparedFiles]:
    """Open the two sides; raise UsageError if the words name none."""
    if len(words) > 2 or "" in words:  # a variable that a script never set is not HEAD
        raise UsageError("diff: name one revision (not an empty one), A..B, two project folders, or two files")
    if len(words) == 2 and all(map(os.path.isdir, words)):
        old, new = (open_project(word, may_change_directory=False) for word in words)
        try:
            yield _within(compared_projects(old, new), options)
        finally:
            old.close()
            new.close()
        return
    are_files = len(words) == 2 and all(map(_is_file, words))
    if are_files and options.inside:
        raise UsageError("diff: --in cannot be combined with two files")
    if are_files and not options.project:  # git difftool runs it in the top folder of the repository
        options.project = next(filter(None, map(project_above, reversed(words))), None)
    project = opened(options)
    try:
        if are_files:
            yield ComparedFiles(project, *words)
        else:
            with compared_revisions(project, "..".join(words) or "HEAD", fetch=options.fetch) as found:
                yield _within(found, options)
        sys.stdout.flush()
    finally:
        project.close()
