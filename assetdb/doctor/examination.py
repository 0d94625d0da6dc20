"""The whole examination, in the order in which it is shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.client.control import ask_status
from assetdb.doctor.item import ERROR, OK, WARNING, Item
from assetdb.doctor.project import examine_project
from assetdb.doctor.surroundings import examine_editors, examine_git, examine_installation, examine_speed
from assetdb.errors import AssetdbError, ConfigurationError, ProjectError
from assetdb.settings.effective import read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.settings.effective import Settings

_START: Final = "run `assetdb watch --detach`"


def examine(project: str | None, out_dir: str | None = None, home: str = "") -> Iterator[Item]:
    """Yield the lines of an examination, which writes nothing.

    ``home`` is the folder of the user whose editors are looked at, by default this one's.
    """
    yield from examine_installation()
    own = home or os.path.expanduser("~")
    try:
        settings = read_settings(project, out_dir)
    except ProjectError as error:
        yield Item("project", ERROR, str(error), "run it in a project, or name one with --project")
        yield from examine_editors("", own)
        return
    except ConfigurationError as error:
        yield Item("settings", ERROR, str(error), "correct that file (docs/bake.md)")
        return
    parts: tuple[tuple[str, Callable[[], Iterator[Item]]], ...] = (
        ("project", lambda: examine_project(settings)),
        ("daemon", lambda: _daemon(settings)),
        ("git", lambda: examine_git(settings)),
        ("editors", lambda: examine_editors(settings.root, own)),
        ("speed", lambda: examine_speed(settings)),
    )
    for topic, part in parts:
        try:
            yield from part()
        except (AssetdbError, OSError) as error:  # the other parts are still examined
            yield Item(topic, ERROR, str(error), "correct that, and run it again")


def _daemon(settings: Settings) -> Iterator[Item]:
    state, answer = ask_status(settings.root, settings.folder)
    if not answer:
        if state.running:
            message = f"it does not answer: {state.problem or 'no reason is known'}"
            yield Item("daemon", ERROR, message, f"{_START}, which replaces it")
        elif state.problem:
            yield Item("daemon", WARNING, state.problem, f"{_START}; `assetdb log` shows what it did")
        else:
            yield Item("daemon", OK, f"none runs: questions read the files ({_START} for answers at once)")
        return
    watch = answer.get("watch")
    facts = watch if isinstance(watch, dict) else {}
    assets = answer.get("assets")
    known = f", {counted(assets, 'asset')}" if isinstance(assets, int) else ""
    process = f"process {answer.get('pid')}, version {answer.get('version')}{known}"
    yield Item("daemon", OK, f"{process}, watching with {facts.get('backend')}")
    if facts.get("problem"):
        yield Item("daemon", ERROR, str(facts["problem"]), "correct that; it tries again by itself")
    if facts.get("not_watched"):
        message = f"it scans all files every few seconds: {facts['not_watched']}"
        yield Item("speed", WARNING, message, "raise that limit; it tries again every 30 seconds")
