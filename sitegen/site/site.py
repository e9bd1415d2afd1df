"""Everything the pages, the search and the exports are made from, gathered and indexed once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple, TypeVar

from sitegen.addresses import urls
from sitegen.addresses.ledger import Ledger, Row
from sitegen.addresses.permalinks import Frozen
from sitegen.config.tables import ThemeTable
from sitegen.model import Edition, Problem, Prose, Release, Source
from sitegen.model.terms import Change, Ids, Life
from sitegen.site.theme import ExtraPage
from sitegen.text.names import fold

NO_DAY = date(1970, 1, 1)
"""The day that releases count as of where none has one."""


Key = TypeVar("Key")
Value = TypeVar("Value")


class Each(Mapping[Key, Value]):
    """A value for each of some keys, made when it is first asked for: who asks for few need not wait for all."""

    def __init__(self, keys: Collection[Key], make: Callable[[Key], Value]) -> None:
        self._keys = keys
        self._make = make
        self._made: dict[Key, Value] = {}

    def __getitem__(self, key: Key) -> Value:
        if key not in self._made:
            if key not in self._keys:
                raise KeyError(key)
            self._made[key] = self._make(key)
        return self._made[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A published address whose content is gone or has changed its meaning."""

    row: Row
    reason: str
    stands: bool = False
    """There is still a page, which shows the reason."""


