"""``assetdb ls``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.cli.asking import opened, say_sharing, say_unmatched
from assetdb.cli.asking.sizes import imported_cells, print_imported, print_total
from assetdb.cli.asking.target import say_unread
from assetdb.cli.terminal import ASSET_STYLES, not_found, print_json_lines, print_tree, say, table
from assetdb.query.graph.relations import describe_subject
from assetdb.query.listing import BETWEEN, contents_fields, contents_of
from assetdb.query.selecting.selector import Unmatched, find_subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.cli.arguments import QueryOptions
    from assetdb.query.listing import ComponentRow, Contents, ObjectRow
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.textures.imported import ImportedTexture

_SHOWN: Final = 5  # prefabs of which not all is listed


def ls(
    options: QueryOptions,
    query: str,
    *,
    tree: bool = False,
    depth: int | None = None,
    classes: list[str] | None = None,
    inside: str | None = None,
    no_nested: bool = False,
    deep: bool = False,
    size: bool = False,
    imported: str | None = None,
) -> int:
    """List the contents of a folder, prefab, scene or other asset."""
    project = opened(options)
    project.expire()
    subject = find_subject(query, project, options.cwd, folders=True)
    if isinstance(subject, Unmatched):
        return say_unmatched(query, subject, as_json=options.json)
    if not options.quiet:
        say_sharing(subject, project)
    found = describe_subject(subject, project)
    contents = contents_of(
        subject,
        project,
        options.cwd,
        nested=not no_nested,
        depth=depth,
        classes=classes or (),
        inside=inside or "",
        deep=deep,
    )
    label = found.path.rpartition("/")[2]
    textures: dict[str, ImportedTexture] | None = None
    if imported is not None:
        from assetdb.query.imported_sizes import imported_sizes  # noqa: PLC0415 - few ask for textures

        textures = imported_sizes(project, contents.assets or [found], imported)
    if options.json:
        fields = contents_fields(contents, subject, textures)
        for rows in ("objects", "parts", "assets"):
            print_json_lines(fields[rows])
    elif not _print(contents, label, found.path, textures, tree=tree):
        of_class = f" with {' or '.join(classes)}" if classes else ""
        return not_found(f"{found.path or query} holds nothing{of_class}")
    else:
        if size:
            _print_size(contents, found.path, project)
        if imported is not None and textures is not None:
            print_imported(textures, imported)
    if contents.truncated:
        say(f"{found.path}: has more objects than can be listed at once: limit them with --depth or --no-nested")
        total = sum(row.objects for row in contents.left_out)
        where = ", ".join(f"{row.objects:,} of {row.path}" for row in contents.left_out[:_SHOWN])
        say(f"left out, with all that is below them: {counted(total, 'object')} ({where})")
    if not options.quiet:
        say_unread(contents.unread, every=options.verbose, may="may have other objects than those listed")
    return 0 if contents.objects or contents.parts or contents.assets else 1


def _print(
    contents: Contents, label: str, path: str, textures: Mapping[str, ImportedTexture] | None, *, tree: bool
) -> bool:
    """Print the rows; False if there are none."""
    if contents.assets:
        cells = [
            (
                row.path,
                row.type,
                f"{row.bytes:,}",
                *(imported_cells(textures, row.path) if textures is not None else ()),
            )
            for row in contents.assets
        ]
        print(table(cells, right=frozenset((2, 3) if textures is not None else (2,)), styles=ASSET_STYLES))
    if contents.objects and tree:
        print_tree([(row.depth, (row.name, *_cells(row, path))) for row in contents.objects], styles=("path",))
    elif contents.objects:
        stem = label.rpartition(".")[0] if label.endswith(".prefab") else ""
        print(
            table(((_label(label, stem, row), *_cells(row, path)) for row in contents.objects), styles=("path", "type"))
        )
    if contents.parts:
        rows = ((row.name, row.type, row.file_id) for row in contents.parts)
        print(table(rows, right=frozenset((2,)), styles=("", "type")))
    return bool(contents.assets or contents.parts or contents.objects)


def _print_size(contents: Contents, path: str, project: Snapshot) -> None:
    """Print the bytes of listed assets, else of the asset itself."""
    from assetdb.query.sizes import size_of  # noqa: PLC0415 - few ask for sizes

    if contents.assets:
        print(f"{counted(sum(row.bytes for row in contents.assets), 'byte')}")
    else:
        print_total({path: size_of(project, path)})


def _label(asset: str, stem: str, row: ObjectRow) -> str:
    """Return the name of an object as `assetdb name` prints it."""
    way = row.way[1:] if row.way[0] == stem else row.way
    return BETWEEN.join((asset, *way))


def _cells(row: ObjectRow, path: str) -> tuple[str, str, str]:
    """Return components, origin and notes of an object."""
    source = f"[{row.source_path.rpartition('/')[2] or row.source}]" if row.source_path != path else ""
    notes = [
        *(["inactive"] if not row.active else ()),
        *(["added"] if row.added else ()),
        *(["removed"] if row.removed else ()),
        *([f"{row.overridden} overridden"] if row.overridden else ()),
        *([row.reason] if row.reason else ()),
    ]
    return ", ".join(map(_component, row.components)), source, ", ".join(notes)


def _component(part: ComponentRow) -> str:
    mark = "-" if part.removed else "+" if part.added else ""
    return f"{mark}{part.type}{'*' if part.overridden else ''}"
