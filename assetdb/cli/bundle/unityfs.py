"""``assetdb bundle`` for Unity's bundles: one function for each command, called with the files of this kind."""

from __future__ import annotations

import json
import os
from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from assetdb.cli.bundle.folder import Folder
from assetdb.cli.bundle.several import going_on, grouped, os_error, verdict
from assetdb.cli.bundle.unityneighbours import bundle_named, is_unitys, neighbours_of, opened
from assetdb.cli.bundle.unityvalues import as_json, class_of, leaves, plain, shown
from assetdb.cli.bundle.unityverify import findings_of
from assetdb.cli.terminal import Progress, fail, print_json, printable, table
from formats.binary import FormatError
from formats.unityfs import compression
from formats.unityfs.bundle import TEXT_ASSET, AssetBundle, Bundle, LoadedFile
from formats.unityfs.release import inferred_releases, is_stripped
from formats.unityfs.values import PPtr, references

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from assetdb.cli.bundle.unityneighbours import Neighbours
    from formats.unityfs.archive import Node
    from formats.unityfs.serialized import ObjectEntry


class _Object(NamedTuple):
    file: LoadedFile
    entry: ObjectEntry

    @property
    def id(self) -> str:
        return f"{self.file.node.path}:{self.entry.path_id}"


def info(paths: list[str], arguments: argparse.Namespace) -> int:
    """Say what each bundle is."""
    failed: list[str] = []
    for number, path in enumerate(paths):
        with going_on(path, failed), opened(path) as bundle:
            files = list(bundle.files())
            found = bundle.asset_bundle()
            says = found[1] if found else None
            if arguments.json:
                print_json({"path": path, "kind": "unityfs", **_info_facts(bundle, files, says)})
                continue
            print(("\n" if number else "") + table(_info_rows(path, bundle, files, says)))
            rows: list[tuple[object, ...]] = [("file", "bytes", "objects", "version")]
            loaded = {file.node.path: file for file in files}
            for node in bundle.nodes:
                file = loaded.get(node.path)
                facts = (len(file.facts.objects), file.facts.header.version) if file else ("-", "-")
                rows.append((node.path or "(the file itself)", node.size, *facts))
            print(f"\n{table(rows, right=frozenset((1, 2, 3)))}")
    return 2 if failed else 0


def ls(paths: list[str], arguments: argparse.Namespace) -> int:
    """List the objects of each bundle."""
    failed: list[str] = []
    for number, path in enumerate(paths):
        with going_on(path, failed), opened(path) as bundle:
            containers = _containers(bundle)
            files = list(bundle.files())
            if arguments.json:
                objects = [_object_facts(_Object(file, entry), containers) for file, entry in _objects(bundle)]
                print_json({"path": path, "objects": objects})
                continue
            if len(paths) > 1:
                print(f"{chr(10) if number else ''}{printable(path)}:")
            for place, file in enumerate(files):
                if len(files) > 1:
                    print(f"{chr(10) if place else ''}{printable(file.node.path)}:")
                rows: list[tuple[object, ...]] = [("PathID", "class", "bytes", "name", "container")]
                for entry in file.facts.objects:
                    known = ", ".join(containers.get((file.node.path, entry.path_id), ()))
                    rows.append((entry.path_id, class_of(file, entry), entry.size, file.name(entry), known))
                print(table(rows, right=frozenset((0, 2))))
    return 2 if failed else 0


def deps(paths: list[str], arguments: argparse.Namespace) -> int:
    """List the files that each bundle refers to and who has them; 1 if nobody has. Or what one object refers to."""
    wanted: str | None = getattr(arguments, "object", None)
    code = 0
    failed: list[str] = []
    for number, path in enumerate(paths):
        with going_on(path, failed), opened(path) as bundle:
            if wanted is not None:
                code = max(code, _object_deps(bundle, wanted, path, arguments))
                continue
            neighbours = neighbours_of(path, getattr(arguments, "project", None))
            facts = _external_facts(bundle, neighbours)
            code = max(code, int(any(fact["verdict"] == "missing" for fact in facts)))
            found = bundle.asset_bundle()
            declared = found[1].dependencies if found else ()
            if arguments.json:
                print_json({"path": path, "declared": [*map(plain, declared)], "externals": facts})
                continue
            if len(paths) > 1:
                print(f"{chr(10) if number else ''}{printable(path)}:")
            rows = [("verdict", "file", "refers to", "in")]
            rows += [(fact["verdict"], fact["file"], fact["external"], fact["bundle"] or "-") for fact in facts]
            if facts:
                print(table(rows))
            for name in declared:
                print(f"declared: {printable(name)}")
    return 2 if failed else code


