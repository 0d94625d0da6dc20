"""``assetdb bundle`` for ``.casset`` files: one function for each command, called with the files of this kind."""

from __future__ import annotations

import json
import os
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from assetdb.cli.bundle.folder import Folder
from assetdb.cli.bundle.registry import project_for, scanned, target_name
from assetdb.cli.bundle.several import going_on, grouped, os_error, verdict
from assetdb.cli.bundle.values import Leaf, differences, fields_of, leaves, plain, shown
from assetdb.cli.terminal import fail, print_json, printable, table
from formats.binary import FormatError
from formats.casset.files import load, load_entry, load_index
from formats.casset.identity import uuid_text
from formats.casset.model import Blob, Kind
from formats.casset.project import Graph, Verdict
from formats.casset.write import encode_pieces
from formats.files import open_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from formats.casset.model import Bundle, BundleObject, Layout
    from formats.casset.project import Edge, Project, Report

_MISSING = (Verdict.MISSING_BUNDLE, Verdict.MISSING_OBJECT)


def info(paths: list[str], arguments: argparse.Namespace) -> int:
    """Say what each bundle is; 1 if something in it cannot be read."""
    code = 0
    failed: list[str] = []
    for bundle, path, is_first in _loaded(paths, failed):
        code = max(code, int(bool(bundle.problems)))
        primary = bundle.primary
        declared = [_text(dependency) for dependency in bundle.dependencies]
        if arguments.json:
            facts = {
                "path": path,
                "kind": "casset",
                "format": bundle.format_name,
                "version": list(bundle.version),
                "name": plain(bundle.name),
                "uuid": uuid_text(bundle.uuid),
                "source": plain(bundle.source),
                "cooked": bool(bundle.cooked),
                "dependencies": declared,
                "types": [plain(layout.name) for layout in bundle.schema],
                "objects": len(bundle.objects),
                "primary": plain(primary.class_name) if primary else None,
                "size": os.path.getsize(path),
                "problems": [str(problem) for problem in bundle.problems],
            }
            print_json(facts)
            continue
        rows: list[tuple[str, object]] = [
            ("file", path),
            ("format", f".casset {bundle.format_name}"),
            ("name", bundle.name),
            ("uuid", uuid_text(bundle.uuid)),
            ("size", f"{os.path.getsize(path):,} bytes"),
            ("objects", len(bundle.objects)),
        ]
        if bundle.schema:
            rows.append(("types", len(bundle.schema)))
        if primary is not None:
            rows.append(("primary", f"{primary.name} ({primary.class_name})"))
        if bundle.source:
            rows.append(("source", bundle.source))
        rows += [("declares", dependency) for dependency in declared]
        rows += [("problem", line) for line in grouped(map(str, bundle.problems))]
        print(("" if is_first else "\n") + table(rows))
    return 2 if failed else code


def ls(paths: list[str], arguments: argparse.Namespace) -> int:
    """List the objects of each bundle."""
    code = 0
    failed: list[str] = []
    for bundle, path, is_first in _loaded(paths, failed):
        code = max(code, int(bool(bundle.problems)))
        if arguments.json:
            objects = [_object_facts(entry) for entry in bundle.objects]
            print_json({"path": path, "objects": objects})
            continue
        if len(paths) > 1:
            print(f"{'' if is_first else chr(10)}{printable(path)}:")
        rows: list[tuple[object, ...]] = [("path", "class", "asset", "bytes", "uuid")]
        for entry in bundle.objects:
            mark = "  (broken)" if entry.problem else ""
            asset = "yes" if entry.is_asset else "-"
            rows.append((_place(bundle, entry), entry.class_name + mark, asset, entry.size, uuid_text(entry.uuid)))
        print(table(rows, right=frozenset((3,))))
    return 2 if failed else code


def deps(paths: list[str], arguments: argparse.Namespace) -> int:
    """List the references of each bundle to others; 1 if a bundle or an object of them is missing."""
    code = 0
    failed: list[str] = []
    for bundle, path, is_first in _loaded(paths, failed):
        project = scanned(project_for(path, arguments), arguments.engine)
        report = project.report(bundle)
        code = max(code, int(any(edge.verdict in _MISSING for edge in report.edges)))
        if arguments.json:
            print_json({"path": path, **_report_facts(bundle, project, report)})
            continue
        if len(paths) > 1:
            print(f"{'' if is_first else chr(10)}{printable(path)}:")
        _print_report(bundle, project, report)
    return 2 if failed else code


