"""Terminal output: errors, progress bars, JSON and tables."""

from __future__ import annotations

import os
import sys
import time
from itertools import islice

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, BinaryIO, Final, Self, TextIO, TypeVar

    _Row = TypeVar("_Row")

STYLES: Final = {"error": "1;31", "warning": "33", "note": "34", "path": "1", "type": "36"}
"""What is coloured, with its parameters of the escape sequence."""
ASSET_STYLES: Final = ("path", "type")
"""Styles of the rows of assets that most commands print: path and type come first."""
_FOLD: Final = "    "  # before the rest of a row that a narrow terminal cannot show in a line
_SHARES: Final = 3  # a column of such rows is padded to a third of the line at most
_BAR: Final = 12  # characters of a whole bar
_LEAST_BESIDE: Final = 20  # columns for a text beside a word; with fewer it is below
_LINES_AT_ONCE: Final = 4096
_BAR_WIDTH: Final = 30
_SHOW_AFTER: Final = 0.5  # seconds of work before a bar is worth the flicker
_REDRAW_EVERY: Final = 0.1


def fail(message: str) -> int:
    """Print why a command cannot go on; return its exit code.

    A command ends with ``return fail(...)``. The message names the file or the option, and says what to do about it.

    >>> fail("Assets/Gone.prefab: is not in the database; run `assetdb bake`")
    assetdb: error: Assets/Gone.prefab: is not in the database; run `assetdb bake`
    2
    """
    say(f"error: {message}")
    return 2


def say(text: str, whole: Iterable[str] = ()) -> None:
    """Print a note on stderr, as :func:`note` does.

    Stdout has nothing but the answer, so that it can be piped; all else is said on stderr, with the program's name.

    >>> say("as of the last bake")
    assetdb: as of the last bake
    """
    note(f"assetdb: {text}", whole)


def say_listed(text: str) -> None:
    """Print a note on stderr, and the paths below it."""
    first, *paths = text.split("\n")
    say(first)
    for path in paths:
        print(printable(path), file=sys.stderr)


def note(text: str, whole: Iterable[str] = ()) -> None:
    """Print a text on stderr, broken at spaces on a terminal.

    ``whole`` are paths in it, whose own spaces do not count.
    """
    print(_folded(text, columns(sys.stderr), _FOLD, whole), file=sys.stderr)


def print_folded(text: str) -> None:
    """Print a line, folded for the terminal."""
    print(_folded(text, columns(), _FOLD))


def print_cells(cells: Iterable[str], *, indent: int = 0, styles: Sequence[str] = ()) -> None:
    """Print a row that is no table, folded for the terminal."""
    shown = [cell for cell in cells if cell]
    width = columns()
    if width:
        lines = table_lines([shown], styles=styles, width=max(width - indent, 1))
    else:
        paint = painter()
        named = [*styles, *[""] * len(shown)]
        lines = iter(["  ".join(paint(printable(cell), style) for cell, style in zip(shown, named, strict=False))])
    print("\n".join(" " * indent + line for line in lines))


def print_tree(
    rows: Sequence[tuple[int, Sequence[str]]],
    *,
    head: Sequence[str] = (),
    right: frozenset[int] = frozenset(),
    styles: Sequence[str] = (),
    shares: Sequence[float] = (),
) -> None:
    """Print rows indented by their depth, with bars where they have shares.

    Args:
        rows: depth and cells of each.
        head: titles of the columns; without, the rows are no table.
        right: columns of numbers, in a table.
        styles: of the columns.
        shares: of each row in the whole, from 0 to 1.
    """
    if not head:
        for depth, cells in rows:
            print_cells(cells, indent=2 * depth, styles=styles)
        return
    lines: list[tuple[object, ...]] = [(*head, "share", "") if shares else (*head,)]
    for number, (depth, cells) in enumerate(rows):
        bar = (f"{shares[number]:.1%}", "#" * round(_BAR * shares[number])) if shares else ()
        lines.append(("  " * depth + cells[0], *cells[1:], *bar))
    print(table(lines, right=right | {len(head)} if shares else right, styles=styles))


