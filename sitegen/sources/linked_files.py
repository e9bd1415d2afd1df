"""Finds files of the same release that a document includes or links to: images, which the site
copies, and others.

The text is searched for possible addresses before it is parsed. After parsing, `located` replaces
the addresses in definitions: `image/NAME` is a file of the site, and `file:PATH` a file of the
repository, whose address depends on the release and is determined when a page is rendered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from html import escape, unescape
from pathlib import PurePosixPath
from urllib.parse import unquote

from sitegen import formats
from sitegen.model import (
    Document,
    Entry,
    EntryText,
    Problem,
    ProblemKind,
    Reading,
    Release,
    Source,
    Trouble,
    digest,
)
from sitegen.text import images
from sitegen.text.decoding import decode
from sitegen.text.memo import memo

MAX_IMAGES = 500
"""The maximum number of images of one source."""
MAX_SHOWN = 3
"""The maximum number of dead links that a problem names."""
MAX_TARGETS = 20_000
"""Size of the cache of the paths of links, which are mostly the same in each release."""

MAX_INCLUDED = 50
"""The maximum number of files that one document includes, directly or indirectly."""
MAX_INCLUDE_DEPTH = 4
MAX_INCLUDED_LENGTH = 1_000_000
"""The maximum total number of characters in included files."""

IMAGE = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg)$", re.I)
NAME = r"([^\s()<>\[\]\"'`#:?,|{}]+)"
TARGETS = (
    ("](", re.compile(rf"\]\(<?{NAME}(?=[\s)>#?])")),
    ("]:", re.compile(rf"^ {{0,3}}\[[^\]\n]+\]:[ \t]*<?{NAME}", re.M)),
    ("src=", re.compile(rf"src(?<!\wsrc)=[{{(\"']*(?:require\([\"'])?{NAME}")),
    ("href=", re.compile(rf"href(?<!\whref)=[\"']?{NAME}")),
    ("image", re.compile(rf"image(?<!\wimage)(?:::?|\}})[ \t]*{NAME}")),
    ("figure", re.compile(rf"figure(?<!\wfigure)(?:::|\}})[ \t]*{NAME}")),
    ("link:", re.compile(rf"link(?<!\wlink):{NAME}[#\[]")),
    (">`_", re.compile(rf"<{NAME}(?:#[^<>`\s]*)?>`_")),
    (".. _", re.compile(rf"^[ \t]*\.\. _[^:\n]+:[ \t]+{NAME}[ \t]*$", re.M)),
    (":doc:", re.compile(rf":doc:`+(?:[^`<]*<)?{NAME}")),
    ("{doc}", re.compile(rf"\{{doc\}}`+(?:[^`<]*<)?{NAME}")),
    ("{", re.compile(rf"\{{[<%]\s*(?:rel)?ref\s+[\"']?{NAME}")),
    ("{% link", re.compile(rf"\{{% link[ \t]+{NAME}")),
)
"""For each kind of address, a text that it always contains, and its pattern.

