"""Runs a build: reads a folder of glossaries, assembles the site (`pipeline`), and writes it into a folder.

Modules that assemble and render a site are imported when there is something to do: importing them takes longer than
finding out that nothing has changed.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegen.addresses import urls
from sitegen.config.parsing import Config, ConfigError
from sitegen.model import File, Problem, SitegenError, digest
from sitegen.permanence.ledger import Ledger, dump, grown, lost
from sitegen.permanence.ledger_file import LedgerStore, is_in_site, is_published, unpublished_rows, writing
from sitegen.permanence.ledger_file import read as read_ledger
from sitegen.permanence.remedies import GateError, check_made, lacking
from sitegen.pipeline.build_cache import BuildCache, WrittenFiles, build_cache
from sitegen.pipeline.dependencies import Recorder
from sitegen.pipeline.file_marks import FileMark
from sitegen.pipeline.output import rebuilding
from sitegen.pipeline.staging import write_report
from sitegen.pipeline.workers import SitePart, render_parts
from sitegen.site.templates import read_templates
from sitegen.site.theme import extra_pages, page_texts, themed
from sitegen.sources.file_cache import FileCache
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import LoadedSource, read_config, read_sources
from sitegen.sources.safe_files import is_file
from sitegen.text import memo

if TYPE_CHECKING:
    from sitegen.site.site import Site

REPORT = "broken-addresses.toml"
"""The file that lists all promises that the last build would have broken, with the TOML to paste for each."""

Notify = Callable[[str], None]
"""Shows a few words about the progress of a build."""

NO_GLOSSARY = "`sitegen init` looks for it in a repository; else name the folder or the file in site.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """Addresses removed from the ledger's file: an earlier build had added them, and they were never published."""
    notes: tuple[str, ...] = ()
    """Messages about data files that the site lacks, although no document has a mistake."""
    breaches: str = ""
    """The message about promises that a build would refuse to break; only set for a preview."""


def built_of(data: Mapping[str, Any]) -> Built:
    """Returns an outcome from its JSON form."""
    problems = tuple(Problem(**{**one, "terms": tuple(one["terms"])}) for one in data["problems"])
    return Built(**{**data, "problems": problems, "dropped": (), "notes": tuple(data["notes"])})


@dataclass(frozen=True, kw_only=True)
class BuildInputs:
    """All inputs of a build, as they were read."""

    folder: Path
    output: Path
    config: Config
    loaded_sources: tuple[LoadedSource, ...]
    ledger_store: LedgerStore | None
    templates: Mapping[str, str]
    file_cache: FileCache | None = None
    read: Callable[[Config], tuple[LoadedSource, ...]]
    """Reads the sources of another configuration."""

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger, read lazily: a build with no changes does not need it. Raises as `ledger_file.read` does."""
        if self.ledger_store is None:
            return {}
        return read_ledger(self.ledger_store, published=self.output, file_cache=self.file_cache)

    @cached_property
    def fingerprint(self) -> bytes:
        """A digest of all inputs but the ledger."""
        values: list[object] = [self.config, self.folder, self.ledger_store and self.ledger_store.preview]
        texts: list[bytes] = []
        for loaded in self.loaded_sources:
            values += [replace(loaded, documents=(), elsewhere=frozenset()), sorted(loaded.elsewhere)]
            values += [replace(document, text="") for document in loaded.documents]
            texts += [document.digest for document in loaded.documents]
        return digest(*(repr(one).encode(errors="surrogatepass") for one in values), *texts)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disables the garbage collector during a build, which keeps nearly all objects that it creates."""
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
    jobs: int = 1,
) -> Built:
    """Builds the site of a folder into another folder, and returns the outcome.

    Without a `config`, the folder's site.toml is read. The build keeps the promises of the ledger in `ledger_store`,
    and adds its new addresses to it; without one it promises nothing. `jobs` is the maximum number of processes that
    render pages. Raises SitegenError if there is nothing to build or the output cannot be written, and `GateError` if
    a promise would be broken; the site folder and the ledger are then unchanged. A preview reports broken promises
    instead.
    """
    notify("Reading")
    inputs = read_inputs(folder, output, clones=clones, config=config, ledger_store=ledger_store)

    def site(cache: BuildCache) -> Site:
        notify("Comparing")
        with memo.store_open(cache.table):
            return assembled(inputs)

    return written(inputs, site, output, notify=notify, jobs=jobs)


