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
from types import MappingProxyType
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug
from sitegen.config.tables import ChosenSlug
from sitegen.model import Designation, Entry, Problem, ProblemKind, Source, Trouble, grouped
from sitegen.model.terms import Course, Ids, Life, Revision
from sitegen.permanence.archive import Archive, ArchivedPage, EntryReference, SourceRelease
from sitegen.permanence.found_entries import FoundEntries, Pairs
from sitegen.permanence.kept_pages import KeptPage, Notice, published_text
from sitegen.text.names import fold
from sitegen.text.words import words_of


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
    reference: EntryReference | None = None
    """The entry, if no term has it."""


@dataclass(frozen=True, kw_only=True)
class Permanence:
    """The addresses of the terms of a site."""

    slugs: Mapping[str, str]
    """Term key to the slug of its present name."""
    former_slugs: Mapping[str, str] = field(default_factory=dict)
    """Slug of a name that a term had once, to the key of that term. Its page shows the present
    name."""
    slug_names: Mapping[str, str] = field(default_factory=dict)
    """Slug to the name that it was given to."""
    ids: Mapping[str, Ids] = field(default_factory=dict)
    """Slug to the ids of releases on its page."""
    frozen: tuple[FrozenPage, ...] = ()
    """The wordings that have a frozen page, by address."""
    sphinx_ids: Mapping[str, str] = field(default_factory=dict)
    """The ids by which Sphinx linked to terms, to term keys."""
    moved: Mapping[str, Sequence[MovedEntry]] = field(default_factory=dict)
    """Slug to the entries that its page showed and another term has now."""
    kept_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Slug to published ids that its page must keep although nothing on it uses them."""
    lost: Mapping[str, tuple[EntryReference, ...]] = field(default_factory=dict)
    """Published addresses of terms and wordings that no term has any more, with their entries."""
    own_sources: Mapping[str, str] = field(default_factory=dict)
    """Slug to the source of which the ids of releases on its page do not have the name."""
    archive: Archive = field(default_factory=Archive)
    """What was published before."""
    following: Archive = field(default_factory=Archive)
    """The same with the releases that are new."""
    found: FoundEntries = field(default_factory=FoundEntries, compare=False)
    kept: tuple[KeptPage, ...] = ()
    """The pages of what no source has any more."""
    notices: Mapping[str, tuple[Notice, ...]] = field(default_factory=dict)
    """Address, with a leading slash, to what its page says about its words."""

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """Every slug in use, former ones too, to the key of its term."""
        return {**{slug: key for key, slug in self.slugs.items()}, **self.former_slugs}


def permalinks(
    lives: Collection[Life],
    archive: Archive,
    *,
    following: Archive | None = None,
    pairs: Pairs = MappingProxyType({}),
    better: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType({}),
    chosen: Iterable[ChosenSlug] = (),
) -> Permanence:
    """Returns the addresses of all terms.

    `following` is the archive with the releases that are new. `pairs` are the names that published
    entries have now, `better` are published words with those that are read in the same bytes now,
    and `chosen` the slugs that site.toml chooses for new names.
    """
    found = FoundEntries(lives, archive, pairs)
    slugs = _Slugs(lives, archive, found, chosen)
    pages = _Pages(lives, archive, following or archive, found, slugs, better)
    current = {life.key: slugs.of_name[life.key, fold(life.name)] for life in lives}
    used = {one for one, key in slugs.owners.items() if key}
    former = sorted(used.difference(current.values()))
    frozen = pages.frozen
    return Permanence(
        slugs=current,
        former_slugs={one: slugs.owners[one] for one in former},
        slug_names=slugs.names,
        ids=pages.ids,
        frozen=tuple(frozen[address] for address in sorted(frozen)),
        sphinx_ids=_sphinx_ids(lives, slugs),
        moved=pages.moved,
        kept_ids=pages.kept_ids,
        lost=pages.lost,
        own_sources=pages.own_sources,
        archive=archive,
        following=following or archive,
        found=found,
    )


def unused_slugs(
    chosen: Iterable[ChosenSlug], links: Permanence, *, path: str
) -> Iterator[Problem]:
    """Yields a problem for each chosen slug that no address has. `path` is the file that chooses
    them."""
    named = grouped((fold(name), used_slug) for used_slug, name in links.slug_names.items())
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
    slug_of = {(one.source, fold(one.name)): one.slug for one in chosen}
    for life in lives:
        for course, number, designations in _namings(life):
            name = designations[0].text
            folded = fold(name)
            asked = slug_of.get((course.source.id, folded)) or slug_of.get(("", folded), "")
            wanted = asked or slug(name)
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


def references_of(pages: Sequence[ArchivedPage]) -> list[EntryReference]:
    """Returns the entries that begin on a page, those of its own source first."""
    references = [one for page in pages for one in page.entries if one.name]
    return sorted(references, key=lambda one: one.source != pages[0].source)


def _frozen_references(archive: Archive) -> Iterator[tuple[EntryReference, str]]:
    """Yields the entries that have published frozen pages, with their addresses."""
    for address, pages in archive.by_address.items():
        if urls.slug_in(address) and not urls.is_of_term(address):
            for reference in references_of(pages):
                yield reference, address


class Wording(NamedTuple):
    """The words of a published entry, as wordings are compared."""

    source: str
    """The present id of its source."""
    words: tuple[str, ...]


def published_ids(
    pages: Iterable[ArchivedPage], archive: Archive
) -> Iterator[tuple[str, SourceRelease, EntryReference]]:
    """Yields the published ids of releases on the page of a term, with the entries they showed.

    Two branches can publish one address for different entries, and with ids that leave out another
    source. Both are yielded.
    """
    found = set()
    for page in pages:
        own = archive.present_id(page.source)
        for at, reference in archive.shown(page).items():
            if at[1]:
                found.add((release_id(at, own, archive), at, reference))
    yield from sorted(found)


def release_id(at: SourceRelease, own: str, archive: Archive) -> str:
    """Returns the id of a release on a page. Those of other sources than the page's `own` have the
    id that the source had when the release was published."""
    source, release = at
    if source == own:
        return urls.revision_anchor(release)
    return urls.revision_anchor(release, source=archive.published_ids.get(at, source))


def _wording_of(entry: Entry) -> Wording:
    return Wording(entry.place.source, words_of(entry.definition).keys)


def _frozen_revisions(life: Life) -> Iterator[Revision]:
    """Yields the wordings of a term that have frozen pages. Those that are in no release yet can
    still change, and have none."""
    for revision in life.revisions:
        source = life.term.course(revision.source).source
        if not source.undated and revision.first not in source.unreleased:
            yield revision


class _Pages:
    """The ids and the frozen wordings on the pages of terms."""

    def __init__(
        self,
        lives: Iterable[Life],
        archive: Archive,
        following: Archive,
        found: FoundEntries,
        slugs: _Slugs,
        better: Mapping[tuple[str, ...], tuple[str, ...]],
    ) -> None:
        self._better = better
        self._lives = {life.key: life for life in lives}
        self._archive = archive
        self._following = following
        self._found = found
        self._slugs = slugs
        self.ids: dict[str, Ids] = {}
        self.own_sources: dict[str, str] = {}
        self.moved: dict[str, list[MovedEntry]] = {}
        self.kept_ids: dict[str, tuple[str, ...]] = {}
        self.lost: dict[str, tuple[EntryReference, ...]] = {}
        self._frozen_instead: dict[str, list[tuple[MovedEntry, Wording]]] = {}
        """Slug to the entries that its page showed and no term has now, with the wordings of the
        frozen pages to which their links lead."""
        self._shared: dict[tuple[str, ...], Ids] = {}
        """The ids on pages, by the page's own source, those of its term, and ids of moved
        entries."""
        for used_slug, key in slugs.owners.items():
            published = archive.by_address.get(f"/{urls.term(used_slug)}", ())
            if key:
                self._set_ids(used_slug, self._lives[key], published)
            else:
                self.lost[f"/{urls.term(used_slug)}"] = tuple(references_of(published))
        self.frozen = self._frozen()
        addresses = self._frozen_addresses() if self._frozen_instead else {}
        for used_slug, wordings in self._frozen_instead.items():
            own = f"/{urls.term(used_slug)}"
            moved = [one._replace(address=addresses.get(words, own)) for one, words in wordings]
            several = (*self.moved.get(used_slug, ()), *moved)
            self.moved[used_slug] = sorted(dict.fromkeys(several))

    def _set_ids(self, slug: str, life: Life, published: Sequence[ArchivedPage]) -> None:
        """Sets the ids of releases on the page of a term."""
        sources = [course.source for course in life.term.courses if not course.source.undated]
        own = sources[0].id if sources else ""
        if published:
            own = self._archive.present_id(published[0].source)
        self.own_sources[slug] = own
        dated = {(source.id, release.name) for source in sources for release in source.releases}
        kept, moved, frozen, shown = [], [], [], set()
        for id, at, reference in published_ids(published, self._archive):
            found = self._found.entry(reference)
            wording = None if found else self._wording(reference)
            if found and found.key != life.key:
                moved.append(MovedEntry(id, *at, found.key))
            elif wording and wording in self._frozen_wordings:
                frozen.append((MovedEntry(id, *at, "", reference=reference), wording))
            elif at in dated and id == release_id(at, own, self._archive):
                shown.add(id)
            else:
                kept.append(id)
        elsewhere = {one.id for one in moved} | {one.id for one, _ in frozen}
        leaving = {*kept, *(elsewhere - shown)}
        page = (own, *(source.id for source in sources), *sorted(leaving))
        if page not in self._shared:
            self._shared[page] = self._ids(sources, own, leaving)
        self.ids[slug] = self._shared[page]
        if moved:
            self.moved[slug] = list(dict.fromkeys(moved))
        if frozen:
            self._frozen_instead[slug] = frozen
        if kept:
            self.kept_ids[slug] = tuple(dict.fromkeys(kept))

    def _wording(self, reference: EntryReference) -> Wording:
        """Returns the words of a published entry, as they are read now."""
        text = published_text(reference, self._following)
        words = words_of(text.definition).keys if text else ()
        return Wording(self._archive.present_id(reference.source), self._better.get(words, words))

    def _ids(self, sources: Iterable[Source], own: str, moved: Collection[str]) -> Ids:
        """Returns the ids of releases on a page. What another page shows now has its published id,
        so that the page itself needs another one for the release."""
        ids = Ids()
        for source in sources:
            for release in source.releases:
                at = source.id, release.name
                id = release_id(at, own, self._archive)
                ids[at] = f"{id}~2" if id in moved else id
        return ids

    @cached_property
    def _published_frozen(self) -> list[tuple[EntryReference, str]]:
        """The published frozen pages that still show their words, with the entries of these."""
        standing = []
        for reference, address in _frozen_references(self._archive):
            found = self._found.entry(reference)
            wording = self._wording(reference)
            if found is None or _wording_of(found.entry) == wording:
                standing.append((reference, address))
        return standing

    @cached_property
    def _frozen_wordings(self) -> set[Wording]:
        """The wordings that have a frozen page."""
        wordings = {self._wording(one) for one, _ in self._published_frozen}
        for life in self._lives.values():
            wordings.update(_wording_of(one.entry) for one in _frozen_revisions(life))
        return wordings

    def _frozen_addresses(self) -> Mapping[Wording, str]:
        """The addresses of frozen pages by their wordings: of several one that no term has any
        more, else the oldest."""
        pages = []
        for reference, address in self._published_frozen:
            pages.append((self._wording(reference), reference.release, address))
        for address, page in self.frozen.items():
            pages.append((_wording_of(page.entry), page.entry.place.release, address))
        claims: dict[Wording, tuple[bool, int, str]] = {}
        for wording, release, address in pages:
            position = self._following.positions[wording.source, release]
            claim = (address in self.frozen, position, address)
            claims[wording] = min(claims.get(wording, claim), claim)
        return {wording: address for wording, (_, _, address) in claims.items()}

    def _frozen(self) -> dict[str, FrozenPage]:
        """Returns, by address, the published frozen pages, and those of new wordings."""
        result = {}
        for life in self._lives.values():
            for revision in _frozen_revisions(life):
                slug = self._slugs.of_name[life.key, fold(revision.entry.name)]
                id = self.ids[slug][revision.source, revision.first]
                address = f"/{urls.frozen(slug, id.removeprefix('r'))}"
                result[address] = FrozenPage(key=life.key, address=address, entry=revision.entry)
        for address, pages in self._archive.by_address.items():
            if not urls.slug_in(address) or urls.is_of_term(address):
                continue
            references = [page.entries[0] for page in pages]
            entries = [one for one in map(self._found.entry, references) if one]
            if entries:
                key, entry = entries[0]
                result[address] = FrozenPage(key=key, address=address, entry=entry)
            elif address not in result:
                self.lost[address] = tuple(references)
        return result


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
    for used_slug in sorted(slugs.owners, key=lambda one: (-len(one), one)):
        if key := slugs.owners[used_slug]:
            for id in urls.sphinx_anchors(slugs.names[used_slug]):
                keys[id] = key
    return keys
