"""The `sitegen` command. It chooses and reports; the work is done elsewhere, and imported only when asked for."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from sitegen import __version__
from sitegen.hosts import HOSTS
from sitegen.model import SitegenError
from sitegen.terminal import complain, complain_of, progress, say, say_data

if TYPE_CHECKING:
    from sitegen.build import Built
    from sitegen.git import Clones
    from sitegen.ledgers import Keeping
    from sitegen.places import Place
    from sitegen.serve import Preview

BUILT, HAS_PROBLEMS, CANNOT_BUILD, INTERRUPTED = 0, 1, 2, 130

FOLDER = click.argument("folder", type=click.Path(path_type=Path), required=False)
OUTPUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="Where to write."
)


def reading(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the ways to say what is read, and gives the command `where`: a function that returns the place."""

    @FOLDER
    @click.option("--git", default="", metavar="PATH-or-URL", help="Read the tags of a repository, and no FOLDER.")
    @click.option(
        "--path",
        "paths",
        multiple=True,
        metavar="PATH",
        help="With --git: the glossary; once more: where it was before.",
    )
    @click.option("--tags", multiple=True, metavar="PATTERN", help="With --git: the tags that are releases.")
    @wraps(command)
    def asked(folder: Path | None, git: str, paths: tuple[str, ...], tags: tuple[str, ...], **options: object) -> int:
        from sitegen.places import place

        return command(where=lambda: place(folder, git=git, paths=paths, tags=tags), **options)

    return asked


def main() -> None:
    """Runs the command and leaves with what it came to: 0 built, 1 problems under --strict, 2 cannot build."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = sitegen(prog_name="sitegen", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except SitegenError as error:
        complain(str(error))
        status = CANNOT_BUILD
    except click.Abort:
        status = INTERRUPTED
    sys.exit(status)


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
        keeping = None if no_ledger else _keeping(place.folder, also=also, locked=locked)
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
    from sitegen import templates
    from sitegen.places import watched
    from sitegen.serve import Preview, serving
    from sitegen.watch import changes

    place = where()
    preview = Preview(output, templates.read_templates())
    with serving(preview, port=port) as address:
        for number, _ in enumerate(changes([*watched(place), templates.folder()], ignore=output)):
            _rebuild(preview, place, is_first=number == 0)
            if number == 0:
                say(f"Serving {place.folder} at {address}{preview.base} until Ctrl+C")
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
    from sitegen.build import located
    from sitegen.proposing import has_site, propose, set_up, write

    chosen = HOSTS[host] if host else None
    if chosen and has_site(folder) and not dry_run:
        lines = [*set_up(chosen, folder), *filter(None, [chosen.advice])]
    else:
        with progress(shown=not dry_run) as tell:
            tell("Looking for glossaries")
            proposal = propose(folder, clones=_clones(tell), host=chosen)
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
    from sitegen.importing import write

    with progress(shown=True) as tell:
        imported = write(where(), output, clones=_clones(tell), tell=tell)
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
    from sitegen.checking import check, check_built

    asked = click.get_current_context().params
    try:
        with progress(shown=not as_data) as tell:
            if site is None:
                checked = check(where(), tell=tell, clones=_clones(tell))
            else:
                made_from = where() if asked["folder"] or asked["git"] else None
                checked = check_built(site, made_from=made_from, tell=tell, clones=_clones(tell))
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


@sitegen.command()
@reading
@click.option("--remote", default="", metavar="NAME-or-URL", help="The repository to push to.  [default: origin]")
@click.option("--branch", default="gh-pages", show_default=True, help="The branch to push to.")
@click.option("--to", type=click.Path(path_type=Path), metavar="FOLDER", help="Write to a folder, and push nothing.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be published, and change nothing.")
@click.option("--json", "as_data", is_flag=True, help="Give what was changed as JSON.")
def publish(
    where: Callable[[], Place], remote: str, branch: str, to: Path | None, dry_run: bool, as_data: bool
) -> int:
    """Build the site and put it on the web: one commit on a branch, by default gh-pages of origin.

    Nothing is published that is not in the ledger beside site.toml, so run `sitegen build` before, and commit it.
    What is live is taken in, and no address of it is lost, nor its CNAME. Your git is used with its settings,
    credentials and ssh; no hook runs, nothing is checked out, and the repository that you are in stays as it is.
    """
    from sitegen.publishing import publish, target

    place = where()
    ledger = _keeping(place.folder).path
    with progress(shown=not as_data) as tell, target(place.folder, to=to, remote=remote, branch=branch) as there:
        published = publish(place, there, ledger=ledger, tell=tell, clones=_clones(tell), dry_run=dry_run)
    complain_of(published.problems)
    if as_data:
        say_data(published.data())
    else:
        for line in published.lines():
            say(line)
    return BUILT


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


def _keeping(folder: Path, *, also: str = "", locked: bool = False, preview: bool = False) -> Keeping:
    from sitegen.ledgers import NAME, Keeping

    return Keeping(path=folder / NAME, also=also, locked=locked, preview=preview)


def _build(
    place: Place,
    output: Path,
    *,
    shown: bool,
    keeping: Keeping | None = None,
    jobs: int | None = None,
    update: bool = True,
) -> Done:
    from sitegen.build import build
    from sitegen.making import cores

    begun = time.perf_counter()
    with progress(shown=shown) as tell:
        clones = _clones(tell, update=update)
        built = build(
            place.folder,
            output,
            tell=tell,
            clones=clones,
            config=place.config,
            keeping=keeping,
            jobs=jobs or cores(),
        )
    return Done(built=built, output=output, seconds=time.perf_counter() - begun)


def _clones(tell: Callable[[str], None], *, update: bool = True) -> Clones:
    from sitegen.git import Clones

    return Clones(folder=_cache(), update=update, progress=tell)


def _cache() -> Path:
    """Where this user's programs keep what they can fetch again, and our corner of it."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # The specification (XDG base directories) ignores a relative one.
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "sitegen"


def _rebuild(preview: Preview, place: Place, *, is_first: bool) -> None:
    """Builds, and shows what came of it on the terminal and in the browser.

    Addresses are those of the ledger; what a real build would fail for is said, and shown all the same.
    """
    keeping = _keeping(place.folder, preview=True)
    try:
        done = _build(place, preview.site, shown=True, keeping=keeping, update=is_first)
    except SitegenError as error:
        complain(str(error))
        preview.show(base=preview.base, error=str(error))
    except Exception:  # a template that is being written has mistakes; the preview shows them and goes on
        complain(traceback.format_exc())
        preview.show(base=preview.base, error=traceback.format_exc())
    else:
        complain_of(done.built.problems)
        complain(done.built.breaches)
        say(done.summary())
        preview.show(base=urlsplit(done.built.base_url).path or "/")
