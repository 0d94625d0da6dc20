"""The words of hot command lines as data, and their fast reader.

Importing typer takes 80 ms, as long as four answers. So the words of the commands in ``TABLE`` are read here. Help,
mistakes and all other commands are left to ``assetdb.cli.reading``, which declares the same rows to typer.
``tests/assetdb/cli/test_plain.py`` compares the two readers.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

FLAG: Final = "flag"
TEXT: Final = "text"
LIST: Final = "list"
CHOICE: Final = "choice"
NUMBER: Final = "number"
DECIMAL: Final = "decimal number"
ANY: Final = "any"  # an argument: a list that may be empty
OPTIONAL: Final = "text, or nothing"  # an argument that may be left out

RUN: Final = "run"  # the project's daemon runs the command, where there is one
SYNC: Final = "sync"
"""The command takes seconds: it runs in a process of its own, on files that the daemon has brought up to date."""
STAGED: Final = "staged"
"""With ``--staged`` the daemon brings the files up to date and runs the command; else a process of its own does."""
# Paths may belong to another project than the client's working directory.
_ON_FILES: Final = frozenset({"baseline", "fetch", "no_refresh", "output", "packages", "paths", "workers"})


class Option:
    """An option of a command, as data."""

    def __init__(
        self,
        *words: str,
        help: str,  # noqa: A002 - as it is called everywhere
        kind: str = "",
        name: str = "",
        metavar: str = "",
        choices: Sequence[str] = (),
        default: object = None,
        min: int | None = None,  # noqa: A002 - as above
        complete: str = "",
    ) -> None:
        """Describe an option.

        In the annotation of a command's parameter only words, metavar, help, min and complete are given: the parameter
        has the rest.

        Args:
            words: its spellings, such as ``--quiet`` and ``-q``.
            help: its description, in a line or two.
            kind: the kind of its value; by default as choices, min and metavar say, and a flag without these.
            name: of the parameter, or of the attribute of the options; by default as the first word, or as metavar.
            metavar: the name of its value in help texts.
            choices: the values that it may have, where the kind is ``CHOICE``.
            default: the value where it is not given.
            min: the lowest number.
            complete: the name of a function in ``assetdb.cli.reading.completion``.
        """
        self.words = words
        self.help = help
        self.kind = kind or (CHOICE if choices else NUMBER if min is not None else TEXT if metavar else FLAG)
        self.name = name or (words[0].lstrip("-").replace("-", "_") if words else metavar.lower())
        self.metavar = metavar
        self.choices = choices
        self.default = default
        self.min = min
        self.complete = complete
        self.required = False  # whether the command needs it
        self.size = 1  # how many words a value has: two for ``--rename OLD NEW``


class Argument(Option):
    """An argument of a command, as data."""


class Row:
    """The words of a command, and the daemon's part in it."""

    def __init__(
        self, module: str, served: str, argument: Argument | None, common: tuple[Option, ...], *own: Option
    ) -> None:
        """Describe a command.

        Args:
            module: where its function is, which has its name.
            served: the daemon's part: :data:`RUN`, :data:`SYNC`, :data:`STAGED` or nothing.
            argument: its argument, if it has one.
            common: options that others have, too, listed after its own.
            own: the others.
        """
        self.module = module
        self.served = served
        self.argument = argument
        self.options = own + common


