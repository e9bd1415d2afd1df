"""Publishes a site: builds it with the live ledger merged in, checks it, and writes it to a branch or a folder.

The live ledger is merged first. If another publication happens meanwhile, everything is repeated with the new live
state, so that no published address is lost. `branch` and `folder` are the targets, `plan` computes the changes, and
`user_git` runs git with the user's settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sitegen.addresses import urls
from sitegen.addresses.gate import GateError
from sitegen.addresses.github_pages import unfit
from sitegen.addresses.ledger import parse
from sitegen.build.ledger_file import LedgerStore, LiveLedger
from sitegen.build.published_ledger import MAX_BYTES
from sitegen.build.site_build import build
from sitegen.build.workers import cores
from sitegen.model import Problem
from sitegen.sources.git import Clones
from sitegen.sources.projects import Project
from sitegen.sources.safe_files import is_file, read, temporary_folder
from sitegen.sources.site_marker import MARKER
from sitegen.tools.built_site import folder_pieces
from sitegen.tools.publish.branch import Branch
from sitegen.tools.publish.folder import TargetFolder, folder_lock
from sitegen.tools.publish.plan import Plan, PublishedState, planned
from sitegen.tools.publish.user_git import PublishError, user_git
from sitegen.tools.terminal import Notify

ATTEMPTS = 10
"""How often a publication is repeated because another one came first."""


class Target(Protocol):
    """A branch or a folder to which a site is published."""

    place: str
    """Its name in messages."""
    is_shared: bool
    """True for a folder of a branch, whose other files are kept."""

    def read_state(self) -> PublishedState:
        """Returns the published state."""

    def prepare(self, site: Path, paths: Iterable[str]) -> Mapping[str, str]:
        """Prepares the files of a site, and returns an identity of each content, as in `PublishedState.files`."""

    def replace(self, files: Mapping[str, str], live: PublishedState, *, message: str) -> str | None:
        """Replaces the live state by the prepared files. Returns None if another publication has replaced `live`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The result of `publish`."""

    plan: Plan
    problems: tuple[Problem, ...]
    """The problems of the glossaries, as a build reports them."""
    commit: str = ""
    """The commit that was pushed, if any."""
    is_done: bool = False
    """True if something was published."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: the plan before, or one line after the publication."""
        if not self.is_done:
            yield from self.plan.lines()
        else:
            yield self.plan.summary() + (f", commit {self.commit[:10]}" if self.commit else "")

    def data(self) -> dict[str, object]:
        """Returns the result as plain data."""
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


def publish(
    project: Project, target: Target, *, ledger: Path, notify: Notify, clones: Clones, dry_run: bool
) -> Published:
    """Builds and publishes the site of a project, unless it is live already, and returns the changes.

    `ledger` is the ledger beside site.toml: each published address is in it or live. Raises `SitegenError` if the
    site cannot be published, and changes nothing then. A dry run changes nothing.
    """
    for _ in range(ATTEMPTS):
        notify(f"Looking at {target.place}")
        live = target.read_state()
        with temporary_folder() as beside:
            site = beside / "site"
            problems = _build(project, site, live, ledger=ledger, at=target.place, notify=notify, clones=clones)
            if not target.is_shared:
                _add_host_files(site, live)
            if faults := [*map(str, unfit(folder_pieces(site)))]:
                raise PublishError(
                    "\n".join([f"{target.place}: some files of this site cannot be published", *faults])
                )
            files = target.prepare(site, _paths(site))
            plan = _planned(site, files, live, at=target.place)
            if plan.is_empty or dry_run:
                return Published(plan=plan, problems=problems)
            notify("Publishing")
            if (commit := target.replace(files, live, message=plan.message)) is not None:
                return Published(plan=plan, problems=problems, commit=commit, is_done=True)
    raise PublishError(f"{target.place}: other publications came first {ATTEMPTS} times; try again later")


@contextmanager
def target(folder: Path, *, to: Path | None, remote: str, branch: str, prefix: str = "") -> Iterator[Target]:
    """Yields the target for command-line options: the folder `to`, or a branch on a remote of `folder`'s repository.

    Raises `PublishError` if there is no such target.
    """
    if to is not None:
        with folder_lock(to):
            yield TargetFolder(to)
    else:
        with user_git(folder) as git:
            yield Branch(git, remote=remote, branch=branch, prefix=prefix)


def _build(
    project: Project, site: Path, live: PublishedState, *, ledger: Path, at: str, notify: Notify, clones: Clones
) -> tuple[Problem, ...]:
    """Builds the site, and returns the problems of the glossaries."""
    ledger_store = LedgerStore(path=ledger, live=LiveLedger(place=at, rows=live.ledger))
    try:
        built = build(
            project.folder,
            site,
            notify=notify,
            clones=clones,
            config=project.config,
            ledger_store=ledger_store,
            jobs=cores(),
        )
    except GateError as error:
        raise _overtaken_error(error, live, ledger=ledger, at=at) from None
    (site / MARKER).unlink()
    return built.problems


def _add_host_files(site: Path, live: PublishedState) -> None:
    """Adds the files for GitHub Pages at the root of a branch: `.nojekyll` and `CNAME`."""
    _add(site / ".nojekyll", b"")
    if live.domain is not None:
        _add(site / "CNAME", live.domain)


def _add(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o644)


def _overtaken_error(error: GateError, live: PublishedState, *, ledger: Path, at: str) -> Exception:
    """Returns the error for a site that lacks addresses which another publication added."""
    kept = read(ledger, limit=MAX_BYTES).decode("utf-8", "replace") if is_file(ledger) else ""
    known = parse(kept, str(ledger)) if kept else {}
    pages = {breach.address.partition("#")[0] for breach in error.breaches}
    if not pages & (live.ledger.keys() - known.keys()):
        return error
    advice = "get their changes (git pull), run sitegen build, commit the ledger, and publish again"
    return PublishError(f"{at}: another publication added addresses that this site does not have; {advice}\n{error}")


def _paths(site: Path) -> Iterator[str]:
    yield from sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())


def _planned(site: Path, files: Mapping[str, str], live: PublishedState, *, at: str) -> Plan:
    ledger = parse((site / urls.LEDGER).read_text(encoding="utf-8"), urls.LEDGER)
    return planned(live, files, ledger=ledger, data=(site / urls.DATA).read_bytes(), place=at)
