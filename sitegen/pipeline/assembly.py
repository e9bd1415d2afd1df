"""The pipeline from the parsed sources to the files of the site.

    sources ─▶ parsed sources ─▶ terms ─▶ lives ─▶ Site ─▶ File …

Each arrow is a separate step, and none of them accesses the disk; `site_build` reads and writes
files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import chain
from operator import attrgetter

from sitegen.addresses import urls
from sitegen.config.parsing import Config, with_pasted
from sitegen.config.tables import ChosenSlug
from sitegen.history.changes import lives as lives_of
from sitegen.history.merging import merge
from sitegen.history.references import Resolved, Resolver, resolve_all
from sitegen.model import File, Problem, ProblemKind, Prose, Source
from sitegen.permanence import permalinks
from sitegen.permanence.corrections import CorrectedLedger, correct
from sitegen.permanence.keeping import keep
from sitegen.permanence.ledger import Ledger, LedgerRow, published_releases
from sitegen.permanence.permalinks import Permanence
from sitegen.permanence.promises import History
from sitegen.permanence.remedies import Remedy, broken_promises, unreleased
from sitegen.permanence.withholding import withhold
from sitegen.site import exports, host_files, pages, search
from sitegen.site.exports import Labels
from sitegen.site.page_addresses import rows_of_pages
from sitegen.site.pages import Page, PageData
from sitegen.site.pages.translated_terms import language_style
from sitegen.site.parts import SitePart
from sitegen.site.rendering import Renderer
from sitegen.site.site import Site
from sitegen.site.templates import asset_files
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import INCOMPLETE, Glossaries

IMAGE = re.compile(r'href="(image/[\w.]+)"')


def assemble(config: Config, glossaries: Glossaries, ledger: Ledger) -> Site:
    """Returns the site from which pages are rendered. Addresses in the ledger do not change."""
    if not config.translations:
        return _assembled(config, glossaries, ledger)
    from sitegen.pipeline.language_sites import assembled_in_languages

    return assembled_in_languages(config, glossaries, ledger, _assembled)


def _assembled(
    config: Config,
    glossaries: Glossaries,
    ledger: Ledger,
    slugs: tuple[ChosenSlug, ...] = (),
) -> Site:
    """Returns the site of one language. `slugs` are those of the terms in another one."""
    sources = [parsed(source) for source in glossaries.sources]
    withheld = withhold(sources, config.withheld, ledger)
    corrected = correct(
        ledger,
        ids=config.former_ids,
        renames=(*config.renames, *withheld.renames),
        verdicts=config.verdicts,
        corrected=(*config.corrected, *withheld.corrected),
        sources=withheld.sources,
    )
    history, references, problems = _history(withheld.sources, corrected, config.site.language)
    permanence = permalinks.permalinks(
        history.lives, corrected.ledger, (*config.slugs, *slugs), published=ledger
    )
    problems += tuple(permalinks.unused_slugs(config.slugs, permanence, path=config.path))
    site = _site(config, history, permanence, references)
    pages = (*rows_of_pages(site), *_rows_of_translations(config))
    permanence, unused = keep(permanence, history, pages, config, corrected)
    problems += unused
    of_reading = [*glossaries.problems]
    for source in sources:
        of_reading += source.problems
    published = {source for source, _ in published_releases(corrected.ledger)}
    if any(one.kind in INCOMPLETE for one in of_reading) or any(unreleased(history, published)):
        # What declarations are about may not have been read.
        problems = tuple(one for one in problems if one.kind != ProblemKind.SETTINGS)
    problems = (*problems, *config.problems, *of_reading)
    return replace(site, permanence=permanence, problems=tuple(sorted(set(problems))))


def _rows_of_translations(config: Config) -> Iterator[LedgerRow]:
    """Yields the rows of the page about translations and of the feed of each language."""
    if config.translations:
        yield LedgerRow(address=f"/{urls.TRANSLATIONS}", kind="page")
    for tag in sorted(
        {one.language.lower() for one in config.translations if config.site.base_url}
    ):
        yield LedgerRow(address=f"/{urls.translations_feed(f'{tag}/')}", kind="data")


def _history(
    sources: tuple[Source, ...],
    corrected: CorrectedLedger,
    language: str,
) -> tuple[History, Resolved, tuple[Problem, ...]]:
    """Returns the terms through their releases, the targets of references, and problems."""
    merged = merge(sources, renames=corrected.renames, verdicts=corrected.verdicts)
    resolver = Resolver(merged.terms, language=language)
    lives = lives_of(merged.terms, sources=sources, resolver=resolver)
    references = resolve_all(lives, resolver)
    history = History(sources=sources, lives=lives)
    return history, references, (*merged.problems, *references.problems)


def _site(config: Config, history: History, permanence: Permanence, references: Resolved) -> Site:
    return Site(
        title=config.site.title,
        base_url=config.site.base_url,
        language=config.site.language,
        repository=config.site.repository,
        note=config.site.note,
        host=config.site.host,
        exports=config.site.exports,
        redirects=config.redirects,
        theme=config.theme,
        sources=history.sources,
        lives=history.lives,
        permanence=permanence,
        images=_images(history),
        references=references.targets,
        elsewhere=frozenset().union(*(source.elsewhere for source in history.sources)),
    )


def remedies(
    site: Site,
    config: Config,
    glossaries: Glossaries,
    ledger: Ledger,
    *,
    problems: Callable[[Site], Iterable[Problem]] = attrgetter("problems"),
    read: Callable[[Config], Glossaries] | None = None,
    day: date | None = None,
) -> tuple[Remedy, ...]:
    """Returns every remedy for the promises that publishing a site would break, so that one paste
    is enough.

    A broken promise can hide others: words can only be compared on a page that exists. So remedies
    are pasted, those of the lowest rank first, and if the site with them breaks promises, further
    ones follow. `problems` returns the problems of a site, with paths as messages show them; `read`
    reads the sources again for a remedy that adds releases; `day` is the date of corrections.
    """
    found: list[Remedy] = []
    first = new = _broken_promises(site, config, problems(site), day)
    while new and not new[0].is_about_inputs:
        found += [remedy for remedy in new if remedy.rank == new[0].rank]
        pasted = _pasted(config, found)
        if read and pasted.releases != config.releases:
            glossaries = read(pasted)
        site = assemble(pasted, glossaries, ledger)
        later = _broken_promises(site, pasted, problems(site), day)
        new = tuple(
            remedy for remedy in later if remedy.tables not in [one.tables for one in found]
        )
    found += new
    return _with_all_breaches(found, first)


def _with_all_breaches(found: Sequence[Remedy], first: Iterable[Remedy]) -> tuple[Remedy, ...]:
    """Returns remedies; the last one has the breaches that were gone before a remedy of their own
    was tried."""
    listed = {breach.address for remedy in found for breach in remedy.breaches}
    hidden = [
        breach for remedy in first for breach in remedy.breaches if breach.address not in listed
    ]
    return (
        *found[:-1],
        *(replace(last, breaches=(*last.breaches, *hidden)) for last in found[-1:]),
    )


def _pasted(config: Config, remedies: Iterable[Remedy]) -> Config:
    """Returns the configuration after the lines of remedies were pasted."""
    for remedy in remedies:
        for text in remedy.tables:
            config = with_pasted(config, text, source=remedy.source)
    return config


def _broken_promises(
    site: Site, config: Config, problems: Iterable[Problem], day: date | None
) -> tuple[Remedy, ...]:
    sites = (site, *site.language_sites)
    history = History(
        sources=tuple(source for one in sites for source in one.sources),
        lives=tuple(life for one in sites for life in one.lives),
    )
    former_ids = config.former_ids_listed
    return broken_promises(
        site.permanence, history, problems=problems, former_ids=former_ids, day=day
    )


def files(site: Site, templates: Mapping[str, str]) -> Iterator[File]:
    """Yields every file of the site, rendered lazily."""
    return chain.from_iterable(part.make() for part in parts(site, templates))


def parts(site: Site, templates: Mapping[str, str]) -> Iterator[SitePart[File]]:
    """Yields the independent parts of the site, those that take longest first."""
    data, labels, renderer = PageData(site), exports.Labels(site), Renderer(templates, site)
    yield SitePart(paths=("search/",), make=partial(search.files, site))
    yield from exports.parts(site, labels)
    yield SitePart(paths=("_headers", "_redirects"), make=partial(host_files.files, site))
    yield SitePart(paths=tuple(site.images), make=partial(_image_files, site))
    assets = tuple(asset_files(templates))
    yield SitePart(paths=tuple(file.path for file in assets), make=lambda: assets)
    yield SitePart(paths=(urls.PANELS,), make=lambda: [renderer.panels()])
    for part in pages.parts(data):
        yield SitePart(paths=part.paths, make=partial(_rendered_files, renderer, part))
    for life in site.lives:
        addresses = [urls.term(slug) for slug in site.slugs_of[life.key]]
        addresses += [one.address.removeprefix("/") for one in site.frozen_of.get(life.key, ())]
        yield SitePart(
            paths=tuple(addresses), make=partial(of_term, renderer, data, labels, life.key)
        )
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
    for file in part.make():
        yield replace(file, path=folder + file.path)


def _image_files(site: Site) -> Iterator[File]:
    for path, content in sorted(site.images.items()):
        yield File(path=path, content=content)


def of_term(renderer: Renderer, data: PageData, labels: Labels, key: str) -> Iterator[File]:
    """Yields the files of a term: its own page, its other pages, then the exports beside its
    page."""
    term_page, *other_pages = pages.of_term(data, key)
    for page in (term_page, *other_pages):
        yield renderer.render(page)
    yield from exports.term_files(data.site, labels, key, standing=term_page.standing)


def _rendered_files(renderer: Renderer, part: SitePart[Page]) -> Iterator[File]:
    return map(renderer.render, part.make())


def _images(history: History) -> dict[str, bytes]:
    """Returns the images that a definition shows."""
    images: dict[str, bytes] = {}
    for source in history.sources:
        images.update(source.images)
    if not images:
        return {}
    definitions: set[Prose] = set()
    for source in history.sources:
        for release in source.releases:
            definitions.update(entry.definition for entry in release.entries)
    shown = {path for prose in definitions for path in IMAGE.findall(prose.html)}
    return {path: content for path, content in images.items() if path in shown}
