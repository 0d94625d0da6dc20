"""Registries derive the rest: a command, a method and a diagnostic are each declared once."""

from __future__ import annotations

import ast
import inspect

from assetdb.cli.commands import COMMANDS, find_command
from assetdb.cli.plain import RUN, STAGED, SYNC, TABLE
from assetdb.daemon.rpc.control_methods import control_methods
from assetdb.daemon.rpc.dispatch import METHODS
from assetdb.daemon.rpc.methods import query_methods
from assetdb.diagnostics import Diagnostic
from assetdb.diagnostics.codes import CODES, REASONS
from tests.architecture.imports import modules, nodes, tree

ROWS = [row for row in COMMANDS if not row.family]


def names_in(module: str) -> set[str]:
    """Return the strings that stand in a module."""
    return {node.value for node in nodes(module) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_a_row_leads_to_a_function_that_says_what_it_does() -> None:
    for row in ROWS:
        function = row.load()
        assert inspect.getdoc(function), row.name
        assert inspect.signature(function).return_annotation == "int", row.name


def test_a_command_has_a_row() -> None:
    """A public function of the command line that takes options first and returns an exit code is a command."""
    commands = {
        (module, node.name)
        for module in modules("assetdb")
        if module.startswith("assetdb.cli.")
        for node in tree(module).body
        if isinstance(node, ast.FunctionDef) and node.name[0] != "_" and node.returns is not None
        if ast.unparse(node.returns) == "int" and [argument.arg for argument in node.args.args[:1]] == ["options"]
    }
    families = [row for family in COMMANDS if family.family for row in family.rows()]
    assert commands == {(row.module, row.name.replace("-", "_")) for row in (*ROWS, *families)}


def test_what_the_daemon_does_for_a_command_stands_in_one_row() -> None:
    assert {row.served for row in TABLE.values()} <= {RUN, STAGED, SYNC, ""}
    for name, row in TABLE.items():
        assert find_command((name,)).module == row.module
    for module in ("assetdb.cli", "assetdb.cli.served", "assetdb.daemon.rpc.remote_command"):
        assert not names_in(module) & TABLE.keys(), module
    # A file to be annotated may be one that the daemon does not read, and is sent; `bake` is also a method, `status`
    # also what a request knows of the daemon.
    assert names_in("assetdb.client.command") & TABLE.keys() <= {"annotate", "bake", "status"}


def test_the_methods_are_those_of_the_registries() -> None:
    assert not query_methods.methods.keys() & control_methods.methods.keys()
    assert set(METHODS) == query_methods.methods.keys() | control_methods.methods.keys()


def test_dispatch_knows_no_method_by_name_but_the_first_that_a_client_says() -> None:
    assert names_in("assetdb.daemon.rpc.dispatch") & set(METHODS) <= {"hello"}


def test_what_a_diagnostic_says_follows_from_its_code() -> None:
    for name, code in CODES.items():
        found = Diagnostic(name, "Assets/x", 0, "is odd")
        assert (found.advice, found.fatal) == (code.advice, code.ambiguous), name
        assert REASONS.get(name, "") == code.meaning, name
