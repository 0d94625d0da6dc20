"""Type trees of a UnityFS bundle, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.bundle.kinds.unityfs_values import class_name_of
from assetdb.cli.terminal import fail, plain, printable, say
from assetdb_formats.unityfs.bundle import open_input
from assetdb_formats.unityfs.errors import UnityFSError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.cli.bundle.kinds.questions import Answer
    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.serialized_files.serialized import SerializedType
    from assetdb_formats.unityfs.types.typetree import TypeTree


def types(file: Input, *, as_text: bool) -> Answer:
    """Yield the type trees of a bundle; 1 if it has none."""
    is_any = False
    damaged = 0
    with open_input(file, class_names=class_name_of) as bundle:
        for loaded in bundle.files():
            path = loaded.node.path or file.name
            for kind in (*loaded.facts.types, *loaded.facts.reference_types):
                try:
                    tree = loaded.facts.tree(kind)
                except UnityFSError as error:
                    damaged = fail(f"{path}: {_title(kind)}: {error}")
                    continue
                if tree is not None:
                    is_any = True
                    yield from _lines(path, kind, tree) if as_text else [_facts(file, path, kind, tree)]
    if not (is_any or damaged):
        say(f"{file.name} has no type trees")
    return damaged or int(not is_any)


def _title(kind: SerializedType) -> str:
    namespace, name, assembly = kind.managed_name
    if name:
        return f"{f'{namespace}.' if namespace else ''}{name} [{assembly}]"
    return f"{class_name_of(kind.class_id) or 'class'} ({kind.class_id})"


def _lines(path: str, kind: SerializedType, tree: TypeTree) -> Iterator[str]:
    yield printable(f"{path}: {_title(kind)}")
    for node in tree:
        size = f"{node.size} bytes" if node.size >= 0 else "varies"
        words = f"{node.type_name} {node.name}  {size}{', aligned' if node.aligned else ''}"
        yield f"  {'  ' * node.level}{printable(words)}"


def _facts(file: Input, path: str, kind: SerializedType, tree: TypeTree) -> dict[str, Any]:
    return {
        "bundle": plain(file.name),
        "file": plain(path),
        "class_id": kind.class_id,
        "class": plain(tree[0].type_name),
        "script_hash": kind.script_hash.hex(),
        "managed": [*map(plain, kind.managed_name)] if kind.managed_name[1] else None,
        "nodes": [
            {
                "level": node.level,
                "type": plain(node.type_name),
                "name": plain(node.name),
                "size": node.size,
                "aligned": node.aligned,
            }
            for node in tree
        ],
    }
