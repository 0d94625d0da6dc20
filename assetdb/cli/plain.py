"""The fast parser of hot command lines, driven by one table.

Importing typer takes 80 ms, as long as four answers. So the words of the commands below are read here, and only what
this table does not have (help, mistakes, other commands) is left to typer, which understands every line alike.
``tests/assetdb/cli/test_plain.py`` compares the two.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

FLAG: Final = "flag"
TEXT: Final = "text"
LIST: Final = "list"
ANY: Final = "any"
OPTIONAL: Final = "text, or nothing"
"""An argument: a list that may be empty."""
NUMBER: Final = "number"
_OR: Final = "|"  # between the words that an option may have, where it is one of some

RUN: Final = "run"
"""The project's daemon runs the command, where there is one."""
SYNC: Final = "sync"
"""The command takes seconds: it runs in a process of its own, on files that the daemon has brought up to date."""
STAGED: Final = "staged"
"""With ``--staged`` the daemon brings the files up to date and runs the command; else a process of its own does."""
# Paths may be of another project than the one that the client stands in.
_ON_FILES: Final = frozenset({"baseline", "fetch", "no_refresh", "output", "packages", "paths", "workers"})

_MANNERS: Final = {
    "--quiet": ("quiet", FLAG),
    "-q": ("quiet", FLAG),
    "--verbose": ("verbose", FLAG),
    "-v": ("verbose", FLAG),
    "--color": ("color", "auto|always|never"),
}
_OF_PROJECT: Final = {**_MANNERS, "--project": ("project", TEXT)}
_PLACED: Final = {**_OF_PROJECT, "--out-dir": ("out_dir", TEXT)}
_VIEWING: Final = {**_PLACED, "--no-refresh": ("no_refresh", FLAG)}
_ASKING: Final = {**_VIEWING, "--json": ("json", FLAG), "--rev": ("rev", TEXT), "--fetch": ("fetch", FLAG)}
_NAMING: Final = {**_ASKING, "--texture-for-sprite": ("texture_for_sprite", FLAG)}
_BEFORE: Final = {**_PLACED, "--json": ("json", FLAG)}

