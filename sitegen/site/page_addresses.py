"""The addresses that a site publishes beside those of terms and wordings, each as a row for the
ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.permanence.ledger import LedgerRow
from sitegen.site import exports
from sitegen.site.comparisons import pairs
from sitegen.site.pages import letters
from sitegen.site.pages.releases import addresses_in_full
from sitegen.site.site import Site


def rows_of_pages(site: Site) -> Iterator[LedgerRow]:
    """Yields the rows of all pages and data files, except the pages of terms and of wordings."""
    if site.base_url:
        yield LedgerRow(address=site.base_url, kind="site")
    fixed = (
        urls.HOME,
        urls.RELEASES,
        urls.MATRIX,
        urls.COMPARE,
        urls.ABOUT,
        urls.SEARCH,
        urls.NOT_FOUND,
    )
    by_letter = (letters.page(urls.A_TO_Z, letter) for letter in letters.pages_of_a_to_z(site))
    for address in (*fixed, *site.redirects, *by_letter):
        yield LedgerRow(address=f"/{address}", kind="page")
    yield from _rows_of_releases(site)
    for pair in pairs(site):
        if source := next((source for source in site.sources if pair.is_settled(source)), None):
            address = f"/{urls.comparison(pair.older, pair.newer)}"
            yield LedgerRow(
                address=address, kind="compare", source=source.id, first=pair.older, last=pair.newer
            )
    for heading in (
        *(section.heading for section in site.sections.values()),
        *site.permanence.former_sections,
    ):
        yield LedgerRow(address=f"/{urls.section(heading)}", kind="section", name=heading)
    for path in exports.paths(site):
        yield LedgerRow(address=f"/{path}", kind="data")
    yield _row_of_a_to_z(site)


def _row_of_a_to_z(site: Site) -> LedgerRow:
    """Returns the row of the list of all terms, with the ids by which Sphinx linked to terms, each
    with a slug."""
    row = site.permanence.ledger.get(f"/{urls.A_TO_Z}")
    promised = dict(row.fragments) if row else {}
    fragments = [(letters.anchor(letter), "") for letter in letters.of_current(site)]
    for id, key in site.permanence.sphinx_ids.items():
        slug = promised.get(id, "")
        fragments.append((id, slug if site.permanence.owners.get(slug) == key else site.slugs[key]))
    return LedgerRow(address=f"/{urls.A_TO_Z}", kind="page", fragments=tuple(sorted(fragments)))


def _rows_of_releases(site: Site) -> Iterator[LedgerRow]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for life in site.lives:
        for change in life.changes:
            kinds[change.release].add(change.kind)
    for name in site.release_names():
        source = next(
            (source for source, release in site.releases(name) if not release.unreleased), None
        )
        if source is None:
            continue
        sources = [urls.part_of_release(one.id) for one, _ in site.releases(name)]
        ids = {*kinds[name], *(sources if len(sources) > 1 else ())}
        yield LedgerRow(
            address=f"/{urls.release(name)}",
            kind="release",
            name=name,
            source=source.id,
            first=name,
            last=name,
            fragments=tuple((id, "") for id in sorted(ids)),
        )
        for address in addresses_in_full(site, name):
            yield LedgerRow(address=f"/{address}", kind="page")
