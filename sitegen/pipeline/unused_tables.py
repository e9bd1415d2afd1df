"""Problems of settings in site.toml that have no effect: tables about a source, release or term
that was neither read nor published, and former ids of sources that stay sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    """Yields a problem for each setting that has no effect."""
    yield from _separate_sources(config, site.composed.archive)
    # What could not be read may have the release or the term that a table names.
    if any(problem.kind in INCOMPLETE for problem in site.problems):
        return
    yield from _unknown_releases(config, sources, site.composed.archive)
    yield from _unknown_terms(config, site)
    # The other tables, such as [[retired]], are about what was published.
    if site.published:
        yield from _unknown_sources(config, site)


def _unknown_releases(
    config: Config, sources: Iterable[Source], archive: Archive
) -> tuple[Problem, ...]:
    """Returns a problem for each release in site.toml that neither was read nor published."""
    names_of_source = {}
    for source in sources:
        has_releases = any(not release.unreleased for release in source.releases)
        if not has_releases:
            continue  # the clone may lack the tags, so its releases are not known
        names = [release.name for release in source.releases if release.name]
        names += archive.releases.get(source.id, ())
        names_of_source[source.id] = names
    if not names_of_source:
        return ()

    # Sources that site.toml does not have any more.
    ids = {source.id for source in sources}
    for id, published in archive.releases.items():
        if id not in ids:
            names_of_source[id] = [*published]
    return config.unknown_releases(names_of_source)


def _separate_sources(config: Config, archive: Archive) -> Iterator[Problem]:
    """Yields a problem for each id in `formerly` under which a source of its own was published.
    Two published sources cannot become one, since each has its own words and ids."""
    for number, source in enumerate(config.sources):
        for former in source.formerly:
            # The releases of a source are under its present id, so these are of another source.
            if former in archive.releases:
                found = f"{former} and {source.id} were both published, and stay two sources"
                trouble = Trouble(ProblemKind.SETTINGS, found, f"take {former!r} out of formerly")
                line = line_of(("source", number, "formerly"), config.lines)
                yield trouble.at(SITE_TOML, line=line)


def _unknown_terms(config: Config, site: Site) -> Iterator[Problem]:
    """Yields a problem for each withheld term that no release has. It does not say the name."""
    tables = [table for table in config.withheld if table.terms]
    if not tables:
        return
    names = {fold(name.text) for name in _all_names(site)}
    cleaner = Cleaner(config.withheld)
    for table in tables:
        for name in table.terms:
            # All names were read without the texts to withhold: one with such a text is not found.
            has_withheld_text = cleaner.without(name) != name
            if fold(name) not in names and not has_withheld_text:
                found = "[[withheld]] has a term that is not the name of a term at any release"
                yield table.settings_problem(found, "write the name as the glossary has it")


def _all_names(site: Site) -> Iterator[Designation]:
    """Yields the names in all sources of all languages, and those that were published."""
    for text in site.published.texts.values():
        yield from text.names
    for each_site in (site, *site.language_sites):
        for source in each_site.sources:
            for entry in entries_of(source.documents):
                yield from entry.designations


def _unknown_sources(config: Config, site: Site) -> Iterator[Problem]:
    """Yields a problem for each table about a source that site.toml does not have, and that was not
    published."""
    known = {source.id for source in config.sources}
    known.update(translation.id for translation in config.translations)
    for former in site.published.sources.values():
        known |= {former.id, former.present}
    known.update(source for source, _release in site.published.editions_of)
    tables: list[Retired | Corrected | Continues] = []
    tables += config.retired
    tables += config.corrected
    tables += config.continues
    for table in tables:
        if table.source and table.source not in known:
            found = f"unknown source {table.source!r}"
            wanted = did_you_mean(table.source, known, otherwise=AS_PUBLISHED)
            yield table.settings_problem(found, wanted)
