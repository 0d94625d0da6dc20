"""What hostile people and closed files do to a project, and answers of all surfaces beside cold ones."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts.programs import CHECKOUT, assetdb, git
from tests.assetdb.lsp.editor import Editor
from tests.assetdb.mcp.assistant import Assistant
from tests.forged import forged_metas

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.fuzz.project_changes import ChangedProject

_OUTSIDE: Final = "a file outside of the project, of which nothing is shown"
_JOURNAL: Final = ".assetdb-mending"
_OLD: Final = 1_420_070_400  # 2015-01-01
_EVIL: Final = (".evil", "Evil.txt")  # names that nothing else writes
_MODES: Final = (0, 0o444, 0o111)
_OPEN_FOLDER: Final = 0o755
_OPEN_FILE: Final = 0o644
_MOST_LINES: Final = 20
_QUESTIONS: Final = (
    ("check", "--json", "--exit-zero"),
    ("unused", "--json", "--incomplete"),
    ("coverage", "--json"),
    ("find", "Thing*", "--json"),
    ("info", "--json"),
)
_OF_INFO: Final = ("project", "assets", "folders", "references", "types", "unread_files")


class Intruder:
    """Somebody who may write the project and the folder of shared facts."""

    def __init__(self, tree: ChangedProject, scratch: Path) -> None:
        self._tree = tree
        self._root = tree.root
        self._chooser = tree.chooser
        self._outside = scratch / "secret.txt"
        self._outside.write_text(_OUTSIDE)
        self.facts = scratch / "facts"
        self.facts.mkdir()
        self._strangers: dict[Path, bytes] = {}
        self._closed: dict[Path, int] = {}

    def acts(self) -> tuple[Callable[[], object], ...]:
        """Return what this one does to the project."""
        return (self.forge, self.close, self.open, self.journal, self.commit_journal, self.link_out, self.strangers)

    def forge(self) -> None:
        """Write the other one of two metas that XXH3 does not tell apart."""
        asset = self._root / "Assets" / "Forged.txt"
        meta = asset.with_name("Forged.txt.meta")
        first, second = forged_metas()
        is_first = meta.exists() and meta.read_bytes() == first
        asset.write_bytes(b"x")
        meta.write_bytes(second if is_first else first)
        for path in (asset, meta):
            os.utime(path, (_OLD, _OLD))

    def close(self) -> None:
        """Take the permissions of a file, a meta or a folder away."""
        path = self._chooser.choice((self._tree.any_file, self._tree.any_folder))()
        self._closed.setdefault(path, path.stat().st_mode & 0o777)
        path.chmod(self._chooser.choice(_MODES) if path.is_dir() else 0)

    def open(self) -> None:
        """Give all permissions back, from above: below a closed folder nothing can be changed."""
        for path, mode in sorted(self._closed.items()):
            with suppress(OSError):  # it was moved or removed
                if not path.is_symlink():
                    path.chmod(mode)
        for folder, names, files in os.walk(self._root / "Assets"):  # it enters them after this
            wanted = [*((name, _OPEN_FOLDER) for name in names), *((name, _OPEN_FILE) for name in files)]
            for name, mode in wanted:
                path = Path(folder, name)
                if not path.is_symlink() and path.stat().st_mode & mode != mode:
                    path.chmod(mode)
        self._closed.clear()

    def journal(self) -> None:
        """Leave a journal that nobody here wrote, which would write hidden files with any mode."""
        mode = self._chooser.choice((0o6777, 1 << 70))
        wanted = {"type": "write", "before": "eA==", "after": None, "mode": mode}
        steps = [{**wanted, "path": f"Assets/{name}"} for name in _EVIL]
        forged = {"process": 1, "phase": "doing", "steps": steps, "version": 3, "start": "0 0", "folder": "0 0"}
        (self._root / _JOURNAL).write_text(json.dumps(forged))

    def commit_journal(self) -> None:
        """Commit such a journal, although git ignores it."""
        self.journal()
        git(self._root, "add", "-f", _JOURNAL)
        git(self._root, "commit", "-q", "-m", "journal")

    def link_out(self) -> None:
        """Commit a link out of the project, and remove it from the disk."""
        link = self._root / "Assets" / "Out.asset"
        link.unlink(missing_ok=True)
        link.symlink_to(self._outside)
        git(self._root, "add", "-A")
        git(self._root, "commit", "-q", "--allow-empty", "-m", "link")
        link.unlink()

    def strangers(self) -> None:
        """Put files of other programs into the folder of shared facts."""
        name = self._chooser.choice(("notes.temporary", f"{self._chooser.getrandbits(128):032x}", "a/b.temporary"))
        path = self.facts / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"of another program")
        os.utime(path, (_OLD, _OLD))
        self._strangers[path] = b"of another program"

    # --- what must be so afterwards

    def compare(self, folder: Path, cold: Path) -> None:
        """Compare answers of all surfaces with cold ones, and look for damage.

        Raises:
            AssertionError: one differs, a file of others is gone, something was shown or written.
        """
        self._outside.chmod(0o600)
        self._outside.write_text(_OUTSIDE)  # an edit of the project may have written through a link
        self._compare_journal(folder)
        for question in self._chooser.sample(_QUESTIONS, 2):
            said, expected = (self._ask(question, place) for place in (folder, cold))
            _see(said == expected, question, _difference(said, expected))
        for ask in self._chooser.sample((_by_assistant, _by_editor), 1):
            said, expected = (ask(self._root, self._around(place)) for place in (folder, cold))
            _see(said == expected, ask.__name__, _difference(said, expected))
        for words in (("get", "Assets/Out.asset", "--rev", "HEAD"), ("get", "Assets/Out.asset")):
            _see(_OUTSIDE not in self._run(words, folder).stdout, words)
        for path, data in self._strangers.items():
            _see(path.read_bytes() == data, path)

    def _compare_journal(self, folder: Path) -> None:
        place = self._root / _JOURNAL
        if not place.exists():
            return
        before = place.read_bytes()
        done = self._run(("register", "Assets"), folder)
        is_refused = "not believed" in done.stderr or "unfinished change" in done.stderr
        _see(done.returncode != 0 and is_refused, "register", done.stderr)
        _see(place.read_bytes() == before, place)
        for name in _EVIL:
            _see(not (self._root / "Assets" / name).exists(), name)
        place.unlink()

    def _ask(self, words: tuple[str, ...], folder: Path) -> object:
        done = self._run(words, folder)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        if words[0] == "info":
            return [{name: row.get(name) for name in _OF_INFO} for row in rows]
        return done.returncode, rows

    def _run(self, words: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
        command = assetdb(*words, project=self._root, out_dir=folder)
        done = subprocess.run(
            command, cwd=CHECKOUT, env=self._around(folder), capture_output=True, text=True, check=False
        )
        _see("Traceback" not in done.stderr, words, done.stderr)
        return done

    def _around(self, folder: Path) -> dict[str, str]:
        """Return the environment of a command: cold answers come from no shared facts."""
        around = {**os.environ, "ASSETDB_OUT_DIR": str(folder), "PYTHONPATH": str(CHECKOUT)}
        return {**around, "ASSETDB_FACTS": str(self.facts)} if folder.name != "cold" else around


def _by_assistant(root: Path, around: dict[str, str]) -> object:
    pipe = subprocess.PIPE
    with subprocess.Popen(assetdb("mcp"), cwd=root, env=around, stdin=pipe, stdout=pipe) as process:
        try:
            assistant = Assistant(process)
            return [
                assistant.request("tools/call", {"name": tool, "arguments": arguments})["result"]["content"]
                for tool, arguments in (("find", {"pattern": "Thing*"}), ("check", {}), ("unused", {}))
            ]
        finally:
            if process.stdin is not None:
                process.stdin.close()


def _by_editor(root: Path, around: dict[str, str]) -> object:
    words = assetdb("lsp")
    with Editor("env", *(f"{name}={around[name]}" for name in around if name.startswith("ASSETDB")), *words) as editor:
        editor.initialize(root)
        found = editor.ask("workspace/symbol", {"query": "Thing"})
        editor.quit()
        return found


def _difference(said: object, expected: object) -> str:
    """Return the lines that one of two answers has alone."""
    lines = [Counter(json.dumps(found, indent=0).replace("\\n", "\n").splitlines()) for found in (said, expected)]
    alone = [[*(own - other).elements()] for own, other in (lines, lines[::-1])]
    return f"said alone: {alone[0][:_MOST_LINES]}; cold alone: {alone[1][:_MOST_LINES]}"


def _see(is_so: bool, *found: object) -> None:  # noqa: FBT001 - what is seen
    if not is_so:
        raise AssertionError(f"wrong: {' '.join(map(str, found))[:3000]}")