def read_inputs(
    folder: Path,
    output: Path,
    *,
    clones: Clones,
    config: Config | None = None,
    ledger_store: LedgerStore | None = None,
    file_cache: FileCache | None = None,
    working_copy: bool = False,
) -> BuildInputs:
    """Reads the inputs of the site in `output`. Raises SitegenError if they cannot be read."""
    config = config or configured(folder)
    read = partial(
        read_sources,
        root=folder,
        clones=clones,
        skip=(output,),
        file_cache=file_cache,
        working_copy=working_copy,
    )
    return BuildInputs(
        folder=folder,
        output=output,
        config=config,
        loaded_sources=read(config),
        ledger_store=ledger_store,
        templates=themed(read_templates(), config.theme, folder),
        file_cache=file_cache,
        read=read,
    )


def assembled(inputs: BuildInputs) -> Site:
    """Returns the site from which pages are rendered. Raises SitegenError if it has no terms."""
    from sitegen.pipeline.assembly import assemble

    site = assemble(inputs.config, inputs.loaded_sources, inputs.ledger)
    site = replace(site, extra_pages=extra_pages(page_texts(inputs.templates)))
    if not site.lives:
        raise SitegenError(
            "\n".join(
                [
                    *map(str, _problems(site, inputs)),
                    f"{inputs.folder}: no glossary was found here; {NO_GLOSSARY}",
                ]
            )
        )
    return site


def written(
    inputs: BuildInputs, site: Callable[[BuildCache], Site], output: Path, *, notify: Notify, jobs: int
) -> Built:
    """Writes a site into a folder, and returns the outcome. Calls `site` only if something has changed.

    Raises as `build` does.
    """
    with build_cache(inputs.folder, output, inputs.templates) as cache:
        if outcome := cache.outcome(_inputs_digest(inputs, lambda: inputs.ledger)):
            return built_of(outcome)
        from sitegen.pipeline.assembly import parts

        built_site = site(cache)
        notify("Writing")
        recorder = Recorder()
        all_parts = tuple(parts(built_site, inputs.templates, recorder))
        write = partial(_write, output, all_parts, cache, recorder=recorder, jobs=jobs, notify=notify)
        unpublished = unpublished_rows(inputs.ledger_store)
        ledger, written_files = _published(built_site, inputs, output, write)
        dropped = tuple(one for one in lost(ledger, unpublished) if "#" not in one)
        built = replace(_built(built_site, inputs, written_files.marks), dropped=dropped)
        with suppress(OSError, SitegenError):  # the site is published already, so an error of the cache is ignored
            cache.keep(_inputs_digest(inputs, lambda: ledger), asdict(built), written_files)
    return built


def _problems(site: Site, inputs: BuildInputs) -> Iterator[Problem]:
    return located(site.problems, inputs.folder, elsewhere=site.elsewhere)


def _inputs_digest(inputs: BuildInputs, ledger: Callable[[], Ledger]) -> bytes:
    """Returns a digest of all inputs.

    Usually the ledger is the one in the site folder, and is compared like any other file there.
    """
    ledger_store = inputs.ledger_store
    if ledger_store is not None and ledger_store.in_git:
        is_written = is_file(ledger_store.path) and is_in_site(ledger_store.path, inputs.output)
        return digest(inputs.fingerprint, dump(inputs.ledger).encode(), bytes([is_written]))
    is_in_site_too = ledger_store is not None and is_published(ledger_store, published=inputs.output)
    return digest(inputs.fingerprint, b"" if is_in_site_too else dump(ledger()).encode())


