"""The pipeline from the parsed sources to the files of the site.

    sources ─▶ parsed sources ─▶ terms ─▶ lives ─▶ Site ─▶ File …

Each arrow is a separate step, and none of them accesses the disk; `site_build` reads and writes
files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.config.tables import ChosenSlug
from sitegen.history.lives import lives as lives_of
from sitegen.history.merging import merge
from sitegen.history.references import Originals, Resolver, resolve_all
from sitegen.model import File, Problem, ProblemKind, Source
from sitegen.model.terms import Life
from sitegen.permanence.archive import Archive, ArchivedPage, Line, tidied, united
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.composed_sources import ComposedSources, compose
from sitegen.permanence.composition_notes import difference_problems
from sitegen.permanence.kept_pages import with_kept_pages
from sitegen.permanence.page_lines import pages_of_terms
from sitegen.permanence.term_addresses import term_addresses, unused_slugs
from sitegen.permanence.withholding import Cleaner
from sitegen.pipeline.unused_tables import unused_tables
from sitegen.site import exports, host_files, pages, search
from sitegen.site.page_addresses import pages_beside_terms
from sitegen.site.pages import Page, PageData
from sitegen.site.pages.translated_terms import language_style
from sitegen.site.rendering import Renderer
from sitegen.site.site import Site, SitePart
from sitegen.site.templates import asset_files
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import INCOMPLETE, Glossaries
from sitegen.text.credentials import without_user

IMAGE = re.compile(r'href="(image/[\w.]+)"')


def assemble(config: Config, glossaries: Glossaries, archive: Archive) -> Site:
    """Returns the site from which pages are rendered. Addresses in the archive do not change.

    Raises `ContinuityError` if it would publish what does not continue what was published.
    """
    published = Cleaner(config.withheld).archive(archive)
    if config.translations:
        from sitegen.pipeline.language_sites import assembled_in_languages

        assembled = assembled_in_languages(config, glossaries, published, _assembled)
    else:
        assembled = _assembled(config, glossaries, published, slugs=(), originals=None)
    site = replace(assembled, published=published)
    unused = unused_tables(config, glossaries.sources, site)
    return replace(site, problems=tuple(sorted({*site.problems, *unused})))


def _assembled(
    config: Config,
    glossaries: Glossaries,
    archive: Archive,
    slugs: tuple[ChosenSlug, ...],
    originals: Originals | None,
) -> Site:
    """Returns the site of one language. `slugs` and `originals` are those of the terms that it
    translates."""
    cleaner = Cleaner(config.withheld)
    read = [cleaner.source(parsed(source)) for source in glossaries.sources]
    composed = compose(read, archive, config)
    merged = merge(composed.sources, renames=config.renames, verdicts=config.verdicts)
    resolver = Resolver(merged.terms, language=config.site.language)
    lives = lives_of(merged.terms, resolver=resolver)
    references = resolve_all(lives, resolver, originals)
    addresses_of_terms = term_addresses(lives, composed, chosen=(*config.slugs, *slugs))
    addresses = with_kept_pages(addresses_of_terms, config.retired)
    problems_of_reading = [*glossaries.problems]
    for source in read:
        problems_of_reading += source.problems
    problems_of_terms = [*merged.problems, *references.problems]
    problems_of_terms += unused_slugs(config.slugs, addresses)
    if _is_incomplete(problems_of_reading, composed):
        # What a table in site.toml is about may not have been read.
        problems_of_terms = [one for one in problems_of_terms if one.kind != ProblemKind.SETTINGS]
    problems = [*config.problems, *problems_of_reading, *difference_problems(composed)]
    problems += problems_of_terms
    return Site(
        settings=config.site,
        redirects=config.redirects,
        theme=config.theme,
        tables={table.id: table for table in config.sources},
        sources=composed.sources,
        composed=composed,
        lives=lives,
        addresses=addresses,
        images=_images(composed.sources, lives),
        references=references.targets,
        references_to_originals=references.originals,
        problems=tuple(sorted({_without_users(one) for one in problems})),
    )


def _is_incomplete(problems_of_reading: Iterable[Problem], composed: ComposedSources) -> bool:
    """True if something of the sources could not be read, or if a clone lacks published tags, and
    perhaps others that were never published. What other published releases say is known."""
    if any(one.kind in INCOMPLETE for one in problems_of_reading):
        return True
    for composition in composed.compositions.values():
        for one in composition.composed:
            if one.release.kind == "tag" and not one.is_read:
                return True
    return False


def _without_users(problem: Problem) -> Problem:
    """Returns a problem without the names of users in addresses: `https://host/a.git` for
    `https://me:secret@host/a.git`."""
    return replace(
        problem,
        path=without_user(problem.path),
        found=without_user(problem.found),
        wanted=without_user(problem.wanted),
    )


def next_archive(site: Site) -> Archive:
    """Returns the archive after a site is published, with its other languages."""
    lines: list[Line] = []
    for one in (site, *site.language_sites):
        lines += one.composed.lines()
        for page in pages_of_terms(one.lives, one.addresses):
            lines.append(_in_folder_of(one, page))
        for page in pages_beside_terms(one):
            if page.address not in one.addresses.archive.by_address:
                lines.append(_in_folder_of(one, page))
    return tidied(united([site.published, archive_of(lines)]))


def _in_folder_of(site: Site, page: ArchivedPage) -> ArchivedPage:
    """Returns a page with its address from the root of the site of the originals."""
    if not site.folder:
        return page
    return replace(page, address=site.folder + page.address)


def files(site: Site, templates: Mapping[str, str]) -> Iterator[File]:
    """Yields every file of the site, rendered lazily."""
    return chain.from_iterable(part.make() for part in parts(site, templates))


def parts(site: Site, templates: Mapping[str, str]) -> Iterator[SitePart[File]]:
    """Yields the independent parts of the site. Those that take longest come first, so that
    `workers` puts each of them into another batch."""
    data = PageData(site)
    renderer = Renderer(templates, site)
    yield SitePart(paths=("search/",), make=partial(search.files, site))
    yield from exports.parts(site)
    yield SitePart(paths=("_headers", "_redirects"), make=partial(host_files.files, site))
    yield SitePart(paths=tuple(site.images), make=partial(_image_files, site))
    assets = tuple(asset_files(templates))
    yield SitePart(paths=tuple(file.path for file in assets), make=lambda: assets)
    yield SitePart(paths=(urls.PANELS,), make=lambda: [renderer.panels()])
    for part in pages.parts(data):
        yield SitePart(paths=part.paths, make=partial(_rendered_files, renderer, part))
    for life in site.lives:
        addresses = [urls.term(slug) for slug in site.slugs_of[life.key]]
        addresses += [one.address for one in site.frozen_of.get(life.key, ())]
        yield SitePart(paths=tuple(addresses), make=partial(of_term, renderer, data, life.key))
    if site.languages:
        style = language_style(site, templates["languages.css"])
        file = File(path=urls.LANGUAGES_STYLE, content=style)
        yield SitePart(paths=(file.path,), make=lambda: [file])
    for one in site.language_sites:
        for part_of_language in parts(one, templates):
            yield _in_folder(one.folder, part_of_language)


def _in_folder(folder: str, part: SitePart[File]) -> SitePart[File]:
    """Returns a part with its files in a folder."""
    paths = tuple(folder + path for path in part.paths)
    return SitePart(paths=paths, make=partial(_files_in_folder, folder, part))


def _files_in_folder(folder: str, part: SitePart[File]) -> Iterator[File]:
    """Yields the files of a part, with their paths below a folder."""
    for file in part.make():
        yield replace(file, path=folder + file.path)


def _image_files(site: Site) -> Iterator[File]:
    """Yields the images of a site, by path."""
    for path, content in sorted(site.images.items()):
        yield File(path=path, content=content)


def of_term(renderer: Renderer, data: PageData, key: str) -> Iterator[File]:
    """Yields the files of a term: its own page, its other pages, then the exports beside its
    page."""
    term_page, *other_pages = pages.of_term(data, key)
    for page in (term_page, *other_pages):
        yield renderer.render(page)
    yield from exports.term_files(data.site, key, standing=term_page.standing)


def _rendered_files(renderer: Renderer, part: SitePart[Page]) -> Iterator[File]:
    """Returns the files of a part that makes pages."""
    return map(renderer.render, part.make())


def _images(sources: Iterable[Source], lives: Iterable[Life]) -> dict[str, bytes]:
    """Returns the images that a definition shows."""
    images: dict[str, bytes] = {}
    for source in sources:
        images.update(source.images)
    if not images:
        return {}
    shown: set[str] = set()
    for life in lives:
        for course in life.term.courses:
            for entry in course.distinct_entries:
                shown.update(IMAGE.findall(entry.definition.html))
    return {path: content for path, content in images.items() if path in shown}
