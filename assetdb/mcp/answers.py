"""Answers of the read-only tools, from a daemon or a snapshot.

Each function takes the arguments of a call and returns the whole answer; pages are cut from it elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from assetdb.checks.counting import counted
from assetdb.diagnostics.codes import CODES, REASONS, SEVERITIES
from assetdb.errors import UsageError
from assetdb.mcp import rendering
from assetdb.mcp.paging import Answer, Rendered
from assetdb.query.completeness import of_selection, unread_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.reports.grouping import Group
    from assetdb.client.engine import Engine

    Arguments = Mapping[str, Any]

_Kind = TypeVar("_Kind")
_MOST_FOUND: Final = 100_000  # that the methods of a daemon give at once
_MOST_NAMES: Final = 1000
_CANDIDATES: Final = 20


class ToolError(UsageError):
    """A call without an answer; the message names the call to make."""


class _Sized(msgspec.Struct):
    bytes: int | None


class _Result(Mapping[str, Any]):
    """The result of a method; fields are decoded when they are read."""

    def __init__(self, raw: msgspec.Raw) -> None:
        self.raw = bytes(raw)
        self._fields = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 - JSON
        return msgspec.json.decode(self._fields[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def read(self, key: str, kind: type[_Kind]) -> _Kind:
        """Return a field as a type."""
        return msgspec.json.decode(self._fields[key], type=kind)

    def rows(self, key: str, render: Callable[[dict[str, Any]], str]) -> Rendered:
        """Return the rows of a list as lines."""
        return Rendered(self.read(key, list[msgspec.Raw]), lambda raw: render(msgspec.json.decode(raw)))


def info(arguments: Arguments, engine: Engine) -> Answer:  # noqa: ARG001 - a tool like the others
    """Summarize the project."""
    result = _ask(engine, "info")
    return Answer(f"project {result['root']}", rendering.overview_rows(result))


def find(arguments: Arguments, engine: Engine) -> Answer:
    """List assets and sub-assets by name, or objects by name and component."""
    pattern = arguments.get("pattern", "")
    if "where" in arguments:
        return _find_values(arguments, engine)
    if "inside" in arguments or "component" in arguments:
        return _find_objects(arguments, engine)
    types, labels = arguments.get("types", []), arguments.get("labels", [])
    if not (pattern or types or labels):
        raise ToolError('give a pattern, types, labels, inside, component or where: find {"pattern": "*door*"}')
    sizes = arguments.get("sizes", False)
    given = {"sizes": sizes, "imported": arguments.get("imported", "")}
    result = _ask(engine, "find", pattern=pattern, types=types, labels=labels, limit=_MOST_FOUND, **given)
    rows, total = result.rows("found", rendering.found_row), result["total"]
    if not rows:
        raise ToolError(
            f"nothing is called {pattern!r}"
            + (" and has a given type" if types else "")
            + (" and has these labels" if labels else "")
            + rendering.doubts(result)
            + '. Call find with a shorter text or a pattern ("*door*"), without types and labels;'
            ' or ls {"query": "Assets", "deep": true}'
        )
    more = f", of which the first {len(rows):,} are listed: narrow the pattern" if total > len(rows) else ""
    doubts = rendering.doubts(result)
    columns = f"path, type, {'bytes, ' * sizes}GUID"
    asked = " ".join(filter(None, (repr(pattern) if pattern else "", *types, *labels)))
    return Answer(f"{total:,} match {asked}: {columns}{more}{doubts}", rows, result.raw)


def _find_values(arguments: Arguments, engine: Engine) -> Answer:
    from assetdb.query.property_values import find_values  # noqa: PLC0415 - few calls ask for values

    for word in ("types", "labels", "sizes", "imported", "component"):
        if word in arguments:
            raise ToolError(f"{word} cannot be combined with where: give pattern or inside")
    engine.expire_old()
    pattern, inside, where = (arguments.get(word, "") for word in ("pattern", "inside", "where"))
    found = find_values(engine.snapshot(), engine.root, where, pattern, inside)
    rows = [rendering.property_row(row._asdict()) for row in found.rows]
    doubts = rendering.doubts(unread_fields(found.unread))
    if not rows:
        return Answer(f"nothing has {where}{doubts}", [])
    return Answer(f"{counted(len(rows), 'value')}: file, object, GUID:fileID, property{doubts}", rows)


def _find_objects(arguments: Arguments, engine: Engine) -> Answer:
    for word in ("types", "labels", "sizes", "imported"):
        if word in arguments:
            raise ToolError(f"{word} are of assets: call find with component for objects")
    given = {name: arguments[name] for name in ("pattern", "inside", "component") if name in arguments}
    result = _ask(engine, "objects", cwd=engine.root, **given)
    found, doubts = result["objects"], rendering.doubts(result)
    if "truncated" in result:
        doubts += "; it has more objects than are looked at once: call find with each prefab in it"
    if not found:
        where = f" in {arguments['inside']}" if "inside" in arguments else ""
        raise ToolError(f"no object matches{where}{doubts}. Call ls with a prefab or scene for the objects that it has")
    files: dict[str, list[dict[str, Any]]] = {}
    for row in found:
        files.setdefault(row["path"], []).append(row)
    summary = (
        f"{counted(len(found), 'object')} in {counted(len(files), 'file')}: path, GUID, name (type &fileID){doubts}"
    )
    return Answer(summary, list(map(rendering.objects_row, files.values())))


def ls(arguments: Arguments, engine: Engine) -> Answer:
    """List the contents of an asset or folder."""
    names = ("depth", "classes", "inside", "nested", "deep", "imported")
    given = {name: arguments[name] for name in names if name in arguments}
    result = _matched(_ask(engine, "ls", query=arguments["query"], cwd=engine.root, **given), "ls")
    title = rendering.title(result)
    more = "; more than are listed at once: use depth or nested=false" if result["truncated"] else ""
    more += rendering.doubts(result)
    if assets := result.rows("assets", rendering.asset_row):
        size = sum(item.bytes or 0 for item in result.read("assets", list[_Sized]))
        summary = f"{title}: {len(assets):,} assets and folders, {size:,} bytes: path, type, bytes, GUID{more}"
        return Answer(summary, assets, result.raw)
    if rows := result.rows("parts", rendering.part_row):
        return Answer(f"{title}: {counted(len(rows), 'object')}: name, type, fileID{more}", rows, result.raw)
    path = result["path"]
    rows = result.rows("objects", lambda row: rendering.object_row(row, path))
    if not rows:
        narrowing = [name for name in ("classes", "depth", "inside") if name in arguments]
        if not narrowing:
            return Answer(f"{title} holds nothing{more}", [], result.raw)
        raise ToolError(f"{title} holds nothing of that: call ls without {' and '.join(narrowing)}")
    return Answer(f"{title}: {counted(len(rows), 'object')}{more}", rows, result.raw)


def get(arguments: Arguments, engine: Engine) -> Answer:
    """Print the values of one object."""
    overrides = arguments.get("overrides", False)
    result = _ask(engine, "get", query=arguments["query"], cwd=engine.root, overrides=overrides)
    result = _matched(result, "get")
    kind = "" if result["name"].endswith(")") else f" ({result['type']})"
    itself = f"{result['name']}{kind} {result['guid']}:{result['file_id']}"
    source = f", in {result['source_path']} {result['source']}:{result['source_id']}"
    rows = rendering.chain_rows(result) if overrides else rendering.value_rows(result)
    if overrides and not rows:
        return Answer(f"{itself}{source}: nothing is overridden", [])
    more = "; it has more values than are shown" if result["truncated"] else ""
    if result["repeated"]:
        more += f"; it has {', '.join(result['repeated'])} more than once, and which of them Unity takes is not known"
    if result["imported"]:
        more += "; an importer makes the others, and no file has them"
    return Answer(f"{itself}{source}: {counted(len(rows), 'value')}{more}", rows)


def name(arguments: Arguments, engine: Engine) -> Answer:
    """Name references."""
    queries = arguments["queries"]
    if len(queries) > _MOST_NAMES:
        raise ToolError(f"at most {_MOST_NAMES:,} queries at once: call name again for the rest")
    found = msgspec.json.decode(engine.ask("resolve", {"queries": queries, "cwd": engine.root, "labels": True}))
    rows, named = [], 0
    for query, row in zip(queries, found, strict=True):
        reason = row.get("reason", "")
        named += not reason
        if row.get("candidates"):
            candidates = row["candidates"]
            more = f", and {len(candidates) - _CANDIDATES:,} more" if len(candidates) > _CANDIDATES else ""
            reason += f": {', '.join(candidates[:_CANDIDATES])}{more}"
        elif reason:
            reason += f": {REASONS.get(reason, 'call find with a part of the name')}"
        rows.append(rendering.named_row(query, row, reason))
    return Answer(f"{named:,} of {len(rows):,} have a name", rows)


def usages(arguments: Arguments, engine: Engine) -> Answer:
    """List the references to an asset."""
    if "field" in arguments:
        return _field(arguments, engine)
    if "method" in arguments:
        return _callers(arguments, engine)
    if arguments.get("why"):
        return _chains("usages", _ask(engine, "ways", query=arguments["query"], cwd=engine.root))
    given = {name: arguments.get(name, False) for name in ("objects", "deep", "sizes")}
    objects, deep = given["objects"], given["deep"]
    result = _ask(engine, "usages", query=arguments["query"], cwd=engine.root, **given)
    result = _matched(result, "usages")
    title = rendering.title(result) + (f":{result['file_id']}" if result.get("file_id") is not None else "")
    files = result.rows("usages", rendering.info_row)
    doubts = rendering.doubts(result)
    if not files:
        return Answer(f"nothing refers to {title}{doubts}", [])
    how = "directly or indirectly " if deep else ""
    subject = f"{'refers' if len(files) == 1 else 'refer'} {how}to {title}"
    count = counted(len(files), "file")
    if not objects:
        return Answer(f"{count} {subject}{_of_bytes(result)}{doubts}", files, result.raw)
    places = result["objects"]
    placed = {place["path"].removesuffix(".meta") for place in places}
    items: list[tuple[Callable[[Any], str], Any]] = [
        (rendering.places_row, rows) for rows in rendering.by_instance(places)
    ]
    items += [(rendering.info_row, row) for row in result["usages"] if row["path"] not in placed]
    rows = Rendered(items, lambda item: item[0](item[1]))
    return Answer(f"{count} {subject}, at {counted(len(places), 'place')}{doubts}", rows, result.raw)


def _field(arguments: Arguments, engine: Engine) -> Answer:
    """Return the values of a script's field as an answer."""
    field = arguments["field"]
    result = _of_script(arguments, engine, "field")
    if isinstance(result, Answer):
        return result
    title, doubts = rendering.title(result), rendering.doubts(result)
    if not result["values"]:
        return Answer(f"no asset stores {field} of {title}{doubts}", [])
    rows = Rendered(result["values"], rendering.value_row)
    said = f"{counted(result['total'], 'value')} of {field} of {title}, {result['not_default']:,} not zero or empty"
    others = f"; types of the same name are in {', '.join(result['others'])}" if result["others"] else ""
    return Answer(f"{said}: file, object, property{others}{doubts}", rows, result.raw)


