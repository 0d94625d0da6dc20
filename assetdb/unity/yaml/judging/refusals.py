"""Lines of text assets that Unity refuses, or may refuse.

Pure: bytes in, faults out. One judgement serves all commands (:func:`judged`): it reads an object line by line, which
for every object of a project would cost a tenth of a first check. So an object is read only where its shape
(:mod:`assetdb.unity.yaml.judging.shapes`) leaves a doubt, and one without its quoted and wrapped texts has no other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from itertools import chain, islice
from operator import itemgetter, methodcaller

from assetdb.unity.yaml.judging.headers import Headers
from assetdb.unity.yaml.judging.shapes import Shapes, shape_of
from assetdb.unity.yaml.nodes import END, LIST, MAPPING, SCALAR, UnreadableError, read_nodes
from assetdb.unity.yaml.scalars import scalar_fault, scalar_span
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

SECOND_HEAD: Final = "begins with %YAML, which is allowed once, at the beginning of the file"
BEHIND_QUOTE: Final = "has text behind a closing quote"
COLON_IN_TEXT: Final = "has a colon and a space in a text without quotes"
RESERVED: Final = "has a text without quotes that begins with @, % or `"
CONTROL: Final = "has a control character"
TAB: Final = "has a tab"
NO_UTF8: Final = "has bytes that are not UTF-8"
COMMENT: Final = "begins with a number sign, and Unity has no comments"

_BLANK: Final = b" \t\r"
_NEXT: Final = b"\n--- "
_HEAD: Final = b"%YAML "
_META_HEAD: Final = b"\n--- \n"  # in front of a meta, which is judged as the one document of a file
_DOCUMENT_END: Final = b"\n..."  # of metas that other tools wrote
_START: Final = itemgetter(3)
_BEGIN: Final = methodcaller("start")
_BEHIND_BRACE: Final = re.compile(rb"\}[^\r\n]")
_FILLED_BRACKET: Final = re.compile(rb"\[(?<=[:-] \[)(?!\](?:\r?\n|\Z))")
_PLAIN_MAP: Final = rb"\{\w++: [\w.-]*+(?>(?:, \w++: [\w.-]*+){0,99})\}"
# A line may have 400,000 references: their nodes would take half of a check, and an atomic group would hold 75 bytes of
# each. The brace is looked for again because Python 3.11.0 to 3.11.4 find the bracket in "{a: 1}, {]".
_PLAIN_MAPS: Final = re.compile(rb"\[(?<=[:-] \[)%b(?:, %b)*+(?<=\})\](?=\r?\n|\Z)" % (_PLAIN_MAP, _PLAIN_MAP))
_HIDDEN: Final = (_BEHIND_BRACE, _FILLED_BRACKET)  # letters, of which a shape has none
_GLUED: Final = re.compile(rb":[^ \r\n]")
_KEY_ENDS: Final = b": "
_KEY: Final = b"k"
# A line that does not begin with a key and its colon, and not with a reference or a header either.
# Letters are listed: a set with \w takes a third more.
_UNUSUAL_LINE: Final = re.compile(
    rb"\n[ -]*+(?:[A-Za-z0-9_.]++(?:[^:A-Za-z0-9_.\r\n]|:[^ \r\n])|(?!\{\w++: |!u!)[^A-Za-z0-9_. \r\n-])"
)
_SPACED_LINE: Final = re.compile(rb"\n[ -]*+[A-Za-z0-9_.]++ ")
_SPACED_TEXT: Final = re.compile(rb"\n *+[A-Za-z0-9_.]++ ")
_SPACED_KEY: Final = re.compile(rb"(\n *+(?:- )*+)(\w++ [^:\n]*+)(?=:[ \r\n])")
_INDEXED_KEY: Final = re.compile(rb"(\n *+)('?)\w++\[\d++\]\2(?=: )")  # m_MeshMetrics[0], from Unity 6 on in quotes
_MOST_NODES: Final = 4_000_000  # an object of 32 MiB, which is read at most, has fewer
_RESERVED: Final = (b"@", b"%", b"`")
_EMPTY_BRACES: Final = b"{}"
_CONTROL: Final = re.compile(rb"[\x00-\x09\x0b\x0c\x0e-\x1f]")
_COLON: Final = re.compile(rb":(?:[ \t\r\n]|\Z)")
_INDENTED_BY_TAB: Final = re.compile(rb" *+\t")
_COMMENT: Final = re.compile(rb"\n[ \t]*+#")
# Values in quotes that end with their line, without escapes: they are read, whatever they have (8 MB of JSON in the
# effects of FPSSample). The literal comes first, which is found ten times as fast.
_QUOTED_LINES: Final = (
    (b"'", re.compile(rb"'(?<=[:-] ')[^'\x00-\x1f]*+'(?=\r?\n|\Z)")),
    (b'"', re.compile(rb'"(?<=[:-] ")[^"\\\x00-\x1f]*+"(?=\r?\n|\Z)')),
)
_QUOTED: Final = b"|"  # stands for a text in quotes: a value that does not go on in the next line
_BEFORE_QUOTE: Final = re.compile(rb" *+(?:- )*+(?:\w++: )?")
# A value that has a quote, or is before a line that is deeper than its key.
_TEXT: Final = re.compile(
    rb"\n( *+)(?:((?:- )++)(?>(\w[^:\n]*+: )?)|\w[^:\n]*+: )()(?![{\[\n]|\w[^:\n]*+:\r?\n)"
    rb"(?=[^'\"\n]*+['\"]|[^\n]*+\n\1(?(3)   | ))"
)


class Refusal(NamedTuple):
    """One thing that Unity refuses, or may refuse.

    Attributes:
        offset: of the wrong byte.
        reason: what its line has.
        is_certain: whether Unity refuses it.
        since: the first version of Unity that refuses it, for a meta that older ones read; else ``""``.
    """

    offset: int
    reason: str
    is_certain: bool = True
    since: str = ""


class Judge:
    """Judges files for one of Unity's readers."""

    def __init__(self, *, libyaml: bool, of_metas: bool = False) -> None:
        """Know no shape: use :func:`judge_of`.

        Args:
            libyaml: whether Unity up to 2019.2 reads the files.
            of_metas: whether they are metas.
        """
        self._libyaml = libyaml
        self._of_metas = of_metas
        self._shapes = Shapes(libyaml=libyaml, of_metas=of_metas)
        self._headers = Headers()

    def refusals(self, data: bytes, documents: Sequence[tuple[int, int, bool, int, int]]) -> list[Refusal]:
        """Return the first refusal in each object, or else its doubts.

        Args:
            data: the whole file.
            documents: the result of :func:`assetdb.unity.yaml.documents.cut`.
        """
        self._forget()
        found = [
            Refusal(document[3] + 1, told) for document in documents if (told := self._headers.fault(data, document))
        ]
        for number in self._doubtful(data, documents):
            start, end = documents[number][3:]
            found += [row._replace(offset=start + row.offset) for row in self._of_lines(data[start:end])]
        return found

    def of_object(self, class_id: int, body: bytes) -> list[Refusal]:
        """Return the first refusal in one object, or else its doubts.

        Args:
            class_id: of its header.
            body: as :class:`assetdb.unity.yaml.objects.TextObject` has it.
        """
        told = self._headers.fault(body, (class_id, 0, False, 0, len(body)))
        return [*([Refusal(1, told)] if told else []), *self._of_lines(body)]

    def of_meta(self, data: bytes) -> Refusal | None:
        """Return the first refusal of a meta by the newer reader.

        A meta does not tell which of the two readers has it: the refusal does, where the older one reads the meta.
        """
        self._forget()
        if data.endswith(b".", 0, len(data.rstrip())):
            data = data.rstrip().removesuffix(_DOCUMENT_END)
        body = _META_HEAD + data
        start = len(_META_HEAD) - 1
        if next(self._doubtful(body, [(0, 0, False, start, len(body))]), None) is None:
            return None
        found = next((row for row in self._of_lines(body[start:]) if row.is_certain), None)
        if found is None:
            return None
        from assetdb.unity.settings.editor_version import FIRST_WITHOUT_LIBYAML  # noqa: PLC0415 - for few metas

        since = "" if judged(body[start:], libyaml=True) else FIRST_WITHOUT_LIBYAML
        return found._replace(offset=found.offset - 1, since=since)

    def _forget(self) -> None:
        """Begin again when no more shapes can be remembered."""
        if self._shapes.is_full:
            self._shapes = Shapes(libyaml=self._libyaml, of_metas=self._of_metas)

    def _of_lines(self, body: bytes) -> list[Refusal]:
        """Return the result of :func:`judged`, reading only objects in doubt."""
        return [] if self._is_sound(body) else judged(body, libyaml=self._libyaml)

    def _doubtful(self, data: bytes, documents: Sequence[tuple[int, int, bool, int, int]]) -> Iterator[int]:
        """Yield the numbers of objects with a doubtful shape."""
        if not documents:
            return
        is_text = _is_utf8(data)
        data = _without_quoted_lines(data)
        shape = shape_of(data)
        shapes = shape.rstrip(b"\n").split(_NEXT)  # blank lines at the end say nothing
        if len(shapes) != len(documents) + 1 or _is_hidden(data, shape) or not is_text:
            yield from range(len(documents))
            return
        hidden = (map(_BEGIN, pattern.finditer(data)) for pattern in _HIDDEN)
        places = chain(*hidden, _unlike_their_shape(data, documents[0][3]))
        behind = {bisect_right(documents, place, key=_START) - 1 for place in places}
        known = self._shapes
        for number in range(len(documents)):
            own = shapes[number + 1]
            if number in behind:
                yield number
            elif not known.knows(own):
                if known.accepts(own):
                    known.remember(own)
                else:
                    yield number

    def _is_sound(self, body: bytes) -> bool:
        """Whether an object is certainly read: its texts and its shape."""
        pieces: list[bytes] = []
        done = 0
        for match in _TEXT.finditer(body):
            if match.start() < done:
                continue
            dashes = len(match[2] or b"")
            indent = len(match[1]) + dashes - (2 if dashes and not match[3] else 0)
            start, end, quote = scalar_span(body, match.end(), indent)
            raw = body[start:end]
            if scalar_fault(raw, quote, libyaml=self._libyaml) is not None or _text_behind(body, end):
                return False
            if _CONTROL.search(raw):
                return False
            if self._libyaml and not quote and (_COLON.search(raw) or raw.startswith(_RESERVED)):
                return False
            pieces += (body[done:start], _QUOTED if quote else b"")
            done = end
        rest = b"".join((*pieces, body[done:])) if pieces else body
        rest = _PLAIN_MAPS.sub(b"[]", rest)
        if next(_glued(rest, 0), None) is not None:
            return False
        if _SPACED_LINE.search(rest):
            rest = _SPACED_KEY.sub(_without_spaces, rest)
            if _SPACED_TEXT.search(rest):
                return False
        shape = shape_of(_INDEXED_KEY.sub(_without_index, rest))
        is_told = _is_hidden(rest, shape) or any(pattern.search(rest) for pattern in _HIDDEN) or not _is_utf8(body)
        return not is_told and self._shapes.accepts(shape.removesuffix(b"\n"))