def usages(paths: list[str], arguments: argparse.Namespace) -> int:
    """List what refers to each bundle, or to one object of it; 1 if nothing does. Or what nothing refers to."""
    project: str | None = getattr(arguments, "project", None)
    wanted: str | None = getattr(arguments, "object", None)
    if getattr(arguments, "unused", False):
        return _unused(neighbours_of(paths[0], project), as_lines=not arguments.json)
    code = 0
    failed: list[str] = []
    known: dict[str, Neighbours] = {}
    said: set[str] = set()
    for number, path in enumerate(paths):
        folder = project or os.path.dirname(path)
        neighbours = known[folder] = known.get(folder) or neighbours_of(path, project)
        users: list[dict[str, Any]] = []
        with going_on(path, failed), opened(path) as bundle:
            if wanted is not None:
                target = _find(bundle, wanted, path)
                if target is None:
                    return 1
                users = list(_object_users(path, target, neighbours))
            else:
                users = list(_bundle_users(path, bundle, neighbours))
        if path in failed:
            continue
        code = max(code, int(not users), _say_unreadable(neighbours, said))
        if arguments.json:
            print_json({"path": path, "usages": users})
            continue
        if len(paths) > 1:
            print(f"{chr(10) if number else ''}{printable(path)}:")
        if users:
            print(table([tuple(users[0]), *(tuple(user.values()) for user in users)]))
    return 2 if failed else code


def get(paths: list[str], arguments: argparse.Namespace) -> int:
    """Print the values of one object; 1 if there is none of that name."""
    with opened(paths[0]) as bundle:
        found = _find(bundle, arguments.object, paths[0])
        if found is None:
            return 1
        containers = _containers(bundle)
        value = found.file.value(found.entry)
        facts = _object_facts(found, containers)
        if arguments.json:
            print_json({**facts, "value": as_json(value)})
            return 0
        print(table([(word, _joined(what)) for word, what in facts.items() if what not in ("", [])]))
        rows = [
            (path, shown(leaf, lambda pointer: _target(bundle, found.file, pointer))) for path, leaf in leaves(value)
        ]
        if rows:
            print(f"\n{table(rows)}")
    return 0


def verify(paths: list[str], arguments: argparse.Namespace) -> int:
    """Check that each bundle is whole: every block, every object with its type tree.

    Returns 1 if there are findings, 2 if a bundle cannot be read.
    """
    has_findings = False
    unreadable = 0
    progress = Progress("bundles")
    for number, path in enumerate(paths):
        progress(number, len(paths))
        checksum = None
        word = "finding"
        try:
            with opened(path) as bundle:
                findings = list(findings_of(bundle))
                checksum = bundle.crc32()
            has_findings = has_findings or bool(findings)
        except (FormatError, OSError) as error:
            said = os_error(path, error) if isinstance(error, OSError) else str(error)
            findings = [said.removeprefix(f"{path}: ")]
            word = "unreadable"
            unreadable += 1
        if arguments.json:
            facts = {"path": path, "readable": word == "finding", "findings": findings, "crc32": checksum}
            print_json(facts)
        for line in grouped(findings) if not arguments.json else ():
            print(printable(f"{path}: {word}: {line}"))
    progress.close()
    if not arguments.json:
        print(verdict(len(paths), unreadable, has_findings=has_findings))
    return 2 if unreadable else int(has_findings)


