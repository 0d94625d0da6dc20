"""Source is ordinary Python, except where a measurement says otherwise."""

from __future__ import annotations

import ast

from tests.architecture.imports import OURS, modules, nodes


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
