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
    remove("project/Assets/Art/Red.mat")(root)
    _git(project, "add", "-A")
    _git(project, "commit", "-q", "-m", "Without red")


FIXTURE: Final = (("checkout:fixtures/unity_project", "project"),)
DATABASE: Final = "project/Library/assetdb"
BIN: Final = f"{DATABASE}/asset-db.bin"
SETTINGS: Final = "4da1de0e3f88a2099ed539d1638f3eb8"  # Assets/Documents/Settings.asset
RED: Final = "c6f94db53433f931df0f976fe2f1be9a"  # Assets/Art/Red.mat
BASE: Final = "864eb4c93ac1f6e40d118fd26989f203"  # Assets/Prefabs/Base.prefab
IN: Final = "--project project"
KEEP: Final = f"{IN} --keep-going"
_RENAME: Final = replace("project/Assets/Documents/Settings.asset", "m_Name: Shield", "m_Name: Buckler")
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
        Case("bake-duplicates", f"bake {IN}", written=(DATABASE,)),
        Case("bake-check-cold", f"bake {IN} --check --keep-going", written=(DATABASE,)),
        Case("bake-cold", f"bake {KEEP}", written=(DATABASE,)),
        Case("bake-no-op", f"bake {KEEP}", written=(DATABASE,)),
        Case("bake-quiet", "bake --keep-going -q", folder="project"),
        Case("bake-verbose", f"-v bake --keep-going {IN}"),
        Case("bake-check-clean", f"bake {KEEP} --check", written=(DATABASE,)),
        Case("bake-verify-clean", f"bake {KEEP} --verify"),
        Case("bake-timing", f"bake {KEEP} --timing -q", times=True),
        Case("bake-json", f"bake {KEEP} --json", times=True),
        Case("bake-check-edit", f"bake {KEEP} --check -q", before=_RENAME, written=(DATABASE,)),
        Case("bake-edit", f"bake {KEEP} -q", written=(DATABASE,)),
        Case(
            "bake-delete",
            f"bake {KEEP} -q --json",
            before=remove("project/Assets/Names/Doors/Steel/Handle.mat"),
            times=True,
            written=(DATABASE,),
        ),
        Case("bake-out-dir", f"bake {KEEP} --out-dir out", written=("out",)),
        Case("bake-out-dir-first", f"--out-dir out2 {IN} -q bake --keep-going", written=("out2",)),
        Case("bake-one-worker", f"bake {KEEP} -q --workers 1 --out-dir out3", written=("out3",)),
        Case("bake-strict-names", f"bake {KEEP} --strict-names --out-dir out4 -q"),
        Case("bake-scrub", f"bake {KEEP} --scrub-chars 'u#' --out-dir out5", written=("out5",)),
        Case("bake-follow-links", f"bake {KEEP} --follow-links --out-dir out6", written=("out6",)),
        Case("bake-out-dir-variable", f"bake {KEEP} -q", written=("out7",), folders={"ASSETDB_OUT_DIR": "out7"}),
        Case("dump-out-dir-variable", f"dump {IN}", folders={"ASSETDB_OUT_DIR": "out7"}),
        Case("dump-out-dir", f"dump {IN} --out-dir out"),
        Case("dump-file", "dump out5/asset-db.bin"),
        Case("bake-verify-damaged", f"bake {KEEP} --verify -q", before=cut(f"{DATABASE}/asset-db.index", 100)),
        Case("dump-damaged", "dump out6/asset-db.bin", before=cut("out6/asset-db.bin", 1000)),
        Case("bake-damaged-database", f"bake {KEEP} -q", before=cut(BIN, 1000), written=(DATABASE,)),
        Case(
            "bake-settings",
            f"bake {KEEP} -q --json",
            before=write("project/assetdb.toml", 'out-dir = "Baked"\nexclude = ["Assets/Documents/**"]\n'),
            times=True,
            written=("project/Baked",),
        ),
        Case("dump-settings", f"dump {IN}"),
        Case("bake-settings-wrong", f"bake {KEEP} -q", before=write("project/assetdb.toml", "exclud = []\n")),
        Case("bake-settings-broken", f"bake {IN} -q", before=write("project/assetdb.toml", "exclude = [\n")),
    ),
)

