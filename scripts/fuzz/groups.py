"""Break the Addressables assets of a project and see that its groups are planned, or a typed error, quickly.

    python -m scripts.fuzz.groups [--count 1000000] [--seed 1] [--corpus DIR]

A small project is written: settings with profiles, groups of folders, labels and separate bundles, schemas, the scenes
of the build settings, and assets that several of them pull in. In each case a few bytes or lines of some of these files
are changed, cut off or moved, and one snapshot after another (as in a daemon) computes what would be built where, what is
pulled in and what would be there twice. With ``--corpus`` those of a folder (with AddressableAssetsData and guid_to_path.json) are broken
instead. Prints the slowest case and the most memory; a case that takes over 5 s or 2 GiB ends the run.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assetdb.builds.groups.implicit import contents, planned_duplicates
from assetdb.builds.groups.plan import plan_groups
from assetdb.builds.groups.rows import bundle_rows, duplicate_rows, entry_rows, group_rows
from assetdb.errors import AssetdbError
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb_formats.binary import FormatError
from scripts.arguments import Given, script
from scripts.fuzz.running import copies_of, damage, run
from tests.assetdb.builds.projects import CONFIG, add_group, add_settings, folders, reference, write_tree
from tests.system.graph.project import HEAD, add, data_asset, guid_of

_SCENES = "ProjectSettings/EditorBuildSettings.asset"
_LARGEST = 300_000  # bytes of a file that is worth breaking
_VALUES = (
    *(b"", b"[]", b"{}", b"-1", b"99999999999999999999", b"1e999", b"~", b"[a, [b]]", b"&x [*x]", b"2", b"[Remote]"),
)
_PROFILES = """  m_ProfileSettings:
    m_Profiles:
    - m_InheritedParent:
      m_Id: 1
      m_ProfileName: Default
      m_Values:
      - m_Id: 2
        m_Value: 'ServerData/[BuildTarget]'
    m_ProfileEntryNames:
    - m_Id: 2
      m_Name: Remote
  m_ActiveProfileId: 1
"""

Files = dict[str, bytes]
"""The files of a project that are broken, by their paths in it."""


def write_project(root: Path) -> Path:
    """Write a project with something of everything that a plan is made of."""
    (root / "ProjectSettings").mkdir(parents=True)
    scenes = "".join(
        f"  - enabled: {on}\n    path: {path}\n    guid: {guid_of(path)}\n"
        for on, path in ((1, "Assets/Main.unity"), (0, "Assets/F/level.unity"))
    )
    settings = f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{scenes}"
    (root / _SCENES).write_text(settings, newline="")
    add(root, "Assets/Main.unity", data_asset("m", reference("Assets/Shared.asset")), "DefaultImporter")
    add(root, "Assets/Shared.asset", data_asset("s", reference("Assets/Tex.png")))
    add(root, "Assets/Tex.png", "12345", "TextureImporter")
    add(root, "Assets/Resources/R.asset", data_asset("r", reference("Assets/Shared.asset")))
    folders(root, "Assets/F", "Assets/F/Own")
    add(root, "Assets/F/a.asset", data_asset("a", reference("Assets/Shared.asset")))
    add(root, "Assets/F/level.unity", HEAD, "DefaultImporter")
    add(root, "Assets/F/Own/c.asset", data_asset("c", reference("Assets/F/a.asset")))
    add_group(root, "Folder", ("Assets/F", "f", ("x", "y")), ("Assets/Gone.asset", "gone", ()))
    paths = "  m_BundleMode: 1\n  m_BuildPath:\n    m_Id: 2\n  m_LoadPath:\n    m_Id: 2\n"
    add_group(root, "Separate", ("Assets/F/Own", "o", ("z",)), schema=paths)
    add_group(root, "Player", ("Resources", "R", ()), ("EditorSceneList", "S", ()), schema=None)
    add_settings(root, "Folder", "Separate", "Player", extra=_PROFILES)
    return root


def files_of(root: Path) -> Files:
    """Return what is broken of a project: its Addressables assets and build settings."""
    found = [root / _SCENES, *sorted((root / CONFIG).rglob("*.asset"))]
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in found
        if path.is_file() and path.stat().st_size <= _LARGEST
    }


def cases(count: int, seed: int, files: Files) -> Iterator[Files]:
    """Yield the broken files of ``count`` projects, the same ones for the same ``seed``."""
    choice = random.Random(seed)
    names = sorted(files)
    for _ in range(count):
        chosen = choice.sample(names, min(len(names), choice.choice((1, 1, 2))))
        if choice.random() < 0.4:
            yield {name: damage(files[name], choice, [files[name]]) for name in chosen}
        else:
            yield {name: _with_other_lines(files[name], choice) for name in chosen}


def _with_other_lines(data: bytes, choice: random.Random) -> bytes:
    """Return YAML that mostly still is some: lines gone, twice, deeper, elsewhere, or with another one's value."""
    lines = data.split(b"\n")
    for _ in range(choice.choice((1, 1, 2, 5))):
        at, other = choice.randrange(len(lines)), choice.randrange(len(lines))
        how = choice.randrange(5)
        if how == 0 and len(lines) > 1:
            del lines[at]
        elif how == 1:
            lines.insert(other, lines[at])
        elif how == 2:
            lines[at] = b"  " + lines[at]
        elif how == 3:
            lines[at], lines[other] = lines[other], lines[at]
        else:
            key, colon, _ = lines[at].partition(b": ")
            lines[at] = key + (colon or b": ") + choice.choice((lines[other].partition(b": ")[2], *_VALUES))
    return b"\n".join(lines)


class Attempts:
    """Broken projects that are planned, one after another, by one snapshot as a daemon has it."""

    def __init__(self, root: Path) -> None:
        """Take a project that is there."""
        self.root = root
        self.whole = files_of(root)
        self._broken: Files = {}
        self.project: Snapshot = open_project(str(root))

    def attempt(self, files: Files) -> bool:
        """Write broken files and ask; return whether nothing was wrong with them."""
        for name in self._broken.keys() - files.keys():
            (self.root / name).write_bytes(self.whole[name])
        for name, data in files.items():
            (self.root / name).write_bytes(data)
        self._broken = files
        try:
            self.project.refresh()
            plan = plan_groups(self.project)
            if plan is None:
                return False
            held = contents(self.project, plan)
        except (AssetdbError, FormatError, LookupError):
            return False
        rows = planned_duplicates(held)
        found = [*group_rows(plan, held), *bundle_rows(held), *entry_rows(plan.groups), *duplicate_rows(rows)]
        json.dumps(found)
        return not plan.problems


@script(__doc__, count=1_000_000, seed=1, corpus=Path)
def main(given: Given) -> None:
    """Run."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "Project"
        attempts = Attempts(write_tree(root, given.corpus) if given.corpus else write_project(root))
        print(f"seed {given.seed}, {len(attempts.whole)} files")
        broken = cases(given.count, given.seed, attempts.whole)
        run(broken, attempts.attempt, copies_of(root, "fuzz-project"), every=1000)
        attempts.project.close()
