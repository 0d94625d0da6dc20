"""Answers about a ``.casset`` bundle: summary, objects, values, references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.bundle.each import grouped
from assetdb.cli.bundle.inputs import Match, Matches
from assetdb.cli.bundle.kinds.casset_values import fields_of, plain, shown
from assetdb.cli.bundle.kinds.questions import Title, VerifiedBundle
from assetdb.cli.terminal import Progress, json_document, printable, table
from assetdb_formats.casset.files import load_input
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import Blob, Kind
from assetdb_formats.casset.project import MISSING, Verdict
from assetdb_formats.casset.queries.diff import diff_bundles
from assetdb_formats.casset.queries.flatten import leaves
from assetdb_formats.casset.queries.objects import dependency_text, lookup, object_names, of_classes, place, search
from assetdb_formats.casset.queries.verify import verify_bundle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from assetdb.cli.bundle.folder import ExtractionFolder
    from assetdb.cli.bundle.kinds.questions import Answer
    from assetdb.cli.bundle.neighbourhood import Neighbourhood
    from assetdb_formats.casset.model import Bundle, BundleObject, Layout
    from assetdb_formats.casset.project import Edge, Project, Report
    from assetdb_formats.casset.queries.diff import BundleDiff
    from assetdb_formats.casset.queries.flatten import Leaf
    from assetdb_formats.inputs import Input

_RANKS: Final = ("path", "uuid", "name")


def matches(file: Input, word: str) -> Matches:
    """Return the objects of a bundle that a word means."""
    known = lookup(load_input(file), word)
    return Matches(
        tuple(Match(_RANKS.index(known.by), uuid_text(entry.uuid), entry.class_name) for entry in known.objects),
        known.names,
    )


def info(file: Input, *, as_text: bool) -> Answer:
    """Yield the facts of a bundle; 1 if it is damaged."""
    bundle = load_input(file)
    primary = bundle.primary
    declared = [*map(dependency_text, bundle.dependencies)]
    schema = [_layout_plain(layout, bundle.schema) for layout in bundle.schema]
    if not as_text:
        yield {
            "path": plain(file.name),
            "kind": "casset",
            "format": bundle.format_name,
            "version": list(bundle.version),
            "name": plain(bundle.name),
            "uuid": uuid_text(bundle.uuid),
            "source": plain(bundle.source),
            "cooked": bool(bundle.cooked),
            "dependencies": [*map(plain, declared)],
            "types": [layout["name"] for layout in schema],
            "schema": schema,
            "objects": len(bundle.objects),
            "primary": plain(primary.class_name) if primary else None,
            "size": file.size,
            "problems": [str(problem) for problem in bundle.problems],
        }
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
    yield table(rows)
    for layout in schema:
        yield f"{layout['kind']} {printable(layout['name'])}, version {layout['version']}"
        yield table([(f"  {row['name']}", row["type"]) for row in layout["fields"]] or [("  (no fields)",)])
    return int(bool(bundle.problems))


def _layout_plain(layout: Layout, schema: Sequence[Layout]) -> dict[str, Any]:
    """Return a type of the schema table with its fields."""
    fields = []
    for field in layout.fields:
        shown = field.type_name
        if 0 <= field.schema < len(schema):
            shown = f"{schema[field.schema].name}{'[]' if shown.endswith('[]') else ''}"
        fields.append({"name": plain(field.name), "type": plain(shown)})
    kinds = {kind.value: kind.name.lower() for kind in Kind}
    kind = kinds.get(layout.kind, str(layout.kind))
    return {"name": plain(layout.name), "kind": kind, "version": layout.version, "fields": fields}


def objects(file: Input, classes: Collection[str], *, as_text: bool) -> Answer:
    """Yield the objects of some classes, or all; 1 if damaged."""
    bundle = load_input(file)
    if not as_text:
        for entry in of_classes(bundle, classes):
            yield {"bundle": plain(file.name), **_facts(entry)}
        return int(bool(bundle.problems))
    yield Title(file.name)
    rows: list[tuple[object, ...]] = [("path", "class", "asset", "bytes", "uuid")]
    for entry in of_classes(bundle, classes):
        mark = "  (broken)" if entry.problem else ""
        asset = "yes" if entry.is_asset else "-"
        rows.append((place(bundle, entry), entry.class_name + mark, asset, entry.size, uuid_text(entry.uuid)))
    yield table(rows, right=frozenset((3,)))
    return int(bool(bundle.problems))


def found(
    file: Input, is_wanted: Callable[[str], object], classes: Collection[str]
) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """Return the objects that match, as table rows and facts."""
    bundle = load_input(file)
    return [
        (
            (file.name, place(bundle, entry), entry.class_name, entry.name, ""),
            {"bundle": plain(file.name), **_facts(entry)},
        )
        for entry in search(bundle, is_wanted, classes)
    ]


def values(file: Input, word: str, *, as_text: bool) -> Answer:
    """Yield the values of an object; 1 if some are unreadable."""
    bundle = load_input(file)
    entry = lookup(bundle, word).objects[0]
    code = int(entry.problem is not None)
    if not as_text:
        yield {"bundle": plain(file.name), **_facts(entry), "fields": fields_of(entry)}
        return code
    yield table([("path", place(bundle, entry)), ("class", entry.class_name), ("uuid", uuid_text(entry.uuid))])
    name_of = _namer(object_names(bundle), bundle.uuid)
    rows = [(leaf.path, leaf.type, shown(leaf.value, leaf.type, name_of)) for leaf in leaves(entry)]
    if rows:
        yield f"\n{table(rows)}"
    if entry.problem is not None:
        yield f"\n{printable(str(entry.problem))}"
    return code


def references(file: Input, word: str, around: Neighbourhood, *, as_text: bool) -> Answer:
    """Yield the references of a bundle or object; 1 if broken."""
    bundle = load_input(file)
    project = around.project(file)
    source = lookup(bundle, word).objects[0] if word else None
    report = project.report(bundle)
    edges = [edge for edge in report.edges if source is None or edge.use.source is source]
    name = file.name if source is None else f"{file.name}#{place(bundle, source)}"
    if as_text:
        yield Title(name)
        yield from _edge_table(bundle, project, edges)
        for finding in report.declared if source is None else ():
            times = f" ({finding.times} times)" if finding.verdict is Verdict.DUPLICATE else ""
            yield printable(f"{finding.verdict.value}: {project.name_of(finding.bundle)}{times}")
    elif source is None:
        declared = map(dependency_text, bundle.dependencies)
        yield {"path": plain(file.name), "declared": [*map(plain, declared)], **_report_facts(project, report)}
    else:
        facts = [_edge_facts(edge) for edge in edges]
        yield {"path": plain(file.name), "object": plain(place(bundle, source)), "references": facts}
    return int(any(edge.verdict in MISSING for edge in edges))


def users(file: Input, word: str, around: Neighbourhood, *, as_text: bool) -> Answer:
    """Yield the users of a bundle or object; 1 without any."""
    bundle = load_input(file)
    graph = around.graph(file)
    wanted = lookup(bundle, word).objects[0] if word else None
    edges = [
        (entry, edge) for entry, edge in graph.usages(bundle.uuid) if wanted is None or edge.use.object == wanted.uuid
    ]
    code = max(int(not edges), around.say_unreadable((*graph.project.unreadable, *graph.unreadable)))
    name = file.name if wanted is None else f"{file.name}#{place(bundle, wanted)}"
    if not as_text:
        for entry, edge in edges:
            yield {"path": plain(name), "bundle": plain(entry.path), "file": plain(entry.file), **_edge_facts(edge)}
        return code
    yield Title(name)
    names = {entry.uuid: entry.path or bundle.name for entry in bundle.objects}
    rows = [("bundle", "object", "field", "refers to")]
    for entry, edge in edges:
        target = names.get(edge.use.object) or f"{uuid_text(edge.use.object)} (missing object)"
        rows.append((entry.path, edge.use.source.path or "(bundle)", edge.use.field, target))
    if edges:
        yield table(rows)
    return code


def unused(around: Neighbourhood, *, as_text: bool) -> Answer:
    """Yield the bundles without a user; 1 if there are any."""
    graph = around.graph(None)
    entries = graph.unused()
    for entry in entries:
        yield printable(entry.path) if as_text else {"path": plain(entry.path), "file": plain(entry.file)}
    return max(int(bool(entries)), around.say_unreadable((*graph.project.unreadable, *graph.unreadable)))


def verification(file: Input, project: Project | None) -> VerifiedBundle:
    """Check a bundle, and its references in a project."""
    bundle = load_input(file)
    with file.open() as stream:
        report = verify_bundle(bundle, stream, project)
    return VerifiedBundle(tuple(report.findings), tuple(report.notes), {"notes": list(report.notes)})


def project_problems(project: Project, places: Sequence[str], verified: Collection[str], *, as_text: bool) -> Answer:
    """Yield the problems between bundles, except files in ``verified``."""
    unreadable = [error for error in project.unreadable if error.path not in verified]
    duplicates = [
        {"uuid": uuid_text(uuid), "paths": [plain(entry.path) for entry in entries]}
        for uuid, entries in project.duplicates.items()
    ]
    if not as_text:
        errors = [*map(str, unreadable)]
        yield {"project": [*map(plain, places)], "unreadable": errors, "duplicates": duplicates}
    else:
        for error in unreadable:
            yield printable(f"unreadable: {error}")
        for duplicate in duplicates:
            yield f"duplicate uuid: {len(duplicate['paths'])} bundles have {duplicate['uuid']}:"
            for path in duplicate["paths"]:
                yield printable(f"  {path}")
    return 2 if unreadable else int(bool(duplicates))


def difference(old: Input, new: Input, *, as_text: bool) -> Answer:
    """Yield the differences of two bundles; 1 if there are any."""
    before, after = load_input(old), load_input(new)
    with Progress("objects") as progress:
        changes = diff_bundles(before, after, progress=progress)
    header = [
        {"what": plain(item.what), "old": _plain_header(item.old), "new": _plain_header(item.new)}
        for item in changes.header
    ]
    old_names, new_names = (_namer(object_names(bundle), bundle.uuid) for bundle in (before, after))
    changed = _object_changes(changes, old_names, new_names)
    if as_text:
        yield from _difference_text(header, changed)
    else:
        yield {"header": header, "objects": changed}
    return int(bool(changes))


def _difference_text(header: list[dict[str, Any]], changed: list[dict[str, Any]]) -> Iterator[str]:
    for line in header:
        yield printable(f"{line['what']}: {_flat(line['old'])} -> {_flat(line['new'])}")
    for item in changed:
        if "removed" in item:
            yield printable(f"- {item['removed']}  {item['class']}")
        elif "added" in item:
            yield printable(f"+ {item['added']}  {item['class']}")
        else:
            renamed = "" if item["now"] == item["changed"] else f" -> {item['now']}"
            yield printable(f"~ {item['changed']}{renamed}")
            for change in item["values"]:
                yield printable(f"    {change['field']}: {_flat(change['old'])} -> {_flat(change['new'])}")


def extract(file: Input, word: str, folder: ExtractionFolder) -> list[str]:
    """Write objects as JSON with their blobs as files; return the paths."""
    bundle = load_input(file)
    entries = lookup(bundle, word).objects[:1] if word else bundle.objects
    return [path for entry in entries for path in _extract(bundle, entry, folder)]


def _extract(bundle: Bundle, entry: BundleObject, folder: ExtractionFolder) -> list[str]:
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
    """Return a function that names targets of references."""

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


def _edge_table(bundle: Bundle, project: Project, edges: Sequence[Edge]) -> Iterator[str]:
    rows = [("verdict", "object", "field", "refers to")]
    for edge in edges:
        target = project.name_of(edge.use.bundle)
        inner = project.object_path(edge.use.bundle, edge.use.object)
        source = place(bundle, edge.use.source)
        rows.append((edge.verdict.value, source, edge.use.field, f"{target} {inner}" if inner else target))
    if edges:
        yield table(rows)


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
                {"field": plain(change.field), "old": _side(change.old, old_names), "new": _side(change.new, new_names)}
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
