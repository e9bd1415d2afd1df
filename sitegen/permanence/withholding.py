"""Removes withheld words from what was read and from the archive. site.toml lists them in
[[withheld]].

Because this happens before terms are merged, the words are in no page, frozen wording, search
index, feed or export, and in no line of the next archive. The addresses of the archive stay.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from sitegen.config.tables import Withheld
from sitegen.model import Designation, Document, Entry, EntryText, Source
from sitegen.permanence.archive import (
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    ArchivedPage,
    Line,
)
from sitegen.permanence.archive_lines import archive_of, sum_of_line
from sitegen.permanence.archived_releases import archived_text, entry_text
from sitegen.text.names import fold
from sitegen.text.prose import from_html
from sitegen.text.words import Words, words_of

REPLACEMENT = "[…{}]"
"""The replacement of a withheld text, with a number by which different words stay different in the
history. That of a withheld definition has the id of the source before it: wordings are numbered in
each source."""
REPLACED = re.compile(r"\[…\S+ [0-9]+\] ")
"""Matches the beginning of a definition that was withheld when it was published."""


class Cleaner:
    """Removes the words of [[withheld]] tables. Results are cached by `EntryText` object."""

    def __init__(self, tables: Iterable[Withheld]) -> None:
        tables = tuple(tables)
        self.is_needed = bool(tables)
        self._reasons = {fold(name): table.reason for table in tables for name in table.terms}
        texts = [text for table in tables for text in table.texts]
        longest_first = sorted(enumerate(texts, 1), key=lambda numbered: -len(numbered[1]))
        self._numbers = [number for number, _ in longest_first]
        plain = [text for _, text in longest_first]
        self._texts = _expression(plain)
        self._escaped = _expression([escape(text) for text in plain])
        self._wordings: dict[tuple[str, str], dict[Words, int]] = defaultdict(dict)
        """Source id and folded name of a withheld term, to the words of its wordings, from the
        oldest on."""
        self._cached: dict[tuple[str, int], tuple[EntryText, EntryText]] = {}

    def source(self, source: Source) -> Source:
        if not self.is_needed:
            return source
        releases = []
        for release in source.releases:
            documents = tuple(map(self._document, release.documents))
            releases.append(replace(release, documents=documents))
        return replace(source, releases=tuple(releases))

    def _document(self, document: Document) -> Document:
        if document.reading is None:
            return document
        entries = tuple(map(self.entry, document.entries))
        return replace(document, reading=replace(document.reading, entries=entries))

    def entry(self, entry: Entry) -> Entry:
        return entry._replace(text=self._text(entry.text, entry.place.source))

    def archive(self, archive: Archive) -> Archive:
        """Returns an archive without withheld words. Its editions keep their numbers."""
        if not self.is_needed:
            return archive
        lines: list[Line] = [*archive.sources.values(), *map(self._page, archive.pages.values())]
        for edition in archive.editions.values():
            documents = []
            for sum in edition.documents:
                document = archive.documents[sum]
                texts = []
                for text in document.texts:
                    old = entry_text(archive.texts[text])
                    texts.append(archived_text(self._text(old, edition.source)))
                names = tuple(map(self.without, document.kept_as_text))
                sums = tuple(map(sum_of_line, texts))
                documents.append(replace(document, texts=sums, kept_as_text=names))
                lines += texts
            lines += documents
            lines.append(self._edition(edition, documents))
        return archive_of(lines)

    def _edition(
        self, edition: ArchivedEdition, documents: Sequence[ArchivedDocument]
    ) -> ArchivedEdition:
        pairs = [(self.without(old), self.without(new)) for old, new in edition.pairs]
        corrections = [
            replace(one, terms=tuple(map(self.without, one.terms))) for one in edition.corrections
        ]
        return replace(
            edition,
            documents=tuple(map(sum_of_line, documents)),
            pairs=tuple(pairs),
            corrections=tuple(corrections),
        )

    def _page(self, page: ArchivedPage) -> ArchivedPage:
        entries = [replace(one, name=self.without(one.name)) for one in page.entries]
        return replace(page, name=self.without(page.name), entries=tuple(entries))

    def _text(self, text: EntryText, source: str) -> EntryText:
        key = source, id(text)
        if key not in self._cached:
            self._cached[key] = text, self._cleaned(text, source)
        return self._cached[key][1]

    def _cleaned(self, text: EntryText, source: str) -> EntryText:
        """Returns the words of an entry without withheld words; the same object if nothing is
        withheld."""
        names = [name.text for name in text.designations]
        withheld = [name for name in map(fold, names) if name in self._reasons]
        if withheld and not REPLACED.match(text.definition.text):
            text = self._without_definition(text, source, withheld[0])
        definition = text.definition
        values = [value for _, several in text.metadata for value in several]
        searched = (*names, definition.text, definition.html, text.section, *text.anchors, *values)
        if not any(map(self._texts.search, searched)):
            return text
        if self._texts.search(definition.text):
            definition = from_html(self._escaped.sub(self._replacement, definition.html))
            if self._texts.search(definition.text):  # the text is interrupted by markup
                definition = from_html(f"<p>{escape(self.without(definition.text))}</p>")
        return replace(
            text,
            designations=tuple(map(self._designation, text.designations)),
            definition=definition,
            section=self.without(text.section),
            anchors=tuple(map(self.without, text.anchors)),
            metadata=tuple(
                (key, tuple(map(self.without, several))) for key, several in text.metadata
            ),
        )

    def _without_definition(self, text: EntryText, source: str, name: str) -> EntryText:
        """Returns the entry of a withheld term: the reason in place of its definition."""
        wordings = self._wordings[source, name]
        number = wordings.setdefault(words_of(text.definition), len(wordings) + 1)
        mark = REPLACEMENT.format(f"{source} {number}")
        definition = from_html(f"<p>{mark} {escape(self._reasons[name])}</p>")
        return replace(text, definition=definition, metadata=())

    def _designation(self, name: Designation) -> Designation:
        return replace(name, text=self.without(name.text))

    def without(self, text: str) -> str:
        return self._texts.sub(self._replacement, text)

    def _replacement(self, found: re.Match[str]) -> str:
        return REPLACEMENT.format(self._numbers[(found.lastindex or 1) - 1])


def _expression(texts: Sequence[str]) -> re.Pattern[str]:
    """Returns an expression with a group for each text; without texts, it matches nothing."""
    groups = "|".join(f"({re.escape(text)})" for text in texts)
    return re.compile(groups or "(?!)", re.IGNORECASE)
