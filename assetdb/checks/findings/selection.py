"""Selection of findings by code and place, with severities."""

from __future__ import annotations

import os

from assetdb.checks.findings.codes import MISSING
from assetdb.diagnostics.codes import ALL, CODES, NOTE, OFF, WARNING
from assetdb.errors import FileError, UsageError
from assetdb.settings.checking import CheckConfiguration
from assetdb.settings.configuration import read_configuration
from assetdb.settings.project import CONFIGURATION_NAME, META, asset_file, asset_prefix
from assetdb.system.reading import read_small
from assetdb.unity.kinds import is_imported
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from assetdb.checks.findings.finding import Finding
    from assetdb.diagnostics import Diagnostic

_OF_BASELINE: Final = ".json"


class Selection(NamedTuple):
    """The selected codes and paths, by default all that are on.

    Attributes:
        paths: files, folders (with all that is in them) or patterns as in a ``.gitignore``, relative to the project;
            none: everything.
        select: the wanted codes; none: those whose severity is not off. A code that is off becomes a warning if
            selected by name.
        ignore: codes that are not.
        per_path_ignores: patterns with the codes ignored there.
        severities: by code ``error``, ``warning``, ``note`` or ``off``, overriding the code's own.
    """

    paths: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_path_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    severities: Mapping[str, str] = {}

    def severity(self, code: str) -> str:
        """Return a code's severity, configured or its own; not off if selected."""
        configured = self.severities.get(code, CODES[code].severity)
        return WARNING if configured == OFF and (code in self.select or ALL in self.select) else configured

    def codes(self) -> tuple[str, ...]:
        """Return the codes to look for, by name."""
        wanted = self.select if self.select and ALL not in self.select else tuple(CODES)
        ignored = frozenset(self.ignore)
        if ALL in ignored:
            return ()
        return tuple(sorted({code for code in wanted if code not in ignored and self.severity(code) != OFF}))

    def chosen(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings that are wanted, each with its severity.

        Raises:
            UsageError: a pattern is invalid.
        """
        severities = {code: self.severity(code) for code in self.codes()}
        inside = within(self.paths)
        rules = [(_matcher([pattern]), frozenset(codes)) for pattern, codes in self.per_path_ignores]
        for finding in findings:
            severity = severities.get(finding.code)
            if severity is None or not inside(finding.path):
                continue
            if any((finding.code in codes or ALL in codes) and matches(finding.path) for matches, codes in rules):
                continue
            if finding.severity != severity:
                weighed = self.weighed(finding.code, finding.severity)
                finding = finding._replace(severity=weighed)  # noqa: PLW2901 - the same one, weighed
            yield finding

    def weighed(self, code: str, severity: str) -> str:
        """Return the severity of a finding that has one by itself."""
        # Milder than its code because something is unknown, unless the severity is configured.
        return severity if severity in (WARNING, NOTE) and code not in self.severities else self.severity(code)


def selection_of(
    root: str, paths: tuple[str, ...] = (), select: tuple[str, ...] = (), ignore: tuple[str, ...] = ()
) -> Selection:
    """Return the selection of a project's settings and some arguments.

    Raises:
        ConfigurationError: ``assetdb.toml`` is wrong.
    """
    return configured(read_configuration(root).check or CheckConfiguration(), paths, select, ignore)


def configured(
    configuration: CheckConfiguration, paths: tuple[str, ...], select: tuple[str, ...], ignore: tuple[str, ...]
) -> Selection:
    """Return the selection of a project; the command line takes precedence."""
    kept = tuple(code for code in configuration.ignore if code not in select)
    return Selection(
        paths,
        select or configuration.select,
        (*kept, *ignore),
        configuration.per_path_ignores,
        dict(configuration.severity),
    )


def severity_of(item: Diagnostic) -> str:
    """Return the severity of a diagnostic, before any configured one."""
    is_milder = item.code == MISSING and not may_be_meant(item.path)
    return WARNING if is_milder else CODES[item.code].severity


def is_of_assetdb(root: str, item: Diagnostic) -> bool:
    """Whether a file without a meta is a package's settings or baseline.

    They lie beside ``package.json``, where Unity looks for assets; in a project they lie beside ``Assets``.
    """
    if item.code != MISSING or not item.path.endswith((CONFIGURATION_NAME, _OF_BASELINE)):
        return False
    prefix = asset_prefix(root)
    name = item.path.removeprefix(prefix)
    if not prefix or f"{prefix}{name}" != item.path or "/" in name:
        return False
    if not name.endswith(_OF_BASELINE):
        return name == CONFIGURATION_NAME
    from assetdb.checks.findings.baseline import LARGEST, decode  # noqa: PLC0415 - few packages have one

    try:
        decode(read_small(asset_file(root, item.path), LARGEST), name)
    except (FileError, OSError):
        return False
    return True


def may_be_meant(path: str) -> bool:
    """Whether other assets may refer to a path.

    Not to a folder (``Art/``), nor to a file without an importer.

    69 of 70 paths without a meta in unity-explorer are Rust sources, their manifests and folders.
    """
    return is_imported(os.path.splitext(path)[1].removeprefix(".").lower())


def within(paths: Sequence[str]) -> Callable[[str], bool]:
    """Return a predicate for given paths, their contents, and patterns.

    Raises:
        UsageError: a pattern is invalid.
    """
    if not paths or "" in paths or "." in paths:
        return lambda _path: True
    plain = tuple(path.rstrip("/") for path in paths if not is_pattern(path))
    folders = tuple(path + "/" for path in plain)
    exact = frozenset(plain) | {path + META for path in plain}
    patterns = [path for path in paths if is_pattern(path)]
    fits = _matcher([f"/{pattern}" if "/" in pattern else pattern for pattern in patterns]) if patterns else None

    def inside(path: str) -> bool:
        return path in exact or path.startswith(folders) or (fits is not None and fits(path))

    return inside


def is_pattern(path: str) -> bool:
    """Whether a path has wildcards."""
    return any(character in path for character in "*?[")


def _matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    from assetdb_formats.globs import path_matcher  # noqa: PLC0415 - only a check of some paths pays for it

    try:
        return path_matcher(patterns)
    except ValueError as error:
        raise UsageError(f"{patterns[0]!r} is not a valid pattern: {error}") from error
