"""What a build says about releases that differ from what was published, each in one line."""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.model import Problem, ProblemKind, Release, Trouble, counted, first_of, grouped
from sitegen.permanence.archive import known_names
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.composition import ComposedRelease, Composition
from sitegen.sources.git.repositories import SHORT


def difference_problems(composed: ComposedSources) -> Iterator[Problem]:
    """Yields a problem for each closed release whose source says something else now: "2.0: 3 terms
    differ from what was published (Kernel, Leaf, Root)"."""
    for composition in composed.compositions.values():
        for one in composition.composed:
            if one.differences:
                yield _difference_problem(one)


def _difference_problem(composed: ComposedRelease) -> Problem:
    """Returns the problem of a release that differs from what was published."""
    release = composed.release.name
    names = list(dict.fromkeys(one.entry.name for one in composed.differences))
    differ = "term differs" if len(names) == 1 else "terms differ"
    found = f"{release}: {len(names)} {differ} from what was published ({first_of(names)})"
    commit = _former_commit(composed)
    back = f"put the tag back to {commit}" if commit else "put the words back"
    wanted = f"{back}, or `sitegen correct` takes them over"
    lost = composed.lost_terms
    if lost.are_most:
        terms = f"{lost.gone} of {lost.published} published terms are gone"
        found = f"{release}: {terms} ({first_of(names)})"
        wanted = f"{back}, or `sitegen correct --all` takes over everything"
    first = composed.differences[0]
    line = first.now.line if first.now else 0
    return Trouble(ProblemKind.DIFFERS, found, wanted).at(first.entry.place.path, line=line)


def _former_commit(composed: ComposedRelease) -> str:
    """Returns the commit on which the tag of a release was when it was published; empty if it is
    there now."""
    edition = composed.edition
    if edition is None or edition.kind != "tag" or edition.commit == composed.release.commit:
        return ""
    return edition.commit[:SHORT]


def notes(composed: ComposedSources) -> Iterator[str]:
    """Yields the notes of a build, which name no mistakes: "words 2.0: not read now; the published
    words are shown"."""
    for former in composed.renamed:
        yield id_note(former.id, former.present)
    for composition in composed.compositions.values():
        yield from _missing(composition)
    yield from _lost_names(composed)
    yield from _read_otherwise(composed)
    withdrawn = grouped((one.source, one.release) for one in composed.withdrawn)
    for source, releases in withdrawn.items():
        at = _at(source, *releases)
        yield f"{at}: left out by site.toml; the published pages stay, and lists leave them out"


def _missing(composition: Composition) -> Iterator[str]:
    """Yields a line for each document that is not read now, and a line for all releases of which
    nothing is read."""
    unread = []
    for one in composition.composed:
        for document in one.missing:
            place = f"{_at(composition.source, one.release.name)}: {document}"
            yield f"{place} is not read now; its published words are shown"
        if not one.is_read:
            unread.append(one.release)
    if unread:
        at = _at(composition.source, *map(_with_label, unread))
        has_tags = any(release.kind == "tag" for release in unread)
        cure = "; `git fetch --tags` brings tags that this clone lacks" if has_tags else ""
        yield f"{at}: not read now; the published words are shown{cure}"


def _at(source: str, *releases: str) -> str:
    """Returns a source with some of its releases; that of a glossary without releases has no
    name."""
    names = first_of([release for release in releases if release])
    return f"{source} {names}" if names else source


def _with_label(release: Release) -> str:
    """Returns the name of a release, with its tag, branch or folder if that says more."""
    label = release.label.removesuffix("/")
    if not release.name or label == release.name:
        return release.name
    return f"{release.name} ({label})"


def id_note(former: str, present: str) -> str:
    """Returns what is said about a source that has another id now."""
    setting = f'formerly = "{former}" in its [[source]] says so for good'
    return f"the source {former} has the id {present} now, and keeps its addresses; {setting}"


def _lost_names(composed: ComposedSources) -> Iterator[str]:
    """Yields a line for the names that an open release had when it was published, and does not have
    any more: "words 3.0 does not have Saw any more; the published pages stay"."""
    for source, composition in composed.compositions.items():
        for one in composition.composed:
            release, edition = one.release, one.edition
            if edition is None or edition.is_closed:
                continue
            names = {entry.name for entry in release.entries}
            names.update(former for former, _ in one.pairs)
            archive = composed.archive
            lost = sorted(known_names(archive, archive.editions_of[edition.at]) - names)
            if lost:
                place = _at(source, release.name)
                yield f"{place} does not have {first_of(lost)} any more; the published pages stay"


def _read_otherwise(composed: ComposedSources) -> Iterator[str]:
    """Yields a line with the number of texts that are read better now, if there are any."""
    number = sum(len(composition.better) for composition in composed.compositions.values())
    if number:
        yield f"this version of sitegen reads {counted(number, 'text')} otherwise; no words changed"
