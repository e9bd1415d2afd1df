"""Runs a build: reads a folder of glossaries, assembles the site (`assembly`), and writes it into a
folder.

Modules that assemble and render a site are imported when there is something to do: importing them
takes longer than finding out that nothing has changed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_core import ValidationError

from sitegen.addresses import urls
from sitegen.config.parsing import Config, ConfigError
from sitegen.model import File, Notify, Problem, ProblemKind, SitegenError, Source, digest
from sitegen.permanence.ledger import Ledger, dump
from sitegen.permanence.ledger_file import (
    LedgerStore,
    check_locked,
    dropped,
    is_in_site,
    replacing,
)
from sitegen.permanence.ledger_file import read as read_ledger
from sitegen.pipeline import build_record
from sitegen.safe_files import is_file, real_path
from sitegen.safe_files import replace as replace_file
from sitegen.site.templates import read_templates
from sitegen.site.theme import extra_pages, page_texts, themed
from sitegen.sources.git.repositories import Clones, clones_here
from sitegen.sources.git.user_cache import cache_path, private_folder
from sitegen.sources.projects import Project
from sitegen.sources.reading import Glossaries, SourceReader, read_config
from sitegen.text.credentials import without_user
from sitegen.text.schema import validator

if TYPE_CHECKING:
    from sitegen.permanence.remedies import GateError, Remedy
    from sitegen.pipeline.output import SiteTree
    from sitegen.site.site import Site

REPORT = "broken-addresses.toml"
"""The file that lists all promises that the last build would have broken, with the TOML to paste
for each."""

NO_LANGUAGE = frozenset({ProblemKind.SETTINGS, ProblemKind.REPOSITORY})
"""The kinds of problems for which a translation is not read."""
NO_GLOSSARY = (
    "`sitegen init` looks for it in a repository; else name the folder or the file in site.toml"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Built:
    """The outcome of a build."""

    terms: int
    releases: int
    changes: int
    files: int
    problems: tuple[Problem, ...]
    """Their paths are relative to the current folder."""
    base_url: str
    dropped: tuple[str, ...] = ()
    """Addresses removed from the ledger's file: an earlier build had added them, and they were
    never published."""
    notes: tuple[str, ...] = ()
    """Messages about data files that the site lacks, although no document has a mistake."""


@dataclass(frozen=True, kw_only=True)
class BuildInputs:
    """All inputs of a build, as they were read."""

    folder: Path
    output: Path
    config: Config
    glossaries: Glossaries
    ledger_store: LedgerStore | None
    templates: Mapping[str, str]
    reader: SourceReader
    """Reads the sources of another configuration."""

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger, read lazily: a build with no changes does not need it. Raises as
        `ledger_file.read` does."""
        if self.ledger_store is None:
            return {}
        return read_ledger(self.ledger_store, published=self.output)

    @property
    def published_store(self) -> LedgerStore | None:
        """The ledger that the build may change; None if it publishes nothing."""
        store = self.ledger_store
        return None if store is None or store.preview else store

    @property
    def elsewhere(self) -> frozenset[str]:
        """The paths of documents and problems that are not files in the folder."""
        paths: set[str] = set()
        for source in self._all_sources():
            paths.update(map(without_user, source.elsewhere))
        return frozenset(paths)

    def digest_with(self, ledger: Ledger) -> str:
        """Returns the digest of all that the files of the site depend on, with this ledger."""
        return digest(self._digest_without_ledger, dump(ledger).encode()).hex()

    @cached_property
    def _digest_without_ledger(self) -> bytes:
        values: list[object] = [self.config]
        values += [self.glossaries.problems, self.glossaries.translations]
        texts = [build_record.program_digest(self.templates)]
        for source in self._all_sources():
            values += [source, sorted(source.elsewhere), [*source.images]]
            texts += source.images.values()
            pending = [source.pending] if source.pending else []
            for release in (*source.releases, *pending):
                values += [release.label, release.unread]
                values += [replace(document, text="") for document in release.documents]
                texts += [document.digest for document in release.documents]
        facts = (repr(one).encode(errors="surrogatepass") for one in values)
        return digest(*facts, *texts)

    def _all_sources(self) -> Iterator[Source]:
        """Yields the sources, and their translations."""
        yield from self.glossaries.sources
        for translation in self.glossaries.translations:
            yield translation.source


def build(
    folder: Path,
    output: Path,
    *,
    notify: Notify,
    clones: Clones,
    config: Config | None = None,
    ledger_store: LedgerStore | None = None,
    jobs: int | None = None,
) -> Built:
    """Builds the site of a folder into another folder, and returns the outcome.

    Keeps the promises of the ledger in `ledger_store`, if any, and adds its new addresses to it.
    `jobs` is the number of processes, by default one for each core. Raises SitegenError; the site
    and the ledger are then unchanged.
    """
    notify("Reading")
    inputs = read_inputs(folder, output, clones=clones, config=config, ledger_store=ledger_store)
    if unchanged := last_build(inputs):
        return unchanged
    notify("Comparing")
    site = assembled(inputs)
    if error := refusal(site, inputs):
        raise error
    return write(site, inputs, notify=notify, jobs=jobs)


