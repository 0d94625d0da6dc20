"""Tools that change files, each after a dry run.

The first call returns what would be done, and a token; the same call with that token does it. The token is a digest of
the changes and of the files that they concern. The plan is made again when the token is used, and nothing is done if it
differs. New GUIDs are as in the dry run.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.checks.counting import counted
from assetdb.checks.findings.paths import project_paths
from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.emptied import removal_note, with_emptied
from assetdb.checks.mending.fixes import plan_fixes
from assetdb.checks.mending.moving import plan_moves, plan_registration, plan_removal, target_path
from assetdb.checks.mending.users import line_of, lines_of
from assetdb.checks.mending.writing.apply import apply
from assetdb.history.git.repository import Repository
from assetdb.history.merges.open_files import ANSWERS, TYPED, answers_by, find_open, is_answer, settle
from assetdb.mcp.answers import ToolError, findings_of
from assetdb.mcp.declarations import CONFIRMATION
from assetdb.mcp.paging import Answer
from assetdb.query.completeness import besides, unseen_note
from assetdb.query.graph.users import cut_by, users_of
from assetdb.settings.output_folder import output_folder
from assetdb.settings.project import asset_file
from assetdb.system.json_text import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from assetdb.checks.mending.plan import Plan
    from assetdb.client.engine import Engine

    Arguments = Mapping[str, Any]

_MOST_PLANS: Final = 16
_MOST_FILES: Final = 100_000


class Planned(NamedTuple):
    """The plan of a call that changes files.

    Attributes:
        plan: the changes.
        refusal: why they are not made, ``""`` if they may be.
        rows: lines with more than the diff of the plan.
        state: what else the plan depends on: files in folders that are removed, with their sizes and times.
    """

    plan: Plan
    refusal: str = ""
    rows: tuple[str, ...] = ()
    state: tuple[str, ...] = ()


class Changes:
    """The tools that change files, and the plans of their dry runs."""

    def __init__(self) -> None:
        self._plans: dict[str, Plan] = {}

    def answer(self, name: str, arguments: Arguments, engine: Engine) -> Answer:
        """Return the plan of a call; carry it out with its token.

        Raises:
            ToolError: the token is of another plan, or nothing is to be done.
            AssetdbError: the plan cannot be made or carried out; then nothing is changed.
        """
        given = dict(arguments)
        token = given.pop(CONFIRMATION, "")
        engine.expire_old()
        found = _PLANNERS[name](given, engine)
        if found.refusal:
            return Answer(f"{name} changes nothing: {found.refusal}", found.rows)
        notes = [f"left to you: {item.path}: {item.message}" for item in found.plan.proposals]
        if found.plan.is_empty:
            return Answer(f"{name} has nothing to change", notes)
        own = _token(name, given, found)
        plan = self._plans.get(own)
        if token and (token != own or plan is None):
            raise ToolError(
                "nothing is changed: the token does not match what this call would do now: files or arguments differ"
                f" from the dry run. Call {name} without {CONFIRMATION} and look at the diff again"
            )
        if plan is None or not token:
            plan = plan or found.plan
            self._plans[own] = plan
            while len(self._plans) > _MOST_PLANS:
                del self._plans[next(iter(self._plans))]
            how = f"To do it, repeat the call with {CONFIRMATION} {own}"
            rows = [*found.rows, *notes, *plan.diff()]
            return Answer(f"dry run, nothing is changed yet: {_counts(plan)}. {how}", rows)
        done = apply(plan, engine.root, output_folder(engine.root, engine.out_dir).path)
        del self._plans[own]
        engine.expire()
        engine.changed(done.paths)
        rows = [*notes, *done.left, *filter(None, [done.unignored])]
        rows += [f"moved {source} -> {target}" for source, target in done.moved]
        rows += [f"removed {path}" for path in done.removed]
        rows += [f"wrote {path}" for path in (*done.made, *done.written)]
        return Answer(f"done: {_counts(plan)}. Call check before you are done", rows)


def _register(arguments: Arguments, engine: Engine) -> Planned:
    paths = _paths(engine, arguments["paths"])
    return Planned(plan_registration(engine.snapshot(), paths, new_guids=arguments.get("new_guid", False)))


def _mv(arguments: Arguments, engine: Engine) -> Planned:
    sources = _paths(engine, arguments["sources"])
    plan = plan_moves(engine.root, sources, target_path(engine.root, arguments["target"], engine.root))
    rows = [f"{line_of(user)} would not be found any more" for user in cut_by(engine.snapshot(), dict(plan.moves))]
    plan, notes = _with_emptied(engine, plan)
    return Planned(plan, rows=(*rows, *notes))


def _rm(arguments: Arguments, engine: Engine) -> Planned:
    paths = _paths(engine, arguments["paths"])
    plan = plan_removal(engine.root, paths)
    users = users_of(engine.snapshot(), paths)
    rows = tuple(lines_of(users))
    if users and not arguments.get("force"):
        files = len({user.path for user in users})
        refer = "refers" if files == 1 else "refer"
        used = f"{counted(files, 'file')} {refer} to what would be removed, at {counted(len(users), 'place')}"
        return Planned(plan, f"{used}: change these first, or set force, which leaves broken references", rows)
    unseen = unseen_note(besides(engine.snapshot(), paths))
    if unseen and not arguments.get("force"):
        return Planned(plan, f"{unseen}: check the permissions, or set force", rows)
    plan, notes = _with_emptied(engine, plan)
    rows += (*([unseen] if unseen else []), *notes)
    return Planned(plan, rows=rows, state=tuple(_files(engine.root, plan.removals)))


def _with_emptied(engine: Engine, plan: Plan) -> tuple[Plan, tuple[str, ...]]:
    """Return a plan that takes emptied folders along, and notes on them."""
    found = with_emptied(engine.root, plan, engine.snapshot)
    return found.plan, (*map(removal_note, found.removed), *found.notes)


def _fix(arguments: Arguments, engine: Engine) -> Planned:
    found = findings_of(engine, arguments)
    plan = plan_fixes(engine.snapshot(), found)
    return Planned(plan, rows=tuple(f"{fix.path}: {fix.code}: {fix.what}" for fix in plan.fixes))


def _resolve(arguments: Arguments, engine: Engine) -> Planned:
    take = [_answer_and_pattern(text) for text in arguments.get("take", [])]
    places = [asset_file(engine.root, path) for path in _paths(engine, arguments.get("paths", []))]
    found = find_open(Repository(engine.root), places)
    rows = [f"{path}: {advice}" for path, advice in found.problems]
    draft = Draft(engine.root)
    count = 0
    for unanswered in found.files:
        given = answers_by(unanswered, take)
        file, answers = settle(unanswered, given, take)
        if None in answers and None not in given:  # else nothing said why other values are open now
            broken = ", ".join(unanswered.faults(unanswered.data(given)))
            rows.append(f"{file.path}: with these answers alone it would be broken: {broken}")
        if None not in answers:
            data = file.data(answers)
            faults = file.faults(data)
            if not faults:
                draft.write(file.path, data)
                continue
            rows.append(f"{file.path}: with these answers it would be broken: {', '.join(faults)}")
        for number, conflict, answer in zip(file.numbers, file.conflicts, answers, strict=True):
            if answer is None:
                count += 1
                rows.append(f"{file.path} {number}: {file.names.line(conflict)}")
                rows += [f"  {side} is used by {', '.join(paths)}" for side, paths in file.guid_users(conflict).items()]
    plan = draft.plan()
    if plan.is_empty:
        asked = f"{counted(count, 'value')} open, to be answered with take" if count else "no value is open"
        return Planned(plan, asked, tuple(rows))
    return Planned(plan, rows=(*rows, "run git add for these files when they are written"))


def _answer_and_pattern(text: str) -> tuple[str, str]:
    answer, _, pattern = text.rpartition(" ") if text.startswith(TYPED) else text.partition(" ")  # a vector has spaces
    if not is_answer(answer) or not pattern:
        also = f"{', '.join(ANSWERS)}, or '=(0, 1, 0) 3'"
        raise ToolError(f"take is a list of texts such as 'ours * m_LocalPosition', {also}; not {text!r}")
    return answer, pattern


_PLANNERS: Final[Mapping[str, Callable[[Arguments, Engine], Planned]]] = {
    "register": _register,
    "mv": _mv,
    "rm": _rm,
    "fix": _fix,
    "resolve": _resolve,
}


def _paths(engine: Engine, words: Sequence[str]) -> tuple[str, ...]:
    return project_paths(engine.root, [word.rstrip("/") or word for word in words], engine.root)


def _files(root: str, paths: Sequence[str]) -> Iterator[str]:
    """Yield the files below paths with their identities; raises ToolError."""
    count = 0
    for path in paths:
        for place in _below(asset_file(root, path)):
            count += 1
            if count > _MOST_FILES:
                raise ToolError(f"more than {_MOST_FILES:,} files would be removed: remove folders in it one by one")
            status = os.lstat(place)
            yield f"{place[len(root) :]} {status.st_size} {status.st_mtime_ns}"


def _below(path: str) -> Iterator[str]:
    """Yield a file, or the files below a folder."""
    if not os.path.isdir(path) or os.path.islink(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names))


def _token(name: str, arguments: Arguments, found: Planned) -> str:
    """Return a plan's token, which newly drawn GUIDs do not change."""
    plan = found.plan
    digest = blake2b(digest_size=8)
    shape = [
        [name, dict(arguments), list(found.state)],
        [[edit.path, edit.after is None] for edit in plan.edits],
        [list(move) for move in plan.moves],
        list(plan.removals),
        [[fix.code, fix.path] for fix in plan.fixes],
        [[item.code, item.path] for item in plan.proposals],
    ]
    digest.update(write_json(shape))
    for edit in plan.edits:
        digest.update(b"%d:" % (-1 if edit.before is None else len(edit.before)))
        digest.update(edit.before or b"")
    return digest.hexdigest()


def _counts(plan: Plan) -> str:
    made = sum(edit.before is None for edit in plan.edits)
    gone = sum(edit.after is None for edit in plan.edits) + len(plan.removals)
    counts = (
        (len(plan.moves), "moved"),
        (gone, "removed"),
        (made, "made"),
        (len(plan.edits) - made - sum(edit.after is None for edit in plan.edits), "changed"),
    )
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)
