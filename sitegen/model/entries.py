"""The values that sources and site.toml give: documents, entries, editions, renames, verdicts, problems.

What becomes of it, term by term, is in `lives`. Both travel between the stations (reading, merging, history, pages)
and compute nothing but what tells a value from others. ARCHITECTURE.md explains how they flow; the table of words is
in its first section.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, partial
from itertools import repeat
from typing import Literal, NamedTuple

from sitegen.model.digests import digest

Status = Literal["preferred", "admitted", "deprecated"]


class SitegenError(Exception):
    """An error that ends the command. Its text gives the place, what was found, and what would have worked."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """Something odd in an input. It is reported and never raised; the rest of the site builds."""

    path: str
    line: int = 0
    """1-based; 0 when the whole file is meant."""
    found: str
    wanted: str = ""
    """What would have worked, if that is known."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.found}" + (f"; {self.wanted}" if self.wanted else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A named point in a source's life. Sources list their releases in order, oldest first."""

    name: str
    date: date | None = None
    link: str = ""
    unreleased: bool = False
    """Still to come: the head of a branch, which moves."""
    moves: bool = False
    """Its text may still be edited: a branch, a folder of the newest commit, or the newest dated state."""
    lines: str = ""
    """The base of links to lines (`forges.line_link`); empty unless the source is on a known forge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A tag or file of a source that is not read as a release, and why."""

    reason: Literal["before", "pre-release", "excluded", "maintenance", "other"]
    """Before: a release without the glossary, which came later. Maintenance: a later release of an older line, with
    words of its own. Other: a tag of something else."""
    names: tuple[str, ...]
    """Oldest first, as their publisher calls them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One glossary as its publisher keeps it. Only a source can add, change or remove its own terms."""

    id: str
    title: str
    releases: tuple[Release, ...]
    undated: bool = False
    """One document that belongs to no release and has no history; its single release has an empty name."""
    retrieved: date | None = None
    complete: bool = False
    """The first release here is the glossary's very first: what it holds was added then."""
    skipped: tuple[Skipped, ...] = ()
    url: str = ""
    licence: str = ""
    note: str = ""
    unreleased: frozenset[str] = field(init=False, repr=False, compare=False)
    """Names of the releases that are still to come: nothing about them is settled."""

    def __post_init__(self) -> None:
        moving = frozenset(release.name for release in self.releases if release.unreleased)
        object.__setattr__(self, "unreleased", moving)

    def __hash__(self) -> int:
        # Sources are keys of many lookups, and the id of each is unique within a site.
        return hash(self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of a document."""

    source: str
    release: str
    path: str
    """Its path for readers, relative to the site's root: `pytorch/1.8.2/docs/glossary.rst`."""
    name: str
    """The path within the release, which stays while the file does not move: `docs/glossary.rst`."""


@dataclass(frozen=True, kw_only=True)
class Document(Place):
    """One file of a source at one release."""

    text: str
    format: str = ""
    """A format's name when site.toml says so; otherwise empty, and the content decides."""
    section: str = ""
    """Read only this section (a heading) of a larger file, when site.toml says so."""
    includes: tuple[tuple[str, str], ...] = ()
    """The files that it includes: how it names each, and the text."""

    @cached_property
    def digest(self) -> bytes:
        """A digest of its text, and of the files that it includes; computed once."""
        texts = (self.text, *(text for include in self.includes for text in include))
        return digest(*[text.encode(errors="surrogatepass") for text in texts])

    @cached_property
    def place(self) -> Place:
        return Place(source=self.source, release=self.release, path=self.path, name=self.name)

    def __hash__(self) -> int:
        return hash((self.release, self.path, self.digest))


class Citation(NamedTuple):
    """The place of an entry: that of its document, and the line."""

    source: str
    release: str
    path: str
    line: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Designation:
    text: str
    status: Status = "preferred"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A definition's mention of another term: what it names, and the words it shows."""

    target: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A definition in its three forms. Only `sitegen.text.prose` makes one, so that all HTML passes one sanitiser."""

    html: str
    """Clean HTML. References to terms are `<a href="term:NAME">words</a>` until the pages resolve them."""
    text: str
    """Plain text, blocks separated by blank lines."""
    code: tuple[tuple[int, int], ...] = ()
    """Ranges of `text` (start, end) that are code, where every character counts."""
    references: tuple[Reference, ...] = ()
    words: str = field(default="", compare=False)
    """The result of `words.digest`, once it was computed."""

    def __hash__(self) -> int:
        # Its HTML tells a definition from all others, and a text remembers its hash.
        return hash(self.html)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The text of an entry without its place: the same object at every release that has it."""

    designations: tuple[Designation, ...]
    """Never empty; the first is the preferred one."""
    definition: Prose
    section: str = ""
    """The heading above it, if the document has sections of terms."""
    anchors: tuple[str, ...] = ()
    """Names by which links in the same source point here: a heading's id, a file's stem."""
    deprecated: bool = False
    """Marked by front matter or a directive. (Deprecation in words is found in the definition's text.)"""
    key: bytes = field(default=b"", compare=False, repr=False)
    """By which the cache keeps it, without its section and mark."""


class Entry(NamedTuple):
    """The entry of one term in one document. There is one for every term at every release, so it is a tuple."""

    said: Said
    place: Place
    line: int
    """1-based line of the name in the document as published."""

    @property
    def name(self) -> str:
        return self.said.designations[0].text

    @property
    def designations(self) -> tuple[Designation, ...]:
        return self.said.designations

    @property
    def definition(self) -> Prose:
        return self.said.definition

    @property
    def section(self) -> str:
        return self.said.section

    @property
    def anchors(self) -> tuple[str, ...]:
        return self.said.anchors

    @property
    def deprecated(self) -> bool:
        return self.said.deprecated

    @property
    def citation(self) -> Citation:
        place = self.place
        return Citation(place.source, place.release, place.path, self.line, place.name)


def entries_at(place: Place, said: Iterable[Said], lines: Iterable[int]) -> tuple[Entry, ...]:
    """Returns the entries of a document, from what it says and the lines where it does."""
    # In one loop: a document read from the cache has thousands.
    return tuple(map(partial(tuple.__new__, Entry), zip(said, repeat(place), lines, strict=False)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The entries and problems that a format found in one document. Formats never fail on content."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_partial: bool = False
    """There is more in the document, which could not be read."""
    is_furniture: bool = False
    """The document rightly defines nothing: the index page of a folder of terms, or a template for new ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A source as it was read at one release."""

    release: str
    entries: tuple[Entry, ...]
    documents: tuple[str, ...]
    """Names (paths within the release) of the documents that were read in full."""
    unread: tuple[str, ...] = ()
    """Names of documents that could not be read, or not in full: what else they define is unknown, not removed."""

    def __hash__(self) -> int:
        # Comparing two editions is quick, as most of their entries are the same objects; a hash has to ask them all.
        return hash(self.release)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """A `[[rename]]` of site.toml: from a release on, one name of a source continues another one."""

    source: str
    old: str
    new: str
    release: str = ""
    """Empty: wherever the old name goes and the new one comes, or is there already."""
    reason: str = ""
    line: int = field(default=0, compare=False)
    """Its line in site.toml; 0 if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A `[[same]]` or `[[distinct]]` of site.toml: names mean the same term, or distinct ones, against all rules."""

    kind: Literal["same", "distinct"]
    names: tuple[str, ...]
    source: str = ""
    """Empty: in every source."""
    reason: str = ""
    line: int = field(default=0, compare=False)
    """Its line in site.toml; 0 if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """[[retired]] of site.toml: published addresses whose term, source or release is gone, and why."""

    reason: str
    addresses: tuple[str, ...] = ()
    source: str = ""
    releases: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    """Its line in site.toml; 0 if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """[[withheld]] of site.toml: words that must not be shown any more, and why."""

    reason: str
    terms: tuple[str, ...] = ()
    """Names of terms whose definitions are withheld."""
    texts: tuple[str, ...] = ()
    """Texts that are withheld wherever they are."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """[[corrected]] of site.toml: a published release whose words were corrected since, and why."""

    reason: str
    source: str
    release: str
    words: str
    """Digest of the words that are accepted."""
    line: int = field(default=0, compare=False)
    """Its line in site.toml; 0 if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSlug:
    """[[slug]] of site.toml: the part of a term's address that is chosen for a name before it is published."""

    name: str
    slug: str
    source: str = ""
    """Empty: in every source."""
    line: int = field(default=0, compare=False)
    """Its line in site.toml; 0 if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of the finished site."""

    path: str
    """Relative to the site's root, with slashes: `term/aten/index.html`."""
    content: bytes
