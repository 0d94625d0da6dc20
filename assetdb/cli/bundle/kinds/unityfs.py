"""Answers about a UnityFS bundle: summary, objects, values, references."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.bundle.inputs import Match, Matches
from assetdb.cli.bundle.kinds.questions import Title, VerifiedBundle
from assetdb.cli.bundle.kinds.unityfs_values import as_json, class_name_of, shown, shown_sides
from assetdb.cli.fields import fields_of
from assetdb.cli.terminal import Progress, fail, json_document, plain, printable, table
from assetdb_formats.unityfs.bundle import Bundle, ObjectReader, open_input
from assetdb_formats.unityfs.extracted_trees import TREES_NAME
from assetdb_formats.unityfs.queries.diff import header_changes
from assetdb_formats.unityfs.queries.objects import ObjectInfo, describe, find_object, lookup, search
from assetdb_formats.unityfs.queries.summary import BundleSummary, FileSummary, summarize
from assetdb_formats.unityfs.queries.usages import (
    Verdict,
    bundle_usages,
    external_references,
    object_references,
    object_usages,
    resolve_reference,
    unused_bundles,
)
from assetdb_formats.unityfs.queries.verify import verify_bundle
from assetdb_formats.unityfs.release import is_stripped
from assetdb_formats.unityfs.serialized_files.loaded import TEXT_ASSET
from assetdb_formats.unityfs.serialized_files.tree_values import leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assetdb.cli.bundle.folder import ExtractionFolder
    from assetdb.cli.bundle.kinds.questions import Answer
    from assetdb.cli.bundle.neighbourhood import Neighbourhood
    from assetdb_formats.casset.project import Project
    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.queries.usages import ObjectReference
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

_RANKS: Final = ("file", "PathID", "container path", "name")
_CLASSES: Final = 6  # that `info` names


def opened(file: Input) -> Bundle:
    """Open a bundle. Raises FormatError or OSError."""
    return open_input(file, class_names=class_name_of)


def matches(file: Input, word: str) -> Matches:
    """Return the objects and files that a word means."""
    with opened(file) as bundle:
        if any(node.path == word != "" for node in bundle.nodes):
            return Matches((Match(0, word, "file"),), frozenset())
        found = lookup(bundle, word)
        return Matches(
            tuple(Match(_RANKS.index(found.by), item.id, item.class_name) for item in found.objects), found.names
        )


def info(file: Input, *, as_text: bool) -> Answer:
    """Yield the facts of a bundle."""
    with opened(file) as bundle:
        summary = summarize(bundle)
    if not as_text:
        yield {"path": plain(file.name), "kind": "unityfs", **_info_facts(summary)}
        return 0
    yield table(_info_rows(file.name, summary))
    rows: list[tuple[object, ...]] = [("file", "bytes", "objects", "version")]
    for part in summary.files:
        counts = ("-", "-") if part.version is None else (part.objects, part.version)
        rows.append((part.name or "(the file itself)", part.size, *counts))
    yield f"\n{table(rows, right=frozenset((1, 2, 3)))}"
    return 0


def objects(file: Input, classes: Collection[str], *, as_text: bool) -> Answer:
    """Yield the objects of some classes, or all."""
    with opened(file) as bundle:
        if not as_text:
            for item in bundle.objects(classes):
                yield {"bundle": plain(file.name), **fields_of(describe(item))}
            return 0
        by_file: dict[str, list[ObjectInfo]] = {item.node.path: [] for item in bundle.files()}
        for item in bundle.objects(classes):
            by_file[item.file.node.path].append(describe(item))
    yield Title(file.name)
    for place, (name, found) in enumerate(by_file.items()):
        if len(by_file) > 1:
            yield f"{chr(10) if place else ''}{printable(name)}:"
        rows = [("PathID", "class", "bytes", "name", "container")]
        rows += [(str(i.path_id), i.class_name, str(i.size), i.name, ", ".join(i.container)) for i in found]
        yield table(rows, right=frozenset((0, 2)))
    return 0


def found(
    file: Input, is_wanted: Callable[[str], object], classes: Collection[str]
) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """Return the objects that match, as table rows and facts."""
    with opened(file) as bundle:
        return [
            (
                (file.name, str(item.path_id), item.class_name, item.name, ", ".join(item.container)),
                {"bundle": plain(file.name), **fields_of(item)},
            )
            for item in search(bundle, is_wanted, classes)
        ]


def values(file: Input, word: str, *, as_text: bool) -> Answer:
    """Yield the values of an object."""
    with opened(file) as bundle:
        item = find_object(bundle, word)
        if item is None:
            return fail(f"{file.name}: {word} is a file of the bundle, not an object; extract writes it")
        facts = fields_of(describe(item))
        value = item.value()
        if not as_text:
            yield {"bundle": plain(file.name), **facts, "value": as_json(value)}
            return 0
        yield table([(key, _joined(fact)) for key, fact in facts.items() if fact not in ("", [])])

        def target(pointer: PPtr) -> str:
            return _reference_text(resolve_reference(item, "", pointer), file.name)

        rows = [(path, shown(leaf, target)) for path, leaf in leaves(value)]
        if rows:
            yield f"\n{table(rows)}"
    return 0


def references(file: Input, word: str, around: Neighbourhood, *, as_text: bool) -> Answer:
    """Yield the references of a bundle or object; 1 if broken."""
    if word:
        return (yield from _object_references(file, word, around, as_text=as_text))
    with opened(file) as bundle:
        external = list(external_references(bundle, around.bundles(file)))
        own = bundle.asset_bundle()
        declared = own[1].dependencies if own else ()
    code = int(any(item.verdict is Verdict.MISSING for item in external))
    if not as_text:
        facts = [{**fields_of(item, path="external"), "verdict": item.verdict.value} for item in external]
        yield {"path": plain(file.name), "declared": [*map(plain, declared)], "externals": facts}
        return code
    yield Title(file.name)
    if external:
        rows = [("verdict", "file", "refers to", "in")]
        rows += [(i.verdict.value, i.file or _own_name(file.name), i.path, i.bundle or "-") for i in external]
        yield table(rows)
    for name in declared:
        yield f"declared: {printable(name)}"
    return code


def _object_references(file: Input, word: str, around: Neighbourhood, *, as_text: bool) -> Answer:
    with opened(file) as bundle, around.bundles(file) as neighbours:
        source = find_object(bundle, word)
        if source is None:
            return _not_an_object(file, word)
        items = list(object_references(source, neighbours))
        if as_text:
            yield Title(f"{file.name}#{source.id}")
            if items:
                rows = [(item.field, _reference_text(item, file.name)) for item in items]
                yield table([("field", "refers to"), *rows])
            return 0
        facts = [
            {
                "field": plain(item.field),
                "file": plain(item.external),
                "path_id": item.path_id,
                "bundle": item.bundle,
                "class": plain(item.target.class_name) if item.target else None,
                "name": plain(item.target.name) if item.target else None,
            }
            for item in items
        ]
        yield {"path": plain(file.name), "object": plain(source.id), "references": facts}
    return 0


def users(file: Input, word: str, around: Neighbourhood, *, as_text: bool) -> Answer:
    """Yield the users of a bundle or object; 1 without any."""
    neighbours = around.bundles(file)
    name = file.name
    rows: list[dict[str, Any]]
    with opened(file) as bundle:
        if not word:
            rows = [
                {
                    "bundle": item.bundle,
                    "file": plain(item.file or (_own_name(item.bundle) if as_text else "")),
                    "refers to": plain(item.path),
                }
                for item in bundle_usages(file, bundle, neighbours)
            ]
        else:
            target = find_object(bundle, word)
            if target is None:
                return _not_an_object(file, word)
            name = f"{file.name}#{target.id}"
            with Progress("bundles") as progress:
                rows = list(map(fields_of, object_usages(file, target, neighbours, progress=progress)))
    code = max(int(not rows), around.say_unreadable(neighbours.unreadable))
    if not as_text:
        for row in rows:
            yield {"path": plain(name), **{key.replace(" ", "_"): value for key, value in row.items()}}
        return code
    yield Title(name)
    if rows:
        yield table([tuple(rows[0]), *(tuple(row.values()) for row in rows)])
    return code


def unused(around: Neighbourhood, *, as_text: bool) -> Answer:
    """Yield the bundles without a user; 1 if there are any."""
    neighbours = around.bundles(None)
    paths = unused_bundles(neighbours)
    for path in paths:
        yield printable(path) if as_text else {"path": plain(path)}
    return max(int(bool(paths)), around.say_unreadable(neighbours.unreadable))


def verification(file: Input, project: Project | None) -> VerifiedBundle:  # noqa: ARG001 - of a .casset alone
    """Check a bundle."""
    with opened(file) as bundle:
        report = verify_bundle(bundle)
    why = "there are no type trees"
    if report.without_trees:
        why = f"{report.without_trees:,} need their type trees of {TREES_NAME}, which is not there or lacks them"
    notes = (f"the values of {report.unread:,} objects were not checked: {why}",) if report.unread else ()
    facts = {"crc32": report.crc32, "unread": report.unread, "without_trees": report.without_trees}
    return VerifiedBundle(tuple(report.findings), notes, facts)


def difference(old: Input, new: Input, *, as_text: bool) -> Answer:
    """Yield the differences of two bundles; 1 if there are any."""
    from assetdb.builds.query.bundles import compare_bundles  # noqa: PLC0415 - the other commands need no builds

    changed = []
    with opened(old) as before, opened(new) as after:
        header = header_changes(before, after)
    found = compare_bundles(old, new)
    code = max([0, *map(fail, found.problems)])
    for change in found.changes:
        facts = fields_of(change._replace(values=()))
        del facts["values"]
        if change.change == "~":
            sides = ((value.field, *shown_sides(value.old, value.new, _place)) for value in change.values)
            facts["values"] = [{"field": plain(field), "old": left, "new": right} for field, left, right in sides]
        changed.append(facts)
    code = max(code, int(bool(header or changed)))
    if not as_text:
        yield {"header": [*map(fields_of, header)], "objects": changed}
        return code
    for item in header:
        yield printable(f"{item.what}: {_joined(item.old)} -> {_joined(item.new)}")
    for facts in changed:
        former = f"  ({facts['before']} before)" if facts["before"] else ""
        yield printable(f"{facts['change']} {facts['object']}  {facts['class']}  {facts['name']}".rstrip() + former)
        for value in facts.get("values", ()):
            yield printable(f"    {value['field']}: {value['old']} -> {value['new']}")
    return code


def extract(file: Input, word: str, folder: ExtractionFolder) -> list[str]:
    """Write a bundle's files, a text, or an object as JSON."""
    with opened(file) as bundle:
        item = find_object(bundle, word) if word else None
        if item is not None:
            return [_extract_object(item, folder)]
        return [
            folder.write(node.path or _own_name(file.name), "", bundle.pieces(node))
            for node in bundle.nodes
            if not word or node.path == word
        ]


