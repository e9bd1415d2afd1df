"""The pipeline from the parsed sources to the files of the site.

    sources ─▶ parsed sources ─▶ terms ─▶ lives ─▶ Site ─▶ File …

Each arrow is a separate step, and none of them accesses the disk; `site_build` reads and writes
files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.model import File, SitePart
from sitegen.permanence.archive import Archive, ArchivedPage
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.archive_union import tidied, united
from sitegen.permanence.page_lines import pages_of_terms
from sitegen.permanence.withholding import Cleaner
from sitegen.pipeline.one_language import site_of_language
from sitegen.pipeline.unused_tables import unused_tables
from sitegen.site import exports, letters, pages, search
from sitegen.site.pages import Page
from sitegen.site.pages.language_links import language_style
from sitegen.site.pages.lists import letters_with_page
from sitegen.site.rendering import Renderer
from sitegen.site.site import Site
from sitegen.site.templates import asset_files
from sitegen.sources.reading import Glossaries


def assemble(config: Config, glossaries: Glossaries, archive: Archive) -> Site:
    """Returns the site from which pages are rendered. Addresses in the archive do not change.

    Raises `ContinuityError` if a source has become another one since it was published.
    """
    cleaner = Cleaner(config.withheld)
    published = cleaner.archive(archive)
    if config.translations:
        # Most glossaries have none, and need not load the module.
        from sitegen.pipeline.language_sites import site_in_languages

        assembled = site_in_languages(config, glossaries, published)
    else:
        assembled = site_of_language(config, glossaries, published)
    site = replace(assembled, published=published)
    unused = unused_tables(config, glossaries.sources, site)
    problems = {cleaner.problem(one) for one in (*site.problems, *unused)}
    return replace(site, problems=tuple(sorted(problems)))


def next_archive(site: Site) -> Archive:
    """Returns the archive after a site is published in all its languages."""
    archives = [site.published]
    new_pages = []
    for each_site in (site, *site.language_sites):
        archives.append(each_site.composed.new)
        for page in pages_of_terms(each_site.lives, each_site.addresses):
            new_pages.append(_with_folder(page, each_site))
        for page in pages_beside_terms(each_site):
            # The line of such a page has no entries, so it never changes.
            if page.address not in each_site.addresses.archive.by_address:
                new_pages.append(_with_folder(page, each_site))
    return tidied(united([*archives, archive_of(new_pages)]))


def pages_beside_terms(site: Site) -> Iterator[ArchivedPage]:
    """Yields the pages of no term whose addresses do not follow from releases: the page of the
    site, and those of sections and of letters."""
    if site.base_url and not site.is_translation:
        yield ArchivedPage(address=site.base_url)
    for letter in letters_with_page(site):
        yield ArchivedPage(address=letters.page(urls.A_TO_Z, letter))
    for section in site.sections.values():
        yield ArchivedPage(address=urls.section(section.heading), name=section.heading)


def _with_folder(page: ArchivedPage, site: Site) -> ArchivedPage:
    """Adds the folder of the site of a language to the address of a page: `term/tenseur/` becomes
    `fr/term/tenseur/`. The site of the originals has no folder."""
    return replace(page, address=site.folder + page.address)


def published_paths(archive: Archive) -> Iterator[str]:
    """Yields the paths of the files that the archive of one language promises. For the address
    `term/tensor/`, these are `index.html`, `index.json` and `index.md` in its folder; for a release
    1.0, `release/1.0/index.html`."""
    for address in archive.by_address:
        if urls.is_web(address):
            continue  # the address of the site is no file
        yield urls.path(address)
        if urls.is_of_term(address):
            slug = urls.slug_in(address)
            yield urls.term_data(slug)
            yield urls.term_markdown(slug)
    for edition in archive.editions.values():
        if edition.release and not edition.unreleased:
            folder = archive.folder_of_source.get(edition.source, "")
            yield folder + urls.path(urls.release(edition.release))


def parts(site: Site, templates: Mapping[str, str]) -> Iterator[SitePart[File]]:
    """Yields the independent parts of the site. Those that take longest come first: `workers`
    spreads them over its batches."""
    renderer = Renderer(templates, site)
    yield SitePart(prefixes=("search/",), make=partial(search.files, site))
    yield from exports.parts(site)
    images = [File(path=path, content=content) for path, content in sorted(site.images.items())]
    yield SitePart(prefixes=tuple(site.images), make=lambda: images)
    assets = tuple(asset_files(templates))
    yield SitePart(prefixes=tuple(file.path for file in assets), make=lambda: assets)
    yield SitePart(prefixes=(urls.PANELS,), make=lambda: [renderer.panels()])
    for part in pages.parts(site):
        yield SitePart(prefixes=part.prefixes, make=partial(_rendered_files, renderer, part))
    for life in site.lives:
        addresses = [urls.term(slug) for slug in site.slugs_of[life.key]]
        addresses += [one.address for one in site.frozen_of.get(life.key, ())]
        yield SitePart(prefixes=tuple(addresses), make=partial(of_term, renderer, life.key))
    if site.languages:
        content = language_style(site, templates["languages.css"])
        style = File(path=urls.LANGUAGES_STYLE, content=content)
        yield SitePart(prefixes=(style.path,), make=lambda: [style])
    for language_site in site.language_sites:
        for own in parts(language_site, templates):
            prefixes = tuple(language_site.folder + prefix for prefix in own.prefixes)
            yield SitePart(
                prefixes=prefixes, make=partial(_files_in_folder, language_site.folder, own)
            )


def _files_in_folder(folder: str, part: SitePart[File]) -> Iterator[File]:
    """Yields the files of a part, with their paths below a folder."""
    for file in part.make():
        yield replace(file, path=folder + file.path)


def of_term(renderer: Renderer, key: str) -> Iterator[File]:
    """Yields the files of a term: its own page, its other pages, then the exports beside its
    page."""
    term_page, *other_pages = pages.of_term(renderer.site, key)
    for page in (term_page, *other_pages):
        yield renderer.render(page)
    # The exports say the status in the sentence of the page.
    yield from exports.term_files(renderer.site, key, standing=term_page.standing)


def _rendered_files(renderer: Renderer, part: SitePart[Page]) -> Iterator[File]:
    """Returns the files of a part that makes pages."""
    return map(renderer.render, part.make())
