"""A picture of references as one SVG file.

It has no script and no font, and loads nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from assetdb.query.drawing.layout import BOX_HEIGHT, arranged, detail_of
from assetdb.system.escaping import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.drawing.layout import Box
    from assetdb.query.drawing.picture import Picture

# A colour is a help, no sign: each box says its type.
_FAMILIES: Final = {
    "scene": ("SceneAsset", "Prefab"),
    "code": ("MonoScript", "AssemblyDefinitionAsset", "DefaultAsset", "Shader", "ComputeShader", "TextAsset"),
    "look": ("Material", "Texture2D", "Sprite", "SpriteAtlas", "Cubemap", "Mesh", "GameObject", "Font"),
    "motion": (
        "AnimationClip",
        "AnimatorController",
        "AnimatorOverrideController",
        "AudioClip",
        "AudioMixerController",
    ),
}
_FAMILY: Final = {name: family for family, names in _FAMILIES.items() for name in names}
_STYLE: Final = """
svg { background: #fff; color: #1f2328; font: 12px ui-sans-serif, system-ui, "Segoe UI", sans-serif; }
rect { fill: #f6f8fa; stroke: #8c959f; } .start rect { stroke-width: 2.5; }
.scene rect { fill: #ddf4ff; stroke: #0969da; } .code rect { fill: #dafbe1; stroke: #1a7f37; }
.look rect { fill: #fff8c5; stroke: #9a6700; } .motion rect { fill: #fbefff; stroke: #8250df; }
text { fill: #1f2328; } .name { font-weight: 600; } .detail, .note { fill: #59636e; font-size: 11px; }
path { fill: none; stroke: #8c959f; } marker path { fill: #8c959f; stroke: none; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; } rect { fill: #161b22; stroke: #6e7681; } text { fill: #e6edf3; }
.scene rect { fill: #0c2d4d; stroke: #58a6ff; } .code rect { fill: #0f2d18; stroke: #3fb950; }
.look rect { fill: #332800; stroke: #d29922; } .motion rect { fill: #271a45; stroke: #bc8cff; }
.detail, .note { fill: #9198a1; }
}
"""
_NOTE: Final = 24


def svg_lines(picture: Picture) -> Iterator[str]:
    """Yield the lines of an SVG file.

    It is light or dark as its reader prefers.
    """
    layout = arranged(picture)
    left_out = picture.left_out
    height = layout.height + (_NOTE if left_out else 0)
    size = f'viewBox="0 0 {layout.width:.0f} {height:.0f}" width="{layout.width:.0f}" height="{height:.0f}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    yield f"<style>{_STYLE}</style>"
    yield '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    yield '<path d="M0,0 L8,4 L0,8 z"/></marker></defs>'
    for user, needed in picture.edges:
        yield f'<path d="{_curve(layout.boxes[user], layout.boxes[needed])}" marker-end="url(#arrow)"/>'
    for node, box in zip(picture.nodes, layout.boxes, strict=True):
        kinds = " ".join(filter(None, (_FAMILY.get(node.asset.type, ""), "" if node.layer else "start")))
        whole = node.asset.path or detail_of(node.asset)
        yield f'<g class="{kinds}"><title>{escape(printable(whole))}</title>'
        yield f'<rect x="{box.left:.0f}" y="{box.top:.0f}" width="{box.width:.0f}" height="{BOX_HEIGHT}" rx="5"/>'
        yield _text(box.left + 12, box.top + 17, "name", box.name)
        yield f"{_text(box.left + 12, box.top + 32, 'detail', box.detail)}</g>"
    if left_out:
        yield _text(16, layout.height + 8, "note", f"left out: {left_out}")
    yield "</svg>"


def _text(left: float, top: float, kind: str, text: str) -> str:
    return f'<text class="{kind}" x="{left:.0f}" y="{top:.0f}">{escape(text)}</text>'


def _curve(user: Box, needed: Box) -> str:
    """Return the way of an arrow between two boxes."""
    left, right = user.left + user.width, needed.left
    if user.left == needed.left:  # of one column: around its right side
        right = needed.left + needed.width
        bends = (left + 45, right + 45)
    else:
        if user.left > needed.left:  # back to what the asset was reached from
            left, right = user.left, needed.left + needed.width
        bends = ((left + right) / 2, (left + right) / 2)
    start, end = user.top + BOX_HEIGHT / 2, needed.top + BOX_HEIGHT / 2
    return f"M{left:.0f},{start:.0f} C{bends[0]:.0f},{start:.0f} {bends[1]:.0f},{end:.0f} {right:.0f},{end:.0f}"