def _of_script(arguments: Arguments, engine: Engine, member: str) -> _Result | Answer:
    """Return usages of a script's member, or why there are none."""
    given = {member: arguments[member]}
    result = _matched(_ask(engine, "usages", query=arguments["query"], cwd=engine.root, **given), "usages")
    if result["is_script"]:
        return result
    return Answer(f"{rendering.title(result)} is no C# script: {member} is for scripts", [])


def _callers(arguments: Arguments, engine: Engine) -> Answer:
    """Return the events that call a script's method as an answer."""
    method = arguments["method"]
    result = _of_script(arguments, engine, "method")
    if isinstance(result, Answer):
        return result
    title, doubts = rendering.title(result), rendering.doubts(result)
    called = "a method" if method == "*" else method
    if not result["callers"]:
        return Answer(f"no event calls {called} of {title}{doubts}", [])
    rows = Rendered(result["callers"], rendering.caller_row)
    return Answer(f"{counted(result['total'], 'call')} of {called} of {title}: file, object, property{doubts}", rows)


def deps(arguments: Arguments, engine: Engine) -> Answer:
    """List the assets that an asset refers to."""
    if "to" in arguments:
        return _chains("deps", _ask(engine, "ways", query=arguments["query"], to=arguments["to"], cwd=engine.root))
    deep, sizes = arguments.get("deep", False), arguments.get("sizes", False)
    asked = _ask(engine, "deps", query=arguments["query"], deep=deep, sizes=sizes, cwd=engine.root)
    result = _matched(asked, "deps")
    found = sorted(result["dependencies"], key=lambda row: (row["path"], row["name"], row["guid"]))
    rows = Rendered(found, rendering.info_row)
    how = "directly or indirectly " if deep else ""
    count = counted(len(rows), "asset") if rows else "nothing"
    title, doubts = rendering.title(result), rendering.doubts(result)
    return Answer(f"{title} refers {how}to {count}" + (_of_bytes(result) if rows else "") + doubts, rows, result.raw)