_ASK: Final = Scene(
    "ask",
    FIXTURE,
    (
        Case("ask-unbaked", f"name Settings {IN} --no-refresh"),
        Case("dump-unbaked", f"dump {IN}"),
        Case("ask-refreshes", f"name Settings {IN}", written=(DATABASE,)),
        Case("dump", f"dump {IN}"),
        Case("dump-json", "dump --json", folder="project"),
        Case("name", f"name {SETTINGS} --project project"),
        Case("info", f"info {IN}"),
        Case("info-json", f"info {IN} --json"),
        Case("ls-tree", f"ls Nested.prefab --tree {IN}"),
        Case("ls-folder", f"ls Assets {IN}"),
        Case("get", f"get Base.prefab {IN}"),
        Case("find-in", f"find --in Nested.prefab {IN}"),
        Case("find-component", f"find --component Item {IN}"),
        Case("deps-to", f"deps Nested.prefab --to Base.prefab {IN}"),
        Case("usages-why", f"usages Base.prefab --why {IN}"),
        Case("name-sub-asset", f"name {SETTINGS}:-42 --project project"),
        Case("name-pasted", f"name '{{fileID: 1001, guid: {BASE}, type: 3}}' --project project"),
        Case("name-several", f"name Settings {RED} Nested.prefab --project project"),
        Case("name-json", f"name {SETTINGS}:-42 {BASE} --json --project project"),
        Case("name-nested", f"name Assets/Prefabs/Nested.prefab:2001 {IN}"),
        Case("name-line", f"name Assets/Scenes/Main.unity:8 {IN}"),
        Case(
            "name-builtin", "name '{fileID: 10303, guid: 0000000000000000f000000000000000, type: 0}' --project project"
        ),
        Case("name-stdin", f"name - {IN}", stdin=f"{SETTINGS}\nShield\nnothing-like-it\n"),
        Case("name-miss", f"name Setings {IN}"),
        Case("name-miss-json", f"name Setings --json {IN}"),
        Case("name-missing-guid", f"name {NOTHING} --project project"),
        Case("name-ambiguous", f"name Handle {IN}"),
        Case("name-ambiguous-json", f"name Handle --json {IN}"),
        Case("name-duplicate-guid", f"name 08917795f22f1424dd3fb36a6501136d {IN}"),
        Case("name-no-refresh", f"name settings --no-refresh {IN}"),
        Case("name-unicode", f"name Grün {IN}"),
        Case("guid", f"guid Settings Red.mat {IN}"),
        Case("guid-json", f"guid Assets/Art/Red.mat --json {IN}"),
        Case("guid-miss", f"guid Rde.mat {IN}"),
        Case("guid-stdin", f"guid - {IN}", stdin="Red\nHandle\n"),
        Case("path", f"path {RED} Shield --project project"),
        Case("path-json", f"path {RED} --json --project project"),
        Case("path-miss", f"path {NOTHING} --project project"),
        Case("find", f"find handle {IN}"),
        Case("find-glob", f"find '*.mat' {IN}"),
        Case("find-type", f"find '*' --type Material {IN}"),
        Case("find-type-script", f"find '*' --type GameSettings --json {IN}"),
        Case("find-json", f"find shield --json {IN}"),
        Case("find-miss", f"find nothing-like-it {IN}"),
        Case("find-type-miss", f"find '*' --type Materiel {IN}"),
        Case("deps", f"deps Variant.prefab {IN}"),
        Case("deps-json", f"deps Assets/Documents/Settings.asset --json {IN}"),
        Case("deps-deep", f"deps Variant.prefab --deep {IN}"),
        Case("deps-folder", f"deps Assets/Prefabs {IN}"),
        Case("deps-tree", f"deps Assets/MainObjects --tree {IN}"),
        Case("usages-tree", f"usages GameSettings.cs --tree --depth 2 {IN}"),
        Case("usages-tree-json", f"usages Base.prefab --tree --json {IN}"),
        Case("deps-nothing", f"deps Main.unity {IN}"),
        Case("graph", f"graph Base.prefab {IN}"),
        Case("report", f"report -o page.html {IN}"),
        Case("usages", f"usages Base.prefab {IN}"),
        Case("merge", f"merge {' '.join(['project/Assets/Prefabs/Base.prefab'] * 3)}"),
        Case("resolve-list", "resolve --list --project project"),
        Case("usages-json", f"usages Base.prefab --json {IN}"),
        Case("usages-objects", f"usages Base --objects {IN}"),
        Case("usages-objects-json", f"usages Base --objects --json {IN}"),
        Case("usages-deep", f"usages GameSettings.cs --deep {IN}"),
        Case("usages-sub-asset", f"usages {BASE}:1001 --objects --project project"),
        Case("usages-stdin", f"usages - {IN}", stdin=f"Base.prefab\n{RED}\n"),
        Case("usages-nothing", f"usages Main.unity {IN}"),
        Case("usages-miss", f"usages Bse.prefab {IN}"),
        Case("unused-unread", f"unused {IN}"),
        Case("unused", f"unused --incomplete {IN}"),
        Case("unused-json", f"unused --incomplete --json {IN}"),
        Case("unused-why", f"unused --incomplete --why {IN}"),
        Case("unused-roots", f"unused --incomplete --roots Assets/Documents 'Assets/*/Variant.prefab' {IN}"),
        Case("coverage", f"coverage {IN}"),
        Case("check", f"check {IN} --exit-zero"),
        Case("check-statistics", f"check {IN} --statistics --exit-zero"),
        Case("packages", f"packages {IN}"),
        Case("packages-json", f"packages --json {IN}"),
        Case("packages-unused", f"packages --unused {IN}"),
        Case("packages-without", f"packages --without com.acme.nothing {IN}"),
        Case("rule", "rule missing-script"),
        Case("register-dry-run", f"register --dry-run {IN} Assets"),
        Case("mv-nothing", f"mv {IN} Assets/Nothing.txt Assets/Other.txt"),
        Case("rm-nothing", f"rm {IN} Assets/Nothing.txt"),
        Case("git-setup-nowhere", f"git-setup {IN}"),
        Case("unity-setup-nothing", f"unity-setup --remove {IN}"),
        Case("groups", f"groups {IN}"),
        Case("trace-nowhere", f"trace Assets --in nowhere {IN}"),
        Case("build-nowhere", "build info nowhere"),
        Case("lsp-help", "lsp --help"),
        Case("mcp-help", "mcp --help"),
        Case("coverage-json", f"coverage --json --workers 1 {IN}"),
        Case("export", f"export out --format jsonl --json --workers 1 {IN}"),
        Case("annotate", "annotate Assets/Prefabs/Nested.prefab", folder="project"),
        Case(
            "annotate-stdin",
            f"annotate - {IN}",
            stdin=f"--- !u!114 &1\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {RED}, type: 3}}\n"
            f"  other: {{fileID: 1, guid: {NOTHING}, type: 2}}\n",
        ),
        Case("annotate-textconv", "annotate --textconv Assets/Sprites/Plain.png", folder="project"),
        Case("annotate-miss", "annotate Assets/None.prefab", folder="project"),
        Case("status-none", f"status {IN}"),
        Case("status-none-json", f"status --json {IN}"),
        Case("stop-none", f"stop {IN}"),
        Case("doctor", f"doctor --json {IN}", times=True),
        Case("log-none", f"log {IN}"),
        Case("ask-after-edit", f"name Shield Buckler {IN}", before=_RENAME),
        Case("ask-after-edit-stale", f"name Shield --no-refresh {IN}"),
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
        Case("git-diff", f"diff HEAD~1.. {IN}"),
        Case("git-diff-json", f"diff HEAD~1 --json {IN}"),
        Case("git-diff-markdown", f"diff HEAD~1 --format markdown {IN}"),
    ),
    prepare=_history,
)

