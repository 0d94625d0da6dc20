"""The facts of a build report by the names of Unity's enumerations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb_formats.unityfs.build_report import BuildReport

TICKS: Final = 10_000_000
"""Ticks of a second."""
_RESULTS: Final = ("unknown", "succeeded", "failed", "cancelled")
_KINDS: Final = {1: "player", 2: "AssetBundles"}
_MESSAGES: Final = ("error", "assertion", "warning", "log", "exception")
_LAST_DATE: Final = 3_155_378_975_999_999_999  # ticks at the end of the year 9999
_PLAYER_OPTIONS: Final = {  # bits of UnityEditor.BuildOptions
    0: "Development",
    2: "AutoRunPlayer",
    3: "ShowBuiltPlayer",
    4: "BuildAdditionalStreamedScenes",
    5: "AcceptExternalModificationsToPlayer",
    6: "InstallInBuildFolder",
    7: "CleanBuildCache",
    8: "ConnectWithProfiler",
    9: "AllowDebugging",
    10: "SymlinkSources",
    11: "UncompressedAssetBundle",
    12: "ConnectToHost",
    13: "CustomConnectionID",
    14: "EnableHeadlessMode",
    15: "BuildScriptsOnly",
    16: "PatchPackage",
    17: "ForceEnableAssertions",
    18: "CompressWithLz4",
    19: "CompressWithLz4HC",
    20: "ComputeCRC",
    21: "StrictMode",
    22: "IncludeTestAssemblies",
    23: "NoUniqueIdentifier",
    25: "WaitForPlayerConnection",
    26: "EnableCodeCoverage",
    28: "EnableDeepProfilingSupport",
    29: "DetailedBuildReport",
}
_BUNDLE_OPTIONS: Final = {  # bits of UnityEditor.BuildAssetBundleOptions
    0: "UncompressedAssetBundle",
    1: "CollectDependencies",
    2: "CompleteAssets",
    3: "DisableWriteTypeTree",
    4: "DeterministicAssetBundle",
    5: "ForceRebuildAssetBundle",
    6: "IgnoreTypeTreeChanges",
    7: "AppendHashToAssetBundleName",
    8: "ChunkBasedCompression",
    9: "StrictMode",
    10: "DryRunBuild",
    12: "DisableLoadAssetByFileName",
    13: "DisableLoadAssetByFileNameWithExtension",
    15: "AssetBundleStripUnityVersion",
}


class Described(NamedTuple):
    """A report's facts with names instead of numbers; times in seconds.

    ``started`` is in ISO 8601, without a time zone, since a report names none; ``""`` if it is not known.
    """

    path: str
    kind: str
    result: str
    platform: str
    unity_version: str
    guid: str
    started: str
    seconds: float
    options: tuple[str, ...]
    output: str
    size: int
    errors: int
    warnings: int
    steps: tuple[dict[str, Any], ...]
    messages: tuple[dict[str, str], ...]
    kept: tuple[dict[str, Any], ...]


def described(path: str, report: BuildReport) -> Described:
    """Return the facts of a report."""
    return Described(
        path=path,
        kind=_KINDS.get(report.kind, f"kind {report.kind}"),
        result=_RESULTS[report.result] if 0 <= report.result < len(_RESULTS) else f"result {report.result}",
        platform=report.platform,
        unity_version=report.unity_version,
        guid=report.guid,
        started=_date(report.started),
        seconds=report.duration / TICKS,
        options=(*_names(report.options, _PLAYER_OPTIONS), *_names(report.bundle_options, _BUNDLE_OPTIONS)),
        output=report.output,
        size=report.size,
        errors=report.errors,
        warnings=report.warnings,
        steps=tuple({"name": step.name, "depth": step.depth, "seconds": step.ticks / TICKS} for step in report.steps),
        messages=tuple(
            {"kind": _message_kind(message.kind), "step": step.name, "text": message.text}
            for step in report.steps
            for message in step.messages
        ),
        kept=tuple({"name": row.name, "reasons": list(row.reasons)} for row in report.kept),
    )


def _names(bits: int, names: dict[int, str]) -> Iterable[str]:
    return (names.get(bit, f"bit {bit}") for bit in range(32) if bits >> bit & 1)


def _message_kind(number: int) -> str:
    return _MESSAGES[number] if 0 <= number < len(_MESSAGES) else f"kind {number}"


def _date(ticks: int) -> str:
    if not 0 < ticks <= _LAST_DATE:
        return ""
    return (datetime(1, 1, 1, tzinfo=UTC) + timedelta(seconds=ticks // TICKS)).strftime("%Y-%m-%dT%H:%M:%S")
