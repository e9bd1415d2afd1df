"""Glossaries as their publishers keep them: sources, their releases, the documents of these, and
the entries of documents, with names and definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Literal, NamedTuple
from unicodedata import normalize

from sitegen.model.data_types import digest
from sitegen.model.problems import Problem, Trouble

MAX_ENTRIES = 35_000
"""The maximum number of entries of a document."""
SORT_KEY = "sort_key"
"""The metadata with the text by which lists sort an entry (kana, pinyin)."""

Status = Literal["preferred", "admitted", "deprecated"]


@dataclass(frozen=True, kw_only=True)
class Place:
    """The location of a document."""

    source: str
    release: str
    path: str
    """The path shown to readers, relative to the site's root: `pytorch/1.8.2/docs/glossary.rst`."""
    name: str
    """The path within the release, the same in all releases unless the file moves:
    `docs/glossary.rst`."""


@dataclass(frozen=True, kw_only=True)
class Designation:
    text: str
    status: Status = "preferred"


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A reference to another term in a definition: the name it refers to, and the text it shows."""

    target: str
    text: str
    start: int
    """The position of the reference in the plain text of the definition."""


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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
        # These fields tell nearly all contents apart, and Python caches the hashes of strings.
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


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The entries and problems that a format found in one document."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    omitted: tuple[str, ...] = ()
    """Names in the document that a problem keeps from being entries; set when it is parsed."""
    is_partial: bool = False
    """True if parts of the document could not be read."""
    is_auxiliary: bool = False
    """True if the document is meant to have no terms: the index page of a folder, or a template for
    new terms."""


@dataclass(frozen=True, kw_only=True)
class Document(Place):
    """One file of a source at one release."""

    text: str
    file_digest: bytes = b""
    """A digest of the bytes of the file, and of those that it includes; empty if they are not
    known."""
    format: str = ""
    """The format set in site.toml; empty to detect the format from the content."""
    section: str = ""
    """The heading of the only section to read, as set in site.toml; empty to read the whole
    file."""
    includes: tuple[tuple[str, str], ...] = ()
    """(name as written in the document, text) of each file that it includes."""
    files: tuple[tuple[str, str], ...] = ()
    """(address as written in the document, place) of each file that it may link to, see
    `sources.linked_files`."""
    has_pages: bool = False
    """True if the documents of its source are published at a known address."""
    max_entries: int = MAX_ENTRIES
    """The maximum number of entries. A document with more is not read at all: a term that is left
    out would seem removed."""
    reading: Reading | None = field(default=None, repr=False, compare=False)
    """The entries and problems of the document; None before it is parsed."""
    kept_as_text: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Names of earlier terms that its text still has, but not as entries. These terms are unread,
    not removed."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.reading.entries if self.reading else ()

    @property
    def is_read_in_full(self) -> bool:
        """True if all of its terms are known."""
        if self.reading is None:
            return False
        if self.reading.is_auxiliary:  # it is meant to have none
            return True
        return bool(self.entries) and not self.reading.is_partial

    @cached_property
    def digest(self) -> bytes:
        """A digest of the text, of the files that it includes or links to, and of two settings;
        computed once."""
        texts = [self.text, "pages" if self.has_pages else "", str(self.max_entries)]
        for pair in (*self.includes, *self.files):
            texts += pair
        return digest(*[text.encode(errors="surrogatepass") for text in texts])

    @cached_property
    def place(self) -> Place:
        return Place(source=self.source, release=self.release, path=self.path, name=self.name)

    def __hash__(self) -> int:
        return hash((self.release, self.path, self.digest))


ReleaseKind = Literal["tag", "folder", "branch", "dated"]
"""The form in which a publisher keeps a release. `dated` is a state of a branch at the end of a
day, month or year, after which the release is named."""

Origin = Literal["read", "archive"]
"""From where a release was read: `read` from the source itself, `archive` as it was published."""


@dataclass(frozen=True, kw_only=True)
class Release:
    """A named release of a source, with its documents.

    Releases are compared by their names, dates and so on, not by their documents.
    """

    name: str
    date: date | None = None
    commit: str = ""
    """The commit from which it was read; empty if it was not read from git."""
    time: int | None = field(default=None, repr=False, compare=False)
    """Seconds since 1970; None if the commit has no valid date."""
    kind: ReleaseKind = "folder"
    origin: Origin = "read"
    open: bool = False
    """True for the newest folder or dated state of a source, until a later one exists or site.toml
    says that it is final. Its words may be edited."""
    unreleased: bool = False
    """True for the head of a branch, which is not released yet."""
    link: str = ""
    line_pattern: str = ""
    """The pattern of links to lines, such as `https://…/blob/v1.8/{path}#L{line}`; empty unless the
    source is on a known forge."""
    page: str = ""
    """The address at which this release of the glossary is published, with `{name}` for the name of
    the file; empty if unknown."""
    label: str = ""
    """The tag, branch or folder, with which the paths of its documents begin."""
    tree: str = field(default="", repr=False, compare=False)
    """The id of the folder that contains the files."""
    files: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Maps the name of each file to the id of its content, before the documents are read."""
    documents: tuple[Document, ...] = field(default=(), repr=False, compare=False)
    """The documents that could be read, sorted by name."""
    unread: Mapping[str, Trouble] = field(default_factory=dict, repr=False, compare=False)
    """Maps the names of documents and folders that could not be read to the reason; an empty name
    means the whole release."""

    def __hash__(self) -> int:
        return hash((self.name, self.label))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of all documents, once these are parsed."""
        return tuple([entry for document in self.documents for entry in document.entries])

    @property
    def is_read(self) -> bool:
        """False if nothing could be read: what the glossary was at this release is unknown."""
        return bool(self.entries)

    @cached_property
    def sections(self) -> frozenset[str]:
        """The sections of all entries."""
        return frozenset([entry.section for entry in self.entries])

    @cached_property
    def names_read(self) -> tuple[str, ...]:
        """The names of the documents that were read in full."""
        return tuple(one.name for one in self.documents if one.is_read_in_full)

    @cached_property
    def kept_as_text(self) -> frozenset[str]:
        """The names of earlier terms that its documents have, but not as entries."""
        return frozenset().union(*[document.kept_as_text for document in self.documents])

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """The names of the documents that could not be read completely, in their order. Their
        missing terms are unknown, not removed. An empty name means the whole release."""
        partial = [one.name for one in self.documents if not one.is_read_in_full]
        return tuple(sorted([*self.unread, *partial]))

    @property
    def dated(self) -> bool:
        return self.kind == "dated"

    def with_each(self, change: Callable[[Document], Document]) -> Release:
        """Returns the release with every document changed."""
        return replace(self, documents=tuple(map(change, self.documents)))

    def path(self, name: str) -> str:
        """Returns the path of a file for messages and citations."""
        separator = ":"
        if not self.label or self.label.endswith("/"):
            separator = ""
        return f"{self.label}{separator}{normalize('NFC', name)}"


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """Tags or files of a source that are not read as releases for one reason."""

    reason: Literal["before", "pre-release", "excluded", "alias", "maintenance", "other"]
    """`before`: the release is older than the glossary. `alias`: a tag that repeats a release or
    moves, such as `v2` or `latest`. `maintenance`: a later release of an older version line, with
    its own wordings. `other`: a tag of something else."""
    names: tuple[str, ...]
    """The publisher's names of the tags or files, oldest first."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """One published glossary with its releases. Other sources may define the same terms: what they
    say changes nothing in this one."""

    id: str
    title: str
    releases: tuple[Release, ...]
    """Oldest first, beginning with the first that has the glossary."""
    retrieved: date | None = None
    complete: bool = False
    """True if the first release here is the first release of the glossary, so that its terms count
    as added in it."""
    skipped: tuple[Skipped, ...] = ()
    pending: Release | None = field(default=None, compare=False)
    """The state of the current branch, if it is not read and was edited after the newest
    release."""
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    images: Mapping[str, bytes] = field(default_factory=dict, repr=False, compare=False)
    """The images of its documents, by their paths in the site."""
    elsewhere: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Those paths of its documents and problems that lead to no file in the folder of site.toml:
    they are in a repository, or are addresses."""

    def __hash__(self) -> int:
        # Sources are keys of many lookups, and the id is unique within a site.
        return hash(self.id)

    @cached_property
    def undated(self) -> bool:
        """True for a single document without releases and history; its only `Release` has an empty
        name."""
        return any(release.name == "" for release in self.releases)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Maps the name of each release to its position, from 0 for the oldest."""
        return {release.name: number for number, release in enumerate(self.releases)}

    @cached_property
    def unreleased(self) -> frozenset[str]:
        """The names of the releases that are not released yet."""
        return frozenset([release.name for release in self.releases if release.unreleased])

    @cached_property
    def latest(self) -> str:
        """The name of the last published release, or of the last unreleased one if none is
        published."""
        for release in reversed(self.releases):
            if not release.unreleased:
                return release.name
        return self.releases[-1].name

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents of all releases, oldest first, then by name."""
        return tuple(document for release in self.releases for document in release.documents)
