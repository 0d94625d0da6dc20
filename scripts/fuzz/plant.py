"""Plant known faults in real projects, and count which of them `assetdb check` finds.

    python -m scripts.fuzz.plant PROJECT... [--places 20] [--modes history,shallow,plain] [--unknown-package]
        [--kinds NAME,...] [--seed N] [--verbose]

Each project is copied and made a git repository of one commit. Faults of :mod:`scripts.fuzz.plant_faults` are planted
in batches, each at a random place that no other fault of the batch touches, committed, and checked in up to three
states: in that repository, in a clone of depth 1, and in a folder without git. A fault counts as found where every
finding that it expects came, with file, line, object and property. Findings of the untouched project are left out;
of the others each must be explained by a fault, or it is listed as unexplained.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from scripts.arguments import Given, script
from scripts.fuzz import (  # noqa: F401 - each registers its kinds
    plant_commit,
    plant_files,
    plant_references,
    plant_renames,
    plant_rules,
    plant_settings,
    plant_text,
)
from scripts.fuzz.plant_faults import FAULTS, Expected, NoPlaceError, Planted, Planter
from scripts.fuzz.plant_tree import Tree
from scripts.programs import CHECKOUT, assetdb, commit, copied, git

Finding: TypeAlias = dict[str, Any]
MODES: Final = ("history", "shallow", "plain")
UNKNOWN_PACKAGE: Final = "com.example.unknown"
_BATCH: Final = 16
_TRIES: Final = 30


class Placed(NamedTuple):
    """A fault of a batch, and its kind."""

    kind: str
    planted: Planted


class Site:
    """A copy of one project, in which faults come and go."""

    def __init__(self, source: Path, scratch: Path, modes: Sequence[str], *, unknown_package: bool) -> None:
        """Copy a project, commit it and check it in some states."""
        self.root = scratch / "project"
        self._scratch = scratch
        copied(source, self.root)
        manifest = self.root / "Packages/manifest.json"
        if unknown_package and manifest.is_file():
            content = json.loads(manifest.read_text("utf-8"))
            content["dependencies"][UNKNOWN_PACKAGE] = "1.0.0"
            manifest.write_text(json.dumps(content, indent=2), "utf-8")
        git(self.root, "init", "-q", "-b", "main")
        git(self.root, "config", "core.autocrlf", "false")
        self._commit()
        self.tree = Tree(self.root)
        self.healthy = {mode: _keys(self.check(mode)) for mode in modes}

    @contextlib.contextmanager
    def planted(self, batch: Sequence[Placed]) -> Iterator[None]:
        """Commit the faults of a batch, and go back in the end."""
        for _, planted in batch:
            for path, text in planted.edits.items():
                place = self.root / path
                if text is None:
                    place.unlink()
                else:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_bytes(text)
        self._commit()
        try:
            for path, data in ((path, data) for _, planted in batch for path, data in planted.loose.items()):
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_bytes(data)
            yield
        finally:
            for path in (path for _, planted in batch for path in planted.loose):
                (self.root / path).unlink(missing_ok=True)
            git(self.root, "reset", "-q", "--hard", "HEAD~1")
            git(self.root, "clean", "-q", "-fdx")

    def check(self, mode: str) -> list[Finding]:
        """Return all findings of the project as it is committed."""
        root = self.root
        if mode != "history":
            root = self._scratch / mode
            shutil.rmtree(root, ignore_errors=True)
            depth = ("--depth", "1") if mode == "shallow" else ()
            subprocess.run(["git", "clone", "-q", *depth, f"file://{self.root}", str(root)], check=True)
            if mode == "plain":
                shutil.rmtree(root / ".git")
        out = self._scratch / f"out-{mode}"
        command = assetdb("check", "--format", "json", project=root, out_dir=out)
        run = subprocess.run(command, capture_output=True, cwd=CHECKOUT, check=False)
        if run.returncode not in (0, 1) or b"Traceback" in run.stderr:
            raise SystemExit(f"check of {root} ended with {run.returncode}: {run.stderr.decode(errors='replace')}")
        return [json.loads(line) for line in run.stdout.splitlines()]

    def explaining(self, batch: Sequence[Placed]) -> frozenset[str]:
        """Return the words of a batch: paths that it edits, and GUIDs of those assets and of all that nest them.

        A reference into a prefab means an object of a prefab that this one nests; it is lost with that.
        """
        words = {word for _, planted in batch for word in (*planted.words, *planted.edits)}
        waiting = [path.removesuffix(".meta") for _, planted in batch for path in planted.edits]
        seen: set[str] = set()
        while waiting:
            guid = self.tree.guid_of.get(waiting.pop())
            if guid is not None and guid not in seen:
                seen.add(guid)
                waiting += {item.path for item in self.tree.users[guid] if item.name == "m_SourcePrefab"}
        return frozenset(words | seen)

    def _commit(self) -> None:
        git(self.root, "add", "-A", "-f")
        commit(self.root)


class Tally:
    """Faults planted and found, by mode and kind."""

    def __init__(self) -> None:
        self.planted: Counter[tuple[str, str]] = Counter()
        self.found: Counter[tuple[str, str]] = Counter()
        self.undecided: Counter[tuple[str, str]] = Counter()
        self.unexplained: Counter[str] = Counter()
        self.missed: dict[str, list[str]] = defaultdict(list)

    def add(
        self,
        mode: str,
        batch: Sequence[Placed],
        findings: Sequence[Finding],
        healthy: Counter[str],
        words: frozenset[str],
    ) -> None:
        """Compare what a check found with what was planted; ``words`` explain findings that have one of them."""
        fresh = _fresh(findings, healthy)
        said = [finding for finding in findings if finding["code"] == "absent-packages"]
        for kind, planted in batch:
            row = mode, kind
            if planted.in_git and mode == "plain":
                continue
            self.planted[row] += 1
            missing = [expected for expected in planted.expected if not any(_fits(expected, new) for new in fresh)]
            if not missing:
                self.found[row] += 1
            elif said and (planted.is_new or (planted.needs_history and mode != "history")):
                self.undecided[row] += 1
            else:
                near = [new for new in fresh if new["path"] == missing[0].path][:2]
                seen = [(new["code"], new["line"], new["anchor"], new["property_path"]) for new in near]
                self.missed[kind].append(f"{mode}: {missing[0]} near {seen}")
        if "*" not in words:
            for new in fresh:
                text = " ".join((new["path"], new["target"], new["message"]))
                is_explained = any(word in text for word in words) or _is_emptied(new, batch)
                if new["code"] != "absent-packages" and not is_explained:
                    self.unexplained[f"{mode}: {new['code']} {new['path']}: {new['message']}"] += 1

    def print(self, *, verbose: bool) -> None:
        """Print a row a kind, what was missed, and the sums."""
        modes = sorted({mode for mode, _ in self.planted}, key=MODES.index)
        print(f"{'kind':<32}" + "".join(f"{mode:>20}" for mode in modes))
        for kind in FAULTS:
            if any(self.planted[mode, kind] for mode in modes):
                print(f"{kind:<32}" + "".join(f"{self._cell(mode, kind):>20}" for mode in modes))
        for kind, rows in self.missed.items():
            for row in rows if verbose else rows[:3]:
                print(f"missed  {kind}  {row}")
        for text, count in self.unexplained.most_common(None if verbose else 20):
            print(f"unexplained  {count}  {text}")
        for mode in modes:
            planted = sum(count for (own, _), count in self.planted.items() if own == mode)
            found = sum(count for (own, _), count in self.found.items() if own == mode)
            undecided = sum(count for (own, _), count in self.undecided.items() if own == mode)
            share = 100 * found / planted if planted else 0
            print(f"{mode}: {found} of {planted} found ({share:.1f} %), {undecided} said not to be judged")
        print(f"{sum(self.unexplained.values())} unexplained findings")

    def _cell(self, mode: str, kind: str) -> str:
        undecided = self.undecided[mode, kind]
        return f"{self.found[mode, kind]}/{self.planted[mode, kind]}" + (f" +{undecided}?" if undecided else "")


def _keys(findings: Sequence[Finding]) -> Counter[str]:
    return Counter(_key(finding) for finding in findings)


def _key(finding: Finding) -> str:
    names = ("code", "path", "anchor", "property_path", "target", "message")
    return json.dumps([finding[name] for name in names])


def _fresh(findings: Sequence[Finding], healthy: Counter[str]) -> list[Finding]:
    """Return the findings that the untouched project does not have."""
    left = healthy.copy()
    fresh = []
    for finding in findings:
        key = _key(finding)
        if left[key]:
            left[key] -= 1
        else:
            fresh.append(finding)
    return fresh


def _is_emptied(finding: Finding, batch: Sequence[Placed]) -> bool:
    """Whether a folder is gone in a clone since all files in it were deleted: git keeps no empty folders."""
    folder = finding["path"].removesuffix("meta").removesuffix(".") + "/"
    gone = (path for _, planted in batch for path, text in planted.edits.items() if text is None)
    return finding["code"] in {"missing-directory", "orphan-meta"} and any(path.startswith(folder) for path in gone)


def _fits(expected: Expected, finding: Finding) -> bool:
    text = f"{finding['path']} {finding['asset']} {finding['message']}"
    return (
        finding["code"] in expected.codes
        and expected.path in ("", finding["path"])
        and expected.line in (0, finding["line"])
        and expected.anchor in (0, finding["anchor"])
        and expected.name in finding["property_path"]
        and expected.message in text
        and (not expected.about or any(word in f"{text} {finding['target']}" for word in expected.about))
    )


def batches(tree: Tree, kinds: Sequence[str], places: int, chooser: random.Random) -> Iterator[list[Placed]]:
    """Yield batches until each kind was planted so often, or has no place."""
    left = dict.fromkeys(kinds, places)
    while left:
        batch: list[Placed] = []
        taken: set[str] = set()
        for kind in chooser.sample(sorted(left), len(left)):
            if len(batch) == _BATCH:
                break
            planted = _place(tree, kind, taken, chooser)
            if planted is None and not batch:
                del left[kind]
            elif planted is not None:
                taken.update(_touched(planted))
                batch.append(Placed(kind, planted))
                left[kind] -= 1
                if not left[kind]:
                    del left[kind]
                if "*" in planted.words:
                    break
        if batch:
            yield batch


def _place(tree: Tree, kind: str, taken: set[str], chooser: random.Random) -> Planted | None:
    for _ in range(_TRIES):
        try:
            planted = FAULTS[kind](Planter(tree, chooser))
        except NoPlaceError:
            return None
        if not taken.intersection(_touched(planted)) and not (taken and "*" in planted.words):
            return planted
    return None


def _touched(planted: Planted) -> set[str]:
    """Return the paths that a fault edits, needs or is looked for in."""
    paths = {path.removesuffix(".meta") for path in (*planted.edits, *planted.needed)}
    return paths | {expected.path.removesuffix(".meta") for expected in planted.expected if expected.path}


_CHOICES: Final = {"modes": ",".join(MODES), "kinds": ",".join(FAULTS)}


@script(__doc__, "projects+", places=20, **_CHOICES, unknown_package=False, seed=1, verbose=False)
def main(given: Given) -> bool:
    """Plant, check, and print the tally; 1 where a fault was missed or a finding is unexplained."""
    # Filters of this machine's Git LFS would turn planted content into pointers, and fetch what planted pointers name.
    os.environ |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    tally = Tally()
    share = -(-given.places // len(given.projects))
    modes = given.modes.split(",")
    for number, project in enumerate(given.projects):
        chooser = random.Random(given.seed + number)
        with tempfile.TemporaryDirectory(prefix="plant-") as scratch:
            site = Site(project, Path(scratch), modes, unknown_package=given.unknown_package)
            for batch in batches(site.tree, given.kinds.split(","), share, chooser):
                with site.planted(batch):
                    for mode in modes:
                        tally.add(mode, batch, site.check(mode), site.healthy[mode], site.explaining(batch))
        print(f"{project.name}: {sum(tally.planted.values())} planted so far", file=sys.stderr, flush=True)
    tally.print(verbose=given.verbose)
    return bool(tally.missed or tally.unexplained)
