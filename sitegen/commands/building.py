"""`sitegen build` and `sitegen serve`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import click

from sitegen.commands.options import (
    AS_JSON,
    FOLDER_ARGUMENT,
    GIT_OPTION,
    HAS_PROBLEMS,
    PATH_OPTION,
    SUCCESS,
    output_of,
    project_of,
)
from sitegen.model import SitegenError, counted, silent
from sitegen.permanence.archive_file import (
    ArchiveStore,
    Purpose,
    archive_store_at,
    archive_store_in,
)
from sitegen.pipeline.site_build import Built
from sitegen.pipeline.site_build import build as build_site
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.projects import Project
from sitegen.text.credentials import shown_address
from sitegen.tools.terminal import (
    ignoring_print_errors,
    print_data,
    print_error,
    print_line,
    print_problems,
    progress,
)

NO_ARCHIVE = "nothing is promised: with --git, an archive is kept only with --ledger FILE"


@click.command()
@FOLDER_ARGUMENT
@GIT_OPTION
@PATH_OPTION
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder to write the site to.  [default: `output` in site.toml, or site]",
)
@click.option(
    "--ledger",
    "other_archive",
    default="",
    metavar="FILE-or-URL",
    help="Keep what is published in this archive too.",
)
@click.option("--no-ledger", is_flag=True, help="Write no archive, and promise nothing.")
@click.option(
    "--locked",
    is_flag=True,
    help="Fail if something is in no archive yet, and do not write the archive.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="End with status 1 if there are problems. The site is still built.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but problems.")
@AS_JSON
def build(
    folder: Path | None,
    git: str,
    paths: tuple[str, ...],
    output: Path | None,
    other_archive: str,
    no_ledger: bool,
    locked: bool,
    strict: bool,
    quiet: bool,
    as_data: bool,
) -> int:
    """Build the site once.

    Problems go to standard error, one per line: the place, what was found, and what would have
    worked.

    \b
    Exit status:
      0  the site was built
      1  the site was built, but has problems and --strict was given
      2  the site could not be built; the previous one is unchanged

    \b
    Examples:
      sitegen build
      sitegen build glossary --output public/glossary
      sitegen build --git https://example.org/project.git --path docs/glossary.rst
    """
    started = time.perf_counter()
    if no_ledger and (locked or other_archive):
        raise SitegenError(
            "--no-ledger: no archive is read or written with it; leave out --locked and --ledger"
        )
    notify_of_proposal = silent if quiet else print_error
    project = project_of(folder, git=git, paths=paths, notify=notify_of_proposal)
    site = output_of(project, output)
    store = None if no_ledger else _archive_store(project, other_archive, locked=locked)
    with progress(shown=not quiet and not as_data) as notify:
        built = build_site(
            project.folder,
            site,
            notify=notify,
            clones=clones_here(notify),
            config=project.config,
            archive_store=store,
        )
    notes = [*built.notes]
    if store and store.note:
        notes.append(store.note)
    lacks_archive = store is None and not no_ledger
    if lacks_archive:
        notes.append(NO_ARCHIVE)
    built = replace(built, notes=tuple(notes))

    seconds = time.perf_counter() - started
    with ignoring_print_errors():
        print_problems(built.problems)
        if as_data:
            print_data(_built_data(built, site, seconds))
        elif not quiet:
            print_line(_summary(str(site), built.counts, seconds))
            print_line(*[f"note: {note}" for note in built.notes])
    is_failure = strict and bool(built.problems)
    return HAS_PROBLEMS if is_failure else SUCCESS


def _archive_store(project: Project, other: str, *, locked: bool) -> ArchiveStore | None:
    """Returns the store of the archive of the project, and of `other`, a file or an address; None
    if there is neither. A project that --git names has no archive of its own."""
    purpose: Purpose = "locked" if locked else "write"
    if project.keeps_archive:
        return archive_store_in(project.folder, other=other, purpose=purpose)
    if other:
        return archive_store_at(other, purpose=purpose)
    if locked:
        raise SitegenError(
            "--locked: no archive is kept here for --git; name one with --ledger FILE"
        )
    return None


def _summary(place: str, counts: Mapping[str, int], seconds: float) -> str:
    """Returns one line: `site: 137 terms, 19 releases, 295 changes, 0 problems, 902 files in 2.0
    s`."""
    facts = []
    for plural, count in counts.items():
        singular = plural.removesuffix("s")
        facts.append(counted(count, singular))
    return f"{place}: {', '.join(facts)} in {seconds:.1f} s"


def _built_data(built: Built, output: Path, seconds: float) -> dict[str, object]:
    """Returns the outcome of a build as plain data."""
    return {
        "output": str(output),
        **built.counts,
        "seconds": round(seconds, 3),
        # The problems themselves replace their number, which `counts` has.
        "problems": [problem.data() for problem in built.problems],
        "notes": built.notes,
    }


@click.command()
@FOLDER_ARGUMENT
@GIT_OPTION
@PATH_OPTION
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="0 takes any free port.",
)
@click.option("--open", "opens", is_flag=True, help="Open the site in your browser.")
def serve(folder: Path | None, git: str, paths: tuple[str, ...], port: int, opens: bool) -> int:
    """Show the site on this machine, and show it anew after every change. Ctrl+C ends it.

    Files of a git repository are shown as they are saved, committed or not: the working copy is the
    newest state, and marked as unreleased. The site is shown to this machine only. No file is
    written: pages are rendered when they are asked for. What `build` would refuse is printed.

    \b
    Examples:
      sitegen serve --open
      sitegen serve glossary --port 0
      sitegen serve --git https://example.org/project.git
    """
    project = project_of(folder, git=git, paths=paths)
    name = shown_address(git) if git else project.folder.resolve().name
    _serve_until_ended(project, output_of(project, None), name=name, port=port, opens=opens)
    return SUCCESS


def _serve_until_ended(
    project: Project, output: Path, *, name: str, port: int, opens: bool
) -> None:
    """Serves a site, and shows it anew after each change, without end. `name` is that of the
    project, for messages."""
    from sitegen.preview.server import Preview, serving
    from sitegen.preview.session import PreviewSession
    from sitegen.preview.watching import changes
    from sitegen.site.compiled import templates_folder
    from sitegen.site.templates import read_templates
    from sitegen.sources.projects import watched

    def report(built: Built, seconds: float) -> None:
        print_problems(built.problems)
        print_line(_summary(name, built.counts, seconds))

    preview = Preview(read_templates())
    session = PreviewSession(project, preview, output, report=report)
    folders = [*watched(project), templates_folder()]
    with serving(preview, port=port) as address:
        for number, _ in enumerate(changes(folders, ignore=output)):
            is_first = number == 0  # `changes` yields once at the start
            session.rebuild(fetching=is_first)
            if is_first:
                home = f"{address}{quote(preview.state.base)}"
                print_line(f"Serving {name} at {home} until Ctrl+C")
                if opens:
                    click.launch(home)
