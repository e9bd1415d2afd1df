"""Assembles the site of one language: its terms, what happened to them, and their addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from sitegen.config.parsing import Config
from sitegen.config.tables import ChosenSlug
from sitegen.history.lives import lives as lives_of
from sitegen.history.merging import merge
from sitegen.history.references import Originals, Resolver, resolve_all
from sitegen.model import Problem, ProblemKind, Source
from sitegen.model.terms import Life
from sitegen.permanence.archive import Archive
from sitegen.permanence.composed_sources import ComposedSources, compose
from sitegen.permanence.composition_notes import difference_problems
from sitegen.permanence.kept_pages import kept_pages
from sitegen.permanence.term_addresses import term_addresses, unused_slugs
from sitegen.permanence.withholding import Cleaner
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import INCOMPLETE, Glossaries
from sitegen.text.credentials import without_user

IMAGE = re.compile(r'href="(image/[\w.]+)"')
"""Matches a link to an image of the site in a definition."""


def site_of_language(
    config: Config,
    glossaries: Glossaries,
    archive: Archive,
    *,
    slugs: Iterable[ChosenSlug] = (),
    originals: Originals | None = None,
) -> Site:
    """Returns the site of one language.

    For a translation, `slugs` gives terms the slugs of their originals, and `originals` resolves
    references to terms that it lacks.
    """
    # From the documents to the terms and their history.
    cleaner = Cleaner(config.withheld)
    read = [cleaner.source(parsed(source)) for source in glossaries.sources]
    composed = compose(read, archive, config)
    merged = merge(composed.sources, renames=config.renames, verdicts=config.verdicts)
    resolver = Resolver(merged.terms, language=config.site.language)
    lives = lives_of(merged.terms, resolver=resolver)
    references = resolve_all(lives, resolver, originals)
    addresses = term_addresses(lives, composed, chosen=(*config.slugs, *slugs))

    # The problems.
    problems_of_reading = [*glossaries.problems]
    for source in read:
        problems_of_reading += source.problems
    problems_of_terms = [*merged.problems, *references.problems]
    problems_of_terms += unused_slugs(config.slugs, addresses)
    if _is_incomplete(problems_of_reading, composed):
        # A table in site.toml may be about what was not read, so its problem may be none.
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
        kept=kept_pages(addresses, config.retired),
        images=_images(composed.sources, lives),
        references=references.targets,
        references_to_originals=references.originals,
        problems=tuple(sorted({cleaner.problem(_without_users(one)) for one in problems})),
    )


def _is_incomplete(problems_of_reading: Iterable[Problem], composed: ComposedSources) -> bool:
    """True if something of the sources could not be read, or if a clone lacks a published tag."""
    if any(one.kind in INCOMPLETE for one in problems_of_reading):
        return True
    # A clone that lacks a published tag may lack new tags too.
    releases = composed.releases.values()
    return any(one.release.kind == "tag" and not one.is_read for one in releases)


def _without_users(problem: Problem) -> Problem:
    """Returns a problem without the names of users in addresses: `https://host/a.git` for
    `https://me:secret@host/a.git`."""
    return replace(
        problem,
        path=without_user(problem.path),
        found=without_user(problem.found),
        wanted=without_user(problem.wanted),
    )


def _images(sources: Iterable[Source], lives: Iterable[Life]) -> dict[str, bytes]:
    """Returns the images that definitions show, by their paths."""
    images: dict[str, bytes] = {}
    for source in sources:
        images.update(source.images)
    if not images:  # the definitions need not be searched
        return {}
    shown_paths: set[str] = set()
    for life in lives:
        for course in life.courses:
            for entry in course.span_entries:
                shown_paths.update(IMAGE.findall(entry.definition.html))
    return {path: content for path, content in images.items() if path in shown_paths}