def read_inputs(
    folder: Path,
    output: Path,
    *,
    clones: Clones,
    config: Config | None = None,
    ledger_store: LedgerStore | None = None,
    working_copy: bool = False,
) -> BuildInputs:
    """Reads the inputs of the site in `output`. Raises SitegenError if they cannot be read."""
    config = config or configured(folder)
    published = partial(_published_releases, ledger_store, output) if ledger_store else None
    reader = SourceReader(
        folder, clones=clones, skip=(output,), published=published, working_copy=working_copy
    )
    return BuildInputs(
        folder=folder,
        output=output,
        config=config,
        glossaries=reader.read(config),
        ledger_store=ledger_store,
        templates=themed(read_templates(), config.theme, folder),
        reader=reader,
    )


def _published_releases(ledger_store: LedgerStore, output: Path) -> frozenset[str]:
    """Returns the names of the releases that have addresses."""
    with suppress(OSError, SitegenError):  # the error is reported where the ledger is used
        ledger = read_ledger(ledger_store, published=output)
        return frozenset(row.first for row in ledger.values() if row.kind == "release")
    return frozenset()


def read_site(
    project: Project, ledger_store: LedgerStore | None, *, notify: Notify
) -> tuple[BuildInputs, Site]:
    """Returns the inputs of a project, as a build reads them, and its site, which is not
    written."""
    clones = clones_here(notify)
    notify("Reading")
    inputs = read_inputs(
        project.folder,
        Path("site"),
        clones=clones,
        config=project.config,
        ledger_store=ledger_store,
    )
    notify("Comparing")
    return inputs, assembled(inputs)


def last_build(inputs: BuildInputs) -> Built | None:
    """Returns the outcome of the last build if nothing has changed since."""
    store, recorded = inputs.published_store, build_record.read(inputs.output)
    if not recorded.inputs or recorded.inputs != inputs.digest_with(inputs.ledger):
        return None
    if not build_record.is_untouched(inputs.output, recorded.digests):
        return None
    if store and not store.is_live and not _is_ledger_in_site(store, inputs.output):
        return None  # The ledger's file was changed, and has to be written.
    try:
        built: Built = validator(Built).validate_python(recorded.outcome)
    except ValidationError:
        return None  # It is no outcome of this program.
    _delete_report(inputs)
    problems = located(built.problems, inputs.folder, elsewhere=inputs.elsewhere)
    return replace(built, problems=tuple(problems), dropped=())


def _is_ledger_in_site(store: LedgerStore, output: Path) -> bool:
    return is_file(store.path) and is_in_site(store.path, output)


def assembled(inputs: BuildInputs) -> Site:
    """Returns the site from which pages are rendered. Raises SitegenError if it has no terms."""
    from sitegen.permanence.remedies import NOT_REACHED
    from sitegen.pipeline.assembly import assemble

    site = assemble(inputs.config, inputs.glossaries, inputs.ledger)
    if not site.lives:
        problems = [*map(str, problems_of(site, inputs))]
        if not any(one.kind in NOT_REACHED for one in site.problems):
            problems.append(f"{inputs.folder}: no glossary was found here; {NO_GLOSSARY}")
        raise SitegenError("\n".join(problems))
    return replace(site, extra_pages=extra_pages(page_texts(inputs.templates)))


def broken_promises(site: Site, inputs: BuildInputs) -> tuple[Remedy, ...]:
    """Returns the remedies for the promises that publishing a site would break; none if it breaks
    none."""
    from sitegen.pipeline.assembly import remedies

    return remedies(
        site,
        inputs.config,
        inputs.glossaries,
        inputs.ledger,
        problems=lambda site: problems_of(site, inputs),
        read=inputs.reader.read,
        day=date.today(),
    )


def unread_languages(site: Site, inputs: BuildInputs) -> tuple[Remedy, ...]:
    """Returns what must be corrected before a site is published from which a published language is
    missing.

    Other builds leave the language out.
    """
    from sitegen.permanence.breaches import Breach
    from sitegen.permanence.remedies import Remedy

    store = inputs.ledger_store
    if not site.unread_folders or not store or not (store.is_live or store.locked):
        return ()
    rows = (row for key, row in inputs.ledger.items() if key[1:].startswith(site.unread_folders))
    advice = "\n".join(str(one) for one in problems_of(site, inputs) if one.kind in NO_LANGUAGE)
    found = tuple(Breach(row=row, found="is not read") for row in rows)
    return (Remedy(advice=advice, breaches=found, is_about_inputs=True),)


def refusal(site: Site, inputs: BuildInputs) -> GateError | None:
    """Returns the error for the promises that a site would break; None if it breaks none.

    If the text of the error is cut, a build writes the full text to the file `REPORT` in the user's
    cache folder, and deletes the one of an earlier build. A preview writes nothing.
    """
    from sitegen.permanence.remedies import GateError

    store = inputs.ledger_store
    if store is None:
        return None
    if not store.preview:
        _delete_report(inputs)
    remedies = unread_languages(site, inputs) or broken_promises(site, inputs)
    if not remedies:
        return None
    path = None if store.preview else _report_path(inputs)
    error = GateError(str(store.path), remedies, way_out=store.way_out, report=str(path or ""))
    if error.is_cut and path:
        with suppress(OSError):
            replace_file(path, error.report.encode(errors="backslashreplace"))
    return error