class Wording(NamedTuple):
    """What a source said of a term at a release, and where that is frozen."""

    source: str
    release: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    heading: str
    lives: tuple[Life, ...]
    """The terms that stand in it today, by name."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """The result of reading, merging and history. Pages only look things up in it."""

    title: str
    base_url: str
    """Absolute, ends with a slash; empty when not configured."""
    language: str
    repository: str = ""
    note: str = ""
    """What the about page says about where the wording comes from."""
    theme: ThemeTable = field(default_factory=ThemeTable)
    extra_pages: tuple[ExtraPage, ...] = ()
    """Pages that the site's editors wrote."""
    host: str = ""
    """Where it will be shown, as `hosts` knows it."""
    redirects: tuple[str, ...] = ()
    """Addresses of pages of an earlier glossary, which lead on to the terms."""
    sources: tuple[Source, ...]
    editions: Mapping[str, tuple[Edition, ...]]
    """Source id to its editions, oldest first."""
    lives: tuple[Life, ...]
    """Every term, sorted by name."""
    slugs: Mapping[str, str]
    """Term key to slug."""
    references: Mapping[tuple[str, str], str]
    """(source id, target of a `term:` reference) to the key of the term meant. Dangling ones are missing."""
    former_slugs: Mapping[str, str] = field(default_factory=dict)
    """Slug of a name a term no longer has, to the key of that term: a page there says what it is called now."""
    slug_names: Mapping[str, str] = field(default_factory=dict)
    """Slug to the name that it was given to."""
    ids: Mapping[str, Ids] = field(default_factory=dict)
    """Slug to the ids of releases on its page."""
    frozen: tuple[Frozen, ...] = ()
    """The wordings that have pages of their own."""
    sphinx_ids: Mapping[str, str] = field(default_factory=dict)
    """The ids by which Sphinx linked to terms, to term keys."""
    former_sections: tuple[str, ...] = ()
    """Published headings of sections that have no terms today."""
    ledger: Ledger = field(default_factory=dict)
    """What was published before, as it reads today."""
    rows: Ledger = field(default_factory=dict)
    """What is published of itself, where that was worked out already: see `promises`."""
    kept: tuple[Kept, ...] = ()
    kept_fragments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address, with a leading slash, to the ids that must stay there although nothing on the page asks for them."""
    retired_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address of a retired term, with a leading slash, to the ids by which Sphinx linked to it in the list A–Z."""
    corrected: frozenset[tuple[str, str]] = frozenset()
    """(source id, release) of which site.toml accepts the words that are there now instead of those promised."""
    moved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address of a term's page that a source shared and left, to the keys of that source's terms of the name."""
    problems: tuple[Problem, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    """Paths of problems that are not below the folder that is built: those in a repository, and addresses."""

    @cached_property
    def by_key(self) -> Mapping[str, Life]:
        return {life.key: life for life in self.lives}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Term key to the term's name: all that a link to it needs to know of its life."""
        return {life.key: life.name for life in self.lives}

    @cached_property
    def notices(self) -> Mapping[str, str]:
        """Address, with a leading slash, to why its page is not all that was published there."""
        return {kept.row.address: kept.reason for kept in self.kept if kept.stands}

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """Every slug in use, former ones too, to the key of its term."""
        return owners_of(self.slugs, self.former_slugs)

    @cached_property
    def namesakes(self) -> Mapping[str, tuple[str, ...]]:
        """Slug of a name that a term no longer has, to the keys of the terms that are called so today."""
        former = {slug: fold(self.slug_names[slug]) for slug in self.former_slugs}
        called: dict[str, list[str]] = {name: [] for name in former.values()}
        for life in self.lives if called else ():
            if life.is_defined and (name := fold(life.name)) in called:
                called[name].append(life.key)
        others = {
            slug: tuple(key for key in called[name] if key != self.former_slugs[slug])
            for slug, name in former.items()
        }
        return {slug: keys for slug, keys in others.items() if keys}

    @cached_property
    def days(self) -> Mapping[tuple[str, str], date]:
        """(source id, release) to the day of the release, where it is known."""
        return {
            (source.id, release.name): release.date
            for source in self.sources
            for release in source.releases
            if release.date
        }

    @cached_property
    def days_counted(self) -> Mapping[tuple[str, str], date]:
        """(source id, release) to the day that the release counts as of: its own, else that of the release before it.

        Undated releases before the first that has a date have none. In a source without dates all have `NO_DAY`.
        """
        days: dict[tuple[str, str], date] = {}
        for source in self.sources:
            day = None if any(release.date for release in source.releases) else NO_DAY
            for release in source.releases:
                day = release.date or day
                if day:
                    days[source.id, release.name] = day
        return days

    @cached_property
    def see_also(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of the terms that its current definition refers to, in order of mention."""
        return Each(self.by_key, self._mentioned)

    def _mentioned(self, key: str) -> tuple[str, ...]:
        entry = self.by_key[key].entry
        return mentioned(key, entry.place.source, entry.definition, self.references)

    @cached_property
    def slugs_of(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to every slug in use for the term, that of its present name first."""
        former: dict[str, list[str]] = defaultdict(list)
        for slug, key in self.former_slugs.items():
            former[key].append(slug)
        return Each(self.slugs, lambda key: (self.slugs[key], *former.get(key, ())))

    @cached_property
    def frozen_of(self) -> Mapping[str, tuple[Wording, ...]]:
        """Term key to its wordings that have pages of their own."""
        gathered: dict[str, list[Wording]] = defaultdict(list)
        for one in self.frozen:
            place = one.entry.place
            gathered[one.key].append(Wording(place.source, place.release, one.address.removeprefix("/")))
        return {key: tuple(several) for key, several in gathered.items()}

    @cached_property
    def wordings(self) -> Mapping[tuple[str, str, str], str]:
        """(term key, source id, release) to where the wording is frozen that a source gave a term then."""
        each = ((key, wording) for key, wordings in self.frozen_of.items() for wording in wordings)
        return {(key, source, release): address for key, (source, release, address) in each}

    def anchors(self, slug: str) -> Ids:
        """The ids of releases on the page of a slug, by source id and release."""
        return self.ids[slug]

    def anchor(self, slug: str, *, source: str, release: str) -> str:
        """The id of one of them."""
        return self.ids[slug][source, release]

    @cached_property
    def sections(self) -> Mapping[str, Section]:
        """Sections that terms stand in today, by key, in the order of the first source that has them."""
        gathered: dict[str, list[Life]] = defaultdict(list)
        headings: dict[str, str] = {}
        here = [life for life in self.lives if life.entry.section and life.is_defined]
        if not here:
            return {}
        for life in sorted(here, key=self._place):
            key = urls.section_key(life.entry.section)
            headings.setdefault(key, life.entry.section)
            gathered[key].append(life)
        order = {life.key: number for number, life in enumerate(self.lives)}
        return {
            key: Section(heading=headings[key], lives=tuple(sorted(lives, key=lambda life: order[life.key])))
            for key, lives in gathered.items()
        }

    def _place(self, life: Life) -> tuple[int, str, int]:
        place = life.entry.place
        return ([source.id for source in self.sources].index(place.source), place.name, life.entry.line)

    def speaker(self, key: str) -> Life:
        """The term whose definition is shown on a term's page: itself, or the term it is a synonym of.

        Of terms that only lead to each other, each speaks for itself.
        """
        life, seen = self.by_key[key], {key}
        while life.synonym_of:
            life = self.by_key[life.synonym_of]
            if life.key in seen:
                break
            seen.add(life.key)
        return life

    def source(self, id: str) -> Source:
        return next(source for source in self.sources if source.id == id)

    def release_names(self) -> tuple[str, ...]:
        """Every release of every dated source once, in the order of the sources, oldest first."""
        names = (release.name for source in self.sources if not source.undated for release in source.releases)
        return tuple(dict.fromkeys(names))

    @cached_property
    def releases_out(self) -> tuple[str, ...]:
        """Those of `release_names` that are out in some source: what they say is settled."""
        return tuple(
            name for name in self.release_names() if any(not release.unreleased for _, release in self.releases(name))
        )

    def releases(self, name: str) -> tuple[tuple[Source, Release], ...]:
        """The sources that have a release of this name, each with its own facts about it."""
        return tuple(
            (source, release)
            for source in self.sources
            if not source.undated
            for release in source.releases
            if release.name == name
        )

    def changes(self, release: str) -> tuple[tuple[Life, Change], ...]:
        """What happened to which term in a release, by term name."""
        return tuple((life, change) for life in self.lives for change in life.changes if change.release == release)


def owners_of(slugs: Mapping[str, str], former_slugs: Mapping[str, str]) -> Mapping[str, str]:
    """Returns every slug in use to the key of its term; given are slugs by key, and former slugs with keys."""
    return {**{slug: key for key, slug in slugs.items()}, **former_slugs}


def mentioned(key: str, source: str, definition: Prose, references: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    """Returns the keys of the terms that what a source says of one refers to; `references` as a site has them."""
    targets = [reference.target for reference in definition.references]
    keys = dict.fromkeys([references.get((source, target), key) for target in targets])
    return tuple([other for other in keys if other != key])
