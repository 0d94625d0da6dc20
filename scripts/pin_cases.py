"""The command lines that ``pin.py`` pins: scenes, each a fresh copy of files and the commands that run in it in order.

The id of a case is the name of its recording: it stays when the command line has to change its words.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from typing import Final

from assetdb.cli.commands import COMMANDS, Command
from scripts.pin_corpus_cases import BOAT, CASSET, CATALOG, MIRROR, PLAYGROUND, UNITYFS, UNREAL
from scripts.pin_scene import HELP, Case, Scene, cut, remove, replace, write


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
    remove("project/Assets/Art/Red.mat", "project/Assets/Art/Red.mat.meta")(root)
    _git(project, "add", "-A")
    _git(project, "commit", "-q", "-m", "Without red")


FIXTURE: Final = (("checkout:fixtures/unity_project", "project"),)
DATABASE: Final = "project/Library/assetdb"
SETTINGS: Final = "4da1de0e3f88a2099ed539d1638f3eb8"  # Assets/Documents/Settings.asset
RED: Final = "c6f94db53433f931df0f976fe2f1be9a"  # Assets/Art/Red.mat
BASE: Final = "864eb4c93ac1f6e40d118fd26989f203"  # Assets/Prefabs/Base.prefab
NOTHING: Final = "0123456789abcdef0123456789abcdef"


def _help_of(rows: tuple[Command, ...], *path: str) -> Iterator[Case]:
    """Yield the help of all commands, and what a family prints that is given no word."""
    for row in rows:
        words = (*path, row.name)
        if not row.hidden:
            yield Case(f"help-{'-'.join(words)}", f"{' '.join(words)} --help", HELP)
        if row.family:
            yield Case(f"usage-{row.name}-nothing", row.name, HELP)
            yield from _help_of(row.rows(), *words)


_USAGE: Final = Scene(
    "usage",
    (),
    (
        Case("help", "--help", HELP),
        Case("help-word", "help", HELP),
        Case("help-word-command", "help bake", HELP),
        Case("help-nothing", "", HELP),
        Case("version", "--version", HELP),
        *_help_of(COMMANDS),
        Case("usage-unknown-command", "bakee", HELP),
        Case("usage-unknown-subcommand", "catalog infoo x", HELP),
        Case("usage-unknown-option", "bake --chek", HELP),
        Case("usage-unknown-option-query", "usages --jsn x", HELP),
        Case("usage-missing-argument", "name", HELP),
        Case("usage-missing-value", "find x --type", HELP),
        Case("usage-bad-number", "bake --workers many", HELP),
        Case("usage-bad-number-range", "bake --workers 0", HELP),
        Case("usage-bad-choice", "watch --backend inotfy", HELP),
        Case("usage-bad-choice-ls", "catalog ls x --kind bundels", HELP),
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
        Case("broken-dump", "dump broken.bin", before=write("broken.bin", "no database\n")),
        Case("broken-catalog", "catalog info broken.json", before=write("broken.json", '{"m_Keys": 3}')),
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
            before=replace("project/Assets/Documents/Settings.asset", "m_Name: Shield", "m_Name: Buckler"),
            written=(DATABASE,),
        ),
        Case("bake-edit", "bake --project project --keep-going -q", written=(DATABASE,)),
        Case(
            "bake-delete",
            "bake --project project --keep-going -q --json",
            before=remove(
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
            before=cut("project/Library/assetdb/asset-db.index", "project/Library/assetdb/asset-db.index", 100),
        ),
        Case("dump-damaged", "dump out6/asset-db.bin", before=cut("out6/asset-db.bin", "out6/asset-db.bin", 1000)),
        Case(
            "bake-damaged-database",
            "bake --project project --keep-going -q",
            before=cut("project/Library/assetdb/asset-db.bin", "project/Library/assetdb/asset-db.bin", 1000),
            written=(DATABASE,),
        ),
        Case(
            "bake-settings",
            "bake --project project --keep-going -q --json",
            before=write("project/assetdb.toml", 'out-dir = "Baked"\nexclude = ["Assets/Documents/**"]\n'),
            times=True,
            written=("project/Baked",),
        ),
        Case("dump-settings", "dump --project project"),
        Case(
            "bake-settings-wrong",
            "bake --project project --keep-going -q",
            before=write("project/assetdb.toml", "exclud = []\n"),
        ),
        Case(
            "bake-settings-broken", "bake --project project -q", before=write("project/assetdb.toml", "exclude = [\n")
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
        Case("info", "info --project project"),
        Case("info-json", "info --project project --json"),
        Case("ls-tree", "ls Nested.prefab --tree --project project"),
        Case("ls-folder", "ls Assets --project project"),
        Case("get", "get Base.prefab --project project"),
        Case("find-in", "find --in Nested.prefab --project project"),
        Case("find-component", "find --component Item --project project"),
        Case("deps-to", "deps Nested.prefab --to Base.prefab --project project"),
        Case("usages-why", "usages Base.prefab --why --project project"),
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
        Case("check", "check --project project --exit-zero"),
        Case("check-statistics", "check --project project --statistics --exit-zero"),
        Case("rule", "rule missing-script"),
        Case("register-dry-run", "register --dry-run --project project Assets"),
        Case("mv-nothing", "mv --project project Assets/Nothing.txt Assets/Other.txt"),
        Case("rm-nothing", "rm --project project Assets/Nothing.txt"),
        Case("git-setup-nowhere", "git-setup --project project"),
        Case("groups", "groups --project project"),
        Case("trace-nowhere", "trace Assets --in nowhere --project project"),
        Case("build-nowhere", "build info nowhere"),
        Case("lsp-help", "lsp --help"),
        Case("mcp-help", "mcp --help"),
        Case("coverage-json", "coverage --json --workers 1 --project project"),
        Case("export", "export out --format jsonl --json --workers 1 --project project"),
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
        Case("doctor", "doctor --json --project project"),
        Case("log-none", "log --project project"),
        Case(
            "ask-after-edit",
            "name Shield Buckler --project project",
            before=replace("project/Assets/Documents/Settings.asset", "m_Name: Shield", "m_Name: Buckler"),
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
        Case("git-history", f"history {RED} --project project", times=True),
        Case("git-history-all", f"history {RED} --all --json --project project", times=True),
        Case("git-diff", "diff HEAD~1.. --project project"),
        Case("git-diff-json", "diff HEAD~1 --json --project project"),
        Case("git-diff-markdown", "diff HEAD~1 --format markdown --project project"),
    ),
    prepare=_history,
)

_WATCH: Final = Scene(
    "watch",
    FIXTURE,
    (
        # `unused` takes AssetBundles from the cache, which a daemon that finds none writes later, at a time of its own.
        Case("watch-bake-before", "bake --project project --keep-going -q"),
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
            before=replace("project/Assets/Documents/Settings.asset", "m_Name: Shield", "m_Name: Buckler"),
        ),
        Case(
            "watch-bake-edit",
            # Whether the daemon has written already, before it is asked to, is a matter of milliseconds: no --json.
            "bake --project project --keep-going -q",
            before=remove("project/Assets/Art/Red.mat", "project/Assets/Art/Red.mat.meta"),
            written=(f"{DATABASE}/asset-db.bin", f"{DATABASE}/asset-db.index"),
        ),
        Case("watch-bake-check", "bake --project project --keep-going --check -q"),
        Case("watch-path-edit", f"path {RED} --project project"),
        Case("watch-stop", "stop --project project", times=True),
        Case("watch-status-stopped", "status --project project"),
        Case("watch-dump-stopped", "dump --project project"),
        Case(
            "watch-start-poll",
            "watch --detach --backend polling --json-log --idle-timeout 300 --project project",
            times=True,
        ),
        Case("watch-status-poll", "status --project project", times=True),
        Case("watch-log-poll", "log --project project", times=True),
        Case("watch-stop-poll", "stop -q --project project", times=True),
        Case("watch-foreground", "watch --idle-timeout 1 --project project", times=True),
    ),
    daemon=True,
)

# The longest first, so that none of them is left alone at the end.
SCENES: Final = (
    *(UNREAL, _ASK, _WATCH, _USAGE, CATALOG, _BAKE, MIRROR, BOAT, PLAYGROUND, CASSET, UNITYFS, _GIT, _PACKAGE),
)
