"""`sitegen build`."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import click

from sitegen.commands.options import BUILT, HAS_PROBLEMS, OUTPUT, FindProject, output_of, project_options
from sitegen.model import SitegenError
from sitegen.permanence.ledger_file import LedgerStore, ledger_store_at, ledger_store_in, lines_of_dropped
from sitegen.pipeline.site_build import Built
from sitegen.pipeline.site_build import build as build_site
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.projects import Project
from sitegen.tools.terminal import print_data, print_line, print_problems, progress, report_of_success

NO_LEDGER = "no address is promised: with --git, a ledger is kept only beside a site.toml, or with --ledger FILE"


@click.command()
@project_options
@OUTPUT
@click.option("--ledger", "also", default="", metavar="FILE-or-URL", help="Keep the addresses of this ledger too.")
@click.option("--no-ledger", is_flag=True, help="Write no ledger, and promise no address.")
@click.option("--locked", is_flag=True, help="Fail if an address is in no ledger yet, and do not write the ledger.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="The number of worker processes.  [default: one per core]")
@click.option("--strict", is_flag=True, help="End with status 1 if there are problems. The site is still built.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but problems.")
@click.option("--json", "as_data", is_flag=True, help="Print the summary and every problem as JSON.")
def build(
    find_project: FindProject,
    output: Path | None,
    also: str,
    no_ledger: bool,
    locked: bool,
    jobs: int | None,
    strict: bool,
    quiet: bool,
    as_data: bool,
) -> int:
    """Build the site once.

    Problems go to standard error, one per line: the place, what was found, and what would have worked.

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
    project = find_project()
    output = output_of(project, output)
    with progress(shown=not quiet and not as_data) as notify:
        built = build_site(
            project.folder,
            output,
            notify=notify,
            clones=clones_here(notify),
            config=project.config,
            ledger_store=None if no_ledger else _ledger_store(project, also, locked=locked),
            jobs=jobs,
        )
    seconds = time.perf_counter() - started
    notes = built.notes if no_ledger or also or project.keeps_ledger else (*built.notes, NO_LEDGER)
    with report_of_success():
        print_problems(built.problems)
        if as_data:
            problems = [asdict(problem) for problem in built.problems]
            facts = {"seconds": round(seconds, 3), "problems": problems, "notes": notes}
            print_data({"output": str(output), **_counts(built), **facts})
        elif not quiet:
            print_line(summary(built, output, seconds))
            for note in (*(f"note: {note}" for note in notes), *lines_of_dropped(built.dropped)):
                print_line(note)
    return HAS_PROBLEMS if strict and built.problems else BUILT


def _ledger_store(project: Project, also: str, *, locked: bool) -> LedgerStore | None:
    if project.keeps_ledger:
        return ledger_store_in(project.folder, also=also, locked=locked)
    if locked and not also:
        raise SitegenError("--locked: no ledger is kept here for --git; name one with --ledger FILE")
    return ledger_store_at(also, locked=locked) if also else None


def summary(built: Built, output: Path, seconds: float) -> str:
    """Returns one line: `site: 137 terms, 19 releases, 348 changes, 0 problems, 902 files in 2.0 s`."""
    counted = ", ".join(f"{count:,} {name if count != 1 else name[:-1]}" for name, count in _counts(built).items())
    return f"{output}: {counted} in {seconds:.1f} s"


def _counts(built: Built) -> dict[str, int]:
    numbers = {"terms": built.terms, "releases": built.releases, "changes": built.changes}
    return {**numbers, "problems": len(built.problems), "files": built.files}
