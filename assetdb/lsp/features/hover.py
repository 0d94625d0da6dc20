"""Hover on GUIDs, fileIDs, references and document headers; names as inlay hints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.diagnostics.codes import CODES
from assetdb.lsp.documents.line_references import first_references, reference_at
from assetdb.lsp.documents.outline import document_at
from assetdb.lsp.protocol.registry import FORM, PROJECT, feature
from assetdb.lsp.protocol.structures import Hover, InlayHint, Markup, OfPosition, OfRange
from assetdb.lsp.protocol.uris import uri_of
from assetdb.lsp.workers import QUICK
from assetdb.resolve.resolver import Name
from assetdb.unity.engine.classes import class_name

if TYPE_CHECKING:
    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.protocol.structures import Range

_IMAGES: Final = (".png", ".jpg", ".jpeg", ".gif", ".bmp")
_LARGEST_IMAGE: Final = 4 << 20  # bytes that an editor is to load for a hover
_MARKDOWN_SIGNS: Final = "\\`*_[]<>|~"
_MOST: Final = 5000  # hints of one answer: a screen has a hundred lines, and a sprite atlas 76,000 references


@feature("textDocument/hover", OfPosition, QUICK, PROJECT, FORM)
def hover(params: OfPosition, context: RequestContext) -> Hover | None:
    """Return name, type, path and picture at a position."""
    document = context.document
    offset = document.offset(params.position)
    found = reference_at(document.text, offset, document.form)
    if found is None:
        return _object(context, offset)
    name = context.lane.names.name(document.text, found)
    if name is None:
        return None
    return _shown(context, name, document.range(found.start, found.end))


def _object(context: RequestContext, offset: int) -> Hover | None:
    """Return the object of a ``---`` line."""
    document = context.document
    found = document_at(document.text, offset)
    if found is None or offset > found.start:
        return None
    names = context.lane.names
    label = names.resolver.local_name(names.own(document.text), found.file_id)
    kind = class_name(found.class_id) or str(found.class_id)
    name = Name("", found.file_id, label or kind, "", "" if label else kind, "")
    return _shown(context, name, document.range(found.head, found.start))


def _shown(context: RequestContext, name: Name, place: Range) -> Hover:
    markdown = context.client.markdown
    location = context.lane.names.locate(name.guid) if name.guid and not name.guid.startswith("0" * 16) else None
    lines = []
    if name.name:
        lines.append(f"**{_escaped(name.name)}**" if markdown else name.name)
    else:
        code = CODES.get(name.reason)
        meaning = f"{code.meaning}; {code.advice}" if code is not None else name.reason
        lines.append(f"**{name.reason}**: {_escaped(meaning)}" if markdown else f"{name.reason}: {meaning}")
    if name.type and not name.name.endswith(f"({name.type})"):
        lines.append(_escaped(name.type) if markdown else name.type)
    if name.path:
        if markdown and location is not None and location.file:
            lines.append(f"[{_escaped(name.path)}]({_target(location.file)})")
        else:
            lines.append(_escaped(name.path) if markdown else name.path)
    ids = [f"guid {name.guid}"] if name.guid else []
    ids += [f"fileID {name.file_id}"] if name.file_id is not None else []
    if ids:
        lines.append(f"`{', '.join(ids)}`" if markdown else ", ".join(ids))
    if location is not None and _is_picture(location.file):
        lines.append(f"![thumbnail]({_target(location.file)})" if markdown else location.file)
    text = "\n\n".join(lines) if markdown else "\n".join(lines)
    return Hover(Markup("markdown" if markdown else "plaintext", text), place)


def _is_picture(file: str) -> bool:
    try:
        return file.lower().endswith(_IMAGES) and os.stat(file).st_size <= _LARGEST_IMAGE
    except OSError:
        return False


def _target(file: str) -> str:
    """Return the target of a Markdown link.

    A parenthesis that is not closed, as in ``smile :).png``, would end it.
    """
    return uri_of(file).replace("(", "%28").replace(")", "%29")


def _escaped(text: str) -> str:
    """Return text escaped for Markdown.

    Names are untrusted, and some have underscores and brackets.
    """
    return "".join(f"\\{sign}" if sign in _MARKDOWN_SIGNS else sign for sign in text.replace("\n", " "))


@feature("textDocument/inlayHint", OfRange, QUICK, PROJECT, FORM)
def inlay_hints(params: OfRange, context: RequestContext) -> list[InlayHint]:
    """Return the names of the references in a range."""
    document = context.document
    lines = params.range.start.line, params.range.end.line
    found = first_references(document.text, *lines, document.form, _MOST)
    return [
        InlayHint(document.position(reference.end), name, padding_left=True)
        for reference, name in context.lane.names.shown(document.text, found)
    ]
