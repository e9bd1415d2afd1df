"""The terms of a glossary.json: the types by which the file is validated, and what follows from its
data.

Unknown keys of the file are ignored, as newer versions write more of them. Releases and slugs that
are mentioned and not defined lead to nothing. Sentences about the state of a term are in English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Literal, NamedTuple, Self

from sitegen.model import SitegenError
from sitegen.model.terms import COMPARED, DataStatus
from sitegen.text.names import NameIndex, exact, spelled_out
from sitegen.text.release_names import date_in, is_later_patch, ordered, parse_label

DATA_KEYS = {
    "own_definition": "definition",
    "page": "url",
    "related_slugs": "related",
}
"""The keys in glossary.json of fields that are called otherwise here."""
MatchKind = Literal["preferred", "other case", "plural", "synonym", "former", "avoided"]
KINDS: Mapping[str, MatchKind] = {
    "preferred": "preferred",
    "admitted": "synonym",
    "deprecated": "avoided",
}
"""The kind of a match by the status of the name."""
RANKS: Mapping[MatchKind, int] = {"preferred": 0, "synonym": 1, "avoided": 1, "former": 2}
"""Of several terms with a name, the one with the lowest rank is found."""
GONE = 3
"""Added to the rank of a term that no source defines."""
STATUS_AFTER: Mapping[str, DataStatus] = {
    "deprecated": "deprecated",
    "removed": "removed",
    "merged": "merged",
}
"""The status of a term after a kind of change; `current` after the other kinds."""
MANY = 16
"""So many releases are not listed in a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRelease:
    """A release of a source."""

    name: str
    date: str | None
    """ISO 8601; None if it is not known."""
    link: str
    unreleased: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSource:
    """A glossary as its publisher keeps it, with its releases, oldest first."""

    id: str
    title: str
    releases: tuple[PublishedRelease, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedName:
    """A name in force."""

    text: str
    status: Literal["preferred", "admitted", "deprecated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerName:
    """A name that a term had, and the release that dropped it."""

    text: str
    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The text of a term's own entry, such as “Same as checkpoint.”, and its release."""

    text: str
    summary: str
    """The first sentence of prose of the text, at most 140 characters."""
    source: str
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The place of an entry."""

    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderName:
    """The preferred name on the older side of a change."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityRule:
    """Why two names are one term: `declared` if a person says so in site.toml."""

    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChange:
    """Something that happened to a term in a release."""

    kind: str
    source: str
    release: str
    citation: Citation
    before: OlderName | None = None
    identity: IdentityRule | None = None
    term: PublishedTerm = field(init=False, repr=False, compare=False)

    @property
    def date(self) -> str | None:
        """The date of the release; None if it is not known."""
        return self.term.glossary.dates.get((self.source, self.release))

    @property
    def path(self) -> str:
        return self.citation.path

    @property
    def line(self) -> int:
        return self.citation.line

    def __str__(self) -> str:
        return f"{self.kind} in {self.release}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedWording:
    """What a source said about a term in a run of releases, from `first` to `last`."""

    name: str
    names: tuple[PublishedName, ...]
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
    term: PublishedTerm = field(init=False, repr=False, compare=False)

    @property
    def url(self) -> str:
        """Where these words have a page of their own; else the page of the term."""
        return self.term.glossary.base_url + self.page if self.page else self.term.url

    def is_in_force(self, release: str) -> bool:
        """Returns whether a source said this at a release."""
        number, first, last = (
            self.term.glossary.number(self.source, one) for one in (release, self.first, self.last)
        )
        if number is None or first is None or last is None:
            return False
        return first <= number <= last


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTerm:
    """A term, whatever it was called in each release."""

    name: str
    slug: str
    """The last part of the address of its page."""
    former_slugs: tuple[str, ...] = field(repr=False)
    page: str = field(repr=False)
    """The address of its page, relative to the root of the site."""
    status: DataStatus
    names: Annotated[tuple[PublishedName, ...], ("min_length", 1)]
    """The names in force, the preferred one first."""
    former_names: tuple[FormerName, ...]
    own_definition: Definition
    synonym_of: str | None
    """The slug of another term, as in the next three fields."""
    merged_into: str | None
    replaced_by: str | None
    related_slugs: tuple[str, ...] = field(repr=False)
    history: tuple[PublishedChange, ...] = field(repr=False)
    """What happened to it, by source, oldest first. A release that changed nothing has no row."""
    wordings: Annotated[tuple[PublishedWording, ...], ("min_length", 1)] = field(repr=False)
    """Every wording, by source, oldest first."""
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
        """The definition in plain text; of a synonym or merged term, that of the term it leads
        to."""
        return self.defining_term.own_definition.text

    @property
    def summary(self) -> str:
        """The first sentence of prose of the definition, at most 140 characters."""
        return self.defining_term.own_definition.summary

    @property
    def defining_term(self) -> PublishedTerm:
        """The term whose definition its page shows. In a circle of synonyms, the first that
        repeats."""
        term, seen = self, {self.slug}
        while following := term._other(term.synonym_of) or term._other(term.merged_into):
            if following.slug in seen:
                break
            term = following
            seen.add(term.slug)
        return term

    @property
    def instead(self) -> PublishedTerm | None:
        """The term to use instead of a deprecated, removed or merged one, if the glossary names
        one."""
        return self.defining_term if self.status == "merged" else self._other(self.replaced_by)

    @property
    def related(self) -> tuple[PublishedTerm, ...]:
        """The terms that its definition refers to."""
        return tuple(filter(None, map(self._other, self.related_slugs)))

    def _other(self, slug: str | None) -> PublishedTerm | None:
        return self.glossary.by_slug(slug) if slug else None

    def at(self, release: str) -> PublishedWording | None:
        """Returns the wording in force at a release, of the first source that defined the term
        then; else None."""
        release = self.glossary._meant(release)
        return next((one for one in self.wordings if one.is_in_force(release)), None)

    @property
    def wording(self) -> PublishedWording:
        """The wording of its definition: the present one; of a removed term the last."""
        own = [one for one in self.wordings if one.source == self.own_definition.source]
        return (own or self.wordings)[-1]

    @property
    def since(self) -> str:
        """When it was added, as “since 1.9”; “since 1.0 or earlier” if it was in the first release
        that was read."""
        first = next(self._main_history, None)
        if first is None or not first.release:
            return ""
        return f"since {first.release}" + (" or earlier" if first.kind == "first-read" else "")

    @property
    def last_change(self) -> PublishedChange | None:
        """The last change that a reader should know of, in the source of its definition; None if
        there was none."""
        changes = [one for one in self._main_history if one.kind in COMPARED]
        return changes[-1] if changes else None

    @property
    def milestones(self) -> tuple[str, ...]:
        """When it was added, and its last change since then, as far as they are known."""
        change = self.last_change
        last = str(change) if change and change.kind not in ("added", "split") else ""
        return tuple(filter(None, (self.since, last)))

    @property
    def _main_history(self) -> Iterator[PublishedChange]:
        """Yields the changes in the source of its definition."""
        return (one for one in self.history if one.source == self.own_definition.source)

    @property
    def standing(self) -> str:
        """Its state in a few words: “deprecated since 2.0; use “copy””, or “since 1.9, reworded in
        2.0”."""
        other = f"; use “{self.instead.name}”" if self.instead else ""
        match self.status:
            case "deprecated":
                return self.with_release("deprecated since", "deprecated") + other
            case "removed":
                return self.with_release("removed in", "removed") + other
            case "merged":
                return self.with_release(f"part of “{self.defining_term.name}” since", "merged")
            case "unread":
                last = self.own_definition.release
                return f"defined in {last}; newer releases could not be read"
        return ", ".join(self.milestones) or "current"

    def with_release(self, words: str, kind: str) -> str:
        """Returns words such as “removed in” with the release of the last change of a kind;
        without their last word if it is not known."""
        releases = [change.release for change in self.history if change.kind == kind]
        if releases and releases[-1]:
            return f"{words} {releases[-1]}"
        return words.rpartition(" ")[0]

    def as_of(self, release: str) -> PublishedTerm | None:
        """Returns the term as it was at a release, for a glossary as of that release; None if it
        was not defined until then."""
        is_past = self.glossary.is_past
        wordings = [one for one in self.wordings if is_past(one.source, one.first, release)]
        history = [one for one in self.history if is_past(one.source, one.release, release)]
        if not wordings:
            return None
        # Wordings and changes belong to one term: this one has copies.
        copies = tuple(map(replace, wordings))
        term = replace(self, wordings=copies, history=tuple(map(replace, history)))
        if (len(wordings), len(history)) == (len(self.wordings), len(self.history)):
            return term
        in_force = [one for one in wordings if one.is_in_force(release)]
        shown = (in_force or wordings[-1:])[0]
        last = release if in_force else shown.last
        status = _status_at(release, shown, history)
        has_other = status in ("deprecated", "removed")
        return replace(
            term,
            name=shown.name,
            status=status,
            names=shown.names,
            former_names=tuple(self._former_names_at(release, shown)),
            own_definition=Definition(
                text=shown.text, summary=shown.summary, source=shown.source, release=last
            ),
            merged_into=self.merged_into if status == "merged" else None,
            replaced_by=self.replaced_by if has_other else None,
        )

    def _former_names_at(self, release: str, shown: PublishedWording) -> Iterator[FormerName]:
        """Yields the names that were former ones already at a release, at which `shown` was the
        wording."""
        names = [name.text for name in shown.names]
        for former in self.former_names:
            is_past = self.glossary.is_past(shown.source, former.until, release)
            if is_past and former.text not in names:
                yield former


def _status_at(
    release: str, wording: PublishedWording, history: Sequence[PublishedChange]
) -> DataStatus:
    """Returns the status of a term at a release, given its last wording and its changes until
    then."""
    if wording.is_in_force(release):
        return "deprecated" if wording.status == "deprecated" else "current"
    kinds = [one.kind for one in history if one.source == wording.source and one.kind in COMPARED]
    return STATUS_AFTER.get(kinds[-1], "current") if kinds else "current"


class Match(NamedTuple):
    """A term that was found by a name, the kind of the match, and the name as the glossary spells
    it."""

    term: PublishedTerm
    kind: MatchKind
    name: str

    @property
    def rank(self) -> int:
        """0 for a preferred name, 1 for another in force, 2 for a former one; more if no source
        defines the term any more."""
        return RANKS[self.kind] + (0 if self.term.is_defined else GONE)


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
        for term in self.terms:
            object.__setattr__(term, "glossary", self)
            for part in (*term.history, *term.wordings):
                object.__setattr__(part, "term", term)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title!r}: {len(self.terms):,} terms>"

    @cached_property
    def releases(self) -> tuple[str, ...]:
        """The releases of all sources, each name once, oldest first."""
        return tuple(dict.fromkeys(one.name for source in self.sources for one in source.releases))

    @cached_property
    def dates(self) -> Mapping[tuple[str, str], str | None]:
        """(source id, release) to the date of the release."""
        return {
            (source.id, one.name): one.date for source in self.sources for one in source.releases
        }

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, str], int]:
        """(source id, release) to the number of the release. The state of an undated source has no
        name."""
        numbers = {}
        for source in self.sources:
            names = [one.name for one in source.releases] or [""]
            for number, name in enumerate(names):
                numbers[source.id, name] = number
        return numbers

    def number(self, source: str, release: str) -> int | None:
        """Returns the number of a release in the order of its source; None if the source does not
        have it."""
        return self._numbers.get((source, release))

    def is_past(self, source: str, of: str, release: str) -> bool:
        """Returns whether a release of a source is no later than `release`, as far as the source
        has both."""
        end, number = self.number(source, release), self.number(source, of)
        return end is None or number is None or number <= end

    def release_named(self, name: str) -> str:
        """Returns the release that a name means: its own, that of a tag, as 1.0.0 for `v1.0.0`, or
        for a later patch the one before it, as 1.0.2 for 1.0.3. Raises `SitegenError` if there is
        none."""
        if name and not (release := self._meant(name)):
            raise SitegenError(f"no source has the release {name}{self._choice}")
        return release if name else ""

    def _meant(self, name: str) -> str:
        if name in self.releases:
            return name
        label = parse_label(name)
        of_labels = {parse_label(release).name: release for release in self.releases}
        if label.name in of_labels:
            return of_labels[label.name]
        before = self.release_before(name)
        return before if is_later_patch(label.name, before) else ""

    def release_before(self, name: str) -> str:
        """Returns the newest release that is older than one which no source has; empty if all are
        newer."""
        name = parse_label(name).name
        in_order = ordered((*self.releases, name))
        earlier = in_order[: in_order.index(name)]
        return earlier[-1] if earlier else ""

    @property
    def _choice(self) -> str:
        """Returns the releases, for a message: all if they are few."""
        names = self.releases
        listed = ", ".join(names)
        if len(names) >= MANY:
            listed = f"{len(names):,} from {names[0]} to {names[-1]}"
        return f"; it is one of {listed}" if names else ""

    # Names.

    def find(self, name: str) -> Match | None:
        """Returns the term that has or had a name, in any case or in the plural, or None.

        Names in force come before former ones and those of removed terms. A plural that may belong
        to several terms finds none.
        """
        spelling = exact(name)
        if matches := self._names.folded(name):
            found = min(matches, key=lambda one: (one.rank > 1, one.name != spelling, one.rank))
            if found.kind == "preferred" and found.name != spelling:
                return found._replace(kind="other case")
            return found
        alike = self._names.alike(name, self.language.partition("-")[0])
        in_force = [one for one in alike if one.rank < 2]
        for matches in (in_force, alike):
            if len({one.term.slug for one in matches}) == 1:
                found = min(matches, key=attrgetter("rank"))
                is_usable = found.rank < 2 and found.kind != "avoided"
                return found._replace(kind="plural") if is_usable else found
        return None

    def others_named(self, match: Match) -> tuple[PublishedTerm, ...]:
        """Returns the other terms with the same name in force, but for upper and lower case."""
        found = [one for one in self._names.folded(match.name) if one.rank < 2]
        others = {one.term.slug: one.term for one in found}
        others.pop(match.term.slug, None)
        return tuple(others.values())

    @cached_property
    def _names(self) -> NameIndex[Match]:
        return NameIndex((match.name, match) for term in self.terms for match in _matches(term))

    def by_slug(self, slug: str) -> PublishedTerm | None:
        """Returns the term with this slug in addresses, or with this former slug."""
        return self._by_slug.get(slug)

    @cached_property
    def _by_slug(self) -> Mapping[str, PublishedTerm]:
        former = {slug: term for term in self.terms for slug in term.former_slugs}
        return former | {term.slug: term for term in self.terms}

    # Releases.

    def changes(self, since: str) -> tuple[PublishedChange, ...]:
        """Returns what happened after a release, or after a day as in `2026-11-24`, in the order of
        the terms.

        Raises `SitegenError` if `since` is neither.
        """
        release = self._meant(since)
        if not release and date_in(since) is None:
            raise SitegenError(
                f"“{since}” is neither a day, such as 2026-11-24, nor a release{self._choice}"
            )
        changes = (one for term in self.terms for one in term.history)
        return tuple([one for one in changes if self._is_later(one, release or since)])

    def _is_later(self, change: PublishedChange, since: str) -> bool:
        if change.kind == "first-read":
            return False
        start = self.number(change.source, since)
        if start is None:
            return date_in(since) is not None and (change.date or "") > since
        number = self.number(change.source, change.release)
        return number is not None and number > start

    def as_of(self, release: str) -> Self:
        """Returns the glossary as it was at a release: later terms, names, words and changes are
        left out.

        A source that does not have the release is not cut. Raises `SitegenError` if no source has
        it.
        """
        release = self.release_named(release)
        terms = [term.as_of(release) for term in self.terms]
        return replace(self, terms=tuple(filter(None, terms)))


def _matches(term: PublishedTerm) -> Iterator[Match]:
    """Yields the names by which a term is found, also the acronym in a name."""
    for name in term.names:
        yield Match(term, KINDS[name.status], exact(name.text))
        if name.text.endswith(")"):
            for form in spelled_out(name.text):
                yield Match(term, "synonym", form)
    for former in term.former_names:
        yield Match(term, "former", exact(former.text))
