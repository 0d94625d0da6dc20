"""Output of one UnityFS bundle: summary, objects, values, references."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.cli.bundle.each import title
from assetdb.cli.bundle.inputs import Match, Matches
from assetdb.cli.bundle.unityfs_values import as_json, class_name_of, plain, shown
from assetdb.cli.terminal import Progress, fail, json_document, print_json, print_json_lines, printable, table
from assetdb_formats.unityfs.bundle import Bundle, ObjectReader, open_input
from assetdb_formats.unityfs.queries.diff import header_changes, object_changes
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
    from collections.abc import Callable, Collection, Iterable

    from assetdb.cli.bundle.folder import Folder
    from assetdb.cli.bundle.neighbourhood import Neighbourhood
    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.queries.usages import ObjectReference
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr, Value

_RANKS: Final = ("file", "PathID", "container path", "name")
_CLASSES: Final = 6  # that `info` names


def opened(file: Input) -> Bundle:
    """Open a bundle. Raises FormatError or OSError."""
    return open_input(file, class_names=class_name_of)


def matches(file: Input, word: str) -> Matches:
    """Return the objects and files that a word means.

    Raises FormatError or OSError.
    """
    with opened(file) as bundle:
        if any(node.path == word != "" for node in bundle.nodes):
            return Matches((Match(0, word, "file"),), frozenset())
        found = lookup(bundle, word)
        return Matches(
            tuple(Match(_RANKS.index(found.by), item.id, item.class_name) for item in found.objects), found.names
        )


def print_info(file: Input, number: int, *, as_text: bool) -> int:
    """Print the facts of a bundle."""
    with opened(file) as bundle:
        summary = summarize(bundle)
    if not as_text:
        print_json({"path": plain(file.name), "kind": "unityfs", **_info_facts(summary)})
        return 0
    print(("\n" if number else "") + table(_info_rows(file.name, summary)))
    rows: list[tuple[object, ...]] = [("file", "bytes", "objects", "version")]
    for part in summary.files:
        counts = ("-", "-") if part.version is None else (part.objects, part.version)
        rows.append((part.name or "(the file itself)", part.size, *counts))
    print(f"\n{table(rows, right=frozenset((1, 2, 3)))}")
    return 0


def print_objects(file: Input, number: int, classes: Collection[str], *, as_text: bool, several: bool) -> int:
    """Print the objects of a bundle, of some classes or of all."""
    with opened(file) as bundle:
        if not as_text:
            print_json_lines({"bundle": plain(file.name), **_facts(describe(item))} for item in bundle.objects(classes))
            return 0
        by_file: dict[str, list[ObjectInfo]] = {item.node.path: [] for item in bundle.files()}
        for item in bundle.objects(classes):
            by_file[item.file.node.path].append(describe(item))
    title(file.name, number, several=several)
    for place, (name, objects) in enumerate(by_file.items()):
        title(name, place, several=len(by_file) > 1)
        rows = [("PathID", "class", "bytes", "name", "container")]
        rows += [(str(i.path_id), i.class_name, str(i.size), i.name, ", ".join(i.container)) for i in objects]
        print(table(rows, right=frozenset((0, 2))))
    return 0


def find_rows(
    file: Input, is_wanted: Callable[[str], object], classes: Collection[str]
) -> tuple[list[tuple[str, ...]], list[dict[str, Any]]]:
    """Return the objects that match, for people and programs.

    As rows (bundle, object, class, name, container), and for JSON.
    """
    with opened(file) as bundle:
        found = list(search(bundle, is_wanted, classes))
    rows: list[tuple[str, ...]] = [
        (file.name, str(item.path_id), item.class_name, item.name, ", ".join(item.container)) for item in found
    ]
    return rows, [{"bundle": plain(file.name), **_facts(item)} for item in found]


def print_object(file: Input, word: str, *, as_text: bool) -> int:
    """Print the values of an object."""
    with opened(file) as bundle:
        found = find_object(bundle, word)
        if found is None:
            return fail(f"{file.name}: {word} is a file of the bundle, not an object; extract writes it")
        facts = _facts(describe(found))
        value = found.value()
        if not as_text:
            print_json({"bundle": plain(file.name), **facts, "value": as_json(value)})
            return 0
        print(table([(key, _joined(fact)) for key, fact in facts.items() if fact not in ("", [])]))

        def target(pointer: PPtr) -> str:
            return _reference_text(resolve_reference(found, "", pointer), file.name)

        rows = [(path, shown(leaf, target)) for path, leaf in leaves(value)]
        if rows:
            print(f"\n{table(rows)}")
    return 0


def print_deps(file: Input, number: int, around: Neighbourhood, *, as_text: bool, several: bool) -> int:
    """Print the files that a bundle refers to.

    With the bundles that have them; 1 if none has.
    """
    with opened(file) as bundle:
        found = list(external_references(bundle, around.bundles(file)))
        says = bundle.asset_bundle()
        declared = says[1].dependencies if says else ()
    code = int(any(item.verdict is Verdict.MISSING for item in found))
    if not as_text:
        facts = [
            {
                "verdict": item.verdict.value,
                "file": plain(item.file),
                "external": plain(item.path),
                "bundle": item.bundle,
            }
            for item in found
        ]
        print_json({"path": plain(file.name), "declared": [*map(plain, declared)], "externals": facts})
        return code
    title(file.name, number, several=several)
    rows = [("verdict", "file", "refers to", "in")]
    rows += [(item.verdict.value, item.file or _own_name(file.name), item.path, item.bundle or "-") for item in found]
    if found:
        print(table(rows))
    for name in declared:
        print(f"declared: {printable(name)}")
    return code


def print_object_deps(
    file: Input, word: str, number: int, around: Neighbourhood, *, as_text: bool, several: bool
) -> int:
    """Print the references of an object."""
    with opened(file) as bundle, around.bundles(file) as neighbours:
        source = find_object(bundle, word)
        if source is None:
            return fail(f"{file.name}: {word} is a file of the bundle, not an object")
        found = list(object_references(source, neighbours))
        if not as_text:
            facts = [
                {
                    "field": plain(item.field),
                    "file": plain(item.external),
                    "path_id": item.path_id,
                    "bundle": item.bundle,
                    "class": plain(item.target.class_name) if item.target else None,
                    "name": plain(item.target.name) if item.target else None,
                }
                for item in found
            ]
            print_json({"path": plain(file.name), "object": plain(source.id), "references": facts})
            return 0
        title(f"{file.name}#{source.id}", number, several=several)
        if found:
            print(table([("field", "refers to"), *((item.field, _reference_text(item, file.name)) for item in found)]))
    return 0


def print_usages(file: Input, number: int, around: Neighbourhood, *, as_text: bool, several: bool) -> int:
    """Print the users of a bundle; 1 if there are none."""
    neighbours = around.bundles(file)
    with opened(file) as bundle:
        found = list(bundle_usages(file, bundle, neighbours))
    code = max(int(not found), around.say_unreadable(neighbours.unreadable))
    rows = [
        {
            "bundle": item.bundle,
            "file": plain(item.file or (_own_name(item.bundle) if as_text else "")),
            "refers to": plain(item.path),
        }
        for item in found
    ]
    _print_usages(file.name, rows, number, as_text=as_text, several=several)
    return code


def print_object_usages(
    file: Input, word: str, number: int, around: Neighbourhood, *, as_text: bool, several: bool
) -> int:
    """Print the users of an object; 1 if there are none."""
    neighbours = around.bundles(file)
    with opened(file) as bundle:
        target = find_object(bundle, word)
        if target is None:
            return fail(f"{file.name}: {word} is a file of the bundle, not an object")
        progress = Progress("bundles")
        found = list(object_usages(file, target, neighbours, progress=progress))
        progress.close()
        name = f"{file.name}#{target.id}"
    code = max(int(not found), around.say_unreadable(neighbours.unreadable))
    rows = [
        {
            "bundle": item.bundle,
            "path_id": item.path_id,
            "class": plain(item.class_name),
            "name": plain(item.name),
            "field": plain(item.field),
        }
        for item in found
    ]
    _print_usages(name, rows, number, as_text=as_text, several=several)
    return code


def _print_usages(name: str, rows: list[dict[str, Any]], number: int, *, as_text: bool, several: bool) -> None:
    if not as_text:
        print_json_lines({"path": plain(name), **{key.replace(" ", "_"): row[key] for key in row}} for row in rows)
        return
    title(name, number, several=several)
    if rows:
        print(table([tuple(rows[0]), *(tuple(row.values()) for row in rows)]))


def print_unused(around: Neighbourhood, *, as_text: bool) -> int:
    """Print unused bundles; 1 if there are any."""
    neighbours = around.bundles(None)
    found = unused_bundles(neighbours)
    if as_text:
        print("\n".join(map(printable, found)), end="\n" if found else "")
    else:
        print_json_lines({"path": plain(path)} for path in found)
    return max(int(bool(found)), around.say_unreadable(neighbours.unreadable))


def verification(file: Input) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return findings, notes and other facts of `verify`. Raises FormatError or OSError."""
    with opened(file) as bundle:
        found = verify_bundle(bundle)
    return list(found.findings), [], {"crc32": found.crc32}