def diff(paths: list[str], arguments: argparse.Namespace) -> int:
    """Compare two bundles, object by object and value by value; 1 if they differ."""
    with opened(paths[0]) as old, opened(paths[1]) as new:
        header = [
            {"what": what, "old": before, "new": after}
            for (what, before), (_, after) in zip(_header(old), _header(new), strict=True)
            if before != after
        ]
        objects = list(_object_changes(old, new))
    if arguments.json:
        print_json({"header": header, "objects": objects})
        return int(bool(header or objects))
    for line in header:
        print(printable(f"{line['what']}: {_joined(line['old'])} -> {_joined(line['new'])}"))
    for change in objects:
        print(printable(f"{change['change']} {change['object']}  {change['class']}  {change['name']}".rstrip()))
        for value in change.get("values", ()):
            print(printable(f"    {value['field']}: {value['old']} -> {value['new']}"))
    return int(bool(header or objects))


def extract(paths: list[str], arguments: argparse.Namespace) -> int:
    """Write the files of a bundle as they are, or the named objects: a TextAsset's text, else the values as JSON."""
    with opened(paths[0]) as bundle:
        nodes: list[Node] = []
        objects: list[_Object] = []
        by_path = {node.path: node for node in bundle.nodes}
        for wanted in arguments.objects:
            if wanted in by_path:
                nodes.append(by_path[wanted])
                continue
            found = _find(bundle, wanted, paths[0])
            if found is None:
                return 1
            objects.append(found)
        folder = Folder(arguments.to)
        if not arguments.objects:
            nodes = list(bundle.nodes)
        written = [folder.write(node.path or "file", "", bundle.pieces(node)) for node in nodes]
        containers = _containers(bundle)
        for found in objects:
            name, suffix, pieces = _content(found, containers)
            written.append(folder.write(name, suffix, pieces))
    if arguments.json:
        print_json({"path": paths[0], "written": written})
    else:
        print("\n".join(map(printable, written)))
    return 0


def edit(paths: list[str], arguments: argparse.Namespace) -> int:  # noqa: ARG001 - as the others
    """Refuse: Unity's bundles are only read."""
    return fail(f"{printable(paths[0])}: Unity's bundles are read, not written")


def _objects(bundle: Bundle) -> Iterator[_Object]:
    for file in bundle.files():
        for entry in file.facts.objects:
            yield _Object(file, entry)


def _containers(bundle: Bundle) -> dict[tuple[str, int], list[str]]:
    """Return file and PathID -> the paths that the object is loaded by."""
    found = bundle.asset_bundle()
    paths: dict[tuple[str, int], list[str]] = {}
    if found is not None:
        file, says = found
        for entry in says.container:
            if not entry.asset.file_id and entry.asset.path_id:  # the scenes of a bundle have no object
                paths.setdefault((file.node.path, entry.asset.path_id), []).append(plain(entry.path))
    return paths


def _info_facts(bundle: Bundle, files: list[LoadedFile], says: AssetBundle | None) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    archive = bundle.archive
    if archive is not None:
        facts |= {
            "signature": archive.signature,
            "format": archive.format,
            "unity_version": plain(archive.unity_version),
            "size": archive.size,
            "decoded_size": archive.decoded_size,
            "flags": archive.flags,
            "blocks": len(archive.blocks),
            "compression": _compressions(bundle),
        }
    inferred = _inferred(bundle, files)
    if inferred and is_stripped(archive.unity_version if archive else files[0].facts.unity_version):
        facts["inferred_version"] = inferred
    if says is not None:
        facts |= {
            "name": plain(says.name),
            "scenes": says.scenes,
            "container": [{"path": plain(entry.path), "path_id": entry.asset.path_id} for entry in says.container],
            "dependencies": [*map(plain, says.dependencies)],
        }
    loaded = {file.node.path: file for file in files}
    facts["files"] = [
        {"name": plain(node.path), "size": node.size, **_file_facts(loaded.get(node.path))} for node in bundle.nodes
    ]
    return facts


def _file_facts(file: LoadedFile | None) -> dict[str, Any]:
    if file is None:
        return {}
    return {
        "version": file.facts.header.version,
        "unity_version": plain(file.facts.unity_version),
        "platform": file.facts.platform,
        "type_trees": file.facts.has_type_trees,
        "types": len(file.facts.types),
        "objects": len(file.facts.objects),
        "externals": [plain(external.path) for external in file.facts.externals],
    }


