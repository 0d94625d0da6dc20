"""Facts of all C# files, to tell whether edits changed any.

After a comment in one of unity-explorer's 5,023 scripts the rules that look at scripts gave what they had given, which
took twice as long as an unchanged check.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.memo.contents import ABSENT, LARGEST
from assetdb.memo.facts import MARKS_OF_SCRIPTS, encoded, is_text
from assetdb.memo.file import columns, split_columns, strings_of, texts
from assetdb.memo.inputs import CONTENT, EXTRACTION, FACTS, IDENTITY, TREE
from assetdb.scan.content_id import digest_state
from assetdb.scan.directory import SLASH
from assetdb.system.identity import PACKED_RACY, RACY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from assetdb.memo.facts import Extraction
    from assetdb.memo.inputs import Input, Inputs, Value
    from assetdb.memo.tree import Tree

_SCRIPT: Final = ".cs"
_SIZE: Final = len(PACKED_RACY)  # bytes of an identity
_DIGEST: Final = 16  # bytes of the digest of a file's facts
_MOST: Final = 20
"""Number of edited files from which all answers are better compared by themselves."""
_MOST_SCRIPTS: Final = 100_000
_OPAQUE: Final = 255
"""The mask of a file that is used in other ways, or may change unnoticed."""


def _marks() -> Extraction[Any]:
    from assetdb.memo.marks import MARKS  # noqa: PLC0415 - where nothing changed it is not needed

    return MARKS


def _declarations() -> Extraction[Any]:
    from assetdb.checks.lineage import SOURCE  # noqa: PLC0415 - the same

    return SOURCE


def _added() -> Extraction[Any]:
    from assetdb.checks.rules.content.clips import ADDED  # noqa: PLC0415 - the same

    return ADDED


def _methods() -> Extraction[Any]:
    from assetdb.checks.rules.content.clips import METHODS_OF_SCRIPTS  # noqa: PLC0415 - the same

    return METHODS_OF_SCRIPTS


EXTRACTIONS: Final[dict[str, Callable[[], Extraction[Any]]]] = {
    MARKS_OF_SCRIPTS: _marks,
    "declarations of C#": _declarations,
    "components that C# adds": _added,
    "names of methods in C#": _methods,
}
"""All extractions with ``is_compared``, by name; a row's mask has a bit for each."""
_MARKS: Final = 1
"""The bit of the first."""


def packed_facts(inputs: Inputs, noted: Mapping[Input, Value]) -> bytes | None:
    """Return the facts of C# files that answers use, or None.

    Args:
        inputs: of the project.
        noted: all inputs of the answers.

    Returns:
        None if an edit of a C# file may change the answers in other ways.

    Raises:
        ValueError: the name of a file is not text.
    """
    tree = inputs.tree
    used = {name for kind, name in noted if kind == EXTRACTION}
    if tree is None or tree.is_racy or not used.issubset(EXTRACTIONS) or (TREE, "") in noted:
        return None
    known = [(1 << bit, make()) for bit, (name, make) in enumerate(EXTRACTIONS.items()) if name in used]
    if not all(inputs.facts.is_whole(extraction) for _, extraction in known):
        return None
    marked = frozenset(inputs.scripts if MARKS_OF_SCRIPTS in used else ())
    paths = marked.union(path for kind, path in noted if kind == FACTS)
    opaque = {path for kind, path in noted if kind in (CONTENT, IDENTITY) and path.endswith(_SCRIPT)}
    if len(paths) > _MOST_SCRIPTS:
        return None
    masks, digests = bytearray(), []
    rows = sorted(paths | opaque)
    for path in rows:
        content = inputs.content(path)[0]
        packed = ((bit, inputs.facts.packed(extraction, path, content)) for bit, extraction in known)
        facts = {bit: own for bit, own in packed if own is not None}
        # Of a file that was edited under the check, or that another check saw with other bytes, other facts are kept.
        is_sure = content not in (RACY, ABSENT) and noted.get((FACTS, path), content) == content
        is_sure = is_sure and bool(facts) and (path not in marked or _MARKS in facts)
        is_sure = is_sure and not any(inputs.facts.is_other(extraction, path, content) for _, extraction in known)
        masks.append(sum(facts) if is_sure and path not in opaque else _OPAQUE)
        digests.append(_digest(list(facts.values())))
    head = [tree.digest, tree.names, tree.identities]
    return columns([*head, texts(rows), bytes(masks), b"".join(digests)])


def are_same_facts(inputs: Inputs, packed: bytes, digest: Value) -> bool:
    """Whether only C# files changed, none of them in its facts.

    Args:
        inputs: of the project.
        packed: of :func:`packed_facts`.
        digest: of the tree since which they may have changed.
    """
    try:
        before, names, identities, paths, masks, digests = split_columns(packed)
        places = {path: place for place, path in enumerate(strings_of(paths))}
    except ValueError:
        return False
    tree = inputs.tree
    if tree is None or before.hex() != digest or names != tree.names or len(identities) != len(tree.identities):
        return False
    edited = []
    for path in _edited(tree, identities):
        edited.append(path)
        if len(edited) > _MOST or not path.endswith(_SCRIPT) or not is_text(path):
            return False
    makers = [(1 << bit, make) for bit, make in enumerate(EXTRACTIONS.values())]
    for path in edited:
        place = places.get(path)
        mask = masks[place : place + 1] if place is not None else b"\0"
        if not mask or mask[0] == _OPAQUE:
            return False
        if mask[0]:
            data = _read(inputs, path)
            if data is None:
                return False
            facts = [encoded(make().extract(data)) for bit, make in makers if bit & mask[0]]
            if place is None or _digest(facts) != digests[place * _DIGEST : (place + 1) * _DIGEST]:
                return False
    return True


def _read(inputs: Inputs, path: str) -> bytes | None:
    """Return the bytes of a file, None if absent or too large."""
    data = inputs.project.read(path)
    return data if data is not None and len(data) <= LARGEST else None


def _edited(tree: Tree, before: bytes) -> Iterator[str]:
    """Yield the files with other identities than before, or racy ones."""
    start = 0
    for path, directory in sorted(tree.listing.directories.items()):
        now = directory.identities
        if before[start : start + len(now)] != now or PACKED_RACY in now:
            for number, name in enumerate(directory.files.split(SLASH)):
                own = now[number * _SIZE : (number + 1) * _SIZE]
                if own in (PACKED_RACY, b"") or own != before[start + number * _SIZE : start + (number + 1) * _SIZE]:
                    yield os.fsdecode(path + SLASH + name)
        start += len(now)


def _digest(facts: list[bytes]) -> bytes:
    digest = digest_state(size=_DIGEST)
    for each in facts:
        digest.update(b"%d\0%b" % (len(each), each))
    return digest.digest()
