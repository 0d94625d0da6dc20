"""Output of one ``.casset`` bundle: summary, objects, values, references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.bundle.casset_values import fields_of, plain, shown
from assetdb.cli.bundle.each import grouped, title
from assetdb.cli.bundle.inputs import Match, Matches
from assetdb.cli.terminal import Progress, json_document, print_json, print_json_lines, printable, table
from assetdb_formats.casset.files import load_input
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import Blob, Kind
from assetdb_formats.casset.project import MISSING, Verdict
from assetdb_formats.casset.queries.diff import diff_bundles
from assetdb_formats.casset.queries.flatten import leaves
from assetdb_formats.casset.queries.objects import dependency_text, lookup, object_names, of_classes, place, search
from assetdb_formats.casset.queries.verify import verify_bundle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from assetdb.cli.bundle.folder import Folder
    from assetdb.cli.bundle.neighbourhood import Neighbourhood
    from assetdb_formats.casset.model import Bundle, BundleObject, Layout
    from assetdb_formats.casset.project import Edge, Project, Report
    from assetdb_formats.casset.queries.diff import BundleDiff
    from assetdb_formats.casset.queries.flatten import Leaf
    from assetdb_formats.inputs import Input

_RANKS: Final = ("path", "uuid", "name")


def matches(file: Input, word: str) -> Matches:
    """Return the objects of a bundle that a word means.

    Raises FormatError or OSError.
    """
    found = lookup(load_input(file), word)
    return Matches(
        tuple(Match(_RANKS.index(found.by), uuid_text(entry.uuid), entry.class_name) for entry in found.objects),
        found.names,
    )


def print_info(file: Input, number: int, *, as_text: bool) -> int:
    """Print the facts of a bundle; 1 if it is damaged."""
    bundle = load_input(file)
    primary = bundle.primary
    declared = [*map(dependency_text, bundle.dependencies)]
    if not as_text:
        facts = {
            "path": plain(file.name),
            "kind": "casset",
            "format": bundle.format_name,
            "version": list(bundle.version),
            "name": plain(bundle.name),
            "uuid": uuid_text(bundle.uuid),
            "source": plain(bundle.source),
            "cooked": bool(bundle.cooked),
            "dependencies": [*map(plain, declared)],
            "types": [plain(layout.name) for layout in bundle.schema],
            "schema": [_layout_plain(layout, bundle.schema) for layout in bundle.schema],
            "objects": len(bundle.objects),
            "primary": plain(primary.class_name) if primary else None,
            "size": file.size,
            "problems": [str(problem) for problem in bundle.problems],
        }
        print_json(facts)
        return int(bool(bundle.problems))
    rows: list[tuple[str, object]] = [
        ("file", file.name),
        ("format", f".casset {bundle.format_name}"),
        ("name", bundle.name),
        ("uuid", uuid_text(bundle.uuid)),
        ("size", f"{file.size:,} bytes"),
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
    print(("\n" if number else "") + table(rows))
    for layout in bundle.schema:
        facts = _layout_plain(layout, bundle.schema)
        print(f"{facts['kind']} {printable(layout.name)}, version {layout.version}")
        print(table([(f"  {row['name']}", row["type"]) for row in facts["fields"]] or [("  (no fields)",)]))
    return int(bool(bundle.problems))


def _layout_plain(layout: Layout, schema: Sequence[Layout]) -> dict[str, Any]:
    """Return a type of the schema table with its fields.

    A struct's field names that struct.
    """
    fields = []
    for field in layout.fields:
        shown = field.type_name
        if 0 <= field.schema < len(schema):
            shown = f"{schema[field.schema].name}{'[]' if shown.endswith('[]') else ''}"
        fields.append({"name": plain(field.name), "type": plain(shown)})
    kinds = {kind.value: kind.name.lower() for kind in Kind}
    kind = kinds.get(layout.kind, str(layout.kind))
    return {"name": plain(layout.name), "kind": kind, "version": layout.version, "fields": fields}


def print_objects(file: Input, number: int, classes: Collection[str], *, as_text: bool, several: bool) -> int:
    """Print the objects of a bundle; 1 if it is damaged.

    Of some classes or of all.
    """
    bundle = load_input(file)
    entries = of_classes(bundle, classes)
    if not as_text:
        print_json_lines({"bundle": plain(file.name), **_facts(entry)} for entry in entries)
        return int(bool(bundle.problems))
    title(file.name, number, several=several)
    rows: list[tuple[object, ...]] = [("path", "class", "asset", "bytes", "uuid")]
    for entry in entries:
        mark = "  (broken)" if entry.problem else ""
        asset = "yes" if entry.is_asset else "-"
        rows.append((place(bundle, entry), entry.class_name + mark, asset, entry.size, uuid_text(entry.uuid)))
    print(table(rows, right=frozenset((3,))))
    return int(bool(bundle.problems))


def find_rows(
    file: Input, is_wanted: Callable[[str], object], classes: Collection[str]
) -> tuple[list[tuple[str, ...]], list[dict[str, Any]]]:
    """Return the objects that match, for people and programs.

    As rows (bundle, object, class, name, container), and for JSON.
    """
    bundle = load_input(file)
    found = list(search(bundle, is_wanted, classes))
    rows: list[tuple[str, ...]] = [
        (file.name, place(bundle, entry), entry.class_name, entry.name, "") for entry in found
    ]
    return rows, [{"bundle": plain(file.name), **_facts(entry)} for entry in found]


def print_object(file: Input, word: str, *, as_text: bool) -> int:
    """Print the values of an object; 1 if some are unreadable."""
    bundle = load_input(file)
    entry = lookup(bundle, word).objects[0]
    if not as_text:
        print_json({"bundle": plain(file.name), **_facts(entry), "fields": fields_of(entry)})
        return int(entry.problem is not None)
    print(table([("path", place(bundle, entry)), ("class", entry.class_name), ("uuid", uuid_text(entry.uuid))]))
    name_of = _namer(object_names(bundle), bundle.uuid)
    rows = [(leaf.path, leaf.type, shown(leaf.value, leaf.type, name_of)) for leaf in leaves(entry)]
    if rows:
        print(f"\n{table(rows)}")
    if entry.problem is not None:
        print(f"\n{printable(str(entry.problem))}")
    return int(entry.problem is not None)


def print_deps(file: Input, number: int, around: Neighbourhood, *, as_text: bool, several: bool) -> int:
    """Print the references of a bundle to others.

    1 if a bundle or an object of them is missing.
    """
    bundle = load_input(file)
    project = around.project(file)
    report = project.report(bundle)
    code = int(any(edge.verdict in MISSING for edge in report.edges))
    if not as_text:
        declared = map(dependency_text, bundle.dependencies)
        print_json({"path": plain(file.name), "declared": [*map(plain, declared)], **_report_facts(project, report)})
        return code
    title(file.name, number, several=several)
    _print_edges(bundle, project, report.edges)
    for finding in report.declared:
        times = f" ({finding.times} times)" if finding.verdict is Verdict.DUPLICATE else ""
        print(printable(f"{finding.verdict.value}: {project.name_of(finding.bundle)}{times}"))
    return code


def print_object_deps(
    file: Input, word: str, number: int, around: Neighbourhood, *, as_text: bool, several: bool
) -> int:
    """Print the references of an object to other bundles.

    1 if one of them is missing.
    """
    bundle = load_input(file)
    project = around.project(file)
    source = lookup(bundle, word).objects[0]
    edges = [edge for edge in project.report(bundle).edges if edge.use.source is source]
    if as_text:
        title(f"{file.name}#{place(bundle, source)}", number, several=several)
        _print_edges(bundle, project, edges)
    else:
        references = [_edge_facts(edge) for edge in edges]
        print_json({"path": plain(file.name), "object": plain(place(bundle, source)), "references": references})
    return int(any(edge.verdict in MISSING for edge in edges))


def print_usages(file: Input, number: int, around: Neighbourhood, *, as_text: bool, several: bool) -> int:
    """Print the references of a project to a bundle.

    1 if there are none.
    """
    return _print_users(file, None, number, around, as_text=as_text, several=several)


def print_object_usages(
    file: Input, word: str, number: int, around: Neighbourhood, *, as_text: bool, several: bool
) -> int:
    """Print the references of a project to an object.

    1 if there are none.
    """
    return _print_users(file, word, number, around, as_text=as_text, several=several)


def _print_users(
    file: Input, word: str | None, number: int, around: Neighbourhood, *, as_text: bool, several: bool
) -> int:
    bundle = load_input(file)
    graph = around.graph(file)
    wanted = None if word is None else lookup(bundle, word).objects[0]
    users = [
        (entry, edge) for entry, edge in graph.usages(bundle.uuid) if wanted is None or edge.use.object == wanted.uuid
    ]
    code = max(int(not users), around.say_unreadable((*graph.project.unreadable, *graph.unreadable)))
    name = file.name if wanted is None else f"{file.name}#{place(bundle, wanted)}"
    if not as_text:
        print_json_lines(
            {"path": plain(name), "bundle": plain(entry.path), "file": plain(entry.file), **_edge_facts(edge)}
            for entry, edge in users
        )
        return code
    title(name, number, several=several)
    names = {entry.uuid: entry.path or bundle.name for entry in bundle.objects}
    rows = [("bundle", "object", "field", "refers to")]
    for entry, edge in users:
        target = names.get(edge.use.object) or f"{uuid_text(edge.use.object)} (missing object)"
        rows.append((entry.path, edge.use.source.path or "(bundle)", edge.use.field, target))
    if users:
        print(table(rows))
    return code


def print_unused(around: Neighbourhood, *, as_text: bool) -> int:
    """Print unused bundles; 1 if there are any."""
    graph = around.graph(None)
    unused = graph.unused()
    if as_text:
        print("\n".join(printable(entry.path) for entry in unused), end="\n" if unused else "")
    else:
        print_json_lines({"path": plain(entry.path), "file": plain(entry.file)} for entry in unused)
    return max(int(bool(unused)), around.say_unreadable((*graph.project.unreadable, *graph.unreadable)))


def verification(file: Input, project: Project | None) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return findings, notes and other facts of `verify`. Raises FormatError or OSError."""
    bundle = load_input(file)
    with file.open() as stream:
        found = verify_bundle(bundle, stream, project)
    return list(found.findings), list(found.notes), {}


