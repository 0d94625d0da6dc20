"""Prompts: requests that a person chooses in a client, ready to send."""

from __future__ import annotations

from assetdb.mcp.protocol import INVALID_PARAMS, McpError
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

_LONGEST: Final = 4000
_SHOWN: Final = 100


class Prompt(NamedTuple):
    """A prompt with one argument.

    Attributes:
        name: of the prompt.
        summary: for the client's list.
        argument: its name.
        help: for the argument.
        default: of the argument, ``""`` where it must be given.
        text: sent to the model, with ``{}`` for the argument.
    """

    name: str
    summary: str
    argument: str
    help: str
    default: str
    text: str


PROMPTS: Final = (
    Prompt(
        "review-change",
        "Review my change of the Unity project",
        "since",
        "the git revision that it began at: HEAD, main...",
        "HEAD",
        "Review my change of this Unity project since {}. 1. Call check with that revision as since: every error it"
        " lists is to be fixed before the change is committed. 2. Call diff with it as revisions: tell what changed by"
        " object, which scenes and prefabs it reaches, and which references lead to nothing now. 3. For an asset that"
        " was removed or moved, call usages. Say what is sound, what is broken and where (path, object, property), and"
        " what you could not judge because files could not be read.",
    ),
    Prompt(
        "may-delete",
        "May this asset be deleted?",
        "asset",
        "its path, name or GUID",
        "",
        "May {} be deleted from this Unity project? 1. Call usages with it as query and objects: each row would break."
        " 2. Call usages with why: whether a build reaches it, and from which root. 3. If it is a C# script, call"
        " usages with method *. Scripts may also load it by its name or address (Resources.Load, Addressables): search"
        " the C# files for these. Answer yes or no first, then what would break and where, and what could not be read."
        " Delete nothing.",
    ),
)
"""All prompts, by the order of the list."""


def declared() -> list[dict[str, Any]]:
    """Return the prompts for ``prompts/list``."""
    return [
        {
            "name": prompt.name,
            "description": prompt.summary,
            "arguments": [{"name": prompt.argument, "description": prompt.help, "required": not prompt.default}],
        }
        for prompt in PROMPTS
    ]


def filled(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of ``prompts/get``; raise McpError for wrong parameters."""
    name, given = params.get("name"), params.get("arguments") or {}
    prompt = next((each for each in PROMPTS if each.name == name), None)
    if prompt is None:
        shown = repr(name[:_SHOWN]) if isinstance(name, str) else "of that name"
        raise McpError(INVALID_PARAMS, f"no prompt {shown}; there are {', '.join(each.name for each in PROMPTS)}")
    value = given.get(prompt.argument, prompt.default) if isinstance(given, dict) else None
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST:
        raise McpError(INVALID_PARAMS, f"{prompt.name} takes {prompt.argument}, {prompt.help}: a text")
    message = {"role": "user", "content": {"type": "text", "text": prompt.text.format(value)}}
    return {"description": prompt.summary, "messages": [message]}