TABLE: Final[Mapping[str, tuple[str, str, str, Mapping[str, tuple[str, str]]]]] = {
    "info": (RUN, "", "", _ASKING),
    "name": (RUN, "queries", LIST, _NAMING),
    "guid": (RUN, "queries", LIST, _NAMING),
    "path": (RUN, "queries", LIST, _NAMING),
    "find": (
        *(RUN, "pattern", OPTIONAL),
        {**_ASKING, "--type": ("types", LIST), "--in": ("inside", TEXT), "--component": ("component", TEXT)},
    ),
    "ls": (
        *(RUN, "query", TEXT),
        {
            **_ASKING,
            "--tree": ("tree", FLAG),
            "--depth": ("depth", NUMBER),
            "--class": ("classes", LIST),
            "--in": ("inside", TEXT),
            "--no-nested": ("no_nested", FLAG),
            "--deep": ("deep", FLAG),
        },
    ),
    "get": (RUN, "query", TEXT, {**_ASKING, "--overrides": ("overrides", FLAG)}),
    "deps": (
        *(RUN, "queries", LIST),
        {**_ASKING, "--deep": ("deep", FLAG), "--to": ("to", TEXT), "--all": ("every", FLAG)},
    ),
    "usages": (
        *(RUN, "queries", LIST),
        {
            **_ASKING,
            "--deep": ("deep", FLAG),
            "--objects": ("objects", FLAG),
            "--why": ("why", FLAG),
            "--all": ("every", FLAG),
        },
    ),
    "annotate": (RUN, "file", TEXT, {**_VIEWING, "--textconv": ("textconv", FLAG)}),
    "trace": (
        *(RUN, "words", ANY),
        {
            **_ASKING,
            "--in": ("look_in", LIST),
            "--missing": ("missing", FLAG),
            "--unshipped": ("unshipped", FLAG),
            "--implicit": ("implicit", FLAG),
            "--duplicates": ("duplicates", FLAG),
            "--mixed": ("mixed", FLAG),
        },
    ),
    "groups": (
        *(RUN, "names", ANY),
        {
            **_ASKING,
            "--duplicates": ("duplicates", FLAG),
            "--entries": ("entries", FLAG),
            "--profile": ("profile", TEXT),
        },
    ),
    "unused": (
        *(SYNC, "", ""),
        {
            **_ASKING,
            "--roots": ("roots", LIST),
            "--root": ("roots", LIST),
            "--incomplete": ("incomplete", FLAG),
            "--why": ("why", FLAG),
        },
    ),
    "lsp": ("", "", "", {**_OF_PROJECT, "--stdio": ("stdio", FLAG)}),
    "mcp": ("", "", "", {**_OF_PROJECT, "--allow-write": ("allow_write", FLAG)}),
    "watch": (
        *("", "", ""),
        {
            **_PLACED,
            "--detach": ("detach", FLAG),
            "--idle-timeout": ("idle_timeout", NUMBER),
            "--json-log": ("json_log", FLAG),
            "--backend": ("backend", "inotify|watchman|watchdog|polling"),
            "--poll": ("poll", FLAG),
        },
    ),
    "status": ("", "", "", {**_PLACED, "--json": ("json", FLAG)}),
    "stop": ("", "", "", _PLACED),
    "coverage": (RUN, "", "", {**_ASKING, "--workers": ("workers", NUMBER)}),
    "check": (
        *(STAGED, "paths", ANY),
        {
            **_ASKING,
            "--select": ("select", LIST),
            "--ignore": ("ignore", LIST),
            "--format": ("format", "text|json|github|gitlab|junit|markdown|sarif"),
            "--fail-on": ("fail_on", "error|warning"),
            "--fix": ("fix", FLAG),
            "--dry-run": ("dry_run", FLAG),
            "--write-baseline": ("write_baseline", FLAG),
            "--output": ("output", TEXT),
            "--baseline": ("baseline", TEXT),
            "--staged": ("staged", FLAG),
            "--since": ("since", TEXT),
            "--merge": ("merge", TEXT),
            "--statistics": ("statistics", FLAG),
            "--packages": ("packages", FLAG),
            "--strict": ("strict", FLAG),
            "--exit-zero": ("exit_zero", FLAG),
            "--workers": ("workers", NUMBER),
        },
    ),
    "bake": (
        *("", "", ""),
        {
            **_PLACED,
            "--json": ("json", FLAG),
            "--check": ("check", FLAG),
            "--verify": ("verify", FLAG),
            "--keep-going": ("keep_going", FLAG),
            "--strict-names": ("strict_names", FLAG),
            "--scrub-chars": ("scrub_chars", TEXT),
            "--follow-links": ("follow_links", FLAG),
            "--workers": ("workers", NUMBER),
            "--timing": ("timing", FLAG),
            "--rev": ("rev", TEXT),
            "--fetch": ("fetch", FLAG),
            "--to": ("to", TEXT),
        },
    ),
}
"""By command: what the daemon does for it, its argument (one word, a list, or none) and its options.

Its function has its name, and is in the module ``assetdb.cli`` of that name.
"""