def print_indented(line: str) -> None:
    """Print an indented line, folded at its gaps for the terminal."""
    width = columns()
    if not 0 < width < _measure(width)(line):
        print(line)
        return
    print_cells(map(str.strip, line.split("  ")), indent=len(line) - len(line.lstrip(" ")))


def print_hanging(head: str, text: str, width: int, style: str = "") -> None:
    """Print a word and a text beside or below it, folded.

    ``width`` is the columns of the word with its gap.
    """
    shown = columns()
    if 0 < shown < width + _LEAST_BESIDE:
        print(f"{painter()(head, style or head)}\n{_FOLD}{_folded(text, shown, _FOLD)}")
    else:
        print(painter()(head.ljust(width), style or head) + _folded(text, shown, " " * width))


def _folded(text: str, width: int, indent: str, whole: Iterable[str] = ()) -> str:
    shown = printable(text)
    if not width:
        return shown
    from assetdb.system.escaping import wrapped  # noqa: PLC0415 - a pipe has no columns

    for path in map(printable, whole):
        shown = shown.replace(path, path.replace(" ", "\0"))
    return f"\n{indent}".join(wrapped(shown, width - len(indent))).replace("\0", " ")


def say_first(notes: Sequence[str], rest: str, *, every: bool, most: int = 3) -> None:
    """Print the first of some notes, or every one, on stderr.

    ``rest`` is the message for the others, with ``{:,}`` for their number.
    """
    shown = notes if every else notes[:most]
    for note in shown:
        say(note)
    if len(shown) < len(notes):
        say(f"{rest.format(len(notes) - len(shown))} (--verbose lists all)")


def print_first(lines: Sequence[str], *, every: bool, most: int = 20) -> None:
    """Print the first of some lines, or every one, on stderr."""
    for line in lines[: None if every else most]:
        print(printable(line), file=sys.stderr)
    if len(lines) > most and not every:
        print(f"and {len(lines) - most:,} more (--verbose lists all)", file=sys.stderr)


def waiting(holder: str) -> None:
    """Print which process a command waits for, on stderr."""
    print(f"assetdb: waiting for {printable(holder)}", file=sys.stderr, flush=True)


def not_found(message: str, word: str = "", known: Iterable[str] = ()) -> int:
    """Print that nothing was found, with a near word; return 1.

    Exit code 1 says that the question was understood and has no answer; 2 (:func:`fail`) says that it was not.

    >>> not_found("no class 'Materiel'", "Materiel", ["GameObject", "Material", "Mesh"])
    assetdb: no class 'Materiel'; did you mean 'Material'?
    1
    """
    say(message + nearest(word, known))
    return 1


