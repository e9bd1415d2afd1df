"""Reads the files of the same release that a document includes, and finds the paths that the target
of an include directive or of a link may mean."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.model import Document, digest
from sitegen.sources.trees import TreeFiles
from sitegen.text.decoding import decode

MAX_INCLUDED = 1_000
"""The maximum number of files that one document includes, directly or indirectly."""
MAX_INCLUDE_DEPTH = 4
MAX_INCLUDED_LENGTH = 1_000_000
"""The maximum total number of characters in included files."""

IMAGE = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg)$", re.I)
"""Matches the suffix of a path to an image."""
SITE_ROOT = "@site/"
"""The root of the documentation, in Docusaurus."""
STATIC_FOLDERS = ("", "static", "public")
"""Folders whose files generators publish at the root of a site."""
ANTORA_MODULES = "modules"
"""The folder of a component of Antora that has its modules."""
ANTORA_ASSETS = ("", "assets")
"""Folders of a module in which the folder of its images is: the module itself, and `assets` in
earlier versions."""
ANTORA_RESOURCE = re.compile(
    r"(?:(?:[^:$]*:)?(?P<module>[\w-]+):)?(?P<family>attachment|example|image|page|partial)\$"
    r"(?P<path>.+)"
)
"""A resource of Antora: `partial$note.adoc`, `shop:image$saw.png`, `2.0@tools:shop:page$x.adoc`."""


def with_includes(
    document: Document,
    files: TreeFiles,
    *,
    own_names: Collection[str] = (),
    encoding: str = "",
) -> Document:
    """Returns the document with the texts of the files that it includes.

    Files that are missing, outside the repository or too large are left out. Of other documents of
    the source (`own_names`) nothing is included, as they are read themselves.
    """
    others = frozenset(own_names) - {document.name}
    included = _IncludedTexts(files, others, encoding)
    includes = []
    for target in formats.included(document.text):
        text = included.find(document.name, target, depth=1)
        if text is not None:
            includes.append((target, text))
    if not includes:
        return document
    texts = [text.encode(errors="surrogatepass") for _, text in includes]
    # If an included text changes, the document has another digest.
    file_digest = digest(document.file_digest, *texts)
    return replace(document, includes=tuple(includes), file_digest=file_digest)


@dataclass
class _IncludedTexts:
    """The texts of the files that one document includes, directly or indirectly."""

    files: TreeFiles
    empty: Collection[str]
    """The paths of files that add nothing."""
    encoding: str
    files_left: int = MAX_INCLUDED
    length_left: int = MAX_INCLUDED_LENGTH

    def find(self, name: str, target: str, *, depth: int) -> str | None:
        """Returns the text of a file that the document `name` includes, with the texts that this
        file includes. Returns None if there is no such file, or if it would be too much: too deep,
        too many files, or too long."""
        if depth > MAX_INCLUDE_DEPTH or self.files_left == 0:
            return None
        for path in resolved_paths(name, target):
            text = self._read(path)
            if text is not None:  # it is there, so no other path is meant
                return self._with_included(text, path, depth=depth + 1)
        return None

    def _with_included(self, text: str, path: str, *, depth: int) -> str | None:
        """Returns the text of a file with what it includes; None if it is too long."""
        # An empty file counts against no limit. Another document of the source is read as empty.
        if not text:
            return ""
        if len(text) > self.length_left:
            return None
        self.files_left -= 1
        self.length_left -= len(text)
        lines = text.split("\n")
        return "\n".join([self._with_line_expanded(line, path, depth=depth) for line in lines])

    def _read(self, path: str) -> str | None:
        """Returns the text of a file, or None if it does not exist. The text of another document of
        the source is empty."""
        if path in self.empty:
            return ""
        content = self.files.read(path)
        if content is None:
            return None
        return decode(content, path=path, configured=self.encoding).text

    def _with_line_expanded(self, line: str, path: str, *, depth: int) -> str:
        """Returns the text that a line includes, indented like the line; a line that includes
        nothing is returned unchanged."""
        targets = formats.included(line)
        if not targets:
            return line
        text = self.find(path, targets[0], depth=depth)
        if text is None:
            return line
        margin = line.removesuffix(line.lstrip())
        return "\n".join([f"{margin}{included_line}" for included_line in text.split("\n")])


# What a target may mean.


def resolved_paths(name: str, target: str) -> Iterator[str]:
    """Yields the paths in the repository that a target in the document `name` may mean; none for a
    URL.

    A target such as `/b.md` may be below any folder above the document, or below a folder of static
    files there.

    >>> [*resolved_paths("docs/a/words.md", "../b.md")]
    ['docs/b.md']
    >>> [*resolved_paths("docs/words.md", "/b.md")][:3]
    ['b.md', 'docs/b.md', 'static/b.md']
    """
    if "://" in target or "\\" in target:
        return
    places: Iterable[PurePosixPath] = [PurePosixPath(name).parent / target]
    if target.startswith(("/", SITE_ROOT)):
        places = _places_below_roots(name, target)
    for place in chain(places, _antora_places(name, target)):
        resolved = os.path.normpath(place)
        if resolved not in (".", "..") and not resolved.startswith("../"):
            yield resolved


def _places_below_roots(name: str, target: str) -> Iterator[PurePosixPath]:
    """Yields the places of a target below each folder above a document, which may be the root of
    the documentation."""
    below = target.removeprefix(SITE_ROOT).lstrip("/")
    for static in STATIC_FOLDERS:
        for root in reversed(PurePosixPath(name).parents):
            yield root / static / below


def _antora_places(name: str, target: str) -> Iterator[PurePosixPath]:
    """Yields the places that a target may mean in Antora: `modules/shop/partials/note.adoc` for
    `partial$note.adoc` in the module `shop`, and `modules/shop/images/saw.png` for `saw.png`."""
    parts = PurePosixPath(name).parts
    if ANTORA_MODULES not in parts[:-1]:
        return
    number = parts.index(ANTORA_MODULES) + 1
    modules, own_module = PurePosixPath(*parts[:number]), parts[number]
    for assets in ANTORA_ASSETS:
        resource = ANTORA_RESOURCE.fullmatch(target)
        if resource:
            module = modules / (resource["module"] or own_module)
            yield module / assets / f"{resource['family']}s" / resource["path"]
        elif IMAGE.search(target) and ":" not in target:
            yield modules / own_module / assets / "images" / target
