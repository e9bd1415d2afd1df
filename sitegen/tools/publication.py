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
from sitegen.tools.user_git import PublishError

ATTEMPTS = 10
"""How often a publication is repeated because another one came first."""

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
        marks = {
            "+": self.added,
            "~": self.changed,
            "-": self.removed,
            "new address": self.addresses,
        }
        for mark, names in marks.items():
            yield from (
                f"  {mark} {name}"
                for name in sorted(names, key=lambda name: "term/" not in name)[:SHOWN]
            )
            if len(names) > SHOWN:
                yield f"  {mark} and {len(names) - SHOWN:,} more"

    def data(self) -> dict[str, object]:
        """Returns the same as plain data."""
        return asdict(self)


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
    withheld = project.settings().withheld
    for _ in range(ATTEMPTS):
        notify(f"Looking at {target.place}")
        live = target.read_state()
        with temporary_folder() as parent:
            site = parent / "site"
            built = _build(project, site, live, archive=archive, place=target.place, notify=notify)
            if not target.is_shared:
                _add_host_files(site, live)
            sizes = site_files(site)
            if faults := [*map(str, unfit(sizes))]:
                raise PublishError(
                    "\n".join([f"{target.place}: this site cannot be published", *faults])
                )
            files = target.prepare(site, [*sizes])
            promised = parse((site / urls.ARCHIVE).read_text(encoding="utf-8"), urls.ARCHIVE)
            planned = publication(
                live,
                files,
                archive=promised,
                known=_known(archive, live),
                built=built,
                place=target.place,
            )
            if dry_run:
                return planned
            notify("Publishing")
            commit = (
                "" if planned.is_empty else target.replace(files, live, message=planned.message)
            )
            if commit is not None:
                note = _keep(promised, target, path=archive, withheld=withheld)
                return replace(planned, commit=commit, note=note)
    raise PublishError(
        f"{target.place}: other publications came first {ATTEMPTS} times; try again later"
    )


def _keep(
    promised: Archive, target: TargetBranch, *, path: Path, withheld: Sequence[Withheld]
) -> str:
    """Adds an archive to the one that all commands read, and returns what is left to do. `path` is
    the file beside site.toml."""
    advice = (
        f"run `sitegen build` and commit {path}, so that `build` and `check` know what is published"
    )
    try:
        if _has_all(path, promised, withheld):
            return ""
        if target.remote != "origin":
            return advice
        return push(path, promised, remote=target.remote, withheld=withheld).note
    except SitegenError as error:
        return f"{error}; {advice}"


def _has_all(path: Path, promised: Archive, withheld: Sequence[Withheld]) -> bool:
    """True if the published archive has all that an archive promises, and no withheld words."""
    file = in_git(path)
    if file is None:
        return False
    published = file.read()
    return not any(lost(published, promised)) and Cleaner(withheld).archive(published) == published


def _build(
    project: Project, site: Path, live: PublishedState, *, archive: Path, place: str, notify: Notify
) -> Built:
    """Builds the site."""
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


def _add_host_files(site: Path, live: PublishedState) -> None:
    """Adds the files for GitHub Pages at the root of a branch: `.nojekyll` and `CNAME`."""
    for name, content in ((".nojekyll", b""), ("CNAME", live.domain)):
        if content is not None:
            (site / name).write_bytes(content)
            (site / name).chmod(0o644)


def _known(path: Path, live: PublishedState) -> Archive:
    """Returns what was published before: the live archive, and the one that all commands read."""
    file = in_git(path)
    return united([live.archive, file.read()]) if file else live.archive


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
    return Publication(
        place=place,
        message=f"{terms}, {releases}",
        problems=built.problems,
        added=tuple(sorted(files.keys() - live.files.keys())),
        changed=tuple(
            sorted(
                path for path in files.keys() & live.files.keys() if files[path] != live.files[path]
            )
        ),
        removed=tuple(sorted(live.files.keys() - files.keys())),
        addresses=tuple(one for one in archive.by_address if one not in known.by_address),
    )