QUIET: Final = Option("--quiet", "-q", help="Print answers and errors only, no notes.")
VERBOSE: Final = Option("--verbose", "-v", help="Print notes in full, not only the first examples; names with labels.")
COLOR: Final = Option(
    "--color",
    choices=("auto", "always", "never"),
    default="auto",
    help="When to colour answers (default: on a terminal, or as NO_COLOR and FORCE_COLOR say).",
)
VERSION: Final = Option("--version", "-V", help="Print the version and exit.")
PROJECT: Final = Option(
    "--project", metavar="DIR", complete="projects", help="The Unity project (default: here, or the nearest above)."
)
OUT_DIR: Final = Option("--out-dir", metavar="DIR", help="The folder of its database (default: Library/assetdb).")
NO_REFRESH: Final = Option("--no-refresh", help="Answer from the last bake, without checking for later changes.")
JSON: Final = Option("--json", help="Print JSON Lines: one object a line.")
REV: Final = Option("--rev", metavar="REV", help="Use a git revision (main, HEAD~3, v1.2) instead of the files here.")
FETCH: Final = Option("--fetch", help="Let git fetch the files of other revisions that a partial clone left out.")
WORKERS: Final = Option("--workers", min=1, metavar="N", help="Processes (default: one a processor, at most 8).")
SIZE: Final = Option("--size", help="Also the bytes of each asset's file, without its meta, and their sum.")
IMPORTED: Final = Option(
    "--imported",
    metavar="PLATFORM",
    help="Also the size of textures as a platform gets them, estimated: standalone, android, ios, webgl, ...",
)
IN: Final = Option(
    "--in", name="inside", kind=LIST, metavar="PATH", help="A file or folder to look in; may be repeated."
)
SPRITE: Final = Option(
    "--texture-for-sprite",
    help="For the fileID of a texture's sprite (21300000), answer with the texture if it has no sprite.",
)
QUERIES: Final = Argument(
    name="queries",
    kind=LIST,
    metavar="QUERY",
    complete="assets",
    help="A GUID, GUID:fileID, a pasted {fileID: ..., guid: ...}, a path or a name;"
    " - reads one a line from stdin and answers each with one line of JSON.",
)

_COMMON_OPTIONS: Final = (QUIET, VERBOSE, COLOR, VERSION)
_PROJECT_OPTIONS: Final = (PROJECT, *_COMMON_OPTIONS)
_DATABASE_OPTIONS: Final = (OUT_DIR, *_PROJECT_OPTIONS)
_SNAPSHOT_OPTIONS: Final = (NO_REFRESH, *_DATABASE_OPTIONS)
_QUERY_OPTIONS: Final = (JSON, REV, FETCH, *_SNAPSHOT_OPTIONS)
BEFORE: Final = (PROJECT, OUT_DIR, JSON, *_COMMON_OPTIONS)
"""Options that are also accepted before the command."""

