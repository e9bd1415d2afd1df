"""Addresses of terms: which slug each name of each term has, and which wordings have a frozen page.

A published slug stays with the term that has the entry for which it was published. Of terms with
the same new slug, the one that appeared first has it, and later ones are numbered. Every preferred
name that a term ever had keeps its slug. What no term has any more is kept with its published words
(`kept_pages`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import count
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug as slug_of
from sitegen.config.tables import ChosenSlug
from sitegen.model import Designation, Entry, Problem, ProblemKind, Trouble, grouped
from sitegen.model.terms import Course, Ids, Life, Revision
from sitegen.permanence.archive import Archive, ArchivedPage, EntryReference, SourceRelease
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.found_entries import FoundEntries
from sitegen.permanence.kept_pages import KeptPage, Notice
from sitegen.permanence.published_entries import (
    PublishedEntry,
    published_entries,
    references_of,
    release_id,
)
from sitegen.text.names import fold


@dataclass(frozen=True, kw_only=True, slots=True)
class FrozenPage:
    """A wording that has an address of its own."""

    key: str
    address: str
    entry: Entry


class MovedEntry(NamedTuple):
    """A published entry on the page of a term that another page shows now."""

    id: str
    """The id of its release on the page."""
    source: str
    release: str
    key: str
    """The key of the term that has it now; empty if no term has it."""
    address: str = ""
    """The address of the frozen page with its words, if no term has it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TermPage:
    """The page at one slug of a term."""

    key: str
    """The key of the term."""
    name: str
    """The name that the slug was given to. The page shows the present name of the term."""
    own_source: str
    """The source of which the ids of releases on the page do not have the name."""
    ids: Ids
    moved: tuple[MovedEntry, ...] = ()
    """The entries that the page showed and another page shows now."""
    kept_ids: tuple[str, ...] = ()
    """The published ids that the page must keep although nothing on it uses them."""


@dataclass(frozen=True, kw_only=True)
class TermAddresses:
    """The addresses of the terms of a site."""

    slugs: Mapping[str, str]
    """Term key to the slug of its present name."""
    pages: Mapping[str, TermPage]
    """Every slug in use, also those of former names, to its page."""
    frozen: tuple[FrozenPage, ...]
    """The wordings that have a frozen page, by address."""
    sphinx_ids: Mapping[str, str]
    """The ids by which Sphinx linked to terms, to term keys."""
    lost: Mapping[str, Sequence[ArchivedPage]]
    """The addresses of published terms and wordings that no term has any more."""
    archive: Archive
    """What was published before."""
    following: Archive
    """The same with the releases that are new."""
    found: FoundEntries = field(compare=False)
    kept: tuple[KeptPage, ...] = ()
    """The pages of what no source has any more."""
    notices: Mapping[str, tuple[Notice, ...]] = field(default_factory=dict)
    """Address, with a leading slash, to what its page says about its words."""

    @cached_property
    def former_slugs(self) -> Mapping[str, TermPage]:
        """The slugs of names that terms had once, to their pages."""
        return {slug: page for slug, page in self.pages.items() if self.slugs[page.key] != slug}


def term_addresses(
    lives: Collection[Life], composed: ComposedSources, *, chosen: Iterable[ChosenSlug] = ()
) -> TermAddresses:
    """Returns the addresses of all terms. `chosen` are the slugs that site.toml chooses for new
    names."""
    archive = composed.archive
    found = FoundEntries(lives, archive, composed.pairs)
    slugs = _Slugs(lives, archive, found, chosen)
    pages = _Pages(lives, composed, found, slugs)
    return TermAddresses(
        slugs={life.key: slugs.of_name[life.key, fold(life.name)] for life in lives},
        pages=pages.pages,
        frozen=tuple(pages.frozen[address] for address in sorted(pages.frozen)),
        sphinx_ids=_sphinx_ids(lives, slugs),
        lost=pages.lost,
        archive=archive,
        following=composed.following,
        found=found,
    )


def unused_slugs(
    chosen: Iterable[ChosenSlug], addresses: TermAddresses, *, path: str
) -> Iterator[Problem]:
    """Yields a problem for each chosen slug that no address has. `path` is the file that chooses
    them."""
    used = [(fold(page.name), slug) for slug, page in addresses.pages.items()]
    for address in filter(urls.is_of_term, addresses.lost):
        used.append((fold(addresses.lost[address][0].name), urls.slug_in(address)))
    named = grouped(used)
    for one in chosen:
        slugs = named.get(fold(one.name), ())
        if one.slug in slugs:
            continue
        found = "is not the name of a term at any release"
        wanted = "write the name as the glossary has it"
        if slugs:
            found, wanted = f"is published as /{urls.term(slugs[0])} already", "remove the table"
        trouble = Trouble(ProblemKind.SETTINGS, f"[[slug]] {one.name!r} {found}", wanted)
        yield trouble.at(path, line=one.line)


