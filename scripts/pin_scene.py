"""What a scene of ``pin.py`` is, and the changes that its cases make to files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

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

    ``prepare`` changes the copies first; ``daemon`` is whether a daemon may be left running when a case fails.
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


def write(path: str, text: str) -> Callable[[str], None]:
    """Return what writes a text file."""

    def change(root: str) -> None:
        target = Path(root, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="\n")

    return change


def replace(path: str, old: str, new: str) -> Callable[[str], None]:
    """Return what replaces ``old`` in a text file, which has to have it."""

    def change(root: str) -> None:
        text = Path(root, path).read_bytes().decode()
        if old not in text:
            raise ValueError(f"{path} has no {old!r}: the scene is not what its cases were written for")
        Path(root, path).write_bytes(text.replace(old, new).encode())

    return change


def remove(path: str) -> Callable[[str], None]:
    """Return what deletes an asset and its meta."""

    def change(root: str) -> None:
        Path(root, path).unlink()
        Path(root, f"{path}.meta").unlink()

    return change


def cut(path: str, size: int, of: str = "") -> Callable[[str], None]:
    """Return what leaves the first ``size`` bytes of a file, or writes those of another."""

    def change(root: str) -> None:
        Path(root, path).write_bytes(Path(root, of or path).read_bytes()[:size])

    return change
