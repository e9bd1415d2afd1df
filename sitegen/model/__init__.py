"""The data types that all other packages exchange: sources, releases, documents,
entries, problems.

The types for the history of terms are in `model.terms`. Values are passed between the stages of a
build (reading, merging, history, pages); they compute nothing except hashes and digests. What they
have in common is in `model.data_types`. ARCHITECTURE.md describes the data flow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import cached_property, partial
from itertools import repeat
from typing import Literal, NamedTuple
from unicodedata import normalize

from sitegen.model.data_types import counted as counted
from sitegen.model.data_types import digest as digest
from sitegen.model.data_types import first_of as first_of
from sitegen.model.data_types import grouped as grouped
from sitegen.model.data_types import listed as listed

Status = Literal["preferred", "admitted", "deprecated"]

Notify = Callable[[str], None]
"""Shows a few words about the progress of a command."""


class SitegenError(Exception):
    """An error that ends the command. Its message gives the place, what was found, and what would
    have worked."""


MAX_ENTRIES = 35_000
"""The default maximum number of entries of a document; `max_entries` in site.toml overrides it."""


class ProblemKind(StrEnum):
    """The cause of a problem, for programs and readers that act on it. docs/mistakes.md has the
    texts below."""

    LINK = "link"
    """A link of the built site, or an id in it, leads nowhere."""
    ADDRESS = "address"
    """A published address or id is lost, or the archive is damaged."""
    HOST = "host"
    """The host of the site does not accept a file, or the number of files."""
    SETTINGS = "settings"
    """site.toml has a mistake, or a table that has no effect: correct it at its line."""
    MISSING = "missing"
    """A file, folder, branch, tag or target of a link does not exist under the name that is given
    for it."""
    UNREADABLE = "unreadable"
    """The system refuses to read a file or a folder: see to permissions and disks."""
    REPOSITORY = "repository"
    """A repository is missing, damaged or cannot be reached, or git cannot be run."""
    SHALLOW = "shallow"
    """A clone lacks older releases: fetch its whole history."""
    RELEASES = "releases"
    """Which folders, tags or branches are releases is not clear, or not as expected: say it in
    site.toml."""
    OTHER_TAGS = "other-tags"
    """Tags that seem to be of something else are left out: name the right ones in `tags` or in
    `exclude`."""
    NOT_READ = "not-read"
    """A file or folder is not read because of its type or name, such as a link or an unsafe
    image."""
    FORMAT = "format"
    """A file is in a format that is not read: convert it, or unpack it."""
    LIMIT = "limit"
    """Something is larger, longer, deeper or more than contributing/limits.md allows."""
    ENCODING = "encoding"
    """A text is not in the expected character set, is damaged, or has invisible characters: save it
    as UTF-8."""
    MARKUP = "markup"
    """Markup is wrong or not supported: correct it, or write the text without it."""
    NO_TERMS = "no-terms"
    """A document, or a section of it, has no terms: see docs/sources.md for what is read as one."""
    ENTRY = "entry"
    """A term has no definition, no name or a second definition, or may be no term: correct it at
    its line."""
    DIFFERS = "differs"
    """A release says something else than when it was published. The published words are shown,
    until `sitegen correct` takes the new ones over."""
    REFERENCE = "reference"
    """A definition refers to a term that is not defined, or not any more."""
    SUGGESTION = "suggestion"
    """Two names may be one term: paste one of the two answers into site.toml."""


class Trouble(NamedTuple):
    """What is wrong with a file: a problem without its place."""

    kind: ProblemKind
    found: str
    wanted: str = ""

    def at(self, path: str, *, line: int = 0) -> Problem:
        return Problem(kind=self.kind, path=path, line=line, found=self.found, wanted=self.wanted)


class UnreadableError(SitegenError):
    """Raised for a document of which nothing can be read; `formats.read` reports it as a
    problem."""

    def __init__(
        self, found: str, wanted: str = "", *, kind: ProblemKind = ProblemKind.MARKUP, line: int = 0
    ) -> None:
        super().__init__(found)
        self.wanted, self.kind, self.line = wanted, kind, line

    def problem(self, path: str) -> Problem:
        return Problem(
            kind=self.kind, path=path, line=self.line, found=str(self), wanted=self.wanted
        )


class TooMuchWorkError(UnreadableError):
    """Raised for a document that would take too much time or memory. Its message says what there is
    too much of."""

    def __init__(self, found: str, wanted: str, *, line: int = 0) -> None:
        super().__init__(found, wanted, kind=ProblemKind.LIMIT, line=line)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """A defect in an input. It is reported and never raised; the rest of the site is built."""

    path: str
    line: int = 0
    """1-based; 0 for the whole file."""
    found: str
    wanted: str = ""
    """What would have worked; empty if unknown."""
    kind: ProblemKind
    terms: tuple[str, ...] = ()
    """The names in the document that are no entries for this reason. Their terms are unknown, not
    removed."""

    @property
    def trouble(self) -> Trouble:
        """What is wrong, without its place."""
        return Trouble(self.kind, self.found, self.wanted)

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.found}" + (f"; {self.wanted}" if self.wanted else "")


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
    """What its format found in it; None before it is parsed."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.reading.entries if self.reading else ()

    @property
    def is_read_in_full(self) -> bool:
        """True if all of its terms are known."""
        if self.reading is None:
            return False
        return self.reading.is_auxiliary or bool(self.entries and not self.reading.is_partial)

    @cached_property
    def digest(self) -> bytes:
        """A digest of the text, of the included files and of the limit; computed once."""
        pairs = (*self.includes, *self.files)
        settings = ("pages" if self.has_pages else "", str(self.max_entries))
        texts = (self.text, *settings, *(text for pair in pairs for text in pair))
        return digest(*[text.encode(errors="surrogatepass") for text in texts])

    @cached_property
    def place(self) -> Place:
        return Place(source=self.source, release=self.release, path=self.path, name=self.name)

    def __hash__(self) -> int:
        return hash((self.release, self.path, self.digest))


