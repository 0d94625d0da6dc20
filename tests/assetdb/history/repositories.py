"""Repositories of projects, made by git itself."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.needs import require_git

if TYPE_CHECKING:
    from pathlib import Path


def git(root: Path, *words: str) -> str:
    own = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false")
    require_git()
    return subprocess.run(["git", *own, "-C", root, *words], check=True, capture_output=True, text=True).stdout.strip()


def commit(root: Path, message: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "--short", "HEAD")


def remove(root: Path, path: str) -> None:
    (root / path).unlink()
    (root / f"{path}.meta").unlink()
