"""Write ``unityfs/layouts.txt``: the layouts of Unity's own classes, for builds without type trees.

    python -m scripts.class_layouts

The source is the table of type trees of all releases that UnityPy ships (the extra ``oracle``). Of each class, the
program of :mod:`assetdb_formats.unityfs.serialized_files.skim` is kept, from the first release that has it on: names,
references and streamed data, nothing else. Left out are releases before 5.0, and what only an editor writes. A third of
the file are shaders.
"""

from __future__ import annotations

import re
from typing import Any, Final

from assetdb_formats.unityfs.serialized_files.skim import compile_program, program_of
from assetdb_formats.unityfs.serialized_files.tree_values import make_plan
from assetdb_formats.unityfs.types.typetree import TreeNode
from scripts.programs import CHECKOUT

_TARGET: Final = CHECKOUT / "formats/assetdb_formats/unityfs/types/layouts.txt"
_ALIGNED: Final = 0x4000
_EDITOR: Final = range(1001, 1200)
_EDITOR_NAME: Final = re.compile(r"Importer|Editor|AssetDatabase|Library")


def tree_of(blob: Any, root: int) -> tuple[TreeNode, ...]:  # noqa: ANN401 - UnityPy has no types
    """Return a type tree of the table."""
    nodes, waiting = [], [(root, 0)]
    while waiting:
        number, level = waiting.pop()
        node = blob.NodeBuffer[number]
        words = blob.StringBuffer[node.TypeName], blob.StringBuffer[node.Name]
        nodes.append(TreeNode(level, *words, node.ByteSize, bool(node.MetaFlag & _ALIGNED)))
        waiting += [(child, level + 1) for child in reversed(node.SubNodes)]
    return tuple(nodes)


def version_text(version: Any) -> str:  # noqa: ANN401 - the same
    """Return a release as Unity writes it: 2017.1.0b9."""
    return f"{version.major}.{version.minor}.{version.build}{version.type.name}{version.type_number}"


def rows() -> list[str]:
    """Return the lines of the file."""
    from UnityPy.helpers import Tpk  # noqa: PLC0415 - this script alone needs it

    blob = Tpk.get_typetree()
    found = []
    for class_id, releases in sorted(blob.ClassInformation.items()):
        name = next((blob.StringBuffer[kind.Name] for _, kind in releases if kind is not None), "")
        if class_id in _EDITOR or _EDITOR_NAME.search(name):
            continue
        last = ""
        own: list[tuple[Any, str]] = []
        for version, kind in releases:
            text = "-"
            if kind is not None and kind.ReleaseRootNode is not None:
                text = program_of(make_plan(tree_of(blob, kind.ReleaseRootNode))) or "."
                if text != ".":
                    compile_program(text)
            if version.major < 5:
                own = [(version, text)]
                last = text
            elif text != last:
                own.append((version, text))
                last = text
        if len(own) == 1 and own[0][1] == "-":
            continue
        for version, text in own:
            start = "5.0.0a0" if version.major < 5 else version_text(version)
            found.append(f"{class_id} {start} {text}")
    return found


def main() -> None:
    """Write the file."""
    lines = rows()
    head = "# class, first release, program of skim.py (. nothing wanted, - not there)\n"
    _TARGET.write_text(head + "\n".join(lines) + "\n", "utf-8", newline="\n")
    print(f"{len(lines)} rows, {_TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
