"""Source is ordinary Python, except where a measurement says otherwise."""

from __future__ import annotations

import ast
import re
from functools import cache

from assetdb.cli.commands import COMMANDS
from tests.architecture.imports import OURS, modules, nodes, source, text_of, tree
from tests.architecture.test_import_budgets import BUDGETS

WITHOUT_ROW = (
    "assetdb.__main__",
    "assetdb.cli",
    "assetdb.cli.reading.help",
    "assetdb.cli.reading.powershell",
    "assetdb.cli.serving.daemon_process",
    "assetdb.daemon.observers.inotify",
    "assetdb.daemon.observers.windows",
    "assetdb.daemon.reconciling.reconciler",
    "assetdb.memo.edits",
    "assetdb.unity.scripts.csharp",
    "assetdb.unity.scripts.marks",
    "assetdb.unity.scripts.mentions",
)
"""What else starts: help and completion, a daemon with its observers, and the readers of an edited script."""
FOR_SPEED = re.compile(
    r"^TYPE_CHECKING = False$|\b__import__\(|^ *(?:import _|from _)(?!_|thread|typeshed|winapi)\w+ import \w+"
    r"|^from assetdb_formats\.records import",
    re.MULTILINE,
)
"""What saves the milliseconds of ``typing``, ``collections`` and others. ``_thread`` is a documented module."""


def test_what_is_written_for_speed_is_loaded_by_a_command_with_a_budget() -> None:
    """Elsewhere ``typing`` is loaded in any case, and ordinary Python costs nothing."""
    fast = startup_modules()
    everywhere = [module for package in OURS for module in modules(package)]
    found = {module: [match[0] for match in FOR_SPEED.finditer(text_of(module))] for module in everywhere}
    assert len([module for module in fast if found[module]]) > 100
    assert not {module: lines for module, lines in found.items() if lines and module not in fast}


def test_an_import_in_a_function_says_why_it_is_there() -> None:
    silent = []
    for module in (name for package in OURS for name in modules(package)):
        lines = text_of(module).splitlines()
        for function in (node for node in nodes(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    statement = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                    silent += [] if re.search(r"# noqa: PLC0415 - \S", statement) else [f"{module}:{node.lineno}"]
    assert not silent


def test_arguments_are_not_packed_to_please_the_formatter() -> None:
    """``Row(*(a, b), *(c, d), n)`` has to be read twice; one argument a line has not."""
    found = [
        f"{module}:{node.lineno}"
        for package in OURS
        for module in modules(package)
        for node in nodes(module)
        if isinstance(node, ast.Call)
        and any(isinstance(each, ast.Starred) and isinstance(each.value, ast.Tuple | ast.List) for each in node.args)
    ]
    assert not found


@cache
def startup_modules() -> frozenset[str]:
    """Return the modules that commands with a budget may load before one that loads ``typing``."""
    budgeted = {words[0] for words, _, _ in BUDGETS} | {"mcp", "watch"}
    left = [*WITHOUT_ROW, *(command.module for command in COMMANDS if command.name in budgeted)]
    found: set[str] = set()
    while left:
        module = left.pop()
        if module in found or module.partition(".")[0] not in OURS or not source(module).is_file():
            continue
        found.add(module)
        imported = _imported(tree(module))
        left.append(module.rpartition(".")[0])
        left += [] if "typing" in imported else imported
    return frozenset(found)


def _imported(root: ast.AST) -> list[str]:
    """Return the modules that a part of one imports when it runs, also in functions."""
    if isinstance(root, ast.If) and isinstance(root.test, ast.Name) and root.test.id == "TYPE_CHECKING":
        return [name for node in root.orelse for name in _imported(node)]
    if isinstance(root, ast.Import):
        return [alias.name for alias in root.names]
    if isinstance(root, ast.ImportFrom):
        return [root.module or "", *(f"{root.module}.{alias.name}" for alias in root.names)]
    return [name for node in ast.iter_child_nodes(root) for name in _imported(node)]
