"""Declarations in C# source: types, bases and members.

Read from the text alone; nothing is compiled.

Names that may be members count as members, so that a report of a missing one is right. A type whose head or body has an
unknown form is unclear, and not reported.
"""

from __future__ import annotations

from assetdb.unity.scripts.calls import Call, calls_in
from assetdb.unity.scripts.editor_uses import editor_uses
from assetdb.unity.scripts.faults import Fault
from assetdb.unity.scripts.tokens import tokens_of
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    from assetdb.unity.scripts.faults import Token
    from assetdb.unity.scripts.tokens import Tokens

_KINDS: Final = frozenset(("class", "struct", "interface", "record", "enum"))
_DELEGATE: Final = "delegate"
_NAMESPACE: Final = "namespace"
_RENAMED: Final = "FormerlySerializedAs"
_STORED: Final = ("SerializeField", "SerializeReference")
_NOT_STORED: Final = "NonSerialized"
_NEVER_STORED: Final = ("static", "const", "readonly", "event")
_SERIALIZABLE: Final = "Serializable"
_MODIFIERS: Final = frozenset(
    (
        *("public", "private", "protected", "internal", "static", "readonly", "const", "new", "volatile", "unsafe"),
        *("virtual", "override", "sealed"),
    )
)
_PASSED: Final = ("in", "out", "ref", "this", "params")
_OPENING: Final = ("(", "[")
_DEEPEST: Final = 64  # nested types and namespaces
_NOT_IN_BASES: Final = _KINDS | {_NAMESPACE, _DELEGATE, "public", "private", "internal", "protected", "sealed", ":"}


class Base(NamedTuple):
    """A base class or interface: ``Qualifier.Name<...>`` with its arity."""

    qualifier: str
    name: str
    arity: int


class FormerName(NamedTuple):
    """An earlier name of a field, and the line of its attribute."""

    name: str
    field: str
    line: int


class Declaration(NamedTuple):
    """One declaration of a type; a partial type has several.

    Attributes:
        kind: ``class``, ``struct``, ``interface``, ``record``, ``enum`` or ``delegate``.
        namespace: ``A.B``, or ``""``.
        outer: names of the types around it, the outermost first.
        name: without type parameters.
        arity: number of type parameters.
        line: of the name, 1-based.
        partial: whether there may be other declarations of it.
        bases: the first in each list of bases, which may be a class.
        methods: names of methods, and of members that may be one.
        properties: names of properties and events.
        fields: names of fields.
        unclear: whether its bases or members may be different.
        abstract: whether it says that no object can be made of it (``abstract``, ``static``).
        types: of fields, as they are written without spaces (``List<int>``), and of properties that may be stored.
        unstored: fields that Unity certainly does not serialize, and why: ``is static``.
        serializable: whether it says ``[Serializable]``.
        conditions: of the branches of ``#if`` around it, the innermost first.
        parameters: of methods with a body, by name: the types of each one's parameters.
        renamed: names that fields had earlier (``FormerlySerializedAs``).
    """

    kind: str
    namespace: str
    outer: tuple[str, ...]
    name: str
    arity: int
    line: int
    partial: bool
    bases: tuple[Base, ...]
    methods: frozenset[str]
    properties: frozenset[str]
    fields: frozenset[str]
    unclear: bool
    abstract: bool = False
    types: tuple[tuple[str, str], ...] = ()
    unstored: tuple[tuple[str, str], ...] = ()
    serializable: bool = False
    conditions: tuple[str, ...] = ()
    parameters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    renamed: tuple[FormerName, ...] = ()

    @property
    def former(self) -> frozenset[str]:
        """Names that fields had earlier."""
        return frozenset(each.name for each in self.renamed)

    @property
    def identity(self) -> tuple[str, tuple[str, ...], str, int]:
        """The common identity of all parts of a type."""
        return self.namespace, self.outer, self.name, self.arity