class NameUse(NamedTuple):
    """The first time that a term was called by a name. Uses are sorted by what comes first."""

    is_not_chosen: bool
    release: int
    """The number of the release."""
    source: str
    is_inexact: bool
    """True if the slug does not have every sign of the name."""
    name: str
    key: str
    slug: str
    """The slug to ask for."""


def _name_uses(lives: Iterable[Life], chosen: Iterable[ChosenSlug]) -> Iterator[NameUse]:
    """Yields the first use of each preferred name of each term in each source."""
    chosen_slugs = {(one.source, fold(one.name)): one.slug for one in chosen}
    for life in lives:
        for course, number, designations in _namings(life):
            name = designations[0].text
            folded = fold(name)
            asked = chosen_slugs.get((course.source.id, folded)) or chosen_slugs.get(("", folded))
            wanted = asked or slug_of(name)
            yield NameUse(
                is_not_chosen=not asked,
                release=number,
                source=course.source.id,
                is_inexact=wanted != folded.replace(" ", "-"),
                name=name,
                key=life.key,
                slug=wanted,
            )


def _namings(life: Life) -> Iterator[tuple[Course, int, tuple[Designation, ...]]]:
    """Yields the releases, by their numbers, with which a source began to call a term so."""
    for course in life.term.courses:
        previous: tuple[Designation, ...] = ()
        for span in course.spans:
            if span.entry and span.entry.designations != previous:
                previous = span.entry.designations
                yield course, span.first, previous


class _Slugs:
    """Gives slugs: first the published ones, then new ones in the order of the first use of each
    name."""

    def __init__(
        self,
        lives: Collection[Life],
        archive: Archive,
        found: FoundEntries,
        chosen: Iterable[ChosenSlug],
    ) -> None:
        self.owners: dict[str, str] = {}
        """Slug to term key; to an empty one if no term has a published slug any more."""
        self.of_name: dict[tuple[str, str], str] = {}
        """(term key, folded name) to slug."""
        self.names: dict[str, str] = {}
        """Slug to the name that it was given to first."""
        for address in sorted(archive.by_address, key=lambda one: (len(one), one)):
            published, pages = urls.slug_in(address), archive.by_address[address]
            if urls.is_of_term(address):
                self._give(published, _owner(pages, archive, found), pages[0].name)
        for use in sorted(_name_uses(lives, chosen)):
            if (use.key, fold(use.name)) not in self.of_name:
                self._give(self._free(use.slug, use.key), use.key, use.name)

    def _give(self, slug: str, key: str, name: str) -> None:
        self.owners[slug] = key
        self.names.setdefault(slug, name)
        if key:
            self.of_name.setdefault((key, fold(name)), slug)

    def _free(self, base: str, key: str) -> str:
        if self.owners.get(base, key) == key:
            return base
        numbered = (f"{base}-{number}" for number in count(2))
        return next(one for one in numbered if self.owners.get(one, key) == key)


def _owner(pages: Sequence[ArchivedPage], archive: Archive, found: FoundEntries) -> str:
    """Returns the key of the term that has the entry for which an address was published: of the
    page's entries, the oldest one with its name, else the oldest one; else the key of a term with
    its name; empty if there is none."""
    references = references_of(pages)
    for reference in sorted(references, key=partial(_age, page=pages[0], archive=archive)):
        if entry := found.entry(reference):
            return entry.key
    name = pages[0].name
    named = [one for one in references if fold(one.name) == fold(name)]
    return found.named(name, [reference.source for reference in named])


def _age(
    reference: EntryReference, *, page: ArchivedPage, archive: Archive
) -> tuple[bool, bool, int]:
    """Returns whether an entry has another name than its page, whether it is of another source, and
    the position of its release."""
    at = archive.present_id(reference.source), reference.release
    has_other_name = fold(reference.name) != fold(page.name)
    return has_other_name, reference.source != page.source, archive.positions[at]


def _frozen_revisions(life: Life) -> Iterator[Revision]:
    """Yields the wordings of a term that have frozen pages. Those that are in no release yet can
    still change, and have none."""
    for revision in life.revisions:
        source = life.term.course(revision.source).source
        if not source.undated and revision.first not in source.unreleased:
            yield revision


