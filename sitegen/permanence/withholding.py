"""Removes withheld words from the entries, directly after reading. site.toml lists them in
[[withheld]].

Because this happens before terms are merged, the words are in no page, frozen wording, search
index, feed or export. Published addresses are kept, by a correction of each affected release.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from sitegen.config.tables import Corrected, Rename, Withheld
from sitegen.model import Document, Entry, EntryText, Release, Source
from sitegen.permanence.ledger import Ledger, of_kind
from sitegen.text.names import fold
from sitegen.text.prose import from_html
from sitegen.text.words import digest

REPLACEMENT = "[…{}]"
"""The replacement of a withheld text, with a number by which different words stay different in the
history. That of a withheld definition has the id of the source before it: wordings are numbered in
each source."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Withholding:
    """The sources without withheld words, and the corrections that keep published addresses
    valid."""

    sources: tuple[Source, ...]
    corrected: tuple[Corrected, ...] = ()
    """A correction for every release that had withheld words."""
    renames: tuple[Rename, ...] = ()
    """A rename of every published name that contained a withheld text."""


def withhold(sources: Iterable[Source], tables: Iterable[Withheld], ledger: Ledger) -> Withholding:
    """Returns the sources without withheld words, and the corrections and renames that the ledger
    needs."""
    sources, tables = tuple(sources), tuple(tables)
    if not tables:
        return Withholding(sources=sources)
    cleaner = _Cleaner(tables)
    cleaned, corrected = [], []
    for source in sources:
        releases = tuple(map(cleaner.release, source.releases))
        cleaned.append(replace(source, releases=releases))
        for release, original in zip(releases, source.releases, strict=True):
            if names := _changed_names(release, original):
                correction = Corrected(
                    source=source.id,
                    release=release.name,
                    terms=tuple(names),
                    words="",
                    reason=cleaner.reason,
                )
                corrected.append(correction)
    return Withholding(
        sources=tuple(cleaned),
        corrected=tuple(corrected),
        renames=tuple(
            Rename(source=source, old=name, new=cleaner.without(name), reason=cleaner.reason)
            for source, name in sorted({(row.source, row.name) for row in of_kind(ledger, "term")})
            if cleaner.without(name) != name
        ),
    )


def cleaner(tables: Iterable[Withheld]) -> Callable[[Entry], Entry]:
    """Returns a function that removes withheld words from an entry."""
    return _Cleaner(tuple(tables)).entry


def _changed_names(release: Release, original: Release) -> Sequence[str]:
    """Returns the names of the entries that have lost words, or that have another name than
    before."""
    pairs = zip(release.entries, original.entries, strict=True)
    return [entry.name for entry, before in pairs if entry is not before]


class _Cleaner:
    """Cleans entries. Results are cached by `EntryText` object; unchanged objects are returned as
    they are."""

    def __init__(self, tables: tuple[Withheld, ...]) -> None:
        self.reason = "; ".join(dict.fromkeys(table.reason for table in tables))
        self.names = {fold(name): table.reason for table in tables for name in table.terms}
        texts = [text for table in tables for text in table.texts]
        longest_first = sorted(enumerate(texts, 1), key=lambda numbered: -len(numbered[1]))
        self.numbers = [number for number, _ in longest_first]
        # Without texts, an expression that matches nothing.
        self.texts = re.compile(
            "|".join(f"({re.escape(text)})" for _, text in longest_first) or "(?!)", re.IGNORECASE
        )
        escaped = (f"({re.escape(escape(text))})" for _, text in longest_first)
        self.escaped = re.compile("|".join(escaped) or "(?!)", re.IGNORECASE)
        self.wordings: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        """Source id and folded name of a withheld term, to the digests of its wordings, from the
        oldest on."""
        self.cached: dict[tuple[str, int], tuple[EntryText, EntryText]] = {}

    def release(self, release: Release) -> Release:
        documents = tuple(map(self.document, release.documents))
        pairs = zip(documents, release.documents, strict=True)
        is_same = all(one is two for one, two in pairs)
        return release if is_same else replace(release, documents=documents)

    def document(self, document: Document) -> Document:
        if document.reading is None:
            return document
        entries = tuple(map(self.entry, document.entries))
        pairs = zip(entries, document.entries, strict=True)
        if all(one is two for one, two in pairs):
            return document
        return replace(document, reading=replace(document.reading, entries=entries))

    def entry(self, entry: Entry) -> Entry:
        key = entry.place.source, id(entry.text)
        if key not in self.cached:
            self.cached[key] = entry.text, self.cleaned(entry.text, entry.place.source)
        text = self.cached[key][1]
        return entry if text is entry.text else entry._replace(text=text)

    def cleaned(self, text: EntryText, source: str) -> EntryText:
        """Returns the words of an entry without withheld words; the same object if nothing is
        withheld."""
        names = [name.text for name in text.designations]
        if name := next((name for name in map(fold, names) if name in self.names), ""):
            wordings = self.wordings[source, name]
            mark = REPLACEMENT.format(
                f"{source} {wordings.setdefault(digest(text.definition), len(wordings) + 1)}"
            )
            text = replace(text, definition=from_html(f"<p>{mark} {escape(self.names[name])}</p>"))
        definition = text.definition
        if not any(
            map(
                self.texts.search,
                (*names, definition.text, definition.html, text.section, *text.anchors),
            )
        ):
            return text
        if self.texts.search(definition.text):
            definition = from_html(self.escaped.sub(self._replacement, definition.html))
            if self.texts.search(definition.text):  # the text is interrupted by markup
                definition = from_html(f"<p>{escape(self.without(definition.text))}</p>")
        return replace(
            text,
            designations=tuple(
                replace(name, text=self.without(name.text)) for name in text.designations
            ),
            definition=definition,
            section=self.without(text.section),
            anchors=tuple(map(self.without, text.anchors)),
        )

    def without(self, text: str) -> str:
        return self.texts.sub(self._replacement, text)

    def _replacement(self, found: re.Match[str]) -> str:
        return REPLACEMENT.format(self.numbers[(found.lastindex or 1) - 1])
