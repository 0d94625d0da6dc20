"""The text files of a project and their references, found by a plain walk: what tests compare verdicts with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.query.graph import verdicts
from assetdb.settings.project import asset_file, asset_roots, is_hidden, is_opaque
from assetdb.system.failures import excuse
from assetdb.unity.kinds import OTHER, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def text_files(root: str) -> Iterator[str]:
    """Yield the files of a project that may be text with references, hidden folders left out."""
    stack = [asset_file(root, top) for top in asset_roots(root)]
    while stack:
        here = stack.pop()
        try:
            with os.scandir(here) as entries:
                listed = list(entries)
        except OSError as error:
            excuse(here, error)
            continue
        for entry in listed:
            extension = entry.name.rpartition(".")[2].lower()
            if is_hidden(os.fsencode(entry.name)):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not is_opaque(os.fsencode(entry.name)):
                    stack.append(entry.path)
            elif kind_of(extension).content != OTHER and extension != "meta" and entry.is_file():
                yield entry.path


def references(data: bytes, extension: str) -> Iterator[tuple[bytes, int | None, bool, bool]]:
    """Yield the references of a file without their offsets."""
    for row in verdicts.references(data, extension):
        yield row[:4]
