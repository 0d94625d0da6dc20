"""``assetdb build info`` and ``ls``."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from assetdb.builds.build import Build
from assetdb.builds.engines.detection import UNITY
from assetdb.builds.engines.rows import class_rows
from assetdb.builds.objects.selection import known_classes, select
from assetdb.builds.query.summary import ClassRow, Summary, summarize
from assetdb.builds.reports.described import described
from assetdb.builds.reports.identity import is_built_of
from assetdb.builds.reports.tying import reports_of
from assetdb.cli.build.columns import print_columns
from assetdb.cli.build.inventory import duplicates_text, list_items, say_unread, summary_facts, summary_rows
from assetdb.cli.build.opened import class_text, object_facts, opening, say_problems
from assetdb.cli.build.options import AnyEngineOptions, Builds, Classes, InFiles, Report  # noqa: TC001 - read at run time
from assetdb.cli.build.report import print_report, report_facts, say_unused
from assetdb.cli.terminal import not_found, plain, print_json, print_rows, table
from assetdb.errors import UsageError
from assetdb.settings.project import project_above

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.builds.build import BuildObject
    from assetdb.cli.options import Annotated, Option

_CLASSES: int = 12  # that `info` names
_BY_SHAPE = " (by the catalog's shape)"
_LISTED: int = 8  # scenes, missing files
_PLURALS: dict[str, str] = {
    "bundle": "bundles",
    "serialized file": "serialized files",
    "catalog": "catalogs",
    "build layout": "build layouts",
    "content layout": "content layouts",
    "content manifest": "content manifests",
    "other": "others",
}


def info(
    options: AnyEngineOptions,
    builds: Builds,
    quick: Annotated[
        bool, Option("--quick", help="From the tables alone, without streamed bytes and assemblies: five times faster.")
    ] = False,
    report: Report = None,
) -> int:
    """Show the facts of a build; 2 if it is damaged."""
    with opening(builds, options, contents=not quick) as build:
        if not isinstance(build, Build):
            if report is not None:
                raise UsageError("--report is for builds of Unity")
            if options.json:
                print_json(summary_facts(build))
            else:
                print(table(summary_rows(build, everything=options.verbose)))
                _print_classes(class_rows(build), everything=options.verbose)
            return say_unread(build, options)
        found = summarize(build)
        near = (project_above(place) for place in (os.path.join(os.getcwd(), "x"), *builds))
        project = next(filter(None, near), None)
        of_project = is_built_of(build, project) if project is not None else None
        reports = reports_of(build, builds, project or "", report or "")
        used = described(reports.used.path, reports.used.report) if reports.used is not None else None
        if options.json:
            facts = {**_facts(found), "project": plain(project or ""), "of_project": of_project}
            print_json({**facts, "report": used and report_facts(used)})
        else:
            rows = _rows(found, everything=options.verbose)
            if of_project is not None:
                answer = "this build is from it" if of_project else "this build is not from it"
                rows.append(("project", f"{project}: {answer} ({'equal' if of_project else 'other'} product GUID)"))
            print(table(rows))
            _print_classes(found.classes, everything=options.verbose)
            if used is not None:
                print_report(used, everything=options.verbose)
        return max(say_unused(reports, is_given=report is not None, quiet=options.quiet), say_problems(build))


def _print_classes(classes: tuple[ClassRow, ...], *, everything: bool) -> None:
    rows: list[tuple[object, ...]] = [("class", "objects", "bytes", "streamed")]
    shown = classes if everything else classes[:_CLASSES]
    rows += [(row.name, f"{row.objects:,}", f"{row.size:,}", f"{row.streamed:,}") for row in shown]
    rest = classes[len(shown) :]
    if rest:
        count, size, streamed = (sum(row[place] for row in rest) for place in (1, 2, 3))  # type: ignore[misc]
        rows.append((f"({len(rest)} more)", f"{count:,}", f"{size:,}", f"{streamed:,}"))
    if classes:
        print(f"\n{table(rows, right=frozenset((1, 2, 3)))}")


def ls(
    options: AnyEngineOptions,
    builds: Builds,
    classes: Classes = None,
    files: InFiles = None,
    columns: Annotated[
        str | None,
        Option(
            "--columns",
            metavar="NAMES",
            help="Facts of textures, meshes, sounds, shaders, fonts and clips instead, with commas between"
            " (width,height,format), or all.",
        ),
    ] = None,
) -> int:
    """List the objects of a build; 1 if there are none."""
    with opening(builds, options) as build:
        if not isinstance(build, Build):
            if columns is not None:
                raise UsageError("--columns is for builds of Unity")
            return list_items(build, options, classes or (), files or ())
        return _list(build, builds, options, classes, files, columns)


def _list(
    build: Build,
    builds: list[str],
    options: AnyEngineOptions,
    classes: list[str] | None,
    files: list[str] | None,
    columns: str | None,
) -> int:
    numbers = list(select(build, classes or (), files or ()))
    code = say_problems(build)
    if not numbers:
        if code and not classes:  # the files are there, and were not read
            return code
        word = (classes or files or [""])[0]
        known = known_classes(build) if classes else {file.name for file in build.files}
        return max(code, not_found(f"no object{f' of {word!r}' if word else ''} in {', '.join(builds)}", word, known))
    if columns is not None:
        return max(code, print_columns(build, numbers, columns, options))

    def cells(found: BuildObject) -> tuple[object, ...]:
        title = found.name or ("" if found.script else build.title(found.number))
        shown = title if found.name or not title else f"(of {title})"
        sizes = f"{found.size:,}", f"{found.streamed:,}" if found.streamed else ""
        row = (build.files[found.file].name, found.path_id, class_text(found), *sizes)
        return *row, shown, ", ".join(found.container)

    head = ("file", "PathID", "class", "bytes", "streamed", "name", "container")
    rows, facts = build.objects(numbers), partial(object_facts, build)
    print_rows(rows, facts, cells, as_json=options.json, head=head, right=frozenset((1, 3, 4)))
    return code


def _rows(found: Summary, *, everything: bool) -> list[tuple[str, str]]:
    trees, files = found.type_trees
    layouts = "all" if files and trees == files else "none" if not trees else f"{trees} of {files} files"
    rows = [
        ("build", ", ".join(found.paths)),
        ("product", found.product),
        ("build GUID", found.guid),
        ("product GUID", ", ".join(found.product_guids)),
        ("Unity", ", ".join(found.unity_versions) or ("stripped" if found.files else "")),
        ("platform", ", ".join(found.platforms)),
        ("scripting back end", found.back_end),
        (
            "packages",
            ", ".join(f"{row.name} {row.version}{'' if row.is_exact else _BY_SHAPE}" for row in found.versions),
        ),
        ("archives", ", ".join(f"{name} ({packed})" if packed else name for name, packed in found.packages)),
        (
            "parts",
            ", ".join(f"{count:,} {_PLURALS.get(kind, kind) if count > 1 else kind}" for kind, count in found.parts),
        ),
        ("serialized files", f"{found.files:,}"),
        ("not read in full", f"{found.unread_parts:,}" if found.unread_parts else ""),
        ("type trees", layouts if files else ""),
        ("compression", ", ".join(found.compressions)),
        ("objects", f"{found.objects:,}"),
        ("bytes on disk", f"{found.disk:,}" + (f", and {found.others:,} of code and others" if found.others else "")),
        ("bytes decoded", f"{found.decoded:,}" + (f", {found.streamed:,} of them streamed" if found.streamed else "")),
        ("assemblies", _listed((f"{name} ({count:,})" for name, count in found.assemblies), everything=everything)),
        ("without components", _listed(found.declared, everything=everything)),
        ("catalogs", ", ".join(found.catalogs)),
        ("build layouts", ", ".join(found.layouts)),
        ("missing references", f"{found.missing_references:,}" if found.missing_references else ""),
        ("duplicates", duplicates_text(*found.duplicates)),
    ]
    rows = [row for row in rows if row[1]]
    rows += [(f"scene {number}", path) for number, path in enumerate(_short(found.scenes, everything))]
    if len(found.scenes) > _LISTED and not everything:
        rows.append(("scenes", f"and {len(found.scenes) - _LISTED:,} more (-v lists them)"))
    rows += [("missing file", path) for path in _short(found.missing, everything)]
    if len(found.missing) > _LISTED and not everything:
        rows.append(("missing files", f"and {len(found.missing) - _LISTED:,} more (-v lists them)"))
    return rows


def _listed(names: Iterable[str], *, everything: bool) -> str:
    known = tuple(names)
    shown = _short(known, everything)
    rest = len(known) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more (-v lists them)" if rest else "")


def _short(items: tuple[Any, ...], everything: bool) -> tuple[Any, ...]:  # noqa: FBT001 - of the caller's options
    return items if everything else items[:_LISTED]


def _facts(found: Summary) -> dict[str, Any]:
    facts = found._asdict()
    facts["engine"] = UNITY
    facts["versions"] = [
        {**row._asdict(), "version": plain(row.version), "source": plain(row.source)} for row in found.versions
    ]
    facts["duplicates"] = {"objects": found.duplicates[0], "saved": found.duplicates[1]}
    facts["type_trees"] = {"files": found.type_trees[1], "with": found.type_trees[0]}
    facts["parts"] = dict(found.parts)
    facts["packages"] = [{"name": plain(name), "compression": packed} for name, packed in found.packages]
    facts["assemblies"] = {plain(name): count for name, count in found.assemblies}
    facts["classes"] = [row._asdict() for row in found.classes]
    for name in ("scenes", "missing", "catalogs", "layouts", "paths", "declared"):
        facts[name] = [*map(plain, facts[name])]
    facts["product"], facts["guid"] = plain(found.product), plain(found.guid)
    return facts