def usages(paths: list[str], arguments: argparse.Namespace) -> int:
    """List the references of a project that lead to each bundle; 1 if there are none. Or what nothing refers to."""
    if arguments.unused:
        graph = _graph(arguments.project or project_for(paths[0], arguments), arguments.engine)
        unused = graph.unused()
        if arguments.json:
            print_json({"unused": [{"path": entry.path, "file": entry.file} for entry in unused]})
        elif unused:
            print("\n".join(printable(entry.path) for entry in unused))
        return max(int(bool(unused)), _unreadable(graph, set()))
    code = 0
    failed: list[str] = []
    graphs: dict[str, Graph] = {}
    said: set[str] = set()
    for number, path in enumerate(paths):
        folder = project_for(path, arguments)
        graph = graphs.get(folder) or _graph(folder, arguments.engine)
        graphs[folder] = graph
        with going_on(path, failed):
            found = load_index(path)
        if path in failed:
            continue
        users = graph.usages(found.uuid)
        code = max(code, int(not users), _unreadable(graph, said))
        names = {entry.uuid: entry.path or found.name for entry in found.objects}
        if arguments.json:
            facts = [{"path": plain(entry.path), "file": entry.file, **_edge_facts(edge)} for entry, edge in users]
            print_json({"path": path, "uuid": uuid_text(found.uuid), "usages": facts})
            continue
        if len(paths) > 1:
            print(f"{'' if not number else chr(10)}{printable(path)}:")
        rows = [("bundle", "object", "field", "refers to")]
        for entry, edge in users:
            target = names.get(edge.use.object) or f"{uuid_text(edge.use.object)} (missing object)"
            rows.append((entry.path, edge.use.source.path or "(bundle)", edge.use.field, target))
        if users:
            print(table(rows))
    return 2 if failed else code


def get(paths: list[str], arguments: argparse.Namespace) -> int:
    """Print the values of one object; 1 if there is none of that name."""
    bundle = load(paths[0])
    entry = find_object(bundle, arguments.object, paths[0])
    if entry is None:
        return 1
    if arguments.json:
        print_json({**_object_facts(entry), "fields": fields_of(entry)})
        return int(entry.problem is not None)
    print(table([("path", _place(bundle, entry)), ("class", entry.class_name), ("uuid", uuid_text(entry.uuid))]))
    rows = [(leaf.path, leaf.type, shown(leaf.value, leaf.type, _namer(bundle))) for leaf in leaves(entry)]
    if rows:
        print(f"\n{table(rows)}")
    if entry.problem is not None:
        print(f"\n{printable(str(entry.problem))}")
        return 1
    return 0


def verify(paths: list[str], arguments: argparse.Namespace) -> int:
    """Check each bundle by itself, and with a project its references; 1: findings, 2: one is unreadable."""
    project: Project | None = None
    if arguments.project:
        project = scanned(arguments.project, arguments.engine)
        paths = paths or [entry.file for entry in project.entries]
    has_findings = False
    unreadable = 0
    for path in paths:
        notes: list[str] = []
        try:
            findings, notes = _verify(load(path), path, project)
            word = "finding"
            has_findings = has_findings or bool(findings)
        except (FormatError, OSError) as error:
            said = os_error(path, error) if isinstance(error, OSError) else str(error)
            findings = [said.removeprefix(f"{path}: ")]
            word = "unreadable"
            unreadable += 1
        if arguments.json:
            facts = {"path": path, "readable": word == "finding", "findings": findings, "notes": notes}
            print_json(facts)
        else:
            for said, lines in ((word, findings), ("note", notes)):
                for line in grouped(lines):
                    print(printable(f"{path}: {said}: {line}"))
    if project is not None:
        unreadable += len(project.unreadable)
        has_findings = _verify_project(project, arguments) or has_findings
    if not arguments.json:
        print(verdict(len(paths), unreadable, has_findings=has_findings))
    return 2 if unreadable else int(has_findings)


