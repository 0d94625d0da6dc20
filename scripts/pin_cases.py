"""The command lines that ``pin.py`` pins: scenes, each a fresh copy of files and the commands that run in it in order.

The id of a case is the name of its recording: it stays when the command line has to change its words.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

HELP: Final = "help"  # help, usage or version text: it changes on purpose when the parser does
DATA: Final = "data"


@dataclass(frozen=True)
class Case:
    """One command line, and what of it is recorded beside its streams and exit code.

    ``line`` is what follows ``assetdb``, in shell words, run in ``folder`` of the scene; ``before`` changes the scene's
    files first; ``times`` replaces durations and dates by placeholders; ``written`` names files and folders to hash;
    ``folders`` are environment variables that name a folder of the scene.
    """

    name: str
    line: str
    kind: str = DATA
    folder: str = ""
    stdin: str = ""
    before: Callable[[str], None] | None = None
    times: bool = False
    written: tuple[str, ...] = ()
    folders: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """Copies (``checkout:PATH`` or ``corpus:PATH``, and where they go), and the cases that run in them in order.

    ``prepare`` changes the copies first; ``daemon`` says that a daemon may be left running when a case fails.
    """

    name: str
    copies: tuple[tuple[str, str], ...]
    cases: tuple[Case, ...]
    prepare: Callable[[str], None] | None = None
    daemon: bool = False

    @property
    def needs_corpus(self) -> bool:
        """Whether it can run only where the corpus is."""
        return any(source.startswith("corpus:") for source, _ in self.copies)


def _write(path: str, text: str) -> Callable[[str], None]:
    def change(root: str) -> None:
        target = os.path.join(root, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    return change


def _replace(path: str, old: str, new: str) -> Callable[[str], None]:
    def change(root: str) -> None:
        with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
            text = file.read()
        if old not in text:
            raise ValueError(f"{path} has no {old!r}: the scene is not what its cases were written for")
        _write(path, text.replace(old, new))(root)

    return change


def _remove(*paths: str) -> Callable[[str], None]:
    def change(root: str) -> None:
        for path in paths:
            os.remove(os.path.join(root, path))

    return change


def _cut(path: str, source: str, size: int) -> Callable[[str], None]:
    """Return what writes the first ``size`` bytes of ``source`` to ``path``."""

    def change(root: str) -> None:
        with open(os.path.join(root, source), "rb") as file:
            data = file.read(size)
        with open(os.path.join(root, path), "wb") as file:
            file.write(data)

    return change


def _git(folder: str, *words: str) -> None:
    who = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in _PERSON.items()}
    environment = {"PATH": os.environ.get("PATH", ""), "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder} | who
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True, capture_output=True)


_PERSON: Final = {"NAME": "Someone", "EMAIL": "someone@example.com", "DATE": "2024-01-02T03:04:05+0000"}


def _history(root: str) -> None:
    """Make the project a repository whose second commit deletes a material that the first one has."""
    project = os.path.join(root, "project")
    _git(project, "init", "-q", "-b", "main")
    _git(project, "add", "-A")
    _git(project, "commit", "-q", "-m", "All")
    _remove("project/Assets/Art/Red.mat", "project/Assets/Art/Red.mat.meta")(root)
    _git(project, "add", "-A")
    _git(project, "commit", "-q", "-m", "Without red")


FIXTURE: Final = (("checkout:fixtures/unity_project", "project"),)
COMMANDS: Final = (
    *("bake", "dump", "name", "guid", "path", "find", "coverage", "annotate", "deps", "usages", "unused", "watch"),
    *("status", "stop", "log", "catalog", "unreal", "bundle"),
)
SUBCOMMANDS: Final = {
    "catalog": ("info", "ls", "deps", "usages", "find", "diff", "verify", "convert", "edit", "extract"),
    "unreal": (
        *("info", "ls", "deps", "usages", "unused", "tags", "parts", "thumbs", "diff", "chunks", "extract", "verify"),
    ),
    "bundle": ("info", "ls", "deps", "usages", "get", "verify", "diff", "extract", "edit"),
}
DATABASE: Final = "project/Library/assetdb"
SETTINGS: Final = "4da1de0e3f88a2099ed539d1638f3eb8"  # Assets/Documents/Settings.asset
RED: Final = "c6f94db53433f931df0f976fe2f1be9a"  # Assets/Art/Red.mat
BASE: Final = "864eb4c93ac1f6e40d118fd26989f203"  # Assets/Prefabs/Base.prefab
NOTHING: Final = "0123456789abcdef0123456789abcdef"

_USAGE: Final = Scene(
    "usage",
    (),
    (
        Case("help", "--help", HELP),
        Case("help-word", "help", HELP),
        Case("help-word-command", "help bake", HELP),
        Case("help-nothing", "", HELP),
        Case("version", "--version", HELP),
        *(Case(f"help-{command}", f"{command} --help", HELP) for command in COMMANDS),
        *(
            Case(f"help-{family}-{command}", f"{family} {command} --help", HELP)
            for family, commands in SUBCOMMANDS.items()
            for command in commands
        ),
        *(Case(f"usage-{family}-nothing", family, HELP) for family in SUBCOMMANDS),
        Case("usage-unknown-command", "bakee", HELP),
        Case("usage-unknown-subcommand", "catalog infoo x", HELP),
        Case("usage-unknown-option", "bake --chek", HELP),
        Case("usage-unknown-option-query", "usages --jsn x", HELP),
        Case("usage-missing-argument", "name", HELP),
        Case("usage-missing-value", "find x --type", HELP),
        Case("usage-bad-number", "bake --workers many", HELP),
        Case("usage-bad-number-range", "bake --workers 0", HELP),
        Case("usage-bad-choice", "watch --backend inotfy", HELP),
        Case("usage-bad-choice-ls", "catalog ls x bundels", HELP),
        Case("usage-too-many", "dump a b", HELP),
        Case("no-project-bake", "bake"),
        Case("no-project-name", "name x"),
        Case("no-project-given", "bake --project nowhere"),
        Case("no-project-watch", "watch --detach --project nowhere"),
        Case("no-project-status", "status --project nowhere"),
        Case("no-file-dump", "dump nowhere.bin"),
        Case("no-file-catalog", "catalog info nowhere.json"),
        Case("no-file-bundle", "bundle info nowhere.bundle"),
        Case("no-file-unreal", "unreal info nowhere.uasset"),
        Case("broken-dump", "dump broken.bin", before=_write("broken.bin", "no database\n")),
        Case("broken-catalog", "catalog info broken.json", before=_write("broken.json", '{"m_Keys": 3}')),
        Case("broken-bundle", "bundle info broken.bin"),
        Case("broken-unreal", "unreal info broken.bin"),
    ),
)

_BAKE: Final = Scene(
    "bake",
    FIXTURE,
    (
        Case("bake-duplicates", "bake --project project", written=(DATABASE,)),
        Case("bake-check-cold", "bake --project project --check --keep-going", written=(DATABASE,)),
        Case("bake-cold", "bake --project project --keep-going", written=(DATABASE,)),
        Case("bake-no-op", "bake --project project --keep-going", written=(DATABASE,)),
        Case("bake-quiet", "bake --keep-going -q", folder="project"),
        Case("bake-verbose", "-v bake --keep-going --project project"),
        Case("bake-check-clean", "bake --project project --keep-going --check", written=(DATABASE,)),
        Case("bake-verify-clean", "bake --project project --keep-going --verify"),
        Case("bake-timing", "bake --project project --keep-going --timing -q", times=True),
        Case("bake-json", "bake --project project --keep-going --json", times=True),
        Case(
            "bake-check-edit",
            "bake --project project --keep-going --check -q",
            before=_replace("project/Assets/Documents/Settings.asset", "m_Name: Shield", "m_Name: Buckler"),
            written=(DATABASE,),
        ),
        Case("bake-edit", "bake --project project --keep-going -q", written=(DATABASE,)),
        Case(
            "bake-delete",
            "bake --project project --keep-going -q --json",
            before=_remove(
                "project/Assets/Names/Doors/Steel/Handle.mat", "project/Assets/Names/Doors/Steel/Handle.mat.meta"
            ),
            times=True,
            written=(DATABASE,),
        ),
        Case("bake-out-dir", "bake --project project --keep-going --out-dir out", written=("out",)),
        Case("bake-out-dir-first", "--out-dir out2 --project project -q bake --keep-going", written=("out2",)),
        Case("bake-one-worker", "bake --project project --keep-going -q --workers 1 --out-dir out3", written=("out3",)),
        Case("bake-strict-names", "bake --project project --keep-going --strict-names --out-dir out4 -q"),
        Case("bake-scrub", "bake --project project --keep-going --scrub-chars 'u#' --out-dir out5", written=("out5",)),
        Case(
            "bake-follow-links", "bake --project project --keep-going --follow-links --out-dir out6", written=("out6",)
        ),
        Case(
            "bake-out-dir-variable",
            "bake --project project --keep-going -q",
            written=("out7",),
            folders={"ASSETDB_OUT_DIR": "out7"},
        ),
        Case("dump-out-dir-variable", "dump --project project", folders={"ASSETDB_OUT_DIR": "out7"}),
        Case("dump-out-dir", "dump --project project --out-dir out"),
        Case("dump-file", "dump out5/asset-db.bin"),
        Case(
            "bake-verify-damaged",
            "bake --project project --keep-going --verify -q",
            before=_cut("project/Library/assetdb/asset-db.index", "project/Library/assetdb/asset-db.index", 100),
        ),
        Case("dump-damaged", "dump out6/asset-db.bin", before=_cut("out6/asset-db.bin", "out6/asset-db.bin", 1000)),
        Case(
            "bake-damaged-database",
            "bake --project project --keep-going -q",
            before=_cut("project/Library/assetdb/asset-db.bin", "project/Library/assetdb/asset-db.bin", 1000),
            written=(DATABASE,),
        ),
        Case(
            "bake-settings",
            "bake --project project --keep-going -q --json",
            before=_write("project/assetdb.toml", 'out-dir = "Baked"\nexclude = ["Assets/Documents/**"]\n'),
            times=True,
            written=("project/Baked",),
        ),
        Case("dump-settings", "dump --project project"),
        Case(
            "bake-settings-wrong",
            "bake --project project --keep-going -q",
            before=_write("project/assetdb.toml", "exclud = []\n"),
        ),
        Case(
            "bake-settings-broken", "bake --project project -q", before=_write("project/assetdb.toml", "exclude = [\n")
        ),
    ),
)

_ASK: Final = Scene(
    "ask",
    FIXTURE,
    (
        Case("ask-unbaked", "name Settings --project project --no-refresh"),
        Case("dump-unbaked", "dump --project project"),
        Case("ask-refreshes", "name Settings --project project", written=(DATABASE,)),
        Case("dump", "dump --project project"),
        Case("dump-json", "dump --json", folder="project"),
        Case("name", f"name {SETTINGS} --project project"),
        Case("name-sub-asset", f"name {SETTINGS}:-42 --project project"),
        Case("name-pasted", f"name '{{fileID: 1001, guid: {BASE}, type: 3}}' --project project"),
        Case("name-several", f"name Settings {RED} Nested.prefab --project project"),
        Case("name-json", f"name {SETTINGS}:-42 {BASE} --json --project project"),
        Case("name-nested", "name Assets/Prefabs/Nested.prefab:2001 --project project"),
        Case("name-line", "name Assets/Scenes/Main.unity:8 --project project"),
        Case(
            "name-builtin", "name '{fileID: 10303, guid: 0000000000000000f000000000000000, type: 0}' --project project"
        ),
        Case("name-stdin", "name - --project project", stdin=f"{SETTINGS}\nShield\nnothing-like-it\n"),
        Case("name-miss", "name Setings --project project"),
        Case("name-miss-json", "name Setings --json --project project"),
        Case("name-missing-guid", f"name {NOTHING} --project project"),
        Case("name-ambiguous", "name Handle --project project"),
        Case("name-ambiguous-json", "name Handle --json --project project"),
        Case("name-duplicate-guid", "name 08917795f22f1424dd3fb36a6501136d --project project"),
        Case("name-no-refresh", "name settings --no-refresh --project project"),
        Case("name-unicode", "name Grün --project project"),
        Case("guid", "guid Settings Red.mat --project project"),
        Case("guid-json", "guid Assets/Art/Red.mat --json --project project"),
        Case("guid-miss", "guid Rde.mat --project project"),
        Case("guid-stdin", "guid - --project project", stdin="Red\nHandle\n"),
        Case("path", f"path {RED} Shield --project project"),
        Case("path-json", f"path {RED} --json --project project"),
        Case("path-miss", f"path {NOTHING} --project project"),
        Case("find", "find handle --project project"),
        Case("find-glob", "find '*.mat' --project project"),
        Case("find-type", "find '*' --type Material --project project"),
        Case("find-type-script", "find '*' --type GameSettings --json --project project"),
        Case("find-json", "find shield --json --project project"),
        Case("find-miss", "find nothing-like-it --project project"),
        Case("find-type-miss", "find '*' --type Materiel --project project"),
        Case("deps", "deps Variant.prefab --project project"),
        Case("deps-json", "deps Assets/Documents/Settings.asset --json --project project"),
        Case("deps-deep", "deps Variant.prefab --deep --project project"),
        Case("deps-folder", "deps Assets/Prefabs --project project"),
        Case("deps-nothing", "deps Main.unity --project project"),
        Case("usages", "usages Base.prefab --project project"),
        Case("usages-json", "usages Base.prefab --json --project project"),
        Case("usages-objects", "usages Base --objects --project project"),
        Case("usages-objects-json", "usages Base --objects --json --project project"),
        Case("usages-deep", "usages GameSettings.cs --deep --project project"),
        Case("usages-sub-asset", f"usages {BASE}:1001 --objects --project project"),
        Case("usages-stdin", "usages - --project project", stdin=f"Base.prefab\n{RED}\n"),
        Case("usages-nothing", "usages Main.unity --project project"),
        Case("usages-miss", "usages Bse.prefab --project project"),
        Case("unused-unread", "unused --project project"),
        Case("unused", "unused --incomplete --project project"),
        Case("unused-json", "unused --incomplete --json --project project"),
        Case("unused-why", "unused --incomplete --why --project project"),
        Case(
            "unused-roots", "unused --incomplete --roots Assets/Documents 'Assets/*/Variant.prefab' --project project"
        ),
        Case("coverage", "coverage --project project"),
        Case("coverage-json", "coverage --json --workers 1 --project project"),
        Case("annotate", "annotate Assets/Prefabs/Nested.prefab", folder="project"),
        Case(
            "annotate-stdin",
            "annotate - --project project",
            stdin=f"--- !u!114 &1\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {RED}, type: 3}}\n"
            f"  other: {{fileID: 1, guid: {NOTHING}, type: 2}}\n",
        ),
        Case("annotate-textconv", "annotate --textconv Assets/Sprites/Plain.png", folder="project"),
        Case("annotate-miss", "annotate Assets/None.prefab", folder="project"),
        Case("status-none", "status --project project"),
        Case("status-none-json", "status --json --project project"),
        Case("stop-none", "stop --project project"),
        Case("log-none", "log --project project"),
        Case(
            "ask-after-edit",
            "name Shield Buckler --project project",
            before=_replace("project/Assets/Documents/Settings.asset", "m_Name: Shield", "m_Name: Buckler"),
        ),
        Case("ask-after-edit-stale", "name Shield --no-refresh --project project"),
    ),
)

_PACKAGE: Final = Scene(
    "package",
    (("checkout:fixtures/unity_project/Packages/com.example.embedded", "package"),),
    (
        Case("package-bake", "bake", folder="package", written=("package/Library/assetdb",)),
        Case("package-find", "find '*'", folder="package"),
        Case("package-dump", "dump", folder="package"),
        Case("package-unused", "unused", folder="package"),
    ),
)

_GIT: Final = Scene(
    "git",
    FIXTURE,
    (
        Case("git-deleted", f"name {RED} --project project"),
        Case("git-deleted-json", f"name {RED} --json --project project"),
    ),
    prepare=_history,
)

_WATCH: Final = Scene(
    "watch",
    FIXTURE,
    (
        Case("watch-start", "watch --detach --idle-timeout 300 --project project", times=True),
        Case("watch-again", "watch --detach --project project", times=True),
        Case("watch-status", "status --project project", times=True),
        Case("watch-status-json", "status --json --project project", times=True),
        Case("watch-log", "log --project project", times=True),
        Case("watch-name", "name Settings Handle --project project"),
        Case("watch-name-json", f"name {SETTINGS}:-42 --json", folder="project"),
        Case("watch-miss", "name Setings --project project"),
        Case("watch-find", "find '*' --type Material --project project"),
        Case("watch-deps", "deps Variant.prefab --project project"),
        Case("watch-usages", "usages Base --objects --project project"),
        Case("watch-usages-json", "usages Base.prefab --json --project project"),
        Case("watch-unused", "unused --incomplete --project project"),
        Case("watch-coverage", "coverage --project project"),
        Case("watch-annotate", "annotate Assets/Prefabs/Variant.prefab", folder="project"),
        Case("watch-bake", "bake --project project --keep-going -q", written=(f"{DATABASE}/asset-db.bin",)),
        Case("watch-bake-duplicates", "bake --project project"),
        Case(
            "watch-name-edit",
            "name Shield Buckler --project project",
            before=_replace("project/Assets/Documents/Settings.asset", "m_Name: Shield", "m_Name: Buckler"),
        ),
        Case(
            "watch-bake-edit",
            "bake --project project --keep-going -q --json",
            times=True,
            before=_remove("project/Assets/Art/Red.mat", "project/Assets/Art/Red.mat.meta"),
            written=(f"{DATABASE}/asset-db.bin", f"{DATABASE}/asset-db.index"),
        ),
        Case("watch-bake-check", "bake --project project --keep-going --check -q"),
        Case("watch-path-edit", f"path {RED} --project project"),
        Case("watch-stop", "stop --project project", times=True),
        Case("watch-status-stopped", "status --project project"),
        Case("watch-dump-stopped", "dump --project project"),
        Case("watch-start-poll", "watch --detach --poll --json-log --idle-timeout 300 --project project", times=True),
        Case("watch-status-poll", "status --project project", times=True),
        Case("watch-log-poll", "log --project project", times=True),
        Case("watch-stop-poll", "stop -q --project project", times=True),
        Case("watch-foreground", "watch --idle-timeout 1 --project project", times=True),
    ),
    daemon=True,
)


def _project(name: str, lines: dict[str, str]) -> Scene:
    """Return the scene of a real project: its bake, and what is asked of it."""
    short = name.lower()
    return Scene(
        short,
        ((f"corpus:unity/{name}", "project"),),
        (
            Case(f"{short}-bake", "bake --project project --keep-going", written=(DATABASE,)),
            Case(f"{short}-no-op", "bake --project project --keep-going -q --json", times=True),
            Case(f"{short}-verify", "bake --project project --keep-going -q --verify"),
            Case(f"{short}-dump", "dump --project project"),
            Case(f"{short}-coverage", "coverage --project project"),
            Case(f"{short}-unused", "unused --incomplete --project project"),
            Case(f"{short}-unused-why", "unused --incomplete --why --json --project project"),
            *(Case(f"{short}-{word}", f"{line} --project project") for word, line in lines.items()),
        ),
    )


_PLAYGROUND: Final = _project(
    "UnityPlayground",
    {
        "find": "find '*' --type Prefab",
        "usages": "usages LaserBeam --objects",
        "deps": "deps Bee.prefab --deep",
        "name-all": "name Assets/Examples/Adventure/Bee.prefab:40",
        "annotate": "annotate project/Assets/Examples/Adventure/Bee.prefab",
    },
)
_BOAT: Final = _project(
    "BoatAttack",
    {
        "find": "find island --json",
        "usages": "usages CoveHouse.prefab --objects",
        "usages-json": "usages CoveHouse.prefab --objects --json",
        "deps": "deps 3DSkybox.prefab",
        "ambiguous": "name Audio",
    },
)
_MIRROR: Final = _project(
    "Mirror",
    {
        "find": "find network --type MonoScript",
        "usages": "usages NetworkIdentity.cs",
        "usages-deep": "usages GraphCanvas.prefab --deep --objects",
        "deps": "deps NetworkGraph.prefab --json",
        "miss": "name NetworkIdentitty.cs",
    },
)

_A: Final = "corpus:addressables/data"
_CATALOG: Final = Scene(
    "catalog",
    (
        (f"{_A}/memorium/2026-03-27_71c6c4f2_catalog_0.1.20260326.bin", "old/catalog.bin"),
        (f"{_A}/memorium/2026-03-27_f4364cbe_catalog_0.1.20260326.bin", "new/catalog.bin"),
        (f"{_A}/pinpoint/2023-11-29_0f8113d5_catalog.json", "json/catalog.json"),
        (f"{_A}/cteam-0.4/2019-03-25_503a877f_catalog.json", "early/catalog.json"),
        (f"{_A}/rf-web-beta/2023-02-11_afb547b8_catalog.bundle", "bundled/catalog.bundle"),
        (f"{_A}/derived/malformed", "malformed"),
    ),
    (
        Case("catalog-info", "catalog info new/catalog.bin"),
        Case("catalog-info-json", "catalog info new/catalog.bin --json"),
        Case("catalog-info-folder", "catalog info json"),
        Case("catalog-info-early", "catalog info early/catalog.json"),
        Case("catalog-info-bundled", "catalog info bundled/catalog.bundle"),
        Case("catalog-ls", "catalog ls new/catalog.bin"),
        Case("catalog-ls-json", "catalog ls json/catalog.json --json"),
        *(
            Case(f"catalog-ls-{what}", f"catalog ls json/catalog.json {what}")
            for what in ("keys", "labels", "locations", "types", "providers", "initialization", "duplicates")
        ),
        Case("catalog-deps", "catalog deps json/catalog.json Assets/AddressableAssets/3D/skull.prefab"),
        Case("catalog-deps-json", "catalog deps new/catalog.bin CSV_Data --json"),
        Case("catalog-deps-direct", "catalog deps json/catalog.json 604a5f8d7d36f4c4c972a69cda8175bc --direct"),
        Case("catalog-deps-miss", "catalog deps json/catalog.json Assets/AddressableAssets/3D/skul.prefab"),
        Case("catalog-usages", "catalog usages json/catalog.json Assets/AddressableAssets/3D/skull.obj"),
        Case("catalog-usages-json", "catalog usages json/catalog.json 604a5f8d7d36f4c4c972a69cda8175bc --json"),
        Case("catalog-usages-miss", "catalog usages json/catalog.json nothing-like-it"),
        Case("catalog-find", "catalog find new/catalog.bin berserk"),
        Case("catalog-find-label", "catalog find new/catalog.bin --label CSV_Data --json"),
        Case("catalog-find-type", "catalog find json/catalog.json --type GameObject"),
        Case("catalog-find-regex", "catalog find json/catalog.json '3D/.*obj$' --regex"),
        Case("catalog-find-miss", "catalog find new/catalog.bin nothing-like-it"),
        Case("catalog-diff", "catalog diff old/catalog.bin new/catalog.bin"),
        Case("catalog-diff-json", "catalog diff old/catalog.bin new/catalog.bin --json"),
        Case("catalog-diff-same", "catalog diff old/catalog.bin old/catalog.bin"),
        Case("catalog-verify", "catalog verify new/catalog.bin"),
        Case("catalog-verify-json", "catalog verify json/catalog.json --json"),
        Case("catalog-convert", "catalog convert new/catalog.bin --to json -o new.json", written=("new.json",)),
        Case(
            "catalog-convert-no-folder", "catalog convert new/catalog.bin --to json -o made/new.json", written=("made",)
        ),
        Case(
            "catalog-convert-flavour",
            "catalog convert early/catalog.json --to binary-2.0.8 -o early.bin",
            written=("early.bin",),
        ),
        Case(
            "catalog-convert-hash",
            "catalog convert json/catalog.json --to json-1.21.3 -o two.json --hash-file md5",
            written=("two.json", "two.hash"),
        ),
        Case("catalog-convert-unknown", "catalog convert new/catalog.bin --to jsn -o x.json", HELP),
        Case(
            "catalog-edit",
            "catalog edit json/catalog.json -o edited.json --crc 0"
            " --rename Assets/AddressableAssets/3D/skull.prefab Skull",
            written=("edited.json",),
        ),
        Case(
            "catalog-edit-remove", "catalog edit new/catalog.bin --remove CSV_Data -o less.bin", written=("less.bin",)
        ),
        Case(
            "catalog-edit-miss",
            "catalog edit new/catalog.bin --remove nothing-like-it -o none.bin",
            written=("none.bin",),
        ),
        Case("catalog-edit-in-place", "catalog edit old/catalog.bin --crc 0 --in-place", written=("old",)),
        Case("catalog-extract", "catalog extract json/catalog.json"),
        Case(
            "catalog-extract-jsonl",
            "catalog extract new/catalog.bin --format jsonl -o all.jsonl",
            written=("all.jsonl",),
        ),
        *(
            Case(f"catalog-broken-{name.replace('_', '-').replace('.', '-')}", f"catalog info malformed/{name}")
            for name in (
                "b_keys_off_oob.bin",
                "b_trunc_hdr.bin",
                "j_bucket_count_huge.json",
                "j_deep.json",
                "j_trunc_half.json",
            )
        ),
        Case("catalog-salvage", "catalog ls malformed/b_loc_oob.bin --salvage"),
    ),
)

_CASSET: Final = Scene(
    "casset",
    (
        ("corpus:casset/engine_written/v3.1.0_dfee70e7", "b"),
        ("corpus:casset/engine_written/v3.0.0_dfe230bc", "b30"),
        ("corpus:casset/engine_written/v2.0.0_e183e084", "b20"),
    ),
    (
        Case("casset-info", "bundle info b/AllTypes.casset b20/TestBundle.casset"),
        Case("casset-info-json", "bundle info b/DepA.casset b/DepQuirks.casset --json"),
        Case("casset-ls", "bundle ls b/AllTypes.casset"),
        Case("casset-ls-json", "bundle ls b30/MyMaterialBundle.casset --json"),
        Case("casset-get", "bundle get b/AllTypes.casset All"),
        Case("casset-get-json", "bundle get b/AllTypes.casset All.Kid --json"),
        Case("casset-get-miss", "bundle get b/AllTypes.casset All.Kod"),
        Case("casset-deps", "bundle deps b/DepQuirks.casset --project b"),
        Case("casset-deps-json", "bundle deps b/AllTypes.casset --project b --json"),
        Case("casset-usages", "bundle usages b/DepA.casset --project b"),
        Case("casset-usages-unused", "bundle usages --unused --project b30"),
        Case("casset-verify", "bundle verify b/AllTypes.casset b20/TestBundle.casset"),
        Case("casset-verify-project", "bundle verify --project b30 --json"),
        Case("casset-diff", "bundle diff b30/AllTypes.casset b/AllTypes.casset"),
        Case("casset-diff-json", "bundle diff b/DepA.casset b/DepQuirks.casset --json"),
        Case("casset-extract", "bundle extract b/AllTypes.casset --to out", written=("out",)),
        Case(
            "casset-edit", "bundle edit b/AllTypes.casset --rename All Every -o every.casset", written=("every.casset",)
        ),
        Case(
            "casset-edit-miss", "bundle edit b/AllTypes.casset --rename Al Every -o no.casset", written=("no.casset",)
        ),
        Case("casset-broken", "bundle info cut.casset", before=_cut("cut.casset", "b/AllTypes.casset", 200)),
    ),
)

_U: Final = "corpus:unityfs/Addressables-Sample"
_UNITYFS: Final = Scene(
    "unityfs",
    (
        (f"{_U}/7805b4db23_packedassets_assets_all.bundle", "f/small.bundle"),
        (f"{_U}/bba86c953e_packedassets_assets_all.bundle", "f/other.bundle"),
        (f"{_U}/3770635b9e_fastfollowcontent_assets_all_15c16475abdeb6f9efc37c83705884d4.bundle", "f/fast.bundle"),
        ("corpus:builds/UnityDataTools/PlayerData/2022.1.20f1", "player"),
    ),
    (
        Case("unityfs-info", "bundle info f/small.bundle"),
        Case("unityfs-info-json", "bundle info f/small.bundle f/fast.bundle --json"),
        Case("unityfs-ls", "bundle ls f/small.bundle"),
        Case("unityfs-ls-json", "bundle ls f/fast.bundle --json"),
        Case("unityfs-get", "bundle get f/small.bundle Sphere"),
        Case("unityfs-get-json", "bundle get f/small.bundle 7616924339484908854 --json"),
        Case("unityfs-get-miss", "bundle get f/small.bundle Spher"),
        Case("unityfs-deps", "bundle deps f/small.bundle"),
        Case("unityfs-deps-object", "bundle deps f/small.bundle --object Sphere --json"),
        Case("unityfs-usages", "bundle usages f/small.bundle --project f"),
        Case("unityfs-verify", "bundle verify f/small.bundle f/fast.bundle"),
        Case("unityfs-verify-json", "bundle verify f/small.bundle --json"),
        Case("unityfs-diff", "bundle diff f/small.bundle f/other.bundle"),
        Case("unityfs-diff-json", "bundle diff f/small.bundle f/other.bundle --json"),
        Case("unityfs-extract", "bundle extract f/small.bundle --to out", written=("out",)),
        Case(
            "unityfs-edit", "bundle edit f/small.bundle --rename Sphere Ball -o ball.bundle", written=("ball.bundle",)
        ),
        Case("unityfs-player", "bundle ls player/level0"),
        Case("unityfs-broken", "bundle ls cut.bundle", before=_cut("cut.bundle", "f/small.bundle", 3000)),
    ),
)

_ZLIB: Final = "CUE4ParseFixtures-Minimal-Zlib-Windows"
_KEY: Final = b"CUE4ParseFixtureAESKey0123456789".hex()  # public: of the fixtures' own repository
_F: Final = "corpus:unreal/data/CUE4Parse/UE5_8"
_UNREAL: Final = Scene(
    "unreal",
    (
        ("corpus:unreal/data/cesium-unreal/Content", "p/Content"),
        ("corpus:unreal/data/repak/packs/pack_v11_compress.pak", "v11.pak"),
        ("corpus:unreal/data/repak/packs/pack_v11_encrypt_encryptindex.pak", "secret.pak"),
        ("corpus:unreal/data/repak/packs/pack_v9_compress.pak", "v9.pak"),
        (f"{_F}/IoStore/Tagged/Zlib", "io"),
        (f"{_F}/IoStore/Unversioned/OodleEncrypted", "locked"),
    ),
    (
        Case("unreal-info", "unreal info p/Content/DynamicPawn.uasset"),
        Case("unreal-info-json", "unreal info p/Content/Ellipsoids/WGS84.uasset --json"),
        Case("unreal-info-properties", "unreal info p/Content/Ellipsoids/WGS84.uasset --properties"),
        Case("unreal-info-container", f"unreal info io/{_ZLIB}.utoc"),
        Case("unreal-info-in", "unreal info /Game/Fixtures/DataTables/DT_Composite --in io"),
        Case("unreal-info-pak", "unreal info v11.pak"),
        Case("unreal-ls", "unreal ls p/Content"),
        Case("unreal-ls-json", "unreal ls p/Content --json --workers 1"),
        Case("unreal-ls-class", "unreal ls p/Content --class Blueprint"),
        Case("unreal-ls-missing", "unreal ls p/Content --missing"),
        Case("unreal-ls-damaged", "unreal ls p/Content --damaged"),
        Case("unreal-ls-container", "unreal ls io --classes"),
        Case("unreal-ls-cache", "unreal ls p/Content --cache scan.cache --class CurveFloat", written=("scan.cache",)),
        Case("unreal-deps", "unreal deps DynamicPawn --in p/Content"),
        Case("unreal-deps-deep", "unreal deps DynamicPawn --in p/Content --deep --native --json"),
        Case("unreal-deps-container", "unreal deps /Game/Fixtures/DataTables/DT_Composite --in io"),
        Case("unreal-deps-miss", "unreal deps DynamicPwn --in p/Content"),
        Case("unreal-usages", "unreal usages WGS84 --in p/Content"),
        Case("unreal-usages-json", "unreal usages MLB_AngleMask --in p/Content --json"),
        Case("unreal-unused", "unreal unused p/Content"),
        Case("unreal-unused-reachable", "unreal unused p/Content --reachable --json"),
        Case("unreal-tags", "unreal tags p/Content/DynamicPawn.uasset"),
        Case("unreal-tags-search", "unreal tags p/Content --tag ParentClass --json"),
        Case("unreal-parts", "unreal parts p/Content/DynamicPawn.uasset"),
        Case("unreal-thumbs", "unreal thumbs p/Content --to thumbs", written=("thumbs",)),
        Case("unreal-diff", "unreal diff p/Content/Ellipsoids/IAU2015_Mars.uasset p/Content/Ellipsoids/WGS84.uasset"),
        Case("unreal-diff-paks", "unreal diff v9.pak v11.pak --json"),
        Case("unreal-chunks", f"unreal chunks io/{_ZLIB}.utoc"),
        Case("unreal-chunks-blocks", f"unreal chunks io/{_ZLIB}.utoc --type BulkData --blocks --json"),
        Case("unreal-chunks-pak", "unreal chunks v11.pak"),
        Case("unreal-chunks-no-key", "unreal chunks secret.pak"),
        Case("unreal-chunks-wrong-key", f"unreal chunks secret.pak --key {'00' * 32}"),
        Case("unreal-ls-encrypted", f"unreal ls locked --key {_KEY}"),
        Case("unreal-extract-pak", "unreal extract v11.pak --to out", written=("out",)),
        Case("unreal-extract-only", "unreal extract io --only '*.umap' --to maps", written=("maps",)),
        Case("unreal-extract-legacy", "unreal extract io --only '*DT_*' --legacy --to legacy", written=("legacy",)),
        Case("unreal-verify", f"unreal verify io/{_ZLIB}.utoc"),
        Case("unreal-verify-json", "unreal verify v11.pak --json"),
        Case("unreal-broken", "unreal info cut.uasset", before=_cut("cut.uasset", "p/Content/DynamicPawn.uasset", 900)),
        Case("unreal-broken-container", "unreal ls cut.pak", before=_cut("cut.pak", "v11.pak", 5000)),
    ),
)

# The longest first, so that none of them is left alone at the end.
SCENES: Final = (
    *(_UNREAL, _ASK, _WATCH, _USAGE, _CATALOG, _BAKE, _MIRROR, _BOAT, _PLAYGROUND, _CASSET, _UNITYFS, _GIT, _PACKAGE),
)