@cache
def judge_of(*, libyaml: bool, of_metas: bool = False) -> Judge:
    """Return the one judge of a reader and kind of file.

    Its states refer to each other: judges that are made anew would leave them to the collector of garbage.
    """
    return Judge(libyaml=libyaml, of_metas=of_metas)


@lru_cache(maxsize=1)
def refused_in_meta(data: bytes) -> Refusal | None:
    """Return :meth:`Judge.of_meta`; a bake asks twice for a new meta."""
    return judge_of(libyaml=False, of_metas=True).of_meta(data)


def judged(body: bytes, *, libyaml: bool) -> list[Refusal]:
    """Return the first refusal in an object, or else its doubts.

    Args:
        body: its lines, as :func:`assetdb.unity.yaml.nodes.read_nodes` takes them.
        libyaml: whether Unity up to 2019.2 reads it.
    """
    found = _bytewise(body)
    texts: list[tuple[int, int]] = []
    around: list[bool] = []  # whether each open mapping or list has braces, where a comma follows a quote
    has_comments = _COMMENT.search(body) is not None
    try:
        for node in islice(read_nodes(body, libyaml=libyaml), _MOST_NODES):
            if node.kind in (MAPPING, LIST):
                around.append(node.flow)
            elif node.kind == END:
                del around[-1:]
            elif node.kind == SCALAR:
                if has_comments:
                    texts.append((node.start, node.end))
                in_flow = any(around[-1:])
                behind = _text_behind(body, node.end) if node.quoted and not in_flow else 0
                if behind:
                    found.append(Refusal(behind, BEHIND_QUOTE))
                if libyaml and not node.quoted and body.startswith(_RESERVED, node.start, node.end):
                    found.append(Refusal(node.start, RESERVED))
                is_plain = libyaml and not node.quoted and not in_flow
                colon = _COLON.search(body, node.start, node.end + 1) if is_plain else None
                if colon is not None:
                    found.append(Refusal(colon.start(), COLON_IN_TEXT))
                if libyaml and found:
                    break
    except UnreadableError as error:
        reason = SECOND_HEAD if body.startswith(_HEAD, error.place) else error.reason
        refused = Refusal(error.place, reason)
        tab = _INDENTED_BY_TAB.match(body, body.rfind(b"\n", 0, error.place) + 1)
        if tab is not None and not libyaml:
            refused = Refusal(tab.end() - 1, TAB, is_certain=False)
        return [min((*found, refused), key=itemgetter(0)) if libyaml else refused]
    if libyaml:
        return [min(found, key=itemgetter(0))] if found else []
    for match in _COMMENT.finditer(body):
        place = match.end() - 1
        number = bisect_right(texts, (place, len(body))) - 1
        if number < 0 or place >= texts[number][1]:
            found.append(Refusal(place, COMMENT))
            break
    return sorted(row._replace(is_certain=False) for row in found)


