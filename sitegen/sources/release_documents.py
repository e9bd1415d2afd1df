"""Makes the documents of releases from the contents of their files.

`folders` and `git_releases` find releases, each with the ids of the contents of its files by their
names. A file that does not change between releases has the same id at each of them, and its
documents share one text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile
from unicodedata import normalize

from sitegen import formats
from sitegen.config.tables import SourceTable
from sitegen.model import (
    Document,
    Problem,
    ProblemKind,
    Release,
    Skipped,
    Source,
    Trouble,
    first_of,
)
from sitegen.sources.trees import Trees
from sitegen.text.decoding import Decoded

MAX_NAMED_RELEASES = 5
"""The number of releases that a message names."""
NO_GLOSSARY = Trouble(ProblemKind.MISSING, "the glossary is not there")


def source_of(table: SourceTable, *, problems: Sequence[Problem] = ()) -> Source:
    """Returns a source without releases."""
    return Source(
        id=table.id,
        title=table.title or table.id,
        releases=(),
        retrieved=table.retrieved,
        complete=table.complete,
        problems=tuple(problems),
    )


def from_first_glossary(
    table: SourceTable, releases: Sequence[Release], *, problems: Sequence[Problem], place: str
) -> Source:
    """Returns a source without the releases before the first one with the glossary.

    A later release without it is kept as unread, as the glossary may have been elsewhere.
    `problems` are those with the files, and `place` names the source in messages.
    """
    begun = [*dropwhile(lambda release: not release.documents, releases)]
    earlier = releases[: len(releases) - len(begun)]
    absences = _absences(earlier, begun, table, place=place)
    source = source_of(table, problems=[*absences, *problems])
    if not begun:
        return source
    return _without_beginning(replace(source, releases=tuple(releases)), len(earlier))


def since_first_terms(source: Source) -> Source | None:
    """Returns a source that begins with the first release with terms; None if no release has terms.
    Earlier releases do not have the section or the language yet, or have only a template for its
    terms."""
    for number, release in enumerate(source.releases):
        if any(formats.read(document).entries for document in release.documents):
            return _without_beginning(source, number)
    return None


def _without_beginning(source: Source, number: int) -> Source:
    """Returns a source without its first `number` releases, which are skipped as releases before
    the glossary."""
    names: list[str] = []
    skipped = []
    for one in source.skipped:
        if one.reason == "before":
            names += one.names
        else:
            skipped.append(one)
    names += [release.name for release in source.releases[:number]]
    if names:
        skipped.insert(0, Skipped(reason="before", names=tuple(names)))
    return replace(source, releases=source.releases[number:], skipped=tuple(skipped))


def read_documents(
    releases: Sequence[Release], table: SourceTable, trees: Trees
) -> tuple[list[Release], list[Problem]]:
    """Returns the releases with their documents, and the problems with the contents of their files.
    A content is read once, and its problems are reported at the first release that has it."""
    first_paths: dict[str, str] = {}
    for release in releases:
        for name, id in sorted(release.files.items()):
            first_paths.setdefault(id, release.path(name))
    texts = trees.texts(first_paths, table.encoding)
    problems: list[Problem] = []
    for decoded in texts.values():
        problems += decoded.problems
    return [_with_documents(release, table, texts) for release in releases], problems


def _with_documents(release: Release, table: SourceTable, texts: Mapping[str, Decoded]) -> Release:
    """Returns a release with a document for each file that could be decoded, and with the reasons
    why the others are not read."""
    documents = []
    unread = {**release.unread}
    for name, id in release.files.items():
        decoded = texts[id]
        if decoded.text is None:
            unread[name] = decoded.problems[0].trouble
            continue
        document = Document(
            source=table.id,
            release=release.name,
            path=release.path(name),
            name=normalize("NFC", name),
            text=decoded.text,
            file_digest=decoded.digest,
        )
        documents.append(with_settings(document, table))
    if not release.files and not unread:
        unread[""] = NO_GLOSSARY
    # Of names that are equal once they are normalized, the last one is taken.
    normalized = {normalize("NFC", name): trouble for name, trouble in sorted(unread.items())}
    return replace(release, documents=tuple(documents), unread=normalized)


def with_settings(document: Document, table: SourceTable) -> Document:
    """Returns a document with what site.toml says about how it is parsed."""
    return replace(
        document,
        format=table.format,
        section=table.section,
        has_pages=bool(table.docs_url),
    )


def _absences(
    earlier: Sequence[Release], begun: Sequence[Release], table: SourceTable, *, place: str
) -> Iterator[Problem]:
    """Yields a problem if no release has a file of the glossary, or if releases after the first
    with the glossary have none."""
    paths = ", ".join(filter(None, (table.versions, *table.paths))) or "any path"
    has_none = len(earlier) > 0 and not begun
    # A file that cannot be read is reported by itself.
    if has_none and all(map(_lacks_glossary, earlier)):
        trouble = Trouble(ProblemKind.MISSING, f"no release has {paths}", "correct `paths`")
        yield table.problem(trouble, place=place)

    empty = [release.label for release in begun if _lacks_glossary(release)]
    if not empty:
        return
    releases_have = "one release after the first with the glossary has"
    if len(empty) > 1:
        releases_have = f"{len(empty):,} releases after the first with the glossary have"
    found = f"{releases_have} no {paths}: {first_of(empty, limit=MAX_NAMED_RELEASES)}"
    wanted = "if the glossary is elsewhere there, add that place to `paths`"
    if begun[-1].kind == "tag":
        wanted += "; else `exclude` leaves such a tag out"
    yield table.problem(Trouble(ProblemKind.MISSING, found, wanted), place=place)


def _lacks_glossary(release: Release) -> bool:
    """True if a release has no file of the glossary, not even one that cannot be read."""
    return release.unread.get("") == NO_GLOSSARY


def refusals(releases: Sequence[Release]) -> Iterator[Problem]:
    """Yields a problem for each file that was listed and is not read. A file that is refused for
    one reason at several releases is one problem."""
    reported: set[tuple[str, Trouble]] = set()
    for release in releases:
        for name, trouble in release.unread.items():
            if not name:  # of the whole release
                yield trouble.at(release.label)
            elif (name, trouble) not in reported:
                reported.add((name, trouble))
                yield trouble.at(release.path(name))
