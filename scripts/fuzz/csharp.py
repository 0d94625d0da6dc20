"""Attack what checks keep of C#: after edits of scripts a check reports the same as one without kept files.

    python -m scripts.fuzz.csharp PROJECT [--rounds 100] [--seed N]

A copy of the project gets C#: classes called as their files or otherwise, with bases, namespaces, methods, fields,
branches, uses of the editor and calls by name. Each round edits one script or a few: classes, namespaces, bases, methods
and fields come, go and get other names, also those of other files; comments and unbalanced brackets come and go, texts
and old times come back. Then a check with the kept files, twice, and one with a new output folder must print the same.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from scripts.arguments import Given, script
from scripts.fuzz.project_changes import ChangedProject
from scripts.programs import copied, in_process

_SETTLED: Final = 0.03  # seconds after which a file's times tell it from what it becomes
_KEPT_TEXTS: Final = 40
_BASES: Final = ("MonoBehaviour", "ScriptableObject", "object", "IDisposable", "UnityEngine.MonoBehaviour", "Unknown")
_SPACES: Final = ("Game", "Game.UI", "UnityEditor.Extra", "Other")
_MEMBERS: Final = (
    "    void {name}() {{ }}\n",
    "    public int {name};\n",
    '    [FormerlySerializedAs("{name}")] public float speed;\n',
    '    void Load() {{ Resources.Load("{name}"); }}\n',
    '    void Tag() {{ CompareTag("{name}"); }}\n',
    '    void Next() {{ SceneManager.LoadScene("{name}"); }}\n',
    "    void Add() {{ gameObject.AddComponent<{name}>(); }}\n",
    "    [SerializeReference] public {name} held;\n",
    "    UnityEditor.AssetDatabase {name};\n",
)
_LINES: Final = (
    "// {name}\n",
    "using {name};\n",
    "using UnityEditor;\n",
    "#if UNITY_EDITOR\nclass {name} {{ }}\n#endif\n",
    "namespace {name} {{ }}\n",
    "}}\n",
    "<<<<<<< HEAD\n=======\n>>>>>>> {name}\n",
    "enum {name} {{ A }}\n",
    "interface {name} {{ }}\n",
    "abstract class {name} {{ }}\n",
)


class EditedScripts(ChangedProject):
    """A copy of a project whose scripts are edited at random."""

    def __init__(self, scratch: Path, source: Path, seed: int) -> None:
        """Copy a project, and write C# into its scripts."""
        super().__init__(scratch / "Game", seed)
        copied(source, self.root)
        self._scratch = scratch
        self.scripts = self.files(".cs")
        self._texts: list[tuple[Path, bytes, tuple[int, int]]] = []
        self._new = 0
        self._last: list[str] = []
        self.done: Counter[str] = Counter()
        self.answers: set[str] = set()
        for path in self.scripts:
            path.write_text(self._file(path))
        self._check("out")

    def round(self) -> str:
        """Edit, compare, and return what differs, ``""`` for nothing."""
        count = self.chooser.choice((1, 1, 1, 2, 4))
        is_twin_next = self._last == ["add_new"] and self.chooser.random() < 0.7
        edits = (self.add_twin,) if is_twin_next else self.edits
        self._last = done = [self.make_one(edits) for _ in range(count)]
        self.done.update(done)
        if self.chooser.random() < 0.7:
            time.sleep(_SETTLED)
        shutil.rmtree(self._scratch / "new", ignore_errors=True)
        expected = self._check("new")
        self.answers.add(expected[1])
        for what in ("first", "second"):
            found = self._check("out")
            if found != expected:
                lines, right = found[1].splitlines(), expected[1].splitlines()
                extra = [line for line in lines if line not in right][:3]
                return f"{what} check after {done}: {extra=} missing={[x for x in right if x not in lines][:3]}"
        return ""

    def _check(self, folder: str) -> tuple[int, str]:
        out = self._scratch / folder
        return in_process("check", "--format", "json", "--project", self.root, "--out-dir", out)[:2]

    @property
    def edits(self) -> tuple[Callable[[], object], ...]:
        """All edits, each as often as it is there."""
        often = (
            self.add_class,
            self.add_new,
            self.add_new,
            self.add_twin,
            self.add_line,
            self.add_member,
            self.comment,
        )
        return (*often, self.rename_class, self.other_base, self.remove_line, self.empty, self.rewrite, self.come_back)

    # --- edits

    def add_class(self) -> None:
        """Add a class, of a new name or of that of another file."""
        self._append(f"public class {self._name()} : {self._base()}\n{{\n}}\n")

    def add_new(self) -> None:
        """Add a class of a name that nothing had, in some cases with an import."""
        self._new += 1
        line = f"using Imported{self._new};\n" if self.chooser.random() < 0.7 else ""
        self._append(f"{line}class New{self._new}\n{{\n}}\n")

    def add_twin(self) -> None:
        """Add a class of the last new name."""
        self._append(f"class New{self._new}\n{{\n}}\n")

    def add_line(self) -> None:
        """Add a line that is not in a class."""
        self._append(self.chooser.choice(_LINES).format(name=self._name()))

    def comment(self) -> None:
        """Add a comment."""
        self._append(f"// {self._name()} {self.chooser.randrange(99)}\n")

    def add_member(self) -> None:
        """Add a member behind the first bracket."""
        member = self.chooser.choice(_MEMBERS).format(name=self._name())
        self._change(lambda text: text.replace("{\n", "{\n" + member, 1))

    def rename_class(self) -> None:
        """Give the first class another name."""
        self._change(lambda text: text.replace("class ", f"class {self._name()} : Unknown // ", 1))

    def other_base(self) -> None:
        """Give the first class another base."""
        self._change(lambda text: text.replace(" : ", f" : {self._base()} /* */ // ", 1))

    def remove_line(self) -> None:
        """Remove a line."""

        def without(text: str) -> str:
            lines = text.splitlines(keepends=True)
            lines.pop(self.chooser.randrange(len(lines)))
            return "".join(lines)

        self._change(without)

    def empty(self) -> None:
        """Empty a file."""
        self._change(lambda _: "")

    def rewrite(self) -> None:
        """Write all of a file."""
        path = self.chooser.choice(self.scripts)
        self._put(path, self._file(path).encode())

    def come_back(self) -> None:
        """Bring back a former text, sometimes with its times."""
        path, data, times = self.chooser.choice(self._texts)
        self._put(path, data)
        if self.chooser.random() < 0.5:
            os.utime(path, ns=times)

    # --- how

    def _append(self, text: str) -> None:
        self._change(lambda before: before + text)

    def _change(self, change: Callable[[str], str]) -> None:
        path = self.chooser.choice(self.scripts)
        if self.chooser.random() < 0.5:  # else brackets that are open somewhere hide all that follows
            self._put(path, self._file(path).encode())
        self._put(path, change(path.read_text("utf-8")).encode())

    def _put(self, path: Path, data: bytes) -> None:
        status = path.stat()
        self._texts = [*self._texts, (path, path.read_bytes(), (status.st_atime_ns, status.st_mtime_ns))][-_KEPT_TEXTS:]
        path.write_bytes(data)

    def _name(self) -> str:
        kind = self.chooser.random()
        if kind < 0.5:
            return self.chooser.choice(self.scripts).stem.replace(" ", "_").replace("-", "_").replace(".", "_")
        return f"Thing{self.chooser.randrange(30)}" if kind < 0.9 else self.chooser.choice(_SPACES)

    def _base(self) -> str:
        return self.chooser.choice((*_BASES, self._name(), self._name()))

    def _file(self, path: Path) -> str:
        """Return a text for a script, in most cases with its class."""
        members = "".join(
            self.chooser.choice(_MEMBERS).format(name=self._name()) for _ in range(self.chooser.randrange(4))
        )
        name = path.stem.replace(" ", "_") if self.chooser.random() < 0.9 else self._name()
        base = "MonoBehaviour" if self.chooser.random() < 0.6 else self._base()
        text = f"public class {name} : {base}\n{{\n{members}}}\n"
        if self.chooser.random() < 0.3:
            text = f"namespace {self.chooser.choice(_SPACES)}\n{{\n{text}}}\n"
        return f"using {self.chooser.choice((*_SPACES, 'UnityEngine'))};\n{text}"


@script(__doc__, "project", rounds=100, seed=1)
def main(given: Given) -> bool:
    """Edit and compare until the rounds are over, or something differs."""
    with tempfile.TemporaryDirectory() as scratch:
        project = EditedScripts(Path(scratch), given.project, given.seed)
        for number in range(given.rounds):
            found = project.round()
            if found:
                print(f"round {number} of seed {given.seed}: {found}")
                return True
        print(f"{2 * given.rounds} comparisons, {len(project.answers)} answers, 0 differ; {dict(project.done)}")
    return False
