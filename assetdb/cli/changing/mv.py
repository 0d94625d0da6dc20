"""``assetdb mv``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.mending.moving import has_meta, plan_moves, target_path
from assetdb.checks.mending.paths import hidden_part
from assetdb.cli.arguments import DatabaseOptions
from assetdb.cli.changing import asset_paths, carry_out, place_of, reporting
from assetdb.cli.terminal import print_json, printable, say
from assetdb.errors import UsageError
from assetdb.settings.project import META

if TYPE_CHECKING:
    from assetdb.checks.mending.plan import Move
    from assetdb.cli.options import Annotated, Argument, DryRun, Json

_FEWEST = 2


class MvOptions(DatabaseOptions):
    """The options of ``assetdb mv``."""

    json: Json = False
    dry_run: DryRun = False


def mv(
    options: MvOptions,
    paths: Annotated[
        list[str],
        Argument(metavar="SOURCE... TARGET", help="Files or folders, then the target folder or the new name."),
    ],
) -> int:
    """Move or rename assets with their metas; references stay whole."""
    if len(paths) < _FEWEST:
        raise UsageError("mv: name the files to move, and the target")
    *words, last = paths
    root, folder = place_of(options, words, dry_run=options.dry_run)
    plan = plan_moves(root, asset_paths(root, words), target_path(root, last))
    moves = [move for move in plan.moves if not move.source.endswith(META)]
    metas = {move.source.removesuffix(META) for move in plan.moves if move.source.endswith(META)}
    is_whole = carry_out(plan, root, folder, dry_run=options.dry_run, as_json=options.json)
    with reporting():
        for move in moves:
            if options.json:
                print_json({"from": move.source, "to": move.target, "meta": move.source in metas})
            elif not options.dry_run:
                print(printable(f"{move.source} -> {move.target}"))
            if not options.quiet:
                _say(root, move, with_meta=move.source in metas)
    return 0 if is_whole else 1


def _say(root: str, move: Move, *, with_meta: bool) -> None:
    """Print consequences of a move in Unity, on stderr."""
    notes = []
    was, now = hidden_part(move.source), hidden_part(move.target)
    if now and not was:
        notes.append(f"Unity does not see {now}: what refers to {move.target} is broken until it is moved out of there")
    elif was and not now:
        notes.append(f"{move.target} was not seen by Unity in {was}, and is from now on")
    if not with_meta and not now:
        notes.append(f"{move.source} had no meta (`assetdb register {move.target}` writes one)")
    above = move.target.rpartition("/")[0]
    if above.count("/") > (1 if above.startswith("Packages/") else 0) and not now and not has_meta(root, above):
        notes.append(f"{above} has no meta (`assetdb register {above}` writes one)")
    for note in notes:
        say(note)