class Line:
    """A command line that was understood, by either reader."""

    __slots__ = ("path", "places", "values", "words")

    def __init__(self, path: tuple[str, ...], values: dict[str, object]) -> None:
        self.path = path
        """The command: ``("name",)``, ``("bundle", "ls")``."""
        self.values = values
        """What was given, by the name of the function's parameter or of the attribute of its options."""
        self.words: list[str] = []
        """The words with the command first, where the reader of plain words has understood them."""
        self.places: list[int] = []
        """Where in the words the arguments are, that are no options."""

    @property
    def served(self) -> str:
        """The daemon's part: :data:`RUN`, :data:`SYNC`, :data:`STAGED` or nothing."""
        served = TABLE[self.path[0]][0] if self.words and "rev" not in self.values else ""
        if served == STAGED and ("staged" not in self.values or not _ON_FILES.isdisjoint(self.values)):
            return ""
        return served

    @property
    def asked(self) -> list[int]:
        """The places of the queries among the words.

        ``-`` is stdin there, and a name like any other elsewhere.
        """
        return [] if TABLE[self.path[0]][2] == ANY else self.places

    def text(self, name: str) -> str | None:
        """Return a value that is text, or None where none was given."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None


def read(words: Sequence[str]) -> Line | None:
    """Return a plain command line, or None for typer's."""
    values: dict[str, object] = {}
    try:
        before = _read_before(words, values)
        name = words[before]
        _, argument, kind, options = TABLE[name]
        if not all(_takes(options, given) for given in values):
            return None
        line = Line((name,), values)
        line.words = [name, *words[:before], *words[before + 1 :]]
        arguments = []
        for place, word in _read_options(line.words, before + 1, options, values):
            line.places.append(place)
            arguments.append(word)
        _convert(options, values)
    except LookupError:  # words that are none of the table's
        return None
    if kind in (LIST, ANY) and arguments:
        values[argument] = arguments
    elif kind in (TEXT, OPTIONAL) and len(arguments) == 1:
        values[argument] = arguments[0]
    elif kind not in ("", ANY, OPTIONAL) or arguments:
        return None
    return line


def _takes(options: Mapping[str, tuple[str, str]], name: str) -> bool:
    return any(name == own for own, _ in options.values())


def _read_before(words: Sequence[str], values: dict[str, object]) -> int:
    """Read the options before the command; return where that is."""
    place = 0
    while words[place][:1] == "-":
        place = _read_option(words, place, _BEFORE, values)
    _convert(_BEFORE, values)
    return place


def _read_options(
    words: Sequence[str], place: int, options: Mapping[str, tuple[str, str]], values: dict[str, object]
) -> Iterator[tuple[int, str]]:
    """Read the options from a place on.

    Yields the other words and their places.
    """
    while place < len(words):
        word = words[place]
        if word == "--":
            yield from list(enumerate(words))[place + 1 :]
            return
        if word[:1] == "-" and len(word) > 1 and not is_argument(word):
            place = _read_option(words, place, options, values)
        else:
            yield place, word
            place += 1


def _read_option(
    words: Sequence[str], place: int, options: Mapping[str, tuple[str, str]], values: dict[str, object]
) -> int:
    """Read the option at a place; return the place behind it.

    Several short ones may be written as one.
    """
    word = words[place]
    if word[:2] != "--":
        if len(word) == 1 or "=" in word:
            raise LookupError(word)
        for letter in word[1:]:
            name, kind = options["-" + letter]
            if kind != FLAG:
                raise LookupError(letter)
            values[name] = True
        return place + 1
    option, joined, value = word.partition("=")
    name, kind = options[option]
    if kind == FLAG:
        if joined:
            raise LookupError(word)
        values[name] = True
        return place + 1
    if not joined:
        place += 1
        value = words[place]
    if kind == LIST:
        values.setdefault(name, []).append(value)  # type: ignore[attr-defined]  # a list, where the kind is one
    else:
        values[name] = value
    return place + 1


def _convert(options: Mapping[str, tuple[str, str]], values: dict[str, object]) -> None:
    """Check and convert the values of options.

    Of several the last counts.
    """
    for name, kind in options.values():
        value = values.get(name)
        if not isinstance(value, str):
            continue
        if kind == NUMBER:
            values[name] = positive(value)
            if not values[name]:
                raise LookupError(value)
        elif _OR in kind and value not in kind.split(_OR):
            raise LookupError(value)


def is_argument(word: str) -> bool:
    """Whether a word that begins like an option is none.

    A negative number is none (PathIDs are, half of the time), nor ``- target: {fileID: ...}``, as copied from a file.
    """
    return " " in word.partition("=")[0] or word[1:].isdecimal()


def positive(text: str) -> int:
    """Return a whole number above zero, else 0."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0
