"""Glossaries in a repository that nobody has pointed to yet, and every place each of them had: for `sitegen init`.

A file is a candidate by its name, and a glossary when a format finds terms in it. Where it was before is told by git,
which follows renames; and where a move changed too much for that, by the names that both places define.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sitegen import formats
from sitegen.config.repositories import without_password
from sitegen.model import Document, Problem
from sitegen.sources.git.clones import Clones
from sitegen.sources.git.process import GitError, Objects, run
from sitegen.sources.git.reading import open_repository
from sitegen.sources.git.refs import read_points, read_refs
from sitegen.sources.git.tags import EVERY_VERSION, Point
from sitegen.sources.git.trees import Trees
from sitegen.text.decoding import MAX_BYTES, decode

TELLING = re.compile(
    r"glossar|terminolog|vocabular|(?:^|[^a-z])terms(?![a-z]|[^a-z]?(?:and|of|use|service))", re.IGNORECASE
)
STEMS = ("glossar", "terminolog", "vocabular", "terms")
PATTERNS = tuple(f"**/*{''.join(f'[{letter}{letter.upper()}]' for letter in stem)}*" for stem in STEMS)
ENDINGS = frozenset(["", ".htm", ".html", ".markdown", ".md", ".rst", ".txt", *formats.suffixes()])
NOT_OURS = frozenset("fixtures node_modules test testdata tests third_party thirdparty vendor".split())

MIN_ENTRIES = 3
"""Terms of a glossary that is taken for one beside others."""
MAX_POINTS = 100
"""Releases that are looked at; of more than these, some are passed over."""
MAX_FILES = 500
"""Of one glossary, to count its terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    """A glossary that was found, with its `paths` as a source may give them."""

    paths: tuple[str, ...]
    """Where it was, newest place first: a file, or a folder that has a file for each term."""
    entries: int
    """How many terms its newest place has."""
    last: str
    """The newest tag or branch at which it is there."""
    is_current: bool
    """True when that is how the repository is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A candidate at the newest point that has it."""

    path: str
    files: Mapping[str, str]
    point: Point
    points: frozenset[str] = frozenset()
    """Tags and branches that have something at this path."""
    names: frozenset[str] = frozenset()
    """What it defines."""


def find_glossaries(
    repository: str, *, root: Path, clones: Clones
) -> tuple[tuple[Glossary, ...], tuple[Problem, ...]]:
    """Returns the glossaries of a repository, current and large ones first.

    `repository` is a folder, seen from `root`, or an address.
    """
    place = without_password(repository)
    try:
        folder, problems = open_repository(repository, root=root, clones=clones)
        with Objects(folder) as objects:
            points = read_points(folder, objects, EVERY_VERSION, refs=read_refs(folder), head="HEAD", path=place)
            every = _sample((*points.tagged, *([points.head] if points.head else [])))
            found = [_read(objects, one) for one in _places(Trees(objects), every)]
            now = every[-1] if every else None
            large = [one for one in found if len(one.names) >= MIN_ENTRIES]
            return tuple(_glossaries(folder, large or [one for one in found if one.names], now)), problems
    except GitError as error:
        return (), (Problem(path=place, found=str(error)),)


def _sample(points: Sequence[Point]) -> Sequence[Point]:
    """Points at about equal distances, the newest among them."""
    step = -(-len(points) // MAX_POINTS) or 1
    return points[::-1][::step][::-1]


def _places(trees: Trees, points: Sequence[Point]) -> list[_Place]:
    """Every place that looks like a glossary's by its name, at the newest point that has it; newest first."""
    trees.fetch(point.tree for point in points)
    places: dict[str, _Place] = {}
    having: dict[str, set[str]] = defaultdict(set)
    for point in reversed(points):
        files = {path: id for pattern in PATTERNS for path, id in trees.find(point.tree, pattern).files.items()}
        for path, inside in _by_place(files).items():
            places.setdefault(path, _Place(path=path, files=inside, point=point))
            having[path].add(point.label)
    return [replace(place, points=frozenset(having[path])) for path, place in places.items()]


def _by_place(files: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Documents by the telling folder they are in, or by themselves when their own name tells."""
    places: dict[str, dict[str, str]] = defaultdict(dict)
    for path, id in sorted(files.items()):
        *folders, name = PurePosixPath(path).parts
        if PurePosixPath(name).suffix.lower() in ENDINGS and not NOT_OURS & set(folders):
            depth = next((depth for depth, folder in enumerate(folders, 1) if TELLING.search(folder)), None)
            if depth or TELLING.search(PurePosixPath(name).stem):
                places["/".join(folders[:depth]) if depth else path][path] = id
    # A folder with one file in it is no folder of terms.
    return {next(iter(inside)) if len(inside) == 1 else path: inside for path, inside in places.items()}


def _read(objects: Objects, place: _Place) -> _Place:
    """The place with the names it defines."""
    blobs = objects.read(list(place.files.values())[:MAX_FILES], limit=MAX_BYTES)
    texts = (decode(blob.data, path=place.path).text for blob in blobs if blob.data is not None)
    names = frozenset(name for text in texts if text is not None for name in _names(text, place.path))
    return replace(place, names=names)


def _names(text: str, path: str) -> Iterator[str]:
    document = Document(source="", release="", path=path, name=path, text=text)
    return (entry.name.casefold() for entry in formats.read(document).entries)


def _glossaries(folder: Path, places: Iterable[_Place], now: Point | None) -> list[Glossary]:
    """Puts together the places that one glossary had. `places` come newest first."""
    found: list[tuple[_Place, list[str]]] = []
    for place in places:
        if any(place.path in paths for _, paths in found):
            continue
        moved = None if place.point is now else _same(place, found)
        paths = moved or []
        paths += [path for path in (place.path, *_earlier(folder, place)) if path not in paths]
        if moved is None:
            found.append((place, paths))
    glossaries = [
        Glossary(
            paths=tuple(paths), entries=len(newest.names), last=newest.point.label, is_current=newest.point is now
        )
        for newest, paths in found
    ]
    return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))


def _same(place: _Place, found: Sequence[tuple[_Place, list[str]]]) -> list[str] | None:
    """The paths of the glossary that was not there yet and defines at least half of the same names, if any does."""
    for newer, paths in found:
        shared = len(newer.names & place.names)
        if place.point.label not in newer.points and 2 * shared >= min(len(newer.names), len(place.names)):
            return paths
    return None


def _earlier(folder: Path, place: _Place) -> list[str]:
    """What a file was called before, newest name first, as far as git can tell."""
    if place.path not in place.files:
        return []
    options = ("--follow", "--find-renames", "--diff-filter=R", "--name-status", "--format=", "-z")
    safe = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap", "--no-color")
    said = b""
    with suppress(GitError):
        told = ("--end-of-options", place.point.commit, "--", place.path)
        said = run(folder, "--literal-pathspecs", "log", *options, *safe, *told)
    # Similarity, old name, new name, and so on.
    return [name.decode("utf-8", "replace") for name in said.split(b"\0")[1::3]]
