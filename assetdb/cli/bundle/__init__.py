"""``assetdb bundle``: commands on bundle files, of the kinds in ``kinds``."""

from __future__ import annotations

from assetdb.cli.commands import Command

_OF_OBJECT = "bundle {} OBJECT --in FILE"
_CLASS = {"--type": "--class"}
_ASK = "assetdb.cli.bundle.ask"
_COMPARE = "assetdb.cli.bundle.compare"
_WRITE = "assetdb.cli.bundle.write"

COMMANDS = (
    Command("info", _ASK, "Show what a bundle is: format, name, what it holds."),
    Command("ls", _ASK, "List the objects of a bundle.", old_words=_CLASS),
    Command("find", _ASK, "Find objects by a part of their name or path, and by class.", old_words=_CLASS),
    Command("get", _ASK, "Print the values of one object.", old_words={"": _OF_OBJECT.format("get")}),
    Command(
        "deps",
        _ASK,
        "List what a bundle or object refers to, and which targets are missing.",
        old_words={"--project": "--in DIR", "--object": _OF_OBJECT.format("deps")},
    ),
    Command(
        "usages",
        _ASK,
        "List what refers to a bundle or object.",
        old_words={
            "--project": "--in DIR",
            "--object": _OF_OBJECT.format("usages"),
            "--unused": "bundle unused --in DIR",
        },
    ),
    Command("unused", _ASK, "List the bundles that no other refers to.", old_words={"": "bundle unused --in DIR"}),
    Command(
        "verify",
        _COMPARE,
        "Check that bundles are complete, and the references within a folder.",
        old_words={"--project": "--in DIR"},
    ),
    Command("diff", _COMPARE, "Compare two bundles, object by object and value by value. Exit code 1: they differ."),
    Command("extract", _WRITE, "Write the objects or files of bundles into a folder."),
    Command("edit", _WRITE, "Change a .casset bundle: names, references, values. All other bytes are kept."),
)