_WATCH: Final = Scene(
    "watch",
    FIXTURE,
    (
        # `unused` takes AssetBundles from the cache, which a daemon that finds none writes later, at a time of its own.
        Case("watch-bake-before", f"bake {KEEP} -q"),
        Case("watch-start", f"watch --detach --idle-timeout 300 {IN}", times=True),
        Case("watch-again", f"watch --detach {IN}", times=True),
        Case("watch-status", f"status {IN}", times=True),
        Case("watch-status-json", f"status --json {IN}", times=True),
        Case("watch-log", f"log {IN}", times=True),
        Case("watch-name", f"name Settings Handle {IN}"),
        Case("watch-name-json", f"name {SETTINGS}:-42 --json", folder="project"),
        Case("watch-miss", f"name Setings {IN}"),
        Case("watch-find", f"find '*' --type Material {IN}"),
        Case("watch-deps", f"deps Variant.prefab {IN}"),
        Case("watch-usages", f"usages Base --objects {IN}"),
        Case("watch-usages-json", f"usages Base.prefab --json {IN}"),
        Case("watch-unused", f"unused --incomplete {IN}"),
        Case("watch-coverage", f"coverage {IN}"),
        Case("watch-annotate", "annotate Assets/Prefabs/Variant.prefab", folder="project"),
        Case("watch-bake", f"bake {KEEP} -q", written=(BIN,)),
        Case("watch-bake-duplicates", f"bake {IN}"),
        Case("watch-name-edit", f"name Shield Buckler {IN}", before=_RENAME),
        Case(
            "watch-bake-edit",
            # Whether the daemon has written already, before it is asked to, is a matter of milliseconds: no --json.
            f"bake {KEEP} -q",
            before=remove("project/Assets/Art/Red.mat"),
            written=(BIN, f"{DATABASE}/asset-db.index"),
        ),
        Case("watch-bake-check", f"bake {KEEP} --check -q"),
        Case("watch-path-edit", f"path {RED} --project project"),
        Case("watch-stop", f"stop {IN}", times=True),
        Case("watch-status-stopped", f"status {IN}"),
        Case("watch-dump-stopped", f"dump {IN}"),
        Case("watch-start-poll", f"watch --detach --backend polling --json-log --idle-timeout 300 {IN}", times=True),
        Case("watch-status-poll", f"status {IN}", times=True),
        Case("watch-log-poll", f"log {IN}", times=True),
        Case("watch-stop-poll", f"stop -q {IN}", times=True),
        Case("watch-foreground", f"watch --idle-timeout 1 {IN}", times=True),
    ),
    daemon=True,
)

# The longest first, so that none of them is left alone at the end.
SCENES: Final = (
    *(UNREAL, _ASK, _WATCH, _USAGE, CATALOG, _BAKE, MIRROR, BOAT, PLAYGROUND, CASSET, UNITYFS, _GIT, _PACKAGE),
)
