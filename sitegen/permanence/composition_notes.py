"""What a build says about releases that differ from what was published, each in one line."""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.model import Problem, ProblemKind, Release, Trouble, counted, first_of, grouped
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.composition import ComposedRelease
from sitegen.sources.git.repositories import SHORT


def difference_problems(composed: ComposedSources) -> Iterator[Problem]:
    """Yields a problem for each closed release whose source says something else now: "2.0: 3 terms
    differ from what was published (Kernel, Leaf, Root)"."""
    for composed_release in composed.releases.values():
        if composed_release.differences:
            yield _difference_problem(composed_release)


def _difference_problem(composed_release: ComposedRelease) -> Problem:
    """Returns the problem of a release that differs from what was published."""
    release = composed_release.release.name
    names = list(dict.fromkeys(one.entry.name for one in composed_release.differences))
    commit = _former_commit(composed_release)
    put_back = f"put the tag back to {commit}" if commit else "put the words back"
    if composed_release.loss:
        found = f"{release}: {composed_release.loss} ({first_of(names)})"
        wanted = f"{put_back}, or `sitegen correct --all` takes over everything"
    else:
        differ = "term differs" if len(names) == 1 else "terms differ"
        found = f"{release}: {len(names)} {differ} from what was published ({first_of(names)})"
        wanted = f"{put_back}, or `sitegen correct` takes them over"
    first = composed_release.differences[0]
    line = first.now.line if first.now else 0
    return Trouble(ProblemKind.DIFFERS, found, wanted).at(first.entry.place.path, line=line)


def _former_commit(composed_release: ComposedRelease) -> str:
    """Returns the commit of a tag when its release was published; empty if the tag still has it, or
    if the release has no tag."""
    edition = composed_release.edition
    if edition is None or edition.kind != "tag":
        return ""
    if edition.commit == composed_release.release.commit:
        return ""
    return edition.commit[:SHORT]


def notes(composed: ComposedSources) -> Iterator[str]:
    """Yields the notes of a build, which name no mistakes: "words 2.0: not read now; the published
    words are shown"."""
    for former in composed.renamed:
        moved = f"the source {former.id} has the id {former.present} now, and keeps its addresses"
        yield f'{moved}; formerly = "{former.id}" in its [[source]] says so for good'
    yield from unread_notes(composed)
    yield from _lost_names(composed)
    yield from _read_otherwise(composed)
    for source, releases in grouped(composed.withdrawn).items():
        at = _at(source, *releases)
        yield f"{at}: left out by site.toml; the published pages stay, and lists leave them out"


def unread_notes(composed: ComposedSources) -> Iterator[str]:
    """Yields the notes about published words that are shown because they are not read now. For
    each source, there is a line for each document, then one for all releases of which nothing is
    read."""
    of_source = grouped((one.source, one) for one in composed.releases.values())
    for source, releases in of_source.items():
        unread_releases = []
        for composed_release in releases:
            if not composed_release.is_read:
                unread_releases.append(composed_release.release)
                continue
            for document in composed_release.missing:
                place = f"{_at(source, composed_release.release.name)}: {document}"
                yield f"{place} is not read now; its published words are shown"
        if unread_releases:
            at = _at(source, *map(_with_label, unread_releases))
            has_tags = any(release.kind == "tag" for release in unread_releases)
            cure = "; `git fetch --tags` brings tags that this clone lacks" if has_tags else ""
            yield f"{at}: not read now; the published words are shown{cure}"


def _at(source: str, *releases: str) -> str:
    """Returns a source with some of its releases, for a message: `words 1.0, 2.0`."""
    names = first_of([release for release in releases if release])  # one may have no name
    return f"{source} {names}" if names else source


def _with_label(release: Release) -> str:
    """Returns the name of a release, with its tag, branch or folder if that says more."""
    label = release.label.removesuffix("/")
    if not release.name or label == release.name:
        return release.name
    return f"{release.name} ({label})"


def _lost_names(composed: ComposedSources) -> Iterator[str]:
    """Yields a line for the names that an open release had when it was published, and does not have
    any more: "words 3.0 does not have Saw any more; the published pages stay"."""
    for composed_release in composed.releases.values():
        release, edition = composed_release.release, composed_release.edition
        if edition is None or edition.is_closed:
            continue
        present_names = {entry.name for entry in release.entries}
        present_names.update(former for former, _ in composed_release.pairs)  # renamed is not lost
        lost_names = sorted(composed.archive.names[edition.at] - present_names)
        if lost_names:
            place = _at(composed_release.source, release.name)
            names = first_of(lost_names)
            yield f"{place} does not have {names} any more; the published pages stay"


def _read_otherwise(composed: ComposedSources) -> Iterator[str]:
    """Yields a line with the number of texts that are read otherwise now, if there are any."""
    if composed.read_otherwise:
        number = counted(composed.read_otherwise, "text")
        yield f"this version of sitegen reads {number} otherwise; no words changed"