def _of_bytes(result: _Result) -> str:
    """Return the sum of bytes, if any, and the rows' columns."""
    return (
        f", {counted(result['bytes'], 'byte')}: path, type, bytes, GUID" if "bytes" in result else ": path, type, GUID"
    )


def _chains(tool: str, result: _Result) -> Answer:
    """Return chains of references as an answer, a step a line."""
    title = rendering.title(_matched(result, tool))
    if not result["ways"]:
        advice = "unused lists such assets" if tool == "usages" else "usages lists what does"
        start = "no root of a build" if tool == "usages" else repr(result["query"])
        lead = "leads" if tool == "usages" else "does not lead"
        return Answer(f"{start} {lead} to {title}; {advice}{rendering.doubts(result)}", [])
    rows = [row for way in result["ways"] for row in rendering.way_rows(way)]
    return Answer(f"the shortest chain of references to {title}{rendering.doubts(result)}", rows)


def check(arguments: Arguments, engine: Engine) -> Answer:
    """List findings."""
    from assetdb.checks.findings.paths import project_paths  # noqa: PLC0415 - few calls check

    if "since" in arguments:
        from assetdb.checks.findings.selection import within  # noqa: PLC0415 - the same

        findings = findings_of(engine, arguments)
        inside = within(project_paths(engine.root, arguments.get("paths", ()), engine.root))
        doubts = rendering.doubts(unread_fields(of_selection(engine.snapshot(), inside)))
        listed, total = list(findings), len(findings)
    else:
        given = {key: arguments[key] for key in ("select", "ignore") if key in arguments}
        if "paths" in arguments:
            given["paths"] = list(project_paths(engine.root, arguments["paths"], engine.root))
        result = _ask(engine, "check", limit=_MOST_FOUND, **given)
        listed, total = [_finding(row) for row in result["findings"]], result["total"]
        doubts = rendering.doubts(result)
    if not listed:
        where = f" in {', '.join(arguments['paths'])}" if arguments.get("paths") else ""
        return Answer(f"no findings{where}{doubts}", [])
    counts: dict[str, int] = {}
    errors = 0
    for row in listed:
        counts[row.code] = counts.get(row.code, 0) + 1
        errors += row.severity == "error"
    severities = {row.code: SEVERITIES.index(row.severity) for row in reversed(listed)}
    ordered = sorted(counts.items(), key=lambda item: (severities[item[0]], -item[1]))
    by_code = ", ".join(f"{count:,} {code}" for code, count in ordered)
    rows = Rendered(_grouped(listed, every=arguments.get("every", False)), rendering.group_row)
    cut = f"; listed and counted by code are the first {len(listed):,}" if total > len(listed) else ""
    summary = f"{counted(total, 'finding')}, {counted(errors, 'error')} among them: {by_code}{cut}{doubts}"
    return Answer(f"{summary}. rule explains a code", rows)