def _extract_object(item: ObjectReader, folder: ExtractionFolder) -> str:
    known = item.container
    name = item.name or (os.path.basename(known[0]) if known else str(item.path_id))
    if not item.has_layout:
        return folder.write(name, ".bin", item.file.pieces(item.entry))
    if item.entry.class_id == TEXT_ASSET:
        ending = os.path.splitext(known[0])[1] if known else ""
        suffix = "" if ending and name.endswith(ending) else ending or ".txt"
        return folder.write(name, suffix, (item.file.text(item.entry),))
    facts = {**fields_of(describe(item)), "value": as_json(item.value())}
    return folder.write(name, ".json", (json_document(facts),))


def _not_an_object(file: Input, word: str) -> int:
    return fail(f"{file.name}: {word} is a file of the bundle, not an object")


def _own_name(path: str) -> str:
    """Return the name of a SerializedFile outside bundles."""
    return path.replace("\\", "/").rpartition("/")[2]


def _info_facts(summary: BundleSummary) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    archive = summary.archive
    if archive is not None:
        facts |= {
            "signature": archive.signature,
            "format": archive.format,
            "unity_version": plain(archive.unity_version),
            "size": archive.size,
            "decoded_size": archive.decoded_size,
            "flags": archive.flags,
            "blocks": len(archive.blocks),
            "compression": list(summary.compressions),
        }
    if summary.inferred_version:
        facts["inferred_version"] = summary.inferred_version
    asset_bundle = summary.asset_bundle
    if asset_bundle is not None:
        facts |= {
            "name": plain(asset_bundle.name),
            "scenes": asset_bundle.scenes,
            "container": [
                {"path": plain(entry.path), "path_id": entry.asset.path_id} for entry in asset_bundle.container
            ],
            "dependencies": [*map(plain, asset_bundle.dependencies)],
        }
    facts["files"] = [_file_facts(part) for part in summary.files]
    return facts


