"""``assetdb mv``."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from assetdb.checks.mending.emptied import with_emptied
from assetdb.checks.mending.moving import (
    has_meta,
    may_be_found_by_name,
    moved_scenes,
    plan_moves,
    target_path,
)
from assetdb.checks.mending.paths import hidden_part
from assetdb.checks.mending.users import line_of
from assetdb.cli.arguments import SnapshotOptions
from assetdb.cli.asking import opened
from assetdb.cli.changing import asset_paths, carry_out, place_of, print_removed, reporting, say_emptied
from assetdb.cli.fields import fields_of
from assetdb.cli.terminal import print_json, print_json_lines, printable, say, say_first
from assetdb.errors import UsageError
from assetdb.query.graph.users import cut_by
from assetdb.settings.project import META
from assetdb.unity.settings.build_settings import PATH as BUILD_SETTINGS

if TYPE_CHECKING:
    from assetdb.checks.mending.moving import MovedScenes
    from assetdb.checks.mending.plan import Move
    from assetdb.cli.options import Annotated, Argument, DryRun, Json, TrustJournal

_FEWEST = 2


class MvOptions(SnapshotOptions):
    """The options of ``assetdb mv``."""

    json: Json = False
    dry_run: DryRun = False
    trust_journal: TrustJournal = False


def mv(
    options: MvOptions,
    paths: Annotated[
        list[str],
        Argument(metavar="SOURCE... TARGET", help="Files or folders, then the target folder or the new name."),
    ],
) -> int:
    """Move or rename assets with their metas; references by GUID stay whole."""
    if len(paths) < _FEWEST:
        raise UsageError("mv: name the files to move, and the target")
    *words, last = paths
    root, folder = place_of(options, words, dry_run=options.dry_run, trust_journal=options.trust_journal)
    plan = plan_moves(root, asset_paths(root, words), target_path(root, last))
    moves = [move for move in plan.moves if not move.source.endswith(META)]
    scenes = moved_scenes(root, moves)
    plan = plan._replace(edits=scenes.edits)
    metas = {move.source.removesuffix(META) for move in plan.moves if move.source.endswith(META)}
    _say_cut(options, root, moves)
    options.project = root
    with ExitStack() as stack:
        emptied = with_emptied(root, plan, lambda: stack.enter_context(closing(opened(options))))
    is_whole = carry_out(emptied.plan, root, folder, dry_run=options.dry_run, as_json=options.json)
    with reporting():
        for move in moves:
            if options.json:
                print_json({"from": move.source, "to": move.target, "meta": move.source in metas})
            elif not options.dry_run:
                print(printable(f"{move.source} -> {move.target}"))
            if not options.quiet:
                _say(root, move, with_meta=move.source in metas)
        _say_scenes(scenes, options)
        print_removed(emptied.removed, dry_run=options.dry_run, as_json=options.json)
        if not options.quiet:
            say_emptied(emptied)
    return 0 if is_whole else 1


def _say_scenes(scenes: MovedScenes, options: MvOptions) -> None:
    """Print the scenes of the build settings that get another path."""
    is_written = bool(scenes.edits)
    for number, old, new in scenes.rows:
        if options.json:
            print_json({"path": BUILD_SETTINGS, "scene": number, "from": old, "to": new, "written": is_written})
        if not options.quiet:
            done = "gets its new path there" if is_written else "keeps its old path there until the editor saves them"
            say(f"{new} is scene {number} of the build settings, and {done} ({BUILD_SETTINGS})")


def _say_cut(options: MvOptions, root: str, moves: list[Move]) -> None:
    """Print the references by name that the moves end, before they do."""
    if (options.quiet and not options.json) or not any(may_be_found_by_name(root, move.source) for move in moves):
        return
    options.project = root
    with closing(opened(options)) as project:
        users = cut_by(project, {move.source: move.target for move in moves})
    if options.json:
        print_json_lines(fields_of(user, target="refers_to") for user in users)
    if users and not options.quiet:
        say("found by name, and not any more after the move (assign the materials in the models' import settings):")
        say_first(list(map(line_of, users)), "and {:,} more", every=options.verbose)


def _say(root: str, move: Move, *, with_meta: bool) -> None:
    """Print consequences of a move in Unity, on stderr."""
    notes = []
    hidden_before, hidden_after = hidden_part(move.source), hidden_part(move.target)
    if hidden_after and not hidden_before:
        hidden = (
            f"Unity does not see {hidden_after}: what refers to {move.target} is broken until it is moved out of there"
        )
        notes.append(hidden)
    elif hidden_before and not hidden_after:
        notes.append(f"{move.target} was not seen by Unity in {hidden_before}, and is from now on")
    notes += [] if hidden_before or hidden_after else _of_special_folders(move)
    if not with_meta and not hidden_after:
        notes.append(f"{move.source} had no meta (`assetdb register {move.target}` writes one)")
    above = move.target.rpartition("/")[0]
    if (
        above.count("/") > (1 if above.startswith("Packages/") else 0)
        and not hidden_after
        and not has_meta(root, above)
    ):
        notes.append(f"{above} has no meta (`assetdb register {above}` writes one)")
    for note in notes:
        say(note)


def _of_special_folders(move: Move) -> list[str]:
    """Return consequences of ``Resources`` and ``Editor`` above a path."""
    notes = []
    loaded_before, loaded_after = _loaded_as(move.source), _loaded_as(move.target)
    if loaded_before != loaded_after and loaded_after:
        scope = "the editor's scripts" if "/Editor/" in move.target else "every build has it, and scripts"
        instead = f" instead of {loaded_before}" if loaded_before else ""
        notes.append(f"{move.target} is in Resources: {scope} load it as {loaded_after}{instead}")
    elif loaded_before and not loaded_after:
        notes.append(
            f"{move.target} is in no Resources folder any more: Resources.Load({loaded_before}) does not find it"
        )
    was_editor, is_editor = ("Editor" in path.split("/")[:-1] for path in (move.source, move.target))
    if was_editor != is_editor:
        where = "below Editor" if is_editor else "below no Editor folder any more"
        notes.append(f"{move.target} is {where}: scripts without an assembly definition change their assembly")
    return notes


def _loaded_as(path: str) -> str:
    """Return the quoted name by which scripts load a path, or ``""``."""
    folder, found, name = f"/{path}".rpartition("/Resources/")
    return f'"{name.rpartition(".")[0] or name}"' if found and folder else ""