class Source(NamedTuple):
    """The declarations of a file.

    Attributes:
        types: in the order of the file, each before its nested ones.
        usings: imported namespaces.
        aliases: names for types (``using A = B``).
        fault: why its declarations may be different, None if they are certain.
        imports: namespaces with lines, of imports outside of branches of ``#if``.
        editor: uses of the editor outside of such branches, with lines (:mod:`assetdb.unity.scripts.editor_uses`).
        calls: that find something of the project by its name.
    """

    types: tuple[Declaration, ...]
    usings: frozenset[str]
    aliases: frozenset[str]
    fault: Fault | None
    imports: tuple[tuple[str, int], ...] = ()
    editor: tuple[tuple[str, int], ...] = ()
    calls: tuple[Call, ...] = ()

    @property
    def unclear(self) -> bool:
        """Whether its declarations may be different."""
        return self.fault is not None


def read_source(data: bytes) -> Source:
    """Return the declarations in the bytes of any C# file."""
    tokens = tokens_of(data)
    return _Reader(tokens).source() if tokens.fault is None else _nothing(tokens.fault)


def _nothing(fault: Fault) -> Source:
    """Return no declarations for a file that cannot be followed."""
    return Source((), frozenset(), frozenset(), fault)


class _Type:
    """A type with an open body."""

    def __init__(self, kind: str, name: str, line: int, scope: tuple[str, tuple[str, ...]]) -> None:
        self.kind, self.name, self.line = kind, name, line
        self.namespace, self.outer = scope
        self.arity = 0
        self.partial = self.unclear = self.abstract = self.serializable = False
        self.bases: list[Base] = []
        self.methods: set[str] = set()
        self.properties: set[str] = set()
        self.fields: set[str] = set()
        self.renamed: list[FormerName] = []
        self.types: dict[str, str] = {}
        self.unstored: dict[str, str] = {}
        self.conditions: tuple[str, ...] = ()
        self.parameters: list[tuple[str, tuple[str, ...]]] = []

    def frozen(self) -> Declaration:
        return Declaration(
            self.kind,
            self.namespace,
            self.outer,
            self.name,
            self.arity,
            self.line,
            self.partial,
            tuple(self.bases),
            frozenset(self.methods),
            frozenset(self.properties),
            frozenset(self.fields),
            self.unclear,
            self.abstract,
            tuple(self.types.items()),
            tuple(self.unstored.items()),
            self.serializable,
            self.conditions,
            tuple(self.parameters),
            tuple(self.renamed),
        )


class _Head:
    """The tokens of a declaration before its body or value.

    Attributes:
        tokens: so far.
        has_value: whether a value was reached: after ``=`` or ``=>`` outside of brackets.
    """

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.has_value = False
        self._is_operator = False

    def add(self, token: Token) -> None:
        self.tokens.append(token)
        self._is_operator |= token.text == "operator"
        self.has_value |= token.text in ("=", "=>") and not self._is_operator