def _info_rows(
    path: str, bundle: Bundle, files: list[LoadedFile], says: AssetBundle | None
) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = [("file", path)]
    archive = bundle.archive
    if archive is not None:
        rows += [
            ("format", f"{archive.signature} {archive.format}"),
            ("Unity", _version_text(archive.unity_version, bundle, files)),
            ("size", f"{archive.size:,} bytes, {archive.decoded_size:,} decoded"),
            ("blocks", f"{len(archive.blocks)} ({', '.join(_compressions(bundle))})"),
        ]
    else:
        rows += [("format", "SerializedFile"), ("Unity", _version_text(files[0].facts.unity_version, bundle, files))]
    if says is not None:
        rows += [("name", says.name), ("assets", len(says.container)), ("preload", len(says.preload))]
        if says.scenes:
            rows.append(("kind", "scenes"))
        rows += [("declares", name) for name in says.dependencies]
    classes = Counter(class_of(file, entry) for file in files for entry in file.facts.objects)
    rows.append(("objects", sum(classes.values())))
    most = ", ".join(f"{count} {name}" for name, count in classes.most_common(6))
    rows.append(("classes", f"{most}, and {len(classes) - 6} more" if len(classes) > 6 else most))
    return rows


def _inferred(bundle: Bundle, files: list[LoadedFile]) -> str:
    """Return the releases of Unity that the versions of archive and files allow."""
    archive = bundle.archive
    newest = max((file.facts.header.version for file in files), default=0)
    return inferred_releases(archive.signature if archive else "", archive.format if archive else 0, newest)


def _version_text(version: str, bundle: Bundle, files: list[LoadedFile]) -> str:
    """Return a version for people; for one that was stripped what the rest of the file says."""
    if not is_stripped(version):
        return version
    inferred = _inferred(bundle, files)
    said = f"{version} (stripped)" if version else "not said"
    return f"{said}; inferred: {inferred}" if inferred else said


def _compressions(bundle: Bundle) -> list[str]:
    blocks = bundle.archive.blocks if bundle.archive else ()
    return sorted({compression.NAMES[block.compression] for block in blocks})


def _object_facts(found: _Object, containers: dict[tuple[str, int], list[str]]) -> dict[str, Any]:
    file, entry = found
    return {
        "file": plain(file.node.path),
        "path_id": entry.path_id,
        "class": plain(class_of(file, entry)),
        "class_id": entry.class_id,
        "name": plain(file.name(entry)),
        "size": entry.size,
        "container": containers.get((file.node.path, entry.path_id), []),
    }


