"""Programs are started by whole paths: Windows looks in the working folder first, where a project may bring its own."""

from __future__ import annotations

import ast

from tests.architecture.imports import OURS, modules, nodes

_STARTING = ("history.git.questions",)  # which knows where git is


def test_git_is_started_by_one_module() -> None:
    found = [
        name
        for package in OURS
        for name in modules(package)
        if not name.endswith(_STARTING)
        for node in nodes(name)
        if isinstance(node, ast.List | ast.Tuple) and _starts_git(node.elts)
    ]
    assert found == []


def _starts_git(words: list[ast.expr]) -> bool:
    """Whether these are words of a command line, not a row of a table."""
    first = words[0] if words else None
    is_row = any(isinstance(word, ast.Lambda) for word in words)
    return isinstance(first, ast.Constant) and first.value == "git" and len(words) > 1 and not is_row
