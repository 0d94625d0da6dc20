"""Summary of a bundle: formats, versions, sizes, files, classes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.unityfs.archives import compression
from assetdb_formats.unityfs.release import inferred_releases, is_stripped

if TYPE_CHECKING:
    from assetdb_formats.unityfs.archives.directory import Archive
    from assetdb_formats.unityfs.bundle import Bundle
    from assetdb_formats.unityfs.serialized_files.loaded import AssetBundle


class FileSummary(NamedTuple):
    """A file in a bundle.

    All but its name and size are None for resource data, which is not a SerializedFile.
    """

    name: str
    size: int
    version: int | None = None
    unity_version: str | None = None
    platform: int | None = None
    type_trees: bool | None = None
    types: int | None = None
    objects: int | None = None
    externals: tuple[str, ...] | None = None


class BundleSummary(NamedTuple):
    """The key facts of a bundle.

    Attributes:
        unity_version: of the editor that built it.
        inferred_version: the releases that the versions of archive and files allow, where the version was stripped.
        compressions: names of the methods that its blocks are compressed with.
        classes: the number of objects of each class, the most frequent first.
    """

    archive: Archive | None
    unity_version: str
    inferred_version: str
    compressions: tuple[str, ...]
    asset_bundle: AssetBundle | None
    files: tuple[FileSummary, ...]
    classes: tuple[tuple[str, int], ...]


def summarize(bundle: Bundle) -> BundleSummary:
    """Return the key facts of a bundle."""
    files = list(bundle.files())
    archive = bundle.archive
    version = archive.unity_version if archive else files[0].facts.unity_version
    newest = max((file.facts.header.version for file in files), default=0)
    inferred = inferred_releases(archive.signature if archive else "", archive.format if archive else 0, newest)
    found = bundle.asset_bundle()
    loaded = {file.node.path: file.facts for file in files}
    rows = []
    for node in bundle.nodes:
        facts = loaded.get(node.path)
        if facts is None:
            rows.append(FileSummary(node.path, node.size))
            continue
        rows.append(
            FileSummary(
                node.path,
                node.size,
                facts.header.version,
                facts.unity_version,
                facts.platform,
                facts.has_type_trees,
                len(facts.types),
                len(facts.objects),
                tuple(external.path for external in facts.externals),
            )
        )
    return BundleSummary(
        archive,
        version,
        inferred if is_stripped(version) else "",
        compressions(bundle),
        found[1] if found else None,
        tuple(rows),
        tuple(Counter(item.class_name for item in bundle.objects()).most_common()),
    )


def compressions(bundle: Bundle) -> tuple[str, ...]:
    """Return the names of the compressions of a bundle's blocks."""
    blocks = bundle.archive.blocks if bundle.archive else ()
    return tuple(sorted({compression.NAMES[block.compression] for block in blocks}))
