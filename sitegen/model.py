"""The words of this program, as values.

Everything that travels between the stations (reading, merging, history, pages) is defined here, and computes nothing
but what tells it from others. ARCHITECTURE.md explains how the values flow; the table of words is in its first
section.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal, NamedTuple

from sitegen.digests import digest

Status = Literal["preferred", "admitted", "deprecated"]
TermStatus = Literal["current", "deprecated", "removed"]
Ending = Literal["reworded", "removed", "current", "unread"]


class SitegenError(Exception):
    """What we cannot go on without. Its text is one line: place, what was found, what would have worked."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """Something odd in an input. It is reported and never raised; the rest of the site builds."""

    path: str
    line: int = 0
    """1-based; 0 when the whole file is meant."""
    found: str
    wanted: str = ""
    """What would have worked, where we know."""

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
    lines: str = ""
    """An address that `forges.line_link` makes those of lines from; empty unless the source is on a known forge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """What a source has beside the releases that are read, and why it is not read."""

    reason: Literal["before", "pre-release", "excluded", "other"]
    """Before: a release without the glossary, which came later. Other: a tag that was not meant."""
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
        # What is known by a source is asked for very often, and of a site's sources each has an id of its own.
        return hash(self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a document stands."""

    source: str
    release: str
    path: str
    """Where a person finds it, relative to the site's root: `pytorch/1.8.2/docs/glossary.rst`."""
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

    @cached_property
    def digest(self) -> bytes:
        """What tells its text from any other. Texts are long, and looked through for this once."""
        return digest(self.text.encode(errors="surrogatepass"))

    @cached_property
    def place(self) -> Place:
        return Place(source=self.source, release=self.release, path=self.path, name=self.name)

    def __hash__(self) -> int:
        return hash((self.release, self.path, self.digest))


class Citation(NamedTuple):
    """Where an entry stands: the place of its document, and the line."""

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
    """A definition in its three forms. Only `sitegen.prose` makes one, so that all HTML passes one sanitiser."""

    html: str
    """Clean HTML. References to terms are `<a href="term:NAME">words</a>` until the pages resolve them."""
    text: str
    """Plain text, blocks separated by blank lines."""
    code: tuple[tuple[int, int], ...] = ()
    """Ranges of `text` (start, end) that are code, where every character counts."""
    references: tuple[Reference, ...] = ()
    words: str = field(default="", compare=False)
    """What `words.digest` says of it, where that was asked before."""

    def __hash__(self) -> int:
        # Its HTML tells a definition from all others, and a text remembers its hash.
        return hash(self.html)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is said about a term, wherever it stands: the same object at every release that says it."""

    designations: tuple[Designation, ...]
    """Never empty; the first is the preferred one."""
    definition: Prose
    section: str = ""
    """The heading it stands under, where the document has sections of terms."""
    anchors: tuple[str, ...] = ()
    """Names by which links in the same source point here: a heading's id, a file's stem."""
    deprecated: bool = False
    """Marked by front matter or a directive. (Deprecation in words is found in the definition's text.)"""


class Entry(NamedTuple):
    """What one document says about one term. There is one for every term at every release, so it is a tuple."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a format understood of one document. Formats never fail on content."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_furniture: bool = False
    """The document rightly defines nothing: the index page of a folder of terms, or a template for new ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A source as it was read at one release."""

    release: str
    entries: tuple[Entry, ...]
    documents: tuple[str, ...]
    """Names (paths within the release) of the documents that were read."""
    unread: tuple[str, ...] = ()
    """Names of documents that could not be read: what they define is unknown here, not removed."""

    def __hash__(self) -> int:
        # Comparing two editions is quick, as most of their entries are the same objects; a hash has to ask them all.
        return hash(self.release)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """A person's word that, from a release on, one name of a source is another one's continuation."""

    source: str
    old: str
    new: str
    release: str = ""
    """Empty: wherever the old name goes and the new one comes, or is there already."""
    reason: str = ""
    line: int = field(default=0, compare=False)
    """Where site.toml says so; 0 when it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A person's word that names mean the same term, or distinct ones, whatever the rules would say."""

    kind: Literal["same", "distinct"]
    names: tuple[str, ...]
    source: str = ""
    """Empty: in every source."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A person's word that nothing stands behind certain published addresses any more, and why."""

    reason: str
    addresses: tuple[str, ...] = ()
    source: str = ""
    release: str = ""
    line: int = field(default=0, compare=False)
    """Where site.toml says so; 0 when it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """How we know that two entries are the same term, when it is not simply the same name."""

    rule: Literal["declared", "other name", "same words"]
    reason: str = ""


class Step(NamedTuple):
    """One term at one release of one source. There is one for every term at every release, so it is a tuple."""

    release: str
    state: Literal["defined", "absent", "unread"]
    entry: Entry | None = None
    identity: Identity | None = None
    """Set where this entry continues the term under another preferred name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One term's life in one source: a step for every release of that source, in order."""

    source: Source
    steps: tuple[Step, ...]
    turns: tuple[int, ...]
    """Numbers of the steps that differ from the one before by more than release, path and line; the first is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Two terms became one (merged) or one became two (split), at a release of a source."""

    kind: Literal["merged", "split"]
    source: str
    release: str
    other: str
    """Key of the term merged into, or split from."""
    identity: Identity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """What a page is about: the identity that outlives wording and names."""

    key: str
    """Unique and reproducible from the input; never shown."""
    lanes: tuple[Lane, ...]
    ties: tuple[Tie, ...] = ()
    homonyms: tuple[str, ...] = ()
    """Keys of other terms that a document defines under the same name."""

    def __hash__(self) -> int:
        # Its key tells it from all other terms of a site.
        return hash(self.key)


Kind = Literal[
    "first-read",
    "added",
    "reworded",
    "reformatted",
    "renamed",
    "names-changed",
    "moved",
    "deprecated",
    "removed",
    "restored",
    "merged",
    "split",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One event in a term's life. It can be traced to file, line and release on both sides."""

    kind: Kind
    source: str
    release: str
    previous: str | None
    """The release before in that source (the last one that could be read), with which this one was compared."""
    before: Entry | None = None
    after: Entry | None = None
    same_as: str | None = None
    """For reworded and restored: an earlier release that already had these words."""
    other: str | None = None
    """For merged and split: the key of the other term."""
    identity: Identity | None = None

    @property
    def citation(self) -> Citation:
        """The place on the newer side; for a removal, where the entry last stood."""
        entry = self.after or self.before
        assert entry is not None, "a change has at least one side"
        return entry.citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A run of consecutive releases of one source in which the words of the definition stayed the same."""

    source: str
    first: str
    last: str
    entry: Entry
    """As it stood at the first release of the run."""
    latest: Entry
    """As it stood at the last: same words, perhaps other markup."""
    ended: Ending
    """What came after the last release of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """A term with everything that happened to it: what the pages show."""

    term: Term
    status: TermStatus
    entry: Entry
    """The entry that speaks for the term: the newest of the first source that still defines it."""
    revisions: tuple[Revision, ...]
    """By source in configured order, oldest first."""
    changes: tuple[Change, ...]
    """In the same order. An unchanged release has none."""
    names: tuple[Designation, ...]
    """Current names, preferred first."""
    former_names: tuple[tuple[str, str], ...] = ()
    """(name, the release in which it was no longer the preferred name or a name at all)."""
    synonym_of: str | None = None
    """Key of the term whose definition this one shows ("Same as X", "See X", or merged into X)."""
    replaced_by: str | None = None
    """Key of the term that a deprecated or removed one says to use instead."""
    also_known_as: tuple[str, ...] = ()
    """Keys of terms tied by "Also known as"."""

    def __hash__(self) -> int:
        return hash(self.term)

    @property
    def key(self) -> str:
        return self.term.key

    @property
    def name(self) -> str:
        return self.names[0].text

    @property
    def is_defined(self) -> bool:
        """True when a source still has the term: neither removed nor merged into another, as far as is known."""
        states = ((step.state for step in reversed(lane.steps)) for lane in self.term.lanes)
        return any(next(state for state in newest_first if state != "unread") == "defined" for newest_first in states)


class Ids(dict[tuple[str, str], str]):
    """(source id, release) to the id of its place on a term's page, for the releases of the term's dated sources.

    Most terms of the same sources have the same, and share them.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of the finished site."""

    path: str
    """Relative to the site's root, with slashes: `term/aten/index.html`."""
    content: bytes
