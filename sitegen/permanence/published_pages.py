"""The lines that publishing the addresses of a site adds to the archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.model.terms import Course, Life
from sitegen.permanence.archive import ArchivedPage, EntryReference
from sitegen.permanence.permalinks import Permanence, references_of


def pages_of_terms(lives: Iterable[Life], links: Permanence) -> Iterator[ArchivedPage]:
    """Yields the pages of terms and of frozen wordings that are not in the archive, and those with
    entries that they did not have."""
    by_key = {life.key: life for life in lives}
    for slug, key in links.owners.items():
        address = f"/{urls.term(slug)}"
        pages = links.archive.by_address.get(address, ())
        entries = tuple(_new_entries(by_key[key], references_of(pages), links))
        if entries or not pages:
            yield ArchivedPage(
                address=address,
                name=links.slug_names[slug],
                source=pages[0].source if pages else links.own_sources[slug],
                entries=entries,
            )
    for frozen in links.frozen:
        if frozen.address not in links.archive.by_address:
            reference = links.found.reference(frozen.key, frozen.entry)
            yield ArchivedPage(address=frozen.address, name=frozen.entry.name, entries=(reference,))


def _new_entries(
    life: Life, published: Sequence[EntryReference], links: Permanence
) -> Iterator[EntryReference]:
    """Yields the entries that begin on the page of a term: those after which it shows, for a
    release that was not published or for which it showed nothing, something else than `published`
    ones say.

    What it showed for a published release does not change: if another term has that entry now, the
    id of the release leads there.
    """
    for course in life.term.courses:
        begun = {one.release: one for one in published if _is_of(one, course, links)}
        before: dict[str, EntryReference | None] = {}
        """What the page showed for each release."""
        shown: dict[str, EntryReference | None] = {}
        """What published and new entries say for each release."""
        for release, predecessor in _with_predecessors(course, links):
            before[release] = begun.get(release, before.get(predecessor))
            current = begun.get(release, shown.get(predecessor))
            shown[release] = current
            wanted = _published_at(release, before[release], course, links)
            if wanted is None:
                entry = course.at(release)
                if entry is None:
                    continue
                is_same = current is not None and current.name == entry.name
                if is_same and not life.term.homonyms:
                    continue
                wanted = links.found.reference(life.key, entry)
            if current is None or not _is_alike(current, wanted):
                shown[release] = wanted
                yield wanted


def _is_alike(reference: EntryReference, other: EntryReference) -> bool:
    return reference.name == other.name and reference.number == other.number


def _published_at(
    release: str, begun: EntryReference | None, course: Course, links: Permanence
) -> EntryReference | None:
    """Returns the entry that a page showed for a published release, if one had begun on it; None if
    it showed none."""
    source = links.archive.published_ids.get((course.source.id, release))
    if source is None or begun is None:
        return None
    if not links.archive.has_entry(source, release, begun.name):
        return None
    return replace(begun, source=source, release=release)


def _with_predecessors(course: Course, links: Permanence) -> Iterator[tuple[str, str]]:
    """Yields the releases of a source with those before them: of a published one, that of its
    time."""
    published = links.archive.release_orders.get(course.source.id, ())
    for edition in published:
        yield edition.release, edition.after
    known = {edition.release for edition in published}
    before = ""
    for release in links.order.get(course.source.id, course.releases):
        if release not in known:
            yield release, before
        before = release


def _is_of(reference: EntryReference, course: Course, links: Permanence) -> bool:
    return links.archive.present_id(reference.source) == course.source.id
