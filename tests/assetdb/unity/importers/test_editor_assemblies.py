"""Scripts of the editor's own DLLs, by the ids that projects refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.unity.importers.editor_assemblies import ASSEMBLIES, types_of
from assetdb.unity.importers.managed_dll import script_file_id

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.corpus("unity/FPSSample")
def test_every_object_of_the_timeline_that_a_project_refers_to_has_a_name(corpus: Path) -> None:
    guid = "6a10b2909283487f913b00d94cd3faf5"
    known = {script_file_id(namespace, name) for namespace, name in types_of(ASSEMBLIES[guid])}
    found = set()
    for path in (corpus / "unity/FPSSample/Assets").rglob("*.playable"):
        for part in path.read_text("utf-8", "replace").split("{fileID: ")[1:]:
            if f"guid: {guid}" in part.split("}")[0]:
                found.add(int(part.split(",")[0]))
    assert len(found) == 6
    assert found <= known
