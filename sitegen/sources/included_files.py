"""Reads the files of the same release that a document includes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from sitegen import formats
from sitegen.model import Document, digest
from sitegen.sources.link_targets import resolved_paths
from sitegen.sources.section_titles import ReleaseFiles
from sitegen.text.decoding import decode

MAX_INCLUDED = 50
"""The maximum number of files that one document includes, directly or indirectly."""
MAX_INCLUDE_DEPTH = 4
MAX_INCLUDED_LENGTH = 1_000_000
"""The maximum total number of characters in included files."""


def with_includes(
    document: Document,
    files: ReleaseFiles,
    *,
    own_names: Collection[str] = (),
    encoding: str = "",
) -> Document:
    """Returns the document with its `includes`. Files that are outside, missing or above a limit
    are left out; other documents of the source (`own_names`) add nothing."""
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
    file_digest = digest(document.file_digest, *texts)
    return replace(document, includes=tuple(includes), file_digest=file_digest)


class _IncludedTexts:
    """The texts of the files that one document includes, directly or indirectly."""

    def __init__(self, files: ReleaseFiles, empty: Collection[str], encoding: str) -> None:
        self._files = files
        self._empty = empty
        self._encoding = encoding
        self._files_left = MAX_INCLUDED
        self._length_left = MAX_INCLUDED_LENGTH

    def find(self, name: str, target: str, *, depth: int) -> str | None:
        """Returns the text of a file that the document `name` includes, with its own include
        directives replaced by the included text."""
        if depth > MAX_INCLUDE_DEPTH or self._files_left == 0:
            return None
        for path in resolved_paths(name, target):
            text = self._read(path)
            if text is not None:
                return self._with_included(text, path, depth=depth + 1)
        return None

    def _with_included(self, text: str, path: str, *, depth: int) -> str | None:
        """Returns the text of a file with what it includes; None if it is too long."""
        if not text:
            return text
        if len(text) > self._length_left:
            return None
        self._files_left -= 1
        self._length_left -= len(text)
        lines = text.split("\n")
        return "\n".join([self._expanded(line, path, depth=depth) for line in lines])

    def _read(self, path: str) -> str | None:
        if path in self._empty:
            return ""
        content = self._files.read(path)
        if content is None:
            return None
        return decode(content, path=path, configured=self._encoding).text

    def _expanded(self, line: str, path: str, *, depth: int) -> str:
        """Returns a line, or the text that it includes, indented like it."""
        targets = formats.included(line)
        if not targets:
            return line
        text = self.find(path, targets[0], depth=depth)
        if text is None:
            return line
        margin = line.removesuffix(line.lstrip())
        return "\n".join([f"{margin}{one}" for one in text.split("\n")])
