"""Break builds in every way and see that each answer is one, or a typed error, quickly and in little memory.

    python -m scripts.fuzz.builds [--count 1000000] [--seed 1] [--shape WORD] [--corpus DIR]

Small builds of every shape (a player, its managed DLLs, bundles of every format, a web player's data, an APK, catalogs
and layouts) are broken: a few bytes of some of their files are changed, cut off or moved, before they are packed or
after. Each is opened and asked for everything: tables, sizes to the byte, references, duplicates, reasons,
verification, differences to one that is whole, and what of a project is in it. With ``--corpus`` the files below DIR
are broken instead, with ``--skip N`` cases are passed over. Prints the slowest case and the most memory; a case that takes over 5 s or 2 GiB ends the run. Give
it a TMPDIR in memory.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from itertools import islice
from pathlib import Path

import assetdb
from assetdb.builds import open_build
from assetdb.builds.build import Build
from assetdb.builds.objects.selection import lookup
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.builds.query.comparison import compare
from assetdb.builds.query.duplicates import find_duplicates
from assetdb.builds.query.reasons import why
from assetdb.builds.query.sizes import measure
from assetdb.builds.query.summary import summarize
from assetdb.builds.query.tables import KEYS, size_rows, size_tree
from assetdb.builds.query.verification import verify
from assetdb.builds.trace.rows import mixed
from assetdb.builds.trace.tracer import Tracer
from assetdb.errors import UsageError
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb_formats.binary import FormatError
from assetdb_formats.files import FileTooLargeError
from scripts.arguments import Given, script
from scripts.fuzz.build_cases import Files, cases, corpus_shapes, packed, shapes
from scripts.fuzz.running import copies_of, run
from tests.system.graph.project import add, add_folder

_ASKED = 20  # objects that are asked why
_SELDOM = 8  # builds of which one is traced to a project


class Place:
    """A folder that holds the files of one build after another; what is the same stays."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that is not there yet."""
        folder.mkdir()
        self.folder = folder
        self._files: Files = {}

    def lay(self, files: Files) -> Path:
        """Make the folder hold these files and no others; return what is to be opened."""
        for name in self._files.keys() - files.keys():
            (self.folder / name).unlink()
        for name, data in files.items():
            if self._files.get(name) != data:
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / name).write_bytes(data)
        self._files = files
        return self.folder / next(iter(files)) if len(files) == 1 else self.folder


def write_project(root: Path) -> Path:
    """Write a project whose assets are called as the objects of the builds are."""
    (root / "ProjectSettings").mkdir(parents=True)
    add_folder(root, "Assets/Art")
    for path in ("Assets/Art/apple.png", "Assets/bark.png"):
        add(root, path, "x", "TextureImporter")
    add(root, "Assets/Picker.cs", "namespace Game { public class Picker {} }", "MonoImporter")
    add(root, "Assets/Main.unity", "", "DefaultImporter")
    return root


class Attempts:
    """Builds that are asked for everything, one after another.

    Attributes:
        project: what they are traced to.
        whole: the build that they are compared with.
    """

    def __init__(self, folder: Path) -> None:
        """Take a folder for all files; it is there."""
        self.place = Place(folder / "build")
        root = write_project(folder / "project")
        assetdb.bake(root)
        self.project = open_project(str(root))
        sound = Place(folder / "sound").lay(packed(shapes())["bundles"])
        self.whole = open_build(sound, remember=False, workers=1)
        self._done = 0

    def attempt(self, files: Files) -> bool:
        """Write a build and ask; return whether nothing was wrong with it.

        What takes long beside the rest (PathIDs are hashes) is asked of one build in ``_SELDOM``.
        """
        self._done += 1
        place = self.place.lay(files)
        try:
            build = open_build(place, remember=False, workers=1)
        except (FormatError, UsageError, FileTooLargeError):
            return False
        summarize(build)
        sizes = measure(build)
        if sum(sizes.disk) + sum(row.disk for row in sizes.rest) != sizes.disk_total:
            raise AssertionError("bytes are lost")
        catalogs = read_catalogs(build)
        size_rows(build, sizes, KEYS[self._done % len(KEYS)], catalogs)
        size_tree(build, sizes)
        for found in build.objects():
            build.references(found.number)
            build.dependents(found.number)
        for number in range(min(len(build), _ASKED)):
            why(build, number)
            lookup(build, f"{build.file_label(number)}:{build.path_ids[number]}")
        find_duplicates(build)
        with suppress(FormatError):  # a part that cannot be read
            compare(self.whole, build)
        if self._done % _SELDOM == 0:
            _trace(build, self.project)
        return not verify(build).findings


def _trace(build: Build, project: Snapshot) -> None:
    tracer = Tracer(build, project)
    for asset in project.database:
        tracer.shipped(asset.guid)
    tracer.missing()
    tracer.guids()
    tracer.implicit()
    tracer.duplicates()
    mixed(tracer.catalogs)
    for _ in tracer.laid_out():
        pass


@script(__doc__, count=1_000_000, seed=1, skip=0, shape="", corpus=Path)
def main(given: Given) -> None:
    """Run."""
    builds = corpus_shapes(given.corpus) if given.corpus else shapes()
    builds = {name: shape for name, shape in builds.items() if given.shape in name}
    print(f"seed {given.seed}, {len(builds)} builds")
    with tempfile.TemporaryDirectory() as temporary:
        attempts = Attempts(Path(temporary))
        broken = islice(cases(given.count, given.seed, builds), given.skip, None)
        run(broken, attempts.attempt, copies_of(attempts.place.folder, "fuzz-build"), every=10_000)
