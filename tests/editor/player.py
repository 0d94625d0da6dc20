"""The program that plays the editor, as a process that is told what to do."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from tests.editor.mono import Build
    from tests.system.watch.daemons import Project


class Player:
    """An editor that has a project open."""

    def __init__(self, build: Build, project: Project) -> None:
        self._process = subprocess.Popen(
            ["mono", str(build.folder / "EditorPlayer.exe"), str(project.root)],
            env=project.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None and kind is not None:
            self._process.kill()
        out, err = self._process.communicate(timeout=60)
        if kind is None:
            assert (self._process.returncode, out, err) == (0, "", ""), "the editor logged nothing, and ended"

    def do(self, what: str, **fields: object) -> dict[str, object]:
        """Have the editor do something, and return what it answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": what} | fields) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, self._process.communicate(timeout=60)
        found = json.loads(line)
        assert isinstance(found, dict)
        return found
