"""The tools as clients see them: names, descriptions and parameters."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Final

TEXT: Final = "string"
TEXTS: Final = "array"
FLAG: Final = "boolean"
NUMBER: Final = "integer"


class Parameter(NamedTuple):
    """A parameter of a tool; ``kind`` is one of the constants above."""

    name: str
    kind: str
    help: str = ""
    required: bool = False


class Tool(NamedTuple):
    """A tool, named as the command; ``destroys`` files or replaces them."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    writes: bool = False
    destroys: bool = False


INSTRUCTIONS: Final = (
    "Facts about the Unity project in this folder, without the editor. An object is named by a path, a name, a GUID,"
    " GUID:fileID or 'Main.unity / Canvas / Popup (Image)'; all that is printed can be asked again. Never invent a"
    " GUID: use find or name. Before you delete or move, ask usages; before you are done, run check."
)
PLAIN_TEXT: Final = "text/plain"
DIAGNOSTICS: Final = "assetdb://diagnostics/"
"""The address of the resource of a code of ``check``, up to the code."""
INFO: Final = "assetdb://info"
"""The address of the resource that is the answer of the tool of that name."""
RESOURCES: Final = ({"uri": INFO, "name": "info", "description": "The project in 20 lines", "mimeType": PLAIN_TEXT},)
"""Resources with an address of their own."""
TEMPLATES: Final = (
    {
        "uriTemplate": f"{DIAGNOSTICS}{{code}}",
        "name": "diagnostics",
        "description": "Why a code of check matters and how to fix it",
        "mimeType": PLAIN_TEXT,
    },
)
"""Resources with a part to fill in."""
MOST_TOKENS: Final = 25_000
DEFAULT_TOKENS: Final = 4000
LEAST_TOKENS: Final = 200
CURSOR: Final = "cursor"
MAX_TOKENS: Final = "max_tokens"
CONFIRMATION: Final = "token"
_PAGED: Final = (Parameter(CURSOR, TEXT), Parameter(MAX_TOKENS, NUMBER))
_QUERY: Final = Parameter("query", TEXT, required=True)
_SIZES: Final = Parameter("sizes", FLAG, "with bytes of files")
_IMPORTED: Final = Parameter("imported", TEXT, "texture bytes on android, ios...")
_CLASSES: Final = Parameter("classes", TEXTS, "with these components")

READING: Final = (
    Tool("info", "The project in 20 lines."),
    Tool(
        "find",
        "Find assets by name, type or label, objects by component or value.",
        (
            Parameter("pattern", TEXT, "text in a name or path, or with * ? [abc]"),
            Parameter("types", TEXTS, "classes or scripts: Prefab, Health"),
            Parameter("labels", TEXTS),
            _SIZES,
            _IMPORTED,
            Parameter("inside", TEXT, "objects of this prefab or scene"),
            Parameter("component", TEXT, "objects with it: Camera, Health.cs"),
            Parameter("where", TEXT, "a value, of overrides too: m_MethodName=OnPlay"),
        ),
    ),
    Tool(
        "ls",
        "What a folder, prefab, scene or other asset holds: objects with components and fileIDs, nested prefabs"
        " opened. * overridden, + added, - removed.",
        (
            _QUERY,
            Parameter("depth", NUMBER, "only so many levels"),
            _CLASSES,
            Parameter("inside", TEXT, "only below this object: a fileID or 'Canvas / Popup'"),
            Parameter("nested", FLAG, "false: do not open nested prefabs"),
            Parameter("deep", FLAG, "all below a folder"),
            _IMPORTED,
        ),
    ),
    Tool(
        "get",
        "Values of one object as the Inspector shows them, and what overrides them.",
        (
            Parameter("query", TEXT, "'Main.unity / Canvas / Popup (Image)', GUID:fileID", required=True),
            Parameter("overrides", FLAG, "only overridden values, with the chain"),
        ),
    ),
    Tool(
        "name",
        "What GUIDs and fileIDs mean: name, type, path.",
        (Parameter("queries", TEXTS, "GUID, GUID:fileID, {fileID: 1, guid: ...}, path", required=True),),
    ),
    Tool(
        "usages",
        "What refers to an asset, object or folder: what breaks when it goes.",
        (
            _QUERY,
            Parameter("objects", FLAG, "also object, property and line"),
            Parameter("deep", FLAG, "also indirectly"),
            _SIZES,
            Parameter("why", FLAG, "why a build has it: the chain from a root"),
            Parameter("field", TEXT, "of a C# script: values that assets store"),
            Parameter("method", TEXT, "of a C# script: events and animations that call it; * any"),
        ),
    ),
    Tool(
        "deps",
        "What an asset or folder refers to.",
        (
            _QUERY,
            Parameter("deep", FLAG, "also indirectly"),
            _SIZES,
            Parameter("to", TEXT, "the chain to this asset"),
        ),
    ),
    Tool(
        "check",
        "What is broken: errors first, findings of one cause in a file as one row.",
        (
            Parameter("paths", TEXTS, "files, folders, patterns"),
            Parameter("select", TEXTS, "only these codes"),
            Parameter("ignore", TEXTS, "not these"),
            Parameter("since", TEXT, "only what came since a git revision: HEAD, main..."),
            Parameter("every", FLAG, "each finding"),
        ),
    ),
    Tool(
        "unused",
        "Assets that no build root reaches.",
        (
            Parameter("roots", TEXTS, "paths or patterns to keep"),
            Parameter("incomplete", FLAG, "although files could not be read"),
            _SIZES,
        ),
    ),
    Tool(
        "trace",
        "Follow assets into a build (player, bundles), and built objects back.",
        (
            Parameter("builds", TEXTS, "its paths", required=True),
            Parameter("queries", TEXTS, "assets, or FILE#PATHID, bundles, addresses"),
            Parameter("lists", TEXTS, "missing, unshipped, implicit, duplicates, mixed"),
        ),
    ),
    Tool(
        "groups",
        "What Addressables groups would put in which bundle.",
        (
            Parameter("names", TEXTS, "only these groups"),
            Parameter("duplicates", FLAG, "in several bundles"),
            Parameter("entries", FLAG, "assets with an entry"),
            Parameter("profile", TEXT),
        ),
    ),
    Tool(
        "diff",
        "What changed by object, and what reaches it.",
        (
            Parameter("revisions", TEXT, "A..B, A...B from the fork, or A against the files (HEAD)"),
            Parameter("paths", TEXTS, "files, folders"),
        ),
    ),
    Tool(
        "history",
        "An asset's life in git, also of a deleted one: when, by whom.",
        (_QUERY, Parameter("every", FLAG, "also commits that only changed it")),
    ),
    Tool("rule", "Why a code of check matters and how to fix it.", (Parameter("codes", TEXTS, required=True),)),
)
"""Tools that change nothing."""

