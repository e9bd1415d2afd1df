"""What a document says about its terms: entries, with names and definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from sitegen.model.problems import Problem

Status = Literal["preferred", "admitted", "deprecated"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """The location of a document."""

    source: str
    release: str
    path: str
    """The path shown to readers, relative to the site's root: `pytorch/1.8.2/docs/glossary.rst`."""
    name: str
    """The path within the release, the same in all releases unless the file moves:
    `docs/glossary.rst`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Designation:
    text: str
    status: Status = "preferred"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A reference to another term in a definition: the name it refers to, and the text it shows."""

    target: str
    text: str
    start: int
    """The position of the reference in the plain text of the definition."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prose:
    """A definition as HTML, plain text and references.

    Only `sitegen.text.prose` creates instances, so that all HTML passes one sanitizer.
    """

    html: str
    """Sanitized HTML. References to terms are `<a href="term:NAME">words</a>` until the pages
    resolve them."""
    text: str
    """Plain text, blocks separated by blank lines."""
    code: tuple[tuple[int, int], ...] = ()
    """Ranges of `text` (start, end) that are code, which is compared character by character."""
    references: tuple[Reference, ...] = ()

    def __hash__(self) -> int:
        # Different definitions have different HTML, and Python caches the hash of a string.
        return hash(self.html)


SORT_KEY = "sort_key"
"""The metadata with the text by which lists sort an entry (kana, pinyin)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryText:
    """The content of an entry without its place. Releases with the same content share the
    object."""

    designations: tuple[Designation, ...]
    """Never empty; the first is the preferred one."""
    definition: Prose
    section: str = ""
    """The heading above the entry, if the document has sections of terms."""
    anchors: tuple[str, ...] = ()
    """Targets of links from the same source to this entry: a heading's id, a file's stem."""
    deprecated: bool = False
    """True if front matter or a directive marks it. (`history.relations` finds deprecation in the
    text.)"""
    metadata: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Other keys of front matter with their texts, which are data for other programs, and the
    `SORT_KEY`."""

    @property
    def sorted_name(self) -> str:
        """The text by which lists sort the entry: its sort key, else its name."""
        for key, texts in self.metadata:
            if key == SORT_KEY:
                return texts[0]
        return self.designations[0].text

    def __hash__(self) -> int:
        # These tell nearly all contents apart, and Python caches the hashes of strings.
        return hash((self.designations[0].text, self.definition.html, self.anchors))


class Entry(NamedTuple):
    """The entry of one term in one document. A tuple for speed: there is one for every term at
    every release."""

    text: EntryText
    place: Place
    line: int
    """The 1-based line of the name in the published document."""

    @property
    def name(self) -> str:
        return self.text.designations[0].text

    @property
    def designations(self) -> tuple[Designation, ...]:
        return self.text.designations

    @property
    def definition(self) -> Prose:
        return self.text.definition

    @property
    def section(self) -> str:
        return self.text.section

    @property
    def anchors(self) -> tuple[str, ...]:
        return self.text.anchors

    @property
    def deprecated(self) -> bool:
        return self.text.deprecated


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """The entries and problems that a format found in one document."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    omitted: tuple[str, ...] = ()
    """Names in the document that are no entries because of a problem, once it is parsed."""
    is_partial: bool = False
    """True if parts of the document could not be read."""
    is_auxiliary: bool = False
    """True if the document is meant to have no terms: the index page of a folder, or a template for
    new terms."""
