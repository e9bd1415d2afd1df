"""Publishes a site: builds it with the live archive, checks it, and pushes it to a branch.

The live archive is read first. If another publication happens meanwhile, everything is repeated
with the new live state, so that no published address is lost. `publish_targets` reads and replaces
the live state; `user_git` runs git with the user's settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from sitegen.addresses import urls
from sitegen.config.tables import Withheld
from sitegen.model import Notify, Problem, SitegenError, counted
from sitegen.permanence.archive import Archive, lost, united
from sitegen.permanence.archive_file import ArchiveStore
from sitegen.permanence.archive_lines import parse
from sitegen.permanence.published_archive import in_git
from sitegen.permanence.withholding import Cleaner
from sitegen.pipeline.site_build import Built, build
from sitegen.safe_files import temporary_folder
from sitegen.sources.folders import MARKER
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.projects import Project
from sitegen.tools.built_site import site_files, unfit
from sitegen.tools.next_archive import push
from sitegen.tools.publish_targets import PublishedState, TargetBranch
from sitegen.tools.user_git import PublishError, unless_overtaken

SHOWN = 3
"""The maximum number of names of each kind that a plan prints, pages of terms first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Publication:
    """The changes that a publication makes, or has made."""

    place: str
    message: str
    """The message of the commit: the number of terms and releases."""
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    addresses: tuple[str, ...]
    """New in the archive."""
    problems: tuple[Problem, ...] = ()
    """The problems of the glossaries, as a build reports them."""
    commit: str = ""
    """The commit that was pushed, if any."""
    note: str = ""
    """What remains to be done."""

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.removed)

    def summary(self) -> str:
        """Returns the changes as one line."""
        if self.is_empty:
            return f"{self.place}: unchanged, there is nothing to publish"
        counts = ((self.added, "added"), (self.changed, "changed"), (self.removed, "removed"))
        files = ", ".join(f"{len(paths):,} {what}" for paths, what in counts if paths)
        return (
            f"{self.place}: {self.message} (files: {files}; new addresses: {len(self.addresses):,})"
        )

    def lines(self) -> Iterator[str]:
        """Yields the summary, with the commit or, before the publication, with the first names of
        each kind."""
        yield f"{self.summary()}, commit {self.commit[:10]}" if self.commit else self.summary()
        if self.note:
            yield f"note: {self.note}"
        if self.commit:
            return
        yield from _first("+", self.added)
        yield from _first("~", self.changed)
        yield from _first("-", self.removed)
        yield from _first("new address", self.addresses)

    def data(self) -> dict[str, object]:
        """Returns the same as plain data."""
        return asdict(self)


def _first(mark: str, names: Sequence[str]) -> Iterator[str]:
    """Yields the first names with a mark, and the number of the others."""
    terms_first = sorted(names, key=lambda name: "term/" not in name)
    for name in terms_first[:SHOWN]:
        yield f"  {mark} {name}"
    if len(names) > SHOWN:
        yield f"  {mark} and {len(names) - SHOWN:,} more"


def publish(
    project: Project, target: TargetBranch, *, archive: Path, notify: Notify, dry_run: bool
) -> Publication:
    """Builds and publishes the site of a project, unless it is live already, and returns the
    changes.

    `archive` is the file beside site.toml: what was published is in it or live. What is published
    to `origin` is added to the archive on the branch `sitegen-ledger`. Raises
    `SitegenError` if the site cannot be published, and changes nothing then. A dry run changes
    nothing.
    """
    return unless_overtaken(
        lambda: _publish_once(project, target, archive=archive, notify=notify, dry_run=dry_run)
    )


def _publish_once(
    project: Project, target: TargetBranch, *, archive: Path, notify: Notify, dry_run: bool
) -> Publication:
    """Publishes the site. Raises `OvertakenError` if another publication comes first."""
    notify(f"Looking at {target.place}")
    live = target.read_state()
    with temporary_folder() as parent:
        site = parent / "site"
        built = _build(project, site, live, archive=archive, place=target.place, notify=notify)
        files = _stored(site, target, live)
        text = (site / urls.ARCHIVE).read_text(encoding="utf-8")
    promised = parse(text, urls.ARCHIVE)
    kept = in_git(archive)
    published = kept.read() if kept else Archive()
    known = united([live.archive, published])
    planned = publication(
        live, files, archive=promised, known=known, built=built, place=target.place
    )
    if dry_run:
        return planned
    notify("Publishing")
    if not planned.is_empty:
        commit = target.replace(live, files, message=planned.message)
        planned = replace(planned, commit=commit)
    withheld = project.settings().withheld
    if _has_all(published, promised, withheld):
        return planned
    return replace(planned, note=_keep(promised, target, path=archive, withheld=withheld))


def _has_all(published: Archive, promised: Archive, withheld: Sequence[Withheld]) -> bool:
    """True if the published archive has all that another one promises, and no withheld words."""
    is_clean = Cleaner(withheld).archive(published) == published
    return is_clean and not any(lost(published, promised))


def _build(
    project: Project, site: Path, live: PublishedState, *, archive: Path, place: str, notify: Notify
) -> Built:
    others = ((place, lambda: live.archive),)
    built = build(
        project.folder,
        site,
        notify=notify,
        clones=clones_here(notify),
        config=project.config,
        archive_store=ArchiveStore(path=archive, others=others, is_live=True),
    )
    (site / MARKER).unlink()
    return built


def _stored(site: Path, target: TargetBranch, live: PublishedState) -> Mapping[str, str]:
    """Returns the entry in a tree for each file of a site, which is stored. Raises `PublishError`
    if the host would not accept one."""
    sizes = site_files(site)
    if faults := [*map(str, unfit(sizes))]:
        found = f"{target.place}: this site cannot be published"
        raise PublishError("\n".join([found, *faults]))
    return target.prepare(site, sizes, live)


def _keep(
    promised: Archive, target: TargetBranch, *, path: Path, withheld: Sequence[Withheld]
) -> str:
    """Adds an archive to the one that all commands read, and returns what is left to do. `path` is
    the file beside site.toml."""
    advice = (
        f"run `sitegen build` and commit {path}, so that `build` and `check` know what is published"
    )
    if target.remote != "origin":
        return advice
    try:
        return push(path, promised, remote=target.remote, withheld=withheld).note
    except SitegenError as error:
        return f"{error}; {advice}"


def publication(
    live: PublishedState,
    files: Mapping[str, str],
    *,
    archive: Archive,
    known: Archive,
    built: Built,
    place: str,
) -> Publication:
    """Returns the changes from the live state to `files`, with this archive; `known` is what was
    published before."""
    terms, releases = counted(built.terms, "term"), counted(built.releases, "release")
    both = files.keys() & live.files.keys()
    changed = [path for path in both if files[path] != live.files[path]]
    addresses = [one for one in archive.by_address if one not in known.by_address]
    return Publication(
        place=place,
        message=f"{terms}, {releases}",
        problems=built.problems,
        added=tuple(sorted(files.keys() - live.files.keys())),
        changed=tuple(sorted(changed)),
        removed=tuple(sorted(live.files.keys() - files.keys())),
        addresses=tuple(addresses),
    )
