"""The values of an object of a build, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.objects.scripts import Libraries
from assetdb.builds.parts.reading import open_part
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR
from assetdb_formats.unityfs.types.scripts import UnknownLayoutError

if TYPE_CHECKING:
    from assetdb.builds.build import Build
    from assetdb_formats.unityfs.serialized_files.tree_values import Value


def read_values(build: Build, number: int) -> Value:
    """Return an object as a dictionary of its fields.

    They are read by the file's type tree, else by the DLLs beside the player, else by what the release of Unity writes
    of a class (an extra).

    Raises:
        FormatError: its fields are unknown, or the file is damaged or has changed.
        OSError: the file cannot be read.
    """
    file = build.files[build.file_of(number)]
    part = build.parts[file.part]
    with open_part(part.input) as bundle:
        nodes = sorted(bundle.nodes)
        place = file.number - build.files_of_part(file.part)[0]
        loaded = bundle.file(nodes[place]) if place < len(nodes) and nodes[place].serialized else None
        if loaded is None or len(loaded.facts.objects) != file.facts.objects:
            raise UnityFSError("has changed since it was read", path=part.name)
        entry = loaded.facts.objects[number - file.first]
        if entry.class_id != MONO_BEHAVIOUR or loaded.facts.has_type_trees:
            return loaded.value(entry)
        field = f"object {entry.path_id}"
        script = build.type_script(file.number, entry.type_index)
        if script is None:
            raise UnknownLayoutError("its script is not in the build", field=field, path=file.name)
        try:
            tree = Libraries(build.parts).trees(part.name, loaded.facts.unity_version).tree(script)
        except UnknownLayoutError as error:
            raise UnknownLayoutError(error.what, field=field, path=file.name) from None
        loaded.learn(entry.type_index, tree)
        value, left = loaded.checked_value(entry)
        if left:
            what = f"{left} bytes are left: {script.assembly} declares other fields than it has"
            raise UnknownLayoutError(what, field=field, path=file.name)
        return value
