"""The `sitegen` command. It chooses and reports; the work is done elsewhere, and imported only when asked for."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from sitegen import __version__
from sitegen.build.ledger_file import keeping_in
from sitegen.commands import authoring, sharing
from sitegen.commands.options import BUILT, CANNOT_BUILD, HAS_PROBLEMS, INTERRUPTED, OUTPUT, TERMINATED, reading
from sitegen.config.hosts import HOSTS
from sitegen.model import SitegenError
from sitegen.sources.git.clones import clones_here
from sitegen.tools.terminal import complain, complain_of, progress, say, say_data

if TYPE_CHECKING:
    from sitegen.build.building import Built
    from sitegen.build.ledger_file import Keeping
    from sitegen.sources.places import Place


def main() -> NoReturn:
    """Runs the command and leaves with what it came to.

    The process ends as it stands: taking apart what a build has made would take a good part of the time to make it.
    """
    status = run()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # a process may be started without them
        with suppress(OSError):
            stream.flush()
    os._exit(status)


def run() -> int:
    """Runs the command and returns what it came to: 0 built, 1 problems under --strict, 2 cannot build."""
    # What a build makes, it keeps to its end: to look for garbage as often as usual would take a quarter of its time.
    gc.set_threshold(100_000, 20, 1_000)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        return sitegen(prog_name="sitegen", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SitegenError as error:
        complain(str(error))
        return CANNOT_BUILD
    except OSError as error:
        if error.filename is not None:  # of a file, and whoever opens one says what is wrong with it
            raise
        with suppress(OSError):
            complain(f"standard output: what came of it could not be written: {error.strerror}")
        return CANNOT_BUILD
    except click.Abort:
        return INTERRUPTED


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def sitegen() -> None:
    """Builds a static site, with every term's history, from the releases of glossaries.

    FOLDER holds a site.toml, or simply a folder for each release with a glossary in it. Where none is named it is
    `content` if that has a site.toml, else the folder you are in.
    """


@sitegen.command()
@reading
@OUTPUT
@click.option(
    "--ledger", "also", default="", metavar="FILE-or-URL", help="Take in this ledger too: the one that is live."
)
@click.option("--no-ledger", is_flag=True, help="Promise nothing: for a site that nobody will link to.")
@click.option("--locked", is_flag=True, help="Fail if the ledger would change: what continuous integration uses.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="How many processes may make pages; else one for a core.")
@click.option("--strict", is_flag=True, help="Leave with status 1 when there are problems; the site is built still.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but problems.")
@click.option("--json", "as_data", is_flag=True, help="Give the summary and the problems as JSON.")
def build(
    where: Callable[[], Place],
    output: Path,
    also: str,
    no_ledger: bool,
    locked: bool,
    jobs: int | None,
    strict: bool,
    quiet: bool,
    as_data: bool,
) -> int:
    """Build the site once.

    Problems go to standard error, one a line: where, what was found, and what would have worked. Leaves with status
    0 when the site was built, 1 when it was but has problems and you asked to be --strict, 2 when it could not be.
    """
    try:
        place = where()
        keeping = None if no_ledger else keeping_in(place.folder, also=also, locked=locked)
        done = _build(place, output, shown=not quiet and not as_data, keeping=keeping, jobs=jobs)
    except SitegenError as error:
        if as_data:
            say_data({"error": str(error)})
        raise
    complain_of(done.built.problems)
    if as_data:
        say_data(done.data())
    elif not quiet:
        say(done.summary())
    return HAS_PROBLEMS if strict and done.built.problems else BUILT


@sitegen.command()
@reading
@OUTPUT
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any free one.")
def serve(where: Callable[[], Place], output: Path, port: int) -> int:
    """Build, show the site on this machine, and build again on every change. Ctrl+C ends it."""
    from sitegen.build.workers import cores
    from sitegen.preview.server import Preview, serving
    from sitegen.preview.session import Previewing
    from sitegen.preview.watching import changes
    from sitegen.site import templates
    from sitegen.sources.places import watched

    def report(built: Built, seconds: float) -> None:
        complain_of(built.problems)
        complain(built.breaches)
        say(Done(built=built, output=output, seconds=seconds).summary())

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    place = where()
    preview = Preview(output, templates.read_templates())
    with (
        serving(preview, port=port) as address,
        closing(Previewing(place, preview, report=report, jobs=cores())) as previewing,
    ):
        for number, is_over in enumerate(changes([*watched(place), templates.folder()], ignore=output)):
            previewing.renew(fetching=number == 0, is_over=is_over)
            if number == 0:
                previewing.wait()
                say(f"Serving {place.folder} at {address}{preview.state.base} until Ctrl+C")
    return BUILT


@sitegen.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--host", type=click.Choice([*HOSTS]), help="Where the site will be shown.  [default: by the remote]")
@click.option("-n", "--dry-run", is_flag=True, help="Show the site.toml, and write nothing.")
def init(folder: Path, host: str | None, dry_run: bool) -> int:
    """Find the glossaries of a repository, write a site.toml for them, and set up where the site will be shown.

    FOLDER is a git repository, by default the folder you are in. A glossary that was moved or renamed is followed to
    where it was before. The host is GitHub Pages, by a workflow, unless the remote is elsewhere or you name another.
    Nothing that is there is overwritten; where there is a site.toml, --host writes only what that host needs.
    """
    from sitegen.build.building import located
    from sitegen.tools.proposing import has_site, propose, set_up, write

    chosen = HOSTS[host] if host else None
    if chosen and has_site(folder) and not dry_run:
        lines = [*set_up(chosen, folder), *filter(None, [chosen.advice])]
    else:
        with progress(shown=not dry_run) as tell:
            tell("Looking for glossaries")
            proposal = propose(folder, clones=clones_here(tell), host=chosen)
        complain_of(located(proposal.problems, folder, elsewhere=proposal.elsewhere))
        lines = proposal.text.splitlines() if dry_run else [*write(proposal, folder)]
    for line in lines:
        say(line)
    return BUILT


@sitegen.command("import")
@reading
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("content"),
    show_default=True,
    help="A new folder to write.",
)
def import_(where: Callable[[], Place], output: Path) -> int:
    """Write what is read, from tags or archives, as a folder of files.

    The new folder has a folder for each release, and a site.toml with what their names do not tell. It gives the same
    site. Nothing that is there is overwritten.
    """
    from sitegen.tools.importing import write

    with progress(shown=True) as tell:
        imported = write(where(), output, clones=clones_here(tell), tell=tell)
    complain_of(imported.problems)
    say(f"{output}: {imported.files:,} files; sitegen build {output}")
    return BUILT


@sitegen.command()
@reading
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    help="Check the site that stands in this folder, and what it was made from only if that is named.",
)
@click.option("--json", "as_data", is_flag=True, help="Give the findings as JSON.")
def check(where: Callable[[], Place], site: Path | None, as_data: bool) -> int:
    """Look for what is wrong, and write nothing.

    Checks the glossaries, and the site they would give: links, published addresses, references, names that look
    alike, perhaps one term under two names, and what GitHub Pages will not take. Leaves with status 0 when nothing
    was found, 1 when something was, 2 when it could not be checked.
    """
    from sitegen.tools.check.checking import check, check_built

    asked = click.get_current_context().params
    try:
        with progress(shown=not as_data) as tell:
            if site is None:
                checked = check(where(), tell=tell, clones=clones_here(tell))
            else:
                made_from = where() if asked["folder"] or asked["git"] else None
                checked = check_built(site, made_from=made_from, tell=tell, clones=clones_here(tell))
    except SitegenError as error:
        if as_data:
            say_data({"error": str(error)})
        raise
    if as_data:
        say_data(checked.data())
    else:
        for line in checked.lines():
            say(line)
    return HAS_PROBLEMS if checked.findings else BUILT


for command in (sharing.diff, sharing.publish, authoring.link, authoring.annotate, authoring.check_text):
    sitegen.add_command(command)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A build, where it went and how long it took."""

    built: Built
    output: Path
    seconds: float

    def counts(self) -> dict[str, int]:
        built = self.built
        counts = {"terms": built.terms, "releases": built.releases, "changes": built.changes}
        return {**counts, "problems": len(built.problems), "files": built.files}

    def summary(self) -> str:
        counts = ", ".join(f"{count:,} {name if count != 1 else name[:-1]}" for name, count in self.counts().items())
        return f"{self.output}: {counts} in {self.seconds:.1f} s"

    def data(self) -> dict[str, object]:
        problems = [asdict(problem) for problem in self.built.problems]
        return {"output": str(self.output), **self.counts(), "seconds": round(self.seconds, 3), "problems": problems}


def _build(
    place: Place, output: Path, *, shown: bool, keeping: Keeping | None = None, jobs: int | None = None
) -> Done:
    from sitegen.build.building import build
    from sitegen.build.workers import cores

    begun = time.perf_counter()
    with progress(shown=shown) as tell:
        built = build(
            place.folder,
            output,
            tell=tell,
            clones=clones_here(tell),
            config=place.config,
            keeping=keeping,
            jobs=jobs or cores(),
        )
    return Done(built=built, output=output, seconds=time.perf_counter() - begun)