def _joined(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "(none)"
    return str(value)


def _find(bundle: Bundle, wanted: str, path: str) -> _Object | None:
    """Return the object of a PathID, ``file:PathID``, container path or name; else say on stderr why not."""
    objects = list(_objects(bundle))
    containers = _containers(bundle)
    found = [item for item in objects if wanted in (str(item.entry.path_id), item.id)]
    if not found:
        found = [
            item
            for item in objects
            if wanted.casefold() in map(str.casefold, containers.get((item.file.node.path, item.entry.path_id), ()))
        ]
    names = [item.file.name(item.entry) for item in objects] if not found else []
    found = found or [item for item, name in zip(objects, names, strict=True) if name == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        those = ", ".join(f"{item.id} ({class_of(item.file, item.entry)})" for item in found[:8])
        fail(printable(f"{path}: {len(found)} objects are {wanted!r}: {those}{', …' if len(found) > 8 else ''}"))
        return None
    known = {*names, *(path for paths in containers.values() for path in paths)} - {""}
    close = get_close_matches(wanted, sorted(known), n=1)
    fail(printable(f"{path}: has no object {wanted!r}" + (f"; did you mean {close[0]!r}?" if close else "")))
    return None


def _own_file(bundle: Bundle, file: LoadedFile, pointer: PPtr) -> LoadedFile | None:
    """Return the file of this bundle that a reference leads into, or None where it leads out."""
    if not pointer.file_id:
        return file
    if not 0 < pointer.file_id <= len(file.facts.externals):
        return None
    name = file.facts.externals[pointer.file_id - 1].name.casefold()
    return next((bundle.file(node) for node in bundle.nodes if node.serialized and node.path.casefold() == name), None)


def _target(bundle: Bundle, file: LoadedFile, pointer: PPtr) -> str:
    """Return what a reference leads to, for people."""
    own = _own_file(bundle, file, pointer)
    if own is None:
        known = 0 < pointer.file_id <= len(file.facts.externals)
        outside = file.facts.externals[pointer.file_id - 1].path if known else f"external {pointer.file_id}"
        return f"{pointer.path_id} in {outside}"
    entry = own.facts.objects.find(pointer.path_id)
    if entry is None:
        return f"{pointer.path_id} (no such object)"
    name = own.name(entry)
    place = f" in {own.node.path}" if pointer.file_id else ""
    return f"{pointer.path_id} ({class_of(own, entry)}{f' {name}' if name else ''}){place}"


def _object_deps(bundle: Bundle, wanted: str, path: str, arguments: argparse.Namespace) -> int:
    found = _find(bundle, wanted, path)
    if found is None:
        return 1
    externals = found.file.facts.externals
    facts = [
        {
            "field": plain(field),
            "file": plain(externals[pointer.file_id - 1].path) if 0 < pointer.file_id <= len(externals) else "",
            "path_id": pointer.path_id,
        }
        for field, pointer in references(found.file.value(found.entry))
    ]
    if arguments.json:
        print_json({"object": found.id, "references": facts})
        return 0
    pairs = references(found.file.value(found.entry))
    rows = [("field", "refers to"), *((field, _target(bundle, found.file, pointer)) for field, pointer in pairs)]
    if len(rows) > 1:
        print(table(rows))
    return 0


def _external_facts(bundle: Bundle, neighbours: Neighbours) -> list[dict[str, Any]]:
    found = bundle.asset_bundle()
    declared = found[1].dependencies if found else ()
    own = {node.path.casefold() for node in bundle.nodes}
    facts = []
    for file in bundle.files():
        for external in file.facts.externals:
            holder = neighbours.having(external.name)
            if is_unitys(external):
                verdict, holder = "Unity's own", None
            elif external.name.casefold() in own:
                verdict, holder = "this bundle", None
            else:
                verdict = "missing" if holder is None else "found"
            facts.append(
                {
                    "verdict": verdict,
                    "file": plain(file.node.path),
                    "external": plain(external.path),
                    "bundle": holder or bundle_named(external, declared),
                }
            )
    return facts


def _bundle_users(path: str, bundle: Bundle, neighbours: Neighbours) -> Iterator[dict[str, Any]]:
    own = {node.path.casefold() for node in bundle.nodes}
    for other in neighbours.paths:
        if os.path.samefile(other, path):
            continue
        with neighbours.noting(), opened(other) as user:
            for file in user.files():
                for external in file.facts.externals:
                    if external.name.casefold() in own:
                        yield {"bundle": other, "file": plain(file.node.path), "refers to": plain(external.path)}


def _object_users(path: str, target: _Object, neighbours: Neighbours) -> Iterator[dict[str, Any]]:
    name = target.file.node.path.casefold()
    others = [other for other in neighbours.paths if not os.path.samefile(other, path)]
    progress = Progress("bundles")
    for number, other in enumerate([path, *others]):
        progress(number, len(others) + 1)
        with neighbours.noting(), opened(other) as bundle:
            for file in bundle.files():
                # References of this file that lead into the target's: 0 in the file itself, else its externals.
                leading = {
                    place for place, external in enumerate(file.facts.externals, 1) if external.name.casefold() == name
                }
                if other == path and file.node.path == target.file.node.path:
                    leading.add(0)
                for entry in file.facts.objects if leading else ():
                    if file.plan(entry) is None:
                        continue
                    for field, pointer in references(file.value(entry)):
                        if pointer.path_id == target.entry.path_id and pointer.file_id in leading:
                            yield {
                                "bundle": other,
                                "path_id": entry.path_id,
                                "class": plain(class_of(file, entry)),
                                "name": plain(file.name(entry)),
                                "field": plain(field),
                            }
    progress.close()


def _unused(neighbours: Neighbours, *, as_lines: bool) -> int:
    used = set()
    for path in neighbours.paths:
        with neighbours.noting(), opened(path) as bundle:
            for file in bundle.files():
                holders = {neighbours.having(external.name) for external in file.facts.externals}
                used |= holders - {path}
    unused = [path for path in neighbours.paths if path not in used]
    if not as_lines:
        print_json({"unused": unused})
    elif unused:
        print("\n".join(map(printable, unused)))
    return max(int(bool(unused)), _say_unreadable(neighbours, set()))


def _say_unreadable(neighbours: Neighbours, said: set[str]) -> int:
    """Say which bundles could not be read, each once: what refers to a bundle from there is not known."""
    for problem in neighbours.unreadable:
        if problem not in said:
            said.add(problem)
            fail(printable(problem))
    return 2 if neighbours.unreadable else 0


def _header(bundle: Bundle) -> Iterator[tuple[str, Any]]:
    archive = bundle.archive
    yield "format", f"{archive.signature} {archive.format}" if archive else 0
    yield "unity_version", plain(archive.unity_version) if archive else ""
    yield "compression", _compressions(bundle)
    yield "files", [plain(node.path) for node in bundle.nodes]
    yield "externals", [plain(external.path) for file in bundle.files() for external in file.facts.externals]
    found = bundle.asset_bundle()
    yield "dependencies", [*map(plain, found[1].dependencies)] if found else []
    yield "container", [plain(entry.path) for entry in found[1].container] if found else []


def _checksum(found: _Object) -> int:
    value = 0
    for piece in found.file.pieces(found.entry):
        value = crc32(piece, value)
    return value


def _object_changes(old: Bundle, new: Bundle) -> Iterator[dict[str, Any]]:
    """Yield what became of the objects; they are the same where file and PathID are."""
    # A bundle built under another name has another internal name: where each has one file, those are compared.
    alone = all(sum(node.serialized for node in bundle.nodes) == 1 for bundle in (old, new))
    befores, afters = (
        {("" if alone else found.file.node.path, found.entry.path_id): found for found in _objects(bundle)}
        for bundle in (old, new)
    )
    for key in sorted(befores.keys() | afters.keys()):
        before, after = befores.get(key), afters.get(key)
        found = after or before
        assert found is not None  # noqa: S101 - a key of one of the two
        facts: dict[str, Any] = {
            "object": plain(found.id),
            "class": plain(class_of(found.file, found.entry)),
            "name": plain(found.file.name(found.entry)),
        }
        if before is None or after is None:
            yield {"change": "+" if before is None else "-", **facts}
        elif before.entry.size != after.entry.size or _checksum(before) != _checksum(after):
            values = _value_changes(before, after) if _readable(before) and _readable(after) else []
            yield {"change": "~", **facts, "values": values}


def _readable(found: _Object) -> bool:
    return found.file.plan(found.entry) is not None


def _value_changes(before: _Object, after: _Object) -> list[dict[str, str]]:
    sides = [dict(leaves(found.file.value(found.entry))) for found in (before, after)]
    changes = []
    for field in dict.fromkeys((*sides[0], *sides[1])):
        if sides[0].get(field) != sides[1].get(field):
            texts = [shown(side[field], _numbers) if field in side else "(none)" for side in sides]
            changes.append({"field": plain(field), "old": texts[0], "new": texts[1]})
    return changes


def _numbers(pointer: PPtr) -> str:
    return f"{pointer.file_id}:{pointer.path_id}"


def _content(found: _Object, containers: dict[tuple[str, int], list[str]]) -> tuple[str, str, Any]:
    """Return the name, its ending and the content of the file that an object becomes."""
    file, entry = found
    known = containers.get((file.node.path, entry.path_id), [])
    name = file.name(entry) or (os.path.basename(known[0]) if known else str(entry.path_id))
    if entry.class_id == TEXT_ASSET and file.plan(entry) is not None:
        ending = os.path.splitext(known[0])[1] if known else ""
        return name, "" if ending and name.endswith(ending) else ending or ".txt", (file.text(entry),)
    if file.plan(entry) is None:
        return name, ".bin", file.pieces(entry)
    facts = {**_object_facts(found, containers), "value": as_json(file.value(entry))}
    return name, ".json", (f"{json.dumps(facts, indent=2)}\n".encode(),)