def diff(paths: list[str], arguments: argparse.Namespace) -> int:
    """Compare two bundles; 1 if they differ."""
    old, new = (load(path) for path in paths)
    header = [
        {"what": what, "old": before, "new": after}
        for what, before, after in _header_pairs(old, new)
        if before != after
    ]
    objects: list[dict[str, Any]] = []
    pairs, removed, added = _paired(old, new)
    objects += [{"removed": _place(old, entry), "class": entry.class_name} for entry in removed]
    objects += [{"added": _place(new, entry), "class": entry.class_name} for entry in added]
    same = {before.uuid: after.uuid for before, after in pairs}
    for before, after in pairs:
        values = differences(before, after, same)
        moved = (before.path, before.name, before.class_name) != (after.path, after.name, after.class_name)
        if values or moved:
            changes = [_change(path, left, right, old, new) for path, left, right in values]
            objects.append({"changed": _place(old, before), "now": _place(new, after), "values": changes})
    if arguments.json:
        print_json({"header": header, "objects": objects})
    else:
        _print_diff(header, objects)
    return int(bool(header or objects))


def extract(paths: list[str], arguments: argparse.Namespace) -> int:
    """Write objects as JSON and their blobs as files into a folder; 1 if a named object is not there."""
    bundle = load(paths[0])
    entries = list(bundle.objects)
    if arguments.objects:
        found = [find_object(bundle, wanted, paths[0]) for wanted in arguments.objects]
        entries = [entry for entry in found if entry is not None]
        if len(entries) < len(found):
            return 1
    folder = Folder(arguments.to)
    written = []
    for entry in entries:
        name = entry.path or bundle.name
        written += [
            folder.write(f"{name}.{leaf.path}", ".bin", (leaf.value.data,))
            for leaf in leaves(entry)
            if isinstance(leaf.value, Blob)
        ]
        facts = {**_object_facts(entry), "fields": fields_of(entry)}
        written.append(folder.write(name, ".json", (f"{json.dumps(facts, indent=2)}\n".encode(),)))
    if arguments.json:
        print_json({"path": paths[0], "written": written})
    else:
        print("\n".join(map(printable, written)))
    return 0


def edit(paths: list[str], arguments: argparse.Namespace) -> int:
    """Change a bundle and write it; 1 if a name is not there, and then nothing is written."""
    from assetdb.cli.bundle.cassetedit import edit_bundle  # noqa: PLC0415 - the other commands only read

    return edit_bundle(paths[0], arguments)


def _loaded(paths: Sequence[str], failed: list[str]) -> Iterator[tuple[Bundle, str, bool]]:
    for number, path in enumerate(paths):
        with going_on(path, failed):
            bundle = load(path)
        if path not in failed:
            yield bundle, path, number == 0


def _graph(folder: str, engine: str) -> Graph:
    return Graph(scanned(folder, engine), load_entry)


def _unreadable(graph: Graph, said: set[str]) -> int:
    """Say once which files of a project could not be read: what refers to a bundle from there is not known."""
    problems = [str(problem) for problem in (*graph.project.unreadable, *graph.unreadable)]
    for problem in problems:
        if problem not in said:
            said.add(problem)
            fail(printable(problem))
    return 2 if problems else 0


def _text(dependency: bytes | str) -> str:
    return uuid_text(dependency) if isinstance(dependency, bytes) else dependency


def _place(bundle: Bundle, entry: BundleObject) -> str:
    """Return where an object is in its bundle, for people; the bundle itself has no path and is named."""
    return entry.path or f"({bundle.name})"


def _object_facts(entry: BundleObject) -> dict[str, Any]:
    return {
        "path": plain(entry.path),
        "name": plain(entry.name),
        "class": plain(entry.class_name),
        "uuid": uuid_text(entry.uuid),
        "asset": bool(entry.is_asset),
        "offset": entry.offset,
        "size": entry.size,
        **({"source": plain(entry.source)} if entry.source else {}),
        **({"problem": str(entry.problem)} if entry.problem else {}),
    }


