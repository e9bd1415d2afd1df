"""Sites for tests, from the small glossaries of `glossaries`, and their pages as parsed HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import lxml.html
from glossaries import Glossary as Releases
from glossaries import source
from lxml import etree

from sitegen.addresses import urls
from sitegen.config.tables import Rename, SiteTable, Verdict
from sitegen.history import lives as history
from sitegen.history.merging import merge
from sitegen.history.references import Resolver, resolve_all
from sitegen.integrations.glossary import Glossary
from sitegen.integrations.loading import parse
from sitegen.model import File, Source
from sitegen.permanence.archive import Archive
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.term_addresses import term_addresses
from sitegen.pipeline import assembly
from sitegen.pipeline.assembly import assemble
from sitegen.site import exports
from sitegen.site.exports import data
from sitegen.site.messages import plain
from sitegen.site.pages import Page, of_term, parts
from sitegen.site.pages.page import Writer
from sitegen.site.pages.status import status
from sitegen.site.rendering import Renderer
from sitegen.site.site import Site
from sitegen.site.templates import read_templates
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config


def files_of(site: Site, templates: Mapping[str, str]) -> Iterator[File]:
    """Yields every file of a site, as a build writes it."""
    for part in assembly.parts(site, templates):
        yield from part.make()


def site_of(
    *sources: Source,
    renames: tuple[Rename, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
    archive: Archive | None = None,
    **facts: Any,
) -> Site:
    """Returns a site of these sources; `facts` are keys of [site] in site.toml."""
    terms = merge(sources, renames=renames, verdicts=verdicts).terms
    resolver = Resolver(terms)
    lives = history.lives(terms, resolver=resolver)
    return Site(
        settings=SiteTable(**{"title": "Example glossary", **facts}),
        sources=sources,
        lives=lives,
        addresses=term_addresses(lives, ComposedSources(archive=archive or Archive())),
        references=resolve_all(lives, resolver).targets,
    )


def with_settings(site: Site, **facts: Any) -> Site:
    """Returns a site with other values of keys of [site]."""
    return replace(site, settings=replace(site.settings, **facts))


def glossary(releases: Releases, **facts: Any) -> Site:
    """Returns a site of one source, `example`."""
    return site_of(source("example", releases), **facts)


def pages_of(site: Site) -> Mapping[str, Page]:
    """Returns every page before it is rendered, by address."""
    made = [page for part in parts(site) for page in part.make()]
    made += [page for life in site.lives for page in of_term(site, life.key)]
    return {page.address: page for page in made}


def export_files(site: Site) -> Iterator[File]:
    """Yields all data files of a site."""
    for part in exports.parts(site):
        yield from part.make()
    writer = Writer(site, urls.term("any"))
    for life in site.lives:
        yield from exports.term_files(site, life.key, standing=plain(status(life, writer)))


def data_of(site: Site) -> Glossary:
    """Returns a site as programs read it from its glossary.json."""
    return parse(next(iter(data.files(site))).content, "glossary.json")


@cache
def templates() -> Mapping[str, str]:
    return read_templates()


def html(site: Site, address: str) -> lxml.html.HtmlElement:
    """Returns one page as parsed HTML."""
    return lxml.html.document_fromstring(markup(site, address))


def markup(site: Site, address: str) -> str:
    """Returns one page as text."""
    return Renderer(templates(), site).render(pages_of(site)[address]).content.decode()


INLINE = frozenset("a b bdi code del dfn em ins path span strong svg time wbr".split())


def words(element: lxml.html.HtmlElement) -> str:
    """Returns an element's text with single spaces; blocks and cells are separated as they are on
    screen."""
    parts = []
    for event, part in etree.iterwalk(element, events=("start", "end")):
        apart = "" if part.tag in INLINE else " "
        if event == "start":
            parts += [apart, part.text or ""]
        else:
            parts += [apart, (part.tail or "") if part is not element else ""]
    return " ".join("".join(parts).split())


def text(site: Site, address: str, name: str) -> list[str]:
    """Returns the text of each element of a class on a page."""
    return [words(element) for element in html(site, address).find_class(name)]


def event_sentences(site: Site, address: str) -> list[str]:
    """Returns the sentences in the history on a page of a term."""
    found = html(site, address).xpath("//li[@class='event']//details/p[not(@class)]")
    return [words(element) for element in found]


def read_site(folder: Path) -> Site:
    """Returns the site of a folder of glossaries on disk."""
    config = read_config(folder)
    return assemble(
        config, SourceReader(folder, clones=Clones(folder=folder)).read(config), Archive()
    )


def site_of_glossaries(*glossaries: Releases) -> Site:
    """Returns a site with a source for each glossary."""
    return site_of(
        *(source(f"source-{number}", glossary) for number, glossary in enumerate(glossaries))
    )