class _Pages:
    """The pages of terms, with the ids on them, and those of frozen wordings."""

    def __init__(
        self,
        lives: Iterable[Life],
        composed: ComposedSources,
        found: FoundEntries,
        slugs: _Slugs,
    ) -> None:
        self._lives = {life.key: life for life in lives}
        self._archive = composed.archive
        self._found = found
        self._slugs = slugs
        self.pages: dict[str, TermPage] = {}
        """Slug to the page of its term."""
        self.lost: dict[str, Sequence[ArchivedPage]] = {}
        self._wordings: dict[str, Sequence[ArchivedPage]] = {}
        """The addresses of published wordings, and of those that no page shows any more."""
        for address, pages in self._archive.by_address.items():
            if urls.is_of_wording(address):
                self._wordings[address] = pages
        for slug in sorted(slugs.owners):
            address = f"/{urls.term(slug)}"
            published = self._archive.by_address.get(address, ())
            if slugs.owners[slug]:
                self.pages[slug] = self._page(slug, published)
            else:
                self.lost[address] = published
        self.frozen = self._frozen()

    def _page(self, slug: str, published: Sequence[ArchivedPage]) -> TermPage:
        """Returns the page of a term."""
        life = self._lives[self._slugs.owners[slug]]
        sources = [course.source for course in life.term.courses if not course.source.undated]
        own = sources[0].id if sources else ""
        if published:
            own = self._archive.present_id(published[0].source)
        present: dict[SourceRelease, str] = {}
        for source in sources:
            for release in source.releases:
                at = source.id, release.name
                present[at] = release_id(at, own, self._archive)
        kept, moved, shown = [], [], set()
        for one in published_entries(published, self._archive):
            at = one.source, one.reference.release
            found = self._found.entry(one.reference)
            if not one.id:
                continue
            if found and found.key != life.key:
                moved.append(MovedEntry(one.id, *at, found.key))
            elif not found and not self._archive.states[one.reference.at][0].unreleased:
                moved.append(MovedEntry(one.id, *at, "", self._kept_wording(slug, one)))
            elif present.get(at) == one.id:
                shown.add(one.id)
            else:
                kept.append(one.id)
        # What another page shows now has its published id, so that this page needs another one for
        # the release.
        taken = {*kept, *(one.id for one in moved if one.id not in shown)}
        return TermPage(
            key=life.key,
            name=self._slugs.names[slug],
            own_source=own,
            ids={at: f"{id}~2" if id in taken else id for at, id in present.items()},
            moved=tuple(dict.fromkeys(moved)),
            kept_ids=tuple(dict.fromkeys(kept)),
        )

    def _kept_wording(self, slug: str, entry: PublishedEntry) -> str:
        """Returns the address of the frozen page of an entry that no term has any more."""
        reference, address = entry.reference, _frozen_address(slug, entry.id)
        pages = self._wordings.get(address, ())
        if reference not in [page.entries[0] for page in pages]:
            page = ArchivedPage(address=address, name=reference.name, entries=(reference,))
            self._wordings[address] = (*pages, page)
        return address

    def _frozen(self) -> dict[str, FrozenPage]:
        """Returns, by address, the published frozen pages, and those of new wordings."""
        result = {}
        for life in self._lives.values():
            for revision in _frozen_revisions(life):
                slug = self._slugs.of_name[life.key, fold(revision.entry.name)]
                id = self.pages[slug].ids[revision.source, revision.first]
                address = _frozen_address(slug, id)
                result[address] = FrozenPage(key=life.key, address=address, entry=revision.entry)
        for address, pages in self._wordings.items():
            entries = [self._found.entry(page.entries[0]) for page in pages]
            key, entry = next(filter(None, entries), ("", None))
            if entry:
                result[address] = FrozenPage(key=key, address=address, entry=entry)
            elif address not in result:
                self.lost[address] = pages
        return result


def _frozen_address(slug: str, id: str) -> str:
    """Returns the address of a wording that begins at the release with this id on the page of a
    slug."""
    return f"/{urls.frozen(slug, id.removeprefix('r'))}"


def _sphinx_ids(lives: Iterable[Life], slugs: _Slugs) -> Mapping[str, str]:
    """Returns the ids that Sphinx gave to names, each with the key of the term it leads to: the one
    with the published address of that name, else the first that had the name, preferred names of a
    release before its other names."""
    first: dict[str, tuple[int, int, str, str]] = {}
    for life in lives:
        for course, number, designations in _namings(life):
            for place, designation in enumerate(designations):
                claim = (number, min(place, 1), course.source.id, life.key)
                for id in urls.sphinx_anchors(designation.text):
                    first[id] = min(first.get(id, claim), claim)
    keys = {id: claim[-1] for id, claim in first.items()}
    for slug in sorted(slugs.owners, key=lambda one: (-len(one), one)):
        if key := slugs.owners[slug]:
            for id in urls.sphinx_anchors(slugs.names[slug]):
                keys[id] = key
    return keys