def find_object(bundle: Bundle, wanted: str, path: str) -> BundleObject | None:
    """Return the object of a path, UUID or name; say on stderr that there is none, and what it may have been."""
    for key in (
        lambda entry: entry.path,
        lambda entry: _place(bundle, entry),
        lambda entry: uuid_text(entry.uuid),
        lambda entry: entry.name,
    ):
        found = [entry for entry in bundle.objects if key(entry) == wanted]
        if found:
            return found[0]
    names = {name for entry in bundle.objects for name in (entry.path, entry.name) if name}
    close = get_close_matches(wanted, sorted(names), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    fail(printable(f"{path}: has no object {wanted!r}{hint}"))
    return None


def _own_names(bundle: Bundle) -> dict[bytes, str]:
    return {entry.uuid: _place(bundle, entry) for entry in bundle.objects}


def _namer(bundle: Bundle) -> Any:  # noqa: ANN401 - a function of object and bundle to text
    own = _own_names(bundle)

    def name_of(found: bytes, holder: bytes) -> str:
        if holder == bundle.uuid:
            return own.get(found, f"{uuid_text(found)} (missing object)")
        return f"{uuid_text(found)} of bundle {uuid_text(holder)}"

    return name_of


def _edge_facts(edge: Edge) -> dict[str, Any]:
    function = edge.use.function
    return {
        "object": plain(edge.use.source.path),
        "field": plain(edge.use.field),
        "target": {"object": uuid_text(edge.use.object), "bundle": uuid_text(edge.use.bundle)},
        **({"function": plain(function)} if function is not None else {}),
        "verdict": edge.verdict.value,
    }


def _report_facts(bundle: Bundle, project: Project, report: Report) -> dict[str, Any]:
    return {
        "declared": [_text(dependency) for dependency in bundle.dependencies],
        "bundles": [
            {**_bundle_facts(project, uuid), "verdict": verdict.value} for uuid, verdict in report.bundles.items()
        ],
        "references": [_edge_facts(edge) for edge in report.edges],
        "findings": [
            {**_bundle_facts(project, finding.bundle), "verdict": finding.verdict.value, "times": finding.times}
            for finding in report.declared
        ],
    }


def _bundle_facts(project: Project, uuid: bytes) -> dict[str, Any]:
    known = project.by_uuid.get(uuid)
    predicted = None if known else project.predicted_path(uuid)
    return {
        "uuid": uuid_text(uuid),
        "path": plain(known[0].path) if known else None,
        **({"predicted": plain(predicted)} if predicted else {}),
    }


def _print_report(bundle: Bundle, project: Project, report: Report) -> None:
    rows = [("verdict", "object", "field", "refers to")]
    for edge in report.edges:
        target = target_name(project, edge.use.bundle) or uuid_text(edge.use.bundle)
        inner = project.object_path(edge.use.bundle, edge.use.object)
        place = _place(bundle, edge.use.source)
        rows.append((edge.verdict.value, place, edge.use.field, f"{target} {inner}" if inner else target))
    if report.edges:
        print(table(rows))
    for finding in report.declared:
        target = target_name(project, finding.bundle) or uuid_text(finding.bundle)
        times = f" ({finding.times} times)" if finding.verdict is Verdict.DUPLICATE else ""
        print(printable(f"{finding.verdict.value}: {target}{times}"))


def _verify(bundle: Bundle, path: str, project: Project | None) -> tuple[list[str], list[str]]:
    findings = [str(problem) for problem in bundle.problems]
    notes = []
    try:
        is_same = same_bytes(path, encode_pieces(bundle))
    except FormatError as error:
        findings.append(f"cannot be written back: {error}")
    else:
        if not is_same:
            findings.append("does not write back to the same bytes")
    if bundle.objects and bundle.objects[0].path == "" and bundle.objects[0].uuid != bundle.uuid:
        findings.append("the first object is not the bundle itself")
    unused = sum(layout.kind > Kind.OPAQUE for layout in bundle.schema)
    if unused:
        notes.append(f"{unused} schema entries of unknown kinds")
    if project is not None:
        report = project.report(bundle)
        for edge in report.edges:
            if edge.verdict in _MISSING:
                target = target_name(project, edge.use.bundle) or uuid_text(edge.use.bundle)
                findings.append(f"{edge.verdict.value}: {edge.use.source.path}.{edge.use.field} refers to {target}")
        for declared in report.declared:
            target = target_name(project, declared.bundle) or uuid_text(declared.bundle)
            notes.append(f"{declared.verdict.value}: {target}")
    return findings, notes


def same_bytes(path: str, pieces: Iterable[bytes | memoryview]) -> bool:
    """Whether a file is these bytes."""
    with open_file(path) as file:
        for piece in pieces:
            view = memoryview(piece)
            for start in range(0, len(view), 1 << 20):
                part = view[start : start + (1 << 20)]
                if file.read(len(part)) != part:
                    return False
        return not file.read(1)


def _verify_project(project: Project, arguments: argparse.Namespace) -> bool:
    """Report what is wrong between the bundles of a project: unreadable files; return whether several have a UUID."""
    duplicates = [
        {"uuid": uuid_text(uuid), "paths": [plain(entry.path) for entry in entries]}
        for uuid, entries in project.duplicates.items()
    ]
    if arguments.json:
        unreadable = [str(error) for error in project.unreadable]
        print_json({"project": arguments.project, "unreadable": unreadable, "duplicates": duplicates})
    else:
        for error in project.unreadable:
            print(printable(f"unreadable: {error}"))
        for found in duplicates:
            print(f"duplicate uuid: {found['uuid']} is that of {len(found['paths'])} bundles:")
            print("\n".join(printable(f"  {path}") for path in found["paths"]))
    return bool(duplicates)


def _header_pairs(old: Bundle, new: Bundle) -> Iterator[tuple[str, Any, Any]]:
    yield "format", old.format_name, new.format_name
    yield "name", plain(old.name), plain(new.name)
    yield "uuid", uuid_text(old.uuid), uuid_text(new.uuid)
    yield "source", plain(old.source), plain(new.source)
    yield "dependencies", [*map(_text, old.dependencies)], [*map(_text, new.dependencies)]
    before, after = ({layout.name: layout for layout in bundle.schema} for bundle in (old, new))
    for name in dict.fromkeys((*before, *after)):
        yield f"type {plain(name)}", _type_facts(before.get(name)), _type_facts(after.get(name))


def _type_facts(layout: Layout | None) -> list[str] | None:
    return None if layout is None else [f"{plain(field.name)} {field.type_name}" for field in layout.fields]


def _paired(
    old: Bundle, new: Bundle
) -> tuple[list[tuple[BundleObject, BundleObject]], list[BundleObject], list[BundleObject]]:
    """Pair the objects of two bundles: by UUID, and where that is unknown in the other one, by path."""
    by_uuid = {entry.uuid: entry for entry in new.objects}
    old_uuids = {entry.uuid for entry in old.objects}
    by_path = {entry.path: entry for entry in new.objects if entry.uuid not in old_uuids}
    pairs, removed, used = [], [], set()
    for entry in old.objects:
        other = by_uuid.get(entry.uuid) or by_path.get(entry.path)
        if other is None or other.offset in used:
            removed.append(entry)
        else:
            pairs.append((entry, other))
            used.add(other.offset)
    return pairs, removed, [entry for entry in new.objects if entry.offset not in used]


def _change(path: str, left: Leaf | None, right: Leaf | None, old: Bundle, new: Bundle) -> dict[str, Any]:
    return {
        "field": plain(path),
        "old": shown(left.value, left.type, _namer(old)) if left else None,
        "new": shown(right.value, right.type, _namer(new)) if right else None,
    }


def _print_diff(header: list[dict[str, Any]], objects: list[dict[str, Any]]) -> None:
    for line in header:
        print(printable(f"{line['what']}: {_flat(line['old'])} -> {_flat(line['new'])}"))
    for entry in objects:
        if "removed" in entry:
            print(printable(f"- {entry['removed']}  {entry['class']}"))
        elif "added" in entry:
            print(printable(f"+ {entry['added']}  {entry['class']}"))
        else:
            now = "" if entry["now"] == entry["changed"] else f" -> {entry['now']}"
            print(printable(f"~ {entry['changed']}{now}"))
            for change in entry["values"]:
                print(printable(f"    {change['field']}: {_flat(change['old'])} -> {_flat(change['new'])}"))


def _flat(value: object) -> str:
    if value is None:
        return "(none)"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