def _file_facts(part: FileSummary) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": plain(part.name), "size": part.size}
    if part.version is not None:
        facts |= {
            "version": part.version,
            "unity_version": plain(part.unity_version or ""),
            "platform": part.platform,
            "type_trees": part.type_trees,
            "types": part.types,
            "objects": part.objects,
            "externals": [*map(plain, part.externals or ())],
        }
    return facts


def _info_rows(path: str, summary: BundleSummary) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = [("file", path)]
    archive = summary.archive
    if archive is not None:
        rows += [
            ("format", f"{archive.signature} {archive.format}"),
            ("Unity", _version_text(summary)),
            ("size", f"{archive.size:,} bytes, {archive.decoded_size:,} decoded"),
            ("blocks", f"{len(archive.blocks)} ({', '.join(summary.compressions)})"),
        ]
    else:
        rows += [("format", "SerializedFile"), ("Unity", _version_text(summary))]
    asset_bundle = summary.asset_bundle
    if asset_bundle is not None:
        rows += [
            ("name", asset_bundle.name),
            ("assets", len(asset_bundle.container)),
            ("preload", len(asset_bundle.preload)),
        ]
        if asset_bundle.scenes:
            rows.append(("kind", "scenes"))
        rows += [("declares", name) for name in asset_bundle.dependencies]
    rows.append(("objects", sum(count for _, count in summary.classes)))
    most = ", ".join(f"{count} {name}" for name, count in summary.classes[:_CLASSES])
    more = len(summary.classes) - _CLASSES
    rows.append(("classes", f"{most}, and {more} more" if more > 0 else most))
    return rows


def _version_text(summary: BundleSummary) -> str:
    """Return a version for people, inferred where it was stripped."""
    version = summary.unity_version
    if not is_stripped(version):
        return version
    stated = f"{version} (stripped)" if version else "not stated"
    return f"{stated}; inferred: {summary.inferred_version}" if summary.inferred_version else stated


def _joined(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "(none)"
    return str(value)


def _reference_text(item: ObjectReference, own: str) -> str:
    """Return the target of a reference, for people."""
    if item.bundle is None:
        return f"{item.path_id} in {item.external}"
    if item.target is None:
        return f"{item.path_id} (no such object)"
    name = f" {item.target.name}" if item.target.name else ""
    place = item.target.file if item.bundle == own else item.bundle
    return f"{item.path_id} ({item.target.class_name}{name}){f' in {place}' if item.external else ''}"


def _place(pointer: PPtr) -> str:
    return f"{pointer.file_id}:{pointer.path_id}"
