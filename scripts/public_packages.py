"""Make the table of public packages, ``assetdb/packages/public/public_packages.bin``, of three tables of text.

    python -m scripts.public_packages GUIDS VERSIONS INSTALLS

Their columns are separated by tabs. GUIDS has GUID, package, path, first and last version, and sources of each file;
INSTALLS the same of what a package can put into ``Assets/``; VERSIONS package, version, oldest editor, dependencies
(``name@version``, a comma between them, ``?`` if unknown) and sources of each release.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from assetdb.packages.public import table
from assetdb.packages.public.releases import version_key
from assetdb.packages.public.table import INSTALLED, PublicFile
from scripts.arguments import Given, script

TABLE = Path(table.__file__).with_name(table.FILE_NAME)
# Kinds of files that assets of a project refer to, unless they are for the package's own windows, tests or pages.
_ASSETS = frozenset(
    "anim asset bytes cginc compute controller cube exr fbx hlsl inputactions jpg mask mat mesh mp3 obj onnx otf"
    " playable png prefab psb psd raytrace renderTexture shader shadergraph shadersubgraph shadervariants tga tif tss"
    " ttf unity unitypackage urtshader uss uxml vfx wav".casefold().split()
)
_OWN = ("editor", "test", "documentation")
_NOBODY = "0" * 16  # the null GUID, and those of the engine


def rows_of(text: str, prefix: str = "") -> Iterator[tuple[str, PublicFile]]:
    """Yield the rows of a table of files."""
    for line in text.splitlines():
        guid, package, path, first, last, sources = line.split("\t")
        if not guid.startswith(_NOBODY):
            yield guid, PublicFile(package, path, first, last, prefix + sources)


def releases_of(text: str) -> dict[str, list[str]]:
    """Return the releases of each package, oldest first."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        package, _, release = line.partition("\t")
        found.setdefault(package, []).append(release)
    return {
        package: sorted(lines, key=lambda line: version_key(line.partition("\t")[0]))
        for package, lines in found.items()
    }


def only_code(rows: Iterable[tuple[str, PublicFile]]) -> frozenset[str]:
    """Return the packages of which assets can refer to scripts and libraries alone."""
    packages, others = set(), set()
    for _, file in rows:
        packages.add(file.package)
        *folders, name = file.path.casefold().split("/")
        if name.rpartition(".")[2] in _ASSETS and not any(folder.startswith(_OWN) for folder in folders):
            others.add(file.package)
    return frozenset(packages - others)


def encoded(guids: str, versions: str, installs: str) -> bytes:
    """Return the table of three texts."""
    imported = list(rows_of(guids))
    return table.encode([*imported, *rows_of(installs, INSTALLED)], releases_of(versions), only_code(imported))


@script(__doc__, "guids", "versions", "installs")
def main(given: Given) -> None:
    """Run from the command line."""
    TABLE.write_bytes(encoded(*(path.read_text("utf-8") for path in (given.guids, given.versions, given.installs))))
    made = table.PublicPackages(TABLE.read_bytes())
    print(f"{sum(1 for _ in made.rows()):,} files of {len(made.packages())} packages: {TABLE}")
