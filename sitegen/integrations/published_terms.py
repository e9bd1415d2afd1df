"""The terms of a glossary.json: the types by which the file is validated, and what follows from its
data.

Keys of the file that are not read here are ignored. Releases and slugs that are mentioned and not
defined lead to nothing. Sentences about the state of a term are in English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from sitegen.model import Designation, SitegenError
from sitegen.model.terms import COMPARED, DataStatus, Identity
from sitegen.text.names import did_you_mean
from sitegen.text.release_names import parse_label

DATA_KEYS = {"own_definition": "definition", "page": "url"}
"""The keys in glossary.json of fields that are called otherwise here."""


@dataclass(frozen=True, kw_only=True)
class FormerName:
    """A name that a term had, and the release that dropped it."""

    text: str
    until: str


@dataclass(frozen=True, kw_only=True)
class Definition:
    """The text of a term's own entry, such as “Same as checkpoint.”, and its release."""

    text: str
    summary: str
    """The first sentence of prose of the text, at most 140 characters."""
    source: str
    release: str


@dataclass(frozen=True, kw_only=True)
class Citation:
    """The place of an entry."""

    path: str
    line: int
    name: str = ""
    """The preferred name of the entry, on the older side of a change; else empty."""


@dataclass(frozen=True, kw_only=True)
class PublishedTranslation:
    """A term in another language."""

    name: str | None
    """None if it is not translated."""
    page: str
    """The address of its page, relative to the root of the site."""


@dataclass(frozen=True, kw_only=True)
class PublishedRelease:
    """A release of a source."""

    name: str
    date: str | None
    """ISO 8601; None if it is not known."""
    unreleased: bool


@dataclass(frozen=True, kw_only=True)
class PublishedSource:
    """A glossary as its publisher keeps it, with its releases, oldest first."""

    id: str
    title: str
    releases: tuple[PublishedRelease, ...]


@dataclass(frozen=True, kw_only=True)
class PublishedChange:
    """Something that happened to a term in a release."""

    kind: str
    source: str
    release: str
    citation: Citation
    before: Citation | None = None
    identity: Identity | None = None
    term: PublishedTerm = field(init=False, repr=False, compare=False)

    @property
    def date(self) -> str | None:
        """The date of the release; None if it is not known."""
        run = self.term.glossary.run(self.source, self.release, self.release)
        return run[0].date if run else None

    @property
    def path(self) -> str:
        return self.citation.path

    @property
    def line(self) -> int:
        return self.citation.line

    def __str__(self) -> str:
        return f"{self.kind} in {self.release}"


@dataclass(frozen=True, kw_only=True)
class PublishedWording:
    """The names and words of a term in a source, in the releases from `first` to `last`."""

    name: str
    names: tuple[Designation, ...]
    text: str
    summary: str
    source: str
    first: str
    last: str
    since: str
    """The release that brought these words, maybe under another name."""
    status: str
    page: str | None
    """The address of a page of these words, relative to the root of the site."""
    code: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """The ranges of the text that are code."""
    term: PublishedTerm = field(init=False, repr=False, compare=False)

    @property
    def url(self) -> str:
        """The address of the page of these words; if they have none, of the page of the term."""
        if not self.page:
            return self.term.url
        return self.term.glossary.base_url + self.page

    @property
    def run(self) -> Sequence[PublishedRelease]:
        """The releases from `first` to `last`."""
        return self.term.glossary.run(self.source, self.first, self.last)