def print_project(project: Project, places: Sequence[str], verified: Collection[str], *, as_text: bool) -> int:
    """Print the problems between the bundles of a project.

    Shared UUIDs, and files that cannot be read.

    Returns 2 where a file cannot be read that is not one of those ``verified``, which said so themselves.
    """
    unreadable = [error for error in project.unreadable if error.path not in verified]
    duplicates = [
        {"uuid": uuid_text(uuid), "paths": [plain(entry.path) for entry in entries]}
        for uuid, entries in project.duplicates.items()
    ]
    if not as_text:
        said = [*map(str, unreadable)]
        print_json({"project": [*map(plain, places)], "unreadable": said, "duplicates": duplicates})
    else:
        for error in unreadable:
            print(printable(f"unreadable: {error}"))
        for found in duplicates:
            print(f"duplicate uuid: {found['uuid']} is that of {len(found['paths'])} bundles:")
            print("\n".join(printable(f"  {path}") for path in found["paths"]))
    return 2 if unreadable else int(bool(duplicates))


def print_diff(old_file: Input, new_file: Input, *, as_text: bool) -> int:
    """Print the differences of two bundles; 1 if there are any."""
    old, new = load_input(old_file), load_input(new_file)
    progress = Progress("objects")
    found = diff_bundles(old, new, progress=progress)
    progress.close()
    header = [
        {"what": plain(item.what), "old": _plain_header(item.old), "new": _plain_header(item.new)}
        for item in found.header
    ]
    old_names, new_names = (_namer(object_names(bundle), bundle.uuid) for bundle in (old, new))
    objects = _object_changes(found, old_names, new_names)
    if not as_text:
        print_json({"header": header, "objects": objects})
        return int(bool(found))
    for line in header:
        print(printable(f"{line['what']}: {_flat(line['old'])} -> {_flat(line['new'])}"))
    for item in objects:
        if "removed" in item:
            print(printable(f"- {item['removed']}  {item['class']}"))
        elif "added" in item:
            print(printable(f"+ {item['added']}  {item['class']}"))
        else:
            now = "" if item["now"] == item["changed"] else f" -> {item['now']}"
            print(printable(f"~ {item['changed']}{now}"))
            for change in item["values"]:
                print(printable(f"    {change['field']}: {_flat(change['old'])} -> {_flat(change['new'])}"))
    return int(bool(found))