ReleaseKind = Literal["tag", "folder", "branch", "dated"]
"""What a publisher makes releases of. `dated` is a state of a branch at the end of a day,
month or year, after which it is named."""

Origin = Literal["read", "archive"]
"""From where a release was read: `read` from the source itself, `archive` as it was published."""


@dataclass(frozen=True, kw_only=True)
class Release:
    """A named release of a source, with its documents.

    Two releases are equal if they have the same name, date and so on, whatever their documents are.
    """

    name: str
    number: int = 0
    """The position among the releases of its source, from 0 for the oldest."""
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
    moves: bool = False
    """True if its text may still change: a branch, a folder of the newest commit, or a dated
    state."""
    unreleased: bool = False
    """True for the head of a branch, which is not released yet."""
    link: str = ""
    lines: str = ""
    """The base of links to lines (`forges.line_link`); empty unless the source is on a known
    forge."""
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
    """Those that could be read, by name."""
    unread: Mapping[str, Trouble] = field(default_factory=dict, repr=False, compare=False)
    """Maps the names of documents and folders that could not be read to the reason; an empty name
    means the whole release."""
    kept_as_text: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False, compare=False)
    """(document, name) of earlier terms that a document still has, but not as entries. They are
    unknown."""

    def __hash__(self) -> int:
        return hash((self.name, self.label))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of all documents, once these are parsed."""
        return tuple([entry for document in self.documents for entry in document.entries])

    @cached_property
    def names_read(self) -> tuple[str, ...]:
        """The names of the documents that were read in full."""
        return tuple(one.name for one in self.documents if one.is_read_in_full)

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """The names of the documents that could not be read completely. Their missing terms are
        unknown, not removed. An empty name means the whole release."""
        partial = (one.name for one in self.documents if not one.is_read_in_full)
        return (*self.unread, *partial)

    @property
    def dated(self) -> bool:
        return self.kind == "dated"

    def path(self, name: str) -> str:
        """Returns the path of a file for messages and citations."""
        separator = "" if not self.label or self.label.endswith("/") else ":"
        return f"{self.label}{separator}{normalize('NFC', name)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A tag or file of a source that is not read as a release, and why."""

    reason: Literal["before", "pre-release", "excluded", "alias", "maintenance", "other"]
    """`before`: the release is older than the glossary. `alias`: a tag that repeats a release or
    moves, such as `v2` or `latest`. `maintenance`: a later release of an older version line, with
    its own wordings. `other`: a tag of something else."""
    names: tuple[str, ...]
    """The publisher's names of the tags or files, oldest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One published glossary with its releases. Only the source itself adds, changes or removes its
    terms."""

    id: str
    title: str
    releases: tuple[Release, ...]
    """Oldest first, beginning with the first that has the glossary."""
    undated: bool = False
    """True for a single document without releases and history; its only `Release` has an empty
    name."""
    retrieved: date | None = None
    complete: bool = False
    """True if the first release here is the first release of the glossary, so that its terms count
    as added in it."""
    skipped: tuple[Skipped, ...] = ()
    repository: str = ""
    """The git repository that has it, as in site.toml; empty for folders. A term can move between
    two sources of a repository."""
    url: str = ""
    license: str = ""
    note: str = ""
    pending: Release | None = field(default=None, compare=False)
    """The state of the current branch, if it is not read and was edited after the newest
    release."""
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    images: Mapping[str, bytes] = field(default_factory=dict, repr=False, compare=False)
    """The images of its documents, by their paths in the site."""
    elsewhere: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Paths of documents and problems that are not files below the root, but in a repository, or
    addresses."""
    unreleased: frozenset[str] = field(init=False, repr=False, compare=False)
    """Names of the releases whose `unreleased` is true."""

    def __post_init__(self) -> None:
        moving = frozenset(release.name for release in self.releases if release.unreleased)
        object.__setattr__(self, "unreleased", moving)

    def __hash__(self) -> int:
        # Sources are keys of many lookups, and the id is unique within a site.
        return hash(self.id)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents of all releases, oldest first, then by name."""
        return tuple(document for release in self.releases for document in release.documents)


@dataclass(frozen=True, kw_only=True, slots=True)
class Designation:
    text: str
    status: Status = "preferred"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A reference to another term in a definition: the name it refers to, and the text it shows."""

    target: str
    text: str


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


def entries_at(place: Place, text: Iterable[EntryText], lines: Iterable[int]) -> tuple[Entry, ...]:
    """Returns the entries of a document, from their contents and lines."""
    # Avoids a Python-level loop: a document read from the cache can have thousands of entries.
    return tuple(map(partial(tuple.__new__, Entry), zip(text, repeat(place), lines, strict=False)))


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


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """One file of the finished site."""

    path: str
    """The path relative to the site's root, with slashes: `term/aten/index.html`."""
    content: bytes
