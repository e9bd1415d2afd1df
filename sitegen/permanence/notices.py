"""What the pages of a site say about words that differ from what was published, and the pages of
what is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.config.tables import Retired
from sitegen.model import grouped
from sitegen.permanence.archive import Archive, EntryReference
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.kept_pages import (
    KeptPages,
    Notice,
    lost_comparisons,
    published_text,
    withdrawn_releases,
)
from sitegen.permanence.permalinks import Permanence, references_of

OWN_FOLDERS = ("/term/", "/section/", "/a-z/", "/compare/")
"""The beginnings of the addresses in the language of the originals."""


def with_kept_pages(
    links: Permanence, composed: ComposedSources, retired: Sequence[Retired]
) -> Permanence:
    """Returns addresses with the pages of all that was published and has no term or release any
    more, and with what pages say about their words."""
    pages, present = KeptPages(composed.following, retired), _present_terms(links)
    lost = {**links.lost, **dict(_of_left_languages(links.archive))}
    kept = (
        *(
            pages.page(address, references, present=present.get(address, ""))
            for address, references in lost.items()
        ),
        *withdrawn_releases(composed.withdrawn, composed.sources, retired),
        *lost_comparisons(links.archive, composed.sources),
    )
    notices = {}
    for address, several in grouped(_addressed(links, composed)).items():
        notices[address] = tuple(dict.fromkeys(several))
    return replace(links, kept=kept, notices=notices)


def _of_left_languages(archive: Archive) -> Iterator[tuple[str, list[EntryReference]]]:
    """Yields the pages in languages that the site does not have any more, with their entries."""
    for address, pages in archive.by_address.items():
        if not (urls.is_web(address) or address.startswith(OWN_FOLDERS)):
            yield address, references_of(pages)


def _present_terms(links: Permanence) -> Mapping[str, str]:
    """Returns, by lost address, the key of the term that has its slug, or an entry that its page
    showed, or the words of one."""
    terms = {}
    for address, references in links.lost.items():
        keys = [links.owners.get(urls.slug_in(address), "")]
        for reference in references:
            found = links.found.entry(reference)
            keys.append(found.key if found else "")
            text = published_text(reference, links.following)
            keys.append(links.found.with_words(text.definition) if text else "")
        if known := list(filter(None, keys)):
            terms[address] = known[0]
    return terms


def _addressed(links: Permanence, composed: ComposedSources) -> Iterator[tuple[str, Notice]]:
    """Yields what the pages at some addresses say."""
    slugs = grouped((key, slug) for slug, key in links.owners.items())
    frozen = grouped((one.key, one) for one in links.frozen)
    for name, notice in _notices(composed):
        at = notice.source, notice.release
        source = links.archive.published_ids.get(at, notice.source)
        reference = EntryReference(source=source, release=notice.release, name=name)
        found = links.found.entry(reference)
        if found is None:
            continue
        for slug in slugs[found.key]:
            yield f"/{urls.term(slug)}", notice
        for page in frozen.get(found.key, ()):
            if (page.entry.place.source, page.entry.place.release) == at:
                yield page.address, notice


def _notices(composed: ComposedSources) -> Iterator[tuple[str, Notice]]:
    """Yields the names of entries with what is to be said about their words: that they were taken
    over, or that the source has other ones now."""
    for found in composed.compositions.values():
        for state in found.states:
            at = {"source": state.source, "release": state.release.name}
            for one in state.corrections:
                for name in one.terms:
                    yield name, Notice(**at, reason=one.reason, day=one.day)
        for difference in found.differences:
            place = difference.entry.place
            if difference.published:
                notice = Notice(source=place.source, release=place.release)
                yield difference.published.name, notice