TABLE: Final[Mapping[str, Row]] = {
    "info": Row("assetdb.cli.asking.info", RUN, None, _QUERY_OPTIONS),
    "name": Row("assetdb.cli.asking.naming", RUN, QUERIES, _QUERY_OPTIONS, SPRITE),
    "guid": Row("assetdb.cli.asking.naming", RUN, QUERIES, _QUERY_OPTIONS, SPRITE),
    "path": Row("assetdb.cli.asking.naming", RUN, QUERIES, _QUERY_OPTIONS, SPRITE),
    "find": Row(
        "assetdb.cli.asking.find",
        RUN,
        Argument(kind=OPTIONAL, metavar="PATTERN", help="Text in a name or path, in any case; or with * ? [abc]."),
        _QUERY_OPTIONS,
        Option("--type", name="types", kind=LIST, metavar="TYPE", help="Only this class or script; may be repeated."),
        Option(
            "--in",
            name="inside",
            metavar="ASSET",
            help="List objects of this prefab or scene instead, nested prefabs included.",
        ),
        Option("--component", metavar="TYPE", help="Objects with this component: a class of Unity, or a script."),
        Option(
            "--label",
            name="labels",
            kind=LIST,
            metavar="LABEL",
            help="Only assets with this label; may be repeated, for those with any of them.",
        ),
        Option(
            "--where",
            metavar="PROPERTY=VALUE",
            help="List the objects, metas and overrides with this value instead: m_MethodName=OnPlay, isReadable=1.",
        ),
        SIZE,
        IMPORTED,
    ),
    "ls": Row(
        "assetdb.cli.asking.ls",
        RUN,
        Argument(metavar="QUERY", help="A folder, prefab, scene, model or other asset: a path, a name or a GUID."),
        _QUERY_OPTIONS,
        Option("--tree", help="Indent objects below their parents."),
        Option("--depth", min=1, metavar="N", help="List at most this many levels."),
        Option(
            "--class",
            name="classes",
            kind=LIST,
            metavar="TYPE",
            help="Only objects with this component; may be repeated.",
        ),
        Option(
            "--in",
            name="inside",
            metavar="OBJECT",
            help="Only this object and what is below it: a fileID, or Canvas / Popup.",
        ),
        Option("--no-nested", help="Do not open nested prefabs."),
        Option("--deep", help="Of a folder, also list the assets in its subfolders."),
        SIZE,
        IMPORTED,
    ),
    "get": Row(
        "assetdb.cli.asking.get",
        RUN,
        Argument(metavar="QUERY", help="An object: 'Main.unity / Canvas / Popup (Image)', PATH:fileID, GUID:fileID."),
        _QUERY_OPTIONS,
        Option("--overrides", help="Only overridden values, with the value that each prefab of the chain sets."),
    ),
    "deps": Row(
        "assetdb.cli.asking.deps",
        RUN,
        QUERIES,
        _QUERY_OPTIONS,
        Option("--deep", help="Also indirect references."),
        Option("--to", metavar="ASSET", help="Show the shortest chain of references to this asset."),
        Option("--all", name="every", help="With --to, all chains, shortest first."),
        Option("--tree", help="Show references of references, indented below each."),
        Option("--depth", min=1, metavar="N", help="With --tree, show at most this many levels."),
        SIZE,
    ),
    "usages": Row(
        "assetdb.cli.asking.deps",
        RUN,
        QUERIES,
        _QUERY_OPTIONS,
        Option("--deep", help="Also indirect users."),
        Option("--objects", help="Show the object, property and line of each reference."),
        Option("--why", help="Show why a build has it: the shortest chain from a scene, Resources or other root."),
        Option("--all", name="every", help="With --why, the chains from all roots, shortest first."),
        Option("--field", metavar="NAME", help="Of a C# script: list the values of this field that assets store."),
        Option("--method", metavar="NAME", help="Of a C# script: list the events that call it, of animations, too."),
        Option("--event", help="Of a C# script: list the events that call any of its methods."),
        Option("--tree", help="Show users of users, indented below each."),
        Option("--depth", min=1, metavar="N", help="With --tree, show at most this many levels."),
        SIZE,
    ),
    "annotate": Row(
        "assetdb.cli.history.annotate",
        RUN,
        Argument(metavar="FILE", help="A prefab, scene, asset or meta; - reads stdin."),
        _SNAPSHOT_OPTIONS,
        Option(
            "--textconv",
            help="For git diff: print a file that cannot be annotated unchanged; git config diff.unity.textconv"
            ' "assetdb annotate --textconv --", and in .gitattributes *.prefab diff=unity.',
        ),
    ),
    "diff": Row(
        "assetdb.cli.history.diff",
        "",
        Argument(
            name="sides",
            kind=ANY,
            metavar="[A[..B]]",
            help="A revision against the files here (default: HEAD), A..B, A...B from where they forked,"
            " two project folders, or two files.",
        ),
        _SNAPSHOT_OPTIONS,
        JSON,
        FETCH,
        IN,
        Option(
            "--format",
            choices=("text", "json", "markdown"),
            default="text",
            help="What to print: for people, JSON Lines, or a comment for a pull request.",
        ),
        Option("--exit-code", help="Exit 1 if something differs."),
    ),
    "merge": Row(
        "assetdb.cli.merging.merge",
        "",
        Argument(name="versions", kind=LIST, metavar="BASE OURS THEIRS", help="Three versions of a file."),
        (JSON, *_COMMON_OPTIONS),
        Option("--output", "-o", metavar="FILE", help="Write the result to this file (default: to stdout)."),
        Option("--path", metavar="PATH", help="The file's path in the work tree, for messages and assetdb.toml."),
        Option("--marker-size", min=1, metavar="N", help="Characters of a conflict marker (default: 7)."),
        Option("--diff3", help="Also show the common ancestor between the markers."),
        Option("--explain", help="Print the rule by which each change was merged."),
        Option(
            "--tool", metavar="PROGRAM", help="Let Unity's UnityYAMLMerge merge first; what it cannot, assetdb merges."
        ),
    ),
    "trace": Row(
        "assetdb.cli.build.trace",
        RUN,
        Argument(
            name="words",
            kind=ANY,
            metavar="X",
            complete="assets",
            help="An asset as in `assetdb name`, a folder of them, or what was built: FILE#PATHID, a file or bundle"
            " of the build, the path of anything in it, a catalog key, address or internal id.",
        ),
        _QUERY_OPTIONS,
        IN,
        Option(
            "--report",
            metavar="FILE",
            help="Unity's report of the build; without, one beside the build or in the project's Library is found.",
        ),
        Option("--missing", help="List what catalogs and groups name but no longer exists."),
        Option("--unshipped", help="List assets that no build has."),
        Option("--implicit", help="List assets that were pulled in without an entry."),
        Option("--duplicates", help="List objects that several files have."),
        Option("--mixed", help="List local content that depends on downloaded content."),
    ),
    "groups": Row(
        "assetdb.cli.build.groups",
        RUN,
        Argument(name="names", kind=ANY, metavar="GROUP", help="Show the bundles of the named groups, asset by asset."),
        _QUERY_OPTIONS,
        Option("--duplicates", help="List assets that several bundles, or the player and a bundle, would hold."),
        Option("--entries", help="List each asset that has an entry, or a folder with one above it."),
        Option("--profile", metavar="NAME", help="Use the paths of this profile instead of the active one."),
    ),
    "unused": Row(
        "assetdb.cli.review.unused",
        SYNC,
        None,
        _QUERY_OPTIONS,
        Option(
            "--roots",
            kind=LIST,
            metavar="PATTERN",
            help="A further path to keep, with everything it refers to (Assets/Mods, 'Assets/*/Shared.prefab');"
            " may be repeated.",
        ),
        Option(
            "--incomplete",
            help="Answer even if files could not be read; assets that only they use are listed as unused.",
        ),
        Option("--why", help="List what is kept instead, each with its reason."),
        Option("--size", help="Also the bytes of each asset's file, their sum, and how much each root keeps alone."),
    ),
    "lsp": Row(
        "assetdb.cli.serving.lsp",
        "",
        None,
        _DATABASE_OPTIONS,
        Option("--stdio", help="Accepted for editors that pass it; stdio is always used."),
    ),
    "mcp": Row(
        "assetdb.cli.serving.mcp",
        "",
        None,
        _DATABASE_OPTIONS,
        Option("--allow-write", help="Also offer register, mv, rm and fix, each with a dry run first."),
    ),
    "watch": Row(
        "assetdb.cli.serving.watch",
        "",
        None,
        _DATABASE_OPTIONS,
        Option("--detach", help="Run in the background, and return when it answers."),
        Option(
            "--idle-timeout",
            kind=DECIMAL,
            metavar="SECONDS",
            help="Stop after this long without a request or a subscriber.",
        ),
        Option("--json-log", help="Log as JSON, one object a line."),
        Option(
            "--backend",
            choices=("inotify", "windows", "watchman", "watchdog", "polling"),
            help="The source of changes (default: the best here); polling looks every few seconds.",
        ),
    ),
    "coverage": Row("assetdb.cli.review.coverage", RUN, None, _QUERY_OPTIONS, WORKERS),
    "check": Row(
        "assetdb.cli.review.check",
        STAGED,
        Argument(
            name="paths",
            kind=ANY,
            metavar="PATH",
            help="Report only findings in these files, folders or patterns ('Assets/**/*.unity').",
        ),
        _QUERY_OPTIONS,
        Option(
            "--select", kind=LIST, metavar="CODES", complete="codes", help="Only these codes, comma-separated, or all."
        ),
        Option(
            "--ignore", kind=LIST, metavar="CODES", complete="codes", help="All codes except these, comma-separated."
        ),
        Option(
            "--format",
            choices=("text", "json", "github", "gitlab", "junit", "markdown", "sarif"),
            default="text",
            help="What to print: for people, JSON Lines, or a report for a service.",
        ),
        Option("--output", metavar="FILE", help="Write the report to a file."),
        Option("--baseline", metavar="FILE", help="Leave out the findings listed in this file."),
        Option("--fix", help="Fix what can be fixed without losing anything."),
        Option("--dry-run", help="Show what --fix would change, as a diff."),
        Option("--write-baseline", help="Write the findings to the baseline, so that only new ones fail."),
        Option(
            "--fail-on",
            choices=("error", "warning"),
            default="error",
            help="Exit 1 for findings of this severity or worse.",
        ),
        Option("--exit-zero", help="Exit 0 even if there are findings."),
        Option("--statistics", help="Count findings by code instead of listing them."),
        Option("--packages", help="List the packages that are not on this machine, and what requires each."),
        Option("--strict", help="Also exit 1 if references cannot be judged."),
        Option("--staged", help="Report only what the next commit introduces: git's index against HEAD."),
        Option(
            "--since", metavar="REV", help="Report only what was introduced since a revision (main...: since the fork)."
        ),
        Option(
            "--merge", metavar="REV", help="Report only what merging a revision into HEAD would break (OURS...THEIRS)."
        ),
        WORKERS,
    ),
    "bake": Row(
        "assetdb.cli.bake",
        "",
        None,
        (JSON, *_DATABASE_OPTIONS),
        Option("--check", help="Write nothing; exit 1 and show what would change."),
        Option("--verify", help="Write nothing; compare the files with their checksums and with the tree."),
        Option("--keep-going", help="Bake the rest if assets share a GUID."),
        Option("--strict-names", help="Fail if folders do not distinguish names."),
        Option("--scrub-chars", metavar="CHARS", help="Replace these characters in names by _."),
        Option("--follow-links", help="Follow links that lead out of the project, too."),
        WORKERS,
        REV,
        FETCH,
        Option("--to", metavar="FILE", help="With --rev, write that revision's database here."),
        Option("--timing", help="Show on stderr how long each stage took (also UNITY_ASSETDB_TIMING=1)."),
    ),
}
"""The commands that must start quickly, that a daemon runs, or that keep running."""


