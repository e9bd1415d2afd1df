"""Writes the site's data in the formats that other tools read.

Each module yields files computed from the `Site` alone. Their addresses are defined in `urls`. The
addresses that tools store (`paths`) are recorded in the ledger as permanent, like those of pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.permanence.permalinks import KeptAddress
from sitegen.site.exports import (
    data,
    feeds,
    inventory,
    markdown_pages,
    search_engines,
    turtle,
)
from sitegen.site.exports.texts import Labels, one_line
from sitegen.site.parts import SitePart
from sitegen.site.site import Site
from sitegen.text import compact_json
from sitegen.text.markdown_escaping import escaped

__all__ = ["Labels", "notes", "parts", "paths", "term_files"]


def parts(site: Site, labels: Labels) -> Iterator[SitePart[File]]:
    """Yields the files about the whole site, in a part for each format."""
    of_releases = tuple(map(urls.release_data, site.releases_out))
    retired_addresses = tuple(one.row.address.removeprefix("/") for one in site.permanence.kept)
    yield SitePart(
        paths=(*feeds.paths(site), urls.TRANSLATIONS), make=partial(feeds.files, site, labels)
    )
    yield SitePart(paths=(urls.TURTLE,), make=partial(turtle.files, site, labels))
    yield SitePart(paths=(urls.LLMS,), make=partial(markdown_pages.llms, site, labels))
    yield SitePart(paths=(urls.DATA,), make=partial(data.files, site))
    yield SitePart(paths=of_releases, make=partial(data.release_files, site))
    yield SitePart(paths=(urls.SHEET,), make=partial(data.table, site))
    yield SitePart(
        paths=(urls.ABBREVIATIONS, urls.LINKS), make=partial(markdown_pages.snippets, site)
    )
    yield SitePart(paths=(urls.SITEMAP, urls.ROBOTS), make=partial(search_engines.sitemap, site))
    yield SitePart(paths=retired_addresses, make=partial(retired, site))
    yield from inventory.parts(site)


def term_files(site: Site, labels: Labels, key: str, *, standing: str) -> Iterator[File]:
    """Yields the data files of a term, in the folder of its page at each of its addresses.

    `standing` is the term's status sentence, as its page shows it.
    """
    life = site.by_key[key]
    contents = {
        urls.term_data: data.of_term(life, site, standing=standing),
        urls.term_markdown: markdown_pages.of_term(life, site, labels, standing=standing),
    }
    if site.base_url:
        contents[urls.term_feed] = feeds.of_term(life, site, labels)
    for slug in site.slugs_of[key]:
        yield from (File(path=path(slug), content=content) for path, content in contents.items())


def retired(site: Site) -> Iterator[File]:
    """Yields the data files of all retired addresses: each keeps its format and contains only the
    reason."""
    for kept in site.permanence.kept:
        retired_paths = [kept.row.address.removeprefix("/")] if kept.row.kind == "data" else []
        if kept.row.kind == "term":
            forms = (
                urls.term_data,
                urls.term_markdown,
                *((urls.term_feed,) if site.base_url else ()),
            )
            retired_paths = [form(urls.slug_in(kept.row.address)) for form in forms]
        if not kept.has_page:
            yield from (
                File(path=path, content=_reason(path, kept, site)) for path in retired_paths
            )


def _reason(path: str, kept: KeptAddress, site: Site) -> bytes:
    """Returns the reason in the format of a file."""
    name = kept.row.name or path
    match path.rpartition(".")[2]:
        case "json":
            return f"{compact_json.text({'retired': kept.reason})}\n".encode()
        case "inv":
            return inventory.inventory(site.title, "", "")
        case "xml":
            address = urls.address(path.removesuffix(urls.feed("")))
            return feeds.feed(Labels(site), address, f"{name}: {kept.reason}")
        case _:  # Markdown: other data files have no address that can retire
            return f"# {escaped(one_line(name))}\n\n{escaped(one_line(kept.reason))}\n".encode()


def paths(site: Site) -> Iterator[str]:
    """Yields the paths of the permanent files, except those in the folder of a term's page.

    The permanent address of that page covers these.
    """
    yield from (urls.DATA, urls.SCHEMA, urls.INVENTORY, urls.LLMS, urls.EMBED, urls.FIRST_MENTION)
    yield from (urls.TURTLE, urls.SHEET)
    yield from map(urls.release_data, site.releases_out)
    yield from map(urls.release_inventory, site.releases_out)
    yield from feeds.paths(site)


def notes(site: Site) -> Iterator[str]:
    """Yields a message for each omission in the site's data that no mistake in a document
    causes."""
    yield from inventory.notes(site)
    if not site.base_url:
        yield (
            "no feeds and no sitemap, which need an absolute address: set base_url in [site] "
            "of site.toml"
        )
