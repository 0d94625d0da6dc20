"""The two readers of command lines, the table of plain words and typer, understand each line alike."""

from __future__ import annotations

import inspect
import random
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import arguments, main
from assetdb.cli.commands import find_command
from assetdb.cli.plain import ANY, LIST, NUMBER, OPTIONAL, TABLE, TEXT, Line
from assetdb.cli.plain import read as read_plain
from assetdb.cli.reading import application
from assetdb.cli.reading.application import declared_command, read
from assetdb.cli.reading.parameters import OptionParameter
from assetdb.daemon.observers.api import BACKENDS

if TYPE_CHECKING:
    from collections.abc import Sequence

LINES = 500
VALUES = ("x", "", "-", "--", "a b", "a=b", "=", "--json", "-q", "\u00e4", "Assets/*.mat", "{fileID: 1, guid: 2}", "7")
NUMBERS = ("1", "8", "64", "0", "-1", "two", "1.5", "", "9" * 30, "\u0663", "+3", " 3", "1_0")
ARGUMENTS = (
    "x",
    "",
    "-",
    "a b",
    "- target: {fileID: 1}",
    "--- !u!1 &2",
    "\u00e4",
    "a=b",
    "8f57",
    "-x y=1",
    "-77",
    "-\u0663",
)
MISTAKES = ("--nothing", "-x", "-qx", "--json=1", "-q=1", "-V=", "---", "--type", "-", "--", "--projec", "-jq", "--q")

LEAF = application._Leaf


@pytest.fixture
def declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build each part of the application once: it is as large as the reading of fifty lines."""
    leaf = cache(lambda path: LEAF(find_command(path), path))
    monkeypatch.setattr(application, "_Leaf", lambda _, path: leaf(path))
    monkeypatch.setattr(application, "application", cache(application.application))


@cache
def options_of(command: str) -> list[OptionParameter]:
    """Return the options of a command, or with ``""`` those that stand before it."""
    params = declared_command((command,)).params if command else application.application().params
    return [param for param in params if isinstance(param, OptionParameter) and param.expose_value]


def spelled(random: random.Random, option: OptionParameter) -> list[str]:
    """Return one of the ways to write an option, with a value if it takes one."""
    name = random.choice(option.opts)
    if option.is_flag:
        return [name]
    value = random.choice(NUMBERS if option.word.kind == NUMBER else VALUES)
    return [f"{name}={value}"] if random.random() < 0.4 else [name, value]


def joined(random: random.Random, options: Sequence[OptionParameter]) -> list[str]:
    """Return several short options written as one."""
    letters = [name[1] for option in options for name in option.opts if name[:2] != "--"]
    return ["-" + "".join(random.choices(letters, k=random.randint(1, 4)))]


def kind_of(command: str) -> str:
    """Return the kind of a command's argument, or nothing."""
    argument = TABLE[command].argument
    return "" if argument is None else argument.kind


def command_line(random: random.Random, command: str) -> list[str]:
    """Return a line of a command: most are right, some are not."""

    def drawn(options: Sequence[OptionParameter], most: int) -> list[list[str]]:
        pieces = [spelled(random, random.choice(options)) for _ in range(random.randint(0, most))]
        return pieces + [joined(random, options)] * (random.random() < 0.2)

    words = [word for piece in drawn(options_of(""), 2) if random.random() < 0.5 for word in piece] + [command]
    pieces = drawn(options_of(command), 3)
    counts = {"": 0, TEXT: 1, OPTIONAL: random.randint(0, 1), ANY: random.randint(0, 2)}
    wanted = counts.get(kind_of(command), random.randint(1, 3))
    wanted += random.choice((0, 0, 0, 0, 0, 0, 1, -1))
    pieces += [[random.choice(ARGUMENTS)] for _ in range(max(wanted, 0))]
    if random.random() < 0.1:
        pieces.append([random.choice(MISTAKES)])
    random.shuffle(pieces)
    if random.random() < 0.15:
        pieces.insert(random.randint(0, len(pieces)), ["--"])
    return words + [word for piece in pieces for word in piece]


@pytest.mark.parametrize("command", TABLE)
@pytest.mark.usefixtures("declared_once")
def test_both_readers_understand_a_line_alike(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    drawing = random.Random(f"{command} 1")
    understood = 0
    for _ in range(LINES):
        words = command_line(drawing, command)
        plain, typer = read_plain(words), read(words)
        if isinstance(typer, Line):
            assert plain is not None, words
            assert (plain.path, plain.values) == (typer.path, typer.values), words
            assert read_plain(plain.words) is not None, words
            understood += 1
        else:
            assert plain is None, words
            assert typer in (0, 2), words  # what is before -- may ask for the version
    capsys.readouterr()
    assert understood > LINES / 3


def test_the_lines_are_five_thousand() -> None:
    assert LINES * len(TABLE) >= 5000


def test_the_words_that_a_daemon_is_sent_mean_the_same() -> None:
    drawing = random.Random(2)
    for command in TABLE:
        for _ in range(100):
            line = read_plain(command_line(drawing, command))
            if line is not None:
                again = read_plain(line.words)
                assert again is not None
                assert (again.path, again.values, again.places) == (line.path, line.values, line.places)
                argument = TABLE[command].argument
                said = [line.words[place] for place in line.places]
                if argument is not None and argument.kind in (LIST, ANY):
                    assert said == line.values.get(argument.name, [])
                else:
                    assert len(said) <= (argument is not None)
                assert said or kind_of(command) != LIST


@pytest.mark.parametrize("command", TABLE)
def test_a_function_takes_what_its_row_declares(command: str) -> None:
    """The words of a hot command are no annotations of its function, so nothing else ties the two."""
    row = TABLE[command]
    function = find_command((command,)).load()
    taken = dict(inspect.signature(function).parameters)
    group = str(taken.pop("options").annotation)
    options = getattr(sys.modules[row.module], group, None) or getattr(arguments, group)
    attributes = {name for base in options.__mro__[:-1] for name in base.__annotations__}
    declared = {option.name for option in (*row.options, *([row.argument] if row.argument is not None else []))}
    assert not attributes & taken.keys()
    assert attributes | taken.keys() == declared
    for option in row.options:
        default = getattr(options, option.name) if option.name in attributes else taken[option.name].default
        assert (default or None) == option.default, option.name
    if row.argument is not None:
        is_required = taken[row.argument.name].default is inspect.Parameter.empty
        assert is_required == (row.argument.kind in (LIST, TEXT))


def test_the_hot_commands_have_plain_words_and_a_module_of_their_name() -> None:
    assert {"name", "guid", "path", "find", "deps", "usages", "annotate", "bake"} <= set(TABLE)
    for name in TABLE:
        row = find_command((name,))
        assert row.module == TABLE[name].module
        assert row.load().__name__ == name
    with pytest.raises(LookupError):
        find_command(("nothing",))


def test_the_backends_that_can_be_chosen_are_those_there_are() -> None:
    option = next(option for option in TABLE["watch"].options if option.name == "backend")
    assert option.choices == BACKENDS


@pytest.mark.parametrize("word", ["--version", "-V"])
def test_the_version_is_the_same_without_typer(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 0
    plain = capsys.readouterr()
    assert read([word]) == 0
    assert capsys.readouterr() == plain
