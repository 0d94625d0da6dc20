"""Selection of objects by class, file, name, container path or words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.engine.classes import class_number
from assetdb_formats.globs import name_matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assetdb.builds.build import Build

_LONGEST_NUMBER: Final = 20


class Thing(NamedTuple):
    """Objects or files that a word means, and how they matched."""

    by: str
    objects: tuple[int, ...] = ()
    files: tuple[int, ...] = ()


def select(build: Build, classes: Sequence[str] = (), files: Sequence[str] = ()) -> Iterator[int]:
    """Yield the objects of some classes in some files.

    Classes are names, numbers, or classes of scripts; files are patterns.
    """
    wanted = {name.casefold() for name in classes}
    numbers = {int(name) for name in wanted if _is_number(name)}
    numbers |= {number for name in classes if (number := class_number(name)) is not None}
    matchers = [name_matcher(pattern.casefold()) for pattern in files]
    for file in build.files:
        if matchers and not is_in(matchers, file.name.casefold()):
            continue
        for number in file.numbers:
            if not wanted or _is_of(build, number, wanted, numbers):
                yield number


def known_classes(build: Build) -> set[str]:
    """Return the names of the classes and scripts in a build."""
    scripts = {script.full_name for script in build.scripts.values()} | {s.name for s in build.scripts.values()}
    return {build.class_name(number) for number in set(build.class_ids)} | scripts


def is_in(matchers: Sequence[Callable[[str], bool]], name: str) -> bool:
    """Whether a path, its head, its tail or a part matches."""
    parts = name.split("/")
    tails = ["/".join(parts[start:]) for start in range(len(parts))]
    heads = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    return any(match(text) for match in matchers for text in (*tails, *heads, *parts))


def _is_of(build: Build, number: int, wanted: set[str], numbers: set[int]) -> bool:
    class_id = build.class_ids[number]
    if class_id in numbers or build.class_name(class_id).casefold() in wanted:
        return True
    script = build.script(number)
    return script is not None and (script.name.casefold() in wanted or script.full_name.casefold() in wanted)


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < _LONGEST_NUMBER


def search(build: Build, matches: Callable[[str], object], numbers: Iterator[int]) -> Iterator[int]:
    """Yield the objects that match by name, container path or script."""
    containers = build.containers
    for number in numbers:
        texts = [build.name(number), *containers.get(number, ())]
        script = build.script(number)
        if script is not None:
            texts.append(script.full_name)
        if any(text and matches(text) for text in texts):
            yield number


def lookup(build: Build, word: str) -> Thing | None:
    """Return the objects or files that a word means.

    ``FILE#PATHID`` or ``FILE:PATHID``, a PathID, a container path, a file, else a name.
    """
    if not word:
        return None
    for separator in ("#", ":"):
        head, found, tail = word.rpartition(separator)
        if found and _is_number(tail):
            objects = [
                number
                for file in files_named(build, head)
                if (number := build.find_object(file, int(tail))) is not None
            ]
            if objects:
                return Thing("PathID", tuple(objects))
    if _is_number(word):
        value = int(word)
        found_objects = tuple(number for number, path_id in enumerate(build.path_ids) if path_id == value)
        if found_objects:
            return Thing("PathID", found_objects)
    folded = word.casefold()
    contained = tuple(
        number
        for number, paths in sorted(build.containers.items())
        if any(path.casefold() in (folded, f"resources/{folded}") for path in paths)
    )
    if contained:
        return Thing("container path", contained)
    files = files_named(build, word)
    if files:
        return Thing("file", (), tuple(files))
    named = tuple(number for number in range(len(build)) if build.name(number) == word)
    if not named:
        named = tuple(number for number in range(len(build)) if build.name(number).casefold() == folded != "")
    return Thing("name", named) if named else None


def files_named(build: Build, word: str) -> list[int]:
    """Return the files named by file or part, whole or last component."""
    folded = word.casefold().rstrip("/")
    if not folded:
        return []
    exact = [file.number for file in build.files if file.name.casefold() == folded]
    parts = {number for number, part in enumerate(build.parts) if part.name.casefold() == folded}
    if not exact and not parts:
        exact = [file.number for file in build.files if file.name.casefold().endswith(f"/{folded}")]
        parts = {number for number, part in enumerate(build.parts) if part.name.casefold().endswith(f"/{folded}")}
    return exact or [file.number for file in build.files if file.part in parts]


def known_words(build: Build) -> set[str]:
    """Return the names, container paths and files to suggest."""
    paths = {path for paths in build.containers.values() for path in paths}
    return {*filter(None, (build.name(number) for number in range(len(build)))), *paths} | {
        file.name for file in build.files
    }
