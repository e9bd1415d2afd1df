"""From a glossary to where it is read: built with the ledger locked, checked, and put there in one step.

What is live is taken in first. When somebody else publishes meanwhile, all of it is done again with what is live by
then, so that no address of theirs is lost: either this site has it too, or nothing is published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sitegen.addresses import urls
from sitegen.addresses.gate import GateError
from sitegen.addresses.github_pages import unfit
from sitegen.addresses.ledger import parse
from sitegen.build.building import build
from sitegen.build.ledger_file import MAX_BYTES, Keeping
from sitegen.build.ledger_file import Live as LiveLedger
from sitegen.build.workers import cores
from sitegen.model import Problem
from sitegen.sources.git import Clones
from sitegen.sources.places import Place
from sitegen.sources.safe_files import is_file, read, temporary_folder
from sitegen.sources.site_marker import MARKER
from sitegen.tools.check.checking import pieces
from sitegen.tools.publish.branch import Branch
from sitegen.tools.publish.folder import Folder, alone
from sitegen.tools.publish.keeper import PublishError, keeper
from sitegen.tools.publish.plan import Live, Plan, planned

ATTEMPTS = 10
"""How often somebody else may be faster."""

Tell = Callable[[str], None]


class Target(Protocol):
    """A place that a site can go to."""

    place: str
    """As messages name it."""

    def look(self) -> Live:
        """Returns what is live there."""

    def take(self, site: Path, paths: Iterable[str]) -> Mapping[str, str]:
        """Takes files of a site, and returns what tells their contents apart, as `Live.files` does."""

    def put(self, files: Mapping[str, str], live: Live, *, message: str) -> str | None:
        """Puts what was taken in the place of what is live; None when that is not what was looked at any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What publishing came to."""

    plan: Plan
    problems: tuple[Problem, ...]
    """Those of the glossaries, as a build tells them."""
    commit: str = ""
    """The one that was pushed, if any was."""
    is_done: bool = False
    """Something was published."""

    def lines(self) -> Iterator[str]:
        """Yields what is to be read on a terminal: the plan as long as it is one, then what became of it."""
        if not self.is_done:
            yield from self.plan.lines()
        else:
            yield self.plan.summary() + (f", commit {self.commit[:10]}" if self.commit else "")

    def data(self) -> dict[str, object]:
        """Returns the same as plain data."""
        plan = self.plan
        return {
            "place": plan.place,
            "message": plan.message,
            "added": plan.added,
            "changed": plan.changed,
            "removed": plan.removed,
            "addresses": plan.addresses,
            "published": self.is_done,
            "commit": self.commit,
        }


def publish(place: Place, target: Target, *, ledger: Path, tell: Tell, clones: Clones, dry_run: bool) -> Published:
    """Publishes what a place holds, unless it is live already, and returns what that changed.

    `ledger` is the file that is kept with the glossary: nothing is published that is neither in it nor live. Raises
    SitegenError when something stands in the way, and everything is then as it was. A dry run changes nothing.
    """
    for _ in range(ATTEMPTS):
        tell(f"Looking at {target.place}")
        live = target.look()
        with temporary_folder() as beside:
            site = beside / "site"
            problems = _build(place, site, live, ledger=ledger, at=target.place, tell=tell, clones=clones)
            files = target.take(site, _paths(site))
            plan = _planned(site, files, live, at=target.place)
            if plan.is_empty or dry_run:
                return Published(plan=plan, problems=problems)
            tell("Publishing")
            if (commit := target.put(files, live, message=plan.message)) is not None:
                return Published(plan=plan, problems=problems, commit=commit, is_done=True)
    raise PublishError(f"{target.place}: others have published {ATTEMPTS} times meanwhile; try again later")


@contextmanager
def target(folder: Path, *, to: Path | None, remote: str, branch: str) -> Iterator[Target]:
    """Gives the place that a command line means: the folder `to`, or a branch on a remote of `folder`'s repository.

    Raises `PublishError` where there is no such place.
    """
    if to is not None:
        with alone(to):
            yield Folder(to)
    else:
        with keeper(folder) as git:
            yield Branch(git, remote=remote, branch=branch)


def _build(
    place: Place, site: Path, live: Live, *, ledger: Path, at: str, tell: Tell, clones: Clones
) -> tuple[Problem, ...]:
    """Builds the site with what its host needs beside it, and returns the problems of the glossaries."""
    keeping = Keeping(path=ledger, locked=True, live=LiveLedger(place=at, rows=live.ledger))
    try:
        built = build(
            place.folder, site, tell=tell, clones=clones, config=place.config, keeping=keeping, jobs=cores()
        )
    except GateError as error:
        raise _behind(error, live, ledger=ledger, at=at) from None
    (site / MARKER).unlink()
    _add(site / ".nojekyll", b"")
    if live.domain is not None:
        _add(site / "CNAME", live.domain)
    if faults := [*map(str, unfit(pieces(site)))]:
        raise PublishError("\n".join([f"{at}: not everything of this site can be published", *faults]))
    return built.problems


def _add(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o644)


def _behind(error: GateError, live: Live, *, ledger: Path, at: str) -> Exception:
    """What is said when this site lacks what others have published since."""
    kept = read(ledger, limit=MAX_BYTES).decode("utf-8", "replace") if is_file(ledger) else ""
    known = parse(kept, str(ledger)) if kept else {}
    pages = {breach.address.partition("#")[0] for breach in error.breaches}
    if not pages & (live.ledger.keys() - known.keys()):
        return error
    advice = "get their changes (git pull), run sitegen build, commit the ledger, and publish again"
    return PublishError(f"{at}: somebody has published since, what this site does not have; {advice}\n{error}")


def _paths(site: Path) -> Iterator[str]:
    yield from sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())


def _planned(site: Path, files: Mapping[str, str], live: Live, *, at: str) -> Plan:
    ledger = parse((site / urls.LEDGER).read_text(encoding="utf-8"), urls.LEDGER)
    return planned(live, files, ledger=ledger, data=(site / urls.DATA).read_bytes(), place=at)
