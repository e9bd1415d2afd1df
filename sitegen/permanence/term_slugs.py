"""Which term has each slug, and each id by which Sphinx linked to terms.

A published slug stays with the term that has the entry for which it was published. Of terms with
the same new slug, the one that appeared first has it, and later ones are numbered. Every preferred
name that a term ever had keeps its slug.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug as slug_of
from sitegen.config.tables import ChosenSlug
from sitegen.model.terms import Life
from sitegen.permanence.archive import Archive, PublishedPage
from sitegen.permanence.published_entries import EntryIndex, references_of
from sitegen.text.names import fold


class NameUse(NamedTuple):
    """A name of a term in consecutive releases. Of two uses that ask for the same slug, the smaller
    one gets it: the fields are in the order in which they decide."""

    is_not_chosen: bool
    """False if site.toml chooses the slug."""
    release: int
    """The number of the first of the releases."""
    source: str
    is_inexact: bool
    """True if the slug does not have every sign of the name: `eclair` of "Éclair"."""
    name: str
    key: str
    """The key of the term."""
    slug: str
    """The slug to ask for."""


def _name_uses(life: Life, chosen: Mapping[tuple[str, str], str]) -> Iterator[NameUse]:
    """Yields the uses of preferred names of a term: one for each entry that a source has in
    consecutive releases. `chosen` are the slugs in site.toml, by source and folded name."""
    for course in life.courses:
        for span in course.spans:
            if not span.entry:
                continue
            name = span.entry.name
            folded = fold(name)
            chosen_for_source = chosen.get((course.source.id, folded))
            chosen_slug = chosen_for_source or chosen.get(("", folded))  # "" is for all sources
            slug = chosen_slug or slug_of(name)
            yield NameUse(
                is_not_chosen=not chosen_slug,
                release=span.first,
                source=course.source.id,
                is_inexact=slug != folded.replace(" ", "-"),
                name=name,
                key=life.key,
                slug=slug,
            )


class Slugs:
    """Gives slugs: first the published ones, then new ones in the order of the first use of each
    name."""

    def __init__(
        self,
        lives: Collection[Life],
        archive: Archive,
        index: EntryIndex,
        chosen: Iterable[ChosenSlug],
    ) -> None:
        self.owners: dict[str, str] = {}
        """Slug to term key; to an empty one if no term has a published slug any more."""
        self.of_name: dict[tuple[str, str], str] = {}
        """(term key, folded name) to slug."""
        self.names: dict[str, str] = {}
        """Slug to the name that it was given to first."""
        # Of several published slugs of a name, the shortest is that of the name.
        for address in sorted(archive.by_address, key=lambda one: (len(one), one)):
            if urls.is_of_term(address):
                page = archive.by_address[address]
                self._give(urls.slug_in(address), _owner(page, index, archive), page.name)
        chosen_slugs = {(one.source, fold(one.name)): one.slug for one in chosen}
        uses: list[NameUse] = []
        for life in lives:
            uses += _name_uses(life, chosen_slugs)
        for use in sorted(uses):
            if (use.key, fold(use.name)) not in self.of_name:
                slug = self._free_slug(use.slug, use.key)
                self._give(slug, use.key, use.name)

    def _give(self, slug: str, key: str, name: str) -> None:
        """Gives a slug to a term for a name; to no term if the key is empty."""
        self.owners[slug] = key
        self.names.setdefault(slug, name)
        if key:
            self.of_name.setdefault((key, fold(name)), slug)

    def _free_slug(self, base: str, key: str) -> str:
        """Returns the first slug that no other term has: `base`, `base-2`, `base-3` and so on."""
        slug, number = base, 1
        while self.owners.get(slug, key) != key:
            number += 1
            slug = f"{base}-{number}"
        return slug


def _owner(page: PublishedPage, index: EntryIndex, archive: Archive) -> str:
    """Returns the key of the term to which a published address belongs; empty if there is none."""
    references = references_of(page, archive)
    with_page_name = [one for one in references if fold(one.name) == fold(page.name)]

    # The term that has an entry of the page. An entry with the name of the page comes first.
    for reference in (*with_page_name, *references):
        entry = index.entry(reference)
        if entry:
            return entry.key

    # If no term has an entry of the page, a term with its name.
    return index.named(page.name)


def sphinx_ids(lives: Iterable[Life], slugs: Slugs) -> Mapping[str, str]:
    """Returns the ids that Sphinx gave to names, each with the key of the term to which it
    leads. That is the term with the published address of the name, else the first term that has
    or had it."""
    keys: dict[str, str] = {}
    # Of several slugs of a name, the shortest is that of the name.
    for slug in sorted(slugs.owners, key=lambda one: (len(one), one)):
        key = slugs.owners[slug]
        if key:  # else no term has the slug any more
            for id in urls.sphinx_anchors(slugs.names[slug]):
                keys.setdefault(id, key)

    for life in lives:
        for course in life.courses:
            for entry in course.span_entries:
                for designation in entry.designations:
                    for id in urls.sphinx_anchors(designation.text):
                        keys.setdefault(id, life.key)
    return keys