def extract_all(file: Input, folder: Folder) -> list[str]:
    """Write all objects of a bundle; return the paths.

    As JSON, with their blobs as files.
    """
    bundle = load_input(file)
    return [path for entry in bundle.objects for path in _extract(bundle, entry, folder)]


def extract_object(file: Input, word: str, folder: Folder) -> list[str]:
    """Write an object and its blobs; return the paths.

    The object as JSON, its blobs as files.
    """
    bundle = load_input(file)
    return _extract(bundle, lookup(bundle, word).objects[0], folder)


def _extract(bundle: Bundle, entry: BundleObject, folder: Folder) -> list[str]:
    name = entry.path or bundle.name
    written = [
        folder.write(f"{name}.{leaf.path}", ".bin", (leaf.value.data,))
        for leaf in leaves(entry)
        if isinstance(leaf.value, Blob)
    ]
    facts = {**_facts(entry), "fields": fields_of(entry)}
    return [*written, folder.write(name, ".json", (json_document(facts),))]


def _facts(entry: BundleObject) -> dict[str, Any]:
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


def _namer(names: Mapping[bytes, str], own: bytes) -> Callable[[bytes, bytes], str]:
    """Return a function that names targets of references.

    ``names`` are those of the bundle ``own``.
    """

    def name_of(found: bytes, holder: bytes) -> str:
        if holder == own:
            return names.get(found, f"{uuid_text(found)} (missing object)")
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


