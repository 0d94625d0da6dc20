"""The two readers of command lines, the table of plain words and typer, understand each line alike."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, get_args

import pytest
from typer.core import TyperOption

from assetdb.cli import application, main
from assetdb.cli.application import declared_command, read
from assetdb.cli.arguments import Placed
from assetdb.cli.commands import find_command
from assetdb.cli.plain import TABLE, Line
from assetdb.cli.plain import read as read_plain
from assetdb.cli.watch import Watching
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


@pytest.fixture
def declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build each part of the application once: it is as large as the reading of fifty lines."""
    monkeypatch.setattr(application, "_leaf", cache(application._leaf))
    monkeypatch.setattr(application, "application", cache(application.application))


@cache
def options_of(command: str) -> list[TyperOption]:
    """Return the options of a command, or with ``""`` those that stand before it."""
    params = declared_command((command,)).params if command else application.application().params
    return [param for param in params if isinstance(param, TyperOption) and "completion" not in param.name]


def spelled(random: random.Random, option: TyperOption) -> list[str]:
    """Return one of the ways to write an option, with a value if it takes one."""
    name = random.choice(option.opts)
    if option.is_flag:
        return [name]
    value = random.choice(NUMBERS if option.type_descriptor.annotation is int else VALUES)
    return [f"{name}={value}"] if random.random() < 0.4 else [name, value]


def joined(random: random.Random, options: Sequence[TyperOption]) -> list[str]:
    """Return several short options written as one."""
    letters = [name[1] for option in options for name in option.opts if name[:2] != "--" and option.name != "version"]
    return ["-" + "".join(random.choices(letters, k=random.randint(1, 4)))]


def command_line(random: random.Random, command: str) -> list[str]:
    """Return a line of a command: most are right, some are not."""

    def drawn(options: Sequence[TyperOption], most: int) -> list[list[str]]:
        own = [option for option in options if option.name not in ("version", "help")]
        pieces = [spelled(random, random.choice(own)) for _ in range(random.randint(0, most))]
        return pieces + [joined(random, options)] * (random.random() < 0.2)

    words = [word for piece in drawn(options_of(""), 2) if random.random() < 0.5 for word in piece] + [command]
    pieces = drawn(options_of(command), 3)
    counts = {"": 0, "text": 1, "text, or nothing": random.randint(0, 1), "any": random.randint(0, 2)}
    wanted = counts.get(TABLE[command][2], random.randint(1, 3))
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
                kind = TABLE[command][2]
                said = [line.words[place] for place in line.places]
                is_list = kind in ("list", "any")
                wanted = line.values.get(TABLE[command][1], []) if is_list else said[: 1 if kind else 0]
                assert said == wanted
                assert said or kind != "list"


@pytest.mark.parametrize("command", TABLE)
def test_the_table_has_every_option_of_the_declaration(command: str) -> None:
    declared = {name for param in options_of(command) if param.name != "version" for name in param.opts}
    assert set(TABLE[command][3]) == declared


def test_the_hot_commands_have_plain_words_and_a_module_of_their_name() -> None:
    assert {"name", "guid", "path", "find", "deps", "usages", "annotate", "bake"} <= set(TABLE)
    for name in TABLE:
        row = find_command((name,))
        assert row.module == f"assetdb.cli.{name}"
        assert row.load().__name__ == name
    with pytest.raises(LookupError):
        find_command(("nothing",))


def test_the_backends_that_can_be_chosen_are_those_there_are() -> None:
    assert issubclass(Watching, Placed)
    param = next(param for param in declared_command(("watch",)).params if param.name == "backend")
    assert isinstance(param, TyperOption)
    assert param.type_descriptor.choices == BACKENDS
    assert get_args(param.type_descriptor.annotation) == BACKENDS


@pytest.mark.parametrize("word", ["--version", "-V"])
def test_the_version_is_the_same_without_typer(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 0
    plain = capsys.readouterr()
    assert read([word]) == 0
    assert capsys.readouterr() == plain
