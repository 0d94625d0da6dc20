"""The output of a whole check, kept while its inputs are unchanged.

An unchanged check of unity-explorer decoded, weighed and grouped 6,603 findings to print 34 lines, which took as long
as finding out that nothing had changed.

Rules and references have their inputs in their own answers. All else that an output shows has to be an input
here: what a view can note, in :meth:`KeptOutput.written_once`; what it cannot (an option, a setting, a place on the
disk), in :meth:`KeptOutput.read_state` or in the options that :mod:`assetdb.cli.review.check` gives. Whoever adds such
a thing to the findings after their rules, to a report or to its notes, adds it there. What a page shows besides is in
:mod:`assetdb.report.kept`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from assetdb.diagnostics import NOT_SHARED
from assetdb.history.git.stamp import git_folder, has_whole_checkout
from assetdb.memo.file import columns, split_columns
from assetdb.memo.inputs import ALONE, ASSETS, CONTENT, HISTORY, PACKAGES, TREE, UNSEEN, UNTRACKED
from assetdb.memo.memo import Codec, memo_of
from assetdb.memo.noted import inherit
from assetdb.scan.content_id import digest_state
from assetdb.settings.configuration import read_configuration
from assetdb.settings.project import folder_and_parents
from assetdb.settings.user import read_user_settings
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import ClassVar, Final

    from assetdb.memo.inputs import Input, Inputs, Value
    from assetdb.query.snapshots.snapshot import Snapshot

_VERSION: Final = "8"
_OF_EDITS: Final = {(TREE, "")}
"""The one input that changes if only contents of files that the bake does not read do."""
_OF_PACKAGE: Final = ("package.json", "package.json.meta")
_EDITOR_VERSION: Final = "ProjectSettings/ProjectVersion.txt"
_OF_A_RUN: Final = ("cache-not-written", NOT_SHARED, "no-file-locks")
_WITHOUT_FOLDER: Final = "missing-directory"
_ANY_EDIT: Final = "any edit"
_UNMERGED: Final = "conflict-markers"
LAST_SUMMARY: Final = "summary of the last check"
"""Under this key the memo has the counts of the last whole check."""


class Output(NamedTuple):
    """The output of one check.

    Attributes:
        code: the exit code.
        text: on stdout.
        notes: on stderr.
    """

    code: int
    text: str
    notes: str


class _Kept(NamedTuple):
    """An output with the answers that it rests on.

    Attributes:
        output: the output.
        answers: key, version and digest of each; None if any edit may change the output.
        uses: inputs of the answers that edits of C# may change (:func:`assetdb.memo.edits.joined_uses`); None if some
            are uncertain.
    """

    output: Output
    answers: tuple[tuple[str, str, str], ...] | None
    uses: str | None = None


class KeptOutput:
    """The last output of one kind of check of a whole project.

    Attributes:
        prefix: of the keys of all outputs of the kind.
        most: outputs of the kind that are kept: of a person, a hook, an editor, a service.
        shows_contents: whether an output shows more of C# files than findings, such as their sizes.
        project: that is checked.
        codes: that the new output rests on; none: it cannot be kept.
    """

    prefix: ClassVar = "output of a check: "
    most: ClassVar = 4
    shows_contents: ClassVar = False

    def __init__(self, project: Snapshot, options: str, baseline: str | None = None, cwd: str = "") -> None:
        """Take the project and options that decide about an output.

        Args:
            project: to be checked, which is brought up to date.
            options: of the command, with the terminal that shows the output.
            baseline: as the options name it; None: as the settings do.
            cwd: of the client, if it is not the working directory.
        """
        project.refresh()
        self.project = project
        self._memo = memo_of(project)
        self._configuration = read_configuration(project.root)
        self._baseline = ""
        check = self._configuration.check
        if baseline is not None:
            self._baseline = os.path.abspath(os.path.join(cwd, baseline))
        elif check is not None and check.baseline:
            self._baseline = os.path.join(project.root, check.baseline)
        place = (cwd or os.getcwd()) if self._baseline else ""  # notes name it as the user would
        self._key = f"{self.prefix}{options} {self._baseline!r} {place!r}"
        self._state = self.read_state()
        self._noted: dict[Input, Value] = {}
        self.codes: tuple[str, ...] = ()

    def find(self) -> Output | None:
        """Return the output, None if it may be another now."""
        inputs, version = self._memo.inputs(self.project), _version_of(self._state)
        if not self._state:
            return None
        is_current = self._memo.is_current(inputs, self._key, version)
        if not is_current and self._memo.changed(inputs, self._key, version) != _OF_EDITS:
            return None
        found = self._memo.latest(self._key, version, _CODEC)
        if found is None or not (is_current or self._stands(inputs, found, version)):
            return None
        self._memo.write_if_due()  # identities of files that were copied, whose contents are the same
        return found.output

    def _stands(self, inputs: Inputs, found: _Kept, version: str) -> bool:
        """Whether edits since an output changed no answer that it rests on."""
        edits, noted = self._memo.edits(inputs), self._memo.noted(self._key, version)
        if found.answers is None or edits is None or not edits.are_of_scripts or edits.since != noted[TREE, ""]:
            return False
        if found.uses is not None and edits.change_none_of(found.uses):
            return True
        stale = {answer[0] for *answer, digest in found.answers if self._memo.digest(inputs, *answer) != digest}
        if stale:
            from assetdb.checks.findings.engine import derive_again  # noqa: PLC0415 - where nothing changed it is not needed

            derive_again(inputs, stale)
        if any(self._memo.digest(inputs, *answer) != digest for *answer, digest in found.answers if answer[0] in stale):
            return False
        self._noted = {**noted, (TREE, ""): inputs.value(TREE, "")}
        self._put(inputs, self._with_uses(found), [answer[:2] for answer in found.answers], version)
        return True

    @contextmanager
    def written_once(self) -> Iterator[None]:
        """Note the inputs of a check, and write its answers after it."""
        from assetdb.memo.view import View  # noqa: PLC0415 - where nothing changed it is not needed

        view = View(self._memo.inputs(self.project))
        for kind in (TREE, ASSETS, ALONE, UNSEEN, PACKAGES, HISTORY, UNTRACKED):
            view.note(kind)
        for path in (_EDITOR_VERSION, *filter(None, (self._baseline,)), *self._emptied(), *self.more_files()):
            view.note(CONTENT, path)
        self._noted = view.noted
        self._memo.is_held = True
        try:
            yield
        finally:
            self._memo.is_held = False
            self._memo.write_if_due()

    def keep(self, output: Output) -> None:
        """Keep the output of a check, if all its inputs are known."""
        state = self.read_state()  # a whole check has written its counts
        if not self.codes or not state or self._memo.shared_problems or not self.project.losses.has_answered:
            return
        from assetdb.checks.findings.engine import answers_of  # noqa: PLC0415 - as above

        if self._memo.kept(self._key) is None:
            self._memo.bound(self.prefix, self.most - 1)
        inputs, answers = self._memo.inputs(self.project), answers_of(self.codes)
        rows = tuple((*answer, self._memo.digest(inputs, *answer)) for answer in answers)
        is_of_answers = not self.shows_contents and all(digest for _key, _version, digest in rows)
        kept = self._with_uses(_Kept(output, rows)) if is_of_answers else _Kept(output, None)
        self._put(inputs, kept, answers, _version_of(state))

    def _with_uses(self, kept: _Kept) -> _Kept:
        """Return an output with the uses of C# by its answers."""
        from assetdb.memo.edits import joined_uses  # noqa: PLC0415 - where nothing changed it is not needed

        uses = [self._memo.csharp_uses(key, version) for key, version, _digest in kept.answers or ()]
        known = [use for use in uses if use is not None]
        return kept._replace(uses=joined_uses(set().union(*known)) if len(known) == len(uses) else None)

    def _put(self, inputs: Inputs, kept: _Kept, answers: Sequence[tuple[str, str]], version: str) -> None:
        """Keep an output with its inputs and its answers' inputs."""
        noted = dict(self._noted)
        inherit(noted, self._memo.uncovered(answers))  # the tree is an input itself
        self._memo.keep(inputs, self._key, version, kept, noted, _CODEC)
        if kept.answers is not None:
            self._memo.put_tree(inputs)

    def more_files(self) -> Iterable[str]:
        """Return files and folders that the output shows besides."""
        return ()

    def read_state(self) -> str:
        """Return facts that no input has, ``""`` if some cannot be compared."""
        project = self.project
        diagnostics = project.diagnostics()
        # The objects of an unmerged file may be named by files of packages, which it does not note.
        passing = (*_OF_A_RUN, _UNMERGED) if project.has_packages else _OF_A_RUN
        if any(item.code in passing for item in diagnostics):
            return ""
        if any(os.path.lexists(os.path.join(project.root, name)) for name in _OF_PACKAGE):  # other roots have findings
            return ""
        user = read_user_settings()
        values = [getattr(user, name) for name in user.__slots__]
        git = git_folder(project.root), has_whole_checkout(project.root)
        if not git[1]:
            return ""
        return repr((project.root, diagnostics, self._configuration, values, git, self._memo.get(LAST_SUMMARY)))

    def _emptied(self) -> set[str]:
        """Return the folders that a message about metas without folders names."""
        absent = [item.path for item in self.project.diagnostics() if item.code == _WITHOUT_FOLDER]
        return {above for path in absent for above in folder_and_parents(path.rpartition("/")[0]) if above}


def _version_of(state: str) -> str:
    """Return the version of an output in a state."""
    return f"{_VERSION} {digest_state(state.encode('utf-8', 'surrogatepass'), size=16).hexdigest()}"


def _encode(kept: _Kept) -> bytes:
    output = kept.output
    rows = [field for answer in kept.answers or () for field in answer]
    answers = "\0".join([_ANY_EDIT] if kept.answers is None else rows)
    texts = (str(output.code), output.text, output.notes, answers, _ANY_EDIT if kept.uses is None else kept.uses)
    return columns([text.encode("utf-8", "surrogatepass") for text in texts])


def _decode(packed: bytes) -> _Kept:
    """Return the argument of :func:`_encode`.

    Raises:
        ValueError: the bytes are invalid.
    """
    code, text, notes, joined, uses = (part.decode("utf-8", "surrogatepass") for part in split_columns(packed))
    rows = [field for field in joined.split("\0") if field]
    answers = None if rows == [_ANY_EDIT] else tuple(zip(rows[::3], rows[1::3], rows[2::3], strict=True))
    return _Kept(Output(int(code), text, notes), answers, None if uses == _ANY_EDIT else uses)


_CODEC: Final = Codec(_encode, _decode)
