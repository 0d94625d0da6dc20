"""``assetdb bundle edit`` of ``.casset`` bundles: names, references, values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.terminal import fail, not_found, print_json, printable
from assetdb.errors import UsageError
from assetdb_formats.atomic import rewrite_file
from assetdb_formats.casset.editing.changes import change_bundle
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle, encode_pieces
from assetdb_formats.casset.errors import CassetError, EditError, NotInBundleError
from assetdb_formats.casset.files import load
from assetdb_formats.casset.queries.verify import same_bytes
from assetdb_formats.files import open_file

if TYPE_CHECKING:
    from assetdb_formats.casset.editing.changes import Change


def edit_bundle(path: str, changes: list[Change], *, output: str | None, in_place: bool, as_text: bool) -> int:
    """Write a bundle with the changes of the command line."""
    if in_place == (output is not None):
        return fail("bundle edit: say where to write: -o FILE or --in-place")
    if not changes:
        return fail("bundle edit: say what to change: --rename, --retarget or --set")
    bundle = load(path)
    with open_file(path) as stream:
        if not same_bytes(stream, encode_pieces(bundle)):
            return fail(f"{path}: writing it back does not give the same bytes, so it is not edited")
    try:
        edited, done = change_bundle(bundle, changes, path)
        data = encode_bundle(edited)
    except NotInBundleError as error:
        return not_found(f"{error.path or path}: {error.what}", error.field, error.names)
    except EditError as error:
        raise UsageError(f"{path}: {error}") from None
    except CassetError as error:
        raise error if error.path else error.at(path) from None
    if len(read_bundle(data).problems) > len(bundle.problems):  # beyond what types forbid
        return fail(f"{path}: the result cannot be read back, so nothing is written")
    written = output or path
    size = rewrite_file(written, [data])
    if as_text:
        print("\n".join(map(printable, (*done, f"{written}: {size:,} bytes"))))
    else:
        print_json({"path": path, "written": written, "size": size, "changes": list(done)})
    return 0
