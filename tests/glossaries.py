"""Small glossaries for tests: a release is a mapping of names to definitions.

A key `New; old: X` is a name with other names; a value is plain text, or HTML when it starts with
`<`. None in place of a release's mapping means that it could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape

from sitegen.config.tables import Rename, Verdict
from sitegen.history.changes import lives
from sitegen.history.merging import Merged, merge
from sitegen.history.references import Resolver
from sitegen.model import (
    Designation,
    Document,
    Edition,
    Entry,
    EntryText,
    Place,
    ProblemKind,
    Prose,
    Release,
    Source,
    Trouble,
)
from sitegen.model.terms import Life
from sitegen.sources.release_documents import with_releases
from sitegen.text.prose import from_html

Wording = Mapping[str, str]
Glossary = Mapping[str, Wording | None]


def from_text(text: str) -> Prose:
    """Returns a definition of plain paragraphs separated by blank lines."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return from_html(
        "".join(f"<p>{escape(one, quote=False)}</p>" for one in paragraphs if one.strip())
    )


def entry(
    names: str, definition: str, *, source: str, release: str, line: int = 1, section: str = ""
) -> Entry:
    preferred, *others = [name.strip() for name in names.split(";")]
    result = EntryText(
        designations=(
            Designation(text=preferred),
            *(Designation(text=other, status="admitted") for other in others),
        ),
        definition=_prose(definition),
        section=section,
    )
    place = Place(source=source, release=release, path=f"{release}/GLOSSARY.md", name="GLOSSARY.md")
    return Entry(result, place, line)


def elsewhere(entry: Entry, **place: str) -> Entry:
    """Returns the same release in a document of another name."""
    return entry._replace(place=replace(entry.place, **place))


@cache
def _prose(definition: str) -> Prose:
    """Returns the same definition object for equal texts, as the reader does."""
    return from_html(definition) if definition.startswith("<") else from_text(definition)


def edition(wording: Wording | None, *, source: str, release: str) -> Edition:
    if wording is None:
        return Edition(release=release, entries=(), documents=(), unread=("GLOSSARY.md",))
    entries = []
    for line, (names, definition) in enumerate(wording.items(), start=1):
        section, _, rest = names.rpartition("/ ")
        # A trailing `=` lets one mapping define one name twice.
        entries.append(
            entry(
                rest.rstrip("="),
                definition,
                source=source,
                release=release,
                line=line,
                section=section.strip(),
            )
        )
    return Edition(release=release, entries=tuple(entries), documents=("GLOSSARY.md",))


def source(
    id: str, glossary: Glossary, *, complete: bool = False
) -> tuple[Source, tuple[Edition, ...]]:
    releases = tuple(Release(name=name) for name in glossary)
    editions = tuple(
        edition(wording, source=id, release=name) for name, wording in glossary.items()
    )
    return Source(id=id, title=id.title(), releases=releases, complete=complete), editions


def with_documents(
    source: Source,
    documents: Sequence[Document],
    *,
    unread: Iterable[tuple[str, str]] = (),
) -> Source:
    """Returns a source whose releases have these documents, and lack (release, name).

    Without releases, it gets those of the documents.
    """
    names = [*(one.release for one in documents), *(release for release, _ in unread)]
    releases = source.releases or [Release(name=name) for name in dict.fromkeys(names)]
    reason = Trouble(ProblemKind.UNREADABLE, "cannot be read")
    return with_releases(
        source,
        [
            replace(
                release,
                documents=tuple(one for one in documents if one.release == release.name),
                unread={name: reason for at, name in unread if at == release.name},
            )
            for release in releases
        ],
    )


def unread(source: Source) -> tuple[tuple[str, str], ...]:
    """Returns (release, name) of the documents that could not be read."""
    return tuple((release.name, name) for release in source.releases for name in release.unread)


def merged(
    *sources: tuple[Source, tuple[Edition, ...]],
    renames: tuple[Rename, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
) -> Merged:
    return merge(sources, renames=renames, verdicts=verdicts)


def lives_of(
    *sources: tuple[Source, tuple[Edition, ...]],
    renames: tuple[Rename, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
) -> dict[str, Life]:
    """Returns the lives of all terms by present name; of homonyms, the last."""
    terms = merged(*sources, renames=renames, verdicts=verdicts).terms
    editions = {source.id: editions for source, editions in sources}
    return {life.name: life for life in lives(terms, editions=editions, resolver=Resolver(terms))}


def change_lines(life: Life) -> list[str]:
    """Returns a life's changes as short lines: `1.1 reworded`."""
    return [f"{change.release} {change.kind}" for change in life.changes]
