"""``assetdb merge``, which git runs for each file that both sides changed."""

from __future__ import annotations

import os
import sys

from assetdb.errors import FileError, UsageError
from assetdb.settings.merging import sides_of
from assetdb.settings.project import CONFIGURATION_NAME
from assetdb.system.reading import read_small
from assetdb.unity.merging.envelope import LARGEST, UnmergeableError, write_version
from assetdb.unity.merging.files import merge_files
from assetdb.unity.merging.markers import SIZE, marked
from assetdb_formats.atomic import rewrite_file

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import JsonOptions
    from assetdb.unity.merging.files import Merged
    from assetdb.unity.merging.names import Names


def merge(
    options: JsonOptions,
    versions: list[str],
    *,
    output: str | None = None,
    path: str | None = None,
    marker_size: int | None = None,
    diff3: bool = False,
    explain: bool = False,
    tool: str | None = None,
) -> int:
    """Merge three versions of an asset or meta by object.

    Exits 0 if everything is merged, 1 if values are open (git's markers are around them), and 2 if the files are not
    merged by object: then nothing is written.
    """
    if len(versions) != 3:
        raise UsageError("three files are merged: BASE OURS THEIRS")
    base, ours, theirs = (read_small(version, LARGEST) for version in versions)
    shown = path or versions[1]
    both_changed = base not in (ours, theirs) and ours != theirs
    side = sides_of(path) if path is not None and both_changed else ""
    made = _made_by(tool, options, shown, (base, ours, theirs)) if tool and both_changed and not side else None
    if side:
        data, merged = (ours if side == "ours" else theirs), None
    elif made is not None:
        data, merged = made, None
    else:
        try:
            merged = merge_files(base, ours, theirs)
        except UnmergeableError as error:
            raise FileError(f"{shown}: {error.what}: not merged") from error
        data = write_version(merged.written, marked(merged.pieces, size=marker_size or SIZE, with_base=diff3))
    if output is not None:
        rewrite_file(os.path.realpath(output), [data])
    elif not options.json:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    if merged is None:
        if explain:
            _say(options, [(CONFIGURATION_NAME, f"takes {side} of {shown}") if side else ("merged by", str(tool))])
        return 0
    conflicts = merged.conflicts
    if conflicts or explain:
        from assetdb.unity.merging.names import Names  # noqa: PLC0415 - nobody asks about most merges

        _report(options, merged, Names((ours, theirs, base)), shown, explain=explain)
    return 1 if conflicts else 0


def _made_by(tool: str, options: JsonOptions, shown: str, versions: tuple[bytes, bytes, bytes]) -> bytes | None:
    """Return the result of another program, None without a usable one."""
    from assetdb.history.merges.tool import merged_by  # noqa: PLC0415 - few projects use one
    from assetdb.system.escaping import printable  # noqa: PLC0415 - of names from files

    try:
        return merged_by(tool, shown, *versions)
    except FileError as error:
        if not options.quiet:
            print(f"{printable(shown)}: {printable(tool)} {error}: assetdb merges it", file=sys.stderr)
        return None


def _report(options: JsonOptions, merged: Merged, names: Names, shown: str, *, explain: bool) -> None:
    if options.json:
        from assetdb.cli.terminal import print_json  # noqa: PLC0415 - as below
        from assetdb.history.merges.rows import conflict_row, step_row  # noqa: PLC0415 - git reads no JSON

        for number, conflict in enumerate(merged.conflicts, 1):
            print_json(conflict_row(shown, number, conflict, names))
        for step in merged.steps if explain else ():
            print_json(step_row(shown, step, names))
        return
    if explain:
        _say(
            options,
            [(step.rule, f"{names.of_object(step.file_id)} {'.'.join(step.place[1:])}") for step in merged.steps],
        )
    if not options.quiet:
        from assetdb.system.escaping import printable  # noqa: PLC0415 - of names from files

        for conflict in merged.conflicts:
            print(f"{printable(shown)}: {printable(names.line(conflict))}", file=sys.stderr)


def _say(options: JsonOptions, rows: list[tuple[str, str]]) -> None:
    """Print how values were decided."""
    if options.json:
        return
    from assetdb.system.escaping import printable  # noqa: PLC0415 - of names from files

    for rule, what in rows:
        print(f"{rule}: {printable(what.strip())}", file=sys.stderr)
