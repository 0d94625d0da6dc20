"""Members of a script that assets use, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from assetdb.checks.counting import counted

if TYPE_CHECKING:
    from assetdb.lsp.documents.script_names import ScriptName
    from assetdb.lsp.workers import Lane


class _Method(msgspec.Struct):
    name: str
    calls: int
    first: str


class _Field(msgspec.Struct):
    type: str
    name: str
    prefabs: int
    scenes: int
    others: int


class _Answer(msgspec.Struct):
    methods: list[_Method] = []
    fields: list[_Field] = []


_DECODER: Final = msgspec.json.Decoder(_Answer)


class Words(NamedTuple):
    """Words on methods by name, on fields by type and name."""

    methods: dict[str, str]
    fields: dict[tuple[str, str], str]

    def of(self, name: ScriptName, kind: str = "") -> str:
        """Return the words on a name in C#, or ``""``.

        Where it is not the declaration in the type ``kind``, fields of several types may be meant.
        """
        if name.method:
            return self.methods.get(name.method, "")
        if kind:
            return self.fields.get((kind, name.field), "")
        found = {each: words for (each, field), words in self.fields.items() if field == name.field}
        return "; ".join(words if len(found) == 1 else f"{each}: {words}" for each, words in found.items())


def words_of(lane: Lane, guid: str) -> Words:
    """Return words on a script's members; raises AssetdbError or OSError."""
    answer = _DECODER.decode(lane.engine.ask("members", {"query": guid}))
    return Words(
        {row.name: f"called by {counted(row.calls, 'event')}: {_first(row)}" for row in answer.methods},
        {(row.type, row.name): f"set in {_files(row)}" for row in answer.fields},
    )


def _first(row: _Method) -> str:
    return row.first if row.calls == 1 else f"{row.first} and {row.calls - 1:,} more"


def _files(row: _Field) -> str:
    kinds = (row.prefabs, "prefab"), (row.scenes, "scene"), (row.others, "asset")
    return ", ".join(counted(number, kind) for number, kind in kinds if number)