def _finding(row: Mapping[str, Any]) -> Finding:
    from assetdb.checks.findings.finding import Finding  # noqa: PLC0415 - few calls check

    return Finding(*(row[field] for field in Finding._fields))


def _grouped(findings: Sequence[Finding], *, every: bool) -> list[Group]:
    """Return groups of findings by file, errors and rare codes first."""
    from assetdb.checks.reports.grouping import Group, grouped, ranked, worst_first  # noqa: PLC0415 - few calls check

    if every:
        return [Group((finding,), is_instance=False) for finding in worst_first(findings)]
    groups = grouped(findings, few=0, by_file=True)
    order = sorted(ranked(groups), key=lambda number: SEVERITIES.index(groups[number].first.severity))
    return [groups[number] for number in order]


def findings_of(engine: Engine, arguments: Arguments) -> tuple[Finding, ...]:
    """Return current findings, or those since a revision; raises AssetdbError."""
    from assetdb.checks.findings.paths import project_paths  # noqa: PLC0415 - the same
    from assetdb.checks.findings.selection import selection_of  # noqa: PLC0415 - the same
    from assetdb.checks.request import Question, answer  # noqa: PLC0415 - a daemon answers most checks
    from assetdb.settings.checking import known_codes  # noqa: PLC0415 - the same

    engine.expire_old()
    selection = selection_of(
        engine.root,
        project_paths(engine.root, arguments.get("paths", ()), engine.root),
        known_codes("select", arguments.get("select", ())),
        known_codes("ignore", arguments.get("ignore", ())),
    )
    question = Question(selection, since=arguments.get("since"))
    return answer(engine.snapshot(), question).report.findings