def _unlike_their_shape(data: bytes, start: int) -> Iterator[int]:
    """Yield a place in each line that a shape may hide.

    It has a glued colon (:func:`_glued`), or a key with spaces, which may have the shape of a deeper line that is
    known. One search passes over nearly all lines.
    """
    for match in _UNUSUAL_LINE.finditer(data, start):
        line = match.start()
        if _SPACED_LINE.match(data, line):
            yield line
        else:
            line_end = data.find(b"\n", line + 1)
            colon = _GLUED.search(data, line, line_end if line_end >= 0 else len(data))
            if colon is not None and data.find(_KEY_ENDS, line, colon.start()) < 0:
                yield colon.start()


def _glued(data: bytes, start: int) -> Iterator[int]:
    """Yield the first colon of each line, if a letter follows it."""
    match = _GLUED.search(data, start)
    while match is not None:
        colon = match.start()
        if data.find(_KEY_ENDS, data.rfind(b"\n", 0, colon) + 1, colon) < 0:
            yield colon
        line_end = data.find(b"\n", colon)
        match = _GLUED.search(data, line_end) if line_end >= 0 else None


def _without_quoted_lines(data: bytes) -> bytes:
    """Return a text of the same length, with letters for quoted values."""
    for quote, pattern in _QUOTED_LINES:
        if quote in data:
            data = pattern.sub(_as_letters, data)
    return data