def _report_facts(project: Project, report: Report) -> dict[str, Any]:
    return {
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


def _print_edges(bundle: Bundle, project: Project, edges: Sequence[Edge]) -> None:
    rows = [("verdict", "object", "field", "refers to")]
    for edge in edges:
        target = project.name_of(edge.use.bundle)
        inner = project.object_path(edge.use.bundle, edge.use.object)
        source = place(bundle, edge.use.source)
        rows.append((edge.verdict.value, source, edge.use.field, f"{target} {inner}" if inner else target))
    if edges:
        print(table(rows))


def _object_changes(
    found: BundleDiff, old_names: Callable[[bytes, bytes], str], new_names: Callable[[bytes, bytes], str]
) -> list[dict[str, Any]]:
    objects: list[dict[str, Any]] = []
    for item in found.objects:
        if item.new is None:
            objects.append({"removed": plain(item.old), "class": plain(item.class_name)})
        elif item.old is None:
            objects.append({"added": plain(item.new), "class": plain(item.class_name)})
        else:
            values = [
                {
                    "field": plain(change.field),
                    "old": _side(change.old, old_names),
                    "new": _side(change.new, new_names),
                }
                for change in item.values
            ]
            objects.append({"changed": plain(item.old), "now": plain(item.new), "values": values})
    return objects


def _side(leaf: Leaf | None, name_of: Callable[[bytes, bytes], str]) -> str | None:
    return None if leaf is None else shown(leaf.value, leaf.type, name_of)


def _plain_header(value: str | tuple[str, ...] | None) -> Any:  # noqa: ANN401 - what json takes
    return [*map(plain, value)] if isinstance(value, tuple) else plain(value)


def _flat(value: object) -> str:
    if value is None:
        return "(none)"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
