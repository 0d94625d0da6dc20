"""Draw ``docs/comment.svg``, the comment in a pull request, from what the action's commands print.

python -m scripts.comment_picture

The change is made in the game of ``docs/agents.md``: a material is deleted, and a boss and a camp get other values.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from scripts.programs import CHECKOUT, assetdb, surroundings
from tests.assetdb.mcp.guide_project import make_game

PICTURE: Final = CHECKOUT / "docs" / "comment.svg"
WIDTH: Final = 860
HEIGHT: Final = 670
"""That the text needs with the fonts of a browser on Linux; seen, not computed."""
EDITS: Final = {
    "Assets/Prefabs/Boss.prefab": ("value: 500", "value: 750"),
    "Assets/Prefabs/Camp.prefab": ("delay: 2", "delay: 3"),
}
DELETED: Final = "Assets/Materials/Wood.mat"
_STYLE: Final = """
main { font: 14px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; border: 1px solid #d1d9e0;
  border-radius: 6px; height: 100%; box-sizing: border-box; overflow: hidden; }
header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; }
article { padding: 4px 16px; }
h3 { font-size: 17px; margin: 12px 0 8px; }
p, ul, table { margin: 8px 0; }
ul { padding-left: 24px; }
table { border-collapse: collapse; }
td, th { border: 1px solid #d1d9e0; padding: 4px 10px; }
code { font: 12px ui-monospace, monospace; background: #eff1f3; border-radius: 4px; padding: 2px 4px; }
pre { margin: 4px 0; }
pre code { background: none; white-space: pre-wrap; }
@media (prefers-color-scheme: dark) {
  main { color: #f0f6fc; background: #0d1117; border-color: #3d444d; }
  header { background: #151b23; border-color: #3d444d; color: #9198a1; }
  td, th { border-color: #3d444d; }
  code { background: #262c36; }
}
"""


def comment() -> str:
    """Return the comment's Markdown for the change.

    Raises:
        subprocess.CalledProcessError: git or assetdb fails.
    """
    kept = surroundings("GIT_")
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-01-01T00:00:00Z")  # a finding names a commit
    with tempfile.TemporaryDirectory() as folder:
        project = make_game(Path(folder) / "Game")

        def run(*words: str) -> str:
            environment = kept | dates | {"PYTHONPATH": str(CHECKOUT), "PYTHONIOENCODING": "utf-8"}
            done = subprocess.run(
                words, cwd=project, env=environment, capture_output=True, encoding="utf-8", check=True
            )
            return done.stdout

        git = ("git", "-c", "user.name=Artist", "-c", "user.email=artist@example.org")
        run(*git, "init", "--quiet", "--initial-branch=main")
        run(*git, "add", ".")
        run(*git, "commit", "--quiet", "--message=The game")
        for path, (before, after) in EDITS.items():
            file = project / path
            file.write_text(file.read_text("utf-8").replace(before, after), "utf-8")
        run(*git, "rm", "--quiet", DELETED, f"{DELETED}.meta")
        run(*git, "commit", "--quiet", "--all", "--message=Harder")
        found = run(*assetdb("check", "--since=HEAD~1", "--format=markdown", "--exit-zero", "--quiet"))
        return f"{found}\n{run(*assetdb('diff', '--format=markdown', '--quiet', '--', 'HEAD~1'))}"


def svg(text: str) -> str:
    """Return Markdown as a picture of a comment."""
    shown = re.sub(r"<!--.*?-->\n", "", text).replace("<details>", '<details open="open">')
    body = MarkdownIt("commonmark").enable("table").render(shown)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n<style>{_STYLE}</style>\n'
        f'<foreignObject width="{WIDTH}" height="{HEIGHT}">\n<main xmlns="http://www.w3.org/1999/xhtml">\n'
        f"<header><strong>github-actions</strong> commented</header>\n<article>\n{body}</article>\n</main>\n"
        "</foreignObject>\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(svg(comment()), "utf-8")
    print(PICTURE.relative_to(CHECKOUT))
