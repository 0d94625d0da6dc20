"""``assetdb bundle info`` and ``ls``."""

from __future__ import annotations

from assetdb.cli.arguments import Printing  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.bundle.each import each_file
from assetdb.cli.bundle.inputs import BundleFile, find_bundles
from assetdb.cli.bundle.kinds import print_answer, questions_to
from assetdb.cli.bundle.options import Selecting  # noqa: TC001 - read at run time, from annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.options import Files


def info(options: Printing, files: Files) -> int:
    """Show the facts of each bundle; 1 if one is damaged."""
    found = find_bundles(files)

    def show(file: BundleFile, number: int) -> int:
        answer = questions_to(file.kind).info(file.input, as_text=not options.json)
        if number and not options.json:
            print()
        return print_answer(answer)

    return max(found.code, each_file(found.files, show))


def ls(options: Selecting, files: Files) -> int:
    """List the objects of each bundle."""
    found = find_bundles(files)

    def show(file: BundleFile, number: int) -> int:
        answer = questions_to(file.kind).objects(file.input, options.classes or (), as_text=not options.json)
        return print_answer(answer, number, several=len(found.files) > 1)

    return max(found.code, each_file(found.files, show))