_TOKEN: Final = Parameter(CONFIRMATION, TEXT, "of the dry run, to do it")
_PATHS: Final = Parameter("paths", TEXTS, required=True)
_FIRST: Final = " Dry run first."

WRITING: Final = (
    Tool(
        "register",
        "Write missing metas, with the GUIDs that git or references know." + _FIRST,
        (_PATHS, Parameter("new_guid", FLAG, "new GUIDs in any case"), _TOKEN),
        writes=True,
    ),
    Tool(
        "mv",
        "Move or rename assets with their metas." + _FIRST,
        (
            Parameter("sources", TEXTS, required=True),
            Parameter("target", TEXT, "a folder or the new path", required=True),
            _TOKEN,
        ),
        writes=True,
    ),
    Tool(
        "rm",
        "Remove assets with their metas, unless others refer to them." + _FIRST,
        (_PATHS, Parameter("force", FLAG, "although others refer to them"), _TOKEN),
        writes=True,
        destroys=True,
    ),
    Tool(
        "fix",
        "Fix findings of check that can be fixed without loss." + _FIRST,
        (Parameter("paths", TEXTS), Parameter("select", TEXTS, "only these codes"), _TOKEN),
        writes=True,
        destroys=True,
    ),
    Tool(
        "resolve",
        "Values that a git merge left open; with take, their answers." + _FIRST,
        (
            Parameter("paths", TEXTS),
            Parameter(
                "take", TEXTS, "'ours PATTERN' (theirs, base, both) of names or numbers, or '=VALUE 2'; first match"
            ),
            _TOKEN,
        ),
        writes=True,
        destroys=True,
    ),
)
"""Tools that change files, once they are allowed."""


OUTPUT: Final = {
    "type": "object",
    "properties": {
        "summary": {"type": TEXT},
        "rows": {"type": TEXTS, "items": {"type": TEXT}},
        "first": {"type": NUMBER},
        "total": {"type": NUMBER},
        "cursor": {"type": TEXT},
    },
    "required": ["summary", "rows", "total"],
}
"""The schema of every answer's structured content: the page as fields, with the number of its first row."""


def parameters_of(tool: Tool) -> tuple[Parameter, ...]:
    """Return all parameters of a tool, with the ones of every tool."""
    return (*tool.parameters, *_PAGED)


def declaration(tool: Tool) -> dict[str, Any]:
    """Return a tool for ``tools/list``."""
    parameters = parameters_of(tool)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: _schema(parameter) for parameter in parameters},
    }
    required = [parameter.name for parameter in parameters if parameter.required]
    if required:
        schema["required"] = required
    hints = {"readOnlyHint": not tool.writes}
    if tool.writes:
        hints["destructiveHint"] = tool.destroys
    return {
        "name": tool.name,
        "description": tool.summary,
        "inputSchema": schema,
        "outputSchema": OUTPUT,
        "annotations": {**hints, "openWorldHint": False},
    }


def _schema(parameter: Parameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": parameter.kind}
    if parameter.kind == TEXTS:
        schema["items"] = {"type": TEXT}
    if parameter.help:
        schema["description"] = parameter.help
    return schema
