"""Hover on GUIDs, fileIDs, references and document headers; names as inlay hints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.diagnostics.codes import CODES
from assetdb.lsp.documents.event_calls import event_call_at
from assetdb.lsp.documents.line_references import YAML, LineReference, first_references, reference_at
from assetdb.lsp.documents.outline import document_at
from assetdb.lsp.documents.script_names import EXTENSION, name_at
from assetdb.lsp.features.scripts.declarations import declared_by
from assetdb.lsp.features.scripts.members import words_of
from assetdb.lsp.features.usages import guid_of, title_of_usages
from assetdb.lsp.protocol.registry import FORM, PROJECT, feature
from assetdb.lsp.protocol.structures import Hover, InlayHint, Markup, OfPosition, OfRange
from assetdb.lsp.protocol.uris import uri_of
from assetdb.lsp.workers import QUICK
from assetdb.resolve.resolver import Name
from assetdb.system.reading import read_head
from assetdb.unity.engine.classes import class_name
from assetdb.unity.kinds import HEAD_BYTES, is_lfs_pointer
from assetdb.unity.scripts.member_places import member_places

if TYPE_CHECKING:
    from assetdb.lsp.documents.event_calls import EventCall
    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.protocol.structures import Position, Range

_IMAGES: Final = (".png", ".jpg", ".jpeg", ".gif", ".bmp")
_LARGEST_IMAGE: Final = 4 << 20  # bytes that an editor is to load for a hover
_MARKDOWN_SIGNS: Final = "\\`*_[]<>|~"
_LONGEST_HINT: Final = 43  # characters of a hint that VS Code shows, cutting the end
_BETWEEN: Final = " / "
_LEFT_OUT: Final = "..."
_MOST: Final = 5000  # hints of one answer: a screen has a hundred lines, and a sprite atlas 76,000 references


@feature("textDocument/hover", OfPosition, QUICK, PROJECT)
def hover(params: OfPosition, context: RequestContext) -> Hover | None:
    """Return name, type, path and picture at a position."""
    document = context.document
    offset = document.offset(params.position)
    if document.extension == EXTENSION:
        return _in_script(context, offset)
    call = event_call_at(document, offset) if document.form == YAML else None
    if call is not None:
        return _of_call(context, call)
    found = reference_at(document.text, offset, document.form)
    if found is None:
        return _object(context, offset)
    name = context.lane.names.name(document.text, found)
    if name is None:
        return None
    return _shown(context, name, document.range(found.start, found.end))


def _in_script(context: RequestContext, offset: int) -> Hover | None:
    """Return the uses of a class, field or method in C#."""
    document = context.document
    name = name_at(document, offset)
    guid = guid_of(document) if name is not None else ""
    if name is None or not guid:
        return None
    if any(name):
        line = document.text.line_at(offset) + 1
        declared = (each for each in member_places(document.text.data) if (each.name, each.line) == (name.field, line))
        said = words_of(context.lane, guid).of(name, next((each.type for each in declared), ""))
    else:
        said = title_of_usages(context.lane.engine, guid)
    if not said:
        return None
    markdown = context.client.markdown
    return Hover(Markup("markdown" if markdown else "plaintext", _escaped(said) if markdown else said))


def _of_call(context: RequestContext, call: EventCall) -> Hover | None:
    """Return target, class and file of a call of an event."""
    document = context.document
    markdown = context.client.markdown
    declared = declared_by(context, call)
    kind = declared.type if declared is not None else call.type.rpartition(".")[2]
    lines = [".".join(filter(None, (kind, "" if call.is_type else call.method)))]
    if markdown:
        lines = [f"**{_escaped(lines[0])}**"]
    if call.file_id:
        target = LineReference(call.start, call.end, call.guid, call.file_id, override=False)
        name = context.lane.names.name(document.text, target)
        if name is not None and name.name:
            lines.append(f"of {_escaped(name.name) if markdown else name.name}")
    if declared is not None:
        path = f"{declared.path}:{declared.place.start.line + 1}" if declared.is_found else declared.path
        link = f"{declared.uri}#L{declared.place.start.line + 1}".replace("(", "%28").replace(")", "%29")
        lines.append(f"[{_escaped(path)}]({link})" if markdown else path)
    text = "\n\n".join(lines) if markdown else "\n".join(lines)
    return Hover(Markup("markdown" if markdown else "plaintext", text), document.range(call.start, call.end))


def _object(context: RequestContext, offset: int) -> Hover | None:
    """Return the object of a ``---`` line."""
    document = context.document
    found = document_at(document.text, offset)
    if found is None or offset > found.start:
        return None
    names = context.lane.names
    label = names.resolver.local_name(names.own(document.text), found.file_id)
    kind = class_name(found.class_id) or str(found.class_id)
    name = Name("", found.file_id, label or kind, "", "", "")
    return _shown(context, name, document.range(found.head, found.start))


def _shown(context: RequestContext, name: Name, place: Range) -> Hover:
    markdown = context.client.markdown
    location = context.lane.names.locate(name.guid) if name.guid and not name.guid.startswith("0" * 16) else None
    lines = []
    title = name.name.strip()  # of an object without a name it is ` (Material)`, which would not be bold
    if title:
        lines.append(f"**{_escaped(title)}**" if markdown else title)
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
        if not file.lower().endswith(_IMAGES) or os.stat(file).st_size > _LARGEST_IMAGE:
            return False
    except OSError:
        return False
    head = read_head(file, HEAD_BYTES)
    return head is not None and not is_lfs_pointer(head)


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
    shown = context.lane.names.shown(document.text, found)
    return [_hint(document.position(reference.end), name) for reference, name in shown]


def _hint(place: Position, name: str) -> InlayHint:
    label = shortened(name)
    return InlayHint(place, label, "" if label == name else name, padding_left=True)


def shortened(name: str) -> str:
    """Return the end of a long name: the object and its type."""
    if len(name) <= _LONGEST_HINT:
        return name
    parts = name.split(_BETWEEN)
    while len(parts) > 1 and len(_BETWEEN.join((_LEFT_OUT, *parts))) > _LONGEST_HINT:
        del parts[0]
    end = _BETWEEN.join((_LEFT_OUT, *parts))
    return end if len(end) <= _LONGEST_HINT else _LEFT_OUT + name[len(_LEFT_OUT) - _LONGEST_HINT :]