class _Reader:
    """One pass over tokens, with a list of open scopes."""

    def __init__(self, tokens: Tokens) -> None:
        self._source = tokens
        self._tokens = tokens.all
        self._is_conditional = tokens.conditional
        self._types: list[_Type] = []
        self._open: list[_Type | str] = []  # a namespace as its name
        self._file_namespace = ""
        self._usings: set[str] = set()
        self._imports: list[tuple[str, int]] = []
        self._aliases: set[str] = set()
        self._fault: Fault | None = None

    def source(self) -> Source:
        head = _Head()
        at, size = 0, len(self._tokens)
        while at < size and self._fault is None:
            text = self._tokens[at].text
            if text == "}":
                if self._open:
                    self._open.pop()
                else:
                    self._fault = Fault(self._tokens[at].line, "} closes nothing")
                head = _Head()
            elif text == ";":
                self._statement(head)
                head = _Head()
            elif text == "{":
                if head.has_value:  # a value in braces: an initializer, the body of a lambda
                    at = self._closed(at)
                else:
                    if not self._opened(head.tokens):
                        self._member(head.tokens, has_body=True)
                        at = self._closed(at)
                    head = _Head()
                if len(self._open) > _DEEPEST:
                    self._fault = Fault(self._tokens[at].line, f"types are nested more than {_DEEPEST} deep")
            elif text in _OPENING:
                end = self._closed(at)
                head.tokens += self._tokens[at : end + 1]
                at = end
            else:
                head.add(self._tokens[at])
            at += 1
        if self._open:
            self._fault = self._fault or Fault(self._tokens[-1].line, "{ is not closed")
        if self._fault is not None:
            return _nothing(self._fault)
        found = tuple(each.frozen() for each in self._types)
        return Source(
            found,
            frozenset(self._usings),
            frozenset(self._aliases),
            fault=None,
            imports=tuple(self._imports),
            editor=tuple(editor_uses(self._source)),
            calls=tuple(calls_in(self._source)),
        )

    def _closed(self, at: int) -> int:
        """Return the position of the matching closing token."""
        depth = 0
        for place in range(at, len(self._tokens)):
            text = self._tokens[place].text
            if text in "([{":
                depth += 1
            elif text in ")]}":
                depth -= 1
                if depth == 0:
                    return place
        self._fault = Fault(self._tokens[at].line, f"{self._tokens[at].text} is not closed")
        return len(self._tokens)

    # --- heads

    def _opened(self, head: list[Token]) -> bool:
        """Whether a brace opened a namespace or a type."""
        plain, attributes = _without_attributes(head)
        texts = [token.text for token in plain]
        if texts[:1] == [_NAMESPACE]:
            self._open.append("".join(texts[1:]))
            return True
        start = _type_at(plain)
        if start < 0:
            return False
        declared = self._declared(plain, start)
        declared.serializable = _has(_texts(attributes), _SERIALIZABLE)
        self._open.append(declared)
        return True

    def _declared(self, plain: list[Token], start: int) -> _Type:
        """Add and return the type with its keyword at ``start``."""
        kind = plain[start].text
        place = _name_at(plain, start)
        name = plain[place]
        made = _Type(kind, name.text, name.line, self._scope())
        made.conditions = self._source.conditions(name.line)
        modifiers = {token.text for token in plain[:start]}
        made.partial = "partial" in modifiers
        made.abstract = not modifiers.isdisjoint(("abstract", "static"))
        rest = plain[place + 1 :]
        made.arity, rest = _parameters(rest)
        made.bases, is_clear = _bases(rest, every=self._is_conditional)
        made.unclear = not is_clear
        self._types.append(made)
        if rest[:1] and rest[0].text == "(":  # of a record: each parameter is a property
            made.properties.update(token.text for token in rest)
        return made

    def _scope(self) -> tuple[str, tuple[str, ...]]:
        spaces = [self._file_namespace, *(item for item in self._open if isinstance(item, str))]
        return ".".join(filter(None, spaces)), tuple(item.name for item in self._open if isinstance(item, _Type))

    def _statement(self, head: _Head) -> None:
        """Read a statement: directive, field, method or type without a body."""
        plain, _ = _without_attributes(head.tokens)
        texts = [token.text for token in plain]
        if texts[:2] == ["global", "using"]:
            texts = texts[1:]
        if texts[:1] == ["using"]:
            self._using(texts[1:], plain[0].line)
        elif texts[:1] == [_NAMESPACE]:
            self._file_namespace = "".join(texts[1:])
        elif _DELEGATE in texts and not head.has_value:
            self._delegate(plain)
        elif _type_at(plain) >= 0 and not head.has_value:
            self._declared(plain, _type_at(plain))
        else:
            self._member(head.tokens, has_body=False)

    def _using(self, texts: list[str], line: int) -> None:
        if texts[1:2] == ["="]:
            self._aliases.add(texts[0])
        elif texts[:1] != ["static"]:
            name = "".join(texts).removeprefix("global::")
            self._usings.add(name)
            if not self._source.conditions(line):
                self._imports.append((name, line))

    def _delegate(self, plain: list[Token]) -> None:
        names = list(_called(plain))
        if names:
            self._types.append(_Type(_DELEGATE, names[-1].text, names[-1].line, self._scope()))

    def _member(self, head: list[Token], *, has_body: bool) -> None:
        """Add a member to the innermost open type."""
        if not self._open or not isinstance(self._open[-1], _Type) or not head or head[0].text == "=":
            return
        owner = self._open[-1]
        plain, attributes = _without_attributes(head)
        said = _texts(attributes)
        earlier = list(_former(attributes))
        owner.unclear |= len(earlier) < said.count(_RENAMED) + said.count(f"{_RENAMED}Attribute")
        if owner.kind == "enum" or not plain:
            return
        declared, is_expression = _before_value(plain)
        owner.methods.update(token.text for token in _called(declared))
        if has_body or is_expression:
            owner.parameters += _with_parameters(declared)
        last = [names[-1] for part in _parts(declared) if (names := [token.text for token in part if _is_name(token)])]
        owner.renamed += [FormerName(token.text[1:], ", ".join(last), token.line) for token in earlier]
        if has_body or is_expression or any(token.text == "event" for token in plain):
            owner.properties.update(last[-1:] if has_body or is_expression else last)
        if not has_body and not is_expression:
            owner.fields.update(last)
            owner.types.update(dict.fromkeys(last, _type_before(declared, last)))
            why = self._why_unstored(_texts(declared), said)
            owner.unstored.update(dict.fromkeys(last if why else (), why))
        elif has_body and last:
            field = f"<{last[-1]}>k__BackingField"
            owner.types[field] = _type_before(declared, last)
            if not self._may_be_stored(said):
                owner.unstored[field] = "is a property without [field: SerializeField]"

    def _why_unstored(self, declared: list[str], attributes: list[str]) -> str:
        """Return why Unity certainly does not serialize a field, or ``""``.

        A modifier may be in one branch of ``#if`` alone.
        """
        if "public" not in declared and not self._may_be_stored(attributes):
            return "is neither public nor [SerializeField]"
        if self._is_conditional:
            return ""
        if _has(attributes, _NOT_STORED):
            return "is [NonSerialized]"
        return next((f"is {word}" for word in _NEVER_STORED if word in declared), "")

    def _may_be_stored(self, attributes: list[str]) -> bool:
        return any(_has(attributes, name) for name in _STORED) or not self._aliases.isdisjoint(attributes)


