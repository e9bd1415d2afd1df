"""Runs a build: reads a folder of glossaries, assembles the site (`assembly`), and writes it into a
folder.

Modules that assemble and render a site are imported when there is something to do: importing them
takes longer than finding out that nothing has changed.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegen.addresses import urls
from sitegen.config.parsing import Config, ConfigError
from sitegen.formats.stored_readings import store_open
from sitegen.model import File, Notify, Problem, ProblemKind, SitegenError, digest
from sitegen.permanence.ledger import Ledger, dump
from sitegen.permanence.ledger_file import (
    LedgerStore,
    check_locked,
    dropped,
    is_in_site,
    is_published,
    replacing,
)
from sitegen.permanence.ledger_file import read as read_ledger
from sitegen.pipeline.build_cache import BuildCache, build_cache, cache_folder
from sitegen.site.templates import read_templates
from sitegen.site.theme import extra_pages, page_texts, themed
from sitegen.sources.git.repositories import Clones, clones_here
from sitegen.sources.projects import Project
from sitegen.sources.reading import Glossaries, SourceReader, read_config
from sitegen.sources.safe_files import is_file, real_path
from sitegen.sources.safe_files import replace as replace_file

if TYPE_CHECKING:
    from sitegen.permanence.remedies import GateError, Remedy
    from sitegen.pipeline.output import SiteTree
    from sitegen.pipeline.workers import PartResult
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
    breaches: str = ""
    """The message about promises that a build would refuse to break; only set for a preview."""


def built_of(data: Mapping[str, Any]) -> Built:
    """Returns an outcome from its JSON form."""
    problems = tuple(map(Problem.of, data["problems"]))
    return Built(**{**data, "problems": problems, "dropped": (), "notes": tuple(data["notes"])})


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

    @cached_property
    def fingerprint(self) -> bytes:
        """A digest of all inputs but the ledger."""
        store = self.ledger_store
        values: list[object] = [self.config, self.folder, store and (store.preview, store.locked)]
        values += [self.glossaries.problems, self.glossaries.translations]
        texts: list[bytes] = []
        translated = [one.source for one in self.glossaries.translations]
        for source in (*self.glossaries.sources, *translated):
            values += [source, sorted(source.elsewhere), [*source.images]]
            texts += source.images.values()
            for release in (*source.releases, *([source.pending] if source.pending else [])):
                values += [release.label, release.unread]
                values += [replace(document, text="") for document in release.documents]
                texts += [document.digest for document in release.documents]
        return digest(*(repr(one).encode(errors="surrogatepass") for one in values), *texts)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disables the garbage collector during a build, which keeps nearly all objects that it
    creates."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.freeze()
            gc.enable()


@_without_garbage_collection()
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
    config = config or configured(folder)
    templates = themed(read_templates(), config.theme, folder)
    cache = build_cache(folder, output, templates)
    notify("Reading")
    with _store_of_texts(cache, config):  # dated states are compared while they are read
        inputs = read_inputs(
            folder,
            output,
            clones=clones,
            config=config,
            templates=templates,
            ledger_store=ledger_store,
        )
        if unchanged := last_build(inputs, cache):
            return unchanged
        notify("Comparing")
        site = assembled(inputs)
    if error := refusal(site, inputs):
        raise error
    return write(site, inputs, cache, notify=notify, jobs=jobs)


def _store_of_texts(cache: BuildCache, config: Config) -> AbstractContextManager[None]:
    """Opens the store of readings. There is none, and earlier ones are deleted, if words must not
    be kept."""
    if not config.withheld:
        return store_open(cache.table)
    cache.delete_texts()
    return nullcontext()


def read_inputs(
    folder: Path,
    output: Path,
    *,
    clones: Clones,
    config: Config | None = None,
    templates: Mapping[str, str] | None = None,
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
        templates=templates or themed(read_templates(), config.theme, folder),
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


def last_build(inputs: BuildInputs, cache: BuildCache) -> Built | None:
    """Returns the outcome of the last successful build if nothing has changed since."""
    if outcome := cache.outcome(_inputs_digest(inputs)):
        _delete_report(inputs)
        return built_of(outcome)
    return None


def assembled(inputs: BuildInputs) -> Site:
    """Returns the site from which pages are rendered. Raises SitegenError if it has no terms."""
    from sitegen.permanence.remedies import NOT_REACHED
    from sitegen.pipeline.assembly import assemble

    site = assemble(inputs.config, inputs.glossaries, inputs.ledger)
    if not site.lives:
        problems = [*map(str, _problems(site, inputs))]
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
        problems=lambda site: _problems(site, inputs),
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
    advice = "\n".join(str(one) for one in _problems(site, inputs) if one.kind in NO_LANGUAGE)
    found = tuple(Breach(row=row, found="is not read") for row in rows)
    return (Remedy(advice=advice, breaches=found, is_about_inputs=True),)


def refusal(site: Site, inputs: BuildInputs) -> GateError | None:
    """Returns the error for the promises that a site would break; None if it breaks none.

    If the text of the error is cut, the full text is written to the file `REPORT` in the user's
    cache folder; one of an earlier build is deleted.
    """
    from sitegen.permanence.remedies import GateError

    _delete_report(inputs)
    store, path = inputs.ledger_store, _report_path(inputs)
    if store is None or not (
        remedies := unread_languages(site, inputs) or broken_promises(site, inputs)
    ):
        return None
    error = GateError(str(store.path), remedies, way_out=store.way_out, report=str(path or ""))
    if error.is_cut and path:
        with suppress(OSError):
            replace_file(path, error.report.encode(errors="backslashreplace"))
    return error


def _report_path(inputs: BuildInputs) -> Path | None:
    folder = cache_folder(inputs.folder, real_path(inputs.folder))
    return folder and folder / REPORT


def _delete_report(inputs: BuildInputs) -> None:
    with suppress(OSError):
        if path := _report_path(inputs):
            path.unlink()


def write(
    site: Site, inputs: BuildInputs, cache: BuildCache, *, notify: Notify, jobs: int | None
) -> Built:
    """Writes a site into its folder and its addresses into the ledger, and returns the outcome.

    A part of the site with unchanged dependencies keeps the files that the folder has. Raises as
    `build` does.
    """
    from sitegen.pipeline.output import rebuilding

    notify("Writing")
    store = None if inputs.ledger_store and inputs.ledger_store.preview else inputs.ledger_store
    ledger = site.permanence.added_to(inputs.ledger) if store else inputs.ledger
    no_longer_needed = dropped(store, ledger)
    exchange: AbstractContextManager[None] = nullcontext()
    if store:
        check_locked(store, inputs.ledger, ledger)
        exchange = replacing(store, inputs.ledger, ledger, published=inputs.output)
    with rebuilding(inputs.output, during_exchange=exchange) as tree:
        parts = _write_parts(tree, site, inputs, cache, notify=notify, jobs=jobs)
        if store:
            _write_ledger(tree, ledger, site, place=str(store.path))
    built = replace(_outcome(site, inputs, tree), dropped=no_longer_needed)
    with suppress(
        OSError, SitegenError
    ):  # the site is published already, so an error of the cache is ignored
        cache.keep(_inputs_digest(inputs, ledger), asdict(built), tree, parts)
    return built


def _write_parts(
    tree: SiteTree,
    site: Site,
    inputs: BuildInputs,
    cache: BuildCache,
    *,
    notify: Notify,
    jobs: int | None,
) -> list[PartResult]:
    """Writes the files of a site."""
    from sitegen.pipeline.assembly import parts
    from sitegen.pipeline.dependencies import Recorder
    from sitegen.pipeline.workers import render_parts

    recorder = Recorder()
    return render_parts(
        tuple(parts(site, inputs.templates, recorder)),
        tree,
        recorder=recorder,
        record_of=cache.record,
        jobs=jobs,
        progress=lambda share: notify(f"Writing, {share:.0%}"),
    )


def _write_ledger(tree: SiteTree, ledger: Ledger, site: Site, *, place: str) -> None:
    """Writes the ledger into the site, and checks that the site has every address in it."""
    from sitegen.permanence.remedies import check_made

    tree.put(File(path=urls.LEDGER, content=dump(ledger).encode()))
    made = {key: row for key, row in ledger.items() if not key[1:].startswith(site.unread_folders)}
    check_made(made, tree.marks.keys(), place=place)


def _outcome(site: Site, inputs: BuildInputs, tree: SiteTree) -> Built:
    from sitegen.pipeline.build_notes import notes
    from sitegen.site import host_files

    path = str(inputs.folder / "site.toml")
    return Built(
        terms=len(site.lives),
        releases=len(site.release_names()),
        changes=sum(len(life.changes) for life in site.lives),
        files=tree.count,
        problems=(
            *_problems(site, inputs),
            *host_files.problems(site, tree.marks.keys(), path=path),
        ),
        base_url=site.base_url,
        notes=tuple(notes(site, inputs.glossaries.sources)),
    )


def _problems(site: Site, inputs: BuildInputs) -> Iterator[Problem]:
    return located(site.problems, inputs.folder, elsewhere=site.elsewhere)


def _inputs_digest(inputs: BuildInputs, ledger: Ledger | None = None) -> bytes:
    """Returns a digest of all inputs, before a build, or after it has changed the ledger.

    Usually the ledger is the one in the site folder, and is compared like any other file there.
    """
    store = inputs.ledger_store
    if store and is_published(store, published=inputs.output):
        return digest(inputs.fingerprint, b"")
    if store and store.in_git:
        ledger = None
    is_written = store is not None and is_file(store.path) and is_in_site(store.path, inputs.output)
    return digest(
        inputs.fingerprint,
        dump(inputs.ledger if ledger is None else ledger).encode(),
        bytes([is_written]),
    )


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