Each pattern begins with literal letters, not with `\\b`, so that `re` can search for these first.
"""
ENDINGS = (
    "",
    ".md",
    ".rst",
    ".mdx",
    ".adoc",
    ".markdown",
    ".txt",
    ".html",
    "/index.md",
    "/index.rst",
    "/README.md",
)
PAGE = re.compile(r"\.html?$|/$")
LINK = re.compile(
    r'(?<=<a)(?P<class>(?: class="image")?) '
    r'href="(?!term:|[a-z][a-z+.-]*://|mailto:|image/|file:|#)'
    r'(?P<role>(?:doc:)?)(?P<path>[^"#?]*)(?P<rest>[^"]*)"',
    re.I,
)

ReadFile = Callable[[str], str | None]
"""Returns the text of the file at a path of the repository; None if there is none or it cannot be
read."""


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """The files of one release, by their paths."""

    has: Callable[[str], bool]
    read: Callable[[str], bytes | None]
    """Returns the content of a file; None if there is none, or it may not be read."""


def with_files(
    source: Source, files_of: Callable[[Release], ReleaseFiles], *, encoding: str = ""
) -> Source:
    """Returns a source whose documents have their included and linked files.

    `files_of` returns the files of a release. A problem that an image has at several releases is
    reported once. A document is not read if an error of the disk leaves open whether there is such
    a file.
    """
    linker = _Linker(encoding)
    releases = tuple(linker.release(one, files_of(one)) for one in source.releases)
    problems = (*source.problems, *linker.problems.values())
    return replace(source, releases=releases, problems=problems, images=linker.images)


class _Linker:
    """Finds the included and linked files of the documents of a source."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self.images: dict[str, bytes] = {}
        self.problems: dict[str, Problem] = {}
        """The first problem for each thing that was found."""

    def release(self, release: Release, files: ReleaseFiles) -> Release:
        """Returns a release whose documents have their files."""
        own_names = {document.name for document in release.documents}
        documents = []
        unread = {**release.unread}
        for document in release.documents:
            read = _text_reader(document, files, own_names, self.encoding)
            try:
                linked, problems = _with_files(with_includes(document, read), files, self.images)
            except OSError as error:
                found = f"a file that it links to cannot be read: {error.strerror}"
                trouble = Trouble(ProblemKind.UNREADABLE, found)
                self.problems.setdefault(found, trouble.at(document.path))
                unread[document.name] = trouble
                continue
            documents.append(linked)
            for problem in problems:
                self.problems.setdefault(problem.found, problem)
        return replace(release, documents=tuple(documents), unread=unread)


def _text_reader(
    document: Document, files: ReleaseFiles, own_names: Collection[str], encoding: str
) -> ReadFile:
    """Returns a function that reads included files. Other documents of the source (`own_names`) add
    nothing."""

    def read(path: str) -> str | None:
        if path in own_names and path != document.name:
            return ""
        content = files.read(path)
        return None if content is None else decode(content, path=path, configured=encoding).text

    return read


def _with_files(
    document: Document, files: ReleaseFiles, copied: MutableMapping[str, bytes]
) -> tuple[Document, Iterable[Problem]]:
    """Returns a document with its files, and the problems with its images, which are added to
    `copied`."""
    places: dict[str, str] = {}
    problems: list[Problem] = []
    for target in _targets("\n".join([document.text, *(text for _, text in document.includes)])):
        path = next((path for path in _paths(document.name, target) if files.has(path)), None)
        if path is None:
            continue
        places[target] = f"file:{path}"
        if IMAGE.search(path):
            try:
                places[target] = _copied(files.read(path), copied)
            except images.ImageError as error:
                found = f"the image '{target}' is not copied: {error}"
                trouble = Trouble(
                    ProblemKind.NOT_READ, found, "its alternative text is shown instead"
                )
                problems.append(trouble.at(document.path))
    return (replace(document, files=tuple(places.items())) if places else document), problems


def _copied(content: bytes | None, copied: MutableMapping[str, bytes]) -> str:
    """Adds an image to those of the site and returns its path. Raises `ImageError`."""
    if content is None:
        raise images.ImageError("it cannot be read")
    suffix, content = images.checked(content)
    path = f"image/{sha256(content).hexdigest()[:20]}.{suffix}"
    if path not in copied and len(copied) >= MAX_IMAGES:
        raise images.ImageError(f"the source has more than {MAX_IMAGES} images")
    copied[path] = content
    return path


@memo
def _targets(text: str) -> tuple[str, ...]:
    """Returns the possible addresses of files in a text."""
    patterns = (pattern for sign, pattern in TARGETS if sign in text)
    found = (target for pattern in patterns for target in pattern.findall(text))
    return tuple(dict.fromkeys(unquote(target) for target in found))


@lru_cache(maxsize=MAX_TARGETS)
def _paths(name: str, target: str) -> tuple[str, ...]:
    """Returns the possible paths of a link in the document `name`; generators omit suffixes in
    links."""
    pages = ((path, PAGE.sub("", path)) for path in _resolved(name, target))
    paths = (
        one
        for path, page in pages
        if page
        for one in (path, *(page + ending for ending in ENDINGS))
    )
    return tuple(dict.fromkeys(paths))


