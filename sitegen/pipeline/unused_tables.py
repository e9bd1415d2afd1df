"""Problems of settings in site.toml that have no effect: tables about a source, release, page or
term that was neither read nor published, and former ids of sources that stay sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from sitegen.addresses import urls
from sitegen.config import SITE_TOML
from sitegen.config.parsing import Config
from sitegen.config.tables import Continues, Corrected, Retired
from sitegen.config.toml import line_of
from sitegen.model import Designation, Problem, ProblemKind, Source, Trouble
from sitegen.permanence.archive import Archive
from sitegen.permanence.withholding import Cleaner
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import entries_of
from sitegen.sources.reading import INCOMPLETE
from sitegen.text.names import did_you_mean, fold

AS_PUBLISHED = "write it as it was published"


def unused_tables(config: Config, sources: Iterable[Source], site: Site) -> Iterator[Problem]:
    """Yields the problems, most only if all sources could be read. Retirements and the like are
    about what was published, so they are not checked before that."""
    yield from _separate_sources(config, site.composed.archive)
    if any(problem.kind in INCOMPLETE for problem in site.problems):
        return
    yield from _unknown_releases(config, sources, site.composed.archive)
    yield from _unknown_terms(config, site)
    if site.published:
        yield from _unknown_sources(config, site)
        yield from _unknown_addresses(config, site)


def _unknown_releases(
    config: Config, sources: Iterable[Source], archive: Archive
) -> tuple[Problem, ...]:
    """Returns a problem for each release that neither was read nor published."""
    known = {}
    for source in sources:
        # Of a source of which no release is read, the tags may be missing.
        if any(not release.unreleased for release in source.releases):
            names = [release.name for release in source.releases if release.name]
            names += archive.releases.get(source.id, ())
            known[source.id] = names
    if not known:
        return ()
    ids = {source.id for source in sources}
    for id, published in archive.releases.items():
        if id not in ids:
            known[id] = [*published]
    return config.unknown_releases(known)


def _separate_sources(config: Config, archive: Archive) -> Iterator[Problem]:
    """Yields a problem for each former id under which another source was published than under the
    present one: each has words and ids of its own."""
    for number, source in enumerate(config.sources):
        for former in source.formerly:
            if former in archive.releases:
                found = f"{former} and {source.id} were both published, and stay two sources"
                trouble = Trouble(ProblemKind.SETTINGS, found, f"take {former!r} out of formerly")
                line = line_of(("source", number, "formerly"), config.lines)
                yield trouble.at(SITE_TOML, line=line)


def _unknown_terms(config: Config, site: Site) -> Iterator[Problem]:
    """Yields a problem for each withheld term that no release has. It does not repeat the name."""
    tables = [table for table in config.withheld if table.terms]
    if not tables:
        return
    names = {fold(name.text) for name in _all_names(site)}
    cleaner = Cleaner(config.withheld)
    for table in tables:
        for name in table.terms:
            # A name with a text that is withheld is not in what was read.
            has_withheld_text = cleaner.without(name) != name
            if fold(name) not in names and not has_withheld_text:
                found = "[[withheld]] has a term that is not the name of a term at any release"
                yield table.settings_problem(found, "write the name as the glossary has it")


def _all_names(site: Site) -> Iterator[Designation]:
    """Yields the names in all sources of all languages, and those that were published."""
    for text in site.published.texts.values():
        yield from text.names
    for one in (site, *site.language_sites):
        for source in one.sources:
            for entry in entries_of(source.documents):
                yield from entry.designations


def _unknown_sources(config: Config, site: Site) -> Iterator[Problem]:
    """Yields a problem for each source that site.toml does not have, and that was not published."""
    known = {source.id for source in config.sources}
    known.update(translation.id for translation in config.translations)
    for former in site.published.sources.values():
        known |= {former.id, former.present}
    known.update(source for source, _ in site.published.editions_of)
    tables: list[Retired | Corrected | Continues] = [*config.retired]
    tables += (*config.corrected, *config.continues)
    for table in tables:
        if table.source and table.source not in known:
            found = f"unknown source {table.source!r}"
            wanted = did_you_mean(table.source, known, otherwise=AS_PUBLISHED)
            yield table.settings_problem(found, wanted)


def _unknown_addresses(config: Config, site: Site) -> Iterator[Problem]:
    """Yields a problem for each retired address at which, or below which, nothing was published,
    and for each page of a term that a source still has."""
    known = {*chain.from_iterable(map(urls.folders_of, site.published.by_address))}
    kept = {*chain.from_iterable(urls.folders_of(one.address) for one in site.addresses.kept)}
    for table in config.retired:
        for address in table.addresses:
            folder = urls.without_slash(address)
            is_of_term = urls.slug_in(folder) in site.addresses.pages
            if folder not in known:
                found = f"[[retired]] {address!r} was not published"
                published = [urls.with_slash(one) for one in known]
                wanted = did_you_mean(address, published, otherwise=AS_PUBLISHED)
                yield table.settings_problem(found, wanted)
            elif is_of_term and folder not in kept:
                found = f"[[retired]] {address!r} has no effect, as a source still has the term"
                yield table.settings_problem(found, "take the term out of the source first")