def _without_attributes(head: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """Return a head after its attributes, and these."""
    at = depth = 0
    while at < len(head) and (depth or head[at].text == "["):
        depth += head[at].text in "([{"
        depth -= head[at].text in ")]}"
        at += 1
    return list(head[at:]), list(head[:at])


def _texts(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens]


def _has(attributes: list[str], name: str) -> bool:
    return name in attributes or f"{name}Attribute" in attributes


def _former(attributes: Sequence[Token]) -> Iterator[Token]:
    """Yield the names that attributes give as former ones, as literals."""
    for at, token in enumerate(attributes):
        texts = _texts(attributes[at + 1 : at + 6])
        if token.text.removesuffix("Attribute") == _RENAMED and texts[:1] == ["("]:
            start = 3 if texts[1:3] == ["oldName", ":"] else 1
            if texts[start].startswith('"') and texts[start + 1 : start + 2] == [")"]:
                yield attributes[at + 1 + start]


def _type_at(plain: Sequence[Token]) -> int:
    """Return the position of a type's keyword, -1 without one."""
    for at, token in enumerate(plain[:-1]):
        if token.text in (":", "(", "=", "where"):
            return -1
        if token.text in _KINDS and _name_at(plain, at) >= 0:
            return at
    return -1


def _name_at(plain: Sequence[Token], start: int) -> int:
    """Return the position of the name behind a type's keyword, or -1.

    ``record struct`` has two words in front of it.
    """
    for place in range(start + 1, len(plain)):
        if plain[place].text not in ("class", "struct"):
            return place if _is_name(plain[place]) else -1
    return -1


def _parameters(rest: list[Token]) -> tuple[int, list[Token]]:
    """Return the number of type parameters, and the rest."""
    if not rest or rest[0].text != "<":
        return 0, rest
    depth = count = 0
    for at, token in enumerate(rest):
        if token.text == "<":
            depth += 1
        elif token.text == ">":
            depth -= 1
            if depth == 0:
                return count + 1, rest[at + 1 :]
        elif token.text == "," and depth == 1:
            count += 1
    return count + 1, []


def _bases(rest: Sequence[Token], *, every: bool) -> tuple[list[Base], bool]:
    """Return possible base classes and whether they are certain.

    Without ``every`` only the first.
    """
    texts: list[str] = []
    depth = 0
    for token in rest:  # arguments of a record or of its base in between
        depth += token.text in "([{"
        if depth == 0:
            texts.append(token.text)
        depth -= token.text in ")]}"
    if "where" in texts:
        texts = texts[: texts.index("where")]
    if ":" not in texts:
        return [], not texts
    start = texts.index(":")
    found: list[Base] = []
    is_clear = start == 0
    own: list[str] = []
    depth = 0
    for text in [*texts[start + 1 :], ","]:
        depth += (text == "<") - (text == ">")
        if text == "," and depth == 0:
            base = _base(own)
            is_clear &= base is not None
            found += [base] if base is not None else []
            own = []
        else:
            own.append(text)
    return found if every else found[:1], is_clear


def _base(texts: list[str]) -> Base | None:
    if not texts or not _NOT_IN_BASES.isdisjoint(texts):
        return None
    end = texts.index("<") if "<" in texts else len(texts)
    arity = depth = 0
    for text in texts[end:]:
        depth += (text == "<") - (text == ">")
        arity += text == "," and depth == 1
    name = "".join(texts[:end]).replace("global::", "")
    qualifier, _, last = name.rpartition(".")
    is_whole = end == len(texts) or texts[-1] == ">"
    return Base(qualifier, last, arity + 1 if end < len(texts) else 0) if last.isidentifier() and is_whole else None


def _before_value(plain: list[Token]) -> tuple[list[Token], bool]:
    """Return a declaration without values; whether it is an expression."""
    found: list[Token] = []
    depth = 0
    is_value = False
    for token in plain:
        text = token.text
        if depth == 0 and text == "=>" and not is_value:
            return found, True
        if depth == 0 and text == "=":
            is_value = True
        depth += text in "([{"
        depth -= text in ")]}"
        # A comma between type arguments does not separate declarators; treating it as one adds a wrong name.
        is_value = is_value and not (depth == 0 and text == ",")
        if not is_value:
            found.append(token)
    return found, False


def _parts(declared: Sequence[Token], *, nested: bool = False) -> Iterator[list[Token]]:
    """Yield the declarators of a declaration: ``int a, b`` has two.

    ``nested``: with what is in brackets, as ``List<int> a`` has it.
    """
    own: list[Token] = []
    depth = 0
    for token in declared:
        text = token.text
        depth += text in "([{<"
        if text == "," and depth <= 0:
            yield own
            own = []
        elif depth <= 0 or nested:
            own.append(token)
        depth -= text in ")]}>"
    yield own


def _type_before(declared: Sequence[Token], names: Sequence[str]) -> str:
    """Return the type of a declaration's names, ``""`` if there is none."""
    texts = [token.text for token in declared if token.text not in _MODIFIERS]
    wanted = frozenset(names)  # of a million fields in one declaration each was looked for among all
    ends = [at for at, text in enumerate(texts) if text in wanted and texts[at + 1 : at + 2] in ([], [","])]
    return "".join(texts[: ends[0]]) if ends else ""


def _with_parameters(declared: Sequence[Token]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a method with the types of its parameters, without generic ones."""
    texts = _texts(declared)
    if texts[-1:] != [")"] or "(" not in texts:
        return
    at = texts.index("(")
    if at == 0 or not texts[at - 1].isidentifier() or at + 1 > len(texts):
        return
    kinds = []
    for part in _parts(declared[at + 1 : -1], nested=True):
        own = [text for text in _texts(_before_value(_without_attributes(part)[0])[0]) if text not in _PASSED]
        kinds.append("".join(own[:-1]))
    yield texts[at - 1], tuple(kinds) if texts[at + 1] != ")" else ()


def _called(plain: Sequence[Token]) -> Iterator[Token]:
    """Yield the names before parameters or type parameters."""
    for at, token in enumerate(plain[:-1]):
        if plain[at + 1].text in ("(", "<") and _is_name(token):
            yield token


def _is_name(token: Token) -> bool:
    return token.text.isidentifier()