@dataclass(frozen=True, kw_only=True)
class PublishedTerm:
    """A term, whatever it was called in each release."""

    name: str
    slug: str
    """The last part of the address of its page."""
    page: str = field(repr=False)
    """The address of its page, relative to the root of the site."""
    status: DataStatus
    names: Annotated[tuple[Designation, ...], ("min_length", 1)]
    """The names in force, the preferred one first."""
    former_names: tuple[FormerName, ...]
    own_definition: Definition
    synonym_of: str | None
    """The slug of another term, as in the next two fields."""
    merged_into: str | None
    replaced_by: str | None
    history: tuple[PublishedChange, ...] = field(repr=False)
    """Its changes, by source, oldest first. A release that changed nothing is not there."""
    wordings: Annotated[tuple[PublishedWording, ...], ("min_length", 1)] = field(repr=False)
    """Every wording, by source, oldest first."""
    translations: tuple[PublishedTranslation, ...] = field(default=(), repr=False)
    glossary: PublishedTerms = field(init=False, repr=False, compare=False)

    @property
    def is_defined(self) -> bool:
        """True if some source defines it."""
        return self.status not in ("removed", "merged")

    @property
    def url(self) -> str:
        """The address of its page; relative to the root of the site if that is not known."""
        return self.glossary.base_url + self.page

    @property
    def definition(self) -> str:
        """The definition in plain text; for a synonym or merged term, the definition of the term
        that it leads to."""
        return self.defining_term.own_definition.text

    @property
    def summary(self) -> str:
        """The first sentence of prose of the definition, at most 140 characters."""
        return self.defining_term.own_definition.summary

    @property
    def defining_term(self) -> PublishedTerm:
        """The term whose definition the page shows: the term itself, or for a synonym or a merged
        term the one at the end of the chain."""
        term = self
        seen: set[str] = set()
        while term.slug not in seen:  # the chain may be a circle
            seen.add(term.slug)
            next_term = term._with_slug(term.synonym_of) or term._with_slug(term.merged_into)
            if next_term is None:
                return term
            term = next_term
        return term

    @property
    def instead(self) -> PublishedTerm | None:
        """The term to use instead of a deprecated, removed or merged one; None if the glossary
        names none."""
        if self.status == "merged":
            return self.defining_term
        return self._with_slug(self.replaced_by)  # None for a current term

    def _with_slug(self, slug: str | None) -> PublishedTerm | None:
        """Returns the term with a slug; None if there is none."""
        return self.glossary.by_slug.get(slug) if slug else None

    def at(self, release: str) -> PublishedWording | None:
        """Returns the wording in force at a release, or None. If several sources defined the term
        then, the wording of the first one."""
        name = self.glossary.release_named(release)
        if not name:
            return None
        for wording in self.wordings:
            if any(one.name == name for one in wording.run):
                return wording
        return None

    @property
    def wording(self) -> PublishedWording:
        """The newest wording in the source of its definition. For a removed term, this is the last
        one before the removal."""
        source = self.own_definition.source
        in_source = [wording for wording in self.wordings if wording.source == source]
        if in_source:
            return in_source[-1]
        return self.wordings[-1]  # in a damaged file

    @property
    def _main_history(self) -> Sequence[PublishedChange]:
        """The changes in the source of its definition."""
        source = self.own_definition.source
        return [change for change in self.history if change.source == source]

    @property
    def since(self) -> str:
        """When it was added, as “since 1.9”; empty if that is not known. A term of the first
        release that was read may be older: “since 1.0 or earlier”."""
        if not self._main_history:
            return ""
        first_change = self._main_history[0]
        if first_change.kind == "first-read":
            return f"since {first_change.release} or earlier"
        return f"since {first_change.release}"

    @property
    def milestones(self) -> tuple[str, ...]:
        """When it was added and how it changed last, as `("since 1.9", "reworded in 2.0")`. Unknown
        facts are left out."""
        milestones = [self.since] if self.since else []
        last_change = None
        for change in self._main_history:
            if change.kind in COMPARED:  # not if it was only moved or formatted otherwise
                last_change = change
        # `since` has told already when the term was added.
        if last_change and last_change.kind not in ("added", "split"):
            milestones.append(str(last_change))
        return tuple(milestones)

    @property
    def standing(self) -> str:
        """Its state in a few words: `deprecated since 2.0; use “copy”`, or `since 1.9, reworded in
        2.0`."""
        match self.status:
            case "deprecated":
                state = self.with_release("deprecated since", "deprecated")
            case "removed":
                state = self.with_release("removed in", "removed")
            case "merged":
                return self.with_release(f"merged into “{self.defining_term.name}” in", "merged")
            case "unread":
                last = self.own_definition.release
                return f"defined in {last}; newer releases could not be read"
            case _:
                return ", ".join(self.milestones) or "current"
        return f"{state}; use “{self.instead.name}”" if self.instead else state

    def with_release(self, words: str, kind: str) -> str:
        """Returns words about the last change of a kind: for “removed in”, `removed in 2.0`; if
        there is no such change, `removed`."""
        for change in reversed(self.history):
            if change.kind == kind:
                return f"{words} {change.release}"
        return words.rpartition(" ")[0]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PublishedTerms:
    """The terms of a glossary.json."""

    title: str
    base_url: str
    """Where the site is published, with a slash at the end; empty if that is not known."""
    language: str
    sources: tuple[PublishedSource, ...]
    terms: tuple[PublishedTerm, ...]
    """Every term, by name, with those that were removed or merged."""

    def __post_init__(self) -> None:
        """Sets the glossary of each term, and the term of each change and wording."""
        set_field = object.__setattr__  # the classes are frozen
        for term in self.terms:
            set_field(term, "glossary", self)
            for part in (*term.history, *term.wordings):
                set_field(part, "term", term)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title!r}: {len(self.terms):,} terms>"

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases, source by source, oldest first, each name once."""
        names: list[str] = []
        for source in self.sources:
            names += [release.name for release in source.releases]
        return tuple(dict.fromkeys(names))

    def release_named(self, name: str) -> str:
        """Returns the release with a name; empty if there is none. A tag finds its release as well,
        as `v1.0.0` finds 1.0.0."""
        if name in self.releases:
            return name
        label = parse_label(name).name  # without the `v`
        for release in reversed(self.releases):  # `v1.0` and `1.0` may be two: the newest counts
            if parse_label(release).name == label:
                return release
        return ""

    def known_release(self, name: str) -> str:
        """Returns the same as `release_named`. Raises `SitegenError` if there is none."""
        release = self.release_named(name)
        if not release:
            wanted = did_you_mean(name, self.releases)
            raise SitegenError(f"no source has the release {name}; {wanted}")
        return release

    def source(self, id: str) -> PublishedSource | None:
        """Returns the source with an id; None if there is none."""
        return next((source for source in self.sources if source.id == id), None)

    def run(self, source: str, first: str, last: str) -> Sequence[PublishedRelease]:
        """Returns the releases of a source from `first` to `last`, with both; no release if the
        source does not have both."""
        published_source = self.source(source)
        if published_source is None:
            return ()
        names = [release.name for release in published_source.releases]
        if first not in names or last not in names:
            return ()
        return published_source.releases[names.index(first) : names.index(last) + 1]

    @cached_property
    def by_slug(self) -> Mapping[str, PublishedTerm]:
        """The terms by their slugs in addresses."""
        return {term.slug: term for term in self.terms}

    def is_later(self, source: str, release: str, than: str) -> bool:
        """Returns whether a release of a source is later than another one; False if the source does
        not have both."""
        return len(self.run(source, than, release)) > 1  # a release alone is not later than itself