def nearest(word: str, known: Iterable[str], key: Callable[[str], str] = str.lower, *, most: int = 1) -> str:
    """Return the end of a message that suggests known words.

    These are the nearest to ``word``; ``key`` returns the part of a word that is compared.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is missing

    names = {key(name): name for name in known}
    return suggestion([names[close] for close in get_close_matches(key(word), names, n=most)])


def suggestion(names: Sequence[str]) -> str:
    """Return the end of a message that suggests names."""
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""


def with_place(message: str, word: str) -> str:
    """Return a message, with advice on ``--in`` for a path."""
    return f"{message}; to look in it, write --in {word}" if os.path.exists(word) else message


def table(
    rows: Iterable[Sequence[object]],
    *,
    right: frozenset[int] = frozenset(),
    styles: Sequence[str] = (),
    spare: frozenset[int] = frozenset(),
) -> str:
    """Lay rows out in columns, for the width of the terminal.

    ``right`` has the numbers of the columns that align right, ``styles`` styles of the first columns (:data:`STYLES`),
    ``spare`` the columns that a narrow terminal does without.

    >>> print(table([("path", "uses"), ("Assets/Tree.prefab", 12), ("Assets/Bark.mat", 3)], right=frozenset((1,))))
    path                uses
    Assets/Tree.prefab    12
    Assets/Bark.mat        3
    """
    return "\n".join(table_lines(rows, right=right, styles=styles, spare=spare, width=columns()))


def print_table(
    rows: Sequence[Sequence[object]],
    *,
    right: frozenset[int] = frozenset(),
    styles: Sequence[str] = (),
    spare: frozenset[int] = frozenset(),
    heads: int = 0,
) -> None:
    """Print rows as a table, or nothing without any below the ``heads``."""
    if len(rows) > heads:
        print_long_table(rows, right=right, styles=styles, spare=spare)


def print_long_table(
    rows: Iterable[Sequence[object]],
    *,
    right: frozenset[int] = frozenset(),
    styles: Sequence[str] = (),
    spare: frozenset[int] = frozenset(),
) -> None:
    """Print a table without its whole text in memory."""
    lines = table_lines(rows, right=right, styles=styles, spare=spare, width=columns())
    while some := [*islice(lines, _LINES_AT_ONCE)]:
        print("\n".join(some))


def print_rows(
    rows: Iterable[_Row],
    facts: Callable[[_Row], object],
    cells: Callable[[_Row], Sequence[object]],
    *,
    as_json: bool,
    head: Sequence[str] = (),
    right: frozenset[int] = frozenset(),
    styles: Sequence[str] = (),
) -> None:
    """Print rows, as JSON Lines or as a table below a head."""
    if as_json:
        print_json_lines(map(facts, rows))
    else:
        heads = [head] if head else []
        print_table([*heads, *map(cells, rows)], right=right, styles=styles, heads=len(heads))


def table_lines(
    rows: Iterable[Sequence[object]],
    *,
    right: frozenset[int] = frozenset(),
    styles: Sequence[str] = (),
    spare: frozenset[int] = frozenset(),
    width: int = 0,
) -> Iterator[str]:
    """Yield the lines of a table, in ``width`` columns unless 0.

    Where the rows are wider, the ``spare`` columns are left out first, but not of a row without a path, such as
    ``(not in the project)``. Then a cell that does not fit begins another line, indented, and is broken between the
    names of a hierarchy, behind commas or at spaces: no word or path is cut.
    """
    cells: Iterable[tuple[str, ...]] = RowsAgain(lambda: map(_cells, rows))
    if width or not isinstance(rows, RowsAgain):
        cells = list(cells)
    measure = _measure(width)
    widths: list[int] = []
    source = iter(cells)
    while some := [*islice(source, _LINES_AT_ONCE)]:  # by columns, a third of the time of row by row
        sizes = [max(map(measure, column)) for column in zip(*some, strict=True)]
        widths = [*map(max, widths, sizes)] if widths else sizes
    numbers = range(len(widths))
    left_out = spare if 0 < width < _table_width(widths, numbers) else ()
    is_whole = not 0 < width < _table_width(widths, [number for number in numbers if number not in left_out])
    if not is_whole:
        widths = [min(size, width // _SHARES) for size in widths]
        widths[0] = _first_width([[measure(cell) for cell in row] for row in cells], widths, left_out, width)
    paint = painter()
    for row in cells:
        line, used, padding = "", 0, 0
        for number in numbers:
            cell, size = row[number], measure(row[number])
            if (number in left_out and row[0][:1] != "(") or not (cell or is_whole):
                continue
            style = styles[number] if number < len(styles) else ""
            gap = 2 if used or (number and is_whole) else 0
            if 0 < width < used + padding + gap + size:
                padding = 0
                if used + gap + size > width:
                    if line not in ("", _FOLD):
                        yield line
                        line, used, gap = _FOLD, len(_FOLD), 0
                    *pieces, cell = _pieces(cell, width - len(_FOLD))
                    for piece in pieces:
                        yield line + paint(piece, style)
                        line, used = _FOLD, len(_FOLD)
                    size = measure(cell)
            before = max(widths[number] - size, 0) if number in right else 0
            if not is_whole:
                before = max(min(before, width - used - padding - gap - size), 0)
            line += " " * (padding + gap + before) + paint(cell, style)
            used += padding + gap + before + size
            padding = max(widths[number] - size, 0) - before
        yield line.rstrip()


class RowsAgain:
    """Rows that are made for each pass, and not kept.

    The cells of 294,000 rows take 37 MB.
    """

    def __init__(self, ask: Callable[[], Iterable[Any]]) -> None:
        self._ask = ask

    def __iter__(self) -> Iterator[Any]:
        return iter(self._ask())


def _cells(row: Sequence[object]) -> tuple[str, ...]:
    cells = tuple(map(str, row))  # lists take a third more
    return cells if "".join(cells).isprintable() else tuple(map(printable, cells))


def _measure(width: int) -> Callable[[str], int]:
    """Return the measure of cells: columns of a terminal, or characters."""
    if not width:
        return len
    from assetdb.system.escaping import columns_of  # noqa: PLC0415 - a pipe has no columns

    return columns_of


def _table_width(widths: Sequence[int], numbers: Sequence[int]) -> int:
    return sum(widths[number] for number in numbers) + 2 * (len(numbers) - 1)


def _first_width(rows: Sequence[Sequence[int]], widths: Sequence[int], left_out: Iterable[int], width: int) -> int:
    """Return the columns of the first cells that align most rows.

    Rows that fit only with a narrower first cell are not padded. ``rows`` has the columns of cells.
    """
    skipped = frozenset(left_out)
    ends = [0] * (width + 2)  # how many rows more, or fewer, are aligned from each width on
    for row in rows:
        shown = [number for number in range(1, len(row)) if number not in skipped and row[number]]
        rest = sum(max(widths[number], row[number]) + 2 for number in shown[:-1])
        rest += row[shown[-1]] + 2 if shown else 0
        if row[0] + rest <= width:
            ends[row[0]] += 1
            ends[width - rest + 1] -= 1
    aligned, most, best = 0, 0, 0
    for size, change in enumerate(ends):
        aligned += change
        if aligned > most:
            most, best = aligned, size
    return best or widths[0]


def _pieces(cell: str, width: int) -> list[str]:
    from assetdb.system.escaping import broken  # noqa: PLC0415 - a pipe has no columns

    return broken(cell, width)


def printable(text: str) -> str:
    r"""Escape characters that could steer a terminal.

    Names and messages come from files that strangers wrote: a GameObject could be called "clear the screen" in the
    language of terminals. What a command prints of a file goes through this function; nearly all names come back as
    they are.

    >>> printable("Held \N{LATIN SMALL LETTER U WITH DIAERESIS}"), printable("Tree\x1b[2J")
    ('Held ü', 'Tree\\x1b[2J')
    """
    if text.isprintable():
        return text
    from assetdb.system.escaping import printable as escaped  # noqa: PLC0415 - hardly any name needs it

    return escaped(text)


def shown_path(path: str) -> str:
    """Return a path as typed: relative below the working directory."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return printable(path)
    return printable(path if relative.startswith(os.pardir) else relative)