def print_diff(old_file: Input, new_file: Input, *, as_text: bool) -> int:
    """Print the differences of two bundles; 1 if there are any."""
    progress = Progress("objects")
    with opened(old_file) as old, opened(new_file) as new:
        header = header_changes(old, new)
        objects = []
        for change in object_changes(old, new, progress=progress):
            facts: dict[str, Any] = {
                "change": change.change,
                "object": plain(change.object),
                "class": plain(change.class_name),
                "name": plain(change.name),
            }
            if change.change == "~":
                facts["values"] = [
                    {"field": plain(value.field), "old": _side(value.old), "new": _side(value.new)}
                    for value in change.values
                ]
            objects.append(facts)
    progress.close()
    if not as_text:
        lines = [{"what": item.what, "old": _plain_header(item.old), "new": _plain_header(item.new)} for item in header]
        print_json({"header": lines, "objects": objects})
        return int(bool(header or objects))
    for item in header:
        print(printable(f"{item.what}: {_joined(item.old)} -> {_joined(item.new)}"))
    for facts in objects:
        print(printable(f"{facts['change']} {facts['object']}  {facts['class']}  {facts['name']}".rstrip()))
        for value in facts.get("values", ()):
            print(printable(f"    {value['field']}: {value['old']} -> {value['new']}"))
    return int(bool(header or objects))


