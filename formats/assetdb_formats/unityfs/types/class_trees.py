"""Type trees of Unity's classes from UnityPy, an extra.

Names, references and streamed data need none of it (:mod:`assetdb_formats.unityfs.types.layouts`); values do.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.extras import MissingExtraError, import_extra
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.types.layouts import release_of
from assetdb_formats.unityfs.types.typetree import DEEPEST, TreeNode

if TYPE_CHECKING:
    from assetdb_formats.unityfs.types.typetree import TypeTree

_ALIGN: Final = 0x4000


class MissingLayoutsError(MissingExtraError, UnsupportedError):
    """Error of the missing extra that values without type trees need."""


@lru_cache(maxsize=1024)
def class_tree(class_id: int, version: str) -> TypeTree:
    """Return a release's type tree of a class.

    The tree of a MonoBehaviour lacks the fields of its script.

    Raises:
        MissingLayoutsError: the extra is not installed.
        UnityFSError: the table has no such class in that release, or the file has no Unity release.
    """
    what = f"class {class_id} has no type tree in the file; its layout"
    table = import_extra("UnityPy.helpers.Tpk", "layouts", what, field="tree", error=MissingLayoutsError)
    versions = import_extra("UnityPy.helpers.UnityVersion", "layouts", what, field="tree", error=MissingLayoutsError)
    release = release_of(version)
    if release is None:
        raise UnityFSError(f"class {class_id} has no type tree, and the file has no Unity release", field="tree")
    text = f"{release[0]}.{release[1]}.{release[2]}{release[3]}{release[4]}"
    try:
        root = table.get_typetree_node(class_id, versions.UnityVersion.from_str(text))
    except (KeyError, ValueError, AssertionError):
        raise UnityFSError(f"class {class_id} is not in the layouts of Unity {text}", field="tree") from None
    return _nodes(root)


def _nodes(root: Any) -> TypeTree:  # noqa: ANN401 - UnityPy has no types
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        level: int = node.m_Level
        if level > DEEPEST:
            raise UnityFSError("a layout deeper than any of Unity's", field="tree")
        flags: int = node.m_MetaFlag or 0
        found.append(TreeNode(level, node.m_Type, node.m_Name, node.m_ByteSize, bool(flags & _ALIGN)))
        waiting += reversed(node.m_Children)
    return tuple(found)