def _report_path(inputs: BuildInputs) -> Path | None:
    """Returns a path in the user's cache folder, to which no checkout can add files."""
    folder = real_path(inputs.folder)
    with suppress(OSError, SitegenError):
        caches = private_folder(cache_path())
        if not caches.is_relative_to(folder):
            return caches / "reports" / sha256(os.fsencode(folder)).hexdigest()[:32] / REPORT
    return None


def _delete_report(inputs: BuildInputs) -> None:
    with suppress(OSError):
        if cache_path().is_dir() and (path := _report_path(inputs)):
            path.unlink()


def write(site: Site, inputs: BuildInputs, *, notify: Notify, jobs: int | None) -> Built:
    """Writes a site into its folder and its addresses into the ledger, and returns the outcome.

    Raises as `build` does.
    """
    from sitegen.pipeline.assembly import parts
    from sitegen.pipeline.output import rebuilding
    from sitegen.pipeline.workers import render_parts

    notify("Writing")
    store = inputs.published_store
    ledger = site.permanence.added_to(inputs.ledger) if store else inputs.ledger
    no_longer_needed = dropped(store, ledger)
    exchange: AbstractContextManager[None] = nullcontext()
    if store:
        check_locked(store, inputs.ledger, ledger)
        exchange = replacing(store, inputs.ledger, ledger, published=inputs.output)
    with rebuilding(inputs.output, during_exchange=exchange) as tree:
        render_parts(
            tuple(parts(site, inputs.templates)),
            tree,
            jobs=jobs,
            progress=lambda share: notify(f"Writing, {share:.0%}"),
        )
        if store:
            _write_ledger(tree, ledger, site, place=str(store.path))
        built = _outcome(site, inputs, tree)
        # The record is published with the site, so words that must not be kept are not in it. What
        # was not read may be there at the next build, and a locked build refuses to leave it out.
        if not inputs.config.withheld and not site.unread_folders:
            next_digest = inputs.digest_with(_next_ledger(inputs, ledger))
            tree.record = build_record.BuildRecord(inputs=next_digest, outcome=asdict(built))
    problems = tuple(located(built.problems, inputs.folder, elsewhere=inputs.elsewhere))
    return replace(built, problems=problems, dropped=no_longer_needed)


def _next_ledger(inputs: BuildInputs, ledger: Ledger) -> Ledger:
    """Returns the ledger that the next build reads, if nothing changes after this one."""
    store = inputs.published_store
    is_read_again = store and not (store.in_git or store.locked or store.is_live)
    return ledger if is_read_again else inputs.ledger


def _write_ledger(tree: SiteTree, ledger: Ledger, site: Site, *, place: str) -> None:
    """Writes the ledger into the site, and checks that the site has every address in it."""
    from sitegen.permanence.remedies import check_made

    tree.put(File(path=urls.LEDGER, content=dump(ledger).encode()))
    made = {key: row for key, row in ledger.items() if not key[1:].startswith(site.unread_folders)}
    check_made(made, tree.digests.keys(), place=place)


def _outcome(site: Site, inputs: BuildInputs, tree: SiteTree) -> Built:
    """Returns the outcome of a build, with the paths of problems relative to the built folder."""
    from sitegen.pipeline.build_notes import notes
    from sitegen.site import host_files

    of_host = host_files.problems(site, tree.digests.keys(), path="site.toml")
    return Built(
        terms=len(site.lives),
        releases=len(site.release_names()),
        changes=sum(len(life.changes) for life in site.lives),
        files=len(tree.digests),
        problems=tuple(map(_without_users, (*site.problems, *of_host))),
        base_url=site.base_url,
        notes=tuple(notes(site, inputs.glossaries.sources)),
    )


def _without_users(problem: Problem) -> Problem:
    return replace(
        problem,
        path=without_user(problem.path),
        found=without_user(problem.found),
        wanted=without_user(problem.wanted),
    )


def problems_of(site: Site, inputs: BuildInputs) -> Iterator[Problem]:
    """Yields the problems of a site, with paths relative to the current folder."""
    return located(site.problems, inputs.folder, elsewhere=site.elsewhere)


def configured(folder: Path) -> Config:
    """Reads the site.toml of a folder. Raises `ConfigError`, with paths relative to the current
    folder."""
    try:
        return read_config(folder)
    except ConfigError as error:
        raise ConfigError(located(error.problems, folder)) from None


def located(
    problems: Iterable[Problem], folder: Path, *, elsewhere: Collection[str] = ()
) -> Iterator[Problem]:
    """Yields problems with paths relative to the current folder instead of `folder`.

    Paths in `elsewhere`, which are in repositories or on the web, are unchanged.
    """
    for problem in problems:
        path = problem.path if problem.path in elsewhere else str(folder / problem.path)
        yield replace(problem, path=path)