def extract_all(file: Input, folder: Folder) -> list[str]:
    """Write the files of a bundle as they are; return their paths."""
    with opened(file) as bundle:
        return [folder.write(node.path or _own_name(file.name), "", bundle.pieces(node)) for node in bundle.nodes]


def extract_object(file: Input, word: str, folder: Folder) -> list[str]:
    """Write an object or a file of a bundle; return the paths.

    Of a TextAsset its text, else the values as JSON.
    """
    with opened(file) as bundle:
        found = find_object(bundle, word)
        if found is None:
            return [folder.write(node.path, "", bundle.pieces(node)) for node in bundle.nodes if node.path == word]
        content = _content(found)
        return [folder.write(content.name, content.suffix, content.pieces)]


def _own_name(path: str) -> str:
    """Return the name of a SerializedFile outside bundles.

    That of the file on the disk or in the archive.
    """
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
    says = summary.asset_bundle
    if says is not None:
        facts |= {
            "name": plain(says.name),
            "scenes": says.scenes,
            "container": [{"path": plain(entry.path), "path_id": entry.asset.path_id} for entry in says.container],
            "dependencies": [*map(plain, says.dependencies)],
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
    says = summary.asset_bundle
    if says is not None:
        rows += [("name", says.name), ("assets", len(says.container)), ("preload", len(says.preload))]
        if says.scenes:
            rows.append(("kind", "scenes"))
        rows += [("declares", name) for name in says.dependencies]
    rows.append(("objects", sum(count for _, count in summary.classes)))
    most = ", ".join(f"{count} {name}" for name, count in summary.classes[:_CLASSES])
    more = len(summary.classes) - _CLASSES
    rows.append(("classes", f"{most}, and {more} more" if more > 0 else most))
    return rows


def _version_text(summary: BundleSummary) -> str:
    """Return a version for people.

    For one that was stripped, as far as the rest of the file tells.
    """
    version = summary.unity_version
    if not is_stripped(version):
        return version
    said = f"{version} (stripped)" if version else "not said"
    return f"{said}; inferred: {summary.inferred_version}" if summary.inferred_version else said


def _facts(found: ObjectInfo) -> dict[str, Any]:
    return {
        "file": plain(found.file),
        "path_id": found.path_id,
        "class": plain(found.class_name),
        "class_id": found.class_id,
        "name": plain(found.name),
        "size": found.size,
        "container": [*map(plain, found.container)],
    }


def _joined(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "(none)"
    return str(value)


def _plain_header(value: str | Iterable[str]) -> str | list[str]:
    return plain(value) if isinstance(value, str) else [*map(plain, value)]


def _reference_text(item: ObjectReference, own: str) -> str:
    """Return the target of a reference, for people."""
    if item.bundle is None:
        return f"{item.path_id} in {item.external}"
    if item.target is None:
        return f"{item.path_id} (no such object)"
    name = f" {item.target.name}" if item.target.name else ""
    place = item.target.file if item.bundle == own else item.bundle
    return f"{item.path_id} ({item.target.class_name}{name}){f' in {place}' if item.external else ''}"


def _side(value: Value | None) -> str:
    return "(none)" if value is None else shown(value, lambda pointer: f"{pointer.file_id}:{pointer.path_id}")


class _Content(NamedTuple):
    """The file that an object becomes."""

    name: str
    suffix: str
    pieces: Iterable[bytes]


def _content(found: ObjectReader) -> _Content:
    known = found.container
    name = found.name or (os.path.basename(known[0]) if known else str(found.path_id))
    if found.entry.class_id == TEXT_ASSET and found.has_layout:
        ending = os.path.splitext(known[0])[1] if known else ""
        suffix = "" if ending and name.endswith(ending) else ending or ".txt"
        return _Content(name, suffix, (found.file.text(found.entry),))
    if not found.has_layout:
        return _Content(name, ".bin", found.file.pieces(found.entry))
    facts = {**_facts(describe(found)), "value": as_json(found.value())}
    return _Content(name, ".json", (json_document(facts),))