class Line:
    """A command line that was understood, by either reader."""

    def __init__(self, path: tuple[str, ...], values: dict[str, object]) -> None:
        self.path = path  # the command: ``("name",)``, ``("bundle", "ls")``
        self.values = values
        """What was given, by the name of the function's parameter or of the attribute of its options."""
        self.words: list[str] = []
        """The words with the command first, where the reader of plain words has understood them."""
        self.places: list[int] = []  # of the arguments in the words

    @property
    def served(self) -> str:
        """The daemon's part: :data:`RUN`, :data:`SYNC`, :data:`STAGED` or nothing."""
        served = TABLE[self.path[0]].served if self.words and "rev" not in self.values else ""
        if served == STAGED and ("staged" not in self.values or not _ON_FILES.isdisjoint(self.values)):
            return ""
        return served

    @property
    def query_places(self) -> list[int]:
        """The places of the queries, where ``-`` is stdin."""
        argument = TABLE[self.path[0]].argument
        return [] if argument is not None and argument.kind == ANY else self.places

    def text(self, name: str) -> str | None:
        """Return a value that is text, or None if none was given."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None


def read(words: Sequence[str]) -> Line | None:
    """Return a plain command line, or None for the full reader."""
    values: dict[str, object] = {}
    try:
        before = _read_before(words, values)
        name = words[before]
        row = TABLE[name]
        if not values.keys() <= {option.name for option in row.options}:
            return None
        line = Line((name,), values)
        line.words = [name, *words[:before], *words[before + 1 :]]
        arguments = []
        for place, word in _read_options(line.words, before + 1, row.options, values):
            line.places.append(place)
            arguments.append(word)
        _convert(row.options, values)
    except LookupError:  # words that the table does not have
        return None
    kind = row.argument.kind if row.argument is not None else ""
    if row.argument is not None and arguments:
        if kind in (LIST, ANY):
            values[row.argument.name] = arguments
        elif len(arguments) == 1:
            values[row.argument.name] = arguments[0]
        else:
            return None
    elif arguments or kind in (LIST, TEXT):
        return None
    return line


def _read_before(words: Sequence[str], values: dict[str, object]) -> int:
    """Read the options before the command; return where that is."""
    named = _by_word(BEFORE)
    place = 0
    while words[place][:1] == "-":
        place = _read_option(words, place, named, values)
    _convert(BEFORE, values)
    return place


def _by_word(options: Sequence[Option]) -> dict[str, Option]:
    return {word: option for option in options for word in option.words}


def _read_options(
    words: Sequence[str], place: int, options: Sequence[Option], values: dict[str, object]
) -> Iterator[tuple[int, str]]:
    """Read options; yield the other words with their places."""
    named = _by_word(options)
    while place < len(words):
        word = words[place]
        if word == "--":
            yield from list(enumerate(words))[place + 1 :]
            return
        if word[:1] == "-" and len(word) > 1 and not is_argument(word):
            place = _read_option(words, place, named, values)
        else:
            yield place, word
            place += 1


def _read_option(words: Sequence[str], place: int, named: Mapping[str, Option], values: dict[str, object]) -> int:
    """Read the option at a place; return the place behind it.

    Several short ones may be written as one. Raises LookupError for the full reader.
    """
    word = words[place]
    if word[:2] != "--":
        if len(word) == 1:
            raise LookupError(word)
        for number, letter in enumerate(word[1:], 2):
            option = named["-" + letter]
            if option is VERSION:
                raise LookupError(letter)
            if option.kind != FLAG:
                if option.kind == LIST:
                    raise LookupError(letter)
                if number == len(word):
                    place += 1
                values[option.name] = word[number:] or words[place]
                break
            values[option.name] = True
        return place + 1
    name, joined, value = word.partition("=")
    option = named[name]
    if option.kind == FLAG:
        if joined or option is VERSION:
            raise LookupError(word)
        values[option.name] = True
        return place + 1
    if not joined:
        place += 1
        value = words[place]
    if option.kind == LIST:
        values.setdefault(option.name, []).append(value)  # type: ignore[attr-defined]  # a list, where the kind is one
    else:
        values[option.name] = value
    return place + 1


def _convert(options: Sequence[Option], values: dict[str, object]) -> None:
    """Convert the values of options; raise LookupError for a bad one."""
    for option in options:
        value = values.get(option.name)
        if not isinstance(value, str):
            continue
        if option.kind in (NUMBER, DECIMAL):
            values[option.name] = positive(value)
            if not values[option.name]:
                raise LookupError(value)
        elif option.kind == CHOICE and value not in option.choices:
            raise LookupError(value)


def is_argument(word: str) -> bool:
    """Whether a word that begins like an option is an argument.

    For example a negative number (half of all PathIDs), or ``- target: {fileID: ...}``, copied from a file.
    """
    return " " in word.partition("=")[0] or word[1:].isdecimal()


def positive(text: str) -> int:
    """Return a whole number above zero, else 0."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0