def _published(
    site: Site, inputs: BuildInputs, output: Path, write: Callable[..., WrittenFiles]
) -> tuple[Ledger, WrittenFiles]:
    """Writes the site, and the ledger if there is one; returns the ledger as it is then, and what was written.

    Raises `GateError` if the site would break a promise.
    """
    ledger_store, ledger = inputs.ledger_store, inputs.ledger
    if ledger_store is None or ledger_store.preview:
        return ledger, write()
    from sitegen.site.promises import promises

    if error := _broken(site, inputs, output):
        raise error
    after = grown(ledger, promises(site).values())
    with writing(ledger_store, ledger, after, published=output) as during_exchange:
        return after, write(ledger=after, place=str(ledger_store.path), during_exchange=during_exchange)


def _broken(site: Site, inputs: BuildInputs, output: Path) -> GateError | None:
    """Returns the error for the promises that a site would break; None if it breaks none.

    If the text of the error is cut, the full text is written to the file `REPORT`.
    """
    from sitegen.pipeline import assembly

    if inputs.ledger_store is None:
        return None
    remedies = assembly.remedies(
        site,
        inputs.config,
        inputs.loaded_sources,
        inputs.ledger,
        problems=partial(_problems, inputs=inputs),
        read=inputs.read,
    )
    if not remedies:
        return None
    error = GateError(str(inputs.ledger_store.path), remedies)
    # The site that `publish` builds is in a temporary folder.
    site_folder = output if inputs.ledger_store.live is None else Path("site")
    if error.is_cut and (report := write_report(site_folder, REPORT, error.report)):
        return GateError(str(inputs.ledger_store.path), remedies, report=report)
    return error


def _write(
    output: Path,
    parts: Sequence[SitePart],
    cache: BuildCache,
    *,
    recorder: Recorder,
    jobs: int,
    notify: Notify,
    ledger: Ledger | None = None,
    place: str = "",
    during_exchange: AbstractContextManager[None] | None = None,
) -> WrittenFiles:
    """Writes all parts of a site into a folder, and its ledger if there is one.

    A part with unchanged dependencies keeps the files that the site folder has.
    """
    rows = (row for row in (ledger or {}).values() if row.fragments)
    ids = {row.address: tuple([id for id, _ in row.fragments]) for row in rows}
    promised = recorder.recording_mapping(ids, "promised")
    with rebuilding(output, during_exchange=during_exchange) as tree:
        results = render_parts(
            parts,
            tree,
            recorder=recorder,
            record_of=cache.record,
            inspect=partial(lacking, promised),
            jobs=jobs,
            progress=lambda share: notify(f"Writing, {share:.0%}"),
        )
        if ledger is not None:
            tree.put(File(path=urls.LEDGER, content=dump(ledger).encode()))
            check_made(ledger, tree.marks.keys(), chain.from_iterable(one.lacking for one in results), place=place)
    return WrittenFiles(marks=tree.marks, folders=tree.folders, parts=tuple(results))


def _built(site: Site, inputs: BuildInputs, marks: Mapping[str, FileMark]) -> Built:
    from sitegen.site import exports, host_files

    ledger_store = inputs.ledger_store
    return Built(
        terms=len(site.lives),
        releases=len(site.release_names()),
        changes=sum(len(life.changes) for life in site.lives),
        files=len(marks) - 1,
        problems=(
            *_problems(site, inputs),
            *host_files.problems(site, marks.keys(), path=str(inputs.folder / "site.toml")),
        ),
        base_url=site.base_url,
        notes=tuple(exports.notes(site)),
        breaches=str(_broken(site, inputs, inputs.output) or "") if ledger_store and ledger_store.preview else "",
    )


def configured(folder: Path) -> Config:
    """Reads the site.toml of a folder. Raises `ConfigError`, with paths relative to the current folder."""
    try:
        return read_config(folder)
    except ConfigError as error:
        raise ConfigError(located(error.problems, folder)) from None


def located(problems: Iterable[Problem], folder: Path, *, elsewhere: Collection[str] = ()) -> Iterator[Problem]:
    """Yields problems with paths relative to the current folder instead of `folder`.

    Paths in `elsewhere`, which are in repositories or on the web, are unchanged.
    """
    for problem in problems:
        path = problem.path if problem.path in elsewhere else str(folder / problem.path)
        yield replace(problem, path=path)