def _as_letters(match: re.Match[bytes]) -> bytes:
    start, end = match.span()
    line = match.string.rfind(b"\n", 0, start) + 1
    is_value = _BEFORE_QUOTE.fullmatch(match.string, line, start) is not None
    return _QUOTED.ljust(end - start, b"x") if is_value else match[0]


def _without_spaces(match: re.Match[bytes]) -> bytes:
    """Return the beginning of a line without spaces in its key."""
    return match[1] + match[2].replace(b" ", b"")


def _without_index(match: re.Match[bytes]) -> bytes:
    """Return the beginning of a line, its key without an index."""
    return match[1] + _KEY


def _text_behind(data: bytes, end: int) -> int:
    """Return where text follows in the line, or 0."""
    line_end = data.find(b"\n", end)
    rest = data[end : line_end if line_end >= 0 else len(data)]
    return end + len(rest) - len(rest.lstrip(_BLANK)) if rest.strip(_BLANK) else 0


def _is_hidden(data: bytes, shape: bytes) -> bool:
    """Whether braces with a word alone have the shape of empty ones."""
    count = shape.count(_EMPTY_BRACES)
    return count > 0 and count != data.count(_EMPTY_BRACES)


def _is_utf8(data: bytes) -> bool:
    return data.isascii() or _first_wrong(data) < 0


def _bytewise(body: bytes) -> list[Refusal]:
    """Return the first control character and the first wrong byte."""
    found = []
    control = _CONTROL.search(body)
    if control is not None:
        found.append(Refusal(control.start(), TAB if control[0] == b"\t" else CONTROL))
    wrong = _first_wrong(body)
    if wrong >= 0:
        found.append(Refusal(wrong, NO_UTF8))
    return found


def _first_wrong(data: bytes) -> int:
    """Return the first byte that is not UTF-8, or -1."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return -1