def _resolved(name: str, target: str) -> Iterator[str]:
    """Yields the paths that a target in the document `name` may mean; none for a URL, or outside of
    the repository.

    A target that begins with `/` is relative to the root of the documentation, a folder above the
    document.
    """
    if "://" in target or "\\" in target:
        return
    path = PurePosixPath(name)
    for folder in reversed(path.parents) if target.startswith("/") else [path.parent]:
        resolved = os.path.normpath(folder / target.lstrip("/"))
        if resolved not in (".", "..") and not resolved.startswith("../"):
            yield resolved


def located(reading: Reading, document: Document) -> Reading:
    """Returns a reading whose links and images lead to the files of the document.

    All dead ones together are one problem. With a `docs_url`, links (but not images) may lead to
    pages below it, so they are not reported.
    """
    places = dict(document.files)
    dead: dict[str, int] = {}
    entries = tuple([_located(entry, places, dead) for entry in reading.entries])
    if document.has_pages:
        dead = {href: line for href, line in dead.items() if IMAGE.search(href)}
    if not dead:
        return reading if entries == reading.entries else replace(reading, entries=entries)
    names = ", ".join(f"'{href}'" for href in list(dead)[:MAX_SHOWN]) + (
        ", …" if len(dead) > MAX_SHOWN else ""
    )
    problem = Trouble(
        ProblemKind.MISSING,
        f"links to {names} are shown as text: no such file, or no address of it, is known",
        "correct them, or set the source's docs_url",
    ).at(document.path, line=next(iter(dead.values())))
    return replace(reading, entries=entries, problems=(*reading.problems, problem))


def _located(entry: Entry, places: dict[str, str], dead: dict[str, int]) -> Entry:
    links = _links(entry.text.definition.html)
    if not links:
        return entry
    new_links = []
    for link in links:
        path = unquote(unescape(link["path"]))
        place = f"https:{path}" if path.startswith("//") else places.get(path, "")
        if not place and not link["role"]:  # a role without a target is shown as text, like :ref:
            dead.setdefault(path + unescape(link["rest"]), entry.line)
        new_links.append(
            (link[0], f'{link["class"]} href="{escape(place)}{link["rest"]}"' if place else link[0])
        )
    return entry._replace(text=_with_places(entry.text, tuple(new_links)))


@memo
def _links(html: str) -> tuple[re.Match[str], ...]:
    """Returns the links and images that lead to files. Memoized, as it is called for each entry of
    each release."""
    return () if html.count("<a") == html.count('href="term:') else tuple(LINK.finditer(html))


@memo
def _with_places(text: EntryText, places: tuple[tuple[str, str], ...]) -> EntryText:
    html = text.definition.html
    for link, place in dict(places).items():
        html = html.replace(f"<a{link}", f"<a{place}")
    return replace(text, definition=replace(text.definition, html=html))


def with_includes(document: Document, read: ReadFile) -> Document:
    """Returns the document with its `includes`. Files that are outside, missing or above a limit
    are left out."""
    remaining = [MAX_INCLUDED, MAX_INCLUDED_LENGTH]
    includes = [
        (target, text)
        for target in formats.included(document.text)
        if (text := _included_text(document.name, target, read, remaining, depth=1)) is not None
    ]
    if not includes:
        return document
    texts = [text.encode(errors="surrogatepass") for _, text in includes]
    file_digest = digest(document.file_digest, *texts)
    return replace(document, includes=tuple(includes), file_digest=file_digest)


def _included_text(
    name: str, target: str, read: ReadFile, remaining: list[int], *, depth: int
) -> str | None:
    """Returns the text of an included file, with its own include directives replaced by the
    included text."""
    if depth > MAX_INCLUDE_DEPTH or remaining[0] == 0:
        return None
    found = ((path, read(path)) for path in _resolved(name, target))
    path, text = next(((path, text) for path, text in found if text is not None), ("", None))
    if not text:
        return text
    if len(text) > remaining[1]:
        return None
    remaining[0] -= 1
    remaining[1] -= len(text)
    lines = []
    for line in text.split("\n"):
        inner = next(iter(formats.included(line)), None)
        included = _included_text(path, inner, read, remaining, depth=depth + 1) if inner else None
        margin = line[: len(line) - len(line.lstrip())]
        lines += [line] if included is None else [f"{margin}{one}" for one in included.split("\n")]
    return "\n".join(lines)
