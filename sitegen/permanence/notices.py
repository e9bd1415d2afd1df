"""What the pages of a site say about words that differ from what was published, and the pages of
what is gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.config.tables import Retired
from sitegen.model import grouped
from sitegen.permanence.archive import ArchivedPage, EntryReference
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.kept_pages import (
    Notice,
    Withdrawals,
    entries_on,
    kept_page,
    lost_comparisons,
    withdrawn_releases,
)
from sitegen.permanence.published_entries import published_text
from sitegen.permanence.term_addresses import TermAddresses

OWN_FOLDERS = ("/term/", "/section/", "/a-z/", "/compare/")
"""The beginnings of the addresses in the language of the originals."""


def with_kept_pages(
    addresses: TermAddresses, composed: ComposedSources, retired: Sequence[Retired]
) -> TermAddresses:
    """Returns addresses with the pages of all that was published and has no term or release any
    more, and with what pages say about their words."""
    withdrawals = Withdrawals(retired)
    kept = []
    for pages in addresses.lost.values():
        present = _present_term(pages, addresses)
        kept.append(kept_page(pages, composed.following, withdrawals, present=present))
    for address, pages in addresses.archive.by_address.items():
        if not urls.is_web(address) and not address.startswith(OWN_FOLDERS):
            kept.append(
                kept_page(pages, composed.following, withdrawals)
            )  # its language is left out
    kept += withdrawn_releases(composed.withdrawn, composed.sources, withdrawals)
    kept += lost_comparisons(addresses.archive, composed.sources)
    notices = {}
    for address, several in grouped(_addressed(addresses, composed)).items():
        notices[address] = tuple(dict.fromkeys(several))
    return replace(addresses, kept=tuple(kept), notices=notices)


def _present_term(pages: Sequence[ArchivedPage], addresses: TermAddresses) -> str:
    """Returns the key of the term that has the slug of a lost address, or an entry that its page
    showed, or the words of one; empty if there is none."""
    if page := addresses.pages.get(urls.slug_in(pages[0].address)):
        return page.key
    for reference in entries_on(pages, addresses.archive):
        if found := addresses.found.entry(reference):
            return found.key
        text = published_text(reference, addresses.following)
        key = addresses.found.with_words(text.definition) if text else ""
        if key:
            return key
    return ""


def _addressed(addresses: TermAddresses, composed: ComposedSources) -> Iterator[tuple[str, Notice]]:
    """Yields what the pages at some addresses say."""
    slugs = grouped((page.key, slug) for slug, page in addresses.pages.items())
    frozen = grouped((one.key, one) for one in addresses.frozen)
    for name, notice in _notices(composed):
        at = notice.source, notice.release
        source = addresses.archive.published_ids.get(at, notice.source)
        reference = EntryReference(source=source, release=notice.release, name=name)
        found = addresses.found.entry(reference)
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
