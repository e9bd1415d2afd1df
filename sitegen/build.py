"""The way through, from what was read to the files of the site.

    holdings ─▶ editions ─▶ terms ─▶ lives ─▶ Site ─▶ File …

Each arrow is a station of its own, and none of them touches the disk; `build` puts the disk at both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from sitegen import assets, comparison_data, exports, history, host_files, pages, permalinks, search, urls
from sitegen.amendments import today
from sitegen.config import Config, ConfigError
from sitegen.editions import editions_of
from sitegen.gate import GateError, breaches, check, check_made, lacking
from sitegen.git import Clones
from sitegen.known import Known
from sitegen.ledger import Ledger, dump, grown
from sitegen.ledgers import Keeping, writing
from sitegen.ledgers import read as read_ledger
from sitegen.making import Part, make
from sitegen.merge import merge
from sitegen.model import Edition, File, Problem, SitegenError
from sitegen.output import rebuilding
from sitegen.pages import Page
from sitegen.promises import promises
from sitegen.references import Resolver, resolve_all
from sitegen.render import Renderer
from sitegen.retiring import keep
from sitegen.site import Site
from sitegen.sources import Holding, read_config, read_sources
from sitegen.templates import read_templates

Tell = Callable[[str], None]
"""Takes a few words about what is being done, for whoever waits."""


def build(
    folder: Path,
    output: Path,
    *,
    tell: Tell,
    clones: Clones,
    config: Config | None = None,
    keeping: Keeping | None = None,
    jobs: int = 1,
) -> tuple[Site, int]:
    """Builds what a folder holds into another, and returns the site and how many files it is.

    Without a `config`, the folder's site.toml says how. `keeping` is the ledger that the build holds to, and writes;
    without one nothing is promised. `jobs` is how many processes may make pages. Raises SitegenError when there is
    nothing to build or nowhere to write, `GateError` when a promise would be broken; the site that stood before, and
    the ledger, then stay as they were. A preview holds to nothing: `broken_promises` says what it breaks.
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
    writer = partial(_write, output, parts(site, read_templates()), jobs=jobs, tell=tell)
    if keeping is None or keeping.preview:
        return site, writer()
    promised = promises(site)
    check(site.ledger, promised, place=str(keeping.path))
    after = grown(ledger, promised.values())
    with writing(keeping, ledger, after, published=output):
        return site, writer(ledger=after, place=str(keeping.path))


def _write(
    output: Path, parts: Iterable[Part], *, jobs: int, tell: Tell, ledger: Ledger | None = None, place: str = ""
) -> int:
    """Puts all parts of a site into a folder, and the ledger that they are held to. Returns how many files it is."""
    with rebuilding(output) as tree:
        lacks = partial(lacking, ledger or {})
        lost = make(tuple(parts), tree, inspect=lacks, jobs=jobs, told=lambda share: tell(f"Writing, {share:.0%}"))
        if ledger is not None:
            tree.put(File(path=urls.LEDGER, content=dump(ledger).encode()))
            check_made(ledger, tree.marks.keys(), lost, place=place)
    return tree.count


def broken_promises(site: Site, *, place: Path) -> str:
    """Returns what a build of this site would fail for, as a text; empty when all promises are kept.

    `place` is the ledger's file.
    """
    found = tuple(breaches(site.ledger, promises(site)))
    return str(GateError(str(place), found)) if found else ""


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


def assemble(config: Config, holdings: Iterable[Holding], ledger: Ledger, known: Known | None = None) -> Site:
    """Returns all that the pages are made from. Addresses in the ledger stay what they are.

    What is `known` from another time is not read again.
    """
    holdings = tuple(holdings)
    known = known or Known()
    readings = tuple(_editions(holding, known) for holding in holdings)
    editions = {holding.source.id: read for holding, (read, _) in zip(holdings, readings, strict=True)}
    sources = tuple(holding.source for holding in holdings)
    published, renames = today(ledger, ids=config.former_ids, renames=config.renames, editions=editions)
    merged = merge(((source, editions[source.id]) for source in sources), renames=renames, verdicts=config.verdicts)
    resolver = Resolver(merged.terms)
    lives = history.lives(merged.terms, editions=editions, resolver=resolver)
    references = resolve_all(lives, resolver)
    links = permalinks.permalinks(lives, published)
    problems = (config.problems, *(found for _, found in readings), merged.problems, references.problems)
    site = Site(
        title=config.site.title,
        base_url=config.site.base_url,
        language=config.site.language,
        repository=config.site.repository,
        note=config.site.note,
        host=config.site.host,
        sources=sources,
        editions=editions,
        lives=lives,
        slugs=links.current,
        former_slugs=links.former,
        slug_names={**links.names, **permalinks.published_names(ledger)},
        frozen=links.frozen,
        sphinx_ids=links.sphinx_ids,
        references=references.targets,
        ledger=published,
        problems=tuple(sorted(set(chain.from_iterable(problems)))),
        elsewhere=frozenset(chain.from_iterable(holding.elsewhere for holding in holdings)),
    )
    site = keep(site, config.retired, path=config.path)
    return replace(site, problems=tuple(sorted({*site.problems, *exports.problems(site)})))


def files(site: Site, templates: Mapping[str, str]) -> Iterator[File]:
    """Yields every file of the site, each made when it is asked for."""
    return chain.from_iterable(part() for part in parts(site, templates))


def parts(site: Site, templates: Mapping[str, str]) -> Iterator[Part]:
    """Yields what makes the files of the site, part by part, each independent of all others."""
    yield partial(_searched, site)
    yield from exports.parts(site)
    yield partial(comparison_data.files, site)
    yield partial(host_files.files, site)
    yield partial(assets.files, templates)
    renderer = Renderer(templates, site)
    yield lambda: (renderer.parts(),)
    yield from (partial(_rendered, renderer, part) for part in pages.parts(pages.desk(site)))


def _searched(site: Site) -> Iterator[File]:
    return (File(path=path, content=content) for path, content in search.files(site))


def _rendered(renderer: Renderer, pages: Callable[[], Iterable[Page]]) -> Iterator[File]:
    return map(renderer.render, pages())


def _editions(holding: Holding, known: Known) -> tuple[tuple[Edition, ...], tuple[Problem, ...]]:
    """What a source said at each release, and all that was odd on the way."""
    releases = (release.name for release in holding.source.releases)
    read, problems = editions_of(releases, holding.documents, known, unread=holding.unread)
    return read, (*holding.problems, *problems)
