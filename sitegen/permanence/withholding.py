"""Removes withheld words from what was read and from the archive. site.toml lists them in
[[withheld]].

Because this happens before terms are merged, the words are in no page, frozen wording, search
index, feed or export, and in no line of the next archive. The addresses of the archive stay.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape, unescape
from urllib.parse import unquote

from sitegen.config.tables import Withheld
from sitegen.model import Document, Entry, EntryText, Problem, Prose, Source
from sitegen.permanence.archive import Archive, ArchivedEdition, ArchivedPage, Line
from sitegen.permanence.archive_lines import archive_of, sum_of_line
from sitegen.permanence.archived_releases import archived_text, entry_text
from sitegen.text.names import fold
from sitegen.text.prose import from_html, with_titles
from sitegen.text.words import Words, words_of

REPLACEMENT = "[…{}]"
"""The replacement of a withheld text, with a number by which different words stay different in the
history: `[…1]`."""
DEFINITION_REPLACEMENT = "[… {}]"
"""The beginning of a withheld definition, with the number of the wording in its source."""
REPLACED = re.compile(r"\[… [0-9]+\] ")
"""Matches the beginning of a definition that was withheld when it was published."""

HIDDEN_PROBLEM = "a problem that is not shown, as it may quote what site.toml withholds"


class Cleaner:
    """Removes the words of [[withheld]] tables."""

    def __init__(self, tables: Sequence[Withheld]) -> None:
        self.is_needed = bool(tables)
        self._reasons: dict[str, str] = {}
        """Folded names of withheld terms to the reason."""
        for table in tables:
            for name in table.terms:
                self._reasons[fold(name)] = table.reason
        texts = [text for table in tables for text in table.texts]
        numbered_texts = [*enumerate(texts, 1)]
        # One text may be in another one.
        longest_first = sorted(numbered_texts, key=lambda one: len(one[1]), reverse=True)
        self._numbers = [number for number, _ in longest_first]
        """The number of each text in site.toml, in the order of the groups of `_texts`."""
        self._texts = _expression([text for _, text in longest_first])
        self._wordings: dict[tuple[str, str], dict[Words, int]] = defaultdict(dict)
        """Source id and folded name of a withheld term, to the words of its wordings, from the
        oldest on."""

    def source(self, source: Source) -> Source:
        """Returns a source without withheld words."""
        if not self.is_needed:
            return source
        releases = [release.with_each(self._document) for release in source.releases]
        cleaned = replace(source, releases=tuple(releases))
        # A problem may quote a withheld definition.
        return replace(cleaned, problems=tuple(_without_quotes(cleaned)))

    def problem(self, problem: Problem) -> Problem:
        """Returns a problem without withheld words, as a page shows it."""
        if not self.is_needed:
            return problem
        return replace(
            problem,
            found=self.without(problem.found),
            wanted=self.without(problem.wanted),
            terms=self._all_without(problem.terms),
        )

    def _document(self, document: Document) -> Document:
        """Returns a document without withheld words."""
        if document.reading is None:
            return document
        entries = tuple(map(self.entry, document.entries))
        return replace(
            document,
            reading=replace(document.reading, entries=entries),
            kept_as_text=frozenset(self._all_without(document.kept_as_text)),
        )

    def entry(self, entry: Entry) -> Entry:
        """Returns an entry without withheld words."""
        return entry._replace(text=self._text(entry.text, entry.place.source))

    def archive(self, archive: Archive) -> Archive:
        """Returns an archive without withheld words. Each line is written anew, since the sums by
        which lines name each other change. Editions keep their numbers."""
        if not self.is_needed:
            return archive
        lines: list[Line] = [*archive.sources.values(), *map(self._page, archive.pages.values())]
        # The last editions come first, in the order of their releases. So the wordings of withheld
        # terms are numbered as they are in sources, which are read in this order too.
        last_editions: list[ArchivedEdition] = []
        for editions in archive.releases.values():
            last_editions += editions.values()
        all_editions = dict.fromkeys([*last_editions, *archive.editions.values()])
        for edition in all_editions:
            lines += self._lines_of(edition, archive)
        return archive_of(lines)

    def _lines_of(self, edition: ArchivedEdition, archive: Archive) -> Iterator[Line]:
        """Yields the texts and documents of an archived edition, then the edition, without withheld
        words."""
        source = archive.present_id(edition.source)
        sums_of_documents = []
        for document in archive.documents_of(edition):
            sums_of_texts = []
            for sum in document.texts:
                text = archived_text(self._text(entry_text(archive.texts[sum]), source))
                sums_of_texts.append(sum_of_line(text))
                yield text
            kept_as_text = self._all_without(document.kept_as_text)
            cleaned = replace(document, texts=tuple(sums_of_texts), kept_as_text=kept_as_text)
            sums_of_documents.append(sum_of_line(cleaned))
            yield cleaned

        corrections = []
        for correction in edition.corrections:
            corrections.append(replace(correction, terms=self._all_without(correction.terms)))
        pairs = [(self.without(old), self.without(new)) for old, new in edition.pairs]
        yield replace(
            edition,
            documents=tuple(sums_of_documents),
            pairs=tuple(pairs),
            corrections=tuple(corrections),
        )

    def _page(self, page: ArchivedPage) -> ArchivedPage:
        """Returns an archived page without withheld words."""
        entries = [replace(one, name=self.without(one.name)) for one in page.entries]
        return replace(page, name=self.without(page.name), entries=tuple(entries))

    def _text(self, text: EntryText, source: str) -> EntryText:
        """Returns the text of an entry without withheld words."""
        is_replaced_already = REPLACED.match(text.definition.text) is not None
        if not is_replaced_already:
            for designation in text.designations:
                name = fold(designation.text)
                if name in self._reasons:
                    return self._without_texts(self._without_definition(text, source, name))
        return self._without_texts(text)

    def _without_texts(self, text: EntryText) -> EntryText:
        """Returns the text of an entry without withheld texts. If there are none in it, the same
        object is returned."""
        designations = []
        for name in text.designations:
            designations.append(replace(name, text=self.without(name.text)))
        metadata = []
        for key, values in text.metadata:
            metadata.append((key, self._all_without(values)))
        cleaned = replace(
            text,
            designations=tuple(designations),
            definition=self._definition(text.definition),
            section=self.without(text.section),
            anchors=self._all_without(text.anchors),
            metadata=tuple(metadata),
        )
        return text if cleaned == text else cleaned

    def _definition(self, definition: Prose) -> Prose:
        """Returns a definition without withheld texts. If it has such a text, only its plain text
        is left, because markup may interrupt the text, or have it in an attribute."""
        readable_html = unquote(unescape(definition.html))
        searched = (with_titles(definition).text, readable_html)
        if not any(map(self._texts.search, searched)):
            return definition
        paragraphs = self.without(definition.text).split("\n\n")
        return from_html("".join([f"<p>{escape(one)}</p>" for one in paragraphs]))

    def _without_definition(self, text: EntryText, source: str, name: str) -> EntryText:
        """Returns the text of a withheld term, with the reason in place of the definition. `name`
        is the folded name by which the term is withheld."""
        # Each wording has a number, by which a rewording stays visible in the history.
        wordings = self._wordings[source, name]
        next_number = len(wordings) + 1
        number = wordings.setdefault(words_of(text.definition), next_number)
        mark = DEFINITION_REPLACEMENT.format(number)
        definition = from_html(f"<p>{mark} {escape(self._reasons[name])}</p>")
        return replace(text, definition=definition, metadata=())

    def without(self, text: str) -> str:
        """Returns a text without withheld words."""
        return self._texts.sub(self._replacement, text)

    def _all_without(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Returns texts without withheld words."""
        return tuple(map(self.without, texts))

    def _replacement(self, found: re.Match[str]) -> str:
        """Returns the replacement of a withheld text. `found` is a match of `_texts`, in which
        each text is a group."""
        assert found.lastindex, "some group has matched"
        group_number = found.lastindex  # from 1
        return REPLACEMENT.format(self._numbers[group_number - 1])


def _without_quotes(source: Source) -> Iterator[Problem]:
    """Yields the problems of a source, without what was found in documents with a withheld
    definition, as it may quote the definition."""
    paths = set()
    for release in source.releases:
        for entry in release.entries:
            if REPLACED.match(entry.definition.text):
                paths.add(entry.place.path)
    for problem in source.problems:
        if problem.path in paths:
            problem = replace(problem, found=HIDDEN_PROBLEM, wanted="", details="")
        yield problem


def _expression(texts: Sequence[str]) -> re.Pattern[str]:
    """Returns an expression that matches each of the texts, in a group of its own, with any white
    space between the words. Without texts, it matches nothing."""
    groups = []
    for text in texts:
        words = r"\s+".join(map(re.escape, text.split()))
        groups.append(f"({words})")
    matches_nothing = "(?!)"
    return re.compile("|".join(groups) or matches_nothing, re.IGNORECASE)