def columns(stream: TextIO | None = None) -> int:
    """Return the columns of a stream's terminal, stdout by default, or 0."""
    shown = sys.stdout if stream is None else stream
    known: int | None = getattr(shown, "columns", None)  # a daemon writes for the terminal of its client
    if known is not None:
        return known
    if not shown.isatty():
        return 0
    from shutil import get_terminal_size  # noqa: PLC0415 - the output of a pipe is not cut

    return get_terminal_size().columns


def has_color() -> bool:
    """Whether stdout shows colours.

    A terminal does, and a pipe where ``FORCE_COLOR`` or ``CLICOLOR_FORCE`` say so.

    ``NO_COLOR`` goes before both, as https://no-color.org has it; each counts where it is not empty. ``--color`` goes
    before all of them.
    """
    known: bool | None = getattr(sys.stdout, "color", None)
    if known is not None:
        return known
    environ = os.environ
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0") or environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and environ.get("TERM") != "dumb"


def painter() -> Callable[[str, str], str]:
    """Return a function that colours a text by its style, if wanted."""
    if not has_color():
        return lambda text, _: text
    return lambda text, style: f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style in STYLES and text else text


def claim_stdout() -> BinaryIO:
    """Return stdout for messages alone; all else goes to stderr."""
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own


class Progress:
    """A progress bar on a terminal, after half a second."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._enabled = sys.stderr.isatty()
        self._next_drawing = time.monotonic() + _SHOW_AFTER
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is."""
        if not self._enabled:
            return
        now = time.monotonic()
        if now < self._next_drawing:
            return
        self._next_drawing = now + _REDRAW_EVERY
        self._drawn = True
        filled = _BAR_WIDTH * done // total if total else 0
        bar = "#" * filled + "-" * (_BAR_WIDTH - filled)
        sys.stderr.write(f"\r{self._label} [{bar}] {done:,} / {total:,}")
        sys.stderr.flush()

    def __enter__(self) -> Self:
        """Return the bar."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the bar."""
        self.close()

    def close(self) -> None:
        """Remove the bar."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def json_line(value: object, default: Callable[[object], object] | None = None) -> str:
    r"""Return a value as one line of JSON.

    Characters that could end the line, control a terminal or reverse the text are escaped as ``\u``: control characters
    (C0, DEL, C1), separators, bidirectional marks, lone surrogates, and all others that are not printable. NaN and
    infinities, which JSON cannot have, are texts: ``"nan"``, ``"-inf"``.
    """
    from json import dumps  # noqa: PLC0415 - the plain forms do without

    try:
        text = dumps(value, ensure_ascii=False, allow_nan=False, default=default)
    except ValueError:
        text = dumps(_finite(value), ensure_ascii=False, allow_nan=False, default=default)
    return text if text.isprintable() else "".join(c if c.isprintable() else _json_escape(c) for c in text)


def _finite(value: object) -> object:
    """Return a value with texts instead of NaN and infinities."""
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


def plain(text: str) -> str:
    """Return text without lone surrogates, which JSON cannot have."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # half of a surrogate pair, of a name in JSON (ScriptingAssemblies.json of a build)
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def json_document(value: object) -> bytes:
    """Return a value as JSON over several lines, for a file."""
    from json import dumps  # noqa: PLC0415 - the same

    return f"{dumps(value, indent=2)}\n".encode()


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def print_json(value: object) -> None:
    r"""Print a value as one line of JSON, in UTF-8.

    The line is safe to show, as :func:`json_line` says, and a name that is not Unicode was made so by :func:`plain`.

    >>> print_json({"path": "Assets/Tree.prefab", "name": "Tree\x1b[2J", "uses": 12})
    {"path": "Assets/Tree.prefab", "name": "Tree\u001b[2J", "uses": 12}
    """
    write_json_text(json_line(value) + "\n")


def write_json_text(text: str) -> None:
    """Write a text of JSON lines to stdout, in UTF-8."""
    stream = sys.stdout
    if (stream.encoding or _UTF_8).lower() != _UTF_8 or sys.platform == "win32":
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=_UTF_8, newline="\n")
    stream.write(text)


def print_json_lines(values: Iterable[object]) -> None:
    """Print each value as one line of JSON.

    This is what ``--json`` prints: a reader such as ``jq`` begins with the first row before the last is known.

    >>> print_json_lines({"path": path} for path in ("Assets/A.mat", "Assets/B.mat"))
    {"path": "Assets/A.mat"}
    {"path": "Assets/B.mat"}
    """
    for value in values:
        print_json(value)


_UTF_8: Final = "utf-8"