def unused(arguments: Arguments, engine: Engine) -> Answer:
    """List assets that nothing uses."""
    given = {key: arguments[key] for key in ("roots", "incomplete", "sizes") if key in arguments}
    result = _ask(engine, "unused", **given)
    unread = result["unread"]
    if unread and not arguments.get("incomplete"):
        advice = ", ".join(dict.fromkeys(CODES[item["code"]].advice for item in unread))
        raise ToolError(
            f"{counted(len(unread), 'file')} could not be read, so nobody knows what is unused ({advice}),"
            f" {unread[0]['path']}"
            ' among them. Call check for the list, or unused {"incomplete": true} to count what they use as unused'
        )
    notes = "" if result["build_scenes"] else "; the build settings have no scene, so add some to roots"
    if result["unmatched_roots"]:
        notes += f"; no asset matches the roots {', '.join(result['unmatched_roots'])}"
    if unread:
        notes += f"; {counted(len(unread), 'file')} could not be read, and may refer to some"
    roots = ", ".join(f"{count:,} {reason}" for reason, count in result["roots"].items()) or "none"
    rows = result.rows("unused", rendering.unused_row)
    summary = counted(len(rows), "unused asset")
    if "alone" not in result:
        return Answer(f"{summary}; roots: {roots}{notes}", rows, result.raw)
    lines = [*rows, *map(rendering.alone_row, result["alone"])]
    size = counted(sum(row.bytes or 0 for row in result.read("unused", list[_Sized])), "byte")
    summary += f", {size}, then what would be unused without each root"
    return Answer(f"{summary}; roots: {roots}{notes}", lines, result.raw)


def trace(arguments: Arguments, engine: Engine) -> Answer:
    """Follow assets into a build."""
    queries, lists = arguments.get("queries", []), arguments.get("lists", [])
    builds = [os.path.join(engine.root, path) for path in arguments["builds"]]
    result = _ask(engine, "trace", builds=builds, queries=queries, lists=lists, cwd=engine.root)
    notes = _problems(result) + ("" if result["complete"] else "; the project is too large for all of it to be tried")
    rows = [line for row in result["rows"] for line in rendering.traced_rows(row)]
    return Answer(counted(len(result["rows"]), "row") + notes, rows)


def groups(arguments: Arguments, engine: Engine) -> Answer:
    """List the bundles that Addressables groups would make."""
    given = {key: arguments[key] for key in ("names", "duplicates", "entries", "profile") if key in arguments}
    result = _ask(engine, "groups", **given)
    if not result["settings"]:
        return Answer("the project has no Addressables settings", [])
    rows = list(map(rendering.fields_row, result["rows"]))
    return Answer(f"{result['settings']}: {counted(len(rows), 'row')}{_problems(result)}", rows)


def diff(arguments: Arguments, engine: Engine) -> Answer:
    """List the changes between two revisions, by object."""
    from assetdb.mcp import revisions  # noqa: PLC0415 - few calls ask git

    return revisions.diff(arguments, engine)


def history(arguments: Arguments, engine: Engine) -> Answer:
    """List the commits of an asset's life."""
    from assetdb.mcp import revisions  # noqa: PLC0415 - few calls ask git

    return revisions.history(arguments, engine)


def rule(arguments: Arguments, engine: Engine) -> Answer:  # noqa: ARG001 - a tool like the others
    """Explain codes of findings."""
    lines: list[str] = []
    for code in arguments["codes"]:
        known = code.lower()
        if known not in CODES:
            raise ToolError(f"there is no code {code!r}; codes are {', '.join(sorted(CODES))}")
        lines += rendering.rule_lines(known)
    return Answer(counted(len(arguments["codes"]), "code"), lines)


def _problems(result: Mapping[str, Any]) -> str:
    problems: Sequence[str] = result["problems"]
    return f"; {counted(len(problems), 'problem')}, the first: {problems[0]}" if problems else ""


def _ask(engine: Engine, method: str, /, **params: object) -> _Result:
    return _Result(engine.ask(method, params))


def _matched(result: _Result, tool: str) -> _Result:
    """Return a result; raise ToolError unless the query meant one thing."""
    if "candidates" not in result:
        return result
    query, candidates = result["query"], result["candidates"]
    if result["reason"] == "ambiguous":
        listed = "\n".join(candidates[:_CANDIDATES])
        more = f"\nand {len(candidates) - _CANDIDATES:,} more" if len(candidates) > _CANDIDATES else ""
        raise ToolError(f"{query!r} is ambiguous. Call {tool} with one of the assets, or a GUID:\n{listed}{more}")
    if candidates:
        raise ToolError(f"no asset named {query!r}. Call {tool} with one of the assets:\n" + "\n".join(candidates))
    stem = os.path.splitext(query.rpartition("/")[2])[0].strip() or "*"
    raise ToolError(f'no asset named {query!r}. Call find {{"pattern": {msgspec.json.encode(stem[:100]).decode()}}}')


TOOLS: Final[Mapping[str, Callable[[Arguments, Engine], Answer]]] = {
    function.__name__: function
    for function in (info, find, ls, get, name, usages, deps, check, unused, trace, groups, diff, history, rule)
}
"""The functions of the tools, by name."""
