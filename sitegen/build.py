"""The way through, from what was read to the files of the site.

    holdings ─▶ editions ─▶ terms ─▶ lives ─▶ Site ─▶ File …

Each arrow is a station of its own, and none of them touches the disk; `build` puts the disk at both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path

from sitegen import assets, exports, history, pages, permalinks, search, urls
from sitegen.amendments import today
from sitegen.config import Config, ConfigError
from sitegen.editions import editions_of
from sitegen.gate import GateError, Seen, breaches, check
from sitegen.git import Clones
from sitegen.ledger import Ledger, dump, grown
from sitegen.ledgers import Keeping, writing
from sitegen.ledgers import read as read_ledger
from sitegen.merge import merge
from sitegen.model import Edition, File, Problem, SitegenError
from sitegen.output import write_site
from sitegen.promises import promises
from sitegen.references import Resolver, resolve_all
from sitegen.render import Renderer
from sitegen.retiring import keep
from sitegen.site import Site
from sitegen.sources import Holding, read_config, read_sources
from sitegen.templates import read_templates

Tell = Callable[[str], None]
"""Takes a few words about what is being done, for whoever waits."""

TOLD_EVERY = 100
"""Files after which a word is said of how many are written."""


def build(
    folder: Path,
    output: Path,
    *,
    tell: Tell,
    clones: Clones,
    config: Config | None = None,
    keeping: Keeping | None = None,
) -> tuple[Site, int]:
    """Builds what a folder holds into another, and returns the site and how many files it is.

    Without a `config`, the folder's site.toml says how. `keeping` is the ledger that the build holds to, and writes;
    without one nothing is promised. Raises SitegenError when there is nothing to build or nowhere to write,
    `GateError` when a promise would be broken; the site that stood before, and the ledger, then stay as they were.
    A preview holds to nothing: `broken_promises` says what it breaks.
    """
    tell("Reading")
    config = config or configured(folder)
    holdings = read_sources(config, folder, clones=clones, skip=(output,))
    tell("Comparing")
    ledger = read_ledger(keeping, published=output) if keeping else {}
    site = assemble(config, holdings, ledger)
    if not site.lives:
        problems = map(str, located(site.problems, folder, elsewhere=site.elsewhere))
        raise SitegenError("\n".join([*problems, f"{folder}: no glossary was found here"]))
    tell("Writing")
    made = _told(files(site, read_templates()), tell)
    if keeping is None or keeping.preview:
        return site, write_site(output, made)
    promised = promises(site)
    check(site.ledger, promised, place=str(keeping.path))
    after = grown(ledger, promised.values())
    with writing(keeping, ledger, after, published=output):
        return site, write_site(output, _kept(made, after, place=str(keeping.path)))


def broken_promises(site: Site, *, place: Path) -> str:
    """Returns what a build of this site would fail for, as a text; empty when all promises are kept.

    `place` is the ledger's file.
    """
    found = tuple(breaches(site.ledger, promises(site)))
    return str(GateError(str(place), found)) if found else ""


def _kept(files: Iterable[File], ledger: Ledger, *, place: str) -> Iterator[File]:
    """Yields files as they are made, and the ledger; then raises `GateError` if one that it promises was not."""
    seen = Seen()
    for file in files:
        seen.add("/" + urls.address(file.path), file.content)
        yield file
    yield File(path=urls.LEDGER, content=dump(ledger).encode())
    seen.check(ledger, place=place)


def configured(folder: Path) -> Config:
    """Returns what the site.toml of a folder says. Raises `SitegenError`, with places as the command was given."""
    try:
        return read_config(folder)
    except ConfigError as error:
        raise ConfigError(located(error.mistakes, folder)) from None


def located(problems: Iterable[Problem], folder: Path, *, elsewhere: Collection[str] = ()) -> Iterator[Problem]:
    """Yields problems with their paths as seen from where the command was given, not from the folder being built.

    Paths that are `elsewhere`, in repositories or on the web, stay as they are.
    """
    for problem in problems:
        path = problem.path if problem.path in elsewhere else str(folder / problem.path)
        yield replace(problem, path=path)


def assemble(config: Config, holdings: Iterable[Holding], ledger: Ledger) -> Site:
    """Returns all that the pages are made from. Addresses in the ledger stay what they are."""
    holdings = tuple(holdings)
    readings = tuple(map(_editions, holdings))
    editions = {holding.source.id: read for holding, (read, _) in zip(holdings, readings, strict=True)}
    sources = tuple(holding.source for holding in holdings)
    known, renames = today(ledger, ids=config.former_ids, renames=config.renames, editions=editions)
    merged = merge(((source, editions[source.id]) for source in sources), renames=renames, verdicts=config.verdicts)
    resolver = Resolver(merged.terms)
    lives = history.lives(merged.terms, editions=editions, resolver=resolver)
    references = resolve_all(lives, resolver)
    links = permalinks.permalinks(lives, known)
    problems = (config.problems, *(found for _, found in readings), merged.problems, references.problems)
    site = Site(
        title=config.site.title,
        base_url=config.site.base_url,
        language=config.site.language,
        repository=config.site.repository,
        note=config.site.note,
        sources=sources,
        editions=editions,
        lives=lives,
        slugs=links.current,
        former_slugs=links.former,
        slug_names={**links.names, **permalinks.published_names(ledger)},
        frozen=links.frozen,
        sphinx_ids=links.sphinx_ids,
        references=references.targets,
        ledger=known,
        problems=tuple(sorted(set(chain.from_iterable(problems)))),
        elsewhere=frozenset(chain.from_iterable(holding.elsewhere for holding in holdings)),
    )
    site = keep(site, config.retired, path=config.path)
    return replace(site, problems=tuple(sorted({*site.problems, *exports.problems(site)})))


def files(site: Site, templates: Mapping[str, str]) -> Iterator[File]:
    """Yields every file of the site, each made when it is asked for."""
    yield from assets.files(templates)
    yield from exports.files(site)
    yield from (File(path=path, content=content) for path, content in search.files(site))
    renderer = Renderer(templates, site)
    yield renderer.parts()
    yield from map(renderer.render, pages.pages(site))


def _editions(holding: Holding) -> tuple[tuple[Edition, ...], tuple[Problem, ...]]:
    """What a source said at each release, and all that was odd on the way."""
    releases = (release.name for release in holding.source.releases)
    read, problems = editions_of(releases, holding.documents, unread=holding.unread)
    return read, (*holding.problems, *problems)


def _told(files: Iterable[File], tell: Tell) -> Iterator[File]:
    for number, file in enumerate(files, start=1):
        if number % TOLD_EVERY == 0:
            tell(f"Writing, {number:,} files so far")
        yield file
